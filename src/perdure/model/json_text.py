"""Edits to a JSON text that leave every other byte as it is.

`parse` gives the tree, with the position of everything in the text; an edit gives the new text. If something is added
and then removed, the text is the same as before, byte for byte, however it is formatted: the spaces of a container that
was empty are kept behind what is added to it (see `_into_empty`). It is as strict as JSON.parse; if a key occurs twice,
the last one counts.

    root = parse('{"a": 1}')
    add(root, "b", [2]) == '{"a": 1, "b": [2]}'
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.model.json import Json

OBJECT, ARRAY, STRING, NUMBER, LITERAL, END = "{", "[", "s", "n", "l", "$"
_VALUES = OBJECT + ARRAY + STRING + NUMBER + LITERAL
_BOM = "\ufeff"
_SPACES = " \t\n\r"
_TOKEN = re.compile(
    r"""(?P<s>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")"""
    r"""|(?P<n>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)"""
    r"""|(?P<l>true|false|null)|(?P<p>[][{}:,])"""
)
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"')
_GAP = re.compile(r"[ \t\n\r]*")
_FIRST_INDENT = re.compile(r"[{\[][ \t]*\r?\n([ \t]+)")


class NotJson(ValueError):
    """Where it stops being JSON, and why."""

    def __init__(self, text: str, place: int, why: str) -> None:
        self.line = text.count("\n", 0, place) + 1
        self.column = place - text.rfind("\n", 0, place)
        self.why = why
        super().__init__(f"line {self.line}, column {self.column}: {why}")


@value
class Node:
    """A value and its position. `starts` is where each thing inside begins: its key, or in an array the value
    itself."""

    source: str
    kind: str
    start: int
    end: int
    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    inside: tuple[Node, ...] = ()

    @property
    def text(self) -> str:
        return self.source[self.start : self.end]

    @property
    def string(self) -> str | None:
        return _decoded(self.text) if self.kind == STRING else None

    def index(self, key: str) -> int | None:
        """If a key occurs twice, the last one counts, as in JSON.parse."""
        return next((i for i in reversed(range(len(self.keys))) if self.keys[i] == key), None)

    def get(self, key: str) -> Node | None:
        found = self.index(key)
        return None if found is None else self.inside[found]

    def at(self, *path: str | int) -> Node | None:
        here: Node | None = self
        for step in path:
            if here is None:
                return None
            if isinstance(step, str):
                here = here.get(step)
            else:
                here = here.inside[step] if step < len(here.inside) else None
        return here


# -- reading -------------------------------------------------------------------------------------------------------


class _Open:
    """A container that is still open."""

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.key: tuple[str, int] | None = None
        self.keys: list[str] = []
        self.starts: list[int] = []
        self.inside: list[Node] = []

    @property
    def end(self) -> str:
        return "}" if self.kind == OBJECT else "]"

    @property
    def wants_next(self) -> str:
        """The kinds that may follow a comma: a key or a value."""
        return STRING if self.kind == OBJECT else _VALUES

    @property
    def wants_key(self) -> bool:
        return self.kind == OBJECT and self.key is None

    def take(self, node: Node) -> None:
        if self.key is not None:
            self.keys.append(self.key[0])
        self.starts.append(node.start if self.key is None else self.key[1])
        self.inside.append(node)
        self.key = None

    def closed(self, source: str, end: int) -> Node:
        return Node(
            source=source,
            kind=self.kind,
            start=self.start,
            end=end,
            keys=tuple(self.keys),
            starts=tuple(self.starts),
            inside=tuple(self.inside),
        )


@lru_cache(maxsize=1)
def parse(text: str) -> Node:
    """The tree of a JSON text. It is made without recursion, so that deep nesting is not a problem. The last one is
    kept: an edit asks several questions about the same text."""
    stack: list[_Open] = []
    root: Node | None = None
    wanted = _VALUES
    for kind, start, end in _tokens(text):
        if kind not in wanted:
            raise NotJson(text, start, _complaint(kind, wanted))
        if kind in (OBJECT, ARRAY):
            stack.append(_Open(kind, start))
            wanted = stack[-1].wants_next + stack[-1].end
        elif kind == ":":
            wanted = _VALUES
        elif kind == ",":
            wanted = stack[-1].wants_next
        elif _is_key(kind, stack):
            stack[-1].key = (_decoded(text[start:end]), start)
            wanted = ":"
        elif kind != END:
            node = stack.pop().closed(text, end) if kind in "}]" else Node(source=text, kind=kind, start=start, end=end)
            if stack:
                stack[-1].take(node)
                wanted = "," + stack[-1].end
            else:
                root, wanted = node, END
    assert root is not None, "only the end of a whole value is wanted as the end"
    return root


def _is_key(kind: str, stack: list[_Open]) -> bool:
    return kind == STRING and bool(stack) and stack[-1].wants_key


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start, end; a punctuation mark is its own kind; the last token is the end."""
    place = len(_BOM) if text.startswith(_BOM) else 0
    while True:
        place = _GAP.match(text, place).end()  # type: ignore[union-attr]  # an empty gap matches too
        if place == len(text):
            yield END, place, place
            return
        found = _TOKEN.match(text, place)
        if found is None:
            raise NotJson(text, place, _strange(text, place))
        yield found["p"] or str(found.lastgroup), place, found.end()
        place = found.end()


def _decoded(token: str) -> str:
    found: str = json.loads(token)
    return found


def _strange(text: str, place: int) -> str:
    if text[place] == '"':
        return "a string that does not end, or that holds a character not allowed in JSON"
    if text.startswith(("//", "/*"), place):
        return "a comment, which JSON does not allow"
    return f"{json.dumps(text[place])} is not expected here"


def _complaint(kind: str, wanted: str) -> str:
    if kind == END:
        return "it ends too early"
    if kind in "}]" and kind not in wanted and STRING in wanted:
        return f"something is missing before {kind}, or there is a comma too many"
    return f"{kind} is not expected here" if kind in "{}[]:," else "a value is not expected here"


# -- comparing -----------------------------------------------------------------------------------------------------


def same(node: Node, content: Json) -> bool:
    """Whether these tokens are there, in this order, whatever the spaces."""
    return _meaning(node.text) == _meaning(json.dumps(content))


def _meaning(text: str) -> list[tuple[str, str]]:
    tokens = ((kind, text[start:end]) for kind, start, end in _tokens(text))
    return [(kind, _decoded(token) if kind == STRING else token) for kind, token in tokens]


# -- changing ------------------------------------------------------------------------------------------------------


@value
class _Style:
    """How the file is written: its line ends, its indentation, and whether it is all on one line."""

    newline: str
    step: str
    one_line: bool
    tight: bool


def _style(source: str) -> _Style:
    indent = _FIRST_INDENT.search(source)
    body = source.strip(_SPACES + _BOM)
    is_written = body[1:-1].strip(_SPACES) != ""
    outside = _STRING.sub('""', body)
    is_tight = "\n" not in body and is_written and ": " not in outside and ", " not in outside
    newline = "\r\n" if "\r\n" in source else "\n"
    return _Style(
        newline=newline, step=indent[1] if indent else "  ", one_line=is_written and "\n" not in body, tight=is_tight
    )


def add(container: Node, key: str | None, content: Json) -> str:
    """The text with one more entry at the container's end: a member with this key, or an element if there is no key."""
    if not container.inside:
        return _into_empty(container, key, content)
    style = _style(container.source)
    lead = _lead(container, len(container.inside) - 1)
    lead = lead if "\n" in lead else _lead(container, 0)
    if "\n" in lead:
        indent = _blank(lead.rpartition("\n")[2])
        piece = f",{style.newline}{indent}{_piece(key, content, style, indent=indent)}"
    else:
        piece = ("," if style.tight else ", ") + _piece(key, content, style, indent=None)
    return _spliced(container.source, container.inside[-1].end, container.inside[-1].end, piece=piece)


def _into_empty(container: Node, key: str | None, content: Json) -> str:
    """The spaces of an empty container stay behind the new entry: on one line as they are, on several with one space
    more, so that `_emptied` can tell them from our own line end."""
    style, source = _style(container.source), container.source
    spaces = source[container.start + 1 : container.end - 1]
    if style.one_line:
        filled = _piece(key, content, style, indent=None) + spaces
    else:
        outer = _indent_at(source, container.start)
        indent = outer + style.step
        behind = f" {spaces}" if spaces else style.newline + outer
        filled = style.newline + indent + _piece(key, content, style, indent=indent) + behind
    return _spliced(source, container.start + 1, container.end - 1, piece=filled)


def _emptied(container: Node) -> str:
    source = container.source
    before = source[container.start + 1 : container.starts[0]]
    behind = source[container.inside[0].end : container.end - 1]
    if before and behind.startswith(("\n", "\r\n")):
        behind = ""
    elif before and behind.startswith(" "):
        behind = behind[1:]
    return _spliced(source, container.start + 1, container.end - 1, piece=behind)


def remove(container: Node, index: int) -> str:
    """The text without the entry at this index of the container."""
    if len(container.inside) == 1:
        return _emptied(container)
    if index == 0:
        return _spliced(container.source, container.starts[0], container.starts[1], piece="")
    return _spliced(container.source, container.inside[index - 1].end, container.inside[index].end, piece="")


def replace(node: Node, content: Json) -> str:
    """The text with this value in place of the node, on several lines if the old one was."""
    indent = _indent_at(node.source, node.start) if "\n" in node.text else None
    return _spliced(node.source, node.start, node.end, piece=_written(content, _style(node.source), indent))


def replace_text(node: Node, text: str) -> str:
    return _spliced(node.source, node.start, node.end, piece=text)


def new_text(content: Json) -> str:
    """A whole new file."""
    return json.dumps(content, indent=2, ensure_ascii=_has_surrogates(content)) + "\n"


def _piece(key: str | None, content: Json, style: _Style, *, indent: str | None) -> str:
    written = _written(content, style, indent)
    if key is None:
        return written
    return json.dumps(key) + (":" if style.tight else ": ") + written


def _written(content: Json, style: _Style, indent: str | None) -> str:
    """On one line if there is no indentation; otherwise on several, starting there."""
    only_ascii = _has_surrogates(content)
    if indent is None:
        marks = (",", ":") if style.tight else (", ", ": ")
        return json.dumps(content, separators=marks, ensure_ascii=only_ascii)
    lines = json.dumps(content, indent=style.step, ensure_ascii=only_ascii).split("\n")
    return f"{style.newline}{indent}".join(lines)


def _has_surrogates(content: Json) -> bool:
    """Bytes of a path that are not text must not make the file unreadable."""
    return any("\ud800" <= c <= "\udfff" for c in json.dumps(content, ensure_ascii=False))


def _lead(container: Node, index: int) -> str:
    """What is between an entry and the bracket or entry before it."""
    before = container.start + 1 if index == 0 else container.inside[index - 1].end
    return container.source[before : container.starts[index]]


def _indent_at(source: str, place: int) -> str:
    return _blank(source[source.rfind("\n", 0, place) + 1 : place].removeprefix(_BOM))


def _blank(line: str) -> str:
    """The indentation of a line."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def _spliced(source: str, start: int, end: int, *, piece: str) -> str:
    return source[:start] + piece + source[end:]
