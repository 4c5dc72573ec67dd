"""The MCP server with what others wrote for it: the official conformance suite, the MCP inspector, Claude Code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from perdure.rehearsal.messages import Turn, call, say
from perdure.surfaces.mcp.tools import TOOLS
from tests.conftest import Cli
from tests.surfaces.mcp.wire import Served, serving

from .conftest import CLIENTS, Stage
from .guarded import ALLOWED, Guarded

MODULES = CLIENTS / "mcp" / "node_modules"
NODE = MODULES / ".bin" / "node"
INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"

# -- the conformance suite -------------------------------------------------------------------------------------------

DOES_NOT_APPLY = {
    "Unknown tool: 'test_": "asks for a tool of the suite's reference server",
    "Not testable: server does not list the diagnostic tool": "asks for a tool of the suite's reference server",
    "Tool 'json_schema_2020_12_tool' not found": "asks for a tool of the suite's reference server",
    "Unknown tool: 'json_schema_2020_12_tool'": "asks for a tool of the suite's reference server",
    "There is no resource 'test://": "asks for a resource of the suite's reference server",
    "Expected InputRequiredResult": "no tool of ours asks the client for more",
    "could not get initial InputRequiredResult": "no tool of ours asks the client for more",
    "no tool with x-mcp-header annotations": "we put no argument into a header",
    "Method not found": "prompts, completion, logging levels, subscriptions: we offer none, and say so",
}
"""What a failed check says → why it does not apply. Whatever fails with other words is a failure."""
EXTENSIONS = ("tasks-",)
"""Scenarios of extensions that we do not offer; the suite does not count them for a revision either."""
PASS = {
    "stable": {
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
    },
    "next": {
        "server-initialize",
        "server-session-lifecycle",
        "ping",
        "tools-list",
        "resources-list",
        "server-sse-multiple-streams",
        "sep-2164-resource-not-found",
        "dns-rebinding-protection",
        "http-header-validation",
        "input-required-result-missing-input-response",
        "input-required-result-unsupported-methods",
        "input-required-result-ignore-extra-params",
        "input-required-result-validate-input",
    },
}
"""Scenarios of which every check passes."""
MOSTLY = {"server-stateless": 21, "caching": 7}
"""Scenarios of which some checks do not apply → how many pass."""


def installed(path: Path) -> Path:
    if not path.exists():
        missing = f"{path.name} is not installed: run tests/needs.sh"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return path


def conform(served: Served, suite: str, out: Path, *flags: str) -> dict[str, list[dict[str, Any]]]:
    """Scenario → its checks."""
    program = installed(MODULES / suite / "dist" / "index.js")
    done = subprocess.run(
        [
            *(str(installed(NODE)), "--import", str(Path(__file__).parent / "with_token.mjs"), str(program)),
            *("server", "--url", served.url, "-o", str(out), *flags),
        ],
        env={"PATH": os.environ["PATH"], "HOME": str(out.parent), "TOKEN": served.token},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert "Results saved" in done.stdout, done
    found: dict[str, list[dict[str, Any]]] = {}
    for folder in sorted(out.iterdir()):
        name = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT.+", folder.name)
        assert name, folder
        found[name[1]] = json.loads((folder / "checks.json").read_text())
    return found


def failures(checks: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[str, str]]:
    for name, each in checks.items():
        for one in each:
            if one["status"] == "FAILURE":
                yield name, str(one.get("errorMessage"))


def is_excused(said: str) -> bool:
    return any(words in said for words in DOES_NOT_APPLY)


@pytest.mark.parametrize(
    ("suite", "flags"),
    [
        ("stable", ()),
        ("next", ("--suite", "all")),
        pytest.param("next", ("--requirements", "2026-07-28"), marks=pytest.mark.long),  # all of them are in `all`
    ],
    ids=["stable", "next", "required by 2026-07-28"],
)
def test_the_conformance_suite_passes_where_it_applies(
    cli: Cli, tmp_path: Path, suite: str, flags: tuple[str, ...]
) -> None:
    with serving(cli) as served:
        checks = conform(served, suite, tmp_path / "out", *flags)
    failed = list(failures({name: each for name, each in checks.items() if not name.startswith(EXTENSIONS)}))
    assert not [(name, said) for name, said in failed if not is_excused(said)]
    assert not PASS[suite] & {name for name, _ in failed}
    if "--suite" in flags or suite == "stable":
        assert set(checks) >= PASS[suite], "they were run"
    for name, least in MOSTLY.items():
        if name in checks:
            passed = [each for each in checks[name] if each["status"] == "SUCCESS"]
            assert len(passed) >= least, (name, len(passed))


def test_the_suite_sees_what_is_wrong_and_no_excuse_covers_it(cli: Cli, tmp_path: Path) -> None:
    """A control: a server that does not answer."""
    with serving(cli) as served:
        served.token = "0" * 64
        checks = conform(served, "stable", tmp_path / "out", "--scenario", "tools-list")
    assert [said for _, said in failures(checks) if not is_excused(said)]


# -- the inspector ---------------------------------------------------------------------------------------------------


def inspect(cli: Cli, *words: str) -> Any:
    done = subprocess.run(
        [str(installed(NODE)), str(installed(INSPECTOR)), "--cli", "--connect-timeout", "60000", *words],
        cwd=cli.cwd,
        env={**cli.environment, "PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def test_the_inspector_lists_and_calls_the_tools(cli: Cli) -> None:
    home = f"PERDURE_HOME={cli.environment['PERDURE_HOME']}"
    stdio = ("-e", home, sys.executable, "-m", "perdure", "mcp")  # the inspector hands on only what it is told to
    listed = inspect(cli, *stdio, "--method", "tools/list", "--strict")["tools"]
    assert {"session_status", "thought_record", "merkle_finalize"} <= {tool["name"] for tool in listed}
    thought = ("type=plan", "task_id=task-1", "agent_id=inspector", "content=look", "session_id=span")
    called = inspect(cli, *stdio, "--method", "tools/call", "--tool-name", "thought_record", "--tool-arg", *thought)
    assert called["structuredContent"]["content"] == "look"
    with serving(cli) as served:
        over = ("--transport", "http", "--header", f"Authorization: Bearer {served.token}")
        sealed = inspect(
            cli,
            served.url,
            *over,
            *("--method", "tools/call", "--tool-name", "merkle_finalize", "--tool-arg", "session_id=span"),
        )
    assert sealed["structuredContent"] == cli.ok("audit", "root", "span")
    brief = inspect(cli, *stdio, "--method", "resources/read", "--uri", "perdure://brief")
    assert "Perdure" in brief["contents"][0]["text"]


# -- Claude Code -----------------------------------------------------------------------------------------------------

TOOL = "mcp__perdure__"
PATIENT = {"MCP_CONNECT_TIMEOUT_MS": "60000", "MCP_TIMEOUT": "60000"}
"""On a busy machine the client would begin its first turn before the server is up."""
THOUGHT: Mapping[str, str] = {
    "type": "plan",
    "task_id": "task-1",
    "agent_id": "claude",
    "content": "measure first",
    "session_id": "span",
}
SURE = {"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read it"}


@pytest.fixture(autouse=True)
def _servers_are_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stage, "starts_servers", True)


@pytest.mark.parametrize("scope", ["local", "project", "user"])
def test_what_init_installed_records_thoughts_and_seals_them_in_the_real_client(
    any_claude: Stage, environment: dict[str, str], scope: str
) -> None:
    """And in every scope the guard is asked; after uninstall, neither is there."""
    guarded = Guarded(any_claude, environment, "--scope", scope, "--allow")
    touch = call("Bash", command="touch here")
    model = any_claude.script(
        [
            call(f"{TOOL}audit_session_start", intent="make it faster", session_id="span"),
            call(f"{TOOL}thought_record", **THOUGHT),
            call(f"{TOOL}merkle_finalize", session_id="span"),
            touch,
            say("done"),
        ]
    )
    # In a folder that nobody has trusted yet, the client passes over the rules of committed settings.
    allowed = ("--allowedTools", "Bash", *(("mcp__perdure",) if scope == "project" else ()))
    played = any_claude.run("go", *allowed, **PATIENT)
    assert [turn.failed for turn in model.turns if turn.failed] == [{"toolu_4_0"}], model.turns[-1].results
    assert "perdure preflight" in model.turns[4].results["toolu_4_0"]
    assert not guarded.made("here")
    assert {run.event for run in played.hooks()} >= {"SessionStart", "UserPromptSubmit", "PreToolUse"}
    assert {(run.code, run.outcome) for run in played.hooks("PreToolUse")} == {(0, "success")}
    assert {f"{TOOL}{name}" for name in TOOLS} <= set(model.turns[0].tools), "the agent sees them at once"
    sealed = json.loads(model.turns[3].results["toolu_3_0"])
    assert sealed == guarded.cli.ok("audit", "root", "span")
    assert sealed["record_count"] == 1
    (started,) = guarded.events("session.started")
    (thought,) = guarded.events("thought.recorded")
    assert started["payload"]["client_session_id"] == played.session
    assert (thought["instance_id"], thought["actor"]) == (started["instance_id"], "claude-code")
    assert thought["payload"]["working_session"] == started["session_id"]
    guarded.cli.ok("uninstall")
    any_claude.script([touch, say("done")])
    after = any_claude.run("go", "--allowedTools", "Bash")
    assert after.of("system", "init")[0]["mcp_servers"] == []
    assert guarded.made("here")
    assert after.hooks() == []


def test_a_transaction_opened_by_the_tool_opens_the_gate_of_this_client_and_of_no_other(
    claude: Stage, environment: dict[str, str]
) -> None:
    guarded = Guarded(claude, environment, "--allow")
    model = claude.script(
        [
            call("Bash", command="touch before"),
            call(f"{TOOL}preflight", **SURE),
            call("Bash", command="touch within"),
            call(f"{TOOL}postflight", **SURE),
            call("Bash", command="touch after"),
            say("done"),
        ]
    )
    claude.run("go", *ALLOWED, **PATIENT)
    assert [guarded.made(name) for name in ("before", "within", "after")] == [False, True, False], model.turns[-1]
    (opened,) = guarded.events("transaction.opened")
    (started,) = guarded.events("session.started")
    assert (opened["session_id"], opened["instance_id"]) == (started["session_id"], started["instance_id"])


def test_after_a_compaction_the_same_server_writes_to_the_new_session(
    any_claude: Stage, environment: dict[str, str]
) -> None:
    guarded = Guarded(any_claude, environment, "--allow")
    thought = call(f"{TOOL}thought_record", **THOUGHT)
    full = Turn(calls=thought.calls, input_tokens=190_000)
    model = any_claude.script([thought, full, thought, say("done")])
    any_claude.run("go", **PATIENT, CLAUDE_CODE_AUTO_COMPACT_WINDOW="100000")
    assert len(model.summaries) == 1
    before, after = guarded.events("session.started")
    assert (before["payload"]["source"], after["payload"]["source"]) == ("startup", "compact")
    thoughts = guarded.events("thought.recorded")
    assert {each["instance_id"] for each in thoughts} == {before["instance_id"]}
    sessions = [each["payload"]["working_session"] for each in thoughts]
    assert sessions == [before["session_id"], before["session_id"], after["session_id"]]


@pytest.mark.long
def test_a_tool_of_a_server_that_only_borrows_our_name_is_not_let_pass(
    claude: Stage, environment: dict[str, str]
) -> None:
    """The gate knows the tools by name; what is none of ours is praxic, whatever its server is called
    (tests/gate/test_tools.py)."""
    Guarded(claude, environment, "--allow")
    model = claude.script([call(f"{TOOL}run_anything", command="touch here"), say("done")])
    claude.run("go", **PATIENT)
    assert model.turns[1].failed == {"toolu_1_0"}


def test_the_client_asks_for_the_token_itself_and_what_it_opens_is_nobodys_gate(
    any_claude: Stage, environment: dict[str, str], tmp_path: Path
) -> None:
    """By the entry that `perdure serve` prints. The client that calls over HTTP is anybody to the server."""
    guarded = Guarded(any_claude, environment, "--allow")
    config = tmp_path / "servers.json"
    with serving(guarded.cli) as served:
        server = {"type": "http", "url": served.url, "headersHelper": "perdure serve --headers"}
        config.write_text(json.dumps({"mcpServers": {"perdure": server}}))
        model = any_claude.script([call(f"{TOOL}preflight", **SURE), call("Bash", command="touch within"), say("done")])
        only = ("--strict-mcp-config", "--mcp-config", str(config))
        any_claude.run("go", *only, *ALLOWED, f"{TOOL}preflight", **PATIENT)
    opened = json.loads(model.turns[1].results["toolu_1_0"])["transaction_id"]
    (event,) = guarded.events("transaction.opened")
    assert (event["transaction_id"], event["actor"]) == (opened, "mcp-claude-code")
    assert not guarded.made("within")


def test_the_plugin_brings_the_server(any_claude: Stage, environment: dict[str, str], tmp_path: Path) -> None:
    cli = Cli(any_claude.project, environment)
    cli.ok("init", "--no-client")
    cli.ok("init", "--plugin", str(tmp_path / "made"))
    tool = "mcp__plugin_perdure_perdure__thought_record"
    model = any_claude.script([call(tool, **THOUGHT), say("done")])
    allowed = ("--allowedTools", "mcp__plugin_perdure_perdure")
    any_claude.run("go", "--plugin-dir", str(tmp_path / "made"), *allowed, **PATIENT)
    assert json.loads(model.turns[1].results["toolu_1_0"])["content"] == "measure first"


def test_the_client_keeps_the_server_in_its_own_file_and_uninstall_takes_out_that_alone(
    claude: Stage, environment: dict[str, str]
) -> None:
    """The client writes ~/.claude.json anew whenever it runs."""
    guarded = Guarded(claude, environment)
    claude.script([say("done")])
    claude.run()
    path = claude.home / ".claude.json"
    before = json.loads(path.read_text())
    assert len(before) > 2, "the client has put its own into it"
    guarded.cli.ok("uninstall")
    after = json.loads(path.read_text())
    assert before["projects"][str(claude.project)].pop("mcpServers").keys() == {"perdure"}
    assert after == {name: content for name, content in before.items() if name != "projects"}
