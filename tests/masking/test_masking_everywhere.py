"""A credential planted in every argument, every hook's field and every kind of event: no byte of it is stored."""

from __future__ import annotations

import io
import itertools
import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perdure.__main__ import _command, main
from perdure.actions import projects, record
from perdure.actions.request import Request
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import PerdureError
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.value import fields
from perdure.place.resolve import Explicit
from perdure.surfaces.cli import COMMANDS
from perdure.surfaces.cli.parser import parser_for
from perdure.surfaces.hooks import main as hook

from .masking_samples import Dice

CORE = Dice("everywhere").alnum(36)
SECRET = "ghp" + "_" + CORE
SESSION = "b3d7cc0e-b758-4183-bd32-9004b19feb73"


class Place:
    """A project and a home, and where in them a credential stands."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        self.kept = (self.root / ".perdure", folder / "home", folder / "person")

    def leaks(self) -> list[str]:
        found = []
        for top in self.kept:
            for path in top.rglob("*"):
                if CORE in str(path.relative_to(top)) or (path.is_file() and CORE.encode() in path.read_bytes()):
                    found.append(str(path))
        return found


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Place:
    made = Place(tmp_path)
    made.root.mkdir()
    monkeypatch.chdir(made.root)
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(["init", "--no-client"]) == 0
    return made


def run(*words: str, given: bytes = b"") -> int:
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    try:
        return main(list(words))
    except SystemExit as ended:
        return int(ended.code or 0)


LINES = """
preflight --know 0.8 --uncertainty 0.2 --because 'read it' --goal 'ship it' --instance left
check --know 0.85 --uncertainty 0.1 --because 'understood' --instance left
transaction override --because 'I know' --instance left
note finding 'the cache' --instance left
finding 'the test' --task t1
decide 'use WAL' --because 'readers never wait' --key journal --value wal --title t --instance left
decide 'use WAL' --cite '${PROJECT_ROOT}/src/db.py:12' --quote 'journal_mode=WAL'
claim add 'it is WAL' --cite '${PROJECT_ROOT}/src/db.py:12' --quote 'journal_mode=WAL'
claim add 'it is WAL' --user-said 'please use the log'
claim absent 'retries' --query retry --query backoff
goal create 'ship the parser'
task create 'faster' --priority 1 --next-step 'measure' --description d --assignee ann --label l --blocker b
audit start --intent 'faster' --session s1
audit think --task t1 --type plan --agent claude --content 'measure first' --session s1
postflight --know 0.9 --uncertainty 0.1 --because 'done' --instance left
session start --client claude-code --client-session-id abc --instance right
session end --reason exit --instance right
config set gate.readers jq
config set gate.mode observe --user
audit acknowledge-restore --because 'from Monday'
redact ffffffff --because 'held a name'
init --name shop --no-client
""".strip().splitlines()

NOT_RUN = {"mcp", "serve", "doctor", "demo", "hook", "completion", "uninstall", "readonly"}
"""They wait, write elsewhere, or put themselves into the jail."""


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(line.split()[:2]))
def test_a_credential_in_any_word_of_the_command_is_not_stored(line: str, place: Place) -> None:
    words = shlex.split(line)
    run(*words)
    for at in range(1, len(words)):
        if not words[at].startswith("--"):
            run(*words[:at], SECRET, *words[at + 1 :])
            run(*words[:at], f"use {SECRET} here", *words[at + 1 :])
    assert place.leaks() == []


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - NOT_RUN))
def test_a_credential_in_any_flag_of_the_command_is_not_stored(name: str, place: Place) -> None:
    parsers = [((name,), parser_for(name, _command(name)))]
    for _, parser in parsers:
        for action in parser._actions:
            for verb, below in (getattr(action, "_name_parser_map", None) or {}).items():
                parsers.append(((name, verb), below))
    for words, parser in parsers:
        plain = [a for a in parser._actions if not a.option_strings and not getattr(a, "_name_parser_map", None)]
        for action in parser._actions:
            if action.option_strings and action.nargs != 0:
                many = action.nargs if isinstance(action.nargs, int) else 1
                run(*words, *("word" for _ in plain), action.option_strings[-1], *[SECRET] * many)
        if name != "init":  # a folder's path must be kept to find it again
            run(*words, *(SECRET for _ in plain))
    assert place.leaks() == []


PAYLOADS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup", "model": "m"},
    "UserPromptSubmit": {"prompt": "go on"},
    "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls", "description": "list"}},
    "PostToolUse": {
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_response": {"stdout": "error: x failed", "stderr": "FAILED", "interrupted": False},
    },
    "PostToolUseFailure": {"tool_name": "Read", "tool_input": {"file_path": "a.py"}, "error": "not found"},
    "SubagentStart": {"agent_id": "a1", "agent_type": "explorer"},
    "SubagentStop": {"agent_id": "a1", "agent_type": "explorer"},
    "SessionEnd": {"reason": "exit"},
    "statusLine": {"context_window": {"context_window_size": 1000, "used_percentage": 40}, "model": {"id": "m"}},
}
MORE_TOOLS = [
    {"tool_name": "Read", "tool_input": {"file_path": "/x/a.py"}},
    {"tool_name": "Edit", "tool_input": {"file_path": "a.py", "old_string": "a", "new_string": "b"}},
    {"tool_name": "Write", "tool_input": {"file_path": "a.py"}, "tool_response": {"type": "create"}},
    {"tool_name": "Grep", "tool_input": {"pattern": "x"}},
    {"tool_name": "WebFetch", "tool_input": {"url": "https://a.dev"}},
]


def planted(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The content once for each text in it, with the credential in the text's place."""
    for name, value in content.items():
        if isinstance(value, str):
            yield {**content, name: SECRET}
            yield {**content, name: f"curl -u me:{SECRET} https://a.dev; false"}
        elif isinstance(value, dict):
            for inner in planted(value):
                yield {**content, name: inner}


@pytest.mark.parametrize("event", PAYLOADS)
def test_a_credential_in_any_field_of_a_hooks_input_is_not_stored(event: str, place: Place) -> None:
    base = {"session_id": SESSION, "cwd": str(place.root), "transcript_path": "/x/t.jsonl", "hook_event_name": event}
    more = MORE_TOOLS if event in ("PostToolUse", "PostToolUseFailure", "PreToolUse") else []
    for special in [PAYLOADS[event], *more]:
        whole = {**base, "agent_id": "a1", "agent_type": "explorer", "error": "it failed", **special}
        for content in itertools.chain([whole], planted(whole)):
            sys.stdin = io.TextIOWrapper(io.BytesIO(json.dumps(content).encode()))
            hook([event], "/opt/perdure")
    assert place.leaks() == []


@pytest.mark.parametrize("variable", ["PERDURE_INSTANCE", "PERDURE_CLIENT_SESSION", "PERDURE_PROJECT", "TMUX", "USER"])
def test_a_credential_in_a_variable_is_not_stored(variable: str, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, SECRET)
    run("session", "start")
    run("preflight", "--know", "0.8", "--uncertainty", "0.2", "--because", "read it")
    run("finding", "the cache")
    assert place.leaks() == []


def test_a_folder_called_like_a_credential_gives_the_project_no_such_name(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its path must be kept to find it again; its name need not be."""
    folder = tmp_path / SECRET
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run("init", "--no-client") == 0
    assert SECRET not in (folder / ".perdure" / "project.toml").read_text()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "desk"
    root.mkdir()
    environment = {"HOME": str(tmp_path / "person"), "PERDURE_HOME": str(tmp_path / "home")}
    request = Request(str(root), environment, Explicit(instance="left"), actor=f"claude-code:{SECRET}")
    projects.init(request, str(root), "desk")
    with open_desk(request) as made:
        yield made


def full_of_credentials(kind: type) -> object:
    """A payload with the credential in every field that takes text, alone, in a list or in a mapping."""
    content: dict[str, Any] = {}
    for name in fields(kind):
        said = str(kind.__annotations__[name])
        if "dict" in said:
            content[name] = ({"a": SECRET, SECRET: 1},) if "tuple" in said else {SECRET: 0.5}
        elif "tuple[str" in said:
            content[name] = (SECRET,)
        elif "str" in said and "tuple" not in said:
            content[name] = SECRET
        elif "Vectors" in said or "tuple" in said:
            content[name] = None
        else:
            content[name] = 1
    return kind(**content)


@pytest.mark.parametrize("kind", p.KINDS)
def test_a_credential_in_any_field_of_any_kind_of_event_is_masked(kind: str, desk: Desk) -> None:
    fact = record.Fact(kind, full_of_credentials(p.KINDS[kind][0]), actor=SECRET)
    draft = record._masked_draft(desk, fact, moment.stamp(desk.now()))
    assert CORE not in repr(draft.__dict__ if hasattr(draft, "__dict__") else draft)


def test_a_credential_in_who_acts_is_masked(desk: Desk) -> None:
    """A client's subagent is part of the actor, which stands in the envelope of each event."""
    assert desk.actor.startswith("claude-code:[masked:")
    try:
        record.record(desk, [record.Fact("note.finding", p.Note("x"))])
    except PerdureError as error:
        raise AssertionError from error
    assert not [event for event in desk.ledger.events() if CORE in repr(event)]
