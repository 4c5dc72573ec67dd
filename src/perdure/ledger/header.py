"""Is there a store, and could something be written to it? What the gate asks of the ledger's file, without opening the
ledger (SPEC 2.6). The hook path loads this module, so it imports no store; `FORMATS` has a line for each."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

FILE = "ledger.db"
_LENGTH = 100
_LOG_HEADER = 32
_ROOM = 64 * 1024
"""Bytes. With less left on the disk, SQLite cannot make the 32 KiB index beside its log, and write an event."""


def is_store(path: str) -> bool:
    """It begins as a store does, and is not cut."""
    try:
        with open(path, "rb") as file:
            head = file.read(_LENGTH)
            size = os.fstat(file.fileno()).st_size
    except OSError:
        return False
    return any(head.startswith(magic, at) and is_whole(path, head, size) for (at, magic), is_whole in FORMATS.items())


def begins_as_store(path: str) -> bool:
    """Whatever comes after. Raises `OSError` where the file cannot be read."""
    with open(path, "rb") as file:
        head = file.read(_LENGTH)
    return any(head.startswith(magic, at) for at, magic in FORMATS)


def _has_all_pages(path: str, head: bytes, size: int) -> bool:
    """SQLite: a file that was cut has fewer pages than its header says (SQLite's file format, 1.3). While the log holds
    pages the file may have fewer: on a full disk they cannot be copied out of the log yet."""
    if len(head) < _LENGTH:
        return False
    page = int.from_bytes(head[16:18], "big")
    return size >= (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big") or _has_log(path)


def _has_log(path: str) -> bool:
    try:
        return os.stat(path + "-wal").st_size > _LOG_HEADER
    except OSError:
        return False


FORMATS: dict[tuple[int, bytes], Callable[[str, bytes, int], bool]] = {(0, b"SQLite format 3\0"): _has_all_pages}
"""For each kind of store: where the magic number stands in its file and what it is, and a function that tells from the
path, the first bytes and the size whether the file is whole."""


def why_unwritable(path: str) -> str:
    """Why nothing could be written to the store now; empty where nothing speaks against it."""
    folder = os.path.dirname(path)
    if is_read_only(folder):
        return "its disk is read-only"
    if not os.access(folder, os.W_OK) or not os.access(path, os.W_OK):
        return "this user may not write there"
    return "its disk is full" if has_no_room(folder) else ""


def is_read_only(folder: str) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def has_no_room(folder: str) -> bool:
    """For the bytes of a few events, or for one more file: some disks run out of the one first, some of the other."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _ROOM or (disk.f_files > 0 and disk.f_favail == 0)


def ids_offered(
    path: str, events: Sequence[str], documents: Sequence[str], *, ours: Collection[str]
) -> list[tuple[str, str]]:
    """Ids of a store with a few words about each, for the completion of a shell. Opens no ledger and writes nothing.
    Nothing for a store that is not SQLite's."""
    if not is_store(path):
        return []
    from perdure.ledger.sqlite_ids import newest  # completion loads no other part of the store

    return newest(path, events, documents, ours=ours)
