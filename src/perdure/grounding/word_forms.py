"""May two words be forms of one word? For a search in code, where a word that only looks alike would hide an absence.

    forms_of("retries") & forms_of("retry") != set()
    forms_of("themes") & forms_of("them") == set()

A search of the record strips the commonest endings (`model/terms.py`): there, finding too much costs nothing. Without
them, "theme" and "them", "stats" and "state", "pip" and "pipe" are the same.
"""

from __future__ import annotations

import re
from functools import lru_cache

_ENDING = re.compile(r"(?P<stem>.{3,}?)(?:(?P<verb>ings?|ed)|(?P<plural>es)|(?<!s)s)")
_DOUBLED = re.compile(r".+([bdfgklmnprt])\1")
_HISS = re.compile(r".+(?:s|x|z|ch|sh|i|o)")
"""What may stand before an `es` that is no part of the word: boxes, retries. Of caches and cookies the `e` is one."""


@lru_cache(maxsize=4096)
def forms_of(word: str) -> frozenset[str]:
    """What it may be a form of, itself included where it may end so. A `y` at the end is an `i`, as in retries."""
    found = _ENDING.fullmatch(word)
    return frozenset(map(_with_i, _bases(word, found) if found else (word,)))


def _bases(word: str, found: re.Match[str]) -> list[str]:
    stem = found["stem"]
    if found["verb"]:
        return [stem, f"{stem}e", *([stem[:-1]] if _DOUBLED.fullmatch(stem) else [])]
    if found["plural"]:
        return [f"{stem}e", *([stem] if _HISS.fullmatch(stem) else [])]
    return [stem, word]


def _with_i(word: str) -> str:
    return f"{word[:-1]}i" if word.endswith("y") and len(word) > 3 else word
