"""The kinds of event: what is written is read back; what cannot be read says nothing and breaks nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.model import payload as p
from perdure.model.event import GENESIS, Event
from perdure.model.value import fields, value
from perdure.proof.canonical import canonical
from tests.effort import for_each

from .samples import ID, PAYLOADS, event_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def stored(payload: dict[str, Any]) -> dict[str, Any]:
    """As it comes back from the store: through its canonical bytes."""
    found: dict[str, Any] = json.loads(canonical(payload))
    return found


def test_every_kind_has_samples() -> None:
    assert set(PAYLOADS) == set(p.KINDS)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [pytest.param(kind, each, id=f"{kind}-{n}") for kind, all_ in PAYLOADS.items() for n, each in enumerate(all_)],
)
def test_a_payload_written_and_read_is_the_same(kind: str, payload: object) -> None:
    cls, version = p.KINDS[kind]
    assert isinstance(payload, cls)
    written = p.write(payload)
    assert p.read(event_of(kind, written, schema=version), cls) == payload
    assert p.read(event_of(kind, stored(written), schema=version), cls) == payload


@for_each("kind", sorted(p.KINDS))
def test_fields_that_say_nothing_are_not_written(kind: str) -> None:
    for payload in PAYLOADS[kind]:
        assert None not in p.write(payload).values()


def test_before_and_after_it_was_stored_a_payload_reads_the_same_to_the_byte() -> None:
    vectors = {"know": 1.0, "do": 0.0, "context": 0.5, "uncertainty": 0.25}
    opened = p.write(
        p.TransactionOpened(
            project_path="/p",
            suffix="x",
            vectors=vectors,
            reasoning="",
            decision="proceed",
            correction={"uncertainty": 0.0, "know": -0.15},
        )
    )
    before = p.read(event_of("transaction.opened", opened), p.TransactionOpened)
    after = p.read(event_of("transaction.opened", stored(opened)), p.TransactionOpened)
    assert before is not None
    assert after is not None
    assert json.dumps(before.__dict__) == json.dumps(after.__dict__)


def test_a_payload_of_another_kind_erased_or_newer_is_not_read() -> None:
    written = p.write(p.Note("x"))
    assert p.read(event_of("note.finding", written), p.GoalDone) is None
    assert p.read(event_of("note.unheard_of", written), p.Note) is None
    assert p.read(event_of("note.finding", None, absent="redacted"), p.Note) is None
    assert p.read(event_of("note.finding", written, schema=2), p.Note) is None
    assert p.read(event_of("note.finding", written), p.Note) == p.Note("x")


def test_a_field_that_a_later_minor_hand_added_is_passed_over() -> None:
    assert p.read(event_of("note.finding", {"text": "x", "$masked": 2, "colour": "red"}), p.Note) == p.Note("x")


@for_each("kind", sorted(p.KINDS))
def test_every_field_of_every_kind_has_a_reader(kind: str) -> None:
    cls, _ = p.KINDS[kind]
    for name in fields(cls):
        assert callable(p.reader_of(cls.__annotations__[name]))


OF_EACH_TYPE: dict[str, Any] = {
    "str": "text",
    "int": 7,
    "bool": False,
    "tuple[str, ...]": ("one", "two"),
    "tuple[dict[str, Json], ...]": ({"name": "one"}, {}),
    "tuple[int, str]": (12, "345"),
    "Vectors": {"know": 0.5, "uncertainty": 1.0},
    "dict[str, float]": {"know": -0.25},
    "dict[str, str]": {"title": "ab"},
}


def test_there_is_a_sample_of_each_type_a_field_can_have() -> None:
    assert set(OF_EACH_TYPE) == set(p.READERS)


@pytest.mark.parametrize("type_", sorted(OF_EACH_TYPE))
@pytest.mark.parametrize("optional", [False, True])
def test_a_field_of_each_type_can_be_added_to_a_kind(
    monkeypatch: pytest.MonkeyPatch, type_: str, optional: bool
) -> None:
    """A made-up kind gets a field of the type; it is stored and read back, and refused where it is of another type."""
    annotation = f"{type_} | None" if optional else type_
    defaults = {"added": None} if optional else {}
    made_up = value(type("MadeUp", (), {"__annotations__": {"text": "str", "added": annotation}, **defaults}))
    monkeypatch.setitem(p.KINDS, "made.up", (made_up, 1))
    payload: Any = made_up(text="x", added=OF_EACH_TYPE[type_])  # type: ignore[call-arg]
    stored = json.loads(canonical(p.write(payload)))
    assert p.read(event_of("made.up", stored), made_up) == payload
    assert p.read(event_of("made.up", {**stored, "added": [None]}), made_up) is None
    missing = p.read(event_of("made.up", {"text": "x"}), made_up)
    assert missing == (made_up(text="x") if optional else None)  # type: ignore[call-arg]


@given(st.data())
def test_whatever_stands_in_a_payload_is_read_as_its_type_or_not_at_all(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(p.KINDS)))
    cls, _ = p.KINDS[kind]
    payload = {name: data.draw(JSON) for name in fields(cls)}
    found = p.read(event_of(kind, payload), cls)
    if found is not None:
        for name, content in found.__dict__.items():
            assert _fits(content, cls.__annotations__[name]), (name, content)


def _fits(content: object, type_: str) -> bool:
    if content is None:
        return type_.endswith("| None")
    base = type_.removesuffix(" | None")
    if base in ("str", "int", "bool"):
        return type(content).__name__ == base
    if base in ("Vectors", "dict[str, float]"):
        return isinstance(content, dict) and all(type(number) is float for number in content.values())
    if base == "dict[str, str]":
        return isinstance(content, dict) and all(type(text) is str for text in content.values())
    return isinstance(content, tuple)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -0.1, 1.1, True, "0.5", None, [0.5]], ids=repr)
def test_vectors_out_of_their_range_make_the_payload_unreadable(wrong: Any) -> None:
    written = p.write(p.TransactionChecked(vectors={"know": 0.5}, reasoning="", decision="proceed", correction={}))
    event = event_of("transaction.checked", {**written, "vectors": {"know": wrong}})
    assert p.read(event, p.TransactionChecked) is None


def test_an_old_version_is_upcast_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(p.KINDS, "note.finding", (p.Note, 3))
    monkeypatch.setitem(p.UPCASTS, ("note.finding", 1), lambda old: {"words": old["body"]})
    monkeypatch.setitem(p.UPCASTS, ("note.finding", 2), lambda old: {"text": old["words"].upper()})
    assert p.read(event_of("note.finding", {"body": "a"}, schema=1), p.Note) == p.Note("A")
    assert p.read(event_of("note.finding", {"words": "b"}, schema=2), p.Note) == p.Note("B")
    assert p.read(event_of("note.finding", {"text": "c"}, schema=3), p.Note) == p.Note("c")
    assert p.read(event_of("note.finding", {"text": "d"}, schema=4), p.Note) is None


def test_upcasting_leaves_the_event_as_it_was_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(p.KINDS, "note.finding", (p.Note, 2))
    monkeypatch.setitem(p.UPCASTS, ("note.finding", 1), lambda old: {"text": old["body"]})
    event = event_of("note.finding", {"body": "a"})
    p.read(event, p.Note)
    assert event.payload == {"body": "a"}


def test_every_version_before_the_present_one_has_its_step() -> None:
    missing = [
        (kind, version)
        for kind, (_, present) in p.KINDS.items()
        for version in range(1, present)
        if (kind, version) not in p.UPCASTS
    ]
    assert not missing


def test_what_is_learned_and_what_can_be_closed_are_kinds() -> None:
    assert set(p.LEARNED) <= set(p.KINDS)
    assert set(p.CLOSABLE_NOTES) <= set(p.NOTE_KINDS)
    assert {f"note.{kind}" for kind in p.NOTE_KINDS} <= set(p.KINDS)


def test_the_sample_events_are_events() -> None:
    event = event_of("note.finding", {})
    assert isinstance(event, Event)
    assert (event.id, event.prev_hash) == (ID, GENESIS)
