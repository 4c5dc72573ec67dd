"""uninstall: removes Perdure from the clients' settings and restores them as they were (SPEC 6.1)."""

from __future__ import annotations

import os
from functools import partial
from shlex import quote

from perdure.actions import backup
from perdure.actions.purge import purge
from perdure.actions.request import resolve_request
from perdure.errors import BadInput, Refused
from perdure.install.installer import SCOPES, USER, InstallContext, carry_out, installers
from perdure.model.value import replace
from perdure.place import project
from perdure.place.own_instance import refuse_agent
from perdure.surfaces.cli.command import Answer, Command, request
from perdure.surfaces.cli.init import plan_data, plan_lines
from perdure.surfaces.cli.questions import ask, is_somebody_there
from perdure.surfaces.output import path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.install.installer import Plan
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", help="a folder of the project (default: this one)")
    parser.add_argument(
        "--scope", choices=SCOPES, help="only this scope (default: every scope where Perdure is installed)"
    )
    parser.add_argument("--purge", action="store_true", help="also delete the project's record, .perdure")
    parser.add_argument("--yes", action="store_true", help="do not ask before deleting the record")
    parser.add_argument("--json", action="store_true", help="print one JSON value")


def _run(arguments: Arguments) -> Answer:
    asked = request(arguments)
    start = project.checked_path(arguments.folder, "The folder") if arguments.folder else asked.cwd
    context = InstallContext.at(start, asked.environment)
    resolved = resolve_request(asked)
    refuse_agent(resolved.place, resolved.around, "Only a person may take the guard away.", roots=(context.root,))
    if arguments.purge:
        _refuse_unasked(arguments, context)
    done = _remove_from_clients(context, arguments.scope)
    kept = project.folder_of(context.root) if context.has_project else None
    saved: str | None = None
    purged: str | None = None
    if kept and arguments.purge:
        saved = backup.folder_for(context.home, project.identity(context.root).id)
        purged = purge(context.root, context.home)
    if purged:
        kept = None
    data: Json = {
        "clients": [plan_data(plan) for plan in done if plan.changes or plan.notes],
        "record": kept,
        "purged": purged,
        "backup": saved,
    }
    return Answer(data, lambda style: _text(done, kept, purged, saved=saved, style=style))


def _remove_from_clients(context: InstallContext, only: str | None) -> list[Plan]:
    """Removes Perdure from the one scope, or from every scope where it is installed."""
    done = []
    for client in installers().values():
        for scope in [only] if only else client.installed_scopes(context):
            plan = carry_out(context, scope, partial(client.plan_removal, context, scope))
            done.append(_with_reach(plan) if scope == USER and plan.changes else plan)
    return done


def _with_reach(plan: Plan) -> Plan:
    """What was removed from the person's own settings guarded every project, not only this one."""
    said = (
        f"This was in your own settings (scope user): {plan.client} is no longer guarded in any other project either. "
        "perdure init --scope user brings it back."
    )
    return replace(plan, notes=(said, *plan.notes))


def _refuse_unasked(arguments: Arguments, context: InstallContext) -> None:
    """Only a person may delete what no command can restore."""
    if arguments.scope == USER:
        raise BadInput(
            "usage", "--purge is for one project, but --scope user is for all projects.", hint="Leave one of them out."
        )
    if not context.has_project:
        raise Refused("no_project", f"{context.root} is not a project.", hint="Name its folder.")
    folder = path_for_people(project.folder_of(context.root))
    if arguments.yes:
        return
    if arguments.json or not is_somebody_there():
        hint = "perdure uninstall --purge --yes"
        raise Refused("not_confirmed", f"{folder} is deleted only if a person confirms it.", hint=hint)
    if not ask(f"Delete the record of this project, {folder}?", default=False):
        raise Refused("not_confirmed", "Nothing was deleted or removed.")


def _text(done: list[Plan], kept: str | None, purged: str | None, *, saved: str | None, style: Style) -> str:
    lines = [line for plan in done for line in plan_lines(plan, style)]
    if not lines:
        lines.append("Perdure is not installed for any client here")
    if purged:
        lines.append(f"deleted {path_for_people(purged)}")
    if saved and os.path.isdir(saved):
        lines.append(style("dim", f"its backup is kept: {path_for_people(saved)}"))
        lines += [style("dim", "to delete that too:"), f"  rm -rf {quote(saved)}"]
    if kept:
        lines.append(style("dim", f"the record is kept: {path_for_people(kept)} (--purge deletes it)"))
    return "\n".join(lines)


COMMANDS: dict[str, Command] = {
    "uninstall": Command(
        run=_run,
        flags=_flags,
        examples="perdure uninstall\nperdure uninstall --scope user\nperdure uninstall --purge",
        about=(
            "Removes from the clients' settings what perdure init added, and restores what was there before. The "
            "record of the project, .perdure, stays, unless you give --purge. ~/.perdure stays: it has the keys and "
            "the backups of all projects; delete it once no project needs it. Only for people."
        ),
    )
}
