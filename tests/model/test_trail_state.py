"""The fold of tasks and of the trail: what stays known when words are erased, and what another machine did unheard."""

from __future__ import annotations

from typing import Any

from perdure.model import payload as p
from perdure.model import state as s
from perdure.model.event import GENESIS

from .samples import ID, OTHER, event_of
from .test_state import State

HASH, NEXT = "ab" * 32, "cd" * 32


def thought(hash_: str = HASH) -> p.ThoughtRecorded:
    return p.ThoughtRecorded(type="plan", agent_id="cl", content="words", prev_hash=GENESIS, hash=hash_)


def made(state: State, task: str = "t", **fields: Any) -> None:
    state.take("task.created", p.TaskCreated("ship", **fields), task_id=task)


# -- the trail -------------------------------------------------------------------------------------------------------


def test_a_record_moves_its_tasks_end_and_its_sessions_count() -> None:
    state = State()
    state.take("thought.recorded", thought(), task_id="t", session_id="s")
    state.take("thought.recorded", thought(NEXT), task_id="t")
    assert state.body("trail", "t") == s.Trail(2, 0, ((OTHER, 2, NEXT),))
    assert state.body("audit_session", "s") == s.AuditSession(records=1)
    assert state.body("bound", s.nth(1, "s")) == s.NthRecord(OTHER, 1)


def test_an_erased_record_keeps_its_place_and_its_tombstone_gives_back_its_hash() -> None:
    state = State()
    state.take_event(event_of("thought.recorded", None, task_id="t", session_id="s", absent="redacted"))
    assert state.body("trail", "t").ends == ((OTHER, 1, None),)
    assert state.body("audit_session", "s").records == 1
    state.take(
        "payload.redacted",
        p.PayloadRedacted(ledger_id=OTHER, seq=1, event_id=ID, because="a name", prev_hash=GENESIS, hash=HASH),
        task_id="t",
    )
    assert state.body("trail", "t").ends == ((OTHER, 1, HASH),)


def test_a_tombstone_of_an_earlier_record_or_of_something_else_moves_no_end() -> None:
    state = State()
    state.take("thought.recorded", thought(), task_id="t")
    state.take("thought.recorded", thought(NEXT), task_id="t")
    for tombstone in (
        p.PayloadRedacted(ledger_id=OTHER, seq=1, event_id=ID, because="a name", prev_hash=GENESIS, hash=HASH),
        p.PayloadRedacted(ledger_id=OTHER, seq=2, event_id=ID, because="a name", prev_hash=GENESIS, hash=HASH),
        p.PayloadRedacted(ledger_id=OTHER, seq=2, event_id=ID, because="a name"),
        p.PayloadRedacted(ledger_id=OTHER, seq=2, event_id=ID, because="a name", prev_hash=GENESIS, hash="not a hash"),
    ):
        state.take("payload.redacted", tombstone, task_id="t")
        assert state.body("trail", "t").ends == ((OTHER, 2, NEXT),)


def test_each_chain_of_events_has_an_end_of_its_own_the_last_written_last() -> None:
    state = State()
    for ledger, hash_ in ((ID, HASH), (OTHER, NEXT), (ID, NEXT)):
        state.take("thought.recorded", thought(hash_), task_id="t", ledger_id=ledger)
    assert state.body("trail", "t").ends == ((OTHER, 2, NEXT), (ID, 3, NEXT))


def test_a_hash_that_is_none_is_not_kept() -> None:
    state = State()
    state.take("thought.recorded", thought("words in the place of a hash"), task_id="t")
    assert state.body("trail", "t").ends == ((OTHER, 1, None),)
    state.take("audit.finalized", p.AuditFinalized("words", 1, ()), session_id="s")
    assert state.read("audit_session", "s") is None


def test_a_session_is_started_once_and_sealed_once() -> None:
    state = State()
    state.take("audit.started", p.AuditStarted("one"), session_id="s")
    state.take("audit.started", p.AuditStarted("two"), session_id="s")
    state.take("audit.finalized", p.AuditFinalized(HASH, 0, ()), session_id="s")
    state.take("audit.finalized", p.AuditFinalized(NEXT, 0, ()), session_id="s")
    assert state.body("audit_session", "s") == s.AuditSession(
        started=(OTHER, 1), records=0, root=HASH, finalized=(OTHER, 3)
    )
    found = state.read("audit_session", "s")
    assert found is not None
    assert not found.live


def test_decisions_are_numbered_by_task() -> None:
    state = State()
    for task in ("t", None, "u", "t"):
        state.take("decision.made", p.DecisionMade("d"), task_id=task)
    assert (state.body("trail", "t").decisions, state.body("trail", "u").decisions) == (2, 1)
    assert state.body("decided", s.nth(2, "t")) == s.NthRecord(OTHER, 4)


# -- tasks -----------------------------------------------------------------------------------------------------------


def test_an_erased_creation_leaves_the_task() -> None:
    state = State()
    state.take_event(event_of("task.created", None, task_id="t", absent="redacted"))
    assert (state.body("task", "t").status, state.body("task", "t").priority) == ("open", s.PRIORITY)


def test_what_is_said_of_a_task_that_is_not_there_changes_nothing() -> None:
    state = State()
    for kind, payload in (
        ("task.updated", p.TaskUpdated(status="blocked")),
        ("task.closed", p.TaskClosed()),
        ("task.linked", p.TaskLinked("u")),
        ("task.unlinked", p.TaskUnlinked("u")),
    ):
        assert state.take(kind, payload, task_id="t") == []
        assert state.take(kind, payload) == []


def test_a_task_is_made_once_closed_once_and_linked_once() -> None:
    state = State()
    made(state, priority=0)
    made(state, priority=4)
    assert state.body("task", "t").priority == 0
    state.take("task.linked", p.TaskLinked("u"), task_id="t")
    assert state.take("task.linked", p.TaskLinked("u"), task_id="t") == []
    assert state.body("task", "t").blocked_by == ("u",)
    state.take("task.closed", p.TaskClosed("a"), task_id="t")
    closed = state.body("task", "t")
    assert state.take("task.closed", p.TaskClosed("b"), task_id="t") == []
    assert state.body("task", "t") == closed


def test_words_in_the_place_of_an_id_are_not_kept() -> None:
    state = State()
    made(state, blocked_by=("u", "some words"))
    assert state.take("task.linked", p.TaskLinked("more words"), task_id="t") == []
    assert state.body("task", "t").blocked_by == ("u",)


def test_a_status_or_priority_nobody_knows_is_passed_over() -> None:
    state = State()
    made(state, priority=9)
    for status, priority in (("closed", 9), ("done", -1)):
        state.take("task.updated", p.TaskUpdated(status=status, priority=priority), task_id="t")
    assert (state.body("task", "t").status, state.body("task", "t").priority) == ("open", s.PRIORITY)


def test_the_document_knows_which_event_said_what() -> None:
    state = State()
    made(state)
    state.take("task.updated", p.TaskUpdated(title="u", labels=("a",), priority=1), task_id="t")
    state.take("task.updated", p.TaskUpdated(cleared=("labels", "nonsense")), task_id="t")
    assert state.body("task", "t").said_at == {"title": (OTHER, 2), "labels": (OTHER, 3)}
