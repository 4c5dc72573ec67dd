"""Folds an answer whose lines are too long for the terminal. Loaded only for such a terminal.

folded("goals        prices in cents, rounded only at the end", 30)
"""

from __future__ import annotations

import re

from perdure.surfaces.output import width_of

_COMMANDS = ("perdure ", "rm ")
"""How a line begins that a person copies: it stays whole."""
_LABEL_ENDS = 16
"""Columns within which a label before a text ends; the text goes on below itself. A wide terminal has room for more."""
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_LABEL = re.compile(r" *\S.*? {2,}")
_PIECE = re.compile(r" *(?:\bperdure(?: [a-z]+){1,2}(?: [0-9a-f]{8})?\S*|\S+)")
"""What stays on one line: a word, or the beginning of a command that a person copies, with its id."""


def folded(text: str, columns: int) -> str:
    """The text in lines that fit, broken between words. What follows a label goes on below itself, not below it."""
    return "\n".join(part for line in text.split("\n") for part in _folded_line(line, columns))


def _folded_line(line: str, columns: int) -> list[str]:
    if width_of(line) <= columns or line.lstrip().startswith(_COMMANDS):
        return [line]
    label_ends = max(_LABEL_ENDS, 2 * columns // 5)
    indent = " " * min(_text_begins(line, label_ends), 2 * columns // 3)
    lines, now = [], ""
    for word in _PIECE.findall(line):
        if now.strip() and width_of(now) + width_of(word.rstrip()) > columns:
            lines.append(now.rstrip())
            now, word = indent, word.lstrip()
        now += word
    return [*lines, now.rstrip()]


def _text_begins(line: str, label_ends: int) -> int:
    """The column where the text begins: after a label and at least two spaces, or after the spaces at the left."""
    plain = _ESCAPE.sub("", line)
    found = _LABEL.match(plain)
    return found.end() if found and found.end() <= label_ends else len(plain) - len(plain.lstrip())
