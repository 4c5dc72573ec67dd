"""The goal of a client that goes on after the home was lost and a person healed: its first words are in the ledger that
was set aside, and come back with it (SPEC 1, 3.5, 16.3)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.surfaces.test_resumed_outside import GOAL, NEXT_SESSION, SURE, Clients, RunningClient, clients

__all__ = ["clients"]


@pytest.fixture
def client(cli: Cli, clients: Clients) -> RunningClient:
    """A client with a goal and an open transaction. The home was lost while it ran, and a person healed."""
    made, _ = clients(cli.cwd)
    made.hook("UserPromptSubmit", prompt=GOAL)
    made.command(f"perdure preflight {SURE}")
    lose_home(cli)
    return made


def lose_home(cli: Cli) -> None:
    shutil.rmtree(cli.environment["PERDURE_HOME"])
    cli.ok("heal")


def asides(cli: Cli) -> list[Path]:
    return sorted((cli.cwd / ".perdure").glob("ledger.db.foreign-*Z"))


def take_in(cli: Cli) -> None:
    for each in asides(cli):
        cli.ok("import", str(each))


def goals(client: RunningClient) -> list[str]:
    return [goal["title"] for goal in client.shell.ok("perdure goal list")]


@pytest.mark.parametrize("then", ["a prompt", "a compaction", "a resume", "a clear", "a second loss"])
def test_the_first_words_are_the_goal_again_when_the_ledger_is_taken_in(
    cli: Cli, clients: Clients, client: RunningClient, then: str
) -> None:
    if then == "a compaction":
        client.hook("SessionStart", source="compact")
    elif then == "a resume":
        client.shell.leave()
        client, _ = clients(cli.cwd, "resume")
    client.hook("UserPromptSubmit", prompt="go on")
    if then == "a clear":
        client.hook("SessionEnd", reason="clear")
        client.session = NEXT_SESSION
        client.hook("SessionStart", source="clear")
    elif then == "a second loss":
        lose_home(cli)
    client.hook("UserPromptSubmit", prompt="and on")
    assert goals(client) == [], "the first words are in the ledger that was set aside"
    take_in(cli)
    assert goals(client) == [GOAL]
    client.hook("UserPromptSubmit", prompt="thanks")
    told = client.hook("SessionStart", source="compact")
    [line] = [line for line in told.splitlines() if line.startswith("Goal: ")]
    assert "(from another machine, ledger " in line
    assert GOAL in line
    assert goals(client) == [GOAL]


def test_a_goal_that_is_done_does_not_come_back(cli: Cli, client: RunningClient) -> None:
    client.hook("UserPromptSubmit", prompt="go on")
    take_in(cli)
    [goal] = client.shell.ok("perdure goal list")
    client.shell.ok(f"perdure goal done {goal['goal_id']}")
    client.hook("UserPromptSubmit", prompt="thanks")
    assert goals(client) == []


def test_a_client_that_starts_after_the_loss_has_a_goal_of_its_own(
    cli: Cli, clients: Clients, client: RunningClient
) -> None:
    other, _ = clients(cli.cwd, session=NEXT_SESSION)
    other.hook("UserPromptSubmit", prompt="sort the shelf")
    assert goals(other) == ["sort the shelf"]
    take_in(cli)
    assert goals(other) == ["sort the shelf"]


def test_when_the_file_is_deleted_the_next_prompt_is_the_goal(cli: Cli, client: RunningClient) -> None:
    client.hook("UserPromptSubmit", prompt="go on")
    for each in (cli.cwd / ".perdure").glob("ledger.db.foreign-*"):
        each.unlink()
    client.hook("UserPromptSubmit", prompt="prices in euros")
    assert goals(client) == ["prices in euros"]


def test_a_person_ends_the_transaction_that_came_back(cli: Cli, client: RunningClient) -> None:
    client.hook("SessionStart", source="compact")
    take_in(cli)
    [left] = cli.ok("status")["others"]
    command = f"transaction close --imported {left['transaction_id'][:8]}"
    assert f"a person ends it: perdure {command}" in cli("status").out
    assert client.shell.run(f"perdure {command}")[0] == 1, "an agent does not"
    cli.ok(*command.split())
    assert cli.ok("status")["others"] == []
    client.command(f"perdure preflight {SURE}")
    assert client.write(cli.cwd / "new") == ""


@pytest.mark.parametrize("first", [f"preflight {SURE}", "decide 'in cents' --because 'no rounding'", "note next 'yen'"])
@pytest.mark.parametrize("imported", ["before", "after"])
def test_the_first_words_come_back_although_a_command_came_before_any_prompt(
    cli: Cli, client: RunningClient, first: str, imported: str
) -> None:
    if imported == "before":
        take_in(cli)
    client.command(f"perdure {first}")
    if imported == "before":
        assert goals(client) == [GOAL]
    client.hook("UserPromptSubmit", prompt="go on")
    if imported == "after":
        assert goals(client) == []
        take_in(cli)
    assert goals(client) == [GOAL]
    client.hook("SessionStart", source="compact")
    client.hook("UserPromptSubmit", prompt="thanks")
    assert goals(client) == [GOAL]


def test_the_first_words_come_back_after_a_command_and_a_second_loss(cli: Cli, client: RunningClient) -> None:
    client.command(f"perdure preflight {SURE}")
    lose_home(cli)
    take_in(cli)
    client.command("perdure note next 'yen'")
    assert goals(client) == [GOAL]


def test_a_person_who_types_after_the_loss_has_no_goal_of_the_client(cli: Cli, client: RunningClient) -> None:
    take_in(cli)
    cli.ok("note", "next", "yen")
    assert cli.ok("goal", "list") == []
