"""Goals: one entity, wherever it is named (SPEC 1, 3.6)."""

from __future__ import annotations

from perdure.actions import lookup
from perdure.actions.acting import did
from perdure.actions.record import Fact, new_event_id
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import SHORT, EventId, InstanceId, LedgerId, SessionId, TransactionId, short
from perdure.model.moment import Moment
from perdure.model.state import Goal
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk

LISTED_BY = "perdure goal list"
_LOOKED_AT = 200


@value
class GoalView:
    id: str
    title: str
    origin: str
    transaction_id: TransactionId | None
    done_at: Moment | None
    elsewhere: str | None = None
    """The other machine's ledger that it came from."""


@value
class Named:
    """A goal that PREFLIGHT names: one that is there, or one to be made with it."""

    id: EventId
    title: str | None

    def facts(self, session: SessionId, transaction: TransactionId, instance: InstanceId) -> list[Fact]:
        if self.title is None:
            return []
        made = p.GoalCreated(self.title, "preflight")
        return [Fact("goal.created", made, session, transaction, instance, id=self.id)]


def view(desk: Desk, goal: Goal) -> GoalView:
    place = Ref(LedgerId(goal.ledger_id), goal.seq)
    event = desk.ledger.event(place)
    made = p.read(event, p.GoalCreated) if event else None
    title = made.title if made else "(erased)"
    return GoalView(goal.id, title, goal.origin, goal.transaction_id, goal.done_at, desk.elsewhere(place))


def listed(desk: Desk, include_done: bool = False, limit: int = _LOOKED_AT) -> list[GoalView]:
    found = desk.ledger.documents("goal", live=None if include_done else True, limit=limit)
    return [view(desk, d.body) for d in found if isinstance(d.body, Goal)]


def named(desk: Desk, text: str | None) -> Named | None:
    """The same words name the same goal: an open one with this title, or this id, is not made twice."""
    if text is None:
        return None
    title = _title(text)
    for goal in listed(desk):
        if goal.title == title:
            return Named(EventId(goal.id), None)
    by_id = desk.ledger.find_documents("goal", title.lower()) if len(title) >= SHORT else []
    if not by_id:
        return Named(new_event_id(), title)
    found = lookup.document(desk.ledger, "goal", title, LISTED_BY)
    if not found.live:
        raise Refused("goal_done", f"Goal {short(found.id)} is done already.", hint=LISTED_BY)
    return Named(EventId(found.id), None)


def _title(text: str) -> str:
    title = text.strip()
    if not title:
        raise BadInput("empty_text", "A goal needs words.", hint="perdure goal create 'ship the parser'")
    return title


def create(desk: Desk, text: str) -> GoalView:
    goal = named(desk, text)
    assert goal is not None
    if goal.title is None:
        raise Refused("goal_exists", f"That goal is open already: {short(goal.id)}.", hint=LISTED_BY)
    did(desk, "goal.created", p.GoalCreated(goal.title), id=goal.id)
    return _found(desk, goal.id)


def done(desk: Desk, typed: str, because: str | None) -> GoalView:
    found = lookup.document(desk.ledger, "goal", typed, LISTED_BY)
    if not found.live:
        raise Refused("goal_done", f"Goal {short(found.id)} is done already.", hint=LISTED_BY)
    did(desk, "goal.done", p.GoalDone(found.id, because))
    return _found(desk, found.id)


def _found(desk: Desk, goal_id: str) -> GoalView:
    found = desk.ledger.document("goal", goal_id)
    assert found is not None
    assert isinstance(found.body, Goal)
    return view(desk, found.body)
