"""What a store says about itself: its chains, its projects, its origin, the chains it imported (SPEC 14.7).

Whoever altered the store may have altered each of these statements. `actions/home_knowledge.py` therefore uses them
only to find out where to look, and never as proof.

    StoreStatements(ledger, resolved, root).chains[0]    the chain that the store writes to
"""

from __future__ import annotations

from perdure.actions.ledger_origin import is_own_ledger, is_replaced, misstated_origin
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.digest import sha256
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, ProjectId, is_uuid
from perdure.model.ownership import is_own
from perdure.model.value import value
from perdure.proof.fsck import UNREADABLE, NamedLedger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.actions.request import ResolvedRequest
    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Event

ACKNOWLEDGED = "restore.acknowledged"
"""The kind of the event that records an acknowledgement."""


def chains_named_by(event: Event) -> Iterator[NamedLedger]:
    """The chains that an event says the store imported (`ledger.merged`) or continues (`ledger.opened`), each up to an
    event and its hash."""
    merged, opened = p.read(event, p.LedgerMerged), p.read(event, p.LedgerOpened)
    for each in merged.ledgers if merged else opened.continues if opened else ():
        ledger_id, seq, hash_ = each.get("ledger_id"), each.get("seq", each.get("events")), each.get("hash", "")
        if isinstance(ledger_id, str) and isinstance(hash_, str) and type(seq) is int and seq > 0:
            digest = sha256(f"{ledger_id} {seq} {hash_}".encode()).hexdigest()
            yield NamedLedger(
                ledger_id=LedgerId(ledger_id),
                seq=seq,
                hash=hash_,
                where=f"event {event.seq} ({event.kind})",
                digest=digest,
            )


def chains_named_by_all(events: Iterable[Event]) -> list[NamedLedger]:
    """The chains that the events of the store's own chains name, each statement once. An end that was given up on
    purpose counts no more: `ledger.opened` says which (`given_up`), and holds against the events that it continues. An
    end that is only missing still counts, although a later event names the chain without it."""
    events = list(events)
    given_up = [each for event in events for each in _ends_given_up_by(event)]
    found: dict[str, NamedLedger] = {}
    for event in events:
        for named in chains_named_by(event):
            if not any(each.voids(event, named) for each in given_up):
                found.setdefault(named.digest, named)
    return list(found.values())


@value
class _GivenUp:
    """The events of a chain after `kept`, up to `last`."""

    ledger_id: LedgerId
    kept: int
    last: int
    before: dict[LedgerId, int]
    """The chains that were there when this was given up, each with its last event then."""

    def voids(self, event: Event, named: NamedLedger) -> bool:
        is_earlier = event.seq <= self.before.get(event.ledger_id, 0)
        return is_earlier and named.ledger_id == self.ledger_id and self.kept < named.seq <= self.last


def _ends_given_up_by(event: Event) -> Iterator[_GivenUp]:
    opened = p.read(event, p.LedgerOpened)
    marked = {each.get("ledger_id"): each.get("given_up") for each in (opened.continues if opened else ())}
    before = {named.ledger_id: named.seq for named in chains_named_by(event)} if any(marked.values()) else {}
    for ledger_id, kept in before.items():
        last = marked.get(ledger_id)
        if type(last) is int:
            yield _GivenUp(ledger_id=ledger_id, kept=kept, last=last, before=before)


class StoreStatements:
    def __init__(self, ledger: ReadableLedger, resolved: ResolvedRequest, root: str) -> None:
        heads = ledger.heads()
        self.chains = tuple(head.ledger_id for head in heads)
        self.lengths = {head.ledger_id: head.seq for head in heads}
        self.origin = ledger.origin()
        self.last_project: str | None = None
        """The project that the last event of the store's own chain names."""
        self.projects: list[ProjectId] = []
        """The projects that the first and the last event of each chain name."""
        for head in heads:
            for seq in {1, head.seq}:
                named = _project_of(ledger, Ref(head.ledger_id, seq))
                self.projects += [ProjectId(named)] if named and is_uuid(named) else []
                if head is heads[0] and seq == head.seq:
                    self.last_project = named
        self.acknowledged = frozenset(_acknowledged(ledger))
        self.own, openings = _own_openings(ledger)
        """The chains that it writes to or continues."""
        self.copied = frozenset(_copied(openings))
        """The chains that another folder wrote, as a copy of which the store began."""
        self.is_begun_after_loss = ("restored", ()) in [(each.reason, each.continues) for each in openings]
        """It was begun in the place of a record of which nothing could be restored."""
        self.imports = _imports(ledger, self.chains[0])
        self.is_replaced = is_replaced(resolved, root, ledger)
        """Somebody else wrote the file; asked before the next, which may write to the home."""
        self.is_own = is_own_ledger(resolved, root, ledger)
        self.misstated_origin = misstated_origin(resolved, root, ledger)


def wrote_chain(ledger: ReadableLedger, chain: LedgerId) -> bool:
    """Whether the store writes to the chain or continues it, and did not begin as a copy of it."""
    own, openings = _own_openings(ledger)
    return chain in own and chain not in _copied(openings)


def _imports(ledger: ReadableLedger, own_chain: LedgerId) -> dict[LedgerId, list[tuple[int, int]]]:
    """For each chain that the store's own chain names: at which event it does so, and up to which event of the other
    chain."""
    found: dict[LedgerId, list[tuple[int, int]]] = {}
    try:
        for event in ledger.latest(["ledger.merged", "ledger.opened"], ALL_EVENTS):
            for named in chains_named_by(event) if event.ledger_id == own_chain else ():
                found.setdefault(named.ledger_id, []).append((event.seq, named.seq))
    except UNREADABLE:  # the audit reports it
        return found
    return found


def _acknowledged(ledger: ReadableLedger) -> Iterator[str]:
    """The digests of the acknowledgements that the ledger records."""
    try:
        yield from acknowledged_by(ledger.latest([ACKNOWLEDGED], ALL_EVENTS))
    except UNREADABLE:  # the audit reports it
        return


def acknowledged_by(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        acknowledged = p.read(event, p.RestoreAcknowledged)
        yield from (str(each.get("digest")) for each in (acknowledged.heads if acknowledged else ()))


def _own_openings(ledger: ReadableLedger) -> tuple[frozenset[LedgerId], list[p.LedgerOpened]]:
    """The store's own chains, and how each of them was begun."""
    try:
        own = ledger.own()
        said = [p.read(e, p.LedgerOpened) for e in ledger.latest(["ledger.opened"], ALL_EVENTS) if is_own(e, own)]
        return frozenset(own), [each for each in said if each]
    except UNREADABLE:  # the audit reports it
        return frozenset(), []


def _copied(openings: list[p.LedgerOpened]) -> Iterator[LedgerId]:
    for opened in openings:
        if opened.reason == "copied":
            yield from (LedgerId(str(each.get("ledger_id"))) for each in opened.continues)


def _project_of(ledger: ReadableLedger, ref: Ref) -> str | None:
    try:
        event = ledger.event(ref)
    except UNREADABLE:  # the audit reports it
        return None
    return event.project_id if event and isinstance(event.project_id, str) else None
