"""The first prompt of a client session that is in no project yet (SPEC 6.2; docs/adr/0048).

With hooks in the person's own settings, a client may be started in a folder of no project, be told there what to do,
and only then move to a project. The words with which the work began are kept in the home until they can be recorded as
the original goal: masked and shortened, one small file per client session.

    keep(resolved, "convert the prices to euros")       # in a folder of no project
    record_early_goal(desk)                             # by the next hook that runs in a project
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import listing, make_folder, read_json, remove, write_whole
from perdure.model.ids import is_token
from perdure.model.json import compact
from perdure.model.moment import now
from perdure.place.liveness import SESSION_KEPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk

FOLDER = "early_prompts"


def _path(resolved: ResolvedRequest) -> str | None:
    session = resolved.request.stated_client.client_session_id
    return os.path.join(resolved.home, FOLDER, f"{session}.json") if session and is_token(session) else None


def keep(resolved: ResolvedRequest, goal: str) -> None:
    """Keeps the goal, unless an earlier prompt of the session set one. Old files that nobody took are removed."""
    path = _path(resolved)
    if path is None or os.path.exists(path):
        return
    try:
        make_folder(os.path.dirname(path))
        _remove_old(os.path.dirname(path))
        write_whole(path, compact({"goal": goal, "at": now()}) + "\n")
    except Trouble:
        return  # the home cannot be written, and there is no project that could be


def _remove_old(folder: str) -> None:
    for name in listing(folder):
        at = (read_json(os.path.join(folder, name)) or {}).get("at")
        if not isinstance(at, int) or now() - at > SESSION_KEPT:
            remove(os.path.join(folder, name))


def record_early_goal(desk: Desk) -> None:
    """Records what was kept of this client's session as the original goal of its lineage, if that has none."""
    path = _path(desk.resolved)
    if path is None or not os.path.exists(path):
        return
    from perdure.actions import goals  # few hooks get here, so the others do not load these
    from perdure.actions.attribution import current_attribution
    from perdure.actions.record import new_event_id, record
    from perdure.model import payload as p
    from perdure.model.event import USER
    from perdure.model.state import Session, body_as
    from perdure.model.value import replace

    goal, attribution = (read_json(path) or {}).get("goal"), current_attribution(desk)
    if attribution.before:  # the session's record is read below
        record(desk, list(attribution.before))
    session = body_as(desk.ledger.document("session", attribution.session_id), Session)
    if isinstance(goal, str) and session and not goals.has_lineage_goal(desk, session):
        prompted = attribution.fact("goal.prompted", p.GoalPrompted(goal), id=new_event_id())
        record(desk, [replace(prompted, actor=USER)])
    try:
        remove(path)
    except Trouble:
        return  # the lineage has its goal now, and a goal is not recorded twice
