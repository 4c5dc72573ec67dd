"""The port for installers: what the installer of a client provides (`Installer`), which there are, and what they share:
where to install, the plan of changes, and how a plan is carried out.

Making a plan only reads. `carry_out` makes the plan again under a lock and writes it. If a file changes in between, the
plan is made once more, so that nothing is lost that another program wrote in the meantime.
"""

from __future__ import annotations

import os

from perdure import clients
from perdure.errors import Conflict, Refused
from perdure.files import FolderLock, make_folder
from perdure.install import install_record, person_files
from perdure.model.value import value
from perdure.place import project, repository
from perdure.place.home import home_folder
from perdure.place.registry import Registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from perdure.install.guard_registered import GuardFile
    from perdure.install.install_record import InstalledFile
    from perdure.install.program import Program

LOCAL, PROJECT, USER = "local", "project", "user"
SCOPES = (LOCAL, PROJECT, USER)
_TRIES = 5


@value
class InstallContext:
    """Where to install: the person's variables, Perdure's home, the project's root, and the folder that the client
    reads."""

    environment: Mapping[str, str]
    home: str
    root: str = ""
    folder: str = ""
    common: str = ""

    @classmethod
    def at(cls, start: str, environment: Mapping[str, str], root: str | None = None) -> InstallContext:
        """The client reads the main work tree, also from a linked one; a bare repository has none."""
        found = repository.enclosing(start)
        root = root or (found.main if found else project.above(start) or start)
        folder = found.work_tree if found and found.main == found.common else root
        return cls(
            environment=environment,
            home=home_folder(environment),
            root=root,
            folder=folder,
            common=found.common if found else "",
        )

    @property
    def person(self) -> str:
        return self.environment.get("HOME") or os.path.expanduser("~")

    @property
    def has_project(self) -> bool:
        return bool(self.root) and os.path.isdir(project.folder_of(self.root))

    def kept(self, path: str) -> str:
        """A path as the record stores it: relative to the project, so that it stays right when the project moves."""
        is_inside = self.folder == self.root and path.startswith(self.folder + os.sep)
        return os.path.relpath(path, self.folder) if is_inside else path

    def real(self, kept: str) -> str:
        return os.path.join(self.folder, kept)

    def recorded(self, client: str, scope: str) -> list[InstalledFile]:
        """What the record in the home says that we installed for this client in this scope."""
        entries = install_record.read(self.home, self.record_root(scope))
        return [entry for entry in entries if (entry.client, entry.scope) == (client, scope)]

    def recorded_file(self, client: str, scope: str, path: str) -> InstalledFile | None:
        """The part of it that is about one settings file."""
        return next((each for each in self.recorded(client, scope) if self.real(each.settings) == path), None)

    def moved_from(self, scope: str) -> str:
        """The folder that the project was in when this was installed, if it was moved since; else empty."""
        return install_record.moved_from(self.home, self.record_root(scope))

    def record_root(self, scope: str) -> str:
        """Whose record it is: the project's in this folder; empty for the person's."""
        return "" if scope == USER else self.root

    def locked(self, scope: str) -> str:
        """The folder of the lock that two installers share."""
        if scope == USER or not os.path.isdir(self.root):  # of a folder that was deleted, nothing is left to lock
            make_folder(self.home)
            return self.home
        return project.folder_of(self.root) if self.has_project else self.root


@value
class FileChange:
    """One file, as it is and as it will be; None if it does not exist."""

    path: str
    before: str | None
    after: str | None
    why: str = ""
    mode: int = 0o644

    @property
    def verb(self) -> str:
        if self.before is None:
            return "created"
        return "removed" if self.after is None else "changed"


@value
class Plan:
    """`changes` are in the order in which they are made; `entries` is what the record will hold for this client and
    scope; `folders` are ours and are removed if they are empty; `notes` are sentences for the person."""

    client: str
    scope: str
    changes: tuple[FileChange, ...]
    entries: tuple[InstalledFile, ...]
    folders: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@value
class InstallOptions:
    scope: str
    program: Program
    allow: bool = False


if TYPE_CHECKING:

    class Installer(Protocol):
        """What the module of a client's installer provides."""

        def is_found(self, context: InstallContext) -> bool:
            """Whether the client is installed on this machine."""

        def installed_scopes(self, context: InstallContext) -> tuple[str, ...]:
            """The scopes in which something of ours is installed."""

        def plan(self, context: InstallContext, wish: InstallOptions) -> Plan: ...

        def plan_removal(self, context: InstallContext, scope: str) -> Plan: ...

        def guard_in(self, scope: str, path: str) -> GuardFile | None:
            """Whether this settings file, which the record of the installation names, still registers the guard; None
            if it never does. `guard_file` of `install/guard_registered.py` looks."""


def installers() -> Mapping[str, Installer]:
    return clients.modules("installer")


def found_clients(context: InstallContext) -> list[str]:
    return [name for name, client in installers().items() if client.is_found(context)]


def scope_for(name: str, context: InstallContext, asked: str | None) -> str:
    """The scope asked for; otherwise the installed one; otherwise local. With two scopes every hook would run twice,
    and everything would be recorded twice."""
    installed_scopes = installers()[name].installed_scopes(context)
    if asked is None:
        return installed_scopes[0] if installed_scopes else LOCAL
    others = [scope for scope in installed_scopes if scope != asked]
    if others:
        raise Refused(
            "installed_elsewhere",
            f"Perdure is installed for {name} with scope {others[0]}; in two scopes every hook would run twice.",
            hint=f"perdure uninstall --scope {others[0]}, then again.",
            details={"client": name, "scope": others[0]},
        )
    return asked


def carry_out(context: InstallContext, scope: str, make: Callable[[], Plan]) -> Plan:
    """Carries out the plan and returns it. Writes the record first: it only says what may be undone, and nothing is
    undone that is not there."""
    done: dict[str, FileChange] = {}
    with FolderLock(context.locked(scope)):
        for _ in range(_TRIES):
            plan = make()
            try:
                is_recorded = _write(context, plan, done)
            except person_files.ChangedSinceRead:
                continue
            return Plan(
                client=plan.client,
                scope=scope,
                changes=tuple(done.values()),
                entries=plan.entries,
                folders=plan.folders,
                notes=plan.notes if is_recorded else (*plan.notes, _not_recorded(context)),
            )
    raise Conflict("conflict", "Another program keeps changing a settings file.", hint="Try again.")


def _not_recorded(context: InstallContext) -> str:
    return (
        f"{context.home} cannot be written, so what was installed is not recorded. perdure uninstall still recognises "
        "what is ours, but not what stood there before. Make that folder writable, and run perdure init again."
    )


def _write(context: InstallContext, plan: Plan, done: dict[str, FileChange]) -> bool:
    """Whether the record in the home says what the plan says."""
    root, before = context.record_root(plan.scope), context.recorded(plan.client, plan.scope)
    is_recorded = not plan.entries or install_record.write(
        context.home, root, plan.client, scope=plan.scope, entries=plan.entries
    )
    for change in plan.changes:
        if change.after is not None:
            person_files.make_folders(change.path)
        person_files.put(change.path, change.before, change.after, mode=change.mode)
        done[change.path] = change
    for folder in sorted(plan.folders, key=len, reverse=True):
        person_files.remove_empty(folder)
    if not plan.entries:
        is_recorded = install_record.write(context.home, root, plan.client, scope=plan.scope, entries=())
    if plan.scope == USER:
        _note_for_other_projects(context, plan, [each.settings for each in before])
    return is_recorded


def _note_for_other_projects(context: InstallContext, plan: Plan, before: list[str]) -> None:
    """The guard of scope user is every project's. If it is removed in one, the others must be able to say so."""
    if plan.entries:
        install_record.forget_removal(context.home)
    elif before:
        others = [entry.path for entry in Registry(context.home).entries() if entry.path != context.root]
        install_record.note_removal(context.home, before, others)
