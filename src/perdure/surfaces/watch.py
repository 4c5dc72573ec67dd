"""Redraws a page in place until Ctrl-C: `perdure status --watch` (SPEC 17.6).

It costs little while nothing happens: the page is made again only if one of the files changed that it depends on, if
the terminal has another size, or every ten seconds, for the times on it.

    watch(lambda: "…", lambda: [".perdure"], style)      # ends with KeyboardInterrupt
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time

from perdure.errors import BadInput, PerdureError
from perdure.surfaces.folding import folded
from perdure.surfaces.output import can_redraw, fitted, harmless, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

    from perdure.surfaces.output import Style

LOOKS_EVERY, DRAWS_EVERY = 1.0, 10.0
"""Seconds."""
_ESCAPES_AND_SIGNS = re.compile(r"\x1b\[[0-9;]*m|.", re.DOTALL)
_BEGIN = "\x1b[?1049h\x1b[?25l"
"""The terminal's second screen, without a cursor: what stood there before is there again afterwards."""
_END = "\x1b[?25h\x1b[?1049l"


def refuse_without_terminal() -> None:
    if not can_redraw(sys.stdout, os.environ):
        what = "is a dumb one (TERM)" if sys.stdout.isatty() else "is not one"
        raise BadInput(
            "usage",
            f"--watch redraws a terminal, and standard output {what}.",
            hint="perdure status shows the page once; perdure log --follow writes a line for whatever happens.",
        )


def watch(page: Callable[[], str], paths: Callable[[], Iterable[str]], style: Style) -> None:
    """`paths`: the files and folders that change when the page does."""
    refuse_without_terminal()
    before = signal.signal(signal.SIGTERM, _end)
    sys.stdout.write(_BEGIN)
    try:
        while True:
            looked_at = list(paths())
            seen = _size(), _states(looked_at)
            _draw(_page_or_error(page, style), style)
            _wait_for_change(looked_at, seen)
    finally:
        sys.stdout.write(_END)
        sys.stdout.flush()
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _frame: FrameType | None) -> None:
    """So that a `kill` gives the terminal back, too."""
    raise SystemExit(128 + number)


def _wait_for_change(paths: list[str], seen: tuple[object, object]) -> None:
    until = time.monotonic() + DRAWS_EVERY
    while time.monotonic() < until and (_size(), _states(paths)) == seen:
        time.sleep(LOOKS_EVERY)


def _page_or_error(page: Callable[[], str], style: Style) -> str:
    """What is wrong now may be mended while somebody watches."""
    try:
        return page()
    except PerdureError as error:
        return "\n".join(filter(None, (style("red", harmless(error.message)), harmless(error.hint))))


def _draw(text: str, style: Style) -> None:
    columns, rows = _size()
    lines = [_cut(line, columns) for line in folded(text, columns).split("\n")]
    if len(lines) > rows - 1:
        left_out = len(lines) - rows + 2
        lines = [*lines[: rows - 2], style("dim", f"… {left_out} more lines: perdure status")]
    foot = fitted(f"{time.strftime('%H:%M:%S')}  Ctrl-C ends this", columns - 1)
    shown = [*lines, *[""] * (rows - 1 - len(lines)), style("dim", foot)]
    sys.stdout.write("\x1b[H" + "\x1b[K\r\n".join(shown) + "\x1b[K\x1b[J")
    sys.stdout.flush()


def _cut(line: str, columns: int) -> str:
    """A word that is wider than the terminal, such as a path, would move all lines below it."""
    if width_of(line) <= columns:
        return line
    kept = ""
    for part in _ESCAPES_AND_SIGNS.findall(line):
        if not part.startswith("\x1b") and width_of(kept + part) >= columns:
            return f"{kept}…\x1b[0m"
        kept += part
    return kept


def _size() -> tuple[int, int]:
    """A terminal that does not tell its size says 0."""
    try:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        columns = rows = 0
    return max(columns or 80, 20), max(rows or 24, 4)


def _states(paths: Iterable[str]) -> tuple[tuple[str, int, int], ...]:
    found = []
    for path in paths:
        try:
            state = os.stat(path)
        except OSError:
            found.append((path, 0, 0))
        else:
            found.append((path, state.st_mtime_ns, state.st_size))
    return tuple(found)
