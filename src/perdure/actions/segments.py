"""Tracked segments: the ledger for git to keep, without prompts, where `export.tracked` is set (SPEC 16.4)."""

from __future__ import annotations

import os

from perdure.errors import Refused, Trouble
from perdure.files import read_text, write_whole
from perdure.model.event import Ref
from perdure.place import git_ignore
from perdure.views import event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.model.ids import LedgerId

FOLDER = "export"
_IGNORE_LINE = "!export/\n!export/**\n"


def _export_folder(desk: Desk) -> str:
    return os.path.join(desk.folder, FOLDER)


def write_segment(desk: Desk) -> str | None:
    """What the tracked export does not have yet of the own chain, as one more segment."""
    folder, head = _export_folder(desk), desk.ledger.head()
    _refuse_linked(folder, head.ledger_id)
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
    except (Trouble, Refused):
        return None  # a link in the place of the export is named by `audit verify`


def _link_in(folder: str, ledger_id: LedgerId) -> str | None:
    return next((path for path in (folder, os.path.join(folder, ledger_id)) if os.path.islink(path)), None)


def _refuse_linked(folder: str, ledger_id: LedgerId) -> None:
    """Git carries links: one in the place of the export would have us write into a folder of somebody's choice."""
    link = _link_in(folder, ledger_id)
    if link:
        raise Refused(
            "folder_borrowed",
            f"{link} is a link to {os.path.realpath(link)}, and the export is written to a folder of its own. Nothing "
            "was written.",
            hint="perdure heal sets the link aside, not what it leads to.",
            details={"path": link, "other": os.path.realpath(link)},
        )


def _let_git_see(desk: Desk) -> None:
    path = git_ignore.path_of(desk.root)
    text = read_text(path) or git_ignore.TEXT
    if _IGNORE_LINE not in text:
        write_whole(path, text + _IGNORE_LINE, mode=0o644)


def erase_in(desk: Desk, erased: Ref) -> None:
    """The one change a segment ever sees. What git has of it already is for the person to purge; `redact` says so."""
    if _link_in(_export_folder(desk), erased.ledger_id):
        return  # `heal` sets the link aside; what it leads to is not ours
    for first, last, _ in event_files.segments_in(_export_folder(desk), erased.ledger_id):
        if first <= erased.seq <= last:
            events = desk.ledger.events(erased.ledger_id, first - 1)
            event_files.write_segment(_export_folder(desk), erased.ledger_id, events, first=first, last=last)
