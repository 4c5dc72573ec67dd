"""Settles a fork between the ledger and what a person wrote in NOTES.md, if the file's words are to count (SPEC 7.4,
16.1). What the file says is an entry of a list or a part of a decision, not the value of a key.

    entry = entry_of(desk, fork)                       the event that the person changed, or None
    if entry:
        taken = take_over(desk, fork, entry, …)        records the file's words in place of the ledger's
"""

from __future__ import annotations

from perdure.actions import decisions, notes
from perdure.actions.advice import as_typed
from perdure.errors import Refused
from perdure.model import payload as p
from perdure.model.ids import short
from perdure.model.value import value
from perdure.views import notes_edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.decisions import DecisionView
    from perdure.actions.forks import ForkView
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json

DECISION = "decision.made"
_NOTES = tuple(f"note.{kind}" for kind in p.NOTE_KINDS)


@value
class TakenOver:
    decision: DecisionView | None = None
    superseded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def field_of(event: Event) -> str:
    """How a fork names the entry that it is about."""
    return f"{event.kind} {short(event.id)}"


def entry_of(desk: Desk, fork: ForkView) -> Event | None:
    """The entry of NOTES.md that the fork is about; None if it is about something else."""
    kind, _, id = fork.field.partition(" ")
    found = desk.ledger.find(id, [kind]) if id and kind in p.TEXTS else []
    return found[0] if len(found) == 1 else None


def take_over(
    desk: Desk, fork: ForkView, entry: Event, *, because: str, evidence: tuple[dict[str, Json], ...] = ()
) -> TakenOver:
    """Records what the file says. The entry itself stays on record: it is superseded or closed."""
    raw = fork.sides[-1].value
    if entry.kind == DECISION:
        return _decided(desk, fork, entry, because=because, evidence=evidence)
    if entry.kind in _NOTES:
        return _noted(desk, entry, raw)
    raise _unusable(
        f"{field_of(entry)} cannot be changed by a line of the file.", "Change it yourself", desk, fork=fork
    )


def _unusable(why: str, what: str, desk: Desk, *, fork: ForkView) -> Refused:
    keep = as_typed(desk, f"perdure fork resolve {short(fork.id)} --keep ledger --because '…'")
    return Refused("side_not_usable", f"{why} Nothing was written.", hint=f"{what}, then: {keep}")


# -- decisions -----------------------------------------------------------------------------------------------------


def _decided(
    desk: Desk, fork: ForkView, entry: Event, *, because: str, evidence: tuple[dict[str, Json], ...]
) -> TakenOver:
    before = p.read(entry, p.DecisionMade)
    said = notes_edits.parts_of_decision(fork.sides[-1].value)
    if before is None or said is None:
        other = as_typed(desk, f"perdure fork resolve {short(fork.id)} --decide '…' --because '…'")
        if before is not None and before.key is not None:
            other = f"{other} --value '…'"
        raise Refused(
            "side_not_usable",
            "The file does not say what is decided instead. Nothing was written.",
            hint=f"Say it: {other}",
        )
    is_same = said.decision in ("", before.decision)
    made = p.DecisionMade(
        decision=said.decision or before.decision,
        rationale=said.rationale or because,
        supersedes=entry.id,
        evidence=evidence or (before.evidence if is_same else ()),
        title=before.title if is_same else None,
        scenarios=before.scenarios if is_same else (),
    )
    decision = decisions.decide(desk, made, entry.task_id)
    return TakenOver(decision=decision, superseded=(entry.id,), warnings=decision.warnings)


# -- notes ---------------------------------------------------------------------------------------------------------


def _noted(desk: Desk, entry: Event, raw: str) -> TakenOver:
    """The new words first: after a crash in between both are open, and nothing is lost."""
    kind = entry.kind.removeprefix("note.")
    text = notes_edits.text_of_entry(raw)
    if text:
        notes.add(desk, kind, text, task_id=entry.task_id)
    if kind not in p.CLOSABLE_NOTES:
        erase = as_typed(desk, f"perdure redact {short(entry.id)} --because '…'")
        return TakenOver(warnings=(f"A {kind} cannot be closed: {short(entry.id)} stays, too. To erase it: {erase}",))
    if desk.ledger.document("note", entry.id) is not None:
        notes.close(desk, entry.id, "NOTES.md says something else")
    return TakenOver()
