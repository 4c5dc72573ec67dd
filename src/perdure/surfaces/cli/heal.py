"""heal: rebuild what is missing or damaged (SPEC 16.3)."""

from __future__ import annotations

from perdure.actions import healing, restoring
from perdure.actions.healing import PartChecked
from perdure.install.guard_registered import missing_guards
from perdure.install.putting_back import put_back
from perdure.model.value import replace
from perdure.place.home import home_folder
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.output import Progress, harmless, path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.healing import Healed
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 if something is missing or damaged"
    )
    parser.add_argument(
        "--keep",
        choices=restoring.CHOICES,
        help="which copy to keep if nothing proves which is right; export: add what only the tracked export has (for "
        "people)",
    )
    common(parser)


def _run(arguments: Arguments) -> Answer:
    progress = Progress("events checked")
    asked = request(arguments)
    if arguments.check:
        healed = healing.check(asked, progress)
    else:
        healed = healing.heal(asked, progress, arguments.keep, also=lambda root: put_back(root, asked.environment))
    progress.done()
    missing = missing_guards(healed.root, home_folder(asked.environment))
    guard = [PartChecked("guard", False, sentence) for sentence in missing]
    healed = replace(healed, findings=(*guard, *healed.findings))
    return Answer(_data(healed), lambda style: _text(healed, style), 0 if healed.is_whole else 1)


def _data(healed: Healed) -> dict[str, Json]:
    return {
        "project_path": healed.root,
        "whole": healed.is_whole,
        "findings": [{"part": f.part, "whole": f.is_whole, "detail": f.detail} for f in healed.findings],
        "mended": list(healed.mended),
        "lost": list(healed.lost),
        "events": healed.events,
    }


def _text(healed: Healed, style: Style) -> str:
    marks = {True: style("green", "✓"), False: style("red", "✗")}
    lines = [f"{style('bold', path_for_people(healed.root))}"]
    lines += [f"{marks[f.is_whole]} {f.part:8}  {harmless(f.detail)}" for f in healed.findings]
    lines += [f"  repaired: {harmless(what)}" for what in healed.mended]
    lines += [style("yellow", f"  lost: {harmless(what)}") for what in healed.lost]
    lines += [f"  Now: {harmless(each)}" for each in healed.ways_out]
    return "\n".join(lines)


COMMANDS: dict[str, Command] = {
    "heal": Command(
        run=_run,
        flags=_flags,
        examples="perdure heal --check\nperdure heal\nperdure heal --keep backup",
        about=(
            "Verifies the ledger, its state, the files written from it and the backup, and rebuilds what is missing or "
            "damaged. If a client's hooks are gone, registers them again. Sets a damaged ledger aside and never "
            "deletes it."
        ),
    )
}
