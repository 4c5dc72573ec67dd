"""Several at once: whichever way they race, one wins, the others are told, nothing is lost or doubled (SPEC 4.2)."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from perdure.views import store_secrets
from tests import effort
from tests.conftest import Cli, assessment
from tests.faults.helpers import (
    WAIT,
    Starter,
    assert_whole,
    backup_lines,
    events_of,
    kinds,
    statuses,
    transaction_files,
)

ROUNDS = 15 if effort.is_full else 6
FOUR = 4


def _race(cli: Cli, commands: list[tuple[str, ...]], environments: list[dict[str, str]]) -> list[tuple[int, str, str]]:
    starter = Starter()
    for command, environment in zip(commands, environments, strict=True):
        env = {**cli.environment, **environment}
        starter.perdure(*command, cwd=cli.cwd, env=env, input=assessment().encode())
    return starter.go()


def _assert_one_opened(cli: Cli, results: list[tuple[int, str, str]], opened_before: int) -> str:
    codes = sorted(code for code, _, _ in results)
    assert codes == [0, 1, 1, 1], results
    assert not any(err for _, _, err in results), results
    winner = json.loads(next(out for code, out, _ in results if code == 0))
    for code, out, _ in results:
        if code == 1:
            error = json.loads(out)["error"]
            assert error["code"] == "transaction_open", error
            assert error["details"]["transaction_id"] == winner["transaction_id"]
            assert winner["transaction_id"][:8] in error["message"]
            assert "perdure check" in error["hint"]
            assert "perdure postflight" in error["hint"]
    opened = [event for event in events_of(cli.cwd) if event.kind == "transaction.opened"]
    assert len(opened) == opened_before + 1
    assert opened[-1].transaction_id == winner["transaction_id"]
    assert statuses(cli.cwd).count("open") == 1
    return str(winner["transaction_id"])


@effort.sampled
def test_of_four_preflights_at_once_for_one_instance_one_opens_and_three_are_told_which(cli: Cli) -> None:
    same = [{"PERDURE_INSTANCE": "pane"}] * FOUR
    for number in range(ROUNDS):
        results = _race(cli, [("preflight", "-")] * FOUR, same)
        _assert_one_opened(cli, results, number)
        cli.ok("postflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
    assert_whole(cli)
    assert Counter(kinds(events_of(cli.cwd)))["transaction.closed"] == ROUNDS


@effort.sampled
def test_of_four_preflights_at_once_below_one_process_with_nothing_said_one_opens(cli: Cli) -> None:
    """No instance is named: all four must find, by themselves, that they are the same one."""
    for number in range(ROUNDS):
        results = _race(cli, [("preflight", "-")] * FOUR, [{}] * FOUR)
        winner = _assert_one_opened(cli, results, number)
        there = cli.ok("where")
        assert there["transaction_id"] == winner
        cli.ok("postflight", "-", input=assessment())
    assert_whole(cli)
    assert statuses(cli.cwd) == ["closed"]


@effort.sampled
def test_the_losers_of_a_race_leave_the_place_bound_to_the_winners_session(cli: Cli) -> None:
    for _ in range(ROUNDS):
        results = _race(cli, [("preflight", "-")] * FOUR, [{}] * FOUR)
        winner = json.loads(next(out for code, out, _ in results if code == 0))
        there = cli.ok("where")
        assert there["session_id"] == winner["session_id"]
        cli.ok("note", "finding", "the session goes on")
        closed = cli.ok("postflight", "-", input=assessment())
        assert closed["sessions_touched"] == [winner["session_id"]]
        cli.ok("session", "end")


def test_four_preflights_at_once_of_four_instances_all_open(cli: Cli) -> None:
    apart = [{"PERDURE_INSTANCE": f"pane-{number}"} for number in range(FOUR)]
    results = _race(cli, [("preflight", "-")] * FOUR, apart)
    assert [code for code, _, _ in results] == [0] * FOUR
    assert len({json.loads(out)["transaction_id"] for _, out, _ in results}) == FOUR
    assert statuses(cli.cwd) == ["open"] * FOUR
    assert_whole(cli)


@effort.sampled
def test_two_postflights_at_once_close_once(cli: Cli) -> None:
    for number in range(ROUNDS):
        opened = cli.ok("preflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
        named = ("postflight", "--transaction-id", opened["transaction_id"], "-")
        command = ("postflight", "-") if number % 2 else named
        results = _race(cli, [command] * 2, [{"PERDURE_INSTANCE": "pane"}] * 2)
        assert sorted(code for code, _, _ in results) == [0, 1], results
        refused = json.loads(next(out for code, out, _ in results if code == 1))["error"]
        assert refused["message"].startswith("No open transaction. Run PREFLIGHT first."), refused
        assert statuses(cli.cwd) == ["closed"]
    assert Counter(kinds(events_of(cli.cwd)))["transaction.closed"] == ROUNDS
    assert_whole(cli)


@effort.sampled
def test_a_check_and_a_postflight_at_once_never_leave_a_file_that_opens_the_gate(cli: Cli) -> None:
    for _ in range(ROUNDS):
        cli.ok("preflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
        results = _race(
            cli,
            [("check", "-"), ("postflight", "-"), ("check", "-")],
            [{"PERDURE_INSTANCE": "pane"}] * 3,
        )
        closed = results[1][0] == 0
        state = cli.ok("transaction", "list")[0]["status"]
        assert state == ("closed" if closed else "open"), results
        assert statuses(cli.cwd) == [state], results
        if not closed:
            cli.ok("postflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
    assert_whole(cli)


@effort.sampled
def test_two_that_adopt_one_transaction_at_once_do_not_both_get_it(cli: Cli) -> None:
    """Both at once: one is refused. One after the other: both are served, and the second has it."""
    for _ in range(ROUNDS // 2):
        opened = cli.ok("preflight", "-", input=assessment(), PERDURE_INSTANCE="left")["transaction_id"]
        heirs = [{"PERDURE_INSTANCE": "one"}, {"PERDURE_INSTANCE": "two"}]
        results = _race(cli, [("transaction", "adopt", opened[:8], "--json")] * 2, heirs)
        codes = sorted(code for code, _, _ in results)
        assert codes in ([0, 1], [0, 0]), results
        for code, out, _ in results:
            assert code == 0 or json.loads(out)["error"]["code"] == "conflict", out
        holders = [heir for heir in heirs if cli.ok("where", **heir)["transaction_id"] == opened]
        assert len(holders) == 1, results
        assert statuses(cli.cwd).count("open") == 1
        cli.ok("postflight", "-", input=assessment(), **holders[0])
    assert_whole(cli)


APPENDER = f"""
from perdure.actions import notes
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
{WAIT}
name, count = sys.argv[1], int(sys.argv[2])
with open_desk(Request(os.getcwd(), dict(os.environ))) as desk:
    for number in range(count):
        notes.add(desk, "finding", f"{{name}} {{number}}")
"""


def _append_at_once(cli: Cli, processes: int, each: int) -> None:
    starter = Starter()
    for number in range(processes):
        name = f"writer-{number}"
        env = {**cli.environment, "PERDURE_INSTANCE": name}
        starter.python(APPENDER, name, str(each), cwd=cli.cwd, env=env)
    results = starter.go(timeout=120)
    assert [code for code, _, _ in results] == [0] * processes, results


def test_eight_processes_append_250_events_each_none_lost_none_doubled_no_gap(
    cli: Cli, environment: dict[str, str]
) -> None:
    _append_at_once(cli, 8, 250)
    events = events_of(cli.cwd)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.clock for event in events] == sorted({event.clock for event in events})
    texts = [str(event.payload["text"]) for event in events if event.kind == "note.finding" and event.payload]
    assert len(texts) == 2000
    assert Counter(texts) == Counter(f"writer-{writer} {number}" for writer in range(8) for number in range(250))
    for writer in range(8):
        own = [text for text in texts if text.startswith(f"writer-{writer} ")]
        assert own == [f"writer-{writer} {number}" for number in range(250)], "each writer's events are in its order"
    assert_whole(cli)
    _assert_backup_equals_ledger(cli, environment)


def _assert_backup_equals_ledger(cli: Cli, environment: dict[str, str]) -> None:
    kept = backup_lines(Path(environment["PERDURE_HOME"]))
    assert [line["hash"] for line in kept] == [event.hash for event in events_of(cli.cwd)]


BACKER = f"""
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
{WAIT}
with open_desk(Request(os.getcwd(), dict(os.environ))) as desk:
    desk.back_up()
"""


def test_a_backup_that_many_bring_up_at_once_has_no_line_twice_and_none_missing(
    cli: Cli, environment: dict[str, str]
) -> None:
    _append_at_once(cli, 1, 600)
    for number in range(6):
        for path in Path(environment["PERDURE_HOME"]).glob("backups/*/*.jsonl"):
            os.truncate(path, path.stat().st_size * number // 6)
        starter = Starter()
        for writer in range(6):
            env = {**cli.environment, "PERDURE_INSTANCE": f"writer-{writer}"}
            starter.python(BACKER, cwd=cli.cwd, env=env)
        assert [code for code, _, _ in starter.go()] == [0] * 6
        _assert_backup_equals_ledger(cli, environment)


def test_two_that_heal_a_damaged_ledger_at_once_set_it_aside_once_and_lose_nothing(cli: Cli) -> None:
    cli.ok("note", "finding", "kept")
    before = [event.hash for event in events_of(cli.cwd)]
    (cli.cwd / ".perdure" / "ledger.db").write_bytes(b"no database at all" * 500)
    for leftover in (cli.cwd / ".perdure").glob("ledger.db-*"):
        leftover.unlink()
    results = _race(cli, [("heal", "--json")] * 3, [{}] * 3)
    assert [code for code, _, _ in results] == [0] * 3, results
    assert [event.hash for event in events_of(cli.cwd)][: len(before)] == before
    aside = [path.name for path in (cli.cwd / ".perdure").glob("ledger.db.damaged-*")]
    assert len(aside) == 1, aside
    assert_whole(cli)


def test_four_inits_at_once_make_one_project(repository: Path, environment: dict[str, str]) -> None:
    cli = Cli(repository, environment)
    results = _race(cli, [("init", "--json")] * FOUR, [{}] * FOUR)
    assert [code for code, _, _ in results] == [0] * FOUR, results
    assert len({json.loads(out)["project_id"] for _, out, _ in results}) == 1
    assert len({event.ledger_id for event in events_of(repository)}) == 1
    assert_whole(cli)
    assert not list((repository / ".perdure").glob(".ledger-*"))


EXPECTER = f"""
import os
from perdure.views import store_secrets
{WAIT}
for number in range(20):
    store_secrets.expect(os.environ["PERDURE_HOME"], os.getcwd(), f"{{os.environ['WRITER']}} {{number}}")
"""


def test_of_many_that_enter_a_ledger_file_at_once_none_is_forgotten(
    repository: Path, environment: dict[str, str]
) -> None:
    starter = Starter()
    for writer in range(FOUR):
        starter.python(EXPECTER, cwd=repository, env={**environment, "WRITER": str(writer)})
    assert [code for code, _, _ in starter.go()] == [0] * FOUR
    entered = store_secrets.known(environment["PERDURE_HOME"], str(repository))
    wanted = {store_secrets.digest(f"{writer} {number}") for writer in range(FOUR) for number in range(20)}
    assert entered
    assert set(entered.digests) == wanted


@pytest.mark.long
def test_of_sixteen_preflights_at_once_one_opens_two_hundred_times(cli: Cli) -> None:
    many = 16
    for _ in range(200):
        results = _race(cli, [("preflight", "-")] * many, [{"PERDURE_INSTANCE": "pane"}] * many)
        assert sorted(code for code, _, _ in results) == [0] + [1] * (many - 1)
        cli.ok("postflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
    assert_whole(cli)


@pytest.mark.long
def test_eight_processes_append_five_thousand_events_each(cli: Cli, environment: dict[str, str]) -> None:
    _append_at_once(cli, 8, 5000)
    events = events_of(cli.cwd)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert Counter(kinds(events))["note.finding"] == 40_000
    _assert_backup_equals_ledger(cli, environment)


SLOW_VIEW = """
import os, sys
import perdure.surfaces.cli.transitions
from perdure.__main__ import main
from perdure.ledger.sqlite import SqliteLedger
ready, go = int(sys.argv.pop(1)), int(sys.argv.pop(1))
append = SqliteLedger.append

def append_then_wait(self, drafts, *rest):
    appended = append(self, drafts, *rest)
    if any(draft.kind == "transaction.checked" for draft in drafts):
        os.write(ready, b".")
        os.read(go, 1)
    return appended

SqliteLedger.append = append_then_wait
sys.exit(main(sys.argv[1:]))
"""


def test_a_check_that_is_slow_to_write_its_file_does_not_undo_a_closing(cli: Cli) -> None:
    """The check is on record, its process sleeps; the transaction is closed; the check's process writes its file."""
    cli.ok("preflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
    starter = Starter()
    env = {**cli.environment, "PERDURE_INSTANCE": "pane"}
    starter.python(SLOW_VIEW, "check", "-", cwd=cli.cwd, env=env, input=assessment().encode())
    starter.wait_until_all_are_ready()
    cli.ok("postflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
    ((code, _, _),) = starter.go()
    assert code == 0
    assert statuses(cli.cwd) == ["closed"]
    assert_whole(cli)


def test_a_check_that_is_slow_to_write_its_file_does_not_hide_the_transaction_opened_since(cli: Cli) -> None:
    """One file serves an instance's transactions one after another: it shows the one that is open."""
    cli.ok("preflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
    starter = Starter()
    env = {**cli.environment, "PERDURE_INSTANCE": "pane"}
    starter.python(SLOW_VIEW, "check", "-", cwd=cli.cwd, env=env, input=assessment().encode())
    starter.wait_until_all_are_ready()
    cli.ok("postflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
    second = cli.ok("preflight", "-", input=assessment(), PERDURE_INSTANCE="pane")["transaction_id"]
    ((code, _, _),) = starter.go()
    assert code == 0
    (content,) = transaction_files(cli.cwd).values()
    assert json.loads(content)["transaction_id"] == second
    assert_whole(cli)


CLOSE_AND_DIE = """
import os, signal, sys
import perdure.surfaces.cli.transitions
from perdure.__main__ import main
from perdure.ledger.sqlite import SqliteLedger
ready, go = int(sys.argv.pop(1)), int(sys.argv.pop(1))
append = SqliteLedger.append

def append_and_die(self, drafts, *rest):
    if not any(draft.kind == "transaction.closed" for draft in drafts):
        return append(self, drafts, *rest)
    os.write(ready, b".")
    os.read(go, 1)
    append(self, drafts, *rest)
    os.kill(os.getpid(), signal.SIGKILL)

SqliteLedger.append = append_and_die
sys.exit(main(sys.argv[1:]))
"""


def test_nobody_writes_a_file_between_the_first_and_the_last_step_of_a_closing(cli: Cli) -> None:
    """The closing has shut the file and is about to tell the ledger; somebody who is late writes what the ledger still
    says; the ledger is told, and the closing dies. The file must not stand open now."""
    cli.ok("preflight", "-", input=assessment(), PERDURE_INSTANCE="pane")
    env = {**cli.environment, "PERDURE_INSTANCE": "pane"}
    late, closing = Starter(), Starter()
    late.python(SLOW_VIEW, "check", "-", cwd=cli.cwd, env=env, input=assessment().encode())
    late.wait_until_all_are_ready()
    closing.python(CLOSE_AND_DIE, "postflight", "-", cwd=cli.cwd, env=env, input=assessment().encode())
    closing.wait_until_all_are_ready()
    assert statuses(cli.cwd) == ["closed"]
    late.release()
    late.wait_a_moment()
    ((code, _, _),) = closing.go()
    assert code == -signal.SIGKILL
    late.results()
    assert statuses(cli.cwd) == ["closed"]
    assert kinds(events_of(cli.cwd))[-1] == "transaction.closed"
    cli.ok("heal")
    assert_whole(cli)


WRITER = f"""
from perdure.actions import notes
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
{WAIT}
name, count = sys.argv[1], int(sys.argv[2])
for number in range(count):
    with open_desk(Request(os.getcwd(), dict(os.environ))) as desk:
        notes.add(desk, "finding", f"{{name}} {{number}}")
"""


def test_healing_while_others_write_takes_nothing_from_under_them(cli: Cli, environment: dict[str, str]) -> None:
    """A backup that others bring up while it is looked at is not a ledger that was cut."""
    starter = Starter()
    for number in range(4):
        env = {**cli.environment, "PERDURE_INSTANCE": f"writer-{number}"}
        starter.python(WRITER, f"writer-{number}", "40", cwd=cli.cwd, env=env)
    starter.wait_until_all_are_ready()
    starter.release()
    healings = 0
    while starter.is_running():
        for command in (("heal", "--json"), ("heal", "--check", "--json"), ("status", "--json")):
            result = cli(*command)
            assert result.code in (0, 1), result
            wrong = [f["part"] for f in result.json.get("findings", []) if not f["whole"]]
            assert wrong in ([], ["backup"]), result
        healings += 1
    assert [code for code, _, _ in starter.results()] == [0] * 4
    assert healings, "at least once while they wrote"
    assert not list((cli.cwd / ".perdure").glob("*.damaged-*"))
    texts = [
        str(event.payload["text"]) for event in events_of(cli.cwd) if event.kind == "note.finding" and event.payload
    ]
    assert Counter(texts) == Counter(f"writer-{writer} {number}" for writer in range(4) for number in range(40))
    assert_whole(cli)
    _assert_backup_equals_ledger(cli, environment)
