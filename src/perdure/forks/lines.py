"""Splits a text into what can state something: clauses of prose, rows of tables, pairs of JSON. Source code is left
out."""

from __future__ import annotations

import re

from perdure.forks.vocabulary import DATA_LANGUAGES, NOT_NOW
from perdure.model.json import parse
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.model.json import Json

LONGEST_TEXT = 200_000
"""Characters; the rest of a longer text is not read."""
LONGEST_LINE = 2_000
_DEEPEST = 12
_FENCE = re.compile(r"\s*(?:[-*+]\s+)?(`{3,}|~{3,})\s*([\w.+-]*)")
_CLAUSE = re.compile(r"(?<=[.!?])\s+|;\s+|[。；！？]")
_HEADING = re.compile(r"\s*#{1,6}\s")


@value
class Line:
    number: int
    text: str

    @property
    def clauses(self) -> tuple[str, ...]:
        """The parts that state what counts now."""
        if _HEADING.match(self.text):
            return ()
        return tuple(part for part in _CLAUSE.split(self.text) if part.strip() and not NOT_NOW.search(part))

    @property
    def cells(self) -> tuple[str, ...]:
        """Of a row of a Markdown table."""
        text = self.text.strip()
        if not text.startswith("|") or text.count("|") < 3:
            return ()
        return tuple(cell.strip(" `*_\t") for cell in text.strip("|").split("|"))


def lines_of(text: str) -> tuple[list[Line], list[tuple[int, Json]]]:
    """The lines of prose and data, and each JSON text with the number of its first line."""
    text = text[:LONGEST_TEXT]
    whole = _parsed(text)
    if whole is not None:
        return [], [(1, whole)]
    prose: list[Line] = []
    found: list[tuple[int, Json]] = []
    for first, language, block in _blocks(text):
        data = _parsed("\n".join(block)) if language is not None else None
        if data is not None:
            found.append((first, data))
        elif language is None or language in DATA_LANGUAGES:
            prose += [Line(first + at, line[:LONGEST_LINE]) for at, line in enumerate(block)]
    for line in prose:
        data = _parsed(line.text)
        if data is not None:
            found.append((line.number, data))
    return prose, found


def _blocks(text: str) -> Iterator[tuple[int, str | None, list[str]]]:
    """Runs of lines, each with the number of its first; the language of a fenced block, None outside of one."""
    block: list[str] = []
    language: str | None = None
    fence, first = "", 1
    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        is_end = bool(fence and mark and mark[1].startswith(fence) and not mark[2])
        if is_end or (mark and not fence):
            yield first, language, block
            fence, language = ("", None) if is_end or mark is None else (mark[1], mark[2].lower())
            block, first = [], number + 1
        else:
            block.append(line)
    yield first, language, block


def _parsed(text: str) -> Json:
    """The JSON object or list that the text is; None if it is none."""
    if not text.strip().startswith(("{", "[")):
        return None
    try:
        found = parse(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def objects_in(content: Json, depth: int = 0, path: str = "") -> Iterator[tuple[str, dict[str, Json]]]:
    """Every object in it, with the names that lead to it, joined by dots."""
    if depth > _DEEPEST:
        return
    if isinstance(content, list):
        for part in content:
            yield from objects_in(part, depth + 1, path)
    elif isinstance(content, dict):
        yield path, content
        for name, part in content.items():
            yield from objects_in(part, depth + 1, f"{path}.{name}" if path else name)
