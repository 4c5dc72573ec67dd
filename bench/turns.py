"""The end of a turn, and a session that gets long.

The Stop hook's process beside the bare interpreter: without a contract, and with one whose evidence is there, in a
small repository and in one of ten thousand files, whose tree must be hashed. Then what one tool call costs in a session
with a hundred recorded calls, and in one with ten thousand: the guard before it, the recorder after it, the end of the
turn.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from bench.measure import Row, in_turns, median_ratio, seconds
from bench.projects import new_project
from perdure.actions import contracts, transactions
from perdure.actions.request import Request, resolve_request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import Desk, open_desk
from perdure.clients import claude_code
from perdure.install.program import Program
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import Draft
from perdure.model.value import replace
from perdure.place.resolve import Explicit
from perdure.place.surroundings import StatedClient
from perdure.place.tree_hash import tree_of

ROUNDS = 21
SESSION = "bench-session"
FEW, MANY = 100, 10_000
SAME = 1.25
"""A call may cost so many times as much after `MANY` calls as after `FEW`; below that it is noise."""
COMMAND = "grep -n price src/cart.py"


class Turns:
    """A client's session in a project, with a transaction open."""

    def __init__(self, folder: str, files: int = 20) -> None:
        self.request = replace(
            new_project(folder), explicit=Explicit(), stated_client=StatedClient("claude-code", SESSION, os.getpid())
        )
        _write_files(self.request, files)
        self.program = Program.find(self.request.environment)
        self.hook("SessionStart", source="startup")
        self.hook("UserPromptSubmit", prompt="make prices whole cents")
        with open_desk(self.request) as desk:
            transactions.preflight(desk, SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "bench"))

    def hook(self, event: str, **given: Any) -> str:
        content = {"session_id": SESSION, "cwd": self.request.cwd, "hook_event_name": event, **given}
        words = self.program.words(claude_code, event, "settings.local.json")
        done = subprocess.run(
            words,
            input=json.dumps(content).encode(),
            cwd=self.request.cwd,
            env={**self.request.environment, "CLAUDE_PID": str(os.getpid())},
            capture_output=True,
            check=True,
        )
        assert not done.stderr, done.stderr
        return done.stdout.decode()

    def guard(self) -> None:
        self.hook("PreToolUse", tool_name="Bash", tool_input={"command": COMMAND})

    def record(self) -> None:
        response = {"stdout": "src/cart.py:7: price", "stderr": "", "interrupted": False}
        self.hook("PostToolUse", tool_name="Bash", tool_input={"command": COMMAND}, tool_response=response)

    def edit(self) -> None:
        path = os.path.join(self.request.cwd, "src", "f1.py")
        self.hook("PostToolUse", tool_name="Edit", tool_input={"file_path": path}, tool_response={})

    def stop(self) -> str:
        return self.hook("Stop", stop_hook_active=False)

    def calls(self, count: int) -> None:
        """So many calls on record, of this session: commands, reads and edits in turn."""
        with open_desk(self.request) as desk:
            for done in range(0, count, 1000):
                desk.ledger.append(_drafts(desk, done, min(1000, count - done)))

    def demand_evidence(self) -> None:
        """A contract, and tests that passed on the files as they are: the turn may end."""
        with open_desk(self.request) as desk:
            contracts.set_contract(desk, p.ContractSet("ship the cart", evidence=("tests",)))
        response = {"stdout": "4 passed in 0.01s\n", "stderr": "", "interrupted": False}
        self.hook("PostToolUse", tool_name="Bash", tool_input={"command": "pytest -q"}, tool_response=response)


def _write_files(request: Request, count: int) -> None:
    folder = os.path.join(request.cwd, "src")
    os.makedirs(folder)
    for number in range(count):
        with open(os.path.join(folder, f"f{number}.py"), "w", encoding="utf-8") as file:
            file.write(f"# {number}\n" * 50)
    subprocess.run(["git", "-C", request.cwd, "add", "src"], env=dict(request.environment), check=True)


def _drafts(desk: Desk, first: int, count: int) -> list[Draft]:
    stamp, drafts = moment.stamp(moment.now()), []
    binding = resolve_request(desk.resolved.request).place
    kinds: dict[str, Callable[[int], object]] = {
        "command.run": lambda n: p.CommandRun(f"grep -n word{n} src/f{n % 20}.py", "succeeded", "noetic"),
        "file.read": lambda n: p.FileRead(f"src/f{n % 400}.py"),
        "edit.made": lambda n: p.EditMade(f"src/f{n % 400}.py"),
    }
    names = list(kinds)
    for number in range(first, first + count):
        kind = names[number % len(names)]
        drafts.append(
            Draft(
                kind=kind,
                payload=p.write(kinds[kind](number)),
                ts=stamp,
                project_id=desk.identity.id,
                schema=1,
                instance_id=desk.seat.instance_id,
                session_id=binding.session_id,
                transaction_id=None,
                actor=claude_code.NAME,
            )
        )
    return drafts


# -- the end of a turn -------------------------------------------------------------------------------------------------


def stop_hook(folder: str) -> list[Row]:
    plain, held, large = (Turns(os.path.join(folder, f"stop-{n}"), files) for n, files in enumerate((20, 20, MANY)))
    for turns in (held, large):
        turns.demand_evidence()
    bare = [plain.program.interpreter, "-I", "-S", "-c", "pass"]
    what: dict[str, Callable[[], float]] = {
        "bare": partial(_bare, bare),
        "Stop hook, no contract": partial(_ended, plain),
        "Stop hook, contract met, 20 files": partial(_ended, held),
        "Stop hook, contract met, 10,000 files": partial(_ended, large),
    }
    figures = in_turns(what, ROUNDS)
    rows = [_against_bare(name, figures) for name in what if name != "bare"]
    return [*rows, *_trees({"20 files": held, "10,000 files": large})]


def _bare(words: Sequence[str]) -> float:
    return seconds(lambda: subprocess.run(words, check=True))


def _ended(turns: Turns) -> float:
    """Of a turn in which a file was edited, to what it was before."""
    turns.edit()
    return seconds(turns.stop)


def _against_bare(name: str, figures: dict[str, list[float]]) -> Row:
    bare, ours = (statistics.median(figures[each]) * 1000 for each in ("bare", name))
    ratio = median_ratio(figures[name], figures["bare"])
    return Row(
        what=name,
        ours=f"{ours:.1f} ms",
        baseline=f"python -I -S -c pass {bare:.1f} ms",
        ratio=ratio,
        bar="",
        passes=None,
    )


def _trees(projects: dict[str, Turns]) -> list[Row]:
    """The first look reads every file; the later ones only what changed."""
    rows = []
    for name, turns in projects.items():
        root, home = turns.request.cwd, turns.request.environment["PERDURE_HOME"]
        first = seconds(lambda: tree_of(root, home + "-first")) * 1000  # noqa: B023 - called at once
        later = statistics.median(seconds(lambda: tree_of(root, home)) for _ in range(ROUNDS)) * 1000  # noqa: B023
        rows.append(
            Row(
                what=f"tree hash, {name}",
                ours=f"{later:.1f} ms",
                baseline=f"{first:.1f} ms the first time",
                ratio=later / first,
                bar="",
                passes=None,
            )
        )
    return rows


# -- a long session ----------------------------------------------------------------------------------------------------


def by_calls(folder: str) -> list[Row]:
    """A session of ten thousand tool calls costs the same per call at the end as at the start."""
    short, long = (Turns(os.path.join(folder, f"calls-{count}")) for count in (FEW, MANY))
    for turns, count in ((short, FEW), (long, MANY)):
        turns.calls(count)
        turns.demand_evidence()
    verbs = ("guard", "record", "stop")
    what: dict[str, Callable[[], float]] = {
        f"{verb} {name}": partial(seconds, getattr(turns, verb))
        for verb in verbs
        for name, turns in (("few", short), ("many", long))
    }
    figures = in_turns(what, ROUNDS)
    return [_growth(verb, figures) for verb in verbs]


def _growth(verb: str, figures: dict[str, list[float]]) -> Row:
    few, many = (statistics.median(figures[f"{verb} {name}"]) * 1000 for name in ("few", "many"))
    ratio = median_ratio(figures[f"{verb} many"], figures[f"{verb} few"])
    names = {"guard": "guard", "record": "recorder after a tool", "stop": "Stop hook"}
    return Row(
        what=f"{names[verb]} after {MANY:,} calls",
        ours=f"{many:.1f} ms",
        baseline=f"after {FEW} calls {few:.1f} ms",
        ratio=ratio,
        bar=f"≤ {SAME:g}",
        passes=ratio <= SAME,
    )
