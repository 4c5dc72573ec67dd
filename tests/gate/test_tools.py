"""One table per client of tool → effect; what is not in it is praxic (SPEC 5.3)."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest

from perdure import clients
from perdure.clients import REGISTERED, port
from perdure.gate.tools import analyse_call

from ..data import CLAUDE as PAYLOADS
from .worlds import Table, world

CLAUDE = "claude-code"


def effect(tool: str, client: str = CLAUDE, **given: object) -> str:
    return analyse_call(client, tool, given, world=world()).effect  # type: ignore[arg-type]


def test_readers_look() -> None:
    assert {effect(tool) for tool in ("Read", "Glob", "Grep", "WebFetch", "TodoWrite", "Task")} == {"noetic"}


def test_a_shell_tool_is_judged_by_its_command() -> None:
    assert effect("Bash", command="git status") == "noetic"
    assert effect("Bash", command="touch a") == "praxic"
    assert effect("Bash", command="perdure check --know 1") == "transition"
    assert effect("run_shell_command", "gemini-cli", command="ls | head") == "noetic"


@pytest.mark.parametrize("given", [{}, {"command": 7}, {"command": None}, {"command": ["rm", "x"]}, {"cmd": "ls"}])
def test_a_shell_tool_without_a_command_that_can_be_read_is_praxic(given: dict[str, object]) -> None:
    assert analyse_call(CLAUDE, "Bash", given, world=world()).effect == "praxic"  # type: ignore[arg-type]


def test_an_edit_is_praxic_and_names_its_file() -> None:
    found = analyse_call(CLAUDE, "Edit", {"file_path": "/repo/src/a.py"}, world=world())
    assert (found.effect, found.written) == ("praxic", ("/repo/src/a.py",))


@pytest.mark.parametrize(
    "path", ["/repo/.perdure/config.toml", ".perdure/x", "/home/dev/.perdure/keys/a", "/repo/a/../.perdure/x"]
)
def test_writing_into_the_record_is_forbidden(path: str) -> None:
    assert effect("Write", file_path=path) == "forbidden"


def test_writing_into_the_record_through_a_link_is_forbidden() -> None:
    linked = world(disk=Table(links={"/repo/innocent": "/repo/.perdure"}))
    assert (
        analyse_call(CLAUDE, "Write", {"file_path": "/repo/innocent/config.toml"}, world=linked).effect == "forbidden"
    )


def test_scratch_is_scratch_for_tools_too() -> None:
    assert effect("Write", file_path="/tmp/notes.txt") == "noetic"


def test_scratch_that_leads_into_the_work_is_not() -> None:
    linked = world(disk=Table(links={"/tmp/link": "/repo/src"}))
    assert analyse_call(CLAUDE, "Write", {"file_path": "/tmp/link/a.py"}, world=linked).effect == "praxic"


@pytest.mark.parametrize("given", [{}, {"file_path": ""}, {"file_path": 3}, {"file_path": "a\0b"}])
def test_an_edit_without_a_file_is_praxic(given: dict[str, object]) -> None:
    assert analyse_call(CLAUDE, "Edit", given, world=world()).effect == "praxic"  # type: ignore[arg-type]


@pytest.mark.parametrize("tool", ["", "read", "Frobnicate", "KillShell", "mcp__x", "mcp____", "Bash "])
def test_an_unknown_tool_is_praxic(tool: str) -> None:
    assert effect(tool) == "praxic"


def test_tools_of_other_servers_are_praxic_unless_somebody_says_otherwise() -> None:
    tool = "mcp__docs__search"
    assert effect(tool) == "praxic"
    assert analyse_call(CLAUDE, tool, {}, world=world(readers=(tool,))).effect == "noetic"


def test_perdures_own_tools_move_the_work_along() -> None:
    assert effect("mcp__perdure__preflight") == "transition"
    assert effect("mcp__plugin_perdure_perdure__recover") == "transition"
    assert effect("mcp__perdure__uninstall") == "praxic"
    assert effect("mcp__perdure_evil__preflight") == "praxic"


def test_no_table_has_a_tool_that_writes_among_its_readers() -> None:
    for client in REGISTERED:
        adapter = clients.adapter(client)
        assert adapter
        for name, tool in adapter.TOOLS.items():
            assert (tool.does == "looks") == (tool.field == ""), (client, name)


def test_a_client_that_is_not_registered_has_no_tool_that_only_looks() -> None:
    """It would otherwise get the table of another client."""
    for tool in ("Read", "Grep", "read_file", "mcp__files__read"):
        assert analyse_call("gemini", tool, {"file_path": "/repo/a"}, world=world()).effect == "praxic"


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("PreToolUse.Agent.json", "noetic"),
        ("PreToolUse.Bash.json", "noetic"),
        ("PreToolUse.Edit.json", "praxic"),
        ("PreToolUse.Read.json", "noetic"),
        ("PreToolUse.mcp.json", "praxic"),
    ],
)
def test_what_the_real_client_sends_is_understood(payload: str, expected: str) -> None:
    given = json.loads((PAYLOADS / payload).read_text())
    assert analyse_call(CLAUDE, given["tool_name"], given["tool_input"], world=world()).effect == expected


@pytest.mark.parametrize(
    ("does", "given", "effect"),
    [
        (port.LOOKS, "x", "noetic"),
        (port.READS, "x", "noetic"),
        (port.SEARCHES, "x", "noetic"),
        (port.RUNS, "ls", "noetic"),
        (port.RUNS, "touch a", "praxic"),
        (port.CHANGES, "/repo/a.py", "praxic"),
        (port.EXPANDS, "reads", "praxic"),
    ],
)
def test_a_name_and_its_tools_are_enough_for_the_gate_to_judge_a_client(
    monkeypatch: pytest.MonkeyPatch, does: str, given: str, effect: str
) -> None:
    adapter = ModuleType("bare_client")
    vars(adapter).update(NAME="bare", TOOLS={"it": port.ClientTool(does, "what")})
    monkeypatch.setitem(sys.modules, "bare_client", adapter)
    monkeypatch.setitem(clients.REGISTERED, "bare", clients.Registered(programs=("bare",), adapter="bare_client"))
    assert analyse_call("bare", "it", {"what": given}, world=world()).effect == effect
    assert analyse_call("bare", "another", {"what": given}, world=world()).effect == "praxic"
