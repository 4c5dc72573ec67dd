"""perdure search: commands, files and errors too (SPEC 17.6)."""

from __future__ import annotations

from .test_hooks import Hooks, hooks
from .test_log import work

__all__ = ["hooks"]


def texts(hooks: Hooks, *words: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for hit in hooks.cli.ok("search", *words):
        found.setdefault(hit["group"], []).append(hit["text"])
    return found


def test_commands_files_errors_denials_and_words_are_found(hooks: Hooks) -> None:
    work(hooks)
    assert texts(hooks, "parser") == {"said": ["make the parser faster"], "files": ["parser.py"]}
    assert texts(hooks, "make", "all")["commands"] == ["make all"]
    assert texts(hooks, "rule") == {"errors": ["make bad (Exit code 2\nno rule)"]}
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={"stdout": "a"})
    assert texts(hooks, "touch") == {"denied": ["touch b"]}
    assert texts(hooks, "lookahead") == {"said": ["keep one token of lookahead (because it is enough)"]}


def test_the_same_file_is_one_line_with_how_often_and_the_session_that_log_takes(hooks: Hooks) -> None:
    work(hooks)
    hit = hooks.cli.ok("search", "--in", "files", "parser.py")[0]  # `py` is in the other one, too
    assert (hit["text"], hit["count"]) == ("parser.py", 2)
    said = hooks.cli("search", "--in", "files", "parser").out
    assert "parser.py (×2)" in said
    session = said.splitlines()[1].split()[-1]
    assert hit["session_id"].startswith(session)
    assert hooks.cli.ok("log", "--session", session, "--kind", "edit")


def test_what_is_not_there_is_said_and_no_words_are_refused(hooks: Hooks) -> None:
    work(hooks)
    assert hooks.cli("search", "zanzibar").out == "The record has nothing about 'zanzibar'.\n"
    assert hooks.cli("search", "...").code == 2
