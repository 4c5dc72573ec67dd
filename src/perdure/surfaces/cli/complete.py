"""Completes a command line: what the shells' scripts (`completion.py`) call for each press of the key (SPEC 17.7).

Prints lines of a word and, after a tab, what it is; or `:file` or `:folder`, which the shell completes itself. Prints
nothing rather than an error. The words come from `completion_table.py`, so that no command and no parser is loaded.

    candidates(["task", "show", "3f"])      # ids of tasks that begin so
"""

from __future__ import annotations

import os
import sys

from perdure.surfaces.cli import ALIASES, COMMANDS
from perdure.surfaces.cli.completion_table import PLACES, VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Offers = list[tuple[str, str]]

FILE, FOLDER = ":file", ":folder"
_SEPARATORS = ("=", ":")
"""Bash hands these over as words of their own."""


def run(words: list[str]) -> None:
    lines = [f"{word}\t{about}" if about else word for word, about in candidates(words)]
    sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode("utf-8", "replace"))
    sys.stdout.flush()


def candidates(words: list[str]) -> Offers:
    """`words`: those after `perdure`, the last one as far as it is typed."""
    *before, typed = [word for word in words if word not in _SEPARATORS] or [""]
    found = _after(before, typed)
    flag, equals, rest = typed.partition("=")
    if equals and flag.startswith("--"):
        return [(f"{flag}={word}", about) for word, about in _after([*before, flag], rest) if word.startswith(rest)]
    return [(word, about) for word, about in found if word.startswith((typed, FILE, FOLDER))]


def _after(before: list[str], typed: str) -> Offers:
    if before[:1] == ["help"]:
        return _after_help(before[1:])
    if not before:
        others = [(name, " ".join(words)) for name, words in ALIASES.items()] if typed else []
        return [*_commands(), ("help", "explain a command"), *others]
    words = [*ALIASES.get(before[0], (before[0],)), *before[1:]]
    if words[0] in VERBS and (len(words) == 1 or words[1] not in VERBS[words[0]]):
        return _verbs(words) if len(words) == 1 else []
    taken = 2 if words[0] in VERBS else 1
    place = PLACES.get(" ".join(words[:taken]))
    return _in_place(place, words[taken:], typed) if place else []


def _after_help(words: list[str]) -> Offers:
    if not words:
        return _commands()
    return _verbs(words) if len(words) == 1 else []


def _commands() -> Offers:
    return [(name, about) for name, (_, about) in COMMANDS.items()]


def _verbs(words: list[str]) -> Offers:
    return list(VERBS.get(words[0], {}).items())


def _in_place(place: tuple[dict[str, str], tuple[str, ...]], words: list[str], typed: str) -> Offers:
    """`place`: what each flag takes, and what each argument is."""
    flags, arguments = place
    given: list[str] = []
    awaited = ""
    for word in words:
        if awaited:
            awaited = ""
        elif word.startswith("-"):
            awaited = flags.get(word, "")
        else:
            given.append(word)
    if awaited:
        return _offers(awaited, given)
    if typed.startswith("-"):
        return [(flag, "") for flag in flags]
    if len(given) < len(arguments):
        return _offers(arguments[len(given)], given)
    return _offers(arguments[-1][:-1], given) if arguments and arguments[-1].endswith("*") else []


def _offers(what: str, given: list[str]) -> Offers:
    """`what`: `=a|b` for one of these words; `file`, `folder`, `text`; a setting, its value; a client; a kind of id."""
    what = what.removesuffix("*")
    if what.startswith("="):
        return [(word, "") for word in what[1:].split("|")]
    if what in ("file", "folder"):
        return [(":" + what, "")]
    if what == "setting":
        return _settings()
    if what == "client":
        from perdure.clients import REGISTERED

        return [(name, "") for name in REGISTERED]
    if what == "value":
        return _values(given[-1:])
    if what == "text" or (what == "note" and given[:1] not in (["close"], ["move"])):
        return []
    from perdure.actions.completing import ids

    found = ids(os.environ, os.getcwd(), what)
    return [*found, (FOLDER, "")] if what == "project" else found


def _settings() -> Offers:
    from perdure.settings import SETTINGS

    return [(key, setting.meaning) for key, setting in SETTINGS.items()]


def _values(keys: Iterable[str]) -> Offers:
    from perdure.settings import SETTINGS

    settings = [SETTINGS[key] for key in keys if key in SETTINGS]
    found = [each for setting in settings for each in setting.choices]
    is_switch = any(isinstance(setting.default, bool) for setting in settings)
    return [(each, "") for each in found or (("true", "false") if is_switch else ())]
