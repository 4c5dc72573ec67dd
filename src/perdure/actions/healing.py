"""Healing: whatever can be derived is derived again, and what was lost is said (SPEC 16.3).

A missing ledger comes back from its backup, else from a tracked export, else from git history, else empty. A damaged
one is set aside, never deleted, and what verifies is recovered from it and from its backup together. A restored ledger
goes on in a new chain beside the old one: what the old one had acknowledged last may be missing, and a chain must never
be written twice from the same point (docs/adr/0005).
"""

from __future__ import annotations

import os

from perdure.actions import backup, segments
from perdure.actions.record import Fact, record
from perdure.actions.wiring import (
    Desk,
    Scene,
    create_ledger,
    desk_at,
    draft_for,
    lay_folder,
    ledger_path,
    look,
    register,
)
from perdure.errors import Damaged, PerdureError, Refused
from perdure.ledger.sqlite import SqliteLedger
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import Event, Head, Ref, in_order
from perdure.model.ids import LedgerId
from perdure.model.state import Document, FileOwner, Removed, Transaction, fold
from perdure.model.value import value
from perdure.place import project, repository
from perdure.proof.chain import Fault, empty_head, fault_after, head_of, verified
from perdure.views import event_files, transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perdure.actions.wiring import Request
    from perdure.ledger.port import Ledger
    from perdure.model.json import Json


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
            findings += [*_view_findings(desk), _backup_finding(desk)]
        return Healed(root, tuple(findings), (), (), count)


def heal(request: Request, progress: Callable[[int], None]) -> Healed:
    scene = look(request)
    root = _root(scene)
    mended: list[str] = []
    lost: list[str] = []
    mended += [f"{path} written" for path in lay_folder(scene, root)]
    before = _mend_ledger(scene, root, progress)
    if before:
        mended.append(f"ledger restored from {before.source}: {before.events:,} events")
        lost += before.lost
    with desk_at(scene, root) as desk:
        findings, count = _ledger_findings(desk, progress)
        if not findings[1].is_whole:
            desk.ledger.rebuild()
            mended.append("state folded anew from the events")
        mended += mend_views(desk)
        register(desk)
        if mended:
            record(desk, [Fact("ledger.healed", p.LedgerHealed(tuple(mended), tuple(lost)))])
        desk.back_up()
        after = [
            Finding("ledger", True, f"{count:,} events, chain whole"),
            *_view_findings(desk),
            _backup_finding(desk),
        ]
        return Healed(root, tuple(after), tuple(mended), tuple(lost), count)


def _root(scene: Scene) -> str:
    """Here a project may be gone from disk: what the binding or the registry remembers of it is enough."""
    if scene.place.project_path is None:
        raise Refused("no_project", "There is no project here to heal.", hint="Run perdure init in the repository.")
    return scene.place.project_path


# -- looking -------------------------------------------------------------------------------------------------------


def _ledger_findings(desk: Desk, progress: Callable[[int], None]) -> tuple[list[Finding], int]:
    """The chain, then the state: folded anew in memory beside what is stored."""
    documents: dict[tuple[str, str], Document] = {}
    heads: dict[LedgerId, Head] = {}
    erased: set[Ref] = set()
    gone: set[Ref] = set()
    count = 0
    try:
        for found in verified(desk.ledger.events(), heads):
            if isinstance(found, Fault):
                return [Finding("ledger", False, found.error().message)], count
            count += 1
            _note_erasure(found, erased, gone)
            _fold(documents, found)
            if count % 2000 == 0:
                progress(count)
    except Damaged as error:
        return [Finding("ledger", False, error.message)], count
    unexplained = sorted(gone - erased, key=lambda ref: (ref.ledger_id, ref.seq))
    if unexplained:
        fault = Fault(unexplained[0].ledger_id, unexplained[0].seq, "its payload is gone and no redaction says so")
        return [Finding("ledger", False, fault.error().message)], count
    same = documents == _stored(desk.ledger)
    state = "equals the fold over the events" if same else "is not the fold over the events"
    return [Finding("ledger", True, f"{count:,} events, chain whole"), Finding("state", same, state)], count


def _note_erasure(event: Event, erased: set[Ref], gone: set[Ref]) -> None:
    if event.absent == "redacted":
        gone.add(Ref(event.ledger_id, event.seq))
    redacted = p.read(event, p.PayloadRedacted)
    if redacted:
        erased.add(Ref(LedgerId(redacted.ledger_id), redacted.seq))


def _fold(documents: dict[tuple[str, str], Document], event: Event) -> None:
    for change in fold(event, lambda kind, id: documents.get((kind, id))):
        if isinstance(change, Removed):
            documents.pop((change.kind, change.id), None)
        else:
            documents[change.kind, change.id] = change


def _stored(ledger: Ledger) -> dict[tuple[str, str], Document] | None:
    from perdure.model.state import DOCUMENTS

    try:
        return {(d.kind, d.id): d for kind in DOCUMENTS for d in ledger.documents(kind)}
    except Damaged:
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
    return Finding("backup", True, f"all {lag.events:,} events in {desk.backup_folder}")


def mend_views(desk: Desk) -> list[str]:
    mended = []
    expected = _expected_files(desk)
    for suffix, transaction in expected.items():
        if not transaction_file.is_current(desk.folder, transaction, desk.key):
            transaction_file.write(desk.folder, transaction, desk.key)
            mended.append(f"{transaction_file.name_for(suffix)} written again")
    for suffix in transaction_file.suffixes_on_disk(desk.folder):
        if suffix not in expected:
            transaction_file.take_away(desk.folder, suffix)
            mended.append(f"{transaction_file.name_for(suffix)} taken away: no transaction here stands under that name")
    return mended


# -- the ledger itself ---------------------------------------------------------------------------------------------


def _mend_ledger(scene: Scene, root: str, progress: Callable[[int], None]) -> Restored | None:
    path = ledger_path(root)
    if not os.path.exists(path):
        return bring_ledger_back(scene, root)
    fault = _fault_in(path, progress)
    return _recover(scene, root, fault) if fault else None


def _fault_in(path: str, progress: Callable[[int], None]) -> str | None:
    try:
        ledger = SqliteLedger(path, writable=False)
    except Damaged as error:
        return error.message
    try:
        for count, found in enumerate(verified(ledger.events(), {})):
            if isinstance(found, Fault):
                return found.error().message
            if count % 2000 == 0:
                progress(count)
        ledger.origin()
        ledger.head()
    except Damaged as error:
        return error.message
    finally:
        ledger.close()
    return None


def _recover(scene: Scene, root: str, fault: str) -> Restored:
    path = ledger_path(root)
    aside = _set_aside(path, scene.request.now())
    who = project.identity(root)
    folder = backup.folder_for(scene.home, who.id)
    chains = {
        ledger_id: list(_union(aside, folder, ledger_id)) for ledger_id in _known_chains(aside, folder, scene, root)
    }
    lost = [f"the ledger was damaged ({fault}) and is set aside as {aside}"]
    lost += [line for ledger_id, events in chains.items() if (line := _what_is_missing(aside, ledger_id, events))]
    return _rebuild(scene, root, "the damaged file and its backup", chains, lost)


def _set_aside(path: str, at: moment.Moment) -> str:
    aside = f"{path}.damaged-{moment.stamp(at).replace(':', '').replace('.', '')}"
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.replace(path + suffix, aside + suffix)
    return aside


def _known_chains(aside: str, folder: str, scene: Scene, root: str) -> list[LedgerId]:
    entry = scene.registry.at(root)
    found = {*_chains_in_damaged(aside), *(entry.ledgers if entry else ())}
    return sorted(found | ({*event_files.ledgers_in(folder)} if not found else set()))


def _chains_in_damaged(aside: str) -> list[LedgerId]:
    try:
        ledger = SqliteLedger(aside, writable=False)
    except PerdureError:
        return []
    try:
        return [head.ledger_id for head in ledger.heads()]
    except PerdureError:
        return []
    finally:
        ledger.close()


def _union(aside: str, folder: str, ledger_id: LedgerId) -> Iterator[Event]:
    """The longest run that verifies, each event from the backup or else from the damaged file."""
    kept = _from_backup(folder, ledger_id)
    try:
        damaged: SqliteLedger | None = SqliteLedger(aside, writable=False)
    except PerdureError:
        damaged = None
    head = empty_head(ledger_id)
    try:
        while True:
            candidates = (next(kept, None), _readable(damaged, Ref(ledger_id, head.seq + 1)))
            good = next((e for e in candidates if e and fault_after(head, e) is None), None)
            if good is None:
                return
            yield good
            head = head_of(good)
    finally:
        if damaged:
            damaged.close()


def _from_backup(folder: str, ledger_id: LedgerId) -> Iterator[Event]:
    if ledger_id in event_files.ledgers_in(folder):
        yield from event_files.read(folder, ledger_id)


def _readable(ledger: SqliteLedger | None, ref: Ref) -> Event | None:
    try:
        return ledger.event(ref) if ledger else None
    except PerdureError:
        return None


def _what_is_missing(aside: str, ledger_id: LedgerId, events: list[Event]) -> str | None:
    try:
        ledger = SqliteLedger(aside, writable=False)
        last = {head.ledger_id: head.seq for head in ledger.heads()}.get(ledger_id, 0)
        ledger.close()
    except PerdureError:
        return None
    missing = last - len(events)
    return (
        f"{missing:,} events of ledger {ledger_id[:8]} after event {len(events)} do not verify" if missing > 0 else None
    )


def bring_ledger_back(scene: Scene, root: str) -> Restored:
    """For a project whose ledger is not there: after `git clean`, in a fresh clone, or at the very beginning."""
    who = project.identity(root)
    folder = backup.folder_for(scene.home, who.id)
    sources: dict[str, Callable[[], dict[LedgerId, list[Event]]]] = {
        "its backup": lambda: {i: _run(event_files.read(folder, i)) for i in _restorable(scene, root, who, folder)},
        "the tracked export": lambda: _from_export(os.path.join(project.folder_of(root), segments.FOLDER)),
        "git history": lambda: _from_history(root),
    }
    for source, read in sources.items():
        chains = {ledger_id: events for ledger_id, events in read().items() if events}
        if chains:
            return _rebuild(scene, root, source, chains, [])
    ledger = create_ledger(root, scene.home)
    try:
        opened = p.write(p.LedgerOpened("created"))
        ledger.append([draft_for(scene, who, "ledger.opened", opened)])
    finally:
        ledger.close()
    known = scene.registry.at(root)
    lost = ("the ledger was gone and no backup, export or git history had it",) if known else ()
    return Restored("nothing: it begins anew", 0, lost)


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


def _from_export(folder: str) -> dict[LedgerId, list[Event]]:
    chains = {}
    if os.path.isdir(folder):
        for name in sorted(os.listdir(folder)):
            parts = event_files.segments_in(folder, LedgerId(name))
            chains[LedgerId(name)] = _run(event for _, _, path in parts for event in _segment(path))
    return chains


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
            return {i: _run(event_files.lines_as_far_as_they_go(lines)) for i, lines in chains.items()}
    return {}


def _rebuild(scene: Scene, root: str, source: str, chains: dict[LedgerId, list[Event]], lost: list[str]) -> Restored:
    who = project.identity(root)
    heads = [head_of(events[-1]) for events in chains.values() if events]
    continues: tuple[dict[str, Json], ...] = tuple(
        {"ledger_id": str(head.ledger_id), "seq": head.seq, "hash": str(head.hash)} for head in heads
    )
    events = sorted((event for chain in chains.values() for event in chain), key=in_order)
    ledger = create_ledger(root, scene.home)
    try:
        opened = p.write(p.LedgerOpened("restored", continues))
        ledger.merge(events, draft_for(scene, who, "ledger.opened", opened))
    finally:
        ledger.close()
    if not events:
        lost = [*lost, "nothing could be recovered: the ledger begins anew"]
    return Restored(source, len(events), tuple(lost))
