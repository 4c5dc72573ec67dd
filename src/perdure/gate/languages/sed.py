r"""Reads a sed script: addresses, blocks and every command of GNU, BSD and busybox sed.

The caller joins the scripts of several `-e` and `-f` with newlines, as sed does. Invariant: if any of these seds would
open a file for writing or run a program, `read` names the file or gives trouble. Differences between them are trouble
only where they matter:

- BSD ends a label at the end of the line, GNU at a blank or `;`. We read as GNU does, which finds every command that
  BSD takes as part of the label. Both agree again on the next line, unless a backslash precedes it.
- BSD cuts a line after 2047 bytes and treats the rest as a new line, even in a comment.
- busybox joins a line that ends in a backslash to the next one.
- In a bracket expression the delimiter is an ordinary character, but they disagree on where some brackets end.

    read("/x/w out.txt") == ScriptEffects(("out.txt",), "");  read("1e") has trouble
"""

from __future__ import annotations

import re

from . import ScriptEffects, ScriptNotUnderstood

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["read"]

_LONGEST_LINE = 2000
_STREAMS = ("/dev/stdout", "/dev/stderr")

_BETWEEN = re.compile(r"[ \t\n\v\f\r;]*+")
_BLANKS = re.compile(r"[ \t]*+")
_LINE = re.compile(r"[^\n]*+")
_NUMBER = re.compile(r"[0-9]++")
_LABEL = re.compile(r"[A-Za-z0-9_.-]*+(?=[ \t\n;}]|\Z)")
_TEXT = re.compile(r"(?:[^\\\n]|\\.)*+", re.DOTALL)
_TEXT_IN_NEXT_LINE = re.compile(r"\\(?:\n|\Z)")
_ONE_LINE_TEXT = re.compile(r"(?:\\[ \t]*+\\?+)?+[^ \t\\\n]")
_DELIMITER = re.compile(r"[!-/:-@^-`{-~]")
_BRACKET = re.compile(r"\[\^?+\]?+(?:\[:[a-z]++:\]|\[(?![.:=])|[^\]\[\n])*+\]")
_ADDRESS_FLAGS = re.compile(r"[IM \t]*+")
_SUBSTITUTE_FLAGS = re.compile(r"[gpiImM0-9 \t]*+")


def read(script: str) -> ScriptEffects:
    """What the script writes, and why it may do more."""
    written: list[str] = []
    try:
        _check_lines(script)
        _Script(script, written).commands()
    except ScriptNotUnderstood as stopped:
        return ScriptEffects(tuple(written), str(stopped))
    return ScriptEffects(tuple(written), "")


def _check_lines(script: str) -> None:
    if "\0" in script:
        raise ScriptNotUnderstood("not understood: a null character")
    if any(len(line.encode("utf-8", "surrogatepass")) > _LONGEST_LINE for line in script.split("\n")):
        raise ScriptNotUnderstood("a line so long that some seds cut it in two")


class _Script:
    """A position in a script, which only moves forward."""

    def __init__(self, text: str, written: list[str]) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.written = written

    def commands(self) -> None:
        self.take(_BETWEEN)
        while self.at < len(self.text):
            self.command()
            self.take(_BETWEEN)
        if self.depth:
            raise ScriptNotUnderstood("not understood: a `{` is not closed")

    def command(self) -> None:
        addressed = self.addresses()
        name = self.next()
        if name in ("#", "}", ":") and addressed:
            raise ScriptNotUnderstood(f"not understood: an address before `{name}`")
        arguments = _COMMANDS.get(name)
        if arguments is None:
            raise ScriptNotUnderstood(f"not understood: unexpected `{name}`" if name else "not understood: no command")
        arguments(self)

    # Characters.

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def next(self) -> str:
        found = self.peek()
        self.at += 1
        return found

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise ScriptNotUnderstood(f"not understood: unexpected `{self.peek()}`")
        self.at = found.end()
        return found.group()

    def rest_of_line(self) -> str:
        self.check_line_end()
        return self.take(_LINE)

    def check_line_end(self) -> None:
        """Raises `ScriptNotUnderstood` if the line ends in a backslash: busybox joins it to the next, BSD does not."""
        end = self.text.find("\n", self.at)
        if self.text.endswith("\\", self.at, len(self.text) if end == -1 else end):
            raise ScriptNotUnderstood("seds differ on where a line ends that has a backslash last")

    # Addresses.

    def addresses(self) -> bool:
        addressed = self.address(first=True)
        if addressed:
            self.take(_BLANKS)
            if self.peek() == ",":
                self.at += 1
                self.take(_BLANKS)
                if not self.address(first=False):
                    raise ScriptNotUnderstood("not understood: unexpected `,`")
                self.take(_BLANKS)
        if self.peek() == "!":
            self.at += 1
            self.take(_BLANKS)
        return addressed

    def address(self, *, first: bool) -> bool:
        start = self.peek()
        if start == "$":
            self.at += 1
        elif start == "/" or start == "\\":
            self.at += 1 if start == "/" else 2
            self.regex(self.delimiter(self.text[self.at - 1 : self.at]))
            self.take(_ADDRESS_FLAGS)
        elif start.isascii() and start.isdigit():
            self.line_number()
        elif start and start in "+~" and not first:
            self.at += 1
            self.take(_NUMBER)
        else:
            return False
        return True

    def line_number(self) -> None:
        self.take(_NUMBER)
        self.take(_BLANKS)
        if self.peek() == "~":
            self.at += 1
            self.take(_BLANKS)
            self.take(_NUMBER)

    # Delimited parts.

    def delimiter(self, found: str) -> str:
        if not _DELIMITER.match(found):
            raise ScriptNotUnderstood("not understood: an unusual delimiter")
        return found

    def regex(self, delimiter: str) -> None:
        """Consume a regular expression and the delimiter after it; the `/` in `[/]` does not end it."""
        plain = _until(rf"\[{re.escape(delimiter)}")
        while True:
            self.take(plain)
            if self.peek() == delimiter:
                self.at += 1
                return
            if self.peek() != "[":
                raise ScriptNotUnderstood("not understood: a regular expression is not ended")
            self.bracket(delimiter)

    def bracket(self, delimiter: str) -> None:
        found = _BRACKET.match(self.text, self.at)
        if found is None:
            raise ScriptNotUnderstood("not understood: a bracket in a regular expression is not ended")
        if delimiter in found.group() and "[:" in found.group():
            raise ScriptNotUnderstood("seds differ on where a bracket expression ends")
        self.at = found.end()

    def replacement(self, delimiter: str) -> str:
        found = self.take(_until(re.escape(delimiter)))
        if self.next() != delimiter:
            raise ScriptNotUnderstood("not understood: a command is not ended")
        return found

    # What may follow a command's letter.

    def end(self) -> None:
        """The command must end here; `}` and `#` are left for the next command."""
        self.take(_BLANKS)
        if self.peek() not in ("", "\n", ";", "}", "#"):
            raise ScriptNotUnderstood(f"not understood: unexpected `{self.peek()}`")

    def number(self) -> None:
        self.take(_BLANKS)
        if _NUMBER.match(self.text, self.at):
            self.take(_NUMBER)
        self.end()

    def comment(self) -> None:
        self.rest_of_line()

    def open(self) -> None:
        self.depth += 1

    def close(self) -> None:
        if not self.depth:
            raise ScriptNotUnderstood("not understood: unexpected `}`")
        self.depth -= 1
        self.end()

    def label(self) -> None:
        self.check_line_end()
        self.take(_BLANKS)
        self.take(_LABEL)

    def added_text(self) -> None:
        self.take(_BLANKS)
        if _TEXT_IN_NEXT_LINE.match(self.text, self.at):
            self.take(_TEXT_IN_NEXT_LINE)
        elif not _ONE_LINE_TEXT.match(self.text, self.at):
            raise ScriptNotUnderstood("seds differ on where a text begins")
        self.take(_TEXT)

    def read_file(self) -> None:
        self.file_name()

    def write_file(self) -> None:
        name = self.file_name()
        if name not in _STREAMS:
            self.written.append(name)

    def file_name(self) -> str:
        self.take(_BLANKS)
        name = self.rest_of_line()
        if not name or name[0].isspace():
            raise ScriptNotUnderstood("not understood: no name of a file")
        return name

    def substitute(self) -> None:
        delimiter = self.delimiter(self.next())
        self.regex(delimiter)
        self.replacement(delimiter)
        self.take(_SUBSTITUTE_FLAGS)
        if self.peek() == "e":
            raise ScriptNotUnderstood("sed's s///e runs a program")
        if self.peek() == "w":
            self.at += 1
            self.write_file()
        else:
            self.end()

    def translate(self) -> None:
        delimiter = self.delimiter(self.next())
        if "[" in self.replacement(delimiter) + self.replacement(delimiter):
            raise ScriptNotUnderstood("seds differ on `[` in the y command")
        self.end()

    def execute(self) -> None:
        raise ScriptNotUnderstood("sed's e command runs a program")


def _until(stops: str) -> re.Pattern[str]:
    """A pattern for the text up to one of these characters, or a newline, without a backslash before it."""
    return re.compile(rf"(?:[^\\\n{stops}]|\\.)*+", re.DOTALL)


_COMMANDS: "dict[str, Callable[[_Script], None]]" = {
    **dict.fromkeys("=dDFgGhHnNpPxz", _Script.end),
    **dict.fromkeys("lLqQ", _Script.number),
    **dict.fromkeys(":btTv", _Script.label),
    **dict.fromkeys("aic", _Script.added_text),
    **dict.fromkeys("rR", _Script.read_file),
    **dict.fromkeys("wW", _Script.write_file),
    "#": _Script.comment,
    "{": _Script.open,
    "}": _Script.close,
    "e": _Script.execute,
    "s": _Script.substitute,
    "y": _Script.translate,
}
