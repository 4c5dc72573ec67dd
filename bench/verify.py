"""Verifying a whole ledger, its chain, tree, indexes and state; and what a root costs right after an append."""

from __future__ import annotations

import json
import subprocess
import sys
from time import perf_counter

from bench.measure import Row
from bench.projects import TEXT
from perdure.actions import notes, signing
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk

ROOTS = 200
BAR = 100_000
_AUDIT = """
import json, os, resource, sys
from time import perf_counter
from perdure.actions.auditing import verify
from perdure.actions.request import Request
from perdure.place.resolve import Explicit
begun = perf_counter()
done = verify(Request(sys.argv[1], dict(os.environ), Explicit(instance="bench")), lambda *_: None)
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([done.report.events, perf_counter() - begun, memory, len(done.report.findings)]))
"""


def whole_ledgers(short: Request, full: Request, long: int) -> list[Row]:
    _, _, small = _audited(short)
    events, taken, memory = _audited(full)
    rate = events / taken
    root, append = _root_after_append(full)
    return [
        Row(
            what="verify chain, tree, heads, indexes, state",
            ours=f"{rate:,.0f} events/s",
            baseline=f"{BAR:,} events/s",
            ratio=rate / BAR,
            bar="≥ 1.00",
            passes=rate >= BAR,
        ),
        Row(
            what=f"memory of verify, {long:,} against 1,000",
            ours=f"{memory / 1024:.0f} MB",
            baseline=f"{small / 1024:.0f} MB",
            ratio=memory / small,
            bar="≤ 1.20",
            passes=memory / small <= 1.2,
        ),
        Row(
            what=f"root after an append, {long:,} events",
            ours=f"{root * 1e6:,.0f} µs",
            baseline=f"the append {append * 1e6:,.0f} µs",
            ratio=root / append,
            bar="",
            passes=None,
        ),
    ]


def _audited(request: Request) -> tuple[int, float, int]:
    """In a process of its own, started by one that is small: what is told of a process' memory begins with what the one
    that started it had."""
    with open_desk(request) as desk:
        signing.sign(desk, "bench")
    audit = [sys.executable, "-c", _AUDIT, request.cwd]
    command = [sys.executable, "-I", "-S", "-c", "import os, sys; sys.exit(os.spawnv(0, sys.argv[1], sys.argv[1:]))"]
    done = subprocess.run([*command, *audit], env=dict(request.environment), capture_output=True, text=True, check=True)
    events, taken, memory, findings = json.loads(done.stdout)
    assert findings == 0
    return int(events), float(taken), int(memory)


def _root_after_append(request: Request) -> tuple[float, float]:
    with open_desk(request) as desk:
        roots, appends = [], []
        for _ in range(ROOTS):
            begun = perf_counter()
            notes.add(desk, "finding", TEXT)
            appended = perf_counter()
            head = desk.ledger.head()
            signing.root_of(desk.ledger, head.ledger_id, head.seq)
            roots.append(perf_counter() - appended)
            appends.append(appended - begun)
    return sorted(roots)[ROOTS // 2], sorted(appends)[ROOTS // 2]
