"""Which commands show something of the work, so that an agent can have learned from them (SPEC 4.3)."""

from __future__ import annotations

from perdure.gate.effects.analysis import analyse
from tests.effort import for_each

from .worlds import world

SHOWS_NOTHING = [
    ":",
    "",
    "true",
    "/bin/true",
    "false || true",
    "echo hi",
    "/bin/echo hi",
    "command echo hi",
    "env A=1 echo hi",
    "timeout 5 echo hi",
    "bash -c 'echo hi'",
    "printf '%s\\n' one two",
    "pwd",
    "cd src && pwd",
    "sleep 1",
    "sleep 1; echo done",
    "timeout 5 sleep 1",
    "date",
    "whoami && uname -a && hostname",
    "env",
    "printenv HOME",
    "which python",
    "seq 10",
    "basename src/a.py",
    "x=1; echo $x",
    "for i in 1 2 3; do echo $i; done",
    "if true; then echo hi; fi",
    "f() { echo hi; }; f",
    "[ 1 = 1 ] && echo same",
    "[[ a == a ]]",
    "git --version",
    "ls --help",
    "echo hi | cat",
    "echo hi | grep h | wc -l",
    "cat <<< hi",
    "cat <<'EOF'\nhi\nEOF",
    "echo $(echo hi)",
    "(echo hi) | sed s/h/H/",
    "echo hi > /tmp/x",
]
SHOWS_SOMETHING = [
    "cat src/a.py",
    "echo; cat src/a.py",
    "cd src && ls",
    "ls",
    "grep -rn TODO src",
    "grep -rn TODO src | head -3",
    "wc -l < a.txt",
    "git status",
    "git log --oneline | head",
    "git diff > /tmp/d; cat /tmp/d",
    "find . -name '*.py'",
    "find . -name '*.py' | xargs grep -l TODO",
    "echo src/a.py | xargs cat",
    "echo $(cat VERSION)",
    'echo "$(git rev-parse HEAD)"',
    "for f in src/*.py; do head -3 $f; done",
    "printf 'a\\nb\\n' | while read f; do cat $f; done",
    "sed -n 1,5p a.txt",
    "awk '{print $1}' a.txt",
    "timeout 5 cat a.txt",
    "bash -c 'cat a.txt'",
    "ruff check src",
]


@for_each("command", SHOWS_NOTHING)
def test_a_command_that_prints_only_its_own_words_or_nothing_does_not_look(command: str) -> None:
    found = analyse(command, world())
    assert (found.effect, found.looks) == ("noetic", False)


@for_each("command", SHOWS_SOMETHING)
def test_a_command_that_shows_something_of_the_work_looks(command: str) -> None:
    found = analyse(command, world())
    assert (found.effect, found.looks) == ("noetic", True)


def test_a_program_that_a_person_taught_as_a_reader_looks() -> None:
    assert analyse("mytool list", world(readers=("mytool list",))).looks
