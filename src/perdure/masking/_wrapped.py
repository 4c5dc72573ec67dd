"""Finds tokens that a terminal, a mail or a string broke over two or more lines.

Invariants: only findings of a rule or shape for one service count, and only if they cross a line's end. Lines are
joined in windows of bounded length, and each window is searched once: time is linear in the text.

Use: ``for begin, end, start, stop in wrapped_tokens(text): …``
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

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
    """Each token of a known service that continues on the next line."""
    for pieces in _chains(text):
        for start, stop in _tokens_over(text, pieces):
            yield start, stop, start, stop


def _chains(text: str) -> Iterator[list[Span]]:
    """Lists of pieces, each at a line's end with the next at the beginning of the line below."""
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
    """Each token in the joined pieces that reaches over at least one line's end."""
    joined = "".join(text[start:end] for start, end in pieces)
    if len(joined) < _SHORTEST or not is_mixed(joined):
        return
    begins = [0, *accumulate(end - start for start, end in pieces)]  # where each piece begins in the joined text
    for begin, start, end in _found(joined):
        first, last = bisect_right(begins, start) - 1, bisect_right(begins, end - 1) - 1
        if first == last or begins[first + 1] - start < _SHORTEST_BEGINNING:
            continue
        for _ in range(_MOST_LINES_TOO_MANY):
            before, rest = joined[begin : begins[last]], joined[begins[last] : end]
            following = _character_at(text, pieces[last][0] + len(rest))
            if _goes_on(before, rest, following=following):
                yield pieces[first][0] + start - begins[first], pieces[last][0] + end - begins[last]
                break
            end, last = begins[last], last - 1  # perhaps the token ends with the line before
            if first == last:
                break


def _character_at(text: str, at: int) -> str:
    return text[at : at + 1]


def _goes_on(before: str, rest: str, *, following: str) -> bool:
    """Whether the text on the last line is the token's rest, and not the next word.

    A token of fixed length matches only together with its rest, and not with more text behind it. If the token may
    have any length, the rest must look like a part of a token.
    """
    if not _reaches_end(before) and not _reaches_end(before + rest + _PROLONGED):
        return True
    return len(rest) >= _SHORTEST_BEGINNING and not reads_as_names(rest) and following not in _BEGINS_SOMETHING


def _reaches_end(text: str) -> bool:
    return any(end >= len(text) for _, _, end in _found(text))


def _found(joined: str) -> list[tuple[int, int, int]]:
    """What the rules and shapes for one service find: where the match begins, where the token begins and ends."""
    from . import _ruleset, _shapes

    low = lowered(joined)
    found = [(begin, start, end) for begin, _, _, start, end in _shapes.find_tokens(joined, low)]
    rules = _ruleset.find(joined, low)
    return found + [(begin, start, end) for begin, _, id, start, end in rules if id != _ruleset.GENERIC]
