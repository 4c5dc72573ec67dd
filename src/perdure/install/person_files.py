"""Reads and changes a person's files: every byte, links and modes are kept (SPEC 19).

`read` gives the text; `put` writes the whole file or nothing, and only if the file is still what was read. Otherwise it
raises `ChangedSinceRead`, and the caller reads the file again.
"""

from __future__ import annotations

import os
from stat import S_IMODE, S_ISREG

from perdure.errors import Refused
from perdure.files import make_folder, take_away_unfinished, trouble, unfinished

LARGEST = 16 << 20
_TEXT = ("utf-8", "surrogateescape")


class ChangedSinceRead(Exception):
    """The file has changed since it was read."""


def read(path: str) -> str | None:
    """The whole file as text, with its line ends; None if it does not exist."""
    try:
        descriptor = os.open(
            path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
        )  # opening a pipe with that name would block
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise trouble(error, path) from error
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Refused("settings_odd", f"{path} is not a file. Nothing was changed.", hint="Move it out of the way.")
    with open(descriptor, "rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Refused(
            "settings_odd", f"{path} is larger than 16 MiB. Nothing was changed.", hint="Look at what it contains."
        )
    return content.decode(*_TEXT)


def put(path: str, before: str | None, after: str | None, *, mode: int = 0o644) -> None:
    """A link stays, and the file it points to is written. A new file gets `mode` minus the umask; an old one keeps its
    mode."""
    real = os.path.realpath(path)
    try:
        if after is None:
            _refuse_changed(real, before)
            take_away_unfinished(os.path.dirname(real), os.path.basename(real) + ".")
            os.unlink(real)
        else:
            _written(real, before, after, mode=mode)
    except OSError as error:
        raise trouble(error, path) from error


def _written(real: str, before: str | None, after: str, *, mode: int) -> None:
    take_away_unfinished(os.path.dirname(real), os.path.basename(real) + ".")
    beside = unfinished(real)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(after.encode(*_TEXT))
            _as_it_was(descriptor, real)
            file.flush()
            os.fsync(descriptor)
        _refuse_changed(real, before)
        os.replace(beside, real)
    except BaseException:
        os.unlink(beside)
        raise


def _as_it_was(descriptor: int, real: str) -> None:
    """Keeps its mode; and its owner, if root installs for another user."""
    try:
        old = os.stat(real)
    except FileNotFoundError:
        return
    os.fchmod(descriptor, S_IMODE(old.st_mode))
    if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()) and os.geteuid() == 0:
        os.fchown(descriptor, old.st_uid, old.st_gid)


def _refuse_changed(real: str, before: str | None) -> None:
    if read(real) != before:
        raise ChangedSinceRead(real)


def make_folders(path: str) -> None:
    """Makes the folders above a file. Others may read them, as far as the person's umask allows that."""
    make_folder(os.path.dirname(path), mode=0o777)


def remove_empty(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except OSError:  # it is gone, or holds other files: both are fine
        return False
    return True
