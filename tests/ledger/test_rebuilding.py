"""A store is made again from its events while others write to it: nothing is lost, and a crash changes nothing."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from perdure.errors import Damaged, Trouble
from perdure.ledger import sqlite_driver
from perdure.ledger.rebuilding import rebuild
from perdure.ledger.sqlite import SqliteLedger, create
from perdure.model.event import Ref

from ..contract.making import OTHER, OWN, T, assert_sound, draft, goal, merged, notes, opened, redaction, snapshot
from ..contract.stores import ORIGIN

ROOT = Path(__file__).resolve().parents[2]
APPENDING = """
import sys
from perdure.ledger.sqlite import SqliteLedger
from tests.contract.making import draft, goal
ledger = SqliteLedger(sys.argv[1])
print("ready", flush=True)
for number in range(10, 100000):
    ledger.append([draft(actor=str(number))] if number % 3 else [goal(number), draft()])
    print(ledger.head().hash, flush=True)
"""
DYING = """
import os, sys
from perdure.ledger import rebuilding
asked = []
def die(self, status, remaining, total):
    asked.append(remaining)
    if len(asked) == 3:
        os._exit(9)
rebuilding._Unchanged.__call__ = die
rebuilding.rebuild(sys.argv[1])
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "ledger.db")
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([opened(), goal(1), *(draft(transaction_id=T) for _ in range(600))])
        ledger.merge(notes(OTHER, 300, clock=50), merged())
        event = ledger.event(Ref(OWN, 7))
        assert event is not None
        ledger.erase(Ref(OWN, 7), redaction(event))
    return path


def damage(path: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM documents")
        db.execute("DELETE FROM kinds")
        db.commit()


def test_a_rebuilt_store_is_what_it_was(path: str, tmp_path: Path) -> None:
    with closing(SqliteLedger(path)) as ledger:
        before, head = snapshot(ledger), ledger.head()
        damage(path)
        assert snapshot(ledger) != before
        rebuild(path, str(tmp_path / "aside"))
        assert snapshot(ledger) == before, "for those who have it open too"
        ledger.append([draft(), goal(2)])
        assert_sound(ledger)
        assert ledger.structural_faults() == ledger.index_faults() == ledger.misindexed() == []
    with closing(SqliteLedger(str(tmp_path / "aside"), unchecked=True)) as aside:
        assert (len(aside.documents("goal")), aside.head()) == (0, head), "as it was damaged"
    assert not [name for name in os.listdir(tmp_path) if ".tmp" in name], "nothing half-made is left behind"


def rebuild_as_advised(path: str) -> None:
    """If others write all the time, it may give up and say to try again; that loses nothing either."""
    for _ in range(10):
        try:
            rebuild(path)
            return
        except Trouble as error:
            if error.code != "ledger_busy":
                raise
    raise AssertionError("ten attempts were not enough")


@pytest.mark.parametrize("network", [False, True], ids=["disk", "network"])
def test_what_others_append_meanwhile_is_carried_over(
    tmp_path: Path, network: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_driver, "is_network", lambda folder: network)
    path = str(tmp_path / "ledger.db")
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([opened(), *(draft() for _ in range(300))])
    command = [sys.executable, "-c", APPENDING, path]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        for _ in range(4):
            acknowledged = writer.stdout.readline()
            assert acknowledged
            rebuild_as_advised(path)
        writer.kill()
        hashes = {line.strip() for line in (acknowledged, *writer.stdout) if line.endswith("\n")}
    with closing(SqliteLedger(path)) as ledger:
        assert hashes <= {event.hash for event in ledger.events()}
        assert len(hashes) > 4
        assert_sound(ledger)
        assert ledger.structural_faults() == ledger.index_faults() == []


def test_a_process_killed_while_it_puts_the_new_content_in_place_changes_nothing(path: str) -> None:
    damage(path)
    with closing(SqliteLedger(path)) as ledger:
        before = snapshot(ledger)
    done = subprocess.run([sys.executable, "-c", DYING, path], cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 9
    with closing(SqliteLedger(path)) as ledger:
        assert snapshot(ledger) == before
        ledger.rebuild()
        assert_sound(ledger)


def test_a_store_whose_events_do_not_verify_is_left_alone(path: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE events SET actor = 'mallory' WHERE row = (SELECT max(row) - 9 FROM events)")
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = Path(path).read_bytes()
    with pytest.raises(Damaged, match="not what was hashed"):
        rebuild(path, str(tmp_path / "aside"))
    assert Path(path).read_bytes() == before
    assert not (tmp_path / "aside").exists()
