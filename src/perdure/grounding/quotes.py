"""Is a quote enough to be evidence, and where in a file does it stand? (SPEC 8.1, 8.2)

    text = SearchableText("def add(a, b):\\n    return a + b\\n")
    text.places("return  a + b") == [(2, 2)]
    text.too_little("}") == "The quote has no letter or digit."

`SearchableText` is made once for a file; each search takes time in proportion to the file. What is decided here:

- Runs of white space are equal to one space, also across lines: CRLF, tabs and blank lines make no difference. Nor does
  it matter whether a letter and its accent are one character or two (Unicode's NFC and NFD). A byte order mark at the
  beginning does not count. A line ends with a line feed, as git counts them.
- A quote has whole words: where it would begin or end within a word or a decimal number, it does not count. In Chinese,
  Japanese and Korean, which have no spaces, every character is a word.
- A quote of fewer than 12 non-space characters counts only where it is a whole line.
- `stands_at` looks for a quote that lies within the given lines. It may also begin on the first of them and end further
  down: blank lines or line breaks that came into it are white space.
- A quote without a letter or digit, such as a brace, is never enough; neither is a quote longer than 4,000 characters.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from unicodedata import category, normalize

from perdure.model.pattern import compiled_later
from perdure.model.terms import UNSPACED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Place = tuple[int, int]
    """The first and the last line of a quote; the first line of a file is 1."""

FEWEST = 12
"""Characters that are not spaces. A shorter quote must be a whole line, and the only one like it."""
LONGEST = 4000
"""Characters."""
_NEGATOR = compiled_later(
    r"(?:not|no|never|cannot|without|avoid|dont|kein\w*|nicht|nie|niemals|ne|pas|jamais|nunca|ni|\w+n['’]t)\Z", re.I
)
_CLAUSE_ENDS = compiled_later(r"[.;:!?,](?=\s|\Z)|\n")
_NEAR_WORDS = 3
_FAR = 200
"""Characters."""
_MOST_COMPARED = 40_000_000
"""Characters. A quote that repeats itself can match, or almost match, at every character of a malicious file."""
_MOST_TRIED = 200_000


def plain(text: str) -> str:
    """The text with one space for each run of white space, and none at its ends."""
    return " ".join(normalize("NFC", text.removeprefix("\ufeff")).split())


def loses_a_not(text: str, quote: str) -> bool:
    """Whether the quote leaves out a "not" that stands just before it, wherever it stands: "do not use floats"."""
    words = quote.split()
    if not words:
        return False
    places = [*re.finditer(r"\s+".join(map(re.escape, words)), text)]
    before = (_CLAUSE_ENDS.split(text[max(0, each.start() - _FAR) : each.start()])[-1].split() for each in places)
    return bool(places) and all(any(map(_NEGATOR.match, said[-_NEAR_WORDS:])) for said in before)


def is_short(quote: str) -> bool:
    return len(plain(quote).replace(" ", "")) < FEWEST


class SearchableText:
    """A file's text, prepared for many searches."""

    def __init__(self, text: str) -> None:
        lines = normalize("NFC", text.removeprefix("\ufeff")).split("\n")
        self.length = len(lines)
        """How many lines it has, with the empty one behind the last line feed."""
        self._lines: list[str] = []
        """The plain form of each line that is not blank."""
        self._numbers: list[int] = []
        self._starts: list[int] = []
        """For each of these lines: its number, and where it begins in the plain form of the whole text."""
        at = 0
        for number, line in enumerate(lines, 1):
            kept = " ".join(line.split())
            if kept:
                self._lines.append(kept)
                self._numbers.append(number)
                self._starts.append(at)
                at += len(kept) + 1
        self._plain = " ".join(self._lines)
        self._counts: Counter[str] | None = None

    @property
    def numbered(self) -> tuple[list[int], list[str]]:
        """The lines that are not blank: their numbers, and their plain form."""
        return self._numbers, self._lines

    def too_little(self, quote: str) -> str:
        """Why the quote is not enough to be evidence from this file; empty if it is enough."""
        wanted = plain(quote)
        if not any(map(str.isalnum, wanted)):
            return "The quote has no letter or digit."
        if len(wanted) > LONGEST:
            return f"The quote is longer than {LONGEST:,} characters: quote the lines that the claim rests on."
        if is_short(wanted) and self._times(wanted) > 1:
            return (
                f"The quote has fewer than {FEWEST} non-space characters, and {self._times(wanted)} lines are like it."
            )
        if is_short(wanted) and wanted not in self._lines:
            return f"The quote has fewer than {FEWEST} non-space characters and is not a whole line of the file."
        return ""

    def lacks(self, quote: str) -> bool:
        """Whether a quote of a few words is invented: the file has it nowhere, not even as a part of a word."""
        wanted = plain(quote)
        return is_short(wanted) and any(map(str.isalnum, wanted)) and wanted not in self._plain

    def places(self, quote: str) -> list[Place]:
        """Every place where the quote stands, each once, from the top down."""
        wanted = plain(quote)
        return list(dict.fromkeys(self._found(wanted, 0, len(self._lines))))

    def stands_at(self, quote: str, first: int, last: int) -> Place | None:
        """The first place within these lines, or from the first of them on. Takes no longer in a longer file."""
        wanted = plain(quote)
        top, bottom = bisect_left(self._numbers, first), bisect_right(self._numbers, last)
        if top >= bottom:
            return None
        within = next(self._found(wanted, top, bottom), None)
        if within:
            return within
        reach = self._starts[top] + len(self._lines[top]) + len(wanted)
        found = next(self._found(wanted, top, bisect_right(self._starts, reach)), None)
        return found if found and found[0] == first else None

    def texts(self, first: int, last: int) -> frozenset[str]:
        """What these lines say, each once: those that say enough to be quoted alone, else all that say anything."""
        top, bottom = bisect_left(self._numbers, first), bisect_right(self._numbers, last)
        said = [line for line in self._lines[top:bottom] if any(map(str.isalnum, line))]
        return frozenset([line for line in said if not is_short(line)] or said)

    def _times(self, line: str) -> int:
        if self._counts is None:
            self._counts = Counter(self._lines)
        return self._counts[line]

    def _found(self, wanted: str, top: int, bottom: int) -> Iterator[Place]:
        """The places within some of the lines that are not blank, given by their indexes."""
        if not wanted or len(wanted) > LONGEST or top >= bottom:
            return
        if is_short(wanted):
            yield from ((self._numbers[i], self._numbers[i]) for i in range(top, bottom) if self._lines[i] == wanted)
            return
        length, text, end = len(wanted), self._plain, self._starts[bottom - 1] + len(self._lines[bottom - 1])
        at = text.find(wanted, self._starts[top], end)
        for _ in range(min(_MOST_TRIED, _MOST_COMPARED // length)):
            if at < 0:
                return
            if not _cuts(text, at) and not _cuts(text, at + length):
                yield self._number_at(at), self._number_at(at + length - 1)
            at = text.find(wanted, at + 1, end)

    def _number_at(self, at: int) -> int:
        return self._numbers[bisect_right(self._starts, at) - 1]


def _cuts(text: str, at: int) -> bool:
    """Whether a word or a decimal number goes on across this point of the text."""
    before, after = text[max(at - 2, 0) : at], text[at : at + 2]
    if not before or not after:
        return False
    if _in_word(before[-1]) and _in_word(after[0]):
        return not (UNSPACED.match(before[-1]) or UNSPACED.match(after[0]))
    return _is_decimal(before[-1] + after) or _is_decimal(before + after[0])


def _in_word(character: str) -> bool:
    return character == "_" or character.isalnum() or category(character)[0] == "M"


def _is_decimal(three: str) -> bool:
    return len(three) == 3 and three[1] == "." and three[0].isdigit() and three[2].isdigit()
