"""Full-text search in SQLite: which events are worth a look for some words, in time that hardly grows with the ledger.

The index is a view: events are entered when a store that wrote is closed, a block at a time, so no append waits for it.
What is not entered yet is looked through, and so is everything where SQLite was built without FTS5. It keeps words
without their order and no text (`content=''`, `detail=none`).
"""

from __future__ import annotations

import sqlite3

from perdure.model.terms import COMMON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BLOCK = 256
"""Events a chain must be ahead of the index before they are entered."""
_TABLES = (
    """CREATE VIRTUAL TABLE words USING fts5(
         text, content = '', detail = none, tokenize = "unicode61 remove_diacritics 0")""",
    "CREATE TABLE entered (chain INTEGER PRIMARY KEY, row INTEGER NOT NULL, texts INTEGER NOT NULL)",
)
_ENTERED = "INSERT INTO entered VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET row = excluded.row, texts = texts + ?"
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
_NEWEST = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?"
_BEST = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
_RANKED = 2 * COMMON
"""Texts that are ranked by SQLite itself at most; it takes a microsecond or two for each."""


class FullText:
    """Speaks in row numbers; what stands in a row its owner knows."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def exists(self) -> bool:
        return bool(self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'entered'").fetchone())

    def entered(self) -> dict[int, int]:
        """Of each chain, the last row that was entered."""
        return dict(self._db.execute("SELECT chain, row FROM entered")) if self.exists() else {}

    def texts(self) -> int:
        found = self._db.execute("SELECT total(texts) FROM entered").fetchone() if self.exists() else (0,)
        return int(found[0])

    # -- writing, inside a transaction of the owner's ------------------------------------------------------------------

    def enter(self, chain: int, row: int, texts: Iterable[tuple[int, str]]) -> bool:
        """The texts of a chain up to `row`. False where SQLite cannot: then there is no index, and nothing is lost."""
        if not self.exists() and not self._made():
            return False
        listed = list(texts)
        self._db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", listed)
        self._db.execute(_ENTERED, (chain, row, len(listed), len(listed)))
        return True

    def _made(self) -> bool:
        try:
            for statement in _TABLES:
                self._db.execute(statement)
        except sqlite3.OperationalError as error:
            if "no such module" in str(error):
                return False
            raise
        return True

    def start_over(self) -> None:
        """Nothing is entered any more: an erased text must not be found by its words."""
        if self.exists():
            self._db.execute("INSERT INTO words (words) VALUES ('delete-all')")
            self._db.execute("DELETE FROM entered")

    # -- reading -----------------------------------------------------------------------------------------------------

    def counts(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many texts each stands; beyond `COMMON` nobody counts."""
        if not self.exists():
            return dict.fromkeys(terms, 0)
        return {term: self._db.execute(_COUNT, (_quoted(term), COMMON)).fetchone()[0] for term in terms}

    def candidates(self, counts: dict[str, int], limit: int) -> set[int]:
        """Rows that have all of the words, then half of them, the rarest; the best for the rare ones; the newest that
        have any."""
        rarest_first = sorted((term for term, count in counts.items() if count), key=lambda term: counts[term])
        if not rarest_first or not self.exists():
            return set()
        rows: set[int] = set()
        several = len(rarest_first)
        for some in sorted({several, (several + 1) // 2, min(2, several), 1}, reverse=True):
            rows.update(self._rows(_NEWEST, " AND ".join(map(_quoted, rarest_first[:some])), limit))
            if len(rows) >= limit:
                break
        rare: list[str] = []
        for term in rarest_first:
            if sum(counts[each] for each in (*rare, term)) <= _RANKED and counts[term] < COMMON:
                rare.append(term)
        if rare:
            rows.update(self._rows(_BEST, " OR ".join(map(_quoted, rare)), limit))
        rows.update(self._rows(_NEWEST, " OR ".join(map(_quoted, rarest_first)), limit))
        return rows

    def _rows(self, statement: str, match: str, limit: int) -> Iterable[int]:
        return (row for (row,) in self._db.execute(statement, (match, limit)))


def _quoted(term: str) -> str:
    """A string in FTS5's own language; a term has no quotes in it, and none would come through."""
    return '"' + term.replace('"', '""') + '"'
