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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
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
    """The event of the lineage's first words in a chain that was taken in. It is found by the client's session id."""
    if len(desk.ledger.heads()) == 1 or not _began_before(own):
        return None
    started = dict(_sessions_taken_in(desk))
    clients = {each.client_session_id for each in own} - {None}
    lineage = {each for each, said in started.items() if said.client_session_id in clients}
    prompted = [each for each in desk.ledger.latest(["goal.prompted"], LOOKED_AT) if desk.other_ledger(each)]
    seen: set[str] = set()
    while lineage:
        found = [each for each in prompted if each.session_id in lineage]
        if found:
            return min(found, key=in_order)
        seen |= lineage
        lineage = _continued(lineage, started) - seen
    return None


def _sessions_taken_in(desk: Desk) -> Iterator[tuple[str, p.SessionStarted]]:
    for event in desk.ledger.latest(["session.started"], LOOKED_AT):
        said = p.read(event, p.SessionStarted)
        if said and event.session_id and desk.other_ledger(event):
            yield event.session_id, said


def _continued(sessions: set[str], started: dict[str, p.SessionStarted]) -> set[str]:
    """The sessions that these continue."""
    parents = {started[each].parent_id for each in sessions if started[each].source in CONTINUING}
    return {each for each in parents if each in started}


def _began_before(own: list[Session]) -> bool:
    """Whether the first session of the lineage that is recorded here continued something."""
    return bool(own) and own[-1].client_session_id is not None and own[-1].source not in _BEGINNINGS
