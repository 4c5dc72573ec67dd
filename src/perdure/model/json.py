"""The JSON value type, and the way text becomes JSON and back in what every hook loads: never NaN.

`json` imports `re` and `enum`, which cost a hook as much as starting its interpreter (docs/adr/0003). So we call the
scanner and the encoder below it directly, and `json` itself only if they are missing.

    compact({"a": 1}) == '{"a":1}';  parse('{"a": 1}') == {"a": 1}
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Json: TypeAlias = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _no_default(given: object) -> object:
    raise TypeError(f"{type(given).__name__} is not JSON")


class _Wants:
    """The attributes that the C scanner reads from its caller."""

    strict = True
    object_hook = None

    def __init__(
        self,
        *,
        parse_int: Callable[[str], object] = int,
        parse_float: Callable[[str], object] = float,
        parse_constant: Callable[[str], object] = float,
        object_pairs_hook: Callable[[list[tuple[str, Any]]], object] | None = None,
    ) -> None:
        self.parse_int = parse_int
        self.parse_float = parse_float
        self.parse_constant = parse_constant
        self.object_pairs_hook = object_pairs_hook
        self.memo: dict[str, str] = {}  # asked for by old interpreters


if TYPE_CHECKING:
    _Encode: TypeAlias = Callable[[object], str]
    _Scan: TypeAlias = Callable[[str, int], tuple[Any, int]]


def _fast() -> tuple[_Encode, _Encode, _Encode, Callable[[_Wants], _Scan], Callable[[str], str]]:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner

    dense = make_encoder(None, _no_default, encode_basestring, None, ":", ",", False, False, False)
    plain = make_encoder(None, _no_default, encode_basestring_ascii, None, ":", ",", False, False, False)
    in_order = make_encoder(None, _no_default, encode_basestring, None, ":", ",", True, False, False)
    return (
        lambda given: "".join(dense(given, 0)),
        lambda given: "".join(plain(given, 0)),
        lambda given: "".join(in_order(given, 0)),
        make_scanner,  # type: ignore[return-value]
        encode_basestring,
    )


def _plain() -> tuple[_Encode, _Encode, _Encode, Callable[[_Wants], _Scan], Callable[[str], str]]:
    from json import JSONEncoder
    from json.encoder import encode_basestring

    dense = JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    plain = JSONEncoder(separators=(",", ":"), allow_nan=False)
    in_order = JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def make_scanner(wants: _Wants) -> _Scan:
        from json import JSONDecoder

        return JSONDecoder(
            parse_int=wants.parse_int,
            parse_float=wants.parse_float,
            parse_constant=wants.parse_constant,
            object_pairs_hook=wants.object_pairs_hook,
        ).raw_decode

    return dense.encode, plain.encode, in_order.encode, make_scanner, encode_basestring


try:
    _dense, _ascii, _in_order, _make_scanner, quoted = _fast()
except (ImportError, TypeError):  # another interpreter, or a version with other internals
    _dense, _ascii, _in_order, _make_scanner, quoted = _plain()

_scan = _make_scanner(_Wants(parse_constant=_no_constant))

_SPACES = " \t\n\r"


def compact(value: object) -> str:
    """JSON without spaces, in the order given: for files and answers that people may read. Hashing uses
    `proof.canonical`."""
    return _dense(value)


def compact_bytes(value: object) -> bytes:
    """`compact` for a digest. Bytes that are not text, in a file that was damaged, come out as they were read."""
    return _dense(value).encode("utf-8", "surrogateescape")


def compact_ascii(value: object) -> str:
    """The same, with everything outside ASCII escaped: any stream can carry it, and it can hold a lone surrogate."""
    return _ascii(value)


def parse(text: str) -> Json:
    """Reads one JSON value. ValueError if the text is not JSON, RecursionError if it is nested too deeply, as with
    `json`."""
    found: Json = _read(_scan, text)
    return found


def decoder(
    *,
    parse_int: Callable[[str], object] = int,
    parse_float: Callable[[str], object] = float,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], object] | None = None,
) -> Callable[[str], Any]:
    """What `json.JSONDecoder(…).decode` does: NaN and infinities are taken too."""
    scan = _make_scanner(_Wants(parse_int=parse_int, parse_float=parse_float, object_pairs_hook=object_pairs_hook))
    return lambda text: _read(scan, text)


def sorted_text(value: object) -> str:
    """JSON without spaces, the keys in the order of their characters."""
    return _in_order(value)


def _read(scan: _Scan, text: str) -> Any:
    begin = len(text) - len(text.lstrip(_SPACES))
    try:
        found, end = scan(text, begin)
    except (StopIteration, SystemError):  # SystemError: the scanner could not import `json.decoder` for its error
        raise ValueError("not JSON") from None
    if text[end:].strip(_SPACES):
        raise ValueError("something follows the JSON value")
    return found
