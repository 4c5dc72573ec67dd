"""Which open goals are this lineage's, and which another pane's? Whatever shows goals asks here (SPEC 1, 3.1).

found = open_goals_at(desk)
found.own          what the work here is for: the goal of the transaction that this instance holds; the goal that
                   its lineage began with, in whatever project that was; the goals that it made itself; then the
                   project's other goals
found.others       what other running instances are working for now
found.missing      a sentence, if this lineage's goal is in a project that is gone or cannot be read; else empty
"""

from __future__ import annotations

import os

from perdure.actions import goals, sessions, transaction_lookup
from perdure.actions.advice import as_typed
from perdure.actions.writers import OWN, Writers
from perdure.model.event import Ref
from perdure.model.ids import LedgerId
from perdure.model.shell_quote import quote
from perdure.model.state import Goal, body_as
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.goals import GoalView
    from perdure.actions.holdings import Held
    from perdure.actions.wiring import Desk
    from perdure.model.state import Transaction


@value
class OpenGoals:
    own: tuple[GoalView, ...]
    others: tuple[GoalView, ...]
    missing: str = ""


def open_goals_at(desk: Desk) -> OpenGoals:
    writers = Writers(desk, sessions.under_way(desk))
    return open_goals(desk, writers, transaction_lookup.current(desk), others=transaction_lookup.all_open(desk))


def open_goals(desk: Desk, writers: Writers, held: Held | None, *, others: Iterable[Held]) -> OpenGoals:
    """`held`: the transaction that this place continues; `others`: the open transactions here, with or without it."""
    own = held.transaction if held else None
    living = [each.transaction for each in others if each.alive is not False]
    living = [each for each in living if own is None or each.id != own.id]
    unread: list[str] = []
    found = _ranked(desk, held, unread)
    theirs = [
        goal
        for goal in found
        if _is_served(goal, living) and not (own and goal.id == own.goal_id) and not _is_made_here(desk, writers, goal)
    ]
    missing = _missing(desk, unread[0]) if unread else ""
    return OpenGoals(tuple(goal for goal in found if goal not in theirs), tuple(theirs), missing)


def _missing(desk: Desk, root: str) -> str:
    """Says where the goal is, and how to have one again. `root`: the project that this lineage came from."""
    if os.path.isdir(root):
        why, way = "cannot be read", f"perdure heal --project-path {quote(root)} restores it"
    else:
        why, way = "is gone", "If the folder was moved, perdure heal --project-path NEW_PATH finds it again"
    instead = as_typed(desk, "perdure goal create 'WHAT FOR'")
    return f"this lineage's goal is in the record of {root}, which {why}. {way}; otherwise: {instead}"


def _is_served(goal: GoalView, living: list[Transaction]) -> bool:
    """Whether one of these transactions was opened for the goal, or the goal was made in it."""
    return goal.status == "open" and any(goal.id == each.goal_id or goal.transaction_id == each.id for each in living)


def _ranked(desk: Desk, held: Held | None, unread: list[str]) -> list[GoalView]:
    """Every open goal of this lineage and of this project, each once. The transaction that this instance continues
    brings the goal that it was opened for, even if that was the first prompt of an earlier lineage. For `unread` see
    `goals.of_lineage`."""
    begun, here = goals.of_lineage(desk, unread=unread), goals.of_project(desk)
    served = goals.of_transaction(desk, held.transaction) if held and held.mine else None
    ranked = {goal.id: goal for goal in (*([served] if served and served.status != "done" else []), *begun, *here)}
    titles = {goal.title for goal in here}
    return [goal for goal in ranked.values() if goal.project_path is None or goal.title not in titles]


def _is_made_here(desk: Desk, writers: Writers, goal: GoalView) -> bool:
    """Whether the goal was made by this lineage, this instance, or an earlier holder of the transaction it holds."""
    if goal.project_path is not None:
        return True
    found = body_as(desk.ledger.document("goal", goal.id), Goal)
    event = desk.ledger.event(Ref(LedgerId(found.ledger_id), found.seq)) if found else None
    return event is not None and writers.of(event) in OWN
