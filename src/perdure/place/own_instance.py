"""May the caller act as the instance that its flags or variables name? (SPEC 3.1, 5.5, 19)

A command that an agent's client started acts as that client's own instance. `--instance`, `PERDURE_INSTANCE`,
`--client-pid` and `--client-session-id` must then lead to that instance; a write that names another one is refused. A
person in their own shell, CI, and a script that no client started may name any instance.

Who is a person cannot be proved. What shows an agent is a client above the command; a variable that only a client, or
our hook in it, sets; and the name of an instance that a client works as (SECURITY.md says what remains).

    refuse_another_instance(place, explicit, around)    # before something is written
    refuse_agent(place, around, "Only a person may open the gate by hand.")
"""

from __future__ import annotations

from perdure import clients
from perdure.errors import Refused
from perdure.place import project
from perdure.place.bindings import Bindings, agent_instance_key, agent_key, instance_key
from perdure.place.process import is_alive
from perdure.place.resolve import client_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from perdure.place.bindings import Binding
    from perdure.place.process import Process, ProcessRef
    from perdure.place.resolve import Explicit, Place
    from perdure.place.surroundings import StatedClient, Surroundings

    ClientAbove: TypeAlias = tuple[Process, Binding | None]
    """The process of a client that started us, and its binding if it has one."""

_SESSION = "PERDURE_CLIENT_SESSION"
"""Our session-start hook sets it for the shells of a client."""
PERSON_DOES = "A person does it, in a terminal of their own."


def client_above(around: Surroundings, *roots: str) -> ProcessRef | None:
    """The client that started this command, whatever its flags say. `roots`: projects that may hold the binding of a
    client that cannot write the home."""
    found = _clients_above(around, _bindings(around, roots))
    return found[0][0].ref if found else None


def refuse_agent(
    place: Place, around: Surroundings, message: str, *, hint: str = PERSON_DOES, roots: Sequence[str] = ()
) -> None:
    """For what only people may do. The gate denies an agent the command; this stops a script that the agent wrote."""
    if client_above(around, *roots):
        raise Refused("for_people", f"{message} Nothing was written.", hint=hint)
    shown_by = _sign_of_agent(place, around, *roots)
    if shown_by:
        raise Refused("for_people", f"{message} {shown_by} Nothing was written.", hint=hint)


def is_agent(place: Place, around: Surroundings, *roots: str) -> bool:
    """Whether something shows that an agent asks."""
    return client_above(around, *roots) is not None or bool(_sign_of_agent(place, around, *roots))


def agent_of(place: Place, around: Surroundings, *roots: str) -> str | None:
    """The client that works as the instance that is named; None if none is known."""
    if place.instance_id is None or not place.instance_is_explicit:
        return None
    bindings = _bindings(around, (*roots, place.project_path, place.cwd_project))
    for key in (instance_key(place.instance_id), agent_instance_key(place.instance_id)):
        found = bindings.at(key)
        if found and found.client:
            return found.client
    return None


def _sign_of_agent(place: Place, around: Surroundings, *roots: str) -> str:
    """What shows an agent although no client is above: a process that was detached from its client, or a client that
    runs under another name. Says also what a person does about it."""
    for name in (*clients.marks(), _SESSION):
        if around.environment.get(name):
            return f"The variable {name} is set, so a client started this; a terminal that no client started has none."
    client = agent_of(place, around, *roots)
    if client:
        return (
            f"The pane that is named (PERDURE_INSTANCE, --instance) is that of a client, {client}; a person leaves "
            "it out (unset PERDURE_INSTANCE)."
        )
    return ""


def refuse_another_instance(place: Place, explicit: Explicit, around: Surroundings) -> None:
    named = _names_another(place, explicit, around)
    if named:
        raise Refused(
            "for_people",
            f"{named} names another pane than that of the client that started this command. Nothing was written.",
            hint=f"Leave {named} out: the command then acts as your own pane. Only a person may act as another "
            "one, in a terminal of their own.",
            details={"named_by": named},
        )


def _names_another(place: Place, explicit: Explicit, around: Surroundings) -> str:
    """The flag or variable that names another instance than the client's own; empty if none does."""
    stated = around.stated_client
    describes_client = stated.by_flags and (stated.client_pid is not None or stated.client_session_id is not None)
    names_instance = place.instance_is_explicit and not explicit.is_new_instance
    if not describes_client and not names_instance:
        return ""
    bindings = _bindings(around, (place.project_path, place.cwd_project))
    above = _clients_above(around, bindings)
    if not above:
        return ""
    named = ""
    if describes_client:
        named = _flag_of_another_client(stated, above[0], bindings)
    if names_instance and not named:
        named = _name_of_another_instance(place, explicit, around, above=above, bindings=bindings)
    return named


def _flag_of_another_client(stated: StatedClient, nearest: ClientAbove, bindings: Bindings) -> str:
    process, own = nearest
    if stated.client_pid not in (None, process.pid):
        return "--client-pid"
    if own and _is_anothers_session(stated.client_session_id, own, bindings):
        return "--client-session-id"
    return ""


def _name_of_another_instance(
    place: Place, explicit: Explicit, around: Surroundings, *, above: list[ClientAbove], bindings: Bindings
) -> str:
    _, own = above[0]
    if own and own.instance_id == place.instance_id:
        return ""
    if explicit.instance not in (None, around.environment.get("PERDURE_INSTANCE")):
        return "--instance"
    is_bound = any(binding for _, binding in above)
    if is_bound or _is_bound_and_alive(place, around, bindings):
        return "PERDURE_INSTANCE"
    return ""


def _is_anothers_session(client_session_id: str | None, own: Binding, bindings: Bindings) -> bool:
    """A session id that is new here is the client's own: a client gives a session a new id when it is cleared."""
    if client_session_id is None or client_session_id == own.client_session_id:
        return False
    return any(each.instance_id != own.instance_id for each in bindings.of_client_session(client_session_id))


def _is_bound_and_alive(place: Place, around: Surroundings, bindings: Bindings) -> bool:
    """Whether the named instance is running. A client that a CI job started with `PERDURE_INSTANCE` has no binding and
    may use that instance; but a variable does not give away the instance of a running client or terminal."""
    latest = bindings.at(instance_key(place.instance_id)) if place.instance_id else None
    return latest is not None and latest.boot_id == around.boot_id and is_alive(latest.process, around.processes)


def _bindings(around: Surroundings, roots: tuple[str | None, ...]) -> Bindings:
    return Bindings(around.home, *(project.folder_of(root) for root in dict.fromkeys(roots) if root))


def _clients_above(around: Surroundings, bindings: Bindings) -> list[ClientAbove]:
    """Nearest first: every process that is a client by its name or that was bound as one."""
    found: list[ClientAbove] = []
    for process in around.started_by:
        bound = client_at(process, bindings) or _named_client_at(process, bindings)
        if bound or process.client:
            found.append((process, bound))
    return found


def _named_client_at(process: Process, bindings: Bindings) -> Binding | None:
    """What says that the process is a client that was started with an instance of its own."""
    found = bindings.at(agent_key(process.ref))
    return found if found and found.process == process.ref else None
