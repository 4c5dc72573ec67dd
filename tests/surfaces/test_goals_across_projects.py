"""A lineage keeps its goal in whatever project it works, and finds it again when it comes back; another pane, or a
client that is started anew, does not get it (SPEC 1, 3.4)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli, git, new_repository
from tests.surfaces.looking import assert_error
from tests.surfaces.test_held_elsewhere import second_project
from tests.surfaces.test_hooks import FLAGS, SESSION, Hooks, events

GOAL = "convert the prices to euros"
NEXT_SESSION = "4be0d4b6-54d9-47c9-8fd6-3d7e6b2b5a01"


@pytest.fixture
def client(cli: Cli) -> Hooks:
    """A client in the first project whose person said what it is for."""
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt=GOAL)
    return hooks


@pytest.fixture
def other(tmp_path: Path, environment: dict[str, str]) -> Cli:
    return second_project(tmp_path, environment, "other shop")


@pytest.fixture
def third(tmp_path: Path, environment: dict[str, str]) -> Cli:
    return second_project(tmp_path, environment, "third")


def switch(cli: Cli, to: Cli) -> None:
    cli.ok("project", "switch", str(to.cwd))


def clear(client: Hooks, session: str) -> None:
    """The client ends its session and goes on under another id."""
    client("SessionEnd", reason="clear")
    client("SessionStart", session=session, source="clear")


def titles(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["title"], each["status"]) for each in found]


def assert_goal_everywhere(cli: Cli, *, begun_in: Cli | None = None, flags: tuple[str, ...] = ()) -> None:
    """Every surface names the lineage's goal, and no other one."""
    where = str(begun_in.cwd) if begun_in else None
    status, listed = cli.ok("status", *flags), cli.ok("goal", "list", *flags)
    for found in (status["goals"], listed):
        assert titles(found) == [(GOAL, "original")]
        assert found[0]["project_path"] == where
    assert status["others_goals"] == []
    assert GOAL in cli("status", *flags).out
    assert GOAL in cli("goal", "list", *flags).out
    for level in ("1", "brief"):
        assert f"Goal: {GOAL}" in cli("recover", "--level", level, *flags).out


# -- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("holds", [False, True], ids=["with nothing open", "with a transaction open"])
@pytest.mark.parametrize("between", ["nothing", "compact", "clear", "clear without an end"])
def test_a_goal_is_there_in_the_next_project_and_after_coming_back(
    cli: Cli, client: Hooks, other: Cli, between: str, holds: bool
) -> None:
    if holds:
        cli.ok("preflight", *FLAGS)
    switch(cli, other)
    session = SESSION
    if between == "compact":
        client("SessionStart", source="compact")
    elif between == "clear":
        session = NEXT_SESSION
        clear(client, session)
    elif between == "clear without an end":
        session = NEXT_SESSION
        client("SessionStart", session=session, source="clear")
    assert_goal_everywhere(cli, begun_in=cli)
    client("UserPromptSubmit", session=session, prompt="yes, go on")
    assert_goal_everywhere(cli, begun_in=cli)
    switch(cli, cli)
    assert_goal_everywhere(cli)
    client("UserPromptSubmit", session=session, prompt="and now the rest")
    told = client.told("SessionStart", session=session, source="compact")
    assert f"Goal: {GOAL}" in told
    assert_goal_everywhere(cli)


def test_a_goal_is_found_through_three_projects(cli: Cli, client: Hooks, other: Cli, third: Cli) -> None:
    for project in (other, third):
        switch(cli, project)
        client("SessionStart", source="compact")
        assert_goal_everywhere(cli, begun_in=cli)
    switch(cli, other)
    assert_goal_everywhere(cli, begun_in=cli)
    switch(cli, third)
    client("SessionStart", source="compact")
    switch(cli, cli)
    assert_goal_everywhere(cli)


@pytest.mark.parametrize("cleared", [False, True])
def test_a_transaction_in_a_project_that_was_only_named_is_for_the_lineages_goal(
    cli: Cli, client: Hooks, other: Cli, cleared: bool
) -> None:
    named = ("--project-path", str(other.cwd))
    opened = cli.ok("preflight", *FLAGS, *named)
    assert opened["project_path"] == str(other.cwd)
    (held,) = cli.ok("status")["elsewhere"]
    assert held["goal"] == GOAL
    if cleared:
        clear(client, NEXT_SESSION)
    else:
        client("SessionStart", source="compact")
    assert_goal_everywhere(cli)
    assert_goal_everywhere(cli, begun_in=cli, flags=named)
    cli.ok("check", *FLAGS, *named)
    assert_goal_everywhere(cli, begun_in=cli, flags=named)
    assert_goal_everywhere(cli)
    switch(cli, other)
    assert_goal_everywhere(cli, begun_in=cli)


@pytest.mark.parametrize("cleared", [False, True])
def test_the_project_that_was_left_shows_the_goal_when_it_is_named(
    cli: Cli, client: Hooks, other: Cli, cleared: bool
) -> None:
    switch(cli, other)
    if cleared:
        clear(client, NEXT_SESSION)
    else:
        client("SessionStart", source="compact")
    assert_goal_everywhere(cli, flags=("--project-path", str(cli.cwd)))


@pytest.mark.parametrize("cleared", [False, True])
@pytest.mark.parametrize("ended", ["exit", "crash"])
def test_a_session_resumed_in_the_first_project_has_the_goal_although_it_ended_in_another(
    cli: Cli, client: Hooks, other: Cli, cleared: bool, ended: str
) -> None:
    session = SESSION
    switch(cli, other)
    if cleared:
        session = NEXT_SESSION
        clear(client, session)
    if ended == "exit":
        client("SessionEnd", session=session, reason="prompt_input_exit")
    client("SessionStart", session=session, source="resume")
    switch(cli, cli)
    assert_goal_everywhere(cli)
    client("UserPromptSubmit", session=session, prompt="go on")
    assert_goal_everywhere(cli)


def test_the_goal_of_the_next_project_is_the_transactions_before_the_lineages(
    cli: Cli, client: Hooks, other: Cli
) -> None:
    switch(cli, other)
    cli.ok("preflight", *FLAGS, "--goal", "the letter to everybody")
    found = cli.ok("status")["goals"]
    assert titles(found) == [("the letter to everybody", "open"), (GOAL, "original")]
    assert "Goal: the letter to everybody" in cli("recover", "--level", "1").out


def test_a_goal_named_again_in_the_next_project_is_listed_once(cli: Cli, client: Hooks, other: Cli) -> None:
    switch(cli, other)
    cli.ok("preflight", *FLAGS, "--goal", GOAL)
    assert titles(cli.ok("goal", "list")) == [(GOAL, "open")]
    assert titles(cli.ok("status")["goals"]) == [(GOAL, "open")]


def test_the_first_words_after_a_command_to_the_client_are_the_goal_also_in_the_next_project(
    cli: Cli, other: Cli
) -> None:
    client = Hooks(cli)
    client("SessionStart", source="startup")
    client("UserPromptSubmit", prompt="/init")
    switch(cli, other)
    client("UserPromptSubmit", prompt=GOAL)
    assert_goal_everywhere(cli)


# -- a goal that is recorded in another project - ---------------------------------------------------------------------


def test_a_goal_of_another_project_is_ended_by_the_command_that_the_refusal_names(
    cli: Cli, client: Hooks, other: Cli
) -> None:
    switch(cli, other)
    client("SessionStart", source="compact")
    (goal,) = cli.ok("goal", "list")
    assert_error(cli("goal", "done", goal["goal_id"][:8], "--json"), 1, str(cli.cwd), kind="no_such_goal")
    hint = cli("goal", "done", goal["goal_id"][:8], "--json").json["error"]["hint"]
    assert hint == f"perdure goal done {goal['goal_id'][:8]} --project-path {cli.cwd}"
    cli.ok(*hint.split()[1:])
    assert cli.ok("goal", "list") == cli.ok("status")["goals"] == []
    client("UserPromptSubmit", prompt="thanks")
    assert cli.ok("goal", "list") == [], "the lineage had its goal, and that is done"
    switch(cli, cli)
    assert cli.ok("goal", "list") == []


# -- where the first project cannot be read ----------------------------------------------------------------------------


def test_a_goal_is_found_in_a_project_that_was_moved(cli: Cli, client: Hooks, other: Cli, tmp_path: Path) -> None:
    switch(cli, other)
    moved = tmp_path / "moved"
    cli.cwd.rename(moved)
    outside = Cli(other.cwd, cli.environment)
    outside.ok("status", "--project-path", str(moved))
    outside.ok("note", "finding", "it was moved", "--project-path", str(moved))
    (goal,) = outside.ok("goal", "list")
    assert (goal["title"], goal["project_path"]) == (GOAL, str(moved))
    outside.ok("project", "switch", str(moved))
    assert titles(outside.ok("goal", "list")) == [(GOAL, "original")]


def test_a_damaged_first_project_stops_nothing_and_no_later_prompt_takes_the_goals_place(
    cli: Cli, client: Hooks, other: Cli
) -> None:
    switch(cli, other)
    ledger = cli.cwd / ".perdure" / "ledger.db"
    kept = ledger.read_bytes()
    ledger.write_bytes(b"x" * 4096)
    inside = Hooks(other)
    inside("SessionStart", source="compact")
    inside("UserPromptSubmit", prompt="yes, go on")
    assert other.ok("goal", "list") == other.ok("status")["goals"] == []
    ledger.write_bytes(kept)
    assert titles(other.ok("goal", "list")) == [(GOAL, "original")]


def moved_away(cli: Cli) -> None:
    cli.cwd.rename(cli.cwd.parent / "moved away")


def cleaned(cli: Cli) -> None:
    git(cli.cwd, cli.environment, "clean", "-fdxq")


def deleted(cli: Cli) -> None:
    shutil.rmtree(cli.cwd)


def without_record(cli: Cli) -> None:
    """Another repository is at the path now."""
    shutil.rmtree(cli.cwd)
    new_repository(cli.cwd, cli.environment)


every_loss = pytest.mark.parametrize("lose", [moved_away, cleaned, deleted, without_record])


def assert_goal_is_called_missing(here: Cli, from_project: Cli) -> None:
    """Status, goal list and brief say where the goal is, and name no goal."""
    expected = f"this lineage's goal is in the record of {from_project.cwd}, which "
    status = here.ok("status")
    assert (status["goals"], here.ok("goal", "list")) == ([], [])
    assert [each for each in status["warnings"] if expected in each]
    for words in (("status",), ("goal", "list"), ("recover",)):
        assert here(*words).out.count(expected) == 1, words


@every_loss
@pytest.mark.parametrize("ended", ["", "exit", "crash", "clear"])
def test_no_later_prompt_is_the_goal_if_the_project_with_the_first_one_is_gone(
    cli: Cli, client: Hooks, other: Cli, lose: Callable[[Cli], None], ended: str
) -> None:
    switch(cli, other)
    inside, session = Hooks(other), SESSION
    lose(cli)
    if ended == "exit":
        inside("SessionEnd", reason="prompt_input_exit")
    if ended == "clear":
        session = NEXT_SESSION
        clear(inside, session)
    if ended in ("exit", "crash"):
        inside("SessionStart", source="resume")
    told = inside.told("SessionStart", session=session, source="compact")
    assert f"this lineage's goal is in the record of {cli.cwd}, which " in told
    inside("UserPromptSubmit", session=session, prompt="ok, now also fix the typo")
    assert_goal_is_called_missing(other, cli)


@pytest.mark.parametrize("lose", [moved_away, deleted])
def test_a_lineage_that_went_through_three_projects_misses_the_goal_of_the_first(
    cli: Cli, client: Hooks, other: Cli, third: Cli, lose: Callable[[Cli], None]
) -> None:
    for project in (other, third, other):
        switch(cli, project)
    lose(cli)
    Hooks(other)("UserPromptSubmit", prompt="go on")
    assert_goal_is_called_missing(other, cli)
    switch(other, third)
    Hooks(third)("UserPromptSubmit", prompt="and here")
    assert_goal_is_called_missing(third, cli)


def test_a_project_between_that_is_gone_hides_no_goal(cli: Cli, client: Hooks, other: Cli, third: Cli) -> None:
    switch(cli, other)
    switch(cli, third)
    deleted(other)
    Hooks(third)("UserPromptSubmit", prompt="go on")
    assert_goal_everywhere(third, begun_in=cli)


def test_heal_in_the_folder_that_the_project_was_moved_to_brings_the_goal_back(
    cli: Cli, client: Hooks, other: Cli
) -> None:
    switch(cli, other)
    moved_away(cli)
    Hooks(other)("UserPromptSubmit", prompt="ok, now also fix the typo")
    moved = Cli(cli.cwd.parent / "moved away", cli.environment)
    other.ok("heal", "--project-path", str(moved.cwd))
    assert_goal_everywhere(other, begun_in=moved)


@pytest.mark.parametrize("lose", [moved_away, deleted])
def test_after_a_second_move_the_folder_is_named_in_which_the_project_was_last(
    cli: Cli, client: Hooks, other: Cli, tmp_path: Path, lose: Callable[[Cli], None]
) -> None:
    switch(cli, other)
    second = Cli(cli.cwd.parent / "second", cli.environment)
    cli.cwd.rename(second.cwd)
    other.ok("heal", "--project-path", str(second.cwd))
    third_place = Cli(cli.cwd.parent / "third place", cli.environment)
    second.cwd.rename(third_place.cwd)
    other.ok("heal", "--project-path", str(third_place.cwd))
    lose(third_place)
    Hooks(other)("UserPromptSubmit", prompt="ok, now also fix the typo")
    assert_goal_is_called_missing(other, third_place)
    if lose is moved_away:
        moved = Cli(cli.cwd.parent / "moved away", cli.environment)
        other.ok("heal", "--project-path", str(moved.cwd))
        assert_goal_everywhere(other, begun_in=moved)


def test_heal_as_advised_brings_the_goal_of_a_cleaned_project_back(cli: Cli, client: Hooks, other: Cli) -> None:
    switch(cli, other)
    cleaned(cli)
    assert f"perdure heal --project-path {cli.cwd} restores it" in other("goal", "list").out
    other.ok("heal", "--project-path", str(cli.cwd))
    assert_goal_everywhere(other, begun_in=cli)


@every_loss
def test_a_goal_that_is_set_as_advised_takes_the_place_of_the_missing_one(
    cli: Cli, client: Hooks, other: Cli, lose: Callable[[Cli], None]
) -> None:
    switch(cli, other)
    lose(cli)
    assert "otherwise: perdure goal create 'WHAT FOR'" in other("goal", "list").out
    made = other.ok("goal", "create", "the letter to everybody")
    assert titles(other.ok("goal", "list")) == [("the letter to everybody", "open")]
    assert other.ok("status")["warnings"] == []
    other.ok("goal", "done", made["goal_id"])
    Hooks(other)("UserPromptSubmit", prompt="thanks")
    assert other.ok("goal", "list") == other.ok("status")["warnings"] == []


def test_a_client_started_after_the_first_project_was_deleted_has_a_goal_of_its_own(
    cli: Cli, client: Hooks, other: Cli
) -> None:
    switch(cli, other)
    deleted(cli)
    inside = Hooks(other)
    inside("SessionEnd", reason="prompt_input_exit")
    inside("SessionStart", session=NEXT_SESSION, source="startup")
    inside("UserPromptSubmit", session=NEXT_SESSION, prompt="now the taxes")
    assert titles(other.ok("goal", "list")) == [("now the taxes", "original")]


# -- and nobody else's -------------------------------------------------------------------------------------------------


def test_a_goal_that_came_from_another_project_is_not_another_panes(cli: Cli, client: Hooks, other: Cli) -> None:
    switch(cli, other)
    client("SessionStart", source="compact")
    for project in (cli, other):
        named = ("--project-path", str(project.cwd))
        pane = {"PERDURE_INSTANCE": "another"}
        assert cli.ok("goal", "list", *named, **pane) == []
        assert cli.ok("status", *named, **pane)["goals"] == []
        assert GOAL not in cli("recover", *named, **pane).out


@pytest.mark.parametrize("compacted", [False, True])
@pytest.mark.parametrize("again_in", ["the first project", "the next project"])
def test_a_client_started_after_an_exit_in_the_next_project_begins_a_lineage_of_its_own(
    cli: Cli, client: Hooks, other: Cli, again_in: str, compacted: bool
) -> None:
    switch(cli, other)
    if compacted:
        client("SessionStart", source="compact")
    client("SessionEnd", reason="prompt_input_exit")
    place = cli if again_in == "the first project" else other
    for project in (cli, other):
        assert cli.ok("goal", "list", "--project-path", str(project.cwd)) == []
    anew = Hooks(place)
    told = anew.told("SessionStart", session=NEXT_SESSION, source="startup")
    assert f"Goal: {GOAL}" not in told
    anew("UserPromptSubmit", session=NEXT_SESSION, prompt="now the taxes")
    assert titles(place.ok("goal", "list")) == [("now the taxes", "original")]


def test_a_client_started_after_an_exit_is_told_the_goal_of_the_transaction_that_it_goes_on_with(
    cli: Cli, client: Hooks, other: Cli
) -> None:
    opened = cli.ok("preflight", *FLAGS)["transaction_id"]
    switch(cli, other)
    client("SessionEnd", reason="prompt_input_exit")
    told = client.told("SessionStart", session=NEXT_SESSION, source="startup")
    assert GOAL in told
    switch(cli, cli)
    client("UserPromptSubmit", session=NEXT_SESSION, prompt="now the taxes")
    status = cli.ok("status")
    assert status["transaction"]["transaction_id"] == opened
    expected = [(GOAL, "other"), ("now the taxes", "original")]
    assert titles(status["goals"]) == titles(cli.ok("goal", "list")) == expected


def test_a_session_that_ended_in_the_next_project_has_ended_in_the_first_too(
    cli: Cli, client: Hooks, other: Cli
) -> None:
    switch(cli, other)
    client("SessionStart", source="compact")
    client("SessionEnd", reason="prompt_input_exit")
    for project in (cli, other):
        listed = project.ok("session", "list", "--project-path", str(project.cwd))
        assert [each["session_id"] for each in listed if each["ended_at"] is None] == []
        exported = Cli(project.cwd, project.environment)
        (ended,) = events(exported, "session.ended")
        assert json.dumps(ended["payload"]) == '{"reason": "exit"}'
