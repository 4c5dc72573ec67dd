"""The words by which a text can be found, and the order of search results (SPEC 12.1, level 2).

Every store uses this module: an index may choose the candidates, but what counts as a word, and the order of results,
is decided here. Case, accents and common endings do not matter. `parseHeader` and `parse_header` are found by either of
their words. Chinese, Japanese and Korean have no spaces between words and are found by pairs of characters.

    terms_of("Caching the parsed headers") == ["cach", "the", "pars", "header"]
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import log
from unicodedata import normalize

from perdure.model.event import in_order
from perdure.model.payload import TEXTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from perdure.model.event import Event

COMMON = 2000
"""A word that is in more texts than this counts as if it were in this many."""
MOST_ASKED = 12
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MARKS = re.compile(r"[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")
UNSPACED = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+)")
"""Runs of a script that has no spaces between words."""
_ENDING = re.compile(r"(?:ings?|ed|es|s|e)$")
_SHORTEST_STEM = 3


def text_of(event: Event) -> str:
    """The words of an event that people search; none if it is erased or of a kind without words."""
    payload = event.payload or {}
    held = (payload.get(name) for name in TEXTS.get(event.kind, ()))
    several = (content if isinstance(content, list) else [content] for content in held)
    return "\n".join(text for texts in several for text in texts if isinstance(text, str))


def terms_of(text: str) -> list[str]:
    """Each word once, in the order of first use."""
    if text.isascii():
        return list(dict.fromkeys(map(_stem, _WORD.findall(_HUMP.sub(" ", text).lower()))))
    plain = normalize("NFKC", _MARKS.sub("", normalize("NFKD", text)))
    words = _WORD.findall(_HUMP.sub(" ", plain).casefold())
    return list(dict.fromkeys(term for word in words for term in _terms(word)))


def _terms(word: str) -> Iterable[str]:
    runs = (run for run in UNSPACED.split(word) if run)
    return (term for run in runs for term in (_pairs(run) if UNSPACED.match(run) else (_stem(run),)))


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    stem = _ENDING.sub("", word)
    return stem if len(stem) >= _SHORTEST_STEM else word


def _pairs(run: str) -> Iterable[str]:
    return (run,) if len(run) == 1 else (run[at : at + 2] for at in range(len(run) - 1))


def weights(counts: Mapping[str, int], texts: int) -> dict[str, float]:
    """The fewer texts a word is in, the more it weighs. A word that is in no text weighs nothing."""
    return {term: log(1 + texts / min(count, COMMON)) for term, count in counts.items() if count}


def closest(events: Iterable[Event], weight: Mapping[str, float], limit: int) -> list[Event]:
    """Texts with more and with rarer words of the query first; of equals, the newer first."""
    found = []
    for event in events:
        score = sum(weight.get(term, 0.0) for term in terms_of(text_of(event)))
        if score:
            found.append((round(score, 9), in_order(event), event))
    return [event for _, _, event in sorted(found, key=lambda each: each[:2], reverse=True)[:limit]]
