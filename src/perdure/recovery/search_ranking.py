"""Orders search results (SPEC 12.1, level 2): by how well the words match, how new the text is, and how much what it
names is in use.

The three orders are combined by rank, not by score (reciprocal rank fusion): their scales cannot be compared.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# How much each order counts. The words come first; the others decide between results that match about as well.
WORDS = 1.0
NEW = 0.4
USED = 0.4
_FLAT = 10
"""The larger it is, the more slowly the weight falls with the rank."""


def fused(by_words: Sequence[str], by_time: Sequence[str], used: Mapping[str, float]) -> list[str]:
    """The ids of `by_words`, best first. `used`: how much what each text names is in use; with 0 it gets no rank."""
    by_use = sorted((id for id in by_words if used.get(id)), key=lambda id: -used[id])
    score = dict.fromkeys(by_words, 0.0)
    for weight, order in ((WORDS, by_words), (NEW, by_time), (USED, by_use)):
        for rank, id in enumerate(order):
            score[id] += weight / (_FLAT + rank)
    return sorted(score, key=lambda id: -score[id])
