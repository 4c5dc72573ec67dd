"""Times are UTC, RFC 3339, milliseconds, in one way of writing them (SPEC 2.2)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perdure.errors import BadInput
from perdure.model.moment import DAY, HOUR, MINUTE, Moment, epoch_seconds, moment_of, now, read_stamp, stamp
from tests.effort import for_each

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
LAST = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z


@given(st.integers(0, LAST))
@example(0)
@example(LAST)
@example(951_782_400_000)  # 2000-02-29
@example(4_107_542_400_000)  # 2100-03-01: no leap year
def test_a_moment_written_and_read_is_the_same(millis: int) -> None:
    written = stamp(Moment(millis))
    assert moment_of(written) == millis
    assert read_stamp(written) == written
    # datetime as the second opinion; timedelta keeps it exact where a float would not
    assert written == (FIRST + timedelta(milliseconds=millis)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@given(st.lists(st.integers(0, LAST), min_size=2, max_size=6))
def test_reading_one_time_does_not_change_how_the_next_is_read(several: list[int]) -> None:
    stamps = [stamp(Moment(millis)) for millis in several]
    assert [moment_of(text) for text in stamps] == several
    assert [moment_of(text) for text in reversed(stamps)] == several[::-1]


@given(st.integers(0, LAST - 1))
def test_later_moments_sort_later_as_text(millis: int) -> None:
    assert stamp(Moment(millis)) < stamp(Moment(millis + 1))


@for_each(
    "text",
    [
        "",
        "2026-01-01",
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.000",
        "2026-01-01T00:00:00.000+00:00",
        "2026-01-01T00:00:00.000000Z",
        "2026-01-01 00:00:00.000Z",
        "2026-01-01t00:00:00.000z",
        " 2026-01-01T00:00:00.000Z",
        "2026-01-01T00:00:00.000Z\n",
        "2026-02-29T00:00:00.000Z",
        "2026-02-30T00:00:00.000Z",
        "2026-13-01T00:00:00.000Z",
        "2026-00-01T00:00:00.000Z",
        "2026-01-00T00:00:00.000Z",
        "2026-01-32T00:00:00.000Z",
        "2026-01-01T24:00:00.000Z",
        "2026-01-01T00:60:00.000Z",
        "2026-12-31T23:59:60.000Z",
        "1969-12-31T23:59:59.999Z",
        "0000-01-01T00:00:00.000Z",
        "10000-01-01T00:00:00.000Z",
        "+026-01-01T00:00:00.000Z",
        "2_26-01-01T00:00:00.000Z",
        "２０２６-01-01T00:00:00.000Z",
        "2026-01-01T00:00:00.+00Z",
        "2026-01-01T-1:00:00.000Z",
        "1767225600000",
        "not a time at all, but 24",
        "x" * 100_000,
    ],
)
def test_any_other_way_of_writing_a_time_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_stamp(text)
    assert caught.value.code == "bad_time"
    assert len(caught.value.message) < 200


@given(st.text(max_size=30) | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}.[0-9]{3}Z"))
def test_no_text_is_a_time_but_the_one_stamp_writes(text: str) -> None:
    try:
        found = read_stamp(text)
    except BadInput:
        return
    assert stamp(moment_of(found)) == text


def test_now_is_now() -> None:
    assert abs(now() - datetime.now(UTC).timestamp() * 1000) < 10_000


def test_units() -> None:
    assert (MINUTE, HOUR, DAY) == (60_000, 3_600_000, 86_400_000)
    assert epoch_seconds(Moment(1_500)) == 1.5
