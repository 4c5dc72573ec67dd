"""pause: a person opens the gate here for a while (SPEC 5.1)."""

from __future__ import annotations

from perdure.actions import pausing
from perdure.actions.request import resolve_request
from perdure.actions.transaction_lookup import open_to_look
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.moment import local_time, now, stamp
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.output import duration, harmless
from perdure.surfaces.since import length_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.model.json import Json
    from perdure.place.pauses import Pause
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "duration", nargs="?", help="how long: 10m, 90s, 1h30m; without it: say whether the gate is paused"
    )
    parser.add_argument("--because", metavar="TEXT", default="", help="why; it is recorded and shown")
    parser.add_argument("--end", action="store_true", help="end the pause now")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    if arguments.end and arguments.duration:
        raise BadInput("usage", "Give a duration, or --end.", hint="perdure pause --end")
    if arguments.end:
        return _end(arguments)
    if arguments.duration:
        return _begin(arguments)
    with open_to_look(resolve_request(request(arguments))) as desk:
        found, name = pausing.current(desk.resolved, desk.root), desk.identity.name
    return Answer(_data(found), lambda style: _words(found, name, style))


def _begin(arguments: Arguments) -> Answer:
    length = length_of(arguments.duration)
    with open_desk(request(arguments)) as desk:
        made, name = pausing.pause(desk, length, because=arguments.because), desk.identity.name
    return Answer(_data(made), lambda style: _words(made, name, style))


def _end(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        ended, name = pausing.end(desk), desk.identity.name
    data: dict[str, Json] = {"paused": False, "pause_id": ended.id}
    return Answer(data, lambda style: f"{style('green', 'in force')}  the gate of {harmless(name)} denies again")


def _data(found: Pause | None) -> dict[str, Json]:
    if found is None:
        return {"paused": False}
    return {
        "paused": True,
        "pause_id": found.id,
        "until": stamp(found.until),
        "because": found.because or None,
        "project_path": found.root,
    }


def _words(found: Pause | None, name: str, style: Style) -> str:
    if found is None:
        return f"The gate of {harmless(name)} is not paused. perdure pause 10m pauses it for ten minutes."
    left = duration((found.until - now() + 500) / 1000)
    why = f"  {harmless(found.because)}" if found.because else ""
    first = f"{style('yellow', 'paused')}  the gate of {harmless(name)}, until {local_time(found.until)} ({left}){why}"
    rest = "It ends by itself; perdure pause --end ends it now. What only a person may do stays denied."
    return f"{first}\n{style('dim', rest)}"


COMMANDS: dict[str, Command] = {
    "pause": Command(
        run=_run,
        flags=_flags,
        examples="perdure pause 10m --because 'a rename by hand'\nperdure pause\nperdure pause --end",
        about="Opens the gate of this project for a while: agents may change things without a transaction. It ends by "
        "itself. Only for people.",
    )
}
