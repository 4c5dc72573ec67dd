"""NOTES.md, the trajectory and the handoffs: when they are written, and what is said if that fails (SPEC 16.1 to 16.3).

    write_all(desk)      at the end of a session, at a checkpoint, and by `perdure notes write`
    mend(desk)           at the start of a session and after a redaction: only what is damaged; quick
    rebuild(desk)        by `heal`: looks at every line

None of them is in the path of the gate. A failure is told and stops nothing: the ledger has everything.
"""

from __future__ import annotations

import os

from perdure.actions import handoffs, notes_view, odd_files, trajectory
from perdure.errors import PerdureError
from perdure.files import FolderLock
from perdure.model.plural import counted
from perdure.views import notes_file, state_file, written_views

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.actions.notes_view import NotesWritten
    from perdure.actions.wiring import Desk

TAKE = "perdure notes take"
_WRITTEN_AGAIN = "the trajectory written again"
_LONG = "The trajectory was not written: for so long a ledger that takes too much time. perdure notes write writes it."


def write_all(desk: Desk, *, quickly: bool = False) -> list[str]:
    """Returns what somebody must know. `quickly`: a client waits, so that a long trajectory is not written anew."""
    return [
        *_tolerated(lambda: _told(notes_view.refresh(desk))),
        *_tolerated(lambda: _trajectory(desk, quickly=quickly)),
    ]


def _trajectory(desk: Desk, *, quickly: bool) -> list[str]:
    if quickly and trajectory.takes_long(desk):
        return [_LONG]
    kept = _set_aside(desk, trajectory.files_of_lost_record)
    trajectory.bring_up(desk)
    return [*kept, *_set_aside(desk, trajectory.strays)]


def _set_aside(desk: Desk, files: Callable[[Desk], list[str]]) -> list[str]:
    """Under the lock of the writers: a file that one of them has just begun is none of these."""
    if not os.path.isdir(trajectory.folder_in(desk.root)):
        return []
    with FolderLock(trajectory.folder_in(desk.root)):
        moved = [odd_files.set_aside(path, desk.now()) for path in files(desk)]
    return [f"a file beside the trajectory that does not come from this record is now {path}" for path in moved]


def _tolerated(write: Callable[[], list[str]]) -> list[str]:
    try:
        return write()
    except PerdureError as error:
        return [f"{error.message} {error.hint}".strip()]


def _mended(desk: Desk, mend: Callable[[], list[str]]) -> list[str]:
    """What was repaired. What could not be written is told, and is not a repair."""
    try:
        return mend()
    except PerdureError as error:
        desk.resolved.request.tell(f"Not written again: {error.message} {error.hint}".strip())
        return []


def _told(done: NotesWritten) -> list[str]:
    told = [_kept(done)] if done.aside else []
    if done.pending:
        edits = counted(done.pending, "edit")
        told.append(f"{done.path} has {edits} that the ledger does not have: a person runs {TAKE}, in their own shell.")
    return told


def _kept(done: NotesWritten) -> str:
    if done.is_aside_odd:
        return f"{done.path} {notes_file.UNREAD}; it is {done.aside} now. {notes_file.TAKE_PARTS}"
    return (
        f"{done.path} was not as it was written, and is written again; what it was is {done.aside}. If a person wrote "
        f"that: perdure notes take {done.aside} --mine"
    )


def mend(desk: Desk) -> list[str]:
    """What was repaired. Views that were never written are left alone, and so is a trajectory that it would take long
    to write again: `heal` does that. But redacted words never stay."""
    mended: list[str] = []
    is_redacted = trajectory.is_before_redaction(desk)
    if trajectory.is_damaged(desk) and (is_redacted or not trajectory.takes_long(desk)):
        mended += _mended(desk, lambda: _trajectory_again(desk))
    elif is_redacted:
        mended += _mended(desk, lambda: [_WRITTEN_AGAIN, *_trajectory(desk, quickly=False)])
    if notes_view.faults(desk.ledger, desk.root, desk.key):
        mended += _mended(desk, lambda: _notes_again(desk))
    mended += _mended(desk, lambda: handoffs.mend(desk))
    _drop_redacted_state(desk)
    return mended


def _drop_redacted_state(desk: Desk) -> None:
    """State checkpoints may hold words that were erased since. The ledger has what else they held."""
    last = trajectory.last_redaction(desk.ledger)
    if last:
        state_file.drop(desk.folder, lambda header: header.get("redacted") != last)


def waiting(desk: Desk) -> list[str]:
    """What to say of edits that nobody has taken in."""
    if written_views.read(desk.folder, desk.key).notes is None:
        return []
    return _tolerated(lambda: _said_of_edits(desk))


def _said_of_edits(desk: Desk) -> list[str]:
    found = notes_view.read(desk)
    count = len(found.edits.added) + len(found.edits.ticked)
    if not count:
        return []
    return [
        f"{found.path} has {counted(count, 'edit')} that the ledger does not have. Who wrote them is not known: "
        f"they count once a person runs {TAKE}, in their own shell."
    ]


def rebuild(desk: Desk) -> list[str]:
    """What was repaired; also writes what was never written, and what is behind."""
    mended: list[str] = []
    if trajectory.faults(desk.ledger, desk.root, desk.key):
        mended += _mended(desk, lambda: _trajectory_again(desk))
    is_wrong = bool(notes_view.faults(desk.ledger, desk.root, desk.key))
    if is_wrong:
        mended += _mended(desk, lambda: _notes_again(desk))
    mended += _mended(desk, lambda: handoffs.mend(desk, every=True))
    _mended(desk, lambda: _told(notes_view.refresh(desk)))
    return [*mended, *_mended(desk, lambda: _trajectory(desk, quickly=False))]


def _trajectory_again(desk: Desk) -> list[str]:
    kept = _set_aside(desk, trajectory.files_of_lost_record)
    trajectory.write_anew(desk)
    return [_WRITTEN_AGAIN, *kept, *_set_aside(desk, trajectory.strays)]


def _notes_again(desk: Desk) -> list[str]:
    done = notes_view.refresh(desk)
    return [_kept(done).rstrip(".") if done.aside else f"{done.path} written again"]
