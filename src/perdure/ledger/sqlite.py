"""The ledger in SQLite: one file, `.perdure/ledger.db` (SPEC 2.3).

An event's row number is its chain's number and its seq in one integer, so a chain lies together and grows at one end.
There is no index on anything random: an append touches the same page in a ledger of a million events as in one of a
thousand. What is remembered between calls is only believed where the write itself proves that nobody wrote since.

Durability: WAL with synchronous=FULL, one fsync a commit. On a network file system, where WAL is not safe, the store
keeps a rollback journal instead (`filesystem.py`). Every error of the driver is translated in `_translated`.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from heapq import merge as merge_sorted
from json import JSONDecoder

from perdure.errors import Damaged, PerdureError, Trouble
from perdure.ledger.filesystem import is_network
from perdure.ledger.merging import ERASURE, Merging
from perdure.ledger.port import Appended, Expect, Origin, conflict, moved
from perdure.model.event import Draft, Event, Head, Ref, in_order
from perdure.model.ids import EventId, Hash, InstanceId, LedgerId, ProjectId, SessionId, TaskId, TransactionId
from perdure.model.json import compact
from perdure.model.moment import Stamp
from perdure.model.ownership import UNERASABLE, erasure_in_force, is_own, own_chains
from perdure.model.payload import TEXTS
from perdure.model.state import Document, Removed, decode, encode, fold
from perdure.model.value import replace
from perdure.proof.canonical import canonical
from perdure.proof.chain import empty_head, head_of, seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from perdure.ledger.full_text import FullText
    from perdure.ledger.subtrees import Subtrees
    from perdure.model.state import Change
    from perdure.proof.fsck import Row

    R = TypeVar("R")

APPLICATION_ID = 0x50455244  # "PERD"
STORE_VERSION = 1
BUSY_SECONDS = 10.0
_CHAIN_BITS = 40
_ENOUGH = 3
_EVERY = 1 << 40
_BATCH = 256
_MOST_ENTERED = 2048
"""Events that are entered in the full-text index at once, at most: nobody waits long when a store is closed."""
_ROOM = 64 * 1024
"""Bytes. With less left on the disk, SQLite cannot make the 32 KiB index beside its log."""
_DECODER = JSONDecoder()

_SCHEMA = f"""
CREATE TABLE chains (n INTEGER PRIMARY KEY, ledger_id TEXT NOT NULL UNIQUE);
CREATE TABLE events (
  row INTEGER PRIMARY KEY, clock INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, ts TEXT NOT NULL,
  project_id TEXT NOT NULL, session_id TEXT, transaction_id TEXT, instance_id TEXT, task_id TEXT, actor TEXT,
  schema INTEGER NOT NULL, payload TEXT, payload_hash TEXT NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL,
  absent TEXT);
CREATE TABLE kinds (kind TEXT NOT NULL, clock INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (kind, clock, row))
  WITHOUT ROWID;
CREATE TABLE documents (
  kind TEXT NOT NULL, id TEXT NOT NULL, live INTEGER NOT NULL, clock INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE INDEX documents_by_change ON documents (kind, live, clock);
CREATE TABLE origin (root TEXT NOT NULL, machine TEXT NOT NULL);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {STORE_VERSION};
"""
_COLUMNS = (
    "e.row, c.ledger_id, e.clock, e.id, e.kind, e.ts, e.project_id, e.session_id, e.transaction_id, e.instance_id, "
    "e.task_id, e.actor, e.schema, e.payload, e.payload_hash, e.prev_hash, e.hash, e.absent"
)
_FROM = f"FROM events e JOIN chains c ON c.n = e.row >> {_CHAIN_BITS}"
_INSERT = "INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_INSERT_AFTER = "INSERT INTO events SELECT ?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,? WHERE (SELECT max(row) FROM events) = ?"
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
_MEDDLING = "SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')"
"""Whoever can write the file could have an insert do nothing, or something else, by one of these."""
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
        connection.executescript(_SCHEMA)
        connection.execute("INSERT INTO chains VALUES (?, ?)", (_FIRST_OWN, ledger_id))
        connection.execute("INSERT INTO origin VALUES (?, ?)", (origin.root, origin.machine))
        if not is_network(folder):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
        os.link(half_made, path)  # fails if somebody else was first; their store is then the one
    except FileExistsError:
        pass
    except (OSError, sqlite3.Error) as error:
        raise _translated(error, path) from error
    finally:
        for leftover in (half_made, half_made + "-wal", half_made + "-shm", half_made + "-journal"):
            if os.path.exists(leftover):
                os.unlink(leftover)
    return SqliteLedger(path)


class SqliteLedger:
    def __init__(self, path: str, *, writable: bool = True) -> None:
        self.path = path
        self._chain_number, self._chain_id = 0, LedgerId("")
        self._basis: Head | None = None
        self._next_basis: Head | None = None
        self._known: dict[tuple[str, str], Document | None] = {}
        self._wrote = False
        self._db = self._guarded(lambda: _connect(path, writable))

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
        if self._db.execute(_INSERT_AFTER, (*_values(row, event, payload_text), row - 1)).rowcount != 1:
            self._forget()
            return None
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
        return Head(self._chain_id, _seq(row), clock, hash_)

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
        self._db.execute(_INSERT, _values(row, event, payload_text))
        if event.seq % _INDEXED_BY == 0:
            self._db.execute(_INDEX, (row - _INDEXED_BY, row))
            self._subtrees().keep(chain, event.seq)

    def _fold(self, event: Event, is_own: bool = True) -> list[Change]:
        changes = fold(event, self._document, is_own)
        for change in changes:
            if isinstance(change, Removed):
                self._db.execute("DELETE FROM documents WHERE kind = ? AND id = ?", (change.kind, change.id))
            else:
                row = (change.kind, change.id, change.live, change.clock, compact(encode(change.body)))
                self._db.execute("INSERT OR REPLACE INTO documents VALUES (?,?,?,?,?)", row)
        return changes

    def erase(self, ref: Ref, draft: Draft) -> Event:
        return self._erasing(lambda: self._erase(ref, draft))

    def _erasing(self, work: Callable[[], R]) -> R:
        """Freed space is overwritten; the old bytes stand in the write-ahead log until it is folded in and cut."""
        self._all("PRAGMA secure_delete = ON")
        done = self._writing(work)
        self._all("PRAGMA wal_checkpoint(TRUNCATE)")
        return done

    def _erase(self, ref: Ref, draft: Draft) -> Event:
        self._drop_payload(ref)
        event = self._append([draft], (), None).events[0]
        self._rebuild()
        return event

    def _drop_payload(self, ref: Ref) -> None:
        self._db.execute(
            "UPDATE events SET payload = NULL, absent = 'redacted' WHERE row = "
            f"(SELECT (n << {_CHAIN_BITS}) + ? FROM chains WHERE ledger_id = ?)",
            (ref.seq, ref.ledger_id),
        )

    def merge(self, events: Iterable[Event], draft: Draft, also: Sequence[Draft] = ()) -> Appended:
        return self._erasing(lambda: self._merge(events, draft, also))

    def _merge(self, events: Iterable[Event], draft: Draft, also: Sequence[Draft]) -> Appended:
        merging = Merging({head.ledger_id: head for head in self.heads()}, self.event, self._own())
        chains: dict[LedgerId, int] = dict(self._db.execute("SELECT ledger_id, n FROM chains").fetchall())
        for event in events:
            verdict = merging.judge(event)
            if verdict == "add":
                if event.ledger_id not in chains:
                    chains[event.ledger_id] = self._add_chain(event.ledger_id, min(chains.values()) - 1)
                self._insert(chains[event.ledger_id], event, _payload_text(event))
            elif verdict == "fill":
                row = _row(chains[event.ledger_id], event.seq)
                self._db.execute(
                    "UPDATE events SET payload = ?, absent = NULL WHERE row = ?", (_payload_text(event), row)
                )
        appended = self._add([draft, *also], self._above_all(self._tip()))
        self._erase_what_was_redacted()
        self._rebuild()
        return appended

    def _erase_what_was_redacted(self) -> None:
        own = self.own()
        for ref in [erasure_in_force(event, own) for event in self.latest([ERASURE], _EVERY)]:
            target = self.event(ref) if ref else None
            if ref and target and target.absent != "redacted" and target.kind not in UNERASABLE:
                self._drop_payload(ref)

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
            self._rebuild()
        return appended

    def settle(self, origin: Origin) -> None:
        self._writing(lambda: self._settle(origin))

    def _settle(self, origin: Origin) -> None:
        self._db.execute("UPDATE origin SET root = ?, machine = ?", (origin.root, origin.machine))

    def rebuild(self) -> None:
        self._writing(self._rebuild_all)

    def _rebuild_all(self) -> None:
        self._rebuild()
        self._db.execute("DELETE FROM kinds")
        subtrees = self._subtrees()
        subtrees.start_over()
        for head, (chain,) in zip(self.heads(), self._all("SELECT n FROM chains ORDER BY n DESC"), strict=True):
            for seq in range(_INDEXED_BY, head.seq + 1, _INDEXED_BY):
                row = _row(chain, seq)
                self._db.execute(_INDEX, (row - _INDEXED_BY, row))
                subtrees.keep(chain, seq)

    def _rebuild(self) -> None:
        self._db.execute("DELETE FROM documents")
        own = self.own()
        for event in self.events():
            self._fold(event, is_own(event, own))
        self._enter_all()

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
        return Head(ledger_id, _seq(last[0][0]), last[0][1], last[0][2]) if last else empty_head(ledger_id)

    def events(self, ledger_id: LedgerId | None = None, after: int = 0) -> Iterator[Event]:
        chains = dict(self._all("SELECT ledger_id, n FROM chains"))
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
        rows = self._all("SELECT root, machine FROM origin")
        if not rows:
            raise Damaged("ledger_damaged", f"{self.path} does not say where it belongs.", hint="perdure heal")
        return Origin(*rows[0])

    def close(self) -> None:
        if self._wrote:
            self._enter_words()
        self._guarded(self._db.close)

    def _enter_words(self) -> None:
        """Brings the full-text index forward. It is a view, and search looks through what it lacks: where somebody else
        writes just now, or the disk is full, the next one to close does it."""
        from perdure.ledger.full_text import BLOCK, FullText

        index = FullText(self._db)
        try:
            chain = self._db.execute("SELECT max(n) FROM chains").fetchone()[0]
            first, last = max(index.entered().get(chain, 0), _span(chain)[0]), _row(chain, self._tip().seq)
            if last - first < BLOCK:
                return
            self._db.execute("PRAGMA busy_timeout = 0")
            self._writing(lambda: self._enter(index, chain, first, min(last, first + _MOST_ENTERED)))
        except (sqlite3.Error, PerdureError):
            return

    def _enter(self, index: FullText, chain: int, after: int, upto: int) -> bool:
        from perdure.model.terms import terms_of, text_of

        texts = ((_row(chain, e.seq), " ".join(terms_of(text_of(e)))) for e in self._texts(chain, after, upto))
        return index.enter(chain, upto, texts)

    def _enter_all(self) -> None:
        from perdure.ledger.full_text import FullText

        index = FullText(self._db)
        index.start_over()
        for (chain,) in self._all("SELECT n FROM chains"):
            first, last = _span(chain)
            newest = self._all("SELECT max(row) FROM events WHERE row BETWEEN ? AND ?", (first, last))[0][0]
            for after in range(first, newest or first, _MOST_ENTERED):
                if not self._enter(index, chain, after, min(newest, after + _MOST_ENTERED)):
                    return

    # -- the driver ------------------------------------------------------------------------------------------------

    def _all(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        return self._guarded(lambda: self._db.execute(sql, values).fetchall())

    def _guarded(self, work: Callable[[], R]) -> R:
        try:
            return work()
        except (sqlite3.Error, OSError, UnicodeError) as error:
            raise _translated(error, self.path) from error

    def _writing(self, work: Callable[[], R]) -> R:
        """One write transaction: the lock is taken before anything is read, so what is read is still so at commit."""
        db = self._db
        self._forget()
        self._next_basis = None
        try:
            db.execute("BEGIN IMMEDIATE")
            try:
                done = work()
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
        except (sqlite3.Error, OSError, UnicodeError) as error:
            raise _translated(error, self.path) from error
        self._basis = self._next_basis
        self._wrote = True
        return done


class _Moment:
    """A transaction that only reads."""

    def __init__(self, run: Callable[[str], object]) -> None:
        self._run = run

    def __enter__(self) -> None:
        self._run("BEGIN")

    def __exit__(self, *_: object) -> None:
        self._run("COMMIT")


def _connect(path: str, writable: bool) -> sqlite3.Connection:
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for
        raise Damaged("ledger_damaged", f"{path} is not a file.", hint="perdure heal")
    if writable:
        db = sqlite3.connect(f"file:{_quoted(path)}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    else:
        db = _connect_reader(path)
    try:
        _prepare(db, path, writable)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: str, writable: bool) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != STORE_VERSION or db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        if version > STORE_VERSION:
            message = (
                f"{path} was written by a newer Perdure (store version {version}, this one reads {STORE_VERSION})."
            )
            raise Trouble("newer_store", message, hint="Upgrade Perdure.")
        raise Damaged("ledger_damaged", f"{path} is not a Perdure ledger.", hint="perdure heal")
    if db.execute(_MEDDLING).fetchone():
        raise Damaged("ledger_damaged", f"{path} holds a trigger or a view, and none is ours.", hint="perdure heal")
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


def _connect_reader(path: str) -> sqlite3.Connection:
    """On a read-only or full disk SQLite cannot make the files a WAL reader needs; a store at rest can be read
    without them while nobody can write."""
    uri = f"file:{_quoted(path)}?mode=ro"
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        db.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError:
        db.close()
        at_rest = not os.path.exists(path + "-wal") or os.path.getsize(path + "-wal") == 0
        nobody_can_write = not os.access(os.path.dirname(path), os.W_OK) or _no_room(path)
        if not nobody_can_write or not at_rest:
            raise
        db = sqlite3.connect(uri + "&immutable=1", uri=True, isolation_level=None)
    return db


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _row(chain: int, seq: int) -> int:
    return (chain << _CHAIN_BITS) + seq


def _seq(row: int) -> int:
    return row & (1 << _CHAIN_BITS) - 1


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))


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


def _payload_text(event: Event) -> str | None:
    return None if event.payload is None else canonical(event.payload).decode()


def _event(row: tuple[Any, ...]) -> Event:
    place, ledger_id, clock, id_, kind, ts, project, session, transaction, instance, task, actor, schema = row[:13]
    payload, payload_hash, prev_hash, hash_, absent = row[13:]
    return Event(
        LedgerId(ledger_id),
        _seq(place),
        clock,
        EventId(id_),
        kind,
        Stamp(ts),
        ProjectId(project),
        session and SessionId(session),
        transaction and TransactionId(transaction),
        instance and InstanceId(instance),
        task and TaskId(task),
        actor,
        schema,
        None if payload is None else _read_payload(payload, ledger_id, _seq(place)),
        Hash(payload_hash),
        Hash(prev_hash),
        Hash(hash_),
        absent,
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
        return Document(kind, id_, bool(live), clock, decode(kind, _DECODER.decode(body)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = f"The stored state of {kind} {id_[:8]} cannot be read."
        raise Damaged("state_damaged", message, hint="perdure heal folds it anew from the events.") from error


def _translated(error: BaseException, path: str) -> PerdureError:
    """The one place where the driver's and the system's words become ours."""
    if isinstance(error, OSError):
        return _TROUBLES.get(error.errno or 0, _unknown)(path, str(error))
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if isinstance(error, UnicodeError):  # SQLite quotes the damaged bytes in its message
        return Damaged(
            "ledger_damaged", f"The ledger {path} is damaged: it holds bytes that are no text.", hint="perdure heal"
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or isinstance(error, sqlite3.InterfaceError):
        return Damaged(
            "ledger_damaged",
            f"The ledger {path} is damaged: {error}.",
            hint="perdure heal sets it aside and recovers what verifies, from it and from its backup.",
        )
    if any(sign in str(error) for sign in ("no such table", "no such column", "Could not decode to UTF-8")):
        return Damaged("ledger_damaged", f"The ledger {path} is damaged: {error}.", hint="perdure heal")
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and _no_room(path):
        return _full(path, str(error))  # the files beside the ledger could not be made or grown
    return _SQLITE_TROUBLES.get(code, _unknown)(path, str(error))


def _no_room(path: str) -> bool:
    try:
        disk = os.statvfs(os.path.dirname(path))
        return disk.f_bavail * disk.f_frsize < _ROOM
    except OSError:
        return False


def _full(path: str, _why: str) -> Trouble:
    return Trouble("disk_full", f"No room left on the disk of {path}. Nothing was written.", hint="Free some space.")


def _read_only(path: str, _why: str) -> Trouble:
    message = f"{path} cannot be written: the disk or the file is read-only. Nothing was written."
    return Trouble("read_only", message, hint="Make the project's .perdure folder writable.")


def _busy(path: str, _why: str) -> Trouble:
    message = f"{path} was locked by other writers for {BUSY_SECONDS:.0f} s. Nothing was written."
    return Trouble("ledger_busy", message, hint="Try again; if it persists, look for a stopped perdure process.")


def _unopenable(path: str, _why: str) -> Trouble:
    if not os.path.exists(path):
        return Trouble("no_ledger", f"There is no ledger at {path}.", hint="perdure heal restores it from its backup.")
    return Trouble("not_permitted", f"{path} cannot be opened by this user.", hint="Check who owns .perdure.")


def _unknown(path: str, why: str) -> Trouble:
    return Trouble("disk_failed", f"{path}: {why}.", hint="Check the disk; perdure heal --check looks at the ledger.")


_SQLITE_TROUBLES = {
    sqlite3.SQLITE_FULL: _full,
    sqlite3.SQLITE_READONLY: _read_only,
    sqlite3.SQLITE_BUSY: _busy,
    sqlite3.SQLITE_LOCKED: _busy,
    sqlite3.SQLITE_CANTOPEN: _unopenable,
    sqlite3.SQLITE_PERM: _unopenable,
}
_TROUBLES = {28: _full, 122: _full, 30: _read_only, 1: _unopenable, 13: _unopenable, 2: _unopenable}
