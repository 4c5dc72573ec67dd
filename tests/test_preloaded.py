"""A command that is forked does what one with an interpreter of its own does, and leaves nothing for the next one."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from perdure.clients.claude_code import EVENTS

from . import preloaded
from .conftest import Cli
from .surfaces.test_hooks import Hooks

needs_it = pytest.mark.skipif(not preloaded.IS_HERE, reason="this system cannot wait for a process as for a file")


@needs_it
@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["--version"], ""),
        (["note", "--help"], ""),
        (["nothing"], ""),
        (["config", "show", "--json"], ""),
        (["preflight", "-"], "no JSON"),
        (["transaction", "status"], ""),
        (["hook", "PreToolUse"], '{"tool_name": "Bash", "tool_input": {"command": "touch x"}}'),
        (["where", "\udcff"], ""),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_both_give_the_same_answer(cli: Cli, words: list[str], given: str) -> None:
    forked = preloaded.run(words, cwd=cli.cwd, env=cli.environment, input=given.encode(), timeout=60)
    command = [os.fsencode(word) for word in (sys.executable, "-m", "perdure", *words)]
    real = subprocess.run(
        command, cwd=cli.cwd, env=cli.environment, input=given.encode(), capture_output=True, check=False
    )
    assert (forked.returncode, forked.stdout, forked.stderr) == (real.returncode, real.stdout, real.stderr)


@needs_it
def test_a_forked_hook_gives_the_answer_of_the_registered_program(cli: Cli) -> None:
    hooks = Hooks(cli)
    given = {"tool_name": "Bash", "tool_input": {"command": "touch x"}, "source": "startup", "prompt": "hi"}
    for event in (*EVENTS, "Nope"):
        answers = []
        for is_forked in (True, False):
            Cli.is_forked = is_forked
            # A session of its own for each: the second of two answers may leave out what the first one said.
            answers.append(hooks(event, session=str(uuid4()), **given))
        assert answers[0] == answers[1], event


@needs_it
def test_nothing_of_one_command_is_left_for_the_next(cli: Cli, tmp_path: Path) -> None:
    env = {**cli.environment, "PERDURE_GATE_MODE": "observe"}
    said = preloaded.run(["config", "show", "--json"], cwd=cli.cwd, env=env, input=b"", timeout=60)
    assert json.loads(said.stdout)["gate.mode"]["value"] == "observe"
    assert cli.ok("config", "show")["gate.mode"]["value"] == "enforce"
    outside = preloaded.run(["status"], cwd=tmp_path, env=cli.environment, input=b"", timeout=60)
    assert outside.returncode == 1
    assert cli("status").code == 0


def asked(cli: Cli, words: list[str], out: str = os.devnull, hook_of: str | None = None) -> tuple[int, int]:
    """The process that ran a command, and its exit code."""
    with open(os.devnull, "rb") as nothing, open(out, "wb") as written:
        files = [nothing.fileno(), written.fileno(), written.fileno()]
        connection = preloaded._asked(words, files, cwd=cli.cwd, env=cli.environment, hook_of=hook_of)
    with connection, connection.makefile("r") as answers:
        return int(answers.readline()), int(answers.readline())


def ignored(pid: int) -> int:
    """The signals that a process ignores."""
    (line,) = [each for each in Path(f"/proc/{pid}/status").read_text().splitlines() if each.startswith("SigIgn")]
    return int(line.split()[1], 16)


@needs_it
def test_a_process_that_has_run_a_command_is_as_before_and_runs_the_next_one(cli: Cli) -> None:
    """The hook in the middle ignores SIGTERM for the rest of its process."""
    first, _ = asked(cli, ["status"])
    before = ignored(first)
    assert asked(cli, ["PostToolUse"], hook_of="/opt/perdure")[0] == first
    assert ignored(first) == before
    assert {os.readlink(f"/proc/{first}/fd/{number}") for number in range(3)} == {os.devnull}
    assert os.readlink(f"/proc/{first}/cwd") == "/"
    assert asked(cli, ["status"]) == (first, 0)


@needs_it
def test_the_folder_for_temporary_files_of_one_command_is_not_that_of_the_next(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    cli("init", "--client", "claude-code", "--yes")
    before = cli("doctor", "--no-client", "--json", TMPDIR=str(folder))
    folder.rmdir()
    assert cli("doctor", "--no-client", "--json").code == before.code


@needs_it
def test_a_command_that_leaves_something_behind_ends_with_its_process(cli: Cli) -> None:
    """Here a descriptor: what cannot be written is directed to nowhere."""
    first, code = asked(cli, ["status"], out="/dev/full")
    assert code == 3
    assert not os.path.exists(f"/proc/{first}")
    other, code = asked(cli, ["status"])
    assert (other != first, code) == (True, 0)


@needs_it
def test_the_mode_of_new_files_is_that_of_the_tests(cli: Cli, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        cli("export", str(tmp_path / "out.jsonl"))
    finally:
        os.umask(before)
    assert not stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) & 0o027


@needs_it
def test_one_that_is_started_is_read_and_written_to_and_ended(cli: Cli) -> None:
    server = preloaded.Started(["mcp"], cwd=cli.cwd, env=cli.environment)
    assert server.stdin
    assert server.stdout
    server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    server.stdin.flush()
    assert json.loads(server.stdout.readline())["id"] == 1
    assert server.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        server.wait(0)
    assert server.communicate(timeout=60) == (b"", b"")
    assert (server.poll(), server.returncode) == (0, 0)
    other = preloaded.Started(["mcp"], cwd=cli.cwd, env=cli.environment)
    other.kill()
    assert other.communicate(timeout=60) == (b"", b"")
    assert other.returncode == -signal.SIGKILL


@needs_it
def test_one_that_takes_too_long_is_ended(cli: Cli) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        preloaded.run(["demo"], cwd=cli.cwd, env=cli.environment, input=b"", timeout=0.01)


@needs_it
def test_a_place_is_seen_under_its_name_and_is_the_parent_of_what_is_run_from_it(cli: Cli) -> None:
    env = {**cli.environment, "SEEN": "here"}
    place = preloaded.Place(["/opt/programs/claude", "--norc", "-s"], cwd=cli.cwd, env=env)
    try:
        assert Path(f"/proc/{place.pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0") == [
            *(b"/opt/programs/claude", b"--norc", b"-s"),
        ]
        assert b"SEEN=here" in Path(f"/proc/{place.pid}/environ").read_bytes().split(b"\0")
        asked = {"cwd": cli.cwd, "env": cli.environment, "input": b"", "timeout": 60, "place": place}
        found = preloaded.run(["where", "--explain"], **asked)  # type: ignore[arg-type]
        assert str(place.pid) in found.stdout.decode(), found
        told = preloaded.run(["sh", "-c", "echo $PPID; exit 3"], **asked, is_ours=False)  # type: ignore[arg-type]
        assert (told.returncode, told.stdout.decode()) == (3, f"{place.pid}\n")
    finally:
        assert place.stdin
        place.stdin.close()
        assert place.wait(60) == 0
        for stream in (place.stdout, place.stderr):
            assert stream
            stream.close()
    assert not os.path.exists(f"/proc/{place.pid}")


def test_what_python_reads_when_it_starts_needs_a_start() -> None:
    assert not preloaded.is_possible({"PYTHONPATH": "/x"})
    assert not preloaded.is_possible({"LC_ALL": "xx"})
