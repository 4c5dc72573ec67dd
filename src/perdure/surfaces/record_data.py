"""What is recorded, as the JSON that commands and MCP answer: transactions, sessions, goals, decisions, notes.

Apart from the commands, which also parse flags and render text: `status` shows all of it and needs none of that.
"""

from __future__ import annotations

import os

from perdure.model.moment import stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.decisions import DecisionView
    from perdure.actions.denials import Denial
    from perdure.actions.goals import GoalView
    from perdure.actions.holdings import Held
    from perdure.actions.notes import NoteView
    from perdure.actions.undoing import TakenBack
    from perdure.grounding.ratio import Ratio
    from perdure.model.json import Json
    from perdure.model.state import Session


def held_data(each: Held) -> dict[str, Json]:
    transaction = each.transaction
    return {
        "transaction_id": transaction.id,
        "status": transaction.status,
        "project": os.path.basename(transaction.project_path),
        "project_path": transaction.project_path,
        "preflight_session": transaction.preflight_session_id,
        "sessions_touched": [str(session) for session in transaction.sessions],
        "age_seconds": each.age_seconds,
        "orphaned": each.orphaned,
        "instance_id": transaction.instance_id,
        "mine": each.mine,
        "holder_alive": each.alive,
        "other_machine": each.other_ledger,
        "opened_at": stamp(transaction.opened_at),
        "closed_at": stamp(transaction.closed_at) if transaction.closed_at is not None else None,
        "decision": transaction.decision,
        "passes": transaction.passes,
        "overridden": transaction.overridden,
        "vectors": dict(transaction.vectors),
        "preflight_vectors": dict(transaction.preflight_vectors),
        "goal_id": transaction.goal_id,
        "task_id": transaction.task_id,
        "agent": transaction.agent,
        "assessed": transaction.assessed,
        "goal": each.goal,
    }


def session_data(session: Session) -> dict[str, Json]:
    return {
        "session_id": session.id,
        "instance_id": session.instance_id,
        "parent_id": session.parent_id,
        "source": session.source,
        "client": session.client,
        "client_session_id": session.client_session_id,
        "project_path": session.project_path,
        "started_at": stamp(session.started_at),
        "ended_at": stamp(session.ended_at) if session.ended_at is not None else None,
        "end_reason": session.end_reason,
        "active_transaction_id": session.active_transaction_id,
        "transaction_project_path": session.transaction_project_path,
    }


def goal_data(goal: GoalView) -> dict[str, Json]:
    return {
        "goal_id": goal.id,
        "title": goal.title,
        "origin": goal.origin,
        "transaction_id": goal.transaction_id,
        "status": goal.status,
        "done_at": stamp(goal.done_at) if goal.done_at is not None else None,
        "project_path": goal.project_path,
        "other_machine": goal.other_ledger,
    }


def decision_data(decision: DecisionView) -> dict[str, Json]:
    return {
        "decision_id": decision.id,
        "ts": decision.ts,
        "decision": decision.decision,
        "rationale": decision.rationale,
        "title": decision.title,
        "key": decision.key,
        "value": decision.value,
        "supersedes": decision.supersedes,
        "superseded_by": decision.superseded_by,
        "evidence": list(decision.evidence),
        "grounded": decision.grounded,
        "scenarios": list(decision.scenarios),
        "task_id": decision.task_id,
        "transaction_id": decision.transaction_id,
        "from_beads": decision.from_beads,
        "other_machine": decision.other_ledger,
        "words_from": decision.words_from,
    }


def denial_data(denial: Denial) -> dict[str, Json]:
    return {
        "event_id": denial.id,
        "ts": denial.at,
        "tool": denial.tool,
        "call": denial.call,
        "reason": denial.reason,
        "clears": denial.clears or None,
        "denial": denial.kind or None,
        "observed": denial.is_observed,
        "actor": denial.actor or None,
        "instance_id": denial.instance_id or None,
        "session_id": denial.session_id or None,
    }


def note_data(note: NoteView) -> dict[str, Json]:
    return {
        "note_id": note.id,
        "ts": note.ts,
        "kind": note.kind,
        "text": note.text,
        "open": note.open,
        "task_id": note.task_id,
        "transaction_id": note.transaction_id,
        "other_machine": note.other_ledger,
        "moved_from": dict(note.moved_from) if note.moved_from else None,
    }


def ratio_data(found: Ratio | None) -> dict[str, Json]:
    """`ratio` is null if nothing was claimed or decided."""
    if found is None:
        return {"ratio": None, "grounded": None, "total": None}
    return {"ratio": found.share, "grounded": found.grounded, "total": found.total}


def change_data(change: TakenBack) -> dict[str, Json]:
    return {
        "change_id": change.id,
        "ts": change.ts,
        "kind": change.kind,
        "text": change.text,
        "undo_id": change.undo_id,
        "restored": change.is_restored,
    }
