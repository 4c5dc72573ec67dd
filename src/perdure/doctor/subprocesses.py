"""Runs the doctor's processes: each has a time limit, and its child processes end with it."""

from __future__ import annotations

import os
import signal
import subprocess
from time import perf_counter

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@value
class Ran:
    """`trouble` says why it did not end by itself; `code` is then -1."""

    code: int
    out: str
    err: str
    seconds: float
    trouble: str = ""

    @property
    def said(self) -> str:
        """The last line it printed."""
        lines = (self.err.strip() or self.out.strip()).splitlines()
        return self.trouble or (lines[-1][:300] if lines else f"exit code {self.code}")


def run(
    words: Sequence[str], *, cwd: str, environment: Mapping[str, str], given: bytes = b"", seconds: float = 20.0
) -> Ran:
    since = perf_counter()
    try:
        process = subprocess.Popen(
            list(words),
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return Ran(
            code=-1,
            out="",
            err="",
            seconds=0.0,
            trouble=f"{words[0]} cannot be run: {getattr(error, 'strerror', None) or error}",
        )
    try:
        out, err = process.communicate(given, timeout=seconds)
        trouble, code = "", process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        trouble, code = f"no answer within {seconds:.0f} s", -1
    return Ran(
        code=code,
        out=out.decode("utf-8", "replace"),
        err=err.decode("utf-8", "replace"),
        seconds=perf_counter() - since,
        trouble=trouble,
    )
