"""End of a client's session (SPEC 6.2, SessionEnd). A client may give it one second, so it imports little."""

from __future__ import annotations

from perdure.actions import call_notes, context_window, handoffs, phase_file, session_state, sessions
from perdure.actions.wiring import open_desk_at
from perdure.views import task_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk


def end_client_session(resolved: ResolvedRequest, reason: str) -> list[str]:
    """Ends the session, but not its transaction. A session that never began here is ignored. Returns what to tell: the
    task file and the state come last, because the client may not wait for them."""
    told: list[str] = []
    with open_desk_at(resolved) as desk:
        found = sessions.current(desk)
        if found is not None:
            ended = sessions.end(desk, found, reason)
            told = _tasks_at_end(desk)
            session_state.save(desk, ended, handoffs.END)
    if resolved.request.stated_client.client_session_id:
        context_window.forget(resolved.home, resolved.request.stated_client.client_session_id)
    phase_file.forget(resolved)
    call_notes.forget_standing(resolved)
    return told


def _tasks_at_end(desk: Desk) -> list[str]:
    if not task_file.is_there(desk.root):
        return []
    from perdure.actions import task_sync  # only projects that use beads pay for it

    return task_sync.at_session_end(desk)
