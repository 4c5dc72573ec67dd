"""The documents folded anew from all events, beside those that are stored: after a payload was erased, or when events
came in that stand between others (SPEC 2.1).

To fold a long ledger takes seconds, and nobody may wait for the write lock so long (SPEC 18). So the documents are
folded before the lock is taken; under it only what others appended meanwhile, and what differs from the stored
documents is written. Erasing, merging and beginning a chain change more than the end: what was folded before them does
not count any more (`Moved`).

    anew = FoldedAnew(db, ledger.own, without=row)       the payload in this row counts as erased
    anew.take_in()                                       without the lock, and again under it
    anew.store()                                         under the lock

Documents that were not touched for a while are kept as the rows they will be: that takes a fifth of the memory.
"""

from __future__ import annotations

from heapq import merge as merge_sorted

from perdure.ledger.port import moved
from perdure.ledger.sqlite_rows import (
    EVENT_COLUMNS,
    EVENTS,
    PUT_DOCUMENT,
    REMOVE_DOCUMENT,
    SEQ_BITS,
    document_from,
    document_row,
    event_from,
    marks,
    rows_of_chain,
)
from perdure.model.event import in_order
from perdure.model.ownership import REDACTION, is_own
from perdure.model.state import FOLDED_KINDS, Removed, fold
from perdure.model.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from perdure.model.event import Event
    from perdure.model.ownership import Own
    from perdure.model.state import Change, Document

_AT_ONCE = 256
"""Rows that one statement reads."""
_MOST_UNPACKED = 512
"""Documents."""
_PAYLOAD_IF_FOLDED = f"CASE WHEN e.kind IN ({marks(FOLDED_KINDS)}) THEN e.payload END"
_FOLDING = f"""SELECT {EVENT_COLUMNS.replace("e.payload", _PAYLOAD_IF_FOLDED, 1)} {EVENTS}
  WHERE e.row > ? AND e.row <= ? AND (e.transaction_id IS NOT NULL OR e.kind IN ({marks(FOLDED_KINDS)}))
  ORDER BY e.row LIMIT {_AT_ONCE}"""
"""The events that can change a document. The payload of one that only touches its transaction is not asked for."""
STARTS_OVER = (REDACTION, "ledger.merged", "ledger.opened")
"""Events that come with a change to other events: what was read before them may not be so any more."""
_ENDS = f"""SELECT n, coalesce((SELECT row FROM events WHERE row BETWEEN n << {SEQ_BITS} AND (n + 1 << {SEQ_BITS}) - 1
  ORDER BY row DESC LIMIT 1), n << {SEQ_BITS}) FROM chains"""
"""One statement, so that nobody writes between the ends of two chains."""
_STARTED_OVER = f"SELECT 1 FROM events WHERE row > ? AND row <= ? AND kind IN ({marks(STARTS_OVER)}) LIMIT 1"


class FoldedAnew:
    def __init__(self, db: sqlite3.Connection, own: Callable[[], Own], without: int | None = None) -> None:
        self._db = db
        self._without = without
        self._documents = _Documents()
        self._taken = self._ends()
        """The chains, each with the row up to which it is folded."""
        self._own = own()
        """Asked after the ends: what changes it from then on stands after them, and is found there."""
        self._fold({n: rows_of_chain(n)[0] for n in self._taken}, self._taken)

    def take_in(self) -> None:
        """Folds what the store has now and had not before. What others append has a higher clock than all before it.
        Raises `Moved` if they did more."""
        ends = self._ends()
        if self._is_overtaken(ends):
            raise moved()
        self._fold(self._taken, ends)
        self._taken = ends

    def _fold(self, after: Mapping[int, int], upto: Mapping[int, int]) -> None:
        chains = [self._events(after[n], last) for n, last in upto.items()]
        for event in merge_sorted(*chains, key=in_order):
            self._documents.apply(fold(event, self._documents.read, is_own(event, self._own)))

    def _is_overtaken(self, ends: Mapping[int, int]) -> bool:
        return ends.keys() != self._taken.keys() or any(
            self._db.execute(_STARTED_OVER, (self._taken[n], end, *STARTS_OVER)).fetchone() for n, end in ends.items()
        )

    def store(self) -> None:
        """Writes what differs. Nothing else can be done with it afterwards."""
        gone, rows = [], self._documents.packed()
        changed = []
        for stored in self._db.execute("SELECT kind, id, live, clock, body FROM documents"):
            row = rows.pop(stored[:2], None)
            if row is None:
                gone.append(stored[:2])
            elif row != stored:
                changed.append(row)
        self._db.executemany(REMOVE_DOCUMENT, gone)
        self._db.executemany(PUT_DOCUMENT, [*changed, *rows.values()])

    def _ends(self) -> dict[int, int]:
        return dict(self._db.execute(_ENDS).fetchall())

    def _events(self, after: int, upto: int) -> Iterator[Event]:
        while rows := self._db.execute(_FOLDING, (*FOLDED_KINDS, after, upto, *FOLDED_KINDS)).fetchall():
            yield from map(self._event, rows)
            after = rows[-1][0]

    def _event(self, row: tuple[Any, ...]) -> Event:
        event = event_from(row)
        return replace(event, payload=None) if row[0] == self._without else event


class _Documents:
    """By kind and id: those that were touched lately, and all others as rows."""

    def __init__(self) -> None:
        self._unpacked: dict[tuple[str, str], Document] = {}
        self._rows: dict[tuple[str, str], tuple[object, ...]] = {}

    def read(self, kind: str, id: str) -> Document | None:
        key = kind, id
        if key not in self._unpacked and key in self._rows:
            self._unpacked[key] = document_from(self._rows[key])
        return self._unpacked.get(key)

    def apply(self, changes: Iterable[Change]) -> None:
        for change in changes:
            key = change.kind, change.id
            if isinstance(change, Removed):
                self._unpacked.pop(key, None)
                self._rows.pop(key, None)
            else:
                self._unpacked[key] = change
        if len(self._unpacked) > _MOST_UNPACKED:
            self._pack()

    def packed(self) -> dict[tuple[str, str], tuple[object, ...]]:
        self._pack()
        return self._rows

    def _pack(self) -> None:
        self._rows.update((key, document_row(document)) for key, document in self._unpacked.items())
        self._unpacked.clear()
