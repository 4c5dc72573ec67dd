"""A text as one word of a shell, as `shlex.quote` gives it. `shlex` imports `re`, which costs as much as a bare
interpreter needs to start.

    quote("it's here") == "'it'\\"'\\"'s here'"
"""

from __future__ import annotations

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")


def quote(text: str) -> str:
    if text and _SAFE.issuperset(text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"
