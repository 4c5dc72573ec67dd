"""Opening a database with sqlite3 for a query leaves it as it is, if it is there and no journal waits (SPEC 5.4)."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from perdure.gate.effects.analysis import analyse

from .worlds import Table, world

QUERY = "sqlite3 {} 'SELECT count(*) FROM users'"


def effect(command: str, **names: tuple[str, ...]) -> str:
    folders = {"home": "/home/dev", "repo": "/repo", "scratch": "/tmp"}
    return analyse(command, world(disk=Table(names={folders[key]: value for key, value in names.items()}))).effect


def test_a_query_on_a_database_of_the_person_only_reads() -> None:
    assert effect(QUERY.format("/home/dev/app.db"), home=("app.db",)) == "noetic"


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_a_journal_beside_the_database_would_be_written_into_it(end: str) -> None:
    assert effect(QUERY.format("/home/dev/app.db"), home=("app.db", "app.db" + end)) == "praxic"
    assert effect(QUERY.format("-readonly /home/dev/app.db"), home=("app.db", "app.db" + end)) == "noetic"


def test_a_database_that_came_with_the_repository_may_hold_a_view_that_runs_a_program() -> None:
    assert effect(QUERY.format("app.db"), repo=("app.db",)) == "praxic"
    assert effect(QUERY.format("-safe app.db"), repo=("app.db",)) == "noetic"
    assert effect("sqlite3 app.db .tables", repo=("app.db",)) == "noetic"
    assert effect(QUERY.format("/tmp/app.db"), scratch=("app.db",)) == "praxic"


@pytest.mark.parametrize(
    "statement",
    ["select*from e", "pragma integrity_check", "pragma quick_check", "pragma table_info(t); select * from e"],
)
def test_neither_missing_blanks_nor_a_check_of_the_database_hide_what_the_repository_put_in_it(statement: str) -> None:
    assert effect(f"sqlite3 app.db '{statement}'", repo=("app.db",)) == "praxic"
    assert effect(f"sqlite3 -safe app.db '{statement}'", repo=("app.db",)) == "noetic"


def test_reading_a_database_with_a_log_leaves_files_beside_it_unless_they_are_there(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "app.db")
    connection.execute("pragma journal_mode=wal")
    connection.execute("create table users (id)")
    connection.close()
    first = (tmp_path / "app.db").read_bytes()[:20].decode("latin-1")
    readonly = QUERY.format("-readonly -safe app.db")
    for beside, expected in ((), "praxic"), (("app.db-wal",), "praxic"), (("app.db-wal", "app.db-shm"), "noetic"):
        disk = Table(names={"/repo": ("app.db", *beside)}, texts={"/repo/app.db": first})
        assert analyse(readonly, world(disk=disk)).effect == expected
    assert effect(readonly, repo=("app.db",)) == "noetic"
    only = Table(names={"/repo": ("app.db",)}, texts={"/repo/app.db": first})
    assert analyse(QUERY.format("-safe app.db"), world(disk=only)).effect == "praxic"
    named = "-safe 'file:app.db?mode=ro&immutable=1'"
    assert analyse(QUERY.format(named), world(disk=only)).effect == "noetic"
    assert effect(QUERY.format("-safe 'file:app.db?mode=rwc&mode=ro&immutable=1'")) == "praxic"


def test_a_database_that_is_not_there_is_made() -> None:
    assert effect(QUERY.format("-safe app.db"), repo=("other.db",)) == "praxic"
    assert effect("sqlite3 :memory: 'select 1'") == "noetic"
    assert effect(f"cd /repo/$x && {QUERY.format('-safe app.db')}", repo=("app.db",)) == "praxic"


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="sqlite3 is not installed")
@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_sqlite3_really_leaves_the_folder_as_it_is(tmp_path: Path, mode: str) -> None:
    work = tmp_path / "work"
    work.mkdir()
    connection = sqlite3.connect(work / "app.db")
    connection.execute(f"pragma journal_mode={mode}")
    connection.execute("create table users (id)")
    connection.execute("insert into users values (1)")
    connection.commit()
    connection.close()
    before = _contents(work)
    done = subprocess.run(["bash", "-c", QUERY.format("app.db")], cwd=work, capture_output=True, check=True)
    assert done.stdout == b"1\n"
    assert _contents(work) == before
    subprocess.run(["bash", "-c", QUERY.format("nowhere/app.db")], cwd=work, capture_output=True, check=False)
    assert _contents(work) == before


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
