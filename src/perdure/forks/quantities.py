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
    "b byte bytes": (1,),
    "kb": (10**3, 2**10),
    "mb megabyte megabytes": (10**6, 2**20),
    "gb gigabyte gigabytes": (10**9, 2**30),
    "kib": (2**10,),
    "mib": (2**20,),
    "gib": (2**30,),
}
"""Many write MB and mean MiB."""
_SHARES: dict[str, tuple[float, ...]] = {"% percent": (1,)}
_DIMENSIONS: dict[str, dict[str, tuple[float, ...]]] = {"time": _SECONDS, "size": _BYTES, "share": _SHARES}
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
    """What it may mean, in seconds, bytes or percent."""


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
    found = _QUANTITY.match(plain)
    unit = _UNITS.get(found[2].casefold()) if found else None
    return Quantity(unit[0], _amounts(found[1], unit[1])) if found and unit else None


def same_quantity(given: str, ledger: str) -> bool | None:
    """Whether they are the same amount; None if they are not of one kind. A given number without a unit may be meant in
    any unit."""
    second = quantity(ledger)
    if second is None:
        return None
    bare = _BARE.fullmatch(in_digits(given.strip()))
    if bare:
        factors = [each for factors in _DIMENSIONS[second.dimension].values() for each in factors]
        factors += [100] if second.dimension == "share" else []  # 0.25 is 25%
        return not second.amounts.isdisjoint(_amounts(bare[0], factors))
    first = quantity(given)
    if first is None or first.dimension != second.dimension:
        return None
    return not first.amounts.isdisjoint(second.amounts)


def _amounts(number: str, factors: Iterable[float]) -> frozenset[float]:
    return frozenset(round(float(number) * factor, 6) for factor in factors)
