"""The share of what was said that is grounded (SPEC 8.3).

    ratio([Said("it adds", True), Said("It adds.", True), Said("it divides", False)])      # 1 of 2: 0.5

The same sentence counts once, however often it is said and by whomever; case, punctuation and white space do not
matter. If it was accepted several times, the last time counts, so give them in the order in which they were said. A
refused claim counts besides an accepted one with the same words, and is never grounded. If nothing was said, there is
no ratio, and `passes` is True.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NO_WORD = re.compile(r"[\W_]+")


@value
class Said:
    """A claim or a decision."""

    words: str
    grounded: bool
    refused: bool = False


@value
class Ratio:
    grounded: int
    total: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None if nothing was said."""
        return self.grounded / self.total if self.total else None

    def passes(self, needed: float) -> bool:
        return self.share is None or self.share >= needed


def ratio(said: Iterable[Said]) -> Ratio:
    counted = {(_plain(each.words), each.refused): each.grounded and not each.refused for each in said}
    return Ratio(sum(counted.values()), len(counted))


def _plain(words: str) -> str:
    """Without case, punctuation and extra white space. A sentence of punctuation alone keeps that."""
    folded = normalize("NFKC", words).casefold()
    return _NO_WORD.sub(" ", folded).strip() or " ".join(folded.split())
