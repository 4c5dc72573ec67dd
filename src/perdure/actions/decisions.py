"""Decisions: append-only, recorded when they are made (SPEC 7.3). Evidence gets its class then (`evidence.py`)."""

from __future__ import annotations

from perdure.actions import lookup
from perdure.actions.advice import as_typed
from perdure.actions.attribution import marked_foreign, record_event
from perdure.actions.brief_places import seen_in
from perdure.actions.writers import FIRST_EVENTS, OTHER
from perdure.errors import BadInput
from perdure.grounding.outcome import is_grounded
from perdure.model import payload as p
from perdure.model.event import is_from_beads
from perdure.model.ids import short, shown
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.forks import ForkView
    from perdure.actions.wiring import Desk
    from perdure.actions.writers import Writers
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.model.moment import Stamp

LISTED_BY = "perdure decide --list"


@value
class DecisionView:
    id: str
    ts: Stamp
    decision: str
    rationale: str | None
    key: str | None
    value: str | None
    supersedes: str | None
    superseded_by: str | None
    evidence: tuple[dict[str, Json], ...]
    scenarios: tuple[dict[str, Json], ...]
    title: str | None
    task_id: str | None
    transaction_id: str | None
    other_ledger: str | None = None
    """The other machine's ledger that it came from."""
    from_beads: bool = False
    """A beads file states it."""
    grounded: bool = False
    """Its evidence was true when it was made."""
    warnings: tuple[str, ...] = ()
    """What whoever makes the decision must be told."""
    fork: ForkView | None = None
    """The fork that it is a side of, when it is made (SPEC 7.4)."""
    words_from: str | None = None
    """It was made here, but in words that came from there: another machine's ledger, or `beads`."""

    @property
    def is_made_here(self) -> bool:
        """Whether the person or an agent made it here."""
        return self.other_ledger is None and not self.from_beads

    def marked(self, text: str) -> str:
        return marked_foreign(self.other_ledger, text, self.from_beads, words_from=self.words_from)


def decide(desk: Desk, made: p.DecisionMade, task_id: str | None = None) -> DecisionView:
    if not made.decision.strip():
        raise BadInput(
            "empty_text", "A decision needs a text.", hint="perdure decide 'use WAL' --because 'readers never wait'"
        )
    made, about_key = _superseding(desk, made) if made.supersedes is not None else (made, "")
    if made.value is not None and made.key is None:
        raise BadInput("value_without_key", "--value needs --key, which names what the value is of.")
    if made.key is not None and made.value is not None:
        made = replace(made, value=masked_value(made.key, made.value))
    task = lookup.task(desk.ledger, task_id) if task_id else None
    judged, warnings = judged_evidence(desk, made.evidence)
    made = replace(made, evidence=judged, identifiers=seen_in(desk, made.decision, made.rationale))
    warnings = (*warnings, *filter(None, [about_key]))
    if made.key is None:
        event = record_event(desk, "decision.made", made, task_id=task)
        return replace(view(desk, event), warnings=warnings)
    from perdure.actions import fork_records, forks  # a brief needs only `view`

    event, fork = fork_records.decide_key(desk, made, task)
    told = (forks.told(desk, fork),) if fork else ()
    return replace(view(desk, event), warnings=(*warnings, *told), fork=fork)


def _superseding(desk: Desk, made: p.DecisionMade) -> tuple[p.DecisionMade, str]:
    """A decision that names no key has the key of the one that it supersedes. In the same words it has the value, too;
    in other words the value may be what changed, so it must be given. Returns what whoever decides must be told."""
    event = lookup.event(
        desk.ledger, "decision", made.supersedes or "", listed_by=as_typed(desk, LISTED_BY), kinds=["decision.made"]
    )
    made = replace(made, supersedes=event.id)
    before = p.read(event, p.DecisionMade)
    if before is None or before.key is None:
        return made, ""
    if made.key is not None:
        from perdure.model.decided_keys import same_key  # a brief needs only `view`

        is_same = same_key(made.key) == same_key(before.key)
        return made, "" if is_same else _other_key(event.id, before.key, key=made.key)
    made = replace(made, key=before.key)
    if made.value is not None or before.value is None:
        return made, ""
    if _are_same_words(made.decision, before.decision):
        return replace(made, value=before.value), ""
    return made, no_value(before.key, before.value)


def _are_same_words(one: str, other: str) -> bool:
    return one.casefold().split() == other.casefold().split()


def _other_key(before: str, old: str, *, key: str) -> str:
    return f"Decision {short(before)} on the key {shown(old)} no longer counts; this one has the key {shown(key)}."


def no_value(key: str, value: str) -> str:
    """What whoever decides about a key without a value must be told."""
    return (
        f"The key {shown(key)} has no value now, so no text can contradict it. The decision that this one supersedes "
        f"said {shown(value)}. Decide it again with --value, and with --supersedes for this decision."
    )


def judged_evidence(
    desk: Desk, given: tuple[dict[str, Json], ...]
) -> tuple[tuple[dict[str, Json], ...], tuple[str, ...]]:
    """The evidence with its class, and warnings for whoever decides."""
    if not given:
        return (), ()
    from perdure.actions.evidence import of_decision  # not light, and a brief needs only `view`

    return of_decision(desk, given)


def masked_value(key: str, value: str) -> str:
    """Masks `value` if `key` names a credential, such as `db_password`."""
    from perdure.masking import mask_json

    pair, _ = mask_json({key: value})
    return str(next(iter(pair.values()))) if isinstance(pair, dict) else value


def view(desk: Desk, event: Event) -> DecisionView:
    made = p.read(event, p.DecisionMade) or p.DecisionMade("(erased)")
    later = desk.ledger.document("superseded", event.id)
    return DecisionView(
        id=event.id,
        ts=event.ts,
        decision=made.decision,
        rationale=made.rationale,
        key=made.key,
        value=made.value,
        supersedes=made.supersedes,
        superseded_by=getattr(later.body, "by", None) if later else None,
        evidence=made.evidence,
        scenarios=made.scenarios,
        title=made.title,
        task_id=event.task_id,
        transaction_id=event.transaction_id,
        other_ledger=desk.other_ledger(event),
        from_beads=is_from_beads(event.actor),
        words_from=made.words_from,
        grounded=not is_from_beads(event.actor) and is_grounded(made.evidence),
    )


def show(desk: Desk, typed: str) -> DecisionView:
    return view(
        desk, lookup.event(desk.ledger, "decision", typed, listed_by=as_typed(desk, LISTED_BY), kinds=["decision.made"])
    )


def latest(desk: Desk, limit: int) -> list[DecisionView]:
    """Those made here first, of each the newest first."""
    return [view(desk, event) for event in desk.own_first(["decision.made"], limit)]


def latest_standing(desk: Desk, limit: int) -> list[DecisionView]:
    """Those of the latest that are not superseded, newest first; those of other machines last."""
    found = sorted(
        desk.latest_and_own(["decision.made"], FIRST_EVENTS), key=lambda event: bool(desk.other_ledger(event))
    )
    return [view(desk, event) for event in found if desk.ledger.document("superseded", event.id) is None][:limit]


def standing_by(desk: Desk, by: Writers, limit: int, *, without_others: bool = False) -> list[DecisionView]:
    """Those that are not superseded: this lineage's and instance's own first, then those of other panes, and
    those of other machines last. `without_others`: without those of other panes that are at work now."""

    def stands(event: Event) -> bool:
        is_left_out = without_others and by.of(event) == OTHER
        return not is_left_out and desk.ledger.document("superseded", event.id) is None

    kinds = ["decision.made"]
    found = by.own_first(lambda most: desk.latest_and_own(kinds, most), limit, kinds, stands=stands)
    return [view(desk, event) for event in found]
