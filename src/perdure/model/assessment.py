"""Does a self-assessment open the gate? The decision is computed here, never taken from a caller (SPEC 4.3, 4.5)."""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from perdure.model.vectors import Vectors

    Decision: TypeAlias = Literal["proceed", "investigate"]


@value
class Thresholds:
    know: float = 0.70
    uncertainty: float = 0.35


@value
class Shortfall:
    """A vector that kept the gate shut, and what would raise it."""

    vector: str
    value: float
    needed: float
    advice: str


@value
class Assessment:
    decision: Decision
    corrected: Vectors
    correction: Vectors
    shortfalls: tuple[Shortfall, ...]


ADVICE = {
    "know": "Read the files and tests the change touches, verify a claim against the code, or ask the person.",
    "uncertainty": "Settle the open question first: run the search or the test that decides it, or ask the person.",
    "learned": "Nothing was learned since the last assessment, so the answer is the same. "
    "Read a file, run a search, verify a claim or ask the person; then CHECK again.",
}


def assess(stated: Mapping[str, float], correction: Mapping[str, float], limits: Thresholds) -> Assessment:
    corrected = {name: _within(stated[name] - correction.get(name, 0.0)) for name in ("know", "uncertainty")}
    shortfalls = []
    if corrected["know"] < limits.know:
        shortfalls.append(Shortfall("know", corrected["know"], limits.know, ADVICE["know"]))
    if corrected["uncertainty"] > limits.uncertainty:
        shortfalls.append(Shortfall("uncertainty", corrected["uncertainty"], limits.uncertainty, ADVICE["uncertainty"]))
    applied = {name: shown for name, amount in correction.items() if (shown := round(amount, 4))}
    return Assessment("investigate" if shortfalls else "proceed", corrected, applied, tuple(shortfalls))


def unchanged(assessment: Assessment) -> Assessment:
    """The same answer as before: an `investigate` stands until something was learned (SPEC 4.3)."""
    nothing = Shortfall("learned", 0.0, 1.0, ADVICE["learned"])
    return Assessment("investigate", assessment.corrected, assessment.correction, (*assessment.shortfalls, nothing))


def _within(number: float) -> float:
    return round(max(0.0, min(1.0, number)), 4)
