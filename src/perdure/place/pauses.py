"""A person's pause of the gate in one project: a small file in the home that ends by itself (SPEC 5.1; docs/adr/0098).

`paused/<name>.json` says until when. It counts only if this home signed it for this very folder, since the machine
started, and while neither the wall clock nor the machine's own clock has passed its end: setting the clock back makes
no pause longer. `resumed/<name>.json` says when the last pause was ended: an older file that is put back counts for
nothing. In any doubt the gate is not paused.

    start(home, Pause(…), key, clocks=clocks)
    in_force(home, "/src/shop", key, clocks=clocks)  →  Pause(…), or None
"""

from __future__ import annotations

import os
import time

from perdure.errors import Trouble
from perdure.files import make_folder, name_for_path, read_json, remove, write_whole
from perdure.model.digest import blake2b
from perdure.model.json import compact, compact_bytes
from perdure.model.moment import Moment
from perdure.model.value import value
from perdure.place.home import paused_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json

ENDED_FOLDER = "resumed"
_BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Goes on while the machine sleeps, and cannot be set."""


@value
class Clocks:
    wall: Moment
    since_boot: int
    """Milliseconds."""
    boot_id: str


@value
class Pause:
    id: str
    """Also that of the event that records it."""
    root: str
    """The project's folder, with links resolved."""
    until: Moment
    because: str = ""


def clocks_now(wall: Moment, boot_id: str) -> Clocks:
    return Clocks(wall, time.clock_gettime_ns(_BOOT_CLOCK) // 1_000_000, boot_id)


def start(home: str, pause: Pause, key: bytes, *, clocks: Clocks) -> None:
    """Replaces a pause that is in force."""
    end(home, pause.root, key, clocks=clocks)
    length = pause.until - clocks.wall
    fields: dict[str, Json] = {
        "id": pause.id,
        "root": os.path.realpath(pause.root),
        "until": pause.until,
        "because": pause.because,
        "boot_id": clocks.boot_id,
        "from_boot": clocks.since_boot + 1,
        "until_boot": clocks.since_boot + length,
    }
    _write(_path(home, pause.root), fields, key)


def end(home: str, root: str, key: bytes, *, clocks: Clocks) -> None:
    """From now on no pause counts that was begun before. The file stays until its end is recorded (`forget`)."""
    _write(_ended_path(home, root), {"boot_id": clocks.boot_id, "since_boot": clocks.since_boot}, key)


def forget(home: str, root: str) -> None:
    """The end of the pause is recorded."""
    remove(_path(home, root))
    try:
        os.rmdir(paused_folder(home))
    except OSError:
        return  # another project is paused


def in_force(home: str, root: str, key: bytes | None, *, clocks: Clocks) -> Pause | None:
    fields = _read(_path(home, root), key)
    if fields is None or fields.get("root") != os.path.realpath(root) or fields.get("boot_id") != clocks.boot_id:
        return None
    begins, ends, until = (fields.get(name) for name in ("from_boot", "until_boot", "until"))
    if type(begins) is not int or type(ends) is not int or type(until) is not int:
        return None
    if clocks.since_boot >= ends or clocks.wall >= until or _is_ended(home, root, key, begins=begins, clocks=clocks):
        return None
    return _pause(fields)


def last(home: str, root: str, key: bytes | None) -> Pause | None:
    """The pause that the file here is about, whether it is in force or over; None if there is none that we wrote."""
    fields = _read(_path(home, root), key)
    return _pause(fields) if fields is not None and fields.get("root") == os.path.realpath(root) else None


def _is_ended(home: str, root: str, key: bytes | None, *, begins: int, clocks: Clocks) -> bool:
    path = _ended_path(home, root)
    fields = _read(path, key)
    if fields is None:
        return True  # starting a pause writes it: somebody removed or changed it
    at = fields.get("since_boot")
    return fields.get("boot_id") == clocks.boot_id and (type(at) is not int or at >= begins)


def _pause(fields: dict[str, Json]) -> Pause | None:
    id, root, until, because = (fields.get(name) for name in ("id", "root", "until", "because"))
    if not (isinstance(id, str) and isinstance(root, str) and type(until) is int and isinstance(because, str)):
        return None
    return Pause(id=id, root=root, until=Moment(until), because=because)


def _path(home: str, root: str) -> str:
    return os.path.join(paused_folder(home), name_for_path(root) + ".json")


def _ended_path(home: str, root: str) -> str:
    return os.path.join(home, ENDED_FOLDER, name_for_path(root) + ".json")


def _write(path: str, fields: dict[str, Json], key: bytes) -> None:
    make_folder(os.path.dirname(path))
    write_whole(path, compact({**fields, "digest": _digest(fields, path, key)}) + "\n", durable=True)


def _read(path: str, key: bytes | None) -> dict[str, Json] | None:
    try:
        fields = read_json(path)
    except Trouble:
        return None
    if fields is None or key is None:
        return None
    said = fields.pop("digest", None)
    return fields if said == _digest(fields, path, key) else None


def _digest(fields: dict[str, Json], path: str, key: bytes) -> str:
    """Over the file's name too: one file is no other's."""
    name = os.sep.join(path.rsplit(os.sep, 2)[1:]).encode()
    return blake2b(name + b"\0" + compact_bytes(fields), key=key, digest_size=32, person=b"perdure-pause").hexdigest()
