"""A client's own summary, as a source of the lowest rank (SPEC 12.3): what it says was asked and what was left to do.

Of use only where the transcript begins with it, because what it speaks of is not in the file.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"\A(?:#++|\*\*|(\d++[.)]))[\s*]*+(?=[A-Z])")
"""What a heading begins with."""
_WANTED = re.compile(r"next step|pending|current work|user messages|primary request|todo|remaining|open", re.I)
_ORDER = ("next step", "pending", "todo", "remaining", "open", "user messages", "current work", "primary request")
_CLIENTS_WORDS = re.compile(
    r"^(?:If you need specific details from before|(?:Please )?[Cc]ontinue the conversation from)", re.M
)
_LONGEST, _MOST, _OF_EACH = 240, 16, 5
_SHORTEST, _WIDEST = 3, 61
"""Characters of a heading."""


def points(summary: str) -> list[str]:
    """Its telling lines, those on what is to be done first."""
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
    """A heading, and what stands behind it on its line."""
    mark = _MARK.match(line)
    if mark is None:
        return None
    title, _, behind = line[mark.end() :].partition(":")
    title, behind = title.rstrip("* \t"), behind.lstrip("*")
    is_one = _SHORTEST <= len(title) <= _WIDEST and (bool(mark[1]) or not behind.strip())
    return (title.lower(), behind) if is_one else None


def _some(heading: str, lines: list[str]) -> list[str]:
    """Of what the person said the last counts, newest first; of the rest what comes first."""
    return lines[: -_OF_EACH - 1 : -1] if "messages" in heading else lines[:_OF_EACH]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
