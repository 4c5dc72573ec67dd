"""The auditor: is the ledger what was written, and what was signed (SPEC 14.7)? It can only read: `Record` has no verb
that writes. What it checks, in the order of `Check`:

    1  every event is at its place, links to the one before it, and is what was hashed
    2  a payload that is gone was redacted, and a redaction in force (`model/ownership.py`) says so; or it was withheld,
       as its kind is; its row says which of the two, and no payload is here that was redacted
    3  the nodes of the tree that are stored are those the events give
    4  every signed head holds: so many events were there, and had this root
    5  the store's indexes say what the events say
    6  the documents are the fold over the events
    7  the backup, where the caller has one, has no other event at its end, none after ours, and every line of it is the
       line that our event gives; it has no event twice, and it goes as far as the caller knows that it went
    8  chains that the ledger says it took in, or goes on from, are here, that far and with that hash; and no others
    9  the ledger is the one that is known to belong here: the caller finds that; and no event of our own chain names
       another project than the one before it, unless a person acknowledged the change there
   10  the store's schema is ours, and its pages and indexes are sound
   11  heads that the ledger tells of are kept in the home, and a key of the home signed them: the caller finds that
   12  the transaction files say what the ledger says: the caller finds that
   13  the tracked segments say what the ledger says, and none is missing: the caller finds that
   14  no payload is here again that this home redacted: the caller finds that
   15  NOTES.md is as it was written, but for what a person added: the caller finds that
   16  the trajectory is as it was written from the ledger: the caller finds that
   17  the handoff files say what the ledger says: the caller finds that

It works on rows as they are stored, a block at a time: memory does not grow with the ledger, but with what the fold
keeps. What it finds is told with its place, and with the last signed head before it that still holds. Whatever cannot
be read is a finding too.

    audit(ledger, claims, WITHHELD_KINDS).findings == ()
"""

from __future__ import annotations

from enum import IntEnum
from hashlib import sha256
from heapq import merge
from json import JSONDecoder
from json.encoder import encode_basestring as quoted
from types import MappingProxyType

from perdure.errors import Damaged
from perdure.model.event import GENESIS, Event, Ref, in_order
from perdure.model.ids import LedgerId, short
from perdure.model.jsonl import out_of_place, says
from perdure.model.ownership import REDACTION, UNERASABLE, WHOLE, erasure_in_force, is_own
from perdure.model.plural import counted
from perdure.model.state import DOCUMENTS, apply_changes, fold, is_folded
from perdure.model.value import replace, value
from perdure.proof.merkle import LENGTH, Frontier, leaf, pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias

    from perdure.model.event import Head
    from perdure.model.state import Document

    Row: TypeAlias = tuple[Any, ...]
    Found: TypeAlias = Callable[["AuditFinding"], None]
else:
    Protocol = object

BLOCK = 256
"""Events that are read at once, and leaves under a stored node of the tree."""
_BLOCK_LEVEL = 8
"""The level of such a node: 2^8 = BLOCK."""
_MOST = 10
"""Findings of one kind in one ledger that are told one by one: after a broken place the rest may be no better."""
_DECODER = JSONDecoder()
_CHANGES_PROJECT = ("restore.acknowledged", "ledger.opened")
_ANOTHER_EVENT = "is another event than the backup has there"
_ANOTHER_LINE = "the backup does not say what the event says"
_NOTHING = sha256().hexdigest()
_NONE_SIGNED = "no head was signed before it"
_NONE_HOLDS = "none of the heads signed before it holds"
_LOST_AFTER_HEAL = (
    "what the last heal called lost, perdure import takes in again from an export; if it is lost for good, a person "
    "runs perdure audit acknowledge --because …"
)
_LOST_WAY_OUT = (
    "perdure heal brings back what it finds. What it calls lost, perdure import takes in again from an export; if it "
    "is lost for good, a person runs perdure audit acknowledge --because …"
)
CHOOSE_BACKUP_OR_LEDGER = (
    "nothing proves what only the backup has. A person chooses: perdure heal --keep backup takes it in, "
    "perdure heal --keep ledger keeps what is here and sets the old backup aside"
)
"""What helps if a backup and its ledger differ and `heal` could not decide."""
_DEEPEST = 62
"""No tree has a node above that level."""
UNREADABLE = (Damaged, TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
"""What comes of rows that hold what no store writes."""


class Check(IntEnum):
    """What the audit looks at. A finding names one of these."""

    CHAIN = 1
    GONE_PAYLOADS = 2
    TREE = 3
    HEADS = 4
    INDEXES = 5
    STATE = 6
    BACKUP = 7
    MERGED = 8
    PLACE = 9
    SCHEMA = 10
    HOME = 11
    TRANSACTION_FILES = 12
    EXPORT = 13
    REDACTED = 14
    NOTES = 15
    TRAJECTORY = 16
    HANDOFFS = 17


WHAT = {
    Check.CHAIN: "the chain of hashes",
    Check.GONE_PAYLOADS: "payloads that are gone",
    Check.TREE: "the stored tree",
    Check.HEADS: "signed heads",
    Check.INDEXES: "the indexes",
    Check.STATE: "the state",
    Check.BACKUP: "the backup",
    Check.MERGED: "chains taken in",
    Check.PLACE: "the place",
    Check.SCHEMA: "the schema",
    Check.HOME: "the home",
    Check.TRANSACTION_FILES: "the transaction files",
    Check.EXPORT: "the tracked export",
    Check.REDACTED: "redacted payloads",
    Check.NOTES: "NOTES.md",
    Check.TRAJECTORY: "the trajectory",
    Check.HANDOFFS: "the handoffs",
}
"""What people and JSON read for each check."""


class Record(Protocol):
    """A row is an event's fields in the order of `Event`, without `ledger_id`; its payload is text."""

    def heads(self) -> tuple[Head, ...]: ...

    def own(self) -> dict[LedgerId, int]: ...

    def rows(self, ledger_id: LedgerId) -> Iterator[Sequence[Row]]: ...

    def subtrees(self, ledger_id: LedgerId) -> dict[tuple[int, int], bytes]: ...

    def misindexed(self) -> list[tuple[LedgerId, int]]: ...

    def index_faults(self) -> list[str]: ...

    def structural_faults(self) -> list[str]: ...

    def documents(self, kind: str) -> list[Document]: ...

    def event(self, ref: Ref) -> Event | None: ...


@value
class Claim:
    """What a signed head says of a ledger. `binds`: the ledger must have come so far; where it does not, another clone
    may have gone further than this one knows. `source` and `digest` are the caller's: where it has the head from, and
    which one it is."""

    ledger_id: LedgerId
    size: int
    root: bytes
    time: str
    where: str
    binds: bool = True
    source: str = ""
    digest: str = ""


@value
class AuditFinding:
    check: Check
    what: str
    ledger_id: str = ""
    seq: int | None = None
    event_id: str | None = None
    time: str | None = None
    since: Claim | None = None
    """The last head before it that still holds."""
    lacks: str = ""
    """Why there is none."""
    way_out: str = ""
    """What a person does about it, where `heal` cannot mend it."""
    after_heal: str = ""
    """The same, where `way_out` begins with `heal` and that was run."""


@value
class LastOutside:
    """The last event that a copy outside has of a ledger. `binds`: only this store writes to that ledger, so the copy
    cannot be further."""

    ledger_id: LedgerId
    seq: int
    hash: str
    event_id: str
    time: str
    binds: bool = True


@value
class NamedLedger:
    """A ledger that an event of ours says is here: so far, and with this hash there, where it says one."""

    ledger_id: LedgerId
    seq: int
    hash: str
    where: str
    digest: str = ""
    check: Check = Check.MERGED


@value
class KnownElsewhere:
    """What the caller knows beside the ledger: heads, what the backup has last, what our own chain says of others.
    `copies`: the lines of a chain's backup. `taken_in`: up to which event our own chain says that each other chain was
    taken in; None where the caller does not know. `accepted`: digests of what a person has acknowledged. `shared`:
    chains whose backup may lack payloads, since another project of the home has the chain too and may redact them."""

    claims: Sequence[Claim] = ()
    backups: Sequence[LastOutside] = ()
    bound: Sequence[NamedLedger] = ()
    copies: Mapping[str, Iterable[bytes]] = MappingProxyType({})
    taken_in: Mapping[str, int] | None = None
    accepted: Container[str] = ()
    shared: Container[str] = ()


@value
class AuditReport:
    """`failed`: the heads that do not hold, and the chains that are not as the ledger says."""

    events: int
    ledgers: int
    redacted: int
    held: tuple[Claim, ...]
    findings: tuple[AuditFinding, ...]
    failed: tuple[Claim | NamedLedger, ...] = ()
    withheld: tuple[Ref, ...] = ()


def audit(
    record: Record,
    against: KnownElsewhere,
    withheld: Container[str],
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> AuditReport:
    return _Audit(record, against, withheld, progress=progress).report()


class _Audit:
    def __init__(
        self, record: Record, against: KnownElsewhere, withheld: Container[str], *, progress: Callable[[int], None]
    ) -> None:
        self._record = record
        self._against = against
        self._withheld = withheld
        self._progress = progress
        self._findings: list[AuditFinding] = []
        self._failed: list[Claim | NamedLedger] = []
        self._count = 0
        self._unread: set[LedgerId] = set()

    def report(self) -> AuditReport:
        heads = self._record.heads()
        chains = [self._chain(head) for head in heads]
        documents: dict[tuple[str, str], Document] = {}
        explained = self._read(chains, documents)
        missing = {Ref(chain.ledger_id, row[0]): row for chain in chains for row in chain.gone}
        withheld = tuple(ref for ref, row in missing.items() if self._is_withheld(ref, row, heads[0].ledger_id))
        gone = missing.keys() - set(withheld)
        self._missing_payloads(missing, gone - explained, heads[0].ledger_id)
        self._still_here(explained - missing.keys())
        self._lost({head.ledger_id for head in heads})
        self._never_taken_in(heads[1:])
        self._store(documents)
        held = tuple(claim for chain in chains for claim in chain.held)
        told = tuple(self._dated(finding, held) for finding in _bounded(self._findings))
        return AuditReport(
            events=self._count,
            ledgers=len(chains),
            redacted=len(gone),
            held=held,
            findings=told,
            failed=tuple(self._failed),
            withheld=withheld,
        )

    def _missing_payloads(self, missing: Mapping[Ref, Row], unexplained: Container[Ref], own: LedgerId) -> None:
        """Check 2. In our own chain nothing is withheld."""
        for ref, row in missing.items():
            may_be_withheld = ref.ledger_id != own and row[3] in self._withheld
            reasons = ("redacted", "withheld") if may_be_withheld else ("redacted",)
            if ref in unexplained:
                self._found(
                    _at(Check.GONE_PAYLOADS, "its payload is gone, and no redaction says so", ref.ledger_id, row=row)
                )
            elif row[16] not in reasons:
                self._found(
                    _at(
                        Check.GONE_PAYLOADS,
                        "its payload was redacted, and its row does not say so",
                        ref.ledger_id,
                        row=row,
                    )
                )

    def _store(self, documents: dict[tuple[str, str], Document]) -> None:
        """Checks 10, 5 and 6: what the store keeps beside the events."""
        for fault in self._record.structural_faults():
            self._found(AuditFinding(Check.SCHEMA, fault))
        if not self._unread:
            self._indexes()
        if not any(finding.check in (Check.CHAIN, Check.GONE_PAYLOADS) for finding in self._findings):
            self._state(documents)

    def _chain(self, head: Head) -> _Chain:
        id_ = head.ledger_id
        claims = sorted((c for c in self._against.claims if c.ledger_id == id_), key=lambda c: c.size)
        return _Chain(
            id_,
            self._record,
            KnownElsewhere(
                claims=claims,
                backups=[last for last in self._against.backups if last.ledger_id == id_],
                bound=[bound for bound in self._against.bound if bound.ledger_id == id_],
                copies={id_: self._against.copies[id_]} if id_ in self._against.copies else {},
                accepted=self._against.accepted,
                shared=self._against.shared,
            ),
            found=self._found,
            failed=self._failed.append,
            counted=self._counted,
        )

    def _found(self, finding: AuditFinding) -> None:
        self._findings.append(finding)

    def _counted(self, more: int) -> None:
        self._count += more
        self._progress(self._count)

    def _read(self, chains: list[_Chain], documents: dict[tuple[str, str], Document]) -> set[Ref]:
        """Verifies every chain (`CHAIN`, `TREE`, `HEADS`) while its events pass to the fold, all in one order."""
        explained: set[Ref] = set()
        own = self._own(chains)
        for event in merge(*(self._readable(chain) for chain in chains), key=in_order):
            erased = erasure_in_force(event, own) if event.kind == REDACTION else None
            if erased:
                explained.add(erased)
            _fold(documents, event, is_own(event, own))
        return explained

    def _still_here(self, redacted: Iterable[Ref]) -> None:
        """Check 2: a redaction names them, and none of them is without its payload."""
        for ref in sorted(redacted, key=lambda ref: (ref.ledger_id, ref.seq)):
            try:
                event = self._record.event(ref)
            except UNREADABLE:  # found where it stands
                continue
            if event and event.payload is not None and event.absent is None and event.kind not in UNERASABLE:
                what = "its payload was redacted, and is here"
                self._found(
                    AuditFinding(
                        check=Check.GONE_PAYLOADS,
                        what=what,
                        ledger_id=ref.ledger_id,
                        seq=ref.seq,
                        event_id=event.id,
                        time=event.ts,
                    )
                )

    def _own(self, chains: list[_Chain]) -> dict[LedgerId, int]:
        try:
            return self._record.own()
        except UNREADABLE:  # what cannot be read is found where it stands
            return {chain.ledger_id: WHOLE for chain in chains[:1]}

    def _is_withheld(self, ref: Ref, row: Row, own: LedgerId) -> bool:
        """It came from elsewhere without its words. To its own chain a store writes them."""
        return ref.ledger_id != own and row[16] == "withheld" and row[3] in self._withheld

    def _readable(self, chain: _Chain) -> Iterator[Event]:
        try:
            yield from chain.events()
        except UNREADABLE as error:
            self._unread.add(chain.ledger_id)
            self._found(
                AuditFinding(
                    check=Check.CHAIN,
                    what=f"cannot be read on: {_words(error)}",
                    ledger_id=chain.ledger_id,
                    seq=chain.seq + 1,
                )
            )

    def _lost(self, here: set[LedgerId]) -> None:
        """Checks 4 and 8: ledgers that are not here at all."""
        lost = [c for c in sorted(self._against.claims, key=lambda c: c.size) if c.binds and c.ledger_id not in here]
        for ledger_id, claim in {claim.ledger_id: claim for claim in lost}.items():
            self._found(AuditFinding(Check.HEADS, f"the whole ledger is gone: {_said(claim)}", ledger_id))
        named = [bound for bound in self._against.bound if bound.ledger_id not in here]
        for ledger_id, bound in {bound.ledger_id: bound for bound in named}.items():
            self._found(AuditFinding(bound.check, f"the whole ledger is gone: {bound.where} names it", ledger_id))
        self._failed += [*lost, *named]

    def _never_taken_in(self, others: Sequence[Head]) -> None:
        """Check 8: a chain, or the end of one, that somebody put into the store."""
        taken_in = self._against.taken_in
        for head in others if taken_in is not None else ():
            upto = (taken_in or {}).get(head.ledger_id, 0)
            if not upto:
                self._found(
                    AuditFinding(
                        check=Check.MERGED, what="this ledger never took that chain in", ledger_id=head.ledger_id, seq=1
                    )
                )
            elif head.seq > upto:
                what = f"this ledger took that chain in up to event {upto:,}, and it goes on"
                self._found(AuditFinding(check=Check.MERGED, what=what, ledger_id=head.ledger_id, seq=upto + 1))

    def _indexes(self) -> None:
        """Check 5."""
        try:
            for ledger_id, seq in self._record.misindexed():
                what = (
                    "the index by kind does not say what the event says" if ledger_id else "belongs to no ledger here"
                )
                self._found(AuditFinding(check=Check.INDEXES, what=what, ledger_id=ledger_id, seq=seq))
            for fault in self._record.index_faults():
                self._found(AuditFinding(Check.INDEXES, fault))
        except UNREADABLE as error:
            self._found(AuditFinding(Check.INDEXES, f"an index cannot be read: {_words(error)}"))

    def _state(self, folded: dict[tuple[str, str], Document]) -> None:
        """Check 6. Only where the events are whole: what is not cannot be held against the state."""
        try:
            stored = {(d.kind, d.id): d for kind in DOCUMENTS for d in self._record.documents(kind)}
        except UNREADABLE as error:
            self._found(AuditFinding(Check.STATE, f"a document cannot be read: {_words(error)}"))
            return
        for kind, id_ in sorted(folded.keys() | stored.keys()):
            if folded.get((kind, id_)) != stored.get((kind, id_)):
                self._found(AuditFinding(Check.STATE, f"{kind} {short(id_)} is not what the events add up to"))

    def _dated(self, finding: AuditFinding, held: Sequence[Claim]) -> AuditFinding:
        if finding.since or finding.lacks or finding.seq is None:
            return finding
        place = finding.ledger_id, finding.seq
        before = [claim for claim in held if _is_before(claim, *place)]
        if before:
            return replace(finding, since=max(before, key=lambda claim: claim.size))
        was_signed = any(_is_before(claim, *place) for claim in self._against.claims)
        return replace(finding, lacks=_NONE_HOLDS if was_signed else _NONE_SIGNED)


def _is_before(claim: Claim, ledger_id: str, seq: int) -> bool:
    return claim.ledger_id == ledger_id and claim.size < seq


class _Chain:
    """One chain, read once from its first event to its last."""

    def __init__(
        self,
        ledger_id: LedgerId,
        record: Record,
        against: KnownElsewhere,
        *,
        found: Found,
        failed: Callable[[Claim | NamedLedger], None],
        counted: Callable[[int], None],
    ) -> None:
        self.ledger_id = ledger_id
        self.seq = 0
        self.gone: list[Row] = []
        self.held: list[Claim] = []
        self._not_held: list[Claim] = []
        self._record = record
        self._envelopes = _Envelopes(ledger_id)
        self._hash: str = GENESIS
        self._clock = 0
        self._claims = against.claims
        self._next_claim = 0
        self._backups = list(against.backups)
        self._bound = list(against.bound)
        self._copy = _Copy(ledger_id, against.copies.get(ledger_id), is_shared=ledger_id in against.shared)
        self._project: str | None = None
        self._accepted = against.accepted
        self._broken: set[Any] = set()
        self._found = found
        self._failed = failed
        self._counted = counted

    def events(self) -> Iterator[Event]:
        """Those the fold is concerned with."""
        self._tree = _Tree(self._stored_nodes())
        self._holding([])  # a head of nothing
        for rows in self._record.rows(self.ledger_id):
            leaves = [self._checked(row) for row in rows]
            self._holding(leaves)
            self._beside_copies(rows)
            self._lines_of_the_copy(rows)
            for level, index in self._tree.grown(leaves):  # TREE
                self._found(
                    AuditFinding(
                        Check.TREE, f"the stored node over {_covered(level, index)} is not theirs", self.ledger_id
                    )
                )
            self._counted(len(rows))
            yield from map(self._event, (row for row in rows if _concerns_the_fold(row)))
        self._ended()

    def _stored_nodes(self) -> dict[tuple[int, int], bytes]:
        try:
            return self._record.subtrees(self.ledger_id)
        except UNREADABLE as error:
            self._found(AuditFinding(Check.TREE, f"it cannot be read: {_words(error)}", self.ledger_id))
            return {}

    def _checked(self, row: Row) -> bytes:
        """Check 1. Answers with the leaf: of the hash that is stored, so that one changed event is one finding."""
        if row[12] is None:
            self.gone.append(row)
        elif row[16] is not None:  # GONE_PAYLOADS
            self._found(
                _at(
                    Check.GONE_PAYLOADS, "its payload is here, and its row says that it is not", self.ledger_id, row=row
                )
            )
        hashed, is_whole = self._hashed(row)
        if not is_whole:
            self._broken.add(row[0])
            self._found(_at(Check.CHAIN, self._fault(row, hashed.hexdigest()), self.ledger_id, row=row))
        if row[5] != self._project:
            self._change_of_project(row)
        self.seq, self._clock, self._hash = row[0], row[1] if isinstance(row[1], int) else self._clock, row[15]
        return leaf(hashed.digest() if is_whole else _digest(row[15]) or hashed.digest())

    def _hashed(self, row: Row) -> tuple[Any, bool]:
        """The hash of its fields, and whether it follows the row before it and is what was hashed."""
        payload = row[12]
        try:
            hashed = sha256(self._envelopes.of(row).encode())
            is_whole = (
                row[0] == self.seq + 1
                and row[14] == self._hash
                and row[1] > self._clock
                and (payload is None or sha256(payload.encode()).hexdigest() == row[13])
                and hashed.hexdigest() == row[15]
            )
        except (TypeError, ValueError, AttributeError):  # a column holds what no event has there
            return sha256(), False
        return hashed, is_whole

    def _change_of_project(self, row: Row) -> None:
        """Check 9."""
        if self._project is not None and row[3] not in _CHANGES_PROJECT:
            what = "names another project than the events before it"
            digest = sha256(f"project {self.ledger_id} {row[0]} {row[15]}".encode()).hexdigest()
            if digest not in self._accepted:
                self._failed(
                    NamedLedger(
                        ledger_id=self.ledger_id,
                        seq=row[0],
                        hash=str(row[15]),
                        where=what,
                        digest=digest,
                        check=Check.PLACE,
                    )
                )
                self._found(_at(Check.PLACE, what, self.ledger_id, row=row))
        self._project = row[5]

    def _lines_of_the_copy(self, rows: Sequence[Row]) -> None:
        """Check 7."""
        differs, what = self._copy.first_that_differs(rows)
        if differs is not None and differs[0] not in self._broken:
            self._found(_at(Check.BACKUP, what, self.ledger_id, row=differs))

    def _fault(self, row: Row, computed: str) -> str:
        if row[0] != self.seq + 1:
            return f"stands where event {self.seq + 1} should, which is missing or was moved"
        if row[14] != self._hash:
            return "does not link to the event before it"
        if isinstance(row[1], int) and row[1] <= self._clock:
            return "its clock does not go forward"
        if isinstance(row[12], str) and sha256(row[12].encode()).hexdigest() != row[13]:
            return "its payload is not what was hashed"
        return "its fields are not what was hashed" if computed != _NOTHING else "holds what no event can hold"

    def _holding(self, leaves: list[bytes]) -> None:
        """Check 4: the heads whose size is reached with these leaves."""
        size = self._tree.size
        grown = self._tree.copy()
        while self._next_claim < len(self._claims):
            claim = self._claims[self._next_claim]
            if claim.size > size + len(leaves):
                return
            for each in leaves[grown.size - size : claim.size - size]:  # claims are in the order of their sizes
                grown.append(each)
            (self.held if grown.root() == claim.root else self._not_held).append(claim)
            self._next_claim += 1

    def _ended(self) -> None:
        """Check 4: the first head that does not hold says since when; those beyond the end, how much was cut."""
        since = None
        if self._not_held:
            first, others = self._not_held[0], len({claim.size for claim in self._not_held}) - 1
            since = max((c for c in self.held if c.size < first.size), key=lambda c: c.size, default=None)
            later = f"; also {counted(others, 'later head')}" if others else ""
            what = f"the first {counted(first.size, 'event')} do not match what was signed: {_said(first)}{later}"
            self._found(
                AuditFinding(Check.HEADS, what, self.ledger_id, since=since, lacks="" if since else _NONE_SIGNED)
            )
        beyond = [claim for claim in self._claims[self._next_claim :] if claim.binds]
        if beyond:
            missing = counted(beyond[-1].size - self._tree.size, "event")
            what = f"{missing} missing at the end: {_said(beyond[-1])}"
            last = self.held[-1] if self.held and not self._not_held else since
            self._found(
                AuditFinding(
                    check=Check.HEADS, what=what, ledger_id=self.ledger_id, seq=self._tree.size + 1, since=last
                )
            )
        for claim in (*self._not_held, *beyond):
            self._failed(claim)
        self._copies_beyond()

    def _copies_beyond(self) -> None:
        """Checks 7 and 8: what others have of this chain after its last event."""
        after = self._tree.size + 1
        repeated = self._copy.out_of_place(self._tree.size)
        if repeated is not None:
            what = f"the backup has event {repeated:,} once more after its last line"
            what = what if repeated else "the backup has a line that is not an event after its last event"
            self._found(AuditFinding(Check.BACKUP, what, self.ledger_id, seq=repeated or after))
        for last in (last for last in self._backups if last.binds):
            what = f"the backup goes on after the ledger ends, up to event {last.seq:,}"
            self._found(
                AuditFinding(
                    check=Check.BACKUP,
                    what=what,
                    ledger_id=self.ledger_id,
                    seq=after,
                    event_id=last.event_id,
                    time=last.time,
                    after_heal=CHOOSE_BACKUP_OR_LEDGER,
                )
            )
        for bound in self._bound:
            self._failed(bound)
            what = f"{bound.where} names it up to event {bound.seq:,}, and it ends before"
            self._found(
                AuditFinding(
                    check=bound.check,
                    what=what,
                    ledger_id=self.ledger_id,
                    seq=after,
                    way_out=_LOST_WAY_OUT,
                    after_heal=_LOST_AFTER_HEAL,
                )
            )

    def _beside_copies(self, rows: Sequence[Row]) -> None:
        """Checks 7 and 8: what stands where the backup ends, and where the ledger says that it took in so much."""
        first, after = self._tree.size + 1, self._tree.size + 1 + len(rows)
        for last in [last for last in self._backups if first <= last.seq < after]:
            self._backups.remove(last)
            row = rows[last.seq - first]
            if row[15] != last.hash and not self._copy.is_given:
                self._found(_at(Check.BACKUP, _ANOTHER_EVENT, self.ledger_id, row=row))
        for bound in [bound for bound in self._bound if bound.seq < after]:
            self._bound.remove(bound)
            row = rows[max(0, bound.seq - first)]
            if bound.hash and row[15] != bound.hash:
                self._failed(bound)
                self._found(_at(bound.check, f"is another event than {bound.where} names", self.ledger_id, row=row))

    def _event(self, row: Row) -> Event:
        """As the fold needs it: what an event that only touches its transaction says is not asked."""
        payload = _payload(row[12]) if row[3] == REDACTION or is_folded(row[3], None) else None
        make: Any = Event
        clock = row[1] if isinstance(row[1], int) else self._clock
        event: Event = make(self.ledger_id, row[0], clock, *row[2:12], payload, *row[13:])
        return event


class _Copy:
    """The lines of a chain's backup, beside the rows they were made from."""

    def __init__(self, ledger_id: LedgerId, lines: Iterable[bytes] | None, *, is_shared: bool) -> None:
        self.is_given = lines is not None
        self._is_shared = is_shared
        self._ledger_id = ledger_id
        self._lines = iter(lines or ())

    def first_that_differs(self, rows: Sequence[Row]) -> tuple[Row | None, str]:
        for row, line in zip(rows, self._lines, strict=False):
            if not line.endswith(b"\n"):  # torn by a crash: the next backup cuts it off
                self._lines = iter(())
            elif not says(line, self._ledger_id, row, or_redacted=self._is_shared):
                self._lines = iter(())  # what follows is no better
                return row, _ANOTHER_LINE if str(row[15]).encode() in line else _ANOTHER_EVENT
        return None, ""

    def out_of_place(self, size: int) -> int | None:
        """After the last event of the chain. Events with higher numbers may have been written since we began."""
        return out_of_place(self._lines, size)


def _payload(text: Any) -> dict[str, Any] | None:
    try:
        payload = None if text is None else _DECODER.decode(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


class _Tree:
    """The tree as the events give it, beside what is stored of it."""

    def __init__(self, stored: dict[tuple[int, int], bytes]) -> None:
        self._stored = stored
        self._grown = Frontier()

    @property
    def size(self) -> int:
        return self._grown.size

    def copy(self) -> Frontier:
        """The tree so far, to which leaves can be added without changing this one."""
        return self._grown.copy()

    def grown(self, leaves: list[bytes]) -> Iterator[tuple[int, int]]:
        """Takes a block in; answers with the stored nodes that are not what they should be."""
        if len(leaves) < BLOCK:
            for each in leaves:
                self._grown.append(each)
            yield from self._beyond()
            return
        row = leaves
        while len(row) > 1:
            row = pairs(row)
        for level, index, hashed in self._grown.append(row[0], _BLOCK_LEVEL):
            kept = self._stored.pop((level, index), hashed)
            if kept != hashed:
                yield level, index

    def _beyond(self) -> Iterator[tuple[int, int]]:
        yield from sorted(self._stored, key=repr)
        self._stored.clear()


def _covered(level: Any, index: Any) -> str:
    if not (isinstance(level, int) and isinstance(index, int) and 0 <= level <= _DEEPEST and index >= 0):
        return "no events"
    return f"events {(index << level) + 1:,} to {(index + 1) << level:,}"


def _concerns_the_fold(row: Row) -> bool:
    return row[3] == REDACTION or is_folded(row[3], row[7])


class _Envelopes:
    """What `hash` covers (`chain.envelope`), from rows: in RFC 8785 order, absent fields left out. What many events
    have in common, who and where, is written once."""

    def __init__(self, ledger_id: LedgerId) -> None:
        self._ledger = quoted(ledger_id)
        self._known: dict[tuple[Any, ...], tuple[str, str, str, str]] = {}

    def of(self, row: Row) -> str:
        around = row[3], row[5:12]
        known = self._known.get(around)
        if known is None:
            if len(self._known) > BLOCK:
                self._known.clear()
            known = self._known[around] = self._around(row)
        first, second, third, fourth = known
        return (
            f'{first}{row[1]:d},"id":{quoted(row[2])}{second}{quoted(row[13])},"prev_hash":{quoted(row[14])}'
            f"{third}{row[0]:d}{fourth}{quoted(row[4])}}}"
        )

    def _around(self, row: Row) -> tuple[str, str, str, str]:
        kind, project, session, transaction, instance, task, actor, schema = row[3], *row[5:12]
        by, at, during, of, within = map(
            _field,
            ("actor", "instance_id", "session_id", "task_id", "transaction_id"),
            (actor, instance, session, task, transaction),
        )
        return (
            f'{{{by}"clock":',
            f',{at}"kind":{quoted(kind)},"ledger_id":{self._ledger},"payload_hash":',
            f',"project_id":{quoted(project)},"schema":{schema:d},"seq":',
            f',{during}{of}{within}"ts":',
        )


def _field(name: str, content: str | None) -> str:
    return "" if content is None else f'"{name}":{quoted(content)},'


def _digest(text: object) -> bytes:
    try:
        raw = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        return b""
    return raw if len(raw) == LENGTH else b""


def _fold(documents: dict[tuple[str, str], Document], event: Event, is_own: bool) -> None:
    try:
        changes = fold(event, lambda kind, id: documents.get((kind, id)), is_own)
    except UNREADABLE:  # of an event that is not what was hashed: told by CHAIN
        return
    apply_changes(documents, changes)


def _at(check: Check, what: str, ledger_id: LedgerId, *, row: Row) -> AuditFinding:
    id_, ts = (str(row[place]) for place in (2, 4))
    return AuditFinding(check=check, what=what, ledger_id=ledger_id, seq=row[0], event_id=id_, time=ts)


def _words(error: BaseException) -> str:
    return error.message if isinstance(error, Damaged) else f"it holds what no store writes ({type(error).__name__})"


def _said(claim: Claim) -> str:
    signed = f", signed {claim.time}" if claim.time else ""
    return f"a head over {claim.size:,}{signed} ({claim.where})"


def _bounded(findings: list[AuditFinding]) -> Iterator[AuditFinding]:
    seen: dict[tuple[Check, str], int] = {}
    for finding in findings:
        group = (finding.check, finding.ledger_id)
        seen[group] = seen.get(group, 0) + 1
        if seen[group] <= _MOST:
            yield finding
    for (check, ledger_id), count in seen.items():
        if count > _MOST:
            yield AuditFinding(check, f"and {count - _MOST:,} more like these", ledger_id)
