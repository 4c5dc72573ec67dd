"""The moment that a person means with `--since`: yesterday, 2h, monday, 2026-11-10, 14:30. In local time. And how long
a person means: 10m, 1h30m."""

from __future__ import annotations

import time

from perdure.errors import BadInput
from perdure.model.ids import shown
from perdure.model.moment import DAY, HOUR, MINUTE, Moment

_UNITS = {"m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
_LENGTHS = {"s": 1000, "m": MINUTE, "h": HOUR}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FORMATS = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M")
EXAMPLES = "yesterday, today, 2h, 3d, monday, 14:30, 2026-01-31, '2026-01-31 14:30'"


def moment_since(text: str, now: Moment) -> Moment:
    words = text.strip().lower()
    found = _before(words, now)
    if found is None:
        found = _day(words, now)
    if found is None:
        found = _written_out(words, now)
    if found is None:
        raise BadInput("bad_time", f"--since: {shown(text)} is not a time.", hint=f"Such as {EXAMPLES}.")
    return Moment(max(0, found))


def _before(words: str, now: Moment) -> int | None:
    """So long ago: 30m, 2h, 3d, 1w."""
    number, unit = words[:-1], words[-1:]
    if unit in _UNITS and number.isascii() and number.isdecimal() and len(number) <= 5:
        return now - int(number) * _UNITS[unit]
    return None


def _day(words: str, now: Moment) -> int | None:
    """The first moment of a day."""
    today = time.localtime(now / 1000)
    if words in _WEEKDAYS:
        return _midnight(today, (today.tm_wday - _WEEKDAYS.index(words)) % 7)
    back = {"today": 0, "yesterday": 1}.get(words)
    return None if back is None else _midnight(today, back)


def _midnight(today: time.struct_time, days_ago: int) -> int:
    """By the calendar: a day on which clocks change does not have 24 hours."""
    return int(time.mktime((today.tm_year, today.tm_mon, today.tm_mday - days_ago, 0, 0, 0, 0, 0, -1))) * 1000


def _written_out(words: str, now: Moment) -> int | None:
    today = time.strftime("%Y-%m-%d", time.localtime(now / 1000))
    for text in (words.upper(), f"{today} {words}"):
        for each in _FORMATS:
            try:
                return int(time.mktime((*time.strptime(text, each)[:8], -1))) * 1000
            except (ValueError, OverflowError):
                continue
    return None


def length_of(text: str) -> int:
    """How long a person means, in milliseconds: 90s, 10m, 2h, 1h30m."""
    total, rest = 0, text.strip().lower()
    while rest:
        length, rest = _first_part(rest)
        if not length:
            total = 0
            break
        total += length
    if not total:
        raise BadInput("bad_duration", f"{shown(text)} is not a length of time.", hint="Such as 10m, 90s, 2h, 1h30m.")
    return total


def _first_part(words: str) -> tuple[int, str]:
    """`1h30m` → one hour, and what follows; 0 if it begins with no length."""
    digits = len(words) - len(words.lstrip("0123456789"))
    unit = _LENGTHS.get(words[digits : digits + 1], 0)
    return (int(words[:digits]) * unit if 0 < digits <= 6 else 0), words[digits + 1 :]
