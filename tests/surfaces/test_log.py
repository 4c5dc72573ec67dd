"""perdure log: what happened, for a person (SPEC 17.6)."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from perdure.actions.log_entries import MOST_NAMED, last_before
from perdure.ledger.memory import MemoryLedger
from perdure.model import payload as p
from perdure.model.event import Draft
from perdure.model.ids import LedgerId, ProjectId
from perdure.model.moment import DAY, HOUR, Moment, stamp
from perdure.surfaces.since import moment_since

from ..conftest import Cli
from .test_hooks import FLAGS, Hooks, hooks
from .test_importing import draft, forged, pane, text

__all__ = ["hooks", "pane"]


def work(hooks: Hooks) -> None:
    """A prompt, a denial, a transaction, two edits, two commands of which one fails, a decision, a compaction."""
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="make the parser faster")
    assert hooks.bash("touch b")
    hooks.cli.ok("preflight", *FLAGS)
    for name in ("parser.py", "parser.py", "lexer.py"):
        given = {"file_path": str(hooks.cli.cwd / name), "old_string": "a", "new_string": "b"}
        hooks("PostToolUse", tool_name="Edit", tool_input=given, tool_response={})
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "make all"}, tool_response={"stdout": "a"})
    hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": "make bad"}, error="Exit code 2\nno rule")
    hooks.cli.ok("decide", "keep one token of lookahead", "--because", "it is enough")
    hooks.cli.ok("postflight", *FLAGS)


def kinds_of(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["kind"] for entry in entries]


def test_a_day_is_told_in_order_with_edits_commands_and_denials_put_together(hooks: Hooks) -> None:
    work(hooks)
    found = hooks.cli.ok("log")
    told = [entry for entry in found if entry["kind"] not in ("session", "goal")]
    assert kinds_of(told) == [
        *("prompt", "denial", "transaction", "edit", "command", "decision", "transaction"),
    ], found
    by_kind = {entry["kind"]: entry for entry in told}
    assert by_kind["prompt"]["text"] == "make the parser faster"
    assert by_kind["denial"]["names"] == ["touch b"]
    assert (by_kind["edit"]["count"], by_kind["edit"]["names"]) == (3, ["parser.py (×2)", "lexer.py"])
    assert (by_kind["command"]["count"], by_kind["command"]["failed_count"]) == (2, 1)
    assert by_kind["command"]["names"] == ["make bad", "make all"]
    assert by_kind["decision"]["text"] == "keep one token of lookahead (because it is enough)"
    said = hooks.cli("log").out
    assert "prompt       make the parser faster" in said
    assert "edit         3 edits: parser.py (×2), lexer.py" in said
    assert "command      1 failed: make bad; 1 ok: make all" in said
    assert "denial       1 denied: touch b" in said
    assert time.strftime("%A %d %B %Y") in said


def test_a_command_of_perdures_is_shown_only_as_what_it_recorded(hooks: Hooks) -> None:
    noted = "perdure note next 'the lexer'"
    hooks.cli.ok("note", "next", "the lexer")
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": noted}, tool_response={"stdout": "a"})
    wrong = {"command": "perdure check --know 1"}
    hooks("PostToolUseFailure", tool_name="Bash", tool_input=wrong, error="Exit code 2\nno uncertainty")
    told = [entry for entry in hooks.cli.ok("log") if entry["kind"] in ("command", "note")]
    assert [entry["text"] for entry in told] == ["next: the lexer", wrong["command"]]
    (commands,) = hooks.cli.ok("log", "--kind", "command")
    assert noted in commands["names"], "whoever asks for the commands gets all of them"


def test_a_test_run_without_a_reported_test_is_shown_only_as_its_command(hooks: Hooks) -> None:
    ran = {"command": "python3 -m pytest -q"}
    hooks("PostToolUseFailure", tool_name="Bash", tool_input=ran, error="Exit code 1\nNo module named pytest")
    assert kinds_of(hooks.cli.ok("log", "--kind", "test")) == ["test"]
    assert [entry["kind"] for entry in hooks.cli.ok("log") if entry["kind"] in ("command", "test")] == ["command"]


def test_of_many_different_commands_every_failed_one_is_counted_as_failed(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    many = MOST_NAMED + 3
    for number in range(many):
        hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": f"make b{number}"}, error="Exit code 2")
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "make all"}, tool_response={"stdout": "a"})
    (entry,) = hooks.cli.ok("log", "--kind", "command")
    assert (entry["count"], entry["failed_count"]) == (many + 1, many)
    assert f"{many} failed: make b0, " in hooks.cli("log", "--kind", "command").out


def test_a_denial_that_nobody_recorded_yet_is_told_once(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.bash("touch b")
    assert [each["names"] for each in hooks.cli.ok("log", "--kind", "denial")] == [["touch b"]]
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={"stdout": "a"})
    assert [each["names"] for each in hooks.cli.ok("log", "--kind", "denial")] == [["touch b"]]


def test_it_can_be_narrowed_to_a_kind_a_file_a_session_and_a_transaction(hooks: Hooks) -> None:
    work(hooks)
    found = hooks.cli.ok("log")
    [opened, closed] = [each for each in found if each["kind"] == "transaction"]
    assert kinds_of(hooks.cli.ok("log", "--kind", "decision", "--kind", "prompt")) == ["prompt", "decision"]
    assert [each["names"] for each in hooks.cli.ok("log", "--file", "parser.py")] == [["parser.py (×2)"]]
    assert hooks.cli.ok("log", "--file", "elsewhere.py") == []
    of_one = hooks.cli.ok("log", "--transaction", opened["transaction_id"])
    assert [each["text"] for each in of_one if each["kind"] == "transaction"] == [opened["text"], closed["text"]]
    assert "prompt" not in kinds_of(of_one)
    assert "prompt" in kinds_of(hooks.cli.ok("log", "--session", opened["session_id"]))
    other = hooks.cli.ok("session", "start")["session_id"]
    assert kinds_of(hooks.cli.ok("log", "--session", other)) == ["session"]


def test_session_show_and_transaction_show_tell_the_same_for_one(hooks: Hooks) -> None:
    work(hooks)
    [opened, _] = [each for each in hooks.cli.ok("log") if each["kind"] == "transaction"]
    said = hooks.cli("transaction", "show", opened["transaction_id"]).out
    assert "3 edits: parser.py" in said
    assert "keep one token of lookahead" in said
    assert "make the parser faster" not in said.partition("transaction  opened")[2]
    assert "make the parser faster" in hooks.cli("session", "show", opened["session_id"]).out
    assert "names" not in hooks.cli.ok("transaction", "show", opened["transaction_id"])


def test_words_of_another_machine_are_marked_and_its_wrong_times_do_no_harm(pane: Cli) -> None:
    denied = p.GateDenied(tool="Bash", reason="r", kind="k", at="no time", call="rm all")
    theirs = [draft("note.finding", p.Note("the cache is cold")), draft("gate.denied", denied)]
    pane.ok("import", "-", input=text(forged(pane, theirs)))
    found = {each["kind"]: each["text"] for each in pane.ok("log", "--since", "2000-01-01")}
    assert found["note"].startswith("(from another machine, ledger ")
    assert found["note"].endswith("finding: the cache is cold")
    assert found["denial"].startswith("(from another machine, ledger ")


def test_nothing_is_said_plainly_and_a_wrong_time_or_kind_is_bad_usage(cli: Cli) -> None:
    assert cli("log", "--kind", "decision").out.startswith("Nothing is recorded since ")
    assert cli.ok("log", "--kind", "decision") == []
    assert cli("log", "--since", "someday").code == 2
    assert cli("log", "--kind", "gossip").code == 2
    assert cli("log", "--session", "00000000").code == 1


def test_every_line_fits_the_terminal_and_nothing_reaches_it_that_it_would_obey(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="漢字" * 60 + "\x1b[2J\x1b]0;title\x07 done")
    for columns in (50, 80):
        said = at_terminal(hooks.cli, columns, "log", NO_COLOR="1", PAGER="cat")
        assert "漢字" in said
        assert "\x1b" not in said
        assert max(sum(2 if ord(c) > 0x2E80 else 1 for c in line) for line in said.splitlines()) <= columns


def test_a_pager_is_used_at_a_terminal_and_nowhere_else(hooks: Hooks, tmp_path: Path) -> None:
    hooks.cli.ok("decide", "page it")
    pager = tmp_path / "page"
    pager.write_text("#!/bin/sh\necho PAGED; cat\n")
    pager.chmod(0o755)
    assert "PAGED" in at_terminal(hooks.cli.of_a_person(), 80, "log", PAGER=str(pager))
    assert "PAGED" not in hooks.cli("log", PAGER=str(pager)).out
    assert "page it" in at_terminal(hooks.cli.of_a_person(), 80, "log", PAGER="/no/such/pager")


def at_terminal(cli: Cli, columns: int, *words: str, **variables: str) -> str:
    """What the command prints at a terminal of this width."""
    ours, theirs = pty.openpty()
    subprocess.run(["stty", "cols", str(columns), "rows", "24"], stdin=theirs, check=True)
    env = {**cli.environment, "TERM": "xterm", **variables}
    done = subprocess.Popen(cli.command(*words), cwd=cli.cwd, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        said += part
    assert done.wait(30) == 0, said
    os.close(ours)
    return said.decode()


def test_follow_shows_what_happens_meanwhile(hooks: Hooks) -> None:
    command = [sys.executable, "-m", "perdure", "log", "--follow", "--json"]
    follower = subprocess.Popen(command, cwd=hooks.cli.cwd, env=hooks.cli.environment, stdout=subprocess.PIPE)
    try:
        hooks.cli.ok("decide", "first")
        hooks.cli.ok("decide", "second")
        assert follower.stdout
        said: list[str] = []
        while "second" not in said:
            entry = json.loads(follower.stdout.readline())
            said += [entry["text"]] if entry["kind"] == "decision" else []
        assert said == ["first", "second"]
    finally:
        follower.kill()
        follower.communicate()


def test_the_first_event_of_a_time_is_found_with_few_looks_in_a_long_chain() -> None:
    class Counted(MemoryLedger):
        looks = 0

        def event(self, ref: Any) -> Any:
            self.looks += 1
            return super().event(ref)

    from perdure.ledger.port import Origin

    ledger = Counted(LedgerId("00000000-0000-4000-8000-000000000001"), Origin("/x", "m"))
    project = ProjectId("00000000-0000-4000-8000-000000000002")
    for hour in range(1000):
        ledger.append([Draft("file.read", {"path": "a"}, stamp(Moment(hour * HOUR)), project)])
    for hour in (0, 1, 500, 999, 1000):
        ledger.looks = 0
        assert last_before(ledger, ledger.head(), stamp(Moment(hour * HOUR))) == hour
        assert ledger.looks <= 11


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("30m", "2026-03-11 11:30"),
        ("2h", "2026-03-11 10:00"),
        ("1w", "2026-03-04 12:00"),
        ("today", "2026-03-11 00:00"),
        ("Yesterday", "2026-03-10 00:00"),
        ("monday", "2026-03-09 00:00"),
        ("thursday", "2026-03-05 00:00"),
        ("09:15", "2026-03-11 09:15"),
        ("2026-02-28", "2026-02-28 00:00"),
        ("2026-02-28 14:30", "2026-02-28 14:30"),
        ("2026-02-28T14:30", "2026-02-28 14:30"),
    ],
)
def test_a_person_says_since_when(words: str, meant: str) -> None:
    local = "%Y-%m-%d %H:%M"
    noon = Moment(int(time.mktime(time.strptime("2026-03-11 12:00", local))) * 1000)
    assert time.strftime(local, time.localtime(moment_since(words, noon) / 1000)) == meant
    assert noon - moment_since(words, noon) < 20 * DAY


@pytest.mark.parametrize("asked", [("--file", "nothing.py"), ("--since", "8w", "--kind", "denial")])
def test_nobody_is_sent_further_back_who_looked_further_back_already(hooks: Hooks, asked: tuple[str, ...]) -> None:
    work_of_nobody = hooks.cli("log", *asked).out
    assert "Nothing is recorded" in work_of_nobody
    assert "--since" not in work_of_nobody
    assert "perdure log --since 4w" in hooks.cli("log", "--since", "2h", "--kind", "denial").out


def test_a_transactions_numbers_stand_below_each_other(hooks: Hooks) -> None:
    opened = hooks.cli.ok("preflight", *FLAGS)
    assert "\nvectors   know 0." in hooks.cli("transaction", "show", opened["transaction_id"]).out
