"""The JSON value type, and the one way text becomes JSON and back (never NaN, never a duplicate key unseen)."""

from __future__ import annotations

from json import JSONEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Json: TypeAlias = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_COMPACT = JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def compact(value: object) -> str:
    """Dense JSON in the order given: for files and answers that people may read. Hashing uses `proof.canonical`."""
    return _COMPACT.encode(value)
