"""Time: UTC, milliseconds. An event carries a `Stamp` (RFC 3339 text); arithmetic is done on a `Moment` (SPEC 2.2).

stamp(Moment(1767225600000)) == "2026-01-01T00:00:00.000Z";  moment_of("2026-01-01T00:00:00.000Z") == 1767225600000
"""

from __future__ import annotations

import time

from perdure.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NewType

    Stamp = NewType("Stamp", str)
    Moment = NewType("Moment", int)
else:
    Stamp, Moment = str, int

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
_LAST = 253_402_300_799_999
"""The last millisecond of the year 9999: a `Stamp` has four digits for the year. It counts from 1970."""


def now() -> Moment:
    return _writable(Moment(time.time_ns() // 1_000_000))


def _writable(moment: Moment) -> Moment:
    """A machine whose clock was never set, or is set to nonsense, must still be able to work: the order of events comes
    from `clock` and `seq`, not from the time (SPEC 2.2)."""
    return Moment(min(max(moment, 0), _LAST))


def stamp(moment: Moment) -> Stamp:
    seconds, millis = divmod(_writable(moment), 1000)
    year, month, day, hour, minute, second, *_ = time.gmtime(seconds)
    return Stamp(f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")


def local_time(moment: Moment) -> str:
    """As the person's clock shows it: with the day, unless that is today."""
    then, today = time.localtime(moment / 1000), time.localtime()
    return time.strftime("%H:%M" if then[:3] == today[:3] else "%a %d %b %H:%M", then)


def moment_of(text: Stamp) -> Moment:
    """The inverse of `stamp`."""
    minutes = _minutes(text[:16])
    return Moment(minutes * MINUTE + int(text[17:19]) * 1000 + int(text[20:23]))


def read_stamp(text: str) -> Stamp:
    """Reads a time from outside. It must be written exactly as `stamp` writes it."""
    if not is_stamp(text):
        raise BadInput("bad_time", f"{text[:40]!r} is not a time such as 2026-01-01T00:00:00.000Z.")
    return Stamp(text)


def is_stamp(text: str) -> bool:
    try:
        return stamp(moment_of(Stamp(text))) == text
    except (ValueError, OverflowError, OSError):
        return False


def _minutes(text: str) -> int:
    """Cached, because events come in bunches: most calls ask for the same minute as the call before."""
    found = _LATEST.get(text)
    if found is None:
        days = _days(int(text[:4]), int(text[5:7]), int(text[8:10]))
        found = (days * 24 + int(text[11:13])) * 60 + int(text[14:16])
        _LATEST.clear()
        _LATEST[text] = found
    return found


_LATEST: dict[str, int] = {}


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the Gregorian calendar, counting years from March so that leap days come last."""
    if not 1 <= month <= 12 or not 1970 <= year <= 9999:
        raise ValueError
    year -= month <= 2
    since_march = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return year * 365 + year // 4 - year // 100 + year // 400 + since_march - 719468


def seconds_between(earlier: Moment, later: Moment) -> float:
    """Never negative: if the clock was set back, the answer is 0."""
    return max(0, later - earlier) / 1000


def epoch_seconds(moment: Moment) -> float:
    return moment / 1000
