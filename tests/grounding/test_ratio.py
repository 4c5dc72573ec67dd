"""The share of grounded claims and decisions: each counted once, never above what was verified."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from perdure.grounding.ratio import Ratio, Said, ratio

TRUE, FALSE, REFUSED = Said("it adds", True), Said("it divides", False), Said("it adds", True, refused=True)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([], Ratio(0, 0)),
        ([TRUE], Ratio(1, 1)),
        ([TRUE, FALSE], Ratio(1, 2)),
        ([TRUE] * 100 + [FALSE], Ratio(1, 2)),
        ([TRUE, Said("It  adds.", True), Said("IT\nADDS!", True), FALSE], Ratio(1, 2)),
        ([Said("it adds", False), TRUE], Ratio(1, 1)),
        ([TRUE, Said("it adds", False)], Ratio(0, 1)),
        ([TRUE, REFUSED], Ratio(1, 2)),
        ([REFUSED, REFUSED, TRUE], Ratio(1, 2)),
        ([REFUSED], Ratio(0, 1)),
        ([Said("+", True), Said("-", False)], Ratio(1, 2)),
    ],
)
def test_each_is_counted_once_and_a_refused_one_never_as_grounded(said: list[Said], expected: Ratio) -> None:
    assert ratio(said) == expected


def test_nothing_said_has_no_ratio_and_passes() -> None:
    assert ratio([]).share is None
    assert ratio([]).passes(0.95)
    assert not ratio([TRUE, FALSE]).passes(0.95)


@given(some.lists(some.builds(Said, words=some.text(max_size=4), grounded=some.booleans(), refused=some.booleans())))
def test_the_share_is_never_above_what_was_verified(said: list[Said]) -> None:
    found = ratio(said)
    true = {each.words for each in said if each.grounded and not each.refused}
    assert 0 <= found.grounded <= min(found.total, len(true))
    assert found.share is None or 0 <= found.share <= 1
    assert ratio([*said, *said]) == found
