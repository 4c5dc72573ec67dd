"""A made-up store that follows CONTRIBUTING's "Add a store": the ledger in one file of JSON lines.

The first line says whose store it is; every other line is an event. A change writes the whole file anew and puts it in
the old one's place, so it is all there or not at all. Nothing else is stored: documents are folded when the file is
read. It is as slow as it is short, and does not wait for the disk.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from perdure.errors import Damaged, PerdureError, Trouble
from perdure.files import remove, trouble, unfinished
from perdure.ledger.memory import MemoryLedger
from perdure.ledger.port import Appended, Expect, Origin
from perdure.model.event import Draft, Event, Head, Ref
from perdure.model.ids import LedgerId
from perdure.model.jsonl import from_line, to_line
from perdure.model.state import Document
from perdure.proof.chain import Fault, verified

if TYPE_CHECKING:
    from perdure.proof.fsck import Row

R = TypeVar("R")
BEGINNING = b'{"store":"perdure-jsonl"'
LOGS: tuple[str, ...] = ()
BESIDE: tuple[str, ...] = ("-lock",)


def is_whole(path: str, head: bytes, size: int) -> bool:
    """For `ledger/header.FORMATS`: a file that was cut ends within a line."""
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


def create(path: str, ledger_id: LedgerId, origin: Origin) -> JsonlLedger:
    beside = unfinished(path)
    try:
        with open(beside, "wb") as file:
            file.writelines(_Content(ledger_id, origin, {ledger_id: []}, 0).lines({}))
        os.link(beside, path)
    except FileExistsError:
        pass
    except OSError as error:
        raise _translated(error, path) from error
    finally:
        remove(beside)
    return JsonlLedger(path)


def open_ledger(path: str, *, writable: bool = True) -> JsonlLedger:
    return JsonlLedger(path, writable=writable)


def open_audited(path: str) -> JsonlLedger:
    return JsonlLedger(path, writable=False)


def strays(path: str) -> list[str]:
    return []  # it keeps no logs


def rebuild(path: str, aside: str | None = None) -> None:
    """Only events are stored, so there is nothing to make again."""
    for found in verified(JsonlLedger(path, writable=False).events(), {}):
        if isinstance(found, Fault):
            raise found.error()
    if aside:
        copy(path, aside)


def move(path: str, to: str) -> None:
    os.replace(path, to)


def copy(path: str, to: str) -> None:
    shutil.copyfile(path, to)


class _Content(MemoryLedger):
    """What the file says, folded."""

    def __init__(self, own: LedgerId, origin: Origin, chains: dict[LedgerId, list[Event]], changes: int) -> None:
        super().__init__(own, origin)
        self._chains = chains
        self.changes = changes
        self.rebuild()

    def lines(self, known: dict[tuple[str, str | None], bytes]) -> Iterator[bytes]:
        """`known`: lines of events that were written before, by hash and absence."""
        first = {"store": "perdure-jsonl", "changes": self.changes, "own": self._own, "chains": list(self._chains)}
        yield (
            json.dumps(
                {**first, "origin": self._origin.__dict__, "secret": self._secret}, separators=(",", ":")
            ).encode()
            + b"\n"
        )
        for event in (event for chain in self._chains.values() for event in chain):
            key = (event.hash, event.absent)
            if key not in known:
                known[key] = to_line(event).encode()
            yield known[key]


def _parsed(path: str, lines: list[bytes]) -> _Content:
    try:
        first: dict[str, Any] = json.loads(lines[0])
        chains: dict[LedgerId, list[Event]] = {LedgerId(each): [] for each in first["chains"]}
        for number, line in enumerate(lines[1:], 2):
            event = from_line(line, f"line {number}")
            chains[event.ledger_id].append(event)
        content = _Content(LedgerId(first["own"]), Origin(**first["origin"]), chains, first["changes"])
        content.keep_secret(first["secret"], "")
        return content
    except (PerdureError, ValueError, LookupError, TypeError) as error:
        raise Damaged("ledger_damaged", f"The ledger {path} is damaged: {error}.", hint="perdure heal") from error


def _translated(error: OSError, path: str) -> PerdureError:
    """The one place where the system's words become ours."""
    if isinstance(error, FileNotFoundError):
        return Trouble("no_ledger", f"There is no ledger at {path}.", hint="perdure heal restores it from its backup.")
    return trouble(error, path)


class JsonlLedger:
    def __init__(self, path: str, *, writable: bool = True) -> None:
        self.path = path
        self._writable = writable
        self._first = b""
        self._content: _Content | None = None
        self._lines: dict[tuple[str, str | None], bytes] = {}
        self._is_one_moment = False
        self._read()

    # -- the file --------------------------------------------------------------------------------------------------

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
        if not self._writable:
            raise Trouble("read_only", f"{self.path} was opened to be read. Nothing was written.")
        with open(self.path + "-lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            content = self._read()
            done = work(content)
            content.changes += 1
            self._write(content)
        return done

    def _write(self, content: _Content) -> None:
        beside = unfinished(self.path)
        lines = list(content.lines(self._lines))
        self._content = None  # should anything fail, what the file says counts
        try:
            with open(beside, "wb") as file:
                file.writelines(lines)
            os.replace(beside, self.path)
        except OSError as error:
            raise _translated(error, self.path) from error
        finally:
            remove(beside)
        self._content, self._first = content, lines[0]

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

    def latest(self, kinds: Sequence[str], limit: int) -> list[Event]:
        return self._read().latest(kinds, limit)

    def find(self, prefix: str, kinds: Sequence[str] = ()) -> list[Event]:
        return self._read().find(prefix, kinds)

    def ids(self) -> Iterator[tuple[str, Ref]]:
        return self._read().ids()

    def mentioning(self, terms: Sequence[str], limit: int) -> list[Event]:
        return self._read().mentioning(terms, limit)

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
