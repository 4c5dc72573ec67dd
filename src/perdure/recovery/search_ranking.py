"""Which of the texts that were found answers best (SPEC 12.1, level 2): what the words say, fused with what is new and
what is in use.

Ranks are fused, not scores: no scale of one has to be weighed against another's (reciprocal rank fusion).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WORDS, NEW, USED = 1.0, 0.4, 0.4
"""How much each order counts: the words were asked for, the others decide between answers that are about as close."""
_FLAT = 10
"""How slowly a rank loses its weight."""


def fused(by_words: Sequence[str], by_time: Sequence[str], used: Mapping[str, float]) -> list[str]:
    """The ids of `by_words`, best first. `used`: how much what each one speaks of is in use; nothing is no rank."""
    by_use = sorted((id for id in by_words if used.get(id)), key=lambda id: -used[id])
    score = dict.fromkeys(by_words, 0.0)
    for weight, order in ((WORDS, by_words), (NEW, by_time), (USED, by_use)):
        for rank, id in enumerate(order):
            score[id] += weight / (_FLAT + rank)
    return sorted(score, key=lambda id: -score[id])
