"""What the gate denied: noted by the guard, recorded by whoever next opens the ledger to write, shown by
`perdure gate why` (SPEC 5.1; docs/adr/0079).

A denial is not an error of the work. No brief, no list of errors, commands or files reads these events.

    leave_note(call, judged)        # the guard: one small file, no ledger
    forget(home, root, instance)    # the doctor, whose probe is not a call of an agent
    record_notes(desk)              # the next command or hook
    latest(desk, 5)                 # newest first, also those that nobody has taken in yet
"""

from __future__ import annotations

from perdure.errors import Trouble
from perdure.files import FolderLock
from perdure.model.ids import EventId, InstanceId, SessionId, derived_id, is_token, is_uuid
from perdure.model.moment import now, read_stamp, stamp
from perdure.model.value import value
from perdure.place import project
from perdure.views.key import existing_key
from perdure.views.sealed_notes import DENIED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.gating import Judgement, ToolCall
    from perdure.actions.record import Fact
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.model.payload import GateDenied
    from perdure.views.sealed_notes import SealedNote

LONGEST = 1500
"""Characters that are kept of a command and of a reason."""


def leave_note(call: ToolCall, judged: Judgement) -> None:
    """Nothing where there is no record, or where the home has no key yet."""
    resolved = judged.resolved
    root = resolved.place.project_path if resolved else None
    if resolved is None or root is None or not project.is_project(root):
        return
    folder = project.folder_of(root)
    key = existing_key(resolved.home, folder)
    if key is None:
        return
    verdict = judged.verdict
    deciding = next((f.part for f in judged.analysis.findings if f.effect == judged.analysis.effect), "")
    DENIED.leave(
        folder,
        key,
        {
            "at": stamp(now()),
            "tool": call.tool[:LONGEST],
            "call": _call_of(call)[:LONGEST],
            "part": deciding[:LONGEST],
            "reason": verdict.reason[:LONGEST],
            "clears": verdict.clears[:LONGEST],
            "kind": verdict.kind,
            "project": project.identity(root).id,
            "actor": resolved.request.actor,
            "instance": resolved.place.instance_id,
            "session": resolved.place.session_id,
        },
    )


def _call_of(call: ToolCall) -> str:
    """What the tool was to run or to change."""
    from perdure.clients import adapter

    known = adapter(call.client)
    tool = known.TOOLS.get(call.tool) if known else None
    named = call.given.get(tool.field) if tool else None
    return named if isinstance(named, str) else ""


def forget(home: str, root: str, instance: str) -> None:
    """Removes the notes of one instance's denials that nobody has recorded yet."""
    folder = project.folder_of(root)
    found = DENIED.waiting(folder, existing_key(home, folder))
    mine = [note.name for note in found if note.fields and _text(note.fields, "instance") == instance]
    DENIED.take_away(folder, mine)


def record_notes(desk: Desk) -> None:
    """Records what the guard noted, and removes the notes. What cannot be recorded now stays for the next one."""
    if not DENIED.names(desk.folder):
        return
    from perdure.actions.record import record

    try:
        with FolderLock(DENIED.folder_in(desk.folder)):
            found = DENIED.waiting(desk.folder, desk.key)
            facts = [fact for note in _of_this_project(desk, found) if (fact := _fact(desk, note, note.fields or {}))]
            facts = [fact for fact in facts if not desk.ledger.find(str(fact.id))]  # a crash may have left the file
            if facts:
                record(desk, facts)
            DENIED.take_away(desk.folder, [note.name for note in found])
    except Trouble:
        return


def _of_this_project(desk: Desk, notes: list[SealedNote]) -> list[SealedNote]:
    """Only the notes that this home left in this project: a copied folder may have brought those of another one."""
    return [note for note in notes if note.fields and note.fields.get("project") == desk.identity.id]


def _event_id(desk: Desk, note: SealedNote) -> EventId:
    return EventId(derived_id("denied", desk.identity.id, note.token))


def _fact(desk: Desk, note: SealedNote, fields: dict[str, Json]) -> Fact | None:
    from perdure.actions.record import Fact

    denied = _payload(fields)
    if denied is None:
        return None
    instance, session, actor = (_text(fields, each) for each in ("instance", "session", "actor"))
    transaction = desk.ledger.document("holding", instance) if is_uuid(instance) else None
    return Fact(
        kind="gate.denied",
        payload=denied,
        session_id=SessionId(session) if is_token(session) else None,
        transaction_id=getattr(transaction.body, "transaction_id", None) if transaction else None,
        instance_id=InstanceId(instance) if is_uuid(instance) else None,
        id=_event_id(desk, note),
        actor=actor or None,
    )


def _payload(fields: dict[str, Json]) -> GateDenied | None:
    from perdure.errors import BadInput
    from perdure.model.payload import GateDenied

    try:
        at = read_stamp(_text(fields, "at"))
    except BadInput:
        return None
    return GateDenied(
        tool=_text(fields, "tool"),
        reason=_text(fields, "reason"),
        kind=_text(fields, "kind"),
        at=at,
        call=_text(fields, "call") or None,
        part=_text(fields, "part") or None,
        clears=_text(fields, "clears") or None,
    )


def _text(fields: dict[str, Json], name: str) -> str:
    found = fields.get(name)
    return found if isinstance(found, str) else ""


# -- showing ---------------------------------------------------------------------------------------------------------


@value
class Denial:
    """One denial, given or only observed."""

    id: str
    at: str
    tool: str
    call: str
    reason: str
    clears: str
    kind: str
    actor: str
    instance_id: str
    session_id: str
    is_observed: bool = False
    """In `observe` mode: the call passed."""


def latest(desk: Desk, limit: int) -> list[Denial]:
    """The newest first, of every instance in this project."""
    found = [_denial_of(event) for event in desk.latest_here(("gate.denied", "gate.observed"), limit)]
    every = [*unrecorded(desk), *(each for each in found if each)]
    return sorted(every, key=lambda each: each.at, reverse=True)[:limit]


def unrecorded(desk: Desk) -> list[Denial]:
    """Those that nobody has recorded yet. What they say is masked, as it will be in the record. A copy of a note that
    is recorded is not shown: its event may be redacted."""
    from perdure.masking import mask_text

    found = []
    waiting = DENIED.waiting(desk.folder, existing_key(desk.resolved.home, desk.folder))
    for note in _of_this_project(desk, waiting):
        fields = note.fields or {}
        denied = _payload(fields)
        if denied and not desk.ledger.find(_event_id(desk, note)):
            texts = [mask_text(each or "")[0] for each in (denied.call or denied.part, denied.reason, denied.clears)]
            ids = [_text(fields, each) for each in ("actor", "instance", "session")]
            found.append(
                _denial(_event_id(desk, note), denied, texts, ids=ids),
            )
    return found


def _denial(id: str, denied: GateDenied, texts: Sequence[str], *, ids: Sequence[str]) -> Denial:
    return Denial(
        id=id,
        at=denied.at,
        tool=denied.tool,
        call=texts[0],
        reason=texts[1],
        clears=texts[2],
        kind=denied.kind,
        actor=ids[0],
        instance_id=ids[1],
        session_id=ids[2],
    )


def _denial_of(event: Event) -> Denial | None:
    from perdure.model import payload as p

    ids = [event.actor or "", event.instance_id or "", event.session_id or ""]
    denied = p.read(event, p.GateDenied)
    if denied:
        return _denial(
            event.id, denied, [denied.call or denied.part or "", denied.reason, denied.clears or ""], ids=ids
        )
    seen = p.read(event, p.GateObserved)
    if seen is None:
        return None
    return Denial(
        id=event.id,
        at=event.ts,
        tool=seen.tool,
        call=seen.part,
        reason=seen.reason,
        clears="",
        kind="",
        actor=ids[0],
        instance_id=ids[1],
        session_id=ids[2],
        is_observed=True,
    )
