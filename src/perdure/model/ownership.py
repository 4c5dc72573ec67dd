"""Which events speak for this store, and which redactions erase a payload here (SPEC 2.2, 3.5, 16.4).

A store writes to one chain. After a restore, or in a copy, it continues in a new chain, whose first event names the
chains that it continues and says which of them were its own. Every other chain came with an import: its events are kept
and shown, but they open no gate here and erase only what that chain wrote itself. docs/adr/0030 gives the reasons.

    own = own_chains(current, first_event, merges)     {chain: the last of its events that counts as ours}
    is_own(event, own)
    erasure_in_force(event, own)                       the event whose payload this one erases here, or None
"""

from __future__ import annotations

from perdure.model import payload as p
from perdure.model.event import Event, Ref
from perdure.model.ids import LedgerId

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from perdure.model.event import Head
    from perdure.model.json import Json

    Own: TypeAlias = Mapping[LedgerId, int]
    """Each chain of the store's own, and the number of its last event that counts as the store's."""

WHOLE = 1 << 53
"""Longer than any chain: every event of the chain that the store writes to is its own."""

REDACTION = "payload.redacted"
"""The kind of the event that erases the payload of another."""
UNERASABLE = (
    "ledger.opened",
    "ledger.merged",
    REDACTION,
    "head.signed",
    "restore.acknowledged",
    "audit.finalized",
)
"""Kinds that say how chains belong together, what was erased and what was signed. Nobody may erase them, because nobody
could then tell."""


def own_chains(
    current: LedgerId, first: Callable[[LedgerId], Event | None], merges: Iterable[Event]
) -> dict[LedgerId, int]:
    """The chain that the store writes to, and those that it continues, each up to the last event that is the store's
    own. `first` gives the first event of a chain; `merges` are all `ledger.merged` events of the store."""
    own = {current: WHOLE}
    to_follow = [current]
    while to_follow:
        for ledger_id, seq in continued_by(first(to_follow.pop())):
            if ledger_id not in own:
                own[ledger_id] = seq
                to_follow.append(ledger_id)
    for event in merges:
        merged = p.read(event, p.LedgerMerged) if is_own(event, own) else None
        for ledger_id, seq in _own_parts_in(merged.ledgers if merged else ()):
            if ledger_id in own:  # `heal` found more events of it in the backup
                own[ledger_id] = max(seq, own[ledger_id])
    return own


def continued_by(event: Event | None) -> Iterator[tuple[LedgerId, int]]:
    """The chains that the same machine wrote to before it opened this one, each with its last event."""
    opened = p.read(event, p.LedgerOpened) if event else None
    if opened is None:
        return
    chains = opened.continues
    if not any("own" in each for each in chains):  # an old version wrote it: its own chain comes first
        chains = chains[:1] if opened.reason == "copied" or len(chains) == 1 else ()
        chains = tuple({**each, "own": each.get("seq")} for each in chains)
    yield from _own_parts_in(chains)


def _own_parts_in(chains: Sequence[Mapping[str, Json]]) -> Iterator[tuple[LedgerId, int]]:
    """Reads what `chains_with_own_part` wrote: each chain, and the last of its events that this store wrote."""
    for each in chains:
        ledger_id, own = each.get("ledger_id"), each.get("own")
        if isinstance(ledger_id, str) and type(own) is int and own > 0:
            yield LedgerId(ledger_id), own


def chains_with_own_part(heads: Iterable[Head], own: Own) -> tuple[dict[str, Json], ...]:
    """The chains for the payload of an event that names them. `own` says how many of a chain's events this store
    wrote."""
    return tuple(
        {
            "ledger_id": str(head.ledger_id),
            "seq": head.seq,
            "hash": str(head.hash),
            "own": min(head.seq, own.get(head.ledger_id, 0)),
        }
        for head in heads
    )


def is_own(event: Event, own: Own) -> bool:
    return event.seq <= own.get(event.ledger_id, 0)


def erasure_in_force(event: Event, own: Own) -> Ref | None:
    """A redaction in our own chain erases the payload that it names, whichever it is. One in another chain erases only
    what that chain wrote before it."""
    said = p.read(event, p.PayloadRedacted)
    if said is None or said.seq < 1:
        return None
    if is_own(event, own) or (said.ledger_id == event.ledger_id and said.seq < event.seq):
        return Ref(LedgerId(said.ledger_id), said.seq)
    return None
