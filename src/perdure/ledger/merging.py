"""What a merge takes in: the decision every store makes about each foreign event, without any storage (SPEC 16.4).

What a redaction among them may erase is another question: `model/ownership.py`.
"""

from __future__ import annotations

from perdure.errors import Refused
from perdure.model.event import Event, Head, Ref
from perdure.model.ids import LedgerId
from perdure.proof.chain import Fault, empty_head, fault_after, head_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

_BEYOND_COUNTING = 2**53 - 2**32
"""Our own next event is numbered above all that was taken in, and must still be below 2^53 (SPEC 2.2). An import
refuses a leap long before (`actions/import_plan.py`): `heal` must take in again what the store itself wrote."""


class Merging:
    """Walks incoming events in order and says of each: add it, fill in a payload we lack, or skip it. `own` is the
    chain that the store writes to: nobody else adds to that."""

    def __init__(self, heads: dict[LedgerId, Head], stored: Callable[[Ref], Event | None], own: LedgerId) -> None:
        self._heads = heads
        self._stored = stored
        self._own = own

    def decide(self, event: Event) -> Literal["add", "fill", "skip"]:
        head = self._heads.get(event.ledger_id) or empty_head(event.ledger_id)
        if event.seq <= head.seq:
            return self._known(event)
        if event.ledger_id == self._own:
            raise more_of_the_own_chain(event, head.seq)
        self._verify(head, event)
        self._heads[event.ledger_id] = head_of(event)
        return "add"

    def go_back_to(self, head: Head) -> None:
        """For an import that continues a chain differently from there on than it is stored."""
        self._heads[head.ledger_id] = head

    def _verify(self, head: Head, event: Event) -> None:
        fault = fault_after(head, event)
        if not fault and event.clock >= _BEYOND_COUNTING:
            fault = Fault(event.ledger_id, event.seq, "its clock leaves no numbers for those after it")
        if fault:
            raise Refused(
                "broken_chain",
                f"Not imported: ledger {fault.ledger_id[:8]}, event {fault.seq}: {fault.what}.",
                hint="Nothing was imported. Export again from the source.",
                details={"ledger_id": fault.ledger_id, "seq": fault.seq},
            )

    def _known(self, event: Event) -> Literal["fill", "skip"]:
        """One we have: it must be the same, whole in itself, and may bring the payload that was withheld."""
        ours = self._stored(Ref(event.ledger_id, event.seq))
        if ours is None or ours.hash != event.hash:
            raise Refused(
                "forked_chain",
                f"Not imported: ledger {event.ledger_id[:8]} here and in the import differ from event {event.seq} on.",
                hint="One of the two was rewritten or written twice. perdure heal --check verifies the one here: if "
                "that is whole, the import is wrong.",
                details={"ledger_id": event.ledger_id, "seq": event.seq},
            )
        self._verify(Head(ledger_id=ours.ledger_id, seq=ours.seq - 1, clock=ours.clock - 1, hash=ours.prev_hash), event)
        return "fill" if ours.absent == "withheld" and event.payload is not None else "skip"


def more_of_the_own_chain(event: Event, ends_at: int) -> Refused:
    return Refused(
        "own_chain",
        f"Not imported: event {event.seq} would be added to the chain that this ledger itself writes to, which ends at "
        f"event {ends_at} here.",
        hint="If an older copy of the ledger was put back, perdure heal brings back what the backup has.",
        details={"ledger_id": event.ledger_id, "seq": event.seq},
    )
