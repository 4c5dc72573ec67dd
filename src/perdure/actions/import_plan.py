"""Finds out what an import would do, before it does anything (SPEC 16.4).

Every line is read and verified once, without a lock and without writing. These checks are made in this order, and the
first that fails refuses the whole import:

    1  each line is an event of this project, or a signed head
    2  each chain links, and does not contradict what is here
    3  no two events have the same id, and none has the id of another event that is here
    4  a payload that is gone was redacted, by a redaction that is in force here, or withheld as its kind is
    5  each thought record gives its hash and links to the one before it
    6  every signed head holds: those that came with the export, those within the chains, those kept in Perdure's home;
       and what continues a chain that was begun here is proved
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from shlex import quote

from perdure.actions import backup, erasures
from perdure.actions.import_sources import LONGEST_LINE
from perdure.actions.import_thoughts import ImportedThoughts
from perdure.actions.ledger_origin import other_keeper
from perdure.actions.signing import heads_folder, root_of
from perdure.errors import BadInput, Refused
from perdure.ledger.merging import Merging
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.event import Event, Head, Ref, in_order
from perdure.model.ids import LedgerId, is_hash, is_uuid, short
from perdure.model.jsonl import from_line
from perdure.model.ownership import UNERASABLE, continued_by, erasure_in_force, is_own
from perdure.model.state import Goal, OpenNote, Task, replaced_by
from perdure.model.value import value
from perdure.proof import signed_note
from perdure.proof.chain import empty_head, fault_after, head_of
from perdure.proof.merkle import LENGTH, Frontier, leaf
from perdure.proof.reconcile import Proofs, standing
from perdure.views import backup_seals, event_files, head_files, own_ledgers, signing_keys
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perdure.actions.repeated_words import Repetition
    from perdure.actions.wiring import Desk
    from perdure.proof.signed_note import PublicKey

_NOT_OURS = LedgerId("")
_SIGN_THERE = (
    "On the machine that wrote it: perdure audit heads --sign, then perdure export. That export replaces what is here. "
    "Nothing was imported."
)
_CONTENT = (
    *("kind", "ts", "project_id", "session_id", "transaction_id", "instance_id", "task_id", "actor", "schema"),
    "payload_hash",
)
"""The fields that an event keeps when it is recorded again in another chain."""
_LONGEST_LEAP = 2**24
"""How far an event's clock may be above all before it. An honest clock leaps only over events that were lost or are in
a chain that is not here. A longer leap would use up the numbers of our own chain, which goes on above it."""
_NAMES = ("kind", "actor", "session_id", "transaction_id", "instance_id", "task_id")


@value
class ChainPlan:
    """One ledger of an import. `key` signed the head over its first `signed` events; `key_known`: that key also signs
    here."""

    ledger_id: LedgerId
    seq: int
    hash: str
    new: int
    signed: int = 0
    key: str = ""
    key_known: bool = False
    unproved: int = 0
    """How many new events follow the head that came with it, and are not in a backup that this home wrote."""


@value
class Redaction:
    """What a redaction names. `held`: the payload is in the ledger here; `ours`: it is in a chain of our own."""

    target: Ref
    event_id: str
    because: str
    by: LedgerId
    held: bool
    ours: bool
    prev_hash: str | None = None
    hash: str | None = None


@value
class ForkedChain:
    """A ledger that has other events here than in the import, which a head proves. What is here gives way."""

    ledger_id: LedgerId
    seq: int
    """The first event that differs."""
    events: int
    """How many are here from there on."""


@value
class ImportPlan:
    read: int
    chains: tuple[ChainPlan, ...]
    erases: tuple[Ref, ...]
    """Payloads that are in the ledger here and that their own chains redacted."""
    redactions: tuple[Redaction, ...]
    """Redactions of events in other chains. They erase something only if a person accepts them."""
    accepted: bool
    open_elsewhere: int
    closes: tuple[tuple[str, int], ...]
    """What is ours and would be closed or superseded: the kind, and how many."""
    superseded: tuple[Event, ...]
    """The decisions of ours among these."""
    own_seq: int | None
    """The last event of our own chain here, if the import has more of it."""
    digest: bytes
    forked_chains: tuple[ForkedChain, ...] = ()
    left_out: tuple[Event, ...] = ()
    """Events whose payload this home redacted, and the record here has lost that redaction: it is recorded again."""
    repeated_in: tuple[Repetition, ...] = ()
    """After the import: events here that still have words of what it erased."""

    @property
    def new(self) -> int:
        return sum(chain.new for chain in self.chains)

    @property
    def kept(self) -> tuple[Redaction, ...]:
        """Redactions that are recorded but erase nothing."""
        return () if self.accepted else self.redactions

    @property
    def changes_ours(self) -> bool:
        """Whether the import changes something of ours (erases it, or continues it differently), and does not only add
        to it."""
        return self.own_seq is not None or bool(self.forked_chains) or (self.accepted and bool(self.redactions))


def plan_import(
    desk: Desk, lines: Iterable[bytes], progress: Callable[[int], None], *, accept_redactions: bool = False
) -> ImportPlan:
    reading = _Reading(desk, progress)
    for where, line in numbered(lines, reading.digest):
        reading.take(line, where)
    taken = reading.ids_taken_here()
    if taken:
        _refuse_other_events(desk, lines, taken)
    return reading.plan(accept_redactions)


def _refuse_other_events(desk: Desk, lines: Iterable[bytes], taken: dict[str, Ref]) -> None:
    """Check 3. After a restore, `heal` records proved events again in the new chain, under their ids and with the same
    content. Any other event with the id of one that is here could be taken for it."""
    for where, line in numbered(lines, lambda _: None):
        if head_files.is_head_line(line):
            continue
        event = event_in(line, where, desk.identity.id)
        here = desk.ledger.event(taken[event.id]) if event.id in taken else None
        is_the_same = here is None or all(getattr(event, name) == getattr(here, name) for name in _CONTENT)
        if not is_the_same:
            raise Refused(
                "id_taken",
                f"Not imported: {where}: event {event.seq} of ledger {short(event.ledger_id)} has the id {event.id}, "
                "which another event has here.",
                hint="Nothing was imported. Perdure never writes such a ledger: somebody made it by hand.",
                details={"ledger_id": event.ledger_id, "seq": event.seq, "event_id": event.id},
            )


def numbered(lines: Iterable[bytes], digest: Callable[[bytes], object]) -> Iterator[tuple[str, bytes]]:
    """The lines that are not empty, each with its position. All of them pass through `digest`, so that two readings can
    be compared."""
    for number, line in enumerate(lines, 1):
        digest(line)
        if len(line) > LONGEST_LINE:
            raise BadInput("bad_event", f"line {number}: longer than any event can be.")
        if line.strip():
            yield f"line {number}", line


def event_in(line: bytes, where: str, project: str) -> Event:
    """Check 1."""
    event = from_line(line, where)
    if event.project_id != project:
        raise Refused(
            "other_project",
            f"{where}: belongs to project {event.project_id[:8]}, this one is {project[:8]}.",
            hint="Import it there; or, if they are the same work, give both the same id in .perdure/project.toml.",
        )
    for name in _NAMES:
        content = getattr(event, name)
        if content is not None and not content.isprintable():
            raise BadInput("bad_event", f"{where}: field '{name}' holds a control character.", details={"field": name})
    return event


class _Chain:
    """What becomes of one chain: the hashes of its new events, and the heads that they must match."""

    def __init__(self, known: Head) -> None:
        self.known = known
        self.hashes = bytearray()
        self.last = (known.seq, str(known.hash))
        self.came_to = 0
        self.heads: list[tuple[int, bytes, str]] = []
        self.signed: tuple[int, PublicKey] | None = None
        self.told_at: set[tuple[int, int]] = set()
        """The size of each head that an event tells of, and the place of that event."""
        self.tells_of_head: set[int] = set()
        """Events that only tell of a head, signed by a key of this home, over all events before them."""
        self.redacted_here: set[int] = set()
        """Events whose payload this home redacted once, also if the record here does not know of that any more."""
        self.redacts: list[tuple[int, int]] = []
        """For each redaction among the new events: its own position, and that of the event of this chain it erases."""

    def go_back_to(self, known: Head) -> None:
        self.known = known
        self.last = (known.seq, str(known.hash))

    @property
    def seq(self) -> int:
        return self.last[0]

    def add(self, event: Event) -> None:
        self.hashes += bytes.fromhex(event.hash)
        self.last = (event.seq, event.hash)

    def hash_at(self, seq: int) -> str:
        """The hash of a new event."""
        first = (seq - self.known.seq - 1) * LENGTH
        return self.hashes[first : first + LENGTH].hex()

    def has(self, event: Event) -> bool | None:
        """Whether an earlier event of this import is the same as this one; None if there is no earlier one."""
        first = (event.seq - self.known.seq - 1) * LENGTH
        if first < 0 or first >= len(self.hashes):
            return None
        return self.hash_at(event.seq) == event.hash


class _Reading:
    def __init__(self, desk: Desk, progress: Callable[[int], None]) -> None:
        self._desk = desk
        self._progress = progress
        self._own = desk.ledger.own()
        self._keys = [known.key for known in signing_keys.known(desk.resolved.home)]
        heads = {head.ledger_id: head for head in desk.ledger.heads()}
        self._known = dict(heads)
        self._merging = Merging(heads, desk.ledger.event, _NOT_OURS)
        self._highest = max((head.clock for head in heads.values()), default=0)
        self._chains: dict[LedgerId, _Chain] = {}
        self._forked_chains: dict[LedgerId, ForkedChain] = {}
        self._ids: set[bytes] = set()
        self._gone: dict[Ref, Event] = {}
        self._explained: set[Ref] = set()
        self._erases: dict[Ref, None] = {}
        self._others: dict[Ref, Event] = {}
        self._redacted_here: list[Event] = []
        self._open: set[str] = set()
        self._closes: dict[str, set[str]] = {}
        self._superseded: dict[str, None] = {}
        self._exported: list[head_files.Exported] = []
        self._thoughts = ImportedThoughts(desk.ledger)
        self._count = 0
        self._sha = sha256()
        self.digest = self._sha.update

    def take(self, line: bytes, where: str) -> None:
        if head_files.is_head_line(line):
            self._exported.append(head_files.from_line(line, where))
            return
        event = event_in(line, where, self._desk.identity.id)
        self._count += 1
        if self._count % 2000 == 0:
            self._progress(self._count)
        chain = self._chains.get(event.ledger_id)
        if chain is None:
            known = self._known.get(event.ledger_id) or empty_head(event.ledger_id)
            chain = self._chains[event.ledger_id] = _Chain(known)
            chain.redacted_here = erasures.redacted_in_project(self._desk.resolved, self._desk.root, event.ledger_id)
        chain.came_to = max(chain.came_to, event.seq)
        if self._is_new(chain, event, where):
            self._take_new(chain, event)
        redacted = p.read(event, p.PayloadRedacted)
        if redacted:
            self._take_redaction(event, Ref(LedgerId(redacted.ledger_id), redacted.seq))

    def _is_new(self, chain: _Chain, event: Event, where: str) -> bool:
        """Checks 2 and 3."""
        same = chain.has(event)
        if (
            same
            and fault_after(
                Head(ledger_id=event.ledger_id, seq=event.seq - 1, clock=event.clock - 1, hash=event.prev_hash), event
            )
            is None
        ):
            if event.payload is not None:
                self._gone.pop(Ref(event.ledger_id, event.seq), None)
            return False
        if not self._is_added(chain, event):
            return False
        self._refuse_leap(event, where)
        number = _number(event.id)
        if number in self._ids:
            raise Refused(
                "broken_chain",
                f"Not imported: {where}: another event has the id {event.id}.",
                hint="Nothing was imported. Export again from the source.",
            )
        self._ids.add(number)
        chain.add(event)
        return True

    def _refuse_leap(self, event: Event, where: str) -> None:
        """Check 2."""
        if event.clock > self._highest + _LONGEST_LEAP:
            raise Refused(
                "broken_chain",
                f"Not imported: {where}: event {event.seq} of ledger {short(event.ledger_id)} has the clock "
                f"{event.clock:,}, far above all before it.",
                hint="Nothing was imported. If the source is right, import all of its chains at once: perdure export.",
                details={"ledger_id": event.ledger_id, "seq": event.seq},
            )
        self._highest = max(self._highest, event.clock)

    def _is_added(self, chain: _Chain, event: Event) -> bool:
        try:
            return self._merging.decide(event) == "add"
        except Refused as error:
            if error.code != "forked_chain" or not self._goes_back(chain, event):
                raise
        return self._merging.decide(event) == "add"

    def _goes_back(self, chain: _Chain, event: Event) -> bool:
        """Whether what is stored of this chain from here on may give way to the import, if a head proves the import. It
        may if another machine wrote the chain, and if the events before are the same."""
        here, ledger_id = self._desk, event.ledger_id
        before = here.ledger.event(Ref(ledger_id, event.seq - 1))
        is_ours = ledger_id in self._own or other_keeper(here.resolved, here.root, ledger_id) is not None
        if is_ours or before is None or ledger_id in self._forked_chains:
            return False
        self._forked_chains[ledger_id] = ForkedChain(ledger_id, event.seq, chain.known.seq - event.seq + 1)
        chain.go_back_to(head_of(before))
        self._merging.go_back_to(head_of(before))
        return True

    def _is_given_up(self, ref: Ref) -> bool:
        fork = self._forked_chains.get(ref.ledger_id)
        return fork is not None and ref.seq >= fork.seq

    def ids_taken_here(self) -> dict[str, Ref]:
        """The ids of new events that an event of this ledger has already."""
        if not self._ids:
            return {}
        taken = ((id, ref) for id, ref in self._desk.ledger.ids() if is_uuid(id) and _number(id) in self._ids)
        return {id: ref for id, ref in taken if not self._is_given_up(ref)}

    def _take_new(self, chain: _Chain, event: Event) -> None:
        ref = Ref(event.ledger_id, event.seq)
        is_withheld = event.absent == "withheld" and event.kind in event_files.WITHHELD_KINDS
        if event.payload is None and not is_withheld:
            self._gone[ref] = event
        elif event.seq in chain.redacted_here and event.payload is not None and event.kind not in UNERASABLE:
            self._redacted_here.append(event)
        if event.transaction_id and event.kind == "transaction.opened":
            self._open.add(event.transaction_id)
        elif event.transaction_id and event.kind == "transaction.closed":
            self._open.discard(event.transaction_id)
        self._thoughts.take(event)
        self._take_head_inside(chain, event)
        self._see_what_it_closes(event)

    def _take_head_inside(self, chain: _Chain, event: Event) -> None:
        signed = p.read(event, p.HeadSigned)
        if signed is None or signed.ledger_id != event.ledger_id or "$masked" in (event.payload or {}):
            return
        if not 0 <= signed.size < event.seq or not is_hash(signed.root):
            raise _head_differs(event.ledger_id, f"the head in its event {event.seq:,} can be of no events before it")
        chain.heads.append((signed.size, bytes.fromhex(signed.root), f"the head in its event {event.seq:,}"))
        chain.told_at.add((signed.size, event.seq))
        if signed.size == event.seq - 1 and self._is_signed_here(signed):
            chain.tells_of_head.add(event.seq)

    def _is_signed_here(self, said: p.HeadSigned) -> bool:
        signed = signed_note.read_if_valid(said.note)
        if signed is None:
            return False
        told = signed.tree_head
        is_that_head = (told.ledger_id, told.size, told.root.hex()) == (said.ledger_id, said.size, said.root)
        return is_that_head and signed_note.signer(signed, self._keys) is not None

    def _see_what_it_closes(self, event: Event) -> None:
        done, closed, made = p.read(event, p.GoalDone), p.read(event, p.NoteClosed), p.read(event, p.DecisionMade)
        if done:
            self._closed("goal", done.goal_id)
        elif closed:
            self._closed("note", closed.note_id)
        elif event.kind == "task.closed" and event.task_id:
            self._closed("task", event.task_id)
        elif made:
            self._superseded |= dict.fromkeys(id for id in replaced_by(made) if is_uuid(id))

    def _closed(self, kind: str, id: str) -> None:
        found = self._desk.ledger.document(kind, id)
        if (
            found
            and found.live
            and isinstance(found.body, Goal | OpenNote | Task)
            and found.body.ledger_id in self._own
        ):
            self._closes.setdefault(f"{kind}s closed", set()).add(id)

    def _take_redaction(self, event: Event, target: Ref) -> None:
        if erasure_in_force(event, self._own) is None:
            self._others[Ref(event.ledger_id, event.seq)] = event
            return
        self._explained.add(target)
        if target.ledger_id == event.ledger_id:
            self._chains[event.ledger_id].redacts.append((event.seq, target.seq))
        held = self._desk.ledger.event(target)
        if held and held.payload is not None and held.kind not in UNERASABLE:
            self._erases[target] = None

    # -- when all has been read ----------------------------------------------------------------------------------------

    def plan(self, accept: bool) -> ImportPlan:
        if not self._chains:
            raise BadInput("empty_input", "There is no event to import.", hint="perdure export writes events.")
        redactions = list(self._of_others())
        self._refuse_unexplained({each.target for each in redactions}, accept)
        self._thoughts.refuse_broken()
        self._hold_to_heads(accept)
        superseded = tuple(self._superseded_here())
        closes = {what: len(ids) for what, ids in self._closes.items()}
        if superseded:
            closes["decisions superseded"] = len(superseded)
        own = self._desk.ledger.head()
        grown = self._chains.get(own.ledger_id)
        return ImportPlan(
            read=self._count,
            chains=tuple(self._chain_plan(ledger_id, chain) for ledger_id, chain in self._chains.items()),
            erases=tuple(self._erases),
            redactions=tuple(redactions),
            accepted=accept,
            open_elsewhere=len(self._open),
            closes=tuple(sorted(closes.items())),
            superseded=superseded,
            own_seq=own.seq if grown and grown.seq > own.seq else None,
            digest=self._sha.digest(),
            forked_chains=tuple(self._forked_chains.values()),
            left_out=tuple(self._left_out({each.target for each in redactions if accept})),
        )

    def _left_out(self, accepted: set[Ref]) -> Iterator[Event]:
        """What no redaction erases, neither one that is here nor one that comes."""
        here = backup.erased_in(self._desk.ledger) if self._redacted_here else {}
        for event in self._redacted_here:
            ref = Ref(event.ledger_id, event.seq)
            if ref not in self._explained | accepted and ref.seq not in here.get(ref.ledger_id, ()):
                yield event

    def _superseded_here(self) -> Iterator[Event]:
        """Decisions of ours that count until now. Others that come with the import do not concern us."""
        for id in self._superseded:
            if self._desk.ledger.document("superseded", id) is None:
                found = self._desk.ledger.find(id, ["decision.made"])
                yield from [each for each in found if is_own(each, self._own)][:1]

    def _of_others(self) -> Iterator[Redaction]:
        """Redactions of what another chain wrote, if they would erase something here or explain why something is
        missing."""
        named: set[Ref] = set()
        for event in self._others.values():
            said = p.read(event, p.PayloadRedacted)
            assert said is not None
            target = Ref(LedgerId(said.ledger_id), said.seq)
            held = self._desk.ledger.event(target)
            comes = self._comes(target)
            if target in named or target in self._explained or not (comes or held):
                continue
            if held and (held.absent == "redacted" or held.kind in UNERASABLE):
                continue
            named.add(target)
            yield Redaction(
                target=target,
                event_id=said.event_id,
                because=said.because,
                by=event.ledger_id,
                held=held is not None and held.payload is not None,
                ours=target.ledger_id in self._own,
                prev_hash=said.prev_hash,
                hash=said.hash,
            )

    def _comes(self, target: Ref) -> bool:
        chain = self._chains.get(target.ledger_id)
        return chain is not None and chain.known.seq < target.seq <= chain.seq

    def _refuse_unexplained(self, named: set[Ref], accepted: bool) -> None:
        """Check 4."""
        for event in self._gone.values():
            if event.kind in UNERASABLE:
                raise _gone(event, f"A {event.kind} is never erased: it shows which chains belong to the record.")
            if event.absent == "withheld":
                raise _gone(event, f"It was withheld, but an export never withholds a {event.kind}.")
        unexplained = {ref: event for ref, event in self._gone.items() if ref not in self._explained}
        if unexplained:
            here = backup.erased_in(self._desk.ledger)
            unexplained = {r: e for r, e in unexplained.items() if r.seq not in here.get(r.ledger_id, ())}
        for ref, event in unexplained.items():
            if ref not in named:
                raise _gone(
                    event,
                    "No redaction of it came with it: the export was cut before that, or somebody removed the payload.",
                    "Export again on that machine: perdure export, or perdure export --tracked for its segments.",
                )
            if not accepted:
                raise _gone(
                    event,
                    "It was erased by another ledger than the one that wrote it.",
                    "--accept-redactions takes that over. Or import from the machine that wrote it.",
                )

    # -- check 6: heads ------------------------------------------------------------------------------------------------

    def _hold_to_heads(self, accept: bool) -> None:
        for exported in self._exported:
            self._take_exported(exported)
        for ledger_id, chain in self._chains.items():
            ours = [head for head in self._kept_at_home(ledger_id) if chain.known.seq < head[0] <= chain.seq]
            chain.heads += ours
            self._hold(ledger_id, chain)
            if ledger_id in self._forked_chains:
                self._refuse_unproved_fork(chain, self._forked_chains[ledger_id])
            if chain.seq > chain.known.seq:
                signed = max((size for size, _, _ in ours), default=chain.known.seq)
                self._refuse_unproved(ledger_id, chain, signed, accept=accept)

    def _refuse_unproved_fork(self, chain: _Chain, fork: ForkedChain) -> None:
        """What is here gives way to what a head of that ledger's own key proves: the one that signed what both have.
        Where neither has a head before the fork, the person who imports has to compare the key."""
        size, key = chain.signed or (0, None)
        if key is None or size < fork.seq:
            raise _forked(fork, "no signed head came with it that covers them", _SIGN_THERE)
        shared, given_up = self._heads_here(fork)
        if any(signed_note.signer(each, [key]) and each.tree_head.size >= fork.seq for each in given_up):
            raise _forked(fork, f"{key.name} signed both", "Ask whoever has that key. Nothing was imported.")
        if key in self._keys or not shared or any(signed_note.signer(each, [key]) for each in shared):
            return
        why = f"{key.name}, which signed the import, did not sign the events before"
        raise _forked(fork, why, "Compare it with perdure audit key show on that machine. Nothing was imported.")

    def _heads_here(self, fork: ForkedChain) -> tuple[list[signed_note.Signed], list[signed_note.Signed]]:
        """The heads that the ledger tells of itself: before the fork, and from there on."""
        shared: list[signed_note.Signed] = []
        given_up: list[signed_note.Signed] = []
        for event in self._desk.ledger.latest(["head.signed"], ALL_EVENTS):
            said = p.read(event, p.HeadSigned) if event.ledger_id == fork.ledger_id else None
            signed = signed_note.read_if_valid(said.note) if said and said.ledger_id == fork.ledger_id else None
            if signed:
                (shared if event.seq < fork.seq else given_up).append(signed)
        return shared, given_up

    def _refuse_unproved(self, ledger_id: LedgerId, chain: _Chain, signed: int, *, accept: bool) -> None:
        """Anybody who knows the end of a chain can continue it. Nobody may continue the one that we write to, nor one
        that another project of this home writes to: its backup is shared; nor one that this home wrote here until the
        ledger was restored. What continues an earlier chain of a copy comes in as another machine's, but it may not
        erase what we wrote."""
        here, own = self._desk, self._own.get(ledger_id, 0)
        is_current = ledger_id == here.ledger.head().ledger_id
        keeper = other_keeper(here.resolved, here.root, ledger_id)
        proved = signed if is_current else self._proved(ledger_id, chain, signed)
        if chain.seq <= proved:
            return
        if is_current:
            raise _unproved(ledger_id, proved, chain.seq, hint="perdure heal brings back what the backup has.")
        if keeper:
            hint = f"If {keeper} wrote it: perdure heal --project-path {quote(keeper)} backs it up. Then import again."
            raise _unproved(ledger_id, proved, chain.seq, hint=hint)
        if own and self._ended_here(ledger_id):
            hint = (
                "The record goes on in a new chain here since the ledger was restored. If another machine that has the "
                "keys of this home wrote more of it: perdure audit heads --sign there, then export again."
            )
            raise _unproved(ledger_id, proved, chain.seq, hint=hint)
        if not accept and any(at > proved and target <= own for at, target in chain.redacts):
            hint = (
                "It erases what was written here. Where it was written: perdure audit heads --sign, then export again; "
                "or, if its key is not known here and you trust its source: --accept-redactions."
            )
            raise _unproved(ledger_id, proved, chain.seq, hint=hint)

    def _ended_here(self, ledger_id: LedgerId) -> bool:
        """Whether this home wrote the chain in this folder, and left it because the ledger was restored. A chain that
        was left because the project was copied may go on where it was copied from."""
        if own_ledgers.name_of(self._desk.folder) not in own_ledgers.folders(self._desk.resolved.home, ledger_id):
            return False
        openings = self._desk.ledger.latest(["ledger.opened"], ALL_EVENTS)
        after = [e for e in openings if is_own(e, self._own) and ledger_id in dict(continued_by(e))]
        first = p.read(min(after, key=in_order), p.LedgerOpened) if after else None
        return first is not None and first.reason == "restored"

    def _proved(self, ledger_id: LedgerId, chain: _Chain, signed: int) -> int:
        """Up to which event a head signed with a key of this home proves the chain, or the seal of the backup does. The
        event that tells of such a head follows it and needs no other proof."""
        size, key = chain.signed or (0, None)
        proved = max(signed, size if key in self._keys else 0, self._sealed(ledger_id, chain))
        return proved + 1 if proved + 1 in chain.tells_of_head else proved

    def _sealed(self, ledger_id: LedgerId, chain: _Chain) -> int:
        """Up to which event this home's own backup says the same. The original of a copy writes it; where events
        were lost, `heal` keeps the seal that names them."""
        folder, last = self._desk.backup_folder, chain.seq
        seal = backup_seals.read(folder, ledger_id, existing_key(self._desk.resolved.home, self._desk.folder))
        if seal is None or seal.seq <= chain.known.seq:
            return 0
        if seal.seq <= last:
            return seal.seq if chain.hash_at(seal.seq) == seal.hash else 0
        kept = {}

        def backed_up() -> Iterator[Event]:
            for event in event_files.read(folder, ledger_id):
                if event.seq == last:
                    kept[last] = event.hash
                yield event

        found = standing(backed_up(), ledger_id, Proofs((), {seal.seq: seal.hash}))
        return last if found.proved >= last and kept.get(last) == chain.hash_at(last) else 0

    def _take_exported(self, exported: head_files.Exported) -> None:
        said = exported.signed.tree_head
        ledger_id = LedgerId(said.ledger_id)
        if signed_note.signer(exported.signed, [exported.key]) is None:
            raise _head_differs(
                ledger_id, f"the head over its first {said.size:,} events is not signed by the key beside it"
            )
        chain = self._chains.get(ledger_id)
        if chain is None:
            return
        if said.size > chain.seq:
            raise _head_differs(
                ledger_id,
                f"its signed head is over {said.size:,} events, and it has {chain.seq:,}: it was cut at its end",
            )
        chain.heads.append((said.size, said.root, f"the head that came with it, signed {said.time}"))
        if chain.signed is None or said.size > chain.signed[0]:
            chain.signed = said.size, exported.key

    def _kept_at_home(self, ledger_id: LedgerId) -> Iterator[tuple[int, bytes, str]]:
        folder = heads_folder(self._desk)
        accepted = {digest for each in head_files.acknowledged(folder) for digest in each.heads}
        for kept in head_files.kept(folder, ledger_id):
            if signed_note.signer(kept.signed, self._keys) and head_files.digest(kept.signed) not in accepted:
                said = kept.signed.tree_head
                yield said.size, said.root, f"a head that was signed here {said.time}"

    def _hold(self, ledger_id: LedgerId, chain: _Chain) -> None:
        """Checks all heads in one pass over the new events."""
        ledger = self._desk.ledger
        for size, root, where in sorted(chain.heads):
            if size <= chain.known.seq and root_of(ledger, ledger_id, size) != root:
                raise _head_differs(ledger_id, f"its first {size:,} events are not those of {where}")
        later = sorted(head for head in chain.heads if head[0] > chain.known.seq)
        if not later:
            return
        tree = Frontier.at(chain.known.seq, partial(ledger.node, ledger_id))
        for size, root, where in later:
            while tree.size < min(size, chain.seq):
                first = (tree.size - chain.known.seq) * LENGTH
                tree.append(leaf(bytes(chain.hashes[first : first + LENGTH])))
            if tree.size != size or tree.root() != root:
                raise _head_differs(ledger_id, f"its first {size:,} events are not those of {where}")

    def _chain_plan(self, ledger_id: LedgerId, chain: _Chain) -> ChainPlan:
        size, key = chain.signed or (0, None)
        new = chain.seq - chain.known.seq
        told = size + 1 if (size, size + 1) in chain.told_at else size
        proved = max(chain.known.seq, told, self._sealed(ledger_id, chain) if new else 0)
        return ChainPlan(
            ledger_id=ledger_id,
            seq=chain.seq,
            hash=chain.last[1],
            new=new,
            signed=size,
            key=key.name if key else "",
            key_known=key is not None and key in self._keys,
            unproved=chain.seq - proved,
        )


def _number(id: str) -> bytes:
    return bytes.fromhex(id.replace("-", ""))


def _gone(event: Event, why: str, hint: str = "Export again on that machine: perdure export.") -> Refused:
    return Refused(
        "unexplained_payload",
        f"Not imported: the payload of event {event.seq} of ledger {short(event.ledger_id)} ({event.kind}, "
        f"{short(event.id)}) is gone. {why}",
        hint=hint,
        details={"ledger_id": event.ledger_id, "seq": event.seq, "event_id": event.id},
    )


def _unproved(ledger_id: LedgerId, proved: int, seq: int, *, hint: str) -> Refused:
    return Refused(
        "own_chain_unproved",
        f"Not imported: it continues ledger {short(ledger_id)}, which was begun here, up to event {seq:,}; no head "
        f"signed here and no backup proves what is after event {proved:,}.",
        hint=f"{hint} Nothing was imported.",
        details={"ledger_id": ledger_id, "seq": proved + 1},
    )


def _forked(fork: ForkedChain, why: str, hint: str) -> Refused:
    return Refused(
        "forked_chain",
        f"Not imported: ledger {short(fork.ledger_id)} here and in the import differ from event {fork.seq:,} on, and "
        f"{why}.",
        hint=hint,
        details={"ledger_id": fork.ledger_id, "seq": fork.seq},
    )


def _head_differs(ledger_id: LedgerId, why: str) -> Refused:
    return Refused(
        "head_contradicted",
        f"Not imported: ledger {short(ledger_id)}: {why}.",
        hint="It was rewritten or cut after it was signed. Export again from the source, after an audit verify there.",
        details={"ledger_id": ledger_id},
    )
