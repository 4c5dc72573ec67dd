"""`make bench`: prints a table, and writes it with a plot to bench/out/."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile

from bench import append, gate, grounding, hook, processes, recall, scale, turns, verify, writers
from bench.measure import Row, fsync_milliseconds
from bench.projects import filled, wipe
from bench.recovery import measure as recovery

OUT = os.path.join(os.path.dirname(__file__), "out")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the long ledger has 100,000 events, not 1,000,000")
    long = 100_000 if parser.parse_args().quick else 1_000_000
    folder = tempfile.mkdtemp(prefix="perdure-bench-")
    try:
        fsync = fsync_milliseconds(folder)
        print(f"fsync {fsync:.3f} ms\n", flush=True)
        rows = [
            *shown(append.against_raw(folder)),
            *shown(writers.eight_at_once(folder)),
            *shown(scale.sixty_four_writers(folder)),
            *shown(scale.by_what_is_concerned(folder)),
            *shown(processes.against_interpreter(folder)),
            *shown(hook.processes(folder)),
            *shown(hook.shells(folder)),
            *shown(hook.in_the_client(folder)),
            *shown(turns.stop_hook(folder)),
            *shown(turns.by_calls(folder)),
            *shown(gate.in_process(folder)),
            *shown(gate.against_others(folder)),
            *shown(recovery.rows(folder)),
            *shown(recall.search(folder)),
            *shown(recall.search_of_what_was_seen(folder)),
            *shown(recall.brief_of_a_long_transcript(folder)),
            *shown(grounding.citations()),
            *shown(grounding.whole_command(folder)),
            *shown(by_length(folder, long)),
        ]
    finally:
        wipe(folder)
    save(rows, fsync)
    return 0 if all(row.passes is not False for row in rows) else 1


def by_length(folder: str, long: int) -> list[Row]:
    """What must not depend on how long the ledger is."""
    short, full = filled(os.path.join(folder, "short"), 1000), filled(os.path.join(folder, "long"), long)
    return [
        *append.against_length(short, full, long),
        *recall.level_1(short, full, long),
        *verify.whole_ledgers(short, full, long),
    ]


def shown(rows: list[Row]) -> list[Row]:
    for row in rows:
        mark = {True: "ok", False: "MISSED", None: ""}[row.passes]
        print(f"{row.what:46} {row.ours:>24}  {row.baseline:34} {row.ratio:6.2f}  {row.bar:8} {mark}", flush=True)
    return rows


def save(rows: list[Row], fsync: float) -> None:
    os.makedirs(OUT, exist_ok=True)
    with open(os.path.join(OUT, "bench.json"), "w", encoding="utf-8") as file:
        json.dump({"fsync_ms": fsync, "rows": [row.__dict__ for row in rows]}, file, indent=2, ensure_ascii=False)
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(9, 0.6 * len(rows) + 1.2))
    names = [f"{row.what}\n(bar {row.bar})" for row in rows]
    axes.barh(names, [row.ratio for row in rows], color=["#059669" if row.passes else "#dc2626" for row in rows])
    for number, row in enumerate(rows):
        axes.text(row.ratio, number, f" {row.ratio:.2f}", va="center")
    axes.invert_yaxis()
    axes.set_xlabel("ratio to the baseline of the same run")
    figure.tight_layout()
    figure.savefig(os.path.join(OUT, "bench.svg"))


if __name__ == "__main__":
    sys.exit(main())
