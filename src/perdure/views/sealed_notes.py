"""Notes for whoever next opens the ledger to write: what hooks saw, one small file each, which nobody has recorded yet.

`.perdure/denied/` holds what the guard denied (docs/adr/0079), `.perdure/calls/` what tool calls did (docs/adr/0150).
A hook that leaves a note opens no ledger, so each note is sealed: encrypted and signed with keys that are derived from
the home's view key and the folder's name. A note that another home sealed, that somebody changed, or that comes from
the other folder, is not read.

A note appears under its name only when it is whole. The name begins with the time, so notes are read oldest first. Its
`token` is part of what is signed: a copy under another name has the same one.

    DENIED.leave(".perdure", key, {"tool": "Bash", "reason": "…"})
    [note] = DENIED.waiting(".perdure", key)
"""

from __future__ import annotations

import os
from time import time_ns

from perdure.errors import Trouble
from perdure.files import files_in, is_no_file, make_folder, remove, sync_folder, trouble, unfinished
from perdure.model.digest import blake2b
from perdure.model.json import compact_ascii, parse
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from perdure.model.json import Json

MOST = 500
"""How many files are read at once."""
_NONCE, _TAG, _BLOCK = 16, 16, 64
_LARGEST = 64 << 10
_TIME_DIGITS = 20


@value
class SealedNote:
    name: str
    token: str
    """The same for every copy of the note, and for no other; empty if this home did not seal it."""
    fields: dict[str, Json] | None
    """What it says; None if this home did not seal it."""


@value
class SealedNotes:
    """The notes of one kind."""

    folder: str
    is_durable: bool
    """Whether a note survives a power cut once it is left."""

    def folder_in(self, project_folder: str) -> str:
        return os.path.join(project_folder, self.folder)

    def names(self, project_folder: str) -> list[str]:
        """Oldest first. What is no plain file is no note, and stays where it is."""
        folder = self.folder_in(project_folder)
        names = [] if os.path.islink(folder) else files_in(folder)  # git may have brought a link
        return [name for name in names if name[:_TIME_DIGITS].isdecimal() and not is_unfinished(name)]

    def leave(self, project_folder: str, key: bytes, fields: Mapping[str, Json]) -> None:
        """Raises OSError if it cannot be left; then there is no note."""
        content = self._sealed(compact_ascii(dict(fields)).encode(), key)  # it may have a lone surrogate
        if len(content) > _LARGEST:
            raise ValueError(f"a note of {len(content)} bytes is too large")
        folder = self.folder_in(project_folder)
        if os.path.islink(folder):
            raise OSError(f"{folder} is a link")
        path = os.path.join(folder, f"{max(time_ns(), 0):0{_TIME_DIGITS}}-{os.getpid()}")
        beside = unfinished(path)
        try:
            file = _created(beside)
        except FileNotFoundError:
            make_folder(folder)
            file = _created(beside)
        try:
            _write_all(file, content)
            if self.is_durable:
                os.fsync(file)
            os.rename(beside, path)
            if self.is_durable:
                sync_folder(folder)
        except BaseException:
            remove(beside)
            remove(path)  # it counts as not left
            raise
        finally:
            os.close(file)

    def waiting(self, project_folder: str, key: bytes | None) -> list[SealedNote]:
        """The oldest of them, at most `MOST`. Raises Trouble if one cannot be read now: it may be a note of this home,
        so nobody may take it for another's and remove it."""
        folder = self.folder_in(project_folder)
        return [self._read(folder, name, key) for name in self.names(project_folder)[:MOST]]

    def take_away(self, project_folder: str, names: Iterable[str]) -> None:
        """Removes what can be removed. Raises Trouble if one stays."""
        folder, failed = self.folder_in(project_folder), None
        for name in names:
            try:
                remove(os.path.join(folder, name))
            except Trouble as error:
                failed = failed or error
        if failed:
            raise failed

    def _read(self, folder: str, name: str, key: bytes | None) -> SealedNote:
        content = _content(os.path.join(folder, name)) if key else b""
        fields = self._opened(content, key) if key else None
        return SealedNote(name=name, token=content[:_NONCE].hex() if fields is not None else "", fields=fields)

    def _sealed(self, text: bytes, key: bytes) -> bytes:
        nonce = os.urandom(_NONCE)
        hidden = self._crossed(text, key, nonce)
        return nonce + self._tag(nonce + hidden, key) + hidden

    def _opened(self, content: bytes, key: bytes) -> dict[str, Json] | None:
        nonce, tag, hidden = content[:_NONCE], content[_NONCE : _NONCE + _TAG], content[_NONCE + _TAG :]
        if len(tag) != _TAG or self._tag(nonce + hidden, key) != tag:
            return None
        found = parse(self._crossed(hidden, key, nonce).decode("utf-8", "replace"))
        return found if isinstance(found, dict) else None

    def _crossed(self, text: bytes, key: bytes, nonce: bytes) -> bytes:
        """BLAKE2b in counter mode: the same function hides and shows."""
        person = self._person(b"c")
        stream = b"".join(
            blake2b(nonce + number.to_bytes(8, "big"), key=key, digest_size=_BLOCK, person=person).digest()
            for number in range(len(text) // _BLOCK + 1)
        )[: len(text)]
        return (int.from_bytes(text, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(text), "big")

    def _tag(self, text: bytes, key: bytes) -> bytes:
        return blake2b(text, key=key, digest_size=_TAG, person=self._person(b"t")).digest()

    def _person(self, use: bytes) -> bytes:
        return b"perdure-" + self.folder.encode() + b"-" + use


DENIED = SealedNotes("denied", is_durable=False)
CALLS = SealedNotes("calls", is_durable=True)


def is_unfinished(name: str) -> bool:
    return name.endswith(".tmp")


def _created(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _write_all(file: int, content: bytes) -> None:
    if os.write(file, content) != len(content):
        raise OSError("a note could not be written whole")


def _content(path: str) -> bytes:
    """Empty if somebody took it away meanwhile, or put something else there."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return os.read(file, _LARGEST)
        finally:
            os.close(file)
    except OSError as error:
        if is_no_file(error):
            return b""
        raise trouble(error, path) from error
