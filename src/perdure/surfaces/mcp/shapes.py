"""Input and output that several tools share."""

from __future__ import annotations

from perdure.actions.tasks import SCENARIO_TYPES, STATUSES
from perdure.grounding.absence import Absent
from perdure.model.checkpoint import FORMS
from perdure.model.payload import NOTE_KINDS
from perdure.model.vectors import NAMES, REQUIRED
from perdure.proof.thought_hash import TYPES
from perdure.surfaces.mcp.schema import (
    COUNT,
    NUMBER,
    OBJECT,
    SHARE,
    TEXT,
    WORDS,
    YES_OR_NO,
    fields,
    many,
    maybe,
    one_of,
    record,
    told,
)

# -- taken -----------------------------------------------------------------------------------------------------------

VECTORS = fields(
    {name: told(NAMES[name], SHARE) for name in REQUIRED},
    {name: NUMBER for name in NAMES if name not in REQUIRED},
)
"""The optional vectors have no description: every context would pay for it three times."""
ASSESSED = {"vectors": told("the self-assessment, each 0.0 to 1.0", VECTORS)}
REASONED = {"reasoning": told("why", TEXT)}
"""Optional, as on the command line (`assessment_of` is the one rule for both)."""
SESSION = told("act in this Perdure session (default: the current one)", WORDS)
AUDIT_SESSION = told("the audit session; any id", WORDS)
TASK = told("the task it belongs to", WORDS)
SCENARIO = fields({"name": WORDS, "type": one_of(*SCENARIO_TYPES), "expected": WORDS})
TASK_FIELDS = {
    "description": told("what it is about", TEXT),
    "priority": told("0, the most urgent, to 4", {"type": "integer", "minimum": 0, "maximum": 4}),
    "assignee": told("who does it", TEXT),
    "labels": many(WORDS),
    "next_steps": many(WORDS),
    "blockers": told("what blocks it", many(WORDS)),
    "questions": told("what somebody must answer", many(WORDS)),
    "test_scenarios": many(SCENARIO),
    "handoffs": told("session_id, ended, notes_ref, trajectory_ref, grounding_ratio", many(OBJECT)),
}
STATUS = one_of(*STATUSES)
THOUGHT_TYPE = one_of(*TYPES)

# -- given -----------------------------------------------------------------------------------------------------------

WARNED = {"warnings": many(TEXT)}
GATE = {
    "passes": YES_OR_NO,
    "decision": one_of("proceed", "investigate"),
    "corrected": OBJECT,
    "correction": OBJECT,
    "failed": many(record({"vector": TEXT, "value": maybe(NUMBER), "needed": maybe(NUMBER), "advice": TEXT})),
}
OPENED = {
    **dict.fromkeys(("transaction_id", "project_path", "status", "session_id", "instance_id"), TEXT),
    "goal_id": maybe(TEXT),
    "gate": record(GATE),
    "message": TEXT,
    "orphans": many(TEXT),
    "elsewhere": many(TEXT),
    **WARNED,
}
CHECKED = {**GATE, "transaction_id": TEXT, "project_path": TEXT, **WARNED}
CLOSED = {
    "transaction_id": TEXT,
    "project_path": TEXT,
    "status": TEXT,
    "sessions_touched": many(TEXT),
    "postflight_session_id": maybe(TEXT),
    "duration_seconds": NUMBER,
    "delta": OBJECT,
    "calibration": maybe(OBJECT),
    "open_goal_id": maybe(TEXT),
    "message": TEXT,
    **WARNED,
}
HELD = {
    "transaction_id": maybe(TEXT),
    "status": one_of("open", "closed", "none"),
    "project": TEXT,
    "project_path": TEXT,
}
HELD_MORE = {
    "preflight_session": maybe(TEXT),
    "sessions_touched": many(TEXT),
    "age_seconds": NUMBER,
    "orphaned": YES_OR_NO,
    "instance_id": TEXT,
    "mine": YES_OR_NO,
    "holder_alive": maybe(YES_OR_NO),
    "decision": TEXT,
    "passes": YES_OR_NO,
    "vectors": OBJECT,
    "goal": maybe(TEXT),
    "others": many(record(HELD)),
    "elsewhere": many(record(HELD)),
}
DECISION = {
    "decision_id": TEXT,
    "ts": TEXT,
    "decision": TEXT,
    "rationale": maybe(TEXT),
    "title": maybe(TEXT),
    "key": maybe(TEXT),
    "value": maybe(TEXT),
    "supersedes": maybe(TEXT),
    "superseded_by": maybe(TEXT),
    "evidence": many(OBJECT),
    "grounded": YES_OR_NO,
    "scenarios": many(OBJECT),
    "task_id": maybe(TEXT),
    "transaction_id": maybe(TEXT),
    "from_beads": YES_OR_NO,
    "other_machine": maybe(TEXT),
    "words_from": maybe(TEXT),
}
FORK = {
    "fork_id": TEXT,
    "about": TEXT,
    "field": TEXT,
    "task_id": maybe(TEXT),
    "open": YES_OR_NO,
    "detected_at": maybe(TEXT),
    "resolved_by": maybe(TEXT),
    "sides": many(OBJECT),
}
CLAIM = {
    "claim_id": TEXT,
    "ts": TEXT,
    "claim": TEXT,
    "grounding": TEXT,
    "class": maybe(TEXT),
    "grounded": YES_OR_NO,
    **{name: maybe(TEXT) for name in ("path", "quote", "symbol")},
    **{name: maybe(COUNT) for name in ("line", "end_line")},
    "reason": TEXT,
    "other_machine": maybe(TEXT),
}
ABSENCE = {
    "claim_id": TEXT,
    "ts": TEXT,
    "feature": TEXT,
    "class": one_of(*Absent),
    "code_hits": COUNT,
    "document_hits": COUNT,
    "places": many(record({"path": TEXT, "line": COUNT})),
    "unsearched": many(TEXT),
    "reason": TEXT,
}
GROUNDING = {"ratio": maybe(NUMBER), "grounded": maybe(COUNT), "total": maybe(COUNT)}
CHECKPOINT = {
    "form": one_of(*FORMS),
    "mode": TEXT,
    "outcome": TEXT,
    "passed": YES_OR_NO,
    "dry_run": YES_OR_NO,
    "checkpoint_id": maybe(TEXT),
    "grounding": record(GROUNDING),
    "steps": many(
        record(
            {
                "number": COUNT,
                "name": TEXT,
                "status": one_of("PASS", "FAIL", "ERROR"),
                "figure": TEXT,
                "advice": TEXT,
                "blocking": YES_OR_NO,
            }
        )
    ),
    **WARNED,
}
HANDOFF = {
    "format": COUNT,
    "handoff_id": TEXT,
    "session_id": TEXT,
    "written_at": TEXT,
    "boundary": TEXT,
    "project_path": TEXT,
    "branch": maybe(TEXT),
    "task_id": maybe(TEXT),
    "task_summary": TEXT,
    "key_findings": many(TEXT),
    "decisions": many(record({"decision_id": maybe(TEXT), "decision": TEXT, "rationale": maybe(TEXT)})),
    "next_steps": many(TEXT),
    "blockers": many(TEXT),
    "questions": many(TEXT),
    "files": many(TEXT),
    "active_transaction": maybe(
        record(
            {
                "transaction_id": TEXT,
                "project_path": TEXT,
                "status": TEXT,
                "gate": TEXT,
                "preflight_vectors": OBJECT,
            }
        )
    ),
    "next_session_context": TEXT,
    "lineage": many(TEXT),
    "grounding_ratio": maybe(NUMBER),
    "grounded": maybe(COUNT),
    "total": maybe(COUNT),
    "ledger_head": record({"ledger_id": TEXT, "seq": COUNT, "hash": TEXT}),
    "demanded": many(TEXT),
}
NOTE = {
    "note_id": TEXT,
    "ts": TEXT,
    "kind": one_of(*NOTE_KINDS),
    "text": TEXT,
    "open": maybe(YES_OR_NO),
    "task_id": maybe(TEXT),
    "transaction_id": maybe(TEXT),
    "other_machine": maybe(TEXT),
    "moved_from": maybe(OBJECT),
}
OVERVIEW = {
    "project": TEXT,
    "project_id": TEXT,
    "project_path": TEXT,
    "branch": maybe(TEXT),
    "instance_id": maybe(TEXT),
    "session": maybe(record({"session_id": TEXT, "source": TEXT, "started_at": TEXT})),
    "transaction": maybe(record(HELD)),
    "others": many(record(HELD)),
    "elsewhere": many(record(HELD)),
    "goals": many(record({"goal_id": TEXT, "title": TEXT, "status": TEXT, "other_machine": maybe(TEXT)})),
    "others_goals": many(record({"goal_id": TEXT, "title": TEXT, "status": TEXT, "other_machine": maybe(TEXT)})),
    "decisions": many(record(DECISION)),
    "notes": many(record(NOTE)),
    "reasoning": maybe(record(NOTE)),
    "grounding": record(GROUNDING),
    "ledger": record({"ledger_id": TEXT, "seq": COUNT, "hash": TEXT, "chains": COUNT, "events": COUNT}),
    **WARNED,
}
TASK_VIEW = {
    **dict.fromkeys(("id", "task_id"), TEXT),
    "title": TEXT,
    "description": maybe(TEXT),
    "status": STATUS,
    "priority": COUNT,
    "assignee": maybe(TEXT),
    **{name: many(TEXT) for name in ("labels", "blocked_by", "waits_for", "next_steps", "blockers", "questions")},
    "ready": YES_OR_NO,
    "test_scenarios": many(OBJECT),
    "handoffs": many(OBJECT),
    "thought_count": COUNT,
    "decision_count": COUNT,
    "instance_id": maybe(TEXT),
    "created_at": TEXT,
    "updated_at": TEXT,
    "closed_at": maybe(TEXT),
    "closed_because": maybe(TEXT),
    "fields_from_beads": many(TEXT),
    "fields_from_other_machines": OBJECT,
}
AUDIT_STARTED = {"session_id": TEXT, "intent": TEXT, "task_id": maybe(TEXT), "started_at": TEXT}
THOUGHT = {
    **dict.fromkeys(("id", "type", "task_id", "agent_id", "content", "timestamp", "prev_hash", "hash"), TEXT),
    "session_id": maybe(TEXT),
}
FINALIZED = {"session_id": TEXT, "root": TEXT, "record_count": COUNT, "finalized_at": TEXT}
CHAIN = {
    "valid": YES_OR_NO,
    "record_count": COUNT,
    "broken_count": COUNT,
    "redacted_count": COUNT,
    "first_broken_at": maybe(TEXT),
}
