"""Resolves a fork: one side is kept, or something else is decided (SPEC 7.4). The decision supersedes every decision of
the fork, so that one of them counts from then on."""

from __future__ import annotations

from perdure.actions import decisions, fork_records, forks, notes_forks, tasks
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution
from perdure.actions.brief_places import seen_in
from perdure.actions.record import expect_unchanged, new_event_id, record
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, short, short_task, shown
from perdure.model.state import Fork, body_as
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from perdure.actions.decisions import DecisionView
    from perdure.actions.forks import ForkView, Side
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json

DECIDED = "decided"
"""What is kept if it is none of the sides."""


@value
class Choice:
    """What somebody chose: a side by its name, or a decision of its own."""

    keep: str | None = None
    decide: str | None = None
    value: str | None = None
    because: str = ""
    evidence: tuple[dict[str, Json], ...] = ()
    """For the decision that settles the fork, as `decide` takes it."""


@value
class Settled:
    fork: ForkView
    kept: str
    decision: DecisionView | None
    """The decision that counts now; None if what the ledger has stays as it is, and no decision says so."""
    superseded: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def resolve(desk: Desk, typed: str, choice: Choice) -> Settled:
    _check(choice)
    fork_records.record_missing(desk)
    fork = _open_fork(desk, typed)
    side = _side(desk, fork, choice.keep) if choice.keep else None
    if fork.about == forks.ABOUT_TASK or fork.task_id:
        return _settle_task(desk, fork, side, choice=choice)
    if fork.about == forks.ABOUT_TEXT and side is fork.sides[0] and not choice.evidence:
        return _keep_as_it_is(desk, fork, side.decision_id, because=choice.because)
    entry = notes_forks.entry_of(desk, fork) if fork.about == forks.ABOUT_TEXT and side is fork.sides[-1] else None
    if entry is not None:
        return _settle_notes(desk, fork, entry, choice=choice)
    return _settle_by_side(desk, fork, side, choice=choice)


def _settle_by_side(desk: Desk, fork: ForkView, side: Side | None, *, choice: Choice) -> Settled:
    made = _decision(desk, fork, side, choice=choice)
    judged, warnings = decisions.judged_evidence(desk, choice.evidence)
    made = replace(made, evidence=judged or made.evidence)
    if made.key is not None and made.value is None:
        warnings = (*warnings, decisions.no_value(made.key, fork.sides[0].value))
    kept = side.name if side else DECIDED
    return replace(_settle_by_decision(desk, fork, made, kept=kept), warnings=warnings)


def _settle_notes(desk: Desk, fork: ForkView, entry: Event, *, choice: Choice) -> Settled:
    """The words first, then that the fork is settled; after a crash in between the fork is still open."""
    taken = notes_forks.take_over(desk, fork, entry, because=choice.because, evidence=choice.evidence)
    decision_id = taken.decision.id if taken.decision else None
    kept = forks.SIDE_TEXT
    resolved = p.ForkResolved(fork_id=fork.id, kept=kept, decision_id=decision_id, because=choice.because)
    _record_resolved(desk, fork, resolved)
    return Settled(fork, kept, taken.decision, superseded=taken.superseded, warnings=taken.warnings)


def _open_fork(desk: Desk, typed: str) -> ForkView:
    fork = forks.find(desk, typed)
    if not fork.is_open:
        by = f", by decision {short(fork.resolved_by)}" if fork.resolved_by else ""
        raise Refused(
            "fork_resolved", f"Fork {short(fork.id)} is settled already{by}.", hint=as_typed(desk, "perdure fork list")
        )
    if fork.is_of_others:
        desk.refuse_agent(
            f"The sides of fork {short(fork.id)} were decided on other machines: a person says which one is right."
        )
    return fork


def _keep_as_it_is(desk: Desk, fork: ForkView, decision_id: str | None, *, because: str) -> Settled:
    """What a text states does not count. `decision_id`: the ledger's decision; None if it is not a decision."""
    resolved = p.ForkResolved(fork_id=fork.id, kept=forks.SIDE_LEDGER, decision_id=decision_id, because=because)
    _record_resolved(desk, fork, resolved)
    decision = decisions.show(desk, decision_id) if decision_id else None
    return Settled(fork, forks.SIDE_LEDGER, decision, superseded=())


def _check(choice: Choice) -> None:
    if (choice.keep is None) == (choice.decide is None):
        raise BadInput(
            "usage",
            "Either --keep names the side that counts, or --decide says what counts instead.",
            hint="perdure fork resolve 3f2a91c4 --keep ledger --because 'it was measured'",
        )
    if choice.keep is not None and choice.value is not None:
        raise BadInput("usage", "--value belongs to --decide; with --keep the side's own value counts.")
    if not choice.because.strip():
        raise BadInput("no_reason", "A resolution needs a reason.", hint="--because 'it was measured'")


def _side(desk: Desk, fork: ForkView, named: str) -> Side:
    """The side by its number, its name, or the beginning of its decision's id."""
    if named == forks.SIDE_LEDGER:
        return fork.sides[0]
    for number, side in enumerate(fork.sides, 1):
        is_id = len(named) >= 4 and side.decision_id is not None and side.decision_id.startswith(named.lower())
        is_file = named == "file" and number > 1 and fork.about == forks.ABOUT_TASK
        if named in (str(number), side.name) or is_id or is_file:
            return side
    names = ", ".join(side.name for side in fork.sides)
    raise BadInput(
        "no_such_side",
        f"Fork {short(fork.id)} has no side {shown(named)}. It has: {names}.",
        hint=as_typed(desk, f"perdure fork resolve {short(fork.id)} --keep {fork.sides[0].name} --because '…'"),
    )


# -- decisions -----------------------------------------------------------------------------------------------------


def _decision(desk: Desk, fork: ForkView, side: Side | None, *, choice: Choice) -> p.DecisionMade:
    """The decision that settles the fork. A side's own evidence stays its evidence, unless another machine saw it or
    evidence is given."""
    ours = _made(desk, fork.sides[0])
    superseded = fork.decision_ids or tuple(each.decision_id for each in fork.sides if each.decision_id)
    settles = p.DecisionMade(
        decision=choice.decide or "",
        rationale=choice.because,
        key=ours.key if ours else None,
        value=choice.value,
        supersedes=superseded[0] if superseded else None,
        also_supersedes=tuple(superseded[1:]),
    )
    if side is None:
        return _checked_value(settles, fork)
    made = _made(desk, side)
    if made is None:
        return _stated(settles, fork, side.value)
    evidence = made.evidence if side.other_ledger is None else ()
    return replace(
        settles,
        decision=made.decision,
        value=made.value,
        title=made.title,
        evidence=evidence,
        identifiers=made.identifiers if side.other_ledger is None else (),
        words_from=side.whose_words,
    )


def _stated(settles: p.DecisionMade, fork: ForkView, stated: str) -> p.DecisionMade:
    """What a text states. It has a value only if it names the key and says what it is, not what it is not."""
    from perdure.model.decided_keys import same_key

    if settles.key is None or same_key(settles.key) != same_key(fork.field):
        return replace(settles, decision=stated)
    is_denied = stated.casefold() == f"not {fork.sides[0].value}".casefold()
    return replace(settles, decision=f"{fork.field} is {stated}", value=None if is_denied else stated)


def _checked_value(settles: p.DecisionMade, fork: ForkView) -> p.DecisionMade:
    if not settles.decision.strip():
        raise BadInput("empty_text", "A decision needs a text.", hint="--decide 'use WAL' --value wal")
    if settles.key is not None and settles.value is None:
        raise BadInput(
            "usage",
            f"The fork is about the key {shown(settles.key)}: --value says what it is to be.",
            hint=f"--decide {shown(settles.decision)} --value {shown(fork.sides[0].value)}",
        )
    if settles.key is None and settles.value is not None:
        raise BadInput("value_without_key", "The fork is about no key, so --value has no meaning here.")
    masked = decisions.masked_value(settles.key, settles.value) if settles.key and settles.value else settles.value
    return replace(settles, value=masked)


def _made(desk: Desk, side: Side) -> p.DecisionMade | None:
    found = desk.ledger.find(side.decision_id, ["decision.made"]) if side.decision_id else []
    return p.read(found[0], p.DecisionMade) if found else None


def _settle_by_decision(desk: Desk, fork: ForkView, made: p.DecisionMade, *, kept: str) -> Settled:
    """Decision and resolution are one commit. It fails if somebody decided on the key since the fork was read."""
    from perdure.model.decided_keys import key_id

    expect = []
    if made.key is not None:
        expect.append(expect_unchanged(desk, "decided_key", key_id(made.key)))
    made = replace(made, identifiers=seen_in(desk, made.decision, made.rationale, known=made.identifiers))
    attribution, id = current_attribution(desk), new_event_id()
    resolved = p.ForkResolved(fork_id=fork.id, kept=kept, decision_id=id, because=made.rationale)
    facts = [
        *attribution.before,
        attribution.fact("decision.made", made, id=id),
        attribution.fact("fork.resolved", resolved),
    ]
    record(desk, facts, expect)
    superseded = tuple(dict.fromkeys(filter(None, (made.supersedes, *made.also_supersedes))))
    return Settled(fork=fork, kept=kept, decision=decisions.show(desk, id), superseded=superseded)


def _record_resolved(desk: Desk, fork: ForkView, resolved: p.ForkResolved) -> None:
    attribution = current_attribution(desk)
    record(desk, [*attribution.before, attribution.fact("fork.resolved", resolved, task_id=fork.task_id)])


# -- tasks ---------------------------------------------------------------------------------------------------------


def _settle_task(desk: Desk, fork: ForkView, side: Side | None, *, choice: Choice) -> Settled:
    """The decision first: without one a task cannot be closed. Then the task, then that the fork is settled; after a
    crash in between the fork is still open."""
    task_id = fork.task_id or ""
    content = _content(desk, fork, side) if side and side is not fork.sides[0] else None
    if choice.value is not None:
        raise BadInput("value_without_key", "The fork is about a task's field, so --value has no meaning here.")
    text = choice.decide or f"{fork.field} of task {short_task(task_id)} is {side.value if side else ''}"[:500]
    words_from = side.whose_words if side and choice.decide is None else None
    made = p.DecisionMade(decision=text, rationale=choice.because, evidence=choice.evidence, words_from=words_from)
    decision = decisions.decide(desk, made, task_id)
    if content is not None:
        tasks.update(desk, task_id, _change(desk, fork, content, because=choice.because))
    kept = side.name if side else DECIDED
    resolved = p.ForkResolved(fork_id=fork.id, kept=kept, decision_id=decision.id, because=choice.because)
    _record_resolved(desk, fork, resolved)
    return Settled(fork=fork, kept=kept, decision=decision, superseded=(), warnings=decision.warnings)


def _content(desk: Desk, fork: ForkView, side: Side) -> Json:
    found = body_as(desk.ledger.document("fork", fork.id), Fork)
    event = desk.ledger.event(Ref(LedgerId(found.ledger_id), found.seq)) if found else None
    said = p.read(event, p.ForkDetected) if event else None
    return next((each.get("value") for each in said.sides if each.get("side") == side.name), None) if said else None


_TEXTS = ("title", "description", "status", "assignee")
_LISTS = ("labels", "next_steps", "blockers", "questions")


def _change(desk: Desk, fork: ForkView, content: Json, *, because: str) -> tasks.TaskChanges:
    name = fork.field
    if name in _TEXTS and isinstance(content, str) and not content.endswith("…"):
        closing = because if (name, content) == ("status", "closed") else None
        given: dict[str, Any] = {name: content, "because": closing}
        return tasks.TaskChanges(**given)
    if name == "priority" and str(content).isdecimal():
        return tasks.TaskChanges(priority=int(str(content)))
    if name in _LISTS and isinstance(content, list) and all(isinstance(each, str) for each in content):
        several: dict[str, Any] = {name: tuple(content)}
        return tasks.TaskChanges(**several)
    update = as_typed(desk, f"perdure task update {short_task(fork.task_id or '')}")
    raise Refused(
        "side_not_usable",
        f"The other side's {name} cannot be taken over as it is.",
        hint=f"Change it yourself ({update} --help), then resolve the fork with --keep ledger.",
    )
