"""State: what the events add up to, as small typed documents, and the fold that updates them (SPEC 2.1).

`fold(event, read)` is pure: it reads documents and returns those that change. A store applies them in the same commit
as the event, so the hot path needs one look-up, however long the ledger is. Invariants:

- folding all events of a store in (clock, ledger_id) order from nothing gives exactly the stored documents;
- documents hold no free text. Words stay in the event (`Ref`), so that erasing a payload erases them everywhere;
- only what can still change has a document. What is written once and never changes (decisions, findings) is listed
  from the events by kind, so the documents stay few however long the ledger grows.

An event of unknown kind, or one whose payload is gone, only changes when its transaction was last touched.

An event of another machine's chain (`model/ownership.py`) changes what all machines share: goals, notes, decisions,
tasks and their trails. It never changes who works here or whether the gate is open: see `_Elsewhere`.
"""

from __future__ import annotations

from perdure.model import confidence as c
from perdure.model import payload as p
from perdure.model.calibration import CALIBRATED, Bin, Evidence, Track, errors_of
from perdure.model.event import Event
from perdure.model.ids import (
    SHORT,
    InstanceId,
    ProjectId,
    SessionId,
    TaskId,
    TransactionId,
    derived_id,
    is_hash,
    is_token,
)
from perdure.model.moment import MINUTE, Moment, moment_of
from perdure.model.ownership import continued_by
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal, TypeAlias, TypeVar

    from perdure.model.json import Json

    Status: TypeAlias = Literal["open", "closed"]
    Process: TypeAlias = tuple[int, str]

    T = TypeVar("T")

TOUCH_EVERY = MINUTE
"""Milliseconds. A transaction's `updated_at` is exact when the work moves along, and otherwise at most this old."""


@value
class Project:
    id: ProjectId
    path: str
    name: str


@value
class Instance:
    id: InstanceId
    session_id: SessionId | None = None
    boot_id: str | None = None
    client: str | None = None
    client_session_id: str | None = None
    client_process: Process | None = None
    shell: Process | None = None
    process: Process | None = None
    tmux: str | None = None
    tty: str | None = None


@value
class Session:
    id: SessionId
    instance_id: InstanceId | None
    source: str
    project_path: str
    started_at: Moment
    parent_id: SessionId | None = None
    client: str | None = None
    client_session_id: str | None = None
    ended_at: Moment | None = None
    end_reason: str | None = None
    active_transaction_id: TransactionId | None = None
    transaction_project_path: str | None = None
    goal_id: str | None = None
    """The first goal of the lineage, which each session hands to the next."""
    told: tuple[str, ...] = ()
    """What the agent was told already and need not be told again: other instances by id, or that the context is
    full."""
    phase: str | None = None
    """Its phase (SPEC 10.1); None if no client's hooks drive it."""
    pointers: dict[str, tuple[str, int]] | None = None
    """The external pointers of the lineage by name, each with the event that has its words (SPEC 10.2). Each session
    hands them to the next."""


@value
class Transaction:
    id: TransactionId
    project_path: str
    instance_id: InstanceId
    suffix: str
    status: Status
    agent: str
    preflight_session_id: SessionId
    opened_at: Moment
    sessions: tuple[SessionId, ...]
    updated_at: Moment
    preflight_vectors: dict[str, float]
    vectors: dict[str, float]
    decision: str
    seq: int
    """The number of the last event that changed it, in the chain of that event."""
    correction: dict[str, float]
    """The correction from calibration that the last assessment used."""
    gate_vectors: dict[str, float] | None = None
    """The vectors of the last assessment that opened the gate; None if none did. Calibration compares them with the
    evidence."""
    checked: bool = False
    """Whether the last CHECK opened the gate."""
    overridden: bool = False
    """Whether a person opened the gate by hand."""
    learned: int = 0
    """How many events taught something since the opening or the last CHECK (`is_learning`)."""
    seen: Evidence = Evidence()
    """What the ledger saw under it, for calibration."""
    goal_id: str | None = None
    task_id: TaskId | None = None
    closed_at: Moment | None = None
    postflight_session_id: SessionId | None = None
    assessed: bool | None = None
    points: int | None = None
    """Confidence (SPEC 10.7); None until something changed it."""
    turned: int | None = None
    """By how much it changed since the person's last prompt."""
    checked_points: int | None = None
    """Confidence when a CHECK last said proceed."""

    @property
    def passes(self) -> bool:
        return self.overridden or self.decision == "proceed"

    @property
    def confidence(self) -> int:
        return c.START if self.points is None else self.points

    @property
    def is_freshly_checked(self) -> bool:
        """Whether confidence has not fallen since a CHECK that said proceed, or a person opened the gate."""
        return self.overridden or (self.checked_points is not None and self.confidence >= self.checked_points)


@value
class Holding:
    """Which transaction an instance has open here. The document exists only while it does: two PREFLIGHTs race for
    it."""

    transaction_id: TransactionId


@value
class FileOwner:
    """The transaction that `active_transaction_<suffix>.json` shows."""

    transaction_id: TransactionId


PROMPT = "prompt"
"""The origin of a lineage's original goal, which is its first prompt."""


@value
class Goal:
    """A goal of the project, or the original goal of one lineage, which ends with that lineage (SPEC 1). The document
    of an original goal is never live: only the sessions of the lineage refer to it, in `goal_id`."""

    id: str
    ledger_id: str
    seq: int
    origin: str
    transaction_id: TransactionId | None = None
    done_at: Moment | None = None

    @property
    def is_original(self) -> bool:
        return self.origin == PROMPT


@value
class OpenNote:
    """A question, blocker or next step that nobody has closed yet."""

    ledger_id: str
    seq: int


@value
class Superseded:
    by: str


@value
class Undone:
    """An event that was taken back, by where it stands. The document's id is the event's."""

    ledger_id: str
    seq: int
    by: str
    """The event that took it back."""


@value
class DecidedKey:
    """The decisions on one key that nothing superseded, oldest first. The document is live while two of them have
    different values: that is a fork (SPEC 7.4). A decision on another key may have superseded one since."""

    decisions: tuple[tuple[str, str, int, str], ...] = ()
    """Each with its id, its ledger and number there, and a digest of its value."""


@value
class Fork:
    """A fork that is on record. The document is live until somebody resolves it."""

    about: str
    ledger_id: str
    seq: int
    """Where the latest `fork.detected` of it stands."""
    sides: tuple[str, ...]
    """What the sides are: ids of decisions, names of other sides."""
    resolved_by: str | None = None
    """The decision that settled it."""


@value
class Task:
    """`said_at` is the event that last changed a field, if that is not the event that made the task."""

    id: TaskId
    ledger_id: str
    seq: int
    status: str
    priority: int
    created_at: Moment
    updated_at: Moment
    blocked_by: tuple[TaskId, ...] = ()
    said_at: dict[str, tuple[str, int]] = {}  # noqa: RUF012 - a value is frozen
    instance_id: InstanceId | None = None
    """The instance that has it in progress."""
    closed_at: Moment | None = None


@value
class Trail:
    """What was recorded about a task: thought records and decisions. Of the thought records of each chain, the last is
    known by its position and hash (no hash if it was erased and nothing says what it was)."""

    thoughts: int = 0
    decisions: int = 0
    ends: tuple[tuple[str, int, str | None], ...] = ()


@value
class SyncedTask:
    """What a beads file and the ledger said of a task when they were last compared (`model/payload.TaskSynced`). The
    document's id is `synced_id`."""

    task_id: TaskId
    file: dict[str, str]
    ledger: dict[str, str]
    line: str
    updated_at: str | None = None
    comments: tuple[str, ...] = ()


def synced_id(path: str, task_id: str) -> str:
    return derived_id("synced", path, task_id)


@value
class AuditSession:
    """A span of thought records (SPEC 14.1). Its document exists from its first event on, whether or not it was
    started."""

    started: tuple[str, int] | None = None
    records: int = 0
    root: str | None = None
    finalized: tuple[str, int] | None = None
    elsewhere: str | None = None
    """The other machine that it belongs to, named by the first of that machine's chains."""


@value
class NthRecord:
    """The position of the n-th item: `bound` for an audit session's records, `decided` for a task's decisions. The
    document's id is n, a space, and the id of the session or task."""

    ledger_id: str
    seq: int


@value
class Machine:
    """Another machine, named by the first of its chains, so that a later chain, after a restore there, still counts as
    the same machine's."""

    first: str


@value
class AgentRecord:
    """An agent's calibration, vector by vector."""

    tracks: dict[str, Track]


@value
class Contract:
    """A contract (SPEC 10.6), while it lives. The document's id is what it belongs to: a task, a transaction, or an
    instance that has no transaction yet."""

    ledger_id: str
    seq: int
    """Where its words stand."""
    evidence: tuple[str, ...] = ()
    mode: str | None = None
    tree: str | None = None
    """The work tree when it was set, or when a turn last ended."""


@value
class LastConfidence:
    """The confidence with which an instance's last transaction ended; the next one goes on from it."""

    points: int


DOCUMENTS: dict[str, type] = {
    # The names are stored. Where one says little: `bound` is the n-th thought record of an audit session, `decided` the
    # n-th decision on a task, `file` who owns a transaction's file, `other_transaction` one of another machine.
    "project": Project,
    "instance": Instance,
    "session": Session,
    "transaction": Transaction,
    "holding": Holding,
    "file": FileOwner,
    "goal": Goal,
    "note": OpenNote,
    "superseded": Superseded,
    "undone": Undone,
    "decided_key": DecidedKey,
    "fork": Fork,
    "agent": AgentRecord,
    "task": Task,
    "trail": Trail,
    "synced": SyncedTask,
    "audit_session": AuditSession,
    "bound": NthRecord,
    "decided": NthRecord,
    "other_transaction": Transaction,
    "machine": Machine,
    "contract": Contract,
    "confidence": LastConfidence,
}


@value
class Document:
    """One piece of state. `clock` is that of the event that last changed it, and so its version."""

    kind: str
    id: str
    live: bool
    clock: int
    body: object


def body_as(document: Document | None, kind: type[T]) -> T | None:
    """The document's body, if there is one and it is of this kind."""
    if document is None or not isinstance(document.body, kind):
        return None
    return document.body


@value
class Removed:
    kind: str
    id: str


if TYPE_CHECKING:
    Change: TypeAlias = Document | Removed
    Read: TypeAlias = Callable[[str, str], Document | None]


def fold(event: Event, read: Read, is_own: bool = True) -> list[Change]:
    """The documents that the event changes, each as it is afterwards. `read` gives a document as it is before, by kind
    and id. `is_own`: the event is in one of this store's own chains (`model/ownership.is_own`)."""
    return _folded(event, read) if is_own else _folded_elsewhere(event, read)


def apply_changes(documents: dict[tuple[str, str], Document], changes: Iterable[Change]) -> None:
    """Keeps the changes in memory, by kind and id."""
    for change in changes:
        if isinstance(change, Removed):
            documents.pop((change.kind, change.id), None)
        else:
            documents[change.kind, change.id] = change


def _folded(event: Event, read: Read) -> list[Change]:
    step = _STEPS.get(event.kind)
    changes = step(event, read) if step else []
    if event.transaction_id and not any(c.kind == "transaction" for c in changes):
        changes += _touched_transaction(event, read)
    return changes


def is_folded(kind: str, transaction_id: str | None) -> bool:
    """Whether an event of this kind can change a document."""
    return transaction_id is not None or kind in FOLDED_KINDS


# -- what another machine's chain may change (SPEC 16.4, 20.5) ---------------------------------------------------------

_LOCAL = frozenset(
    ("project", "instance", "session", "holding", "file", "agent", "synced", "fork", "contract", "confidence")
)
"""Where the project is, who works in it, what opens the gate, what its task file said, which forks are settled here,
and what was promised here. No such documents are made here for another machine."""


def other_id(transaction_id: str, machine: str) -> str:
    """The id of an `other_transaction`. It begins with the transaction's own id, so that prefixes find it."""
    return f"{transaction_id} {machine}"


def _folded_elsewhere(event: Event, read: Read) -> list[Change]:
    there = _Elsewhere(event, read)
    if event.kind == "ledger.opened":
        return there.opened()
    said = p.read(event, p.PayloadRedacted)
    if said and said.ledger_id != event.ledger_id:  # it erases nothing here
        return []
    return there.kept(_folded(event, there.read))


class _Elsewhere:
    """The documents, as another machine's event reads and changes them. Its transactions are kept apart, under its
    name. What it creates never replaces what is here, even if it copied our ids."""

    def __init__(self, event: Event, read: Read) -> None:
        self._event = event
        self._read = read
        self._machine = _machine(event.ledger_id, read)

    def opened(self) -> list[Change]:
        said = p.read(self._event, p.LedgerOpened)
        before = next(continued_by(self._event), None) if said and said.reason == "restored" else None
        first = _machine(before[0], self._read) if before else self._event.ledger_id
        return [
            Document(kind="machine", id=self._event.ledger_id, live=True, clock=self._event.clock, body=Machine(first))
        ]

    def read(self, kind: str, id: str) -> Document | None:
        if kind in _LOCAL:
            return None
        if kind == "transaction":
            found = self._read("other_transaction", other_id(id, self._machine))
            return replace(found, kind=kind, id=id) if found else None
        found = self._read(kind, id)
        if found and isinstance(found.body, AuditSession):
            return replace(found, body=replace(found.body, elsewhere=None)) if self._is_of(found) else None
        return found

    def kept(self, changes: list[Change]) -> list[Change]:
        return [each for change in changes for each in self._change(change)]

    def _change(self, change: Change) -> list[Change]:
        if change.kind in _LOCAL or not self._may_change(change):
            return []
        if change.kind == "transaction":
            return [replace(change, kind="other_transaction", id=other_id(change.id, self._machine))]
        if isinstance(change, Document) and isinstance(change.body, AuditSession):
            return [replace(change, body=replace(change.body, elsewhere=self._machine))]
        return [change]

    def _may_change(self, change: Change) -> bool:
        event = self._event
        if change.kind == "other_transaction":  # a third machine's
            return False
        if event.kind in p.UNDOING:
            return self._is_taken_back_there(change)
        if change.kind in ("audit_session", "bound"):
            found = self._read("audit_session", event.session_id or "")
            return found is None or self._is_of(found)
        if change.kind in ("goal", "note") and change.id == event.id:
            found = self._read(change.kind, change.id)
            return found is None or _position(found) == (event.ledger_id, event.seq)
        return True

    def _is_taken_back_there(self, change: Change) -> bool:
        """It takes back only what that machine itself wrote: its notes and goals, and that these events count."""
        if change.kind not in ("undone", "note", "goal"):
            return False
        said = change.body if isinstance(change, Document) else None
        found = self._read(change.kind, change.id)
        bodies = [body for body in (said, found and found.body) if isinstance(body, Undone | Goal | OpenNote)]
        return all(_machine(body.ledger_id, self._read) == self._machine for body in bodies)

    def _is_of(self, found: Document) -> bool:
        return isinstance(found.body, AuditSession) and found.body.elsewhere == self._machine


def _position(found: Document) -> tuple[str, int] | None:
    return (found.body.ledger_id, found.body.seq) if isinstance(found.body, Goal | OpenNote) else None


def _machine(ledger_id: str, read: Read) -> str:
    found = read("machine", ledger_id)
    return found.body.first if found and isinstance(found.body, Machine) else ledger_id


def _touched_transaction(event: Event, read: Read) -> list[Change]:
    transaction = _open_transaction(event, read)
    if transaction is None or moment_of(event.ts) - transaction.updated_at < TOUCH_EVERY:
        return []
    return [_changed_transaction(event, transaction)]


def _transaction(event: Event, read: Read) -> Transaction | None:
    found = read("transaction", event.transaction_id) if event.transaction_id else None
    return body_as(found, Transaction)


def _open_transaction(event: Event, read: Read) -> Transaction | None:
    """A closed transaction stays closed, even if another machine that did not know continued it."""
    found = _transaction(event, read)
    return found if found and found.status == "open" else None


def _changed_transaction(event: Event, transaction: Transaction, **changes: object) -> Document:
    """The transaction with these changes, and with the time and number of the event. Every change of one is made
    here."""
    updated = replace(
        transaction, updated_at=max(moment_of(event.ts), transaction.updated_at), seq=event.seq, **changes
    )
    return Document(
        kind="transaction", id=transaction.id, live=updated.status == "open", clock=event.clock, body=updated
    )


def _project_created(event: Event, read: Read) -> list[Change]:
    made = p.read(event, p.ProjectCreated)
    if made is None:
        return []
    return [
        Document(
            kind="project",
            id="this",
            live=True,
            clock=event.clock,
            body=Project(event.project_id, made.path, made.name),
        )
    ]


def _project_moved(event: Event, read: Read) -> list[Change]:
    """The event is recorded once for the project, and once for each open transaction, which continues at the new
    root."""
    moved, found = p.read(event, p.ProjectMoved), read("project", "this")
    transaction = _transaction(event, read)
    if moved and transaction:
        changes: list[Change] = [_changed_transaction(event, transaction, project_path=moved.path)]
        for session_id in transaction.sessions:
            session = read("session", session_id)
            if session and isinstance(session.body, Session) and session.body.active_transaction_id == transaction.id:
                changes += _session_in_transaction(
                    event, read, session_id, transaction_id=transaction.id, project_path=moved.path
                )
        return changes
    if moved is None or found is None or not isinstance(found.body, Project):
        return []
    return [
        Document(kind="project", id="this", live=True, clock=event.clock, body=replace(found.body, path=moved.path))
    ]


def _instance_bound(event: Event, read: Read) -> list[Change]:
    bound = p.read(event, p.InstanceBound)
    if bound is None or event.instance_id is None:
        return []
    found = read("instance", event.instance_id)
    session = found.body.session_id if found and isinstance(found.body, Instance) else None
    return [
        Document(
            kind="instance",
            id=event.instance_id,
            live=True,
            clock=event.clock,
            body=Instance(event.instance_id, session, **bound.__dict__),
        )
    ]


def _session_started(event: Event, read: Read) -> list[Change]:
    started = p.read(event, p.SessionStarted)
    if event.session_id is None:
        return []
    before = _continued(started, read) if started else None
    session = Session(
        id=event.session_id,
        instance_id=event.instance_id,
        source=started.source if started else "unknown",
        project_path=started.project_path if started else "",
        started_at=moment_of(event.ts),
        parent_id=SessionId(started.parent_id) if started and started.parent_id else None,
        client=started.client if started else None,
        client_session_id=started.client_session_id if started else None,
        goal_id=before.goal_id if before else None,
        pointers=before.pointers if before else None,
    )
    changes: list[Change] = [Document(kind="session", id=session.id, live=True, clock=event.clock, body=session)]
    if event.instance_id:
        changes += _session_of_instance(event, read, event.instance_id, session_id=session.id)
    return changes


CONTINUING = ("resume", "clear", "compact", "fork", "switch")
"""Sources of a session that continues the work of its parent although the parent has ended. So does a session of the
same client session: an agent may end its own in a client that goes on. Any other session after an ended one begins a
new lineage, without a goal."""


def _continued(started: p.SessionStarted, read: Read) -> Session | None:
    """The session whose goal and pointers the new one takes over."""
    before = body_as(read("session", started.parent_id) if started.parent_id else None, Session)
    return before if before and (before.ended_at is None or is_continuing(started, before)) else None


def is_continuing(session: Session | p.SessionStarted, before: Session) -> bool:
    """Whether a session continues the lineage of its parent although the parent has ended."""
    is_same_client_session = before.client_session_id is not None and (
        before.client_session_id == session.client_session_id
    )
    return session.source in CONTINUING or is_same_client_session


FOLLOWED = "followed"
"""The end of a session that had not ended when the next one of its instance began."""


def _session_of_instance(event: Event, read: Read, instance_id: InstanceId, *, session_id: SessionId) -> list[Change]:
    """A new session of an instance ends the earlier one."""
    found = read("instance", instance_id)
    instance = body_as(found, Instance) or Instance(instance_id)
    changes: list[Change] = [
        Document(
            kind="instance", id=instance_id, live=True, clock=event.clock, body=replace(instance, session_id=session_id)
        )
    ]
    before = read("session", instance.session_id) if instance.session_id else None
    if before and isinstance(before.body, Session) and before.body.ended_at is None and before.id != session_id:
        ended = replace(before.body, ended_at=moment_of(event.ts), end_reason=FOLLOWED)
        changes.append(Document(kind="session", id=before.id, live=False, clock=event.clock, body=ended))
    return changes


def _session_ended(event: Event, read: Read) -> list[Change]:
    found = read("session", event.session_id) if event.session_id else None
    if found is None or not isinstance(found.body, Session) or found.body.ended_at is not None:
        return []
    reason = p.read(event, p.SessionEnded)
    ended = replace(found.body, ended_at=moment_of(event.ts), end_reason=reason.reason if reason else "unknown")
    changes: list[Change] = [Document(kind="session", id=found.id, live=False, clock=event.clock, body=ended)]
    holder = read("instance", ended.instance_id) if ended.instance_id else None
    if holder and isinstance(holder.body, Instance) and holder.body.session_id == found.id:
        changes.append(
            Document(
                kind="instance", id=holder.id, live=True, clock=event.clock, body=replace(holder.body, session_id=None)
            )
        )
    return changes


def _session_working(event: Event, read: Read) -> list[Change]:
    working = p.read(event, p.SessionWorking) or p.SessionWorking()
    return _session_in_transaction(
        event,
        read,
        event.session_id,
        transaction_id=working.active_transaction_id,
        project_path=working.transaction_project_path,
    )


def _session_in_transaction(
    event: Event, read: Read, session_id: SessionId | None, *, transaction_id: str | None, project_path: str | None
) -> list[Change]:
    """Seed 000 §3.2: the session's document says which transaction the session is in, and in which project."""
    found = read("session", session_id) if session_id else None
    if found is None or not isinstance(found.body, Session):
        return []
    session = replace(found.body, active_transaction_id=transaction_id, transaction_project_path=project_path)
    return [Document(kind="session", id=found.id, live=found.live, clock=event.clock, body=session)]


def _transaction_opened(event: Event, read: Read) -> list[Change]:
    if event.transaction_id is None or event.instance_id is None or event.session_id is None:
        return []
    if read("transaction", event.transaction_id):  # an id is used once: a second event with it changes nothing
        return []
    # A PREFLIGHT whose payload was erased still opened a transaction. Its vectors are gone, so its gate stays shut.
    said = p.read(event, p.TransactionOpened) or p.TransactionOpened(
        project_path="", suffix="-", vectors={}, reasoning="", decision="investigate", correction={}
    )
    suffix = _suffix(said.suffix, event.instance_id, event.transaction_id, read=read)
    transaction = Transaction(
        id=event.transaction_id,
        project_path=said.project_path,
        instance_id=event.instance_id,
        suffix=suffix,
        status="open",
        agent=event.actor or "user",
        preflight_session_id=event.session_id,
        opened_at=moment_of(event.ts),
        sessions=(event.session_id,),
        updated_at=moment_of(event.ts),
        preflight_vectors=said.vectors,
        vectors=said.vectors,
        decision=said.decision,
        seq=event.seq,
        correction=said.correction,
        gate_vectors=said.vectors if said.decision == "proceed" else None,
        goal_id=said.goal_id,
        task_id=event.task_id,
        points=_last_points(event.instance_id, read),
    )
    return [
        *_contract_taken_over(event, read),
        Document(kind="transaction", id=transaction.id, live=True, clock=event.clock, body=transaction),
        Document(kind="holding", id=event.instance_id, live=True, clock=event.clock, body=Holding(transaction.id)),
        Document(kind="file", id=suffix, live=True, clock=event.clock, body=FileOwner(transaction.id)),
        *_session_in_transaction(
            event, read, event.session_id, transaction_id=transaction.id, project_path=said.project_path
        ),
    ]


def _suffix(said: str, instance_id: InstanceId, transaction_id: TransactionId, *, read: Read) -> str:
    """The suffix of the transaction's file name: that of its place, unless another open transaction has it (SPEC 4.1).
    It becomes part of a path and may come from another machine, so only one of the right form is accepted."""
    taken = read("file", said)
    is_free = taken is None or not taken.live or _is_owned_by(taken, transaction_id)
    if is_free and (said == "" or is_token(said)):
        return said
    return instance_id[:SHORT] if is_token(instance_id) else derived_id("suffix", instance_id)[:SHORT]


def _is_owned_by(found: Document | None, by: TransactionId) -> bool:
    return found is not None and isinstance(found.body, Holding | FileOwner) and found.body.transaction_id == by


def _released_holding(transaction: Transaction, read: Read) -> list[Change]:
    """Ends the holder's hold on this transaction. If that instance holds another one by now, that stays."""
    if not _is_owned_by(read("holding", transaction.instance_id), transaction.id):
        return []
    return [Removed("holding", transaction.instance_id)]


def _transaction_joined(event: Event, read: Read) -> list[Change]:
    transaction = _open_transaction(event, read)
    if transaction is None or event.session_id is None or event.session_id in transaction.sessions:
        return []
    return [
        _changed_transaction(event, transaction, sessions=(*transaction.sessions, event.session_id)),
        *_session_in_transaction(
            event, read, event.session_id, transaction_id=transaction.id, project_path=transaction.project_path
        ),
    ]


def _transaction_checked(event: Event, read: Read) -> list[Change]:
    transaction, said = _open_transaction(event, read), p.read(event, p.TransactionChecked)
    if transaction is None or said is None:
        return []
    proceeds = said.decision == "proceed"
    return [
        _changed_transaction(
            event,
            transaction,
            vectors=said.vectors,
            decision=said.decision,
            correction=said.correction,
            checked=proceeds,
            gate_vectors=said.vectors if proceeds else transaction.gate_vectors,
            checked_points=transaction.confidence if proceeds else None,
            learned=0,
        )
    ]


def _transaction_overridden(event: Event, read: Read) -> list[Change]:
    transaction = _open_transaction(event, read)
    if transaction is None:
        return []
    return [_changed_transaction(event, transaction, overridden=True, **_confidence_after(event, transaction))]


def _transaction_adopted(event: Event, read: Read) -> list[Change]:
    transaction, said = _open_transaction(event, read), p.read(event, p.TransactionAdopted)
    if transaction is None or event.instance_id is None:
        return []
    suffix = _suffix(said.suffix if said else "-", event.instance_id, transaction.id, read=read)
    taken_over = replace(transaction, instance_id=event.instance_id, suffix=suffix)
    if said is None or said.held_back:  # what was erased opens no gate
        taken_over = replace(taken_over, decision="investigate", checked=False, checked_points=None, learned=0)
    changes: list[Change] = [
        _changed_transaction(event, taken_over),
        *_released_holding(transaction, read),
        Document(kind="holding", id=event.instance_id, live=True, clock=event.clock, body=Holding(transaction.id)),
    ]
    if suffix != transaction.suffix and _is_owned_by(read("file", transaction.suffix), transaction.id):
        changes.append(Removed("file", transaction.suffix))
    changes.append(Document(kind="file", id=suffix, live=True, clock=event.clock, body=FileOwner(transaction.id)))
    return changes


def _transaction_closed(event: Event, read: Read) -> list[Change]:
    transaction, said = _open_transaction(event, read), p.read(event, p.TransactionClosed)
    if said and said.other_machine:
        return _other_transaction_closed(event, read, said.other_machine)
    if transaction is None:
        return []
    assessed = bool(said and said.assessed)
    sessions = _with_session(transaction.sessions, event.session_id)
    closed = _changed_transaction(
        event,
        transaction,
        status="closed",
        sessions=sessions,
        closed_at=moment_of(event.ts),
        postflight_session_id=event.session_id,
        vectors=said.vectors if said and said.vectors else transaction.vectors,
        assessed=assessed,
    )
    changes: list[Change] = [
        closed,
        *_released_holding(transaction, read),
        Document(kind="file", id=transaction.suffix, live=False, clock=event.clock, body=FileOwner(transaction.id)),
    ]
    for session_id in sessions:
        changes += _session_released(event, read, session_id, from_=transaction.id)
    changes += _contract_ended(event, read, transaction.id)
    if transaction.points is not None:
        last = LastConfidence(transaction.points)
        changes.append(Document(kind="confidence", id=transaction.instance_id, live=True, clock=event.clock, body=last))
    if assessed and said and said.vectors:
        changes += _calibrated_agent(event, read, transaction, postflight=said.vectors)
    return changes


def _other_transaction_closed(event: Event, read: Read, machine: str) -> list[Change]:
    """A person ended, here, a transaction that was imported. On the machine that it belongs to nothing changes."""
    document_id = other_id(event.transaction_id or "", machine)
    transaction = body_as(read("other_transaction", document_id), Transaction)
    if transaction is None or transaction.status != "open":
        return []
    closed = _changed_transaction(event, transaction, status="closed", closed_at=moment_of(event.ts), assessed=False)
    return [replace(closed, kind="other_transaction", id=document_id)]


def _with_session(sessions: tuple[SessionId, ...], session_id: SessionId | None) -> tuple[SessionId, ...]:
    if not session_id or session_id in sessions:
        return sessions
    return (*sessions, session_id)


def _session_released(event: Event, read: Read, session_id: SessionId, *, from_: TransactionId) -> list[Change]:
    found = read("session", session_id)
    if found and isinstance(found.body, Session) and found.body.active_transaction_id == from_:
        return _session_in_transaction(event, read, session_id, transaction_id=None, project_path=None)
    return []


def _calibrated_agent(
    event: Event, read: Read, transaction: Transaction, *, postflight: dict[str, float]
) -> list[Change]:
    errors = errors_of(transaction.gate_vectors or {}, postflight, transaction.seen)
    if not errors:
        return []
    found = read("agent", transaction.agent)
    tracks = dict(found.body.tracks) if found and isinstance(found.body, AgentRecord) else {}
    for name, error in errors.items():
        tracks[name] = tracks.get(name, Track()).with_error(error)
    return [Document(kind="agent", id=transaction.agent, live=True, clock=event.clock, body=AgentRecord(tracks))]


def _goal_created(event: Event, read: Read) -> list[Change]:
    made = p.read(event, p.GoalCreated)
    origin = made.origin if made else "unknown"
    if event.kind == "goal.prompted":
        origin = PROMPT
    goal = Goal(
        id=event.id, ledger_id=event.ledger_id, seq=event.seq, origin=origin, transaction_id=event.transaction_id
    )
    original = made.original if made else None
    return [
        Document(kind="goal", id=goal.id, live=not goal.is_original, clock=event.clock, body=goal),
        *(_ended_goal(event, read, original) if original else []),
        *_lineage_goal(event, read, goal.id, original=original),
    ]


def _lineage_goal(event: Event, read: Read, goal_id: str, *, original: str | None) -> list[Change]:
    found = read("session", event.session_id) if event.session_id else None
    if found is None or not isinstance(found.body, Session) or found.body.goal_id not in (None, original):
        return []
    return [
        Document(
            kind="session", id=found.id, live=found.live, clock=event.clock, body=replace(found.body, goal_id=goal_id)
        )
    ]


def _agent_told(event: Event, read: Read) -> list[Change]:
    """Notes on the session what the agent was told, so that it is told once."""
    found = read("session", event.session_id) if event.session_id else None
    if found is None or not isinstance(found.body, Session):
        return []
    doubled = p.read(event, p.SessionDoubled)
    what = doubled.other_instance if doubled else event.kind
    return [
        Document(
            kind="session",
            id=found.id,
            live=found.live,
            clock=event.clock,
            body=replace(found.body, told=(*found.body.told, what)),
        )
    ]


def _changed_session(event: Event, read: Read, **changes: object) -> list[Change]:
    found = read("session", event.session_id) if event.session_id else None
    if found is None or not isinstance(found.body, Session):
        return []
    body = replace(found.body, **changes)
    return [Document(kind="session", id=found.id, live=found.live, clock=event.clock, body=body)]


def _phase_entered(event: Event, read: Read) -> list[Change]:
    said = p.read(event, p.PhaseEntered)
    return _changed_session(event, read, phase=said.phase) if said else []


def _pointer_changed(event: Event, read: Read) -> list[Change]:
    said, removed = p.read(event, p.PointerSet), p.read(event, p.PointerRemoved)
    session = body_as(read("session", event.session_id) if event.session_id else None, Session)
    if session is None or not (said or removed):
        return []
    pointers = dict(session.pointers or {})
    if said:
        pointers[said.name] = (event.ledger_id, event.seq)
    elif removed:
        pointers.pop(removed.name, None)
    return _changed_session(event, read, pointers=pointers)


def _goal_done(event: Event, read: Read) -> list[Change]:
    done = p.read(event, p.GoalDone)
    return _ended_goal(event, read, done.goal_id) if done else []


def _ended_goal(event: Event, read: Read, goal_id: str) -> list[Change]:
    found = read("goal", goal_id)
    if found is None or not isinstance(found.body, Goal) or found.body.done_at is not None:
        return []
    return [
        Document(
            kind="goal",
            id=found.id,
            live=False,
            clock=event.clock,
            body=replace(found.body, done_at=moment_of(event.ts)),
        )
    ]


def _decision_made(event: Event, read: Read) -> list[Change]:
    made = p.read(event, p.DecisionMade)
    changes: list[Change] = []
    for earlier in replaced_by(made) if made else ():
        changes.append(
            Document(kind="superseded", id=earlier, live=False, clock=event.clock, body=Superseded(event.id))
        )
    if made and made.key is not None:
        changes += _key_decided(event, made, read)
    if event.task_id is not None:
        trail = _trail(event.task_id, read)
        number = trail.decisions + 1
        changes.append(
            Document(
                kind="trail", id=event.task_id, live=True, clock=event.clock, body=replace(trail, decisions=number)
            )
        )
        changes.append(_nth_document("decided", number, event.task_id, event=event))
    return changes


def replaced_by(made: p.DecisionMade) -> tuple[str, ...]:
    """The ids of the decisions that this one supersedes, each once."""
    named = (*((made.supersedes,) if made.supersedes is not None else ()), *made.also_supersedes)
    return tuple(dict.fromkeys(named))


# -- forks (SPEC 7.4) --------------------------------------------------------------------------------------------------

MOST_ON_A_KEY = 64
"""Decisions that are kept for one key. Of more, only the latest with each value are kept."""


def _key_decided(event: Event, made: p.DecisionMade, read: Read) -> list[Change]:
    from perdure.model.decided_keys import key_id, value_digest  # the hook path does not need it

    id = key_id(made.key or "")
    known = body_as(read("decided_key", id), DecidedKey) or DecidedKey()
    decisions = _without(known.decisions, replaced_by(made))
    if made.value is not None:
        decisions = (*decisions, (event.id, event.ledger_id, event.seq, value_digest(made.value)))
    if len(decisions) > MOST_ON_A_KEY:
        decisions = tuple({(each[1], each[3]): each for each in decisions}.values())[-MOST_ON_A_KEY:]
    is_fork = len({digest for *_, digest in decisions}) > 1
    key = Document(kind="decided_key", id=id, live=is_fork, clock=event.clock, body=DecidedKey(decisions))
    return [key] if is_fork else [key, *_settled(event, fork_of_key(made.key or ""), read)]


def _without(
    decisions: tuple[tuple[str, str, int, str], ...], replaced: tuple[str, ...]
) -> tuple[tuple[str, str, int, str], ...]:
    """The decisions that still stand. Who supersedes one supersedes what the same ledger had said before to the same
    effect."""
    gone = {(each[1], each[3]) for each in decisions if each[0] in replaced}
    return tuple(each for each in decisions if (each[1], each[3]) not in gone)


def _settled(event: Event, fork_id: str, read: Read) -> list[Change]:
    found = read("fork", fork_id)
    if found is None or not found.live or not isinstance(found.body, Fork):
        return []
    body = replace(found.body, resolved_by=event.id)
    return [Document(kind="fork", id=fork_id, live=False, clock=event.clock, body=body)]


def fork_of_key(key: str) -> str:
    """The id of a fork between decisions on this key."""
    from perdure.model.decided_keys import same_key

    return derived_id("fork", "decision", same_key(key))


def fork_of_task(task_id: str, field: str) -> str:
    return derived_id("fork", "task", task_id, field)


def side_names(said: p.ForkDetected) -> tuple[str, ...]:
    """What the sides of a fork are, for the document that remembers it."""
    return tuple(str(each.get("decision_id") or each.get("side")) for each in said.sides)


def _fork_detected(event: Event, read: Read) -> list[Change]:
    said = p.read(event, p.ForkDetected)
    if said is None:
        return []
    id = said.fork_id or fork_of_task(event.task_id or "", said.field)
    body = Fork(about=said.about, ledger_id=event.ledger_id, seq=event.seq, sides=side_names(said))
    return [Document(kind="fork", id=id, live=True, clock=event.clock, body=body)]


def _fork_resolved(event: Event, read: Read) -> list[Change]:
    said = p.read(event, p.ForkResolved)
    found = read("fork", said.fork_id) if said else None
    if said is None or found is None or not isinstance(found.body, Fork):
        return []
    body = replace(found.body, resolved_by=said.decision_id)
    return [Document(kind="fork", id=found.id, live=False, clock=event.clock, body=body)]


# -- the trail (SPEC 14). Only the hash is in the payload, so an erased record still has its place ---------------------


def nth(number: int, of: str) -> str:
    """The id of an `NthRecord` document: its number and what it belongs to."""
    return f"{number} {of}"


def _nth_document(kind: str, number: int, of: str, *, event: Event) -> Document:
    return Document(
        kind=kind, id=nth(number, of), live=True, clock=event.clock, body=NthRecord(event.ledger_id, event.seq)
    )


def _trail(task_id: str, read: Read) -> Trail:
    found = read("trail", task_id)
    return body_as(found, Trail) or Trail()


def _audit_session(event: Event, read: Read) -> AuditSession:
    """A session of another machine with the same name is not this one: ours takes its place."""
    found = read("audit_session", event.session_id) if event.session_id else None
    known = body_as(found, AuditSession) or AuditSession()
    return known if known.elsewhere is None else AuditSession()


def _thought_recorded(event: Event, read: Read) -> list[Change]:
    if event.task_id is None:
        return []
    said, trail = p.read(event, p.ThoughtRecorded), _trail(event.task_id, read)
    end = (event.ledger_id, event.seq, said.hash if said and is_hash(said.hash) else None)
    ends = (*(other for other in trail.ends if other[0] != event.ledger_id), end)
    trail = replace(trail, thoughts=trail.thoughts + 1, ends=ends)
    return [
        Document(kind="trail", id=event.task_id, live=True, clock=event.clock, body=trail),
        *_record_bound_to_audit(event, read),
    ]


def _record_bound_to_audit(event: Event, read: Read) -> list[Change]:
    """Counts a thought record in its audit session, and notes its position there."""
    if event.session_id is None:
        return []
    audit = _audit_session(event, read)
    audit = replace(audit, records=audit.records + 1)
    return [
        Document(kind="audit_session", id=event.session_id, live=audit.root is None, clock=event.clock, body=audit),
        _nth_document("bound", audit.records, event.session_id, event=event),
    ]


def _payload_redacted(event: Event, read: Read) -> list[Change]:
    """If the erased record was the last of its chain, its tombstone has the hash that the next record links to."""
    said = p.read(event, p.PayloadRedacted)
    if said is None or said.hash is None or not is_hash(said.hash) or event.task_id is None:
        return []
    trail, erased = _trail(event.task_id, read), (said.ledger_id, said.seq, None)
    if erased not in trail.ends:
        return []
    ends = tuple((*end[:2], said.hash) if end == erased else end for end in trail.ends)
    return [Document(kind="trail", id=event.task_id, live=True, clock=event.clock, body=replace(trail, ends=ends))]


def _audit_started(event: Event, read: Read) -> list[Change]:
    audit = _audit_session(event, read)
    if event.session_id is None or audit.started is not None:
        return []
    audit = replace(audit, started=(event.ledger_id, event.seq))
    return [Document(kind="audit_session", id=event.session_id, live=audit.root is None, clock=event.clock, body=audit)]


def _audit_finalized(event: Event, read: Read) -> list[Change]:
    audit, said = _audit_session(event, read), p.read(event, p.AuditFinalized)
    if event.session_id is None or audit.root is not None or said is None or not is_hash(said.root):
        return []
    audit = replace(audit, root=said.root, finalized=(event.ledger_id, event.seq))
    return [Document(kind="audit_session", id=event.session_id, live=False, clock=event.clock, body=audit)]


# -- tasks (SPEC 7.1) --------------------------------------------------------------------------------------------------

OPEN_STATUSES = ("open", "in_progress", "blocked")
PRIORITIES = range(5)
PRIORITY = 2
"""The priority of a task that was given none: 0 is the most urgent, 4 the least."""


TASK_WORDS = (
    "title",
    "description",
    "assignee",
    "labels",
    "next_steps",
    "blockers",
    "questions",
    "test_scenarios",
    "handoffs",
)
"""Fields whose text stays in the events: documents hold no free text."""


def _task(event: Event, read: Read) -> Task | None:
    found = read("task", event.task_id) if event.task_id else None
    return body_as(found, Task)


def _changed_task(event: Event, task: Task, **changes: object) -> list[Change]:
    changed = replace(task, updated_at=max(moment_of(event.ts), task.updated_at), **changes)
    return [Document(kind="task", id=task.id, live=changed.status != "closed", clock=event.clock, body=changed)]


def _task_created(event: Event, read: Read) -> list[Change]:
    if event.task_id is None or _task(event, read):
        return []
    said, at = p.read(event, p.TaskCreated), moment_of(event.ts)
    priority = said.priority if said else None
    blocked_by = tuple(TaskId(each) for each in said.blocked_by if is_token(each)) if said else ()
    urgent = priority if priority is not None and priority in PRIORITIES else PRIORITY
    task = Task(
        id=event.task_id,
        ledger_id=event.ledger_id,
        seq=event.seq,
        status="open",
        priority=urgent,
        created_at=at,
        updated_at=at,
        blocked_by=blocked_by,
    )
    return [Document(kind="task", id=task.id, live=True, clock=event.clock, body=task)]


def _task_updated(event: Event, read: Read) -> list[Change]:
    task, said = _task(event, read), p.read(event, p.TaskUpdated)
    if task is None:
        return []
    if said is None:
        return _changed_task(event, task)
    given = {*(name for name, content in said.__dict__.items() if content not in (None, ())), *said.cleared}
    told = {name: (event.ledger_id, event.seq) for name in TASK_WORDS if name in given}
    changes: dict[str, object] = {"said_at": {**task.said_at, **told}}
    if said.priority in PRIORITIES:
        changes["priority"] = said.priority
    if said.status in OPEN_STATUSES:
        in_progress = said.status == "in_progress"
        changes |= {"status": said.status, "instance_id": event.instance_id if in_progress else None, "closed_at": None}
    return _changed_task(event, task, **changes)


def _task_closed(event: Event, read: Read) -> list[Change]:
    task = _task(event, read)
    if task is None or task.status == "closed":
        return []
    place = {"because": (event.ledger_id, event.seq)}
    closed = _changed_task(
        event,
        task,
        status="closed",
        instance_id=None,
        closed_at=moment_of(event.ts),
        said_at={**task.said_at, **place},
    )
    return [*closed, *_contract_ended(event, read, task.id)]


def _task_linked(event: Event, read: Read) -> list[Change]:
    task, said = _task(event, read), p.read(event, p.TaskLinked)
    if task is None or said is None or said.blocked_by in task.blocked_by or not is_token(said.blocked_by):
        return []
    return _changed_task(event, task, blocked_by=(*task.blocked_by, TaskId(said.blocked_by)))


def _task_unlinked(event: Event, read: Read) -> list[Change]:
    task, said = _task(event, read), p.read(event, p.TaskUnlinked)
    if task is None or said is None or said.blocked_by not in task.blocked_by:
        return []
    return _changed_task(event, task, blocked_by=tuple(each for each in task.blocked_by if each != said.blocked_by))


def _task_synced(event: Event, read: Read) -> list[Change]:
    said = p.read(event, p.TaskSynced)
    if event.task_id is None or said is None:
        return []
    synced = SyncedTask(
        task_id=event.task_id,
        file=said.file,
        ledger=said.ledger,
        line=said.line,
        updated_at=said.updated_at,
        comments=said.comments,
    )
    return [Document(kind="synced", id=synced_id(said.path, event.task_id), live=True, clock=event.clock, body=synced)]


def _note_opened(event: Event, read: Read) -> list[Change]:
    return [Document(kind="note", id=event.id, live=True, clock=event.clock, body=OpenNote(event.ledger_id, event.seq))]


def _note_closed(event: Event, read: Read) -> list[Change]:
    closed = p.read(event, p.NoteClosed)
    return [Removed("note", closed.note_id)] if closed else []


# -- what was taken back (SPEC 17.6) -----------------------------------------------------------------------------------


def _undone(event: Event, read: Read) -> list[Change]:
    said = p.read(event, p.ChangeUndone)
    if said is None:
        return []
    body = Undone(said.at[1], said.at[0], event.id)
    taken = Document(kind="undone", id=said.change, live=True, clock=event.clock, body=body)
    return [
        taken if event.kind == "change.undone" else Removed("undone", said.change),
        *(_reopened(event, read, said) if said.opens else []),
        *(_closed_again(event, read, said) if said.closes else []),
        *_decided_again(event, read, said),
    ]


def _reopened(event: Event, read: Read, said: p.ChangeUndone) -> list[Change]:
    id, at = said.opens or "", said.opens_at
    if not said.kind.startswith("goal."):
        if at is None:
            return []
        return [Document(kind="note", id=id, live=True, clock=event.clock, body=OpenNote(at[1], at[0]))]
    goal = body_as(read("goal", id), Goal)
    if goal is None:
        return []
    body = replace(goal, done_at=None)
    return [Document(kind="goal", id=id, live=not goal.is_original, clock=event.clock, body=body)]


def _closed_again(event: Event, read: Read, said: p.ChangeUndone) -> list[Change]:
    if said.kind.startswith("goal."):
        return _ended_goal(event, read, said.closes or "")
    return [Removed("note", said.closes or "")]


def _decided_again(event: Event, read: Read, said: p.ChangeUndone) -> list[Change]:
    by = said.gone_by or event.id
    changes: list[Change] = [
        Document(kind="superseded", id=each, live=False, clock=event.clock, body=Superseded(by)) for each in said.gone
    ]
    changes += [Removed("superseded", str(each.get("decision_id"))) for each in said.counts]
    if said.key is None:
        return changes
    known = body_as(read("decided_key", said.key), DecidedKey) or DecidedKey()
    back = [entry for each in said.counts if (entry := _entry(each))]
    left = {*said.gone, *(entry[0] for entry in back)}
    decisions = (*(each for each in known.decisions if each[0] not in left), *back)
    is_fork = len({digest for *_, digest in decisions}) > 1
    body = DecidedKey(decisions[-MOST_ON_A_KEY:])
    changes.append(Document(kind="decided_key", id=said.key, live=is_fork, clock=event.clock, body=body))
    return changes if is_fork or said.fork is None else [*changes, *_settled(event, said.fork, read)]


def _entry(raw: dict[str, Json]) -> tuple[str, str, int, str] | None:
    id, ledger_id, seq, digest = (raw.get(name) for name in ("decision_id", "ledger_id", "seq", "digest"))
    if isinstance(id, str) and isinstance(ledger_id, str) and isinstance(seq, int) and isinstance(digest, str):
        return id, ledger_id, seq, digest
    return None


def _evidence_observed(event: Event, read: Read) -> list[Change]:
    """Evidence (SPEC 4.3, 4.7): it is counted on the transaction in which it was gathered."""
    transaction = _open_transaction(event, read)
    if transaction is None:
        return []
    learned = transaction.learned + 1 if is_learning(event) else transaction.learned
    count = _COUNTS.get(event.kind)
    seen = count(event, transaction.seen) if count else transaction.seen
    return [
        _changed_transaction(event, transaction, learned=learned, seen=seen, **_confidence_after(event, transaction))
    ]


def _confidence_after(event: Event, transaction: Transaction) -> dict[str, int | None]:
    """What the event changes about confidence. A prompt of the person begins a new turn."""
    if event.kind == "prompt.given":
        return {"turned": None}
    points = c.points_of(event)
    if not points:
        return {}
    confidence, turned = c.after(transaction.confidence, transaction.turned or 0, points=points)
    changed: dict[str, int | None] = {"points": confidence, "turned": turned}
    if confidence - transaction.confidence > points and points < 0:  # a limit hides how far it fell
        changed["checked_points"] = None
    return changed


def _last_points(instance_id: InstanceId, read: Read) -> int | None:
    last = body_as(read("confidence", instance_id), LastConfidence)
    return last.points if last else None


# -- contracts (SPEC 10.6) ---------------------------------------------------------------------------------------------


def contract_owner(event: Event) -> str | None:
    """What a contract belongs to that this event sets."""
    return event.task_id or event.transaction_id or event.instance_id


def _contract(owner: str | None, read: Read) -> Contract | None:
    found = read("contract", owner) if owner else None
    return body_as(found, Contract) if found and found.live else None


def _contract_set(event: Event, read: Read) -> list[Change]:
    said = p.read(event, p.ContractSet)
    owner = said.contract or contract_owner(event) if said else None
    before = _contract(owner, read)
    if said is None or owner is None or (said.contract and before is None):
        return []
    contract = Contract(
        ledger_id=event.ledger_id,
        seq=event.seq,
        evidence=tuple(each for each in said.evidence if each in p.EVIDENCE_KINDS),
        mode=said.mode if said.mode in p.EVIDENCE_MODES else None,
        tree=before.tree if before else _hash_or_none(said.tree),
    )
    return [Document(kind="contract", id=owner, live=True, clock=event.clock, body=contract)]


def _hash_or_none(tree: str | None) -> str | None:
    return tree if tree is not None and is_hash(tree) else None


def _contract_taken_over(event: Event, read: Read) -> list[Change]:
    """A contract that was set before the transaction belongs to it, or to its task, from now on."""
    waiting = _contract(event.instance_id, read)
    owner = event.task_id or event.transaction_id
    if waiting is None or owner is None or event.instance_id is None:
        return []
    return [
        Removed("contract", event.instance_id),
        Document(kind="contract", id=owner, live=True, clock=event.clock, body=waiting),
    ]


def _contract_ended(event: Event, read: Read, owner: str) -> list[Change]:
    found = _contract(owner, read)
    return [Document(kind="contract", id=owner, live=False, clock=event.clock, body=found)] if found else []


def _contract_cleared(event: Event, read: Read) -> list[Change]:
    said = p.read(event, p.ContractCleared)
    return _contract_ended(event, read, said.contract) if said else []


def _stop_judged(event: Event, read: Read) -> list[Change]:
    said = p.read(event, p.StopJudged)
    found = _contract(said.contract, read) if said else None
    if said is None or found is None:
        return []
    body = replace(found, tree=_hash_or_none(said.tree) or found.tree)
    return [Document(kind="contract", id=said.contract, live=True, clock=event.clock, body=body)]


def is_learning(event: Event) -> bool:
    """Whether an assessment may count again after this event. A command's record says so itself; an older record does
    not, and counts if the command only read and succeeded."""
    ran = p.read(event, p.CommandRun)
    if ran is None:
        return event.kind in p.LEARNED
    if ran.taught is not None:
        return ran.taught
    return ran.effect == "noetic" and ran.outcome == "succeeded"


def _count_test(event: Event, seen: Evidence) -> Evidence:
    run = p.read(event, p.TestRun)
    if run is None:
        return seen
    if run.is_bad:
        return replace(seen, tests_failed=seen.tests_failed + 1, last_test_passed=False)
    if not run.is_good:
        return seen
    return replace(seen, tests_passed=seen.tests_passed + 1, last_test_passed=True)


def _counting(name: str) -> Callable[[Event, Evidence], Evidence]:
    return lambda _event, seen: replace(seen, **{name: getattr(seen, name) + 1})


_COUNTS: dict[str, Callable[[Event, Evidence], Evidence]] = {
    "test.run": _count_test,
    "claim.verified": _counting("claims_verified"),
    "claim.refuted": _counting("claims_refuted"),
    "scenario.met": _counting("scenarios_met"),
    "scenario.missed": _counting("scenarios_missed"),
    "edit.made": _counting("edits_made"),
    "edit.reverted": _counting("edits_reverted"),
}

_STEPS: dict[str, Callable[[Event, Read], list[Change]]] = {
    "project.created": _project_created,
    "project.moved": _project_moved,
    "instance.bound": _instance_bound,
    "session.started": _session_started,
    "session.ended": _session_ended,
    "session.working": _session_working,
    "transaction.opened": _transaction_opened,
    "transaction.joined": _transaction_joined,
    "transaction.checked": _transaction_checked,
    "transaction.overridden": _transaction_overridden,
    "transaction.adopted": _transaction_adopted,
    "transaction.closed": _transaction_closed,
    "goal.created": _goal_created,
    "goal.prompted": _goal_created,
    "goal.done": _goal_done,
    "decision.made": _decision_made,
    "task.created": _task_created,
    "task.updated": _task_updated,
    "task.closed": _task_closed,
    "task.linked": _task_linked,
    "task.unlinked": _task_unlinked,
    "task.synced": _task_synced,
    "fork.detected": _fork_detected,
    "fork.resolved": _fork_resolved,
    "audit.started": _audit_started,
    "thought.recorded": _thought_recorded,
    "audit.finalized": _audit_finalized,
    "payload.redacted": _payload_redacted,
    **{f"note.{kind}": _note_opened for kind in p.CLOSABLE_NOTES},
    "note.closed": _note_closed,
    **dict.fromkeys(p.UNDOING, _undone),
    **dict.fromkeys((*p.LEARNED, *_COUNTS), _evidence_observed),
    **dict.fromkeys(("command.run", "check.run", "claim.refused"), _evidence_observed),
    "contract.set": _contract_set,
    "contract.cleared": _contract_cleared,
    "stop.judged": _stop_judged,
    "phase.entered": _phase_entered,
    "pointer.set": _pointer_changed,
    "pointer.removed": _pointer_changed,
    "closing.told": _agent_told,
    "session.doubled": _agent_told,
    "context.exhausted": _agent_told,
    "synthesis.reminded": _agent_told,
}
FOLDED_KINDS = (*_STEPS, "ledger.opened")
"""Kinds whose payload can change a document. In our own chain, `ledger.opened` changes none."""


def encode(body: object) -> dict[str, Json]:
    """A document as JSON. `_READERS` says how `decode` reads nested values back."""
    return {
        name: _plain(content)
        for name, content in body.__dict__.items()
        if content is not None or not hasattr(type(body), name)
    }


def _plain(content: object) -> Json:
    if content is None or isinstance(content, bool | int | float | str):
        return content
    if isinstance(content, tuple):
        return [_plain(part) for part in content]
    if isinstance(content, dict):
        return {name: _plain(part) for name, part in content.items()}
    return encode(content)


def decode(kind: str, raw: dict[str, Json]) -> object:
    body = DOCUMENTS[kind]
    readers = _READERS.get(body, {})
    given: dict[str, object] = {name: readers.get(name, _simple)(content) for name, content in raw.items()}
    return body(**given)


def _simple(content: Json) -> object:
    return tuple(content) if isinstance(content, list) else content


def _evidence(content: Any) -> Evidence:
    return Evidence(**content)


def _tracks(content: Any) -> dict[str, Track]:
    return {name: _track(**content[name]) for name in CALIBRATED if name in content}


def _track(bins: list[Any], **sums: Any) -> Track:
    return Track(bins=tuple(Bin(**b) for b in bins), **sums)


def _places(content: Any) -> dict[str, tuple[str, int]]:
    return {name: tuple(place) for name, place in content.items()}


def _tuples(content: Any) -> tuple[tuple[Any, ...], ...]:
    return tuple(map(tuple, content))


_READERS: dict[type, dict[str, Callable[[Any], object]]] = {
    Session: {"pointers": _places},
    Transaction: {"seen": _evidence},
    AgentRecord: {"tracks": _tracks},
    Task: {"said_at": _places},
    Trail: {"ends": _tuples},
    DecidedKey: {"decisions": _tuples},
}
"""The fields of a document that hold more than texts, numbers and lists of these, each with the function that reads it
back from JSON."""
