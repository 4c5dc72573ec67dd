"""The real actions, over real SQLite, driven at random against an independent model of SPEC 4
(`transaction_model.py`).

Two projects, three instances, two agents. Instances come and go between the projects, sessions begin and end, desks are
left without a word, transaction files vanish or are garbled, the clock runs on and jumps back. After every step each
instance's transaction, the open ones, the orphans and the files on disk are what the model says.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from perdure.actions import (
    attribution,
    decisions,
    goals,
    healing,
    notes,
    projects,
    sessions,
    transaction_lookup,
    transactions,
)
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import Refused
from perdure.model import payload as p
from perdure.model.event import USER, Event, Ref
from perdure.model.moment import Moment
from perdure.model.value import replace
from perdure.place.resolve import Explicit
from perdure.views import transaction_file

from . import transaction_model

FAST = "/dev/shm"
"""Where there is one: a random walk needs SQLite, not a disk."""
ROOTS = ("shop", "mill")
AGENTS = {"left": "ann", "right": "ann", "third": "bob"}
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000

INSTANCES = st.sampled_from(["left", "left", "left", "right", "third"])
"""One of them is busy, so that lives are long as well as many."""
NUMBERS = [(0.9, 0.1), (0.8, 0.2), (0.75, 0.3), (0.7, 0.35), (0.69, 0.1), (0.9, 0.36), (0.2, 0.9), (1.0, 0.0)]
OTHERS = st.sampled_from([{}, {"do": 0.5, "context": 1.0}, {"completion": 0.5}, {"completion": 1.0, "impact": 0.0}])
VECTORS = st.builds(
    lambda pair, others: {"know": pair[0], "uncertainty": pair[1], **others}, st.sampled_from(NUMBERS), OTHERS
)
FAILING = st.builds(lambda pair: {"know": pair[0], "uncertainty": pair[1]}, st.sampled_from(NUMBERS[4:7]))
PASSING = st.builds(lambda pair: {"know": pair[0], "uncertainty": pair[1]}, st.sampled_from(NUMBERS[:4]))
NUMBER = st.integers(0, 1000)
LEARNING: list[tuple[str, Any]] = [
    ("file.read", p.FileRead("a.py")),
    ("search.made", p.SearchMade("def main")),
    ("prompt.given", p.PromptGiven("yes, that one")),
]
EVIDENCE: list[tuple[str, Any]] = [
    ("test.run", p.TestRun("pytest", 3, 0)),
    ("test.run", p.TestRun("pytest", 2, 1)),
    ("claim.verified", p.ClaimVerified("it parses")),
    ("claim.refuted", p.ClaimRefuted("it parses")),
    ("scenario.met", p.ScenarioMet("happy")),
    ("scenario.missed", p.ScenarioMissed("edge")),
    ("edit.made", p.EditMade("a.py")),
    ("edit.reverted", p.EditReverted("a.py")),
]


def said(vectors: dict[str, float], **more: Any) -> SelfAssessment:
    return SelfAssessment(dict(vectors), "because", **more)


class Work(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.now = 1_767_225_600_000
        self._folder = TemporaryDirectory(dir=FAST if os.access(FAST, os.W_OK) else None)
        self.base = os.path.realpath(self._folder.name)
        self.environment = {"HOME": f"{self.base}/person", "PERDURE_HOME": f"{self.base}/home"}
        self.roots = {name: f"{self.base}/{name}" for name in ROOTS}
        self.model = {name: transaction_model.Project() for name in ROOTS}
        self.at = dict.fromkeys(AGENTS, ROOTS[0])
        self.damaged: set[tuple[str, str]] = set()
        self.desks: dict[tuple[str, str], Desk] = {}

    @initialize()
    def begin(self) -> None:
        with _without_git():
            for name, root in self.roots.items():
                os.mkdir(root)
                projects.init(self.request(name, "left"), root, name)
        for name in ROOTS:
            for instance in AGENTS:
                self.desks[name, instance] = open_desk(self.request(name, instance))
        self.ids = {instance: self.desks[ROOTS[0], instance].seat.instance_id for instance in AGENTS}

    def teardown(self) -> None:
        for desk in self.desks.values():
            desk.close()
        self._folder.cleanup()

    # -- how the actions are reached -----------------------------------------------------------------------------------

    def request(self, project: str, instance: str, *, is_named: bool = True, actor: str = "") -> Request:
        """`is_named`: with `--project-path`. Without, an instance is found where its transaction is open."""
        return Request(
            self.roots[project],
            self.environment,
            Explicit(instance=instance, project_path=str(self.roots[project]) if is_named else None),
            actor=actor or AGENTS[instance],
            now=lambda: Moment(self.now),
        )

    def here(self, instance: str) -> transaction_model.Project:
        return self.model[self.at[instance]]

    @contextmanager
    def desk(self, instance: str, project: str | None = None, *, fresh: bool = True) -> Iterator[Desk]:
        """As a command has it, for one act; or as a long-lived process has it, for many."""
        project = project or self.at[instance]
        if not fresh:
            yield self.desks[project, instance]
            return
        with open_desk(self.request(project, instance)) as desk:
            yield desk

    def refused(self, code: str, work: Callable[[], object]) -> Refused:
        before = self.heads()
        with pytest.raises(Refused) as caught:
            work()
        assert caught.value.code == code
        assert self.heads() == before, "refused: nothing was written"
        return caught.value

    def heads(self) -> list[object]:
        return [self.desks[name, "left"].ledger.head() for name in ROOTS]

    def last(self, desk: Desk) -> Event:
        head = desk.ledger.head()
        found = desk.ledger.event(Ref(head.ledger_id, head.seq))
        assert found is not None
        return found

    def any_transaction(self, project: str, number: int) -> transaction_model.Transaction | None:
        there = list(self.model[project].transactions.values())
        return there[number % len(there)] if there else None

    # -- sessions and places -------------------------------------------------------------------------------------------

    @rule(instance=INSTANCES, fresh=st.booleans())
    def start_a_session(self, instance: str, fresh: bool) -> None:
        with self.desk(instance, fresh=fresh) as desk:
            made = sessions.start(desk)
        here = self.here(instance)
        before = here.session.get(instance)
        if before:
            assert made.parent_id == before
        here.session.pop(instance, None)
        here.begins(instance, made.id)

    @rule(instance=INSTANCES, fresh=st.booleans())
    def end_the_session(self, instance: str, fresh: bool) -> None:
        here = self.here(instance)
        with self.desk(instance, fresh=fresh) as desk:
            if instance not in here.session:
                self.refused("no_session", lambda: sessions.end(desk, None, "exit"))
                return
            ended = sessions.end(desk, None, "exit")
        assert ended.id == here.session.pop(instance)
        assert ended.ended_at == self.now

    @rule(instance=INSTANCES)
    def switch(self, instance: str) -> None:
        self.at[instance] = ROOTS[1 - ROOTS.index(self.at[instance])]

    # -- the three transitions -----------------------------------------------------------------------------------------

    @rule(instance=INSTANCES, vectors=VECTORS, fresh=st.booleans(), goal=st.sampled_from([None, None, "ship", "mend"]))
    def preflight(self, instance: str, vectors: dict[str, float], fresh: bool, goal: str | None) -> None:
        here, agent = self.here(instance), AGENTS[instance]
        before = here.held_by(instance)
        with self.desk(instance, fresh=fresh) as desk:
            if before:
                error = self.refused("transaction_open", lambda: transactions.preflight(desk, said(vectors)))
                assert error.details["transaction_id"] == before.id
                self._is_mended(self.at[instance])
                return
            expected, off = here.preflight_decides(vectors, agent, instance), here.corrections(agent)
            opened = transactions.preflight(desk, said(vectors, goal=goal))
        found, decision = opened.transaction, opened.assessment.decision
        assert decision in expected
        applied = opened.assessment.correction
        assert all(applied.values())
        for name, by in off.items():
            assert abs(applied.get(name, 0) - by) <= Fraction(51, 1_000_000), "rounded to four places"
        left_open = {each.transaction.id for each in opened.orphans}
        assert here.surely_orphaned(self.now) <= left_open <= here.perhaps_orphaned(self.now)
        assert found.id not in here.transactions
        here.acts(instance, found.preflight_session_id)
        opened_by = vectors if decision == "proceed" else None
        session = found.preflight_session_id
        here.opened(
            transaction_model.Transaction(
                id=found.id,
                holder=instance,
                agent=agent,
                sessions=[session],
                touched=self.now,
                decision=decision,
                opened_by=opened_by,
            )
        )
        self.damaged.discard((self.at[instance], instance))
        if goal:
            here.goals.setdefault(goal, str(found.goal_id))
            assert found.goal_id == here.goals[goal], "the same words name the same goal"

    @rule(instance=INSTANCES, vectors=VECTORS, fresh=st.booleans())
    def check(self, instance: str, vectors: dict[str, float], fresh: bool) -> None:
        here = self.here(instance)
        before = here.held_by(instance)
        with self.desk(instance, fresh=fresh) as desk:
            if before is None:
                self.refused("no_open_transaction", lambda: transactions.check(desk, said(vectors)))
                return
            expected = here.check_decides(before, vectors)
            checked = transactions.check(desk, said(vectors))
            session = str(self.last(desk).session_id)
        assert checked.transaction.id == before.id
        assert checked.assessment.decision in expected
        if checked.assessment.decision == "investigate":
            assert checked.assessment.shortfalls, "with the vectors that failed and what would raise them"
        here.acts(instance, session)
        here.checked(before, vectors, checked.assessment.decision, session, self.now)
        self.damaged.discard((self.at[instance], instance))

    @rule(instance=INSTANCES, vectors=VECTORS)
    def postflight(self, instance: str, vectors: dict[str, float]) -> None:
        """Of what is held here; else of the only one held anywhere (4.4). One whose file was never written, or is
        damaged, gives way to one that can be seen."""
        project = self.at[instance]
        request = self.request(project, instance, is_named=False)
        other = ROOTS[1 - ROOTS.index(project)]
        holding = [root for root in (project, other) if self.model[root].held_by(instance)]
        seen = [root for root in holding if self._shows_open(root, instance)]
        project = (seen or holding or [project])[0]
        before = self.model[project].held_by(instance)
        if before is None:
            error = self.refused("no_open_transaction", lambda: transactions.postflight(request, said(vectors), None))
            assert error.message == "No open transaction. Run PREFLIGHT first."
            return
        self._closed(project, instance, before, transactions.postflight(request, said(vectors), None), vectors)

    @rule(instance=INSTANCES, vectors=VECTORS, project=st.sampled_from(ROOTS), number=NUMBER, length=st.integers(8, 36))
    def postflight_by_id(
        self, instance: str, vectors: dict[str, float], project: str, number: int, length: int
    ) -> None:
        """From any instance, in any project (4.4)."""
        named = self.any_transaction(project, number)
        if named is None:
            return
        request = self.request(self.at[instance], instance, is_named=False)
        if named.status == "closed":
            self.refused(
                "transaction_closed", lambda: transactions.postflight(request, said(vectors), named.id[:length])
            )
            return
        if named.holder != instance:  # an agent may not, of a named instance nobody can tell whether it is gone
            self.refused("for_people", lambda: transactions.postflight(request, said(vectors), named.id[:length]))
            request = self.request(self.at[instance], instance, is_named=False, actor=USER)
        closed = transactions.postflight(request, said(vectors), named.id[:length])
        self._closed(project, instance, named, closed, vectors)

    def _closed(
        self,
        project: str,
        instance: str,
        before: transaction_model.Transaction,
        closed: transactions.Closed,
        vectors: dict[str, float],
    ) -> None:
        there = self.model[project]
        assert closed.transaction.id == before.id
        session = str(closed.transaction.postflight_session_id)
        there.acts(instance, session)
        expected = there.errors(before, vectors)
        assert {name: error.signed for name, error in closed.calibration.items()} == pytest.approx(
            {name: float(error) for name, error in expected.items()}
        )
        there.closed(before, vectors, session)
        self.damaged.discard((project, before.holder))

    @rule(instance=INSTANCES, vectors=PASSING)
    def postflight_of_what_never_was(self, instance: str, vectors: dict[str, float]) -> None:
        request = self.request(self.at[instance], instance, is_named=False)
        nobody = "00000000-0000-4000-8000-000000000000"
        self.refused("no_such_transaction", lambda: transactions.postflight(request, said(vectors), nobody))

    # -- what is done under it -----------------------------------------------------------------------------------------

    @rule(instance=INSTANCES, what=st.sampled_from(LEARNING), fresh=st.booleans())
    def learn(self, instance: str, what: tuple[str, Any], fresh: bool) -> None:
        self._did(instance, what, fresh)

    @rule(instance=INSTANCES, what=st.lists(st.sampled_from(EVIDENCE), min_size=1, max_size=4), fresh=st.booleans())
    def gather_evidence(self, instance: str, what: list[tuple[str, Any]], fresh: bool) -> None:
        for each in what:
            self._did(instance, each, fresh)

    def _did(self, instance: str, what: tuple[str, Any], fresh: bool) -> None:
        kind, payload = what
        with self.desk(instance, fresh=fresh) as desk:
            event = attribution.record_event(desk, kind, payload)
        self._acted(instance, event, kind, getattr(payload, "failed", 0))

    def _acted(self, instance: str, event: Event, kind: str, failed: int = 0) -> None:
        here = self.here(instance)
        held = here.held_by(instance)
        session = str(event.session_id)
        here.acts(instance, session)
        assert event.transaction_id == (held.id if held else None), "under this instance's transaction and no other's"
        assert event.instance_id == self.ids[instance]
        here.learns(instance, kind, held)
        if held:
            here.observed(held, kind, failed, session, self.now)

    @rule(instance=INSTANCES, kind=st.sampled_from(["finding", "question", "next"]), fresh=st.booleans())
    def note(self, instance: str, kind: str, fresh: bool) -> None:
        with self.desk(instance, fresh=fresh) as desk:
            made = notes.add(desk, kind, "something")
            self._acted(instance, self.last(desk), f"note.{kind}")
        if kind != "finding":
            self.here(instance).notes.add(made.id)

    @rule(instance=INSTANCES, number=NUMBER)
    def close_a_note(self, instance: str, number: int) -> None:
        here = self.here(instance)
        if not here.notes:
            return
        note_id = sorted(here.notes)[number % len(here.notes)]
        with self.desk(instance) as desk:
            notes.close(desk, note_id, None)
            self._acted(instance, self.last(desk), "note.closed")
            self.refused("note_closed", lambda: notes.close(desk, note_id, None))
        here.notes.remove(note_id)

    @rule(instance=INSTANCES, title=st.sampled_from(["ship", "mend", "rest"]), fresh=st.booleans())
    def goal(self, instance: str, title: str, fresh: bool) -> None:
        here = self.here(instance)
        with self.desk(instance, fresh=fresh) as desk:
            if title in here.goals:
                self.refused("goal_exists", lambda: goals.create(desk, title))
                return
            made = goals.create(desk, title)
            event = self.last(desk)
        held = here.held_by(instance)
        assert made.transaction_id == (held.id if held else None), "goals take the active transaction by themselves"
        here.goals[title] = made.id
        self._acted(instance, event, "goal.created")

    @rule(instance=INSTANCES, number=NUMBER)
    def finish_a_goal(self, instance: str, number: int) -> None:
        here = self.here(instance)
        if not here.goals:
            return
        title = sorted(here.goals)[number % len(here.goals)]
        with self.desk(instance) as desk:
            goals.done(desk, here.goals[title], None)
            self._acted(instance, self.last(desk), "goal.done")
        del here.goals[title]

    @rule(instance=INSTANCES, again=st.booleans(), fresh=st.booleans())
    def decide(self, instance: str, again: bool, fresh: bool) -> None:
        with self.desk(instance, fresh=fresh) as desk:
            before = decisions.latest(desk, 1)
            supersedes = before[0].id if again and before else None
            made = decisions.decide(desk, p.DecisionMade(f"at {self.now}", supersedes=supersedes))
            self._acted(instance, self.last(desk), "decision.made")
            newest = decisions.latest(desk, 2)
        assert newest[0].id == made.id
        if supersedes:
            assert newest[1].superseded_by == made.id

    # -- stretches of work, so that the walk gets somewhere ------------------------------------------------------------

    @rule(instance=INSTANCES, low=FAILING, high=PASSING, learned=st.booleans(), fresh=st.booleans())
    def ask_again(
        self, instance: str, low: dict[str, float], high: dict[str, float], learned: bool, fresh: bool
    ) -> None:
        """Raising a number alone gives the same answer; having learned something may give another (4.3)."""
        if self.here(instance).held_by(instance) is None:
            self.preflight(instance, low, fresh, None)
        else:
            self.check(instance, low, fresh)
        if learned:
            self._did(instance, LEARNING[0], fresh)
        self.check(instance, high, fresh)

    @rule(
        instance=INSTANCES,
        before=VECTORS,
        what=st.lists(st.sampled_from(EVIDENCE), min_size=1, max_size=5),
        after=VECTORS,
        fresh=st.booleans(),
    )
    def work_a_transaction_through(
        self, instance: str, before: Any, what: list[tuple[str, Any]], after: Any, fresh: bool
    ) -> None:
        if self.here(instance).held_by(instance) is None:
            self.preflight(instance, before, fresh, None)
        self.gather_evidence(instance, what, fresh)
        self.postflight(instance, after)

    @rule(
        instance=INSTANCES, first=st.sampled_from([MINUTE, HOUR]), then=st.sampled_from([22 * HOUR, 23 * HOUR + MINUTE])
    )
    def touch_it_once_in_a_day(self, instance: str, first: int, then: int) -> None:
        self.time_passes(first)
        self.note(instance, "finding", True)
        self.time_passes(then)

    # -- taking over ---------------------------------------------------------------------------------------------------

    @rule(instance=INSTANCES, number=NUMBER, fresh=st.booleans())
    def adopt(self, instance: str, number: int, fresh: bool) -> None:
        here, project = self.here(instance), self.at[instance]
        named = self.any_transaction(project, number)
        if named is None:
            return
        own = here.held_by(instance)
        with self.desk(instance, fresh=fresh) as desk:
            if named.status == "closed":
                self.refused("transaction_closed", lambda: transactions.adopt(desk, named.id))
                return
            if own:
                code = "already_yours" if own is named else "transaction_open"
                self.refused(code, lambda: transactions.adopt(desk, named.id))
                return
            self.refused("for_people", lambda: transactions.adopt(desk, named.id))
        with open_desk(self.request(project, instance, actor=USER)) as desk:
            held = transactions.adopt(desk, named.id[:8])
            session = str(self.last(desk).session_id)
        assert held.mine
        here.acts(instance, session)
        self.damaged.discard((project, named.holder))
        here.adopted(named, instance, session, self.now)
        self.damaged.discard((project, instance))

    @rule(instance=INSTANCES, number=NUMBER, by_id=st.booleans())
    def override(self, instance: str, number: int, by_id: bool) -> None:
        here, project = self.here(instance), self.at[instance]
        named = self.any_transaction(project, number) if by_id else here.held_by(instance)
        with self.desk(instance) as desk:
            if named is None:
                if not by_id:
                    self.refused("no_open_transaction", lambda: transactions.override(desk, None, "I say so"))
                return
            typed = named.id if by_id else None
            if named.status == "closed":
                self.refused("transaction_closed", lambda: transactions.override(desk, typed, "I say so"))
                return
            if named.holder != instance:
                self.refused("for_people", lambda: transactions.override(desk, typed, "I say so"))
        with open_desk(self.request(project, instance, actor=USER)) as desk:
            held = transactions.override(desk, typed, "I say so")
            here.acts(instance, str(self.last(desk).session_id))
        assert held.transaction.passes
        named.overridden = True
        here.touches(named, self.now)
        self.damaged.discard((project, named.holder))

    @rule(instance=INSTANCES)
    def put_orphans_away(self, instance: str) -> None:
        here, project = self.here(instance), self.at[instance]
        sure, perhaps = here.surely_orphaned(self.now), here.perhaps_orphaned(self.now)
        with self.desk(instance) as desk:
            closed = {each.transaction.id for each in transactions.close_orphans(desk)}
        assert sure <= closed <= perhaps
        for transaction_id in closed:
            orphan = here.transactions[transaction_id]
            here.closed(orphan, None, None)
            self.damaged.discard((project, orphan.holder))

    # -- what befalls it -----------------------------------------------------------------------------------------------

    @rule(by=st.sampled_from([1000, MINUTE - 1, 5 * MINUTE, HOUR, 23 * HOUR, DAY - MINUTE, DAY, -10 * MINUTE]))
    def time_passes(self, by: int) -> None:
        self.now += by

    @rule(instance=INSTANCES, vectors=PASSING)
    def die_after_opening(self, instance: str, vectors: dict[str, float]) -> None:
        """On record, and dead before the file was written: what stood there before stands there still (4.1)."""
        here, project = self.here(instance), self.at[instance]
        if here.held_by(instance):
            return
        path, before = self._file(project, instance)
        desk = open_desk(self.request(project, instance))
        opened = transactions.preflight(desk, said(vectors)).transaction
        desk.ledger.close()  # nothing else: no backup, no word
        _put_back(path, before)
        session = opened.preflight_session_id
        here.acts(instance, session)
        opened_by = vectors if opened.decision == "proceed" else None
        agent = AGENTS[instance]
        here.opened(
            transaction_model.Transaction(
                id=opened.id,
                holder=instance,
                agent=agent,
                sessions=[session],
                touched=self.now,
                decision=opened.decision,
                opened_by=opened_by,
            )
        )
        self.damaged.add((project, instance))
        assert not self._allows(project, instance)

    @rule(instance=INSTANCES)
    def die_in_closing(self, instance: str) -> None:
        """The file is shut, the ledger was not told (4.1)."""
        project = self.at[instance]
        if self.here(instance).held_by(instance) is None:
            return
        desk = open_desk(self.request(project, instance))
        own = attribution.own_open_transaction(desk)
        assert own is not None
        transaction_file.write(desk.folder, replace(own, status="closed"), desk.key)
        desk.ledger.close()
        self.damaged.add((project, instance))
        assert not self._allows(project, instance)

    @rule(instance=INSTANCES, how=st.sampled_from(["gone", "empty", "torn", "garbage", "another's"]))
    def damage_a_file(self, instance: str, how: str) -> None:
        project = self.at[instance]
        path, before = self._file(project, instance)
        if before is None:
            return
        other = {"empty": b"", "torn": before[: len(before) // 2], "garbage": b"\xff\x00{", "another's": b"{}\n"}
        _put_back(path, other.get(how))
        self.damaged.add((project, instance))

    @rule(project=st.sampled_from(ROOTS))
    def heal(self, project: str) -> None:
        with _without_git():
            healed = healing.heal(self.request(project, "left"), lambda _count: None)
        assert healed.is_whole
        assert not healed.lost
        self._is_mended(project)

    def _is_mended(self, project: str) -> None:
        """All files of the project were written again: `heal` does that, and a PREFLIGHT that is refused because a
        transaction is open."""
        self.damaged = {(where, instance) for where, instance in self.damaged if where != project}

    @precondition(lambda self: not self.damaged)
    @rule(project=st.sampled_from(ROOTS), seed=st.integers(0, 99))
    def lose_files_and_heal(self, project: str, seed: int) -> None:
        """A view can be deleted at any time and is written again byte for byte (2.1)."""
        folder = Path(self.roots[project], ".perdure")
        before = {path: path.read_bytes() for path in folder.glob("active_transaction*.json")}
        dice = random.Random(seed)
        for path in before:
            if dice.random() < 0.5:
                path.unlink()
            elif dice.random() < 0.5:
                path.write_bytes(path.read_bytes().replace(b"open", b"OPEN").replace(b"closed", b"open"))
        (folder / "active_transaction_forged.json").write_bytes(b'{"status": "open"}')
        self.heal(project)
        assert {path: path.read_bytes() for path in folder.glob("active_transaction*.json")} == before

    @rule(project=st.sampled_from(ROOTS))
    def fold_anew(self, project: str) -> None:
        """State is a fold over events (2.1); the files rendered from it must not change either."""
        self.desks[project, "left"].ledger.rebuild()
        desk = self.desks[project, "left"]
        for instance, transaction_id in self.model[project].shown.items():
            found = desk.ledger.document("transaction", transaction_id)
            assert found is not None
            if (project, instance) not in self.damaged:
                assert transaction_file.is_current(desk.folder, found.body, desk.key)  # type: ignore[arg-type]

    # -- what must hold ------------------------------------------------------------------------------------------------

    def _file(self, project: str, instance: str) -> tuple[Path, bytes | None]:
        path = Path(self.roots[project], ".perdure", f"active_transaction_{self.ids[instance][:8]}.json")
        return path, path.read_bytes() if path.exists() else None

    def _shows_open(self, project: str, instance: str, passes: tuple[bool, ...] = (True, False)) -> bool:
        """Whether the file on the disk shows the open transaction of this instance. A damaged file may have been
        written again since, by anything that changed the transaction."""
        _, content = self._file(project, instance)
        try:
            shown = json.loads(content or b"null")
            mine = self.model[project].held_by(instance)
            is_open = mine is not None and shown["transaction_id"] == mine.id and shown["status"] == "open"
            return is_open and shown["gate"]["passes"] in passes
        except (ValueError, TypeError, KeyError):
            return False

    def _allows(self, project: str, instance: str) -> bool:
        """What a gate would read: an open transaction of this instance whose file says that it passes."""
        return self._shows_open(project, instance, passes=(True,))

    @invariant()
    def every_instance_has_the_transaction_it_should(self) -> None:
        for (project, instance), desk in self.desks.items():
            expected = self.model[project].held_by(instance)
            current = transaction_lookup.current(desk)
            assert (current.transaction.id if current else None) == (expected.id if expected else None)
            if current and expected:
                found = current.transaction
                assert current.mine
                assert found.status == "open"
                assert found.decision == expected.decision
                assert found.passes == expected.passes
                assert list(found.sessions) == expected.sessions
                assert found.instance_id == self.ids[instance]
                assert found.project_path == self.roots[project]

    @invariant()
    def the_open_ones_are_listed_and_the_orphans_among_them(self) -> None:
        for project in ROOTS if self.desks else ():
            there, desk = self.model[project], self.desks[project, "third"]
            listed = transaction_lookup.all_open(desk)
            assert {each.transaction.id for each in listed} == {t.id for t in there.open_ones()}
            orphans = {each.transaction.id for each in transaction_lookup.orphans(desk)}
            assert there.surely_orphaned(self.now) <= orphans <= there.perhaps_orphaned(self.now)

    @invariant()
    def the_files_say_what_the_ledger_says(self) -> None:
        for project, instance in self.desks:
            if (project, instance) in self.damaged:
                continue
            path, content = self._file(project, instance)
            expected = self.model[project].shown.get(instance)
            if expected is None:
                assert content is None
                continue
            t = self.model[project].transactions[expected]
            assert content is not None, path
            shown = json.loads(content)
            assert shown["transaction_id"] == t.id
            assert shown["instance_id"] == self.ids[instance]
            assert (shown["status"], shown["sessions"]) == (t.status, t.sessions)
            assert (shown["gate"]["passes"], shown["gate"]["decision"]) == (t.passes, t.decision)
            assert shown["postflight_session_id"] == t.closed_in
            assert path.stat().st_mode & 0o777 == 0o600

    @invariant()
    def what_was_put_away_stays_away(self) -> None:
        for project in ROOTS if self.desks else ():
            there, desk = self.model[project], self.desks[project, "left"]
            assert {goal.id for goal in goals.listed(desk)} == set(there.goals.values())
            assert {note.id for note in notes.open_ones(desk)} == there.notes
            for t in there.transactions.values():
                if t.status == "closed":
                    found = transaction_lookup.show(desk, t.id).transaction
                    assert (found.status, found.assessed, list(found.sessions)) == ("closed", t.assessed, t.sessions)

    @invariant()
    def sessions_know_what_they_are_in_the_middle_of(self) -> None:
        for (project, instance), desk in self.desks.items():
            there = self.model[project]
            session = there.session.get(instance)
            if session is None:
                continue
            found = sessions.show(desk, session)
            assert found.ended_at is None
            open_in = [t.id for t in there.open_ones() if session in t.sessions]
            if found.active_transaction_id:
                assert found.active_transaction_id in open_in
                assert found.transaction_project_path == self.roots[project]


def _put_back(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(content)


@contextmanager
def _without_git() -> Iterator[None]:
    """These folders are no repositories; asking git so costs more than all the rest."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = ""
    try:
        yield
    finally:
        os.environ["PATH"] = before


COMMON: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
}


class WorkOnce(Work):
    """Half of the examples, so that two workers share them."""


TestWork = Work.TestCase
TestWork.settings = settings(max_examples=15, stateful_step_count=30, **COMMON)
TestWorkAgain = WorkOnce.TestCase
TestWorkAgain.settings = settings(max_examples=15, stateful_step_count=30, **COMMON)


@pytest.fixture
def work() -> Iterator[Work]:
    made = Work()
    made.begin()
    yield made
    made.teardown()


SURE = {"know": 0.9, "uncertainty": 0.1}


@pytest.mark.parametrize("mended_by", ["a PREFLIGHT that is refused", "a CHECK", "heal"])
def test_a_postflight_closes_what_is_open_here_as_soon_as_its_file_is_written_again(work: Work, mended_by: str) -> None:
    """A walk that WorkForLong found: one is open here, whose file was never written, and one in the other project."""
    work.die_after_opening("left", SURE)
    here = work.model["shop"].held_by("left")
    work.switch("left")
    work.preflight("left", SURE, fresh=False, goal=None)
    work.switch("left")
    if mended_by == "heal":
        work.heal("shop")
    elif mended_by == "a CHECK":
        work.check("left", SURE, fresh=True)
    else:
        work.preflight("left", SURE, fresh=False, goal=None)
    work.the_files_say_what_the_ledger_says()
    work.postflight("left", SURE)
    assert here is not None
    assert here.status == "closed"
    assert work.model["mill"].held_by("left") is not None


def test_a_postflight_closes_the_only_one_that_can_be_seen(work: Work) -> None:
    work.die_after_opening("left", SURE)
    work.switch("left")
    work.preflight("left", SURE, fresh=False, goal=None)
    work.switch("left")
    work.postflight("left", SURE)
    assert work.model["mill"].held_by("left") is None
    assert work.model["shop"].held_by("left") is not None


class WorkForLong(Work):
    """Longer lives."""


TestWorkForLong = pytest.mark.timeout(1800)(pytest.mark.long(WorkForLong.TestCase))
TestWorkForLong.settings = settings(max_examples=600, stateful_step_count=80, **COMMON)
