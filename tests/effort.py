"""What makes many cases cheap.

Many rows in one test, since pytest itself takes milliseconds for each test, more than most rows do. A row that fails is
named, and the others are tried. Such a test takes its row and nothing else: no row finds what another left behind.

    @for_each("word", WORDS)                # as parametrize
    def test_…(word): …

A part of what has no end, or has too many cases to try each time. `make test` tries a part, `make test-long` the whole:
conftest.py takes what is marked `sampled` into it.

    @tries(600)                         # a property: so many examples, or a part of them
    @given(…)

    @sampled
    def test_…():
        for row in part(ROWS, 4): …     # all, or each fourth

    @crossed("damage", DAMAGES, "place", PLACES)
    def test_…(damage, place): …        # each damage and each place; `make test-long` tries each pair
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from traceback import format_exception
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


_TOGETHER = 60


def for_each(
    names: str | tuple[str, ...], rows: Iterable[Any], *, ids: Callable[[Any], object] | None = None
) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    given = [*rows]
    assert given, "no rows: nothing would be tested"
    several = names.split(", ") if isinstance(names, str) else [*names]

    def decorate(test: Callable[..., None]) -> Callable[[int], None]:
        def rows_of(start: int) -> None:
            failed = []
            for row in given[start : start + _TOGETHER]:
                try:
                    test(**dict(zip(several, row if len(several) > 1 else (row,), strict=True)))
                except Exception as error:
                    said = "".join(format_exception(error)[-2:])
                    failed.append(f"{ids(row) if ids and len(several) == 1 else repr(row)[:200]}:\n{said}")
            assert not failed, f"{len(failed)} failed\n\n" + "\n".join(failed)

        rows_of.__name__, rows_of.__qualname__, rows_of.__doc__ = test.__name__, test.__qualname__, test.__doc__
        rows_of.__module__ = test.__module__
        return pytest.mark.parametrize("start", range(0, len(given), _TOGETHER))(rows_of)

    return decorate
