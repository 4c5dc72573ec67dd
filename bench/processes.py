"""Whole processes: what a person waits for, beside the bare interpreter."""

from __future__ import annotations

import compileall
import os
import statistics
import sys

import perdure
from bench.measure import Row, in_turns, median_ratio, process_seconds
from bench.projects import desk_in_transaction, fill, new_project

ROUNDS = 31
BEHIND = 100_000


def against_interpreter(folder: str) -> list[Row]:
    """In a bound project with a transaction open and 100,000 events behind it."""
    compileall.compile_dir(os.path.dirname(perdure.__file__), quiet=2)  # as an installer leaves it
    request = new_project(os.path.join(folder, "processes"))
    with desk_in_transaction(request) as desk:
        fill(desk, BEHIND, report_every=0)
    environment = {**request.environment, "PERDURE_INSTANCE": "bench"}
    program = os.path.join(os.path.dirname(sys.executable), "perdure")
    commands = {
        "bare": [sys.executable, "-I", "-S", "-c", "pass"],
        "status": [program, "status"],
        "where": [program, "where"],
    }
    figures = in_turns(
        {
            name: lambda command=command: process_seconds(command, request.cwd, environment)  # type: ignore[misc]
            for name, command in commands.items()
        },
        ROUNDS,
    )
    bare = statistics.median(figures["bare"]) * 1000
    rows = []
    for name, bar in (("status", 8.0), ("where", 8.0)):
        ours, ratio = statistics.median(figures[name]) * 1000, median_ratio(figures[name], figures["bare"])
        bare_text = f"python -I -S -c pass {bare:.1f} ms"
        rows.append(
            Row(
                what=f"perdure {name} process",
                ours=f"{ours:.1f} ms",
                baseline=bare_text,
                ratio=ratio,
                bar=f"≤ {bar:g}",
                passes=ratio <= bar,
            )
        )
    return rows
