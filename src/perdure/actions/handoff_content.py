"""What a recorded handoff says: the words behind its ids, read from the ledger alone (SPEC 13.1).

The answer depends on the ledger and on nothing else, so that `heal` writes the same files again. What somebody demanded
to be carried comes first and is never replaced by what was derived. An erased event gives "(erased)".

    content(ledger, event)      the Handoff, or None if the event cannot be read
"""

from __future__ import annotations

from perdure.model import payload as p
from perdure.model.ids import short
from perdure.model.ownership import is_own
from perdure.views.handoff_text import ERASED, HandedDecision, HandedTransaction, Handoff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Event

_NO_TASK = "No goal or task was recorded."
_FIELDS = (
    "task_summary",
    "key_findings",
    "decisions",
    "next_steps",
    "blockers",
    "files",
    "next_session_context",
)
"""What may be demanded."""


def content(ledger: ReadableLedger, event: Event) -> Handoff | None:
    said = p.read(event, p.HandoffWritten)
    if said is None or event.session_id is None:
        return None
    words = _Words(ledger)
    wanted = words.demanded(said.demanded) if said.demanded else p.HandoffDemanded()
    decisions = [_decision(words, each) for each in said.decisions]
    next_steps = _first(wanted.next_steps, map(words.of, said.next_steps))
    blockers = _first(wanted.blockers, map(words.of, said.blockers))
    summary = wanted.task_summary or _summary(words, said)
    carried = [HandedDecision(each) for each in wanted.decisions]
    return Handoff(
        id=event.id,
        session_id=event.session_id,
        written_at=event.ts,
        boundary=said.boundary,
        project_path=said.project_path,
        branch=said.branch,
        task_id=event.task_id,
        task_summary=summary,
        key_findings=_first(wanted.key_findings, map(words.of, said.findings)),
        decisions=(*carried, *decisions),
        next_steps=next_steps,
        blockers=blockers,
        questions=tuple(map(words.of, said.questions)),
        files=_first(wanted.files, said.files),
        transaction=_transaction(said),
        next_session_context=wanted.next_session_context
        or _context(words, said, summary=summary, decisions=decisions, next_steps=next_steps, blockers=blockers),
        lineage=said.lineage,
        grounded=said.grounded,
        total=said.total,
        head_ledger=said.head_ledger,
        head_seq=said.head_seq,
        head_hash=said.head_hash,
        demanded=tuple(name for name in _FIELDS if getattr(wanted, name)),
    )


class _Words:
    """The texts of events, by id."""

    def __init__(self, ledger: ReadableLedger) -> None:
        self._ledger = ledger
        self._own = ledger.own()

    def event(self, id: str) -> Event | None:
        """The event of this ledger; another machine's with the same id never stands for it."""
        return next((each for each in self._ledger.find(id) if is_own(each, self._own)), None)

    def of(self, id: str) -> str:
        event = self.event(id)
        if event is None:
            return ERASED
        note = p.read(event, p.Note)
        if note:
            return note.text
        made = (
            p.read(event, p.GoalCreated)
            or p.read(event, p.GoalPrompted)
            or p.read(event, p.TaskCreated)
            or p.read(event, p.TaskUpdated)
        )
        return (made.title if made else None) or ERASED

    def demanded(self, id: str) -> p.HandoffDemanded:
        event = self.event(id)
        return (p.read(event, p.HandoffDemanded) if event else None) or p.HandoffDemanded()


def _first(demanded: Sequence[str], derived: Iterable[str]) -> tuple[str, ...]:
    """What was demanded, then what was derived and is not the same."""
    return tuple(dict.fromkeys((*demanded, *derived)))


def _decision(words: _Words, id: str) -> HandedDecision:
    event = words.event(id)
    made = p.read(event, p.DecisionMade) if event else None
    if made is None:
        return HandedDecision(ERASED, id=id)
    return HandedDecision(made.decision, made.rationale or "", id)


def _summary(words: _Words, said: p.HandoffWritten) -> str:
    if said.goal_project and not said.task_title:
        return f"The goal is recorded in {said.goal_project}."
    named = said.task_title or said.goal
    return words.of(named) if named else _NO_TASK


def _transaction(said: p.HandoffWritten) -> HandedTransaction | None:
    if said.transaction is None:
        return None
    return HandedTransaction(
        id=said.transaction,
        project_path=said.transaction_path or said.project_path,
        status=said.transaction_status or "investigate",
        preflight_vectors=dict(said.preflight_vectors or {}),
    )


def _context(
    words: _Words,
    said: p.HandoffWritten,
    *,
    summary: str,
    decisions: Sequence[HandedDecision],
    next_steps: Sequence[str],
    blockers: Sequence[str],
) -> str:
    """What the next session must know first, in a few lines."""
    lines = [f"Task: {summary}"]
    if said.transaction:
        lines.append(f"Open transaction: {short(said.transaction)} in {said.transaction_path or said.project_path}")
    if said.stopped_at:
        lines.append(f"Stopped at: {words.of(said.stopped_at)}")
    if decisions:
        lines.append(f"Last decision: {decisions[0].text}")
    if next_steps:
        lines.append(f"Next: {next_steps[0]}")
    if blockers:
        lines.append(f"Blocked by: {blockers[0]}")
    return "\n".join(lines)
