"""Python's SQLite module without what `sqlite3` adds to it: adapters for dates, which no statement here uses. They load
`datetime`, which costs each command and each hook half as much as to start the interpreter."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:  # another interpreter
        import sqlite3

__all__ = ["sqlite3"]
