"""However many sessions and handoffs of other panes there are since, one's own are found again (SPEC 1, 3.4, 13.1)."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import count
from typing import Any

import pytest

from perdure.ledger.sqlite import SqliteLedger
from perdure.model import payload as p
from perdure.model.event import Draft
from perdure.model.value import replace
from tests.conftest import Cli
from tests.contract.making import draft
from tests.faults.helpers import assert_whole, events_of
from tests.surfaces.test_hooks import Hooks

FIRST, SECOND = "0a4f0f5e-1f0b-4b57-8a5c-8a3de0b6b101", "0a4f0f5e-1f0b-4b57-8a5c-8a3de0b6b102"
GOAL = "convert the prices to euros"
_numbers = count(1)


def another() -> str:
    return f"55555555-5555-4555-8555-{next(_numbers):012}"


def recorded_by_others(cli: Cli, drafts: list[Draft]) -> None:
    """As other panes recorded it, one after the other."""
    first = events_of(cli.cwd)[0]
    with closing(SqliteLedger(str(cli.cwd / ".perdure" / "ledger.db"))) as ledger:
        ledger.append([replace(each, project_id=first.project_id) for each in drafts])


def other_sessions(number: int) -> list[Draft]:
    found = []
    for _ in range(number):
        of = {"session_id": another(), "instance_id": another()}
        found.append(draft("session.started", p.SessionStarted("startup", "/p"), **of))
        found.append(draft("session.ended", p.SessionEnded("exit"), **of))
    return found


def handoff_again(cli: Cli, **fields: Any) -> Draft:
    """A handoff such as the last one, of another session."""
    last = [event for event in events_of(cli.cwd) if event.kind == "handoff.written"][-1]
    assert last.payload
    return draft("handoff.written", dict(last.payload), ts=last.ts, **fields)


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    return Hooks(cli)


@pytest.fixture
def ended(hooks: Hooks) -> Hooks:
    """A client's session with a goal and a demand, which ended."""
    hooks("SessionStart", session=FIRST, source="startup")
    hooks("UserPromptSubmit", session=FIRST, prompt=GOAL)
    hooks.cli.ok("handoff", "write", "--next", "ask Ermengarde about VAT")
    hooks("SessionEnd", session=FIRST, reason="other")
    return hooks


def test_a_session_that_is_resumed_after_many_others_has_its_goal(ended: Hooks) -> None:
    recorded_by_others(ended.cli, other_sessions(260))
    assert f"Goal: {GOAL}" in ended.told("SessionStart", session=FIRST, source="resume")


def test_a_session_of_this_place_is_continued_after_many_others(cli: Cli) -> None:
    cli.environment["PERDURE_INSTANCE"] = "pane"
    first = cli.ok("session", "start")["session_id"]
    cli.ok("session", "end")
    recorded_by_others(cli, other_sessions(60))
    assert cli.ok("session", "start")["parent_id"] == first


def test_a_handoff_is_shown_however_many_turns_of_others_ended_since(ended: Hooks) -> None:
    cli = ended.cli
    session = cli.ok("session", "list")[0]["session_id"]
    others = {"session_id": another(), "instance_id": another()}
    recorded_by_others(cli, other_sessions(1) + [handoff_again(cli, **others) for _ in range(260)])
    assert "ask Ermengarde about VAT" in str(cli.ok("handoff", "show", session))
    assert session in [each["session_id"] for each in cli.ok("handoff", "list")]


def test_what_was_demanded_is_offered_however_many_turns_of_others_ended_since(ended: Hooks) -> None:
    others = {"session_id": another(), "instance_id": another()}
    recorded_by_others(ended.cli, [handoff_again(ended.cli, **others) for _ in range(260)])
    assert "ask Ermengarde about VAT" in ended.told("SessionStart", session=FIRST, source="resume")


def test_files_of_handoffs_are_of_this_record_however_many_turns_ended_since(ended: Hooks) -> None:
    cli = ended.cli
    session = cli.ok("session", "list")[0]["session_id"]
    others = {"session_id": another(), "instance_id": another()}
    recorded_by_others(cli, [handoff_again(cli, **others) for _ in range(1100)])
    cli("heal")  # writes the file of the newest one
    assert (cli.cwd / ".perdure" / "handoffs" / f"{session}.json").exists()
    assert_whole(cli)
    assert cli("audit", "verify").code == 0


def by_others(number: int, kind: str, payload: Any) -> list[Draft]:
    return [draft(kind, payload, session_id=another(), instance_id=another()) for _ in range(number)]


def test_the_next_handoff_has_ones_own_work_however_much_others_did_since(ended: Hooks) -> None:
    cli = ended.cli
    ended("SessionStart", session=FIRST, source="resume")
    file = {"file_path": str(cli.cwd / "cart.py")}
    ended("PostToolUse", session=FIRST, tool_name="Edit", tool_input=file, tool_response={})
    cli.ok("finding", "the cart rounds twice")
    cli.ok("decide", "round once", "--because", "of cents")
    recorded_by_others(cli, by_others(260, "note.finding", p.Note("something")))
    recorded_by_others(cli, by_others(260, "decision.made", p.DecisionMade("something")))
    recorded_by_others(cli, by_others(360, "edit.made", p.EditMade("other.py")))
    recorded_by_others(cli, by_others(260, "handoff.demanded", p.HandoffDemanded(next_steps=("theirs",))))
    ended("SessionEnd", session=FIRST, reason="other")
    written = json.loads(newest_handoff(cli))
    assert written["key_findings"] == ["the cart rounds twice"]
    assert [each["decision"] for each in written["decisions"]] == ["round once"]
    assert written["files"] == ["cart.py"]
    assert written["next_steps"] == ["ask Ermengarde about VAT"]


def newest_handoff(cli: Cli) -> str:
    files = (cli.cwd / ".perdure" / "handoffs").glob("*.json")
    return max(files, key=lambda file: file.stat().st_mtime_ns).read_text(encoding="utf-8")


def test_what_is_not_written_down_is_told_however_much_others_did_since(hooks: Hooks) -> None:
    hooks("SessionStart", session=FIRST, source="startup")
    hooks("UserPromptSubmit", session=FIRST, prompt=GOAL)
    file = {"file_path": str(hooks.cli.cwd / "cart.py")}
    hooks("PostToolUse", session=FIRST, tool_name="Edit", tool_input=file, tool_response={})
    recorded_by_others(hooks.cli, by_others(60, "edit.made", p.EditMade("other.py")))
    assert "files were changed since" in hooks("Stop", session=FIRST).json["systemMessage"]
    recorded_by_others(hooks.cli, by_others(60, "closing.told", p.ClosingTold(("something",))))
    assert "files were changed since" in hooks.told("UserPromptSubmit", session=FIRST, prompt="go on")


MANY = 5000
RULE = "never change the tax table of Norway"
OWN_NOTES = {
    "note.constraint": "prices are whole cents",
    "note.reasoning": "stopped at the discount",
    "note.next": "round the discount",
    "note.failed": "floats were wrong",
}


def by_another_pane(cli: Cli, kind: str, payload: Any, number: int = MANY) -> None:
    of = {"session_id": another(), "instance_id": another()}
    recorded_by_others(cli, [draft(kind, payload, **of)] * number)


@pytest.fixture
def at_work(hooks: Hooks) -> Hooks:
    """A client's session that was told a rule, read a file, changed another, noted things and decided one."""
    cli = hooks.cli
    hooks("SessionStart", session=FIRST, source="startup")
    hooks("UserPromptSubmit", session=FIRST, prompt=RULE)
    for tool, name in (("Read", "norway.py"), ("Edit", "cart.py")):
        (cli.cwd / name).write_text("x = 1\n", encoding="utf-8")
        file = {"file_path": str(cli.cwd / name)}
        hooks("PostToolUse", session=FIRST, tool_name=tool, tool_input=file, tool_response={})
    for kind, text in OWN_NOTES.items():
        cli.ok("note", kind.removeprefix("note."), text)
    cli.ok("decide", "round once", "--because", "of cents")
    return hooks


@pytest.mark.parametrize(
    ("kind", "payload", "own"),
    [
        *((kind, p.Note("theirs"), text) for kind, text in OWN_NOTES.items()),
        ("decision.made", p.DecisionMade("theirs"), "round once"),
        ("command.run", p.CommandRun("ls", "succeeded"), "norway.py"),
        ("prompt.given", p.PromptGiven("go on"), RULE),
    ],
)
def test_a_brief_has_ones_own_however_much_another_pane_recorded_since(
    at_work: Hooks, kind: str, payload: Any, own: str
) -> None:
    by_another_pane(at_work.cli, kind, payload)
    assert own in at_work.told("SessionStart", session=FIRST, source="compact")


def test_the_state_has_ones_own_files_however_many_another_pane_read_since(at_work: Hooks) -> None:
    by_another_pane(at_work.cli, "file.read", p.FileRead("other.py"))
    assert at_work.cli.ok("state", "show")["fields"]["files_read"] == ["norway.py"]


def test_a_handoff_has_ones_own_however_much_another_pane_did_since(at_work: Hooks) -> None:
    at_work.cli.ok("finding", "the cart rounds twice")
    for kind, payload in (
        ("note.finding", p.Note("theirs")),
        ("decision.made", p.DecisionMade("theirs")),
        ("edit.made", p.EditMade("other.py")),
    ):
        by_another_pane(at_work.cli, kind, payload)
    at_work("SessionEnd", session=FIRST, reason="other")
    written = json.loads(newest_handoff(at_work.cli))
    found = written["key_findings"], [each["decision"] for each in written["decisions"]], written["files"]
    assert found == (["the cart rounds twice", "floats were wrong"], ["round once"], ["cart.py"])


def test_what_the_person_said_is_found_however_many_prompts_another_pane_had_since(at_work: Hooks) -> None:
    by_another_pane(at_work.cli, "prompt.given", p.PromptGiven("go on"), MANY + 100)
    session = at_work.cli.ok("session", "list")[0]["session_id"]
    claim = at_work.cli.ok("claim", "add", "Norway stays", "--user-said", RULE, "--session-id", session)
    assert claim["class"] == "verified"


def test_a_turn_that_changed_files_is_told_however_many_another_pane_changed_since(hooks: Hooks) -> None:
    hooks("SessionStart", session=FIRST, source="startup")
    hooks("UserPromptSubmit", session=FIRST, prompt=GOAL)
    file = {"file_path": str(hooks.cli.cwd / "cart.py")}
    hooks("PostToolUse", session=FIRST, tool_name="Edit", tool_input=file, tool_response={})
    by_another_pane(hooks.cli, "edit.made", p.EditMade("other.py"))
    assert "files were changed since" in hooks("Stop", session=FIRST).json["systemMessage"]


def test_a_scenario_is_known_however_many_another_pane_wrote_down_since(cli: Cli) -> None:
    cli.ok("note", "scenario", "an empty cart")
    by_another_pane(cli, "note.scenario", p.Note("theirs"))
    assert "No scenario" not in cli("run", "--scenario", "an empty cart", "--", "true").err


def test_claims_and_decisions_are_counted_however_many_another_pane_made_since(at_work: Hooks) -> None:
    by_another_pane(at_work.cli, "claim.made", p.ClaimMade("theirs", "assumption"))
    assert "1 claims and decisions have no evidence" in str(at_work("Stop", session=FIRST).json)


@pytest.fixture
def agent(cli: Cli) -> Cli:
    """An agent whose PREFLIGHT said `investigate`."""
    cli.environment["PERDURE_INSTANCE"] = "pane"
    assert not assessed(cli, "preflight", 0.3)
    return cli


def assessed(cli: Cli, command: str, know: float) -> bool:
    """Whether it opens the gate."""
    numbers = {"know": know, "uncertainty": round(1 - know, 2)}
    said = cli.ok(command, "-", input=json.dumps({"vectors": numbers, "reasoning": "because"}))
    return bool(said.get("decision", said.get("gate", {}).get("decision")) == "proceed")


def test_what_one_learned_counts_however_much_another_pane_looked_at_since(agent: Cli) -> None:
    agent.ok("finding", "the cart rounds twice")
    by_another_pane(agent, "file.read", p.FileRead("other.py"))
    assert assessed(agent, "check", 0.9)


def test_an_investigate_stands_however_often_another_pane_assessed_since(agent: Cli) -> None:
    opened = [event for event in events_of(agent.cwd) if event.kind == "transaction.opened"][-1]
    agent.ok(
        "postflight", "-", input=json.dumps({"vectors": {"know": 0.3, "uncertainty": 0.7}, "reasoning": "because"})
    )
    of = {"session_id": another(), "instance_id": another(), "transaction_id": another()}
    recorded_by_others(agent, [draft("transaction.checked", checked_as(opened), **of)] * MANY)
    assert not assessed(agent, "preflight", 0.9)


def checked_as(opened: Any) -> dict[str, Any]:
    return {key: opened.payload[key] for key in ("vectors", "reasoning", "correction")} | {"decision": "proceed"}
