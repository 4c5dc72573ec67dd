"""What `scale` runs in processes of their own: `python -m bench.scale_process writer|beside|work …`."""

from __future__ import annotations

import json
import os
import resource
import select
import sys
from time import perf_counter
from typing import TYPE_CHECKING, cast

from perdure.actions import healing, notes, transfer
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.doctor.examine import ExamineOptions, Steps, examine
from perdure.errors import PerdureError
from perdure.ledger.sqlite import SqliteLedger
from perdure.model import moment
from perdure.model.event import Draft
from perdure.model.ids import new_id
from perdure.model.jsonl import to_line
from perdure.place.resolve import Explicit
from perdure.proof.chain import empty_head, head_of, seal

if TYPE_CHECKING:
    from perdure.model.ids import LedgerId, ProjectId

STAMP = moment.stamp(moment.now())


def writer(name: str, count: str) -> None:
    """Waits for a line on standard input, then appends; prints the seconds of each, or null where it was refused."""
    took: list[float | None] = []
    request = Request(os.getcwd(), dict(os.environ), Explicit(instance=f"writer-{name}"))
    sys.stdin.readline()
    for number in range(int(count)):
        begun = perf_counter()
        try:
            with open_desk(request) as desk:
                notes.add(desk, "finding", f"{name}:{number}")
            took.append(perf_counter() - begun)
        except PerdureError:
            took.append(None)
    print(json.dumps(took))


def beside(ledger_path: str, project_id: str) -> None:
    """Appends until a line comes on standard input; prints the seconds of the slowest append."""
    ledger = SqliteLedger(ledger_path)
    draft = Draft(
        kind="note.finding",
        payload={"text": "beside"},
        ts=STAMP,
        project_id=cast("ProjectId", project_id),
        schema=1,
        actor="user",
    )
    slowest = 0.0
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0.002)[0]:
        begun = perf_counter()
        ledger.append([draft])
        slowest = max(slowest, perf_counter() - begun)
    print(slowest)


def work(root: str, name: str) -> None:
    """Does one of `WORKS`; prints its seconds, and the megabytes that this process had at most."""
    request = Request(root, dict(os.environ), Explicit(instance="bench"))
    begun = perf_counter()
    WORKS[name](request)
    print(json.dumps([perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def _redact(request: Request, kind: str = "note.finding") -> None:
    with open_desk(request) as desk:
        event = desk.ledger.latest([kind], 100)[-1]
        transfer.redact(desk, event.id, "bench")


def _redact_decision(request: Request) -> None:
    """The state depends on it, and is folded anew."""
    _redact(request, "decision.made")


def _import_five(request: Request) -> None:
    with open_desk(request) as desk:
        head, lines = empty_head(cast("LedgerId", new_id())), []
        for number in range(5):
            draft = Draft(
                kind="note.finding",
                payload={"text": f"foreign {number}"},
                ts=STAMP,
                project_id=desk.identity.id,
                schema=1,
                actor="user",
            )
            event, _ = seal(draft, head)
            lines.append(to_line(event).encode())
            head = head_of(event)
        transfer.import_events(desk, lines, lambda *_: None)


def _check(request: Request) -> None:
    healing.check(request, lambda *_: None)


def _doctor(request: Request) -> None:
    """Without a client: what it does in one does not depend on the ledger."""
    steps = Steps(lambda _: None, lambda: None)
    examine(request, ExamineOptions(in_client=False), steps)


WORKS = {
    "redact": _redact,
    "redact_decision": _redact_decision,
    "import_five": _import_five,
    "check": _check,
    "doctor": _doctor,
}

if __name__ == "__main__":
    {"writer": writer, "beside": beside, "work": work}[sys.argv[1]](*sys.argv[2:])
