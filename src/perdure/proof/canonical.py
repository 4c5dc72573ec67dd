"""RFC 8785 canonical JSON, and what a payload must be made into before it can have canonical bytes.

`json`'s C encoder with sorted keys writes the same bytes as RFC 8785 for most payloads, ten times faster; where it
might not (keys beyond ASCII sort differently, some floats print differently) `rfc8785` does the work. A property
test holds the two against each other.

    canonical({"b": 1, "a": 0.7}) == b'{"a":0.7,"b":1}'
"""

from __future__ import annotations

from perdure.model.json import sorted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.event import Payload
    from perdure.model.json import Json

_SAFE_INTEGER = 2**53
_PLAIN_TYPES = frozenset((str, bool, type(None)))


def canonical(value: Json) -> bytes:
    if _prints_alike(value):
        return sorted_text(value).encode()
    from rfc8785 import dumps

    return dumps(value)


def _prints_alike(value: Json) -> bool:
    if type(value) in _PLAIN_TYPES:
        return True
    if isinstance(value, dict):
        return all(key.isascii() and _prints_alike(part) for key, part in value.items())
    if isinstance(value, list):
        return all(map(_prints_alike, value))
    if isinstance(value, int):
        return True
    # ECMAScript prints 1.0 as 1 and 1e-07 as 1e-7; everything between prints as Python's shortest repr does.
    text = repr(value)
    return "e" not in text and not text.endswith(".0") and "n" not in text


def storable(payload: Payload) -> tuple[Payload, int]:
    """The payload with what canonical JSON cannot carry made into what it can (SPEC 2.2), and how many lone
    surrogates were replaced by U+FFFD. Integers beyond 2^53 become strings."""
    counter = [0]
    made = _storable(payload, counter)
    assert isinstance(made, dict)
    return made, counter[0]


def _storable(value: Json, counter: list[int]) -> Json:
    if isinstance(value, str):
        return _text(value, counter)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_SAFE_INTEGER < value < _SAFE_INTEGER else str(value)
    if isinstance(value, float) and _SAFE_INTEGER <= abs(value) < 1e21:  # printed, and read again, as an integer
        return str(int(value))
    if isinstance(value, list):
        return [_storable(part, counter) for part in value]
    if isinstance(value, dict):
        return {_text(key, counter): _storable(part, counter) for key, part in value.items()}
    return value


def _text(text: str, counter: list[int]) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        whole = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
        counter[0] += sum(a != b for a, b in zip(text, whole, strict=True))
        return whole
    return text
