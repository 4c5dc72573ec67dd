"""Reads and writes the record of what `perdure init` put where, so that `perdure uninstall` can restore everything, and
`perdure heal` can put back what `git clean -fdx` deleted (SPEC 5.2).

The record is only in Perdure's home: `installed.json` for scope user, `installed/<project id>.<hash of path>.json` for
a project. Nothing in a repository is read as a record: whoever wrote the repository could have written it, and
`uninstall` would put their status line into the person's settings. If the record is lost, our entries are still
recognized by their marks; only JSON objects and arrays that were empty before may then be left behind or removed
wrongly.
"""

from __future__ import annotations

import os

from perdure import __version__
from perdure.errors import PerdureError, Trouble
from perdure.files import listing, make_folder, read_json, remove, write_whole
from perdure.model.digest import sha256
from perdure.model.json import compact, parse
from perdure.model.value import fields, replace, value
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json

NAME, FOLDER = "installed.json", "installed"
REMOVED = "uninstalled.json"
"""Which projects lost the guard of scope user, because `perdure uninstall` was run in another one."""


@value
class InstalledFile:
    """What was put into one settings file of a client."""

    client: str
    scope: str
    settings: str
    perdure: str = __version__
    files: tuple[str, ...] = ()
    """Files that did not exist before."""
    folders: tuple[str, ...] = ()
    """Folders that did not exist before."""
    made: tuple[str, ...] = ()
    """The JSON objects and arrays in the settings that were not there before."""
    status: str = ""
    """The person's own status line command, as it was written in the settings."""
    allowed: tuple[str, ...] = ()
    """The client's permission rules that we added."""

    def merged(self, older: InstalledFile | None) -> InstalledFile:
        """What was made earlier is still ours."""
        if older is None:
            return self
        return replace(
            self,
            files=_union(older.files, self.files),
            folders=_union(older.folders, self.folders),
            made=_union(older.made, self.made),
            allowed=_union(older.allowed, self.allowed),
        )


def read(home: str, root: str) -> list[InstalledFile]:
    """What was installed for the project in this folder; with an empty `root`, what was installed for the person."""
    files = _files_of(home, root)
    found = (read_json(files[0]) or {}).get("installed") if files else None
    entries = (_entry(raw) for raw in found) if isinstance(found, list) else ()
    return [entry for entry in entries if entry]


def moved_from(home: str, root: str) -> str:
    """The folder, gone since, in which the project was when this was recorded; empty if it was not moved."""
    files = _files_of(home, root)
    path = (read_json(files[0]) or {}).get("path") if files else None
    return path if isinstance(path, str) and path != root else ""


def write(home: str, root: str, client: str, *, scope: str, entries: tuple[InstalledFile, ...]) -> bool:
    """Replaces what was recorded for this client and scope. If nothing is left, the record is removed. False if the
    home cannot be written, or the folder is not a project."""
    path, old = _path(home, root), read(home, root)
    if path is None:
        return not entries
    left = [*(entry for entry in old if (entry.client, entry.scope) != (client, scope)), *entries]
    stale = [each for each in _files_of(home, root) if each != path or not left]
    if left == old and not stale:
        return True
    try:
        if left:
            make_folder(os.path.dirname(path))
            write_whole(path, _text(root, left))
        for each in stale:
            remove(each)
    except Trouble:
        return False
    return True


def note_removal(home: str, settings: list[str], roots: list[str]) -> None:
    """Notes that these projects lost the guard of scope user, which was in these settings files."""
    try:
        write_whole(os.path.join(home, REMOVED), compact({"settings": settings, "projects": roots}) + "\n")
    except Trouble:
        return  # the home cannot be written: doctor still says that no guard is registered


def forget_removal(home: str) -> None:
    """Called when the guard of scope user is installed again."""
    try:
        remove(os.path.join(home, REMOVED))
    except Trouble:
        return  # a project that has a guard does not ask


def removed_from(home: str, root: str) -> str:
    """The settings files that the guard of scope user was removed from, if this project lost it; else empty."""
    found = read_json(os.path.join(home, REMOVED)) or {}
    settings, roots = found.get("settings"), found.get("projects")
    if not isinstance(settings, list) or not isinstance(roots, list) or root not in roots:
        return ""
    return ", ".join(str(each) for each in settings)


def _text(root: str, entries: list[InstalledFile]) -> str:
    plain = ({name: getattr(entry, name) for name in fields(InstalledFile)} for entry in entries)
    lines = ",\n".join(f"  {compact(raw)}" for raw in plain)
    return f'{{"path": {compact(root)}, "installed": [\n{lines}\n]}}\n'


def _files_of(home: str, root: str) -> list[str]:
    """The record for this folder; otherwise one for the same project in a folder that is gone: the project was
    moved."""
    path = _path(home, root)
    if path is None:
        return []
    if os.path.exists(path):
        return [path]
    begins = os.path.basename(path).partition(".")[0] + "."
    names = [name for name in listing(os.path.join(home, FOLDER)) if name.startswith(begins)] if root else []
    others = [os.path.join(home, FOLDER, name) for name in names]
    return [other for other in others if not project.is_project(str((read_json(other) or {}).get("path")))]


def _path(home: str, root: str) -> str | None:
    """None if the folder is not a project: a record for a project that was here before does not concern it. Of a folder
    that was deleted, it is the record that is left."""
    if not root:
        return os.path.join(home, NAME)
    ending = f".{sha256(root.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}.json"
    folder = os.path.join(home, FOLDER)
    if not os.path.lexists(root):
        left = [name for name in listing(folder) if name.endswith(ending)]
        return os.path.join(folder, left[0]) if len(left) == 1 else None
    try:
        who = project.identity(root)
    except PerdureError:
        return None
    return os.path.join(folder, f"{who.id}{ending}")


def _entry(raw: Json) -> InstalledFile | None:
    if not isinstance(raw, dict) or set(raw) != set(fields(InstalledFile)):
        return None
    texts = {name: content for name, content in raw.items() if isinstance(content, str)}
    lists = {
        name: tuple(content)
        for name, content in raw.items()
        if isinstance(content, list) and all(isinstance(word, str) for word in content)
    }
    has_every_text = set(texts) == {"client", "scope", "settings", "perdure", "status"}
    has_nothing_else = len(texts) + len(lists) == len(raw)
    if not (has_every_text and has_nothing_else and _is_json_string(texts["status"])):
        return None
    return InstalledFile(**texts, **lists)  # type: ignore[arg-type]


def _is_json_string(text: str) -> bool:
    """Empty counts, too. Anything else would make the settings file that it is put back into unreadable."""
    try:
        return not text or isinstance(parse(text), str)
    except ValueError:
        return False


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
