"""What the gate denied is on record, after it was given and off the guard's path (SPEC 5.1)."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from perdure.views.sealed_notes import DENIED

from ..conftest import Cli
from .test_hooks import FLAGS, SESSION, Hooks, events, hooks

__all__ = ["hooks"]
KEY = b"k" * 32


def notes_of(cli: Cli) -> list[Path]:
    folder = cli.cwd / ".perdure" / DENIED.folder
    return sorted(folder.iterdir()) if folder.is_dir() else []


def after_a_tool(hooks: Hooks) -> None:
    """What the client's next hook does."""
    done = hooks("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={"stdout": "a"})
    assert (done.code, done.err) == (0, "")


REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def test_a_denial_is_noted_by_the_guard_and_recorded_by_the_next_hook(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    before = len(events(hooks.cli))
    assert hooks.bash("touch b")
    assert len(notes_of(hooks.cli)) == 1
    assert len(events(hooks.cli)) == before, "the guard wrote to the ledger"
    after_a_tool(hooks)
    [denied] = events(hooks.cli, "gate.denied")
    assert denied["payload"]["call"] == "touch b"
    assert denied["payload"]["kind"] == "no transaction"
    assert "You have no open transaction" in denied["payload"]["reason"]
    assert denied["payload"]["clears"].startswith("perdure preflight")
    assert (denied["actor"], bool(denied["session_id"]), bool(denied["instance_id"])) == ("claude-code", True, True)
    assert notes_of(hooks.cli) == []


def test_a_denial_of_what_is_not_text_is_recorded_too(hooks: Hooks) -> None:
    assert hooks.bash("touch \ud800")
    after_a_tool(hooks)
    [denied] = events(hooks.cli, "gate.denied")
    assert denied["payload"]["call"] == "touch \ufffd"


def test_gate_why_shows_the_last_denials_with_the_reason_and_the_way_out(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    assert hooks.cli("gate", "why").out == "The gate has denied nothing here.\n"
    hooks.bash("touch first")
    after_a_tool(hooks)
    hooks.bash("rm second")  # nobody has recorded this one yet
    said = hooks.cli("gate", "why").out
    assert said.index("touch first") < said.index("rm second")
    assert "You have no open transaction" in said
    assert "To clear it: perdure preflight" in said
    [first, second] = hooks.cli.ok("gate", "why")
    assert (first["call"], second["call"]) == ("touch first", "rm second")
    assert [each["call"] for each in hooks.cli.ok("gate", "why", "--limit", "1")] == ["rm second"]
    assert said.count(f"  pane {first['instance_id'][:8]}, claude-code") == 2, "whose call it was"


def test_a_call_that_passes_leaves_no_note(hooks: Hooks) -> None:
    assert hooks.bash("ls") == ""
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    assert hooks.bash("touch b") == ""
    assert notes_of(hooks.cli) == []


def test_a_credential_in_a_denied_command_is_on_no_disk_before_it_is_masked(hooks: Hooks) -> None:
    secret = "ghp_" + "a1B2" * 9
    hooks.bash(f"touch x && export TOKEN={secret}")
    [note] = notes_of(hooks.cli)
    assert secret.encode() not in note.read_bytes()
    assert b"touch" not in note.read_bytes()
    assert secret not in hooks.cli("gate", "why").out
    after_a_tool(hooks)
    assert secret not in hooks.cli("export").out
    assert len(events(hooks.cli, "gate.denied")) == 1


def test_a_note_that_somebody_changed_or_brought_is_not_believed(hooks: Hooks) -> None:
    hooks.bash("touch b")
    [note] = notes_of(hooks.cli)
    content = note.read_bytes()
    note.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    DENIED.leave(str(hooks.cli.cwd / ".perdure"), KEY, {"tool": "Bash", "reason": "made up", "at": "x"})
    assert hooks.cli.ok("gate", "why") == []
    after_a_tool(hooks)
    assert events(hooks.cli, "gate.denied") == []
    assert notes_of(hooks.cli) == []


def test_a_note_that_a_crash_left_after_it_was_recorded_is_not_recorded_twice(hooks: Hooks) -> None:
    hooks.bash("touch b")
    [note] = notes_of(hooks.cli)
    name, content = note.name, note.read_bytes()
    after_a_tool(hooks)
    note.parent.mkdir(exist_ok=True)
    (note.parent / name).write_bytes(content)
    after_a_tool(hooks)
    assert len(events(hooks.cli, "gate.denied")) == 1


def test_what_the_guard_cannot_note_is_denied_all_the_same(hooks: Hooks) -> None:
    (hooks.cli.cwd / ".perdure" / DENIED.folder).write_text("in the way")
    done = hooks("PreToolUse", tool_name="Bash", tool_input={"command": "touch b"})
    assert done.json["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "could not be kept for the record" in done.err
    assert done.code == 0


def test_a_denial_is_not_an_error_a_command_or_a_file_of_a_brief(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="make the parser faster")
    hooks.bash("pytest -q tests/test_parser.py > out.txt")
    hooks.denial("Edit", tool_input={"file_path": str(hooks.cli.cwd / "parser.py")})
    denied = "PreToolUse:Bash hook error: Perdure: denied. This changes things, or may: touch writes it."
    hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": "touch z.py"}, error=denied)
    hooks("PostToolUseFailure", tool_name="Edit", tool_input={"file_path": "q.py"}, error=denied)
    hooks("UserPromptSubmit", prompt="go on")
    assert len(events(hooks.cli, "gate.denied")) == 2
    assert events(hooks.cli, "command.run", "tool.failed") == []
    brief = hooks.cli("recover").out
    for absent in ("out.txt", "test_parser", "parser.py", "z.py", "q.py", "denied"):
        assert absent not in brief, brief


@pytest.mark.parametrize("refused", [REJECTED, "Permission to use Bash with command touch z.py has been denied."])
def test_what_a_person_or_a_rule_refused_is_not_an_error_either(hooks: Hooks, refused: str) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="make the parser faster")
    hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": "touch z.py"}, error=refused)
    hooks("PostToolUseFailure", tool_name="Edit", tool_input={"file_path": "q.py"}, error=refused)
    assert events(hooks.cli, "command.run", "tool.failed") == []
    brief = hooks.cli("recover").out
    assert not [absent for absent in ("z.py", "q.py", "rejected", "denied") if absent in brief]


@pytest.mark.parametrize("denied", ["Perdure: denied. It writes.", "PreToolUse:Bash hook error: Perdure: denied. No."])
def test_a_denial_in_a_bare_transcript_is_not_an_error_a_command_or_a_file(
    cli: Cli, tmp_path: Path, denied: str
) -> None:
    edit = {"type": "tool_use", "id": "2", "name": "Edit", "input": {"file_path": str(cli.cwd / "q.py")}}
    lines = [
        {"type": "user", "message": {"role": "user", "content": "go"}},
        {"type": "assistant", "message": {"content": [_use("1", "frobnicate z.py"), edit]}},
        {"type": "user", "message": {"content": [_result("1", denied), _result("2", denied)]}},
    ]
    path = tmp_path / "t.jsonl"
    named = {"sessionId": SESSION, "cwd": str(cli.cwd), "timestamp": "2026-01-01T00:00:00.000Z"}
    path.write_text("".join(json.dumps({**named, "uuid": str(n), **line}) + "\n" for n, line in enumerate(lines)))
    brief = cli("recover", "--transcript", str(path)).out
    assert not [absent for absent in ("frobnicate", "z.py", "q.py", "denied", "rror") if absent in brief], brief


def test_adopting_a_transcript_takes_no_denial_for_a_failed_command(cli: Cli, tmp_path: Path) -> None:
    lines = [
        {"type": "user", "message": {"role": "user", "content": "go"}},
        {"type": "assistant", "message": {"content": [_use("1", "touch x"), _use("2", "pytest -q")]}},
        {"type": "user", "message": {"content": [_result("1", "Perdure: denied. No."), _result("2", "1 failed")]}},
    ]
    path = tmp_path / "t.jsonl"
    named = {"sessionId": SESSION, "cwd": str(cli.cwd), "timestamp": "2026-01-01T00:00:00.000Z"}
    path.write_text("".join(json.dumps({**named, "uuid": str(n), **line}) + "\n" for n, line in enumerate(lines)))
    cli.ok("transcript", "adopt", str(path))
    assert [each["payload"]["command"] for each in events(cli, "command.run")] == ["pytest -q"]


def _use(id: str, command: str) -> dict[str, object]:
    return {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}


def _result(id: str, text: str) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": id, "is_error": True, "content": text}


@pytest.mark.parametrize("text", ["", "x", "a" * 63, "ä" * 4000])
def test_what_is_sealed_is_read_back_with_the_same_key_alone(tmp_path: Path, text: str) -> None:
    DENIED.leave(str(tmp_path), KEY, {"reason": text})
    [note] = DENIED.waiting(str(tmp_path), KEY)
    assert note.fields == {"reason": text}
    [unread] = DENIED.waiting(str(tmp_path), b"other" * 4)
    assert (unread.name, unread.fields) == (note.name, None)
    assert os.stat(tmp_path / DENIED.folder / note.name).st_mode & 0o777 == 0o600


def test_a_denial_of_another_project_of_the_same_home_is_not_believed(hooks: Hooks, tmp_path: Path) -> None:
    assert hooks.bash("touch theirs")
    other = tmp_path / "other"
    other.mkdir()
    hooks.cli("init", cwd=other)
    shutil.copytree(hooks.cli.cwd / ".perdure" / DENIED.folder, other / ".perdure" / DENIED.folder)
    there = ("--project-path", str(other))
    assert "touch theirs" not in hooks.cli("gate", "why", *there, cwd=other).out
    hooks.cli("note", "finding", "x", *there, cwd=other)
    assert "gate.denied" not in hooks.cli("export", *there, cwd=other).out
    assert "touch theirs" in hooks.cli("gate", "why").out


def test_a_denial_that_is_put_back_brings_no_erased_words_back(hooks: Hooks) -> None:
    cli = hooks.cli
    hooks("SessionStart", source="startup")
    assert hooks.bash("touch Evangelina")
    [note] = notes_of(cli)
    content = note.read_bytes()
    after_a_tool(hooks)
    [denied] = events(cli, "gate.denied")
    cli.of_a_person().ok("redact", denied["id"], "--because", "a name")
    note.write_bytes(content)
    assert "Evangelina" not in cli("gate", "why").out + cli("export").out
    after_a_tool(hooks)
    assert "Evangelina" not in cli("gate", "why").out + cli("export").out
