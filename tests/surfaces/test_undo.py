"""`perdure undo`: what was recorded by mistake counts no more, and nothing is erased (SPEC 17.6)."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from perdure.actions.attribution import current_attribution
from perdure.actions.record import record
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model import payload as p
from perdure.model.event import Draft
from tests.conftest import Cli
from tests.contract.making import OTHER, draft
from tests.surfaces.test_foreign_events import take_in
from tests.surfaces.test_hooks import Hooks, hooks
from tests.surfaces.test_note_moves import killed

__all__ = ["hooks"]


def kinds(cli: Cli) -> list[str]:
    return [each["kind"] for each in cli.ok("undo", "--list")]


def decided(cli: Cli) -> list[str]:
    return [each["decision"] for each in cli.ok("decide", "--list") if not each["superseded_by"]]


def open_notes(cli: Cli) -> list[str]:
    return [each["text"] for each in cli.ok("note", "list") if each["open"]]


def task(cli: Cli, id: str) -> Any:
    return cli.ok("task", "show", id)


def whole(cli: Cli) -> None:
    assert cli("heal", "--check").code == 0


def test_a_finding_that_was_taken_back_is_in_no_brief_list_search_handoff_or_notes_and_comes_back(cli: Cli) -> None:
    cli.ok("note", "finding", "the parser keeps the stack")
    made = cli.ok("note", "finding", "the zebra walks at night")

    def seen() -> list[bool]:
        cli.ok("notes", "write")
        return [
            "walks at night" in text
            for text in (
                cli("recover", "--max-tokens", "3000").out,
                cli("recover", "--level", "3").out,
                cli("recover", "--query", "zebra").out,
                cli("note", "list").out,
                str(cli.ok("search", "zebra")),
                cli("story").out,
                str(cli.ok("handoff", "write")),
                (cli.cwd / ".perdure" / "NOTES.md").read_text(),
            )
        ]

    before = seen()
    assert before.count(True) >= 6
    undone = cli.ok("undo")
    assert undone["change_id"] == made["note_id"]
    assert "walks" not in str(cli.ok("search", "zebra"))
    assert not any(seen())
    assert "(taken back) finding: the zebra" in cli("log").out
    assert cli("export").out.count("the zebra walks at night") == 1
    cli.ok("undo", undone["undo_id"])
    assert seen() == before
    whole(cli)


def test_a_constraint_is_taken_back_also_behind_many_others(cli: Cli) -> None:
    cli.ok("note", "constraint", "never touch the lockfile")
    cli.ok("undo")
    assert "lockfile" not in cli("recover").out
    cli.ok("note", "constraint", "ask before a release")
    assert [each["text"] for each in cli.ok("note", "list", "constraint", "--limit", "1")] == ["ask before a release"]
    cli.ok("undo")
    assert cli.ok("note", "list", "constraint", "--limit", "1") == []


def test_an_open_note_its_closing_and_their_undoing(cli: Cli) -> None:
    note = cli.ok("note", "next", "add the retry test")["note_id"]
    cli.ok("note", "close", note)
    assert kinds(cli) == ["note.closed", "note.next"]
    closing = cli.ok("undo")["undo_id"]
    assert open_notes(cli) == ["add the retry test"]
    cli.ok("undo", closing)
    assert open_notes(cli) == []
    closed = next(each for each in cli.ok("undo", "--list") if each["kind"] == "note.closed")
    cli.ok("undo", closed["change_id"])
    made = cli.ok("undo")
    assert made["kind"] == "note.next"
    assert cli.ok("note", "list") == []
    cli.ok("undo", made["undo_id"])
    assert open_notes(cli) == ["add the retry test"]
    whole(cli)


def test_a_decision_that_was_taken_back_gives_way_to_the_one_that_it_superseded(cli: Cli) -> None:
    first = cli.ok("decide", "use WAL", "--key", "journal", "--value", "wal")["decision_id"]
    second = cli.ok("decide", "use DELETE", "--key", "journal", "--value", "delete", "--supersedes", first)
    assert decided(cli) == ["use DELETE"]
    assert cli("undo", first).code != 0
    undone = cli.ok("undo")["undo_id"]
    assert decided(cli) == ["use WAL"]
    assert cli.ok("fork", "list") == []
    third = cli.ok("decide", "use OFF", "--key", "journal", "--value", "off")
    assert third["fork"] or cli.ok("fork", "list")
    cli.ok("undo", third["decision_id"])
    cli.ok("undo", undone)
    assert decided(cli) == ["use DELETE"]
    assert second["decision_id"]
    whole(cli)


def test_a_goal_its_end_and_their_undoing(cli: Cli) -> None:
    goal = cli.ok("goal", "create", "ship the parser")["goal_id"]
    cli.ok("goal", "done", goal)
    done = cli.ok("undo")
    assert done["kind"] == "goal.done"
    assert [each["goal_id"] for each in cli.ok("goal", "list")] == [goal]
    made = cli.ok("undo")
    assert made["kind"] == "goal.created"
    assert cli.ok("goal", "list") == []
    cli.ok("undo", made["undo_id"])
    assert [each["goal_id"] for each in cli.ok("goal", "list")] == [goal]
    whole(cli)


def test_a_task_is_changed_back_field_by_field(cli: Cli) -> None:
    id = cli.ok("task", "create", "make it fast", "--priority", "1")["id"]
    other = cli.ok("task", "create", "measure it")["id"]
    cli.ok("task", "update", id, "--title", "make it slow", "--priority", "3", "--status", "in_progress")
    changed = cli.ok("undo", "--list")[0]
    cli.ok("task", "update", id, "--title", "make it right")
    refused = cli("undo", changed["change_id"], "--json")
    assert refused.code != 0
    assert "changed_since" in refused.err + refused.out
    cli.ok("undo")
    undone = cli.ok("undo")
    assert undone["change_id"] == changed["change_id"]
    now = task(cli, id)
    assert (now["title"], now["priority"], now["status"]) == ("make it fast", 1, "open")
    changed_back = json.loads(cli("export").out.splitlines()[-2])
    assert changed_back["kind"] == "task.updated"
    assert f"perdure undo {undone['undo_id'][:8]}" in cli("undo", changed_back["id"]).err
    cli.ok("undo", undone["undo_id"])
    assert task(cli, id)["title"] == "make it slow"
    cli.ok("task", "dep", id, other)
    cli.ok("undo")
    assert task(cli, id)["waits_for"] == []
    cli.ok("decide", "it is fast", "--task", id)
    cli.ok("task", "close", id)
    cli.ok("undo")
    assert task(cli, id)["status"] == "in_progress"
    cli.ok("undo", other)
    assert task(cli, other)["status"] == "closed"
    whole(cli)


def test_a_decision_that_was_taken_back_does_not_let_a_task_be_closed(cli: Cli) -> None:
    id = cli.ok("task", "create", "make it fast")["id"]
    cli.ok("decide", "it is fast", "--task", id)
    cli.ok("undo")
    assert "writeback_required" in cli("task", "close", id, "--json").err + cli("task", "close", id, "--json").out


def test_twice_at_once_takes_back_each_change_once(cli: Cli) -> None:
    cli.is_forked = False
    note = cli.ok("note", "finding", "one")["note_id"]
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: cli("undo", note), range(2)))
    assert sorted(each.code == 0 for each in done) == [False, True]
    assert cli.ok("note", "list") == []
    whole(cli)


def test_what_is_not_undone_is_refused_and_what_was_undone_names_the_way_back(cli: Cli) -> None:
    assert "nothing_to_undo" in cli("undo", "--json").err + cli("undo", "--json").out
    note = cli.ok("note", "finding", "one")["note_id"]
    undone = cli.ok("undo", note)["undo_id"]
    assert f"perdure undo {undone[:8]} brings it back" in cli("undo", note).err
    cli.ok("undo", undone)
    assert f"perdure undo {note[:8]} takes it back" in cli("undo", undone).err
    cli.ok("preflight", "--know", "0.9", "--uncertainty", "0.1", "--because", "x", "--goal", "ship")
    assert kinds(cli) == ["note.finding"]
    lines = cli("export").out.splitlines()
    opened = next(line for line in lines if '"transaction.opened"' in line)
    id = opened.split('"id":"')[1].split('"')[0] if '"id":"' in opened else opened.split('"id": "')[1].split('"')[0]
    assert "postflight" in cli("undo", id).err
    cli.is_forked = False
    cli.ok("redact", note, "--because", "a mistake")
    assert "is erased" in cli("undo", note).err
    for hostile in ("../../etc/passwd", "'; rm -rf x", "\x1b[31m", "%%%%", "a" * 5000, "zzzz"):
        assert cli("undo", hostile).code in (1, 2)
    whole(cli)


def test_what_another_pane_recorded_is_not_taken_back(cli: Cli) -> None:
    cli.ok("note", "finding", "mine", PERDURE_INSTANCE="one")
    cli.ok("note", "finding", "theirs", PERDURE_INSTANCE="two")
    assert cli.ok("undo", PERDURE_INSTANCE="one")["text"] == "finding: mine"
    assert cli("undo", PERDURE_INSTANCE="one").code != 0
    assert [each["text"] for each in cli.ok("note", "list")] == ["theirs"]


def test_an_import_takes_back_nothing_of_ours_but_what_is_its_own(cli: Cli) -> None:
    ours = cli.ok("note", "finding", "ours")["note_id"]
    question = cli.ok("note", "question", "our question")["note_id"]
    first = cli.ok("decide", "one")["decision_id"]
    second = cli.ok("decide", "two", "--supersedes", first)["decision_id"]
    at = {each["id"]: (each["seq"], each["ledger_id"]) for each in map(json.loads, cli("export").out.splitlines()[1:])}

    def undone(id: str, kind: str, **more: Any) -> Draft:
        return draft("change.undone", p.ChangeUndone(id, kind, at[id], **more))

    note = draft("note.finding", p.Note("theirs"))
    take_in(
        cli,
        [
            note,
            undone(ours, "note.finding"),
            undone(question, "note.question", closes=question),
            undone(second, "decision.made", gone=(second,), counts=({"decision_id": first},)),
            draft("change.undone", p.ChangeUndone(ours, "note.finding", (1, OTHER))),
        ],
    )
    assert {each["text"] for each in cli.ok("note", "list")} == {"ours", "our question", "theirs"}
    assert open_notes(cli) == ["our question"]
    assert decided(cli) == ["two"]
    theirs = next(each for each in cli.ok("note", "list") if each["text"] == "theirs")["note_id"]
    assert "another machine" in cli("undo", theirs).err
    whole(cli)


def test_an_agent_takes_back_what_is_its_own_and_nothing_of_a_person(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    person = hooks.cli.of_a_person()
    rule = person.ok("note", "constraint", "ask before a release")["note_id"]
    assert hooks.bash("perdure undo") == ""
    assert hooks.bash(f"perdure undo {rule}") == ""
    assert hooks.bash("perdure undo --instance another") != ""
    own = hooks.cli.ok("note", "finding", "a guess", CLAUDECODE="1")["note_id"]
    assert "not_yours" in hooks.cli("undo", rule, "--json", CLAUDECODE="1").out
    assert hooks.cli.ok("undo", CLAUDECODE="1")["change_id"] == own
    assert "nothing_to_undo" in hooks.cli("undo", "--json", CLAUDECODE="1").out
    assert person.ok("undo")["change_id"] == rule


def test_ones_own_change_is_found_behind_any_number_of_others(cli: Cli) -> None:
    cli.ok("note", "finding", "mine", PERDURE_INSTANCE="one")
    cli.ok("note", "finding", "theirs", PERDURE_INSTANCE="two")
    with open_desk(Request(str(cli.cwd), {**cli.environment, "PERDURE_INSTANCE": "two"})) as desk:
        fact = current_attribution(desk).fact("note.finding", p.Note("theirs"))
        for _ in range(3):
            record(desk, [fact] * 1000)
    assert [each["text"] for each in cli.ok("undo", "--list", PERDURE_INSTANCE="one")] == ["finding: mine"]
    assert cli.ok("undo", PERDURE_INSTANCE="one")["text"] == "finding: mine"
    assert cli("undo", "--json", PERDURE_INSTANCE="one").error["code"] == "nothing_to_undo"


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("act", ["undo", "again"])
def test_killed_at_any_step_a_change_is_taken_back_or_is_not(cli: Cli, act: str, when: str) -> None:
    cli.environment = {**cli.environment, "PERDURE_INSTANCE": "pane"}
    task_id = cli.ok("task", "create", "make it fast", "--priority", "1")["id"]
    cli.ok("task", "update", task_id, "--priority", "3")
    note = cli.ok("note", "next", "add the retry test")["note_id"]
    for id, state in ((note, "open_notes"), (cli.ok("undo", "--list")[1]["change_id"], "priority")):
        undo = cli.ok("undo", id)["undo_id"] if act == "again" else id
        assert killed(cli, when, 1, "undo", undo)
        is_done = (when == "after") == (act == "undo")
        seen = open_notes(cli) == [] if state == "open_notes" else task(cli, task_id)["priority"] == 1
        assert seen == is_done
        whole(cli)
        if when == "before":
            cli.ok("undo", undo)
        else:
            assert cli("undo", undo, "--json").error["code"] in ("undone", "not_undone")
