"""What an event belongs to: the caller's session, instance and open transaction. `record_event` looks these up and
records one event with them; `actions/record.py` then masks and appends it.

    record_event(desk, "note.finding", p.Note("the parser keeps one token of lookahead"))
"""

from __future__ import annotations

from perdure.actions.record import Fact, record
from perdure.actions.sessions import ensure_session
from perdure.errors import Moved
from perdure.model import payload as p
from perdure.model.event import BEADS
from perdure.model.ids import EventId, InstanceId, SessionId, TaskId, short
from perdure.model.state import Holding, Transaction, body_as
from perdure.model.value import value
from perdure.proof.chain import head_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event


def own_open_transaction(desk: Desk) -> Transaction | None:
    """The transaction that this instance has open in this project."""
    found = desk.ledger.document("holding", desk.seat.instance_id)
    if found is None or not isinstance(found.body, Holding):
        return None
    return body_as(desk.ledger.document("transaction", found.body.transaction_id), Transaction)


def joining(transaction: Transaction, session_id: SessionId, instance_id: InstanceId) -> list[Fact]:
    """A session joins when it first acts under the transaction (SPEC 4.2)."""
    if session_id in transaction.sessions:
        return []
    return [
        Fact(
            kind="transaction.joined",
            payload=p.TransactionJoined(),
            session_id=session_id,
            transaction_id=transaction.id,
            instance_id=instance_id,
        )
    ]


@value
class Attribution:
    """What an event recorded at this desk belongs to."""

    session_id: SessionId
    instance_id: InstanceId
    transaction: Transaction | None
    before: tuple[Fact, ...]
    """What must be recorded first: that the session began, that it joins the transaction."""

    def fact(self, kind: str, payload: object, *, id: EventId | None = None, task_id: str | None = None) -> Fact:
        transaction = self.transaction.id if self.transaction else None
        task = TaskId(task_id) if task_id else None
        return Fact(
            kind=kind,
            payload=payload,
            session_id=self.session_id,
            transaction_id=transaction,
            instance_id=self.instance_id,
            task_id=task,
            id=id,
        )


def current_attribution(desk: Desk) -> Attribution:
    """Looks up the caller's session, instance and open transaction."""
    here = ensure_session(desk)
    transaction, instance = own_open_transaction(desk), desk.seat.instance_id
    joined = joining(transaction, here.session_id, instance) if transaction else []
    return Attribution(
        session_id=here.session_id, instance_id=instance, transaction=transaction, before=(*here.facts, *joined)
    )


def record_event(
    desk: Desk, kind: str, payload: object, *, id: EventId | None = None, task_id: str | None = None
) -> Event:
    """Records one event and returns it.

    Session and transaction are looked up once and then reused. An append that reuses them names the head at which they
    were looked up, so it fails if another process has appended since, and they are looked up again."""
    recorded = _record_as_before(desk, kind, payload, id=id, task_id=task_id)
    return recorded or _look_up_and_record(desk, kind, payload, id=id, task_id=task_id)


def _record_as_before(
    desk: Desk, kind: str, payload: object, *, id: EventId | None, task_id: str | None
) -> Event | None:
    """Records the event with what was looked up before; None if nothing was, or if another process has appended."""
    if not desk.cached_attribution:
        return None
    attribution, head = desk.cached_attribution
    try:
        appended = record(desk, [attribution.fact(kind, payload, id=id, task_id=task_id)], after=head)
    except Moved:
        desk.cached_attribution = None
        return None
    desk.cached_attribution = None if appended.changes else (attribution, head_of(appended.events[-1]))
    return appended.events[-1]


def _look_up_and_record(desk: Desk, kind: str, payload: object, *, id: EventId | None, task_id: str | None) -> Event:
    """Looks up session and transaction, and keeps them for the next event if nothing changed them meanwhile."""
    head = desk.ledger.head()
    attribution = current_attribution(desk)
    appended = record(desk, [*attribution.before, attribution.fact(kind, payload, id=id, task_id=task_id)])
    if not appended.changes and appended.events[0].prev_hash == head.hash:
        desk.cached_attribution = (attribution, head_of(appended.events[-1]))
    return appended.events[-1]


def marked_foreign(
    other_ledger: str | None, text: str, of_beads: bool = False, *, words_from: str | None = None
) -> str:
    """The text, marked if it came from another machine: a `user` there is not the person here (SPEC 20.5). What a beads
    file says is marked, too: anybody who can write to the repository may have written it. `words_from`: see
    `DecisionMade`."""
    if words_from and words_from != BEADS:
        other_ledger = other_ledger or words_from
    if of_beads or words_from == BEADS:
        text = f"(from the beads file) {text}"
    return f"(from another machine, ledger {short(other_ledger)}) {text}" if other_ledger else text
