"""The hook path: a guard's and a recorder's process beside the bare interpreter, and what the real client waits for.

The process is what the installer registers, word for word, in a bound project with a transaction open and 100,000
events behind it. Empirica's gate runs in the same turns. In the client, the time from one request to the next is taken
with no hooks, with the guard alone, and with the whole installation; for readers too.
"""

from __future__ import annotations

import glob
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.gate import PEERS, ROOT, peer_python
from bench.measure import Row, in_turns, median_ratio, seconds
from bench.projects import fill, new_project
from perdure.actions import transactions
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import open_desk
from perdure.clients import claude_code
from perdure.install import shell_program
from perdure.install.claude_code import EVENTS, groups
from perdure.install.program import Program
from perdure.model.value import replace
from perdure.place.home import shell_program_path
from perdure.place.resolve import Explicit
from perdure.place.surroundings import StatedClient
from perdure.rehearsal.claude_code import RehearsedClient
from perdure.rehearsal.messages import ScriptedModel, Turn, call, say

ROUNDS = 31
BEHIND = 100_000
SESSION = "bench-session"
SIMPLE = "touch src/cart.py"
COMPOUND = 'for f in a b c; do echo "$f: $(wc -l < "$f")"; done; git log --oneline -5 | head -3 && rm -rf build/*.o'
READING = 'for f in a b c; do echo "$f: $(wc -l < "$f")"; done; git log --oneline -5 | head -3'
LARGEST_MEMORY = 30.0
CALLS = 40
CLIENT = Path(ROOT) / ".clients" / "2.1.325" / "claude"


def processes(folder: str) -> list[Row]:
    request = _bound_project(os.path.join(folder, "hook"))
    program = Program.find(request.environment)
    guard = program.words(claude_code, claude_code.GUARD, "settings.local.json")
    calls = {
        "a simple command": _input(request, "Bash", command=SIMPLE),
        "a compound command": _input(request, "Bash", command=COMPOUND),
        "an Edit": _input(request, "Edit", file_path=os.path.join(request.cwd, "src/cart.py")),
    }
    bare = [program.interpreter, "-I", "-S", "-c", "pass"]
    contenders = {"bare": (bare, b""), **{name: (guard, given) for name, given in calls.items()}}
    empirica = _empirica(folder)
    if empirica:
        contenders |= {f"Empirica: {name}": (empirica, given) for name, given in calls.items()}
    figures = in_turns({name: partial(_process, *what, request) for name, what in contenders.items()}, ROUNDS)
    rows = [_row(name, figures, 6.0 if "compound" in name else 3.0) for name in calls]
    rows += [_row(name, figures, None) for name in figures if name.startswith("Empirica")]
    memory = max(_memory(guard, given, request) for given in calls.values())
    return [
        *rows,
        *_recorders(request, program, bare),
        Row(
            what="memory of a guard",
            ours=f"{memory:.1f} MB",
            baseline="",
            ratio=memory,
            bar=f"≤ {LARGEST_MEMORY:g}",
            passes=memory <= LARGEST_MEMORY,
        ),
    ]


def _recorders(request: Request, program: Program, bare: list[str]) -> list[Row]:
    """The process after a tool call. That of a call that only looked leaves a note; a few of them record what waits, as
    in a session (docs/adr/0150)."""
    recorder = program.words(claude_code, "PostToolUse", "settings.local.json")
    printed = {"stdout": "src/cart.py:7: price", "stderr": "", "interrupted": False}
    calls = {
        "a Read": _input(request, "Read", {}, file_path=os.path.join(request.cwd, "src/cart.py")),
        "a grep": _input(request, "Bash", printed, command="grep -n price src/cart.py"),
        "a compound command that reads": _input(request, "Bash", printed, command=READING),
    }
    contenders = {"bare": (bare, b""), **{name: (recorder, given) for name, given in calls.items()}}
    _process(recorder, calls["a Read"], request)  # the first call of a session is recorded at once
    figures = in_turns({name: partial(_process, *what, request) for name, what in contenders.items()}, ROUNDS)
    edit = _input(request, "Edit", {}, file_path=os.path.join(request.cwd, "src/cart.py"))
    figures |= in_turns({"an Edit": partial(_process, recorder, edit, request)}, ROUNDS)
    rows = [_row(name, figures, 3.5, of="recorder") for name in calls]
    return [*rows, _row("an Edit", figures, None, of="recorder")]


def _bound_project(folder: str) -> Request:
    """Bound to this very process, as a client's hooks and its shell find it."""
    request = replace(
        new_project(folder), explicit=Explicit(), stated_client=StatedClient("claude-code", SESSION, os.getpid())
    )
    with open_desk(request) as desk:
        transactions.preflight(desk, SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "bench"))
        fill(desk, BEHIND, report_every=0)
    return request


def _input(request: Request, tool: str, response: dict[str, Any] | None = None, /, **given: str) -> bytes:
    """What the client sends before a call, or, with a response, after it."""
    event = "PreToolUse" if response is None else "PostToolUse"
    content = {"session_id": SESSION, "cwd": request.cwd, "hook_event_name": event, "tool_use_id": "toolu_1"}
    ended = {} if response is None else {"tool_response": response}
    return json.dumps({**content, **ended, "tool_name": tool, "tool_input": given}).encode()


def _process(words: Sequence[str], given: bytes, request: Request) -> float:
    return seconds(
        lambda: subprocess.run(
            words, input=given, cwd=request.cwd, env=dict(request.environment), capture_output=True, check=False
        )
    )


def _row(name: str, figures: dict[str, list[float]], bar: float | None, *, of: str = "guard") -> Row:
    bare = statistics.median(figures["bare"]) * 1000
    ours, ratio = statistics.median(figures[name]) * 1000, median_ratio(figures[name], figures["bare"])
    what = name if name.startswith("Empirica") else f"{of}: {name}"
    limit, passes = (f"≤ {bar:g}", ratio <= bar) if bar else ("", None)
    return Row(
        what=what,
        ours=f"{ours:.1f} ms",
        baseline=f"python -I -S -c pass {bare:.1f} ms",
        ratio=ratio,
        bar=limit,
        passes=passes,
    )


MEASURED = """
import os, sys
given, words = sys.argv[1], sys.argv[2:]
into = [(os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
print(os.wait4(os.posix_spawn(words[0], words, os.environ, file_actions=into), 0)[2].ru_maxrss)
"""
"""A process's peak counts from its parent's size on, so that a small one starts it."""


def _memory(words: Sequence[str], given: bytes, request: Request) -> float:
    """The most memory the process ever had, in MB."""
    path = os.path.join(request.cwd, "..", "given.json")
    Path(path).write_bytes(given)
    measuring = [words[0], "-I", "-S", "-c", MEASURED, path, *words]
    done = subprocess.run(
        measuring, cwd=request.cwd, env=dict(request.environment), capture_output=True, text=True, check=True
    )
    return int(done.stdout) / (1024 if sys.platform == "linux" else 1024 * 1024)


def _empirica(folder: str) -> list[str] | None:
    python = peer_python(folder, "empirica", PEERS["empirica"])
    found = python and glob.glob(
        os.path.join(os.path.dirname(python), "../lib/python*/site-packages/empirica/plugins/*/hooks/sentinel-gate.py")
    )
    if not python or not found:
        print("Empirica's gate could not be run here: left out", flush=True)
        return None
    return [python, found[0]]


# -- the client's shells ---------------------------------------------------------------------------------------------


def shells(folder: str) -> list[Row]:
    """What the program through which the client starts its shells adds to one, in the same turns: where the command
    runs read-only, and while a transaction is open."""
    request = _bound_project(os.path.join(folder, "shells"))
    text = f"true && eval 'true' < /dev/null && pwd -P >| {folder}/claude-1-cwd"
    bound, path = _in_its_shell(request, SESSION)
    closed, other = _in_its_shell(new_project(os.path.join(folder, "shells-closed")), "another")
    contenders: dict[str, Callable[[], float]] = {
        "alone": partial(_process, ["/bin/bash", "-c", text], b"", bound),
        "read-only": partial(_process, [other, text], b"", closed),
        "a transaction open": partial(_process, [path, text], b"", bound),
    }
    figures = in_turns(contenders, ROUNDS)
    return [_added_to_a_shell(name, figures) for name in contenders if name != "alone"]


def _in_its_shell(request: Request, session: str) -> tuple[Request, str]:
    """The environment of the client's shells, and the installed program."""
    path = Path(shell_program_path(request.environment["PERDURE_HOME"], claude_code.NAME))
    path.parent.mkdir(exist_ok=True)
    path.write_text(shell_program.text(Program.find(request.environment), claude_code))
    path.chmod(shell_program.MODE)
    given = {"SHELL": "/bin/bash", "AI_AGENT": "claude-code_agent", "CLAUDE_PID": str(os.getpid())}
    environment = {**request.environment, **given, "CLAUDE_CODE_SESSION_ID": session}
    return replace(request, environment=environment), str(path)


def _added_to_a_shell(name: str, figures: dict[str, list[float]]) -> Row:
    ours, alone = (statistics.median(figures[each]) * 1000 for each in (name, "alone"))
    return Row(
        what=f"added to a shell of the client's: {name}",
        ours=f"{ours - alone:+.1f} ms",
        baseline=f"{alone:.1f} ms",
        ratio=ours / alone,
        bar="≤ 15 ms",
        passes=ours - alone <= 15.0,
    )


# -- in the client -------------------------------------------------------------------------------------------------


def in_the_client(folder: str) -> list[Row]:
    if not CLIENT.exists():
        print("Claude Code is not installed (tests/needs.sh does that): left out", flush=True)
        return []
    request = new_project(os.path.join(folder, "client"))
    program = Program.find(request.environment)
    everything = groups({event: program.words(claude_code, event, "settings.local.json") for event in EVENTS})
    kinds: dict[str, tuple[str, dict[str, Any]]] = {
        "none": ("Bash", {}),
        "guard": ("Bash", {"PreToolUse": everything["PreToolUse"]}),
        "all": ("Bash", everything),
        "reading, none": ("Read", {}),
        "reading, guard": ("Read", {"PreToolUse": everything["PreToolUse"]}),
        "reading, all": ("Read", everything),
    }
    taken: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(3):
        for name, (tool, hooks) in kinds.items():
            taken[name] += _between_requests(request, tool, hooks)
    return [
        _added("guard", "none", taken, 25.0),
        _added("all", "none", taken, None),
        _added("reading, guard", "reading, none", taken, None),
        _added("reading, all", "reading, none", taken, None),
    ]


def _added(with_: str, without: str, taken: dict[str, list[float]], bar: float | None) -> Row:
    ours, theirs = (statistics.median(taken[name]) * 1000 for name in (with_, without))
    names = {
        "guard": "added to a Bash call by the guard",
        "all": "added to a Bash call by the whole installation",
        "reading, guard": "added to a Read by the guard, which is not asked",
        "reading, all": "added to a Read by the whole installation",
    }
    limit, passes = (f"≤ {bar:g} ms", ours - theirs <= bar) if bar else ("", None)
    without_text = f"{theirs:.1f} ms a call without hooks"
    return Row(
        what=names[with_],
        ours=f"{ours - theirs:+.1f} ms",
        baseline=without_text,
        ratio=ours / theirs,
        bar=limit,
        passes=passes,
    )


def _between_requests(request: Request, tool: str, hooks: dict[str, Any]) -> list[float]:
    """Seconds from the answer that calls a tool to the request with its result."""
    settings = Path(request.cwd) / ".claude" / "settings.local.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"hooks": {event: [group] for event, group in hooks.items()}}))
    target = Path(request.cwd) / "read-me.txt"
    target.write_text("x\n")
    one: Turn = call("Bash", command="ls") if tool == "Bash" else call("Read", file_path=str(target))
    came: list[float] = []

    def noted(_: object) -> str:
        came.append(time.perf_counter())
        return "main"

    with ScriptedModel([*[one] * CALLS, say("done")], choose=noted) as model:
        home = Path(request.environment["HOME"])
        client = RehearsedClient(
            CLIENT, home=home, url=model.url, variables={"PERDURE_HOME": request.environment["PERDURE_HOME"]}
        )
        played = client.run("go", "--allowedTools", tool, cwd=Path(request.cwd))
    assert played.code == 0, played
    assert len(came) > CALLS, played
    return [later - earlier for earlier, later in pairwise(came[2:])]
