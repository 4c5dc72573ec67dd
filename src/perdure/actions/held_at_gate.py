"""What the gate sees of the transaction that an instance holds, in words, for whoever shows it: `status`,
`transaction status` and the brief. They say the same as the gate, because both ask `gating.state_from_file`.

    warning(desk, held, state_at_gate(desk, held))     # "" if the gate sees the transaction as the ledger has it
"""

from __future__ import annotations

from perdure.actions import gating
from perdure.actions.advice import as_typed
from perdure.actions.ledger_origin import why_put_back
from perdure.gate import policy
from perdure.views import damage, transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.holdings import Held
    from perdure.actions.wiring import Desk
    from perdure.gate.policy import TransactionState


def state_at_gate(desk: Desk, held: Held | None) -> TransactionState:
    """What the gate sees for the holder of this transaction; without one, for the instance of the place."""
    instance_id = held.transaction.instance_id if held else desk.place.instance_id
    floor = gating.floor_of(desk.settings)
    return gating.state_from_file(desk.resolved.home, desk.root, instance_id, floor=floor)


def is_denied(desk: Desk, held: Held | None, state: TransactionState) -> bool:
    """Whether the gate denies what the transaction's latest assessment would let pass."""
    if damage.marked(desk.folder):
        return True
    if held is None:
        return False
    return state.transaction != policy.OPEN or (held.transaction.passes and not state.passes)


def of_ledger(desk: Desk) -> list[str]:
    """What a command or the last `heal` found, and whether the ledger is an older copy, to which nothing is written.
    Nothing is verified here."""
    marked, unhealed, put_back = damage.marked(desk.folder), damage.unhealed(desk.folder), why_put_back(desk)
    said = []
    if marked:
        said.append(f"the ledger is damaged: {marked} The gate will deny. perdure heal repairs it.")
    elif put_back:
        said.append(f"nothing can be recorded: {put_back}")
    if unhealed:
        said.append(f"the last heal could not repair everything: {unhealed}. perdure audit verify says what to do.")
    return said


def warning(desk: Desk, held: Held | None, state: TransactionState) -> str:
    """What is wrong with what the gate sees of this transaction; empty if nothing is."""
    heal, denies = as_typed(desk, "perdure heal"), ""
    if is_denied(desk, held, state):
        denies = "; the gate will deny"
    if state.transaction == policy.PUT_BACK:
        return (
            "the transaction file says that a transaction is open, but the home has no entry for it: it was closed and "
            f"an older copy was put back, or the entry was lost; the gate will deny. {heal} fixes it."
        )
    if state.transaction == policy.UNCONFIRMED:
        check = as_typed(desk, policy.CHECK)
        return (
            "the transaction came back from an older copy, or the home lost its entry for it; the gate will deny until "
            f"a CHECK: {check} ({policy.YOUR_OWN})."
        )
    return _file_warning(desk, held, state, heal=heal, denies=denies) if held else ""


def _file_warning(desk: Desk, held: Held, state: TransactionState, *, heal: str, denies: str) -> str:
    if state.transaction == policy.MOVED or held.transaction.project_path != desk.root:
        was = held.transaction.project_path
        where = was if was != desk.root else "another folder"
        return f"the transaction was recorded when the project was in {where}{denies}. {heal} fixes it."
    if state.transaction == policy.UNWRITABLE:
        return f"nothing can be recorded here: {state.unwritable}{denies}."
    if state.transaction != policy.DAMAGED and not transaction_file.is_current(desk.folder, held.transaction, desk.key):
        name = transaction_file.name_for(held.transaction.suffix)
        return f"{name} does not match the ledger{denies}. {heal} writes it again."
    return ""
