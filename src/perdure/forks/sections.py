"""Which lines of a text stand under a title that takes them back: "Alternatives considered:", "## Rejected". Such lines
tell what somebody thought of, and state nothing that counts now."""

from __future__ import annotations

import re

from perdure.forks.vocabulary import ASIDE
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEADING = re.compile(r"\s*(#{1,6})\s")
_ITEM = re.compile(r"\s*(?:([-*+•])|\d{1,3}[.)])\s")
_COMMAND = re.compile(r"\s*(?:[-*+]\s+)?`{0,2}[$%]\s")
_LOG = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,Z+-]+\]?\s+)?\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\]?[\s:]"
)
_ENDS = " \t*_`"


@value
class _Lead:
    """A line that ends with a colon, and what follows belongs to it."""

    indent: int
    kind: str

    def is_left_by(self, other: _Lead) -> bool:
        """Whether a line is no longer part of what the lead introduces."""
        return other.indent <= self.indent and other.kind in ("", self.kind)


def stated_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines that are not under such a title, and are neither commands typed at a prompt nor lines of a log."""
    place = _Place()
    for number, text in lines:
        place.enter(text)
        if not place.is_aside and not _COMMAND.match(text) and not _LOG.match(text):
            yield number, text


class _Place:
    """Where a reader of the text is."""

    def __init__(self) -> None:
        self._level = 0
        """The level of the heading that takes back what is under it; 0 if there is none."""
        self._lead: _Lead | None = None

    @property
    def is_aside(self) -> bool:
        return bool(self._level or self._lead)

    def enter(self, text: str) -> None:
        heading = _HEADING.match(text)
        if heading:
            self._enter_heading(len(heading[1]), text)
        elif text.strip():
            self._enter_line(text)

    def _enter_heading(self, level: int, text: str) -> None:
        self._lead = None
        if not self._level or level <= self._level:
            self._level = level if ASIDE.search(text) else 0

    def _enter_line(self, text: str) -> None:
        here = _lead(text)
        if self._lead and self._lead.is_left_by(here):
            self._lead = None
        if not self._lead and text.rstrip(_ENDS).endswith((":", "：")) and ASIDE.search(text):
            self._lead = here


def _lead(text: str) -> _Lead:
    item = _ITEM.match(text)
    kind = "" if item is None else "bullet" if item[1] else "number"
    return _Lead(len(text) - len(text.lstrip()), kind)
