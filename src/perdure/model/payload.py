"""The kinds of event and what each one's payload holds. docs/events.md is held to this file by a test.

To add a kind: CONTRIBUTING.md, "Add an event kind". To change one: raise its version in `KINDS` and add the step
from the old version to `UPCASTS`; events are never rewritten, they are upcast when read (SPEC 2.2).

    read(event, TestRun) -> the typed payload, or None if it is erased, of another kind or of a newer version
"""

from __future__ import annotations

from perdure.model.value import fields, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from perdure.model.event import Event, Payload
    from perdure.model.json import Json
    from perdure.model.vectors import Vectors

    T = TypeVar("T")


@value
class LedgerOpened:
    """A chain begins. `continues` names the chains that it continues, after a restore or in a copy."""

    reason: str
    continues: tuple[dict[str, Json], ...] = ()


@value
class LedgerMerged:
    """Chains of other ledgers were imported."""

    ledgers: tuple[dict[str, Json], ...]


@value
class LedgerHealed:
    """Something was rebuilt; `lost` describes what could not be."""

    mended: tuple[str, ...]
    lost: tuple[str, ...] = ()


@value
class HeadSigned:
    """The tree over a ledger's first `size` events was signed; `note` is also kept outside the project."""

    ledger_id: str
    size: int
    root: str
    note: str
    why: str


@value
class RestoreAcknowledged:
    """A person accepts that signed heads no longer match: a ledger was put back or lost on purpose."""

    because: str
    heads: tuple[dict[str, Json], ...]


@value
class PayloadRedacted:
    """A person had a payload erased. Its event keeps its hashes."""

    ledger_id: str
    seq: int
    event_id: str
    because: str
    prev_hash: str | None = None
    hash: str | None = None
    """Only for a thought record: the hash that its chain needs (SPEC 14.4)."""


@value
class ProjectCreated:
    name: str
    path: str


@value
class ProjectMoved:
    path: str
    was: str


@value
class InstanceBound:
    """A place of work, and the processes that show whether it is alive (SPEC 1, 3.2)."""

    boot_id: str | None = None
    client: str | None = None
    client_session_id: str | None = None
    client_process: tuple[int, str] | None = None
    shell: tuple[int, str] | None = None
    process: tuple[int, str] | None = None
    tmux: str | None = None
    tty: str | None = None


@value
class SessionStarted:
    source: str
    project_path: str
    parent_id: str | None = None
    client: str | None = None
    client_session_id: str | None = None


@value
class SessionEnded:
    reason: str


@value
class PhaseEntered:
    """A client's session came into another phase (SPEC 10.1)."""

    phase: str


@value
class PointerSet:
    """An integration keeps something outside that the next session must find again (SPEC 10.2)."""

    name: str
    value: str
    command: str
    """What reactivates it."""


@value
class PointerRemoved:
    name: str


@value
class StateRestored:
    """A session that continues another looked at the state checkpoint of it (SPEC 10.4)."""

    saved_by: str
    """The session whose checkpoint it is."""
    outcome: str
    """`restored`, `refused`, or `other branch`."""
    why: str | None = None
    """Why it was not restored."""
    left_out: tuple[str, ...] = ()
    """The fields that were damaged or foreign."""
    rebuilt: tuple[str, ...] = ()
    """The fields that were too old, and were taken from the ledger alone."""
    doubtful: bool | None = None
    """Whether nothing in the work speaks of the goal any more."""


@value
class SessionWorking:
    """The transaction that the session is in, if that is in another project's ledger (seed 000 §5.4)."""

    active_transaction_id: str | None = None
    transaction_project_path: str | None = None


@value
class TransactionOpened:
    """PREFLIGHT."""

    project_path: str
    suffix: str
    vectors: Vectors
    reasoning: str
    decision: str
    correction: dict[str, float]
    goal_id: str | None = None


@value
class TransactionJoined:
    """A session acted under the transaction for the first time."""


@value
class TransactionChecked:
    """CHECK."""

    vectors: Vectors
    reasoning: str
    decision: str
    correction: dict[str, float]
    shortfalls: tuple[str, ...] = ()


@value
class TransactionOverridden:
    """A person opened the gate for this one transaction."""

    because: str


@value
class TransactionAdopted:
    """Another instance took the transaction over."""

    from_instance: str
    suffix: str
    held_back: bool = False
    """The last assessment of who took it over said `investigate`, and nothing was learned since: that answer stands for
    this transaction too, until a CHECK."""


@value
class TransactionClosed:
    """POSTFLIGHT; or, with `assessed` false, the closing of an orphan, which calibration does not count."""

    assessed: bool
    vectors: Vectors | None = None
    reasoning: str | None = None
    other_machine: str | None = None
    """The ledger of the machine that the transaction was imported from: a person ended it here."""


@value
class GoalCreated:
    title: str
    origin: str = "hand"
    original: str | None = None
    """The original goal of the lineage, if this goal has the same words and replaces it."""


@value
class GoalPrompted:
    """The first prompt of a lineage: its original goal."""

    title: str
    origin: str = "prompt"


@value
class GoalDone:
    goal_id: str
    because: str | None = None


@value
class DecisionMade:
    decision: str
    rationale: str | None = None
    evidence: tuple[dict[str, Json], ...] = ()
    title: str | None = None
    key: str | None = None
    value: str | None = None
    supersedes: str | None = None
    scenarios: tuple[dict[str, Json], ...] = ()
    also_supersedes: tuple[str, ...] = ()
    """Further decisions that it replaces, if it settles a fork."""
    words_from: str | None = None
    """If it keeps the words of somebody else's side of a fork: the other machine's ledger, or `beads`."""
    identifiers: tuple[dict[str, Json], ...] = ()
    """What stood at the places in the project that its words name (`actions/identifiers.py`)."""


@value
class TaskCreated:
    """The event's `task_id` is the task's id."""

    title: str
    description: str | None = None
    priority: int | None = None
    assignee: str | None = None
    labels: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    test_scenarios: tuple[dict[str, Json], ...] = ()
    handoffs: tuple[dict[str, Json], ...] = ()
    blocked_by: tuple[str, ...] = ()


@value
class TaskUpdated:
    """Fields that are given have a new value; fields in `cleared` are empty now; all others stay as they were."""

    title: str | None = None
    description: str | None = None
    status: str | None = None
    priority: int | None = None
    assignee: str | None = None
    labels: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    test_scenarios: tuple[dict[str, Json], ...] = ()
    handoffs: tuple[dict[str, Json], ...] = ()
    cleared: tuple[str, ...] = ()


@value
class TaskClosed:
    because: str | None = None


@value
class TaskLinked:
    """The task depends on another one."""

    blocked_by: str


@value
class TaskUnlinked:
    blocked_by: str


@value
class TaskSynced:
    """What a beads file and the ledger said of the task when they were last compared, as digests (docs/adr/0046)."""

    path: str
    file: dict[str, str]
    """A digest of each field that the file had; empty fields are left out."""
    ledger: dict[str, str]
    """The same for the ledger, where that differed."""
    line: str
    """The SHA-256 of the line."""
    updated_at: str | None = None
    """As the line had it."""
    comments: tuple[str, ...] = ()
    """The comments that were read as handoffs, each as a digest."""


@value
class ForkDetected:
    """Two sides say different things of the same thing, and neither knew of the other."""

    about: str
    """`task`: the event's `task_id` names it. `decision`: decisions on one key. `context`: what a text states."""
    field: str
    """The task's field, the key of the decisions, or what the text speaks of."""
    sides: tuple[dict[str, Json], ...]
    """Each with `side` (`ledger`, or the path of a file, or what else states it), and either the `decision_id` of the
    decision whose value it is, or its `value`."""
    kept: str = "ledger"
    """The side whose value counts."""
    fork_id: str | None = None
    """The same for the same fork; None for a task (`model/state.fork_of_task`)."""


@value
class ForkResolved:
    """Somebody decided which side of a fork counts."""

    fork_id: str
    kept: str
    """The side that counts, by its name; or `decided`, if it was none of them."""
    decision_id: str | None = None
    """The decision that counts now; None if what the ledger has is not a decision."""
    because: str | None = None


@value
class AuditStarted:
    """The event's `session_id` is the id of the audit session, which is not one of Perdure's sessions (SPEC 1)."""

    intent: str


@value
class ThoughtRecorded:
    """One link of its task's chain (SPEC 14.2, 14.3). The event's `session_id` is the audit session it is bound to."""

    type: str
    agent_id: str
    content: str
    prev_hash: str
    hash: str
    follows: tuple[int, str] | None = None
    """The position of the record before it, if that is in another chain of events: seq, ledger_id."""
    lone: tuple[str, ...] = ()
    """Lone surrogates in the content, as `position:code`. The hash covers the content as it was given."""
    working_session: str | None = None
    """Perdure's own session in which it was thought."""


@value
class AuditFinalized:
    """`covers`: for each chain, the last event whose records are in the tree."""

    root: str
    record_count: int
    covers: tuple[dict[str, Json], ...]


@value
class Note:
    """A line of text to keep; the kind of note is the event's kind."""

    text: str
    identifiers: tuple[dict[str, Json], ...] = ()
    """What stood at the places in the project that the text names (`actions/identifiers.py`)."""
    moved_from: dict[str, str] | None = None
    """The note of another project that it was before: its `project_id`, `project_path`, `note_id` and `ts`."""


@value
class NoteClosed:
    note_id: str
    because: str | None = None


@value
class ChangeUndone:
    """A note, decision, goal or task change was taken back, or counts again. Nothing is erased: this says what the
    state is now (docs/events.md)."""

    change: str
    """The id of the event that it takes back, or brings back."""
    kind: str
    """The kind of that event."""
    at: tuple[int, str]
    """Where that event stands: seq, ledger_id."""
    opens: str | None = None
    """The note or goal that is open from now on."""
    opens_at: tuple[int, str] | None = None
    """Where the event stands that made it."""
    closes: str | None = None
    """The note or goal that is open no longer."""
    gone: tuple[str, ...] = ()
    """The decisions that count no longer."""
    gone_by: str | None = None
    """The decision that supersedes them; None if they were taken back."""
    counts: tuple[dict[str, Json], ...] = ()
    """The decisions that count again, each with `decision_id`, and with `ledger_id`, `seq` and the `digest` of its
    value if it has the key."""
    key: str | None = None
    """The id of the document of their key."""
    fork: str | None = None
    """The id of a fork on that key."""
    by: str | None = None
    """The event that changed the task back."""
    moved_to: dict[str, str] | None = None
    """Where a note is that was moved to another project: its `project_id`, `project_path` and `note_id` there."""


@value
class FileRead:
    path: str


@value
class SearchMade:
    query: str


@value
class PromptGiven:
    """The person's own words, and how full the context was then, if the client says so."""

    text: str
    context_percent: int | None = None
    said_at: str | None = None
    """When it was said, if a transcript tells that was adopted later."""


@value
class ClaimVerified:
    """Perdure found the evidence of a claim true: when the claim was made, or again after it had not been."""

    claim: str
    """The id of the claim; its words stay in `claim.made`."""
    outcome: str | None = None
    """The class of the evidence now."""


@value
class ClaimRefuted:
    """Perdure found that the evidence of a claim stands nowhere, or no longer."""

    claim: str
    """The id of the claim, or of its refusal."""
    outcome: str | None = None


@value
class ClaimMade:
    """What somebody said about the code, or about the person's words, and the evidence for it (SPEC 8.1). The event's
    id is the claim's."""

    claim: str
    grounding: str
    """`citation`, `code_reference`, `user_input` or `assumption`."""
    outcome: str | None = None
    """The class of the evidence when the claim was made; None for an assumption."""
    path: str | None = None
    """From the project's root."""
    line: int | None = None
    end_line: int | None = None
    """Where the evidence stood."""
    quote: str | None = None
    blob: str | None = None
    commit: str | None = None
    symbol: str | None = None
    """The symbol, or the innermost symbol around the quote."""
    symbol_hash: str | None = None
    prompt_id: str | None = None
    """The person's prompt that has the quoted words."""
    cited_line: int | None = None
    cited_end_line: int | None = None
    """The cited lines, if they are not exactly those of the quote."""


@value
class ClaimRefused:
    """The evidence stood nowhere when the claim was made: `fabricated`."""

    claim: str
    grounding: str
    reason: str
    cited: str | None = None
    quote: str | None = None


@value
class ClaimAbsent:
    """Something is said not to be there; Perdure searched the tracked files for it (SPEC 8.4)."""

    feature: str
    queries: tuple[str, ...]
    outcome: str
    code_hits: int
    document_hits: int
    below: str | None = None
    """The folder that was searched, if not the whole project."""
    commit: str | None = None


@value
class TestRun:
    """Tests ran and reported. It is evidence for the contract only if it has a `tree` and was `whole` (SPEC 10.6)."""

    command: str
    passed: int
    failed: int
    errors: int | None = None
    skipped: int | None = None
    outcome: str | None = None
    """`succeeded` or `failed`: the exit status of the tests themselves; None if something else decided it."""
    tree: str | None = None
    """The hash of the work tree, if that was the same before the run and after it."""
    whole: bool | None = None
    """All of a suite, not a selection."""
    suite: str | None = None
    """The folder whose suite it was, from the project's root."""
    unit: str | None = None
    """What was counted, if not tests."""
    why: str | None = None
    """Why it is not evidence."""

    @property
    def is_bad(self) -> bool:
        return bool(self.failed or self.errors) or self.outcome == "failed"

    @property
    def is_good(self) -> bool:
        """Tests passed, none failed, and nothing hid their exit status. It need not be evidence for the contract."""
        is_hidden = self.outcome is None and self.why is not None
        return self.passed > 0 and not self.is_bad and not is_hidden


@value
class CheckRun:
    """A build or a linter ran; the same fields as of tests."""

    command: str
    purpose: str
    """`build` or `lint`, which includes the checking of types."""
    passed: bool
    tree: str | None = None
    whole: bool | None = None
    suite: str | None = None
    why: str | None = None


@value
class ScenarioMet:
    name: str
    tree: str | None = None
    command: str | None = None


@value
class ScenarioMissed:
    name: str
    tree: str | None = None
    command: str | None = None


@value
class ContractSet:
    """What counts as done, and which evidence must show it (SPEC 10.6). It belongs to the event's task, or else to its
    transaction; before there is one, to its instance."""

    goal: str
    criteria: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    """The kinds of evidence that are needed, all of them; none: as much as adds up to the threshold."""
    mode: str | None = None
    tree: str | None = None
    """The hash of the work tree then."""
    contract: str | None = None
    """What the contract belongs to that a person changed from elsewhere."""


@value
class ContractCleared:
    contract: str
    """What the contract belonged to."""
    because: str | None = None


@value
class ContractWaived:
    """The person said, in a prompt of their own, that this turn may end without the evidence."""

    contract: str


@value
class StopJudged:
    """A turn ended under a contract."""

    contract: str
    outcome: str
    """`blocked`; or `met`, `waived`, `told` (the mode only says so), `let go` (it was blocked often enough)."""
    missing: tuple[str, ...] = ()
    confidence: int | None = None
    """Completion confidence, 0 to 100."""
    tree: str | None = None


@value
class ClosingTold:
    """At the end of a turn it was said what is not written down yet."""

    what: tuple[str, ...]


@value
class EditMade:
    path: str
    unread: bool | None = None
    """Whether the file existed and nothing shows that it was read before."""


@value
class FileCreated:
    path: str


@value
class CommandRun:
    """A command that the agent ran. `effect` is the gate's judgement; `outcome` is what the client says: succeeded,
    failed or interrupted. `error` with a success is what the command printed when a pipe hid its failure. `taught` says
    whether it could teach something about the work; None in events from before that was recorded."""

    command: str
    outcome: str
    effect: str | None = None
    error: str | None = None
    duration_ms: int | None = None
    taught: bool | None = None
    failed_in_a_row: int | None = None
    """If it failed: how often it did, unchanged, without a success between."""


@value
class ToolFailed:
    tool: str
    error: str
    path: str | None = None


@value
class SubagentStarted:
    agent_id: str
    agent_type: str | None = None


@value
class SubagentStopped:
    agent_id: str
    agent_type: str | None = None


@value
class SessionDoubled:
    """Two running processes have the same client session id (SPEC 3.7): this instance was told about the other."""

    client_session_id: str
    other_instance: str


@value
class ContextExhausted:
    """The agent was told to write down what only it knows (SPEC 10.8)."""

    tokens: int
    percent: int


@value
class CheckpointRun:
    """What a checkpoint found (SPEC 9.1)."""

    form: str
    """`full` or `compact`."""
    mode: str
    """`warn` or `strict`."""
    outcome: str
    """`passed`, `refused` or `undecided`."""
    steps: tuple[dict[str, Json], ...]
    """Each with `number`, `name`, `status` and `figure`."""
    until: int
    """The number of the last event of this chain that it looked at. The next window begins after it."""
    grounded: int | None = None
    total: int | None = None
    """The ratio's two numbers; None in the compact form."""
    context_tokens: int | None = None


@value
class SessionHandoff:
    """What the session leaves to the next one, by its ids; the event's `task_id` is its active task (SPEC 9.1)."""

    decisions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Questions, blockers and next steps that are open."""
    grounded: int | None = None
    total: int | None = None


@value
class HandoffDemanded:
    """What an agent or a person wants carried to the next session, in their own words (SPEC 13.1). It counts until
    another one of the lineage takes its place."""

    task_summary: str | None = None
    key_findings: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    next_session_context: str | None = None


@value
class HandoffWritten:
    """What a session leaves to the next one, by the ids of what was recorded (SPEC 13.1). The words stay in those
    events; the event's `task_id` is the active task."""

    boundary: str
    """`compaction`, `stop`, `end` or `command`: what it was written at."""
    head_ledger: str
    head_seq: int
    head_hash: str
    """The head of the ledger when it was made."""
    project_path: str
    branch: str | None = None
    demanded: str | None = None
    """The `handoff.demanded` whose words are carried."""
    goal: str | None = None
    goal_project: str | None = None
    """The other project that the goal is recorded in, if the lineage came from there."""
    task_title: str | None = None
    """The event that last gave the active task its title."""
    stopped_at: str | None = None
    """The note that says where the work stopped."""
    findings: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    transaction: str | None = None
    transaction_path: str | None = None
    transaction_status: str | None = None
    """What the gate said of it: `proceed` or `investigate`."""
    preflight_vectors: Vectors | None = None
    lineage: tuple[str, ...] = ()
    """The sessions of the lineage, the newest first."""
    grounded: int | None = None
    total: int | None = None


@value
class DeltaSynced:
    """How many tokens the context took in since the last synthesis, and what was written down since (SPEC 9.3)."""

    tokens: int
    decisions_persisted: int
    bead_updated: bool
    """A task was changed since, or the task file was written now."""
    notes_updated: bool
    """A note was recorded since."""
    context_tokens: int
    """The tokens in the context then: the next ones are counted from here."""


@value
class SynthesisReminded:
    """The agent was reminded to write down what only it knows (SPEC 9.3)."""

    tokens: int


@value
class CompactionBegun:
    """The client is about to summarise its context (SPEC 11.1)."""

    trigger: str
    """`manual` or `auto`."""
    facts: tuple[dict[str, Json], ...] = ()
    """What must survive, the most important first. Each fact has `kind`, `source` and `digest`; its words stay in the
    event that `source` names."""
    named: int = 0
    """How many of them were named to the summariser."""


@value
class CompactionAudited:
    """The client's summary was compared with the ledger (SPEC 11.2)."""

    heard: str
    """Where the summary was heard: `summariser` or `after` the compaction."""
    summary: str
    """The summary's SHA-256."""
    findings: tuple[dict[str, Json], ...] = ()
    """One for each fact, with `outcome`: `kept`, `altered` or `lost`. An altered one has the `passage` that says
    otherwise, its `line`, and `why`."""


@value
class CompactionGiven:
    """Facts were given back to the agent (SPEC 11.3)."""

    given_with: str
    """`session start`, `prompt` or `tool`."""
    facts: tuple[dict[str, Json], ...] = ()
    audit_id: str | None = None
    """The audit that found them missing; None if the summary was not compared yet, and all facts were given."""


@value
class CompactionArrived:
    """Whether the client's transcript has what was given back."""

    given_id: str
    arrived: bool


@value
class EditReverted:
    path: str


@value
class GateObserved:
    """In `observe` mode: what the gate would have denied, and why."""

    tool: str
    part: str
    reason: str


@value
class GateDenied:
    """The gate denied a tool call. It is recorded later than it was given, by whoever next opens the ledger to write.
    A denial is not an error of the work (SPEC 5.1)."""

    tool: str
    reason: str
    kind: str
    """One of the kinds of denial in `gate/policy.py`."""
    at: str
    """When the denial was given."""
    call: str | None = None
    """The command, or the file that was to be changed."""
    part: str | None = None
    """The part of the command that decided."""
    clears: str | None = None
    """What clears the denial."""


@value
class GatePaused:
    """A person opened the gate in this project for a while (SPEC 5.1)."""

    until: str
    """When it ends by itself."""
    seconds: int
    because: str | None = None


@value
class GateResumed:
    """A pause is over. If it ended by itself, this is recorded later, by whoever next opens the ledger to write."""

    pause: str
    """The id of the event that began it."""
    at: str
    """When it ended."""
    by: str
    """`time`, `person`, or `replaced`: by another pause."""


NOTE_KINDS: dict[str, str] = {
    "reasoning": "where we are, what is next",
    "finding": "something learned",
    "question": "something open that somebody must answer",
    "blocker": "what keeps the work from going on",
    "next": "a step to take",
    "constraint": "a rule the person set",
    "failed": "an approach that did not work, and why",
    "scenario": "a case a test must cover",
}
EVIDENCE_KINDS = ("tests", "build", "lint", "scenarios", "claims")
"""What a contract may ask for (SPEC 10.6)."""
EVIDENCE_MODES = ("strict", "normal", "loose", "off")
CLOSABLE_NOTES = ("question", "blocker", "next")
SAID: dict[str, tuple[str, ...]] = {
    "decision.made": ("title", "decision", "rationale", "key", "value"),
    "goal.created": ("title",),
    "prompt.given": ("text",),
    "task.created": ("title", "description", "next_steps", "blockers", "questions"),
    "task.updated": ("title", "description", "next_steps", "blockers", "questions"),
    "contract.set": ("goal", "criteria"),
    "claim.made": ("claim",),
    "claim.absent": ("feature",),
    "handoff.demanded": ("task_summary", "key_findings", "next_steps", "blockers", "next_session_context"),
    "audit.started": ("intent",),
    "thought.recorded": ("content",),
    **{f"note.{kind}": ("text",) for kind in NOTE_KINDS},
}
"""What was said and written down: the kinds that people search, and the fields of each that hold words (SPEC 12.1)."""

SEEN: dict[str, tuple[str, ...]] = {
    "command.run": ("command", "error"),
    "test.run": ("command",),
    "tool.failed": ("error", "path"),
    "edit.made": ("path",),
    "file.created": ("path",),
    "edit.reverted": ("path",),
    "file.read": ("path",),
    "gate.denied": ("call",),
}
"""What hooks saw: commands, files, errors and denials, which people search too (SPEC 17.6)."""

TEXTS = {**SAID, **SEEN}

KINDS: dict[str, tuple[type, int]] = {
    "ledger.opened": (LedgerOpened, 1),
    "ledger.merged": (LedgerMerged, 1),
    "ledger.healed": (LedgerHealed, 1),
    "head.signed": (HeadSigned, 1),
    "restore.acknowledged": (RestoreAcknowledged, 1),
    "payload.redacted": (PayloadRedacted, 1),
    "project.created": (ProjectCreated, 1),
    "project.moved": (ProjectMoved, 1),
    "instance.bound": (InstanceBound, 1),
    "session.started": (SessionStarted, 1),
    "session.ended": (SessionEnded, 1),
    "session.working": (SessionWorking, 1),
    "phase.entered": (PhaseEntered, 1),
    "pointer.set": (PointerSet, 1),
    "pointer.removed": (PointerRemoved, 1),
    "state.restored": (StateRestored, 1),
    "transaction.opened": (TransactionOpened, 1),
    "transaction.joined": (TransactionJoined, 1),
    "transaction.checked": (TransactionChecked, 1),
    "transaction.overridden": (TransactionOverridden, 1),
    "transaction.adopted": (TransactionAdopted, 1),
    "transaction.closed": (TransactionClosed, 1),
    "goal.created": (GoalCreated, 1),
    "goal.prompted": (GoalPrompted, 1),
    "goal.done": (GoalDone, 1),
    "decision.made": (DecisionMade, 1),
    "task.created": (TaskCreated, 1),
    "task.updated": (TaskUpdated, 1),
    "task.closed": (TaskClosed, 1),
    "task.linked": (TaskLinked, 1),
    "task.unlinked": (TaskUnlinked, 1),
    "task.synced": (TaskSynced, 1),
    "fork.detected": (ForkDetected, 1),
    "fork.resolved": (ForkResolved, 1),
    "audit.started": (AuditStarted, 1),
    "thought.recorded": (ThoughtRecorded, 1),
    "audit.finalized": (AuditFinalized, 1),
    **{f"note.{kind}": (Note, 1) for kind in NOTE_KINDS},
    "note.closed": (NoteClosed, 1),
    "change.undone": (ChangeUndone, 1),
    "change.restored": (ChangeUndone, 1),
    "file.read": (FileRead, 1),
    "search.made": (SearchMade, 1),
    "prompt.given": (PromptGiven, 1),
    "claim.verified": (ClaimVerified, 1),
    "claim.refuted": (ClaimRefuted, 1),
    "claim.made": (ClaimMade, 1),
    "claim.refused": (ClaimRefused, 1),
    "claim.absent": (ClaimAbsent, 1),
    "test.run": (TestRun, 1),
    "check.run": (CheckRun, 1),
    "contract.set": (ContractSet, 1),
    "contract.cleared": (ContractCleared, 1),
    "contract.waived": (ContractWaived, 1),
    "stop.judged": (StopJudged, 1),
    "closing.told": (ClosingTold, 1),
    "scenario.met": (ScenarioMet, 1),
    "scenario.missed": (ScenarioMissed, 1),
    "edit.made": (EditMade, 1),
    "edit.reverted": (EditReverted, 1),
    "file.created": (FileCreated, 1),
    "command.run": (CommandRun, 1),
    "tool.failed": (ToolFailed, 1),
    "subagent.started": (SubagentStarted, 1),
    "subagent.stopped": (SubagentStopped, 1),
    "session.doubled": (SessionDoubled, 1),
    "context.exhausted": (ContextExhausted, 1),
    "gate.observed": (GateObserved, 1),
    "gate.denied": (GateDenied, 1),
    "gate.paused": (GatePaused, 1),
    "gate.resumed": (GateResumed, 1),
    "checkpoint.passed": (CheckpointRun, 1),
    "checkpoint.refused": (CheckpointRun, 1),
    "session.handoff": (SessionHandoff, 1),
    "handoff.demanded": (HandoffDemanded, 1),
    "handoff.written": (HandoffWritten, 1),
    "delta.synced": (DeltaSynced, 1),
    "synthesis.reminded": (SynthesisReminded, 1),
    "compaction.begun": (CompactionBegun, 1),
    "compaction.audited": (CompactionAudited, 1),
    "compaction.given": (CompactionGiven, 1),
    "compaction.arrived": (CompactionArrived, 1),
}

UNDOING = ("change.undone", "change.restored")
UNDOABLE = (
    *(f"note.{kind}" for kind in NOTE_KINDS),
    "note.closed",
    "decision.made",
    "goal.created",
    "goal.done",
    "task.created",
    "task.updated",
    "task.closed",
    "task.linked",
    "task.unlinked",
)
"""What a person or an agent can take back (SPEC 17.6)."""
WORDS_UNDONE = frozenset((*(f"note.{kind}" for kind in NOTE_KINDS), "decision.made"))
"""Those of them that are listed straight from the events."""

UPCASTS: dict[tuple[str, int], Callable[[Payload], Payload]] = {}
"""(kind, version) → the payload one version later. Empty until a kind changes."""

LEARNED = ("file.read", "search.made", "claim.verified", "prompt.given", "test.run")
"""Kinds of event after which an assessment counts again once it was `investigate` (SPEC 4.3). They are counted on the
transaction. So are notes of `LEARNED_NOTES` that say something new: `actions/learning.py` compares their words."""
LEARNED_NOTES = ("note.finding", "note.failed")


def write(payload: object) -> Payload:
    """The payload as it is stored: optional fields that are empty are left out."""
    return {
        name: list(content) if isinstance(content, tuple) else content
        for name, content in payload.__dict__.items()
        if (content is not None and content != ()) or not hasattr(type(payload), name)
    }


def read(event: Event, as_: type[T]) -> T | None:
    return None if event.payload is None else read_payload(event.kind, event.schema, event.payload, as_=as_)


def read_payload(kind: str, schema: int, payload: Payload, *, as_: type[T]) -> T | None:
    """The payload as it is stored with an event of this kind. `schema`: the version in which it was written."""
    known = KINDS.get(kind)
    if known is None or known[0] is not as_ or schema > known[1]:
        return None
    payload = upcast(kind, schema, known[1], payload=payload)
    types = as_.__annotations__
    try:
        given = {
            name: reader_of(types[name])(content) for name in fields(as_) if (content := payload.get(name)) is not None
        }
        return as_(**given)
    except TypeError:  # a field is missing or of another type: unreadable, like a kind we do not know
        return None


def reader_of(annotation: str) -> Callable[[Json], object]:
    """The function that reads a field of this type. None is not stored, so `str | None` is read like `str`."""
    return READERS[annotation.removesuffix(" | None")]


def upcast(kind: str, written: int, wanted: int, *, payload: Payload) -> Payload:
    for version in range(written, wanted):
        payload = UPCASTS[kind, version](payload)
    return payload


def _exactly(wanted: type) -> Callable[[Json], object]:
    def taken(content: Json) -> object:
        if type(content) is not wanted:
            raise TypeError
        return content

    return taken


def _several(wanted: type) -> Callable[[Json], object]:
    def taken(content: Json) -> object:
        if type(content) is not list or any(type(part) is not wanted for part in content):
            raise TypeError
        return tuple(content)

    return taken


def _process(content: Json) -> object:
    if type(content) is not list or [type(part) for part in content] != [int, str]:
        raise TypeError
    return tuple(content)


def _numbers(least: float) -> Callable[[Json], object]:
    """As floats, sorted by name, so that the value is the same before it is stored (1.0) and after (1)."""

    def taken(content: Json) -> object:
        if type(content) is not dict:
            raise TypeError
        for number in content.values():
            if type(number) not in (int, float) or not least <= number <= 1.0:  # type: ignore[operator]
                raise TypeError
        return {name: float(content[name]) for name in sorted(content)}  # type: ignore[arg-type]

    return taken


def _texts(content: Json) -> object:
    if type(content) is not dict or any(type(part) is not str for part in content.values()):
        raise TypeError
    return content


READERS: dict[str, Callable[[Json], object]] = {
    "str": _exactly(str),
    "int": _exactly(int),
    "bool": _exactly(bool),
    "tuple[str, ...]": _several(str),
    "tuple[dict[str, Json], ...]": _several(dict),
    "tuple[int, str]": _process,
    "Vectors": _numbers(0.0),
    "dict[str, float]": _numbers(-1.0),
    "dict[str, str]": _texts,
}
"""Each field type, as it is written above, and the function that reads it. They check: an imported chain may hold
anything."""
