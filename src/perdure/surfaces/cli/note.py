"""note, finding: record a short text for later sessions (SPEC 7.6)."""

from __future__ import annotations

import os

from perdure.actions import note_moves, notes
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.ids import short, shown
from perdure.model.payload import NOTE_KINDS
from perdure.surfaces.cli.command import Answer, Command, common, limit_flag, request, task_of
from perdure.surfaces.output import local_date, one_line, path_for_people, table
from perdure.surfaces.record_data import note_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    kinds = "; ".join(f"{kind}: {meaning}" for kind, meaning in NOTE_KINDS.items())
    parser.add_argument(
        "kind",
        choices=[*NOTE_KINDS, "close", "move", "list"],
        metavar="KIND",
        help=f"{kinds}; or close, move to another project, list",
    )
    parser.add_argument("text", nargs="?", help="the note's text; with close and move, its id; with list, a kind")
    parser.add_argument("--because", metavar="TEXT", help="with close: what settled it")
    parser.add_argument("--to", metavar="PROJECT", help="with move: the project it was meant for: its path, name or id")
    parser.add_argument("--task", metavar="ID", help="the task it belongs to")
    limit_flag(parser, about="with list: how many, newest first")
    common(parser)


def _finding_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="what was found")
    parser.add_argument("--task", metavar="ID", help="the task it belongs to")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    if arguments.kind == "list":
        return _list(arguments)
    if arguments.because is not None and arguments.kind != "close":
        raise BadInput(
            "usage", "--because belongs to close: it says what settled the note.", hint="Put the reason into the text."
        )
    if arguments.to is not None and arguments.kind != "move":
        raise BadInput(
            "usage", "--to belongs to move: it names the other project.", hint="perdure note move ID --to PROJECT"
        )
    if arguments.kind in _WITH_ID:
        return _with_id(arguments)
    if arguments.text is None:
        raise BadInput("usage", "The note has no text.", hint=f"perdure note {arguments.kind} 'what to keep'")
    return _add(arguments, arguments.kind)


_WITH_ID = ("close", "move")


def _with_id(arguments: Arguments) -> Answer:
    if arguments.text is None:
        raise BadInput(
            "usage", f"note {arguments.kind} needs the id of a note.", hint=f"{notes.LISTED_BY} shows the ids."
        )
    return _close(arguments) if arguments.kind == "close" else _move(arguments)


def _finding(arguments: Arguments) -> Answer:
    return _add(arguments, "finding")


def _add(arguments: Arguments, kind: str) -> Answer:
    task = task_of(arguments.task)
    with open_desk(request(arguments)) as desk:
        note = notes.add(desk, kind, arguments.text, task_id=task)
    return Answer(note_data(note), lambda style: f"{style('bold', kind + ' ' + short(note.id))}  {one_line(note.text)}")


def _close(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        note = notes.close(desk, arguments.text, arguments.because)
    return Answer(note_data(note), lambda style: f"{style('green', 'closed')}  {short(note.id)}  {one_line(note.text)}")


def _move(arguments: Arguments) -> Answer:
    if arguments.to is None:
        raise BadInput(
            "usage",
            "note move needs the project that the note was meant for.",
            hint="perdure note move ID --to PROJECT",
        )
    with open_desk(request(arguments)) as desk:
        moved = note_moves.move(desk, arguments.text, arguments.to)
    data = {**note_data(moved.note), "project_path": moved.root, "undo_id": moved.undo_id}

    def text(style: Style) -> str:
        note = moved.note
        first = f"{style('green', 'moved')}  {note.kind} {short(note.id)}  {one_line(note.text)}"
        back = f"perdure undo {short(moved.undo_id or '')}"
        return f"{first}\nIt is in {path_for_people(moved.root)} now. {back}  brings it back here."

    return Answer(data, text)


def _list(arguments: Arguments) -> Answer:
    if arguments.text is not None and arguments.text not in NOTE_KINDS:
        raise BadInput("bad_note_kind", f"There is no note kind {shown(arguments.text)}.", hint=_meant(arguments.text))
    with open_desk(request(arguments), writable=False) as desk:
        found = notes.latest(desk, [arguments.text] if arguments.text else list(NOTE_KINDS), arguments.limit)

    def text(style: Style) -> str:
        if not found:
            return "no notes yet"
        states = {None: "", True: style("yellow", "open"), False: "closed"}
        rows = [[short(n.id), n.kind, states[n.open], local_date(n.ts), _listed(n)] for n in found]
        return table(rows, ["note", "kind", "state", "when", "text"], style)

    return Answer([note_data(note) for note in found], text)


def _meant(typed: str) -> str:
    from perdure.surfaces.cli.usage_errors import nearest

    near = nearest(typed, NOTE_KINDS)
    return f"Did you mean {near}?" if near else f"The kinds are {', '.join(NOTE_KINDS)}."


def _listed(note: notes.NoteView) -> str:
    moved_from = note.moved_from or {}
    origin = f"(from {os.path.basename(moved_from.get('project_path', 'another project'))}) " if moved_from else ""
    return note.marked(one_line(origin + note.text))


COMMANDS: dict[str, Command] = {
    "note": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure note finding 'the cache is keyed by path, not by inode'\nperdure note next 'add the retry test'\n"
            "perdure note question 'may we drop Python 3.10?'\nperdure note close 3f2a91c4 --because 'yes, said Ana'\n"
            "perdure note move 3f2a91c4 --to ../parser\nperdure note list question"
        ),
        about="Records a line: what was learned, what is open, what comes next.",
    ),
    "finding": Command(
        run=_finding,
        flags=_finding_flags,
        examples="perdure finding 'the flaky test waits for a port that is never freed'",
        about="Records something learned; short for perdure note finding.",
    ),
}
