"""A machine that a test makes up: its processes, terminals, tmux servers and projects.

`World` implements the port `place.process.Processes`; home, projects and binding files are real files.
"""

from __future__ import annotations

import os
from pathlib import Path

from perdure.model.ids import InstanceId, ProjectId, SessionId, new_id
from perdure.place import project
from perdure.place.bindings import Bindings
from perdure.place.process import Process
from perdure.place.registry import Entry, Registry
from perdure.place.resolve import Explicit, Place, resolve
from perdure.place.seat import InstanceSeat, bind, take_seat
from perdure.place.surroundings import StatedClient, Surroundings, look_around


class World:
    def __init__(self) -> None:
        self._boot = "boot-1"
        self._living: dict[int, Process] = {}
        self._pid, self._time = 100, 1000
        self.init = self._add(1, "/sbin/init", parent=0, terminal=None, leader=1)

    def look(self, pid: int) -> Process | None:
        return self._living.get(pid)

    def boot_id(self) -> str:
        return self._boot

    def start(
        self,
        *arguments: str,
        parent: Process | None = None,
        terminal: str | None = None,
        detached: bool = False,
        pid: int | None = None,
    ) -> Process:
        """A process that shares its parent's terminal, or leads a new one, or is detached from any."""
        above = parent or self.init
        if pid is None:
            self._pid += 1
            pid = self._pid
        own = terminal is not None or detached
        return self._add(
            pid,
            *arguments,
            parent=above.pid,
            terminal=terminal if own else above.terminal,
            leader=pid if own else above.leader,
        )

    def _add(self, pid: int, *arguments: str, parent: int, terminal: str | None, leader: int) -> Process:
        assert pid not in self._living
        self._time += 1
        made = Process(
            pid=pid, started=str(self._time), parent=parent, arguments=arguments, terminal=terminal, leader=leader
        )
        self._living[pid] = made
        return made

    def end(self, *processes: Process) -> None:
        """Their children go on under init, as they do."""
        for process in processes:
            del self._living[process.pid]
            for child in list(self._living.values()):
                if child.parent == process.pid:
                    self._living[child.pid] = Process(
                        pid=child.pid,
                        started=child.started,
                        parent=1,
                        arguments=child.arguments,
                        terminal=child.terminal,
                        leader=child.leader,
                    )

    def reboot(self) -> None:
        self._boot += "+"
        self._living = {1: self.init}


class Machine:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = str(folder / "home")
        self.world = World()
        self.registry = Registry(self.home)
        self.open: set[tuple[str, InstanceId]] = set()
        """Which instance has a transaction open in which project."""

    def _holds(self, root: str, instance_id: InstanceId) -> bool:
        return (root, instance_id) in self.open

    # -- projects --------------------------------------------------------------------------------------------------

    def plain_project(self, *parts: str, id: str | None = None) -> str:
        root = self.folder.joinpath(*parts)
        (root / ".perdure").mkdir(parents=True)
        project.write_identity(str(root), project.Identity(ProjectId(id or new_id()), root.name))
        return str(root)

    def project(self, *parts: str, id: str | None = None) -> str:
        """A repository that is a project, with a ledger of its own on record."""
        root = self.plain_project(*parts, id=id)
        os.mkdir(os.path.join(root, ".git"))
        self.register(root)
        return root

    def register(self, root: str, *ledgers: str) -> None:
        who = project.identity(root)
        self.registry.write(
            Entry(project_id=who.id, path=root, name=who.name, common=None, ledgers=tuple(ledgers or (new_id(),)))
        )

    # -- terminals -------------------------------------------------------------------------------------------------

    def shell(self, terminal: str = "pts-6", parent: Process | None = None) -> Process:
        return self.world.start("-bash", parent=parent, terminal=terminal)

    def tmux(self, pid: int | None = None) -> Process:
        return self.world.start("tmux", "new-session", detached=True, pid=pid)

    @staticmethod
    def in_pane(server: Process, number: int = 4) -> dict[str, str]:
        return {"TMUX": f"/tmp/tmux-0/default,{server.pid},0", "TMUX_PANE": f"%{number}"}

    # -- perdure ---------------------------------------------------------------------------------------------------

    def around(
        self,
        below: Process,
        cwd: str | None = None,
        environment: dict[str, str] | None = None,
        hook: StatedClient | None = None,
        detached: bool = False,
    ) -> Surroundings:
        """What `perdure`, run by that process, can see."""
        own = self.world.start("python", "-m", "perdure", parent=below, detached=detached)
        return look_around(
            self.home, environment or {}, cwd or str(self.folder), stated_client=hook, processes=self.world, pid=own.pid
        )

    def where(
        self,
        below: Process,
        cwd: str | None = None,
        environment: dict[str, str] | None = None,
        hook: StatedClient | None = None,
        detached: bool = False,
        explicit: Explicit | None = None,
    ) -> Place:
        around = self.around(below, cwd, environment, hook, detached)
        return resolve(explicit or Explicit(), around, self.registry, holds=self._holds)

    def sit(
        self,
        below: Process,
        cwd: str | None = None,
        environment: dict[str, str] | None = None,
        hook: StatedClient | None = None,
        detached: bool = False,
        explicit: Explicit | None = None,
    ) -> InstanceSeat:
        """`perdure session start`: the seat is taken and bound."""
        around = self.around(below, cwd, environment, hook, detached)
        place = resolve(explicit or Explicit(), around, self.registry, holds=self._holds)
        assert place.project_path is not None
        who = project.identity(place.project_path)
        seat = take_seat(place, around, who.id)
        bind(seat, place.project_path, who.id, session=SessionId(new_id()), around=around)
        return seat

    @property
    def bindings(self) -> Bindings:
        return Bindings(self.home)


def claude(session: str | None = None) -> StatedClient:
    """What Claude Code's hooks say of themselves."""
    return StatedClient("claude-code", session)
