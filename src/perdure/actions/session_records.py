"""The transaction that a session is in, if that is in another project (SPEC 3.4, seed 000 §5.4).

A session may be recorded in several projects: where it began, and where it continued. Each record has an
`active_transaction_id` and a `transaction_project_path`, which help to find the transaction. Whether it is still open
is decided by the ledger of the project that it is in.
"""

from __future__ import annotations

from perdure.actions import holdings
from perdure.actions.attribution import own_open_transaction
from perdure.actions.record import Fact, record
from perdure.actions.wiring import Desk, open_desk_at
from perdure.errors import PerdureError
from perdure.model import payload as p
from perdure.model.ids import SessionId, TransactionId
from perdure.model.state import Holding, Session, Transaction, body_as
from perdure.model.value import replace
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def stored(desk: Desk) -> tuple[str, TransactionId] | None:
    """The project and transaction that the session's record names in another project, if the ledger there agrees."""
    session = _session_of_place(desk)
    if session is None or session.active_transaction_id is None or session.transaction_project_path is None:
        return None
    root = session.transaction_project_path
    if root == desk.root or not project.is_project(root):
        return None
    try:
        with open_desk_at(desk.resolved, root, writable=False) as there:
            transaction = body_as(there.ledger.document("transaction", session.active_transaction_id), Transaction)
    except PerdureError:
        return None  # the caller looks next at what else this instance holds, and reports what cannot be read
    if transaction and transaction.status == "open" and _is_for_us(transaction, desk):
        return root, transaction.id
    return None


def _session_of_place(desk: Desk) -> Session | None:
    session_id = desk.place.session_id
    if not session_id:
        return None
    found = desk.ledger.document("session", session_id)
    return body_as(found, Session)


def _is_for_us(transaction: Transaction, desk: Desk) -> bool:
    """A command that names the session may use what any instance holds in it."""
    is_named = desk.resolved.request.explicit.session_id is not None
    return is_named or transaction.instance_id == desk.seat.instance_id


def tell_home(desk: Desk, session_id: SessionId, transaction_id: TransactionId) -> None:
    """Seed 000 §5.4: if the session began in another project, its record there names the transaction that it has
    here; but not if the instance has one open there, which is then the one that is meant without flags."""

    def chosen(there: Desk, _session: Session) -> tuple[TransactionId | None, str | None] | None:
        return None if own_open_transaction(there) else (transaction_id, desk.root)

    for home in _homes(desk, session_id) - {desk.root}:
        _store(desk, home, session_id, choose=chosen)


def clear(desk: Desk, session_id: SessionId, closed: Transaction) -> None:
    """Removes the closed transaction from the session's records in other projects. If the same instance still holds one
    there, that one takes its place."""

    def remaining(there: Desk, session: Session) -> tuple[TransactionId | None, str | None] | None:
        if session.active_transaction_id != closed.id:
            return None
        holding = there.ledger.document("holding", closed.instance_id)
        if holding and isinstance(holding.body, Holding):
            return holding.body.transaction_id, there.root
        return None, None

    placed = desk.place.project_path
    for home in {*_homes(desk, session_id), *([placed] if placed else [])} - {desk.root}:
        _store(desk, home, session_id, choose=remaining)


def _homes(desk: Desk, session_id: SessionId) -> set[str]:
    session = desk.ledger.document("session", session_id)
    return {session.body.project_path} if session and isinstance(session.body, Session) else set()


def _store(
    desk: Desk,
    root: str,
    session_id: SessionId,
    *,
    choose: Callable[[Desk, Session], tuple[TransactionId | None, str | None] | None],
) -> None:
    if not project.is_project(root):
        return
    try:
        with open_desk_at(desk.resolved, root) as there:
            found = there.ledger.document("session", session_id)
            if found and isinstance(found.body, Session) and (pair := choose(there, found.body)):
                record(there, [Fact("session.working", p.SessionWorking(*pair), session_id)])
    except PerdureError:
        return  # what was done here stands, even if it cannot be noted there


def store_current(desk: Desk, session_id: SessionId) -> holdings.Elsewhere:
    """At a switch: the session's record here names what the instance holds here, or else the only transaction that it
    holds elsewhere. Returns what it holds elsewhere."""
    away = holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
    found = desk.ledger.document("session", session_id)
    session = body_as(found, Session)
    own = own_open_transaction(desk) or (away.open[0].transaction if len(away.open) == 1 else None)
    pair = (own.id, own.project_path) if own else (None, None)
    if session and (session.active_transaction_id, session.transaction_project_path) != pair:
        record(desk, [Fact("session.working", p.SessionWorking(*pair), session_id)])
    return away


def as_it_is(desk: Desk, session: Session, held: Sequence[Transaction]) -> Session:
    """The session's record with what the instance holds by now, if it is this instance's own. `held` is everything that
    it holds, starting with what it holds here. It is corrected because a transaction that was closed from a third
    project leaves its id behind."""
    if session.instance_id != desk.seat.instance_id or session.ended_at is not None:
        return session
    if any(each.id == session.active_transaction_id for each in held):
        return session
    now = held[0] if held else None
    return replace(
        session,
        active_transaction_id=now.id if now else None,
        transaction_project_path=now.project_path if now else None,
    )
