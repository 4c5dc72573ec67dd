"""Logs beside a SQLite store that the store did not write (SPEC 16.3).

SQLite takes whatever is called `ledger.db-journal` or `ledger.db-wal` for the log of `ledger.db`, and copies it into
the store when the store is opened. The log of another database destroys the store in this way. So the logs are looked
at before a store is opened, and a store beside a stray log is not opened.

    strays_beside("/srv/shop/.perdure/ledger.db", opened)
"""

from __future__ import annotations

import os

from perdure.ledger.filesystem import is_network
from perdure.ledger.sqlite_module import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    Opened: TypeAlias = Callable[[str, str], sqlite3.Connection]
    """Opens the store at a path, in one of SQLite's modes."""

_JOURNAL_BEGINS = bytes.fromhex("d9d505f920a163d7")
_WAL_HEADER = 32
_FORMAT_AT = 18
_KEEPS_WAL = 2
"""The byte there, in a store that keeps a write-ahead log (SQLite's file format, 1.3)."""
_OURS = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('chains', 'events', 'origin')"


def strays_beside(path: str, opened: Opened) -> list[str]:
    return list(_strays(path, opened))


def _strays(path: str, opened: Opened) -> Iterator[str]:
    if _is_stray_journal(path):
        yield path + "-journal"
    elif _is_stray_wal(path, opened):  # with a stray journal, to open the store would do the damage
        yield path + "-wal"


def _is_stray_journal(path: str) -> bool:
    """A store that keeps a write-ahead log has no journal. Where it keeps a journal (on a network file system), that
    begins as SQLite begins one; SQLite passes over one that begins with a zero."""
    begins = _bytes_of(path + "-journal", 0, len(_JOURNAL_BEGINS))
    if not begins or begins[0] == 0:
        return False
    return begins != _JOURNAL_BEGINS or _has_no_journal(path)


def _has_no_journal(path: str) -> bool:
    if is_network(os.path.dirname(path)):  # a store that comes from another disk is changed to a journal there
        return False
    return _bytes_of(path, _FORMAT_AT, 1) == bytes([_KEEPS_WAL])


def _is_stray_wal(path: str, opened: Opened) -> bool:
    """None of our tables is there when SQLite reads the store with this log, and they are when it reads the store
    alone."""
    if len(_bytes_of(path + "-wal", 0, _WAL_HEADER + 1)) <= _WAL_HEADER:
        return False
    return not _has_our_tables(path, "ro", opened) and _has_our_tables(path, "ro&immutable=1", opened)


def _has_our_tables(path: str, mode: str, opened: Opened) -> bool:
    db = opened(path, mode)
    try:
        return bool(db.execute(_OURS).fetchone()[0])
    except sqlite3.OperationalError:
        return True  # locked, or on a full disk: nothing was found out
    except sqlite3.DatabaseError:
        return False  # malformed
    finally:
        db.close()


def _bytes_of(path: str, first: int, count: int) -> bytes:
    """Empty where there is no such file, or none that can be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.pread(descriptor, count, first)
    except OSError:
        return b""  # a folder or a pipe
    finally:
        os.close(descriptor)
