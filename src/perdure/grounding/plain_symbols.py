"""Symbols from lines alone, where no grammar knows the file or the file does not parse. They are marked `by="text"`.

A line that begins with a word such as `def`, `class`, `func` or `struct` and a name opens a symbol. If a brace opens
there, the symbol ends where that brace is closed. Otherwise it ends before the next line that is not indented further;
if that is an `end`, `}` or the like, it still belongs to the symbol. `#define` opens one as well, and so does, in the
first column or after a word such as `public`, `int add(int a) {`. Text in comments and strings is read as code.

    plain_symbols("class Cart:\\n    def add(self):\\n        pass\\n")      # Cart at 1 to 3, Cart.add at 2 to 3
"""

from __future__ import annotations

import re

from perdure.grounding.symbol import DEEPEST, MOST_SYMBOLS, TEXT, Symbol, text_hash
from perdure.model.pattern import compiled_later

_WORDS = {
    "class": "class",
    "def": "function",
    "defp": "function",
    "enum": "enum",
    "fn": "function",
    "fun": "function",
    "func": "function",
    "function": "function",
    "interface": "interface",
    "module": "module",
    "namespace": "namespace",
    "object": "class",
    "proc": "function",
    "protocol": "interface",
    "record": "class",
    "struct": "struct",
    "sub": "function",
    "trait": "trait",
    "type": "type",
    "union": "union",
}
_MODIFIERS = (
    "abstract async const data default export extern final inline internal local open override private protected"
)
_MODIFIERS += " pub public sealed static suspend unsafe"
_DEFINITION = compiled_later(
    rf"""[ \t]* (?:(?:{_MODIFIERS.replace(" ", "|")})[ \t]+){{0,6}} ({"|".join(_WORDS)}) [ \t]+
        (?:self\.)? ([^\W\d][\w.:]{{0,199}}[?!]?) (?!\w)""",
    re.X,
)
_MACRO = compiled_later(r"#define[ \t]+([^\W\d]\w{0,199})")
_VISIBILITY = frozenset("public private protected internal".split())
_TYPE_ARGUMENTS = compiled_later(r"<[^<>()]{0,100}>|\[\]|\?")
_NO_TYPES = frozenset("case else for goto if new return switch throw typedef while".split())
_SHELL = compiled_later(r"[ \t]*([^\W\d][\w:-]{0,199})[ \t]*\(\)[ \t]*\{?")
_CLOSES = compiled_later(r"[ \t]*(?:end\b|fi\b|done\b|esac\b|[)}\]])")
_LONGEST = 1000
"""Characters of a line that are looked at for a definition."""


def _defined_in(line: str) -> tuple[str, str] | None:
    """The kind and the name of what a line defines."""
    found = _DEFINITION.match(line)
    if found:
        return _WORDS[found[1]], found[2]
    for pattern, kind in ((_SHELL, "function"), (_MACRO, "macro")):
        found = pattern.match(line)
        if found:
            return kind, found[1]
    name = _c_function(line)
    return ("function", name) if name else None


def _c_function(line: str) -> str:
    """The name in `static int *add(int a) {`, with the brace there or on the next line; in the first column, or where
    a word says who may use it."""
    before, _, after = line.partition("(")
    plain = _TYPE_ARGUMENTS.sub("", _TYPE_ARGUMENTS.sub("", before))  # twice, for one within another
    words = plain.replace("*", " ").replace("&", " ").split()
    ends_well = after.rstrip().removesuffix("{").rstrip().endswith(")") and not set(";{}=") & set(after.rstrip()[:-1])
    if len(words) < 2 or not ends_well or words[0] in _NO_TYPES or (line[0].isspace() and words[0] not in _VISIBILITY):
        return ""
    return words[-1] if all(map(str.isidentifier, words)) else ""


class _Open:
    __slots__ = ("depth", "first", "has_braces", "indent", "kind", "last", "name")

    def __init__(self, line: int, indent: int, kind: str) -> None:
        self.first = self.last = line
        self.indent, self.kind = indent, kind
        self.name, self.depth, self.has_braces = "", 0, False


def plain_symbols(text: str) -> tuple[Symbol, ...]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    scan = _Scan()
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            scan.read(number, line)
    scan.close_all()
    found = (_symbol(each, lines) for each in scan.closed)
    return tuple(sorted(found, key=lambda symbol: (symbol.first, -symbol.last)))


class _Scan:
    def __init__(self) -> None:
        self.closed: list[_Open] = []
        self._open: list[_Open] = []
        self._depth = 0
        self._previous = 0
        """The number of the last line that was not blank."""
        self._decorated = 0
        """The first of the lines directly above that begin with @."""

    def read(self, number: int, line: str) -> None:
        indent = len(line) - len(line.lstrip())
        self._close_by_indent(number, line, indent)
        begun = self._begin(number, line[:_LONGEST], indent)
        before, self._depth = self._depth, max(0, self._depth + line.count("{") - line.count("}"))
        self._note_braces(line, begun, before)
        while self._open and self._open[-1].has_braces and self._depth <= self._open[-1].depth:
            self._close(number)
        self._decorated = (self._decorated or number) if line.lstrip().startswith("@") else 0
        self._previous = number

    def close_all(self) -> None:
        while self._open:
            self._close(self._previous)

    def _begin(self, number: int, line: str, indent: int) -> _Open | None:
        found = _defined_in(line)
        if found is None or len(self._open) >= DEEPEST or len(self.closed) >= MOST_SYMBOLS:
            return None
        kind, name = found
        begun = _Open(self._decorated or number, indent, kind)
        around = self._open[-1].name[-_LONGEST:] if self._open else ""
        begun.name = f"{around}.{name.replace('::', '.').strip('.:')}".strip(".")
        begun.depth = self._depth
        self._open.append(begun)
        return begun

    def _note_braces(self, line: str, begun: _Open | None, before: int) -> None:
        """A symbol has braces if its first line, or one right below that begins with a brace, opens one."""
        if "{" not in line:
            return
        begins_with_brace = line.lstrip().startswith("{")
        owner = begun or (self._open[-1] if self._open and begins_with_brace else None)
        if owner is not None and owner.depth == before:
            owner.has_braces = True

    def _close(self, last: int) -> None:
        ended = self._open.pop()
        ended.last = max(ended.first, last)
        self.closed.append(ended)

    def _close_by_indent(self, number: int, line: str, indent: int) -> None:
        while self._open and not self._open[-1].has_braces and indent <= self._open[-1].indent:
            beside = indent == self._open[-1].indent
            if beside and line.lstrip().startswith("{"):
                return
            self._close(number if beside and _CLOSES.match(line) else self._previous)


def _symbol(found: _Open, lines: list[str]) -> Symbol:
    hash = f"{TEXT}:{text_hash(lines[found.first - 1 : found.last])}"
    return Symbol(name=found.name, kind=found.kind, first=found.first, last=found.last, hash=hash, by="text")
