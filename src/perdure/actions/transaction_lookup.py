"""Which transaction is a command about, and which ones are open? Nothing here records anything.

    required(desk)              the one that a command without an id is about, at this desk; refuses if there is none
    without_id(resolved)        the same in any project: where it is, and its id
    open_by_id(desk, "3f2a91")  the one that an id names, if it is open

The steps of a transaction are in `transactions.py`.
"""

from __future__ import annotations

from perdure.actions import holdings, lookup, session_records, sessions
from perdure.actions.advice import as_typed
from perdure.actions.attribution import own_open_transaction
from perdure.actions.holdings import Held, held
from perdure.actions.other_repository import required_root
from perdure.actions.request import resolve_request
from perdure.actions.wiring import Desk, open_desk_at
from perdure.errors import Refused
from perdure.gate.policy import PREFLIGHT, YOUR_OWN
from perdure.model.ids import TransactionId, prefix_of, short
from perdure.model.moment import seconds_between
from perdure.model.shell_quote import quote
from perdure.model.state import Session, Transaction, body_as
from perdure.model.value import value
from perdure.place.own_instance import refuse_another_instance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import Request, ResolvedRequest
    from perdure.model.state import Document

LISTED_BY = "perdure transaction list"
SESSIONS_LISTED_BY = "perdure session list"
NONE_OPEN = "No open transaction. Run PREFLIGHT first."
LONGEST_GOAL = 80
"""Characters of a goal in a sentence."""


# -- what is open ---------------------------------------------------------------------------------------------------


def all_open(desk: Desk) -> list[Held]:
    return [
        held(desk, d.body) for d in desk.ledger.documents("transaction", live=True) if isinstance(d.body, Transaction)
    ]


def on_other_machines(desk: Desk, only_open: bool = True, limit: int | None = None) -> list[Held]:
    """Transactions that came with an import. They open no gate here (SPEC 16.4)."""
    found = desk.ledger.documents("other_transaction", live=True if only_open else None, limit=limit)
    return [from_other_machine(desk, document) for document in found]


def from_other_machine(desk: Desk, document: Document) -> Held:
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
        ended_by=_ended_by(desk, transaction) if transaction.status == "open" else "",
    )


def _ended_by(desk: Desk, transaction: Transaction) -> str:
    return as_typed(desk, f"perdure transaction close --imported {short(transaction.id)}")


def orphans(desk: Desk) -> list[Held]:
    return [each for each in all_open(desk) if each.orphaned and not (each.mine and each.alive)]


def listed(desk: Desk, limit: int, only_open: bool = False) -> list[Held]:
    found = desk.ledger.documents("transaction", live=True if only_open else None, limit=limit)
    here = [held(desk, d.body) for d in found if isinstance(d.body, Transaction)]
    return [*here, *on_other_machines(desk, only_open, limit)][:limit]


# -- the one that a command without an id is about ------------------------------------------------------------------


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


def without_id(resolved: ResolvedRequest) -> tuple[str, TransactionId]:
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
        f"This pane has several open transactions, and any may be meant: {'; '.join(names)}. Nothing was written.",
        hint=" ".join(
            [
                f"Name the one you mean: postflight {', or '.join(flags)}; or its project with --project-path.",
                *(f"{short(each.transaction_id)}: {each.way_out}." for each in away.unreadable),
            ]
        ),
        details={"elsewhere": {each.transaction.id: each.transaction.project_path for each in away.open}},
    )


# -- the one that an id names ---------------------------------------------------------------------------------------


def show(desk: Desk, typed: str | None, *, command: str = "perdure transaction show") -> Held:
    """`command`: what was asked for, to be advised if the transaction is in another project."""
    if typed is None:
        return required(desk)
    prefix = prefix_of(typed, "The transaction id")
    imported = _imported(desk, prefix)
    if imported:
        return imported
    refuse_in_another_project(desk, prefix, command)
    found = lookup.document(desk.ledger, "transaction", typed, listed_by=as_typed(desk, LISTED_BY)).body
    assert isinstance(found, Transaction)
    return held(desk, found)


def open_by_id(desk: Desk, prefix: str) -> Transaction:
    refuse_if_imported(desk, prefix)
    found = lookup.document(desk.ledger, "transaction", prefix, listed_by=as_typed(desk, LISTED_BY)).body
    assert isinstance(found, Transaction)
    if found.status != "open":
        raise closed_already(desk, found.id)
    return found


def found_anywhere(resolved: ResolvedRequest, prefix: str) -> tuple[str, TransactionId]:
    """The one transaction whose id begins so, in any registered project; the current project is searched first."""
    found = lookup.anywhere(resolved, "transaction", prefix)
    matches = [(root, t) for root, document in found.matches if (t := body_as(document, Transaction))]
    if not matches:
        for root, _ in lookup.anywhere(resolved, "other_transaction", prefix).matches[:1]:
            with open_desk_at(resolved, root, writable=False) as desk:
                refuse_if_imported(desk, prefix)
        _refuse_unreadable(resolved, prefix)
        raise found.nowhere(
            prefix, "transaction", hint="perdure project list shows the projects; name one with --project-path."
        )
    here = [(root, t) for root, t in matches if root == resolved.place.project_path]
    candidates = here or [(root, t) for root, t in matches if t.status == "open"] or matches[:1]
    if len(candidates) > 1:
        raise found.ambiguous(prefix, "transaction", [(root, t.id) for root, t in candidates])
    root, transaction = candidates[0]
    return root, transaction.id


def _imported(desk: Desk, prefix: str) -> Held | None:
    """The imported transaction whose id begins so, unless one of this machine's does."""
    there = desk.ledger.find_documents("other_transaction", prefix)
    if not there or desk.ledger.find_documents("transaction", prefix):
        return None
    return from_other_machine(desk, there[0])


def refuse_if_imported(desk: Desk, prefix: str) -> None:
    found = _imported(desk, prefix)
    if found:
        raise Refused(
            "other_machine",
            f"Transaction {short(found.transaction.id)} was imported with ledger {short(found.other_ledger or '')}: it "
            "was opened on another machine, in a copy, or in events that were lost here. It opens no gate here, and "
            "cannot be assessed or taken over here.",
            hint=f"To work here, open one: {how_to_open(desk)} If it is still open on another machine or in a copy, "
            "close it there and import again. If nobody works on it any more, a person ends it here: "
            f"{_ended_by(desk, found.transaction)}",
            details={"transaction_id": found.transaction.id, "ledger_id": found.other_ledger},
        )


def refuse_in_another_project(desk: Desk, prefix: str, command: str) -> None:
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
    _refuse_unreadable(desk.resolved, prefix)


def _refuse_unreadable(resolved: ResolvedRequest, prefix: str) -> None:
    """Refuses an id that names a transaction which this instance holds in a project that cannot be read now: to say
    that there is none would be false, and would not help."""
    instance_id = resolved.place.instance_id
    away = holdings.elsewhere(resolved, instance_id, None) if instance_id else holdings.Elsewhere()
    for each in away.unreadable:
        if each.transaction_id.startswith(prefix):
            what = f"{each.what[0].upper()}{each.what[1:]} Nothing was written."
            raise Refused("no_such_transaction", what, hint=f"{each.way_out}.", details={"project_path": each.root})


def closed_already(desk: Desk, transaction_id: TransactionId) -> Refused:
    return Refused(
        "transaction_closed",
        f"{NONE_OPEN} {short(transaction_id)} was closed already.",
        hint=as_typed(desk, f"perdure transaction show {short(transaction_id)}"),
        details={"transaction_id": transaction_id},
    )


# -- what to say if there is none -----------------------------------------------------------------------------------


def none_open(desk: Desk) -> Refused:
    others = all_open(desk)
    away = holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
    words = [*(_name_elsewhere(each) for each in away.open), *(_name_other(desk, each) for each in others)]
    words += [f"{each.words}." for each in away.unreadable]
    return Refused(
        "no_open_transaction",
        NONE_OPEN,
        hint=" ".join([*words, way_to_open(desk)]),
        details={
            "open": [str(each.transaction.id) for each in others],
            "elsewhere": {each.transaction.id: each.transaction.project_path for each in away.open},
        },
    )


def _name_elsewhere(each: Held) -> str:
    t = each.transaction
    root = quote(t.project_path)
    return f"You have {short(t.id)}{_about(each)} open in another project: name it with --project-path {root}."


def _name_other(desk: Desk, each: Held) -> str:
    """Names another instance's transaction. How to take it is said only if its holder is gone, or to a person (SPEC
    3.1)."""
    name = short(each.transaction.id)
    adopt = each.adopted_by
    if each.is_left_behind:
        return (
            f"{name}{_about(each)} was left open here by a pane that is gone: {adopt} takes it over, "
            f"perdure postflight --transaction-id {name} … closes it."
        )
    theirs = f"{name}{_about(each)} is open here, but it belongs to another pane, which closes it."
    return theirs if desk.is_agent else f"{theirs} To take it over anyway: {adopt}."


def _about(each: Held) -> str:
    return f" ({one_line(each.goal)})" if each.goal else ""


def one_line(text: str) -> str:
    """A goal in the form in which a sentence can contain it."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_GOAL else f"{line[: LONGEST_GOAL - 1]}…"


def how_to_open(desk: Desk) -> str:
    return f"{as_typed(desk, PREFLIGHT)}; {YOUR_OWN}."


def way_to_open(desk: Desk) -> str:
    """PREFLIGHT, or what must come before it if it would be refused."""
    left_behind = first_to_settle(desk)
    return way_out_of_orphan(desk, left_behind) if left_behind else f"To open one here: {how_to_open(desk)}"


def first_to_settle(desk: Desk) -> Held | None:
    """The orphan that must be closed or adopted before a PREFLIGHT here: one whose holder is gone, if there is one,
    because that is the one that the caller may close."""
    if desk.setting("transaction.orphans") != "ask":
        return None
    left_behind = orphans(desk)
    return next((each for each in left_behind if each.is_left_behind), left_behind[0] if left_behind else None)


def way_out_of_orphan(desk: Desk, orphan: Held) -> str:
    first = short(orphan.transaction.id)
    if orphan.is_left_behind or not desk.is_agent:
        return f"Take it over with {orphan.adopted_by}, or close it with perdure postflight --transaction-id {first} …"
    return "Its pane may still be at work: ask the person what should happen to it."


# -- the status of an instance or a session -------------------------------------------------------------------------


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
    warnings: tuple[str, ...] = ()
    """What is wrong with the ledger, or with what the gate sees of this transaction."""
    is_denied_here: bool = False
    """The gate denies every change, although the transaction is open: a warning says why."""
    opened_by: str = "perdure preflight"
    """The command that opens one, without its numbers."""


def open_to_look(resolved: ResolvedRequest) -> Desk:
    """The desk of the place, for whoever only reads. If there is no project here, the refusal names what this instance
    holds elsewhere (SPEC 3.4)."""
    place = resolved.place
    try:
        return open_desk_at(resolved, writable=False)
    except Refused as error:
        if place.project_path is None and place.instance_id:
            away = holdings.elsewhere(resolved, place.instance_id, None)
            names = [*(_name_elsewhere(each) for each in away.open), *(f"{each.words}." for each in away.unreadable)]
            error.hint = " ".join([error.hint, *names])
        raise


def status(request: Request, session: str | None) -> Status:
    """This instance's open transaction, or else its last; or the one that a session is or was in, in any project; or,
    for a project that is named, the one that is open there, whoever holds it."""
    resolved = resolve_request(request)
    if session is not None and not request.explicit.project_path:
        return _status_of_session(resolved, prefix_of(session, "The session id"))
    with open_to_look(resolved) as desk:
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
    from perdure.actions import held_at_gate  # PREFLIGHT, CHECK and POSTFLIGHT do not need it

    seen = held_at_gate.state_at_gate(desk, own)
    about_gate = held_at_gate.warning(desk, own, seen)
    return Status(
        found=found or _last_of_instance(desk),
        warnings=(*held_at_gate.of_ledger(desk), *([about_gate] if about_gate else [])),
        is_denied_here=held_at_gate.is_denied(desk, own, seen),
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
