"""Whoever can write the file can change its schema. Nothing is acknowledged that is not then held (SPEC 14.7)."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from perdure.errors import Damaged, Trouble
from perdure.ledger import schema
from perdure.ledger.sqlite import SqliteLedger, create

from ..contract.making import OTHER, OWN, T, draft, goal, opened
from ..contract.stores import ORIGIN


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "ledger.db")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with everything in it that is made on demand."""
    path = str(tmp_path_factory.mktemp("full") / "ledger.db")
    with closing(create(path, OWN, ORIGIN)) as made:
        made.append([opened(), goal(1), *(draft(transaction_id=T) for _ in range(300))])
    return path


@pytest.fixture
def ledger(full: str, path: str) -> Iterator[SqliteLedger]:
    shutil.copy(full, path)
    with closing(SqliteLedger(path)) as made:
        yield made


def change(path: str, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            db.execute(statement)


def rewritten(table: str, old: str, new: str) -> tuple[str, ...]:
    """The statement by which a table was made, changed; those who have the file open are made to notice."""
    said = f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') WHERE name = '{table}'"
    return (said, "PRAGMA schema_version = 4711")


IGNORED, REPLACED = "NOT NULL ON CONFLICT IGNORE", "NOT NULL ON CONFLICT REPLACE"
ATTACKS: dict[str, tuple[str, ...]] = {
    "a conflict that is ignored": rewritten("events", "transaction_id TEXT", f"transaction_id TEXT {IGNORED}"),
    "a conflict that is ignored for most events": rewritten("events", "absent TEXT", f"absent TEXT {IGNORED}"),
    "a conflict that replaces": rewritten("events", "absent TEXT", f"absent TEXT {REPLACED} DEFAULT ''x''"),
    "a check": rewritten("events", "absent TEXT", "absent TEXT CHECK (kind <> ''note.finding'')"),
    "a column of another type": rewritten("events", "clock INTEGER", "clock TEXT"),
    "a collation": rewritten("documents", "id TEXT NOT NULL", "id TEXT COLLATE NOCASE NOT NULL"),
    "a default": rewritten("events", "actor TEXT", "actor TEXT DEFAULT ''user''"),
    "a key that is none": rewritten("events", "row INTEGER PRIMARY KEY", "row INT PRIMARY KEY"),
    "a generated column": rewritten("events", "absent TEXT", "absent TEXT, more TEXT AS (1)"),
    "a comment": rewritten("chains", "(n INTEGER", "(/* x */ n INTEGER"),
    "an index on an expression": ("CREATE INDEX more ON events (payload || ''x'')".replace("''", "'"),),
    "a partial index": ("CREATE UNIQUE INDEX more ON events (kind) WHERE kind = 'no.such'",),
    "a trigger": ("CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END",),
    "a trigger on documents": ("CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM documents; END",),
    "a view": ("CREATE VIEW v AS SELECT 1",),
    "a table replaced by a view": (
        "ALTER TABLE documents RENAME TO hidden",
        "CREATE VIEW documents AS SELECT * FROM hidden",
        "CREATE TRIGGER t INSTEAD OF INSERT ON documents BEGIN SELECT 1; END",
    ),
    "a table replaced by a virtual one": (
        "DROP TABLE kinds",
        "CREATE VIRTUAL TABLE kinds USING fts5(kind, clock, row)",
    ),
    "a table more": ("CREATE TABLE more (x)",),
    "a counter": ("CREATE TABLE more (x INTEGER PRIMARY KEY AUTOINCREMENT)", "DROP TABLE more"),
    "statistics": ("ANALYZE",),
    "a table that is gone": ("DROP TABLE kinds",),
    "an index that is gone": ("DROP INDEX documents_by_change",),
    "a key without its index": ("DELETE FROM sqlite_master WHERE name = 'sqlite_autoindex_chains_1'",),
    "a part of the full-text index that is gone": ("DELETE FROM sqlite_master WHERE name = 'words_idx'",),
    "entered words that are gone": ("DROP TABLE entered",),
    "words of another kind": rewritten("words", "detail = none", "detail = full"),
    "two tables in one place": (
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'kinds') "
        "WHERE name = 'subtrees'",
        "PRAGMA schema_version = 4711",
    ),
    "an application of another": ("PRAGMA application_id = 1",),
    "an older version": ("PRAGMA user_version = 0",),
    "a newer version with our tables": ("PRAGMA user_version = 2",),
}  # fmt: skip


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_a_store_whose_schema_is_not_ours_is_not_opened(ledger: SqliteLedger, path: str, attack: str) -> None:
    ledger.close()
    change(path, *ATTACKS[attack])
    for writable in (True, False):
        with pytest.raises(Damaged) as caught:
            SqliteLedger(path, writable=writable)
        assert "heal" in caught.value.hint


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_a_schema_changed_under_an_open_store_takes_no_event_unseen(
    ledger: SqliteLedger, path: str, attack: str
) -> None:
    """Whatever is acknowledged is there, and what was there before stays."""
    before = ledger.append([draft()]).events[0].seq
    change(path, *ATTACKS[attack])
    acknowledged = []
    for drafts in ([draft()], [draft(transaction_id=T)], [draft(), goal(2)]):
        try:
            acknowledged += ledger.append(drafts).events
        except Damaged:
            continue
    with closing(sqlite3.connect(path)) as db:
        held = {hash_ for (hash_,) in db.execute("SELECT hash FROM events")}
    assert len(held) >= before
    assert {event.hash for event in acknowledged} <= held


def test_an_insert_that_changes_no_row_is_an_error(ledger: SqliteLedger, path: str) -> None:
    ledger.append([draft()])
    change(path, *ATTACKS["a trigger"])
    for drafts in ([draft()], [draft(), draft()], [draft(transaction_id=T)]):
        with pytest.raises(Damaged):
            ledger.append(drafts)


def test_a_store_of_an_older_version_without_what_is_made_on_demand_is_opened(path: str) -> None:
    create(path, OWN, ORIGIN).close()
    with closing(sqlite3.connect(path)) as db:
        assert schema.differences(db) == []
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    assert not names & {"subtrees", "words", "entered"}


def test_a_store_with_everything_is_as_this_sqlite_makes_it(ledger: SqliteLedger, path: str) -> None:
    """The tables that SQLite's full-text search makes for itself are written down by us: they must be these."""
    with closing(sqlite3.connect(path)) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        assert schema.differences(db) == []
    parts = ("data", "idx", "docsize", "config")
    assert names >= {"subtrees", "words", "entered", *(f"words_{part}" for part in parts)}
    assert names >= {"seen", "entered_seen", *(f"seen_{part}" for part in parts)}


# -- a file that is no longer the ledger ---------------------------------------------------------------------------


def replaced(path: str) -> None:
    os.replace(path, path + ".aside")
    for end in ("-wal", "-shm"):
        os.replace(path + end, path + ".aside" + end)
    create(path, OTHER, ORIGIN).close()


def removed(path: str) -> None:
    os.unlink(path)


@pytest.mark.parametrize("away", [replaced, removed])
@pytest.mark.parametrize("times", [1, 2], ids=["first", "after an append"])
def test_nothing_is_acknowledged_into_a_file_that_is_not_the_ledger_any_more(
    ledger: SqliteLedger, path: str, away: Callable[[str], None], times: int
) -> None:
    for _ in range(times):
        ledger.append([draft()])
    away(path)
    for drafts in ([draft()], [draft(), draft()], [draft(transaction_id=T)]):
        with pytest.raises(Trouble) as caught:
            ledger.append(drafts)
        assert caught.value.code == {"replaced": "ledger_replaced", "removed": "no_ledger"}[away.__name__]
