"""An agent with transactions in two projects: every command without flags means the same one, and every command that an
answer names acts on the transaction and the project that the answer speaks of (SPEC 2.5, 3.1, 4.3, 4.4, 5.1)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Cli, new_repository
from tests.surfaces.bench import REMEDY, SESSION, SURE, UNSURE, Bench
from tests.surfaces.test_hooks import events
from tests.surfaces.test_seed_000 import Shell


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


# -- what an answer advises --------------------------------------------------------------------------------------------

VERBS = "preflight|check|postflight|recover|note finding|note failed|goal done|transaction adopt|transaction show"
ADVISED = re.compile(
    rf"perdure (?:{VERBS})(?: (?:--[a-z-]+|'[^']*'|[KU]\b|[0-9a-f]{{8}}\b|/[^\s;,)]+))*",
)
ORDER = ("note", "check", "recover", "postflight", "goal")
"""In this order what was advised is typed: what closes the transaction last."""


def advised(text: str) -> list[str]:
    """The commands that an answer names, as an agent would type them: with numbers and words of its own."""
    found = [match[0] for match in ADVISED.finditer(text)]
    filled = [line.replace(" K", " 0.9").replace(" U", " 0.1") for line in dict.fromkeys(found)]
    return [line.replace("'…'", f"'what {number} says'") for number, line in enumerate(filled)]


Run = Callable[[str], tuple[int, str]]


def follow_every_advice(run: Run, flag: str) -> list[str]:
    """Opens a transaction that must be investigated, asks what there is to ask about it, and types everything that the
    answers advise. Returns what was typed."""
    unsure, sure = shlex.join(UNSURE), shlex.join(SURE)
    said = ""
    for asked in (f"preflight {unsure} --goal 'mend it'", f"check {sure}", f"preflight {sure}", "recover", "status"):
        said += run(f"perdure {asked}{flag}")[1]
    typed = []
    for kind in ORDER:
        for line in advised(said):
            if line.split()[1] == kind and line not in typed:
                code, answer = run(line)
                assert code == 0, (line, answer)
                said += answer if kind == "postflight" else run(f"perdure recover{flag}")[1]
                typed.append(line)
                if kind == "postflight":
                    break
    return typed


def test_whatever_is_advised_about_a_transaction_in_another_project_acts_there(bench: Bench, other: Path) -> None:
    """An agent that works in one project and opens a transaction in another one, which it names."""

    def run(line: str) -> tuple[int, str]:
        assert bench.bash(line) == "", "the way out is never blocked"
        done = bench.cli(*shlex.split(line)[1:])
        return done.code, done.out + done.err

    typed = follow_every_advice(run, f" --project-path {shlex.quote(str(other))}")
    assert events(bench.cli, "note.finding", "note.failed", "goal.done", "transaction.checked") == []
    assert {line.split()[1] for line in typed} == {"note", "check", "postflight", "goal"}
    assert bench.cli.ok("status", "--project-path", str(other))["goals"] == []


@pytest.fixture
def shell(cli: Cli) -> Iterator[Shell]:
    made = Shell(cli)
    yield made
    made.leave()


@pytest.mark.parametrize("stands", ["in a repository that is no project", "in another project"])
def test_whatever_is_advised_to_a_person_who_stands_elsewhere_acts_on_their_transaction(
    cli: Cli, shell: Shell, plain: Path, environment: dict[str, str], tmp_path: Path, stands: str
) -> None:
    folder = plain
    if stands == "in another project":
        folder = new_repository(tmp_path / "another", environment)
        cli.ok("init", cwd=folder)
    where = Cli(folder, environment)
    shell.ok(f"perdure preflight {shlex.join(UNSURE)} --goal 'mend it'")
    shell.cd(folder)
    before = None if folder == plain else where.ok("status")["ledger"]["seq"]
    typed = follow_every_advice(shell.run, "")
    assert {line.split()[1] for line in typed} == {"note", "check", "postflight", "goal"}
    if before is not None:
        assert where.ok("status")["ledger"]["seq"] == before
    assert cli.ok("status")["goals"] == []


def test_a_list_that_a_refusal_names_is_that_of_the_project_which_was_named(bench: Bench, other: Path) -> None:
    for words in (("goal", "done", "0" * 8), ("note", "close", "0" * 8), ("transaction", "show", "0" * 8)):
        said = bench.cli(*words, "--project-path", str(other), "--json")
        assert f"list --project-path {shlex.quote(str(other))} lists them" in said.error["hint"], words


def test_a_transaction_left_behind_in_a_named_project_is_adopted_as_every_answer_says(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    there = new_repository(tmp_path / "other shop", environment)
    cli.ok("init", cwd=there)
    gone = Shell(cli, cwd=there)
    left = gone.ok(f"perdure preflight {shlex.join(SURE)}")["transaction_id"]
    gone.leave()
    bench = Bench(cli)
    flag = f"--project-path {shlex.quote(str(there))}"
    for words in (("status",), ("transaction", "status"), ("recover",), ("check", *SURE)):
        said = cli(*words, "--project-path", str(there))
        assert f"perdure transaction adopt {left[:8]} {flag}" in said.out + said.err, words
    bench.do(f"perdure transaction adopt {left[:8]} {flag}")
    assert cli.ok("check", *SURE)["transaction_id"] == left
