"""The environment that this process was started with, for a program that takes its place."""

from __future__ import annotations

import posix


def given_environment() -> dict[bytes, bytes]:
    """The environment that this process was started with. Python adds to its own, as LC_CTYPE."""
    try:
        pairs = [each.partition(b"=") for each in _content("/proc/self/environ").split(b"\0")]
    except OSError:
        return dict(posix.environ)  # type: ignore[arg-type,unused-ignore]
    return {name: content for name, is_set, content in pairs if is_set}


def _content(path: str) -> bytes:
    file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    pieces = []
    try:
        while piece := posix.read(file, 1 << 16):
            pieces.append(piece)
    finally:
        posix.close(file)
    return b"".join(pieces)
