"""run: runs a command and keeps what it proved (SPEC 10.6)."""

from __future__ import annotations

import argparse
import sys

from perdure.actions import running
from perdure.errors import BadInput
from perdure.surfaces.cli.command import Answer, Command, common, request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.surfaces.cli.command import Arguments


def _flags(parser: argparse.ArgumentParser) -> None:
    common(parser)
    parser.add_argument("--junit", metavar="FILE", help="JUnit XML that the command writes: a file or a folder")
    parser.add_argument("--scenario", metavar="NAME", help="the scenario that this test verifies")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="COMMAND", help="after --: the command and its arguments"
    )


def _run(arguments: Arguments) -> Answer:
    words = arguments.words[1:] if arguments.words[:1] == ["--"] else arguments.words
    if not words:
        raise BadInput("usage", "There is no command to run.", hint="perdure run -- pytest -q")
    ran = running.run(request(arguments), words, junit=arguments.junit, scenario=arguments.scenario)
    for line in ran.told:
        print(f"perdure: {line}", file=sys.stderr)
    return Answer(None, lambda _: "", exit_code=ran.exit_code)


COMMANDS: dict[str, Command] = {
    "run": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure run -- pytest -q\nperdure run --junit report.xml -- pytest --junitxml report.xml\n"
            "perdure run --scenario 'empty cart' -- pytest -k empty_cart"
        ),
        about=(
            "Runs a command as it is, without a shell, and records its exit code, the report of its tests and the hash "
            "of the work tree before and after it. Its output and its exit code are the command's own; what Perdure "
            "has to say goes to standard error."
        ),
    )
}
