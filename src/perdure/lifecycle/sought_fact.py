"""Does this passage tell this fact, tell it otherwise, or is it about something else?"""

from __future__ import annotations

from perdure.lifecycle.alignment import (
    ANOTHER_NOT,
    ANOTHER_START,
    another_word,
    changed_inside,
    is_swapped,
    is_turned_round,
    span,
)
from perdure.lifecycle.names import is_alike, is_named, last_part
from perdure.lifecycle.summary_fact import ALTERED, CONSTRAINT, DECISION, FAILED, KEPT, OPEN_ITEMS, QUESTION, RETOLD
from perdure.lifecycle.vocabulary import (
    ANSWERED,
    ASKS,
    DONE,
    DONE_HEADING,
    DONE_IN_BRACKETS,
    DONE_MARKS,
    FROM_TO,
    IS_GENERAL,
    IS_RULE,
    NOT_DONE,
    OPPOSITES,
    REJECTED_HEADING,
    REJECTS,
    WEAK,
    WITHOUT,
    YET_TO_DO,
    is_past,
    term_of,
)
from perdure.lifecycle.wording import wording
from perdure.model.terms import UNSPACED
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from perdure.lifecycle.passages import Passage
    from perdure.lifecycle.summary_fact import SummaryFact
    from perdure.lifecycle.wording import Wording

NEARLY_ALL, MOST, ALL = 0.76, 0.6, 0.9
"""How much of a fact's weight a passage must have: of most facts, of what may be retold, of what has few terms."""
ABOUT = 0.5
"""A passage with less of a fact is not about it."""
_SLACK = 0.1
"""A passage with so much less than is needed to keep a fact may still contradict it."""
_FEW_TERMS = 3
_LEAST_TO_CONTRADICT = 2
_WEAK_WEIGHT, _PROPER_WEIGHT, _NAME_WEIGHT, _VALUE_WEIGHT = 0.4, 1.5, 1.5, 2.0
_SAYS_NO_VALUE = frozenset(map(term_of, "set configured defined chosen discussed known documented".split()))


REVERSED, GIVEN_UP, CALLED_DONE = "stated the other way round", "told as given up", "told as done"
_REJECTING = frozenset(map(term_of, REJECTS))
CONTRADICTING = frozenset((REVERSED, GIVEN_UP, CALLED_DONE, ANOTHER_NOT))


@value
class JudgedPassage:
    """One passage, as it tells one fact."""

    outcome: str
    share: float
    passage: Passage
    why: str = ""

    @property
    def contradicts(self) -> bool:
        """Whether it states the opposite of the fact. Other numbers, names or words may be those of another statement
        that is like the fact."""
        return self.why in CONTRADICTING


@value
class _Met:
    """What of a fact stands in a passage."""

    passage: Passage
    said: Wording
    terms: frozenset[str]
    names: frozenset[str]
    share: float

    def altered(self, why: str) -> JudgedPassage | None:
        if not why:
            return None
        return JudgedPassage(outcome=ALTERED, share=self.share, passage=self.passage, why=why)

    @property
    def kept(self) -> JudgedPassage:
        return JudgedPassage(outcome=KEPT, share=self.share, passage=self.passage)

    @property
    def denied(self) -> frozenset[str]:
        """Terms of the fact that the passage states only with a "not"."""
        return self.terms & (self.said.negated - self.said.affirmed)

    @property
    def stated(self) -> frozenset[str]:
        """Terms of the fact that the passage states plainly."""
        return self.terms & (self.said.affirmed - self.said.negated)


class SoughtFact:
    def __init__(self, fact: SummaryFact) -> None:
        self._kind, self._value_text = fact.kind, fact.value
        self._said, valued = wording(fact.text), wording(fact.value)
        self._names = frozenset((*self._said.names, *valued.names))
        self._numbers = (*self._said.numbers, *valued.numbers)
        self._value = frozenset(valued.words)
        self._must = self._proper_terms() | self._value
        self._weights = {term: self._weight(term) for term in self._said.words}
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
        return {**self._weights, **dict.fromkeys(map(last_part, sorted(self._names)), _NAME_WEIGHT)}

    def judge(self, passage: Passage, said: Wording) -> JudgedPassage | None:
        met = self._met(passage, said)
        if met.share < ABOUT or not self._is_together(met):
            return met.altered(another_word(self._said, said) if passage.parts == 1 else "")
        contradicts = self._otherwise(met) if met.share >= self._needed - _SLACK else ""
        if contradicts:
            return met.altered(contradicts) if self._is_enough(met) else None
        missing = self._missing(met)
        if not missing and met.share >= self._needed and self._is_stated_so(met):
            return self._with_changes(met)
        return met.altered(self._replaced(met, missing) or another_word(self._said, said))

    def _with_changes(self, met: _Met) -> JudgedPassage | None:
        """A passage that has all of the fact keeps it, unless a word inside is another one."""
        changed = changed_inside(self._said, met.said)
        return None if changed == ANOTHER_START else met.altered(changed) or met.kept

    def _is_enough(self, met: _Met) -> bool:
        """Whether a passage has enough of the fact to contradict it. One word, as the only one of "push it", stands in
        many sentences."""
        if self._names and not met.names and met.said.names:
            return False  # it is about another file, version or option
        return len(met.terms - WEAK) + len(met.names) >= _LEAST_TO_CONTRADICT

    def _met(self, passage: Passage, said: Wording) -> _Met:
        terms = frozenset(self._weights.keys() & frozenset(said.terms))
        names = frozenset(name for name in self._names if is_named(name, said))
        weight = self._sum(terms) + _NAME_WEIGHT * len(names)
        share = weight / self._total if self._total else 0.0
        return _Met(passage=passage, said=said, terms=terms, names=names, share=share)

    def _sum(self, terms: Iterable[str]) -> float:
        return sum(self._weights[term] for term in terms)

    @property
    def _needed(self) -> float:
        if self._kind in RETOLD:
            return MOST
        return ALL if len(self._weights) + len(self._names) <= _FEW_TERMS else NEARLY_ALL

    def _is_together(self, met: _Met) -> bool:
        """Whether the terms stand near each other. A long passage has many terms, and may have them by chance."""
        return self._kind in RETOLD or span(met.said.terms, met.terms) <= 3 * len(met.terms) + 8

    def _may_span(self, passage: Passage) -> bool:
        """Few terms must stand in one sentence: two sentences have them by chance."""
        if passage.parts == 1 or self._kind in RETOLD:
            return True
        return len(self._weights.keys() - WEAK) + len(self._names) > _FEW_TERMS

    # -- what says otherwise -----------------------------------------------------------------------------------------

    def _otherwise(self, met: _Met) -> str:
        if self._is_opposite(met):
            return REVERSED
        if self._is_given_up(met) or self._is_changed_from(met):
            return GIVEN_UP
        if self._kind in OPEN_ITEMS and self._is_done(met):
            return CALLED_DONE
        return ""

    def _is_opposite(self, met: _Met) -> bool:
        forbidden = met.terms & (self._said.negated - self._said.affirmed)
        demanded = met.terms & (self._said.affirmed - self._said.negated)
        if self._has_changed_places(met) or self._has_contrary(met):
            return True
        if self._is_conditional and demanded & met.stated:
            return False
        if forbidden:
            return self._is_lifted(forbidden, demanded, met)
        return self._head in demanded & met.denied or self._outweighs(demanded & met.denied, demanded)

    def _has_changed_places(self, met: _Met) -> bool:
        """Whether "A rather than B" became "B rather than A"."""
        is_rejected_now = self._said.affirmed & met.said.rejected
        is_turned = bool(is_rejected_now and self._said.rejected & met.stated - met.said.rejected)
        return is_turned or is_swapped(self._said, met.said, self._must & met.terms)

    def _is_lifted(self, forbidden: frozenset[str], demanded: frozenset[str], met: _Met) -> bool:
        """Whether a passage states what the fact forbids."""
        if forbidden - WEAK <= met.stated and (demanded - WEAK) & met.denied:
            return True  # "use A, not B" became "use B, not A"
        if (forbidden - WEAK) & (met.denied | met.said.rejected) or not self._states_action(met):
            return False
        return self._outweighs(forbidden & met.stated, forbidden)

    def _states_action(self, met: _Met) -> bool:
        """Whether a passage states the first word that the fact forbids, which says what must not be done: "b.ts is
        generated" does not lift "do not touch b.ts". Text without spaces has no words of which one is the first."""
        action = next(term for term in self._said.terms if term in self._said.negated)
        return action in met.stated or action in WEAK or bool(UNSPACED.search(action))

    @property
    def _is_conditional(self) -> bool:
        """Whether it forbids something unless something else is the case: "never commit without tests"."""
        return bool(self._said.negated and self._said.raw & WITHOUT)

    @property
    def _head(self) -> str:
        """The first term, which says what to do; empty if it says little."""
        first = self._said.terms[0] if self._said.terms else ""
        return first if first not in WEAK else ""

    def _has_contrary(self, met: _Met) -> bool:
        """Whether a term is missing and its contrary stands in the passage."""
        ours, theirs = frozenset(self._said.words), frozenset(met.said.terms)
        contraries = [(term, OPPOSITES[term]) for term in ours - theirs if term in OPPOSITES]
        return any(
            contrary in theirs - ours and not is_turned_round(self._said, met.said, term)
            for term, contrary in contraries
        )

    def _outweighs(self, some: Iterable[str], every: Iterable[str]) -> bool:
        return self._sum(some) > 0.5 * self._sum(every)

    def _is_given_up(self, met: _Met) -> bool:
        if self._kind == FAILED or self._said.rejected or not _REJECTING.isdisjoint(self._said.words):
            return False
        if REJECTED_HEADING.search(met.passage.heading) and not REJECTED_HEADING.search(self._said.text):
            return True
        given_up = met.terms & (met.said.rejected - met.said.affirmed)
        is_named = self._kind not in RETOLD and given_up & self._must
        return bool(is_named) or self._outweighs(given_up, met.terms)

    def _is_changed_from(self, met: _Met) -> bool:
        """Whether a passage says "from A to B", where the fact has A and not B."""
        ours = wording(f"{self._said.text} {self._value_text}")
        moved = [(wording(each[1]), wording(each[2])) for each in FROM_TO.finditer(met.said.text)]
        return self._kind == DECISION and any(_has(ours, old) and not _has(ours, new) for old, new in moved)

    def _is_stated_so(self, met: _Met) -> bool:
        """Whether a passage that has the fact's words can state it."""
        is_asked = self._kind != QUESTION or self._is_asked(met.passage)
        return is_asked and self._may_span(met.passage) and self._is_as_general(met) and self._is_forbidden(met)

    def _is_as_general(self, met: _Met) -> bool:
        """Whether a passage states a rule for all cases as one. That a case follows it, or that something was done, is
        no rule."""
        if self._kind != CONSTRAINT or not (self._is_conditional or IS_GENERAL.search(self._said.text)):
            return True
        verb = self._said.text.split()[0].casefold()
        return verb in met.said.raw or bool(IS_RULE.search(f"{met.passage.heading} {met.passage.text}"))

    def _is_forbidden(self, met: _Met) -> bool:
        """Whether a passage forbids what the fact forbids. One that only mentions it does not."""
        forbidden = met.terms & (self._said.negated - self._said.affirmed) - WEAK
        return not forbidden or self._is_conditional or bool(forbidden & (met.said.negated | met.said.rejected))

    def _is_asked(self, passage: Passage) -> bool:
        """Whether a passage asks, as the fact does. A statement in the same words may be the answer."""
        is_question = ASKS.search(self._said.text)
        return not is_question or bool(ASKS.search(passage.text) or ASKS.search(passage.heading))

    def _is_done(self, met: _Met) -> bool:
        passage = met.passage
        if self._said.raw & DONE:
            return False
        if DONE_IN_BRACKETS.search(passage.text):
            return True
        if NOT_DONE.search(passage.text):
            return False
        is_marked = passage.is_checked or bool(DONE_MARKS.search(passage.text))
        if NOT_DONE.search(passage.heading):
            return is_marked
        is_called_so = bool(met.said.raw & DONE or DONE_HEADING.search(passage.heading))
        return is_marked or is_called_so or self._is_told_as_past(met)

    def _is_told_as_past(self, met: _Met) -> bool:
        """Whether the question is answered, or what is to be done told as past: "add tests" as "tests were added"."""
        if self._kind == QUESTION:
            return bool(ANSWERED.search(met.passage.text))
        if YET_TO_DO.search(met.passage.text):
            return False
        return any(_is_past_of(word, self._said.terms[0]) for word in met.said.raw)

    # -- what is missing, and what stands in its place ---------------------------------------------------------------

    def _missing(self, met: _Met) -> frozenset[str]:
        numbers = frozenset(str(each.amount) for each in self._numbers if not each.is_among(met.said.numbers))
        names = self._names - met.names
        if self._kind in RETOLD:
            return numbers | (names if 4 * len(names) > len(self._names) else frozenset())
        return numbers | names | (self._must - met.terms)

    def _replaced(self, met: _Met, missing: Collection[str]) -> str:
        """What stands where something of the fact is missing. Of a text that may be retold, a passage that has too
        little tells a part, with names and numbers of its own."""
        if self._kind in RETOLD and met.share < self._needed:
            return ""
        if self._is_counted_otherwise(met.said):
            return "another number"
        if self._value and self._value <= frozenset(missing) and self._has_other_value(met.said):
            return "another value"
        others = frozenset(met.said.names) - self._names
        gone = (name for name in self._names if name in missing)
        return "another name" if any(is_alike(name, other) for name in gone for other in others) else ""

    def _is_counted_otherwise(self, said: Wording) -> bool:
        """Whether a number is missing and one that the fact does not have stands in its place: it measures the same, or
        stands beside the same word. A value has no words beside it: any other number is another value."""
        gone = [
            (each, self._said.beside[at] if at < len(self._said.beside) else frozenset(said.terms))
            for at, each in enumerate(self._numbers)
            if not each.is_among(said.numbers)
        ]
        others = [(n, near) for n, near in zip(said.numbers, said.beside, strict=True) if not n.is_among(self._numbers)]
        return any(
            (own.measures and own.measures == other.measures) or beside & near
            for own, beside in gone
            for other, near in others
        )

    def _has_other_value(self, said: Wording) -> bool:
        other = frozenset(said.terms) - self._weights.keys() - WEAK - _SAYS_NO_VALUE
        return 0 < len(other) <= _FEW_TERMS and frozenset(self._said.words) <= frozenset(said.terms)


def _has(text: Wording, part: Wording) -> bool:
    """Whether a text has the terms and numbers of this part of a sentence."""
    if not part.terms and not part.numbers:
        return False
    return frozenset(part.terms) <= frozenset(text.terms) and all(each.is_among(text.numbers) for each in part.numbers)


def _is_past_of(word: str, term: str) -> bool:
    return word.isalpha() and is_past(word) and term in wording(word).terms
