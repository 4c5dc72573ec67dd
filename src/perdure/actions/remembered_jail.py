"""Keeps what was found out about a command that runs read-only, for the next ones (docs/adr/0140).

It is kept only where every command would run in the same way unless it names perdure, a program for the network or
another project; and only with stamps of all files that the answer was made of. So a transaction that is opened, a
setting, a registered project or a new version of Perdure makes the next command find it out again.

    remember(gate, "claude-code", program="/home/me/.perdure/shell/claude-code", since=0)
"""

from __future__ import annotations

import os
import sys

from perdure.actions.readonly import given_folders
from perdure.actions.shell_command import (
    NETWORK_PROGRAMS,
    OWN_NAME,
    concerns_other_projects,
    names_of_other_projects,
)
from perdure.clients import with_shell
from perdure.gate import policy
from perdure.jail.confine import running_kernel
from perdure.jail.plan import plan_for
from perdure.jail.remembered import KnownJail, keep, names_in, stamp
from perdure.place import bindings, project, repository, transaction_pointers
from perdure.place.client_variables import paths_of_settings, working_directory
from perdure.place.given_environment import given_environment
from perdure.place.home import paused_folder, shell_program_path
from perdure.settings import persons_project_file, project_file, user_file
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.gating import Gate
    from perdure.jail.remembered import Stamp

_CLOCK_STEP = 50_000_000
"""Nanoseconds. A file's time of change may be that much older than the change."""
_TIME_OF_CHANGE = -1
_SETTLED = (policy.NONE, policy.CLOSED)
"""States that only the watched files decide. Whether a ledger can be written, for one, changes with the disk."""


def remember(gate: Gate, client: str, *, program: str, since: int) -> None:
    """`since` is when this process began to look. What changed after that may have been seen as it was before."""
    adapter, root = with_shell(client), gate.resolved.place.project_path
    if adapter is None or root is None or not _is_same_for_all(gate, root, program=program, client=client):
        return
    listed: list[tuple[str, str, bool, tuple[str, ...]]] = []

    def names(folder: str, prefix: str = "", *, folders: bool = True) -> tuple[str, ...]:
        found = names_in(folder, prefix, folders=folders)
        listed.append((folder, prefix, folders, found))
        return found

    environment = given_environment()
    folders, own = given_folders(
        gate,
        os.fsdecode(environment.get(b"TMPDIR", b"")),
        entries=lambda folder: [os.path.join(folder, name) for name in names(folder)],
    )
    folder = project.folder_of(root)
    transactions = [os.path.join(folder, name) for name in names(folder, transaction_file.PREFIX, folders=False)]
    paths = [*_looked_at(gate, root, program), *((path, True) for path in transactions)]
    watched = tuple((path, timed, stamp(path, with_time=timed)) for path, timed in paths)
    if any(_is_new(seen, since) for _, timed, seen in watched if timed):
        return
    known = KnownJail(
        plan=plan_for(running_kernel(), folders=folders),
        temporary=own,
        markers=adapter.SHELL_TEXT.markers,
        names=(OWN_NAME, *names_of_other_projects(gate)),
        programs=NETWORK_PROGRAMS,
    )
    keep(program, environment, known, watched=watched, listed=tuple(listed))


def _is_same_for_all(gate: Gate, root: str, *, program: str, client: str) -> bool:
    if sys.platform != "linux" or gate.wrong_settings or concerns_other_projects(gate):
        return False
    if gate.transaction_state(root).transaction not in _SETTLED:
        return False
    return program == shell_program_path(gate.resolved.home, client) and not _leads_over_a_link(gate)


def _leads_over_a_link(gate: Gate) -> bool:
    """Whether a scratch folder is named by a link. What it leads to may change without a trace in what is watched."""
    scratch = gate.settings["gate.scratch"].value
    named = [gate.world.temporary, *(scratch if isinstance(scratch, tuple) else ())]
    return any(os.path.realpath(each) != os.path.normpath(each) for each in named if each)


def _is_new(seen: Stamp, since: int) -> bool:
    return seen is not None and seen[_TIME_OF_CHANGE] > since - _CLOCK_STEP


def _looked_at(gate: Gate, root: str, program: str) -> Iterator[tuple[str, bool]]:
    """The files and folders, and whether the time of their last change counts. That of a folder changes if an entry is
    made in it, removed or written anew."""
    home, cwd = gate.resolved.home, gate.world.cwd
    folder = project.folder_of(root)
    for each in (root, cwd, home, folder, *gate.world.scratch):
        yield each, False
    found = repository.enclosing(cwd)
    for each in (found.work_tree, found.main) if found else ():
        mark = os.path.join(each, ".git")
        yield mark, not os.path.isdir(mark)
    yield from ((each, True) for each in _files(gate, root, program))


def _files(gate: Gate, root: str, program: str) -> Iterator[str]:
    home, folder = gate.resolved.home, project.folder_of(root)
    yield from (program, user_file(home), project_file(root), persons_project_file(home, root))
    yield from (project.toml_of(root), os.path.join(home, "projects"), paused_folder(home))
    yield from paths_of_settings(gate.resolved.request.environment, working_directory())
    instance, session = gate.resolved.place.instance_id, gate.resolved.request.stated_client.client_session_id
    for top in (home, folder):
        yield os.path.join(top, transaction_pointers.FOLDER)
        if instance:
            yield os.path.join(top, transaction_pointers.FOLDER, instance)
        yield from bindings.folders_in(top, session or "")
    yield from (path for module in _own_modules() if (path := getattr(sys.modules[module], "__file__", None)))


def _own_modules() -> list[str]:
    return [name for name in sys.modules if name == OWN_NAME or name.startswith(f"{OWN_NAME}.")]
