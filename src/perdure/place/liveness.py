"""Which instances are alive: who holds a transaction, who shares a client session, which bindings are of no more use.

is_living(Holder(boot_id=…, client=…), around, root)      # None if it cannot be known
"""

from __future__ import annotations

from perdure.model.moment import DAY, now
from perdure.model.value import value
from perdure.place import project
from perdure.place.bindings import CLIENTS, PANES, TERMINALS, Binding, Bindings
from perdure.place.process import ProcessRef, is_alive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.ids import InstanceId
    from perdure.place.resolve import Holds
    from perdure.place.surroundings import Surroundings

BINDING_KEPT = 7 * DAY
"""How long the binding of a process that seems to have ended is kept. Two machines or containers may share a home
without seeing each other's processes: what looks dead here may be running there. A running instance is bound again at
the latest when its context is compacted."""
SESSION_KEPT = 90 * DAY
"""How long the binding of a client session is kept. A session may be resumed long after its process has ended; clients
keep their transcripts for a month."""


@value
class Holder:
    """What the ledger knows about the holder of a transaction; see `is_living`."""

    instance_id: InstanceId | None = None
    boot_id: str | None = None
    client: ProcessRef | None = None
    shell: ProcessRef | None = None
    process: ProcessRef | None = None
    tty_key: str | None = None
    tmux_key: str | None = None


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
    """When a client has ended, its shell continues it, unless the shell continues another one."""
    if holder.instance_id is None or holder.shell is None or not is_alive(holder.shell, around.processes):
        return False
    bindings = Bindings(around.home, project.folder_of(root))
    return bindings.shell_goes_on_as(holder.instance_id, holder.shell, holder.tty_key)


@value
class SecondInstance:
    """Another running instance that has the same client session id."""

    instance_id: InstanceId
    pid: int


def others_in_same_client_session(around: Surroundings, ours: InstanceId, root: str | None) -> list[SecondInstance]:
    """Other running instances with the same client session id (SPEC 3.7), bound or in a folder of no project. `root`:
    the project, if there is one."""
    session = around.stated_client.client_session_id
    if session is None:
        return []
    from perdure.place import outside_clients  # the guard asks for nobody else

    bindings = Bindings(around.home, *([project.folder_of(root)] if root else []))
    bound = [each for each in bindings.of_client_session(session) if each.boot_id == around.boot_id]
    running = {each.process: each.instance_id for each in bound if is_alive(each.process, around.processes)}
    for each in outside_clients.of_session(around.home, session):
        if each.is_running(around):
            running.setdefault(each.process, each.instance_id)
    return [SecondInstance(instance_id, process.pid) for process, instance_id in running.items() if instance_id != ours]


def put_away_stale(around: Surroundings, holds: Holds) -> int:
    """Removes bindings that can no longer be used; returns how many there were."""
    at = now()

    def lives(ref: ProcessRef | None, binding: Binding) -> bool:
        return ref is not None and binding.boot_id == around.boot_id and is_alive(ref, around.processes)

    def is_unused(kind: str, binding: Binding) -> bool:
        age = at - binding.updated_at
        if lives(binding.process, binding) or (kind in (PANES, TERMINALS) and lives(binding.shell, binding)):
            return False
        if kind == CLIENTS:
            return age > SESSION_KEPT and not holds(binding.project_path, binding.instance_id)
        return age > BINDING_KEPT

    return Bindings(around.home).put_away(is_unused)
