"""Tracked segments: the ledger for git to keep, without prompts, where `export.tracked` is set (SPEC 16.4)."""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import read_text, write_whole
from perdure.model.event import Ref
from perdure.place import git_ignore
from perdure.views import event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk

FOLDER = "export"
_IGNORE_LINE = "!export/\n!export/**\n"


def _export_folder(desk: Desk) -> str:
    return os.path.join(desk.folder, FOLDER)


def write_segment(desk: Desk) -> str | None:
    """What the tracked export does not have yet of the own chain, as one more segment."""
    folder, head = _export_folder(desk), desk.ledger.head()
    segments = event_files.segments_in(folder, head.ledger_id)
    after = segments[-1][1] if segments else 0
    if head.seq <= after:
        return None
    _let_git_see(desk)
    return event_files.write_segment(
        folder, head.ledger_id, desk.ledger.events(head.ledger_id, after), first=after + 1, last=head.seq
    )


def keep_tracked(desk: Desk) -> str | None:
    """At POSTFLIGHT and session end, where `export.tracked` is set. What cannot be written now comes with the next."""
    try:
        return write_segment(desk) if desk.setting("export.tracked") else None
    except Trouble:
        return None


def _let_git_see(desk: Desk) -> None:
    path = git_ignore.path_of(desk.root)
    text = read_text(path) or git_ignore.TEXT
    if _IGNORE_LINE not in text:
        write_whole(path, text + _IGNORE_LINE, mode=0o644)


def erase_in(desk: Desk, erased: Ref) -> None:
    """The one change a segment ever sees. What git has of it already is for the person to purge; `redact` says so."""
    for first, last, _ in event_files.segments_in(_export_folder(desk), erased.ledger_id):
        if first <= erased.seq <= last:
            events = desk.ledger.events(erased.ledger_id, first - 1)
            event_files.write_segment(_export_folder(desk), erased.ledger_id, events, first=first, last=last)
