"""Real terminals for tests: ptys with an interactive shell in them, and panes of a tmux server of their own.

What is typed runs in that shell, as a person's or an agent's commands do; answers come back through files, so that
nothing is read off a screen.
"""

from __future__ import annotations

import itertools
import os
import pty
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from perdure.place.process import of_this_machine
from tests.conftest import Result

DEADLINE = 30.0
LEAD = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
PERDURE = f"{shlex.quote(sys.executable)} -m perdure"


def interactive_shell() -> list[str]:
    bash = shutil.which("bash")
    return [bash, "--norc", "--noprofile", "-i"] if bash else ["/bin/sh", "-i"]


class Shell:
    """An interactive shell that can be typed into."""

    _numbers = itertools.count()

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def type(self, line: str) -> None:
        raise NotImplementedError

    def wait_a_little(self) -> None:
        time.sleep(0.005)

    def run(self, line: str) -> Result:
        """One line, run by the shell itself. Its input is the terminal; its output goes to files."""
        stem = self._folder / f"typed-{os.getpid()}-{next(self._numbers)}"
        script, out, err, code = (Path(f"{stem}.{kind}") for kind in ("sh", "out", "err", "code"))
        out.touch()
        script.write_text(
            f"{{ {line}\n}} > {shlex.quote(str(out))} 2> {shlex.quote(str(err))}\n"
            f"echo $? > {shlex.quote(str(code))}.tmp; mv {shlex.quote(str(code))}.tmp {shlex.quote(str(code))}\n"
        )
        self.type(f". {shlex.quote(str(script))}")
        deadline = time.monotonic() + DEADLINE
        while not code.exists():
            assert time.monotonic() < deadline, f"no answer to {line!r}: {out.read_text()}"
            self.wait_a_little()
        return Result(int(code.read_text()), out.read_text(), err.read_text())

    def perdure(self, *arguments: str) -> Result:
        return self.run(f"{PERDURE} {shlex.join([*arguments, '--json'])}")

    def ok(self, *arguments: str) -> Any:
        result = self.perdure(*arguments)
        assert result.code == 0, (arguments, result)
        return result.json

    def variable(self, name: str) -> str:
        return self.run(f'printf %s "${name}"').out

    def tty(self) -> str:
        return self.run("tty").out.strip().removeprefix("/dev/").replace("/", "-")


class Pty(Shell):
    """A terminal of its own with a shell that leads it."""

    def __init__(self, folder: Path, environment: dict[str, str], cwd: Path) -> None:
        super().__init__(folder)
        self._mine, theirs = pty.openpty()
        self.name = os.ttyname(theirs).removeprefix("/dev/").replace("/", "-")
        self.process = subprocess.Popen(
            [sys.executable, "-c", LEAD, *interactive_shell()],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={"TERM": "dumb", "PS1": "$ ", **environment},
            cwd=cwd,
            start_new_session=True,
        )
        os.close(theirs)

    def type(self, line: str) -> None:
        os.write(self._mine, line.encode() + b"\n")

    def wait_a_little(self) -> None:
        """What the shell echoes is read, so that it never waits for a reader."""
        readable, _, _ = select.select([self._mine], [], [], 0.005)
        if readable:
            os.read(self._mine, 4096)

    def close(self) -> None:
        """As a person closes a window: the shell is hung up on."""
        if self._mine < 0:
            return
        os.close(self._mine)
        self._mine = -1
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Pane(Shell):
    def __init__(self, folder: Path, server: Tmux, id: str) -> None:
        super().__init__(folder)
        self.server = server
        self.id = id

    def type(self, line: str) -> None:
        self.server.command("send-keys", "-t", self.id, "-l", line)
        self.server.command("send-keys", "-t", self.id, "Enter")

    def respawn(self) -> None:
        self.server.command("respawn-pane", "-k", "-t", self.id, *interactive_shell())


class Tmux:
    """A tmux server that nobody else has."""

    def __init__(self, folder: Path, environment: dict[str, str], cwd: Path) -> None:
        self._folder, self._cwd = folder, cwd
        self._sockets = tempfile.mkdtemp(prefix="perdure-tmux-")  # a socket's path must be short
        self._environment = {**environment, "TMUX_TMPDIR": self._sockets, "TERM": "dumb", "PS1": "$ "}
        self._pid: int | None = None

    def command(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", "perdure-test", "-f", os.devnull, *arguments],
            env=self._environment,
            cwd=self._cwd,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def pane(self) -> Pane:
        """Another pane; the first begins the server."""
        first = ["new-session", "-d", "-x", "200", "-y", "50"]
        begin = ["new-window", "-d"] if self._pid else first
        id, pid = self.command(*begin, "-P", "-F", "#{pane_id} #{pid}", *interactive_shell()).split()
        self._pid = int(pid)
        return Pane(self._folder, self, id)

    def kill(self) -> None:
        """Returns when the server is gone."""
        if self._pid is None or not is_running(self._pid):
            return
        self.command("kill-server")
        deadline = time.monotonic() + DEADLINE
        while is_running(self._pid):
            assert time.monotonic() < deadline, "the tmux server did not end"
            time.sleep(0.005)
        self._pid = None

    def close(self) -> None:
        try:
            self.kill()
        finally:
            shutil.rmtree(self._sockets, ignore_errors=True)


def is_running(pid: int) -> bool:
    """Not so a zombie that nobody has waited for."""
    return of_this_machine().look(pid) is not None


class Terminals:
    """All terminals of one test; they end with it."""

    def __init__(self, folder: Path, environment: dict[str, str], cwd: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self._environment = environment
        self._cwd = cwd
        self._opened: list[Pty | Tmux] = []

    def pty(self, cwd: Path | None = None, **variables: str) -> Pty:
        made = Pty(self.folder, {**self._environment, **variables}, cwd or self._cwd)
        self._opened.append(made)
        return made

    def tmux(self) -> Tmux:
        if shutil.which("tmux") is None:
            pytest.skip("tmux is not installed: no real panes to test with")
        made = Tmux(self.folder, self._environment, self._cwd)
        self._opened.append(made)
        return made

    def two(self, kind: str) -> tuple[Shell, Shell]:
        """Two terminals beside each other."""
        if kind == "pty":
            return self.pty(), self.pty()
        server = self.tmux()
        return server.pane(), server.pane()

    def close(self) -> None:
        for each in reversed(self._opened):
            each.close()
