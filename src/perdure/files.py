"""Small files that others read: written whole or not at all, readable by their owner only (SPEC 4.1).

write_whole(path, "text")   # temporary file beside it, flush, rename
read_json(path)             # the object, or None where there is none or it is not one
"""

from __future__ import annotations

import errno
import os
from json import JSONDecoder

from perdure.errors import Trouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json

_MOST = 1 << 20
_DECODER = JSONDecoder()


def write_whole(path: str, text: str, *, mode: int = 0o600) -> None:
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
        try:
            with open(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
                file.flush()
                os.fsync(descriptor)
            os.replace(beside, path)
        except BaseException:
            remove(beside)
            raise
    except OSError as error:
        raise trouble(error, path) from error


def read_text(path: str) -> str | None:
    """The file's text, or None where there is no such file. More than a MiB is not a file of ours."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_MOST)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise trouble(error, path) from error


def read_json(path: str) -> dict[str, Json] | None:
    """None also for a file that is not a JSON object: views and bindings are only believed where they can be read."""
    try:
        found = _DECODER.decode(read_text(path) or "")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def make_folder(path: str) -> None:
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise trouble(error, path) from error


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
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise trouble(error, folder) from error


def trouble(error: OSError, path: str) -> Trouble:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Trouble("disk_full", f"No room left on the disk of {path}.", hint="Free some space, then try again.")
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return Trouble("read_only", f"{path} cannot be written by this user or lies on a read-only disk.")
    return Trouble("disk_failed", f"{path}: {error.strerror or error}.", hint="Check the path and the disk.")
