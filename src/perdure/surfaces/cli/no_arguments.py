"""The arguments of a command that was typed without any, found without argparse. Loading argparse and building a parser
costs as much as starting the interpreter, and `perdure status` is run all day.

    default_arguments(command)      # None if the command needs some: the parser then says which
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from perdure.surfaces.cli.command import Arguments, Command


class Given:
    """Is read as what argparse gives."""


class _NeedsWords(Exception):
    """It has verbs, or something that must be given."""


class _Defaults:
    """Takes what a command tells the parser about its flags, and keeps their defaults."""

    def __init__(self) -> None:
        self.given = Given()

    def add_argument(self, *names: str, **said: Any) -> None:
        if said.get("required") or not (names[0].startswith("-") or said.get("nargs") in ("?", "*")):
            raise _NeedsWords
        long = next((name for name in names if name.startswith("--")), names[0])
        name = said.get("dest") or long.lstrip("-").replace("-", "_")
        default = said.get("default", False if said.get("action") == "store_true" else None)
        if default is None and said.get("nargs") == "*" and not names[0].startswith("-"):
            default = []
        setattr(self.given, name, default)

    def add_argument_group(self, *_: Any, **__: Any) -> _Defaults:
        return self

    def add_mutually_exclusive_group(self, *, required: bool = False) -> _Defaults:
        if required:
            raise _NeedsWords
        return self

    def set_defaults(self, **said: Any) -> None:
        for name, default in said.items():
            setattr(self.given, name, default)

    def add_subparsers(self, **_: Any) -> Any:
        raise _NeedsWords

    @property
    def epilog(self) -> None:
        raise _NeedsWords


def default_arguments(command: Command) -> Arguments | None:
    found = _Defaults()
    try:
        command.flags(found)  # type: ignore[arg-type]
    except _NeedsWords:
        return None
    return found.given  # type: ignore[return-value]
