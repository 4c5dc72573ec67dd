"""The thirteen vectors of a self-assessment (SPEC 4.5).

read_vectors({"know": 0.8, "uncertainty": 0.2}) == {"know": 0.8, "uncertainty": 0.2}
"""

from __future__ import annotations

from perdure.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from perdure.model.json import Json

    Vectors: TypeAlias = dict[str, float]

NAMES: dict[str, str] = {
    "engagement": "how much of your attention this work has",
    "know": "knowledge of the domain and of this code",
    "do": "ability to carry the work out",
    "context": "understanding of the situation around the task",
    "clarity": "how clear the task is",
    "coherence": "how well the parts fit together",
    "signal": "how much of the information at hand is relevant",
    "density": "how much there is to hold in mind",
    "state": "understanding of the present state",
    "change": "how much has been changed so far",
    "completion": "how much of the work is done",
    "impact": "how far the work reaches",
    "uncertainty": "doubt about all of the above; the only one where less is better",
}
REQUIRED = ("know", "uncertainty")
JSON_FORM = '{"vectors": {"know": K, "uncertainty": U}, "reasoning": "…"}'
"""The form in which an assessment is given. K and U are the caller's own numbers: nothing is filled in (SPEC 5.1)."""


def _bad_vector(field: str, why: str) -> BadInput:
    return BadInput(
        "bad_vector",
        f"{field}: {why}",
        hint=f"As JSON: {JSON_FORM}, with numbers from 0.0 to 1.0 for K and U.",
        details={"field": field},
    )


def read_vector(name: str, number: Json) -> float:
    field = f"vectors.{name}"
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise _bad_vector(field, f"must be a number from 0.0 to 1.0, not {_described(number)}.")
    if number != number:
        raise _bad_vector(field, "must be a number from 0.0 to 1.0, not NaN.")
    if not 0 <= number <= 1:
        raise _bad_vector(field, f"must lie between 0.0 and 1.0, not {number}.")
    return float(number)


def _described(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"


def read_vectors(raw: Json) -> Vectors:
    if not isinstance(raw, dict):
        raise _bad_vector("vectors", "is missing." if raw is None else f"must be an object, not {_described(raw)}.")
    unknown = sorted(set(raw) - set(NAMES))
    if unknown:
        raise _bad_vector(f"vectors.{unknown[0][:40]}", f"is not a vector. The 13 are {', '.join(NAMES)}.")
    for name in REQUIRED:
        if name not in raw:
            raise _bad_vector(f"vectors.{name}", "is required; the other eleven may be left out when unknown.")
    return {name: read_vector(name, raw[name]) for name in NAMES if name in raw}


def delta(before: Mapping[str, float], after: Mapping[str, float]) -> Vectors:
    """What changed, for the vectors that both assessments name."""
    return {name: round(after[name] - before[name], 4) for name in NAMES if name in before and name in after}
