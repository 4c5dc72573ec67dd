"""Which facts of the record must survive a compaction (SPEC 11.1). The settings `compaction.*` say of which parts."""

from __future__ import annotations

from perdure.actions import contracts, decisions, gathering, lineage_goals, notes, pointers, tasks
from perdure.actions.attribution import own_open_transaction
from perdure.actions.observing import path_in
from perdure.actions.writers import OTHER, Writers
from perdure.lifecycle import summary_fact as f
from perdure.lifecycle.summary_fact import SummaryFact
from perdure.model import payload as p
from perdure.model.ids import is_uuid, short_task
from perdure.model.state import Task, body_as
from perdure.model.value import replace
from perdure.recovery import commands, rank
from perdure.recovery.level_one import assents
from perdure.recovery.paths import is_absolute
from perdure.recovery.words import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.notes import NoteView
    from perdure.actions.tasks import TaskView
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.model.state import Session
    from perdure.recovery.gather import Gathering

PRESERVED = "preserved"
SETTINGS = {
    **dict.fromkeys((f.TRANSACTION, f.GOAL, f.CONTRACT, f.CONSTRAINT, f.REQUEST), "session_continuity"),
    **dict.fromkeys((f.NEXT_STEP, f.BLOCKER, f.QUESTION, f.FAILED, f.POINTER), "session_continuity"),
    f.DECISION: "decision_log",
    f.TASK: "tasks",
    **dict.fromkeys((f.FILE, f.ERROR, f.COMMAND), "files"),
}
"""The kind of a fact → the setting of `compaction` that says whether it is preserved."""
MOST = {f.GOAL: 3, f.CONTRACT: 8, f.CONSTRAINT: 12, f.DECISION: 10, f.NEXT_STEP: 6, f.FILE: 8, f.ERROR: 3, f.COMMAND: 2}
"""How many of a kind are facts; of others five. The most important come first in each."""
MOST_OTHERS = 5
MOST_NOTES = 12
LEAST_WORDS = 4
"""A shorter last request is not a fact. In scripts without spaces between words, every one is."""


def facts_of(desk: Desk, session: Session | None) -> list[SummaryFact]:
    """The most important first. Only what is this place's own: what another pane or machine wrote is not in this
    context."""
    found: dict[tuple[str, str, str], SummaryFact] = {}
    counts: dict[str, int] = {}
    for fact in _all(desk, session):
        if fact.kind == f.REQUEST and any(
            fact.text.startswith(each.text) for each in found.values() if each.kind == f.GOAL
        ):
            continue  # the goal is the first prompt, and there was no other
        most = MOST.get(fact.kind, MOST_OTHERS)
        if is_preserved(desk, SETTINGS[fact.kind]) and counts.get(fact.kind, 0) < most and fact.text.strip():
            counts[fact.kind] = counts.get(fact.kind, 0) + 1
            found.setdefault(fact.name, fact)
    return sorted(found.values(), key=lambda fact: f.KINDS.index(fact.kind))


def is_preserved(desk: Desk, part: str) -> bool:
    return desk.setting(f"compaction.{part}") == PRESERVED


def reference(fact: SummaryFact) -> dict[str, Json]:
    """The fact on record: by its name, without its words."""
    return {"kind": fact.kind, "source": fact.source, "digest": fact.digest}


def name_in(reference: dict[str, Json]) -> tuple[str, str, str]:
    return str(reference.get("kind")), str(reference.get("source")), str(reference.get("digest"))


def fact_named(desk: Desk, named: tuple[str, str, str]) -> SummaryFact | None:
    """The fact with this name, with the words that the record has for it; None if it has none any more. It need not
    stand any more, as a fact of `facts_of` does."""
    kind, source, digest = named
    return next((fact for fact in _from_source(desk, kind, source) if fact.digest == digest), None)


def _from_source(desk: Desk, kind: str, source: str) -> Iterator[SummaryFact]:
    if kind == f.TRANSACTION:
        yield SummaryFact(kind, source, source)
    if kind == f.TASK:
        task = body_as(desk.ledger.document("task", source), Task)
        yield from [_task(tasks.view(desk, task))] if task else []
    for event in desk.ledger.find(source) if is_uuid(source) else ():
        yield from _from_event(kind, event)
        seen = gathering.gathered_from(desk.root, [event])
        read = (*_said(seen), *_worked_on(desk, seen), *_checks(seen))
        yield from (fact for fact in read if fact.kind == kind)


def _from_event(kind: str, event: Event) -> Iterator[SummaryFact]:
    agreed, made, pointer = p.read(event, p.ContractSet), p.read(event, p.DecisionMade), p.read(event, p.PointerSet)
    if agreed:
        yield SummaryFact(kind, event.id, agreed.goal, value=", ".join(agreed.evidence), key="evidence")
        yield from (SummaryFact(kind, event.id, each) for each in agreed.criteria)
    if made:
        yield _decision(event.id, made.decision, made.value, key=made.key, rationale=made.rationale)
    if pointer:
        yield SummaryFact(kind, event.id, pointer.command, more=f" ({pointer.name}: {pointer.value})")
    yield from (SummaryFact(kind, event.id, text) for text in _texts_of(event))


def _texts_of(event: Event) -> list[str]:
    """The facts of an event that are nothing but words."""
    goal = p.read(event, p.GoalCreated) or p.read(event, p.GoalPrompted)
    note = p.read(event, p.Note)
    texts = (goal and goal.title.removesuffix(" …"), note and note.text)
    return [each for each in texts if each]


def _decision(id: str, text: str, value: str | None, *, key: str | None, rationale: str | None) -> SummaryFact:
    why = f" — because {rationale}" if rationale else ""
    return SummaryFact(f.DECISION, id, text, value=value or "", key=key or "", more=why)


def _task(task: TaskView) -> SummaryFact:
    return SummaryFact(f.TASK, task.id, task.title, origin=task.marked("title", ""))


def _all(desk: Desk, session: Session | None) -> Iterator[SummaryFact]:
    by = Writers(desk, session)
    held = own_open_transaction(desk)
    if held:
        yield SummaryFact(f.TRANSACTION, held.id, held.id)
    yield from _agreed(desk)
    for goal in lineage_goals.open_goals_at(desk).own:
        if goal.other_ledger is None:
            yield SummaryFact(f.GOAL, goal.id, goal.title.removesuffix(" …"))
    for made in decisions.standing_by(desk, by, MOST[f.DECISION], without_others=True):
        if made.is_made_here:
            yield _decision(made.id, made.decision, made.value, key=made.key, rationale=made.rationale)
    yield from _noted(desk, by)
    for pointer in pointers.of_session(desk, session):
        yield SummaryFact(f.POINTER, pointer.source, pointer.command, more=f" ({pointer.name}: {pointer.value})")
    active = tasks.own_active(desk)
    if active:
        yield replace(_task(active), more=f" ({short_task(active.id)})")
    gathered = gathering.gathered_of(desk, session)
    yield from _said(gathered)
    yield from _worked_on(desk, gathered)
    yield from _checks_of_each_kind(gathered)


def _agreed(desk: Desk) -> Iterator[SummaryFact]:
    """The contract that counts here: its goal with the evidence that it asks for, and each criterion."""
    contract = contracts.current(desk)
    event = contracts.event_of(desk, contract.state) if contract else None
    if event:
        yield from _from_event(f.CONTRACT, event)


def _noted(desk: Desk, by: Writers) -> Iterator[SummaryFact]:
    kinds = {"next": f.NEXT_STEP, "question": f.QUESTION, "blocker": f.BLOCKER}
    for note in notes.open_by(desk, by, MOST_NOTES):
        if _is_own(note):
            yield SummaryFact(kinds[note.kind], note.id, note.text)
    for note in notes.latest_by(desk, by, "constraint", limit=MOST_OTHERS):
        if note.other_ledger is None:  # a rule holds for every pane
            yield SummaryFact(f.CONSTRAINT, note.id, note.text)
    for note in notes.latest_by(desk, by, "failed", limit=MOST_OTHERS):
        if _is_own(note):
            yield SummaryFact(f.FAILED, note.id, note.text)


def _is_own(note: NoteView) -> bool:
    return note.other_ledger is None and note.writer != OTHER


def _said(gathered: Gathering) -> Iterator[SummaryFact]:
    """The person's rules, word for word, and what they asked last."""
    said = words_of(gathered.prompts)
    for rule in said.rules:
        yield SummaryFact(f.CONSTRAINT, rule.source, rule.text.removesuffix(" …"))
    last = next((each for each in said.last if not assents(each.text) and not each.text.startswith("/")), None)
    if last and last.text.isascii() and len(last.text.split()) < LEAST_WORDS:
        return  # "commit": a summary has the word anyway, and that it was done cannot be told from it
    if last:
        yield SummaryFact(f.REQUEST, last.source, last.text.removesuffix(" …"))


def _worked_on(desk: Desk, gathered: Gathering) -> Iterator[SummaryFact]:
    """What does not work, and the project's files that were changed. A file elsewhere, such as a script for one use, is
    no part of the work."""
    for failure in rank.open_errors(gathered)[: MOST[f.ERROR]]:
        first = failure.lines[0] if failure.lines else "failed"
        yield SummaryFact(f.ERROR, failure.source, f"{failure.what}: {first}")
    for file in rank.files(gathered):
        path = path_in(desk.root, file.text) if file.changed_by else ""
        if path and not is_absolute(path):
            yield SummaryFact(f.FILE, file.changed_by, path)


def _checks(gathered: Gathering) -> Iterator[SummaryFact]:
    """The commands that check the work, the most used first. A long one was made for one use."""
    for ran in rank.commands_in_use(gathered):
        checks = [each for each in commands.simple_commands(ran.text) if commands.makes_a_check(each)]
        if checks and len(ran.text) < rank.LONG_COMMAND:
            named = "; ".join(dict.fromkeys(map(commands.kind, checks)))
            where = f" (in {ran.folder})" if ran.folder else ""
            yield SummaryFact(f.COMMAND, ran.source, ran.text, key=named, more=where)


def _checks_of_each_kind(gathered: Gathering) -> Iterator[SummaryFact]:
    """Without those that only check in another way what one before them checks."""
    told: set[str] = set()
    for check in _checks(gathered):
        kinds = {*check.key.split("; ")}
        if not kinds <= told:
            yield check
        told |= kinds
