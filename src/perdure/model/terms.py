"""The words by which a text can be found, and the order of search results (SPEC 12.1, level 2).

Every store uses this module: an index may choose the candidates, but what counts as a word, and the order of results,
is decided here. Case and accents do not matter. `parseHeader` and `parse_header` are found by either of their words.
Chinese, Japanese and Korean have no spaces between words and are found by pairs of characters.

A term is a word without its commonest endings: that is what indexes hold. Words are the same for a search if their
roots are (`adopt`, `adopted`, `adoption`), which Snowball's stemmers find. Results are ordered by BM25 over roots.

    terms_of("Caching the parsed headers") == ["cach", "the", "pars", "header"]
"""

from __future__ import annotations

from functools import lru_cache
from math import log
from unicodedata import normalize

from perdure.model.event import in_order
from perdure.model.pattern import compiled_later
from perdure.model.payload import TEXTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Protocol

    from perdure.model.event import Event

    class Stemmer(Protocol):
        def stemWord(self, word: str) -> str: ...  # noqa: N802  # the library's name


COMMON = 2000
"""A word that is in more texts than this counts as if it were in this many."""
MOST_ASKED = 12
TYPICAL_LENGTH = 20
"""Roots in a text of ordinary length. A word counts for more in a shorter text."""
_LENGTH_COUNTS = 0.5
_SATURATION = 1.2
"""BM25's constants b, lower than usual because notes and prompts are short anyway, and k1."""
STOP = frozenset(
    """a about above after again against all also am an and any are as at be because been before being below between
    both but by can cannot could did do does doing down during each few for from further get gets getting go goes going
    gone got had has have having he her here hers herself him himself his how i if in into is it its itself just let ll
    me more most my myself no nor not of off on once only or other ought our ours ourselves out over own re really said
    same say says she should so some such tell than that the their theirs them themselves then there these they thing
    things this those through to told too under until up us ve very was we were what when where which while who whom
    why will with would you your yours yourself yourselves aren couldn didn doesn don hadn hasn haven isn mustn shan
    shouldn wasn weren won wouldn d m s t""".split()
)
"""English words that say nothing about what a text is about."""
_HUMP = compiled_later(r"(?<=[a-z0-9])(?=[A-Z])")
_MARKS = compiled_later(r"[\u0300-\u036f]")
_WORD = compiled_later(r"[^\W_]+")
UNSPACED = compiled_later(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+)")
"""Runs of a script that has no spaces between words."""
_CYRILLIC = compiled_later(r"[\u0400-\u04ff]+")
_ENDING = compiled_later(r"(?:ings?|ed|es|s|e)$")
_SHORTEST_STEM = 3
_DOUBLED = compiled_later(r"([bdfgmnprt])\1$")


def text_of(event: Event) -> str:
    """The words of an event that people search; none if it is erased or of a kind without words."""
    payload = event.payload or {}
    held = (payload.get(name) for name in TEXTS.get(event.kind, ()))
    several = (content if isinstance(content, list) else [content] for content in held)
    return "\n".join(text for texts in several for text in texts if isinstance(text, str))


def terms_of(text: str) -> list[str]:
    """Each word once, in the order of first use."""
    return list(dict.fromkeys(map(_stem, words_of(text))))


def words_of(text: str) -> list[str]:
    """In small letters, without accents, with their endings."""
    if text.isascii():
        return _WORD.findall(_HUMP.sub(" ", text).lower())
    plain = normalize("NFKC", _MARKS.sub("", normalize("NFKD", text)))
    words = _WORD.findall(_HUMP.sub(" ", plain).casefold())
    return [part for word in words for part in _parts(word)]


def _parts(word: str) -> Iterable[str]:
    runs = (run for run in UNSPACED.split(word) if run)
    return (part for run in runs for part in (_pairs(run) if UNSPACED.match(run) else (run,)))


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    stem = _ENDING.sub("", word)
    return stem if len(stem) >= _SHORTEST_STEM else word


def _pairs(run: str) -> Iterable[str]:
    return (run,) if len(run) == 1 else (run[at : at + 2] for at in range(len(run) - 1))


def asked_terms(query: str) -> list[str]:
    """The terms of a question, without words that every text has; with them if it has no others."""
    words = [word for word in _WORD.findall(query.replace("’", "'")) if word.lower() not in STOP]
    return (terms_of(" ".join(words)) or terms_of(query))[:MOST_ASKED]


@lru_cache(maxsize=8192)
def word_root(term: str) -> str:
    """What the forms of a word have in common: `plan`, and `plann`, which is left of `planning`."""
    if term.isascii():
        return term if term.isdigit() else _english().stemWord(_DOUBLED.sub(r"\1", term))
    return _russian().stemWord(term) if _CYRILLIC.fullmatch(term) else term


@lru_cache(maxsize=1)
def _english() -> Stemmer:
    return _stemmer("english")


@lru_cache(maxsize=1)
def _russian() -> Stemmer:
    return _stemmer("russian")


def _stemmer(language: str) -> Stemmer:
    import snowballstemmer  # only searches need it

    made: Stemmer = snowballstemmer.stemmer(language)
    return made


def roots_of(text: str) -> frozenset[str]:
    return frozenset(map(word_root, terms_of(text)))


def weights(counts: Mapping[str, int], texts: int) -> dict[str, float]:
    """How much each root weighs: the more, the fewer texts it is in. One that is in no text weighs nothing."""
    found = {term: min(count, COMMON) for term, count in counts.items() if count}
    return {term: log(1 + (max(texts - count, 0) + 0.5) / (count + 0.5)) for term, count in found.items()}


def closeness(event: Event, weight: Mapping[str, float]) -> dict[str, float]:
    """How well a text fits roots of these weights, root by root: BM25, each root counted once."""
    roots = roots_of(text_of(event))
    length = 1 - _LENGTH_COUNTS + _LENGTH_COUNTS * len(roots) / TYPICAL_LENGTH
    return {each: weight[each] * (_SATURATION + 1) / (1 + _SATURATION * length) for each in weight.keys() & roots}


def closest(events: Iterable[Event], weight: Mapping[str, float], limit: int) -> list[Event]:
    """Texts with more and with rarer words of the query first; of equals, the newer first."""
    found = []
    for event in events:
        score = sum(closeness(event, weight).values())
        if score:
            found.append((round(score, 9), in_order(event), event))
    return [event for _, _, event in sorted(found, key=lambda each: each[:2], reverse=True)[:limit]]
