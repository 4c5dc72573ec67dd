"""Symbols from a syntax tree (SPEC 8.2). `tree_sitter` and a grammar are loaded when the first file of a language is
read, and never by a hook (docs/adr/0045).

    syntax_symbols(text, language_of("cart.py"))

One walk over the tree collects the tokens of each symbol. A symbol's digest covers its own tokens and the digests of
the symbols in it, so the work does not grow with the depth. The walk uses no recursion. A symbol in which the parser
found an error is known by its lines alone, and says so.

A parser may loop for ever on text that is not valid, so it is given three seconds.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from perdure.grounding.languages import FUNCTIONS, LOCAL, NAMED_VALUES, PAIRS, Language
from perdure.grounding.names import COMMENTS, WRAPPERS, definition_in, names_of, receiver_of
from perdure.grounding.symbol import DEEPEST, MOST_SYMBOLS, SYNTAX, TEXT, Symbol, digest, text_hash
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node, Parser

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
_ONLY_IN = {"property_identifier": ("enum_body",)}
"""Nodes that define something only within these."""
_BEGIN, _END, _SYMBOL = b"\x01", b"\x02", b"\x03"
_MOST_MICROSECONDS = 3_000_000


@value
class SyntaxResult:
    symbols: tuple[Symbol, ...]
    whole: bool
    """Whether the parser found no error."""


class _Frame:
    """A symbol that the walk is in, or the file itself. It keeps no node: the binding may free a node of a cursor when
    the cursor moves on."""

    __slots__ = ("depth", "end", "first", "has_error", "is_local", "kind", "last", "names", "start", "tokens")

    def __init__(self, depth: int, node: Node | None, *, kind: str, names: Sequence[str], is_local: bool) -> None:
        self.depth, self.kind, self.names = depth, kind, names
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

    @property
    def name(self) -> str:
        return self.names[0]

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
        self._frames = [_Frame(-1, None, kind="file", names=("",), is_local=False)]
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
        if kind in COMMENTS:
            return False
        parent = self._types[-1] if self._types else ""
        # A statement's beginning belongs to what is around it: a symbol's digest must not tell where the symbol stands.
        if _is_statement(node, kind, parent):
            self._frames[-1].add(_BEGIN)
        if kind in self._kinds and parent not in WRAPPERS and parent in _ONLY_IN.get(kind, (parent,)):
            self._open(node)
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
        defined = definition_in(node)
        kind = _kind_of(node, self._kinds.get(defined.type, ""))
        too_many = len(self._frames) > DEEPEST or len(self.found) >= MOST_SYMBOLS
        if too_many or not kind or (kind in LOCAL and around.is_local):
            return
        names = names_of(defined)
        if names:
            if kind == "function" and around.kind in ("class", "struct", "scope", "trait", "interface"):
                kind = "method"
            within = [around.name, receiver_of(defined)]
            qualified = [".".join(filter(None, [*within, name])) for name in names]
            is_local = around.is_local or kind in FUNCTIONS
            self._frames.append(_Frame(len(self._types), node, kind=kind, names=qualified, is_local=is_local))

    def _leave(self, depth: int) -> None:
        frame = self._frames[-1]
        if frame.depth != depth:
            return
        self._frames.pop()
        found = digest(b"".join(frame.tokens))
        self._frames[-1].add(_SYMBOL + found.encode())
        if frame.kind != "scope":
            self.found += [(frame.start, -frame.end, each) for each in self._symbols(frame, found)]

    def _symbols(self, frame: _Frame, found: str) -> Iterator[Symbol]:
        """One for each name. Where the parser found an error, the tokens mean nothing: only the lines count."""
        text = f"{TEXT}:{text_hash(self._lines[frame.first - 1 : frame.last])}"
        for name in frame.names:
            yield Symbol(
                name=name,
                kind=frame.kind,
                first=frame.first,
                last=frame.last,
                hash=text if frame.has_error else f"{SYNTAX}:{found} {text}",
                by="text" if frame.has_error else "syntax",
            )


def _is_statement(node: Node, kind: str, parent: str) -> bool:
    return kind in _STATEMENTS or kind.endswith("_statement") or (parent in _BLOCKS and node.is_named)


def _dedented(token: bytes, column: int) -> bytes:
    first, *others = token.split(b"\n")
    stripped = (line[min(column, len(line) - len(line.lstrip())) :] for line in others)
    return b"\n".join([first, *stripped])


def _kind_of(node: Node, kind: str) -> str:
    """Empty for a pair of an object that is plain data."""
    if kind not in LOCAL:
        return kind
    held = node.child_by_field_name("value") or node.child_by_field_name("right")
    if node.type == "pair":
        return PAIRS.get(held.type, "") if held else ""
    return NAMED_VALUES.get(held.type, kind) if held else kind
