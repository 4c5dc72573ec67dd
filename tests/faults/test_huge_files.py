"""A file of the home that damage made huge, or that ends in a line without an end (SPEC 16.3): it is read in pieces,
named by `audit verify`, and mended by one `heal`."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from perdure.views import event_files, head_files
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_trust import backup_of, healed_and_whole

__all__ = ["ledger"]

HUGE = 160 << 20
FEW = 80 << 20
"""Bytes of memory."""


def heads_of(ledger: Ledger) -> Path:
    return ledger.home / "heads" / backup_of(ledger).parent.name / f"{ledger.ledger_id()}.jsonl"


def peak(read: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_huge_file_of_heads_is_read_in_pieces(ledger: Ledger) -> None:
    path = heads_of(ledger)
    heads = len(head_files.kept(str(path.parent), path.stem))
    os.truncate(path, HUGE)
    assert peak(lambda: head_files.damaged(str(path.parent))) < FEW
    assert len(head_files.kept(str(path.parent), path.stem)) == heads
    assert head_files.damaged(str(path.parent)) == [str(path)]


def test_a_huge_backup_is_read_in_pieces_and_its_last_event_found(ledger: Ledger) -> None:
    path, ledger_id = backup_of(ledger), ledger.ledger_id()
    folder, count = str(path.parent), len(path.read_bytes().splitlines())
    os.truncate(path, HUGE)
    found: list[int] = []
    assert peak(lambda: found.append(sum(1 for _ in event_files.readable(folder, ledger_id)))) < FEW
    assert found == [count]
    last = event_files.last(folder, ledger_id)
    assert last
    assert last.seq == count
    assert peak(lambda: event_files.last(folder, ledger_id)) < FEW


@pytest.mark.parametrize("damage", [b"[" * 100_000, b"\0" * 100_000, b"x" * 17_000])
def test_one_healing_is_enough_where_heads_became_one_long_line(ledger: Ledger, damage: bytes) -> None:
    heads_of(ledger).write_bytes(damage)
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
