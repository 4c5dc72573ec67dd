"""The symbols of a file, by syntax tree where possible and else by its lines (SPEC 8.2).

    symbols_of("class Cart:\\n    def add(self): ...\\n", "cart.py")      # Cart, and Cart.add in it

If the parser finds errors in a file, the symbols without an error count; to them are added those that the lines show
and that have other names. A symbol with an error in it, which the lines do not show, has the lines that the parser gave
it: a broken definition is never passed over for a declaration of the same name. Documents have no symbols.
"""

from __future__ import annotations

from itertools import accumulate

from perdure.grounding.file_kinds import is_document
from perdure.grounding.languages import language_of
from perdure.grounding.plain_symbols import plain_symbols
from perdure.grounding.syntax import syntax_symbols
from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.grounding.languages import Language
    from perdure.grounding.symbol import Symbol
    from perdure.grounding.syntax import SyntaxResult

    Parse = Callable[[str, Language], SyntaxResult | None]
    """None if the parser gave up."""

MOST_CHARACTERS = 4_000_000
LONGEST_LINE = 20_000
LONGEST_STRETCH = 5000
"""Characters without one of `_SEPARATES`; code and prose have one every few lines. Endless expressions make some
parsers loop or crash, from a few ten thousand characters on and whatever their time limit is (docs/adr/0045).

A file beyond these limits is generated or malicious, and is not parsed."""
DEEPEST_BRACKETS = 300
_SEPARATES = compiled_later("[,;{}:=]")
_BRACKETS = compiled_later(r"[()\[\]{}]")


def symbols_of(text: str, path: str, parse: Parse = syntax_symbols) -> tuple[Symbol, ...]:
    """`parse` may be another parser, or one that runs in another process."""
    if is_document(path):
        return ()
    language = language_of(path)
    read = parse(text, language) if language and is_ordinary(text) else None
    if read is None:
        return plain_symbols(text)
    if read.whole:
        return read.symbols
    names = {symbol.name for symbol in read.symbols if symbol.by == "syntax"}
    by_lines = [symbol for symbol in plain_symbols(text) if symbol.name not in names]
    shown = {symbol.name for symbol in by_lines}
    by_tree = (symbol for symbol in read.symbols if symbol.name not in shown)
    return tuple(sorted((*by_tree, *by_lines), key=lambda symbol: (symbol.first, -symbol.last)))


def is_ordinary(text: str) -> bool:
    if len(text) > MOST_CHARACTERS or max(map(len, text.split("\n"))) > LONGEST_LINE:
        return False
    if max(map(len, _SEPARATES.split(text))) > LONGEST_STRETCH:
        return False
    steps = (1 if bracket in "([{" else -1 for bracket in _BRACKETS.findall(text))
    return max(accumulate(steps), default=0) <= DEEPEST_BRACKETS
