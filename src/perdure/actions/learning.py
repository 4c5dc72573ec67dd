"""Was something learned since an assessment that said `investigate`? (SPEC 4.3)

Raising a number alone does not open the gate. Neither does closing the transaction and opening another, or adopting one
that somebody else assessed: PREFLIGHT and the adoption are judged like a CHECK if the last assessment of the same
instance or lineage said `investigate` (docs/adr/0034). These count as learned,
if the ledger has them since: files read, searches, commands that showed something of the work or ran its tests
(`observing` decides that when it records a command), claims verified, a person's words; and noted findings and failed
approaches, if nobody had noted the same words before. What was imported opens nothing: another machine's events do not
count, whatever instance, session or transaction they name.

    nothing_learned_since_investigate(desk, session_id)   if True, a higher number gives `investigate` again
"""

from __future__ import annotations

from perdure.actions import sessions
from perdure.ledger.port import WrittenBy
from perdure.model import payload as p
from perdure.model.event import USER, in_order
from perdure.model.state import Session, Transaction, body_as, is_learning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.ids import SessionId, TransactionId

ASSESSMENTS = ("transaction.opened", "transaction.checked", "transaction.adopted")
"""What says whether the gate is open. An adoption says so only if it was held back."""
MOST_EVENTS = 500
"""How many of the latest events are read."""
FIRST_EVENTS = 20
"""How many are tried first: what was assessed just now is among the latest."""
MOST_SESSIONS = 1000
"""How many sessions of a lineage are read."""


def nothing_learned_since_investigate(
    desk: Desk, session_id: SessionId, transaction_id: TransactionId | None = None
) -> bool:
    """Whether the last assessment (of this transaction, or else of this instance and lineage) said `investigate` and
    nothing was learned since."""
    ours = _Ours(desk, session_id)
    last = _last_assessment(desk, ours, transaction_id)
    return last is not None and _decision(last) == "investigate" and not _learned_since(desk, ours, last)


class _Ours:
    """Which events belong to this instance, or to the lineage of its session."""

    def __init__(self, desk: Desk, session_id: SessionId) -> None:
        self._desk = desk
        self._roots: dict[str, str | None] = {}
        self._root = self._root_of(session_id)
        session = body_as(desk.ledger.document("session", session_id), Session)
        self._sessions = tuple(each.id for each in sessions.lineage(desk, session, MOST_SESSIONS))

    def has(self, event: Event) -> bool:
        if event.instance_id == self._desk.seat.instance_id:
            return True
        return event.session_id is not None and self._root is not None and self._root_of(event.session_id) == self._root

    def writers(self, transaction_id: str | None) -> WrittenBy:
        """This instance, the sessions of its lineage, and whoever writes in this transaction."""
        return WrittenBy(self._sessions, self._desk.seat.instance_id, transaction_id)

    def holds(self, transaction_id: TransactionId | None) -> bool:
        """An instance that adopts a transaction also takes over its assessment."""
        found = self._desk.ledger.document("transaction", transaction_id) if transaction_id else None
        body = found.body if found else None
        return isinstance(body, Transaction) and body.instance_id == self._desk.seat.instance_id

    def _root_of(self, session_id: str) -> str | None:
        """The first session of the lineage; None for a session that is not on record yet."""
        if session_id not in self._roots:
            found = self._desk.ledger.document("session", session_id)
            body = body_as(found, Session)
            *_, root = (None, *(each.id for each in sessions.lineage(self._desk, body, MOST_SESSIONS)))
            self._roots[session_id] = root
        return self._roots[session_id]


def _last_assessment(desk: Desk, ours: _Ours, transaction_id: TransactionId | None) -> Event | None:
    for event in _newest(desk, ours.writers(transaction_id), ASSESSMENTS, limits=(FIRST_EVENTS, MOST_EVENTS)):
        if _decision(event) is None:
            continue
        if transaction_id is None:
            counts = _counts_for_us(desk, ours, event)
        else:
            counts = event.transaction_id == transaction_id
        if counts:
            return event
    return None


def _newest(desk: Desk, ours: WrittenBy, kinds: Sequence[str], *, limits: Sequence[int]) -> Iterator[Event]:
    """The latest of everybody, step by step; and if these do not reach back far enough, the latest of ours."""
    for limit in limits:
        found = desk.latest_here(kinds, limit)
        yield from found
        if len(found) < limit:
            return
    yield from desk.latest_by(ours, kinds, MOST_EVENTS)


def _counts_for_us(desk: Desk, ours: _Ours, event: Event) -> bool:
    """Whether the event is of this instance or lineage, or of a transaction that the instance holds, and of the same
    sort of actor. A client names itself, so one client's name is as good as another's; but a person is not an agent."""
    was_person, is_person = (event.actor or USER) == USER, desk.actor == USER
    return was_person == is_person and (ours.has(event) or ours.holds(event.transaction_id))


def _decision(event: Event) -> str | None:
    """What an assessment said; None for an adoption that says nothing about the gate. An assessment whose payload was
    erased opens nothing."""
    said = p.read(event, p.TransactionOpened) or p.read(event, p.TransactionChecked)
    if said:
        return said.decision
    adopted = p.read(event, p.TransactionAdopted)
    return None if adopted and not adopted.held_back else "investigate"


def _learned_since(desk: Desk, ours: _Ours, last: Event) -> bool:
    kinds = (*p.LEARNED, *p.LEARNED_NOTES, "command.run")
    for event in _newest(desk, ours.writers(last.transaction_id), kinds, limits=(MOST_EVENTS,)):
        if in_order(event) <= in_order(last):
            return False
        concerns = event.transaction_id == last.transaction_id or ours.has(event)
        if concerns and (is_learning(event) or _is_new_note(desk, event)):
            return True
    return False


def _is_new_note(desk: Desk, event: Event) -> bool:
    """Whether a finding or failed approach says something, and says it for the first time."""
    words = _words(event) if event.kind in p.LEARNED_NOTES else ""
    if not words:
        return False
    from perdure.model.terms import MOST_ASKED, terms_of  # needed only while an `investigate` stands

    similar = desk.ledger.mentioning(terms_of(words)[:MOST_ASKED], MOST_EVENTS).events
    earlier = (*similar, *desk.own_first(p.LEARNED_NOTES, MOST_EVENTS))
    return not any(
        each.kind in p.LEARNED_NOTES and in_order(each) < in_order(event) and _words(each) == words for each in earlier
    )


def _words(event: Event) -> str:
    """The words without case, punctuation and spacing."""
    said = p.read(event, p.Note)
    text = said.text.casefold() if said else ""
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())
