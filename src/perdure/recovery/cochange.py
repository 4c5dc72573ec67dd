"""Which files change together in the history of the work. Pure: commits in, shares out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

TOO_MANY = 30
"""Files of a commit that changes everything, and says nothing about what belongs together."""


def beside(commits: Sequence[Collection[str]], strong: frozenset[str]) -> dict[str, float]:
    """Of each file, in what share of the commits that changed one of the strong ones it was changed too."""
    telling = [commit for commit in commits if len(commit) <= TOO_MANY and not strong.isdisjoint(commit)]
    counts: dict[str, int] = {}
    for commit in telling:
        for path in commit:
            counts[path] = counts.get(path, 0) + 1
    return {path: count / len(telling) for path, count in counts.items() if count > 1 and path not in strong}
