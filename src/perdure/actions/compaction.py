"""What a compaction kept and lost (SPEC 11): what the summariser is told, and how its summary compares with the ledger.

    guide(resolved, "auto")             PreCompact: records the facts, returns the text for the summariser
    audit(desk, summary, SUMMARISER)    the summariser's stop, or PostCompact: records what is kept, altered, lost

What was lost is given back by `actions/give_back.py`.
"""

from __future__ import annotations

import os
from hashlib import sha256
from time import monotonic, sleep

from perdure.actions import fork_check, sessions
from perdure.actions.attribution import record_event
from perdure.actions.compaction_facts import fact_named, facts_of, is_preserved, name_in, reference
from perdure.actions.record import without_credentials
from perdure.actions.unsynthesised import is_change_unexplained
from perdure.actions.wiring import open_desk_at
from perdure.ledger.port import WrittenBy
from perdure.lifecycle.summariser_text import guidance
from perdure.lifecycle.summary_audit import audit as audit_facts
from perdure.lifecycle.summary_fact import ALTERED, KEPT, LOST
from perdure.model import payload as p
from perdure.model.state import Session, body_as
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.lifecycle.summariser_text import Guidance
    from perdure.lifecycle.summary_fact import Finding, SummaryFact
    from perdure.model.event import Event
    from perdure.model.json import Json

BEGUN, AUDITED, GIVEN, ARRIVED = "compaction.begun", "compaction.audited", "compaction.given", "compaction.arrived"
SUMMARISER, AFTER = "summariser", "after"
LOOKED_AT = 2000
"""Events of compactions that are searched for those of one session, the newest first."""
PATIENCE = 2.0
"""Seconds in which the audit of the summariser's text is waited for. The client starts that hook before the session
start, and waits for neither."""
_PAUSE = 0.02
_ORDER = {ALTERED: 0, LOST: 1, KEPT: 2}


@value
class Told:
    """A fact, and what the last audit found about it."""

    fact: SummaryFact | None
    """None if its words are not on record any more."""
    kind: str
    source: str
    outcome: str
    passage: str = ""
    line: int = 0
    why: str = ""


@value
class Compaction:
    """An audit, and what was done about it."""

    event: Event
    heard: str
    facts: tuple[Told, ...]
    """Altered ones first, then those that were lost."""
    given: tuple[p.CompactionGiven, ...] = ()
    arrived: bool | None = None
    """Whether the transcript has what was given back; None if that was not looked up, or nothing was given."""


# -- before it -------------------------------------------------------------------------------------------------------


def guide(resolved: ResolvedRequest, trigger: str) -> str:
    with open_desk_at(resolved) as desk:
        facts = facts_of(desk, _session(desk))
        said = _guidance(desk, facts)
        begun = p.CompactionBegun(trigger, tuple(map(reference, facts)), said.named)
        record_event(desk, BEGUN, begun)
        return said.text


def _session(desk: Desk) -> Session | None:
    return body_as(desk.ledger.document("session", sessions.current(desk) or ""), Session)


def _guidance(desk: Desk, facts: list[SummaryFact]) -> Guidance:
    """Tool results and thinking have no facts; the summariser is only told what to do with them."""
    short = [name for part, name in _BULK.items() if not is_preserved(desk, part)]
    whole = [name for part, name in _BULK.items() if is_preserved(desk, part)]
    remarks = [f"May be shortened: {', '.join(short)}."] if short else []
    remarks += [f"Keep in detail: {', '.join(whole)}."] if whole else []
    if is_preserved(desk, "trajectory") and os.path.isdir(os.path.join(desk.folder, "trajectory")):
        remarks.append("What happened is also in .perdure/trajectory/.")
    return guidance(facts, remarks)


_BULK = {"tool_results": "tool results", "thinking": "thinking"}


# -- the audit -------------------------------------------------------------------------------------------------------


def audit(desk: Desk, summary: str, heard: str) -> Event:
    """Compares the summary with the ledger. Forks are recorded as well; a decision that the summary contradicts is
    altered."""
    stated = fork_check.check_summary(desk, summary)
    contradicted = {side.decision_id for fork in stated for side in fork.sides if side.decision_id}
    found = audit_facts(facts_of(desk, _session(desk)), summary, contradicted)
    digest = sha256(summary.encode("utf-8", "surrogatepass")).hexdigest()
    return record_event(desk, AUDITED, p.CompactionAudited(heard, digest, tuple(map(_finding, found))))


def _finding(found: Finding) -> dict[str, Json]:
    said: dict[str, Json] = {**reference(found.fact), "outcome": found.outcome}
    if found.outcome == ALTERED:
        said |= {"passage": without_credentials(found.passage), "line": found.line, "why": found.why}
    return said


def is_begun(desk: Desk) -> bool:
    """Whether a compaction began in this session and was not audited yet. A client may have other agents without a type
    than its summariser: what they say is not a summary."""
    found = _latest_of(desk, sessions.current(desk))
    return found is not None and found.kind == BEGUN


def audit_after(desk: Desk, summary: str) -> Event:
    """PostCompact: the audit of this summary, which may be on record already."""
    digest = sha256(summary.encode("utf-8", "surrogatepass")).hexdigest()
    for known in desk.latest_here([AUDITED], 1):
        said = p.read(known, p.CompactionAudited)
        if said and _is_same_summary(desk, known, said, digest=digest):
            return known
    return audit(desk, summary, AFTER)


def _is_same_summary(desk: Desk, event: Event, said: p.CompactionAudited, *, digest: str) -> bool:
    """The client may wrap the summariser's text, so an audit of the session before counts as well."""
    session = _session(desk)
    ours = {session.id, session.parent_id} if session else set()
    return said.summary == digest or (
        said.heard == SUMMARISER and event.session_id in ours and not _is_older(desk, event)
    )


def _is_older(desk: Desk, event: Event) -> bool:
    """Whether another compaction of this instance began since."""
    begun = desk.latest_by(WrittenBy(instance_id=event.instance_id), [BEGUN], 1)
    return any(each.clock > event.clock for each in begun)


def awaited(desk: Desk, session_id: str | None) -> Event | None:
    """The audit of the summary that ended this session. If a compaction began there and its audit is not recorded yet,
    this waits for it, but not for long."""
    deadline = monotonic() + PATIENCE
    while True:
        found = _latest_of(desk, session_id)
        if found is None or found.kind == AUDITED or monotonic() > deadline:
            return found if found and found.kind == AUDITED else None
        sleep(_PAUSE)


def _latest_of(desk: Desk, session_id: str | None) -> Event | None:
    """What a compaction of this session recorded last: that it began, or its audit."""
    by = WrittenBy((session_id,) if session_id else ())
    return next(iter(desk.latest_by(by, [BEGUN, AUDITED], 1)), None)


# -- what it found ---------------------------------------------------------------------------------------------------


def still_told_by(desk: Desk, event: Event, session: Session | None) -> list[Told]:
    """What an audit found, with those facts only that still hold."""
    known = {fact.name: fact for fact in facts_of(desk, session)}
    return _findings(event, known.get)


def told_by(desk: Desk, event: Event) -> list[Told]:
    """What an audit found, with the words that the record has for each fact."""
    return _findings(event, lambda named: fact_named(desk, named))


def _findings(event: Event, fact_of: Callable[[tuple[str, str, str]], SummaryFact | None]) -> list[Told]:
    said = p.read(event, p.CompactionAudited)
    told = [_told(each, fact_of(name_in(each))) for each in (said.findings if said else ())]
    return sorted(told, key=lambda each: _ORDER.get(each.outcome, 0))


def _told(found: dict[str, Json], fact: SummaryFact | None) -> Told:
    line = found.get("line")
    return Told(
        fact=fact,
        kind=str(found.get("kind")),
        source=str(found.get("source")),
        outcome=str(found.get("outcome")),
        passage=str(found.get("passage") or ""),
        line=line if type(line) is int else 0,
        why=str(found.get("why") or ""),
    )


def last(desk: Desk) -> Compaction | None:
    """The last compaction of this place's lineage; if it has none, as at a person's shell, of the project."""
    audited = _last_audit(desk)
    said = p.read(audited, p.CompactionAudited) if audited else None
    if audited is None or said is None:
        return None
    since = desk.latest_by(WrittenBy(instance_id=audited.instance_id), [GIVEN, ARRIVED], LOOKED_AT)
    later = [event for event in since if event.clock >= audited.clock]
    arrivals = [seen.arrived for event in later if (seen := p.read(event, p.CompactionArrived))]
    return Compaction(
        event=audited,
        heard=said.heard,
        facts=tuple(told_by(desk, audited)),
        given=tuple(given for event in reversed(later) if (given := p.read(event, p.CompactionGiven))),
        arrived=arrivals[0] if arrivals else None,
    )


def _last_audit(desk: Desk) -> Event | None:
    lineage = WrittenBy(tuple(each.id for each in sessions.lineage(desk, _session(desk))))
    return next(iter(desk.latest_by(lineage, [AUDITED], 1) or desk.latest_here([AUDITED], 1)), None)


@value
class Preview:
    """What a compaction now would do."""

    facts: tuple[SummaryFact, ...]
    """They are on record: the summariser is told the first `named`, and what its summary loses comes back."""
    named: int
    text: str
    """What the summariser is told."""
    unrecorded: tuple[str, ...]
    """What is only in the context, as far as that can be known, each with the command that records it."""


def preview(desk: Desk) -> Preview:
    session = _session(desk)
    facts = facts_of(desk, session)
    said = _guidance(desk, facts)
    unrecorded = tuple(_unrecorded(desk, session, facts))
    return Preview(facts=tuple(facts), named=said.named, text=said.text, unrecorded=unrecorded)


def _unrecorded(desk: Desk, session: Session | None, facts: list[SummaryFact]) -> Iterator[str]:
    from perdure.actions.advice import as_typed

    kinds = {fact.kind for fact in facts}
    if "goal" not in kinds:
        yield "the goal: " + as_typed(desk, "perdure goal create '…'")
    if "next step" not in kinds:
        yield "what is next: " + as_typed(desk, "perdure note next '…'")
    if is_change_unexplained(desk, session):
        why = as_typed(desk, "perdure decide '…' --because '…'")
        where = as_typed(desk, "perdure note reasoning '…'")
        yield f"why files were changed since the last decision or note: {why}, {where}"
