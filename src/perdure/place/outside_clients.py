"""Clients that run in a folder of no project: one small file each in the home (SPEC 3.7; docs/adr/0048, 0053).

Such a client has no binding. Its file says that it is there, so that another process with the same session id can be
told, and keeps the first words that the person gave it. A file is named by session id and process: two processes with
one session id have a file each. When the process has ended, the file belongs to whoever resumes the session.

    found = kept_of(around, session, process)          # None if there is no file
    write(home, replace(found, goal="convert the prices"))
"""

from __future__ import annotations

import os

from perdure.files import listing, make_folder, read_json, remove, write_whole
from perdure.model.ids import InstanceId, derived_id, is_token
from perdure.model.json import compact
from perdure.model.moment import Moment, now
from perdure.model.value import replace, value
from perdure.place.liveness import SESSION_KEPT
from perdure.place.process import ProcessRef, is_alive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json
    from perdure.place.surroundings import Surroundings

FOLDER = "early_prompts"
_ENDING = ".json"


@value
class OutsideClient:
    session: str
    process: ProcessRef
    boot_id: str
    at: Moment
    goal: str | None = None
    """What the person's first prompt says, masked and shortened."""
    told: tuple[str, ...] = ()
    """The instances with the same session id that this client was told about."""

    @property
    def instance_id(self) -> InstanceId:
        """The instance that it will be, unless something else is known by then."""
        return instance_of(self.process, self.boot_id)

    def is_running(self, around: Surroundings) -> bool:
        return self.boot_id == around.boot_id and is_alive(self.process, around.processes)


def instance_of(process: ProcessRef, boot_id: str) -> InstanceId:
    """The id of a new instance is derived from its process, so that commands that start at the same moment get the same
    id."""
    return InstanceId(derived_id("process", boot_id, str(process.pid), process.started))


def _path(home: str, client: OutsideClient) -> str:
    return os.path.join(home, FOLDER, f"{client.session}.{client.instance_id}{_ENDING}")


def of_session(home: str, session: str | None) -> list[OutsideClient]:
    """The clients with this session id, also those that have ended; the earliest first."""
    if session is None or not is_token(session):
        return []
    folder, start = os.path.join(home, FOLDER), f"{session}."
    names = [name for name in listing(folder) if name.startswith(start) and "." not in name[len(start) : -len(_ENDING)]]
    found = [_read(os.path.join(folder, name), session) for name in names if name.endswith(_ENDING)]
    return sorted((each for each in found if each), key=lambda each: each.at)


def _read(path: str, session: str) -> OutsideClient | None:
    found = read_json(path) or {}
    pid, started, boot_id, at = (found.get(name) for name in ("pid", "started", "boot_id", "at"))
    goal, told = found.get("goal"), found.get("told")
    if not isinstance(pid, int) or not isinstance(started, str) or not isinstance(boot_id, str):
        return None
    return OutsideClient(
        session=session,
        process=ProcessRef(pid, started),
        boot_id=boot_id,
        at=Moment(at) if isinstance(at, int) else Moment(0),
        goal=goal if isinstance(goal, str) else None,
        told=tuple(str(each) for each in told) if isinstance(told, list) else (),
    )


def kept_of(around: Surroundings, session: str | None, process: ProcessRef | None) -> OutsideClient | None:
    """What is kept of this client."""
    for each in of_session(around.home, session):
        if each.process == process and each.boot_id == around.boot_id:
            return each
    return None


def resume(around: Surroundings, session: str | None, process: ProcessRef | None) -> OutsideClient | None:
    """The client resumes a session whose process has ended: the earliest words that are kept of it become its own."""
    if process is None:
        return None
    for each in of_session(around.home, session):
        if each.goal is None or each.is_running(around):
            continue
        mine = replace(each, process=process, boot_id=around.boot_id, told=())
        try:  # of two that resume it at once, one gets it
            os.rename(_path(around.home, each), _path(around.home, mine))
        except OSError:
            continue
        write(around.home, mine)
        return mine
    return None


def write(home: str, client: OutsideClient) -> None:
    """Also removes the files of sessions that nobody went on with for long."""
    path = _path(home, client)
    make_folder(os.path.dirname(path))
    _remove_old(os.path.dirname(path))
    content: dict[str, Json] = {
        "goal": client.goal,
        "at": client.at,
        "pid": client.process.pid,
        "started": client.process.started,
        "boot_id": client.boot_id,
        "told": list(client.told),
    }
    write_whole(path, compact(content) + "\n")


def forget(home: str, client: OutsideClient) -> None:
    remove(_path(home, client))


def _remove_old(folder: str) -> None:
    for name in listing(folder):
        at = (read_json(os.path.join(folder, name)) or {}).get("at")
        if not isinstance(at, int) or now() - at > SESSION_KEPT:
            remove(os.path.join(folder, name))
