"""Cuts a summary into the passages that can state a fact: sentences, items of a list with the line that introduces
them, rows of a table, and neighbours together. Every passage knows its heading and its line."""

from __future__ import annotations

import re
from itertools import islice

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_TEXT = 120_000
"""Characters of a summary that are read. The client's own are shorter than a third of this."""
LONGEST_LINE = 2_000
MOST_SENTENCES = 2_000
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)]|[a-z][.)]|>)\s+(?:\[([ xX~])\]\s*)?")
_HEADING = re.compile(r"\s*#{1,6}\s+(.+)")
_NUMBERED_HEADING = re.compile(r"\s*(?:\d{1,2}[.)]\s+)?\**([A-Z][^.!?:]{2,60})\**:\**\s*")
_SENTENCE = re.compile(
    r"(?<=[.!?;])\s+(?=[\"'“*`(\[]?[^\W\d_a-zà-ÿ]|[\"'“*`(\[]?\d|[\"'“*`]?[a-z])|(?<=[。；！？])|\s[;]\s"
)
_TABLE_RULE = re.compile(r"[\s|:-]+")


@value
class Passage:
    line: int
    pieces: tuple[str, ...]
    """Its sentences, and the line that introduces its list."""
    heading: str = ""
    """The heading above it."""
    is_checked: bool = False
    """An item of a list that is ticked off."""

    @property
    def text(self) -> str:
        return " ".join(self.pieces)

    @property
    def parts(self) -> int:
        return len(self.pieces)


@value
class _Sentence:
    line: int
    text: str
    heading: str
    block: int
    """Sentences of one paragraph or list have the same."""
    is_checked: bool = False
    intro: str = ""
    """The line that introduces the list it is an item of."""


def passages_of(summary: str) -> list[Passage]:
    sentences = _cut(summary)
    found = [_passage(each) for each in sentences]
    found += [_passage(each, each.intro) for each in sentences if each.intro]
    return [*found, *_together(sentences, 2), *_together(sentences, 3)]


def paragraphs_of(summary: str) -> list[Passage]:
    """Larger passages, for what a summary may tell in its own words: up to twelve neighbouring sentences under one
    heading."""
    sentences = _cut(summary)
    found: list[Passage] = []
    for at in range(0, len(sentences), 6):
        some = [each for each in sentences[at : at + 12] if each.heading == sentences[at].heading]
        found.append(Passage(some[0].line, tuple(each.text for each in some), some[0].heading))
    return found


def _cut(summary: str) -> list[_Sentence]:
    return list(islice(_sentences(summary[:LONGEST_TEXT]), MOST_SENTENCES))


def _passage(each: _Sentence, *before: str) -> Passage:
    return Passage(each.line, (*before, each.text), each.heading, is_checked=each.is_checked)


def _together(sentences: list[_Sentence], size: int) -> Iterator[Passage]:
    for at in range(len(sentences) - size + 1):
        some = sentences[at : at + size]
        if some[0].block == some[-1].block:
            yield Passage(some[0].line, tuple(each.text for each in some), some[0].heading)


def _sentences(summary: str) -> Iterator[_Sentence]:
    reading = _Reading()
    for number, line in enumerate(summary.split("\n"), 1):
        yield from reading.take(number, line[:LONGEST_LINE])


class _Reading:
    """Reads a summary line by line. A blank line ends a block; a line that ends with a colon introduces the list below
    it."""

    def __init__(self) -> None:
        self._heading = self._intro = ""
        self._block = 0

    def take(self, number: int, line: str) -> list[_Sentence]:
        titled = _HEADING.match(line) or _NUMBERED_HEADING.fullmatch(line)
        if titled or not line.strip():
            self._block += 1
        if titled:
            self._heading, self._intro = titled[1].strip(" *:"), ""
            return [self._sentence(number, titled[1].strip(" *"))]
        if line.strip().startswith("|"):
            return [self._sentence(number, text) for text in _row(line)]
        return self._prose(number, line)

    def _prose(self, number: int, line: str) -> list[_Sentence]:
        item = _ITEM.match(line)
        text = line[item.end() :] if item else line.strip()
        is_checked = bool(item and item[1] and item[1] in "xX")
        intro = self._intro if item else ""
        if text.rstrip(" *").endswith((":", "：")):
            self._intro = text.strip(" *:")
        elif text and not item:
            self._intro = ""
        parts = [part.strip() for part in _SENTENCE.split(text) if part and part.strip()]
        return [self._sentence(number, part, intro, is_checked=is_checked) for part in parts]

    def _sentence(self, number: int, text: str, intro: str = "", *, is_checked: bool = False) -> _Sentence:
        return _Sentence(
            line=number, text=text, heading=self._heading, block=self._block, intro=intro, is_checked=is_checked
        )


def _row(line: str) -> list[str]:
    """A row of a table as a sentence; none for the line under the header."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    return [] if _TABLE_RULE.fullmatch(line) else [" , ".join(cells)]
