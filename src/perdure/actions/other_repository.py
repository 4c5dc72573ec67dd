"""A record that this home keeps of another repository than the one that is there now (SPEC 3.5, 16.3).

It is not restored into the new repository automatically, whatever path or id that has. A person decides whether it is
the same repository, for example after its history was rewritten: `perdure init --restore ID`.

    left_out(resolved, root) → KeptRecord | None
"""

from __future__ import annotations

import os

from perdure.actions import backup
from perdure.actions.ledger_origin import is_same_repository, ledger_path
from perdure.errors import Refused
from perdure.files import listing
from perdure.model.ids import LedgerId, ProjectId, is_uuid, prefix_of, short
from perdure.model.value import value
from perdure.place import project, same_repository
from perdure.place.refusals import required_project, way_back
from perdure.views import event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest


@value
class KeptRecord:
    """The record of a project that has no folder of its own now."""

    project_id: ProjectId
    name: str
    path: str
    ledgers: tuple[LedgerId, ...]

    @property
    def words(self) -> str:
        stood = f" that lay in {self.path}" if self.path else ""
        return (
            f"This home keeps the record of another repository{stood}, project {short(self.project_id)} ({self.name}). "
            "Nothing of it was brought in here."
        )

    @property
    def way_back(self) -> str:
        return (
            "If this is the same repository (after its history was rewritten, say), a person brings that record back: "
            f"perdure init --restore {short(self.project_id)}"
        )


def left_out(resolved: ResolvedRequest, root: str) -> KeptRecord | None:
    """The record that would be restored here if this were its repository."""
    known = resolved.registry.at(root)
    ids = [known.project_id] if known else []
    if project.is_project(root):
        ids.append(project.identity(root).id)
    for project_id in dict.fromkeys(ids):
        kept = kept_record(resolved, project_id, root)
        if kept and not lives_elsewhere(resolved, project_id, root):
            return None if is_same_repository(resolved, root, project_id) else kept
    return None


def claimed(resolved: ResolvedRequest, root: str) -> KeptRecord | None:
    """The record that this home keeps of another repository, wherever that is now, if `project.toml` here names its id.
    For a folder without a ledger of this home: what is recorded here would be kept under that id, beside that
    record."""
    if not project.is_project(root):
        return None
    project_id = project.identity(root).id
    kept = kept_record(resolved, project_id, root)
    return kept if kept and not is_same_repository(resolved, root, project_id) else None


def refuse_claimed_id(resolved: ResolvedRequest, root: str) -> None:
    """Refuses to begin a record here under the id of another repository. `perdure init` gives the project an id of its
    own."""
    refused = refusal_of_claimed(resolved, root)
    if refused:
        raise refused


def refusal_of_claimed(resolved: ResolvedRequest, root: str) -> Refused | None:
    kept = claimed(resolved, root)
    if kept is None:
        return None
    return refusal(kept, is_in_use=lives_elsewhere(resolved, kept.project_id, root) is not None)


def give_own_id(resolved: ResolvedRequest, root: str, name: str | None) -> str:
    """If `project.toml` names the id of another repository, writes one that is this project's own. Returns what the
    person is told; empty if nothing was wrong."""
    kept = claimed(resolved, root)
    if kept is None:
        return ""
    made = project.new_identity(root, name or project.identity(root).name)
    project.write_identity(root, made)
    return (
        f"{project.toml_of(root)} named project {short(kept.project_id)}, whose record in this home is not of this "
        f"repository. This project has an id of its own now: {short(made.id)}"
    )


def refusal(kept: KeptRecord, *, is_in_use: bool = False) -> Refused:
    """`is_in_use`: that record is in its own folder, and nobody brings it back from there."""
    way_back = "" if is_in_use else f" {kept.way_back}"
    return Refused(
        "another_repository",
        kept.words,
        hint=f"A person makes this repository a project of its own, in a terminal of theirs: perdure init.{way_back}",
        details={"project_id": kept.project_id, "path": kept.path},
    )


def way_back_to(resolved: ResolvedRequest, root: str) -> str:
    """What to do if the project is no longer in `root`: not `heal` if another repository is there now, because it
    refuses then."""
    kept = left_out(resolved, root) if os.path.isdir(root) and not project.is_project(root) else None
    return f"Another repository is in {root} now. {refusal(kept).hint}" if kept else way_back(root)


def was_project(resolved: ResolvedRequest, root: str) -> bool:
    """Whether the folder is, or was, a project as far as anything remembers."""
    binding = resolved.place.binding
    is_bound = binding is not None and binding.project_path == root
    is_there = project.is_project(root) or os.path.exists(ledger_path(root))
    return is_there or is_bound or resolved.registry.at(root) is not None


def never_was(root: str) -> Refused:
    return Refused(
        "no_project",
        f"{root} is not a project, and never was one.",
        hint="Run perdure init there; or name another folder, with --project-path or PERDURE_PROJECT.",
    )


def required_root(resolved: ResolvedRequest) -> str:
    """The root of the project; a refusal that names the way back if it is not there."""
    try:
        return required_project(resolved.place)
    except Refused as error:
        root = resolved.place.project_path
        if root is not None and resolved.registry.at(root):
            error.hint = way_back_to(resolved, root)
        elif root is not None and os.path.isdir(root) and not was_project(resolved, root):
            raise never_was(root) from error
        raise


def named(resolved: ResolvedRequest, typed: str, root: str) -> KeptRecord:
    """The kept record that a person names by the beginning of its id."""
    prefix = prefix_of(typed, "The project id")
    found = [n for n in listing(os.path.join(resolved.home, "backups")) if is_uuid(n) and n.startswith(prefix)]
    kept = [record for each in found if (record := kept_record(resolved, ProjectId(each), root))]
    if len(kept) != 1:
        what = "no record of a project" if not kept else "more than one record of a project"
        raise Refused(
            "no_such_project",
            f"This home keeps {what} {prefix}.",
            hint=f"Those it keeps are in {os.path.join(resolved.home, 'backups')}.",
        )
    where = lives_elsewhere(resolved, kept[0].project_id, root)
    if where:
        raise Refused(
            "project_is_there",
            f"Project {short(kept[0].project_id)} is in {where}, and its record with it. Nothing was changed.",
            hint="To have its record here too: perdure export there, perdure import here.",
            details={"path": where},
        )
    return kept[0]


def kept_record(resolved: ResolvedRequest, project_id: ProjectId, root: str) -> KeptRecord | None:
    """The record that this home keeps under this id, whatever repository it is of."""
    folder = backup.folder_for(resolved.home, project_id)
    ledgers = event_files.ledgers_in(folder)
    if not ledgers:
        return None
    records = sorted(same_repository.every(folder), key=lambda record: record.path != root)
    if records:
        return KeptRecord(project_id=project_id, name=records[0].name, path=records[0].path, ledgers=(*ledgers,))
    entry = next(iter(resolved.registry.known_as(project_id)), None)
    return KeptRecord(
        project_id=project_id,
        name=entry.name if entry else "project",
        path=entry.path if entry else "",
        ledgers=(*ledgers,),
    )


def lives_elsewhere(resolved: ResolvedRequest, project_id: ProjectId, root: str) -> str | None:
    """The folder in which that project is now."""
    paths = (entry.path for entry in resolved.registry.known_as(project_id) if entry.path != root)
    return next((path for path in paths if project.is_project(path) and os.path.exists(ledger_path(path))), None)
