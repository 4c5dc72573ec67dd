"""Two sentences side by side, term by term: is the one the other, with something else in one place?"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise

from perdure.lifecycle.vocabulary import OPPOSITES, RELATIONS, WEAK
from perdure.lifecycle.wording import NOT
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from perdure.lifecycle.wording import Wording

LONGEST = 60
"""Terms of a fact that are compared in their order; of a passage, four times as many."""
VERBATIM, HALF = 0.7, 0.5
"""How much of a fact must stand in the passage in its own order: to look for a change inside, and for another word."""
FEW = 3
ANOTHER_WORD, ANOTHER_NOT = "another word", "a “not” more or less"
ANOTHER_START = "another first word"
"""In doubt: the verb in another form or a synonym of it, or another thing to do."""
_LONGEST_ENDING, _SHORTEST_STEM = 3, 4
_TURNED = re.compile(r"([^\s,;()]+),?\s+(to|into|over|than|not|instead of|nach|nicht|→|->|=>)\s+([^\s,;()]+)", re.I)
"""Two things, of which it matters which comes first: "rename A to B", "A, not B"."""


@value
class WordChange:
    """Where two sequences differ: what the first has there, and what the second."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def is_about_not(self) -> bool:
        return (NOT in self.ours) != (NOT in self.theirs)

    def only_rejects(self, rejected: Collection[str]) -> bool:
        """Whether the second adds no more than what does not hold: "instead of Bootstrap"."""
        added = frozenset(self.theirs) - {NOT, "instead", "rather"}
        return not self.ours and bool(added) and added <= frozenset(rejected)

    @property
    def is_one_word(self) -> bool:
        """One or two terms stand in place of one or two others, and both say something."""
        is_short = 0 < len(self.ours) <= 2 and 0 < len(self.theirs) <= 2
        return is_short and bool(frozenset(self.ours) - WEAK and frozenset(self.theirs) - WEAK)


@value
class Alignment:
    same: int
    """How many terms are in both, in the same order."""
    changes: tuple[WordChange, ...]
    """Between the first and the last of these."""
    of: int
    """How many terms the first sequence has."""

    def is_mostly_same(self, share: float, least: int) -> bool:
        return self.same >= max(share * self.of, least)


def aligned(ours: Sequence[str], theirs: Sequence[str]) -> Alignment:
    first, second = tuple(ours[:LONGEST]), tuple(theirs[: 4 * LONGEST])
    steps = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    same = sum(end - start for what, start, end, _, _ in steps if what == "equal")
    if steps and steps[0][0] == "insert":
        steps = steps[1:]
    if steps and steps[-1][0] in ("insert", "delete"):  # the passage goes on, or ends before the fact does
        steps = steps[:-1]
    changes = tuple(WordChange(first[a:b], second[c:d]) for what, a, b, c, d in steps if what != "equal")
    return Alignment(same, changes, of=len(first))


def changed_inside(ours: Wording, theirs: Wording) -> str:
    """Where the passage has most of the fact in its own order: whether it has a "not" more or less inside, or another
    word in one place."""
    found = aligned(ours.sequence, theirs.sequence)
    if not found.is_mostly_same(VERBATIM, FEW):
        return ""
    changes = [each for each in found.changes if not each.only_rejects(theirs.rejected)]
    has_as_many = ours.sequence.count(NOT) == theirs.sequence.count(NOT)  # then one stands elsewhere: "are skipped"
    if not has_as_many and any(each.is_about_not for each in changes):
        return ANOTHER_NOT
    is_one = len(found.changes) == 1 and found.changes[0].is_one_word
    if not is_one or frozenset(found.changes[0].ours) - WEAK <= frozenset(theirs.terms):
        return ""
    ours_there, theirs_there = found.changes[0].ours[0], found.changes[0].theirs[-1]
    if ours_there != ours.terms[0]:
        return ANOTHER_WORD
    return "" if _is_other_form(ours_there, theirs_there) else ANOTHER_START


def _is_other_form(one: str, other: str) -> bool:
    """Whether two words differ in their ending only. Stems are known of English words."""
    pairs = enumerate(zip(one, other, strict=False))
    same = next((at for at, (ours, theirs) in pairs if ours != theirs), min(len(one), len(other)))
    return same >= _SHORTEST_STEM and max(len(one), len(other)) - same <= _LONGEST_ENDING


def another_word(ours: Wording, theirs: Wording) -> str:
    """Whether the passage is the fact with other words in one place: "use Redis for the cache" for "use Memcached for
    the cache". Not at its beginning: a verb there has other forms and synonyms, and a title may stand in its place."""
    most = 2 * len(ours.terms) + 4 if len(ours.terms) >= FEW else 2
    if len(ours.terms) < 2 or len(theirs.terms) > most:
        return ""
    steps = SequenceMatcher(None, ours.terms[:LONGEST], theirs.terms[:LONGEST], autojunk=False).get_opcodes()
    same = sum(end - start for what, start, end, _, _ in steps if what == "equal")
    changed = [step for step in steps if step[0] in ("replace", "delete")]
    is_same_else = same >= max(min(2, len(ours.terms) - 1), HALF * min(len(ours.terms), LONGEST))
    is_one = len(changed) == 1 and is_same_else and _is_short(changed[0])
    return ANOTHER_WORD if is_one and frozenset(theirs.terms[changed[0][3] : changed[0][4]]) - WEAK else ""


def _is_short(step: tuple[str, int, int, int, int]) -> bool:
    what, start, end, first, last = step
    return what == "replace" and start > 0 and end - start <= 2 and last - first <= 3


def is_swapped(ours: Wording, theirs: Wording, names: Collection[str]) -> bool:
    """Whether two of these names have changed places: "answer in A, comments in B"."""
    before, after = _predecessors(ours.terms, names), _predecessors(theirs.terms, names)
    both = sorted(before.keys() & after.keys())
    pairs = _pairs(theirs.text)
    return any(pair[::-1] in pairs and pair not in pairs for pair in _pairs(ours.text)) or any(
        before[one] != before[other] and (after[one], after[other]) == (before[other], before[one])
        for at, one in enumerate(both)
        for other in both[at + 1 :]
    )


def is_turned_round(ours: Wording, theirs: Wording, term: str) -> bool:
    """Whether two sentences say the same because the second has the contrary of this term and the contrary order: "ask
    before you add" and "add only after asking"."""
    if term not in RELATIONS:
        return False
    left, right = _sides(ours.terms, term)
    other_left, other_right = _sides(theirs.terms, OPPOSITES[term])
    return bool(left & other_right or right & other_left) and not (left & other_left or right & other_right)


def _sides(terms: Sequence[str], term: str) -> tuple[frozenset[str], frozenset[str]]:
    at = terms.index(term)
    return frozenset(terms[:at]), frozenset(terms[at + 1 :])


def _pairs(text: str) -> set[tuple[str, str, str]]:
    """The first thing, the word between, the second."""
    found = _TURNED.findall(text.replace("`", "").replace("*", "").casefold())
    return {(one.strip("\"'.:"), between, other.strip("\"'.:")) for one, between, other in found}


def _predecessors(terms: Sequence[str], of: Collection[str]) -> dict[str, str]:
    """For each of these terms, the term in front of it."""
    return {term: before for before, term in pairwise(terms) if term in of}


def span(terms: Sequence[str], matched: Collection[str]) -> int:
    """The length of the shortest stretch that has all matched terms."""
    if not matched:
        return 0
    last: dict[str, int] = {}
    shortest = len(terms)
    for at, term in enumerate(terms):
        if term in matched:
            last[term] = at
            if len(last) == len(matched):
                shortest = min(shortest, at - min(last.values()) + 1)
    return shortest
