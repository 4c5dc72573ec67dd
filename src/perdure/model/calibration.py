"""Calibration: how far an agent's self-assessments were from the evidence, and what that corrects (SPEC 4.5, 4.7).

The formula is published in docs/calibration.md. For one transaction, from what the ledger saw:

    good = test runs passed + claims verified         bad = test runs failed + claims refuted + edits reverted
    know*        = good / (good + bad)                uncertainty* = bad / (good + bad)
    completion*  = mean of (last test run passed: 1 or 0) and (scenarios met / scenarios known), of those that exist
    error        = stated − evidence                  (none without evidence)

`know` and `uncertainty` are taken from the assessment that opened the gate, `completion` from POSTFLIGHT: what was
claimed before acting is what must be corrected before the next act (docs/adr/0006).

    correction = mean error × n / (n + 5), at most 0.15 either way
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.model.vectors import Vectors

CALIBRATED = ("know", "uncertainty", "completion")
SHRINK = 5
"""With `n` transactions, the part `n / (n + SHRINK)` of the bias is corrected."""
MOST = 0.15
"""The largest correction, up or down."""
BINS = 5
"""Into so many equal parts the curve of reliability divides the scale from 0 to 1."""


@value
class Evidence:
    """Counts of what the ledger saw under one transaction."""

    tests_passed: int = 0
    tests_failed: int = 0
    last_test_passed: bool | None = None
    claims_verified: int = 0
    claims_refuted: int = 0
    scenarios_met: int = 0
    scenarios_missed: int = 0
    edits_made: int = 0
    edits_reverted: int = 0


def evidence_for(seen: Evidence) -> Vectors:
    """The value of each calibrated vector that the evidence supports; a vector without evidence is absent."""
    good = seen.tests_passed + seen.claims_verified
    bad = seen.tests_failed + seen.claims_refuted + seen.edits_reverted
    supported: Vectors = {}
    if good + bad:
        supported["know"] = good / (good + bad)
        supported["uncertainty"] = bad / (good + bad)
    parts = [] if seen.last_test_passed is None else [float(seen.last_test_passed)]
    scenarios = seen.scenarios_met + seen.scenarios_missed
    if scenarios:
        parts.append(seen.scenarios_met / scenarios)
    if parts:
        supported["completion"] = sum(parts) / len(parts)
    return supported


@value
class Error:
    """One vector of one transaction: what was stated, what the evidence says, and the signed difference."""

    stated: float
    evidence: float

    @property
    def signed(self) -> float:
        return self.stated - self.evidence


def errors_of(gate_vectors: Mapping[str, float], postflight: Mapping[str, float], seen: Evidence) -> dict[str, Error]:
    stated = {name: value for name, value in gate_vectors.items() if name != "completion"}
    if "completion" in postflight:
        stated["completion"] = postflight["completion"]
    supported = evidence_for(seen)
    return {name: Error(stated[name], supported[name]) for name in CALIBRATED if name in stated and name in supported}


@value
class Bin:
    """One fifth of the scale, for the reliability curve."""

    count: int = 0
    stated: float = 0.0
    evidence: float = 0.0


@value
class Track:
    """What is known so far about one vector of one agent."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    bins: tuple[Bin, ...] = (Bin(),) * BINS

    @property
    def bias(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def spread(self) -> float:
        if self.count < 2:
            return 0.0
        variance = (self.squares - self.total * self.total / self.count) / (self.count - 1)
        return float(max(variance, 0.0) ** 0.5)

    @property
    def correction(self) -> float:
        """What is subtracted from the next value that the agent states."""
        if not self.count:
            return 0.0
        shrunk = self.bias * self.count / (self.count + SHRINK)
        return max(-MOST, min(MOST, shrunk))

    def with_error(self, error: Error) -> Track:
        which = min(int(error.stated * BINS), BINS - 1)
        old = self.bins[which]
        new = Bin(old.count + 1, old.stated + error.stated, old.evidence + error.evidence)
        signed = error.signed
        return Track(
            count=self.count + 1,
            total=self.total + signed,
            squares=self.squares + signed * signed,
            bins=(*self.bins[:which], new, *self.bins[which + 1 :]),
        )
