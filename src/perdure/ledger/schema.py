"""The schema of the SQLite store: every table and index, exactly as we make them, and what in a file is not so.

Whoever can write the file can change its schema (`PRAGMA writable_schema`) so that an insert does nothing, or something
else: a conflict clause, a trigger, a view in a table's place. So a store is opened only where every row of its schema
is one of ours. Tables that older versions of ours did not have may be missing; what is there is exactly ours.

The numbers that say whose file it is, and of which version, can be changed like anything else. So a new store version
always changes a table: a file with exactly our tables and a higher number was altered, and no newer Perdure wrote it.

    differences(connection) == []
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

APPLICATION_ID = 0x50455244  # "PERD"
STORE_VERSION = 1

TABLES = {
    "chains": "CREATE TABLE chains (n INTEGER PRIMARY KEY, ledger_id TEXT NOT NULL UNIQUE)",
    "events": """CREATE TABLE events (
  row INTEGER PRIMARY KEY, clock INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, ts TEXT NOT NULL,
  project_id TEXT NOT NULL, session_id TEXT, transaction_id TEXT, instance_id TEXT, task_id TEXT, actor TEXT,
  schema INTEGER NOT NULL, payload TEXT, payload_hash TEXT NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL,
  absent TEXT)""",
    "kinds": "CREATE TABLE kinds (kind TEXT NOT NULL, clock INTEGER NOT NULL, row INTEGER NOT NULL, "
    "PRIMARY KEY (kind, clock, row))\n  WITHOUT ROWID",
    "documents": """CREATE TABLE documents (
  kind TEXT NOT NULL, id TEXT NOT NULL, live INTEGER NOT NULL, clock INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (kind, id)) WITHOUT ROWID""",
    "origin": "CREATE TABLE origin (root TEXT NOT NULL, machine TEXT NOT NULL)",
}  # fmt: skip
DOCUMENTS_BY_CHANGE = "CREATE INDEX documents_by_change ON documents (kind, live, clock)"
SUBTREES = """CREATE TABLE subtrees (
  chain INTEGER NOT NULL, level INTEGER NOT NULL, place INTEGER NOT NULL, hash BLOB NOT NULL,
  PRIMARY KEY (chain, level, place)) WITHOUT ROWID"""
WORDS = """CREATE VIRTUAL TABLE words USING fts5(
         text, content = '', detail = none, tokenize = "unicode61 remove_diacritics 0")"""
ENTERED = "CREATE TABLE entered (chain INTEGER PRIMARY KEY, row INTEGER NOT NULL, texts INTEGER NOT NULL)"
SEEN_WORDS = WORDS.replace("words", "seen", 1)
SEEN_ENTERED = ENTERED.replace("entered", "entered_seen")
SECRET = "CREATE TABLE secret (text TEXT NOT NULL)"
SCRIPT = ";\n".join(
    [
        *TABLES.values(),
        DOCUMENTS_BY_CHANGE,
        f"PRAGMA application_id = {APPLICATION_ID}",
        f"PRAGMA user_version = {STORE_VERSION}",
    ]
)


def _tables_of_fts5(index: str) -> dict[str, str]:
    """The tables that SQLite makes for a full-text index of this name."""
    return {
        f"{index}_data": f"CREATE TABLE '{index}_data'(id INTEGER PRIMARY KEY, block BLOB)",
        f"{index}_idx": f"CREATE TABLE '{index}_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID",
        f"{index}_docsize": f"CREATE TABLE '{index}_docsize'(id INTEGER PRIMARY KEY, sz BLOB)",
        f"{index}_config": f"CREATE TABLE '{index}_config'(k PRIMARY KEY, v) WITHOUT ROWID",
    }


def _tables(statements: dict[str, str]) -> frozenset[tuple[str, str, str, str | None]]:
    return frozenset(("table", name, name, sql) for name, sql in statements.items())


_ALWAYS = _tables(TABLES) | {
    ("index", "sqlite_autoindex_chains_1", "chains", None),
    ("index", "documents_by_change", "documents", DOCUMENTS_BY_CHANGE),
}
_ON_DEMAND = (
    _tables({"subtrees": SUBTREES}),
    _tables({"words": WORDS, "entered": ENTERED, **_tables_of_fts5("words")}),
    _tables({"seen": SEEN_WORDS, "entered_seen": SEEN_ENTERED, **_tables_of_fts5("seen")}),
    _tables({"secret": SECRET}),
)
"""Groups that are made together: all of a group is there, or none of it."""
_COUNTS = {
    "origin": "SELECT count(*) FROM origin",
    "words_config": "SELECT count(*) FROM words_config",
    "seen_config": "SELECT count(*) FROM seen_config",
    "secret": "SELECT count(*) FROM secret",
}
"""The tables that have one row: where the store belongs, the version of each full-text index, the store's secret."""
_READ = "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master"
_PRAGMAS = (
    ("encoding", "UTF-8"),
    ("auto_vacuum", 0),
    ("application_id", APPLICATION_ID),
    ("user_version", STORE_VERSION),
)


def version_of(db: sqlite3.Connection) -> int:
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def is_newer(db: sqlite3.Connection) -> bool:
    """It says that a newer Perdure wrote it, and its tables are not ours either."""
    return version_of(db) > STORE_VERSION and bool(_in_tables(db))


def differences(db: sqlite3.Connection) -> list[str]:
    """What the file's schema has that is not ours, and what it lacks, in words."""
    wrong = _in_tables(db)
    for name, value in _PRAGMAS:
        if db.execute(f"PRAGMA {name}").fetchone()[0] != value:
            wrong.append(f"its {name} is not {value}")
    return wrong


def rows_too_many(db: sqlite3.Connection) -> list[str]:
    """Tables that hold another number of rows than we ever write to them, in words. What SQLite reads from such a table
    may be a row of somebody else's."""
    wrong = []
    for name, statement in _COUNTS.items():
        is_there = db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        count = db.execute(statement).fetchone()[0] if is_there else 1
        if count != 1:
            wrong.append(f"the table {name} has {count:,} rows, and we write one")
    return wrong


def _in_tables(db: sqlite3.Connection) -> list[str]:
    rows = db.execute(_READ).fetchall()
    if not rows:
        return ["it has no tables"]
    found = frozenset(row[:4] for row in rows)
    expected = _ALWAYS.union(*(group for group in _ON_DEMAND if group & found))
    wrong = [*_said(found - expected, expected, "is not one of ours"), *_said(expected - found, found, "is missing")]
    roots = [row[4] for row in rows if row[1] != "words"]
    if len(found) != len(rows) or len(set(roots)) != len(roots):
        wrong.append("two of its tables stand in one place")
    return wrong


def _said(rows: Iterable[tuple[object, ...]], others: Iterable[tuple[object, ...]], what: str) -> list[str]:
    """A table that is there and not as we made it is told once."""
    elsewhere = {row[1] for row in others}
    if what == "is missing":
        return sorted(f"the {row[0]} {row[1]} {what}" for row in rows if row[1] not in elsewhere)
    return sorted(f"the {row[0]} {row[1]} {'is not as we made it' if row[1] in elsewhere else what}" for row in rows)
