from __future__ import annotations

import re
import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perdure.grounding.quotes import SearchableText

CODE = "def add(a, b):\n    total = a + b\n    return total\n\n\ndef sub(a, b):\n    return a - b\n"


@pytest.mark.parametrize(
    ("text", "quote", "places"),
    [
        pytest.param(CODE, "total = a + b", [(2, 2)], id="a part of a line"),
        pytest.param(CODE, "total  =\ta +\n b", [(2, 2)], id="other white space"),
        pytest.param(CODE, "total=a+b return", [], id="white space that is not there"),
        pytest.param(CODE, "return total\n\ndef sub(a, b):", [(3, 6)], id="across blank lines"),
        pytest.param(CODE.replace("\n", "\r\n"), "total = a + b\n    return total", [(2, 3)], id="CRLF"),
        pytest.param(CODE, "total = a + b\r\n    return total", [(2, 3)], id="a quote with CRLF"),
        pytest.param("\ufeff" + CODE, "def add(a, b): total", [(1, 2)], id="a byte order mark"),
        pytest.param(CODE.rstrip(), "def sub(a, b): return a - b", [(6, 7)], id="no final newline"),
        pytest.param(CODE, "total = a + c", [], id="one word changed"),
        pytest.param(CODE, "dd(a, b): total", [], id="cuts a word at its beginning"),
        pytest.param(CODE, "def add(a, b): tot", [], id="cuts a word at its end"),
        pytest.param("xfoo(bary) = call_it()\n", "foo(bary) = call", [], id="cuts at both ends"),
        pytest.param("my_name = other_name_1", "name = other_name_1", [], id="an underscore belongs to a word"),
        pytest.param("the limit here = 3.5", "the limit here = 3", [], id="cuts a decimal number"),
        pytest.param("version one.two 1.2.3", "version one.two 1.2", [], id="cuts a version number"),
        pytest.param("it is the number 3. And on", "it is the number 3", [(1, 1)], id="a full stop ends a number"),
        pytest.param("the way to the cafe\u0301", "the way to the cafe", [], id="cuts off an accent"),
        pytest.param(
            "the way to the cafe\u0301", "the way to the caf\u00e9", [(1, 1)], id="composed, of a decomposed text"
        ),
        pytest.param(
            "a = 1\nthe way to the caf\u00e9",
            "the way to the cafe\u0301",
            [(2, 2)],
            id="decomposed, of a composed text",
        ),
        pytest.param(
            "the way to the \ufb01le x\u00b2", "the way to the file x2", [], id="another character that looks alike"
        ),
        pytest.param("这是一个很长的中文句子用来测试引用", "一个很长的中文句子用来测", [(1, 1)], id="Chinese"),
        pytest.param(
            "x = 1\n" * 3 + "long_line = 1\n" * 3, "long_line = 1 long_line = 1", [(4, 5), (5, 6)], id="overlaps"
        ),
        pytest.param("same words here, same words here", "same words here", [(1, 1)], id="twice in a line"),
        pytest.param("end\nx = end + 1\n  end\n", "end", [(1, 1), (3, 3)], id="a short quote is a whole line"),
        pytest.param("a" * 100_000 + " the needle stands here\n", "the needle stands here", [(1, 1)], id="a long line"),
        pytest.param("", "anything at all here", [], id="an empty file"),
        pytest.param(CODE, "", [], id="an empty quote"),
        pytest.param(CODE, " \n\t", [], id="a blank quote"),
        pytest.param(
            "x\r" * 3 + "lone carriage return\n", "lone carriage return", [(1, 1)], id="a lone CR ends no line"
        ),
        pytest.param("a\u2028the second part of it", "the second part of it", [(1, 1)], id="U+2028 ends no line"),
    ],
)
def test_a_quote_stands_where_it_stands_word_for_word(text: str, quote: str, places: list[tuple[int, int]]) -> None:
    assert SearchableText(text).places(quote) == places


@pytest.mark.parametrize(
    ("quote", "enough"),
    [
        ("total = a + b", False),
        ("def add(a, b):", True),
        ("return a - b", True),
        ("return total", False),
        ("}", False),
        ("}}}}}}}}}}}}}}", False),
        ("# ------------", False),
        ("", False),
        ("x" * 10_240, False),
        ("fi", True),
        ("f i", False),
        ("done", False),
        ("echo", False),
    ],
)
def test_twelve_characters_or_a_whole_unique_line_are_enough(quote: str, enough: bool) -> None:
    text = SearchableText(CODE.replace("total", "tot") + "}\nfi\ndone\ndone\necho 1\n")
    assert (text.too_little(quote) == "") is enough


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        (2, 2, (2, 3)),
        (1, 4, (2, 3)),
        (2, 3, (2, 3)),
        (3, 3, None),
        (1, 2, None),
        (1, 1, None),
        (9, 9, None),
        (9, 99, None),
    ],
)
def test_a_quote_stands_at_lines_if_it_lies_within_or_begins_at_the_one_line(
    first: int, last: int, found: tuple[int, int] | None
) -> None:
    assert SearchableText(CODE).stands_at("total = a + b\nreturn total", first, last) == found


# -- a slow oracle: one regular expression over the text as it is ----------------------------------------------------


def word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


def oracle(text: str, quote: str) -> list[tuple[int, int]]:
    text = text[1:] if text.startswith("\ufeff") else text
    words = (quote[1:] if quote.startswith("\ufeff") else quote).split()
    if not words:
        return []
    if len("".join(words)) < 12:
        return [(n, n) for n, line in enumerate(text.split("\n"), 1) if line.split() == words]
    pattern = re.compile(r"(?=(" + r"\s+".join(map(re.escape, words)) + "))")
    found = []
    for hit in pattern.finditer(text):
        start, end = hit.span(1)
        before, after = text[:start], text[end:]
        cut = before and after is not None and word(before[-1]) and word(text[start])
        cut = cut or (after and word(after[0]) and word(text[end - 1]))
        numbers = any(re.match(r"\d\.\d", text[at - back :]) for at in (start, end) for back in (1, 2) if at >= back)
        if not cut and not numbers:
            place = (before.count("\n") + 1, text[: end - 1].count("\n") + 1)
            found += [place] if place not in found else []
    return found


PIECES = st.sampled_from(
    ["foo", "bar(", ")", "_x", "1", "1.5", ".", "é", "a\u0301", " ", "  ", "\n", "\r\n", "\t", "ab ab ", "{\n"]
)


@given(st.lists(PIECES, max_size=60).map("".join), st.data())
@example("ab ab ab ab ab ab a", None)
def test_places_are_those_of_a_slow_regular_expression(text: str, data: st.DataObject | None) -> None:
    if data is None:
        quote = "ab ab ab ab ab ab"
    else:
        start = data.draw(st.integers(0, len(text)))
        quote = text[start : data.draw(st.integers(start, len(text)))]
    searchable = SearchableText(text)
    expected = oracle(text, quote)
    assert searchable.places(quote) == expected
    for first, last in expected:
        assert searchable.stands_at(quote, first, last) == (first, last)
        assert (searchable.stands_at(quote, first, first) or (0,))[0] == first


# -- time --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        pytest.param("ab " * 3_000_000, "ab " * 1300 + "a", id="almost everywhere"),
        pytest.param("a" * 10_000_000, "a" * 12, id="one word of 10 MB"),
        pytest.param("a" * 10_000_000, "a" * 4000, id="a long quote in it"),
        pytest.param("( " * 5_000_000, "( " * 1999 + "x", id="nowhere, almost everywhere"),
        pytest.param("\n" * 5_000_000, "return a + b", id="blank lines"),
    ],
)
def test_a_hostile_text_is_searched_within_seconds(text: str, quote: str) -> None:
    began = time.process_time()
    SearchableText(text).places(quote)
    assert time.process_time() - began < 10


def test_a_thousand_quotes_in_a_file_of_100_000_lines_are_checked_within_seconds() -> None:
    text = "".join(f"    value_{n} = compute({n}, {n + 1})\n" for n in range(100_000))
    began = time.process_time()
    searchable = SearchableText(text)
    for n in range(0, 100_000, 100):
        assert searchable.stands_at(f"value_{n} = compute({n}, {n + 1})", n + 1, n + 1)
    assert time.process_time() - began < 5


def test_blank_lines_and_line_breaks_within_a_quote_are_white_space() -> None:
    quote = "def total(prices):\n    return sum(prices, start=0)"
    for now, place in (
        ("x\ndef total(prices):\n\n\n    return sum(prices, start=0)\n", (2, 5)),
        ("x\ndef total(prices):\n    return sum(prices,\n        start=0)\n", (2, 4)),
    ):
        assert SearchableText(now).stands_at(quote, 2, 3) == place
        assert SearchableText("# above\n" + now).stands_at(quote, 2, 3) is None
