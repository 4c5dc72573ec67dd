"""What argparse says about a wrong command line, in plain English, with the word that was probably meant (SPEC 17.7).

Loaded only for an error.
"""

from __future__ import annotations

import argparse
import re
from difflib import get_close_matches

from perdure.errors import BadInput
from perdure.model.ids import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_REQUIRED = "the following arguments are required: "
_PLAIN = (
    (re.compile(r"^argument "), ""),
    (re.compile(r": expected (?:one|at least one) argument$"), " needs a value"),
    (re.compile(r": expected (\d+) arguments$"), r" needs \1 values"),
    (re.compile(r"invalid (?:int|float) value: (.*)$"), r"\1 is not a number"),
    (re.compile(r": not allowed with argument (.*)$"), r" excludes \1"),
)
"""argparse's words, and ours."""


def nearest(typed: str, known: Iterable[str]) -> str:
    """The known word that was probably meant; "" if none resembles it."""
    near = get_close_matches(typed.lower(), list(known), n=1)
    return near[0] if near else ""


def of_parser(parser: argparse.ArgumentParser, message: str) -> BadInput:
    """The error for what argparse found."""
    if message.startswith(_REQUIRED):
        return _missing(parser, message.removeprefix(_REQUIRED).split(", "))
    for pattern, ours in _PLAIN:
        message = pattern.sub(ours, message)
    return _error(parser, f": {message}.", _help_of(parser))


def _missing(parser: argparse.ArgumentParser, names: list[str]) -> BadInput:
    first = next(each for each in parser._actions if names[0] in (each.metavar, each.dest, *each.option_strings))
    if first.choices:
        return _error(parser, f" needs a {_kind(first)}: {', '.join(map(str, first.choices))}.", _example_of(parser))
    *others, last = names
    told = f"{', '.join(others)} and {last} are missing" if others else f"{last} is missing"
    return _error(parser, f": {told}.", _example_of(parser))


def not_a_choice(parser: argparse.ArgumentParser, action: argparse.Action, given: str) -> BadInput:
    known = [str(each) for each in action.choices or ()]
    near = nearest(given, known)
    if action is verbs_of(parser):
        hint = f"Did you mean {parser.prog} {near}?" if near else _help_of(parser)
        return _error(parser, f" has no {_kind(action)} {shown(given)}, only: {', '.join(known)}.", hint)
    name = "/".join(action.option_strings) or str(action.metavar or action.dest)
    hint = f"Did you mean {near}?" if near else _help_of(parser)
    return _error(parser, f": {name}: {shown(given)} is not one of {', '.join(known)}.", hint)


def unknown_words(parser: argparse.ArgumentParser, unknown: list[str], verb: str | None) -> BadInput:
    """Flags that the command does not have, or more words than it takes."""
    verbs = verbs_of(parser)
    if verbs is not None and verb is not None:
        parser = verbs._name_parser_map[verb]
    flag = next((word for word in unknown if word.startswith("-")), None)
    if flag is None:
        takes_text = any(not each.option_strings and not each.choices for each in parser._actions)
        in_quotes = takes_text and unknown[0] != "help"
        hint = "Put a text of several words in quotes." if in_quotes else _help_of(parser)
        return _error(parser, f": {shown(unknown[0])} is one word too many.", hint, unknown=unknown[0])
    near = nearest(flag.partition("=")[0], _flags_of(parser))
    hint = f"Did you mean {near}?" if near else f"{parser.prog} --help lists the flags."
    return _error(parser, f": {shown(flag)} is unknown.", hint, unknown=flag)


def verbs_of(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[Any] | None:
    return next((each for each in parser._actions if isinstance(each, argparse._SubParsersAction)), None)


def _kind(chosen: argparse.Action) -> str:
    return str(chosen.metavar or chosen.dest).lower()


def _flags_of(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in parser._actions for option in action.option_strings if option.startswith("--")]


def _help_of(parser: argparse.ArgumentParser) -> str:
    return f"{parser.prog} --help shows examples."


def _example_of(parser: argparse.ArgumentParser) -> str:
    lines = (parser.epilog or "").splitlines()[1:]
    return f"For example: {lines[0].strip()}" if lines else _help_of(parser)


def _error(parser: argparse.ArgumentParser, what: str, hint: str, *, unknown: str | None = None) -> BadInput:
    """Without the program's name: the edge puts that before every error."""
    name = parser.prog.removeprefix("perdure ")
    details = {} if unknown is None else {"unknown": unknown[:60]}
    return BadInput("usage", f"{name}{what}", hint=hint, details=details)
