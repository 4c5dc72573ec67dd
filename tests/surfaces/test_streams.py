"""Where the answer goes: terminals, pipes, full and closed streams, other encodings; and what a person never sees."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from perdure.actions import attribution
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model import payload as p
from perdure.model.ids import EventId
from perdure.place.resolve import Explicit
from tests.conftest import Cli, assessment
from tests.surfaces.looking import (
    assert_error,
    assert_quiet_terminal,
    assert_said_to_a_person,
    nothing_written,
)

COLOURS = re.compile("\x1b\\[[0-9]{1,2}m")
TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def pane(cli: Cli) -> Cli:
    cli.environment["PERDURE_INSTANCE"] = "pane"
    return cli


def _in_a_terminal(cli: Cli, *arguments: str, **variables: str) -> str:
    leader, follower = os.openpty()
    environment = {**cli.environment, "TERM": "xterm", **variables}
    process = subprocess.Popen(
        cli.command(*arguments), cwd=cli.cwd, env=environment, stdout=follower, stderr=follower, stdin=follower
    )
    os.close(follower)
    out = b""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:  # the last one on the other side has gone
            break
        if not block:
            break
        out += block
    os.close(leader)
    assert process.wait(timeout=20) == 0, out
    return out.decode()


def test_a_terminal_gets_colour_and_indented_json(pane: Cli) -> None:
    assert "\x1b[1mshop" in _in_a_terminal(pane, "status")
    assert "\x1b" not in _in_a_terminal(pane, "status", NO_COLOR="1")
    assert "\x1b" not in _in_a_terminal(pane, "status", TERM="dumb")
    as_json = _in_a_terminal(pane, "status", "--json")
    assert as_json.startswith("{\r\n  ")
    assert json.loads(as_json)["project"] == "shop"


def test_colours_do_not_move_the_columns_of_a_table(pane: Cli) -> None:
    for kind in ("question", "finding", "next"):
        pane.ok("note", kind, f"a {kind} 日本語 👩‍💻 é")
    plain = pane("note", "list").out
    coloured = COLOURS.sub("", pane("note", "list", FORCE_COLOR="1").out)
    assert [line.rstrip() for line in coloured.splitlines()] == plain.splitlines()
    assert "👩‍💻" in plain


@pytest.mark.parametrize("command", [("status",), ("--help",), ("status", "--help"), ("export",), ("heal", "--json")])
def test_an_answer_that_cannot_be_written_is_an_error_and_not_a_defect(pane: Cli, command: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            pane.command(*command), cwd=pane.cwd, env=pane.environment, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 3
    if "--json" not in command:
        assert b"could not be written: No space left on device" in done.stderr
    for word in (b"defect", b"Traceback", b"Exception"):
        assert word not in done.stderr


def test_closed_streams_are_empty_ones(pane: Cli) -> None:
    def run(redirections: str, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", f'exec "$@" {redirections}', "sh", *pane.command(*command)],
            cwd=pane.cwd,
            env=pane.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert run(">&-", "status").returncode == 0
    assert run(">&- 2>&- <&-", "note", "finding", "in the dark").returncode == 0
    assert run("2>&-", "nonsense").returncode == 2
    assert run("2>&-", "nonsense").stdout == ""
    silent = run("<&-", "preflight", "-")
    assert silent.returncode == 2
    assert "is empty" in json.loads(silent.stdout)["error"]["message"]
    assert pane.ok("note", "list")[0]["text"] == "in the dark"
    assert pane("heal", "--check").code == 0


def test_a_terminal_that_speaks_another_encoding_gets_what_it_can_show_and_programs_get_everything(pane: Cli) -> None:
    pane.ok("note", "question", "naïve → 日本 \U0001f600")
    for encoding in ("ascii", "latin-1"):
        assert pane("status", PYTHONIOENCODING=encoding).code == 0
        assert pane("heal", PYTHONIOENCODING=encoding).code == 0
        answer = pane("note", "list", "--json", PYTHONIOENCODING=encoding)
        assert answer.json[0]["text"] == "naïve → 日本 \U0001f600"
        error = pane("note", "list", "früh →", "--json", PYTHONIOENCODING=encoding)
        assert_error(error, 2, "früh →")
        assert pane("export", PYTHONIOENCODING=encoding).out == pane("export").out


def test_a_working_directory_that_is_gone_is_named(pane: Cli, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    script = f'mkdir -p {gone} && cd {gone} && rmdir {gone} && exec "$@"'
    for flags, stream in ((["--json"], "stdout"), ([], "stderr")):
        done = subprocess.run(
            ["sh", "-c", script, "sh", *pane.command("status", *flags)],
            env=pane.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert "working directory is gone" in getattr(done, stream)
        assert "Traceback" not in done.stderr


def test_a_traceback_is_shown_to_those_who_ask_and_to_nobody_else(pane: Cli, tmp_path: Path) -> None:
    """A Python whose library is broken: whatever fails then was not foreseen."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "difflib.py").write_text("raise RuntimeError('this library is broken')\n")
    broken = {"PYTHONPATH": str(tmp_path / "broken")}
    failed = pane("nonsense", **broken)
    assert_said_to_a_person(failed, 3, "RuntimeError: this library is broken", "PERDURE_DEBUG=1")
    as_json = pane("nonsense", "--json", **broken)
    assert as_json.code == 3
    assert as_json.error["code"] == "internal"
    assert as_json.err == ""
    shown = pane("nonsense", **broken, PERDURE_DEBUG="1")
    assert shown.code == 3
    assert "Traceback (most recent call last)" in shown.err
    assert shown.err.rstrip().endswith("RuntimeError: this library is broken")
    assert "Traceback" not in pane("nonsense", **broken, PERDURE_DEBUG="0").err
    refused = pane("nonsense", PERDURE_DEBUG="1")
    assert refused.code == 2
    assert "Traceback" not in refused.err


def test_a_beginning_of_two_ids_is_refused(pane: Cli) -> None:
    twins = [f"abcdef01-0000-4000-8000-00000000000{n}" for n in (1, 2)]
    with open_desk(Request(str(pane.cwd), pane.environment, Explicit(instance="pane"))) as desk:
        for number, twin in enumerate(twins):
            attribution.record_event(desk, "goal.created", p.GoalCreated(f"goal {number}"), id=EventId(twin))
    with nothing_written(pane):
        error = assert_error(pane("goal", "done", "abcdef01", "--json"), 1, "abcdef01", kind="ambiguous_id")
        assert_error(pane("redact", "abcdef01-0000", "--because", "b", "--json"), 1, kind="ambiguous_id")
        assert_error(pane("goal", "done", "abcd", "--json"), 1, *twins, kind="ambiguous_id")
    assert "more characters" in error["hint"]
    assert pane.ok("goal", "done", twins[1])["goal_id"] == twins[1]
    assert [goal["goal_id"] for goal in pane.ok("goal", "list")] == [twins[0]]


def test_a_secret_given_as_an_id_is_not_stored_either(pane: Cli) -> None:
    assert_error(pane("note", "finding", "x", "--task", TOKEN, "--json"), 2, "task id")
    pane.ok("preflight", "-", input=assessment())
    assert pane("session", "end", "--reason", TOKEN).code == 0
    home = Path(pane.environment["PERDURE_HOME"])
    files = [path for folder in (pane.cwd / ".perdure", home) for path in folder.rglob("*") if path.is_file()]
    assert not [path for path in files if TOKEN.encode() in path.read_bytes()]


def test_without_the_rules_nothing_that_may_hold_a_secret_is_stored(pane: Cli, tmp_path: Path) -> None:
    """An installation that lost its rules: what cannot be masked is not written."""
    (tmp_path / "shadow" / "secretscreen").mkdir(parents=True)
    (tmp_path / "shadow" / "secretscreen" / "__init__.py").touch()
    with nothing_written(pane):
        result = pane("note", "finding", f"export GITHUB_TOKEN={TOKEN}", PYTHONPATH=str(tmp_path / "shadow"))
    assert result.code == 3
    assert TOKEN not in result.out + result.err
    assert_quiet_terminal(result)
