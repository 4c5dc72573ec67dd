"""Goals, wherever they are named (SPEC 1, 3.6).

A goal that was made by hand or by PREFLIGHT belongs to the project and is open until it is done. The original goal is
the first prompt of a lineage and belongs to that lineage only: it is listed while a session of the lineage is under
way, and not for other instances. To name it in `goal create` or in PREFLIGHT's `goal` makes it a goal of the project.
"""

from __future__ import annotations

from perdure.actions import lookup, sessions
from perdure.actions.advice import as_typed
from perdure.actions.attribution import record_event
from perdure.actions.record import Fact, new_event_id
from perdure.actions.wiring import open_desk_at
from perdure.errors import BadInput, PerdureError, Refused
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import SHORT, EventId, InstanceId, LedgerId, SessionId, TransactionId, short
from perdure.model.moment import Moment
from perdure.model.state import Goal, Session, body_as
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.model.state import Transaction

LISTED_BY = "perdure goal list"
_LOOKED_AT = 200


@value
class GoalView:
    id: str
    title: str
    origin: str
    transaction_id: TransactionId | None
    done_at: Moment | None
    status: str
    """`open`; `original`: the original goal of this lineage; `other`: that of another lineage; `done`."""
    elsewhere: str | None = None
    """The other machine's ledger that it came from."""


@value
class Named:
    """A goal that PREFLIGHT names: an existing one, or one that it makes."""

    id: EventId
    title: str | None
    original: str | None = None
    """The original goal of the lineage that becomes this one."""

    def facts(self, session: SessionId, transaction: TransactionId, instance: InstanceId) -> list[Fact]:
        if self.title is None:
            return []
        made = p.GoalCreated(self.title, "preflight", self.original)
        return [
            Fact(
                kind="goal.created",
                payload=made,
                session_id=session,
                transaction_id=transaction,
                instance_id=instance,
                id=self.id,
            )
        ]


def view(desk: Desk, goal: Goal, own_original: str | None = None) -> GoalView:
    place = Ref(LedgerId(goal.ledger_id), goal.seq)
    event = desk.ledger.event(place)
    made = (p.read(event, p.GoalCreated) or p.read(event, p.GoalPrompted)) if event else None
    title = made.title if made else "(erased)"
    status, origin = _status(goal, own_original), desk.elsewhere(place)
    return GoalView(
        id=goal.id,
        title=title,
        origin=goal.origin,
        transaction_id=goal.transaction_id,
        done_at=goal.done_at,
        status=status,
        elsewhere=origin,
    )


def _status(goal: Goal, own_original: str | None) -> str:
    if goal.done_at is not None:
        return "done"
    if not goal.is_original:
        return "open"
    return "original" if goal.id == own_original else "other"


def listed(desk: Desk, include_done: bool = False, limit: int = _LOOKED_AT) -> list[GoalView]:
    """The original goal of this lineage first, then the project's goals. With `include_done` every goal, also the
    original goals of other lineages."""
    own = _own_original(desk)
    found = desk.ledger.documents("goal", live=None if include_done else True, limit=_LOOKED_AT)
    goals = [d.body for d in found if isinstance(d.body, Goal) and (include_done or not d.body.is_original)]
    first = [own] if own else []
    goals = [*first, *(goal for goal in goals if goal not in first)]
    return [view(desk, goal, own.id if own else None) for goal in goals[:limit]]


def _own_original(desk: Desk) -> Goal | None:
    """The original goal of the session that is under way here. When that session has ended, and no other continues it,
    there is none."""
    session = sessions.under_way(desk)
    found = desk.ledger.document("goal", session.goal_id) if session and session.goal_id else None
    goal = body_as(found, Goal)
    return goal if goal and goal.is_original and goal.done_at is None else None


def of_transaction(desk: Desk, transaction: Transaction) -> GoalView | None:
    """The goal that it was opened for, or else the original goal of the session that opened it: whoever continues or
    takes over the transaction works on that goal, also in a lineage of their own."""
    session = body_as(desk.ledger.document("session", transaction.preflight_session_id), Session)
    named = transaction.goal_id or (session.goal_id if session else None)
    goal = body_as(desk.ledger.document("goal", named), Goal) if named else None
    return view(desk, goal) if goal else None


def of_project_left(desk: Desk, session: Session | None) -> GoalView | None:
    """The goal of a lineage that began in another project and came here by a switch. Only the ledger there has it; if
    that cannot be read, there is none."""
    came = next((each for each in sessions.lineage(desk, session) if each.source == "switch"), None)
    if came is None or came.project_path == desk.root:
        return None
    try:
        with open_desk_at(desk.resolved, came.project_path, writable=False) as there:
            before = body_as(there.ledger.document("session", came.id), Session)
            goal = body_as(there.ledger.document("goal", before.goal_id), Goal) if before and before.goal_id else None
            return view(there, goal) if goal and goal.done_at is None else None
    except PerdureError:
        return None


def named(desk: Desk, text: str | None) -> Named | None:
    """The goal that a text names. An open goal with this title or id is not made twice. The original goal, named by its
    words or id, becomes a goal of the project."""
    if text is None:
        return None
    title = _title(text)
    original = None
    for goal in listed(desk):
        if goal.title == title and goal.status == "open":
            return Named(EventId(goal.id), None)
        if goal.title == title:
            original = goal.id
    if original is None and len(title) >= SHORT and desk.ledger.find_documents("goal", title.lower()):
        return _named_by_id(desk, title)
    return Named(new_event_id(), title, original)


def _named_by_id(desk: Desk, title: str) -> Named:
    found = lookup.document(desk.ledger, "goal", title, listed_by=as_typed(desk, LISTED_BY)).body
    assert isinstance(found, Goal)
    if found.done_at is not None:
        raise _done_already(desk, found.id)
    if found.is_original:
        return Named(new_event_id(), view(desk, found).title, found.id)
    return Named(EventId(found.id), None)


def _done_already(desk: Desk, goal_id: str) -> Refused:
    return Refused("goal_done", f"Goal {short(goal_id)} is done already.", hint=as_typed(desk, LISTED_BY))


def _title(text: str) -> str:
    title = text.strip()
    if not title:
        raise BadInput("empty_text", "A goal needs a title.", hint="perdure goal create 'ship the parser'")
    return title


def create(desk: Desk, text: str) -> GoalView:
    goal = named(desk, text)
    assert goal is not None
    if goal.title is None:
        raise Refused("goal_exists", f"That goal is open already: {short(goal.id)}.", hint=as_typed(desk, LISTED_BY))
    record_event(desk, "goal.created", p.GoalCreated(goal.title, original=goal.original), id=goal.id)
    return _found(desk, goal.id)


def done(desk: Desk, typed: str, because: str | None) -> GoalView:
    found = lookup.document(desk.ledger, "goal", typed, listed_by=as_typed(desk, LISTED_BY)).body
    assert isinstance(found, Goal)
    if found.done_at is not None:
        raise _done_already(desk, found.id)
    record_event(desk, "goal.done", p.GoalDone(found.id, because))
    return _found(desk, found.id)


def still_open(desk: Desk, goal_id: str | None) -> GoalView | None:
    found = desk.ledger.document("goal", goal_id) if goal_id else None
    body = body_as(found, Goal)
    return view(desk, body) if body and body.done_at is None else None


def _found(desk: Desk, goal_id: str) -> GoalView:
    found = desk.ledger.document("goal", goal_id)
    assert found is not None
    assert isinstance(found.body, Goal)
    return view(desk, found.body)
