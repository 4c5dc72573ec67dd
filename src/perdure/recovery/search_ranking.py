"""Orders search results (SPEC 12.1, level 2): by how well a text and those beside it fit the words that were asked for.

What stands next to a good match often has the answer: a question and its reply, a plan and what came of it. So a text
gets a share of the scores of its neighbours, a larger one if it follows a question. What was recently and often used
only decides between texts that fit equally well.
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SHARES = (0.4, 0.2)
"""The share of a neighbour's score, for the nearest and for the one after it."""
AFTER_A_QUESTION = 0.4
"""What the nearest gets besides if it follows a question."""


@value
class ScoredText:
    """A text that was found, how well it fits, whether it asks something, and the ids beside it, nearest first."""

    id: str
    score: float
    is_question: bool
    before: tuple[str, ...]
    after: tuple[str, ...]


def ranked(hits: Sequence[ScoredText], tie: Callable[[str], tuple[float, ...]]) -> list[str]:
    """The ids of the hits and of what stands beside them, best first. `tie` orders those that fit equally well, the
    largest first."""
    score = {hit.id: hit.score for hit in hits}
    for hit in hits:
        for ids, more in ((hit.before, 0.0), (hit.after, AFTER_A_QUESTION if hit.is_question else 0.0)):
            for place, (id, share) in enumerate(zip(ids, SHARES, strict=False)):
                score[id] = score.get(id, 0.0) + hit.score * (share + (more if place == 0 else 0.0))
    return _best_first(score, tie)


def _best_first(score: Mapping[str, float], tie: Callable[[str], tuple[float, ...]]) -> list[str]:
    return sorted(score, key=lambda id: (round(score[id], 3), *tie(id)), reverse=True)
