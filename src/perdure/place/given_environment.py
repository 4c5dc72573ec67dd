"""The environment that this process was started with, for a program that takes its place."""

from __future__ import annotations

import os


def given_environment() -> dict[bytes, bytes]:
    """The environment that this process was started with. Python adds to its own, as LC_CTYPE."""
    try:
        with open("/proc/self/environ", "rb") as file:
            pairs = [each.partition(b"=") for each in file.read().split(b"\0")]
    except OSError:
        return dict(os.environb)
    return {name: content for name, is_set, content in pairs if is_set}
