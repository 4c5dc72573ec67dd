"""Transactions: PREFLIGHT → work → CHECK → work → POSTFLIGHT (SPEC 4, seed 000).

A transaction belongs to a project, is held by an instance and used by sessions. Each step (PREFLIGHT, CHECK,
POSTFLIGHT) is one conditional append: of several that race, one wins and the others are told. No step is made up for
somebody else.
"""

from __future__ import annotations

from shlex import quote

from perdure.actions import (
    contradictions,
    goals,
    holdings,
    learning,
    lookup,
    observing,
    segments,
    session_records,
    sessions,
)
from perdure.actions.advice import as_typed, project_flag
from perdure.actions.attribution import joining, own_open_transaction
from perdure.actions.holdings import Held, held
from perdure.actions.other_repository import required_root
from perdure.actions.record import CloseFileFirst, Fact, record
from perdure.actions.request import resolve_request
from perdure.actions.sessions import bind_here, ensure_session
from perdure.actions.wiring import Desk, open_desk_at, tell_where
from perdure.errors import BadInput, Conflict, PerdureError, Refused
from perdure.gate.policy import CHECK, POSTFLIGHT, PREFLIGHT, YOUR_OWN
from perdure.ledger.port import Appended, Expect, conflict
from perdure.model import payload as p
from perdure.model.assessment import Assessment, Thresholds, assess, contradicted, unchanged
from perdure.model.calibration import Error, errors_of
from perdure.model.ids import SessionId, TaskId, TransactionId, new_id, prefix_of, short
from perdure.model.moment import seconds_between
from perdure.model.state import AgentRecord, FileOwner, Session, Transaction, body_as
from perdure.model.value import replace, value
from perdure.model.vectors import delta
from perdure.place.own_instance import refuse_another_instance
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from perdure.actions.request import Request, ResolvedRequest
    from perdure.actions.sessions import SessionSeat
    from perdure.model.state import Document
    from perdure.model.vectors import Vectors

    T = TypeVar("T")

LISTED_BY = "perdure transaction list"
SESSIONS_LISTED_BY = "perdure session list"
NONE_OPEN = "No open transaction. Run PREFLIGHT first."
_TRIES = 8
"""How often a step is tried while others change the transaction."""
LONGEST_GOAL = 80
"""Characters of a goal in a sentence."""
OPENED = "Transaction opened. Include it in the handoff if the context is compacted."


@value
class SelfAssessment:
    """What PREFLIGHT, CHECK and POSTFLIGHT are given."""

    vectors: Vectors
    reasoning: str
    task_id: str | None = None
    goal: str | None = None


# -- what is open --------------------------------------------------------------------------------------------------


def all_open(desk: Desk) -> list[Held]:
    return [
        held(desk, d.body) for d in desk.ledger.documents("transaction", live=True) if isinstance(d.body, Transaction)
    ]


def on_other_machines(desk: Desk, only_open: bool = True, limit: int | None = None) -> list[Held]:
    """Transactions that came with an import. They open no gate here (SPEC 16.4)."""
    found = desk.ledger.documents("other_transaction", live=True if only_open else None, limit=limit)
    return [_elsewhere(desk, document) for document in found]


def _elsewhere(desk: Desk, document: Document) -> Held:
    transaction = document.body
    assert isinstance(transaction, Transaction)
    age = seconds_between(transaction.opened_at, transaction.closed_at or desk.now())
    return Held(
        transaction=transaction,
        alive=None,
        orphaned=False,
        mine=False,
        age_seconds=age,
        other_ledger=document.id.rpartition(" ")[2],
    )


def orphans(desk: Desk) -> list[Held]:
    return [each for each in all_open(desk) if each.orphaned and not (each.mine and each.alive)]


def current(desk: Desk) -> Held | None:
    """The transaction that a command without an id is about: this instance's; or, if the place has no instance, the
    project's only open one if its holder is dead (SPEC 3.1). That of another running instance is never taken."""
    own = own_open_transaction(desk)
    if own:
        return held(desk, own)
    if desk.place.instance_id is not None:
        return None
    found = all_open(desk)
    return found[0] if len(found) == 1 and found[0].alive is False else None


def required(desk: Desk) -> Held:
    found = current(desk)
    if found is None:
        raise none_open(desk)
    return found


def none_open(desk: Desk) -> Refused:
    others = all_open(desk)
    away = holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
    words = [*(_name_elsewhere(each) for each in away.open), *(_name_other(desk, each) for each in others)]
    words += [f"{each.words}." for each in away.unreadable]
    return Refused(
        "no_open_transaction",
        NONE_OPEN,
        hint=" ".join([*words, _way_to_open(desk)]),
        details={
            "open": [str(each.transaction.id) for each in others],
            "elsewhere": {each.transaction.id: each.transaction.project_path for each in away.open},
        },
    )


def _name_elsewhere(each: Held) -> str:
    t = each.transaction
    root = quote(t.project_path)
    return f"You have {short(t.id)}{_about(each)} open in another project: name it with --project-path {root}."


def how_to_open(desk: Desk) -> str:
    return f"{as_typed(desk, PREFLIGHT)}; {YOUR_OWN}."


def _name_other(desk: Desk, each: Held) -> str:
    """Names another instance's transaction. How to take it is said only if its holder is gone, or to a person (SPEC
    3.1)."""
    name = short(each.transaction.id)
    adopt = each.adopted_by
    if each.is_left_behind:
        return (
            f"{name}{_about(each)} was left open here by an instance that is gone: {adopt} takes it over, "
            f"perdure postflight --transaction-id {name} … closes it."
        )
    theirs = f"{name}{_about(each)} is open here, but it belongs to another instance, which closes it."
    return theirs if desk.is_agent else f"{theirs} To take it over anyway: {adopt}."


def _way_to_open(desk: Desk) -> str:
    """PREFLIGHT, or what must come before it if it would be refused."""
    left_behind = _first_to_settle(desk)
    return _way_out_of_orphan(desk, left_behind) if left_behind else f"To open one here: {how_to_open(desk)}"


def _about(each: Held) -> str:
    return f" ({one_line(each.goal)})" if each.goal else ""


def one_line(text: str) -> str:
    """A goal in the form in which a sentence can contain it."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_GOAL else f"{line[: LONGEST_GOAL - 1]}…"


def _refuse_agent(desk: Desk, transaction: Transaction) -> None:
    """An agent may take, close or override another instance's transaction only if that instance is gone."""
    if transaction.instance_id == desk.seat.instance_id or not desk.is_agent:
        return
    alive = held(desk, transaction).alive
    if alive is False:
        return
    holder = "which is running" if alive else "which may still be running"
    raise Refused(
        "for_people",
        f"Transaction {short(transaction.id)} belongs to another instance, {holder}. An agent may not take it over, "
        "close or override it. Nothing was written.",
        hint=f"Its holder closes it; or a person takes it over, in their own terminal. {_way_to_open(desk)}",
        details={"transaction_id": transaction.id, "project_path": transaction.project_path},
    )


# -- PREFLIGHT -----------------------------------------------------------------------------------------------------


@value
class Opened:
    transaction: Transaction
    assessment: Assessment
    message: str
    orphans: tuple[Held, ...]
    elsewhere: holdings.Elsewhere = holdings.Elsewhere()
    """What this instance holds in other projects, and continues to hold."""


def preflight(desk: Desk, given: SelfAssessment) -> Opened:
    """Opens a transaction. Whether its gate is open, the assessment decides."""
    _refuse_if_not_allowed(desk)
    left_behind = orphans(desk)
    observing.taken_in(desk)
    here = ensure_session(desk)
    assessment = _assess(desk, given, desk.actor)
    if assessment.decision == "proceed" and learning.is_same_answer(desk, here.session_id):
        assessment = unchanged(assessment, hooks_see(desk), project_flag(desk))
    transaction_id = TransactionId(new_id())
    facts = _opening_facts(desk, given, assessment, here=here, transaction_id=transaction_id)
    # The binding is written first: after a crash the next command from here still knows whose transaction it is.
    bind_here(desk, here.session_id)
    holdings.point_to(desk, transaction_id)
    appended = _append_or_name_winner(desk, facts, transaction_id)
    session_records.tell_home(desk, here.session_id, transaction_id)
    away = holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
    return Opened(
        transaction=_changed(appended, transaction_id),
        assessment=assessment,
        message=f"{OPENED}{_named_by(desk)}",
        orphans=tuple(left_behind),
        elsewhere=away,
    )


def _named_by(desk: Desk) -> str:
    """How the next commands name a transaction that was opened in another project than the place's."""
    flag = project_flag(desk)
    return f" Name it in check and postflight:{flag}" if flag else ""


def _refuse_if_not_allowed(desk: Desk) -> None:
    """Refuses a PREFLIGHT if this instance has a transaction open here, or if an orphan must be settled first."""
    before = own_open_transaction(desk)
    if before:
        raise _already_open(desk, before, _mended(desk))
    orphan = _first_to_settle(desk)
    if orphan:
        raise _orphan_first(desk, orphan)


def _opening_facts(
    desk: Desk,
    given: SelfAssessment,
    assessment: Assessment,
    *,
    here: SessionSeat,
    transaction_id: TransactionId,
) -> list[Fact]:
    """What a PREFLIGHT records: its session and its goal, if they are new, and the transaction."""
    goal = goals.named(desk, given.goal)
    opened = p.TransactionOpened(
        project_path=desk.root,
        suffix=_free_suffix(desk),
        vectors=given.vectors,
        reasoning=given.reasoning,
        decision=assessment.decision,
        correction=assessment.correction,
        goal_id=goal.id if goal else None,
    )
    return [
        *here.facts,
        *(goal.facts(here.session_id, transaction_id, desk.seat.instance_id) if goal else ()),
        Fact(
            kind="transaction.opened",
            payload=opened,
            session_id=here.session_id,
            transaction_id=transaction_id,
            instance_id=desk.seat.instance_id,
            task_id=TaskId(lookup.task(desk.ledger, given.task_id)) if given.task_id else None,
        ),
    ]


def _append_or_name_winner(desk: Desk, facts: list[Fact], transaction_id: TransactionId) -> Appended:
    """Appends the opening, if this instance holds no transaction here. If another PREFLIGHT of this instance was
    faster, the error names the transaction that it opened."""
    try:
        return record(desk, facts, [Expect("holding", desk.seat.instance_id, None)])
    except Conflict as lost:
        holdings.stop_pointing(desk, desk.seat.instance_id, transaction_id)
        winner = own_open_transaction(desk)
        if winner is None:
            raise
        bind_here(desk, winner.sessions[-1])
        raise _already_open(desk, winner) from lost


def _mended(desk: Desk) -> list[str]:
    """Restores views that were lost, and returns them. If they cannot be written, the open transaction is still
    reported."""
    from perdure.actions.healing import mend_views  # not light, and rarely needed

    try:
        return mend_views(desk)
    except PerdureError:
        return []


def _already_open(desk: Desk, before: Transaction, mended: list[str] | None = None) -> Refused:
    """`mended`: the views that were lost. Without them the gate does not see the open transaction and advises
    PREFLIGHT."""
    again = f" Mended: {', '.join(mended)}. Try once more what was denied." if mended else ""
    return Refused(
        "transaction_open",
        f"Transaction {short(before.id)} is already open in {before.project_path}. No other one was opened.{again}",
        hint=f"Continue it ({as_typed(desk, CHECK)}), or close it ({as_typed(desk, POSTFLIGHT)}) and then PREFLIGHT "
        f"again; {YOUR_OWN}. "
        "To open one in another project beside it, name that with --project-path.",
        details={"transaction_id": before.id, "project_path": before.project_path},
    )


def _first_to_settle(desk: Desk) -> Held | None:
    """The orphan that must be closed or adopted before a PREFLIGHT here: one whose holder is gone, if there is one,
    because that is the one that the caller may close."""
    if desk.setting("transaction.orphans") != "ask":
        return None
    left_behind = orphans(desk)
    return next((each for each in left_behind if each.is_left_behind), left_behind[0] if left_behind else None)


def _way_out_of_orphan(desk: Desk, orphan: Held) -> str:
    first = short(orphan.transaction.id)
    if orphan.is_left_behind or not desk.is_agent:
        return f"Take it over with {orphan.adopted_by}, or close it with perdure postflight --transaction-id {first} …"
    return "Its holder may still be at work, so it is for the person to say what becomes of it: ask them."


def _orphan_first(desk: Desk, orphan: Held) -> Refused:
    first = short(orphan.transaction.id)
    if orphan.is_left_behind:
        what = f"Transaction {first} was left open by an instance that is gone"
    else:
        what = f"Transaction {first} of another instance was not used for a long time"
    return Refused(
        "orphan_open",
        f"{what}, and transaction.orphans is 'ask'.",
        hint=_way_out_of_orphan(desk, orphan),
        details={"transaction_id": orphan.transaction.id},
    )


def _free_suffix(desk: Desk) -> str:
    """The suffix of the place, unless another instance's open transaction has it (SPEC 4.1)."""
    seat = desk.seat
    taken = desk.ledger.document("file", seat.suffix)
    owner = (
        desk.ledger.document("transaction", taken.body.transaction_id)
        if taken and isinstance(taken.body, FileOwner)
        else None
    )
    other = body_as(owner, Transaction)
    if other and other.status == "open" and other.instance_id != seat.instance_id:
        return seat.instance_id[:8]
    return seat.suffix


def limits(desk: Desk) -> Thresholds:
    return Thresholds(desk.number("gate.know"), desk.number("gate.uncertainty"))


def _assess(desk: Desk, given: SelfAssessment, agent: str) -> Assessment:
    return assess(
        given.vectors, correction_for(desk, agent), limits(desk), hooks_see=hooks_see(desk), flag=project_flag(desk)
    )


def hooks_see(desk: Desk) -> bool:
    """Whether hooks record what is read here: only a client's hooks know the id of its session."""
    return desk.seat.client_session_id is not None


def correction_for(desk: Desk, agent: str) -> Vectors:
    found = desk.ledger.document("agent", agent)
    if found is None or not isinstance(found.body, AgentRecord):
        return {}
    return {name: track.correction for name, track in found.body.tracks.items() if name in ("know", "uncertainty")}


def _changed(appended: Appended, transaction_id: str) -> Transaction:
    bodies = [
        c.body for c in appended.changes if c.kind == "transaction" and c.id == transaction_id and hasattr(c, "body")
    ]
    latest = bodies[-1]
    assert isinstance(latest, Transaction)
    return latest


# -- CHECK ---------------------------------------------------------------------------------------------------------


@value
class Checked:
    transaction: Transaction
    assessment: Assessment


def check(desk: Desk, given: SelfAssessment) -> Checked:
    observing.taken_in(desk)
    lost = contradictions.contradicted_now(desk)
    return _repeat_on_conflict(lambda: _check(desk, given, lost))


def check_anywhere(request: Request, given: SelfAssessment) -> Checked:
    """Like `check`, for the transaction that POSTFLIGHT without an id would close."""
    resolved = resolve_request(request)
    root, _ = _without_id(resolved)
    tell_where(resolved, root)
    with open_desk_at(resolved, root) as desk:
        return check(desk, given)


def _check(desk: Desk, given: SelfAssessment, lost: list[str]) -> Checked:
    own = own_open_transaction(desk)
    if own is None:
        raise none_open(desk)
    before, unchanged_since = _open_with_version(desk, own.id)
    here = ensure_session(desk)
    assessment = _assess(desk, given, before.agent)
    if lost:
        assessment = contradicted(assessment, len(lost), contradictions.advice(desk, lost))
    stands = assessment.decision == "proceed" and before.decision == "investigate" and not before.learned
    if stands and learning.is_same_answer(desk, here.session_id, before.id):
        assessment = unchanged(assessment, hooks_see(desk), project_flag(desk))
    checked = p.TransactionChecked(
        vectors=given.vectors,
        reasoning=given.reasoning,
        decision=assessment.decision,
        correction=assessment.correction,
        shortfalls=tuple(shortfall.vector for shortfall in assessment.shortfalls),
    )
    fact = Fact(
        kind="transaction.checked",
        payload=checked,
        session_id=here.session_id,
        transaction_id=before.id,
        instance_id=before.instance_id,
        task_id=before.task_id,
    )
    facts = [*here.facts, *joining(before, here.session_id, before.instance_id), fact]
    shuts = before.passes and assessment.decision == "investigate" and not before.overridden
    first = CloseFileFirst(before, replace(before, decision="investigate")) if shuts else None
    appended = record(desk, facts, [unchanged_since], first=first)
    return Checked(_changed(appended, before.id), assessment)


def _open_with_version(desk: Desk, transaction_id: TransactionId) -> tuple[Transaction, Expect]:
    """The open transaction as it is now, and the condition for the append, which is refused if the transaction has
    changed since."""
    found = desk.ledger.document("transaction", transaction_id)
    now = body_as(found, Transaction)
    if found is None or now is None or now.status != "open":
        raise _closed_already(desk, transaction_id)
    return now, Expect("transaction", transaction_id, found.clock)


def _repeat_on_conflict(transition: Callable[[], T]) -> T:
    """Runs a step, and runs it again if others changed the transaction meanwhile: it then reads the new state and
    decides anew. If they closed the transaction, the step raises that."""
    for _ in range(_TRIES - 1):
        try:
            return transition()
        except Conflict:
            continue
    return transition()


# -- POSTFLIGHT ----------------------------------------------------------------------------------------------------


@value
class Closed:
    transaction: Transaction
    duration_seconds: float
    delta: Vectors
    calibration: dict[str, Error]
    warning: str = ""
    """Why its tree head could not be signed."""
    goal: goals.GoalView | None = None
    """The goal that it was opened for, if that is still open: it may need further transactions."""
    goal_done_by: str = ""
    """The command that marks the goal as done."""


def postflight(request: Request, given: SelfAssessment, transaction_id: str | None) -> Closed:
    """Closes a transaction. It is found (SPEC 4.4) by both flags; by the id alone, in every registered project; or
    without an id, see `_without_id`."""
    resolved = resolve_request(request)
    if transaction_id is None:
        root, found = _without_id(resolved)
        tell_where(resolved, root)
        with open_desk_at(resolved, root) as desk:
            return _close(desk, _named(desk, found), given)
    prefix = prefix_of(transaction_id, "The transaction id")
    if request.explicit.project_path:
        with open_desk_at(resolved) as desk:
            return _close(desk, _named(desk, prefix), given)
    root, found = _found_anywhere(resolved, prefix)
    tell_where(resolved, root)
    with open_desk_at(resolved, root) as desk:
        return _close(desk, _named(desk, found), given)


def _without_id(resolved: ResolvedRequest) -> tuple[str, TransactionId]:
    """The project and the transaction that a command without an id is about (SPEC 4.4): what this instance holds in
    the session's project, which is the place's, and which the session's record names then; what that record names in
    another project; the only one that this instance holds anywhere; the git root, which is the place's if it has no
    instance. If the project is named, no other is searched."""
    refuse_another_instance(resolved.place, resolved.request.explicit, resolved.around)
    is_named = resolved.place.project_row == 1
    if not is_named and not resolved.place.project_is_there and resolved.place.instance_id:
        only = _only_elsewhere(holdings.elsewhere(resolved, resolved.place.instance_id, None))
        if only:
            return only
    required_root(resolved)
    with open_desk_at(resolved, writable=False) as desk:
        found = meant(desk)
        if found is None:
            raise none_open(desk)
        return found


def meant(desk: Desk, away: holdings.Elsewhere | None = None) -> tuple[str, TransactionId] | None:
    """The project and the transaction that a command without an id is about, asked at the desk of its place; nobody
    else decides this (docs/adr/0039). Refuses if several may be meant. `away`: what this instance holds in other
    projects, if that was looked up already."""
    is_named, of_session = desk.place.project_row == 1, desk.resolved.request.explicit.session_id is not None
    stored = session_records.stored(desk) if of_session and not is_named else None
    if stored:
        return stored
    here = current(desk)
    if here or is_named:
        return (desk.root, here.transaction.id) if here else None
    away = away or holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
    return session_records.stored(desk) or _only_elsewhere(away)


def meant_if_one(desk: Desk, away: holdings.Elsewhere | None = None) -> tuple[str, TransactionId] | None:
    """Like `meant`, for whoever only shows it: None if several may be meant."""
    try:
        return meant(desk, away)
    except Refused:
        return None


def _only_elsewhere(away: holdings.Elsewhere) -> tuple[str, TransactionId] | None:
    """The only one of these open transactions; None if none is open. Refuses if there are several, or if one that
    cannot be read may be meant as well."""
    if len(away.open) == 1 and not away.unreadable:
        found = away.open[0].transaction
        return found.project_path, found.id
    if not away.open:
        return None
    names = [f"{short(t.id)} in {t.project_path}" for t in (each.transaction for each in away.open)]
    names += [f"{short(each.transaction_id)} in {each.root}, which cannot be read now" for each in away.unreadable]
    flags = [f"--transaction-id {short(each.transaction.id)}" for each in away.open]
    raise Refused(
        "ambiguous_transaction",
        f"This instance has several open transactions, and any may be meant: {'; '.join(names)}. Nothing was written.",
        hint=" ".join(
            [
                f"Name the one you mean: postflight {', or '.join(flags)}; or its project with --project-path.",
                *(f"{short(each.transaction_id)}: {each.way_out}." for each in away.unreadable),
            ]
        ),
        details={"elsewhere": {each.transaction.id: each.transaction.project_path for each in away.open}},
    )


def close_here(desk: Desk, given: SelfAssessment) -> Closed:
    """POSTFLIGHT of the transaction that this instance has open at this desk, as it moves to another project."""
    return _close(desk, required(desk).transaction, given, leaves=True)


def _found_anywhere(resolved: ResolvedRequest, prefix: str) -> tuple[str, TransactionId]:
    """The one transaction whose id begins so, in any registered project; the current project is searched first."""
    found = lookup.anywhere(resolved, "transaction", prefix)
    matches = [(root, t) for root, document in found.matches if (t := body_as(document, Transaction))]
    if not matches:
        for root, _ in lookup.anywhere(resolved, "other_transaction", prefix).matches[:1]:
            with open_desk_at(resolved, root, writable=False) as desk:
                _refuse_if_elsewhere(desk, prefix)
        raise found.nowhere(
            prefix, "transaction", hint="perdure project list shows the projects; name one with --project-path."
        )
    here = [(root, t) for root, t in matches if root == resolved.place.project_path]
    candidates = here or [(root, t) for root, t in matches if t.status == "open"] or matches[:1]
    if len(candidates) > 1:
        raise found.ambiguous(prefix, "transaction", [(root, t.id) for root, t in candidates])
    root, transaction = candidates[0]
    return root, transaction.id


def _named(desk: Desk, prefix: str) -> Transaction:
    _refuse_if_elsewhere(desk, prefix)
    found = lookup.document(desk.ledger, "transaction", prefix, listed_by=as_typed(desk, LISTED_BY)).body
    assert isinstance(found, Transaction)
    if found.status != "open":
        raise _closed_already(desk, found.id)
    return found


def _refuse_if_elsewhere(desk: Desk, prefix: str) -> None:
    there = desk.ledger.find_documents("other_transaction", prefix)
    if there and not desk.ledger.find_documents("transaction", prefix):
        found = _elsewhere(desk, there[0])
        raise Refused(
            "other_machine",
            f"Transaction {short(found.transaction.id)} was imported with ledger {short(found.other_ledger or '')}: it "
            "was opened on another machine, in a copy, or in events that were lost here. It opens no gate here, and "
            "cannot be closed or taken over here.",
            hint=f"To work here, open one: {how_to_open(desk)} If it is still open on another machine or in a copy, "
            "close it there and import again.",
            details={"transaction_id": found.transaction.id, "ledger_id": found.other_ledger},
        )


def _closed_already(desk: Desk, transaction_id: TransactionId) -> Refused:
    return Refused(
        "transaction_closed",
        f"{NONE_OPEN} {short(transaction_id)} was closed already.",
        hint=as_typed(desk, f"perdure transaction show {short(transaction_id)}"),
        details={"transaction_id": transaction_id},
    )


def _close(desk: Desk, before: Transaction, given: SelfAssessment, *, leaves: bool = False) -> Closed:
    _refuse_agent(desk, before)
    observing.taken_in(desk)
    here = ensure_session(desk)
    closed = p.TransactionClosed(True, given.vectors, given.reasoning)
    after = _repeat_on_conflict(
        lambda: _closing(desk, before.id, closed, session_id=here.session_id, facts=list(here.facts))
    )
    calibration = errors_of(after.gate_vectors or {}, given.vectors, after.seen)
    assert after.closed_at is not None
    seconds = seconds_between(after.opened_at, after.closed_at)
    warning = _sign_head(desk)
    segments.keep_tracked(desk)
    goal = goals.still_open(desk, after.goal_id)
    done_by = f"perdure goal done {short(goal.id)}{project_flag(desk, leaves=leaves)}" if goal else ""
    changed = delta(before.preflight_vectors, given.vectors)
    return Closed(
        transaction=after,
        duration_seconds=seconds,
        delta=changed,
        calibration=calibration,
        warning=warning,
        goal=goal,
        goal_done_by=done_by,
    )


def _sign_head(desk: Desk) -> str:
    from perdure.actions.signing import sign_or_warn  # imports Ed25519, which only closing needs

    return sign_or_warn(desk, "postflight").warning


def _closing(
    desk: Desk,
    transaction_id: TransactionId,
    closed: p.TransactionClosed,
    *,
    session_id: SessionId | None,
    facts: list[Fact],
) -> Transaction:
    before, unchanged_since = _open_with_version(desk, transaction_id)
    fact = Fact(
        kind="transaction.closed",
        payload=closed,
        session_id=session_id,
        transaction_id=before.id,
        instance_id=before.instance_id,
        task_id=before.task_id,
    )
    first = CloseFileFirst(before, replace(before, status="closed"))
    appended = record(desk, [*facts, fact], [unchanged_since], first=first)
    _put_away_old_files(desk)
    after = _changed(appended, before.id)
    holdings.stop_pointing(desk, before.instance_id, before.id)
    for session in dict.fromkeys([*after.sessions, *([session_id] if session_id else [])]):
        session_records.clear(desk, session, after)
    return after


def _put_away_old_files(desk: Desk) -> None:
    for document in desk.ledger.documents("file", live=False)[transaction_file.KEPT_CLOSED :]:
        transaction_file.take_away(desk.folder, document.id)


# -- looking, taking over, putting away ----------------------------------------------------------------------------


@value
class Status:
    """The transaction that was asked about, and others that matter beside it."""

    found: Held | None
    name: str
    root: str
    others: tuple[Held, ...] = ()
    """Open transactions of other instances, in this project."""
    elsewhere: holdings.Elsewhere = holdings.Elsewhere()
    """Open transactions of this instance, in other projects."""
    opened_by: str = "perdure preflight"
    """The command that opens one, without its numbers."""


def status(request: Request, session: str | None) -> Status:
    """This instance's open transaction, or else its last; or the one that a session is or was in, in any project; or,
    for a project that is named, the one that is open there, whoever holds it."""
    resolved = resolve_request(request)
    if session is not None and not request.explicit.project_path:
        return _status_of_session(resolved, prefix_of(session, "The session id"))
    with open_desk_at(resolved, writable=False) as desk:
        if session is not None:
            found = lookup.document(desk.ledger, "session", session, listed_by=as_typed(desk, SESSIONS_LISTED_BY)).body
            assert isinstance(found, Session)
            return Status(_of_session(desk, found), desk.identity.name, desk.root)
        return _status_here(desk)


def _status_here(desk: Desk) -> Status:
    own, away = current(desk), holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
    others = tuple(each for each in all_open(desk) if not own or each.transaction.id != own.transaction.id)
    found = own
    if found is None and desk.place.project_row == 1:
        found = next(iter(others), None)
    elif found is None:
        _, first = meant_if_one(desk, away) or ("", None)
        found = next((each for each in away.open if first in (None, each.transaction.id)), None)
    return Status(
        found=found or _last_of_instance(desk),
        name=desk.identity.name,
        root=desk.root,
        others=others,
        elsewhere=away,
        opened_by=as_typed(desk, "perdure preflight"),
    )


def _status_of_session(resolved: ResolvedRequest, prefix: str) -> Status:
    """The same session may be recorded in several projects: the one where its transaction is open counts."""
    found = lookup.anywhere(resolved, "session", prefix)
    if not found.matches:
        raise found.nowhere(
            prefix,
            "session",
            hint=f"{SESSIONS_LISTED_BY} lists those of a project, perdure project list the projects.",
        )
    if len({document.id for _, document in found.matches}) > 1:
        raise found.ambiguous(prefix, "session", [(root, document.id) for root, document in found.matches])
    answers = []
    for root, document in found.matches:
        assert isinstance(document.body, Session)
        with open_desk_at(resolved, root, writable=False) as desk:
            answers.append(Status(_of_session(desk, document.body), desk.identity.name, desk.root))
    return max(answers, key=_transaction_counts)


def _transaction_counts(status: Status) -> int:
    """An open transaction says most about a session, a closed one more than none. `max` takes the first of equals."""
    if status.found is None:
        return 0
    return 2 if status.found.transaction.status == "open" else 1


def _of_session(desk: Desk, session: Session) -> Held | None:
    if session.active_transaction_id:
        active = body_as(desk.ledger.document("transaction", session.active_transaction_id), Transaction)
        if active:
            return held(desk, active)
    for document in desk.ledger.documents("transaction"):
        if isinstance(document.body, Transaction) and session.id in document.body.sessions:
            return held(desk, document.body)
    return None


def _last_of_instance(desk: Desk) -> Held | None:
    for document in desk.ledger.documents("transaction", limit=200):
        if isinstance(document.body, Transaction) and document.body.instance_id == desk.seat.instance_id:
            return held(desk, document.body)
    return None


def is_work_closed(desk: Desk, session: Session) -> bool:
    """Whether the lineage of this session, of this instance, has closed a transaction and has none open."""
    if own_open_transaction(desk):
        return False
    last = _last_of_instance(desk)
    lineage = {each.id for each in sessions.lineage(desk, session)}
    return last is not None and not lineage.isdisjoint(last.transaction.sessions)


def listed(desk: Desk, limit: int, only_open: bool = False) -> list[Held]:
    found = desk.ledger.documents("transaction", live=True if only_open else None, limit=limit)
    here = [held(desk, d.body) for d in found if isinstance(d.body, Transaction)]
    return [*here, *on_other_machines(desk, only_open, limit)][:limit]


def show(desk: Desk, typed: str | None, *, command: str = "perdure transaction show") -> Held:
    """`command`: what was asked for, to be advised if the transaction is in another project."""
    if typed is None:
        return required(desk)
    prefix = prefix_of(typed, "The transaction id")
    there = desk.ledger.find_documents("other_transaction", prefix)
    if there and not desk.ledger.find_documents("transaction", prefix):
        return _elsewhere(desk, there[0])
    _refuse_in_another_project(desk, prefix, command)
    found = lookup.document(desk.ledger, "transaction", typed, listed_by=as_typed(desk, LISTED_BY)).body
    assert isinstance(found, Transaction)
    return held(desk, found)


def _refuse_in_another_project(desk: Desk, prefix: str, command: str) -> None:
    if desk.ledger.find_documents("transaction", prefix):
        return
    found = lookup.anywhere(desk.resolved, "transaction", prefix).matches
    if len(found) > 1:
        places = "; ".join(f"{document.id} in {root}" for root, document in found)
        raise Refused(
            "ambiguous_id",
            f"Transaction {prefix} is not here. Other projects have several that begin so: {places}.",
            hint=f"{command} ID --project-path PATH",
        )
    for root, document in found:
        raise Refused(
            "no_such_transaction",
            f"Transaction {short(document.id)} is in another project, {root}.",
            hint=f"{command} {short(document.id)} --project-path {quote(root)}",
            details={"project_path": root},
        )


def adopt(desk: Desk, typed: str) -> Held:
    """Moves an open transaction to this instance (SPEC 4.6)."""
    _refuse_in_another_project(desk, prefix_of(typed, "The transaction id"), "perdure transaction adopt")
    named = _named(desk, prefix_of(typed, "The transaction id"))
    observing.taken_in(desk)
    return _repeat_on_conflict(lambda: _adopt(desk, named))


def _adopt(desk: Desk, named: Transaction) -> Held:
    own = own_open_transaction(desk)
    if own and own.id == named.id:
        raise Refused("already_yours", f"Transaction {short(named.id)} belongs to this instance already.")
    if own:
        raise _has_own(desk, own, named)
    before, unchanged_since = _open_with_version(desk, named.id)
    _refuse_agent(desk, before)
    if before.instance_id != named.instance_id:  # another instance adopted it meanwhile, so we may not
        raise conflict(unchanged_since)
    here = ensure_session(desk)
    bind_here(desk, here.session_id)
    holdings.point_to(desk, before.id)
    adopted = Fact(
        kind="transaction.adopted",
        payload=p.TransactionAdopted(
            before.instance_id, _free_suffix(desk), held_back=_is_held_back(desk, before, here)
        ),
        session_id=here.session_id,
        transaction_id=before.id,
        instance_id=desk.seat.instance_id,
    )
    joined = joining(before, here.session_id, desk.seat.instance_id)
    expect = [unchanged_since, Expect("holding", desk.seat.instance_id, None)]
    appended = record(desk, [*here.facts, adopted, *joined], expect, first=CloseFileFirst(before, None))
    holdings.stop_pointing(desk, before.instance_id, before.id)
    return held(desk, _changed(appended, before.id))


def _is_held_back(desk: Desk, before: Transaction, here: SessionSeat) -> bool:
    """Whether the gate of an adopted transaction is shut until a CHECK: it would open by somebody else's assessment,
    while the adopter's own said `investigate` and nothing was learned since (SPEC 4.3)."""
    return before.decision == "proceed" and learning.is_same_answer(desk, here.session_id)


def _has_own(desk: Desk, own: Transaction, wanted: Transaction) -> Refused:
    flag = project_flag(desk)
    return Refused(
        "transaction_open",
        f"You have transaction {short(own.id)} open in {desk.root}, and an instance has one in a project. "
        f"{short(wanted.id)} was not taken over.",
        hint=f"Close yours ({POSTFLIGHT}{flag}; {YOUR_OWN}), and then: perdure transaction adopt "
        f"{short(wanted.id)}{flag}",
        details={"transaction_id": own.id, "project_path": own.project_path},
    )


def override(desk: Desk, typed: str | None, because: str) -> Held:
    """A person opens the gate for one transaction; the ledger records that (SPEC 4.5)."""
    desk.refuse_agent("To open the gate by hand is for people.")
    if not because.strip():
        raise BadInput("no_reason", "An override needs a reason.", hint="--because 'why the gate may open'")
    if typed is not None:
        _refuse_if_elsewhere(desk, prefix_of(typed, "The transaction id"))
    named = show(desk, typed).transaction
    if named.status != "open":
        raise Refused("transaction_closed", f"Transaction {short(named.id)} is closed.", hint=as_typed(desk, LISTED_BY))
    return _repeat_on_conflict(lambda: _override(desk, named.id, because))


def _override(desk: Desk, transaction_id: TransactionId, because: str) -> Held:
    before, unchanged_since = _open_with_version(desk, transaction_id)
    _refuse_agent(desk, before)
    here = ensure_session(desk)
    said = p.TransactionOverridden(because)
    fact = Fact(
        kind="transaction.overridden",
        payload=said,
        session_id=here.session_id,
        transaction_id=before.id,
        instance_id=before.instance_id,
    )
    appended = record(desk, [*here.facts, fact], [unchanged_since])
    return held(desk, _changed(appended, before.id))


def close_orphans_for_person(desk: Desk) -> list[Held]:
    """Like `close_orphans`, but refuses agents: the holder of an orphan may still run and merely have been silent for
    long, so a person decides."""
    desk.refuse_agent("To close what others left open is for people.")
    return close_orphans(desk)


def close_orphans(desk: Desk) -> list[Held]:
    """Closes orphans without an assessment, so that calibration does not count them (SPEC 4.6)."""
    closed = []
    for orphan in orphans(desk):
        try:
            after = _closing(desk, orphan.transaction.id, p.TransactionClosed(False), session_id=None, facts=[])
        except Refused as error:
            if isinstance(error, Conflict) or error.code == "transaction_closed":
                continue  # somebody used or closed it at the same moment: it is not an orphan any more
            raise
        closed.append(held(desk, after))
    if closed:
        segments.keep_tracked(desk)
    return closed
