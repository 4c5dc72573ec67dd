"""NOTES.md: written from the ledger, and looked at before it is written, because people write it too (SPEC 16.1).

    refresh(desk)              writes the file; what a person added and nobody has taken in stays in it
    pending(desk)              what is in the file and not in the ledger
    faults(ledger, root, key)  what is wrong with the file, for `audit verify` and `heal --check`

Nothing that somebody wrote is lost: a file with changes that cannot stay in it is copied to `.perdure` first, and the
caller is told. Only a person's command makes an edit an event (`actions/notes_taking.py`, docs/adr/0056).
"""

from __future__ import annotations

import os

from perdure.actions.notes_content import gather
from perdure.actions.trajectory import last_redaction
from perdure.errors import Refused, Trouble
from perdure.files import FolderLock
from perdure.model import moment
from perdure.model.plural import counted
from perdure.model.value import value
from perdure.place import project
from perdure.views import notes_edits, notes_file, notes_text, task_file, written_views
from perdure.views.notes_edits import Edits
from perdure.views.notes_file import NotesFile
from perdure.views.written_views import NotesMark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.wiring import Desk
    from perdure.ledger.port import ReadableLedger
    from perdure.views.notes_text import NotesLine, PendingEdits

_TRIES = 5
_REASONING_LOOKED_AT = 200
NO_EDITS = Edits()


@value
class NotesWritten:
    path: str
    pending: int
    """How many edits wait for a person."""
    aside: str = ""
    """Where the file is kept that had changes which could not stay in it."""
    is_aside_odd: bool = False
    """What is kept there was not read."""


def place_of(desk: Desk) -> str:
    return notes_file.TRACKED if desk.setting("notes.tracked") else notes_file.PRIVATE


def path_of(desk: Desk) -> str:
    return notes_file.path_of(desk.root, place_of(desk))


def render(desk: Desk) -> str:
    """What the file says if nobody edited it."""
    return notes_text.text_of(notes_text.lines(gather(desk)))


# -- reading -----------------------------------------------------------------------------------------------------------


@value
class NotesRead:
    """The file as it is, and what was changed in it."""

    path: str
    file: NotesFile
    edits: Edits
    lines: tuple[NotesLine, ...]
    """What the ledger would write now."""
    mark: NotesMark | None


def read(desk: Desk) -> NotesRead:
    place, path = place_of(desk), path_of(desk)
    mark = written_views.read(desk.folder, desk.key).notes
    mark = mark if mark and mark.path == place else None
    file, lines = notes_file.look(path), tuple(notes_text.lines(gather(desk)))
    if file.content is None or file.is_odd:
        return NotesRead(path=path, file=file, edits=NO_EDITS, lines=lines, mark=mark)
    if mark is None and place == notes_file.TRACKED:
        _refuse_a_file_of_others(path, file)
    bases = [*([mark.lines] if mark else []), notes_edits.base_of(lines)]
    edits = _best(file, bases, reasoning_ids(desk.ledger))
    return NotesRead(path=path, file=file, edits=edits, lines=lines, mark=mark)


def _best(file: NotesFile, bases: Sequence[Sequence[tuple[str, str]]], reasoning: set[str]) -> Edits:
    """What was changed since the file was last written. If a writer died before it noted what it wrote, the file is
    what the ledger says now."""
    text = file.text
    if text is None:
        return notes_edits.DAMAGED
    found = [notes_edits.without_replaced(notes_edits.edits_in(text, base), reasoning) for base in bases]
    return next((each for each in found if each.only_adds), found[0])


def reasoning_ids(ledger: ReadableLedger) -> set[str]:
    """The ids of the notes about where the work stopped that the file may have had."""
    kinds, most = ["note.reasoning"], _REASONING_LOOKED_AT
    return {str(event.id) for event in (*ledger.latest(kinds, most), *ledger.latest(kinds, most, ledger.own()))}


def _refuse_a_file_of_others(path: str, file: NotesFile) -> None:
    text = file.text
    if text is None or notes_text.HEADER not in notes_edits.normal_lines(text):
        raise Refused(
            "notes_not_ours",
            f"{path} is not a file that Perdure wrote. Nothing was written.",
            hint="Move the file away or rename it; or run perdure config unset notes.tracked.",
            details={"path": path},
        )


def pending(desk: Desk) -> Edits:
    return read(desk).edits


# -- writing -----------------------------------------------------------------------------------------------------------


def refresh(desk: Desk) -> NotesWritten:
    with FolderLock(desk.folder):
        for _ in range(_TRIES):
            found = read(desk)
            aside = _set_aside(desk, found)
            done = write(desk, found, found.edits.pending, aside=aside)
            if done:
                return done
    raise Trouble("notes_busy", f"Another program is writing {path_of(desk)}.", hint="Close it, then try again.")


def _set_aside(desk: Desk, found: NotesRead) -> str:
    """Keeps what cannot stay in the file; returns where, or nothing."""
    if found.file.is_odd:
        return notes_file.move_aside(found.path, desk.folder, _compact_stamp(desk))
    if found.edits.only_adds or found.file.content is None:
        return ""
    return keep(desk, found.file.content)


def keep(desk: Desk, content: bytes) -> str:
    """Keeps a copy of what somebody wrote, and returns its path."""
    return notes_file.keep_copy(desk.folder, content, _compact_stamp(desk))


def _compact_stamp(desk: Desk) -> str:
    return moment.stamp(desk.now()).replace(":", "").replace(".", "")


def write(desk: Desk, found: NotesRead, keep: PendingEdits, *, aside: str = "") -> NotesWritten | None:
    """Writes what the ledger says and `keep`; None if somebody else wrote the file meanwhile."""
    new = notes_text.text_of(found.lines, keep)
    before = None if found.file.is_odd else found.file.content
    mode = 0o600 if found.path.startswith(desk.folder + os.sep) else 0o644
    content = new.encode("utf-8", "surrogateescape")
    if content != before and not task_file.replaced(found.path, before, content, mode=mode):
        return None
    _mark(desk, found, new, has_edits=keep != notes_text.NO_EDITS)
    return NotesWritten(
        path=found.path,
        pending=len(keep.added) + len(keep.ticked),
        aside=aside,
        is_aside_odd=found.file.is_odd,
    )


def _mark(desk: Desk, found: NotesRead, text: str, *, has_edits: bool) -> None:
    before = found.mark
    mark = NotesMark(
        path=os.path.relpath(found.path, desk.root),
        digest=written_views.digest_of(text),
        lines=notes_edits.base_of(found.lines),
        at=before.at if before and has_edits else moment.stamp(desk.now()),
        redacted=last_redaction(desk.ledger),
    )
    is_same = before and (before.digest, before.lines, before.redacted) == (mark.digest, mark.lines, mark.redacted)
    if not is_same:
        written_views.write(desk.folder, desk.key, notes=mark)


# -- looking -----------------------------------------------------------------------------------------------------------


def faults(ledger: ReadableLedger, root: str, key: bytes | None) -> list[str]:
    """What is wrong with the file, in words. What a person added is not a fault, and neither is a file that is behind.
    Somebody may be writing it just now: what seems wrong is looked at again while nobody writes."""
    if not _faults(ledger, root, key):
        return []
    with FolderLock(project.folder_of(root)):
        return _faults(ledger, root, key)


def _faults(ledger: ReadableLedger, root: str, key: bytes | None) -> list[str]:
    mark = written_views.read(project.folder_of(root), key).notes
    if mark is None or mark.path not in notes_file.PLACES:
        is_there = os.path.lexists(notes_file.path_of(root, notes_file.PRIVATE))
        return [f"it is not known when {notes_file.PRIVATE} was written"] if is_there else []
    file = notes_file.look(notes_file.path_of(root, mark.path))
    if file.is_odd:
        return [f"{mark.path} is not a file that Perdure can read"]
    if file.content is None:
        return [f"{mark.path} is gone"]
    if mark.redacted != last_redaction(ledger):
        return [f"{mark.path} was written before the last redaction"]
    if written_views.digest_of(file.text or "") == mark.digest:
        return []
    edits = _best(file, [mark.lines], reasoning_ids(ledger))
    return [] if edits.only_adds else [f"{mark.path} is not as it was written: {_in_words(edits)}"]


def _in_words(edits: Edits) -> str:
    if edits.is_damaged:
        return "parts of it are missing or cannot be read"
    changed, unplaced = len(edits.changed), len(edits.unplaced)
    parts = [f"{counted(changed, 'entry', 'entries')} changed or removed"] if changed else []
    parts += [f"{counted(unplaced, 'line')} without a place in it"] if unplaced else []
    return ", ".join(parts)
