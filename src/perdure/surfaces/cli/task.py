"""task: create, list, ready, show, update, close, dep, import, export, diff (SPEC 7.1, 7.2, 7.5)."""

from __future__ import annotations

from perdure.actions import task_sync, tasks
from perdure.actions.attribution import marked_foreign
from perdure.actions.tasks import LISTS, OBJECTS, SCENARIO_TYPES, STATUSES, TEXTS, TaskChanges
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.ids import short, short_task, shown
from perdure.model.json import compact
from perdure.model.payload import TaskCreated
from perdure.model.plural import counted
from perdure.surfaces.cli.audit import thought_data
from perdure.surfaces.cli.command import (
    Answer,
    Command,
    limit_flag,
    read_input,
    request,
    subcommands,
    text_field,
    unknown_fields,
)
from perdure.surfaces.cli.decide import fork_data
from perdure.surfaces.output import harmless, local_date, one_line, path_for_people, table
from perdure.surfaces.record_data import decision_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from typing import Any

    from perdure.actions.forks import ForkView
    from perdure.actions.task_import import Imported, TaskFork
    from perdure.actions.task_sync import ExportResult, FieldDiff, ImportResult, TaskDiff
    from perdure.actions.tasks import TaskDetails, TaskView, UpdateResult
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_CLEARABLE = (*TEXTS, *LISTS, *OBJECTS)
_CREATE_FIELDS = ("title", "priority", "blocked_by", *_CLEARABLE)
_UPDATE_FIELDS = ("title", "priority", "status", "because", *_CLEARABLE)
_COLOURS = {"in_progress": "green", "blocked": "yellow", "closed": "dim"}


# -- as JSON ---------------------------------------------------------------------------------------------------------


def task_data(task: TaskView) -> dict[str, Json]:
    return {
        "id": task.id,
        "task_id": task.id,
        "title": task.title,
        "description": task.description,
        "status": task.status,
        "priority": task.priority,
        "assignee": task.assignee,
        "labels": list(task.labels),
        "blocked_by": list(task.blocked_by),
        "waits_for": list(task.waits_for),
        "ready": task.ready,
        "test_scenarios": list(task.test_scenarios),
        "handoffs": list(task.handoffs),
        "next_steps": list(task.next_steps),
        "blockers": list(task.blockers),
        "questions": list(task.questions),
        "thought_count": task.thought_count,
        "decision_count": task.decision_count,
        "instance_id": task.instance_id,
        "created_at": task.created_at,
        "updated_at": task.updated_at,
        "closed_at": task.closed_at,
        "closed_because": task.closed_because,
        "fields_from_beads": list(task.fields_from_beads),
        "fields_from_other_machines": dict(task.fields_from_other_ledgers),
    }


def shown_data(found: TaskDetails) -> dict[str, Json]:
    decisions: list[Json] = [decision_data(decision) for decision in found.decisions]
    thoughts: list[Json] = [{**thought_data(each), "other_machine": each.other_ledger} for each in found.thoughts]
    blocks: list[Json] = [each.id for each in found.blocks]
    return {**task_data(found.task), "blocks": blocks, "decisions": decisions, "thoughts": thoughts}


def changed_data(changed: UpdateResult) -> dict[str, Json]:
    return {**task_data(changed.task), "warnings": list(changed.warnings)}


def created_of(given: dict[str, Any]) -> TaskCreated:
    title = text_field(given, "title", required=True)
    texts = {name: text_field(given, name) for name in TEXTS}
    lists = {name: _listed(given, name) or () for name in (*LISTS, *OBJECTS, "blocked_by")}
    return TaskCreated(title or "", priority=given.get("priority"), **texts, **lists)  # type: ignore[arg-type]


def changes_of(given: dict[str, Any]) -> TaskChanges:
    texts = {name: text_field(given, name) for name in ("title", "status", "because", *TEXTS)}
    lists = {name: _listed(given, name) for name in (*LISTS, *OBJECTS)}
    return TaskChanges(priority=given.get("priority"), **texts, **lists)  # type: ignore[arg-type]


def _listed(given: dict[str, Any], name: str) -> tuple[Any, ...] | None:
    content = given.get(name)
    if content is not None and not isinstance(content, list):
        raise BadInput("bad_field", f"{name}: must be a list.", details={"field": name})
    return None if content is None else tuple(content)


def _unused(given: dict[str, Any] | None, known: tuple[str, ...]) -> list[Json]:
    return [f"field {shown(name)} is not used here" for name in unknown_fields(given or {}, known)]


# -- flags -----------------------------------------------------------------------------------------------------------


def _field_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--description", metavar="TEXT", help="what it is about")
    parser.add_argument("--priority", type=int, metavar="N", help="0, the most urgent, to 4 (default: 2)")
    parser.add_argument("--assignee", metavar="NAME", help="who does it")
    parser.add_argument("--label", metavar="WORD", action="append", help="a label; may be repeated")
    parser.add_argument("--next-step", metavar="TEXT", action="append", help="a step to take; may be repeated")
    parser.add_argument("--blocker", metavar="TEXT", action="append", help="what blocks it")
    parser.add_argument("--question", metavar="TEXT", action="append", help="what somebody must answer")
    parser.add_argument(
        "--scenario",
        nargs=3,
        metavar=("TYPE", "NAME", "EXPECTED"),
        action="append",
        help=f"a test scenario; TYPE is one of {', '.join(SCENARIO_TYPES)}",
    )


def _create_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", help="what to do; - reads the task as JSON from standard input")
    _field_flags(parser)
    parser.add_argument("--blocked-by", metavar="ID", action="append", help="a task that must be closed first")


def _list_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--status", choices=STATUSES, help="only those")
    parser.add_argument("--all", action="store_true", help="also closed tasks")
    limit_flag(parser, 100, "at most this many")


def _ready_flags(parser: argparse.ArgumentParser) -> None:
    limit_flag(parser, 100, "at most this many")


def _show_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the task")


def _update_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the task")
    parser.add_argument("input", nargs="?", metavar="-", help="read the changes as JSON from standard input")
    parser.add_argument("--title", metavar="TEXT", help="what to do")
    parser.add_argument("--status", choices=STATUSES, help="in_progress makes it the active task here")
    _field_flags(parser)
    parser.add_argument("--clear", choices=_CLEARABLE, metavar="FIELD", action="append", help=", ".join(_CLEARABLE))


def _close_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the task")
    parser.add_argument("--because", metavar="TEXT", help="what shows that it is done")


def _dep_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the task that waits")
    parser.add_argument("other", help="the task it waits for")
    parser.add_argument("--remove", action="store_true", help="remove the link")


def _file_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", help="a file that Beads wrote (default: .beads/issues.jsonl)")


def _diff_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the task")
    _file_flags(parser)


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "create": ("create a task", _create_flags),
            "list": ("list the open tasks, those in progress first", _list_flags),
            "ready": ("list the tasks that nothing blocks", _ready_flags),
            "show": ("show one task with everything recorded about it", _show_flags),
            "update": ("change a task; new entries are added to lists", _update_flags),
            "close": ("close a task; it needs a decision or a thought record", _close_flags),
            "dep": ("make a task wait for another", _dep_flags),
            "import": ("take in the tasks of a file of Beads, another task tool", _file_flags),
            "export": ("take in a file of Beads, then write the ledger's changes to it", _file_flags),
            "diff": ("show where the ledger and a file of Beads differ about a task", _diff_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {
        "create": _create,
        "list": _list,
        "ready": _ready,
        "show": _show,
        "update": _update,
        "close": _close,
        "dep": _dep,
        "import": _import,
        "export": _export,
        "diff": _diff,
    }[arguments.verb](arguments)


# -- verbs -----------------------------------------------------------------------------------------------------------


def _given_lists(arguments: Arguments) -> dict[str, tuple[Any, ...]]:
    scenarios = [{"type": t, "name": n, "expected": e} for t, n, e in arguments.scenario or ()]
    given = {
        "labels": arguments.label,
        "next_steps": arguments.next_step,
        "blockers": arguments.blocker,
        "questions": arguments.question,
        "test_scenarios": scenarios,
    }
    return {name: tuple(content) for name, content in given.items() if content}


def _read_instead(by_flag: bool) -> dict[str, Any]:
    if by_flag:
        raise BadInput("usage", "Give the fields as JSON (-) or by flags, not both.")
    return read_input('{"title": "…", "priority": 1}')


def _create(arguments: Arguments) -> Answer:
    made = TaskCreated(
        title=arguments.title,
        description=arguments.description,
        priority=arguments.priority,
        assignee=arguments.assignee,
        blocked_by=tuple(arguments.blocked_by or ()),
        **_given_lists(arguments),
    )
    given = _read_instead(made != TaskCreated("-")) if arguments.title == "-" else None
    made = made if given is None else created_of(given)
    with open_desk(request(arguments)) as desk:
        task = tasks.create(desk, made)
    return Answer(
        {**task_data(task), "warnings": _unused(given, _CREATE_FIELDS)},
        lambda style: f"{style('bold', 'Task ' + short_task(task.id))}  {one_line(task.title)}",
        as_json=given is not None,
    )


def _update(arguments: Arguments) -> Answer:
    if arguments.input not in (None, "-"):
        raise BadInput("usage", f"{shown(arguments.input)} is not expected.", hint="- reads from standard input.")
    by_flag = _from_flags(arguments)
    given = _read_instead(by_flag != TaskChanges()) if arguments.input else None
    changes = by_flag if given is None else changes_of(given)
    with open_desk(request(arguments)) as desk:
        changed = tasks.update(desk, arguments.id, changes)
    warnings: list[Json] = [*changed.warnings, *_unused(given, _UPDATE_FIELDS)]
    data: dict[str, Json] = {**task_data(changed.task), "warnings": warnings}
    return Answer(data, lambda style: _changed_text(changed, style), as_json=given is not None)


def _from_flags(arguments: Arguments) -> TaskChanges:
    cleared: dict[str, Any] = {name: "" if name in TEXTS else () for name in arguments.clear or ()}
    texts = {name: getattr(arguments, name) for name in ("title", "description", "status", "assignee")}
    return TaskChanges(
        priority=arguments.priority,
        added=_given_lists(arguments),
        **{**texts, **{name: content for name, content in cleared.items() if texts.get(name) is None}},
    )


def _changed_text(changed: UpdateResult, style: Style) -> str:
    task = changed.task
    state = style("green", "closed") if task.status == "closed" else _state(task, style)
    lines = [f"{style('bold', 'Task ' + short_task(task.id))}  {one_line(task.title)}  {state}"]
    return "\n".join([*lines, *(style("yellow", "  " + warning) for warning in changed.warnings)])


def _close(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        changed = tasks.close(desk, arguments.id, arguments.because)
    return Answer(changed_data(changed), lambda style: _changed_text(changed, style))


def _dep(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        act = tasks.unlink if arguments.remove else tasks.link
        task = act(desk, arguments.id, arguments.other)

    def text(style: Style) -> str:
        waits = ", ".join(map(short_task, task.waits_for)) or "nothing"
        return f"{style('bold', 'Task ' + short_task(task.id))}  {one_line(task.title)}  waits for {waits}"

    return Answer(task_data(task), text)


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = tasks.listed(desk, arguments.status, arguments.all)
    empty = "no such task" if arguments.status else "no open task; perdure task create 'make the parser faster'"
    return _tasks_answer(found, arguments.limit, empty)


def _ready(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = tasks.ready(desk)
    return _tasks_answer(found, arguments.limit, "nothing is ready; perdure task list shows what is blocked")


def _tasks_answer(found: list[TaskView], limit: int, empty: str) -> Answer:
    def text(style: Style) -> str:
        if not found:
            return empty
        rows = [
            [short_task(t.id), str(t.priority), _state(t, style), t.marked("title", one_line(t.title, 60)), _why(t)]
            for t in found[:limit]
        ]
        more = f"\n{len(found) - limit} more; --limit shows them" if len(found) > limit else ""
        return table(rows, ["task", "priority", "status", "title", "blocked by"], style) + more

    return Answer([task_data(task) for task in found[:limit]], text)


def _state(task: TaskView, style: Style) -> str:
    words = task.status.replace("_", " ")
    return style(_COLOURS[task.status], words) if task.status in _COLOURS else words


def _why(task: TaskView) -> str:
    return one_line(", ".join([*map(short_task, task.waits_for), *task.blockers]), 40)


# -- the file of beads -----------------------------------------------------------------------------------------------

_NAMED = 20
"""How many warnings and forks the text names; `--json` has them all."""


def _import(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        done = task_sync.import_tasks(desk, arguments.file)
    return Answer(imported_data(done), lambda style: "\n".join(_imported_lines(done.imported, done.path, style)))


def _export(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        done = task_sync.export_tasks(desk, arguments.file)
    return Answer(exported_data(done), lambda style: "\n".join(_exported_lines(done, style)))


def _diff(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = task_sync.diff(desk, arguments.id, arguments.file)
    return Answer(_diff_data(found), lambda style: "\n".join(_diff_lines(found, style)))


def imported_data(done: ImportResult) -> dict[str, Json]:
    return {"path": done.path, **_counts(done.imported)}


def exported_data(done: ExportResult) -> dict[str, Json]:
    return {
        "path": done.path,
        **_counts(done.imported),
        "changed_lines": list(done.changed),
        "new_lines": list(done.added),
        "changed_files": [done.path] if done.is_written else [],
    }


def _counts(found: Imported) -> dict[str, Json]:
    return {
        "lines": found.lines,
        "created": list(found.created),
        "updated": list(found.updated),
        "decisions": found.decisions,
        "handoffs": found.handoffs,
        "forks": [_fork_data(each) for each in found.forks],
        "warnings": list(found.warnings),
    }


def _fork_data(fork: TaskFork) -> dict[str, Json]:
    return {
        "task_id": fork.task_id,
        "field": fork.field,
        "line": fork.line,
        "ledger": fork.ledger,
        "file": fork.file,
    }


def _imported_lines(found: Imported, path: str, style: Style) -> list[str]:
    counts = [
        counted(found.lines, "line"),
        f"{len(found.created)} new",
        f"{len(found.updated)} changed",
        counted(found.decisions, "decision"),
        counted(found.handoffs, "handoff"),
    ]
    lines = [f"{style('bold', 'Read')} {path_for_people(path)}: {', '.join(counts)}"]
    for fork in found.forks[:_NAMED]:
        name, kept, other = short_task(fork.task_id), _shown_value(fork.ledger), _shown_value(fork.file)
        said = f"  Fork detected: {fork.field} of {name} changed on both sides; the ledger's {kept} counts, not {other}"
        lines.append(style("yellow", said))
    lines += [style("yellow", f"  {one_line(each, 200)}") for each in found.warnings[:_NAMED]]
    left_out = max(0, len(found.forks) - _NAMED) + max(0, len(found.warnings) - _NAMED)
    return [*lines, f"  {left_out} more; --json shows them"] if left_out else lines


def _exported_lines(done: ExportResult, style: Style) -> list[str]:
    if not done.is_written:
        written = "Nothing to write: the file has what the ledger changed."
    else:
        counts = f"{counted(len(done.changed), 'line')} changed, {len(done.added)} new"
        written = f"{style('bold', 'Wrote')} {path_for_people(done.path)}: {counts}. Perdure commits nothing."
    return [*_imported_lines(done.imported, done.path, style), written]


def _diff_data(found: TaskDiff) -> dict[str, Json]:
    return {
        "id": found.task.id,
        "task_id": found.task.id,
        "path": found.path,
        "line": found.line,
        "fields": [_field_data(each) for each in found.fields],
        "forks": [fork_data(each) for each in found.forks],
    }


def _field_data(each: FieldDiff) -> dict[str, Json]:
    return {"field": each.field, "ledger": each.ledger, "file": each.file, "changed_by": each.changed_by}


def _diff_lines(found: TaskDiff, style: Style) -> list[str]:
    head = f"{style('bold', 'Task ' + short_task(found.task.id))}  {one_line(found.task.title)}"
    return [head, *_file_lines(found, style), *(style("yellow", f"  {_fork_line(each)}") for each in found.forks)]


def _fork_line(fork: ForkView) -> str:
    sides = " / ".join(f"{side.name}: {one_line(side.value, 40)}" for side in fork.sides)
    return f"Fork {short(fork.id)}  {fork.field}  {sides}"


def _file_lines(found: TaskDiff, style: Style) -> list[str]:
    if found.line is None:
        return [f"  {path_for_people(found.path)} does not have it"]
    if not found.fields:
        return [f"  {path_for_people(found.path)}, line {found.line}, says the same"]
    rows = [[f.field, _shown_value(f.ledger), _shown_value(f.file), f.changed_by] for f in found.fields]
    return [table(rows, ["field", "ledger", f"file, line {found.line}", "changed by"], style)]


def _shown_value(content: Json) -> str:
    return one_line(content if isinstance(content, str) else compact(content), 60)


# -- one task, for a person ------------------------------------------------------------------------------------------


def _show(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = tasks.show(desk, arguments.id)
    return Answer(shown_data(found), lambda style: "\n".join(_page(found, style)))


def _page(found: TaskDetails, style: Style) -> list[str]:
    task = found.task
    facts = [_state(task, style), f"priority {task.priority}"]
    facts += [task.marked("assignee", one_line(task.assignee))] if task.assignee else []
    facts += [task.marked("labels", one_line(", ".join(task.labels)))] if task.labels else []
    title = task.marked("title", one_line(task.title))
    lines = [f"{style('bold', 'Task ' + short_task(task.id))}  {title}", "  " + " · ".join(facts)]
    if task.description:
        described = task.marked("description", task.description)
        lines += ["", *("  " + harmless(line) for line in described.splitlines())]
    for heading, entries in _parts(found).items():
        if entries:
            lines += ["", style("dim", f"  {heading}"), *(f"    {entry}" for entry in entries)]
    made, changed = local_date(task.created_at), local_date(task.updated_at)
    lines += ["", style("dim", f"  created {made}, changed {changed}")]
    return lines


def _other(task: TaskView) -> str:
    title = task.marked("title", one_line(task.title, 60))
    return f"{short_task(task.id)}  {title}" + ("  (closed)" if task.status == "closed" else "")


def _parts(found: TaskDetails) -> dict[str, list[str]]:
    task = found.task
    because = [task.closed_because] if task.closed_because else []

    def lines(field: str, texts: Iterable[str]) -> list[str]:
        return [task.marked(field, one_line(text)) for text in texts]

    return {
        "closed because": lines("closed_because", because),
        "waits for": [_other(each) for each in found.blocked_by],
        "blocks": [_other(each) for each in found.blocks],
        "next steps": lines("next_steps", task.next_steps),
        "blockers": lines("blockers", task.blockers),
        "questions": lines("questions", task.questions),
        "test scenarios": lines(
            "test_scenarios", (f"{each['type']}: {each['name']} → {each['expected']}" for each in task.test_scenarios)
        ),
        "decisions": [
            f"{short(each.id)}  {each.marked(one_line(each.decision))}"
            + (f", because {one_line(each.rationale)}" if each.rationale else "")
            for each in found.decisions
        ],
        f"thought records ({task.thought_count})": [
            f"{short(each.id)}  {each.type}: {marked_foreign(each.other_ledger, one_line(each.content))}"
            for each in found.thoughts
        ],
        "handoffs": lines("handoffs", (f"{each['session_id']}  {each.get('ended', '')}" for each in task.handoffs)),
    }


COMMANDS: dict[str, Command] = {
    "task": Command(
        run=_run,
        flags=_flags,
        examples="perdure task create 'make the parser faster' --priority 1 --next-step 'measure it'\n"
        "perdure task create 'release 1.2' --blocked-by 3f2a91c4\n"
        "perdure task list --all\n"
        "perdure task ready\n"
        "perdure task show 3f2a91c4\n"
        "perdure task dep 3f2a91c4 9b0c1d2e\n"
        "perdure task update 3f2a91c4 --status in_progress\n"
        "perdure task update 3f2a91c4 --scenario edge_case 'empty file' 'no tokens, no error'\n"
        "perdure decide 'one token of lookahead' --because 'the grammar is LL(1)' --task 3f2a91c4\n"
        "perdure task close 3f2a91c4 --because 'released 1.2'\n"
        "perdure task import\n"
        "perdure task export\n"
        "perdure task diff bd-a3f8",
        about="Tasks: what to do, what waits for what, and what was recorded about each.",
    )
}
