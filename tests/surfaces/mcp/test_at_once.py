"""Two hundred calls at once from eight clients: nothing is lost, nothing is doubled, the chains are whole."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.conftest import Cli

from .wire import Served, Wire

CLIENTS, CALLS = 8, 25


def everything(client: int) -> list[tuple[str, dict[str, object]]]:
    """One client's calls: thoughts on one chain that all share, notes, tasks."""
    return [
        (
            ("thought_record", {"type": "plan", "task_id": "shared", "agent_id": f"a{client}", "content": words})
            if number % 2
            else ("note", {"kind": "finding", "text": words})
        )
        for number in range(CALLS)
        for words in (f"{client}.{number}",)
    ]


def check(cli: Cli, answered: list[dict[str, object]]) -> None:
    said = [f"{client}.{number}" for client in range(CLIENTS) for number in range(CALLS)]
    assert sorted(str(each.get("content") or each.get("text")) for each in answered) == sorted(said)
    events = [json.loads(line) for line in cli("export").out.splitlines()]
    kept = [event for event in events if event["kind"] in ("thought.recorded", "note.finding")]
    assert sorted(event["payload"].get("content") or event["payload"]["text"] for event in kept) == sorted(said)
    assert {event["id"] for event in kept} == {each.get("id") or each.get("note_id") for each in answered}
    report = cli.ok("audit", "verify-chain", "--task", "shared")
    assert (report["valid"], report["record_count"]) == (True, CLIENTS * (CALLS // 2))
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert cli("heal", "--check").code == 0


def test_eight_servers_each_with_a_client(cli: Cli) -> None:
    with ExitStack() as stack:
        wires = [stack.enter_context(Wire(cli, "--instance", f"pane-{n}")) for n in range(CLIENTS)]
        sent = [
            (wire, wire.send("tools/call", {"name": name, "arguments": arguments}))
            for wire, calls in zip(wires, map(everything, range(CLIENTS)), strict=True)
            for name, arguments in calls
        ]
        results = [wire.answer(number)["result"] for wire, number in sent]
        assert not [result for result in results if result.get("isError")]
        check(cli, [result["structuredContent"] for result in results])


def test_one_server_with_eight_clients(cli: Cli, served: Served) -> None:
    def client(number: int) -> list[dict[str, object]]:
        with ThreadPoolExecutor(CALLS) as calls:
            asked = [calls.submit(served.call, name, f"c{number}", **given) for name, given in everything(number)]
            return [each.result() for each in asked]

    with ThreadPoolExecutor(CLIENTS) as clients:
        results = [result for each in clients.map(client, range(CLIENTS)) for result in each]
    assert not [result for result in results if result.get("isError")]
    check(cli, [dict(result["structuredContent"]) for result in results])  # type: ignore[call-overload]
