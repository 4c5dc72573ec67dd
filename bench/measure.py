"""Timing: medians over rounds in which the things compared take turns, so that noise falls on all of them alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure, its baseline, and the bar it is held to."""

    what: str
    ours: str
    baseline: str
    ratio: float
    bar: str
    passes: bool | None


def in_turns(contenders: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Each contender's figure in every round; one round runs them all, one after another."""
    figures: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            figures[name].append(run())
    return figures


def median_ratio(ours: list[float], theirs: list[float]) -> float:
    """Of the rounds' own ratios: each is taken within a second or two on the same machine."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def seconds(work: Callable[[], object]) -> float:
    since = time.perf_counter()
    work()
    return time.perf_counter() - since


def process_seconds(command: list[str], cwd: str, environment: dict[str, str]) -> float:
    return seconds(
        lambda: subprocess.run(
            command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True
        )
    )


def fsync_milliseconds(folder: str, count: int = 200) -> float:
    path = os.path.join(folder, "fsync")
    figures = []
    with open(path, "wb", buffering=0) as file:
        for _ in range(count):
            file.write(b"x" * 4096)
            figures.append(seconds(lambda: os.fsync(file.fileno())))
    os.unlink(path)
    return statistics.median(figures) * 1000
