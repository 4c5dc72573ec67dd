"""The JSON value type, and the way text becomes JSON and back in what every hook loads: never NaN.

`json` imports `re` and `enum`, which cost a hook as much as starting its interpreter (docs/adr/0003). So we call the
scanner and the encoder below it directly, and `json` itself only if they are missing.

    compact({"a": 1}) == '{"a":1}';  parse('{"a": 1}') == {"a": 1}
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Json: TypeAlias = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _no_default(given: object) -> object:
    raise TypeError(f"{type(given).__name__} is not JSON")


class _Wants:
    """The attributes that the C scanner reads from its caller."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_no_constant)
    memo: dict[str, str] = {}  # noqa: RUF012 - asked for by old interpreters


def _fast() -> tuple[Callable[[object], str], Callable[[object], str], Callable[[str, int], tuple[Json, int]]]:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner

    dense = make_encoder(None, _no_default, encode_basestring, None, ":", ",", False, False, False)
    plain = make_encoder(None, _no_default, encode_basestring_ascii, None, ":", ",", False, False, False)
    return (lambda given: "".join(dense(given, 0))), (lambda given: "".join(plain(given, 0))), make_scanner(_Wants)  # type: ignore[arg-type]


def _plain() -> tuple[Callable[[object], str], Callable[[object], str], Callable[[str, int], tuple[Json, int]]]:
    from json import JSONDecoder, JSONEncoder

    dense = JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    plain = JSONEncoder(separators=(",", ":"), allow_nan=False)
    return dense.encode, plain.encode, JSONDecoder(parse_constant=_no_constant).raw_decode


try:
    _dense, _ascii, _scan = _fast()
except (ImportError, TypeError):  # another interpreter, or a version with other internals
    _dense, _ascii, _scan = _plain()

_SPACES = " \t\n\r"


def compact(value: object) -> str:
    """JSON without spaces, in the order given: for files and answers that people may read. Hashing uses
    `proof.canonical`."""
    return _dense(value)


def compact_bytes(value: object) -> bytes:
    """`compact` for a digest. Bytes that are no text, in a file that was damaged, come out as they were read."""
    return _dense(value).encode("utf-8", "surrogateescape")


def compact_ascii(value: object) -> str:
    """The same, with everything outside ASCII escaped: any stream can carry it, and it can hold a lone surrogate."""
    return _ascii(value)


def parse(text: str) -> Json:
    """Reads one JSON value. ValueError if the text is not JSON, RecursionError if it is nested too deeply, as with
    `json`."""
    begin = len(text) - len(text.lstrip(_SPACES))
    try:
        found, end = _scan(text, begin)
    except (StopIteration, SystemError):  # SystemError: the scanner could not import `json.decoder` for its error
        raise ValueError("not JSON") from None
    if text[end:].strip(_SPACES):
        raise ValueError("something follows the JSON value")
    return found
