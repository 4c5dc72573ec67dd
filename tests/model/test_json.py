"""JSON without `json`: the same values, the same refusals, whether or not `json` is loaded (docs/adr/0003)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.model.json import compact, compact_ascii, parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
BROKEN = [
    "",
    " ",
    "{",
    "[",
    '"',
    '{"a"',
    '{"a":',
    '{"a":1,}',
    "[1,]",
    "nul",
    "1 2",
    '"\\x"',
    '"\\u12"',
    "NaN",
    "-",
    "\x00",
    "'a'",
]


@given(VALUES)
def test_what_is_written_is_what_json_would_write_and_is_read_back(value: Any) -> None:
    assert compact(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert compact_ascii(value) == json.dumps(value, separators=(",", ":"))
    assert parse(compact(value)) == value == parse(f" \n{compact_ascii(value)}\t\r\n")


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn\\ u\n\x00é', max_size=30))
def test_what_json_refuses_is_refused(text: str) -> None:
    try:
        wanted = json.loads(text, parse_constant=int)
    except ValueError:
        with pytest.raises(ValueError):
            parse(text)
    else:
        assert parse(text) == wanted


def test_numbers_that_are_none_are_neither_read_nor_written() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError):
            compact(value)
    with pytest.raises(TypeError):
        compact({"a": object()})


def test_it_refuses_alike_where_json_was_never_loaded() -> None:
    """The interpreter's scanner takes its error from `json.decoder`, which a hook does not load."""
    source = Path(__file__).parents[2] / "src"
    code = f"import sys; sys.path += [{str(source)!r}]\nfrom perdure.model.json import parse\n"
    code += "for text in " + repr([*BROKEN, "[" * 100_000]) + ":\n"
    code += "    try:\n        print('taken:', parse(text))\n    except (ValueError, RecursionError):\n        pass\n"
    code += "print('json' in sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
