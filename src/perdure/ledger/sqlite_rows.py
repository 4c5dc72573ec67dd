"""Events and documents as rows of SQLite's tables, and back.

An event's row number is its chain's number and its seq in one integer, so a chain lies together and grows at one end.

    row_number(chain, 7) == rows_of_chain(chain)[0] + 7
"""

from __future__ import annotations

from perdure.errors import Damaged
from perdure.model.event import Event
from perdure.model.ids import EventId, Hash, InstanceId, LedgerId, ProjectId, SessionId, TaskId, TransactionId
from perdure.model.json import compact, decoder
from perdure.model.moment import Stamp
from perdure.model.state import Document, decode, encode
from perdure.proof.canonical import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

SEQ_BITS = 40
"""How many bits of a row number the seq takes; the chain's number is above them."""
EVENT_COLUMNS = (
    "e.row, c.ledger_id, e.clock, e.id, e.kind, e.ts, e.project_id, e.session_id, e.transaction_id, e.instance_id, "
    "e.task_id, e.actor, e.schema, e.payload, e.payload_hash, e.prev_hash, e.hash, e.absent"
)
"""As `event_from` reads them, from `EVENTS`."""
PUT_DOCUMENT = "INSERT OR REPLACE INTO documents VALUES (?,?,?,?,?)"
REMOVE_DOCUMENT = "DELETE FROM documents WHERE kind = ? AND id = ?"
EVENTS = f"FROM events e JOIN chains c ON c.n = e.row >> {SEQ_BITS}"
_decode = decoder()


def row_number(chain: int, seq: int) -> int:
    return (chain << SEQ_BITS) + seq


def seq_in(row: int) -> int:
    return row & (1 << SEQ_BITS) - 1


def event_row(row: int, event: Event, payload_text: str | None) -> tuple[object, ...]:
    return (
        row,
        event.clock,
        event.id,
        event.kind,
        event.ts,
        event.project_id,
        event.session_id,
        event.transaction_id,
        event.instance_id,
        event.task_id,
        event.actor,
        event.schema,
        payload_text,
        event.payload_hash,
        event.prev_hash,
        event.hash,
        event.absent,
    )


def marks(values: Sequence[object]) -> str:
    """A placeholder for each, for an SQL list."""
    return ",".join("?" * len(values))


def rows_of_chain(chain: int) -> tuple[int, int]:
    return chain << SEQ_BITS, (chain + 1 << SEQ_BITS) - 1


def index_text(event: Event) -> str:
    """The words of the event, as they are entered in the full-text index."""
    from perdure.model.terms import terms_of, text_of

    return " ".join(terms_of(text_of(event)))


def document_row(document: Document) -> tuple[object, ...]:
    body = compact(encode(document.body))
    return document.kind, document.id, int(document.live), document.clock, body


def payload_text_of(event: Event) -> str | None:
    return None if event.payload is None else canonical(event.payload).decode()


def event_from(row: tuple[Any, ...]) -> Event:
    place, ledger_id, clock, id_, kind, ts, project, session, transaction, instance, task, actor, schema = row[:13]
    payload, payload_hash, prev_hash, hash_, absent = row[13:]
    return Event(
        ledger_id=LedgerId(ledger_id),
        seq=seq_in(place),
        clock=clock,
        id=EventId(id_),
        kind=kind,
        ts=Stamp(ts),
        project_id=ProjectId(project),
        session_id=session and SessionId(session),
        transaction_id=transaction and TransactionId(transaction),
        instance_id=instance and InstanceId(instance),
        task_id=task and TaskId(task),
        actor=actor,
        schema=schema,
        payload=None if payload is None else _read_payload(payload, ledger_id, seq_in(place)),
        payload_hash=Hash(payload_hash),
        prev_hash=Hash(prev_hash),
        hash=Hash(hash_),
        absent=absent,
    )


def _read_payload(text: str, ledger_id: str, seq: int) -> dict[str, Any]:
    try:
        payload = _decode(text)
    except (ValueError, RecursionError, TypeError) as error:
        payload = error
    if not isinstance(payload, dict):
        raise Damaged(
            "chain_broken",
            f"Ledger {ledger_id[:8]}, event {seq}: its payload is not what was hashed.",
            hint="perdure heal sets the damaged ledger aside and recovers what verifies.",
        )
    return payload


def document_from(row: tuple[Any, ...]) -> Document:
    kind, id_, live, clock, body = row
    try:
        if live not in (0, 1):
            raise ValueError(live)
        return Document(kind=kind, id=id_, live=bool(live), clock=clock, body=decode(kind, _decode(body)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = f"The stored state of {kind} {id_[:8]} cannot be read."
        raise Damaged("state_damaged", message, hint="perdure heal rebuilds it from the events.") from error
