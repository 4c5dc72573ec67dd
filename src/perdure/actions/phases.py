"""The phase of a client's session on record (SPEC 10.1), and in a small file in the home, for the status line, which
opens no ledger.

    enter(desk, STOP)               records it, unless the session is in that phase already
    fact(session, RUNNING)          the same, to be recorded with something else
    shown(home, client_session)     what the status line shows
"""

from __future__ import annotations

import os

from perdure.actions import sessions
from perdure.actions.record import Fact, record
from perdure.errors import Trouble
from perdure.files import make_folder, read_text, remove, write_whole
from perdure.lifecycle.phases import BEFORE_WORK, PHASES, RUNNING
from perdure.model import payload as p
from perdure.model.ids import is_token
from perdure.model.state import Session, body_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk

ENTERED = "phase.entered"
FOLDER = "phases"


def fact(session: Session | None, phase: str) -> list[Fact]:
    """A session that is in the phase already, or that there is none of, has nothing to record."""
    if session is None or session.phase == phase:
        return []
    return [Fact(ENTERED, p.PhaseEntered(phase), session.id, instance_id=session.instance_id)]


def enter(desk: Desk, phase: str) -> None:
    found = fact(_current(desk), phase)
    if found:
        record(desk, found)
    show(desk.resolved, phase)


def begin_work(desk: Desk) -> None:
    """A tool ran: a session that only began runs now."""
    session = _current(desk)
    if session and session.phase in BEFORE_WORK:
        enter(desk, RUNNING)


def _current(desk: Desk) -> Session | None:
    return body_as(desk.ledger.document("session", sessions.current(desk) or ""), Session)


# -- for the status line -----------------------------------------------------------------------------------------------


def _path(home: str, client_session: str) -> str:
    return os.path.join(home, FOLDER, client_session)


def show(resolved: ResolvedRequest, phase: str) -> None:
    session = resolved.request.stated_client.client_session_id
    if not session or not is_token(session) or shown(resolved.home, session) == phase:
        return
    path = _path(resolved.home, session)
    try:
        make_folder(os.path.dirname(path))
        write_whole(path, phase + "\n")
    except Trouble:
        return  # the home cannot be written: the status line shows no phase


def shown(home: str, client_session: str) -> str:
    """The phase; empty if it is not known."""
    found = (read_text(_path(home, client_session)) or "").strip() if is_token(client_session) else ""
    return found if found in PHASES else ""


def forget(resolved: ResolvedRequest) -> None:
    session = resolved.request.stated_client.client_session_id
    if session and is_token(session):
        remove(_path(resolved.home, session))
