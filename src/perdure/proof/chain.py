"""The hash chain: sealing a draft into an event, and checking that a run of events is what was sealed (SPEC 2.2).

`hash` = SHA-256, lower-case hex, over the canonical JSON of every field of the event but `hash` and `payload`; absent
fields are left out. `payload_hash` = SHA-256 over the canonical JSON of the payload. docs/ledger-format.md shows it
worked through by hand.
"""

from __future__ import annotations

from perdure.errors import BadInput, Damaged
from perdure.model import digest
from perdure.model.event import GENESIS, HASHED, Draft, Event, Head
from perdure.model.ids import EventId, Hash, LedgerId, new_id
from perdure.model.json import quoted
from perdure.model.value import value
from perdure.proof.canonical import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from hashlib import _Hash


LARGEST_PAYLOAD = 1 << 20


def _sha256(data: bytes) -> Hash:
    """The interpreter's own at first. OpenSSL's, which uses the processor's own instructions, is loaded once so much is
    hashed that this saves more than the 5 ms it takes: a hook seals an event or two."""
    global _sha, _before_openssl
    _before_openssl -= len(data)
    if _before_openssl < 0 and _sha is digest.sha256:
        from hashlib import sha256

        _sha = sha256
    return Hash(_sha(data).hexdigest())


_sha: Callable[[bytes], _Hash] = digest.sha256
_before_openssl = 256 << 10
"""Bytes."""


def payload_hash(payload_bytes: bytes) -> Hash:
    return _sha256(payload_bytes)


def event_hash(event: Event) -> Hash:
    return _sha256(envelope(event.__dict__).encode())


def envelope(fields: Mapping[str, str | int | None]) -> str:
    """Canonical by construction: the fields stand in RFC 8785 order and are strings and small integers."""
    covered = [
        f'"{name}":{content if isinstance(content, int) else quoted(content)}'
        for name in HASHED
        if (content := fields[name]) is not None
    ]
    return "{" + ",".join(covered) + "}"


def seal(draft: Draft, head: Head) -> tuple[Event, str]:
    """The draft as the event after `head`, and its payload's canonical text (what the store keeps). `head.clock` is
    the highest in the store, which is that of the own chain's head: see `Ledger.merge`."""
    payload_bytes = canonical(draft.payload)
    if len(payload_bytes) > LARGEST_PAYLOAD:
        raise BadInput(
            "too_large",
            f"That is more than the {LARGEST_PAYLOAD // 1024} KiB one event may hold. Nothing was written.",
            hint="Keep the text in a file and record its path.",
        )
    unsealed = Event(
        ledger_id=head.ledger_id,
        seq=head.seq + 1,
        clock=head.clock + 1,
        id=draft.id or EventId(new_id()),
        kind=draft.kind,
        ts=draft.ts,
        project_id=draft.project_id,
        session_id=draft.session_id,
        transaction_id=draft.transaction_id,
        instance_id=draft.instance_id,
        task_id=draft.task_id,
        actor=draft.actor,
        schema=draft.schema,
        payload=draft.payload,
        payload_hash=payload_hash(payload_bytes),
        prev_hash=head.hash,
        hash=GENESIS,
    )
    unsealed.__dict__["hash"] = event_hash(unsealed)  # the one field that covers the others
    return unsealed, payload_bytes.decode()


def empty_head(ledger_id: LedgerId) -> Head:
    return Head(ledger_id=ledger_id, seq=0, clock=0, hash=GENESIS)


def head_of(event: Event) -> Head:
    return Head(ledger_id=event.ledger_id, seq=event.seq, clock=event.clock, hash=event.hash)


@value
class Fault:
    """Where a chain is not what was sealed, and how one can tell."""

    ledger_id: LedgerId
    seq: int
    what: str

    def error(self) -> Damaged:
        return Damaged(
            "chain_broken",
            f"Ledger {self.ledger_id[:8]}, event {self.seq}: {self.what}.",
            hint="perdure heal sets the damaged ledger aside and recovers what verifies.",
            details={"ledger_id": self.ledger_id, "seq": self.seq},
        )


def fault_after(head: Head, event: Event) -> Fault | None:
    """Checks one event against the head before it: 1 place, 2 link, 3 clock, 4 payload, 5 envelope."""
    try:
        return _fault_after(head, event)
    except (TypeError, ValueError, RecursionError):  # of another type, NaN, a lone surrogate: never hashed by us
        return Fault(event.ledger_id, event.seq, "holds what no event can hold")


def _fault_after(head: Head, event: Event) -> Fault | None:
    if event.seq != head.seq + 1:
        return Fault(head.ledger_id, head.seq + 1, f"is missing; event {event.seq} follows {head.seq}")
    if event.prev_hash != head.hash:
        return Fault(event.ledger_id, event.seq, "does not link to the event before it")
    if event.clock <= head.clock:
        return Fault(event.ledger_id, event.seq, "its clock does not go forward")
    if event.payload is not None and payload_hash(canonical(event.payload)) != event.payload_hash:
        return Fault(event.ledger_id, event.seq, "its payload is not what was hashed")
    if event.payload is None and event.absent is None:
        return Fault(event.ledger_id, event.seq, "its payload is gone and nothing says why")
    if event_hash(event) != event.hash:
        return Fault(event.ledger_id, event.seq, "its fields are not what was hashed")
    return None


def verified(events: Iterable[Event], heads: dict[LedgerId, Head]) -> Iterator[Event | Fault]:
    """Events in any interleaving of ledgers, each checked against its ledger's head; `heads` is brought forward.
    After a ledger's first fault, its later events are passed over: nothing after a break can be trusted."""
    broken: set[LedgerId] = set()
    for event in events:
        if event.ledger_id in broken:
            continue
        fault = fault_after(heads.get(event.ledger_id) or empty_head(event.ledger_id), event)
        if fault:
            broken.add(event.ledger_id)
            yield fault
        else:
            heads[event.ledger_id] = head_of(event)
            yield event
