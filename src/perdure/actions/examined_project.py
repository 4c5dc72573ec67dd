"""The project that an audit or a recovery examines, by everything that names it: `project.toml`, the registry of this
home, and its store, if that can be read. These may contradict each other.

    ExaminedProject(resolved, root, StoreStatements(ledger, resolved, root)).ids
"""

from __future__ import annotations

import os

from perdure.actions.ledger_origin import origin_of
from perdure.errors import BadInput
from perdure.place import project
from perdure.proof import signed_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.store_statements import StoreStatements
    from perdure.model.ids import ProjectId


class ExaminedProject:
    def __init__(self, resolved: ResolvedRequest, root: str, statements: StoreStatements | None) -> None:
        self.resolved = resolved
        self.root = root
        self.home = resolved.home
        self.statements = statements
        """What its store says about itself; None if there is no store that can be read."""
        self.chains = statements.chains if statements else ()
        self.origin = origin_of(root, resolved.home)
        self.place_hash = signed_note.place_of(self.origin.machine, root)
        """The hash that stands for this folder on this machine in signed heads."""
        self.entry = resolved.registry.at(root)
        self.id_in_toml, self.why_no_id = _id_in_toml(root)
        self.ids = self._ids()
        """Every id that something gives this project."""

    def _ids(self) -> set[ProjectId]:
        found = set(self.statements.projects) if self.statements else set()
        if self.id_in_toml:
            found.add(self.id_in_toml)
        if self.entry:
            found.add(self.entry.project_id)
        return found


def _id_in_toml(root: str) -> tuple[ProjectId | None, str]:
    """The project's id; or None, and why `project.toml` does not give it."""
    toml = project.toml_of(root)
    try:
        if project.is_project(root):
            return project.identity(root).id, ""
    except BadInput as error:
        return None, error.message
    is_gone = os.path.isdir(project.folder_of(root)) and not os.path.lexists(toml)
    return None, f"{toml} is gone" if is_gone else ""
