"""The parser of a command's words, from argparse. Loading that costs half as much as starting the interpreter, so a
command without flags is not parsed by it (`no_arguments.py`)."""

from __future__ import annotations

import argparse

from perdure.surfaces.cli.command import EXAMPLES, PLACE_FLAGS, common
from perdure.surfaces.output import terminal_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from perdure.surfaces.cli.command import Arguments, Command


_WIDEST = 100
"""Columns of a help text."""


class Help(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal. argparse makes one of these for every flag; without a width, each asks the terminal,
    which costs 3 ms, so only the first one does."""

    _columns_of_terminal = 0

    def __init__(self, prog: str) -> None:
        if not Help._columns_of_terminal:
            Help._columns_of_terminal = min(_WIDEST, terminal_width())
        super().__init__(prog, width=Help._columns_of_terminal, max_help_position=30)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Examples stay as they are: a person copies them."""
        if text.startswith(EXAMPLES):
            return text
        return "\n".join(_filled(line, width, indent, more=_deeper(line)) for line in text.splitlines())

    def _format_usage(self, *parts: Any) -> str:
        """argparse puts the flags below each other to the right of the command, which may leave them no room."""
        text = super()._format_usage(*parts)
        if all(len(line) <= self._width for line in text.splitlines()):
            return text
        return _filled(" ".join(text.split()), self._width, more="    ") + "\n\n"


def _deeper(line: str) -> str:
    """What a folded line goes on with: below an indented one, a deeper indentation."""
    blanks = len(line) - len(line.lstrip())
    return " " * (blanks + 2) if blanks else ""


def _filled(text: str, width: int, indent: str = "", *, more: str = "") -> str:
    from textwrap import fill

    return fill(
        text, width, initial_indent=indent, subsequent_indent=more, break_long_words=False, break_on_hyphens=False
    )


class CommandParser(argparse.ArgumentParser):
    """A usage error is reported like any other error: with a hint, and as JSON if JSON was asked for."""

    def error(self, message: str) -> NoReturn:
        from perdure.surfaces.cli import usage_errors

        raise usage_errors.of_parser(self, message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        from perdure.surfaces.cli import usage_errors

        if value == "help" and action is usage_errors.verbs_of(self):
            self.print_help()
            raise SystemExit(0)
        raise usage_errors.not_a_choice(self, action, str(value))

    def parse_all(self, words: list[str]) -> Arguments:
        """Names an unknown word, and the flag that was probably meant."""
        given, unknown = self.parse_known_args(_flags_first(self, words))
        if not unknown:
            return given
        from perdure.surfaces.cli import usage_errors

        raise usage_errors.unknown_words(self, unknown, getattr(given, "verb", None))


class VerbParser(CommandParser):
    """The parser of one verb, made when something is asked of it: a command line names one verb of up to twelve, and
    to make the parsers of the others took four times as long as all the rest."""

    def __init__(self, *, flags: Callable[[argparse.ArgumentParser], None], **given: Any) -> None:
        self._not_made_yet = (flags, given)

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there: before the parser is made, any of its fields."""
        if "_not_made_yet" not in self.__dict__:
            raise AttributeError(name)
        flags, given = self.__dict__.pop("_not_made_yet")
        super().__init__(**given)
        flags(self)
        common(self)
        return getattr(self, name)


def _flags_first(parser: argparse.ArgumentParser, words: list[str]) -> list[str]:
    """Flags may come anywhere: between the arguments and, if every verb has them, before the verb. argparse wants the
    arguments together and the verb first."""
    below = next((each for action in parser._actions if (each := getattr(action, "_name_parser_map", None))), None)
    if below is None:
        return _sorted(words, {name: _values(action) for name, action in parser._option_string_actions.items()})
    flags = {"--json": 0, **dict.fromkeys(PLACE_FLAGS, 1)}
    at = 0
    while at < len(words) and words[at].partition("=")[0] in flags:
        at += 1 + (0 if "=" in words[at] else flags[words[at]])
    if at >= len(words) or words[at] not in below:
        return words
    return [words[at], *_flags_first(below[words[at]], words[:at] + words[at + 1 :])]


def _values(action: argparse.Action) -> int:
    return action.nargs if isinstance(action.nargs, int) else 1


def _sorted(words: list[str], flags: dict[str, int]) -> list[str]:
    """Each known flag with its values, then the other words. After `--` nothing is a flag."""
    first: list[str] = []
    others: list[str] = []
    at = 0
    while at < len(words) and words[at] != "--":
        known = flags.get(words[at].partition("=")[0])
        end = at + 1 + (0 if known is None or "=" in words[at] else known)
        (others if known is None else first).extend(words[at:end])
        at = end
    return [*first, *others, *words[at:]]


def parser_for(name: str, command: Command) -> CommandParser:
    parser = CommandParser(
        prog=f"perdure {name}",
        description=command.about,
        epilog=f"{EXAMPLES}\n" + "\n".join(f"  {line}" for line in command.examples.strip().splitlines()),
        formatter_class=Help,
        allow_abbrev=False,
    )
    command.flags(parser)
    return parser


def help_text(parser: argparse.ArgumentParser, words: list[str]) -> str:
    """The help of the command, or of the verb that the first word names."""
    verbs = next((each for each in parser._actions if isinstance(each, argparse._SubParsersAction)), None)
    if verbs is None or not words:
        return parser.format_help()
    parser._check_value(verbs, words[0])
    below: argparse.ArgumentParser = verbs.choices[words[0]]
    return below.format_help()
