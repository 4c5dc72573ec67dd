"""What is said of a place that a line names, after a look at the work tree."""

from __future__ import annotations

import pytest

from perdure.recovery.source_locations import SourceLocations

FILE = ["import money", "", "def total_in_cents(cart):", "    return sum(cart)", "def rounded(cart): ...", "rounded"]


def checked(line: str, lines: list[str] | None = FILE) -> str:
    there = {"src/", "src/cart.py"}
    return SourceLocations(lambda path: path in there, lambda _: lines).checked(line)


@pytest.mark.parametrize(
    ("line", "behind"),
    [
        ("src/cart.py:3: undefined: total_in_cents", ""),
        ("src/cart.py:3:9: undefined: total_in_cents", ""),
        ("src/cart.py:1: undefined: total_in_cents", " (now at line 3)"),
        ("src/cart.py:90: undefined: total_in_cents", " (now at line 3)"),
        ("src/cart.py:1: `rounded` is wrong", ""),
        ("src/cart.py:90: `rounded` is wrong", " (moved)"),
        ("src/cart.py:2: no name is told", ""),
        ("src/cart.py:90: no name is told", " (moved)"),
        ("src/cart.py:0: no name is told", " (moved)"),
        ("src/cart.py:99999999999999999999999: no name is told", " (moved)"),
        ("src/gone.py:1: undefined: total_in_cents", " (gone)"),
        ("elsewhere/gone.py:1: undefined: total_in_cents", ""),
        ("no place at all", ""),
    ],
)
def test_a_place_that_has_drifted_carries_its_new_place_where_one_can_be_told(line: str, behind: str) -> None:
    assert checked(line) == line + behind


def test_a_file_that_cannot_be_read_and_a_work_tree_that_is_not_there_leave_a_line_as_it_is() -> None:
    line = "src/cart.py:90: no name is told"
    assert checked(line, None) == line
    assert SourceLocations(lambda _: None).checked(line) == line
