"""The chain: nothing in it can be changed, moved, taken out or put in without it showing (SPEC 2.2)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import BadInput
from perdure.model.event import GENESIS, HASHED, Draft, Event, Head
from perdure.model.value import replace
from perdure.proof.chain import Fault, empty_head, event_hash, fault_after, head_of, seal, verified
from tests.effort import tries

LEDGER = "11111111-1111-4111-8111-111111111111"
SECOND = "22222222-2222-4222-8222-222222222222"
PROJECT = "33333333-3333-4333-8333-333333333333"


def id_of(number: int) -> str:
    return f"44444444-4444-4444-8444-{number:012}"


def draft(number: int, **changes: Any) -> Draft:
    return Draft(
        **{
            "kind": "note.finding",
            "payload": {"text": f"number {number} é"},
            "ts": "2026-01-01T00:00:00.000Z",
            "project_id": PROJECT,
            "session_id": id_of(901),
            "transaction_id": id_of(902),
            "instance_id": id_of(903),
            "task_id": "bd-1",
            "actor": "codex/sub",
            "id": id_of(number),
            **changes,
        }
    )


def chain(length: int, ledger: str = LEDGER) -> list[Event]:
    head, events = empty_head(ledger), []
    for number in range(1, length + 1):
        event, _ = seal(draft(number), head)
        events.append(event)
        head = head_of(event)
    return events


def faults(events: list[Event]) -> list[Fault]:
    return [found for found in verified(events, {}) if isinstance(found, Fault)]


# -- the format, worked out beside it --------------------------------------------------------------------------------


def by_hand(event: Event) -> tuple[str, str]:
    """Payload hash and hash, from the words of SPEC 2.2 alone: SHA-256 over JSON with sorted names and no spaces."""
    payload = json.dumps(event.payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    covered = {
        "ledger_id": event.ledger_id,
        "seq": event.seq,
        "clock": event.clock,
        "id": event.id,
        "kind": event.kind,
        "ts": event.ts,
        "project_id": event.project_id,
        "session_id": event.session_id,
        "transaction_id": event.transaction_id,
        "instance_id": event.instance_id,
        "task_id": event.task_id,
        "actor": event.actor,
        "schema": event.schema,
        "payload_hash": hashlib.sha256(payload).hexdigest(),
        "prev_hash": event.prev_hash,
    }
    there = {name: content for name, content in covered.items() if content is not None}
    text = json.dumps(there, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return hashlib.sha256(payload).hexdigest(), hashlib.sha256(text).hexdigest()


def test_the_first_event_of_a_ledger_worked_through_by_hand() -> None:
    payload = b'{"text":"keeps one token of lookahead"}'
    payload_hash = hashlib.sha256(payload).hexdigest()
    envelope = (
        '{"actor":"user","clock":1,"id":"44444444-4444-4444-8444-000000000001","kind":"note.finding",'
        '"ledger_id":"11111111-1111-4111-8111-111111111111",'
        f'"payload_hash":"{payload_hash}",'
        '"prev_hash":"0000000000000000000000000000000000000000000000000000000000000000",'
        '"project_id":"33333333-3333-4333-8333-333333333333","schema":1,"seq":1,"ts":"2026-01-01T00:00:00.000Z"}'
    )
    expected = hashlib.sha256(envelope.encode()).hexdigest()
    event, text = seal(
        Draft(
            kind="note.finding",
            payload={"text": "keeps one token of lookahead"},
            ts="2026-01-01T00:00:00.000Z",
            project_id=PROJECT,
            actor="user",
            id=id_of(1),
        ),
        empty_head(LEDGER),
    )
    assert text.encode() == payload
    assert (event.payload_hash, event.hash) == (payload_hash, expected)
    assert expected == "4398509ba2ab7c6640e1d4170a85410a3768976d51430c5161ee0e3a7ee87dd6"
    assert (event.seq, event.clock, event.prev_hash) == (1, 1, "0" * 64)


def test_every_event_of_a_chain_has_the_hashes_one_gets_by_hand() -> None:
    events = chain(5)
    previous = "0" * 64
    for number, event in enumerate(events, 1):
        assert event.seq == event.clock == number
        assert event.prev_hash == previous
        assert (event.payload_hash, event.hash) == by_hand(event)
        previous = event.hash


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=10)


@given(TEXTS, TEXTS, st.none() | TEXTS, st.dictionaries(st.text("abc", max_size=3), TEXTS, max_size=3))
def test_whatever_stands_in_the_fields_the_hashes_are_those_by_hand(
    kind: str, actor: str, task: str | None, payload: dict[str, str]
) -> None:
    event, _ = seal(draft(1, kind=kind, actor=actor, task_id=task, payload=payload), empty_head(LEDGER))
    assert (event.payload_hash, event.hash) == by_hand(event)


def test_the_hash_covers_every_field_but_itself_the_payload_and_why_it_is_gone() -> None:
    assert sorted(HASHED) == sorted(set(Event.__annotations__) - {"hash", "payload", "absent"})
    assert list(HASHED) == sorted(HASHED)


def test_a_payload_too_large_for_an_event_is_refused() -> None:
    with pytest.raises(BadInput) as caught:
        seal(draft(1, payload={"text": "x" * (1 << 20)}), empty_head(LEDGER))
    assert caught.value.code == "too_large"
    seal(draft(1, payload={"text": "x" * ((1 << 20) - 11)}), empty_head(LEDGER))


def test_an_event_gets_an_id_of_its_own_where_none_was_chosen() -> None:
    first, _ = seal(draft(1, id=None), empty_head(LEDGER))
    second, _ = seal(draft(1, id=None), empty_head(LEDGER))
    assert first.id != second.id


# -- attacks ---------------------------------------------------------------------------------------------------------


def test_a_whole_chain_verifies() -> None:
    events = chain(6)
    heads: dict[Any, Head] = {}
    assert list(verified(events, heads)) == events
    assert heads == {LEDGER: head_of(events[-1])}


@pytest.mark.parametrize("name", sorted(set(Event.__annotations__) - {"absent"}))
@pytest.mark.parametrize("place", [0, 2, 4], ids=["first", "middle", "last"])
def test_a_changed_field_is_detected(name: str, place: int) -> None:
    events = chain(5)
    content = getattr(events[place], name)
    others: dict[type, Any] = {int: content + 1 if isinstance(content, int) else 0, str: f"{content}x", dict: {"a": 1}}
    events[place] = replace(events[place], **{name: others[type(content)]})
    found = faults(events)
    assert found
    assert found[0].seq <= place + 1


JUNK = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=70) | st.just([1])


@tries(400)
@given(
    st.integers(0, 4),
    st.sampled_from(sorted(set(Event.__annotations__) - {"absent"})),
    JUNK | st.dictionaries(st.text(st.characters(), max_size=3), st.floats() | st.text(st.characters()), max_size=2),
)
def test_whatever_one_field_is_changed_to_it_is_detected(place: int, name: str, content: Any) -> None:
    events = chain(5)
    before = getattr(events[place], name)
    if (type(content) is type(before) and content == before) or (name == "ledger_id" and type(content) is not str):
        return
    events[place] = replace(events[place], **{name: content})
    assert faults(events)


@tries(300)
@given(st.integers(0, 4), st.data())
def test_a_changed_event_that_was_hashed_anew_no_longer_fits_what_follows(place: int, data: st.DataObject) -> None:
    events = chain(6)
    name = data.draw(st.sampled_from(["kind", "actor", "task_id", "ts", "session_id"]))
    changed = replace(events[place], **{name: getattr(events[place], name) + "x"})
    events[place] = replace(changed, hash=event_hash(changed))
    (found,) = faults(events)
    assert found.seq == place + 2
    assert "link" in found.what


def test_swapped_events_are_detected() -> None:
    for first in range(5):
        events = chain(6)
        events[first], events[first + 1] = events[first + 1], events[first]
        assert faults(events)[0].seq == first + 1


def test_a_removed_event_is_detected() -> None:
    for place in range(5):
        events = chain(6)
        del events[place]
        (found,) = faults(events)
        assert found.seq == place + 1
        assert "missing" in found.what


def test_a_cut_tail_verifies_by_itself_and_is_shorter_than_its_head_says() -> None:
    events = chain(6)
    heads: dict[Any, Head] = {}
    assert not [f for f in verified(events[:4], heads) if isinstance(f, Fault)]
    assert heads[LEDGER] != head_of(events[-1])


def test_a_doubled_event_is_detected() -> None:
    for place in range(6):
        events = chain(6)
        events.insert(place, events[place])
        assert len(faults(events)) == 1


def test_an_inserted_event_is_detected() -> None:
    for place in range(5):
        events = chain(6)
        head = head_of(events[place - 1]) if place else empty_head(LEDGER)
        forged, _ = seal(draft(99), head)
        events.insert(place, forged)
        assert len(faults(events)) == 1


def test_a_tail_written_anew_from_a_point_is_whole_and_its_head_is_another() -> None:
    """A rewritten history verifies; that it is another one shows in its head, which witnesses keep."""
    events = chain(6)
    forged, _ = seal(draft(99), head_of(events[2]))
    heads: dict[Any, Head] = {}
    assert not [f for f in verified([*events[:3], forged], heads) if isinstance(f, Fault)]
    assert heads[LEDGER].hash != events[3].hash


def test_an_event_of_another_ledger_does_not_fit_in() -> None:
    events = chain(3)
    events[1] = replace(chain(3, SECOND)[1], ledger_id=LEDGER)
    assert faults(events)[0].seq == 2


def test_a_clock_that_does_not_go_forward_is_detected_even_where_the_hashes_fit() -> None:
    first = chain(1)[0]
    behind, _ = seal(draft(2), Head(ledger_id=LEDGER, seq=1, clock=0, hash=first.hash))
    assert behind.clock == first.clock
    assert "clock" in faults([first, behind])[0].what


def test_chains_of_several_ledgers_are_told_apart_in_any_interleaving() -> None:
    one, two = chain(3), chain(3, SECOND)
    mixed = [one[0], two[0], two[1], one[1], one[2], two[2]]
    assert list(verified(mixed, {})) == mixed
    two[1] = replace(two[1], actor="else")
    mixed = [one[0], two[0], two[1], one[1], one[2], two[2]]
    found = list(verified(mixed, {}))
    assert [f for f in found if isinstance(f, Event)] == [one[0], two[0], one[1], one[2]]
    assert [f.ledger_id for f in found if isinstance(f, Fault)] == [SECOND]


def test_verifying_goes_on_from_a_head() -> None:
    events = chain(5)
    heads: dict[Any, Head] = {LEDGER: head_of(events[2])}
    assert list(verified(events[3:], heads)) == events[3:]


# -- erased payloads -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("why", ["redacted", "withheld"])
def test_an_erased_payload_leaves_the_chain_whole(why: Any) -> None:
    events = chain(5)
    events[2] = replace(events[2], payload=None, absent=why)
    assert list(verified(events, {})) == events


def test_a_payload_that_vanished_without_a_word_is_detected() -> None:
    events = chain(5)
    events[2] = replace(events[2], payload=None)
    (found,) = faults(events)
    assert (found.seq, found.what) == (3, "its payload is gone and nothing says why")


def test_another_payload_in_place_of_an_erased_one_is_detected() -> None:
    events = chain(5)
    events[2] = replace(events[2], payload={"text": "made up"}, absent=None)
    assert faults(events)[0].seq == 3


def test_the_fault_says_where_and_what_to_do() -> None:
    events = chain(3)
    events[1] = replace(events[1], actor="else")
    error = faults(events)[0].error()
    assert error.code == "chain_broken"
    assert "event 2" in error.message
    assert error.details == {"ledger_id": LEDGER, "seq": 2}
    assert "perdure heal" in error.hint


def test_one_event_is_checked_against_the_head_before_it() -> None:
    first, second = chain(2)
    assert fault_after(head_of(first), second) is None
    assert fault_after(empty_head(LEDGER), second) is not None
    assert first.prev_hash == GENESIS
