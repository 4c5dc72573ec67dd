"""The phases of a client's session (SPEC 10.1), and the marker line with which every text for the agent begins.

A session has a phase only if a client's hooks drive it. Each change is an event, `phase.entered`; a phase that goes on
is not recorded again.

    at_start("resume") == REVIVAL
    headed(RUNNING, "Perdure: …") == "[PHASE: SESSION_RUNNING]\\nPerdure: …"
"""

from __future__ import annotations

START, RUNNING, PRE_COMPACT, POST_COMPACT, STOP, CLEANUP, REVIVAL = PHASES = (
    "SESSION_START",
    "SESSION_RUNNING",
    "PRE_COMPACT",
    "POST_COMPACT",
    "SESSION_STOP",
    "SESSION_CLEANUP",
    "SESSION_REVIVAL",
)
BEFORE_WORK = frozenset((START, REVIVAL, POST_COMPACT))
"""Phases that the first tool call ends. It does not end SESSION_STOP: what a hook saw before the turn ended may be
recorded after it."""
_REVIVING = ("resume", "fork")
_MARK = "[PHASE: "


def at_start(source: str, *, is_continuing: bool = False) -> str:
    """The phase with which a session begins. `is_continuing`: the session before it has no end, because its client
    crashed, and its work goes on."""
    if source == "compact":
        return POST_COMPACT
    return REVIVAL if source in _REVIVING or (source == "startup" and is_continuing) else START


def marker(phase: str, said: str = "") -> str:
    return f"{_MARK}{phase}] {said}".rstrip()


def headed(phase: str, text: str) -> str:
    """The text with the marker line before it, unless it has one. No text stays no text."""
    return text if not text or text.startswith(_MARK) else f"{marker(phase)}\n{text}"
