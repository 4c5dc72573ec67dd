"""Texts a regular expression matches, at random: to try every rule of the rule set, not only those we know."""

from __future__ import annotations

import random
import re
import string
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_WORD = string.ascii_letters + string.digits + "_"
_CATEGORIES = {
    op.CATEGORY_DIGIT: string.digits,
    op.CATEGORY_WORD: _WORD,
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_NOT_SPACE: _WORD + "!#%+",
    op.CATEGORY_NOT_WORD: " .,;",
    op.CATEGORY_NOT_DIGIT: string.ascii_letters,
}
_PRINTABLE = string.ascii_letters + string.digits + "!#$%()*+,-./:;<=>?@[]^_{|}~ "
_FEW = 8  # how far beyond its least an open-ended repeat goes


def sample(pattern: str, dice: random.Random) -> str:
    """One text the pattern matches, but for what stands around it."""
    return "".join(_piece(item, dice, False) for item in parser.parse(pattern, re.ASCII))


def _piece(item: tuple[Any, Any], dice: random.Random, any_case: bool) -> str:
    kind, value = item
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.IN:
        char = dice.choice(_members(value))
        return char.swapcase() if any_case and dice.random() < 0.5 else char
    if kind is op.ANY:
        return dice.choice(_PRINTABLE)
    if kind is op.NOT_LITERAL:
        return dice.choice([char for char in _PRINTABLE if ord(char) != value])
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, most, inner = value
        times = dice.randint(least, min(most, least + _FEW))
        return "".join(_piece(part, dice, any_case) for _ in range(times) for part in inner)
    if kind is op.SUBPATTERN:
        _, on, off, inner = value
        any_case = (any_case or bool(on & re.IGNORECASE)) and not off & re.IGNORECASE
        return "".join(_piece(part, dice, any_case) for part in inner)
    if kind is op.BRANCH:
        return "".join(_piece(part, dice, any_case) for part in dice.choice(value[1]))
    if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):
        return ""
    raise NotImplementedError(str(kind))


def _members(parts: list[tuple[Any, Any]]) -> str:
    chars: set[str] = set()
    for kind, value in parts:
        if kind is op.LITERAL:
            chars.add(chr(value))
        elif kind is op.RANGE:
            chars.update(map(chr, range(value[0], value[1] + 1)))
        elif kind is op.CATEGORY:
            chars.update(_CATEGORIES[value])
    if parts[0][0] is op.NEGATE:
        chars = set(_PRINTABLE) - chars
    return "".join(sorted(chars & set(string.printable)))
