"""What this home knows of a project's ledgers without reading them, for `audit verify` and `heal` (SPEC 14.7, 16.3).

Signed heads kept in the home and anchored in git, the backup with its seals, the registry, acknowledgements. Only what
a key of this home signed counts. Where to look is never left to the project alone: whoever altered it could have
altered that too.
"""

from __future__ import annotations

import os

from perdure.actions import anchors, backup, odd_files
from perdure.actions.ledger_origin import (
    foreign_ledger,
    is_own_ledger,
    is_replaced,
    is_shared,
    ledger_path,
    misstated_origin,
    origin_of,
    other_keeper,
    replaced_ledger,
)
from perdure.errors import BadInput
from perdure.model import payload as p
from perdure.model.digest import sha256
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, ProjectId, is_uuid, short
from perdure.model.plural import counted
from perdure.place import git_ignore, git_index, project, repository
from perdure.proof import note
from perdure.proof.fsck import UNREADABLE, AuditFinding, Bound, Check, Claim, Last
from perdure.settings import MOST_WRONG_TOLD, load, project_file
from perdure.views import backup_seals, event_files, head_files, own_ledgers, signing_keys
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from perdure.actions.request import ResolvedRequest
    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Event
    from perdure.place.registry import Entry
    from perdure.proof.note import Signed
    from perdure.views.backup_seals import Seal
    from perdure.views.head_files import Acknowledged

_EVERY = 1 << 40
_BY_FOLDER = (6, 7)
"""The rows of SPEC 3.1 that find a project by the folder one stands in."""
KEPT, ANCHORED, INSIDE = "kept", "anchored", "inside"
_KEPT_WHERE = "kept outside the project"
_ACKNOWLEDGE = "perdure audit acknowledge --because …"
_ID_WAY_OUT = (
    "perdure heal mends the home where the record proves the id in project.toml; else put the known id back, or, if "
    f"the change was intended, a person runs {_ACKNOWLEDGE}"
)
_SETTINGS_WAY_OUT = "a person corrects the settings; until then perdure heal stops at them too"
_GIT_WAY_OUT = "a person takes the files out of git, as the finding says"
_SIGNERS_WAY_OUT = f"put the keys back; if they are lost for good, a person runs {_ACKNOWLEDGE}"
_HOME_WAY_OUT = "a person puts the home's folder back, as the finding says"
_WITHOUT_HOME = (
    ": nothing can be kept or checked there. A person moves it away and puts the folder back; where that is lost for "
    "good, perdure heal then begins a new ledger and says how to take the old one in"
)


def claim_of(signed: Signed, where: str, binds: bool, *, source: str) -> Claim:
    said = signed.checkpoint
    digest = head_files.digest(signed)
    return Claim(
        ledger_id=LedgerId(said.ledger_id),
        size=said.size,
        root=said.root,
        time=said.time,
        where=where,
        binds=binds,
        source=source,
        digest=digest,
    )


def words_about_chains(event: Event) -> Iterator[Bound]:
    """What an event of our own chain says of the chains it took in, or goes on from."""
    merged, opened = p.read(event, p.LedgerMerged), p.read(event, p.LedgerOpened)
    for each in merged.ledgers if merged else opened.continues if opened else ():
        ledger_id, seq, hash_ = each.get("ledger_id"), each.get("seq", each.get("events")), each.get("hash", "")
        if isinstance(ledger_id, str) and isinstance(hash_, str) and type(seq) is int and seq > 0:
            digest = sha256(f"{ledger_id} {seq} {hash_}".encode()).hexdigest()
            yield Bound(
                ledger_id=LedgerId(ledger_id),
                seq=seq,
                hash=hash_,
                where=f"event {event.seq} ({event.kind})",
                digest=digest,
            )


class StoreSays:
    """What a ledger says of itself; each of it may be forged."""

    def __init__(self, ledger: ReadableLedger, resolved: ResolvedRequest, root: str) -> None:
        heads = ledger.heads()
        self.chains = tuple(head.ledger_id for head in heads)
        self.lengths = {head.ledger_id: head.seq for head in heads}
        self.origin = ledger.origin()
        self.last_project: str | None = None
        self.projects: list[ProjectId] = []
        for head in heads:
            for seq in {1, head.seq}:
                said = self._project_of(ledger, Ref(head.ledger_id, seq))
                self.projects += [ProjectId(said)] if said and is_uuid(said) else []
                if head is heads[0] and seq == head.seq:
                    self.last_project = said
        self.acknowledged = frozenset(self._acknowledged(ledger))
        self.words = self._words_about_chains(ledger)
        """Of each chain that our own one names: at which event it does, and up to which event of the other."""
        self.is_replaced = is_replaced(resolved, root, ledger)
        self.is_own = is_own_ledger(resolved, root, ledger)
        self.misstated_origin = misstated_origin(resolved, root, ledger)

    def _words_about_chains(self, ledger: ReadableLedger) -> dict[LedgerId, list[tuple[int, int]]]:
        found: dict[LedgerId, list[tuple[int, int]]] = {}
        try:
            for event in ledger.latest(["ledger.merged", "ledger.opened"], _EVERY):
                for word in words_about_chains(event) if event.ledger_id == self.chains[0] else ():
                    found.setdefault(word.ledger_id, []).append((event.seq, word.seq))
        except UNREADABLE:  # found by the audit
            return found
        return found

    @staticmethod
    def _acknowledged(ledger: ReadableLedger) -> Iterator[str]:
        """The digests of the acknowledgements that events tell of."""
        try:
            for event in ledger.latest(["restore.acknowledged"], _EVERY):
                said = p.read(event, p.RestoreAcknowledged)
                yield from (str(each.get("digest")) for each in (said.heads if said else ()))
        except UNREADABLE:  # found by the audit
            return

    @staticmethod
    def _project_of(ledger: ReadableLedger, ref: Ref) -> str | None:
        try:
            event = ledger.event(ref)
        except UNREADABLE:  # found by the audit
            return None
        return event.project_id if event and isinstance(event.project_id, str) else None


def _name_of(root: str) -> tuple[ProjectId | None, str]:
    """Its id; or None, and why `project.toml` does not say it."""
    toml = project.toml_of(root)
    try:
        if project.is_project(root):
            return project.identity(root).id, ""
    except BadInput as error:
        return None, error.message
    is_gone = os.path.isdir(project.folder_of(root)) and not os.path.lexists(toml)
    return None, f"{toml} is gone" if is_gone else ""


class HomeKnowledge:
    """`look` comes first: what is asked for depends on which chains the store has, if it can be read."""

    def __init__(self, resolved: ResolvedRequest, root: str) -> None:
        self._scene = resolved
        self._home = resolved.home
        self.root = root
        self._keys = [known.key for known in signing_keys.known(resolved.home)]
        self._origin = origin_of(root, resolved.home)
        self._here = note.place_of(self._origin.machine, root)
        self._entry = resolved.registry.at(root)
        self._named, self._unnamed = _name_of(root)

    def look(self, inside: StoreSays | None) -> None:
        self._chains = inside.chains if inside else ()
        self._projects = self._known_projects(inside)
        self._folders = self._of_this_place()
        self._look_at_acknowledgements(inside)
        self._look_at_heads()
        self._ours = self._written_here(inside)
        self._backed_up_here = self._ours | {i for i in self._chains if is_uuid(i) and not self._is_kept_elsewhere(i)}
        imported = self._backed_up_here - self._ours
        self.shared = {i for i in imported if is_shared(self._scene, self.root, LedgerId(i))}
        self.backups = [last for folder in self._backup_folders() for last in self._backed_up(folder)]
        self.seals = list(self._seals())
        self._short = list(self._short_backups(inside)) if inside else []
        self.is_foreign = inside is not None and not inside.is_own
        self.is_replaced = inside is not None and inside.is_replaced
        self.misplaced = list(self._misplaced(inside))

    def _known_projects(self, inside: StoreSays | None) -> set[ProjectId]:
        """As the events, `project.toml` and the registry name this one; they may differ."""
        found = set(inside.projects) if inside else set()
        if self._named:
            found.add(self._named)
        if self._entry:
            found.add(self._entry.project_id)
        return found

    def _look_at_acknowledgements(self, inside: StoreSays | None) -> None:
        self._acknowledgements = [a for f in self._folders.values() for a in head_files.acknowledged(f)]
        self._believed = [each for each in self._acknowledgements if self._is_believed(each, inside)]
        self.accepted = {head for each in self._believed for head in each.heads}

    def _look_at_heads(self) -> None:
        self._kept = list(self._signed_and_kept())
        self.false = list(self._kept_and_false())
        signed = ((anchor.signed, anchor.where) for anchor in anchors.anchored(self.root))
        self._anchored = [each for each in signed if note.signer(each[0], self._keys)]

    def _is_believed(self, said: Acknowledged, inside: StoreSays | None) -> bool:
        """Signed by a key of this home, and told by an event of the ledger: one of the two alone may be forged."""
        is_told = inside is not None and said.digest in inside.acknowledged
        return is_told and note.is_signed(said.text, said.signature, self._keys)

    def signed_here(self, text: str) -> Signed | None:
        try:
            signed = note.read(text)
        except BadInput:
            return None
        return signed if note.signer(signed, self._keys) else None

    def claims(self, chains: Container[str]) -> Iterator[Claim]:
        """Heads kept at home and anchored in git, but for what a person has acknowledged. Where this store wrote, a
        ledger must have come as far as was signed; another clone's may be further there than here."""
        for source, heads in ((KEPT, self._kept), (ANCHORED, self._anchored)):
            for head, where in heads:
                binds = self._binds(head)
                is_asked = binds or head.checkpoint.ledger_id in chains
                if is_asked and head_files.digest(head) not in self.accepted:
                    yield claim_of(head, where, binds, source=source)

    def _binds(self, head: Signed) -> bool:
        """It was signed in this place, or over the chain that this store writes to."""
        said, own = head.checkpoint, self._chains[0] if self._chains else ""
        return said.place == self._here or (said.ledger_id == own and own in self._ours)

    def _signed_and_kept(self) -> Iterator[tuple[Signed, str]]:
        for head in self._all_kept():
            if note.signer(head, self._keys):
                yield head, _KEPT_WHERE

    def _kept_and_false(self) -> Iterator[Claim]:
        """Heads in the home that no key of this home signed."""
        for head in self._all_kept():
            if not note.signer(head, self._keys) and head_files.digest(head) not in self.accepted:
                yield claim_of(head, _KEPT_WHERE, False, source=KEPT)

    def _all_kept(self) -> Iterator[Signed]:
        for folder in self._folders.values():
            for ledger_id in head_files.ledgers_in(folder):
                yield from (head.signed for head in head_files.kept(folder, ledger_id))

    def _of_this_place(self) -> dict[str, str]:
        """The folders of this project; and of any other that stood in this very place before."""
        known = {i: head_files.folder_for(self._home, i) for i in head_files.projects_in(self._home)}
        return {i: folder for i, folder in known.items() if i in self._projects or self._stood_here(folder)}

    def _stood_here(self, folder: str) -> bool:
        return any(self._was_signed_here(folder, ledger_id) for ledger_id in head_files.ledgers_in(folder))

    def _was_signed_here(self, folder: str, ledger_id: str) -> bool:
        last = head_files.last(folder, ledger_id)
        return last is not None and last.signed.checkpoint.place == self._here

    def _written_here(self, inside: StoreSays | None) -> set[str]:
        """The chains that this store, and no other clone, writes to or wrote to: by the last head of each, by the
        registry; the store's own word counts only where it says yes."""
        ours = {i for i in self._chains for f in self._folders.values() if self._was_signed_here(f, i)}
        ours |= set(self._entry.ledgers[:1]) if self._entry else set()
        there = inside.origin if inside else self._origin
        is_copy = there != self._origin and os.path.exists(ledger_path(there.root))
        return ours | (set() if is_copy else set(self._chains[:1]))

    def _is_kept_elsewhere(self, ledger_id: LedgerId) -> bool:
        """The backup of the chain belongs to another project of this home."""
        return other_keeper(self._scene, self.root, ledger_id) is not None

    def _backup_folders(self) -> set[str]:
        return {backup.folder_for(self._home, ProjectId(i)) for i in (*self._projects, *self._folders)}

    def _backed_up(self, folder: str) -> Iterator[Last]:
        """Of each chain that is here. A chain that another clone on this machine writes to may be further there."""
        for ledger_id in self._chains:
            last = event_files.last(folder, ledger_id) if is_uuid(ledger_id) else None
            if last:
                yield Last(
                    ledger_id=ledger_id,
                    seq=last.seq,
                    hash=last.hash,
                    event_id=last.id,
                    time=last.ts,
                    binds=ledger_id in self._ours,
                )

    def _seals(self) -> Iterator[Bound]:
        """What this home saw of each chain when it backed it up, where the backup itself does not say the same. A chain
        that another clone writes to may be further there than here."""
        said = {(last.ledger_id, last.seq, last.hash) for last in self.backups}
        for folder in self._backup_folders():
            key = existing_key(self._home, project.folder_of(self.root))
            for ledger_id in (i for i in event_files.ledgers_in(folder) if i in self._ours and i in self._chains):
                seal = backup_seals.read(folder, ledger_id, key)
                digest = seal and sha256(f"seal {ledger_id} {seal.seq} {seal.hash}".encode()).hexdigest()
                if seal and digest not in self.accepted and (ledger_id, seal.seq, seal.hash) not in said:
                    yield Bound(
                        ledger_id=ledger_id,
                        seq=seal.seq,
                        hash=seal.hash,
                        where="the seal of its backup",
                        digest=digest or "",
                        check=Check.BACKUP,
                    )

    def _short_backups(self, inside: StoreSays) -> Iterator[AuditFinding]:
        """Check 7: backups that end before what this home knows it backed up. One that is only behind, since nobody has
        written it yet, is none."""
        for ledger_id in (i for i in self._chains if i in self._backed_up_here and is_uuid(i)):
            taken_in = self._backed_up_with_import(ledger_id, inside)
            what = self._shortfall(ledger_id, inside.lengths[ledger_id], taken_in)
            if what:
                yield AuditFinding(Check.BACKUP, what, ledger_id)

    def _backed_up_with_import(self, ledger_id: LedgerId, inside: StoreSays) -> int:
        """Up to which event of an imported chain the backup must go, since the seal of our own chain covers the event
        that imported it."""
        sealed = max((seal.seq for seal in self._seals_of(inside.chains[0])), default=0)
        words = inside.words.get(ledger_id, ())
        return max((upto for place, upto in words if place <= sealed), default=0)

    def _shortfall(self, ledger_id: LedgerId, length: int, taken_in: int) -> str:
        sealed = max((seal.seq for seal in self._seals_of(ledger_id)), default=0)  # first: lines come before seals
        lasts = [event_files.last(folder, ledger_id) for folder in self._backup_folders()]
        kept = max((last.seq for last in lasts if last), default=0)
        signed = self._signed_size(ledger_id)
        if kept < min(sealed, length):
            return f"the backup ends after event {kept:,}, and this home sealed it up to event {sealed:,}"
        if not sealed and kept < min(signed, length):
            return f"the backup ends after event {kept:,}, has no seal, and {signed:,} events were signed"
        if 0 < kept < min(taken_in, length):
            return f"the backup ends after event {kept:,}, and was written up to event {taken_in:,}"
        if not taken_in and not own_ledgers.was_begun(self._home, ledger_id):
            return ""
        return "" if sealed else self._lack_of_a_backup(ledger_id, kept, must_be_there=length > 1 or taken_in > 0)

    def _lack_of_a_backup(self, ledger_id: LedgerId, kept: int, *, must_be_there: bool) -> str:
        """Of a chain without a seal."""
        if kept:
            return self._lack_of_a_seal(ledger_id)
        return "there is no backup of it" if must_be_there else ""

    def _lack_of_a_seal(self, ledger_id: LedgerId) -> str:
        """Asked again: one may have been made while we looked."""
        is_sealed = any(True for _ in self._seals_of(ledger_id))
        return "" if is_sealed else "the backup has no seal of this home: nothing proves what it says"

    def _seals_of(self, ledger_id: LedgerId) -> Iterator[Seal]:
        key = existing_key(self._home, project.folder_of(self.root))
        for folder in self._backup_folders():
            seal = backup_seals.read(folder, ledger_id, key)
            if seal:
                yield seal

    def _signed_size(self, ledger_id: LedgerId) -> int:
        """Of the largest head that was signed here and is kept in the home."""
        said = (head.checkpoint for head, _ in self._kept if head_files.digest(head) not in self.accepted)
        return max((c.size for c in said if c.ledger_id == ledger_id and c.place == self._here), default=0)

    def copies(self) -> dict[str, Iterator[bytes]]:
        """The lines of the backups of the chains that are backed up here."""
        found = {}
        for folder in self._backup_folders():
            for ledger_id in (i for i in event_files.ledgers_in(folder) if i in self._backed_up_here):
                found[str(ledger_id)] = event_files.lines(folder, ledger_id)
        return found

    def missing_outside(self, inside: Iterable[Claim]) -> Iterator[AuditFinding]:
        """Check 11: heads are kept outside before the ledger tells of them. One that only the ledger has was taken away
        from the home."""
        kept = {head_files.digest(head) for head, _ in self._signed_and_kept()}  # anew: others sign meanwhile
        gone = [claim for claim in inside if claim.digest not in kept]
        if gone:
            last = max(gone, key=lambda claim: claim.size)
            what = f"the home lacks {counted(len(gone), 'head')} that the ledger records, the last over {last.size:,}"
            yield AuditFinding(Check.HOME, what, last.ledger_id)

    def words_kept(self, withheld: Iterable[Ref]) -> Iterator[AuditFinding]:
        """Check 2: words that this store had, as its backup shows, were not withheld from it."""
        asked = set(withheld)
        for ledger_id in {ref.ledger_id for ref in asked}:
            for folder in self._backup_folders():
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

    def _misplaced(self, inside: StoreSays | None) -> Iterator[AuditFinding]:
        """Check 9: what Perdure's home knows of this folder, beside what the project says."""
        if self._named:
            yield from self._named_otherwise(self._named, inside)
        if inside and self.is_foreign:
            yield AuditFinding(Check.PLACE, foreign_ledger(self.root, self._scene.home).message, inside.chains[0])
        elif inside and self.is_replaced:
            yield AuditFinding(Check.PLACE, replaced_ledger(self.root, self._scene.home).message, inside.chains[0])
        if inside and inside.misstated_origin:
            yield AuditFinding(Check.PLACE, inside.misstated_origin, inside.chains[0])
        yield from self._tracked_by_git()
        for known in {each.path: each for each in (self._entry, self._stands_in()) if each}.values():
            if known.ledgers and not set(known.ledgers) & set(self._chains):
                yield AuditFinding(
                    Check.PLACE, f"{known.path} is known to hold ledger {short(known.ledgers[0])}; it is not here"
                )

    def _named_otherwise(self, named: ProjectId, inside: StoreSays | None) -> Iterator[AuditFinding]:
        """Where the home, or the ledger's last event, has another id than `project.toml`."""
        said = f"project.toml says that this is project {short(named)}"
        if self._entry and self._entry.project_id != named:
            known = short(self._entry.project_id)
            yield AuditFinding(Check.PLACE, f"{said}; it is known as {known}", way_out=_ID_WAY_OUT)
        last = inside.last_project if inside else None
        if last and last != named:
            yield AuditFinding(Check.PLACE, f"{said}; its last event {short(last)}", way_out=_ID_WAY_OUT)

    def _tracked_by_git(self) -> Iterator[AuditFinding]:
        untracking = git_index.untracking(self.root)
        if untracking:
            what = f"git tracks what only this home may write: whoever can push can replace it. {untracking}"
            yield AuditFinding(Check.PLACE, what, way_out=_GIT_WAY_OUT)
        let_in = git_ignore.warning(self.root)
        if let_in:
            yield AuditFinding(Check.PLACE, let_in)

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

    def findings(self) -> Iterator[AuditFinding]:
        """What is wrong with the home's side, or between the home and the project."""
        yield from self._odd()
        yield from self._short
        yield from self.misplaced
        for head in self.false:
            what = f"no signature holds of the head kept outside: ledger {short(head.ledger_id)}, {head.time}"
            yield AuditFinding(Check.HEADS, what, way_out=_SIGNERS_WAY_OUT)
        yield from (AuditFinding(Check.HEADS, what) for what in anchors.hidden(self.root))

    def _odd(self) -> Iterator[AuditFinding]:
        """Checks 9 and 11."""
        in_project = odd_files.in_project(self.root)
        yield from (AuditFinding(Check.PLACE, str(odd)) for odd in in_project)
        if self._unnamed and not any(odd.path == project.toml_of(self.root) for odd in in_project):
            yield AuditFinding(Check.PLACE, self._unnamed.rstrip("."))
        for odd in odd_files.in_home(self._home, self._projects):
            if odd.path == self._home:
                yield AuditFinding(Check.HOME, f"{odd}{_WITHOUT_HOME}", way_out=_HOME_WAY_OUT)
            else:
                yield AuditFinding(Check.HOME, str(odd))
        if not any(odd.path == project_file(self.root) for odd in in_project):
            yield from self._bad_settings()

    def _bad_settings(self) -> Iterator[AuditFinding]:
        """Checks 9 and 11: what is wrong in the settings, only a person can correct. A wrong variable stops every
        command."""
        try:
            chosen = load(self._home, self.root, self._scene.request.environment)
        except BadInput as error:
            yield AuditFinding(Check.PLACE, f"{error.message} {error.hint}".rstrip(". "), way_out=_SETTINGS_WAY_OUT)
            return
        for each in chosen.wrong[:MOST_WRONG_TOLD]:
            check = Check.HOME if each.path.startswith(self._home + os.sep) else Check.PLACE
            yield AuditFinding(check, each.words.rstrip(". "), way_out=_SETTINGS_WAY_OUT)

    def remarks(self) -> Iterator[str]:
        yield from anchors.unread(self.root)
        if not self._kept and not self._anchored:
            yield "no signed head is known: nothing shows whether the ledger was cut or rewritten"
        for each in self._acknowledgements:
            about = f"{counted(len(each.heads), 'head')} of ledger {short(each.ledger_id)} need not match"
            if each in self._believed:
                yield f"a person acknowledged on {each.at[:10]} that {about}: {each.because}"
            else:
                yield f"ignored, because no key of this home or no event of the ledger confirms it: {about}"
