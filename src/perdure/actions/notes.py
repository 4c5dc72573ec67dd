"""Notes: lines to keep, of eight kinds. Questions, blockers and next steps stay open until they are closed (SPEC
7.6)."""

from __future__ import annotations

from perdure.actions import lookup
from perdure.actions.advice import as_typed
from perdure.actions.attribution import marked_foreign, record_event
from perdure.actions.brief_places import seen_in
from perdure.actions.writers import FIRST_EVENTS, OTHER
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.event import Ref, in_order
from perdure.model.ids import LedgerId, short
from perdure.model.payload import CLOSABLE_NOTES, NOTE_KINDS
from perdure.model.state import OpenNote
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.actions.writers import Writers
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
    other_ledger: str | None = None
    """The other machine's ledger that it came from."""
    writer: str = ""
    """Who wrote it, if that was asked: one of `writers.ORDER`."""
    moved_from: dict[str, str] | None = None
    """The note of another project that it was before (`actions/note_moves.py`)."""

    def marked(self, text: str) -> str:
        return marked_foreign(self.other_ledger, text)


def add(desk: Desk, kind: str, text: str, *, task_id: str | None = None) -> NoteView:
    if kind not in NOTE_KINDS:
        raise BadInput(
            "bad_note_kind", f"There is no note kind '{kind[:40]}'.", hint=f"One of {', '.join(NOTE_KINDS)}."
        )
    if not text.strip():
        raise BadInput("empty_text", "A note needs a text.", hint=f"perdure note {kind} 'what to keep'")
    task = lookup.task(desk.ledger, task_id) if task_id else None
    return view(desk, record_event(desk, f"note.{kind}", p.Note(text, seen_in(desk, text)), task_id=task))


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
        other_ledger=desk.other_ledger(event),
        moved_from=said.moved_from if said else None,
    )


def close(desk: Desk, typed: str, because: str | None) -> NoteView:
    found = lookup.event(
        desk.ledger, "note", typed, listed_by=as_typed(desk, LISTED_BY), kinds=[f"note.{kind}" for kind in NOTE_KINDS]
    )
    if found.kind not in _CLOSABLE:
        kind = found.kind.removeprefix("note.")
        erase = as_typed(desk, f"perdure redact {short(found.id)} --because '…'")
        raise Refused(
            "not_closable",
            f"A {kind} cannot be closed; only {', '.join(CLOSABLE_NOTES)} can.",
            hint=f"If it is wrong, add another note that says so. A person erases what it says with {erase}.",
        )
    if desk.ledger.document("note", found.id) is None:
        raise Refused("note_closed", f"Note {short(found.id)} is closed already.", hint=as_typed(desk, LISTED_BY))
    record_event(desk, "note.closed", p.NoteClosed(found.id, because))
    return view(desk, found)


def open_ones(desk: Desk, limit: int = 100) -> list[NoteView]:
    """Questions, blockers and next steps that nobody has closed: those written here first, of each the newest first."""
    found = sorted(_open_and_own_events(desk, limit), key=lambda event: bool(desk.other_ledger(event)))
    return [view(desk, event) for event in found[:limit]]


def _open_events(desk: Desk, limit: int) -> list[Event]:
    refs = [d.body for d in desk.ledger.documents("note", live=True, limit=limit) if isinstance(d.body, OpenNote)]
    events = (desk.ledger.event(Ref(LedgerId(ref.ledger_id), ref.seq)) for ref in refs)
    return [event for event in events if event]


def latest(desk: Desk, kinds: list[str], limit: int) -> list[NoteView]:
    """Those written here first, of each the newest first."""
    return [view(desk, event) for event in desk.own_first([f"note.{kind}" for kind in kinds], limit)]


# -- with their writers ----------------------------------------------------------------------------------------------


def open_by(desk: Desk, by: Writers, limit: int) -> list[NoteView]:
    """Like `open_ones`, but those of this lineage and instance first, and those of other panes last."""

    def is_open(event: Event) -> bool:
        found = desk.ledger.document("note", event.id)
        return found is not None and found.live

    found = by.own_first(lambda most: _open_and_own_events(desk, most), limit, _CLOSABLE, stands=is_open)
    return [_written(desk, by, event) for event in found]


def _open_and_own_events(desk: Desk, limit: int) -> list[Event]:
    """The newest, and the newest of those that were written here, however many newer ones an import brought."""
    found = _open_events(desk, limit)
    if not any(map(desk.other_ledger, found)):
        return found
    here = desk.latest_here(_CLOSABLE, limit)
    is_open = ((event, desk.ledger.document("note", event.id)) for event in here)
    found += [event for event, note in is_open if note and note.live]
    return sorted({event.id: event for event in found}.values(), key=in_order, reverse=True)


def latest_by(desk: Desk, by: Writers, kind: str, *, limit: int) -> list[NoteView]:
    """Like `latest`, but those of this lineage and instance first, and those of other panes last."""
    kinds = [f"note.{kind}"]
    found = by.own_first(lambda most: desk.latest_and_own(kinds, most), limit, kinds)
    return [_written(desk, by, event) for event in found]


def where_it_stopped(desk: Desk, by: Writers) -> tuple[NoteView | None, list[NoteView]]:
    """The reasoning note that says where the work of this place stopped, and the last one of each other instance that
    is at work now."""
    kinds = ["note.reasoning"]
    ours = by.own_first(
        lambda most: desk.latest_and_own(kinds, most), 1, kinds, stands=lambda event: by.of(event) != OTHER
    )
    others: dict[str | None, NoteView] = {}
    for event in desk.latest_here(kinds, FIRST_EVENTS):
        if by.of(event) == OTHER and event.instance_id not in others:
            others[event.instance_id] = _written(desk, by, event)
    return _written(desk, by, ours[0]) if ours else None, list(others.values())


def _written(desk: Desk, by: Writers, event: Event) -> NoteView:
    return replace(view(desk, event), writer=by.of(event))
