"""The signed heads of a project that this home keeps or that are anchored in git, and what a person acknowledged about
them (SPEC 14.7). Only what a key of this home signed counts.

    heads = HomeHeads(examined)
    list(heads.claims(examined.chains))
"""

from __future__ import annotations

import os

from perdure.actions import anchors, backup
from perdure.actions.heads_from_elsewhere import HeadsFromElsewhere
from perdure.actions.ledger_origin import ledger_path
from perdure.actions.store_statements import ACKNOWLEDGED, acknowledged_by
from perdure.errors import BadInput
from perdure.model.ids import LedgerId, short
from perdure.model.plural import counted
from perdure.proof import signed_note
from perdure.proof.fsck import AuditFinding, Check, Claim
from perdure.views import event_files, head_files, signing_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from perdure.actions.anchors import Anchored
    from perdure.actions.examined_project import ExaminedProject
    from perdure.proof.signed_note import Signed
    from perdure.views.head_files import Acknowledged

KEPT, ANCHORED, INSIDE = "kept", "anchored", "inside"
"""Where a head was found: in the home, in git, in the ledger itself."""
ACKNOWLEDGE = "perdure audit acknowledge --because …"
_KEPT_WHERE = "kept outside the project"
_SIGNERS_WAY_OUT = f"put the keys back; if they are lost for good, a person runs {ACKNOWLEDGE}"


def claim_of(signed: Signed, where: str, binds: bool, *, source: str) -> Claim:
    """What a signed head says about its ledger. If it binds, the ledger must be at least as long."""
    tree_head = signed.tree_head
    return Claim(
        ledger_id=LedgerId(tree_head.ledger_id),
        size=tree_head.size,
        root=tree_head.root,
        time=tree_head.time,
        where=where,
        binds=binds,
        source=source,
        digest=head_files.digest(signed),
    )


class HomeHeads:
    def __init__(self, examined: ExaminedProject, in_git: Anchored | None = None) -> None:
        """`in_git`: the anchors, where git was asked for them just now. It looks through the whole history."""
        self._examined = examined
        self._keys = [known.key for known in signing_keys.known(examined.home)]
        self.folders = self._folders_of_this_place()
        """The folders in the home that keep heads, by project id."""
        self._acknowledgements = [each for folder in self.folders.values() for each in head_files.acknowledged(folder)]
        recorded = self._recorded() if self._acknowledgements else frozenset()
        self._valid = [each for each in self._acknowledgements if self._is_valid(each, recorded)]
        self.accepted = {digest for each in self._valid for digest in each.heads}
        """Digests of what need not match, because a person acknowledged it."""
        self._kept = list(self._read_signed())
        self.unsigned = list(self._read_unsigned())
        self.in_git = in_git or anchors.anchored(examined.root)
        anchored = ((anchor.signed, anchor.where) for anchor in self.in_git.anchors)
        self._anchored = [(head, where) for head, where in anchored if signed_note.signer(head, self._keys)]
        self._elsewhere = HeadsFromElsewhere(examined)
        self.own_chains = self._own_chains()
        """The chains that this store, and no other clone, writes to or wrote to."""

    def claims(self, chains: Container[str]) -> Iterator[Claim]:
        """What the heads in the home and in git say about these chains, except what a person has acknowledged. Where
        this project wrote a chain, the chain must be as long as was signed; one of another clone may be shorter
        here."""
        for source, heads in ((KEPT, self._kept), (ANCHORED, self._anchored)):
            for head, where in heads:
                binds = self._binds(head)
                is_asked = binds or head.tree_head.ledger_id in chains
                if is_asked and head_files.digest(head) not in self.accepted:
                    yield claim_of(head, where, binds, source=source)

    def signed_here(self, text: str) -> Signed | None:
        """The head in this text, if a key of this home signed it."""
        try:
            signed = signed_note.read(text)
        except BadInput:
            return None
        return signed if signed_note.signer(signed, self._keys) else None

    def signed_size(self, ledger_id: LedgerId) -> int:
        """How many events the largest head covers that binds here and is kept in the home."""
        heads = (head for head, _ in self._kept if head.tree_head.ledger_id == ledger_id and self._binds(head))
        return max((h.tree_head.size for h in heads if head_files.digest(h) not in self.accepted), default=0)

    def missing(self, inside: Iterable[Claim]) -> Iterator[AuditFinding]:
        """Check 11 of docs/audit.md. A head is kept in the home before the ledger records it, so one that only the
        ledger has was taken away from the home."""
        kept = {head_files.digest(head) for head, _ in self._read_signed()}  # again: others sign meanwhile
        gone = [claim for claim in inside if claim.digest not in kept]
        if gone:
            last = max(gone, key=lambda claim: claim.size)
            what = f"the home lacks {counted(len(gone), 'head')} that the ledger records, the last over {last.size:,}"
            yield AuditFinding(Check.HOME, what, last.ledger_id)

    def findings(self) -> Iterator[AuditFinding]:
        """Checks 4 and 11 of docs/audit.md: heads without a valid signature, anchors that git hides, lines that nobody
        can read, a key that cannot sign."""
        for head in self.unsigned:
            what = f"no signature holds of the head kept outside: ledger {short(head.ledger_id)}, {head.time}"
            yield AuditFinding(Check.HEADS, what, way_out=_SIGNERS_WAY_OUT)
        yield from (
            AuditFinding(Check.HEADS, what, way_out=anchors.out_of_silence(self._examined.root))
            for what in anchors.warn_git_silent(self._examined.root, self.in_git)
        )
        for path in (path for folder in self.folders.values() for path in head_files.damaged(folder, self._keys)):
            yield AuditFinding(Check.HOME, f"{path} has a line that is damaged")
        bad_key = signing_keys.fault(self._examined.home)
        if bad_key:
            yield AuditFinding(Check.HOME, bad_key.message.rstrip("."), way_out=f"for a person: {bad_key.hint}")

    def remarks(self) -> Iterator[str]:
        yield from anchors.warn_git_missing(self._examined.root)
        if not self._kept and not self._anchored:
            yield "no signed head is known: nothing shows whether the ledger was cut or rewritten"
        for each in self._acknowledgements:
            about = f"{counted(len(each.heads), 'head')} of ledger {short(each.ledger_id)} need not match"
            if each in self._valid:
                yield f"a person acknowledged on {each.at[:10]} that {about}: {each.because}"
            else:
                yield f"ignored, because no key of this home or no event of the ledger confirms it: {about}"

    def _folders_of_this_place(self) -> dict[str, str]:
        """Those of this project, and of any other project that was in this folder before."""
        home = self._examined.home
        known = {id_: head_files.folder_for(home, id_) for id_ in head_files.projects_in(home)}
        return {
            id_: folder for id_, folder in known.items() if id_ in self._examined.ids or self._any_signed_here(folder)
        }

    def _any_signed_here(self, folder: str) -> bool:
        return any(self._was_signed_here(folder, ledger_id) for ledger_id in head_files.ledgers_in(folder))

    def _was_signed_here(self, folder: str, ledger_id: str) -> bool:
        """Whether the last head of the chain in this folder was signed in this place."""
        last = head_files.last(folder, ledger_id)
        return last is not None and last.signed.tree_head.place == self._examined.place_hash

    def _is_valid(self, acknowledged: Acknowledged, recorded: frozenset[str]) -> bool:
        """A key of this home signed it, and an event of the ledger records it: one of the two alone may be forged."""
        is_recorded = acknowledged.digest in recorded
        return is_recorded and signed_note.is_signed(acknowledged.text, acknowledged.signature, self._keys)

    def _recorded(self) -> frozenset[str]:
        """The digests of the acknowledgements that the ledger records; where it is gone, those that its backup has, of
        which it will be restored."""
        if self._examined.statements:
            return self._examined.statements.acknowledged
        folders = (backup.folder_for(self._examined.home, id_) for id_ in self._examined.ids)
        return frozenset(digest for folder in folders for digest in _acknowledged_in(folder))

    def _binds(self, head: Signed) -> bool:
        """It was signed in this place, or over the chain that this store writes to, or before the project was here."""
        tree_head, chains = head.tree_head, self._examined.chains
        current = chains[0] if chains else ""
        is_of_current = tree_head.ledger_id == current and current in self.own_chains
        if tree_head.place == self._examined.place_hash and not is_of_current:
            return not self._elsewhere.has_left(tree_head.ledger_id, tree_head.size)
        return is_of_current or self._elsewhere.binds(tree_head)

    def _read_signed(self) -> Iterator[tuple[Signed, str]]:
        for head in self._read_all():
            if signed_note.signer(head, self._keys):
                yield head, _KEPT_WHERE

    def _read_unsigned(self) -> Iterator[Claim]:
        """Heads in the home that no key of this home signed, and that are not damaged copies of others."""
        for folder in self.folders.values():
            is_damaged = head_files.damage_in(folder, self._keys)
            for head in _heads_in(folder):
                is_proved = signed_note.signer(head, self._keys) or head_files.digest(head) in self.accepted
                if not is_proved and not is_damaged(head):
                    yield claim_of(head, _KEPT_WHERE, False, source=KEPT)

    def _read_all(self) -> Iterator[Signed]:
        for folder in self.folders.values():
            yield from _heads_in(folder)

    def _own_chains(self) -> set[str]:
        """Known from the last head of each chain and from the registry. The first chain of the store counts too, unless
        the store names another folder as its origin and a ledger is still there: then this one is a copy."""
        examined = self._examined
        own: set[str] = {
            ledger_id
            for ledger_id in examined.chains
            for folder in self.folders.values()
            if self._was_signed_here(folder, ledger_id)
        }
        own |= set(examined.entry.ledgers[:1]) if examined.entry else set()
        own = {ledger_id for ledger_id in own if not self._elsewhere.has_left(ledger_id)}
        stated = examined.statements.origin if examined.statements else examined.origin
        is_copy = stated != examined.origin and os.path.exists(ledger_path(stated.root))
        return own | (set() if is_copy else set(examined.chains[:1]))


def _heads_in(folder: str) -> Iterator[Signed]:
    for ledger_id in head_files.ledgers_in(folder):
        yield from (head.signed for head in head_files.kept(folder, ledger_id))


def _acknowledged_in(folder: str) -> Iterator[str]:
    for ledger_id in event_files.ledgers_in(folder):
        lines = (line for line in event_files.lines(folder, ledger_id) if ACKNOWLEDGED.encode() in line)
        yield from acknowledged_by(event_files.lines_as_far_as_they_go(lines))
