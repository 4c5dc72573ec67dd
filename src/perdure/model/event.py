"""The event: one thing that happened, as the ledger keeps it (SPEC 2.2).

A `Draft` is what an action wants recorded; the ledger gives it a place in the chain and makes it an `Event`.
`HASHED` is every field that `hash` covers: all but `hash` itself and `payload`, which it covers through
`payload_hash`, so that a payload can be erased and the chain stays whole.
"""

from __future__ import annotations

from perdure.model.ids import EventId, Hash, InstanceId, LedgerId, ProjectId, SessionId, TaskId, TransactionId
from perdure.model.moment import Stamp
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from perdure.model.json import Json

    Absence: TypeAlias = Literal["redacted", "withheld"]
    Payload: TypeAlias = dict[str, Json]

GENESIS = Hash("0" * 64)
"""`prev_hash` of the first event of a ledger."""

USER = "user"
"""The actor of what a person does. The actor of an agent is its client's name, with the agent's or subagent's id after
a slash."""

BEADS = "beads"
"""The actor of what a beads file says. The author of a comment follows after a slash."""


def is_from_beads(actor: str | None) -> bool:
    return actor is not None and actor.partition("/")[0] == BEADS


HASHED = (
    "actor",
    "clock",
    "id",
    "instance_id",
    "kind",
    "ledger_id",
    "payload_hash",
    "prev_hash",
    "project_id",
    "schema",
    "seq",
    "session_id",
    "task_id",
    "transaction_id",
    "ts",
)
"""In the order of RFC 8785 (all names are ASCII), so that an object built in this order needs no sorting."""


@value
class Draft:
    kind: str
    payload: Payload
    ts: Stamp
    project_id: ProjectId
    schema: int = 1
    session_id: SessionId | None = None
    transaction_id: TransactionId | None = None
    instance_id: InstanceId | None = None
    task_id: TaskId | None = None
    actor: str | None = None
    id: EventId | None = None


@value
class Event:
    ledger_id: LedgerId
    seq: int
    clock: int
    id: EventId
    kind: str
    ts: Stamp
    project_id: ProjectId
    session_id: SessionId | None
    transaction_id: TransactionId | None
    instance_id: InstanceId | None
    task_id: TaskId | None
    actor: str | None
    schema: int
    payload: Payload | None
    payload_hash: Hash
    prev_hash: Hash
    hash: Hash
    absent: Absence | None = None


@value
class Ref:
    """The position of an event: its ledger and its number there."""

    ledger_id: LedgerId
    seq: int


@value
class Head:
    """The last event of one chain. `seq` is 0 if the chain is empty."""

    ledger_id: LedgerId
    seq: int
    clock: int
    hash: Hash


def in_order(event: Event) -> tuple[int, str]:
    """The order of events of several ledgers. It does not depend on the clocks of their machines (SPEC 2.2)."""
    return event.clock, event.ledger_id
