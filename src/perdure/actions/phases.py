"""The phase of a client's session on record (SPEC 10.1).

enter(desk, STOP)               records it, unless the session is in that phase already
fact(session, RUNNING)          the same, to be recorded with something else
"""

from __future__ import annotations

from perdure.actions import phase_file, sessions
from perdure.actions.record import Fact, record
from perdure.lifecycle.phases import BEFORE_WORK, RUNNING
from perdure.model import payload as p
from perdure.model.state import Session, body_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk

ENTERED = "phase.entered"


def fact(session: Session | None, phase: str) -> list[Fact]:
    """A session that is in the phase already, or that there is none of, has nothing to record."""
    if session is None or session.phase == phase:
        return []
    return [Fact(ENTERED, p.PhaseEntered(phase), session.id, instance_id=session.instance_id)]


def enter(desk: Desk, phase: str) -> None:
    found = fact(_current(desk), phase)
    if found:
        record(desk, found)
    phase_file.show(desk.resolved, phase)


def begin_work(desk: Desk) -> None:
    """A tool ran: a session that only began runs now."""
    session = _current(desk)
    if session and session.phase in BEFORE_WORK:
        enter(desk, RUNNING)


def _current(desk: Desk) -> Session | None:
    return body_as(desk.ledger.document("session", sessions.current(desk) or ""), Session)
