"""Confidence: a declared table, bounded in each turn (SPEC 10.7)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from perdure.model import confidence as c
from perdure.model import payload as p
from tests.effort import for_each

from .samples import ID, event_of

HAPPENED = [
    ("test failed", "test.run", p.TestRun("t", 1, 1)),
    ("test failed", "test.run", p.TestRun("t", 5, 0, outcome="failed")),
    ("all tests passed", "test.run", p.TestRun("t", 1, 0, outcome="succeeded", whole=True)),
    ("some tests passed", "test.run", p.TestRun("t", 1, 0, outcome="succeeded", why="it ran a selection")),
    (None, "test.run", p.TestRun("t", 1, 0, why="a pipe")),
    (None, "test.run", p.TestRun("t", 0, 0, outcome="succeeded")),
    ("build or lint passed", "check.run", p.CheckRun("ruff check", "lint", True)),
    ("build or lint failed", "check.run", p.CheckRun("make", "build", False)),
    ("fabricated citation", "claim.refused", p.ClaimRefused("x", "citation", "no")),
    ("claim refuted", "claim.refuted", p.ClaimRefuted(ID)),
    ("claim verified", "claim.verified", p.ClaimVerified(ID)),
    ("scenario met", "scenario.met", p.ScenarioMet("x")),
    ("scenario missed", "scenario.missed", p.ScenarioMissed("x")),
    ("edit reverted", "edit.reverted", p.EditReverted("a")),
    ("edit of an unread file", "edit.made", p.EditMade("a", True)),
    (None, "edit.made", p.EditMade("a")),
    ("same command failed three times", "command.run", p.CommandRun("x", "failed", failed_in_a_row=3)),
    ("same command failed three times", "command.run", p.CommandRun("x", "failed", failed_in_a_row=6)),
    (None, "command.run", p.CommandRun("x", "failed", failed_in_a_row=2)),
    (None, "command.run", p.CommandRun("x", "succeeded")),
    ("command interrupted", "command.run", p.CommandRun("x", "interrupted")),
    ("person confirmed", "transaction.overridden", p.TransactionOverridden("it is fine")),
]


@for_each(("row", "kind", "payload"), HAPPENED)
def test_an_event_is_the_row_of_the_table_that_it_says(row: str | None, kind: str, payload: object) -> None:
    assert c.row_of(event_of(kind, p.write(payload))) == row


def test_every_row_of_the_table_can_happen() -> None:
    assert {row for row, _, _ in HAPPENED if row} == set(c.TABLE)


@given(st.lists(st.sampled_from(sorted(c.TABLE.values())), max_size=60), st.integers(0, 100))
def test_one_turn_changes_it_only_so_far(points: list[int], before: int) -> None:
    confidence, turned = before, 0
    for each in points:
        confidence, turned = c.after(confidence, turned, points=each)
        assert c.LEAST <= confidence <= c.MOST
        assert -c.MOST_DOWN <= turned <= c.MOST_UP
    assert before - c.MOST_DOWN <= confidence <= before + c.MOST_UP
