"""Symbols from a syntax tree (SPEC 8.2). `tree_sitter` and a grammar are loaded when the first file of a language is
read, and never by a hook (docs/adr/0045).

    syntax_symbols(text, language_of("cart.py"))

One walk over the tree collects the tokens of each symbol. A symbol's digest covers its own tokens and the digests of
the symbols in it, so the work does not grow with the depth. The walk uses no recursion. A symbol in which the parser
found an error is left out.

A parser may loop for ever on text that is not valid, so it is given three seconds.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module

from perdure.grounding.languages import FUNCTIONS, LOCAL, NAMED_VALUES, NEED_A_BODY, Language
from perdure.grounding.symbol import DEEPEST, MOST_SYMBOLS, SYNTAX, TEXT, Symbol, digest, text_hash
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "html_comment", "line_continuation"})
_WHOLE = frozenset(
    "char_literal character_literal rune_literal regex regex_literal heredoc_redirect heredoc_body jsx_text preproc_arg"
    " text_block delimited_symbol symbol_array".split()
)
"""Nodes that are one token whatever is in them, as is every node that has `string` in its type."""
_BLOCKS = frozenset(
    "block module program source_file translation_unit statement_block compound_statement body_statement block_body"
    " do_group class_body declaration_list field_declaration_list switch_body enum_body interface_body"
    " constructor_body then else ensure rescue do begin subshell object_type statement_list".split()
)
"""Nodes whose children are statements. If a line end or indentation ends a statement, no token shows where that is."""
_STATEMENTS = frozenset("command declaration_command variable_assignment pipeline list".split())
_NAMES = frozenset(
    "identifier field_identifier type_identifier qualified_identifier operator_name destructor_name".split()
)
_BEGIN, _END, _SYMBOL = b"\x01", b"\x02", b"\x03"
_ARGUMENTS = re.compile(r"<[^<>]*>")
_MOST_STEPS = 50
_MOST_MICROSECONDS = 3_000_000


@value
class SyntaxResult:
    symbols: tuple[Symbol, ...]
    whole: bool
    """Whether the parser found no error."""


class _Frame:
    """A symbol that the walk is in, or the file itself. It keeps no node: the binding may free a node of a cursor when
    the cursor moves on."""

    __slots__ = ("depth", "end", "first", "has_error", "is_local", "kind", "last", "name", "start", "tokens")

    def __init__(self, depth: int, node: Node | None, *, kind: str, name: str, is_local: bool) -> None:
        self.depth, self.kind, self.name = depth, kind, name
        self.is_local = is_local
        """Whether what is in it is local to a function."""
        self.tokens: list[bytes] = []
        self.start = self.end = self.first = self.last = 0
        self.has_error = False
        if node is not None:
            self.start, self.end, self.has_error = node.start_byte, node.end_byte, node.has_error
            below = node.end_point
            self.first = node.start_point.row + 1
            self.last = max(self.first, below.row + 1 if below.column else below.row)

    def add(self, token: bytes) -> None:
        self.tokens.append(b"%d:%b" % (len(token), token))


def syntax_symbols(text: str, language: Language) -> SyntaxResult | None:
    """None if the parser needs too long: some grammars loop for ever on some text."""
    source = text.removeprefix("\ufeff").replace("\r\n", "\n").encode("utf-8", "replace")
    parser = _parser(language.grammar, language.entry)
    try:
        tree = parser.parse(source)
    except ValueError:  # the time is up
        parser.reset()
        return None
    walk = _Walk(source, language)
    walk.run(tree.root_node)
    outer_first = sorted(walk.found, key=lambda found: found[:2])
    return SyntaxResult(tuple(symbol for _, _, symbol in outer_first), not tree.root_node.has_error)


@cache
def _parser(grammar: str, entry: str) -> Parser:
    import warnings

    import tree_sitter

    with warnings.catch_warnings():
        # The time limit is deprecated, but the callback that replaces it crashes Python (docs/adr/0045).
        warnings.simplefilter("ignore", DeprecationWarning)
        language = tree_sitter.Language(getattr(import_module(grammar), entry)())
        return tree_sitter.Parser(language, timeout_micros=_MOST_MICROSECONDS)


class _Walk:
    def __init__(self, source: bytes, language: Language) -> None:
        self.found: list[tuple[int, int, Symbol]] = []
        """Where a symbol begins, minus where it ends, and the symbol."""
        self._source = source
        self._lines = source.decode("utf-8", "replace").split("\n")
        self._kinds = language.kinds
        self._frames = [_Frame(-1, None, kind="file", name="", is_local=False)]
        self._types: list[str] = []
        """The types of the nodes from the root to the parent of the present one."""

    def run(self, root: Node) -> None:
        cursor = root.walk()
        while True:
            node = cursor.node
            assert node is not None
            kind = node.type
            if self._enter(node, kind) and cursor.goto_first_child():
                self._types.append(kind)
                continue
            self._leave(len(self._types))
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                if self._types.pop() in _BLOCKS:
                    self._frames[-1].add(_END)
                self._leave(len(self._types))

    def _enter(self, node: Node, kind: str) -> bool:
        """Takes note of a node, and says whether its children matter."""
        if kind in _COMMENTS:
            return False
        parent = self._types[-1] if self._types else ""
        if kind in self._kinds and parent != "decorated_definition":
            self._open(node)
        if kind in _STATEMENTS or kind.endswith("_statement") or (parent in _BLOCKS and node.is_named):
            self._frames[-1].add(_BEGIN)
        if kind in _WHOLE or "string" in kind:
            self._frames[-1].add(self._string(node, parent))
            return False
        if not node.child_count:
            self._leaf(node)
        return True

    def _leaf(self, node: Node) -> None:
        token = self._source[node.start_byte : node.end_byte].strip()
        if token:
            self._frames[-1].add(token)

    def _string(self, node: Node, parent: str) -> bytes:
        token = self._source[node.start_byte : node.end_byte]
        if node.type == "jsx_text":
            return b" ".join(token.split())
        if parent == "expression_statement" and b"\n" in token:
            return _dedented(token, node.start_point.column)
        return token

    def _open(self, node: Node) -> None:
        around = self._frames[-1]
        defined = node.child_by_field_name("definition") or node
        kind = _kind_of(node, self._kinds[defined.type])
        too_many = len(self._frames) > DEEPEST or len(self.found) >= MOST_SYMBOLS
        if too_many or (kind in LOCAL and around.is_local):
            return
        name = _name_of(defined)
        if name:
            if kind == "function" and around.kind in ("class", "struct", "scope", "trait", "interface"):
                kind = "method"
            qualified = f"{around.name}.{name}".strip(".")
            is_local = around.is_local or kind in FUNCTIONS
            self._frames.append(_Frame(len(self._types), node, kind=kind, name=qualified, is_local=is_local))

    def _leave(self, depth: int) -> None:
        frame = self._frames[-1]
        if frame.depth != depth:
            return
        self._frames.pop()
        found = digest(b"".join(frame.tokens))
        self._frames[-1].add(_SYMBOL + found.encode())
        if frame.kind != "scope" and not frame.has_error:
            self.found.append((frame.start, -frame.end, self._symbol(frame, found)))

    def _symbol(self, frame: _Frame, found: str) -> Symbol:
        text = text_hash(self._lines[frame.first - 1 : frame.last])
        return Symbol(
            name=frame.name,
            kind=frame.kind,
            first=frame.first,
            last=frame.last,
            hash=f"{SYNTAX}:{found} {TEXT}:{text}",
            by="syntax",
        )


def _dedented(token: bytes, column: int) -> bytes:
    first, *others = token.split(b"\n")
    stripped = (line[min(column, len(line) - len(line.lstrip())) :] for line in others)
    return b"\n".join([first, *stripped])


def _kind_of(node: Node, kind: str) -> str:
    held = node.child_by_field_name("value") if kind in LOCAL else None
    return NAMED_VALUES.get(held.type, kind) if held else kind


def _name_of(node: Node) -> str:
    """The name as it is written in the definition, with dots; empty where the node defines nothing by name."""
    if node.type in NEED_A_BODY and node.child_by_field_name("body") is None:
        return ""
    found = _naming_node(node)
    if found is None or found.text is None:
        return ""
    name = _plain_name(found.text.decode("utf-8", "replace"))
    receiver = node.child_by_field_name("receiver")
    return f"{_receiver_type(receiver)}.{name}".strip(".") if receiver else name


def _naming_node(node: Node) -> Node | None:
    if node.type == "impl_item":
        return node.child_by_field_name("type")
    if node.type == "assignment":
        left = node.child_by_field_name("left")
        return left if left and left.type in ("identifier", "constant") else None
    named = node.child_by_field_name("name") or node.child_by_field_name("property")
    return named or _declared(node)


def _declared(node: Node) -> Node | None:
    """The name within the declarators of C, C++ and Java: `*(*f)(int)` declares f."""
    at: Node | None = node.child_by_field_name("declarator")
    for _ in range(_MOST_STEPS):
        if at is None or at.type in _NAMES:
            return at
        inner = at.child_by_field_name("declarator") or at.child_by_field_name("name")
        at = inner or next((child for child in at.named_children if child.type not in _COMMENTS), None)
    return None


def _receiver_type(receiver: Node) -> str:
    todo = [receiver]
    for _ in range(_MOST_STEPS):
        if not todo:
            return ""
        node = todo.pop()
        if node.type == "type_identifier" and node.text:
            return node.text.decode("utf-8", "replace")
        todo += reversed(node.named_children)
    return ""


def _plain_name(name: str) -> str:
    for _ in range(_MOST_STEPS):
        shorter = _ARGUMENTS.sub("", name)
        if shorter == name or "operator" in name:
            break
        name = shorter
    return "".join(name.replace("::", ".").split()).strip(".")
