"""Full-text search in SQLite: which events are worth a look for some words, in time that hardly grows with the ledger.

The index is a view: events are entered when a store that wrote is closed, a block at a time, so no append waits for it.
What is not entered yet is looked through, and so is everything where SQLite was built without FTS5. It keeps words
without their order and no text (`content=''`, `detail=none`).

There are two: of what was said, and of what hooks saw (commands, files, errors). A session's commands are many times as
many as its decisions, and in one index they would crowd out the answers to a question about the latter.
"""

from __future__ import annotations

from heapq import nlargest

from perdure.ledger.schema import ENTERED, SEEN_ENTERED, SEEN_WORDS, WORDS
from perdure.ledger.sqlite_module import sqlite3
from perdure.model.payload import SAID, SEEN
from perdure.model.terms import COMMON, word_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

BLOCK = 256
"""Events a chain must be ahead of the index before they are entered."""
_TABLES = {"words": (WORDS, ENTERED), "seen": (SEEN_WORDS, SEEN_ENTERED)}
_PROGRESS = {"words": "entered", "seen": "entered_seen"}
"""Each index, and the table that says how far it goes."""
_KINDS = {"words": tuple(SAID), "seen": tuple(SEEN)}
_ENTERED = "INSERT INTO {entered} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET row = excluded.row, texts = texts + ?"
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM {words} WHERE {words} MATCH ? LIMIT ?)"
_NEWEST = "SELECT rowid FROM {words} WHERE {words} MATCH ? ORDER BY rowid DESC LIMIT ?"
_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.{words}_vocabulary USING fts5vocab(main, {words}, row)"
_FORMS = "SELECT term FROM temp.{words}_vocabulary WHERE term >= ? AND term <= ? LIMIT ?"
_MOST_FORMS = 64
_SHORTEST_ROOT = 4
"""Letters that a root must have for words that begin with it to be looked at: few words begin with four letters."""
_RANKED = "SELECT rowid FROM {words} WHERE {words} MATCH ? ORDER BY rank LIMIT 1"
_CUTTING = (
    """CREATE VIRTUAL TABLE IF NOT EXISTS temp.cutting USING fts5(
         text, content = '', tokenize = "unicode61 remove_diacritics 0")""",
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.pieces USING fts5vocab(temp, cutting, instance)",
)
_MERGE = "INSERT INTO {words} ({words}, rank) VALUES ('merge', ?)"
_MERGED = 500
"""Pages of the index that are written at once, about."""
_MOST_TOKENS = 4096
_ALTERNATIVES = 2
"""How many times as many texts as are wanted are looked at for the closest."""


class FullText:
    """Speaks in row numbers; what stands in a row its owner knows."""

    def __init__(self, db: sqlite3.Connection, *, seen: bool = False) -> None:
        """`seen`: the index of what hooks saw, not of what was said."""
        self._db = db
        self._name = "seen" if seen else "words"
        self._entered_table = _PROGRESS[self._name]
        self._counted: dict[str, int] = {}
        """What was counted for this query, which asks twice and needs it once more to choose."""
        self.kinds = _KINDS[self._name]

    def _sql(self, statement: str) -> str:
        return statement.format(words=self._name, entered=self._entered_table)

    def exists(self) -> bool:
        return bool(self._db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (self._entered_table,)).fetchone())

    def entered(self) -> dict[int, int]:
        """The last row of each chain that was entered."""
        return dict(self._db.execute(self._sql("SELECT chain, row FROM {entered}"))) if self.exists() else {}

    def entered_texts(self) -> dict[int, tuple[int, int]]:
        """The last row of each chain that was entered, and how many texts up to there."""
        found = self._db.execute(self._sql("SELECT chain, row, texts FROM {entered}")) if self.exists() else ()
        return {chain: (row, texts) for chain, row, texts in found}

    def texts(self) -> int:
        found = self._db.execute(self._sql("SELECT total(texts) FROM {entered}")).fetchone() if self.exists() else (0,)
        return int(found[0])

    # -- writing, inside a transaction of the owner's ------------------------------------------------------------------

    def enter(self, chain: int, row: int, texts: Iterable[tuple[int, str]]) -> bool:
        """The texts of a chain up to `row`. False where SQLite cannot: then there is no index, and nothing is lost."""
        if not self.exists() and not self._made():
            return False
        listed = list(texts)
        self._db.executemany(self._sql("INSERT INTO {words} (rowid, text) VALUES (?, ?)"), listed)
        self._db.execute(self._sql(_ENTERED), (chain, row, len(listed), len(listed)))
        return True

    def _made(self) -> bool:
        try:
            for statement in _TABLES[self._name]:
                self._db.execute(statement)
        except sqlite3.OperationalError as error:
            if "no such module" in str(error):
                return False
            raise
        return True

    def replace(self, row: int, before: str, after: str) -> None:
        """A text that is entered says something else now: an erased one must not be found by its words."""
        self._db.execute(self._sql("INSERT INTO {words} ({words}, rowid, text) VALUES ('delete', ?, ?)"), (row, before))
        self._db.execute(self._sql("INSERT INTO {words} (rowid, text) VALUES (?, ?)"), (row, after))

    def begin_merging(self) -> None:
        """What was taken out stands in the older parts of the index until all of them are merged into one."""
        self._db.execute(self._sql(_MERGE), (-_MERGED,))

    def merge(self) -> bool:
        """Some of it. Whether there was more to do (as SQLite's documentation says how to tell)."""
        before = self._db.total_changes
        self._db.execute(self._sql(_MERGE), (_MERGED,))
        return self._db.total_changes - before >= 2

    # -- is it what was hashed? ----------------------------------------------------------------------------------------

    def fault(self, texts: Iterable[tuple[int, list[str]]]) -> str | None:
        """What is wrong with the index, where it should hold these texts, each a row and its terms, and no others.

        Every entry is looked at. The entries of an index come by term and those of the texts by row, so neither is held
        in memory: sums of their hashes are compared, which nobody can make equal without knowing this process' seed."""
        if not self.exists():
            return "words are entered that there is no index for" if next(iter(texts), None) else None
        expected = _Entries()
        tokens = _Tokens(self._db)
        for row, terms in texts:
            expected.add(row, [token for term in terms for token in tokens.of(term)])
        return None if self._entries() == expected.sums() else "the full-text index does not hold what the events say"

    def _entries(self) -> tuple[int, int] | None:
        """As `_Entries.sums`; None where a term that stands there is not found when it is looked for."""
        self._db.execute(
            self._sql("CREATE VIRTUAL TABLE IF NOT EXISTS temp.entries USING fts5vocab(main, {words}, instance)")
        )
        try:
            return self._summed()
        finally:
            self._db.execute("DROP TABLE temp.entries")

    def _summed(self) -> tuple[int, int] | None:
        self._db.execute(self._sql(_RANKED), (_quoted("word"),)).fetchone()  # reads what ranking needs
        total = 0
        before, count = None, 0
        for entry in self._db.execute("SELECT term, doc FROM temp.entries"):
            total += hash(entry)
            if entry[0] != before:
                if before is not None and self._found(before) != count:
                    return None
                before, count = entry[0], 0
            count += 1
        if before is not None and self._found(before) != count:
            return None
        sizes = sum(map(hash, self._db.execute(self._sql("SELECT id, sz FROM {words}_docsize"))))
        return total, sizes

    def _found(self, term: str) -> int:
        found: int = self._db.execute("SELECT count(*) FROM temp.entries WHERE term = ?", (term,)).fetchone()[0]
        return found

    # -- reading -----------------------------------------------------------------------------------------------------

    def forms(self, terms: Sequence[str]) -> dict[str, list[str]]:
        """The terms of the index that have each of these roots. A word that is common anyway is not
        looked up in its other forms."""
        found: dict[str, list[str]] = {}
        for term in terms:
            found.setdefault(word_root(term), []).append(term)
        if self.exists():
            self._db.execute(self._sql(_VOCABULARY))
            for each, asked in found.items():
                if self._count(asked) < COMMON:
                    asked += [
                        term for term in self._beginning_like(each) if word_root(term) == each and term not in asked
                    ]
        return found

    def _beginning_like(self, root: str) -> list[str]:
        """Terms of the index that may have this root: a stemmer changes a last letter, `happy` to `happi`."""
        if len(root) < _SHORTEST_ROOT:
            return [root]
        begins = root[:-1] if root[-1] in "ie" else root
        found = self._db.execute(self._sql(_FORMS), (begins, begins + chr(0x10FFFF), _MOST_FORMS))
        return [root, *(term for (term,) in found if term != root)]

    def counts(self, forms: Mapping[str, Sequence[str]]) -> dict[str, int]:
        """In how many texts each root stands; beyond `COMMON` nobody counts."""
        return {each: self._count(terms) if self.exists() else 0 for each, terms in forms.items()}

    def _count(self, terms: Iterable[str]) -> int:
        return self._counted_once(_any(terms))

    def _counted_once(self, match: str) -> int:
        if match not in self._counted:
            self._counted[match] = self._db.execute(self._sql(_COUNT), (match, COMMON)).fetchone()[0]
        return self._counted[match]

    def candidates(self, forms: Mapping[str, Sequence[str]], weights: Mapping[str, float], limit: int) -> set[int]:
        """Rows that may hold the closest texts: those whose words weigh most, of the words that are not common; the
        newest that have all of the words, or half of them, the rarest; if these are few, the newest that have any.

        SQLite's own ranking cannot tell: it needs what `detail=none` leaves out, and calls all texts equal."""
        if not weights or not self.exists():
            return set()
        rarest_first = sorted(weights, key=lambda each: -weights[each])
        matches = {each: f"({_any(forms[each])})" for each in rarest_first}
        rare = [each for each in rarest_first if self._count(forms[each]) < COMMON]
        rows = set(self._heaviest({each: matches[each] for each in rare}, weights, _ALTERNATIVES * limit))
        several = len(rarest_first)
        for some in sorted({several, (several + 1) // 2, min(2, several)}, reverse=True):
            rows.update(self._rows(_NEWEST, " AND ".join(matches[each] for each in rarest_first[:some]), limit))
        if len(rows) < limit:
            rows.update(self._rows(_NEWEST, " OR ".join(matches.values()), limit))
        return rows

    def _heaviest(self, matches: Mapping[str, str], weights: Mapping[str, float], limit: int) -> list[int]:
        score: dict[int, float] = {}
        for each, match in matches.items():
            weight = weights[each]
            for row in self._rows(_NEWEST, match, COMMON):
                score[row] = score.get(row, 0.0) + weight
        return nlargest(limit, score, key=lambda row: (score[row], row))

    def _rows(self, statement: str, match: str, limit: int) -> list[int]:
        return [row for (row,) in self._db.execute(self._sql(statement), (match, limit)).fetchall()]


def _any(terms: Iterable[str]) -> str:
    return " OR ".join(map(_quoted, terms))


def _quoted(term: str) -> str:
    """A string in FTS5's own language; a term has no quotes in it, and none would come through."""
    return '"' + term.replace('"', '""') + '"'


class _Entries:
    """What an index of some texts holds: each token with each row it stands in, and of each row how many tokens."""

    def __init__(self) -> None:
        self._total = 0
        self._sizes = 0

    def add(self, row: int, tokens: list[str]) -> None:
        self._total += sum(hash((token, row)) for token in set(tokens))
        self._sizes += hash((row, _varint(len(tokens))))

    def sums(self) -> tuple[int, int]:
        return self._total, self._sizes


class _Tokens:
    """How the index cuts a term. What is plain stays as it is; about the rest SQLite is asked, whose tables of Unicode
    are of another version than ours."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._known: dict[str, list[str]] = {}
        self._is_made = False

    def of(self, term: str) -> list[str]:
        if term.isascii():
            return [term]
        if term not in self._known:
            if len(self._known) >= _MOST_TOKENS:
                self._known.clear()
            self._known[term] = self._asked(term)
        return self._known[term]

    def _asked(self, term: str) -> list[str]:
        if not self._is_made:
            for statement in _CUTTING:
                self._db.execute(statement)
            self._is_made = True
        self._db.execute("INSERT INTO temp.cutting (rowid, text) VALUES (1, ?)", (term,))
        found = [token for (token,) in self._db.execute("SELECT term FROM temp.pieces")]
        self._db.execute("INSERT INTO temp.cutting (cutting) VALUES ('delete-all')")
        return found


def _varint(number: int) -> bytes:
    """As SQLite writes one; a text of more than 2^21 words is not ours."""
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.append(number & 0x7F | 0x80)
    return bytes(reversed(groups))
