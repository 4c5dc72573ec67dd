from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import BadInput
from perdure.grounding.citation import LineCitation, SymbolCitation, read_citation, write_citation
from tests.effort import for_each

R = "${PROJECT_ROOT}/"


def refused(text: str, *, root: str = "/home/p", folder: str = "src") -> str:
    """The corrected form; empty if there is none."""
    with pytest.raises(BadInput) as caught:
        read_citation(text, root=root, folder=folder)
    assert caught.value.code == "bad_citation"
    corrected = str(caught.value.details.get("corrected", ""))
    assert corrected == "" or write_citation(read_citation(corrected)) == corrected, "the corrected form can be typed"
    assert corrected in caught.value.hint
    return corrected


@for_each(
    ("text", "read"),
    [
        (R + "a.py:3", LineCitation("a.py", 3, 3)),
        (R + "src/a.py:3-9", LineCitation("src/a.py", 3, 9)),
        (R + "a.py:007", LineCitation("a.py", 7, 7)),
        (R + "a:b.py:3", LineCitation("a:b.py", 3, 3)),
        (R + "c#/a.cs:3", LineCitation("c#/a.cs", 3, 3)),
        (R + "größe/日本.py:1", LineCitation("größe/日本.py", 1, 1)),
        (R + "e\u0301.py:1", LineCitation("e\u0301.py", 1, 1)),
        (R + " a b .py:1", LineCitation(" a b .py", 1, 1)),
        (R + "...py:1", LineCitation("...py", 1, 1)),
        (R + "a.py#Cart.add", SymbolCitation("a.py", "Cart.add")),
        (R + "a.js#A.#secret", SymbolCitation("a.js", "A.#secret")),
        (R + "a.cpp#shop::Cart", SymbolCitation("a.cpp", "shop::Cart")),
        (R + "c%23/a.cs#A", SymbolCitation("c#/a.cs", "A")),
        (R + "100%.py#f", SymbolCitation("100%.py", "f")),
        (R + "%2523#f", SymbolCitation("%23", "f")),
    ],
)
def test_a_citation_is_read(text: str, read: object) -> None:
    assert read_citation(text) == read


@for_each(
    ("text", "corrected"),
    [
        ("a.py:3", R + "src/a.py:3"),
        ("./a.py:3", R + "src/a.py:3"),
        ("../b.py#f", R + "b.py#f"),
        ("../../b.py:3", ""),
        ("/home/p/x/a.py:3", R + "x/a.py:3"),
        ("/home/p2/a.py:3", ""),
        ("/etc/passwd:1", ""),
        ("~/a.py:1", ""),
        ("$PROJECT_ROOT/a.py:3", R + "a.py:3"),
        ("${PROJECT_ROOT}a.py:3", R + "a.py:3"),
        (R + "../a.py:3", ""),
        (R + "a/../../b.py:3", ""),
        (R + "a/../b.py:3", R + "b.py:3"),
        (R + "a//b.py:3", R + "a/b.py:3"),
        (R + "./b.py:3", R + "b.py:3"),
        (R + "/etc/passwd:3", R + "etc/passwd:3"),
        (R + "a/:3", ""),
        (R + ":3", ""),
        (R + "..:3", ""),
        (R + "a\\b.py:3", R + "a/b.py:3"),
        ("a\\b.py:3", R + "src/a/b.py:3"),
        ("C:\\p\\a.py:3", ""),
        (R + "a.py:0", ""),
        (R + "a.py:0-4", ""),
        (R + "a.py:9-3", R + "a.py:3-9"),
        (R + "a.py:9-0", ""),
        (R + "a.py:" + "9" * 5000, ""),
        (R + "a.py:1" + "0" * 9, ""),
        (R + "a.py:12:5", R + "a.py:12"),
        (R + "a.py", ""),
        (R + "a.py:", ""),
        (R + "a.py:3-", ""),
        (R + "a.py:-3", ""),
        (R + "a.py:٣", ""),
        (R + "a.py#", ""),
        (R + "a.py# f", R + "a.py#f"),
        (R + "a\0.py:3", ""),
        (R + "a\n.py:3", ""),
        (R + "a\udce9.py:3", ""),
        ("", ""),
        (R, ""),
        ("x" * 5000 + ":3", ""),
    ],
)
def test_another_form_is_refused_with_the_corrected_one_where_its_meaning_is_plain(text: str, corrected: str) -> None:
    assert refused(text) == corrected


def test_on_windows_an_absolute_path_is_corrected_by_the_root() -> None:
    assert refused("C:\\p\\x\\a.py:3", root="C:\\p") == R + "x/a.py:3"


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\"), min_size=1, max_size=9)
PARTS = NAMES.filter(lambda name: name not in (".", ".."))
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)


@given(PATHS, st.integers(1, 10**8), st.integers(0, 99))
def test_lines_that_are_written_are_read_back(path: str, first: int, more: int) -> None:
    citation = LineCitation(path, first, first + more)
    if path.rpartition(":")[2].isdecimal() and ":" in path:
        return
    assert read_citation(write_citation(citation)) == citation


@given(st.lists(st.sampled_from(["%", "2", "3", "5", "#", "a", ".py"]), min_size=1).map("".join))
def test_a_symbol_in_a_file_with_signs_in_its_name_is_read_back(path: str) -> None:
    citation = SymbolCitation(path, "Cart.add")
    if path not in (".", ".."):
        assert read_citation(write_citation(citation)) == citation


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for each in (text, R + text, R + text + ":3", text + "#f"):
        try:
            citation = read_citation(each, root="/home/p", folder="src")
        except BadInput:
            continue
        assert ".." not in citation.path.split("/")
        assert not citation.path.startswith("/")
