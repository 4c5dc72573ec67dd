"""Handoffs: what a session leaves to whoever continues the work (SPEC 13.1).

One is written at a compaction, at the end of a turn, at the end of a session, and by `perdure handoff write`. The event
names what was recorded by its id; the files (`views/handoff_file.py`) are views of it. Nothing is recorded where
nothing changed since the last one of the session. A file is never read to learn something: the ledger is.

    write_at(desk, "stop")               the handoff, or None if nothing changed
    demand(desk, p.HandoffDemanded(…))   carries words of the agent; later handoffs of the lineage keep them
    offered(desk, session)               what the start of a session says of the last one
"""

from __future__ import annotations

import os
from itertools import chain, islice

from perdure.actions import decisions, goals, lineage_grounding, lookup, notes, odd_files, sessions, tasks
from perdure.actions.advice import as_typed
from perdure.actions.attribution import own_open_transaction, record_event
from perdure.actions.brief_places import marked_texts
from perdure.actions.handoff_content import content
from perdure.actions.newest import newest_first
from perdure.actions.record import Fact, record
from perdure.actions.trajectory import last_redaction
from perdure.actions.writers import OTHER, OWN, Writers
from perdure.errors import BadInput, PerdureError, Refused
from perdure.files import FolderLock
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, SessionId, short
from perdure.model.moment import moment_of
from perdure.model.ownership import is_own
from perdure.model.state import Session, Task, body_as
from perdure.model.value import fields, value
from perdure.place import project, repository
from perdure.views import handoff_file, written_views

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from perdure.actions.wiring import Desk
    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Event
    from perdure.views.handoff_text import Handoff

WRITTEN, DEMANDED = "handoff.written", "handoff.demanded"
COMPACTION, STOP, END, COMMAND = "compaction", "stop", "end", "command"
LISTED_BY = "perdure handoff list"
YOUNG = 24 * 3600
"""Seconds. An older handoff is not offered."""

# How many are named at most:
MOST_LISTED = 10
"""Findings, decisions, next steps, blockers, questions."""
MOST_FILES = 20
MOST_SESSIONS = 20

# How much is read at most:
_LOOKED_AT = 200
_LONGEST_OFFERED = 300
"""Characters of what the start of a session quotes."""
_FILES = ("edit.made", "file.created")
_MOVING = ("boundary", "head_ledger", "head_seq", "head_hash", "lineage")
"""Fields that change although nothing happened that the next session must know."""


# -- writing -----------------------------------------------------------------------------------------------------------


def write_at(desk: Desk, boundary: str) -> Handoff | None:
    """Records the handoff of this desk's session and writes its files. None if there is no session, or if nothing
    changed since its last handoff."""
    session = sessions.under_way(desk)
    if session is None:
        return None
    fact = fact_at(desk, session, boundary)
    if fact is None:
        _put_last(desk, session.id)
        return None
    return _recorded(desk, [fact])


def fact_at(desk: Desk, session: Session, boundary: str) -> Fact | None:
    """What to record; None if the session's last handoff says the same. A handoff is not an act under a transaction:
    the session does not join one by it."""
    made = _derived(desk, session, boundary)
    last = _last_of(desk, session.id)
    before = p.read(last, p.HandoffWritten) if last else None
    if before and _is_same(before, made):
        return None
    active = tasks.own_active(desk)
    return Fact(
        kind=WRITTEN,
        payload=made,
        session_id=session.id,
        instance_id=session.instance_id,
        task_id=active.id if active else None,  # type: ignore[arg-type]
    )


def _is_same(one: p.HandoffWritten, other: p.HandoffWritten) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in fields(p.HandoffWritten) if name not in _MOVING)


def demand(desk: Desk, wanted: p.HandoffDemanded) -> Handoff:
    """Records what is to be carried, and the handoff that carries it."""
    _check(wanted)
    if any(getattr(wanted, name) for name in fields(p.HandoffDemanded)):
        record_event(desk, DEMANDED, wanted)
    session = _required(desk)
    write_at(desk, COMMAND)
    last = _last_of(desk, session.id)
    found = content(desk.ledger, last) if last else None
    assert found is not None
    return found


def _check(wanted: p.HandoffDemanded) -> None:
    for name in fields(p.HandoffDemanded):
        given = getattr(wanted, name)
        texts = given if isinstance(given, tuple) else (given,)
        if any(text is not None and not text.strip() for text in texts):
            raise BadInput("empty_text", f"{name} has an empty text.", hint="Leave it out instead.")


def files_of(desk: Desk, found: Handoff) -> tuple[str, str]:
    """The paths of its files, for programs and for people."""
    return handoff_file.paths(desk.folder, found.session_id)


def _required(desk: Desk) -> Session:
    found = sessions.under_way(desk)
    if found is None:
        record(desk, sessions.ensure_session(desk).facts)
        found = sessions.under_way(desk)
    assert found is not None
    return found


def _recorded(desk: Desk, facts: list[Fact]) -> Handoff | None:
    return write_files(desk, record(desk, facts).events)


def write_files(desk: Desk, events: Iterable[Event]) -> Handoff | None:
    """Writes the files of the handoff among these events, and drops those that are no longer kept."""
    event = next((each for each in events if each.kind == WRITTEN), None)
    found = content(desk.ledger, event) if event else None
    if found is None:
        return None
    with FolderLock(desk.folder):
        handoff_file.write(desk.folder, found)
        for session_id in _sessions_beyond_kept(desk):
            handoff_file.drop(desk.folder, session_id)
    return found


def _put_last(desk: Desk, session_id: SessionId) -> None:
    """Writes the files again if a process died before it wrote them."""
    last = _last_of(desk, session_id)
    found = content(desk.ledger, last) if last else None
    if found and handoff_file.difference(desk.folder, found):
        handoff_file.write(desk.folder, found)


def _derived(desk: Desk, session: Session, boundary: str) -> p.HandoffWritten:
    by, head, ratio = Writers(desk, session), desk.ledger.head(), lineage_grounding.as_recorded(desk).ratio
    left_open = _left_open(desk, by)
    return p.HandoffWritten(
        boundary=boundary,
        head_ledger=str(head.ledger_id),
        head_seq=head.seq,
        head_hash=head.hash,
        project_path=desk.root,
        branch=branch_of(desk),
        demanded=_demanded(desk, by),
        task_title=_task_title(desk),
        stopped_at=_stopped_at(desk, by),
        findings=_ids_of_notes(desk, by, ("finding", "failed")),
        decisions=_own_decisions(desk, by),
        next_steps=left_open["next"],
        blockers=left_open["blocker"],
        questions=left_open["question"],
        files=tuple(_files(desk, by)),
        lineage=tuple(each.id for each in sessions.lineage(desk, session, MOST_SESSIONS)),
        grounded=ratio.grounded,
        total=ratio.total,
        **_held(desk),
        **_goal(desk),
    )


def _held(desk: Desk) -> dict[str, Any]:
    held = own_open_transaction(desk)
    if held is None:
        return {}
    return {
        "transaction": held.id,
        "transaction_path": held.project_path,
        "transaction_status": "proceed" if held.passes else "investigate",
        "preflight_vectors": dict(held.preflight_vectors),
    }


def _goal(desk: Desk) -> dict[str, Any]:
    """The goal of the open transaction, or else of the lineage."""
    held = own_open_transaction(desk)
    of_transaction = goals.of_transaction(desk, held) if held else None
    found = of_transaction or next(iter(goals.of_lineage(desk)), None)
    return {"goal": found.id, "goal_project": found.project_path} if found else {}


def _left_open(desk: Desk, by: Writers) -> dict[str, tuple[str, ...]]:
    """The ids of own questions, blockers and next steps that nobody has closed."""
    own = [each for each in notes.open_by(desk, by, _LOOKED_AT) if each.writer in OWN]
    kinds = p.CLOSABLE_NOTES
    return {kind: tuple([each.id for each in own if each.kind == kind][:MOST_LISTED]) for kind in kinds}


def _stopped_at(desk: Desk, by: Writers) -> str | None:
    stopped, _ = notes.where_it_stopped(desk, by)
    return stopped.id if stopped and stopped.writer in OWN else None


def branch_of(desk: Desk) -> str | None:
    found = _checkout(desk)
    return repository.branch(found.common, found.work_tree) if found else None


def is_of_this_branch(desk: Desk, written_on: str | None) -> bool:
    """Also if it was renamed since, and on a detached HEAD to which commits were added."""
    now, found = branch_of(desk), _checkout(desk)
    if written_on == now:
        return True
    if not (written_on and now and found):
        return False
    return repository.was_renamed(found, written_on, now) or repository.is_after(found.work_tree, written_on, now)


def _checkout(desk: Desk) -> repository.Repository | None:
    standing = repository.enclosing(desk.around.cwd)
    return standing if standing and standing.main == desk.root else repository.enclosing(desk.root)


def _task_title(desk: Desk) -> str | None:
    active = tasks.own_active(desk)
    task = body_as(desk.ledger.document("task", active.id), Task) if active else None
    if task is None:
        return None
    ledger_id, seq = task.said_at.get("title", (task.ledger_id, task.seq))
    event = desk.ledger.event(Ref(LedgerId(ledger_id), seq))
    return event.id if event and not desk.other_ledger(event) else None


def _ids_of_notes(desk: Desk, by: Writers, kinds: Iterable[str]) -> tuple[str, ...]:
    own = by.own([f"note.{kind}" for kind in kinds])
    return tuple(event.id for event in islice(own, MOST_LISTED))


def _own_decisions(desk: Desk, by: Writers) -> tuple[str, ...]:
    own = by.own(["decision.made"])
    in_force = (event.id for event in own if decisions.view(desk, event).superseded_by is None)
    return tuple(islice(in_force, MOST_LISTED))


def _files(desk: Desk, by: Writers) -> list[str]:
    """The files that were changed, the last first."""
    found: dict[str, None] = {}
    for event in by.own(_FILES):
        changed = p.read(event, p.EditMade) or p.read(event, p.FileCreated)
        if changed and changed.path not in found:
            found[changed.path] = None
        if len(found) == MOST_FILES:
            break
    return list(found)


def _demanded(desk: Desk, by: Writers) -> str | None:
    """What was last demanded in this lineage."""
    return next((event.id for event in by.own([DEMANDED])), None)


# -- reading -----------------------------------------------------------------------------------------------------------


def _own_latest(ledger: ReadableLedger, limit: int) -> Iterator[Event]:
    """The last handoff of each session of this ledger, the newest first."""
    seen = set()
    for event in newest_first(lambda kinds, most: ledger.latest(kinds, most, ledger.own()), [WRITTEN], limit):
        if event.session_id and event.session_id not in seen:
            seen.add(event.session_id)
            yield event


def _last_of(desk: Desk, session_id: str, most: int = _LOOKED_AT) -> Event | None:
    found = _own_latest(desk.ledger, most)
    return next((event for event in found if event.session_id == session_id), None)


def _kept(ledger: ReadableLedger) -> Iterator[Event]:
    return islice(_own_latest(ledger, ALL_EVENTS), handoff_file.KEPT)


def _sessions_beyond_kept(desk: Desk) -> list[str]:
    """Some of which files may be left. While there are few files, the ledger is not asked."""
    if len(handoff_file.sessions_in(desk.folder)) <= handoff_file.KEPT:
        return []
    beyond = islice(_own_latest(desk.ledger, ALL_EVENTS), handoff_file.KEPT, handoff_file.KEPT + 10)
    return [str(event.session_id) for event in beyond]


def listed(desk: Desk, limit: int) -> list[Handoff]:
    found = (content(desk.ledger, event) for event in _own_latest(desk.ledger, ALL_EVENTS))
    return [*islice(filter(None, found), limit)]


def show(desk: Desk, typed: str | None) -> Handoff:
    """The handoff of the session that is named, or the newest of this lineage, or else of the project."""
    if typed is None:
        found = _own_or_newest(desk)
        if found is None:
            raise Refused(
                "no_handoff",
                "No handoff was written here yet.",
                hint=as_typed(desk, "perdure handoff write writes one."),
            )
        return found
    session = lookup.document(desk.ledger, "session", typed, listed_by=as_typed(desk, LISTED_BY))
    last = _last_of(desk, session.id, ALL_EVENTS)
    written = content(desk.ledger, last) if last else None
    if written is None:
        raise Refused(
            "no_handoff",
            f"Session {short(session.id)} left no handoff.",
            hint=as_typed(desk, f"{LISTED_BY} shows those that did."),
        )
    return written


def _own_or_newest(desk: Desk) -> Handoff | None:
    session = sessions.under_way(desk) or body_as(
        desk.ledger.document("session", sessions.latest_of(desk) or ""), Session
    )
    lineage = {each.id for each in sessions.lineage(desk, session)}
    events = _own_latest(desk.ledger, ALL_EVENTS)
    newest = next(events, None)
    own = next((event for event in chain([newest], events) if event and event.session_id in lineage), newest)
    return content(desk.ledger, own) if own else None


@value
class Verification:
    handoff: Handoff
    faults: tuple[str, ...]
    """What is wrong with its files, or with what it says of the ledger."""
    changes: tuple[str, ...]
    """What has changed since it was written; that is not a fault."""

    @property
    def holds(self) -> bool:
        return not self.faults


def verify(desk: Desk, typed: str | None) -> Verification:
    """Compares the files of a handoff with the ledger, and its head with the chain. Files beside them that the ledger
    did not write are named, too: an agent without Perdure would believe them."""
    found = show(desk, typed)
    wrong = (
        handoff_file.difference(desk.folder, found),
        _head_fault(desk, found),
        *_stray_faults(desk.ledger, desk.folder),
    )
    return Verification(found, tuple(filter(None, wrong)), _changes(desk, found))


def _head_fault(desk: Desk, found: Handoff) -> str:
    if found.head_seq == 0:
        return ""
    event = desk.ledger.event(Ref(LedgerId(found.head_ledger), found.head_seq))
    if event is None or event.hash != found.head_hash:
        return f"the ledger's event {found.head_seq} is not the one that it had when the handoff was written"
    return ""


def _changes(desk: Desk, found: Handoff) -> tuple[str, ...]:
    told = []
    if not is_of_this_branch(desk, found.branch):
        told.append(f"it was written on branch {found.branch or 'none'}; this is {branch_of(desk) or 'none'}")
    document = desk.ledger.document("transaction", found.transaction.id) if found.transaction else None
    if document is not None and not document.live:
        told.append(f"its transaction {short(document.id)} is closed now")
    return tuple(told)


# -- before it is given ------------------------------------------------------------------------------------------------


def with_places(desk: Desk, found: Handoff, texts: Sequence[str]) -> list[str]:
    """Texts of the handoff, with a mark behind each place of the project that is not as it was. Its files have none:
    they are made from the ledger alone."""
    event = next((each for each in desk.ledger.find(found.id) if is_own(each, desk.ledger.own())), None)
    said = p.read(event, p.HandoffWritten) if event else None
    if said is None:
        return list(texts)
    ids = (*said.findings, *said.decisions, *said.next_steps, *said.blockers, *said.questions)
    return marked_texts(desk, texts, filter(None, (*ids, said.stopped_at)))


# -- at the start of a session -----------------------------------------------------------------------------------------


def offered(desk: Desk, session: Session) -> list[str]:
    """What to say of the last handoff: of the lineage what was demanded, since the brief has the rest; of somebody who
    is gone that it is there. It must be young and of this branch, and not of a pane that is at work."""
    by, now = Writers(desk, session), desk.now()
    for event in _own_latest(desk.ledger, ALL_EVENTS):
        if now - moment_of(event.ts) > YOUNG:
            return []
        if event.session_id == session.id or by.of(event) == OTHER:
            continue
        said = p.read(event, p.HandoffWritten)
        found = content(desk.ledger, event) if said and is_of_this_branch(desk, said.branch) else None
        if found:
            return _offer(desk, found, of_lineage=by.is_of_lineage(event))
    return []


def _offer(desk: Desk, found: Handoff, *, of_lineage: bool) -> list[str]:
    show_it = as_typed(desk, f"perdure handoff show {short(found.session_id)}")
    if of_lineage and not found.demanded:
        return []
    whose = "You left a handoff" if of_lineage else f"Session {short(found.session_id)} left a handoff"
    (said,) = with_places(desk, found, [_said(found)])
    said = said if len(said) <= _LONGEST_OFFERED else said[: _LONGEST_OFFERED - 1] + "…"
    return [f"{whose}: {said} ({show_it})"]


def _said(found: Handoff) -> str:
    parts = []
    if "next_session_context" in found.demanded:
        parts.append(found.next_session_context)
    if "task_summary" in found.demanded or not parts:
        parts.append(found.task_summary)
    if found.next_steps:
        parts.append(f"next: {'; '.join(found.next_steps[:3])}")
    if found.blockers:
        parts.append(f"blocked by: {found.blockers[0]}")
    return " ".join(" — ".join(parts).split())


# -- healing -----------------------------------------------------------------------------------------------------------


def faults(ledger: ReadableLedger, root: str) -> list[str]:
    """What is wrong with the files, for `audit verify` and `heal --check`. Somebody may be writing them just now: what
    seems wrong is looked at again while nobody writes."""
    folder = project.folder_of(root)
    if not _faults(ledger, folder):
        return []
    with FolderLock(folder):
        return _faults(ledger, folder)


def _faults(ledger: ReadableLedger, folder: str) -> list[str]:
    found = (content(ledger, event) for event in _kept(ledger))
    wrong = [said for each in found if each and (said := handoff_file.difference(folder, each))]
    return [*wrong, *_stray_faults(ledger, folder)][:3]


def _stray_faults(ledger: ReadableLedger, folder: str) -> list[str]:
    names = map(os.path.basename, _strays(ledger, folder))
    return [f"{handoff_file.FOLDER}/{name} was not written from this ledger" for name in names]


def _strays(ledger: ReadableLedger, folder: str) -> list[str]:
    """Files that a clone brought or somebody put there: an agent without Perdure would take them for a handoff. The
    folder is read before the ledger, which has a handoff before its files are there."""
    unknown = handoff_file.sessions_in(folder)
    events = _own_latest(ledger, ALL_EVENTS)
    while unknown and (event := next(events, None)):
        unknown.discard(str(event.session_id))
    return [path for path in handoff_file.files_in(folder) if handoff_file.session_of(path) in unknown]


def mend(desk: Desk, *, every: bool = False) -> list[str]:
    """Writes again what is missing or wrong: of every handoff that is kept, or only of the last one. After a redaction
    every one is looked at, since its words may be in any of them."""
    if not every and not desk.ledger.latest([WRITTEN], 1):
        return []
    last, mended = last_redaction(desk.ledger), []
    with FolderLock(desk.folder):
        if every:
            moved = [odd_files.set_aside(path, desk.now()) for path in _strays(desk.ledger, desk.folder)]
            mended += [f"a file among the handoffs that does not come from this record is now {path}" for path in moved]
        noted = written_views.read(desk.folder, desk.key).handoffs
        every = every or noted != last
        for event in islice(_kept(desk.ledger), None if every else 1):
            found = content(desk.ledger, event)
            if found and handoff_file.difference(desk.folder, found):
                handoff_file.write(desk.folder, found)
                mended.append(f"{handoff_file.FOLDER}/{found.session_id} written again")
        if noted != last:
            written_views.write(desk.folder, desk.key, handoffs=last)
    return mended


# -- for hooks ---------------------------------------------------------------------------------------------------------


def facts_at_end(desk: Desk, session: Session | None) -> tuple[list[Fact], str]:
    """What to record together with the end of a session, and what to tell if that could not be found out."""
    if session is None or session.instance_id != desk.seat.instance_id:
        return [], ""
    try:
        fact = fact_at(desk, session, END)
    except PerdureError as error:
        return [], f"The handoff was not written: {error.message} {error.hint}".strip()
    return ([fact] if fact else []), ""
