"""Notes: lines to keep, of eight kinds. Questions, blockers and next steps stay open until they are closed (SPEC
7.6)."""

from __future__ import annotations

from perdure.actions import lookup
from perdure.actions.acts import record_event
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, short
from perdure.model.payload import CLOSABLE_NOTES, NOTE_KINDS
from perdure.model.state import OpenNote
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.moment import Stamp

LISTED_BY = "perdure note list"
_CLOSABLE = tuple(f"note.{kind}" for kind in CLOSABLE_NOTES)


@value
class NoteView:
    id: str
    ts: Stamp
    kind: str
    text: str
    open: bool | None
    task_id: str | None
    transaction_id: str | None
    elsewhere: str | None = None
    """The other machine's ledger that it came from."""


def add(desk: Desk, kind: str, text: str, *, task_id: str | None = None) -> NoteView:
    if kind not in NOTE_KINDS:
        raise BadInput(
            "bad_note_kind", f"There is no note kind '{kind[:40]}'.", hint=f"One of {', '.join(NOTE_KINDS)}."
        )
    if not text.strip():
        raise BadInput("empty_text", "A note needs a text.", hint=f"perdure note {kind} 'what to keep'")
    task = lookup.task(desk.ledger, task_id) if task_id else None
    return view(desk, record_event(desk, f"note.{kind}", p.Note(text), task_id=task))


def view(desk: Desk, event: Event) -> NoteView:
    said = p.read(event, p.Note)
    is_open = desk.ledger.document("note", event.id) is not None if event.kind in _CLOSABLE else None
    kind = event.kind.removeprefix("note.")
    text = said.text if said else "(erased)"
    return NoteView(
        id=event.id,
        ts=event.ts,
        kind=kind,
        text=text,
        open=is_open,
        task_id=event.task_id,
        transaction_id=event.transaction_id,
        elsewhere=desk.elsewhere(event),
    )


def close(desk: Desk, typed: str, because: str | None) -> NoteView:
    found = lookup.event(desk.ledger, "note", typed, listed_by=LISTED_BY, kinds=[f"note.{kind}" for kind in NOTE_KINDS])
    if found.kind not in _CLOSABLE:
        kind = found.kind.removeprefix("note.")
        raise Refused("not_closable", f"A {kind} cannot be closed; only {', '.join(CLOSABLE_NOTES)} can.")
    if desk.ledger.document("note", found.id) is None:
        raise Refused("note_closed", f"Note {short(found.id)} is closed already.", hint=LISTED_BY)
    record_event(desk, "note.closed", p.NoteClosed(found.id, because))
    return view(desk, found)


def open_ones(desk: Desk, limit: int = 100) -> list[NoteView]:
    """Questions, blockers and next steps that nobody has closed, newest first."""
    refs = [d.body for d in desk.ledger.documents("note", live=True, limit=limit) if isinstance(d.body, OpenNote)]
    events = (desk.ledger.event(Ref(LedgerId(ref.ledger_id), ref.seq)) for ref in refs)
    return [view(desk, event) for event in events if event]


def latest(desk: Desk, kinds: list[str], limit: int) -> list[NoteView]:
    return [view(desk, event) for event in desk.ledger.latest([f"note.{kind}" for kind in kinds], limit)]
