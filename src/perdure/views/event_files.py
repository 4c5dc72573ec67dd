"""Ledgers as files of lines: backups, which are appended to (SPEC 2.3), and tracked segments, which never change
(16.4).

A backup is `<folder>/<ledger_id>.jsonl`. A crash may cut its last line: reading stops before that line, and the next
append removes it. Appending takes a lock, so that two commands never write the same line twice. A backup that
contradicts the ledger is evidence: it is never written to or cut, and `heal` compares both.
"""

from __future__ import annotations

import errno
import fcntl
import os
from itertools import chain, takewhile

from perdure.errors import BadInput, Doubted
from perdure.files import listing, make_folder, open_to_read, remove, trouble, unfinished, write_pieces
from perdure.model.event import Event
from perdure.model.ids import LedgerId, is_uuid
from perdure.model.jsonl import from_line, out_of_place, says, to_line
from perdure.model.ownership import UNERASABLE
from perdure.model.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from typing import Any, BinaryIO

_TAIL = 64 * 1024
"""Bytes that are read first, from the end."""
LONGEST_LINE = 16 << 20
"""Bytes. No event has as many (`proof/chain.py`, LARGEST_PAYLOAD). What is longer is read in pieces: a damaged file may
be huge."""
WITHHELD_KINDS = ("prompt.given", "goal.prompted", "compaction.audited")
"""Prompts are private: tracked segments contain their hash but not their text. An audit quotes what a summary made of
them."""


def path_of(folder: str, ledger_id: LedgerId) -> str:
    return os.path.join(folder, f"{ledger_id}.jsonl")


def append_new(folder: str, ledger_id: LedgerId, events_after: Callable[[int], Iterable[Event]]) -> int:
    """Appends the events that the backup of this chain does not have yet; returns how many."""
    make_folder(folder)
    path = path_of(folder, ledger_id)
    try:
        with _locked(path) as file:
            last, end = _last_whole(file)
            end -= _doubled(file, end)
            new = iter(events_after(last.seq - 1 if last else 0))
            if last and getattr(next(new, None), "hash", None) != last.hash:
                message = f"The backup {path} and the ledger differ at event {last.seq}."
                raise Doubted("backup_differs", message, hint="perdure heal looks at both.")
            file.seek(end)
            file.truncate()
            count = 0
            for event in new:
                file.write(to_line(event).encode())
                count += 1
            if count:  # on disk before the seal is written: a seal over lost lines would be a false alarm
                file.flush()
                os.fsync(file.fileno())
            return count
    except OSError as error:
        raise trouble(error, path) from error


def _locked(path: str) -> BinaryIO:
    """Opens and locks the file, until it is closed. The process that had the lock before may have replaced it, so that
    is checked."""
    if os.path.lexists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "It is not a file", path)
    while True:
        file = open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")  # noqa: SIM115 - the caller closes it
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            if _stands_at(path, file):
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _stands_at(path: str, file: BinaryIO) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _last_whole(file: BinaryIO) -> tuple[Event | None, int]:
    """The last event that can be read, and the position after it. Usually it is the last line, or the one before it if
    a crash cut the last. What a power cut left (zeros, half a block) is skipped line by line."""
    start = size = file.seek(0, os.SEEK_END)
    tail, span = b"", _TAIL
    while start > 0:
        start = max(0, size - span)
        file.seek(start)
        tail = file.read(size - start)
        end = tail.rfind(b"\n")
        while end >= 0:
            before = tail.rfind(b"\n", 0, end)
            if before < 0 and start > 0:
                break  # this line starts before what was read
            try:
                return from_line(tail[before + 1 : end], "the backup"), start + end + 1
            except BadInput:
                end = before
        span *= 4
        if span > LONGEST_LINE:  # no line of ours: nothing but what stands before it is looked at
            size, span = (start + end if end >= 0 else start), _TAIL
            start = size
    return None, 0


def _doubled(file: BinaryIO, end: int) -> int:
    """How many bytes before this position only repeat the line before them: what is appended would not be at its
    place."""
    span = 0
    while span < end:
        span = min(max(_TAIL, span * 4), end)
        file.seek(end - span)
        lines = file.read(span).splitlines(keepends=True)
        last = lines.pop()
        repeated = sum(1 for _ in takewhile(last.__eq__, reversed(lines)))
        if repeated < len(lines) or span == end:
            return repeated * len(last)
    return 0


def last(folder: str, ledger_id: LedgerId) -> Event | None:
    path = path_of(folder, ledger_id)
    try:
        with open_to_read(path) as file:
            return _last_whole(file)[0]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise trouble(error, path) from error


def set_aside(folder: str, ledger_id: LedgerId, suffix: str, *, with_seal: bool) -> str:
    """Renames the chain's backup, and its seal if asked to, so that a new backup can be started and nothing is lost."""
    path, seal = path_of(folder, ledger_id), os.path.join(folder, f"{ledger_id}.seal")
    aside = path + suffix
    try:
        os.replace(path, aside)
        if with_seal and os.path.lexists(seal):
            os.replace(seal, seal + suffix)
    except OSError as error:
        raise trouble(error, path) from error
    return aside


def erase(folder: str, ledger_id: LedgerId, seqs: Container[int]) -> bool:
    """Removes the payloads of these events from the chain's backup, and from backups of it that were set aside.
    Everything else in them stays. Returns whether any of them had one."""
    name, had = os.path.basename(path_of(folder, ledger_id)), False
    for each in listing(folder):
        path = os.path.join(folder, each)
        if (each == name or each.startswith(f"{name}.damaged-")) and os.path.isfile(path):
            had |= _erase_in(path, seqs)
    return had


def has_payloads(path: str, seqs: Container[int]) -> bool:
    """Whether a backup under any name still has a payload of one of these events."""
    with open_to_read(path) as file:
        return any(_erased(line, seqs) != line for line in pieces(file))


def _erase_in(path: str, seqs: Container[int]) -> bool:
    beside = unfinished(path)
    try:
        with _locked(path) as current:
            if all(_erased(line, seqs) == line for line in pieces(current)):
                return False
            current.seek(0)
            with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.writelines(_erased(line, seqs) for line in pieces(current) if line.endswith(b"\n"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
            return True
    except OSError as error:
        remove(beside)
        raise trouble(error, path) from error


def _erased(line: bytes, seqs: Container[int]) -> bytes:
    """The line without its payload, if its event is one of `seqs`. Only the seq of most lines is parsed; it is the
    second field (`jsonl.to_line`)."""
    number = line.partition(b'"seq":')[2].partition(b",")[0]
    if not number.isdigit() or int(number) not in seqs:
        return line
    try:
        event = from_line(line, "the backup")
    except BadInput:
        return line
    if event.seq not in seqs or event.kind in UNERASABLE:
        return line
    return to_line(replace(event, payload=None, absent="redacted")).encode()


def ledgers_in(folder: str) -> list[LedgerId]:
    names = (name for name in listing(folder) if name.endswith(".jsonl") and os.path.isfile(os.path.join(folder, name)))
    return [LedgerId(i) for name in names if is_uuid(i := name.removesuffix(".jsonl"))]


def read(folder: str, ledger_id: LedgerId) -> Iterator[Event]:
    """Reads up to the first line that is cut or is not an event."""
    path = path_of(folder, ledger_id)
    with open_to_read(path) as file:
        yield from lines_as_far_as_they_go(pieces(file))


def readable(folder: str, ledger_id: LedgerId) -> Iterator[Event]:
    """Every line of the backup that is an event, also those after a line that is not."""
    for line in lines(folder, ledger_id):
        try:
            yield from_line(line, "the backup")
        except BadInput:
            continue


def lines(folder: str, ledger_id: LedgerId) -> Iterator[bytes]:
    """The lines of the backup, unparsed."""
    with open_to_read(path_of(folder, ledger_id)) as file:
        yield from pieces(file)


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """The lines of the file. One that is too long to be an event comes in pieces."""
    while line := file.readline(LONGEST_LINE):
        yield line


def agrees(
    folder: str, ledger_id: LedgerId, rows: Iterable[Sequence[Any]], *, upto: int, is_shared: bool = False
) -> bool:
    """Whether the lines of the chain's backup match the rows of the ledger up to this event, and no event stands once
    more after them."""
    count, kept = 0, lines(folder, ledger_id)
    for row, line in zip(rows, kept, strict=False):
        if not says(line, ledger_id, row, or_redacted=is_shared):
            kept = chain((line,), kept)
            break
        count += 1
    return count >= upto and out_of_place(kept, count) is None


def lines_as_far_as_they_go(lines: Iterable[bytes]) -> Iterator[Event]:
    for number, line in enumerate(lines, 1):
        if not line.endswith(b"\n"):
            return
        try:
            yield from_line(line, f"line {number}")
        except BadInput:
            return


# -- tracked segments ----------------------------------------------------------------------------------------------


def segment_name(ledger_id: LedgerId, first: int, last: int) -> str:
    return os.path.join(ledger_id, f"{first:012}-{last:012}.jsonl")


def segments_in(folder: str, ledger_id: LedgerId) -> list[tuple[int, int, str]]:
    """First and last seq of each segment, and its path, in order."""
    found = []
    for name in listing(os.path.join(folder, ledger_id)):
        first, _, last = name.removesuffix(".jsonl").partition("-")
        path = os.path.join(folder, ledger_id, name)
        if name.endswith(".jsonl") and first.isdecimal() and last.isdecimal() and os.path.isfile(path):
            found.append((int(first), int(last), path))
    return sorted(found)


def write_segment(folder: str, ledger_id: LedgerId, events: Iterable[Event], *, first: int, last: int) -> str:
    """Writes the events from `first` to `last`. `events` starts with the first one and may continue after the last."""
    path = os.path.join(folder, segment_name(ledger_id, first, last))
    make_folder(os.path.dirname(path))
    within = takewhile(lambda event: event.seq <= last, events)
    write_pieces(path, (to_line(withheld(event)) for event in within), mode=0o644)
    return path


def withheld(event: Event) -> Event:
    private = event.kind in WITHHELD_KINDS and event.payload is not None
    return replace(event, payload=None, absent="withheld") if private else event
