"""Drafts, foreign chains, and what a store must equal: the fold over its events, done here from nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from perdure.ledger.port import Ledger
from perdure.model import payload as p
from perdure.model.event import Draft, Event, Head
from perdure.model.ids import LedgerId
from perdure.model.ownership import chains_with_own_part, is_own
from perdure.model.state import DOCUMENTS, Document, Removed, fold
from perdure.model.value import replace
from perdure.proof.chain import Fault, empty_head, head_of, seal, verified

OWN = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"
THIRD = "00000000-0000-4000-8000-000000000003"
NEXT = "99999999-9999-4999-8999-999999999999"
PROJECT = "33333333-3333-4333-8333-333333333333"
T, U = "aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"
A, B = "bbbbbbbb-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"
S = "dddddddd-0000-4000-8000-000000000001"
VECTORS = {"know": 0.8, "uncertainty": 0.2}


def id_of(number: int) -> str:
    return f"44444444-4444-4444-8444-{number:012}"


def draft(kind: str = "note.finding", payload: object = None, **fields: Any) -> Draft:
    content = payload if isinstance(payload, dict) else p.write(payload or p.Note("something"))
    return Draft(
        kind=kind, payload=content, ts=fields.pop("ts", "2026-01-01T00:00:00.000Z"), project_id=PROJECT, **fields
    )


def merged() -> Draft:
    return draft("ledger.merged", p.LedgerMerged(()))


def continuing(ledger: Ledger, reason: str = "copied") -> Draft:
    """The first event of a chain that goes on from what the store wrote so far."""
    return draft("ledger.opened", p.LedgerOpened(reason, chains_with_own_part(ledger.heads(), ledger.own())))


def goal(number: int) -> Draft:
    """Makes one document, so that there is something to expect of."""
    return draft("goal.created", p.GoalCreated("ship"), id=id_of(number))


def done(number: int) -> Draft:
    return draft("goal.done", p.GoalDone(id_of(number)))


def opened(transaction: str = T, instance: str = A) -> Draft:
    said = p.TransactionOpened(
        project_path="/p", suffix=instance[:8], vectors=VECTORS, reasoning="", decision="proceed", correction={}
    )
    return draft("transaction.opened", said, transaction_id=transaction, instance_id=instance, session_id=S)


UNSEALABLE = {
    "NaN": draft(payload={"x": float("nan")}),
    "lone surrogate": draft(payload={"x": "\ud800"}),
    "lone surrogate in a field": draft(actor="\udfff"),
    "too large": draft(payload={"x": "y" * (1 << 20)}),
}


def chain(ledger_id: str, drafts: Iterable[Draft], clock: int = 0) -> list[Event]:
    """What another machine's ledger holds."""
    head, events = Head(ledger_id=ledger_id, seq=0, clock=clock, hash=empty_head(ledger_id).hash), []
    for each in drafts:
        event, _ = seal(each, head)
        events.append(event)
        head = head_of(event)
    return events


def notes(ledger_id: str, count: int, clock: int = 0) -> list[Event]:
    return chain(ledger_id, [draft(payload=p.Note(f"{ledger_id[0]} {n}")) for n in range(count)], clock)


def gone(event: Event, why: Any) -> Event:
    return replace(event, payload=None, absent=why)


def redaction(of: Event) -> Draft:
    return draft(
        "payload.redacted", p.PayloadRedacted(ledger_id=of.ledger_id, seq=of.seq, event_id=of.id, because="held a name")
    )


def folded(events: Iterable[Event], own: dict[LedgerId, int]) -> dict[tuple[str, str], Document]:
    documents: dict[tuple[str, str], Document] = {}
    for event in events:
        for change in fold(event, lambda kind, id: documents.get((kind, id)), is_own(event, own)):
            if isinstance(change, Removed):
                documents.pop((change.kind, change.id), None)
            else:
                documents[change.kind, change.id] = change
    return documents


def documents_in(ledger: Ledger) -> dict[tuple[str, str], Document]:
    return {(d.kind, d.id): d for kind in DOCUMENTS for d in ledger.documents(kind)}


def snapshot(ledger: Ledger) -> object:
    """Everything a store says about itself."""
    ends = set(ledger.heads()), ledger.head()
    return list(ledger.events()), ends, documents_in(ledger), ledger.origin(), ledger.secret()


def assert_sound(ledger: Ledger) -> None:
    """What holds of every store at every moment (the port's docstring)."""
    events = list(ledger.events())
    assert not [found for found in verified(events, {}) if isinstance(found, Fault)]
    assert events == sorted(events, key=lambda event: (event.clock, event.ledger_id))
    heads = ledger.heads()
    assert heads[0].ledger_id == ledger.head().ledger_id
    for head in heads:
        of_chain = list(ledger.events(head.ledger_id))
        assert [event.seq for event in of_chain] == list(range(1, head.seq + 1))
        assert of_chain == [event for event in events if event.ledger_id == head.ledger_id]
        if of_chain:
            assert head == head_of(of_chain[-1])
    assert len(events) == sum(head.seq for head in heads)
    assert documents_in(ledger) == folded(events, ledger.own())
