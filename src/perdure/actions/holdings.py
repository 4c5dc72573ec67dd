"""Who holds which transaction: this instance, in any project, and other instances, in the current project (SPEC 3.1,
3.4, 4.6).

What an instance holds here is its `holding` document in this ledger (`attribution.own_open_transaction`). What it
holds in other projects is found through pointers (`place/transaction_pointers.py`); only the ledger there decides
whether it is true. The gate does not use this module; it asks `place/transaction_pointers.py` itself.
"""

from __future__ import annotations

import os

from perdure.actions import goals, other_repository
from perdure.actions.advice import as_typed
from perdure.actions.attribution import own_open_transaction
from perdure.actions.sessions import holder_of
from perdure.actions.wiring import open_desk_at
from perdure.errors import PerdureError
from perdure.model.ids import InstanceId, TransactionId, short
from perdure.model.moment import HOUR, seconds_between
from perdure.model.shell_quote import quote
from perdure.model.state import Transaction, body_as
from perdure.model.value import value
from perdure.place import project, transaction_pointers
from perdure.place.liveness import is_living
from perdure.place.seat import nobody
from perdure.settings import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.place.transaction_pointers import TransactionPointer


@value
class Held:
    """A transaction, and whether its holder is alive."""

    transaction: Transaction
    alive: bool | None
    """None if that cannot be known, as for a CI job."""
    orphaned: bool
    mine: bool
    age_seconds: float
    goal: str | None = None
    goal_id: str | None = None
    """The goal that it was opened for: named by PREFLIGHT, or the first prompt of the lineage that opened it."""
    other_ledger: str | None = None
    """The ledger of the other machine on which it was opened. It stays there: nobody here holds or adopts it. A person
    may end it here."""
    works_at: str = ""
    """The pane or terminal in which its holder worked last; that need not be where it was opened."""
    adopted_by: str = ""
    """The command that takes it over, as it is typed here."""
    ended_by: str = ""
    """Only for one that was imported: the command by which a person ends it here."""

    @property
    def is_left_behind(self) -> bool:
        """Whether its holder is certainly gone. Only then may another instance be told how to take it (SPEC 3.1)."""
        return self.orphaned and self.alive is False


def held(desk: Desk, transaction: Transaction) -> Held:
    holder = holder_of(desk.ledger.document("instance", transaction.instance_id))
    is_nobodys = transaction.instance_id == nobody(desk.identity.id)
    alive: bool | None = False if is_nobodys else is_living(holder, desk.around, desk.root)
    still = desk.now() - transaction.updated_at >= desk.number("transaction.orphan_hours") * HOUR
    orphaned = transaction.status == "open" and (alive is False or still)
    age = seconds_between(transaction.opened_at, transaction.closed_at or desk.now())
    is_mine, goal = transaction.instance_id == desk.seat.instance_id, goals.of_transaction(desk, transaction)
    return Held(
        transaction=transaction,
        alive=alive,
        orphaned=orphaned,
        mine=is_mine,
        age_seconds=age,
        goal=goal.title if goal else None,
        goal_id=goal.id if goal else None,
        works_at=holder.tmux_key or holder.tty_key or "",
        adopted_by=as_typed(desk, f"perdure transaction adopt {short(transaction.id)}"),
    )


# -- in other projects ---------------------------------------------------------------------------------------------


@value
class Unreadable:
    """A pointer to a transaction whose ledger cannot be read: it may still be open."""

    transaction_id: TransactionId
    root: str
    why: str
    way_out: str
    is_gone: bool
    """Even its folder is missing: it was moved, or deleted for good."""

    @property
    def what(self) -> str:
        name = f"transaction {short(self.transaction_id)} of this pane may still be open in {self.root}"
        return f"{name}, which cannot be read ({self.why.rstrip('.')})."

    @property
    def words(self) -> str:
        return f"{self.what} {self.way_out}"


@value
class Elsewhere:
    """What one instance holds in projects other than the current one, newest first."""

    open: tuple[Held, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()


def elsewhere(resolved: ResolvedRequest, instance_id: InstanceId, here: str | None) -> Elsewhere:
    """`here`: the root that is left out."""
    roots = [entry.path for entry in resolved.registry.entries() if entry.path != here]
    open_ones, unreadable = [], []
    for pointer in transaction_pointers.pointers_of(resolved.home, instance_id, roots):
        is_here = pointer.root == here and transaction_pointers.is_at(pointer, here)
        found = _follow(resolved, pointer, here) if not is_here else None
        if isinstance(found, Held):
            open_ones.append(found)
        elif found:
            unreadable.append(found)
    return Elsewhere(tuple(open_ones), tuple(unreadable))


def _follow(resolved: ResolvedRequest, pointer: TransactionPointer, here: str | None) -> Held | Unreadable | None:
    trouble: Unreadable | None = None
    for root in transaction_pointers.whereabouts(pointer, resolved.registry, here):
        try:
            with open_desk_at(resolved, root, writable=False) as there:
                own = own_open_transaction(there)
                if own and own.id == pointer.transaction_id:
                    return held(there, own) if root != here else None
        except PerdureError as error:
            if not transaction_pointers.is_at(pointer, root):
                continue  # another project, which is damaged: that concerns whoever works there
            heal = f"perdure heal --project-path {quote(root)}"
            trouble = Unreadable(
                transaction_id=pointer.transaction_id, root=root, why=error.message, way_out=heal, is_gone=False
            )
    return trouble or _without_project(resolved, pointer)


def _without_project(resolved: ResolvedRequest, pointer: TransactionPointer) -> Unreadable | None:
    """None if the ledger says that this instance does not hold it any more, or if the folder has been gone for so long
    that it is not worth a message."""
    root, age = pointer.root, resolved.request.now() - pointer.written_at
    if transaction_pointers.is_at(pointer, root):
        if age > HOUR:  # a PREFLIGHT under way writes the pointer before it opens the transaction
            transaction_pointers.drop(
                resolved.home, root, pointer.instance_id, transaction_id=pointer.transaction_id, key=None
            )
        return None
    is_replaced = project.is_project(root)
    if os.path.isdir(root) and not is_replaced:
        why, way_out = f"{project.folder_of(root)} is gone", other_repository.way_back_to(resolved, root).rstrip(".")
        return Unreadable(transaction_id=pointer.transaction_id, root=root, why=why, way_out=way_out, is_gone=False)
    hours = load(resolved.home, None, resolved.request.environment)["transaction.orphan_hours"].value
    if isinstance(hours, int | float) and age > hours * HOUR:
        return None
    why, forgotten_by = f"{root} is gone", quote(root)
    if is_replaced:  # that path names the other project
        why, forgotten_by = "another project is there now", short(pointer.project_id)
    way_out = (
        "If the project was moved: perdure project switch NEW_PATH. If it was cloned again: perdure init in the clone "
        f"brings its record back. If it was deleted for good, a person runs perdure project forget {forgotten_by}"
    )
    return Unreadable(transaction_id=pointer.transaction_id, root=root, why=why, way_out=way_out, is_gone=True)


# -- pointing ------------------------------------------------------------------------------------------------------


def point_to(desk: Desk, instance_id: InstanceId, transaction_id: TransactionId, *, is_shut: bool) -> None:
    """Writes the pointer by which the instance finds that transaction from anywhere. Without it the gate does not
    believe the transaction's file. `is_shut`: the latest assessment does not pass the gate."""
    if _pointer_says(desk, instance_id, transaction_id) != (
        transaction_pointers.SHUT if is_shut else transaction_pointers.OPENS
    ):
        pointer = transaction_pointers.TransactionPointer(
            instance_id=instance_id,
            transaction_id=transaction_id,
            root=desk.root,
            project_id=desk.identity.id,
            written_at=desk.now(),
            is_shut=is_shut,
        )
        transaction_pointers.add(desk.resolved.home, pointer, desk.key)


def point_again(desk: Desk) -> list[str]:
    """Compares the home's pointers with the ledger; returns what was changed. A pointer that is missing is written so
    that the gate stays shut until a CHECK: the home lost it, or the ledger is an older copy and the transaction was
    closed since (docs/adr/0051). A pointer to a transaction that was closed in this folder is removed."""
    taken = desk.take_over_pointers()
    changed = [f"the entry for transaction {short(each)} moved from the project into the home" for each in taken]
    for document in desk.ledger.documents("transaction", live=True):
        each = body_as(document, Transaction)
        if each and each.project_path == desk.root and _pointer_says(desk, each.instance_id, each.id) is None:
            point_to(desk, each.instance_id, each.id, is_shut=True)
            check = as_typed(desk, "perdure check")
            changed.append(f"the home had no entry for transaction {short(each.id)}: its gate opens after {check}")
    for pointer in transaction_pointers.all_pointers(desk.resolved.home):
        closed = body_as(desk.ledger.document("transaction", pointer.transaction_id), Transaction)
        if pointer.root == desk.root and closed and closed.status == "closed":
            stop_pointing(desk, pointer.instance_id, pointer.transaction_id)
            changed.append(f"the home's entry for transaction {short(pointer.transaction_id)} removed: it is closed")
    return changed


def _pointer_says(desk: Desk, instance_id: InstanceId, transaction_id: TransactionId) -> str | None:
    return transaction_pointers.says_to_gate(
        desk.resolved.home, desk.root, instance_id, transaction_id=transaction_id, key=desk.key
    )


def stop_pointing(desk: Desk, instance_id: InstanceId, transaction_id: TransactionId) -> None:
    transaction_pointers.drop(desk.resolved.home, desk.root, instance_id, transaction_id=transaction_id, key=desk.key)
