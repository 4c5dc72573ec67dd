"""hook: handles an event of a client; people do not type it (SPEC 6.2)."""

from __future__ import annotations

import sys

from perdure import clients
from perdure.surfaces.cli.command import Command, own_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import NoReturn

    from perdure.surfaces.cli.command import Arguments


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--client", metavar="NAME", default=clients.DEFAULT, help="before EVENT: the client whose event it is"
    )
    parser.add_argument("event", metavar="EVENT", help="; ".join(["the client's name for the event", *_events()]))
    parser.add_argument(
        "other_command",
        metavar="OTHER_COMMAND",
        nargs="?",
        default="",
        help="with statusLine: the command of another status line",
    )


def _events() -> list[str]:
    """What each client calls its events."""
    found = [(name, clients.with_hooks(name)) for name in clients.REGISTERED]
    return [f"{name} has {', '.join(client.EVENTS)}" for name, client in found if client]


def _run(arguments: Arguments) -> NoReturn:
    """`words` are unparsed: an unexpected word must not keep the guard from deciding."""
    from perdure.surfaces.hooks import run

    run(arguments.words, own_program() or sys.argv[0])


COMMANDS: dict[str, Command] = {
    "hook": Command(
        run=_run,
        flags=_flags,
        examples='echo \'{"tool_name": "Bash", "tool_input": {"command": "touch a"}}\' | perdure hook PreToolUse',
        about=(
            "Handles an event of a client, which runs this command with its JSON on standard input. Exits 0, or 1 if "
            "it failed; never 2, because a client would take that for a verdict."
        ),
    )
}
