"""Orders search results (SPEC 12.1, level 2): by how well a text and those beside it fit the words that were asked for.

What stands next to a good match often has the answer: a question and its reply, a plan and what came of it. So a text
gets, for each word, a share of a neighbour's score if that is more than its own; a larger one if it follows a question.
What was recently and often used only decides between texts that fit equally well.
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

SHARES = (0.6, 0.4)
"""The share of a neighbour's score, for the nearest and for the one after it."""
AFTER_A_QUESTION = 0.3
"""What the nearest gets besides if it follows a question."""


@value
class ScoredText:
    """A text that was found, how well it fits each word, whether it asks something, and the ids beside it, nearest
    first."""

    id: str
    score: Mapping[str, float]
    is_question: bool
    before: tuple[str, ...]
    after: tuple[str, ...]


def ranked(hits: Sequence[ScoredText], tie: Callable[[str], tuple[float, ...]]) -> list[str]:
    """The ids of the hits and of what stands beside them, best first. `tie` orders those that fit equally well, the
    largest first."""
    best: dict[str, dict[str, float]] = {}
    for hit in hits:
        for id, share in ((hit.id, 1.0), *_shares(hit)):
            words = best.setdefault(id, {})
            for word, score in hit.score.items():
                words[word] = max(words.get(word, 0.0), score * share)
    total = {id: round(sum(words.values()), 3) for id, words in best.items()}
    return sorted(total, key=lambda id: (total[id], *tie(id)), reverse=True)


def _shares(hit: ScoredText) -> Iterable[tuple[str, float]]:
    """What stands beside a hit, and what it gets of the hit's score."""
    yield from zip(hit.before, SHARES, strict=False)
    for place, (id, share) in enumerate(zip(hit.after, SHARES, strict=False)):
        yield id, share + (AFTER_A_QUESTION if hit.is_question and place == 0 else 0.0)
