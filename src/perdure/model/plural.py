"""A number and what it counts, in words.

counted(1, "event") == "1 event"; counted(1200, "entry", "entries") == "1,200 entries"
"""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """`many` is needed where the plural is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
