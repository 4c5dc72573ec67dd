"""init: make this repository a project, and install Perdure for the clients on this machine (SPEC 6.1)."""

from __future__ import annotations

import os
from functools import partial

from perdure.actions import projects
from perdure.actions.request import resolve_request
from perdure.errors import BadInput, Refused
from perdure.gate.policy import PREFLIGHT
from perdure.install import claude_plugin
from perdure.install.guard_registered import missing_guards
from perdure.install.installer import (
    SCOPES,
    InstallContext,
    InstallOptions,
    carry_out,
    found_clients,
    installers,
    scope_for,
)
from perdure.install.program import Program
from perdure.model.ids import short
from perdure.model.plural import counted
from perdure.model.value import replace
from perdure.place import project
from perdure.place.home import home_folder
from perdure.place.own_instance import refuse_agent
from perdure.surfaces.cli.command import Answer, Command, request
from perdure.surfaces.cli.questions import ask, is_somebody_there
from perdure.surfaces.output import harmless, path_for_people, terminal_width, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.projects import MadeProject
    from perdure.install.installer import FileChange, Plan
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", help="a folder of the repository (default: this one)")
    parser.add_argument("--name", help="the project's name (default: the folder's name)")
    parser.add_argument(
        "--restore",
        metavar="PROJECT_ID",
        help="restore the record that this home keeps of that project (for people who know that this is its "
        "repository)",
    )
    where = parser.add_argument_group("clients")
    where.add_argument(
        "--client",
        dest="clients",
        metavar="NAME",
        action="append",
        choices=sorted(installers()),
        help="install for this client even if it is not found; may be repeated (default: all clients found)",
    )
    where.add_argument("--no-client", action="store_true", help="make the project only; change no client's settings")
    where.add_argument(
        "--scope",
        choices=SCOPES,
        help="local (default): this project on this machine; project: committed; user: all projects of this person",
    )
    where.add_argument(
        "--allow",
        action="store_true",
        help="also let the client run preflight, check, postflight and the like without asking (for people)",
    )
    where.add_argument("--plugin", metavar="DIR", help="only write a plugin for Claude Code into this folder")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true", help="print one JSON value")


def _run(arguments: Arguments) -> Answer:
    _refuse_contradictions(arguments)
    if arguments.plugin is not None:
        return _plugin(arguments)
    asked = request(arguments)
    home = home_folder(asked.environment)
    if arguments.allow:
        resolved = resolve_request(asked)
        refuse_agent(resolved.place, resolved.around, "Only a person may let the client run more without asking.")
    start = project.checked_path(arguments.folder, "The folder") if arguments.folder else asked.cwd
    root = projects.root_for(asked, arguments.folder)
    wishes = _wishes(arguments, InstallContext.at(start, asked.environment, root))
    plans = [installers()[name].plan(*wish) for name, wish in wishes.items()]  # refuses a bad file before any change
    if not arguments.yes and not arguments.json and is_somebody_there():
        _refuse_unless_agreed(plans, root, home)
    if arguments.restore is None:
        made = projects.init(asked, arguments.folder, arguments.name)
    else:
        made = projects.restore(asked, arguments.folder, arguments.restore)
    installed = _install(_wishes(arguments, InstallContext.at(start, asked.environment, made.root)))
    off = missing_guards(made.root, home)
    made = replace(made, warnings=(*made.warnings, *off))
    is_alone = not wishes and not arguments.no_client
    return Answer(_data(made, installed), lambda style: _text(made, installed, is_alone, home=home, style=style))


def _refuse_contradictions(arguments: Arguments) -> None:
    if arguments.no_client and (arguments.clients or arguments.scope or arguments.allow):
        raise BadInput("usage", "--no-client excludes --client, --scope and --allow.", hint="Leave one of them out.")
    if arguments.restore is not None and arguments.name is not None:
        raise BadInput("usage", "--restore brings the project's name back too.", hint="Leave --name out.")


def _wishes(arguments: Arguments, context: InstallContext) -> dict[str, tuple[InstallContext, InstallOptions]]:
    names = [] if arguments.no_client else arguments.clients or found_clients(context)
    if not names:
        return {}
    program = Program.find(context.environment)
    scopes = {name: scope_for(name, context, arguments.scope) for name in names}
    return {name: (context, InstallOptions(scope, program, arguments.allow)) for name, scope in scopes.items()}


def _install(wishes: dict[str, tuple[InstallContext, InstallOptions]]) -> list[Plan]:
    return [
        carry_out(context, wish.scope, partial(installers()[name].plan, context, wish))
        for name, (context, wish) in wishes.items()
    ]


def _refuse_unless_agreed(plans: list[Plan], root: str, home: str) -> None:
    """Asks before anything is made, so that a no leaves nothing behind."""
    changes = [change for plan in plans for change in plan.changes]
    if not changes:
        return
    will = {"created": "create", "changed": "change", "removed": "remove"}
    lines = [f"  {will[change.verb]} {_named(change)}" for change in changes]
    if not project.is_project(root):
        lines.insert(0, f"  create {path_for_people(project.folder_of(root))} (the record)")
    names = ", ".join(f"{plan.client} ({plan.scope})" for plan in plans)
    parts = [f"To install Perdure for {names}:", *lines, *_recorded_lines(root, home, "From then on"), "Go on?"]
    if not ask("\n".join(parts), default=True):
        raise Refused(
            "not_confirmed",
            "Nothing was made or changed.",
            hint="To keep a record only of what you tell it yourself: perdure init --no-client",
        )


def _recorded_lines(root: str, home: str, since: str) -> list[str]:
    """What a person should know before it happens: their words are kept, and where."""
    record, kept = path_for_people(project.folder_of(root)), path_for_people(os.path.join(home, "backups"))
    return wrapped(
        f"{since} Perdure records your prompts and what the agent reads, edits and runs, on this machine only: in "
        f"{record}, and as a backup in {kept}. What looks like a credential is masked.",
        terminal_width(),
    )


def _plugin(arguments: Arguments) -> Answer:
    if not arguments.plugin or "\0" in arguments.plugin:
        raise BadInput("usage", "--plugin needs a folder.", hint="perdure init --plugin DIR")
    folder = os.path.abspath(os.path.expanduser(arguments.plugin))
    written = claude_plugin.write(folder)

    def text(style: Style) -> str:
        lines = [style("bold", path_for_people(folder)), *(f"  {change.verb} {_named(change)}" for change in written)]
        return "\n".join(lines if written else [*lines, "  nothing changed"])

    return Answer({"plugin": folder, "changed": [change.path for change in written]}, text)


def _data(made: MadeProject, installed: list[Plan]) -> dict[str, Json]:
    return {
        "project": made.identity.name,
        "project_id": made.identity.id,
        "project_path": made.root,
        "changed": list(made.changed),
        "restored_events": made.restored_events,
        "bound_to": made.bound_to,
        "clients": [plan_data(plan) for plan in installed],
        "warnings": list(made.warnings),
    }


def plan_data(plan: Plan) -> dict[str, Json]:
    return {
        "client": plan.client,
        "scope": plan.scope,
        "changed": [{"path": change.path, "how": change.verb} for change in plan.changes],
        "notes": list(plan.notes),
    }


def _text(made: MadeProject, installed: list[Plan], is_alone: bool, *, home: str, style: Style) -> str:
    changed = any(plan.changes for plan in installed)
    lines = [
        f"{style('bold', harmless(made.identity.name))}  {short(made.identity.id)}  {path_for_people(made.root)}",
        *_project_lines(made, changed),
        *(style("yellow", f"! {harmless(warning)}") for warning in made.warnings),
        *_client_lines(installed, is_alone, style),
        *(_told_lines(made.root, home) if changed else ()),
        *_next_line(made, changed, style),
    ]
    return "\n".join(lines)


def _project_lines(made: MadeProject, changed: bool) -> list[str]:
    """What was made or restored. `changed`: whether a client's settings were changed."""
    if made.restored_events:
        return [f"restored: {counted(made.restored_events, 'event')}"]
    if made.changed:
        return [f"  created {path_for_people(path)}" for path in made.changed]
    return ["already a project" if changed else "already a project; nothing changed"]


def _told_lines(root: str, home: str) -> list[str]:
    ending = "perdure uninstall ends that; perdure redact erases one thing that was recorded."
    return [*_recorded_lines(root, home, "From now on"), *wrapped(ending, terminal_width())]


def _client_lines(installed: list[Plan], is_alone: bool, style: Style) -> list[str]:
    """`is_alone`: clients were looked for, and none was found."""
    lines = [line for plan in installed for line in plan_lines(plan, style)]
    if is_alone:
        names = "|".join(sorted(installers()))
        told = f"no client was found: run perdure init again once you have one, or run perdure init --client {names}"
        lines.append(style("yellow", told))
    return lines


def _next_line(made: MadeProject, changed: bool, style: Style) -> list[str]:
    """What to do next, if there is something."""
    if made.bound_to:
        return [_elsewhere(made.bound_to, style)]
    if changed:
        return [style("dim", "next: restart a client that is running; perdure doctor proves that the guard works")]
    if made.changed and not made.restored_events:
        return [style("dim", f"next: {PREFLIGHT}")]
    return []


def plan_lines(plan: Plan, style: Style) -> list[str]:
    """Nothing, if nothing changed for this client."""
    if not plan.changes and not plan.notes:
        return []
    head = f"{style('bold', plan.client)}  {plan.scope}"
    changes = [f"  {change.verb} {_named(change)}" for change in plan.changes]
    return [head, *changes, *(style("yellow", f"  {harmless(note)}") for note in plan.notes)]


def _named(change: FileChange) -> str:
    return path_for_people(change.path) + (f" ({change.why})" if change.why else "")


def _elsewhere(bound_to: str, style: Style) -> str:
    bound = style("yellow", f"this pane is bound to {path_for_people(bound_to)}. ")
    return bound + "To work here: perdure project switch ."


COMMANDS: dict[str, Command] = {
    "init": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure init\nperdure init ~/src/shop --name shop\nperdure init --no-client\nperdure init "
            "--scope user --yes"
        ),
        about="Makes a repository (or plain folder) a project: creates its ledger and registers it on this machine. "
        "Then installs Perdure for the clients it finds: hooks, status line, skill. Run again, it brings what it "
        "installed up to date; after git clean, it restores the ledger from its backup.",
    )
}
