"""What all recorded acts have in common: who acts, in which session, under which transaction."""

from __future__ import annotations

from perdure.actions.record import Fact, record
from perdure.actions.sessions import ensure_session
from perdure.errors import Moved
from perdure.model import payload as p
from perdure.model.ids import EventId, InstanceId, SessionId, TaskId
from perdure.model.state import Document, Holding, Transaction, body_as
from perdure.model.value import value
from perdure.proof.chain import head_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event


def body(document: Document | None) -> Transaction | None:
    return body_as(document, Transaction)


def own_open_transaction(desk: Desk) -> Transaction | None:
    """The transaction that this instance has open in this project."""
    found = desk.ledger.document("holding", desk.seat.instance_id)
    if found is None or not isinstance(found.body, Holding):
        return None
    return body(desk.ledger.document("transaction", found.body.transaction_id))


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
class Act:
    """An act at this desk. `before` is what must be recorded first (its session, that it joins the transaction)."""

    session_id: SessionId
    instance_id: InstanceId
    transaction: Transaction | None
    before: tuple[Fact, ...]

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


def act(desk: Desk) -> Act:
    here = ensure_session(desk)
    transaction, instance = own_open_transaction(desk), desk.seat.instance_id
    joined = joining(transaction, here.session_id, instance) if transaction else []
    return Act(session_id=here.session_id, instance_id=instance, transaction=transaction, before=(*here.facts, *joined))


def record_event(
    desk: Desk, kind: str, payload: object, *, id: EventId | None = None, task_id: str | None = None
) -> Event:
    """Records one act and returns its event. Who acts is looked up once, as long as nobody else writes: the append
    states the head that the look-up was based on, and is refused if the ledger has grown since."""
    if desk.acting:
        doing, head = desk.acting
        try:
            appended = record(desk, [doing.fact(kind, payload, id=id, task_id=task_id)], after=head)
        except Moved:
            desk.acting = None
        else:
            desk.acting = None if appended.changes else (doing, head_of(appended.events[-1]))
            return appended.events[-1]
    head = desk.ledger.head()
    doing = act(desk)
    appended = record(desk, [*doing.before, doing.fact(kind, payload, id=id, task_id=task_id)])
    if not appended.changes and appended.events[0].prev_hash == head.hash:
        desk.acting = (doing, head_of(appended.events[-1]))
    return appended.events[-1]
