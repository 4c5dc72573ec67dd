"""The gate in process: microseconds a command, the shortcut beside the parser, and other classifiers on our table.

The others come from PyPI into an environment of their own. Each is asked one question about each command of the table:
may it run unasked? What it lets through of the praxic ones, and stops of the noetic ones, is counted.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from bench.measure import Row
from perdure.gate.world import World

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN = ["ls -la src", "git status", "cat README.md", "git log --oneline -5", "wc -l a.txt", "touch a", "npm install x"]
COMPOUND = [
    "cd src && grep -rn TODO . | head -20",
    "git log --oneline -5; git status --short 2>/dev/null || true",
    'for f in a b c; do echo "$f: $(wc -l < "$f")"; done',
    "find . -name '*.py' -not -path './.git/*' | xargs wc -l | tail -1",
    "sed -n '10,40p' src/app.py; rm -rf build && mkdir build",
]
PEERS = {
    "bash-classify": ("bash-classify==0.14.1",),
    "saferead": ("--no-deps", "saferead==2026.6"),
    "empirica": ("--no-deps", "empirica==1.14.18"),
}
"""Without their dependencies where the part that is asked needs none."""
PYTHONS = ("python3.13", "python3.12", sys.executable)


def in_process(_folder: str) -> list[Row]:
    from perdure.gate.effects.analysis import analyse
    from perdure.gate.shell.parse import parse
    from perdure.gate.shell.plain import plain

    world = _world()
    for command in (*PLAIN, *COMPOUND):
        analyse(command, world)
    shortcut = _microseconds(lambda: [plain(command) for command in PLAIN], len(PLAIN))
    parsed = _microseconds(lambda: [parse(command) for command in PLAIN], len(PLAIN))
    simple = _microseconds(lambda: [analyse(command, world) for command in PLAIN], len(PLAIN))
    compound = _microseconds(lambda: [analyse(command, world) for command in COMPOUND], len(COMPOUND))
    return [
        Row(what="gate: a plain command", ours=f"{simple:.0f} µs", baseline="", ratio=1.0, bar="", passes=None),
        Row(
            what="gate: a compound command",
            ours=f"{compound:.0f} µs",
            baseline=f"plain {simple:.0f} µs",
            ratio=compound / simple,
            bar="",
            passes=None,
        ),
        Row(
            what="gate: shortcut",
            ours=f"{shortcut:.1f} µs",
            baseline=f"parser {parsed:.1f} µs",
            ratio=shortcut / parsed,
            bar="< 1",
            passes=shortcut < parsed,
        ),
    ]


def _microseconds(work: Callable[[], object], count: int, rounds: int = 200) -> float:
    figures = []
    for _ in range(rounds):
        since = time.perf_counter()
        work()
        figures.append((time.perf_counter() - since) / count * 1e6)
    return statistics.median(figures)


def _world() -> World:
    sys.path.insert(0, ROOT)
    from tests.gate.worlds import world

    return world()


def table() -> list[tuple[str, str]]:
    sys.path.insert(0, ROOT)
    from tests.gate.table import attacks, sessions, shell, text_and_files, tools

    judged = [
        (effect, command) for part in (shell, text_and_files, tools, attacks) for effect, command, _, _ in part.CASES
    ]
    return [*judged, *(("noetic", command) for command in sessions.COMMANDS)]


def against_others(folder: str) -> list[Row]:
    """Ours and the others on the same table. A peer that cannot be installed here is left out, and that is said."""
    from perdure.gate.effects.analysis import analyse

    cases = [(effect, command) for effect, command in table() if effect in ("noetic", "praxic")]
    world = _world()
    rows = [_row("perdure", cases, [analyse(command, world).effect == "noetic" for _, command in cases], 0.0)]
    for name, wanted in PEERS.items():
        answers = _asked(folder, name, wanted, [command for _, command in cases])
        if answers is None:
            print(f"{name} could not be run here: left out", flush=True)
        else:
            rows.append(_row(name, cases, *answers))
    return rows


def _row(name: str, cases: list[tuple[str, str]], passed: list[bool], seconds: float) -> Row:
    praxic = [ok for (effect, _), ok in zip(cases, passed, strict=True) if effect == "praxic"]
    noetic = [ok for (effect, _), ok in zip(cases, passed, strict=True) if effect == "noetic"]
    let, stopped = sum(praxic), len(noetic) - sum(noetic)
    each = f", {seconds / len(cases) * 1e6:.0f} µs each" if seconds else ""
    what = f"{let} of {len(praxic)} writers let through{each}"
    bar = let == 0 if name == "perdure" else None
    return Row(
        what=f"table: {name}",
        ours=what,
        baseline=f"{stopped} of {len(noetic)} readers stopped",
        ratio=stopped / len(noetic),
        bar="",
        passes=bar,
    )


def peer_python(folder: str, name: str, wanted: tuple[str, ...]) -> str | None:
    """The interpreter of an environment that has the peer; made once."""
    home = os.path.join(folder, f"peer-{name}")
    python = os.path.join(home, "bin", "python")
    if os.path.exists(python):
        return python
    for interpreter in PYTHONS:
        if not shutil.which(interpreter):
            continue
        made = subprocess.run([interpreter, "-m", "venv", "--clear", home], capture_output=True, check=False)
        if made.returncode:
            continue
        installed = subprocess.run([python, "-m", "pip", "install", "-q", *wanted], capture_output=True, check=False)
        if installed.returncode == 0:
            return python
    return None


def _asked(folder: str, name: str, wanted: tuple[str, ...], commands: list[str]) -> tuple[list[bool], float] | None:
    python, home = peer_python(folder, name, wanted), os.path.join(folder, f"peer-{name}")
    if python is None:
        return None
    done = subprocess.run(
        [python, os.path.join(os.path.dirname(__file__), "peers.py"), name],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": home},
        cwd=home,
        timeout=900,
    )
    if done.returncode:
        print(done.stderr[-300:])
        return None
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["passed"], answer["seconds"]
