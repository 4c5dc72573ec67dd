"""The workspace registry: `~/.perdure/projects` has one small file for each project that this person has on this
machine (SPEC 3.5). It says which project a folder belongs to, also after the folder's record was deleted.

    Registry(home).owner_of("/src/shop/src/cart") == "/src/shop"
"""

from __future__ import annotations

import os

from perdure.files import listing, make_folder, read_json, write_whole
from perdure.model.digest import sha256
from perdure.model.ids import LedgerId, ProjectId
from perdure.model.json import compact
from perdure.model.value import value
from perdure.place import project, repository


@value
class Entry:
    project_id: ProjectId
    path: str
    name: str
    common: str | None
    """The git folder that all work trees of the repository share; None if it is not a repository."""
    ledgers: tuple[LedgerId, ...]
    """The chains of the project's ledger, first the one that it writes to."""
    earlier: tuple[str, ...] = ()
    """The roots in which the project was before it was moved."""


class Registry:
    def __init__(self, home: str) -> None:
        self._folder = os.path.join(home, "projects")

    def _file(self, root: str) -> str:
        return os.path.join(self._folder, sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:16] + ".json")

    def at(self, root: str) -> Entry | None:
        found = _entry(self._file(root))
        return found if found and found.path == root else None

    def entries(self) -> list[Entry]:
        files = (os.path.join(self._folder, name) for name in listing(self._folder) if name.endswith(".json"))
        return [entry for entry in map(_entry, files) if entry]

    def last_of(self, root: str) -> Entry | None:
        """The project that is registered for this root, or that was there before it was moved."""
        return self.at(root) or next((entry for entry in self.entries() if root in entry.earlier), None)

    def known_as(self, project_id: ProjectId) -> list[Entry]:
        return [entry for entry in self.entries() if entry.project_id == project_id]

    def owner_of(self, folder: str) -> str | None:
        """The root of the project that a folder belongs to. A project that is known here owns its folders and linked
        work trees even if its record, its git folder or its whole main work tree is gone (SPEC 5.2)."""
        found = repository.enclosing(folder)
        if found and (project.is_project(found.main) or self.at(found.main)):
            return found.main
        above = project.above(folder) or next((here for here in repository.upward(folder) if self.at(here)), None)
        return above or (None if found else self._owner_of_cut_off(folder))

    def _owner_of_cut_off(self, folder: str) -> str | None:
        """The same for a linked work tree that git no longer finds the repository of. A repository that lists the work
        tree comes before the one that the work tree names: the first is there, the second may have been moved."""
        named = repository.main_named_by(folder)
        if named and project.is_project(named):
            return named
        for entry in self.entries():
            if entry.common and repository.lists_work_tree(entry.common, folder):
                return entry.path
        return named if named and self.at(named) else None

    def write(self, entry: Entry) -> None:
        make_folder(self._folder)
        write_whole(self._file(entry.path), compact(entry.__dict__) + "\n")

    def forget(self, root: str) -> None:
        from perdure.files import remove

        remove(self._file(root))


def _entry(path: str) -> Entry | None:
    raw = read_json(path)
    if raw is None:
        return None
    project_id, root, name, common, ledgers = (raw.get(k) for k in ("project_id", "path", "name", "common", "ledgers"))
    earlier = raw.get("earlier")
    if not isinstance(project_id, str) or not isinstance(root, str) or not isinstance(ledgers, list):
        return None
    return Entry(
        project_id=ProjectId(project_id),
        path=root,
        name=str(name),
        common=common if isinstance(common, str) else None,
        ledgers=tuple(LedgerId(str(ledger)) for ledger in ledgers),
        earlier=tuple(str(each) for each in earlier) if isinstance(earlier, list) else (),
    )
