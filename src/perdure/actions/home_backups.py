"""The backups of a project in this home and their seals, for `audit verify` and `heal` (SPEC 14.7, 16.3).

A seal is this home's own word, signed with its key, on how far it backed a chain up.

    HomeBackups(examined, HomeHeads(examined)).last_lines
"""

from __future__ import annotations

from perdure.actions import backup
from perdure.actions.ledger_origin import is_left_to_us, is_shared, other_keeper
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, ProjectId, is_uuid
from perdure.model.value import value
from perdure.place import project
from perdure.proof.fsck import CHOOSE_BACKUP_OR_LEDGER, AuditFinding, Check, LastOutside, NamedLedger
from perdure.views import backup_seals, event_files, own_ledgers
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.actions.examined_project import ExaminedProject
    from perdure.actions.home_heads import HomeHeads
    from perdure.actions.store_statements import StoreStatements
    from perdure.model.event import Event
    from perdure.views.backup_seals import Seal


@value
class _Extent:
    """How far a chain was backed up, as different sources say. 0 where a source says nothing."""

    length: int
    """How many events the chain has in the store."""
    backed_up: int
    """The last event in the backup."""
    sealed: int
    """The last event that a seal of this home covers."""
    signed: int
    """The last event that a head signed here covers."""
    imported: int
    """The last event that must be in the backup, because the seal of our own chain covers its import."""


class HomeBackups:
    def __init__(self, examined: ExaminedProject, heads: HomeHeads) -> None:
        self._examined = examined
        self._heads = heads
        self._folders = {backup.folder_for(examined.home, ProjectId(id_)) for id_ in (*examined.ids, *heads.folders)}
        self._kept_here = heads.own_chains | {
            ledger_id for ledger_id in examined.chains if is_uuid(ledger_id) and not self._is_kept_elsewhere(ledger_id)
        }
        """The chains whose backup belongs to this project."""
        imported = self._kept_here - heads.own_chains
        self.shared = {i for i in imported if is_shared(examined.resolved, examined.root, LedgerId(i))}
        """Imported chains that another project of this home has too."""
        self.last_lines = [last for folder in self._folders for last in self._last_lines_in(folder)]
        self.seals = list(self._seals_beyond_backup())
        self.too_short = list(self._too_short(examined.statements)) if examined.statements else []
        """Check 7 of docs/audit.md."""

    def copies(self) -> dict[str, Iterator[bytes]]:
        """The lines of the backups of the chains that are backed up here."""
        found = {}
        for folder in self._folders:
            for ledger_id in (i for i in event_files.ledgers_in(folder) if i in self._kept_here):
                found[str(ledger_id)] = event_files.lines(folder, ledger_id)
        return found

    def withheld_but_backed_up(self, withheld: Iterable[Ref]) -> Iterator[AuditFinding]:
        """Check 2 of docs/audit.md: payloads that are marked as withheld by another store, although the backup shows
        that this store had them."""
        asked = set(withheld)
        for ledger_id in {ref.ledger_id for ref in asked}:
            for folder in self._folders:
                kept = event_files.read(folder, ledger_id) if event_files.last(folder, ledger_id) else ()
                for event in kept:
                    if event.payload is not None and Ref(ledger_id, event.seq) in asked:
                        what = "its payload is gone as if it had been withheld, and the backup has it"
                        yield AuditFinding(
                            check=Check.GONE_PAYLOADS,
                            what=what,
                            ledger_id=ledger_id,
                            seq=event.seq,
                            event_id=event.id,
                            time=event.ts,
                        )

    def _is_kept_elsewhere(self, ledger_id: LedgerId) -> bool:
        """The backup of the chain belongs to another project of this home."""
        return other_keeper(self._examined.resolved, self._examined.root, ledger_id) is not None

    def _last_lines_in(self, folder: str) -> Iterator[LastOutside]:
        """The last line in the backup of each chain that is here. If another clone on this machine writes to the chain,
        its backup may be longer than the chain is here."""
        for ledger_id in self._examined.chains:
            last = event_files.last(folder, ledger_id) if is_uuid(ledger_id) else None
            if last:
                yield LastOutside(
                    ledger_id=ledger_id,
                    seq=last.seq,
                    hash=last.hash,
                    event_id=last.id,
                    time=last.ts,
                    binds=ledger_id in self._heads.own_chains or self._is_missed_here(folder, ledger_id, last),
                )

    def _is_missed_here(self, folder: str, ledger_id: LedgerId, last: Event) -> bool:
        """Whether `heal` would take in what the backup has of this chain and the ledger lacks: the other folders that
        had it are gone, and the seal proves it."""
        key = existing_key(self._examined.home, project.folder_of(self._examined.root))
        seal = backup_seals.read(folder, ledger_id, key)
        is_proved = seal is not None and (seal.seq, seal.hash) == (last.seq, last.hash)
        examined = self._examined
        return is_proved and is_left_to_us(examined.resolved, examined.root, examined.ids, ledger_id=ledger_id)

    def _seals_beyond_backup(self) -> Iterator[NamedLedger]:
        """What this home sealed of each chain that this store was the last to write, where the backup's last line does
        not say the same, or where only the seal is left of it. A chain that another clone writes to may be longer there
        than here."""
        backed_up = {(last.ledger_id, last.seq, last.hash) for last in self.last_lines}
        own = [i for i in self._examined.chains if is_uuid(i) and self._wrote_last(i)]
        key = existing_key(self._examined.home, project.folder_of(self._examined.root))
        for folder in self._folders:
            for ledger_id in own:
                seal = backup_seals.read(folder, ledger_id, key)
                digest = backup_seals.digest_of(ledger_id, seal) if seal else ""
                is_told = seal and (ledger_id, seal.seq, seal.hash) in backed_up
                if seal and not is_told and digest not in self._heads.accepted:
                    yield NamedLedger(
                        ledger_id=ledger_id,
                        seq=seal.seq,
                        hash=seal.hash,
                        where="the seal of its backup",
                        digest=digest,
                        check=Check.BACKUP,
                    )

    def _wrote_last(self, ledger_id: LedgerId) -> bool:
        """Also a chain that this store wrote before it went on in a new one."""
        if ledger_id in self._heads.own_chains:
            return True
        here = own_ledgers.name_of(project.folder_of(self._examined.root))
        is_last = own_ledgers.folders(self._examined.home, ledger_id)[-1:] == [here]
        return is_last and not self._is_kept_elsewhere(ledger_id)

    def _too_short(self, statements: StoreStatements) -> Iterator[AuditFinding]:
        """Backups that end before what this home knows it backed up. A backup that is merely behind, because nobody has
        written it since, is not a finding."""
        for ledger_id in (i for i in self._examined.chains if i in self._kept_here and is_uuid(i)):
            imported = self._backed_up_with_import(ledger_id, statements)
            what = self._shortfall(ledger_id, statements.lengths[ledger_id], imported)
            if what:
                yield AuditFinding(Check.BACKUP, what, ledger_id, after_heal=CHOOSE_BACKUP_OR_LEDGER)

    def _backed_up_with_import(self, ledger_id: LedgerId, statements: StoreStatements) -> int:
        """Up to which event the backup of an imported chain must go, because the seal of our own chain covers the event
        that imported it."""
        sealed = self._sealed_size(statements.chains[0])
        imports = statements.imports.get(ledger_id, ())
        return max((upto for seq, upto in imports if seq <= sealed), default=0)

    def _shortfall(self, ledger_id: LedgerId, length: int, imported: int) -> str:
        """What the backup of a chain lacks; empty if nothing."""
        sealed = self._sealed_size(ledger_id)  # first: a backup's lines are written before its seal
        lasts = [event_files.last(folder, ledger_id) for folder in self._folders]
        extent = _Extent(
            length=length,
            backed_up=max((last.seq for last in lasts if last), default=0),
            sealed=sealed,
            signed=self._heads.signed_size(ledger_id),
            imported=imported,
        )
        return _ends_early(extent) or self._lacks_backup_or_seal(ledger_id, extent)

    def _lacks_backup_or_seal(self, ledger_id: LedgerId, extent: _Extent) -> str:
        was_backed_up_here = extent.imported or own_ledgers.was_begun(self._examined.home, ledger_id)
        if extent.sealed or not was_backed_up_here:
            return ""
        if not extent.backed_up:
            return "there is no backup of it" if extent.length > 1 or extent.imported else ""
        if self._sealed_size(ledger_id):  # asked again: a seal may have been made while we looked
            return ""
        return "the backup has no seal of this home: nothing proves what it says"

    def _sealed_size(self, ledger_id: LedgerId) -> int:
        return max((seal.seq for seal in self._seals_of(ledger_id)), default=0)

    def _seals_of(self, ledger_id: LedgerId) -> Iterator[Seal]:
        key = existing_key(self._examined.home, project.folder_of(self._examined.root))
        for folder in self._folders:
            seal = backup_seals.read(folder, ledger_id, key)
            if seal:
                yield seal


def _ends_early(extent: _Extent) -> str:
    """Why the backup must be longer than it is. What the store itself has lost is found by other checks."""
    ends = f"the backup ends after event {extent.backed_up:,}"
    if extent.backed_up < min(extent.sealed, extent.length):
        return f"{ends}, and this home sealed it up to event {extent.sealed:,}"
    if not extent.sealed and extent.backed_up < min(extent.signed, extent.length):
        return f"{ends}, has no seal, and {extent.signed:,} events were signed"
    if 0 < extent.backed_up < min(extent.imported, extent.length):
        return f"{ends}, and was written up to event {extent.imported:,}"
    return ""
