"""init: make this repository a project."""

from __future__ import annotations

from perdure.actions import projects
from perdure.model.ids import short
from perdure.surfaces.cli.command import Answer, Command, request
from perdure.surfaces.output import harmless, path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", help="a folder of the repository (default: this one)")
    parser.add_argument("--name", help="what to call the project (default: the folder's name)")
    parser.add_argument("--json", action="store_true", help="answer with one JSON value")


def _run(arguments: Arguments) -> Answer:
    made = projects.init(request(arguments), arguments.folder, arguments.name)
    data: Json = {
        "project": made.who.name,
        "project_id": made.who.id,
        "project_path": made.root,
        "changed": list(made.changed),
        "restored_events": made.restored_events,
        "bound_to": made.bound_to,
    }

    def text(style: Style) -> str:
        where = f"{style('bold', harmless(made.who.name))}  {short(made.who.id)}  {path_for_people(made.root)}"
        if made.restored_events:
            return f"{where}\nrestored: {made.restored_events:,} events"
        if not made.changed:
            return f"{where}\nalready a project; nothing changed{_elsewhere(made.bound_to, style)}"
        lines = [where, *(f"  created {path_for_people(path)}" for path in made.changed)]
        if made.bound_to:
            return "\n".join(lines) + _elsewhere(made.bound_to, style)
        lines.append(
            style("dim", "next: perdure preflight --know 0.8 --uncertainty 0.2 --because 'what you know and plan'")
        )
        return "\n".join(lines)

    return Answer(data, text)


def _elsewhere(bound_to: str | None, style: Style) -> str:
    if bound_to is None:
        return ""
    bound = style("yellow", f"\nthis instance is bound to {path_for_people(bound_to)}. ")
    return bound + "To work here: perdure project switch ."


COMMANDS: dict[str, Command] = {
    "init": Command(
        _run,
        _flags,
        "perdure init\nperdure init ~/src/shop --name shop",
        "Makes a repository (or plain folder) a project: its ledger and its place in the workspace. Run again it "
        "changes nothing; run after git clean it restores the ledger from its backup.",
    )
}
