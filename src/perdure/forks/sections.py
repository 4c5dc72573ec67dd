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
    level = 0
    lead: _Lead | None = None
    for number, text in lines:
        heading, here = _HEADING.match(text), _lead(text)
        if heading:
            lead = None
            if not level or len(heading[1]) <= level:
                level = len(heading[1]) if ASIDE.search(text) else 0
        elif text.strip():
            if lead and lead.is_left_by(here):
                lead = None
            if not lead and text.rstrip(_ENDS).endswith((":", "：")) and ASIDE.search(text):
                lead = here
        if not level and not lead and not _COMMAND.match(text) and not _LOG.match(text):
            yield number, text


def _lead(text: str) -> _Lead:
    item = _ITEM.match(text)
    kind = "" if item is None else "bullet" if item[1] else "number"
    return _Lead(len(text) - len(text.lstrip()), kind)
