"""Is there a database at all? The one question the gate asks of the store, which it does not open (SPEC 2.6)."""

from __future__ import annotations

FILE = "ledger.db"
_MAGIC = b"SQLite format 3\0"


def is_store(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False
