"""What a lineage began with, if its beginning is not in this record: as after the home was lost and the ledger was set
aside (SPEC 1, 3.5; docs/adr/0053). The person's first words are then in the file that was set aside, or, once a person
took it in, in a chain that is not ours.

    own = [session, its parent, …]            # the lineage, as this record has it
    is_beginning_set_aside(desk, own)         # True: no later prompt takes the goal's place
    original_taken_in(desk, own)              # the event with the first words, after `perdure import`
"""

from __future__ import annotations

from perdure.files import listing
from perdure.model import payload as p
from perdure.model.event import in_order
from perdure.model.state import CONTINUING
from perdure.place import seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.ids import InstanceId
    from perdure.model.state import Session

LOOKED_AT = 2000
"""How many of the latest sessions and first prompts are looked at."""
_BEGINNINGS = ("startup", "terminal")
"""Sources of a session that nothing came before."""


def ledgers_set_aside(desk: Desk) -> list[str]:
    """The ledgers that this home did not write and that nobody took in yet."""
    if not any(".foreign-" in name for name in listing(desk.folder)):
        return []
    from perdure.actions import restoring  # hardly any project has such a file

    return restoring.foreign_not_taken_in(desk.root, desk.ledger)


def is_beginning_set_aside(desk: Desk, own: list[Session]) -> bool:
    return _began_before(own) and bool(ledgers_set_aside(desk))


def original_taken_in(desk: Desk, own: list[Session]) -> Event | None:
    """The event of the lineage's first words in a chain that was taken in. It is found by the client's session id, or
    by the instance: a command that an agent runs before any hook does not know that id."""
    if len(desk.ledger.heads()) == 1 or not _began_before(own):
        return None
    taken_in = list(_sessions_taken_in(desk))
    started = {str(event.session_id): said for event, said in taken_in}
    lineage = _same_client(taken_in, own, seat.nobody(desk.identity.id))
    prompted = [each for each in desk.ledger.latest(["goal.prompted"], LOOKED_AT) if desk.other_ledger(each)]
    seen: set[str] = set()
    while lineage:
        found = [each for each in prompted if each.session_id in lineage]
        if found:
            return min(found, key=in_order)
        seen |= lineage
        lineage = _continued(lineage, started) - seen
    return None


def _same_client(taken_in: list[tuple[Event, p.SessionStarted]], own: list[Session], nobody: InstanceId) -> set[str]:
    """The imported sessions of the client that this lineage belongs to. `nobody`: the instance that
    several machines may have."""
    instances = {each.instance_id for each in own} - {None, nobody}
    of_instance = [(event, said) for event, said in taken_in if event.instance_id in instances]
    clients = {each.client_session_id for each in own if each.client_session_id}
    if not clients:
        clients = set([said.client_session_id for _, said in of_instance if said.client_session_id][:1])
    found = [event for event, said in taken_in if said.client_session_id and said.client_session_id in clients]
    found += [event for event, said in of_instance if said.client_session_id is None]
    return {str(event.session_id) for event in found}


def _sessions_taken_in(desk: Desk) -> Iterator[tuple[Event, p.SessionStarted]]:
    """Newest first."""
    for event in desk.ledger.latest(["session.started"], LOOKED_AT):
        said = p.read(event, p.SessionStarted)
        if said and event.session_id and desk.other_ledger(event):
            yield event, said


def _continued(sessions: set[str], started: dict[str, p.SessionStarted]) -> set[str]:
    """The sessions that these continue."""
    parents = {started[each].parent_id for each in sessions if started[each].source in CONTINUING}
    return {each for each in parents if each in started}


def _began_before(own: list[Session]) -> bool:
    """Whether the first session of the lineage that is recorded here may have continued something. A command that comes
    before the client's next hook begins a session of its own, `implicit`, and does not know the client."""
    return bool(own) and own[-1].source not in _BEGINNINGS and all(each.source != "startup" for each in own)
