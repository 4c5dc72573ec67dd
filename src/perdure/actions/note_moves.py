"""Moves a note to the project that it was meant for: it is recorded there, then taken back here (SPEC 17.6).

    moved = move(desk, "3f2a91c4", "../parser")
    undo(desk, moved.undo_id)                 `undoing.undo`: it counts here again, then it is taken back there

Invariant: the note is recorded in one ledger before it stops counting in the other. After a crash in between it counts
in both, never in none, and the same call once more finishes what was begun. The id of the note there is derived from
the note here, so it is not recorded twice.
"""

from __future__ import annotations

from contextlib import closing

from perdure.actions import lookup, notes, projects, undoing, wiring
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution
from perdure.actions.brief_places import seen_in
from perdure.actions.ledger_origin import ledger_path
from perdure.actions.record import record
from perdure.actions.wiring import open_desk_at
from perdure.errors import PerdureError, Refused
from perdure.files import FolderLock
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.ids import EventId, derived_id, short
from perdure.model.payload import CLOSABLE_NOTES, NOTE_KINDS
from perdure.model.shell_quote import quote
from perdure.model.value import replace, value
from perdure.place import project
from perdure.proof.fsck import UNREADABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.notes import NoteView
    from perdure.actions.undoing import TakenBack
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event

_KINDS = [f"note.{kind}" for kind in NOTE_KINDS]
_CLOSABLE = [f"note.{kind}" for kind in CLOSABLE_NOTES]


@value
class MovedNote:
    note: NoteView
    """As it is in the other project."""
    root: str
    undo_id: str | None
    """The event that took it back here."""


def move(desk: Desk, typed: str, to: str) -> MovedNote:
    """`to`: the other project, by its path, name or id."""
    found = lookup.event(desk.ledger, "note", typed, listed_by=as_typed(desk, notes.LISTED_BY), kinds=_KINDS)
    undoing.refuse_others(desk, found)
    return _move(desk, found, projects.named(desk.resolved, to))


def _move(desk: Desk, note: Event, root: str) -> MovedNote:
    if root == desk.root:
        raise Refused(
            "same_project",
            f"Note {short(note.id)} is in that project already: {root}.",
            hint=as_typed(desk, "perdure project list") + " names the others.",
        )
    # The lock keeps a move and its undo apart, so that neither takes back what the other just recorded.
    with FolderLock(desk.root), open_desk_at(desk.resolved, root) as there:
        _refuse_unmovable(desk, note)
        copy = _recorded_there(desk, note, there)
        moved_to = {"project_id": there.identity.id, "project_path": there.root, "note_id": copy.id}
        taken = undoing.take_back(desk, note, moved_to)
        return MovedNote(note=notes.view(there, copy), root=there.root, undo_id=taken.undo_id)


def move_again(desk: Desk, note: Event, said: p.ChangeUndone) -> TakenBack:
    """Undoes the undo of a move."""
    moved = _move(desk, note, _root_of(desk, said.moved_to or {}))
    return undoing.TakenBack(id=note.id, ts=note.ts, kind=note.kind, text=moved.note.text, undo_id=moved.undo_id)


def move_back(desk: Desk, undo: Event, note: Event) -> TakenBack:
    """Brings the note back here, then takes it back there. If that cannot be done, it counts in both, and the caller is
    told."""
    said = p.read(undo, p.ChangeUndone)
    moved_to = said.moved_to if said and said.moved_to else {}
    named = moved_to.get("project_path", "the other project")
    if note.payload is None:
        raise Refused(
            "note_erased",
            f"The words of note {short(note.id)} are erased here: it stays in {named}, to which it was moved.",
            hint=f"perdure note move {short(moved_to.get('note_id', ''))} --to PROJECT moves it on from there.",
        )
    with FolderLock(desk.root):
        if undoing.undone_by(desk, note) is None and _taken_back_there(desk, moved_to):
            return replace(undoing.view(desk, note), is_restored=True)
        back = undoing.bring_back(desk, undo, note)
        try:
            if not _taken_back_there(desk, moved_to):
                _tell_where_it_was_moved_on(desk, moved_to, named)
        except PerdureError as error:
            ways = f"{error.message} {error.hint}".strip()
            desk.resolved.request.tell(f"The note counts here again. In {named} it was not taken back: {ways}")
        return back


def copies_elsewhere(desk: Desk, note: Event) -> list[tuple[str, str]]:
    """Where else the words of a note are because it was moved, from there or to there: each project's folder, and the
    note's id in it. A ledger that cannot be read is left out: a heal there says what is wrong with it."""
    if note.kind not in _KINDS:
        return []
    said = p.read(note, p.Note)
    undone = [p.read(each, p.ChangeUndone) for each in desk.ledger.latest(["change.undone"], ALL_EVENTS)]
    named = [each.moved_to for each in undone if each and each.moved_to and each.change == note.id]
    named += [said.moved_from] if said and said.moved_from else []
    found: dict[tuple[str, str], None] = {}
    for each in named:
        id = each.get("note_id", "")
        try:
            root = _root_of(desk, each)
            with closing(wiring.STORE.open_ledger(ledger_path(root), writable=False)) as ledger:
                if any(event.payload is not None for event in ledger.find(id, [note.kind])):
                    found[root, id] = None
        except (PerdureError, *UNREADABLE):
            continue
    return list(found)


def _tell_where_it_was_moved_on(desk: Desk, moved_to: dict[str, str], named: str) -> None:
    """Follows further moves: the note counts where the last of them ended."""
    place, before = moved_to, named
    while further := _moved_on(desk, place):
        before, place = place.get("project_path", named), further
    if place is moved_to:
        return
    last, id = place.get("project_path", ""), short(place.get("note_id", ""))
    desk.resolved.request.tell(
        f"The note counts here again. From {before} it was moved on to {last}, where it may still count: perdure undo "
        f"{id} --project-path {quote(last)} takes it back there."
    )


def _moved_on(desk: Desk, place: dict[str, str]) -> dict[str, str] | None:
    with open_desk_at(desk.resolved, _root_of(desk, place), writable=False) as there:
        found = there.ledger.find(place.get("note_id", ""), _KINDS)
        undo_id = undoing.undone_by(there, found[0]) if len(found) == 1 else None
        undone = there.ledger.find(undo_id, ["change.undone"]) if undo_id else []
        said = p.read(undone[0], p.ChangeUndone) if len(undone) == 1 else None
        return said.moved_to if said else None


def _refuse_unmovable(desk: Desk, note: Event) -> None:
    before = undoing.undone_by(desk, note)
    if before:
        way_back = as_typed(desk, f"perdure undo {short(before)}") + " brings it back."
        moved_to = _moved_to(desk, before)
        if moved_to:
            raise Refused("note_moved", f"Note {short(note.id)} was moved to {moved_to} already.", hint=way_back)
        raise Refused("undone", f"Note {short(note.id)} was taken back.", hint=way_back)
    if note.payload is None:
        raise Refused(
            "note_erased",
            f"The words of note {short(note.id)} are erased.",
            hint="Record a new note in the other project: perdure note KIND TEXT --project-path PATH.",
        )
    if note.kind in _CLOSABLE and desk.ledger.document("note", note.id) is None:
        raise Refused(
            "note_closed",
            f"Note {short(note.id)} is closed: if it were moved, it would be open again in the other project.",
            hint=as_typed(desk, "perdure undo --list") + " shows its closing, if you closed it here; undo that first.",
        )


def _moved_to(desk: Desk, undo_id: str) -> str:
    found = desk.ledger.find(undo_id, ["change.undone"])
    said = p.read(found[0], p.ChangeUndone) if len(found) == 1 else None
    return (said.moved_to or {}).get("project_path", "") if said else ""


def _recorded_there(desk: Desk, note: Event, there: Desk) -> Event:
    """The note in the other project. Who wrote it stays: an agent's words do not become the person's who moves them."""
    id = EventId(derived_id("moved note", note.ledger_id, str(note.seq), there.identity.id))
    found = [each for each in there.ledger.find(id, [note.kind]) if there.other_ledger(each) is None]
    if not found:
        return _record_there(desk, note, there, id=id)
    if found[0].payload is None:
        raise Refused(
            "note_erased",
            f"The words of note {short(note.id)} were erased in {there.root}, to which it was moved before.",
            hint=f"perdure note {note.kind.removeprefix('note.')} TEXT --project-path {quote(there.root)}",
        )
    before = undoing.undone_by(there, found[0])
    if before:
        undoing.undo(there, before)
    return found[0]


def _record_there(desk: Desk, note: Event, there: Desk, *, id: EventId) -> Event:
    said = p.read(note, p.Note)
    text = said.text if said else ""
    origin = {
        "project_id": desk.identity.id,
        "project_path": desk.root,
        "note_id": note.id,
        "ts": (said.moved_from or {}).get("ts", note.ts) if said else note.ts,
    }
    attribution = current_attribution(there)
    fact = attribution.fact(note.kind, p.Note(text, seen_in(there, text), moved_from=origin), id=id)
    return record(there, [*attribution.before, replace(fact, actor=note.actor)]).events[-1]


def _taken_back_there(desk: Desk, moved_to: dict[str, str]) -> bool:
    """Whether it counted in the other project until now."""
    with open_desk_at(desk.resolved, _root_of(desk, moved_to)) as there:
        found = there.ledger.find(moved_to.get("note_id", ""), _KINDS)
        counting = [each for each in found if there.other_ledger(each) is None and there.counts(each)]
        for each in counting:
            undoing.take_back(there, each)
        return bool(counting)


def _root_of(desk: Desk, moved_to: dict[str, str]) -> str:
    """Where the other project is now: at the path that was recorded, or where the home knows a project of that id."""
    path, id = moved_to.get("project_path", ""), moved_to.get("project_id", "")
    known = [entry.path for entry in desk.resolved.registry.entries() if entry.project_id == id]
    found = [each for each in known if each == path] or [each for each in known if project.is_project(each)]
    if not found or not project.is_project(found[0]):
        raise Refused(
            "no_such_project",
            f"The project {path} is not there any more.",
            hint="If it was moved: perdure project switch NEW_PATH, then try again.",
        )
    return found[0]
