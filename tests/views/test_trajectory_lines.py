"""The lines of the trajectory (SPEC 16.2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from perdure.model.event import GENESIS, Event
from perdure.model.ids import EventId, LedgerId, ProjectId, SessionId, TaskId
from perdure.model.moment import Stamp
from perdure.model.payload import KINDS, NOTE_KINDS
from perdure.views import trajectory_lines
from perdure.views.trajectory_lines import PHASES, file_of, line_of

if TYPE_CHECKING:
    from perdure.model.event import Payload
    from perdure.views.trajectory_lines import Ratios

ID = "3f2a91c4-7b1e-4c55-9d0a-1f6e2b8c4d70"
FORK: Payload = {
    "about": "decision",
    "field": "tokens",
    "sides": [{"side": "ledger", "value": "rotating"}, {"side": "the context", "value": "stateless"}],
}


def event(kind: str, payload: Payload | None, *, actor: str | None = "claude-code", ts: str = "") -> Event:
    return Event(
        ledger_id=LedgerId(ID),
        seq=1,
        clock=1,
        id=EventId(ID),
        kind=kind,
        ts=Stamp(ts or "2026-01-15T23:59:59.999Z"),
        project_id=ProjectId(ID),
        session_id=SessionId("sess-1"),
        transaction_id=None,
        instance_id=None,
        task_id=TaskId("bd-1"),
        actor=actor,
        schema=1,
        payload=payload,
        payload_hash=GENESIS,
        prev_hash=GENESIS,
        hash=GENESIS,
    )


def line(of: Event, ratios: Ratios | None = None) -> dict[str, Any]:
    text = line_of(of, {} if ratios is None else ratios)
    assert text is not None
    assert text.endswith("\n")
    assert text.count("\n") == 1
    found: dict[str, Any] = json.loads(text)
    return found


def test_each_phase_of_seed_002_has_its_fields() -> None:
    synced = line(
        event(
            "delta.synced",
            {"tokens": 5000, "decisions_persisted": 3, "bead_updated": True, "notes_updated": True},
        )
    )
    assert synced["phase"] == "delta_sync"
    assert synced["timestamp"] == synced["ts"]
    assert (synced["tokens"], synced["decisions_persisted"]) == (5000, 3)
    assert (synced["bead_updated"], synced["notes_updated"]) == (True, True)
    fork = line(event("fork.detected", FORK))
    assert (fork["phase"], fork["bead_id"], fork["resolution"]) == ("fork_detected", "bd-1", "bead_wins")
    assert (fork["context_decision"], fork["bead_decision"]) == ("stateless", "rotating")
    handoff = line(event("session.ended", {"reason": "exit"}), {"sess-1": (19, 20)})
    assert (handoff["phase"], handoff["session_id"], handoff["ended"]) == (
        "session_handoff",
        "sess-1",
        "2026-01-15T23:59:59.999Z",
    )
    assert handoff["notes_ref"].startswith("NOTES.md")
    assert handoff["trajectory_ref"] == "trajectory/claude-code-2026-01-15.jsonl:3f2a91c4"
    assert handoff["grounding_ratio"] == 0.95


def test_the_ratio_of_a_handoff_is_that_of_the_last_checkpoint_of_its_session() -> None:
    ratios: Ratios = {}
    line(event("checkpoint.passed", {"form": "full", "grounded": 1, "total": 4}), ratios)
    line(event("checkpoint.passed", {"form": "full", "grounded": 3, "total": 4}), ratios)
    assert line(event("session.ended", {"reason": "exit"}), ratios)["grounding_ratio"] == 0.75
    assert line(event("session.ended", {"reason": "exit"}), ratios)["grounding_ratio"] is None


def test_an_erased_event_keeps_its_line_without_its_words() -> None:
    for kind in PHASES:
        erased = line(event(kind, None))
        assert erased["erased"] is True
        assert set(erased) <= {"ts", "agent", "phase", "event_id", "session_id", "bead_id", "erased"}


def test_prompts_have_no_line() -> None:
    assert line_of(event("prompt.given", {"text": "my own words"}), {}) is None
    assert line_of(event("goal.prompted", {"title": "my own words"}), {}) is None


def test_every_kind_of_note_has_a_phase() -> None:
    assert {f"note.{kind}" for kind in NOTE_KINDS} <= set(PHASES)


def test_every_field_of_a_line_is_a_field_of_its_event() -> None:
    for kind, (_, names) in PHASES.items():
        if kind in KINDS:
            assert set(names) - {"fork_id"} <= set(KINDS[kind][0].__annotations__), kind


@pytest.mark.parametrize(
    ("actor", "name"),
    [
        ("claude-code", "claude-code-2026-01-15.jsonl"),
        ("claude-code/agent-7", "claude-code-2026-01-15.jsonl"),
        ("user", "user-2026-01-15.jsonl"),
        (None, "perdure-2026-01-15.jsonl"),
        ("../../etc/passwd", "other-2026-01-15.jsonl"),
        ("a b\n", "other-2026-01-15.jsonl"),
        ("x" * 200, "other-2026-01-15.jsonl"),
    ],
)
def test_the_name_of_a_file_is_the_agent_and_the_day(actor: str | None, name: str) -> None:
    assert file_of(event("note.finding", {}, actor=actor)) == name


@pytest.mark.parametrize("ts", ["../../..xx", "2026-1-1", "٢٠٢٦-٠١-١٥T"])
def test_a_time_that_is_none_reaches_no_path(ts: str) -> None:
    assert file_of(event("note.finding", {}, ts=ts)) == "claude-code-0000-00-00.jsonl"


def test_sides_that_are_not_objects_are_left_out() -> None:
    for sides in (None, "x", [1, "y"]):
        found = line(event("fork.detected", {**FORK, "sides": sides}))
        assert (found["context_decision"], found["bead_decision"], found["sides"]) == (None, None, [])


def test_lines_have_one_form() -> None:
    """Change `FORMAT` when this fails: files in the old form are then written anew."""
    digest = (trajectory_lines.FORMAT, line_of(event("note.finding", {"text": "x"}), {}))
    assert digest == (
        1,
        '{"ts":"2026-01-15T23:59:59.999Z","agent":"claude-code","phase":"note_finding",'
        f'"event_id":"{ID}","session_id":"sess-1","bead_id":"bd-1","text":"x"}}\n',
    )
