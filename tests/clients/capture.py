"""Writes tests/data/clients/claude: what the real client puts on a hook's standard input, one file for each kind.

    .venv/bin/python -m tests.clients.capture

It plays the pinned client against the scripted model with hooks that only write down what they are given, and makes the
result neutral: no path, no id and no time of this machine is left. tests/clients/test_capture.py plays it again and
compares the fields, so these files cannot fall behind the client.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perdure.clients.claude_code import EVENTS
from perdure.rehearsal.messages import MAIN, Turn, call, say

from ..conftest import new_repository, process_environment
from ..data import CLAUDE
from .conftest import PINNED, RECORD, Stage, recorded, recording

Payload = dict[str, Any]
ALLOWED = ("--allowedTools", "Bash", "Edit", "Read", "Agent", "mcp__other")
STATUS_LINE = "statusLine"
TASK = "count the files"
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
AGENT = re.compile(r"\ba[0-9a-f]{16}\b")
MEASURED = re.compile(r".*_ms|.*_usd|seconds_since_.*|expires_at")
"""Names of fields whose numbers are other ones in each run."""


def captured(stage: Stage, folder: Path) -> dict[str, Payload]:
    """File name → payload. Starts the client three times."""
    log, status = folder / "hooks.jsonl", folder / "status.jsonl"
    watch = [sys.executable, "-I", "-S", "-c", RECORD, str(status)]
    hooks = recording(log, *(event for event in EVENTS if event != STATUS_LINE))
    stage.settings({"hooks": hooks, STATUS_LINE: {"type": "command", "command": shlex.join(watch)}})
    session = _play_every_tool(stage, folder)
    _play_in_a_terminal(stage, session, log, status)
    stage.script([say("done")])
    stage.run("go on", "--resume", session, "--fork-session")
    return dict(_named(neutral([*recorded(log), *_different(recorded(status))], stage)))


def _play_every_tool(stage: Stage, folder: Path) -> str:
    """One run with each kind of tool, a subagent and a compaction. Returns the client's session id."""
    read_me = str(stage.project / "readme.txt")
    start = call("Agent", description="look", prompt=TASK, subagent_type="general-purpose")
    script = [
        call("Read", file_path=read_me),
        call("Edit", file_path=read_me, old_string="shop", new_string="store"),
        call("Bash", command="ls", description="list the files"),
        call("Bash", command="exit 3"),
        call("mcp__other__session_status"),
        start,
        Turn(calls=call("Bash", command="pwd").calls, input_tokens=190_000),  # so much that the client compacts
        say("done"),
    ]
    stage.script({MAIN: script, TASK: [say("there is one")]})
    server = {"type": "stdio", "command": sys.executable, "args": ["-m", "perdure", "mcp"], "alwaysLoad": True}
    servers = folder / "servers.json"
    servers.write_text(json.dumps({"mcpServers": {"other": server}}))
    patient = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000", "MCP_CONNECT_TIMEOUT_MS": "60000"}
    played = stage.run("go", *ALLOWED, "--mcp-config", str(servers), **patient)
    assert (played.code, played.result) == (0, "done"), played
    return played.session


def _play_in_a_terminal(stage: Stage, session: str, log: Path, status: Path) -> None:
    """The session is resumed, then cleared; the status line runs only here."""

    def kinds() -> list[tuple[str, str]]:
        return [(each["hook_event_name"], str(each.get("source"))) for each in recorded(log)]

    stage.script([say("answered", input_tokens=50_000)])
    with stage.terminal("--resume", session) as terminal:
        terminal.wait_until(lambda: ("SessionStart", "resume") in kinds() and recorded(status))
        terminal.enter("and now")
        terminal.wait_until(lambda: any(each["context_window"]["used_percentage"] for each in recorded(status)))
        terminal.enter("/clear")
        terminal.wait_until(lambda: ("SessionStart", "clear") in kinds())
        terminal.enter("/exit")
        assert terminal.end() == 0


def _different(states: list[Payload]) -> Iterator[Payload]:
    """The status line's first payload, and the first with figures of the context."""
    yield {**states[0], "hook_event_name": STATUS_LINE}
    yield {**next(each for each in states if each["context_window"]["used_percentage"]), "hook_event_name": STATUS_LINE}


def _named(payloads: list[Payload]) -> Iterator[tuple[str, Payload]]:
    """The first of each kind under its file's name."""
    names: set[str] = set()
    for payload in payloads:
        name = _name(payload)
        if payload["hook_event_name"] == STATUS_LINE:
            del payload["hook_event_name"]  # the client gives none: it was only there to name the file
        if name not in names:
            names.add(name)
            yield name, payload


def _name(payload: Payload) -> str:
    event = payload["hook_event_name"]
    kind = payload.get("tool_name") or payload.get("source") or payload.get("reason") or ""
    if event == "SubagentStop" and not payload["agent_type"]:
        kind = "compaction"  # the client's own summariser
    if event == STATUS_LINE and payload["context_window"]["used_percentage"]:
        kind = "used"
    return ".".join(filter(None, (event, "mcp" if kind.startswith("mcp__") else kind, "json")))


def neutral(payloads: list[Payload], stage: Stage) -> list[Payload]:
    """The same without paths, ids and times of this machine. Equal UUIDs stay equal; every subagent has one id."""
    own = f"{stage.home}/claude-{os.getuid()}"
    places = {str(stage.project): "/PROJ", own: "/HOME/claude", str(stage.home): "/HOME"}
    places |= {re.sub(r"[^A-Za-z0-9]", "-", path): short.replace("/", "-") for path, short in places.items()}
    known: dict[str, str] = {}

    def id_for(found: re.Match[str]) -> str:
        return known.setdefault(found[0], f"00000000-0000-4000-8000-{len(known) + 1:012}")

    def text(of: str) -> str:
        for long, short in places.items():
            of = of.replace(long, short)
        return UUID.sub(id_for, AGENT.sub("a0000000000000001", of))

    def each(of: Any, name: str = "") -> Any:
        if isinstance(of, dict):
            return {key: each(part, key) for key, part in of.items()}
        if isinstance(of, list):
            return [each(part) for part in of]
        if isinstance(of, str):
            return text(of)
        return 1 if MEASURED.fullmatch(name) and of is not None else of

    return [each(payload) for payload in payloads]


def main() -> None:
    with tempfile.TemporaryDirectory() as box:
        environment = process_environment(Path(box).resolve())
        Path(environment["HOME"]).mkdir()
        stage = Stage(PINNED, new_repository(Path(box).resolve() / "shop", environment), environment)
        try:
            found = captured(stage, Path(box))
        finally:
            stage.close()
    CLAUDE.mkdir(parents=True, exist_ok=True)
    for old in CLAUDE.glob("*.json"):
        old.unlink()
    for name, payload in found.items():
        (CLAUDE / name).write_text(json.dumps(payload, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(found)} payloads of claude-code {PINNED}")


if __name__ == "__main__":
    main()
