"""The lines of the trajectory: what happened, as seed 002 names it, one JSON object a line (SPEC 16.2). Pure.

`.perdure/trajectory/<agent>-<date>.jsonl` holds the lines of one agent and one day (UTC). A line is a function of its
event; a `session_handoff` also has the ratio that the last checkpoint of its session counted, which `Ratios` carries
along. An erased event keeps its line, without its words. Prompts, commands and edits have no line: the trajectory is
about what was decided and claimed, and prompts are private.

    file_of(event)               "claude-code-2026-01-01.jsonl"
    line_of(event, ratios)       '{"ts":…,"agent":"claude-code","phase":"decision",…}', or None
"""

from __future__ import annotations

from perdure.model.ids import is_token, short
from perdure.model.json import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from perdure.model.event import Event, Payload
    from perdure.model.json import Json

    Ratios: TypeAlias = dict[str, tuple[int, int]]
    """Session → what its last checkpoint counted: grounded, and in all."""

FOLDER = "trajectory"
ENDING = ".jsonl"
FORMAT = 1
"""Raise it when a line would be written in another way: files in an older form are then written anew, and are no
damage."""
NOTES_REF = "NOTES.md#session-continuity"
_NO_DATE = "0000-00-00"
_LONGEST_AGENT = 64
_NOBODY = "perdure"

PHASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "session.started": ("session_start", ("source", "parent_id", "client")),
    "session.ended": ("session_handoff", ("reason",)),
    "session.handoff": ("session_handoff", ("decisions", "notes", "grounded", "total")),
    "checkpoint.passed": ("checkpoint", ("form", "mode", "outcome", "steps", "grounded", "total")),
    "checkpoint.refused": ("checkpoint", ("form", "mode", "outcome", "steps", "grounded", "total")),
    "delta.synced": ("delta_sync", ("tokens", "decisions_persisted", "bead_updated", "notes_updated")),
    "fork.detected": ("fork_detected", ("about", "field", "kept", "fork_id")),
    "fork.resolved": ("fork_resolved", ("fork_id", "kept", "decision_id", "because")),
    "ledger.healed": ("recovery", ("mended", "lost")),
    "decision.made": (
        "decision",
        ("title", "decision", "rationale", "evidence", "key", "value", "supersedes", "scenarios"),
    ),
    "claim.made": (
        "claim",
        ("claim", "grounding", "outcome", "path", "line", "end_line", "quote", "symbol"),
    ),
    "claim.refused": ("claim_refused", ("claim", "grounding", "reason", "cited", "quote")),
    "claim.absent": ("negative_grounding", ("feature", "queries", "outcome", "code_hits", "document_hits")),
    "thought.recorded": ("thought", ("type", "content")),
    "change.undone": ("change_undone", ("change", "kind")),
    "change.restored": ("change_restored", ("change", "kind")),
    "note.closed": ("note_closed", ("note_id", "because")),
    "transaction.opened": ("preflight", ("reasoning", "decision", "vectors")),
    "transaction.checked": ("check", ("reasoning", "decision", "vectors", "shortfalls")),
    "transaction.closed": ("postflight", ("assessed", "reasoning", "vectors")),
    "goal.created": ("goal_created", ("title",)),
    "goal.done": ("goal_done", ("goal_id", "because")),
    "task.created": ("task_created", ("title", "priority")),
    "task.updated": ("task_updated", ("title", "status", "next_steps", "blockers", "questions")),
    "task.closed": ("task_closed", ("because",)),
    "test.run": ("test_run", ("command", "passed", "failed")),
    **{
        f"note.{kind}": (f"note_{kind}", ("text",))
        for kind in ("reasoning", "finding", "question", "blocker", "next", "constraint", "failed", "scenario")
    },
}
"""Kind of event → its phase, and the fields of its payload that the line has. A kind of a newer version has no line."""


def file_of(event: Event) -> str:
    agent = (event.actor or _NOBODY).partition("/")[0]
    if not is_token(agent) or len(agent) > _LONGEST_AGENT:
        agent = "other"
    date = event.ts[:10]
    is_date = len(date) == len(_NO_DATE) and date.replace("-", "").isdecimal() and date.isascii()
    return f"{agent}-{date if is_date else _NO_DATE}{ENDING}"


def line_of(event: Event, ratios: Ratios) -> str | None:
    known = PHASES.get(event.kind)
    if known is None:
        return None
    phase, names = known
    _count(event, ratios)
    line: dict[str, Json] = {"ts": event.ts, "agent": event.actor or _NOBODY, "phase": phase, "event_id": event.id}
    if event.session_id:
        line["session_id"] = event.session_id
    if event.task_id:
        line["bead_id"] = event.task_id
    if event.transaction_id:
        line["transaction_id"] = event.transaction_id
    if event.payload is None:
        return compact({**line, "erased": True}) + "\n"
    line |= {name: event.payload[name] for name in names if name in event.payload}
    more = _MORE.get(phase)
    if more:
        line |= more(event, event.payload, ratios)
    return compact(line) + "\n"


def _count(event: Event, ratios: Ratios) -> None:
    """Remembers what a checkpoint of this session counted."""
    said = event.payload or {}
    grounded, total = said.get("grounded"), said.get("total")
    if event.session_id and type(grounded) is int and type(total) is int:
        ratios[event.session_id] = (grounded, total)


def _handoff(event: Event, said: Payload, ratios: Ratios) -> dict[str, Json]:
    """The fields of a handoff in seed 002. Without a checkpoint nobody took the ratio: it is null."""
    is_end = event.kind == "session.ended"
    found = ratios.pop(event.session_id or "", None) if is_end else ratios.get(event.session_id or "")
    share = found[0] / found[1] if found and found[1] else None
    return {
        "ended": event.ts if is_end else None,
        "notes_ref": NOTES_REF,
        "trajectory_ref": f"{FOLDER}/{file_of(event)}:{short(event.id)}",
        "grounding_ratio": share,
    }


def _delta(event: Event, said: Payload, ratios: Ratios) -> dict[str, Json]:
    return {"timestamp": event.ts}


def _fork(event: Event, said: Payload, ratios: Ratios) -> dict[str, Json]:
    """The fields of seed 002; every side is in `sides`, since a fork may have more than two."""
    given = said.get("sides")
    sides = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    ledger = [_side(each) for each in sides if each.get("side") == "ledger"]
    others = [_side(each) for each in sides if each.get("side") != "ledger"]
    return {
        "context_decision": others[0] if others else None,
        "bead_decision": ledger[0] if ledger else None,
        "resolution": "bead_wins" if said.get("kept", "ledger") == "ledger" else "context_wins",
        "sides": list(sides),
    }


def _side(said: dict[str, Json]) -> Json:
    """A side that is a decision is named, so that its words need not be erased here too."""
    return said.get("value", said.get("decision_id"))


_MORE: dict[str, Callable[[Event, Payload, Ratios], dict[str, Json]]] = {
    "session_handoff": _handoff,
    "delta_sync": _delta,
    "fork_detected": _fork,
}
