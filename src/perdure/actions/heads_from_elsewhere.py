"""Whether a head that this home signed in another folder still binds in the one that is examined (docs/adr/0052).

A project that is moved takes its record along, and with it what was signed. A clone that is made after the folder of
the project is gone takes its place. So such a head binds if its chain belongs to this project, unless another folder
still has the events that it covers. A copy is not accused of lacking what its original had and the backup still has.

The reverse holds too: a head that was signed in this folder follows its ledger if that is in another folder now.

A head from a folder that this home does not know on this machine does not bind: on another machine the chain may go on.

    HeadsFromElsewhere(examined).binds(head.tree_head)
"""

from __future__ import annotations

import os
from contextlib import closing

from perdure.actions import backup, wiring
from perdure.actions.ledger_origin import is_same_repository, ledger_path
from perdure.actions.store_statements import wrote_chain
from perdure.errors import PerdureError
from perdure.model.ids import LedgerId, is_uuid
from perdure.place import project, same_repository
from perdure.proof import signed_note
from perdure.proof.fsck import UNREADABLE
from perdure.views import backup_seals, event_files, head_files, own_ledgers
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.examined_project import ExaminedProject
    from perdure.model.ids import ProjectId
    from perdure.proof.signed_note import TreeHead


class HeadsFromElsewhere:
    """Remembers what it found about each chain, since there may be thousands of heads."""

    def __init__(self, examined: ExaminedProject) -> None:
        self._examined = examined
        self._found: dict[LedgerId, _ChainElsewhere | None] = {}
        self._written_elsewhere: dict[LedgerId, int] = {}

    def binds(self, tree_head: TreeHead) -> bool:
        if not is_uuid(tree_head.ledger_id):
            return False
        chain = LedgerId(tree_head.ledger_id)
        if chain not in self._found:
            self._found[chain] = _ChainElsewhere(self._examined, chain) if self._belongs_here(chain) else None
        found = self._found[chain]
        return found is not None and tree_head.place in found.places and tree_head.size > found.kept

    def has_left(self, chain: str, size: int = 1) -> bool:
        """Whether the ledger that wrote this chain in this folder is in another folder now, with at least so many of
        its events. Two folders were exchanged, or a copy was put where another project was before. The ledger here has
        the chain only as a copy, or not at all."""
        statements = self._examined.statements
        if not statements or not is_uuid(chain):
            return False
        if chain in statements.chains and chain not in statements.copied:
            return False
        if chain not in self._written_elsewhere:
            others = _roots_of(self._examined, LedgerId(chain)) - _names_of(self._examined.root)
            lengths = (_length_in(root, LedgerId(chain), is_writer=True) for root in others)
            self._written_elsewhere[LedgerId(chain)] = max(lengths, default=0)
        return size <= self._written_elsewhere[LedgerId(chain)]

    def _belongs_here(self, chain: LedgerId) -> bool:
        """If there is a store, it says so: the chain is one of its own, or it was begun because a record was lost. Else
        the chain belongs to the project whose id is here, unless this home knows the folder with other chains."""
        statements, entry = self._examined.statements, self._examined.entry
        if statements and chain in statements.chains:
            return chain in statements.own
        if statements and not statements.is_begun_after_loss:
            return False
        if not statements and entry and chain not in entry.ledgers:
            return False
        ids = [id_ for id_ in self._examined.ids if self._has_heads(id_, chain)]
        return any(map(self._may_be_same_repository, ids))

    def _has_heads(self, project_id: ProjectId, chain: LedgerId) -> bool:
        return chain in head_files.ledgers_in(head_files.folder_for(self._examined.home, project_id))

    def _may_be_same_repository(self, project_id: ProjectId) -> bool:
        """Also if the home lost what it knew of the repository, with the backups."""
        folder = backup.folder_for(self._examined.home, project_id)
        return not same_repository.every(folder) or is_same_repository(
            self._examined.resolved, self._examined.root, project_id
        )


class _ChainElsewhere:
    """Where else a chain was written on this machine, and how much of it is still there."""

    def __init__(self, examined: ExaminedProject, chain: LedgerId) -> None:
        roots = _roots_of(examined, chain)
        self.places = {signed_note.place_of(examined.origin.machine, root) for root in roots}
        """As signed heads name them."""
        others = roots - _names_of(examined.root)
        self.kept = max((_length_in(root, chain) for root in others), default=0)
        """How many of its events another folder has, or the backup, if this store was not the last to write it."""
        if not examined.statements or chain not in examined.statements.own - examined.statements.copied:
            self.kept = max(self.kept, _backed_up(examined, chain))


def _roots_of(examined: ExaminedProject, chain: LedgerId) -> set[str]:
    """Where this home knows the chain."""
    began = {os.path.dirname(folder) for folder in own_ledgers.folders(examined.home, chain)}
    return began | {entry.path for entry in examined.resolved.registry.entries() if chain in entry.ledgers}


def _names_of(root: str) -> set[str]:
    return {root, os.path.realpath(root)}


def _length_in(root: str, chain: LedgerId, *, is_writer: bool = False) -> int:
    """The number of events of the chain in the ledger of that folder. One that cannot be read has none. `is_writer`:
    only if that ledger wrote the chain, and did not begin as a copy of it."""
    path = ledger_path(root)
    if not os.path.exists(path):
        return 0
    try:
        with closing(wiring.STORE.open_audited(path)) as ledger:
            length = next((head.seq for head in ledger.heads() if head.ledger_id == chain), 0)
            return length if not is_writer or wrote_chain(ledger, chain) else 0
    except (PerdureError, *UNREADABLE):
        return 0


def _backed_up(examined: ExaminedProject, chain: LedgerId) -> int:
    """Up to which event the backup has the chain, and this home's seal proves it."""
    key = existing_key(examined.home, project.folder_of(examined.root))
    found = 0
    for folder in (backup.folder_for(examined.home, id_) for id_ in examined.ids):
        seal, last = backup_seals.read(folder, chain, key), event_files.last(folder, chain)
        found = max(found, min(seal.seq, last.seq) if seal and last else 0)
    return found
