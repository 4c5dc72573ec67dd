"""What a shell may offer to complete: the ids of a ledger, with a few words about each.

Somebody has pressed a key and waits, so this loads neither the store nor the model. It writes nothing, takes no lock
that a writer waits for, and ends soon whatever is in the file.

    newest("/src/shop/.perdure/ledger.db", ("goal.created",), ("goal",), ours={"1a9177cc-…"})
"""

from __future__ import annotations

import os
import sqlite3

from perdure.model.json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MOST = 50
SEQ_BITS = 40
"""As in `sqlite_rows.py`, which loads the model. A test compares them."""
_STEPS = 2_000_000
"""Instructions of SQLite's machine; the newest of a long ledger take some thousands."""
_TAIL = 256
"""Events of a chain that may not be in its index yet."""
_TEXTS = ("title", "text", "decision", "claim", "feature")
"""Fields of a payload that say what it is about, the first that is there."""


def newest(
    path: str, events: Sequence[str], documents: Sequence[str], *, ours: Collection[str]
) -> list[tuple[str, str]]:
    """Id and words, the newest first; nothing if no chain in the file is one of `ours`, or it cannot be read."""
    try:
        db = sqlite3.connect(_read_only(path), uri=True, timeout=0.1)
    except sqlite3.Error:
        return []
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        db.set_progress_handler(_Steps().too_many, 1000)
        return _found(db, events, documents) if _is_ours(db, ours) else []
    except (sqlite3.Error, UnicodeError, ValueError):
        return []
    finally:
        db.close()


def _read_only(path: str) -> str:
    """Without the index beside the log a reader would make one."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?mode=ro" + ("" if os.path.exists(path + "-shm") else "&immutable=1")


class _Steps:
    def __init__(self) -> None:
        self._done = 0

    def too_many(self) -> bool:
        self._done += 1000
        return self._done > _STEPS


def _is_ours(db: sqlite3.Connection, ours: Collection[str]) -> bool:
    """The tables are tables, and a chain of this home is in the file: a repository can bring a file of its own."""
    names = ("chains", "documents", "events", "kinds")
    marks = ", ".join("?" * len(names))
    found = db.execute(
        f"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ({marks})", names
    ).fetchone()
    if found != (len(names),):
        return False
    return any(chain in ours for (chain,) in db.execute("SELECT ledger_id FROM chains LIMIT 1000"))


def _found(db: sqlite3.Connection, events: Sequence[str], documents: Sequence[str]) -> list[tuple[str, str]]:
    told = dict(_of_events(db, events)) if events else {}
    if not documents:
        return list(told.items())[:MOST]
    marks = ", ".join("?" * len(documents))
    rows = db.execute(
        f"SELECT id, body FROM documents WHERE kind IN ({marks}) ORDER BY live DESC, clock DESC LIMIT ?",
        (*documents, MOST),
    ).fetchall()
    return [(str(id), told.get(str(id)) or _status(body)) for id, body in rows]


def _of_events(db: sqlite3.Connection, events: Sequence[str]) -> list[tuple[str, str]]:
    """Those at each chain's end, which are not in the index yet, then the newest in the index."""
    of_kind = f"kind IN ({', '.join('?' * len(events))})"
    rows: list[tuple[int, object, object]] = []
    for (number,) in db.execute("SELECT n FROM chains LIMIT ?", (MOST,)).fetchall():
        first, last = number << SEQ_BITS, (number + 1 << SEQ_BITS) - 1
        rows += db.execute(
            "SELECT clock, id, payload FROM events WHERE row > "
            f"(SELECT max(row) FROM events WHERE row BETWEEN ? AND ?) - ? AND row BETWEEN ? AND ? AND {of_kind}",
            (first, last, _TAIL, first, last, *events),
        ).fetchall()
    rows += db.execute(
        "SELECT kinds.clock, events.id, events.payload FROM kinds JOIN events ON events.row = kinds.row "
        f"WHERE kinds.{of_kind} ORDER BY kinds.clock DESC LIMIT ?",
        (*events, 4 * MOST),
    ).fetchall()
    newest_first = sorted(rows, key=lambda row: row[0], reverse=True)
    return [(str(id), _text(payload)) for _, id, payload in newest_first]


def _text(payload: object) -> str:
    given = parse(payload) if isinstance(payload, str) else None
    if not isinstance(given, dict):
        return ""
    found = (given.get(name) for name in _TEXTS)
    return next((each for each in found if isinstance(each, str)), "")


def _status(body: object) -> str:
    given = parse(body) if isinstance(body, str) else None
    if not isinstance(given, dict):
        return ""
    return " ".join(
        str(given[name]) for name in ("status", "source", "client", "about") if isinstance(given.get(name), str)
    )
