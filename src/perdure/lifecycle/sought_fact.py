"""Does this passage tell this fact, tell it otherwise, or is it about something else?"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise

from perdure.lifecycle.summary_fact import ALTERED, KEPT, OPEN_ITEMS, RETOLD
from perdure.lifecycle.vocabulary import (
    DONE,
    DONE_HEADING,
    DONE_MARKS,
    NOT_DONE,
    OPPOSITES,
    REJECTED_HEADING,
    REJECTS,
    WEAK,
    term_of,
)
from perdure.lifecycle.wording import NOT, wording
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from perdure.lifecycle.passages import Passage
    from perdure.lifecycle.summary_fact import Fact
    from perdure.lifecycle.wording import Wording

NEARLY_ALL, MOST, ALL = 0.76, 0.6, 0.9
"""How much of a fact's weight a passage must have: of most facts, of what may be retold, of what has few terms."""
ABOUT = 0.5
"""A passage with less of a fact is not about it."""
_SLACK = 0.1
"""A passage with so much less than is needed to keep a fact may still contradict it."""
_VERBATIM = 0.7
_FEW_TERMS = 3
_SAYS_NO_VALUE = frozenset(map(term_of, "set configured defined chosen discussed known documented".split()))
_WEAK_WEIGHT, _PROPER_WEIGHT, _NAME_WEIGHT, _VALUE_WEIGHT = 0.4, 1.5, 1.5, 2.0
_LONGEST_WORDS = 60
"""Terms of a fact or passage that are compared in their order."""


@value
class JudgedPassage:
    """One passage, as it tells one fact."""

    outcome: str
    share: float
    passage: Passage
    why: str = ""


class SoughtFact:
    def __init__(self, fact: Fact) -> None:
        self._kind = fact.kind
        self._said = said = wording(fact.text)
        valued = wording(fact.value) if fact.value else None
        names = [*said.names, *(valued.names if valued else ())]
        self._names = list(dict.fromkeys(names))
        self._numbers = [*said.numbers, *(valued.numbers if valued else ())]
        self._value = frozenset(valued.words if valued else ())
        self._must = self._proper_terms() | self._value
        self._weights = {term: self._weight(term) for term in said.words}
        self._weights |= dict.fromkeys(self._value, _VALUE_WEIGHT)
        self._total = sum(self._weights.values()) + _NAME_WEIGHT * len(self._names)

    def _weight(self, term: str) -> float:
        if term in WEAK:
            return _WEAK_WEIGHT
        return _PROPER_WEIGHT if term in self._must else 1.0

    def _proper_terms(self) -> frozenset[str]:
        """Names of things, unless the whole text is written in capitals."""
        proper = self._said.proper - WEAK
        return proper if 2 * len(proper) < len(self._said.words) else frozenset()

    @property
    def keys(self) -> dict[str, float]:
        """By what passages are found, with what each weighs."""
        return {**self._weights, **dict.fromkeys(map(last_part, self._names), _NAME_WEIGHT)}

    def judge(self, passage: Passage, said: Wording) -> JudgedPassage | None:
        matched = frozenset(self._weights.keys() & frozenset(said.terms))
        named = [name for name in self._names if _is_named(name, said)]
        weight = sum(self._weights[term] for term in matched) + _NAME_WEIGHT * len(named)
        share = weight / self._total if self._total else 0.0
        if share < ABOUT or not self._is_together(matched, said):
            why = self._another_word(said) if passage.parts == 1 else ""
            return JudgedPassage(ALTERED, share, passage, why) if why else None
        why = self._otherwise(matched, passage, said) if share >= self._needed - _SLACK else ""
        if why:
            return JudgedPassage(ALTERED, share, passage, why)
        missing = self._missing(matched, named, said)
        if not missing and share >= self._needed and self._may_span(passage):
            why = self._changed_inside(said)
            return JudgedPassage(ALTERED if why else KEPT, share, passage, why)
        why = self._replaced(missing, said) or self._another_word(said)
        return JudgedPassage(ALTERED, share, passage, why) if why else None

    @property
    def _needed(self) -> float:
        if self._kind in RETOLD:
            return MOST
        return ALL if len(self._weights) + len(self._names) <= _FEW_TERMS else NEARLY_ALL

    def _is_together(self, matched: Collection[str], said: Wording) -> bool:
        """Whether the terms stand near each other. A long passage has many terms, and may have them by chance."""
        if self._kind in RETOLD:
            return True
        return _span(said.terms, matched) <= 3 * len(matched) + 8

    def _may_span(self, passage: Passage) -> bool:
        """Few terms must stand in one sentence: two sentences have them by chance."""
        return (
            passage.parts == 1
            or self._kind in RETOLD
            or len(self._weights.keys() - WEAK) + len(self._names) > _FEW_TERMS
        )

    # -- what says otherwise -----------------------------------------------------------------------------------------

    def _otherwise(self, matched: Collection[str], passage: Passage, said: Wording) -> str:
        if self._is_opposite(matched, said):
            return "stated the other way round"
        if self._is_given_up(matched, passage, said):
            return "told as given up"
        if self._kind in OPEN_ITEMS and self._is_done(passage, said):
            return "told as done"
        return ""

    def _is_opposite(self, matched: Collection[str], said: Wording) -> bool:
        ours = self._said
        forbidden = {term for term in matched if term in ours.negated and term not in ours.affirmed}
        demanded = {term for term in matched if term in ours.affirmed and term not in ours.negated}
        denied = {term for term in matched if term in said.negated and term not in said.affirmed}
        stated = {term for term in matched if term in said.affirmed and term not in said.negated}
        if forbidden and demanded and forbidden - WEAK <= stated and (demanded - WEAK) & denied:
            return True  # "use A, not B" became "use B, not A"
        if self._is_swapped(matched, said) or self._has_opposite(said):
            return True
        if forbidden:
            return not (forbidden - WEAK) & (denied | said.rejected) and self._outweighs(forbidden & stated, forbidden)
        return self._head in demanded & denied or self._outweighs(demanded & denied, demanded)

    @property
    def _head(self) -> str:
        """The first term, which says what to do; empty if it says little."""
        first = self._said.terms[0] if self._said.terms else ""
        return first if first not in WEAK else ""

    def _has_opposite(self, said: Wording) -> bool:
        """Whether a term is missing and its contrary stands in the passage."""
        ours, theirs = frozenset(self._said.words), frozenset(said.terms)
        contrary = (OPPOSITES.get(term, "") for term in ours - theirs)
        return any(each in theirs and each not in ours for each in contrary)

    def _is_swapped(self, matched: Collection[str], said: Wording) -> bool:
        """Whether two names of things have changed places: "answer in A, comments in B"."""
        ours, theirs = _predecessors(self._said.terms, self._must), _predecessors(said.terms, self._must)
        names = sorted(self._must & frozenset(matched) & theirs.keys())
        pairs = ((one, other) for one in names for other in names if one < other)
        return any(
            ours[one] != ours[other] and (theirs[one], theirs[other]) == (ours[other], ours[one])
            for one, other in pairs
            if one in ours and other in ours
        )

    def _outweighs(self, some: Iterable[str], every: Iterable[str]) -> bool:
        return sum(self._weights[term] for term in some) > 0.5 * sum(self._weights[term] for term in every)

    def _is_given_up(self, matched: Collection[str], passage: Passage, said: Wording) -> bool:
        if self._said.rejected or self._said.raw & REJECTS:
            return False
        if REJECTED_HEADING.search(passage.heading) and not REJECTED_HEADING.search(self._said.text):
            return True
        gone = {term for term in matched if term in said.rejected and term not in said.affirmed}
        return self._outweighs(gone, matched)

    def _is_done(self, passage: Passage, said: Wording) -> bool:
        if self._said.raw & DONE or NOT_DONE.search(passage.text):
            return False
        if NOT_DONE.search(passage.heading):
            return passage.is_checked or bool(DONE_MARKS.search(passage.text))
        is_called = bool(said.raw & DONE or DONE_MARKS.search(passage.text))
        return is_called or passage.is_checked or bool(DONE_HEADING.search(passage.heading))

    # -- what is missing, and what stands in its place ---------------------------------------------------------------

    def _missing(self, matched: Collection[str], named: Collection[str], said: Wording) -> list[str]:
        numbers = [str(each.amount) for each in self._numbers if not any(each.is_same(other) for other in said.numbers)]
        names = [name for name in self._names if name not in named]
        if self._kind in RETOLD:
            return [*numbers, *(names if 4 * len(names) > len(self._names) else ())]
        return [*numbers, *names, *(self._must - frozenset(matched))]

    def _replaced(self, missing: Collection[str], said: Wording) -> str:
        """What stands where something of the fact is missing."""
        known = self._numbers
        if any(not each.is_same(n) for each in known for n in said.numbers) and any(
            not any(each.is_same(n) for n in said.numbers) for each in known
        ):
            return "another number"
        if self._value and self._value <= frozenset(missing) and self._has_other_value(said):
            return "another value"
        gone = [name for name in self._names if name in missing]
        if any(_is_alike(name, other) for name in gone for other in said.names if other not in self._names):
            return "another name"
        return ""

    def _has_other_value(self, said: Wording) -> bool:
        other = frozenset(said.terms) - self._weights.keys() - WEAK - _SAYS_NO_VALUE
        return 0 < len(other) <= _FEW_TERMS and frozenset(self._said.words) <= frozenset(said.terms)

    def _changed_inside(self, said: Wording) -> str:
        """Where the passage has most of the fact in its own order: whether it has a "not" more or less inside, or
        another word in one place."""
        ours, theirs = self._said.sequence[:_LONGEST_WORDS], said.sequence[: 4 * _LONGEST_WORDS]
        steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
        same = sum(end - start for what, start, end, _, _ in steps if what == "equal")
        if same < _VERBATIM * len(ours) or same < _FEW_TERMS:
            return ""
        inner = steps[1 if steps[0][0] == "insert" else 0 : -1 if steps[-1][0] in ("insert", "delete") else None]
        changes = [(ours[a:b], theirs[c:d]) for what, a, b, c, d in inner if what != "equal"]
        if any((NOT in one) != (NOT in other) for one, other in changes):
            return "a “not” more or less"
        replaced = [
            (one, other)
            for one, other in changes
            if 0 < len(one) <= 2 and 0 < len(other) <= 2 and frozenset(one) - WEAK - frozenset(theirs)
        ]
        return "another word" if len(replaced) == 1 and len(changes) == 1 else ""

    def _another_word(self, said: Wording) -> str:
        """Whether the passage is the fact with other words in one place: "use Redis for the cache" for "use SQLite for
        the cache"."""
        ours, theirs = list(self._said.terms[:_LONGEST_WORDS]), list(said.terms[:_LONGEST_WORDS])
        if len(ours) < 2 or len(theirs) > (3 * len(ours) + 6 if len(ours) >= _FEW_TERMS else 2):
            return ""
        steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
        same = sum(end - start for what, start, end, _, _ in steps if what == "equal")
        other = [(end - start, last - first) for what, start, end, first, last in steps if what == "replace"]
        left_out = sum(end - start for what, start, end, _, _ in steps if what == "delete")
        is_one_place = len(other) == 1 and other[0][0] <= 2 and other[0][1] <= 3 and not left_out
        return "another word" if is_one_place and same >= min(2, len(ours) - 1) and same >= ABOUT * len(ours) else ""


def last_part(name: str) -> str:
    """The last part of a path, by which a shortened one is found."""
    return name.replace("\\", "/").rsplit("/", 1)[-1]


def _is_named(name: str, said: Wording) -> bool:
    if name in said.raw:
        return True
    return any(_is_shortened(name, other) or _is_shortened(other, name) for other in said.names)


def _is_shortened(path: str, short: str) -> bool:
    """Whether the second is the end of the first: `jwt.ts` of `src/auth/jwt.ts`, `total` of `Cart.total`."""
    return path.endswith(("/" + short, "\\" + short)) or (len(short) > 3 and path.endswith(("." + short, "::" + short)))


def _is_alike(name: str, other: str) -> bool:
    """Whether two different names are of one kind, so that one may stand where the other should."""
    if ("/" in name) != ("/" in other):
        return last_part(name) == last_part(other)
    if "." in last_part(name):
        return last_part(name).rsplit(".", 1)[-1] == last_part(other).rsplit(".", 1)[-1]
    return name[:1] == other[:1] or ("_" in name) == ("_" in other)


def _span(terms: tuple[str, ...], matched: Collection[str]) -> int:
    """The length of the shortest stretch that has all matched terms."""
    last: dict[str, int] = {}
    shortest = len(terms)
    for at, term in enumerate(terms):
        if term in matched:
            last[term] = at
            if len(last) == len(matched):
                shortest = min(shortest, at - min(last.values()) + 1)
    return shortest


def _predecessors(terms: tuple[str, ...], of: Collection[str]) -> dict[str, str]:
    """For each of these terms, the term in front of it."""
    return {term: before for before, term in pairwise(terms) if term in of}
