"""Signs tree heads: at POSTFLIGHT, at a passed full checkpoint, when an audit session is sealed, when a session ends,
for a proof (SPEC 14.6).

A head is stored outside the project first, then in the ledger. A head that contradicts an earlier one is not signed.
The stored tree alone is not trusted: what came since the last head is computed from the events. In doubt, signing stops
with a warning. The caller's own event is recorded by then and stays.
"""

from __future__ import annotations

from functools import partial
from itertools import islice

from perdure.actions.record import Fact, record
from perdure.errors import Damaged, Doubted, PerdureError
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.value import value
from perdure.place.home import machine_id
from perdure.proof import merkle, signed_note
from perdure.views import head_files, signing_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import Ledger
    from perdure.model.event import Head
    from perdure.model.ids import LedgerId
    from perdure.proof.signed_note import Signed
    from perdure.views.head_files import KeptHead


@value
class SigningResult:
    """The signed note with the head, or the warning that says why there is none."""

    note: str | None
    warning: str = ""


def sign_or_warn(desk: Desk, why: str) -> SigningResult:
    """For callers that have just recorded something: a failure to sign is returned as a warning, not raised."""
    try:
        return SigningResult(sign(desk, why).note)
    except PerdureError as error:
        return SigningResult(None, f"The tree head was not signed: {error.message} {error.hint}".rstrip())
    except ImportError as error:
        return SigningResult(None, f"The tree head was not signed: {error}. Install Perdure with its dependencies.")


@value
class SignedHead:
    """A signed note: its text, and the same parsed."""

    note: str
    signed: Signed


def sign(desk: Desk, why: str, ledger_id: LedgerId | None = None) -> SignedHead:
    """Signs the head, as it is now, of the chain that this store writes to, or of another chain in it."""
    head = _head(desk.ledger, ledger_id or desk.ledger.head().ledger_id)
    folder = heads_folder(desk)
    before = last_signed(desk, head.ledger_id)
    if before:
        _refuse_to_contradict(desk.ledger, head, before.signed)
        if _nothing_new_since(desk.ledger, head, before.signed):
            return SignedHead(before.note, before.signed)
    key = signing_keys.signer(desk.resolved.home, moment.stamp(desk.now()))
    root = _computed(desk.ledger, head, before.signed.tree_head.size if before else 0)
    place = place_digest(desk)
    tree_head = signed_note.tree_head_of(head.ledger_id, head.seq, root, time=moment.stamp(desk.now()), place=place)
    text = signed_note.signed(tree_head, key.key, key.sign)
    head_files.keep(folder, head.ledger_id, text, why=why)
    record(
        desk,
        [
            Fact(
                "head.signed",
                p.HeadSigned(ledger_id=head.ledger_id, size=head.seq, root=root.hex(), note=text, why=why),
            )
        ],
    )
    return SignedHead(text, signed_note.read(text))


def heads_folder(desk: Desk) -> str:
    return head_files.folder_for(desk.resolved.home, desk.identity.id)


def last_signed(desk: Desk, ledger_id: LedgerId) -> KeptHead | None:
    """The last stored head that a key of this home signed. Usually it is the last line."""
    keys, folder = [known.key for known in signing_keys.known(desk.resolved.home)], heads_folder(desk)
    last = head_files.last(folder, ledger_id)
    if last is None or signed_note.signer(last.signed, keys):
        return last
    return next((h for h in reversed(head_files.kept(folder, ledger_id)) if signed_note.signer(h.signed, keys)), None)


def place_digest(desk: Desk) -> str:
    """A hash of the machine and the project's folder: it shows where a head was signed, and names neither."""
    return signed_note.place_of(machine_id(desk.resolved.home), desk.root)


def root_of(ledger: Ledger, ledger_id: LedgerId, size: int) -> bytes:
    return merkle.root(size, partial(ledger.node, ledger_id))


def _head(ledger: Ledger, ledger_id: LedgerId) -> Head:
    return next(head for head in ledger.heads() if head.ledger_id == ledger_id)


def _refuse_to_contradict(ledger: Ledger, head: Head, before: Signed) -> None:
    said = before.tree_head
    if said.size <= head.seq and root_of(ledger, head.ledger_id, said.size) == said.root:
        return
    raise Doubted(
        "head_differs",
        f"Ledger {head.ledger_id[:8]} differs from what was signed {said.time}: it was cut, rewritten or restored.",
        hint="perdure audit verify says what and where.",
    )


def _computed(ledger: Ledger, head: Head, signed: int) -> bytes:
    """The root computed from the events. The first `signed` events are covered by the nodes of the last head's root,
    which was just verified; from there on each event is hashed. The stored tree must agree."""
    tree = merkle.Frontier.at(signed, partial(ledger.node, head.ledger_id))
    try:
        for event in islice(ledger.events(head.ledger_id, signed), head.seq - signed):
            tree.append(merkle.leaf(bytes.fromhex(event.hash)))
    except (TypeError, ValueError) as error:
        raise Damaged("chain_broken", "The event's hash is not valid SHA-256 hex.", hint="perdure heal") from error
    root = tree.root()
    if tree.size != head.seq or root != root_of(ledger, head.ledger_id, head.seq):
        raise Doubted(
            "head_differs",
            f"The stored tree of ledger {head.ledger_id[:8]} does not match its events.",
            hint="perdure heal rebuilds it; perdure audit verify says where.",
        )
    return root


def _nothing_new_since(ledger: Ledger, head: Head, before: Signed) -> bool:
    """Whether nothing was recorded since except the signing itself."""
    behind = head.seq - before.tree_head.size
    last = ledger.event(Ref(head.ledger_id, head.seq)) if behind == 1 else None
    return behind == 0 or (last is not None and last.kind == "head.signed")
