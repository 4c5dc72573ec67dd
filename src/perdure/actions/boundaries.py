"""Where a context may end: at a compaction and at the end of a turn. The phase is recorded, the handoff and the state
checkpoint are written.

    at_compaction(resolved)
    at_stop(resolved)
"""

from __future__ import annotations

from perdure.actions import handoffs, phases, session_state, sessions
from perdure.actions.wiring import open_desk_at
from perdure.lifecycle.phases import PRE_COMPACT, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest


def at_compaction(resolved: ResolvedRequest) -> None:
    _at(resolved, PRE_COMPACT, handoffs.COMPACTION)


def at_stop(resolved: ResolvedRequest) -> None:
    _at(resolved, STOP, handoffs.STOP)


def _at(resolved: ResolvedRequest, phase: str, boundary: str) -> None:
    """Of a project without a session here nothing is handed over."""
    with open_desk_at(resolved) as desk:
        phases.enter(desk, phase)
        handoffs.write_at(desk, boundary)
        session_state.save(desk, sessions.under_way(desk), boundary)
