"""The text of a beads file: read without trust, and edited so that every other byte stays (SPEC 7.2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.beads import lines
from perdure.beads.lines import joined, parse_file, with_blockers, with_decisions, with_values
from perdure.errors import BadInput, Refused
from tests.effort import for_each

from ..data import DATA

FOLDER = DATA / "beads"
READABLE = [path for path in sorted(FOLDER.glob("*.jsonl")) if path.name != "conflict.jsonl"]
AT = "2026-02-01T00:00:00.000Z"


def file_of(*objects: dict[str, Any] | bytes) -> bytes:
    return b"\n".join(each if isinstance(each, bytes) else json.dumps(each).encode() for each in objects) + b"\n"


def problems(content: bytes) -> list[str]:
    return parse_file(content).warnings()


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_a_file_without_changes_is_written_byte_for_byte(path: Path) -> None:
    content = path.read_bytes()
    assert joined(parse_file(content), {}, []) == content


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([b"{}", b"\r", b'{"id":"a-1","title":"t"}']))))
def test_any_bytes_come_back_as_they_were(parts: list[bytes]) -> None:
    content = b"\n".join(parts)
    try:
        file = parse_file(content)
    except Refused:
        return
    assert joined(file, {}, []) == content


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_a_changed_field_leaves_every_other_byte_of_its_line(path: Path) -> None:
    for line in parse_file(path.read_bytes()).by_id().values():
        changed = with_values(line.text, {"priority": 4})
        old = json.loads(line.raw)["priority"]
        assert changed.replace("4", str(old)).replace(" ", "") == line.text.replace("4", str(old)).replace(" ", "")
        assert with_values(changed, {"priority": old}) == line.text
        added = with_values(line.text, {"brand_new": ["a, b: c"]})
        assert with_values(added, {"brand_new": None}) == line.text


def test_a_compact_line_stays_compact_whatever_its_texts_hold() -> None:
    line = '{"id":"a-1","title":"one, two: three"}'
    assert with_values(line, {"labels": ["x", "y"]}) == '{"id":"a-1","title":"one, two: three","labels":["x","y"]}'


def test_numbers_and_escapes_of_other_fields_keep_their_spelling() -> None:
    line = parse_file((FOLDER / "bd.jsonl").read_bytes()).by_id()["web-idj"]
    changed = with_values(line.text, {"title": "new", "status": "open"})
    for spelled in ("0.10", "123456789012345678901234567890", "1e-7", r"\u0026"):
        assert spelled in changed


def test_a_removed_key_that_occurs_twice_is_gone() -> None:
    line = parse_file((FOLDER / "odd.jsonl").read_bytes()).by_id()["odd-2"]
    assert line.issue
    assert line.issue.fields["title"] == "Twice named"
    assert json.loads(with_values(line.text, {"title": None})).get("title") is None
    assert json.loads(with_values(line.text, {"title": "new"}))["title"] == "new"


def test_lines_keep_their_ends_and_new_ones_go_to_the_end() -> None:
    content = (FOLDER / "odd.jsonl").read_bytes()
    after = joined(parse_file(content), {}, ['{"id":"odd-5"}'])
    assert after == content + b'\r\n{"id":"odd-5"}\r\n'
    assert joined(parse_file(b""), {}, ["{}"]) == b"{}\n"


def test_dependencies_of_other_types_stay() -> None:
    line = parse_file((FOLDER / "br.jsonl").read_bytes()).by_id()["shop-1a2"]
    before = json.loads(line.raw)["dependencies"]
    removed = {before[0]["depends_on_id"]}
    swapped = json.loads(with_blockers(line.text, "shop-1a2", ["shop-5c6"], removed=removed, at=AT))["dependencies"]
    assert swapped[:2] == before[1:]
    assert swapped[2] == lines.dependency("shop-1a2", "shop-5c6", at=AT)
    assert with_blockers(line.text, "shop-1a2", ["shop-3b4"], removed=(), at=AT) == line.text
    bare = '{"id":"a-1","title":"t"}'
    linked = json.loads(with_blockers(bare, "a-1", ["a-2"], removed=(), at=AT))
    assert linked["dependencies"][0]["depends_on_id"] == "a-2"


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (["a", "b", "c"], '{"next_steps":["a", 7,"b", "c"]}'),
        (["a", "b", "b"], '{"next_steps":["a", 7,"b", "b"]}'),
        (["b"], '{"next_steps":[7,"b"]}'),
        (["b", "a"], '{"next_steps":["b","a",7]}'),
        ([], '{"next_steps":[7]}'),
    ],
)
def test_a_list_keeps_the_text_of_what_stays_and_what_cannot_be_read(wanted: list[Any], text: str) -> None:
    def read(entry: Any) -> Any:
        return entry if isinstance(entry, str) else None

    assert lines.with_list('{"next_steps":["a", 7,"b"]}', "next_steps", wanted, read=read) == text


def test_decisions_are_added_to_the_list() -> None:
    line = parse_file((FOLDER / "extended.jsonl").read_bytes()).by_id()["shop-x7y8"]
    after = json.loads(with_decisions(line.text, [{"decision": "more"}]))["decisions"]
    assert after == [*json.loads(line.raw)["decisions"], {"decision": "more"}]


def test_what_cannot_be_read_is_named_with_its_line_and_stays() -> None:
    told = problems((FOLDER / "odd.jsonl").read_bytes())
    assert told == [
        "line 4: it is not JSON; it stays as it is",
        "line 5: it is not a JSON object; it stays as it is",
    ]


def test_a_memory_of_bd_is_neither_a_task_nor_a_problem() -> None:
    file = parse_file((FOLDER / "bd.jsonl").read_bytes())
    assert list(file.by_id()) == ["web-idj", "web-k2x"]
    assert file.warnings() == []


def test_a_merge_that_nobody_resolved_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        parse_file((FOLDER / "conflict.jsonl").read_bytes())
    assert caught.value.code == "tasks_in_conflict"
    assert caught.value.details == {"line": 2}


@for_each(
    ("line", "told"),
    [
        ({"id": "../../etc/passwd", "title": "t"}, "is not an id"),
        ({"id": ".hidden", "title": "t"}, "is not an id"),
        ({"id": "a b\x1b[2J", "title": "t"}, "is not an id"),
        ({"id": "", "title": "t"}, "is not an id"),
        ({"id": 7, "title": "t"}, "is not an id"),
        ({"title": "t"}, "is not an id"),
        ({"id": "a" * 129, "title": "t"}, "at most 128"),
        ({"id": "a-1"}, "it has no title"),
        ({"id": "a-1", "title": " \n"}, "it has no title"),
        ({"id": "a-1", "title": "t" * 501}, "its title has 501 characters; at most 500"),
        ({"id": "a-1", "title": "t", "description": "d" * (300 << 10)}, "at most 262144 are read"),
        ({"id": "a-1", "title": "t", "x": "d" * (2 << 20)}, "at most 1048576 are read"),
        (b'{"id":"a-1","title":"t","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested deeper than 64 levels"),
        (b'{"id":"a-1","title":"t","x":' + b"[" * 100_000, "nested deeper than 64 levels"),
        (b'{"id":"a-1","title":"t","x":NaN}', "it is not JSON"),
        (b'{"id":"a-1","title":"t\xff"}', "it is not UTF-8"),
        (b'{"id":"a-1","title":"t\x00"}', "it is not JSON"),
    ],
)
def test_a_line_that_is_too_much_or_no_task_is_named_and_not_read(line: Any, told: str) -> None:
    content = file_of({"id": "a-0", "title": "fine"}, line)
    file = parse_file(content)
    assert list(file.by_id()) == ["a-0"]
    [said] = file.warnings()
    assert said.startswith("line 2: ")
    assert told in said
    assert said.isprintable()
    assert joined(file, {}, []) == content


def test_brackets_inside_texts_are_not_nesting() -> None:
    assert problems(file_of({"id": "a-1", "title": "t", "x": "[" * 200 + '\\"{'})) == []


def test_a_number_of_many_digits_is_not_a_problem() -> None:
    assert problems(b'{"id":"a-1","title":"t","x":' + b"9" * 10_000 + b"}\n") == []


def test_a_file_that_is_too_large_is_refused_and_the_limit_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LARGEST_FILE", 10)
    with pytest.raises(BadInput, match="at most 10 are read") as caught:
        parse_file(b"x" * 11)
    assert caught.value.code == "tasks_too_large"
    monkeypatch.setattr(lines, "LARGEST_FILE", 1 << 20)
    monkeypatch.setattr(lines, "MOST_LINES", 3)
    with pytest.raises(BadInput, match="5 lines; at most 3 are read"):
        parse_file(b"\n\n\n\n")


def test_of_an_id_that_occurs_twice_the_last_line_counts() -> None:
    file = parse_file(file_of({"id": "a-1", "title": "old"}, {"id": "a-1", "title": "new"}))
    assert file.by_id()["a-1"].number == 2
    assert file.warnings() == ["line 1: a-1 is also in line 2, which counts"]


def test_the_prefix_of_the_ids_is_the_commonest() -> None:
    ids = ("my-shop-1a2.1", "my-shop-3b4", "web-1")
    assert parse_file(file_of(*({"id": each, "title": "t"} for each in ids))).prefix() == "my-shop"
    assert parse_file(b"").prefix() == "bd"
