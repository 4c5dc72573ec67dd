"""The key for the digests in views. They show whether a view was changed or written by somebody else (SPEC 4.1).

The key is in the home, outside every repository, so that no repository can bring a transaction file that opens the
gate. If the home has no key and cannot be written, the key is derived from facts that a repository cannot know: this
machine, this user, and this folder (docs/adr/0023).
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import make_folder, read_text, write_whole

_LENGTH = 64
"""Hexadecimal digits."""


def existing_key(home: str, project_folder: str) -> bytes | None:
    """The key, for reading; None if nothing was ever signed."""
    found = _read(_path(home))
    if found or can_be_written(home):
        return found
    return derived_key(project_folder)


def view_key(home: str, project_folder: str) -> bytes:
    """The key, made on first use."""
    path = _path(home)
    found = _read(path)
    if found:
        return found
    made = os.urandom(_LENGTH // 2).hex()
    try:
        make_folder(os.path.dirname(path))
        _write_first(path, made)
    except Trouble:
        return derived_key(project_folder)
    return _read(path) or bytes.fromhex(made)


def _path(home: str) -> str:
    return os.path.join(home, "keys", "view.key")


def can_be_written(home: str) -> bool:
    folder = os.path.dirname(_path(home))
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK)


def derived_key(project_folder: str) -> bytes:
    from perdure.model.digest import blake2b

    where = os.stat(project_folder)
    machine = read_text("/etc/machine-id") or ""
    text = f"{machine}\n{os.getuid()}\n{where.st_dev}\n{where.st_ino}"
    return blake2b(text.encode(), digest_size=_LENGTH // 2, person=b"perdure-view").digest()


def _read(path: str) -> bytes | None:
    try:
        text = (read_text(path) or "").strip()
        return bytes.fromhex(text) if len(text) == _LENGTH else None
    except (ValueError, Trouble):
        return None


def _write_first(path: str, text: str) -> None:
    """Writes the key unless there is one: of several processes that make it at the same moment, the first wins."""
    beside = f"{path}.{os.getpid()}"
    write_whole(beside, text + "\n")
    try:
        os.link(beside, path)
    except FileExistsError:
        if _read(path) is None:  # incomplete or damaged: whatever it signed cannot be checked any more
            _put_over(beside, path)
    except OSError as error:
        raise Trouble("read_only", f"{path} cannot be written.") from error
    finally:
        if os.path.exists(beside):
            os.unlink(beside)


def _put_over(beside: str, path: str) -> None:
    try:
        os.replace(beside, path)
    except OSError as error:  # there is a folder of that name
        raise Trouble("read_only", f"{path} cannot be written.") from error
