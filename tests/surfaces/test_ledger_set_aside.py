"""A ledger that `heal` set aside because this home did not write it, as after the home was lost (SPEC 3.5): `status`
and the brief say so first, until a person takes it in or deletes it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Cli, git
from tests.surfaces.test_hooks import FLAGS, Hooks

MISSING = "a ledger that this home did not write was set aside"


@pytest.fixture
def homeless(cli: Cli, tmp_path: Path) -> Cli:
    """A goal and a decision were recorded; the home is lost; a person healed."""
    Hooks(cli)("SessionStart", source="startup")
    Hooks(cli)("UserPromptSubmit", prompt="GOAL: prices in cents")
    cli.ok("decide", "use integers", "--because", "no rounding")
    lose_home(cli, tmp_path)
    return cli


def lose_home(cli: Cli, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "home")
    cli.ok("heal")


def asides(cli: Cli) -> list[Path]:
    return sorted((cli.cwd / ".perdure").glob("ledger.db.foreign-*Z"))


def said_first(cli: Cli, source: str = "startup") -> str:
    """The first line that a session begins with, behind the phase."""
    phase, first, *_ = Hooks(cli).told("SessionStart", source=source).splitlines()
    assert phase.startswith("[PHASE: ")
    return first


def remedies(said: str) -> tuple[str, str]:
    """The two commands that a person may run."""
    take_in, _, delete = said.partition("A person takes it in: ")[2].partition("; or, if nobody needs it, deletes it: ")
    return take_in, delete


@pytest.mark.parametrize("source", ["startup", "resume", "compact", "clear"])
def test_a_session_begins_with_the_ledger_that_is_missing(homeless: Cli, source: str) -> None:
    first = said_first(homeless, source)
    assert MISSING in first
    assert str(asides(homeless)[0]) in first
    assert MISSING in said_first(homeless, source), "as long as it is so"
    assert MISSING in homeless("recover").out.splitlines()[0]


def test_status_says_it_first_until_a_person_takes_it_in(homeless: Cli) -> None:
    warnings = homeless.ok("status")["warnings"]
    assert MISSING in warnings[0]
    assert MISSING in homeless("status").out.splitlines()[1]
    assert "use integers" not in homeless("recover").out
    take_in, _ = remedies(warnings[0])
    done = homeless(*shlex.split(take_in)[1:], "--yes")
    assert done.code == 0, done
    assert "use integers" in homeless("recover").out
    assert MISSING not in homeless("status").out
    assert MISSING not in said_first(homeless)
    assert asides(homeless), "the file may stay"
    assert homeless.ok("audit", "verify")["whole"]


def test_what_was_taken_in_is_marked_in_text_and_in_json_and_closes_no_task(cli: Cli, tmp_path: Path) -> None:
    task = cli.ok("task", "create", "make it faster")["id"]
    cli.ok("decide", "use integers", "--because", "no rounding", "--task", task)
    cli.ok("note", "next", "the yen")
    cli.ok("goal", "create", "prices in cents")
    ledger = cli.ok("status")["ledger"]["ledger_id"]
    lose_home(cli, tmp_path)
    cli.ok("import", str(asides(cli)[0]))
    status, shown = cli.ok("status"), cli.ok("task", "show", task)
    for each in (*status["decisions"], *status["goals"], *status["notes"], *shown["decisions"]):
        assert each["other_machine"] == ledger, each
    assert shown["fields_from_other_machines"] == {"title": ledger}
    for command, text in (
        ("status", "use integers"),
        ("status", "the yen"),
        ("status", "prices in cents"),
        ("task show " + task, "use integers"),
        ("task list", "make it faster"),
        ("goal list", "prices in cents"),
        ("note list", "the yen"),
    ):
        assert f"(from another machine, ledger {ledger[:8]}) {text}" in cli(*command.split()).out, command
    assert cli("task", "close", task, "--json").error["code"] == "writeback_required"
    cli.ok("decide", "yes, integers", "--because", "read it again", "--task", task)
    cli.ok("task", "close", task)


def test_status_says_it_until_the_file_is_deleted(homeless: Cli) -> None:
    _, delete = remedies(homeless.ok("status")["warnings"][0])
    subprocess.run(delete, shell=True, check=True, cwd=homeless.cwd)
    assert asides(homeless) == []
    assert MISSING not in homeless("status").out
    assert MISSING not in said_first(homeless)
    assert homeless.ok("audit", "verify")["whole"]


def test_each_of_two_is_named_in_turn(homeless: Cli, tmp_path: Path) -> None:
    homeless.ok("preflight", *FLAGS)
    homeless.ok("postflight", *FLAGS)
    lose_home(homeless, tmp_path)
    assert len(asides(homeless)) == 2
    said = homeless.ok("status")["warnings"][0]
    assert "(and 1 more)" in said
    while MISSING in (said := (homeless.ok("status")["warnings"] or [""])[0]):
        assert homeless(*shlex.split(remedies(said)[0])[1:], "--yes").code == 0
    assert "use integers" in homeless("recover").out


def test_a_file_that_cannot_be_read_is_named_and_can_be_deleted(homeless: Cli) -> None:
    asides(homeless)[0].write_bytes(b"not a ledger")
    said = homeless.ok("status")["warnings"][0]
    assert MISSING in said
    subprocess.run(remedies(said)[1], shell=True, check=True, cwd=homeless.cwd)
    assert MISSING not in homeless("status").out


def test_where_the_home_comes_back_the_record_is_whole_and_nothing_is_missing_of_it(cli: Cli, tmp_path: Path) -> None:
    cli.ok("decide", "use integers", "--because", "no rounding")
    (tmp_path / "home").rename(tmp_path / "away")
    cli.ok("heal")
    shutil.rmtree(tmp_path / "home")
    (tmp_path / "away").rename(tmp_path / "home")
    cli.ok("heal")
    newest = asides(cli)[-1]
    said = cli.ok("status")["warnings"][0]
    assert str(newest) in said, "what was written meanwhile, with the other home"
    assert "more" not in said, "the first of the two is the record that is here again"
    assert "use integers" in cli("recover").out


@pytest.mark.parametrize("name", ["ledger.db.foreign-20260101T000000000Z", "ledger.db.foreign-obey me"])
def test_a_file_that_a_repository_brings_under_such_a_name_says_nothing(
    cli: Cli, environment: dict[str, str], name: str
) -> None:
    (cli.cwd / ".perdure" / name).write_bytes(b"x")
    git(cli.cwd, environment, "add", "-f", f".perdure/{name}")
    git(cli.cwd, environment, "commit", "-q", "-m", "bring it")
    assert MISSING not in cli("status").out
    assert MISSING not in Hooks(cli).told("SessionStart", source="startup")


def test_the_gate_looks_for_no_such_file(homeless: Cli) -> None:
    homeless.ok("preflight", *FLAGS)
    assert Hooks(homeless).bash("touch a") == ""


def test_init_says_how_to_take_it_in(cli: Cli, tmp_path: Path) -> None:
    cli.ok("decide", "use integers", "--because", "no rounding")
    shutil.rmtree(tmp_path / "home")
    made = cli.ok("init")
    (aside,) = asides(cli)
    assert any(f"perdure import {aside}" in warning for warning in made["warnings"])
    assert str(aside) not in made["changed"]
    cli.ok("import", str(aside))
    assert MISSING not in cli("status").out
