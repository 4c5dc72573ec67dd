"""Gives back what a summary lost or altered: once, at the first chance, and nothing that it kept (SPEC 11.3).

The first chance is the session start after the compaction. If the audit was not ready then, a small file under
`~/.perdure/give_back/` says what is to be given with the next prompt or tool call (`actions/give_back_file.py`). It is
in the home, because a repository could bring a file of its own. It names the facts and has none of their words: those
are read from the ledger when they are given, so nothing comes back that was erased meanwhile. What was given is looked
up in the transcript afterwards; until then a second file has its text, which a redaction removes.

    at_session_start(desk, session, …)      the brief that completes the summary
    with_prompt(desk), with_tool(…)         what is still to be given; the file is taken away first
    check_arrival(desk, transcript)         at the end of a turn
    forget_given(home)                      when words are erased
"""

from __future__ import annotations

import os
from contextlib import suppress

from perdure.actions import brief_places, compaction, give_back_file, overview, recovering, sessions
from perdure.actions.attribution import record_event
from perdure.actions.compaction_facts import facts_of, name_in, reference
from perdure.actions.wiring import open_desk_at
from perdure.errors import Trouble
from perdure.files import read_json, remove
from perdure.ledger.port import WrittenBy
from perdure.lifecycle.phases import POST_COMPACT, marker
from perdure.lifecycle.summary_audit import audit as audit_facts
from perdure.lifecycle.summary_fact import (
    ALTERED,
    COMMAND,
    CONSTRAINT,
    ERROR,
    KEPT,
    KINDS,
    LOST,
    REQUEST,
    TITLES,
    TRANSACTION,
)
from perdure.model import payload as p
from perdure.model.ids import is_token, is_uuid, short
from perdure.model.json import compact
from perdure.model.plural import counted
from perdure.model.value import replace
from perdure.place.home import given_back_path
from perdure.recovery import ledger_sections
from perdure.recovery.brief import BriefLine, Section, brief, flat
from perdure.recovery.place_marks import without_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.compaction import Told
    from perdure.actions.recovering import Notices
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.lifecycle.summary_fact import SummaryFact
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.model.state import Session

START, PROMPT, TOOL = "session start", "prompt", "tool"
BUDGET = 800
"""Tokens of what is given with a prompt or a tool call."""
TRANSCRIPT_WITHIN = 4 << 20
"""Bytes at the end of a transcript in which what was given is looked for."""
_LONGEST_QUOTE = 140


# -- at the session start --------------------------------------------------------------------------------------------


def at_session_start(desk: Desk, session: Session, notices: Notices, *, audited: Event | None) -> str:
    """With an audit: what the summary lost or altered. Without one: the whole brief, and what is in it counts as
    given."""
    if audited is None:
        text = recovering.at_start(desk, session, notices)
        _record_given(desk, _told_in(facts_of(desk, session), text), START, audit_id=None)
        return text
    told = compaction.still_told_by(desk, audited, session)
    missing = [each for each in told if each.outcome != KEPT and each.fact]
    text = _completed(desk, session, notices, missing=missing, total=len(told))
    if missing:
        _record_given(desk, _given_in(missing, text), START, audit_id=audited.id)
        _keep_given(desk, text)
        prepare(desk, audited, session)  # what did not fit
    return text


def _given_in(missing: Sequence[Told], text: str) -> list[SummaryFact]:
    facts, text = [each.fact for each in missing if each.fact], without_marks(text)
    return [fact for fact in facts if fact.kind == TRANSACTION or _told_words(fact) in text]


def _told_words(fact: SummaryFact) -> str:
    words = fact.text if fact.kind == COMMAND else fact.words  # the folder is left out beside an error
    return " ".join(flat(words).split())


def _completed(desk: Desk, session: Session, notices: Notices, *, missing: Sequence[Told], total: int) -> str:
    work = recovering.recorded_work(desk, overview.overview(desk), session, notices=notices)
    first = _marker(missing, total)
    if not missing:
        return "\n".join([first, *work.notices])
    is_transaction_told = work.transaction is not None and not any(each.kind == TRANSACTION for each in missing)
    head = ledger_sections.head_within(
        replace(work, leaves_transaction_out=is_transaction_told), recovering.BRIEF_BUDGET * 2 // 3
    )
    return brief(
        brief_places.marked(desk, _sections(missing)),
        recovering.BRIEF_BUDGET,
        f"{first}\n{ledger_sections.joined(head)}",
        more=recovering.MORE,
    )


def _marker(missing: Sequence[Told], total: int) -> str:
    altered = sum(each.outcome == ALTERED for each in missing)
    lost = len(missing) - altered
    if not missing:
        return marker(POST_COMPACT, "The context was compacted; the summary keeps what the ledger holds.")
    said = [f"lost {lost}" if lost else "", f"altered {altered}" if altered else ""]
    counts = f"{' and '.join(each for each in said if each)} of {counted(total, 'fact')}"
    holds = "What follows comes from the ledger and holds."
    return marker(POST_COMPACT, f"The context was compacted; the summary {counts}. {holds}")


def _sections(missing: Sequence[Told]) -> list[Section]:
    """What was altered first, with what the summary says; then what was lost, by kind."""
    altered = tuple(_altered(each) for each in missing if each.outcome == ALTERED and each.kind != TRANSACTION)
    first = Section(title="The summary is wrong here; this holds:", what="facts", share=4.0, lines=altered, always=True)
    return [first, *(_section(kind, missing) for kind in KINDS if kind != TRANSACTION)]


def _section(kind: str, missing: Sequence[Told]) -> Section:
    lost = [each.fact for each in missing if each.kind == kind and each.outcome == LOST and each.fact]
    errors = [each.fact.text for each in missing if each.kind == ERROR and each.fact]
    if kind == COMMAND:  # one that failed is named there
        lost = [fact for fact in lost if not any(fact.text in error for error in errors)]
    lines = tuple(BriefLine(_quoted(fact), "the summary lost it", source=fact.source) for fact in lost)
    return Section(title=f"{TITLES[kind]}:", what=f"{kind}s", share=2.0, lines=lines, always=True)


def _quoted(fact: SummaryFact) -> str:
    words = " ".join(fact.words.split())
    return f"> {words}" if fact.kind in (CONSTRAINT, REQUEST) else words


def _altered(told: Told) -> BriefLine:
    assert told.fact
    said = told.passage if len(told.passage) <= _LONGEST_QUOTE else told.passage[: _LONGEST_QUOTE - 1] + "…"
    return BriefLine(
        f"- {told.kind}: {' '.join(told.fact.words.split())} (the summary, {told.why}: “{said}”)",
        "altered",
        source=told.fact.source,
    )


def _told_in(facts: Sequence[SummaryFact], text: str) -> list[SummaryFact]:
    return [found.fact for found in audit_facts(facts, without_marks(text)) if found.outcome == KEPT]


def _record_given(desk: Desk, facts: Sequence[SummaryFact], with_: str, *, audit_id: str | None) -> None:
    record_event(desk, compaction.GIVEN, p.CompactionGiven(with_, tuple(map(reference, facts)), audit_id))


# -- later -----------------------------------------------------------------------------------------------------------


def prepare(desk: Desk, audited: Event, session: Session | None) -> None:
    """PostCompact: keeps what the summary lost, without what was given already, for the next prompt or tool call."""
    given = {name_in(each) for event in _given_in_session(desk, session) for each in event.facts}
    told = compaction.still_told_by(desk, audited, session)
    missing = [each for each in told if each.outcome != KEPT and each.fact and each.fact.name not in given]
    path = give_back_file.path_of(desk.resolved)
    if missing and path:
        facts: list[Json] = [reference(each.fact) for each in missing if each.fact]
        give_back_file.keep(path, {"facts": facts, "audit_id": audited.id})


def _missing_line(told: Told) -> BriefLine:
    assert told.fact
    lost = f"- {told.kind}: {' '.join(told.fact.words.split())}"
    text = _altered(told).text if told.outcome == ALTERED else lost
    return BriefLine(text, "missing", source=told.fact.source)


def _given_in_session(desk: Desk, session: Session | None) -> list[p.CompactionGiven]:
    ours = WrittenBy((session.id,) if session else ())
    events = desk.latest_by(ours, [compaction.GIVEN], compaction.LOOKED_AT)
    return [given for event in events if (given := p.read(event, p.CompactionGiven))]


def _keep_given(desk: Desk, text: str) -> None:
    """What was given, until it was looked up in the transcript."""
    session = desk.resolved.request.stated_client.client_session_id or ""
    if is_token(session):
        give_back_file.keep(given_back_path(desk.resolved.home, session), {"text": text})


def with_prompt(desk: Desk) -> list[str]:
    found = give_back_file.take(desk.resolved)
    text = _given(desk, found, PROMPT) if found else ""
    return [text] if text else []


def with_tool(resolved: ResolvedRequest) -> str:
    """For the guard: only if the file is there."""
    found = give_back_file.take(resolved)
    if not found:
        return ""
    with open_desk_at(resolved) as desk:
        return _given(desk, found, TOOL)


def _given(desk: Desk, found: dict[str, Json], with_: str) -> str:
    """Empty if nothing of it still holds."""
    if "facts" not in found:  # it is not a fact that was lost, and was recorded when it was left here
        return str(found.get("text") or "")
    facts, audit_id = found.get("facts"), str(found.get("audit_id") or "")
    named = {name_in(each) for each in facts if isinstance(each, dict)} if isinstance(facts, list) else set()
    audited = next(iter(desk.ledger.find(audit_id, [compaction.AUDITED])), None) if is_uuid(audit_id) else None
    told = compaction.still_told_by(desk, audited, sessions.under_way(desk)) if audited else []
    missing = [each for each in told if each.fact and each.fact.name in named]
    if not missing:
        return ""
    text = _text_of(desk, missing, len(told))
    references = tuple(reference(each.fact) for each in missing if each.fact)
    record_event(desk, compaction.GIVEN, p.CompactionGiven(with_, references, audit_id))
    _keep_given(desk, text)
    return text


def _text_of(desk: Desk, missing: Sequence[Told], total: int) -> str:
    lines = tuple(_missing_line(each) for each in missing if each.fact)
    section = Section(title=_marker(missing, total), what="facts", share=1.0, lines=lines, always=True)
    return brief(brief_places.marked(desk, [section]), BUDGET, more=recovering.MORE)


def forget_given(home: str) -> None:
    """Something was erased, and what was given may have its words. Whether that arrived is then not looked up."""
    folder, ending = os.path.split(given_back_path(home, ""))
    with suppress(OSError, Trouble):
        for name in os.listdir(folder):
            if name.endswith(ending):
                remove(os.path.join(folder, name))


# -- did it arrive? --------------------------------------------------------------------------------------------------


def check_arrival(desk: Desk, transcript: str) -> None:
    """Looks whether the transcript has what was given, and records it."""
    session = desk.resolved.request.stated_client.client_session_id or ""
    path = given_back_path(desk.resolved.home, session) if is_token(session) else ""
    content = read_json(path) if path and transcript else None
    if not content:
        return
    given = str(content.get("text") or "")
    events = desk.latest_by(WrittenBy(instance_id=desk.seat.instance_id), [compaction.GIVEN], 1)
    if events:
        arrived = is_in_transcript(transcript, given)
        record_event(desk, compaction.ARRIVED, p.CompactionArrived(events[0].id, arrived))
    remove(path)


def is_in_transcript(path: str, text: str) -> bool:
    """Whether every line of the text stands near the end of the transcript, as JSON writes it."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TRANSCRIPT_WITHIN))
            content = file.read(TRANSCRIPT_WITHIN)
    except (OSError, ValueError):
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    return all(any(each in content for each in _as_json(line)) for line in lines)


def _as_json(line: str) -> tuple[bytes, bytes]:
    from perdure.model.json import compact_ascii

    return compact(line)[1:-1].encode("utf-8", "replace"), compact_ascii(line)[1:-1].encode()


def named(told: Told) -> str:
    """A fact in a list for people."""
    return told.fact.words if told.fact else f"{told.kind} of {short(told.source)}, no longer on record"
