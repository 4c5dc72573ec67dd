"""The one way into the ledger: what is recorded is masked, made storable, appended, and its views are written.

A test reads the source and holds that nothing outside this file and `wiring` appends.
"""

from __future__ import annotations

from perdure.errors import BadInput
from perdure.masking import mask_json
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import Draft
from perdure.model.ids import EventId, TaskId, new_id
from perdure.model.state import Document, Transaction
from perdure.model.value import replace, value
from perdure.proof.canonical import canonical, storable
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.wiring import Desk
    from perdure.ledger.port import Appended, Expect
    from perdure.model.event import Payload
    from perdure.model.ids import InstanceId, SessionId, TransactionId

LARGEST_PAYLOAD = 1 << 20


@value
class Fact:
    """Something that happened, in the words of the model; `record` knows who and where."""

    kind: str
    payload: object
    session_id: SessionId | None = None
    transaction_id: TransactionId | None = None
    instance_id: InstanceId | None = None
    task_id: TaskId | None = None
    id: EventId | None = None


def new_event_id() -> EventId:
    """Where one fact names another of the same append, its id is chosen beforehand."""
    return EventId(new_id())


def record(desk: Desk, facts: Sequence[Fact], expect: Sequence[Expect] = ()) -> Appended:
    stamp = moment.stamp(desk.now())
    appended = desk.ledger.append([_draft(desk, fact, stamp) for fact in facts], expect)
    write_views(desk, appended)
    desk.wrote()
    return appended


def _draft(desk: Desk, fact: Fact, stamp: moment.Stamp) -> Draft:
    return Draft(
        fact.kind,
        cleaned(p.write(fact.payload)),
        stamp,
        desk.who.id,
        p.KINDS[fact.kind][1],
        fact.session_id,
        fact.transaction_id,
        fact.instance_id,
        fact.task_id,
        desk.actor,
        fact.id,
    )


def cleaned(payload: Payload) -> Payload:
    """Credentials masked, what JSON cannot carry replaced; how often is noted in the payload itself (SPEC 2.2, 19)."""
    whole, replaced = storable(payload)
    masked, hidden = mask_json(whole)
    assert isinstance(masked, dict)
    if replaced:
        masked = {**masked, "$replaced": replaced}
    if hidden:
        masked = {**masked, "$masked": hidden}
    if len(canonical(masked)) > LARGEST_PAYLOAD:
        raise BadInput(
            "too_large",
            f"That is more than the {LARGEST_PAYLOAD // 1024} KiB one event may hold. Nothing was written.",
            hint="Keep the file where it is and record its path.",
        )
    return masked


def write_views(desk: Desk, appended: Appended) -> None:
    """The transaction files of what changed. They come after the ledger: a crash before this leaves the old file,
    which for an opening is none, and denies (SPEC 4.1)."""
    latest: dict[str, Transaction] = {}
    for change in appended.changes:
        if isinstance(change, Document) and isinstance(change.body, Transaction):
            latest[change.id] = change.body
    for transaction in latest.values():
        transaction_file.write(desk.folder, transaction, desk.key)


def close_file_first(desk: Desk, transaction: Transaction) -> None:
    """Closing writes the file before the ledger (SPEC 4.1). What it says is provisional; `record` writes it again."""
    transaction_file.write(desk.folder, replace(transaction, status="closed"), desk.key)
