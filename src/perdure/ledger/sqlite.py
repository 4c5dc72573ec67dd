"""The ledger in SQLite: one file, `.perdure/ledger.db` (SPEC 2.3).

An event's row number is its chain's number and its seq in one integer, so a chain lies together and grows at one end.
There is no index on anything random: an append touches the same page in a ledger of a million events as in one of a
thousand. What is remembered between calls is only believed where the write itself proves that nobody wrote since.

Durability: WAL with synchronous=FULL, one fsync a commit. On a network file system, where WAL is not safe, the store
keeps a rollback journal instead (`filesystem.py`). Every error of the driver is translated in `translated`.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from heapq import merge as merge_sorted
from json import JSONDecoder
from stat import S_ISREG

from perdure.errors import Damaged, PerdureError, Trouble
from perdure.ledger import schema
from perdure.ledger.filesystem import is_network
from perdure.ledger.header import has_no_room, is_read_only
from perdure.ledger.merging import ERASURE, Merging
from perdure.ledger.port import Appended, Expect, Origin, conflict, moved
from perdure.ledger.queue import Queue
from perdure.ledger.schema import STORE_VERSION
from perdure.ledger.stray_logs import strays_beside
from perdure.model.event import Draft, Event, Head, Ref, in_order
from perdure.model.ids import EventId, Hash, InstanceId, LedgerId, ProjectId, SessionId, TaskId, TransactionId
from perdure.model.json import compact
from perdure.model.moment import Stamp
from perdure.model.ownership import UNERASABLE, erasure_in_force, is_own, own_chains
from perdure.model.payload import TEXTS
from perdure.model.state import FOLDED_KINDS, Document, Removed, decode, encode, fold, is_folded
from perdure.model.value import replace
from perdure.proof.canonical import canonical
from perdure.proof.chain import empty_head, fault_after, head_of, seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from perdure.ledger.full_text import FullText
    from perdure.ledger.subtrees import Subtrees
    from perdure.model.state import Change
    from perdure.proof.fsck import Row

    R = TypeVar("R")

BUSY_SECONDS = 10.0
LOGS: tuple[str, ...] = ("-wal", "-shm", "-journal")
BESIDE: tuple[str, ...] = (*LOGS, "-queue")
"""Files that stand beside the store, named as it is with one of these after it (`port.Store`)."""
_CHAIN_BITS = 40
_ENOUGH = 3
_EVERY = 1 << 40
_BATCH = 256
_FEW = 5
_MOST_ENTERED = 2048
"""Events that are entered in the full-text index at once, at most: nobody waits long when a store is closed."""
_DECODER = JSONDecoder()


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))


_COLUMNS = (
    "e.row, c.ledger_id, e.clock, e.id, e.kind, e.ts, e.project_id, e.session_id, e.transaction_id, e.instance_id, "
    "e.task_id, e.actor, e.schema, e.payload, e.payload_hash, e.prev_hash, e.hash, e.absent"
)
_FROM = f"FROM events e JOIN chains c ON c.n = e.row >> {_CHAIN_BITS}"
_INSERT = "INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_INSERT_AFTER = "INSERT INTO events SELECT ?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,? WHERE (SELECT max(row) FROM events) = ?"
_PAYLOAD_IF_FOLDED = f"CASE WHEN e.kind IN ({_marks(FOLDED_KINDS)}) THEN e.payload END"
_FOLDING = f"""SELECT {_COLUMNS.replace("e.payload", _PAYLOAD_IF_FOLDED, 1)} {_FROM}
  WHERE e.row > ? AND e.row <= ? AND (e.transaction_id IS NOT NULL OR e.kind IN ({_marks(FOLDED_KINDS)}))
  ORDER BY e.row LIMIT {_BATCH}"""
_INDEXED_BY = 256
"""Events are entered in `kinds` by whole blocks of this many, so that an append touches one page and not two; what
stands after a chain's last whole block is looked through (`_tails`)."""
_INDEX = "INSERT INTO kinds SELECT kind, clock, row FROM events WHERE row > ? AND row <= ?"
_NEWEST = """SELECT row, clock FROM kinds WHERE kind = ? AND clock >= coalesce(
  (SELECT clock FROM kinds WHERE kind = ? ORDER BY clock DESC LIMIT 1 OFFSET ?), 0)"""
"""So many, and all that have the same clock as the last of them: which of those is newer, the ledger id decides."""
_RAW = (
    f"row & {(1 << _CHAIN_BITS) - 1}, clock, id, kind, ts, project_id, session_id, transaction_id, instance_id, "
    "task_id, actor, schema, payload, payload_hash, prev_hash, hash, absent"
)
_RAW_ROWS = f"SELECT {_RAW} FROM events WHERE row > ? AND row <= ? ORDER BY row LIMIT ?"
_MISINDEXED = """SELECT k.row FROM kinds k LEFT JOIN events e ON e.row = k.row
  WHERE e.kind IS NOT k.kind OR e.clock IS NOT k.clock LIMIT 5"""
_OF_NO_CHAIN = f"""SELECT row FROM events e
  WHERE NOT EXISTS (SELECT 1 FROM chains c WHERE c.n = e.row >> {_CHAIN_BITS}) LIMIT 5"""
_NOT_INDEXED = """SELECT row FROM events e WHERE row > ? AND row <= ?
  AND NOT EXISTS (SELECT 1 FROM kinds k WHERE k.kind = e.kind AND k.clock = e.clock AND k.row = e.row) LIMIT 5"""
_HELD = """SELECT row, clock, id, kind, ts, project_id, session_id, transaction_id, instance_id, task_id, actor, schema,
  payload, payload_hash, prev_hash, hash, absent FROM events WHERE row = ?"""
_IDS = "SELECT row, id FROM events WHERE row > ? ORDER BY row LIMIT 4096"
_PLAIN = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 1"
_HAS_SECRET = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'secret'"
_EVERY_CHAIN = "SELECT n FROM chains ORDER BY n DESC"
_PUT_DOCUMENT = "INSERT OR REPLACE INTO documents VALUES (?,?,?,?,?)"
_LAST = "SELECT row, clock, hash FROM events ORDER BY row DESC LIMIT 1"
_FIRST_OWN = 1 << 20
"""Chains this store writes to are numbered from here up, chains taken in from here down: so the last row of the table
is the head of our own chain, which makes the one look-up of every append the cheapest there is. After a merge our own
chain gets an event too, so that row also carries the highest clock of the store."""


def create(path: str, ledger_id: LedgerId, origin: Origin) -> SqliteLedger:
    """A new store with one empty chain. A store appears whole or not at all."""
    folder = os.path.dirname(path)
    half_made = os.path.join(folder, f".ledger-{os.getpid()}-{ledger_id[:8]}.db")
    try:
        os.close(os.open(half_made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = sqlite3.connect(half_made, isolation_level=None)
        connection.executescript(schema.SCRIPT)
        connection.execute("INSERT INTO chains VALUES (?, ?)", (_FIRST_OWN, ledger_id))
        connection.execute("INSERT INTO origin VALUES (?, ?)", (origin.root, origin.machine))
        if not is_network(folder):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
        os.link(half_made, path)  # fails if somebody else was first; their store is then the one
    except FileExistsError:
        pass
    except (OSError, sqlite3.Error) as error:
        raise translated(error, path) from error
    finally:
        for leftover in (half_made, *(half_made + suffix for suffix in BESIDE)):
            if os.path.exists(leftover):
                os.unlink(leftover)
    return SqliteLedger(path)


def open_ledger(path: str, *, writable: bool = True) -> SqliteLedger:
    return SqliteLedger(path, writable=writable)


def open_audited(path: str) -> SqliteLedger:
    return SqliteLedger(path, unchecked=True)


def strays(path: str) -> list[str]:
    return strays_beside(path, opened)


def rebuild(path: str, aside: str | None = None) -> None:
    from perdure.ledger import rebuilding  # which knows us

    rebuilding.rebuild(path, aside)


def move(path: str, to: str) -> None:
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.replace(path + suffix, to + suffix)


def copy(path: str, to: str) -> None:
    from shutil import copyfile  # which brings every compression with it

    for suffix in ("", "-wal"):
        if os.path.exists(path + suffix):
            copyfile(path + suffix, to + suffix)


class SqliteLedger:
    """With `unchecked`, a store whose schema is not ours is read all the same: for whoever examines or recovers it."""

    def __init__(self, path: str, *, writable: bool = True, unchecked: bool = False) -> None:
        self.path = path
        self._chain_number, self._chain_id = 0, LedgerId("")
        self._basis: Head | None = None
        self._next_basis: Head | None = None
        self._known: dict[tuple[str, str], Document | None] = {}
        self._wrote = False
        self._left_words = False
        self._queue = Queue(path)
        self._writable = writable and not unchecked
        self._db, self._file = self._guarded(lambda: _connect(path, self._writable, unchecked))
        self._cookie: int | None = None
        """Of the schema that was last seen to be ours with the lock taken."""

    # -- writing ---------------------------------------------------------------------------------------------------

    def append(self, drafts: Sequence[Draft], expect: Sequence[Expect] = (), after: Head | None = None) -> Appended:
        if len(drafts) == 1 and not expect and self._basis and (after is None or after == self._basis):
            appended = self._guarded(lambda: self._append_quickly(drafts[0]))
            if appended:
                return appended
        return self._writing(lambda: self._append(drafts, expect, after))

    def _append_quickly(self, draft: Draft) -> Appended | None:
        """One statement, where nothing but the event changes and nobody wrote since we last did: the insert itself
        states the head it follows, so what we know of that head still holds. Else None, and the lock is taken."""
        assert self._basis is not None
        event, payload_text = seal(draft, self._basis)
        if event.seq % _INDEXED_BY == 0 or fold(event, self._known_document):
            return None
        row = _row(self._chain_number, event.seq)
        values = _values(row, event, payload_text)
        with self._queue:
            inserted = self._db.execute(_INSERT_AFTER, (*values, row - 1)).rowcount
        if inserted != 1:
            self._forget()
            return None
        self._see(values)
        if not self._is_in_place() and not self._was_carried_over(event):
            raise _replaced(self.path)
        self._basis = head_of(event)
        self._wrote = True
        return Appended((event,), ())

    def _known_document(self, kind: str, id: str) -> Document | None:
        """As of `_basis`. Should somebody have written since, the insert that follows fails and all is forgotten."""
        key = (kind, id)
        if key not in self._known:
            self._known[key] = self._document(kind, id)
        return self._known[key]

    def _forget(self) -> None:
        self._basis = None
        self._known.clear()

    def _append(self, drafts: Sequence[Draft], expect: Sequence[Expect], after: Head | None) -> Appended:
        for expected in expect:
            self._meet(expected)
        head = self._tip()
        if after is not None and after != head:
            raise moved()
        return self._add(drafts, head)

    def _add(self, drafts: Sequence[Draft], head: Head) -> Appended:
        events: list[Event] = []
        changes: list[Change] = []
        for draft in drafts:
            event, payload_text = seal(draft, head)
            self._insert(self._chain_number, event, payload_text)
            changes += self._fold(event)
            head = head_of(event)
            events.append(event)
        self._next_basis = head
        return Appended(tuple(events), tuple(changes))

    def _meet(self, expected: Expect) -> None:
        found = self._db.execute(
            "SELECT clock FROM documents WHERE kind = ? AND id = ?", (expected.kind, expected.id)
        ).fetchone()
        if (found[0] if found else None) != expected.clock:
            raise conflict(expected)

    def _tip(self) -> Head:
        last = self._db.execute(_LAST).fetchone()
        if last is None:
            return empty_head(self._own())
        row, clock, hash_ = last
        if row >> _CHAIN_BITS != self._chain_number:
            self._own()
            if row >> _CHAIN_BITS != self._chain_number:  # our chain was begun and is still empty
                return self._above_all(empty_head(self._chain_id))
        return Head(ledger_id=self._chain_id, seq=_seq(row), clock=clock, hash=hash_)

    def _above_all(self, head: Head) -> Head:
        return replace(head, clock=max(other.clock for other in self.heads()))

    def _own(self) -> LedgerId:
        """The number and id of the chain we write to change only when one is begun; see `_tip`."""
        found = self._db.execute("SELECT max(n), ledger_id FROM chains").fetchone()
        if found[0] is None:
            raise Damaged("ledger_damaged", f"{self.path} has no chain to write to.", hint="perdure heal")
        self._chain_number, self._chain_id = found
        return self._chain_id

    def _insert(self, chain: int, event: Event, payload_text: str | None) -> None:
        row = _row(chain, event.seq)
        values = _values(row, event, payload_text)
        self._db.execute(_INSERT, values)
        self._see(values)
        if event.seq % _INDEXED_BY == 0:
            self._db.execute(_INDEX, (row - _INDEXED_BY, row))
            self._subtrees().keep(chain, event.seq)

    def _see(self, values: tuple[object, ...]) -> None:
        """Nothing is acknowledged that the store was not seen to hold (SPEC 14.7)."""
        if self._db.execute(_HELD, values[:1]).fetchone() != values:
            raise Damaged("ledger_damaged", f"{self.path} did not take in what was written to it.", hint="perdure heal")

    def _is_in_place(self) -> bool:
        """Whether the file that we have open is still the one at our path."""
        found = os.stat(self.path)
        return (found.st_dev, found.st_ino) == self._file

    def _was_carried_over(self, event: Event) -> bool:
        """Whether the store that was put in this one's place has the event: what was written before the old one was set
        aside is recovered from it."""
        try:
            new = SqliteLedger(self.path, writable=False)
        except PerdureError:
            return False
        try:
            found = new.event(Ref(event.ledger_id, event.seq))
            return found is not None and found.hash == event.hash
        finally:
            new.close()

    def _check_place_and_schema(self) -> None:
        """With the lock taken: the file is still the ledger, and nobody has changed its tables since we looked."""
        if not self._is_in_place():
            raise _replaced(self.path)
        cookie = _cookie(self._db)
        if cookie != self._cookie:
            _refuse_foreign(self._db, self.path)
            self._cookie = cookie

    def _fold(self, event: Event, is_own: bool = True) -> list[Change]:
        changes = fold(event, self._document, is_own)
        for change in changes:
            if isinstance(change, Removed):
                self._db.execute("DELETE FROM documents WHERE kind = ? AND id = ?", (change.kind, change.id))
            else:
                self._db.execute(_PUT_DOCUMENT, _document_row(change))
        return changes

    def erase(self, ref: Ref, draft: Draft) -> Event:
        return self._erasing(lambda: self._erase(ref, draft))

    def _erasing(self, work: Callable[[], R]) -> R:
        """Freed space is overwritten; the old bytes stand in the write-ahead log until it is folded in and cut."""
        self._all("PRAGMA secure_delete = ON")
        self._left_words = False
        done = self._writing(work)
        if self._left_words:
            self._wipe_words()
        self._all("PRAGMA wal_checkpoint(TRUNCATE)")
        return done

    def _erase(self, ref: Ref, draft: Draft) -> Event:
        erased = self.event(ref)
        self._drop_payload(ref)
        if erased and is_folded(erased.kind, None):
            self._refold()
        return self._append([draft], (), None).events[0]

    def _drop_payload(self, ref: Ref) -> bool:
        """Whether there was one."""
        event = self.event(ref)
        if event is None or event.payload is None:
            return False
        row = _row(self._number(ref.ledger_id), ref.seq)
        self._db.execute("UPDATE events SET payload = NULL, absent = 'redacted' WHERE row = ?", (row,))
        self._say_anew(row, event, replace(event, payload=None))
        return True

    def _say_anew(self, row: int, before: Event, after: Event) -> None:
        """The words of an event have changed: in the full-text index too, where they are entered."""
        from perdure.ledger.full_text import FullText

        index = FullText(self._db)
        if before.kind in TEXTS and row <= index.entered().get(row >> _CHAIN_BITS, 0):
            index.replace(row, _words(before), _words(after))
            self._left_words = True

    def _wipe_words(self) -> None:
        """What was taken out of the full-text index stands in its older parts until they are merged: a little at a
        time, so that nobody waits long for the lock."""
        from perdure.ledger.full_text import FullText

        index = FullText(self._db)
        self._writing(lambda: index.begin_merging())
        while self._writing(lambda: index.merge()):
            pass

    def merge(self, events: Iterable[Event], draft: Draft, also: Sequence[Draft] = ()) -> Appended:
        grown: set[int] = set()
        done = self._erasing(lambda: self._merge(events, [draft, *also], grown))
        for chain in grown:
            while self._enter_more(chain):  # a little at a time, so that nobody waits long for the lock
                pass
        return done

    def _merge(self, events: Iterable[Event], drafts: Sequence[Draft], grown: set[int]) -> Appended:
        merging = Merging({head.ledger_id: head for head in self.heads()}, self.event, self._own())
        chains: dict[LedgerId, int] = dict(self._db.execute("SELECT ledger_id, n FROM chains").fetchall())
        is_refolded = False
        for event in events:
            verdict = merging.decide(event)
            if verdict == "add":
                if event.ledger_id not in chains:
                    chains[event.ledger_id] = self._add_chain(event.ledger_id, min(chains.values()) - 1)
                self._insert(chains[event.ledger_id], event, _payload_text(event))
                grown.add(chains[event.ledger_id])
                is_refolded |= is_folded(event.kind, event.transaction_id)
            elif verdict == "fill":
                self._fill(_row(chains[event.ledger_id], event.seq), event)
                is_refolded |= is_folded(event.kind, None)
        appended = self._add(drafts, self._above_all(self._tip()))
        if self._erase_what_was_redacted() or is_refolded:
            self._refold()
        return appended

    def _fill(self, row: int, event: Event) -> None:
        self._db.execute("UPDATE events SET payload = ?, absent = NULL WHERE row = ?", (_payload_text(event), row))
        self._say_anew(row, replace(event, payload=None), event)

    def _erase_what_was_redacted(self) -> bool:
        """Whether that changes a document."""
        own = self.own()
        changes = False
        for ref in [erasure_in_force(event, own) for event in self.latest([ERASURE], _EVERY)]:
            target = self.event(ref) if ref else None
            if ref and target and target.absent != "redacted" and target.kind not in UNERASABLE:
                changes |= self._drop_payload(ref) and is_folded(target.kind, None)
        return changes

    def _add_chain(self, ledger_id: LedgerId, number: int) -> int:
        self._db.execute("INSERT INTO chains VALUES (?, ?)", (number, ledger_id))
        return number

    def begin(self, ledger_id: LedgerId, origin: Origin, draft: Draft) -> Appended:
        return self._writing(lambda: self._begin(ledger_id, origin, draft))

    def _begin(self, ledger_id: LedgerId, origin: Origin, draft: Draft) -> Appended:
        before = self.own()
        self._add_chain(ledger_id, self._chain_number + 1)
        self._own()
        self._settle(origin)
        appended = self._append([draft], (), None)
        if not before.keys() <= self.own().keys():  # what the new chain does not go on from is not ours any more
            self._refold()
        return appended

    def settle(self, origin: Origin) -> None:
        self._writing(lambda: self._settle(origin))

    def _settle(self, origin: Origin) -> None:
        self._db.execute("UPDATE origin SET root = ?, machine = ?", (origin.root, origin.machine))

    def keep_secret(self, secret: str, instead_of: str) -> str:
        return self._writing(lambda: self._keep_secret(secret, instead_of))

    def _keep_secret(self, secret: str, instead_of: str) -> str:
        found = self.secret()
        if found != instead_of:
            return found
        if not self._all(_HAS_SECRET):
            self._db.execute(schema.SECRET)
        self._db.execute("DELETE FROM secret")
        self._db.execute("INSERT INTO secret VALUES (?)", (secret,))
        return secret

    def rebuild(self) -> None:
        if not self._writable:
            raise _read_only(self.path, "")
        self._forget()
        rebuild(self.path)

    def derive(self) -> None:
        """Every document and index, from the events: of a store that has only these yet."""
        self._writing(self._derive)

    def _derive(self) -> None:
        self._refold()
        self._enter_all()
        subtrees = self._subtrees()
        for head, (chain,) in zip(self.heads(), self._all("SELECT n FROM chains ORDER BY n DESC"), strict=True):
            for seq in range(_INDEXED_BY, head.seq + 1, _INDEXED_BY):
                row = _row(chain, seq)
                self._db.execute(_INDEX, (row - _INDEXED_BY, row))
                subtrees.keep(chain, seq)

    def copy_events_to(self, target: sqlite3.Connection) -> None:
        """Its chains and its events as they are stored, whatever its indexes say, into tables of an empty store."""
        target.execute("DELETE FROM chains")
        target.executemany("INSERT INTO chains VALUES (?, ?)", self._all("SELECT n, ledger_id FROM chains NOT INDEXED"))
        last = -1
        while rows := self._all(f"SELECT * FROM events NOT INDEXED WHERE row > ? ORDER BY row LIMIT {_BATCH}", (last,)):
            target.executemany(_INSERT, rows)
            last = rows[-1][0]

    def journal(self) -> str:
        """SQLite's word for how it keeps its log: "wal", or how a rollback journal ends."""
        return str(self._all("PRAGMA journal_mode")[0][0])

    def carry_over(self, events: Sequence[Event]) -> None:
        """Events that another copy of this store has after the end of its own chain."""
        self._writing(lambda: self._carry_over(events))

    def _carry_over(self, events: Sequence[Event]) -> None:
        head = self._tip()
        for event in events:
            fault = fault_after(head, event)
            if fault:
                raise fault.error()
            self._insert(self._chain_number, event, _payload_text(event))
            self._fold(event)
            head = head_of(event)

    def _refold(self) -> None:
        """The documents as the events add up now; what is stored already is left as it is."""
        folded: dict[tuple[str, str], Document] = {}
        own = self.own()
        for event in merge_sorted(*(self._folding(chain) for (chain,) in self._all(_EVERY_CHAIN)), key=in_order):
            for change in fold(event, lambda kind, id: folded.get((kind, id)), is_own(event, own)):
                if isinstance(change, Removed):
                    folded.pop((change.kind, change.id), None)
                else:
                    folded[change.kind, change.id] = change
        rows = {_document_row(document) for document in folded.values()}
        stored = set(self._all("SELECT kind, id, live, clock, body FROM documents"))
        for kind, id_, *_ in stored - rows:
            self._db.execute("DELETE FROM documents WHERE kind = ? AND id = ?", (kind, id_))
        self._db.executemany(_PUT_DOCUMENT, rows - stored)

    def _folding(self, chain: int) -> Iterator[Event]:
        """The events of a chain that can change a document. The payload of one that only touches its transaction is
        not asked for."""
        last, end = _span(chain)
        while rows := self._all(_FOLDING, (*FOLDED_KINDS, last, end, *FOLDED_KINDS)):
            yield from map(_event, rows)
            last = rows[-1][0]

    # -- reading ---------------------------------------------------------------------------------------------------

    def head(self) -> Head:
        return self._guarded(self._tip)

    def heads(self) -> tuple[Head, ...]:
        rows = self._all("SELECT n, ledger_id FROM chains ORDER BY n DESC")
        return tuple(self._head(number, LedgerId(ledger_id)) for number, ledger_id in rows)

    def own(self) -> dict[LedgerId, int]:
        current = self._guarded(self._own)
        return own_chains(current, lambda i: self.event(Ref(i, 1)), self.latest(["ledger.merged"], _EVERY))

    def _head(self, chain: int, ledger_id: LedgerId) -> Head:
        last = self._all(
            "SELECT row, clock, hash FROM events WHERE row BETWEEN ? AND ? ORDER BY row DESC LIMIT 1", _span(chain)
        )
        return (
            Head(ledger_id=ledger_id, seq=_seq(last[0][0]), clock=last[0][1], hash=last[0][2])
            if last
            else empty_head(ledger_id)
        )

    def events(self, ledger_id: LedgerId | None = None, after: int = 0) -> Iterator[Event]:
        chains = dict(self._all("SELECT ledger_id, n FROM chains NOT INDEXED"))
        if ledger_id is not None:
            return self._chain(chains[ledger_id], after) if ledger_id in chains else iter(())
        return merge_sorted(*(self._chain(number, 0) for number in chains.values()), key=in_order)

    def _chain(self, chain: int, after: int) -> Iterator[Event]:
        """In batches by row number: memory stays flat, and no cursor is held open over a write."""
        last, end = _row(chain, after), _span(chain)[1]
        while True:
            rows = self._all(
                f"SELECT {_COLUMNS} {_FROM} WHERE e.row > ? AND e.row <= ? ORDER BY e.row LIMIT {_BATCH}", (last, end)
            )
            yield from map(_event, rows)
            if len(rows) < _BATCH:
                return
            last = rows[-1][0]

    def event(self, ref: Ref) -> Event | None:
        if not 0 < ref.seq < 1 << _CHAIN_BITS:  # by such a number, a row of another chain would be found
            return None
        rows = self._all(
            f"SELECT {_COLUMNS} {_FROM} WHERE c.ledger_id = ? AND e.row = (c.n << {_CHAIN_BITS}) + ?",
            (ref.ledger_id, ref.seq),
        )
        return _event(rows[0]) if rows else None

    def latest(self, kinds: Sequence[str], limit: int) -> list[Event]:
        if limit < 1:
            return []
        # The tails first: what is entered in `kinds` between the two looks is then found twice, and never not at all.
        rows = set(self._tails("row, clock", f"kind IN ({_marks(kinds)})", tuple(kinds)))
        for kind in kinds:
            rows.update(self._all(_NEWEST, (kind, kind, limit - 1)))
        newest = sorted(rows, key=lambda row: row[1], reverse=True)
        events = [self._at(row) for row, clock in newest if clock >= newest[:limit][-1][1]]
        return sorted(events, key=in_order, reverse=True)[:limit]

    def _tails(self, columns: str, where: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        """What is not in `kinds` yet: less than one block of each chain."""
        found = []
        for (number,) in self._all("SELECT n FROM chains"):
            first, last = _span(number)
            newest = self._all("SELECT max(row) FROM events WHERE row BETWEEN ? AND ?", (first, last))[0][0]
            if newest is not None:
                indexed = newest - _seq(newest) % _INDEXED_BY
                found += self._all(
                    f"SELECT {columns} FROM events WHERE row > ? AND row <= ? AND {where}", (indexed, newest, *values)
                )
        return found

    def _at(self, row: int) -> Event:
        found = self._all(f"SELECT {_COLUMNS} {_FROM} WHERE e.row = ?", (row,))
        if not found:
            message = f"An index of {self.path} names an event that is not there."
            raise Damaged("ledger_damaged", message, hint="perdure heal")
        return _event(found[0])

    def find(self, prefix: str, kinds: Sequence[str] = ()) -> list[Event]:
        """Looks at every id (of these kinds): ids are random, and an index on them would cost every append."""
        same = "substr(id, 1, ?) = ?"
        given = (len(prefix), prefix)
        if not kinds:
            rows = self._all(f"SELECT row FROM events WHERE {same} LIMIT {_ENOUGH}", given)
        else:
            of_kind = f"kind IN ({_marks(kinds)})"
            indexed = f"row IN (SELECT row FROM kinds WHERE {of_kind})"
            rows = self._tails("row", f"{of_kind} AND {same}", (*kinds, *given))
            rows += self._all(
                f"SELECT row FROM events WHERE {indexed} AND {same} LIMIT {_ENOUGH}",
                (*kinds, *given),
            )
        return sorted((self._at(row) for (row,) in set(rows)), key=in_order)[:_ENOUGH]

    def ids(self) -> Iterator[tuple[str, Ref]]:
        chains = {number: LedgerId(ledger_id) for number, ledger_id in self._all("SELECT n, ledger_id FROM chains")}
        last = -1
        while rows := self._all(_IDS, (last,)):
            for row, id_ in rows:
                if row >> _CHAIN_BITS in chains:
                    yield id_, Ref(chains[row >> _CHAIN_BITS], _seq(row))
            last = rows[-1][0]

    def mentioning(self, terms: Sequence[str], limit: int) -> list[Event]:
        return self._guarded(lambda: self._mentioning(terms, limit))

    def _mentioning(self, terms: Sequence[str], limit: int) -> list[Event]:
        """What is entered in the index is asked of it; what is not entered yet is looked through."""
        from perdure.ledger.full_text import FullText
        from perdure.model.terms import closest, terms_of, text_of, weights

        index = FullText(self._db)
        counts, texts = index.counts(terms), index.texts()
        found: dict[tuple[int, str], Event] = {}
        for event in self._not_entered(index.entered()):
            inside = counts.keys() & terms_of(text_of(event))
            texts += 1
            for term in inside:
                counts[term] += 1
            if inside:
                found[in_order(event)] = event
        for row in index.candidates(counts, limit):  # some were perhaps entered meanwhile: the same one is found once
            event = self._at(row)
            found[in_order(event)] = event
        return closest(found.values(), weights(counts, texts), limit)

    def _not_entered(self, entered: dict[int, int]) -> Iterator[Event]:
        for (chain,) in self._all("SELECT n FROM chains"):
            yield from self._texts(chain, entered.get(chain, 0), _span(chain)[1])

    def _texts(self, chain: int, after: int, upto: int) -> Iterator[Event]:
        """The events of a chain that hold words, between two rows, in batches."""
        last = max(after, _span(chain)[0])
        while True:
            rows = self._all(
                f"SELECT {_COLUMNS} {_FROM} WHERE e.row > ? AND e.row <= ? AND e.kind IN ({_marks(tuple(TEXTS))}) "
                f"ORDER BY e.row LIMIT {_BATCH}",
                (last, upto, *TEXTS),
            )
            yield from map(_event, rows)
            if len(rows) < _BATCH:
                return
            last = rows[-1][0]

    def node(self, ledger_id: LedgerId, level: int, index: int) -> bytes:
        return self._guarded(lambda: self._subtrees().node(self._number(ledger_id), level, index))

    def rows(self, ledger_id: LedgerId) -> Iterator[list[Row]]:
        chain = self._number(ledger_id)
        last, end = _span(chain)
        while True:
            try:
                rows = self._all(_RAW_ROWS, (last, end, _INDEXED_BY))
            except Damaged:
                yield from self._rows_up_to_damage(last, end)
                raise
            if rows:
                yield rows
            if len(rows) < _INDEXED_BY:
                return
            last = _row(chain, rows[-1][0])

    def _rows_up_to_damage(self, last: int, end: int) -> Iterator[list[Row]]:
        """Of a block that cannot be read, what stands before the row that is to blame."""
        rows: list[Row] = []
        try:
            for number in range(last, last + _INDEXED_BY):
                rows += self._all(_RAW_ROWS, (number, min(number + 1, end), 1))
        except Damaged:
            if rows:
                yield rows

    def subtrees(self, ledger_id: LedgerId) -> dict[tuple[int, int], bytes]:
        return self._guarded(lambda: self._subtrees().all_of(self._number(ledger_id)))

    def misindexed(self) -> list[tuple[LedgerId, int]]:
        rows = [*self._all(_MISINDEXED), *self._all(_OF_NO_CHAIN)]
        for number, _ in self._all("SELECT n, ledger_id FROM chains"):
            first, last = _span(number)
            newest = self._all("SELECT max(row) FROM events WHERE row BETWEEN ? AND ?", (first, last))[0][0] or first
            indexed = newest - _seq(newest) % _INDEXED_BY
            counted = self._all("SELECT count(*) FROM kinds WHERE row BETWEEN ? AND ?", (first, last))[0][0]
            if counted != _seq(indexed):
                rows += self._all(_NOT_INDEXED, (first, indexed)) or [(indexed,)]
        ids = dict(self._all("SELECT n, ledger_id FROM chains"))
        return [(LedgerId(ids.get(row >> _CHAIN_BITS, "")), _seq(row)) for (row,) in rows]

    def structural_faults(self) -> list[str]:
        try:
            said = [f"the schema is not ours: {each}" for each in self._guarded(lambda: schema.differences(self._db))]
            said += self._guarded(lambda: schema.rows_too_many(self._db))
            lines = [line for (line,) in self._all(f"PRAGMA integrity_check({_FEW})") if line != "ok"]
        except Damaged as error:
            return [error.message]
        return said + [f"SQLite finds the file damaged: {' '.join(line.split())}" for line in lines]

    def index_faults(self) -> list[str]:
        try:
            fault = self._guarded(self._fault_in_words)
        except Damaged as error:
            return [error.message]
        return [fault] if fault else []

    def _fault_in_words(self) -> str | None:
        from perdure.ledger.full_text import FullText
        from perdure.model.terms import terms_of, text_of

        index = FullText(self._db)
        counted = dict.fromkeys((chain for (chain,) in self._all("SELECT n FROM chains")), 0)
        said = index.entered_texts()

        def entered() -> Iterator[tuple[int, list[str]]]:
            for chain, (upto, _) in said.items():
                for event in self._texts(chain, 0, upto):
                    counted[chain] = counted.get(chain, 0) + 1
                    yield _row(chain, event.seq), terms_of(text_of(event))

        fault = index.fault(entered())
        wrong = [
            chain for chain, (upto, texts) in said.items() if upto > self._last_row(chain) or texts != counted[chain]
        ]
        return fault or ("the full-text index does not say right how far it goes" if wrong else None)

    def _last_row(self, chain: int) -> int:
        first, last = _span(chain)
        found: int | None = self._all("SELECT max(row) FROM events WHERE row BETWEEN ? AND ?", (first, last))[0][0]
        return first if found is None else found

    def at_one_moment(self) -> _Moment:
        return _Moment(self._all)

    def _subtrees(self) -> Subtrees:
        from perdure.ledger.subtrees import Subtrees  # with OpenSSL, which those who only read state need not load

        return Subtrees(self._db, self._hashes)

    def _hashes(self, chain: int, first: int, last: int) -> list[str]:
        rows = self._all(
            "SELECT hash FROM events WHERE row BETWEEN ? AND ? ORDER BY row", (_row(chain, first), _row(chain, last))
        )
        return [hash_ for (hash_,) in rows]

    def _number(self, ledger_id: LedgerId) -> int:
        rows = self._all("SELECT n FROM chains WHERE ledger_id = ?", (ledger_id,))
        if not rows:
            raise Damaged("chain_broken", f"There is no ledger {ledger_id[:8]} in {self.path}.", hint="perdure heal")
        number: int = rows[0][0]
        return number

    def document(self, kind: str, id: str) -> Document | None:
        return self._guarded(lambda: self._document(kind, id))

    def _document(self, kind: str, id: str) -> Document | None:
        row = self._db.execute(
            "SELECT kind, id, live, clock, body FROM documents WHERE kind = ? AND id = ?", (kind, id)
        ).fetchone()
        return _document(row) if row else None

    def documents(self, kind: str, live: bool | None = None, limit: int | None = None) -> list[Document]:
        where, values = ("kind = ?", (kind,)) if live is None else ("kind = ? AND live = ?", (kind, int(live)))
        rows = self._all(
            f"SELECT kind, id, live, clock, body FROM documents WHERE {where} ORDER BY clock DESC, id LIMIT ?",
            (*values, -1 if limit is None else limit),
        )
        return list(map(_document, rows))

    def find_documents(self, kind: str, prefix: str) -> list[Document]:
        rows = self._all(
            "SELECT kind, id, live, clock, body FROM documents "
            f"WHERE kind = ? AND id >= ? AND id < ? ORDER BY id LIMIT {_ENOUGH}",
            (kind, prefix, prefix + "\U0010ffff"),
        )
        return list(map(_document, rows))

    def origin(self) -> Origin:
        rows = self._all("SELECT root, machine FROM origin ORDER BY rowid != 1")  # the row that `create` wrote first
        if not rows or not all(isinstance(each, str) for each in rows[0]):
            raise Damaged("ledger_damaged", f"{self.path} does not say where it belongs.", hint="perdure heal")
        return Origin(*rows[0])

    def secret(self) -> str:
        rows = self._all("SELECT text FROM secret ORDER BY rowid LIMIT 1") if self._all(_HAS_SECRET) else []
        return rows[0][0] if rows and isinstance(rows[0][0], str) else ""

    def close(self) -> None:
        if self._wrote:
            self._enter_words()
        self._queue.close()
        self._guarded(self._db.close)

    def _enter_words(self) -> None:
        """Brings the full-text index forward. It is a view, and search looks through what it lacks: where somebody else
        writes just now, or the disk is full, the next one to close does it."""
        try:
            self._db.execute("PRAGMA busy_timeout = 0")
            for (chain,) in self._db.execute(_EVERY_CHAIN).fetchall():
                if self._enter_more(chain, waits=False):
                    return
        except (sqlite3.Error, PerdureError):
            return

    def _enter_more(self, chain: int, *, waits: bool = True) -> bool:
        """Enters some of a chain that is ahead of the index by a block or more. Whether there was anything to enter,
        and an index to enter it in. `waits`: for its turn among the writers."""
        from perdure.ledger.full_text import BLOCK, FullText

        index = FullText(self._db)

        def behind() -> tuple[int, int]:
            return max(index.entered().get(chain, 0), _span(chain)[0]), self._last_row(chain)

        def enter() -> bool:
            first, last = behind()  # again, under the lock: somebody else may have entered them while we waited
            return last - first >= BLOCK and self._enter(index, chain, first, upto=min(last, first + _MOST_ENTERED))

        first, last = behind()
        return last - first >= BLOCK and self._writing(enter, waits=waits)

    def _enter(self, index: FullText, chain: int, after: int, *, upto: int) -> bool:
        return index.enter(chain, upto, ((_row(chain, e.seq), _words(e)) for e in self._texts(chain, after, upto)))

    def _enter_all(self) -> None:
        from perdure.ledger.full_text import FullText

        index = FullText(self._db)
        for (chain,) in self._all("SELECT n FROM chains"):
            first, last = _span(chain)
            newest = self._all("SELECT max(row) FROM events WHERE row BETWEEN ? AND ?", (first, last))[0][0]
            for after in range(first, newest or first, _MOST_ENTERED):
                if not self._enter(index, chain, after, upto=min(newest, after + _MOST_ENTERED)):
                    return

    # -- the driver ------------------------------------------------------------------------------------------------

    def _all(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        return self._guarded(lambda: self._db.execute(sql, values).fetchall())

    def _guarded(self, work: Callable[[], R]) -> R:
        try:
            return work()
        except (sqlite3.Error, OSError, UnicodeError) as error:
            raise translated(error, self.path) from error

    def _writing(self, work: Callable[[], R], *, waits: bool = True) -> R:
        """One write transaction: the lock is taken before anything is read, so what is read is still so at commit."""
        self._forget()
        self._next_basis = None
        try:
            done = self._in_turn(work) if waits else self._in_transaction(work)
        except (sqlite3.Error, OSError, UnicodeError) as error:
            raise translated(error, self.path) from error
        self._basis = self._next_basis
        self._wrote = True
        return done

    def _in_turn(self, work: Callable[[], R]) -> R:
        with self._queue:
            return self._in_transaction(work)

    def _in_transaction(self, work: Callable[[], R]) -> R:
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            self._check_place_and_schema()
            done = work()
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        return done


class _Moment:
    """A transaction that only reads."""

    def __init__(self, run: Callable[[str], object]) -> None:
        self._run = run

    def __enter__(self) -> None:
        self._run("BEGIN")

    def __exit__(self, *_: object) -> None:
        self._run("ROLLBACK")  # a commit would ask a damaged full-text index to write


def _connect(path: str, writable: bool, unchecked: bool) -> tuple[sqlite3.Connection, tuple[int, int]]:
    """A connection, and which file it is to."""
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for
        raise Damaged("ledger_damaged", f"{path} is not a file.", hint="perdure heal")
    _refuse_odd_beside(path)
    before = os.stat(path)
    if writable:
        db = opened(path, "rw")
    else:
        db = _connect_reader(path)
    try:
        if unchecked:
            _prepare_for_examining(db, path)
        else:
            _prepare(db, path, writable)
        if not os.path.samestat(before, os.stat(path)):
            raise _replaced(path)
    except BaseException:
        db.close()
        raise
    return db, (before.st_dev, before.st_ino)


def _refuse_odd_beside(path: str) -> None:
    """SQLite would wait for a pipe for ever, and of a folder or a link it says things that mislead."""
    for suffix in BESIDE:
        try:
            is_file = S_ISREG(os.lstat(path + suffix).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            continue
        if not is_file and suffix != "-queue":  # without its queue a store is still sound
            raise Damaged("ledger_damaged", f"{path}{suffix} is not a file.", hint="perdure heal sets it aside.")
    for stray in strays(path):
        message = f"{stray} is a log that this ledger did not write. SQLite would copy it into the ledger."
        raise Damaged("ledger_damaged", message, hint="perdure heal sets it aside.")


def _prepare(db: sqlite3.Connection, path: str, writable: bool) -> None:
    _refuse_newer(db, path)
    _refuse_foreign(db, path)
    if not writable:
        return
    if is_network(os.path.dirname(path)):
        db.execute("PRAGMA journal_mode = TRUNCATE")
        db.execute("PRAGMA synchronous = EXTRA")
    else:
        db.execute("PRAGMA synchronous = FULL")
    if sys.platform == "darwin":  # there, fsync alone does not reach the disk
        db.execute("PRAGMA fullfsync = ON")
        db.execute("PRAGMA checkpoint_fullfsync = ON")


def _refuse_newer(db: sqlite3.Connection, path: str) -> None:
    if not schema.is_newer(db):
        return
    raise Trouble(
        "newer_store",
        f"{path} says that a newer Perdure wrote it (store version {schema.version_of(db)}, this one reads "
        f"{STORE_VERSION}), and its tables are not those of this one.",
        hint="Upgrade Perdure. If no newer one was ever used here, the file was altered: a person renames it to "
        f"{os.path.basename(path)}.newer, and perdure heal then restores the ledger from its backup.",
    )


def _refuse_foreign(db: sqlite3.Connection, path: str) -> None:
    wrong = schema.differences(db)
    if wrong:
        message = f"The schema of {path} is not the one that Perdure made: {'; '.join(wrong[:3])}."
        raise Damaged("ledger_damaged", message, hint="perdure heal makes it again from the events.")


def _prepare_for_examining(db: sqlite3.Connection, path: str) -> None:
    """What of the schema can be read is used, whatever the rest says. Only where the events themselves are no plain
    table, nothing is: a view could answer with anything, or never."""
    _pass_over_malformed(db)
    _refuse_newer(db, path)
    plain = {name for (name,) in db.execute(_PLAIN)}
    if not plain >= {"chains", "events", "origin"}:
        raise Damaged("ledger_damaged", f"{path} has no table of events.", hint="perdure heal")


def opened(path: str, mode: str, *, tolerant: bool = False) -> sqlite3.Connection:
    """`mode` is SQLite's: ro or rw. A tolerant connection goes on after rows of the schema that cannot be read."""
    uri = f"file:{_quoted(path)}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    if tolerant:
        _pass_over_malformed(db)
    return db


def _pass_over_malformed(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA writable_schema = ON")  # of this connection alone: a malformed row is then no reason to stop
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError:
        return  # the next statement finds what could be read


def _cookie(db: sqlite3.Connection) -> int:
    """Changes whenever somebody changes the schema and others with the file open are to notice."""
    found: int = db.execute("PRAGMA schema_version").fetchone()[0]
    return found


def _connect_reader(path: str) -> sqlite3.Connection:
    """On a read-only or full disk SQLite cannot make the files a WAL reader needs; a store at rest can be read
    without them while nobody can write."""
    db = opened(path, "ro")
    try:
        db.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError:
        db.close()
        at_rest = not os.path.exists(path + "-wal") or os.path.getsize(path + "-wal") == 0
        nobody_can_write = not os.access(os.path.dirname(path), os.W_OK) or has_no_room(os.path.dirname(path))
        if not nobody_can_write or not at_rest:
            raise
        db = opened(path, "ro&immutable=1")
    return db


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _row(chain: int, seq: int) -> int:
    return (chain << _CHAIN_BITS) + seq


def _seq(row: int) -> int:
    return row & (1 << _CHAIN_BITS) - 1


def _values(row: int, event: Event, payload_text: str | None) -> tuple[object, ...]:
    return (
        row,
        event.clock,
        event.id,
        event.kind,
        event.ts,
        event.project_id,
        event.session_id,
        event.transaction_id,
        event.instance_id,
        event.task_id,
        event.actor,
        event.schema,
        payload_text,
        event.payload_hash,
        event.prev_hash,
        event.hash,
        event.absent,
    )


def _span(chain: int) -> tuple[int, int]:
    return chain << _CHAIN_BITS, (chain + 1 << _CHAIN_BITS) - 1


def _words(event: Event) -> str:
    """As they are entered in the full-text index."""
    from perdure.model.terms import terms_of, text_of

    return " ".join(terms_of(text_of(event)))


def _document_row(document: Document) -> tuple[object, ...]:
    body = compact(encode(document.body))
    return document.kind, document.id, int(document.live), document.clock, body


def _payload_text(event: Event) -> str | None:
    return None if event.payload is None else canonical(event.payload).decode()


def _event(row: tuple[Any, ...]) -> Event:
    place, ledger_id, clock, id_, kind, ts, project, session, transaction, instance, task, actor, schema = row[:13]
    payload, payload_hash, prev_hash, hash_, absent = row[13:]
    return Event(
        ledger_id=LedgerId(ledger_id),
        seq=_seq(place),
        clock=clock,
        id=EventId(id_),
        kind=kind,
        ts=Stamp(ts),
        project_id=ProjectId(project),
        session_id=session and SessionId(session),
        transaction_id=transaction and TransactionId(transaction),
        instance_id=instance and InstanceId(instance),
        task_id=task and TaskId(task),
        actor=actor,
        schema=schema,
        payload=None if payload is None else _read_payload(payload, ledger_id, _seq(place)),
        payload_hash=Hash(payload_hash),
        prev_hash=Hash(prev_hash),
        hash=Hash(hash_),
        absent=absent,
    )


def _read_payload(text: str, ledger_id: str, seq: int) -> dict[str, Any]:
    try:
        payload = _DECODER.decode(text)
    except (ValueError, RecursionError, TypeError) as error:
        payload = error
    if not isinstance(payload, dict):
        raise Damaged(
            "chain_broken",
            f"Ledger {ledger_id[:8]}, event {seq}: its payload is not what was hashed.",
            hint="perdure heal sets the damaged ledger aside and recovers what verifies.",
        )
    return payload


def _document(row: tuple[Any, ...]) -> Document:
    kind, id_, live, clock, body = row
    try:
        if live not in (0, 1):
            raise ValueError(live)
        return Document(kind=kind, id=id_, live=bool(live), clock=clock, body=decode(kind, _DECODER.decode(body)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = f"The stored state of {kind} {id_[:8]} cannot be read."
        raise Damaged("state_damaged", message, hint="perdure heal folds it anew from the events.") from error


def translated(error: BaseException, path: str) -> PerdureError:
    """The one place where the driver's and the system's words become ours."""
    if isinstance(error, OSError):
        return _TROUBLES.get(error.errno or 0, _unknown)(path, str(error))
    code = getattr(error, "sqlite_errorcode", 0)
    if isinstance(error, UnicodeError):  # SQLite quotes the damaged bytes in its message
        return _damaged(path, "it holds bytes that are no text")
    if code == sqlite3.SQLITE_READONLY_ROLLBACK and os.access(os.path.dirname(path), os.W_OK):
        return _broken_off(path)
    if _tells_of_damage(error, code & 0xFF):
        return _damaged(path, str(error))
    return _trouble_with_disk(error, code & 0xFF, path)


def _tells_of_damage(error: BaseException, code: int) -> bool:
    if code in _SIGNS_OF_DAMAGE or isinstance(error, sqlite3.InterfaceError):
        return True
    is_foreign = code == sqlite3.SQLITE_ERROR and "no such module" not in str(error)  # our own statements are right
    return is_foreign or "decode to UTF-8" in str(error)


def _trouble_with_disk(error: BaseException, code: int, path: str) -> Trouble:
    folder = os.path.dirname(path)
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):  # a file beside the ledger could not be made or grown
        if has_no_room(folder):
            return _full(path, str(error))
        if is_read_only(folder):
            return _read_only(path, str(error))
    return _SQLITE_TROUBLES.get(code, _unknown)(path, str(error))


def _damaged(path: str, why: str) -> Damaged:
    hint = "perdure heal sets it aside and recovers what verifies, from it and from its backup."
    return Damaged("ledger_damaged", f"The ledger {path} is damaged: {why}.", hint=hint)


def _broken_off(path: str) -> Damaged:
    """Only where the store keeps a rollback journal, and only for those who read: a writer undoes the change first."""
    message = f"A process died while it wrote to {path}, and its change is not undone yet."
    return Damaged("ledger_damaged", message, hint="perdure heal undoes it.")


def _full(path: str, _why: str) -> Trouble:
    return Trouble("disk_full", f"The disk of {path} is full. Nothing was written.", hint="Free some space.")


def _read_only(path: str, _why: str) -> Trouble:
    message = f"{path} cannot be written: the disk or the file is read-only. Nothing was written."
    return Trouble("read_only", message, hint="Make the project's .perdure folder writable.")


def _busy(path: str, _why: str) -> Trouble:
    message = f"{path} was locked by other writers for {BUSY_SECONDS:.0f} s. Nothing was written."
    return Trouble("ledger_busy", message, hint="Try again; if it happens again, look for a stopped perdure process.")


def _unopenable(path: str, _why: str) -> Trouble:
    if not os.path.exists(path):
        return Trouble("no_ledger", f"There is no ledger at {path}.", hint="perdure heal restores it from its backup.")
    return Trouble("not_permitted", f"{path} cannot be opened by this user.", hint="Check who owns .perdure.")


def _replaced(path: str) -> Trouble:
    message = f"{path} was replaced by another file while it was in use. Nothing was written."
    return Trouble("ledger_replaced", message, hint="Try again: the ledger that stands there now is then used.")


def _unknown(path: str, why: str) -> Trouble:
    return Trouble("disk_failed", f"{path}: {why}.", hint="Check the disk; perdure heal --check looks at the ledger.")


_SIGNS_OF_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT)
"""What we write breaks no constraint of ours."""
_SQLITE_TROUBLES = {
    sqlite3.SQLITE_FULL: _full,
    sqlite3.SQLITE_READONLY: _read_only,
    sqlite3.SQLITE_BUSY: _busy,
    sqlite3.SQLITE_LOCKED: _busy,
    sqlite3.SQLITE_CANTOPEN: _unopenable,
    sqlite3.SQLITE_PERM: _unopenable,
}
_TROUBLES = {28: _full, 122: _full, 30: _read_only, 1: _unopenable, 13: _unopenable, 2: _unopenable, 20: _unopenable}
