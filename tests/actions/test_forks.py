"""Forks between decisions, about tasks, and between a text and the ledger (SPEC 7.4)."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import decisions, fork_check, fork_records, fork_settling, forks, task_sync, tasks, transfer
from perdure.actions.fork_settling import Choice
from perdure.actions.request import Request
from perdure.actions.tasks import TaskChanges
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.payload import DecisionMade
from perdure.model.value import replace
from perdure.place.resolve import Explicit
from tests.actions.conftest import refused
from tests.contract.making import assert_sound


def decide(desk: Desk, value: str | None, key: str | None = "journal", **more: Any) -> decisions.DecisionView:
    return decisions.decide(desk, DecisionMade(f"use {value}", key=key, value=value, **more))


def events(desk: Desk, kind: str = "fork.detected") -> list[Any]:
    return [event for event in desk.ledger.events() if event.kind == kind]


def values(fork: forks.ForkView) -> list[str]:
    return [side.value for side in fork.sides]


def keep(desk: Desk, fork: forks.ForkView, side: str) -> fork_settling.Settled:
    return fork_settling.resolve(desk, fork.id, Choice(keep=side, because="measured"))


# -- decisions -----------------------------------------------------------------------------------------------------


def test_three_values_of_one_key_are_one_fork_with_three_sides(desk: Desk) -> None:
    first = decide(desk, "wal")
    assert first.fork is None
    assert first.warnings == ()
    second = decide(desk, "delete")
    assert second.fork is not None
    assert values(second.fork) == ["wal", "delete"]
    [told] = second.warnings
    assert told.startswith("Fork detected, resyncing from ledger: journal is wal")
    third = decide(desk, "memory")
    assert third.fork is not None
    assert third.fork.id == second.fork.id
    assert values(third.fork) == ["wal", "delete", "memory"]
    assert [fork.id for fork in forks.open_forks(desk)] == [second.fork.id]
    assert_sound(desk.ledger)


def test_the_event_has_both_sides(desk: Desk) -> None:
    first, second = decide(desk, "wal"), decide(desk, "delete")
    [event] = events(desk)
    ours, theirs = event.payload["sides"]
    assert (event.payload["about"], event.payload["field"], event.payload["kept"]) == ("decision", "journal", "ledger")
    assert (ours["side"], ours["decision_id"]) == ("ledger", first.id)
    assert theirs["decision_id"] == second.id


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("wal", " wal\n"),
        ("1", "1.0"),
        ("007", "7"),
        ("-0", "0"),
        ("true", "True"),
        ("wal", '"wal"'),
        ('{"a": 1, "b": [2.0]}', '{"b":[2],"a":1}'),
        ("caf\u00e9", "cafe\u0301"),
    ],
)
def test_values_that_say_the_same_are_not_a_fork(desk: Desk, one: str, other: str) -> None:
    decide(desk, one)
    assert decide(desk, other).fork is None
    assert events(desk) == []


@pytest.mark.parametrize(
    ("one", "other"), [("3.1", "3.10"), ("1", "2"), ("1", "-1"), ("src/A.py", "src/a.py"), ("", "x"), ("[1]", "[2]")]
)
def test_values_that_differ_are_a_fork(desk: Desk, one: str, other: str) -> None:
    decide(desk, one)
    assert decide(desk, other).fork is not None


def test_keys_are_the_same_in_other_case_and_with_other_separators(desk: Desk) -> None:
    decide(desk, "wal", "Journal mode")
    assert decide(desk, "delete", "journal_mode").fork is not None
    assert decide(desk, "delete", "journal.mode").fork is None


def test_a_decision_without_a_value_or_a_key_is_not_a_side(desk: Desk) -> None:
    decide(desk, "wal")
    assert decide(desk, None).fork is None
    assert decide(desk, None, key=None).fork is None


def test_who_supersedes_makes_no_fork_directly_or_through_others(desk: Desk) -> None:
    first = decide(desk, "wal")
    again = decide(desk, "wal")
    second = decide(desk, "delete", supersedes=again.id)
    assert second.fork is None, "what the same ledger had said to the same effect is superseded too"
    between = decide(desk, None, key=None, supersedes=second.id)
    assert decide(desk, "memory", supersedes=between.id).fork is None
    assert decide(desk, "wal").fork is not None, "a value that was superseded is a side again when it is decided again"
    assert first.fork is None


def test_two_that_supersede_the_same_are_a_fork(desk: Desk) -> None:
    first = decide(desk, "wal")
    decide(desk, "delete", supersedes=first.id)
    assert decide(desk, "memory", supersedes=first.id).fork is not None


def test_a_plain_decision_that_supersedes_one_side_settles_a_fork_of_two(desk: Desk) -> None:
    first = decide(desk, "wal")
    decide(desk, "delete")
    assert decide(desk, "delete", supersedes=first.id).fork is None
    assert forks.open_forks(desk) == []
    assert [fork.is_open for fork in forks.settled_forks(desk)] == [False]


def test_an_erased_decision_is_not_a_side(desk: Desk) -> None:
    first = decide(desk, "wal")
    decide(desk, "delete")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Desk, "refuse_agent", lambda *_: None)
        transfer.redact(desk, first.id, "it named a customer")
    assert forks.open_forks(desk) == []
    assert decide(desk, "delete").fork is None
    assert_sound(desk.ledger)


def test_a_masked_value_is_masked_in_the_fork_too(desk: Desk) -> None:
    secret = "hunter2-and-a-half"
    decide(desk, secret, "db_password")
    decide(desk, "none", "db_password")
    fork_check.check(desk, f"db_password: {secret}x", "a text")
    assert secret not in json.dumps([event.payload for event in events(desk)])


def test_another_instance_sees_the_fork_and_the_first_one_counts(desk: Desk, asked: Request) -> None:
    decide(desk, "wal")
    with open_desk(replace(asked, explicit=Explicit(instance="right"), actor="bob")) as other:
        made = decide(other, "delete")
        assert made.fork is not None
        ours, theirs = made.fork.sides
        assert (ours.value, ours.actor, theirs.actor) == ("wal", "ann", "bob")
        assert ours.instance_id != theirs.instance_id


def test_a_thousand_decisions_on_one_key_stay_cheap(desk: Desk) -> None:
    for _ in range(100):
        decide(desk, "wal")
    found = desk.ledger.documents("decided_key")[0]
    assert len(found.body.decisions) <= 64  # type: ignore[attr-defined]
    assert decide(desk, "delete").fork is not None


# -- recorded once -------------------------------------------------------------------------------------------------


def test_a_fork_is_recorded_once_however_often_it_is_checked(desk: Desk) -> None:
    decide(desk, "wal")
    decide(desk, "delete")
    for _ in range(3):
        found = fork_check.check(desk, "- journal: memory", "NOTES.md")
        assert (len(found.forks), found.stated) == (2, 1)
    assert len(events(desk)) == 2
    decide(desk, "delete")
    assert len(events(desk)) == 2, "the same value again is no new side"


def test_two_processes_that_decide_at_once_record_the_fork_once(desk: Desk, asked: Request) -> None:
    """Real processes, released at one moment."""
    ready, go = os.pipe(), os.pipe()
    children = []
    for value in ("wal", "delete", "memory", "trunc"):
        pid = os.fork()
        if not pid:
            code = 1
            try:
                with open_desk(replace(asked, explicit=Explicit(instance=value))) as own:
                    os.write(ready[1], b".")
                    os.close(go[1])
                    os.read(go[0], 1)
                    decide(own, value)
                    fork_check.check(own, "- journal: nfs", "NOTES.md")
                    code = 0
            finally:
                os._exit(code)
        children.append(pid)
    for _ in children:
        os.read(ready[0], 1)
    os.close(go[1])
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * 4
    [fork] = forks.open_forks(desk, about=forks.ABOUT_DECISION)
    assert sorted(values(fork)) == ["delete", "memory", "trunc", "wal"]
    sides = [tuple(side.get("decision_id") for side in event.payload["sides"]) for event in events(desk)]
    assert len(sides) == len(set(sides)), "no fork is on record twice"
    stated = [event for event in events(desk) if event.payload["about"] == "context"]
    assert len(stated) == len({event.payload["sides"][0]["decision_id"] for event in stated}) == 1
    assert_sound(desk.ledger)


def test_a_fork_whose_record_is_missing_is_recorded_by_the_next_check(desk: Desk) -> None:
    """As after an import, or from a version that did not look for forks."""
    for value in ("wal", "delete"):
        from perdure.actions.attribution import record_event

        record_event(desk, "decision.made", p.DecisionMade("x", key="journal", value=value))
    assert events(desk) == []
    assert [values(fork) for fork in forks.open_forks(desk)] == [["wal", "delete"]]
    assert len(fork_records.record_missing(desk)) == 1
    assert fork_records.record_missing(desk) == []
    assert len(events(desk)) == 1


def test_a_kill_while_deciding_leaves_the_decision_with_its_fork_or_neither(desk: Desk, asked: Request) -> None:
    decide(desk, "wal")
    for number in range(12):
        pid = os.fork()
        if not pid:
            try:
                with open_desk(replace(asked, explicit=Explicit(instance=f"pane-{number}"))) as own:
                    signal.setitimer(signal.ITIMER_REAL, 0.002 * (number + 1))
                    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
                    for each in range(50):
                        decide(own, f"v{number}-{each}")
            finally:
                os._exit(1)
        os.waitpid(pid, 0)
        with open_desk(asked) as after:
            sides = {side.decision_id for fork in forks.open_forks(after) for side in fork.sides}
            recorded = {side["decision_id"] for event in events(after) for side in event.payload["sides"]}
            assert sides <= recorded, "each decision was recorded together with its fork"
            assert fork_records.record_missing(after) == []


# -- settling ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["1", "2", "ledger", "id"])
def test_a_side_is_kept_by_number_name_or_id(desk: Desk, side: str) -> None:
    decide(desk, "wal")
    made = decide(desk, "delete")
    assert made.fork is not None
    settled = keep(desk, made.fork, made.id[:8] if side == "id" else side)
    assert settled.decision is not None
    assert settled.decision.value == ("wal" if side in ("1", "ledger") else "delete")
    assert forks.open_forks(desk) == []
    assert len(settled.superseded) == 2
    refused("fork_resolved", Refused, lambda: keep(desk, made.fork, "1"), desk)  # type: ignore[arg-type]
    [resolved] = events(desk, "fork.resolved")
    assert resolved.payload["because"] == "measured"
    assert decide(desk, "memory").fork is not None, "a new contradiction is a fork again"
    assert_sound(desk.ledger)


def test_something_else_is_decided(desk: Desk) -> None:
    decide(desk, "wal")
    made = decide(desk, "delete")
    assert made.fork is not None
    id = made.fork.id
    for choice in (
        Choice(because="x"),
        Choice(keep="1", decide="x", because="x"),
        Choice(keep="1"),
        Choice(keep="9", because="x"),
        Choice(keep="1", value="x", because="x"),
        Choice(decide="use memory", because="x"),
    ):
        with pytest.raises(BadInput):
            fork_settling.resolve(desk, id, choice)
    settled = fork_settling.resolve(desk, id, Choice(decide="use memory", value="memory", because="tests"))
    assert settled.decision is not None
    assert (settled.decision.key, settled.decision.value) == ("journal", "memory")
    assert forks.open_forks(desk) == []


def test_a_text_that_is_wrong_is_settled_without_a_decision_and_not_told_again(desk: Desk) -> None:
    made = decide(desk, "wal")
    [fork] = fork_check.check(desk, "- journal: delete", "plan.md").forks
    keep(desk, fork, "ledger")
    again = fork_check.check(desk, "- journal: delete", "plan.md")
    assert (again.forks, again.settled) == ((), 1)
    assert len(events(desk, "decision.made")) == 1
    decide(desk, "memory", supersedes=made.id)
    assert len(fork_check.check(desk, "- journal: delete", "plan.md").forks) == 1, "another decision counts now"


def test_a_text_that_is_right_becomes_the_decision(desk: Desk) -> None:
    made = decide(desk, "wal")
    [fork] = fork_check.check(desk, "- journal: delete", "plan.md").forks
    settled = keep(desk, fork, "context")
    assert settled.decision is not None
    assert (settled.decision.key, settled.decision.value, settled.decision.supersedes) == ("journal", "delete", made.id)
    assert fork_check.check(desk, "- journal: delete", "plan.md").forks == ()


@pytest.mark.parametrize("text", ["rendering is not server", "Do not render pages on the server."])
def test_a_text_that_denies_a_decision_says_no_value(desk: Desk, text: str) -> None:
    """What the text says is no value of the key: nothing could be compared with it."""
    made = decisions.decide(desk, DecisionMade("Render pages on the server", key="rendering", value="server"))
    [fork] = fork_check.check(desk, text, "plan.md").forks
    settled = keep(desk, fork, "context")
    assert settled.decision is not None
    assert (settled.decision.decision, settled.decision.key, settled.decision.value) == (text, "rendering", None)
    assert settled.superseded == (made.id,)
    assert "--value" in settled.warnings[0]
    assert forks.open_forks(desk) == []


# -- tasks ---------------------------------------------------------------------------------------------------------


def test_a_fork_of_a_task_is_shown_by_diff_and_settled(desk: Desk) -> None:
    file = Path(desk.root, ".beads", "issues.jsonl")
    file.parent.mkdir()
    line = {"id": "a-1", "title": "t", "status": "open", "priority": 2}
    file.write_text(json.dumps(line) + "\n")
    task_sync.import_tasks(desk, None)
    tasks.update(desk, "a-1", TaskChanges(title="ours"))
    file.write_text(json.dumps({**line, "title": "theirs"}) + "\n")
    task_sync.import_tasks(desk, None)
    [fork] = task_sync.diff(desk, "a-1", None).forks
    assert values(fork) == ["ours", "theirs"]
    keep(desk, fork, "file")
    assert tasks.show(desk, "a-1").task.title == "theirs"
    assert task_sync.diff(desk, "a-1", None).forks == ()


def test_a_status_that_a_text_states_is_settled_either_way(desk: Desk) -> None:
    task = tasks.create(desk, p.TaskCreated("ship it"))
    [fork] = fork_check.check(desk, f"- {task.id[:8]} is closed", "plan.md").forks
    assert (fork.field, fork.task_id, values(fork)) == ("status", task.id, ["open", "closed"])
    keep(desk, fork, "context")
    assert tasks.show(desk, task.id).task.status == "closed"
    assert fork_check.check(desk, f"- {task.id[:8]} is closed", "plan.md").forks == ()
