"""`perdure note move`: a note that was recorded in the wrong project is recorded in the right one (SPEC 17.6)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from perdure.actions import projects
from perdure.actions.request import Request
from perdure.model.ids import short
from tests.conftest import Cli, new_repository
from tests.surfaces.test_hooks import Hooks, hooks

__all__ = ["hooks"]

DIE = """
import os, signal, sys
from perdure.__main__ import main
from perdure.ledger.sqlite import SqliteLedger

when, left, whole = sys.argv[1], [int(sys.argv[2])], SqliteLedger.append

def dying(*given, **named):
    left[0] -= 1
    if left[0] == 0 and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    answer = whole(*given, **named)
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer

SqliteLedger.append = dying
sys.exit(main(sys.argv[3:]))
"""


@pytest.fixture
def other(cli: Cli, tmp_path: Path) -> Cli:
    """Another project of the same home, and a person in it."""
    folder = new_repository(tmp_path / "parser", cli.environment)
    projects.init(Request(str(folder), cli.environment), None, None)
    return Cli(folder, cli.environment)


def texts(cli: Cli) -> list[str]:
    return [each["text"] for each in cli.ok("note", "list")]


def whole(*clis: Cli) -> None:
    for each in clis:
        assert each("heal", "--check").code == 0
        assert each("audit", "verify").code == 0


def killed(cli: Cli, when: str, at: int, *arguments: str) -> bool:
    command = [sys.executable, "-c", DIE, when, str(at), *arguments]
    done = subprocess.run(command, cwd=cli.cwd, env=cli.environment, capture_output=True, check=False)
    return done.returncode == -9


def test_a_note_is_recorded_where_it_was_meant_and_counts_here_no_more(cli: Cli, other: Cli) -> None:
    made = cli.ok("note", "finding", "the zebra walks at night")
    moved = cli.ok("note", "move", made["note_id"][:4], "--to", str(other.cwd))
    assert moved["text"] == made["text"]
    assert moved["project_path"] == str(other.cwd)
    assert (texts(cli), texts(other)) == ([], ["the zebra walks at night"])
    assert "walks" not in cli("recover", "--query", "zebra").out
    assert "walks at night" in other("recover", "--query", "zebra").out
    [there] = other.ok("note", "list")
    assert there["note_id"] == moved["note_id"]
    assert there["moved_from"]["note_id"] == made["note_id"]
    assert there["moved_from"]["project_path"] == str(cli.cwd)
    assert there["moved_from"]["ts"] == made["ts"]
    assert "(from shop) the zebra" in other("note", "list").out
    assert "was moved to parser" in cli("log").out
    assert cli.ok("search", "zebra") == []
    whole(cli, other)


def test_the_last_change_is_the_move_and_undo_brings_the_note_back(cli: Cli, other: Cli) -> None:
    cli.ok("note", "question", "may we drop 3.10?")
    note = cli.ok("note", "next", "add the retry test")["note_id"]
    moved = cli.ok("note", "move", note, "--to", "parser")
    [listed, _] = cli.ok("undo", "--list")
    assert (listed["kind"], listed["change_id"]) == ("note.moved", moved["undo_id"])
    assert [each["open"] for each in other.ok("note", "list")] == [True]
    undone = cli.ok("undo")
    assert undone["restored"] is True
    assert undone["change_id"] == note
    assert (sorted(texts(cli)), texts(other)) == (["add the retry test", "may we drop 3.10?"], [])
    assert all(each["open"] for each in cli.ok("note", "list"))
    assert cli("undo", moved["undo_id"]).code == 1
    cli.ok("undo", undone["undo_id"])
    assert (texts(cli), texts(other)) == (["may we drop 3.10?"], ["add the retry test"])
    again = cli.ok("undo")
    assert texts(other) == []
    cli.ok("note", "move", note, "--to", other.cwd.name)
    assert again["undo_id"]
    assert texts(other) == ["add the retry test"]
    assert len({each["note_id"] for each in other.ok("note", "list")}) == 1
    whole(cli, other)


@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("act", ["move", "undo"])
def test_killed_at_any_step_the_note_is_in_both_or_one_and_the_same_call_finishes(
    cli: Cli, other: Cli, act: str, when: str, at: int
) -> None:
    for each in (cli, other):  # the process that is killed has another parent than the others
        each.environment = {**each.environment, "PERDURE_INSTANCE": "pane"}
    note = cli.ok("note", "next", "add the retry test")["note_id"]
    other.ok("note", "finding", "there before")
    words = ["note", "move", note, "--to", str(other.cwd)]
    if act == "undo":
        words = ["undo", cli.ok(*words)["undo_id"]]
    assert killed(cli, when, at, *words)
    assert "add the retry test" in texts(cli) + texts(other)
    done = cli(*words, "--json")
    assert done.code == 0 or done.error["code"] in ("note_moved", "not_undone")
    source, target = texts(cli), texts(other)
    moved = act == "move"
    assert ("add the retry test" in source, "add the retry test" in target) == (not moved, moved)
    assert (source + target).count("add the retry test") == 1
    whole(cli, other)


def test_two_moves_at_once_record_it_once(cli: Cli, other: Cli) -> None:
    cli.is_forked = False
    note = cli.ok("note", "finding", "one")["note_id"]
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: cli("note", "move", note, "--to", str(other.cwd)), range(2)))
    assert sorted(each.code for each in done) == [0, 1]
    assert (texts(cli), texts(other)) == ([], ["one"])
    whole(cli, other)


def test_what_cannot_be_moved_is_refused_with_the_way_out_and_nothing_is_written(
    cli: Cli, other: Cli, tmp_path: Path
) -> None:
    note = cli.ok("note", "finding", "one")["note_id"]
    closed = cli.ok("note", "question", "two?")["note_id"]
    cli.ok("note", "close", closed)
    plain = new_repository(tmp_path / "plain", cli.environment)
    decision = cli.ok("decide", "three")["decision_id"]

    def code(*words: str) -> str:
        done = cli("note", "move", *words, "--json")
        assert done.code in (1, 2)
        assert done.error["hint"]
        return str(done.error["code"])

    assert code(note) == "usage"
    assert code() == "usage"
    assert code(note, "--to", str(cli.cwd)) == "same_project"
    assert code(note, "--to", str(plain)) == "no_project"
    assert code(note, "--to", "nowhere") in ("no_folder", "no_project", "bad_path")
    assert code(closed, "--to", "parser") == "note_closed"
    assert code(decision, "--to", "parser") == "no_such_note"
    assert code("zz", "--to", "parser") == "bad_id"
    assert cli("note", "finding", "x", "--to", "parser").code == 2
    assert cli("note", "close").err.startswith("perdure: note close needs the id of a note")
    assert (len(texts(cli)), texts(other)) == (2, [])
    cli.ok("note", "move", note, "--to", "parser")
    assert code(note, "--to", "parser") == "note_moved"
    cli.is_forked = False
    erased = cli.ok("note", "finding", "four")["note_id"]
    cli.ok("redact", erased, "--because", "a mistake")
    assert code(erased, "--to", "parser") == "note_erased"


def test_a_note_comes_back_also_if_the_other_project_is_gone(cli: Cli, other: Cli) -> None:
    note = cli.ok("note", "finding", "one")["note_id"]
    undo = cli.ok("note", "move", note, "--to", str(other.cwd))["undo_id"]
    os.rename(other.cwd, other.cwd.with_name("elsewhere"))
    done = cli("undo", undo)
    assert done.code == 0
    assert "not there any more" in done.out
    assert "project switch NEW_PATH" in done.out
    assert texts(cli) == ["one"]
    there = Cli(other.cwd.with_name("elsewhere"), cli.environment)
    there.ok("project", "switch", str(there.cwd))
    assert cli.ok("undo", undo)["restored"] is True
    assert (texts(cli), texts(there)) == (["one"], [])


def test_a_note_that_was_moved_is_taken_back_there_like_any_other(cli: Cli, other: Cli) -> None:
    note = cli.ok("note", "finding", "one")["note_id"]
    undo = cli.ok("note", "move", note, "--to", "parser")["undo_id"]
    taken = other.ok("undo")
    assert taken["text"] == "finding: one"
    assert (texts(cli), texts(other)) == ([], [])
    assert cli.ok("undo", undo)["restored"] is True
    assert texts(cli) == ["one"]


def test_a_move_is_not_undone_if_the_words_are_erased_here_and_the_note_stays_there(cli: Cli, other: Cli) -> None:
    cli.ok("finding", "before")
    note = cli.ok("note", "finding", "one")["note_id"]
    moved = cli.ok("note", "move", note, "--to", "parser")
    cli.ok("redact", note, "--because", "was there by mistake")
    refused = cli("undo", moved["undo_id"], "--json")
    assert refused.error["code"] == "note_erased"
    assert short(moved["note_id"]) in refused.error["hint"]
    assert texts(other) == ["one"]
    assert cli.ok("undo")["text"] == "finding: before"
    whole(cli, other)


def test_undoing_a_move_says_where_the_note_was_moved_on_to(cli: Cli, other: Cli, tmp_path: Path) -> None:
    folder = new_repository(tmp_path / "lexer", cli.environment)
    projects.init(Request(str(folder), cli.environment), None, None)
    third = Cli(folder, cli.environment)
    moved = cli.ok("note", "move", cli.ok("note", "finding", "one")["note_id"], "--to", "parser")
    further = other.ok("note", "move", moved["note_id"], "--to", "lexer")
    undone = cli("undo", moved["undo_id"])
    [advised] = re.findall(r"perdure (undo \S+ --project-path \S+) takes it back there", undone.out)
    assert short(further["note_id"]) in advised
    cli.ok(*advised.split())
    assert (texts(cli), texts(other), texts(third)) == (["one"], [], [])
    whole(cli, other, third)


def test_redacting_a_note_that_was_moved_names_its_words_in_the_other_project(cli: Cli, other: Cli) -> None:
    moved = cli.ok("note", "move", cli.ok("note", "finding", "one customer")["note_id"], "--to", "parser")
    origin = other.ok("note", "list")[0]["moved_from"]["note_id"]
    for place, elsewhere, named, id in ((cli, other, origin, moved["note_id"]), (other, cli, moved["note_id"], origin)):
        said = place("redact", named, "--because", "held a name").out
        is_there = place is cli
        assert (f"{elsewhere.cwd} still has these words" in said) is is_there
        assert (f"perdure redact {id} --because 'held a name' --project-path {elsewhere.cwd}" in said) is is_there


def test_redacting_a_copy_names_the_note_it_came_from(cli: Cli, other: Cli) -> None:
    moved = cli.ok("note", "move", cli.ok("note", "finding", "one customer")["note_id"], "--to", "parser")
    assert f"{cli.cwd} still has these words" in other("redact", moved["note_id"], "--because", "held a name").out


def test_an_agent_moves_its_own_notes_and_nothing_of_a_person_and_a_person_does_not_make_them_theirs(
    hooks: Hooks, tmp_path: Path
) -> None:
    folder = new_repository(tmp_path / "parser", hooks.cli.environment)
    projects.init(Request(str(folder), hooks.cli.environment), None, None)
    hooks("SessionStart", source="startup")
    person = hooks.cli.of_a_person()
    rule = person.ok("note", "constraint", "ask before a release")["note_id"]
    assert hooks.bash(f"perdure note move {rule} --to {folder}") == ""
    assert hooks.bash(f"perdure note move {rule} --to {folder} --instance another") != ""
    refused = hooks.cli("note", "move", rule, "--to", str(folder), "--json", CLAUDECODE="1")
    assert refused.error["code"] == "not_yours"
    own = hooks.cli.ok("note", "finding", "a guess", CLAUDECODE="1")["note_id"]
    moved = hooks.cli.ok("note", "move", own, "--to", str(folder), CLAUDECODE="1")
    second = hooks.cli.ok("note", "finding", "another guess", CLAUDECODE="1")["note_id"]
    hooks("SessionEnd", reason="exit")
    by_hand = person.ok("note", "move", second, "--to", str(folder))
    lines = person("export", "--project-path", str(folder)).out.splitlines()[1:]
    actors = {each["id"]: each["actor"] for each in map(json.loads, lines)}
    assert actors[moved["note_id"]] == actors[by_hand["note_id"]] == "claude-code"


def test_what_another_pane_wrote_is_not_moved_and_help_and_answer_name_the_command(cli: Cli, other: Cli) -> None:
    theirs = cli.ok("note", "finding", "theirs", PERDURE_INSTANCE="two")["note_id"]
    cli.ok("preflight", "--know", "0.9", "--uncertainty", "0.1", "--because", "x", PERDURE_INSTANCE="two")
    refused = cli("note", "move", theirs, "--to", "parser", "--json", PERDURE_INSTANCE="one")
    assert refused.error["code"] == "not_yours"
    assert "--to PROJECT" in cli("note", "--help").out
    own = cli.ok("note", "finding", "mine", PERDURE_INSTANCE="one")["note_id"]
    said = cli("note", "move", own, "--to", "parser", PERDURE_INSTANCE="one").out
    assert f"It is in {other.cwd} now." in said
    command = next(line for line in said.splitlines() if "brings it back" in line).partition("perdure ")[2].split()[:2]
    assert cli.ok(*command, PERDURE_INSTANCE="one")["change_id"] == own
    assert short(own) in cli("note", "list").out
