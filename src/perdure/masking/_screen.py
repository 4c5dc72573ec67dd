"""Owns: the first stage – saying in a few microseconds that a text cannot hold a secret.

Invariants: the answer "no" is final. It is final by construction, not by luck: the second stage
(`_find`) drops every finding that neither touches a *dense run* nor shows a *hint* itself, and

* a dense run is a property of a whole run of characters, so it is one in the text, too;
* a hint is a property of some characters somewhere, so a text that contains them has it, too.

So a text without dense runs and hints has no finding, whatever the rules are or become.

A **dense run** is 14 or more of ``[A-Za-z0-9_.+/~-]`` that do not read as names and numbers
(``FIRST_STAGE_LIMIT``, ``appendEvent``, ``test_v2.py``). All bare keys are of this kind.
A **hint** is the beginning of one of our own shapes that find short secrets by what stands
before them: ``password =``, ``--token``, ``://…@``.

Use: ``if not may_hold_secret(text): return text``
"""

from __future__ import annotations

import re

_RUN_CHARS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+/~-"
_AS_RUNS = bytes(ord("x") if byte in _RUN_CHARS else ord(" ") for byte in range(256))

SHORTEST_RUN = 14  # below are words, dates and numbers; the shortest bare keys have 18
_LONG = b"x" * SHORTEST_RUN
_RUN = re.compile(rf"[A-Za-z0-9_.+/~-]{{{SHORTEST_RUN},}}+")

# A whole run that reads as names and numbers: every part between the signs must. Words in camel
# case have three small letters, since random ones change case at every second, so hardly any key
# passes; words end at 24 and capitals at 15, since keys do not; the shortest kinds of keys that
# might pass for names all the same are told by how they begin.
_NAMES = re.compile(
    rb"""[a-z_.+/~-]++(?![A-Z0-9])
    | [_.+/~-]*+
    (?:(?!gl[a-z]{2,6}-\w|A3-[A-Z])
       (?: [a-z]{1,24}+ | [A-Z]{1,15}+(?!__) | [A-Z]?[a-z]{3,24}+(?:[A-Z][a-z]{3,24}+)*+[A-Z]?
         | [A-Z]?[a-z]{3,12}+(?:[A-Z][a-z]{3,12}+)*+\d{1,4} | [A-Za-z]{1,2}\d{1,3} | \d{1,4} )(?![A-Za-z0-9])
       [_.+/~-]*+
    )*+(?![A-Za-z0-9])""",
    re.VERBOSE,
)

# What follows the name of a credential when its value does, too: `="x"`, `=x`, `: x1`, ` is x1`.
_NAME_ENDS = r"[\w.-]{0,24}+[\"'\\\]) \t]{0,4}+"
_SAID = r"(?:is|was)[ \t:]{1,3}(?:[\"'`]|\S{0,40}\d)|value=|(?<=[ \t]['\"])[^\s\"')\]]"
_GIVEN = rf"{_NAME_ENDS}(?:[=:>]\s{{0,3}}\\{{0,3}}[\"'`]|=[^\s=]|[=:>]\s{{0,5}}\S{{0,40}}\d|{_SAID})"
_GIVEN_PASSWORD = rf"{_NAME_ENDS}(?:[=:>]|{_SAID})"

# Each starts with a letter or two that are rare in prose: the engine skips to them at full speed,
# where one alternation of all the words would try every position.
_HINTS = (
    re.compile(
        rf"k(?:(?:en(?<=token)|ey){_GIVEN}|ie(?<=cookie)[\"']?\s{{0,3}}:|ind[\"']?\s{{0,3}}:\s{{0,3}}[\"']?secret)",
        re.ASCII,
    ).search,
    re.compile(rf"p(?:ass|wd){_GIVEN_PASSWORD}", re.ASCII).search,
    re.compile(rf"cr(?:et(?<=secret)|ed){_GIVEN}", re.ASCII).search,
    re.compile(rf"auth(?:orization[\"'\\]{{0,4}}\s{{0,3}}[=:]|{_GIVEN})", re.ASCII).search,
    re.compile(r"login\s{1,8}\S{1,128}\s{1,8}password\s", re.ASCII).search,  # .netrc
)
# For a first look at a name: every credential's holds one of these.
may_name_credential = re.compile(r"pass|pwd|secret|token|key|authorization|cookie|credential", re.IGNORECASE).search
_LONG_OPTION = r"-[a-z-]{0,30}(?:pass|pwd|token|secret|key|auth|cred|user)|----begin[ a-z0-9_-]{0,100}private"
_OPTION = re.compile(rf"-(?:{_LONG_OPTION}|(?P<short>[pu])(?<=\s-[pu]))", re.ASCII).search
_TAKES_SHORT_OPTIONS = ("curl", "sshpass", "mysql", "mariadb", "docker", "podman")


def may_hold_secret(text: str) -> bool:
    """Whether the second stage has to look at the text; no means there is nothing."""
    raw = text.encode("utf-8", "surrogatepass")
    runs = raw.translate(_AS_RUNS)
    start = runs.find(_LONG)
    while start >= 0:
        names = _NAMES.match(raw, start)
        if not names:
            return True
        start = runs.find(_LONG, names.end())
    # Lower-casing bytes leaves all but ASCII alone; as Latin-1 it is searched fastest.
    return has_hint(raw.lower().decode("latin-1"))


def dense_runs(text: str) -> list[tuple[int, int]]:
    """The dense runs of the text, as spans in order."""
    return [found.span() for found in _RUN.finditer(text) if is_dense(found.group())]


def is_dense(run: str) -> bool:
    """Whether a run of SHORTEST_RUN or more run characters reads as a key rather than as names."""
    return not _NAMES.match(run.encode("ascii"))


def is_uuid_or_digest(text: str) -> bool:
    """Whether the text is nothing but a UUID, a commit or a checksum in hex."""
    if not 32 <= len(text) <= 128 or text.strip("0123456789abcdefABCDEF-"):
        return False
    return "-" not in text or (len(text) == 36 and text[8] == text[13] == text[18] == text[23] == "-")


def lowered(text: str) -> str:
    """The text as has_hint wants it: ASCII in lower case, the rest as UTF-8 bytes."""
    return text.encode("utf-8", "surrogatepass").lower().decode("latin-1")


def has_hint(low: str) -> bool:
    """Whether a lowered text holds the beginning of one of our own shapes."""
    if "@" in low and "://" in low:
        return True
    for hint in _HINTS:
        if hint(low):
            return True
    if "'" in low and " by '" in low:  # SQL: identified by '…'
        return True
    option = _OPTION(low)
    if option and option["short"]:
        if any(command in low for command in _TAKES_SHORT_OPTIONS):
            return True
        option = re.compile(f"-(?:{_LONG_OPTION})", re.ASCII).search(low, option.end())
    return bool(option)
