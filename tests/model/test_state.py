"""The fold: what events add up to. Pure, total, and the same whether an event is new or comes back from a store."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.model import payload as p
from perdure.model import state as s
from perdure.model.event import Event
from perdure.model.json import compact
from perdure.model.moment import Moment, stamp
from perdure.model.value import fields, value
from perdure.proof.canonical import canonical
from tests.effort import for_each, tries

from .samples import DOCUMENTS, ID, OTHER, PAYLOADS, VECTORS, event_of

T, U = "aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"
A, B = "bbbbbbbb-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"
S1, S2 = "dddddddd-0000-4000-8000-000000000001", "dddddddd-0000-4000-8000-000000000002"
MINUTE = 60_000


def test_what_a_task_file_said_is_kept_for_this_machine_only() -> None:
    state = State()
    said = p.TaskSynced(path="f.jsonl", file={"title": "aa"}, ledger={}, line="ab" * 32)
    state.take("task.synced", said, task_id="bd-1")
    place = s.synced_id("f.jsonl", "bd-1")
    assert state.body("synced", place).file == {"title": "aa"}
    state.take("task.synced", said, task_id=None)
    assert len(state.documents) == 1
    theirs = event_of("task.synced", p.write(p.TaskSynced(path="f.jsonl", file={}, ledger={}, line="")), task_id="bd-1")
    assert s.fold(theirs, state.read, is_own=False) == []


class State:
    """Documents as a store keeps them."""

    def __init__(self) -> None:
        self.documents: dict[tuple[str, str], s.Document] = {}
        self._clock = itertools.count(1)
        self.at = 1_767_225_600_000

    def read(self, kind: str, id: str) -> s.Document | None:
        return self.documents.get((kind, id))

    def body(self, kind: str, id: str) -> Any:
        found = self.read(kind, id)
        return found.body if found else None

    def take(self, kind: str, payload: Any = None, **fields_: Any) -> list[s.Change]:
        number = next(self._clock)
        written = p.write(payload) if payload is not None and not isinstance(payload, dict) else payload
        known = p.KINDS.get(kind)
        schema = fields_.pop("schema", known[1] if known else 1)
        changes = {"seq": number, "clock": number, "ts": stamp(Moment(self.at)), **fields_}
        return self.take_event(event_of(kind, {} if written is None else written, schema, **changes))

    def take_event(self, event: Event) -> list[s.Change]:
        changes = s.fold(event, self.read)
        for change in changes:
            if isinstance(change, s.Removed):
                self.documents.pop((change.kind, change.id), None)
            else:
                self.documents[change.kind, change.id] = change
        return changes

    def open(self, transaction: str = T, instance: str = A, session: str = S1, **changes: Any) -> s.Transaction:
        said = {"suffix": instance[:8], "vectors": VECTORS, "decision": "proceed", **changes}
        opened = p.TransactionOpened(
            project_path="/p",
            suffix=said["suffix"],
            vectors=said["vectors"],
            reasoning="",
            decision=said["decision"],
            correction={},
        )
        where = {"transaction_id": transaction, "instance_id": instance, "session_id": session}
        self.take("session.started", p.SessionStarted("terminal", "/p"), session_id=session, instance_id=instance)
        self.take("transaction.opened", opened, **where)
        found = self.body("transaction", transaction)
        assert isinstance(found, s.Transaction)
        return found


# -- documents as text -----------------------------------------------------------------------------------------------


def test_every_kind_of_document_has_samples() -> None:
    assert set(DOCUMENTS) == set(s.DOCUMENTS)


@for_each("kind", sorted(DOCUMENTS))
def test_a_document_encoded_and_decoded_is_the_same(kind: str) -> None:
    for body in DOCUMENTS[kind]:
        text = compact(s.encode(body))
        assert s.decode(kind, json.loads(text)) == body
        assert type(s.decode(kind, json.loads(text))) is s.DOCUMENTS[kind]


@for_each("kind", sorted(DOCUMENTS))
def test_the_samples_fill_every_field_once(kind: str) -> None:
    for name in fields(s.DOCUMENTS[kind]):
        assert any(getattr(body, name) not in (None, (), {}) for body in DOCUMENTS[kind]), name


# -- transactions ----------------------------------------------------------------------------------------------------


def test_opening_makes_the_transaction_its_holding_its_file_and_tells_the_session() -> None:
    state = State()
    opened = state.open()
    assert (opened.status, opened.sessions, opened.decision, opened.passes) == ("open", (S1,), "proceed", True)
    assert state.body("holding", A) == s.Holding(T)
    assert state.body("file", A[:8]) == s.FileOwner(T)
    session = state.body("session", S1)
    assert (session.active_transaction_id, session.transaction_project_path) == (T, "/p")


def test_closing_undoes_what_opening_made_and_clears_every_session_it_touched() -> None:
    state = State()
    state.open()
    state.take("session.started", p.SessionStarted("compact", "/p", S1), session_id=S2, instance_id=A)
    state.take("transaction.joined", p.TransactionJoined(), transaction_id=T, session_id=S2, instance_id=A)
    assert state.body("session", S2).active_transaction_id == T
    state.take("transaction.closed", p.TransactionClosed(True, VECTORS), transaction_id=T, session_id=S2)
    closed = state.body("transaction", T)
    assert (closed.status, closed.sessions, closed.postflight_session_id) == ("closed", (S1, S2), S2)
    assert closed.assessed is True
    assert state.read("holding", A) is None
    file = state.read("file", A[:8])
    assert file is not None
    assert not file.live
    for session in (S1, S2):
        assert state.body("session", session).active_transaction_id is None
        assert state.body("session", session).transaction_project_path is None


LATE: dict[str, Any] = {
    "transaction.adopted": p.TransactionAdopted(A, "pts-1"),
    "transaction.checked": p.TransactionChecked(vectors=VECTORS, reasoning="", decision="investigate", correction={}),
    "transaction.overridden": p.TransactionOverridden("late"),
    "transaction.joined": p.TransactionJoined(),
    "transaction.closed": p.TransactionClosed(False),
    "file.read": p.FileRead("late.py"),
    "test.run": p.TestRun("late", 1, 1),
    "note.finding": p.Note("late"),
    "unheard.of": {},
}


@pytest.mark.parametrize("kind", sorted(LATE))
def test_what_another_machine_did_after_the_close_it_had_not_heard_of_changes_nothing(kind: str) -> None:
    state = State()
    state.open()
    state.take("transaction.closed", p.TransactionClosed(True, VECTORS), transaction_id=T, session_id=S1)
    closed = state.body("transaction", T)
    state.at += 10 * MINUTE
    state.take(kind, LATE[kind], transaction_id=T, instance_id=B, session_id=S2)
    assert state.body("transaction", T) == closed
    assert state.read("holding", B) is None
    assert state.read("holding", A) is None


def test_two_that_one_instance_opened_on_two_machines_are_closed_one_by_one() -> None:
    """A CI job's instance is named by hand and may be at work on two machines before their ledgers meet."""
    state = State()
    first = state.open(T, A, S1, suffix="job")
    second = state.open(U, A, S2, suffix="job")
    assert first.suffix == "job"
    assert second.suffix == A[:8], "two open transactions never show in one file (SPEC 4.1)"
    state.take("transaction.closed", p.TransactionClosed(True, VECTORS), transaction_id=T, session_id=S1)
    assert state.body("holding", A) == s.Holding(U), "closing the one must not let go of the other"
    file = state.read("file", A[:8])
    assert file is not None
    assert file.live
    state.take("transaction.closed", p.TransactionClosed(True, VECTORS), transaction_id=U, session_id=S2)
    assert state.read("holding", A) is None


def test_an_id_that_is_used_again_opens_nothing() -> None:
    state = State()
    before = state.open(T, A, S1)
    state.open(T, B, S2)
    assert state.body("transaction", T) == before
    assert state.read("holding", B) is None


def test_adopting_moves_the_holding_and_the_file() -> None:
    state = State()
    state.open(suffix="tmux_4")
    where = {"transaction_id": T, "instance_id": B, "session_id": S2}
    state.take("transaction.adopted", p.TransactionAdopted(A, "pts-6"), **where)
    adopted = state.body("transaction", T)
    assert (adopted.instance_id, adopted.suffix) == (B, "pts-6")
    assert state.read("holding", A) is None
    assert state.body("holding", B) == s.Holding(T)
    assert state.read("file", "tmux_4") is None
    assert state.body("file", "pts-6") == s.FileOwner(T)


@pytest.mark.parametrize("suffix", ["../../../etc/cron", "a/b", "..", ".", "a\0b", "a\nb", "-x", "x" * 500, "\ud800"])
def test_a_suffix_that_would_lead_out_of_the_folder_is_not_taken(suffix: str) -> None:
    state = State()
    assert state.open(suffix=suffix).suffix == A[:8]
    state.take("transaction.adopted", p.TransactionAdopted(A, suffix), transaction_id=T, instance_id=B, session_id=S2)
    assert state.body("transaction", T).suffix == B[:8]


def test_an_instance_id_that_would_lead_out_of_the_folder_is_not_made_a_file_name() -> None:
    found = State().open(T, "../../../../tmp/x", S1, suffix="../x")
    assert set(found.suffix) <= set("0123456789abcdef")


def test_an_erased_preflight_still_opened_something_and_the_gate_stays_shut_for_it() -> None:
    state = State()
    where = {"transaction_id": T, "instance_id": A, "session_id": S1}
    state.take_event(event_of("transaction.opened", None, absent="redacted", **where))
    found = state.body("transaction", T)
    assert (found.status, found.passes, found.suffix) == ("open", False, A[:8])
    assert state.body("holding", A) == s.Holding(T)


def test_learning_is_counted_from_the_last_check_on() -> None:
    state = State()
    state.open(decision="investigate")
    for kind in p.LEARNED:
        state.take(kind, PAYLOADS[kind][0], transaction_id=T)
    assert state.body("transaction", T).learned == len(p.LEARNED)
    state.take(
        "transaction.checked",
        p.TransactionChecked(vectors=VECTORS, reasoning="", decision="investigate", correction={}),
        transaction_id=T,
    )
    assert state.body("transaction", T).learned == 0
    state.take("edit.made", p.EditMade("a.py"), transaction_id=T)
    assert state.body("transaction", T).learned == 0, "a change is evidence, and nothing learned"


def test_an_override_holds_through_later_checks() -> None:
    state = State()
    state.open(decision="investigate")
    state.take("transaction.overridden", p.TransactionOverridden("go"), transaction_id=T)
    assert state.body("transaction", T).passes
    state.take(
        "transaction.checked",
        p.TransactionChecked(vectors=VECTORS, reasoning="", decision="investigate", correction={}),
        transaction_id=T,
    )
    assert state.body("transaction", T).passes


def test_evidence_is_counted_on_the_transaction_it_was_gathered_under() -> None:
    state = State()
    state.open()
    state.open(U, B, S2)
    for kind in ("test.run", "claim.verified", "claim.refuted", "scenario.met", "scenario.missed", "edit.made"):
        state.take(kind, PAYLOADS[kind][0], transaction_id=T)
    state.take("edit.reverted", p.EditReverted("a"), transaction_id=T)
    state.take("test.run", p.TestRun("pytest", 5, 1), transaction_id=T)
    seen = state.body("transaction", T).seen
    assert tuple(seen.__dict__.values()) == (1, 1, False, 1, 1, 1, 1, 1, 1)
    assert state.body("transaction", U).seen == s.Evidence()


def closed_with(assessed: bool, *, evidence: bool = True) -> State:
    state = State()
    state.open(vectors={"know": 0.9, "uncertainty": 0.1})
    if evidence:
        state.take("test.run", p.TestRun("pytest", 0, 1), transaction_id=T)
    after = {"know": 0.9, "uncertainty": 0.1, "completion": 1.0} if assessed else None
    state.take("transaction.closed", p.TransactionClosed(assessed, after), transaction_id=T, session_id=S1)
    return state


def test_closing_with_an_assessment_adds_to_the_agents_record() -> None:
    tracks = closed_with(True).body("agent", "user").tracks
    assert {name: track.bias for name, track in tracks.items()} == {
        "know": 0.9,
        "uncertainty": pytest.approx(-0.9),
        "completion": 1.0,
    }


def test_closing_without_an_assessment_or_without_evidence_is_counted_by_no_calibration() -> None:
    assert closed_with(False).read("agent", "user") is None
    assert closed_with(True, evidence=False).read("agent", "user") is None
    assert closed_with(False).body("transaction", T).assessed is False


def test_time_that_jumps_back_does_not_make_a_transaction_older() -> None:
    state = State()
    state.open()
    before = state.body("transaction", T).updated_at
    state.at -= 60 * MINUTE
    state.take("file.read", p.FileRead("a"), transaction_id=T)
    assert state.body("transaction", T).updated_at == before


def test_any_act_under_a_transaction_touches_it_within_a_minute() -> None:
    state = State()
    state.open()
    before = state.body("transaction", T).updated_at
    state.at += MINUTE - 1
    assert state.take("note.finding", p.Note("x"), transaction_id=T) == []
    state.at += 1
    state.take("unheard.of", {}, transaction_id=T)
    assert state.body("transaction", T).updated_at == before + MINUTE


# -- sessions --------------------------------------------------------------------------------------------------------


def test_a_session_that_begins_ends_the_one_before_it_at_the_same_place() -> None:
    state = State()
    state.take("session.started", p.SessionStarted("terminal", "/p"), session_id=S1, instance_id=A)
    state.at += 5
    state.take("session.started", p.SessionStarted("clear", "/p", S1), session_id=S2, instance_id=A)
    before = state.body("session", S1)
    assert (before.ended_at, before.end_reason) == (state.at, "followed")
    assert state.body("instance", A).session_id == S2
    assert state.body("session", S2).parent_id == S1


def test_a_session_elsewhere_does_not_end_it() -> None:
    state = State()
    state.take("session.started", p.SessionStarted("terminal", "/p"), session_id=S1, instance_id=A)
    state.take("session.started", p.SessionStarted("terminal", "/p"), session_id=S2, instance_id=B)
    assert state.body("session", S1).ended_at is None


def test_a_session_has_its_phase_and_hands_its_pointers_to_the_one_that_continues_it() -> None:
    state = State()
    state.take("session.started", p.SessionStarted("startup", "/p"), session_id=S1, instance_id=A)
    state.take("phase.entered", p.PhaseEntered("SESSION_RUNNING"), session_id=S1)
    state.take("pointer.set", p.PointerSet("serena", "shop", "on"), session_id=S1)
    state.take("pointer.set", p.PointerSet("pal", "c-7", "go on"), session_id=S1)
    state.take("pointer.removed", p.PointerRemoved("pal"), session_id=S1)
    assert state.body("session", S1).phase == "SESSION_RUNNING"
    state.take("session.started", p.SessionStarted("compact", "/p", S1), session_id=S2, instance_id=A)
    after = state.body("session", S2)
    assert (after.phase, list(after.pointers)) == (None, ["serena"])
    assert state.take("pointer.set", p.PointerSet("x", "y", "z"), session_id=T) == [], "of a session nobody knows"


def test_a_new_lineage_has_no_pointers() -> None:
    state = State()
    state.take("session.started", p.SessionStarted("startup", "/p"), session_id=S1, instance_id=A)
    state.take("pointer.set", p.PointerSet("serena", "shop", "on"), session_id=S1)
    state.take("session.ended", p.SessionEnded("exit"), session_id=S1, instance_id=A)
    state.take("session.started", p.SessionStarted("startup", "/p", S1), session_id=S2, instance_id=A)
    assert state.body("session", S2).pointers is None


def test_an_ended_session_is_not_ended_again() -> None:
    state = State()
    state.take("session.started", p.SessionStarted("terminal", "/p"), session_id=S1, instance_id=A)
    state.take("session.ended", p.SessionEnded("exit"), session_id=S1, instance_id=A)
    assert state.body("instance", A).session_id is None
    assert state.take("session.ended", p.SessionEnded("clear"), session_id=S1) == []
    assert state.body("session", S1).end_reason == "exit"


# -- the rest --------------------------------------------------------------------------------------------------------


def test_goals_notes_and_decisions_open_close_and_supersede() -> None:
    state = State()
    state.take("goal.created", p.GoalCreated("ship"), id=ID, transaction_id=T)
    assert state.body("goal", ID).transaction_id == T
    state.take("goal.done", p.GoalDone(ID), id=OTHER)
    assert state.body("goal", ID).done_at == state.at
    assert state.take("goal.done", p.GoalDone(ID), id=OTHER) == []
    for kind in p.NOTE_KINDS:
        state.take(f"note.{kind}", p.Note("x"), id=ID)
        assert (state.read("note", ID) is not None) == (kind in p.CLOSABLE_NOTES)
        state.take("note.closed", p.NoteClosed(ID), id=OTHER)
        assert state.read("note", ID) is None
    state.take("decision.made", p.DecisionMade("a", supersedes=ID), id=OTHER)
    assert state.body("superseded", ID) == s.Superseded(OTHER)


def test_a_project_that_was_never_created_is_not_moved() -> None:
    state = State()
    assert state.take("project.moved", p.ProjectMoved("/new", "/old")) == []
    state.take("project.created", p.ProjectCreated("shop", "/old"))
    state.take("project.moved", p.ProjectMoved("/new", "/old"))
    assert state.body("project", "this") == s.Project(ID, "/new", "shop")


def test_unknown_kinds_and_newer_versions_are_skipped() -> None:
    state = State()
    assert state.take("task.created", {"title": "x"}) == []
    assert state.take("project.created", p.ProjectCreated("shop", "/p"), schema=99) == []
    assert state.documents == {}


def test_no_document_holds_words_that_a_redaction_would_have_to_find() -> None:
    word = "SECRET-WORDS"
    state = State()
    where = {"transaction_id": T, "instance_id": A, "session_id": S1}
    said = {"vectors": VECTORS, "reasoning": word, "decision": "proceed", "correction": {}}
    state.take("transaction.opened", {**said, "project_path": "/p", "suffix": "x"}, **where)
    state.take("transaction.checked", said, **where)
    state.take("transaction.overridden", p.TransactionOverridden(word), **where)
    for kind in p.KINDS:
        free = {name: word for name, type_ in p.KINDS[kind][0].__annotations__.items() if type_.startswith("str")}
        if not kind.startswith(("transaction.", "session.", "instance.", "project.", "ledger.", "payload.")):
            ids = {"goal_id": ID, "note_id": ID, "supersedes": ID}
            state.take(kind, {**free, **ids, "passed": 1, "failed": 0}, **where)
    state.take("transaction.closed", p.TransactionClosed(True, VECTORS, word), **where)
    held = {key: compact(s.encode(document.body)) for key, document in state.documents.items()}
    held.pop(("goal", ID), None)  # `origin` is one of our own words, checked below
    assert len(held) > 3
    assert not [key for key, text in held.items() if word in text]


EVENTS = st.builds(
    lambda kind, sample, transaction, instance, session, later: (kind, sample, transaction, instance, session, later),
    st.sampled_from(sorted(p.KINDS)),
    st.integers(0, 1),
    st.sampled_from([T, U, None]),
    st.sampled_from([A, B, None]),
    st.sampled_from([S1, S2, None]),
    st.integers(-MINUTE, 3 * MINUTE),
)


@tries(150)
@given(st.lists(EVENTS, max_size=25))
def test_folding_what_comes_back_from_a_store_gives_the_same_as_folding_it_when_it_was_new(steps: list[Any]) -> None:
    new, again = State(), State()
    for number, (kind, which, transaction, instance, session, later) in enumerate(steps):
        payload = p.write(PAYLOADS[kind][which % len(PAYLOADS[kind])])
        again.at = new.at = new.at + later
        where = {"transaction_id": transaction, "instance_id": instance, "session_id": session}
        where["id"] = f"eeeeeeee-0000-4000-8000-{number:012}"
        new.take(kind, payload, **where)
        again.take(kind, json.loads(canonical(payload)), **where)
    assert new.documents == again.documents
    texts = [{key: compact(s.encode(d.body)) for key, d in state.documents.items()} for state in (new, again)]
    assert texts[0] == texts[1], "views are rendered from these, byte for byte (SPEC 2.1)"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([T, A, S1, ID]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@st.composite
def hostile(draw: st.DrawFn) -> Event:
    kind = draw(st.sampled_from([*sorted(p.KINDS), "unheard.of"]))
    known = p.KINDS.get(kind)
    sample = p.write(draw(st.sampled_from(PAYLOADS[kind]))) if known else {}
    for name in draw(st.lists(st.sampled_from([*fields(known[0]), "x"] if known else ["x"]), max_size=2)):
        sample[name] = draw(JSON)
    ids = st.none() | st.sampled_from([T, U, A, B, S1, "x", "../..", "\ud800"])
    return event_of(
        kind,
        draw(st.just(sample) | st.none()),
        draw(st.integers(1, 3)),
        seq=draw(st.integers(1, 9)),
        clock=draw(st.integers(1, 9)),
        id=draw(st.sampled_from([ID, OTHER])),
        transaction_id=draw(ids),
        instance_id=draw(ids),
        session_id=draw(ids),
        task_id=draw(ids),
        actor=draw(ids),
    )


@tries(300)
@given(st.lists(hostile(), max_size=12))
def test_no_event_whatever_it_holds_breaks_the_fold(events: list[Event]) -> None:
    state = State()
    for event in events:
        state.take_event(event)
    for (kind, _), document in state.documents.items():
        assert isinstance(document.body, s.DOCUMENTS[kind])
        assert s.decode(kind, json.loads(json.dumps(s.encode(document.body)))) == document.body
    for document in state.documents.values():
        if isinstance(document.body, s.Transaction):
            assert "/" not in document.body.suffix


def test_a_new_documents_field_is_not_read_as_another_documents_field_of_the_same_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @value
    class Visits:
        seen: tuple[str, ...]
        ends: int

    monkeypatch.setitem(s.DOCUMENTS, "visits", Visits)
    body = Visits(("a.py",), 3)
    assert s.decode("visits", s.encode(body)) == body
