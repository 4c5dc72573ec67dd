"""Checks the thought records that an import brings: each gives its hash and links to the one before it (SPEC 14.3,
16.4).

Once such a record is in the ledger it stays, and `audit verify-chain` would call the task's chain broken for good. So
one that does not verify is refused before anything is written.

    thoughts = ImportedThoughts(ledger)
    thoughts.take(event)               for each new event of an import
    thoughts.refuse_broken()           when all has been read
"""

from __future__ import annotations

from perdure.errors import Refused
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, short
from perdure.model.state import Trail, body_as
from perdure.model.value import replace, value
from perdure.proof.thought_hash import Link, Verifying, record_hash, with_lone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Event

_KIND = "thought.recorded"


@value
class _NewThought:
    clock: int
    ref: Ref
    link: Link
    follows: Ref | None
    is_readable: bool
    """False: its payload came and does not say what a thought record says."""


class ImportedThoughts:
    def __init__(self, ledger: ReadableLedger) -> None:
        self._ledger = ledger
        self._found: dict[Ref, _NewThought] = {}
        self._tombstones: dict[Ref, tuple[str | None, str | None]] = {}

    def take(self, event: Event) -> None:
        redacted = p.read(event, p.PayloadRedacted)
        if redacted:
            target = Ref(LedgerId(redacted.ledger_id), redacted.seq)
            self._tombstones.setdefault(target, (redacted.prev_hash, redacted.hash))
        elif event.kind == _KIND and event.task_id is not None:
            ref = Ref(event.ledger_id, event.seq)
            self._found[ref] = _new_thought(event, ref, event.task_id)

    def refuse_broken(self) -> None:
        verifying = Verifying()
        for each in sorted(self._found.values(), key=lambda each: (each.clock, each.ref.ledger_id)):
            if each.link.computed_hash is None and each.is_readable and each.ref not in self._tombstones:
                continue  # whether its payload may be gone is asked elsewhere
            self._begin(verifying, each)
            verifying.take(self._linked(each))
            if verifying.first_broken_at:
                raise _broken(each)

    def _begin(self, verifying: Verifying, each: _NewThought) -> None:
        """Where the chain of the task ends that is here already, the new record of the same ledger links to it."""
        trail = body_as(self._ledger.document("trail", each.link.task_id), Trail)
        for ledger_id, seq, hash_ in trail.ends if trail else ():
            if ledger_id == each.ref.ledger_id and seq < each.ref.seq:
                verifying.goes_on_from(ledger_id, each.link.task_id, hash_)

    def _linked(self, each: _NewThought) -> Link:
        if each.link.computed_hash is None:
            prev_hash, hash_ = self._tombstones.get(each.ref, (None, None))
            return replace(each.link, prev_hash=prev_hash, hash=hash_)
        return replace(each.link, follows=self._hash_at(each.follows, each.link.task_id) if each.follows else None)

    def _hash_at(self, ref: Ref, task_id: str) -> str | None:
        new = self._found.get(ref)
        if new:
            found = self._linked(new).hash if new.link.computed_hash is None else new.link.hash
            return found if new.link.task_id == task_id else None
        trail = body_as(self._ledger.document("trail", task_id), Trail)
        ends = {Ref(LedgerId(ledger_id), seq): hash_ for ledger_id, seq, hash_ in (trail.ends if trail else ())}
        event = self._ledger.event(ref)
        said = p.read(event, p.ThoughtRecorded) if event and event.task_id == task_id else None
        return said.hash if said else ends.get(ref)


def _new_thought(event: Event, ref: Ref, task_id: str) -> _NewThought:
    said = p.read(event, p.ThoughtRecorded)
    link = Link(
        ledger_id=event.ledger_id,
        task_id=task_id,
        id=event.id,
        computed_hash=None,
        prev_hash=None,
        hash=None,
    )
    if said is None:
        return _NewThought(clock=event.clock, ref=ref, link=link, follows=None, is_readable=event.payload is None)
    content = with_lone(said.content, said.lone)
    computed = record_hash(event.id, said.type, task_id, content=content, timestamp=event.ts, prev_hash=said.prev_hash)
    follows = Ref(LedgerId(said.follows[1]), said.follows[0]) if said.follows else None
    link = replace(link, computed_hash=computed, prev_hash=said.prev_hash, hash=said.hash)
    return _NewThought(clock=event.clock, ref=ref, link=link, follows=follows, is_readable=True)


def _broken(each: _NewThought) -> Refused:
    return Refused(
        "broken_thought",
        f"Not imported: the thought record in event {each.ref.seq} of ledger {short(each.ref.ledger_id)} does not "
        "give its hash, or does not link to the record before it.",
        hint="Nothing was imported. On the machine that wrote it, perdure audit verify-chain says whether it is whole. "
        "If it is, it continues a ledger that did not come with it: perdure export there, and import all of that.",
        details={"ledger_id": each.ref.ledger_id, "seq": each.ref.seq, "event_id": each.link.id},
    )
