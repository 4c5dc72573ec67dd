"""Where a context may end: at a compaction and at the end of a turn. The phase is recorded, the handoff and the state
checkpoint are written.

    at_compaction(resolved)
    at_stop(desk)
"""

from __future__ import annotations

from perdure.actions import handoffs, phases, session_state, sessions
from perdure.actions.wiring import open_desk_at
from perdure.lifecycle.phases import PRE_COMPACT, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk


def at_compaction(resolved: ResolvedRequest) -> None:
    """Writes the handoff and saves the state. A project without a session here has nothing to hand over."""
    with open_desk_at(resolved) as desk:
        phases.enter(desk, PRE_COMPACT)
        handoffs.write_at(desk, handoffs.COMPACTION)
        session_state.save(desk, sessions.under_way(desk), handoffs.COMPACTION)


def at_stop(desk: Desk) -> None:
    phases.enter(desk, STOP)
    handoffs.write_at(desk, handoffs.STOP)
    session_state.save_at_stop(desk, sessions.under_way(desk), handoffs.STOP)
