"""What of a prompt the person says themselves, and what they only pass on.

    own_words("it says:\\n> drop the index\\nis that right?")     without the quoted line

Fenced blocks, quoted lines (`> …`), elements that have lines of their own (`<log>…</log>`) and what a client puts into
a prompt (`<task-notification>…</task-notification>`) are passed on: an error message, a tool's output, another agent's
words. They are not evidence of what the person wants (SPEC 8.2). A text that the person pasted without any mark cannot
be told from their own.
"""

from __future__ import annotations

import re
from bisect import bisect_left

PASSED_ON = "\n\0\n"
"""Stands for what was taken out, so that no quote reaches across it."""
_FENCE = re.compile(r"(?:[-*+] +)?(`{3,}|~{3,})")
_ELEMENT = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>")
_NOTICE = re.compile(r"<([a-z]+[-_][\w-]*)(?:\s[^<>]*)?>")
_CLOSING = re.compile(r"</([A-Za-z][\w-]*)>")


def own_words(prompt: str) -> str:
    lines = _without_notices(prompt).split("\n")
    closings = _closings(lines)
    kept: list[str] = []
    at = 0
    while at < len(lines):
        end = _end_of_block(lines, at, closings=closings)
        kept += [PASSED_ON] if end > at else [lines[at]]
        at = max(end, at + 1)
    return "\n".join(kept)


def _without_notices(prompt: str) -> str:
    """Without elements of programs, also within a line. Their names have two words, as no element of HTML's has."""
    kept, at, never_closed = "", 0, set[str]()
    for opened in _NOTICE.finditer(prompt):
        if opened.start() < at or opened[1] in never_closed:
            continue
        closing = f"</{opened[1]}>"
        end = prompt.find(closing, opened.end())
        if end < 0:
            never_closed.add(opened[1])
            continue
        kept += prompt[at : opened.start()] + PASSED_ON
        at = end + len(closing)
    return kept + prompt[at:]


def _closings(lines: list[str]) -> dict[str, list[int]]:
    """The lines that close an element, by its name."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        for name in _CLOSING.findall(line):
            found.setdefault(name, []).append(number)
    return found


def _end_of_block(lines: list[str], at: int, *, closings: dict[str, list[int]]) -> int:
    """The index behind the block that begins with this line; the line's own index if none does."""
    line = lines[at].lstrip()
    fence, element = _FENCE.match(line), _ELEMENT.match(line)
    if fence:
        return _behind_fence(lines, at + 1, fence[1])
    if element:
        return _behind_element(lines, at, f"</{element[1]}>", closed_at=closings.get(element[1], []))
    return at + 1 if line.startswith(">") else at


def _behind_fence(lines: list[str], at: int, opened: str) -> int:
    """A fence that is not closed reaches to the end."""
    for number in range(at, len(lines)):
        line = lines[number].strip()
        if line.startswith(opened) and not line.strip(opened[0]):
            return number + 1
    return len(lines)


def _behind_element(lines: list[str], at: int, closing: str, *, closed_at: list[int]) -> int:
    """An element that is not closed at the end of a line is part of a sentence."""
    place = bisect_left(closed_at, at)
    if place == len(closed_at) or not lines[closed_at[place]].rstrip().endswith(closing):
        return at
    return closed_at[place] + 1
