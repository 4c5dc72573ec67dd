"""Healing: whatever can be derived is derived again, and what was lost is said (SPEC 16.3).

A missing ledger comes back from its backup, else from a tracked export, else from git history, else empty. A damaged
one is set aside, never deleted, and what verifies is recovered from it and from its backup together. A restored ledger
goes on in a new chain beside the old one: what the old one had acknowledged last may be missing, and a chain must never
be written twice from the same point (docs/adr/0005).
"""

from __future__ import annotations

import os
from functools import partial

from perdure.actions import backup, segments
from perdure.actions.record import Fact, record
from perdure.actions.scene import Scene, look
from perdure.actions.wiring import (
    Desk,
    desk_at,
    draft_for,
    lay_folder,
    ledger_path,
    origin_of,
    register,
)
from perdure.errors import Damaged, PerdureError, Refused, Trouble
from perdure.files import Alone, listing, remove, take_away_unfinished, trouble, unfinished
from perdure.ledger.sqlite import SqliteLedger, create
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import Event, Head, Ref, in_order
from perdure.model.ids import LedgerId, is_uuid, new_id
from perdure.model.ownership import erasure_in_force, is_own, marked, own_chains
from perdure.model.state import Document, FileOwner, Removed, Transaction, fold
from perdure.model.value import replace, value
from perdure.place import project, repository
from perdure.proof.chain import Fault, empty_head, fault_after, head_of, verified
from perdure.proof.fsck import Against, audit
from perdure.views import damage, event_files, transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perdure.actions.scene import Request
    from perdure.ledger.port import Ledger, Origin
    from perdure.model.ownership import Own


_ATTEMPTS = 5


@value
class Finding:
    part: str
    is_whole: bool
    detail: str


@value
class Healed:
    root: str
    findings: tuple[Finding, ...]
    mended: tuple[str, ...]
    lost: tuple[str, ...]
    events: int

    @property
    def is_whole(self) -> bool:
        return all(finding.is_whole for finding in self.findings)


@value
class Restored:
    source: str
    events: int
    lost: tuple[str, ...]
    was: str = ""


def check(request: Request, progress: Callable[[int], None]) -> Healed:
    """Looks, and changes nothing."""
    scene = look(request)
    root = _root(scene)
    if not project.is_project(root):
        return Healed(root, (Finding("folder", False, f"{project.folder_of(root)} is gone"),), (), (), 0)
    try:
        desk = desk_at(scene, root, writable=False)
    except PerdureError as error:
        return Healed(root, (Finding("ledger", False, error.message),), (), (), 0)
    with desk:
        findings, count = _ledger_findings(desk, progress)
        if findings[0].is_whole:
            if findings[1].is_whole:
                findings += _view_findings(desk)
            findings.append(_backup_finding(desk))
        return Healed(root, tuple(findings), (), (), count)


def heal(request: Request, progress: Callable[[int], None]) -> Healed:
    scene = look(request)
    root = _root(scene)
    mended: list[str] = []
    lost: list[str] = []
    mended += [f"{path} written" for path in lay_folder(scene, root)]
    with Alone(project.folder_of(root)):  # two that heal at once would each set the other's new ledger aside
        before = _mend_ledger(scene, root, progress)
    if before:
        if before.was:
            mended.append(before.was)
        mended.append(f"ledger restored from {before.source}: {before.events:,} events")
        lost += before.lost
    with desk_at(scene, root) as desk:
        findings, count = _ledger_findings(desk, progress)
        if not findings[0].is_whole:
            lost += _own_up_to_lost_payloads(desk)
            findings, count = _ledger_findings(desk, progress)
        if not findings[0].is_whole:
            raise Damaged("ledger_damaged", findings[0].detail, hint="perdure export shows what can be read.")
        if not findings[1].is_whole:
            desk.ledger.rebuild()
            mended.append("state folded anew from the events")
        damage.clear(desk.folder)
        mended += _catch_up(desk)
        mended += mend_views(desk)
        mended += _mend_backup(desk)
        _register_where_possible(desk)
        if mended:
            record(desk, [Fact("ledger.healed", p.LedgerHealed(tuple(mended), tuple(lost)))])
        desk.back_up()
        after = [
            Finding("ledger", True, f"{count:,} events, chain whole"),
            *_view_findings(desk),
            _backup_finding(desk),
        ]
        return Healed(root, tuple(after), tuple(mended), tuple(lost), count)


def _register_where_possible(desk: Desk) -> None:
    """Only the project must be writable (SPEC 3.2)."""
    try:
        register(desk)
    except Trouble:
        return  # the backup, which lies there too, is reported as behind


def _root(scene: Scene) -> str:
    """Here a project may be gone from disk: what the registry or a binding remembers of it is enough. A folder that
    nobody remembers as a project is not made one by healing it."""
    root = scene.place.project_path
    if root is None:
        raise Refused("no_project", "There is no project here to heal.", hint="Run perdure init in the repository.")
    bound = scene.place.binding is not None and scene.place.binding.project_path == root
    if not (project.is_project(root) or os.path.exists(ledger_path(root)) or scene.registry.at(root) or bound):
        raise Refused("no_project", f"{root} is not a project, and never was one.", hint="Run perdure init there.")
    return root


# -- looking -------------------------------------------------------------------------------------------------------


def _ledger_findings(desk: Desk, progress: Callable[[int], None]) -> tuple[list[Finding], int]:
    """The chain, then the state: folded anew in memory beside what is stored. Others may write meanwhile: what they
    changed between the one and the other is no fault, so it is looked at again."""
    for _ in range(_ATTEMPTS):
        documents: dict[tuple[str, str], Document] = {}
        judging = _Judging(progress, partial(_fold, documents, _own(desk.ledger)))
        fault = judging.fault_in(desk.ledger, desk.backup_folder, origin_of(desk.root, desk.scene.home))
        if fault:
            return [Finding("ledger", False, fault)], judging.count
        same = documents == _stored(desk.ledger)
        if same or sum(head.seq for head in desk.ledger.heads()) == judging.count:
            break
    whole = Finding("ledger", True, f"{judging.count:,} events, chain whole")
    if not same:
        return [whole, Finding("state", False, "is not the fold over the events")], judging.count
    wrong = _wrong_indexes(desk.ledger)
    state = wrong[0] if wrong else "equals the fold over the events"
    return [whole, Finding("state", not wrong, state)], judging.count


def _wrong_indexes(ledger: Ledger) -> list[str]:
    """The stored tree, and the index by kind: checks 3 and 5 of the auditor."""
    with ledger.at_one_moment():
        found = audit(ledger, Against(), event_files.WITHHELD_KINDS).findings
    return [finding.what for finding in found if finding.check in (3, 5)]


class _Judging:
    """Is a ledger whole? 1 every event can be read and verifies; 2 every payload that is gone was redacted, or withheld
    because its kind is; 3 where this store alone writes the chain, its backup does not have more than it."""

    def __init__(self, progress: Callable[[int], None], seen: Callable[[Event], None]) -> None:
        self.count = 0
        self._progress = progress
        self._seen = seen

    def fault_in(self, ledger: Ledger, backup_folder: str, here: Origin) -> str | None:
        try:
            fault = self._fault_in_events(ledger.events(), _own(ledger))
            if fault:
                return fault.error().message
            is_own = ledger.origin() == here
            return _cut_or_forked(ledger, backup_folder) if is_own else None
        except PerdureError as error:
            if not _tells_of_damage(error):
                raise
            return error.message
        except (TypeError, ValueError) as error:  # a column holds what no event has there
            return f"after event {self.count:,}: a row cannot be read ({error})"

    def _fault_in_events(self, events: Iterable[Event], own: Own) -> Fault | None:
        erasures = _Erasures(own)
        for found in verified(events, {}):
            if isinstance(found, Fault):
                return found
            self.count += 1
            erasures.see(found)
            self._seen(found)
            if self.count % 2000 == 0:
                self._progress(self.count)
        for event in erasures.unexplained():
            return Fault(event.ledger_id, event.seq, "its payload is gone and no redaction says so")
        return None


class _Erasures:
    """Payloads that are gone, and the redactions in force that say why."""

    def __init__(self, own: Own) -> None:
        self._own = own
        self._gone: dict[Ref, Event] = {}
        self._explained: set[Ref] = set()

    def see(self, event: Event) -> None:
        withheld = event.absent == "withheld" and event.kind in event_files.WITHHELD_KINDS
        if event.payload is None and not withheld:
            self._gone[Ref(event.ledger_id, event.seq)] = event
        erased = erasure_in_force(event, self._own)
        if erased:
            self._explained.add(erased)

    def unexplained(self) -> list[Event]:
        return [event for ref, event in self._gone.items() if ref not in self._explained]


def _own_up_to_lost_payloads(desk: Desk) -> list[str]:
    """Payloads that somebody took out of the file and no backup has: from now on the ledger itself says so."""
    erasures = _Erasures(_own(desk.ledger))
    for event in desk.ledger.events():
        erasures.see(event)
    gone = erasures.unexplained()
    because = "heal found it gone from the ledger, and in no backup"
    facts = [Fact("payload.redacted", p.PayloadRedacted(e.ledger_id, e.seq, e.id, because)) for e in gone]
    if facts:
        record(desk, facts)
    return [f"the payload of event {e.seq} of ledger {e.ledger_id[:8]} ({e.kind})" for e in gone]


def _tells_of_damage(error: PerdureError) -> bool:
    """A file whose bytes cannot be read is damaged whoever says so; a full or locked disk is another matter."""
    return isinstance(error, Damaged) or error.code == "disk_failed"


def _cut_or_forked(ledger: Ledger, backup_folder: str) -> str | None:
    """What was backed up had been acknowledged: where it is not in the ledger, the ledger was cut or put back."""
    last = event_files.last(backup_folder, ledger.head().ledger_id)
    head = ledger.head()  # asked after the backup: others write meanwhile, and the backup never is ahead of the ledger
    if last is None or last.ledger_id != head.ledger_id:
        return None
    if last.seq > head.seq:
        what = f"is missing, and all after it up to {last.seq}, which the backup has"
        return Fault(head.ledger_id, head.seq + 1, what).error().message
    here = ledger.event(Ref(head.ledger_id, last.seq))
    if here and here.hash != last.hash:
        return Fault(head.ledger_id, last.seq, "is another one than in the backup").error().message
    return None


def _own(ledger: Ledger) -> Own:
    try:
        return ledger.own()
    except (PerdureError, TypeError, ValueError):  # whatever cannot be read is found where it stands
        return {}


def _fold(documents: dict[tuple[str, str], Document], own: Own, event: Event) -> None:
    for change in fold(event, lambda kind, id: documents.get((kind, id)), is_own(event, own)):
        if isinstance(change, Removed):
            documents.pop((change.kind, change.id), None)
        else:
            documents[change.kind, change.id] = change


def _stored(ledger: Ledger) -> dict[tuple[str, str], Document] | None:
    from perdure.model.state import DOCUMENTS

    try:
        return {(d.kind, d.id): d for kind in DOCUMENTS for d in ledger.documents(kind)}
    except (Damaged, TypeError, AttributeError):  # what is stored there is no document
        return None


def _expected_files(desk: Desk) -> dict[str, Transaction]:
    """Open transactions, and the last closed ones, by the suffix their file has."""
    owners = [
        *desk.ledger.documents("file", live=True),
        *desk.ledger.documents("file", live=False, limit=transaction_file.KEPT_CLOSED),
    ]
    found: dict[str, Transaction] = {}
    for owner in owners:
        if isinstance(owner.body, FileOwner):
            document = desk.ledger.document("transaction", owner.body.transaction_id)
            if document and isinstance(document.body, Transaction):
                found[owner.id] = document.body
    return found


def _view_findings(desk: Desk) -> list[Finding]:
    expected = _expected_files(desk)
    wrong = [suffix for suffix, t in expected.items() if not transaction_file.is_current(desk.folder, t, desk.key)]
    strange = [suffix for suffix in transaction_file.suffixes_on_disk(desk.folder) if suffix not in expected]
    if not wrong and not strange:
        return [Finding("views", True, f"{len(expected)} transaction files as the ledger says")]
    names = ", ".join(transaction_file.name_for(suffix) for suffix in wrong + strange)
    return [Finding("views", False, f"not as the ledger says: {names}")]


def _backup_finding(desk: Desk) -> Finding:
    lag = backup.lag(desk.ledger, desk.backup_folder)
    if lag.behind:
        return Finding("backup", False, f"{lag.behind:,} of {lag.events:,} events are not in {desk.backup_folder}")
    broken = _broken_backups(desk)
    if broken:
        return Finding("backup", False, f"{desk.backup_folder}: {'; '.join(broken.values())}")
    more = [f"{len(events):,} events of ledger {i[:8]}" for i, events in _only_in_backup(desk).items()]
    if more:
        return Finding("backup", False, f"{desk.backup_folder} has what is not here: {', '.join(more)}")
    return Finding("backup", True, f"all {lag.events:,} events in {desk.backup_folder}")


def _broken_backups(desk: Desk) -> dict[LedgerId, str]:
    """Chains whose backup has its last event and yet does not verify from its first."""
    broken = {}
    for head in desk.ledger.heads():
        last = event_files.last(desk.backup_folder, head.ledger_id)
        good = len(_run(_from_backup(desk.backup_folder, head.ledger_id)))
        if last and good < last.seq:
            broken[head.ledger_id] = f"ledger {head.ledger_id[:8]} cannot be read after event {good}"
    return broken


def _only_in_backup(desk: Desk) -> dict[LedgerId, list[Event]]:
    """What was still written to an earlier chain of this project while it was restored: by a process that had the old
    ledger open. A chain that another clone on this machine knows may be that clone's own; it is left to it."""
    entries = desk.scene.registry.known_as(desk.who.id)
    elsewhere = {i for e in entries if e.path != desk.root and project.is_project(e.path) for i in e.ledgers}
    found = {}
    for head in desk.ledger.heads()[1:]:
        last = event_files.last(desk.backup_folder, head.ledger_id)
        if last and last.seq > head.seq and head.ledger_id not in elsewhere:
            kept = _run(_from_backup(desk.backup_folder, head.ledger_id))
            found[head.ledger_id] = [event for event in kept if event.seq > head.seq]
    return {ledger_id: events for ledger_id, events in found.items() if events}


def _catch_up(desk: Desk) -> list[str]:
    mended = []
    for ledger_id, events in _only_in_backup(desk).items():
        own = events[-1].seq if ledger_id in desk.ledger.own() else 0
        merged = p.LedgerMerged(({"ledger_id": str(ledger_id), "events": events[-1].seq, "own": own},))
        try:
            desk.ledger.merge(iter(events), draft_for(desk.scene, desk.who, "ledger.merged", p.write(merged)))
        except Refused:
            continue  # it does not go on where the ledger's ends: said by `_backup_finding`
        mended.append(f"{len(events):,} events of ledger {ledger_id[:8]} taken in from the backup")
    return mended


def _finish_erasures(desk: Desk) -> list[str]:
    """Payloads that were erased here and still stand in a copy: whoever redacted them died in between."""
    mended = []
    exported = os.path.join(desk.folder, segments.FOLDER)
    for ledger_id, seqs in backup.erased_in(desk.ledger).items():
        kept = _from_backup(desk.backup_folder, ledger_id)
        if any(event.payload is not None and event.seq in seqs for event in kept):
            event_files.erase(desk.backup_folder, ledger_id, seqs)
            mended.append(f"redacted payloads erased from the backup of ledger {ledger_id[:8]}")
        tracked = [e for _, _, path in event_files.segments_in(exported, ledger_id) for e in _segment(path)]
        for event in (e for e in tracked if e.payload is not None and e.seq in seqs):
            segments.erase_in(desk, Ref(event.ledger_id, event.seq))
            mended.append(f"redacted payload of event {event.seq} erased from the tracked export")
    return mended


def _mend_backup(desk: Desk) -> list[str]:
    """The ledger is whole by now. A backup that is not is set aside and written anew."""
    mended = []
    suffix = f".damaged-{_compact_stamp(desk.now())}"
    try:
        for name in take_away_unfinished(desk.backup_folder):
            mended.append(f"{name} taken away: a process died while it wrote")
        for ledger_id in _broken_backups(desk):
            aside = event_files.set_aside(desk.backup_folder, ledger_id, suffix)
            mended.append(f"backup of ledger {ledger_id[:8]} written again; the old one is {aside}")
        mended += _finish_erasures(desk)
    except Trouble:
        return mended  # the home cannot be written: found, and reported by `_backup_finding`
    return mended


def mend_views(desk: Desk) -> list[str]:
    with Alone(desk.folder):
        return _mend_views(desk)


def _mend_views(desk: Desk) -> list[str]:
    mended = [f"{name} taken away: a process died while it wrote" for name in take_away_unfinished(desk.folder)]
    # Listed before the ledger is asked: what somebody opens in between is not on the list and stays.
    on_disk = transaction_file.suffixes_on_disk(desk.folder)
    expected = _expected_files(desk)
    for suffix, transaction in expected.items():
        if not transaction_file.is_current(desk.folder, transaction, desk.key):
            transaction_file.write(desk.folder, transaction, desk.key)
            mended.append(f"{transaction_file.name_for(suffix)} written again")
    for suffix in on_disk:
        if suffix not in expected:
            transaction_file.take_away(desk.folder, suffix)
            mended.append(f"{transaction_file.name_for(suffix)} taken away: no transaction here stands under that name")
    return mended


# -- the ledger itself ---------------------------------------------------------------------------------------------


def _mend_ledger(scene: Scene, root: str, progress: Callable[[int], None]) -> Restored | None:
    if not os.path.exists(ledger_path(root)):
        return bring_ledger_back(scene, root)
    _settle(scene, root)
    fault = _fault_in(scene, root, progress)
    return _recover(scene, root, fault) if fault else None


def _settle(scene: Scene, root: str) -> None:
    """A repository that was moved or copied finds out here, so that whose chain it is is clear when it is judged."""
    try:
        desk_at(scene, root).close()
    except PerdureError as error:
        if not _tells_of_damage(error):
            raise


def _fault_in(scene: Scene, root: str, progress: Callable[[int], None]) -> str | None:
    folder = backup.folder_for(scene.home, project.identity(root).id)
    try:
        ledger = SqliteLedger(ledger_path(root), writable=False)
    except PerdureError as error:
        if not _tells_of_damage(error):
            raise
        return error.message
    try:
        return _Judging(progress, lambda _: None).fault_in(ledger, folder, origin_of(root, scene.home))
    finally:
        ledger.close()


def _recover(scene: Scene, root: str, fault: str) -> Restored:
    aside = _set_aside(ledger_path(root), scene.request.now())
    restored = bring_ledger_back(scene, root)
    return replace(restored, was=f"the ledger was damaged ({fault}) and is set aside as {aside}")


def _set_aside(path: str, at: moment.Moment) -> str:
    wanted = aside = f"{path}.damaged-{_compact_stamp(at)}"
    number = 1
    while os.path.exists(aside):
        number += 1
        aside = f"{wanted}-{number}"
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.replace(path + suffix, aside + suffix)
    return aside


def _compact_stamp(at: moment.Moment) -> str:
    return moment.stamp(at).replace(":", "").replace(".", "")


def bring_ledger_back(scene: Scene, root: str) -> Restored:
    """For a project whose ledger is not there: after `git clean`, in a fresh clone, at the very beginning, or because
    it was damaged and is set aside. Whatever has a part of a chain gives it: its backup, ledgers that were set aside,
    the tracked export; only where none has anything, git history is asked."""
    who = project.identity(root)
    found = _gathered(scene, root, who)
    if not found.chains:
        chains = _from_history(root)
        found = _Gathered(chains, {"git history": None}, tuple(_may_have_had_more(chains)))
    if found.chains:
        return _rebuild(scene, root, " and ".join(found.sources), found)
    _make_ledger(scene, root, who, [], p.LedgerOpened("created"))
    known = scene.registry.at(root) or _set_aside_ones(root)
    lost = ("the ledger, and no backup, export or git history had anything of it",) if known else ()
    return Restored("nothing: it begins anew", 0, lost)


@value
class _Gathered:
    chains: dict[LedgerId, list[Event]]
    sources: dict[str, None]
    lost: tuple[str, ...]
    written: tuple[LedgerId, ...] = ()
    """The chains that ledgers which were set aside wrote to."""


def _gathered(scene: Scene, root: str, who: project.Identity) -> _Gathered:
    folder = backup.folder_for(scene.home, who.id)
    exported = os.path.join(project.folder_of(root), segments.FOLDER)
    sources: dict[str, None] = {}
    asides = [ledger for path in _set_aside_ones(root) if (ledger := _openable(path))]
    try:
        reach: dict[LedgerId, int] = {}
        for ledger in asides:
            for head in _heads_of(ledger):
                reach[head.ledger_id] = max(head.seq, reach.get(head.ledger_id, 0))
        known = sorted({*_restorable(scene, root, who, folder), *reach, *_exported(exported)})
        chains = {i: list(_union(i, folder, asides, exported, sources)) for i in known}
        lost = tuple(
            f"{reach[i] - len(events):,} events of ledger {i[:8]}: none after event {len(events)} verifies"
            for i, events in chains.items()
            if reach.get(i, 0) > len(events)
        )
        chains = {i: events for i, events in chains.items() if events}
        if "its backup" not in sources:
            lost += tuple(_may_have_had_more({i: events for i, events in chains.items() if i not in reach}))
        written = tuple(heads[0].ledger_id for ledger in asides if (heads := _heads_of(ledger)))
        return _Gathered(chains, sources, lost, written)
    finally:
        for ledger in asides:
            ledger.close()


def _may_have_had_more(chains: dict[LedgerId, list[Event]]) -> Iterator[str]:
    """What git keeps is written at POSTFLIGHT and session end, and without prompts (SPEC 16.4)."""
    for ledger_id, events in chains.items():
        yield f"whatever ledger {ledger_id[:8]} had after event {len(events)}, and the person's prompts"


def _set_aside_ones(root: str) -> list[str]:
    """Newest first."""
    folder, prefix = project.folder_of(root), os.path.basename(ledger_path(root)) + ".damaged-"
    names = [n for n in listing(folder) if n.startswith(prefix) and not n.endswith(("-wal", "-shm", "-journal"))]
    return [os.path.join(folder, name) for name in reversed(names)]


def _openable(path: str) -> SqliteLedger | None:
    try:
        return SqliteLedger(path, writable=False)
    except PerdureError:
        return None


def _heads_of(ledger: SqliteLedger) -> list[Head]:
    try:
        return [head for head in ledger.heads() if is_uuid(head.ledger_id)]
    except (PerdureError, TypeError, ValueError):
        return []


def _union(
    ledger_id: LedgerId, folder: str, asides: list[SqliteLedger], exported: str, sources: dict[str, None]
) -> Iterator[Event]:
    """The longest run that verifies; `sources` is told who gave a part of it."""
    kept = _Run(_from_backup(folder, ledger_id))
    tracked = _Run(event for _, _, path in event_files.segments_in(exported, ledger_id) for event in _segment(path))

    def offered(seq: int) -> Iterator[tuple[str, Event | None]]:
        yield "its backup", kept.at(seq)
        for aside in asides:
            yield "what was set aside", _readable(aside, Ref(ledger_id, seq))
        yield "the tracked export", tracked.at(seq)

    head = empty_head(ledger_id)
    while True:
        good = next(((s, e) for s, e in offered(head.seq + 1) if e and _follows(head, e)), None)
        if good is None:
            return
        source, event = good
        sources[source] = None
        yield event
        head = head_of(event)


class _Run:
    """Events in order, asked for one seq after another."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = iter(events)
        self._next = next(self._events, None)

    def at(self, seq: int) -> Event | None:
        while self._next and self._next.seq < seq:
            self._next = next(self._events, None)
        return self._next if self._next and self._next.seq == seq else None


def _follows(head: Head, event: Event) -> bool:
    try:
        return fault_after(head, event) is None
    except (TypeError, ValueError):  # read from a damaged row
        return False


def _from_backup(folder: str, ledger_id: LedgerId) -> Iterator[Event]:
    if ledger_id in event_files.ledgers_in(folder):
        yield from event_files.read(folder, ledger_id)


def _readable(ledger: SqliteLedger, ref: Ref) -> Event | None:
    try:
        return ledger.event(ref)
    except (PerdureError, TypeError, ValueError):
        return None


def _restorable(scene: Scene, root: str, who: project.Identity, folder: str) -> list[LedgerId]:
    """Of the chains in the backup, those of this root; another clone's, while it is there, are its own."""
    entry = scene.registry.at(root)
    if entry:
        return [ledger_id for ledger_id in event_files.ledgers_in(folder) if ledger_id in entry.ledgers]
    others = {i for e in scene.registry.known_as(who.id) if project.is_project(e.path) for i in e.ledgers}
    return [ledger_id for ledger_id in event_files.ledgers_in(folder) if ledger_id not in others]


def _run(events: Iterable[Event]) -> list[Event]:
    """As far as the chain verifies."""
    found: list[Event] = []
    for event in verified(events, {}):
        if isinstance(event, Fault):
            break
        found.append(event)
    return found


def _exported(folder: str) -> list[LedgerId]:
    return [LedgerId(name) for name in listing(folder) if is_uuid(name)]


def _segment(path: str) -> Iterator[Event]:
    with open(path, "rb") as file:
        yield from event_files.lines_as_far_as_they_go(file)


def _from_history(root: str) -> dict[LedgerId, list[Event]]:
    """The last commit that still had tracked segments."""
    where = f"{project.FOLDER}/{segments.FOLDER}/"
    for commit in repository.git(root, "rev-list", "-n", "50", "--all", "--", where).split():
        names = repository.git(root, "ls-tree", "-r", "--name-only", commit, "--", where).splitlines()
        chains: dict[LedgerId, list[bytes]] = {}
        for name in sorted(names):
            ledger_id = LedgerId(name.split("/")[-2])
            chains.setdefault(ledger_id, []).extend(
                line.encode() for line in repository.git(root, "show", f"{commit}:{name}").splitlines(keepends=True)
            )
        if chains:
            runs = {i: _run(event_files.lines_as_far_as_they_go(lines)) for i, lines in chains.items()}
            return {i: events for i, events in runs.items() if events}
    return {}


def _rebuild(scene: Scene, root: str, source: str, found: _Gathered) -> Restored:
    who = project.identity(root)
    heads = [head_of(events[-1]) for events in found.chains.values()]
    continues = marked(heads, _written_here(scene, root, found))
    events = sorted((event for chain in found.chains.values() for event in chain), key=in_order)
    _make_ledger(scene, root, who, events, p.LedgerOpened("restored", continues))
    return Restored(source, len(events), found.lost)


def _written_here(scene: Scene, root: str, found: _Gathered) -> Own:
    """Of the chains that come back, those that this place wrote to. Its last one is known to the registry; or it is
    the one that a ledger which was set aside wrote to, or the only one, if the backup in Perdure's home has it. What
    stands in the project alone may have come with a clone: it is kept, and speaks for nobody here (SPEC 3.5)."""
    entry = scene.registry.at(root)
    last = list(entry.ledgers[:1]) if entry else []
    if not last:
        kept = event_files.ledgers_in(backup.folder_for(scene.home, project.identity(root).id))
        only = tuple(found.chains) if len(found.chains) == 1 else ()
        last = [each for each in (*found.written, *only) if each in kept]
    merges = [event for chain in found.chains.values() for event in chain if event.kind == "ledger.merged"]
    own: dict[LedgerId, int] = {}
    for each in reversed(last):
        own |= own_chains(each, lambda i: next(iter(found.chains.get(i, ())), None), merges)
    return own


def _make_ledger(scene: Scene, root: str, who: project.Identity, events: list[Event], opened: p.LedgerOpened) -> None:
    """Appears with everything in it, or not at all; where somebody else was first, theirs is the one."""
    path = ledger_path(root)
    beside = unfinished(path)
    draft = draft_for(scene, who, "ledger.opened", p.write(opened))
    try:
        ledger = create(beside, LedgerId(new_id()), origin_of(root, scene.home))
        try:
            ledger.merge(events, draft)
        finally:
            ledger.close()
        _put_away_stray_log(path, scene.request.now())
        os.link(beside, path)
    except FileExistsError:
        return
    except OSError as error:
        raise trouble(error, path) from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            remove(beside + suffix)
    ledger = SqliteLedger(path)
    try:
        backup.bring_up(ledger, backup.folder_for(scene.home, who.id))
    finally:
        ledger.close()


def _put_away_stray_log(path: str, at: moment.Moment) -> None:
    """The log of a ledger that is gone would be taken for that of the new one and overwrite it."""
    for suffix in ("-wal", "-shm", "-journal"):
        if os.path.exists(path + suffix) and not os.path.exists(path):
            os.replace(path + suffix, f"{path}.stray-{_compact_stamp(at)}{suffix}")
