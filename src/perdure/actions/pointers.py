"""External pointers: what an integration keeps outside and the next session must find again, each with the command that
reactivates it (SPEC 10.2). They belong to the lineage, and survive every end of a context.

    add(desk, p.PointerSet("serena", "shop", "serena activate shop"))
    of_session(desk, session)       [ExternalPointer(…)], by name
"""

from __future__ import annotations

from perdure.actions import sessions
from perdure.actions.attribution import current_attribution
from perdure.actions.record import record
from perdure.errors import BadInput, Refused
from perdure.lifecycle.state_fields import FIELDS, pointer
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import LedgerId
from perdure.model.state import Session, body_as
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.model.json import Json

MOST = FIELDS["external_pointers"].cap


@value
class ExternalPointer:
    name: str
    value: str
    command: str
    source: str
    """The id of the event that has its words."""

    @property
    def data(self) -> dict[str, Json]:
        return {"name": self.name, "value": self.value, "command": self.command}


def of_session(desk: Desk, session: Session | None) -> list[ExternalPointer]:
    """Those whose words are still on record."""
    places = (session.pointers if session else None) or {}
    found = ((name, desk.ledger.event(Ref(LedgerId(each[0]), each[1]))) for name, each in sorted(places.items()))
    said = ((event, p.read(event, p.PointerSet)) for _, event in found if event)
    return [_pointer(each, event.id) for event, each in said if each]


def _pointer(said: p.PointerSet, source: str) -> ExternalPointer:
    return ExternalPointer(name=said.name, value=said.value, command=said.command, source=source)


def listed(desk: Desk) -> list[ExternalPointer]:
    return of_session(desk, sessions.under_way(desk))


def add(desk: Desk, wanted: p.PointerSet) -> ExternalPointer:
    """Sets a pointer; one of the same name is replaced."""
    if not pointer({"name": wanted.name, "value": wanted.value, "command": wanted.command}):
        raise BadInput(
            "bad_pointer",
            "A pointer needs a name of letters, digits and dashes, what it points to, and the command that reactivates "
            "it, each in at most 2,000 characters.",
            hint="perdure pointer set serena shop --command 'serena activate shop'",
        )
    attribution = current_attribution(desk)
    if attribution.before:  # the session's record is read below
        record(desk, list(attribution.before))
    known = _places(desk, attribution.session_id)
    if wanted.name not in known and len(known) >= MOST:
        raise Refused(
            "too_many_pointers",
            f"There are {MOST} pointers already.",
            hint="perdure pointer list shows them; perdure pointer remove NAME makes room.",
        )
    event = record(desk, [attribution.fact("pointer.set", wanted)]).events[-1]
    return _pointer(wanted, event.id)


def remove(desk: Desk, name: str) -> ExternalPointer:
    found = next((each for each in listed(desk) if each.name == name), None)
    if found is None:
        raise Refused("no_pointer", f"There is no pointer {name[:60]!r} here.", hint="perdure pointer list shows them.")
    attribution = current_attribution(desk)
    record(desk, [*attribution.before, attribution.fact("pointer.removed", p.PointerRemoved(name))])
    return found


def _places(desk: Desk, session_id: str) -> dict[str, tuple[str, int]]:
    session = body_as(desk.ledger.document("session", session_id), Session)
    return (session.pointers if session else None) or {}
