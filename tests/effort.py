"""How much is tried of what has no end, or too many cases to try each time.

`make test` tries a part; `make test-long` tries the whole. A test that uses one of these is
marked `sampled`: conftest.py takes it into `make test-long` too.

    @tries(600)              # a property: so many examples, or a part of them
    @given(…)

    @sampled
    def test_…():
        for row in part(ROWS, 4): …     # all, or each fourth
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
