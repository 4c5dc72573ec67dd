"""hook: what a client runs on its events; nobody types it (SPEC 6.2)."""

from __future__ import annotations

import sys

from perdure.surfaces.cli.command import Answer, Command, own_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "SessionEnd",
    "statusLine",
)


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("event", choices=EVENTS, metavar="EVENT", help=f"one of {', '.join(EVENTS)}")
    parser.add_argument("beside", nargs="?", default="", help="with statusLine: the command of another status line")


def _run(arguments: Arguments) -> Answer:
    from perdure.surfaces.hooks import main

    code = main([arguments.event, arguments.beside], own_program() or sys.argv[0])
    return Answer(None, lambda _: "", exit_code=code)


COMMANDS: dict[str, Command] = {
    "hook": Command(
        _run,
        _flags,
        'echo \'{"tool_name": "Bash", "tool_input": {"command": "touch a"}}\' | perdure hook PreToolUse',
        "What a client runs on its events, with the client's JSON on standard input. Exits 0, or 1 where it failed; "
        "never 2, which a client would take for a verdict.",
    )
}
