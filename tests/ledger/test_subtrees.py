"""What only SQLite's tree must do: work in a store that was written before it had one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from perdure.ledger.sqlite import SqliteLedger, create
from perdure.proof import merkle
from tests.contract.making import OWN, draft
from tests.contract.stores import ORIGIN


def root_of(ledger: SqliteLedger, size: int) -> bytes:
    return merkle.root(size, lambda *which: ledger.node(OWN, *which))


def stored(path: Path) -> dict[tuple[int, int], bytes]:
    with sqlite3.connect(path) as db:
        return {(level, place): hash_ for level, place, hash_ in db.execute("SELECT level, place, hash FROM subtrees")}


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """1,100 events, and no table of subtrees."""
    path = tmp_path / "ledger.db"
    ledger = create(str(path), OWN, ORIGIN)
    ledger.append([draft() for _ in range(1100)])
    ledger.close()
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE subtrees")
    return path


def test_subtrees_are_stored_by_whole_blocks(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    ledger = create(str(path), OWN, ORIGIN)
    ledger.append([draft() for _ in range(1100)])
    assert sorted(stored(path)) == [(8, 0), (8, 1), (8, 2), (8, 3), (9, 0), (9, 1), (10, 0)]
    assert stored(path)[10, 0] == root_of(ledger, 1024)
    ledger.close()


def test_a_store_written_before_there_was_a_tree_is_read_without_being_changed(old_store: Path) -> None:
    before = old_store.read_bytes()
    ledger = SqliteLedger(str(old_store), writable=False)
    leaves = [merkle.leaf(bytes.fromhex(event.hash)) for event in ledger.events()]
    assert root_of(ledger, 1100) == merkle.root(1100, merkle.over(leaves))
    ledger.close()
    assert old_store.read_bytes() == before


def test_its_next_whole_block_stores_the_tree_so_far(old_store: Path) -> None:
    ledger = SqliteLedger(str(old_store))
    ledger.append([draft() for _ in range(436)])
    assert ledger.head().seq == 1536
    known = stored(old_store)
    assert {(8, 4), (8, 5), (9, 2)} <= known.keys()
    assert root_of(ledger, 1536) == merkle.node(root_of(ledger, 1024), known[9, 2])
    ledger.append([draft() for _ in range(512)])
    assert len(stored(old_store)) == 8 + 4 + 2 + 1
    ledger.close()


def test_a_rebuild_stores_it_anew(old_store: Path) -> None:
    ledger = SqliteLedger(str(old_store))
    right = root_of(ledger, 1024)
    ledger.append([draft() for _ in range(436)])
    with sqlite3.connect(old_store) as db:
        db.execute("UPDATE subtrees SET hash = zeroblob(32)")
    ledger.rebuild()
    assert len(stored(old_store)) == 6 + 3 + 1
    assert root_of(ledger, 1024) == right
    ledger.close()
