"""What the benchmarks run in: a throw-away project, and ledgers of any length."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from perdure.actions import projects, transactions
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import Desk, open_desk
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import Draft
from perdure.model.ids import TransactionId, new_id
from perdure.place.resolve import Explicit

PAYLOAD_BYTES = 500
TEXT = ("The parser keeps one token of lookahead, so the reader never seeks; see tests for the odd cases. " * 6)[
    : PAYLOAD_BYTES - len('{"text":""}')
]
"""Ordinary prose: what agents note most. The payload is 500 bytes of canonical JSON."""


def environment_for(home: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": home, "PERDURE_HOME": os.path.join(home, ".perdure"), "GIT_CONFIG_GLOBAL": os.devnull}


def new_project(folder: str) -> Request:
    """A repository with a project in it, and a request that acts there as one bound instance."""
    root, home = os.path.join(folder, "project"), os.path.join(folder, "person")
    os.makedirs(root)
    os.makedirs(home)
    environment = environment_for(home)
    author = {f"GIT_{who}_{what}": "bench@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", "-C", root, *command], env={**environment, **author}, check=True)
    request = Request(root, environment, Explicit(instance="bench"))
    projects.init(request, None, None)
    return request


@contextmanager
def desk_in_transaction(request: Request) -> Iterator[Desk]:
    with open_desk(request) as desk:
        transactions.preflight(desk, SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "bench"))
        yield desk


def fill(desk: Desk, count: int, report_every: int = 100_000) -> None:
    """Many events fast: the same events as ever, a thousand to a commit."""
    stamp = moment.stamp(moment.now())
    for done in range(0, count, 1000):
        batch = [
            Draft(
                kind="note.finding",
                payload={"text": TEXT},
                ts=stamp,
                project_id=desk.identity.id,
                schema=1,
                instance_id=desk.seat.instance_id,
                actor="user",
            )
            for _ in range(min(1000, count - done))
        ]
        desk.ledger.append(batch)
        if report_every and done and done % report_every == 0:
            print(f"  filling: {done:,} of {count:,} events", flush=True)
    os.sync()


def filled(folder: str, count: int) -> Request:
    """A project with a transaction open and so many events behind it."""
    request = new_project(folder)
    with desk_in_transaction(request) as desk:
        fill(desk, count)
    return request


def filled_with_work(folder: str, count: int) -> Request:
    """A project with so many events that the state depends on, or a few more: transactions of forty, mostly commands,
    reads and edits."""
    request = new_project(folder)
    with open_desk(request) as desk:
        for _ in range(0, count, 40 * 25):
            desk.ledger.append([each for _ in range(25) for each in _transaction(desk)])
    os.sync()
    return request


def _transaction(desk: Desk) -> Iterator[Draft]:
    vectors, id = {"know": 0.9, "uncertainty": 0.1}, TransactionId(new_id())
    opened = p.TransactionOpened(
        project_path=desk.root, suffix=id[:8], vectors=vectors, reasoning="", decision="proceed", correction={}
    )
    work: list[tuple[str, object]] = [
        ("transaction.opened", opened),
        ("goal.created", p.GoalCreated(f"whole cents in {id}")),
        *(("command.run", p.CommandRun(f"grep -n price src/f{n}.py", "succeeded", "noetic")) for n in range(20)),
        *(("file.read", p.FileRead(f"src/f{n}.py")) for n in range(9)),
        *(("edit.made", p.EditMade(f"src/f{n}.py")) for n in range(6)),
        ("decision.made", p.DecisionMade(f"prices are whole cents: {id}", key=id[:2], value=id)),
        ("note.next", p.Note(f"the prices of {id[:8]}")),
        ("transaction.closed", p.TransactionClosed(True, vectors, "done")),
    ]
    stamp = moment.stamp(moment.now())
    for kind, said in work:
        yield Draft(
            kind=kind,
            payload=p.write(said),
            ts=stamp,
            project_id=desk.identity.id,
            schema=1,
            instance_id=desk.seat.instance_id,
            transaction_id=id,
            actor="user",
        )


def wipe(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
