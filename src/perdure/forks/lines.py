"""Splits a text into what can state something: clauses of prose, rows of tables, pairs of JSON. Source code is left
out."""

from __future__ import annotations

import re

from perdure.forks.sections import stated_lines
from perdure.forks.vocabulary import (
    CHANGED,
    DATA_LANGUAGES,
    FROM,
    NO_LONGER,
    NOT_ANY_MORE,
    NOT_IN_SHORT,
    NOT_NOW,
    REASON,
)
from perdure.model.json import parse
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.model.json import Json

LONGEST_TEXT = 200_000
"""Characters; the rest of a longer text is not read."""
LONGEST_LINE = 2_000
_DEEPEST = 12
_FENCE = re.compile(r"\s*(?:[-*+]\s+)?(`{3,}|~{3,})\s*([\w.+-]*)")
_CLAUSE = re.compile(r"(?<=[.!?])\s+|;\s+|[。；！？]")
_HEADING = re.compile(r"\s*#{1,6}\s")
_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?\Z")
_YAML_PAIR = re.compile(r"(\s*)(?:-\s+)?([\w.-]+)\s*:(?:\s+(\S.*)|\s*)\Z")
_SECTION = re.compile(r"\s*\[+([\w.-]+)\]+\s*\Z")
_PAIR = re.compile(r"\s*([\w.-]+)\s*=\s*\S")


@value
class Line:
    number: int
    text: str
    titles: tuple[str, ...] = ()
    """The titles of the columns, if it is a row of a table that has them."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The parts that state what counts now."""
        if _HEADING.match(self.text):
            return ()
        text = NO_LONGER.sub("is not", FROM.sub(r"\1 ", CHANGED.sub("is set to", self.text)))
        text = NOT_ANY_MORE.sub(r"\1", NOT_IN_SHORT.sub(r"\1 not", text))
        parts = (REASON.sub("", part) for part in _CLAUSE.split(text) if part.strip())
        return tuple(part for part in parts if not NOT_NOW.search(part))

    @property
    def cells(self) -> tuple[str, ...]:
        return _cells(self.text)


def _cells(row: str) -> tuple[str, ...]:
    """The cells of a row of a Markdown table."""
    text = row.strip()
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
            numbered = [(first + at, line[:LONGEST_LINE]) for at, line in enumerate(block)]
            prose += _with_titles(stated_lines(numbered))
            prose += [Line(number, line) for number, line in _full_names(numbered, language or "")]
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


def _with_titles(numbered: Iterable[tuple[int, str]]) -> Iterator[Line]:
    """Without the rows of titles, which state nothing: `Format | Description`."""
    titles: tuple[str, ...] = ()
    lines = list(numbered)
    for (number, text), (_, following) in zip(lines, [*lines, (0, "")][1:], strict=True):
        if not text.strip().startswith("|"):
            titles = ()
        elif _cells(text) and not _RULE.match(text) and _RULE.match(following):
            titles = _cells(text)
            continue
        yield Line(number, text, titles)


def _full_names(numbered: Iterable[tuple[int, str]], language: str) -> Iterator[tuple[int, str]]:
    """The pairs of nested YAML and of sections in TOML, each with its whole name: `server.port: 8080`."""
    above: list[tuple[int, str]] = []
    section = ""
    for number, text in numbered:
        pair = _YAML_PAIR.match(text) if language in ("yaml", "yml") else None
        title = _SECTION.match(text) if language in ("toml", "ini") else None
        if pair:
            above = [each for each in above if each[0] < len(pair[1])][:_DEEPEST]
            names = [name for _, name in above] + [pair[2]]
            above.append((len(pair[1]), pair[2]))
            if pair[3] and len(names) > 1:
                yield number, f"{'.'.join(names)}: {pair[3]}"
        elif title:
            section = title[1]
        elif section and _PAIR.match(text):
            yield number, f"{section}.{text.strip()}"


def _parsed(text: str) -> Json:
    """The text as a JSON object or list; None if it is neither."""
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
