"""Finds names of code in a text: those that it defines and those that it mentions. It goes by the shape of the names,
so it works for any programming language."""

from __future__ import annotations

import re
from itertools import islice

from perdure.model.pattern import compiled_later

MOST = 200
"""At most so many names are taken from one text."""
_DEFINES = compiled_later(
    r"\b(?:def|class|fn|func|fun|function|struct|enum|trait|interface|type|impl|module|macro_rules!|object|record|protocol|defp?)"
    r"\s++(?:\([^)]{0,60}\)\s*+)?([A-Za-z_$][\w$]{2,60})"
)
_BEHIND_NAME = compiled_later(
    r"[ \t]{0,3}+(?:[^\w \t.,'’]|\Z|(?:struct|interface|func|extends|implements|for|where|is|as|inherits|"
    r"begin|do|int|string|map)\b)"
)
"""What stands behind a name that is defined; in a sentence, another word does."""
_DECLARING_WORDS = ("const", "let", "var", "val", "static")
_DECLARES = compiled_later(r"\b(?:const|let|var|val|static)\s++(?:mut\s++)?([A-Za-z_$][\w$]{2,60})")
_NAME_LIKE = compiled_later(
    r"""(?<![\\\w])(?: _?[a-z][a-z0-9]*(?:_[a-z0-9]+)+ | [A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*
        | [a-z]+(?:[A-Z][a-z0-9]+)+
        | [A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+ )\b""",
    re.X,
)
_QUOTED = compiled_later(r"`([A-Za-z_][\w.:]{2,60})(?:\(\))?`")
_TESTS = compiled_later(r"::(\w{3,})|\b(test_\w{3,80}|Test[A-Z]\w{2,80})\b")
_FILE = compiled_later(r"\.(?:[a-z]{1,5}|json|yaml|toml|lock)(?::\d+)*$")
_HASH = compiled_later(r"^[0-9a-f]{7,40}$")
_WORDS = frozenset(
    """self this true false none null return import from with assert print range list dict tuple string number
    boolean class function module object record static const type""".split()
)


_OF_EVERYONE = frozenset(
    """__init__ __main__ __name__ __str__ __repr__ __file__ __dirname toString to_string valueOf Some None Err Ok
    Self Box Vec Arc Option String PartialEq Clone Debug Default ValueError TypeError KeyError Exception Error
    Promise Object Array JSON std str mut new default isinstance hasattr getattr len int float bool dict factory
    when then returns GitHub JavaScript TypeScript PowerShell PostgreSQL macOS""".split()
)
"""Names of languages, their standard libraries and well-known products: they say nothing about this work."""


def is_of_everyone(name: str) -> bool:
    return name in _OF_EVERYONE


def defined(text: str, most: int = MOST) -> list[str]:
    """Functions, types and tests that the text defines, from its first `most` definitions."""
    return [found[1] for found in islice(_DEFINES.finditer(text), most) if _is_defined(found, text)]


def _is_defined(found: re.Match[str], text: str) -> bool:
    """Whether the word is a name, and not one of a sentence: "a function that returns", "the type of it"."""
    if found[1].lower() in _WORDS:
        return False
    return has_shape(found[1]) or not found[1].isalpha() or bool(_BEHIND_NAME.match(text, found.end()))


def declared(text: str, most: int = MOST) -> list[str]:
    """Constants and variables that the text declares. One with the name of an ordinary word is called so in many
    places."""
    if not any(word in text for word in _DECLARING_WORDS):
        return []
    found = [declared[1] for declared in islice(_DECLARES.finditer(text), most)]
    return [name for name in found if not (name.isalpha() and name.islower())]


def name_like(text: str, most: int = MOST) -> list[str]:
    """Words with the shape of a name."""
    return [found[0] for found in islice(_NAME_LIKE.finditer(text), most)]


def quoted(text: str) -> list[str]:
    """Names between backticks in prose. Files and commits do not count."""
    found = [name[1] for name in islice(_QUOTED.finditer(text), MOST)]
    return [name for name in found if not _FILE.search(name) and not _HASH.match(name) and name.lower() not in _WORDS]


def has_shape(name: str) -> bool:
    """Whether it looks like a name rather than a word: `total_in_cents` and `CartLine` do, `main` does not."""
    return _NAME_LIKE.fullmatch(name) is not None


def tests(text: str) -> list[str]:
    return [found[1] or found[2] for found in islice(_TESTS.finditer(text), MOST)]
