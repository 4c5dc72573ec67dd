"""What a cleared context left unwritten (SPEC 9.2). No client can hold back a clear; the next session is told.

at_start(desk)      # one sentence, or nothing. It opens no file and asks no git
"""

from __future__ import annotations

from perdure.actions import lineage_grounding, tasks
from perdure.actions.advice import as_typed
from perdure.model.ids import short_task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk


def at_start(desk: Desk) -> list[str]:
    lacking = [*_ungrounded(desk), *_without_next_step(desk)]
    if not lacking:
        return []
    look = as_typed(desk, "perdure checkpoint --full --dry-run")
    return [f"The context was cleared before this was written down: {'; '.join(lacking)}. {look} says what to do."]


def _ungrounded(desk: Desk) -> list[str]:
    found = lineage_grounding.as_recorded(desk).ratio
    lacking = found.total - found.grounded
    return [f"evidence for {lacking} of {found.total} claims and decisions"] if lacking else []


def _without_next_step(desk: Desk) -> list[str]:
    task = tasks.own_active(desk)
    if task is None or task.next_steps:
        return []
    return [f"the next steps of task {short_task(task.id)}"]
