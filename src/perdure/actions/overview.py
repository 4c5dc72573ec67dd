"""The state of everything here, for `perdure status`: read in time that does not depend on the ledger's length."""

from __future__ import annotations

from perdure.actions import backup, decisions, goals, notes, sessions, transactions
from perdure.errors import PerdureError
from perdure.model.event import Head
from perdure.model.state import Session
from perdure.model.value import value
from perdure.place import project, repository
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.backup import Lag
    from perdure.actions.decisions import DecisionView
    from perdure.actions.goals import GoalView
    from perdure.actions.notes import NoteView
    from perdure.actions.transactions import Held
    from perdure.actions.wiring import Desk

DECISIONS_SHOWN = 3
GOALS_SHOWN = 5
NOTES_SHOWN = 12
OTHERS_SHOWN = 5
"""Open transactions of other machines."""


@value
class Overview:
    project: str
    root: str
    project_id: str
    branch: str | None
    instance_id: str | None
    place_row: int | None
    session: Session | None
    transaction: Held | None
    others: tuple[Held, ...]
    goals: tuple[GoalView, ...]
    decisions: tuple[DecisionView, ...]
    notes: tuple[NoteView, ...]
    reasoning: NoteView | None
    head: Head
    chains: int
    backup: Lag
    warnings: tuple[str, ...]


def overview(desk: Desk) -> Overview:
    standing = repository.enclosing(desk.around.cwd)
    found = standing if standing and standing.main == desk.root else repository.enclosing(desk.root)
    held = transactions.current(desk)
    others = [each for each in transactions.all_open(desk) if not held or each.transaction.id != held.transaction.id]
    others += transactions.on_other_machines(desk, limit=OTHERS_SHOWN)
    reasoning = notes.latest(desk, ["reasoning"], 1)
    heads = desk.ledger.heads()
    return Overview(
        desk.who.name,
        desk.root,
        desk.who.id,
        repository.branch(found.common, found.work_tree) if found else None,
        desk.place.instance_id,
        desk.place.row,
        _session(desk),
        held,
        tuple(others),
        tuple(goals.listed(desk, limit=GOALS_SHOWN)),
        tuple(decisions.latest(desk, DECISIONS_SHOWN)),
        tuple(notes.open_ones(desk, NOTES_SHOWN)),
        reasoning[0] if reasoning else None,
        heads[0],
        len(heads),
        backup.lag(desk.ledger, desk.backup_folder),
        tuple(_warnings(desk, held)),
    )


def _session(desk: Desk) -> Session | None:
    try:
        return sessions.show(desk, None)
    except PerdureError:
        return None  # no session yet is a state, not a failure


def standing_elsewhere(desk: Desk) -> str | None:
    """The project one stands in, where the instance is bound to another: cwd never overrides that (SPEC 3.1)."""
    found = repository.enclosing(desk.around.cwd)
    here = found.main if found and project.is_project(found.main) else project.above(desk.around.cwd)
    return here if here and here != desk.root and desk.place.binding else None


def _warnings(desk: Desk, held: Held | None) -> list[str]:
    elsewhere = standing_elsewhere(desk)
    if elsewhere:
        return [
            f"you stand in {elsewhere}; this instance is bound to {desk.root}. perdure project switch . changes that."
        ]
    if held and not transaction_file.is_current(desk.folder, held.transaction, desk.key):
        name = transaction_file.name_for(held.transaction.suffix)
        return [f"{name} is not as the ledger says; the gate will deny. perdure heal writes it again."]
    return []
