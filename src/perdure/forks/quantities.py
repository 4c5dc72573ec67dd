"""Numbers with a unit, so that 30 minutes, half an hour, 1_800 s and 0:30:00 are the same, and 60 minutes is not."""

from __future__ import annotations

import re

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER = r"[+-]?\d{1,15}(?:\.\d{1,9})?"
_QUANTITY = re.compile(rf"({_NUMBER})\s*([a-zµ%]+)(?![\w-])", re.I)
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)(?![\w:])")
_BARE = re.compile(_NUMBER)
_RATE = re.compile(
    rf"({_NUMBER})\s*(?:([a-z]+)(?:\s+[a-z]+)?)?\s*(?:/\s*|\b(?:per|an?|each|every)\s+)([a-z]+)(?![\w-])", re.I
)
"""A number of something in a unit of time; the thing may be left out, or be an amount: 100/min, 10 MB per second."""
_BETWEEN_GROUPS = re.compile(r"(?<=\d)_(?=\d)|(?<=\d)[,'’ \u00a0\u202f](?=\d{3}(?!\d))")
_SCIENTIFIC = re.compile(r"(?<![\w.])[+-]?\d{1,15}(?:\.\d{1,9})?e[+-]?\d(?![\w.])", re.I)
_THOUSANDS = re.compile(r"(?<![\w.])(\d{1,12}(?:\.\d{1,3})?)k(?![\w-])", re.I)
_HALF = re.compile(r"\Ahalf\s+an?\s+", re.I)
_WORDS = {
    **{
        word: number
        for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
    },
    **{
        word: 10 * number
        for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
    },
}
_WORD = re.compile(rf"\A(?:{'|'.join(_WORDS)})(?=\s+[a-z]|%)", re.I)
_SECONDS: dict[str, tuple[float, ...]] = {
    "ms msec msecs millisecond milliseconds": (0.001,),
    "s sec secs second seconds": (1,),
    "m min mins minute minutes": (60,),
    "h hr hrs hour hours": (3600,),
    "d day days": (86400,),
    "w week weeks": (604800,),
}
_BYTES: dict[str, tuple[float, ...]] = {
    "bit bits": (1 / 8,),
    "kbit kbits kilobit kilobits": (10**3 / 8,),
    "mbit mbits megabit megabits": (10**6 / 8,),
    "gbit gbits gigabit gigabits": (10**9 / 8,),
    "b byte bytes": (1,),
    "kb": (10**3, 2**10),
    "mb megabyte megabytes": (10**6, 2**20),
    "gb gigabyte gigabytes": (10**9, 2**30),
    "kib": (2**10,),
    "mib": (2**20,),
    "gib": (2**30,),
}
"""Many write MB and mean MiB."""
_HERTZ: dict[str, tuple[float, ...]] = {"hz hertz": (1,), "khz": (10**3,), "mhz": (10**6,), "ghz": (10**9,)}
_METRES: dict[str, tuple[float, ...]] = {
    "mm": (0.001,),
    "cm": (0.01,),
    "metre metres meter meters": (1,),
    "km": (1000,),
}
_GRAMS: dict[str, tuple[float, ...]] = {"mg": (0.001,), "g gram grams": (1,), "kg": (1000,)}
_VOLTS: dict[str, tuple[float, ...]] = {"mv": (0.001,), "v volt volts": (1,), "kv": (1000,)}
_WATTS: dict[str, tuple[float, ...]] = {"mw": (0.001, 10**6), "w watt watts": (1,), "kw": (1000,)}
_SHARES: dict[str, tuple[float, ...]] = {"% percent": (1,)}
_RATES: dict[str, tuple[float, ...]] = {"rps qps tps": (1,), "rpm": (1 / 60,), "rph": (1 / 3600,), "rpd": (1 / 86400,)}
"""A second."""
_DIMENSIONS: dict[str, dict[str, tuple[float, ...]]] = {
    "time": _SECONDS,
    "size": _BYTES,
    "share": _SHARES,
    "rate": _RATES,
    "size rate": {"bps": (1 / 8,), "kbps": (10**3 / 8,), "mbps": (10**6 / 8,), "gbps": (10**9 / 8,)},
    "frequency": _HERTZ,
    "length": _METRES,
    "weight": _GRAMS,
    "voltage": _VOLTS,
    "power": _WATTS,
}
_UNITS = {
    unit: (dimension, factors)
    for dimension, table in _DIMENSIONS.items()
    for names, factors in table.items()
    for unit in names.split()
}


@value
class Quantity:
    dimension: str
    amounts: frozenset[float]
    """What it may mean, in the base unit of its dimension: seconds, bytes, percent, so many a second, …"""


def in_digits(text: str) -> str:
    """With its numbers in plain digits: 30_000, 30,000, 30 000, 30k and 3e4 are 30000. A number at its beginning may be
    a word: half an hour, two weeks."""
    plain = _BETWEEN_GROUPS.sub("", text)
    plain = _SCIENTIFIC.sub(lambda found: _decimal(float(found[0])), plain)
    plain = _THOUSANDS.sub(lambda found: _decimal(float(found[1]) * 1000), plain)
    return _WORD.sub(lambda found: str(_WORDS[found[0].casefold()]), _HALF.sub("0.5 ", plain))


def _decimal(number: float) -> str:
    return f"{number:.12f}".rstrip("0").rstrip(".")


def quantity(text: str) -> Quantity | None:
    """What a text begins with; None if that is not a number with a known unit, or hours, minutes and seconds."""
    plain = in_digits(text.strip())
    clock = _CLOCK.match(plain)
    if clock:
        return Quantity("time", frozenset({float(int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3]))}))
    rate = _rate(plain)
    if rate:
        return rate
    found = _QUANTITY.match(plain)
    unit = _UNITS.get(found[2].casefold()) if found else None
    return Quantity(unit[0], _amounts(found[1], unit[1])) if found and unit else None


def _rate(plain: str) -> Quantity | None:
    found = _RATE.match(plain)
    each = _UNITS.get(found[3].casefold()) if found else None
    if found is None or each is None or each[0] != "time":
        return None
    counted, factors = _UNITS.get((found[2] or "").casefold(), ("", (1.0,)))
    if counted == "time":  # 30 minutes a day
        return None
    amounts = (factor / seconds for factor in factors for seconds in each[1])
    return Quantity("size rate" if counted == "size" else "rate", _amounts(found[1], amounts))


def same_quantity(given: str, ledger: str) -> bool | None:
    """Whether they are the same amount; None if they are not of one kind. A number without a unit may be meant in any
    unit."""
    first, second = quantity(given), quantity(ledger)
    if first is None or second is None:
        return _may_be(given, second) if second else _may_be(ledger, first) if first else None
    if first.dimension != second.dimension:
        return None
    return not first.amounts.isdisjoint(second.amounts)


def _may_be(text: str, amount: Quantity) -> bool | None:
    """Whether a bare number means this amount in one of its units; None if the text is not a bare number."""
    bare = _BARE.fullmatch(in_digits(text.strip()))
    if bare is None:
        return None
    factors = [each for factors in _DIMENSIONS[amount.dimension].values() for each in factors]
    factors += [100] if amount.dimension == "share" else []  # 0.25 is 25%
    return not amount.amounts.isdisjoint(_amounts(bare[0], factors))


def _amounts(number: str, factors: Iterable[float]) -> frozenset[float]:
    return frozenset(round(float(number) * factor, 9) for factor in factors)
