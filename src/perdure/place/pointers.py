"""Pointers from an instance to the transactions it holds, in any project (SPEC 3.4; docs/adr/0028).

One small file for each open transaction: `held/<instance>/<transaction>.json` under the home, or in the project's
`.perdure` if the home cannot be written. A pointer only says where to look: the ledger there says whether the
transaction is open and who holds it. So a pointer that is old, left over or forged gives nobody a transaction.

    add(home, Pointer(instance, transaction, "/src/shop", project_id, now()))
    found(home, instance, ["/src/shop", "/src/outreach"])
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Trouble
from perdure.files import listing, make_folder, read_json, remove, write_whole
from perdure.model.ids import InstanceId, ProjectId, TransactionId, is_uuid
from perdure.model.json import compact
from perdure.model.moment import Moment
from perdure.model.value import value
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perdure.place.registry import Registry

FOLDER = "held"


@value
class Pointer:
    instance_id: InstanceId
    transaction_id: TransactionId
    root: str
    project_id: ProjectId
    written_at: Moment


def add(home: str, pointer: Pointer) -> None:
    if not _are_usable(pointer.instance_id, pointer.transaction_id):
        return
    text = compact({**pointer.__dict__}) + "\n"
    for folder in (home, project.folder_of(pointer.root)):
        path = _path(folder, pointer.instance_id, pointer.transaction_id)
        try:
            make_folder(os.path.dirname(path))
            write_whole(path, text)
        except Trouble:
            if folder != home:
                raise
            continue  # the home cannot be written: the project can (SPEC 3.2)
        return


def drop(home: str, root: str, instance_id: InstanceId, *, transaction_id: TransactionId) -> None:
    """Removes the pointer. One that cannot be removed does no harm: the ledger says that the transaction is closed."""
    if not _are_usable(instance_id, transaction_id):
        return
    for folder in (home, project.folder_of(root)):
        try:
            remove(_path(folder, instance_id, transaction_id))
        except Trouble:
            continue


def drop_all(home: str, is_meant: Callable[[Pointer], bool]) -> int:
    """Removes the pointers to a project that was forgotten, whichever instance wrote them; returns how many."""
    meant = [pointer for pointer in every(home) if is_meant(pointer)]
    for pointer in meant:
        remove(_path(home, pointer.instance_id, pointer.transaction_id))
    return len(meant)


def every(home: str) -> list[Pointer]:
    """The pointers in the home, of all instances."""
    return [pointer for name in listing(os.path.join(home, FOLDER)) for pointer in _in(home, InstanceId(name))]


def holders(home: str, root: str | None) -> set[InstanceId]:
    """The ids of all instances that pointers in the home, or in the project at this root, are about."""
    folders = (home, *([project.folder_of(root)] if root else []))
    names = {name for folder in folders for name in listing(os.path.join(folder, FOLDER))}
    return {InstanceId(name) for name in names if is_uuid(name)}


def is_at(pointer: Pointer, root: str) -> bool:
    """Whether the project at this root is the one in which the transaction was opened. Another repository may be at its
    path by now. A `project.toml` that cannot be read is taken for the same one: opening the project reports it."""
    try:
        return project.is_project(root) and project.identity(root).id == pointer.project_id
    except BadInput:
        return True


def whereabouts(pointer: Pointer, registry: Registry, here: str | None) -> Iterator[str]:
    """Where to look for the transaction: the project at the path where it was opened (its ledger decides, even if the
    project has another id now); if that is gone or another project, where the project is known to be now (SPEC 3.5).
    Just after a move the new place may not be registered yet, although the caller is in it."""
    if project.is_project(pointer.root):
        yield pointer.root
    if is_at(pointer, pointer.root):
        return
    known = [entry.path for entry in registry.known_as(pointer.project_id)]
    if here and here not in known and is_at(pointer, here):
        known.insert(0, here)
    yield from (path for path in known if path != pointer.root and project.is_project(path))


def is_there(home: str, root: str, instance_id: InstanceId, *, transaction_id: TransactionId) -> bool:
    folders = (home, project.folder_of(root))
    return any(os.path.exists(_path(folder, instance_id, transaction_id)) for folder in folders)


def found(home: str, instance_id: InstanceId, roots: Iterable[str]) -> list[Pointer]:
    """The pointers in the home and in these projects, each once. A pointer in a project may only point to that
    project."""
    pointers = {pointer.transaction_id: pointer for pointer in _in(home, instance_id)}
    for root in roots:
        for pointer in _in(project.folder_of(root), instance_id):
            if pointer.root == root:
                pointers.setdefault(pointer.transaction_id, pointer)
    return sorted(pointers.values(), key=lambda pointer: pointer.written_at, reverse=True)


def _are_usable(*ids: str) -> bool:
    """These ids become file names, and an imported chain may have anything as an id."""
    return all(is_uuid(each) for each in ids)


def _path(folder: str, instance_id: InstanceId, transaction_id: TransactionId) -> str:
    return os.path.join(folder, FOLDER, instance_id, f"{transaction_id}.json")


def _in(folder: str, instance_id: InstanceId) -> list[Pointer]:
    here = os.path.join(folder, FOLDER, instance_id)
    try:
        read = [_read(os.path.join(here, name), instance_id) for name in listing(here) if name.endswith(".json")]
    except Trouble:
        return []  # a pointer that cannot be read is ignored
    return [pointer for pointer in read if pointer]


def _read(path: str, instance_id: InstanceId) -> Pointer | None:
    raw = read_json(path) or {}
    transaction, root, project_id, at = (raw.get(k) for k in ("transaction_id", "root", "project_id", "written_at"))
    if not (isinstance(transaction, str) and is_uuid(transaction) and isinstance(root, str) and os.path.isabs(root)):
        return None
    if not (isinstance(project_id, str) and is_uuid(project_id) and type(at) is int):
        return None
    return Pointer(
        instance_id=instance_id,
        transaction_id=TransactionId(transaction),
        root=root,
        project_id=ProjectId(project_id),
        written_at=Moment(at),
    )
