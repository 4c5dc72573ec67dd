"""mcp: serves the tools and resources of Perdure to a client that starts this command (SPEC 15.1)."""

from __future__ import annotations

import gc

from perdure.actions.request import resolve_request
from perdure.surfaces.cli.command import Answer, Command, place_flags, request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.surfaces.cli.command import Arguments


def _run(arguments: Arguments) -> Answer:
    resolve_request(request(arguments))  # fails at once if a named place does not exist, not in every answer
    gc.disable()  # the SDK stays loaded until the end; scanning it for garbage is slow
    from perdure.surfaces.mcp.server import run_stdio  # slow to load, and only needed here

    gc.freeze()
    gc.enable()
    run_stdio(arguments)
    return Answer(None, lambda _: "")


COMMANDS: dict[str, Command] = {
    "mcp": Command(
        run=_run,
        flags=place_flags,
        examples="perdure mcp\nclaude mcp add perdure -- perdure mcp   # perdure init does this for Claude Code",
        about=(
            "Serves Perdure's tools over standard input and output. A client of the Model Context Protocol starts it. "
            "It finds project and pane like any other command."
        ),
    )
}
