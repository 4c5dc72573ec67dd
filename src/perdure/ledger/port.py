"""The port: what every store of a ledger does, in the fewest verbs, with its guarantees (SPEC 2.3).

    ReadableLedger   what can be asked of every ledger
    Ledger           and what changes it: the everyday port of the actions
    AuditedLedger    what can be asked, and the rows as they are stored: for audit and recovery. It has no verb that
                     changes anything
    Store            a kind of store: how its ledgers are made, opened and moved

CONTRIBUTING.md, "Add a store", has the steps.

Guarantees, held by tests/contract for every store:

- `append` is all or nothing. When it returns, its events are durable, stand next to each other at the end of this
  store's own chain, and the documents they change are changed. When it raises, nothing happened.
- Appends from any number of processes are one after another. `seq` has no gaps; `clock` is greater than that of every
  event in the store before it.
- A conditional append (`expect`) is checked and written under one lock: of several that expect the same document
  unchanged, one succeeds and the others raise `Conflict`.
- Events are never changed or removed. `erase` takes a payload out and leaves the event's hashes. Payloads that a
  redaction in force names (`model/ownership.py`) are not there, whatever a merge brings.
- Documents always equal the fold over the store's events in (clock, ledger_id) order, with the chains of `own` as the
  store's own.
- Readers see only what was committed, never half an append.
- A store that cannot do this (full, read-only, locked too long, damaged) raises `Trouble` or `Damaged` and says why.
"""

from __future__ import annotations

from perdure.errors import Conflict, Moved
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Protocol

    from perdure.model.event import Draft, Event, Head, Ref
    from perdure.model.ids import LedgerId
    from perdure.model.ownership import Own
    from perdure.model.state import Change, Document
    from perdure.proof.fsck import Row
else:
    Protocol = object

ALL_EVENTS = 1 << 40
"""More events than a ledger can hold: the limit to give where all of them are wanted."""


@value
class Expect:
    """An expectation: the document is still at this version (`clock`); with None, it does not exist."""

    kind: str
    id: str
    clock: int | None


@value
class Appended:
    events: tuple[Event, ...]
    changes: tuple[Change, ...]


@value
class Origin:
    """Where a store stands: a store met at another root or on another machine is a copy or was moved."""

    root: str
    machine: str


@value
class Mentions:
    """What a search by words found, best first, and how much each root that was asked for weighs."""

    events: list[Event]
    weights: dict[str, float]


@value
class WrittenBy:
    """Whose events are wanted: those of these sessions, of this instance and in this transaction."""

    sessions: tuple[str, ...] = ()
    """At most `MOST_SESSIONS` of them count."""
    instance_id: str | None = None
    transaction_id: str | None = None

    def wrote(self, event: Event) -> bool:
        is_of_instance = self.instance_id is not None and event.instance_id == self.instance_id
        is_of_transaction = self.transaction_id is not None and event.transaction_id == self.transaction_id
        return is_of_instance or is_of_transaction or event.session_id in self.sessions[:MOST_SESSIONS]


MOST_SESSIONS = 500
FARTHEST = 10_000
"""How many of the newest events of a kind are looked at, at most, for those that some wrote."""

NEARBY = 32
"""How many events before and after one are looked at for texts beside it."""


def unchanged(kind: str, id: str, found: Document | None) -> Expect:
    """Expects that this document is still as it was found when the append happens; or that there is still none, if none
    was found."""
    return Expect(kind, id, found.clock if found else None)


def conflict(expected: Expect) -> Conflict:
    return Conflict(
        "conflict",
        f"The {expected.kind} {expected.id[:8]} was changed by somebody else at the same moment. Nothing was written.",
        hint="Look at the new state with perdure status, then try again.",
    )


def moved() -> Moved:
    return Moved("moved", "The ledger has grown since. Nothing was written.", hint="Try again.")


class ReadableLedger(Protocol):
    def head(self) -> Head:
        """The end of the chain this store writes to."""

    def heads(self) -> tuple[Head, ...]:
        """The ends of all chains in the store, first of the one it writes to."""

    def own(self) -> dict[LedgerId, int]:
        """The chains that speak for this store, each up to which event (`model/ownership.own_chains`): the one it
        writes to, and those it goes on from. All others were taken in from elsewhere."""

    def events(self, ledger_id: LedgerId | None = None, after: int = 0) -> Iterator[Event]:
        """One chain from `after` on in order of seq, or all chains in (clock, ledger_id) order."""

    def event(self, ref: Ref) -> Event | None: ...

    def latest(
        self, kinds: Sequence[str], limit: int, own: Own | None = None, *, by: WrittenBy | None = None
    ) -> list[Event]:
        """The newest events of these kinds, newest first, in time independent of the ledger's length. `own`: only those
        of these chains, each up to that event, however many newer ones other chains have. `by`: only what these wrote,
        however much others wrote since: at least the newest `FARTHEST` of each kind are looked at."""

    def find(self, prefix: str, kinds: Sequence[str] = ()) -> list[Event]:
        """Events whose id begins so: at most three, enough to tell none, one and several apart."""

    def ids(self) -> Iterator[tuple[str, Ref]]:
        """Every event's id, and where the event stands. Memory stays flat."""

    def mentioning(self, terms: Sequence[str], limit: int, *, seen: bool = False) -> Mentions:
        """Events whose texts have any of these terms (`model/terms`) in any form: those with more and rarer ones first,
        newer before older, in time that hardly depends on the ledger's length. Of what was said and written down
        (`SAID` in `model/payload.py`); with `seen`, of what hooks saw (`SEEN`)."""

    def beside(self, event: Event, most: int) -> tuple[list[Event], list[Event]]:
        """Events with words that come next before and next after this one in its chain and session, at most so many of
        each, the nearest first. Only a few events before and after it are looked at."""

    def repeating(self, texts: Sequence[str], limit: int) -> list[Event]:
        """Events whose payloads repeat these texts, newest first: one of the payload's texts has one of them in it, or
        is a part of one of them with two words or more (`model/repeated_texts.py`). Every payload is read once."""

    def node(self, ledger_id: LedgerId, level: int, index: int) -> bytes:
        """The hash of a complete subtree of a chain's RFC 9162 tree (`proof/merkle.py`): 2^level leaves, the first of
        them leaf index·2^level. Leaf i is event i + 1, its data the 32 bytes of that event's hash. A few look-ups at
        any length of the chain; of a subtree that is not complete, or a chain that is not here, `Damaged`."""

    def document(self, kind: str, id: str) -> Document | None: ...

    def documents(self, kind: str, live: bool | None = None, limit: int | None = None) -> list[Document]:
        """Newest change first."""

    def find_documents(self, kind: str, prefix: str) -> list[Document]:
        """Documents whose id begins so: at most three."""

    def origin(self) -> Origin: ...

    def secret(self) -> str:
        """A random text by which the home recognises the file; empty if it has none yet. It is part of the file: it
        goes where the file is moved or copied, and is in no event, export or backup."""

    def close(self) -> None: ...


class Ledger(ReadableLedger, Protocol):
    def append(self, drafts: Sequence[Draft], expect: Sequence[Expect] = (), after: Head | None = None) -> Appended:
        """Adds to the end of this store's own chain. With `after`, only where that is still its head, else `Moved`:
        every change to a store ends in an event of its own chain, so an unmoved head means that nothing changed."""

    def erase(self, ref: Ref, draft: Draft) -> Event:
        """Takes the payload out of an event for good and appends `draft`, which says so."""

    def merge(self, events: Iterable[Event], draft: Draft, also: Sequence[Draft] = ()) -> Appended:
        """Takes in other chains, or more of known ones, after verifying each link; appends `draft`, which says so and
        is sealed last: what the caller learns while the events pass may still be put into its payload. `also` comes
        after it: redactions that are accepted with the events.
        An event that contradicts one already here is refused, and so is a broken chain, or more of the chain that this
        store writes to; then nothing is taken."""

    def begin(self, ledger_id: LedgerId, origin: Origin, draft: Draft) -> Appended:
        """A new chain, opened by `draft`, is from now on the one this store writes to; others stay beside it."""

    def settle(self, origin: Origin) -> None:
        """The store stands here now."""

    def keep_secret(self, secret: str, instead_of: str) -> str:
        """Keeps this secret if the store's secret is still `instead_of`. Answers with the one that it has now."""

    def rebuild(self) -> None:
        """Makes everything but the events again, from the events alone: schema, documents, every index."""


class AuditedLedger(ReadableLedger, Protocol):
    """The record as it is stored, for whoever checks or recovers it. It cannot be changed through this. It also answers
    for a damaged store, as far as that can be read; the caller handles the errors in `proof/fsck.UNREADABLE`."""

    def rows(self, ledger_id: LedgerId) -> Iterator[Sequence[Row]]:
        """A chain as it is stored, for an auditor: blocks of 256 rows in order of seq, each with the fields of `Row`,
        whatever stands there."""

    def subtrees(self, ledger_id: LedgerId) -> dict[tuple[int, int], bytes]:
        """The nodes of the chain's tree that are stored, by level and index."""

    def misindexed(self) -> list[tuple[LedgerId, int]]:
        """Where an index of the store does not say what the events say: ledger and seq of at most some of them. An
        event, or an entry of an index, that is of no chain here has no ledger: its id is empty."""

    def index_faults(self) -> list[str]:
        """Where the full-text index does not hold exactly what the events say, in words."""

    def structural_faults(self) -> list[str]:
        """What in the store's own make is not as it must be, in words: its schema, its pages, its indexes."""

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Within it, everything that is read is as it was at one moment, whoever writes meanwhile."""


class Store(Protocol):
    """A kind of store: a module with these names. Its ledgers are files at paths that the caller chooses; what a store
    keeps beside its file has the same name with an ending added. How the file begins stands in `ledger/header.py`: the
    gate looks at that, and opens no ledger.

    The functions raise `Trouble` or `Damaged`, as a ledger's verbs do; `move` and `copy` raise `OSError`."""

    BESIDE: tuple[str, ...]
    """The endings of all files that may stand beside the store's own, such as `-wal`."""
    LOGS: tuple[str, ...]
    """Those of them that hold what the store's own file does not have yet. When a store is gone and its log is still
    there, the next store at this path would take the log for its own."""
    WITH_EVENTS: tuple[str, ...]
    """Those of them whose size and time change with what is appended, and not with what is read."""

    def create(self, path: str, ledger_id: LedgerId, origin: Origin) -> Ledger:
        """A new store with one empty chain. It appears whole or not at all; where somebody else was first, theirs is
        opened."""

    def open_ledger(self, path: str, *, writable: bool = True) -> Ledger:
        """A store that is not sound raises `Damaged`. Without `writable`, every verb that would change it raises
        `Trouble`."""

    def open_audited(self, path: str) -> AuditedLedger:
        """Opens also what `open_ledger` refuses, as long as there are events to read."""

    def strays(self, path: str) -> list[str]:
        """Files beside the store that have a name it uses for its logs, and that it did not write. A store beside one
        is not opened: `Damaged`."""

    def rebuild(self, path: str, aside: str | None = None) -> None:
        """Makes everything but the events again, also where `open_ledger` refuses the store. With `aside`, the store as
        it was is kept there. Where the events do not verify it raises `Damaged` and changes nothing."""

    def move(self, path: str, to: str) -> None:
        """The store, sound or not, with everything that belongs to it."""

    def copy(self, path: str, to: str) -> None:
        """As `move`, and the original stays untouched."""
