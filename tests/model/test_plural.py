"""A number and what it counts."""

from __future__ import annotations

import pytest

from perdure.model.plural import counted, counted_many


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (0, ("event",), "0 events"),
        (1, ("event",), "1 event"),
        (2, ("transaction file",), "2 transaction files"),
        (1200, ("event",), "1,200 events"),
        (1, ("entry", "entries"), "1 entry"),
        (3, ("entry", "entries"), "3 entries"),
    ],
)
def test_one_is_told_in_the_singular_and_any_other_number_in_the_plural(
    number: int, words: tuple[str, ...], said: str
) -> None:
    assert counted(number, *words) == said


@pytest.mark.parametrize(
    ("number", "many", "said"),
    [
        (1, "approaches", "1 approach"),
        (1, "next steps", "1 next step"),
        (2, "files", "2 files"),
        (1, "files", "1 file"),
    ],
)
def test_a_caller_may_give_the_plural(number: int, many: str, said: str) -> None:
    assert counted_many(number, many) == said
