"""The tools: what they say of themselves, that they are the command line's own actions, and that whatever they are
given the answer is theirs, nothing is written that should not be, and the server lives (SPEC 15.1)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from perdure.gate.tools import OWN_MCP
from perdure.surfaces.cli import COMMANDS
from tests.conftest import Cli, ignoring

from .wire import HELLO, MODERN, PATIENCE, Wire, envelope

SURE = {"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read it"}
DOCS = Path(__file__).parents[3] / "docs"
NOBODY = "00000000-0000-4000-8000-00000000dead"
LOOKING = {
    "session_status",
    "recover",
    "transaction_status",
    "task_list",
    "task_get",
    "task_next_actions",
    "audit_verify_chain",
    "merkle_root",
}
ENDING = {"postflight", "merkle_finalize"}
GOOD: dict[str, dict[str, Any]] = {
    "session_status": {},
    "recover": {"level": "1"},
    "preflight": {**SURE, "goal": "ship it"},
    "check": SURE,
    "decide": {"decision": "use WAL", "rationale": "readers never wait", "evidence": [{"said": "Ana"}]},
    "claim": {"claim": "nobody calls it", "grounding": "assumption"},
    "claim_absent": {"feature": "retries", "queries": ["retry", "exponential backoff"]},
    "checkpoint": {"form": "full", "dry_run": True},
    "handoff": {"task_summary": "cents", "next_steps": ["the tax"]},
    "note": {"kind": "next", "text": "write the test"},
    "pointer": {"name": "serena", "value": "shop", "command": "serena activate shop"},
    "task_create": {"title": "make it faster", "labels": ["speed"]},
    "task_list": {"include_closed": True},
    "task_next_actions": {},
    "audit_session_start": {"intent": "think it through", "session_id": "span-1"},
    "thought_record": {
        "type": "plan",
        "task_id": "task-1",
        "agent_id": "wire",
        "content": "measure first",
        "session_id": "span-1",
    },
    "audit_verify_chain": {},
    "merkle_finalize": {"session_id": "span-1"},
    "merkle_root": {"session_id": "span-1"},
    "transaction_status": {},
    "postflight": SURE,
}
"""Each once, in an order in which each goes well; the two that need a task's id are called beside."""


def written(cli: Cli) -> int:
    return len(cli("export").out.splitlines())


def of_type(schema: dict[str, Any]) -> set[str]:
    types = schema.get("type", [])
    return {types} if isinstance(types, str) else set(types)


def field_cases(tools: dict[str, dict[str, Any]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Tool, field, its schema."""
    for name, tool in tools.items():
        for field, schema in tool["inputSchema"]["properties"].items():
            yield name, field, schema


def good(tool: str) -> dict[str, Any]:
    return dict(GOOD.get(tool, {"task_id": NOBODY, "status": "open"} if tool == "task_update" else {"task_id": NOBODY}))


# -- what they say of themselves -------------------------------------------------------------------------------------


def test_every_tool_says_what_it_takes_gives_and_does(wire: Wire) -> None:
    tools = wire.tools()
    assert set(tools) == {*GOOD, "task_get", "task_update"}
    for name, tool in tools.items():
        assert tool["title"], name
        assert tool["description"], name
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
        assert tool["inputSchema"]["additionalProperties"] is False
        assert tool["annotations"] == {
            "readOnlyHint": name in LOOKING,
            "idempotentHint": name in LOOKING,
            "destructiveHint": name in ENDING,
            "openWorldHint": False,
        }


def test_the_gate_lets_each_of_them_pass_and_none_is_listed_that_does_not_work(wire: Wire) -> None:
    assert set(wire.tools()) == OWN_MCP


def test_each_answers_as_it_says_and_the_text_is_the_same(cli: Cli, wire: Wire) -> None:
    tools = wire.tools()
    calls = list(GOOD.items())
    for name, arguments in calls:
        check(tools[name], wire.call(name, **arguments))
    task = wire.ok("task_create", title="the second")["id"]
    check(tools["task_update"], wire.call("task_update", task_id=task, status="in_progress", priority=0))
    check(tools["task_get"], wire.call("task_get", task_id=task))
    assert wire.ok("task_next_actions")["active"]["id"] == task
    check(tools["task_get"], wire.call("task_get", task_id=NOBODY), is_error=True)


def check(tool: dict[str, Any], result: dict[str, Any], is_error: bool = False) -> None:
    assert result.get("isError", False) is is_error, (tool["name"], result)
    Draft202012Validator(tool["outputSchema"]).validate(result["structuredContent"])
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    lean = {k: v for k, v in result["structuredContent"].items() if k in tool["outputSchema"]["anyOf"][0]["required"]}
    assert is_error or set(lean) == set(tool["outputSchema"]["anyOf"][0]["required"])


def test_the_output_schema_can_fail(wire: Wire) -> None:
    schema = wire.tools()["note"]["outputSchema"]
    assert not Draft202012Validator(schema).is_valid({"note_id": "x"})


# -- the same actions ------------------------------------------------------------------------------------------------


def test_what_a_tool_writes_the_command_line_reads(cli: Cli, wire: Wire) -> None:
    opened = wire.ok("preflight", **SURE)
    noted = wire.ok("note", kind="question", text="may we drop 3.10?")
    decided = wire.ok("decide", decision="use WAL", key="journal", value="wal")
    assert noted["transaction_id"] == decided["transaction_id"] == opened["transaction_id"]
    (note,) = cli.ok("note", "list")
    assert note == noted
    (decision,) = cli.ok("decide", "--list")
    assert {**decision, "fork": None, "warnings": []} == decided
    closed = cli.ok("postflight", "-", "--transaction-id", opened["transaction_id"], input=json.dumps(SURE))
    assert closed["status"] == "closed"
    assert wire.ok("transaction_status")["status"] == "closed"


def test_a_decision_that_contradicts_another_is_answered_with_the_fork(wire: Wire) -> None:
    first = wire.ok("decide", decision="use WAL", key="journal", value="wal")
    second = wire.ok("decide", decision="use delete", key="journal", value="delete")
    assert (first["fork"], [side["value"] for side in second["fork"]["sides"]]) == (None, ["wal", "delete"])
    assert "resyncing from ledger" in second["warnings"][0]


def test_a_claim_is_checked_against_the_file_by_whoever_makes_it(cli: Cli, wire: Wire) -> None:
    (cli.cwd / "cart.py").write_text("def add(a, b):\n    return a + b\n")
    place = {"path": "${PROJECT_ROOT}/cart.py", "line": 2}
    made = wire.ok("claim", claim="it adds", quote="return a + b", **place)
    assert (made["class"], made["symbol"]) == ("verified", "add")
    assert wire.ok("claim", claim="it is one", path=place["path"], symbol="add")["grounding"] == "code_reference"
    refused = wire.call("claim", claim="it subtracts", quote="return a minus b", **place)
    assert refused["isError"]
    assert refused["structuredContent"]["error"]["code"] == "fabricated_claim"
    assert {each["class"] for each in cli.ok("claim", "list")} == {"verified", "fabricated"}
    decided = wire.ok("decide", decision="d", evidence=[{**place, "quote": "return a minus b"}])
    assert (decided["grounded"], len(decided["warnings"])) == (False, 1)
    assert wire.ok("claim_absent", feature="x", queries=["retry", "backoff"])["class"] == "confirmed_ghost"


def test_seed_003_is_one_chain_whoever_speaks(cli: Cli, wire: Wire) -> None:
    first = wire.ok("thought_record", type="plan", task_id="task-1", agent_id="a", content="one", session_id="s")
    assert set(first) == {
        *("id", "type", "task_id", "agent_id", "content", "timestamp", "prev_hash", "hash", "session_id"),
    }
    second = cli.ok("audit", "think", "--task", "task-1", "--type", "analysis", "--agent", "b", "--content", "two")
    assert (first["prev_hash"], second["prev_hash"]) == ("0" * 64, first["hash"])
    sealed = wire.ok("merkle_finalize", session_id="s")
    assert sealed == wire.ok("merkle_root", session_id="s") == cli.ok("audit", "root", "s")
    again = wire.error("merkle_finalize", session_id="s")
    assert (again["code"], again["details"]["root"]) == ("ERR_ALREADY_FINALIZED", sealed["root"])
    late = wire.error("thought_record", type="plan", task_id="t", agent_id="a", content="x", session_id="s")
    assert late["code"] == "ERR_SESSION_FINALIZED"
    report = wire.ok("audit_verify_chain", task_id="task-1")
    assert (report["valid"], report["record_count"]) == (True, 2)


def test_the_rule_of_writeback_holds_here_too(wire: Wire) -> None:
    task = wire.ok("task_create", title="done soon")["id"]
    assert wire.error("task_update", task_id=task, status="closed")["code"] == "writeback_required"
    wire.ok("thought_record", type="reflection", task_id=task, agent_id="a", content="it is done")
    assert wire.ok("task_update", task_id=task, status="closed", because="seen")["status"] == "closed"


def test_a_second_preflight_is_refused_with_the_first_ones_id(wire: Wire) -> None:
    opened = wire.ok("preflight", **SURE)
    refused = wire.error("preflight", **SURE)
    assert (refused["code"], refused["details"]["transaction_id"]) == ("transaction_open", opened["transaction_id"])
    assert "postflight" in refused["details"]["hint"]


def test_check_that_says_investigate_is_an_answer_and_no_error(wire: Wire) -> None:
    wire.ok("preflight", vectors={"know": 0.3, "uncertainty": 0.9}, reasoning="nothing read yet")
    assert wire.ok("check", **SURE)["decision"] == "investigate"


def test_reasoning_may_be_left_out_here_as_on_the_command_line(cli: Cli, wire: Wire) -> None:
    """One rule for both: the vectors are required, the words behind them are not."""
    vectors = {"know": 0.8, "uncertainty": 0.2}
    for tool in ("preflight", "check", "postflight"):
        assert wire.ok(tool, vectors=vectors)["transaction_id"]
        assert cli(tool, "-", input=json.dumps({"vectors": vectors}), PERDURE_INSTANCE="pane").code == 0
        assert wire.error(tool, vectors=vectors, reasoning=7)["code"] == "bad_field"
        refused = cli(tool, "-", input=json.dumps({"vectors": vectors, "reasoning": 7}), PERDURE_INSTANCE="pane")
        assert refused.code == 2


def test_a_credential_is_masked_before_it_is_stored(cli: Cli, wire: Wire) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert secret not in json.dumps(wire.ok("note", kind="finding", text=f"the token is {secret}"))
    assert secret not in cli("export").out


# -- who and where ---------------------------------------------------------------------------------------------------


TOKEN_ENDING = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
ACTORS = {
    "a wire": "mcp-a-wire",
    "user": "mcp-user",
    "claude-code": "mcp-claude-code",
    "../\n\0é": "mcp",
    f"ghp_{TOKEN_ENDING}": "mcp",
    f"npm_{TOKEN_ENDING}": "mcp",
    f"my client with ghp_{TOKEN_ENDING}": "mcp",
}


def actors_of_findings(cli: Cli) -> list[str]:
    events = [json.loads(line) for line in cli("export").out.splitlines()]
    return [event["actor"] for event in events if event["kind"] == "note.finding"]


@pytest.mark.parametrize("name", ["claude-code", f"my client with ghp_{TOKEN_ENDING}"])
def test_who_speaks_the_protocol_is_an_agent_whatever_it_calls_itself(cli: Cli, name: str) -> None:
    with Wire(cli, hello={**HELLO, "clientInfo": {"name": name, "version": "1"}}) as wire:
        wire.ok("note", kind="finding", text="mine")
    assert actors_of_findings(cli) == [ACTORS[name]]


def test_who_speaks_the_newest_revision_is_an_agent_whatever_each_request_calls_it(cli: Cli) -> None:
    with Wire(cli, hello=None) as wire:
        for name in ACTORS:
            asked = {"name": "note", "arguments": {"kind": "finding", "text": "mine"}, "_meta": envelope(name)}
            assert not wire.ask("tools/call", asked)["result"]["isError"]
    assert actors_of_findings(cli) == list(ACTORS.values())


def test_a_place_that_was_named_and_is_none_is_said_at_the_start(cli: Cli) -> None:
    for words in (
        ("mcp", "--project-path", "/nowhere/at/all"),
        ("mcp", "--instance", "../x"),
        ("mcp", "--instance", ""),
    ):
        done = cli(*words)
        assert (done.code, done.out) == (2, ""), words
        assert done.err.startswith("perdure: "), done.err


def test_outside_a_project_the_tools_say_so(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with Wire(Cli(tmp_path / "plain", cli.environment)) as wire:
        assert wire.error("session_status")["code"] == "no_project"
        assert wire.error("note", kind="finding", text="x")["code"] == "no_project"
    with Wire(Cli(tmp_path / "plain", cli.environment), "--project-path", str(cli.cwd)) as wire:
        assert wire.ok("session_status")["project_path"] == str(cli.cwd)


def test_no_tool_reaches_another_path_but_by_the_argument_that_the_command_line_has_too(wire: Wire) -> None:
    reaching = {name for name, tool in wire.tools().items() if "project_path" in tool["inputSchema"]["properties"]}
    assert reaching == {"postflight", "transaction_status"}
    assert wire.error("note", kind="finding", text="x", project_path="/tmp")["code"] == "bad_field"
    assert wire.error("transaction_status", project_path="/nowhere/at/all")["code"] == "bad_path"


def test_sessions_and_transactions_of_the_place_are_found_as_by_a_command(cli: Cli) -> None:
    opened = cli.ok("preflight", "-", input=json.dumps(SURE), PERDURE_INSTANCE="ci-1")
    with Wire(cli, "--instance", "ci-1") as wire:
        assert wire.ok("transaction_status")["transaction_id"] == opened["transaction_id"]
        assert wire.ok("note", kind="finding", text="x")["transaction_id"] == opened["transaction_id"]
    with Wire(cli, "--instance", "ci-2") as wire:
        assert wire.ok("transaction_status")["transaction_id"] is None


# -- what is not as it should be -------------------------------------------------------------------------------------


def alive(wire: Wire, cli: Cli, before: int) -> None:
    assert wire.ok("session_status")["project_path"] == str(cli.cwd)
    assert written(cli) == before, "nothing was written"


def test_a_wrong_type_in_any_field_of_any_tool_is_named(cli: Cli, wire: Wire) -> None:
    before, count = written(cli), 0
    wrong: dict[str, Any] = {"string": 5, "number": "five", "integer": "5", "boolean": "yes", "array": "a", "object": 1}
    for name, field, schema in field_cases(wire.tools()):
        kind = next(iter(of_type(schema) - {"null"} or {"object"}))
        error = wire.error(name, **{**good(name), field: wrong[kind]})
        assert error["code"] == "bad_field", (name, field, error)
        assert str(error["details"]["field"]).partition(".")[0] == field
        count += 1
    assert count > 60
    alive(wire, cli, before)


def test_a_missing_field_of_any_tool_is_named(cli: Cli, wire: Wire) -> None:
    before, count = written(cli), 0
    for name, tool in wire.tools().items():
        for field in tool["inputSchema"]["required"]:
            given = good(name)
            del given[field]
            error = wire.error(name, **given)
            assert (error["code"], error["details"]["field"]) == ("bad_field", field)
            count += 1
        assert wire.error(name, **good(name), mistyped=1)["details"]["field"] == "mistyped"
    assert count > 15
    alive(wire, cli, before)


def test_an_unknown_id_is_a_plain_answer(cli: Cli, wire: Wire) -> None:
    before = written(cli)
    asked = {
        "no_such_task": [("task_get", {"task_id": NOBODY}), ("task_update", {"task_id": NOBODY, "status": "open"})],
        "no_such_session": [("transaction_status", {"session_id": NOBODY})],
        "no_such_transaction": [("postflight", {**SURE, "transaction_id": NOBODY})],
        "no_such_decision": [("decide", {"decision": "x", "supersedes": NOBODY})],
        "ERR_SESSION_NOT_FOUND": [
            ("merkle_root", {"session_id": "nobody's"}),
            ("merkle_finalize", {"session_id": "x"}),
        ],
        "no_open_transaction": [("postflight", SURE), ("check", SURE)],
    }
    for code, calls in asked.items():
        for name, arguments in calls:
            assert wire.error(name, **arguments)["code"] == code, (name, arguments)
    for identifier in ("", "x", "../../etc/passwd", "\0", "%", "é" * 40):
        assert wire.call("task_get", task_id=identifier)["isError"]
        assert wire.call("postflight", **SURE, transaction_id=identifier)["isError"]
    alive(wire, cli, before)


def test_ten_megabytes_in_any_text_are_refused(cli: Cli, wire: Wire) -> None:
    """Ten in the first one, two in the others: more than any may have."""
    before, count = written(cli), 0
    for name, tool in wire.tools().items():
        texts = [f for f, schema in tool["inputSchema"]["properties"].items() if "string" in of_type(schema)]
        for field in texts[:2]:
            error = wire.error(name, **{**good(name), field: "x" * (2_000_000 if count else 10_000_000)})
            assert error["code"] == "bad_input", (name, field)
            assert len(json.dumps(error)) < 1000
            count += 1
    assert count > 20
    alive(wire, cli, before)


def test_numbers_that_are_none_and_nests_that_do_not_end_are_refused(cli: Cli, wire: Wire) -> None:
    before = written(cli)
    for raw in (b"NaN", b"1e999", b"-Infinity"):
        line = b'{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"preflight","arguments":'
        wire.write(line + b'{"reasoning":"x","vectors":{"know":' + raw + b',"uncertainty":0.1}}}}\n')
        told = wire.answer(900)
        assert "error" in told or told["result"]["isError"], told
    for depth in (100, 100_000):
        nest = b'{"a":' * depth + b"1" + b"}" * depth
        line = b'{"jsonrpc":"2.0","id":901,"method":"tools/call","params":{"name":"decide","arguments":'
        wire.write(line + b'{"decision":"x","evidence":[' + nest + b"]}}}\n")
        if depth == 100:
            assert wire.answer(901)["result"]["structuredContent"]["error"]["code"] == "bad_input"
    alive(wire, cli, before)


def test_an_unknown_tool_and_arguments_that_are_not_an_object_are_errors_of_the_protocol(cli: Cli, wire: Wire) -> None:
    before = written(cli)
    for params in ({"name": "no_such_tool", "arguments": {}}, {"name": "note", "arguments": [1]}, {"name": 5}, {}):
        assert wire.ask("tools/call", params)["error"]["code"] == -32602, params
    assert wire.ask("tools/nonsense")["error"]["code"] == -32601
    alive(wire, cli, before)


def test_what_is_not_a_message_harms_nothing(cli: Cli, wire: Wire) -> None:
    before = written(cli)
    for raw in (b"\n", b"hello\n", b"{\n", b"[]\n", b'{"jsonrpc":"2.0"}\n', b"\xff\xfe\n", b'"\\ud800"\n', b"null\n"):
        wire.write(raw)
    alive(wire, cli, before)


def test_a_failure_of_our_own_is_an_answer_too(cli: Cli, wire: Wire) -> None:
    (cli.cwd / ".perdure" / "ledger.db").write_bytes(b"not a database, " * 1000)
    error = wire.error("note", kind="finding", text="x")
    assert error["code"] == "ledger_damaged", error
    assert wire.tools()


# -- the streams -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("an_interpreter_of_its_own")
def test_a_client_that_closes_its_end_ends_the_server_and_nothing_else_was_said(cli: Cli) -> None:
    with Wire(cli) as wire:
        wire.ok("note", kind="finding", text="x")
        assert wire.close() == (0, "")


@pytest.mark.usefixtures("an_interpreter_of_its_own")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_and_what_was_written_stays(cli: Cli, number: signal.Signals) -> None:
    with Wire(cli) as wire:
        wire.ok("note", kind="finding", text="x")
        wire.process.send_signal(number)
        assert wire.process.wait(PATIENCE) == -number
    assert [note["text"] for note in cli.ok("note", "list")] == ["x"]


@pytest.mark.usefixtures("an_interpreter_of_its_own")
def test_started_with_interrupts_ignored_it_goes_on_ignoring_them(cli: Cli) -> None:
    with ignoring(signal.SIGINT), Wire(cli) as wire:
        wire.process.send_signal(signal.SIGINT)
        wire.ok("note", kind="finding", text="x")
        assert wire.close() == (0, "")


def test_a_client_that_never_says_anything_ends_it_too(cli: Cli) -> None:
    with Wire(cli, hello=None) as wire:
        assert wire.close() == (0, "")


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_older_revisions_are_spoken(cli: Cli, version: str) -> None:
    with Wire(cli, hello={**HELLO, "protocolVersion": version}) as wire:
        assert wire.hello["result"]["protocolVersion"] == version
        assert wire.hello["result"]["serverInfo"]["name"] == "perdure"
        assert wire.ok("note", kind="finding", text="x")["text"] == "x"


def test_the_newest_revision_needs_no_handshake(cli: Cli) -> None:
    with Wire(cli, hello=None) as wire:
        found = wire.ask("server/discover", {"_meta": envelope()})["result"]
        assert found["supportedVersions"] == [MODERN]
        asked = {"name": "note", "arguments": {"kind": "finding", "text": "x"}, "_meta": envelope("newest")}
        assert wire.ask("tools/call", asked)["result"]["structuredContent"]["text"] == "x"
        assert wire.ask("initialize", HELLO)["error"]["code"] == -32022
    assert '"mcp-newest"' in cli("export").out


# -- resources -------------------------------------------------------------------------------------------------------


def test_what_there_is_to_read_is_listed_and_read(cli: Cli, wire: Wire) -> None:
    listed = {each["uri"] for each in wire.ask("resources/list")["result"]["resources"]}
    assert listed == {"perdure://brief", "perdure://notes"}
    templates = {each["uriTemplate"] for each in wire.ask("resources/templates/list")["result"]["resourceTemplates"]}
    assert templates == {"perdure://task/{id}", "perdure://decision/{id}", "perdure://proof/{id}"}
    decision = wire.ok("decide", decision="use WAL", rationale="readers never wait")
    task = wire.ok("task_create", title="make it faster")
    assert "use WAL" in read(wire, "perdure://brief")
    assert "use WAL" in read(wire, "perdure://notes")
    assert json.loads(read(wire, f"perdure://decision/{decision['decision_id'][:8]}")) == {
        name: content for name, content in decision.items() if name not in ("fork", "warnings")
    }
    assert json.loads(read(wire, f"perdure://task/{task['id']}"))["title"] == "make it faster"
    proof = cli.cwd / "proof.json"
    proof.write_text(read(wire, f"perdure://proof/{decision['decision_id']}"))
    assert cli("audit", "verify-proof", str(proof)).code == 0
    proof.write_text(proof.read_text().replace("use WAL", "use DELETE"))
    assert cli("audit", "verify-proof", str(proof)).code == 1


def read(wire: Wire, uri: str) -> str:
    (content,) = wire.ask("resources/read", {"uri": uri})["result"]["contents"]
    assert content["uri"] == uri
    return str(content["text"])


def test_what_there_is_not_is_an_error_that_names_it(wire: Wire) -> None:
    none = ("nothing", "decision/", "decision/deadbeef", "decision/../brief", "task/{id}", "brief/", "proof/deadbeef")
    for uri in (*(f"perdure://{each}" for each in none), "file:///etc/passwd", ""):
        error = wire.ask("resources/read", {"uri": uri})["error"]
        assert error["code"] == -32602, uri
        assert error["data"]["uri"] == uri
        assert set(error["data"]["error"]) == {"code", "message", "details"}


# -- what it costs others --------------------------------------------------------------------------------------------


def test_no_other_command_loads_the_sdk() -> None:
    """Nor does a hook: importing takes most of a second."""
    modules = {module for module, _ in COMMANDS.values()}
    program = "import sys\n" + "".join(f"import perdure.surfaces.cli.{module}\n" for module in sorted(modules))
    program += "import perdure.surfaces.hooks, perdure.doctor.examine\n"
    program += "print(sorted({'mcp', 'mcp_types', 'pydantic', 'anyio', 'jsonschema', 'uvicorn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_document_lists_the_tools_and_resources_as_they_are() -> None:
    from perdure.surfaces.mcp.resources import RESOURCES, SCHEME
    from perdure.surfaces.mcp.tools import TOOLS

    rows = [line.split("|") for line in (DOCS / "mcp.md").read_text().splitlines() if line.startswith("| `")]
    cells = [[cell.strip().strip("`") for cell in row[1:-1]] for row in rows]
    assert {row[0]: row[1] for row in cells if len(row) == 3} == {name: tool.does for name, tool in TOOLS.items()}
    assert {row[0] for row in cells if row[0].startswith(SCHEME)} == {SCHEME + name for name in RESOURCES}
