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
