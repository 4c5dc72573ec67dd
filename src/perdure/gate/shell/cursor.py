"""The parser's cursor: a position in the shell text, with methods to look ahead, move on and refuse the text.

Invariant: the parser has a budget of characters, nodes and depth. A text that exceeds it raises `NotUnderstood`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.shell import syntax as s

# A longer, larger or deeper command is refused:
MOST_CHARACTERS = 131_072
MOST_NODES = 8_000
MOST_DEPTH = 40
NEAR = 200
"""How many characters are searched for a closing `]` where `[` rarely begins a subscript."""

BLANK = frozenset(" \t")
META = frozenset(" \t\n;&|()<>")
NAME_START = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
DIGITS = frozenset("0123456789")
NAME = NAME_START | DIGITS
SPECIAL = frozenset("@*#?$!-")
PLAIN = NAME | frozenset("./=:,@+-")
RESERVED = frozenset(
    "if then elif else fi for while until do done case esac { } ! [[ ]] function time select coproc".split()
)
"""Reserved words of bash and zsh. `in` is missing: it is special after `for` and `case` only."""
ZSH_RESERVED = frozenset(("foreach", "end", "repeat", "nocorrect", "noglob", "always", "-"))
DECLARERS = frozenset(["declare", "typeset", "local", "export", "readonly"])
ARITHMETIC_OPERATORS = (
    *("<<=", ">>=", "**", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"),
    *("+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="),
    *("+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "!", "~", "?", ":", ",", "="),
)
ASSIGNING = frozenset("= += -= *= /= %= &= ^= |= <<= >>= ++ --".split())
CALCULATING_TESTS = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
ANSI_C = {
    "n": "\n",
    "t": "\t",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "r": "\r",
    "v": "\v",
}


class NotUnderstood(Exception):
    """The parser does not read this text, or a part of it. The gate then treats the command as praxic."""


class Budget:
    def __init__(self) -> None:
        self.nodes = 0

    def spend(self) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise NotUnderstood(f"too complex: more than {MOST_NODES} parts")


class Heredoc:
    def __init__(self, delimiter: str, quoted: bool, strip: bool, *, body: s.Body) -> None:
        self.delimiter, self.quoted, self.strip, self.body = delimiter, quoted, strip, body


class Cursor:
    def __init__(self, text: str, budget: Budget, depth: int) -> None:
        self.text, self.end, self.at = text, len(text), 0
        self.budget, self.depth = budget, depth
        self.pending: list[list[Heredoc]] = [[]]

    # ---- characters

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.text[place] if place < self.end else ""

    def looks_at(self, what: str) -> bool:
        return self.text.startswith(what, self.at)

    def wrong(self, why: str) -> NotUnderstood:
        return NotUnderstood(f"{why} (character {self.at + 1})")

    def unexpected(self) -> NotUnderstood:
        """What stands here can begin nothing; or the text ends where something must follow."""
        if self.peek():
            return self.wrong(f"unexpected `{self.peek()}`")
        return self.wrong("an unfinished command")

    def take_while(self, characters: frozenset[str]) -> str:
        """Consume the run of such characters that stands here, and return it."""
        start = self.at
        while self.at < self.end and self.text[self.at] in characters:
            self.at += 1
        return self.text[start : self.at]

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise NotUnderstood(f"too complex: nested more than {MOST_DEPTH} deep")

    def expect(self, what: str) -> None:
        if not self.looks_at(what):
            raise self.wrong(f"`{what}` expected")
        self.at += len(what)

    def blanks(self) -> None:
        """Skip blanks, joined lines and comments."""
        while True:
            character = self.peek()
            if character in BLANK:
                self.at += 1
            elif character == "\\" and self.peek(1) == "\n":
                self.at += 2
            elif character == "#":
                newline = self.text.find("\n", self.at)
                self.at = self.end if newline < 0 else newline
            else:
                return

    def newlines(self) -> None:
        self.blanks()
        while self.peek() == "\n":
            self.newline()
            self.blanks()

    def newline(self) -> None:
        """Consume a line end, and the bodies of the heredocs that the line asked for."""
        if any(self.pending[:-1]):
            raise self.wrong("a line ends within a substitution while a heredoc waits")
        self.at += 1
        waiting, self.pending[-1] = self.pending[-1], []
        for heredoc in waiting:
            self.read_heredoc(heredoc)

    if TYPE_CHECKING:

        def read_heredoc(self, heredoc: Heredoc) -> None:
            """Implemented by each parser that reads redirections."""

    def newline_in_quotes(self) -> None:
        if any(self.pending):
            raise self.wrong("a quoted line end while a heredoc waits")
