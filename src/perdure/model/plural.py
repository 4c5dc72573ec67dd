"""A number and what it counts, in words.

counted(1, "event") == "1 event"; counted(1200, "entry", "entries") == "1,200 entries"
counted_many(1, "approaches") == "1 approach"
"""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """`many` is needed only if the plural is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def counted_many(number: int, many: str) -> str:
    """For callers that have the plural: `many` ends in s, or in ches."""
    one = many.removesuffix("es") if many.endswith("ches") else many.removesuffix("s")
    return counted(number, one, many)
