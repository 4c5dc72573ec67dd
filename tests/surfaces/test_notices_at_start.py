"""What a session is told once, when it starts: it is never left out for want of room (SPEC 6.2, 12.2)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from perdure.recovery.brief import LEAST
from perdure.recovery.tokens import count
from tests.conftest import Cli
from tests.surfaces.test_forks import decide
from tests.surfaces.test_hooks import Hooks
from tests.surfaces.test_transfer import laptop

LOSSES = 16
__all__ = ["laptop"]


@pytest.fixture
def hooks(cli: Cli, laptop: Cli, tmp_path: Path) -> Hooks:
    """A project that lost its ledger, and of what it had imported the backups too: more than a brief can name."""
    cli.ok("init", "--client", "claude-code")
    for number in range(10):
        cli.ok("decide", f"decision {number}", "--because", "a long reason " * 8)
    own = ledgers(cli)
    for number in range(LOSSES):
        file = tmp_path / f"laptop-{number}.jsonl"
        laptop.ok("export", str(file))
        cli.ok("import", str(file))
        lose_ledger(laptop)
        shutil.rmtree(Path(laptop.environment["PERDURE_HOME"]) / "backups")
        laptop("heal")
    imported = ledgers(cli) - own
    lose_ledger(cli)
    for path in (Path(cli.environment["PERDURE_HOME"]) / "backups").rglob("*"):
        if path.is_file() and any(each in str(path) for each in imported):
            path.unlink()
    return Hooks(cli)


def ledgers(cli: Cli) -> set[str]:
    return {json.loads(line)["ledger_id"] for line in cli("export").out.splitlines()}


def lose_ledger(cli: Cli) -> None:
    for part in (cli.cwd / ".perdure").glob("ledger.db*"):
        part.unlink()


def test_losses_that_do_not_fit_are_told_as_far_as_they_fit_and_the_rest_is_counted(hooks: Hooks) -> None:
    told = hooks.told("SessionStart", source="startup")
    assert count(told) <= 1200
    shown = [line for line in told.splitlines() if line.startswith("Lost: ")]
    assert len(shown) >= 3, told
    rest = next(line for line in told.splitlines() if line.startswith("Not told here: "))
    assert "perdure recover --level 3" in rest
    every = hooks.cli("recover", "--level", "3").out
    for line in shown:
        assert f"lost: {line.removeprefix('Lost: ').rstrip('.…')}" in every
    assert every.count("lost: ") >= LOSSES


def test_a_loss_comes_before_a_fork(cli: Cli) -> None:
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    decide(cli, "wal")
    decide(cli, "delete")
    lose_ledger(cli)
    told = hooks.told("SessionStart", source="compact")
    assert told.index("brought back from its backup") < told.index("Fork detected")


def test_what_no_longer_guards_counts_within_the_budget_and_comes_first(hooks: Hooks) -> None:
    shutil.rmtree(hooks.cli.cwd / ".claude")
    told = hooks.told("SessionStart", source="startup")
    assert "no longer registered" in told
    assert told.index("no longer registered") < told.index("brought back")
    assert count(told) <= 1200


@pytest.mark.parametrize("tokens", [LEAST, 60, 100, 150, 400, 1200, 3000])
def test_a_brief_of_any_size_says_that_decisions_contradict_each_other(cli: Cli, tokens: int) -> None:
    decide(cli, "wal")
    decide(cli, "delete")
    for number in range(3):
        cli.ok("decide", f"decision {number}", "--because", "a long reason " * 8)
    brief = cli("recover", "--max-tokens", str(tokens)).out
    assert "fork" in brief.lower(), brief
    assert "perdure fork" in brief
    assert count(brief) <= tokens


@pytest.mark.parametrize("level", ["1", "3"])
def test_every_level_says_that_decisions_contradict_each_other(cli: Cli, level: str) -> None:
    decide(cli, "wal")
    decide(cli, "delete")
    assert "perdure fork" in cli("recover", "--level", level).out
    assert "perdure fork" in cli("status").out
