"""Every edge case of seed 000 §5 through the real command line, and what SPEC 3.4 and 4.4 to 4.6 say about them.

Places are real: a shell that stays is a process of its own, fed line by line, and when it has gone its instance is
dead. Only where a test is not about places does it name an instance.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import transactions
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import open_desk
from perdure.model.moment import HOUR, Moment, now
from perdure.place.resolve import Explicit
from tests import preloaded
from tests.conftest import Cli, assessment, new_repository
from tests.faults.helpers import events_of, statuses, transaction_files, wait_until
from tests.preloaded import Place
from tests.surfaces.looking import assert_error, assert_said_to_a_person, nothing_written

SURE = "--know 0.8 --uncertainty 0.2"
SESSION_FIELDS = ("active_transaction_id", "transaction_project_path")


class Shell:
    """A shell that stays, as in a terminal: what it runs is run from one and the same place.

    Where the tests can fork commands, the process that stays is a `Place` under the shell's name, and a command of
    Perdure's is forked from it. Any other line is run by a shell below it. Variables and folder are kept here."""

    def __init__(self, cli: Cli, cwd: Path | None = None, program: str = "bash") -> None:
        self._cli = cli
        self._folder = cwd or cli.cwd
        self._variables = {name: text for name, text in cli.environment.items() if name != "PERDURE_INSTANCE"}
        words = [program, "--norc", "--noprofile", "-s"]
        self._process: subprocess.Popen[str] | Place
        if preloaded.is_possible(self._variables):
            self._process = Place(words, cwd=self._folder, env=self._variables)
        else:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
            self._process = subprocess.Popen(words, cwd=self._folder, env=self._variables, text=True, **pipes)  # type: ignore[call-overload]
        self.pid = self._process.pid

    def run(self, line: str) -> tuple[int, str]:
        """Its exit code, and what it printed. `perdure` is the program under test."""
        if not isinstance(self._process, Place):
            return self._run_in_shell(self._process, line)
        first, _, rest = line.partition(" ")
        if first in ("export", "unset", "cd"):
            return self._remember(first, rest)
        words = _plain_words(line)
        is_ours = words is not None and words[0] == "perdure"
        if not is_ours:
            words = ["", "bash", "-c", line.replace("perdure ", " ".join(self._cli.command()) + " ", 1)]
        assert words
        place, where = self._process, {"cwd": self._folder, "env": self._variables}
        done = preloaded.run(words[1:], **where, input=b"", timeout=60, place=place, is_ours=is_ours, together=True)
        return done.returncode, done.stdout.decode()

    def hook(self, event: str, given: Path, said: Path) -> tuple[int, str]:
        """A hook that reads one file and writes another. Its exit code, and its errors."""
        if not isinstance(self._process, Place):
            return self.run(f"perdure hook {event} < '{given}' > '{said}'")
        where = {"cwd": self._folder, "env": self._variables, "input": given.read_bytes(), "timeout": 60}
        done = preloaded.run(["hook", event], **where, place=self._process)  # type: ignore[arg-type]
        said.write_bytes(done.stdout)
        return done.returncode, done.stderr.decode()

    def _remember(self, verb: str, rest: str) -> tuple[int, str]:
        name, _, text = rest.partition("=")
        if verb == "export":
            self._variables[name] = text.replace("$$", str(self.pid))
        elif verb == "unset":
            self._variables.pop(name, None)
        else:
            (folder,) = shlex.split(rest)
            self._folder = self._folder / folder
        return 0, ""

    def _run_in_shell(self, process: subprocess.Popen[str], line: str) -> tuple[int, str]:
        assert process.stdin is not None
        assert process.stdout is not None
        program = " ".join(self._cli.command())
        process.stdin.write(f'{line.replace("perdure ", program + " ", 1)}\necho "<<$?>>"\n')
        process.stdin.flush()
        said = ""
        for part in process.stdout:
            if part.startswith("<<"):
                return int(part.strip("<>\n")), said
            said += part
        raise AssertionError(f"the shell died: {said}")

    def ok(self, line: str) -> Any:
        code, said = self.run(f"{line} --json")
        assert code == 0, (line, said)
        return json.loads(said)

    def cd(self, folder: Path) -> None:
        assert self.run(f"cd '{folder}'") == (0, "")

    def kill(self) -> None:
        """The terminal is gone without a word."""
        self._process.kill()
        self._process.wait(timeout=20)

    def leave(self) -> None:
        """The terminal is closed; the kernel has taken the process away when this returns."""
        if self._process.poll() is None and self._process.stdin:
            self._process.stdin.close()
            self._process.wait(timeout=20)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()


def _plain_words(line: str) -> list[str] | None:
    """The words of a command in which nothing is for a shell to do."""
    if "$" in line or "`" in line:
        return None
    words = list(shlex.shlex(line, posix=True, punctuation_chars=True))
    return None if any(set(word) <= set("();<>|&") for word in words if word) else shlex.split(line)


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


@pytest.fixture
def outreach(tmp_path: Path, environment: dict[str, str]) -> Cli:
    """A second project."""
    made = Cli(new_repository(tmp_path / "outreach", environment), environment)
    made.ok("init")
    return made


def _closed_events(root: Path) -> list[dict[str, Any]]:
    return [dict(event.payload or {}) for event in events_of(root) if event.kind == "transaction.closed"]


# -- 5.1 compact without POSTFLIGHT ------------------------------------------------------------------------------------


def test_seed_000_5_1_a_transaction_lives_through_a_compaction_and_is_closed_by_the_session_after_it(
    cli: Cli, left: Shell
) -> None:
    first = left.ok("perdure session start --source startup")["session_id"]
    opened = left.ok(f"perdure preflight {SURE}")
    assert opened["session_id"] == first
    file_before = transaction_files(cli.cwd)

    assert left.ok("perdure session end --reason compact")["open_transaction_id"] == opened["transaction_id"]
    assert transaction_files(cli.cwd) == file_before, "the file survives the compaction"
    second = left.ok("perdure session start --source compact")
    assert second["parent_id"] == first
    assert second["transaction_id"] == opened["transaction_id"]
    status = left.ok("perdure transaction status")
    assert status["transaction_id"] == opened["transaction_id"]
    assert status["sessions_touched"] == [first], "looking is not touching"

    left.ok("perdure note finding 'work goes on'")
    assert left.ok("perdure transaction status")["sessions_touched"] == [first, second["session_id"]]
    closed = left.ok(f"perdure postflight {SURE}")
    assert closed["transaction_id"] == opened["transaction_id"]
    assert closed["sessions_touched"] == [first, second["session_id"]]
    assert closed["postflight_session_id"] == second["session_id"]
    (content,) = transaction_files(cli.cwd).values()
    assert json.loads(content)["status"] == "closed"
    assert json.loads(content)["preflight_session_id"] == first


def test_seed_000_5_1_through_three_compactions_every_session_that_acted_is_named_once(cli: Cli, left: Shell) -> None:
    opened = left.ok(f"perdure preflight {SURE}")
    sessions = [opened["session_id"]]
    for _ in range(3):
        sessions.append(left.ok("perdure session start --source compact")["session_id"])
        left.ok("perdure finding 'still here'")
        left.ok("perdure finding 'and here'")
    assert left.ok(f"perdure postflight {SURE}")["sessions_touched"] == sessions


def test_seed_000_5_1_the_transaction_is_named_to_the_session_that_follows_in_words(cli: Cli, left: Shell) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    code, said = left.run("perdure session end --reason compact")
    assert code == 0
    assert f"Transaction {opened[:8]} stays open" in said
    code, said = left.run("perdure session start --source compact")
    assert code == 0
    assert f"Continuing transaction {opened[:8]} from project {cli.cwd}" in said


def test_seed_000_5_1_a_session_named_explicitly_closes_what_it_stored(cli: Cli, left: Shell, right: Shell) -> None:
    """From another place, by the session's id: its record knows the transaction (SPEC 3.4)."""
    opened = left.ok(f"perdure preflight {SURE}")
    session = left.ok("perdure session show")
    assert session["active_transaction_id"] == opened["transaction_id"]
    assert session["transaction_project_path"] == str(cli.cwd)
    status = right.ok(f"perdure transaction status --session-id {opened['session_id']}")
    assert status["transaction_id"] == opened["transaction_id"]
    closed = right.ok(f"perdure postflight --transaction-id {opened['transaction_id']} {SURE}")
    assert closed["transaction_id"] == opened["transaction_id"]
    after = left.ok("perdure session show")
    assert [after[field] for field in SESSION_FIELDS] == [None, None], "cleared at closing"


# -- 5.2 several projects, several transactions ------------------------------------------------------------------------


def test_seed_000_5_2_two_projects_have_their_own_transactions_side_by_side(
    cli: Cli, outreach: Cli, left: Shell, right: Shell
) -> None:
    right.cd(outreach.cwd)
    here, there = left.ok(f"perdure preflight {SURE}"), right.ok(f"perdure preflight {SURE}")
    assert here["project_path"] == str(cli.cwd)
    assert there["project_path"] == str(outreach.cwd)
    assert here["transaction_id"] != there["transaction_id"]
    assert statuses(cli.cwd) == statuses(outreach.cwd) == ["open"]
    assert left.ok("perdure transaction status")["transaction_id"] == here["transaction_id"]
    assert right.ok("perdure transaction status")["transaction_id"] == there["transaction_id"]
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == here["transaction_id"]
    assert statuses(outreach.cwd) == ["open"]
    assert right.ok(f"perdure postflight {SURE}")["transaction_id"] == there["transaction_id"]


def test_seed_000_5_2_cd_into_another_project_changes_nothing(cli: Cli, outreach: Cli, left: Shell) -> None:
    opened = left.ok(f"perdure preflight {SURE}")
    left.cd(outreach.cwd)
    assert left.ok("perdure where")["project_path"] == str(cli.cwd)
    assert left.ok("perdure transaction status")["transaction_id"] == opened["transaction_id"]
    assert left.ok(f"perdure check {SURE}")["transaction_id"] == opened["transaction_id"]
    assert left.ok(f"perdure postflight {SURE}")["project_path"] == str(cli.cwd)
    assert statuses(outreach.cwd) == []


def test_seed_000_5_2_one_instance_may_have_a_transaction_open_in_each_of_two_projects(cli: Cli, outreach: Cli) -> None:
    place = {"PERDURE_INSTANCE": "pane"}
    here = cli.ok("preflight", "-", input=assessment(), **place)
    refused = outreach("preflight", "-", input=assessment(), **place)
    assert_error(refused, 1, here["transaction_id"][:8])
    assert "--project-path" in refused.error["hint"], "where one stands does not override what is open"
    there = outreach.ok("preflight", "-", "--project-path", str(outreach.cwd), input=assessment(), **place)
    assert_error(cli("preflight", "-", input=assessment(), **place), 1, here["transaction_id"][:8])
    assert cli.ok("postflight", "-", input=assessment(), **place)["transaction_id"] == here["transaction_id"]
    assert outreach.ok("postflight", "-", input=assessment(), **place)["transaction_id"] == there["transaction_id"]


def test_seed_000_5_2_two_places_in_one_project_never_take_each_others_transaction(
    cli: Cli, left: Shell, right: Shell
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")
    code, said = right.run(f"perdure postflight {SURE}")
    assert code == 1
    assert "No open transaction. Run PREFLIGHT first." in said
    assert opened["transaction_id"][:8] in said, "it is named as the other's"
    assert right.run("perdure transaction status")[0] == 1
    others = right.ok("perdure status")["others"]
    assert [other["transaction_id"] for other in others] == [opened["transaction_id"]]
    assert others[0]["holder_alive"] is True
    assert others[0]["mine"] is False
    second = right.ok(f"perdure preflight {SURE}")
    assert second["transaction_id"] != opened["transaction_id"]
    assert statuses(cli.cwd) == ["open", "open"]
    assert right.ok(f"perdure postflight {SURE}")["transaction_id"] == second["transaction_id"]
    assert left.ok("perdure transaction status")["status"] == "open"


# -- 5.3 orphans -------------------------------------------------------------------------------------------------------


def _orphan(cli: Cli) -> str:
    """A transaction whose shell has gone."""
    shell = Shell(cli)
    opened: str = shell.ok(f"perdure preflight {SURE}")["transaction_id"]
    assert not shell.ok("perdure transaction status")["orphaned"]
    shell.leave()
    return opened


def test_seed_000_5_3_warn_an_orphan_is_told_at_session_start_and_in_status_and_stays_open(
    cli: Cli, right: Shell
) -> None:
    orphan = _orphan(cli)
    started = right.ok("perdure session start")
    assert started["orphans"] == [orphan]
    assert started["closed_orphans"] == []
    code, said = right.run("perdure session start")
    assert code == 0
    assert f"left open by a pane that is gone: {orphan[:8]}" in said
    assert f"perdure transaction adopt {orphan[:8]}" in said
    (other,) = right.ok("perdure status")["others"]
    assert other["transaction_id"] == orphan
    assert other["orphaned"] is True
    assert other["holder_alive"] is False
    assert "gone" in right.run("perdure status")[1]
    opened = right.ok(f"perdure preflight {SURE}")
    assert opened["orphans"] == [orphan]
    assert sorted(statuses(cli.cwd)) == ["open", "open"]


def test_seed_000_5_3_close_an_orphan_is_closed_at_session_start_without_an_assessment(cli: Cli, right: Shell) -> None:
    cli.ok("config", "set", "transaction.orphans", "close")
    orphan = _orphan(cli)
    with nothing_written(cli):
        cli("status")
        cli("transaction", "list")
    started = right.ok("perdure session start")
    assert started["closed_orphans"] == [orphan]
    assert started["orphans"] == []
    assert statuses(cli.cwd) == ["closed"]
    assert _closed_events(cli.cwd) == [{"assessed": False}]
    assert right.ok(f"perdure transaction show {orphan}")["assessed"] is False
    assert cli.ok("calibration")["agents"] == []
    assert cli("heal", "--check").code == 0


def test_seed_000_5_3_ask_a_new_preflight_is_refused_until_the_orphan_is_closed_or_adopted(
    cli: Cli, right: Shell
) -> None:
    cli.ok("config", "set", "transaction.orphans", "ask")
    orphan = _orphan(cli)
    before = len(events_of(cli.cwd))
    code, said = right.run(f"perdure preflight {SURE} --json")
    assert code == 1
    error = json.loads(said)["error"]
    assert error["code"] == "orphan_open"
    assert error["details"]["transaction_id"] == orphan
    assert f"perdure transaction adopt {orphan[:8]}" in error["hint"]
    assert f"perdure postflight --transaction-id {orphan[:8]}" in error["hint"]
    assert len(events_of(cli.cwd)) == before
    assert right.ok(f"perdure postflight --transaction-id {orphan[:8]} {SURE}")["transaction_id"] == orphan
    assert right.ok(f"perdure preflight {SURE}")["status"] == "open"


def test_seed_000_5_3_ask_adopting_the_orphan_clears_the_way_too(cli: Cli, right: Shell) -> None:
    cli.ok("config", "set", "transaction.orphans", "ask")
    orphan = _orphan(cli)
    adopted = right.ok(f"perdure transaction adopt {orphan[:8]}")
    assert adopted["transaction_id"] == orphan
    assert adopted["mine"] is True
    assert right.ok(f"perdure postflight {SURE}")["transaction_id"] == orphan
    assert right.ok(f"perdure preflight {SURE}")["status"] == "open"


def test_seed_000_5_3_close_orphaned_closes_the_dead_ones_and_no_others(cli: Cli, left: Shell) -> None:
    orphans = {_orphan(cli), _orphan(cli)}
    living = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    done = cli.ok("transaction-close", "--orphaned", "--project-path", str(cli.cwd / ".perdure"))
    assert {each["transaction_id"] for each in done["closed"]} == orphans
    assert _closed_events(cli.cwd) == [{"assessed": False}] * 2
    assert [each["transaction_id"] for each in cli.ok("transaction", "list", "--open")] == [living]
    assert cli.ok("transaction", "close", "--orphaned")["closed"] == []
    assert_error(cli("transaction", "close", "--json"), 2, "POSTFLIGHT")
    assert cli("heal", "--check").code == 0


def test_seed_000_5_3_a_transaction_untouched_for_a_day_is_an_orphan_though_its_holder_may_live(cli: Cli) -> None:
    """A CI job's instance: whether it lives cannot be told, so the hours decide."""
    yesterday = Moment(now() - 25 * HOUR)
    early = Request(str(cli.cwd), cli.environment, Explicit(instance="job"), now=lambda: yesterday)
    with open_desk(early) as desk:
        opened = transactions.preflight(desk, SelfAssessment({"know": 0.8, "uncertainty": 0.2}, "")).transaction.id
    status = cli.ok("transaction", "status", PERDURE_INSTANCE="job")
    assert status["orphaned"] is True
    assert status["holder_alive"] is None
    assert status["age_seconds"] >= 25 * 3600
    assert "orphaned" in cli("transaction", "status", PERDURE_INSTANCE="job").out
    cli.ok("config", "set", "transaction.orphan_hours", "48")
    assert cli.ok("transaction", "status", PERDURE_INSTANCE="job")["orphaned"] is False
    assert cli.ok("transaction", "close", "--orphaned")["closed"] == []
    cli.ok("config", "set", "transaction.orphan_hours", "2")
    assert [each["transaction_id"] for each in cli.ok("transaction", "close", "--orphaned")["closed"]] == [opened]


def test_seed_000_5_3_a_new_place_does_not_inherit_an_orphan_silently(cli: Cli, right: Shell) -> None:
    orphan = _orphan(cli)
    right.ok("perdure session start")
    code, said = right.run(f"perdure check {SURE}")
    assert code == 1
    assert "No open transaction" in said
    assert right.run(f"perdure postflight {SURE}")[0] == 1
    assert cli.ok("transaction", "show", orphan)["status"] == "open"


def test_seed_000_5_3_what_is_adopted_belongs_to_the_new_place_and_is_on_record(
    cli: Cli, left: Shell, right: Shell
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")
    adopted = right.ok(f"perdure transaction adopt {opened['transaction_id']}")
    assert adopted["instance_id"] != opened["instance_id"]
    assert left.run("perdure check " + SURE)[0] == 1
    assert right.ok("perdure transaction status")["transaction_id"] == opened["transaction_id"]
    assert len(transaction_files(cli.cwd)) == 1
    events = [event for event in events_of(cli.cwd) if event.kind == "transaction.adopted"]
    assert [(event.payload or {})["from_instance"] for event in events] == [opened["instance_id"]]
    code, said = right.run(f"perdure transaction adopt {opened['transaction_id']} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "already_yours")
    second = left.ok(f"perdure preflight {SURE}")
    code, said = left.run(f"perdure transaction adopt {opened['transaction_id']} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "transaction_open")
    assert second["transaction_id"][:8] in said
    closed = right.ok(f"perdure postflight {SURE}")
    assert len(closed["sessions_touched"]) == 2
    code, said = left.run(f"perdure transaction adopt {opened['transaction_id']} --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "transaction_closed")
    assert cli("heal", "--check").code == 0


# -- 5.4 a session created in the wrong project ------------------------------------------------------------------------


def test_seed_000_5_4_a_session_of_another_project_closes_with_both_flags(
    cli: Cli, outreach: Cli, left: Shell, right: Shell
) -> None:
    """`P` may be the project or its `.perdure` (SPEC 4.4)."""
    right.cd(outreach.cwd)
    right.ok("perdure session start --source compact")
    for path in (cli.cwd, cli.cwd / ".perdure"):
        opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
        closed = right.ok(f"perdure postflight --transaction-id {opened} --project-path '{path}' {SURE}")
        assert closed["transaction_id"] == opened
        assert closed["project_path"] == str(cli.cwd)
    assert statuses(outreach.cwd) == []
    assert cli("heal", "--check").code == 0
    assert outreach("heal", "--check").code == 0


def test_seed_000_5_4_the_id_alone_is_found_in_any_registered_project(
    cli: Cli, outreach: Cli, tmp_path: Path, left: Shell
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    elsewhere = Cli(tmp_path, cli.environment)
    closed = elsewhere.ok("postflight", "--transaction-id", opened[:8], "-", input=assessment())
    assert closed["transaction_id"] == opened
    assert closed["project_path"] == str(cli.cwd)


def test_seed_000_5_4_a_session_remembers_the_transaction_it_opened_in_another_project(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    """The session is only the executor: its record, at home, knows where its transaction is."""
    home = left.ok("perdure session start")
    opened = left.ok(f"perdure preflight --project-path '{outreach.cwd}' {SURE}")
    assert opened["project_path"] == str(outreach.cwd)
    assert opened["session_id"] == home["session_id"]
    record = cli.ok("session", "show", home["session_id"])
    assert record["project_path"] == str(cli.cwd)
    assert [record[field] for field in SESSION_FIELDS] == [opened["transaction_id"], str(outreach.cwd)]
    closed = left.ok(f"perdure postflight --project-path '{outreach.cwd}' {SURE}")
    assert closed["transaction_id"] == opened["transaction_id"]
    record = cli.ok("session", "show", home["session_id"])
    assert [record[field] for field in SESSION_FIELDS] == [None, None]


def test_seed_000_5_4_an_id_of_another_project_than_the_one_named_is_refused(
    cli: Cli, outreach: Cli, left: Shell
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    with nothing_written(cli), nothing_written(outreach):
        flags = ["--transaction-id", opened, "--project-path", str(outreach.cwd)]
        assert_error(outreach("postflight", *flags, "-", input=assessment()), 1, kind="no_such_transaction")


# -- 5.5 POSTFLIGHT without PREFLIGHT ----------------------------------------------------------------------------------


def test_seed_000_5_5_postflight_without_preflight_is_refused_in_the_seeds_words(cli: Cli, left: Shell) -> None:
    with nothing_written(cli):
        code, said = left.run(f"perdure postflight {SURE} --json")
    assert code == 1
    assert json.loads(said)["error"]["message"] == "No open transaction. Run PREFLIGHT first."


def test_seed_000_5_5_postflight_after_postflight_is_refused_and_the_record_stays(cli: Cli, left: Shell) -> None:
    left.ok(f"perdure preflight {SURE}")
    left.ok(f"perdure postflight {SURE}")
    with nothing_written(cli):
        code, said = left.run(f"perdure postflight {SURE} --json")
    assert code == 1
    assert json.loads(said)["error"]["message"] == "No open transaction. Run PREFLIGHT first."
    status = left.ok("perdure transaction status")
    assert status["status"] == "closed"


def test_seed_000_5_5_a_transaction_file_that_was_made_up_opens_nothing(cli: Cli, left: Shell) -> None:
    """The file is a view: without the ledger behind it there is nothing to close."""
    left.ok(f"perdure preflight {SURE}")
    ((name, content),) = transaction_files(cli.cwd).items()
    left.ok(f"perdure postflight {SURE}")
    (cli.cwd / ".perdure" / name).write_bytes(content)
    assert left.run(f"perdure postflight {SURE}")[0] == 1
    assert left.run(f"perdure check {SURE}")[0] == 1
    assert cli("heal", "--check").code == 1
    cli.ok("heal")
    assert statuses(cli.cwd) == ["closed"]


# -- what a person may do ----------------------------------------------------------------------------------------------


def test_a_person_opens_the_gate_for_one_transaction_and_that_is_recorded(cli: Cli, left: Shell) -> None:
    opened = left.ok("perdure preflight --know 0.2 --uncertainty 0.9")
    assert opened["gate"]["passes"] is False
    done = left.ok("perdure transaction override --because 'I know what I do'")
    assert done["passes"] is True
    assert done["overridden"] is True
    assert done["decision"] == "investigate", "what was computed stays on record"
    (content,) = transaction_files(cli.cwd).values()
    assert json.loads(content)["gate"]["passes"] is True
    assert json.loads(content)["gate"]["overridden"] is True
    event = next(event for event in events_of(cli.cwd) if event.kind == "transaction.overridden")
    assert event.payload == {"because": "I know what I do"}
    assert event.actor == "user"
    assert "overridden by a person" in left.run("perdure transaction status")[1]
    left.ok(f"perdure postflight {SURE}")
    second = left.ok("perdure preflight --know 0.2 --uncertainty 0.9")
    assert second["gate"]["passes"] is False, "for one transaction only"
    left.ok(f"perdure postflight {SURE}")
    code, said = left.run("perdure transaction override --because 'too late' --json")
    assert (code, json.loads(said)["error"]["code"]) == (1, "no_open_transaction")


def test_project_switch_leaves_the_transaction_open_and_names_it(cli: Cli, outreach: Cli, left: Shell) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    before = len(events_of(cli.cwd))
    switched = left.ok(f"perdure project switch '{outreach.cwd}'")
    assert switched["project_path"] == str(outreach.cwd)
    assert switched["left_open_transaction_id"] == opened
    assert switched["left_project_path"] == str(cli.cwd)
    assert switched["closed_transaction_id"] is None
    assert "transaction.closed" not in [event.kind for event in events_of(cli.cwd)[before:]]
    assert statuses(cli.cwd) == ["open"]
    assert left.ok("perdure where")["project_path"] == str(outreach.cwd), "though the shell still stands elsewhere"
    status = left.ok("perdure transaction status")
    assert (status["transaction_id"], status["project_path"]) == (opened, str(cli.cwd)), "it goes on being this one's"
    second = left.ok(f"perdure preflight {SURE}")
    assert second["project_path"] == str(outreach.cwd)
    assert left.ok(f"perdure postflight {SURE}")["transaction_id"] == second["transaction_id"]
    assert left.ok(f"perdure postflight --transaction-id {opened[:8]} {SURE}")["transaction_id"] == opened
    code, said = left.run(f"perdure project-switch {cli.cwd.name}")
    assert code == 0
    assert "Now at shop" in said


def test_project_switch_with_an_assessment_closes_the_transaction_first(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path
) -> None:
    opened = left.ok(f"perdure preflight {SURE}")["transaction_id"]
    done = tmp_path / "done.json"
    done.write_text(json.dumps({"vectors": {"know": 7, "uncertainty": 0.1}}))
    with nothing_written(cli), nothing_written(outreach):
        code, said = left.run(f"perdure project switch '{outreach.cwd}' --postflight '{done}' --json")
        assert code == 2
        assert "vectors.know" in json.loads(said)["error"]["message"]
        code, said = left.run(f"perdure project switch '{outreach.cwd}' --postflight /no/such.json --json")
        assert code == 2
        done.write_text("not JSON")
        code, said = left.run(f"perdure project switch '{outreach.cwd}' --postflight '{done}' --json")
        assert code == 2
        assert f"{done} is not JSON" in json.loads(said)["error"]["message"]
    done.write_text(assessment(completion=1.0))
    switched = left.ok(f"perdure project switch '{outreach.cwd}' --postflight '{done}'")
    assert switched["closed_transaction_id"] == opened
    assert switched["left_open_transaction_id"] is None
    assert statuses(cli.cwd) == ["closed"]
    assert _closed_events(cli.cwd)[0]["assessed"] is True
    assert left.ok("perdure where")["project_path"] == str(outreach.cwd)


def test_project_switch_with_an_assessment_and_nothing_open_is_refused(
    cli: Cli, outreach: Cli, left: Shell, tmp_path: Path
) -> None:
    left.ok("perdure session start")
    done = tmp_path / "done.json"
    done.write_text(assessment())
    code, said = left.run(f"perdure project switch '{outreach.cwd}' --postflight '{done}' --json")
    assert code == 1
    assert json.loads(said)["error"]["message"] == "No open transaction. Run PREFLIGHT first."
    assert left.ok("perdure where")["project_path"] == str(cli.cwd), "nothing was switched"


def test_a_killed_shell_is_gone_at_once_and_its_place_is_free(cli: Cli, right: Shell) -> None:
    """`kill -9`: no farewell, and yet the holder is known to be dead."""
    shell = Shell(cli)
    opened = shell.ok(f"perdure preflight {SURE}")["transaction_id"]
    shell.kill()
    wait_until(lambda: not Path(f"/proc/{shell.pid}").exists(), "the process is gone")
    right.ok("perdure session start")
    (other,) = right.ok("perdure status")["others"]
    assert other["transaction_id"] == opened
    assert other["orphaned"] is True
    shell.leave()


def test_outside_of_every_project_each_command_says_what_to_do(tmp_path: Path, environment: dict[str, str]) -> None:
    nowhere = Cli(tmp_path, environment)
    for command in (
        ("status",),
        ("preflight", *SURE.split()),
        ("heal",),
        ("note", "finding", "x"),
        ("session", "start"),
    ):
        assert_said_to_a_person(nowhere(*command), 1, "no project", "perdure init")
    assert not (tmp_path / ".perdure").exists()
