"""The resolver: finds project, instance and session from what can be seen (SPEC 3.1). There is no other one.

The first row that gives a live answer wins: 1 explicit, 2 client session, 3 process ancestry, 4 tmux pane, 5 terminal,
6 workspace registry, 7 cwd. Rows 2 to 5 give an instance and, through its binding, a project; rows 6 and 7 give a
project but no instance. For `where --explain`, each row notes what it gave and why it was taken or not.

Three things move a place to another project (SPEC 3.1): `project switch`, which binds it anew; a client that starts,
whose folder counts; and a person who goes to another project in their own shell, if they have no open transaction.

Four rules keep parallel work apart:
- a process in a pty of its own has a place of its own, unless a bound client is above it;
- an unbound client that runs inside a bound one inherits nothing from it;
- what a running client holds belongs to no other client, even in the same terminal (SPEC 3.7);
- an instance that continued elsewhere, and runs there, is not continued where it was before.
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Refused
from perdure.model.ids import InstanceId, ProjectId, SessionId, derived_id, is_uuid, token_of
from perdure.model.moment import DAY, Moment, now
from perdure.model.value import value
from perdure.place import project, repository
from perdure.place.bindings import (
    CLIENTS,
    PANES,
    TERMINALS,
    Binding,
    Bindings,
    client_key,
    instance_key,
    pane_key,
    process_key,
    terminal_key,
)
from perdure.place.process import Process, ProcessRef, is_alive
from perdure.place.registry import Registry
from perdure.place.surroundings import Surroundings, Terminal, terminal_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from perdure.place.surroundings import TmuxPane

    Holds: TypeAlias = Callable[[str, InstanceId], bool]
    """Whether the instance has an open transaction in the project at this root."""

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
class Tried:
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
    row: int | None
    project_row: int | None
    instance_is_explicit: bool
    client_process: ProcessRef | None
    others: frozenset[InstanceId]
    """Other instances that the search found and did not take."""
    tried: tuple[Tried, ...]
    stands_in: str | None = None
    """The project of the working directory, which need not be the resolved one."""
    plain_repository: str | None = None
    """The repository of the working directory, if it is neither a project nor inside one."""

    @property
    def project_is_there(self) -> bool:
        return self.project_path is not None and project.is_project(self.project_path)


class _Search:
    """Tries the rows in order and notes what each one gave."""

    def __init__(self, around: Surroundings, bindings: Bindings, holds: Holds) -> None:
        self.around = around
        self.bindings = bindings
        self.holds = holds
        self.tried: list[Tried] = []
        self.others: set[InstanceId] = set()
        self.outer_instances = _instances_outside(around, bindings)

    def note(self, row: int, key: str, outcome: str, *, taken: bool = False) -> None:
        self.tried.append(Tried(row=row, key=key, outcome=outcome, taken=taken))

    def stale(self, binding: Binding) -> str | None:
        """Why the process that holds a binding is not the same any more; None if it is."""
        if binding.boot_id != self.around.boot_id:
            return "stale: the machine was restarted"
        if not is_alive(binding.process, self.around.processes):
            return f"stale: process {binding.process.pid} is gone"
        return None

    def take(self, row: int, key: str, binding: Binding, *, why: str) -> Binding | None:
        why_not = self._why_not_ours(binding)
        if why_not:
            self.note(row, key, f"not taken: {why_not}")
            self.others.add(binding.instance_id)
            return None
        self.note(row, key, f"instance {binding.instance_id[:8]}, {why}", taken=True)
        return binding

    def _why_not_ours(self, binding: Binding) -> str | None:
        if binding.instance_id in self.outer_instances:
            return "it belongs to a client outside the one this runs in"
        ours = _client_process(self.around, binding)
        if ours and binding.client and binding.process != ours and not self.stale(binding):
            return f"{binding.client} (process {binding.process.pid}) holds it and is running: another instance"
        latest = self.bindings.at(instance_key(binding.instance_id))
        if latest and latest.process != binding.process and self._runs_elsewhere(latest):
            return f"that instance works elsewhere now, and process {latest.process.pid} is running"
        return None

    def _runs_elsewhere(self, binding: Binding) -> bool:
        return not _is_above(binding.process, self.around) and not self.stale(binding)

    # -- row 2 -----------------------------------------------------------------------------------------------------

    def client_session(self) -> Binding | None:
        stated, inherited = self.around.hook.client_session_id, self.around.inherited_session
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
                self.note(2, session, f"process {binding.process.pid} is running with the same id: another instance")
                return None
        if found:
            return self.take(2, session, self._to_resume(found), why="resumed: the process that held it has ended")
        self.note(2, session, "not bound")
        return None

    def _to_resume(self, dead: list[Binding]) -> Binding:
        """Two processes may have shared the id (SPEC 3.7): the one that left a transaction open is resumed."""
        if len(dead) == 1:
            return dead[0]
        return next((each for each in dead if self.holds(each.project_path, each.instance_id)), dead[0])

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
                    return self.take(3, key, binding, why=f"bound to {binding.client or 'a process above'}")
                self.note(3, key, why_not)
            if process.client:
                self.note(3, key, f"{process.client} is not bound; nothing above it is believed")
                return None
            if self.around.terminal and process.ref == self.around.terminal.leader:
                beyond_terminal = True
        self.note(3, "—", "no process above is bound")
        return None

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
    by_cwd, cwd_row = _project_by_folder(around.cwd, registry)
    named_project, named_by = _explicit_project(explicit, around)
    known = [project.folder_of(root) for root in (named_project, by_cwd) if root]
    search = _Search(around, Bindings(around.home, *known), holds)
    search.note(1, named_by, named_project or "not given", taken=named_project is not None)
    named_instance = _explicit_instance(explicit, around, search)
    binding, row = _binding_of(named_instance, search)
    root: str | None = named_project
    project_row: int | None = 1
    if root is None:
        if binding:
            root = _project_of(binding, search, registry, by_cwd=by_cwd)
        elif named_instance:
            root = _where_it_holds(named_instance, search, registry, by_cwd=by_cwd)
        project_row = row
    _note_folder_rows(search, by_cwd, cwd_row, needed=root is None)
    if root is None:
        root, project_row = by_cwd, cwd_row
    return Place(
        project_path=root,
        instance_id=named_instance or _instance_of(binding),
        session_id=_session(explicit, binding),
        binding=binding,
        row=row,
        project_row=project_row if root else None,
        instance_is_explicit=named_instance is not None,
        client_process=_client_process(around, binding),
        others=frozenset(search.others),
        tried=tuple(search.tried),
        stands_in=by_cwd,
        plain_repository=None if by_cwd else _repository_around(around.cwd),
    )


def _instance_of(binding: Binding | None) -> InstanceId | None:
    return binding.instance_id if binding else None


def _repository_around(cwd: str) -> str | None:
    found = repository.enclosing(cwd)
    return found.main if found else None


def _binding_of(named_instance: InstanceId | None, search: _Search) -> tuple[Binding | None, int | None]:
    """The binding that counts here, and the row that gave the instance. For an instance that is named, row 1 gave it,
    and only its own binding counts."""
    binding, row = _first_binding(search)
    if named_instance is None:
        return binding, row
    if binding and binding.instance_id != named_instance:
        binding = None
    return binding, 1


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


def _explicit_instance(explicit: Explicit, around: Surroundings, search: _Search) -> InstanceId | None:
    named = explicit.instance or around.environment.get("PERDURE_INSTANCE")
    if not named:
        search.note(1, "instance", "not given")
        return None
    what = "--instance" if explicit.instance else "PERDURE_INSTANCE"
    named = token_of(named, what)
    instance = InstanceId(named if is_uuid(named) else derived_id("instance", named))
    search.note(1, what, f"instance {instance[:8]}", taken=True)
    return instance


def _session(explicit: Explicit, binding: Binding | None) -> SessionId | None:
    if explicit.session_id:
        return SessionId(token_of(explicit.session_id, "The session id"))
    return binding.session_id if binding else None


def _project_by_folder(cwd: str, registry: Registry) -> tuple[str | None, int]:
    found = repository.enclosing(cwd)
    if found and (project.is_project(found.main) or registry.at(found.main)):
        return found.main, 6
    return project.above(cwd), 7


def _note_folder_rows(search: _Search, by_cwd: str | None, row: int, *, needed: bool) -> None:
    for number in (6, 7):
        given = by_cwd if by_cwd and row == number else None
        if not needed:
            search.note(number, "—", f"{given}, not needed: cwd never overrides a binding" if given else "not needed")
        elif given:
            search.note(number, search.around.cwd, f"project {given}", taken=True)
        elif by_cwd:
            search.note(number, "—", "not needed" if number > row else "not a registered repository")
        else:
            search.note(number, search.around.cwd, "no project" if number == 7 else "not a registered repository")


def _project_of(binding: Binding, search: _Search, registry: Registry, *, by_cwd: str | None) -> str | None:
    """The project that the instance works on; None if the working directory decides."""
    client = _client_process(search.around, binding)
    if search.around.hook.client and client != binding.process:  # a client that starts: the person chose its folder
        return None
    bound = _whereabouts(binding, registry, by_cwd)
    if by_cwd in (None, bound, binding.stood_in):
        return bound
    client_runs = binding.client is not None and not search.stale(binding)
    if client_runs or not project.is_project(bound):  # nobody knows what is open in a project that is gone
        return bound
    return bound if search.holds(bound, binding.instance_id) else None


def _where_it_holds(instance_id: InstanceId, search: _Search, registry: Registry, *, by_cwd: str | None) -> str | None:
    """A named instance has no binding. Its place is the one project in which it has an open transaction, unless the
    working directory is in such a project."""
    if by_cwd and search.holds(by_cwd, instance_id):
        return None
    found = [entry.path for entry in registry.entries() if search.holds(entry.path, instance_id)]
    if len(found) != 1:
        return None
    search.note(1, "its transaction", found[0], taken=True)
    return found[0]


def _whereabouts(binding: Binding, registry: Registry, by_cwd: str | None) -> str:
    """The root of the bound project. If the repository was moved, it is found again by its id (SPEC 3.5) and by its
    ledger, which no clone shares. If only its `.perdure` is gone, it is still the current project (SPEC 5.2)."""
    if os.path.isdir(binding.project_path):
        return binding.project_path
    same = (entry for entry in registry.known_as(binding.project_id) if binding.ledger_id in entry.ledgers[:1])
    elsewhere = {entry.path for entry in same if project.is_project(entry.path)}
    is_unknown_project = by_cwd and project.is_project(by_cwd) and not registry.at(by_cwd)
    if by_cwd and is_unknown_project and project.identity(by_cwd).id == binding.project_id:
        elsewhere.add(by_cwd)
    return elsewhere.pop() if len(elsewhere) == 1 else binding.project_path


def _client_process(around: Surroundings, binding: Binding | None) -> ProcessRef | None:
    """The process of the client that we run in. The first answer counts."""
    if around.hook.client_pid is not None:
        return _running(around.hook.client_pid, around)
    if binding and binding.client and _is_above(binding.process, around):
        bound = binding.process
    else:
        bound = None
    return _stated_client(around) or bound or _client_by_name(around) or _client_that_asks(around)


def _stated_client(around: Surroundings) -> ProcessRef | None:
    """The process that the client's own environment names, if it is above us."""
    for process in around.ancestors:
        if process.pid == around.hook.stated_pid:
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
    if around.hook.client_session_id and around.ancestors:
        return _nearest_that_lasts(around) or around.ancestors[0].ref
    return None


def _running(pid: int, around: Surroundings) -> ProcessRef:
    found = around.processes.look(pid)
    if found is None:
        raise BadInput("no_such_process", f"There is no process {pid}.")
    return found.ref


def _is_above(process: ProcessRef, around: Surroundings) -> bool:
    return any(above.ref == process for above in around.ancestors)


def _nearest_that_lasts(around: Surroundings) -> ProcessRef | None:
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


def doubles(around: Surroundings, ours: InstanceId, root: str) -> list[Binding]:
    """Other running instances with the same client session id (SPEC 3.7)."""
    session = around.hook.client_session_id
    if session is None:
        return []
    bindings = Bindings(around.home, project.folder_of(root))
    found = [each for each in bindings.of_client_session(session) if each.instance_id != ours]
    return [each for each in found if each.boot_id == around.boot_id and is_alive(each.process, around.processes)]


# -- taking a place ------------------------------------------------------------------------------------------------


@value
class InstanceSeat:
    """What a session or PREFLIGHT works as: the instance, the processes that keep it alive, and the keys that it is
    bound to."""

    instance_id: InstanceId
    client: str | None
    client_session_id: str | None
    client_process: ProcessRef | None
    shell: ProcessRef | None
    process: ProcessRef | None
    tty_key: str | None
    tmux_key: str | None
    tmux_server: ProcessRef | None
    suffix: str
    boot_id: str
    is_bindable: bool


def take_seat(place: Place, around: Surroundings, project_id: ProjectId) -> InstanceSeat:
    """Continues the resolved instance, or starts one. The id of a new instance is derived from its process, so that
    commands that start at the same moment get the same id."""
    client = _client(place, around)
    terminal = _terminal(place, around)
    pane = _pane_of(terminal, around)
    shell = terminal.leader if terminal else None
    holder = place.client_process or shell or _longest_lasting(around)
    instance = place.instance_id or _new_instance(holder, place, around, project_id=project_id)
    return InstanceSeat(
        instance_id=instance,
        client=client,
        client_session_id=_client_session(place, around),
        client_process=place.client_process,
        shell=shell,
        process=None if place.client_process or shell else holder,
        tty_key=terminal.key if terminal else None,
        tmux_key=pane.key if pane else None,
        tmux_server=pane.server if pane else None,
        suffix=_suffix(instance, place, project_id, window=pane or terminal),
        boot_id=around.boot_id,
        is_bindable=not place.instance_is_explicit and holder is not None,
    )


def _suffix(instance_id: InstanceId, place: Place, project_id: ProjectId, *, window: TmuxPane | Terminal | None) -> str:
    """What the name of this seat's transaction file ends with. `window`: the pane or terminal of the seat."""
    if instance_id == nobody(project_id):
        return ""
    if window is None or place.instance_is_explicit:
        return instance_id[:8]
    return window.key


def _longest_lasting(around: Surroundings) -> ProcessRef | None:
    """The nearest process above that will still be there for the next command. If all are short-lived, as below a
    detached script: the outermost, which lasts longest."""
    nearest = _nearest_that_lasts(around)
    if nearest is None and around.ancestors:
        return around.ancestors[-1].ref
    return nearest


def _new_instance(
    holder: ProcessRef | None, place: Place, around: Surroundings, *, project_id: ProjectId
) -> InstanceId:
    if holder is None:
        return nobody(project_id)
    return _derived(holder, around, place.others)


def nobody(project_id: ProjectId) -> InstanceId:
    """The instance of a project if no process, terminal or client can be found. It never counts as running, so the next
    one to come may take its transaction over; and the gate does not open for it."""
    return InstanceId(derived_id("nobody", project_id))


def _derived(holder: ProcessRef, around: Surroundings, others: frozenset[InstanceId]) -> InstanceId:
    """An instance that started here and continues elsewhere is not started again: the id is derived once more."""
    made = InstanceId(derived_id("process", around.boot_id, str(holder.pid), holder.started))
    while made in others:
        made = InstanceId(derived_id("process", made))
    return made


def _client(place: Place, around: Surroundings) -> str | None:
    if around.hook.client:
        return _client_name(around.hook.client)
    if place.client_process is None:
        return None
    bound, found = _bound_client(place), around.processes.look(place.client_process.pid)
    return (bound.client if bound else None) or (found.client if found else None) or "unknown-client"


def _client_name(text: str) -> str:
    """The name becomes the actor of events, where `user` means the person."""
    from perdure.model.event import USER  # the guard takes no seat, and need not load it

    if text == USER:
        raise BadInput(
            "bad_id",
            f"No client is called '{USER}': that name is the person's.",
            hint="Leave --client out, or name it.",
        )
    return token_of(text, "The client's name")


def _bound_client(place: Place) -> Binding | None:
    """The binding, if it belongs to the client we run in and not to an earlier one."""
    return place.binding if place.binding and place.binding.process == place.client_process else None


def _client_session(place: Place, around: Surroundings) -> str | None:
    if around.hook.client_session_id:
        return around.hook.client_session_id
    bound = _bound_client(place)
    return bound.client_session_id if bound else None


def _terminal(place: Place, around: Surroundings) -> Terminal | None:
    """A client's tools may run in ptys of their own: the terminal that counts is the client's."""
    if place.client_process:
        return terminal_of(around.processes.look(place.client_process.pid), around.processes)
    return around.terminal


def _pane_of(terminal: Terminal | None, around: Surroundings) -> TmuxPane | None:
    """The tmux pane that the terminal belongs to. The tmux server started the shell of its pane itself; a terminal
    that only inherited `TMUX_PANE` has another parent."""
    if around.pane is None or terminal is None:
        return None
    leader = around.processes.look(terminal.leader.pid)
    is_its_shell = leader is not None and leader.parent == around.pane.server.pid
    return around.pane if is_its_shell else None


def bind(
    seat: InstanceSeat,
    root: str,
    project_id: ProjectId,
    *,
    session: SessionId | None,
    around: Surroundings,
    stood_in: str | None = None,
) -> str | None:
    """Writes the binding of the seat for all its keys. Returns the folder that was used, or None if nothing can be
    bound. A pane or terminal that belongs to another running instance stays with it. `stood_in`: see `Binding`."""
    holder = seat.client_process or seat.shell or seat.process
    if not seat.is_bindable or holder is None:
        return None
    bindings = Bindings(around.home, project.folder_of(root))
    keys = _keys(seat, holder, bindings, around=around)
    found = around.processes.look(holder.pid)
    known = Registry(around.home).at(root)
    binding = Binding(
        instance_id=seat.instance_id,
        project_path=root,
        project_id=project_id,
        ledger_id=known.ledgers[0] if known and known.ledgers else None,
        session_id=session,
        client=seat.client,
        client_session_id=seat.client_session_id,
        process=holder,
        ppid=found.parent if found else 0,
        boot_id=around.boot_id,
        tty_key=seat.tty_key,
        shell=seat.shell,
        tmux_key=seat.tmux_key,
        tmux_server=seat.tmux_server,
        updated_at=_after_all(keys, seat.client_session_id, bindings),
        stood_in=stood_in,
    )
    return bindings.write(keys, binding)


def _after_all(keys: list[str], client_session_id: str | None, bindings: Bindings) -> Moment:
    """The current time, or, if the clock was set back, a time after every binding that this one replaces or competes
    with: the newest counts."""
    beside = bindings.of_client_session(client_session_id) if client_session_id else []
    known = [each for each in (*beside, *map(bindings.at, keys)) if each]
    return Moment(max([now(), *(each.updated_at + 1 for each in known)]))


def _keys(seat: InstanceSeat, holder: ProcessRef, bindings: Bindings, *, around: Surroundings) -> list[str]:
    keys = [process_key(holder), instance_key(seat.instance_id)]
    if seat.client_session_id and seat.client_process:
        keys.append(client_key(seat.client_session_id, seat.client_process))
    for key in _shared_keys(seat, around):
        if not _is_taken(bindings.at(key), seat, around):
            keys.append(key)
    return keys


def _shared_keys(seat: InstanceSeat, around: Surroundings) -> list[str]:
    """The pane and the terminal, in which several instances may run."""
    keys = []
    if seat.tmux_key and around.pane:
        keys.append(pane_key(around.pane))
    if seat.tty_key and seat.shell:
        keys.append(terminal_key(Terminal(seat.tty_key, seat.shell)))
    return keys


def _is_taken(binding: Binding | None, seat: InstanceSeat, around: Surroundings) -> bool:
    """Whether another instance that is running under the same shell has this key."""
    if binding is None or binding.instance_id == seat.instance_id:
        return False
    if binding.boot_id != around.boot_id or binding.shell is None or binding.shell != seat.shell:
        return False
    return is_alive(binding.process, around.processes)


@value
class Holder:
    """What the ledger knows about the holder of a transaction; see `is_living`."""

    instance_id: InstanceId | None = None
    boot_id: str | None = None
    client: ProcessRef | None = None
    shell: ProcessRef | None = None
    process: ProcessRef | None = None
    tty_key: str | None = None


def is_living(holder: Holder, around: Surroundings, root: str) -> bool | None:
    """Whether the holder is alive (SPEC 1): its client process runs, or the shell that continues its work. None if that
    cannot be known (a CI job)."""
    if not (holder.client or holder.shell or holder.process):
        return None
    if holder.boot_id != around.boot_id:
        return False
    if holder.client is None:
        return any(each and is_alive(each, around.processes) for each in (holder.shell, holder.process))
    return is_alive(holder.client, around.processes) or _goes_on_in_its_shell(holder, around, root)


def _goes_on_in_its_shell(holder: Holder, around: Surroundings, root: str) -> bool:
    """Two clients may run in one terminal, but only one has its keys. When that one has ended, the shell continues it,
    never the other."""
    if holder.shell is None or not is_alive(holder.shell, around.processes):
        return False
    bindings = Bindings(around.home, project.folder_of(root))
    keys = [process_key(holder.shell)]
    if holder.tty_key:
        keys.append(terminal_key(Terminal(holder.tty_key, holder.shell)))
    found = (bindings.at(key) for key in keys)
    return any(each and each.instance_id == holder.instance_id and each.shell == holder.shell for each in found)


# -- putting old bindings away ---------------------------------------------------------------------------------------

STALE_KEPT = 7 * DAY
"""Two machines or containers may share a home without seeing each other's processes: what looks dead here may be
running there. A running instance is bound again at the latest when its context is compacted."""
SESSION_KEPT = 90 * DAY
"""A session may be resumed long after its process has ended; clients keep their transcripts for a month."""


def put_away_stale(around: Surroundings, holds: Holds) -> int:
    """Removes bindings that can no longer be used; returns how many there were."""
    at = now()

    def lives(ref: ProcessRef | None, binding: Binding) -> bool:
        return ref is not None and binding.boot_id == around.boot_id and is_alive(ref, around.processes)

    def is_over(kind: str, binding: Binding) -> bool:
        age = at - binding.updated_at
        if lives(binding.process, binding) or (kind in (PANES, TERMINALS) and lives(binding.shell, binding)):
            return False
        if kind == CLIENTS:
            return age > SESSION_KEPT and not holds(binding.project_path, binding.instance_id)
        return age > STALE_KEPT

    return Bindings(around.home).put_away(is_over)


def is_only_named(place: Place, root: str) -> bool:
    """Whether this project was only named (`--project-path`) while the place is bound to another one. The binding then
    stays: naming a project does not move a place (SPEC 3.1)."""
    bound = place.binding
    if place.project_row != 1 or bound is None or place.client_process not in (None, bound.process):
        return False
    return bound.project_path != root and os.path.isdir(bound.project_path)


def not_where_one_stands(place: Place, root: str | None = None) -> str:
    """The first line of an answer to a write that goes to another project than that of the working directory: to the
    resolved one, or to `root`."""
    root = root or place.project_path
    if root is None or place.stands_in == root:
        return ""
    where = f"you are in {place.stands_in}" if place.stands_in else "you are in no project"
    why = "where this instance works" if root == place.project_path else "where the transaction is open"
    return f"In {root}, {why}; {where}."


def refuse_plain_repository(place: Place) -> None:
    """Refuses a person who writes from a repository that is not a project: they mean that repository, not the project
    they used last."""
    is_person = place.client_process is None and place.project_row != 1
    if is_person and place.project_path is not None and place.plain_repository is not None:
        raise Refused(
            "no_project",
            f"{place.plain_repository} is a repository but not a project. Nothing was written.",
            hint=f"perdure init makes it one; --project-path {place.project_path} writes to the project "
            "this terminal worked on last.",
        )


def required_project(place: Place) -> str:
    if place.project_path is None:
        raise Refused(
            "no_project",
            "There is no project here.",
            hint="Run perdure init in the repository, or name one with --project-path.",
        )
    if not place.project_is_there and place.project_row == 1:
        raise Refused(
            "no_project",
            f"{place.project_path} is not a project.",
            hint="perdure init makes one; if it was one, perdure heal --project-path PATH brings it back.",
        )
    if not place.project_is_there:
        raise Refused(
            "project_vanished",
            f"{project.toml_of(place.project_path)} is gone, so the project of this instance cannot be found.",
            hint=way_back(place.project_path),
        )
    return place.project_path


def way_back(root: str) -> str:
    """What to do if a project is no longer where it was."""
    if os.path.isdir(root):
        return f"perdure heal --project-path {root} brings it back from its backup."
    return "If it was moved, say where it is now: perdure project switch PATH. Otherwise switch to another project."
