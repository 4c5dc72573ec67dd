"""Translates a Go (RE2) regular expression, as gitleaks writes them, into an equal Python one.

Invariants: the result is compiled with ``re.ASCII`` (RE2's classes are ASCII). A construct that this
module does not know raises ``ValueError``; it is never dropped, because a rule that silently matches
less lets a secret be stored.

Use: ``re.compile(to_python(rule["regex"]), re.ASCII)``

What differs between the two languages, and is handled here:

* ``(?i)`` in the middle of a pattern holds in Go until the end of the enclosing group, across
  ``|``. Python only takes it at the very start, for everything. It becomes ``(?i:…)``, closed
  before each ``|`` and opened again behind it: ``a(?i)b|c`` is ``a(?i:b)|(?i:c)``.
* ``$`` is the end of the text in Go; Python's also matches before a last newline. ``\\z`` is ``\\Z``.
* POSIX classes, ``\\Q…\\E``, ``\\x{…}``, ``(?<name>…)`` and a literal ``{`` are written differently.
"""

from __future__ import annotations

import re

_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_FLAGS = re.compile(r"\(\?([ims]*)(?:-([ims]+))?([:)])")
_NAMED = re.compile(r"\(\?P?<(\w+)>")
_REPEAT = re.compile(r"\{\d+(?:,\d*)?\}")
_HEX = re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}")


class _Scope:
    """One open group: what the inline flags inside it have opened, and whether ``$`` matches at each line's end."""

    __slots__ = ("multiline", "opened")

    def __init__(self, multiline: bool) -> None:
        self.multiline = multiline
        self.opened: list[str] = []


def to_python(pattern: str) -> str:
    """The Python spelling of a Go pattern; raises ValueError for a construct that we do not know."""
    out: list[str] = []
    scopes = [_Scope(False)]
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at = _escape(pattern, at, out)
        elif char == "[":
            at = _char_class(pattern, at, out)
        elif char == "(":
            at = _open(pattern, at, out, scopes=scopes)
        else:
            at = _plain(pattern, at, out, scopes=scopes)
    if len(scopes) != 1:
        raise ValueError("unclosed group")
    out.append(")" * len(scopes[0].opened))
    return "".join(out)


def _plain(pattern: str, at: int, out: list[str], *, scopes: list[_Scope]) -> int:
    char = pattern[at]
    scope = scopes[-1]
    if char == ")":
        if len(scopes) == 1:
            raise ValueError("unopened group")
        out.append(")" * len(scope.opened) + ")")
        scopes.pop()
    elif char == "|":
        out.append(")" * len(scope.opened) + "|" + "".join(scope.opened))
    elif char == "$":
        out.append("$" if scope.multiline else r"\Z")
    elif char == "{":
        repeat = _REPEAT.match(pattern, at)
        out.append(repeat.group() if repeat else r"\{")
        return repeat.end() if repeat else at + 1
    else:
        out.append(char)
    return at + 1


def _open(pattern: str, at: int, out: list[str], *, scopes: list[_Scope]) -> int:
    multiline = scopes[-1].multiline
    if not pattern.startswith("(?", at):
        out.append("(")
        scopes.append(_Scope(multiline))
        return at + 1
    named = _NAMED.match(pattern, at)
    if named:
        out.append(f"(?P<{named.group(1)}>")
        scopes.append(_Scope(multiline))
        return named.end()
    flags = _FLAGS.match(pattern, at)
    if not flags:
        raise ValueError(f"unknown group {pattern[at : at + 6]!r}")
    on, off, close = flags.groups()
    multiline = (multiline or "m" in on) and "m" not in (off or "")
    opening = f"(?{on}{'-' + off if off else ''}:"
    out.append(opening)
    if close == ":":
        scopes.append(_Scope(multiline))
    else:  # the flags hold until the enclosing group ends
        scopes[-1].opened.append(opening)
        scopes[-1].multiline = multiline
    return flags.end()


def _escape(pattern: str, at: int, out: list[str]) -> int:
    following = pattern[at + 1 : at + 2]
    if not following or following in "pPCK":
        raise ValueError(f"unknown escape {pattern[at : at + 2]!r}")
    if following == "Q":
        end = pattern.find(r"\E", at + 2)
        end = len(pattern) if end < 0 else end
        out.append(re.escape(pattern[at + 2 : end]))
        return end + 2
    wide = _HEX.match(pattern, at)
    if wide:
        out.append(re.escape(chr(int(wide.group(1), 16))))
        return wide.end()
    out.append(r"\Z" if following == "z" else pattern[at : at + 2])
    return at + 2


def _char_class(pattern: str, at: int, out: list[str]) -> int:
    out.append("[")
    at += 1
    if pattern.startswith("^", at):
        out.append("^")
        at += 1
    first = True
    while first or not pattern.startswith("]", at):
        char = pattern[at : at + 1]
        if not char:
            raise ValueError("unclosed character class")
        if pattern.startswith("[:", at):
            at = _posix(pattern, at, out)
        elif char == "\\":
            at = _escape(pattern, at, out)
        else:
            # Python reserves these for set operations, and a first "]" is a literal in Go.
            out.append("\\" + char if char in "[]&|~" else char)
            at += 1
        first = False
    out.append("]")
    return at + 1


def _posix(pattern: str, at: int, out: list[str]) -> int:
    end = pattern.find(":]", at)
    members = _POSIX.get(pattern[at + 2 : end]) if end > 0 else None
    if members is None:
        raise ValueError(f"unknown class {pattern[at : at + 12]!r}")
    out.append(members)
    return end + 2
