"""The seat of a session or a PREFLIGHT: as which instance it acts, and the bindings by which later commands find it
again (SPEC 3.1).

    seat = take_seat(place, around, project_id)
    bind(seat, root, project_id, session=session_id, around=around)
"""

from __future__ import annotations

import os

from perdure.errors import BadInput
from perdure.model.ids import InstanceId, derived_id, token_of
from perdure.model.moment import Moment, now
from perdure.model.value import value
from perdure.place import outside_clients, project
from perdure.place.bindings import (
    Binding,
    Bindings,
    agent_instance_key,
    agent_key,
    client_key,
    instance_key,
    pane_key,
    process_key,
    terminal_key,
)
from perdure.place.process import ProcessRef, is_alive
from perdure.place.registry import Registry
from perdure.place.resolve import nearest_that_lasts
from perdure.place.surroundings import Terminal, terminal_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.ids import ProjectId, SessionId
    from perdure.place.resolve import Place
    from perdure.place.surroundings import Surroundings, TmuxPane


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
    """What keeps the instance alive if neither a client nor a shell does: the process above that lasts longest."""
    tty_key: str | None
    tmux_key: str | None
    tmux_server: ProcessRef | None
    suffix: str
    boot_id: str
    is_bindable: bool


def take_seat(place: Place, around: Surroundings, project_id: ProjectId) -> InstanceSeat:
    """Says as which instance a command acts, and what keeps that instance alive: the resolved instance, or a new one.
    Writes nothing; `bind` does. The id of a new instance is derived from its process."""
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
    nearest = nearest_that_lasts(around)
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
    made = outside_clients.instance_of(holder, around.boot_id)
    while made in others:
        made = InstanceId(derived_id("process", made))
    return made


def _client(place: Place, around: Surroundings) -> str | None:
    if around.stated_client.client:
        return _client_name(around.stated_client.client)
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
            f"A client cannot be called '{USER}': that name is the person's.",
            hint="Leave --client out, or name it.",
        )
    return token_of(text, "The client's name")


def _bound_client(place: Place) -> Binding | None:
    """The binding, if it belongs to the client we run in and not to an earlier one."""
    return place.binding if place.binding and place.binding.process == place.client_process else None


def _client_session(place: Place, around: Surroundings) -> str | None:
    if around.stated_client.client_session_id:
        return around.stated_client.client_session_id
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
    if holder is None:
        return None
    bindings = Bindings(around.home, *([project.folder_of(root)] if os.path.isdir(root) else []))
    keys = _keys(seat, holder, bindings, around=around) if seat.is_bindable else _agent_keys(seat)
    if not keys:
        return None
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
        updated_at=_timestamp_after_existing(keys, seat.client_session_id, bindings),
        stood_in=stood_in,
    )
    folder = bindings.write(keys, binding)
    return folder if seat.is_bindable else None


def _agent_keys(seat: InstanceSeat) -> list[str]:
    """For a named instance, which no binding leads to: what says that it is an agent's, if a client works as it."""
    if seat.client_process is None or seat.client is None:
        return []
    return [agent_key(seat.client_process), agent_instance_key(seat.instance_id)]


def _timestamp_after_existing(keys: list[str], client_session_id: str | None, bindings: Bindings) -> Moment:
    """The current time, or, if the clock was set back, a time after every binding that this one replaces or competes
    with: the newest counts."""
    competing = bindings.of_client_session(client_session_id) if client_session_id else []
    known = [each for each in (*competing, *map(bindings.at, keys)) if each]
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


def is_only_named(place: Place, root: str) -> bool:
    """Whether this project was only named (`--project-path`) while the place is bound to another one. The binding then
    stays: naming a project does not move a place (SPEC 3.1)."""
    bound = place.binding
    if place.project_row != 1 or bound is None or place.client_process not in (None, bound.process):
        return False
    return bound.project_path != root and os.path.isdir(bound.project_path)
