"""What was known of a project before it was healed, and no event names afterwards (SPEC 16.3).

If the end of a chain is cut in the ledger and in its backup, and the seal is gone, no event shows that anything is
missing. But the state still has the goals, transactions, sessions and tasks of that end, and a transaction file names
its transaction. Such a loss is said once.

The pointers in `~/.perdure/held` do not count: they are written before the transaction is recorded, so after a crash
one may name a transaction that was never opened.

    known = before(resolved, root)
    lost = newly_lost(desk.ledger, known)
"""

from __future__ import annotations

import os
from contextlib import closing

from perdure.actions import backup, wiring
from perdure.actions.ledger_origin import is_own_ledger, is_replaced, ledger_path
from perdure.errors import PerdureError
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import is_uuid, short, shown
from perdure.model.value import value
from perdure.place import project
from perdure.proof.fsck import UNREADABLE
from perdure.views import backup_seals, transaction_file
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.request import ResolvedRequest
    from perdure.ledger.port import AuditedLedger, ReadableLedger

_KINDS = ("goal", "transaction", "session", "task")
_NEVER_SEALED = 1 << 62
"""Later than any event: how old a transaction file is, is not known."""


@value
class _Source:
    who: str
    clock: int
    """The clock of the event that changed it last."""


@value
class KnownBefore:
    documents: dict[tuple[str, str], _Source]
    """By kind and id."""
    sealed: tuple[Ref, str] | None
    """The last event that this home backed up of the chain that was written to, and its hash."""


def before(resolved: ResolvedRequest, root: str) -> KnownBefore:
    found = dict(_in_state(resolved, root))
    for transaction_id in _in_files(resolved, root):
        found.setdefault(("transaction", transaction_id), _Source("its transaction file", _NEVER_SEALED))
    return KnownBefore(found, _sealed(resolved, root))


def newly_lost(ledger: ReadableLedger, known: KnownBefore) -> list[str]:
    """One sentence for each that is lost and that no earlier healing named. What the state says of a time up to the
    seal of the backup is not lost if the sealed event is here: somebody wrote it into the state."""
    missing = [key for key in known.documents if ledger.document(*key) is None]
    proved = _proved_clock(ledger, known) if missing else 0
    lost = {f"{kind} {_name(id_)}": known.documents[kind, id_] for kind, id_ in missing}
    lost = {what: source for what, source in lost.items() if source.clock > proved}
    if not lost:
        return []
    said = {each.partition(":")[0] for each in recorded(ledger)}
    return [f"{what}: {lost[what].who} knew it, and no event names it" for what in sorted(lost) if what not in said]


def _name(id_: str) -> str:
    """A task of another tool, or a damaged row, may have any text as its id."""
    return short(id_) if is_uuid(id_) else shown(id_).replace(":", "?")


def _proved_clock(ledger: ReadableLedger, known: KnownBefore) -> int:
    """Up to which time the ledger is proved to have every event."""
    sealed = ledger.event(known.sealed[0]) if known.sealed else None
    return sealed.clock if known.sealed and sealed and sealed.hash == known.sealed[1] else 0


def _sealed(resolved: ResolvedRequest, root: str) -> tuple[Ref, str] | None:
    entry, folder = resolved.registry.at(root), project.folder_of(root)
    if entry is None or not entry.ledgers or not os.path.isdir(folder):
        return None
    chain, kept = entry.ledgers[0], backup.folder_for(resolved.home, entry.project_id)
    seal = backup_seals.read(kept, chain, existing_key(resolved.home, folder))
    return (Ref(chain, seal.seq), seal.hash) if seal else None


def _in_state(resolved: ResolvedRequest, root: str) -> Iterator[tuple[tuple[str, str], _Source]]:
    """What the state knows of a ledger that this home wrote and nobody replaced, as far as it can be read."""
    if not os.path.exists(ledger_path(root)):
        return
    try:
        with closing(wiring.STORE.open_audited(ledger_path(root))) as ledger:
            if not is_replaced(resolved, root, ledger) and is_own_ledger(resolved, root, ledger):
                yield from _documents(ledger)
    except (PerdureError, *UNREADABLE):  # damaged, which the audit says
        return


def _documents(ledger: AuditedLedger) -> Iterator[tuple[tuple[str, str], _Source]]:
    for kind in _KINDS:
        try:
            found = ledger.documents(kind)
        except (PerdureError, *UNREADABLE):
            continue
        yield from (((kind, each.id), _Source("the state", each.clock)) for each in found)


def _in_files(resolved: ResolvedRequest, root: str) -> Iterator[str]:
    """Files that this home wrote after it had recorded the transaction: the digest in them is keyed."""
    folder = project.folder_of(root)
    key = existing_key(resolved.home, folder) if os.path.isdir(folder) else None
    for suffix in transaction_file.suffixes_on_disk(folder):
        try:
            shown_there = transaction_file.read(folder, suffix, key)
        except PerdureError:
            continue
        if shown_there:
            yield shown_there.transaction_id


def recorded(ledger: ReadableLedger) -> set[str]:
    """Every loss that a `heal` has recorded."""
    healed = (p.read(event, p.LedgerHealed) for event in ledger.latest(["ledger.healed"], ALL_EVENTS))
    return {each for healing in healed if healing for each in healing.lost}
