"""A client that was started in a folder that is no project, as with hooks in the person's own settings, and moved to a
project: it goes on there when it is resumed in the same folder (SPEC 1, 3.4, 3.7, 6.2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli, new_repository
from tests.surfaces.test_hooks import events
from tests.surfaces.test_seed_000 import Shell

SESSION, NEXT_SESSION = "0a4f0f5e-1f0b-4b57-8a5c-8a3de0b6b101", "0a4f0f5e-1f0b-4b57-8a5c-8a3de0b6b102"
SURE = "--know 0.9 --uncertainty 0.1 --because 'read it'"
GOAL = "convert the prices to euros"


class RunningClient:
    """A client with a process of its own, which runs hooks and commands below it."""

    def __init__(self, cli: Cli, folder: Path, session: str, notes: Path) -> None:
        self.shell = Shell(cli, folder)
        self.folder, self.session, self._notes = folder, session, notes
        self._said = notes.with_suffix(".said")
        self.shell.run("export CLAUDE_PID=$$")

    def hook(self, event: str, **given: Any) -> str:
        """What the model is told, or why a tool is denied."""
        content = {"session_id": self.session, "cwd": str(self.folder), "hook_event_name": event, **given}
        self._notes.write_text(json.dumps(content))
        assert self.shell.hook(event, self._notes, self._said) == (0, "")
        said = self._said.read_text()
        answer = json.loads(said)["hookSpecificOutput"] if said else {}
        told: str = answer.get("additionalContext") or answer.get("permissionDecisionReason") or ""
        return told

    def write(self, path: Path) -> str:
        return self.hook("PreToolUse", tool_name="Write", tool_input={"file_path": str(path), "content": "x"})

    def command(self, line: str) -> None:
        """A command as the client's tool runs it, with the hook after it."""
        self.shell.ok(line)
        done = {"tool_name": "Bash", "tool_input": {"command": line}, "tool_response": {"stdout": "done"}}
        self.hook("PostToolUse", **done)


class Clients:
    def __init__(self, cli: Cli, notes: Path) -> None:
        self._cli, self._notes = cli, notes
        self.made: list[RunningClient] = []

    def __call__(self, folder: Path, source: str = "startup", session: str = SESSION) -> tuple[RunningClient, str]:
        """A client that starts, and what its model is told then."""
        made = RunningClient(self._cli, folder, session, self._notes)
        self.made.append(made)
        return made, made.hook("SessionStart", source=source)


@pytest.fixture
def clients(cli: Cli, tmp_path: Path) -> Iterator[Clients]:
    found = Clients(cli, tmp_path / "given.json")
    yield found
    for each in found.made:
        each.shell.leave()


@pytest.fixture(params=["a folder", "a repository"])
def plain(tmp_path: Path, environment: dict[str, str], request: pytest.FixtureRequest) -> Path:
    """A folder that is no project."""
    folder = tmp_path / "src"
    if request.param == "a repository":
        return new_repository(folder, environment)
    folder.mkdir()
    return folder


def begun(clients: Clients, plain: Path, cli: Cli, between: str = "") -> RunningClient:
    """A client that moved from a folder that is no project to the project, and opened a transaction there."""
    client, told = clients(plain)
    assert told == ""
    client.command(f"perdure project switch '{cli.cwd}'")
    client.hook("UserPromptSubmit", prompt=GOAL)
    client.command(f"perdure preflight {SURE}")
    if between == "compact":
        client.hook("SessionStart", source="compact")
    elif between == "clear":
        client.hook("SessionEnd", reason="clear")
        client.session = NEXT_SESSION
        client.hook("SessionStart", source="clear")
    return client


@pytest.mark.parametrize("ended", ["exit", "crash"])
@pytest.mark.parametrize("between", ["", "compact", "clear"])
def test_a_client_resumed_in_a_folder_that_is_not_a_project_goes_on_in_its_project(
    cli: Cli, clients: Clients, plain: Path, between: str, ended: str
) -> None:
    first = begun(clients, plain, cli, between)
    if ended == "exit":
        first.hook("SessionEnd", reason="prompt_input_exit")
    first.shell.leave()
    again, told = clients(plain, "resume", first.session)
    assert "Continuing transaction" in told
    assert GOAL in told
    again.hook("UserPromptSubmit", prompt="words after the resume")
    again.command("perdure note next 'the yen'")
    status = again.shell.ok("perdure status")
    assert status["project_path"] == str(cli.cwd)
    assert [goal["title"] for goal in status["goals"]] == [GOAL]
    assert again.write(cli.cwd / "new") == ""
    assert "words after the resume" in [each["payload"]["text"] for each in events(cli, "prompt.given")]
    again.shell.ok(f"perdure postflight {SURE}")
    assert "You have no open transaction" in again.write(cli.cwd / "new")


def test_a_client_resumed_in_another_project_works_in_that_one(
    cli: Cli, clients: Clients, plain: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    other = Cli(new_repository(tmp_path / "other", environment), environment)
    other.ok("init")
    begun(clients, plain, cli).shell.leave()
    again, told = clients(other.cwd, "resume")
    assert str(other.cwd) in told
    assert again.shell.ok("perdure status")["project_path"] == str(other.cwd)


def test_another_client_started_in_the_same_folder_gets_nothing_of_it(cli: Cli, clients: Clients, plain: Path) -> None:
    begun(clients, plain, cli).shell.leave()
    other, told = clients(plain, "startup", NEXT_SESSION)
    assert told == ""
    assert other.shell.run("perdure status")[0] != 0
    assert other.write(cli.cwd / "new") != ""


@pytest.mark.parametrize("second_in", ["the folder", "the project"])
def test_a_second_process_with_the_same_session_is_another_instance_and_both_are_told(
    cli: Cli, clients: Clients, plain: Path, second_in: str
) -> None:
    begun(clients, plain, cli).shell.leave()
    first, _ = clients(plain, "resume")
    second, told = clients(cli.cwd if second_in == "the project" else plain, "resume")
    assert "another process" in told
    assert "another process" in first.hook("UserPromptSubmit", prompt="go on")
    assert "another process" not in first.hook("UserPromptSubmit", prompt="and on"), "once"
    assert "another process" not in second.hook("UserPromptSubmit", prompt="go on"), "once"
    assert second.write(cli.cwd / "new") != ""
    assert first.write(cli.cwd / "new") == ""
    first.shell.ok(f"perdure postflight {SURE}")


def test_status_and_gate_agree_in_a_client_that_is_resumed_after_its_project_was_moved(
    cli: Cli, clients: Clients, plain: Path
) -> None:
    begun(clients, plain, cli).shell.leave()
    moved = cli.cwd.with_name("moved")
    cli.cwd.rename(moved)
    again, told = clients(plain, "resume")
    assert "perdure project switch PATH" in told
    code, said = again.shell.run("perdure status")
    assert code == 1
    assert str(cli.cwd) in said
    assert "perdure project switch PATH" in said
    assert "perdure project switch PATH" in again.write(plain / "new")
    assert not cli.cwd.exists(), "nothing is built where the project was"
    again.shell.ok(f"perdure heal --project-path '{moved}'")
    assert again.write(moved / "new") == ""
    status = again.shell.ok("perdure status")
    assert status["project_path"] == str(moved)
    assert status["transaction"]["mine"]
    again.shell.ok(f"perdure postflight {SURE}")
    assert "You have no open transaction" in again.write(moved / "new")


# -- the first prompt, given before the client moved to a project ------------------------------------------------------


@pytest.mark.parametrize("then", ["the next prompt", "a compaction", "a tool"])
def test_a_prompt_given_before_the_move_to_a_project_is_the_original_goal(
    cli: Cli, clients: Clients, plain: Path, then: str
) -> None:
    client, _ = clients(plain)
    assert client.hook("UserPromptSubmit", prompt=GOAL) == ""
    client.hook("UserPromptSubmit", prompt="in the shop")
    if then == "a tool":
        client.command(f"perdure project switch '{cli.cwd}'")
    else:
        client.shell.ok(f"perdure project switch '{cli.cwd}'")
    if then == "the next prompt":
        client.hook("UserPromptSubmit", prompt="and now the rest")
    elif then == "a compaction":
        assert f"Goal: {GOAL}" in client.hook("SessionStart", source="compact")
    found = [(goal["title"], goal["status"]) for goal in client.shell.ok("perdure goal list")]
    assert found == [(GOAL, "original")]
    client.hook("UserPromptSubmit", prompt="thanks")
    assert [each["payload"]["title"] for each in events(cli, "goal.prompted")] == [GOAL]


def test_a_prompt_given_outside_any_project_is_masked_and_kept_until_it_is_recorded(
    cli: Cli, clients: Clients, plain: Path
) -> None:
    client, _ = clients(plain)
    client.hook("UserPromptSubmit", prompt="deploy with AKIAZ7QX3M5LPWR2TKVN to the shop")
    [kept] = (Path(cli.environment["PERDURE_HOME"]) / "early_prompts").iterdir()
    assert "AKIAZ7QX3M5LPWR2TKVN" not in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0
    client.command(f"perdure project switch '{cli.cwd}'")
    assert not kept.exists()


def test_a_prompt_of_another_client_in_that_folder_is_nobody_elses_goal(
    cli: Cli, clients: Clients, plain: Path
) -> None:
    other, _ = clients(plain, session=NEXT_SESSION)
    other.hook("UserPromptSubmit", prompt="something else")
    client, _ = clients(plain)
    client.command(f"perdure project switch '{cli.cwd}'")
    client.hook("UserPromptSubmit", prompt=GOAL)
    assert [goal["title"] for goal in client.shell.ok("perdure goal list")] == [GOAL]


# -- two processes with one session id, both in folders of no project --------------------------------------------------


@pytest.fixture
def shelf(tmp_path: Path, environment: dict[str, str]) -> Cli:
    """Another project."""
    other = Cli(new_repository(tmp_path / "shelf", environment), environment)
    other.ok("init")
    return other


def goals(client: RunningClient) -> list[str]:
    return [goal["title"] for goal in client.shell.ok("perdure goal list")]


@pytest.mark.parametrize("second_in", ["the same folder", "another folder"])
def test_each_of_two_processes_keeps_its_first_prompt_for_its_own_project(
    cli: Cli, clients: Clients, plain: Path, shelf: Cli, tmp_path: Path, second_in: str
) -> None:
    there = plain if second_in == "the same folder" else tmp_path
    first, _ = clients(plain)
    first.hook("UserPromptSubmit", prompt=GOAL)
    second, told = clients(there, "resume")
    assert "another process" in told
    second.hook("UserPromptSubmit", prompt="sort the shelf")
    assert "another process" in first.hook("UserPromptSubmit", prompt="go on")
    second.command(f"perdure project switch '{shelf.cwd}'")
    assert goals(second) == ["sort the shelf"]
    first.command(f"perdure project switch '{cli.cwd}'")
    assert goals(first) == [GOAL]


def test_two_processes_that_were_told_nothing_yet_are_told_of_each_other(clients: Clients, plain: Path) -> None:
    first, told = clients(plain)
    assert told == ""
    second, told = clients(plain, "resume")
    assert f"another process ({first.shell.pid})" in told
    assert f"another process ({second.shell.pid})" in first.hook("UserPromptSubmit", prompt=GOAL)


def test_words_of_a_process_that_ended_go_on_with_whoever_resumes_the_session(
    cli: Cli, clients: Clients, plain: Path
) -> None:
    first, _ = clients(plain)
    first.hook("UserPromptSubmit", prompt=GOAL)
    first.shell.leave()
    again, told = clients(plain, "resume")
    assert told == ""
    again.hook("UserPromptSubmit", prompt="go on")
    again.command(f"perdure project switch '{cli.cwd}'")
    assert goals(again) == [GOAL]


def test_a_process_with_a_goal_of_its_own_takes_no_words_of_another_that_ended(
    cli: Cli, clients: Clients, plain: Path, shelf: Cli
) -> None:
    begun(clients, plain, cli).shell.leave()
    first, _ = clients(plain, "resume")
    second, _ = clients(plain, "resume")
    second.hook("UserPromptSubmit", prompt="sort the shelf")
    second.shell.leave()
    first.hook("UserPromptSubmit", prompt="go on")
    first.hook("SessionStart", source="compact")
    assert goals(first) == [GOAL]
    third, _ = clients(plain, "resume")
    third.command(f"perdure project switch '{shelf.cwd}'")
    assert goals(third) == ["sort the shelf"]


def test_a_client_that_ends_outside_any_project_leaves_no_file_unless_it_was_told_something(
    cli: Cli, clients: Clients, plain: Path
) -> None:
    kept = Path(cli.environment["PERDURE_HOME"]) / "early_prompts"
    client, _ = clients(plain)
    client.hook("SessionEnd", reason="exit")
    assert list(kept.iterdir()) == []
    other, _ = clients(plain, session=NEXT_SESSION)
    other.hook("UserPromptSubmit", prompt=GOAL)
    other.hook("SessionEnd", reason="exit")
    assert len(list(kept.iterdir())) == 1
