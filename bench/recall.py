"""What an agent waits for when it asks the ledger or a transcript: level 1, a search, a brief."""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
from functools import partial

from bench.measure import Row, in_turns, median_ratio, process_seconds, seconds
from bench.projects import environment_for, new_project
from perdure.actions import recovering, searching
from perdure.actions.request import Request
from perdure.actions.wiring import Desk, open_desk
from perdure.model import moment
from perdure.model.event import Draft

ROUNDS = 31
DECISIONS = 100_000
MEGABYTES = 20
COMMON = "use cache ledger store parser token".split()
QUERIES = ("cache", "use cache", "word77", "word77 word99 cache", "why do we use the cache for the parser token store")


def level_1(short: Request, long: Request, count: int) -> list[Row]:
    with open_desk(short, writable=False) as one, open_desk(long, writable=False) as other:
        figures = in_turns(
            {
                "long": lambda: seconds(lambda: recovering.from_ledger(other, "1", None)),
                "short": lambda: seconds(lambda: recovering.from_ledger(one, "1", None)),
            },
            ROUNDS,
        )
    ratio = median_ratio(figures["long"], figures["short"])
    ours, theirs = (statistics.median(figures[name]) * 1000 for name in ("long", "short"))
    what = f"level 1 recovery at {count:,} events against 1,000"
    return [
        Row(
            what=what, ours=f"{ours:.1f} ms", baseline=f"{theirs:.1f} ms", ratio=ratio, bar="≤ 1.5", passes=ratio <= 1.5
        )
    ]


def search(folder: str) -> list[Row]:
    """The slowest of several questions: rare words, words that stand in half of the decisions, many words."""
    request = new_project(os.path.join(folder, "search"))
    dice, stamp = random.Random(1), moment.stamp(moment.now())
    with open_desk(request) as desk:
        for _ in range(0, DECISIONS, 1000):
            made = [{"decision": _text(dice, 15), "rationale": _text(dice, 12)} for _ in range(1000)]
            desk.ledger.append(
                [Draft(kind="decision.made", payload={**each}, ts=stamp, project_id=desk.identity.id) for each in made]
            )
        desk.ledger.rebuild()
    with open_desk(request, writable=False) as desk:
        figures = in_turns({query: partial(_seconds_to_answer, desk, query) for query in QUERIES}, 9)
    slowest, query = max((statistics.median(found) * 1000, query) for query, found in figures.items())
    what = f"search over {DECISIONS:,} decisions, slowest question"
    return [
        Row(
            what=what,
            ours=f"{slowest:.1f} ms",
            baseline=f"bar 20 ms ({len(query.split())} words)",
            ratio=slowest / 20,
            bar="≤ 1",
            passes=slowest <= 20,
        )
    ]


def search_of_what_was_seen(folder: str) -> list[Row]:
    """`perdure search` over commands, files and errors: a rare word, a file, a word that half of the commands have."""
    request = new_project(os.path.join(folder, "seen"))
    dice, stamp = random.Random(2), moment.stamp(moment.now())
    with open_desk(request) as desk:
        for _ in range(0, DECISIONS, 1000):
            made = [_seen(dice) for _ in range(1000)]
            desk.ledger.append(
                [Draft(kind=kind, payload={**payload}, ts=stamp, project_id=desk.identity.id) for kind, payload in made]
            )
        desk.ledger.rebuild()
    queries = ("word7", "src/word7/word8.py", "pytest word7", "pytest", "failed word12 word13 assert")
    with open_desk(request, writable=False) as desk:
        figures = in_turns({each: partial(_seconds_to_find, desk, each) for each in queries}, 9)
    slowest, query = max((statistics.median(found) * 1000, query) for query, found in figures.items())
    what = f"search over {DECISIONS:,} commands and files, slowest question"
    return [
        Row(
            what=what,
            ours=f"{slowest:.1f} ms",
            baseline=f"bar 20 ms ({query})",
            ratio=slowest / 20,
            bar="≤ 1",
            passes=slowest <= 20,
        )
    ]


def _seconds_to_find(desk: Desk, query: str) -> float:
    return seconds(lambda: searching.search(desk, query))


def _seen(dice: random.Random) -> tuple[str, dict[str, str | None]]:
    words = [f"word{dice.randrange(3000)}" for _ in range(3)]
    if dice.random() < 0.5:
        return "edit.made", {"path": f"src/{words[0]}/{words[1]}.py"}
    failed = dice.random() < 0.2
    error = f"FAILED tests/{words[2]}.py: assert {words[0]} == {words[1]}" if failed else None
    command = f"pytest -q tests/{words[0]}.py -k {words[1]}"
    return "command.run", {"command": command, "outcome": "failed" if failed else "succeeded", "error": error}


def _seconds_to_answer(desk: Desk, query: str) -> float:
    return seconds(lambda: recovering.from_ledger(desk, "2", None, query=query))


def _text(dice: random.Random, length: int) -> str:
    return " ".join([*(f"word{dice.randrange(3000)}" for _ in range(length)), *dice.choices(COMMON, k=3)])


def brief_of_a_long_transcript(folder: str) -> list[Row]:
    path = os.path.join(folder, "long.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        for number in range(1 << 30):
            file.write(_turn(number))
            if file.tell() > MEGABYTES << 20:
                break
    program = os.path.join(os.path.dirname(sys.executable), "perdure")
    command = [program, "recover", "--transcript", path, "--max-tokens", "1200"]
    environment = environment_for(folder)
    took = statistics.median(process_seconds(command, folder, environment) for _ in range(5))
    return [
        Row(
            what=f"brief from a {MEGABYTES} MB transcript",
            ours=f"{took:.2f} s",
            baseline="bar 1 s",
            ratio=took,
            bar="≤ 1",
            passes=took <= 1,
        )
    ]


def _turn(number: int) -> str:
    """A file is changed and tested; the person says something now and then. Lines are as long as in people's sessions:
    3 kB on average."""
    path, id = f"/work/shop/part{number % 90}.py", f"t{number}"
    edit = {"file_path": path, "old_string": f"def old_{number}(): pass", "new_string": f"def new_{number}(): pass"}
    turn: list[tuple[str, object]] = [
        ("assistant", [{"type": "text", "text": f"Now `new_{number}`."}, _call(id, "Edit", edit)]),
        ("user", [_result(id, f"{path}: " + "a line of it\n" * 600)]),
        ("assistant", [_call(id + "r", "Bash", {"command": f"pytest -q tests/test_part{number % 90}.py"})]),
        ("user", [_result(id + "r", "tests/test_part.py . PASSED\n" * 120 + "1 passed")]),
    ]
    if number % 20 == 0:
        turn.insert(0, ("user", f"Go on with part {number}; never touch part {number % 7}."))
    lines = (
        {"type": kind, "uuid": f"{number}", "cwd": "/work/shop", "message": {"content": said}} for kind, said in turn
    )
    return "".join(json.dumps(line) + "\n" for line in lines)


def _call(id: str, tool: str, given: dict[str, str]) -> dict[str, object]:
    return {"type": "tool_use", "id": id, "name": tool, "input": given}


def _result(id: str, text: str) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": id, "content": text}
