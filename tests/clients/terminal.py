"""A client in a terminal of its own, for what it does only there: the status line, /clear, what a person sees.

with Terminal(command, environment, cwd) as terminal:
    terminal.wait_until(lambda: log.exists())
    terminal.enter("/clear")
    terminal.wait_for("Context cleared")
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

LINES, COLUMNS = 40, 120
ESCAPES = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>78]")
LEAD = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes the terminal the session's own, then becomes the client: the process id stays."""


class Terminal:
    def __init__(self, command: Sequence[str], environment: Mapping[str, str], cwd: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", LEAD, *command],
            env={**environment, "TERM": "xterm-256color"},
            cwd=cwd,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._written = b""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def text(self) -> str:
        """All that was ever written, in its order, without the escapes. Not what stands on the screen now."""
        return ESCAPES.sub(b" ", self._written).decode("utf-8", "replace")

    def enter(self, words: str) -> None:
        """Types, waits until the client shows it, then presses return: sent at once it would be taken for a paste.

        A client that is still busy, with /clear for one, queues what is typed and takes a command for a prompt.
        """
        self.wait_until_at_rest()
        before = len(self._written)
        os.write(self._ours, words.encode())
        self.wait_until(lambda: _squeezed(words) in _squeezed(ESCAPES.sub(b"", self._written[before:]).decode()))
        os.write(self._ours, b"\r")

    def wait_for(self, words: str, *, seconds: float = 20.0) -> None:
        self.wait_until(lambda: _squeezed(words) in _squeezed(self.text), seconds=seconds)

    def wait_until(self, reached: Callable[[], object], *, seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while not reached():
            assert time.monotonic() < end, f"not reached in {seconds} s; it wrote: {self.text[-2000:]}"
            if not self._read(0.02):
                assert reached(), f"the client ended; it wrote: {self.text[-2000:]}"

    def wait_until_at_rest(self, *, quiet: float = 0.5) -> None:
        """Waits until the client draws nothing any more: a busy one turns its spinner."""
        written, since = len(self._written), time.monotonic()

        def at_rest() -> bool:
            nonlocal written, since
            if len(self._written) != written:
                written, since = len(self._written), time.monotonic()
            return time.monotonic() - since >= quiet

        self.wait_until(at_rest)

    def end(self, *, seconds: float = 20.0) -> int:
        """Waits for the client to end by itself."""
        self.wait_until(lambda: self._process.poll() is not None, seconds=seconds)
        return self._process.returncode

    def _read(self, seconds: float) -> bool:
        """Takes what was written meanwhile; false when nobody will write any more."""
        ready, _, _ = select.select([self._ours], [], [], seconds)
        if not ready:
            return True
        try:
            some = os.read(self._ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            some = b""
        self._written += some
        return bool(some) or self._process.poll() is None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._ours)


def _squeezed(text: str) -> str:
    """The client draws word by word; where it moved the cursor instead of writing a space there is none."""
    return "".join(text.split())
