"""Checks the locations that a line names, such as `src/cart.py:12`, before a brief shows them (SPEC 12.2): a file that
is gone is marked as gone, and a line that has moved gets its new number, if that can be found.

    SourceLocations(exists, lines).checked("src/cart.py:12: undefined: total_in_cents") == "… (now at line 15)"
"""

from __future__ import annotations

import re

from perdure.recovery import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SPOT = re.compile(r"(?<![\w./@+-])(/?([\w.@+-]++/)(?:[\w.@+-]++/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,6}):(\d+)(?::\d+)?+")
_MOST_NAMES = 5


class SourceLocations:
    """`exists` says whether a path from the root exists, or None if there is no work tree. `lines` gives a file's
    lines, or None if it cannot be read."""

    def __init__(
        self, exists: Callable[[str], bool | None], lines: Callable[[str], Sequence[str] | None] | None = None
    ) -> None:
        self._exists = exists
        self._lines = lines or (lambda _: None)

    def checked(self, line: str) -> str:
        """The line, followed by what is no longer true about the location that it names."""
        location = _SPOT.search(line)
        if location is None:
            return line
        if self._exists(location[1]) is False:  # the path may be relative to a folder below the root
            return f"{line} (gone)" if self._exists(location[2]) else line
        there = self._lines(location[1])
        drifted = _drifted(there, int(location[3][:9]), _named(line[location.end() :])) if there is not None else ""
        return f"{line} {drifted}" if drifted else line


def _named(said: str) -> list[str]:
    """The names of code in a message."""
    return list(dict.fromkeys([*names.quoted(said), *names.name_like(said, _MOST_NAMES)]))[:_MOST_NAMES]


def _drifted(lines: Sequence[str], number: int, named: list[str]) -> str:
    """What to say about a line of a file: nothing if it still has one of the names, else where the name is now."""
    here = lines[number - 1] if 0 < number <= len(lines) else None
    if here is not None and (not named or any(name in here for name in named)):
        return ""
    for name in named:
        found = [at for at, text in enumerate(lines, 1) if name in text]
        if len(found) == 1:
            return f"(now at line {found[0]})"
    return "" if here is not None else "(moved)"
