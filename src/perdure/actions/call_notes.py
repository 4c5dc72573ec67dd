"""What tool calls did that only looked or simply succeeded: noted by the recorder, recorded by whoever next opens the
ledger (docs/adr/0150).

To open the ledger and append costs a process as much again as finding out what is to be recorded. So the recorder of
such a call leaves a sealed note in `.perdure/calls/`, which is on the disk when it returns. A note says all that the
event will: when, whose, in which session and transaction. Whatever opens the project to write records the notes first,
in their order and each once; so does a command that only reads, before it answers.

A note is left only where the recorder recorded before, in the same session of the same ledger (`show_standing`). It
never holds a credential: what masking would change is recorded at once. Notes do not wait long: once there are `MOST`
of them or the oldest is `LONGEST` old, the recorder records its call itself, and with it all notes.

    writer = writer_here(resolved, root)            # the recorder
    writer and writer.leave("file.read", FileRead("src/cart.py"))
    show_standing(resolved, desk, event)            # the recorder, after it recorded
    take_in(desk)                                   # whoever opens the project to write
"""

from __future__ import annotations

import os
from time import time_ns

from perdure.errors import BadInput, Moved, PerdureError, Trouble
from perdure.files import FolderLock, files_in, make_folder, read_json, remove, take_away_unfinished, write_whole
from perdure.model import payload as p
from perdure.model.ids import EventId, InstanceId, LedgerId, SessionId, TransactionId, derived_id, is_token, is_uuid
from perdure.model.json import compact
from perdure.model.moment import now, read_stamp, stamp
from perdure.model.value import value
from perdure.place import project
from perdure.views.key import existing_key
from perdure.views.sealed_notes import CALLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from perdure.actions.record import Fact
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event, Head
    from perdure.model.json import Json
    from perdure.views.sealed_notes import SealedNote

MOST = 16
LONGEST = 30
"""Seconds."""
FARTHEST = 400
"""How many events are looked through for one that stands for a note. Beyond that the ledger looks through all ids."""
FOLDER = "recorders"
"""In the home: for each client session, what its recorder last recorded under."""
_TRIES = 50


@value
class NoteWriter:
    """Leaves the notes of one recorder."""

    project_folder: str
    key: bytes
    shared: dict[str, Json]
    """What all its notes say."""

    def leave(self, kind: str, payload: object) -> bool:
        """Whether the note was left. If not, nothing was, and the call must be recorded at once."""
        from perdure.masking import mask_json

        content = p.write(payload)
        said: dict[str, Json] = {"at": stamp(now()), "kind": kind, "schema": p.KINDS[kind][1], "payload": content}
        try:
            if mask_json([content, self.shared["actor"]])[1]:
                return False
            CALLS.leave(self.project_folder, self.key, {**self.shared, **said})
        except (OSError, ValueError, PerdureError):
            return False  # whoever records at once says what is wrong
        return True


def writer_here(resolved: ResolvedRequest, root: str) -> NoteWriter | None:
    """None if the ledger must be opened now: nothing was recorded yet in this session, notes have waited long enough,
    or something about the ledger or the transaction's file is not as it should be, which opening it corrects."""
    standing, folder = _standing(resolved, root), project.folder_of(root)
    key = existing_key(resolved.home, folder)
    if standing is None or key is None or _is_due(folder):
        return None
    from perdure.actions.gating import state_from_file, state_of_ledger
    from perdure.gate import policy

    state = state_from_file(resolved.home, root, resolved.place.instance_id, floor=0.0)
    is_usual = state.transaction in (policy.OPEN, policy.UNCONFIRMED, policy.CLOSED, policy.NONE)
    if not is_usual or state_of_ledger(folder)[0] != policy.OPEN:
        return None
    is_open = state.transaction in (policy.OPEN, policy.UNCONFIRMED)
    shared = {**standing, "actor": resolved.request.actor, "transaction": state.transaction_id if is_open else None}
    return NoteWriter(project_folder=folder, key=key, shared=shared)


def _is_due(project_folder: str) -> bool:
    try:
        names = CALLS.names(project_folder)
    except Trouble:
        return True  # no note can be left there
    if not names:
        return False
    age = time_ns() - int(names[0][:20])
    return len(names) >= MOST or not 0 <= age < LONGEST * 1_000_000_000


# -- what the recorder recorded under ----------------------------------------------------------------------------------


def _standing_path(resolved: ResolvedRequest) -> str:
    session = resolved.request.stated_client.client_session_id or ""
    return os.path.join(resolved.home, FOLDER, session) if is_token(session) else ""


def _standing(resolved: ResolvedRequest, root: str) -> dict[str, Json] | None:
    """The ledger, instance and session of this place, if the recorder recorded under them before."""
    path, place = _standing_path(resolved), resolved.place
    found = read_json(path) if path else None
    if found is None or place.instance_id is None or place.session_id is None:
        return None
    if (found.get("root"), found.get("instance"), found.get("session")) != (root, place.instance_id, place.session_id):
        return None
    return {name: found.get(name) for name in ("ledger", "instance", "session", "after")}


def show_standing(resolved: ResolvedRequest, desk: Desk, event: Event) -> None:
    """Called after an event was recorded: the next call of this session needs only a note."""
    path, place = _standing_path(resolved), resolved.place
    if not path or (event.instance_id, event.session_id) != (place.instance_id, place.session_id):
        return
    standing: dict[str, Json] = {
        "root": desk.root,
        "ledger": event.ledger_id,
        "instance": event.instance_id,
        "session": event.session_id,
    }
    try:
        if not _is_shown(read_json(path), standing, event.seq):
            standing["after"] = event.seq
            make_folder(os.path.dirname(path))
            write_whole(path, compact(standing) + "\n")
    except Trouble:
        return  # the home cannot be written: each call is recorded at once


def _is_shown(shown: dict[str, Json] | None, standing: dict[str, Json], seq: int) -> bool:
    """Whether the file says so already, and of an event not long ago: to write it with each recording would cost a
    flush."""
    after = shown.pop("after", None) if shown else None
    return shown == standing and isinstance(after, int) and 0 <= seq - after < FARTHEST // 4


def forget_standing(resolved: ResolvedRequest) -> None:
    path = _standing_path(resolved)
    if path:
        remove(path)


def forget_standings(home: str, root: str) -> None:
    """Of a project whose record is deleted."""
    folder = os.path.join(home, FOLDER)
    for path in (os.path.join(folder, name) for name in files_in(folder)):
        if (read_json(path) or {}).get("root") == root:
            remove(path)


# -- recording what was noted ------------------------------------------------------------------------------------------


def are_waiting(root: str) -> bool:
    return bool(CALLS.names(project.folder_of(root)))


def tell_lacking(resolved: ResolvedRequest, why: PerdureError) -> None:
    told = f"The last tool calls are not recorded yet, so this answer lacks them: {why.message} {why.hint}"
    resolved.request.tell(told.strip())


def take_in(desk: Desk) -> None:
    """Records the notes that wait, and removes them. What cannot be recorded now waits for the next one, and the caller
    is told."""
    try:
        if not CALLS.names(desk.folder):
            return
        with FolderLock(CALLS.folder_in(desk.folder)):
            _take_in_all(desk)
    except Trouble as error:
        if os.path.isdir(CALLS.folder_in(desk.folder)):  # nobody took the folder away meanwhile
            tell_lacking(desk.resolved, error)


def _take_in_all(desk: Desk) -> None:
    take_away_unfinished(CALLS.folder_in(desk.folder))
    for _ in range(_TRIES):
        waiting = CALLS.waiting(desk.folder, desk.key)
        if not waiting:
            return
        try:
            recorded = _record(desk, waiting)
        except Moved:
            continue  # another process wrote meanwhile, and may have recorded the same notes: look again
        CALLS.take_away(desk.folder, [note.name for note in waiting])
        _tell_refused(desk, len(waiting) - recorded)
    raise Trouble("ledger_busy", "Other processes write to the ledger all the time.", hint="Try again.")


def _record(desk: Desk, waiting: list[SealedNote]) -> int:
    """Records those that nobody has recorded yet. Returns how many of all are to be believed."""
    from perdure.actions.record import record

    head = desk.ledger.head()
    ours = {head.ledger_id, *desk.ledger.own()}
    believed = [note for note in waiting if _is_for(note, ours, desk)]
    found = [(note, fact) for note in believed if (fact := _fact(note, note.fields, ledger_id=head.ledger_id))]
    facts = {note.token: fact for note, fact in found}  # two copies of a note are one call
    recorded = _recorded(desk, {note.token: note for note, _ in found}, head=head, ledgers=ours)
    new = [fact for token, fact in facts.items() if token not in recorded]
    if new:
        record(desk, [*_joining(desk, new), *new], after=head)
    return len(found)


def _recorded(desk: Desk, notes: Mapping[str, SealedNote], *, head: Head, ledgers: set[LedgerId]) -> set[str]:
    """Which of these notes are recorded already: somebody was killed before the note was removed, or put a copy back.

    A note says after which event it was left. If that is one of the last in this chain, only what follows it is looked
    at. Otherwise all ids are, also under the id of a chain that this one goes on from: a backup brought the event, and
    a copy of the project the note."""
    nearest = max(1, head.seq - FARTHEST)
    near = {token: after for token, note in notes.items() if (after := _after(note, head)) >= nearest}
    latest = {event.id for event in desk.ledger.events(head.ledger_id, min(near.values()))} if near else set()
    found = {token for token in near if _event_id(head.ledger_id, token) in latest}
    for token, note in notes.items():
        if token not in near:
            named = {*ledgers, LedgerId(_text(note.fields or {}, "ledger"))}
            found |= {token for each in named if desk.ledger.find(_event_id(each, token))}
    return found


def _after(note: SealedNote, head: Head) -> int:
    """The event of this chain after which the note was left; 0 if it does not say, or names another chain."""
    fields = note.fields or {}
    after = fields.get("after")
    return after if isinstance(after, int) and fields.get("ledger") == head.ledger_id and after <= head.seq else 0


def _event_id(ledger_id: str, token: str) -> EventId:
    return EventId(derived_id("call", ledger_id, token))


def _is_for(note: SealedNote, ledgers: set[LedgerId], desk: Desk) -> bool:
    """Whether this home left the note for this record, or for one that it had in this folder before, which is lost. A
    repository, or another project of the person's, may have brought the note."""
    named = _text(note.fields or {}, "ledger")
    return named in ledgers or (is_uuid(named) and _wrote_here(desk, LedgerId(named)))


def _wrote_here(desk: Desk, ledger_id: LedgerId) -> bool:
    from perdure.views import own_ledgers

    return own_ledgers.name_of(desk.folder) in own_ledgers.folders(desk.resolved.home, ledger_id)


def _tell_refused(desk: Desk, count: int) -> None:
    if count:
        from perdure.model.plural import counted

        desk.resolved.request.tell(
            f"{counted(count, 'note')} of tool calls in {CALLS.folder_in(desk.folder)}: removed and not recorded, "
            "because this home did not leave them for this record, or because somebody changed them."
        )


def _fact(note: SealedNote, fields: dict[str, Json] | None, *, ledger_id: str) -> Fact | None:
    """The event that a note stands for; None if it says nothing that can be recorded."""
    from perdure.actions.record import Fact

    fields = fields or {}
    kind, schema, payload = _text(fields, "kind"), fields.get("schema"), fields.get("payload")
    instance, session, transaction = (_text(fields, each) for each in ("instance", "session", "transaction"))
    if kind not in p.KINDS or not isinstance(schema, int) or not isinstance(payload, dict):
        return None
    known: type = p.KINDS[kind][0]
    seen: object | None = p.read_payload(kind, schema, payload, as_=known)
    if seen is None or not is_uuid(instance) or not is_token(session):
        return None
    try:
        at = read_stamp(_text(fields, "at"))
    except BadInput:
        return None
    return Fact(
        kind=kind,
        payload=seen,
        session_id=SessionId(session),
        transaction_id=TransactionId(transaction) if is_uuid(transaction) else None,
        instance_id=InstanceId(instance),
        id=_event_id(ledger_id, note.token),
        actor=_text(fields, "actor") or None,
        at=at,
    )


def _joining(desk: Desk, facts: Iterable[Fact]) -> list[Fact]:
    """A session joins the transaction when it first acts under it (SPEC 4.2)."""
    from perdure.actions.attribution import joining
    from perdure.model.state import Transaction, body_as

    found: list[Fact] = []
    acting = {(each.transaction_id, each.session_id, each.instance_id) for each in facts}
    for transaction_id, session_id, instance_id in acting:
        document = desk.ledger.document("transaction", transaction_id) if transaction_id else None
        transaction = body_as(document, Transaction)
        if document and document.live and transaction and session_id and transaction.instance_id == instance_id:
            found += joining(transaction, session_id, transaction.instance_id)
    return found


def _text(fields: dict[str, Json], name: str) -> str:
    found = fields.get(name)
    return found if isinstance(found, str) else ""
