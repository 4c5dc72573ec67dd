"""RFC 8785: the same value has the same bytes everywhere, whichever of our two encoders wrote them."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from perdure.proof.canonical import canonical, storable
from tests.effort import tries

from ..data import DATA

PUBLISHED = DATA / "jcs"

VECTORS: list[tuple[Any, str]] = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    ("", '""'),
    ({}, "{}"),
    ([], "[]"),
    ({"b": 1, "a": 0.7}, '{"a":0.7,"b":1}'),
    ({"a": {"d": [1, {"z": 1, "y": 2}], "c": None}}, '{"a":{"c":null,"d":[1,{"y":2,"z":1}]}}'),
    ({"10": 1, "1": 2, "9": 3, "": 4, " ": 5}, '{"":4," ":5,"1":2,"10":1,"9":3}'),
    (0, "0"),
    (-0.0, "0"),
    (1.0, "1"),
    (-1.0, "-1"),
    (1e21, "1e+21"),
    (1e20, "100000000000000000000"),
    (123456789012345680.0, "123456789012345680"),
    (1e-6, "0.000001"),
    (1e-7, "1e-7"),
    (0.1, "0.1"),
    (0.30000000000000004, "0.30000000000000004"),
    (5e-324, "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (333333333.33333329, "333333333.3333333"),
    (9007199254740991, "9007199254740991"),
    (-9007199254740991, "-9007199254740991"),
    ('"\\/\b\f\n\r\t', '"\\"\\\\/\\b\\f\\n\\r\\t"'),
    ("\x00\x01\x1f\x7f\x80", '"\\u0000\\u0001\\u001f\x7f\x80"'),
    ("\u2028\u2029\ufeff", '"\u2028\u2029\ufeff"'),
    ("é🙂", '"é🙂"'),
    # UTF-16 order: U+1F600 is D83D DE00 and comes before U+FB33; in order of code points it would come after
    ({"\ufb33": 1, "\U0001f600": 2, "\u20ac": 3, "\r": 4}, '{"\\r":4,"\u20ac":3,"\U0001f600":2,"\ufb33":1}'),
]


@pytest.mark.parametrize(("value", "text"), VECTORS, ids=[text[:24] for _, text in VECTORS])
def test_a_value_has_the_bytes_the_standard_gives_it(value: Any, text: str) -> None:
    assert canonical(value) == text.encode()
    assert canonical({"k": [value]}) == f'{{"k":[{text}]}}'.encode()


def test_the_numbers_of_the_standard(tmp_path: Path) -> None:
    """RFC 8785, appendix B: IEEE 754 bits and what they print as."""
    for bits, text in {
        "0000000000000000": "0",
        "8000000000000000": "0",
        "0000000000000001": "5e-324",
        "8000000000000001": "-5e-324",
        "7fefffffffffffff": "1.7976931348623157e+308",
        "ffefffffffffffff": "-1.7976931348623157e+308",
        "4340000000000000": "9007199254740992",
        "c340000000000000": "-9007199254740992",
        "4430000000000000": "295147905179352830000",
        "44b52d02c7e14af5": "9.999999999999997e+22",
        "44b52d02c7e14af6": "1e+23",
        "44b52d02c7e14af7": "1.0000000000000001e+23",
        "444b1ae4d6e2ef4e": "999999999999999700000",
        "444b1ae4d6e2ef4f": "999999999999999900000",
        "444b1ae4d6e2ef50": "1e+21",
        "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d": "0.000001",
        "41b3de4355555553": "333333333.3333332",
        "41b3de4355555554": "333333333.33333325",
        "41b3de4355555555": "333333333.3333333",
        "41b3de4355555556": "333333333.3333334",
        "41b3de4355555557": "333333333.33333343",
        "becbf647612f3696": "-0.0000033333333333333333",
        "43143ff3c1cb0959": "1424953923781206.2",
    }.items():
        (number,) = struct.unpack(">d", bytes.fromhex(bits))
        assert canonical(number) == text.encode()


@pytest.mark.parametrize("name", ["arrays", "french", "structures", "unicode", "values", "weird"])
def test_the_published_samples_come_out_byte_for_byte(name: str) -> None:
    value = json.loads((PUBLISHED / "input" / f"{name}.json").read_text(encoding="utf-8"))
    assert canonical(value) == (PUBLISHED / "output" / f"{name}.json").read_bytes()


WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False) | st.builds(
    lambda mantissa, exponent: float(f"{mantissa}e{exponent}"), st.integers(-(10**17), 10**17), st.integers(-30, 30)
)
STRINGS = st.text(st.characters(codec="utf-8"), max_size=12) | st.text(
    st.sampled_from('\x00\x08\t\n\x0b\x0c\r\x1f "\\/\x7f\x80\u07ff\u2028\ud7ff\ue000\ufb33\uffff\U00010000\U0010ffff'),
    max_size=6,
)
JSON = st.recursive(
    st.none() | st.booleans() | WHOLE | FLOATS | STRINGS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=12,
)


@tries(1000)
@given(JSON)
@example({"\ue000": 1, "\U00010000": 2})
@example([1e16, 1e-5, -0.0, 1e21, 1.5e300])
def test_both_encoders_write_the_same_bytes(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@tries(300)
@given(st.dictionaries(STRINGS, JSON, max_size=6), st.randoms())
def test_the_order_in_which_it_was_built_does_not_matter(value: dict[str, Any], random: Any) -> None:
    names = list(value)
    random.shuffle(names)
    assert canonical({name: value[name] for name in names}) == canonical(value)


@tries(500)
@given(JSON)
@example([1e20, 9007199254740992.0, -1e16, 1e21])
@example({"\x80": 9007199254740992.0})
def test_what_is_stored_and_read_back_has_the_same_bytes_again(value: Any) -> None:
    made, _ = storable({"é": value})
    text = canonical(made)
    assert canonical(json.loads(text)) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")], ids=repr)
def test_what_json_cannot_carry_has_no_canonical_bytes(value: float) -> None:
    with pytest.raises(ValueError, match=r".*"):
        canonical({"x": [value]})


def test_a_lone_surrogate_has_no_canonical_bytes() -> None:
    for lone in ({"x": "a\ud800"}, {"\udc00": 1}):
        with pytest.raises(ValueError, match=r".*"):
            canonical(lone)


# -- what a payload is made into -------------------------------------------------------------------------------------


def test_a_lone_surrogate_becomes_the_replacement_character_and_is_counted() -> None:
    payload = {"a": "x\ud800y\udfffz", "b": ["\udc00\ud800", "🙂é"], "k\ud800": {"c": "\ud83d\ude00"}}
    made, count = storable(payload)
    assert made == {"a": "x\ufffdy\ufffdz", "b": ["\ufffd\ufffd", "🙂é"], "k\ufffd": {"c": "\ufffd\ufffd"}}
    assert count == 7


def test_what_was_the_replacement_character_already_is_not_counted() -> None:
    assert storable({"a": "\ufffd\ufffd\ud800"}) == ({"a": "\ufffd\ufffd\ufffd"}, 1)


@pytest.mark.parametrize(
    ("number", "stored"),
    [
        (2**53 - 1, 2**53 - 1),
        (-(2**53) + 1, -(2**53) + 1),
        (2**53, "9007199254740992"),
        (2**53 + 1, "9007199254740993"),
        (-(2**53), "-9007199254740992"),
        (10**40, "1" + "0" * 40),
        (True, True),
        (0, 0),
        (1e20, "100000000000000000000"),
        (-9007199254740992.0, "-9007199254740992"),
        (1e21, 1e21),
        (9007199254740991.0, 9007199254740991.0),
        (0.5, 0.5),
    ],
)
def test_an_integer_beyond_2_to_the_53_becomes_a_string(number: int, stored: object) -> None:
    made, count = storable({"n": number, "deep": [{"n": number}]})
    assert made == {"n": stored, "deep": [{"n": stored}]}
    assert type(made["n"]) is type(stored)
    assert count == 0


ANY_TEXT = st.text(st.characters(), max_size=8)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


@tries(300)
@given(st.dictionaries(st.text(st.characters(), max_size=5), ANYTHING, max_size=4))
def test_whatever_was_made_storable_has_canonical_bytes_and_stays_as_it_is(payload: dict[str, Any]) -> None:
    made, count = storable(payload)
    text = canonical(made)
    assert rfc8785.dumps(made) == text
    assert storable(made) == (made, 0)
    assert count == _surrogates(payload)


def _surrogates(value: Any) -> int:
    if isinstance(value, str):
        return sum("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, dict):
        return sum(_surrogates(key) + _surrogates(part) for key, part in value.items())
    return sum(map(_surrogates, value)) if isinstance(value, list) else 0
