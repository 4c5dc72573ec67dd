"""Is there a database at all? The one question the gate asks of the store, which it does not open (SPEC 2.6)."""

from __future__ import annotations

import os

FILE = "ledger.db"
_MAGIC = b"SQLite format 3\0"


_LENGTH = 100


def is_store(path: str) -> bool:
    """It begins as one, and has all the pages that it says it has (SQLite's file format, 1.3): a cut one has not."""
    try:
        with open(path, "rb") as file:
            head = file.read(_LENGTH)
            size = os.fstat(file.fileno()).st_size
    except OSError:
        return False
    if len(head) < _LENGTH or not head.startswith(_MAGIC):
        return False
    page = int.from_bytes(head[16:18], "big")
    return size >= (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
