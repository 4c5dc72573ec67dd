"""May the caller act as the instance that its flags or variables name? (SPEC 3.1, 5.5, 19)

A command that an agent's client started acts as that client's own instance. `--instance`, `PERDURE_INSTANCE`,
`--client-pid` and `--client-session-id` must then lead to that instance; a write that names another one is refused. A
person in their own shell, CI, and a script that no client started may name any instance.

    refuse_another_instance(place, explicit, around)    # before something is written
"""

from __future__ import annotations

from perdure.errors import Refused
from perdure.place import project
from perdure.place.bindings import Bindings, instance_key
from perdure.place.process import is_alive
from perdure.place.resolve import client_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from perdure.place.bindings import Binding
    from perdure.place.process import Process, ProcessRef
    from perdure.place.resolve import Explicit, Place
    from perdure.place.surroundings import StatedClient, Surroundings

    ClientAbove: TypeAlias = tuple[Process, Binding | None]
    """The process of a client that started us, and its binding if it has one."""

PERSON_DOES = "A person does it, in a terminal of their own."


def client_above(around: Surroundings, *roots: str) -> ProcessRef | None:
    """The client that started this command, whatever its flags say. `roots`: projects that may hold the binding of a
    client that cannot write the home."""
    found = _clients_above(around, _bindings(around, roots))
    return found[0][0].ref if found else None


def refuse_agent(around: Surroundings, message: str, hint: str = PERSON_DOES, *roots: str) -> None:
    """For what only people may do. The gate denies an agent the command; this stops a script that the agent wrote."""
    if client_above(around, *roots):
        raise Refused("for_people", f"{message} Nothing was written.", hint=hint)


def refuse_another_instance(place: Place, explicit: Explicit, around: Surroundings) -> None:
    named = _names_another(place, explicit, around)
    if named:
        raise Refused(
            "for_people",
            f"{named} names another instance than that of the client that started this command. Nothing was written.",
            hint=f"Leave {named} out: the command then acts as your own instance. To act as another one is for people, "
            "in a terminal of their own.",
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
        bound = client_at(process, bindings)
        if bound or process.client:
            found.append((process, bound))
    return found
