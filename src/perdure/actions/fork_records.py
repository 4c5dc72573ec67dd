"""Puts forks on record: when the second decision is made, in the same commit; and those that an import or a crash left
without a record. Each fork is recorded once, also if two processes find it at the same moment: the append expects the
documents unchanged."""

from __future__ import annotations

from perdure.actions import forks
from perdure.actions.attribution import current_attribution
from perdure.actions.record import new_event_id, record
from perdure.errors import Conflict
from perdure.ledger.port import unchanged
from perdure.model import payload as p
from perdure.model.ids import short
from perdure.model.state import Fork, body_as, fork_of_key, replaced_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.forks import ForkView
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.model.state import Document

_ATTEMPTS = 100
"""How often a decision is tried again because another process decided on the same key."""


def decide_key(desk: Desk, made: p.DecisionMade, task: str | None) -> tuple[Event, ForkView | None]:
    """Records a decision on a key, and in the same commit the fork, if there is one."""
    from perdure.model.decided_keys import key_id

    key = made.key or ""
    for attempt in range(_ATTEMPTS):
        key_document = desk.ledger.document("decided_key", key_id(key))
        recorded = desk.ledger.document("fork", fork_of_key(key))
        attribution, id = current_attribution(desk), new_event_id()
        decision = attribution.fact("decision.made", made, id=id, task_id=task)
        sides = _sides_with(desk, key_document, made, id=id)
        facts = [*attribution.before, decision]
        if sides and not _is_recorded(recorded, sides):
            facts.append(attribution.fact("fork.detected", _detected(key, sides)))
        expect = [
            unchanged("decided_key", key_id(key), key_document),
            unchanged("fork", fork_of_key(key), recorded),
        ]
        try:
            appended = record(desk, facts, expect)
        except Conflict:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        event = next(each for each in appended.events if each.id == id)
        return event, forks.fork_of_decisions(desk, desk.ledger.document("decided_key", key_id(key))) if sides else None
    raise AssertionError("the last attempt returns or raises")


def _sides_with(desk: Desk, key_document: Document | None, made: p.DecisionMade, *, id: str) -> list[dict[str, Json]]:
    """The sides of the fork that there is with this decision; empty if there is none."""
    from perdure.model.decided_keys import value_digest

    if made.value is None:
        return []
    gone = set(replaced_by(made))
    before = forks.standing_on(desk, key_document)
    replaced = {(each.ledger_id, _digest(each)) for each in before if each.id in gone}
    standing = [each for each in before if (each.ledger_id, _digest(each)) not in replaced]
    first = forks.by_value(standing)
    sides = [_decision_side(each) for each in first.values()]
    if value_digest(made.value) not in first:
        sides.append({"side": short(id), "decision_id": id})
    return _named(sides) if len(sides) > 1 else []


def _digest(event: Event) -> str:
    from perdure.model.decided_keys import value_digest

    made = p.read(event, p.DecisionMade)
    return value_digest(made.value) if made and made.value is not None else ""


def _decision_side(event: Event) -> dict[str, Json]:
    """Without its value: whoever redacts the decision need not look for it here."""
    return {"side": short(event.id), "decision_id": event.id, "ledger_id": str(event.ledger_id)}


def _named(sides: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """The first side is the one that counts."""
    return [{**sides[0], "side": forks.SIDE_LEDGER}, *sides[1:]]


def _detected(key: str, sides: list[dict[str, Json]]) -> p.ForkDetected:
    return p.ForkDetected(about=forks.ABOUT_DECISION, field=key, sides=tuple(sides), fork_id=fork_of_key(key))


def _is_recorded(found: Document | None, sides: list[dict[str, Json]]) -> bool:
    fork = body_as(found, Fork)
    is_live = found is not None and found.live
    return bool(fork and is_live and set(fork.sides) == {str(each["decision_id"]) for each in sides})


def record_missing(desk: Desk) -> list[ForkView]:
    """Records the forks between decisions that are not on record, such as those an import brought. Returns them."""
    missing = []
    for key_document in forks.own_first(desk, "decided_key", forks.MOST_READ, live=True):
        sides = [_decision_side(each) for each in forks.by_value(forks.standing_on(desk, key_document)).values()]
        fork = forks.fork_of_decisions(desk, key_document)
        recorded = desk.ledger.document("fork", fork.id) if fork else None
        if fork and not _is_recorded(recorded, sides):
            said = _detected(fork.field, _named(sides))
            if record_fork(desk, said, known=recorded, decided=key_document):
                missing.append(fork)
    return missing


def record_fork(
    desk: Desk,
    said: p.ForkDetected,
    *,
    known: Document | None,
    decided: Document | None = None,
    task: str | None = None,
) -> bool:
    """Whether this call recorded it, and not another process at the same moment. `decided`: the decisions that the
    sides were read from; if another one was made since, they are no longer all."""
    attribution = current_attribution(desk)
    fact = attribution.fact("fork.detected", said, task_id=task)
    expect = [unchanged("fork", said.fork_id or "", known)]
    if decided:
        expect.append(unchanged("decided_key", decided.id, decided))
    try:
        record(desk, [*attribution.before, fact], expect)
    except Conflict:
        return False
    return True
