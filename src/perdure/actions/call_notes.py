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
from perdure.files import FolderLock, make_folder, read_json, remove, take_away_unfinished, write_whole
from perdure.model import payload as p
from perdure.model.ids import EventId, InstanceId, SessionId, TransactionId, derived_id, is_token, is_uuid
from perdure.model.json import compact
from perdure.model.moment import now, read_stamp, stamp
from perdure.model.value import value
from perdure.place import project
from perdure.views.key import existing_key
from perdure.views.sealed_notes import CALLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.record import Fact
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.ids import LedgerId
    from perdure.model.json import Json
    from perdure.views.sealed_notes import SealedNote

MOST = 16
LONGEST = 30
"""Seconds."""
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
    names = CALLS.names(project_folder)
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
    return {name: found.get(name) for name in ("ledger", "instance", "session")}


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
        if read_json(path) != standing:
            make_folder(os.path.dirname(path))
            write_whole(path, compact(standing) + "\n")
    except Trouble:
        return  # the home cannot be written: each call is recorded at once


def forget_standing(resolved: ResolvedRequest) -> None:
    path = _standing_path(resolved)
    if path:
        remove(path)


# -- recording what was noted ------------------------------------------------------------------------------------------


def are_waiting(root: str) -> bool:
    return bool(CALLS.names(project.folder_of(root)))


def take_in(desk: Desk) -> None:
    """Records the notes that wait, and removes them. What cannot be recorded now waits for the next one."""
    if not CALLS.names(desk.folder):
        return
    folder = CALLS.folder_in(desk.folder)
    try:
        with FolderLock(folder):
            take_away_unfinished(folder)
            for _ in range(_TRIES):
                waiting = CALLS.waiting(desk.folder, desk.key)
                if not waiting:
                    return
                if _record(desk, waiting):
                    CALLS.take_away(desk.folder, [note.name for note in waiting])
    except Trouble:
        return


def _record(desk: Desk, waiting: list[SealedNote]) -> bool:
    """False if another process wrote meanwhile, which may have recorded the same notes: then it must look again."""
    from perdure.actions.record import record

    head = desk.ledger.head()
    ours = {head.ledger_id, *desk.ledger.own()}
    found = [(note, _fact(note, note.fields, ledger_id=head.ledger_id)) for note in waiting if _is_for(note, ours)]
    facts = {note.token: fact for note, fact in found if fact}  # two copies of a note are one call
    new = [fact for token, fact in facts.items() if not _is_recorded(desk, token, ours)]
    try:
        if new:
            record(desk, [*_joining(desk, new), *new], after=head)
    except Moved:
        return False
    _tell_refused(desk, len(waiting) - len([fact for _, fact in found if fact]))
    return True


def _is_recorded(desk: Desk, token: str, ledgers: set[LedgerId]) -> bool:
    """Also under the id of a chain that ours goes on from: a backup brought the event, and a copy of the project the
    note."""
    return any(desk.ledger.find(_event_id(each, token)) for each in ledgers)


def _event_id(ledger_id: str, token: str) -> EventId:
    return EventId(derived_id("call", ledger_id, token))


def _is_for(note: SealedNote, ledgers: set[LedgerId]) -> bool:
    """Whether this home left the note for this record. A repository, or another project of the person's, may have
    brought it."""
    return note.fields is not None and note.fields.get("ledger") in ledgers


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
