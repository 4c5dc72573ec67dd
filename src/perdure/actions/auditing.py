"""Auditing: is the ledger what was written and signed, and proofs of it for others (SPEC 14.6, 14.7).

What is known of a ledger from outside it are signed heads: those kept in Perdure's home, those anchored in git; and,
for what it is worth, those in the ledger itself. `proof/fsck.py` holds the ledger against them.
"""

from __future__ import annotations

import os
from functools import partial

from perdure.actions import anchors, backup, lookup, signing, trail
from perdure.actions.record import Fact, record
from perdure.actions.scene import look
from perdure.actions.wiring import begin_chain, ledger_path, origin_of
from perdure.errors import BadInput, Damaged, PerdureError, Refused
from perdure.files import read_text
from perdure.ledger.sqlite import SqliteLedger
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.ids import LedgerId, short
from perdure.model.value import replace, value
from perdure.place import project
from perdure.proof import bundle, merkle, note
from perdure.proof.fsck import Claim, Finding, Last, Report, audit
from perdure.views import event_files, head_files, signing_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from perdure.actions.scene import Request, Scene
    from perdure.actions.signing import SignedHead
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import Ledger
    from perdure.model.event import Event
    from perdure.model.ids import ProjectId
    from perdure.model.json import Json
    from perdure.proof.bundle import Object, Proved
    from perdure.proof.note import PublicKey, Signed
    from perdure.views.head_files import Acknowledged, Kept
    from perdure.views.signing_keys import Known

_EVERY = 1 << 40
SIGNED = "head.signed"


# -- is it what was written? -----------------------------------------------------------------------------------------


@value
class Verified:
    root: str
    report: Report
    kept: int
    anchored: int
    inside: int
    remarks: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        return not self.report.findings


def verify(request: Request, progress: Callable[[int, int], None]) -> Verified:
    """Changes nothing. A project that is gone altogether is judged by what is known of it outside."""
    scene = look(request)
    root = scene.place.project_path
    if root is None:
        raise Refused("no_project", "There is no project here.", hint="perdure init, or --project-path.")
    outside = _Outside(scene, root)
    try:
        ledger = SqliteLedger(ledger_path(root), writable=False)
    except PerdureError as error:
        return _without_ledger(outside, error)
    try:
        outside.look(ledger.head().ledger_id)  # before the ledger is: others write meanwhile, and sign what they wrote
        with ledger.at_one_moment():
            return _verified(ledger, outside, progress)
    except Damaged as error:
        return _without_ledger(outside, error)
    finally:
        ledger.close()


def _without_ledger(outside: _Outside, error: PerdureError) -> Verified:
    """Nothing is left to read but the heads: the last of each ledger says what was there."""
    outside.look(None)
    last: dict[str, Claim] = {}
    for claim in outside.claims("", frozenset()):
        if claim.binds and claim.size >= last.get(claim.ledger_id, claim).size:
            last[claim.ledger_id] = claim
    if not last and not isinstance(error, Damaged):
        raise error
    gone = Finding(1, f"the ledger cannot be read: {error.message}")
    lost = [
        Finding(4, f"{claim.size:,} events were here, signed {claim.time}", claim.ledger_id, since=claim)
        for claim in last.values()
    ]
    return outside.verified(Report(0, 0, 0, 0, (gone, *lost)), 0, ())


def _verified(ledger: SqliteLedger, outside: _Outside, progress: Callable[[int, int], None]) -> Verified:
    heads = ledger.heads()
    own = heads[0].ledger_id
    inside = list(_inside(ledger, outside.keys))
    there = ledger.origin()
    is_copy = there != outside.origin and os.path.exists(ledger_path(there.root))
    chains = {head.ledger_id for head in heads}
    claims = [*outside.claims("" if is_copy else own, chains), *(claim for claim, _ in inside)]
    last = outside.backed_up if there == outside.origin else None
    total = sum(head.seq for head in heads)
    report = audit(ledger, claims, event_files.WITHHELD_KINDS, lambda count: progress(count, total), last)
    unknown = sum(1 for claim, is_known in inside if not is_known and claim.ledger_id == own)
    remarks = [f"{unknown} heads in the ledger are signed by a key that is not known here"] if unknown else []
    return outside.verified(report, len(inside), remarks)


def _inside(ledger: Ledger, keys: list[PublicKey]) -> Iterator[tuple[Claim, bool]]:
    """Heads that the ledger itself holds, and whether their key is known here. A redacted one says nothing; nor does
    one in which the masking took something for a secret."""
    for event in ledger.latest([SIGNED], _EVERY):
        said = p.read(event, p.HeadSigned)
        if said is None or "$masked" in (event.payload or {}):
            continue
        where = f"event {event.seq} of the ledger"
        try:
            signed = note.read(said.note)
        except BadInput:
            signed = None
        if signed is None or (signed.checkpoint.ledger_id, signed.checkpoint.size) != (said.ledger_id, said.size):
            yield Claim(LedgerId(said.ledger_id), said.size, b"", event.ts, where, False), True
            continue
        root, time = signed.checkpoint.root, signed.checkpoint.time
        claim = Claim(LedgerId(said.ledger_id), said.size, root, time, where, False)
        yield claim, note.signer(signed, keys) is not None


class _Outside:
    """What is known of a project's ledgers without reading them."""

    def __init__(self, scene: Scene, root: str) -> None:
        self._home = scene.home
        self.root = root
        self.keys = [known.key for known in signing_keys.known(scene.home)]
        self.origin = origin_of(root, scene.home)
        self._here = note.place_of(self.origin.machine, root)
        entry = scene.registry.at(root)
        named = [project.identity(root).id] if project.is_project(root) else []
        self._projects: list[ProjectId] = list(dict.fromkeys([*named, *([entry.project_id] if entry else [])]))
        self.backed_up: Last | None = None

    def look(self, own: LedgerId | None) -> None:
        self._folders = self._of_this_place()
        self._false: list[Finding] = []
        self._kept = list(self._signed_and_kept())
        signed = ((anchor.signed, anchor.where) for anchor in anchors.anchored(self.root))
        self._anchored = [each for each in signed if note.signer(each[0], self.keys)]
        if own and self._projects:
            last = event_files.last(backup.folder_for(self._home, self._projects[0]), own)
            self.backed_up = Last(last.ledger_id, last.seq, last.hash, last.id, last.ts) if last else None

    def claims(self, own: str, chains: Container[str]) -> Iterator[Claim]:
        """Heads kept at home and anchored in git, but for what a person has acknowledged. Where this store wrote, a
        ledger must have come as far as was signed; another clone's may be further there than here."""
        accepted = [each for folder in self._folders for each in head_files.acknowledged(folder)]
        for head, where in (*self._kept, *self._anchored):
            said = head.checkpoint
            binds = said.ledger_id == own or said.place == self._here
            if (binds or said.ledger_id in chains) and not any(each.covers(said) for each in accepted):
                yield Claim(LedgerId(said.ledger_id), said.size, said.root, said.time, where, binds)

    def _signed_and_kept(self) -> Iterator[tuple[Signed, str]]:
        heads = (h for f in self._folders for i in head_files.ledgers_in(f) for h in head_files.kept(f, i))
        for head in heads:
            if note.signer(head.signed, self.keys):
                yield head.signed, "kept outside the project"
            else:
                said = head.signed.checkpoint
                what = f"no signature holds of the head kept outside: ledger {short(said.ledger_id)}, {said.time}"
                self._false.append(Finding(4, what))

    def _of_this_place(self) -> list[str]:
        """The folders of this project; and of any other that stood in this very place before."""
        known = {i: head_files.folder_for(self._home, i) for i in head_files.projects_in(self._home)}
        return [folder for i, folder in known.items() if i in self._projects or self._stood_here(folder)]

    def _stood_here(self, folder: str) -> bool:
        lasts = (head_files.last(folder, ledger_id) for ledger_id in head_files.ledgers_in(folder))
        return any(last is not None and last.signed.checkpoint.place == self._here for last in lasts)

    def verified(self, report: Report, inside: int, remarks: Iterable[str]) -> Verified:
        told = list(remarks)
        if not self._kept and not self._anchored:
            told.append("no signed head is known: nothing can tell whether the ledger was cut or written anew")
        findings = (*self._false, *report.findings)
        return Verified(
            self.root,
            replace(report, findings=findings),
            len(self._kept),
            len(self._anchored),
            inside,
            tuple(told),
        )


# -- heads -----------------------------------------------------------------------------------------------------------


def heads(desk: Desk) -> list[Kept]:
    """Those kept outside of every ledger in this store, in the order of their times."""
    folder = signing.heads_folder(desk)
    known = {head.ledger_id for head in desk.ledger.heads()}
    found = [head for i in head_files.ledgers_in(folder) if i in known for head in head_files.kept(folder, i)]
    return sorted(found, key=lambda head: head.signed.checkpoint.time)


def keys(home: str) -> list[Known]:
    """Every key that ever signed here, oldest first: the last one signs."""
    return signing_keys.known(home)


def rotate_key(home: str, now: moment.Stamp) -> None:
    signing_keys.rotate(home, now)


# -- proofs ----------------------------------------------------------------------------------------------------------


def prove(desk: Desk, typed: str, session_id: str | None = None) -> Object:
    """That a record is in the ledger; or, with a session, that it is one of those the session was sealed with."""
    event = lookup.event(desk.ledger, "event", typed, "perdure export")
    return _in_ledger(desk, event) if session_id is None else _in_session(desk, event, session_id)


def _in_ledger(desk: Desk, event: Event) -> Object:
    head = _head_over(desk, event.ledger_id, event.seq)
    size = head.signed.checkpoint.size
    path = merkle.inclusion(event.seq - 1, size, partial(desk.ledger.node, event.ledger_id))
    return bundle.inclusion(event, size, path, head.signed.checkpoint.root, head.note, _key_of(desk, head))


def _in_session(desk: Desk, event: Event, session_id: str) -> Object:
    sealed = trail.sealing(desk, session_id)
    records = list(trail.bound(desk, session_id))
    index = next((number for number, each in enumerate(records) if each.id == event.id), None)
    if index is None:
        message = f"Event {short(event.id)} is not one of the {len(records)} records of that audit session."
        raise Refused("not_in_session", message, hint="perdure audit prove without --session proves it in the ledger.")
    at = merkle.over([merkle.leaf(bytes.fromhex(each.hash)) for each in records])
    path, root = merkle.inclusion(index, len(records), at), merkle.root(len(records), at)
    return bundle.session(session_id, event, index, len(records), path, root, _in_ledger(desk, sealed))


def prove_growth(desk: Desk, old: int) -> Object:
    """That the ledger as it was with `old` events is the beginning of what it is now."""
    own = desk.ledger.head()
    if not 1 <= old <= own.seq:
        raise BadInput("bad_size", f"--since must be from 1 to {own.seq:,}, the events of this ledger.")
    head = _head_over(desk, own.ledger_id, max(old, own.seq - 1))
    size, at = head.signed.checkpoint.size, partial(desk.ledger.node, own.ledger_id)
    path, old_root = merkle.consistency(old, size, at), signing.root_of(desk.ledger, own.ledger_id, old)
    root = head.signed.checkpoint.root
    return bundle.consistency(own.ledger_id, old, old_root, size, path, root, head.note, _key_of(desk, head))


def _head_over(desk: Desk, ledger_id: LedgerId, seq: int) -> SignedHead:
    """The last head that was kept, if it is over this event; else one that is signed now."""
    last = head_files.last(signing.heads_folder(desk), ledger_id)
    if last and last.signed.checkpoint.size >= seq and note.signer(last.signed, _known(desk)):
        said = last.signed.checkpoint
        if signing.root_of(desk.ledger, ledger_id, said.size) == said.root:
            return signing.SignedHead(last.note, last.signed)
    return signing.sign_now(desk, "prove", ledger_id)


def _known(desk: Desk) -> list[PublicKey]:
    return [known.key for known in signing_keys.known(desk.scene.home)]


def _key_of(desk: Desk, head: SignedHead) -> PublicKey:
    key = note.signer(head.signed, _known(desk))
    if key is None:
        raise Damaged(
            "head_differs", "The head is not signed by a key that is known here.", hint="perdure audit verify"
        )
    return key


def verify_proof(text: str, home: str, given: str | None) -> Proved:
    """With no ledger and no network. `given` is the key the reader trusts, or a file that holds it; else those known in
    Perdure's home are."""
    trusted = [known.key for known in signing_keys.known(home)] if given is None else [note.read_vkey(_vkey(given))]
    return bundle.verify(text, trusted)


def _vkey(given: str) -> str:
    return given if "+" in given and not os.path.exists(given) else (read_text(given) or "")


# -- a person's word -------------------------------------------------------------------------------------------------


@value
class Accepted:
    because: str
    ledgers: tuple[Acknowledged, ...]
    new_chain: bool


def acknowledge(request: Request, desk: Desk, because: str) -> Accepted:
    """Heads that do not hold are accepted as such: what was put back, or lost, was so on purpose. Where that concerns
    the chain the store writes to, it goes on in a new one: none may be written twice from the same point
    (docs/adr/0005)."""
    if not because.strip():
        raise BadInput("no_reason", "An acknowledgement needs a reason.", hint="--because 'restored from Monday'")
    broken = _not_holding(request)
    if not broken:
        raise Refused("nothing_to_acknowledge", "Every signed head holds: there is nothing to acknowledge.")
    at = moment.stamp(desk.now())
    said = tuple(head_files.Acknowledged(i, above, at, because) for i, above in sorted(broken.items()))
    folder = signing.heads_folder(desk)
    for each in said:
        head_files.acknowledge(folder, each)
    is_own = desk.ledger.head().ledger_id in broken
    if is_own:
        begin_chain(desk, "restored")
    listed: tuple[dict[str, Json], ...] = tuple({"ledger_id": each.ledger_id, "above": each.above} for each in said)
    record(desk, [Fact("restore.acknowledged", p.RestoreAcknowledged(because, listed))])
    return Accepted(because, said, is_own)


def _not_holding(request: Request) -> dict[str, int]:
    """Of each ledger with a head that does not hold, the size of the last one that does."""
    found: dict[str, int] = {}
    verified = verify(request, lambda *_: None)
    for finding in verified.report.findings:
        if finding.check == 4 and finding.ledger_id:
            found[finding.ledger_id] = finding.since.size if finding.since else 0
    return found
