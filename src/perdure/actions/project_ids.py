"""Which id a project has, where `project.toml` contradicts what this home or the ledger says (SPEC 3.5, docs/adr/0049).

Git can change `project.toml`, and backup and heads are stored under the id that is in it. So the file is not believed:
if the home knows the folder under another id, or the events of the ledger name another project, nothing is written
under the new id until a person accepts it.

    refuse_another_id(desk)
    known_otherwise(resolved, root) → KeptRecord | None
    not_brought_in(resolved, root) → ["the record of project 3f2a91c4 (shop), which this home keeps …"]
"""

from __future__ import annotations

import os

from perdure.actions import backup
from perdure.actions.ledger_origin import is_same_repository, proved_id
from perdure.actions.other_repository import claimed, kept_record, lives_elsewhere, refusal_of_claimed
from perdure.errors import BadInput, Refused
from perdure.files import listing
from perdure.model.event import Ref
from perdure.model.ids import ProjectId, is_uuid, short, told_apart
from perdure.model.shell_quote import quote
from perdure.place import project, repository, same_repository
from perdure.views import event_files, own_ledgers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.other_repository import KeptRecord
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import ReadableLedger

_ACCEPT = "if the change was intended, a person runs perdure audit acknowledge --because '…'"


# -- with a ledger -----------------------------------------------------------------------------------------------------


def refuse_another_id(desk: Desk, *, is_accepted: bool = False) -> None:
    """Refuses, before anything is written, if the project has another id than `project.toml` says. `is_accepted`: a
    person accepts the id in `project.toml`, which is refused only if it is the id of another repository."""
    other = other_id(desk.resolved, desk.root, desk.ledger)
    if other and not (is_accepted and claimed(desk.resolved, desk.root) is None):
        raise _another_id(desk, other)


def other_id(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> ProjectId | None:
    """The id that the home has for this ledger, if `project.toml` has another one. If the home does not know the ledger
    in this folder (it was moved or copied, or the registry is lost), the ledger's last event says it."""
    known, head = resolved.registry.at(root), ledger.head()
    if known and head.ledger_id in known.ledgers:
        said = known.project_id
    else:
        last = ledger.event(Ref(head.ledger_id, head.seq))
        said = last.project_id if last and is_uuid(last.project_id) else ProjectId("")
    return said if said and said != project.identity(root).id else None


def _another_id(desk: Desk, other: ProjectId) -> Refused:
    known, resolved = desk.resolved.registry.at(desk.root), desk.resolved
    here, there = told_apart(desk.identity.id, other)
    is_known = known is not None and known.project_id == other
    says = f"this home knows it as {there}" if is_known else f"its ledger is of project {there}"
    return Refused(
        "another_project_id",
        f"{project.toml_of(desk.root)} says that this is project {here}; {says}. Nothing was written.",
        hint=_way_out(resolved, desk.root, desk.ledger, other=other),
    )


def warning(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> str:
    """The sentence that `status` shows about it; empty if the ids agree."""
    other = other_id(resolved, root, ledger)
    if other is None:
        return ""
    here, there = told_apart(project.identity(root).id, other)
    return (
        f"{project.toml_of(root)} says that this is project {here}, but it is project {there}: nothing is "
        f"recorded until that is settled. {_way_out(resolved, root, ledger, other=other)}"
    )


def _way_out(resolved: ResolvedRequest, root: str, ledger: ReadableLedger, *, other: ProjectId) -> str:
    in_toml = project.identity(root).id
    proved = proved_id(resolved.home, root, ledger, ids={other, in_toml})
    known = resolved.registry.at(root)
    if proved == in_toml and known and known.project_id == other:
        return "The record proves the first: perdure heal enters it in the home again."
    if claimed(resolved, root):
        return f'Put back id = "{other}": project {short(in_toml)} is another repository.'
    if proved == other:
        return f'Put back id = "{other}"; or, {_ACCEPT}'
    return f"Nothing proves which one is right. Put the right id there; or, {_ACCEPT}"


# -- without a ledger --------------------------------------------------------------------------------------------------


def known_otherwise(resolved: ResolvedRequest, root: str) -> KeptRecord | None:
    """The record that this home keeps of the repository at this root, under another id than `project.toml` has. None if
    the home knows the folder by the id in `project.toml`, or keeps no record for it."""
    try:
        in_toml = project.identity(root).id if project.is_project(root) else None
    except BadInput:  # it names no id
        in_toml = None
    if in_toml is None:
        return None
    for project_id in _ids_of_folder(resolved, root, in_toml):
        kept = kept_record(resolved, project_id, root) if project_id != in_toml else None
        if kept and is_same_repository(resolved, root, project_id):
            return kept
    return None


def _ids_of_folder(resolved: ResolvedRequest, root: str, in_toml: ProjectId) -> list[ProjectId]:
    """The registry says it. If that does not know the folder, the backups say it: each has a file for each folder that
    its project was in; the newest comes first. If the folder was moved, the mark in it names a chain of one of them."""
    known = resolved.registry.at(root)
    if known:
        return [known.project_id]
    if kept_record(resolved, in_toml, root) and is_same_repository(resolved, root, in_toml):
        return []
    ids = _ids_in_backups(resolved)
    found = [(each, same_repository.at(backup.folder_for(resolved.home, each), root)) for each in ids]
    seen = [(record.seen_at, each) for each, record in found if record]
    moved = [each for each in ids if _is_marked(resolved, root, each) and not lives_elsewhere(resolved, each, root)]
    return [*(each for _, each in sorted(seen, reverse=True)), *moved]


def _ids_in_backups(resolved: ResolvedRequest) -> list[ProjectId]:
    return [ProjectId(name) for name in listing(os.path.join(resolved.home, "backups")) if is_uuid(name)]


def _is_marked(resolved: ResolvedRequest, root: str, project_id: ProjectId) -> bool:
    """Whether this home wrote a chain of that project in this folder, wherever the folder was then."""
    folder = project.folder_of(root)
    chains = event_files.ledgers_in(backup.folder_for(resolved.home, project_id)) if os.path.isdir(folder) else []
    return any(own_ledgers.is_marked(folder, chain) for chain in chains)


def not_brought_in(resolved: ResolvedRequest, root: str) -> list[str]:
    """For a folder in which a record begins anew: what to say of each record that this home keeps of the same
    repository under another id, and whose folder is gone. Nobody but a person knows whether it belongs here."""
    in_toml, commits = project.identity(root).id, frozenset(repository.landmarks(root))
    return [
        f"the record of project {short(kept.project_id)} ({kept.name}), which this home keeps of this repository under "
        f"another id. If it belongs here, a person runs perdure init {quote(root)} --restore {short(kept.project_id)}; "
        f"what was recorded here until then stays in a file. It lay in {kept.path}, which is gone"
        for project_id in (_ids_in_backups(resolved) if commits else [])
        if project_id != in_toml and _was_of_repository(resolved, root, project_id, commits=commits)
        if (kept := kept_record(resolved, project_id, root))
    ]


def _was_of_repository(resolved: ResolvedRequest, root: str, project_id: ProjectId, *, commits: frozenset[str]) -> bool:
    """Whether the project was in a repository with one of these commits, and is in no folder now."""
    records = same_repository.every(backup.folder_for(resolved.home, project_id))
    is_there = any(project.is_project(record.path) for record in records if record.path != root)
    is_of_it = any(not commits.isdisjoint(record.commits) for record in records)
    return is_of_it and not is_there and lives_elsewhere(resolved, project_id, root) is None


def refuse_to_begin(resolved: ResolvedRequest, root: str) -> None:
    """For agents and hooks, and for commands that need a record: refuses where the home keeps the record under another
    id, so that no empty one is begun beside it."""
    kept = known_otherwise(resolved, root)
    if kept:
        raise Refused(
            "another_project_id",
            f"{_contradiction(root, kept)} The ledger is not here. Nothing was begun or restored.",
            hint=_in_a_terminal(kept),
            details={"project_id": kept.project_id, "path": root},
        )


def put_back(root: str, kept: KeptRecord) -> str:
    """Writes the id that the home knows into `project.toml`; returns what the person is told."""
    said = _contradiction(root, kept)
    project.write_identity(root, project.Identity(kept.project_id, kept.name))
    return (
        f'{said} The known id was put back: id = "{kept.project_id}". If the other one is meant, write it there again; '
        "then a person runs perdure audit acknowledge --because '…'"
    )


def only_way_out(resolved: ResolvedRequest, root: str) -> str:
    """What to do where there is no ledger of this home, and `heal` refuses or needs a person because of the id in
    `project.toml`; empty if that is not so."""
    kept = known_otherwise(resolved, root)
    if kept:
        return _in_a_terminal(kept)
    try:
        refused = refusal_of_claimed(resolved, root)
    except BadInput:  # project.toml cannot be read, which the audit says
        return ""
    return refused.hint if refused else ""


def _contradiction(root: str, kept: KeptRecord) -> str:
    here, there = told_apart(project.identity(root).id, kept.project_id)
    return (
        f"{project.toml_of(root)} says that this is project {here}; this home knows this folder as project "
        f"{there}, and keeps its record under that id."
    )


def _in_a_terminal(kept: KeptRecord) -> str:
    return (
        "A person runs perdure heal in a terminal of their own. It writes the known id "
        f"({short(kept.project_id)}) into project.toml again and restores the record."
    )
