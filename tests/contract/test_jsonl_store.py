"""What `jsonl_store.py`, the model for a new store, promises beyond the tests that every store passes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from perdure.errors import Trouble

from . import jsonl_store
from .making import OWN, draft, opened
from .stores import ORIGIN


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "ledger.db")
    with closing(jsonl_store.create(path, OWN, ORIGIN)) as ledger:
        ledger.append([opened()])
    return path


def test_a_lock_that_is_never_released_is_waited_for_no_longer_than_the_bound(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl_store, "BUSY_SECONDS", 0.1)
    ledger = jsonl_store.open_ledger(path)
    with open(path + "-lock", "wb") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(Trouble) as caught:
            ledger.append([draft()])
        assert caught.value.code == "ledger_busy"
        assert len(list(ledger.events())) == 1, "readers do not wait"
    ledger.append([draft()])
    assert len(list(jsonl_store.open_ledger(path).events())) == 2


def test_an_append_returns_only_after_the_file_and_its_name_are_on_the_disk(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, os.replace

    def traced(step: str, work: Callable[..., None]) -> Callable[..., None]:
        def run(*arguments: object) -> None:
            name = "the folder" if step == "sync" and os.path.isdir(f"/dev/fd/{arguments[0]}") else "the file"
            steps.append(f"{step} {name}")
            work(*arguments)

        return run

    monkeypatch.setattr(os, "fsync", traced("sync", sync))
    monkeypatch.setattr(os, "replace", traced("rename", rename))
    jsonl_store.open_ledger(path).append([draft()])
    assert steps == ["sync the file", "rename the file", "sync the folder"]


def test_a_store_whose_lock_cannot_be_made_says_so_and_stays_as_it_was(path: str) -> None:
    os.unlink(path + "-lock")
    os.mkdir(path + "-lock")
    before = Path(path).read_bytes()
    with pytest.raises(Trouble):
        jsonl_store.open_ledger(path).append([draft()])
    assert Path(path).read_bytes() == before
