"""`perdure readonly`: a command that runs in the jail, or not at all."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from perdure.jail.confine import running_kernel
from perdure.jail.filter import refusing
from perdure.jail.plan import why_not

from ..conftest import Cli

pytestmark = pytest.mark.skipif(bool(why_not(running_kernel())), reason="the kernel has no jail")
SOURCE = Path(__file__).parents[2] / "src"
PERDURE = [sys.executable, "-m", "perdure"]
INJECT = """
import os, sys
sys.path[:0] = [{source!r}]
from perdure.jail import confine
program = bytes.fromhex({program!r})
call = confine._system_call()
assert call({prctl}, 38, 1, 0, 0, 0) == 0
confine._set_filter(call, {seccomp}, program)
os.execv(sys.argv[1], sys.argv[1:])
"""


def readonly(cli: Cli, *words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PERDURE, "readonly", *words],
        cwd=cli.cwd,
        env=cli.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        **options,  # type: ignore[call-overload]
    )


def test_a_command_reads_and_does_not_write(cli: Cli) -> None:
    (cli.cwd / "a.txt").write_text("content\n")
    ran = readonly(cli, "--", "sh", "-c", "cat a.txt; echo x > a.txt; rm a.txt; mkdir d; exit 7")
    assert (ran.returncode, ran.stdout) == (7, "content\n")
    assert ran.stderr.count("Permission denied") == 3
    assert (cli.cwd / "a.txt").read_text() == "content\n"


def test_it_works_outside_every_project(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    outside = Cli(tmp_path / "plain", environment)
    assert readonly(outside, "--", "sh", "-c", "echo x > new").returncode != 0
    assert not (outside.cwd / "new").exists()


def test_scratch_can_be_written(cli: Cli, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    cli.environment["TMPDIR"] = str(scratch)
    script = 'f=$(mktemp) && echo kept > "$f" && touch "$f" && mv "$f" "$TMPDIR/moved" && cat "$TMPDIR/moved"'
    ran = readonly(cli, "--", "sh", "-c", script)
    assert (ran.returncode, ran.stdout) == (0, "kept\n"), ran.stderr


def test_a_temporary_folder_that_holds_the_project_is_not_given_whole(cli: Cli) -> None:
    above = cli.cwd.parent
    cli.environment["TMPDIR"] = str(above)
    (above / "beside").mkdir()
    script = f'touch {above}/beside/new; touch {above}/new; touch new; f=$(mktemp) && echo "$f"'
    ran = readonly(cli, "--", "sh", "-c", script)
    assert (above / "beside" / "new").exists(), ran.stderr
    assert not (above / "new").exists()
    assert not (cli.cwd / "new").exists()
    assert ran.stdout.startswith(f"{above}/perdure-readonly-")


@pytest.mark.parametrize("ways", [1, 2])
def test_a_link_in_a_temporary_folder_gives_no_way_to_the_persons_files(cli: Cli, ways: int) -> None:
    """A command that runs read-only may put one there, and `TMPDIR` may lead to it over another link."""
    documents = Path(cli.environment["HOME"], "Documents")
    documents.mkdir()
    with TemporaryDirectory(dir="/tmp") as temporary:
        link = Path(temporary, "link")
        link.symlink_to(documents)
        second = Path(temporary, "second")
        second.symlink_to(link)
        cli.environment["TMPDIR"] = str(link if ways == 1 else second)
        assert readonly(cli, "--", "sh", "-c", f"touch {documents}/new").returncode != 0
    assert [*documents.iterdir()] == []


def test_the_record_and_the_home_are_not_scratch(cli: Cli, tmp_path: Path) -> None:
    """Even where all of them are in a temporary folder."""
    cli.environment["TMPDIR"] = str(tmp_path)
    home = cli.environment["HOME"]
    readonly(
        cli, "--", "sh", "-c", f"touch .perdure/new {home}/new {cli.environment['PERDURE_HOME']}/new {tmp_path}/new"
    )
    assert [*tmp_path.rglob("new")] == []


def test_output_goes_where_the_person_sent_it(cli: Cli) -> None:
    with open(cli.cwd / "out.txt", "w") as out:
        subprocess.run(
            [*PERDURE, "readonly", "--", "sh", "-c", "echo one; echo two > /dev/stdout; echo x > other"],
            cwd=cli.cwd,
            env=cli.environment,
            stdout=out,
            check=False,
        )
    assert (cli.cwd / "out.txt").read_text().endswith("two\n")
    assert not (cli.cwd / "other").exists()


def test_the_process_is_the_commands_own(cli: Cli) -> None:
    """Signals reach it, and its end by one is seen."""
    with subprocess.Popen(
        [*PERDURE, "readonly", "--", "sh", "-c", "echo $$; exec sleep 60"],
        cwd=cli.cwd,
        env=cli.environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert int(running.stdout.readline()) == running.pid
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) == -signal.SIGTERM


def test_own_children_can_be_ended(cli: Cli) -> None:
    began = time.monotonic()
    ran = readonly(cli, "--", "sh", "-c", "timeout 0.1 sleep 30; echo $?; sleep 30 & kill $!; wait $!; echo $?")
    assert ran.stdout.split() == ["124", "143"], ran.stderr
    assert time.monotonic() - began < 20


def test_a_reader_that_leaves_ends_the_command(cli: Cli) -> None:
    """Python ignores SIGPIPE, and what it starts would do so too."""
    ran = readonly(cli, "--", "bash", "-c", "set -o pipefail; yes | head -1; echo ${PIPESTATUS[0]}")
    assert ran.stdout.split() == ["y", str(128 + signal.SIGPIPE)]


def test_the_environment_is_passed_on_as_it_is(cli: Cli) -> None:
    bare = {"PATH": cli.environment["PATH"], "HOME": cli.environment["HOME"], "ODD": "a\nb=c"}
    ran = subprocess.run(
        [*PERDURE, "readonly", "--", "env", "-0"], cwd=cli.cwd, env=bare, capture_output=True, check=False
    )
    found = dict(each.split("=", 1) for each in ran.stdout.decode().split("\0") if each)
    assert found == {**bare, "PERDURE_READONLY": "1"}


def test_much_output_is_passed_on(cli: Cli) -> None:
    assert len(readonly(cli, "--", "seq", "200000").stdout.splitlines()) == 200_000


def test_a_jail_inside_a_jail(cli: Cli) -> None:
    ran = readonly(cli, "--", *PERDURE, "readonly", "--", "sh", "-c", "echo inside; touch new")
    assert ran.stdout == "inside\n", ran.stderr
    assert not (cli.cwd / "new").exists()


def test_a_command_that_is_not_there(cli: Cli) -> None:
    ran = readonly(cli, "--", "perdure-no-such-command")
    assert ran.returncode == 127
    assert "perdure-no-such-command" in ran.stderr
    assert readonly(cli, "--").returncode == 2


CALLS = {
    "x86_64": {"prctl": 157, "seccomp": 317, "capget": 125, "capset": 126},
    "aarch64": {"prctl": 167, "seccomp": 277, "capget": 90, "capset": 91},
}
REFUSED = {
    "close_range": 436,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    **CALLS.get(platform.machine(), {}),
}


@pytest.mark.parametrize("errno", [1, 38])
@pytest.mark.parametrize("name", REFUSED)
def test_nothing_runs_if_the_kernel_refuses_a_call(cli: Cli, name: str, errno: int) -> None:
    """A filter around all of it refuses that call, as an older kernel or a container's profile would."""
    own = CALLS[platform.machine()]
    program = refusing(REFUSED[name], errno).hex()
    inject = INJECT.format(source=str(SOURCE), program=program, prctl=own["prctl"], seccomp=own["seccomp"])
    ran = subprocess.run(
        [sys.executable, "-c", inject, *PERDURE, "readonly", "--", "sh", "-c", "echo ran; touch new"],
        cwd=cli.cwd,
        env=cli.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (126, ""), ran
    assert "cannot be run read-only here" in ran.stderr
    assert not (cli.cwd / "new").exists()


def test_no_terminal_and_no_descriptor_is_inherited(cli: Cli) -> None:
    with open(cli.cwd / "leaked", "w") as leaked:
        ran = readonly(cli, "--", "sh", "-c", "ls /proc/self/fd", pass_fds=(leaked.fileno(),))
    assert set(ran.stdout.split()) <= {"0", "1", "2", "3"}, "3 is the folder that ls reads"
    assert os.stat(cli.cwd / "leaked").st_size == 0
