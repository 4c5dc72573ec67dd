"""Keeps a copy, in Perdure's home, of what `perdure init` registered for a project:
`~/.perdure/installed/<id>.<hash of path>.json`.

`git clean -fdx` deletes the client's local settings, with our hooks in them, and also `installed.json` in `.perdure`,
which says that they existed. Without this copy nobody would know that the guard is missing (SPEC 5.2).
"""

from __future__ import annotations

import os

from perdure.errors import PerdureError, Trouble
from perdure.files import listing, make_folder, read_json, remove, write_whole
from perdure.install import install_record
from perdure.model.digest import sha256
from perdure.model.json import compact
from perdure.model.value import fields
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.install.install_record import InstalledFile

FOLDER = "installed"


def keep(home: str, root: str, entries: list[InstalledFile]) -> None:
    """Stores these entries for the project; without entries, the copy is removed."""
    path = _path(home, root)
    if path is None:
        return
    plain = [{name: getattr(entry, name) for name in fields(install_record.InstalledFile)} for entry in entries]
    try:
        for old in _of_this_project(home, root):
            remove(old)
        if entries:
            make_folder(os.path.join(home, FOLDER))
            write_whole(path, compact({"path": root, "installed": plain}) + "\n")
    except Trouble:
        return  # the home cannot be written; the record in the project says the same, as long as it exists


def kept(home: str, root: str) -> list[InstalledFile]:
    found = _of_this_project(home, root)
    return install_record.read(found[0]) if found else []


def _of_this_project(home: str, root: str) -> list[str]:
    """The copy for this folder; otherwise one for the same project in a folder that is gone: the project was moved."""
    path = _path(home, root)
    if path is None:
        return []
    if os.path.exists(path):
        return [path]
    begins = os.path.basename(path).partition(".")[0] + "."
    others = [
        os.path.join(home, FOLDER, name) for name in listing(os.path.join(home, FOLDER)) if name.startswith(begins)
    ]
    return [other for other in others if not project.is_project(str((read_json(other) or {}).get("path")))]


def _path(home: str, root: str) -> str | None:
    """None if the folder is not a project: a copy for a project that was here before does not concern it."""
    try:
        who = project.identity(root)
    except PerdureError:
        return None
    digest = sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return os.path.join(home, FOLDER, f"{who.id}.{digest}.json")
