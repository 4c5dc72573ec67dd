"""Reads JavaScript that is given to node on a command line: can it do anything but compute, read files and print?

Invariant: code that `read` accepts is in a small language of expressions, and each value in it is data, or a function
that the code wrote itself or that belongs to a listed name. Modules, `process` and `console` are never values. Members
of data have any name but those that lead to `Function`; a method is only called by a listed name; a member in brackets
is a literal. Nothing is assigned. Names are looked up where they are bound, since any other name may be a module of
node's own. Comments, regular expressions, blocks as bodies of functions and all else are refused.

    read("console.log(require('./package.json').version)").required == ("./package.json",)
    read("process.exit()").trouble == "runs code: `exit` of process is not known to only read"
"""

from __future__ import annotations

import re

from perdure.model.value import value

__all__ = ["JavaScriptReading", "read"]

MOST, DEEPEST = 4000, 40
_TOKEN = re.compile(
    r"""(?P<blank>[ \t\n]++)
    |(?P<text>'(?:[^'\\\n]|\\[nt\\'"])*+'|"(?:[^"\\\n]|\\[nt\\'"])*+")
    |(?P<template>`[^`\\]*+`)
    |(?P<number>[0-9]++(?:\.[0-9]++)?+(?![A-Za-z0-9_$.]))
    |(?P<name>[A-Za-z_$][A-Za-z0-9_$]*+)
    |(?P<sign>\.\.\.|===|!==|=>|\?\.(?![0-9])|\?\?|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:,;()\[\]{}.=])""",
    re.VERBOSE,
)
_NOT_READ = ("//", "/*", "<!--", "-->", "++", "--", "**", "??=", "&&=", "||=")
"""Signs beside each other that mean a comment, or set something."""
_BINARY = frozenset("+ - * / % < > <= >= == != === !== && || ??".split())
_PLAIN = frozenset("true false null undefined NaN Infinity String Number Boolean parseInt parseFloat".split())
_KEYWORDS = frozenset(
    """await break case catch class const continue debugger default delete do else enum export extends finally for
    function if implements import in instanceof interface let new package private protected public return static super
    switch this throw try typeof var void while with yield eval arguments async of get set""".split()
)
_HIDDEN = frozenset("constructor prototype caller callee arguments call apply bind".split())
"""Members that lead to `Function`, which makes code of text, or that call what they belong to."""
_METHODS = frozenset(
    """at charAt concat endsWith entries every filter find findIndex findLast flat flatMap forEach get has includes
    indexOf isDirectory isFile join keys lastIndexOf localeCompare map padEnd padStart reduce repeat replace replaceAll
    reverse slice some sort split startsWith substring toFixed toISOString toLocaleString toLowerCase toString
    toUpperCase trim trimEnd trimStart values""".split()
)
_OF = {
    "JSON": frozenset(("parse", "stringify")),
    "Object": frozenset(("keys", "values", "entries", "fromEntries")),
    "Array": frozenset(("isArray", "from")),
    "Math": frozenset(("max", "min", "round", "floor", "ceil", "abs")),
    "console": frozenset(("log", "error")),
}
_PROCESS = frozenset("version versions platform arch argv env pid title execPath".split())
_FILES = frozenset(("readFileSync", "existsSync", "readdirSync", "statSync"))
_ENCODINGS = frozenset(("utf8", "utf-8", "ascii", "latin1", "base64", "hex"))
_MADE = frozenset(("Set", "Map", "Date"))
_SPECIAL = frozenset((*_OF, *_PLAIN, *_KEYWORDS, *_MADE, "process", "require", "module", "exports", "globalThis"))
_BEGINNING = frozenset(("const", "let", "for", "if", "console"))
"""Words that end the statement before them where they begin a line: no expression goes on with them."""
FILE_MODULES = ("fs", "node:fs")
_END = ("end", "", False)


@value
class JavaScriptReading:
    """`trouble`: why the code may do more than read, or ''. `required`: the JSON files that it loads as modules, which
    must be plain files by that name: where they are something else, node runs code."""

    trouble: str = ""
    required: tuple[str, ...] = ()


class _Refused(Exception):
    """Reading stops, and the message becomes the `trouble`."""


def read(code: str) -> JavaScriptReading:
    if len(code) > MOST:
        return JavaScriptReading("runs code that is too long to be read")
    reader = _Reader()
    try:
        reader.program(code)
    except _Refused as refused:
        return JavaScriptReading(f"runs code: {refused}")
    return JavaScriptReading("", tuple(reader.required))


def _tokens(code: str) -> list[tuple[str, str, bool]]:
    """Kind, text, and whether a line ends before it."""
    found: list[tuple[str, str, bool]] = []
    at, after_line, last_end = 0, False, -1
    while at < len(code):
        match = _TOKEN.match(code, at)
        if match is None:
            raise _Refused(f"not understood: `{code[at : at + 2]}`")
        kind, text = match.lastgroup or "", match.group()
        if kind == "blank":
            after_line = after_line or "\n" in text
        else:
            touches = bool(found) and last_end == at and found[-1][0] == "number"
            _understood(kind, text, code[at : at + 4], touches=touches)
            found.append((kind, text, after_line))
            after_line, last_end = False, match.end()
        at = match.end()
    return found


def _understood(kind: str, text: str, following: str, *, touches: bool) -> None:
    """Refuses comments, signs that set something, and numbers that old code reads in another way."""
    if kind == "sign" and following.startswith(_NOT_READ):
        raise _Refused(f"not understood: `{following[:2]}`")
    if kind == "number" and (touches or (text[0] == "0" and text[1:2] not in ("", "."))):
        raise _Refused("not understood: a number")


class _Reader:
    def __init__(self) -> None:
        self.tokens: list[tuple[str, str, bool]] = []
        self.at = 0
        self.depth = 0
        self.scopes: list[dict[str, bool]] = [{}]
        """Names that are bound, from the outside in → whether the name stands for the module of files."""
        self.required: list[str] = []

    def program(self, code: str) -> None:
        self.tokens = _tokens(code)
        while self.at < len(self.tokens):
            self.statement()

    # ---- tokens

    def peek(self, ahead: int = 0) -> tuple[str, str, bool]:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else _END

    def sees(self, text: str, ahead: int = 0) -> bool:
        kind, token, _ = self.peek(ahead)
        return token == text and kind in ("sign", "name")

    def takes(self, text: str) -> bool:
        if not self.sees(text):
            return False
        self.at += 1
        return True

    def needs(self, text: str) -> None:
        if not self.takes(text):
            raise _Refused(f"not understood: `{self.peek()[1][:20]}` where `{text}` is expected")

    def word(self, kind: str) -> str:
        found, token, _ = self.peek()
        if found != kind:
            raise _Refused(f"not understood: `{token[:20]}`")
        self.at += 1
        return token

    def literal(self) -> str:
        """A text without backslashes."""
        token = self.word("text")
        if "\\" in token:
            raise _Refused("a name with a backslash")
        return token[1:-1]

    # ---- statements

    def statement(self) -> None:
        self.deeper()
        if self.takes("{"):
            self.scopes.append({})
            while not self.takes("}"):
                self.statement()
            self.scopes.pop()
        elif self.takes("for"):
            self.loop()
        elif self.takes("if"):
            self.needs("(")
            self.expression()
            self.needs(")")
            self.body()
            if self.takes("else"):
                self.body()
        else:
            if self.takes("const") or self.takes("let"):
                self.declaration()
            elif not self.sees(";"):
                self.expression()
            self.ends()
        self.depth -= 1

    def ends(self) -> None:
        _, token, after_line = self.peek()
        is_over = self.at >= len(self.tokens) or self.sees("}") or (after_line and token in _BEGINNING)
        if not is_over:
            self.needs(";")

    def loop(self) -> None:
        self.needs("(")
        if not self.takes("const"):
            self.needs("let")
        names = self.pattern()
        self.needs("of")
        self.expression()
        self.needs(")")
        self.scopes.append(dict.fromkeys(names, False))
        self.body()
        self.scopes.pop()

    def body(self) -> None:
        """Where no declaration may stand: old code may mean a variable by `let` there."""
        if self.sees("const") or self.sees("let"):
            raise _Refused("not understood: a declaration without a block")
        self.statement()

    def declaration(self) -> None:
        while True:
            names = self.pattern()
            self.needs("=")
            is_module = self.is_module_of_files()
            if not is_module:
                self.expression()
            self.scopes[-1].update(dict.fromkeys(names, is_module))
            if not self.takes(","):
                return

    def is_module_of_files(self) -> bool:
        """Takes `require('fs')`, where nothing follows that belongs to it."""
        whole = self.sees("require") and self.sees("(", 1) and self.sees(")", 3) and not self.sees(".", 4)
        if not whole or self.peek(2)[1][1:-1] not in FILE_MODULES or self.tokens[self.at - 2][0] != "name":
            return False
        self.at += 4
        return True

    def pattern(self) -> list[str]:
        """A name, or names in brackets."""
        if not self.takes("["):
            return [self.binding()]
        names = [self.binding()]
        while self.takes(","):
            names.append(self.binding())
        self.needs("]")
        return names

    def binding(self) -> str:
        name = self.word("name")
        if name in _SPECIAL or name.startswith("__"):
            raise _Refused(f"`{name}` is given another meaning")
        return name

    # ---- expressions

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _Refused("too deep")

    def expression(self) -> None:
        self.deeper()
        if self.is_arrow():
            self.arrow()
        else:
            self.unary()
            while self.peek()[0] == "sign" and self.peek()[1] in _BINARY:
                self.at += 1
                self.unary()
            if self.takes("?"):
                self.expression()
                self.needs(":")
                self.expression()
        self.depth -= 1

    def is_arrow(self) -> bool:
        if self.peek()[0] == "name":
            return self.sees("=>", 1)
        if not self.sees("("):
            return False
        ahead = 1
        while not self.sees(")", ahead) and not self.sees("(", ahead) and self.peek(ahead) is not _END:
            ahead += 1
        return self.sees(")", ahead) and self.sees("=>", ahead + 1)

    def arrow(self) -> None:
        names: list[str] = []
        if self.takes("("):
            while not self.takes(")"):
                names += self.pattern()
                if not self.sees(")"):
                    self.needs(",")
        else:
            names = [self.binding()]
        self.needs("=>")
        if self.sees("{"):
            raise _Refused("a function with a block")
        self.scopes.append(dict.fromkeys(names, False))
        self.expression()
        self.scopes.pop()

    def unary(self) -> None:
        while self.takes("!") or self.takes("-") or self.takes("+") or self.takes("typeof"):
            pass
        self.primary()
        self.members()

    def members(self) -> None:
        while True:
            if self.takes("["):
                self.key()
            elif self.takes("?."):
                if self.takes("["):
                    self.key()
                else:
                    self.member()
            elif self.takes("."):
                self.member()
            else:
                return

    def key(self) -> None:
        if self.peek()[0] == "number":
            self.at += 1
        else:
            _visible(self.literal())
        self.needs("]")

    def member(self) -> None:
        name = self.word("name")
        if self.takes("("):
            if name not in _METHODS:
                raise _Refused(f"calls {name}(), which is not known to only read")
            self.listed(")")
        else:
            _visible(name)

    def listed(self, end: str) -> None:
        """Expressions with commas between them, up to a bracket."""
        while not self.takes(end):
            self.takes("...")
            self.expression()
            if not self.sees(end):
                self.needs(",")

    def primary(self) -> None:
        kind, token, _ = self.peek()
        self.at += 1
        if kind in ("number", "text"):
            return
        if kind == "template":
            self.template(token[1:-1])
        elif kind == "name":
            self.name(token)
        elif kind == "sign" and token == "(":
            self.expression()
            self.needs(")")
        elif kind == "sign" and token == "[":
            self.listed("]")
        elif kind == "sign" and token == "{":
            self.object()
        else:
            raise _Refused(f"not understood: `{token[:20]}`")

    def template(self, text: str) -> None:
        """What stands in `${…}` is an expression, without braces."""
        pieces = text.split("${")
        for piece in pieces[1:]:
            code, end, _ = piece.partition("}")
            if not end or "{" in code:
                raise _Refused("not understood: a template")
            outer = self.tokens, self.at
            self.tokens, self.at = _tokens(code), 0
            self.expression()
            if self.at != len(self.tokens):
                raise _Refused("not understood: a template")
            self.tokens, self.at = outer

    def object(self) -> None:
        while not self.takes("}"):
            if self.takes("..."):
                self.expression()
            else:
                kind, token, _ = self.peek()
                self.at += 1
                if kind == "text" and "\\" not in token:
                    token = token[1:-1]
                elif kind != "name":
                    raise _Refused("not understood: an object")
                _visible(token)
                if self.takes(":"):
                    self.expression()
                elif kind != "name" or not self.is_data(token):
                    raise _Refused("not understood: an object")
            if not self.sees("}"):
                self.needs(",")

    # ---- names

    def bound(self, name: str) -> bool | None:
        """Whether a name stands for the module of files; None where the code does not bind it here."""
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def is_data(self, name: str) -> bool:
        return self.bound(name) is False

    def name(self, name: str) -> None:
        bound = self.bound(name)
        if bound:
            self.file_call()
        elif name in _OF:
            self.needs(".")
            self.of(name)
        elif name == "process":
            self.process()
        elif name == "require":
            self.require()
        elif name == "new":
            if self.word("name") not in _MADE:
                raise _Refused("makes an object that is not known to only read")
            self.needs("(")
            self.listed(")")
        elif name in _PLAIN:
            if self.takes("("):
                self.listed(")")
        elif bound is None:
            raise _Refused(f"`{name}` is not known to only read")

    def of(self, owner: str) -> None:
        member = self.word("name")
        if member not in _OF[owner]:
            raise _Refused(f"`{member}` of {owner} is not known to only read")
        if self.takes("("):
            self.listed(")")

    def process(self) -> None:
        self.needs(".")
        member = self.word("name")
        if member == "stdout" and self.sees(".") and self.sees("write", 1) and self.sees("(", 2):
            self.at += 3
            self.listed(")")
        elif member == "cwd" and self.takes("("):
            self.needs(")")
        elif member not in _PROCESS:
            raise _Refused(f"`{member}` of process is not known to only read")

    def require(self) -> None:
        self.needs("(")
        name = self.literal()
        self.needs(")")
        if name in FILE_MODULES:
            self.file_call()
        elif name.startswith(("./", "../", "/")) and name.endswith(".json"):
            self.required.append(name)
        else:
            raise _Refused("it loads a module")

    def file_call(self) -> None:
        """`.readFileSync(path, 'utf8')`: options could say that the file is written."""
        self.needs(".")
        name = self.word("name")
        if name not in _FILES:
            raise _Refused(f"`{name}` of fs is not known to only read")
        self.needs("(")
        self.expression()
        if name == "readFileSync" and self.takes(","):
            braced = self.takes("{")
            if braced:
                self.needs("encoding")
                self.needs(":")
            if self.literal().lower() not in _ENCODINGS:
                raise _Refused("reads a file with options")
            if braced:
                self.needs("}")
        self.needs(")")


def _visible(name: str) -> None:
    if name in _HIDDEN or name.startswith("__"):
        raise _Refused(f"`{name}` leads to code")
