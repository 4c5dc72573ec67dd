"""Tracked segments: the ledger for git to keep, without prompts, where `export.tracked` is set (SPEC 16.4).

Where the ledger has the chain, a segment is a view of it: `faults` names those that do not say what the ledger says.
Git also brings segments of other people's ledgers, and more of them than was imported here; that is not a fault.
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Refused, Trouble
from perdure.files import listing, open_to_read, write_pieces
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, is_uuid
from perdure.model.jsonl import from_line, says, to_line
from perdure.model.value import value
from perdure.place import git_ignore, git_index, project, repository
from perdure.proof.chain import Fault, verified
from perdure.views import event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from perdure.actions.wiring import Desk
    from perdure.ledger.port import AuditedLedger
    from perdure.model.event import Event, Head

FOLDER = "export"


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
    git_ignore.let_export_in(desk.root)
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


def erase_in(desk: Desk, erased: Ref) -> None:
    """The one change a segment ever sees. What git has of it already is for the person to purge; `redact` says so."""
    if _link_in(_export_folder(desk), erased.ledger_id):
        return  # `heal` sets the link aside; what it leads to is not ours
    for first, last, _ in event_files.segments_in(_export_folder(desk), erased.ledger_id):
        if first <= erased.seq <= last:
            events = desk.ledger.events(erased.ledger_id, first - 1)
            event_files.write_segment(_export_folder(desk), erased.ledger_id, events, first=first, last=last)


# -- are they what the ledger says? ------------------------------------------------------------------------------------


@value
class SegmentFault:
    ledger_id: LedgerId
    first: int
    last: int
    """No more than the ledger has."""
    path: str
    what: str
    is_in_the_way: bool = False
    """It has more than the ledger, or is not a file: it is set aside before the segment is written again."""


def faults(root: str, ledger: AuditedLedger) -> Iterator[SegmentFault]:
    """The faults in segments of chains that the ledger has. A folder that is a link is named by `odd_files`."""
    folder = os.path.join(project.folder_of(root), FOLDER)
    deleted = _deleted_but_tracked(root)
    on_disk = {each: _named_as_segments(folder, each) for each in {*_chains_in(folder), *deleted}}
    heads, own = ledger.heads(), ledger.own()  # after the files: what is exported meanwhile is in the ledger first
    for head in heads:
        if head.ledger_id in on_disk and not _link_in(folder, head.ledger_id):
            chain = _Chain(ledger, head, is_own=head.ledger_id in own, is_written=head is heads[0])
            found = on_disk[head.ledger_id]
            yield from _missing(folder, head, found, deleted=deleted.get(head.ledger_id, []))
            yield from (fault for each in found if (fault := chain.fault(*each)))


def _chains_in(folder: str) -> list[LedgerId]:
    return [LedgerId(name) for name in listing(folder) if is_uuid(name)]


def _named_as_segments(folder: str, ledger_id: LedgerId) -> list[tuple[int, int, str]]:
    """Whatever has the name of a segment, in order."""
    names = listing(os.path.join(folder, ledger_id))
    spans = ((span, os.path.join(folder, ledger_id, name)) for name in names if (span := _span_of(name)))
    return sorted((*span, path) for span, path in spans)


def _span_of(name: str) -> tuple[int, int] | None:
    first, _, last = name.removesuffix(".jsonl").partition("-")
    if not name.endswith(".jsonl") or not first.isdecimal() or not last.isdecimal():
        return None
    return (int(first), int(last)) if 0 < int(first) <= int(last) else None


def _deleted_but_tracked(root: str) -> dict[LedgerId, list[tuple[int, int]]]:
    """The segments that git tracks and that are not on disk."""
    where = f"{project.FOLDER}/{FOLDER}"
    found: dict[LedgerId, list[tuple[int, int]]] = {}
    if not git_index.may_track(root, where):
        return found
    for path in repository.git(root, "ls-files", "-z", "--deleted", "--", where).split("\0"):
        ledger_id, name = path.split("/")[-2:] if path.count("/") > 1 else ("", "")
        span = _span_of(name)
        if is_uuid(ledger_id) and span:
            found.setdefault(LedgerId(ledger_id), []).append(span)
    return found


def _missing(
    folder: str, head: Head, found: Sequence[tuple[int, int, str]], *, deleted: Sequence[tuple[int, int]]
) -> Iterator[SegmentFault]:
    """A gap before a later segment; and at the end, what git tracks. What nobody has exported yet is not missing."""
    reach = 0
    for first, last, _ in sorted([*found, *((*span, "") for span in deleted)]):
        if first > reach + 1 and reach < head.seq:
            yield _missing_segment(folder, head, reach + 1, last=first - 1)
        reach = max(reach, last)
    for first, last in deleted:
        if first <= head.seq and not _are_all_in(found, first, min(last, head.seq)):
            yield _missing_segment(folder, head, first, last=last)


def _are_all_in(found: Sequence[tuple[int, int, str]], first: int, last: int) -> bool:
    """Whether other segments have these events. After a restore from git history the ledger may end before the deleted
    segment does, and the one that `heal` wrote in its place then has another name."""
    wanted = first
    for begin, end, _ in found:
        if begin <= wanted <= end:
            wanted = end + 1
    return wanted > last


def _missing_segment(folder: str, head: Head, first: int, *, last: int) -> SegmentFault:
    last = min(last, head.seq)
    path = os.path.join(folder, event_files.segment_name(head.ledger_id, first, last))
    return SegmentFault(ledger_id=head.ledger_id, first=first, last=last, path=path, what=f"{path} is missing")


class _Chain:
    """A chain of the ledger, read once for segments that follow one another."""

    def __init__(self, ledger: AuditedLedger, head: Head, *, is_own: bool, is_written: bool) -> None:
        self._ledger = ledger
        self._head = head
        self._is_own = is_own
        self._is_written = is_written
        self._begin()

    def _begin(self) -> None:
        self._rows = (row for block in self._ledger.rows(self._head.ledger_id) for row in block)
        self._next = 1

    def fault(self, first: int, last: int, path: str) -> SegmentFault | None:
        end = min(last, self._head.seq)
        is_file = os.path.isfile(path)
        what = self._difference(first, last, path) if is_file else "is not a file"
        if not what:
            return None
        return SegmentFault(
            ledger_id=self._head.ledger_id,
            first=first,
            last=end,
            path=path,
            what=f"{path} {what}",
            is_in_the_way=not is_file or last > end,
        )

    def _difference(self, first: int, last: int, path: str) -> str:
        with open_to_read(path) as file:
            for row in self._rows_of(first, min(last, self._head.seq)):
                line = next(file, b"")
                if not line.endswith(b"\n"):
                    return f"ends before event {row[0]}"
                if not self._agrees(line, row):
                    return f"does not say what event {row[0]} says"
            if last > self._head.seq:
                return f"goes on after event {self._head.seq}, where the ledger ends" if self._is_written else ""
            return f"goes on after event {last}" if next(file, b"") else ""

    def _rows_of(self, first: int, last: int) -> Iterator[Sequence[Any]]:
        if first < self._next:
            self._begin()
        while self._next <= last:
            row = next(self._rows, None)
            if row is None:
                return
            self._next += 1
            if row[0] >= first:
                yield row

    def _agrees(self, line: bytes, row: Sequence[Any]) -> bool:
        """Somebody else may have redacted what they said, and it is not imported yet."""
        if row[3] in event_files.WITHHELD_KINDS and row[12] is not None:
            row = _without_payload(row, "withheld")
        if says(line, self._head.ledger_id, row):
            return True
        try:
            absent = None if self._is_own else from_line(line, "").absent
        except BadInput:
            return False
        return absent is not None and says(line, self._head.ledger_id, _without_payload(row, absent))


def _without_payload(row: Sequence[Any], absent: str) -> Sequence[Any]:
    return (*row[:12], None, *row[13:16], absent)


def write_again(desk: Desk, fault: SegmentFault) -> None:
    """From the ledger. Does nothing if the ledger has none of its events."""
    if fault.first > fault.last:
        return
    git_ignore.let_export_in(desk.root)
    events = desk.ledger.events(fault.ledger_id, fault.first - 1)
    event_files.write_segment(_export_folder(desk), fault.ledger_id, events, first=fault.first, last=fault.last)


# -- where they are all that is left -----------------------------------------------------------------------------------


def verified_part(folder: str, ledger_id: LedgerId) -> tuple[list[Event], int]:
    """The events from the first on that verify; and how many there should be."""
    found = event_files.segments_in(folder, ledger_id)
    events: list[Event] = []
    for event in verified(_each_once(found), {}):
        if isinstance(event, Fault):
            break
        events.append(event)
    return events, max((last for _, last, _ in found), default=0)


def _each_once(found: Sequence[tuple[int, int, str]]) -> Iterator[Event]:
    """Segments overlap where two branches were merged that each had one."""
    reach = 0
    for _, _, path in found:
        with open_to_read(path) as file:
            for event in event_files.lines_as_far_as_they_go(file):
                if event.seq > reach:
                    reach = event.seq
                    yield event


def keep_verified(folder: str, ledger_id: LedgerId, events: list[Event]) -> str:
    """In a file that can be imported, outside the export, which git tracks."""
    path = os.path.join(os.path.dirname(folder), f"{ledger_id}.verified.jsonl")
    write_pieces(path, map(to_line, events))
    return path
