"""undo: take back a note, decision, goal or task change by recording that (SPEC 17.6)."""

from __future__ import annotations

from perdure.actions import undoing
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.ids import short
from perdure.surfaces.cli.command import Answer, Command, common, limit_flag, request
from perdure.surfaces.output import local_date, one_line, table
from perdure.surfaces.record_data import change_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="what to take back; the id of an undo brings back what it took")
    parser.add_argument("--list", action="store_true", help="show what can be taken back, the next one first")
    limit_flag(parser, about="with --list: how many, newest first")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    if not arguments.list:
        with open_desk(request(arguments)) as desk:
            change = undoing.undo(desk, arguments.id)
        return Answer(change_data(change), lambda style: _told(change, style))
    if arguments.id is not None:
        raise BadInput("usage", "--list takes no id.", hint="perdure undo --list")
    with open_desk(request(arguments), writable=False) as desk:
        found = undoing.listed(desk, arguments.limit)

    def text(style: Style) -> str:
        if not found:
            return "nothing to take back at this place"
        rows = [[short(each.id), _kind(each), local_date(each.ts), one_line(each.text)] for each in found]
        return table(rows, ["change", "kind", "when", "text"], style)

    return Answer([change_data(each) for each in found], text)


def _told(change: undoing.TakenBack, style: Style) -> str:
    said = "counts again" if change.is_restored else "taken back"
    other = "takes it back." if change.is_restored else "brings it back."
    first = f"{style('green', said)}  {_kind(change)} {short(change.id)}  {one_line(change.text)}"
    return f"{first}\nperdure undo {short(change.undo_id)}  {other}" if change.undo_id else first


def _kind(change: undoing.TakenBack) -> str:
    """As the log calls it: `note`, not `note.question`; the text says which kind of note it is."""
    return change.kind.partition(".")[0]


COMMANDS: dict[str, Command] = {
    "undo": Command(
        run=_run,
        flags=_flags,
        examples="perdure undo\nperdure undo --list\nperdure undo 3f2a91c4",
        about="Takes back your last note, decision, goal or task change here. Nothing is erased.",
    ),
}
