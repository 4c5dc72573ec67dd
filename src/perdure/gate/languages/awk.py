r"""Reads an awk program: its tokens, and the `print` statements among them.

Invariant: if gawk, mawk, the BSD awk or busybox's awk would open a file for writing or run a program, `read` names the
file or gives trouble. A program can act outside itself only by `system`, a pipe, `@…`, and `>` or `>>` in a `print`. So
it is enough to read the tokens, as long as none is hidden. These could hide one:

- `/` begins a regular expression or divides. The token before it decides (`_Program.slash`). Where awks disagree, for
  example after the `)` of an `if`, it is trouble.
- `/[/]/`: gawk and mawk read a bracket. The others end the expression at the second `/` and then refuse the program,
  because its bracket is open. Other brackets on which they could disagree are trouble.
- `>` compares, except outside parentheses in a `print`. We end a `print` where every awk ends it, or later.

    read('{ print $1 > "out" }') == ScriptEffects(("out",), "");  read('{ system($0) }') has trouble
"""

from __future__ import annotations

import re

from . import ScriptEffects, ScriptNotUnderstood

__all__ = ["read"]

_TOKEN = re.compile(
    r"""(?P<blank>(?:[ \t]|\\\n)++)
    |(?P<comment>\#[^\n]*+)
    |(?P<newline>\n)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*+)
    |(?P<number>(?:0[xX][0-9A-Fa-f]++|(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+)(?![A-Za-z0-9_.]))
    |(?P<string>"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+")
    |(?P<slash>/)
    |(?P<operator>\|\||&&|\+\+|--|>>|[-+*%^<>=!]=|!~|[-+*%^<>=!|?:~$,;(){}\[\]])""",
    re.VERBOSE,
)
_PLAIN_REGEX = re.compile(r"(?:[^\\/\[\n]|\\[^\n])*+")
_BRACKET = re.compile(r"\[\^?+\]?+(?:\[:[a-z]++:\]|\[(?![.:=])|\\[^\n]|[^\]\[\\\n])*+\]")
_ESCAPED = re.compile(r"\\.")
_PLAIN_BRACKET = re.compile(r"\[\^?+(?!\])(?:\[:[a-z]++:\]|[^\]\[\\])*+\]")

_STREAMS = ("/dev/stdout", "/dev/stderr")
_NETWORK = ("/inet/", "/inet4/", "/inet6/", "/dev/tcp/", "/dev/udp/")
_PRINTS = ("print", "printf")
_HEADS = ("if", "while", "for", "switch")
_BEFORE_REGEX = (*_PRINTS, "return")
_OPENERS = {"(": ")", "[": "]", "{": "}"}
_ENDS_OF_OPERAND = ("name", "number", "string", "regex")
# A slash after one of these is not a division, or not in every awk.
_WORDS = (
    *("BEGIN", "END", "BEGINFILE", "ENDFILE", "function", "func", "if", "else", "while", "for", "do", "in", "switch"),
    *("case", "default", "break", "continue", "next", "nextfile", "exit", "return", "delete", "print", "printf"),
    *("getline", "close", "fflush", "length", "index", "match", "split", "sprintf", "sub", "gsub", "substr", "tolower"),
    *("toupper", "atan2", "cos", "sin", "exp", "int", "log", "sqrt", "rand", "srand", "gensub", "patsplit", "strtonum"),
    *("asort", "asorti", "mktime", "strftime", "systime", "and", "or", "xor", "compl", "lshift", "rshift", "isarray"),
    *("typeof", "mkbool", "bindtextdomain", "dcgettext", "dcngettext", "extension"),
)
_REFUSED = {"@": "awk's @ loads or calls what is not seen here"}

_NO_PRINT = -1


def read(script: str) -> ScriptEffects:
    """What the program writes, and why it may do more."""
    written: list[str] = []
    try:
        _Program(script, written).tokens()
    except ScriptNotUnderstood as stopped:
        return ScriptEffects(tuple(written), str(stopped))
    return ScriptEffects(tuple(written), "")


class _Program:
    """A position in a program, which only moves forward, with the token before it and the brackets that are open."""

    def __init__(self, text: str, written: list[str]) -> None:
        self.text = text
        self.at = 0
        self.written = written
        self.kind = "newline"
        self.token = ""
        self.before_newlines = ""
        self.closed_head = False
        self.open: list[str] = []
        self.print_depth = _NO_PRINT
        self.target: str | None = None

    def tokens(self) -> None:
        while self.at < len(self.text):
            found = _TOKEN.match(self.text, self.at)
            if found is None:
                raise ScriptNotUnderstood(_REFUSED.get(self.text[self.at]) or _unexpected(self.text[self.at]))
            self.at = found.end()
            kind = found.lastgroup or ""
            if kind == "slash":
                self.slash()
            elif kind == "comment":
                if found.group().endswith("\\"):
                    raise ScriptNotUnderstood("a comment that may go on in the next line")
            elif kind != "blank":
                self.add(kind, found.group())
        self.add("newline", "")
        if self.open:
            raise ScriptNotUnderstood(f"not understood: a `{self.open[-1][-1]}` is not closed")

    def add(self, kind: str, token: str) -> None:
        """Handle one token that is not a slash, and remember it for the next."""
        self.end_target(kind, token)
        if kind == "name":
            self.name(token)
        elif kind == "string":
            self.string(token)
        elif kind == "newline":
            self.newline()
        elif kind == "operator":
            self.operator(token)
        self.follow(kind, token)

    def follow(self, kind: str, token: str) -> None:
        if kind != "newline":
            self.before_newlines = token
        elif self.kind == "newline":
            return
        self.kind, self.token = kind, token

    # What single tokens do.

    def name(self, token: str) -> None:
        if token == "system":
            raise ScriptNotUnderstood("awk's system runs a program")
        if token in _PRINTS:
            self.print_depth = len(self.open)

    def string(self, token: str) -> None:
        if token[1:-1].startswith(_NETWORK):
            raise ScriptNotUnderstood("awk reaches the network")

    def newline(self) -> None:
        """A line end ends a `print`, unless an operator needs another operand."""
        in_print = self.print_depth == len(self.open)
        if in_print and (self.ends_operand() or self.token in _PRINTS):
            self.print_depth = _NO_PRINT

    def operator(self, token: str) -> None:
        if token == "|":
            raise ScriptNotUnderstood("awk pipes into or from a command")
        if token in _OPENERS:
            self.open_bracket(token)
        elif token in (")", "]", "}"):
            self.close(token)
        elif token == ";" and self.print_depth == len(self.open):
            self.print_depth = _NO_PRINT
        elif token in (">", ">>") and self.print_depth == len(self.open):
            self.target = ""
        elif token == ">>":
            raise ScriptNotUnderstood(_unexpected(token))

    def open_bracket(self, token: str) -> None:
        if self.before_newlines == "extension":
            raise ScriptNotUnderstood("awk's extension loads a library")
        self.open.append(self.before_newlines + token if self.before_newlines in _HEADS else token)

    def close(self, token: str) -> None:
        if not self.open or _OPENERS[self.open[-1][-1]] != token:
            raise ScriptNotUnderstood(_unexpected(token))
        head = self.open.pop()
        if len(self.open) < self.print_depth:
            self.print_depth = _NO_PRINT
        self.closed_head = len(head) > 1

    def end_target(self, kind: str, token: str) -> None:
        """After `>` one string must follow, and then the end of the statement."""
        if self.target is None:
            return
        if not self.target and kind == "string" and "\\" not in token and len(token) > 2:
            self.target = token[1:-1]
        elif self.target and (kind == "newline" or token in (";", "}", ")")):
            if self.target not in _STREAMS:
                self.written.append(self.target)
            self.target = None
        else:
            raise ScriptNotUnderstood("a target that is not a literal")

    # Slashes.

    def slash(self) -> None:
        self.end_target("slash", "/")
        if self.divides():
            self.follow("slash", "/")
        elif self.begins_regex():
            self.regex()
            self.follow("regex", "/")
        else:
            raise ScriptNotUnderstood("a slash that may divide or begin a regular expression")

    def ends_operand(self) -> bool:
        return (self.kind in _ENDS_OF_OPERAND and self.token != "in") or self.token in (")", "]", "++", "--")

    def divides(self) -> bool:
        if self.kind in ("number", "string") or self.token == "]":
            return True
        if self.token == ")":
            return not self.closed_head
        return self.kind == "name" and self.token not in _WORDS

    def begins_regex(self) -> bool:
        if self.kind == "newline":
            return self.line_begins_regex()
        if self.kind == "operator":
            return self.token not in ("$", "++", "--", ")")
        return self.token in _BEFORE_REGEX

    def line_begins_regex(self) -> bool:
        """A line may begin with a pattern. Within brackets, or after `if (…)` and its like, awks differ."""
        within = bool(self.open) and self.open[-1][-1] != "{"
        behind_head = self.before_newlines in ("else", "do") or (self.before_newlines == ")" and self.closed_head)
        return not within and not behind_head

    def regex(self) -> None:
        while True:
            self.take(_PLAIN_REGEX)
            if self.text.startswith("/", self.at):
                self.at += 1
                return
            _check_bracket(self.take(_BRACKET))

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise ScriptNotUnderstood("not understood: a regular expression is not ended")
        self.at = found.end()
        return found.group()


def _check_bracket(bracket: str) -> None:
    """Refuse a bracket with an unescaped slash, which ends the expression for some awks, unless all of those awks then
    refuse the program because its bracket is open."""
    if "/" in _ESCAPED.sub("", bracket) and not _PLAIN_BRACKET.fullmatch(bracket):
        raise ScriptNotUnderstood("awks differ on where a bracket expression ends")


def _unexpected(token: str) -> str:
    return f"not understood: unexpected `{token}`"
