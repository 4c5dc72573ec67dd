"""The ledger in SQLite: one file, `.perdure/ledger.db` (SPEC 2.3).

An event's row number is its chain's number and its seq in one integer, so a chain lies together and grows at one end.
There is no index on anything random: an append touches the same page in a ledger of a million events as in one of a
thousand. What this process remembers of the last write (`_last_head`) saves reads at the next append; the insert itself
then checks that nobody else has written in between.

Durability: WAL with synchronous=FULL, one fsync a commit. On a network file system, where WAL is not safe, the store
keeps a rollback journal instead (`filesystem.py`). Every error of the driver is translated in `translated`.
"""

from __future__ import annotations

import os
from heapq import merge as merge_sorted

from perdure.errors import Damaged, Moved, PerdureError
from perdure.ledger import schema, sqlite_driver
from perdure.ledger.merging import Merging
from perdure.ledger.port import (
    ALL_EVENTS,
    FARTHEST,
    MOST_SESSIONS,
    NEARBY,
    Appended,
    Expect,
    Mentions,
    Origin,
    WrittenBy,
    conflict,
    moved,
)
from perdure.ledger.queue import Queue
from perdure.ledger.sqlite_driver import (
    connect,
    create_file,
    file_replaced,
    opened,
    read_only,
    refuse_foreign_schema,
    schema_version,
    translated,
)
from perdure.ledger.sqlite_module import sqlite3
from perdure.ledger.sqlite_rows import (
    EVENT_COLUMNS,
    EVENTS,
    PUT_DOCUMENT,
    REMOVE_DOCUMENT,
    SEQ_BITS,
    document_from,
    document_row,
    event_from,
    event_row,
    index_text,
    marks,
    payload_text_of,
    row_number,
    rows_of_chain,
    seq_in,
)
from perdure.ledger.stray_logs import strays_beside
from perdure.model.event import Draft, Event, Head, Ref, in_order
from perdure.model.ids import LedgerId
from perdure.model.ownership import REDACTION, UNERASABLE, erasure_in_force, own_chains
from perdure.model.payload import SAID, SEEN
from perdure.model.state import DOCUMENTS, Document, Removed, fold, is_folded
from perdure.model.value import replace
from perdure.proof.chain import empty_head, fault_after, head_of, seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from perdure.ledger.fold_anew import FoldedAnew
    from perdure.ledger.full_text import FullText
    from perdure.ledger.subtrees import Subtrees
    from perdure.model.ownership import Own
    from perdure.model.state import Change
    from perdure.proof.fsck import Row

    R = TypeVar("R")

LOGS = sqlite_driver.LOGS
WITH_EVENTS = sqlite_driver.WITH_EVENTS
BESIDE = sqlite_driver.BESIDE
_MOST_MATCHES = 3
"""That are looked up for the beginning of an id: two say that it is ambiguous, a third that there are more."""
_ROWS_AT_ONCE = 256
"""Rows that one statement reads: memory stays flat, and no cursor is open while somebody writes."""
_MOST_FAULTS = 5
"""Faults of the file that SQLite is asked to name."""
_MOST_ENTERED = 2048
"""Events that are entered in the full-text index at once, at most: nobody waits long when a store is closed."""
_ATTEMPTS = 3
"""How often the documents are folded without the lock, where somebody else erases or takes in events meanwhile."""


_INSERT = "INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_INSERT_AFTER = "INSERT INTO events SELECT ?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,? WHERE (SELECT max(row) FROM events) = ?"
_INDEXED_BY = 256
"""Events are entered in `kinds` by whole blocks of this many, so that an append touches one page and not two; what
stands after a chain's last whole block is looked through (`_not_in_kinds`)."""
_INDEX = "INSERT INTO kinds SELECT kind, clock, row FROM events WHERE row > ? AND row <= ?"
_TAILS = f"""FROM chains CROSS JOIN events ON row < n + 1 << {SEQ_BITS} AND row > (
  SELECT row - (row & {(1 << SEQ_BITS) - 1}) % {_INDEXED_BY} FROM events
  WHERE row BETWEEN n << {SEQ_BITS} AND (n + 1 << {SEQ_BITS}) - 1 ORDER BY row DESC LIMIT 1)"""
"""The events after the last whole block of each chain. Only with CROSS does SQLite take the chains first; and only if
every other condition stands in `+(…)` does it not make an index of all events for it."""
_NEWEST = """SELECT row, clock FROM kinds WHERE kind = ? AND ({of}) AND clock >= coalesce(
  (SELECT clock FROM kinds WHERE kind = ? AND ({of}) ORDER BY clock DESC LIMIT 1 OFFSET ?), 0)"""
"""The newest, and all that have the same clock as the last of them: the ledger id says which of those is newer."""
_ANY_CLOCK = 1 << 62
_FARTHEST = f"SELECT clock FROM kinds WHERE kind = ? ORDER BY clock DESC LIMIT 1 OFFSET {FARTHEST - 1}"
_NEWEST_BY = """SELECT row, clock FROM kinds WHERE kind = ? AND clock BETWEEN ? AND ? AND ({of})
  AND (SELECT {by} FROM events WHERE events.row = kinds.row) ORDER BY clock DESC LIMIT ?"""
_RAW = (
    f"row & {(1 << SEQ_BITS) - 1}, clock, id, kind, ts, project_id, session_id, transaction_id, instance_id, "
    "task_id, actor, schema, payload, payload_hash, prev_hash, hash, absent"
)
_RAW_ROWS = f"SELECT {_RAW} FROM events WHERE row > ? AND row <= ? ORDER BY row LIMIT ?"
_MISINDEXED = """SELECT k.row FROM kinds k LEFT JOIN events e ON e.row = k.row
  WHERE e.kind IS NOT k.kind OR e.clock IS NOT k.clock LIMIT 5"""
_IS_OF_NO_CHAIN = f"""row & {(1 << SEQ_BITS) - 1} = 0
  OR NOT EXISTS (SELECT 1 FROM chains c WHERE c.n = events.row >> {SEQ_BITS})"""
"""The events of a chain are numbered from 1 on, so nobody reads a row with the number 0."""
_OF_NO_CHAIN = f"SELECT row FROM events WHERE {_IS_OF_NO_CHAIN} LIMIT 5"
_NOT_INDEXED = """SELECT row FROM events e WHERE row > ? AND row <= ?
  AND NOT EXISTS (SELECT 1 FROM kinds k WHERE k.kind = e.kind AND k.clock = e.clock AND k.row = e.row) LIMIT 5"""
_STORED_ROW = """SELECT row, clock, id, kind, ts, project_id, session_id, transaction_id, instance_id, task_id, actor,
  schema, payload, payload_hash, prev_hash, hash, absent FROM events WHERE row = ?"""
_IDS = "SELECT row, id FROM events WHERE row > ? ORDER BY row LIMIT 4096"
_REPEATING = """SELECT row FROM events WHERE row BETWEEN ? AND ?
  AND EXISTS (SELECT 1 FROM json_tree(payload) t WHERE t.type = 'text' AND repeats(t.atom)) ORDER BY row DESC LIMIT ?"""
"""In one chain, the newest first (it has the highest row): where many repeat the texts, few are read and kept."""
_HAS_SECRET = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'secret'"
_EVERY_CHAIN = "SELECT n FROM chains ORDER BY n DESC"
_LAST = "SELECT row, clock, hash FROM events ORDER BY row DESC LIMIT 1"
_FIRST_OWN = 1 << 20
"""Chains this store writes to are numbered from here up, chains taken in from here down: so the last row of the table
is the head of our own chain, which makes the one look-up of every append the cheapest there is. After a merge our own
chain gets an event too, so that row also carries the highest clock of the store."""


def create(path: str, ledger_id: LedgerId, origin: Origin) -> SqliteLedger:
    """A new store with one empty chain. A store appears whole or not at all."""
    create_file(path, origin, chain=_FIRST_OWN, ledger_id=ledger_id)
    return SqliteLedger(path)


def open_ledger(path: str, *, writable: bool = True) -> SqliteLedger:
    return SqliteLedger(path, writable=writable)


def open_audited(path: str) -> SqliteLedger:
    return SqliteLedger(path, unchecked=True)


def strays(path: str) -> list[str]:
    return strays_beside(path, opened)


def rebuild(path: str, aside: str | None = None) -> None:
    from perdure.ledger import rebuilding  # here, because it imports this module

    rebuilding.rebuild(path, aside)


def move(path: str, to: str) -> None:
    for suffix in ("", *LOGS):
        if os.path.exists(path + suffix):
            os.replace(path + suffix, to + suffix)


def copy(path: str, to: str) -> None:
    from shutil import copyfile  # here, because shutil also imports every compression module

    for suffix in ("", "-wal", "-journal"):
        if os.path.exists(path + suffix):
            copyfile(path + suffix, to + suffix)


class SqliteLedger:
    """One connection to a store. With `unchecked`, a store whose schema is not ours is read all the same: for whoever
    examines or recovers it."""

    def __init__(self, path: str, *, writable: bool = True, unchecked: bool = False) -> None:
        self.path = path
        self._chain_number, self._chain_id = 0, LedgerId("")
        self._last_head: Head | None = None
        """The head after our last write, if nothing shows yet that somebody else wrote since."""
        self._head_after_commit: Head | None = None
        """What `_last_head` becomes when the write that is under way is committed."""
        self._documents_at_head: dict[tuple[str, str], Document | None] = {}
        self._wrote = False
        self._word_index_holds_old_text = False
        self._queue = Queue(path)
        self._writable = writable and not unchecked
        self._db, self._file = self._guarded(lambda: connect(path, self._writable, unchecked))
        self._schema_checked: int | None = None
        """The version of the schema that was last found to be ours while we held the lock."""

    # -- writing ---------------------------------------------------------------------------------------------------

    def append(self, drafts: Sequence[Draft], expect: Sequence[Expect] = (), after: Head | None = None) -> Appended:
        if len(drafts) == 1 and not expect and self._last_head and (after is None or after == self._last_head):
            appended = self._guarded(lambda: self._append_quickly(drafts[0]))
            if appended:
                return appended
        return self._writing(lambda: self._append(drafts, expect, after))

    def _append_quickly(self, draft: Draft) -> Appended | None:
        """One statement, where nothing but the event changes and nobody wrote since we last did: the insert itself
        states the head it follows, so what we know of that head still holds. Else None, and the lock is taken."""
        assert self._last_head is not None
        event, payload_text = seal(draft, self._last_head)
        if event.seq % _INDEXED_BY == 0 or fold(event, self._known_document):
            return None
        row = row_number(self._chain_number, event.seq)
        values = event_row(row, event, payload_text)
        with self._queue:
            inserted = self._db.execute(_INSERT_AFTER, (*values, row - 1)).rowcount
        if inserted != 1:
            self._forget()
            return None
        self._verify_stored(values)
        if not self._is_in_place() and not self._was_carried_over(event):
            raise file_replaced(self.path)
        self._last_head = head_of(event)
        self._wrote = True
        return Appended((event,), ())

    def _known_document(self, kind: str, id: str) -> Document | None:
        """The document as of `_last_head`. If somebody has written since, the insert that follows fails, and what we
        remember is dropped."""
        key = (kind, id)
        if key not in self._documents_at_head:
            self._documents_at_head[key] = self._document(kind, id)
        return self._documents_at_head[key]

    def _forget(self) -> None:
        self._last_head = None
        self._documents_at_head.clear()

    def _append(self, drafts: Sequence[Draft], expect: Sequence[Expect], after: Head | None) -> Appended:
        for expected in expect:
            self._check_expectation(expected)
        head = self._own_head()
        if after is not None and after != head:
            raise moved()
        return self._seal_and_insert(drafts, head)

    def _seal_and_insert(self, drafts: Sequence[Draft], head: Head) -> Appended:
        events: list[Event] = []
        changes: list[Change] = []
        for draft in drafts:
            event, payload_text = seal(draft, head)
            self._insert(self._chain_number, event, payload_text)
            changes += self._fold(event)
            head = head_of(event)
            events.append(event)
        self._head_after_commit = head
        return Appended(tuple(events), tuple(changes))

    def _check_expectation(self, expected: Expect) -> None:
        found = self._db.execute(
            "SELECT clock FROM documents WHERE kind = ? AND id = ?", (expected.kind, expected.id)
        ).fetchone()
        if (found[0] if found else None) != expected.clock:
            raise conflict(expected)

    def _own_head(self) -> Head:
        last = self._db.execute(_LAST).fetchone()
        if last is None:
            return empty_head(self._load_own_chain())
        row, clock, hash_ = last
        if row >> SEQ_BITS != self._chain_number:
            self._load_own_chain()
            if row >> SEQ_BITS != self._chain_number:  # our chain was begun and is still empty
                return self._above_all(empty_head(self._chain_id))
        return Head(ledger_id=self._chain_id, seq=seq_in(row), clock=clock, hash=hash_)

    def _above_all(self, head: Head) -> Head:
        return replace(head, clock=max(other.clock for other in self.heads()))

    def _load_own_chain(self) -> LedgerId:
        """Reads the number and id of the chain that we write to. They change only when a chain is begun."""
        found = self._db.execute("SELECT max(n), ledger_id FROM chains").fetchone()
        if found[0] is None:
            raise Damaged("ledger_damaged", f"{self.path} has no chain to write to.", hint="perdure heal")
        self._chain_number, self._chain_id = found
        return self._chain_id

    def _insert(self, chain: int, event: Event, payload_text: str | None) -> None:
        row = row_number(chain, event.seq)
        values = event_row(row, event, payload_text)
        self._db.execute(_INSERT, values)
        self._verify_stored(values)
        if event.seq % _INDEXED_BY == 0:
            self._db.execute(_INDEX, (row - _INDEXED_BY, row))
            self._subtrees().keep(chain, event.seq)

    def _verify_stored(self, values: tuple[object, ...]) -> None:
        """Reads the row back: no event is acknowledged that the store does not hold (SPEC 14.7)."""
        if self._db.execute(_STORED_ROW, values[:1]).fetchone() != values:
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
            raise file_replaced(self.path)
        version = schema_version(self._db)
        if version != self._schema_checked:
            refuse_foreign_schema(self._db, self.path)
            self._schema_checked = version

    def _fold(self, event: Event, is_own: bool = True) -> list[Change]:
        changes = fold(event, self._document, is_own)
        for change in changes:
            if isinstance(change, Removed):
                self._db.execute(REMOVE_DOCUMENT, (change.kind, change.id))
            else:
                self._db.execute(PUT_DOCUMENT, document_row(change))
        return changes

    def erase(self, ref: Ref, draft: Draft) -> Event:
        for _ in range(_ATTEMPTS):
            try:
                return self._erase_with(ref, draft, self._folded_without(ref))
            except Moved:
                continue
        return self._erase_with(ref, draft, None)

    def _erase_with(self, ref: Ref, draft: Draft, anew: FoldedAnew | None) -> Event:
        return self._erasing(lambda: self._erase(ref, draft, anew))

    def _folded_without(self, ref: Ref) -> FoldedAnew | None:
        """The documents as they are without this payload: before the lock is taken, because a long ledger takes long.
        None if they do not depend on it."""
        erased = self.event(ref)
        if erased is None or not is_folded(erased.kind, None):
            return None
        anew = self._fold_anew(without=row_number(self._chain_number_of(ref.ledger_id), ref.seq))
        self._guarded(anew.take_in)  # what was appended meanwhile
        return anew

    def _erasing(self, work: Callable[[], R]) -> R:
        """Freed space is overwritten; the old bytes stand in the write-ahead log until it is folded in and cut."""
        self._all("PRAGMA secure_delete = ON")
        self._word_index_holds_old_text = False
        done = self._writing(work)
        if self._word_index_holds_old_text:
            self._purge_word_index()
        self._all("PRAGMA wal_checkpoint(TRUNCATE)")
        return done

    def _erase(self, ref: Ref, draft: Draft, anew: FoldedAnew | None) -> Event:
        erased = self.event(ref)
        self._drop_payload(ref)
        if anew:
            anew.take_in()  # raises `Moved` if more than the end has changed
            anew.store()
        elif erased and is_folded(erased.kind, None):
            self._refold()
        return self._append([draft], (), None).events[0]

    def _drop_payload(self, ref: Ref) -> bool:
        """Whether there was one."""
        event = self.event(ref)
        if event is None or event.payload is None:
            return False
        row = row_number(self._chain_number_of(ref.ledger_id), ref.seq)
        self._db.execute("UPDATE events SET payload = NULL, absent = 'redacted' WHERE row = ?", (row,))
        self._update_word_index(row, event, replace(event, payload=None))
        return True

    def _update_word_index(self, row: int, before: Event, after: Event) -> None:
        """The event's text has changed: changes it in the full-text index too, if it is entered there."""
        from perdure.ledger.full_text import FullText

        index = FullText(self._db, seen=before.kind in SEEN)
        if before.kind in index.kinds and row <= index.entered().get(row >> SEQ_BITS, 0):
            index.replace(row, index_text(before), index_text(after))
            self._word_index_holds_old_text = True

    def _purge_word_index(self) -> None:
        """What was taken out of the full-text index stands in its older parts until they are merged: a little at a
        time, so that nobody waits long for the lock."""
        from perdure.ledger.full_text import FullText

        for index in (FullText(self._db), FullText(self._db, seen=True)):
            if index.exists():
                self._writing(index.begin_merging)
                while self._writing(index.merge):
                    pass

    def merge(self, events: Iterable[Event], draft: Draft, also: Sequence[Draft] = ()) -> Appended:
        grown: set[int] = set()
        done = self._erasing(lambda: self._merge(events, [draft, *also], grown))
        for chain in grown:
            while self._enter_more(chain):  # a little at a time, so that nobody waits long for the lock
                pass
        return done

    def _merge(self, events: Iterable[Event], drafts: Sequence[Draft], grown: set[int]) -> Appended:
        merging = Merging({head.ledger_id: head for head in self.heads()}, self.event, self._load_own_chain())
        chains: dict[LedgerId, int] = dict(self._db.execute("SELECT ledger_id, n FROM chains").fetchall())
        is_refolded = False
        for event in events:
            verdict = merging.decide(event)
            if verdict == "add":
                if event.ledger_id not in chains:
                    chains[event.ledger_id] = self._add_chain(event.ledger_id, min(chains.values()) - 1)
                self._insert(chains[event.ledger_id], event, payload_text_of(event))
                grown.add(chains[event.ledger_id])
                is_refolded |= is_folded(event.kind, event.transaction_id)
            elif verdict == "fill":
                self._fill(row_number(chains[event.ledger_id], event.seq), event)
                is_refolded |= is_folded(event.kind, None)
        appended = self._seal_and_insert(drafts, self._above_all(self._own_head()))
        if self._erase_what_was_redacted() or is_refolded:
            self._refold()
        return appended

    def _fill(self, row: int, event: Event) -> None:
        self._db.execute("UPDATE events SET payload = ?, absent = NULL WHERE row = ?", (payload_text_of(event), row))
        self._update_word_index(row, replace(event, payload=None), event)

    def _erase_what_was_redacted(self) -> bool:
        """Whether that changes a document."""
        own = self.own()
        changes = False
        for ref in [erasure_in_force(event, own) for event in self.latest([REDACTION], ALL_EVENTS)]:
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
        self._load_own_chain()
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
            raise read_only(self.path, "")
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
                row = row_number(chain, seq)
                self._db.execute(_INDEX, (row - _INDEXED_BY, row))
                subtrees.keep(chain, seq)

    def copy_events_to(self, target: sqlite3.Connection) -> None:
        """Its chains and their events as they are stored, whatever its indexes say, into tables of an empty store. Rows
        that belong to no chain are left out."""
        target.execute("DELETE FROM chains")
        target.executemany("INSERT INTO chains VALUES (?, ?)", self._all("SELECT n, ledger_id FROM chains NOT INDEXED"))
        last = -1
        while rows := self._all(
            f"SELECT * FROM events NOT INDEXED WHERE row > ? ORDER BY row LIMIT {_ROWS_AT_ONCE}", (last,)
        ):
            target.executemany(_INSERT, rows)
            last = rows[-1][0]
        target.execute(f"DELETE FROM events WHERE {_IS_OF_NO_CHAIN}")

    def journal(self) -> str:
        """SQLite's word for how it keeps its log: "wal", or how a rollback journal ends."""
        return str(self._all("PRAGMA journal_mode")[0][0])

    def carry_over(self, events: Sequence[Event]) -> None:
        """Events that another copy of this store has after the end of its own chain."""
        self._writing(lambda: self._carry_over(events))

    def _carry_over(self, events: Sequence[Event]) -> None:
        head = self._own_head()
        for event in events:
            fault = fault_after(head, event)
            if fault:
                raise fault.error()
            self._insert(self._chain_number, event, payload_text_of(event))
            self._fold(event)
            head = head_of(event)

    def _refold(self) -> None:
        """The documents as the events add up now; what is stored already is left as it is."""
        self._fold_anew().store()

    def _fold_anew(self, without: int | None = None) -> FoldedAnew:
        from perdure.ledger.fold_anew import FoldedAnew  # few commands change what was folded, and no hook

        return self._guarded(lambda: FoldedAnew(self._db, self.own, without))

    # -- reading ---------------------------------------------------------------------------------------------------

    def head(self) -> Head:
        return self._guarded(self._own_head)

    def heads(self) -> tuple[Head, ...]:
        rows = self._all("SELECT n, ledger_id FROM chains ORDER BY n DESC")
        return tuple(self._head(number, LedgerId(ledger_id)) for number, ledger_id in rows)

    def own(self) -> dict[LedgerId, int]:
        current = self._guarded(self._load_own_chain)
        return own_chains(current, lambda i: self.event(Ref(i, 1)), self.latest(["ledger.merged"], ALL_EVENTS))

    def _head(self, chain: int, ledger_id: LedgerId) -> Head:
        last = self._all(
            "SELECT row, clock, hash FROM events WHERE row BETWEEN ? AND ? ORDER BY row DESC LIMIT 1",
            rows_of_chain(chain),
        )
        return (
            Head(ledger_id=ledger_id, seq=seq_in(last[0][0]), clock=last[0][1], hash=last[0][2])
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
        last, end = row_number(chain, after), rows_of_chain(chain)[1]
        while True:
            rows = self._all(
                f"SELECT {EVENT_COLUMNS} {EVENTS} WHERE e.row > ? AND e.row <= ? ORDER BY e.row LIMIT {_ROWS_AT_ONCE}",
                (last, end),
            )
            yield from map(event_from, rows)
            if len(rows) < _ROWS_AT_ONCE:
                return
            last = rows[-1][0]

    def event(self, ref: Ref) -> Event | None:
        if not 0 < ref.seq < 1 << SEQ_BITS:  # by such a number, a row of another chain would be found
            return None
        rows = self._all(
            f"SELECT {EVENT_COLUMNS} {EVENTS} WHERE c.ledger_id = ? AND e.row = (c.n << {SEQ_BITS}) + ?",
            (ref.ledger_id, ref.seq),
        )
        return event_from(rows[0]) if rows else None

    def latest(
        self, kinds: Sequence[str], limit: int, own: Own | None = None, *, by: WrittenBy | None = None
    ) -> list[Event]:
        if limit < 1:
            return []
        of = "1" if own is None else self._in_chains(own)
        written, writers = _written_by(by)
        # The tails first: what is entered in `kinds` between the two looks is then found twice, and never not at all.
        where = f"kind IN ({marks(kinds)}) AND ({of}) AND ({written})"
        rows = set(self._not_in_kinds("row, clock", where, (*kinds, *writers)))
        for kind in kinds:
            if by is None:
                rows.update(self._all(_NEWEST.format(of=of), (kind, kind, limit - 1)))
            else:
                rows.update(self._newest_by(_NEWEST_BY.format(of=of, by=written), kind, limit, writers=writers))
        newest = sorted(rows, key=lambda row: row[1], reverse=True)
        events = self._at_each(row for row, clock in newest if clock >= newest[:limit][-1][1])
        return sorted(events, key=in_order, reverse=True)[:limit]

    def _newest_by(self, statement: str, kind: str, limit: int, *, writers: tuple[str, ...]) -> list[tuple[int, int]]:
        """So many, and all that have the same clock as the last of them."""
        farthest = self._all(_FARTHEST, (kind,))
        since = farthest[0][0] if farthest else 0
        rows = self._all(statement, (kind, since, _ANY_CLOCK, *writers, limit))
        if len(rows) == limit:
            rows += self._all(statement, (kind, rows[-1][1], rows[-1][1], *writers, ALL_EVENTS))
        return rows

    def _in_chains(self, own: Own) -> str:
        """A condition on `row`: it is one of these chains' events, up to the one that is named."""
        numbers = self._all("SELECT ledger_id, n FROM chains")
        spans = [(row_number(n, 1), min(row_number(n, own[i]), rows_of_chain(n)[1])) for i, n in numbers if i in own]
        return " OR ".join(f"row BETWEEN {first} AND {last}" for first, last in spans) or "0"

    def _not_in_kinds(self, columns: str, where: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        """What is not in `kinds` yet: less than one block of each chain."""
        return self._all(f"SELECT {columns} {_TAILS} WHERE +({where})", values)

    def _at(self, row: int) -> Event:
        [event] = self._at_each([row])
        return event

    def _at_each(self, rows: Iterable[int]) -> Iterator[Event]:
        """The events in these rows, in any order. One statement for many: a search reads more than a hundred."""
        wanted = list(rows)
        for some in (wanted[at : at + _ROWS_AT_ONCE] for at in range(0, len(wanted), _ROWS_AT_ONCE)):
            found = self._all(f"SELECT {EVENT_COLUMNS} {EVENTS} WHERE e.row IN ({marks(some)})", tuple(some))
            if len(found) != len(some):
                message = f"An index of {self.path} names an event that is not there."
                raise Damaged("ledger_damaged", message, hint="perdure heal")
            yield from map(event_from, found)

    def repeating(self, texts: Sequence[str], limit: int) -> list[Event]:
        from perdure.model.repeated_texts import Repeated  # few commands ask for it, and no hook

        repeated = Repeated(texts)
        self._guarded(lambda: self._db.create_function("repeats", 1, repeated.is_in, deterministic=True))
        chains = self._all("SELECT n FROM chains")
        rows = [row for (n,) in chains for (row,) in self._all(_REPEATING, (*rows_of_chain(n), limit))]
        return sorted(self._at_each(rows), key=in_order, reverse=True)[:limit]

    def find(self, prefix: str, kinds: Sequence[str] = ()) -> list[Event]:
        """Looks at every id (of these kinds): ids are random, and an index on them would cost every append."""
        same = "substr(id, 1, ?) = ?"
        given = (len(prefix), prefix)
        if not kinds:
            rows = self._all(f"SELECT row FROM events WHERE {same} LIMIT {_MOST_MATCHES}", given)
        else:
            of_kind = f"kind IN ({marks(kinds)})"
            indexed = f"row IN (SELECT row FROM kinds WHERE {of_kind})"
            rows = self._not_in_kinds("row", f"{of_kind} AND {same}", (*kinds, *given))
            rows += self._all(
                f"SELECT row FROM events WHERE {indexed} AND {same} LIMIT {_MOST_MATCHES}",
                (*kinds, *given),
            )
        return sorted((self._at(row) for (row,) in set(rows)), key=in_order)[:_MOST_MATCHES]

    def ids(self) -> Iterator[tuple[str, Ref]]:
        chains = {number: LedgerId(ledger_id) for number, ledger_id in self._all("SELECT n, ledger_id FROM chains")}
        last = -1
        while rows := self._all(_IDS, (last,)):
            for row, id_ in rows:
                if row >> SEQ_BITS in chains:
                    yield id_, Ref(chains[row >> SEQ_BITS], seq_in(row))
            last = rows[-1][0]

    def mentioning(self, terms: Sequence[str], limit: int, *, seen: bool = False) -> Mentions:
        return self._guarded(lambda: self._mentioning(terms, limit, seen=seen))

    def _mentioning(self, terms: Sequence[str], limit: int, *, seen: bool) -> Mentions:
        """What is entered in the index is asked of it; what is not entered yet is looked through."""
        from perdure.ledger.full_text import FullText
        from perdure.model.terms import closest, roots_of, text_of, weights

        index = FullText(self._db, seen=seen)
        forms, texts = index.forms(terms), index.texts()
        counts = index.counts(forms)
        found: dict[tuple[int, str], Event] = {}
        for event in self._not_entered(index):
            inside = counts.keys() & roots_of(text_of(event))
            texts += 1
            for each in inside:
                counts[each] += 1
            if inside:
                found[in_order(event)] = event
        weight = weights(counts, texts)
        for event in self._at_each(index.candidates(forms, weight, limit)):
            found[in_order(event)] = event  # some were perhaps entered meanwhile: the same one is found once
        return Mentions(closest(found.values(), weight, limit), weight)

    def beside(self, event: Event, most: int) -> tuple[list[Event], list[Event]]:
        return self._guarded(lambda: self._beside(event, most))

    def _beside(self, event: Event, most: int) -> tuple[list[Event], list[Event]]:
        chains = self._all("SELECT n FROM chains WHERE ledger_id = ?", (event.ledger_id,))
        if not chains or event.session_id is None:
            return [], []
        row, kinds = row_number(chains[0][0], event.seq), tuple(SAID)
        same = f"e.session_id = ? AND e.kind IN ({marks(kinds)})"
        before = self._all(
            f"SELECT {EVENT_COLUMNS} {EVENTS} WHERE e.row >= ? AND e.row < ? AND {same} ORDER BY e.row DESC LIMIT ?",
            (max(row - NEARBY, rows_of_chain(chains[0][0])[0]), row, event.session_id, *kinds, most),
        )
        after = self._all(
            f"SELECT {EVENT_COLUMNS} {EVENTS} WHERE e.row > ? AND e.row <= ? AND {same} ORDER BY e.row LIMIT ?",
            (row, row + NEARBY, event.session_id, *kinds, most),
        )
        return [event_from(each) for each in before], [event_from(each) for each in after]

    def _not_entered(self, index: FullText) -> Iterator[Event]:
        entered = index.entered()
        for (chain,) in self._all("SELECT n FROM chains"):
            yield from self._events_with_text(index, chain, entered.get(chain, 0), upto=rows_of_chain(chain)[1])

    def _events_with_text(self, index: FullText, chain: int, after: int, *, upto: int) -> Iterator[Event]:
        """The events of a chain that hold words of this index, between two rows, in batches."""
        last = max(after, rows_of_chain(chain)[0])
        while True:
            rows = self._all(
                f"SELECT {EVENT_COLUMNS} {EVENTS} WHERE e.row > ? AND e.row <= ? AND e.kind IN ({marks(index.kinds)}) "
                f"ORDER BY e.row LIMIT {_ROWS_AT_ONCE}",
                (last, upto, *index.kinds),
            )
            yield from map(event_from, rows)
            if len(rows) < _ROWS_AT_ONCE:
                return
            last = rows[-1][0]

    def node(self, ledger_id: LedgerId, level: int, index: int) -> bytes:
        return self._guarded(lambda: self._subtrees().node(self._chain_number_of(ledger_id), level, index))

    def rows(self, ledger_id: LedgerId) -> Iterator[list[Row]]:
        chain = self._chain_number_of(ledger_id)
        last, end = rows_of_chain(chain)
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
            last = row_number(chain, rows[-1][0])

    def _rows_up_to_damage(self, last: int, end: int) -> Iterator[list[Row]]:
        """The rows of a block that cannot be read, up to the one that is to blame."""
        rows: list[Row] = []
        try:
            for number in range(last, last + _INDEXED_BY):
                rows += self._all(_RAW_ROWS, (number, min(number + 1, end), 1))
        except Damaged:
            if rows:
                yield rows

    def subtrees(self, ledger_id: LedgerId) -> dict[tuple[int, int], bytes]:
        return self._guarded(lambda: self._subtrees().all_of(self._chain_number_of(ledger_id)))

    def misindexed(self) -> list[tuple[LedgerId, int]]:
        rows = [*self._all(_MISINDEXED), *self._all(_OF_NO_CHAIN)]
        for number, _ in self._all("SELECT n, ledger_id FROM chains"):
            first, last = rows_of_chain(number)
            newest = self._all("SELECT max(row) FROM events WHERE row BETWEEN ? AND ?", (first, last))[0][0] or first
            indexed = newest - seq_in(newest) % _INDEXED_BY
            counted = self._all("SELECT count(*) FROM kinds WHERE row BETWEEN ? AND ?", (first, last))[0][0]
            if counted != seq_in(indexed):
                rows += self._all(_NOT_INDEXED, (first, indexed)) or [(indexed,)]
        ids = dict(self._all("SELECT n, ledger_id FROM chains"))
        return [(LedgerId(ids.get(row >> SEQ_BITS, "") if seq_in(row) else ""), seq_in(row)) for (row,) in rows]

    def structural_faults(self) -> list[str]:
        try:
            said = [f"the schema is not ours: {each}" for each in self._guarded(lambda: schema.differences(self._db))]
            said += self._guarded(lambda: schema.rows_too_many(self._db))
            lines = [line for (line,) in self._all(f"PRAGMA integrity_check({_MOST_FAULTS})") if line != "ok"]
        except Damaged as error:
            return [error.message]
        return said + [f"SQLite finds the file damaged: {' '.join(line.split())}" for line in lines]

    def index_faults(self) -> list[str]:
        try:
            said_fault = self._guarded(lambda: self._word_index_fault(seen=False))
            seen_fault = self._guarded(lambda: self._word_index_fault(seen=True))
            kinds = tuple(DOCUMENTS)
            strange = self._all(f"SELECT kind FROM documents WHERE kind NOT IN ({marks(kinds)}) LIMIT 1", kinds)
        except Damaged as error:
            return [error.message]
        said = [f"the state has a document of a kind that we do not write: {kind}" for (kind,) in strange]
        return [*said, *(fault for fault in (said_fault, seen_fault) if fault)]

    def _word_index_fault(self, *, seen: bool) -> str | None:
        from perdure.ledger.full_text import FullText
        from perdure.model.terms import terms_of, text_of

        index = FullText(self._db, seen=seen)
        counted = dict.fromkeys((chain for (chain,) in self._all("SELECT n FROM chains")), 0)
        said = index.entered_texts()

        def entered() -> Iterator[tuple[int, list[str]]]:
            for chain, (upto, _) in said.items():
                for event in self._events_with_text(index, chain, 0, upto=upto):
                    counted[chain] = counted.get(chain, 0) + 1
                    yield row_number(chain, event.seq), terms_of(text_of(event))

        fault = index.fault(entered())
        wrong = [
            chain for chain, (upto, texts) in said.items() if upto > self._last_row(chain) or texts != counted[chain]
        ]
        return fault or ("the full-text index states wrongly how far it goes" if wrong else None)

    def _last_row(self, chain: int) -> int:
        first, last = rows_of_chain(chain)
        found: int | None = self._all("SELECT max(row) FROM events WHERE row BETWEEN ? AND ?", (first, last))[0][0]
        return first if found is None else found

    def at_one_moment(self) -> _ReadTransaction:
        return _ReadTransaction(self._all)

    def _subtrees(self) -> Subtrees:
        from perdure.ledger.subtrees import Subtrees  # with OpenSSL, which those who only read state need not load

        return Subtrees(self._db, self._hashes)

    def _hashes(self, chain: int, first: int, last: int) -> list[str]:
        rows = self._all(
            "SELECT hash FROM events WHERE row BETWEEN ? AND ? ORDER BY row",
            (row_number(chain, first), row_number(chain, last)),
        )
        return [hash_ for (hash_,) in rows]

    def _chain_number_of(self, ledger_id: LedgerId) -> int:
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
        return document_from(row) if row else None

    def documents(self, kind: str, live: bool | None = None, limit: int | None = None) -> list[Document]:
        where, values = ("kind = ?", (kind,)) if live is None else ("kind = ? AND live = ?", (kind, int(live)))
        rows = self._all(
            f"SELECT kind, id, live, clock, body FROM documents WHERE {where} ORDER BY clock DESC, id LIMIT ?",
            (*values, -1 if limit is None else limit),
        )
        return list(map(document_from, rows))

    def find_documents(self, kind: str, prefix: str) -> list[Document]:
        rows = self._all(
            "SELECT kind, id, live, clock, body FROM documents "
            f"WHERE kind = ? AND id >= ? AND id < ? ORDER BY id LIMIT {_MOST_MATCHES}",
            (kind, prefix, prefix + "\U0010ffff"),
        )
        return list(map(document_from, rows))

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
            self._catch_up_word_index()
        self._queue.close()
        self._guarded(self._db.close)

    def _catch_up_word_index(self) -> None:
        """Brings the full-text index forward. It is a view, and search looks through what it lacks: where somebody else
        writes just now, or the disk is full, the next one to close does it."""
        try:
            self._db.execute("PRAGMA busy_timeout = 0")
            for (chain,) in self._db.execute(_EVERY_CHAIN).fetchall():
                said = self._enter_more(chain, waits=False)
                if self._enter_more(chain, seen=True, waits=False) or said:
                    return
        except (sqlite3.Error, PerdureError):
            return

    def _enter_more(self, chain: int, *, seen: bool = False, waits: bool = True) -> bool:
        """Enters some of a chain that is ahead of the index by a block or more. Whether there was anything to enter,
        and an index to enter it in. `waits`: for its turn among the writers."""
        from perdure.ledger.full_text import BLOCK, FullText

        index = FullText(self._db, seen=seen)

        def behind() -> tuple[int, int]:
            return max(index.entered().get(chain, 0), rows_of_chain(chain)[0]), self._last_row(chain)

        def enter() -> bool:
            first, last = behind()  # again, under the lock: somebody else may have entered them while we waited
            return last - first >= BLOCK and self._enter(index, chain, first, upto=min(last, first + _MOST_ENTERED))

        first, last = behind()
        return last - first >= BLOCK and self._writing(enter, waits=waits)

    def _enter(self, index: FullText, chain: int, after: int, *, upto: int) -> bool:
        events = self._events_with_text(index, chain, after, upto=upto)
        return index.enter(chain, upto, ((row_number(chain, event.seq), index_text(event)) for event in events))

    def _enter_all(self) -> None:
        from perdure.ledger.full_text import FullText

        for index in (FullText(self._db), FullText(self._db, seen=True)):
            self._enter_all_in(index)

    def _enter_all_in(self, index: FullText) -> None:
        for (chain,) in self._all("SELECT n FROM chains"):
            first, last = rows_of_chain(chain)
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
        self._head_after_commit = None
        try:
            done = self._in_turn(work) if waits else self._in_transaction(work)
        except (sqlite3.Error, OSError, UnicodeError) as error:
            raise translated(error, self.path) from error
        self._last_head = self._head_after_commit
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


class _ReadTransaction:
    """A transaction that only reads."""

    def __init__(self, run: Callable[[str], object]) -> None:
        self._run = run

    def __enter__(self) -> None:
        self._run("BEGIN")

    def __exit__(self, *_: object) -> None:
        self._run("ROLLBACK")  # a commit would ask a damaged full-text index to write


def _written_by(by: WrittenBy | None) -> tuple[str, tuple[str, ...]]:
    """A condition on an event's columns, and its values."""
    if by is None:
        return "1", ()
    sessions = by.sessions[:MOST_SESSIONS]
    conditions = [f"session_id IN ({marks(sessions)})"] if sessions else []
    conditions += ["instance_id = ?"] if by.instance_id is not None else []
    conditions += ["transaction_id = ?"] if by.transaction_id is not None else []
    values = (*sessions, by.instance_id, by.transaction_id)
    return f"({' OR '.join(conditions) or '0'})", tuple(each for each in values if each is not None)
