"""A payload or more of every kind, and a document or more of every kind."""

from __future__ import annotations

from typing import Any

from perdure.model import payload as p
from perdure.model import state as s
from perdure.model.calibration import Bin, Error, Evidence, Track
from perdure.model.event import GENESIS, Event

ID = "3f2a91c4-7b1e-4c55-9d0a-1f6e2b8c4d70"
OTHER = "9d0a1f6e-2b8c-4d70-8f2a-91c47b1e4c55"
VECTORS = {"know": 0.75, "do": 1.0, "context": 0.0, "uncertainty": 0.25}

PAYLOADS: dict[str, list[object]] = {
    "ledger.opened": [
        p.LedgerOpened("created"),
        p.LedgerOpened("restored", ({"ledger_id": ID, "seq": 3, "hash": GENESIS}, {})),
    ],
    "ledger.merged": [p.LedgerMerged(()), p.LedgerMerged(({"ledger_id": ID, "seq": 3},))],
    "ledger.healed": [p.LedgerHealed(()), p.LedgerHealed(("a", "b"), ("c",))],
    "head.signed": [p.HeadSigned(ID, 7, "ab" * 32, f"perdure/{ID}\n7\n…\n", "postflight")],
    "restore.acknowledged": [
        p.RestoreAcknowledged("went back to Monday", ()),
        p.RestoreAcknowledged("went back", ({"ledger_id": ID, "above": 3},)),
    ],
    "payload.redacted": [
        p.PayloadRedacted(ID, 4, OTHER, "held a name"),
        p.PayloadRedacted(ID, 4, OTHER, "held a name", GENESIS, "ab" * 32),
    ],
    "project.created": [p.ProjectCreated("shop", "/srv/shop")],
    "project.moved": [p.ProjectMoved("/srv/new", "/srv/old")],
    "instance.bound": [
        p.InstanceBound(),
        p.InstanceBound("boot", "codex", "c-1", (12, "345"), (13, "346"), (14, "347"), "tmux_4", "pts-6"),
    ],
    "session.started": [p.SessionStarted("terminal", "/p"), p.SessionStarted("fork", "/p", OTHER, "codex", "c-1")],
    "session.ended": [p.SessionEnded("exit")],
    "session.working": [p.SessionWorking(), p.SessionWorking(ID, "/p")],
    "transaction.opened": [
        p.TransactionOpened("/p", "tmux_4", VECTORS, "read it", "proceed", {"know": -0.05}),
        p.TransactionOpened("", "", {}, "", "investigate", {}, OTHER),
    ],
    "transaction.joined": [p.TransactionJoined()],
    "transaction.checked": [p.TransactionChecked(VECTORS, "now", "investigate", {}, ("know", "learned"))],
    "transaction.overridden": [p.TransactionOverridden("I said so")],
    "transaction.adopted": [p.TransactionAdopted(ID, "pts-6")],
    "transaction.closed": [p.TransactionClosed(False), p.TransactionClosed(True, VECTORS, "done")],
    "goal.created": [p.GoalCreated("ship"), p.GoalCreated("ship", "preflight", OTHER)],
    "goal.prompted": [p.GoalPrompted("ship it")],
    "goal.done": [p.GoalDone(ID), p.GoalDone(ID, "shipped")],
    "decision.made": [
        p.DecisionMade("WAL"),
        p.DecisionMade("WAL", "readers", ({"path": "a.py", "line": 3},), "t", "k", "v", ID, ({"name": "n"},)),
    ],
    "task.created": [
        p.TaskCreated("ship"),
        p.TaskCreated(
            "ship", "all", 0, "ann", ("x",), ("n",), ("b",), ("q",), ({"name": "n"},), ({"session_id": ID},), (ID,)
        ),
    ],
    "task.updated": [
        p.TaskUpdated(),
        p.TaskUpdated(
            "ship", "all", "blocked", 4, "ann", ("x",), ("n",), ("b",), ("q",), ({"name": "n"},), ({"x": 1},), ("q",)
        ),
    ],
    "task.closed": [p.TaskClosed(), p.TaskClosed("released")],
    "task.linked": [p.TaskLinked(OTHER)],
    "task.unlinked": [p.TaskUnlinked(OTHER)],
    "audit.started": [p.AuditStarted("make it fast")],
    "thought.recorded": [
        p.ThoughtRecorded("plan", "cl", "measure", GENESIS, "ab" * 32),
        p.ThoughtRecorded("plan", "cl", "a\ufffdb", GENESIS, "cd" * 32, (3, OTHER), ("1:d800",), ID),
    ],
    "audit.finalized": [p.AuditFinalized("ef" * 32, 2, ({"ledger_id": OTHER, "seq": 9},))],
    **{f"note.{kind}": [p.Note("something"), p.Note("naïve 🙂\n\x00")] for kind in p.NOTE_KINDS},
    "note.closed": [p.NoteClosed(ID), p.NoteClosed(ID, "answered")],
    "file.read": [p.FileRead("src/a.py")],
    "search.made": [p.SearchMade("def main")],
    "prompt.given": [p.PromptGiven("please")],
    "claim.verified": [p.ClaimVerified("it parses")],
    "claim.refuted": [p.ClaimRefuted("it parses")],
    "test.run": [p.TestRun("pytest", 3, 0), p.TestRun("pytest", 0, 1)],
    "scenario.met": [p.ScenarioMet("happy")],
    "scenario.missed": [p.ScenarioMissed("edge")],
    "edit.made": [p.EditMade("a.py")],
    "edit.reverted": [p.EditReverted("a.py")],
    "gate.observed": [p.GateObserved("Bash", "touch a", "writes to a")],
    "file.created": [p.FileCreated("a.py")],
    "command.run": [p.CommandRun("ls", "succeeded"), p.CommandRun("make", "failed", "praxic", "Exit code 2", 34)],
    "tool.failed": [p.ToolFailed("Edit", "not found"), p.ToolFailed("Edit", "not found", "a.py")],
    "subagent.started": [p.SubagentStarted("a93f"), p.SubagentStarted("a93f", "general-purpose")],
    "subagent.stopped": [p.SubagentStopped("a93f"), p.SubagentStopped("a93f", "general-purpose")],
    "session.doubled": [p.SessionDoubled("c-1", OTHER)],
    "context.exhausted": [p.ContextExhausted(170_000, 85)],
}

_ONE = Track(1, 0.5, 0.25, (Bin(1, 1.0, 0.5),) * 5)
_TRACK = Track().with_error(Error(0.9, 0.5)).with_error(Error(0.1, 0.0))

DOCUMENTS: dict[str, list[Any]] = {
    "project": [s.Project(ID, "/p", "shop")],
    "instance": [
        s.Instance(ID),
        s.Instance(ID, OTHER, "boot", "codex", "c-1", (1, "2"), (3, "4"), (5, "6"), "tmux_4", "pts-6"),
    ],
    "session": [
        s.Session(ID, None, "terminal", "/p", 1_767_225_600_000),
        s.Session(ID, OTHER, "fork", "/p", 1, OTHER, "codex", "c-1", 2, "exit", ID, "/q", OTHER, (OTHER, "x.y")),
    ],
    "transaction": [
        s.Transaction(ID, "/p", OTHER, "", "open", "user", ID, 1, (ID,), 2, {}, {}, "investigate", 3, {}),
        s.Transaction(
            ID, "/p", OTHER, "tmux_4", "closed", "codex/a", ID, 1, (ID, OTHER), 2, VECTORS, VECTORS, "proceed", 3,
            {"know": 0.01}, VECTORS, True, True, 4, Evidence(1, 2, False, 3, 4, 5, 6, 7, 8), OTHER, "bd-1", 5, OTHER,
            True,
        ),
    ],
    "holding": [s.Holding(ID)],
    "file": [s.FileOwner(ID)],
    "goal": [s.Goal(ID, OTHER, 3, "hand"), s.Goal(ID, OTHER, 3, "preflight", OTHER, 5)],
    "note": [s.OpenNote(ID, 7)],
    "superseded": [s.Superseded(ID)],
    "agent": [s.AgentRecord({}), s.AgentRecord({"know": _TRACK, "completion": _ONE})],
    "task": [
        s.Task("bd-1", OTHER, 3, "open", 2, 1, 2),
        s.Task(ID, OTHER, 3, "closed", 0, 1, 2, (OTHER,), {"title": (OTHER, 4)}, ID, 5),
    ],
    "trail": [s.Trail(), s.Trail(2, 1, ((ID, 4, None), (OTHER, 7, "ab" * 32)))],
    "audit_session": [s.AuditSession(), s.AuditSession((ID, 3), 2, "ab" * 32, (OTHER, 9), OTHER)],
    "bound": [s.NthRecord(ID, 7)],
    "decided": [s.NthRecord(ID, 7)],
    "machine": [s.Machine(ID)],
}  # fmt: skip
DOCUMENTS["other_transaction"] = DOCUMENTS["transaction"]


def event_of(kind: str, payload: dict[str, Any] | None, schema: int = 1, **changes: Any) -> Event:
    return Event(
        **{
            "ledger_id": OTHER,
            "seq": 1,
            "clock": 1,
            "id": ID,
            "kind": kind,
            "ts": "2026-01-01T00:00:00.000Z",
            "project_id": ID,
            "session_id": None,
            "transaction_id": None,
            "instance_id": None,
            "task_id": None,
            "actor": "user",
            "schema": schema,
            "payload": payload,
            "payload_hash": GENESIS,
            "prev_hash": GENESIS,
            "hash": GENESIS,
            **changes,
        }
    )
