"""Where a write would go: nowhere, into scratch, into Perdure's own record, into what arms the guard, or somewhere that
matters (SPEC 5.3, 5.4, 5.5).

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
    PROCESS: "would write through a folder of a process, which leads nobody knows where",
}
"""Places that no transaction opens to an agent."""
DEVICES = frozenset(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full"])
FOLDER = ".perdure"
"""In which a client's hooks are registered or switched off."""


def place_of(target: str, folders: tuple[str, ...] | None, world: World) -> tuple[str, str]:
    """`folders` are the working folders the command may have there; None where they are not known."""
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
    """Both the file itself and, where it is a link, what it leads to: some programs write the one, some the other."""
    real, entry = world.disk.real(target), entry_of(target, world)
    if is_record(target, world) or is_record(real, world) or is_record(entry, world):
        return RECORD, real
    if any(_is_arming(path, world) for path in (target, real, entry)):
        return ARMING, real
    if any(_is_of_a_process(path) for path in (target, real, entry)):
        return PROCESS, target
    if is_scratch(entry, world):
        return (SCRATCH if is_scratch(real, world) else ELSEWHERE), real
    return ELSEWHERE, entry if is_scratch(real, world) else real


def entry_of(target: str, world: World) -> str:
    """The path with the links of its folder followed, and not its own."""
    folder, name = os.path.split(os.path.normpath(target))
    return os.path.join(world.disk.real(folder), name)


def is_record(path: str, world: World) -> bool:
    normal = os.path.normpath(path)
    return names_record(normal) or any(is_below(normal, record) for record in world.records)


def _is_arming(path: str, world: World) -> bool:
    """A client's settings, wherever in the work they stand: it reads those of a folder below too. Their folder as a
    whole counts where it is there already: it is then moved, removed or copied over."""
    normal = os.path.normpath(path)
    folder, name = os.path.split(normal.lower())
    for settings in settings_files():
        if name == settings.folder:
            return world.disk.is_folder(normal)
        if os.path.basename(folder) == settings.folder and name in settings.names:
            return True
    return normal.lower() in world.arming()


def _is_of_a_process(path: str) -> bool:
    """`self/cwd/x` below proc: whose folder that is depends on who asks."""
    root, _, rest = os.path.normpath(path).lstrip("/").partition("/")
    whose = rest.partition("/")[0]
    return root == "proc" and (whose in ("self", "thread-self") or whose.isdigit())


def may_be_arming(prefix: str, folders: tuple[str, ...] | None) -> bool:
    """Whether a name that is known only as far as this (`.claude/*`, `.claude/sett?ngs.json`) may be such settings."""
    for folder in folders or ("",):
        above, begun = os.path.split(os.path.join(folder, prefix).lower())
        for settings in settings_files():
            if os.path.basename(above) == settings.folder and any(name.startswith(begun) for name in settings.names):
                return True
    return False


def names_record(text: str) -> bool:
    return FOLDER in _components(text)


def is_scratch(real: str, world: World) -> bool:
    """Strictly within a scratch folder, and neither within the work nor within any project."""
    if not any(is_below(real, root) and real != root for root in world.scratch):
        return False
    if not _holds_scratch(world) and is_below(real, world.base):
        return False
    return not world.disk.project_of(real)


def _holds_scratch(world: World) -> bool:
    """Whether the work's own folder is scratch itself or holds it (a session in `/` or in `/tmp`)."""
    return any(is_below(root, world.base) for root in world.scratch)


def is_below(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(folder.rstrip("/") + "/"))


def _components(path: str) -> list[str]:
    return path.lower().split("/")
