"""The ledger in memory: each verb of the port, done in the plainest way. Read it to see what a verb means. Tests
compare the other stores with it, and a small store can keep the content of its file in one."""

from __future__ import annotations

from contextlib import contextmanager
from heapq import merge as merge_sorted
from threading import RLock

from perdure.errors import Damaged
from perdure.ledger.merging import Merging
from perdure.ledger.port import ALL_EVENTS, NEARBY, Appended, Expect, Mentions, Origin, WrittenBy, conflict, moved
from perdure.model.event import Draft, Event, Head, Ref, in_order
from perdure.model.ids import LedgerId
from perdure.model.ownership import UNERASABLE, erasure_in_force, is_own, own_chains
from perdure.model.payload import SAID, SEEN
from perdure.model.repeated_texts import Repeated, texts_in
from perdure.model.state import Document, apply_changes, fold
from perdure.model.terms import closest, roots_of, text_of, weights, word_root
from perdure.model.value import fields, replace
from perdure.proof.canonical import canonical
from perdure.proof.chain import empty_head, head_of, seal
from perdure.proof.merkle import leaf, over, root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from perdure.model.ownership import Own
    from perdure.model.state import Change
    from perdure.proof.fsck import Row

_ENOUGH = 3
"""What begins with a prefix is looked for until so many are found: that tells none, one and several apart."""


class MemoryLedger:
    def __init__(self, ledger_id: LedgerId, origin: Origin) -> None:
        self._lock = RLock()
        self._chains: dict[LedgerId, list[Event]] = {ledger_id: []}
        self._own = ledger_id
        self._origin = origin
        self._secret = ""
        self._documents: dict[tuple[str, str], Document] = {}

    def append(self, drafts: Sequence[Draft], expect: Sequence[Expect] = (), after: Head | None = None) -> Appended:
        with self._lock:
            if after is not None and after != self.head():
                raise moved()
            for expected in expect:
                found = self._documents.get((expected.kind, expected.id))
                if (found.clock if found else None) != expected.clock:
                    raise conflict(expected)
            head = replace(self.head(), clock=max(h.clock for h in self.heads()))
            events: list[Event] = []
            changed = dict(self._documents)
            changes: list[Change] = []
            for draft in drafts:
                event, _ = seal(draft, head)
                head = head_of(event)
                events.append(event)
                changes += _fold_into(changed, event)
            self._chains[self._own].extend(events)
            self._documents = changed
            return Appended(tuple(events), tuple(changes))

    def head(self) -> Head:
        return self._head(self._own)

    def _head(self, ledger_id: LedgerId) -> Head:
        chain = self._chains[ledger_id]
        return head_of(chain[-1]) if chain else empty_head(ledger_id)

    def heads(self) -> tuple[Head, ...]:
        others = (ledger_id for ledger_id in self._chains if ledger_id != self._own)
        return tuple(self._head(ledger_id) for ledger_id in (self._own, *others))

    def own(self) -> dict[LedgerId, int]:
        return own_chains(self._own, lambda i: self.event(Ref(i, 1)), self.latest(["ledger.merged"], ALL_EVENTS))

    def events(self, ledger_id: LedgerId | None = None, after: int = 0) -> Iterator[Event]:
        if ledger_id is not None:
            return iter(self._chains.get(ledger_id, [])[after:])
        return merge_sorted(*(chain[:] for chain in self._chains.values()), key=in_order)

    def event(self, ref: Ref) -> Event | None:
        chain = self._chains.get(ref.ledger_id, [])
        return chain[ref.seq - 1] if 1 <= ref.seq <= len(chain) else None

    def latest(
        self, kinds: Sequence[str], limit: int, own: Own | None = None, *, by: WrittenBy | None = None
    ) -> list[Event]:
        found = (event for event in reversed(list(self.events())) if event.kind in kinds)
        wanted = (event for event in found if by is None or by.wrote(event))
        return [event for event in wanted if own is None or is_own(event, own)][:limit]

    def find(self, prefix: str, kinds: Sequence[str] = ()) -> list[Event]:
        found = (e for e in self.events() if e.id.startswith(prefix) and (not kinds or e.kind in kinds))
        return [event for event, _ in zip(found, range(_ENOUGH), strict=False)]

    def ids(self) -> Iterator[tuple[str, Ref]]:
        return ((event.id, Ref(event.ledger_id, event.seq)) for event in self.events())

    def mentioning(self, terms: Sequence[str], limit: int, *, seen: bool = False) -> Mentions:
        events = [event for event in self.events() if event.kind in (SEEN if seen else SAID)]
        texts = [roots_of(text) for event in events if (text := text_of(event))]
        counts = {each: sum(each in text for text in texts) for each in map(word_root, terms)}
        weight = weights(counts, len(texts))
        return Mentions(closest(events, weight, limit), weight)

    def beside(self, event: Event, most: int) -> tuple[list[Event], list[Event]]:
        chain, at = self._chains.get(event.ledger_id, []), event.seq - 1
        before, after = reversed(chain[max(0, at - NEARBY) : at]), chain[at + 1 : at + 1 + NEARBY]
        return _texts_of_session(before, event, most), _texts_of_session(after, event, most)

    def repeating(self, texts: Sequence[str], limit: int) -> list[Event]:
        newest_first, repeated = reversed(list(self.events())), Repeated(texts)
        found = (e for e in newest_first if any(repeated.is_in(text) for _, text in texts_in(e.payload)))
        return [event for event, _ in zip(found, range(limit), strict=False)]

    def node(self, ledger_id: LedgerId, level: int, index: int) -> bytes:
        covered = self._chains.get(ledger_id, [])[index << level : index + 1 << level]
        leaves = [leaf(bytes.fromhex(event.hash)) for event in covered]
        if len(leaves) != 1 << level:
            raise Damaged("chain_broken", f"Ledger {ledger_id[:8]} has no such subtree.", hint="perdure heal")
        return root(len(leaves), over(leaves))

    def rows(self, ledger_id: LedgerId) -> Iterator[list[Row]]:
        rows = [_row(event) for event in self._chains.get(ledger_id, [])]
        return (rows[first : first + 256] for first in range(0, len(rows), 256))

    def subtrees(self, ledger_id: LedgerId) -> dict[tuple[int, int], bytes]:
        return {}

    def misindexed(self) -> list[tuple[LedgerId, int]]:
        return []

    def index_faults(self) -> list[str]:
        return []

    def structural_faults(self) -> list[str]:
        return []

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        with self._lock:
            yield

    def document(self, kind: str, id: str) -> Document | None:
        return self._documents.get((kind, id))

    def documents(self, kind: str, live: bool | None = None, limit: int | None = None) -> list[Document]:
        found = [d for d in self._documents.values() if d.kind == kind and live in (None, d.live)]
        return sorted(found, key=lambda d: (-d.clock, d.id))[:limit]

    def find_documents(self, kind: str, prefix: str) -> list[Document]:
        return sorted((d for d in self.documents(kind) if d.id.startswith(prefix)), key=lambda d: d.id)[:_ENOUGH]

    def erase(self, ref: Ref, draft: Draft) -> Event:
        with self._lock, _AllOrNothing(self):
            self._drop_payload(ref)
            event = self.append([draft]).events[0]
            self.rebuild()
            return event

    def _drop_payload(self, ref: Ref) -> None:
        chain = self._chains.get(ref.ledger_id, [])
        if 1 <= ref.seq <= len(chain):
            chain[ref.seq - 1] = replace(chain[ref.seq - 1], payload=None, absent="redacted")

    def merge(self, events: Iterable[Event], draft: Draft, also: Sequence[Draft] = ()) -> Appended:
        with self._lock, _AllOrNothing(self):
            self._take_in(events)
            appended = self.append([draft, *also])
            self._erase_what_was_redacted()
            self.rebuild()
            return appended

    def _take_in(self, events: Iterable[Event]) -> None:
        merging = Merging({head.ledger_id: head for head in self.heads()}, self.event, self._own)
        for event in events:
            verdict = merging.decide(event)
            if verdict == "add":
                self._chains.setdefault(event.ledger_id, []).append(event)
            elif verdict == "fill":
                self._chains[event.ledger_id][event.seq - 1] = event

    def _erase_what_was_redacted(self) -> None:
        own = self.own()
        for ref in [erasure_in_force(event, own) for event in self.events()]:
            target = self.event(ref) if ref else None
            if ref and target and target.absent != "redacted" and target.kind not in UNERASABLE:
                self._drop_payload(ref)

    def begin(self, ledger_id: LedgerId, origin: Origin, draft: Draft) -> Appended:
        with self._lock, _AllOrNothing(self):
            self._chains[ledger_id] = []
            self._own, self._origin = ledger_id, origin
            appended = self.append([draft])
            self.rebuild()  # what the new chain does not go on from is not the store's own any more
            return appended

    def origin(self) -> Origin:
        return self._origin

    def settle(self, origin: Origin) -> None:
        self._origin = origin

    def secret(self) -> str:
        return self._secret

    def keep_secret(self, secret: str, instead_of: str) -> str:
        with self._lock:
            if self._secret == instead_of:
                self._secret = secret
            return self._secret

    def rebuild(self) -> None:
        documents: dict[tuple[str, str], Document] = {}
        own = self.own()
        for event in self.events():
            _fold_into(documents, event, is_own(event, own))
        self._documents = documents

    def close(self) -> None:
        """Nothing is held."""


def _texts_of_session(events: Iterable[Event], of: Event, most: int) -> list[Event]:
    same = (each for each in events if of.session_id is not None and each.session_id == of.session_id)
    return [each for each in same if each.kind in SAID][:most]


class _AllOrNothing:
    """What was changed before something failed is put back."""

    def __init__(self, ledger: MemoryLedger) -> None:
        self._state = ledger.__dict__
        chains = {ledger_id: list(chain) for ledger_id, chain in ledger._chains.items()}
        self._before = {**self._state, "_chains": chains}

    def __enter__(self) -> None:
        pass

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed:
            self._state.update(self._before)


def _row(event: Event) -> Row:
    """In the order of `proof/fsck.Row`."""
    stored = {**event.__dict__, "payload": None if event.payload is None else canonical(event.payload).decode()}
    return tuple(stored[name] for name in fields(Event) if name != "ledger_id")


def _fold_into(documents: dict[tuple[str, str], Document], event: Event, is_own: bool = True) -> list[Change]:
    changes = fold(event, lambda kind, id: documents.get((kind, id)), is_own)
    apply_changes(documents, changes)
    return changes
