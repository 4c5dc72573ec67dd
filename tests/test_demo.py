"""The first thing a newcomer runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest


@pytest.fixture
def demo(environment: dict[str, str]) -> tuple[subprocess.CompletedProcess[str], float]:
    since = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "perdure", "demo"], env=environment, capture_output=True, text=True, check=False
    )
    return done, time.monotonic() - since


def test_the_demo_shows_each_part_and_leaves_nothing_behind(
    demo: tuple[subprocess.CompletedProcess[str], float], environment: dict[str, str]
) -> None:
    done, took = demo
    assert done.returncode == 0, done.stdout + done.stderr
    for part in (
        "opened in",
        "No open transaction. Run PREFLIGHT first.",
        "[masked:github-pat]",
        "The claim is refused: The quote is not in the file.",
        "Fork detected, resyncing from ledger: rounding is half-even",
        "Continuing transaction",
        "Goal: fix rounding",
        "restored from its backup",
        "signed by the key you gave",
        "The proof does not hold: the payload is not what was hashed.",
        "its payload is not what was hashed",
        "That was the demo.",
    ):
        assert part in done.stdout, part
    assert "Traceback" not in done.stdout + done.stderr
    assert took < 60, "ten seconds on a quiet machine"
    assert not os.path.exists(environment["PERDURE_HOME"])


def test_the_demo_plays_to_its_end_in_colour(environment: dict[str, str]) -> None:
    """It reads ids from what it shows; at a person's terminal that has colours."""
    done = subprocess.run(
        [sys.executable, "-m", "perdure", "demo"],
        env={**environment, "FORCE_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\x1b[" in done.stdout
