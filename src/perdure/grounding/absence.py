"""Is something really absent? The verdict on a claim of absence from the hits of two searches (SPEC 8.4).

    too_similar("rate limits", "limit the rate")      # a reason: the queries share more than half of their words
    absence([Hit("PLAN.md", 3)]).outcome == Absent.CONFIRMED

`model/terms.py` splits a text into words, and `word_forms.py` says which are forms of one word: case, accents and
common endings do not matter; nor does a `y` that becomes an `i`, as in `retry` and `retries`. The shared words are
counted against the words of the shorter query, so that adding words to a query does not make it a different one. Nor
do articles and the like, or characters that nobody sees.
"""

from __future__ import annotations

import re
from enum import StrEnum
from unicodedata import category, name

from perdure.grounding.file_kinds import is_document, is_lock_file
from perdure.grounding.word_forms import forms_of
from perdure.model.terms import words_of
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FEWEST_FOR_AMBIGUITY = 3
_PADDING = frozenset("a an the this that these those is are was were be any some there of for with and or".split())
"""Words that make no query another one. `in`, `out`, `up` and `on` do: log in, log out."""
_WORD = re.compile(r"[^\W\d_]+")
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
"""They have letters that look alike."""


class Absent(StrEnum):
    CONFIRMED = "confirmed_ghost"
    AMBIGUOUS = "high_ambiguity"
    PRESENT = "not_ghost"


@value
class Hit:
    path: str
    line: int


@value
class Absence:
    outcome: Absent
    code: tuple[Hit, ...]
    documents: tuple[Hit, ...]


def search_words(text: str) -> frozenset[str]:
    """The forms of all words of a text."""
    return frozenset().union(*map(forms_of, words_of(text)))


def query_words(query: str) -> frozenset[frozenset[str]]:
    """What a line must have to be a hit: of each word one of the forms."""
    words = frozenset(words_of(without_invisible(query)))
    return frozenset(map(forms_of, words - _PADDING or words))


def without_invisible(text: str) -> str:
    return "".join(character for character in text if category(character) != "Cf")


def _mixes_alphabets(text: str) -> bool:
    """Whether a word has letters of two alphabets, as one that only looks like another word."""
    return any(len(_alphabets(word)) > 1 for word in _WORD.findall(text) if not word.isascii())


def _alphabets(word: str) -> set[str]:
    return {first for letter in word if (first := name(letter, "").partition(" ")[0]) in _ALPHABETS}


def overlap(one: str, other: str) -> float:
    """The share of the shorter query's words that are in the other, too: 0 to 1. A query without words shares all."""
    first, second = query_words(one), query_words(other)
    fewer = min(len(first), len(second))
    shared = max(_among(first, frozenset().union(*second)), _among(second, frozenset().union(*first)))
    return min(shared, fewer) / fewer if fewer else 1.0


def _among(words: Iterable[frozenset[str]], forms: frozenset[str]) -> int:
    return sum(not word.isdisjoint(forms) for word in words)


def too_similar(one: str, other: str) -> str:
    """Why these two queries are not two ways to search; empty if they are."""
    if not query_words(one) or not query_words(other):
        return "A query needs at least one word."
    if _mixes_alphabets(one) or _mixes_alphabets(other):
        return "A query has a word with letters of two alphabets, which stands in no file."
    if overlap(one, other) > 0.5:
        return "The queries share more than half of their words: search for the same thing by other names."
    return ""


def absence(hits: Iterable[Hit]) -> Absence:
    """`hits` are those of both searches; a line that both found counts once. A line of a lock file only mentions."""
    distinct = sorted(set(hits), key=lambda hit: (hit.path, hit.line))
    documents = tuple(hit for hit in distinct if is_document(hit.path) or is_lock_file(hit.path))
    mentions = set(documents)
    code = tuple(hit for hit in distinct if hit not in mentions)
    if code:
        return Absence(Absent.PRESENT, code, documents)
    confirmed = len(documents) < FEWEST_FOR_AMBIGUITY
    return Absence(Absent.CONFIRMED if confirmed else Absent.AMBIGUOUS, code, documents)
