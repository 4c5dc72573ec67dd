"""Appends events to the ledger: masks what is recorded, makes it storable, appends it, and writes its views.

What people and agents do is recorded only through `record`. `draft` is for the ledger's own events, such as that the
project was moved. A test lists the modules that append.
"""

from __future__ import annotations

from perdure.actions import unverified_claims
from perdure.errors import BadInput, PerdureError, Trouble
from perdure.files import FolderLock
from perdure.ledger.port import unchanged
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import USER, Draft
from perdure.model.ids import EventId, TaskId, new_id
from perdure.model.state import Document, FileOwner, Transaction
from perdure.model.value import value
from perdure.proof.canonical import storable
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.files import ReservedSpace
    from perdure.ledger.port import Appended, Expect, ReadableLedger
    from perdure.model.event import Head, Payload
    from perdure.model.ids import InstanceId, SessionId, TransactionId
    from perdure.place.project import Identity

    Finish: TypeAlias = Callable[[Payload, EventId, moment.Stamp], Payload]


@value
class Fact:
    """Something that happened, as a payload of the model; `record` adds who and where."""

    kind: str
    payload: object
    session_id: SessionId | None = None
    transaction_id: TransactionId | None = None
    instance_id: InstanceId | None = None
    task_id: TaskId | None = None
    id: EventId | None = None
    actor: str | None = None
    """Who did it, if that is not the one who records it."""
    at: moment.Stamp | None = None
    """When it happened, if that is not now."""
    finish: Finish | None = None
    """For a payload that contains a hash over what is stored: called after masking, to add the hash."""


@value
class CloseFileFirst:
    """A change that shuts the gate: it is written to the transaction's file before the ledger, so that after a crash in
    between the gate denies (SPEC 4.1)."""

    transaction: Transaction
    """As it is before the change."""
    shown_as: Transaction | None
    """What the file is to show; None removes the file."""


def new_event_id() -> EventId:
    """A new id, for a fact that another fact of the same append refers to."""
    return EventId(new_id())


def expect_unchanged(desk: Desk, kind: str, id: str) -> Expect:
    """Expects that the document is still as it is now when the append happens. Call this before anything is decided
    from the document."""
    return unchanged(kind, id, desk.ledger.document(kind, id))


def record(
    desk: Desk,
    facts: Sequence[Fact],
    expect: Sequence[Expect] = (),
    *,
    after: Head | None = None,
    first: CloseFileFirst | None = None,
) -> Appended:
    """Masks the facts, appends them in one commit, and writes the transaction files that this changed.

    `expect`: documents that must be unchanged, else it raises `Conflict`. `after`: the head that the chain must still
    have, else it raises `Moved`. `first`: the change of a transaction's file that is written before the commit. With
    `first`, `after` is not looked at. Nothing is recorded if it raises."""
    stamp = moment.stamp(desk.now())
    drafts = [_masked_draft(desk, fact, stamp) for fact in facts]
    if first:
        appended = _shut_and_append(desk, drafts, expect, first=first)
    else:
        appended = _append_and_show(desk, drafts, expect, after=after)
    if appended.changes:
        desk.cached_attribution = None
    desk.wrote()
    if not unverified_claims.KINDS.isdisjoint(fact.kind for fact in facts):
        desk.claims_changed = True
    return appended


def _append_and_show(desk: Desk, drafts: list[Draft], expect: Sequence[Expect], *, after: Head | None) -> Appended:
    is_transition = any(draft.kind.startswith("transaction.") for draft in drafts)
    reserved = transaction_file.reserve(desk.folder) if is_transition else None
    try:
        appended = desk.ledger.append(drafts, expect, after)
    except BaseException:
        if reserved:
            reserved.release()
        raise
    write_views(desk, appended, reserved)
    return appended


def _shut_and_append(desk: Desk, drafts: list[Draft], expect: Sequence[Expect], *, first: CloseFileFirst) -> Appended:
    """Writes the file, then appends, while nobody else writes a transaction file. If the append fails, the file shows
    the ledger's state again."""
    with FolderLock(desk.folder):
        reserved = transaction_file.reserve(desk.folder)
        try:
            if _if_its_file_shows_it(desk, first.transaction.id):
                if first.shown_as:
                    transaction_file.write(desk.folder, first.shown_as, desk.key)
                else:
                    transaction_file.take_away(desk.folder, first.transaction.suffix)
            appended = _append_and_show(desk, drafts, expect, after=None)
        except PerdureError:
            show(desk, first.transaction.id, reserved)
            raise
        reserved.release()
        return appended


def _masked_draft(desk: Desk, fact: Fact, stamp: moment.Stamp) -> Draft:
    """The draft of what a person or an agent did."""
    payload, event_id, stamp = cleaned(p.write(fact.payload)), fact.id or new_event_id(), fact.at or stamp
    return Draft(
        kind=fact.kind,
        payload=fact.finish(payload, event_id, stamp) if fact.finish else payload,
        ts=stamp,
        project_id=desk.identity.id,
        schema=p.KINDS[fact.kind][1],
        session_id=fact.session_id,
        transaction_id=fact.transaction_id,
        instance_id=fact.instance_id,
        task_id=fact.task_id,
        actor=without_credentials(fact.actor) if fact.actor else desk.actor,
        id=event_id,
    )


def cleaned(payload: Payload) -> Payload:
    """The payload with credentials masked and what JSON cannot hold replaced. The payload itself notes how often (SPEC
    2.2, 19)."""
    from perdure.masking import mask_json  # imported only when something is written

    whole, replaced = storable(payload)
    masked, hidden = mask_json(whole)
    assert isinstance(masked, dict)
    if replaced:
        masked = {**masked, "$replaced": replaced}
    if hidden:
        masked = {**masked, "$masked": hidden}
    return masked


def without_credentials(text: str) -> str:
    """A text that is not in a payload, with credentials masked: who acted, a reason in a file of the home."""
    from perdure.masking import mask_text

    return mask_text(text)[0]


def refuse_credential(text: str, what: str) -> str:
    """Returns the text; refuses one that looks like a credential, for a place where it would not be masked. Ids in the
    envelope of an event are never masked or erased."""
    from perdure.masking import mask_text

    if mask_text(text)[1]:
        raise BadInput("bad_id", f"{what} looks like a credential. Nothing was written.", hint="Give the id itself.")
    return text


def write_views(desk: Desk, appended: Appended, reserved: ReservedSpace | None) -> None:
    """Writes the transaction files of what changed. This comes after the append: a crash before it leaves the old file,
    which does not exist when a transaction opens, and the gate denies (SPEC 4.1). One writer at a time writes what the
    ledger says then, so that a slow writer cannot put an old state back."""
    changed = {c.id for c in appended.changes if isinstance(c, Document) and isinstance(c.body, Transaction)}
    if reserved and not changed:
        reserved.release()
    for transaction_id in changed:
        try:
            show(desk, transaction_id, reserved)
        except Trouble:
            if reserved:
                raise
            # No state changed, only the time of the last touch is old; `status` reports the old file.
        reserved = None


def show(desk: Desk, transaction_id: str, reserved: ReservedSpace | None = None) -> None:
    """Writes the transaction's file as the ledger has it now."""
    with FolderLock(desk.folder):
        now = _if_its_file_shows_it(desk, transaction_id)
        if now is None:
            if reserved:
                reserved.release()
        elif reserved:
            transaction_file.write_into(reserved, desk.folder, now, key=desk.key)
        else:
            transaction_file.write(desk.folder, now, desk.key)


def _if_its_file_shows_it(desk: Desk, transaction_id: str) -> Transaction | None:
    """The transaction, if its file shows it, and not a later one: an instance's transactions use the same file one
    after another."""
    found = desk.ledger.document("transaction", transaction_id)
    if found is None or not isinstance(found.body, Transaction):
        return None
    owner = desk.ledger.document("file", found.body.suffix)
    is_shown = owner and isinstance(owner.body, FileOwner) and owner.body.transaction_id == transaction_id
    return found.body if is_shown else None


def shown_transactions(ledger: ReadableLedger) -> dict[str, Transaction]:
    """Open transactions and the last closed ones, by the suffix of their file."""
    owners = [
        *ledger.documents("file", live=True),
        *ledger.documents("file", live=False, limit=transaction_file.KEPT_CLOSED),
    ]
    found: dict[str, Transaction] = {}
    for owner in owners:
        if isinstance(owner.body, FileOwner):
            document = ledger.document("transaction", owner.body.transaction_id)
            if document and isinstance(document.body, Transaction):
                found[owner.id] = document.body
    return found


# -- the ledger's own events --------------------------------------------------------------------------------------


def draft(desk: Desk, kind: str, payload: Payload) -> Draft:
    """An event without session or transaction, about the ledger or the project. The payload must hold no words of a
    person or an agent: it is not masked."""
    return draft_for(desk.resolved, desk.identity, kind, payload=payload, actor=desk.actor)


def draft_for(
    resolved: ResolvedRequest, identity: Identity, kind: str, *, payload: Payload, actor: str = USER
) -> Draft:
    """Like `draft`, for a ledger that is not open yet."""
    return Draft(
        kind=kind,
        payload=payload,
        ts=moment.stamp(resolved.request.now()),
        project_id=identity.id,
        schema=p.KINDS[kind][1],
        actor=actor,
    )
