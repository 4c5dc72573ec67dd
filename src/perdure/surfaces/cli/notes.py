"""notes: show, write, diff, take (SPEC 16.1)."""

from __future__ import annotations

import os
import sys

from perdure.actions import derived_views, notes_taking, notes_view
from perdure.actions.wiring import open_desk
from perdure.errors import Refused
from perdure.model.ids import short
from perdure.model.plural import counted
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.cli.questions import ask, is_somebody_there
from perdure.surfaces.output import harmless, one_line, path_for_people, style_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.notes_taking import PlannedTaking, TakenIn
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style
    from perdure.views.notes_edits import Edits


def _no_flags(parser: argparse.ArgumentParser) -> None:
    return


def _diff_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", help="another file, such as one that was set aside (default: NOTES.md)")


def _take_flags(parser: argparse.ArgumentParser) -> None:
    _diff_flags(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--mine", action="store_true", help="the edits are your words, although an agent or a commit may have made them"
    )


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "show": ("print what NOTES.md says if nobody edited it", _no_flags),
            "write": ("write NOTES.md and the trajectory; edits stay in the file", _no_flags),
            "diff": ("show what was changed in NOTES.md and is not in the ledger", _diff_flags),
            "take": ("take your own edits of NOTES.md into the ledger (for people)", _take_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"show": _show, "write": _write, "diff": _diff, "take": _take}[arguments.verb](arguments)


def _show(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        text, path = notes_view.render(desk), notes_view.path_of(desk)
    return Answer({"path": path, "text": text}, lambda style: "\n".join(map(harmless, text.splitlines())))


def _write(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        path, told = notes_view.path_of(desk), derived_views.write_all(desk)

    def text(style: Style) -> str:
        return "\n".join([f"{style('green', 'written')}  {path_for_people(path)}", *map(harmless, told)])

    return Answer({"path": path, "told": list(told)}, text)


def edits_data(edits: Edits) -> dict[str, Json]:
    return {
        "added": [{"kind": each.kind, "text": each.text, "title": each.title or None} for each in edits.added],
        "closed": list(edits.ticked),
        "changed": [{"id": each.entry, "lines": list(each.raw)} for each in edits.changed],
        "unplaced": list(edits.unplaced),
        "damaged": edits.is_damaged,
    }


def _edits_text(edits: Edits, style: Style) -> list[str]:
    lines = [f"{style('green', '+')} {each.kind}: {one_line(each.text)}" for each in edits.added]
    lines += [f"{style('green', '✓')} closed: {short(each)}" for each in edits.ticked]
    for each in edits.changed:
        said = one_line(" ".join(each.raw)) if each.raw else "(removed)"
        lines.append(f"{style('yellow', '!')} {short(each.entry)} is not as the ledger says: {said}")
    lines += [f"{style('yellow', '?')} no place for: {one_line(each)}" for each in edits.unplaced]
    if edits.is_damaged:
        lines.append(style("yellow", "Parts of the file are missing or cannot be read: perdure heal writes it again."))
    return lines


def _diff(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        planned = notes_taking.plan(desk, arguments.file)

    def text(style: Style) -> str:
        lines = _edits_text(planned.edits, style) or ["no edits"]
        return "\n".join([path_for_people(planned.path), *lines, *map(harmless, _doubts(planned))])

    data: dict[str, Json] = {"path": planned.path, **edits_data(planned.edits), "doubts": _doubts_data(planned)}
    return Answer(data, text)


def _doubts(planned: PlannedTaking) -> list[str]:
    return list(planned.doubts) if not planned.edits.is_none else []


def _doubts_data(planned: PlannedTaking) -> list[Json]:
    return [*_doubts(planned)]


def _take(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        notes_taking.refuse_all_but_people(desk)
        planned = notes_taking.plan(desk, arguments.file)
        if planned.edits.is_none:
            nothing: dict[str, Json] = {"path": planned.path, "taken": [], "forks": [], "unplaced": [], "aside": None}
            return Answer(nothing, lambda style: f"no edits in {path_for_people(planned.path)}")
        notes_taking.refuse_doubtful(planned, mine=arguments.mine)
        if not arguments.yes:
            _confirm(planned)
        done = notes_taking.take(desk, planned, mine=arguments.mine)
    return Answer(_taken_data(done), lambda style: _taken_text(done, style))


def _confirm(planned: PlannedTaking) -> None:
    if not is_somebody_there():
        raise Refused(
            "not_confirmed",
            f"There is no terminal to ask a person whether the {counted(_count(planned), 'edit')} of {planned.path} "
            "are their own.",
            hint="Read them with perdure notes diff, then run perdure notes take --yes.",
        )
    for line in _edits_text(planned.edits, style_for(sys.stderr, os.environ)):
        sys.stderr.write(line + "\n")
    if not ask("Did you write these, and should Perdure record them as yours?", default=False):
        raise Refused("not_confirmed", "Nothing was written.", hint="perdure notes diff shows the edits again.")


def _count(planned: PlannedTaking) -> int:
    edits = planned.edits
    return len(edits.added) + len(edits.ticked) + len(edits.changed) + len(edits.unplaced)


def _taken_data(done: TakenIn) -> dict[str, Json]:
    return {
        "path": done.path,
        "taken": [{"kind": kind, "text": text} for kind, text in done.taken],
        "forks": [{"entry": entry, "ledger": ledger, "file": file} for entry, ledger, file in done.forks],
        "unplaced": list(done.left),
        "aside": done.aside or None,
        "warnings": list(done.warnings),
    }


def _taken_text(done: TakenIn, style: Style) -> str:
    lines = [f"{style('green', kind)}  {one_line(text)}" for kind, text in done.taken]
    for entry, ledger, file in done.forks:
        lines.append(f"{style('yellow', 'fork')}  {entry}: the ledger keeps {one_line(ledger)!r}")
        lines.append(f"      the file said {one_line(file)!r}" if file else "      the file had it removed")
    if done.forks:
        lines.append("perdure fork list shows how to settle it. To close a note: perdure note close ID.")
    lines += [style("yellow", harmless(each)) for each in done.warnings]
    if done.aside:
        count = counted(len(done.left), "line")
        lines.append(f"{count} could not be taken in; the file as it was is {path_for_people(done.aside)}")
    return "\n".join(lines) or "nothing was new"


COMMANDS: dict[str, Command] = {
    "notes": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure notes show\nperdure notes write\nperdure notes diff\nperdure notes take\n"
            "perdure notes take --yes --mine"
        ),
        about=(
            "NOTES.md says where the work stands, for people and for agents without Perdure. It is written at the end "
            "of each session. What you write into it counts once you take it in."
        ),
    )
}
