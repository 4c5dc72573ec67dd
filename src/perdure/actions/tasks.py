"""Tasks: what there is to do, what depends on what, and what was recorded about each (SPEC 7.1, 7.5).

    task = create(desk, p.TaskCreated("make the parser faster", priority=1))
    update(desk, task.id, TaskChanges(status="in_progress"))
    decisions.decide(desk, p.DecisionMade("one token of lookahead"), task.id)
    close(desk, task.id, "released 1.2")

Invariants: no task depends on itself, not even through others; no task is closed without a thought record or a decision
on it.
"""

from __future__ import annotations

from itertools import islice

from perdure.actions import audit_trail, decisions, lookup
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution, marked_foreign
from perdure.actions.record import new_event_id, record
from perdure.errors import BadInput, Conflict, Refused
from perdure.ledger.port import Expect, unchanged
from perdure.model import payload as p
from perdure.model.event import Ref, is_from_beads
from perdure.model.ids import LEAST, LedgerId, is_token, short_task, shown
from perdure.model.moment import stamp
from perdure.model.state import OPEN_STATUSES, PRIORITIES, TASK_WORDS, NthRecord, Task, Trail, body_as, nth
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from perdure.actions.attribution import Attribution
    from perdure.actions.audit_trail import ThoughtRecord
    from perdure.actions.decisions import DecisionView
    from perdure.actions.record import Fact
    from perdure.actions.wiring import Desk
    from perdure.model.json import Json
    from perdure.model.moment import Moment, Stamp
    from perdure.model.state import Document

LISTED_BY = "perdure task list"
STATUSES = (*OPEN_STATUSES, "closed")
SCENARIO_TYPES = ("happy_path", "edge_case", "error_handling")
TEXTS = ("description", "assignee")
LISTS = ("labels", "next_steps", "blockers", "questions")
OBJECTS = ("test_scenarios", "handoffs")
THOUGHTS_SHOWN = 20
_LONGEST_TITLE = 500
_SHOWN_AS = {"because": "closed_because"}
_HEX_AND_DASH = frozenset("0123456789abcdef-")
_HANDOFF_TEXTS = ("session_id", "ended", "notes_ref", "trajectory_ref")
_HANDOFF = frozenset((*_HANDOFF_TEXTS, "grounding_ratio"))
_SCENARIO = frozenset(("name", "type", "expected"))


@value
class TaskView:
    id: str
    title: str
    description: str | None
    status: str
    priority: int
    assignee: str | None
    labels: tuple[str, ...]
    blocked_by: tuple[str, ...]
    waits_for: tuple[str, ...]
    """The tasks of `blocked_by` that are not closed."""
    next_steps: tuple[str, ...]
    blockers: tuple[str, ...]
    questions: tuple[str, ...]
    test_scenarios: tuple[dict[str, Json], ...]
    handoffs: tuple[dict[str, Json], ...]
    thought_count: int
    decision_count: int
    instance_id: str | None
    """The instance that has it in progress."""
    created_at: Stamp
    updated_at: Stamp
    closed_at: Stamp | None
    closed_because: str | None
    fields_from_beads: tuple[str, ...]
    """The fields whose text a beads file states."""
    fields_from_other_ledgers: dict[str, str]
    """The fields whose text came from another machine, each with the ledger it came from."""

    @property
    def ready(self) -> bool:
        return self.status in ("open", "in_progress") and not self.waits_for and not self.blockers

    def marked(self, field: str, text: str) -> str:
        """The text of this field, marked if somebody else may have written it."""
        return marked_foreign(self.fields_from_other_ledgers.get(field), text, field in self.fields_from_beads)


@value
class TaskDetails:
    """A task with what belongs to it."""

    task: TaskView
    decisions: tuple[DecisionView, ...]
    blocked_by: tuple[TaskView, ...]
    blocks: tuple[TaskView, ...]
    thoughts: tuple[ThoughtRecord, ...]
    """The latest ones, newest first."""


@value
class UpdateResult:
    """The task after a change, and warnings about what it lacks."""

    task: TaskView
    warnings: tuple[str, ...] = ()


@value
class NextActions:
    active: TaskView | None
    ready: tuple[TaskView, ...]


@value
class TaskChanges:
    """None leaves a field as it is; an empty text or list empties it. `added` is appended to a list."""

    title: str | None = None
    description: str | None = None
    status: str | None = None
    priority: int | None = None
    assignee: str | None = None
    labels: tuple[str, ...] | None = None
    next_steps: tuple[str, ...] | None = None
    blockers: tuple[str, ...] | None = None
    questions: tuple[str, ...] | None = None
    test_scenarios: tuple[dict[str, Json], ...] | None = None
    handoffs: tuple[dict[str, Json], ...] | None = None
    added: dict[str, tuple[Any, ...]] = {}  # noqa: RUF012 - a value is frozen
    because: str | None = None
    """If the status becomes closed: what shows that it is done."""


# -- what callers give -----------------------------------------------------------------------------------------------


def _bad_field(field: str, why: str) -> BadInput:
    return BadInput("bad_field", f"{field}: {why}.", details={"field": field})


def _check_title(title: object) -> None:
    if not isinstance(title, str):
        raise _bad_field("title", "must be a string")
    if not title.strip():
        raise BadInput("empty_text", "A task needs a title.", hint="perdure task create 'make the parser faster'")
    if len(title) > _LONGEST_TITLE:
        raise _bad_field("title", f"at most {_LONGEST_TITLE} characters; put the rest into the description")


def _check_priority(priority: object) -> None:
    if type(priority) is not int or priority not in PRIORITIES:
        raise _bad_field("priority", "must be a whole number from 0, the most urgent, to 4")


def _check_status(status: object) -> None:
    if status not in STATUSES:
        raise _bad_field("status", f"must be one of {', '.join(STATUSES)}")


def _check_text(field: str, text: object) -> None:
    if not isinstance(text, str):
        raise _bad_field(field, "must be a string")


def _check_lines(field: str, lines: object) -> None:
    if not isinstance(lines, tuple) or not all(isinstance(line, str) and line.strip() for line in lines):
        raise _bad_field(field, "must be a list of non-empty strings")


def _check_objects(field: str, objects: object) -> None:
    if not isinstance(objects, tuple) or not all(isinstance(each, dict) for each in objects):
        raise _bad_field(field, "must be a list of objects")
    for each in objects:
        (_check_scenario if field == "test_scenarios" else _check_handoff)(each)
        unknown = sorted(each.keys() - (_SCENARIO if field == "test_scenarios" else _HANDOFF))
        if unknown:
            raise _bad_field(field, f"{shown(unknown[0])} is not one of its fields")


def _check_scenario(scenario: dict[str, Any]) -> None:
    if scenario.get("type") not in SCENARIO_TYPES:
        raise _bad_field("test_scenarios", f"type must be one of {', '.join(SCENARIO_TYPES)}")
    for name in ("name", "expected"):
        if not isinstance(scenario.get(name), str) or not scenario[name].strip():
            raise _bad_field("test_scenarios", f"{name} must be a non-empty string")


def _check_handoff(handoff: dict[str, Any]) -> None:
    for name in _HANDOFF_TEXTS:
        if not isinstance(handoff.get(name), str) and (name == "session_id" or handoff.get(name) is not None):
            raise _bad_field("handoffs", f"{name} must be a string")
    ratio = handoff.get("grounding_ratio")
    if ratio is not None and (type(ratio) not in (int, float) or not 0 <= ratio <= 1):
        raise _bad_field("handoffs", "grounding_ratio must be a number from 0 to 1")


def _check_fields(given: dict[str, Any]) -> None:
    """Checks the fields that a new task and a change have in common. None means not given."""
    for name in TEXTS:
        if given[name] is not None:
            _check_text(name, given[name])
    for name in LISTS:
        if given[name] is not None:
            _check_lines(name, given[name])
    for name in OBJECTS:
        if given[name] is not None:
            _check_objects(name, given[name])
    if given["priority"] is not None:
        _check_priority(given["priority"])


def _check_changes(changes: TaskChanges) -> None:
    given = changes.__dict__
    _check_fields(given)
    if changes.title is not None:
        _check_title(changes.title)
    if changes.status is not None:
        _check_status(changes.status)
    for name, more in changes.added.items():
        if name not in (*LISTS, *OBJECTS):
            raise _bad_field(name[:40], "nothing can be added to it")
        (_check_lines if name in LISTS else _check_objects)(name, more)
    if changes.because is not None and changes.status != "closed":
        raise _bad_field("because", "is only used with the status closed")
    if all(given[name] in (None, {}) for name in given):
        raise BadInput("nothing_to_change", "There is nothing to change.", hint="perdure task update --help")


# -- looking ---------------------------------------------------------------------------------------------------------


def _find(desk: Desk, typed: str) -> tuple[Task, Document]:
    found = desk.ledger.document("task", typed)
    if found is None and _is_of_another_tool(typed):
        raise Refused(
            "no_such_task",
            f"There is no task {typed} here.",
            hint=as_typed(desk, LISTED_BY) + " lists them; perdure task import takes in those of beads.",
        )
    found = found or lookup.document(desk.ledger, "task", typed, listed_by=as_typed(desk, LISTED_BY))
    assert isinstance(found.body, Task)
    return found.body, found


def _is_of_another_tool(typed: str) -> bool:
    """Whether it may be an id of beads, such as `bd-a3f8.1`, and cannot be the beginning of one of ours."""
    return is_token(typed) and "-" in typed and not _HEX_AND_DASH.issuperset(typed.lower())


def _task(desk: Desk, task_id: str) -> Task | None:
    found = desk.ledger.document("task", task_id)
    return body_as(found, Task)


class TaskWords:
    """The texts of a task, which documents do not hold: each is read from the event that last set it. Each event is
    read once."""

    def __init__(self, desk: Desk, task: Task) -> None:
        self._desk = desk
        self._task = task
        self._read: dict[tuple[str, int], Any] = {}
        self._actors: dict[tuple[str, int], str | None] = {}

    def read(self, field: str, empty: Any) -> Any:
        said = self._at(self._place(field))
        content = getattr(said, field, None)
        return empty if content is None else content

    def from_other_ledgers(self) -> dict[str, str]:
        places = {field: self._desk.other_ledger(Ref(LedgerId(at[0]), at[1])) for field, at in self._places()}
        return {_SHOWN_AS.get(field, field): ledger for field, ledger in places.items() if ledger}

    def from_beads(self) -> list[str]:
        return [_SHOWN_AS.get(field, field) for field, at in self._places() if is_from_beads(self._actors[at])]

    def _places(self) -> list[tuple[str, tuple[str, int]]]:
        """Every field that has a text, with the place of the event that set it."""
        return [(name, self._place(name)) for name in (*TASK_WORDS, "because") if self.read(name, ()) not in ("", ())]

    def _place(self, field: str) -> tuple[str, int]:
        return self._task.said_at.get(field, (self._task.ledger_id, self._task.seq))

    def _at(self, place: tuple[str, int]) -> Any:
        if place not in self._read:
            event = self._desk.ledger.event(Ref(LedgerId(place[0]), place[1]))
            self._actors[place] = event.actor if event else None
            kinds = (p.TaskCreated, p.TaskUpdated, p.TaskClosed)
            self._read[place] = next((said for kind in kinds if event and (said := p.read(event, kind))), None)
        return self._read[place]


def _trail(desk: Desk, task_id: str) -> Trail:
    found = desk.ledger.document("trail", task_id)
    return body_as(found, Trail) or Trail()


def view(desk: Desk, task: Task) -> TaskView:
    words, trail = TaskWords(desk, task), _trail(desk, task.id)
    return TaskView(
        id=task.id,
        title=words.read("title", "(erased)"),
        description=words.read("description", None),
        status=task.status,
        priority=task.priority,
        assignee=words.read("assignee", None),
        labels=words.read("labels", ()),
        blocked_by=task.blocked_by,
        waits_for=tuple(each for each in task.blocked_by if _is_open(desk, each)),
        next_steps=words.read("next_steps", ()),
        blockers=words.read("blockers", ()),
        questions=words.read("questions", ()),
        test_scenarios=words.read("test_scenarios", ()),
        handoffs=words.read("handoffs", ()),
        thought_count=trail.thoughts,
        decision_count=trail.decisions,
        instance_id=task.instance_id,
        created_at=stamp(task.created_at),
        updated_at=stamp(task.updated_at),
        closed_at=_maybe_stamp(task.closed_at),
        closed_because=words.read("because", None) if task.status == "closed" else None,
        fields_from_beads=tuple(words.from_beads()),
        fields_from_other_ledgers=words.from_other_ledgers(),
    )


def _maybe_stamp(at: Moment | None) -> Stamp | None:
    return None if at is None else stamp(at)


def _is_open(desk: Desk, task_id: str) -> bool:
    """A task that is not known here does not block: nobody here could close it."""
    found = _task(desk, task_id)
    return found is not None and found.status != "closed"


def _by_urgency(tasks: Iterable[Task]) -> list[Task]:
    """Tasks in progress first, then by urgency, then the oldest."""
    return sorted(tasks, key=lambda t: (t.status != "in_progress", t.priority, t.created_at, t.seq, t.id))


def _open_ones(desk: Desk) -> list[Task]:
    return _by_urgency(d.body for d in desk.ledger.documents("task", live=True) if isinstance(d.body, Task))


def listed(desk: Desk, status: str | None = None, include_closed: bool = False) -> list[TaskView]:
    """Open tasks first; then the closed ones, the last closed first."""
    if status is not None:
        _check_status(status)
    found = [task for task in _open_ones(desk) if status in (None, task.status)]
    if status == "closed" or (include_closed and status is None):
        found += [d.body for d in desk.ledger.documents("task", live=False) if isinstance(d.body, Task)]
    return [view(desk, task) for task in found]


def ready(desk: Desk, limit: int | None = None) -> list[TaskView]:
    """Tasks that nothing blocks: neither an open task they depend on nor a noted blocker."""
    views = (view(desk, task) for task in _open_ones(desk))
    return list(islice((task for task in views if task.ready), limit))


def show(desk: Desk, typed: str) -> TaskDetails:
    task, _ = _find(desk, typed)
    others = _by_urgency(d.body for d in desk.ledger.documents("task") if isinstance(d.body, Task))
    return TaskDetails(
        task=view(desk, task),
        decisions=tuple(decisions_on(desk, task.id)),
        blocked_by=tuple(view(desk, other) for other in others if other.id in task.blocked_by),
        blocks=tuple(view(desk, other) for other in others if task.id in other.blocked_by),
        thoughts=tuple(audit_trail.latest(desk, task.id, THOUGHTS_SHOWN)),
    )


def decisions_on(desk: Desk, task_id: str) -> Iterable[DecisionView]:
    for number in range(1, _trail(desk, task_id).decisions + 1):
        found = desk.ledger.document("decided", nth(number, task_id))
        assert found is not None
        assert isinstance(found.body, NthRecord)
        event = desk.ledger.event(Ref(LedgerId(found.body.ledger_id), found.body.seq))
        assert event is not None
        if desk.counts(event):
            yield decisions.view(desk, event)


def active(desk: Desk) -> TaskView | None:
    """The task in progress: the latest of this instance, or else the latest of any."""
    going = [d.body for d in desk.ledger.documents("task", live=True) if isinstance(d.body, Task)]
    going = [task for task in going if task.status == "in_progress"]
    own = [task for task in going if task.instance_id and task.instance_id == desk.place.instance_id]
    return view(desk, (own or going)[0]) if going else None


def own_active(desk: Desk) -> TaskView | None:
    """The task that this instance has in progress, the latest."""
    for found in desk.ledger.documents("task", live=True):
        task = body_as(found, Task)
        if task and task.status == "in_progress" and task.instance_id == desk.seat.instance_id:
            return view(desk, task)
    return None


def next_actions(desk: Desk) -> NextActions:
    return NextActions(active(desk), tuple(ready(desk)))


# -- changing --------------------------------------------------------------------------------------------------------


def create(desk: Desk, made: p.TaskCreated) -> TaskView:
    _check_title(made.title)
    _check_fields(made.__dict__)
    _check_lines("blocked_by", made.blocked_by)
    blocked_by = tuple(dict.fromkeys(_find(desk, typed)[0].id for typed in made.blocked_by))
    made = replace(made, title=made.title.strip(), blocked_by=blocked_by, **_without_empty(made.__dict__))
    event_id, attribution = new_event_id(), current_attribution(desk)
    record(desk, [*attribution.before, attribution.fact("task.created", made, id=event_id, task_id=event_id)])
    return view(desk, _find(desk, event_id)[0])


def _without_empty(given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[name] or None for name in TEXTS}


def update(desk: Desk, typed: str, changes: TaskChanges) -> UpdateResult:
    _check_changes(changes)
    while True:
        task, found = _find(desk, typed)
        if changes.status == "closed" and task.status == "closed":
            raise Refused(
                "task_closed", f"Task {short_task(task.id)} is closed already.", hint=as_typed(desk, LISTED_BY)
            )
        updated = _update_payload(desk, task, changes)
        attribution = current_attribution(desk)
        facts: list[Fact] = []
        if updated != p.TaskUpdated():
            facts.append(attribution.fact("task.updated", updated, task_id=task.id))
        warnings: tuple[str, ...] = ()
        if changes.status == "closed":
            warnings = _check_closable(desk, task, updated)
            facts.append(attribution.fact("task.closed", p.TaskClosed(changes.because), task_id=task.id))
        if _try_record(desk, attribution, facts, expected=[Expect("task", task.id, found.clock)]):
            return UpdateResult(view(desk, _find(desk, task.id)[0]), warnings)


def close(desk: Desk, typed: str, because: str | None = None) -> UpdateResult:
    return update(desk, typed, TaskChanges(status="closed", because=because))


def _try_record(desk: Desk, attribution: Attribution, facts: Sequence[Fact], *, expected: Sequence[Expect]) -> bool:
    """Records the change and returns True; returns False if somebody else changed the task since it was read. The
    caller then reads it again."""
    try:
        record(desk, [*attribution.before, *facts], expected)
    except Conflict:
        return False
    return True


def _update_payload(desk: Desk, task: Task, changes: TaskChanges) -> p.TaskUpdated:
    known, given = TaskWords(desk, task), dict(changes.__dict__)
    for name, more in changes.added.items():
        before = known.read(name, ()) if given[name] is None else given[name]
        given[name] = (*before, *(each for each in more if each not in before))
    words = {name: given[name] for name in TASK_WORDS if given[name] not in (None, "", ())}
    if "title" in words:
        words["title"] = words["title"].strip()
    cleared = tuple(name for name in TASK_WORDS if given[name] in ("", ()))
    status = changes.status if changes.status != "closed" else None
    return p.TaskUpdated(**words, status=status, priority=changes.priority, cleared=cleared)


def _check_closable(desk: Desk, task: Task, updated: p.TaskUpdated) -> tuple[str, ...]:
    """Checks whether the task has what closing it requires (SPEC 7.5). Refuses if something is missing that is
    required; returns a warning about what is only recommended."""
    _refuse_without_writeback(desk, task)
    lacking = _lacking_scenarios(desk, task, updated)
    mode = desk.setting("tasks.scenarios")
    if not lacking or mode == "off":
        return ()
    told = f"Task {short_task(task.id)} has no test scenario for {', '.join(lacking)}."
    if mode == "warn":
        return (told,)
    raise Refused(
        "scenarios_required",
        f"{told} Nothing was written.",
        hint=as_typed(desk, f"perdure task update {short_task(task.id)} --scenario {lacking[0]} NAME EXPECTED"),
        details={"task_id": task.id, "lacking": [*lacking]},
    )


def _refuse_without_writeback(desk: Desk, task: Task) -> None:
    """Refuses to close a task that has neither a thought record nor a decision. One of any session counts (seed 003,
    I7) if it was recorded here. What a beads file or another machine's ledger states does not count: somebody else may
    have written it."""
    if any(desk.other_ledger(Ref(LedgerId(ledger), seq)) is None for ledger, seq, _ in _trail(desk, task.id).ends):
        return
    stated = False
    for each in decisions_on(desk, task.id):
        if each.is_made_here:
            return
        stated = True
    elsewhere = " that was made here; what a beads file or another machine states does not count" if stated else ""
    raise Refused(
        "writeback_required",
        f"Task {short_task(task.id)} has neither a thought record nor a decision{elsewhere}. Nothing was written.",
        hint=as_typed(desk, f"perdure decide '…' --because '…' --task {short_task(task.id)}") + "; then close it.",
        details={"task_id": task.id},
    )


def _lacking_scenarios(desk: Desk, task: Task, updated: p.TaskUpdated) -> list[str]:
    """The types of test scenario that the task will still lack after this update."""
    scenarios = updated.test_scenarios
    if not scenarios and "test_scenarios" not in updated.cleared:
        scenarios = TaskWords(desk, task).read("test_scenarios", ())
    covered = {scenario.get("type") for scenario in scenarios}
    return [kind for kind in SCENARIO_TYPES if kind not in covered]


# -- dependencies ----------------------------------------------------------------------------------------------------


def link(desk: Desk, typed: str, blocker: str) -> TaskView:
    """From now on the task depends on another one."""
    while True:
        task, found = _find(desk, typed)
        other, _ = _find(desk, blocker)
        if other.id in task.blocked_by:
            raise Refused(
                "already_linked",
                f"Task {short_task(task.id)} waits for {short_task(other.id)} already.",
                hint=as_typed(desk, LISTED_BY),
            )
        walk = _Walk(desk)
        circle = walk.way(other.id, task.id)
        if circle:
            raise _cycle_error(desk, task, circle)
        attribution = current_attribution(desk)
        fact = attribution.fact("task.linked", p.TaskLinked(other.id), task_id=task.id)
        if _try_record(desk, attribution, [fact], expected=[*walk.seen, Expect("task", task.id, found.clock)]):
            return view(desk, _find(desk, task.id)[0])


def unlink(desk: Desk, typed: str, blocker: str) -> TaskView:
    while True:
        task, found = _find(desk, typed)
        named = [each for each in task.blocked_by if each == blocker or _begins(each, blocker)]
        if len(named) != 1:
            raise Refused(
                "not_linked",
                f"Task {short_task(task.id)} does not wait for {shown(blocker)}.",
                hint=as_typed(desk, f"perdure task show {short_task(task.id)}") + " says what it waits for.",
            )
        attribution = current_attribution(desk)
        fact = attribution.fact("task.unlinked", p.TaskUnlinked(named[0]), task_id=task.id)
        if _try_record(desk, attribution, [fact], expected=[Expect("task", task.id, found.clock)]):
            return view(desk, _find(desk, task.id)[0])


def _begins(task_id: str, typed: str) -> bool:
    return len(typed.strip()) >= LEAST and task_id.startswith(typed.strip().lower())


def _cycle_error(desk: Desk, task: Task, way: list[str]) -> Refused:
    if len(way) == 1:
        return Refused(
            "dependency_cycle", "A task cannot wait for itself. Nothing was written.", hint=as_typed(desk, LISTED_BY)
        )
    shown_way = " → ".join(short_task(each) for each in [task.id, *way])
    return Refused(
        "dependency_cycle",
        f"The task would wait for itself: {shown_way}. Nothing was written.",
        hint=as_typed(desk, "perdure task dep ID OTHER --remove") + " removes one of these links.",
        details={"cycle": [task.id, *way]},
    )


class _Walk:
    """Follows the dependencies from task to task. `seen` lists every task on the way with its version. The append of a
    link expects those versions: if one of the tasks was changed since, the walk is repeated."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.seen: list[Expect] = []

    def way(self, start: str, target: str) -> list[str]:
        """The tasks from `start` to `target`, including both; empty if there is no way."""
        came_from: dict[str, str | None] = {start: None}
        todo = [start]
        while todo:
            here = todo.pop()
            if here == target:
                return self._back(here, came_from)
            found = self._desk.ledger.document("task", here)
            self.seen.append(unchanged("task", here, found))
            task = body_as(found, Task)
            if task is None:
                continue
            for further in task.blocked_by:
                if further not in came_from:
                    came_from[further] = here
                    todo.append(further)
        return []

    def _back(self, here: str, came_from: dict[str, str | None]) -> list[str]:
        way: list[str] = []
        step: str | None = here
        while step is not None:
            way.append(step)
            step = came_from[step]
        return way[::-1]
