"""Transactions: PREFLIGHT → work → CHECK → work → POSTFLIGHT (SPEC 4, seed 000).

A transaction belongs to a project, is held by an instance and used by sessions. Each step (PREFLIGHT, CHECK,
POSTFLIGHT) is one conditional append: of several that race, one wins and the others are told. No step is made up for
somebody else. Which transaction a command is about: `transaction_lookup.py`.
"""

from __future__ import annotations

from perdure.actions import (
    goals,
    holdings,
    learning,
    lookup,
    lost_claims,
    observing,
    segments,
    session_records,
    transaction_lookup,
)
from perdure.actions.advice import as_typed, project_flag
from perdure.actions.attribution import joining, own_open_transaction
from perdure.actions.holdings import Held, held
from perdure.actions.record import CloseFileFirst, Fact, record
from perdure.actions.request import resolve_request
from perdure.actions.sessions import bind_here, ensure_session, holder_of
from perdure.actions.wiring import Desk, open_desk_at, tell_where
from perdure.errors import BadInput, Conflict, PerdureError, Refused
from perdure.gate.policy import CHECK, POSTFLIGHT, YOUR_OWN
from perdure.ledger.port import Appended, Expect, conflict
from perdure.model import payload as p
from perdure.model.assessment import Assessment, Thresholds, assess, contradicted, unchanged
from perdure.model.calibration import Error, errors_of
from perdure.model.ids import SessionId, TaskId, TransactionId, new_id, prefix_of, short, shown
from perdure.model.moment import seconds_between
from perdure.model.state import AgentRecord, FileOwner, Instance, Transaction, body_as
from perdure.model.value import replace, value
from perdure.model.vectors import delta
from perdure.place.process import is_alive
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from perdure.actions.request import Request
    from perdure.actions.sessions import SessionSeat
    from perdure.model.vectors import Vectors

    T = TypeVar("T")

_TRIES = 8
"""How often a step is tried while others change the transaction."""
OPENED = "Transaction opened. Include it in the handoff if the context is compacted."


@value
class SelfAssessment:
    """What PREFLIGHT, CHECK and POSTFLIGHT are given."""

    vectors: Vectors
    reasoning: str
    task_id: str | None = None
    goal: str | None = None


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
        f"Transaction {short(transaction.id)} belongs to another pane, {holder}. An agent may not take it over, "
        "close or override it. Nothing was written.",
        hint="Its holder closes it; or a person takes it over, in their own terminal. "
        + transaction_lookup.way_to_open(desk),
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
    """Opens a transaction. The assessment decides whether its gate is open."""
    _refuse_if_not_allowed(desk)
    left_behind = transaction_lookup.orphans(desk)
    observing.taken_in(desk)
    here = ensure_session(desk)
    assessment = _assess(desk, given, desk.actor)
    if assessment.decision == "proceed" and learning.nothing_learned_since_investigate(desk, here.session_id):
        assessment = unchanged(assessment, hooks_see(desk), project_flag(desk))
    transaction_id = TransactionId(new_id())
    facts = _opening_facts(desk, given, assessment, here=here, transaction_id=transaction_id)
    # The binding is written first: after a crash the next command from here still knows whose transaction it is.
    bind_here(desk, here.session_id)
    holdings.point_to(desk, desk.seat.instance_id, transaction_id, is_shut=assessment.decision != "proceed")
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
    orphan = transaction_lookup.first_to_settle(desk)
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
    from perdure.actions.view_healing import mend_views  # rarely needed

    try:
        return mend_views(desk)
    except PerdureError:
        return []


def _already_open(desk: Desk, before: Transaction, mended: list[str] | None = None) -> Refused:
    """`mended`: the views that were lost. Without them the gate does not see the open transaction and advises
    PREFLIGHT."""
    again = f" Mended: {', '.join(mended)}. Try once more what was denied." if mended else ""
    client = _running_client(desk, before)
    whose = f" It is that of {client}, which is running in this terminal." if client else ""
    hint = f"Continue it ({as_typed(desk, CHECK)}), or close it ({as_typed(desk, POSTFLIGHT)}) and then PREFLIGHT again"
    if client:
        hint = f"Open your own in another terminal. Or close that of {client}, which can then change nothing until its "
        hint += f"next PREFLIGHT: {as_typed(desk, POSTFLIGHT)}"
    return Refused(
        "transaction_open",
        f"Transaction {short(before.id)} is already open in {before.project_path}.{whose} No other one was opened."
        f"{again}",
        hint=f"{hint}; {YOUR_OWN}. To open one in another project beside it, name that with --project-path.",
        details={"transaction_id": before.id, "project_path": before.project_path},
    )


def _running_client(desk: Desk, transaction: Transaction) -> str:
    """The client that holds the transaction, if a person asks from the terminal in which it runs."""
    found = desk.ledger.document("instance", transaction.instance_id)
    instance, process = body_as(found, Instance), holder_of(found).client
    if desk.is_agent or instance is None or process is None or not is_alive(process, desk.around.processes):
        return ""
    return instance.client or ""


def _orphan_first(desk: Desk, orphan: Held) -> Refused:
    first = short(orphan.transaction.id)
    if orphan.is_left_behind:
        what = f"Transaction {first} was left open by a pane that is gone"
    else:
        what = f"Transaction {first} of another pane was not used for a long time"
    return Refused(
        "orphan_open",
        f"{what}, and transaction.orphans is 'ask'.",
        hint=transaction_lookup.way_out_of_orphan(desk, orphan),
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
class CheckAnswer:
    transaction: Transaction
    assessment: Assessment


def check(desk: Desk, given: SelfAssessment) -> CheckAnswer:
    observing.taken_in(desk)
    lost = lost_claims.check_and_record(desk)
    return _repeat_on_conflict(lambda: _check(desk, given, lost))


def check_anywhere(request: Request, given: SelfAssessment) -> CheckAnswer:
    """Like `check`, for the transaction that POSTFLIGHT without an id would close."""
    resolved = resolve_request(request)
    root, _ = transaction_lookup.without_id(resolved)
    tell_where(resolved, root)
    with open_desk_at(resolved, root) as desk:
        return check(desk, given)


def _check(desk: Desk, given: SelfAssessment, lost: list[str]) -> CheckAnswer:
    own = own_open_transaction(desk)
    if own is None:
        raise transaction_lookup.none_open(desk)
    before, unchanged_since = _open_with_version(desk, own.id)
    here = ensure_session(desk)
    assessment = _assess(desk, given, before.agent)
    if lost:
        assessment = contradicted(assessment, len(lost), lost_claims.advice(desk, lost))
    stands = assessment.decision == "proceed" and before.decision == "investigate" and not before.learned
    if stands and learning.nothing_learned_since_investigate(desk, here.session_id, before.id):
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
    after = _changed(record(desk, facts, [unchanged_since], first=first), before.id)
    holdings.point_to(desk, after.instance_id, after.id, is_shut=not after.passes)
    return CheckAnswer(after, assessment)


def _open_with_version(desk: Desk, transaction_id: TransactionId) -> tuple[Transaction, Expect]:
    """The open transaction as it is now, and the condition for the append, which is refused if the transaction has
    changed since."""
    found = desk.ledger.document("transaction", transaction_id)
    now = body_as(found, Transaction)
    if found is None or now is None or now.status != "open":
        raise transaction_lookup.closed_already(desk, transaction_id)
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
    without an id, see `transaction_lookup.without_id`."""
    resolved = resolve_request(request)
    if transaction_id is None:
        root, found = transaction_lookup.without_id(resolved)
        tell_where(resolved, root)
        with open_desk_at(resolved, root) as desk:
            return _close(desk, transaction_lookup.open_by_id(desk, found), given)
    prefix = prefix_of(transaction_id, "The transaction id")
    if request.explicit.project_path:
        with open_desk_at(resolved) as desk:
            return _close(desk, transaction_lookup.open_by_id(desk, prefix), given)
    root, found = transaction_lookup.found_anywhere(resolved, prefix)
    tell_where(resolved, root)
    with open_desk_at(resolved, root) as desk:
        return _close(desk, transaction_lookup.open_by_id(desk, found), given)


def close_here(desk: Desk, given: SelfAssessment) -> Closed:
    """POSTFLIGHT of the transaction that this instance has open at this desk, as it moves to another project."""
    return _close(desk, transaction_lookup.required(desk).transaction, given, leaves=True)


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


# -- taking over, opening by hand, closing for others --------------------------------------------------------------


def adopt(desk: Desk, typed: str) -> Held:
    """Moves an open transaction to this instance (SPEC 4.6)."""
    transaction_lookup.refuse_in_another_project(
        desk, prefix_of(typed, "The transaction id"), "perdure transaction adopt"
    )
    named = transaction_lookup.open_by_id(desk, prefix_of(typed, "The transaction id"))
    observing.taken_in(desk)
    return _repeat_on_conflict(lambda: _adopt(desk, named))


def _adopt(desk: Desk, named: Transaction) -> Held:
    own = own_open_transaction(desk)
    if own and own.id == named.id:
        raise Refused("already_yours", f"Transaction {short(named.id)} belongs to this pane already.")
    if own:
        raise _has_own(desk, own, named)
    before, unchanged_since = _open_with_version(desk, named.id)
    _refuse_agent(desk, before)
    if before.instance_id != named.instance_id:  # another instance adopted it meanwhile, so we may not
        raise conflict(unchanged_since)
    here = ensure_session(desk)
    bind_here(desk, here.session_id)
    held_back = _is_held_back(desk, before, here)
    holdings.point_to(desk, desk.seat.instance_id, before.id, is_shut=held_back or not before.passes)
    adopted = Fact(
        kind="transaction.adopted",
        payload=p.TransactionAdopted(before.instance_id, _free_suffix(desk), held_back=held_back),
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
    return before.decision == "proceed" and learning.nothing_learned_since_investigate(desk, here.session_id)


def _has_own(desk: Desk, own: Transaction, wanted: Transaction) -> Refused:
    flag = project_flag(desk)
    return Refused(
        "transaction_open",
        f"You have transaction {short(own.id)} open in {desk.root}, and a pane has one in a project. "
        f"{short(wanted.id)} was not taken over.",
        hint=f"Close yours ({POSTFLIGHT}{flag}; {YOUR_OWN}), and then: perdure transaction adopt "
        f"{short(wanted.id)}{flag}",
        details={"transaction_id": own.id, "project_path": own.project_path},
    )


def override(desk: Desk, typed: str | None, because: str) -> Held:
    """A person opens the gate for one transaction; the ledger records that (SPEC 4.5)."""
    desk.refuse_agent("Only a person may open the gate by hand.")
    if not because.strip():
        raise BadInput("no_reason", "An override needs a reason.", hint="--because 'why the gate may open'")
    if typed is not None:
        transaction_lookup.refuse_if_imported(desk, prefix_of(typed, "The transaction id"))
    named = transaction_lookup.show(desk, typed).transaction
    if named.status != "open":
        raise Refused(
            "transaction_closed",
            f"Transaction {short(named.id)} is closed.",
            hint=as_typed(desk, transaction_lookup.LISTED_BY),
        )
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
    after = _changed(record(desk, [*here.facts, fact], [unchanged_since]), before.id)
    holdings.point_to(desk, after.instance_id, after.id, is_shut=False)
    return held(desk, after)


def close_orphans_for_person(desk: Desk) -> list[Held]:
    """Like `close_orphans`, but refuses agents: the holder of an orphan may still run and merely have been silent for
    long, so a person decides."""
    desk.refuse_agent("Only a person may close what others left open.")
    return close_orphans(desk)


def close_imported_for_person(desk: Desk, typed: str) -> Held:
    """Ends a transaction that came with an import, without an assessment. Nothing changes on the machine that it came
    from. Agents are refused: somebody may still work on it there."""
    desk.refuse_agent("Only a person may close what others left open.")
    found = desk.ledger.find_documents("other_transaction", prefix_of(typed, "The transaction id"))
    if not found:
        raise Refused(
            "no_such_transaction",
            f"No imported transaction has an id that begins with {shown(typed)}. Nothing was written.",
            hint=as_typed(desk, transaction_lookup.LISTED_BY),
        )
    if len(found) > 1:
        names = ", ".join(each.id.replace(" ", " of ledger ") for each in found)
        raise Refused("ambiguous_id", f"{shown(typed)} matches more than one: {names}. Nothing was written.")
    before = transaction_lookup.from_other_machine(desk, found[0])
    if before.transaction.status != "open":
        raise transaction_lookup.closed_already(desk, before.transaction.id)
    closed = p.TransactionClosed(False, other_machine=before.other_ledger)
    fact = Fact("transaction.closed", closed, transaction_id=before.transaction.id)
    record(desk, [fact], [Expect("other_transaction", found[0].id, found[0].clock)])
    after = desk.ledger.document("other_transaction", found[0].id)
    assert after is not None
    return transaction_lookup.from_other_machine(desk, after)


def close_orphans(desk: Desk) -> list[Held]:
    """Closes orphans without an assessment, so that calibration does not count them (SPEC 4.6)."""
    closed = []
    for orphan in transaction_lookup.orphans(desk):
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
