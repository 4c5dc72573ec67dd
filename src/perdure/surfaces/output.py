"""What a person sees: colour on a terminal, aligned tables, readable times (SPEC 17.2)."""

from __future__ import annotations

import os
import sys
import time
import unicodedata

from perdure.model.moment import Stamp, moment_of, seconds_between
from perdure.model.moment import local_time as local_time_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from perdure.model.moment import Moment

_NARROWEST, _USUAL = 30, 100
"""Columns: narrower terminals are not fitted to; where there is none, so many are taken."""
_LEAST_TO_FOLD = 24
"""Columns that the last column of a table must have to be folded."""
_BAR = 30
"""Columns of the bar that shows progress."""
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


class Styled(str):
    """Text with our own colours. Any other escape sequence comes from outside and is made harmless."""

    __slots__ = ()


class Style:
    """Colours, or none: `NO_COLOR`, a pipe or a dumb terminal get plain text."""

    def __init__(self, coloured: bool) -> None:
        self._coloured = coloured

    def __call__(self, name: str, text: str) -> str:
        return Styled(f"\x1b[{_CODES[name]}m{text}\x1b[0m") if self._coloured and text else text


def can_redraw(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether it is a terminal that understands more than text."""
    return stream.isatty() and environment.get("TERM") != "dumb"


def style_for(stream: TextIO, environment: Mapping[str, str]) -> Style:
    wanted = can_redraw(stream, environment) and not environment.get("NO_COLOR")
    return Style(wanted or bool(environment.get("FORCE_COLOR") and not environment.get("NO_COLOR")))


def width_of(text: str) -> int:
    """Columns, not characters: wide ones take two, combining ones and escape sequences none."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    width, position = 0, 0
    while position < len(text):
        if text[position] == "\x1b":
            position = text.find("m", position) + 1 or len(text)
            continue
        character = text[position]
        width += _columns(character)
        position += 1
    return width


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):  # accents, joiners, variation selectors
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def table(rows: Sequence[Sequence[str]], headers: Sequence[str], style: Style, *, columns: int | None = None) -> str:
    """`columns`: of the terminal that it must fit; 0 if there is none. If a table is too wide, its last column is
    folded. If no room is left for that, the table becomes a list: the first text of each row, and below it the others
    with their headers."""
    shown = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(headers, *shown, strict=True)]
    room = columns_of_terminal() if columns is None else columns
    before_last = sum(widths[:-1]) + 2 * (len(widths) - 1)
    if not room or before_last + widths[-1] <= room:
        return _as_table(shown, headers, style, widths=widths)
    styled = any(isinstance(row[-1], Styled) for row in shown)
    if room - before_last < _LEAST_TO_FOLD or styled:
        return "\n".join(line for row in shown for line in _as_list(row, headers, style))
    return _as_table(shown, headers, style, widths=[*widths[:-1], room - before_last])


def _as_table(rows: Sequence[Sequence[str]], headers: Sequence[str], style: Style, *, widths: Sequence[int]) -> str:
    lines = [_row([style("dim", header) for header in headers], widths)]
    for row in rows:
        lines += _folded_row(row, widths)
    return "\n".join(lines)


def _folded_row(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    if width_of(row[-1]) <= widths[-1]:
        return [_row(row, widths)]
    first, *more = wrapped(row[-1], widths[-1])
    indent = " " * (sum(widths[:-1]) + 2 * (len(widths) - 1))
    return [_row([*row[:-1], first], widths), *(indent + line for line in more)]


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - width_of(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


def _as_list(row: Sequence[str], headers: Sequence[str], style: Style) -> list[str]:
    """A cell without a header stands beside the first one."""
    named = [(name, cell.strip()) for name, cell in zip(headers[1:], row[1:], strict=True) if cell.strip()]
    width = max((len(name) for name in headers[1:]), default=0)
    first = [row[0], *(cell for name, cell in named if not name)]
    return ["  ".join(first), *(f"  {style('dim', name.ljust(width))}  {cell}" for name, cell in named if name)]


def one_line(text: str, longest: int = 100) -> str:
    """Text from outside as one safe line: without control characters, and cut."""
    if isinstance(text, Styled):
        return text
    clean = harmless(" ".join(text.split()))
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def fitted(text: str, columns: int) -> str:
    """Text from outside as one safe line of at most so many columns."""
    clean = harmless(" ".join(text.split()))
    if width_of(clean) <= columns:
        return clean
    kept, width = [], 1  # for the mark that something was cut
    for character in clean:
        width += _columns(character)
        if width > columns:
            break
        kept.append(character)
    return "".join(kept) + "…"


def harmless(text: str) -> str:
    """Text from outside without anything that a terminal would obey or reorder; joiners within words and emoji stay."""
    return "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text)


def harmless_json(text: str) -> str:
    """JSON with the same values, in which whatever a terminal would obey or reorder is an escape of JSON."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(c if c.isprintable() or c in "\n\u200c\u200d" else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def duration(seconds: float) -> str:
    seconds = max(0, seconds)  # the clock was set back
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            rest = int(seconds % size // {86400: 3600, 3600: 60, 60: 1}[size])
            smaller = {"d": "h", "h": "m", "m": "s"}[unit]
            return f"{int(seconds // size)}{unit}" + (f" {rest}{smaller}" if rest else "")
    return f"{int(seconds)}s"


def ago(then: Moment, now: Moment) -> str:
    return duration(seconds_between(then, now)) + " ago"


def clock(moment: Moment) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment / 1000))


def local_time(stamp: str) -> str:
    """The time of an event as the person's clock shows it: with the day, unless that is today."""
    return local_time_of(moment_of(Stamp(stamp)))


def local_date(stamp: str) -> str:
    """The day and the minute as the person's clock shows them; what is not a time stays as it is."""
    try:
        return clock(moment_of(Stamp(f"{stamp[:19]}.000Z")))
    except (ValueError, OverflowError, OSError):
        return harmless(stamp[:19])


def terminal_width() -> int:
    """The columns of the person's terminal; for a pipe or a file, a usual width."""
    return columns_of_terminal() or _USUAL


def columns_of_terminal(stream: TextIO | None = None) -> int:
    """0 if the stream (standard output) is not a terminal, or is one that does not tell its width."""
    try:
        columns = os.get_terminal_size((stream or sys.stdout).fileno()).columns
    except (OSError, ValueError):
        return 0
    return max(_NARROWEST, columns) if columns else 0


def wrapped(text: str, width: int, *, indent: str = "") -> list[str]:
    """Text from outside in lines that fit, broken between words."""
    lines, line = [], ""
    for word in harmless(" ".join(text.split())).split(" "):
        if line and width_of(line) + 1 + width_of(word) > width - len(indent):
            lines.append(indent + line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, indent + line] if line else lines


def path_for_people(path: str) -> str:
    home = os.path.expanduser("~")
    return harmless("~" + path[len(home) :] if path == home or path.startswith(home + "/") else path)


class Progress:
    """A count on standard error, if something takes more than a second and a person is watching."""

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        self._what = what
        self._stream = stream or sys.stderr
        self._since = time.monotonic()
        self._shown = False

    def __call__(self, count: int, total: int = 0) -> None:
        """As a bar, if the total is known."""
        if time.monotonic() - self._since > 1 and can_redraw(self._stream, os.environ):
            done = min(_BAR, _BAR * count // total) if total else 0
            bar = f"[{'#' * done}{'-' * (_BAR - done)}] {100 * count // total} %  " if total else ""
            self._stream.write(f"\r{bar}{self._what}: {count:,}…")
            self._stream.flush()
            self._shown = True

    def done(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
