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
        p.PayloadRedacted(ledger_id=ID, seq=4, event_id=OTHER, because="held a name"),
        p.PayloadRedacted(
            ledger_id=ID, seq=4, event_id=OTHER, because="held a name", prev_hash=GENESIS, hash="ab" * 32
        ),
    ],
    "project.created": [p.ProjectCreated("shop", "/srv/shop")],
    "project.moved": [p.ProjectMoved("/srv/new", "/srv/old")],
    "instance.bound": [
        p.InstanceBound(),
        p.InstanceBound(
            boot_id="boot",
            client="codex",
            client_session_id="c-1",
            client_process=(12, "345"),
            shell=(13, "346"),
            process=(14, "347"),
            tmux="tmux_4",
            tty="pts-6",
        ),
    ],
    "session.started": [
        p.SessionStarted("terminal", "/p"),
        p.SessionStarted(source="fork", project_path="/p", parent_id=OTHER, client="codex", client_session_id="c-1"),
    ],
    "session.ended": [p.SessionEnded("exit")],
    "session.working": [p.SessionWorking(), p.SessionWorking(ID, "/p")],
    "phase.entered": [p.PhaseEntered("SESSION_RUNNING")],
    "pointer.set": [p.PointerSet("serena", "shop", "serena activate shop")],
    "pointer.removed": [p.PointerRemoved("serena")],
    "state.restored": [
        p.StateRestored(ID, "refused", "another home wrote it", ("files_read",), ("tool_counts",), True),
        p.StateRestored(ID, "restored"),
    ],
    "transaction.opened": [
        p.TransactionOpened(
            project_path="/p",
            suffix="tmux_4",
            vectors=VECTORS,
            reasoning="read it",
            decision="proceed",
            correction={"know": -0.05},
        ),
        p.TransactionOpened(
            project_path="", suffix="", vectors={}, reasoning="", decision="investigate", correction={}, goal_id=OTHER
        ),
    ],
    "transaction.joined": [p.TransactionJoined()],
    "transaction.checked": [
        p.TransactionChecked(
            vectors=VECTORS, reasoning="now", decision="investigate", correction={}, shortfalls=("know", "learned")
        )
    ],
    "transaction.overridden": [p.TransactionOverridden("I said so")],
    "transaction.adopted": [p.TransactionAdopted(ID, "pts-6")],
    "transaction.closed": [p.TransactionClosed(False), p.TransactionClosed(True, VECTORS, "done")],
    "goal.created": [p.GoalCreated("ship"), p.GoalCreated("ship", "preflight", OTHER)],
    "goal.prompted": [p.GoalPrompted("ship it")],
    "goal.done": [p.GoalDone(ID), p.GoalDone(ID, "shipped")],
    "decision.made": [
        p.DecisionMade("WAL"),
        p.DecisionMade(
            decision="WAL",
            rationale="readers",
            evidence=({"path": "a.py", "line": 3},),
            title="t",
            key="k",
            value="v",
            supersedes=ID,
            scenarios=({"name": "n"},),
            also_supersedes=(OTHER,),
            words_from="beads",
        ),
    ],
    "task.created": [
        p.TaskCreated("ship"),
        p.TaskCreated(
            title="ship",
            description="all",
            priority=0,
            assignee="ann",
            labels=("x",),
            next_steps=("n",),
            blockers=("b",),
            questions=("q",),
            test_scenarios=({"name": "n"},),
            handoffs=({"session_id": ID},),
            blocked_by=(ID,),
        ),
    ],
    "task.updated": [
        p.TaskUpdated(),
        p.TaskUpdated(
            title="ship",
            description="all",
            status="blocked",
            priority=4,
            assignee="ann",
            labels=("x",),
            next_steps=("n",),
            blockers=("b",),
            questions=("q",),
            test_scenarios=({"name": "n"},),
            handoffs=({"x": 1},),
            cleared=("q",),
        ),
    ],
    "task.closed": [p.TaskClosed(), p.TaskClosed("released")],
    "task.linked": [p.TaskLinked(OTHER)],
    "task.unlinked": [p.TaskUnlinked(OTHER)],
    "task.synced": [
        p.TaskSynced(path=".beads/issues.jsonl", file={}, ledger={}, line="ab" * 32),
        p.TaskSynced(
            path=".beads/issues.jsonl",
            file={"title": "0123456789abcdef"},
            ledger={"status": "fedcba9876543210"},
            line="ab" * 32,
            updated_at="2026-01-15T08:01:02.123456789+01:00",
            comments=("0123456789abcdef",),
        ),
    ],
    "fork.detected": [
        p.ForkDetected("task", "title", ({"side": "ledger", "value": "a"}, {"side": "f.jsonl", "value": None})),
        p.ForkDetected(
            about="decision", field="journal", sides=({"side": "ledger", "value": "a"},), kept="file", fork_id=OTHER
        ),
    ],
    "fork.resolved": [p.ForkResolved(fork_id=ID, kept="ledger", decision_id=OTHER, because="measured")],
    "audit.started": [p.AuditStarted("make it fast")],
    "thought.recorded": [
        p.ThoughtRecorded(type="plan", agent_id="cl", content="measure", prev_hash=GENESIS, hash="ab" * 32),
        p.ThoughtRecorded(
            type="plan",
            agent_id="cl",
            content="a\ufffdb",
            prev_hash=GENESIS,
            hash="cd" * 32,
            follows=(3, OTHER),
            lone=("1:d800",),
            working_session=ID,
        ),
    ],
    "audit.finalized": [p.AuditFinalized("ef" * 32, 2, ({"ledger_id": OTHER, "seq": 9},))],
    **{
        f"note.{kind}": [p.Note("something"), p.Note("naïve 🙂\n\x00", moved_from={"note_id": ID})]
        for kind in p.NOTE_KINDS
    },
    "change.undone": [
        p.ChangeUndone(ID, "note.finding", (3, OTHER)),
        p.ChangeUndone(ID, "note.closed", (3, OTHER), opens=OTHER, opens_at=(2, OTHER)),
        p.ChangeUndone(ID, "goal.created", (3, OTHER), closes=ID),
        p.ChangeUndone(
            ID,
            "decision.made",
            (3, OTHER),
            gone=(ID,),
            counts=({"decision_id": OTHER, "ledger_id": OTHER, "seq": 2, "digest": "ab"},),
            key="k",
            fork="f",
        ),
        p.ChangeUndone(ID, "task.closed", (3, OTHER), by=OTHER),
        p.ChangeUndone(ID, "note.finding", (3, OTHER), moved_to={"project_id": OTHER, "note_id": ID}),
    ],
    "change.restored": [p.ChangeUndone(ID, "decision.made", (3, OTHER), gone=(OTHER,), gone_by=ID)],
    "note.closed": [p.NoteClosed(ID), p.NoteClosed(ID, "answered")],
    "file.read": [p.FileRead("src/a.py")],
    "search.made": [p.SearchMade("def main")],
    "prompt.given": [p.PromptGiven("please", said_at="2026-01-01T00:00:00.000Z")],
    "claim.verified": [p.ClaimVerified("3f2a91c4"), p.ClaimVerified("3f2a91c4", "moved")],
    "claim.refuted": [p.ClaimRefuted("3f2a91c4"), p.ClaimRefuted("3f2a91c4", "changed")],
    "checkpoint.passed": [
        p.CheckpointRun(
            form="full",
            mode="warn",
            outcome="passed",
            steps=({"number": 1, "name": "grounding ratio", "status": "PASS", "figure": "1 of 1"},),
            until=7,
            grounded=1,
            total=1,
            context_tokens=9000,
        ),
    ],
    "checkpoint.refused": [
        p.CheckpointRun(form="compact", mode="strict", outcome="undecided", steps=(), until=0),
    ],
    "session.handoff": [
        p.SessionHandoff(),
        p.SessionHandoff(decisions=("3f2a91c4",), notes=("4b",), grounded=1, total=2),
    ],
    "handoff.demanded": [
        p.HandoffDemanded(next_steps=("add the rounding test",)),
        p.HandoffDemanded(
            task_summary="prices in cents",
            key_findings=("the cart rounds twice",),
            decisions=("whole cents",),
            next_steps=("the tax module",),
            blockers=("no staging",),
            files=("cart.py",),
            next_session_context="begin with the tax",
        ),
    ],
    "handoff.written": [
        p.HandoffWritten(boundary="end", head_ledger="a", head_seq=3, head_hash="b", project_path="/shop"),
        p.HandoffWritten(
            boundary="compaction",
            head_ledger="a",
            head_seq=3,
            head_hash="b",
            project_path="/shop",
            branch="main",
            demanded="3f2a91c4",
            goal="4b",
            goal_project="/other",
            task_title="4c",
            stopped_at="4d",
            findings=("5a",),
            decisions=("5b",),
            next_steps=("5c",),
            blockers=("5d",),
            questions=("5e",),
            files=("cart.py",),
            transaction="6a",
            transaction_path="/shop",
            transaction_status="proceed",
            preflight_vectors={"know": 0.8, "uncertainty": 0.2},
            lineage=("7a", "7b"),
            grounded=1,
            total=2,
        ),
    ],
    "delta.synced": [
        p.DeltaSynced(tokens=5000, decisions_persisted=2, bead_updated=True, notes_updated=False, context_tokens=12_000)
    ],
    "synthesis.reminded": [p.SynthesisReminded(5000)],
    "compaction.begun": [p.CompactionBegun("auto", ({"kind": "goal", "source": ID, "digest": "00"},), 1)],
    "compaction.audited": [
        p.CompactionAudited(
            "summariser", "00" * 32, ({"kind": "goal", "source": ID, "digest": "00", "outcome": "kept"},)
        )
    ],
    "compaction.given": [
        p.CompactionGiven("session start", ({"kind": "goal", "source": ID, "digest": "00"},), ID),
        p.CompactionGiven("prompt"),
    ],
    "compaction.arrived": [p.CompactionArrived(ID, True)],
    "claim.made": [
        p.ClaimMade("nobody calls it", "assumption"),
        p.ClaimMade(
            claim="it adds",
            grounding="citation",
            outcome="moved",
            path="src/cart.py",
            line=3,
            end_line=4,
            quote="return a + b",
            blob="ab" * 20,
            commit="cd" * 20,
            symbol="add",
            symbol_hash="syntax:ab text:cd",
        ),
        p.ClaimMade("WAL", "user_input", outcome="verified", quote="please use WAL", prompt_id=OTHER),
    ],
    "claim.refused": [
        p.ClaimRefused(claim="it adds", grounding="citation", reason="It stands nowhere.", cited="x:1", quote="y"),
        p.ClaimRefused("it adds", "user_input", "Nobody typed it."),
    ],
    "claim.absent": [
        p.ClaimAbsent(
            feature="retries",
            queries=("retry", "backoff"),
            outcome="not_ghost",
            code_hits=1,
            document_hits=0,
            below="src",
            commit="cd" * 20,
        ),
        p.ClaimAbsent(feature="r", queries=(), outcome="confirmed_ghost", code_hits=0, document_hits=2),
    ],
    "test.run": [
        p.TestRun("pytest", 3, 0),
        p.TestRun("pytest", 0, 1),
        p.TestRun(
            command="go test ./...",
            passed=3,
            failed=0,
            errors=0,
            skipped=1,
            outcome="succeeded",
            tree="ab" * 32,
            whole=True,
            suite="web",
            unit="packages",
            why="files changed while it ran",
        ),
    ],
    "check.run": [
        p.CheckRun("ruff check .", "lint", True),
        p.CheckRun(
            command="make",
            purpose="build",
            passed=False,
            tree="ab" * 32,
            whole=True,
            suite="",
            why="it failed",
        ),
    ],
    "contract.set": [
        p.ContractSet("ship"),
        p.ContractSet(
            goal="ship", criteria=("it runs",), evidence=("tests",), mode="strict", tree="ab" * 32, contract=ID
        ),
    ],
    "contract.cleared": [p.ContractCleared(ID), p.ContractCleared(ID, "no longer")],
    "contract.waived": [p.ContractWaived(ID)],
    "stop.judged": [
        p.StopJudged(ID, "met"),
        p.StopJudged(contract=ID, outcome="blocked", missing=("tests",), confidence=40, tree="cd" * 32),
    ],
    "closing.told": [p.ClosingTold(("no next step is written down",))],
    "scenario.met": [p.ScenarioMet("happy"), p.ScenarioMet("happy", "ab" * 32, "pytest -k happy")],
    "scenario.missed": [p.ScenarioMissed("edge"), p.ScenarioMissed("edge", "ab" * 32, "pytest -k edge")],
    "edit.made": [p.EditMade("a.py"), p.EditMade("a.py", True)],
    "edit.reverted": [p.EditReverted("a.py")],
    "gate.denied": [
        p.GateDenied("Bash", "no open transaction", "no transaction", "2026-01-01T00:00:00.000Z"),
        p.GateDenied(
            "Bash",
            "no open transaction",
            "no transaction",
            "2026-01-01T00:00:00.000Z",
            call="touch a",
            part="touch a",
            clears="perdure preflight",
        ),
    ],
    "gate.paused": [
        p.GatePaused("2026-01-01T00:10:00.000Z", 600),
        p.GatePaused("2026-01-01T00:10:00.000Z", 600, "a rename by hand"),
    ],
    "gate.resumed": [p.GateResumed(ID, "2026-01-01T00:10:00.000Z", "time")],
    "gate.observed": [p.GateObserved("Bash", "touch a", "writes to a")],
    "file.created": [p.FileCreated("a.py")],
    "command.run": [
        p.CommandRun("ls", "succeeded"),
        p.CommandRun(command="make", outcome="failed", effect="praxic", error="Exit code 2", duration_ms=34),
        p.CommandRun(command="make", outcome="failed", taught=True, failed_in_a_row=3),
    ],
    "tool.failed": [p.ToolFailed("Edit", "not found"), p.ToolFailed("Edit", "not found", "a.py")],
    "subagent.started": [p.SubagentStarted("a93f"), p.SubagentStarted("a93f", "general-purpose")],
    "subagent.stopped": [p.SubagentStopped("a93f"), p.SubagentStopped("a93f", "general-purpose")],
    "session.doubled": [p.SessionDoubled("c-1", OTHER)],
    "context.exhausted": [p.ContextExhausted(170_000, 85)],
}

_ONE = Track(count=1, total=0.5, squares=0.25, bins=(Bin(1, 1.0, 0.5),) * 5)
_TRACK = Track().with_error(Error(0.9, 0.5)).with_error(Error(0.1, 0.0))

DOCUMENTS: dict[str, list[Any]] = {
    "project": [s.Project(ID, "/p", "shop")],
    "instance": [
        s.Instance(ID),
        s.Instance(
            id=ID,
            session_id=OTHER,
            boot_id="boot",
            client="codex",
            client_session_id="c-1",
            client_process=(1, "2"),
            shell=(3, "4"),
            process=(5, "6"),
            tmux="tmux_4",
            tty="pts-6",
        ),
    ],
    "session": [
        s.Session(id=ID, instance_id=None, source="terminal", project_path="/p", started_at=1_767_225_600_000),
        s.Session(
            id=ID,
            instance_id=OTHER,
            source="fork",
            project_path="/p",
            started_at=1,
            parent_id=OTHER,
            client="codex",
            client_session_id="c-1",
            ended_at=2,
            end_reason="exit",
            active_transaction_id=ID,
            transaction_project_path="/q",
            goal_id=OTHER,
            told=(OTHER, "x.y"),
            phase="SESSION_STOP",
            pointers={"serena": (OTHER, 3)},
        ),
    ],
    "transaction": [
        s.Transaction(
            id=ID,
            project_path="/p",
            instance_id=OTHER,
            suffix="",
            status="open",
            agent="user",
            preflight_session_id=ID,
            opened_at=1,
            sessions=(ID,),
            updated_at=2,
            preflight_vectors={},
            vectors={},
            decision="investigate",
            seq=3,
            correction={},
        ),
        s.Transaction(
            id=ID,
            project_path="/p",
            instance_id=OTHER,
            suffix="tmux_4",
            status="closed",
            agent="codex/a",
            preflight_session_id=ID,
            opened_at=1,
            sessions=(ID, OTHER),
            updated_at=2,
            preflight_vectors=VECTORS,
            vectors=VECTORS,
            decision="proceed",
            seq=3,
            correction={"know": 0.01},
            gate_vectors=VECTORS,
            checked=True,
            overridden=True,
            learned=4,
            seen=Evidence(
                tests_passed=1,
                tests_failed=2,
                last_test_passed=False,
                claims_verified=3,
                claims_refuted=4,
                scenarios_met=5,
                scenarios_missed=6,
                edits_made=7,
                edits_reverted=8,
            ),
            goal_id=OTHER,
            task_id="bd-1",
            closed_at=5,
            postflight_session_id=OTHER,
            assessed=True,
            points=60,
            turned=-15,
            checked_points=55,
        ),
    ],
    "contract": [
        s.Contract(ID, 3),
        s.Contract(ledger_id=ID, seq=3, evidence=("tests", "lint"), mode="strict", tree="ab" * 32),
    ],
    "confidence": [s.LastConfidence(40)],
    "holding": [s.Holding(ID)],
    "file": [s.FileOwner(ID)],
    "goal": [
        s.Goal(id=ID, ledger_id=OTHER, seq=3, origin="hand"),
        s.Goal(id=ID, ledger_id=OTHER, seq=3, origin="preflight", transaction_id=OTHER, done_at=5),
    ],
    "note": [s.OpenNote(ID, 7)],
    "undone": [s.Undone(ID, 3, OTHER)],
    "superseded": [s.Superseded(ID)],
    "decided_key": [s.DecidedKey(), s.DecidedKey(((ID, OTHER, 3, "ab" * 16), (OTHER, OTHER, 4, "cd" * 16)))],
    "fork": [
        s.Fork(about="task", ledger_id=OTHER, seq=3, sides=("ledger", "f.jsonl")),
        s.Fork(about="decision", ledger_id=OTHER, seq=4, sides=(ID, OTHER), resolved_by=ID),
    ],
    "agent": [s.AgentRecord({}), s.AgentRecord({"know": _TRACK, "completion": _ONE})],
    "task": [
        s.Task(id="bd-1", ledger_id=OTHER, seq=3, status="open", priority=2, created_at=1, updated_at=2),
        s.Task(
            id=ID,
            ledger_id=OTHER,
            seq=3,
            status="closed",
            priority=0,
            created_at=1,
            updated_at=2,
            blocked_by=(OTHER,),
            said_at={"title": (OTHER, 4)},
            instance_id=ID,
            closed_at=5,
        ),
    ],
    "trail": [s.Trail(), s.Trail(2, 1, ((ID, 4, None), (OTHER, 7, "ab" * 32)))],
    "synced": [
        s.SyncedTask(task_id="bd-1", file={}, ledger={}, line="ab" * 32),
        s.SyncedTask(
            task_id="bd-1",
            file={"title": "0123456789abcdef"},
            ledger={"status": "fedcba9876543210"},
            line="ab" * 32,
            updated_at="2026-01-15T08:01:02Z",
            comments=("0123456789abcdef",),
        ),
    ],
    "audit_session": [
        s.AuditSession(),
        s.AuditSession(started=(ID, 3), records=2, root="ab" * 32, finalized=(OTHER, 9), elsewhere=OTHER),
    ],
    "bound": [s.NthRecord(ID, 7)],
    "decided": [s.NthRecord(ID, 7)],
    "machine": [s.Machine(ID)],
}
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
