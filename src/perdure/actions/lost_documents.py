"""What was known of a project before it was healed, and no event names afterwards (SPEC 16.3).

If the end of a chain is cut in the ledger and in its backup, and the seal is gone, no event shows that anything is
missing. But the state still has the goals, transactions, sessions and tasks of that end, and the transaction files and
the pointers to held transactions name them too. Such a loss is said.

    known = before(resolved, root)
    lost = after(desk.ledger, known)
"""

from __future__ import annotations

import os
from contextlib import closing

from perdure.actions import wiring
from perdure.actions.ledger_origin import is_own_ledger, is_replaced, ledger_path
from perdure.errors import PerdureError
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.ids import short
from perdure.place import pointers, project
from perdure.proof.fsck import UNREADABLE
from perdure.views import transaction_file
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from perdure.actions.request import ResolvedRequest
    from perdure.ledger.port import AuditedLedger, ReadableLedger

    Known: TypeAlias = dict[tuple[str, str], str]
    """By kind and id: who knew it."""

_KINDS = ("goal", "transaction", "session", "task")


def before(resolved: ResolvedRequest, root: str) -> Known:
    found: Known = {}
    for transaction_id in _held(resolved, root):
        found["transaction", transaction_id] = "the list of held transactions in the home"
    for transaction_id in _in_files(resolved, root):
        found["transaction", transaction_id] = "its transaction file"
    for kind, id_ in _in_state(resolved, root):
        found[kind, id_] = "the state"
    return found


def after(ledger: ReadableLedger, known: Known) -> list[str]:
    """One sentence for each that is lost and that no earlier healing named."""
    missing = [key for key in known if ledger.document(*key) is None]
    if not missing:
        return []
    healed = (p.read(event, p.LedgerHealed) for event in ledger.latest(["ledger.healed"], ALL_EVENTS))
    said = {each for healing in healed if healing for each in healing.lost}
    lost = [f"{kind} {short(id_)}: {known[kind, id_]} knew it, and no event names it" for kind, id_ in missing]
    return sorted(each for each in lost if each not in said)


def _in_state(resolved: ResolvedRequest, root: str) -> Iterator[tuple[str, str]]:
    """Of a ledger that this home wrote and that nobody replaced, as far as it can be read."""
    if not os.path.exists(ledger_path(root)):
        return
    try:
        with closing(wiring.STORE.open_audited(ledger_path(root))) as ledger:
            if not is_replaced(resolved, root, ledger) and is_own_ledger(resolved, root, ledger):
                yield from _documents(ledger)
    except (PerdureError, *UNREADABLE):  # damaged, which the audit says
        return


def _documents(ledger: AuditedLedger) -> Iterator[tuple[str, str]]:
    for kind in _KINDS:
        try:
            found = ledger.documents(kind)
        except (PerdureError, *UNREADABLE):
            continue
        yield from ((kind, document.id) for document in found)


def _in_files(resolved: ResolvedRequest, root: str) -> Iterator[str]:
    """Files that this home wrote: the digest in them is keyed."""
    folder = project.folder_of(root)
    key = existing_key(resolved.home, folder) if os.path.isdir(folder) else None
    for suffix in transaction_file.suffixes_on_disk(folder):
        try:
            shown = transaction_file.read(folder, suffix, key)
        except PerdureError:
            continue
        if shown:
            yield shown.transaction_id


def _held(resolved: ResolvedRequest, root: str) -> Iterator[str]:
    for pointer in pointers.every(resolved.home):
        if pointer.root == root and pointers.is_at(pointer, root):
            yield pointer.transaction_id
