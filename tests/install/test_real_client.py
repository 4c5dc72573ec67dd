"""What init writes, in the real client: the guard is asked, by whatever way it is installed; and not any more after
uninstall."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perdure.install.program import Program
from perdure.rehearsal.claude_code import Played
from perdure.rehearsal.messages import call, say
from tests.clients.conftest import Stage
from tests.conftest import Cli

TOUCH = [call("Bash", command="touch here"), say("done")]
ALLOWED = ("--allowedTools", "Bash")
BARE = "/usr/bin:/bin"


@pytest.fixture
def cli(repository: Path, environment: dict[str, str]) -> Cli:
    return Cli(repository, environment)


def touched(stage: Stage, *arguments: str, **variables: str) -> tuple[bool, str, Played]:
    """Whether the model's `touch` ran, what the model then read, and how it went."""
    model = stage.script(TOUCH)
    played = stage.run("go", *ALLOWED, *arguments, **variables)
    return (stage.project / "here").exists(), model.turns[1].results["toolu_1_0"], played


@pytest.mark.long
@pytest.mark.parametrize("scope", ["local", "user", "project"])
def test_the_guard_is_asked_in_every_scope_and_not_after_uninstall(any_claude: Stage, cli: Cli, scope: str) -> None:
    """tests/clients/test_mcp.py shows this in sessions that it plays anyway."""
    cli.ok("init", "--client", "claude-code", "--scope", scope)
    ran, said, played = touched(any_claude)
    assert not ran
    assert "perdure preflight" in said
    assert {run.event for run in played.hooks()} >= {"SessionStart", "UserPromptSubmit", "PreToolUse"}
    assert [(run.code, run.outcome) for run in played.hooks("PreToolUse")] == [(0, "success")]
    cli.ok("uninstall")
    ran, _, played = touched(any_claude)
    assert ran
    assert played.hooks() == []


def test_a_guard_whose_program_is_gone_denies(any_claude: Stage, cli: Cli) -> None:
    cli.ok("init", "--client", "claude-code")
    path = any_claude.project / ".claude" / "settings.local.json"
    path.write_text(path.read_text().replace(Program.find(cli.environment).paths[0], "/gone"))
    ran, said, _ = touched(any_claude)
    assert not ran
    assert "failure of the guard" in said
    assert str(path) in said


@pytest.mark.long
def test_a_guard_whose_interpreter_is_gone_blocks(claude: Stage, cli: Cli) -> None:
    """Only where the client knows `onFailure`. tests/clients/test_claude_code.py breaks this guard too."""
    cli.ok("init", "--client", "claude-code")
    path = claude.project / ".claude" / "settings.local.json"
    settings = json.loads(path.read_text())
    settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = "/gone/python"
    path.write_text(json.dumps(settings))
    ran, said, _ = touched(claude)
    assert not ran
    assert "/gone/python" in said


def test_a_committed_installation_passes_where_perdure_is_not_installed_unless_it_is_required(
    any_claude: Stage, cli: Cli
) -> None:
    cli.ok("init", "--client", "claude-code", "--scope", "project")
    (any_claude.project / ".claude" / "settings.local.json").unlink()  # a colleague's clone has only what is committed
    ran, _, played = touched(any_claude, PATH=BARE)
    assert ran
    assert "not installed" in played.hooks("SessionStart")[0].out
    (any_claude.project / "here").unlink()
    settings = any_claude.project / ".perdure" / "config.toml"
    settings.write_text("[gate]\nrequired = true\n")
    ran, said, _ = touched(any_claude, PATH=BARE)
    assert not ran, "the repository requires it"
    assert "gate.required" in said
    settings.unlink()
    cli.ok("config", "set", "gate.required", "true")
    ran, said, _ = touched(any_claude, PATH=BARE)
    assert not ran, "the person requires it"
    assert "not installed" in said


TRANSITIONS = (
    "perdure status",
    "perdure where",
    "perdure note next 'add the test'",
    "perdure preflight --know 0.8 --uncertainty 0.2 --because 'read it'",
)


def test_allow_lets_the_transitions_run_and_nothing_else(any_claude: Stage, cli: Cli) -> None:
    asked = [call("Bash", command=command) for command in TRANSITIONS]
    every = {f"toolu_{number}_0" for number in range(1, len(asked) + 1)}
    cli.ok("init", "--client", "claude-code")
    model = any_claude.script([*asked, say("done")])
    any_claude.run("go")
    assert model.turns[-1].failed == every, "never by default"
    cli.ok("init", "--client", "claude-code", "--allow")
    remove = call("Bash", command="rm -rf readme.txt")
    model = any_claude.script([*asked, remove, say("done")])
    any_claude.run("go")
    assert set(model.turns[-1].results) == {*every, "toolu_5_0"}
    assert model.turns[-1].failed == {"toolu_5_0"}, "with a transaction open, the person's own rules still decide"
    assert (any_claude.project / "readme.txt").exists()
