"""Names in code: what a piece of text defines, and what it speaks of. By shape, in any language an agent edits."""

from __future__ import annotations

import re

_DEFINES = re.compile(
    r"\b(?:def|class|fn|func|fun|function|struct|enum|trait|interface|type|impl|module|macro_rules!|object|record|protocol|defp?)"
    r"\s+(?:\([^)]{0,60}\)\s*)?([A-Za-z_$][\w$]{2,60})"
)
_KEEPS = re.compile(r"\b(?:const|let|var|val|static)\s+(?:mut\s+)?([A-Za-z_$][\w$]{2,60})")
_SPOKEN = re.compile(
    r"""(?<![\\\w])(?: _?[a-z][a-z0-9]*(?:_[a-z0-9]+)+ | [A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+
        | [a-z]+(?:[A-Z][a-z0-9]+)+
        | [A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+ )\b""",
    re.X,
)
_QUOTED = re.compile(r"`([A-Za-z_][\w.:]{2,60})(?:\(\))?`")
_TESTS = re.compile(r"::(\w{3,})|\b(test_\w{3,80}|Test[A-Z]\w{2,80})\b")
_FILE = re.compile(r"\.(?:[a-z]{1,5}|json|yaml|toml|lock)(?::\d+)*$")
_HASH = re.compile(r"^[0-9a-f]{7,40}$")
_WORDS = frozenset(
    """self this true false none null return import from with assert print range list dict tuple string number
    boolean class function module object record static const type""".split()
)


def defined(text: str) -> list[str]:
    """Functions, types, tests."""
    return [name for name in _DEFINES.findall(text) if name.lower() not in _WORDS]


def kept(text: str) -> list[str]:
    """Constants and variables."""
    return [name for name in _KEEPS.findall(text) if name.lower() not in _WORDS]


def spoken(text: str) -> list[str]:
    return _SPOKEN.findall(text)


def quoted(text: str) -> list[str]:
    """What a person or an agent names in words: between backticks. Files and commits are no names."""
    found = _QUOTED.findall(text)
    return [name for name in found if not _FILE.search(name) and not _HASH.match(name) and name.lower() not in _WORDS]


def has_shape(name: str) -> bool:
    """Whether it looks like a name and not like a word: `total_in_cents`, `CartLine`, and not `main`."""
    return _SPOKEN.fullmatch(name) is not None


def tests(text: str) -> list[str]:
    return [one or other for one, other in _TESTS.findall(text)]
