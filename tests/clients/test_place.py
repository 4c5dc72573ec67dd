"""Where the real Claude Code works, in a terminal that others used before it (SPEC 3.1)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perdure.rehearsal.claude_code import quiet_home
from perdure.rehearsal.messages import say

from ..conftest import Cli, new_repository
from ..place.terminals import Pty, Shell, Terminals
from .conftest import WITHOUT_SERVERS, Stage
from .guarded import ALLOWED, PREFLIGHT, Guarded, bash


@pytest.fixture
def guarded(claude: Stage, environment: dict[str, str]) -> Guarded:
    return Guarded(claude, environment)


@pytest.fixture
def other(guarded: Guarded, environment: dict[str, str], tmp_path: Path) -> Cli:
    """A second project with the guard installed."""
    made = Cli(new_repository(tmp_path / "outreach", environment), environment)
    made.ok("init", "--client", "claude-code", "--yes")
    return made


@pytest.fixture
def shell(guarded: Guarded, other: Cli, tmp_path: Path) -> Iterator[Pty]:
    """A person's shell in a terminal of its own."""
    quiet_home(guarded.stage.home, guarded.project, other.cwd)
    terminals = Terminals(tmp_path / "typed", guarded.stage.client.environment, guarded.project)
    yield terminals.pty()
    terminals.close()


def play(shell: Shell, stage: Stage, folder: Path, prompt: str, *flags: str, code: int = 0) -> None:
    """`cd folder; claude`, a prompt, and its end."""
    words = [str(stage.client.binary), "-p", prompt, *flags, *WITHOUT_SERVERS, *ALLOWED]
    url = f"ANTHROPIC_BASE_URL={stage.client.url} HTTP_PROXY={stage.client.url} HTTPS_PROXY={stage.client.url}"
    done = shell.run(f"cd {shlex.quote(str(folder))} && {url} {shlex.join(words)} < /dev/null")
    assert done.code == code, done


def recorded(cli: Cli, kind: str) -> list[dict[str, Any]]:
    lines = cli("export", "--project-path", str(cli.cwd)).out.splitlines()
    return [event for event in map(json.loads, lines) if event["kind"] == kind]


@pytest.mark.parametrize("left_open", [True, False])
def test_the_next_client_in_the_same_terminal_works_on_the_project_it_is_started_in(
    guarded: Guarded, other: Cli, shell: Pty, left_open: bool
) -> None:
    stage = guarded.stage
    stage.script([bash(PREFLIGHT), bash("touch here"), say("done")] if left_open else [say("done")])
    play(shell, stage, guarded.project, "words for the shop")
    kept = f"cd {shlex.quote(str(guarded.project))} && perdure note finding 'still of the outreach'"
    model = stage.script([bash(PREFLIGHT), bash("touch there"), bash(kept), say("done")])
    play(shell, stage, other.cwd, "words for the outreach")
    assert f"Perdure: project outreach ({other.cwd}" in model.turns[0].text
    assert "Perdure: project shop" not in model.turns[0].text
    for cli, words in ((guarded.cli, "words for the shop"), (other, "words for the outreach")):
        assert [event["payload"]["text"] for event in recorded(cli, "prompt.given")] == [words]
    assert len(recorded(other, "transaction.opened")) == 1
    assert len(recorded(guarded.cli, "transaction.opened")) == int(left_open)
    assert (other.cwd / "there").exists(), model.turns[-1].results
    assert guarded.made("here") == left_open
    assert [event["payload"]["text"] for event in recorded(other, "note.finding")] == ["still of the outreach"]
    assert recorded(guarded.cli, "note.finding") == []
    assert "you are in" in model.turns[-1].results["toolu_3_0"].splitlines()[0]


def test_a_client_started_in_no_project_leaves_the_last_one_alone(
    guarded: Guarded, other: Cli, shell: Pty, tmp_path: Path
) -> None:
    stage, away = guarded.stage, tmp_path / "away"
    away.mkdir()
    stage.script([say("done")])
    play(shell, stage, guarded.project, "words for the shop")
    model = stage.script([say("done")])
    play(shell, stage, away, "words for nobody")
    assert "Perdure: project" not in model.turns[0].text
    assert [event["payload"]["text"] for event in recorded(guarded.cli, "prompt.given")] == ["words for the shop"]


def test_a_project_moved_between_two_clients_goes_on_where_it_lies_now(
    guarded: Guarded, shell: Pty, tmp_path: Path
) -> None:
    stage = guarded.stage
    stage.script([bash(PREFLIGHT), bash("perdure postflight --know 0.9 --uncertainty 0.1 --because done"), say("done")])
    play(shell, stage, guarded.project, "first")
    moved = tmp_path / "moved" / "shop"
    moved.parent.mkdir()
    guarded.project.rename(moved)
    model = stage.script([bash(PREFLIGHT), bash("touch here"), say("done")])
    play(shell, stage, moved, "second")
    assert (moved / "here").exists(), model.turns[-1].results
    assert not guarded.project.exists()
