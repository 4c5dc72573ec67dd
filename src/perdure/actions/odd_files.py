"""Finds what stands in the place of one of Perdure's files or folders and is something else: a pipe, a link, a folder
for a file, a log of another database (SPEC 16.3).

`audit verify` names them and `heal` renames them, so that the work goes on. Nobody opens them, since a pipe would be
waited for; nobody deletes them, since it is not known whose they are. Links that lead to a file or a folder are
a person's own way to keep things elsewhere. But git brings links, too: `.perdure`, the folders in it, the ledger,
the files beside it and `.gitignore` may not be links.

    for odd in in_project(root): set_aside(odd.path, now)
"""

from __future__ import annotations

import os
import stat

from perdure.actions import backup, erasures, observing, segments, wiring
from perdure.actions.ledger_origin import ledger_path
from perdure.files import listing, trouble
from perdure.model import moment
from perdure.model.ids import is_hash, is_uuid
from perdure.model.value import value
from perdure.place import git_ignore, project
from perdure.settings import project_file
from perdure.views import (
    damage,
    handoff_file,
    head_files,
    notes_file,
    own_ledgers,
    redaction_notes,
    sealed_notes,
    state_file,
    store_secrets,
    trajectory_lines,
    transaction_file,
    written_views,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.model.ids import ProjectId

FILE, FOLDER, LEADS_NOWHERE = "a file", "a folder", "a link that leads nowhere"
_FOLDERS_IN_HOME = ("backups", "bindings", "heads", "keys", "ledgers", "paused", "projects", "resumed", "stores")
_FILES_IN_HOME = (".json", ".jsonl", ".seal", f".{erasures.ANNOUNCED}", f".{erasures.FINISHED}")
_KEYS = ("signers", "signing.key", "view.key")
_KINDS = (
    (stat.S_ISDIR, FOLDER),
    (stat.S_ISREG, FILE),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


@value
class OddFile:
    path: str
    kind: str
    wanted: str

    def __str__(self) -> str:
        return f"{self.path} is {self.kind}, where Perdure keeps {self.wanted}"


def in_project(root: str) -> list[OddFile]:
    folder = project.folder_of(root)
    itself = list(_odd([folder], FOLDER, may_be_link=False))
    if itself:
        return itself
    ledger = [ledger_path(root) + ending for ending in ("", *wiring.STORE.BESIDE)]
    views = (n for n in listing(folder) if n.startswith(transaction_file.PREFIX) and n.endswith(".json"))
    names = (
        damage.NAME,
        damage.UNHEALED,
        erasures.ANNOUNCED,
        erasures.FINISHED,
        erasures.UNDERWAY,
        observing.MARK,
        own_ledgers.MARK,
        store_secrets.MARK,
        *views,
    )
    files = [project.toml_of(root), project_file(root), *(os.path.join(folder, name) for name in names)]
    exported = os.path.join(folder, segments.FOLDER)
    own = (
        "bindings",
        sealed_notes.CALLS.folder,
        sealed_notes.DENIED.folder,
        segments.FOLDER,
        trajectory_lines.FOLDER,
        handoff_file.FOLDER,
        state_file.FOLDER,
    )
    folders = [os.path.join(folder, name) for name in own]
    folders += [os.path.join(exported, name) for name in listing(exported) if is_uuid(name)]
    written = [os.path.join(folder, name) for name in (notes_file.NAME, written_views.NAME)]
    written += _views_in(folder)
    no_links = list(_odd([*ledger, git_ignore.path_of(root), *written], FILE, may_be_link=False))
    named = {odd.path for odd in no_links}  # a link to a log of another database is set aside once
    return [
        *no_links,
        *(odd for odd in _stray_logs(root) if odd.path not in named),
        *_odd(files, FILE),
        *_odd(folders, FOLDER, may_be_link=False),
    ]


def _views_in(folder: str) -> list[str]:
    """What has the name of a handoff, a state checkpoint or a day of the trajectory. A folder that is a link is odd
    itself; what it leads to is not looked at."""
    endings = (*handoff_file.ENDINGS, trajectory_lines.ENDING)
    names = (handoff_file.FOLDER, state_file.FOLDER, trajectory_lines.FOLDER)
    real = (path for name in names if not os.path.islink(path := os.path.join(folder, name)))
    return [os.path.join(path, name) for path in real for name in listing(path) if name.endswith(endings)]


def _stray_logs(root: str) -> list[OddFile]:
    if _kind(ledger_path(root), may_be_link=False) != FILE:  # what stands there is odd itself
        return []
    return [
        OddFile(path, "a log that this ledger did not write", "its own")
        for path in wiring.STORE.strays(ledger_path(root))
    ]


def in_home(home: str, projects: Iterable[ProjectId]) -> list[OddFile]:
    """In the parts of the home that concern these projects."""
    itself = list(_odd([home], FOLDER))
    if itself:
        return itself
    folders = [os.path.join(home, name) for name in _FOLDERS_IN_HOME]
    for each in sorted(projects):
        folders += [backup.folder_for(home, each), head_files.folder_for(home, each)]
    files = [os.path.join(home, "keys", name) for name in _KEYS]
    files += [os.path.join(home, "ledgers", name) for name in listing(os.path.join(home, "ledgers")) if is_uuid(name)]
    stores = os.path.join(home, store_secrets.FOLDER)
    files += [os.path.join(stores, name) for name in listing(stores) if is_hash(name)]
    notes = redaction_notes.folder_in(home)
    folders.append(notes)
    files += [os.path.join(notes, name) for name in listing(notes) if is_hash(name)]
    for folder in folders:
        files += [os.path.join(folder, name) for name in listing(folder) if name.endswith(_FILES_IN_HOME)]
    return [*_odd(folders, FOLDER), *_odd(files, FILE)]


def _odd(paths: Iterable[str], wanted: str, *, may_be_link: bool = True) -> Iterator[OddFile]:
    for path in paths:
        kind = _kind(path, may_be_link=may_be_link)
        if kind and kind != wanted:
            yield OddFile(path, kind, wanted)


def _kind(path: str, *, may_be_link: bool) -> str:
    """Empty where there is nothing, or where that is not known."""
    try:
        is_link = stat.S_ISLNK(os.lstat(path).st_mode)
        mode = os.stat(path).st_mode
        if is_link and not may_be_link:
            return f"a link to {os.path.realpath(path)}"
    except OSError:
        return LEADS_NOWHERE if os.path.islink(path) else ""
    return next((kind for is_kind, kind in _KINDS if is_kind(mode)), "no file")


def set_aside(path: str, at: moment.Moment) -> str:
    """Renames it, in the same folder, and returns the new path."""
    aside = free_name(path, at, "odd")
    try:
        os.rename(path, aside)
    except OSError as error:
        raise trouble(error, path) from error
    return aside


def free_name(path: str, at: moment.Moment, why: str) -> str:
    """`<path>.<why>-<time>`, where nothing is called so yet."""
    wanted = aside = f"{path}.{why}-{compact_stamp(at)}"
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{wanted}-{number}"
    return aside


def compact_stamp(at: moment.Moment) -> str:
    return moment.stamp(at).replace(":", "").replace(".", "")
