"""What each other pane works on that is alive: whose it is, its goal, what it was asked last, since when (SPEC 17.6).

for pane in others(desk, open_transactions): …
"""

from __future__ import annotations

from perdure.actions import goals
from perdure.actions.sessions import holder_of
from perdure.model import payload as p
from perdure.model.state import Goal, Session, body_as
from perdure.model.value import value
from perdure.place.liveness import is_living
from perdure.place.process import is_alive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.holdings import Held
    from perdure.actions.wiring import Desk
    from perdure.model.ids import InstanceId, SessionId
    from perdure.model.moment import Moment, Stamp
    from perdure.place.liveness import Holder

_SESSIONS_LOOKED_AT = 50
_PROMPTS_LOOKED_AT = 100
PANES_SHOWN = 8


@value
class Pane:
    instance_id: InstanceId
    works_at: str
    """The tmux pane or the terminal."""
    client: str | None
    """None in a terminal, also in one that goes on after its client has ended."""
    session_id: SessionId
    since: Moment
    goal: str | None
    goal_id: str | None
    request: str | None
    """What it was asked last."""
    requested_at: Stamp | None
    held: Held | None
    """Its open transaction here."""


def others(desk: Desk, transactions: Iterable[Held]) -> tuple[Pane, ...]:
    """Those whose session goes on and whose client, or shell, runs. The newest session first."""
    return _living(desk, transactions, but=desk.seat.instance_id)


def all_panes(desk: Desk, transactions: Iterable[Held]) -> tuple[Pane, ...]:
    """The others and this one."""
    return _living(desk, transactions, but=None)


def _living(desk: Desk, transactions: Iterable[Held], *, but: InstanceId | None) -> tuple[Pane, ...]:
    sessions = list(_living_sessions(desk, but).values())[:PANES_SHOWN]
    if not sessions:
        return ()
    held = {each.transaction.instance_id: each for each in transactions if each.other_ledger is None}
    requests = _requests(desk, {session.id for session in sessions})
    return tuple(
        _pane(desk, session, held=held.get(_instance_of(session)), request=requests.get(session.id))
        for session in sessions
    )


def _instance_of(session: Session) -> InstanceId:
    assert session.instance_id is not None
    return session.instance_id


def _living_sessions(desk: Desk, but: InstanceId | None) -> dict[InstanceId, Session]:
    found: dict[InstanceId, Session] = {}
    for document in desk.ledger.documents("session", live=True, limit=_SESSIONS_LOOKED_AT):
        session = body_as(document, Session)
        if session is None or session.instance_id in (None, but):
            continue
        instance_id = _instance_of(session)
        if instance_id in found:
            continue
        if is_living(holder_of(desk.ledger.document("instance", instance_id)), desk.around, desk.root):
            found[instance_id] = session
    return found


def _requests(desk: Desk, sessions: set[SessionId]) -> dict[SessionId, tuple[str, Stamp]]:
    """The newest prompt of each session; none if it was erased, or if many others came after it."""
    found: dict[SessionId, tuple[str, Stamp]] = {}
    for event in desk.latest_here(["prompt.given"], _PROMPTS_LOOKED_AT):
        session_id = event.session_id
        if session_id is None or session_id not in sessions or session_id in found:
            continue
        said = p.read(event, p.PromptGiven)
        if said:
            found[session_id] = (said.text, event.ts)
    return found


def _pane(desk: Desk, session: Session, *, held: Held | None, request: tuple[str, Stamp] | None) -> Pane:
    holder = holder_of(desk.ledger.document("instance", _instance_of(session)))
    goal_id = (held.goal_id if held else None) or session.goal_id
    goal = body_as(desk.ledger.document("goal", goal_id), Goal) if goal_id else None
    title = held.goal if held and held.goal else goals.view(desk, goal).title if goal else None
    return Pane(
        instance_id=_instance_of(session),
        works_at=holder.tmux_key or holder.tty_key or "",
        client=_running_client(desk, session, holder),
        session_id=session.id,
        since=session.started_at,
        goal=title,
        goal_id=goal_id,
        request=request[0] if request else None,
        requested_at=request[1] if request else None,
        held=held,
    )


def _running_client(desk: Desk, session: Session, holder: Holder) -> str | None:
    """A client that was killed ends no session: that goes on in its shell."""
    has_ended = holder.client is not None and not is_alive(holder.client, desk.around.processes)
    return None if has_ended else session.client
