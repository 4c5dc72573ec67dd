"""What a symbol is, how its content is told from another's, and how symbols are found by line or by name (SPEC 8.2).

A symbol's hash has two parts, `syntax:…` and `text:…`, of which the first is missing where no grammar read the symbol.

- The part `syntax` covers the symbol's tokens and where its statements begin and end, without comments. It stays the
  same when the symbol is indented, laid out anew or moved, and with other line ends. A string, with everything in it,
  is one token. A docstring loses the indentation of its statement.
- The part `text` covers the symbol's lines, without the first line's indentation and without white space at the ends
  of lines. It includes comments.

    same_content(stored, symbol.hash)      # whether a part that both have is the same
"""

from __future__ import annotations

from perdure.model.digest import sha256
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

SYNTAX, TEXT = "syntax", "text"
FIELD = "field"
DEEPEST = 30
"""Symbols that are nested deeper are not listed: the work would grow with the square of the depth."""
MOST_SYMBOLS = 100_000
"""In one file. No honest file has more."""
_DIGITS = 32


@value
class Symbol:
    name: str
    """Qualified, with dots in every language: `Cart.add`."""
    kind: str
    first: int
    last: int
    hash: str
    by: Literal["syntax", "text"]
    """How it was found: from a syntax tree, or from lines and indentation."""


def enclosing(symbols: Sequence[Symbol], first: int, last: int) -> Symbol | None:
    """The innermost symbol around these lines: the one with the fewest lines, of equals the later one."""
    around = [symbol for symbol in symbols if symbol.first <= first and last <= symbol.last]
    return min(reversed(around), key=lambda symbol: symbol.last - symbol.first, default=None)


def named(symbols: Sequence[Symbol], name: str) -> list[Symbol]:
    """Every symbol of this name, in the order of the file. Where no symbol has exactly this name, those whose qualified
    name ends with it: `add` finds `Cart.add`. Fields count only if nothing else has the name. `Cart::add`,
    `Cart#add` and `Cart.prototype.add` mean `Cart.add`.

    Several have one name if they are overloads or redefinitions. A reference to such a name is about all of them:
    see `content_hash`."""
    plain = name.replace("::", ".").replace(".#", "\0").replace("#", ".").replace("\0", ".#").strip(".")
    plain = plain.replace(".prototype.", ".")
    found = [symbol for symbol in symbols if symbol.name == plain]
    if not found and plain:
        found = [symbol for symbol in symbols if symbol.name.endswith("." + plain)]
    return [symbol for symbol in found if symbol.kind != FIELD] or found


def content_hash(symbols: Sequence[Symbol]) -> str:
    """The hash of what a name stands for: of several symbols it covers each, in order, so a change of one is seen."""
    if len(symbols) == 1:
        return symbols[0].hash
    parts = [parts_of(symbol.hash) for symbol in symbols]
    shared = [kind for kind in (SYNTAX, TEXT) if parts and all(kind in each for each in parts)]
    return " ".join(f"{kind}:{digest(' '.join(each[kind] for each in parts).encode())}" for kind in shared)


def same_content(stored: str, now: str) -> bool:
    """Whether one of the parts that both have is the same: the same lines are the same content however a grammar read
    them, and the same tokens are in whatever lines. Hashes that share no part are different."""
    one, other = parts_of(stored), parts_of(now)
    return any(one[kind] == other[kind] for kind in (SYNTAX, TEXT) if kind in one and kind in other)


def parts_of(hash: str) -> dict[str, str]:
    return {kind: found for kind, _, found in (part.partition(":") for part in hash.split(" "))}


def text_hash(lines: Sequence[str]) -> str:
    indent = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    kept = (line[min(indent, len(line) - len(line.lstrip())) :].rstrip() for line in lines)
    return digest("\n".join(kept).encode("utf-8", "surrogatepass"))


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:_DIGITS]
