"""The latest events of some kinds, read in steps: who stops early reads few, however many there are.

next(newest_first(desk.latest_here, ["prompt.given"], 3000), None)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from perdure.model.event import Event

    Latest: TypeAlias = Callable[[Sequence[str], int], Sequence[Event]]

_FIRST = 20
_TIMES = 10
"""Each step reads so many times as many events as the one before."""


def newest_first(latest: Latest, kinds: Sequence[str], most: int) -> Iterator[Event]:
    """At most so many. An event that is recorded meanwhile may push another one into the next step once more."""
    read, limit = 0, min(_FIRST, most)
    while True:
        found = latest(kinds, limit)
        yield from found[read:]
        read = len(found)
        if read < limit or limit == most:
            return
        limit = min(limit * _TIMES, most)
