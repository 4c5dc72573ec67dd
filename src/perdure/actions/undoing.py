"""undo: takes back a note, a decision, a goal or a change of a task by recording that; nothing is erased (SPEC 17.6).

    taken = undo(desk)            the last change of who asks, at this place
    undo(desk, taken.undo_id)     it counts again

What was recorded stays in the ledger. A `change.undone` says what the state is since then: which note or goal is open,
which decisions count. A task is changed back by an ordinary event of the task, which is recorded with it.
"""

from __future__ import annotations

from itertools import islice

from perdure.actions import lookup, tasks
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution
from perdure.actions.newest import newest_first
from perdure.actions.record import expect_unchanged, new_event_id, record
from perdure.actions.writers import OTHER, Writers
from perdure.errors import Refused
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.decided_keys import key_id, value_digest
from perdure.model.event import USER, Ref
from perdure.model.ids import LedgerId, short
from perdure.model.state import (
    TASK_WORDS,
    Goal,
    Superseded,
    Task,
    Undone,
    apply_changes,
    body_as,
    fold,
    fork_of_key,
    replaced_by,
)
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from perdure.actions.wiring import Desk
    from perdure.ledger.port import Expect
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.model.moment import Stamp
    from perdure.model.state import Document

LISTED_BY = "perdure undo --list"
MOVED = "note.moved"
"""What is shown as the kind of a note's move to another project; what is recorded is a `change.undone`."""
_INSTEAD = {
    "prompt.given": "perdure redact erases its words",
    "payload.redacted": "what was erased is gone",
    "transaction.opened": "perdure postflight ends the transaction",
    "transaction.checked": "perdure check assesses again; perdure postflight ends the transaction",
    "edit.made": "git takes back what was changed in files",
    "file.created": "git takes back what was changed in files",
    "claim.made": "perdure claim add records what is true; perdure redact erases words",
}
"""By kind: what helps where there is nothing to undo."""


@value
class TakenBack:
    """A change that can be taken back, or was."""

    id: str
    ts: Stamp
    kind: str
    text: str
    undo_id: str | None = None
    """The event that took it back, or brought it back."""
    is_restored: bool = False


def listed(desk: Desk, limit: int) -> list[TakenBack]:
    """What `undo` would take back, the next one first."""
    return [view(desk, event) for event in islice(_own(desk), limit)]


def undo(desk: Desk, typed: str | None = None) -> TakenBack:
    event = _last(desk) if typed is None else _named(desk, typed)
    said = p.read(event, p.ChangeUndone)
    if said is None:
        return take_back(desk, event)
    change = desk.ledger.event(Ref(LedgerId(said.at[1]), said.at[0]))
    if change is None:
        raise _nothing(desk)
    refuse_others(desk, change)
    if said.moved_to:
        from perdure.actions import note_moves

        again = event.kind == "change.restored"
        return note_moves.move_again(desk, change, said) if again else note_moves.move_back(desk, event, change)
    return take_back(desk, change) if event.kind == "change.restored" else bring_back(desk, event, change)


# -- which ---------------------------------------------------------------------------------------------------------


def _own(desk: Desk) -> Iterator[Event]:
    """The changes of who asks, in this instance, that nobody took back, the newest first, however many others made
    since. An undo stands after what was recorded with it, so it is seen first."""
    made_by_undo, actor = set(), desk.actor
    for event in newest_first(desk.latest_here, (*p.UNDOABLE, *p.UNDOING), ALL_EVENTS):
        said = _said(event)
        if said and said.by:
            made_by_undo.add(said.by)
        is_own = event.instance_id == desk.seat.instance_id and event.actor == actor
        if is_own and event.id not in made_by_undo and _stands(desk, event, said):
            yield event


def _stands(desk: Desk, event: Event, said: p.ChangeUndone | None) -> bool:
    if said is None:
        return undone_by(desk, event) is None and _is_undoable(event)
    found = body_as(desk.ledger.document("undone", said.change), Undone) if said.moved_to else None
    if found is None or found.by != event.id:
        return False
    note = desk.ledger.event(Ref(LedgerId(said.at[1]), said.at[0]))
    return note is not None and note.payload is not None


def _said(event: Event) -> p.ChangeUndone | None:
    return p.read(event, p.ChangeUndone)


def _is_undoable(event: Event) -> bool:
    """A goal of PREFLIGHT belongs to its transaction; one with the words of the first prompt took that goal's place.
    What an erased event changed is not known."""
    made = p.read(event, p.GoalCreated)
    if made is not None:
        return made.origin == "hand" and made.original is None
    return event.kind in p.UNDOABLE and event.payload is not None


def _last(desk: Desk) -> Event:
    found = next(_own(desk), None)
    if found is None:
        raise _nothing(desk)
    return found


def _nothing(desk: Desk) -> Refused:
    return Refused(
        "nothing_to_undo",
        "There is no note, decision, goal or task change of yours at this place to take back.",
        hint=as_typed(desk, "perdure log") + " shows what was recorded; perdure undo ID takes back one of them.",
    )


def _named(desk: Desk, typed: str) -> Event:
    event = lookup.event(desk.ledger, "event", typed, listed_by=as_typed(desk, LISTED_BY))
    if event.kind in p.UNDOABLE and event.payload is None:
        raise Refused(
            "not_undoable",
            f"The payload of {event.kind} {short(event.id)} is erased, so it is not known what it changed.",
            hint=as_typed(desk, LISTED_BY) + " shows what can be taken back.",
        )
    if event.kind not in p.UNDOING and not _is_undoable(event):
        instead = "perdure postflight ends its transaction" if event.kind == "goal.created" else ""
        raise Refused(
            "not_undoable",
            f"{event.kind} {short(event.id)} cannot be taken back: only notes, decisions, goals and task changes can.",
            hint=_INSTEAD.get(event.kind, instead or as_typed(desk, LISTED_BY) + " shows what can."),
        )
    if event.kind.startswith("task."):
        _refuse_part_of_undo(desk, event)
    refuse_others(desk, event)
    return event


def _refuse_part_of_undo(desk: Desk, event: Event) -> None:
    for each in newest_first(desk.latest_here, p.UNDOING, ALL_EVENTS):
        said = _said(each)
        if said and said.by == event.id:
            raise Refused(
                "not_undoable",
                f"{event.kind} {short(event.id)} was recorded by an undo.",
                hint=as_typed(desk, f"perdure undo {short(each.id)}") + " undoes the whole of it.",
            )


def refuse_others(desk: Desk, event: Event) -> None:
    if desk.other_ledger(event):
        raise _not_yours(event, "it came from another machine")
    is_here = event.instance_id == desk.seat.instance_id
    if desk.is_agent:
        if not is_here or event.actor != desk.actor or event.actor == USER:
            raise _not_yours(event, "it is not this agent's own; a person can take it back in a terminal of their own")
    elif not is_here and Writers(desk, None).of(event) == OTHER:
        raise _not_yours(event, "another pane, which is at work now, recorded it; take it back there")


def _not_yours(event: Event, why: str) -> Refused:
    return Refused("not_yours", f"{event.kind} {short(event.id)} cannot be taken back here: {why}.", hint=LISTED_BY)


def undone_by(desk: Desk, event: Event) -> str | None:
    """The event that took it back."""
    body = body_as(desk.ledger.document("undone", event.id), Undone)
    return body.by if body and (body.ledger_id, body.seq) == (event.ledger_id, event.seq) else None


# -- taking back and bringing back -----------------------------------------------------------------------------------


def take_back(desk: Desk, event: Event, moved_to: dict[str, str] | None = None) -> TakenBack:
    """`moved_to`: see `ChangeUndone`."""
    before = undone_by(desk, event)
    if before:
        raise Refused(
            "undone",
            f"{event.kind} {short(event.id)} was taken back already.",
            hint=as_typed(desk, f"perdure undo {short(before)}") + " brings it back.",
        )
    said = p.ChangeUndone(event.id, event.kind, (event.seq, event.ledger_id), moved_to=moved_to)
    said, expected = _without(desk, event, said)
    return _recorded(desk, "change.undone", event, said=said, expected=expected)


def bring_back(desk: Desk, undo: Event, change: Event) -> TakenBack:
    said = _said(undo)
    if said is None:
        raise _nothing(desk)
    _refuse_if_not_undone(desk, undo, change)
    back = replace(said, opens=said.closes, closes=said.opens, opens_at=None, by=None)
    is_goal = said.kind.startswith("goal.")
    if said.closes and not is_goal:
        back = replace(back, opens_at=(change.seq, change.ledger_id))
    expected: list[Expect] = []
    opened_or_closed = said.opens or said.closes
    if opened_or_closed:
        expected.append(expect_unchanged(desk, "goal" if is_goal else "note", opened_or_closed))
    if said.kind == "decision.made":
        back, expected = _decision_back(desk, undo, change, said=said, back=back)
    return _recorded(desk, "change.restored", change, said=back, expected=expected, changed_back=said.by)


def _refuse_if_not_undone(desk: Desk, undo: Event, change: Event) -> None:
    now = undone_by(desk, change)
    if now == undo.id:
        return
    was, does = ("was taken back again since", "brings it back") if now else ("counts already", "takes it back")
    raise Refused(
        "not_undone",
        f"{change.kind} {short(change.id)} {was}.",
        hint=as_typed(desk, f"perdure undo {short(now or change.id)}") + f" {does}.",
    )


def _recorded(
    desk: Desk,
    kind: str,
    change: Event,
    *,
    said: p.ChangeUndone,
    expected: list[Expect],
    changed_back: str | None = None,
) -> TakenBack:
    attribution, undo_id = current_attribution(desk), new_event_id()
    facts = []
    if change.kind.startswith("task."):
        event = change
        if changed_back:
            event = lookup.event(desk.ledger, "event", changed_back, listed_by=as_typed(desk, LISTED_BY))
        back_kind, payload, task = _task_back(desk, event)
        by = new_event_id()
        facts.append(attribution.fact(back_kind, payload, id=by, task_id=task.id))
        said = replace(said, by=by)
        expected = [*expected, expect_unchanged(desk, "task", task.id)]
    facts.append(attribution.fact(kind, said, id=undo_id))
    record(desk, [*attribution.before, *facts], [*expected, expect_unchanged(desk, "undone", change.id)])
    return replace(view(desk, change), undo_id=undo_id, is_restored=kind == "change.restored")


def _without(desk: Desk, event: Event, said: p.ChangeUndone) -> tuple[p.ChangeUndone, list[Expect]]:
    """What the state is without the event, and what must not change until that is recorded."""
    if event.kind == "decision.made":
        return _without_decision(desk, event, said)
    closed, done = p.read(event, p.NoteClosed), p.read(event, p.GoalDone)
    if closed:
        note = desk.ledger.find(closed.note_id, _CLOSABLE)
        if len(note) == 1 and desk.ledger.document("note", note[0].id) is None and desk.counts(note[0]):
            said = replace(said, opens=note[0].id, opens_at=(note[0].seq, note[0].ledger_id))
            return said, [expect_unchanged(desk, "note", note[0].id)]
    elif done:
        if _is_done(desk, done.goal_id):
            return replace(said, opens=done.goal_id), [expect_unchanged(desk, "goal", done.goal_id)]
    elif event.kind == "goal.created":
        if not _is_done(desk, event.id):
            return replace(said, closes=event.id), [expect_unchanged(desk, "goal", event.id)]
    elif event.kind in _CLOSABLE and desk.ledger.document("note", event.id):
        return replace(said, closes=event.id), [expect_unchanged(desk, "note", event.id)]
    return said, []


_CLOSABLE = [f"note.{kind}" for kind in p.CLOSABLE_NOTES]


def _is_done(desk: Desk, goal_id: str) -> bool:
    goal = body_as(desk.ledger.document("goal", goal_id), Goal)
    return goal is not None and goal.done_at is not None


# -- decisions -------------------------------------------------------------------------------------------------------


def _superseded_by(desk: Desk, id: str) -> str | None:
    found = body_as(desk.ledger.document("superseded", id), Superseded)
    return found.by if found else None


def _without_decision(desk: Desk, event: Event, said: p.ChangeUndone) -> tuple[p.ChangeUndone, list[Expect]]:
    made = p.read(event, p.DecisionMade)
    if made is None:
        raise _nothing(desk)
    later = _superseded_by(desk, event.id)
    if later:
        raise Refused(
            "superseded",
            f"Decision {short(event.id)} no longer counts: {short(later)} supersedes it.",
            hint=as_typed(desk, f"perdure undo {short(later)}") + " takes that one back first.",
        )
    again = tuple(id for id in replaced_by(made) if _superseded_by(desk, id) == event.id)
    said = replace(said, gone=(event.id,), counts=tuple(_entry(desk, id, made.key) for id in again))
    return _on_key(desk, said, made.key, ids=[event.id, *again])


def _decision_back(
    desk: Desk, undo: Event, change: Event, *, said: p.ChangeUndone, back: p.ChangeUndone
) -> tuple[p.ChangeUndone, list[Expect]]:
    """The decision counts again, and what counted in its place does not."""
    made = p.read(change, p.DecisionMade)
    superseded = tuple(str(each.get("decision_id")) for each in said.counts)
    _refuse_superseded_since(desk, undo, change, superseded=superseded)
    key = made.key if made else None
    back = replace(
        back, gone=superseded, gone_by=change.id if superseded else None, counts=(_entry(desk, change.id, key),)
    )
    return _on_key(desk, back, key, ids=[change.id, *superseded])


def _refuse_superseded_since(desk: Desk, undo: Event, change: Event, *, superseded: tuple[str, ...]) -> None:
    """Refuses if a decision since the undo supersedes this one, or one of those that it superseded."""
    for id in superseded:
        later = _superseded_by(desk, id)
        if later:
            raise Refused(
                "superseded",
                f"Since then {short(later)} superseded {short(id)}, which this decision superseded.",
                hint=as_typed(desk, f"perdure decide '…' --supersedes {short(later)}") + " decides it again.",
            )
    later = _superseded_by(desk, change.id)
    if later != undo.id:
        raise Refused(
            "superseded",
            f"Since then {short(later or '')} superseded decision {short(change.id)}.",
            hint=as_typed(desk, f"perdure undo {short(later or '')}") + " takes that one back first.",
        )


def _on_key(
    desk: Desk, said: p.ChangeUndone, key: str | None, *, ids: list[str]
) -> tuple[p.ChangeUndone, list[Expect]]:
    """`said` with the key, if there is one; and that meanwhile nobody supersedes these decisions or decides on the
    key."""
    expected = [expect_unchanged(desk, "superseded", id) for id in ids]
    if key is None:
        return said, expected
    said = replace(said, key=key_id(key), fork=fork_of_key(key))
    return said, [*expected, expect_unchanged(desk, "decided_key", key_id(key))]


def _entry(desk: Desk, id: str, key: str | None) -> dict[str, Json]:
    """A decision that counts again: its id and, if it gives the key a value, what the document of the key keeps."""
    found = [event for event in desk.ledger.find(id, ["decision.made"]) if event.id == id]
    own = [event for event in found if desk.other_ledger(event) is None] or found
    made = p.read(own[0], p.DecisionMade) if own else None
    is_on_key = made is not None and made.key is not None and key is not None and key_id(made.key) == key_id(key)
    if made is None or made.value is None or not is_on_key:
        return {"decision_id": id}
    at = own[0]
    return {"decision_id": id, "ledger_id": at.ledger_id, "seq": at.seq, "digest": value_digest(made.value)}


# -- tasks -----------------------------------------------------------------------------------------------------------


def _task_back(desk: Desk, event: Event) -> tuple[str, object, Task]:
    """The event that makes the task what it was before, or refuses where it was changed again since."""
    task = body_as(desk.ledger.document("task", event.task_id or ""), Task)
    if task is None:
        raise _nothing(desk)
    linked, unlinked = p.read(event, p.TaskLinked), p.read(event, p.TaskUnlinked)
    if linked:
        return "task.unlinked", p.TaskUnlinked(linked.blocked_by), task
    if unlinked:
        return "task.linked", p.TaskLinked(unlinked.blocked_by), task
    if event.kind == "task.created":
        if task.status == "closed":
            raise _changed_since(desk, task, "status")
        return "task.closed", p.TaskClosed("taken back"), task
    before = _before(desk, event)
    updated = p.read(event, p.TaskUpdated)
    if updated is None:
        if task.status != "closed":
            raise _changed_since(desk, task, "status")
        return "task.updated", p.TaskUpdated(status=before.status), task
    if before.status == "closed" and updated.status:
        if task.status != updated.status:
            raise _changed_since(desk, task, "status")
        return "task.closed", p.TaskClosed("taken back"), task
    return "task.updated", _as_before(desk, updated, task=task, before=before), task


def _as_before(desk: Desk, updated: p.TaskUpdated, *, task: Task, before: Task) -> p.TaskUpdated:
    words, now = tasks.TaskWords(desk, before), tasks.TaskWords(desk, task)
    fields: dict[str, Any] = {}
    cleared: list[str] = []
    for name in TASK_WORDS:
        if getattr(updated, name) in (None, ()) and name not in updated.cleared:
            continue
        if (now.read(name, None) or None) != (getattr(updated, name) or None):
            raise _changed_since(desk, task, name)
        was = words.read(name, None)
        if was in (None, "", ()):
            cleared.append(name)
        else:
            fields[name] = was
    for name in ("status", "priority"):
        if getattr(updated, name) is None:
            continue
        if getattr(task, name) != getattr(updated, name):
            raise _changed_since(desk, task, name)
        fields[name] = getattr(before, name)
    return p.TaskUpdated(**fields, cleared=tuple(cleared))


_TASK_KINDS = [kind for kind in p.UNDOABLE if kind.startswith("task.")]


def _before(desk: Desk, event: Event) -> Task:
    """The task before the event: its events until then, folded again."""
    documents: dict[tuple[str, str], Document] = {}
    for each in reversed(desk.ledger.latest(_TASK_KINDS, ALL_EVENTS)):
        if (each.ledger_id, each.seq) == (event.ledger_id, event.seq):
            break
        if each.task_id == event.task_id:
            apply_changes(documents, fold(each, lambda kind, id: documents.get((kind, id))))
    task = body_as(documents.get(("task", event.task_id or "")), Task)
    if task is None:
        raise _nothing(desk)
    return task


def _changed_since(desk: Desk, task: Task, field: str) -> Refused:
    return Refused(
        "changed_since",
        f"The {field} of task {short(task.id)} was changed again since.",
        hint=as_typed(desk, LISTED_BY) + " shows the later change; take that back first.",
    )


# -- showing ---------------------------------------------------------------------------------------------------------


def view(desk: Desk, event: Event) -> TakenBack:
    is_move = event.kind in p.UNDOING
    return TakenBack(id=event.id, ts=event.ts, kind=MOVED if is_move else event.kind, text=_text(desk, event))


def _text(desk: Desk, event: Event) -> str:
    from perdure.actions.log_entries import describe

    return describe(desk, event)[1]
