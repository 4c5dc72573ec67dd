"""Questions to a person, only if one is there (SPEC 6.1). They go to standard error: standard output is for answers."""

from __future__ import annotations

import sys


def is_somebody_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask(question: str, *, default: bool) -> bool:
    sys.stderr.write(f"{question} {'[Y/n]' if default else '[y/N]'} ")
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer:  # the end of input does not mean yes
        return False
    word = answer.strip().lower()
    return default if not word else word in ("y", "yes")
