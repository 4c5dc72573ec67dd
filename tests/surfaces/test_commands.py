"""Every command as a person and as a program calls it (SPEC 17): answers, exit codes, colours, help, ids, settings."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import attribution
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model import payload as p
from perdure.settings import SETTINGS
from perdure.surfaces.cli import ALIASES, COMMANDS
from tests.conftest import Cli, Result, assessment, ignoring, new_repository
from tests.surfaces.looking import assert_error, assert_quiet_terminal, assert_said_to_a_person, nothing_written

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read the code")
DEADLINE = 30.0
VERBS = {
    "transcript": ("show", "adopt"),
    "transaction": ("status", "list", "show", "adopt", "override", "close"),
    "session": ("start", "end", "list", "show"),
    "project": ("list", "show", "switch"),
    "goal": ("create", "list", "done"),
    "pointer": ("set", "list", "remove"),
    "state": ("show", "fields"),
    "config": ("show", "set", "unset"),
    "task": ("create", "list", "ready", "show", "update", "close", "dep"),
    "audit": (
        *("start", "think", "finalize", "root", "verify-chain"),
        *("prove", "verify-proof", "verify", "heads", "anchor", "key", "acknowledge"),
    ),
}


@pytest.fixture
def pane(cli: Cli) -> Cli:
    """An instance that both the program and an in-process desk can be."""
    cli.environment["PERDURE_INSTANCE"] = "pane"
    return cli


def put(cli: Cli, *facts: tuple[str, object]) -> None:
    """What hooks will record, put in through the action they call."""
    with open_desk(Request(str(cli.cwd), cli.environment)) as desk:
        for kind, payload in facts:
            attribution.record_event(desk, kind, payload)


# -- every command, to people and to programs ----------------------------------------------------------------------


LIFE = """
init
status
where --explain
search parser
story
pause
contract show
contract set --goal 'ship the parser' --evidence tests
contract clear --because done
handoff write --summary 'the parser'
handoff show
handoff list
handoff verify
pointer set serena shop --command 'serena activate shop'
pointer list
pointer remove serena
state show
state fields
compaction preview
check --know 0.9 --uncertainty 0.1
transaction status
transaction list --open
transaction show
transaction override --because because
transaction close --orphaned
goal create 'another goal'
goal list --all
goal done GOAL --because released
decide 'use FTS5' --because 'it is there' --supersedes DECISION
decide --list
fork list
fork resolve FORK --keep ledger --because 'it was measured'
fork check
claim add 'nobody calls it' --assume
claim list
claim check
checkpoint --compact
note reasoning 'half way through'
note close NOTE --because 'yes, said Ana'
note list
finding 'the cache is keyed by path'
undo --list
undo
notes show
notes write
notes diff
notes take --yes
project list
project show
postflight --know 0.9 --uncertainty 0.1
session start
session list
session show
session end --reason exit
calibration --svg OUT.svg
gate explain 'git status | head -3'
log
doctor --no-client
recover --level 1
transcript show TALK.jsonl
transcript adopt TALK.jsonl
task create 'speed up the parser' --priority 1
task list
task ready
task show TASK
task update TASK --status in_progress
task dep TASK OTHER
task dep TASK OTHER --remove
audit start --intent 'make it faster' --session span
audit think --task TASK --type plan --agent me --content 'measure first' --session span
audit finalize span
audit root span
audit verify-chain
task close TASK --because 'it is faster'
audit prove DECISION --output OUT.proof
audit verify-proof OUT.proof
audit verify
audit heads --sign
audit anchor --trailer
audit key show
heal --check
heal
export OUT.jsonl
export --tracked
import OUT.jsonl
redact DECISION --because private
config set gate.know 0.75
config show
config unset gate.know
completion bash
uninstall
""".strip().splitlines()
"""Every command once, in an order in which each has something to say yes to."""


def live(cli: Cli, tmp_path: Path, *flags: str) -> dict[str, Result]:
    cli.ok("preflight", *FLAGS)
    scenarios = [
        word
        for type in ("happy_path", "edge_case", "error_handling")
        for word in ("--scenario", type, "a case", "it holds")
    ]
    names = {
        "NOTE": cli.ok("note", "question", "may we drop 3.10?")["note_id"],
        "GOAL": cli.ok("goal", "create", "ship the parser")["goal_id"],
        "DECISION": cli.ok("decide", "use WAL")["decision_id"],
        "FORK": [cli.ok("decide", f"port {n}", "--key", "port", "--value", n)["fork"] for n in ("80", "81")][1][
            "fork_id"
        ],
        "TASK": cli.ok("task", "create", "speed up the parser", *scenarios)["id"],
        "OTHER": cli.ok("task", "create", "measure it")["id"],
        "OUT.svg": str(tmp_path / "out.svg"),
        "OUT.jsonl": str(tmp_path / "out.jsonl"),
        "OUT.proof": str(tmp_path / "out.proof"),
        "TALK.jsonl": str(tmp_path / "talk.jsonl"),
    }
    (tmp_path / "talk.jsonl").write_text('{"type": "user", "message": {"content": "ship it"}}\n')
    lines = [line for line in LIFE if not (flags and line.startswith("completion"))]  # a script is a script
    return {line: cli(*(names.get(word, word) for word in shlex.split(line)), *flags) for line in lines}


def test_the_life_of_this_file_has_every_command_and_verb_in_it() -> None:
    lived = {tuple(line.split()[:2]) for line in LIFE}
    others = {
        "preflight",
        "demo",
        "hook",
        "mcp",
        "serve",
        "run",
        "readonly",
    }  # the last two print what they run
    assert {command for command, *_ in lived} | others == set(COMMANDS)
    verbs = {(command, verb) for command, verbs in VERBS.items() for verb in verbs}
    elsewhere = {("transaction", "adopt"), ("project", "switch"), ("audit", "acknowledge")}
    assert verbs - lived == elsewhere, "the first two stand in test_seed_000, the third in faults/test_attacks"


def test_every_command_answers_a_person_with_readable_text(cli: Cli, tmp_path: Path) -> None:
    for line, person in live(cli, tmp_path).items():
        assert (person.code, person.err) == (0, ""), (line, person)
        assert person.out.strip(), line
        assert person.out.endswith("\n"), line
        assert_quiet_terminal(person)
        assert person.out[0] not in "{[", (line, person)


def test_every_command_answers_a_program_with_one_json_value_and_nothing_else(cli: Cli, tmp_path: Path) -> None:
    for line, program in live(cli, tmp_path, "--json").items():
        assert (program.code, program.err) == (0, ""), (line, program)
        assert isinstance(program.json, dict | list), line
        assert program.out.count("\n") == 1, "one value, one line, in a pipe"


def test_preflight_fed_json_answers_json_unasked_and_flags_answer_with_text(cli: Cli) -> None:
    person = cli("preflight", *FLAGS)
    assert (person.code, person.err) == (0, "")
    assert re.match(r"Transaction [0-9a-f]{8} opened in ", person.out)
    assert cli("postflight", "-", input=assessment()).json["status"] == "closed"
    assert cli("decide", "-", input='{"decision": "use WAL"}').json["decision"] == "use WAL"


def test_export_to_standard_output_is_lines_of_json_and_nothing_else(cli: Cli) -> None:
    done = cli("export")
    assert (done.code, done.err) == (0, "")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def test_export_with_json_asked_for_writes_events_and_no_trailing_value(cli: Cli) -> None:
    done = cli("export", "--json")
    assert done.code == 0
    assert all("payload_hash" in json.loads(line) for line in done.out.splitlines()), done.out[-200:]


def test_version_and_usage(cli: Cli) -> None:
    assert re.fullmatch(r"perdure \d+\.\d+\.\d+\n", cli("--version").out)
    usage = cli()
    assert usage.code == 0
    assert all(f"  {name} " in usage.out for name in COMMANDS)
    assert cli("--help").out == cli("help").out == usage.out


# -- exit codes ----------------------------------------------------------------------------------------------------


def test_exit_1_where_the_answer_is_no_or_refused(cli: Cli, tmp_path: Path) -> None:
    assert cli("transaction", "status").code == 1
    assert_error(cli("postflight", *FLAGS, "--json"), 1, kind="no_open_transaction")
    assert_said_to_a_person(cli("postflight", *FLAGS), 1, "No open transaction.", "perdure preflight")
    (cli.cwd / ".perdure" / "ledger.db").unlink()
    assert cli("heal", "--check").code == 1


@pytest.mark.parametrize(
    "words", ["check --know 9 --uncertainty 0.1", "goal", "session end --reason 'a b'", "note x y"]
)
def test_exit_2_for_bad_usage_and_bad_input(cli: Cli, words: str) -> None:
    with nothing_written(cli):
        assert_error(cli(*shlex.split(words), "--json"), 2)
        assert_said_to_a_person(cli(*shlex.split(words)), 2)


def test_exit_3_where_perdure_cannot_and_no_traceback(cli: Cli) -> None:
    ledger = cli.cwd / ".perdure" / "ledger.db"
    for name in ("-wal", "-shm"):
        Path(f"{ledger}{name}").unlink(missing_ok=True)
    ledger.write_bytes(b"this is no database, and longer than the header of one" * 4)
    assert_error(cli("status", "--json"), 3)
    assert_said_to_a_person(cli("status"), 3, "perdure heal")


def _is_reading(pid: int) -> bool:
    """Blocked in read(2) of its standard input."""
    try:
        return Path(f"/proc/{pid}/syscall").read_text().startswith("0 0x0 ")
    except OSError:
        return False


@contextmanager
def _waiting_for_input(cli: Cli) -> Iterator[subprocess.Popen[bytes]]:
    """A command that waits for its input. It and its pipes are gone at the end, however the test went."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(cli.command("preflight", "-"), cwd=cli.cwd, env=cli.environment, **pipes) as waiting:
        try:
            deadline = time.monotonic() + DEADLINE
            while not _is_reading(waiting.pid):
                assert time.monotonic() < deadline
                time.sleep(0.01)
            yield waiting
        finally:
            waiting.kill()


def test_exit_130_on_an_interrupt_and_nothing_is_written(cli: Cli) -> None:
    if not os.access(f"/proc/{os.getpid()}/syscall", os.R_OK):
        pytest.skip("this system does not show what a process waits for")
    with nothing_written(cli), _waiting_for_input(cli) as waiting:
        waiting.send_signal(signal.SIGINT)
        waiting.wait(DEADLINE)
        out, err = waiting.communicate()
    assert (waiting.returncode, out) == (130, b"")
    assert err == b"interrupted\n"


def test_started_with_interrupts_ignored_it_goes_on_and_does_what_was_asked(cli: Cli) -> None:
    """As `nohup perdure … &` in a script. Whoever ignored them for us meant it."""
    with ignoring(signal.SIGINT), _waiting_for_input(cli) as waiting:
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(assessment().encode(), timeout=DEADLINE)
    assert (waiting.returncode, err) == (0, b"")
    assert json.loads(out)["transaction_id"] == cli.ok("transaction", "status")["transaction_id"]


@pytest.mark.parametrize("command", ["export", "session list", "config show --json", "--help", "note --help"])
def test_a_reader_that_goes_away_is_not_an_error(cli: Cli, command: str) -> None:
    """As `perdure export | head -1`, with a reader that is gone before the first byte."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            cli.command(*command.split()),
            cwd=cli.cwd,
            env=cli.environment,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=DEADLINE,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_long_export_into_head_ends_quietly(cli: Cli) -> None:
    cli.environment["PERDURE_INSTANCE"] = "pane"
    put(cli, *(("note.finding", p.Note("x" * 4000)) for _ in range(60)))  # more than a pipe holds
    line = f"{shlex.join(cli.command('export'))} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=cli.cwd, env=cli.environment, capture_output=True, text=True, check=False
    )
    first, code = done.stdout.splitlines()
    assert json.loads(first)["seq"] == 1
    assert (code, done.stderr) == ("0", "")


# -- colour --------------------------------------------------------------------------------------------------------


def test_colour_only_where_it_is_wanted(cli: Cli) -> None:
    cli.ok("preflight", *FLAGS)
    assert "\x1b[" not in cli("status").out
    coloured = cli("status", FORCE_COLOR="1").out
    assert "\x1b[32m" in coloured
    without_colour, ages = re.sub(r"\x1b\[\d+m", "", coloured), r"\b(\d+m )?\d+s\b"
    assert re.sub(ages, "", without_colour) == re.sub(ages, "", cli("status").out), "time passes between the two"
    assert "\x1b[" not in cli("status", FORCE_COLOR="1", NO_COLOR="1").out
    assert "\x1b[" not in cli("status", "--json", FORCE_COLOR="1").out
    error = cli("postflight", "--transaction-id", "00000000", *FLAGS, FORCE_COLOR="1")
    assert error.err.startswith("\x1b[31mperdure:\x1b[0m ")


# -- help, suggestions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_every_verb_has_help(environment: dict[str, str], tmp_path: Path, command: str) -> None:
    nowhere = Cli(tmp_path, environment)
    shown = nowhere(command, "--help")
    assert (shown.code, shown.err) == (0, "")
    examples = shown.out.partition("\nexamples:\n")[2]
    assert f"perdure {command}" in examples
    for verb in VERBS.get(command, ()):
        below = nowhere(command, verb, "--help")
        assert (below.code, below.err) == (0, "")
        assert below.out.startswith(f"usage: perdure {command} {verb}")
        assert verb in shown.out
    assert list(tmp_path.iterdir()) == [tmp_path / "person"], "help writes nothing"


@pytest.mark.parametrize("alias", ALIASES)
def test_the_seeds_names_have_help_too(environment: dict[str, str], tmp_path: Path, alias: str) -> None:
    shown = Cli(tmp_path, environment)(alias, "--help")
    assert shown.code == 0
    assert shown.out.startswith(f"usage: perdure {' '.join(ALIASES[alias])}")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("preflght", "preflight"),
        ("stauts", "status"),
        ("postflight-submt", "postflight-submit"),
        ("preflight --knw 0.8", "--know"),
        ("transaction list --opne", "--open"),
        ("decide x --becuase y", "--because"),
    ],
)
def test_a_slip_is_named_with_what_was_probably_meant(cli: Cli, words: str, meant: str) -> None:
    with nothing_written(cli):
        assert meant in assert_error(cli(*words.split(), "--json"), 2, kind="usage")["hint"]
        assert_said_to_a_person(cli(*words.split()), 2, "Did you mean", meant)


def test_what_resembles_nothing_points_to_help(cli: Cli) -> None:
    assert "perdure --help" in assert_error(cli("xyzzy", "--json"), 2)["hint"]
    assert "perdure status --help" in assert_error(cli("status", "--xyzzyqqq", "--json"), 2)["hint"]
    error = assert_error(cli("session", "strat", "--json"), 2, "strat")
    assert "start" in error["message"]


@pytest.mark.parametrize(
    ("words", "said", "hint"),
    [
        ("task", "task needs a verb: create, list, ready,", "For example: perdure task create '"),
        ("gate", "gate needs a verb: explain,", "For example: perdure gate explain '"),
        ("note", "note needs a kind: reasoning, finding,", "For example: perdure note finding '"),
        ("task shwo", "task has no verb 'shwo'", "Did you mean perdure task show?"),
        ("note fidning x", "note: KIND: 'fidning' is not one of", "Did you mean finding?"),
        ("story --for reviw", "story: --for: 'reviw' is not one of", "Did you mean review?"),
        ("adopt", "There is no command 'adopt'", "perdure transaction adopt"),
        ("task create", "task create: title is missing.", "For example: perdure task create '"),
        ("redact", "redact: id and --because are missing.", "For example: perdure redact"),
        ("tran", "There is no command 'tran'", "Did you mean perdure transaction, perdure transcript?"),
        ("transaction close 3f2a91c4", "'3f2a91c4' is one word too many", "transaction close --help shows examples"),
        ("note finding two words", "note: 'words' is one word too many.", "in quotes"),
        ("serve --port", "serve: --port needs a value.", "perdure serve --help"),
        ("serve --port x", "serve: --port: 'x' is not a number.", "perdure serve --help"),
        ("session list --limt 3", "session list: '--limt' is unknown.", "Did you mean --limit?"),
        ("help xyzzy", "There is no command 'xyzzy'.", "perdure --help"),
    ],
)
def test_a_wrong_command_line_says_once_what_is_missing_and_shows_a_right_one(
    cli: Cli, words: str, said: str, hint: str
) -> None:
    assert_said_once(cli, words, said, hint, kind="usage")


def assert_said_once(cli: Cli, words: str, said: str, hint: str, *, kind: str) -> None:
    error = assert_error(cli(*words.split(), "--json"), 2, said, kind=kind)
    assert hint in error["hint"]
    told = cli(*words.split())
    assert_said_to_a_person(told, 2, said, hint)
    assert told.err.count("perdure:") == 1, told.err
    assert "error" not in told.err


def test_a_number_that_is_missing_is_said_once_with_the_flags_for_both(cli: Cli) -> None:
    assert_said_once(
        cli, "check --know 0.9", "--uncertainty is required.", "--know K --uncertainty U", kind="bad_vector"
    )


def test_an_unknown_setting_is_said_once_with_the_nearest(cli: Cli) -> None:
    told = cli("config", "set", "gate.mod", "off")
    assert_said_to_a_person(told, 2, "config set: there is no setting 'gate.mod'.", "Did you mean gate.mode?")
    assert told.err.count("perdure:") == 1


@pytest.mark.parametrize(
    "words", ["help task create", "--help task create", "--json help task create", "task create --help", "task help"]
)
def test_help_is_found_however_one_asks_for_it(environment: dict[str, str], tmp_path: Path, words: str) -> None:
    shown = Cli(tmp_path, environment)(*words.split())
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("usage: perdure task create" if "create" in words else "usage: perdure task")


def test_a_mistyped_variable_is_said_once_and_never_to_the_client(cli: Cli) -> None:
    typed = {"PERDURE_GATE_MOD": "off", "PERDURE_HOEM": "/x", "PERDURE_NONSENSE\n\x1b[31m": "1"}
    told = cli("status", **typed)
    assert (told.code, told.err.count("PERDURE_GATE_MOD ")) == (0, 1)
    assert "PERDURE_GATE_MOD has no meaning for Perdure; did you mean PERDURE_GATE_MODE?" in told.err
    assert "did you mean PERDURE_HOME?" in told.err
    assert_quiet_terminal(told)
    assert "PERDURE_GATE_MOD" not in told.out
    assert json.loads(cli("status", "--json", **typed).out)["project"]
    found = cli("doctor", "--no-client", "--json", **typed).json["findings"]
    assert sum("PERDURE_GATE_MODE?" in each["detail"] for each in found) == 1
    hooked = cli("hook", "SessionStart", input="{}", **typed)
    assert "PERDURE_GATE_MOD " not in hooked.out + hooked.err
    assert cli("status", PERDURE_GATE_KNOW="0.7").err == ""


def test_flags_are_not_abbreviated(cli: Cli) -> None:
    assert_error(cli("preflight", "--know", "0.8", "--uncert", "0.2", "--json"), 2, "--uncert")


# -- the seeds' names ----------------------------------------------------------------------------------------------


def test_the_seeds_names_do_what_ours_do(cli: Cli, environment: dict[str, str], tmp_path: Path) -> None:
    other = new_repository(tmp_path / "outreach", environment)
    cli.ok("init", cwd=other)
    started = cli.ok("session-create")
    opened = cli.ok("preflight-submit", "-", input=assessment())
    assert opened["session_id"] == started["session_id"]
    assert cli.ok("check-submit", "-", input=assessment())["decision"] == "proceed"
    assert cli.ok("transaction-status")["transaction_id"] == opened["transaction_id"]
    assert cli.ok("goals-create", "ship it")["transaction_id"] == opened["transaction_id"]
    assert cli.ok("transaction-close", "--orphaned")["closed"] == []
    assert cli.ok("postflight-submit", "-", input=assessment())["transaction_id"] == opened["transaction_id"]
    assert cli.ok("project-switch", str(other))["project_path"] == str(other)


# -- ids -----------------------------------------------------------------------------------------------------------


def test_ids_are_accepted_as_their_first_eight_characters_and_shown_whole_in_json(cli: Cli) -> None:
    session = cli.ok("session", "start")["session_id"]
    opened = cli.ok("preflight", *FLAGS)["transaction_id"]
    goal = cli.ok("goal", "create", "ship it")["goal_id"]
    decision = cli.ok("decide", "use WAL")["decision_id"]
    note = cli.ok("note", "next", "add the test")["note_id"]
    assert all(len(each) == 36 for each in (session, opened, goal, decision, note))
    assert opened[:8] in cli("transaction", "list").out
    assert opened not in cli("transaction", "list").out
    assert cli.ok("session", "show", session[:8])["session_id"] == session
    assert cli.ok("transaction", "show", opened[:8].upper())["transaction_id"] == opened
    assert cli.ok("transaction", "show", opened[:13])["transaction_id"] == opened
    assert cli.ok("decide", "use FTS5", "--supersedes", decision[:8])["supersedes"] == decision
    assert cli.ok("note", "close", note[:8])["open"] is False
    assert cli.ok("goal", "done", goal[:8])["status"] == "done"
    assert cli.ok("redact", decision[:8], "--because", "private")["event_id"] == decision
    assert cli.ok("session", "end", session[:8])["session_id"] == session
    assert cli.ok("postflight", "--transaction-id", opened[:8], *FLAGS)["transaction_id"] == opened


def test_a_person_types_the_first_four_characters_of_an_id(cli: Cli) -> None:
    session = cli.ok("session", "start")["session_id"]
    opened = cli.ok("preflight", *FLAGS)["transaction_id"]
    goal = cli.ok("goal", "create", "ship it")["goal_id"]
    decision = cli.ok("decide", "use WAL")["decision_id"]
    note = cli.ok("note", "next", "add the test")["note_id"]
    task, before = (cli.ok("task", "create", title)["id"] for title in ("cents", "tests"))
    project = cli.ok("project", "list")[0]["project_id"]
    assert cli.ok("session", "show", session[:4])["session_id"] == session
    assert cli.ok("transaction", "show", opened[:4].upper())["transaction_id"] == opened
    assert cli.ok("decide", "use FTS5", "--supersedes", decision[:4])["supersedes"] == decision
    assert cli.ok("note", "close", note[:4])["open"] is False
    assert cli.ok("task", "dep", task[:4], before[:4])["id"] == task
    assert cli.ok("goal", "done", goal[:4])["status"] == "done"
    assert cli.ok("project", "show", project[:4])["project_id"] == project
    instance = cli.ok("status")["instance_id"]
    assert cli.ok("status", "--instance", instance[:4])["instance_id"] == instance
    assert cli.ok("postflight", "--transaction-id", opened[:4], *FLAGS)["transaction_id"] == opened


def test_four_characters_that_may_name_another_tools_task_do_so(cli: Cli) -> None:
    ours = cli.ok("task", "create", "cents")["id"]
    assert cli.ok("note", "finding", "x", "--task", ours[:4])["task_id"] == ours[:4]
    assert cli.ok("note", "finding", "x", "--task", ours[:8])["task_id"] == ours


@pytest.mark.parametrize(
    "words",
    [
        "transaction show ID",
        "transaction adopt ID",
        "transaction override ID --because x",
        "postflight --know 0.8 --uncertainty 0.2 --transaction-id ID",
        "session show ID",
        "session end ID",
        "session start --parent ID",
        "goal done ID",
        "note close ID",
        "decide x --supersedes ID",
        "redact ID --because x",
    ],
)
def test_ids_that_are_too_short_or_unknown_are_refused(cli: Cli, words: str) -> None:
    opened = cli.ok("preflight", *FLAGS)["transaction_id"]
    with nothing_written(cli):
        for bad in (opened[:3], "zzzzzzzz", "../../etc", opened + "0"):
            error = assert_error(cli(*(bad if w == "ID" else w for w in words.split()), "--json"), 2, kind="bad_id")
            assert "4" in error["message"]
        unknown = assert_error(cli(*words.replace("ID", "00000000").split(), "--json"), 1, "00000000")
        assert unknown["code"].startswith("no_such_")
        assert "perdure" in unknown["hint"]


@pytest.mark.parametrize(
    "words",
    [
        "transaction show ID",
        "transaction override ID --because x",
        "postflight --know 0.8 --uncertainty 0.2 --transaction-id ID",
        "session show ID",
        "session end ID",
        "session start --parent ID",
        "decide x --supersedes ID",
    ],
)
def test_an_empty_id_is_not_a_missing_one(cli: Cli, words: str) -> None:
    """Mostly a variable of the caller's that was not set: to go on without it would be a guess."""
    cli.ok("preflight", *FLAGS)
    with nothing_written(cli):
        assert_error(cli(*("" if word == "ID" else word for word in words.split()), "--json"), 2)


# -- settings ------------------------------------------------------------------------------------------------------


def test_config_show_says_where_each_value_comes_from(cli: Cli) -> None:
    home = Path(cli.environment["PERDURE_HOME"])
    shown = cli.ok("config", "show")
    assert set(shown) == set(SETTINGS)
    assert all(each["origin"] == "default" and each["value"] == each["default"] for each in shown.values())
    assert cli.ok("config", "set", "gate.know", "0.6", "--user")["path"] == str(home / "config.toml")
    assert cli.ok("config", "set", "gate.uncertainty", "0.5", "--user")["value"] == 0.5
    assert cli.ok("config", "set", "gate.know", "0.65")["path"] == str(cli.cwd / ".perdure" / "config.toml")
    shown = cli.ok("config", "show")
    assert (shown["gate.know"]["value"], shown["gate.know"]["origin"]) == (0.65, f"{cli.cwd}/.perdure/config.toml")
    assert (shown["gate.uncertainty"]["value"], shown["gate.uncertainty"]["origin"]) == (0.5, f"{home}/config.toml")
    over = cli.ok("config", "show", "gate.know", PERDURE_GATE_KNOW="0.9")
    assert over == {"gate.know": {**shown["gate.know"], "value": 0.9, "origin": "PERDURE_GATE_KNOW"}}
    person = cli("config", "show", PERDURE_GATE_KNOW="0.9").out
    assert re.search(r"gate\.know +0\.9 +PERDURE_GATE_KNOW", person)
    assert cli.ok("config", "unset", "gate.know")["was_set"] is True
    assert cli.ok("config", "show", "gate.know")["gate.know"]["value"] == 0.6
    again = cli("config", "unset", "gate.know", "--json")
    assert (again.code, again.json["was_set"]) == (1, False)


def test_a_setting_changes_what_it_says_it_changes(cli: Cli) -> None:
    cli.ok("config", "set", "gate.know", "0.85")
    assert cli.ok("preflight", *FLAGS)["gate"]["decision"] == "investigate"
    cli.ok("postflight", *FLAGS)
    cli.ok("note", "finding", "the parser keeps one token of lookahead")
    assert cli.ok("preflight", *FLAGS, PERDURE_GATE_KNOW="0.7")["gate"]["decision"] == "proceed"


@pytest.mark.parametrize("words", ["config set gate.knwo 0.5", "config unset gate.knwo", "config show gate.knwo"])
def test_an_unknown_key_names_the_nearest(cli: Cli, words: str) -> None:
    with nothing_written(cli):
        error = assert_error(cli(*words.split(), "--json"), 2, "gate.knwo", kind="unknown_setting")
    assert error["details"]["nearest"] == "gate.know"
    assert "gate.know" in error["hint"]


def test_an_unknown_key_in_a_file_is_told_with_file_and_nearest(cli: Cli) -> None:
    file = cli.cwd / ".perdure" / "config.toml"
    file.write_text("[transaction]\norphan = 'ask'\n")
    cli.ok("preflight", *FLAGS)
    told = "".join(cli.ok("status")["warnings"])
    assert f"{file}: there is no setting 'transaction.orphan'. Did you mean transaction.orphan" in told
    assert file.read_text() == "[transaction]\norphan = 'ask'\n"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gate.know", "1.5"),
        ("gate.know", "high"),
        ("gate.know", "nan"),
        ("transaction.orphans", "shrug"),
        ("transaction.orphan_hours", "0"),
        ("export.tracked", "maybe"),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_the_file_and_in_the_environment(cli: Cli, key: str, value: str) -> None:
    with nothing_written(cli):
        assert_error(cli("config", "set", key, value, "--json"), 2, key, kind="bad_setting")
        variable = SETTINGS[key].variable
        assert_error(cli("preflight", *FLAGS, "--json", **{variable: value}), 2, key, variable, kind="bad_setting")


BY_HAND = """\
# how we work here
[transaction]   # two of them
orphans   =  "ask"     # never lose one

# the gate
[gate]
    # know = 0.9   tried, too strict
know = 0.75

[export]
tracked = false
"""


def test_a_hand_written_file_keeps_its_comments_and_its_form(cli: Cli) -> None:
    file = cli.cwd / ".perdure" / "config.toml"
    file.write_text(BY_HAND)
    cli.ok("config", "set", "gate.know", "0.8")
    assert file.read_text() == BY_HAND.replace("know = 0.75", "know = 0.8")
    cli.ok("config", "set", "gate.uncertainty", "0.3")
    assert file.read_text() == BY_HAND.replace("know = 0.75", "know = 0.8\nuncertainty = 0.3")
    cli.ok("config", "unset", "gate.uncertainty")
    cli.ok("config", "set", "gate.know", "0.75")
    assert file.read_text() == BY_HAND


@pytest.mark.parametrize("text", ["[gate]\nknow = 0.75  # agreed with Ana\n", "[gate]  # ours\nknow = 0.75\n"])
def test_a_comment_on_the_line_itself_or_on_its_table_survives(cli: Cli, text: str) -> None:
    file = cli.cwd / ".perdure" / "config.toml"
    file.write_text(text)
    cli.ok("config", "set", "gate.know", "0.8")
    assert file.read_text() == text.replace("0.75", "0.8")


def test_every_other_line_of_a_file_full_of_comments_stays_as_it_is(cli: Cli) -> None:
    file = cli.cwd / ".perdure" / "config.toml"
    file.write_text(BY_HAND)
    cli.ok("config", "set", "transaction.orphans", "warn")
    assert cli.ok("config", "show", "transaction.orphans")["transaction.orphans"]["value"] == "warn"
    pairs = list(zip(BY_HAND.splitlines(), file.read_text().splitlines(), strict=True))
    ((was, now),) = [(was, now) for was, now in pairs if was != now]
    assert was.startswith("orphans")
    assert now.endswith("# never lose one")


@pytest.mark.parametrize("text", ["gate = { know = 0.75 }\n", "[gate]\n'know' = 0.75\n", "gate.know = 0.75\n"])
def test_other_ways_to_write_toml_are_edited_rightly_or_left_alone(cli: Cli, text: str) -> None:
    file = cli.cwd / ".perdure" / "config.toml"
    file.write_text(text)
    answer = cli("config", "set", "gate.know", "0.9", "--json")
    if answer.code:
        assert answer.code == 1, answer
        assert_error(answer, 1, "config.toml", kind="config_by_hand")
        assert file.read_text() == text
    else:
        assert cli.ok("config", "show", "gate.know")["gate.know"]["value"] == 0.9


# -- calibration ---------------------------------------------------------------------------------------------------


@pytest.fixture
def measured(pane: Cli) -> Cli:
    """One transaction with evidence: three good, one bad; one scenario of one met, and the last test passed."""
    pane.ok("preflight", *FLAGS)
    put(
        pane,
        ("test.run", p.TestRun("pytest -q", 9, 1)),
        ("test.run", p.TestRun("pytest -q", 10, 0)),
        ("claim.verified", p.ClaimVerified("the parser is pure")),
        ("claim.verified", p.ClaimVerified("the cache is keyed by path")),
        ("claim.refuted", p.ClaimRefuted("nobody calls it")),
        ("scenario.met", p.ScenarioMet("an empty file")),
    )
    pane.ok("postflight", "--know", "0.9", "--uncertainty", "0.1", "--completion", "0.8")
    return pane


def test_calibration_sets_what_was_stated_against_the_evidence(measured: Cli) -> None:
    rows = {row["vector"]: row for row in measured.ok("calibration")["agents"]}
    assert set(rows) == {"know", "uncertainty", "completion"}
    good, bad = 3, 2  # a passed run and two claims; a failed run and a refuted claim
    assert rows["know"]["bias"] == pytest.approx(0.8 - good / (good + bad))
    assert rows["uncertainty"]["bias"] == pytest.approx(0.2 - bad / (good + bad))
    assert rows["completion"]["bias"] == pytest.approx(0.8 - 1.0)
    for row in rows.values():
        assert (row["transactions"], row["spread"]) == (1, 0.0)
        assert row["correction"] == pytest.approx(row["bias"] / 6)
        assert [point["count"] for point in row["curve"]] == [1]
    agent = rows["know"]["agent"]
    assert len(measured.ok("calibration", "--agent", agent)["agents"]) == 3
    assert measured.ok("calibration", "--agent", "nobody-of-that-name")["agents"] == []


def test_postflight_shows_its_calibration_and_the_next_gate_is_corrected(measured: Cli) -> None:
    gate = measured.ok("preflight", *FLAGS)["gate"]
    assert gate["correction"]["know"] == pytest.approx(0.2 / 6, abs=1e-4)
    assert gate["corrected"]["know"] == pytest.approx(0.8 - 0.2 / 6, abs=1e-4)
    put(measured, ("test.run", p.TestRun("pytest", 1, 0)))
    closed = measured.ok("postflight", "--know", "0.9", "--uncertainty", "0.1")
    assert closed["calibration"]["know"] == {"stated": 0.8, "evidence": 1.0, "error": -0.2}


def test_calibration_as_a_table(measured: Cli) -> None:
    lines = measured("calibration").out.splitlines()
    assert lines[0].split() == ["agent", "vector", "n", "bias", "spread", "next", "changes", "by"]
    (know,) = [line.split()[1:] for line in lines if " know " in line]
    assert know == ["know", "1", "+0.200", "0.000", "-0.033"]


def test_calibration_as_a_picture(measured: Cli, tmp_path: Path) -> None:
    svg, png = tmp_path / "c.svg", tmp_path / "c.png"
    assert measured.ok("calibration", "--svg", str(svg))["drawn"] == [str(svg)]
    root = ElementTree.fromstring(svg.read_text())
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    words = [text.text for text in root.iter(f"{space}text")]
    assert {"know", "uncertainty", "completion", "stated", "evidence"} <= set(words)
    assert len(list(root.iter(f"{space}circle"))) == 3
    resvg = pytest.importorskip("resvg_py")
    assert measured.ok("calibration", "--png", str(png))["drawn"] == [str(png)]
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    without_words = re.sub(r"<text.*?</text>", "", svg.read_text())
    assert png.read_bytes() != bytes(resvg.svg_to_bytes(svg_string=without_words)), "its words are drawn"


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_never_overwrites_a_file(measured: Cli, tmp_path: Path, kind: str) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine")
    assert_error(measured("calibration", f"--{kind}", str(mine), "--json"), 2, kind="file_exists")
    assert mine.read_text() == "mine"


# -- places --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["status", "transaction status", "goal list", "note list", "session start"])
def test_without_a_project_the_answer_is_no_with_a_hint(
    environment: dict[str, str], tmp_path: Path, command: str
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    nowhere = Cli(empty, environment)
    error = assert_error(nowhere(*command.split(), "--json"), 1, "There is no project here", kind="no_project")
    assert "perdure init" in error["hint"]
    assert_said_to_a_person(nowhere(*command.split()), 1, "perdure init")
    assert list(empty.iterdir()) == []


def test_where_without_a_project_says_so_and_exits_1(environment: dict[str, str], tmp_path: Path) -> None:
    nowhere = Cli(tmp_path, environment)
    answer = nowhere("where", "--json")
    assert (answer.code, answer.json["project_path"]) == (1, None)
    assert "perdure init" in nowhere("where").out


def _rows(answer: dict[str, Any]) -> list[int]:
    return sorted({row["row"] for row in answer["rows"]})


def test_where_explain_lists_all_seven_rows(cli: Cli) -> None:
    by_folder = cli.ok("where", "--explain")
    assert _rows(by_folder) == [1, 2, 3, 4, 5, 6, 7]
    assert [row["row"] for row in by_folder["rows"] if row["taken"]] == [6]
    names = ["explicit", "client session", "process ancestry", "tmux pane", "terminal", "workspace registry", "cwd"]
    assert {row["row"]: row["name"] for row in by_folder["rows"]} == dict(enumerate(names, 1))
    assert all(row["outcome"] for row in by_folder["rows"])
    cli.ok("preflight", *FLAGS)
    bound = cli.ok("where", "--explain")
    assert _rows(bound) == [1, 2, 3, 4, 5, 6, 7]
    assert [row["row"] for row in bound["rows"] if row["taken"]] == [3]
    person = cli("where", "--explain").out
    assert all(name in person for name in names)
    assert "rows" not in cli.ok("where")


def test_project_show_finds_by_path_name_and_id(cli: Cli, tmp_path: Path) -> None:
    here = cli.ok("project", "show")
    for word in (str(cli.cwd), "shop", here["project_id"], here["project_id"][:8]):
        assert cli.ok("project", "show", word, cwd=tmp_path)["project_path"] == str(cli.cwd)
    (listed,) = cli.ok("project", "list", cwd=tmp_path)
    assert (listed["project_id"], listed["is_there"], listed["is_here"]) == (here["project_id"], True, False)


def test_the_names_of_all_projects_stand_below_each_other(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    other = new_repository(tmp_path / "outreach", environment)
    cli.ok("init", cwd=other)
    header, *rows = cli("project", "list", COLUMNS="0").out.splitlines()
    at = header.index("project")
    assert sorted(row[:at] for row in rows) == ["  ", "→ "]
    assert sorted(row[at:].split()[0] for row in rows) == ["outreach", "shop"]


def test_a_wrong_finding_is_taken_back_in_the_way_that_closing_it_names(cli: Cli) -> None:
    note = cli.ok("note", "finding", "the cache is keyed by inode")["note_id"]
    refused = cli("note", "close", note).err
    erase = f"perdure redact {note[:8]} --because '…'"
    assert erase in refused
    cli.ok(*shlex.split(erase.removeprefix("perdure ").replace("…", "a slip")))
    assert "inode" not in cli("note", "list").out + cli("log").out + cli("story").out
    assert "(erased)" in cli("log").out


def test_init_again_changes_nothing(cli: Cli) -> None:
    with nothing_written(cli):
        assert cli.ok("init")["changed"] == []
        again: Result = cli("init")
    assert "nothing changed" in again.out


# -- seed 000 §4 and §7: what the transitions answer with (its edge cases stand in test_seed_000) --------------------

LOW = ("--know", "0.3", "--uncertainty", "0.8", "--because", "have not looked yet")


def the_file(root: Path) -> dict[str, Any]:
    (found,) = (root / ".perdure").glob("active_transaction*.json")
    read: dict[str, Any] = json.loads(found.read_text())
    return read


def test_seed_000_4_1_preflight_answers_and_writes_the_file_and_the_session_record(cli: Cli) -> None:
    opened = cli.ok("preflight-submit", "-", input=assessment())
    assert opened["project_path"] == str(cli.cwd)
    assert opened["message"] == "Transaction opened. Include it in the handoff if the context is compacted."
    assert (opened["status"], opened["gate"]["decision"], opened["gate"]["passes"]) == ("open", "proceed", True)
    written = the_file(cli.cwd)
    assert (written["transaction_id"], written["project_path"]) == (opened["transaction_id"], str(cli.cwd))
    assert written["preflight_session_id"] == written["session_id"] == opened["session_id"]
    assert (written["sessions"], written["instance_id"]) == ([opened["session_id"]], opened["instance_id"])
    assert isinstance(written["preflight_timestamp"], float)
    assert isinstance(written["updated_at"], float)
    assert (written["postflight_timestamp"], written["postflight_session_id"]) == (None, None)
    assert (written["status"], written["preflight_vectors"]) == ("open", {"know": 0.8, "uncertainty": 0.2})
    session = cli.ok("session", "show", opened["session_id"])
    assert session["active_transaction_id"] == opened["transaction_id"]
    assert session["transaction_project_path"] == str(cli.cwd)


def test_seed_000_4_2_postflight_answers_closes_the_file_and_clears_the_session_record(cli: Cli) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    closed = cli.ok("postflight-submit", "-", input=assessment(know=0.9, uncertainty=0.1, completion=1.0))
    assert (closed["transaction_id"], closed["status"]) == (opened["transaction_id"], "closed")
    assert closed["sessions_touched"] == [opened["session_id"]]
    assert closed["duration_seconds"] >= 0
    assert closed["delta"] == pytest.approx({"know": 0.1, "uncertainty": -0.1})
    assert (closed["calibration"], closed["message"]) == (None, "Transaction closed.")
    written = the_file(cli.cwd)
    assert (written["status"], written["postflight_session_id"]) == ("closed", opened["session_id"])
    assert written["postflight_timestamp"] >= written["preflight_timestamp"]
    session = cli.ok("session", "show", opened["session_id"])
    assert (session["active_transaction_id"], session["transaction_project_path"]) == (None, None)


def test_seed_000_7_3_transaction_status_gives_the_seeds_fields_by_place_and_by_session(
    cli: Cli, tmp_path: Path
) -> None:
    none = cli("transaction-status", "--json")
    assert (none.code, none.json["status"], none.json["transaction_id"]) == (1, "none", None)
    opened = cli.ok("preflight", "-", input=assessment())
    status = cli.ok("transaction-status")
    assert (status["transaction_id"], status["status"]) == (opened["transaction_id"], "open")
    assert (status["project"], status["project_path"]) == ("shop", str(cli.cwd))
    assert status["preflight_session"] == opened["session_id"]
    assert status["sessions_touched"] == [opened["session_id"]]
    assert 0 <= status["age_seconds"] < 60
    assert status["orphaned"] is False
    by_session = ("--session-id", opened["session_id"], "--project-path", str(cli.cwd / ".perdure"))
    cli.ok("postflight", "-", input=assessment())
    assert cli.ok("transaction-status", *by_session, cwd=tmp_path)["transaction_id"] == opened["transaction_id"]


def test_a_second_preflight_is_refused_with_the_first_ones_id_and_the_two_ways_out(cli: Cli) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    with nothing_written(cli):
        error = assert_error(cli("preflight", *FLAGS, "--json"), 1, opened["transaction_id"][:8])
    assert error["details"]["transaction_id"] == opened["transaction_id"]
    assert "perdure check" in error["hint"]
    assert "perdure postflight" in error["hint"]


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("file.read", p.FileRead("src/parser.py")),
        ("search.made", p.SearchMade("def parse")),
        ("claim.verified", p.ClaimVerified("the parser is pure")),
        ("prompt.given", p.PromptGiven("yes, drop 3.10")),
    ],
)
def test_after_investigate_only_something_learned_changes_the_answer(pane: Cli, kind: str, payload: object) -> None:
    opened = pane.ok("preflight", *LOW)
    assert {each["vector"] for each in opened["gate"]["failed"]} == {"know", "uncertainty"}
    raised = pane("check", "-", input=assessment(know=0.95, uncertainty=0.05))
    assert (raised.code, raised.json["decision"]) == (1, "investigate")
    assert [each["vector"] for each in raised.json["failed"]] == ["learned"]
    put(pane, ("note.reasoning", p.Note("one's own words are nothing learned")))
    assert pane("check", *FLAGS).code == 1
    put(pane, (kind, payload))
    assert pane.ok("check", "-", input=assessment())["decision"] == "proceed"


def test_learning_alone_does_not_pass_a_low_check_and_is_used_up_by_it(pane: Cli) -> None:
    pane.ok("preflight", *LOW)
    put(pane, ("file.read", p.FileRead("src/parser.py")))
    given = {"vectors": {"know": 0.3, "uncertainty": 0.8}, "decision": "proceed"}
    low = pane("check", "-", input=json.dumps(given))
    assert (low.code, low.json["decision"]) == (1, "investigate"), "computed, never taken from the caller"
    assert any("decision" in warning for warning in low.json["warnings"])
    assert {each["vector"] for each in low.json["failed"]} == {"know", "uncertainty"}
    assert all(each["advice"] for each in low.json["failed"])
    assert pane("check", *FLAGS).code == 1, "nothing was learned since the last CHECK"


def test_a_goal_takes_the_open_transactions_id_by_itself(cli: Cli) -> None:
    cli.ok("goal", "create", "before")
    opened = cli.ok("preflight", *FLAGS, "--goal", "named by preflight")
    cli.ok("goals-create", "within")
    cli.ok("postflight", *FLAGS)
    cli.ok("goal", "create", "after")
    own = opened["transaction_id"]
    assert {goal["title"]: goal["transaction_id"] for goal in cli.ok("goal", "list")} == {
        "before": None,
        "named by preflight": own,
        "within": own,
        "after": None,
    }
    again = cli.ok("preflight", *FLAGS, "--goal", "named by preflight")
    assert again["goal_id"] == opened["goal_id"], "the same words name the same goal"


@pytest.fixture
def outreach(cli: Cli, environment: dict[str, str], tmp_path: Path) -> Path:
    made = new_repository(tmp_path / "outreach", environment)
    cli.ok("init", cwd=made)
    return made


@pytest.mark.parametrize("target", ["plain", "nowhere"])
def test_a_switch_that_cannot_be_made_closes_nothing(cli: Cli, tmp_path: Path, target: str) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "done.json").write_text(assessment())
    cli.ok("preflight", *FLAGS)
    with nothing_written(cli):
        words = ("project", "switch", str(tmp_path / target), "--postflight", str(tmp_path / "done.json"))
        assert cli(*words, "--json").code in (1, 2)
    assert cli.ok("where")["project_path"] == str(cli.cwd)


def test_a_switch_from_a_place_that_cannot_be_bound_closes_nothing(pane: Cli, outreach: Path, tmp_path: Path) -> None:
    (tmp_path / "done.json").write_text(assessment())
    pane.ok("preflight", *FLAGS)
    with nothing_written(pane):
        words = ("project", "switch", str(outreach), "--postflight", str(tmp_path / "done.json"))
        assert_error(pane(*words, "--json"), 1, kind="cannot_bind")


def test_seed_000_5_4_closing_clears_the_record_of_a_session_begun_in_another_project(cli: Cli, outreach: Path) -> None:
    session = cli.ok("session", "start", cwd=outreach)["session_id"]
    opened = cli.ok("preflight", "--project-path", str(cli.cwd), *FLAGS, cwd=outreach)
    assert opened["session_id"] == session
    at_home = ("session", "show", session, "--project-path", str(outreach))
    assert cli.ok(*at_home)["active_transaction_id"] == opened["transaction_id"]
    assert cli.ok(*at_home)["transaction_project_path"] == str(cli.cwd)
    assert cli.ok("postflight", *FLAGS)["transaction_id"] == opened["transaction_id"]
    assert cli.ok(*at_home)["active_transaction_id"] is None
    assert cli.ok(*at_home)["transaction_project_path"] is None


def test_postflight_says_that_the_goal_stays_open_and_how_it_ends(cli: Cli, tmp_path: Path) -> None:
    opened = cli.ok("preflight", *FLAGS, "--goal", "ship the parser")
    closed = cli.ok("postflight", *FLAGS, "--completion", "1.0")
    assert closed["open_goal_id"] == opened["goal_id"]
    way_out = closed["message"].rpartition("when it is reached: perdure ")[2]
    assert "ship the parser" in closed["message"]
    cli.ok(*way_out.split())
    assert cli.ok("goal", "list") == []
    cli.ok("preflight", *FLAGS)
    again = cli.ok("postflight", *FLAGS)
    assert (again["open_goal_id"], again["message"]) == (None, "Transaction closed.")


def test_postflight_from_elsewhere_names_the_goals_project_in_the_way_out(cli: Cli, tmp_path: Path) -> None:
    opened = cli.ok("preflight", *FLAGS, "--goal", "ship the parser")
    away = tmp_path / "away"
    away.mkdir()
    environment = {**cli.environment, "PERDURE_INSTANCE": "another"}
    elsewhere = Cli(away, environment)
    closed = elsewhere.ok("postflight", *FLAGS, "--transaction-id", opened["transaction_id"])
    way_out = closed["message"].rpartition("when it is reached: perdure ")[2]
    elsewhere.ok(*way_out.split())
    assert cli.ok("goal", "list") == []


def test_status_of_a_used_project_loads_nothing_that_it_does_not_need(pane: Cli) -> None:
    """OpenSSL, the rules of masking and the reading of citations each cost milliseconds (SPEC 18: 8 interpreters)."""
    assert pane("decide", "use WAL", "--because", "it is faster").code == 0
    assert pane("note", "finding", "the log grows").code == 0
    code = (
        "import sys; from perdure.__main__ import main; main(['status']); print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=pane.cwd, env=pane.environment, capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert "perdure.actions.overview" in loaded
    too_much = {"hashlib", "base64", "dataclasses", "perdure.masking", "perdure.grounding.citation"}
    assert not loaded & (too_much | {"perdure.actions.transactions", "perdure.actions.segments"})


def test_a_mistyped_kind_of_note_is_answered_with_the_nearest(cli: Cli) -> None:
    assert_error(cli("note", "list", "quesion", "--json"), 2, "There is no note kind 'quesion'", kind="bad_note_kind")
    assert "Did you mean question?" in cli("note", "list", "quesion").err
