"""TOML as our settings are written: what is read without a TOML parser is what the parser reads (docs/adr/0003)."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from perdure.model.toml import plain_table
from tests.effort import for_each

WRITTEN = """
# ours

[gate]
know = 0.75   # a little more
required = true
readers = ["mytool", "mytool list"]
scratch = []
mode = "observe"
[transaction]
orphan_hours = 48
"""


def flat(table: dict[str, Any]) -> dict[str, Any]:
    return {f"{name}.{key}": content for name, inner in table.items() for key, content in inner.items()}


def test_what_the_program_writes_needs_no_parser() -> None:
    assert plain_table(WRITTEN) == flat(tomllib.loads(WRITTEN))
    assert plain_table("") == {}


ODD = [
    "a = 1", "[a]\na.b = 1", "[a]\nb = 1\nb = 2", "[a]\n[a]", "[a.b]\nc = 1", '["a"]\nb = 1', "[[a]]\nb = 1",
    "[a]\nb = '1'", '[a]\nb = "\\u0041"', '[a]\nb = """x"""', "[a]\nb = 0x1F", "[a]\nb = 1_000", "[a]\nb = 01",
    "[a]\nb = 1e3", "[a]\nb = -1", "[a]\nb = 1.", "[a]\nb = .5", "[a]\nb = nan", "[a]\nb = 1979-05-27",
    "[a]\nb = [1]", "[a]\nb = ['x']", '[a]\nb = ["x" , ]', '[a]\nb = ["x",\n"y"]', "[a]\nb = {c = 1}", "[a]\nb",
    "[a]\n= 1", "[a\nb = 1", "[a]\nb = \"#\"", "[a]\r\nb = 1\r\n", "[ a ]\nb = 1", "[a]\nb = 1 # é", "# \x01",
    '[a]\nb = "\x7f"', "[a] b = 1", '[a]\nb = "x"y', "[a]\nb = true false", "[]", "[a]\nb = 9999999999999999999",
]  # fmt: skip


@for_each("text", ODD)
def test_what_is_written_otherwise_is_left_to_the_parser_or_read_alike(text: str) -> None:
    assert_alike(text)


def assert_alike(text: str) -> None:
    found = plain_table(text)
    if found is not None:
        read = flat(tomllib.loads(text))
        assert found == read
        assert [type(content) for content in found.values()] == [type(content) for content in read.values()]


PIECES = st.sampled_from(
    [*"[]=\"#'\\., \t\n", "\r\n", "a", "gate", "know", "true", "false", "0", "1", ".5", "-", "_", "é"]
)


@given(st.lists(PIECES, max_size=30).map("".join))
@example('[a]\nb = "x"\n[a]\n')
def test_no_text_is_read_otherwise_than_the_parser_reads_it(text: str) -> None:
    assert_alike(text)
    assert_alike("[gate]\nknow = " + text)
