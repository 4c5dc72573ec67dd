"""`perdure pause`: a person opens the gate of a project for a while (SPEC 5.1; docs/adr/0098).

While a project is paused, the guard loads this module: what only the command needs is imported where it is needed.

    pause(desk, 10 * MINUTE, because="a big rename")
    end(desk)
    current(resolved, root)         # also for the gate, which opens no ledger
    record_ended(desk)              # records the end of a pause that ended by itself
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Refused, Trouble
from perdure.files import FolderLock
from perdure.model.ids import EventId, derived_id
from perdure.model.moment import DAY, MINUTE, Moment, stamp
from perdure.place import pauses, project
from perdure.place.home import paused_folder
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.place.pauses import Clocks, Pause

SHORTEST, LONGEST = MINUTE // 6, DAY
BY_ITSELF, BY_PERSON, REPLACED = "time", "person", "replaced"
"""How a pause ended."""


def current(resolved: ResolvedRequest, root: str) -> Pause | None:
    """The pause that is in force in this project. A project whose folder cannot be read has none."""
    if not os.path.isdir(paused_folder(resolved.home)):
        return None
    try:
        key = existing_key(resolved.home, project.folder_of(root))
    except OSError:
        return None
    return pauses.in_force(resolved.home, root, key, clocks=_clocks(resolved))


def _clocks(resolved: ResolvedRequest) -> Clocks:
    return pauses.clocks_now(resolved.request.now(), resolved.around.boot_id)


def pause(desk: Desk, length: int, *, because: str) -> Pause:
    """Recorded first, then it holds: after a crash in between the gate still denies."""
    from perdure.actions.attribution import record_event
    from perdure.actions.record import new_event_id, without_credentials
    from perdure.model.payload import GatePaused

    desk.refuse_agent("Only a person may pause the gate.")
    _refuse_length(length)
    _refuse_if_off(desk)
    with FolderLock(desk.folder):
        _end(desk, REPLACED)
        until = Moment(desk.now() + length)
        made = pauses.Pause(
            id=new_event_id(),
            root=os.path.realpath(desk.root),
            until=until,
            because=without_credentials(because.strip()),
        )
        said = GatePaused(until=stamp(until), seconds=length // 1000, because=because.strip() or None)
        record_event(desk, "gate.paused", said, id=EventId(made.id))
        pauses.start(desk.resolved.home, made, desk.key, clocks=_clocks(desk.resolved))
    return made


def _refuse_length(length: int) -> None:
    if not SHORTEST <= length <= LONGEST:
        raise BadInput(
            "bad_duration",
            "A pause lasts from 10 seconds to 24 hours.",
            hint="perdure pause 10m. To switch the gate off until you switch it on: perdure config set gate.mode off",
        )


def _refuse_if_off(desk: Desk) -> None:
    from perdure.actions.advice import as_typed

    mode = desk.settings["gate.mode"]
    if mode.value == "off":
        raise Refused(
            "gate_off",
            f"The gate is off here already, by {mode.origin}: there is nothing to pause. Nothing was written.",
            hint=as_typed(desk, "perdure config show gate.mode"),
        )


def end(desk: Desk) -> Pause:
    """Ends the pause now."""
    from perdure.actions.advice import as_typed

    desk.refuse_agent("Only a person may end a pause of the gate.")
    with FolderLock(desk.folder):
        ended = _end(desk, BY_PERSON)
    if ended is None:
        raise Refused("not_paused", "The gate is not paused here.", hint=as_typed(desk, "perdure status"))
    return ended


def _end(desk: Desk, how: str) -> Pause | None:
    """The file says so first, then it is recorded: after a crash in between the gate denies. Returns the pause if one
    was in force."""
    found = current(desk.resolved, desk.root)
    if found is None:
        return None
    pauses.end(desk.resolved.home, desk.root, desk.key, clocks=_clocks(desk.resolved))
    _record_end(desk, found, how)
    return found


def record_ended(desk: Desk) -> None:
    """Records the end of a pause that is over. If that cannot be written now, the next one does it."""
    if not os.path.isdir(paused_folder(desk.resolved.home)):
        return
    found = pauses.last(desk.resolved.home, desk.root, desk.key)
    if found is None or current(desk.resolved, desk.root):
        return
    try:
        with FolderLock(desk.folder):
            still = pauses.last(desk.resolved.home, desk.root, desk.key)
            if still and still.id == found.id and not current(desk.resolved, desk.root):
                _record_end(desk, found, BY_ITSELF)
    except Trouble:
        return


def _record_end(desk: Desk, ended: Pause, how: str) -> None:
    """Once: the id of the event is derived from the pause's, since a crash may have left the file."""
    from perdure.actions.record import Fact, record
    from perdure.model.payload import GateResumed

    id = EventId(derived_id("resumed", desk.identity.id, ended.id))
    if not desk.ledger.find(str(id)):
        at = min(desk.now(), ended.until)
        record(desk, [Fact(kind="gate.resumed", payload=GateResumed(ended.id, stamp(Moment(at)), how), id=id)])
    pauses.forget(desk.resolved.home, desk.root)
