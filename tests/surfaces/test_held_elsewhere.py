"""An instance that moves to another project goes on holding what it opened, and finds it from anywhere (SPEC 3.1, 3.4,
4.4, 4.6); what another instance holds is shown as the other's, and offered to nobody while that one may live."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import lookup, sessions, transactions
from perdure.actions.record import Fact, record
from perdure.actions.request import Request, ResolvedRequest
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import Refused
from perdure.model import payload as p
from perdure.model.ids import InstanceId, SessionId, TransactionId, new_id
from perdure.model.moment import HOUR, Moment, now
from perdure.place.resolve import Explicit
from perdure.place.surroundings import StatedClient
from tests.conftest import Cli, assessment, git, new_repository
from tests.faults.helpers import statuses
from tests.surfaces.looking import assert_error, nothing_written
from tests.surfaces.test_hooks import FLAGS, Hooks
from tests.surfaces.test_seed_000 import SURE, Shell


@pytest.fixture
def shells(cli: Cli) -> Iterator[list[Shell]]:
    made: list[Shell] = []
    yield made
    for shell in made:
        shell.leave()


@pytest.fixture
def left(cli: Cli, shells: list[Shell]) -> Shell:
    shells.append(Shell(cli))
    return shells[-1]


@pytest.fixture
def right(cli: Cli, shells: list[Shell]) -> Shell:
    shells.append(Shell(cli))
    return shells[-1]


def second_project(tmp_path: Path, environment: dict[str, str], name: str) -> Cli:
    made = Cli(new_repository(tmp_path / name, environment), environment)
    made.ok("init")
    return made


@pytest.fixture
def outreach(tmp_path: Path, environment: dict[str, str]) -> Cli:
    return second_project(tmp_path, environment, "outreach")


@pytest.fixture
def third(tmp_path: Path, environment: dict[str, str]) -> Cli:
    return second_project(tmp_path, environment, "third one")


def switch(shell: Shell, cli: Cli) -> Any:
    return shell.ok(f"perdure project switch '{cli.cwd}'")


def ids(found: list[dict[str, Any]]) -> list[str]:
    return [each["transaction_id"] for each in found]


# -- after a switch ----------------------------------------------------------------------------------------------------


def test_after_a_switch_every_answer_names_what_was_left_open_and_postflight_closes_it(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    opened = left.ok(f"perdure preflight {SURE} --goal 'mend the cart'")["transaction_id"]
    assert ids(switch(left, outreach)["elsewhere"]) == [opened]

    status = left.ok("perdure status")
    assert status["project_path"] == str(outreach.cwd)
    assert status["transaction"] is None
    assert [(each["transaction_id"], each["project_path"], each["goal"]) for each in status["elsewhere"]] == [
        (opened, str(cli.cwd), "mend the cart")
    ]
    assert (status["session"]["active_transaction_id"], status["session"]["transaction_project_path"]) == (
        opened,
        str(cli.cwd),
    )
    session = left.ok("perdure session show")
    assert (session["active_transaction_id"], session["transaction_project_path"]) == (opened, str(cli.cwd))
    assert ids(session["elsewhere"]) == [opened]
    for command in ("perdure status", "perdure recover", "perdure session show", "perdure transaction status"):
        said = left.run(command)[1]
        assert opened[:8] in said, command
        assert str(cli.cwd) in said.replace("~", os.environ["HOME"]), command

    closed = left.ok(f"perdure postflight {SURE}")
    assert (closed["transaction_id"], closed["project_path"]) == (opened, str(cli.cwd))
    assert left.ok("perdure status")["elsewhere"] == []
    session = left.ok("perdure session show")
    assert (session["active_transaction_id"], session["elsewhere"]) == (None, [])
    with nothing_written(cli), nothing_written(outreach):
        code, said = left.run(f"perdure postflight {SURE} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "no_open_transaction")


def test_after_preflight_in_another_project_the_first_transaction_is_not_forgotten(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    """What the gate itself advises where a file of another project would be written."""
    left.ok("perdure session start")
    first = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    second = left.ok(f"perdure preflight --project-path '{outreach.cwd}' {SURE}")
    assert second["elsewhere"] == [first]
    status = left.ok("perdure status")
    assert (status["project_path"], status["transaction"]["transaction_id"]) == (str(cli.cwd), first)
    assert ids(status["elsewhere"]) == [second["transaction_id"]]
    session = left.ok("perdure session show")
    assert (session["active_transaction_id"], session["transaction_project_path"]) == (first, str(cli.cwd))
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == first
    session = left.ok("perdure session show")
    assert session["active_transaction_id"] == second["transaction_id"]
    assert session["transaction_project_path"] == str(outreach.cwd)
    assert left.ok(f"perdure check {SURE}")["transaction_id"] == second["transaction_id"]
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == second["transaction_id"]
    assert statuses(cli.cwd) == statuses(outreach.cwd) == ["closed"]


def test_back_where_one_has_a_transaction_that_one_is_meant_not_the_last_one_opened(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    left.ok("perdure session start")
    first = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    second = left.ok(f"perdure preflight --project-path '{outreach.cwd}' {SURE}")["transaction_id"]
    assert ids(switch(left, cli)["elsewhere"]) == [second]
    assert left.ok("perdure transaction status")["transaction_id"] == first
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == first
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == second


def test_where_two_are_held_in_other_projects_postflight_names_both_and_closes_neither(
    cli: Cli, outreach: Cli, third: Cli, left: Shell
) -> None:
    first = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    switch(left, outreach)
    second = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    assert set(ids(switch(left, third)["elsewhere"])) == {first, second}
    for command in ("postflight", "check"):
        with nothing_written(cli), nothing_written(outreach), nothing_written(third):
            code, said = left.run(f"perdure {command} {SURE} --json")
        error = json.loads(said)["error"]
        assert (code, error["code"]) == (1, "ambiguous_transaction")
        for transaction, project in ((first, cli), (second, outreach)):
            assert f"{transaction[:8]} in {project.cwd}" in error["message"]
            assert f"--transaction-id {transaction[:8]}" in error["hint"]
    assert left.ok(f"perdure postflight --project-path '{cli.cwd}' {SURE}")["transaction_id"] == first
    switch(left, third)
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == second, "the only one that is left"


def test_a_project_that_is_named_is_the_only_one_meant(cli: Cli, outreach: Cli, left: Shell) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    with nothing_written(cli), nothing_written(outreach):
        code, said = left.run(f"perdure postflight --project-path '{outreach.cwd}' {SURE} --json")
    error = json.loads(said)["error"]
    assert (code, error["code"]) == (1, "no_open_transaction")
    assert error["details"]["elsewhere"] == {opened: str(cli.cwd)}
    assert f"--project-path {cli.cwd}" in error["hint"]
    assert left.ok(f"perdure postflight --project-path {cli.cwd} {SURE}")["transaction_id"] == opened


def test_a_named_instance_finds_its_transaction_from_another_project_and_from_none(
    cli: Cli, outreach: Cli, tmp_path: Path
) -> None:
    ci = {"PERDURE_INSTANCE": "ci-7"}
    nowhere = Cli(tmp_path, cli.environment)
    for place in (outreach, nowhere):
        opened = cli.ok("preflight", "-", input=assessment(), **ci)["transaction_id"]
        assert place.ok("postflight", "-", input=assessment(), **ci)["transaction_id"] == opened
    assert_error(nowhere("postflight", "-", input=assessment(), **ci), 1, kind="no_project")


def test_a_session_that_starts_elsewhere_is_told_what_the_instance_holds(cli: Cli, outreach: Cli, left: Shell) -> None:
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    opened = cli.ok("preflight", *FLAGS, "--goal", "mend the cart")["transaction_id"]
    cli.ok("project", "switch", str(outreach.cwd))
    told = hooks.told("SessionStart", source="compact")
    assert f"project outreach ({outreach.cwd}" in told
    assert f"Also yours: transaction {opened[:8]} in project {cli.cwd}" in told
    assert "mend the cart" in told
    assert "No transaction is open here." in told
    short = cli("recover", "--level", "1").out
    assert "1 of yours in other projects" in short


# -- where it cannot be asked ------------------------------------------------------------------------------------------


def test_a_project_that_was_moved_is_found_again_and_its_transaction_with_it(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    left.cd(outreach.cwd)
    switch(left, outreach)
    moved = tmp_path / "moved"
    cli.cwd.rename(moved)
    (warning,) = [each for each in left.ok("perdure status")["warnings"] if opened[:8] in each]
    assert f"{cli.cwd} is gone" in warning
    assert "perdure project switch NEW_PATH" in warning
    code, said = left.run(f"perdure postflight {SURE} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "no_open_transaction")
    assert opened[:8] in json.loads(said)["error"]["hint"]
    left.ok(f"perdure project switch '{moved}'")
    switch(left, outreach)
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == opened


@pytest.mark.parametrize("damage", ["moved", "the ledger", "the folder"])
def test_an_id_of_a_transaction_whose_project_cannot_be_read_is_not_called_unknown(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path, damage: str
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"][:8]
    left.cd(outreach.cwd)
    switch(left, outreach)
    if damage == "moved":
        cli.cwd.rename(tmp_path / "moved")
        way_out = f"perdure project switch '{tmp_path / 'moved'}'"
        told = "perdure project switch NEW_PATH"
    else:
        way_out = told = f"perdure heal --project-path {cli.cwd}"
        (cli.cwd / ".perdure" / "ledger.db").write_bytes(b"this is no database")
    if damage == "the folder":
        shutil.rmtree(cli.cwd / ".perdure")
    close = f"perdure postflight --transaction-id {opened} {SURE}"
    for command in (close, f"perdure transaction show {opened}", f"perdure transaction adopt {opened}"):
        code, said = left.run(f"{command} --json")
        error = json.loads(said)["error"]
        assert (code, error["code"]) == (1, "no_such_transaction"), command
        assert f"{opened} of this pane may still be open in {cli.cwd}" in error["message"]
        assert told in error["hint"], command
    left.ok(way_out)
    assert left.ok(close)["status"] == "closed"


def test_where_there_is_no_project_status_names_what_the_instance_holds(
    cli: Cli, outreach: Cli, tmp_path: Path
) -> None:
    """With one transaction a named instance is where that is; with two it is nowhere (SPEC 3.4)."""
    for each in (cli, outreach):
        each.environment["PERDURE_INSTANCE"] = "ci-4711"
    opened = [
        each.ok("preflight", *FLAGS, "--project-path", str(each.cwd))["transaction_id"] for each in (cli, outreach)
    ]
    (tmp_path / "away").mkdir()
    nowhere = Cli(tmp_path / "away", cli.environment)
    for words in (["status"], ["transaction", "status"]):
        error = nowhere(*words, "--json").error
        assert error["code"] == "no_project"
        for id, project in zip(opened, (cli, outreach), strict=True):
            named = f"You have {id[:8]} open in another project: name it with --project-path {project.cwd}."
            assert named in error["hint"]


@pytest.mark.parametrize("damage", ["the ledger", "the folder"])
def test_a_transaction_whose_project_is_damaged_is_named_and_the_way_out_works(
    cli: Cli, outreach: Cli, third: Cli, left: Shell, damage: str
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    switch(left, outreach)
    other = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    switch(left, third)
    if damage == "the ledger":
        (cli.cwd / ".perdure" / "ledger.db").write_bytes(b"this is no database")
    else:
        shutil.rmtree(cli.cwd / ".perdure")
    (warning,) = [each for each in left.ok("perdure status")["warnings"] if opened[:8] in each]
    way_out = f"perdure heal --project-path {cli.cwd}"
    assert way_out in warning
    with nothing_written(outreach):
        code, said = left.run(f"perdure postflight {SURE} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "ambiguous_transaction"), "which one is meant is not known"
    assert opened[:8] in said
    assert other[:8] in said
    assert left.run(way_out)[0] == 0
    assert left.ok(f"perdure postflight --transaction-id {other[:8]} {SURE}")["transaction_id"] == other
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == opened


@pytest.mark.parametrize("damage", ["moved", "without its folder"])
@pytest.mark.parametrize("stands", ["nowhere", "in the first project"])
def test_where_another_project_cannot_be_read_the_transaction_of_the_place_is_still_the_one_meant(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path, damage: str, stands: str
) -> None:
    first = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    second = left.ok(f"perdure preflight --project-path '{outreach.cwd}' {SURE}")["transaction_id"]
    left.cd(tmp_path if stands == "nowhere" else cli.cwd)
    if damage == "moved":
        outreach.cwd.rename(tmp_path / "moved")
    else:
        shutil.rmtree(outreach.cwd / ".perdure")
    assert left.ok("perdure where")["transaction_id"] == first
    assert left.ok(f"perdure check {SURE}")["transaction_id"] == first
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == first
    with nothing_written(cli):
        code, said = left.run(f"perdure postflight {SURE} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "no_open_transaction")
    assert second[:8] in json.loads(said)["error"]["hint"]
    if damage == "moved":
        left.ok(f"perdure project switch '{tmp_path / 'moved'}'")
        assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == second


def test_a_named_project_that_is_none_never_stands_for_the_one_that_is_held(
    cli: Cli, left: Shell, tmp_path: Path
) -> None:
    left.ok(f"perdure preflight {SURE}")
    with nothing_written(cli):
        code, said = left.run(f"perdure postflight --project-path '{tmp_path}' {SURE} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "no_project")


def test_check_and_postflight_say_in_which_project_they_wrote_where_one_stands_in_another(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path
) -> None:
    for _ in range(2):
        left.ok(f"perdure preflight --project-path '{cli.cwd}' {SURE}")
        left.cd(outreach.cwd)
        switch(left, outreach)
        stands = f"you are in {outreach.cwd}."
        assert (
            left.run(f"perdure check {SURE}")[1].splitlines()[0]
            == f"In {cli.cwd}, where the transaction is open; {stands}"
        )
        assert left.ok(f"perdure check {SURE}")["notice"].endswith(stands)
        said = left.run(f"perdure postflight {SURE}")[1]
        assert said.splitlines()[0] == f"In {cli.cwd}, where the transaction is open; {stands}"
    opened = left.ok(f"perdure preflight --project-path '{cli.cwd}' {SURE}")["transaction_id"]
    left.cd(tmp_path)
    assert "you are not in a project" in left.ok(f"perdure postflight --transaction-id {opened} {SURE}")["notice"]
    opened = left.ok(f"perdure preflight --project-path '{cli.cwd}' {SURE}")["transaction_id"]
    left.cd(cli.cwd)
    assert "notice" not in left.ok(f"perdure check {SURE}"), "it is where one stands"
    assert "notice" not in left.ok(f"perdure postflight {SURE}")


def test_an_agents_postflight_in_another_folder_says_whose_transaction_it_closed(cli: Cli, outreach: Cli) -> None:
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    cli.ok("preflight", *FLAGS)
    closed = cli.ok("postflight", *FLAGS, cwd=outreach.cwd)
    assert next(iter(closed)) == "notice"
    assert f"In {cli.cwd}" in closed["notice"]


def test_where_the_home_cannot_take_a_pointer_the_project_does(cli: Cli, outreach: Cli, left: Shell) -> None:
    held = Path(cli.environment["PERDURE_HOME"]) / "held"
    shutil.rmtree(held, ignore_errors=True)
    held.write_text("not a folder\n")
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    switch(left, outreach)
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == opened
    (left_over,) = (cli.cwd / ".perdure" / "held").glob("*/*")
    assert json.loads(left_over.read_text())["is_closed"], "until the home can be told"
    held.unlink()
    cli.ok("note", "finding", "x")
    assert not left_over.exists()


def test_a_pointer_that_was_lost_is_written_again_when_one_leaves(cli: Cli, outreach: Cli, left: Shell) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    shutil.rmtree(Path(cli.environment["PERDURE_HOME"]) / "held")
    switch(left, outreach)
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == opened


def test_what_was_closed_or_adopted_by_another_is_not_held_any_more(
    cli: Cli, outreach: Cli, left: Shell, right: Shell
) -> None:
    closed = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    switch(left, outreach)
    right.ok(f"perdure postflight --transaction-id {closed} {SURE}")
    assert left.ok("perdure status")["elsewhere"] == []
    switch(left, cli)
    adopted = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    switch(left, outreach)
    right.ok(f"perdure transaction adopt {adopted}")
    assert left.ok("perdure status")["elsewhere"] == []
    assert left.ok("perdure session show")["active_transaction_id"] is None
    assert left.run(f"perdure postflight {SURE}")[0] == 1
    switch(right, outreach)
    assert right.ok(f"perdure postflight {SURE}")["transaction_id"] == adopted


# -- attacks -----------------------------------------------------------------------------------------------------------


def test_a_forged_pointer_gives_nobody_a_transaction(cli: Cli, outreach: Cli, left: Shell, right: Shell) -> None:
    """Whatever a pointer says, the ledger says who holds the transaction; and no content of one is an error."""
    theirs = right.ok(f"perdure preflight {SURE}")
    left.ok("perdure session start")
    switch(left, outreach)
    mine = left.ok("perdure where")["instance_id"]
    good = {
        "instance_id": mine,
        "transaction_id": theirs["transaction_id"],
        "root": str(cli.cwd),
        "project_id": cli.ok("status")["project_id"],
        "written_at": 1,
    }
    forged = [
        good,
        {**good, "root": "/etc"},
        {**good, "root": "../.."},
        {**good, "root": 7},
        {**good, "transaction_id": "../../x"},
        {**good, "project_id": None},
        {**good, "written_at": "soon"},
        [],
    ]
    for home in (Path(cli.environment["PERDURE_HOME"]), cli.cwd / ".perdure", outreach.cwd / ".perdure"):
        folder = home / "held" / mine
        folder.mkdir(parents=True)
        for number, content in enumerate(forged):
            (folder / f"{number}.json").write_text(json.dumps(content))
        (folder / "garbage.json").write_bytes(b"\xff\0{")
        (folder / "folder.json").mkdir()
        assert left.ok("perdure status")["elsewhere"] == []
        assert left.run(f"perdure postflight {SURE}")[0] == 1
    assert right.ok("perdure transaction status")["status"] == "open"


def test_another_panes_transaction_in_another_project_is_never_offered(
    cli: Cli, outreach: Cli, left: Shell, right: Shell
) -> None:
    theirs = right.ok(f"perdure preflight {SURE}")["transaction_id"]
    left.cd(outreach.cwd)
    left.ok("perdure session start")
    switch(left, outreach)
    for command in (f"perdure postflight {SURE}", f"perdure check {SURE}", "perdure status", "perdure recover"):
        assert theirs[:8] not in left.run(command)[1], command
    assert right.ok(f"perdure postflight {SURE}")["transaction_id"] == theirs


# -- another's, in this project ----------------------------------------------------------------------------------------

AGENT = "--client claude-code"
TAKING = ("transaction adopt", "--transaction-id")


@pytest.mark.parametrize(
    "command",
    ["transaction adopt {}", f"postflight --transaction-id {{}} {SURE}"],
)
def test_an_agent_may_take_what_another_left_behind_and_nothing_of_one_that_lives(
    cli: Cli, left: Shell, right: Shell, command: str
) -> None:
    theirs = right.ok(f"perdure preflight {SURE}")["transaction_id"]
    left.ok("perdure session start")
    line = f"perdure {command.format(theirs[:8])}"
    with nothing_written(cli):
        code, said = left.run(f"{line} {AGENT} --json")
    error = json.loads(said)["error"]
    assert (code, error["code"]) == (1, "for_people")
    assert "which is running" in error["message"]
    assert "in their own terminal" in error["hint"]
    assert right.ok("perdure transaction status")["mine"]
    right.leave()
    assert left.ok(f"{line} {AGENT}")["transaction_id"] == theirs


def test_an_agent_may_not_take_what_a_named_instance_holds_and_a_person_may(cli: Cli, left: Shell) -> None:
    """Of a CI job nobody can tell whether it is gone."""
    theirs = cli.ok("preflight", "-", input=assessment(), PERDURE_INSTANCE="ci-7")["transaction_id"]
    left.ok("perdure session start")
    code, said = left.run(f"perdure transaction adopt {theirs} {AGENT} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "for_people")
    agent = Request(str(cli.cwd), cli.environment, Explicit(instance="other"), actor="claude-code")
    with open_desk(agent) as desk, pytest.raises(Refused, match="An agent may not take it over"):
        transactions.override(desk, theirs, "because I want to")
    assert left.ok(f"perdure transaction adopt {theirs}")["mine"]


@pytest.mark.parametrize("command", ["postflight", "check"])
def test_no_refusal_invites_an_agent_to_take_a_living_panes_transaction(
    cli: Cli, left: Shell, right: Shell, command: str
) -> None:
    theirs = right.ok(f"perdure preflight {SURE} --goal 'mend the cart'")["transaction_id"]
    code, said = left.run(f"perdure {command} {SURE} {AGENT}")
    assert code == 1
    assert theirs[:8] in said
    assert "mend the cart" in said
    assert not any(words in said for words in TAKING), said
    assert "perdure preflight" in said, "the way out is one's own"


def test_a_person_is_told_how_to_take_it_and_an_agent_how_to_take_what_is_orphaned(
    cli: Cli, left: Shell, right: Shell
) -> None:
    theirs = right.ok(f"perdure preflight {SURE}")["transaction_id"]
    left.ok("perdure session start")
    assert f"perdure transaction adopt {theirs[:8]}" in left.run(f"perdure postflight {SURE}")[1]
    right.leave()
    said = left.run(f"perdure postflight {SURE} {AGENT}")[1]
    assert f"perdure transaction adopt {theirs[:8]}" in said
    assert left.ok(f"perdure transaction adopt {theirs[:8]} {AGENT}")["mine"]


def test_a_living_panes_transaction_that_rests_for_long_is_offered_to_no_agent(
    cli: Cli, left: Shell, right: Shell
) -> None:
    """It is an orphan by its age (SPEC 4.6), and yet not for an agent to take: its holder lives."""
    yesterday = Moment(now() - 25 * HOUR)
    client = StatedClient("claude-code", "other", right.pid)
    with open_desk(Request(str(cli.cwd), cli.environment, stated_client=client, now=lambda: yesterday)) as desk:
        given = SelfAssessment({"know": 0.8, "uncertainty": 0.2}, "")
        theirs = transactions.preflight(desk, given).transaction.id
    left.ok("perdure session start")
    (listed,) = left.ok("perdure transaction list")
    assert (listed["orphaned"], listed["holder_alive"]) == (True, True)
    for command in ("perdure status", "perdure recover", f"perdure transaction show {theirs[:8]}"):
        said = left.run(command)[1]
        assert not any(words in said for words in TAKING), said
    cli.ok("config", "set", "transaction.orphans", "ask", "--user")
    code, said = left.run(f"perdure preflight {SURE} {AGENT}")
    assert (code, "transaction.orphans is 'ask'" in said) == (1, True), said
    assert not any(words in said for words in TAKING), said
    assert "ask the person" in said
    for command in (f"transaction adopt {theirs[:8]}", f"postflight {SURE}"):
        said = left.run(f"perdure {command} {AGENT}")[1]
        assert "ask the person" in said, said
        assert "perdure preflight" not in said, "it would be refused"
    assert f"perdure transaction adopt {theirs[:8]}" in left.run(f"perdure preflight {SURE}")[1], "a person may"
    left.ok(f"perdure transaction adopt {theirs[:8]}")
    left.ok(f"perdure postflight {SURE}")
    left.ok(f"perdure preflight {SURE} {AGENT}")


def test_status_of_a_named_project_shows_what_is_open_there_as_the_others(
    cli: Cli, outreach: Cli, left: Shell, right: Shell
) -> None:
    theirs = right.ok(f"perdure preflight {SURE} --goal 'mend the cart'")["transaction_id"]
    left.cd(outreach.cwd)
    left.ok("perdure session start")
    status = left.ok(f"perdure transaction-status --project-path '{cli.cwd}'")
    assert (status["transaction_id"], status["status"], status["mine"]) == (theirs, "open", False)
    assert (status["holder_alive"], status["goal"], status["orphaned"]) == (True, "mend the cart", False)
    assert status["project_path"] == str(cli.cwd)
    assert ids(status["others"]) == [theirs]
    code, said = left.run(f"perdure transaction-status --project-path '{cli.cwd}'")
    assert (code, "mend the cart" in said) == (0, True)
    assert not any(words in said for words in TAKING), said
    own = left.ok(f"perdure preflight --project-path '{cli.cwd}' {SURE}")["transaction_id"]
    status = left.ok(f"perdure transaction-status --project-path '{cli.cwd}'")
    assert (status["transaction_id"], status["mine"], ids(status["others"])) == (own, True, [theirs])


def test_status_in_ones_own_place_lists_the_others_and_is_none_of_them(cli: Cli, left: Shell, right: Shell) -> None:
    theirs = right.ok(f"perdure preflight {SURE} --goal 'mend the cart'")["transaction_id"]
    left.ok("perdure session start")
    code, said = left.run("perdure transaction status --json")
    status = json.loads(said)
    assert (code, status["transaction_id"], status["status"]) == (1, None, "none")
    assert [(each["transaction_id"], each["goal"]) for each in status["others"]] == [(theirs, "mend the cart")]
    for command in ("perdure transaction status", "perdure status"):
        said = left.run(command)[1]
        assert theirs[:8] in said
        assert "mend the cart" in said
        assert not any(words in said for words in TAKING), said


# -- ids across projects -----------------------------------------------------------------------------------------------


def test_status_of_a_session_is_found_in_whatever_project_it_is(
    cli: Cli, outreach: Cli, left: Shell, right: Shell, tmp_path: Path
) -> None:
    opened = right.ok(f"perdure preflight {SURE}")
    left.cd(outreach.cwd)
    left.ok("perdure session start")
    for typed in (opened["session_id"], opened["session_id"][:8]):
        status = left.ok(f"perdure transaction-status --session-id {typed}")
        assert (status["transaction_id"], status["project_path"]) == (opened["transaction_id"], str(cli.cwd))
        assert Cli(tmp_path, cli.environment).ok("transaction", "status", "--session-id", typed)["mine"] is False
    refused = outreach("transaction", "status", "--session-id", typed, "--project-path", str(outreach.cwd), "--json")
    assert_error(refused, 1, kind="no_such_session")
    nobody = outreach("transaction", "status", "--session-id", "0" * 8, "--json")
    assert_error(nobody, 1, kind="no_such_session")


def test_status_of_a_session_that_went_on_elsewhere_is_its_open_transaction(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    session = left.ok("perdure session start")["session_id"]
    left.ok(f"perdure preflight {SURE}")
    left.ok(f"perdure postflight {SURE}")
    switch(left, outreach)
    second = left.ok(f"perdure preflight {SURE}")
    assert second["session_id"] == session
    for place in (cli, outreach):
        status = place.ok("transaction", "status", "--session-id", session)
        assert (status["transaction_id"], status["status"]) == (second["transaction_id"], "open")


def _recorded(cli: Cli, *facts: Fact) -> None:
    with open_desk(Request(str(cli.cwd), cli.environment, Explicit(instance="maker"))) as desk:
        record(desk, facts)


def _session(cli: Cli, session: str) -> Fact:
    instance = InstanceId(new_id())
    return Fact(
        kind="session.started",
        payload=p.SessionStarted("startup", str(cli.cwd)),
        session_id=SessionId(session),
        transaction_id=None,
        instance_id=instance,
    )


def test_a_prefix_that_names_sessions_of_two_projects_is_refused(cli: Cli, outreach: Cli) -> None:
    twins = ["aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"]
    for place, session in zip((cli, outreach), twins, strict=True):
        _recorded(place, _session(place, session))
    refused = cli("transaction", "status", "--session-id", "aaaaaaaa", "--json")
    assert_error(refused, 1, kind="ambiguous_id")
    assert all(session in refused.error["message"] for session in twins)
    assert cli.ok("session", "show", twins[0])
    assert cli("transaction", "status", "--session-id", twins[1], "--json").json["status"] == "none"


def test_a_prefix_that_names_transactions_of_two_projects_closes_neither(
    cli: Cli, outreach: Cli, third: Cli, tmp_path: Path
) -> None:
    twins = ["bbbbbbbb-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"]
    for place, transaction in zip((cli, outreach), twins, strict=True):
        session = _session(place, new_id())
        opened = p.TransactionOpened(
            project_path=str(place.cwd),
            suffix="x",
            vectors={"know": 0.8, "uncertainty": 0.2},
            reasoning="",
            decision="proceed",
            correction={},
        )
        fact = Fact(
            kind="transaction.opened",
            payload=opened,
            session_id=session.session_id,
            transaction_id=TransactionId(transaction),
            instance_id=session.instance_id,
        )
        _recorded(place, session, fact)
    nowhere = Cli(tmp_path, cli.environment)
    with nothing_written(cli), nothing_written(outreach):
        refused = nowhere("postflight", "--transaction-id", "bbbbbbbb", "-", input=assessment())
    assert_error(refused, 1, kind="ambiguous_id")
    assert all(transaction in refused.error["message"] for transaction in twins)
    flags = ("postflight", "--transaction-id", "bbbbbbbb", "--project-path", str(outreach.cwd), "-")
    assert nowhere.ok(*flags, input=assessment())["transaction_id"] == twins[1]
    assert nowhere.ok("postflight", "--transaction-id", twins[0], "-", input=assessment())["transaction_id"] == twins[0]


# -- a project that was deleted for good, or has just been moved -------------------------------------------------------


def test_a_project_that_was_deleted_for_good_is_given_up_as_the_warning_says(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    left.cd(outreach.cwd)
    switch(left, outreach)
    shutil.rmtree(cli.cwd)
    (warning,) = [each for each in left.ok("perdure status")["warnings"] if opened[:8] in each]
    way_out = f"perdure project forget {cli.cwd}"
    assert warning.endswith(way_out)
    assert left.ok(way_out)["transactions"] == 1
    for command in ("perdure status", "perdure transaction status", "perdure session show", "perdure project list"):
        said = left.run(command)[1]
        assert opened[:8] not in said, command
        assert str(cli.cwd) not in said or "session" in command, "where a session began stays on record"
    assert left.ok(f"perdure preflight {SURE}")["project_path"] == str(outreach.cwd)
    code, said = left.run(f"{way_out} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "no_such_project")


def test_a_deleted_project_that_the_place_is_still_bound_to_is_given_up_too(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    left.cd(outreach.cwd)
    shutil.rmtree(cli.cwd)
    left.ok(f"perdure project forget {cli.cwd.name}")
    status = left.ok("perdure status")
    assert (status["project_path"], status["warnings"]) == (str(outreach.cwd), [])
    assert opened[:8] not in left.run("perdure transaction status")[1]


def test_a_project_that_is_still_there_is_not_forgotten(cli: Cli, outreach: Cli, left: Shell) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    left.cd(outreach.cwd)
    switch(left, outreach)
    for text in (str(cli.cwd), cli.cwd.name):
        code, said = left.run(f"perdure project forget '{text}' --json")
        assert (code, json.loads(said)["error"]["code"]) == (1, "project_is_there")
    shutil.rmtree(cli.cwd / ".perdure")
    code, said = left.run(f"perdure project forget '{cli.cwd}' --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "project_is_there"), "heal can bring it back"
    assert opened[:8] in left.run("perdure status")[1]


def test_just_after_a_move_the_transaction_is_told_once(cli: Cli, left: Shell, tmp_path: Path) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    left.cd(tmp_path)
    moved = tmp_path / "moved"
    cli.cwd.rename(moved)
    left.cd(moved)
    for command in ("perdure status", "perdure where", "perdure transaction status", "perdure session show"):
        said = left.run(command)[1]
        assert "may still be open" not in said, command
        assert said.count(opened[:8]) <= 1, command
    assert len(left.ok("perdure status")["warnings"]) == 1, "that heal writes the transaction's file again"
    code, said = left.run(f"perdure preflight {SURE}")
    assert (code, said.count(opened[:8])) == (1, 1)
    closed = left.run(f"perdure postflight {SURE}")[1]
    assert closed.count(opened[:8]) == 1
    assert opened[:8] not in left.run("perdure status")[1]


# -- what an answer advises next ---------------------------------------------------------------------------------------


def test_the_goal_that_a_switch_leaves_open_is_ended_by_the_command_that_is_printed(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path
) -> None:
    left.ok(f"perdure preflight {SURE} --goal 'mend the cart'")
    done = tmp_path / "done.json"
    done.write_text(assessment())
    code, said = left.run(f"perdure project switch '{outreach.cwd}' --postflight {done}")
    assert code == 0, said
    assert left.ok(_printed(said, "perdure goal done"))["status"] == "done"


def test_the_goal_of_a_transaction_closed_from_another_project_is_ended_by_the_command_that_is_printed(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    left.cd(outreach.cwd)
    left.ok("perdure session start")
    outside = f"--project-path '{cli.cwd}'"
    left.ok(f"perdure preflight {SURE} --goal 'mend the cart' {outside}")
    said = left.run(f"perdure postflight {SURE} {outside}")[1]
    assert left.ok(_printed(said, "perdure goal done"))["status"] == "done"


def _printed(said: str, command: str) -> str:
    """The command with its id and flags, as it is printed at the end of a line."""
    (line,) = [line for line in said.splitlines() if command in line]
    return command + line.partition(command)[2].rstrip(" .")


def test_adopting_while_one_holds_a_transaction_says_to_close_it_and_adopt_again(
    cli: Cli, left: Shell, right: Shell
) -> None:
    theirs = right.ok(f"perdure preflight {SURE}")["transaction_id"]
    own = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    right.leave()
    for command in ("perdure status", "perdure transaction status"):
        assert f"once yours is closed: perdure transaction adopt {theirs[:8]}" in left.run(command)[1], command
    assert f"once yours is closed: perdure transaction adopt {theirs[:8]}" in left.run("perdure recover")[1]
    code, said = left.run(f"perdure transaction adopt {theirs[:8]} --json")
    error = json.loads(said)["error"]
    assert (code, error["code"]) == (1, "transaction_open")
    assert own[:8] in error["message"]
    assert "PREFLIGHT" not in error["hint"]
    assert error["hint"].endswith(f"perdure transaction adopt {theirs[:8]}")
    left.ok(f"perdure postflight {SURE}")
    assert left.ok(f"perdure transaction adopt {theirs[:8]}")["transaction_id"] == theirs


# -- another repository where the project was --------------------------------------------------------------------------


def replaced_by_another(cli: Cli, shell: Shell, tmp_path: Path) -> Path:
    """Deletes the project, and makes another one at its path. Returns a bare copy of the deleted repository."""
    bare = tmp_path / "shop.git"
    git(tmp_path, cli.environment, "clone", "-q", "--bare", str(cli.cwd), str(bare))
    shell.cd(tmp_path)
    shutil.rmtree(cli.cwd)
    cli.cwd.mkdir()
    git(cli.cwd, cli.environment, "init", "-q")
    (cli.cwd / "other.txt").write_text("another repository\n")
    git(cli.cwd, cli.environment, "add", ".")
    git(cli.cwd, cli.environment, "commit", "-q", "-m", "another first commit")
    cli.ok("init", "--no-client")
    return bare


@pytest.mark.parametrize("stands", ["at the old path", "in a third project"])
def test_a_held_transaction_is_found_in_the_clone_although_another_repository_stands_at_its_old_path(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path, stands: str
) -> None:
    opened = left.ok(f"perdure preflight {SURE} --goal 'mend the cart'")["transaction_id"]
    bare = replaced_by_another(cli, left, tmp_path)
    clone = tmp_path / "shop-new"
    git(tmp_path, cli.environment, "clone", "-q", str(bare), str(clone))
    assert cli.ok("init", "--no-client", cwd=clone)["restored_events"] > 0
    left.cd(cli.cwd if stands == "at the old path" else outreach.cwd)
    if stands == "in a third project":
        switch(left, outreach)
    status = left.ok("perdure status")
    assert (status["transaction"], status["warnings"]) == (None, [])
    assert [(each["transaction_id"], each["project_path"]) for each in status["elsewhere"]] == [(opened, str(clone))]
    assert opened[:8] in left.run("perdure recover")[1]
    closed = left.ok(f"perdure postflight {SURE}")
    assert (closed["transaction_id"], closed["project_path"]) == (opened, str(clone))
    assert left.ok("perdure status")["elsewhere"] == []


@pytest.mark.parametrize("stands", ["at the old path", "in a third project"])
def test_a_held_transaction_whose_project_was_replaced_by_another_is_named_and_each_way_out_works(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path, stands: str
) -> None:
    project_id = left.ok("perdure project show")["project_id"]
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    bare = replaced_by_another(cli, left, tmp_path)
    left.cd(cli.cwd if stands == "at the old path" else outreach.cwd)
    if stands == "in a third project":
        switch(left, outreach)
    (warning,) = [each for each in left.ok("perdure status")["warnings"] if opened[:8] in each]
    assert "another project is there now" in warning
    assert "perdure init" in warning
    way_out = f"perdure project forget {project_id[:8]}"
    assert warning.endswith(way_out)
    clone = tmp_path / "shop-new"
    git(tmp_path, cli.environment, "clone", "-q", str(bare), str(clone))
    cli.ok("init", "--no-client", cwd=clone)
    assert left.ok("perdure status")["warnings"] == []
    code, said = left.run(f"{way_out} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "project_is_there"), "it is in the clone"
    shutil.rmtree(clone)
    assert left.ok(way_out)["transactions"] == 1
    assert opened[:8] not in left.run("perdure status")[1]
    listed = {each["project_path"] for each in left.ok("perdure project list")}
    assert listed == {str(cli.cwd), str(outreach.cwd)}, "those that are there stay"
    assert left.ok(f"perdure preflight {SURE}")["transaction_id"] != opened


def test_a_transaction_of_a_project_that_was_deleted_and_replaced_is_given_up_by_its_id(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path
) -> None:
    project_id = left.ok("perdure project show")["project_id"]
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    replaced_by_another(cli, left, tmp_path)
    left.cd(cli.cwd)
    code, said = left.run(f"perdure project forget '{cli.cwd}' --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "project_is_there")
    assert opened[:8] in left.run("perdure status")[1]
    assert left.ok(f"perdure project forget {project_id[:8]}")["transactions"] == 1
    assert opened[:8] not in left.run("perdure status")[1]
    assert left.ok("perdure project show")["project_path"] == str(cli.cwd), "the place stays bound to what is there"


def test_what_is_read_in_the_clone_counts_for_the_transaction_that_was_opened_at_the_old_path(
    cli: Cli, outreach: Cli, tmp_path: Path
) -> None:
    hooks = Hooks(outreach)
    hooks("SessionStart", source="startup")
    unsure = ("--know", "0.3", "--uncertainty", "0.8", "--because", "have not looked yet")
    outreach.ok("preflight", *unsure, "--project-path", str(cli.cwd))
    moved = tmp_path / "moved"
    cli.cwd.rename(moved)
    cli.ok("init", "--no-client", cwd=moved)
    hooks("PostToolUse", tool_name="Read", tool_input={"file_path": str(moved / "readme.txt")}, tool_response={})
    assert outreach.ok("check", *FLAGS, "--project-path", str(moved))["decision"] == "proceed"


# -- a client that works in a second project for a while --------------------------------------------------------------


def test_the_way_out_of_a_denial_about_a_second_project_does_not_move_the_client_there(cli: Cli, outreach: Cli) -> None:
    """SPEC 3.1: three things move a place, and `--project-path` is none of them."""
    outside = ("--project-path", str(outreach.cwd))
    outreach.ok("goal", "create", "write to everybody", *outside, PERDURE_INSTANCE="another")
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    first = cli.ok("preflight", *FLAGS, "--goal", "mend the cart")["transaction_id"]
    assert f"--project-path {outreach.cwd}" in hooks.bash(f"touch {outreach.cwd}/letter")
    second = cli.ok("preflight", *FLAGS, *outside)["transaction_id"]
    assert hooks.bash(f"touch {outreach.cwd}/letter") == "", "the gate finds it by the instance"
    assert hooks.bash("touch cart") == ""
    assert cli.ok("where")["project_path"] == str(cli.cwd)

    hooks("UserPromptSubmit", prompt="and now the cart again")
    assert cli.ok("postflight", *FLAGS, *outside)["transaction_id"] == second
    told = hooks.told("SessionStart", source="compact")
    assert "mend the cart" in told
    assert "write to everybody" not in told
    hooks("UserPromptSubmit", prompt="go on with the cart")
    for project, prompts in ((cli, ["and now the cart again", "go on with the cart"]), (outreach, [])):
        exported = [json.loads(line) for line in project("export", "--project-path", str(project.cwd)).out.splitlines()]
        assert [e["payload"]["text"] for e in exported if e["kind"] == "prompt.given"] == prompts
    assert cli.ok("postflight", *FLAGS)["transaction_id"] == first
    assert cli.ok("preflight", *FLAGS)["project_path"] == str(cli.cwd)


def test_a_transaction_adopted_and_a_session_begun_in_a_second_project_do_not_move_the_client(
    cli: Cli, outreach: Cli
) -> None:
    gone = Shell(outreach)
    left = gone.ok(f"perdure preflight {SURE}")["transaction_id"]
    gone.leave()
    Hooks(cli)("SessionStart", source="startup")
    outside = ("--project-path", str(outreach.cwd))
    assert cli.ok("transaction", "adopt", left[:8], *outside)["transaction_id"] == left
    assert cli.ok("where")["project_path"] == str(cli.cwd)
    cli.ok("session", "start", *outside)
    assert cli.ok("where")["project_path"] == str(cli.cwd)
    assert cli.ok("postflight", *FLAGS)["transaction_id"] == left


def test_what_is_read_in_a_second_project_counts_for_the_transaction_that_is_open_there(
    cli: Cli, outreach: Cli
) -> None:
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    outside = ("--project-path", str(outreach.cwd))
    unsure = ("--know", "0.3", "--uncertainty", "0.8", "--because", "have not looked yet")
    assert cli.ok("preflight", *unsure, *outside)["gate"]["decision"] == "investigate"
    assert cli("check", *FLAGS, *outside, "--json").json["decision"] == "investigate", "nothing was learned"
    hooks("PostToolUse", tool_name="Read", tool_input={"file_path": str(outreach.cwd / "readme.txt")}, tool_response={})
    assert cli.ok("check", *FLAGS, *outside)["decision"] == "proceed"
    assert hooks.bash(f"touch {outreach.cwd}/letter") == ""


def test_a_command_run_in_a_second_project_is_on_record_where_the_transaction_is_open(cli: Cli, outreach: Cli) -> None:
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    cli.ok("preflight", *FLAGS)
    second = cli.ok("preflight", *FLAGS, "--project-path", str(outreach.cwd))["transaction_id"]
    ran = {"tool_name": "Bash", "tool_response": {"stdout": "1 passed"}}
    hooks("PostToolUse", tool_input={"command": "pytest -q there"}, cwd=str(outreach.cwd), **ran)
    hooks("PostToolUse", tool_input={"command": "pytest -q here"}, **ran)
    seen = {}
    for project in (cli, outreach):
        exported = [json.loads(line) for line in project("export", "--project-path", str(project.cwd)).out.splitlines()]
        for event in exported:
            if event["kind"] == "command.run":
                seen[event["payload"]["command"]] = (event["project_id"], event["transaction_id"])
    assert set(seen) == {"pytest -q there", "pytest -q here"}
    assert seen["pytest -q there"][1] == second
    assert seen["pytest -q here"][1] != second


def test_a_session_that_ended_is_not_running_in_a_project_that_it_only_named(left: Shell, outreach: Cli) -> None:
    session = left.ok("perdure session start --json")["session_id"]
    left.ok(f"perdure note finding 'from afar' --project-path '{outreach.cwd}' --json")
    assert _ended(outreach, session) is False
    left.ok("perdure session end --json")
    assert _ended(outreach, session) is True


def _ended(cli: Cli, session: str) -> bool:
    (found,) = [each for each in cli.ok("session", "list") if each["session_id"] == session]
    return found["ended_at"] is not None


def _end_and_die_before(shell: Shell, step: str) -> None:
    """`session end` in a process that is killed when it comes to this step."""
    program = (
        f"import os, sys; from perdure.actions import sessions; sessions.{step} = lambda *_: os._exit(9); "
        "from perdure.__main__ import main; sys.exit(main())"
    )
    code, said = shell.run(f"{shlex.quote(sys.executable)} -c '{program}' session end")
    assert code == 9, said


def _session_of_a_note(cli: Cli, words: str) -> str:
    lines = cli("export", "--project-path", str(cli.cwd)).out.splitlines()
    (found,) = [e for e in map(json.loads, lines) if e["kind"] == "note.finding" and e["payload"]["text"] == words]
    return str(found["session_id"])


def test_a_session_whose_end_was_cut_short_is_not_joined_in_a_project_that_it_only_named(
    left: Shell, outreach: Cli
) -> None:
    session = left.ok("perdure session start --json")["session_id"]
    left.ok(f"perdure note finding 'from afar' --project-path '{outreach.cwd}' --json")
    _end_and_die_before(left, "_end_where_named")
    left.ok(f"perdure note finding 'afterwards' --project-path '{outreach.cwd}' --json")
    assert _session_of_a_note(outreach, "from afar") == session
    assert _session_of_a_note(outreach, "afterwards") != session
    assert _ended(outreach, session) is True


def test_a_session_whose_end_was_cut_short_is_not_joined_in_the_project_that_it_came_from(
    cli: Cli, left: Shell, outreach: Cli
) -> None:
    session = left.ok("perdure session start --json")["session_id"]
    switch(left, outreach)
    left.ok("perdure note finding 'over there' --json")
    _end_and_die_before(left, "_end_elsewhere")
    left.ok(f"perdure note finding 'afterwards' --project-path '{cli.cwd}' --json")
    assert _session_of_a_note(outreach, "over there") == session
    assert _session_of_a_note(cli, "afterwards") != session
    assert _ended(cli, session) is True


def _break(root: Path, how: str) -> None:
    ledger = root / ".perdure" / "ledger.db"
    if how == "deleted":
        shutil.rmtree(root)
    elif how == "no record":
        shutil.rmtree(root / ".perdure")
    elif how == "no ledger":
        ledger.unlink()
    elif how == "no words":
        ledger.write_bytes(b"not a ledger" * 999)
    elif how == "a folder":
        ledger.unlink()
        ledger.mkdir()
    elif how == "no id":
        (root / ".perdure" / "project.toml").write_bytes(b"\xff\xfe = [")
    elif how == "a file":
        shutil.rmtree(root)
        root.write_text("a file now")
    else:
        shutil.rmtree(root / ".perdure")
        (root / ".perdure").symlink_to("nowhere")


@pytest.mark.parametrize("broken", ["came from", "only named"])
@pytest.mark.parametrize(
    "how", ["deleted", "no record", "no ledger", "no words", "a folder", "no id", "a file", "dangling link"]
)
def test_a_project_that_cannot_be_read_does_not_keep_a_session_from_ending_elsewhere(
    cli: Cli, left: Shell, outreach: Cli, third: Cli, how: str, broken: str
) -> None:
    session = left.ok("perdure session start --json")["session_id"]
    if broken == "came from":
        switch(left, outreach)
        left.ok("perdure note finding 'over there' --json")
        lost, ends_in = cli, [outreach, third]
    else:
        left.ok(f"perdure note finding 'from afar' --project-path '{outreach.cwd}' --json")
        lost, ends_in = outreach, [cli, third]
    left.ok(f"perdure note finding 'also here' --project-path '{third.cwd}' --json")
    left.run(f"cd '{ends_in[0].cwd}'")
    _break(lost.cwd, how)
    left.ok("perdure session end --json")
    assert [_ended(each, session) for each in ends_in] == [True, True]


def test_the_end_of_a_session_opens_no_project_that_was_not_written_since_it_started(
    cli: Cli, outreach: Cli, third: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (third.cwd / ".perdure").glob("ledger.db*"):
        os.utime(path, (1, 1))
    asked: list[str] = []
    open_there = lookup.open_desk_at

    def opened(resolved: ResolvedRequest, root: str, *, writable: bool = True) -> Desk:
        asked.append(root)
        return open_there(resolved, root, writable=writable)

    monkeypatch.setattr(lookup, "open_desk_at", opened)
    with open_desk(Request(str(cli.cwd), cli.environment, Explicit(instance="one"))) as desk:
        sessions.start(desk)
        os.utime(outreach.cwd / ".perdure" / "ledger.db")
        sessions.end(desk, None, "exit")
    assert str(outreach.cwd) in asked
    assert str(third.cwd) not in asked
