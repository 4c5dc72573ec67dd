"""Finds files that commits change together. Pure: commits in, shares out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

TOO_MANY = 30
"""A commit with more files than this changes everything, and does not show which files belong together."""


def beside(commits: Sequence[Collection[str]], strong: frozenset[str]) -> dict[str, float]:
    """For each other file: of the commits that changed a strong one, the share that changed this file, too."""
    telling = [commit for commit in commits if len(commit) <= TOO_MANY and not strong.isdisjoint(commit)]
    counts: dict[str, int] = {}
    for commit in telling:
        for path in commit:
            counts[path] = counts.get(path, 0) + 1
    return {path: count / len(telling) for path, count in counts.items() if count > 1 and path not in strong}
