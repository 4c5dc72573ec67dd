"""A coverage-guided fuzzer (atheris) of the gate, over bytes and over a grammar of the shell.

    python tests/gate/fuzz.py bytes|grammar [libFuzzer flags, such as -runs=100000]

`test_bounds.py` runs it. It checks three things: nothing is raised but what is meant to be; the steps are linear in the
text; and, over the grammar, a text with a praxic command in a place where a shell would run it is never noetic.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[2]))
with atheris.instrument_imports(include=["perdure.gate"]):
    from tests.gate.steps import steps_of
    from tests.gate.worlds import world

WORLD = world()
EFFECTS = ("noetic", "praxic", "transition", "forbidden")


def over_bytes(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    effect, steps = steps_of(text, WORLD)
    assert effect in EFFECTS
    assert steps < 20_000 + 400 * len(text), f"{steps} steps for {len(text)} characters"


WORDS = [
    "ls",
    "cat",
    "-l",
    "a.txt",
    '"$x"',
    "$x",
    "$(ls)",
    "`pwd`",
    "'it'",
    "*.py",
    "{a,b}",
    "~/x",
    "$((1+2))",
    "\\;",
    "-o",
]
READERS = ["ls -l", "cat a.txt", "grep -n x a.txt", "git status", "wc -l < a.txt", "sed -n 1p a.txt", "echo hi"]
WRITER = "touch p"


class Grammar:
    def __init__(self, data: bytes) -> None:
        self.given = atheris.FuzzedDataProvider(data)

    def pick(self, choices: list[str]) -> str:
        return choices[self.given.ConsumeIntInRange(0, len(choices) - 1)]

    def command(self, depth: int) -> str:
        kind = self.given.ConsumeIntInRange(0, 13 if depth else 2)
        if kind == 0:
            return self.pick(READERS)
        if kind == 1:
            return "echo " + " ".join(self.pick(WORDS) for _ in range(self.given.ConsumeIntInRange(0, 3)))
        if kind == 2:
            return WRITER if self.given.ConsumeIntInRange(0, 3) == 0 else self.pick(READERS)
        first, second = self.command(depth - 1), self.command(depth - 1)
        return [
            f"{first}; {second}",
            f"{first} && {second}",
            f"{first} | {second}",
            f"( {first} )",
            f"{{ {first}; }}",
            f"if {first}; then {second}; fi",
            f"for i in a b; do {first}; done",
            f"while {first}; do {second}; done",
            f"case x in a) {first};; *) {second};; esac",
            f'echo $( {first} ) "$( {second} )"',
            f"cat <( {first} )",
        ][kind - 3]


def over_grammar(data: bytes) -> None:
    text = Grammar(data).command(4)
    effect, steps = steps_of(text, WORLD)
    assert steps < 20_000 + 2_000 * len(text)
    assert effect == "praxic" or WRITER not in text, text


if __name__ == "__main__":
    target = {"bytes": over_bytes, "grammar": over_grammar}[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
