"""Whether the files of a project's record are as Perdure left them: `~/.perdure/checked/<name>.json`, a keyed digest
over the size, times and inode of each file. It is kept when a command that wrote closes the ledger, and when the files
were checked.

Whoever changes a file otherwise, changes its times. Then nobody keeps a new mark before the record was verified: a
change is not covered up by the next command that writes. A crash while writing leaves a mark that does not fit either;
that costs one look (docs/adr/0131).

    known(home, root, files, key=key) # what was wrong at the last look; None if a file is not as it was left
    keep(home, root, files, key=key, wrong=())
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import listing, make_folder, name_for_path, read_json, write_whole
from perdure.model.digest import blake2b
from perdure.model.json import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDER = "checked"


def states(store: str, logs: Iterable[str], folders: Iterable[str]) -> str:
    """How each file is now: the store, its logs, and all in these folders outside the project. A reader too makes and
    removes a log: one without content is as if it were missing."""
    found = [_state(store), *map(_state_of_log, logs)]
    for folder in folders:
        names = sorted(name for name in listing(folder) if name.endswith((".jsonl", ".seal")))
        found += [_state(os.path.join(folder, name)) for name in names]
    return "\n".join(found)


def known(home: str, root: str, files: str, *, key: bytes) -> tuple[str, ...] | None:
    try:
        fields = read_json(_path(home, root)) or {}
    except Trouble:
        return None
    wrong = fields.get("wrong")
    if not isinstance(wrong, list) or not all(isinstance(each, str) for each in wrong):
        return None
    said = tuple(str(each) for each in wrong)
    return said if fields.get("digest") == _digest(root, files, said, key=key) else None


def keep(home: str, root: str, files: str, *, key: bytes, wrong: Sequence[str] = ()) -> None:
    """`wrong`: what was found when the files were checked. A home that cannot be written keeps no mark."""
    said = tuple(wrong)
    try:
        make_folder(os.path.join(home, FOLDER))
        write_whole(
            _path(home, root), compact({"wrong": list(said), "digest": _digest(root, files, said, key=key)}) + "\n"
        )
    except Trouble:
        return


def _state(path: str) -> str:
    try:
        found = os.lstat(path)
    except OSError:
        return f"{path} -"
    return f"{path} {found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


def _state_of_log(path: str) -> str:
    """Its owner and mode are set whenever it is opened, which changes its last time."""
    try:
        found = os.lstat(path)
    except OSError:
        return f"{path} -"
    return f"{path} {found.st_size} {found.st_mtime_ns}" if found.st_size else f"{path} -"


def _path(home: str, root: str) -> str:
    return os.path.join(home, FOLDER, name_for_path(root) + ".json")


def _digest(root: str, files: str, wrong: tuple[str, ...], *, key: bytes) -> str:
    text = "\0".join((root, files, *wrong)).encode("utf-8", "surrogateescape")
    return blake2b(text, key=key, digest_size=32, person=b"perdure-files").hexdigest()
