"""Finds out where a write would go: to a device, into scratch, into Perdure's own record, into a file that switches the
guard on or off, or somewhere else (SPEC 5.3, 5.4, 5.5).

    place_of("/tmp/x.txt", ("/repo",), world) == (SCRATCH, "/tmp/x.txt")
"""

from __future__ import annotations

import os

from perdure.clients import settings_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.world import World

NOWHERE, SCRATCH, RECORD, ARMING, PROCESS, ELSEWHERE = "nowhere", "scratch", "record", "arming", "process", "elsewhere"
FORBIDDEN = {
    RECORD: "would write into Perdure's own record",
    ARMING: "would change what arms the guard",
    PROCESS: "would write through a folder of another process, and where that leads is not known",
}
"""Places where an agent may never write, whatever transaction is open."""
DEVICES = frozenset(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full"])
FOLDER = ".perdure"
"""The name of the folder that holds a record."""


def place_of(target: str, folders: tuple[str, ...] | None, world: World) -> tuple[str, str]:
    """The kind of place, and the path. `folders` are the possible working folders; None where they are not known."""
    if is_nowhere(target):
        return NOWHERE, target
    if not os.path.isabs(target):
        return _relative(target, folders, world)
    return _absolute(target, world)


def is_nowhere(target: str) -> bool:
    descriptor = target.removeprefix("/dev/fd/")
    return target in DEVICES or (descriptor != target and descriptor.isascii() and descriptor.isdigit())


def _relative(target: str, folders: tuple[str, ...] | None, world: World) -> tuple[str, str]:
    if FOLDER in _components(target):
        return RECORD, target
    if not folders:
        return ELSEWHERE, target
    found = [_absolute(os.path.join(folder, target), world) for folder in folders]
    for place in (RECORD, ARMING, PROCESS, ELSEWHERE):
        for kind, path in found:
            if kind == place:
                return kind, path
    if world.cwd in folders and _holds_scratch(world):
        return ELSEWHERE, found[0][1]
    return found[0]


def _absolute(target: str, world: World) -> tuple[str, str]:
    """Some programs write to the link itself, others to the file it leads to, so both count."""
    real, entry = world.disk.real(target), entry_of(target, world)
    paths = (target, real, entry)
    if any(is_record(path, world) for path in paths):
        return RECORD, real
    if any(_is_arming(path, world) for path in paths):
        return ARMING, real
    if any(is_of_a_process(path) for path in paths):
        return PROCESS, target
    real_is_scratch = is_scratch(real, world)
    if is_scratch(entry, world):
        return (SCRATCH if real_is_scratch else ELSEWHERE), real
    return ELSEWHERE, entry if real_is_scratch else real


def entry_of(target: str, world: World) -> str:
    """The path with all links in its folder followed, but not the last one if the file itself is a link."""
    folder, name = os.path.split(os.path.normpath(target))
    return os.path.join(world.disk.real(folder), name)


def is_record(path: str, world: World) -> bool:
    normal = os.path.normpath(path)
    return names_record(normal) or any(is_below(normal, record) for record in world.records)


def _is_arming(path: str, world: World) -> bool:
    """Whether it is a client's settings file, in any folder: clients also read settings in folders below the project.
    The folder of settings itself counts if it exists, since it would then be moved, removed or replaced."""
    normal = os.path.normpath(path)
    folder, name = os.path.split(normal.lower())
    for settings in settings_files():
        if name == settings.folder:
            return world.disk.is_folder(normal)
        if os.path.basename(folder) == settings.folder and name in settings.names:
            return True
    return normal.lower() in world.guard_files()


def is_of_a_process(path: str) -> bool:
    """Whether it is below a process's folder in proc, as `self/cwd/x` is: where that leads depends on who asks."""
    root, _, rest = os.path.normpath(path).lstrip("/").partition("/")
    whose = rest.partition("/")[0]
    return root == "proc" and (whose in ("self", "thread-self") or whose.isdigit())


def may_be_arming(prefix: str, folders: tuple[str, ...] | None) -> bool:
    """Whether a path that begins so, as `.claude/*` and `.claude/sett?ngs.json` do, may be a client's settings file."""
    for folder in folders or ("",):
        above, begun = os.path.split(os.path.join(folder, prefix).lower())
        for settings in settings_files():
            if os.path.basename(above) == settings.folder and any(name.startswith(begun) for name in settings.names):
                return True
    return False


def names_record(text: str) -> bool:
    return FOLDER in _components(text)


def is_scratch(real: str, world: World) -> bool:
    """Whether it is inside a scratch folder, and neither inside the work nor inside any project."""
    if not any(is_below(real, root) and real != root for root in world.scratch):
        return False
    if not _holds_scratch(world) and is_below(real, world.base):
        return False
    return not world.disk.project_of(real)


def _holds_scratch(world: World) -> bool:
    """Whether a scratch folder is the work's own folder or inside it (a session in `/` or in `/tmp`)."""
    return any(is_below(root, world.base) for root in world.scratch)


def checkout_of(path: str, world: World) -> str:
    """The git work tree in scratch that this is, or that it lies in; '' where there is none."""
    while any(is_below(path, root) and path != root for root in world.scratch):
        if world.disk.is_folder(os.path.join(path, ".git")) or world.disk.text_of((".git",), (path,)):
            return path
        path = os.path.dirname(path)
    return ""


def is_below(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(folder.rstrip("/") + "/"))


def _components(path: str) -> list[str]:
    return path.lower().split("/")
