"""Healing: whatever can be derived is derived again, and what was lost is said (SPEC 16.3).

What is wrong, `actions/auditing.verify` says: `heal` and `audit verify` cannot disagree. A ledger that is damaged, cut
or rewritten is set aside and brought back (`actions/restoring.py`); state and indexes are made again from the events;
views, heads and the backup are written again. What only a person may decide is said, with the command that decides it.
"""

from __future__ import annotations

import os
from contextlib import closing

from perdure.actions import (
    auditing,
    backup,
    derived_views,
    erasures,
    lost_documents,
    odd_files,
    other_repository,
    project_ids,
    restoring,
    segments,
    signing,
    transaction_files,
    wiring,
)
from perdure.actions.advice import about, errors_name_project
from perdure.actions.ledger_origin import (
    ORIGIN_CORRECTED,
    begin_chain_in,
    doubt_what_git_brought,
    is_left_to_us,
    is_own_ledger,
    is_replaced,
    is_shared,
    ledger_path,
    other_keeper,
    proved_id,
    refuse_to_set_aside,
    register,
    renew_store,
)
from perdure.actions.place_findings import GIT_WAY_OUT
from perdure.actions.record import Fact, draft, draft_for, record
from perdure.actions.request import ResolvedRequest, resolve_request
from perdure.actions.view_healing import mend_views, name_new_folder, put_away_bindings
from perdure.actions.wiring import Desk, announce, create_project_folder, open_desk_at
from perdure.errors import BadInput, Damaged, PerdureError, Refused, Trouble
from perdure.files import FolderLock, make_folder, take_away_unfinished
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.event import Event, Ref
from perdure.model.ids import LedgerId, short
from perdure.model.plural import counted
from perdure.model.value import replace, value
from perdure.place import project, rights
from perdure.place.own_instance import is_agent, refuse_agent
from perdure.place.refusals import is_refused_plain_repository, way_back
from perdure.proof import reconcile
from perdure.proof.fsck import UNREADABLE, WHAT, Check, Claim
from perdure.views import backup_seals, damage, event_files, head_files, store_secrets
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from perdure.actions.anchors import Anchored
    from perdure.actions.auditing import Verified
    from perdure.actions.odd_files import OddFile
    from perdure.actions.request import Request
    from perdure.actions.restoring import Decided, Restored
    from perdure.ledger.port import AuditedLedger, ReadableLedger
    from perdure.model.event import Head
    from perdure.model.ids import ProjectId
    from perdure.model.json import Json
    from perdure.model.moment import Moment
    from perdure.proof.signed_note import PublicKey

_PARTS = {
    **dict.fromkeys((Check.CHAIN, Check.GONE_PAYLOADS, Check.HEADS, Check.MERGED), "ledger"),
    **dict.fromkeys((Check.TREE, Check.INDEXES, Check.STATE, Check.SCHEMA), "state"),
    Check.BACKUP: "backup",
    **dict.fromkeys((Check.TRANSACTION_FILES, Check.NOTES, Check.TRAJECTORY, Check.HANDOFFS), "views"),
    Check.EXPORT: "export",
}
"""What `heal` calls the parts that the audit's checks look at; what is not listed is called as the audit calls it."""
_ORDER = ("ledger", "backup", "state", "views", "export")
_LEFT_OUT_BEFORE = (restoring.BACKUP, restoring.EXPORT)
"""An earlier heal may have left their ends out, in a ledger that is whole since."""
_NEEDS_RECOVERY = {Check.CHAIN, Check.GONE_PAYLOADS, Check.HEADS, Check.BACKUP, Check.MERGED, Check.SCHEMA}
"""Findings for which the ledger and its copies are compared, and the right one is kept."""
_DAMAGE = {Check.CHAIN, Check.GONE_PAYLOADS, Check.SCHEMA}
"""Findings for which the ledger itself is written anew. What no copy has of an imported chain, a new ledger would lack
too."""
_REBUILT = {Check.TREE, Check.INDEXES, Check.STATE}


@value
class PartChecked:
    part: str
    is_whole: bool
    detail: str
    way_out: str = ""
    """What helps, where `heal` does not."""
    is_seen_by_status: bool = False
    """`status` looks for it too, so the last healing need not tell it."""


@value
class Healed:
    root: str
    findings: tuple[PartChecked, ...]
    mended: tuple[str, ...]
    lost: tuple[str, ...]
    events: int
    ways_out: tuple[str, ...] = ()
    """What to do about what is not whole."""
    is_overtaken: bool = False
    """Somebody else wrote after it was healed and before it was looked at."""

    @property
    def is_whole(self) -> bool:
        return all(finding.is_whole for finding in self.findings)


def check(request: Request, progress: Callable[[int], None]) -> Healed:
    """Looks, and changes nothing."""
    resolved = resolve_request(request)
    root = _root(resolved)
    if is_refused_plain_repository(resolved.place):
        resolved.request.tell(resolved.notice_of(root) + f" {resolved.place.plain_repository} is not a project.")
    if not project.is_project(root):
        kept = other_repository.left_out(resolved, root)
        what = f"{kept.words} {kept.way_back}" if kept else _why_no_project(root)
        return Healed(root=root, findings=(PartChecked("folder", False, what),), mended=(), lost=(), events=0)
    return _named(_looked_at(resolved, root, progress), resolved)


def _named(healed: Healed, resolved: ResolvedRequest) -> Healed:
    """With commands as they must be typed where the caller stands."""

    def all_named(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(about(resolved, healed.root, text) for text in texts)

    findings = (replace(each, detail=about(resolved, healed.root, each.detail)) for each in healed.findings)
    return replace(
        healed,
        findings=tuple(findings),
        mended=all_named(healed.mended),
        lost=all_named(healed.lost),
        ways_out=all_named(healed.ways_out),
    )


def _why_no_project(root: str) -> str:
    for odd in odd_files.in_project(root):
        return str(odd)
    folder = project.folder_of(root)
    return f"{project.toml_of(root) if os.path.isdir(folder) else folder} is gone"


def _nothing_more(root: str) -> list[str]:
    return []


def heal(
    request: Request,
    progress: Callable[[int], None],
    keep: str | None = None,
    *,
    also: Callable[[str], list[str]] = _nothing_more,
) -> Healed:
    """`keep`: the copy that a person chose where nothing proves which one is right (`restoring.CHOICES`). `also` mends
    what lies outside the record, and says what."""
    resolved = resolve_request(request)
    announce(resolved)
    root = _root(resolved)
    with errors_name_project(resolved, root):
        healed = _healed(resolved, root, progress, keep=keep, also=also)
        if not healed.is_whole and healed.is_overtaken:
            again = _healed(resolved, root, progress, also=also)
            healed = replace(again, mended=(*healed.mended, *again.mended), lost=(*healed.lost, *again.lost))
        return _named(healed, resolved)


def heal_for_hook(resolved: ResolvedRequest, root: str) -> Healed:
    """`heal`, by a client that starts a session or sends a prompt; it decides nothing that is a person's to decide."""
    with errors_name_project(resolved, root):
        return _named(_healed(resolved, root, lambda _: None), resolved)


def _healed(
    resolved: ResolvedRequest,
    root: str,
    progress: Callable[[int], None],
    *,
    keep: str | None = None,
    also: Callable[[str], list[str]] = _nothing_more,
) -> Healed:
    if keep is not None:
        message = "Only a person may decide which copy of the record is true."
        refuse_agent(resolved.place, resolved.around, message, roots=(root,))
    _refuse_to_mix(resolved, root)
    back = put_known_id_back(resolved, root)
    if not project.is_project(root) or not os.path.exists(ledger_path(root)):
        refuse_without_home(resolved)
    asides, known = set(restoring.stores_set_aside(root)), lost_documents.before(resolved, root)
    mended = back + _set_odd_files_aside(resolved, root)
    mended += [f"{path} written" for path in create_project_folder(resolved, root)]
    mended += _mend_registry(resolved, root)
    erasures.wait_until_settled(root)  # here, since who redacts needs the lock as well
    with FolderLock(project.folder_of(root)):  # two that heal at once would each set the other's new ledger aside
        mended += _mend_structure(resolved, root)
        ledger = _mend_ledger(resolved, root, progress, keep=keep)
    mended += ledger.mended
    lost = [*ledger.lost]
    with open_desk_at(resolved, root) as desk:
        lost += _own_up_to_lost_payloads(desk)
        damage.clear(desk.folder)
        mended += name_new_folder(desk)
        mended += _catch_up(desk)
        lost += lost_documents.newly_lost(desk.ledger, known)
        mended += _erase_again(desk)
        mended += mend_views(desk)
        mended += derived_views.rebuild(desk)
        if ledger.is_proved:  # else the backup may be the better copy
            mended += _mend_backup(desk)
            mended += _mend_segments(desk)
        mended += put_heads_back(desk)
        mended += _drop_damaged_heads(desk)  # now that those of which they are copies are there
        _register_where_possible(desk)
        store_secrets.mark_again(desk.folder, desk.ledger.secret())
        mended += _redacted_in_asides(desk, asides)
        mended += put_away_bindings(resolved)
        mended += [each.rstrip(".") for each in rights.close(resolved.home, desk.folder)]
        mended += also(root)
        if mended or not lost_documents.recorded(desk.ledger).issuperset(lost):
            record(desk, [Fact("ledger.healed", p.LedgerHealed(tuple(mended), tuple(lost)))])
        desk.back_up()
        healed_to = tuple(desk.ledger.heads())
    after = _looked_at(resolved, root, progress, healed_to=healed_to, in_git=ledger.in_git)
    return replace(after, mended=tuple(mended), lost=tuple(lost))


def _refuse_to_mix(resolved: ResolvedRequest, root: str) -> None:
    """Refuses, before anything is changed, where a person must say first what belongs together: this home and the
    ledger that is there, or a record that this home keeps and this repository."""
    is_there = os.path.lexists(ledger_path(root))
    foreign = foreign_chain(resolved, root)
    if is_there and foreign is None:
        return
    if foreign:
        refuse_to_set_aside(resolved, root, foreign)
    if project_ids.known_otherwise(resolved, root):
        return
    kept = None if is_there else other_repository.left_out(resolved, root)
    if kept:
        raise other_repository.refusal(kept)
    other_repository.refuse_claimed_id(resolved, root)


def put_known_id_back(resolved: ResolvedRequest, root: str) -> list[str]:
    """If the ledger is gone or cannot be believed, and the home keeps the record under another id than `project.toml`
    has: writes that id there. Else the record would not be found, and an empty one would be begun."""
    kept = project_ids.known_otherwise(resolved, root)
    if kept is None or _says_which_project(resolved, root):
        return []
    if is_agent(resolved.place, resolved.around, root):
        project_ids.refuse_to_begin(resolved, root)
    return [project_ids.put_back(root, kept)]


def _says_which_project(resolved: ResolvedRequest, root: str) -> bool:
    """Whether the ledger in its place is one that this home wrote and believes, or proves the id in `project.toml`."""
    if foreign_chain(resolved, root):
        return False
    ledger = _live(root)
    if ledger is None:
        return False
    with closing(ledger):
        try:
            in_toml = project.identity(root).id
            if proved_id(resolved.home, root, ledger, ids={in_toml}) == in_toml:
                return True
        except UNREADABLE:  # damaged, which the audit says
            return False
    return doubt_what_git_brought(resolved, root) is None and not _is_replaced(resolved, root)


def _tell_status(root: str, findings: Iterable[PartChecked]) -> None:
    """`status` does not verify the ledger. It shows what the last healing could not repair."""
    wrong = [finding for finding in findings if not finding.is_whole and not finding.is_seen_by_status]
    more = f"; and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    damage.keep_unhealed(project.folder_of(root), f"{wrong[0].part}: {wrong[0].detail}{more}" if wrong else "")


def _redacted_in_asides(desk: Desk, before: set[str]) -> list[str]:
    """What is said of the ledgers that were set aside since, if they have payloads that were redacted."""
    new = [path for path in restoring.stores_set_aside(desk.root) if path not in before]
    return [said for path in new if (said := restoring.still_redacted_in(desk.ledger, path))]


def _register_where_possible(desk: Desk) -> None:
    """Only the project must be writable (SPEC 3.2)."""
    try:
        register(desk)
    except Trouble:
        return  # the backup, which lies there too, is reported as behind


def _root(resolved: ResolvedRequest) -> str:
    """Here a project may be gone from disk: what the registry or a binding remembers of it is enough. A folder that
    nobody remembers as a project is not made one by healing it."""
    root = resolved.place.project_path
    project.refuse_another_users(root or resolved.place.plain_repository)
    if root is None:
        raise Refused("no_project", "There is no project here to heal.", hint="Run perdure init in the repository.")
    if not os.path.isdir(root):
        raise Refused("project_vanished", f"The folder {root} is gone.", hint=way_back(root))
    if not other_repository.was_project(resolved, root):
        raise other_repository.never_was(root)
    return root


def _set_odd_files_aside(resolved: ResolvedRequest, root: str) -> list[str]:
    """Changes nothing if the home itself is not a folder: the audit says what to do."""
    now = resolved.request.now()
    in_project = odd_files.in_project(root)
    _refuse_folder_that_is_elsewhere(root, in_project)
    mended = [_set_aside(odd, now) for odd in in_project]
    mended += _set_bad_identity_aside(resolved, root)
    try:
        in_home = odd_files.in_home(resolved.home, _projects_here(resolved, root))
        mended += [_set_aside(odd, now) for odd in in_home if odd.path != resolved.home]
    except Trouble:
        return mended  # the home cannot be written; the audit says what stands there
    return mended


def refuse_without_home(resolved: ResolvedRequest) -> None:
    """Where something else is in the place of the home's folder, it is not known whose the ledger is, and no backup is
    there: to replace the ledger could lose what the folder would bring back."""
    for odd in odd_files.in_home(resolved.home, ()):
        if odd.path == resolved.home:
            raise Refused(
                "home_replaced",
                f"{odd}, so nothing proves whose the ledger is, and no backup can be read. Nothing was changed.",
                hint=f"A person moves {resolved.home} away and puts the folder back. If that is lost for good: move it "
                "away, and perdure heal then begins a new ledger and says how to take the old one in.",
                details={"path": resolved.home},
            )


def _set_aside(odd: OddFile, now: Moment) -> str:
    return f"{odd}; it is set aside as {odd_files.set_aside(odd.path, now)}"


def _refuse_folder_that_is_elsewhere(root: str, in_project: list[OddFile]) -> None:
    """A `.perdure` that is a link to a disk that is not there now: nothing is begun in its place."""
    for odd in in_project:
        if odd.path == project.folder_of(root) and odd.kind == odd_files.LEADS_NOWHERE:
            raise Refused(
                "project_vanished",
                f"{odd}.",
                hint="Bring back the folder it leads to; or remove the link, and perdure heal restores the record.",
            )


def _set_bad_identity_aside(resolved: ResolvedRequest, root: str) -> list[str]:
    """A `project.toml` that cannot be read, where the home knows what it said."""
    if not resolved.registry.at(root) or not project.is_project(root):
        return []
    try:
        project.identity(root)
    except BadInput as error:
        aside = odd_files.set_aside(project.toml_of(root), resolved.request.now())
        return [f"{error.message} It is set aside as {aside}"]
    return []


def _projects_here(resolved: ResolvedRequest, root: str) -> set[ProjectId]:
    """As the home and as the project itself name it."""
    known = resolved.registry.at(root)
    found = {known.project_id} if known else set()
    if project.is_project(root):
        found.add(project.identity(root).id)
    return found


def _mend_registry(resolved: ResolvedRequest, root: str) -> list[str]:
    """An entry of the home that names another project than `project.toml` does, where the record proves the latter."""
    known, who, ledger = resolved.registry.at(root), project.identity(root), _live(root)
    if ledger is None:
        return []
    try:
        is_wrong = known is not None and known.project_id != who.id
        proved = proved_id(resolved.home, root, ledger, ids={who.id}) if is_wrong else None
    except UNREADABLE:  # damaged, which the audit says
        return []
    finally:
        ledger.close()
    if known is None or proved != who.id:
        return []
    try:
        resolved.registry.write(replace(known, project_id=who.id))
    except Trouble:
        return []  # the home cannot be written; the audit says what stands there
    return [f"the home knew {root} as project {short(known.project_id)}; the record proves {short(who.id)}"]


# -- looking -------------------------------------------------------------------------------------------------------


def _looked_at(
    resolved: ResolvedRequest,
    root: str,
    progress: Callable[[int], None],
    *,
    healed_to: tuple[Head, ...] | None = None,
    in_git: Anchored | None = None,
) -> Healed:
    """What the audit says, part by part; and how far the backup is. That it is behind is not damage; but healing brings
    it up, and then says if it could not. `healed_to`: where the ledger ended then."""
    audited = auditing.verify_at(resolved, root, lambda count, _: progress(count), in_git=in_git)
    is_overtaken = healed_to not in (None, audited.ends)
    findings = list(_by_part(audited))
    if audited.is_whole:
        with open_desk_at(resolved, root, writable=False) as desk:
            count = counted(len(transaction_files.expected(desk.ledger, root)), "transaction file")
            edits = "; ".join(["", *derived_views.waiting(desk)])
            findings += [PartChecked("views", True, f"{count} as the ledger says{edits}")]
            findings.append(_backup_finding(desk, may_be_behind=healed_to is None or is_overtaken))
    if healed_to is not None:
        _tell_status(root, findings)
    auditing.forget_unhealed(audited)
    return Healed(
        root=root,
        findings=tuple(findings),
        mended=(),
        lost=(),
        events=audited.report.events,
        ways_out=tuple(auditing.ways_out(audited)),
        is_overtaken=is_overtaken,
    )


def _by_part(audited: Verified) -> Iterator[PartChecked]:
    wrong: dict[str, list[str]] = {}
    ways: dict[str, list[str]] = {}
    for finding in audited.report.findings:
        where = f"Ledger {finding.ledger_id[:8]}, event {finding.seq}: " if finding.seq is not None else ""
        way_out = f". {finding.way_out}" if finding.check == Check.BACKUP and finding.way_out else ""
        part = _PARTS.get(finding.check, WHAT[finding.check])
        wrong.setdefault(part, []).append(f"{where}{finding.what}{way_out}")
        ways.setdefault(part, []).append(finding.way_out)
    if wrong.keys() <= {"views", "export"}:
        yield PartChecked("ledger", True, f"{counted(audited.report.events, 'event')}, chain whole")
        yield PartChecked("state", True, "matches the events")
    for part, details in sorted(wrong.items(), key=lambda each: (*_ORDER, each[0]).index(each[0])):
        more = f"; and {len(details) - 1} more (perdure audit verify lists them)" if len(details) > 1 else ""
        yield PartChecked(
            part=part,
            is_whole=False,
            detail=details[0] + more,
            way_out=audited.only_way_out or ways[part][0],
            is_seen_by_status={*ways[part]} == {GIT_WAY_OUT},
        )


def _own_up_to_lost_payloads(desk: Desk) -> list[str]:
    """Payloads that somebody took out of the file and no backup has: from now on the ledger itself says so."""
    gone = restoring.unexplained(desk.ledger.events(), desk.ledger.own())
    if gone:
        record(desk, [Fact("payload.redacted", restoring.admitted_loss(event)) for event in gone])
    return [restoring.lost_payload(event) for event in gone]


# -- the ledger itself ---------------------------------------------------------------------------------------------


@value
class _Mended:
    mended: list[str]
    lost: list[str]
    is_proved: bool = True
    """Nothing contradicts the ledger as it is now."""
    in_git: Anchored | None = None
    """The anchors that were read."""


def told_aside(path: str) -> str:
    return f"this home did not write the ledger; it is set aside, and a person may take it in: perdure import {path}"


def _mend_ledger(resolved: ResolvedRequest, root: str, progress: Callable[[int], None], *, keep: str | None) -> _Mended:
    if not os.path.exists(ledger_path(root)):
        return _said(restoring.bring_ledger_back(resolved, root, keep))
    foreign = foreign_chain(resolved, root)
    if foreign:
        refuse_to_set_aside(resolved, root, foreign)
        refuse_without_home(resolved)
        aside = restoring.set_aside(root, resolved.request.now(), "foreign")
        restored = restoring.bring_ledger_back(resolved, root, keep)
        return _said(restored, told_aside(aside))
    in_doubt = doubt_what_git_brought(resolved, root) is not None or _is_replaced(resolved, root)
    settled = [] if in_doubt else _settle(resolved, root)
    audited = auditing.verify_at(resolved, root, lambda count, _: progress(count), with_files=False)
    wrong = {finding.check for finding in audited.report.findings}
    is_asked = wrong & _NEEDS_RECOVERY or keep in _LEFT_OUT_BEFORE
    is_asked = is_asked or in_doubt or (Check.EXPORT in wrong and _export_goes_on(root))
    done = _recover(resolved, root, audited, keep=keep, in_doubt=in_doubt) if is_asked else _Mended([], [])
    mended = settled + done.mended + _rebuild_state(resolved, root, audited)
    return replace(done, mended=mended, in_git=audited.in_git)


def _rebuild_state(resolved: ResolvedRequest, root: str, audited: Verified) -> list[str]:
    """A ledger that was restored has been made anew with everything in it; to do it once more does no harm. Rows of no
    chain are left out of it, and kept in a file beside it."""
    found = [finding for finding in audited.report.findings if finding.check in _REBUILT]
    if not found:
        return []
    path = ledger_path(root)
    has_rows_of_no_chain = any(finding.seq is not None and not finding.ledger_id for finding in found)
    aside = odd_files.free_name(path, resolved.request.now(), "damaged") if has_rows_of_no_chain else None
    wiring.STORE.rebuild(path, aside)
    kept = f"; what it was is {aside}" if aside else ""
    return [f"state rebuilt from the events{kept}"]


def _said(restored: Restored, *before: str) -> _Mended:
    what = f"ledger restored from {restored.source}: {counted(restored.events, 'event')}"
    return _Mended([*before, what, *restored.mended], list(restored.lost))


def foreign_chain(resolved: ResolvedRequest, root: str) -> LedgerId | None:
    """The chain that the ledger writes to, if the ledger can be read and this home did not write it; else None. Before
    anyone sets it aside, `refuse_to_set_aside` must have passed."""
    if not os.path.exists(ledger_path(root)):
        return None
    try:
        ledger = wiring.STORE.open_audited(ledger_path(root))
    except PerdureError as error:
        if not _tells_of_damage(error):
            raise
        return None
    with closing(ledger):
        try:
            return None if is_own_ledger(resolved, root, ledger) else ledger.head().ledger_id
        except UNREADABLE:  # damaged, which the audit says
            return None


def _mend_structure(resolved: ResolvedRequest, root: str) -> list[str]:
    """A schema, index or page that is not as it must be, while every event verifies: the same chain goes on in a store
    made again from its events. Where they do not verify, the ledger is recovered as a whole."""
    path = ledger_path(root)
    aside = odd_files.free_name(path, resolved.request.now(), "damaged")
    try:
        faults = _structural_faults(path)
        if not faults:
            return []
        wiring.STORE.rebuild(path, aside)
    except PerdureError as error:
        if not _tells_of_damage(error) and error.code != "no_ledger":
            raise
        return []
    except UNREADABLE:  # the events cannot be read either: the ledger is recovered as a whole
        return []
    return [f"the store was damaged ({faults[0]}) and made again from its events; what it was is {aside}"]


def _structural_faults(path: str) -> list[str]:
    ledger = wiring.STORE.open_audited(path)
    try:
        return ledger.structural_faults()
    finally:
        ledger.close()


def _settle(resolved: ResolvedRequest, root: str) -> list[str]:
    """A repository that was moved or copied finds out here, so that whose chain it is is clear when it is judged."""
    try:
        with closing(open_desk_at(resolved, root)) as desk:
            return [each for each in desk.notices if each == ORIGIN_CORRECTED]
    except PerdureError as error:
        if not _tells_of_damage(error):
            raise
    except UNREADABLE:
        return []  # damaged, which the audit says
    return []


def _tells_of_damage(error: PerdureError) -> bool:
    """A file whose bytes cannot be read is damaged whoever says so; a full or locked disk is another matter."""
    return isinstance(error, Damaged) or error.code == "disk_failed"


def _recover(resolved: ResolvedRequest, root: str, audited: Verified, *, keep: str | None, in_doubt: bool) -> _Mended:
    live = _live(root)
    try:
        decided = restoring.decide(resolved, root, keep, live=live, in_doubt=in_doubt)
        is_damaged = _has(audited, _DAMAGE)
        stays = live is not None and not is_damaged and _is_as_decided(live, decided)
        doubt = _doubt_about_end(resolved, root, live, audited=audited) if live and stays else ""
    finally:
        if live:
            live.close()
    if decided.disputed and live is not None:
        damage.keep_unhealed(project.folder_of(root), f"{decided.disputed[0]}: {restoring.ASK}")
        raise Refused(
            "copies_differ", f"Not healed: {decided.disputed[0]}.", hint=f"Nothing was changed; {restoring.ASK}."
        )
    if stays:
        believed = _believed_again(resolved, root) if in_doubt else []
        done = _kept_as_it_is(resolved, root, audited, decided=decided)
        if not doubt:
            return replace(done, mended=[*believed, *done.mended])
        begun = _in_new_chain(resolved, root, doubt)
        return replace(done, mended=[begun, *believed, *done.mended], lost=list(decided.lost))
    refuse_without_home(resolved)
    aside = restoring.set_aside(root, resolved.request.now(), "damaged")
    restored = (
        restoring.rebuild(resolved, root, decided) if decided.chains else restoring.bring_ledger_back(resolved, root)
    )
    return _said(restored, f"the ledger {_why_set_aside(audited, in_doubt)} and is set aside as {aside}")


def _why_set_aside(audited: Verified, in_doubt: bool) -> str:
    if in_doubt:
        return "says what this home cannot prove"
    found = audited.report.findings
    return f"was damaged ({found[0].what})" if found else "lacks what its backup has"


def _is_replaced(resolved: ResolvedRequest, root: str) -> bool:
    """False for a ledger that cannot be read: the audit says so, and it is recovered as a whole."""
    ledger = _live(root)
    if ledger is None:
        return False
    try:
        return is_replaced(resolved, root, ledger)
    except UNREADABLE:
        return False
    finally:
        ledger.close()


def _believed_again(resolved: ResolvedRequest, root: str) -> list[str]:
    """What is there was in doubt, and is exactly what this home can prove."""
    with closing(wiring.STORE.open_ledger(ledger_path(root))) as ledger:
        renew_store(resolved, root, ledger)
    return ["the ledger was in doubt; everything in it is proved by its backup or by signed heads, and it goes on"]


def _kept_as_it_is(resolved: ResolvedRequest, root: str, audited: Verified, *, decided: Decided) -> _Mended:
    """The ledger is the truth, as far as anything can tell; what is wrong is its backup."""
    is_proved = not _has(audited, {Check.HEADS})
    mended = _mended_backups(resolved, root, audited, decided=decided) if is_proved else []
    return _Mended(mended, list(decided.lost) if _has(audited, {Check.MERGED}) else [], is_proved)


def _has(audited: Verified, checks: set[Check]) -> bool:
    return any(finding.check in checks for finding in audited.report.findings)


def _doubt_about_end(resolved: ResolvedRequest, root: str, live: AuditedLedger, *, audited: Verified) -> str:
    """Why events may be missing at the end of the chain that the ledger writes to; empty where nothing says so."""
    head, found = live.head(), audited.report
    for said in found.failed:
        reach = said.size if isinstance(said, Claim) else said.seq
        if said.ledger_id == head.ledger_id and reach > head.seq:
            return f"ledger {head.ledger_id[:8]} ends after event {head.seq:,}, and had {reach:,}"
    if _export_goes_on(root):
        return f"ledger {head.ledger_id[:8]} ends after event {head.seq:,}, and the tracked export has more of it"
    folder = backup.folder_for(resolved.home, project.identity(root).id)
    is_sealed = backup_seals.read(folder, head.ledger_id, existing_key(resolved.home, project.folder_of(root)))
    if is_sealed or not any(f.check == Check.BACKUP and f.ledger_id == head.ledger_id for f in found.findings):
        return ""
    return f"the seal of the backup is gone, and nothing proves that ledger {head.ledger_id[:8]} had no more events"


def _export_goes_on(root: str) -> bool:
    """Whether the tracked export has events after the end of the chain that the ledger writes to."""
    live = _live(root)
    if live is None:
        return False
    with closing(live):
        head = live.head()
    exported = event_files.segments_in(os.path.join(project.folder_of(root), segments.FOLDER), head.ledger_id)
    return any(last > head.seq for _, last, _ in exported)


def _in_new_chain(resolved: ResolvedRequest, root: str, doubt: str) -> str:
    """Other events in the place of those that may be missing could never be told from a forgery, and would keep the
    missing ones from coming back (docs/adr/0005)."""
    with closing(wiring.STORE.open_ledger(ledger_path(root))) as ledger:
        begin_chain_in(ledger, resolved, root, reason="restored")
    return f"{doubt}: the record continues in a new chain"


def _mended_backups(resolved: ResolvedRequest, root: str, audited: Verified, *, decided: Decided) -> list[str]:
    """What is only short is written on when the healing ends; events that are lost cannot be."""
    aside = _set_wrong_backups_aside(resolved, root, decided)
    lost = {said.ledger_id for said in audited.report.failed}
    found = (f for f in audited.report.findings if f.check == Check.BACKUP and f.ledger_id not in lost)
    short = [f"written on: {f.what}" for f in found]
    return aside or short[:1]


def _set_wrong_backups_aside(resolved: ResolvedRequest, root: str, decided: Decided) -> list[str]:
    """The ledger is the truth. A backup that says otherwise, or goes on where it was decided that the chain ends, would
    keep it from being written; a new one is begun."""
    folder = backup.folder_for(resolved.home, project.identity(root).id)
    ledger = wiring.STORE.open_audited(ledger_path(root))
    try:
        mended = erasures.finish(resolved, root, ledger)
        others = _of_others(resolved, root, ledger)
        wrong = _broken_backups(ledger, folder, others, may_go_on=False)
        cut = [head for head in ledger.heads() if head.ledger_id in decided.cut and head not in wrong]
        wrong += [head for head in cut if backup.has_more(folder, head) and head.ledger_id not in others.keep]
        key = existing_key(resolved.home, project.folder_of(root))
        return mended + [_backup_set_aside(ledger, folder, head, key=key, at=resolved.request.now()) for head in wrong]
    finally:
        ledger.close()


def _backup_set_aside(ledger: ReadableLedger, folder: str, head: Head, *, key: bytes | None, at: Moment) -> str:
    aside = backup.set_aside(folder, head, f".damaged-{odd_files.compact_stamp(at)}", key=key)
    return restoring.written_again(head.ledger_id, aside, ledger)


def _live(root: str) -> AuditedLedger | None:
    try:
        return wiring.STORE.open_audited(ledger_path(root))
    except PerdureError:
        return None


def _is_as_decided(live: ReadableLedger, decided: Decided) -> bool:
    """Every chain ends where it was decided to end, no payload came from elsewhere, and no chain is too many."""
    try:
        heads = {head.ledger_id: head.hash for head in live.heads()}
        ends = {ledger_id: events[-1].hash for ledger_id, events in decided.chains.items()}
        if heads != ends:
            return False
        erased = backup.erased_in(live)
        return not any(_has_another_payload(live, e, erased) for chain in decided.chains.values() for e in chain)
    except UNREADABLE:
        return False


def _has_another_payload(live: ReadableLedger, event: Event, erased: dict[LedgerId, set[int]]) -> bool:
    here = live.event(Ref(event.ledger_id, event.seq))
    if here is None or here.payload == event.payload:
        return here is None
    return here.payload is not None or event.seq not in erased.get(event.ledger_id, ())


def _drop_damaged_heads(desk: Desk) -> list[str]:
    mended, keys = [], [known.key for known in auditing.keys(desk.resolved.home)]
    for path in _damaged_heads(desk, keys):
        aside = odd_files.free_name(path, desk.now(), "damaged")
        try:
            head_files.drop_damaged(path, aside, keys)
        except Trouble:
            continue  # the home cannot be written; the audit says what stands there
        mended.append(f"{path} had a line that is damaged and is written again; the old one is {aside}")
    return mended


def _damaged_heads(desk: Desk, keys: Sequence[PublicKey]) -> Iterator[str]:
    """The files with damaged heads of this project, also under an id that it had before."""
    home, own = desk.resolved.home, desk.ledger.own()
    for project_id in head_files.projects_in(home):
        folder = head_files.folder_for(home, project_id)
        if project_id == desk.identity.id or not own.keys().isdisjoint(head_files.ledgers_in(folder)):
            yield from head_files.damaged(folder, keys)


def put_heads_back(desk: Desk) -> list[str]:
    """Heads that the ledger tells of and the home lost: their signatures say that they are ours."""
    keys = [known.key for known in auditing.keys(desk.resolved.home)]
    folder = signing.heads_folder(desk)
    kept = {head.note for i in head_files.ledgers_in(folder) for head in head_files.kept(folder, i)}
    back = 0
    for event in reversed(desk.ledger.latest([auditing.SIGNED], ALL_EVENTS)):
        said = p.read(event, p.HeadSigned)
        if said and said.note not in kept and auditing.is_signed_by(said.note, keys):
            head_files.keep(folder, said.ledger_id, said.note, why=said.why)
            back += 1
    return [f"{counted(back, 'signed head')} put back into the home"] if back else []


def _backup_finding(desk: Desk, *, may_be_behind: bool) -> PartChecked:
    """Beside what the audit says: how far it is behind, and what only it has."""
    more = [f"{counted(len(events), 'event')} of ledger {i[:8]}" for i, events in _only_in_backup(desk).items()]
    if more:
        return PartChecked("backup", False, f"{desk.backup_folder} has what is not here: {', '.join(more)}")
    lag = backup.lag(desk.ledger, desk.backup_folder)
    if lag.behind:
        behind = f"{lag.behind:,} of {lag.events:,} events are not in {desk.backup_folder} yet"
        return PartChecked(
            "backup", may_be_behind, f"{behind}; the next command that records something and can write there adds them"
        )
    return PartChecked("backup", True, f"all {counted(lag.events, 'event')} in {desk.backup_folder}")


@value
class _Others:
    """The chains that other projects of this home have too."""

    keep: set[LedgerId]
    """Those whose backup belongs to them: what it has is theirs to say."""
    share: set[LedgerId]
    """Those that they may redact payloads of."""


def _of_others(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> _Others:
    own, *others = [head.ledger_id for head in ledger.heads()]
    return _Others(
        keep={each for each in (own, *others) if other_keeper(resolved, root, each)},
        share={each for each in others if is_shared(resolved, root, each)},
    )


def _broken_backups(ledger: AuditedLedger, folder: str, others: _Others, *, may_go_on: bool) -> list[Head]:
    """The ends of the chains whose backup does not say what the ledger says, which was just seen to be the truth.
    `may_go_on`: another clone on this machine may have written more of a chain that is not our own."""
    broken = []
    own = ledger.head().ledger_id
    for head in ledger.heads():
        last = event_files.last(folder, head.ledger_id)
        if last is None or head.ledger_id in others.keep:
            continue
        agrees = backup.agrees(ledger, folder, head, is_shared=head.ledger_id in others.share)
        may_be_further = may_go_on or head.ledger_id != own
        if not agrees or (last.seq > head.seq and not may_be_further):
            broken.append(head)
    return broken


def _only_in_backup(desk: Desk) -> dict[LedgerId, list[Event]]:
    """What was still written to an earlier chain of this project while it was restored, by a process that had the old
    ledger open, as far as the backup's seal proves it. A chain that another clone on this machine knows may be that
    clone's own; it is left to it."""
    found = {}
    for head in desk.ledger.heads()[1:]:
        is_ours = is_left_to_us(desk.resolved, desk.root, [desk.identity.id], ledger_id=head.ledger_id)
        more = _sealed_after(desk, head) if is_ours else []
        if more:
            found[head.ledger_id] = more
    return found


def _sealed_after(desk: Desk, head: Head) -> list[Event]:
    """The events of the chain's backup after this one, where the seal proves all of them. A seal may be left over from
    a backup that is gone or was set aside."""
    seal = backup_seals.read(desk.backup_folder, head.ledger_id, desk.key)
    is_kept = head.ledger_id in event_files.ledgers_in(desk.backup_folder)
    if seal is None or seal.seq <= head.seq or not is_kept:
        return []
    kept = reconcile.linked(
        event_files.readable(desk.backup_folder, head.ledger_id),
        head.ledger_id,
        reconcile.Proofs((), {seal.seq: seal.hash}),
    )[: seal.seq]
    is_sealed = len(kept) == seal.seq and kept[-1].hash == seal.hash
    return kept[head.seq :] if is_sealed else []


def _catch_up(desk: Desk) -> list[str]:
    mended = []
    for ledger_id, events in _only_in_backup(desk).items():
        last = events[-1]
        own = last.seq if ledger_id in desk.ledger.own() else 0
        named: dict[str, Json] = {"ledger_id": str(ledger_id), "seq": last.seq, "hash": str(last.hash), "own": own}
        merged = p.LedgerMerged((named,))
        try:
            desk.ledger.merge(
                iter(events), draft_for(desk.resolved, desk.identity, "ledger.merged", payload=p.write(merged))
            )
        except Refused:
            continue  # it does not go on where the ledger's ends: said by `_backup_finding`
        mended.append(f"{counted(len(events), 'event')} of ledger {ledger_id[:8]} taken in from the backup")
    return mended


def _erase_again(desk: Desk) -> list[str]:
    """What this home redacted, and a ledger from before that brought back."""
    mended, refs = [], []
    for event in erasures.came_back(desk.resolved, desk.root, desk.ledger):
        refs.append(Ref(event.ledger_id, event.seq))
        desk.ledger.erase(refs[-1], erasures.redaction_draft(event, draft(desk, "payload.redacted", {})))
        mended.append(
            f"redacted payload of event {event.seq} of ledger {event.ledger_id[:8]} erased again: this home had "
            "redacted it, and an older copy brought it back"
        )
    if refs:
        erasures.erase_copies(desk, refs)
    return mended


def _finish_erasures(desk: Desk) -> list[str]:
    """Payloads that were erased here and still stand in a copy: whoever redacted them died in between."""
    mended = []
    exported = os.path.join(desk.folder, segments.FOLDER)
    erased = backup.erased_in(desk.ledger).items()
    for ledger_id, seqs in ((i, s) for i, s in erased if not other_keeper(desk.resolved, desk.root, i)):
        has_backup = ledger_id in event_files.ledgers_in(desk.backup_folder)
        kept = event_files.read(desk.backup_folder, ledger_id) if has_backup else ()
        if any(event.payload is not None and event.seq in seqs for event in kept):
            event_files.erase(desk.backup_folder, ledger_id, seqs)
            mended.append(f"redacted payloads erased from the backup of ledger {ledger_id[:8]}")
        for event in (e for e in _exported(exported, ledger_id) if e.payload is not None and e.seq in seqs):
            segments.erase_in(desk, Ref(event.ledger_id, event.seq))
            mended.append(f"redacted payload of event {event.seq} erased from the tracked export")
    return mended


def _exported(folder: str, ledger_id: LedgerId) -> Iterator[Event]:
    for _, _, path in event_files.segments_in(folder, ledger_id):
        with open(path, "rb") as file:
            yield from event_files.lines_as_far_as_they_go(file)


def _mend_backup(desk: Desk) -> list[str]:
    """The ledger is whole by now. A backup that is not is set aside and written anew."""
    mended = []
    try:
        for folder, _, _ in os.walk(desk.resolved.home):
            for name in take_away_unfinished(folder):
                mended.append(f"{name} removed: a process died while it wrote")
        mended += erasures.finish(desk.resolved, desk.root, desk.ledger)
        mended += _finish_erasures(desk)
        make_folder(desk.backup_folder)  # one of the notes of what was redacted must stand in it
        mended += erasures.mend_notes(desk)
        for head in _broken_backups_at(desk):
            mended.append(_backup_set_aside(desk.ledger, desk.backup_folder, head, key=desk.key, at=desk.now()))
    except Trouble:
        return mended  # the home cannot be written: found, and reported by `_backup_finding`
    return mended


def _mend_segments(desk: Desk) -> list[str]:
    with closing(wiring.STORE.open_audited(ledger_path(desk.root))) as ledger:
        wrong = list(segments.faults(desk.root, ledger))
    mended = []
    for fault in wrong:
        try:
            aside = odd_files.set_aside(fault.path, desk.now()) if fault.is_in_the_way else ""
            segments.write_again(desk, fault)
        except Trouble:
            continue  # it cannot be written; the audit says what stands there
        kept = f"; what was there is {aside}" if aside else ""
        mended.append(f"{fault.what}: the tracked export is written again from the ledger{kept}")
    return mended


def _broken_backups_at(desk: Desk) -> list[Head]:
    others = _of_others(desk.resolved, desk.root, desk.ledger)
    with closing(wiring.STORE.open_audited(ledger_path(desk.root))) as ledger:
        return _broken_backups(ledger, desk.backup_folder, others, may_go_on=True)
