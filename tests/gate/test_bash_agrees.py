"""The parser against shells that are not ours: bash's own reading of a command, printed back, and tree-sitter-bash.

bash prints a function's body as it has understood it (`declare -f`). What it prints must have the same effect for us as
what we were given: so a command that bash finds in a text and we do not would show.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_bash

from perdure.gate.effects.analysis import analyse
from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import NotUnderstood
from perdure.gate.shell.parse import parse
from perdure.gate.shell.scope import commands_of
from perdure.gate.shell.syntax import literal

from .table import attacks, shell, text_and_files, tools
from .worlds import world

CASES = [
    (effect, command)
    for cases in (shell.CASES, text_and_files.CASES, tools.CASES, attacks.CASES)
    for effect, command, _, _ in cases
]
MARK = "\n#--perdure--#\n"


SCRIPT = r"""
for command in "$@"; do
  ( eval "f() {
$command
}" && declare -f f ) 2>/dev/null
  printf '\n#--perdure--#\n'
done
"""


def as_bash_reads_them(commands: list[str], where: Path) -> list[str | None]:
    """Each command as bash prints it back; None where bash does not take it. Nothing is run: only defined."""
    done = subprocess.run(
        ["/usr/bin/env", "-i", "PATH=/nowhere", shutil.which("bash") or "bash", "--norc", "-c", SCRIPT, "_", *commands],
        capture_output=True,
        check=False,
        cwd=where,
        stdin=subprocess.DEVNULL,
    )
    answers = done.stdout.decode(errors="replace").split(MARK)[:-1]
    assert len(answers) == len(commands), done.stderr[-500:]
    return [_body(answer) for answer in answers]


def _body(printed: str) -> str | None:
    lines = printed.split("\n")
    return "\n".join(lines[2:]).rstrip().removesuffix("}") if printed.startswith("f () \n{") else None


READABLE = [
    (e, c) for e, c in CASES if "\0" not in c and "\r" not in c and not c.endswith("\\") and "PERDURE_OUTER" not in c
]


def _understood(command: str) -> bool:
    try:
        parse(command)
    except NotUnderstood:
        return False
    return True


@pytest.mark.parametrize("start", range(0, len(READABLE), 100))
def test_what_bash_has_understood_has_the_same_effect(start: int, tmp_path: Path) -> None:
    some = [(e, c) for e, c in READABLE[start : start + 100] if _understood(c)]
    for (_, command), printed in zip(some, as_bash_reads_them([c for _, c in some], tmp_path), strict=True):
        ours = analyse(command, world()).effect
        if printed is None:
            continue  # bash does not take it as a function's body; other tests hold those
        theirs = analyse(printed, world())
        if theirs.effect != ours:
            assert ours != "noetic", f"we saw less than bash:\n{command}\n---\n{printed}\n{theirs.reason}"
            assert theirs.reason.startswith("not understood"), f"{command}\n---\n{printed}\n{theirs.reason}"


@pytest.mark.parametrize("start", range(0, len(READABLE), 100))
def test_what_bash_refuses_is_not_noetic(start: int, tmp_path: Path) -> None:
    some = [c for _, c in READABLE[start : start + 100]]
    for command, printed in zip(some, as_bash_reads_them(some, tmp_path), strict=True):
        checked = (
            subprocess.run(["bash", "-n"], input=command.encode(), capture_output=True, check=False)
            if printed is None
            else None
        )
        if checked is not None and checked.returncode:
            assert analyse(command, world()).effect != "noetic", command


LANGUAGE = tree_sitter.Language(tree_sitter_bash.language())


def names_by_tree_sitter(command: str) -> set[str] | None:
    """The names of commands that stand plainly in tree-sitter's tree; None where it has an error."""
    source = command.encode()
    tree = tree_sitter.Parser(LANGUAGE).parse(source)
    if tree.root_node.has_error:
        return None
    found, todo = set(), [tree.root_node]
    while todo:
        node = todo.pop()
        if node.type == "command_name" and node.child_count == 1 and node.children[0].type == "word":
            found.add(source[node.start_byte : node.end_byte].decode())
        todo += node.children
    return {name for name in found if name.replace("-", "").replace("_", "").isalnum()}


def names_by_us(command: str) -> set[str]:
    return {literal(n.words[0]) or "" for n in commands_of(parse(command)) if isinstance(n, s.Simple) and n.words}


@pytest.mark.parametrize("start", range(0, len(READABLE), 200))
def test_no_command_that_tree_sitter_sees_is_missed(start: int) -> None:
    for _, command in READABLE[start : start + 200]:
        theirs = names_by_tree_sitter(command)
        if "\\\n" in command or "(( $((" in command:
            continue  # tree-sitter-bash takes `r\\⏎m` for the command `r`, and sums within sums for commands
        if theirs is not None and _understood(command):
            assert theirs - {"[", "[["} <= names_by_us(command) | {"!", "time"}, command
