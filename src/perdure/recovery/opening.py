"""What the ledger itself holds that whoever goes on needs: where the work stands, and what was written down on purpose.

The head is always whole: project, transaction, what must be known at once. The rest are sections of a brief.

    brief([*written(o), *sections_of(gathered, …)], 1200, head(o))
"""

from __future__ import annotations

from perdure.model.value import value
from perdure.recovery.brief import Line, Section, flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LINE = 400
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
class Written:
    """Something that was written down, and the id that it has in the ledger."""

    text: str
    source: str


@value
class Opening:
    """Everything in words already; ids short."""

    project: str
    root: str
    branch: str | None
    source: str
    transaction: OpenTransaction | None
    goals: tuple[Written, ...]
    """The lineage's own first."""
    tasks: tuple[Written, ...]
    """What is in progress here; else what is ready."""
    decisions: tuple[Written, ...]
    """Newest first, each with its reason."""
    reasoning: tuple[Written, ...]
    """The last."""
    next_steps: tuple[Written, ...]
    questions: tuple[Written, ...]
    blockers: tuple[Written, ...]
    constraints: tuple[Written, ...]
    failed: tuple[Written, ...]
    orphans: tuple[str, ...]
    notices: tuple[str, ...]
    """What was healed, closed or met on the way here."""
    guarded: bool


def head(o: Opening) -> str:
    branch = f", branch {o.branch}" if o.branch else ""
    lines = [f"Perdure: project {o.project} ({o.root}{branch})."]
    if o.source in BECAUSE:
        lines.append(f"{BECAUSE[o.source]}; what follows comes from the ledger and holds.")
    lines += _transaction(o)
    lines += [f"Orphaned: {each}" for each in o.orphans]
    lines += o.notices
    return "\n".join(_flat(line) for line in lines)


def short_head(o: Opening) -> str:
    """For the smallest budget: the transaction, or that there is none."""
    t = o.transaction
    return f"{_flat(o.project)[:40]}: " + (
        f"transaction {t.id} open, gate {t.decision}." if t else "no transaction is open."
    )


def written(o: Opening, longest: int = LONGEST_LINE) -> list[Section]:
    """`longest`: characters of a line. What is longer is cut between two words."""

    def _lines(several: Sequence[Written], why: str) -> tuple[Line, ...]:
        return tuple(Line(_flat(each.text, longest), why, source=each.source) for each in several)

    return [
        Section("Goal:", "goals", 4.0, _lines(o.goals, "a goal that is not done")),
        Section("Task:", "tasks", 4.0, _lines(o.tasks, "in progress here, or the first that nothing blocks")),
        Section("Where it stopped:", "last words", 3.0, _lines(o.reasoning, "the last reasoning note")),
        Section("Next:", "next steps", 3.0, _lines(o.next_steps, "a next step nobody has closed")),
        Section("Decisions, newest first:", "decisions", 2.5, _lines(o.decisions, "a decision that stands")),
        Section("Constraints:", "constraints", 3.0, _lines(o.constraints, "a constraint that was noted")),
        Section("Blocked by:", "blockers", 2.0, _lines(o.blockers, "a blocker nobody has closed")),
        Section("Open questions:", "questions", 1.5, _lines(o.questions, "a question nobody has closed")),
        Section("Did not work:", "approaches", 1.5, _lines(o.failed, "an approach that failed")),
    ]


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


def _flat(text: str, longest: int = LONGEST_LINE) -> str:
    line = " ".join(flat(text).split())
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    return (cut.rpartition(" ")[0] or cut) + "…"
