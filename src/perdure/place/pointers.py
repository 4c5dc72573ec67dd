"""Pointers from an instance to the transactions it holds, in any project (SPEC 3.4; docs/adr/0028).

One small file for each open transaction: `held/<instance>/<transaction>.json` under the home, or in the project's
`.perdure` if the home cannot be written. A pointer says where to look: the ledger there says whether the transaction is
open and who holds it. So a pointer that is old, left over or forged gives nobody a transaction.

The gate asks for the pointer too (docs/adr/0051): the file of a transaction counts only if its pointer is there,
because an older file can be put back after the transaction was closed. A pointer in the project opens the gate only if
it has a digest that is keyed with the view key.

    add(home, Pointer(instance, transaction, "/src/shop", project_id, now()), key)
    found(home, instance, ["/src/shop", "/src/outreach"])
    says(home, "/src/shop", instance, transaction_id=transaction, key=key)
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Trouble
from perdure.files import listing, make_folder, read_json, remove, write_whole
from perdure.model.digest import blake2b
from perdure.model.ids import InstanceId, ProjectId, TransactionId, is_uuid
from perdure.model.json import compact
from perdure.model.moment import Moment
from perdure.model.value import value
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perdure.model.json import Json
    from perdure.place.registry import Registry

FOLDER = "held"
OPENS, SHUT = "opens", "shut"
"""What a pointer says to the gate: the transaction's file decides; or the gate stays shut until a CHECK."""


@value
class Pointer:
    instance_id: InstanceId
    transaction_id: TransactionId
    root: str
    project_id: ProjectId
    written_at: Moment
    is_shut: bool = False
    """The gate stays shut until a CHECK, whatever the transaction's file says."""


def add(home: str, pointer: Pointer, key: bytes) -> None:
    if not _are_usable(pointer.instance_id, pointer.transaction_id):
        return
    fields: dict[str, Json] = {**pointer.__dict__}
    in_project = project.folder_of(pointer.root)
    try:
        _write(home, pointer, fields)
    except Trouble:  # the home cannot be written: the project can (SPEC 3.2)
        _write(in_project, pointer, {**fields, "digest": _digest(fields, key)})
    else:
        _drop_in(in_project, pointer.instance_id, pointer.transaction_id)


def _write(folder: str, pointer: Pointer, fields: dict[str, Json]) -> None:
    path = _path(folder, pointer.instance_id, pointer.transaction_id)
    make_folder(os.path.dirname(path))
    write_whole(path, compact(fields) + "\n")


def says(home: str, root: str, instance_id: str, *, transaction_id: str, key: bytes | None) -> str | None:
    """What the pointer to this transaction says to the gate: `OPENS`, `SHUT`, or None if there is no pointer. A pointer
    in the project counts if the one in the home does not open the gate: it is newer then, because it is written only
    if the home cannot be."""
    if not _are_usable(instance_id, transaction_id):
        return None
    said = None
    for folder in (home, project.folder_of(root)):
        fields = _fields(_path(folder, InstanceId(instance_id), TransactionId(transaction_id)))
        if fields is None or (folder != home and not _is_ours(fields, transaction_id, key)):
            continue
        if fields.get("is_shut") is not True:
            return OPENS
        said = SHUT
    return said


def _fields(path: str) -> dict[str, Json] | None:
    try:
        return read_json(path)
    except Trouble:
        return None  # a pointer that cannot be read counts as missing


def _is_ours(fields: dict[str, Json], transaction_id: str, key: bytes | None) -> bool:
    """Whether this home wrote a pointer that is in a project. A repository could bring one."""
    if key is None or fields.get("transaction_id") != transaction_id:
        return False
    return fields.get("digest") == _digest(fields, key)


def _digest(fields: dict[str, Json], key: bytes) -> str:
    covered = {name: content for name, content in fields.items() if name != "digest"}
    return blake2b(compact(covered).encode(), key=key, digest_size=32, person=b"perdure-held").hexdigest()


def drop(home: str, root: str, instance_id: InstanceId, *, transaction_id: TransactionId) -> None:
    """Removes the pointer. One that cannot be removed does no harm: the ledger says that the transaction is closed."""
    if not _are_usable(instance_id, transaction_id):
        return
    for folder in (home, project.folder_of(root)):
        _drop_in(folder, instance_id, transaction_id)


def _drop_in(folder: str, instance_id: InstanceId, transaction_id: TransactionId) -> None:
    try:
        remove(_path(folder, instance_id, transaction_id))
    except Trouble:
        return


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
        is_shut=raw.get("is_shut") is True,
    )
