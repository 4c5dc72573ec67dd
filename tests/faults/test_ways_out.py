"""What `audit verify`, `heal`, `status` and refusals advise about a damaged record works: it is not the command that
just failed, it names the project where one stands elsewhere, and `status` stops saying what a person ended (SPEC
16.3)."""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_trust import backup_of

__all__ = ["ledger"]

ABOUT_RECORD = re.compile(r"perdure (?:heal|audit verify|audit acknowledge|import)(?![\w-])( --project-path \S+)?")
Harm = Callable[[Ledger], None]
UNHEALED = "heal could not repair everything"


def lose_keys(ledger: Ledger) -> None:
    """As with a home that was put back from before the first head was signed."""
    shutil.rmtree(ledger.home / "keys")


def lose_ends(ledger: Ledger) -> None:
    """The last event, in the ledger and in the backup."""
    with closing(sqlite3.connect(ledger.path)) as db:
        (row,) = db.execute("SELECT max(row) FROM events").fetchone()
        db.execute("DELETE FROM events WHERE row = ?", (row,))
        db.execute("DELETE FROM kinds WHERE row = ?", (row,))
        db.commit()
    backup = backup_of(ledger)
    backup.write_bytes(b"".join(backup.read_bytes().splitlines(keepends=True)[:-1]))


@pytest.mark.parametrize("lose", [lose_keys, lose_ends])
def test_after_a_heal_that_could_not_repair_nobody_is_sent_to_heal_again(ledger: Ledger, lose: Harm) -> None:
    lose(ledger)
    assert "perdure heal" in ledger.cli("audit", "verify").out
    healed = ledger.cli("heal")
    assert healed.code == 1
    for said in (healed.out, ledger.cli("audit", "verify").out):
        now = [line for line in said.splitlines() if line.startswith("  Now: ")]
        assert now, said
        assert not any("perdure heal" in line for line in now), said
        assert any("perdure audit acknowledge --because" in line for line in now), said
    assert UNHEALED in ledger.cli("status").out
    ledger.cli.ok("audit", "acknowledge", "--because", "it is lost")
    assert ledger.verified().json["whole"]
    assert UNHEALED not in ledger.cli("status").out


@pytest.mark.parametrize("keep", ["backup", "ledger"])
def test_if_nothing_proves_the_end_of_the_backup_everybody_names_the_choice_that_works(
    ledger: Ledger, keep: str
) -> None:
    """The ledger is gone, and so is the key that the seals of its backup are made with."""
    ledger.cli.ok("audit", "heads", "--sign")
    ledger.cli.ok("note", "finding", "what no head covers")
    (ledger.home / "keys" / "view.key").unlink()
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()
    assert ledger.cli("heal").code == 1
    assert f"perdure heal --keep {keep}" in ledger.cli("heal").err, "it can decide no more than the first time"
    for words in (("audit", "verify"), ("heal", "--check")):
        said = ledger.cli(*words).out
        now = "\n".join(line for line in said.splitlines() if line.startswith("  Now: "))
        assert f"perdure heal --keep {keep}" in now, (words, said)
        assert "acknowledge" not in now, "there is nothing to acknowledge"
    assert "perdure audit verify" in ledger.cli("status").out
    ledger.cli.ok("heal", "--keep", keep)
    assert ledger.verified().json["whole"]
    assert ("what no head covers" in ledger.cli("export").out) == (keep == "backup")


def test_damage_that_came_after_a_heal_that_could_not_repair_is_sent_to_heal(ledger: Ledger) -> None:
    lose_keys(ledger)
    ledger.cli("heal")
    ledger.cli.ok("audit", "acknowledge", "--because", "the keys are lost")
    ledger.change(("DELETE FROM documents", ()))
    assert "Now: perdure heal" in ledger.cli("audit", "verify").out
    assert ledger.cli.ok("heal")["whole"]


@pytest.mark.parametrize("look", [("audit", "verify"), ("heal", "--check"), ("heal",)])
def test_status_stops_saying_what_heal_could_not_repair_once_a_look_finds_all_whole(
    ledger: Ledger, look: tuple[str, ...]
) -> None:
    in_the_way = ledger.home / "config.toml"
    in_the_way.mkdir()
    assert ledger.cli("heal").code == 1
    assert UNHEALED in ledger.cli("status").out
    in_the_way.rmdir()
    assert ledger.cli(*look).code == 0
    assert UNHEALED not in ledger.cli("status").out


def garble(ledger: Ledger) -> None:
    for path in ledger.path.parent.glob("ledger.db-*"):
        path.unlink()
    ledger.path.write_bytes(b"\xa5" * 5000)


def forget_secret(ledger: Ledger) -> None:
    ledger.change(("UPDATE secret SET text = ?", ("another",)))


def link_ledger(ledger: Ledger) -> None:
    ledger.path.rename(ledger.root / "moved.db")
    ledger.path.symlink_to(ledger.root / "moved.db")


def older_ledger(ledger: Ledger) -> None:
    with closing(sqlite3.connect(ledger.path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(ledger.path, ledger.root / "older.db")
    ledger.cli.ok("note", "finding", "written since")
    for path in ledger.path.parent.glob("ledger.db-*"):
        path.unlink()
    shutil.copy(ledger.root / "older.db", ledger.path)


def fork_backup(ledger: Ledger) -> None:
    backup = backup_of(ledger)
    backup.write_bytes(backup.read_bytes().replace(b"use WAL", b"use WAX"))


@pytest.mark.parametrize(
    "harm",
    [garble, forget_secret, link_ledger, older_ledger, fork_backup, lose_keys, lose_ends],
    ids=lambda f: f.__name__,
)
def test_whoever_stands_elsewhere_is_told_to_name_the_project(ledger: Ledger, tmp_path: Path, harm: Harm) -> None:
    """Every command about the record in every answer; and the advised `heal` is about that project."""
    harm(ledger)
    (tmp_path / "elsewhere").mkdir()
    away = Cli(tmp_path / "elsewhere", ledger.cli.environment)
    named = ("--project-path", str(ledger.root))
    advised = []
    for command in ("note finding x", "status", "audit verify", "heal --check", "heal", "audit verify", "status"):
        said = away(*command.split(), *named)
        for found in ABOUT_RECORD.finditer(said.out + said.err):
            assert found[1] == f" --project-path {shlex.quote(str(ledger.root))}", (command, said)
            advised.append(found[0])
    assert advised


def test_whoever_stands_in_the_project_is_told_no_path(ledger: Ledger) -> None:
    garble(ledger)
    assert "perdure heal brings back" in ledger.cli("audit", "verify").out
    assert "--project-path" not in ledger.cli("audit", "verify").out
    assert "--project-path" not in ledger.cli("note", "finding", "x").err
