"""Auditing: is the ledger what was written and signed, and proofs of it for others (SPEC 14.6, 14.7).

`proof/fsck.py` holds the ledger against what `actions/home_knowledge.py` knows of it from outside, and against what its
own chain says of heads and of other chains.
"""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial

from perdure.actions import (
    audit_trail,
    backup,
    erasures,
    handoffs,
    lookup,
    notes_view,
    project_ids,
    segments,
    signing,
    trajectory,
    transaction_files,
    wiring,
)
from perdure.actions.advice import about, errors_name_project
from perdure.actions.home_heads import INSIDE, claim_of
from perdure.actions.home_knowledge import HomeKnowledge
from perdure.actions.ledger_origin import begin_chain, ledger_path, register
from perdure.actions.record import Fact, record, without_credentials
from perdure.actions.request import resolve_request
from perdure.actions.store_statements import StoreStatements, chains_named_by_all
from perdure.errors import BadInput, Damaged, Doubted, PerdureError, Refused, Trouble
from perdure.files import read_text
from perdure.ledger.port import ALL_EVENTS
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.digest import sha256
from perdure.model.event import Ref
from perdure.model.ids import LedgerId, short, shown
from perdure.model.ownership import is_own
from perdure.model.value import replace, value
from perdure.place import project, rights
from perdure.place.own_instance import refuse_agent
from perdure.proof import bundle, merkle, signed_note
from perdure.proof.fsck import UNREADABLE, AuditFinding, AuditReport, Check, Claim, KnownElsewhere, NamedLedger, audit
from perdure.views import damage, event_files, head_files, signing_keys
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perdure.actions.anchors import Anchored
    from perdure.actions.request import Request, ResolvedRequest
    from perdure.actions.signing import SignedHead
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import AuditedLedger, ReadableLedger
    from perdure.model.event import Event, Head
    from perdure.model.ids import ProjectId
    from perdure.model.json import Json
    from perdure.proof.bundle import Object, Proved
    from perdure.proof.signed_note import PublicKey
    from perdure.views.head_files import Acknowledged, KeptHead
    from perdure.views.signing_keys import KnownSigner, Signer

SIGNED = "head.signed"
_NOT_THE_TRUTH = (Check.CHAIN, Check.GONE_PAYLOADS, Check.HEADS, Check.MERGED)
_LOOKS = 3
_TOLD = 80
"""Characters of a finding that `.perdure/unhealed` surely has."""
_MOST_SEGMENTS = 10
"""Segments that are named one by one."""


# -- is it what was written? -----------------------------------------------------------------------------------------


@value
class Verified:
    """Which project was looked at, what was found, and which heads really were tested and hold."""

    root: str
    ledger_id: str | None
    report: AuditReport
    remarks: tuple[str, ...]
    false: tuple[Claim, ...] = ()
    """Heads kept outside that no key known here signed."""
    is_foreign: bool = False
    """Another home wrote the ledger, or its file is not the one that this home wrote: nobody can accept what is wrong
    with it."""
    lost_payloads: int = 0
    """Payloads that an earlier `heal` found gone. Nobody redacted them."""
    ways_out: tuple[str, ...] = ()
    """What to do now, as it must be typed where the caller stands."""
    ends: tuple[Head, ...] = ()
    """Where the chains ended when this was looked at."""
    only_way_out: str = ""
    """What to do first, where `heal` refuses or needs a person because of the id in `project.toml`."""
    in_git: Anchored | None = None
    """The anchors that were read."""

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
    """Changes nothing in the record. A project that is gone altogether is judged by what is known of it outside. A
    ledger that is locked, or newer than we are, is not altered: that is raised as the trouble it is."""
    resolved = resolve_request(request)
    root = resolved.place.project_path
    project.refuse_another_users(root or resolved.place.plain_repository)
    if root is None:
        raise Refused("no_project", "There is no project here.", hint="perdure init, or --project-path.")
    with errors_name_project(resolved, root):
        verified = verify_at(resolved, root, progress)
    forget_unhealed(verified)
    findings = tuple(_named(finding, resolved, root) for finding in verified.report.findings)
    return replace(
        verified,
        report=replace(verified.report, findings=findings),
        ways_out=tuple(about(resolved, root, each) for each in ways_out(verified)),
    )


def _named(finding: AuditFinding, resolved: ResolvedRequest, root: str) -> AuditFinding:
    return replace(finding, what=about(resolved, root, finding.what))


def forget_unhealed(verified: Verified) -> None:
    """All is whole, so what an earlier `heal` could not repair was ended by a person: `status` need not say it."""
    folder = project.folder_of(verified.root)
    if not verified.is_whole or not damage.unhealed(folder):
        return
    try:
        damage.keep_unhealed(folder, "")
    except Trouble:
        return  # it cannot be written; the next `heal` that can removes it


_WAY_OUT = (
    "perdure heal brings back what the backup has. For what is still wrong after that, if the change was intended, a "
    "person runs perdure audit acknowledge --because …"
)
_AFTER_HEAL = (
    "what the last heal could not repair, perdure import takes in again from an export or a copy of the ledger; if it "
    "is lost for good, or the change was intended, a person runs perdure audit acknowledge --because …"
)
_OUT_OF_WRONG_NOTES = (
    "if you changed NOTES.md yourself, perdure notes take reports it as a fork; otherwise perdure heal writes it "
    "again and keeps a copy of the edited one"
)
_OUT_OF_WRONG_HANDOFFS = "perdure heal writes the handoffs again from the ledger, and sets other files aside"
_OUT_OF_WRONG_TRAJECTORY = "perdure heal writes the trajectory again from the ledger"
_KEEP = "perdure heal --keep ledger"
_OUT_OF_A_DISPUTE = (
    f"nothing proves which copy is right, as the last heal said. A person decides: {_KEEP}, or perdure heal --keep "
    "backup"
)
_OUT_OF_A_FOREIGN_LEDGER = (
    "perdure heal brings back what this home can prove, sets aside what is there, and says what becomes of it"
)


def ways_out(verified: Verified) -> list[str]:
    """First what only a person can do, since `heal` may stop there; then `heal`, where it can mend something; or what
    helps after it was run and could not."""
    findings = verified.report.findings
    if verified.only_way_out:
        return [verified.only_way_out]
    if verified.is_foreign:
        return [*dict.fromkeys(f.way_out for f in findings if f.way_out), _OUT_OF_A_FOREIGN_LEDGER]
    if _KEEP in damage.unhealed(project.folder_of(verified.root)):
        return [*dict.fromkeys(f.way_out for f in findings if f.way_out), _OUT_OF_A_DISPUTE]
    after_heal = _was_left_by_heal(verified)
    ways = [(after_heal and f.after_heal) or f.way_out or (_AFTER_HEAL if after_heal else _WAY_OUT) for f in findings]
    return sorted(dict.fromkeys(ways), key=lambda way: way in (_AFTER_HEAL, _WAY_OUT))


def _was_left_by_heal(verified: Verified) -> bool:
    """Whether the last `heal` already said what is found now: it wrote down the first of its findings."""
    left = damage.unhealed(project.folder_of(verified.root))
    return bool(left) and any(finding.what[:_TOLD] in left for finding in verified.report.findings)


def verify_at(
    resolved: ResolvedRequest,
    root: str,
    progress: Callable[[int, int], None],
    *,
    with_files: bool = True,
    in_git: Anchored | None = None,
) -> Verified:
    """`with_files` checks the transaction files, NOTES.md and the trajectory too. That waits for commands that are just
    writing them; `heal` need not wait, because it writes them itself afterwards. `in_git`: the anchors that an audit
    of this project found a moment ago.

    A redaction erases in one copy after the other. So this begins when none goes on, and if something is wrong and
    somebody wrote meanwhile, it looks again."""
    for left in reversed(range(_LOOKS)):
        if with_files:
            erasures.wait_until_settled(root)
        verified = _looked_at(resolved, root, progress, with_files=with_files, in_git=in_git)
        if verified.is_whole or not left or verified.ends == _ends(root):
            break
    return verified


def _ends(root: str) -> tuple[Head, ...]:
    """Where the chains end now; nothing where the ledger cannot be read, which is not a matter of the moment."""
    try:
        project.refuse_linked(root)
        with closing(wiring.STORE.open_audited(ledger_path(root))) as ledger:
            return tuple(ledger.heads())
    except (PerdureError, *UNREADABLE):
        return ()


def _looked_at(
    resolved: ResolvedRequest,
    root: str,
    progress: Callable[[int, int], None],
    *,
    with_files: bool,
    in_git: Anchored | None,
) -> Verified:
    try:
        project.refuse_linked(root)
    except Refused as error:
        return _without_ledger(resolved, root, Damaged("ledger_damaged", error.message, hint="perdure heal"))
    try:
        ledger = wiring.STORE.open_audited(ledger_path(root))
    except (Damaged, Trouble) as error:
        if isinstance(error, Trouble) and error.code != "no_ledger":
            raise
        return _without_ledger(resolved, root, error)
    try:
        # The home is read before the ledger, because others write meanwhile, and sign what they wrote.
        outside = HomeKnowledge(resolved, root, StoreStatements(ledger, resolved, root), in_git=in_git)
        with ledger.at_one_moment():
            verified = replace(_verified(ledger, outside, progress), ends=tuple(ledger.heads()))
        if with_files:
            verified = _with_transaction_files(verified, ledger, resolved.home)
            verified = _with_notes_and_trajectory(verified, ledger, resolved.home)
        return _with_segments(verified, ledger)
    except Damaged as error:
        return _without_ledger(resolved, root, error)
    except UNREADABLE as error:
        message = f"{ledger_path(root)} holds what no store writes ({type(error).__name__})."
        return _without_ledger(resolved, root, Damaged("ledger_damaged", message, hint="perdure heal"))
    finally:
        ledger.close()


def _with_transaction_files(verified: Verified, ledger: ReadableLedger, home: str) -> Verified:
    """Check 12. Not within the one moment of the rest: a file may be written just now. The files of a foreign ledger's
    transactions belong to the folder it came from."""
    if verified.is_foreign:
        return verified
    try:
        key = existing_key(home, project.folder_of(verified.root))
        wrong = transaction_files.wrong_files(ledger, verified.root, key)
        unknown = transaction_files.without_entry(ledger, verified.root, home, key=key)
    except UNREADABLE:  # the state is damaged, which is found already
        return verified
    said = [f"not as the ledger says: {', '.join(wrong)}"] if wrong else []
    said += [f"the home has no entry for the open transaction {short(each)}, so the gate denies" for each in unknown]
    found = (AuditFinding(Check.TRANSACTION_FILES, each) for each in said)
    return replace(verified, report=replace(verified.report, findings=(*verified.report.findings, *found)))


def _with_notes_and_trajectory(verified: Verified, ledger: ReadableLedger, home: str) -> Verified:
    """Checks 15 to 17. Of a ledger that is not the truth itself nothing can be said."""
    if verified.is_foreign or any(finding.check in _NOT_THE_TRUTH for finding in verified.report.findings):
        return verified
    key = existing_key(home, project.folder_of(verified.root))
    notes, lines = notes_view.faults(ledger, verified.root, key), trajectory.faults(ledger, verified.root, key)
    found = [AuditFinding(Check.NOTES, each, way_out=_OUT_OF_WRONG_NOTES) for each in notes]
    found += [AuditFinding(Check.TRAJECTORY, each, way_out=_OUT_OF_WRONG_TRAJECTORY) for each in lines]
    wrong = handoffs.faults(ledger, verified.root)
    found += [AuditFinding(Check.HANDOFFS, each, way_out=_OUT_OF_WRONG_HANDOFFS) for each in wrong]
    return replace(verified, report=replace(verified.report, findings=(*verified.report.findings, *found)))


def _with_segments(verified: Verified, ledger: AuditedLedger) -> Verified:
    """Check 13. Of a ledger that is not the truth itself nothing can be said."""
    if verified.is_foreign or any(finding.check in _NOT_THE_TRUTH for finding in verified.report.findings):
        return verified
    wrong = list(segments.faults(verified.root, ledger))
    found = [AuditFinding(Check.EXPORT, each.what, each.ledger_id) for each in wrong[:_MOST_SEGMENTS]]
    if len(wrong) > len(found):
        found.append(AuditFinding(Check.EXPORT, f"and {len(wrong) - len(found):,} more segments"))
    return replace(verified, report=replace(verified.report, findings=(*verified.report.findings, *found)))


def _without_ledger(resolved: ResolvedRequest, root: str, error: PerdureError) -> Verified:
    """Nothing is left to read but the heads: the last of each ledger says what was there."""
    outside = HomeKnowledge(resolved, root, None)
    claims = [claim for claim in outside.heads.claims(frozenset()) if claim.binds]
    last = {claim.ledger_id: claim for claim in sorted(claims, key=lambda claim: claim.size)}
    if not last and not outside.misplaced and not isinstance(error, Damaged) and not project.is_project(outside.root):
        raise error
    unchecked = "nothing of it could be checked"
    gone = AuditFinding(Check.CHAIN, f"the ledger cannot be read: {error.message}")
    lost = [
        AuditFinding(
            Check.HEADS, f"{claim.size:,} events were here, signed {claim.time}", claim.ledger_id, lacks=unchecked
        )
        for claim in last.values()
    ]
    report = AuditReport(
        events=0, ledgers=0, redacted=0, held=(), findings=(*outside.findings(), gone, *lost), failed=tuple(claims)
    )
    return Verified(
        root=outside.root,
        ledger_id=None,
        report=report,
        remarks=tuple(outside.heads.remarks()),
        false=tuple(outside.heads.unsigned),
        only_way_out=project_ids.only_way_out(resolved, root),
    )


def _verified(ledger: AuditedLedger, outside: HomeKnowledge, progress: Callable[[int, int], None]) -> Verified:
    heads = ledger.heads()
    inside = _heads_inside(ledger, outside)
    bound, taken_in, unbound = _said_of_others(ledger, outside)
    claims = [*outside.heads.claims({head.ledger_id for head in heads}), *inside.signed]
    total = sum(head.seq for head in heads)
    against = KnownElsewhere(
        claims=tuple(dict.fromkeys(claims)),
        backups=outside.backups.last_lines,
        bound=[*bound, *outside.backups.seals],
        copies=outside.backups.copies(),
        taken_in=taken_in,
        accepted=outside.heads.accepted,
        shared=outside.backups.shared,
    )
    report = audit(ledger, against, event_files.WITHHELD_KINDS, progress=lambda count: progress(count, total))
    empty = [
        AuditFinding(Check.CHAIN, "a chain without any event", head.ledger_id)
        for head in heads
        if not head.seq and total
    ]
    findings = (
        *outside.findings(),
        *outside.heads.missing(inside.signed),
        *empty,
        *inside.findings,
        *unbound,
        *report.findings,
        *outside.backups.withheld_but_backed_up(report.withheld),
        *_came_back(ledger, outside),
        *_wrong_notes(ledger, outside),
    )
    false = (*outside.heads.unsigned, *inside.strange)
    lost = _lost_payloads(ledger)
    report = replace(report, findings=findings, redacted=max(report.redacted - lost, 0))
    return Verified(
        root=outside.root,
        ledger_id=heads[0].ledger_id,
        report=report,
        lost_payloads=lost,
        remarks=(*outside.heads.remarks(), *_accepted_places(ledger), *_open_to_others(outside)),
        false=false,
        is_foreign=outside.is_foreign or outside.is_replaced,
        only_way_out=project_ids.only_way_out(outside.resolved, outside.root) if outside.is_foreign else "",
        in_git=outside.heads.in_git,
    )


def _open_to_others(outside: HomeKnowledge) -> list[str]:
    """No finding, since on some disks nothing can change it."""
    return [f"{each}: perdure heal" for each in rights.exposed(outside.resolved.home, project.folder_of(outside.root))]


def _lost_payloads(ledger: ReadableLedger) -> int:
    try:
        lost = [Ref(i, seq) for i, seqs in erasures.lost_in(ledger).items() for seq in seqs]
        return sum(1 for ref in lost if (event := ledger.event(ref)) and event.payload is None)
    except UNREADABLE:  # found by the audit
        return 0


def _came_back(ledger: ReadableLedger, outside: HomeKnowledge) -> Iterator[AuditFinding]:
    """Check 14."""
    try:
        for event in erasures.came_back(outside.resolved, outside.root, ledger):
            yield AuditFinding(
                check=Check.REDACTED,
                what="this home redacted its payload, and it is here again: a ledger from before that was put back",
                ledger_id=event.ledger_id,
                seq=event.seq,
                event_id=event.id,
                time=event.ts,
            )
    except (BadInput, *UNREADABLE):  # project.toml or the ledger cannot be read, which is found already
        return


def _wrong_notes(ledger: ReadableLedger, outside: HomeKnowledge) -> Iterator[AuditFinding]:
    """Check 14, too: whether these notes are as this home wrote them. Those of a foreign ledger's folder were written
    by another home."""
    if outside.is_foreign or outside.is_replaced:
        return
    try:
        for path, what in erasures.wrong_notes(outside.resolved, outside.root, ledger).items():
            yield AuditFinding(Check.REDACTED, f"{path} {what}")
    except (BadInput, Trouble, *UNREADABLE):  # something else stands there, which is found already
        return


def _accepted_places(ledger: ReadableLedger) -> Iterator[str]:
    """What a person acknowledged that concerns no head: that the project has another id, or stands elsewhere."""
    try:
        for event in ledger.latest(["restore.acknowledged"], ALL_EVENTS):
            said = p.read(event, p.RestoreAcknowledged)
            if said and not said.heads and is_own(event, ledger.own()):
                yield f"a person acknowledged on {event.ts[:10]} where this project belongs: {said.because}"
    except UNREADABLE:  # found by the audit
        return


@value
class _HeadsInside:
    """Heads of the chain this store writes to that the ledger tells of: those a key of this home signed, and others."""

    signed: tuple[Claim, ...]
    strange: tuple[Claim, ...]
    findings: tuple[AuditFinding, ...]


def _heads_inside(ledger: ReadableLedger, outside: HomeKnowledge) -> _HeadsInside:
    """Whoever can write the ledger can write heads into it that nobody of this home signed. A redacted head says
    nothing; nor does one in which the masking took something for a secret."""
    signed: list[Claim] = []
    strange: list[Claim] = []
    findings: list[AuditFinding] = []
    own = ledger.head().ledger_id
    try:
        for event in ledger.latest([SIGNED], ALL_EVENTS):
            said = p.read(event, p.HeadSigned)
            if said is None or "$masked" in (event.payload or {}):
                continue
            where = f"event {event.seq} of the ledger"
            ours = outside.heads.signed_here(said.note)
            if ours is not None:
                signed.append(claim_of(ours, where, False, source=INSIDE))
            elif event.ledger_id == own:
                strange.append(_claim_of_a_stranger(said, event, where))
    except UNREADABLE as error:
        findings.append(AuditFinding(Check.INDEXES, f"heads in the ledger cannot be read: {_words(error)}"))
    signed = [claim for claim in signed if claim.digest not in outside.heads.accepted]
    strange = [claim for claim in strange if claim.digest not in outside.heads.accepted]
    if strange:
        what = f"{len(strange):,} heads in the ledger are not signed by a key of this home"
        findings.append(AuditFinding(check=Check.HOME, what=what, ledger_id=own, seq=strange[0].size + 1))
    return _HeadsInside(tuple(signed), tuple(strange), tuple(findings))


def _claim_of_a_stranger(said: p.HeadSigned, event: Event, where: str) -> Claim:
    digest = sha256(said.note.encode("utf-8", "surrogatepass")).hexdigest()
    return Claim(
        ledger_id=event.ledger_id,
        size=event.seq - 1,
        root=b"",
        time=event.ts,
        where=where,
        binds=False,
        source=INSIDE,
        digest=digest,
    )


def _said_of_others(
    ledger: ReadableLedger, outside: HomeKnowledge
) -> tuple[list[NamedLedger], dict[str, int], list[AuditFinding]]:
    """What the chain this store writes to says of the chains it took in, and of those it goes on from; and up to which
    event each of them was taken in. Whether that chain is what was written, the audit tells. What an earlier chain of
    this store says counts too: a restore may not have found all that was taken in."""
    found: list[NamedLedger] = []
    unread: list[AuditFinding] = []
    try:
        own = ledger.own()
        said = ledger.latest(["ledger.merged", "ledger.opened"], ALL_EVENTS)
        found = chains_named_by_all(event for event in said if is_own(event, own))
    except UNREADABLE as error:
        unread.append(AuditFinding(Check.INDEXES, f"what was taken in cannot be read: {_words(error)}"))
    taken_in: dict[str, int] = {}
    for bound in found:
        taken_in[bound.ledger_id] = max(bound.seq, taken_in.get(bound.ledger_id, 0))
    return [bound for bound in found if bound.digest not in outside.heads.accepted], taken_in, unread


def _words(error: BaseException) -> str:
    return error.message if isinstance(error, PerdureError) else type(error).__name__


# -- heads -----------------------------------------------------------------------------------------------------------


def heads(desk: Desk) -> list[KeptHead]:
    """Those kept outside of every ledger in this store, in the order of their times."""
    folder = signing.heads_folder(desk)
    known = {head.ledger_id for head in desk.ledger.heads()}
    found = [head for i in head_files.ledgers_in(folder) if i in known for head in head_files.kept(folder, i)]
    return sorted(found, key=lambda head: head.signed.tree_head.time)


def keys(home: str) -> list[KnownSigner]:
    """Every key that ever signed here, oldest first: the last one signs."""
    return signing_keys.known(home)


def is_signed_by(text: str, keys: list[PublicKey]) -> bool:
    """Is this a head that one of the keys signed?"""
    try:
        return signed_note.signer(signed_note.read(text), keys) is not None
    except BadInput:
        return False


def rotate_key(request: Request) -> None:
    resolved = resolve_request(request)
    message = "Only a person may change the key that signs the record."
    refuse_agent(resolved.place, resolved.around, message, roots=(resolved.place.project_path or "",))
    signing_keys.rotate(resolved.home, moment.stamp(request.now()))


# -- proofs ----------------------------------------------------------------------------------------------------------


def prove(desk: Desk, typed: str, session_id: str | None = None) -> Object:
    """Proves that a record is in the ledger; or, with a session, that it is one of those the session was sealed
    with."""
    event = lookup.event(desk.ledger, "event", typed, listed_by="perdure export")
    proof = _in_ledger(desk, event) if session_id is None else _in_session(desk, event, session_id)
    return _that_holds(desk, proof)


def _that_holds(desk: Desk, proof: Object) -> Object:
    """No proof is given out that does not verify: of an event that was altered, over a tree that was altered."""
    try:
        bundle.verify(bundle.written(proof), _known(desk))
    except (BadInput, Refused) as error:
        raise Doubted(
            "head_differs", f"No proof can be given. {error.message}", hint="perdure audit verify says what and where."
        ) from error
    return proof


def _in_ledger(desk: Desk, event: Event) -> Object:
    head = _head_over(desk, event.ledger_id, event.seq)
    size = head.signed.tree_head.size
    path = merkle.inclusion(event.seq - 1, size, partial(desk.ledger.node, event.ledger_id))
    return bundle.inclusion(event, size, path, root=head.signed.tree_head.root, head=head.note, key=_key_of(desk, head))


def _in_session(desk: Desk, event: Event, session_id: str) -> Object:
    sealed = audit_trail.finalizing_event(desk, session_id)
    records = list(audit_trail.records_of_session(desk, session_id))
    index = next((number for number, each in enumerate(records) if each.id == event.id), None)
    if index is None:
        message = f"Event {short(event.id)} is not one of the {len(records)} records of that audit session."
        raise Refused("not_in_session", message, hint="perdure audit prove without --session proves it in the ledger.")
    at = merkle.over([merkle.leaf(bytes.fromhex(each.hash)) for each in records])
    path, root = merkle.inclusion(index, len(records), at), merkle.root(len(records), at)
    return bundle.session(
        session_id, event, index, size=len(records), path=path, root=root, sealed=_in_ledger(desk, sealed)
    )


def prove_growth(desk: Desk, old: int) -> Object:
    """Proves that the ledger as it was with `old` events is the beginning of what it is now."""
    own = desk.ledger.head()
    if not 1 <= old <= own.seq:
        raise BadInput("bad_size", f"--since must be from 1 to {own.seq:,}, the events of this ledger.")
    head = _head_over(desk, own.ledger_id, max(old, own.seq - 1))
    size, at = head.signed.tree_head.size, partial(desk.ledger.node, own.ledger_id)
    path, old_root = merkle.consistency(old, size, at), signing.root_of(desk.ledger, own.ledger_id, old)
    root = head.signed.tree_head.root
    key = _key_of(desk, head)
    return _that_holds(
        desk, bundle.consistency(own.ledger_id, old, old_root, size=size, path=path, root=root, head=head.note, key=key)
    )


def _head_over(desk: Desk, ledger_id: LedgerId, seq: int) -> SignedHead:
    """The last head that was kept, if it is over this event; else one that is signed now."""
    last = signing.last_signed(desk, ledger_id)
    if last and last.signed.tree_head.size >= seq:
        said = last.signed.tree_head
        if signing.root_of(desk.ledger, ledger_id, said.size) == said.root:
            return signing.SignedHead(last.note, last.signed)
    return signing.sign(desk, "prove", ledger_id)


def _known(desk: Desk) -> list[PublicKey]:
    return [known.key for known in signing_keys.known(desk.resolved.home)]


def _key_of(desk: Desk, head: SignedHead) -> PublicKey:
    key = signed_note.signer(head.signed, _known(desk))
    if key is None:
        raise Doubted(
            "head_differs", "The head is not signed by a key that is known here.", hint="perdure audit verify"
        )
    return key


def verify_proof(text: str, home: str, given: str | None) -> Proved:
    """With no ledger and no network. `given` is the key the reader trusts, or a file that holds it; else those known in
    Perdure's home are."""
    trusted = (
        [known.key for known in signing_keys.known(home)] if given is None else [signed_note.read_vkey(_vkey(given))]
    )
    return bundle.verify(text, trusted)


def _vkey(given: str) -> str:
    text = read_text(given) if os.path.isfile(given) else None
    if text is None and "+" not in given and os.sep in given:
        raise BadInput("bad_path", f"There is no file {shown(given)}.", hint="--key takes the key, or a file with it.")
    return given if text is None else text


# -- a person's word -------------------------------------------------------------------------------------------------


@value
class AcceptedRecord:
    because: str
    ledgers: tuple[Acknowledged, ...]
    new_chain: bool
    places: tuple[str, ...] = ()
    """What was found about where the project belongs."""


def acknowledge(request: Request, desk: Desk, because: str) -> AcceptedRecord:
    """Heads that do not hold are accepted as such: what was put back, or lost, was so on purpose. Where that concerns
    the chain the store writes to, it goes on in a new one: none may be written twice from the same point
    (docs/adr/0005)."""
    desk.refuse_agent("Only a person may accept that the record was put back.")
    if not because.strip():
        raise BadInput("no_reason", "An acknowledgement needs a reason.", hint="--because 'restored from Monday'")
    verified = verify(request, lambda *_: None)
    broken = _not_holding(verified)
    places = tuple(finding.what for finding in verified.report.findings if finding.check == Check.PLACE)
    if not (broken or places or desk.accepted_id):
        raise Refused("nothing_to_acknowledge", "Every signed head holds: there is nothing to acknowledge.")
    _refuse_another_id_of_damaged_record(desk, verified)
    is_settled = _settles_first(desk)
    at = moment.stamp(desk.now())
    because = without_credentials(because)  # it is kept in the home, too
    signer = signing_keys.signer(desk.resolved.home, at)
    said = tuple(
        _accepted(verified, i, digests, at=at, because=because, signer=signer) for i, digests in sorted(broken.items())
    )
    folder = signing.heads_folder(desk)
    for each in said:
        head_files.acknowledge(folder, each)  # outside first: a crash in between leaves one that nobody believes
    own = desk.ledger.head().ledger_id
    is_own = any(each.ledger_id == own for each in verified.report.failed)
    if is_own:
        begin_chain(desk, "restored")
    record(desk, [Fact("restore.acknowledged", p.RestoreAcknowledged(because, _listed(said)))])
    if not is_settled:
        desk.settle_place()
    register(desk)
    after = verify_at(desk.resolved, desk.root, lambda *_: None)
    if after.is_whole:
        damage.keep_unhealed(desk.folder, "")
    return AcceptedRecord(because, said, is_own, places=places)


def _listed(accepted: Iterable[Acknowledged]) -> tuple[dict[str, Json], ...]:
    return tuple({"ledger_id": each.ledger_id, "above": each.above, "digest": each.digest} for each in accepted)


def _settles_first(desk: Desk) -> bool:
    """Whether the ledger is settled in its place. Opening the desk has left that out where the project has another id.
    A copy begins a chain of its own before anything is recorded. In a ledger that was moved, no event but the
    acknowledgement may be the first under another id, so that is settled after it."""
    if not desk.accepted_id:
        return True
    if desk.was_moved():
        return False
    desk.settle_place()
    return True


def _refuse_another_id_of_damaged_record(desk: Desk, verified: Verified) -> None:
    """If the backup of the chain is kept under the id that the home knows, nothing would mend the damage under another
    one, and what is recorded next would take the place of what the backup still has."""
    other = project_ids.other_id(desk.resolved, desk.root, desk.ledger)
    damage_found = [finding for finding in verified.report.findings if finding.check != Check.PLACE]
    if other and damage_found and _has_backup_under(desk, other) and not _has_backup_under(desk, desk.identity.id):
        raise Refused(
            "damaged_under_another_id",
            f"{project.toml_of(desk.root)} has another id than this home knows, and the record is damaged as well: "
            f"{damage_found[0].what}. Nothing was accepted.",
            hint=f'Put back id = "{other}" and run perdure heal. If the change of the id was intended, make it again '
            "then, and acknowledge it.",
        )


def _has_backup_under(desk: Desk, id: ProjectId) -> bool:
    return desk.ledger.head().ledger_id in event_files.ledgers_in(backup.folder_for(desk.resolved.home, id))


def _not_holding(verified: Verified) -> dict[str, list[str]]:
    """By ledger: the digest of each head, and of each word of the ledger on another, that does not hold."""
    found: dict[str, list[str]] = {}
    for each in (*verified.report.failed, *verified.false):
        found.setdefault(each.ledger_id, []).append(each.digest)
    return found


def _accepted(
    verified: Verified, ledger_id: str, digests: list[str], *, at: str, because: str, signer: Signer
) -> Acknowledged:
    sizes = [c.size for c in verified.report.failed if isinstance(c, Claim) and c.ledger_id == ledger_id]
    held = [
        c.size for c in verified.report.held if c.ledger_id == ledger_id and c.size < min(sizes, default=ALL_EVENTS)
    ]
    said = head_files.Acknowledged(
        ledger_id=ledger_id, above=max(held, default=0), at=at, because=because, heads=tuple(dict.fromkeys(digests))
    )
    return replace(said, signature=signed_note.signature_of(said.text, signer.key, signer.sign))
