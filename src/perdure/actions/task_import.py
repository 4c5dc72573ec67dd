"""Takes what a beads file says of tasks into the ledger (SPEC 7.1, 7.2).

A field that only the file changed since the two were last compared is taken. A field that both changed is a fork: it
is recorded with both sides, and the ledger keeps its own value. What comes from the file is recorded with beads as
its actor, never with the person.

    take_in(desk, ".beads/issues.jsonl", parse_file(content))
"""

from __future__ import annotations

from perdure.actions import tasks
from perdure.actions.record import Fact, cleaned, record, without_credentials
from perdure.beads import merging
from perdure.beads.issue import EXTENSIONS, FIELDS
from perdure.beads.merging import FORK, OLD, SAME, TAKE, Seen
from perdure.errors import Conflict, Trouble
from perdure.ledger.port import Expect
from perdure.model import payload as p
from perdure.model.digest import sha256
from perdure.model.event import BEADS
from perdure.model.ids import EventId, TaskId, derived_id, is_uuid
from perdure.model.state import TASK_WORDS, SyncedTask, Task, body_as, synced_id
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from perdure.actions.tasks import TaskView
    from perdure.actions.wiring import Desk
    from perdure.beads.issue import FoundDecision, Issue
    from perdure.beads.lines import BeadsFile, BeadsLine
    from perdure.model.json import Json
    from perdure.model.state import Document

MOST_TRIES = 20
MOST_STEPS = 1_000_000
"""How many tasks one import looks at to find those that would wait for themselves."""
_LONGEST_SIDE = 100_000
_SHORT_HEX = 8
_NAMED = 3
_HEX = frozenset("0123456789abcdef")


@value
class TaskFork:
    task_id: str
    field: str
    line: int
    ledger: Json
    file: Json


@value
class Imported:
    """What an import found and did."""

    lines: int
    created: tuple[str, ...]
    updated: tuple[str, ...]
    decisions: int
    handoffs: int
    forks: tuple[TaskFork, ...]
    warnings: tuple[str, ...]


def take_in(desk: Desk, name: str, file: BeadsFile) -> Imported:
    """`name`: what the file is called in the record."""
    for _ in range(MOST_TRIES):
        reading = _Reading(desk, name, file)
        reading.read()
        try:
            if reading.facts:
                record(desk, reading.facts, reading.expected)
        except Conflict:
            continue
        return reading.imported()
    raise busy(name)


def busy(name: str) -> Trouble:
    return Trouble("tasks_busy", f"Others keep changing the tasks of {name}.", hint="Try again in a moment.")


def ledger_fields(task: TaskView) -> dict[str, Json]:
    """A task's fields in the form in which the file's are compared with them."""
    return {
        "title": task.title,
        "description": task.description,
        "status": task.status,
        "priority": task.priority,
        "assignee": task.assignee,
        "labels": [*sorted(set(task.labels))],
        "blocked_by": [*sorted(task.blocked_by)],
        "next_steps": list(task.next_steps),
        "blockers": list(task.blockers),
        "questions": list(task.questions),
        "test_scenarios": list(task.test_scenarios),
        "handoffs": list(task.handoffs),
    }


def seen_in(synced: SyncedTask | None) -> Seen | None:
    return Seen(synced.file, synced.ledger) if synced else None


def line_digest(raw: bytes) -> str:
    return sha256(raw).hexdigest()


class TaskNames:
    """What a task is called in the file and in the ledger. A task that Perdure made has a UUID. beads takes only ids
    that begin with the project's prefix, so its id in the file is that prefix and the first 8 digits of the UUID."""

    def __init__(self, desk: Desk, file: BeadsFile) -> None:
        self._ledger = desk.ledger
        self._prefix = file.prefix()
        self._task_ids: dict[str, str] = {}
        self.lines = {self.task_id(each): line for each, line in file.by_id().items()}
        """The line of each task, by the ledger's id. If two lines mean the same task, the last one counts."""

    def task_id(self, file_id: str) -> str:
        if file_id not in self._task_ids:
            self._task_ids[file_id] = self._look_up(file_id)
        return self._task_ids[file_id]

    def _look_up(self, file_id: str) -> str:
        end = file_id.rpartition("-")[2]
        if len(end) != _SHORT_HEX or not _HEX.issuperset(end) or self._ledger.document("task", file_id):
            return file_id
        found = self._ledger.find_documents("task", end)
        return found[0].id if len(found) == 1 and is_uuid(found[0].id) else file_id

    def file_id(self, task_id: str) -> str:
        line = self.lines.get(task_id)
        if line and line.issue:
            return line.issue.id
        return f"{self._prefix}-{task_id[:_SHORT_HEX]}" if is_uuid(task_id) else task_id


def file_fields(issue: Issue, names: TaskNames) -> dict[str, Json]:
    """The line's fields as the ledger would store them: masked, and with the ledger's ids."""
    blocked_by = issue.fields["blocked_by"]
    assert isinstance(blocked_by, list)
    ids: list[Json] = [*sorted({names.task_id(str(each)) for each in blocked_by})]
    found = cleaned({"fields": {**issue.fields, "blocked_by": ids}})["fields"]
    assert isinstance(found, dict)
    return found


def decision_id(task_id: str, found: FoundDecision) -> EventId:
    """The same id whenever the same decision is read again."""
    return EventId(derived_id("beads decision", task_id, found.identity))


class _Reading:
    """One pass over the file: what is to be recorded, and what must not have changed meanwhile."""

    def __init__(self, desk: Desk, name: str, file: BeadsFile) -> None:
        self._desk = desk
        self._name = name
        self._file = file
        self._names = TaskNames(desk, file)
        self._tasks = {each.id: each for each in desk.ledger.documents("task")}
        self._edges = {id: [*task.blocked_by] for id, each in self._tasks.items() if (task := body_as(each, Task))}
        self._waited_for = {str(other) for others in self._edges.values() for other in others}
        self._steps = 0
        self._expected: dict[tuple[str, str], int | None] = {}
        self._decisions: set[str] = set()
        self._created: list[str] = []
        self._updated: list[str] = []
        self._handoffs = 0
        self._forks: list[TaskFork] = []
        self._warnings = file.warnings()
        self.facts: list[Fact] = []

    @property
    def expected(self) -> list[Expect]:
        return [Expect(kind, id, clock) for (kind, id), clock in self._expected.items()]

    def imported(self) -> Imported:
        return Imported(
            lines=len(self._file.lines),
            created=tuple(self._created),
            updated=tuple(self._updated),
            decisions=len(self._decisions),
            handoffs=self._handoffs,
            forks=tuple(self._forks),
            warnings=tuple(self._warnings),
        )

    def read(self) -> None:
        for task_id, line in self._names.lines.items():
            if line.issue:
                self._read_line(line, line.issue, task_id)
        self._warnings += self._gone()

    def _gone(self) -> list[str]:
        """Says which open tasks have no line any more."""
        found = [id for id, each in self._tasks.items() if self._lost_its_line(id, body_as(each, Task))]
        if not found:
            return []
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        why = "it, or it is" if len(found) == 1 else "them, or they are"
        stays = "it stays" if len(found) == 1 else "they stay"
        names = ", ".join(found[:_NAMED]) + more
        return [f"no line for {names} any more: somebody deleted {why} on another branch; {stays} open here"]

    def _lost_its_line(self, id: str, task: Task | None) -> bool:
        """An export writes a task with a UUID again, because Perdure made it. A line that cannot be read is there."""
        if task is None or task.status == "closed" or is_uuid(id) or id in self._names.lines:
            return False
        quoted = f'"{id}"'.encode()
        is_known = self._desk.ledger.document("synced", synced_id(self._name, id)) is not None
        return is_known and not any(quoted in line.raw for line in self._file.unreadable())

    def _read_line(self, line: BeadsLine, issue: Issue, task_id: str) -> None:
        found = self._tasks.get(task_id)
        document = self._desk.ledger.document("synced", synced_id(self._name, task_id))
        synced = body_as(document, SyncedTask)
        if found and synced and synced.line == line_digest(line.raw):
            return
        if found is None and issue.is_deleted:
            return
        if without_credentials(issue.id) != issue.id:
            self._warnings.append(f"line {line.number}: its id looks like a credential; it was not read")
            return
        self._expect("task", task_id, found)
        self._expect("synced", synced_id(self._name, task_id), document)
        entry = _Entry(line=line, issue=issue, task_id=task_id, theirs=file_fields(issue, self._names), synced=synced)
        if found is None:
            self._create(entry)
        else:
            assert isinstance(found.body, Task)
            self._merge(entry, ledger_fields(tasks.view(self._desk, found.body)))

    def _expect(self, kind: str, id: str, found: Document | None) -> None:
        self._expected[kind, id] = found.clock if found else None

    # -- a task that the ledger does not have ------------------------------------------------------------------------

    def _create(self, entry: _Entry) -> None:
        theirs = entry.theirs
        after: dict[str, Json] = {**_EMPTY, **theirs, "blocked_by": self._accepted(entry)}
        comments, after["handoffs"] = self._with_handoffs(entry, after["handoffs"])
        words = {name: _value(after[name]) for name in TASK_WORDS if after.get(name)}
        made = p.TaskCreated(**words, priority=_value(after["priority"]), blocked_by=_value(after["blocked_by"]))
        self._fact(entry, "task.created", made)
        if after["status"] in ("in_progress", "blocked"):
            self._fact(entry, "task.updated", p.TaskUpdated(status=_value(after["status"])))
        elif after["status"] == "closed":
            self._fact(entry, "task.closed", p.TaskClosed(entry.issue.close_reason))
        self._decide(entry)
        self._created.append(entry.task_id)
        self._sync(entry, after, comments=comments, decided=dict.fromkeys(FIELDS, TAKE))

    # -- a task that both have ---------------------------------------------------------------------------------------

    def _merge(self, entry: _Entry, ours: dict[str, Json]) -> None:
        facts_before = len(self.facts)
        decided = _decided(entry, ours)
        taken = {field: entry.theirs[field] for field, each in decided.items() if each == TAKE}
        if "blocked_by" in taken:
            taken["blocked_by"] = self._accepted(entry)
        comments, handoffs = self._with_handoffs(entry, taken.get("handoffs", ours["handoffs"]))
        if handoffs != ours["handoffs"]:
            taken["handoffs"] = handoffs
        self._take(entry, taken, ours)
        for field in (each for each in decided if decided[each] == FORK):
            self._fork(entry, field, ours[field])
        self._decide(entry)
        if len(self.facts) > facts_before:
            self._updated.append(entry.task_id)
        self._sync(entry, {**ours, **taken}, comments=comments, decided=decided)

    def _take(self, entry: _Entry, taken: Mapping[str, Json], ours: Mapping[str, Json]) -> None:
        words = {name: _value(taken[name]) for name in TASK_WORDS if taken.get(name)}
        cleared = tuple(name for name in TASK_WORDS if name in taken and not taken[name])
        status = _value(taken.get("status"))
        updated = p.TaskUpdated(
            **words,
            priority=_value(taken.get("priority")),
            status=None if status == "closed" else status,
            cleared=cleared,
        )
        if updated != p.TaskUpdated():
            self._fact(entry, "task.updated", updated)
        if "blocked_by" in taken:
            self._link(entry, taken["blocked_by"], ours["blocked_by"])
        if status == "closed":
            self._fact(entry, "task.closed", p.TaskClosed(entry.issue.close_reason))

    def _link(self, entry: _Entry, after: Any, before: Any) -> None:
        for other in before:
            if other not in after:
                self._fact(entry, "task.unlinked", p.TaskUnlinked(other))
        for other in after:
            if other not in before:
                self._fact(entry, "task.linked", p.TaskLinked(other))

    def _fork(self, entry: _Entry, field: str, ours: Json) -> None:
        theirs = entry.theirs[field]
        sides: tuple[dict[str, Json], ...] = (
            {"side": "ledger", "value": _bounded(ours)},
            {"side": self._name, "value": _bounded(theirs), "line": entry.line.number},
        )
        self._fact(entry, "fork.detected", p.ForkDetected(about="task", field=field, sides=sides))
        self._forks.append(
            TaskFork(task_id=entry.task_id, field=field, line=entry.line.number, ledger=ours, file=theirs)
        )

    # -- both --------------------------------------------------------------------------------------------------------

    def _accepted(self, entry: _Entry) -> list[Json]:
        """The tasks that it may wait for: none that waits for it, directly or through others."""
        stated = entry.theirs["blocked_by"]
        assert isinstance(stated, list)
        self._edges[entry.task_id] = []
        for other in map(str, stated):
            problem = self._problem_of_link(entry.task_id, other)
            if problem:
                self._warnings.append(f"line {entry.line.number}: {entry.issue.id} {problem}; the link was not read")
            else:
                self._edges[entry.task_id].append(TaskId(other))
                self._waited_for.add(other)
        return [*self._edges[entry.task_id]]

    def _problem_of_link(self, task_id: str, other: str) -> str:
        """Why a task cannot wait for another; empty if it can. A new task that nothing waits for is in no circle."""
        if task_id not in self._tasks and task_id not in self._waited_for and other != task_id:
            return ""
        if self._steps > MOST_STEPS:
            return (
                f"waits for {other}, and so many tasks wait for each other that more than {MOST_STEPS} were looked at"
            )
        looked_at = merging.reachable_without(self._edges, other, task_id)
        if looked_at is None:
            return f"would wait for itself through {other}"
        self._steps += len(looked_at)
        for each in looked_at:
            self._expect("task", each, self._tasks.get(each))
        return ""

    def _with_handoffs(self, entry: _Entry, handoffs: Json) -> tuple[tuple[str, ...], list[Json]]:
        """The comments that were read as handoffs until now, and the handoffs with the new ones added."""
        assert isinstance(handoffs, list)
        known = list(entry.synced.comments) if entry.synced else []
        added: list[Json] = []
        for found in entry.issue.handoffs:
            mark = sha256(found.identity.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            handoff = cleaned({"handoff": found.handoff})["handoff"]
            if mark not in known and handoff not in handoffs:
                added.append(handoff)
            known += [mark] if mark not in known else []
        self._handoffs += len(added)
        return tuple(known), [*handoffs, *added]

    def _decide(self, entry: _Entry) -> None:
        for found in entry.issue.decisions:
            event_id = decision_id(entry.task_id, found)
            if event_id not in self._decisions and not self._is_known(event_id, found):
                self._decisions.add(event_id)
                actor = f"{BEADS}/{found.author}" if found.author else BEADS
                self._fact(entry, "decision.made", found.made, id=event_id, actor=actor)

    def _is_known(self, event_id: str, found: FoundDecision) -> bool:
        ids = [event_id, *([found.stated_id] if found.stated_id and is_uuid(found.stated_id) else [])]
        return any(self._desk.ledger.find(each) for each in ids)

    def _sync(
        self, entry: _Entry, after: Mapping[str, Json], *, comments: tuple[str, ...], decided: Mapping[str, str]
    ) -> None:
        seen = merging.seen_after(seen_in(entry.synced), entry.theirs, after, decided=decided)
        latest = entry.issue.updated_at
        if entry.synced and merging.is_older(latest, entry.synced.updated_at):
            latest = entry.synced.updated_at
        synced = p.TaskSynced(
            path=self._name,
            file=dict(seen.file),
            ledger=dict(seen.ledger),
            line=line_digest(entry.line.raw),
            updated_at=latest[:_LONGEST_TIME] if latest else None,
            comments=comments,
        )
        self._fact(entry, "task.synced", synced)

    def _fact(
        self, entry: _Entry, kind: str, payload: object, *, id: EventId | None = None, actor: str = BEADS
    ) -> None:
        self.facts.append(Fact(kind=kind, payload=payload, task_id=TaskId(entry.task_id), id=id, actor=actor))


_LONGEST_TIME = 64
_EMPTY: dict[str, Json] = {"description": None, "assignee": None, "labels": [], **{name: [] for name in EXTENSIONS}}


@value
class _Entry:
    """A line that is read: what it says, and what it said the last time."""

    line: BeadsLine
    issue: Issue
    task_id: str
    theirs: dict[str, Json]
    synced: SyncedTask | None


def _decided(entry: _Entry, ours: Mapping[str, Json]) -> dict[str, str]:
    """What is done with each field. A line that is older than the one last seen changes nothing. Handoffs that were
    read from comments do not make the line need a list of handoffs."""
    before = seen_in(entry.synced)
    decided = merging.outcomes(before, entry.theirs, ours)
    if entry.synced and merging.is_older(entry.issue.updated_at, entry.synced.updated_at):
        decided = {field: SAME if each == SAME else OLD for field, each in decided.items()}
    if "handoffs" not in decided and _is_unchanged(before, "handoffs", ours):
        decided["handoffs"] = SAME
    return decided


def _is_unchanged(before: Seen | None, field: str, ours: Mapping[str, Json]) -> bool:
    return before is None or merging.digest(field, ours[field]) == before.of_ledger(field)


def _value(content: Json) -> Any:
    return tuple(content) if isinstance(content, list) else content


def _bounded(content: Json) -> Json:
    """Cuts a long text, so that both sides fit into one event."""
    if isinstance(content, str) and len(content) > _LONGEST_SIDE:
        return content[:_LONGEST_SIDE] + "…"
    return content
