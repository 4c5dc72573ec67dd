"""Shows lines a page at a time, where a person reads them at a terminal (SPEC 17.6)."""

from __future__ import annotations

import shlex
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PLAIN = "less"
"""If the person names no pager."""


def show(lines: Iterable[str], environment: Mapping[str, str], *, paged: bool) -> None:
    """Prints the lines as they come. `paged` is for people only: a pager can run other programs."""
    is_read_here = sys.stdin.isatty() and sys.stdout.isatty()
    command = _command(environment) if paged and is_read_here else []
    if not command or not _through(command, lines, environment):
        for line in lines:
            sys.stdout.write(line + "\n")


def _command(environment: Mapping[str, str]) -> list[str]:
    try:
        words = shlex.split(environment.get("PAGER", PLAIN))
    except ValueError:
        return []
    return [] if words in ([], ["cat"]) or environment.get("TERM") == "dumb" else words


def _through(command: list[str], lines: Iterable[str], environment: Mapping[str, str]) -> bool:
    """False if there is no such program: nothing was printed then. `less` is told to end at once if all fits on the
    screen, to show colours, and to leave the text there."""
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, env={"LESS": "FRX", **environment})
    except OSError:
        return False
    _feed(pager, lines)
    while True:
        try:
            pager.wait()
            return True
        except KeyboardInterrupt:  # the pager handles it; it is still there
            continue


def _feed(pager: subprocess.Popen[str], lines: Iterable[str]) -> None:
    assert pager.stdin
    try:
        for line in lines:
            pager.stdin.write(line + "\n")
        pager.stdin.close()
    except BrokenPipeError:
        return  # the person has read enough
