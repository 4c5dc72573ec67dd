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
    "know": "Read the files and tests the change touches, search for what you do not know, or ask the "
    "person and note the answer (perdure note finding '…'{flag}).",
    "uncertainty": "Settle the open question first: read or search for what decides it, or ask the person "
    "and note the answer (perdure note finding '…'{flag}).",
    "learned": "Nothing was learned since the last assessment, so the answer is the same. Read a file, run a search, "
    "or note what you found or were told (perdure note finding '…'{flag}); then CHECK again.",
}
"""For a client whose hooks record what is read. `flag` names the project, if the command needs it."""
ADVICE_WITHOUT_HOOKS = {
    "know": "Read the files and tests the change touches, and note what you found: perdure note finding '…'{flag}",
    "uncertainty": "Settle the open question first, and note the answer: perdure note finding '…'{flag}, or what did "
    "not work: perdure note failed '…'{flag}",
    "learned": "Nothing was learned since the last assessment, so the answer is the same. No hook sees what you read "
    "here, so note something new (perdure note finding '…'{flag} or perdure note failed '…'{flag}); then CHECK again.",
}
"""For a client without hooks: only what the agent notes reaches the ledger."""


def assess(
    stated: Mapping[str, float],
    correction: Mapping[str, float],
    limits: Thresholds,
    *,
    hooks_see: bool = True,
    flag: str = "",
) -> Assessment:
    """`hooks_see`: whether hooks record what is read. Without them the advice is to note it. `flag`: what the commands
    that are advised need to act on the project of the transaction."""
    corrected = {name: _within(stated[name] - correction.get(name, 0.0)) for name in ("know", "uncertainty")}
    shortfalls = []
    if corrected["know"] < limits.know:
        shortfalls.append(
            Shortfall(
                vector="know", value=corrected["know"], needed=limits.know, advice=_advice("know", hooks_see, flag)
            )
        )
    if corrected["uncertainty"] > limits.uncertainty:
        shortfalls.append(
            Shortfall(
                vector="uncertainty",
                value=corrected["uncertainty"],
                needed=limits.uncertainty,
                advice=_advice("uncertainty", hooks_see, flag),
            )
        )
    applied = {name: shown for name, amount in correction.items() if (shown := round(amount, 4))}
    return Assessment(
        decision="investigate" if shortfalls else "proceed",
        corrected=corrected,
        correction=applied,
        shortfalls=tuple(shortfalls),
    )


def unchanged(assessment: Assessment, hooks_see: bool = True, flag: str = "") -> Assessment:
    """The assessment when nothing was learned since the last one: an `investigate` stands (SPEC 4.3)."""
    nothing = Shortfall(vector="learned", value=0.0, needed=1.0, advice=_advice("learned", hooks_see, flag))
    return Assessment(
        decision="investigate",
        corrected=assessment.corrected,
        correction=assessment.correction,
        shortfalls=(*assessment.shortfalls, nothing),
    )


def contradicted(assessment: Assessment, claims: int, advice: str) -> Assessment:
    """The assessment if the code contradicts so many claims that it may rest on."""
    shortfall = Shortfall(vector="claims", value=float(claims), needed=0.0, advice=advice)
    return Assessment(
        decision="investigate",
        corrected=assessment.corrected,
        correction=assessment.correction,
        shortfalls=(*assessment.shortfalls, shortfall),
    )


def _advice(about: str, hooks_see: bool, flag: str) -> str:
    return (ADVICE if hooks_see else ADVICE_WITHOUT_HOOKS)[about].format(flag=flag)


def _within(number: float) -> float:
    return round(max(0.0, min(1.0, number)), 4)
