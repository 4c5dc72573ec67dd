"""Processes, as the machine has them: the two readers of the process table, and what a process's name says of it."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest

from perdure.clients import REGISTERED
from perdure.place.process import (
    Process,
    Processes,
    ProcessRef,
    ProcFs,
    PsCommand,
    ancestry,
    is_alive,
    of_this_machine,
)
from tests.effort import for_each

on_linux = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="this machine has no /proc")
with_ps = pytest.mark.skipif(shutil.which("ps") is None, reason="ps is not installed")
READERS: dict[str, Callable[[], Processes]] = {"/proc": ProcFs, "ps": PsCommand}


def until(condition: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


@dataclass(frozen=True)
class Child:
    """A process of the test's own that says when it is ready and then waits."""

    process: subprocess.Popen[bytes]
    terminal: str | None

    @property
    def pid(self) -> int:
        return self.process.pid


READY = "import sys, time; print('ready', flush=True); sys.stdin.readline()"
TAKE_TERMINAL = "import fcntl, os, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "


@pytest.fixture
def start() -> Iterator[Callable[[str], Child]]:
    """Starts a child: as it comes, in a session without a terminal, or leading a terminal of its own."""
    started: list[subprocess.Popen[bytes]] = []
    descriptors: list[int] = []

    def begin(kind: str) -> Child:
        if kind == "leading a terminal":
            mine, theirs = pty.openpty()
            descriptors.append(mine)
            name = os.ttyname(theirs).removeprefix("/dev/").replace("/", "-")
            child = subprocess.Popen(
                [sys.executable, "-c", TAKE_TERMINAL + READY.replace("sys.stdin.readline()", "time.sleep(60)")],
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            os.close(theirs)
        else:
            name = None
            child = subprocess.Popen(
                [sys.executable, "-c", READY],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=kind == "without a terminal",
            )
        started.append(child)
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        return Child(child, name)

    yield begin
    for child in started:
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout):
            if stream:
                stream.close()
    for descriptor in descriptors:
        os.close(descriptor)


# -- /proc ---------------------------------------------------------------------------------------------------------


@on_linux
def test_this_process_is_seen_with_its_parent_and_its_start() -> None:
    found = ProcFs().look(os.getpid())
    assert found is not None
    assert (found.pid, found.parent, found.leader) == (os.getpid(), os.getppid(), os.getsid(0))
    assert found.started.isdecimal()
    assert found.ref == ProcessRef(os.getpid(), found.started)
    assert found == ProcFs().look(os.getpid())


@on_linux
def test_a_childs_arguments_are_those_it_was_started_with(start: Callable[[str], Child]) -> None:
    child = start("as it comes")
    found = ProcFs().look(child.pid)
    assert found is not None
    assert found.parent == os.getpid()
    assert found.arguments == (sys.executable, "-c", READY)
    assert int(found.started) >= int(ProcFs().look(os.getpid()).started)  # type: ignore[union-attr]


@on_linux
def test_a_child_in_a_session_of_its_own_has_no_terminal_and_leads_itself(start: Callable[[str], Child]) -> None:
    child = start("without a terminal")
    found = ProcFs().look(child.pid)
    assert found is not None
    assert (found.terminal, found.leader) == (None, child.pid)


@on_linux
def test_a_child_with_a_controlling_terminal_names_it_though_its_output_is_piped(start: Callable[[str], Child]) -> None:
    child = start("leading a terminal")
    found = ProcFs().look(child.pid)
    assert found is not None
    assert found.terminal == child.terminal
    assert found.terminal is not None
    assert found.terminal.startswith("pts-")
    assert found.leader == child.pid


@on_linux
@pytest.mark.parametrize("reader", READERS)
def test_a_zombie_is_not_alive(start: Callable[[str], Child], reader: str) -> None:
    if reader == "ps" and shutil.which("ps") is None:
        pytest.skip("ps is not installed")
    child = start("as it comes")
    ref = READERS[reader]().look(child.pid).ref  # type: ignore[union-attr]
    assert is_alive(ref, READERS[reader]())
    os.kill(child.pid, signal.SIGKILL)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and nobody has asked how
    assert os.path.exists(f"/proc/{child.pid}")
    assert READERS[reader]().look(child.pid) is None
    assert not is_alive(ref, READERS[reader]())


@on_linux
@pytest.mark.parametrize("reader", READERS)
def test_the_dead_are_not_seen(start: Callable[[str], Child], reader: str) -> None:
    if reader == "ps" and shutil.which("ps") is None:
        pytest.skip("ps is not installed")
    child = start("as it comes")
    child.process.kill()
    child.process.wait()
    assert READERS[reader]().look(child.pid) is None


@on_linux
@pytest.mark.parametrize("pid", [0, -1, 2**22 + 1, 2**31, 10**300, 10**4200])
def test_what_is_not_a_pid_is_not_seen(pid: int) -> None:
    assert ProcFs().look(pid) is None


@on_linux
def test_a_name_made_to_confuse_the_table_does_not(tmp_path: object) -> None:
    """The kernel's table puts the program's name in parentheses, unescaped; programs may be called anything."""
    program = os.path.join(str(tmp_path), "a) Z 1 (b")
    shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
    child = subprocess.Popen([program, "60"])
    try:
        until(lambda: (seen := ProcFs().look(child.pid)) is not None and seen.arguments[0] == program)
        found = ProcFs().look(child.pid)
        assert found is not None
        assert (found.parent, found.leader, found.arguments) == (os.getpid(), os.getsid(0), (program, "60"))
    finally:
        child.kill()
        child.wait()


@on_linux
def test_the_start_time_tells_apart_two_that_had_one_pid(start: Callable[[str], Child]) -> None:
    child = start("as it comes")
    found = ProcFs().look(child.pid)
    assert found is not None
    assert is_alive(found.ref, ProcFs())
    assert not is_alive(ProcessRef(child.pid, str(int(found.started) - 1)), ProcFs())


@on_linux
def test_the_boot_id_is_the_same_as_long_as_the_machine_runs() -> None:
    assert ProcFs().boot_id() == ProcFs().boot_id()
    assert len(ProcFs().boot_id()) == 36


@on_linux
def test_linux_reads_proc() -> None:
    assert isinstance(of_this_machine(), ProcFs)


@on_linux
@pytest.mark.parametrize(
    ("device", "name"),
    [
        (0, None),
        (os.makedev(136, 0), "pts-0"),
        (os.makedev(136, 6), "pts-6"),
        (os.makedev(136, 255), "pts-255"),
        (os.makedev(136, 256), "pts-256"),
        (os.makedev(137, 3), "pts-259"),
        (os.makedev(136, 70_000), "pts-70000"),
        (os.makedev(4, 1), "tty1"),
        (os.makedev(4, 64), "tty-4-64"),
        (os.makedev(204, 64), "tty-204-64"),
    ],
)
def test_terminals_are_named_as_seed_001_names_them(device: int, name: str | None) -> None:
    from perdure.place.process import _terminal

    assert _terminal(device) == name


def test_the_ancestry_leads_from_parent_to_parent_and_leaves_out_who_adopts_orphans() -> None:
    found = ancestry(os.getpid(), of_this_machine())
    assert found[0].pid == os.getppid()
    assert all(child.parent == parent.pid for child, parent in pairwise(found))
    assert all(process.pid > 1 or process.client for process in found)


def test_the_ancestry_ends_though_the_table_has_a_circle() -> None:
    class Circle:
        def look(self, pid: int) -> Process:
            return Process(
                pid=pid, started="1", parent=3 if pid == 2 else 2, arguments=("sh",), terminal=None, leader=1
            )

        def boot_id(self) -> str:
            return "boot-1"

    assert len(ancestry(2, Circle())) == 64


# -- ps ------------------------------------------------------------------------------------------------------------


@on_linux
@with_ps
@pytest.mark.parametrize("kind", ["as it comes", "without a terminal", "leading a terminal"])
def test_ps_and_proc_agree(start: Callable[[str], Child], kind: str) -> None:
    child = start(kind)
    by_ps, by_proc = PsCommand().look(child.pid), ProcFs().look(child.pid)
    assert by_ps is not None
    assert by_proc is not None
    assert (by_ps.parent, by_ps.terminal, by_ps.leader) == (by_proc.parent, by_proc.terminal, by_proc.leader)
    assert by_ps.arguments[0] == by_proc.arguments[0]
    assert (by_ps.name, by_ps.client, by_ps.is_passing) == (by_proc.name, by_proc.client, by_proc.is_passing)


@on_linux
@with_ps
def test_ps_and_proc_agree_on_the_ancestry() -> None:
    assert [p.pid for p in ancestry(os.getpid(), PsCommand())] == [p.pid for p in ancestry(os.getpid(), ProcFs())]


@with_ps
def test_ps_gives_a_start_that_stays_the_same(start: Callable[[str], Child]) -> None:
    child = start("as it comes")
    first = PsCommand().look(child.pid)
    assert first is not None
    assert first.started.count(" ") == 4
    assert is_alive(first.ref, PsCommand())
    assert not is_alive(ProcessRef(child.pid, "Thu Jan 1 00:00:00 1970"), PsCommand())


@with_ps
def test_ps_is_asked_once_for_one_look_around(start: Callable[[str], Child]) -> None:
    reader = PsCommand()
    assert reader.look(os.getpid()) is not None
    child = start("as it comes")
    assert reader.look(child.pid) is None


# -- what a process is ---------------------------------------------------------------------------------------------


def running(*arguments: str) -> Process:
    return Process(pid=100, started="1", parent=1, arguments=arguments, terminal=None, leader=100)


@for_each(
    ("arguments", "name"),
    [
        ((), ""),
        (("claude",), "claude"),
        (("/home/u/.local/bin/claude", "--resume"), "claude"),
        (("-bash",), "bash"),
        (("node", "/usr/bin/gemini"), "gemini"),
        (("/usr/bin/node", "/usr/lib/node_modules/@openai/codex/bin/codex.js", "exec"), "codex"),
        (("node", "--no-warnings=DEP0040", "/usr/bin/gemini"), "gemini"),
        (("/usr/bin/node", "--no-warnings=DEP0040", "--max-old-space-size=8192", "/usr/bin/gemini", "-p"), "gemini"),
        (("bun", "/opt/opencode.mjs"), "opencode"),
        (("python3", "/opt/agent.py"), "agent"),
        (("python3", "-m", "http.server"), "python3"),
        (("python3", "-c", "print('/usr/bin/claude')"), "python3"),
        (("node", "-e", "/claude"), "node"),
        (("node", "--eval", "/claude"), "node"),
        (("node",), "node"),
        (("node", "--inspect"), "node"),
    ],
)
def test_a_process_is_named_after_what_it_runs(arguments: tuple[str, ...], name: str) -> None:
    assert running(*arguments).name == name


@pytest.mark.parametrize(("program", "client"), [(each.programs[0], name) for name, each in REGISTERED.items()])
def test_every_client_is_known_as_a_program_and_as_a_script(program: str, client: str) -> None:
    for arguments in (
        (program,),
        (f"/usr/local/bin/{program}", "--help"),
        ("node", f"/usr/bin/{program}"),
        ("/usr/bin/node", "--max-old-space-size=8192", f"/lib/{program}.js"),
    ):
        assert running(*arguments).client == client


@pytest.mark.parametrize(
    "arguments",
    [(), ("bash",), ("vim", "claude"), ("claude-wrapper",), ("grep", "claude"), ("node", "server.js"), ("claudette",)],
)
def test_what_is_not_a_client_is_not_taken_for_one(arguments: tuple[str, ...]) -> None:
    assert running(*arguments).client is None


def test_the_clients_are_those_of_the_specification() -> None:
    assert set(REGISTERED) == {"claude-code", "codex", "gemini-cli", "copilot-cli", "opencode"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("sh", "-c", "perdure where"),
        ("/bin/bash", "-c", "perdure where"),
        ("bash", "-lc", "perdure where"),
        ("bash", "-ic", "perdure where"),
        ("bash", "-euo", "pipefail", "-c", "perdure where"),
        ("zsh", "-c", "perdure where"),
        ("bash", "script.sh"),
        ("sh", "/tmp/hook.sh", "arg"),
        ("env", "A=b", "perdure"),
        ("/usr/bin/timeout", "10", "perdure"),
        ("sudo", "-u", "x", "perdure"),
        ("make", "test"),
        ("uv", "run", "perdure"),
    ],
)
def test_a_shell_with_one_line_to_run_or_a_wrapper_passes(arguments: tuple[str, ...]) -> None:
    assert running(*arguments).is_passing


@for_each(
    "arguments",
    [
        (),
        ("-bash",),
        ("bash",),
        ("-zsh",),
        ("bash", "-i"),
        ("bash", "--norc", "-i"),
        ("sh", "-i"),
        ("/bin/bash", "--init-file", "/opt/editor/shell-integration.sh"),
        ("bash", "--rcfile", "/dev/null", "-i"),
        ("bash", "-l"),
        ("claude",),
        ("node", "/usr/bin/gemini"),
        ("python3", "-c", "…"),
        ("tmux", "new-session"),
        ("sshd: me@pts/1",),
    ],
)
def test_an_interactive_shell_or_a_program_stays(arguments: tuple[str, ...]) -> None:
    assert not running(*arguments).is_passing
