"""Calibration for people: per agent, what its numbers were worth (SPEC 4.7). The arithmetic is `model.calibration`."""

from __future__ import annotations

from perdure.model.calibration import BINS, Track
from perdure.model.state import AgentRecord
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk


@value
class Point:
    """One fifth of the scale: how often it was stated there, what was stated and what the evidence said, on average."""

    low: float
    count: int
    stated: float
    evidence: float


@value
class VectorCalibration:
    agent: str
    vector: str
    transactions: int
    bias: float
    spread: float
    correction: float
    curve: tuple[Point, ...]


def calibration(desk: Desk, agent: str | None = None) -> list[VectorCalibration]:
    found = [d for d in desk.ledger.documents("agent") if isinstance(d.body, AgentRecord)]
    return [
        _row(document.id, name, track)
        for document in sorted(found, key=lambda d: d.id)
        if agent in (None, document.id) and isinstance(document.body, AgentRecord)
        for name, track in sorted(document.body.tracks.items())
    ]


def _row(agent: str, name: str, track: Track) -> VectorCalibration:
    curve = tuple(
        Point(low=number / BINS, count=b.count, stated=b.stated / b.count, evidence=b.evidence / b.count)
        for number, b in enumerate(track.bins)
        if b.count
    )
    return VectorCalibration(
        agent=agent,
        vector=name,
        transactions=track.count,
        bias=track.bias,
        spread=track.spread,
        correction=track.correction,
        curve=curve,
    )
