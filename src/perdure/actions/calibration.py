"""Lists how reliable each agent's self-assessments were, for `perdure calibration` (SPEC 4.7). The arithmetic is in
`model/calibration.py`."""

from __future__ import annotations

from perdure.model.calibration import BINS, Track
from perdure.model.state import AgentRecord
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk


@value
class Point:
    """One fifth of the scale: how many values were stated there, and the averages of what was stated and of the
    evidence."""

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
    rows = []
    for document in sorted(desk.ledger.documents("agent"), key=lambda found: found.id):
        if isinstance(document.body, AgentRecord) and agent in (None, document.id):
            rows += [_row(document.id, name, track) for name, track in sorted(document.body.tracks.items())]
    return rows


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
