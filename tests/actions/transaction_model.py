"""An independent model of transactions (SPEC 4). `test_state_machine.py` compares Perdure with it: what a project's
transactions must be after whatever was done. It shares no code with Perdure.

Times are whole milliseconds. Numbers are fractions, so that nothing here rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
KNOW, DOUBT = Fraction("0.70"), Fraction("0.35")
LEARNED = {"file.read", "search.made", "claim.verified", "prompt.given", "test.run"}


def exact(number: float) -> Fraction:
    """The number a person wrote: 0.7 is seven tenths."""
    return Fraction(repr(number))


@dataclass
class Track:
    """How far an agent was off, in one vector (4.5, 4.7)."""

    errors: list[Fraction] = field(default_factory=list)

    @property
    def correction(self) -> Fraction:
        if not self.errors:
            return Fraction(0)
        n = len(self.errors)
        shrunk = sum(self.errors) / n * n / (n + 5)
        return max(Fraction(-15, 100), min(Fraction(15, 100), shrunk))


@dataclass
class Evidence:
    good: int = 0
    bad: int = 0
    met: int = 0
    missed: int = 0
    last_test: bool | None = None

    def take(self, kind: str, failed: int) -> None:
        if kind == "test.run":
            self.last_test = failed == 0
        if kind == "claim.verified" or (kind == "test.run" and not failed):
            self.good += 1
        if kind in ("claim.refuted", "edit.reverted") or (kind == "test.run" and failed):
            self.bad += 1
        self.met += kind == "scenario.met"
        self.missed += kind == "scenario.missed"

    def supports(self) -> dict[str, Fraction]:
        found: dict[str, Fraction] = {}
        if self.good + self.bad:
            found["know"] = Fraction(self.good, self.good + self.bad)
            found["uncertainty"] = Fraction(self.bad, self.good + self.bad)
        parts = [] if self.last_test is None else [Fraction(int(self.last_test))]
        if self.met + self.missed:
            parts.append(Fraction(self.met, self.met + self.missed))
        if parts:
            found["completion"] = sum(parts, Fraction(0)) / len(parts)
        return found


@dataclass(kw_only=True)
class Transaction:
    id: str
    holder: str
    agent: str
    sessions: list[str]
    touched: int
    decision: str
    opened_by: dict[str, float] | None
    """The vectors of the last assessment that opened the gate."""
    status: str = "open"
    overridden: bool = False
    evidence: Evidence = field(default_factory=Evidence)
    closed_in: str | None = None
    assessed: bool | None = None

    @property
    def passes(self) -> bool:
        return self.overridden or self.decision == "proceed"


@dataclass
class Project:
    transactions: dict[str, Transaction] = field(default_factory=dict)
    session: dict[str, str] = field(default_factory=dict)
    """An instance's session that has not ended."""
    known_sessions: set[str] = field(default_factory=set)
    record: dict[tuple[str, str], Track] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    """The transaction that stands in an instance's file."""
    log: list[tuple[str, str | None, str]] = field(default_factory=list)
    """Each assessment and each thing learned, in order: the decision or `learned`, the transaction, the instance."""
    has_finding: bool = False
    goals: dict[str, str] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)

    def held_by(self, instance: str) -> Transaction | None:
        held = [t for t in self.transactions.values() if t.status == "open" and t.holder == instance]
        assert len(held) <= 1, "one open transaction per project and instance (4.2)"
        return held[0] if held else None

    def open_ones(self) -> list[Transaction]:
        return [t for t in self.transactions.values() if t.status == "open"]

    def surely_orphaned(self, now: int) -> set[str]:
        return {t.id for t in self.open_ones() if now - t.touched >= DAY}

    def perhaps_orphaned(self, now: int) -> set[str]:
        """A touch may be a minute late on record."""
        return {t.id for t in self.open_ones() if now - t.touched >= DAY - MINUTE}

    # -- sessions ------------------------------------------------------------------------------------------------------

    def acts(self, instance: str, session: str) -> None:
        """Something was done by the instance in this session: its own, or one that began with the act."""
        if instance in self.session:
            assert session == self.session[instance], "the session goes on until it ends"
        else:
            self.begins(instance, session)

    def begins(self, instance: str, session: str) -> None:
        assert session not in self.known_sessions, "a new session has an id of its own"
        self.known_sessions.add(session)
        self.session[instance] = session

    # -- the gate ------------------------------------------------------------------------------------------------------

    def corrections(self, agent: str) -> dict[str, Fraction]:
        return {name: self.record.get((agent, name), Track()).correction for name in ("know", "uncertainty")}

    def decides(self, vectors: dict[str, float], agent: str) -> set[str]:
        """The decision; both where the corrected number stands within a hair of the threshold."""
        off = self.corrections(agent)
        margins = [
            exact(vectors["know"]) - off["know"] - KNOW,
            DOUBT - (exact(vectors["uncertainty"]) - off["uncertainty"]),
        ]
        if any(off.values()) and any(abs(margin) < Fraction(1, 10_000) for margin in margins):
            return {"proceed", "investigate"}
        # clamping to 0..1 changes no comparison with a threshold inside
        return {"proceed" if all(margin >= 0 for margin in margins) else "investigate"}

    # -- transitions ---------------------------------------------------------------------------------------------------

    def opened(self, t: Transaction) -> None:
        self.transactions[t.id] = t
        self.log.append((t.decision, t.id, t.holder))
        self.shown[t.holder] = t.id

    def check_decides(self, t: Transaction, vectors: dict[str, float]) -> set[str]:
        return self._unless_nothing_was_learned(self.decides(vectors, t.agent), t.holder, t)

    def preflight_decides(self, vectors: dict[str, float], agent: str, instance: str) -> set[str]:
        """A PREFLIGHT after an `investigate` is judged like a CHECK (4.3)."""
        return self._unless_nothing_was_learned(self.decides(vectors, agent), instance, None)

    def _unless_nothing_was_learned(self, computed: set[str], instance: str, of: Transaction | None) -> set[str]:
        learned: list[tuple[str | None, str]] = []
        for what, t, by in reversed(self.log):
            if what == "learned":
                learned.append((t, by))
            elif t == of.id if of else instance in (by, self.transactions[str(t)].holder):
                new = any(under == t or who == instance for under, who in learned)
                return computed if what == "proceed" or new else {"investigate"}
        return computed

    def checked(self, t: Transaction, vectors: dict[str, float], decision: str, session: str, now: int) -> None:
        t.decision = decision
        self.log.append((decision, t.id, t.holder))
        if decision == "proceed":
            t.opened_by = vectors
        self.joins(t, session)
        self.touches(t, now)

    def learns(self, instance: str, kind: str, t: Transaction | None) -> None:
        """Every finding here has the same words: only the first says something new."""
        is_new = kind == "note.finding" and not self.has_finding
        self.has_finding = self.has_finding or kind == "note.finding"
        if kind in LEARNED or is_new:
            self.log.append(("learned", t.id if t else None, instance))

    def observed(self, t: Transaction, kind: str, failed: int, session: str, now: int) -> None:
        t.evidence.take(kind, failed)
        self.joins(t, session)
        self.touches(t, now)

    def joins(self, t: Transaction, session: str) -> None:
        if session not in t.sessions:
            t.sessions.append(session)

    def touches(self, t: Transaction, now: int) -> None:
        t.touched = max(t.touched, now)

    def adopted(self, t: Transaction, by: str, session: str, now: int) -> None:
        if self.shown.get(t.holder) == t.id:
            del self.shown[t.holder]
        t.holder = by
        self.shown[by] = t.id
        self.joins(t, session)
        self.touches(t, now)

    def errors(self, t: Transaction, after: dict[str, float]) -> dict[str, Fraction]:
        opened_by = t.opened_by or {}
        stated = {name: exact(opened_by[name]) for name in ("know", "uncertainty") if name in opened_by}
        if "completion" in after:
            stated["completion"] = exact(after["completion"])
        return {name: stated[name] - there for name, there in t.evidence.supports().items() if name in stated}

    def closed(self, t: Transaction, after: dict[str, float] | None, session: str | None) -> None:
        t.status = "closed"
        t.assessed = after is not None
        if session:
            self.joins(t, session)
            t.closed_in = session
        if after is not None:
            for name, error in self.errors(t, after).items():
                self.record.setdefault((t.agent, name), Track()).errors.append(error)
