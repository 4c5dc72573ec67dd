"""readonly: runs a command that can change nothing (SPEC 5.8)."""

from __future__ import annotations

import argparse
import sys

from perdure.actions import readonly
from perdure.actions.gating import Gate
from perdure.actions.request import resolve_request
from perdure.errors import BadInput
from perdure.surfaces.cli.command import Answer, Command, place_flags, request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.surfaces.cli.command import Arguments


def _flags(parser: argparse.ArgumentParser) -> None:
    place_flags(parser)
    parser.add_argument("--network", action="store_true", help="let it connect to other machines")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="COMMAND", help="after --: the command and its arguments"
    )


def _run(arguments: Arguments) -> Answer:
    """Returns only if there is no such command: otherwise the command takes this process's place."""
    words = arguments.words[1:] if arguments.words[:1] == ["--"] else arguments.words
    if not words:
        raise BadInput("usage", "There is no command to run.", hint="perdure readonly -- ./configure --help")
    gate = Gate(resolve_request(request(arguments)))
    try:
        readonly.run(gate, words, network=arguments.network)
    except OSError as error:
        print(f"perdure: {words[0]}: {error.strerror}", file=sys.stderr)
        is_missing = isinstance(error, FileNotFoundError)
        return Answer(None, lambda _: "", exit_code=readonly.NOT_FOUND if is_missing else readonly.NOT_RUNNABLE)


COMMANDS: dict[str, Command] = {
    "readonly": Command(
        run=_run,
        flags=_flags,
        examples="perdure readonly -- ./configure --help\nperdure readonly --network -- npm outdated",
        about=(
            "Runs a command as it is, without a shell, so that the kernel refuses whatever it would change: files "
            "outside the temporary folders, modes and times, other processes, and, without --network, any connection. "
            "Its output and its exit code are the command's own. If the kernel cannot do that, the exit code is 126 "
            "and the command is not run."
        ),
    )
}
