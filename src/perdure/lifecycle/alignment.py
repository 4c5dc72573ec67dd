"""Two sentences side by side, term by term: is the one the other, with something else in one place?"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise

from perdure.lifecycle.vocabulary import WEAK
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


@value
class WordChange:
    """Where two sequences differ: what the first has there, and what the second."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def is_about_not(self) -> bool:
        return (NOT in self.ours) != (NOT in self.theirs)

    @property
    def is_one_word(self) -> bool:
        """One or two terms stand in place of one or two others that say something."""
        return 0 < len(self.ours) <= 2 and 0 < len(self.theirs) <= 2 and bool(frozenset(self.ours) - WEAK)


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
    if any(each.is_about_not for each in found.changes):
        return ANOTHER_NOT
    is_one = len(found.changes) == 1 and found.changes[0].is_one_word
    return ANOTHER_WORD if is_one and not frozenset(found.changes[0].ours) - WEAK <= frozenset(theirs.terms) else ""


def another_word(ours: Wording, theirs: Wording) -> str:
    """Whether the passage is the fact with other words in one place: "use Redis for the cache" for "use Memcached for
    the cache"."""
    most = 2 * len(ours.terms) + 4 if len(ours.terms) >= FEW else 2
    if len(ours.terms) < 2 or len(theirs.terms) > most:
        return ""
    steps = SequenceMatcher(None, ours.terms[:LONGEST], theirs.terms[:LONGEST], autojunk=False).get_opcodes()
    same = sum(end - start for what, start, end, _, _ in steps if what == "equal")
    changed = [step for step in steps if step[0] in ("replace", "delete")]
    is_same_else = same >= max(min(2, len(ours.terms) - 1), HALF * min(len(ours.terms), LONGEST))
    return ANOTHER_WORD if len(changed) == 1 and is_same_else and _is_short(changed[0]) else ""


def _is_short(step: tuple[str, int, int, int, int]) -> bool:
    what, start, end, first, last = step
    return what == "replace" and end - start <= 2 and last - first <= 3


def is_swapped(ours: Wording, theirs: Wording, names: Collection[str]) -> bool:
    """Whether two of these names have changed places: "answer in A, comments in B"."""
    before, after = _predecessors(ours.terms, names), _predecessors(theirs.terms, names)
    both = sorted(before.keys() & after.keys())
    return any(
        before[one] != before[other] and (after[one], after[other]) == (before[other], before[one])
        for at, one in enumerate(both)
        for other in both[at + 1 :]
    )


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
