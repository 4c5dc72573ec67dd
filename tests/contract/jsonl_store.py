"""A made-up store: the ledger in one file of JSON lines. It is the model for a new store (CONTRIBUTING, "Add a store").

The first line says whose store it is; every other line is an event. A change takes the lock, writes the whole file anew
beside the old one, waits for the disk, and puts the new file in the old one's place: it happened or it did not. Only
events are stored. When the file is read, a `MemoryLedger` folds them into documents and answers every question; this
module adds the file. A store that is to hold many events answers from indexes of its own instead, as
`ledger/sqlite.py` does.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from perdure.errors import BadInput, Damaged, PerdureError, Trouble
from perdure.files import NewFile, trouble, write_pieces
from perdure.ledger.memory import MemoryLedger
from perdure.ledger.port import Appended, Expect, Mentions, Origin, WrittenBy
from perdure.model.event import Draft, Event, Head, Ref
from perdure.model.ids import LedgerId
from perdure.model.jsonl import from_line, to_line
from perdure.model.state import Document
from perdure.proof.chain import Fault, verified

if TYPE_CHECKING:
    from perdure.model.ownership import Own
    from perdure.proof.fsck import Row

R = TypeVar("R")
BEGINNING = b'{"store":"perdure-jsonl"'
"""The magic number: how every file of this store begins. Together with `is_whole` it goes into `FORMATS`."""
BESIDE: tuple[str, ...] = ("-lock",)
"""The endings of all files that this store makes beside its own, so that `heal` can look for them: `ledger.db-lock`."""
LOGS: tuple[str, ...] = ()
WITH_EVENTS: tuple[str, ...] = ()
"""Those of `BESIDE` that hold events which the file itself does not have yet, as SQLite's `-wal` does. They must be
moved and copied with the file. The lock holds nothing."""
BUSY_SECONDS = 10.0
"""How long a writer waits for the lock."""


def is_whole(path: str, head: bytes, size: int) -> bool:
    """Whether the file was not cut: then it ends with a whole line. The gate asks this, without opening the ledger."""
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


# -- what `Store` in ledger/port.py asks of the module -----------------------------------------------------------------


def create(path: str, ledger_id: LedgerId, origin: Origin) -> JsonlLedger:
    _write_new(path, _Content(ledger_id, origin, {ledger_id: []}, changes=0))
    return JsonlLedger(path)


def _write_new(path: str, content: _Content) -> None:
    try:
        with NewFile(path) as file:
            file.writelines(line.encode() for line in content.lines())
    except BadInput:
        return  # somebody else made the store first: theirs is opened


def open_ledger(path: str, *, writable: bool = True) -> JsonlLedger:
    return JsonlLedger(path, writable=writable)


def open_audited(path: str) -> JsonlLedger:
    """A simplification: the port asks that this opens a damaged file too, as far as its events can be read."""
    return JsonlLedger(path, writable=False)


def strays(path: str) -> list[str]:
    """Files beside the store that are named like its logs, and that it did not write, such as a log that an older store
    at this path left behind. A store that read one would take another's events for its own. This one has no logs."""
    return []


def rebuild(path: str, aside: str | None = None) -> None:
    """Everything but the events is made again whenever the file is read, so only the events are verified here."""
    for found in verified(JsonlLedger(path, writable=False).events(), {}):
        if isinstance(found, Fault):
            raise found.error()
    if aside:
        copy(path, aside)


def move(path: str, to: str) -> None:
    os.replace(path, to)


def copy(path: str, to: str) -> None:
    """A file is never changed, only replaced, so the copy is of one moment, whoever writes meanwhile."""
    shutil.copyfile(path, to)


# -- the content of the file -------------------------------------------------------------------------------------------


class _Content(MemoryLedger):
    """What the file says, folded. `changes` counts how often the file was written: a reader sees by its first line
    whether it must be read again."""

    def __init__(self, own: LedgerId, origin: Origin, chains: dict[LedgerId, list[Event]], *, changes: int) -> None:
        super().__init__(own, origin)
        self._chains = chains
        self.changes = changes
        self.rebuild()

    def lines(self) -> Iterator[str]:
        first = {
            "store": "perdure-jsonl",
            "changes": self.changes,
            "own": self._own,
            "chains": list(self._chains),
            "origin": self._origin.__dict__,
            "secret": self._secret,
        }
        yield json.dumps(first, separators=(",", ":")) + "\n"
        for chain in self._chains.values():
            yield from map(to_line, chain)


def _parsed(path: str, lines: list[bytes]) -> _Content:
    try:
        first: dict[str, Any] = json.loads(lines[0])
        chains: dict[LedgerId, list[Event]] = {LedgerId(each): [] for each in first["chains"]}
        for number, line in enumerate(lines[1:], 2):
            event = from_line(line, f"line {number}")
            chains[event.ledger_id].append(event)
        content = _Content(LedgerId(first["own"]), Origin(**first["origin"]), chains, changes=first["changes"])
        content.keep_secret(first["secret"], "")
        return content
    except (PerdureError, ValueError, LookupError, TypeError) as error:
        raise Damaged("ledger_damaged", f"The ledger {path} is damaged: {error}.", hint="perdure heal") from error


def _translated(error: OSError, path: str) -> PerdureError:
    """The one place where the driver's errors become ours. Here the driver is the file system."""
    if isinstance(error, FileNotFoundError):
        return Trouble("no_ledger", f"There is no ledger at {path}.", hint="perdure heal restores it from its backup.")
    return trouble(error, path)


# -- the ledger: `Ledger` and `AuditedLedger` in ledger/port.py --------------------------------------------------------


class JsonlLedger:
    """`path` is for the tests: they open the same file a second time."""

    def __init__(self, path: str, *, writable: bool = True) -> None:
        self.path = path
        self._writable = writable
        self._first = b""
        """The first line of the file as it was last read."""
        self._content: _Content | None = None
        self._is_one_moment = False
        self._read()

    def _read(self) -> _Content:
        if self._content and self._is_one_moment:
            return self._content
        try:
            with open(self.path, "rb") as file:
                first = file.readline()
                if self._content is None or first != self._first:
                    self._content = _parsed(self.path, [first, *file])
                    self._first = first
        except OSError as error:
            raise _translated(error, self.path) from error
        return self._content

    def _change(self, work: Callable[[_Content], R]) -> R:
        """Under the lock: reads what others wrote, changes it, and returns when the change is on the disk."""
        if not self._writable:
            raise Trouble("read_only", f"{self.path} was opened to be read. Nothing was written.")
        with self._locked():
            content = self._read()
            done = work(content)
            content.changes += 1
            self._content = None  # if writing fails, what the file says counts
            write_pieces(self.path, content.lines(), durable=True)
            self._content, self._first = content, next(content.lines()).encode()
        return done

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            lock = os.open(self.path + "-lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise _translated(error, self.path) from error
        deadline = monotonic() + BUSY_SECONDS
        try:
            while not _take(lock):
                if monotonic() > deadline:
                    message = f"{self.path} was locked by other writers for {BUSY_SECONDS:.0f} s. Nothing was written."
                    raise Trouble("ledger_busy", message, hint="Try again.")
                sleep(0.002)
            yield
        finally:
            os.close(lock)

    # -- changing --------------------------------------------------------------------------------------------------

    def append(self, drafts: Sequence[Draft], expect: Sequence[Expect] = (), after: Head | None = None) -> Appended:
        return self._change(lambda content: content.append(drafts, expect, after))

    def erase(self, ref: Ref, draft: Draft) -> Event:
        return self._change(lambda content: content.erase(ref, draft))

    def merge(self, events: Iterable[Event], draft: Draft, also: Sequence[Draft] = ()) -> Appended:
        return self._change(lambda content: content.merge(events, draft, also))

    def begin(self, ledger_id: LedgerId, origin: Origin, draft: Draft) -> Appended:
        return self._change(lambda content: content.begin(ledger_id, origin, draft))

    def settle(self, origin: Origin) -> None:
        self._change(lambda content: content.settle(origin))

    def keep_secret(self, secret: str, instead_of: str) -> str:
        return self._change(lambda content: content.keep_secret(secret, instead_of))

    def rebuild(self) -> None:
        self._change(lambda content: content.rebuild())

    # -- reading ---------------------------------------------------------------------------------------------------

    def head(self) -> Head:
        return self._read().head()

    def heads(self) -> tuple[Head, ...]:
        return self._read().heads()

    def own(self) -> dict[LedgerId, int]:
        return self._read().own()

    def events(self, ledger_id: LedgerId | None = None, after: int = 0) -> Iterator[Event]:
        return self._read().events(ledger_id, after)

    def event(self, ref: Ref) -> Event | None:
        return self._read().event(ref)

    def latest(
        self, kinds: Sequence[str], limit: int, own: Own | None = None, *, by: WrittenBy | None = None
    ) -> list[Event]:
        return self._read().latest(kinds, limit, own, by=by)

    def find(self, prefix: str, kinds: Sequence[str] = ()) -> list[Event]:
        return self._read().find(prefix, kinds)

    def ids(self) -> Iterator[tuple[str, Ref]]:
        return self._read().ids()

    def mentioning(self, terms: Sequence[str], limit: int, *, seen: bool = False) -> Mentions:
        return self._read().mentioning(terms, limit, seen=seen)

    def beside(self, event: Event, most: int) -> tuple[list[Event], list[Event]]:
        return self._read().beside(event, most)

    def repeating(self, texts: Sequence[str], limit: int) -> list[Event]:
        return self._read().repeating(texts, limit)

    def node(self, ledger_id: LedgerId, level: int, index: int) -> bytes:
        return self._read().node(ledger_id, level, index)

    def document(self, kind: str, id: str) -> Document | None:
        return self._read().document(kind, id)

    def documents(self, kind: str, live: bool | None = None, limit: int | None = None) -> list[Document]:
        return self._read().documents(kind, live, limit)

    def find_documents(self, kind: str, prefix: str) -> list[Document]:
        return self._read().find_documents(kind, prefix)

    def origin(self) -> Origin:
        return self._read().origin()

    def secret(self) -> str:
        return self._read().secret()

    def close(self) -> None:
        """Nothing is held."""

    # -- for an audit ----------------------------------------------------------------------------------------------

    def rows(self, ledger_id: LedgerId) -> Iterator[Sequence[Row]]:
        return self._read().rows(ledger_id)

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
        self._read()
        self._is_one_moment = True
        try:
            yield
        finally:
            self._is_one_moment = False


def _take(lock: int) -> bool:
    """Whether nobody had the lock: then it is ours. The kernel releases it when the file is closed or its process
    dies."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
