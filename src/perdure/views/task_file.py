"""The file of tasks that Perdure shares with beads: found inside the project, read whole, and replaced only if it still
is what was read (SPEC 7.2).

Others write the file too, and know nothing of our locks. So the new file and the old one change places in one step, and
then the old one is looked at: if somebody wrote to it in between, they change places again and nothing is lost.

    path = located(root, None)
    with locked(path):
        content = read(path, most)
        replaced(path, content, new)      False if somebody else wrote meanwhile
"""

from __future__ import annotations

import os
from shlex import quote

from perdure.errors import BadInput, Refused, Trouble
from perdure.files import FolderLock, make_folder, open_to_read, remove, take_away_unfinished, trouble, unfinished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = ".beads"
NAME = "issues.jsonl"
_OTHER = ".other"
_EXCHANGE = 2
"""RENAME_EXCHANGE of renameat2(2), and RENAME_SWAP of macOS's renamex_np(2)."""
_HERE = -100
"""AT_FDCWD on Linux: a path is relative to the working directory."""


def usual_path(root: str) -> str:
    return os.path.join(root, FOLDER, NAME)


def is_there(root: str) -> bool:
    """Whether the project uses beads."""
    return os.path.lexists(usual_path(root))


def located(root: str, named: str | None) -> str:
    """The file's path without links. A path inside the project that leads out of it is refused: a repository that
    somebody else wrote must not choose which other file is read or written."""
    path = os.path.abspath(named) if named else usual_path(root)
    real = os.path.realpath(path)
    if _is_inside(path, root) and not _is_inside(real, os.path.realpath(root)):
        raise Refused(
            "outside_project",
            f"{path} leads out of the project, to {real}. Nothing was read or written.",
            hint="Replace the link by a file, or name the file itself.",
        )
    return real


def _is_inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def name_of(root: str, path: str) -> str:
    """How the file is called in the record: relative to the project, if it is in it."""
    real = os.path.realpath(root)
    return os.path.relpath(path, real) if _is_inside(path, real) else path


def locked(path: str) -> FolderLock:
    """Keeps other processes of Perdure away. The folder is made if there is none."""
    make_folder(os.path.dirname(path))
    return FolderLock(os.path.dirname(path))


def read(path: str, most: int) -> bytes | None:
    """The file's bytes, or None if there is no such file."""
    if os.path.lexists(path) and not os.path.isfile(path):
        raise BadInput(
            "no_task_file",
            f"{path} is not a file. Nothing was changed.",
            hint=f"A person looks at what it is, and moves it away: mv {quote(path)} {quote(path)}.away",
        )
    try:
        with open_to_read(path) as file:
            content = file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise trouble(error, path) from error
    if len(content) > most:
        raise BadInput(
            "tasks_too_large",
            f"{path} has more than {most} bytes, the most that are read. Nothing was changed.",
            hint="Split the file.",
        )
    return content


def replaced(path: str, expected: bytes | None, new: bytes, *, mode: int = 0o644) -> bool:
    """Puts the new content in the file's place if the file still has the expected content; False if it has not. `mode`
    is that of a new file."""
    take_away_unfinished(os.path.dirname(path), os.path.basename(path))
    beside = unfinished(path)
    try:
        _write(beside, new, path, mode=mode)
        if _read_now(path) != expected:
            return False
        return _first(beside, path) if expected is None else _exchanged(beside, path, expected=expected, new=new)
    except OSError as error:
        raise trouble(error, path) from error
    finally:
        remove(beside)


def _exchanged(beside: str, path: str, *, expected: bytes, new: bytes) -> bool:
    exchange = _exchange_function()
    if exchange is None or not exchange(beside, path):
        os.replace(beside, path)
        return True
    if _read_now(beside) == expected:
        return True
    exchange(beside, path)
    if _read_now(beside) != new:
        os.replace(beside, path + _OTHER)
        raise _written_meanwhile(path, path + _OTHER)
    return False


def _first(beside: str, path: str) -> bool:
    """The file is new; False if somebody else made it meanwhile."""
    try:
        os.link(beside, path)
    except FileExistsError:
        return False
    except OSError:  # no hard links on this file system; each one has another error number for that
        if os.path.lexists(path):
            return False
        os.rename(beside, path)
    return True


def _write(beside: str, new: bytes, path: str, *, mode: int) -> None:
    """A file that is there keeps its rights."""
    if os.path.exists(path):
        mode = os.stat(path).st_mode & 0o777
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with open(descriptor, "wb") as file:
        os.fchmod(descriptor, mode)
        file.write(new)
        file.flush()
        os.fsync(descriptor)


def _read_now(path: str) -> bytes | None:
    try:
        with open_to_read(path) as file:
            return file.read()
    except FileNotFoundError:
        return None


def _written_meanwhile(path: str, beside: str) -> Trouble:
    return Trouble(
        "tasks_busy",
        f"Another program is writing {path}. What it wrote last is also in {beside}.",
        hint="Compare the two files, delete the second, then try again.",
    )


def _exchange_function() -> Callable[[str, str], bool] | None:
    """A function that makes two files change places in one step, if this system has one."""
    try:
        from ctypes import CDLL, c_char_p, c_int, c_uint

        library = CDLL(None, use_errno=True)
        rename = getattr(library, "renameat2", None)
        if rename is not None:
            rename.argtypes = (c_int, c_char_p, c_int, c_char_p, c_uint)
            return lambda a, b: rename(*(_HERE, os.fsencode(a), _HERE, os.fsencode(b), _EXCHANGE)) == 0
        swap = getattr(library, "renamex_np", None)
        if swap is not None:
            swap.argtypes = (c_char_p, c_char_p, c_uint)
            return lambda a, b: swap(os.fsencode(a), os.fsencode(b), _EXCHANGE) == 0
    except (ImportError, OSError):
        return None
    return None
