"""What a client's command runs like is found out once, and again as soon as anything is different (ADR 0140)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from perdure.clients import claude_code
from perdure.install import shell_program
from perdure.install.program import Program
from perdure.jail.confine import running_kernel
from perdure.jail.plan import plan_for, why_not
from perdure.jail.remembered import FOLDER
from perdure.place.home import shell_program_path

from ..conftest import Cli, new_repository

pytestmark = pytest.mark.skipif(bool(why_not(running_kernel())), reason="the kernel has no jail")
NUMBERS = ("--know", "0.9", "--uncertainty", "0.1", "--because", "read it")
COUNTING = """
import perdure.surfaces.shell_prefix as prefix
full = prefix._start
def counted(*given, **named):
    with open({log!r}, "a") as log:
        log.write("x")
    full(*given, **named)
prefix._start = counted
run_script("""
"""In the installed program, in front of its last line: counts how often all is found out."""
LISTING = """
begin = prefix.replace_process
def listed(*given):
    with open({log!r}, "w") as log:
        log.write(" ".join(sys.modules))
    begin(*given)
prefix.replace_process = listed
run_script("""
"""There too: which modules are loaded as the command starts."""


class Shells:
    """The client's program for shells, in a project where nothing is open."""

    def __init__(self, cli: Cli) -> None:
        self.cli = cli
        self.environment = {
            **cli.environment,
            "SHELL": "/bin/bash",
            "AI_AGENT": "claude-code_2-1-325_agent",
            "CLAUDE_CODE_SESSION_ID": "one",
            "CLAUDE_PID": str(os.getpid()),
        }
        self.program = Path(shell_program_path(cli.environment["PERDURE_HOME"], "claude-code"))
        self.program.parent.mkdir(exist_ok=True)
        self.log = cli.cwd.parent / "full-looks"
        self.log.touch()
        text = shell_program.text(Program.find(self.environment), claude_code)
        counting = COUNTING.format(log=str(self.log)).replace("'", "'\"'\"'")
        assert text.count("\nrun_script(") == 1
        self.program.write_text(text.replace("\nrun_script(", counting))
        self.program.chmod(shell_program.MODE)
        self.settle()

    def settle(self) -> None:
        """What was changed just now is not remembered: makes all changes older."""
        for top in (self.cli.cwd, Path(self.environment["PERDURE_HOME"])):
            for path in (top, *top.rglob("*")):
                while path.exists() and time.time_ns() - path.stat().st_ctime_ns < 60_000_000:
                    pass

    def run(self, command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        quoted = "'" + command.replace("'", "'\"'\"'") + "'"
        file = self.cli.cwd.parent / "claude-1-cwd"
        return subprocess.run(
            [self.program, f"true && eval {quoted} < /dev/null && pwd -P >| {file}"],
            cwd=self.cli.cwd,
            env={**self.environment, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    def looks(self, command: str = "echo here", **variables: str) -> int:
        """How often all was found out for this command: once, or not at all."""
        before = self.log.stat().st_size
        self.run(command, **variables)
        return self.log.stat().st_size - before

    def learn(self) -> None:
        """The first command may make a folder for temporary files, which the second one sees."""
        self.settle()
        self.looks()
        self.looks()
        assert self.looks() == 0


@pytest.fixture
def shells(cli: Cli) -> Shells:
    found = Shells(cli)
    found.learn()
    return found


def test_the_second_command_runs_as_the_first(shells: Shells) -> None:
    """Its output, its exit code, its variables, its scratch folder and what is refused."""
    command = 'cat readme.txt; touch new; f=$(mktemp) && echo x > "$f" && cat "$f"; env | sort | grep -v ^_=; exit 7'
    ran = [shells.run(command, EXTRA="one"), shells.run(command, EXTRA="one")]
    assert shells.looks(command, EXTRA="one") == 0
    assert ran[0].stdout.count("PERDURE_READONLY=1") == 1
    assert "Permission denied" in ran[0].stderr
    assert (ran[0].returncode, ran[0].stdout, ran[0].stderr) == (ran[1].returncode, ran[1].stdout, ran[1].stderr)
    assert ran[0].returncode == 7
    assert not (shells.cli.cwd / "new").exists()


def test_a_transaction_that_is_opened_is_seen_at_once_and_its_end_too(shells: Shells) -> None:
    acting, made = {"PERDURE_INSTANCE": "11111111-1111-4111-8111-111111111111"}, shells.cli.cwd / "made"
    shells.environment.update(acting)
    shells.learn()
    assert shells.cli("preflight", *NUMBERS, **acting).code == 0
    assert shells.run("touch made").returncode == 0
    assert made.exists()
    assert shells.looks() == 1, "an open gate is looked at each time"
    made.unlink()
    assert shells.cli("postflight", *NUMBERS, **acting).code == 0
    assert shells.run("touch made").returncode != 0
    assert not made.exists()
    shells.learn()
    assert shells.cli("preflight", *NUMBERS, **acting).code == 0
    assert shells.run("touch made").returncode == 0


def test_a_command_that_runs_as_it_is_loads_neither_the_jail_nor_the_analysis(shells: Shells) -> None:
    acting = {"PERDURE_INSTANCE": "11111111-1111-4111-8111-111111111111"}
    assert shells.cli("preflight", *NUMBERS, **acting).code == 0
    loaded = shells.log.with_name("loaded")
    listing = LISTING.format(log=str(loaded)).replace("'", "'\"'\"'")
    shells.program.write_text(shells.program.read_text().replace("\nrun_script(", listing))
    assert shells.run("touch made", **acting).returncode == 0
    found = set(loaded.read_text().split())
    assert "perdure.actions.gating" in found
    assert not found & {
        "perdure.jail.plan",
        "perdure.jail.filter",
        "perdure.gate.world",
        "perdure.gate.effects.analysis",
    }


@pytest.mark.parametrize(
    "command",
    ["perdure status", "curl -s http://127.0.0.1:9/", "/usr/bin/curl -V", "echo $(curl -V)", "git log\nnpm ls"],
)
def test_a_command_that_may_run_otherwise_is_looked_at(shells: Shells, command: str) -> None:
    assert shells.looks(command) == 1


def test_a_command_that_names_another_project_is_looked_at(shells: Shells) -> None:
    other = new_repository(shells.cli.cwd.parent / "outreach", shells.environment)
    assert shells.cli("init", "--yes", cwd=other).code == 0
    assert shells.looks() == 1, "another project is registered"
    shells.learn()
    assert shells.looks(f"cat {other}/readme.txt") == 1


def _set_for_all(shells: Shells) -> None:
    Path(shells.environment["PERDURE_HOME"], "config.toml").write_text("[gate]\ncontain = false\n")


def _set_for_the_project(shells: Shells) -> None:
    (shells.cli.cwd / ".perdure" / "config.toml").write_text('[gate]\nmode = "enforce"\n')


def _set_in_the_client(shells: Shells) -> None:
    (shells.cli.cwd / ".claude").mkdir(exist_ok=True)
    (shells.cli.cwd / ".claude" / "settings.json").write_text("{}")


def _pause(shells: Shells) -> None:
    Path(shells.environment["PERDURE_HOME"], "paused").mkdir()


def _exchange_the_project(shells: Shells) -> None:
    shells.cli.cwd.rename(shells.cli.cwd.parent / "moved")
    new_repository(shells.cli.cwd, shells.environment)


@pytest.mark.parametrize(
    "change", [_set_for_all, _set_for_the_project, _set_in_the_client, _pause, _exchange_the_project]
)
def test_whatever_changes_is_seen(shells: Shells, change: Callable[[Shells], None]) -> None:
    change(shells)
    assert shells.looks() == 1


def test_an_older_program_still_starts_commands(shells: Shells) -> None:
    text = shells.program.read_text()
    shells.program.write_text(
        text.replace("run_script(sys.argv[1], ", "run(")
        .replace("import run_script", "import run")
        .replace("program=", "")
    )
    assert shells.run("cat readme.txt; touch new").stdout
    assert not (shells.cli.cwd / "new").exists()


def test_a_newer_program_says_that_perdure_cannot_be_loaded(shells: Shells) -> None:
    text = shells.program.read_text()
    shells.program.write_text(text.replace("run_script", "run_of_a_later_version"))
    ran = shells.run("touch new")
    assert "cannot be loaded" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (shells.cli.cwd / "new").exists()


def test_no_variable_is_written_down(shells: Shells) -> None:
    secret = "hunter2-hunter2-hunter2"
    shells.environment["SOME_TOKEN"] = secret
    shells.learn()
    for path in (shells.program.parent / FOLDER).iterdir():
        assert secret.encode() not in path.read_bytes()


def test_another_environment_or_folder_is_another_case(shells: Shells) -> None:
    assert shells.looks(EXTRA="one") == 1
    (shells.cli.cwd / "src").mkdir(exist_ok=True)
    shells.cli.cwd = shells.cli.cwd / "src"
    assert shells.looks() == 1


@pytest.mark.parametrize("content", [b"", b"x", b"\xe3", b"N", b"(\x01\x00\x00\x00N", bytes(5000)])
def test_a_file_that_is_not_an_answer_is_not_one(shells: Shells, content: bytes) -> None:
    for path in (shells.program.parent / FOLDER).iterdir():
        path.write_bytes(content)
    assert shells.looks() == 1
    assert shells.run("touch new").returncode != 0
    assert not (shells.cli.cwd / "new").exists()


def test_where_scratch_holds_the_project_new_folders_in_it_are_seen(shells: Shells) -> None:
    above = shells.cli.cwd.parent
    shells.environment["TMPDIR"] = str(above)
    shells.learn()
    assert shells.run('f=$(mktemp) && echo "$f"').stdout.startswith(f"{above}/perdure-readonly-")
    (above / "beside").mkdir()
    assert shells.run(f"touch {above}/beside/new").returncode == 0
    assert shells.run(f"touch {above}/new").returncode != 0


def test_a_scratch_folder_that_became_a_link_is_not_given(shells: Shells) -> None:
    """A command that still runs in the background could do that between two commands."""
    scratch, documents = shells.cli.cwd.parent / "scratch", Path(shells.environment["HOME"], "Documents")
    documents.mkdir()
    scratch.mkdir()
    shells.environment["TMPDIR"] = str(scratch.parent)
    shells.learn()
    assert shells.run(f"touch {scratch}/one").returncode == 0
    plan = plan_for(running_kernel(), folders=(str(scratch),))
    shutil.rmtree(scratch)
    scratch.symlink_to(documents)
    tries = f"from perdure.jail.confine import confine; confine({plan!r}); open({str(scratch / 'two')!r}, 'w')"
    names = "from perdure.jail.grants import JailPlan, Grant; "
    ran = subprocess.run([sys.executable, "-c", names + tries], capture_output=True, text=True, check=False)
    assert "PermissionError" in ran.stderr
    assert shells.run(f"touch {scratch}/two").returncode != 0
    assert [*documents.iterdir()] == []
