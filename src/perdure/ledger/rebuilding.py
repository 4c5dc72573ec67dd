"""A store made again from its events alone (SPEC 16.3): schema, indexes, documents, tree and full-text index.

Nothing of the damaged structure is used again. The events are copied into a new file, everything derived is derived
there, and the auditor must find the new file whole. Then its content takes the place of the old content in one commit
(SQLite's backup interface). The file stays the same file: whoever has it open goes on in the same chain, and a crash
leaves either the old content or the new. What others append meanwhile is carried over before the commit.

    rebuild(path, aside=path + ".damaged-20260101")
"""

from __future__ import annotations

import os
from time import monotonic

from perdure.errors import Damaged, Moved, Trouble
from perdure.files import remove, unfinished
from perdure.ledger.fold_anew import STARTS_OVER
from perdure.ledger.port import moved
from perdure.ledger.sqlite import SqliteLedger, create
from perdure.ledger.sqlite_driver import BESIDE, BUSY_SECONDS, opened, translated
from perdure.ledger.sqlite_module import sqlite3
from perdure.proof.fsck import UNREADABLE, Check, KnownElsewhere, audit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from perdure.ledger.port import Origin
    from perdure.model.event import Head

    State: TypeAlias = tuple[tuple[Head, ...], Origin, bytes, str]

_PAGES = 64
"""Copied in one step: few enough to stay in SQLite's cache, so that others can still read after the first step."""
_ATTEMPTS = 20
_STORE_CHECKS = (Check.CHAIN, Check.TREE, Check.INDEXES, Check.STATE, Check.SCHEMA)
"""What a new store must pass. Payloads, heads, backup and places are not the store's to mend."""
_CHANGE_COUNTER = 24
"""Where it stands in the file (SQLite's file format, 1.3)."""


def rebuild(path: str, aside: str | None = None) -> None:
    """With `aside`, the content as it was is kept there. Raises `Damaged` and changes nothing where the events do not
    verify: then there is nothing to make a store from."""
    beside = unfinished(path)
    try:
        _rebuild(path, beside, aside)
    except (sqlite3.Error, OSError, UnicodeError) as error:
        raise translated(error, path) from error
    except UNREADABLE as error:
        if isinstance(error, Damaged):
            raise
        raise Damaged("ledger_damaged", f"{path} holds what no store writes ({error}).", hint="perdure heal") from error
    finally:
        _remove(beside)


def _rebuild(path: str, beside: str, aside: str | None) -> None:
    old = _Old(path)
    try:
        state = _copied(old, beside)
        if aside:
            _keep(path, aside)
        for _ in range(_ATTEMPTS):
            try:
                _put_in_place(beside, path, _Unchanged(old, state))
                return
            except Moved:
                state = _caught_up(old, beside, state)
    finally:
        old.close()
    raise Trouble("ledger_busy", f"{path} is written to all the time. It was left as it is.", hint="Try again.")


class _Old:
    """The store as it is. Its state changes with everything that is written to it: the ends of its chains, where it
    belongs, its secret. Without a write-ahead log nobody can read while somebody writes; there, SQLite's change counter
    in the file's header is looked at, through a descriptor that stays open: closing it would let go of SQLite's
    locks."""

    def __init__(self, path: str) -> None:
        self.ledger = SqliteLedger(path, unchecked=True)
        self._descriptor = os.open(path, os.O_RDONLY)
        self._is_wal = self.ledger.journal() == "wal"

    def state(self) -> State:
        """Within `at_one_moment`."""
        return self.ledger.heads(), self.ledger.origin(), self._counter(), self._secret()

    def _secret(self) -> str:
        """Empty if it cannot be read: the home then compares the events with what it can prove."""
        try:
            return self.ledger.secret()
        except Damaged:
            return ""

    def _counter(self) -> bytes:
        return b"" if self._is_wal else os.pread(self._descriptor, 4, _CHANGE_COUNTER)

    def is_at(self, state: State) -> bool:
        if not self._is_wal:
            return self._counter() == state[2]
        with self.ledger.at_one_moment():
            return self.state() == state

    def close(self) -> None:
        self.ledger.close()
        os.close(self._descriptor)


# -- a new file from the events ----------------------------------------------------------------------------------------


def _copied(old: _Old, beside: str) -> State:
    _remove(beside)
    with old.ledger.at_one_moment():
        state = old.state()
        create(beside, state[0][0].ledger_id, state[1]).close()
        _copy_events(old.ledger, beside)
    new = SqliteLedger(beside)
    try:
        new.derive()
        if state[3]:
            new.keep_secret(state[3], "")
        _refuse_unless_whole(new)
    finally:
        new.close()
    return state


def _copy_events(old: SqliteLedger, beside: str) -> None:
    target = opened(beside, "rw")
    try:
        target.execute("PRAGMA synchronous = OFF")  # it is made again after a crash
        target.execute("BEGIN")
        old.copy_events_to(target)
        target.execute("COMMIT")
    finally:
        target.close()


def _refuse_unless_whole(new: SqliteLedger) -> None:
    with new.at_one_moment():
        found = audit(new, KnownElsewhere(), ()).findings
    for finding in found:
        if finding.check in _STORE_CHECKS:
            where = f"Ledger {finding.ledger_id[:8]}, event {finding.seq}: " if finding.seq else ""
            raise Damaged("chain_broken", f"{where}{finding.what}.", hint="perdure heal")


def _caught_up(old: _Old, beside: str, before: State) -> State:
    """What was appended since, where nothing else was changed; else all is copied again."""
    own, others = before[0][0], before[0][1:]
    with old.ledger.at_one_moment():
        now = old.state()
        more = list(old.ledger.events(own.ledger_id, own.seq))
    has_only_grown = (now[0][0].ledger_id, now[0][1:], now[1], now[3]) == (own.ledger_id, others, before[1], before[3])
    if not has_only_grown or any(event.kind in STARTS_OVER for event in more):
        return _copied(old, beside)
    new = SqliteLedger(beside)
    try:
        new.carry_over(more)
    finally:
        new.close()
    return now


# -- its content in place of the old -----------------------------------------------------------------------------------


class _Unchanged:
    """Asked by SQLite after each step of a copy, which from its first step on holds the lock of writers."""

    def __init__(self, old: _Old, state: State) -> None:
        self._old = old
        self._state = state
        self._is_known = False
        self._deadline = monotonic() + BUSY_SECONDS

    def __call__(self, status: int, _remaining: int, _total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            if monotonic() > self._deadline:
                raise sqlite3.OperationalError("database is locked")
        elif not self._is_known:
            if not self._old.is_at(self._state):
                raise moved()
            self._is_known = True


def _put_in_place(beside: str, path: str, unchanged: Callable[[int, int, int], None]) -> None:
    source, target = opened(beside, "ro"), opened(path, "rw", tolerant=True)
    try:
        target.execute("PRAGMA synchronous = FULL")
        pages = source.execute("PRAGMA page_count").fetchone()[0]
        source.backup(target, pages=1 if pages <= 2 * _PAGES else _PAGES, progress=unchanged, sleep=0.02)
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        source.close()
        target.close()


def _keep(path: str, aside: str) -> None:
    os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    source, target = opened(path, "ro", tolerant=True), opened(aside, "rw")
    try:
        source.backup(target)
    except BaseException:
        remove(aside)
        raise
    finally:
        source.close()
        target.close()


def _remove(path: str) -> None:
    for suffix in ("", *BESIDE):
        remove(path + suffix)
