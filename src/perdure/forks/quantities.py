"""Numbers with a unit, so that 30 minutes and 1800 s are the same, and 60 minutes is not."""

from __future__ import annotations

import re

_QUANTITY = re.compile(r"([+-]?\d{1,15}(?:\.\d{1,9})?)\s*([a-zµ%]+)(?![\w-])", re.I)
_SECONDS = {
    "ms msec msecs millisecond milliseconds": 0.001,
    "s sec secs second seconds": 1,
    "m min mins minute minutes": 60,
    "h hr hrs hour hours": 3600,
    "d day days": 86400,
    "w week weeks": 604800,
}
_BYTES = {
    "b byte bytes": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
}
_SHARES = {"% percent": 1}
_UNITS = {
    unit: (dimension, factor)
    for dimension, table in (("time", _SECONDS), ("size", _BYTES), ("share", _SHARES))
    for names, factor in table.items()
    for unit in names.split()
}


def quantity(text: str) -> tuple[str, float] | None:
    """What a text begins with: a dimension and an amount. None if it does not begin with a number and a known unit."""
    found = _QUANTITY.match(text.strip())
    unit = _UNITS.get(found[2].casefold()) if found else None
    return (unit[0], round(float(found[1]) * unit[1], 6)) if found and unit else None
