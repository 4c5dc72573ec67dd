"""The share of what was said that is grounded (SPEC 8.3).

    ratio([Said("it adds", True), Said("It adds.", True), Said("it divides", False)])      # 1 of 2: 0.5

The same sentence counts once, however often it is said and by whomever; case, white space, quotation marks and what
ends a clause do not matter. Other signs do: `x < 3` and `x > 3`, C and C++, 3.5 and 35 are not the same. If it was
accepted several times, the last time counts, so give them in the order in which they were said. What rests on the same
lines counts once, in whatever words: a hundred sentences about one line are not a hundred facts, nor is the line in a
copy of its file, or repeated in its own. A refused claim counts
besides an accepted one with the same words, and is never grounded. If nothing was said, there is no ratio, and `passes`
is True.
"""

from __future__ import annotations

from unicodedata import normalize

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NEEDED = 0.95
_NEEDED_IN_TWENTY = 19
_BEFORE_WORD, _AFTER_WORD = "\"'`“”‘’«»([", "\"'`“”‘’«»)].,;:!?…"
"""Quotation marks and brackets around a word, and what ends a clause."""


@value
class Lines:
    """Where the evidence stands."""

    path: str
    first: int
    last: int
    texts: frozenset[str] = frozenset()
    """What the lines say, if they were read: a changed copy of a file says the same again."""


@value
class Said:
    """A claim or a decision."""

    words: str
    grounded: bool
    refused: bool = False
    lines: Lines | None = None
    kind: str = ""
    """A decision and a claim of the same words are two."""
    id: str = ""

    @property
    def counts_as_grounded(self) -> bool:
        return self.grounded and not self.refused


@value
class Ratio:
    grounded: int
    total: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None if nothing was said."""
        return self.grounded / self.total if self.total else None

    @property
    def passes(self) -> bool:
        """In whole numbers: 19 of 20 is enough, however a computer divides."""
        return 20 * self.grounded >= _NEEDED_IN_TWENTY * self.total

    @property
    def lacking(self) -> int:
        """How many more grounded ones would make it pass."""
        return max(0, _NEEDED_IN_TWENTY * self.total - 20 * self.grounded)


def ratio(said: Iterable[Said]) -> Ratio:
    counted = distinct(said)
    grounded = [each for each in counted if each.counts_as_grounded]
    with_lines = [each.lines for each in grounded if each.lines]
    number = len(grounded) - len(with_lines) + _apart(with_lines)
    return Ratio(number, number + len(counted) - len(grounded))


def distinct(said: Iterable[Said]) -> list[Said]:
    """Without repetitions: the last of those with the same words."""
    return list({(each.kind, _plain(each.words), each.refused): each for each in said}.values())


def _apart(places: Iterable[Lines]) -> int:
    """How many of these places can be chosen so that no two share a line, nor say the same, nor, in two files, half of
    it."""
    number, path, last = 0, "", 0
    having: dict[str, list[Lines]] = {}
    for each in sorted(places, key=lambda place: (place.path, place.last, place.first)):
        if (each.path != path or each.first > last) and not _is_said_already(each, having):
            number, path, last = number + 1, each.path, each.last
            for text in each.texts:
                having.setdefault(text, []).append(each)
    return number


def _is_said_already(lines: Lines, having: Mapping[str, Sequence[Lines]]) -> bool:
    return any(_says_the_same(lines, each) for text in lines.texts for each in having.get(text, ()))


def _says_the_same(lines: Lines, other: Lines) -> bool:
    """A file may have a line, or some, more than once. In two files, half of them are enough: one is a changed copy."""
    if lines.path == other.path:
        return lines.texts == other.texts
    return 2 * len(lines.texts & other.texts) >= min(len(lines.texts), len(other.texts))


def _plain(words: str) -> str:
    """Without case, extra white space, and signs around words. A sentence of such signs alone keeps them."""
    folded = normalize("NFKC", words).casefold()
    words_alone = (word.lstrip(_BEFORE_WORD).rstrip(_AFTER_WORD) for word in folded.split())
    return " ".join(filter(None, words_alone)) or " ".join(folded.split())
