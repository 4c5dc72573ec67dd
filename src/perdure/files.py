"""Small files that others read: written whole or not at all, readable by their owner only (SPEC 4.1).

write_whole(path, "text")   # temporary file beside it, flush, rename
read_json(path)             # the JSON object, or None if the file is missing or holds something else
"""

from __future__ import annotations

import errno
import os
from stat import S_ISREG
from time import monotonic, sleep

from perdure.errors import BadInput, Refused, Trouble
from perdure.model.json import compact_bytes, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO, ClassVar

    from perdure.model.json import Json

_LARGEST_READ = 1 << 20
"""Bytes."""
_PATIENCE = 10.0
"""Seconds to wait for a lock."""
_SETTLING = 2.0
"""Seconds to wait for processes that hold a `RecordingMark`."""
_UNFINISHED = ".tmp"
_NO_SUCH_FILE = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENXIO)
"""Error numbers of opening what is not a file: nothing, a folder, a link to itself (ELOOP), a socket (ENXIO)."""


def write_whole(path: str, text: str, *, mode: int = 0o600, durable: bool = False) -> None:
    """With `durable`, the file is still under its name after a power cut; without it only the content is safe."""
    write_pieces(path, (text,), mode=mode, durable=durable)


def write_pieces(path: str, pieces: Iterable[str], *, mode: int = 0o600, durable: bool = False) -> None:
    """Like `write_whole`, but takes the content in pieces, so that it need not be in memory at once."""
    beside = unfinished(path)
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        try:
            with open(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.writelines(pieces)
                file.flush()
                os.fsync(descriptor)
            os.replace(beside, path)
        except BaseException:
            remove(beside)
            raise
        if durable:
            sync_folder(os.path.dirname(path))
    except OSError as error:
        raise trouble(error, path) from error


class NewFile:
    """A new file at a path that a person gave: `with NewFile(path) as file: file.write(b"…")`. It appears under its
    name only when it is complete, never replaces an existing file, and gets no more rights than both `mode` and the
    person's umask allow."""

    def __init__(self, path: str, *, mode: int = 0o600) -> None:
        self._path = path
        self._beside = unfinished(path)
        self._mode = mode

    def __enter__(self) -> BinaryIO:
        if os.path.lexists(self._path):
            raise self._taken()
        try:
            descriptor = os.open(self._beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, self._mode)
        except OSError as error:
            raise trouble(error, self._path) from error
        self._file = open(descriptor, "wb")
        return self._file

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        try:
            self._finish(is_whole=kind is None)
        except FileExistsError:
            raise self._taken() from None
        except OSError as failed:
            raise trouble(failed, self._path) from failed
        finally:
            remove(self._beside)
        if isinstance(error, OSError):
            raise trouble(error, self._path) from error

    def _finish(self, *, is_whole: bool) -> None:
        with self._file as file:
            if not is_whole:
                return
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(self._beside, self._path)
        except FileExistsError:
            raise
        except OSError:  # no hard links on this file system; each one has another error number for that
            if os.path.lexists(self._path):
                raise FileExistsError from None
            os.rename(self._beside, self._path)

    def _taken(self) -> BadInput:
        return BadInput("file_exists", f"{self._path} exists already.", hint="Name a new file.")


class ReservedSpace:
    """Disk space that is reserved for a file before a step that cannot be undone, so that the file surely fits after
    it. Then either `write_to` writes the file into the reserved space, or `release` frees the space."""

    def __init__(self, folder: str, size: int, mode: int = 0o600) -> None:
        self._beside = unfinished(os.path.join(folder, "reserved"))
        try:
            self._descriptor = os.open(self._beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
            try:
                os.write(self._descriptor, b" " * size)
                os.fsync(self._descriptor)
            except BaseException:
                self.release()
                raise
        except OSError as error:
            raise trouble(error, folder) from error

    def write_to(self, path: str, text: str) -> None:
        content = text.encode("utf-8", "surrogateescape")
        try:
            os.pwrite(self._descriptor, content, 0)
            os.ftruncate(self._descriptor, len(content))
            os.fsync(self._descriptor)
            os.close(self._descriptor)
            os.replace(self._beside, path)
            sync_folder(os.path.dirname(path))
        except OSError as error:
            raise trouble(error, path) from error

    def release(self) -> None:
        os.close(self._descriptor)
        remove(self._beside)


class FolderLock:
    """A lock on a folder that only one process has at a time: `with FolderLock(folder): …`. That process may take it
    again inside. The kernel releases it when the process dies. Others wait for it for at most `_PATIENCE` seconds: the
    process may have been stopped."""

    _entered: ClassVar[dict[str, tuple[int, int]]] = {}

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        depth, descriptor = self._entered.get(self._folder, (0, -1))
        self._entered[self._folder] = (depth + 1, descriptor if depth else self._lock())

    def __exit__(self, *_: object) -> None:
        depth, descriptor = self._entered.pop(self._folder)
        if depth > 1:
            self._entered[self._folder] = (depth - 1, descriptor)
        else:
            os.close(descriptor)

    def _lock(self) -> int:
        import fcntl

        try:
            descriptor = os.open(self._folder, os.O_RDONLY)
        except OSError as error:
            raise trouble(error, self._folder) from error
        deadline = monotonic() + _PATIENCE
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return descriptor
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EINTR) or monotonic() > deadline:
                    os.close(descriptor)
                    raise _busy(self._folder) from error
            sleep(0.002)


class RecordingMark:
    """Marks that something is being recorded: `with RecordingMark(path): …`. Several processes may do so at once; see
    `is_settled`. The kernel removes the mark when a process dies."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        import fcntl

        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_SH)
        except OSError as error:
            raise trouble(error, self._path) from error

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


def is_settled(path: str) -> bool:
    """Waits until no process is `RecordingMark` at this path, for at most `_SETTLING` seconds."""
    import fcntl

    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return True  # nothing was ever marked here
    deadline = monotonic() + _SETTLING
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except OSError:
                if monotonic() > deadline:
                    return False
            sleep(0.005)
    finally:
        os.close(descriptor)


def _busy(folder: str) -> Trouble:
    message = f"Another process has been writing in {folder} for {_PATIENCE:.0f} s."
    return Trouble("ledger_busy", message, hint="Try again; if it happens again, look for a stopped perdure process.")


def sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unfinished(path: str) -> str:
    """The name, in the same folder, of the file while it is incomplete. It is random as well: two containers that share
    a folder may have the same process number."""
    return f"{path}.{os.getpid()}.{os.urandom(4).hex()}{_UNFINISHED}"


def take_away_unfinished(folder: str, begun: str = "", beside: tuple[str, ...] = ()) -> list[str]:
    """Removes incomplete files that dead processes left behind, if their names begin so, and returns those names.
    `beside`: endings of other files that belong to an incomplete one and have its name."""
    endings = tuple(_UNFINISHED + ending for ending in ("", *beside))
    names = (name for name in listing(folder) if name.startswith(begun) and name.endswith(endings))
    found = [name for name in names if _is_abandoned(name)]
    for name in found:
        remove(os.path.join(folder, name))
    return found


def _is_abandoned(name: str) -> bool:
    pid = name.split(".")[-3:-2]  # see `unfinished`
    if not pid or not pid[0].isdecimal():
        return False
    try:
        os.kill(int(pid[0]), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False
    return False


def read_text(path: str) -> str | None:
    """The file's text, or None if there is no such file, or something else in its place. A file of ours is never larger
    than a MiB, so no more than that is read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # opening a pipe would block otherwise
        try:
            content = _content_of(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno in _NO_SUCH_FILE:
            return None
        raise trouble(error, path) from error
    text = None if content is None else content.decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n").replace("\r", "\n") if text and "\r" in text else text


def _content_of(descriptor: int) -> bytes | None:
    """Without a file object of Python's, which costs more than to read a small file: a hook reads some twenty."""
    found = os.fstat(descriptor)
    if not S_ISREG(found.st_mode):
        return None
    content = piece = os.read(descriptor, min(max(found.st_size + 1, 4096), _LARGEST_READ))
    while piece and len(content) < _LARGEST_READ:
        piece = os.read(descriptor, _LARGEST_READ - len(content))
        content += piece
    return content


def open_to_read(path: str) -> BinaryIO:
    """Whatever is not a file counts as not there. A pipe would block."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in _NO_SUCH_FILE:
            raise FileNotFoundError(errno.ENOENT, "It is not a file", path) from error
        raise
    if S_ISREG(os.fstat(descriptor).st_mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    raise FileNotFoundError(errno.ENOENT, "It is not a file", path)


def read_json(path: str) -> dict[str, Json] | None:
    """None also if the file does not hold a JSON object: an unreadable view or binding counts as missing. So does one
    with half a pair of surrogates, which no path and no digest could be made of."""
    try:
        text = read_text(path) or ""
        found = parse(text)
        if "\\u" in text:
            compact_bytes(found)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def name_for_path(path: str) -> str:
    """The name of a file in the home that is about this folder, with links resolved."""
    from perdure.model.digest import sha256

    return sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def make_folder(path: str, mode: int = 0o700) -> None:
    try:
        for missing in missing_folders(path):
            try:
                os.mkdir(missing, mode)
            except FileExistsError:
                continue  # another process made it at the same moment
    except OSError as error:
        raise trouble(error, path) from error


def make_own_folder(path: str, what: str) -> None:
    """Makes a folder in `.perdure` that only Perdure writes to, and refuses a link in its place: git may have brought
    it. `what` is written there, as the error says it."""
    if os.path.islink(path):
        raise Refused(
            "folder_borrowed",
            f"{path} is a link to {os.path.realpath(path)}, and {what} a folder of Perdure's own. Nothing was written.",
            hint="perdure heal sets the link aside, not what it leads to.",
            details={"path": path, "other": os.path.realpath(path)},
        )
    make_folder(path)


def missing_folders(path: str) -> list[str]:
    """The folders that do not exist yet, outermost first. `os.makedirs` would give its mode to the last one only."""
    found: list[str] = []
    while path and not os.path.isdir(path):
        found.insert(0, path)
        path = os.path.dirname(path)
    return found


def remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise trouble(error, path) from error


def listing(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        if error.errno in _NO_SUCH_FILE:
            return []
        raise trouble(error, folder) from error


def files_in(folder: str) -> list[str]:
    """The names of the plain files there; folders, links, pipes and the like are left out."""
    try:
        with os.scandir(folder) as found:
            return sorted(each.name for each in found if each.is_file(follow_symlinks=False))
    except OSError as error:
        if error.errno in _NO_SUCH_FILE:
            return []
        raise trouble(error, folder) from error


def is_no_file(error: OSError) -> bool:
    """Whether opening failed because there is no file there, not because it cannot be read now."""
    return error.errno in _NO_SUCH_FILE


def way_in(path: str) -> str:
    """What gives this user access to a file: a command if what is closed is this user's own."""
    closed = _what_is_closed(os.path.abspath(path))
    if not closed:
        return "Give this user access to it, then try again."
    if os.stat(closed).st_uid != os.geteuid():
        return f"{closed} belongs to another user: give this one access to it, then try again."
    from shlex import quote

    return f"To open what is closed: chmod u+rwX {quote(closed)}"


def _what_is_closed(path: str) -> str:
    """The file, or the topmost folder above it, that keeps this user out; empty if nothing does."""
    folders = [path[:at] or "/" for at, sign in enumerate(path) if sign == "/"]
    there = [each for each in folders if os.path.isdir(each)]
    shut = [each for each in there if not _may_use(each, os.X_OK)]
    last = [path] if os.path.exists(path) else []
    unwritable = [each for each in (*last, *there[-1:]) if not _may_use(each, os.R_OK | os.W_OK)]
    return next(iter((*shut, *unwritable)), "")


def _may_use(path: str, rights: int) -> bool:
    found = os.stat(path)
    is_ours = found.st_uid == os.geteuid()
    return (found.st_mode >> 6 if is_ours else os.access(path, rights) and rights) & rights == rights


def trouble(error: OSError, path: str) -> Trouble:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Trouble("disk_full", f"The disk of {path} is full.", hint="Free some space, then try again.")
    if error.errno == errno.EROFS:
        return Trouble("read_only", f"{path} is on a read-only disk.", hint="Mount it writable, then try again.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return Trouble("read_only", f"This user may not read or write {path}.", hint=way_in(path))
    return Trouble("disk_failed", f"{path}: {error.strerror or error}.", hint="Check the path and the disk.")
