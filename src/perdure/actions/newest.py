"""The latest events of some kinds, or documents, read in steps: who stops early reads few, however many there are.

next(newest_first(desk.latest_here, ["prompt.given"], 3000), None)
newest_document(desk.ledger, "session", lambda found: found.body.source == "resume")
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Event
    from perdure.model.state import Document

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


def newest_document(ledger: ReadableLedger, kind: str, is_sought: Callable[[Document], bool]) -> Document | None:
    """The document that changed last among those that are sought, however many others changed since."""
    limit = _FIRST
    while True:
        found = ledger.documents(kind, limit=limit)
        sought = next(filter(is_sought, found), None)
        if sought or len(found) < limit:
            return sought
        limit *= _TIMES
