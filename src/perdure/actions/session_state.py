"""The state of a session: made from the ledger, saved as a checkpoint, looked at by the session that continues it
(SPEC 10.2 to 10.4).

The ledger is the truth. A checkpoint adds only what a bounded reading of the ledger no longer reaches, and says on
which branch the state was. Nothing in it counts before its seals were looked at.

    save(desk, session, "stop")     writes `.perdure/state/<session>.json`
    revive(desk, session)           at the start of a session that continues another
    state_of(desk, session)         every field, as the ledger has it now
"""

from __future__ import annotations

import re

from perdure.actions import contracts, gathering, goals, notes, pointers, sessions, tasks
from perdure.actions.attribution import own_open_transaction, record_event
from perdure.actions.handoffs import branch_of, is_of_this_branch
from perdure.actions.trajectory import last_redaction
from perdure.actions.writers import OTHER, Writers
from perdure.ledger.port import WrittenBy
from perdure.lifecycle.revival import Here, is_doubtful, is_of_other_branch, keywords_of, restored, why_not
from perdure.lifecycle.state_checkpoint import Header, StateCheckpoint, UnusableCheckpoint
from perdure.lifecycle.state_checkpoint import read as read_checkpoint
from perdure.lifecycle.state_checkpoint import written as written_checkpoint
from perdure.lifecycle.state_fields import FIELDS, SAVED, capped
from perdure.model import confidence
from perdure.model import payload as p
from perdure.model.ids import short, short_task
from perdure.model.moment import MINUTE
from perdure.model.state import LastConfidence, Session, body_as
from perdure.model.value import replace, value
from perdure.recovery import rank
from perdure.recovery.words import words_of
from perdure.views import state_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.actions.wiring import Desk
    from perdure.lifecycle.state_fields import State
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.recovery.gather import Gathering

RESTORED = "state.restored"
_MOST_LINEAGE = 20
_MOST_NOTES = 40
_MOST_JUDGED = 50
_MOST_READY = 5
_SAVED_LATELY = 10 * MINUTE
_MOVES_BRANCH = re.compile(r"\bgit\b.*\b(?:switch|checkout|worktree)\b")
_FILES = {"file.read": "files_read", "edit.made": "files_edited", "file.created": "files_created"}
_COUNTED = {
    "file.read": "reads",
    "search.made": "searches",
    "edit.made": "edits",
    "file.created": "new files",
    "command.run": "commands",
    "tool.failed": "failures",
}
_SEEN = (*gathering.SEEN_KINDS, "search.made")


@value
class LedgerState:
    """The state as the ledger has it."""

    fields: dict[str, Json]
    is_complete: bool
    """The reading reached the beginning of the lineage."""


# -- from the ledger ---------------------------------------------------------------------------------------------------


def state_of(desk: Desk, session: Session) -> LedgerState:
    seen, is_complete = _seen(desk, session)
    gathered = gathering.gathered_of(desk, session)
    found: dict[str, Json] = {
        **_promised(desk, session),
        **_done(seen),
        "constraints": list(_constraints(desk, session, gathered)),
        "external_pointers": [each.data for each in pointers.of_session(desk, session)],
        "errors_unresolved": [_error(each.what, each.lines) for each in rank.open_errors(gathered)],
        "nudge_history": list(_nudges(desk, session)),
        "work_queue": list(_queue(desk, session)),
    }
    capped_fields = ((FIELDS[name], content) for name, content in found.items())
    return LedgerState({field.name: capped(field, content) for field, content in capped_fields}, is_complete)


def _error(what: str, lines: Iterable[str]) -> str:
    return f"{what}: {next(iter(lines), 'failed')}"


def _seen(desk: Desk, session: Session) -> tuple[list[Event], bool]:
    """What hooks saw in the lineage, the newest first."""
    lineage = {each.id for each in sessions.lineage(desk, session)}
    own = desk.latest_by(WrittenBy(tuple(lineage)), _SEEN, gathering.MOST_SEEN)
    return own, len(own) < gathering.MOST_SEEN


def _promised(desk: Desk, session: Session) -> dict[str, Json]:
    """What documents hold: their number does not depend on the ledger's length."""
    goal = goals.still_open(desk, session.goal_id)
    contract = contracts.current(desk)
    points = _confidence(desk)
    found: dict[str, Json] = {
        "session_id": session.id,
        "confidence": points,
        "repair_debt": max(0, confidence.START - points),
        "evidence_mode": contract.mode if contract else str(desk.setting("evidence.mode")),
    }
    if goal:
        found |= {"original_goal": goal.title, "goal_keywords": list(keywords_of(goal.title))}
    if contract:
        found["task_contract"] = {
            "goal": contract.goal,
            "criteria": list(contract.criteria),
            "evidence": list(contract.evidence),
            "mode": contract.mode,
            "belongs_to": contract.owner,
        }
        judged = (said for said in _judged(desk, None) if said.contract == contract.owner)
        found["completion_confidence"] = next((each.confidence for each in judged), None) or 0
    return found


def _confidence(desk: Desk) -> int:
    held = own_open_transaction(desk)
    last = body_as(desk.ledger.document("confidence", desk.seat.instance_id), LastConfidence)
    if held:
        return held.confidence
    return last.points if last else confidence.START


def _judged(desk: Desk, session_id: str | None) -> Iterator[p.StopJudged]:
    kinds = ["stop.judged"]
    found = (
        desk.latest_by(WrittenBy((session_id,)), kinds, _MOST_JUDGED)
        if session_id
        else desk.latest_here(kinds, _MOST_JUDGED)
    )
    yield from filter(None, (p.read(event, p.StopJudged) for event in found))


def _done(seen: list[Event]) -> dict[str, Json]:
    """Files, commands, counts. The newest come first."""
    files: dict[str, dict[str, None]] = {name: {} for name in _FILES.values()}
    counts: dict[str, Json] = {}
    commands: dict[str, None] = {}
    for event in seen:
        used = p.read(event, p.FileRead) or p.read(event, p.EditMade) or p.read(event, p.FileCreated)
        ran = p.read(event, p.CommandRun)
        if used:
            files[_FILES[event.kind]].setdefault(used.path)
        if ran and ran.outcome == "succeeded":
            commands.setdefault(ran.command)
        if event.kind in _COUNTED:
            before = counts.get(_COUNTED[event.kind], 0)
            counts[_COUNTED[event.kind]] = (before if isinstance(before, int) else 0) + 1
    lists: dict[str, Json] = {name: list(paths) for name, paths in files.items()}
    turns = sum(event.kind == "prompt.given" for event in seen)
    return {**lists, "commands_succeeded": list(commands), "tool_counts": counts, "turn_count": turns}


def _constraints(desk: Desk, session: Session, gathered: Gathering) -> Iterator[Json]:
    said = [rule.text.removesuffix(" …") for rule in words_of(gathered.prompts).rules]
    noted = notes.latest_by(desk, Writers(desk, session), "constraint", limit=_MOST_NOTES)
    yield from dict.fromkeys([*said, *(each.text for each in noted if each.other_ledger is None)])


def _nudges(desk: Desk, session: Session) -> Iterator[Json]:
    yield from session.told
    for said in _judged(desk, session.id):
        if said.outcome == "blocked":
            yield f"blocked: {', '.join(said.missing) or 'evidence'}"


def _queue(desk: Desk, session: Session) -> Iterator[Json]:
    active = tasks.own_active(desk)
    if active:
        yield f"task {short_task(active.id)}: {active.marked('title', active.title)}"
    for note in notes.open_by(desk, Writers(desk, session), _MOST_NOTES):
        if note.kind == "next" and note.other_ledger is None and note.writer != OTHER:
            yield note.text
    for task in tasks.ready(desk, _MOST_READY):
        if not active or task.id != active.id:
            yield f"ready {short_task(task.id)}: {task.marked('title', task.title)}"


# -- saving ------------------------------------------------------------------------------------------------------------


def save(desk: Desk, session: Session | None, boundary: str) -> None:
    """Saves the state of a session; of none, nothing."""
    if session is None:
        return
    found = state_of(desk, session)
    fields = found.fields if found.is_complete else _with_saved(desk, session, found)
    here = _here(desk, session)
    header = Header(
        project_id=here.project_id,
        project_path=here.root,
        branch=here.branch,
        session_id=session.id,
        lineage=here.lineage,
        saved_at=int(desk.now()),
        boundary=boundary,
        seq=desk.ledger.head().seq,
        redacted=here.redacted,
    )
    content = written_checkpoint(header, fields, state_file.seal_with(desk.key))
    state_file.write(desk.folder, session.id, content)


def save_at_stop(desk: Desk, session: Session | None, boundary: str) -> None:
    """Saves the state unless that was done a few minutes ago on the same branch: a turn's end must not take long, and
    the ledger has what is newer."""
    raw = state_file.read(desk.folder, session.id) if session else None
    header = (raw or {}).get("header")
    if isinstance(header, dict) and header.get("branch") == branch_of(desk):
        at = header.get("saved_at")
        if type(at) is int and 0 <= desk.now() - at < _SAVED_LATELY:
            return
    save(desk, session, boundary)


def _with_saved(desk: Desk, session: Session, found: LedgerState) -> dict[str, Json]:
    """A lineage longer than what is read of the ledger: what an earlier checkpoint has of its beginning is kept."""
    here = _here(desk, session)
    for session_id in here.lineage:
        if state_file.is_there(desk.folder, session_id):
            try:
                earlier = _load(desk, session_id)
            except UnusableCheckpoint:
                return found.fields
            if why_not(earlier.header, here):
                return found.fields
            age = _age(desk, earlier)
            return restored(earlier.state, found.fields, age=age, is_complete=False).state
    return found.fields


def _here(desk: Desk, session: Session) -> Here:
    lineage = sessions.of_one_goal(sessions.lineage(desk, session, _MOST_LINEAGE))
    return Here(
        project_id=desk.identity.id,
        root=desk.root,
        branch=branch_of(desk),
        lineage=tuple(each.id for each in lineage),
        redacted=last_redaction(desk.ledger),
    )


def _load(desk: Desk, session_id: str) -> StateCheckpoint:
    """The checkpoint of this session, and no other's that was put in its place."""
    found = read_checkpoint(state_file.read(desk.folder, session_id), state_file.seal_with(desk.key))
    if found.header.session_id != session_id:
        raise UnusableCheckpoint("it is of another session")
    if is_of_this_branch(desk, found.header.branch):
        return _as_of(found, branch_of(desk))
    return found


def _as_of(found: StateCheckpoint, branch: str | None) -> StateCheckpoint:
    return replace(found, header=replace(found.header, branch=branch))


def _age(desk: Desk, found: StateCheckpoint) -> float:
    return max(0.0, (desk.now() - found.header.saved_at) / 1000)


# -- revival -----------------------------------------------------------------------------------------------------------


@value
class Revival:
    """What a session that continues another takes over."""

    notices: tuple[str, ...] = ()
    is_other_branch: bool = False
    """The state is of another branch: none of it is given."""
    doubt: str = ""
    """Why the goal may not be that of this work any more."""
    earlier_files: tuple[str, ...] = ()
    """Files that were changed in the lineage, longer ago than the ledger is read."""


def revive(desk: Desk, session: Session) -> Revival:
    here = _here(desk, session)
    before = here.lineage[1:]
    if not before:
        return Revival()
    now = state_of(desk, session)
    doubt = _doubt(now.fields, here.branch)
    session_id = next((each for each in before if state_file.is_there(desk.folder, each)), None)
    if session_id is None:
        return Revival(doubt=doubt)
    try:
        found = _load(desk, session_id)
    except UnusableCheckpoint as error:
        return _refused(desk, session_id, str(error), doubt=doubt)
    if is_of_other_branch(found.header, here):
        if not _moved_itself(desk, session, found.header):
            return _of_other_branch(desk, found.header, here)
        found = _as_of(found, here.branch)
    why = why_not(found.header, here)
    if why:
        return _refused(desk, session_id, why, doubt=doubt)
    return _revived(desk, found, now, doubt=doubt)


def _moved_itself(desk: Desk, session: Session, header: Header) -> bool:
    """Whether the agent changed the branch after the state was saved: then this is where its work went on."""
    later = (event for event in _seen(desk, session)[0] if event.seq > header.seq)
    ran = (p.read(event, p.CommandRun) for event in later)
    return any(each is not None and _MOVES_BRANCH.search(each.command) for each in ran)


def _revived(desk: Desk, found: StateCheckpoint, now: LedgerState, *, doubt: str) -> Revival:
    taken = restored(found.state, now.fields, age=_age(desk, found), is_complete=now.is_complete)
    left_out = tuple(name for name, _ in found.left_out)
    said = p.StateRestored(
        found.header.session_id, "restored", left_out=left_out, rebuilt=taken.rebuilt, doubtful=bool(doubt) or None
    )
    record_event(desk, RESTORED, said)
    parts = "; ".join(f"{name} ({why})" for name, why in found.left_out)
    notices = [f"The state checkpoint of session {short(said.saved_by)} was read without: {parts}."] if parts else []
    return Revival(tuple(notices), doubt=doubt, earlier_files=tuple(_earlier(taken.state, now.fields)))


def _earlier(state: State, now: State) -> Iterator[str]:
    for name in ("files_created", "files_edited"):
        recent, every = now.get(name), state.get(name)
        if isinstance(every, list) and isinstance(recent, list):
            yield from (each for each in every if isinstance(each, str) and each not in recent)


def _refused(desk: Desk, session_id: str, why: str, *, doubt: str) -> Revival:
    record_event(desk, RESTORED, p.StateRestored(session_id, "refused", why, doubtful=bool(doubt) or None))
    told = f"The state checkpoint of session {short(session_id)} is not used: {why}. The ledger has what counts."
    return Revival((told,), doubt=doubt)


def _of_other_branch(desk: Desk, header: Header, here: Here) -> Revival:
    why = why_not(header, here)
    record_event(desk, RESTORED, p.StateRestored(header.session_id, "other branch", why, doubtful=True))
    branch, now = header.branch or "none", here.branch or "none"
    told = (
        f"The work of session {short(header.session_id)} was on branch {branch}; this is {now}: its state is not given."
    )
    return Revival((told,), is_other_branch=True, doubt=f"it was worked on in branch {branch}")


def _doubt(now: State, branch: str | None) -> str:
    words, files = now.get("goal_keywords"), [now.get(name) for name in _FILES.values()]
    work = [each for some in (*files, now.get("work_queue")) if isinstance(some, list) for each in some]
    texts = [branch or "", *(each for each in work if isinstance(each, str))]
    keywords = [each for each in words if isinstance(each, str)] if isinstance(words, list) else []
    if not is_doubtful(keywords, texts):
        return ""
    return "nothing in branch, tasks or recent files speaks of it"


# -- for people --------------------------------------------------------------------------------------------------------


@value
class ShownState:
    """The fields as the ledger has them, and what is saved of them."""

    session_id: str
    fields: dict[str, Json]
    saved: StateCheckpoint | None
    fault: str = ""
    """Why what is saved cannot be used."""


def shown(desk: Desk, session: Session) -> ShownState:
    now = state_of(desk, session)
    fields = {each.name: now.fields[each.name] for each in SAVED if each.name in now.fields}
    if not state_file.is_there(desk.folder, session.id):
        return ShownState(session.id, fields, None)
    try:
        found = _load(desk, session.id)
    except UnusableCheckpoint as error:
        return ShownState(session.id, fields, None, fault=str(error))
    return ShownState(session.id, fields, found, fault=why_not(found.header, _here(desk, session)))
