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
        code, said = self.shell.run(f"perdure hook {event} < '{self._notes}' > '{self._said}'")
        assert (code, said) == (0, "")
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
def test_a_client_resumed_in_a_folder_that_is_no_project_goes_on_in_its_project(
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
    if second_in == "the project":
        assert "another process" in told
        assert "another process" in first.hook("UserPromptSubmit", prompt="go on")
    assert second.write(cli.cwd / "new") != ""
    assert first.write(cli.cwd / "new") == ""
    first.shell.ok(f"perdure postflight {SURE}")


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
    kept = Path(cli.environment["PERDURE_HOME"]) / "early_prompts" / f"{SESSION}.json"
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
