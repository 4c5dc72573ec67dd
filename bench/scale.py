"""What must not grow with the ledger (SPEC 18): many writers; erasing, importing and checking at 300,000 events.

Time and memory are those of a process of its own. How long the write lock is held is seen by another process, which
appends all the while: its slowest append."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from bench.measure import Row
from bench.projects import filled, new_project
from perdure.actions.request import Request

WRITERS, EACH = 64, 5
LONG, SHORT = 300_000, 3000
MOST_MEGABYTES = 100
LONGEST_LOCK = 1.0
_WRITER = """
import json, os, sys
from time import perf_counter
from perdure.actions import notes
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.errors import PerdureError
from perdure.place.resolve import Explicit
took = []
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    begun = perf_counter()
    try:
        with open_desk(Request(os.getcwd(), dict(os.environ), Explicit(instance="writer-" + sys.argv[1]))) as desk:
            notes.add(desk, "finding", f"{sys.argv[1]}:{number}")
        took.append(perf_counter() - begun)
    except PerdureError:
        took.append(None)
print(json.dumps(took))
"""
_APPENDING = """
import sys
from time import perf_counter
from perdure.ledger.sqlite import SqliteLedger
from perdure.model.event import Draft
ledger = SqliteLedger(sys.argv[1])
draft = Draft("note.finding", {"text": "beside"}, "2026-01-01T00:00:00.000Z", sys.argv[2], 1, actor="user")
slowest = 0.0
print("ready", flush=True)
import select
while not select.select([sys.stdin], [], [], 0.002)[0]:
    begun = perf_counter()
    ledger.append([draft])
    slowest = max(slowest, perf_counter() - begun)
print(slowest)
"""
_WORK = """
import json, os, resource, sys
from time import perf_counter
from perdure.actions import healing, transfer
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model.event import Draft
from perdure.model.ids import new_id
from perdure.model.jsonl import to_line
from perdure.place.resolve import Explicit
from perdure.proof.chain import empty_head, head_of, seal
request, quietly = Request(sys.argv[1], dict(os.environ), Explicit(instance="bench")), lambda *_: None

def redact():
    with open_desk(request) as desk:
        event = desk.ledger.latest(["note.finding"], 100)[-1]
        transfer.redact(desk, event.id, "bench")

def import_five():
    with open_desk(request) as desk:
        head, lines = empty_head(new_id()), []
        for number in range(5):
            text = {"text": f"foreign {number}"}
            event, _ = seal(Draft("note.finding", text, "2026-01-01T00:00:00.000Z", desk.who.id, 1, actor="user"), head)
            lines.append(to_line(event).encode())
            head = head_of(event)
        transfer.take_in(desk, lines, quietly)

def check():
    healing.check(request, quietly)

begun = perf_counter()
{"redact": redact, "import_five": import_five, "check": check}[sys.argv[2]]()
print(json.dumps([perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def sixty_four_writers(folder: str) -> list[Row]:
    request = new_project(os.path.join(folder, "sixty-four"))
    running = [_started(_WRITER, request, str(number), str(EACH)) for number in range(WRITERS)]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    took = [each for process in running for each in json.loads(process.communicate()[0])]
    done = sorted(each for each in took if each is not None)
    refused, slow = len(took) - len(done), done[int(len(done) * 0.99)]
    passes = refused == 0 and slow <= 5
    said = f"{refused} of {len(took)} refused"
    return [Row("64 processes appending at once, p99", f"{slow:.2f} s", said, slow / 5, "≤ 1.00", passes)]


def by_what_is_concerned(folder: str) -> list[Row]:
    short, full = filled(os.path.join(folder, "few"), SHORT), filled(os.path.join(folder, "many"), LONG)
    rows = []
    for work, name in (("redact", "redact"), ("import_five", "import of 5 events"), ("check", "heal --check")):
        small, _, _ = _worked(short, work)
        taken, memory, lock = _worked(full, work)
        passes = lock <= LONGEST_LOCK and memory <= MOST_MEGABYTES
        said = f"{small:.2f} s at {SHORT:,}; {memory:.0f} MB; waited {lock:.2f} s"
        rows.append(Row(f"{name}, {LONG:,} events", f"{taken:.2f} s", said, lock, "≤ 1 s", passes))
    return rows


def _worked(request: Request, work: str) -> tuple[float, float, float]:
    """Seconds, megabytes, and the longest that another writer waited meanwhile."""
    beside = _started(_APPENDING, request, os.path.join(request.cwd, ".perdure", "ledger.db"), _project(request))
    assert beside.stdout is not None
    beside.stdout.readline()
    done = _started(_WORK, request, request.cwd, work).communicate()[0]
    slowest = float(beside.communicate("done\n")[0])
    seconds, megabytes = json.loads(done)
    return seconds, megabytes, slowest


def _project(request: Request) -> str:
    from perdure.place import project

    return str(project.identity(request.cwd).id)


def _started(program: str, request: Request, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=request.cwd,
        env=dict(request.environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
