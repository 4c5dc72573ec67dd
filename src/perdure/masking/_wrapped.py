"""Owns: tokens that a terminal, a mail or a string broke over two or more lines.

Invariants: only what a rule or shape for one service finds counts, and only where it reaches over a line's end. Lines
are joined in windows of bounded length that are looked at once: time is linear in the text.

Use: ``for begin, end, start, stop in wrapped_tokens(text): …``
"""

from __future__ import annotations

import re
from bisect import bisect_right

from ._names import is_mixed
from ._screen import lowered, reads_as_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int]

_JOINT = re.compile(
    r"""(?<![\w.+/~=-])(?P<piece>[\w.+/~=-]{4,}+)
        ["'`]?[ \t]{0,4}(?:\\{0,2}\r?\n|\\{1,2}r?\\{0,2}n)[ \t]{0,40}[>|+\#*]{0,2}[ \t]{0,4}["'`]?
        (?=[\w.+/~=-]{4})""",
    re.VERBOSE | re.ASCII,
)
_LAST = re.compile(r"[\w.+/~=-]+", re.ASCII)
_WINDOW = 4096
_SHORTEST = 20
_SHORTEST_BEGINNING = 4
_MOST_LINES_TOO_MANY = 3
_PROLONGED = "Q7x"
_BEGINS_SOMETHING = ("=", ":", "(", "[")


def wrapped_tokens(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each token of a known service that goes on in the next line."""
    for pieces in _chains(text):
        for start, stop in _tokens_over(text, pieces):
            yield start, stop, start, stop


def _chains(text: str) -> Iterator[list[Span]]:
    """Runs of characters, each at a line's end with the next at the beginning of the line below."""
    pieces: list[Span] = []
    size = follows = 0
    for joint in _JOINT.finditer(text):
        piece = joint.span("piece")
        if pieces and (joint.start() != follows or size > _WINDOW):
            yield [*pieces, _piece_at(text, follows)]
            pieces, size = [], 0
        pieces.append(piece)
        size += piece[1] - piece[0]
        follows = joint.end()
    if pieces:
        yield [*pieces, _piece_at(text, follows)]


def _piece_at(text: str, at: int) -> Span:
    found = _LAST.match(text, at)
    return found.span() if found else (at, at)


def _tokens_over(text: str, pieces: list[Span]) -> Iterator[Span]:
    joined = "".join(text[start:end] for start, end in pieces)
    if len(joined) < _SHORTEST or not is_mixed(joined):
        return
    begins = [0]
    for start, end in pieces:
        begins.append(begins[-1] + end - start)
    for begin, start, end in _found(joined):
        first, last = bisect_right(begins, start) - 1, bisect_right(begins, end - 1) - 1
        if first == last or begins[first + 1] - start < _SHORTEST_BEGINNING:
            continue
        for _ in range(_MOST_LINES_TOO_MANY):
            token = joined[begin : begins[last]], joined[begins[last] : end]
            if first == last or _goes_on(*token, following=_character_at(text, pieces[last][0] + len(token[1]))):
                break
            end, last = begins[last], last - 1  # perhaps only the line before belongs to it
        else:
            continue
        if first < last:
            yield pieces[first][0] + start - begins[first], pieces[last][0] + end - begins[last]


def _character_at(text: str, at: int) -> str:
    return text[at : at + 1]


def _goes_on(before: str, rest: str, *, following: str) -> bool:
    """Whether what stands in the last line is the token's rest, and not the next word.

    A token of one length is whole only with the rest, and none with more behind it. Of one that may have any length,
    the rest must look like a token's.
    """
    if not _reaches_end(before) and not _reaches_end(before + rest + _PROLONGED):
        return True
    return len(rest) >= _SHORTEST_BEGINNING and not reads_as_names(rest) and following not in _BEGINS_SOMETHING


def _reaches_end(text: str) -> bool:
    return any(end >= len(text) for _, _, end in _found(text))


def _found(joined: str) -> list[tuple[int, int, int]]:
    """What the rules and shapes that know their service find: where it begins, where the token does, where it ends."""
    from . import _ruleset, _shapes

    low = lowered(joined)
    found = [(begin, start, end) for begin, _, _, start, end in _shapes.find_tokens(joined, low)]
    rules = _ruleset.find(joined, low)
    return found + [(begin, start, end) for begin, _, id, start, end in rules if id != _ruleset.GENERIC]
