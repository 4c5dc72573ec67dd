"""Where the project's files are, as the caller sees them. It is apart from `work_tree.py`, which reads them: a hook
that records a test run needs only this."""

from __future__ import annotations

from perdure.place import repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk


def folder_of(desk: Desk) -> str:
    """The project's files as the caller sees them: those of the linked work tree, if the command runs in one."""
    found = repository.enclosing(desk.resolved.request.cwd)
    return found.work_tree if found and found.main == desk.root else desk.root
