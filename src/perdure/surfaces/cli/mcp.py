"""mcp: the tools and resources of Perdure for a client that starts its servers itself (SPEC 15.1)."""

from __future__ import annotations

import gc

from perdure.actions.request import resolve_request
from perdure.surfaces.cli.command import Answer, Command, place_flags, request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.surfaces.cli.command import Arguments


def _run(arguments: Arguments) -> Answer:
    resolve_request(request(arguments))  # a place that was named and is none is said at once, not in every answer
    gc.disable()  # the SDK stays until the end; to look through it for garbage is a quarter of its loading
    from perdure.surfaces.mcp.server import run_stdio  # only who serves pays for it

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
            "Serves Perdure's tools over standard input and output, for a client of the Model Context Protocol. The "
            "client starts it; whoever it is, the place is found as for any command."
        ),
    )
}
