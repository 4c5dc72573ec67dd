"""An agent with transactions in two projects: every command without flags means the same one, and every command that an
answer names acts on the transaction and the project that the answer speaks of (SPEC 2.5, 3.1, 4.3, 4.4, 5.1)."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.conftest import Cli, new_repository
from tests.surfaces.test_denials import REMEDY, SESSION, SURE, Bench


@pytest.fixture
def bench(cli: Cli) -> Bench:
    return Bench(cli)


@pytest.fixture
def other(bench: Bench, environment: dict[str, str], tmp_path: Path) -> Path:
    """A second project; its path must be quoted for a shell."""
    made = new_repository(tmp_path / "other shop", environment)
    bench.cli.ok("init", cwd=made)
    return made


@pytest.fixture
def plain(environment: dict[str, str], tmp_path: Path) -> Path:
    """A repository that is no project."""
    return new_repository(tmp_path / "plain", environment)


def open_both(bench: Bench, other: Path) -> tuple[str, str]:
    first = bench.cli.ok("preflight", *SURE, "--goal", "mend the cart")["transaction_id"]
    second = bench.cli.ok("preflight", *SURE, "--goal", "other work", "--project-path", str(other))["transaction_id"]
    return first, second


# -- which one is meant ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compacted", [False, True], ids=["in the same session", "after a compaction"])
def test_without_flags_check_and_postflight_mean_the_transaction_that_every_answer_names(
    bench: Bench, other: Path, compacted: bool
) -> None:
    first, second = open_both(bench, other)
    if compacted:
        bench.hooks("SessionStart", session=SESSION, source="compact")
    cli = bench.cli
    assert cli.ok("where")["transaction_id"] == first
    assert cli.ok("status")["transaction"]["transaction_id"] == first
    assert cli.ok("status")["session"]["active_transaction_id"] == first
    assert cli.ok("transaction", "status")["transaction_id"] == first
    assert f"Continuing transaction {first[:8]}" in cli("recover").out
    assert cli.ok("check", *SURE)["transaction_id"] == first
    assert cli.ok("postflight", *SURE)["transaction_id"] == first
    assert cli.ok("check", *SURE)["transaction_id"] == second, "the only one that is left"
    assert cli.ok("postflight", *SURE)["transaction_id"] == second


def test_a_check_typed_as_the_denial_names_it_clears_it_with_a_transaction_in_another_project_too(
    bench: Bench, other: Path
) -> None:
    open_both(bench, other)
    for call in (lambda: bench.bash("git reset --hard"), lambda: bench.bash(f"git -C '{other}' reset --hard")):
        denied = call()
        assert REMEDY in denied
        bench.do(denied.partition(REMEDY)[2])
        assert call() == ""


def test_where_and_status_name_what_check_and_postflight_mean_if_that_is_in_another_project(
    bench: Bench, other: Path
) -> None:
    second = bench.cli.ok("preflight", *SURE, "--project-path", str(other))["transaction_id"]
    assert bench.cli.ok("where")["acts_on"] == {"transaction_id": second, "project_path": str(other)}
    assert f"check and postflight mean {second[:8]} in" in bench.cli("where").out
    assert "check and postflight without an id mean this one" in bench.cli("status").out
    assert bench.cli.ok("transaction", "status")["transaction_id"] == second
    assert bench.cli.ok("check", *SURE)["transaction_id"] == second


def test_the_answer_to_preflight_in_another_project_says_how_check_and_postflight_name_it(
    bench: Bench, other: Path
) -> None:
    first = bench.cli.ok("preflight", *SURE)["transaction_id"]
    said = bench.cli.ok("preflight", *SURE, "--project-path", str(other))
    assert f"--project-path {shlex.quote(str(other))}" in said["message"]
    assert bench.cli.ok("postflight", *SURE, "--project-path", str(other))["transaction_id"] == said["transaction_id"]
    assert bench.cli.ok("where")["transaction_id"] == first
