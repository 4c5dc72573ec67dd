"""Makes the `World` that the analysis of a command asks: folders, settings and files of the place where it runs."""

from __future__ import annotations

import os

from perdure.clients import settings_files
from perdure.gate.world import TEMPORARY, World
from perdure.place import project, repository
from perdure.place.disk_facts import Disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.actions.request import ResolvedRequest
    from perdure.settings import Settings


def world_of(resolved: ResolvedRequest, settings: Settings) -> World:
    environment, cwd = resolved.request.environment, resolved.request.cwd
    root = resolved.place.project_path
    if root and not os.path.isdir(root):
        started_in = (environment.get(files.project_variable, "") for files in settings_files())
        disk = Disk(resolved.registry, gone=root, left=[cwd, *filter(os.path.isabs, started_in)])
    else:
        disk = Disk(resolved.registry)
    found = repository.enclosing(cwd)
    base = root or (found.work_tree if found else cwd)
    scratch = settings["gate.scratch"].value
    readers = settings["gate.readers"].value
    temporary = environment.get("TMPDIR", "")
    folders = [*TEMPORARY, temporary, *(scratch if isinstance(scratch, tuple) else ())]
    return World(
        cwd=os.path.realpath(cwd),
        base=os.path.realpath(base),
        home=environment.get("HOME", ""),
        records=(disk.real(resolved.home), *([disk.real(project.folder_of(root))] if root else [])),
        guard_files=lambda: _guard_files(environment, [root, found.work_tree if found else None], disk),
        scratch=_scratch(disk, list(filter(os.path.isabs, folders))),
        program=resolved.request.program,
        readers=readers if isinstance(readers, tuple) else (),
        temporary=temporary if os.path.isabs(temporary) else "",
        disk=disk,
    )


def _scratch(disk: Disk, folders: list[str]) -> tuple[str, ...]:
    """Where these folders lead. Not those behind a link that is itself in one of them: any command could have put it
    there, to get at files of the person."""
    ends = [disk.followed(each) for each in folders]
    within = tuple(f"{end}/" for end, _ in ends if end != "/")
    kept = (end for end, links in ends if end != "/" and not any(link.startswith(within) for link in links))
    return tuple(dict.fromkeys(kept))


def _guard_files(environment: Mapping[str, str], roots: list[str | None], disk: Disk) -> frozenset[str]:
    """The files that register the guard: the client's settings of the person and of the project, with links resolved,
    and the script that is committed with them."""
    paths: list[str] = []
    for settings in settings_files():
        person = environment.get(settings.variable, "") or os.path.join(environment.get("HOME", ""), settings.folder)
        folders = [person, *(os.path.join(root, settings.folder) for root in roots if root)]
        names = (*settings.names, *((settings.script,) if settings.script else ()))
        paths += [os.path.join(folder, name) for folder in folders for name in names]
    return frozenset(disk.real(path).lower() for path in paths)
