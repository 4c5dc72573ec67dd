"""Erasing: a payload goes, its hashes stay, and nothing that was derived from its words is left (SPEC 2.2)."""

from __future__ import annotations

from collections.abc import Callable

from perdure.ledger.port import Ledger
from perdure.model import payload as p
from perdure.model.event import Ref

from .making import OTHER, OWN, T, assert_sound, chain, draft, goal, gone, merged, notes, opened, redaction


def test_an_erased_payload_is_gone_and_the_chain_verifies(ledger: Ledger, connect: Callable[[], Ledger]) -> None:
    events = [*ledger.append([draft(payload=p.Note(f"words {n}")) for n in range(4)]).events]
    said = ledger.erase(Ref(OWN, 2), redaction(events[1]))
    for each in (ledger, connect()):
        found = list(each.events(OWN))
        assert found == [events[0], gone(events[1], "redacted"), *events[2:], said]
        assert (found[1].payload_hash, found[1].hash) == (events[1].payload_hash, events[1].hash)
    assert_sound(ledger)


def test_the_erasure_is_an_event_of_its_own(ledger: Ledger) -> None:
    (event,) = ledger.append([draft()]).events
    said = ledger.erase(Ref(OWN, 1), redaction(event))
    assert said.kind == "payload.redacted"
    assert ledger.head().seq == said.seq == 2
    assert said.payload == {"ledger_id": OWN, "seq": 1, "event_id": event.id, "because": "held a name"}


def test_state_is_what_the_events_still_say(ledger: Ledger) -> None:
    event, _ = ledger.append([opened(), draft("file.read", p.FileRead("a"), transaction_id=T)]).events
    ledger.erase(Ref(OWN, 1), redaction(event))
    found = ledger.document("transaction", T)
    assert found is not None
    assert found.body.preflight_vectors == {}  # type: ignore[attr-defined]
    assert not found.body.passes, "an erased PREFLIGHT opens no gate"  # type: ignore[attr-defined]
    assert_sound(ledger)


def test_an_event_of_another_ledger_can_be_erased_here(ledger: Ledger) -> None:
    events = notes(OTHER, 3)
    ledger.merge(events, merged())
    ledger.erase(Ref(OTHER, 2), redaction(events[1]))
    assert list(ledger.events(OTHER)) == [events[0], gone(events[1], "redacted"), events[2]]
    assert_sound(ledger)


def test_erasing_one_payload_leaves_every_other(ledger: Ledger) -> None:
    ledger.append([draft(payload=p.Note(f"words {n}")) for n in range(5)])
    ledger.merge(notes(OTHER, 5), merged())
    before = {(event.ledger_id, event.seq): event for event in ledger.events()}
    ledger.erase(Ref(OWN, 3), redaction(before[OWN, 3]))
    for event in ledger.events():
        place = (event.ledger_id, event.seq)
        assert event == (gone(before[place], "redacted") if place == (OWN, 3) else before.get(place, event))


def test_folding_anew_changes_nothing(ledger: Ledger) -> None:
    ledger.append([opened(), goal(1), draft("note.question", p.Note("why?"))])
    ledger.merge(
        chain(OTHER, [opened("aaaaaaaa-0000-4000-8000-000000000009", "eeeeeeee-0000-4000-8000-000000000009")]), merged()
    )
    kinds = ("transaction", "goal", "note", "holding", "file", "session", "other_transaction")
    before = {kind: ledger.documents(kind) for kind in kinds}
    for _ in range(2):
        ledger.rebuild()
        assert {kind: ledger.documents(kind) for kind in before} == before
    assert sum(map(len, before.values())) > 5
    assert_sound(ledger)
