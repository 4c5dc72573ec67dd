"""The first prompt of a client session that is in no project yet (SPEC 6.2; docs/adr/0048, 0053).

With hooks in the person's own settings, a client may be started in a folder of no project, be told there what to do,
and only then move to a project. The words with which the work began are kept in the home until they can be recorded as
the original goal: masked and shortened, one small file per client process (`place/outside_clients.py`).

    arrive(resolved)                                    # a client starts in a folder of no project
    keep(resolved, "convert the prices to euros")       # it is told there what to do
    record_early_goal(desk)                             # by the next hook that runs in a project
"""

from __future__ import annotations

from perdure.errors import Trouble
from perdure.model.ids import is_token
from perdure.model.moment import now
from perdure.model.value import replace
from perdure.place import outside_clients
from perdure.place.liveness import others_in_same_client_session
from perdure.place.outside_clients import OutsideClient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk


def _kept(resolved: ResolvedRequest, *, resumes: bool = False) -> OutsideClient | None:
    """What is kept of this client. `resumes`: or else of an earlier process of its session, which has ended."""
    around, session = resolved.around, resolved.request.stated_client.client_session_id
    process = resolved.place.client_process
    try:
        return outside_clients.kept_of(around, session, process) or (
            outside_clients.resume(around, session, process) if resumes else None
        )
    except Trouble:
        return None


def _new(resolved: ResolvedRequest) -> OutsideClient | None:
    session, process = resolved.request.stated_client.client_session_id, resolved.place.client_process
    if session is None or not is_token(session) or process is None:
        return None
    return OutsideClient(session=session, process=process, boot_id=resolved.around.boot_id, at=now())


def arrive(resolved: ResolvedRequest) -> list[str]:
    """A client starts outside any project. Returns what it must be told."""
    return _write(resolved, None, again=True)


def keep(resolved: ResolvedRequest, goal: str | None) -> list[str]:
    """Keeps the goal, unless an earlier prompt of the session set one. Returns what the client must be told."""
    return _write(resolved, goal, again=False)


def leave(resolved: ResolvedRequest) -> None:
    """The client ends outside any project. Its words stay, because the session may be resumed."""
    found = _kept(resolved)
    if found and found.goal is None:
        _forget(resolved.home, found)


def _write(resolved: ResolvedRequest, goal: str | None, *, again: bool) -> list[str]:
    """`again`: what the client was told before is told again."""
    before = _kept(resolved, resumes=True)
    found = before or _new(resolved)
    if found is None:
        return []
    from perdure.actions.sessions import doubled_words  # most hooks outside a project meet nobody

    others = others_in_same_client_session(resolved.around, found.instance_id, None)
    new = [each for each in others if again or each.instance_id not in found.told]
    told = tuple(dict.fromkeys([*found.told, *(each.instance_id for each in new)]))
    after = replace(found, goal=found.goal or goal, told=told)
    if after != before:
        _put(resolved.home, after)
    return [doubled_words(each.instance_id, each.pid) for each in new]


def _put(home: str, client: OutsideClient) -> None:
    try:
        outside_clients.write(home, client)
    except Trouble:
        return  # the home cannot be written, and there is no project that could be


def _forget(home: str, client: OutsideClient) -> None:
    try:
        outside_clients.forget(home, client)
    except Trouble:
        return  # a goal is not recorded twice


def record_early_goal(desk: Desk) -> None:
    """Records what was kept of this client's session as the original goal of its lineage, if that has none."""
    if not outside_clients.of_session(desk.resolved.home, desk.resolved.request.stated_client.client_session_id):
        return
    from perdure.actions import goals  # few hooks get here, so the others do not load these
    from perdure.actions.attribution import current_attribution
    from perdure.actions.record import new_event_id, record
    from perdure.model import payload as p
    from perdure.model.event import USER
    from perdure.model.state import Session, body_as

    attribution = current_attribution(desk)
    if attribution.before:  # the session's record is read below
        record(desk, list(attribution.before))
    session = body_as(desk.ledger.document("session", attribution.session_id), Session)
    has_goal = session is None or goals.has_lineage_goal(desk, session)
    kept = _kept(desk.resolved, resumes=not has_goal)
    if kept is None:  # other processes have this session id, and what they were told is not ours
        return
    if kept.goal and not has_goal:
        prompted = attribution.fact("goal.prompted", p.GoalPrompted(kept.goal), id=new_event_id())
        record(desk, [replace(prompted, actor=USER)])
    _forget(desk.resolved.home, kept)
