"""`.perdure/denied/`: what the guard denied and no command has recorded yet, one small file each (docs/adr/0079).

The guard writes such a file and opens no ledger. It has no time to mask credentials, so the file is sealed: encrypted
and signed with keys that are derived from the home's view key. Whoever next opens the ledger to write masks and
records it, and removes the file (`actions/denials.py`). A file that another home sealed, or that somebody changed, is
not read.

    leave(".perdure", key, {"tool": "Bash", "reason": "…"})
    [(name, fields)] = waiting(".perdure", key)
"""

from __future__ import annotations

import os
from time import time_ns

from perdure.files import listing, make_folder, remove
from perdure.model.digest import blake2b
from perdure.model.json import compact_ascii, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from perdure.model.json import Json

FOLDER = "denied"
MOST = 500
"""How many files are read at once."""
_NONCE, _TAG, _BLOCK = 16, 16, 64
_LARGEST = 64 << 10


def folder_in(project_folder: str) -> str:
    return os.path.join(project_folder, FOLDER)


def leave(project_folder: str, key: bytes, fields: Mapping[str, Json]) -> None:
    folder = folder_in(project_folder)
    path = os.path.join(folder, f"{time_ns():020}-{os.getpid()}")
    content = _sealed(compact_ascii(dict(fields)).encode(), key)  # it may have a lone surrogate
    try:
        file = _created(path)
    except FileNotFoundError:
        make_folder(folder)
        file = _created(path)
    try:
        os.write(file, content)
    finally:
        os.close(file)


def _created(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def waiting(project_folder: str, key: bytes | None) -> list[tuple[str, dict[str, Json] | None]]:
    """The names of the files, oldest first, each with what it says; None if this home did not seal it."""
    folder = folder_in(project_folder)
    names = sorted(listing(folder))[:MOST]
    return [(name, _read(os.path.join(folder, name), key) if key else None) for name in names]


def take_away(project_folder: str, names: Iterable[str]) -> None:
    """Removes these files, and the folder if it is empty then."""
    folder = folder_in(project_folder)
    for name in names:
        remove(os.path.join(folder, name))
    try:
        os.rmdir(folder)
    except OSError:
        return  # the guard has written another one meanwhile


def _read(path: str, key: bytes) -> dict[str, Json] | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            content = os.read(file, _LARGEST)
        finally:
            os.close(file)
    except OSError:
        return None
    return _opened(content, key)


def _sealed(text: bytes, key: bytes) -> bytes:
    nonce = os.urandom(_NONCE)
    hidden = _crossed(text, key, nonce)
    return nonce + _tag(nonce + hidden, key) + hidden


def _opened(content: bytes, key: bytes) -> dict[str, Json] | None:
    nonce, tag, hidden = content[:_NONCE], content[_NONCE : _NONCE + _TAG], content[_NONCE + _TAG :]
    if len(tag) != _TAG or _tag(nonce + hidden, key) != tag:
        return None
    found = parse(_crossed(hidden, key, nonce).decode("utf-8", "replace"))
    return found if isinstance(found, dict) else None


def _crossed(text: bytes, key: bytes, nonce: bytes) -> bytes:
    """BLAKE2b in counter mode: the same function hides and shows."""
    stream = b"".join(
        blake2b(nonce + number.to_bytes(8, "big"), key=key, digest_size=_BLOCK, person=b"perdure-denied-c").digest()
        for number in range(len(text) // _BLOCK + 1)
    )[: len(text)]
    return (int.from_bytes(text, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(text), "big")


def _tag(text: bytes, key: bytes) -> bytes:
    return blake2b(text, key=key, digest_size=_TAG, person=b"perdure-denied-t").digest()
