"""What is not written down: what a cleared context left (SPEC 9.2), and whether files were changed without a word. No
client can hold back a clear; the next session is told.

    at_start(desk)                          # one sentence, or nothing. It opens no file and asks no git
    is_change_unexplained(desk, session)    # files were changed since the last decision or note
"""

from __future__ import annotations

from perdure.actions import lineage_grounding, sessions, tasks
from perdure.actions.advice import as_typed
from perdure.ledger.port import WrittenBy
from perdure.model import payload as p
from perdure.model.ids import short_task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.wiring import Desk
    from perdure.model.state import Session

_CHANGED = ("edit.made", "file.created")
_SAID = ("decision.made", *(f"note.{kind}" for kind in p.NOTE_KINDS))


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


def is_change_unexplained(desk: Desk, session: Session | None) -> bool:
    return _newest(desk, session, _CHANGED) > _newest(desk, session, _SAID)


def _newest(desk: Desk, session: Session | None, kinds: Sequence[str]) -> int:
    """The clock of the newest such event of this lineage; 0 if there is none."""
    lineage = WrittenBy(tuple(each.id for each in sessions.lineage(desk, session)))
    return next((event.clock for event in desk.latest_by(lineage, kinds, 1)), 0)
