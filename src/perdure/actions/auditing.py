"""Auditing: is the ledger what was written and signed, and proofs of it for others (SPEC 14.6, 14.7).

What is known of a ledger from outside it are signed heads: those kept in Perdure's home, those anchored in git; and,
for what it is worth, those in the ledger itself. Only what a key of this home signed counts. Beside them stand the
backup, the registry, and what the ledger's own chain says of others. `proof/fsck.py` holds the ledger against them.
Where to look is never left to the project alone: whoever altered it could have altered that too.
"""

from __future__ import annotations

import os
from functools import partial

from perdure.actions import anchors, backup, lookup, signing, trail
from perdure.actions.record import Fact, record, without_credentials
from perdure.actions.scene import look
from perdure.actions.wiring import begin_chain, ledger_path, origin_of, register
from perdure.errors import BadInput, Damaged, PerdureError, Refused, Trouble
from perdure.files import read_text
from perdure.ledger.sqlite import SqliteLedger
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.digest import sha256
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, ProjectId, is_uuid, short, shown
from perdure.model.value import replace, value
from perdure.place import project, repository
from perdure.proof import bundle, merkle, note
from perdure.proof.fsck import UNREADABLE, Against, Bound, Claim, Finding, Last, Report, audit
from perdure.views import event_files, head_files, signing_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from perdure.actions.scene import Request, Scene
    from perdure.actions.signing import SignedHead
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import Ledger
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.place.registry import Entry
    from perdure.proof.bundle import Object, Proved
    from perdure.proof.note import PublicKey, Signed
    from perdure.views.head_files import Acknowledged, Kept
    from perdure.views.signing_keys import Known

_EVERY = 1 << 40
_BY_FOLDER = (6, 7)
"""The rows of SPEC 3.1 that find a project by the folder one stands in."""
SIGNED = "head.signed"
KEPT, ANCHORED, INSIDE = "kept", "anchored", "inside"


# -- is it what was written? -----------------------------------------------------------------------------------------


@value
class Verified:
    """Which project was looked at, what was found, and which heads really were tested and hold."""

    root: str
    ledger_id: str | None
    report: Report
    remarks: tuple[str, ...]
    false: tuple[Claim, ...] = ()
    """Heads kept outside that no key known here signed."""

    @property
    def is_whole(self) -> bool:
        return not self.report.findings

    def held(self, source: str) -> int:
        return sum(1 for claim in self.report.held if claim.source == source)

    @property
    def last_head(self) -> Claim | None:
        ours = (claim for claim in self.report.held if claim.ledger_id == self.ledger_id)
        return max(ours, key=lambda claim: claim.size, default=None)


def verify(request: Request, progress: Callable[[int, int], None]) -> Verified:
    """Changes nothing. A project that is gone altogether is judged by what is known of it outside. A ledger that is
    locked, or newer than we are, is not altered: that is raised as the trouble it is."""
    scene = look(request)
    root = scene.place.project_path
    if root is None:
        raise Refused("no_project", "There is no project here.", hint="perdure init, or --project-path.")
    outside = _Outside(scene, root)
    try:
        ledger = SqliteLedger(ledger_path(root), writable=False)
    except (Damaged, Trouble) as error:
        if isinstance(error, Trouble) and error.code != "no_ledger":
            raise
        return _without_ledger(outside, error)
    try:
        outside.look(_Inside(ledger))  # before the ledger is: others write meanwhile, and sign what they wrote
        with ledger.at_one_moment():
            return _verified(ledger, outside, progress)
    except Damaged as error:
        return _without_ledger(outside, error)
    except UNREADABLE as error:
        message = f"{ledger.path} holds what no store writes ({type(error).__name__})."
        return _without_ledger(outside, Damaged("ledger_damaged", message, hint="perdure heal"))
    finally:
        ledger.close()


def _without_ledger(outside: _Outside, error: PerdureError) -> Verified:
    """Nothing is left to read but the heads: the last of each ledger says what was there."""
    outside.look(None)
    claims = [claim for claim in outside.claims(frozenset()) if claim.binds]
    last = {claim.ledger_id: claim for claim in sorted(claims, key=lambda claim: claim.size)}
    if not last and not outside.misplaced and not isinstance(error, Damaged):
        raise error
    unchecked = "nothing of it could be checked"
    gone = Finding(1, f"the ledger cannot be read: {error.message}")
    lost = [
        Finding(4, f"{claim.size:,} events were here, signed {claim.time}", claim.ledger_id, lacks=unchecked)
        for claim in last.values()
    ]
    return outside.verified(Report(0, 0, 0, (), (gone, *lost), tuple(claims)), None, ())


def _verified(ledger: SqliteLedger, outside: _Outside, progress: Callable[[int, int], None]) -> Verified:
    heads = ledger.heads()
    own = heads[0].ledger_id
    inside, strange, unread = _heads_inside(ledger, outside)
    bound, unbound = _said_of_others(ledger, own, outside)
    claims = [*outside.claims({head.ledger_id for head in heads}), *inside]
    total = sum(head.seq for head in heads)
    against = Against(tuple(dict.fromkeys(claims)), outside.backups, bound)
    report = audit(ledger, against, event_files.WITHHELD_KINDS, lambda count: progress(count, total))
    empty = [Finding(1, "a chain without any event", head.ledger_id) for head in heads if not head.seq and total]
    findings = (*empty, *unread, *unbound, *report.findings, *outside.words_kept(report.withheld))
    remarks = [f"of the heads in the ledger, {strange:,} signed by a key that is not known here"] if strange else []
    return outside.verified(replace(report, findings=findings), own, remarks)


def _heads_inside(ledger: Ledger, outside: _Outside) -> tuple[list[Claim], int, list[Finding]]:
    """Heads in the ledger itself that a key of this home signed; how many of the own chain none did, for whoever can
    write the ledger can write such; and what could not be read. A redacted one says nothing; nor does one in which the
    masking took something for a secret."""
    found: list[Claim] = []
    strange = 0
    own = ledger.head().ledger_id
    try:
        for event in ledger.latest([SIGNED], _EVERY):
            said = p.read(event, p.HeadSigned)
            if said is None or "$masked" in (event.payload or {}):
                continue
            signed = outside.signed_here(said.note)
            if signed is None:
                strange += event.ledger_id == own
            elif head_files.digest(signed) not in outside.accepted:
                found.append(_claim(signed, f"event {event.seq} of the ledger", False, INSIDE))
    except UNREADABLE as error:
        return found, strange, [Finding(5, f"heads in the ledger cannot be read: {_words(error)}")]
    return found, strange, []


def _said_of_others(ledger: Ledger, own: LedgerId, outside: _Outside) -> tuple[list[Bound], list[Finding]]:
    """What the chain this store writes to says of the chains it took in, and of those it goes on from. Whether that
    chain is what was written, the audit tells."""
    found = []
    try:
        for event in ledger.latest(["ledger.merged", "ledger.opened"], _EVERY):
            if event.ledger_id == own:
                found += [bound for bound in _bound_by(event) if bound.digest not in outside.accepted]
    except UNREADABLE as error:
        return found, [Finding(5, f"what was taken in cannot be read: {_words(error)}")]
    return found, []


def _bound_by(event: Event) -> Iterator[Bound]:
    merged, opened = p.read(event, p.LedgerMerged), p.read(event, p.LedgerOpened)
    for each in merged.ledgers if merged else opened.continues if opened else ():
        ledger_id, seq, hash_ = each.get("ledger_id"), each.get("seq", each.get("events")), each.get("hash", "")
        if isinstance(ledger_id, str) and isinstance(hash_, str) and type(seq) is int and seq > 0:
            digest = sha256(f"{ledger_id} {seq} {hash_}".encode()).hexdigest()
            yield Bound(LedgerId(ledger_id), seq, hash_, f"event {event.seq} ({event.kind})", digest)


def _words(error: BaseException) -> str:
    return error.message if isinstance(error, PerdureError) else type(error).__name__


def _claim(signed: Signed, where: str, binds: bool, source: str) -> Claim:
    said = signed.checkpoint
    digest = head_files.digest(signed)
    return Claim(LedgerId(said.ledger_id), said.size, said.root, said.time, where, binds, source, digest)


class _Inside:
    """What a ledger says of where it belongs; each of it may be forged."""

    def __init__(self, ledger: SqliteLedger) -> None:
        heads = ledger.heads()
        self.chains = tuple(head.ledger_id for head in heads)
        self.origin = ledger.origin()
        self.last_project: str | None = None
        self.projects: list[ProjectId] = []
        for head in heads:
            for seq in {1, head.seq}:
                said = self._project_of(ledger, Ref(head.ledger_id, seq))
                self.projects += [ProjectId(said)] if said and is_uuid(said) else []
                if head is heads[0] and seq == head.seq:
                    self.last_project = said

    @staticmethod
    def _project_of(ledger: SqliteLedger, ref: Ref) -> str | None:
        try:
            event = ledger.event(ref)
        except UNREADABLE:  # found by the audit
            return None
        return event.project_id if event and isinstance(event.project_id, str) else None


class _Outside:
    """What is known of a project's ledgers without reading them."""

    def __init__(self, scene: Scene, root: str) -> None:
        self._scene = scene
        self._home = scene.home
        self.root = root
        self._keys = [known.key for known in signing_keys.known(scene.home)]
        self._origin = origin_of(root, scene.home)
        self._here = note.place_of(self._origin.machine, root)
        self._entry = scene.registry.at(root)
        self._named = project.identity(root).id if project.is_project(root) else None
        self.backups: list[Last] = []
        self.misplaced: list[Finding] = []

    def look(self, inside: _Inside | None) -> None:
        self._chains = inside.chains if inside else ()
        self._projects = set(inside.projects if inside else ()) | ({self._named} if self._named else set())
        self._projects |= {self._entry.project_id} if self._entry else set()
        self._folders = self._of_this_place()
        self.accepted = {h for f in self._folders.values() for each in head_files.acknowledged(f) for h in each.heads}
        self._false: list[Claim] = []
        self._kept = list(self._signed_and_kept())
        signed = ((anchor.signed, anchor.where) for anchor in anchors.anchored(self.root))
        self._anchored = [each for each in signed if note.signer(each[0], self._keys)]
        self._ours = self._written_here(inside)
        self.backups = [last for folder in self._backup_folders() for last in self._backed_up(folder)]
        self.misplaced = list(self._misplaced(inside))

    def signed_here(self, text: str) -> Signed | None:
        try:
            signed = note.read(text)
        except BadInput:
            return None
        return signed if note.signer(signed, self._keys) else None

    def claims(self, chains: Container[str]) -> Iterator[Claim]:
        """Heads kept at home and anchored in git, but for what a person has acknowledged. Where this store wrote, a
        ledger must have come as far as was signed; another clone's may be further there than here."""
        own = self._chains[0] if self._chains else ""
        known = ((KEPT, head) for head in self._kept), ((ANCHORED, head) for head in self._anchored)
        for source, (head, where) in (each for some in known for each in some):
            said = head.checkpoint
            binds = said.place == self._here or (said.ledger_id == own and own in self._ours)
            if (binds or said.ledger_id in chains) and head_files.digest(head) not in self.accepted:
                yield _claim(head, where, binds, source)

    def _signed_and_kept(self) -> Iterator[tuple[Signed, str]]:
        heads = (h for f in self._folders.values() for i in head_files.ledgers_in(f) for h in head_files.kept(f, i))
        for head in heads:
            if note.signer(head.signed, self._keys):
                yield head.signed, "kept outside the project"
            elif head_files.digest(head.signed) not in self.accepted:
                self._false.append(_claim(head.signed, "kept outside the project", False, KEPT))

    def _of_this_place(self) -> dict[str, str]:
        """The folders of this project; and of any other that stood in this very place before."""
        known = {i: head_files.folder_for(self._home, i) for i in head_files.projects_in(self._home)}
        return {i: folder for i, folder in known.items() if i in self._projects or self._stood_here(folder)}

    def _stood_here(self, folder: str) -> bool:
        return any(self._was_signed_here(folder, ledger_id) for ledger_id in head_files.ledgers_in(folder))

    def _was_signed_here(self, folder: str, ledger_id: str) -> bool:
        last = head_files.last(folder, ledger_id)
        return last is not None and last.signed.checkpoint.place == self._here

    def _written_here(self, inside: _Inside | None) -> set[str]:
        """The chains that this store, and no other clone, writes to or wrote to: by the last head of each, by the
        registry; the store's own word counts only where it says yes."""
        ours = {i for i in self._chains for f in self._folders.values() if self._was_signed_here(f, i)}
        ours |= set(self._entry.ledgers[:1]) if self._entry else set()
        there = inside.origin if inside else self._origin
        is_copy = there != self._origin and os.path.exists(ledger_path(there.root))
        return ours | (set() if is_copy else set(self._chains[:1]))

    def _backup_folders(self) -> set[str]:
        return {backup.folder_for(self._home, ProjectId(i)) for i in (*self._projects, *self._folders)}

    def _backed_up(self, folder: str) -> Iterator[Last]:
        """Of each chain that is here. A chain that another clone on this machine writes to may be further there."""
        for ledger_id in self._chains:
            last = event_files.last(folder, ledger_id) if is_uuid(ledger_id) else None
            if last:
                yield Last(ledger_id, last.seq, last.hash, last.id, last.ts, ledger_id in self._ours)

    def words_kept(self, withheld: Iterable[Ref]) -> Iterator[Finding]:
        """Check 2: words that this store had, as its backup shows, were not withheld from it."""
        asked = {ref for ref in withheld if ref.ledger_id in self._ours}
        for ledger_id in {ref.ledger_id for ref in asked}:
            for folder in self._backup_folders():
                kept = event_files.read(folder, ledger_id) if event_files.last(folder, ledger_id) else ()
                for event in kept:
                    if event.payload is not None and Ref(ledger_id, event.seq) in asked:
                        what = "its payload is gone as if it had been withheld, and the backup has it"
                        yield Finding(2, what, ledger_id, event.seq, event.id, event.ts)

    def _misplaced(self, inside: _Inside | None) -> Iterator[Finding]:
        """Check 9: what Perdure's home knows of this folder, beside what the project says."""
        entry, named = self._entry, self._named
        if entry and named and entry.project_id != named:
            what = f"project.toml says that this is project {short(named)}; it is known as {short(entry.project_id)}"
            yield Finding(9, what)
        if inside and named and inside.last_project and inside.last_project != named:
            what = f"project.toml says that this is project {short(named)}; its last event {short(inside.last_project)}"
            yield Finding(9, what)
        for known in {each.path: each for each in (entry, self._stands_in()) if each}.values():
            if known.ledgers and not set(known.ledgers) & set(self._chains):
                yield Finding(9, f"{known.path} is known to hold ledger {short(known.ledgers[0])}; it is not here")

    def _stands_in(self) -> Entry | None:
        """The project that the folder is known to be in, where a folder told which one is looked at: the one that was
        named, or the one we stand in."""
        request, row = self._scene.request, self._scene.place.project_row
        named = request.explicit.project_path or request.environment.get("PERDURE_PROJECT") or ""
        folder = named if row == 1 else request.cwd if row in _BY_FOLDER else ""
        if not folder:
            return None
        above = map(self._scene.registry.at, repository.upward(os.path.realpath(folder)))
        known = next((entry for entry in above if entry), None)
        return known if known and not self.root.startswith(known.path + os.sep) else None

    def verified(self, report: Report, own: str | None, remarks: Iterable[str]) -> Verified:
        told = [*remarks, *anchors.unread(self.root)]
        if not self._kept and not self._anchored:
            told.append("no signed head is known: nothing can tell whether the ledger was cut or written anew")
        false = [
            Finding(4, f"no signature holds of the head kept outside: ledger {short(c.ledger_id)}, {c.time}")
            for c in self._false
        ]
        hidden = [Finding(4, what) for what in anchors.hidden(self.root)]
        findings = (*self.misplaced, *false, *hidden, *report.findings)
        return Verified(self.root, own, replace(report, findings=findings), tuple(told), tuple(self._false))


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
    proof = _in_ledger(desk, event) if session_id is None else _in_session(desk, event, session_id)
    return _that_holds(desk, proof)


def _that_holds(desk: Desk, proof: Object) -> Object:
    """Nobody is given a proof that does not verify: of an event that was altered, over a tree that was."""
    try:
        bundle.verify(bundle.written(proof), _known(desk))
    except (BadInput, Refused) as error:
        raise Damaged(
            "head_differs", f"No proof can be given. {error.message}", hint="perdure audit verify says what and where."
        ) from error
    return proof


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
    key = _key_of(desk, head)
    return _that_holds(desk, bundle.consistency(own.ledger_id, old, old_root, size, path, root, head.note, key))


def _head_over(desk: Desk, ledger_id: LedgerId, seq: int) -> SignedHead:
    """The last head that was kept, if it is over this event; else one that is signed now."""
    last = signing.last_signed(desk, ledger_id)
    if last and last.signed.checkpoint.size >= seq:
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
    text = read_text(given) if os.path.isfile(given) else None
    if text is None and "+" not in given and os.sep in given:
        raise BadInput("bad_path", f"There is no file {shown(given)}.", hint="--key takes the key, or a file with it.")
    return given if text is None else text


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
    verified = verify(request, lambda *_: None)
    broken = _not_holding(verified)
    if not broken and not any(finding.check == 9 for finding in verified.report.findings):
        raise Refused("nothing_to_acknowledge", "Every signed head holds: there is nothing to acknowledge.")
    at = moment.stamp(desk.now())
    because = without_credentials(because)  # it is kept in the home, too
    said = tuple(_accepted(verified, i, digests, at, because) for i, digests in sorted(broken.items()))
    folder = signing.heads_folder(desk)
    for each in said:
        head_files.acknowledge(folder, each)
    own = desk.ledger.head().ledger_id
    is_own = any(each.ledger_id == own for each in verified.report.failed)
    if is_own:
        begin_chain(desk, "restored")
    listed: tuple[dict[str, Json], ...] = tuple({"ledger_id": each.ledger_id, "above": each.above} for each in said)
    record(desk, [Fact("restore.acknowledged", p.RestoreAcknowledged(because, listed))])
    register(desk)
    return Accepted(because, said, is_own)


def _not_holding(verified: Verified) -> dict[str, list[str]]:
    """By ledger: the digest of each head, and of each word of the ledger on another, that does not hold."""
    found: dict[str, list[str]] = {}
    for each in (*verified.report.failed, *verified.false):
        found.setdefault(each.ledger_id, []).append(each.digest)
    return found


def _accepted(verified: Verified, ledger_id: str, digests: list[str], at: str, because: str) -> Acknowledged:
    sizes = [c.size for c in verified.report.failed if isinstance(c, Claim) and c.ledger_id == ledger_id]
    held = [c.size for c in verified.report.held if c.ledger_id == ledger_id and c.size < min(sizes, default=_EVERY)]
    return head_files.Acknowledged(ledger_id, max(held, default=0), at, because, tuple(dict.fromkeys(digests)))
