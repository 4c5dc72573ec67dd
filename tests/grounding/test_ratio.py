"""The share of grounded claims and decisions: each counted once, never above what was verified."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from perdure.grounding.ratio import Lines, Ratio, Said, ratio

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
        ([Said('"it" (adds), see `sum`:', True), Said("it adds see sum", False)], Ratio(0, 1)),
        ([Said("retries < 3", False), Said("retries > 3", True)], Ratio(1, 2)),
        ([Said("use C++", False), Said("use C", True)], Ratio(1, 2)),
        ([Said("it is -5", False), Said("it is 5", True)], Ratio(1, 2)),
        ([Said("a != b", False), Said("a = b", True)], Ratio(1, 2)),
        ([Said("it takes 3.5 s", False), Said("it takes 3 5 s", True)], Ratio(1, 2)),
    ],
)
def test_each_is_counted_once_and_a_refused_one_never_as_grounded(said: list[Said], expected: Ratio) -> None:
    assert ratio(said) == expected


def test_nothing_said_has_no_ratio_and_passes() -> None:
    assert ratio([]).share is None
    assert ratio([]).passes
    assert not ratio([TRUE, FALSE]).passes


@pytest.mark.parametrize(
    ("grounded", "total", "passes"), [(19, 20, True), (18, 19, False), (95, 100, True), (0, 1, False)]
)
def test_nineteen_of_twenty_are_enough_and_less_is_not(grounded: int, total: int, passes: bool) -> None:
    found = Ratio(grounded, total)
    assert found.passes == passes
    assert Ratio(grounded + found.lacking, total + found.lacking).passes
    assert not found.lacking or not Ratio(grounded + found.lacking - 1, total + found.lacking - 1).passes


def at(first: int, last: int, path: str = "a.py", words: str | None = None) -> Said:
    return Said(words or f"{path} {first} {last}", True, lines=Lines(path, first, last))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([at(3, 3, words=f"claim {n}") for n in range(100)], Ratio(1, 1)),
        ([at(3, 3), at(4, 4), at(3, 3, "b.py")], Ratio(3, 3)),
        ([at(1, 9), at(2, 2), at(3, 3)], Ratio(2, 2)),
        ([at(3, 4), at(3, 5), at(3, 6), at(2, 4)], Ratio(1, 1)),
        ([at(3, 3), FALSE, Said("x", False)], Ratio(1, 3)),
    ],
)
def test_what_rests_on_the_same_lines_counts_once(said: list[Said], expected: Ratio) -> None:
    assert ratio(said) == expected


def test_a_line_that_its_file_repeats_counts_once() -> None:
    """Else a file of one line, a thousand times, grounds a thousand claims."""
    repeated = frozenset({"assert result.is_valid()"})
    places = [Lines("tests.py", line, line, repeated) for line in range(1, 41)]
    places.append(Lines("tests.py", 50, 51, repeated | {"assert result.name == 'a'"}))
    said = [Said(f"claim {place.first}", True, lines=place) for place in places]
    assert ratio(said) == Ratio(2, 2)


def test_a_decision_is_not_grounded_by_a_claim_of_the_same_words() -> None:
    said = [Said("use WAL", False, kind="decision"), Said("use WAL", True, kind="claim")]
    assert ratio(said) == Ratio(1, 2)


@given(some.lists(some.builds(Said, words=some.text(max_size=4), grounded=some.booleans(), refused=some.booleans())))
def test_the_share_is_never_above_what_was_verified(said: list[Said]) -> None:
    found = ratio(said)
    true = {each.words for each in said if each.grounded and not each.refused}
    assert 0 <= found.grounded <= min(found.total, len(true))
    assert found.share is None or 0 <= found.share <= 1
    assert ratio([*said, *said]) == found
