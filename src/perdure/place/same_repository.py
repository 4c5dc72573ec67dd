"""Is the repository at a path the one whose record this home keeps? (SPEC 3.5, 16.3)

Neither a path nor an id proves it: another repository may be at the path by now, and any repository can bring a
`project.toml`. So each project's backup has a small file for each folder that the project was in, `repository-<hash of
the path>.json`: the repository's root commits, its latest commit, and the inode of its git folder.

It is the same repository if it has one of those commits; or if the repository that the record was made in is still
there and has this one's latest commit, as with a shallow clone of it; or if the git folder (or plain folder) has the
same inode and contains something older than the last look, since a folder that is made anew may get an old inode. If
nothing proves it, it is not the same, and a person decides (`perdure init --restore`).

    is_same("~/.perdure/backups/<id>", project_id, "/src/shop")
"""

from __future__ import annotations

import os
from time import time_ns

from perdure.errors import Trouble
from perdure.files import listing, make_folder, read_json, remove, write_whole
from perdure.model.digest import sha256
from perdure.model.ids import LedgerId, ProjectId, derived_id
from perdure.model.json import compact
from perdure.model.value import replace, value
from perdure.place import project, repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.model.json import Json

_BEGINS, _ENDS = "repository-", ".json"
_LOOK_LASTS = 24 * 3600 * 10**9
"""Nanoseconds. A look that found nothing new is written down again only after this time."""


@value
class RepositoryRecord:
    path: str
    name: str
    ledgers: tuple[LedgerId, ...]
    commits: tuple[str, ...]
    git_inode: int | None
    """None if there was no git."""
    folder_inode: int
    seen_at: int
    """Nanoseconds."""


def keep(folder: str, root: str, name: str, *, ledgers: Iterable[LedgerId], again: bool = True) -> None:
    """Records what the repository is now. `again`: ask git even if commits are known already."""
    before = at(folder, root)
    commits = before.commits if before else ()
    common = _common(root)
    try:
        if common and (again or not commits):
            commits = repository.landmarks(root) or commits
        made = RepositoryRecord(
            path=root,
            name=name,
            ledgers=tuple(ledgers),
            commits=commits,
            git_inode=os.stat(common).st_ino if common else None,
            folder_inode=os.stat(root).st_ino,
            seen_at=time_ns(),
        )
        if before and _is_known_already(made, before):
            return
        make_folder(folder)
        write_whole(_file(folder, root), compact(made.__dict__) + "\n")
    except (OSError, Trouble):
        return  # the home cannot be written: what was known before still holds


def _is_known_already(made: RepositoryRecord, before: RepositoryRecord) -> bool:
    is_recent = made.seen_at - before.seen_at < _LOOK_LASTS
    return is_recent and replace(made, seen_at=before.seen_at) == before


def drop(folder: str, root: str) -> None:
    """Removes the record of this folder: the project is elsewhere now."""
    try:
        remove(_file(folder, root))
    except Trouble:
        return  # it does no harm: it only says which repository it was


def at(folder: str, root: str) -> RepositoryRecord | None:
    found = _read(_file(folder, root))
    return found if found and found.path == root else None


def every(folder: str) -> list[RepositoryRecord]:
    """Newest first."""
    names = [name for name in listing(folder) if name.startswith(_BEGINS) and name.endswith(_ENDS)]
    found = [record for name in names if (record := _read(os.path.join(folder, name)))]
    return sorted(found, key=lambda record: -record.seen_at)


def is_same(folder: str, project_id: ProjectId, root: str) -> bool:
    """Whether the repository at this root is the one that the project's backup was made in."""
    here = at(folder, root)
    if here and _is_same_folder(here, root):
        return True
    if _common(root) is None:
        return False
    records = every(folder)
    known = [commit for record in records for commit in record.commits]
    if repository.has_any(root, known) or _is_taken_from(root, records):
        return True
    return any(derived_id("project", commit) == project_id for commit in repository.root_commits(root))


def _is_taken_from(root: str, records: list[RepositoryRecord]) -> bool:
    """Whether one of the recorded repositories is where it was and has a commit of the one at this root."""
    there = [record.path for record in records if record.path != root and _is_same_folder(record, record.path)]
    commits = repository.landmarks(root) if there else ()
    return any(repository.has_any(path, commits) for path in there)


def is_of_one_repository(folder: str, root: str) -> bool:
    """Whether every repository that the project's backup was made in has a commit in common with the one at this root.
    A repository that only claims the project's id has none."""
    return all(repository.has_any(root, each.commits) for each in every(folder) if each.path != root)


def _is_same_folder(known: RepositoryRecord, root: str) -> bool:
    base: str | None = root
    inode = known.folder_inode
    if known.git_inode is not None:
        base = _common(root)
        inode = known.git_inode
    if base is None:
        return False
    try:
        return os.stat(base).st_ino == inode and _has_entry_from_before(base, known.seen_at)
    except OSError:
        return False


def _has_entry_from_before(folder: str, moment: int) -> bool:
    with os.scandir(folder) as entries:
        for entry in entries:
            is_ours = entry.name in (project.FOLDER, ".git")
            if not is_ours and entry.stat(follow_symlinks=False).st_ctime_ns <= moment:
                return True
    return False


def _common(root: str) -> str | None:
    """The git folder of the repository whose main work tree this is."""
    found = repository.enclosing(root)
    return found.common if found and found.main == root else None


def _file(folder: str, root: str) -> str:
    digest = sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return os.path.join(folder, f"{_BEGINS}{digest}{_ENDS}")


def _read(path: str) -> RepositoryRecord | None:
    raw = read_json(path) or {}
    root, name, ledgers, commits = (raw.get(k) for k in ("path", "name", "ledgers", "commits"))
    git_inode, folder_inode, seen_at = (raw.get(k) for k in ("git_inode", "folder_inode", "seen_at"))
    if not isinstance(root, str) or not isinstance(folder_inode, int) or not isinstance(seen_at, int):
        return None
    return RepositoryRecord(
        path=root,
        name=str(name),
        ledgers=tuple(LedgerId(each) for each in _texts(ledgers)),
        commits=_texts(commits),
        git_inode=git_inode if isinstance(git_inode, int) else None,
        folder_inode=folder_inode,
        seen_at=seen_at,
    )


def _texts(raw: Json) -> tuple[str, ...]:
    return tuple(each for each in raw if isinstance(each, str)) if isinstance(raw, list) else ()
