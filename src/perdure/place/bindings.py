"""Bindings: which instance works at a client session, process, tmux pane or terminal (SPEC 3.2).

There is one small file per key under `~/.perdure/bindings/`, and all keys of an instance are written together. The key
of the instance itself says where it worked last, so that an instance that moved is not continued twice. If the home
cannot be written, the files are in the project's `.perdure/bindings/` and are read there too. Stale bindings are
recognised when they are read, by process start time, boot id, tmux server and terminal leader; `put_away` removes those
that have been stale for long.
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import listing, make_folder, read_json, remove, trouble, unfinished, write_whole
from perdure.model.ids import InstanceId, LedgerId, ProjectId, SessionId, is_token, is_uuid
from perdure.model.json import compact
from perdure.model.moment import Moment
from perdure.model.value import replace, value
from perdure.place.process import ProcessRef

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from perdure.model.json import Json
    from perdure.place.surroundings import Terminal, TmuxPane

FOLDER = "bindings"
CLIENTS, PROCESSES, PANES, TERMINALS, INSTANCES = "client", "process", "tmux", "tty", "instance"
AGENTS, AGENT_INSTANCES = "agent", "agent-instance"
"""For a client that was started with an instance of its own (`PERDURE_INSTANCE`). It is found by that name and needs no
binding. These two only say that its process, and the instance, are an agent's: no place is found by them."""


@value
class Binding:
    instance_id: InstanceId
    project_path: str
    project_id: ProjectId
    ledger_id: LedgerId | None
    session_id: SessionId | None
    client: str | None
    client_session_id: str | None
    process: ProcessRef
    ppid: int
    boot_id: str
    tty_key: str | None
    shell: ProcessRef | None
    tmux_key: str | None
    tmux_server: ProcessRef | None
    updated_at: Moment
    stood_in: str | None = None
    """The project of the working directory when `project switch` chose this one. Commands that run there stay with the
    choice."""


def folders_in(folder: str, client_session_id: str) -> list[str]:
    """The folders of bindings in the home or a project's `.perdure` that are looked into for a session of a client."""
    session = os.path.join(CLIENTS, client_session_id)
    kinds = ("", PROCESSES, PANES, TERMINALS, INSTANCES, AGENTS, AGENT_INSTANCES, session)
    return [os.path.join(folder, FOLDER, kind) for kind in kinds]


def client_key(client_session_id: str, process: ProcessRef) -> str:
    """Two running processes may have the same client session id (SPEC 3.7), so the process is part of the key. Each id
    has a folder of its own, because a hook lists it and must not list all sessions there ever were."""
    return os.path.join(CLIENTS, client_session_id, f"{process.pid}.json")


def process_key(process: ProcessRef) -> str:
    return os.path.join(PROCESSES, f"{process.pid}.json")


def pane_key(pane: TmuxPane) -> str:
    """Two tmux servers may each have a pane %4."""
    return os.path.join(PANES, f"{pane.key}.{pane.server.pid}.json")


def terminal_key(terminal: Terminal) -> str:
    return _key_of_tty(terminal.key)


def _key_of_tty(tty_key: str) -> str:
    return os.path.join(TERMINALS, f"{tty_key}.json")


def agent_key(process: ProcessRef) -> str:
    return os.path.join(AGENTS, f"{process.pid}.json")


def agent_instance_key(instance_id: InstanceId) -> str:
    return os.path.join(AGENT_INSTANCES, f"{instance_id}.json")


def instance_key(instance_id: InstanceId) -> str:
    return os.path.join(INSTANCES, f"{instance_id}.json")


class Bindings:
    def __init__(self, home: str, *project_folders: str) -> None:
        self.home = home
        self._folders = [os.path.join(folder, FOLDER) for folder in (home, *project_folders)]

    def at(self, key: str) -> Binding | None:
        """The newest one, if several folders have the key."""
        found = [binding for folder in self._folders if (binding := _read(os.path.join(folder, key)))]
        return max(found, key=lambda binding: binding.updated_at, default=None)

    def shell_goes_on_as(self, instance_id: InstanceId, shell: ProcessRef, tty_key: str | None) -> bool:
        """Whether the shell has the keys of this instance, so that what is typed there, or the next client there,
        continues it. Two clients may run in one terminal, but only one has its keys."""
        keys = [process_key(shell), *([_key_of_tty(tty_key)] if tty_key else [])]
        found = (self.at(key) for key in keys)
        return any(each and each.instance_id == instance_id and each.shell == shell for each in found)

    def of_client_session(self, client_session_id: str) -> list[Binding]:
        kind = os.path.join(CLIENTS, client_session_id)
        names = {name for folder in self._folders for name in listing(os.path.join(folder, kind))}
        found = [binding for name in sorted(names) if (binding := self.at(os.path.join(kind, name)))]
        return sorted(found, key=lambda binding: binding.updated_at, reverse=True)

    def instances(self) -> set[InstanceId]:
        """The ids of all instances that are or were bound, and of those that a client was started with."""
        folders = [os.path.join(folder, kind) for folder in self._folders for kind in (INSTANCES, AGENT_INSTANCES)]
        names = {name for folder in folders for name in listing(folder)}
        found = {name.removesuffix(".json") for name in names}
        return {InstanceId(each) for each in found if is_uuid(each)}

    def every(self) -> list[tuple[str, Binding]]:
        """All bindings, with their keys."""
        keys = set()
        for folder in self._folders:
            for kind in (PROCESSES, PANES, TERMINALS, *_sessions(folder)):
                keys |= {os.path.join(kind, name) for name in listing(os.path.join(folder, kind))}
        return [(key, binding) for key in sorted(keys) if (binding := self.at(key))]

    def remove_for_project(self, root: str) -> None:
        """Removes the bindings in the home to the project in this folder."""
        for key, binding in self.every():
            if binding.project_path == root:
                remove(os.path.join(self._folders[0], key))

    def follow(self, old: str, new: str, ledgers: Container[LedgerId]) -> None:
        """Replaces the old root of a moved project by the new one. `ledgers`: its chain and the earlier ones that it
        continues. A binding that cannot be written is found by the project's id the next time."""
        for folder in self._folders:
            for path in _files_in(folder):
                binding = _read(path)
                if (
                    binding
                    and binding.project_path == old
                    and (binding.ledger_id is None or binding.ledger_id in ledgers)
                ):
                    try:
                        write_whole(path, compact(_plain(replace(binding, project_path=new))) + "\n")
                    except Trouble:
                        continue

    def put_away(self, is_unused: Callable[[str, Binding], bool]) -> int:
        """Removes the bindings for which `is_unused`, given kind and content, is true, and the keys of instances that
        no other key names any more."""
        return sum(_put_away(folder, is_unused) for folder in self._folders)

    def write(self, keys: list[str], binding: Binding) -> str:
        """Writes the binding for all keys together; returns the folder that was used."""
        text = compact(_plain(binding)) + "\n"
        for folder in self._folders:
            try:
                for key in keys:
                    make_folder(os.path.join(folder, os.path.dirname(key)))
                    write_whole(os.path.join(folder, key), text)
            except Trouble:
                if folder == self._folders[-1]:
                    raise
                continue  # the home cannot be written: the project can (SPEC 3.2)
            return folder
        raise AssertionError("there is always a home folder")


def _put_away(folder: str, is_unused: Callable[[str, Binding], bool]) -> int:
    count, named = 0, set()
    for path in _files_in(folder):
        kind, binding = os.path.relpath(path, folder).split(os.sep)[0], _read(path)
        if binding is None:
            continue
        if (kind == INSTANCES and binding.instance_id in named) or not is_unused(kind, binding):
            named.add(binding.instance_id)
            continue
        count += _removed(path, binding)
        if kind == CLIENTS and not listing(os.path.dirname(path)):
            os.rmdir(os.path.dirname(path))
    return count


def _removed(path: str, judged: Binding) -> bool:
    """Removes the file unless it has changed. Another process may bind the key at the same moment without waiting for
    us: then its file is put back."""
    aside = unfinished(path)
    try:
        os.rename(path, aside)
        is_as_judged = _read(aside) == judged
        if not is_as_judged and not os.path.exists(path):
            os.link(aside, path)
    except (FileNotFoundError, FileExistsError):
        is_as_judged = False
    except OSError as error:
        raise trouble(error, path) from error
    remove(aside)
    return is_as_judged


def _files_in(folder: str) -> list[str]:
    kinds = (PROCESSES, PANES, TERMINALS, *_sessions(folder), AGENTS, AGENT_INSTANCES, INSTANCES)
    return [os.path.join(folder, kind, name) for kind in kinds for name in listing(os.path.join(folder, kind))]


def _sessions(folder: str) -> list[str]:
    return [os.path.join(CLIENTS, session) for session in listing(os.path.join(folder, CLIENTS))]


def _plain(binding: Binding) -> dict[str, Json]:
    return {
        "project_path": binding.project_path,
        "folder_name": os.path.basename(binding.project_path),
        "project_id": binding.project_id,
        "ledger_id": binding.ledger_id,
        "session_id": binding.session_id,
        "client": binding.client,
        "client_session_id": binding.client_session_id,
        "instance_id": binding.instance_id,
        "tty_key": binding.tty_key,
        "tmux_key": binding.tmux_key,
        "pid": binding.process.pid,
        "ppid": binding.ppid,
        "started": binding.process.started,
        "boot_id": binding.boot_id,
        "shell_pid": binding.shell.pid if binding.shell else None,
        "shell_started": binding.shell.started if binding.shell else None,
        "tmux_server_pid": binding.tmux_server.pid if binding.tmux_server else None,
        "tmux_server_started": binding.tmux_server.started if binding.tmux_server else None,
        "updated_at": binding.updated_at,
        "stood_in": binding.stood_in,
    }


def _read(path: str) -> Binding | None:
    """An incomplete binding counts as none: it is written again when it is needed."""
    raw = read_json(path)
    return _from_json(raw) if raw is not None else None


def _from_json(raw: dict[str, Json]) -> Binding | None:
    instance, project, root = _uuid(raw, "instance_id"), _uuid(raw, "project_id"), _absolute_path(raw, "project_path")
    process, boot, updated = _ref(raw, "pid", "started"), _string(raw, "boot_id"), _whole(raw, "updated_at")
    if instance is None or project is None or root is None:
        return None
    if process is None or boot is None or updated is None:
        return None
    ledger, session = _text(raw, "ledger_id"), _text(raw, "session_id")
    return Binding(
        instance_id=InstanceId(instance),
        project_path=root,
        project_id=ProjectId(project),
        ledger_id=LedgerId(ledger) if ledger else None,
        session_id=SessionId(session) if session else None,
        client=_text(raw, "client"),
        client_session_id=_text(raw, "client_session_id"),
        process=process,
        ppid=_whole(raw, "ppid") or 0,
        boot_id=boot,
        tty_key=_text(raw, "tty_key"),
        shell=_ref(raw, "shell_pid", "shell_started"),
        tmux_key=_text(raw, "tmux_key"),
        tmux_server=_ref(raw, "tmux_server_pid", "tmux_server_started"),
        updated_at=Moment(updated),
        stood_in=_string(raw, "stood_in"),
    )


def _string(raw: dict[str, Json], name: str) -> str | None:
    found = raw.get(name)
    return found if isinstance(found, str) else None


def _whole(raw: dict[str, Json], name: str) -> int | None:
    found = raw.get(name)
    return found if isinstance(found, int) else None


def _uuid(raw: dict[str, Json], name: str) -> str | None:
    found = _string(raw, name)
    return found if found is not None and is_uuid(found) else None


def _absolute_path(raw: dict[str, Json], name: str) -> str | None:
    found = _string(raw, name)
    return found if found is not None and os.path.isabs(found) else None


def _text(raw: dict[str, Json], name: str) -> str | None:
    found = _string(raw, name)
    return found if found is not None and is_token(found) else None


def _ref(raw: dict[str, Json], pid: str, started: str) -> ProcessRef | None:
    number, since = raw.get(pid), raw.get(started)
    return ProcessRef(number, since) if isinstance(number, int) and isinstance(since, str) else None
