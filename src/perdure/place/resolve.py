"""The resolver: finds project, instance and session from what can be seen (SPEC 3.1). There is no other one.

    resolve(Explicit(), look_around(…), registry).project_path

The first row that gives a live answer wins: 1 explicit, 2 client session, 3 process ancestry, 4 tmux pane, 5 terminal,
6 workspace registry, 7 cwd. Rows 2 to 5 give an instance and, through its binding, a project; rows 6 and 7 give a
project but no instance. For `where --explain`, each row notes what it gave and why it was taken or not.

Three things move a place to another project (SPEC 3.1): `project switch`, which binds it anew; a client that starts,
whose folder counts; and a person who goes to another project in their own shell, if they have no open transaction. A
client session that is resumed in a folder of no project stays in its project.

Four rules keep parallel work apart:
- a process in a pty of its own has a place of its own, unless a bound client is above it;
- an unbound client that runs inside a bound one inherits nothing from it;
- what a running client holds belongs to no other client, even in the same terminal (SPEC 3.7);
- an instance that continued elsewhere, and whose client or shell runs there, is not continued where it was before.
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Refused
from perdure.model.ids import LEAST, SHORT, InstanceId, SessionId, derived_id, is_uuid, token_of
from perdure.model.value import value
from perdure.place import project, repository
from perdure.place.bindings import (
    Binding,
    Bindings,
    client_key,
    instance_key,
    pane_key,
    process_key,
    terminal_key,
)
from perdure.place.process import Process, ProcessRef, is_alive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from perdure.place.registry import Registry
    from perdure.place.surroundings import Surroundings

    Holds: TypeAlias = Callable[[str, InstanceId], bool]
    """Whether the instance has an open transaction in the project at this root."""

_LIKELY_ID = 4
"""A text of so many hexadecimal characters or more is likely to be meant as the beginning of an id."""
ROWS = ("explicit", "client session", "process ancestry", "tmux pane", "terminal", "workspace registry", "cwd")


@value
class Explicit:
    """Row 1, from flags. `PERDURE_PROJECT` and `PERDURE_INSTANCE` replace flags that are not given."""

    project_path: str | None = None
    instance: str | None = None
    session_id: str | None = None
    is_new_instance: bool = False
    """The caller just made `instance` up, for its own use."""


@value
class RowOutcome:
    """What one row gave. `key` is what was looked up; `outcome` is a sentence for `where --explain`."""

    row: int
    key: str
    outcome: str
    taken: bool = False


@value
class Place:
    project_path: str | None
    instance_id: InstanceId | None
    session_id: SessionId | None
    binding: Binding | None
    instance_row: int | None
    """The row that gave the instance; None if no row did."""
    project_row: int | None
    instance_is_explicit: bool
    client_process: ProcessRef | None
    others: frozenset[InstanceId]
    """Other instances that the search found and did not take."""
    tried: tuple[RowOutcome, ...]
    cwd_project: str | None = None
    """The project of the working directory, which need not be the resolved one."""
    plain_repository: str | None = None
    """The repository of the working directory, if it is neither a project nor inside one."""

    @property
    def project_is_there(self) -> bool:
        return self.project_path is not None and project.is_project(self.project_path)


class _Search:
    """Looks up rows 2 to 5, notes what each row gave, and keeps what the choice of the project needs."""

    def __init__(self, around: Surroundings, registry: Registry, holds: Holds, *, named_project: str | None) -> None:
        self.around = around
        self.registry = registry
        self.holds = holds
        self.by_cwd, self.cwd_row = _project_by_folder(around.cwd, registry)
        roots = (named_project, self.by_cwd)
        self.bindings = Bindings(around.home, *(project.folder_of(root) for root in roots if root))
        self.tried: list[RowOutcome] = []
        self.others: set[InstanceId] = set()
        self.outer_instances = _instances_outside(around, self.bindings)

    def note(self, row: int, key: str, outcome: str, *, taken: bool = False) -> None:
        self.tried.append(RowOutcome(row=row, key=key, outcome=outcome, taken=taken))

    def stale(self, binding: Binding) -> str | None:
        """Why the process that holds a binding is not the same any more; None if it is."""
        if binding.boot_id != self.around.boot_id:
            return "stale: the machine was restarted"
        if not is_alive(binding.process, self.around.processes):
            return f"stale: process {binding.process.pid} is gone"
        return None

    def take(self, row: int, key: str, binding: Binding, *, why: str) -> Binding | None:
        why_not = self._why_not_ours(row, binding)
        if why_not:
            self.note(row, key, f"not taken: {why_not}")
            self.others.add(binding.instance_id)
            return None
        self.note(row, key, f"pane {binding.instance_id[:8]}, {why}", taken=True)
        return binding

    def _why_not_ours(self, row: int, binding: Binding) -> str | None:
        if binding.instance_id in self.outer_instances:
            return "it belongs to a client outside the one this runs in"
        ours = _client_process(self.around, binding)
        if ours and binding.client and binding.process != ours and not self.stale(binding):
            return f"{binding.client} (process {binding.process.pid}) holds it and is running: another pane"
        latest = self.bindings.at(instance_key(binding.instance_id))
        if latest is None or latest.process == binding.process:
            return None
        if self._runs_elsewhere(latest):
            return f"that pane works elsewhere now, and process {latest.process.pid} is running"
        by_shell = row > 3 or binding.client is None  # a client session is resumed by its id, wherever it was last
        return self._why_not_in_this_shell(binding, latest) if by_shell else None

    def _why_not_in_this_shell(self, binding: Binding, latest: Binding) -> str | None:
        """The shell in which the instance worked last continues it, also if the client there has ended."""
        shell = latest.shell
        if shell is None or shell == binding.shell or latest.boot_id != self.around.boot_id:
            return None
        if not is_alive(shell, self.around.processes):
            return None
        if not self.bindings.shell_goes_on_as(latest.instance_id, shell, latest.tty_key):
            return None
        return f"that pane works elsewhere now, and goes on in the shell of {latest.tmux_key or latest.tty_key}"

    def _runs_elsewhere(self, binding: Binding) -> bool:
        return not _is_above(binding.process, self.around) and not self.stale(binding)

    # -- row 2 -----------------------------------------------------------------------------------------------------

    def client_session(self) -> Binding | None:
        stated, inherited = self.around.stated_client.client_session_id, self.around.inherited_session
        if stated:
            return self._stated_session(stated)
        if inherited:
            return self._inherited_session(inherited)
        self.note(2, "—", "no client session id given")
        return None

    def _stated_session(self, session: str) -> Binding | None:
        """The client itself gave this id. The session is ours if the process that has it is above us, or if that
        process has ended."""
        found = self.bindings.of_client_session(session)
        for process in self.around.ancestors:
            for binding in found:
                if binding.process == process.ref and not self.stale(binding):
                    return self.take(2, session, binding, why="bound to this client process")
        for binding in found:
            if not self.stale(binding):
                self.note(2, session, f"process {binding.process.pid} is running with the same id: another pane")
                return None
        if found:
            ended = self._binding_to_resume(found)
            return self.take(2, session, ended, why="resumed: the process that held it has ended")
        self.note(2, session, "not bound")
        return None

    def _binding_to_resume(self, ended: list[Binding]) -> Binding:
        """Two processes may have shared the id (SPEC 3.7): the one that left a transaction open is resumed."""
        if len(ended) == 1:
            return ended[0]
        return next((each for each in ended if self.holds(each.project_path, each.instance_id)), ended[0])

    def _inherited_session(self, session: str) -> Binding | None:
        """The variable counts only below the process that exported it, if no other client is between."""
        for process in self.around.ancestors:
            binding = self.bindings.at(client_key(session, process.ref))
            if binding and binding.process == process.ref and not self.stale(binding):
                return self.take(2, session, binding, why="exported by the client above")
            other = process.client or _bound_client_name(process, self.bindings)
            if other:
                self.note(2, session, f"not believed: {other} (process {process.pid}) did not export it")
                return None
        self.note(2, session, "not believed: no process above exported it")
        return None

    # -- row 3 -----------------------------------------------------------------------------------------------------

    def ancestry(self) -> Binding | None:
        beyond_terminal = False
        for process in self.around.ancestors:
            key = f"process {process.pid}"
            binding = self.bindings.at(process_key(process.ref))
            if binding:
                why_not = self._why_not_from_above(binding, process, beyond_terminal=beyond_terminal)
                if why_not is None:
                    last = self._last_in_its_shell(binding)
                    return self.take(3, key, last, why=f"bound to {last.client or 'a process above'}")
                self.note(3, key, why_not)
            if process.client:
                self.note(3, key, f"{process.client} is not bound; nothing above it is believed")
                return None
            if self.around.terminal and process.ref == self.around.terminal.leader:
                beyond_terminal = True
        self.note(3, "—", "no process above is bound")
        return None

    def _last_in_its_shell(self, binding: Binding) -> Binding:
        """What counts for a shell that is bound itself: the last client in it may have moved the instance to another
        project since, and bound the pane and the terminal there."""
        if binding.client or binding.shell is None:
            return binding
        latest = self.bindings.at(instance_key(binding.instance_id))
        is_newer = latest and latest.shell == binding.shell and latest.updated_at > binding.updated_at
        return latest if latest and is_newer else binding

    def _why_not_from_above(self, binding: Binding, process: Process, *, beyond_terminal: bool) -> str | None:
        """`beyond_terminal`: the process is above the shell that leads our terminal."""
        if binding.process != process.ref or binding.boot_id != self.around.boot_id:
            return "stale: the pid belongs to another process now"
        if beyond_terminal and not binding.client:
            return "not taken: this terminal is a place of its own"
        return None

    # -- row 4 -----------------------------------------------------------------------------------------------------

    def pane(self) -> Binding | None:
        pane = self.around.pane
        if pane is None:
            self.note(4, "—", "not in a living tmux server")
            return None
        binding = self.bindings.at(pane_key(pane))
        if binding is None:
            self.note(4, pane.key, "not bound")
            return None
        why_not = self._another_pane(binding, pane.server) or self._another_shell(binding)
        if why_not:
            self.note(4, pane.key, why_not)
            return None
        return self.take(4, pane.key, binding, why="same tmux server, same shell")

    def _another_pane(self, binding: Binding, server: ProcessRef) -> str | None:
        if binding.boot_id != self.around.boot_id or binding.tmux_server != server:
            return "stale: another tmux server has this pane number now"
        return None

    def _another_shell(self, binding: Binding) -> str | None:
        """In a terminal, the bound shell must lead it; without a terminal, that shell must be above us."""
        if binding.shell is None or not is_alive(binding.shell, self.around.processes):
            return "stale: the shell it was bound to is gone"
        if self.around.terminal:
            ours = self.around.terminal.leader == binding.shell
        else:
            ours = _is_above(binding.shell, self.around)
        if ours:
            return None
        return "not taken: this is another terminal that only inherited the pane's name"

    # -- row 5 -----------------------------------------------------------------------------------------------------

    def terminal(self) -> Binding | None:
        terminal = self.around.terminal
        if terminal is None:
            self.note(5, "—", "no controlling terminal")
            return None
        binding = self.bindings.at(terminal_key(terminal))
        if binding is None:
            self.note(5, terminal.key, "not bound")
            return None
        if binding.boot_id != self.around.boot_id or binding.shell != terminal.leader:
            self.note(5, terminal.key, "stale: another shell leads this terminal now")
            return None
        return self.take(5, terminal.key, binding, why="same shell")


def _holds_nothing(root: str, instance_id: InstanceId) -> bool:
    return False


def resolve(explicit: Explicit, around: Surroundings, registry: Registry, *, holds: Holds = _holds_nothing) -> Place:
    """Finds the project, instance and session that a command belongs to. Changes nothing."""
    named_project, named_by = _explicit_project(explicit, around)
    search = _Search(around, registry, holds, named_project=named_project)
    search.note(1, named_by, named_project or "not given", taken=named_project is not None)
    named_instance, binding, row = _choose_instance(explicit, search)
    root, project_row = _choose_project(named_project, named_instance, binding, row=row, search=search)
    return Place(
        project_path=root,
        instance_id=named_instance or _instance_of(binding),
        session_id=_session(explicit, binding),
        binding=binding,
        instance_row=row,
        project_row=project_row,
        instance_is_explicit=named_instance is not None,
        client_process=_client_process(around, binding),
        others=frozenset(search.others),
        tried=tuple(search.tried),
        cwd_project=search.by_cwd,
        plain_repository=None if search.by_cwd else _repository_around(around.cwd),
    )


def _instance_of(binding: Binding | None) -> InstanceId | None:
    return binding.instance_id if binding else None


def _repository_around(cwd: str) -> str | None:
    found = repository.enclosing(cwd)
    return found.main if found else None


def _choose_instance(explicit: Explicit, search: _Search) -> tuple[InstanceId | None, Binding | None, int | None]:
    """The instance if it is named, the binding that counts here, and the row that gave the instance. For an instance
    that is named, row 1 gave it, and only its own binding counts."""
    named = _explicit_instance(explicit, search)
    binding, row = _first_binding(search)
    if named is None:
        return None, binding, row
    is_its_own = binding is not None and binding.instance_id == named
    return named, binding if is_its_own else None, 1


def _choose_project(
    named_project: str | None,
    named_instance: InstanceId | None,
    binding: Binding | None,
    *,
    row: int | None,
    search: _Search,
) -> tuple[str | None, int | None]:
    """The root of the project and the row that gave it: the named project, else the one that the instance works on,
    else that of the working directory. `row` gave the instance."""
    if named_project is not None:
        _note_folder_rows(search, needed=False)
        return named_project, 1
    if binding:
        root = _project_of(binding, search)
    elif named_instance:
        root = _where_it_holds(named_instance, search)
    else:
        root = None
    _note_folder_rows(search, needed=root is None)
    if root is not None:
        return root, row
    return search.by_cwd, search.cwd_row if search.by_cwd else None


def _first_binding(search: _Search) -> tuple[Binding | None, int | None]:
    rows = {2: search.client_session, 3: search.ancestry, 4: search.pane, 5: search.terminal}
    taken: Binding | None = None
    taken_by: int | None = None
    for row, look in rows.items():
        if taken:
            search.note(row, "—", "not needed")
        elif taken := look():
            taken_by = row
    return taken, taken_by


def _explicit_project(explicit: Explicit, around: Surroundings) -> tuple[str | None, str]:
    """The root, and the flag or variable that named it."""
    named = explicit.project_path or around.environment.get("PERDURE_PROJECT")
    if not named:
        return None, "project"
    what = "--project-path" if explicit.project_path else "PERDURE_PROJECT"
    return project.root_from(named, what), what


def _explicit_instance(explicit: Explicit, search: _Search) -> InstanceId | None:
    named = explicit.instance or search.around.environment.get("PERDURE_INSTANCE")
    if not named:
        search.note(1, "pane", "not given")
        return None
    what = "--instance" if explicit.instance else "PERDURE_INSTANCE"
    named = token_of(named, what)
    least = LEAST if explicit.instance else SHORT  # a variable mostly holds a name, such as that of a CI job
    begun = None if is_uuid(named) else _begins_known_id(named, what, search, least=least)
    instance = begun or InstanceId(named if is_uuid(named) else derived_id("instance", named))
    search.note(1, what, f"pane {instance[:8]}", taken=True)
    return instance


def _begins_known_id(named: str, what: str, search: _Search, *, least: int) -> InstanceId | None:
    """The instance whose id begins with this text (SPEC 1): one that is bound or holds a transaction. None if the text
    is a name, as a CI job has one. Refuses the beginning of a known id that is too short: it is a mistake rather than a
    name."""
    if not looks_like_id(named):
        return None
    prefix = named.lower()
    found = sorted(each for each in known_instances(search.bindings, search.by_cwd) if each.startswith(prefix))
    if found and len(prefix) < least:
        raise BadInput(
            "bad_id",
            f"{what} {named} is the beginning of the id of a known pane, {found[0]}, and too short to name it. "
            "Nothing was written.",
            hint=f"Give its first {least} or more characters. If you mean a name of your own, choose another one.",
        )
    if len(found) > 1:
        raise Refused(
            "ambiguous_id",
            f"{named} matches more than one pane: {', '.join(found)}. Nothing was written.",
            hint="Give more characters.",
        )
    return found[0] if found else None


def looks_like_id(named: str) -> bool:
    """Whether it is an id or the beginning of one, and not a name."""
    return len(named) >= _LIKELY_ID and set(named.lower()) <= set("0123456789abcdef-")


def known_instances(bindings: Bindings, root: str | None) -> set[InstanceId]:
    """The instances that are or were bound, or hold a transaction."""
    from perdure.place import transaction_pointers  # hardly any command names an instance

    return bindings.instances() | transaction_pointers.holders(bindings.home, root)


def _session(explicit: Explicit, binding: Binding | None) -> SessionId | None:
    if explicit.session_id:
        return SessionId(token_of(explicit.session_id, "The session id"))
    return binding.session_id if binding else None


def _project_by_folder(cwd: str, registry: Registry) -> tuple[str | None, int]:
    """The project of the working directory, and the row that gives it."""
    root, found = registry.owner_of(cwd), repository.enclosing(cwd)
    is_repository = root is not None and found is not None and found.main == root
    if not is_repository and root in repository.upward(cwd):
        return root, 7  # a project above, which is not this repository
    return root, 6


def _note_folder_rows(search: _Search, *, needed: bool) -> None:
    by_cwd, row = search.by_cwd, search.cwd_row
    for number in (6, 7):
        given = by_cwd if by_cwd and row == number else None
        if not needed:
            search.note(number, "—", f"{given}, not needed: a row above gave the project" if given else "not needed")
        elif given:
            search.note(number, search.around.cwd, f"project {given}", taken=True)
        elif by_cwd:
            search.note(number, "—", "not needed" if number > row else "not a registered repository")
        else:
            search.note(number, search.around.cwd, "no project" if number == 7 else "not a registered repository")


def _project_of(binding: Binding, search: _Search) -> str | None:
    """The project that the instance works on; None if the working directory decides."""
    client = _client_process(search.around, binding)
    is_starting = client is not None and client != binding.process
    if is_starting and (search.by_cwd or not _is_resumed(binding, search.around)):  # the person chose its folder
        return None
    bound = _current_root_of(binding, search)
    if search.by_cwd in (None, bound, binding.stood_in):
        return bound
    client_runs = binding.client is not None and not search.stale(binding)
    if client_runs or not project.is_project(bound):  # nobody knows what is open in a project that is gone
        return bound
    return bound if search.holds(bound, binding.instance_id) else None


def _is_resumed(binding: Binding, around: Surroundings) -> bool:
    """Whether the client session of the binding goes on in this client."""
    resumed = around.stated_client.client_session_id
    return resumed is not None and resumed == binding.client_session_id


def _where_it_holds(instance_id: InstanceId, search: _Search) -> str | None:
    """A named instance has no binding. Its place is the one project in which it has an open transaction, unless the
    working directory is in such a project."""
    if search.by_cwd and search.holds(search.by_cwd, instance_id):
        return None
    found = [entry.path for entry in search.registry.entries() if search.holds(entry.path, instance_id)]
    if len(found) != 1:
        return None
    search.note(1, "its transaction", found[0], taken=True)
    return found[0]


def _current_root_of(binding: Binding, search: _Search) -> str:
    """The root of the bound project. If the repository was moved, it is found again by its id (SPEC 3.5) and by its
    ledger, which no clone shares. If only its `.perdure` is gone, it is still the current project (SPEC 5.2)."""
    if os.path.isdir(binding.project_path):
        return binding.project_path
    registry, by_cwd = search.registry, search.by_cwd
    same = (entry for entry in registry.known_as(binding.project_id) if binding.ledger_id in entry.ledgers[:1])
    elsewhere = {entry.path for entry in same if project.is_project(entry.path)}
    is_unknown_project = by_cwd and project.is_project(by_cwd) and not registry.at(by_cwd)
    if by_cwd and is_unknown_project and project.identity(by_cwd).id == binding.project_id:
        elsewhere.add(by_cwd)
    return elsewhere.pop() if len(elsewhere) == 1 else binding.project_path


def _client_process(around: Surroundings, binding: Binding | None) -> ProcessRef | None:
    """The process of the client that we run in. The first answer counts."""
    if around.stated_client.client_pid is not None:
        return _running(around.stated_client.client_pid, around)
    if binding and binding.client and _is_above(binding.process, around):
        bound = binding.process
    else:
        bound = None
    return _client_in_environment(around) or bound or _client_by_name(around) or _client_that_asks(around)


def _client_in_environment(around: Surroundings) -> ProcessRef | None:
    """The process that the client's own environment names, if it is above us."""
    for process in around.ancestors:
        if process.pid == around.stated_client.pid_from_environment:
            return process.ref
    return None


def _client_by_name(around: Surroundings) -> ProcessRef | None:
    """The nearest process above that has the name of a client."""
    for process in around.ancestors:
        if process.client:
            return process.ref
    return None


def _client_that_asks(around: Surroundings) -> ProcessRef | None:
    """Some client gave its session id but has no name that we know: the nearest process that lasts must be it."""
    if around.stated_client.client_session_id and around.ancestors:
        return nearest_that_lasts(around) or around.ancestors[0].ref
    return None


def _running(pid: int, around: Surroundings) -> ProcessRef:
    found = around.processes.look(pid)
    if found is None:
        raise BadInput("no_such_process", f"There is no process {pid}.")
    return found.ref


def _is_above(process: ProcessRef, around: Surroundings) -> bool:
    return any(above.ref == process for above in around.ancestors)


def nearest_that_lasts(around: Surroundings) -> ProcessRef | None:
    """The nearest process above that will still be there for the next command."""
    for process in around.ancestors:
        if not process.is_passing:
            return process.ref
    return None


def _instances_outside(around: Surroundings, bindings: Bindings) -> set[InstanceId]:
    """Instances of bound clients that are above an unbound client. What runs inside the unbound client may not use
    them."""
    inside = True
    found: set[InstanceId] = set()
    for process in around.ancestors:
        binding = client_at(process, bindings)
        if inside and (binding or process.client):
            if binding:
                return set()
            inside = False
        elif binding:
            found.add(binding.instance_id)
    return found


def client_at(process: Process, bindings: Bindings) -> Binding | None:
    """The binding of a process that is a bound client."""
    found = bindings.at(process_key(process.ref))
    return found if found and found.process == process.ref and found.client else None


def _bound_client_name(process: Process, bindings: Bindings) -> str | None:
    bound = client_at(process, bindings)
    return bound.client if bound else None
