"""Every command that the program names in a message, a hint or a help text can be typed: it has the words and flags
that its parser knows. Whether it helps in the state that names it is what `surfaces/test_denials.py` and its like try.

    "Close it: perdure transaction close {id}" → wrong, `transaction close` takes no id
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from perdure import errors
from perdure.surfaces.cli import ALIASES
from tests.effort import for_each
from tests.test_docs import ROOT, parsers

VALUE = "\x00"
"""Stands for what an f-string fills in."""

WORD = re.compile(rf"""--[a-z-]+|<[^>]*>|'[^']*'|"[^"]*"|[A-Z][A-Z_]*|[a-z][a-z-]*|\d[\d.]*|…|-|{VALUE}""")
PLAIN_WORD = re.compile("[a-z][a-z-]*")

MODULES = sorted((ROOT / "src").rglob("*.py"))


@for_each("module", MODULES, ids=lambda path: path.relative_to(ROOT / "src").as_posix())
def test_every_command_that_a_text_names_can_be_typed(module: Path) -> None:
    wrong = [
        f"{module.name}:{line}: perdure {' '.join(words)}"
        for line, text in texts(module.read_text(encoding="utf-8"))
        for words in commands(text)
        if not can_be_typed(words)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (f"Close it first: perdure transaction close {VALUE}, or POSTFLIGHT.", False),
        (f"perdure transaction adopt {VALUE} takes it over", True),
        ("perdure heal --force repairs it", False),
        (f"perdure heal --project-path {VALUE} brings it back", True),
        ("perdure audit verify says where", True),
        ("use perdure import", True),
    ],
)
def test_the_reading_of_texts_finds_wrong_commands(text: str, right: bool) -> None:
    assert all(map(can_be_typed, commands(text))) == right


def texts(source: str) -> Iterator[tuple[int, str]]:
    """The strings of a module, with their lines; what an f-string fills in is `VALUE`."""
    tree = ast.parse(source)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(_constant(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.lineno, node.value


def _constant(part: ast.expr) -> str:
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else VALUE


def commands(text: str) -> Iterator[list[str]]:
    """The words behind each `perdure COMMAND`, up to the first punctuation: the command and often some of its
    sentence."""
    for start in re.finditer(r"\bperdure (?=[a-z])", text):
        words: list[str] = []
        at = start.end()
        while word := WORD.match(text, at):
            words.append(word.group().strip("'\""))
            at = word.end()
            if text[at : at + 1] != " ":
                break
            at += 1
        words = [*ALIASES.get(words[0], (words[0],)), *words[1:]]
        if words[0] in parsers():
            yield words


def can_be_typed(words: list[str]) -> bool:
    """Where the parser does not know a word, the sentence goes on there if it is a plain one."""
    name, *rest = words
    for size in range(1, len(rest) + 1):
        if not _is_known(name, rest[:size]):
            return bool(PLAIN_WORD.fullmatch(rest[size - 1]))
    return True


def _is_known(name: str, words: list[str]) -> bool:
    """Whether the command takes as many words, and these flags. What a value may be is not asked: it stands for one."""
    try:
        parsers()[name].parse_args(words)
    except errors.BadInput as wrong:
        return "unrecognized" not in wrong.message
    except SystemExit:
        return True
    return True
