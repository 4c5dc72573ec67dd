"""Transactions: PREFLIGHT → work → CHECK → work → POSTFLIGHT (SPEC 4, seed 000).

A transaction belongs to a project, is held by an instance and touched by sessions. Every transition is one
conditional append: whoever races, one wins and the others are told. None is ever made up on somebody's behalf.
"""

from __future__ import annotations

from perdure.actions import goals, lookup, observing, segments
from perdure.actions.acting import body, joining, mine
from perdure.actions.record import Fact, First, record
from perdure.actions.scene import look
from perdure.actions.sessions import holder_of, seated
from perdure.actions.wiring import Desk, desk_at, sit_down
from perdure.errors import BadInput, Conflict, Damaged, PerdureError, Refused, Trouble
from perdure.ledger.port import Appended, Expect, conflict
from perdure.model import payload as p
from perdure.model.assessment import Assessment, Thresholds, assess, unchanged
from perdure.model.calibration import Error, errors_of
from perdure.model.ids import SessionId, TaskId, TransactionId, new_id, prefix_of, short
from perdure.model.moment import HOUR, seconds_between
from perdure.model.state import AgentRecord, FileOwner, Session, Transaction
from perdure.model.value import replace, value
from perdure.model.vectors import delta
from perdure.place import project
from perdure.place.resolve import bind, is_living, nobody
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from perdure.actions.scene import Request, Scene
    from perdure.model.vectors import Vectors

    T = TypeVar("T")

LISTED_BY = "perdure transaction list"
NONE_OPEN = "No open transaction. Run PREFLIGHT first."
_TRIES = 8
OPENED = "Transaction opened. Include it in the handoff if the context is compacted."


@value
class SelfAssessment:
    """What PREFLIGHT, CHECK and POSTFLIGHT are given."""

    vectors: Vectors
    reasoning: str
    task_id: str | None = None
    goal: str | None = None


@value
class Held:
    """A transaction, and how its holder is."""

    transaction: Transaction
    alive: bool | None
    orphaned: bool
    mine: bool
    age_seconds: float


# -- what is open --------------------------------------------------------------------------------------------------


def held(desk: Desk, transaction: Transaction) -> Held:
    holder = holder_of(desk.ledger.document("instance", transaction.instance_id))
    is_nobodys = transaction.instance_id == nobody(desk.who.id)
    alive: bool | None = False if is_nobodys else is_living(holder, desk.around, desk.root)
    still = desk.now() - transaction.updated_at >= desk.number("transaction.orphan_hours") * HOUR
    orphaned = transaction.status == "open" and (alive is False or still)
    age = seconds_between(transaction.opened_at, transaction.closed_at or desk.now())
    return Held(transaction, alive, orphaned, transaction.instance_id == desk.seat.instance_id, age)


def all_open(desk: Desk) -> list[Held]:
    return [
        held(desk, d.body) for d in desk.ledger.documents("transaction", live=True) if isinstance(d.body, Transaction)
    ]


def orphans(desk: Desk) -> list[Held]:
    return [each for each in all_open(desk) if each.orphaned and not (each.mine and each.alive)]


def current(desk: Desk) -> Held | None:
    """The transaction a command without an id is about: this instance's; or, where the place has no instance, the
    project's only open one if its holder is dead (SPEC 3.1). Another living instance's is never taken."""
    own = mine(desk)
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
    others = [each.transaction for each in all_open(desk)]
    hint = "perdure preflight --know 0.8 --uncertainty 0.2 --because 'what you know and plan'"
    if others:
        hint = (
            f"{len(others)} open in this project, held by other instances. To close one of them: "
            f"perdure postflight --transaction-id {short(others[0].id)} …; to take it over: "
            f"perdure transaction adopt {short(others[0].id)}"
        )
    return Refused("no_open_transaction", NONE_OPEN, hint=hint, details={"open": [str(t.id) for t in others]})


# -- PREFLIGHT -----------------------------------------------------------------------------------------------------


@value
class Opened:
    transaction: Transaction
    assessment: Assessment
    message: str
    orphans: tuple[Held, ...]


def preflight(desk: Desk, given: SelfAssessment) -> Opened:
    before = mine(desk)
    if before:
        raise already_open(before)
    left_behind = orphans(desk)
    if left_behind and desk.setting("transaction.orphans") == "ask":
        raise _orphan_first(left_behind)
    assessment = assess(given.vectors, correction_for(desk, desk.actor), limits(desk))
    here = seated(desk)
    goal = goals.named(desk, given.goal)
    transaction_id = TransactionId(new_id())
    opened = p.TransactionOpened(
        desk.root,
        _free_suffix(desk),
        given.vectors,
        given.reasoning,
        assessment.decision,
        assessment.correction,
        goal.id if goal else None,
    )
    facts = [
        *here.facts,
        *(goal.facts(here.session_id, transaction_id, desk.seat.instance_id) if goal else ()),
        Fact(
            "transaction.opened",
            opened,
            here.session_id,
            transaction_id,
            desk.seat.instance_id,
            TaskId(lookup.task(desk.ledger, given.task_id)) if given.task_id else None,
        ),
    ]
    # Bound first: if we die after the append, the next command from here still knows whose transaction it is.
    bind(desk.seat, desk.root, desk.who.id, here.session_id, desk.around)
    try:
        appended = record(desk, facts, [Expect("holding", desk.seat.instance_id, None)])
    except Conflict as lost:
        winner = mine(desk)
        if winner is None:
            raise
        bind(desk.seat, desk.root, desk.who.id, winner.sessions[-1], desk.around)
        raise already_open(winner) from lost
    _tell_home_session(desk, here.session_id, transaction_id)
    return Opened(_changed(appended, transaction_id), assessment, OPENED, tuple(left_behind))


def already_open(before: Transaction) -> Refused:
    return Refused(
        "transaction_open",
        f"Transaction {short(before.id)} is already open in {before.project_path}. Nothing was opened.",
        hint="Go on in it (perdure check -), or close it (perdure postflight -); then PREFLIGHT again. "
        "To open one in another project beside it, name that with --project-path.",
        details={"transaction_id": before.id, "project_path": before.project_path},
    )


def _orphan_first(left_behind: list[Held]) -> Refused:
    first = short(left_behind[0].transaction.id)
    return Refused(
        "orphan_open",
        f"Transaction {first} was left open by an instance that is gone, and transaction.orphans is 'ask'.",
        hint=f"Take it over with perdure transaction adopt {first}, or close it with "
        f"perdure postflight --transaction-id {first} …",
        details={"transaction_id": left_behind[0].transaction.id},
    )


def _free_suffix(desk: Desk) -> str:
    """The place's suffix, unless another instance's open transaction stands under it (SPEC 4.1)."""
    seat = desk.seat
    taken = desk.ledger.document("file", seat.suffix)
    owner = (
        desk.ledger.document("transaction", taken.body.transaction_id)
        if taken and isinstance(taken.body, FileOwner)
        else None
    )
    other = body(owner)
    if other and other.status == "open" and other.instance_id != seat.instance_id:
        return seat.instance_id[:8]
    return seat.suffix


def limits(desk: Desk) -> Thresholds:
    return Thresholds(desk.number("gate.know"), desk.number("gate.uncertainty"))


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
    return _persisting(lambda: _check(desk, given))


def _check(desk: Desk, given: SelfAssessment) -> Checked:
    own = mine(desk)
    if own is None:
        raise none_open(desk)
    before, unchanged_since = _standing(desk, own.id)
    assessment = assess(given.vectors, correction_for(desk, before.agent), limits(desk))
    if before.decision == "investigate" and not before.learned and assessment.decision == "proceed":
        assessment = unchanged(assessment)
    here = seated(desk)
    checked = p.TransactionChecked(
        given.vectors,
        given.reasoning,
        assessment.decision,
        assessment.correction,
        tuple(shortfall.vector for shortfall in assessment.shortfalls),
    )
    fact = Fact("transaction.checked", checked, here.session_id, before.id, before.instance_id, before.task_id)
    facts = [*here.facts, *joining(before, here.session_id, before.instance_id), fact]
    shuts = before.passes and assessment.decision == "investigate" and not before.overridden
    first = First(before, replace(before, decision="investigate")) if shuts else None
    appended = record(desk, facts, [unchanged_since], first=first)
    return Checked(_changed(appended, before.id), assessment)


def _standing(desk: Desk, transaction_id: TransactionId) -> tuple[Transaction, Expect]:
    """The transaction as it stands, and that it still does when what is decided on it is written."""
    found = desk.ledger.document("transaction", transaction_id)
    now = body(found)
    if found is None or now is None or now.status != "open":
        raise _closed_already(transaction_id)
    return now, Expect("transaction", transaction_id, found.clock)


def _persisting(transition: Callable[[], T]) -> T:
    """Others write under a transaction while it is checked or closed: what they changed is looked at, and the
    transition made on that. Where they ended it, looking says so."""
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


def postflight(request: Request, given: SelfAssessment, transaction_id: str | None) -> Closed:
    """Resolution (SPEC 4.4): both flags; the id alone, in every registered project; the session's stored values; the
    session's project, which is the place's; the git root, which is the place's where it has no instance."""
    if transaction_id is None:
        return _postflight_here(request, given)
    prefix = prefix_of(transaction_id, "The transaction id")
    if request.explicit.project_path:
        with sit_down(request) as desk:
            return _close(desk, _named(desk, prefix), given)
    with _found_anywhere(request, prefix) as desk:
        return _close(desk, _named(desk, prefix), given)


def _postflight_here(request: Request, given: SelfAssessment) -> Closed:
    with sit_down(request) as desk:
        stored = _stored(desk)
        if stored is None:
            return close_here(desk, given)
        other_root, stored_id = stored
        with desk_at(desk.scene, other_root) as there:
            return _close(there, _named(there, stored_id), given)


def close_here(desk: Desk, given: SelfAssessment) -> Closed:
    """POSTFLIGHT of what this instance has open at this desk."""
    return _close(desk, required(desk).transaction, given)


def _stored(desk: Desk) -> tuple[str, TransactionId] | None:
    """Where the session's record says its transaction is in another project."""
    found = desk.ledger.document("session", desk.place.session_id) if desk.place.session_id else None
    session = found.body if found and isinstance(found.body, Session) else None
    if session is None or session.active_transaction_id is None or session.transaction_project_path is None:
        return None
    elsewhere = session.transaction_project_path != desk.root and project.is_project(session.transaction_project_path)
    return (session.transaction_project_path, session.active_transaction_id) if elsewhere else None


def _found_anywhere(request: Request, prefix: str) -> Desk:
    """The desk of the one registered project that has this transaction; the place's own is asked first."""
    scene = look(request)
    unreadable: list[str] = []
    for root in _roots(scene):
        try:
            found = _desk_with(scene, root, prefix)
        except PerdureError as error:  # another project's trouble is not this transaction's
            unreadable.append(f"{root}: {error.message}")
            continue
        if found:
            return found
    raise Refused(
        "no_such_transaction",
        f"No registered project{' that can be read' if unreadable else ''} has a transaction {prefix}.",
        hint="perdure project list shows the projects; name one with --project-path.",
        details={"unreadable": list(unreadable)} if unreadable else {},
    )


def _desk_with(scene: Scene, root: str, prefix: str) -> Desk | None:
    desk = desk_at(scene, root)
    try:
        if desk.ledger.find_documents("transaction", prefix):
            return desk
    except BaseException:
        desk.close()
        raise
    desk.close()
    return None


def _roots(scene: Scene) -> Iterator[str]:
    seen = set()
    for root in (scene.place.project_path, *(entry.path for entry in scene.registry.entries())):
        if root and root not in seen and project.is_project(root):
            seen.add(root)
            yield root


def _named(desk: Desk, prefix: str) -> Transaction:
    found = lookup.document(desk.ledger, "transaction", prefix, LISTED_BY).body
    assert isinstance(found, Transaction)
    if found.status != "open":
        raise _closed_already(found.id)
    return found


def _closed_already(transaction_id: TransactionId) -> Refused:
    return Refused(
        "transaction_closed",
        f"{NONE_OPEN} {short(transaction_id)} was closed already.",
        hint=f"perdure transaction show {short(transaction_id)}",
        details={"transaction_id": transaction_id},
    )


def _close(desk: Desk, before: Transaction, given: SelfAssessment) -> Closed:
    observing.taken_in(desk)
    here = seated(desk)
    closed = p.TransactionClosed(True, given.vectors, given.reasoning)
    after = _persisting(lambda: _closing(desk, before.id, closed, here.session_id, list(here.facts)))
    calibration = errors_of(after.gate_vectors or {}, given.vectors, after.seen)
    assert after.closed_at is not None
    seconds = seconds_between(after.opened_at, after.closed_at)
    warning = _sign_head(desk)
    segments.keep_tracked(desk)
    return Closed(after, seconds, delta(before.preflight_vectors, given.vectors), calibration, warning)


def _sign_head(desk: Desk) -> str:
    from perdure.actions.signing import sign_head  # with Ed25519, which nothing but a closing needs

    return sign_head(desk, "postflight").warning


def _closing(
    desk: Desk,
    transaction_id: TransactionId,
    closed: p.TransactionClosed,
    session_id: SessionId | None,
    facts: list[Fact],
) -> Transaction:
    before, unchanged_since = _standing(desk, transaction_id)
    fact = Fact("transaction.closed", closed, session_id, before.id, before.instance_id, before.task_id)
    first = First(before, replace(before, status="closed"))
    appended = record(desk, [*facts, fact], [unchanged_since], first=first)
    _put_away_old_files(desk)
    after = _changed(appended, before.id)
    for session in after.sessions:
        _tell_home_session(desk, session, None)
    return after


def _put_away_old_files(desk: Desk) -> None:
    for document in desk.ledger.documents("file", live=False)[transaction_file.KEPT_CLOSED :]:
        transaction_file.take_away(desk.folder, document.id)


def _tell_home_session(desk: Desk, session_id: SessionId, transaction_id: TransactionId | None) -> None:
    """Seed 000 §5.4: a session begun in another project keeps, there, what it is in the middle of here. That is a
    help for finding it; what happened here has happened, whether or not it can be noted there."""
    session = desk.ledger.document("session", session_id)
    home = session.body.project_path if session and isinstance(session.body, Session) else desk.root
    if home == desk.root or not project.is_project(home):
        return
    try:
        with desk_at(desk.scene, home) as there:
            if there.ledger.document("session", session_id):
                working = p.SessionWorking(transaction_id, desk.root if transaction_id else None)
                record(there, [Fact("session.working", working, session_id)])
    except (Trouble, Damaged):
        return


# -- looking, taking over, putting away ----------------------------------------------------------------------------


def status(desk: Desk, session: str | None) -> Held | None:
    """This instance's transaction, open or else its last; or the one a session is or was in."""
    if session:
        found = lookup.document(desk.ledger, "session", session, "perdure session list").body
        assert isinstance(found, Session)
        return _of_session(desk, found)
    return current(desk) or _last_of_instance(desk)


def _of_session(desk: Desk, session: Session) -> Held | None:
    if session.active_transaction_id:
        active = body(desk.ledger.document("transaction", session.active_transaction_id))
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


def listed(desk: Desk, limit: int, only_open: bool = False) -> list[Held]:
    found = desk.ledger.documents("transaction", live=True if only_open else None, limit=limit)
    return [held(desk, d.body) for d in found if isinstance(d.body, Transaction)]


def show(desk: Desk, typed: str | None) -> Held:
    if typed is None:
        return required(desk)
    found = lookup.document(desk.ledger, "transaction", typed, LISTED_BY).body
    assert isinstance(found, Transaction)
    return held(desk, found)


def adopt(desk: Desk, typed: str) -> Held:
    """Moves an open transaction to this instance (SPEC 4.6)."""
    named = _named(desk, prefix_of(typed, "The transaction id"))
    return _persisting(lambda: _adopt(desk, named))


def _adopt(desk: Desk, named: Transaction) -> Held:
    own = mine(desk)
    if own and own.id == named.id:
        raise Refused("already_yours", f"Transaction {short(named.id)} is held by this instance already.")
    if own:
        raise already_open(own)
    before, unchanged_since = _standing(desk, named.id)
    if before.instance_id != named.instance_id:  # another adopted it meanwhile: theirs is not for us to take
        raise conflict(unchanged_since)
    here = seated(desk)
    bind(desk.seat, desk.root, desk.who.id, here.session_id, desk.around)
    adopted = Fact(
        "transaction.adopted",
        p.TransactionAdopted(before.instance_id, _free_suffix(desk)),
        here.session_id,
        before.id,
        desk.seat.instance_id,
    )
    joined = joining(before, here.session_id, desk.seat.instance_id)
    expect = [unchanged_since, Expect("holding", desk.seat.instance_id, None)]
    appended = record(desk, [*here.facts, adopted, *joined], expect, first=First(before, None))
    return held(desk, _changed(appended, before.id))


def override(desk: Desk, typed: str | None, because: str) -> Held:
    """A person opens the gate for one transaction; that is recorded (SPEC 4.5)."""
    if not because.strip():
        raise BadInput("no_reason", "An override needs a reason.", hint="--because 'why the gate may open'")
    named = show(desk, typed).transaction
    if named.status != "open":
        raise Refused("transaction_closed", f"Transaction {short(named.id)} is closed.", hint=LISTED_BY)
    return _persisting(lambda: _override(desk, named.id, because))


def _override(desk: Desk, transaction_id: TransactionId, because: str) -> Held:
    before, unchanged_since = _standing(desk, transaction_id)
    here = seated(desk)
    said = p.TransactionOverridden(because)
    fact = Fact("transaction.overridden", said, here.session_id, before.id, before.instance_id)
    appended = record(desk, [*here.facts, fact], [unchanged_since])
    return held(desk, _changed(appended, before.id))


def close_orphans(desk: Desk) -> list[Held]:
    """Closed without assessment, which no calibration counts (SPEC 4.6)."""
    closed = []
    for orphan in orphans(desk):
        try:
            after = _closing(desk, orphan.transaction.id, p.TransactionClosed(False), None, [])
        except Refused as error:
            if isinstance(error, Conflict) or error.code == "transaction_closed":
                continue  # somebody touched or closed it at the same moment: it is no orphan any more
            raise
        closed.append(held(desk, after))
    if closed:
        segments.keep_tracked(desk)
    return closed
