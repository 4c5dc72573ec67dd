"""Counts the tokens of a text in cl100k_base, exactly as tiktoken's `encode_ordinary` does (SPEC 12.2).

Special tokens are ordinary text; a lone surrogate counts as U+FFFD. Which characters are letters, numbers or white
space comes from tiktoken's own tables (Unicode 16), not from the interpreter's, which depend on its version.

The count of a text is the sum over its lines, each with its newline, if no line is blank and none has a carriage
return. If a text is split elsewhere, the counts need not add up.

    count("hello world") → 2
    fits("hello world", 2) → False: it is printed with a newline behind it
"""

from __future__ import annotations

import re
from heapq import heapify, heappop, heappush

from perdure.recovery.cl100k import LONGEST, Ranks, vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PIECE = re.compile(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\nA-Za-z0-9]?+[A-Za-z]++|[0-9]{1,3}+| ?[^\sA-Za-z0-9]++[\r\n]*+"
    r"|\s++\Z|\s*[\r\n]|\s+(?!\S)|\s",
    re.ASCII,
)
"""cl100k's pattern for characters that `vocabulary` has mapped to an ASCII character of their class. A character that
is not in the table stays as it is, and is neither letter, number nor space. The long s becomes an s, as in `(?i:s)`."""

_MOST_KEPT = 50_000
"""How many pieces are remembered with their number of tokens."""
_LONGEST_KEPT = 40
"""Characters. A longer piece is not remembered."""


def count(text: str) -> int:
    return sum(map(_tokens.__getitem__, _pieces(text)))


def fits(text: str, budget: int) -> bool:
    """Whether `text` has at most `budget` tokens, both alone and with the newline that is printed behind it: a budget
    is for the whole output, and a hook hands the text over without the newline. Stops once the budget is exceeded.

    The two differ in the last piece only, and either may have more tokens: ".\\r" has two, ".\\r\\n" is one.
    """
    if len(text) >= budget * LONGEST:
        return False
    *pieces, last = _pieces(text + "\n")
    for piece in pieces:
        budget -= _tokens[piece]
        if budget < 0:
            return False
    return budget >= max(_tokens[last], count(last.removesuffix("\n")))


def _pieces(text: str) -> Iterable[str]:
    """The text, split into pieces. No token crosses the border of a piece."""
    if text.isascii():
        return _PIECE.findall(text)
    text = _encodable(text)
    _, classes = vocabulary()
    at = 0
    pieces = []
    for length in map(len, _PIECE.findall(text.translate(classes))):  # every character is in a piece
        pieces.append(text[at : at + length])
        at += length
    return pieces


def _encodable(text: str) -> str:
    """The text with pairs of surrogates joined and lone ones replaced, as tiktoken does."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class _Tokens(dict[str, int]):
    """A cache of the number of tokens by piece: most of a text consists of few different pieces."""

    def __missing__(self, piece: str) -> int:
        ranks, _ = vocabulary()
        data = piece.encode()
        tokens = 1 if data in ranks else _merged(data, ranks)
        if len(piece) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[piece] = tokens
        return tokens


_tokens = _Tokens()


def _merged(piece: bytes, ranks: Ranks) -> int:
    """How many parts are left after joining the pair of the lowest rank, the leftmost of equals, until no pair has one.

    A part is identified by where it starts. The heap holds rank and start in one number; an entry is skipped if the
    rank of its pair has changed since. Time grows as n log n with the length of the piece.
    """
    size = parts = len(piece)
    following = list(range(1, size + 1))
    preceding = list(range(-1, size - 1))
    worth: list[int | None] = [ranks.get(piece[at : at + 2]) for at in range(size)]
    worth[-1] = None
    heap = [rank * size + at for at, rank in enumerate(worth) if rank is not None]
    heapify(heap)
    while heap:
        rank, at = divmod(heappop(heap), size)
        if worth[at] != rank:
            continue
        parts -= 1
        taken = following[at]
        worth[taken] = None
        after = following[at] = following[taken]
        worth[at] = None
        if after < size:
            preceding[after] = at
            worth[at] = joined = ranks.get(piece[at : following[after]])
            if joined is not None:
                heappush(heap, joined * size + at)
        before = preceding[at]
        if before >= 0:
            worth[before] = joined = ranks.get(piece[before:after])
            if joined is not None:
                heappush(heap, joined * size + before)
    return parts
