"""Confidence, 0 to 100: how far the work may be trusted, by what happened in it (SPEC 10.7).

`TABLE` is all of it: what lowers it, what raises it, by how many points. It begins at `START`, and changes by at most
`MOST_DOWN` or `MOST_UP` in one turn, so that one bad or good moment does not decide. Pure: `points_of` reads one event,
`after` adds them up.

    after(75, 0, points=-8) == (67, -8)
"""

from __future__ import annotations

from perdure.model import payload as p

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.event import Event

START = 75
LEAST, MOST = 0, 100
MOST_DOWN, MOST_UP = 30, 15
"""Points in one turn: from one prompt of the person to the next."""
IN_A_ROW = 3
"""How many failures of one command in a row lower it; as many more lower it again."""

TABLE: dict[str, int] = {
    "test failed": -8,
    "build or lint failed": -3,
    "fabricated citation": -15,
    "claim refuted": -6,
    "scenario missed": -6,
    "edit reverted": -4,
    "edit of an unread file": -5,
    "same command failed three times": -10,
    "command interrupted": -4,
    "all tests passed": 8,
    "some tests passed": 3,
    "build or lint passed": 3,
    "claim verified": 3,
    "scenario met": 5,
    "person confirmed": 15,
}
"""What happened → points. A person confirms by opening the gate by hand. docs/evidence.md has the same table."""


def points_of(event: Event) -> int:
    row = row_of(event)
    return TABLE[row] if row else 0


def row_of(event: Event) -> str | None:
    """The row of the table that the event belongs to; None if it belongs to none."""
    always = _ALWAYS.get(event.kind)
    if always:
        return always
    if event.kind == "test.run":
        return _of_tests(p.read(event, p.TestRun))
    if event.kind == "command.run":
        return _of_command(p.read(event, p.CommandRun))
    checked, edited = p.read(event, p.CheckRun), p.read(event, p.EditMade)
    if checked:
        return "build or lint passed" if checked.passed else "build or lint failed"
    return "edit of an unread file" if edited and edited.unread else None


_ALWAYS = {
    "claim.refused": "fabricated citation",
    "claim.refuted": "claim refuted",
    "claim.verified": "claim verified",
    "scenario.met": "scenario met",
    "scenario.missed": "scenario missed",
    "edit.reverted": "edit reverted",
    "transaction.overridden": "person confirmed",
}


def _of_tests(run: p.TestRun | None) -> str | None:
    if run is None:
        return None
    if run.is_bad:
        return "test failed"
    if not run.is_good:
        return None
    return "all tests passed" if run.whole else "some tests passed"


def _of_command(ran: p.CommandRun | None) -> str | None:
    if ran is None:
        return None
    if ran.outcome == "interrupted":
        return "command interrupted"
    failed = ran.failed_in_a_row or 0
    return "same command failed three times" if failed and failed % IN_A_ROW == 0 else None


def after(confidence: int, turned: int, *, points: int) -> tuple[int, int]:
    """Confidence and its change in this turn, after so many points more."""
    wanted = max(-MOST_DOWN, min(MOST_UP, turned + points))
    new = max(LEAST, min(MOST, confidence + wanted - turned))
    return new, turned + new - confidence
