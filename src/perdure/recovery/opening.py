"""The text a session begins with: what the ledger holds that an agent needs first (SPEC 6.2).

Every line is whole or cut where it says so; the whole stays far under what a client takes inline.

    opening(Opening(project="shop", root="/src/shop", …)) → "Perdure: project shop …"
"""

from __future__ import annotations

from perdure.model.value import value

LONGEST_LINE = 400
LONGEST_TEXT = 6000
PREFLIGHT = "perdure preflight --know 0.8 --uncertainty 0.2 --because 'what you know and what you will do'"
BECAUSE = {
    "compact": "The context was compacted",
    "resume": "The session was resumed",
    "clear": "The context was cleared",
    "fork": "The session was forked",
}


@value
class OpenTransaction:
    id: str
    root: str
    age: str
    decision: str


@value
class Opening:
    """Everything in words already; ids short."""

    project: str
    root: str
    branch: str | None
    source: str
    transaction: OpenTransaction | None
    goals: tuple[str, ...]
    """The lineage's own first."""
    decisions: tuple[tuple[str, str | None], ...]
    """Newest first, each with its reason."""
    reasoning: str | None
    next_steps: tuple[str, ...]
    questions: tuple[str, ...]
    blockers: tuple[str, ...]
    orphans: tuple[str, ...]
    notices: tuple[str, ...]
    """What was healed, closed or met on the way here."""
    guarded: bool


def opening(o: Opening) -> str:
    branch = f", branch {o.branch}" if o.branch else ""
    lines = [f"Perdure: project {o.project} ({o.root}{branch})."]
    if o.source in BECAUSE:
        lines.append(f"{BECAUSE[o.source]}; what follows comes from the ledger and holds.")
    lines += _transaction(o)
    lines += _listed("Goal", o.goals)
    lines += _listed("Where it stopped", (o.reasoning,) if o.reasoning else ())
    reasons = tuple(f"{what} — because {why}" if why else what for what, why in o.decisions)
    lines += _listed("Decisions, newest first", reasons)
    lines += _listed("Next", o.next_steps)
    lines += _listed("Blocked by", o.blockers)
    lines += _listed("Open questions", o.questions)
    lines += [f"Orphaned: {each}" for each in o.orphans]
    lines += o.notices
    return _within("\n".join(_line(line) for line in lines))


def _transaction(o: Opening) -> list[str]:
    t = o.transaction
    if t is None:
        if not o.guarded:
            return ["No transaction is open."]
        return [f"No transaction is open. Before you change anything: {PREFLIGHT}"]
    line = f"Continuing transaction {t.id} from project {t.root}, open {t.age}, gate {t.decision}."
    if t.decision == "investigate":
        return [line, "Look further, then: perdure check --know … --uncertainty … --because '…'"]
    return [f"{line} When the work is done: perdure postflight --know … --uncertainty … --because '…'"]


def _listed(label: str, items: tuple[str, ...]) -> list[str]:
    if len(items) == 1:
        return [f"{label}: {items[0]}"]
    return [f"{label}:", *(f"- {item}" for item in items)] if items else []


def _line(text: str) -> str:
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= LONGEST_LINE else flat[: LONGEST_LINE - 1] + "…"


def _within(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    return text[: LONGEST_TEXT - 60].rsplit("\n", 1)[0] + "\n… more: perdure status"
