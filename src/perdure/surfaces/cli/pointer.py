"""pointer: set, list, remove (SPEC 10.2)."""

from __future__ import annotations

from perdure.actions import pointers
from perdure.actions.wiring import open_desk
from perdure.model.payload import PointerSet
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.output import one_line, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.pointers import ExternalPointer
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _set_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="the integration, in one word; a pointer of that name is replaced")
    parser.add_argument("value", help="what it points to: a project, an id")
    parser.add_argument("--command", metavar="TEXT", required=True, help="what reactivates it in a new context")


def _remove_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="the pointer")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "set": ("register a pointer for this lineage", _set_flags),
            "list": ("list the pointers of this lineage", lambda _: None),
            "remove": ("forget a pointer", _remove_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"set": _set, "list": _list, "remove": _remove}[arguments.verb](arguments)


def _set(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        found = pointers.add(desk, PointerSet(arguments.name, arguments.value, arguments.command))
    return Answer(found.data, lambda style: _line("set", found, style))


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = pointers.listed(desk)
    rows: list[Json] = [each.data for each in found]

    def text(style: Style) -> str:
        shown = [[one_line(each.name), one_line(each.value), one_line(each.command)] for each in found]
        return table(shown, ["pointer", "to", "reactivated by"], style) if shown else "no pointers in this lineage"

    return Answer(rows, text)


def _remove(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        found = pointers.remove(desk, arguments.name)
    return Answer(found.data, lambda style: _line("removed", found, style))


def _line(done: str, found: ExternalPointer, style: Style) -> str:
    return f"{style('green', done)}  {one_line(found.name)} → {one_line(found.value)}: {one_line(found.command)}"


COMMANDS: dict[str, Command] = {
    "pointer": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure pointer set serena shop --command 'serena activate shop'\n"
            "perdure pointer list\nperdure pointer remove serena"
        ),
        about=(
            "A pointer names what another tool, such as an MCP server, keeps for this work. The agent is given the "
            "command that reactivates it when a session starts, and after a compaction that lost it."
        ),
    )
}
