"""The close protocol (SPEC 10.6): what is not written down at the end of a turn is said once in a session.

Nothing waits for it, and a turn of mere talk is told nothing. A client shows the model nothing at the end of a turn
without asking it again. So the person sees it then, and the agent reads it with the next prompt, if it still holds.

    at_turn_end(desk, has_worked)       what the person is told
    at_prompt(desk, session)            what the agent is told
"""

from __future__ import annotations

from perdure.actions import lineage_grounding, notes, sessions, tasks, unsynthesised
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution, own_open_transaction
from perdure.actions.record import record
from perdure.actions.writers import Writers
from perdure.ledger.port import WrittenBy
from perdure.model import payload as p
from perdure.model.ids import short, short_task
from perdure.model.state import Session, body_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from perdure.actions.wiring import Desk
    from perdure.model.state import Transaction

TOLD = "closing.told"
_MOST_NOTES = 50


def at_turn_end(desk: Desk, has_worked: Callable[[], bool]) -> str:
    """`has_worked`: whether the turn was more than talk; asked only if nothing was said in this session."""
    session_id = sessions.current(desk)
    session = body_as(desk.ledger.document("session", session_id), Session) if session_id else None
    if session is None or TOLD in session.told or not has_worked():
        return ""
    lacking = [what for what, _ in _lacking(desk, session)]
    if not lacking:
        return ""
    attribution = current_attribution(desk)
    record(desk, [*attribution.before, attribution.fact(TOLD, p.ClosingTold(tuple(lacking)))])
    return f"Perdure: before this session ends: {'; '.join(lacking)}."


def at_prompt(desk: Desk, session: Session | None) -> list[str]:
    """Called before the prompt is recorded. The session may have been resumed since the person was told."""
    if session is None or not _is_untold(desk, session):
        return []
    lacking = list(_lacking(desk, session))
    if not lacking:
        return []
    what, ways = "; ".join(what for what, _ in lacking), ", ".join(way for _, way in lacking)
    return [f"Perdure: before this session ends: {what}. ({ways})"]


def _is_untold(desk: Desk, session: Session) -> bool:
    """Whether the person was told after their last prompt."""
    ours = WrittenBy(tuple(filter(None, (session.id, session.parent_id))))
    return any(event.kind == TOLD for event in desk.latest_by(ours, [TOLD, "prompt.given"], 1))


def _lacking(desk: Desk, session: Session) -> Iterator[tuple[str, str]]:
    """What is not written down, each with the command that does it."""
    transaction = own_open_transaction(desk)
    if transaction:
        yield f"transaction {short(transaction.id)} is open", as_typed(desk, "perdure postflight")
    ratio = lineage_grounding.as_recorded(desk).ratio
    if ratio.total > ratio.grounded:
        lacking = f"{ratio.total - ratio.grounded} of {ratio.total} claims and decisions have no evidence"
        yield lacking, as_typed(desk, "perdure claim list")
    if unsynthesised.is_change_unexplained(desk, session):
        changed = "files were changed since the last decision or note"
        yield changed, as_typed(desk, "perdure decide '…' --because '…'")
    yield from _without_next_step(desk, session, transaction)


def _without_next_step(desk: Desk, session: Session, transaction: Transaction | None) -> Iterator[tuple[str, str]]:
    """Work that is neither in a transaction nor a task may be finished."""
    task = tasks.own_active(desk)
    if (transaction is None and task is None) or (task and task.next_steps):
        return
    if any(each.kind == "next" for each in notes.open_by(desk, Writers(desk, session), _MOST_NOTES)):
        return
    of_task = f" of task {short_task(task.id)}" if task else ""
    yield f"no next step{of_task} is written down", as_typed(desk, "perdure note next '…'")
