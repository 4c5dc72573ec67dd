"""Appending: all or nothing, in order, gapless, conditional (SPEC 2.3)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from perdure.errors import Conflict, Moved
from perdure.ledger.port import Expect, Ledger
from perdure.model import payload as p
from perdure.model.event import Draft, Event, Ref
from perdure.model.state import Document, Removed
from perdure.proof.chain import Fault, head_of, verified

from .making import (
    NEXT,
    OTHER,
    OWN,
    UNSEALABLE,
    A,
    B,
    S,
    T,
    U,
    assert_sound,
    documents_in,
    done,
    draft,
    goal,
    id_of,
    merged,
    notes,
    opened,
    redaction,
    snapshot,
)
from .stores import ORIGIN, StoreUnderTest

WRITERS = 4


def test_a_new_store_has_one_empty_chain(ledger: Ledger) -> None:
    assert ledger.heads() == (ledger.head(),)
    head = ledger.head()
    assert (head.ledger_id, head.seq, head.clock, head.hash) == (OWN, 0, 0, "0" * 64)
    assert list(ledger.events()) == []
    assert ledger.origin() == ORIGIN


def test_what_was_appended_stands_in_order_at_the_end(ledger: Ledger) -> None:
    first = ledger.append([draft(), draft("file.read", p.FileRead("a"))]).events
    second = ledger.append([draft()]).events
    third = ledger.append([draft(), draft(), draft()]).events
    assert [event.seq for event in (*first, *second, *third)] == [1, 2, 3, 4, 5, 6]
    assert list(ledger.events()) == [*first, *second, *third]
    assert ledger.head() == head_of(third[-1])
    assert_sound(ledger)


def test_every_field_comes_back_as_it_was_given(ledger: Ledger) -> None:
    payload = {"text": 'é🙂\n\x00"\\', "list": [1, -2.5, None, True, {"k": {}}], "ключ": "", "big": 2**53 - 1}
    given = draft("anything.at_all", payload, session_id=S, transaction_id=T, instance_id=A, task_id="bd-1", schema=7,
                  actor="codex/sub 1", id=id_of(5))  # fmt: skip
    ledger.append([given])
    (event,) = ledger.events()
    for name in ("kind", "payload", "ts", "project_id", "session_id", "transaction_id", "instance_id", "task_id",
                 "schema", "actor", "id"):  # fmt: skip
        assert getattr(event, name) == getattr(given, name), name
    assert ledger.event(Ref(OWN, 1)) == event
    assert event.absent is None


def test_what_does_not_apply_comes_back_as_nothing(ledger: Ledger) -> None:
    ledger.append([draft()])
    (event,) = ledger.events()
    assert (event.session_id, event.transaction_id, event.instance_id, event.task_id, event.actor) == (None,) * 5


@pytest.mark.parametrize("bad", sorted(UNSEALABLE))
@pytest.mark.parametrize("place", [0, 1, 2])
def test_of_several_drafts_one_of_which_cannot_be_sealed_none_is_written(ledger: Ledger, bad: str, place: int) -> None:
    ledger.append([draft(), goal(1)])
    before = snapshot(ledger)
    drafts: list[Draft] = [goal(2), opened()]
    drafts.insert(place, UNSEALABLE[bad])
    with pytest.raises(Exception, match=r".*"):
        ledger.append(drafts)
    assert snapshot(ledger) == before
    ledger.append([goal(2)])
    assert_sound(ledger)


@pytest.mark.parametrize("bad", sorted(UNSEALABLE))
def test_a_single_draft_that_cannot_be_sealed_leaves_the_store_as_it_was(ledger: Ledger, bad: str) -> None:
    ledger.append([draft()])
    before = snapshot(ledger)
    with pytest.raises(Exception, match=r".*"):
        ledger.append([UNSEALABLE[bad]])
    assert snapshot(ledger) == before
    assert ledger.append([draft()]).events[0].seq == 2


def test_the_answer_says_what_changed(ledger: Ledger) -> None:
    appended = ledger.append([opened(), draft("transaction.closed", p.TransactionClosed(False), transaction_id=T)])
    after: dict[tuple[str, str], Document] = {}
    for change in appended.changes:
        if isinstance(change, Removed):
            after.pop((change.kind, change.id))
        else:
            after[change.kind, change.id] = change
    assert after == documents_in(ledger)
    assert ledger.append([draft()]).changes == ()


def test_an_append_of_nothing_changes_nothing(ledger: Ledger) -> None:
    ledger.append([draft()])
    before = snapshot(ledger)
    assert ledger.append([]).events == ()
    assert snapshot(ledger) == before


# -- the clock -------------------------------------------------------------------------------------------------------


def test_the_clock_is_greater_than_everything_taken_in(ledger: Ledger) -> None:
    ledger.append([draft()])
    ledger.merge(notes(OTHER, 3, clock=1_000_000), merged())
    assert ledger.head().clock > 1_000_003
    for _ in range(3):
        before = max(event.clock for event in ledger.events())
        assert ledger.append([draft(), draft()]).events[0].clock > before
    assert_sound(ledger)


def test_the_clock_is_greater_than_everything_also_where_the_own_chain_is_empty(ledger: Ledger) -> None:
    ledger.merge(notes(OTHER, 2, clock=500), merged())
    (first,) = ledger.events(OWN)
    assert first.seq == 1
    assert first.clock > 502
    assert_sound(ledger)


def test_the_clock_is_greater_than_everything_in_a_chain_just_begun(ledger: Ledger) -> None:
    ledger.append([draft()])
    ledger.merge(notes(OTHER, 2, clock=500), merged())
    before = ledger.head().clock
    (first,) = ledger.begin(NEXT, ORIGIN, draft("ledger.opened", p.LedgerOpened("copied"))).events
    assert first.clock > before
    assert_sound(ledger)


def test_a_clock_of_one_connection_follows_what_another_took_in(ledger: Ledger, connect: Callable[[], Ledger]) -> None:
    ledger.append([draft()])
    connect().merge(notes(OTHER, 2, clock=500), merged())
    assert ledger.append([draft()]).events[0].clock > 503
    assert_sound(ledger)


# -- conditional appends ---------------------------------------------------------------------------------------------


def test_what_is_expected_absent_may_be_written_once(ledger: Ledger) -> None:
    absent = Expect("goal", id_of(1), None)
    ledger.append([goal(1)], [absent])
    before = snapshot(ledger)
    with pytest.raises(Conflict) as caught:
        ledger.append([draft()], [absent])
    assert caught.value.code == "conflict"
    assert snapshot(ledger) == before


def test_what_is_expected_at_a_version_may_be_written_while_it_is(ledger: Ledger) -> None:
    ledger.append([goal(1)])
    found = ledger.document("goal", id_of(1))
    assert found is not None
    at = Expect("goal", id_of(1), found.clock)
    ledger.append([done(1)], [at])
    with pytest.raises(Conflict):
        ledger.append([draft()], [at])


def test_what_is_expected_and_is_not_there_is_a_conflict(ledger: Ledger) -> None:
    ledger.append([draft()])
    with pytest.raises(Conflict):
        ledger.append([draft()], [Expect("goal", id_of(1), 1)])


def test_one_unmet_expectation_of_several_is_enough(ledger: Ledger) -> None:
    ledger.append([goal(1)])
    before = snapshot(ledger)
    with pytest.raises(Conflict):
        ledger.append([goal(2)], [Expect("goal", id_of(2), None), Expect("goal", id_of(1), None)])
    assert snapshot(ledger) == before


def test_a_document_that_went_away_is_absent_again(ledger: Ledger) -> None:
    held = Expect("holding", A, None)
    ledger.append([opened()], [held])
    ledger.append([draft("transaction.closed", p.TransactionClosed(False), transaction_id=T)])
    ledger.append([opened(U)], [held])


def test_an_append_that_follows_a_head_is_refused_once_it_moved(ledger: Ledger, connect: Callable[[], Ledger]) -> None:
    (first,) = ledger.append([draft()]).events
    assert ledger.append([draft()], after=head_of(first)).events[0].seq == 2
    with pytest.raises(Moved):
        ledger.append([draft()], after=head_of(first))
    head = ledger.head()
    connect().append([draft()])
    before = snapshot(ledger)
    for drafts in ([draft()], [draft(), draft()], [goal(1)]):
        with pytest.raises(Moved):
            ledger.append(drafts, after=head)
    assert snapshot(ledger) == before
    ledger.append([draft()], after=ledger.head())
    assert_sound(ledger)


MOVES: dict[str, Callable[[Ledger], object]] = {
    "append": lambda ledger: ledger.append([draft()]),
    "merge": lambda ledger: ledger.merge(notes(OTHER, 2), merged()),
    "merge of nothing new": lambda ledger: ledger.merge([], merged()),
    "erase": lambda ledger: ledger.erase(Ref(OWN, 1), redaction(next(ledger.events()))),
    "begin": lambda ledger: ledger.begin(NEXT, ORIGIN, draft("ledger.opened", p.LedgerOpened("copied"))),
}


@pytest.mark.parametrize("move", sorted(MOVES))
def test_every_change_another_connection_makes_moves_the_head(
    ledger: Ledger, connect: Callable[[], Ledger], move: str
) -> None:
    (first,) = ledger.append([draft()]).events
    MOVES[move](connect())
    with pytest.raises(Moved):
        ledger.append([draft()], after=head_of(first))
    ledger.append([draft()])
    assert_sound(ledger)


def test_what_one_connection_changed_the_next_append_of_another_knows(
    ledger: Ledger, connect: Callable[[], Ledger]
) -> None:
    """An append may remember what it last saw; it must not believe it after somebody else wrote."""
    other = connect()
    ledger.append([draft(transaction_id=T)])
    other.append([opened()])
    ledger.append([draft("file.read", p.FileRead("a"), transaction_id=T)])
    found = ledger.document("transaction", T)
    assert found is not None
    assert found.body.learned == 1  # type: ignore[attr-defined]
    other.append([draft("transaction.closed", p.TransactionClosed(False), transaction_id=T)])
    ledger.append([draft("file.read", p.FileRead("b"), transaction_id=T)])
    assert_sound(ledger)


# -- several at once -------------------------------------------------------------------------------------------------


def at_once(work: Callable[[int], None], count: int = WRITERS) -> None:
    """All begin together; whatever one of them raised is raised here."""
    barrier = threading.Barrier(count)
    failed: list[BaseException] = []

    def run(number: int) -> None:
        try:
            barrier.wait(30)
            work(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    if failed:
        raise failed[0]


def test_of_several_that_expect_the_same_one_succeeds(store: StoreUnderTest, ledger: Ledger) -> None:
    for round_ in range(8):
        outcomes: list[str] = []

        def race(number: int, round_: int = round_, outcomes: list[str] = outcomes) -> None:
            with connection(store, ledger) as mine:
                try:
                    mine.append([goal(round_), draft(actor=str(number))], [Expect("goal", id_of(round_), None)])
                    outcomes.append("won")
                except Conflict:
                    outcomes.append("lost")

        at_once(race)
        assert sorted(outcomes) == ["lost"] * (WRITERS - 1) + ["won"]
    assert ledger.head().seq == 16
    assert_sound(ledger)


def test_of_several_that_follow_the_same_head_one_succeeds(store: StoreUnderTest, ledger: Ledger) -> None:
    ledger.append([draft()])
    for _ in range(8):
        head = ledger.head()
        outcomes: list[str] = []

        def race(number: int, head: object = head, outcomes: list[str] = outcomes) -> None:
            with connection(store, ledger) as mine:
                try:
                    mine.append([draft(actor=str(number))], after=head)  # type: ignore[arg-type]
                    outcomes.append("won")
                except Moved:
                    outcomes.append("lost")

        at_once(race)
        assert sorted(outcomes) == ["lost"] * (WRITERS - 1) + ["won"]
    assert_sound(ledger)


def test_of_several_that_open_a_transaction_for_one_instance_one_does(store: StoreUnderTest, ledger: Ledger) -> None:
    outcomes: list[str] = []

    def race(number: int) -> None:
        with connection(store, ledger) as mine:
            try:
                mine.append([opened(id_of(number))], [Expect("holding", A, None)])
                outcomes.append("won")
            except Conflict:
                outcomes.append("lost")

    at_once(race)
    assert sorted(outcomes) == ["lost"] * (WRITERS - 1) + ["won"]
    assert len(ledger.documents("transaction")) == 1


def test_appends_of_several_writers_are_one_after_another_and_none_is_lost(
    store: StoreUnderTest, ledger: Ledger
) -> None:
    each = 60

    def write(number: int) -> None:
        with connection(store, ledger) as mine:
            for n in range(each):
                drafts = [draft(actor=f"{number}.{n}"), draft("file.read", p.FileRead(f"{number}.{n}"))]
                mine.append(drafts[: 1 + n % 2])

    at_once(write)
    events = list(ledger.events(OWN))
    assert len(events) == WRITERS * each * 3 // 2
    singles = [event.actor for event in events if event.kind == "note.finding"]
    assert sorted(singles) == sorted(f"{w}.{n}" for w in range(WRITERS) for n in range(each))
    for event in events:  # what was appended together stands together
        if event.kind == "file.read":
            before = events[event.seq - 2]
            assert before.actor == event.payload["path"]  # type: ignore[index]
    assert_sound(ledger)


def test_a_reader_never_sees_half_an_append(store: StoreUnderTest, ledger: Ledger) -> None:
    done_writing = threading.Event()
    seen: list[int] = []

    def work(number: int) -> None:
        with connection(store, ledger) as mine:
            if number == 0:
                try:
                    for n in range(80):
                        mine.append([goal(2 * n), goal(2 * n + 1)])
                finally:
                    done_writing.set()
                return
            while not done_writing.is_set():
                events = list(mine.events(OWN))
                assert len(events) % 2 == 0
                assert not [f for f in verified(events, {}) if isinstance(f, Fault)]
                assert len(mine.documents("goal")) % 2 == 0
                seen.append(len(events))

    at_once(work, 2)
    assert seen == sorted(seen)
    assert_sound(ledger)


def connection(store: StoreUnderTest, ledger: Ledger) -> closing[Ledger]:
    """In the thread that uses it, as a process would."""
    return closing(store.connect(ledger))  # type: ignore[type-var]


def test_events_that_are_being_read_may_be_appended_to(ledger: Ledger) -> None:
    ledger.append([draft() for _ in range(600)])
    reading: Iterator[Event] = ledger.events(OWN)
    first = [next(reading) for _ in range(300)]
    ledger.append([draft()])
    rest = list(reading)
    assert [event.seq for event in (*first, *rest)][:600] == list(range(1, 601))


def test_two_stores_know_nothing_of_each_other(store: StoreUnderTest, ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    with closing(store.create(tmp_path / "second", OTHER)) as second:
        ledger.append([opened(T, B)])
        assert list(second.events()) == []
        assert second.documents("transaction") == []
