"""Keeps the ledger's tasks and a beads file in step: import, export, diff (SPEC 7.1, 7.2).

    import_tasks(desk, None)      takes in .beads/issues.jsonl
    export_tasks(desk, None)      takes it in, then writes what the ledger changed
    diff(desk, "bd-1", None)      what the two say of one task

Invariant: the file is taken in before it is written, and replaced only if it still is what was taken in. Nothing is
committed or pushed: the answer says which file changed.
"""

from __future__ import annotations

import os

from perdure.actions import beads_program, forks, tasks
from perdure.actions.record import Fact, cleaned, expect_unchanged, record
from perdure.actions.task_import import (
    MOST_TRIES,
    Imported,
    TaskNames,
    busy,
    decision_id,
    file_fields,
    ledger_fields,
    line_digest,
    seen_in,
    take_in,
)
from perdure.beads import lines, merging
from perdure.beads.issue import EXTENSIONS, FIELDS, LISTS, read_entry
from perdure.beads.merging import Seen
from perdure.errors import BadInput, Conflict, PerdureError
from perdure.ledger.port import Expect
from perdure.model import payload as p
from perdure.model.ids import TaskId, is_uuid, short_task
from perdure.model.moment import Moment, stamp
from perdure.model.state import SyncedTask, Task, body_as, synced_id
from perdure.model.value import replace, value
from perdure.views import task_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from perdure.actions.decisions import DecisionView
    from perdure.actions.forks import ForkView
    from perdure.actions.tasks import TaskView
    from perdure.actions.wiring import Desk
    from perdure.beads.issue import Issue
    from perdure.beads.lines import BeadsFile, BeadsLine
    from perdure.model.json import Json

_AUTHOR = "perdure"
_ERASED = "(erased)"
_TOLD = 3
"""How many forks are told at the start of a session."""
_LARGEST_IN_A_HOOK = 1 << 20
"""Bytes. A client waits for its hooks, and the first import of a line takes about a millisecond."""


@value
class ImportResult:
    path: str
    imported: Imported


@value
class ExportResult:
    path: str
    imported: Imported
    changed: tuple[str, ...]
    """The tasks whose line was changed."""
    added: tuple[str, ...]
    """The tasks that have a new line."""

    @property
    def is_written(self) -> bool:
        return bool(self.changed or self.added)


@value
class FieldDiff:
    field: str
    ledger: Json
    file: Json
    changed_by: str
    """`ledger`, `file`, `both`, or `unknown` if the two were never compared."""


@value
class TaskDiff:
    task: TaskView
    path: str
    line: int | None
    """None if the file does not have the task."""
    fields: tuple[FieldDiff, ...]
    forks: tuple[ForkView, ...] = ()
    """The open forks of this task: fields that both sides changed, and texts that state something else."""


def import_tasks(desk: Desk, named: str | None) -> ImportResult:
    path = task_file.located(desk.root, named)
    return ImportResult(path, take_in(desk, task_file.name_of(desk.root, path), _parsed(path)))


def _parsed(path: str) -> BeadsFile:
    content = task_file.read(path, lines.LARGEST_FILE)
    if content is None:
        raise BadInput("no_task_file", f"There is no file {path}.", hint="perdure task export makes one.")
    return lines.parse_file(content)


def export_tasks(desk: Desk, named: str | None) -> ExportResult:
    path = task_file.located(desk.root, named)
    name = task_file.name_of(desk.root, path)
    passes: list[Imported] = []
    with task_file.locked(path):
        for _ in range(MOST_TRIES):
            content = task_file.read(path, lines.LARGEST_FILE)
            file = lines.parse_file(content or b"")
            taken = take_in(desk, name, file)
            passes.append(taken if content is not None else replace(taken, warnings=()))
            writing = _Writing(desk, name, file, is_new=content is None)
            writing.write()
            new = lines.joined(file, writing.texts, writing.new_texts)
            if new == (content or b""):
                return writing.result(path, _together(passes))
            if task_file.replaced(path, content, new) and writing.remember():
                return writing.result(path, _together(passes))
    raise busy(name)


def _together(passes: list[Imported]) -> Imported:
    """If others wrote meanwhile, the file was taken in several times."""
    last = passes[-1]
    created = dict.fromkeys(each for one in passes for each in one.created)
    updated = dict.fromkeys(each for one in passes for each in one.updated if each not in created)
    return replace(
        last,
        created=tuple(created),
        updated=tuple(updated),
        decisions=sum(one.decisions for one in passes),
        handoffs=sum(one.handoffs for one in passes),
        forks=tuple(each for one in passes for each in one.forks),
    )


# -- writing ---------------------------------------------------------------------------------------------------------


class _Writing:
    """What the ledger changes in a file that was just taken in."""

    def __init__(self, desk: Desk, name: str, file: BeadsFile, *, is_new: bool) -> None:
        self._desk = desk
        self._name = name
        self._is_new = is_new
        self._unreadable = file.unreadable()
        self._names = TaskNames(desk, file)
        self._now = stamp(desk.now())
        self._facts: list[Fact] = []
        self._expected: list[Expect] = []
        self._changed: list[str] = []
        self._added: list[str] = []
        self.texts: dict[int, str] = {}
        self.new_texts: list[str] = []

    def write(self) -> None:
        found = [each.body for each in self._desk.ledger.documents("task") if isinstance(each.body, Task)]
        for task in sorted(found, key=lambda each: (each.created_at, each.seq, each.id)):
            line = self._names.lines.get(task.id)
            if line is None:
                self._add(task)
            else:
                self._change(task, line)

    def remember(self) -> bool:
        """Records what the file says now; False if somebody else recorded something about it meanwhile."""
        try:
            if self._facts:
                record(self._desk, self._facts, self._expected)
        except Conflict:
            return False
        return True

    def result(self, path: str, imported: Imported) -> ExportResult:
        return ExportResult(path=path, imported=imported, changed=tuple(self._changed), added=tuple(self._added))

    def _change(self, task: Task, line: BeadsLine) -> None:
        synced = self._synced(task.id)
        if line.issue is None or synced is None:  # the line could not be taken in
            return
        view = tasks.view(self._desk, task)
        ours, stated = ledger_fields(view), line.issue.fields
        given = merging.to_give(Seen(synced.file, synced.ledger), stated, ours)
        decisions = [_decision_data(each) for each in self._decisions_to_add(task.id, line)]
        if not given and not decisions:
            return
        at = self._later_than(line.issue.updated_at, synced.updated_at)
        text = lines.with_values(line.text, {**_values(given, view), "updated_at": at})
        for field in (each for each in given if each in LISTS):
            text = _with_list(text, field, ours[field])
        if "blocked_by" in given:
            others = [self._names.file_id(each) for each in view.blocked_by]
            removed = self._removed_links(line.issue, task, synced)
            text = lines.with_blockers(text, line.issue.id, others, removed=removed, at=self._now)
        if decisions:
            text = lines.with_decisions(text, decisions)
        self.texts[line.number] = text
        self._changed.append(task.id)
        self._remember(task.id, text, self._after(synced, given, ours), comments=synced.comments, at=at)

    def _later_than(self, *stated: str | None) -> str:
        """The time of a change. beads takes the later of two lines for the newer one, and the clock of whoever wrote
        the line may be ahead of ours."""
        latest = max(merging.nanoseconds(each) or 0 for each in stated)
        later = max(self._now, stamp(Moment(latest // 1_000_000 + 1)))
        return next((each for each in stated if each and merging.is_older(later, each)), later)

    def _removed_links(self, issue: Issue, task: Task, synced: SyncedTask) -> set[str]:
        """The tasks, by their ids in the file, that this one waits for there and no longer here. A link that an import
        left out, because a task would wait for itself, was never here."""
        stated = issue.fields["blocked_by"]
        assert isinstance(stated, list)
        ids = {str(each): self._names.task_id(str(each)) for each in stated}
        gone = {each for each, id in ids.items() if id not in task.blocked_by}
        read = Seen(synced.file, synced.ledger).of_ledger("blocked_by")
        if not gone or merging.digest("blocked_by", [*ids.values()]) == read:
            return gone
        found = (each.body for each in self._desk.ledger.documents("task") if isinstance(each.body, Task))
        edges = {str(each.id): each.blocked_by for each in found}
        return {each for each in gone if merging.reachable_without(edges, ids[each], task.id) is not None}

    def _after(self, synced: SyncedTask, given: Iterable[str], ours: Mapping[str, Json]) -> Seen:
        written = merging.digests({field: ours[field] for field in given})
        file = {**{name: each for name, each in synced.file.items() if name not in given}, **written}
        ledger = {name: each for name, each in synced.ledger.items() if name not in given}
        return Seen(file, ledger)

    def _add(self, task: Task) -> None:
        """A task that beads made and whose line is gone was deleted there. It comes back only if it was changed
        here, or if the whole file is gone. If a line that cannot be read names the task, no second line is added."""
        quoted = f'"{self._names.file_id(task.id)}"'.encode()
        if any(quoted in line.raw for line in self._unreadable):
            return
        synced, view = self._synced(task.id), tasks.view(self._desk, task)
        ours = ledger_fields(view)
        if not self._is_new and synced and not is_uuid(task.id) and not _is_changed(synced, ours):
            return
        at = self._later_than(synced.updated_at if synced else None)
        text = lines.new_line({**self._new_values(view), "updated_at": at})
        self.new_texts.append(text)
        self._added.append(task.id)
        comments = synced.comments if synced else ()
        self._remember(task.id, text, Seen(merging.digests(ours), {}), comments=comments, at=at)

    def _new_values(self, view: TaskView) -> dict[str, Json]:
        """In the order in which beads writes them; the fields that it does not know last."""
        ours, file_id = ledger_fields(view), self._names.file_id(view.id)
        others = [self._names.file_id(each) for each in view.blocked_by]
        decided: list[Json] = [_decision_data(each) for each in self._decisions(view.id)]
        return {
            "id": file_id,
            "title": view.title,
            "description": view.description,
            "status": view.status,
            "priority": view.priority,
            "issue_type": "task",
            "assignee": view.assignee,
            "created_at": view.created_at,
            "created_by": _AUTHOR,
            "updated_at": self._now,
            "closed_at": view.closed_at,
            "close_reason": view.closed_because,
            "labels": ours["labels"],
            "dependencies": [lines.dependency(file_id, each, at=self._now) for each in others],
            **{name: ours[name] for name in EXTENSIONS},
            "decisions": decided,
        }

    def _decisions(self, task_id: str) -> list[DecisionView]:
        return [each for each in tasks.decisions_on(self._desk, task_id) if each.decision != _ERASED]

    def _decisions_to_add(self, task_id: str, line: BeadsLine) -> list[DecisionView]:
        """Those that the file does not have yet, in a comment or in its list."""
        found = line.issue.decisions if line.issue else ()
        known = {*(decision_id(task_id, each) for each in found), *(each.stated_id for each in found)}
        return [each for each in self._decisions(task_id) if each.id not in known]

    def _synced(self, task_id: str) -> SyncedTask | None:
        return body_as(self._desk.ledger.document("synced", synced_id(self._name, task_id)), SyncedTask)

    def _remember(self, task_id: str, text: str, seen: Seen, *, comments: tuple[str, ...], at: str) -> None:
        self._expected.append(expect_unchanged(self._desk, "synced", synced_id(self._name, task_id)))
        synced = p.TaskSynced(
            path=self._name,
            file=dict(seen.file),
            ledger=dict(seen.ledger),
            line=line_digest(text.encode()),
            updated_at=at,
            comments=comments,
        )
        self._facts.append(Fact(kind="task.synced", payload=synced, task_id=TaskId(task_id)))


def _values(given: Iterable[str], view: TaskView) -> dict[str, Json]:
    """The fields that one value each replaces; None removes one."""
    ours = ledger_fields(view)
    values: dict[str, Json] = {}
    for field in given:
        if field == "status":
            values |= _status_values(view)
        elif field != "blocked_by" and field not in LISTS:
            values[field] = ours[field]
    return values


def _with_list(text: str, field: str, wanted: Json) -> str:
    """The ledger has the entries masked, and of objects only the fields that it knows: so they are compared."""
    assert isinstance(wanted, list)

    def read(entry: Json) -> Json:
        form = read_entry(field, entry)
        stored = cleaned({field: [form]})[field]
        return stored[0] if form is not None and isinstance(stored, list) else None

    return lines.with_list(text, field, wanted, read=read)


def _status_values(view: TaskView) -> dict[str, Json]:
    """beads refuses a closed task without the time of its closing, and an open one with it."""
    if view.status != "closed":
        return {"status": view.status, "closed_at": None, "close_reason": None}
    return {"status": view.status, "closed_at": view.closed_at, "close_reason": view.closed_because}


def _is_changed(synced: SyncedTask, ours: Mapping[str, Json]) -> bool:
    seen = Seen(synced.file, synced.ledger)
    return any(merging.digest(field, ours[field]) != seen.of_ledger(field) for field in FIELDS)


def _decision_data(made: DecisionView) -> dict[str, Json]:
    data: dict[str, Json] = {
        "id": made.id,
        "ts": made.ts,
        "decision": made.decision,
        "rationale": made.rationale,
        "evidence": list(made.evidence),
    }
    return {name: content for name, content in data.items() if content is not None}


# -- comparing -------------------------------------------------------------------------------------------------------


def diff(desk: Desk, typed: str, named: str | None) -> TaskDiff:
    """What the ledger and the file say of one task, where they differ. Changes nothing."""
    view = tasks.show(desk, typed).task
    path = task_file.located(desk.root, named)
    name = task_file.name_of(desk.root, path)
    found_forks = tuple(forks.of_task(desk, view.id))
    if found_forks and named is None and not os.path.exists(path):
        return TaskDiff(task=view, path=path, line=None, fields=(), forks=found_forks)
    file = _parsed(path)
    names = TaskNames(desk, file)
    line = names.lines.get(view.id)
    if line is None or line.issue is None:
        return TaskDiff(task=view, path=path, line=None, fields=(), forks=found_forks)
    synced = body_as(desk.ledger.document("synced", synced_id(name, view.id)), SyncedTask)
    seen, theirs, ours = seen_in(synced), file_fields(line.issue, names), ledger_fields(view)
    stated = (*theirs, *(merging.to_give(seen, theirs, ours) if seen else EXTENSIONS))
    found = (
        _field_diff(seen, field, ours=ours[field], theirs=theirs.get(field)) for field in FIELDS if field in stated
    )
    fields = tuple(each for each in found if each)
    return TaskDiff(task=view, path=path, line=line.number, fields=fields, forks=found_forks)


def _field_diff(seen: Seen | None, field: str, *, ours: Json, theirs: Json) -> FieldDiff | None:
    ledger, file = merging.digest(field, ours), merging.digest(field, theirs)
    if ledger == file or (seen and (ledger, file) == (seen.of_ledger(field), seen.of_file(field))):
        return None  # they say the same, each in its own form
    if seen is None:
        changed_by = "unknown"
    elif file == seen.of_file(field):
        changed_by = "ledger"
    else:
        changed_by = "file" if ledger == seen.of_ledger(field) else "both"
    return FieldDiff(field=field, ledger=ours, file=theirs, changed_by=changed_by)


# -- at the beginning and the end of a session -----------------------------------------------------------------------


def at_session_start(desk: Desk) -> list[str]:
    """Takes in the project's task file. Returns what the agent must know, a failure included: none is raised."""
    if _is_too_large_for_a_hook(desk):
        return [f"{_usual_name(desk)} is too large to be read at the start of a session: perdure task import reads it."]
    try:
        done = import_tasks(desk, None)
    except PerdureError as error:
        return [f"The tasks of {_usual_name(desk)} were not read: {error.message} {error.hint}".rstrip()]
    found = done.imported
    told = [
        f"Fork detected, resyncing from ledger: {each.field} of task {short_task(each.task_id)} also changed in "
        f"{_usual_name(desk)}, line {each.line}. The ledger's value counts; perdure task diff shows both."
        for each in found.forks[:_TOLD]
    ]
    if found.created or found.updated:
        counts = f"{len(found.created)} new, {len(found.updated)} changed"
        told.append(f"Tasks read from {_usual_name(desk)}: {counts}.")
    if found.warnings:
        more = f" ({len(found.warnings) - 1} more: perdure task import)" if len(found.warnings) > 1 else ""
        told.append(f"{_usual_name(desk)}, {found.warnings[0]}{more}.")
    return told


def at_session_end(desk: Desk) -> list[str]:
    """Asks beads' program to write what it has, then writes what the ledger changed. Returns what to tell."""
    if _is_too_large_for_a_hook(desk):
        return [f"{_usual_name(desk)} is too large to be written at the end of a session: perdure task export does it."]
    environment = desk.resolved.request.environment
    try:
        told = beads_program.flush(desk.root, environment)
        if not export_tasks(desk, None).is_written:
            return told
    except PerdureError as error:
        return [f"The tasks were not written to {_usual_name(desk)}: {error.message} {error.hint}".rstrip()]
    failed = beads_program.tell_written(desk.root, environment)
    return [*told, *failed, f"Changed: {_usual_name(desk)}. Perdure commits nothing."]


def _is_too_large_for_a_hook(desk: Desk) -> bool:
    try:
        return os.stat(task_file.usual_path(desk.root)).st_size > _LARGEST_IN_A_HOOK
    except OSError:
        return False  # reading it says what is wrong


def _usual_name(desk: Desk) -> str:
    return os.path.relpath(task_file.usual_path(desk.root), desk.root)
