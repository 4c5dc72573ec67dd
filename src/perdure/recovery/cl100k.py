"""Loads the vocabulary of cl100k_base, and the class that each character has in its pattern. Only data, no decisions.

`cl100k.bin` is deflated. It holds 256 bytes, which are the tokens of one byte by rank; then the classes and the 100,000
longer tokens by rank, separated by 0xFF, which occurs in none of them. `bench/vocabulary.py` makes it from tiktoken.

It is read once, on first use, by the loader that loaded this module: it is part of importing, like the code itself
(docs/adr/0018). The ranks are those of tiktoken (MIT License, Copyright (c) 2022 OpenAI, Shantanu Jain; the license is
in `cl100k.LICENSE`).

    ranks, classes = vocabulary()
    ranks[b" the"] → 279
    "naïve ½".translate(classes) → "naave 0"
"""

from __future__ import annotations

from functools import cache
from zlib import decompress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import SourceLoader

LONGEST = 128
"""Bytes in the longest token."""
BETWEEN = b"\xff"
Ranks = dict[bytes, int]


@cache
def vocabulary() -> tuple[Ranks, bytes]:
    """Ranks by token, and a table for `str.translate` that maps each character to an ASCII character of its class."""
    loader: SourceLoader = __spec__.loader  # type: ignore[assignment]
    data = decompress(loader.get_data(__file__.rpartition(".")[0] + ".bin"))
    classes, *longer = data[256:].split(BETWEEN)
    ranks = {data[rank : rank + 1]: rank for rank in range(256)}
    ranks.update(zip(longer, range(256, 256 + len(longer)), strict=True))
    return ranks, classes
