"""Whether a signed head proves that this home wrote a chain in this folder.

A home that was restored from an older copy does not know the chains that it began since, but its keys do. Asked only
where the home's own lists do not answer, so `ledger_origin` imports it then: `status` need not load what reads heads.
"""

from __future__ import annotations

from perdure.errors import BadInput
from perdure.model import payload as p
from perdure.model.ids import LedgerId
from perdure.model.ownership import WHOLE
from perdure.place import project
from perdure.place.home import machine_id
from perdure.proof import signed_note
from perdure.proof.reconcile import has_root
from perdure.views import head_files, own_ledgers, signing_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.ledger.port import ReadableLedger
    from perdure.model.ownership import Own

_HEADS = 50
"""How many of the last heads signed in these chains are read."""


def was_signed_here(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> bool:
    """A home that was restored from an older copy does not know the chains that it began since. A head that a key of
    this home signed in this folder proves that this home wrote the chain. So does a head over a chain that this one
    continues, if our mark is beside it."""
    keys = [known.key for known in signing_keys.known(resolved.home)]
    here = signed_note.place_of(machine_id(resolved.home), root)
    chain = ledger.head().ledger_id
    chains: Own = {chain: WHOLE}
    if own_ledgers.is_marked(project.folder_of(root), chain):
        chains = ledger.own()
    for event in ledger.latest(["head.signed"], _HEADS, chains):
        said = p.read(event, p.HeadSigned)
        if said is None or said.ledger_id not in chains:
            continue
        signed = _signed_note(said)
        if signed is None or signed.tree_head.place != here or signed_note.signer(signed, keys) is None:
            continue
        head = signed.tree_head
        if has_root(ledger.events(LedgerId(head.ledger_id)), head.size, head.root):
            return True
    return False


def _signed_note(said: p.HeadSigned) -> signed_note.Signed | None:
    """The note in the event; None if it is not a signed note, or about another chain than the event says."""
    try:
        signed = signed_note.read(said.note)
    except BadInput:
        return None
    return signed if signed.tree_head.ledger_id == said.ledger_id else None


def is_last_signed_here(resolved: ResolvedRequest, root: str, chain: LedgerId) -> bool:
    known = resolved.registry.at(root)
    last = head_files.last(head_files.folder_for(resolved.home, known.project_id), chain) if known else None
    if last is None or last.signed.tree_head.place != signed_note.place_of(machine_id(resolved.home), root):
        return False
    return signed_note.signer(last.signed, [each.key for each in signing_keys.known(resolved.home)]) is not None
