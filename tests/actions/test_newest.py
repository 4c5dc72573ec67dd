"""Reading the latest events in steps."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from perdure.actions.newest import newest_first


class Counting:
    """A ledger with so many events, which notes how many were read each time."""

    def __init__(self, count: int) -> None:
        self.events = [SimpleNamespace(number=number) for number in range(count)]
        self.read: list[int] = []

    def latest(self, kinds: Sequence[str], limit: int) -> list[Any]:
        self.read.append(min(limit, len(self.events)))
        return self.events[:limit]


@pytest.mark.parametrize(
    ("count", "most", "expected"), [(0, 3, 0), (5, 3, 3), (20, 100, 20), (21, 100, 21), (999, 300, 300)]
)
def test_every_event_comes_once_and_none_beyond_the_limit(count: int, most: int, expected: int) -> None:
    found: list[Any] = list(newest_first(Counting(count).latest, ["prompt.given"], most))
    assert [event.number for event in found] == list(range(expected))


def test_who_stops_early_reads_few() -> None:
    ledger = Counting(10_000)
    next(newest_first(ledger.latest, ["prompt.given"], 10_000))
    assert ledger.read == [20]
