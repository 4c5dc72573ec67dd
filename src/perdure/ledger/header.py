"""Is there a database, and could something be written to it? What the gate asks of the store, which it does not open
(SPEC 2.6)."""

from __future__ import annotations

import os

FILE = "ledger.db"
_MAGIC = b"SQLite format 3\0"
_LENGTH = 100
_LOG_HEADER = 32
_ROOM = 64 * 1024
"""Bytes. With less left on the disk, SQLite cannot make the 32 KiB index beside its log, and write an event."""


def is_store(path: str) -> bool:
    """It begins as one, and has all the pages that it says it has (SQLite's file format, 1.3): a cut one has not. While
    the log holds pages it may have fewer: on a full disk they cannot be copied out of the log yet."""
    try:
        with open(path, "rb") as file:
            head = file.read(_LENGTH)
            size = os.fstat(file.fileno()).st_size
    except OSError:
        return False
    if len(head) < _LENGTH or not head.startswith(_MAGIC):
        return False
    page = int.from_bytes(head[16:18], "big")
    return size >= (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big") or _has_log(path)


def _has_log(path: str) -> bool:
    try:
        return os.stat(path + "-wal").st_size > _LOG_HEADER
    except OSError:
        return False


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
