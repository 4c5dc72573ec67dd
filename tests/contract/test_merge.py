"""Merging: chains stand side by side, each link is verified first, and it is all or nothing (SPEC 2.2, 16.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from perdure.errors import Refused
from perdure.ledger.memory import MemoryLedger
from perdure.ledger.port import Ledger
from perdure.model import payload as p
from perdure.model.event import Draft, Event, Ref
from perdure.model.jsonl import from_line, to_line
from perdure.model.ownership import UNERASABLE
from perdure.model.value import replace
from perdure.proof.chain import event_hash, head_of, seal

from .making import (
    NEXT,
    OTHER,
    OWN,
    THIRD,
    UNSEALABLE,
    VECTORS,
    A,
    B,
    S,
    T,
    U,
    assert_sound,
    chain,
    continuing,
    draft,
    goal,
    gone,
    id_of,
    merged,
    notes,
    opened,
    redaction,
    snapshot,
)
from .stores import ORIGIN


def of_chain(ledger: Ledger, ledger_id: str) -> list[Event]:
    return list(ledger.events(ledger_id))


def refused(ledger: Ledger, events: list[Event], code: str) -> Refused:
    before = snapshot(ledger)
    with pytest.raises(Refused) as caught:
        ledger.merge(events, merged())
    assert caught.value.code == code
    assert snapshot(ledger) == before, "refused whole: nothing may be taken in"
    return caught.value


def test_chains_stand_side_by_side_and_in_one_order(ledger: Ledger) -> None:
    own = ledger.append([draft(), draft()]).events
    one, two = notes(OTHER, 3), notes(THIRD, 4, clock=1)
    appended = ledger.merge([*one, *two], merged())
    assert of_chain(ledger, OTHER) == one
    assert of_chain(ledger, THIRD) == two
    assert of_chain(ledger, OWN) == [*own, *appended.events]
    assert {head.ledger_id for head in ledger.heads()} == {OWN, OTHER, THIRD}
    assert ledger.head().ledger_id == OWN
    assert_sound(ledger)


def test_merging_the_same_again_takes_nothing_in(ledger: Ledger) -> None:
    events = notes(OTHER, 3)
    ledger.merge(events, merged())
    heads = {head for head in ledger.heads() if head.ledger_id != OWN}
    ledger.merge(events, merged())
    ledger.merge(events[1:], merged())
    assert {head for head in ledger.heads() if head.ledger_id != OWN} == heads
    assert of_chain(ledger, OTHER) == events
    assert_sound(ledger)


def test_more_of_a_known_chain_is_added_to_it(ledger: Ledger) -> None:
    events = notes(OTHER, 6)
    ledger.merge(events[:2], merged())
    ledger.merge(events[1:5], merged())
    ledger.merge(events, merged())
    assert of_chain(ledger, OTHER) == events
    assert_sound(ledger)


def test_nobody_adds_to_the_chain_that_the_store_writes_to(ledger: Ledger) -> None:
    (first,) = ledger.append([draft()]).events
    second, _ = seal(opened(), head_of(first))
    refused(ledger, [first, second], "own_chain")
    ledger.begin(NEXT, ORIGIN, continuing(ledger, "restored"))
    ledger.merge([first, second], merged())
    assert of_chain(ledger, OWN) == [first, second], "beside a chain that is closed here, it stands"
    assert ledger.document("transaction", T) is None, "but not as something that was written here"
    assert_sound(ledger)


def test_events_may_come_in_any_interleaving_of_their_chains(ledger: Ledger) -> None:
    one, two = notes(OTHER, 2), notes(THIRD, 2)
    ledger.merge([two[0], one[0], one[1], two[1]], merged())
    assert of_chain(ledger, OTHER) == one
    assert of_chain(ledger, THIRD) == two


def test_what_was_merged_is_state_too(ledger: Ledger) -> None:
    ledger.merge(chain(OTHER, [opened(), goal(1)]), merged())
    assert [each.live for each in ledger.documents("goal")] == [True]
    assert [each.live for each in ledger.documents("other_transaction")] == [True]
    assert_sound(ledger)


LOCAL = ("project", "instance", "session", "transaction", "holding", "file", "agent")
MEDDLING = [
    draft("project.moved", p.ProjectMoved("/elsewhere", "/p")),
    draft("project.moved", p.ProjectMoved("/elsewhere", "/p"), transaction_id=T),
    draft("instance.bound", p.InstanceBound("boot", "codex"), instance_id=A),
    draft("session.started", p.SessionStarted("clear", "/elsewhere"), instance_id=A, session_id=S[:-1] + "9"),
    draft("session.ended", p.SessionEnded("exit"), instance_id=A, session_id=S),
    draft("session.working", p.SessionWorking(U, "/elsewhere"), session_id=S),
    draft("transaction.joined", p.TransactionJoined(), transaction_id=T, session_id=S[:-1] + "9"),
    draft(
        "transaction.checked",
        p.TransactionChecked(vectors=VECTORS, reasoning="", decision="proceed", correction={}),
        transaction_id=T,
    ),
    draft("transaction.overridden", p.TransactionOverridden("so"), transaction_id=T),
    draft("transaction.adopted", p.TransactionAdopted(A, "pts-6"), transaction_id=T, instance_id=B, session_id=S),
    draft("transaction.closed", p.TransactionClosed(True, VECTORS), transaction_id=T),
    draft("file.read", p.FileRead("a"), transaction_id=T),
    draft("test.run", p.TestRun("t", 1, 0), transaction_id=T, ts="2027-01-01T00:00:00.000Z"),
    draft("goal.prompted", p.GoalCreated("mine now"), session_id=S),
    draft("session.doubled", p.SessionDoubled("x", B), session_id=S),
    draft("context.exhausted", p.ContextExhausted(1, 1), session_id=S),
    opened(U, A),
    opened(T, B),
]


@pytest.mark.parametrize("meddling", MEDDLING, ids=lambda each: each.kind)
@pytest.mark.parametrize("clock", [0, 1000], ids=["before ours", "after ours"])
def test_another_chain_changes_nothing_of_who_works_here_and_what_opens_the_gate(
    ledger: Ledger, meddling: Draft, clock: int
) -> None:
    ledger.append(
        [
            draft("project.created", p.ProjectCreated("shop", "/p")),
            draft("instance.bound", p.InstanceBound("boot", "claude-code"), instance_id=A),
            draft("session.started", p.SessionStarted("terminal", "/p"), instance_id=A, session_id=S),
            replace(opened(), payload={**opened().payload, "decision": "investigate"}),
        ]
    )
    before = {kind: ledger.documents(kind) for kind in LOCAL}
    ledger.merge(chain(OTHER, [draft("ledger.opened", p.LedgerOpened("created")), meddling], clock), merged())
    assert {kind: ledger.documents(kind) for kind in LOCAL} == before
    assert_sound(ledger)


def test_another_chain_that_says_it_goes_on_from_ours_is_another_chain(ledger: Ledger) -> None:
    ledger.append([draft("session.started", p.SessionStarted("terminal", "/p"), instance_id=A, session_id=S)])
    forged = [replace(continuing(ledger, reason), id=None) for reason in ("restored", "copied")]
    for name, first in zip((OTHER, THIRD), forged, strict=True):
        ledger.merge(chain(name, [first, opened(U, A)]), merged())
    assert set(ledger.own()) == {OWN}
    assert [ledger.documents(kind) for kind in ("transaction", "holding", "file")] == [[], [], []]
    assert_sound(ledger)


@pytest.mark.parametrize("clock", [0, 1000], ids=["before ours", "after ours"])
def test_an_event_with_the_id_of_ours_does_not_take_its_place(ledger: Ledger, clock: int) -> None:
    ledger.append([draft(), goal(1), draft("note.question", p.Note("ours?"), id=id_of(2))])
    before = {kind: ledger.documents(kind) for kind in ("goal", "note")}
    forged = [draft("goal.created", p.GoalCreated("theirs"), id=id_of(1))]
    forged += [draft("note.question", p.Note("theirs?"), id=id_of(2))]
    ledger.merge(chain(OTHER, forged, clock), merged())
    assert {kind: ledger.documents(kind) for kind in ("goal", "note")} == before


@pytest.mark.parametrize("clock", [0, 1000], ids=["before ours", "after ours"])
def test_another_chain_does_not_seal_an_audit_session_of_ours(ledger: Ledger, clock: int) -> None:
    ours = [draft("audit.started", p.AuditStarted("why"), session_id="s"), _thought("s")]
    ledger.append(ours)
    before = {kind: ledger.documents(kind) for kind in ("audit_session", "bound")}
    sealed = draft("audit.finalized", p.AuditFinalized("ab" * 32, 1, ()), session_id="s")
    ledger.merge(chain(OTHER, [_thought("s"), sealed, _thought("theirs")], clock), merged())
    after = {kind: [d for d in ledger.documents(kind) if "theirs" not in d.id] for kind in before}
    assert after == before
    assert ledger.document("audit_session", "theirs") is not None, "a session of its own is there"
    assert_sound(ledger)


def _thought(session: str) -> Draft:
    said = p.ThoughtRecorded(type="Observation", agent_id="a", content="x", prev_hash="0" * 64, hash="cd" * 32)
    return draft("thought.recorded", said, session_id=session, task_id="t")


def test_a_machine_that_was_restored_is_still_that_machine(ledger: Ledger) -> None:
    with closing(MemoryLedger(OTHER, ORIGIN)) as there:
        there.append([draft("ledger.opened", p.LedgerOpened("created")), opened(U, B)])
        there.begin(THIRD, ORIGIN, continuing(there, "restored"))
        there.append([draft("transaction.closed", p.TransactionClosed(False), transaction_id=U, session_id=S)])
        ledger.merge(there.events(), merged())
    (found,) = ledger.documents("other_transaction")
    assert (found.id, found.live) == (f"{U} {OTHER}", False)


# -- refused ---------------------------------------------------------------------------------------------------------


def changed(event: Event, **changes: object) -> Event:
    return replace(event, **changes)


def rehashed(event: Event, **changes: object) -> Event:
    made = replace(event, **changes)
    return replace(made, hash=event_hash(made))


BREAKS: dict[str, Callable[[list[Event]], list[Event]]] = {
    "a changed payload": lambda e: [*e[:2], changed(e[2], payload={"text": "forged"}), *e[3:]],
    "a changed field": lambda e: [*e[:2], changed(e[2], actor="somebody"), *e[3:]],
    "a changed time": lambda e: [*e[:2], changed(e[2], ts="2027-01-01T00:00:00.000Z"), *e[3:]],
    "an event hashed anew": lambda e: [*e[:2], rehashed(e[2], actor="somebody"), *e[3:]],
    "a missing event": lambda e: [*e[:2], *e[3:]],
    "a missing beginning": lambda e: e[1:],
    "swapped events": lambda e: [*e[:2], e[3], e[2], *e[4:]],
    "a payload that vanished": lambda e: [*e[:2], changed(e[2], payload=None), *e[3:]],
    "a clock that stands still": lambda e: [*e[:2], rehashed(e[2], clock=e[1].clock), *e[3:]],
    "a number that is none": lambda e: [*e[:2], changed(e[2], payload={"x": float("nan")}), *e[3:]],
    "a lone surrogate": lambda e: [*e[:2], changed(e[2], actor="\ud800"), *e[3:]],
}


@pytest.mark.parametrize("break_", sorted(BREAKS))
def test_a_broken_chain_is_refused_whole(ledger: Ledger, break_: str) -> None:
    ledger.append([draft()])
    good, bad = notes(THIRD, 3), BREAKS[break_](notes(OTHER, 5))
    error = refused(ledger, [*good, *bad], "broken_chain")
    assert error.details["ledger_id"] == OTHER
    ledger.append([draft()])
    assert_sound(ledger)


@pytest.mark.parametrize("break_", sorted(set(BREAKS) - {"a missing event", "a missing beginning", "swapped events"}))
def test_a_broken_chain_is_refused_also_where_its_events_are_known_already(ledger: Ledger, break_: str) -> None:
    good = notes(OTHER, 5)
    ledger.merge(good, merged())
    before = snapshot(ledger)
    with pytest.raises(Refused) as caught:
        ledger.merge(BREAKS[break_](good), merged())
    assert caught.value.code in ("broken_chain", "forked_chain")
    assert snapshot(ledger) == before


def test_a_forked_chain_is_refused_whole(ledger: Ledger) -> None:
    ours = notes(OTHER, 4)
    ledger.merge(ours, merged())
    fork, _ = seal(draft(payload=p.Note("another history")), head_of(ours[1]))
    error = refused(ledger, [*notes(THIRD, 2), *ours[:2], fork], "forked_chain")
    assert error.details == {"ledger_id": OTHER, "seq": 3}


def test_a_fork_of_the_own_chain_is_refused(ledger: Ledger) -> None:
    first, _ = ledger.append([draft(), draft()]).events
    fork, _ = seal(draft(payload=p.Note("written by a copy")), head_of(first))
    refused(ledger, [first, fork], "forked_chain")


def test_a_clock_that_would_leave_no_numbers_is_refused(ledger: Ledger) -> None:
    """Whoever sends it would stop this ledger for good: its next event could not be written as a safe integer."""
    ledger.append([draft()])
    for clock in (2**53 - 2, 2**53 - 2**32 - 1):
        refused(ledger, notes(OTHER, 1, clock=clock), "broken_chain")
    ledger.merge(notes(OTHER, 1, clock=2**53 - 2**32 - 2), merged())
    (last,) = ledger.append([draft()]).events
    assert from_line(to_line(last), "line 1") == last


def test_an_import_that_fails_half_way_takes_nothing_in(ledger: Ledger) -> None:
    def torn() -> Iterator[Event]:
        yield from notes(OTHER, 3)
        raise OSError("the pipe broke")

    ledger.append([draft()])
    before = snapshot(ledger)
    with pytest.raises(Exception, match=r".*"):
        ledger.merge(torn(), merged())
    assert snapshot(ledger) == before


@pytest.mark.parametrize("bad", sorted(UNSEALABLE))
def test_a_merge_that_cannot_be_recorded_does_not_happen(ledger: Ledger, bad: str) -> None:
    ledger.append([draft()])
    before = snapshot(ledger)
    with pytest.raises(Exception, match=r".*"):
        ledger.merge(notes(OTHER, 3), UNSEALABLE[bad])
    assert snapshot(ledger) == before
    with pytest.raises(Exception, match=r".*"):
        ledger.begin(NEXT, ORIGIN, UNSEALABLE[bad])
    with pytest.raises(Exception, match=r".*"):
        ledger.erase(Ref(OWN, 1), UNSEALABLE[bad])
    assert snapshot(ledger) == before
    ledger.append([draft()])
    assert_sound(ledger)


# -- payloads that are not there -------------------------------------------------------------------------------------


def test_a_withheld_payload_is_filled_in_when_it_comes(ledger: Ledger) -> None:
    events = chain(OTHER, [opened(), draft()])
    ledger.merge([gone(event, "withheld") for event in events], merged())
    (found,) = ledger.documents("other_transaction")
    assert not found.body.passes  # type: ignore[attr-defined]
    ledger.merge(events, merged())
    assert of_chain(ledger, OTHER) == events
    (found,) = ledger.documents("other_transaction")
    assert found.body.passes, "what it says counts from then on"  # type: ignore[attr-defined]
    assert_sound(ledger)


def test_a_withheld_payload_is_not_filled_in_with_another(ledger: Ledger) -> None:
    events = notes(OTHER, 2)
    ledger.merge([gone(event, "withheld") for event in events], merged())
    refused(ledger, [changed(events[0], payload={"text": "forged"}), events[1]], "broken_chain")


def test_a_payload_we_have_is_not_lost_to_an_import_that_withholds_it(ledger: Ledger) -> None:
    events = notes(OTHER, 2)
    ledger.merge(events, merged())
    ledger.merge([gone(event, "withheld") for event in events], merged())
    ledger.merge([gone(event, "redacted") for event in events], merged())
    assert of_chain(ledger, OTHER) == events


def test_a_redaction_that_comes_with_an_import_erases_ours(ledger: Ledger) -> None:
    events = notes(OTHER, 3)
    ledger.merge(events, merged())
    said, _ = seal(redaction(events[1]), head_of(events[2]))
    ledger.merge([events[0], gone(events[1], "redacted"), events[2], said], merged())
    assert of_chain(ledger, OTHER) == [events[0], gone(events[1], "redacted"), events[2], said]
    assert_sound(ledger)


def test_a_redaction_by_another_ledger_erases_nothing_in_the_own_chain(ledger: Ledger) -> None:
    first, _ = ledger.append([draft(), draft("ledger.opened", p.LedgerOpened("created"))]).events
    events = chain(OTHER, [redaction(first), redaction(replace(first, seq=2))])
    for _ in range(2):
        ledger.merge(events, merged())
        ledger.rebuild()
        assert of_chain(ledger, OWN)[0] == first
    assert of_chain(ledger, OTHER) == events, "it stays on record"
    assert_sound(ledger)


def test_a_redaction_by_another_ledger_erases_where_it_is_accepted_with_the_merge(ledger: Ledger) -> None:
    (first,) = ledger.append([draft()]).events
    appended = ledger.merge(chain(OTHER, [redaction(first)]), merged(), [redaction(first)])
    assert [event.kind for event in appended.events] == ["ledger.merged", "payload.redacted"]
    assert of_chain(ledger, OWN)[0] == gone(first, "redacted")
    assert_sound(ledger)


def test_a_ledger_erases_only_what_it_wrote_before(ledger: Ledger) -> None:
    """Nor does a number that is none reach into the rows of another chain."""
    (first,) = ledger.append([draft()]).events
    theirs, third = notes(OTHER, 2), notes(THIRD, 3)
    ledger.merge([*theirs, *third], merged())
    beside = [replace(theirs[0], seq=seq) for seq in (9, 3, 0, -1, 2 - (1 << 40), (1 << 40) + 1)]
    more = list(theirs)
    for each in [*beside, third[0], first]:
        more.append(seal(redaction(each), head_of(more[-1]))[0])
    ledger.merge(more, merged())
    assert (of_chain(ledger, OTHER), of_chain(ledger, THIRD), of_chain(ledger, OWN)[0]) == (more, third, first)
    for number in (0, -1, 2 - (1 << 40), (1 << 40) + 1):
        assert ledger.event(Ref(OTHER, number)) is None


@pytest.mark.parametrize("kind", UNERASABLE)
def test_what_holds_the_record_together_is_not_erased_by_a_redaction(ledger: Ledger, kind: str) -> None:
    events = chain(OTHER, [draft(kind, {"x": 1})])
    said, _ = seal(redaction(events[0]), head_of(events[0]))
    ledger.merge([*events, said], merged())
    assert of_chain(ledger, OTHER) == [*events, said]


def test_a_redacted_payload_is_never_brought_back(ledger: Ledger) -> None:
    events = notes(OTHER, 3)
    ledger.merge(events, merged())
    ledger.erase(Ref(OTHER, 2), redaction(events[1]))
    ledger.merge(events, merged())
    assert of_chain(ledger, OTHER)[1] == gone(events[1], "redacted")
    assert_sound(ledger)


def test_a_redacted_payload_does_not_come_in_after_its_redaction(ledger: Ledger) -> None:
    """The redaction is accepted here before the event it is about arrives from another machine."""
    events = notes(OTHER, 3)
    ledger.merge(chain(THIRD, [redaction(events[1])]), merged(), [redaction(events[1])])
    ledger.merge(events, merged())
    assert of_chain(ledger, OTHER)[1] == gone(events[1], "redacted")
    assert_sound(ledger)


def test_a_redacted_payload_is_not_filled_in_after_its_redaction(ledger: Ledger) -> None:
    events = notes(OTHER, 2)
    ledger.merge([gone(events[0], "withheld"), events[1]], merged())
    ledger.merge(chain(THIRD, [redaction(events[0])]), merged(), [redaction(events[0])])
    ledger.merge(events, merged())
    assert of_chain(ledger, OTHER)[0] == gone(events[0], "redacted")


# -- a new chain -----------------------------------------------------------------------------------------------------


def test_a_new_chain_stands_beside_the_old_one(ledger: Ledger, connect: Callable[[], Ledger]) -> None:
    other = connect()
    old = [*ledger.append([draft(), opened()]).events]
    ledger.merge(notes(OTHER, 2), merged())
    old = of_chain(ledger, OWN)
    elsewhere = replace(ORIGIN, root="/srv/copy")
    appended = ledger.begin(NEXT, elsewhere, continuing(ledger))
    (first,) = appended.events
    assert (first.ledger_id, first.seq, first.prev_hash) == (NEXT, 1, "0" * 64)
    assert of_chain(ledger, OWN) == old, "the old chain is never written again"
    assert ledger.origin() == elsewhere
    for each in (ledger, other):
        assert each.append([draft()]).events[0].ledger_id == NEXT
        assert each.head().ledger_id == each.heads()[0].ledger_id == NEXT
    assert [event.seq for event in of_chain(ledger, NEXT)] == [1, 2, 3]
    assert {head.ledger_id for head in ledger.heads()} == {NEXT, OWN, OTHER}
    assert of_chain(ledger, OWN) == old
    assert_sound(ledger)


def test_a_third_chain_stands_beside_both(ledger: Ledger) -> None:
    ledger.append([draft()])
    for name in (NEXT, THIRD):
        ledger.begin(name, ORIGIN, continuing(ledger, "restored"))
    ledger.merge(notes(OTHER, 1), merged())
    assert set(ledger.own()) == {OWN, NEXT, THIRD}
    assert ledger.heads()[0].ledger_id == THIRD
    assert {head.ledger_id: head.seq for head in ledger.heads()} == {OWN: 1, NEXT: 1, THIRD: 2, OTHER: 1}
    assert_sound(ledger)


def test_the_store_can_be_told_that_it_stands_elsewhere(ledger: Ledger, connect: Callable[[], Ledger]) -> None:
    there = replace(ORIGIN, root="/moved")
    ledger.settle(there)
    assert ledger.origin() == there
    assert connect().origin() == there


def test_a_store_has_no_secret_until_it_is_given_one(ledger: Ledger, connect: Callable[[], Ledger]) -> None:
    assert ledger.secret() == ""
    assert ledger.keep_secret("first", "") == "first"
    assert (ledger.secret(), connect().secret()) == ("first", "first")


def test_of_two_that_give_a_secret_the_first_wins_and_both_are_told(
    ledger: Ledger, connect: Callable[[], Ledger]
) -> None:
    other = connect()
    assert ledger.keep_secret("first", "") == "first"
    assert other.keep_secret("second", "") == "first"
    assert other.keep_secret("second", "first") == "second"
    assert ledger.secret() == "second"


def test_a_secret_stays_through_whatever_else_changes_the_store(ledger: Ledger, connect: Callable[[], Ledger]) -> None:
    ledger.keep_secret("kept", "")
    ledger.append([draft()])
    ledger.merge(notes(OTHER, 1), merged())
    ledger.begin(NEXT, ORIGIN, continuing(ledger))
    ledger.settle(replace(ORIGIN, root="/moved"))
    ledger.rebuild()
    assert (ledger.secret(), connect().secret()) == ("kept", "kept")
    assert "kept" not in "".join(map(str, ledger.events()))
    assert_sound(ledger)
