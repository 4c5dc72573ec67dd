"""Reads a client's own summary, the least trusted source (SPEC 12.3): what was asked for and what was left to do.

It is used only if the transcript begins with it: then what it describes is not in the transcript.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"\A(?:#++|\*\*|(\d++[.)]))[\s*]*+(?=[A-Z])")
"""How a heading begins."""
_WANTED = re.compile(r"next step|pending|current work|user messages|primary request|todo|remaining|open", re.I)
_ORDER = ("next step", "pending", "todo", "remaining", "open", "user messages", "current work", "primary request")
_CLIENTS_WORDS = re.compile(
    r"^(?:If you need specific details from before|(?:Please )?[Cc]ontinue the conversation from)", re.M
)
_LONGEST = 240
"""Characters of a line."""
_MOST = 16
"""Lines in all."""
_OF_EACH = 5
"""Lines of one section."""
_SHORTEST_HEADING = 3
_LONGEST_HEADING = 61
"""Characters."""


def points(summary: str) -> list[str]:
    """Its useful lines; those about what is to be done come first."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in _CLIENTS_WORDS.split(summary)[0].split("\n"):
        head = _heading(line.strip())
        if head:
            heading, line = head
        text = " ".join(line.strip(" -*•\t").split())
        if text and _WANTED.search(heading):
            found.setdefault(heading, []).append(_cut(text))
    ordered = sorted(found, key=lambda name: next((n for n, word in enumerate(_ORDER) if word in name), len(_ORDER)))
    return [text for name in ordered for text in _some(name, found[name])][:_MOST]


def _heading(line: str) -> tuple[str, str] | None:
    """A heading, and the text behind it on its line; None if the line is not a heading."""
    mark = _MARK.match(line)
    if mark is None:
        return None
    title, _, behind = line[mark.end() :].partition(":")
    title, behind = title.rstrip("* \t"), behind.lstrip("*")
    is_one = _SHORTEST_HEADING <= len(title) <= _LONGEST_HEADING and (bool(mark[1]) or not behind.strip())
    return (title.lower(), behind) if is_one else None


def _some(heading: str, lines: list[str]) -> list[str]:
    """The person's last messages, newest first; the first lines of any other section."""
    return lines[: -_OF_EACH - 1 : -1] if "messages" in heading else lines[:_OF_EACH]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
