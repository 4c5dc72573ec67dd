"""Completion in bash, zsh and fish: what each shell offers, and that the key is safe anywhere (SPEC 17.2, 17.7)."""

from __future__ import annotations

import os
import pty
import select
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tools import pages

from perdure.ledger import sqlite_ids, sqlite_rows
from perdure.surfaces.cli import COMMANDS
from perdure.surfaces.cli.complete import candidates
from perdure.surfaces.cli.completion import SCRIPTS
from tests.conftest import Cli, git, new_repository

from .looking import CONTROLS

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")
HOSTILE = "rm `touch PWNED` $(touch PWNED) ; touch PWNED # \x1b]0;x\x07 \u202e %F{red}\ttab"


@pytest.fixture
def shell(cli: Cli, tmp_path: Path) -> Cli:
    """A project, and `perdure` on the path of its shells."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "perdure"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m perdure "$@"\n')
    program.chmod(0o755)
    for name in SCRIPTS:
        (tmp_path / name).write_text(cli("completion", name).out)
    cli.environment["PATH"] = f"{folder}{os.pathsep}{cli.environment['PATH']}"
    return cli


def needs(name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")


def by_bash(cli: Cli, script: Path, *typed: str) -> tuple[list[str], str]:
    words = shlex.join(["perdure", *typed])
    line = f". {script}; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _perdure; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=cli.cwd, env=cli.environment)
    return done.stdout.split(), done.stderr


def by_fish(cli: Cli, script: Path, typed: str) -> tuple[list[str], str]:
    line = f"source {script}; complete -C {shlex.quote(typed)}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", line], capture_output=True, text=True, cwd=cli.cwd, env=cli.environment
    )
    return done.stdout.splitlines(), done.stderr


def by_zsh(cli: Cli, script: Path, typed: str, until: str) -> str:
    """What a real zsh has on its screen after the key, until the text is there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cli.cwd)
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**cli.environment, "TERM": "dumb", "PS1": "ready> "})
    try:
        _read(terminal, "ready>", 30)
        os.write(terminal, f"source {script}; PS1='go> '; zstyle ':completion:*' verbose yes\n".encode())
        _read(terminal, "go> ", 30)
        os.write(terminal, typed.encode() + b"\t")
        return _read(terminal, until, 30)
    finally:
        os.close(terminal)
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def _read(terminal: int, until: str, seconds: float) -> str:
    seen, end = b"", time.monotonic() + seconds
    while until not in seen.decode("utf-8", "replace") and time.monotonic() < end:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
    return seen.decode("utf-8", "replace")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_one_its_shell_can_read(shell: Cli, tmp_path: Path, name: str) -> None:
    needs(name)
    done = subprocess.run([name, "-n", str(tmp_path / name)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["transa"], {"transaction", "transaction-status", "transaction-close"}),
        (["transaction", "ad"], {"adopt"}),
        (["transaction", "list", "--op"], {"--open"}),
        (["preflight", "--unc"], {"--uncertainty"}),
        (["note", "find"], {"finding"}),
        (["completion", "f"], {"fish"}),
        (["help", "task", "cr"], {"create"}),
        (["config", "set", "gate.m"], {"gate.mode"}),
        (["config", "set", "gate.mode", ""], {"enforce", "observe", "off"}),
        (["config", "set", "export.tracked", ""], {"true", "false"}),
        (["story", "--for", "re"], {"review"}),
        (["story", "--for", "=", "re"], {"review"}),
        (["story", "--for=re"], {"--for=review"}),
        (["--json", "no such"], set()),
    ],
)
def test_words_flags_settings_and_values_are_offered(typed: list[str], offered: set[str]) -> None:
    assert {word for word, _ in candidates(typed)} == offered


@pytest.mark.parametrize(
    ("typed", "what"), [(["init", ""], ":folder"), (["import", ""], ":file"), (["calibration", "--svg", ""], ":file")]
)
def test_files_and_folders_are_left_to_the_shell(typed: list[str], what: str) -> None:
    assert candidates(typed) == [(what, "")]


def test_every_command_and_verb_is_offered() -> None:
    assert {*COMMANDS} <= {word for word, _ in candidates([""])}
    for name, parser in pages.parsers().items():
        assert {word for word, _ in candidates([name, ""])} >= set(pages.verbs_of(parser))


def test_ids_are_offered_in_each_shell(shell: Cli, tmp_path: Path) -> None:
    opened = shell.ok("preflight", *FLAGS)["transaction_id"][:8]
    goal = shell.ok("goal", "create", "prices in cents")["goal_id"][:8]
    task = shell.ok("task", "create", "round at the end")["id"][:8]
    question = shell.ok("note", "question", "may the API change?")["note_id"][:8]
    needs("bash")
    for typed, id in [
        (("goal", "done", ""), goal),
        (("task", "show", task[:4]), task),
        (("transaction", "show", ""), opened),
        (("note", "close", ""), question),
        (("log", "--transaction", ""), opened),
    ]:
        assert by_bash(shell, tmp_path / "bash", *typed) == ([id], ""), typed
    needs("fish")
    assert by_fish(shell, tmp_path / "fish", "perdure goal done ") == ([f"{goal}\tprices in cents"], "")
    assert by_fish(shell, tmp_path / "fish", "perdure config set gate.mode o")[0] == ["observe", "off"]
    needs("zsh")
    assert goal in by_zsh(shell, tmp_path / "zsh", "perdure goal done ", goal)
    assert "observe" in by_zsh(shell, tmp_path / "zsh", "perdure config set gate.mode ob", "observe")


def test_a_shell_completes_files_and_folders_itself(shell: Cli, tmp_path: Path) -> None:
    (shell.cwd / "report.xml").touch()
    (shell.cwd / "folder").mkdir()
    needs("fish")
    assert [line.split("\t")[0] for line in by_fish(shell, tmp_path / "fish", "perdure import rep")[0]] == [
        "report.xml"
    ]
    assert [line.split("\t")[0] for line in by_fish(shell, tmp_path / "fish", "perdure init fol")[0]] == ["folder/"]


def test_hostile_words_of_a_goal_are_run_by_no_shell_and_obeyed_by_no_terminal(shell: Cli, tmp_path: Path) -> None:
    shell.ok("goal", "create", HOSTILE)
    shell.ok("goal", "create", f"second {HOSTILE}")
    said = shell("__complete", "goal", "done", "").out
    assert len(said.splitlines()) == 2
    assert not CONTROLS.search(said.replace("\t", "", 2))
    assert all(line.count("\t") == 1 for line in said.splitlines())
    for name in SCRIPTS:
        if shutil.which(name):
            if name == "bash":
                assert len(by_bash(shell, tmp_path / name, "goal", "done", "")[0]) == 2
            elif name == "fish":
                assert len(by_fish(shell, tmp_path / name, "perdure goal done ")[0]) == 2
            else:
                assert "second rm" in by_zsh(shell, tmp_path / name, "perdure goal done ", "second rm")
    assert not list(shell.cwd.rglob("PWNED"))
    assert not list(tmp_path.rglob("PWNED"))


def test_what_was_typed_is_not_run(shell: Cli, tmp_path: Path) -> None:
    planted = shell.cwd / "perdure"
    planted.write_text("#!/bin/sh\ntouch PWNED\n")
    planted.chmod(0o755)
    line = "COMP_WORDS=(./perdure '$(touch PWNED)' '`touch PWNED`' ''); COMP_CWORD=3; _perdure"
    subprocess.run(["bash", "-c", f". {tmp_path / 'bash'}; {line}"], cwd=shell.cwd, env=shell.environment, check=True)
    assert not list(shell.cwd.rglob("PWNED"))


def test_nothing_is_written_and_nothing_is_said_anywhere(shell: Cli, tmp_path: Path) -> None:
    shell.ok("goal", "create", "x")

    def tree() -> dict[str, bytes]:
        files = [path for path in tmp_path.rglob("*") if path.is_file() and not path.name.endswith("-shm")]
        return {str(path): path.read_bytes() for path in files if "__pycache__" not in path.parts}

    outside = tmp_path / "outside"
    outside.mkdir()
    broken = new_repository(tmp_path / "broken", shell.environment)
    shell.ok("init", cwd=broken)
    (broken / ".perdure" / "ledger.db").write_bytes(b"SQLite format 3\0" + b"x" * 4096)
    before = tree()
    assert shell("__complete", "goal", "done", "").out.strip()
    for cwd in (outside, broken):
        said = shell("__complete", "goal", "done", "", cwd=cwd)
        assert (said.out, said.err) == ("", "")
    assert tree() == before


def test_a_ledger_that_came_with_a_clone_is_not_read(shell: Cli, environment: dict[str, str], tmp_path: Path) -> None:
    """Not even where this person made the clone a project: the file is another home's."""
    shell.ok("goal", "create", "theirs")
    mine = new_repository(tmp_path / "mine", environment)
    shell.ok("init", cwd=mine)
    shell.ok("goal", "create", "mine", cwd=mine)
    assert "mine" in shell("__complete", "goal", "done", "", cwd=mine).out
    for name in os.listdir(mine / ".perdure"):
        if name.startswith("ledger.db"):
            (mine / ".perdure" / name).unlink()
    database = sqlite3.connect(shell.cwd / ".perdure" / "ledger.db")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    shutil.copy(shell.cwd / ".perdure" / "ledger.db", mine / ".perdure" / "ledger.db")
    assert shell("__complete", "goal", "done", "", cwd=mine).out == ""
    git(mine, environment, "status")


def test_a_view_in_place_of_a_table_is_not_read(tmp_path: Path) -> None:
    path = str(tmp_path / "ledger.db")
    database = sqlite3.connect(path)
    for name in ("chains", "events", "kinds"):
        database.execute(f"CREATE TABLE {name} (n, ledger_id)")
    database.execute("INSERT INTO chains VALUES (1, 'ours')")
    database.execute(
        "CREATE VIEW documents AS WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM r) "
        "SELECT id, '{}' body, 'goal' kind, 1 live, 1 clock FROM r"
    )
    database.commit()
    database.close()
    assert sqlite_ids.newest(path, (), ("goal",), ours={"ours"}) == []


def test_it_counts_rows_as_the_store_does() -> None:
    assert sqlite_ids.SEQ_BITS == sqlite_rows.SEQ_BITS


def test_neither_the_commands_nor_the_store_are_loaded_for_an_id(shell: Cli) -> None:
    shell.ok("goal", "create", "x")
    line = (
        "import sys; from perdure.__main__ import main; main(['__complete', 'goal', 'done', '']); "
        "print(*sorted(name for name in sys.modules if name.startswith('perdure')), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", line], capture_output=True, text=True, cwd=shell.cwd, env=shell.environment
    )
    assert done.stdout.strip()
    loaded = set(done.stderr.split())
    assert not {"perdure.model.state", "perdure.actions.wiring", "perdure.ledger.sqlite", "argparse"} & loaded
    assert len(loaded) < 45, sorted(loaded)
