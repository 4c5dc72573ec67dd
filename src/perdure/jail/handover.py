"""The guard prepares a jail, and the process that starts the command carries it out (SPEC 5.8; docs/adr/0092).

The guard has just found out that a command will run read-only. It leaves a file in Perdure's home with everything that
the jail needs, so that the next process need not find it out again, which costs twice as much as starting Python. A
file only ever says "run this one read-only, like so": without it, or in any doubt about it, the full way decides.

A file counts once, for a few seconds, for one command in one folder of one session with the same variables, while the
project's `.perdure` is as it was, and only with a digest that is keyed with the home's key. It imports little.

    leave(home, bound, prepared)       # the guard
    take(home, bound)                  # the process that starts the command: Prepared, or None
"""

from __future__ import annotations

import marshal
import posix
from time import CLOCK_BOOTTIME, clock_gettime_ns  # type: ignore[attr-defined,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "handover"
LIFETIME = 10_000_000_000
"""Nanoseconds: longer than a client takes from the guard to the start, shorter than a person takes to answer."""
_VERSION = 1
_DIGEST = 32
_PLACES = 64
"""So many files there can be. Two commands that get the same one take each other's place, and one goes the full way."""
_MOST = 1 << 20
_VARIABLES = (b"HOME", b"TMPDIR", b"PERDURE_HOME", b"PERDURE_INSTANCE", b"PERDURE_PROJECT")
_GATE = b"PERDURE_GATE_"


class Bound:
    """What a file is bound to."""

    def __init__(self, session: str, command: str, folder: bytes, environment: Mapping[bytes, bytes]) -> None:
        decisive = sorted(name for name in environment if name in _VARIABLES or name.startswith(_GATE))
        variables = tuple((name, environment[name]) for name in decisive)
        self.text = marshal.dumps((session, command, folder, variables), 2)


class Grant:
    """Like `plan.Grant`, for a process that must not import it."""

    def __init__(self, path: str, rights: int) -> None:
        self.path, self.rights = path, rights


class Prepared:
    """Like `plan.JailPlan`, with what may still be added to it and what else the command gets."""

    def __init__(self, record: tuple[int, int, int, int], grants: tuple[tuple[str, int], ...], program: bytes) -> None:
        self.landlock, self.handled, self.ports, self.scoped = record
        self.grants = tuple(Grant(path, rights) for path, rights in grants)
        self.program = program
        self.file_rights = 0
        """For the files that the command may write to because of how it is started."""
        self.temporary = b""
        """The TMPDIR that it gets; empty if it keeps its own."""
        self.watched = ""
        """The folder that must not change before the command is started."""

    def add_files(self, paths: tuple[str, ...]) -> None:
        self.grants += tuple(Grant(path, self.file_rights) for path in paths)


def leave(home: str, bound: Bound, prepared: Prepared) -> None:
    """Raises OSError if the home cannot be written. The command then goes the full way."""
    key = _key(home)
    folder = f"{home}/{FOLDER}"
    _make(folder)
    body = marshal.dumps(
        (
            _VERSION,
            clock_gettime_ns(CLOCK_BOOTTIME),
            bound.text,
            (prepared.landlock, prepared.handled, prepared.ports, prepared.scoped),
            tuple((grant.path, grant.rights) for grant in prepared.grants),
            prepared.program,
            prepared.file_rights,
            prepared.temporary,
            prepared.watched,
            _stamp(prepared.watched),
        ),
        2,
    )
    path = _path(home, bound)
    beside = f"{path}.{posix.getpid()}"
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_NOFOLLOW | posix.O_CLOEXEC
    file = posix.open(beside, flags, 0o600)
    try:
        posix.write(file, _digest(body, key) + body)
    finally:
        posix.close(file)
    posix.rename(beside, path)


def take(home: str, bound: Bound) -> Prepared | None:
    """None if there is no such file, it is not ours or too old, something changed since, or another process took it."""
    path = _path(home, bound)
    try:
        content = _read(path)
        posix.unlink(path)  # of two that read it, only one can remove it
        body = content[_DIGEST:]
        if len(content) >= _MOST or _digest(body, _key(home)) != content[:_DIGEST]:
            return None
        version, written, bound_to, record, grants, program, rights, temporary, watched, stamp = marshal.loads(body)
        age = clock_gettime_ns(CLOCK_BOOTTIME) - written
        if version != _VERSION or bound_to != bound.text or not 0 <= age <= LIFETIME or stamp != _stamp(watched):
            return None
    except (OSError, ValueError, EOFError, TypeError):
        return None
    prepared = Prepared(record, grants, program)
    prepared.file_rights, prepared.temporary, prepared.watched = rights, temporary, watched
    return prepared


def _path(home: str, bound: Bound) -> str:
    return f"{home}/{FOLDER}/{_hash(bound.text, b'')[0] % _PLACES}"


def _read(path: str) -> bytes:
    file = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC)
    try:
        return posix.read(file, _MOST)
    finally:
        posix.close(file)


def _key(home: str) -> bytes:
    """The key of `views/key.py`. Without one, a file would prove nothing."""
    key = bytes.fromhex(_read(f"{home}/keys/view.key").decode("ascii"))
    if len(key) != _DIGEST:
        raise ValueError("the home has no key")
    return key


def _digest(body: bytes, key: bytes) -> bytes:
    return _hash(body, key)


def _hash(content: bytes, key: bytes) -> bytes:
    from _blake2 import blake2b  # without hashlib, which loads OpenSSL

    found: bytes = blake2b(content, key=key, digest_size=_DIGEST, person=b"perdure-jail").digest()
    return found


def _stamp(folder: str) -> tuple[int, int, int]:
    """Opening a transaction, and every change of the project's settings, puts a file into `.perdure`."""
    found = posix.stat(folder)
    return found.st_dev, found.st_ino, found.st_mtime_ns


def _make(folder: str) -> None:
    try:
        posix.mkdir(folder, 0o700)
    except FileExistsError:
        return
