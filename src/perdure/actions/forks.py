"""Forks: decisions on one key that contradict each other, task fields that both sides changed, and texts that state
something else than the ledger (SPEC 7.4, docs/adr/0054). This module reads them; `fork_records.py` records them,
`fork_check.py` compares a text, `fork_settling.py` resolves one.

    open_forks(desk)     the newest first
    find(desk, "3f2a91c4")
    told(desk, fork)     what an agent is told
"""

from __future__ import annotations

from perdure.actions import lookup
from perdure.actions.advice import as_typed
from perdure.actions.attribution import marked_foreign
from perdure.errors import Refused
from perdure.model import payload as p
from perdure.model.event import BEADS, Ref, in_order, is_from_beads
from perdure.model.ids import LedgerId, short, short_task
from perdure.model.state import TASK_WORDS, DecidedKey, Fork, Task, body_as, fork_of_key
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.model.state import Document

SIDE_LEDGER, SIDE_TEXT = "ledger", "context"
"""The names of two sides: the one that counts, and that of a text."""
ABOUT_DECISION, ABOUT_TASK, ABOUT_TEXT = "decision", "task", "context"
"""What a fork is about: decisions on one key, a field of a task, what a text states."""
LISTED_BY = "perdure fork list"
MOST_READ = 200
"""Forks that are read for a list. A ledger with more is not settled one by one."""
MOST_TOLD = 3
"""Forks that a brief names; of the others it gives the number. What was imported cannot fill a brief."""
_SHOWN = 40
"""Characters of a key or a value in one line."""
_LONGEST_LINE = 290
"""Characters. A longer line of a brief is cut."""


@value
class Side:
    """What one side says, and who said it when and where."""

    name: str
    """By which it is chosen: `ledger`, `context`, the path of a file, or the first characters of a decision's id."""
    value: str
    """As text; JSON if it is not text."""
    decision_id: str | None
    text: str
    """The words of the decision, or the line of the text."""
    ts: str
    actor: str | None
    session_id: str | None
    instance_id: str | None
    other_ledger: str | None
    source: str | None = None
    """Which text, if the side is one."""
    line: int | None = None
    words_from: str | None = None
    """Only for a decision made here: see `DecisionMade`."""

    def marked(self, text: str) -> str:
        return marked_foreign(self.other_ledger, text, is_from_beads(self.actor), words_from=self.words_from)

    @property
    def whose_words(self) -> str | None:
        """Another machine's ledger or `beads`, if the words are not of this ledger."""
        return self.other_ledger or (BEADS if is_from_beads(self.actor) else self.words_from)


@value
class ForkView:
    id: str
    about: str
    field: str
    task_id: str | None
    sides: tuple[Side, ...]
    """The one that counts first."""
    is_open: bool
    detected_at: str | None
    """None if it is not on record yet."""
    decision_ids: tuple[str, ...] = ()
    """Every decision that a resolution supersedes."""
    resolved_by: str | None = None

    @property
    def is_of_others(self) -> bool:
        """Whether other machines decided every side. A person settles it: an agent that kept a side would make that
        machine's words its own."""
        return self.about == ABOUT_DECISION and all(side.other_ledger for side in self.sides)


# -- whose is it? --------------------------------------------------------------------------------------------------


def own_first(desk: Desk, kind: str, limit: int, *, live: bool | None = None) -> list[Document]:
    """At most `limit` documents of decided keys or tasks: those that this ledger had a part in, then those of other
    machines, of each the newest first. So no import pushes out what was written here."""
    newest = desk.ledger.documents(kind, live, limit)
    if not any(_is_foreign(desk, found) for found in newest):
        return newest
    found = newest if len(newest) < limit else desk.ledger.documents(kind, live)
    return sorted(found, key=lambda each: _is_foreign(desk, each))[:limit]


def _is_foreign(desk: Desk, found: Document) -> bool:
    body = found.body
    if isinstance(body, DecidedKey):
        return all(desk.other_ledger(Ref(LedgerId(each), seq)) for _, each, seq, _ in body.decisions)
    if isinstance(body, Task):
        return desk.other_ledger(Ref(LedgerId(body.ledger_id), body.seq)) is not None
    return False


# -- decisions on one key ------------------------------------------------------------------------------------------


def standing_on(desk: Desk, key_document: Document | None) -> list[Event]:
    """The decisions on a key that nothing superseded: those of this ledger first, the oldest first. Erased ones take
    no part."""
    key = body_as(key_document, DecidedKey)
    events = [
        desk.ledger.event(Ref(LedgerId(ledger_id), seq))
        for id, ledger_id, seq, _ in (key.decisions if key else ())
        if desk.ledger.document("superseded", id) is None
    ]
    standing = [event for event in events if event is not None and p.read(event, p.DecisionMade) is not None]
    return sorted(standing, key=lambda event: (desk.other_ledger(event) is not None, in_order(event)))


def by_value(events: Sequence[Event]) -> dict[str, Event]:
    """The first of the decisions with each value."""
    from perdure.model.decided_keys import value_digest

    first: dict[str, Event] = {}
    for event in events:
        made = p.read(event, p.DecisionMade)
        if made and made.value is not None:
            first.setdefault(value_digest(made.value), event)
    return first


def fork_of_decisions(desk: Desk, key_document: Document | None) -> ForkView | None:
    """The fork between the decisions on a key, if they have different values."""
    standing = standing_on(desk, key_document)
    sides = [*by_value(standing).values()]
    if len(sides) < 2:
        return None
    made = p.read(sides[0], p.DecisionMade)
    key = made.key if made and made.key else ""
    recorded = desk.ledger.document("fork", fork_of_key(key))
    detected = _event_of(desk, recorded)
    return ForkView(
        id=fork_of_key(key),
        about=ABOUT_DECISION,
        field=key,
        task_id=None,
        sides=tuple(side_of(desk, event) for event in sides),
        is_open=True,
        detected_at=detected.ts if detected else None,
        decision_ids=tuple(event.id for event in standing),
    )


def side_of(desk: Desk, event: Event) -> Side:
    made = p.read(event, p.DecisionMade) or p.DecisionMade("(erased)")
    return Side(
        name=short(event.id),
        value=made.value or made.decision,
        decision_id=event.id,
        text=made.decision,
        ts=event.ts,
        actor=event.actor,
        session_id=event.session_id,
        instance_id=event.instance_id,
        other_ledger=desk.other_ledger(event),
        words_from=made.words_from,
    )


# -- forks on record -----------------------------------------------------------------------------------------------


def _event_of(desk: Desk, found: Document | None) -> Event | None:
    fork = body_as(found, Fork)
    return desk.ledger.event(Ref(LedgerId(fork.ledger_id), fork.seq)) if fork else None


def recorded_fork(desk: Desk, found: Document) -> ForkView | None:
    """A fork as it is on record; None if the record was erased."""
    event = _event_of(desk, found)
    said = p.read(event, p.ForkDetected) if event else None
    fork = body_as(found, Fork)
    if event is None or said is None or fork is None:
        return None
    return ForkView(
        id=found.id,
        about=said.about,
        field=said.field,
        task_id=event.task_id,
        sides=tuple(_recorded_side(desk, event, each, detected=said) for each in said.sides),
        is_open=found.live,
        detected_at=event.ts,
        decision_ids=tuple(str(each["decision_id"]) for each in said.sides if each.get("decision_id")),
        resolved_by=fork.resolved_by,
    )


def _recorded_side(desk: Desk, event: Event, said: dict[str, Json], *, detected: p.ForkDetected) -> Side:
    """A side that is a decision is told from the decision itself; another one as it was recorded."""
    from perdure.model.json import compact

    id, content, line = said.get("decision_id"), said.get("value"), said.get("line")
    decisions = desk.ledger.find(id, ["decision.made"]) if isinstance(id, str) else []
    shown = content if isinstance(content, str) else compact(content)
    name = str(said.get("side"))
    if decisions:
        found = side_of(desk, decisions[0])
        return replace(found, name=name if name == SIDE_LEDGER else found.name)
    side = Side(
        name=name,
        value=shown,
        decision_id=None,
        text=str(said.get("text") or ""),
        ts=event.ts,
        actor=event.actor,
        session_id=event.session_id,
        instance_id=event.instance_id,
        other_ledger=desk.other_ledger(event),
        source=str(said["source"]) if said.get("source") else None,
        line=line if isinstance(line, int) else None,
    )
    return _with_its_own_actor(desk, side, event.task_id, field=detected.field)


def _with_its_own_actor(desk: Desk, side: Side, task_id: str | None, *, field: str) -> Side:
    """Whoever recorded a fork said neither what stands in a text nor what stands in a task of the ledger."""
    if side.name == SIDE_TEXT:
        return replace(side, actor=None)
    if side.name != SIDE_LEDGER:
        return side
    by = _who_set(desk, task_id, field)
    if by is None:
        return replace(side, actor=None, session_id=None, instance_id=None)
    origin = desk.other_ledger(by)
    return replace(side, actor=by.actor, session_id=by.session_id, instance_id=by.instance_id, other_ledger=origin)


def _who_set(desk: Desk, task_id: str | None, field: str) -> Event | None:
    """The event that gave a task its words in this field; None if it has none, or is not known."""
    task = body_as(desk.ledger.document("task", task_id), Task) if task_id else None
    if task is None or field not in TASK_WORDS:
        return None
    ledger_id, seq = task.said_at.get(field, (task.ledger_id, task.seq))
    return desk.ledger.event(Ref(LedgerId(ledger_id), seq))


def _is_moot(desk: Desk, fork: ForkView) -> bool:
    """A text was compared with a decision that does not count any more."""
    decided = fork.sides[0].decision_id if fork.about == ABOUT_TEXT and fork.sides else None
    return decided is not None and desk.ledger.document("superseded", decided) is not None


def open_forks(desk: Desk, *, about: str | None = None) -> list[ForkView]:
    """The forks that nobody settled: between decisions first, whether or not they are on record; then the others, the
    newest first."""
    return [
        *(_between_decisions(desk) if about in (None, ABOUT_DECISION) else ()),
        *(_others(desk, about) if about != ABOUT_DECISION else ()),
    ]


def _between_decisions(desk: Desk) -> list[ForkView]:
    keys = own_first(desk, "decided_key", MOST_READ, live=True)
    return [fork for found in keys if (fork := fork_of_decisions(desk, found))]


def _others(desk: Desk, about: str | None) -> list[ForkView]:
    wanted = (ABOUT_TASK, ABOUT_TEXT) if about is None else (about,)
    # All are looked at: forks between decisions, which an import may bring by the hundred, are on record among them.
    on_record = [
        found
        for found in desk.ledger.documents("fork", live=True)
        if isinstance(found.body, Fork) and found.body.about in wanted
    ]
    return [
        fork for found in on_record[:MOST_READ] if (fork := recorded_fork(desk, found)) and not _is_moot(desk, fork)
    ]


def settled_forks(desk: Desk) -> list[ForkView]:
    found = (recorded_fork(desk, each) for each in desk.ledger.documents("fork", live=False, limit=MOST_READ))
    return [fork for fork in found if fork]


def find(desk: Desk, typed: str) -> ForkView:
    """The fork with this id, or the beginning of it. A fork between decisions that is not on record yet has an id
    too."""
    prefix = typed.lower()
    live = [fork for fork in open_forks(desk) if len(prefix) >= 4 and fork.id.startswith(prefix)]
    if len(live) == 1:
        return live[0]
    document = lookup.document(desk.ledger, "fork", typed, listed_by=as_typed(desk, LISTED_BY))
    found = recorded_fork(desk, document)
    if found is None:
        raise Refused("no_such_fork", f"The record of fork {short(document.id)} was erased.", hint=LISTED_BY)
    if found.is_open and (found.about == ABOUT_DECISION or _is_moot(desk, found)):
        return ForkView(**{**found.__dict__, "is_open": False})
    return found


def of_task(desk: Desk, task_id: str) -> list[ForkView]:
    """The open forks about a task: fields, and what texts state about it."""
    return [fork for fork in open_forks(desk) if fork.task_id == task_id]


# -- what is told --------------------------------------------------------------------------------------------------


def told(desk: Desk, fork: ForkView) -> str:
    """One line: what counts, what does not, and how to settle it."""
    kept, other = fork.sides[0], fork.sides[-1]
    subject = _cut(fork.field)
    if fork.about == ABOUT_TASK or fork.task_id:
        subject = f"{subject} of task {short_task(fork.task_id or '')}"
    says = f"Fork detected, resyncing from ledger: {subject} is {_words(kept)}, not {_words(other)}"
    if fork.is_of_others:
        says = f"Fork detected between decisions of other machines: {subject} is {_words(kept)}, or {_words(other)}"
    more = f" ({len(fork.sides) - 2} more)" if len(fork.sides) > 2 else ""
    line = f"{says}{more}. {how_to_settle(desk, fork)}"
    return line if len(line) <= _LONGEST_LINE else f"{says}{more}. {as_typed(desk, LISTED_BY)} says more."


def how_to_settle(desk: Desk, fork: ForkView) -> str:
    if fork.is_of_others and desk.is_agent:
        return f"Rely on neither: a person settles it ({as_typed(desk, LISTED_BY)})."
    name = "SIDE" if fork.is_of_others else fork.sides[0].name
    command = f"perdure fork resolve {short(fork.id)} --keep {name} --because '…'"
    return f"Settle it: {as_typed(desk, command)}"


def _words(side: Side) -> str:
    said = _cut(side.value)
    if side.decision_id:
        where = f", from another machine, ledger {short(side.other_ledger)}" if side.other_ledger else ""
        return f"{said} (decision {short(side.decision_id)}, {side.ts[:10]}{where})"
    if side.name == SIDE_LEDGER:
        return said
    return f"{said} ({_cut(side.source or side.name)}{_at(side)})"


def _at(side: Side) -> str:
    return f", line {side.line}" if side.line else ""


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def told_in_brief(desk: Desk, found: Sequence[ForkView]) -> list[str]:
    """What a brief says of open forks: a few in full, and how many more there are."""
    lines = [told(desk, fork) for fork in found[:MOST_TOLD]]
    left = len(found) - len(lines)
    count = f"{left}" if len(found) < MOST_READ else "more"
    return [*lines, f"Forks not named here: {count}. {as_typed(desk, LISTED_BY)} lists them."] if left else lines
