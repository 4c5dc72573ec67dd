"""State checkpoints on disk: `.perdure/state/<session>.json` (SPEC 10.3). Written whole or not at all, readable by
their owner only; those of the newest sessions are kept. Their seals are keyed as those of transaction files are.

    write(folder, session_id, content)
    read(folder, session_id)        the JSON object; None if it is not one
"""

from __future__ import annotations

import os

from perdure.files import listing, make_own_folder, read_json, remove, write_whole
from perdure.model.digest import blake2b
from perdure.model.ids import is_uuid
from perdure.model.json import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.model.json import Json

FOLDER = "state"
KEPT = 20
"""How many of the newest are kept."""
_ENDING = ".json"


def seal_with(key: bytes) -> Callable[[bytes], str]:
    return lambda content: blake2b(content, key=key, digest_size=32).hexdigest()


def path(folder: str, session_id: str) -> str:
    assert is_uuid(session_id)
    return os.path.join(folder, FOLDER, session_id + _ENDING)


def is_there(folder: str, session_id: str) -> bool:
    found = path(folder, session_id)
    return os.path.isfile(found) and not os.path.islink(found) and not os.path.islink(os.path.join(folder, FOLDER))


def read(folder: str, session_id: str) -> dict[str, Json] | None:
    return read_json(path(folder, session_id)) if is_there(folder, session_id) else None


def write(folder: str, session_id: str, content: dict[str, Json]) -> None:
    make_own_folder(os.path.join(folder, FOLDER), "state checkpoints are written to")
    write_whole(path(folder, session_id), compact(content) + "\n")
    for name in _oldest(folder)[KEPT:]:
        remove(os.path.join(folder, FOLDER, name))


def _oldest(folder: str) -> list[str]:
    """The names of the files, the newest first."""
    names = [name for name in listing(os.path.join(folder, FOLDER)) if name.endswith(_ENDING)]
    return sorted(names, key=lambda name: _changed(os.path.join(folder, FOLDER, name)), reverse=True)


def _changed(path: str) -> int:
    try:
        return os.lstat(path).st_mtime_ns
    except OSError:
        return 0


def drop(folder: str, is_to_go: Callable[[dict[str, Json]], bool]) -> None:
    """Removes the checkpoints whose header says so, and those that have none."""
    inside = os.path.join(folder, FOLDER)
    if os.path.islink(inside):
        return
    for name in listing(inside):
        path = os.path.join(inside, name)
        header = (read_json(path) or {}).get("header") if name.endswith(_ENDING) else {}
        if name.endswith(_ENDING) and is_to_go(header if isinstance(header, dict) else {}):
            remove(path)
