"""Eight processes writing at once: how fast, and that nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys

from bench.measure import Row, seconds
from bench.projects import new_project
from perdure.actions.wiring import open_desk
from perdure.proof.chain import Fault, verified

WRITERS, EACH = 8, 250

_WORKER = """
import os, sys
from perdure.actions import notes
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.place.resolve import Explicit
writer = sys.argv[1]
with open_desk(Request(os.getcwd(), dict(os.environ), Explicit(instance="writer-" + writer))) as desk:
    for number in range(int(sys.argv[2])):
        notes.add(desk, "finding", f"{writer}:{number}")
"""


def eight_at_once(folder: str) -> list[Row]:
    request = new_project(os.path.join(folder, "writers"))

    def work() -> None:
        running = [
            subprocess.Popen(
                [sys.executable, "-c", _WORKER, str(n), str(EACH)], cwd=request.cwd, env=request.environment
            )
            for n in range(WRITERS)
        ]
        assert [process.wait() for process in running] == [0] * WRITERS

    took = seconds(work)
    with open_desk(request, writable=False) as desk:
        events = list(verified(desk.ledger.events(), {}))
    texts = [e.payload["text"] for e in events if not isinstance(e, Fault) and e.payload and e.kind == "note.finding"]
    whole = not any(isinstance(e, Fault) for e in events)
    right = whole and len(texts) == len(set(texts)) == WRITERS * EACH
    said = "none lost, none doubled, chain whole" if right else "NOT WHOLE"
    return [
        Row(
            what="8 processes × 250 appends",
            ours=f"{WRITERS * EACH / took:,.0f}/s",
            baseline=said,
            ratio=1.0 if right else 0.0,
            bar="whole",
            passes=right,
        )
    ]
