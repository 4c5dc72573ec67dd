"""Goals, wherever they are named (SPEC 1, 3.6).

A goal that was made by hand or by PREFLIGHT belongs to the project and is open until it is done. The original goal is
the first prompt of a lineage and belongs to that lineage only: it is listed while a session of the lineage is under
way, and not for other instances. To name it in `goal create` or in PREFLIGHT's `goal` makes it a goal of the project.
"""

from __future__ import annotations

from perdure.actions import earlier_record, lookup, sessions
from perdure.actions.advice import as_typed
from perdure.actions.attribution import marked_foreign, record_event
from perdure.actions.record import Fact, new_event_id
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.event import Ref, in_order
from perdure.model.ids import SHORT, EventId, InstanceId, LedgerId, SessionId, TransactionId, prefix_of, short
from perdure.model.moment import Moment
from perdure.model.shell_quote import quote
from perdure.model.state import Goal, Session, body_as
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.state import Transaction

LISTED_BY = "perdure goal list"
_LOOKED_AT = 200
"""How many of the latest goals are read."""


@value
class GoalView:
    id: str
    title: str
    origin: str
    transaction_id: TransactionId | None
    done_at: Moment | None
    status: str
    """`open`; `original`: the original goal of this lineage; `other`: that of another lineage; `done`."""
    other_ledger: str | None = None
    """The other machine's ledger that it came from."""
    project_path: str | None = None
    """The other project that it is recorded in, from which this lineage came."""

    def marked(self, text: str) -> str:
        return marked_foreign(self.other_ledger, text)


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
    place = _place(goal)
    event = desk.ledger.event(place)
    made = (p.read(event, p.GoalCreated) or p.read(event, p.GoalPrompted)) if event else None
    title = made.title if made else "(erased)"
    status, origin = _status(goal, own_original), desk.other_ledger(place)
    return GoalView(
        id=goal.id,
        title=title,
        origin=goal.origin,
        transaction_id=goal.transaction_id,
        done_at=goal.done_at,
        status=status,
        other_ledger=origin,
    )


def _status(goal: Goal, own_original: str | None) -> str:
    if goal.done_at is not None:
        return "done"
    if not goal.is_original:
        return "open"
    return "original" if goal.id == own_original else "other"


def listed(desk: Desk, include_done: bool = False, limit: int = _LOOKED_AT) -> list[GoalView]:
    """The goals that are recorded here: the original goal of this lineage first, then the project's. With
    `include_done` every goal, also the original goals of other lineages."""
    own = [goal for goal in of_lineage(desk) if goal.status == "original" and goal.project_path is None]
    others = [goal for goal in of_project(desk, include_done) if goal.id not in [each.id for each in own]]
    return [*own, *others][:limit]


def of_project(desk: Desk, include_done: bool = False) -> list[GoalView]:
    """The open goals of the project, which belong to no lineage. With `include_done` every goal that is recorded
    here."""
    found = desk.ledger.documents("goal", live=None if include_done else True, limit=_LOOKED_AT)
    bodies = [d.body for d in found if isinstance(d.body, Goal)]
    if any(desk.other_ledger(_place(goal)) for goal in bodies):
        bodies = sorted(
            [*_set_here(desk, bodies, include_done)], key=lambda goal: bool(desk.other_ledger(_place(goal)))
        )
    return [view(desk, goal) for goal in bodies if include_done or not goal.is_original]


def _set_here(desk: Desk, found: list[Goal], include_done: bool) -> Iterator[Goal]:
    """The goals that were found, and those set here that an import pushed out of them."""
    yield from found
    for event in desk.latest_here(["goal.created", "goal.prompted"], _LOOKED_AT):
        document = desk.ledger.document("goal", event.id)
        goal = body_as(document, Goal)
        if document and goal and (document.live or include_done) and goal not in found:
            yield goal


def _place(goal: Goal) -> Ref:
    return Ref(LedgerId(goal.ledger_id), goal.seq)


def of_lineage(desk: Desk, *, unread: list[str] | None = None) -> list[GoalView]:
    """The open goals that the lineage under way here began with, the original one first, in whatever project they
    were set. When its last session has ended, and no other continues it, there is none. If no goal of it is found, open
    or done, the projects that may have it and cannot be read are added to `unread`."""
    not_read: list[str] = []
    own: list[Session] = []
    lineage = _noted(desk, sessions.lineage_of_place(desk, unread=not_read), own)
    every = _with_taken_in(desk, list(_of_sessions(desk, lineage)), own)
    if unread is not None and not every:
        unread += not_read
    return sorted((goal for goal in every if goal.status != "done"), key=lambda goal: goal.status != "original")


def has_lineage_goal(desk: Desk, session: Session) -> bool:
    """Whether the lineage of this session has a goal, open or done. If it came from a project that is gone or cannot be
    read, or if its beginning is in a ledger that was set aside, it is assumed: no later prompt takes that goal's
    place."""
    unread: list[str] = []
    own: list[Session] = []
    everywhere = _noted(desk, sessions.across_projects(desk, session, unread=unread), own)
    if any(each.goal_id is not None for _, each in everywhere) or unread:
        return True
    return earlier_record.is_beginning_set_aside(desk, own) or bool(earlier_record.original_taken_in(desk, own))


def _noted(desk: Desk, lineage: Iterable[tuple[Desk, Session]], own: list[Session]) -> Iterator[tuple[Desk, Session]]:
    """The same sessions. Those in the desk's project are added to `own`."""
    for there, session in lineage:
        if there.root == desk.root:
            own.append(session)
        yield there, session


def _with_taken_in(desk: Desk, every: list[GoalView], own: list[Session]) -> list[GoalView]:
    """The goals of a lineage, with its first words if these came back with an import. A later prompt that took their
    place meanwhile gives way."""
    event = earlier_record.original_taken_in(desk, own)
    goal = body_as(desk.ledger.document("goal", event.id), Goal) if event else None
    if event is None or goal is None:
        return every
    kept = [each for each in every if each.status != "original" or each.project_path or _is_before(desk, each, event)]
    has_earlier = any(each.status == "original" for each in kept)
    return kept if has_earlier else [view(desk, goal, goal.id), *kept]


def _is_before(desk: Desk, goal: GoalView, event: Event) -> bool:
    found = body_as(desk.ledger.document("goal", goal.id), Goal)
    made = desk.ledger.event(Ref(LedgerId(found.ledger_id), found.seq)) if found else None
    return made is not None and in_order(made) < in_order(event)


def _of_sessions(desk: Desk, found: Iterable[tuple[Desk, Session]]) -> Iterator[GoalView]:
    """The goals that these sessions have, each once. `desk` is in the project from which they are looked at."""
    seen: set[str] = set()
    for there, session in found:
        if session.goal_id is None or session.goal_id in seen:
            continue
        seen.add(session.goal_id)
        goal = body_as(there.ledger.document("goal", session.goal_id), Goal)
        if goal:
            yield replace(view(there, goal, goal.id), project_path=there.root if there.root != desk.root else None)


def of_transaction(desk: Desk, transaction: Transaction) -> GoalView | None:
    """The goal that it was opened for, or else the original goal of the session that opened it: whoever continues or
    takes over the transaction works on that goal, also in a lineage of their own."""
    session = body_as(desk.ledger.document("session", transaction.preflight_session_id), Session)
    named = transaction.goal_id or (session.goal_id if session else None)
    goal = body_as(desk.ledger.document("goal", named), Goal) if named else None
    if goal is None and transaction.status == "open":  # that session may have come from another project
        return next(_of_sessions(desk, sessions.across_projects(desk, session)), None)
    return view(desk, goal) if goal else None


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
    _refuse_if_elsewhere(desk, typed)
    found = lookup.document(desk.ledger, "goal", typed, listed_by=as_typed(desk, LISTED_BY)).body
    assert isinstance(found, Goal)
    if found.done_at is not None:
        raise _done_already(desk, found.id)
    record_event(desk, "goal.done", p.GoalDone(found.id, because))
    return _found(desk, found.id)


def _refuse_if_elsewhere(desk: Desk, typed: str) -> None:
    """A goal that this lineage has from another project is ended there, where it is recorded."""
    prefix = prefix_of(typed, "The goal id")
    if desk.ledger.find_documents("goal", prefix):
        return
    for goal in of_lineage(desk):
        if goal.project_path and goal.id.startswith(prefix):
            raise Refused(
                "no_such_goal",
                f"Goal {short(goal.id)} is recorded in another project, {goal.project_path}.",
                hint=f"perdure goal done {short(goal.id)} --project-path {quote(goal.project_path)}",
            )


def still_open(desk: Desk, goal_id: str | None) -> GoalView | None:
    found = desk.ledger.document("goal", goal_id) if goal_id else None
    body = body_as(found, Goal)
    return view(desk, body) if body and body.done_at is None else None


def _found(desk: Desk, goal_id: str) -> GoalView:
    found = desk.ledger.document("goal", goal_id)
    assert found is not None
    assert isinstance(found.body, Goal)
    return view(desk, found.body)
