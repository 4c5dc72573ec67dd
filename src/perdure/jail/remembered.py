"""What was found out about how a client's commands run here, kept for the next command (docs/adr/0140).

Most commands of a session run alike: read-only, with the same scratch folders, because no transaction is open. To find
that out takes longer than to start Python. So what the answer was made of is kept beside it: the environment, the
working directory, and a stamp of each file that was looked at. If one of them differs, all is found out again.

Invariants: only "read-only, without network" is kept, never that a command may run as it is. A file here can make a
command run read-only and give it the folders it names; it is in Perdure's home, which no command in the jail can write.
This module imports little: every command pays.

    known = recall("/home/me/.perdure/shell/claude-code", environment)
    known and known.covers("ls | head")
"""

from __future__ import annotations

import marshal
import posix
import sys

from perdure.jail.grants import Grant, JailPlan
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Stamp: TypeAlias = tuple[int, ...] | None
    Watched: TypeAlias = tuple[tuple[str, bool, Stamp], ...]
    Listed: TypeAlias = tuple[tuple[str, str, bool, tuple[str, ...]], ...]

MARK = b"PERDURE_READONLY"
"""Set for whatever runs in the jail."""
FOLDER = "plans"
"""Beside the program that the client starts its shells with."""
_FORMAT = 1
_WITHOUT_REFERENCES = 2
"""A version of `marshal` in which equal values always have equal bytes."""
_PLACES = 61
"""Files are named by a number below this, so that they do not become more and more."""
_MOST = 1 << 20


@value
class KnownJail:
    """A plan, and for which commands it is right."""

    plan: JailPlan
    temporary: str
    """What TMPDIR must name; empty if it stays as it is."""
    markers: tuple[str, str, str, str, str]
    """How the client writes a command (`model/shell_start.py`)."""
    names: tuple[str, ...]
    """A command with one of these texts in it may run otherwise: it is looked at each time."""
    programs: frozenset[str]
    """The same for these words."""

    def covers(self, command: str) -> bool:
        return not any(name in command for name in self.names) and self.programs.isdisjoint(words_of(command))


def words_of(command: str) -> set[str]:
    """The words of a command without the folders of programs, as far as that can be told without reading it."""
    for sign in ";|&()`\n\"'":
        command = command.replace(sign, " ")
    return {word.rpartition("/")[2] for word in command.split()}


def stamp(path: str, *, with_time: bool) -> Stamp:
    """What changes if the file at this path is changed or exchanged; None if there is none. `with_time` is false for a
    folder of which only counts that it is the same one."""
    try:
        found = posix.stat(path)
    except OSError:
        return None
    same = found.st_dev, found.st_ino, found.st_mode, found.st_uid
    return (*same, found.st_size, found.st_mtime_ns, found.st_ctime_ns) if with_time else same


def names_in(folder: str, prefix: str, *, folders: bool) -> tuple[str, ...]:
    """The names in a folder that begin so; with `folders`, only of folders that are not links."""
    try:
        with posix.scandir(folder) as entries:
            found = [
                each.name
                for each in entries
                if each.name.startswith(prefix) and (not folders or each.is_dir(follow_symlinks=False))
            ]
    except OSError:
        return ()
    return tuple(sorted(found))


def folders_in(folder: str) -> list[str]:
    """The paths of the folders in a folder, without links."""
    return [f"{folder.rstrip('/')}/{name}" for name in names_in(folder, "", folders=True)]


def recall(program: str, environment: Mapping[bytes, bytes]) -> KnownJail | None:
    """What was kept for commands that are started like this one, by this program of the client's; None if nothing was,
    or if anything that it was made of is different now."""
    key = _key(program, environment)
    try:
        was, watched, listed, rest = marshal.loads(_content(_path(program, key)))
        if was != key or any(stamp(path, with_time=timed) != seen for path, timed, seen in watched):
            return None
        if any(names_in(folder, prefix, folders=only) != names for folder, prefix, only, names in listed):
            return None
        (landlock, handled, ports, scoped, grants, filter_), temporary, markers, names, programs = rest
    except (OSError, ValueError, EOFError, TypeError):
        return None
    plan = JailPlan(
        landlock=landlock,
        handled=handled,
        ports=ports,
        scoped=scoped,
        grants=tuple(Grant(*grant) for grant in grants),
        program=filter_,
    )
    return KnownJail(plan=plan, temporary=temporary, markers=markers, names=names, programs=programs)


def keep(
    program: str, environment: Mapping[bytes, bytes], known: KnownJail, *, watched: Watched, listed: Listed
) -> None:
    """If it cannot be kept, the next command finds it out again."""
    key = _key(program, environment)
    plan = known.plan
    grants = tuple((grant.path, grant.rights, grant.is_folder) for grant in plan.grants)
    made_of = plan.landlock, plan.handled, plan.ports, plan.scoped, grants, plan.program
    rest = made_of, known.temporary, known.markers, known.names, known.programs
    content = key, watched, listed, rest
    path = _path(program, key)
    beside = f"{path}.{posix.getpid()}"
    try:
        _make_folder(path.rpartition("/")[0])
        file = posix.open(beside, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW, 0o600)
        try:
            posix.write(file, marshal.dumps(content))
        finally:
            posix.close(file)
        posix.replace(beside, path)
    except OSError:
        return


def _key(program: str, environment: Mapping[bytes, bytes]) -> bytes:
    """What tells the commands of one client, in one folder, from others. It is a digest, because credentials are in the
    environment."""
    from _blake2 import blake2b  # without hashlib, which loads OpenSSL

    system, _, *kernel = posix.uname()
    try:
        folder = posix.getcwdb()
    except OSError:
        folder = b""
    here = stamp(".", with_time=False)
    whose = posix.getuid(), posix.getgid(), posix.getppid()
    where = program, folder, here, whose, sorted(environment.items())
    whole = marshal.dumps((_FORMAT, sys.version, system, kernel, where), _WITHOUT_REFERENCES)
    found: bytes = blake2b(whole, digest_size=32, person=b"perdure-jail").digest()
    return found


def _path(program: str, key: bytes) -> str:
    return f"{program.rpartition('/')[0]}/{FOLDER}/{int.from_bytes(key, 'little') % _PLACES}"


def _content(path: str) -> bytes:
    file = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC)
    try:
        return posix.read(file, _MOST)
    finally:
        posix.close(file)


def _make_folder(path: str) -> None:
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return
