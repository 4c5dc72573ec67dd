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
