"""Text from outside reaches no terminal as it is: prompts, commands, paths, errors, denials, in every command that
shows them, as text and as JSON (SPEC 19)."""

from __future__ import annotations

import json

import pytest

from .looking import CONTROLS
from .test_hooks import Hooks, hooks
from .test_log import at_terminal

__all__ = ["hooks"]

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202eevil\u2066\nsecond\rover\x9b31m\x7f\x00\u200e"
READERS = (
    *("log", "log --kind denial", "gate why", "search evil", "status", "status --all", "story", "story --for standup"),
    *("session show", "session list", "transaction list", "recover", "note list", "goal list", "state show"),
)


@pytest.fixture
def attacked(hooks: Hooks) -> Hooks:
    path = f"{hooks.cli.cwd}/{HOSTILE}"
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt=HOSTILE)
    hooks("UserPromptSubmit", prompt=HOSTILE + "x" * 1_000_000)
    assert hooks.bash(f"touch '{HOSTILE}'")
    assert hooks.bash("touch " + "x" * 1_000_000)
    assert hooks.denial("Edit", tool_input={"file_path": path})
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": f"ls {HOSTILE}"}, tool_response={"stdout": HOSTILE})
    hooks("PostToolUse", tool_name="Edit", tool_input={"file_path": path, "new_string": HOSTILE}, tool_response={})
    failed = {"command": f"make {HOSTILE}"}
    hooks("PostToolUseFailure", tool_name="Bash", tool_input=failed, error=f"Exit code 2\n{HOSTILE}")
    hooks.cli("note", "finding", HOSTILE.replace("\x00", ""))
    return hooks


def test_nothing_that_a_terminal_obeys_is_printed_and_no_line_is_endless(attacked: Hooks) -> None:
    shown = 0
    for line in READERS:
        for flags in ((), ("--json",)):
            said = attacked.cli(*line.split(), *flags)
            assert said.code == 0, said
            raw = CONTROLS.search(said.out + said.err)
            assert raw is None, (line, flags, raw)
            assert "Traceback" not in said.err
            shown += "evil" in said.out
            if not flags:
                assert max(map(len, said.out.split("\n"))) < 1000, line
    assert shown > 8, "what was said is still shown"


def test_json_keeps_its_values_where_it_is_made_harmless(attacked: Hooks) -> None:
    found = attacked.cli.ok("gate", "why")
    assert any("\u202eevil" in each["call"] for each in found)


def test_an_export_to_a_terminal_is_harmless_and_one_to_a_file_is_exact(attacked: Hooks) -> None:
    said = at_terminal(attacked.cli, 80, "export", NO_COLOR="1")
    assert "evil" in said
    assert not CONTROLS.search(said.replace("\r", ""))
    exact = attacked.cli("export").out
    assert "\u202eevil" in exact
    first, again = (json.loads(text.splitlines()[3]) for text in (exact, said))
    assert first == again
