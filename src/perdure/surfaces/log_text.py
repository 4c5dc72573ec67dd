"""Entries of the log, as lines that fit the terminal and as JSON (SPEC 17.6)."""

from __future__ import annotations

import time

from perdure.model.event import USER
from perdure.model.moment import Stamp, moment_of
from perdure.model.plural import counted
from perdure.surfaces.output import fitted, harmless, terminal_width
from perdure.surfaces.pane_name import pane_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.actions.log_entries import LogEntry
    from perdure.model.json import Json
    from perdure.surfaces.output import Style

COLOURS = {"prompt": "bold", "denial": "red", "failure": "red", "decision": "cyan", "compaction": "yellow"}
_GROUPS = {
    "edit": ("edit", "edits"),
    "denial": ("denied", "denied"),
    "failure": ("failed tool", "failed tools"),
    "read": ("read", "read"),
    "test": ("run", "runs"),
}
_LABEL = 11
"""Columns for the kind: the longest is `transaction`."""


def entry_data(entry: LogEntry) -> dict[str, Json]:
    return {
        "ts": entry.ts,
        "kind": entry.kind,
        "text": entry.text,
        "count": entry.count,
        "failed_count": entry.failed,
        "names": list(entry.names),
        "actor": entry.actor,
        "instance_id": entry.instance_id,
        "session_id": entry.session_id,
        "transaction_id": entry.transaction_id,
        "event_id": entry.event_id,
    }


def log_of_one(entries: Iterable[LogEntry], style: Style) -> list[str]:
    """What happened in one session or transaction, below what is known of it."""
    found = list(LogLines(style, terminal_width()).of(entries))
    return ["", *found] if found else []


class LogLines:
    """The lines of entries that come one after another: with the day where it changes, and the pane."""

    def __init__(self, style: Style, width: int) -> None:
        self._style = style
        self._width = width
        self._day = ""
        self._pane: str | None = None

    def of(self, entries: Iterable[LogEntry]) -> Iterator[str]:
        for entry in entries:
            then = time.localtime(moment_of(Stamp(entry.ts)) / 1000)
            yield from self._headings(entry, time.strftime("%A %d %B %Y", then))
            label = self._style(COLOURS.get(entry.kind, "dim"), entry.kind) + " " * (_LABEL - len(entry.kind))
            words = fitted(_words(entry), self._width - _LABEL - 9)
            yield f"{time.strftime('%H:%M', then)}  {label}  {words}".rstrip()

    def _headings(self, entry: LogEntry, day: str) -> Iterator[str]:
        if day != self._day:
            if self._day:
                yield ""
            yield self._style("bold", day)
            self._day, self._pane = day, None
        pane = entry.instance_id or ""
        if pane != self._pane:
            self._pane = pane
            who = "" if entry.actor == USER else harmless(entry.actor or "")
            where = pane_name(pane) if pane else ""
            named = ", ".join(each for each in (where, who) if each)
            if named:
                yield self._style("dim", fitted(f"── {named}", self._width))


def _words(entry: LogEntry) -> str:
    if not entry.names:
        return entry.text
    if entry.kind == "command":
        return _commands(entry)
    return f"{counted(entry.count, *_GROUPS[entry.kind])}: {entry.text}"


def _commands(entry: LogEntry) -> str:
    """The failed ones first, each next to its count: nobody has to guess which of them failed."""
    mark = entry.text.removesuffix(", ".join(entry.names))
    ok = entry.count - entry.failed
    groups = (("failed", entry.failed, entry.failed_names), ("ok", ok, entry.names[len(entry.failed_names) :]))
    return mark + "; ".join(f"{count} {how}: {', '.join(names)}" for how, count, names in groups if count)
