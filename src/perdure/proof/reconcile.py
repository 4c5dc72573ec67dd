"""Which of several copies of one chain is the truth (SPEC 16.3)? Pure: copies and proofs in, one run of events out.

1. A signed head, a seal of the backup, or a word of our own chain is a proof: up to that event, a copy that agrees is
   the truth, and a copy that does not agree is worth no more than the last proof it does agree with. A head outranks
   the others.
2. Where two copies differ, the one that is proved that far wins.
3. A copy that is not trusted (an export, which others can write) counts only as far as it is proved.
4. Where copies differ and nothing is proved that far, nobody decides here: the run ends before, and says so. A person
   may name the copy to keep.

Events link by their hashes, so a hole in one copy is filled from another, and what comes after it may be the first
copy's again.
"""

from __future__ import annotations

from perdure.model.event import Head
from perdure.model.value import value
from perdure.proof.chain import empty_head, fault_after, head_of
from perdure.proof.merkle import Frontier, leaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from perdure.model.event import Event
    from perdure.model.ids import LedgerId
    from perdure.proof.fsck import Claim

_NO_END = 1 << 62
"""A number of events that no chain has: all of its events count."""


@value
class Proofs:
    """What is proved of one chain: signed heads in the order of their sizes, and hashes that some places must have."""

    heads: Sequence[Claim]
    hashes: Mapping[int, str]


@value
class CopyStanding:
    """How far a copy is proved, and whether it contradicts a proof."""

    proved: int
    contradicts: bool


@value
class Copy:
    """`at` gives the event with a seq, asked for in rising order. `upto`: as far as it may be believed."""

    name: str
    at: Callable[[int], Event | None]
    proved: int
    upto: int
    is_choice: bool
    """A person may believe it further than it is proved."""


@value
class Joined:
    events: list[Event]
    sources: tuple[str, ...]
    disputed: tuple[str, ...]
    """The copies that go on after the end, differently or with nothing that proves them."""


def linked(events: Iterable[Event], ledger_id: LedgerId, proofs: Proofs) -> list[Event]:
    """The events of a file without those that do not belong where they stand: a line that stands twice, or one that
    somebody put in between. Of several runs that link from the first event on, the one that agrees with most hashes is
    taken, then the longest. What stands after a gap follows it as it is."""
    found = list(events)
    said = set(proofs.hashes.values())
    start = empty_head(ledger_id)
    heads = {start.hash: (start, 0)}
    best = start.hash
    for event in found:
        head, agreeing = heads.get(event.prev_hash, (start, 0))
        if event.hash in heads or not follows(head, event):
            continue
        heads[event.hash] = head_of(event), agreeing + (event.hash in said)
        if (heads[event.hash][1], event.seq) > (heads[best][1], heads[best][0].seq):
            best = event.hash
    return list(_in_the_run(found, heads[best][0]))


def _in_the_run(found: list[Event], end: Head) -> Iterator[Event]:
    """The events that lead to this end, and those after it, each once."""
    run: list[Event] = []
    wanted, seq = end.hash, end.seq
    by_hash = {event.hash: event for event in reversed(found)}
    while seq:
        run.append(by_hash[wanted])
        wanted, seq = run[-1].prev_hash, seq - 1
    yield from reversed(run)
    last = end.seq
    for event in found:
        if event.seq > last:
            yield event
            last = event.seq


def standing(events: Iterable[Event], ledger_id: LedgerId, proofs: Proofs) -> CopyStanding:
    """As far as the events follow one another from the first."""
    walk = _AlongProofs(ledger_id, proofs)
    for event in events:
        if not walk.takes(event):
            break
    return walk.standing()


class _AlongProofs:
    """A copy, held against the proofs event by event."""

    def __init__(self, ledger_id: LedgerId, proofs: Proofs) -> None:
        self._heads = list(proofs.heads)
        self._hashes = proofs.hashes
        self._tree = Frontier()
        self._last = empty_head(ledger_id)
        self._proved = 0
        self._before_mismatch: int | None = None
        """How much was proved before the first hash that differs."""
        self._contradicts_head = False

    def takes(self, event: Event) -> bool:
        """False where the copy ends: the event does not follow, or a signed head contradicts it."""
        if not follows(self._last, event):
            return False
        self._last = head_of(event)
        self._tree.append(leaf(bytes.fromhex(event.hash)))
        if not self._agrees_with_heads():
            self._contradicts_head = True
            return False
        self._compare_hash(event)
        return True

    def _agrees_with_heads(self) -> bool:
        """A signed head outranks what the hashes said up to here."""
        while self._heads and self._heads[0].size < self._tree.size:
            self._heads.pop(0)  # a head over nothing
        while self._heads and self._heads[0].size == self._tree.size:
            if self._heads.pop(0).root != self._tree.root():
                return False
            self._proved, self._before_mismatch = self._tree.size, None
        return True

    def _compare_hash(self, event: Event) -> None:
        said = self._hashes.get(event.seq)
        if said is None or self._before_mismatch is not None:
            return
        if said == event.hash:
            self._proved = self._tree.size
        else:
            self._before_mismatch = self._proved

    def standing(self) -> CopyStanding:
        if self._before_mismatch is not None:
            return CopyStanding(self._before_mismatch, True)
        return CopyStanding(self._proved, self._contradicts_head)


def has_root(events: Iterable[Event], size: int, root: bytes) -> bool:
    """Do the first `size` of them follow one another and have this root? Computed from the events alone."""
    tree, head = Frontier(), None
    for event in events:
        head = head or empty_head(event.ledger_id)
        if tree.size == size or not follows(head, event):
            break
        head = head_of(event)
        tree.append(leaf(bytes.fromhex(event.hash)))
    return tree.size == size > 0 and tree.root() == root


@value
class PastGap:
    """What is proved on both sides of events that cannot be read in a copy."""

    before: int
    """How many events before the gap a signed head proves."""
    after: list[Event]
    """The events after the gap that a head or a hash proves."""


def past_gap(events: Iterable[Event], ledger_id: LedgerId, proofs: Proofs) -> PastGap | None:
    """None where nothing is missing, or where what follows is not proved. Of one missing event the next one says the
    hash, which is all that a signed head needs; of several, only a hash at the end proves what follows them."""
    walk = _AcrossGap(ledger_id, proofs)
    for event in events:
        if not walk.takes(event):
            break
        if walk.is_contradicted:
            return None
    return PastGap(walk.before, walk.after[: walk.proved]) if walk.proved else None


class _AcrossGap:
    def __init__(self, ledger_id: LedgerId, proofs: Proofs) -> None:
        self._proofs = proofs
        self._tree: Frontier | None = Frontier()
        self._head = empty_head(ledger_id)
        self._gap = 0
        self.after: list[Event] = []
        self.before = self.proved = 0
        self.is_contradicted = False

    def takes(self, event: Event) -> bool:
        if not follows(self._head, event) and not self._crosses_to(event):
            return False
        self._head = head_of(event)
        if self._gap:
            self.after.append(event)
        self._grow(event.hash)
        said = self._proofs.hashes.get(event.seq)
        self.is_contradicted |= said is not None and said != event.hash
        if self._gap and said == event.hash:
            self.proved = len(self.after)
        return True

    def _crosses_to(self, event: Event) -> bool:
        before = Head(ledger_id=self._head.ledger_id, seq=event.seq - 1, clock=self._head.clock, hash=event.prev_hash)
        if self._gap or event.seq < self._head.seq + 2 or not follows(before, event):
            return False
        self._gap = self._head.seq + 1
        if event.seq == self._gap + 1:
            self._grow(event.prev_hash)
        else:
            self._tree = None
        return True

    def _grow(self, hash_: str) -> None:
        if self._tree is None:
            return
        self._tree.append(leaf(bytes.fromhex(hash_)))
        claims = [claim for claim in self._proofs.heads if claim.size == self._tree.size]
        self.is_contradicted |= any(claim.root != self._tree.root() for claim in claims)
        if self._gap and claims:
            self.before, self.proved = self._gap - 1, len(self.after)


def believed(
    name: str,
    at: Callable[[int], Event | None],
    found: CopyStanding,
    *,
    trusted: bool,
    most: int,
    is_choice: bool = False,
    beyond: PastGap | None = None,
) -> Copy:
    """`most`: no event after it is ours, whatever the copy has. `beyond`: what it has after a gap."""
    upto = _NO_END if trusted and not found.contradicts else found.proved
    if beyond:
        upto = max(upto, beyond.before, beyond.after[-1].seq if beyond.after else 0)
    return Copy(
        name=name, at=at, proved=found.proved, upto=min(upto, most), is_choice=is_choice and not found.contradicts
    )


def join(ledger_id: LedgerId, copies: Sequence[Copy], keep: str | None, *, proofs: Proofs) -> Joined:
    """`keep`: the name of the copy that a person chose where nothing else decides."""
    ranked = sorted(copies, key=lambda copy: (-copy.proved, copy.name != keep))
    head = empty_head(ledger_id)
    events: list[Event] = []
    sources: dict[str, None] = {}
    disputed: tuple[str, ...] = ()
    while True:
        following = list(_following(ranked, head))
        offers = [(copy, event) for copy, event in following if head.seq < copy.upto]
        if not offers:
            disputed = tuple(copy.name for copy, _ in following if copy.is_choice and keep is None)
            break
        chosen = _chosen(offers, head.seq + 1, keep)
        if chosen is None:
            disputed = tuple(dict.fromkeys(copy.name for copy, _ in offers))
            break
        copy, event = chosen
        sources[copy.name] = None
        events.append(event)
        head = head_of(event)
    found = standing(events, ledger_id, proofs)
    return Joined(events[: found.proved] if found.contradicts else events, tuple(sources), disputed)


def _following(copies: Sequence[Copy], head: Head) -> Iterator[tuple[Copy, Event]]:
    for copy in copies:
        event = copy.at(head.seq + 1)
        if event is not None and follows(head, event):
            yield copy, event


def _chosen(offers: list[tuple[Copy, Event]], seq: int, keep: str | None) -> tuple[Copy, Event] | None:
    """Among copies of the same event, one that still has its payload."""
    first, event = offers[0]
    differ = any(other.hash != event.hash for _, other in offers)
    if differ and first.proved < seq and first.name != keep:
        return None
    same = [offer for offer in offers if offer[1].hash == event.hash]
    return next((offer for offer in same if offer[1].payload is not None), same[0])


def follows(head: Head, event: Event) -> bool:
    try:
        return event.ledger_id == head.ledger_id and fault_after(head, event) is None
    except (TypeError, ValueError, AttributeError):  # read from a damaged row
        return False
