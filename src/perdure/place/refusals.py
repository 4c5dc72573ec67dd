"""What a command says about its place: that it cannot act there, or that it acts in another project than one thinks.

root = required_project(place)      # or an error that says what to do
"""

from __future__ import annotations

import os

from perdure.errors import Refused
from perdure.model.shell_quote import quote
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.place.resolve import Place


def notice_of_other_project(place: Place, root: str | None = None) -> str:
    """The first line of an answer to a write that goes to another project than that of the working directory: to the
    resolved one, or to `root`."""
    root = root or place.project_path
    if root is None or place.cwd_project == root:
        return ""
    where = f"you are in {place.cwd_project}" if place.cwd_project else "you are not in a project"
    why = "where this pane works" if root == place.project_path else "where the transaction is open"
    return f"In {root}, {why}; {where}."


def refuse_plain_repository(place: Place) -> None:
    """Refuses a person who writes from a repository that is not a project: they mean that repository, not the project
    they used last."""
    if is_refused_plain_repository(place):
        raise Refused(
            "no_project",
            f"{place.plain_repository} is a repository but not a project. Nothing was written.",
            hint=f"perdure init makes it one; --project-path {quote(place.project_path or '')} writes to the project "
            "this terminal worked on last.",
        )


def is_refused_plain_repository(place: Place) -> bool:
    """Whether a person's write is refused here, unless it names its project."""
    is_person = place.client_process is None and place.project_row != 1
    return is_person and place.project_path is not None and place.plain_repository is not None


def required_project(place: Place) -> str:
    """The root of the project; refuses if there is none, or if it is not where it was."""
    if place.project_path is None or not place.project_is_there:
        project.refuse_another_users(place.project_path or place.plain_repository)
    if place.project_path is None:
        raise Refused(
            "no_project",
            "There is no project here.",
            hint="Run perdure init in the repository, or name one with --project-path.",
        )
    if not place.project_is_there and place.project_row == 1:
        raise Refused(
            "no_project",
            f"{place.project_path} is not a project.",
            hint="perdure init makes one; if it was one, perdure heal --project-path PATH brings it back.",
        )
    if not place.project_is_there:
        raise Refused(
            "project_vanished",
            f"{project.toml_of(place.project_path)} is gone, so the project of this pane cannot be found.",
            hint=way_back(place.project_path),
        )
    return place.project_path


def way_back(root: str) -> str:
    """What to do if a project is no longer where it was."""
    if os.path.isdir(project.folder_of(root)):
        return f"perdure heal --project-path {quote(root)} writes it again."
    if os.path.isdir(root):
        return f"perdure heal --project-path {quote(root)} brings it back from its backup."
    return "If it was moved, say where it is now: perdure project switch PATH. Otherwise switch to another project."
