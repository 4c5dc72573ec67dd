"""The two files of a handoff, as text (SPEC 13.1). Pure.

`.perdure/handoffs/<session>.json` is for programs, `<session>.md` for people and for agents without Perdure. Both are
functions of the same value, so that `heal` writes the same bytes again.

    json_text(handoff)      '{\\n  "handoff_id": …'
    markdown(handoff)       "# Handoff of session 24cc1927\\n…"
"""

from __future__ import annotations

import json

from perdure.model.ids import short
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.model.json import Json

FORMAT = 1
"""The version of the JSON file's layout."""
ERASED = "(erased)"


@value
class HandedDecision:
    text: str
    rationale: str = ""
    id: str | None = None
    """None if the agent demanded it in words of its own."""


@value
class HandedTransaction:
    id: str
    project_path: str
    status: str
    """What the gate said: `proceed` or `investigate`."""
    preflight_vectors: dict[str, float]


@value
class Handoff:
    id: str
    session_id: str
    written_at: str
    boundary: str
    project_path: str
    branch: str | None
    task_id: str | None
    task_summary: str
    key_findings: tuple[str, ...]
    decisions: tuple[HandedDecision, ...]
    next_steps: tuple[str, ...]
    blockers: tuple[str, ...]
    questions: tuple[str, ...]
    files: tuple[str, ...]
    transaction: HandedTransaction | None
    next_session_context: str
    lineage: tuple[str, ...]
    grounded: int | None
    total: int | None
    head_ledger: str
    head_seq: int
    head_hash: str
    demanded: tuple[str, ...] = ()
    """The fields that somebody demanded to be carried."""

    @property
    def ratio(self) -> float | None:
        if self.grounded is None or not self.total:
            return None
        return self.grounded / self.total


def as_json(handoff: Handoff) -> dict[str, Json]:
    held = handoff.transaction
    return {
        "format": FORMAT,
        "handoff_id": handoff.id,
        "session_id": handoff.session_id,
        "written_at": handoff.written_at,
        "boundary": handoff.boundary,
        "project_path": handoff.project_path,
        "branch": handoff.branch,
        "task_id": handoff.task_id,
        "task_summary": handoff.task_summary,
        "key_findings": list(handoff.key_findings),
        "decisions": [
            {"decision_id": each.id, "decision": each.text, "rationale": each.rationale or None}
            for each in handoff.decisions
        ],
        "next_steps": list(handoff.next_steps),
        "blockers": list(handoff.blockers),
        "questions": list(handoff.questions),
        "files": list(handoff.files),
        "active_transaction": None
        if held is None
        else {
            "transaction_id": held.id,
            "project_path": held.project_path,
            "status": "open",
            "gate": held.status,
            "preflight_vectors": dict(held.preflight_vectors),
        },
        "next_session_context": handoff.next_session_context,
        "lineage": list(handoff.lineage),
        "grounding_ratio": handoff.ratio,
        "grounded": handoff.grounded,
        "total": handoff.total,
        "ledger_head": {"ledger_id": handoff.head_ledger, "seq": handoff.head_seq, "hash": handoff.head_hash},
        "demanded": list(handoff.demanded),
    }


def json_text(handoff: Handoff) -> str:
    return json.dumps(as_json(handoff), indent=2, ensure_ascii=False) + "\n"


def markdown(handoff: Handoff) -> str:
    lines = [
        f"# Handoff of session {short(handoff.session_id)}",
        "",
        f"Written {handoff.written_at} ({_BOUNDARIES.get(handoff.boundary, handoff.boundary)})"
        + (f", on branch {handoff.branch}." if handoff.branch else "."),
        "Perdure wrote this file from its ledger; `perdure handoff verify` compares the two.",
        "",
        f"**Task:** {_flat(handoff.task_summary)}",
    ]
    if handoff.transaction:
        held = handoff.transaction
        lines += ["", f"**Open transaction:** {held.id} in {held.project_path} ({held.status})"]
    if handoff.next_session_context:
        lines += ["", "## For the next session", "", *_quoted(handoff.next_session_context)]
    for title, texts in _sections(handoff):
        lines += _listed(title, texts)
    lines += ["", f"Grounded: {_ratio(handoff)}. Ledger {short(handoff.head_ledger)} up to event {handoff.head_seq}."]
    return "\n".join(lines) + "\n"


_BOUNDARIES = {
    "compaction": "before a compaction",
    "stop": "at the end of a turn",
    "end": "at the session's end",
    "command": "when it was asked for",
}


def _sections(handoff: Handoff) -> list[tuple[str, Sequence[str]]]:
    decisions = [f"{each.text} — {each.rationale}" if each.rationale else each.text for each in handoff.decisions]
    return [
        ("Next steps", handoff.next_steps),
        ("Blockers", handoff.blockers),
        ("Questions", handoff.questions),
        ("Decisions", decisions),
        ("Findings", handoff.key_findings),
        ("Files", [f"`{each}`" for each in handoff.files]),
    ]


def _listed(title: str, texts: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *(f"- {_flat(text)}" for text in texts)] if texts else []


def _quoted(text: str) -> list[str]:
    """As a quotation, so that what it says cannot look like a section of this file."""
    return [f"> {line}" for line in text.splitlines()]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _ratio(handoff: Handoff) -> str:
    if handoff.ratio is None:
        return "nothing was claimed or decided"
    return f"{handoff.ratio:.2f}, {handoff.grounded} of {handoff.total}"
