"""Finds the model's command in the text that a client starts a shell with. It imports nothing: every command pays.

    read("… && eval 'ls' < /dev/null && pwd -P >| /tmp/claude-1f-cwd", MARKERS)  →  ("ls", "/tmp/claude-1f-cwd")

`markers` are five texts: what stands before the command, what may stand after it, what stands before the name of the
client's own file, and how that name begins and ends.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Markers: TypeAlias = tuple[str, str, str, str, str]

_LONGEST_NAME = 40
_QUOTED_QUOTE = '"\'"'
_UNQUOTED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-~^")
"""What a shell reads as it is in a word without quotes."""


def read(text: str, markers: Markers) -> tuple[str | None, str] | None:
    """The command, or None in its place if it is not understood, and the client's own file, or an empty text. None if
    the text does not look like a start of the model's command at all."""
    evaluates, no_input, tells_folder, begins, ends = markers
    _, found, rest = text.partition(evaluates)
    body, told, named = rest.rpartition(tells_folder)
    if not found or not told:
        return None
    return unquoted(body.removesuffix(no_input)), _own_file(named, begins, ends)


def unquoted(text: str) -> str | None:
    """The one word that a shell reads, if it is written only with '…' and "'", or wholly without quotes."""
    if not text.startswith("'"):
        return text if text and _UNQUOTED.issuperset(text) else _without_backslashes(text)
    found = ""
    while text:
        if text.startswith(_QUOTED_QUOTE):
            found, text = found + "'", text[len(_QUOTED_QUOTE) :]
            continue
        inside, closed, after = text[1:].partition("'")
        if not text.startswith("'") or not closed:
            return None
        found, text = found + inside, after
    return found


def _without_backslashes(text: str) -> str | None:
    found, signs = "", iter(text)
    for sign in signs:
        if sign == "\\":
            sign = next(signs, "\n")
            if sign == "\n":  # it would go on in the next line
                return None
        elif sign not in _UNQUOTED:
            return None
        found += sign
    return found or None


def _own_file(named: str, begins: str, ends: str) -> str:
    """The file for the folder that the shell ends in, if it has the client's own name."""
    path = unquoted(named)
    name = (path or "").rpartition("/")[2]
    is_own = name.startswith(begins) and name.endswith(ends) and len(name) < _LONGEST_NAME
    return path if path and is_own and path.startswith("/") and "/../" not in path else ""
