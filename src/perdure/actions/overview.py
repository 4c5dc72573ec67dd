"""The state of a project and its instance, for `perdure status`. The time it takes does not depend on the ledger's
length."""

from __future__ import annotations

from perdure.actions import (
    backup,
    decisions,
    earlier_record,
    forks,
    gate_warnings,
    held_at_gate,
    holdings,
    lineage_goals,
    lineage_grounding,
    notes,
    project_ids,
    record_check,
    session_records,
    sessions,
    transaction_lookup,
)
from perdure.actions.advice import about, as_typed, project_flag
from perdure.actions.shell_command import why_never_confined
from perdure.actions.writers import Writers
from perdure.errors import PerdureError
from perdure.model.event import Head
from perdure.model.ids import short
from perdure.model.shell_quote import quote
from perdure.model.state import Session
from perdure.model.value import value
from perdure.place import git_ignore, git_index, repository, rights
from perdure.place.refusals import is_refused_plain_repository
from perdure.settings import refusals, wrong_in_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.backup import BackupLag
    from perdure.actions.decisions import DecisionView
    from perdure.actions.goals import GoalView
    from perdure.actions.holdings import Held
    from perdure.actions.notes import NoteView
    from perdure.actions.wiring import Desk
    from perdure.gate.policy import TransactionState
    from perdure.model.ids import TransactionId

DECISIONS_SHOWN = 3
GOALS_SHOWN = 5
NOTES_SHOWN = 12
OTHERS_SHOWN = 5
"""How many open transactions of other machines are shown, and of how many other instances the reasoning."""


@value
class Overview:
    project: str
    root: str
    project_id: str
    branch: str | None
    instance_id: str | None
    session: Session | None
    transaction: Held | None
    others: tuple[Held, ...]
    """Open transactions of other instances, in this project."""
    elsewhere: holdings.Elsewhere
    """Open transactions of this instance, in other projects."""
    meant: TransactionId | None
    """The transaction that check and postflight are about without flags."""
    project_flag: str
    """What a command needs to be about this project."""
    goals: tuple[GoalView, ...]
    others_goals: tuple[GoalView, ...]
    """Goals of transactions that other running instances hold."""
    decisions: tuple[DecisionView, ...]
    notes: tuple[NoteView, ...]
    """This lineage's and instance's own first; those of other instances that are at work last."""
    reasoning: NoteView | None
    """Where the work of this place stopped."""
    others_reasoning: tuple[NoteView, ...]
    """Where other instances are that are at work now."""
    grounding: lineage_grounding.Grounding
    """How much holds of what this lineage said since its last passed checkpoint, as the last check found it."""
    head: Head
    chains: int
    backup: BackupLag
    damage: tuple[str, ...]
    """The warnings that come first: what is wrong with the record."""
    gate: tuple[str, ...]
    """Then: what switches the gate off or loosens it."""
    left_behind: tuple[str, ...]
    """Then, after a guard that does not work: transactions whose holder is gone."""
    contradicting: tuple[str, ...]
    """Then: decisions that contradict each other."""
    warnings: tuple[str, ...]
    """All others."""
    forks: int
    """How many forks between decisions are open. `contradicting` names the first."""
    missing_record: str = ""
    """Says that a ledger was set aside and not taken in, so that what is shown here is not everything."""
    is_denied_here: bool = False
    """The gate denies every change, although the transaction is open: a warning says why."""


def overview(desk: Desk) -> Overview:
    standing = repository.enclosing(desk.around.cwd)
    found = standing if standing and standing.main == desk.root else repository.enclosing(desk.root)
    held = transaction_lookup.current(desk)
    seen = held_at_gate.state_at_gate(desk, held)
    others = [
        each for each in transaction_lookup.all_open(desk) if not held or each.transaction.id != held.transaction.id
    ]
    others += transaction_lookup.on_other_machines(desk, limit=OTHERS_SHOWN)
    away = holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
    session = _session(desk, held, away)
    writers = Writers(desk, session)
    reasoning, others_reasoning = notes.where_it_stopped(desk, writers)
    heads = desk.ledger.heads()
    goals = lineage_goals.open_goals(desk, writers, held, others=others)
    contradicting = forks.open_forks(desk, about=forks.ABOUT_DECISION)
    return Overview(
        project=desk.identity.name,
        root=desk.root,
        project_id=desk.identity.id,
        branch=repository.branch(found.common, found.work_tree) if found else None,
        instance_id=desk.place.instance_id,
        session=session,
        transaction=held,
        others=tuple(others),
        elsewhere=away,
        meant=_meant(desk, held, away),
        project_flag=project_flag(desk),
        goals=goals.own[:GOALS_SHOWN],
        others_goals=goals.others[:GOALS_SHOWN],
        decisions=tuple(decisions.latest_standing(desk, DECISIONS_SHOWN)),
        notes=tuple(notes.open_by(desk, writers, NOTES_SHOWN)),
        reasoning=reasoning,
        others_reasoning=tuple(others_reasoning[:OTHERS_SHOWN]),
        grounding=lineage_grounding.as_recorded(desk),
        head=heads[0],
        chains=len(heads),
        backup=backup.lag(desk.ledger, desk.backup_folder),
        damage=tuple(_damage(desk)),
        gate=tuple(str(each) for each in gate_warnings.warnings_for(desk.resolved)),
        left_behind=tuple(left_behind([*([held] if held and not held.mine else []), *others], held)),
        contradicting=tuple(forks.told_in_brief(desk, contradicting)),
        warnings=(
            *_warnings(desk, held, seen),
            *(each.words for each in away.unreadable),
            *([goals.missing] if goals.missing else []),
        ),
        forks=len(contradicting),
        missing_record=_missing_record(desk),
        is_denied_here=held_at_gate.is_denied(desk, held, seen),
    )


def _meant(desk: Desk, here: Held | None, away: holdings.Elsewhere) -> TransactionId | None:
    if here:
        return here.transaction.id
    found = transaction_lookup.meant_if_one(desk, away)
    return found[1] if found else None


def _session(desk: Desk, held: Held | None, away: holdings.Elsewhere) -> Session | None:
    try:
        session = sessions.show(desk, None)
    except PerdureError:
        return None  # that there is no session yet is not an error
    every = [*([held] if held and held.mine else []), *away.open]
    return session_records.as_it_is(desk, session, [each.transaction for each in every])


def _standing_elsewhere(desk: Desk) -> str | None:
    """The project of the working directory, if the instance is bound to another one, which then counts (SPEC 3.1). None
    if the caller named a project: that one is only looked at."""
    here = desk.place.cwd_project
    is_named = desk.place.project_row == 1
    return here if here and here != desk.root and desk.place.binding and not is_named else None


def _warnings(desk: Desk, held: Held | None, seen: TransactionState) -> list[str]:
    open_to_others = [f"{each}. {each.fix}" for each in rights.exposed(desk.resolved.home, desk.folder)]
    not_ignored = git_ignore.warning(desk.root) or git_ignore.warning_not_kept(desk.root)
    in_git = [f"{each}." for each in (not_ignored, git_index.warning(desk.root)) if each]
    said = [*_another_id(desk), *_place_warnings(desk, held, seen), *open_to_others, *in_git]
    not_confined = why_never_confined(desk.settings)
    return [*said, *wrong_in_files(desk.settings), *refusals(desk.settings), *([not_confined] if not_confined else [])]


def _missing_record(desk: Desk) -> str:
    paths = earlier_record.ledgers_set_aside(desk)
    if not paths:
        return ""
    path = quote(paths[0])
    more = f" (and {len(paths) - 1} more)" if len(paths) > 1 else ""
    take_in = as_typed(desk, f"perdure import {path}")
    return (
        f"a ledger that this home did not write was set aside{more}, and what it holds is missing here: goals, "
        f"decisions, notes. A person takes it in: {take_in}; or, if nobody needs it, deletes it: rm {path}*"
    )


def left_behind(found: Iterable[Held], held: Held | None) -> list[str]:
    """`held`: what this place is about; its own must be closed before it takes another one."""
    first = "once yours is closed: " if held and held.mine else ""
    return [
        f"transaction {short(each.transaction.id)}{_about(each)} was left open by a pane that is gone: "
        f"{first}{each.adopted_by} takes it over."
        for each in found
        if each.is_left_behind
    ]


def _about(each: Held) -> str:
    return f" ({transaction_lookup.one_line(each.goal)})" if each.goal else ""


def _another_id(desk: Desk) -> list[str]:
    said = project_ids.warning(desk.resolved, desk.root, desk.ledger)
    return [about(desk.resolved, desk.root, said)] if said else []


def _damage(desk: Desk) -> list[str]:
    known = [about(desk.resolved, desk.root, each) for each in held_at_gate.of_ledger(desk)]
    return known or list(record_check.found_wrong(desk))


def _place_warnings(desk: Desk, held: Held | None, seen: TransactionState) -> list[str]:
    elsewhere, warnings = _standing_elsewhere(desk), []
    if elsewhere:
        warnings.append(
            f"you are in {elsewhere}; this pane is bound to {desk.root}. perdure project switch . changes that."
        )
    elif is_refused_plain_repository(desk.place):
        warnings.append(
            f"you are in {desk.place.plain_repository}, which is a repository but not a project; this is the project "
            "that this terminal worked on last. perdure init makes the repository a project."
        )
    wrong = held_at_gate.warning(desk, held, seen)
    return [wrong, *warnings] if wrong else warnings
