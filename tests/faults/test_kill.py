"""`kill -9` at random moments of a writing process (SPEC 19). `killing` says what must hold.

`make test` kills a writer seventy-five times, each command at least three times; `make test-long` more often.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import effort
from tests.conftest import Cli
from tests.faults.helpers import assert_whole
from tests.faults.killing import POINTS

HERE = Path(__file__).resolve().parents[2]
ROUNDS = 64 if effort.is_full else 30
TWICE_EVERY = 3
"""Rounds. The ten commands that are killed take turns, so in thirty rounds this comes to each of them."""


def _kill(cli: Cli, kind: str, *how: str | int) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.killing", kind, str(cli.cwd), *map(str, how)],
        cwd=HERE,
        env=cli.environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-6000:]
    found: dict[str, int] = json.loads(done.stdout)
    return found


def seeds(first: int, *more: int) -> list[Any]:
    """The first is tried by `make test`, more by `make test-long`."""
    return [first, *(pytest.param(seed, marks=pytest.mark.long) for seed in more)]


@effort.sampled
@pytest.mark.parametrize("seed", seeds(1, 2, 3))
def test_a_writer_killed_at_random_times_loses_nothing_acknowledged_and_everything_heals(cli: Cli, seed: int) -> None:
    found = _kill(cli, "times", ROUNDS, seed, TWICE_EVERY)
    assert found["killed"] == ROUNDS
    assert found["events"] > ROUNDS
    assert_whole(cli)


@effort.sampled
@pytest.mark.parametrize("seed", seeds(4, 5, 6))
def test_a_writer_killed_at_any_call_of_any_command_loses_nothing_acknowledged_and_everything_heals(
    cli: Cli, seed: int
) -> None:
    found = _kill(cli, "calls", ROUNDS, seed, TWICE_EVERY)
    assert found["killed"] >= ROUNDS * 7 / 8, "most of the calls that were chosen happen"
    assert_whole(cli)


def test_a_writer_killed_between_ledger_and_file_leaves_a_file_that_denies_or_tells_the_truth(cli: Cli) -> None:
    assert _kill(cli, "points")["killed"] == len(POINTS)
    assert_whole(cli)


@pytest.mark.long
@pytest.mark.timeout(1200)  # a third of a second each
@pytest.mark.parametrize("kind", ["times", "calls"])
def test_a_writer_killed_a_thousand_times(cli: Cli, kind: str) -> None:
    for seed in range(10):
        _kill(cli, kind, 100, 100 + seed, 1)
    assert_whole(cli)
