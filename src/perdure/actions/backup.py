"""The backup of a project's ledger in `~/.perdure/backups/<id>/`, which `git clean -fdx` does not delete (SPEC 2.3)."""

from __future__ import annotations

import os

from perdure.errors import Damaged, Doubted, Trouble
from perdure.files import listing, make_folder, read_text, remove, write_whole
from perdure.ledger.port import ALL_EVENTS
from perdure.model.digest import sha256
from perdure.model.event import Ref
from perdure.model.ids import LedgerId
from perdure.model.ownership import erasure_in_force
from perdure.model.value import value
from perdure.settings import project_file
from perdure.views import backup_seals, event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.ledger.port import AuditedLedger, Ledger, ReadableLedger
    from perdure.model.event import Event, Head
    from perdure.model.ids import ProjectId


def folder_for(home: str, project_id: ProjectId) -> str:
    return os.path.join(home, "backups", project_id)


def bring_up(ledger: Ledger, folder: str, key: bytes) -> bool:
    """Appends the new events of every chain, and seals the result. False if the home cannot be written, or if the
    backup belongs to another ledger by now. What was recorded is safe in both cases; the backup is behind, and `status`
    reports that (SPEC 3.2). The chain that the store writes to comes last: once its seal covers the import of another
    chain, that one is backed up too, and the audit may ask for it."""
    own, *others = ledger.heads()
    try:
        ends = [_bring_up_chain(ledger, folder, head, key=key) for head in others if not has_more(folder, head)]
        return all([*ends, _bring_up_chain(ledger, folder, own, key=key)])
    except Trouble as error:
        if error.code in ("read_only", "disk_full", "disk_failed"):
            return False
        raise


def _bring_up_chain(ledger: Ledger, folder: str, head: Head, *, key: bytes) -> bool:
    if not head.seq:
        return True
    try:
        event_files.append_new(folder, head.ledger_id, lambda after: ledger.events(head.ledger_id, after))
    except Damaged as error:
        if error.code == "backup_differs":
            return False
        raise
    backup_seals.write(folder, head, key)
    return True


def refuse_if_put_back(ledger: Ledger, folder: str, key: bytes | None) -> None:
    """Refuses to write to a ledger that lacks events its backup has, or the seal of its backup names: it is an older
    copy that was put back, or its end was lost. A write would give the chain two different events at the same
    position."""
    own = ledger.head().ledger_id
    seal = backup_seals.read(folder, own, key)
    last = event_files.last(folder, own)
    head = ledger.head()  # read after the backup: others may append to both, and the backup is never ahead
    if head.ledger_id != own:
        return
    if last:
        _refuse_unlike(ledger, head, last)
    if seal and seal.seq > head.seq:
        raise Doubted(
            "ledger_put_back",
            f"The ledger ends at event {head.seq}, but the seal of its backup names event {seal.seq}: its end is lost, "
            "or an older copy of it was put back.",
            hint="perdure heal brings back what it finds, says what is lost, and continues in a new chain.",
        )


def _refuse_unlike(ledger: Ledger, head: Head, last: Event) -> None:
    if last.seq <= head.seq and not _has(ledger, head, last):
        raise Doubted(
            "ledger_put_back",
            f"Event {last.seq} of the ledger here differs from the one in its backup: the ledger was rewritten.",
            hint="perdure heal compares both; perdure audit verify says what was signed.",
        )
    if last.seq > head.seq:
        raise Doubted(
            "ledger_put_back",
            f"The ledger ends at event {head.seq}, but its backup has more: an older copy of the ledger was put back.",
            hint="perdure heal brings back what is missing.",
        )


def _has(ledger: Ledger, head: Head, event: Event) -> bool:
    if event.seq == head.seq:
        return head.hash == event.hash
    here = ledger.event(Ref(event.ledger_id, event.seq))
    return here is not None and here.hash == event.hash


def has_event(home: str, head: Head) -> bool:
    """Whether any backup of this home has exactly this event at this position of its chain."""
    for name in listing(os.path.join(home, "backups")):
        folder = os.path.join(home, "backups", name)
        if head.ledger_id in event_files.ledgers_in(folder):
            kept = event_files.readable(folder, head.ledger_id)
            if any(event.seq == head.seq and event.hash == head.hash for event in kept):
                return True
    return False


def agrees(ledger: AuditedLedger, folder: str, head: Head, *, is_shared: bool = False) -> bool:
    """Whether the backup of this chain agrees with the ledger, as far as both go. Also true if there is no backup.
    `is_shared`: another project of this home has the chain too, and may have redacted payloads of it."""
    last = event_files.last(folder, head.ledger_id)
    if last is None:
        return True
    rows = (row for block in ledger.rows(head.ledger_id) for row in block)
    return event_files.agrees(folder, head.ledger_id, rows, upto=min(last.seq, head.seq), is_shared=is_shared)


def set_aside(folder: str, head: Head, suffix: str, *, key: bytes | None) -> str:
    """The backup of a chain under another name. Its seal goes with it, unless it names an event after the end of the
    chain: it is then the proof that events are missing."""
    seal = backup_seals.read(folder, head.ledger_id, key)
    return event_files.set_aside(folder, head.ledger_id, suffix, with_seal=seal is None or seal.seq <= head.seq)


def has_more(folder: str, head: Head) -> bool:
    """Whether the backup has more events of this chain than the ledger here. It may: another clone on this machine may
    write to the same chain."""
    last = event_files.last(folder, head.ledger_id)
    return last is not None and last.seq > head.seq


def keep_settings(root: str, folder: str) -> None:
    """Copies the project's settings: they are not in the ledger, and `git clean` deletes them too. If only they are
    gone, the person deleted them, and the copy goes as well."""
    text, kept = read_text(project_file(root)), kept_settings(root, folder)
    try:
        if text is None and kept is not None:
            remove(_settings_in(folder, root))
        elif text is not None and text != kept:
            make_folder(folder)
            write_whole(_settings_in(folder, root), text)
    except Trouble:
        return  # the home cannot be written; `status` says that the backup is behind


def kept_settings(root: str, folder: str) -> str | None:
    return read_text(_settings_in(folder, root))


def _settings_in(folder: str, root: str) -> str:
    """Each clone has a file of its own, because two clones share the folder."""
    return os.path.join(folder, f"config-{sha256(root.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}.toml")


@value
class BackupLag:
    """How far the backup is behind."""

    events: int
    behind: int


def lag(ledger: Ledger, folder: str) -> BackupLag:
    kept = {head.ledger_id: event_files.last(folder, head.ledger_id) for head in ledger.heads()}
    heads = ledger.heads()  # read after the backup, as above
    own = heads[0].ledger_id
    held = sum(_held(ledger, kept.get(head.ledger_id), head, is_own=head.ledger_id == own) for head in heads)
    total = sum(head.seq for head in heads)
    return BackupLag(total, total - held)


def _held(ledger: Ledger, last: Event | None, head: Head, *, is_own: bool) -> int:
    if last is None:
        return 0
    if last.seq > head.seq:
        return 0 if is_own else head.seq
    here = ledger.event(Ref(head.ledger_id, last.seq))
    return last.seq if here and here.hash == last.hash else 0


def rewrite(ledger: Ledger, folder: str, erased: Sequence[Ref], *, key: bytes) -> bool:
    """Erases what the ledger just erased in every backup of this home that has the chain, also in one under an id that
    the project had before. Nothing else is erased, not even what the ledger says was erased earlier: somebody who can
    write only the ledger could have forged that. False where the home cannot be written."""
    every = os.path.dirname(folder)
    try:
        for ledger_id in {ref.ledger_id for ref in erased}:
            seqs = {ref.seq for ref in erased if ref.ledger_id == ledger_id}
            for each in listing(every):
                event_files.erase(os.path.join(every, each), ledger_id, seqs)
    except Trouble:
        return False
    return bring_up(ledger, folder, key)


def erased_in(ledger: ReadableLedger) -> dict[LedgerId, set[int]]:
    """The events whose payloads are erased by a redaction that counts here, by chain."""
    found: dict[LedgerId, set[int]] = {}
    own = ledger.own()
    for event in ledger.latest(["payload.redacted"], ALL_EVENTS):
        erased = erasure_in_force(event, own)
        if erased:
            found.setdefault(erased.ledger_id, set()).add(erased.seq)
    return found
