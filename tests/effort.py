"""How much is tried of what has no end, or too many cases to try each time.

`make test` tries a part; `make test-long` tries the whole. A test that uses one of these is
marked `sampled`: conftest.py takes it into `make test-long` too.

    @tries(600)              # a property: so many examples, or a part of them
    @given(…)

    @sampled
    def test_…():
        for row in part(ROWS, 4): …     # all, or each fourth

    @crossed("damage", DAMAGES, "place", PLACES)
    def test_…(damage, place): …        # each damage and each place; `make test-long` tries each pair
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

Test = TypeVar("Test", bound=Callable[..., Any])
Row = TypeVar("Row")

is_full = False
"""Set by conftest.py before a test is imported: whether this is `make test-long`."""
_FEWEST = 50
_ONE_OF = 6

sampled = pytest.mark.sampled


def tries(most: int, **options: Any) -> Callable[[Test], Test]:
    few = min(most, max(_FEWEST, most // _ONE_OF))
    limit = settings(max_examples=most if is_full else few, **options)
    return lambda test: sampled(limit(test))


def part(rows: Sequence[Row], one_of: int, first: int = 0) -> Sequence[Row]:
    return rows if is_full else rows[first % one_of :: one_of]


def crossed(
    rows_named: str, rows: Iterable[Any], columns_named: str, columns: Iterable[Any], *, times: int = 1
) -> pytest.MarkDecorator:
    """Each of the rows with each of the columns. `make test` tries each row and each column, but not each pair: as many
    pairs as there are of the longer, so many times."""
    rows, columns = [*rows], [*columns]
    most = max(len(rows), len(columns))
    chosen = {(n % len(rows), (n + again) % len(columns)) for n in range(most) for again in range(times)}
    pairs = [
        pytest.param(row, column, marks=() if (number, other) in chosen else pytest.mark.long)
        for number, row in enumerate(rows)
        for other, column in enumerate(columns)
    ]
    return pytest.mark.parametrize((rows_named, columns_named), pairs)
