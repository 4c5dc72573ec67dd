"""The few lines that stand in a settings file: they run, and what cannot be loaded fails closed (SPEC 5.6)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from perdure.clients import claude_code
from perdure.clients.claude_code import GUARD
from perdure.gate.effects.analysis import analyse
from perdure.install.program import Program, original_of, paths_of
from perdure.model.value import replace

from ..gate.worlds import world
from ..surfaces import made_up_client

if TYPE_CHECKING:
    from perdure.clients.port import HookClient

EVENTS = ("SessionStart", "PostToolUse", "SessionEnd")
SOURCE = Path(claude_code.__file__).parents[1]


@pytest.fixture
def program() -> Program:
    return Program.find({"PATH": os.environ.get("PATH", "")})


def run(words: list[str], given: str = "{}", **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, input=given, env=variables, capture_output=True, text=True, check=False, timeout=60)


def test_the_interpreter_is_the_real_one_and_needs_nothing_but_the_paths(program: Program) -> None:
    assert os.path.realpath(program.interpreter) == program.interpreter
    assert ".venv" not in program.interpreter
    code = f"import sys\nsys.path[:0] = {program.paths!r}\nimport perdure.masking, rfc8785, secretscreen"
    assert run([program.interpreter, "-I", "-S", "-c", code]).returncode == 0
    assert len(set(program.paths)) == len(program.paths)
    assert program.perdure == "" or os.access(program.perdure, os.X_OK)


def test_perdure_is_found_on_the_path_where_it_is_not_beside_the_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "perdure").write_text("#!/bin/sh\n")
    (tmp_path / "perdure").chmod(0o755)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert Program.find({"PATH": str(tmp_path)}).perdure == str(tmp_path / "perdure")
    assert Program.find({"PATH": "/nowhere"}).perdure == ""


def test_the_text_finds_the_hooks_and_gives_them_the_event_and_the_program(program: Program, tmp_path: Path) -> None:
    surfaces = tmp_path / "perdure" / "surfaces"
    surfaces.mkdir(parents=True)
    (surfaces / "hooks.py").write_text("def run(words, program):\n    print(words, program)\n")
    there = replace(program, paths=(str(tmp_path),), perdure="/a b/pérdure")
    done = run(there.words(claude_code, "SessionStart", "/s.json"), LANG="C")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout in ("['SessionStart'] /a b/pérdure\n", "['SessionStart'] /a b/p\\xe9rdure\n")


def test_a_guard_that_cannot_be_loaded_denies_and_says_what_a_person_can_do(program: Program) -> None:
    gone = replace(program, paths=("/nowhere/ö'\"lib",))
    done = run(gone.words(claude_code, GUARD, "/repo/.claude/settings.local.json"), LC_ALL="C")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)["hookSpecificOutput"]
    assert (said["hookEventName"], said["permissionDecision"]) == ("PreToolUse", "deny")
    for part in ("/nowhere/ö'\"lib", "not a judgement", "perdure init", "/repo/.claude/settings.local.json"):
        assert part in said["permissionDecisionReason"]


def gone_guard_says(program: Program, tool: str, command: object, **environment: str) -> str:
    words = replace(program, paths=("/nowhere",)).words(claude_code, GUARD, "/s.json")
    return run(words, json.dumps({"tool_name": tool, "tool_input": {"command": command}}), **environment).stdout


@pytest.mark.parametrize("command", ["ls", "ls -la src", "cat a.txt b.txt", "grep -rn x src", "head -20 a.py", "pwd"])
def test_a_guard_that_cannot_be_loaded_lets_plain_readers_go_on(program: Program, command: str) -> None:
    assert gone_guard_says(program, "Bash", command) == ""
    assert analyse(command, world()).effect == "noetic", "the gate itself says so"


WRITERS = [
    "touch x",
    "ls > x",
    "ls; touch x",
    "ls $(touch x)",
    "ls\ntouch x",
    "lsx",
    " ls",
    "ls`touch x`",
    "ls|tee x",
    "",
    7,
]


@pytest.mark.parametrize("command", WRITERS)
def test_a_guard_that_cannot_be_loaded_denies_everything_else(program: Program, command: object) -> None:
    assert '"deny"' in gone_guard_says(program, "Bash", command)
    assert '"deny"' in gone_guard_says(program, "Write", "ls")


@pytest.mark.parametrize(("tool", "command"), [("Bash", "ls"), ("Bash", "touch x"), ("Write", "")])
def test_where_the_home_is_gone_too_the_guard_does_not_say_that_readers_run(
    program: Program, tool: str, command: str
) -> None:
    """The client starts each command through the program that the variable names: without it, it can start none."""
    gone = {claude_code.SHELL_VARIABLE: "/nowhere/.perdure/shell/claude-code"}
    said = json.loads(gone_guard_says(program, tool, command, **gone))["hookSpecificOutput"]["permissionDecisionReason"]
    assert "no shell command starts, not even ls" in said
    assert "plain commands that only read" not in said
    assert claude_code.SHELL_VARIABLE in said
    assert "deleting the entries that name perdure in /s.json, those under env too" in said


@pytest.mark.parametrize("there", ["/bin/sh", ""])
def test_a_program_for_shells_that_is_there_lets_plain_readers_run(program: Program, there: str) -> None:
    assert gone_guard_says(program, "Bash", "ls", **{claude_code.SHELL_VARIABLE: there}) == ""


def test_a_guard_that_is_broken_in_any_other_way_denies_too(program: Program, tmp_path: Path) -> None:
    (tmp_path / "perdure").mkdir()
    (tmp_path / "perdure" / "surfaces.py").write_text("raise SystemExit(0)\n")
    done = run(replace(program, paths=(str(tmp_path),)).words(claude_code, GUARD, "/s.json"))
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.parametrize("module", ["clients/claude_code.py", "clients/port.py", "gate/policy.py", "errors.py"])
@pytest.mark.parametrize("text", ["raise SystemExit(0)\n", "def (\n", ""])
def test_a_guard_of_which_one_module_is_broken_denies(program: Program, tmp_path: Path, module: str, text: str) -> None:
    """As after an update that was interrupted."""
    shutil.copytree(SOURCE, tmp_path / "perdure", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "perdure" / module).write_text(text)
    there = replace(program, paths=(str(tmp_path), *program.paths[1:]))
    given = {"tool_name": "Bash", "tool_input": {"command": "touch x"}, "cwd": str(tmp_path), "session_id": "s"}
    done = run(there.words(claude_code, GUARD, "/s.json"), json.dumps(given), HOME=str(tmp_path))
    assert done.returncode == 0
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_guard_that_cannot_even_say_so_does_not_end_well(program: Program) -> None:
    """The client takes a silent success for a pass. A failure blocks only where the client has `onFailure`."""
    words = replace(program, paths=("/nowhere",)).words(claude_code, GUARD, "/s.json")
    with open("/dev/full", "w") as full:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.DEVNULL, check=False)
    assert done.returncode not in (0, 2)


@pytest.mark.parametrize("event", EVENTS)
def test_any_other_hook_that_cannot_be_loaded_says_so_and_exits_1(program: Program, event: str) -> None:
    done = run(replace(program, paths=("/nowhere",)).words(claude_code, event, "/s.json"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "/nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_person_is_told_what_helps_where_the_package_is_gone(program: Program) -> None:
    """They read it in the client, and there is no `perdure` to run `perdure init` with."""
    gone = replace(program, paths=("/nowhere",))
    said = run(gone.words(claude_code, "SessionStart", "/shop/.claude/settings.local.json")).stderr
    assert "install Perdure again and run perdure init" in said
    assert "delete the entries that name perdure in /shop/.claude/settings.local.json" in said


@pytest.mark.parametrize("event", ["PreCompact", "PostCompact"])
def test_the_command_of_a_compactions_hooks_is_short_because_the_client_shows_it(program: Program, event: str) -> None:
    code = program.code(claude_code, event, "settings")
    assert len(code.splitlines()) == 4
    assert paths_of(code) == program.paths
    gone = replace(program, paths=("/nowhere",)).words(claude_code, event, "settings")
    assert run(gone).returncode == 1, "it stops no compaction"


@pytest.mark.parametrize("client", [claude_code, made_up_client], ids=["default client", "another client"])
@pytest.mark.parametrize("theirs", ["cat; echo 'my \"own\" line'", "", "echo ü\n# two lines"])
def test_a_persons_status_line_goes_on_where_ours_cannot_be_loaded(
    program: Program, theirs: str, client: HookClient
) -> None:
    command = replace(program, paths=("/nowhere",)).status_line(client, "/s.json", theirs)
    done = run(["/bin/sh", "-c", command], '{"x": 1}', PATH=os.environ["PATH"])
    alone = run(["/bin/sh", "-c", theirs], '{"x": 1}', PATH=os.environ["PATH"])
    assert (done.returncode, done.stdout) == (0, alone.stdout)
    assert original_of(command) == theirs
    assert original_of(program.status_line(client, "/s.json", None)) is None


def test_a_hook_is_told_its_client_unless_it_is_the_default_one(program: Program) -> None:
    assert program.words(claude_code, GUARD, "/s.json")[5:] == [GUARD]
    assert program.words(made_up_client, "may-i", "/s.json")[5:] == ["--client", "made-up", "may-i"]


def test_a_denial_that_some_locale_could_not_print_is_not_registered(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made_up_client, "deny", lambda reason: f"nö: {reason}")
    with pytest.raises(ValueError, match="not ASCII"):
        program.words(made_up_client, "may-i", "/s.json")


def test_what_stands_in_the_text_can_be_read_back(program: Program) -> None:
    assert original_of("echo 'unclosed") is None
    assert paths_of(program.code(claude_code, GUARD, "/s.json")) == program.paths
    assert paths_of("sys.path += broken(") == ()
    assert program.code(claude_code, GUARD, "/s.json").isascii()
    assert len(program.code(claude_code, "SessionStart", "/s.json").splitlines()) <= 8
