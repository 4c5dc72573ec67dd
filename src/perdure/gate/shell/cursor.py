"""A place in a shell's text, and what every part of the parser does with it: look, move on, give up.

Invariant: work is spent from one budget of characters, nodes and depth; beyond it the text is not understood.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.shell import syntax as s

MOST_CHARACTERS = 131_072
MOST_NODES = 8_000
MOST_DEPTH = 40
NEAR = 200
"""How far a closing bracket is looked for where most brackets are something else."""

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
"""`in` is special after `for` and `case` only. zsh has some of its own:"""
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
    """The text, or a part of it, is not shell that this parser reads; the gate takes it to be praxic."""


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

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise NotUnderstood(f"too complex: nested more than {MOST_DEPTH} deep")

    def expect(self, what: str) -> None:
        if not self.looks_at(what):
            raise self.wrong(f"`{what}` expected")
        self.at += len(what)

    def blanks(self) -> None:
        while True:
            character = self.peek()
            if character and character in BLANK:
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
        if any(self.pending[:-1]):
            raise self.wrong("a line ends within a substitution while a heredoc waits")
        self.at += 1
        waiting, self.pending[-1] = self.pending[-1], []
        for heredoc in waiting:
            self.read_heredoc(heredoc)

    if TYPE_CHECKING:

        def read_heredoc(self, heredoc: Heredoc) -> None:
            """Told by the part that reads redirections."""

    def newline_in_quotes(self) -> None:
        if any(self.pending):
            raise self.wrong("a quoted line end while a heredoc waits")
