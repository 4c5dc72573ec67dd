"""Completion confidence: how much of what a contract asks for has been shown (SPEC 10.6). Pure.

Each kind of evidence counts once, by `POINTS`. A contract that names kinds of evidence asks for exactly these; one that
names none asks for `THRESHOLD` points, from whatever kinds.

    judged(SeenEvidence(tests=True, lint=True), ()).missing == ("build",)
"""

from __future__ import annotations

from perdure.model.payload import EVIDENCE_KINDS
from perdure.model.value import value

KINDS = TESTS, BUILD, LINT, SCENARIOS, CLAIMS = EVIDENCE_KINDS
POINTS = {TESTS: 40, BUILD: 25, LINT: 15, CLAIMS: 10}
SCENARIO_POINTS, MOST_SCENARIOS = 10, 3
THRESHOLD = 80
LEAST_GROUNDED = 0.95


@value
class SeenEvidence:
    """What was seen to hold for the files as they are."""

    tests: bool = False
    build: bool = False
    lint: bool = False
    scenarios: int = 0
    claims: bool | None = None
    """Whether enough of what was claimed is grounded; None if nothing was claimed."""


@value
class Completion:
    confidence: int
    missing: tuple[str, ...]
    """The kinds of evidence that would help; none if the contract is met."""

    @property
    def is_met(self) -> bool:
        return not self.missing


def judged(seen: SeenEvidence, named: tuple[str, ...]) -> Completion:
    there = {
        TESTS: seen.tests,
        BUILD: seen.build,
        LINT: seen.lint,
        SCENARIOS: seen.scenarios > 0,
        CLAIMS: seen.claims is True,
    }
    points = sum(POINTS[kind] for kind in POINTS if there[kind])
    points += SCENARIO_POINTS * min(seen.scenarios, MOST_SCENARIOS)
    if named:
        lacking = [kind for kind in KINDS if kind in named and not there[kind]]
        if seen.claims is None:  # nothing claimed passes (SPEC 8.3)
            lacking = [kind for kind in lacking if kind != CLAIMS]
        return Completion(min(points, 100), tuple(lacking))
    enough = points >= THRESHOLD
    return Completion(min(points, 100), () if enough else tuple(kind for kind in KINDS if not there[kind]))


def is_tighter(named: tuple[str, ...], before: tuple[str, ...]) -> bool:
    """Whether asking for `named` asks for at least what `before` did. Kinds that add up to the threshold are at least
    as much as the threshold."""
    if before:
        return set(before) <= set(named)
    return not named or sum(POINTS.get(kind, SCENARIO_POINTS) for kind in set(named)) >= THRESHOLD
