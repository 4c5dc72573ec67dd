"""perdure status: what is wrong first, then the work, then what the other panes do (SPEC 17.6)."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.place.terminals import PERDURE, Terminals

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
