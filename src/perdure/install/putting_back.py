"""Restores what `perdure init` registered for a project, if it is gone, as after `git clean -fdx` (SPEC 5.2)."""

from __future__ import annotations

from functools import partial

from perdure.errors import PerdureError
from perdure.install import install_record, kept_record
from perdure.install.guard_registered import guards
from perdure.install.installer import LOCAL, USER, InstallContext, InstallOptions, carry_out, installers
from perdure.install.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def put_back(root: str, environment: Mapping[str, str]) -> list[str]:
    """Returns a sentence for each file that was written. A file that cannot be written, or in which a person switched
    the hooks off, stays as it is: `missing_guards` reports it."""
    context = InstallContext.at(root, environment, root)
    here = {(entry.client, entry.scope) for entry in install_record.read(context.record_of(LOCAL))}
    done = []
    for client, scope, allow in _registered(context):
        is_missing = any(
            (guard.client, guard.scope) == (client, scope) and guard.is_missing for guard in guards(root, context.home)
        )
        if client not in installers() or not (is_missing or (client, scope) not in here):
            continue
        wish = InstallOptions(scope, Program.find(environment), allow)
        try:
            plan = carry_out(context, scope, partial(installers()[client].plan, context, wish))
        except PerdureError:
            continue
        done += [f"{change.path} {change.verb}, for {client} ({scope})" for change in plan.changes]
    return done


def _registered(context: InstallContext) -> list[tuple[str, str, bool]]:
    """Client, scope, and whether permission rules were added. For that only the copy in the home is trusted: the record
    in the project may come from somebody else."""
    kept = kept_record.kept(context.home, context.root)
    found = [*kept, *install_record.read(context.record_of(LOCAL))]
    allowed = {(entry.client, entry.scope) for entry in kept if entry.allowed}
    pairs = dict.fromkeys((entry.client, entry.scope) for entry in found if entry.scope != USER)
    return [(client, scope, (client, scope) in allowed) for client, scope in pairs]
