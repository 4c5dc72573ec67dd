"""Writers come one after another; nobody waits for ever behind a process that was stopped."""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import closing
from pathlib import Path

import pytest

from perdure.ledger import queue
from perdure.ledger.queue import Queue
from perdure.ledger.sqlite import create

from ..contract.making import OWN, draft
from ..contract.stores import ORIGIN


def test_one_is_in_at_a_time(tmp_path: Path) -> None:
    inside, most, done = 0, 0, []

    def work() -> None:
        nonlocal inside, most
        with closing(Queue(str(tmp_path / "store"))) as mine:
            for _ in range(50):
                with mine:
                    inside += 1
                    most = max(most, inside)
                    inside -= 1
        done.append(True)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (len(done), most) == (8, 1)


def test_a_stopped_process_at_the_head_of_the_queue_is_waited_for_no_longer_than_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "_PATIENCE", 0.05)
    with closing(create(str(tmp_path / "ledger.db"), OWN, ORIGIN)) as ledger:
        held = os.open(tmp_path / "ledger.db-queue", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        assert [ledger.append([draft()]).events[0].seq for _ in range(3)] == [1, 2, 3]
        os.close(held)
        assert ledger.append([draft()]).events[0].seq == 4


def test_where_no_file_can_be_made_nobody_queues(tmp_path: Path) -> None:
    with closing(Queue(str(tmp_path / "no" / "such" / "folder"))) as nowhere, nowhere:
        pass
    (tmp_path / "store-queue").symlink_to(tmp_path / "elsewhere")
    with closing(Queue(str(tmp_path / "store"))) as linked, linked:
        pass
    assert not (tmp_path / "elsewhere").exists()
