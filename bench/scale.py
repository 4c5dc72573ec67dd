"""What must not grow with the ledger (SPEC 18): many writers; erasing, importing and checking at 300,000 events.

Time and memory are those of a process of its own. How long the write lock is held is seen by another process, which
appends all the while: its slowest append."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from bench.measure import Row
from bench.projects import filled, filled_with_work, new_project
from perdure.actions.request import Request

WRITERS, EACH = 64, 5
LONG, SHORT = 300_000, 3000
MOST_MEGABYTES = 100
LONGEST_LOCK = 1.0
ROOT = os.path.dirname(os.path.dirname(__file__))


def sixty_four_writers(folder: str) -> list[Row]:
    request = new_project(os.path.join(folder, "sixty-four"))
    running = [_started(request, "writer", str(number), str(EACH)) for number in range(WRITERS)]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    took = [each for process in running for each in json.loads(process.communicate()[0])]
    done = sorted(each for each in took if each is not None)
    refused, slow = len(took) - len(done), done[int(len(done) * 0.99)]
    passes = refused == 0 and slow <= 5
    said = f"{refused} of {len(took)} refused"
    return [
        Row(
            what="64 processes appending at once, p99",
            ours=f"{slow:.2f} s",
            baseline=said,
            ratio=slow / 5,
            bar="≤ 1.00",
            passes=passes,
        )
    ]


ON_NOTES = {"redact": "redact", "import_five": "import of 5 events", "check": "heal --check", "doctor": "doctor"}
"""In a ledger of notes, on which the state does not depend."""
ON_WORK = {"redact_decision": "redact of a decision"}
"""In a ledger of transactions: the state is folded anew."""


def by_what_is_concerned(folder: str, few: int = SHORT, many: int = LONG) -> list[Row]:
    rows = []
    for fill, works in ((filled, ON_NOTES), (filled_with_work, ON_WORK)):
        short, full = (fill(os.path.join(folder, f"{fill.__name__}-{count}"), count) for count in (few, many))
        for work, name in works.items():
            small, _, _ = _worked(short, work)
            taken, memory, lock = _worked(full, work)
            rows.append(
                Row(
                    what=f"{name}, {many:,} events",
                    ours=f"{taken:.2f} s",
                    baseline=f"{small:.2f} s at {few:,}; {memory:.0f} MB; waited {lock:.2f} s",
                    ratio=lock,
                    bar="≤ 1 s",
                    passes=lock <= LONGEST_LOCK and memory <= MOST_MEGABYTES,
                )
            )
    return rows


def _worked(request: Request, work: str) -> tuple[float, float, float]:
    """Seconds, megabytes, and the longest that another writer waited meanwhile."""
    beside = _started(request, "beside", os.path.join(request.cwd, ".perdure", "ledger.db"), _project(request))
    assert beside.stdout is not None
    beside.stdout.readline()
    done = _started(request, "work", request.cwd, work).communicate()[0]
    slowest = float(beside.communicate("done\n")[0])
    seconds, megabytes = json.loads(done)
    return seconds, megabytes, slowest


def _project(request: Request) -> str:
    from perdure.place import project

    return str(project.identity(request.cwd).id)


def _started(request: Request, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bench.scale_process", *arguments],
        cwd=request.cwd,
        env={**request.environment, "PYTHONPATH": ROOT},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
