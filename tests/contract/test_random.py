"""Whatever is done to a store in whatever order: its chains verify and its documents are the fold over its events."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure.errors import Conflict, Refused
from perdure.ledger.memory import MemoryLedger
from perdure.ledger.port import Expect, Ledger
from perdure.model import payload as p
from perdure.model.event import Draft, Ref
from perdure.model.moment import Moment, stamp
from perdure.model.ownership import UNERASABLE

from .making import (
    OTHER,
    OWN,
    THIRD,
    VECTORS,
    A,
    B,
    S,
    T,
    U,
    assert_sound,
    continuing,
    documents_in,
    done,
    draft,
    goal,
    gone,
    id_of,
    merged,
    redaction,
)
from .stores import ORIGIN, StoreUnderTest

FAST = "/dev/shm"
"""Where there is one: a random walk needs the store, not a disk."""
SECOND_SESSION = S[:-1] + "2"
_PAYLOADS: dict[str, list[Any]] = {
    "session.started": [p.SessionStarted("terminal", "/p")],
    "session.ended": [p.SessionEnded("exit")],
    "session.working": [p.SessionWorking(T, "/q"), p.SessionWorking()],
    "instance.bound": [p.InstanceBound(), p.InstanceBound("boot", "codex", client_process=(1, "2"))],
    "transaction.opened": [
        p.TransactionOpened(
            project_path="/p",
            suffix="tmux_4",
            vectors={**VECTORS, "do": 1.0},
            reasoning="",
            decision="proceed",
            correction={"know": 0.01},
        ),
        p.TransactionOpened(
            project_path="/p",
            suffix="tmux_4",
            vectors={"know": 0.1, "uncertainty": 1.0},
            reasoning="",
            decision="investigate",
            correction={},
        ),
    ],
    "transaction.joined": [p.TransactionJoined()],
    "transaction.checked": [
        p.TransactionChecked(vectors=VECTORS, reasoning="", decision="proceed", correction={}),
        p.TransactionChecked(vectors={}, reasoning="", decision="x", correction={}),
    ],
    "transaction.overridden": [p.TransactionOverridden("so")],
    "transaction.adopted": [p.TransactionAdopted(A, "pts-6"), p.TransactionAdopted(A, "tmux_4")],
    "transaction.closed": [p.TransactionClosed(True, {**VECTORS, "completion": 1.0}), p.TransactionClosed(False)],
    "goal.created": [p.GoalCreated("g")],
    "goal.done": [p.GoalDone(id_of(n)) for n in range(4)],
    "note.question": [p.Note("?")],
    "note.closed": [p.NoteClosed(id_of(n)) for n in range(4)],
    "decision.made": [p.DecisionMade("d", supersedes=id_of(1)), p.DecisionMade("d")],
    "file.read": [p.FileRead("a")],
    "test.run": [p.TestRun("t", 1, 0), p.TestRun("t", 0, 2)],
    "claim.refuted": [p.ClaimRefuted("c")],
    "unheard.of": [{"n": [1.0, None]}],
}
DRAFTS = st.builds(
    lambda kind, which, transaction, instance, session, number, schema, second: draft(
        kind,
        _PAYLOADS[kind][which % len(_PAYLOADS[kind])],
        transaction_id=transaction,
        instance_id=instance,
        session_id=session,
        id=id_of(number),
        schema=schema,
        actor="agent",
        ts=stamp(Moment(1_767_225_600_000 + second * 1000)),
    ),
    st.sampled_from(sorted(_PAYLOADS)),
    st.integers(0, 3),
    st.sampled_from([T, U, None]),
    st.sampled_from([A, B, None]),
    st.sampled_from([S, SECOND_SESSION, None]),
    st.integers(0, 5),
    st.sampled_from([1, 1, 1, 1, 2]),
    st.integers(0, 600),
)
SOME = st.lists(DRAFTS, min_size=1, max_size=4)
STEPS = st.one_of(
    st.tuples(st.just("append"), SOME),
    st.tuples(st.just("append one"), DRAFTS),
    st.tuples(st.just("append if"), SOME),
    st.tuples(st.just("elsewhere"), st.sampled_from([OTHER, THIRD]), SOME),
    st.tuples(st.just("meet"), st.sampled_from([OTHER, THIRD]), st.booleans()),
    st.tuples(st.just("erase"), st.integers(0, 50)),
    st.tuples(st.just("erase elsewhere"), st.sampled_from([OTHER, THIRD]), st.integers(0, 50)),
    st.tuples(st.just("begin")),
    st.tuples(st.just("begin anew")),
    st.tuples(st.just("rebuild")),
    st.tuples(st.just("reconnect")),
)


class Machine:
    """A store, two other machines' ledgers it meets now and then, and what may happen between them."""

    def __init__(self, ledger: Ledger, connect: Callable[[Ledger], Ledger]) -> None:
        self.ledger = ledger
        self.connect = connect
        self.others = {name: MemoryLedger(name, ORIGIN) for name in (OTHER, THIRD)}
        self.new_chains = (f"77777777-7777-4777-8777-{n:012}" for n in itertools.count())

    def take(self, step: tuple[Any, ...]) -> None:
        name, *given_ = step
        getattr(self, name.replace(" ", "_"))(*given_)

    def append(self, drafts: list[Draft]) -> None:
        self.ledger.append(drafts)

    def append_one(self, one: Draft) -> None:
        self.ledger.append([one])

    def append_if(self, drafts: list[Draft]) -> None:
        found = self.ledger.document("transaction", T)
        if found is None:
            self.ledger.append(drafts, [Expect("transaction", T, None)])
            return
        self.ledger.append(drafts, [Expect("transaction", T, found.clock)])
        with pytest.raises(Conflict):
            self.ledger.append(drafts, [Expect("transaction", T, found.clock - 1)])

    def elsewhere(self, name: str, drafts: list[Draft]) -> None:
        self.others[name].append(drafts)

    def meet(self, name: str, both_ways: bool) -> None:
        self.ledger.merge([*self.others[name].events()], merged())
        if both_ways:
            self.others[name].merge([*self.ledger.events()], merged())

    def erase(self, number: int) -> None:
        events = list(self.ledger.events())
        if events:
            event = events[number % len(events)]
            if event.kind not in UNERASABLE:
                self.ledger.erase(Ref(event.ledger_id, event.seq), redaction(event))

    def erase_elsewhere(self, name: str, number: int) -> None:
        other, self.ledger = self.ledger, self.others[name]
        try:
            self.erase(number)
        finally:
            self.ledger = other

    def begin(self) -> None:
        self.ledger.begin(next(self.new_chains), ORIGIN, continuing(self.ledger))

    def begin_anew(self) -> None:
        """With no word of what it goes on from: then nothing before it is the store's own."""
        self.ledger.begin(next(self.new_chains), ORIGIN, draft("ledger.opened", p.LedgerOpened("copied")))

    def rebuild(self) -> None:
        self.ledger.rebuild()

    def reconnect(self) -> None:
        old, self.ledger = self.ledger, self.connect(self.ledger)
        if old is not self.ledger:
            old.close()


def run(store: StoreUnderTest, steps: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory(dir=FAST if os.access(FAST, os.W_OK) else None) as folder:
        _run(Machine(store.create(Path(folder), OWN), store.connect), steps)


def _run(machine: Machine, steps: list[tuple[Any, ...]]) -> None:
    try:
        erased: set[tuple[str, int]] = set()
        clock = 0
        for step in steps:
            machine.take(step)
            erased |= _assert_nothing_came_back(machine.ledger, erased)
            assert machine.ledger.head().clock >= clock
            clock = machine.ledger.head().clock
        assert_sound(machine.ledger)
        _assert_same_elsewhere(machine.ledger)
    finally:
        machine.ledger.close()


def _assert_nothing_came_back(ledger: Ledger, erased: set[tuple[str, int]]) -> set[tuple[str, int]]:
    now = {(event.ledger_id, event.seq) for event in ledger.events() if event.absent == "redacted"}
    assert erased <= now
    return now


def _assert_same_elsewhere(ledger: Ledger) -> None:
    """A store that is restored from these events, and goes on from them, has the same state."""
    with closing(MemoryLedger(OTHER[:-1] + "9", ORIGIN)) as fresh:
        fresh.merge(list(ledger.events()), continuing(ledger, "restored"))
        assert documents_in(fresh) == documents_in(ledger)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(STEPS, max_size=14))
def test_it_is_sound(store: StoreUnderTest, steps: list[tuple[Any, ...]]) -> None:
    run(store, steps)


@pytest.mark.long
@settings(max_examples=1500, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(STEPS, max_size=40))
def test_it_is_sound_for_long(store: StoreUnderTest, steps: list[tuple[Any, ...]]) -> None:
    run(store, steps)


def test_two_machines_that_met_have_the_same_state(store: StoreUnderTest, tmp_path: Path) -> None:
    """Merging is union: whoever meets whom first, the events, their order and what the machines share are the same. A
    transaction stays its holder's: the other machine has it under the holder's name."""
    with closing(store.create(tmp_path, OWN)) as here:
        there = MemoryLedger(OTHER, ORIGIN)
        here.append([_draft("transaction.opened", T, A), _draft("file.read", T, A), goal(1)])
        there.append([_draft("transaction.opened", U, B), _draft("transaction.closed", U, B), goal(2), done(2)])
        here.merge(list(there.events()), merged())
        there.merge(list(here.events()), merged())
        here.merge(list(there.events()), draft("unheard.of", {}))
        ours = [event for event in here.events() if event.kind != "unheard.of"]
        assert ours == list(there.events())
        assert here.documents("goal") == there.documents("goal")
        assert [d.body for d in here.documents("other_transaction")] == [d.body for d in there.documents("transaction")]
        assert [d.body for d in there.documents("other_transaction")] == [d.body for d in here.documents("transaction")]


def _draft(kind: str, transaction: str, instance: str) -> Draft:
    return draft(kind, _PAYLOADS[kind][0], transaction_id=transaction, instance_id=instance, session_id=S)


def test_a_store_that_refuses_goes_on_as_before(store: StoreUnderTest, tmp_path: Path) -> None:
    with closing(store.create(tmp_path, OWN)) as ledger:
        ledger.append([_draft("transaction.opened", T, A)])
        events = list(ledger.events())
        with pytest.raises(Refused):
            ledger.merge([gone(events[0], None)], merged())
        assert list(ledger.events()) == events
        assert_sound(ledger)
