"""Pointers from an instance to the transactions it holds, in any project (SPEC 3.4; docs/adr/0028).

One small file for each open transaction: `held/<instance>/<transaction>.json` under the home, or in the project's
`.perdure` if the home cannot be written. A pointer says where to look: the ledger there says whether the transaction is
open and who holds it. So a pointer that is old, left over or forged gives nobody a transaction.

The gate asks for the pointer too (docs/adr/0051): the file of a transaction counts only if its pointer is there,
because an older file can be put back after the transaction was closed. A pointer in the project opens the gate only if
it has a digest that is keyed with the view key, and only if the home has none that was written later. Whoever can write
the home next takes it over (`take_over`). When such a transaction is closed, the pointer stays and says so.

    add(home, TransactionPointer(instance, transaction, "/src/shop", project_id, now()), key)
    pointers_of(home, instance, ["/src/shop", "/src/outreach"])
    says_to_gate(home, "/src/shop", instance, transaction_id=transaction, key=key)
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Trouble
from perdure.files import listing, make_folder, read_json, remove, write_whole
from perdure.model.digest import blake2b
from perdure.model.ids import InstanceId, ProjectId, TransactionId, is_uuid
from perdure.model.json import compact, compact_bytes
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


_IS_CLOSED, _WAS_IN_PROJECT = "is_closed", "was_in_project"


@value
class TransactionPointer:
    instance_id: InstanceId
    transaction_id: TransactionId
    root: str
    project_id: ProjectId
    written_at: Moment
    is_shut: bool = False
    """The gate stays shut until a CHECK, whatever the transaction's file says."""


def add(home: str, pointer: TransactionPointer, key: bytes) -> None:
    if not _are_usable(pointer.instance_id, pointer.transaction_id):
        return
    before = _Entries(home, pointer.root, pointer.instance_id, transaction_id=pointer.transaction_id, key=key)
    before.write({**pointer.__dict__, "written_at": max(pointer.written_at, before.latest + 1)})


class _Entries:
    """What the home and the project say about one transaction. The entry that was written later counts: one is written
    in the project only if the home cannot be, and an older one may come back there with an older `.perdure`."""

    def __init__(self, home: str, root: str, instance_id: str, *, transaction_id: str, key: bytes | None) -> None:
        ids = InstanceId(instance_id), TransactionId(transaction_id)
        self._key = key
        self._home_path, self._project_path = _path(home, *ids), _path(project.folder_of(root), *ids)
        self.in_home, self.in_project = _fields(self._home_path), _fields(self._project_path)
        if self.in_project is not None and not _is_ours(self.in_project, transaction_id, key):
            self.in_project = None

    @property
    def latest(self) -> int:
        return max(_written_at(self.in_home), _written_at(self.in_project))

    @property
    def counts(self) -> dict[str, Json] | None:
        is_project_newer = _written_at(self.in_project) > _written_at(self.in_home)
        return self.in_project if is_project_newer or self.in_home is None else self.in_home

    @property
    def _was_in_project(self) -> bool:
        return self.in_project is not None or (self.in_home or {}).get(_WAS_IN_PROJECT) is True

    def write(self, fields: dict[str, Json]) -> None:
        """In the home; in the project if the home cannot be written (SPEC 3.2)."""
        try:
            self._write_in_home(fields)
        except Trouble:
            if self._key is not None:
                _write(self._project_path, {**fields, "digest": _digest(fields, self._key)})

    def _write_in_home(self, fields: dict[str, Json]) -> None:
        kept = {name: content for name, content in fields.items() if name != "digest"}
        _write(self._home_path, {**kept, **({_WAS_IN_PROJECT: True} if self._was_in_project else {})})
        _remove(self._project_path)

    def close(self) -> None:
        """No entry, if there never was one in the project. Else an entry that says that the transaction is closed: it
        outranks each one that an older `.perdure` brings back."""
        said = self.counts
        if said is None:
            return
        if self._was_in_project or not _remove(self._home_path):
            self.write({**said, _IS_CLOSED: True, "written_at": self.latest + 1})

    def take_over(self, *, is_closed: bool) -> bool:
        """Puts what the project's entry says into the home, and removes it from the project; whether it could."""
        fields = self.in_project or {}
        try:
            if self.counts is self.in_project:
                self._write_in_home({**fields, **({_IS_CLOSED: True} if is_closed else {})})
            return _remove(self._project_path)
        except Trouble:
            return False


def _write(path: str, fields: dict[str, Json]) -> None:
    make_folder(os.path.dirname(path))
    write_whole(path, compact(fields) + "\n")


def _remove(path: str) -> bool:
    try:
        remove(path)
    except Trouble:
        return False
    return True


def _written_at(fields: dict[str, Json] | None) -> int:
    at = fields.get("written_at") if fields else None
    return at if type(at) is int else 0


def take_over(home: str, root: str, *, key: bytes, is_closed: Callable[[TransactionId], bool]) -> list[TransactionId]:
    """Takes the entries of this project that were written while the home could not be, into the home; returns whose.
    Then an older `.perdure` brings none back that counts."""
    taken = []
    folder = os.path.join(project.folder_of(root), FOLDER)
    for instance_id in listing(folder):
        for name in listing(os.path.join(folder, instance_id)):
            transaction_id = TransactionId(name.removesuffix(".json"))
            if not _are_usable(instance_id, transaction_id):
                continue
            found = _Entries(home, root, instance_id, transaction_id=transaction_id, key=key)
            is_here = found.in_project is not None and found.in_project.get("root") == root
            if is_here and found.take_over(is_closed=is_closed(transaction_id)):
                taken.append(transaction_id)
    return taken


def says_to_gate(home: str, root: str, instance_id: str, *, transaction_id: str, key: bytes | None) -> str | None:
    """What the pointer to this transaction says to the gate: `OPENS`, `SHUT`, or None if there is no pointer, or one
    that says that the transaction is closed."""
    if not _are_usable(instance_id, transaction_id):
        return None
    said = _Entries(home, root, instance_id, transaction_id=transaction_id, key=key).counts
    if said is None or said.get(_IS_CLOSED) is True:
        return None
    return SHUT if said.get("is_shut") is True else OPENS


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
    return blake2b(compact_bytes(covered), key=key, digest_size=32, person=b"perdure-held").hexdigest()


def drop(home: str, root: str, instance_id: InstanceId, *, transaction_id: TransactionId, key: bytes | None) -> None:
    """The instance does not hold the transaction any more. A pointer that cannot be removed does no harm to those who
    ask the ledger; the gate asks the project too."""
    if _are_usable(instance_id, transaction_id):
        _Entries(home, root, instance_id, transaction_id=transaction_id, key=key).close()


def follow(home: str, before: str, now: str, *, is_meant: Callable[[TransactionId], bool]) -> None:
    """The project was moved. A pointer to the old folder would be taken for that of a copy that is put there."""
    for pointer in all_pointers(home):
        if pointer.root == before and is_meant(pointer.transaction_id):
            path = _path(home, pointer.instance_id, pointer.transaction_id)
            try:
                _write(path, {**(_fields(path) or {}), "root": now})
            except Trouble:
                return  # the home cannot be written: the registry still leads from the old folder to the new one


def drop_all(home: str, is_meant: Callable[[TransactionPointer], bool]) -> int:
    """Removes the pointers to a project that was forgotten, whichever instance wrote them; returns how many."""
    meant = [pointer for pointer in all_pointers(home) if is_meant(pointer)]
    for pointer in meant:
        remove(_path(home, pointer.instance_id, pointer.transaction_id))
    return len(meant)


def all_pointers(home: str) -> list[TransactionPointer]:
    """The pointers in the home, of all instances."""
    return [pointer for name in listing(os.path.join(home, FOLDER)) for pointer in _in(home, InstanceId(name))]


def holders(home: str, root: str | None) -> set[InstanceId]:
    """The ids of all instances that pointers in the home, or in the project at this root, are about."""
    folders = (home, *([project.folder_of(root)] if root else []))
    names = {name for folder in folders for name in listing(os.path.join(folder, FOLDER))}
    return {InstanceId(name) for name in names if is_uuid(name)}


def is_at(pointer: TransactionPointer, root: str) -> bool:
    """Whether the project at this root is the one in which the transaction was opened. Another repository may be at its
    path by now. A `project.toml` that cannot be read is taken for the same one: opening the project reports it."""
    try:
        return project.is_project(root) and project.identity(root).id == pointer.project_id
    except BadInput:
        return True


def whereabouts(pointer: TransactionPointer, registry: Registry, here: str | None) -> Iterator[str]:
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


def pointers_of(home: str, instance_id: InstanceId, roots: Iterable[str]) -> list[TransactionPointer]:
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


def _in(folder: str, instance_id: InstanceId) -> list[TransactionPointer]:
    here = os.path.join(folder, FOLDER, instance_id)
    try:
        read = [_read(os.path.join(here, name), instance_id) for name in listing(here) if name.endswith(".json")]
    except Trouble:
        return []  # a pointer that cannot be read is ignored
    return [pointer for pointer in read if pointer]


def _read(path: str, instance_id: InstanceId) -> TransactionPointer | None:
    raw = read_json(path) or {}
    if raw.get(_IS_CLOSED) is True:
        return None
    transaction, root, project_id, at = (raw.get(k) for k in ("transaction_id", "root", "project_id", "written_at"))
    if not (isinstance(transaction, str) and is_uuid(transaction) and isinstance(root, str) and os.path.isabs(root)):
        return None
    if not (isinstance(project_id, str) and is_uuid(project_id) and type(at) is int):
        return None
    return TransactionPointer(
        instance_id=instance_id,
        transaction_id=TransactionId(transaction),
        root=root,
        project_id=ProjectId(project_id),
        written_at=Moment(at),
        is_shut=raw.get("is_shut") is True,
    )
