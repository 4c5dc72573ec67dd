"""Restores what `perdure init` registered for a project, if it is gone, as after `git clean -fdx` (SPEC 5.2)."""

from __future__ import annotations

import os
from functools import partial

from perdure.errors import PerdureError
from perdure.install import install_record
from perdure.install.guard_registered import guards
from perdure.install.installer import InstallContext, InstallOptions, carry_out, installers
from perdure.install.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def put_back(root: str, environment: Mapping[str, str]) -> list[str]:
    """Returns a sentence for each file that was written. A file that cannot be written, or in which a person switched
    the hooks off, stays as it is: `missing_guards` reports it."""
    context = InstallContext.at(root, environment, root)
    done = []
    for client, scope, allow in _registered(context):
        if client not in installers() or not _is_missing(context, client, scope):
            continue
        wish = InstallOptions(scope, Program.find(environment), allow)
        try:
            plan = carry_out(context, scope, partial(installers()[client].plan, context, wish))
        except PerdureError:
            continue
        done += [f"{change.path} {change.verb}, for {client} ({scope})" for change in plan.changes]
    return done


def _is_missing(context: InstallContext, client: str, scope: str) -> bool:
    """Whether a settings file is gone, or has lost the guard."""
    if any(not os.path.exists(context.real(entry.settings)) for entry in context.recorded(client, scope)):
        return True
    looked = guards(context.root, context.home)
    return any((guard.client, guard.scope) == (client, scope) and guard.is_missing for guard in looked)


def _registered(context: InstallContext) -> list[tuple[str, str, bool]]:
    """Client, scope, and whether permission rules were added."""
    found = install_record.read(context.home, context.root)
    allowed = {(entry.client, entry.scope) for entry in found if entry.allowed}
    pairs = dict.fromkeys((entry.client, entry.scope) for entry in found)
    return [(client, scope, (client, scope) in allowed) for client, scope in pairs]
