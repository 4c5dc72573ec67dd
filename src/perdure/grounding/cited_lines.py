"""Where do lines stand now that somebody named by their numbers? (SPEC 12.2)

    seen = see(text, 12, 14)                # when they were named; None if there are no such lines, or only blank ones
    find(seen, text_now, 12, last=14)       # verified, moved with the new lines, or changed

A note names a place without a quote, so Perdure looks itself at what stands there. It keeps digests and not the words:
a file may hold what belongs into no record. What is decided here:

- Lines are compared as `grounding/quotes.py` does it: white space and blank lines make no difference.
- The cited lines must all be there, one after the other. If there are several such places, the one with the most of the
old
  neighbours counts, then the one nearest to the old place. A line that stands in several places and has none of its
  neighbours any more is changed: it may be any of them.
"""

from __future__ import annotations

from itertools import islice

from perdure.grounding.outcome import Outcome
from perdure.model.digest import sha256
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perdure.grounding.quotes import SearchableText

MOST_LINES = 400
"""Only so many lines of a longer citation are compared."""
NEIGHBOURS = 2
"""Lines above and below that are kept."""
_MOST_PLACES = 1000
"""A line that a malicious file repeats has no more places than this."""
_DIGITS = 16


@value
class SeenLines:
    """Cited lines as they were. `offset`: how many blank lines the citation begins with."""

    first: str
    """The digest of the first one that is not blank."""
    all: str
    """The digest of all of them."""
    count: int
    offset: int = 0
    above: tuple[str, ...] = ()
    """Digests of the lines above, the nearest first."""
    below: tuple[str, ...] = ()


@value
class FoundLines:
    outcome: Outcome
    first: int = 0
    last: int = 0


def see(text: SearchableText, first: int, last: int) -> SeenLines | None:
    numbers, lines = text.numbered
    cited = [at for at, number in enumerate(numbers) if first <= number <= last][:MOST_LINES]
    if not cited:
        return None
    top, bottom = cited[0], cited[-1] + 1
    return SeenLines(
        first=_digest(lines[top]),
        all=_together(lines[top:bottom]),
        count=bottom - top,
        offset=numbers[top] - first,
        above=tuple(map(_digest, reversed(lines[max(0, top - NEIGHBOURS) : top]))),
        below=tuple(map(_digest, lines[bottom : bottom + NEIGHBOURS])),
    )


def find(seen: SeenLines, text: SearchableText, first: int, *, last: int) -> FoundLines:
    """`first` and `last` are the cited lines."""
    numbers, lines = text.numbered
    places = list(islice(_places(seen, lines), _MOST_PLACES))
    if not places:
        return FoundLines(Outcome.CHANGED)
    known = {at: _neighbours(seen, lines, at) for at in places}
    cited = first + seen.offset
    best = min(places, key=lambda at: (-known[at], abs(numbers[at] - cited), at))
    if len(places) > 1 and not known[best] and (seen.above or seen.below):
        return FoundLines(Outcome.CHANGED)
    if numbers[best] == cited:
        return FoundLines(Outcome.VERIFIED, first, last)
    begins = max(1, numbers[best] - seen.offset)
    return FoundLines(Outcome.MOVED, begins, begins + last - first)


def _places(seen: SeenLines, lines: Sequence[str]) -> Iterator[int]:
    for at, line in enumerate(lines):
        if _digest(line) == seen.first and (seen.count == 1 or _together(lines[at : at + seen.count]) == seen.all):
            yield at


def _neighbours(seen: SeenLines, lines: Sequence[str], at: int) -> int:
    """How many of the lines above and below are as they were."""
    below = at + seen.count
    return sum(
        one == _digest(other)
        for known, now in ((seen.above, lines[max(0, at - NEIGHBOURS) : at][::-1]), (seen.below, lines[below:]))
        for one, other in zip(known, islice(now, NEIGHBOURS), strict=False)
    )


def _together(lines: Sequence[str]) -> str:
    return _digest("\n".join(lines))


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
