"""How full a client's context is.

Hooks need to know it, but their input does not say it; the client tells only its status line. So the status line writes
the figures to a small file per client session under `~/.perdure/context/`, and hooks read it there (SPEC 6.2). Figures
from before a compaction do not count, so the session start after a compaction removes the file.

    phase(ContextUse(90_000, 200_000)) == "CONDENSED"
"""

from __future__ import annotations

import os

from perdure.files import make_folder, read_json, remove, write_whole
from perdure.model.json import compact
from perdure.model.value import value

FOLDER = "context"
NEARLY_FULL = 85
"""Percent of the context window. From here on the agent is told to hand over (SPEC 10.8)."""
PHASES = ((40, "VERBOSE"), (70, "CONDENSED"), (NEARLY_FULL, "SIGNALS"))
"""Names for how full the context is, each for less than so many percent (SPEC 10.5). The status line shows them: the
fuller the context, the less text it has room for."""
FULLEST = "CRITICAL"
"""The name for all above that."""


@value
class ContextUse:
    """How many tokens are in the context, and how many it can hold."""

    tokens: int
    size: int
    is_counted: bool = False
    """False if the tokens were calculated from a rounded percentage."""

    @property
    def tokens_in_words(self) -> str:
        return f"{'' if self.is_counted else 'about '}{self.tokens:,} tokens"

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.tokens / self.size)) if self.size > 0 else 0

    @property
    def is_nearly_full(self) -> bool:
        return self.percent >= NEARLY_FULL


def phase(use: ContextUse | None) -> str:
    """No figures means VERBOSE."""
    percent = use.percent if use else 0
    return next((name for below, name in PHASES if percent < below), FULLEST)


def _path(home: str, client_session_id: str) -> str:
    return os.path.join(home, FOLDER, f"{client_session_id}.json")


def store(home: str, client_session_id: str, use: ContextUse) -> None:
    """Writes the figures to the session's file, unless it has them already."""
    if read(home, client_session_id) == use:
        return
    path = _path(home, client_session_id)
    make_folder(os.path.dirname(path))
    write_whole(path, compact({"tokens": use.tokens, "size": use.size, "counted": use.is_counted}) + "\n")


def read(home: str, client_session_id: str) -> ContextUse | None:
    raw = read_json(_path(home, client_session_id)) or {}
    tokens, size = raw.get("tokens"), raw.get("size")
    if type(tokens) is not int or type(size) is not int:
        return None
    return ContextUse(tokens, size, raw.get("counted") is True)


def forget(home: str, client_session_id: str) -> None:
    remove(_path(home, client_session_id))
