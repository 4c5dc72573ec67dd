"""Notes about redactions: those that were announced, before the ledger erases anything, and those that are finished
(SPEC 16.3).

A redaction erases a payload in the ledger first, then in the backup. If the process dies in between, or the home cannot
be written, the backup still has the payload, and nobody could tell that the ledger was not altered by somebody. `heal`
finishes only what was announced here.

What the ledger erased stays written down beside the backup, in the project and with the heads: a copy with the payload
may be put back or set aside later, alone or with the folder it is in, and `heal` erases it there too. If the ledger is
lost, and the redaction with it, these notes keep the payload from being restored (`actions/restoring.py`). They count
in the folder that they were made in: a clone or a copy with the same chain is a record of its own (docs/adr/0049).

An announcement is kept beside the backup. If the home cannot be written, it is kept in the project. What is kept in the
project, and every note of what was erased, has a digest that is keyed as the views are (`views/key.py`): a repository
cannot bring one, nor can a backup that was copied here.

    announce(desk, [Ref(ledger_id, 7)])
"""

from __future__ import annotations

import os

from perdure.actions import backup, segments
from perdure.actions.ledger_origin import is_shared, other_keeper
from perdure.errors import Trouble
from perdure.files import RecordingMark, is_settled, make_folder, read_text, remove, write_whole
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ownership import REDACTION, UNERASABLE, erasure_in_force
from perdure.model.value import replace
from perdure.place import project
from perdure.views import event_files, redaction_notes
from perdure.views.key import can_be_written, derived_key, existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Draft, Event
    from perdure.model.ids import LedgerId

UNDERWAY = "redacting"
"""A file in `.perdure` that is locked while a redaction goes on."""
ANNOUNCED, FINISHED = "erasing", "erased"
"""The names of the files in `.perdure`, and the endings of those beside the backup."""


def underway(desk: Desk) -> RecordingMark:
    """`with underway(desk): …` from before the ledger erases anything until no copy has it: whoever compares the copies
    with the ledger waits for that."""
    return RecordingMark(os.path.join(desk.folder, UNDERWAY))


def wait_until_settled(root: str) -> None:
    """Until nobody is just redacting here, but not for long. What a dead process left is not waited for."""
    is_settled(os.path.join(project.folder_of(root), UNDERWAY))


def announce(desk: Desk, refs: Iterable[Ref]) -> None:
    for ref in refs:
        try:
            _announce_in_home(desk.backup_folder, ref)
        except Trouble:  # the home cannot be written, and so neither can the backup in it
            _add_in_project(desk, ANNOUNCED, {ref})


def announced(home: str, root: str, ledger_id: LedgerId) -> set[int]:
    """The events of a chain whose erasure was announced and is not known to be finished."""
    folder = backup.folder_for(home, project.identity(root).id)
    return _numbers(_file_in_home(folder, ledger_id)) | _of_chain(_in_project(home, root, ANNOUNCED), ledger_id)


def _finished(home: str, root: str, ledger_id: LedgerId) -> set[int]:
    folder = backup.folder_for(home, project.identity(root).id)
    return _numbers(_finished_file(folder, ledger_id)) | _of_chain(_in_project(home, root, FINISHED), ledger_id)


def redacted_here(home: str, root: str, ledger_id: LedgerId) -> set[int]:
    """The events of a chain whose payloads this home redacted, as notes with a digest of this home say. They count also
    where the redaction itself is lost."""
    folder = backup.folder_for(home, project.identity(root).id)
    key = existing_key(home, project.folder_of(root))
    beside_backup = _proved_numbers(folder, ledger_id, key) if key else set()
    return beside_backup | _of_chain(_noted_in_folder(home, root), ledger_id)


def redacted_in_project(resolved: ResolvedRequest, root: str, ledger_id: LedgerId) -> set[int]:
    """As `redacted_here`, but only what was redacted in this folder. The note beside the backup does not say in which
    folder that was: it counts if no other project of this home has the chain, and no other folder has the note."""
    home, folder = resolved.home, project.folder_of(root)
    anywhere = redacted_here(home, root, ledger_id)
    if not anywhere:  # as in most projects
        return set()
    in_folder = _noted_in_folder(home, root)
    if is_shared(resolved, root, ledger_id) or other_keeper(resolved, root, ledger_id):
        return _of_chain(in_folder, ledger_id)
    elsewhere = redaction_notes.noted_elsewhere(home, folder, existing_key(home, folder))
    return anywhere - _of_chain(elsewhere - in_folder, ledger_id)


def _noted_in_folder(home: str, root: str) -> set[Ref]:
    folder = project.folder_of(root)
    return _in_project(home, root, FINISHED) | redaction_notes.noted(home, folder, existing_key(home, folder))


def came_back(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> list[Event]:
    """Events that this home redacted and that have their payload in the ledger, which knows of no redaction: a copy
    from before it was put back."""
    known, found = backup.erased_in(ledger), []
    for head in ledger.heads():
        noted = redacted_in_project(resolved, root, head.ledger_id)
        for seq in sorted(noted - known.get(head.ledger_id, set())):
            event = ledger.event(Ref(head.ledger_id, seq))
            if event and event.payload is not None and event.kind not in UNERASABLE:
                found.append(event)
    return found


def wrong_notes(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> dict[str, str]:
    """The paths of notes of what was erased that are not as this home wrote them, or lack what the ledger and
    another note of this folder have; each with what is wrong. Where a project was restored, no note is in it yet."""
    home, folder = resolved.home, project.folder_of(root)
    key = existing_key(home, folder)
    if key is None:
        return {}
    in_project, with_heads = os.path.join(folder, FINISHED), redaction_notes.path_of(home, folder)
    kept = _in_project(home, root, FINISHED)
    noted = redaction_notes.noted(home, folder, key)
    found = _altered({in_project: bool(kept), with_heads: bool(noted)})
    beside = backup.folder_for(home, project.identity(root).id)
    anywhere = noted | redaction_notes.noted_elsewhere(home, folder, key)
    erased = backup.erased_in(ledger)
    for ledger_id in (head.ledger_id for head in ledger.heads()):
        if other_keeper(resolved, root, ledger_id):
            continue
        path, numbers = _finished_file(beside, ledger_id), _proved_numbers(beside, ledger_id, key)
        found |= _altered({path: bool(numbers)})
        if is_shared(resolved, root, ledger_id):
            continue
        gone = erased.get(ledger_id, set())
        wanted = redacted_in_project(resolved, root, ledger_id) & gone if gone else gone
        has = {in_project: _of_chain(kept, ledger_id), with_heads: _of_chain(anywhere, ledger_id), path: numbers}
        must_be = path if os.path.isdir(beside) else ""  # another id in `project.toml` names a folder that nobody has
        lacking = (each for each, there in has.items() if wanted - there and (each == must_be or os.path.exists(each)))
        found = {**dict.fromkeys(lacking, _LACKING), **found}
    return found


_ALTERED = "notes redactions and is not as this home wrote it"
_LACKING = "lacks a redaction that this home noted elsewhere"


def _altered(notes: Mapping[str, bool]) -> dict[str, str]:
    """The paths at which something else is now. `notes`: path → whether a digest proves what is there."""
    return {path: _ALTERED for path, is_proved in notes.items() if not is_proved and read_text(path) is not None}


def mend_notes(desk: Desk) -> list[str]:
    """Writes the notes again that are wrong. What nothing proves is set aside."""
    from perdure.actions import odd_files

    ledgers = [head.ledger_id for head in desk.ledger.heads()]
    before = wrong_notes(desk.resolved, desk.root, desk.ledger)
    mark_finished(desk, ledgers)
    after = wrong_notes(desk.resolved, desk.root, desk.ledger) if before else {}
    mended = [f"{path} {what}: written again" for path, what in before.items() if path not in after]
    for path, what in after.items():
        if what == _ALTERED:
            mended.append(f"{path} {what}: it is {odd_files.set_aside(path, desk.now())} now")
    return mended


def redaction_draft(event: Event, draft: Draft) -> Draft:
    """The draft of a redaction that was lost. `event` is what it erased, with its payload if a copy still had that."""
    said = tombstone(event, "recorded again: this home had redacted it, and that redaction was lost")
    return replace(draft, payload=p.write(said), task_id=event.task_id if said.hash else None)


def erase_copies(desk: Desk, erased: Sequence[Ref]) -> bool:
    """What the ledger no longer holds, its backup and its tracked segments must not hold either. False where the home
    cannot be written: `heal` finishes it, since it was announced."""
    ours = to_erase_in_backup(desk, erased)
    is_finished = backup.rewrite(desk.ledger, desk.backup_folder, ours, key=desk.key)
    try:
        _note_in_folder(desk, {*erased})
    except Trouble:
        is_finished = False  # what was announced is noted by the next `heal`
    mark_finished(desk, {ref.ledger_id for ref in ours})
    for ref in erased:
        segments.erase_in(desk, ref)
    return is_finished


def to_erase_in_backup(desk: Desk, erased: Iterable[Ref]) -> list[Ref]:
    """The backup of a chain that another project here writes to is that one's to change: it has not recorded the
    redaction."""
    return [ref for ref in erased if not other_keeper(desk.resolved, desk.root, ref.ledger_id)]


def tombstone(event: Event, because: str) -> p.PayloadRedacted:
    """What is recorded of an erased payload. A thought stays a link of its chain."""
    thought = p.read(event, p.ThoughtRecorded)
    return p.PayloadRedacted(
        ledger_id=event.ledger_id,
        seq=event.seq,
        event_id=event.id,
        because=because,
        prev_hash=thought.prev_hash if thought else None,
        hash=thought.hash if thought else None,
    )


LOST = "heal found it gone from the ledger, and in no backup"
"""Why a payload is recorded as gone that nobody redacted."""


def lost_in(ledger: ReadableLedger) -> dict[LedgerId, set[int]]:
    """The events whose payloads were lost, not redacted, as a healing recorded; by chain."""
    found: dict[LedgerId, set[int]] = {}
    own = ledger.own()
    for event in ledger.latest([REDACTION], ALL_EVENTS):
        said, erased = p.read(event, p.PayloadRedacted), erasure_in_force(event, own)
        if said and erased and said.because == LOST:
            found.setdefault(erased.ledger_id, set()).add(erased.seq)
    return found


def _of_chain(refs: Iterable[Ref], ledger_id: LedgerId) -> set[int]:
    return {ref.seq for ref in refs if ref.ledger_id == ledger_id}


def finish(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> list[str]:
    """Erases in the backups, also in those that were set aside, what this home redacted and the ledger says so too.
    What only the ledger says was redacted stays: whoever can write the ledger could have it say so."""
    mended = []
    folder = backup.folder_for(resolved.home, project.identity(root).id)
    for ledger_id, seqs in backup.erased_in(ledger).items():
        begun = announced(resolved.home, root, ledger_id) | _finished(resolved.home, root, ledger_id)
        is_ours = begun & seqs and not other_keeper(resolved, root, ledger_id)
        if is_ours and event_files.erase(folder, ledger_id, begun & seqs):
            mended.append(f"redacted payloads erased from the backup of ledger {ledger_id[:8]}")
    return mended


def mark_finished(desk: Desk, ledgers: Iterable[LedgerId]) -> None:
    """Writes down what the ledger erased. The rest stays announced, which costs no more than a look: its redaction
    never happened, or the home cannot be written."""
    home, root = desk.resolved.home, desk.root
    erased = backup.erased_in(desk.ledger)
    written: set[Ref] = set()
    for ledger_id in set(ledgers):
        begun = announced(home, root, ledger_id) | _finished(home, root, ledger_id)
        done = begun & erased.get(ledger_id, set()) | redacted_in_project(desk.resolved, root, ledger_id)
        refs = {Ref(ledger_id, seq) for seq in done}
        try:
            _note_in_folder(desk, refs)
            if not other_keeper(desk.resolved, root, ledger_id):
                _add_finished_in_home(desk, ledger_id, done)
            _drop(_file_in_home(desk.backup_folder, ledger_id), done)
        except Trouble:
            continue
        written |= refs
    before = _in_project(home, root, ANNOUNCED)
    if before:
        _write_in_project(desk, ANNOUNCED, before - written)


def _note_in_folder(desk: Desk, refs: set[Ref]) -> None:
    """In the project and with the heads."""
    _add_in_project(desk, FINISHED, refs)
    home = desk.resolved.home
    before = redaction_notes.noted(home, desk.folder, desk.key)
    if refs - before and can_be_written(home):
        redaction_notes.write(home, desk.folder, before | refs, key=desk.key)


def noted_from(desk: Desk, ends: Mapping[LedgerId, int]) -> set[Ref]:
    """What was redacted of these chains from these positions on. Where the ends are given up, other events stand there
    later, and a note must not erase those."""
    home, root = desk.resolved.home, desk.root
    return {Ref(i, seq) for i, first in ends.items() for seq in redacted_here(home, root, i) if seq >= first}


def withdraw(desk: Desk, refs: set[Ref]) -> None:
    """Their redactions were given up with the end of a chain, and the ledger has the payloads again: no note may keep
    them from being restored later."""
    home = desk.resolved.home
    before, with_heads = _in_project(home, desk.root, FINISHED), redaction_notes.noted(home, desk.folder, desk.key)
    try:
        if before & refs:
            _write_in_project(desk, FINISHED, before - refs)
        if with_heads & refs:
            redaction_notes.write(home, desk.folder, with_heads - refs, key=desk.key)
        for ledger_id in {ref.ledger_id for ref in refs}:
            noted = _proved_numbers(desk.backup_folder, ledger_id, desk.key)
            if noted & _of_chain(refs, ledger_id):
                _write_finished_in_home(desk, ledger_id, noted - _of_chain(refs, ledger_id))
    except Trouble:
        return  # the home cannot be written, and so neither is its backup brought up


# -- in the home -------------------------------------------------------------------------------------------------------


def _announce_in_home(folder: str, ref: Ref) -> None:
    make_folder(folder)
    path = _file_in_home(folder, ref.ledger_id)
    write_whole(path, _as_lines(_numbers(path) | {ref.seq}))


def _drop(path: str, finished: set[int]) -> None:
    before = _numbers(path)
    if before - finished:
        write_whole(path, _as_lines(before - finished))
    else:
        remove(path)


def _add_finished_in_home(desk: Desk, ledger_id: LedgerId, numbers: set[int]) -> None:
    before = _proved_numbers(desk.backup_folder, ledger_id, desk.key)
    if numbers - before:
        _write_finished_in_home(desk, ledger_id, before | numbers)


def _write_finished_in_home(desk: Desk, ledger_id: LedgerId, numbers: set[int]) -> None:
    path, text = _finished_file(desk.backup_folder, ledger_id), _as_lines(numbers)
    if not numbers:
        remove(path)
        return
    digest = redaction_notes.digest(f"{ledger_id}\n{text}", desk.key)
    write_whole(path, f"{text}{digest}\n")


def _proved_numbers(folder: str, ledger_id: LedgerId, key: bytes) -> set[int]:
    """Nothing where the digest is not ours, as in the notes of versions that wrote none."""
    path = _finished_file(folder, ledger_id)
    text, _, digest = (read_text(path) or "").rstrip("\n").rpartition("\n")
    return _numbers(path) if digest == redaction_notes.digest(f"{ledger_id}\n{text}\n", key) else set()


def _as_lines(numbers: set[int]) -> str:
    return "".join(f"{seq}\n" for seq in sorted(numbers))


def _numbers(path: str) -> set[int]:
    lines = (read_text(path) or "").split()
    return {int(line) for line in lines if line.isdecimal()}


def _file_in_home(folder: str, ledger_id: LedgerId) -> str:
    return os.path.join(folder, f"{ledger_id}.{ANNOUNCED}")


def _finished_file(folder: str, ledger_id: LedgerId) -> str:
    return os.path.join(folder, f"{ledger_id}.{FINISHED}")


# -- in the project ----------------------------------------------------------------------------------------------------


def _add_in_project(desk: Desk, name: str, refs: set[Ref]) -> None:
    before = _in_project(desk.resolved.home, desk.root, name)
    if refs - before:
        _write_in_project(desk, name, before | refs)


def _write_in_project(desk: Desk, name: str, refs: set[Ref]) -> None:
    path = os.path.join(desk.folder, name)
    if not refs:
        remove(path)
        return
    text = redaction_notes.refs_as_lines(refs)
    write_whole(path, f"{text}{redaction_notes.digest(text, desk.key)}\n")


def _in_project(home: str, root: str, name: str) -> set[Ref]:
    """Nothing where the digest is not ours. Whoever wrote it may have had no home at all: the key was derived."""
    folder = project.folder_of(root)
    text, _, digest = (read_text(os.path.join(folder, name)) or "").rstrip("\n").rpartition("\n")
    if not text:
        return set()
    keys = [key for key in (existing_key(home, folder), derived_key(folder)) if key]
    if digest not in [redaction_notes.digest(f"{text}\n", key) for key in keys]:
        return set()
    return redaction_notes.refs_in(text.splitlines())
