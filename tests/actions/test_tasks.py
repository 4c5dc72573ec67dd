"""Tasks through the actions: their fields, what blocks them, what may be closed, and what two at once do (SPEC 7)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from perdure.actions import audit_trail, decisions, notes, tasks, transactions, transfer
from perdure.actions.request import Request
from perdure.actions.tasks import TaskChanges, TaskView
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.ids import is_uuid
from perdure.model.value import replace
from perdure.place.resolve import Explicit
from tests.actions.conftest import refused
from tests.conftest import Cli
from tests.contract.making import assert_sound
from tests.faults.helpers import WAIT, Starter
from tests.surfaces.looking import assert_error, assert_quiet_terminal, nothing_written

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SCENARIOS = tuple({"name": kind, "type": kind, "expected": "it holds"} for kind in tasks.SCENARIO_TYPES)
HANDOFF = {
    "session_id": "sess-001",
    "ended": "2026-01-15T12:00:00Z",
    "notes_ref": "NOTES.md:45-67",
    "trajectory_ref": "impl.jsonl:span",
    "grounding_ratio": 0.97,
}


def make(desk: Desk, title: str = "a task", **fields: Any) -> TaskView:
    return tasks.create(desk, p.TaskCreated(title, **fields))


def titles(found: list[TaskView]) -> list[str]:
    return [task.title for task in found]


# -- fields ----------------------------------------------------------------------------------------------------------


def test_a_task_has_every_field_of_the_contract(desk: Desk) -> None:
    """SPEC 7.1."""
    first = make(desk, "first")
    made = make(
        desk,
        "  second  ",
        description="all of it",
        priority=0,
        assignee="ann",
        labels=("perf", "parser"),
        next_steps=("measure",),
        blockers=("no machine",),
        questions=("how fast?",),
        test_scenarios=SCENARIOS,
        handoffs=(HANDOFF,),
        blocked_by=(first.id[:8],),
    )
    assert is_uuid(made.id)
    assert (made.title, made.description, made.status, made.priority) == ("second", "all of it", "open", 0)
    assert (made.assignee, made.labels, made.blocked_by) == ("ann", ("perf", "parser"), (first.id,))
    assert (made.next_steps, made.blockers, made.questions) == (("measure",), ("no machine",), ("how fast?",))
    assert (made.test_scenarios, made.handoffs) == (SCENARIOS, (HANDOFF,))
    assert made.created_at == made.updated_at
    assert made.closed_at is None
    assert (first.priority, first.description, first.labels) == (2, None, ())
    event = list(desk.ledger.events())[-1]
    assert (event.kind, event.id, event.task_id) == ("task.created", made.id, made.id)


def test_an_update_changes_what_is_given_and_leaves_the_rest(desk: Desk) -> None:
    made = make(desk, "t", description="d", labels=("a",), next_steps=("x",), assignee="ann")
    after = tasks.update(
        desk, made.id[:8], TaskChanges(title="u", priority=4, status="blocked", labels=("b", "c"))
    ).task
    assert (after.title, after.priority, after.status, after.labels) == ("u", 4, "blocked", ("b", "c"))
    assert (after.description, after.next_steps, after.assignee) == ("d", ("x",), "ann")
    after = tasks.update(desk, made.id, TaskChanges(description="", assignee="", labels=(), next_steps=())).task
    assert (after.description, after.assignee, after.labels, after.next_steps) == (None, None, (), ())
    assert after.title == "u"


def test_lists_are_added_to_once(desk: Desk) -> None:
    made = make(desk, questions=("why?",), labels=("a",))
    more = TaskChanges(added={"questions": ("how?", "why?"), "test_scenarios": SCENARIOS[:1]}, labels=())
    after = tasks.update(desk, made.id, more).task
    assert (after.questions, after.test_scenarios, after.labels) == (("why?", "how?"), SCENARIOS[:1], ())
    after = tasks.update(desk, made.id, TaskChanges(questions=(), added={"questions": ("when?",)})).task
    assert after.questions == ("when?",)
    assert tasks.update(desk, made.id, TaskChanges(labels=())).task.labels == ()  # it was empty before


def test_what_was_erased_is_gone_and_the_task_stays(desk: Desk) -> None:
    made = make(desk, "a customer's name", description="his address")
    tasks.update(desk, made.id, TaskChanges(status="in_progress", next_steps=("call him",)))
    updated = list(desk.ledger.events())[-1]
    transfer.redact(desk, made.id, "held a name")
    transfer.redact(desk, updated.id, "held a name")
    after = tasks.show(desk, made.id).task
    assert (after.title, after.description, after.next_steps, after.id) == ("(erased)", None, (), made.id)
    assert tasks.update(desk, made.id, TaskChanges(title="call somebody")).task.title == "call somebody"
    assert_sound(desk.ledger)


def test_documents_hold_none_of_the_words(desk: Desk) -> None:
    made = make(desk, "xyzzy", description="xyzzy", assignee="xyzzy", labels=("xyzzy",), blockers=("xyzzy",))
    tasks.update(desk, made.id, TaskChanges(questions=("xyzzy",), status="in_progress"))
    decisions.decide(desk, p.DecisionMade("xyzzy"), made.id)
    tasks.close(desk, made.id, "xyzzy")
    ledger = desk.ledger
    assert "xyzzy" not in str([ledger.documents(kind) for kind in ("task", "trail", "decided")])
    assert_sound(ledger)


def test_a_credential_in_a_task_is_masked(desk: Desk) -> None:
    made = make(desk, f"rotate {SECRET}", next_steps=(f"revoke {SECRET}",))
    assert SECRET not in str(made)
    assert SECRET not in str(list(desk.ledger.events()))


# -- what is refused -------------------------------------------------------------------------------------------------

WRONG: dict[str, list[Any]] = {
    "title": [7, None, ["x"], "x" * 501],
    "description": [7, ["x"]],
    "assignee": [7, ["x"]],
    "priority": [-1, 5, 1.0, "1", True, 2**70],
    "labels": ["x", ("",), (" \n",), (7,), ["x"]],
    "next_steps": ["x", ("",), (None,)],
    "blockers": ["x", ("",)],
    "questions": ["x", ({},)],
    "test_scenarios": [
        "x",
        ("x",),
        ({},),
        ({"name": "n", "type": "other", "expected": "e"},),
        ({"name": "", "type": "edge_case", "expected": "e"},),
        ({"name": "n", "type": "edge_case"},),
        ({"name": "n", "type": ["edge_case"], "expected": "e"},),
        ({"name": "n", "type": "edge_case", "expected": "e", "more": float("nan")},),
    ],
    "handoffs": [
        ("x",),
        ({},),
        ({"session_id": 7},),
        ({"session_id": "s", "grounding_ratio": float("nan")},),
        ({"session_id": "s", "grounding_ratio": 1.5},),
        ({"session_id": "s", "grounding_ratio": True},),
        ({"session_id": "s", "ended": 7},),
        ({"session_id": "s", "more": 1},),
    ],
}
CASES = [(name, wrong) for name, several in WRONG.items() for wrong in several]


@pytest.mark.parametrize(("name", "wrong"), CASES, ids=repr)
def test_a_wrong_field_is_named_and_nothing_is_written(desk: Desk, name: str, wrong: Any) -> None:
    given = {"title": "t", name: wrong}
    error = refused("bad_field", BadInput, lambda: tasks.create(desk, p.TaskCreated(**given)), desk)
    assert error.details == {"field": name}
    if not (name == "title" and wrong is None):
        made = make(desk)
        error = refused("bad_field", BadInput, lambda: tasks.update(desk, made.id, TaskChanges(**{name: wrong})), desk)
        assert error.details == {"field": name}


@pytest.mark.parametrize("title", ["", " ", "\n\t"])
def test_a_task_without_a_title_is_refused(desk: Desk, title: str) -> None:
    refused("empty_text", BadInput, lambda: make(desk, title), desk)
    made = make(desk)
    refused("empty_text", BadInput, lambda: tasks.update(desk, made.id, TaskChanges(title=title)), desk)


def test_what_names_no_task_is_refused(desk: Desk) -> None:
    make(desk)
    calls: list[Callable[[str], object]] = [
        lambda typed: tasks.show(desk, typed),
        lambda typed: tasks.close(desk, typed),
        lambda typed: tasks.update(desk, typed, TaskChanges(priority=1)),
        lambda typed: tasks.link(desk, typed, typed),
        lambda typed: tasks.unlink(desk, typed, typed),
        lambda typed: make(desk, blocked_by=(typed,)),
    ]
    for call in calls:
        refused("no_such_task", Refused, lambda call=call: call("00000000"), desk)
        for odd in ("x" * 10_000, "\x00" * 9, "../../etc/passwd", "abc"):
            refused("bad_id", BadInput, lambda call=call, odd=odd: call(odd), desk)


def test_more_than_an_event_may_hold_is_refused(desk: Desk) -> None:
    refused("too_large", BadInput, lambda: make(desk, description="word " * 2_000_000), desk)


def test_a_change_of_nothing_and_a_status_nobody_knows_are_refused(desk: Desk) -> None:
    made = make(desk)
    refused("nothing_to_change", BadInput, lambda: tasks.update(desk, made.id, TaskChanges()), desk)
    refused("bad_field", BadInput, lambda: tasks.update(desk, made.id, TaskChanges(status="done")), desk)
    refused("bad_field", BadInput, lambda: tasks.update(desk, made.id, TaskChanges(added={"title": ("x",)})), desk)
    refused("bad_field", BadInput, lambda: tasks.update(desk, made.id, TaskChanges(because="so")), desk)
    refused("bad_field", BadInput, lambda: tasks.listed(desk, "done"), desk)


# -- order, readiness, the active one --------------------------------------------------------------------------------


def test_ready_lists_what_nothing_blocks_the_most_urgent_first(desk: Desk) -> None:
    base = make(desk, "base", priority=3)
    make(desk, "waits", priority=0, blocked_by=(base.id,))
    make(desk, "stuck", blockers=("no machine",))
    held = make(desk, "set aside")
    tasks.update(desk, held.id, TaskChanges(status="blocked"))
    make(desk, "urgent", priority=0)
    going = make(desk, "going", priority=4)
    tasks.update(desk, going.id, TaskChanges(status="in_progress"))
    assert titles(tasks.ready(desk)) == ["going", "urgent", "base"]
    assert titles(tasks.listed(desk)) == ["going", "waits", "urgent", "stuck", "set aside", "base"]
    decisions.decide(desk, p.DecisionMade("d"), base.id)
    tasks.close(desk, base.id)
    assert titles(tasks.ready(desk)) == ["going", "waits", "urgent"]
    assert titles(tasks.listed(desk, "closed")) == ["base"]
    assert titles(tasks.listed(desk, "blocked")) == ["set aside"]
    assert len(tasks.listed(desk, include_closed=True)) == 6


def test_the_active_task_is_the_instances_own_and_else_anybodys(asked: Request) -> None:
    other = replace(asked, explicit=Explicit(instance="right"))
    with open_desk(asked) as left:
        assert tasks.active(left) is None
        mine = make(left, "mine")
        tasks.update(left, mine.id, TaskChanges(status="in_progress"))
    with open_desk(other) as right:
        found = tasks.active(right)
        assert found is not None
        assert found.title == "mine"
        theirs = make(right, "theirs")
        tasks.update(right, theirs.id, TaskChanges(status="in_progress"))
        assert tasks.active(right) == tasks.show(right, theirs.id).task
    with open_desk(asked) as left:
        found = tasks.active(left)
        assert found is not None
        assert found.title == "mine"
        assert found.instance_id == left.seat.instance_id
        assert tasks.update(left, mine.id, TaskChanges(status="open")).task.instance_id is None
        assert tasks.next_actions(left).active == tasks.show(left, theirs.id).task
        assert titles(list(tasks.next_actions(left).ready)) == ["theirs", "mine"]


# -- dependencies ----------------------------------------------------------------------------------------------------


def test_a_circle_is_refused_and_named(desk: Desk) -> None:
    a, b, c, d = (make(desk, name).id for name in "abcd")
    tasks.link(desk, b, a)
    tasks.link(desk, c, b)
    tasks.link(desk, d, b)
    error = refused("dependency_cycle", Refused, lambda: tasks.link(desk, a, c), desk)
    assert error.details == {"cycle": [a, c, b, a]}
    assert f"{a[:8]} → {c[:8]} → {b[:8]} → {a[:8]}" in error.message
    refused("dependency_cycle", Refused, lambda: tasks.link(desk, a, a), desk)
    refused("already_linked", Refused, lambda: tasks.link(desk, b, a), desk)
    tasks.link(desk, d, a)  # two ways to one task are no circle


def test_a_link_is_taken_out_again(desk: Desk) -> None:
    a, b = make(desk, "a").id, make(desk, "b").id
    assert tasks.link(desk, b[:8], a[:8]).waits_for == (a,)
    shown = tasks.show(desk, a)
    assert [task.id for task in shown.blocks] == [b]
    assert [task.id for task in tasks.show(desk, b).blocked_by] == [a]
    for wrong in ("", " ", a[:3], "00000000"):
        refused("not_linked", Refused, lambda wrong=wrong: tasks.unlink(desk, b, wrong), desk)
    assert tasks.unlink(desk, b, a[:8]).blocked_by == ()
    tasks.link(desk, a, b)
    assert_sound(desk.ledger)


def test_a_long_line_of_tasks_is_walked_without_recursion(desk: Desk) -> None:
    ids = [make(desk).id]
    for _ in range(60):
        ids.append(make(desk, blocked_by=(ids[-1],)).id)
    error = refused("dependency_cycle", Refused, lambda: tasks.link(desk, ids[0], ids[-1]), desk)
    assert len(error.details["cycle"]) == 62  # type: ignore[arg-type]


# -- writeback -------------------------------------------------------------------------------------------------------


def test_a_task_is_not_closed_without_a_thought_or_a_decision(desk: Desk) -> None:
    """SPEC 7.5."""
    made, other = make(desk), make(desk)
    decisions.decide(desk, p.DecisionMade("on another"), other.id)
    notes.add(desk, "finding", "a note is not enough", task_id=made.id)
    refused("writeback_required", Refused, lambda: tasks.close(desk, made.id), desk)
    refused("writeback_required", Refused, lambda: tasks.update(desk, made.id, TaskChanges(status="closed")), desk)


@pytest.mark.parametrize("how", ["decision", "decision by prefix", "thought", "bound thought", "erased thought"])
def test_one_decision_or_thought_is_enough_whatever_its_session(desk: Desk, how: str) -> None:
    made = make(desk)
    if how.startswith("decision"):
        decisions.decide(desk, p.DecisionMade("d"), made.id[:8] if "prefix" in how else made.id)
    else:
        record = audit_trail.think(
            desk, "plan", made.id, agent_id="a", content="c", session_id="S" if how == "bound thought" else None
        )
        if how == "erased thought":
            transfer.redact(desk, record.id, "held a name")
    closed = tasks.close(desk, made.id[:8], "released").task
    assert (closed.status, closed.closed_because, closed.instance_id) == ("closed", "released", None)
    assert closed.closed_at == closed.updated_at
    refused("task_closed", Refused, lambda: tasks.close(desk, made.id), desk)
    again = tasks.update(desk, made.id, TaskChanges(status="open")).task
    assert (again.status, again.closed_at, again.closed_because) == ("open", None, None)


def test_scenarios_warn_block_or_are_let_be(asked: Request) -> None:
    def closing(mode: str | None, **fields: Any) -> tuple[str, ...]:
        environment = {**asked.environment, **({"PERDURE_TASKS_SCENARIOS": mode} if mode else {})}
        with open_desk(replace(asked, environment=environment)) as desk:
            made = make(desk, **fields)
            decisions.decide(desk, p.DecisionMade("d"), made.id)
            if mode == "block" and len(fields.get("test_scenarios", ())) < 3:
                error = refused("scenarios_required", Refused, lambda: tasks.close(desk, made.id), desk)
                assert error.details["lacking"] == list(tasks.SCENARIO_TYPES[len(fields.get("test_scenarios", ())) :])
                return ()
            return tasks.close(desk, made.id).warnings

    assert "happy_path, edge_case, error_handling" in closing(None)[0]
    assert "error_handling" in closing("warn", test_scenarios=SCENARIOS[:2])[0]
    assert closing("warn", test_scenarios=SCENARIOS) == ()
    assert closing("off") == ()
    closing("block")
    closing("block", test_scenarios=SCENARIOS[:1])
    assert closing("block", test_scenarios=SCENARIOS) == ()


def test_scenarios_that_come_with_the_closing_count(desk: Desk) -> None:
    made = make(desk)
    decisions.decide(desk, p.DecisionMade("d"), made.id)
    changed = tasks.update(desk, made.id, TaskChanges(status="closed", because="done", test_scenarios=SCENARIOS))
    assert changed.warnings == ()
    assert changed.task.test_scenarios == SCENARIOS
    assert [event.kind for event in desk.ledger.events()][-2:] == ["task.updated", "task.closed"]


def test_show_has_the_tasks_decisions_in_order(desk: Desk) -> None:
    made = make(desk)
    first = decisions.decide(desk, p.DecisionMade("one"), made.id)
    decisions.decide(desk, p.DecisionMade("beside it"))
    decisions.decide(desk, p.DecisionMade("two", supersedes=first.id), made.id[:8])
    found = tasks.show(desk, made.id)
    assert [(each.decision, each.superseded_by is None) for each in found.decisions] == [("one", False), ("two", True)]
    assert (found.task.decision_count, found.task.thought_count) == (2, 0)


def test_the_beginning_of_a_tasks_id_names_it_everywhere(desk: Desk) -> None:
    made = make(desk)
    assert decisions.decide(desk, p.DecisionMade("d"), made.id[:8]).task_id == made.id
    assert notes.add(desk, "finding", "f", task_id=made.id[:10]).task_id == made.id
    assert notes.add(desk, "finding", "f", task_id="bd-7").task_id == "bd-7"
    given = transactions.SelfAssessment({"know": 0.8, "uncertainty": 0.2}, "", made.id[:8])
    assert transactions.preflight(desk, given).transaction.task_id == made.id


# -- at once ---------------------------------------------------------------------------------------------------------

ACTING = """
import os, perdure.masking, perdure.actions.tasks as tasks
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.errors import PerdureError
from perdure.place.resolve import Explicit
{wait}
who, *words = sys.argv[1:]
with open_desk(Request(os.getcwd(), dict(os.environ), Explicit(instance=who))) as desk:
    try:
        {work}
        print("done")
    except PerdureError as error:
        print(error.code)
"""


def _at_once(cli: Cli, work: str, words: list[tuple[str, ...]]) -> list[str]:
    starter = Starter()
    for number, each in enumerate(words):
        code = ACTING.format(wait=WAIT, work=work)
        starter.python(code, f"agent{number}", *each, cwd=cli.cwd, env=cli.environment)
    results = starter.go()
    assert all((code, err) == (0, "") for code, _, err in results), results
    return sorted(out.strip() for _, out, _ in results)


def test_two_links_at_once_never_make_a_circle(cli: Cli) -> None:
    for _ in range(3):
        a, b = cli.ok("task", "create", "a")["id"], cli.ok("task", "create", "b")["id"]
        said = _at_once(cli, "tasks.link(desk, words[0], words[1])", [(a, b), (b, a)])
        assert said == ["dependency_cycle", "done"]


def test_what_four_add_to_one_list_at_once_is_all_there(cli: Cli) -> None:
    made = cli.ok("task", "create", "a")["id"]
    work = "tasks.update(desk, words[0], tasks.TaskChanges(added={'next_steps': (words[1],)}))"
    assert _at_once(cli, work, [(made, f"step {n}") for n in range(4)]) == ["done"] * 4
    assert sorted(cli.ok("task", "show", made)["next_steps"]) == [f"step {n}" for n in range(4)]


def test_of_two_that_close_at_once_one_is_told(cli: Cli) -> None:
    made = cli.ok("task", "create", "a")["id"]
    cli.ok("decide", "d", "--task", made[:8])
    assert _at_once(cli, "tasks.close(desk, words[0])", [(made,), (made,)]) == ["done", "task_closed"]
    kinds = [json.loads(line)["kind"] for line in cli("export").out.splitlines()]
    assert kinds.count("task.closed") == 1


# -- the command -----------------------------------------------------------------------------------------------------


def test_a_life_of_a_task_on_the_command_line(cli: Cli) -> None:
    made = cli.ok("task", "create", "-", input=json.dumps({"title": "ship", "labels": ["x"], "colour": "red"}))
    assert made["warnings"] == ["field 'colour' is not used here"]
    task = made["id"][:8]
    scenario = ("--scenario", "edge_case", "empty", "nothing happens")
    cli.ok("task", "update", task, "--status", "in_progress", "--next-step", "measure", "--label", "y", *scenario)
    cli.ok("task", "update", task, "-", input=json.dumps({"questions": ["why?"], "priority": 0}))
    cli.ok("task", "update", task, "--clear", "questions", "--clear", "description")
    cli.ok("decide", "d", "--because", "r", "--task", task)
    found = cli.ok("task", "show", task)
    assert (found["labels"], found["questions"], found["next_steps"]) == (["x", "y"], [], ["measure"])
    assert (found["priority"], found["status"], found["decisions"][0]["decision"]) == (0, "in_progress", "d")
    assert cli.ok("task", "close", task, "--because", "released")["warnings"] != []
    assert cli.ok("task", "list") == []
    assert [each["id"] for each in cli.ok("task", "list", "--all")] == [made["id"]]


def test_a_person_sees_lines_and_nothing_a_terminal_would_obey(cli: Cli) -> None:
    nasty = "red \x1b[31m \x07 line\nbreak \u202e reversed"
    made = cli.ok("task", "create", nasty, "--description", nasty, "--next-step", nasty, "--assignee", nasty)["id"]
    other = cli.ok("task", "create", "other", "--blocked-by", made[:8])["id"]
    for words in (["list"], ["ready"], ["show", made], ["show", other], ["update", made, "--label", nasty]):
        result = cli("task", *words)
        assert result.code == 0, result
        assert_quiet_terminal(result)
    assert "waits for" in cli("task", "show", other).out


def test_bad_words_are_refused_and_nothing_is_written(cli: Cli) -> None:
    made = cli.ok("task", "create", "a")["id"]
    with nothing_written(cli):
        assert_error(cli("task", "create", "", "--json"), 2, kind="empty_text")
        assert_error(cli("task", "create", "x", "--priority", "9", "--json"), 2, "priority", kind="bad_field")
        assert_error(cli("task", "create", "x", "--priority", "high", "--json"), 2, kind="usage")
        assert_error(cli("task", "create", "-", input="[]"), 2, kind="bad_input")
        assert_error(cli("task", "create", "-", input='{"title": 7}'), 2, "title", kind="bad_field")
        assert_error(cli("task", "create", "-", input='{"title": "x", "labels": "y"}'), 2, "labels", kind="bad_field")
        assert_error(cli("task", "update", made, "--json"), 2, kind="nothing_to_change")
        assert_error(cli("task", "update", made, "what", "--json"), 2, kind="usage")
        both = ("--priority", "1", "--json")
        assert_error(cli("task", "update", made, "-", *both, input="{}"), 2, "not both", kind="usage")
        assert_error(cli("task", "create", "-", *both, input="{}"), 2, "not both", kind="usage")
        assert_error(cli("task", "show", "00000000", "--json"), 1, kind="no_such_task")
        assert_error(cli("task", "close", made, "--json"), 1, kind="writeback_required")
        assert_error(cli("task", "dep", made, made, "--json"), 1, kind="dependency_cycle")
