"""perdure status: what is wrong first, then the work, then what the other panes do (SPEC 17.6)."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Cli, new_repository
from tests.place.terminals import PERDURE, Terminals

from .looking import CONTROLS
from .test_hooks import FLAGS, Hooks


@pytest.fixture
def terminals(cli: Cli, tmp_path: Path) -> Iterator[Terminals]:
    made = Terminals(tmp_path / "typed", cli.environment, cli.cwd)
    yield made
    made.close()


def change_events(statement: str) -> Callable[[Path, Path], None]:
    def change(project: Path, _home: Path) -> None:
        with sqlite3.connect(project / ".perdure" / "ledger.db") as db:
            db.execute(statement)
        db.close()

    return change


def change_files(pattern: str, change: Callable[[bytes], bytes]) -> Callable[[Path, Path], None]:
    def changed(_project: Path, home: Path) -> None:
        found = list(home.glob(pattern))
        assert found
        for path in found:
            path.write_bytes(change(path.read_bytes()))

    return changed


def remove(pattern: str) -> Callable[[Path, Path], None]:
    def removed(_project: Path, home: Path) -> None:
        for path in list(home.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    return removed


def forge_transaction(project: Path, _home: Path) -> None:
    for path in project.glob(".perdure/active_transaction*"):
        path.write_text(path.read_text().replace('"open"', '"closed"'))


TAMPERED: dict[str, Callable[[Path, Path], None]] = {
    "an old event": change_events("UPDATE events SET payload = replace(payload, 'lookahead', 'LOOKAHEAD')"),
    "an event taken out": change_events("DELETE FROM events WHERE payload LIKE '%lookahead%'"),
    "the last events cut off": change_events("DELETE FROM events WHERE row > (SELECT max(row) FROM events) - 2"),
    "the state": change_events("DELETE FROM documents WHERE kind = 'goal'"),
    "the backup": change_files("backups/*/*.jsonl", lambda text: text.replace(b"lookahead", b"LOOKAHEAD")),
    "the backup cut off": change_files("backups/*/*.jsonl", lambda text: text[: len(text) // 2]),
    "the backup gone": remove("backups"),
    "the backup's seal": change_files("backups/*/*.seal", lambda text: text.replace(b'"seq":', b'"seq":1')),
    "a head": change_files("heads/*/*.jsonl", lambda text: text.replace(b"e", b"f", 3)),
    "the heads gone": remove("heads"),
    "a transaction file": forge_transaction,
}


@pytest.fixture
def worked(cli: Cli) -> Cli:
    cli.ok("preflight", *FLAGS, "--goal", "ship the parser")
    cli.ok("note", "finding", "one token of lookahead")
    cli.ok("audit", "heads", "--sign")
    cli.ok("note", "finding", "the lexer is slow")
    assert cli.ok("status")["warnings"] == []
    return cli


def home_of(cli: Cli) -> Path:
    return Path(cli.environment["PERDURE_HOME"])


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_tampered_with_is_said_first_and_the_remedy_works(worked: Cli, what: str) -> None:
    TAMPERED[what](worked.cwd, home_of(worked))
    for _ in range(2):  # the second look is from what the first one kept
        first, second, *_ = worked("status").out.splitlines()
        assert not first.startswith("!")
        assert re.match("! (the record was altered|nothing can be recorded|active_transaction_)", second), second
    assert "perdure heal" in second
    worked.ok("heal")
    assert worked.ok("status")["warnings"] == []
    assert worked("audit", "verify").code == 0


def test_the_next_command_that_writes_covers_up_nothing(worked: Cli) -> None:
    TAMPERED["an old event"](worked.cwd, home_of(worked))
    worked.ok("note", "finding", "work goes on")
    assert "the record was altered" in worked.ok("status")["warnings"][0]


def test_a_forged_mark_is_not_believed(worked: Cli) -> None:
    (mark,) = home_of(worked).glob("checked/*.json")
    TAMPERED["an old event"](worked.cwd, home_of(worked))
    worked("status")
    said = json.loads(mark.read_text())
    assert said["wrong"]
    mark.write_text(json.dumps({**said, "wrong": []}))
    assert "the record was altered" in worked.ok("status")["warnings"][0]


def test_an_ordinary_day_makes_status_verify_nothing(worked: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only files that something else changed are looked at."""
    hooks = Hooks(worked)
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="make it faster")
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={"stdout": "a"})
    for line in (["task", "create", "x"], ["check", *FLAGS], ["postflight", *FLAGS], ["session", "end"]):
        worked.ok(*line)
        (mark,) = home_of(worked).glob("checked/*.json")
        before = mark.stat().st_mtime_ns
        assert worked.ok("status")["warnings"] == []
        assert mark.stat().st_mtime_ns == before, f"verified again after {line}"


def test_what_is_wrong_comes_in_the_order_of_its_weight(worked: Cli) -> None:
    worked.ok("decide", "a", "--key", "k", "--value", "1")
    worked.ok("decide", "b", "--key", "k", "--value", "2")
    worked.ok("pause", "10m", "--because", "a rename")
    TAMPERED["the heads gone"](worked.cwd, home_of(worked))
    said = worked.ok("status")["warnings"]
    places = [next(at for at, each in enumerate(said) if word in each) for word in ("altered", "paused until", "Fork")]
    assert places == sorted(places) == [0, 1, places[2]], said


def test_each_other_living_pane_is_shown_with_its_goal_and_what_it_was_asked_last(terminals: Terminals) -> None:
    here, other = terminals.pty(), terminals.pty()
    began = other.ok("session", "start")
    opened = other.ok("preflight", *FLAGS, "--goal", "prices in cents")
    asked = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "make the prices ints", "cwd": "."}
    other.run(f"echo '{json.dumps(asked)}' | {PERDURE} hook UserPromptSubmit")
    (pane,) = here.ok("status")["panes"]
    assert (pane["instance_id"], pane["goal"]) == (began["instance_id"], "prices in cents")
    assert pane["transaction_id"] == opened["transaction_id"]
    assert pane["request"] == "make the prices ints"
    said = here.run(f"{PERDURE} status").out
    assert f"pane {began['instance_id'][:8]} ({other.name.replace('-', '/', 1)})" in said
    assert "asked  make the prices ints" in said
    assert said.count(opened["transaction_id"][:8]) == 1, "once, with its pane"
    other.close()
    gone = here.ok("status")
    assert gone["panes"] == []
    assert "was left open by a pane that is gone" in gone["warnings"][0]


def test_a_terminal_that_only_wrote_a_note_is_named_as_the_log_names_it(terminals: Terminals) -> None:
    here = terminals.pty()
    assert "no pane bound here yet  no session" in here.run(f"{PERDURE} status").out
    here.ok("note", "finding", "the cache is keyed by path")
    (pane,) = {entry["instance_id"] for entry in here.ok("log", "--kind", "note")}
    assert f"pane {pane[:8]}  session " in here.run(f"{PERDURE} status").out


# -- every project, and while one looks ----------------------------------------------------------------------------


def test_all_shows_every_project_with_what_is_open_and_wrong_there(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    site = Cli(new_repository(tmp_path / "site", environment), cli.environment)
    gone = Cli(new_repository(tmp_path / "old", environment), cli.environment)
    for each in (site, gone):
        each.ok("init", "--no-client")
    opened = site.ok("preflight", *FLAGS, "--goal", "prices in cents")
    site.ok("audit", "heads", "--sign")
    TAMPERED["a head"](site.cwd, home_of(site))
    shutil.rmtree(gone.cwd)
    found = {each["project_path"]: each for each in cli.ok("status", "--all")}
    assert next(iter(found.values()))["is_here"]
    assert [each["transaction_id"] for each in found[str(site.cwd)]["transactions"]] == [opened["transaction_id"]]
    assert "the record was altered" in found[str(site.cwd)]["warnings"][0]
    assert not found[str(gone.cwd)]["is_there"]
    said = cli("status", "--all").out
    assert "prices in cents" in said
    assert "old (gone: " in said
    advised = re.search(r"(perdure heal --project-path \S+)", said)
    assert advised, said
    cli.ok(*advised[1].split()[1:])
    assert [each["warnings"] for each in cli.ok("status", "--all")] == [[], [], []]


def test_a_project_is_not_called_altered_because_one_looks_from_another(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    """What the last command left there is not known, so the record is verified, but not against where one stands."""
    site = Cli(new_repository(tmp_path / "site", environment), cli.environment)
    site.ok("init", "--no-client")
    shutil.rmtree(home_of(cli) / "checked")
    assert [each["warnings"] for each in cli.ok("status", "--all")] == [[], []]
    assert site.ok("status")["warnings"] == []


def test_a_damaged_project_does_not_hide_the_others(cli: Cli, environment: dict[str, str], tmp_path: Path) -> None:
    broken = Cli(new_repository(tmp_path / "broken", environment), cli.environment)
    broken.ok("init", "--no-client")
    (broken.cwd / ".perdure" / "ledger.db").write_bytes(b"junk" * 1000)
    found = {each["project"]: each for each in cli.ok("status", "--all")}
    assert "damaged" in found["broken"]["warnings"][0]
    assert len(found) == 2


def test_hostile_text_of_another_pane_reaches_no_terminal(terminals: Terminals) -> None:
    here, other = terminals.pty(), terminals.pty()
    other.ok("session", "start")
    asked = {"session_id": "s", "prompt": "\x1b]0;owned\x07\u202eevil\nsecond\x9b2J", "cwd": "."}
    other.run(f"echo '{json.dumps(asked)}' | {PERDURE} hook UserPromptSubmit")
    assert here.ok("status")["panes"][0]["request"]
    for page in ("status", "status --all"):
        said = here.run(f"NO_COLOR=1 {PERDURE} {page}").out
        assert "evil" in said
        assert not CONTROLS.search(said.replace("\r", "")), repr(said)


def test_watch_without_a_terminal_says_what_to_do(cli: Cli) -> None:
    refused = cli("status", "--watch")
    assert refused.code == 2
    assert "perdure status shows the page once" in refused.err
    assert cli("status", "--watch", "--json").code == 2


def watch_in(cli: Cli, side: int, *, rows: int, columns: int) -> subprocess.Popen[bytes]:
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    return subprocess.Popen(
        [sys.executable, "-m", "perdure", "status", "--watch"],
        cwd=cli.cwd,
        env={**cli.environment, "NO_COLOR": "1"},
        stdin=side,
        stdout=side,
        stderr=side,
    )


def test_watch_in_a_dumb_terminal_says_so_and_writes_no_controls(cli: Cli) -> None:
    leader, side = os.openpty()
    cli.environment["TERM"] = "dumb"
    watching = watch_in(cli, side, rows=24, columns=80)
    os.close(side)
    try:
        assert watching.wait(20) == 2
        said = os.read(leader, 4096).decode()
    finally:
        watching.kill()
        os.close(leader)
    assert "is a dumb one" in said
    assert "\x1b" not in said


def test_watch_that_is_ended_gives_the_terminal_back_and_takes_no_unknown_size_for_a_small_one(worked: Cli) -> None:
    main, side = pty.openpty()
    watching = watch_in(worked, side, rows=0, columns=0)
    try:
        assert "more lines" not in read_until(main, "Ctrl-C ends"), "24 rows are enough for this page"
        watching.send_signal(signal.SIGTERM)
        assert watching.wait(20) == 128 + signal.SIGTERM
        assert "\x1b[?25h\x1b[?1049l" in read_until(main, "\x1b[?1049l")
    finally:
        watching.kill()
        watching.wait()
        os.close(main)
        os.close(side)


def test_watch_redraws_when_something_changes_fits_the_terminal_and_ends_with_130(cli: Cli) -> None:
    main, side = pty.openpty()
    watching = watch_in(cli, side, rows=12, columns=40)
    try:
        seen = read_until(main, "Ctrl-C ends")
        assert seen.startswith("\x1b[?1049h")
        cli.ok("note", "next", "write the test for half cents, and for the whole ones, before lunch")
        seen = read_until(main, "half cents", "lunch", "Ctrl-C ends")
        page = seen.rpartition("\x1b[H")[2]
        lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", page).replace("\r", "").split("\n")
        assert len(lines) <= 12
        assert all(len(line) <= 40 for line in lines), lines
        watching.send_signal(signal.SIGINT)
        assert watching.wait(20) == 130
        assert "\x1b[?1049l" in read_until(main, "\x1b[?1049l"), "what stood in the terminal is there again"
    finally:
        watching.kill()
        watching.wait()
        os.close(main)
        os.close(side)


def read_until(terminal: int, *words: str) -> str:
    seen, until = "", time.monotonic() + 30
    for word in words:
        while word not in re.sub(r"\s+", " ", seen) and word not in seen:
            assert time.monotonic() < until, seen
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 1 << 16).decode()
    return seen
