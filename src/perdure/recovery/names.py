"""Names in code: what a piece of text defines, and what it speaks of. By shape, in any language an agent edits."""

from __future__ import annotations

import re

_DEFINES = re.compile(
    r"\b(?:def|class|fn|func|function|struct|enum|trait|interface|type|impl|module|macro_rules!|object|record|protocol|"
    r"const|let|var|val|static)\s+(?:\([^)]{0,60}\)\s*)?([A-Za-z_$][\w$]{2,60})"
)
_SPOKEN = re.compile(
    r"""\b(?: [a-z][a-z0-9]*(?:_[a-z0-9]+)+ | [A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+ | [a-z]+(?:[A-Z][a-z0-9]+)+ )\b""",
    re.X,
)
_QUOTED = re.compile(r"`([A-Za-z_][\w.:]{2,60})(?:\(\))?`")
_TESTS = re.compile(r"::(\w+)|\b(test_\w{3,80}|Test[A-Z]\w{2,60})\b")
_WORDS = frozenset(
    """self this true false none null return import from with assert print range list dict tuple string number
    boolean""".split()
)


def defined(text: str) -> list[str]:
    return [name for name in _DEFINES.findall(text) if name.lower() not in _WORDS]


def spoken(text: str) -> list[str]:
    return _SPOKEN.findall(text)


def quoted(text: str) -> list[str]:
    """What a person or an agent names in words: between backticks."""
    return _QUOTED.findall(text)


def tests(text: str) -> list[str]:
    return [one or other for one, other in _TESTS.findall(text)]
