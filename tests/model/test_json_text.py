"""Edits to a JSON text: what is added and removed again leaves every byte; a parser then reads what was added."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.model import json_text
from perdure.model.json_text import Node, NotJson, add, parse, remove, replace, same
from tests.effort import tries

SPACES = st.text(" \t\n\r", max_size=3)
STRINGS = st.one_of(
    st.sampled_from(['"a"', '"b"', '"hooks"', '"\\u0061"', '"\\ud83d"', '"ü\\/"', '"  {,}[:] "', '""']),
    st.text(max_size=4).map(json.dumps),
    st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=4).map(
        lambda text: json.dumps(text, ensure_ascii=False)
    ),
)
NUMBERS = st.sampled_from(["0", "-0", "1.50", "1e400", "-12E+3", "9" * 400, "3.000000000000000000001", "1E-9"])


@st.composite
def spaced(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    return draw(SPACES) + draw(inner) + draw(SPACES)


def containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    members = st.tuples(spaced(STRINGS), spaced(inner)).map(":".join)
    return st.one_of(
        st.lists(spaced(inner), min_size=1, max_size=3).map(lambda parts: f"[{','.join(parts)}]"),
        st.lists(members, min_size=1, max_size=3).map(lambda parts: f"{{{','.join(parts)}}}"),
        SPACES.map(lambda space: f"[{space}]"),
        SPACES.map(lambda space: f"{{{space}}}"),
    )


VALUES = st.recursive(st.one_of(STRINGS, NUMBERS, st.sampled_from(["true", "false", "null"])), containers, max_leaves=8)
TEXTS = st.tuples(st.sampled_from(["", "\ufeff"]), spaced(VALUES)).map("".join)
GIVEN: Any = st.recursive(
    st.one_of(st.integers(-9, 9), st.text(max_size=3), st.none(), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=2), inner, max_size=2)),
    max_leaves=5,
)


def plain(text: str) -> Any:
    """As JSON.parse would have it; numbers as they are written."""
    return json.loads(text.removeprefix("\ufeff"), parse_float=lambda n: ("n", n), parse_int=lambda n: ("n", n))


def places(node: Node) -> list[list[int]]:
    """The way to every container, by index."""
    found = [[]] if node.kind in "{[" else []
    for index, below in enumerate(node.inside):
        found += [[index, *way] for way in places(below)]
    return found


def there(text: str, way: list[int]) -> Node:
    node = parse(text)
    for index in way:
        node = node.inside[index]
    return node


@tries(200, deadline=None)
@given(TEXTS)
def test_every_json_text_is_read_and_every_value_stands_where_it_is_said_to(text: str) -> None:
    root = parse(text)
    assert plain(root.text) == plain(text)
    for way in places(root):
        node = there(text, way)
        for start, below in zip(node.starts, node.inside, strict=True):
            assert text[start : below.end].endswith(below.text)
            plain(below.text)


@tries(200, deadline=None)
@given(TEXTS, GIVEN, st.data())
def test_what_is_added_and_removed_leaves_every_byte(text: str, content: Any, data: st.DataObject) -> None:
    ways = places(parse(text))
    if not ways:
        return
    way = data.draw(st.sampled_from(ways))
    container = there(text, way)
    key = data.draw(st.text(max_size=3)) if container.kind == "{" else None
    added = add(container, key, content)
    after = there(added, way)
    assert remove(after, len(after.inside) - 1) == text


@tries(100, deadline=None)
@given(TEXTS, st.lists(GIVEN, min_size=2, max_size=4), st.data())
def test_several_that_are_added_may_be_removed_in_any_order(text: str, given: list[Any], data: st.DataObject) -> None:
    ways = places(parse(text))
    if not ways:
        return
    way = data.draw(st.sampled_from(ways))
    before = len(there(text, way).inside)
    added = text
    for number, content in enumerate(given):
        container = there(added, way)
        added = add(container, f"k{number}" if container.kind == "{" else None, content)
    for left in range(len(given), 0, -1):
        added = remove(there(added, way), before + data.draw(st.integers(0, left - 1)))
    assert added == text


@tries(150, deadline=None)
@given(TEXTS, GIVEN, st.data())
def test_a_parser_reads_what_was_there_and_what_is_ours(text: str, content: Any, data: st.DataObject) -> None:
    ways = places(parse(text))
    if not ways:
        return
    container = there(text, data.draw(st.sampled_from(ways)))
    key = data.draw(st.sampled_from(["new", "a", "ü"])) if container.kind == "{" else None
    added = add(container, key, content)
    wanted = plain(container.text)
    ours = plain(json.dumps(content))
    wanted = [*wanted, ours] if key is None else {**wanted, key: ours}
    assert plain(added[container.start : len(added) - (len(text) - container.end)]) == wanted
    assert added[: container.start] == text[: container.start]
    assert added.endswith(text[container.end :])


@tries(200, deadline=None)
@given(TEXTS, GIVEN, st.data())
def test_a_replaced_value_changes_nothing_around_it(text: str, content: Any, data: st.DataObject) -> None:
    root = parse(text)
    way = data.draw(st.sampled_from([[], *places(root)]))
    node = there(text, way)
    changed = replace(node, content)
    assert changed.startswith(text[: node.start])
    assert changed.endswith(text[node.end :])
    assert same(there(changed, way), content)
    assert json_text.replace_text(there(changed, way), node.text) == text


@tries(150, deadline=None)
@given(st.text('{}[]:,"\\ \n0123.eE-+truefalsn/*NaI', max_size=12))
def test_what_python_refuses_is_refused(text: str) -> None:
    def no(_: str) -> None:
        raise ValueError

    try:
        json.loads(text, parse_constant=no)
        is_json = True
    except ValueError:
        is_json = False
    try:
        parse(text)
        read = True
    except NotJson:
        read = False
    assert read == is_json


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        (" \n ", 2, 2),
        ('{"a": 1,}', 1, 9),
        ('{\n  // mine\n  "a": 1\n}', 2, 3),
        ('{"a": 1} /* */', 1, 10),
        ('{"a": NaN}', 1, 7),
        ("{'a': 1}", 1, 2),
        ('{"a": "\t"}', 1, 7),
        ('{"a": 01}', 1, 8),
        ('{"a": 1 "b": 2}', 1, 9),
        ("[1, 2", 1, 6),
        ('{"a"', 1, 5),
        ('{"a": "\\x"}', 1, 7),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(NotJson) as refused:
        parse(text)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert refused.value.why


def test_no_string_however_long_takes_long() -> None:
    with pytest.raises(NotJson):
        parse('{"a": "' + "x" * 1_000_000)
    with pytest.raises(NotJson):
        parse('{"a": "' + "\\n" * 500_000)


def test_deep_nesting_is_read_and_kept() -> None:
    text = '{"deep": ' + "[" * 20_000 + "]" * 20_000 + "}"
    added = add(parse(text), "hooks", {"a": [1]})
    root = parse(added)
    assert remove(root, 1) == text


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    root = parse('{"a": 1, "b": 2, "\\u0061": 3}')
    found = root.get("a")
    assert found is not None
    assert (found.text, root.index("a")) == ("3", 2)
    assert replace(found, 4) == '{"a": 1, "b": 2, "\\u0061": 4}'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{}", '{\n  "k": {\n    "x": 1\n  }\n}'),
        ('{"a":1}', '{"a":1,"k":{"x":1}}'),
        ('{"a": 1}', '{"a": 1, "k": {"x": 1}}'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": {\n\t\t"x": 1\n\t}\n}\n'),
        ('{\r\n    "a": 1\r\n}', '{\r\n    "a": 1,\r\n    "k": {\r\n        "x": 1\r\n    }\r\n}'),
        ('\ufeff{\n "a": []\n}', '\ufeff{\n "a": [],\n "k": {\n  "x": 1\n }\n}'),
    ],
)
def test_what_is_added_is_written_as_the_file_is(text: str, wanted: str) -> None:
    assert add(parse(text), "k", {"x": 1}) == wanted


def test_bytes_that_are_not_text_do_not_make_the_file_unreadable() -> None:
    added = add(parse("{}"), "path", "/home/\udcff")
    added.encode()
    found = parse(added).get("path")
    assert found is not None
    assert found.string == "/home/\udcff"
