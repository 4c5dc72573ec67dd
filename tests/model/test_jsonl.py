"""Events as lines: what is written is read back whole, and what is not exactly an event is refused by field."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import BadInput
from perdure.model.event import Event
from perdure.model.jsonl import from_line, to_json, to_line

ID = "3f2a91c4-7b1e-4c55-9d0a-1f6e2b8c4d70"
LINE: dict[str, Any] = {
    "ledger_id": ID,
    "seq": 1,
    "clock": 7,
    "id": ID,
    "kind": "note.finding",
    "ts": "2026-01-01T00:00:00.000Z",
    "project_id": ID,
    "session_id": ID,
    "transaction_id": ID,
    "instance_id": ID,
    "task_id": "bd-17",
    "actor": "claude-code/sub-1",
    "schema": 1,
    "payload": {"text": "zwölf"},
    "payload_hash": "a" * 64,
    "prev_hash": "0" * 64,
    "hash": "f" * 64,
}
OPTIONAL = ("session_id", "transaction_id", "instance_id", "task_id", "actor")


def read(**changes: Any) -> Event:
    return from_line(json.dumps({**LINE, **changes}), "line 3")


def refused(line: str | bytes) -> BadInput:
    with pytest.raises(BadInput) as caught:
        from_line(line, "line 3")
    assert caught.value.code == "bad_event"
    assert "line 3" in caught.value.message
    return caught.value


UUIDS = st.uuids().map(str)
SMALL = st.integers(1, 2**53 - 1)
HASHES = st.text("0123456789abcdef", min_size=64, max_size=64)
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
PAYLOADS = st.dictionaries(
    st.text(st.characters(codec="utf-8"), max_size=8),
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**53) + 1, 2**53 - 1)
        | st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: not 2**53 <= abs(x) < 1e21)
        | st.text(st.characters(codec="utf-8"), max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)
EVENTS = st.builds(
    Event,
    ledger_id=UUIDS,
    seq=SMALL,
    clock=SMALL,
    id=UUIDS,
    kind=TEXTS,
    ts=st.just("2026-01-01T00:00:00.000Z"),
    project_id=UUIDS,
    session_id=st.none() | TEXTS,
    transaction_id=st.none() | TEXTS,
    instance_id=st.none() | TEXTS,
    task_id=st.none() | TEXTS,
    actor=st.none() | TEXTS,
    schema=SMALL,
    payload=PAYLOADS,
    payload_hash=HASHES,
    prev_hash=HASHES,
    hash=HASHES,
)


@given(EVENTS)
def test_an_event_written_and_read_is_the_same(event: Event) -> None:
    line = to_line(event)
    assert line.endswith("\n")
    assert "\n" not in line[:-1]
    assert from_line(line, "line 1") == event
    assert from_line(line.encode(), "line 1") == event


@pytest.mark.parametrize("absent", ["redacted", "withheld"])
def test_a_payload_that_is_gone_says_why(absent: str) -> None:
    event = read(payload=None, absent=absent)
    assert event.payload is None
    assert event.absent == absent
    assert to_json(event)["payload"] is None
    assert from_line(to_line(event), "line 1") == event


def test_every_field_of_the_event_is_in_the_line() -> None:
    assert to_json(read()) == LINE


@pytest.mark.parametrize("name", OPTIONAL)
def test_what_need_not_apply_may_be_left_out_or_null(name: str) -> None:
    without = {key: value for key, value in LINE.items() if key != name}
    assert from_line(json.dumps(without), "line 1") == read(**{name: None})
    assert getattr(read(**{name: None}), name) is None


WRONG: dict[str, list[Any]] = {
    "ledger_id": [None, "", 5, "x", ID.upper(), ID + "0", ["a"], "../../" + ID[6:]],
    "seq": [None, 0, -1, 1.0, 1.5, True, "1", 2**53, 10**30, [1]],
    "clock": [None, 0, -1, 1.0, True, "7", 2**53],
    "id": [None, "", 5, "not-a-uuid"],
    "kind": [None, "", 5, ["note"], {"a": 1}, "\ud800"],
    "ts": [None, "", 0, "2026-01-01", "2026-01-01T00:00:00Z", "2026-02-30T00:00:00.000Z", "yesterday"],
    "project_id": [None, "", "x", 1],
    "session_id": ["", 5, ["a"], True, "\udfff"],
    "transaction_id": ["", 5, {}],
    "instance_id": ["", 5, False],
    "task_id": ["", 5, 0],
    "actor": ["", 5, [], "a\ud800b"],
    "schema": [None, 0, -1, True, "1", 1.0],
    "payload": [5, "x", [], True, {"x": float("nan")}, {"x": [float("inf")]}, {"x": 2**53}, {"x": 1e20}, {"\ud800": 1}],
    "payload_hash": [None, "", "a" * 63, "a" * 65, "A" * 64, "g" * 64, 5],
    "prev_hash": [None, "", "0" * 63, "x" * 64],
    "hash": [None, "", "f" * 63, "F" * 64, "f" * 64 + "\n"],
    "absent": ["redacted", "withheld", "lost", "", 5, True],
}


def test_every_field_has_its_wrong_values() -> None:
    assert set(WRONG) == set(Event.__annotations__)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [pytest.param(name, wrong, id=f"{name}-{ascii(wrong)[:30]}") for name, all_ in WRONG.items() for wrong in all_],
)
def test_a_wrong_field_is_refused_by_its_name(name: str, wrong: Any) -> None:
    error = refused(json.dumps({**LINE, name: wrong}))
    assert error.details["field"] == name
    assert f"'{name}'" in error.message


def test_a_number_without_end_is_refused() -> None:
    endless = "1" + "0" * 5000
    error = refused(json.dumps(LINE).replace('"clock": 7', f'"clock": {endless}'))
    assert error.details["field"] == "clock"
    error = refused(json.dumps({**LINE, "payload": {"n": "HERE"}}).replace('"HERE"', f"[-{endless}]"))
    assert error.details["field"] == "payload"


@pytest.mark.parametrize("name", [name for name in LINE if name not in (*OPTIONAL, "payload")])
def test_a_missing_field_is_refused_by_its_name(name: str) -> None:
    error = refused(json.dumps({key: value for key, value in LINE.items() if key != name}))
    assert error.details["field"] == name


def test_a_payload_that_is_gone_and_does_not_say_why_is_refused() -> None:
    assert refused(json.dumps({**LINE, "payload": None})).details["field"] == "absent"
    assert refused(json.dumps({**LINE, "payload": None, "absent": "lost"})).details["field"] == "absent"


@pytest.mark.parametrize("name", ["Hash", "extra", "__class__", "", "signature"])
def test_a_field_no_event_has_is_refused(name: str) -> None:
    assert name in refused(json.dumps({**LINE, name: "x"})).message


def test_a_field_that_stands_twice_is_refused() -> None:
    line = json.dumps(LINE)
    refused(line[:-1] + ', "actor": "somebody else"}')
    refused(line.replace('{"text": "zw\\u00f6lf"}', '{"text": "a", "text": "b"}'))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "null",
        "[]",
        '"x"',
        "5",
        "{} {}",
        b"\xff\xfe",
        b'{"kind": "\xc3"}',
        "[" * 100_000,
        '{"payload":' * 20_000,
        json.dumps(LINE)[:-1],
        json.dumps(LINE) + "x",
    ],
    ids=lambda line: ascii(line)[:20],
)
def test_what_is_not_an_event_at_all_is_refused(line: str | bytes) -> None:
    refused(line)


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_no_garbage_is_an_event_and_none_breaks_the_reader(line: str | bytes) -> None:
    refused(line)


@given(st.sampled_from(sorted(LINE)), st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=4))
def test_whatever_stands_in_a_field_is_read_or_refused(name: str, content: Any) -> None:
    try:
        event = read(**{name: content})
    except BadInput:
        return
    assert from_line(to_line(event), "line 1") == event


def test_ids_are_checked_in_the_form_they_are_written() -> None:
    refused(json.dumps({**LINE, "id": uuid.UUID(ID).hex}))
