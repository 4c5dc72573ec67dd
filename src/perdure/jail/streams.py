"""Which files a command in the jail may write to because of how it was started. It imports little: every command pays.

output_files()     # ("/proc/self/fd/1",) if standard output goes to a file
"""

from __future__ import annotations

import posix

_STREAMS = (0, 1, 2)
_WRITES = posix.O_WRONLY | posix.O_RDWR
_KIND_OF_FILE, _REGULAR = 0o170000, 0o100000


def output_files() -> tuple[str, ...]:
    """The files behind our standard streams that are open to write: `/dev/stdout` opens them again."""
    return tuple(f"/proc/self/fd/{number}" for number in _STREAMS if _is_open_to_write(number))


def _is_open_to_write(number: int) -> bool:
    try:
        if posix.fstat(number).st_mode & _KIND_OF_FILE != _REGULAR:
            return False
        from fcntl import F_GETFL, fcntl

        return bool(fcntl(number, F_GETFL) & _WRITES)
    except OSError:
        return False


def clients_file(path: str) -> tuple[str, ...]:
    """The client's own file, made here if it is missing: in the jail it can be written, but not made. It says that the
    folder is the same, as the client concludes if a command fails and there is no file."""
    if not path:
        return ()
    try:
        file = posix.open(path, posix.O_RDWR | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600)
        try:
            if posix.fstat(file).st_size == 0:
                posix.write(file, posix.getcwdb() + b"\n")
        finally:
            posix.close(file)
    except OSError:
        return ()
    return (path,)
