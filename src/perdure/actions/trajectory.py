"""The trajectory: written from the ledger's own events, appended to, and written anew if it is damaged (SPEC 16.2).

    bring_up(desk)             appends what the files lack; writes them anew if they cannot be continued
    write_anew(desk)
    faults(ledger, root, key)  what is wrong with the files, by their digests
    is_damaged(desk)           a quick look, for the start of a session: long files by their sizes only

The files may be behind the ledger; that is not a fault. They are appended to first, and then the mark is written: after
a crash in between, the next writer cuts them back to the mark.
"""

from __future__ import annotations

import os

from perdure.files import (
    FolderLock,
    listing,
    make_own_folder,
    open_to_read,
    take_away_unfinished,
    trouble,
    unfinished,
    write_pieces,
)
from perdure.model import payload as p
from perdure.model.digest import sha256
from perdure.model.event import Ref
from perdure.model.ids import LedgerId
from perdure.model.json import parse
from perdure.model.ownership import REDACTION, is_own
from perdure.model.value import replace
from perdure.place import project
from perdure.views import trajectory_lines, written_views
from perdure.views.trajectory_lines import ENDING, FOLDER
from perdure.views.written_views import TrajectoryMark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from perdure.actions.wiring import Desk
    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Event

WRITTEN_TO = "the trajectory is written to"
_MOST_NAMED = 3
_MOST_KEPT = 8 << 20
"""Characters of lines that are kept in memory."""
_MOST_APPENDED = 20_000
"""Events. More than these are not appended from memory: all files are written anew."""
_MOST_REDACTIONS = 100
_EVERYTHING = 1 << 62
_MOST_READ = 16 << 20
"""Bytes of files whose digests are compared while a client waits."""
COUNTING = ("checkpoint.passed", "checkpoint.refused", "session.handoff")
"""Kinds that later lines depend on (`trajectory_lines.Ratios`)."""


def folder_in(root: str) -> str:
    return os.path.join(project.folder_of(root), FOLDER)


def last_redaction(ledger: ReadableLedger) -> str:
    found = ledger.latest([REDACTION], 1)
    return found[0].id if found else ""


class _NewFiles:
    """Lines of events on their way to files: kept in memory until they are many, then appended to unfinished files."""

    def __init__(self, folder: str, mark: TrajectoryMark | None) -> None:
        self._folder = folder
        self._kept: dict[str, list[str]] = {}
        self._size = 0
        self.beside: dict[str, str] = {}
        """Name → its unfinished file."""
        self.ratios = dict(mark.ratios) if mark else {}
        self.reach = 0

    def add(self, events: Iterator[Event]) -> None:
        for event in events:
            self.reach = event.seq  # the chain that is written to comes last
            text = trajectory_lines.line_of(event, self.ratios)
            if text is not None:
                self._kept.setdefault(trajectory_lines.file_of(event), []).append(text)
                self._size += len(text)
            if self._size > _MOST_KEPT:
                self.flush()

    def flush(self) -> None:
        for name, texts in self._kept.items():
            beside = self.beside.setdefault(name, unfinished(os.path.join(self._folder, name)))
            _append(beside, "".join(texts).encode("utf-8", "surrogateescape"), size=None)
        self._kept, self._size = {}, 0

    def texts(self) -> dict[str, bytes]:
        return {name: "".join(each).encode("utf-8", "surrogateescape") for name, each in self._kept.items()}


def _own_events(ledger: ReadableLedger) -> Iterator[Event]:
    own = ledger.own()
    return (event for event in ledger.events() if is_own(event, own))


def _earlier_chains(ledger: ReadableLedger) -> dict[str, int]:
    """The ledger's own chains before the one that it writes to: all of them are written."""
    head = ledger.head().ledger_id
    return {str(name): seq for name, seq in ledger.own().items() if name != head}


# -- writing -----------------------------------------------------------------------------------------------------------


def bring_up(desk: Desk) -> None:
    """Appends what is new, and erases what was redacted since; writes all files anew if they cannot be continued."""
    make_own_folder(folder_in(desk.root), WRITTEN_TO)
    with FolderLock(folder_in(desk.root)):
        take_away_unfinished(folder_in(desk.root))
        mark = _mark(desk)
        if mark and mark.redacted != last_redaction(desk.ledger):
            mark = _without_redacted(desk, mark)
        if mark is None or not _can_continue(desk, mark):
            write_anew(desk)
            return
        head = desk.ledger.head()
        after = mark.chains[head.ledger_id]
        if head.seq - after > _MOST_APPENDED:
            write_anew(desk)
        elif after < head.seq or not _has_sizes(desk.root, mark):
            _append_new(desk, mark, after)


def _append_new(desk: Desk, mark: TrajectoryMark, after: int) -> None:
    """The digest of a file that is appended to covers all of it: what somebody changed in it would count as written by
    us. So it must be as it was written, or all files are written anew."""
    new = _NewFiles(folder_in(desk.root), mark)
    new.add(desk.ledger.events(desk.ledger.head().ledger_id, after))
    files, texts = dict(mark.files), new.texts()
    touched = [n for n in sorted({*files, *texts}) if n in texts or _size(desk.root, n) != files[n][0]]
    if any(_digest_in(desk.root, name, files[name][0]) != files[name][1] for name in touched if name in files):
        write_anew(desk)
        return
    for name in touched:
        size, _ = files.get(name, (0, ""))
        path = os.path.join(folder_in(desk.root), name)
        _append(path, texts.get(name, b""), size=size)
        files[name] = (_size(desk.root, name), _digest_of_file(path))
    _write_mark(desk, new.ratios, files, reach=new.reach or after)


def write_anew(desk: Desk) -> None:
    make_own_folder(folder_in(desk.root), WRITTEN_TO)
    folder = folder_in(desk.root)
    with FolderLock(folder):
        take_away_unfinished(folder)
        new = _NewFiles(folder, None)
        new.add(_own_events(desk.ledger))
        new.flush()
        files = {}
        for name, beside in new.beside.items():
            path = os.path.join(folder, name)
            _put(beside, path)
            files[name] = (_size(desk.root, name), _digest_of_file(path))
        _write_mark(desk, new.ratios, files, reach=new.reach)


def _without_redacted(desk: Desk, mark: TrajectoryMark) -> TrajectoryMark | None:
    """Writes the files again that have a line of an event that was redacted since. None if that is not enough."""
    erased = _redacted_since(desk, mark)
    if erased is None or any(event.kind in COUNTING for event in erased):
        return None
    own, head = desk.ledger.own(), desk.ledger.head().ledger_id
    files = dict(mark.files)
    for event in erased:
        name, text = trajectory_lines.file_of(event), trajectory_lines.line_of(event, {})
        is_written = event.ledger_id != head or event.seq <= mark.chains.get(head, 0)
        if text is None or not is_own(event, own) or not is_written or name not in files:
            continue
        path = os.path.join(folder_in(desk.root), name)
        if _digest_of_file(path) != files[name][1]:
            return None  # it is damaged, too
        write_pieces(path, _with_line(path, event.id, text))
        files[name] = (_size(desk.root, name), _digest_of_file(path))
    _write_mark(desk, mark.ratios, files, reach=mark.chains.get(head, 0))
    return _mark(desk)


def _redacted_since(desk: Desk, mark: TrajectoryMark) -> list[Event] | None:
    """The events that were redacted after the mark was written; None if they are too many."""
    found: list[Event] = []
    for event in desk.ledger.latest([REDACTION], _MOST_REDACTIONS):
        if event.id == mark.redacted:
            return found
        said = p.read(event, p.PayloadRedacted)
        erased = desk.ledger.event(Ref(LedgerId(said.ledger_id), said.seq)) if said else None
        found += [erased] if erased else []
    return found if not mark.redacted and len(found) < _MOST_REDACTIONS else None


def _with_line(path: str, event_id: str, text: str) -> Iterator[str]:
    """The lines of the file, with this text in the place of the event's line."""
    field = f'"event_id":"{event_id}"'
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        for line in file:
            is_its = field in line and _event_id(line) == event_id
            yield text if is_its else line


def _event_id(line: str) -> object:
    found = parse(line)
    return found.get("event_id") if isinstance(found, dict) else None


def _mark(desk: Desk) -> TrajectoryMark | None:
    return written_views.read(desk.folder, desk.key).trajectory


def takes_long(desk: Desk) -> bool:
    """Whether `bring_up` would read so many events that a client cannot wait for it."""
    head, mark, after = desk.ledger.head(), _mark(desk), 0
    if mark and _redacted_since(desk, mark) is not None:
        is_going_on = _can_continue(desk, replace(mark, redacted=last_redaction(desk.ledger)))
        after = mark.chains.get(head.ledger_id, 0) if is_going_on else 0
    return head.seq - after > _MOST_APPENDED


def is_before_redaction(desk: Desk) -> bool:
    mark = _mark(desk)
    return mark is not None and mark.redacted != last_redaction(desk.ledger)


def is_damaged(desk: Desk) -> bool:
    """Whether a file is gone or not as it was written. What was never written is not damaged. Whoever writes the files
    just now appends to them: more than was written is not damage here."""
    mark = _mark(desk)
    if mark is None:
        return bool(files_in(desk.root))
    if not _is_long_enough(desk.root, mark):
        return True
    is_quick = sum(size for size, _ in mark.files.values()) <= _MOST_READ
    return is_quick and any(_digest_in(desk.root, name, size) != told for name, (size, told) in mark.files.items())


def files_of_lost_record(desk: Desk) -> list[str]:
    """Files that tell of chains which the ledger does not have any more: nothing else may have their words."""
    mark = _mark(desk)
    if mark is None or not mark.chains or mark.chains.keys() & {str(each) for each in desk.ledger.own()}:
        return []
    return [os.path.join(folder_in(desk.root), name) for name in mark.files if _size(desk.root, name) > 0]


def _can_continue(desk: Desk, mark: TrajectoryMark) -> bool:
    head = desk.ledger.head()
    is_in_chain = 0 <= mark.chains.get(head.ledger_id, -1) <= head.seq
    has_same_past = {**_earlier_chains(desk.ledger), str(head.ledger_id): 0}.keys() == mark.chains.keys()
    return is_in_chain and has_same_past and not _is_stale(desk.ledger, mark) and _is_long_enough(desk.root, mark)


def _is_stale(ledger: ReadableLedger, mark: TrajectoryMark) -> bool:
    """Whether more of an earlier chain was found since, a payload was redacted, or lines are written in another way
    now: the files are then written anew."""
    earlier = _earlier_chains(ledger)
    is_longer = any(mark.chains.get(name) != seq for name, seq in earlier.items())
    return is_longer or mark.redacted != last_redaction(ledger) or mark.format != trajectory_lines.FORMAT


def _is_long_enough(root: str, mark: TrajectoryMark) -> bool:
    return all(_size(root, name) >= size for name, (size, _) in mark.files.items())


def _has_sizes(root: str, mark: TrajectoryMark) -> bool:
    return all(_size(root, name) == size for name, (size, _) in mark.files.items())


def _size(root: str, name: str) -> int:
    """-1 if there is no such file. A link does not count as one."""
    path = os.path.join(folder_in(root), name)
    try:
        return os.lstat(path).st_size if os.path.isfile(path) and not os.path.islink(path) else -1
    except OSError:
        return -1


def _append(path: str, text: bytes, *, size: int | None) -> None:
    """Cuts the file to the size that is known to be good, if one is given, and appends the text."""
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with open(os.open(path, flags, 0o600), "wb") as file:
            if size is not None:
                file.truncate(size)
            file.seek(0, os.SEEK_END)
            file.write(text)
    except OSError as error:
        raise trouble(error, path) from error


def _put(beside: str, path: str) -> None:
    try:
        os.replace(beside, path)
    except OSError as error:
        raise trouble(error, path) from error


def _write_mark(
    desk: Desk, ratios: Mapping[str, tuple[int, int]], files: Mapping[str, tuple[int, str]], *, reach: int
) -> None:
    mark = TrajectoryMark(
        chains={**_earlier_chains(desk.ledger), str(desk.ledger.head().ledger_id): reach},
        files=dict(files),
        ratios=dict(ratios),
        redacted=last_redaction(desk.ledger),
        format=trajectory_lines.FORMAT,
    )
    with FolderLock(desk.folder):
        if mark != _mark(desk):
            written_views.write(desk.folder, desk.key, trajectory=mark)


# -- looking -----------------------------------------------------------------------------------------------------------


def files_in(root: str) -> list[str]:
    return [name for name in listing(folder_in(root)) if name.endswith(ENDING)]


def strays(desk: Desk) -> list[str]:
    """Files in the folder that were not written there."""
    mark = _mark(desk)
    written = mark.files if mark else {}
    return [os.path.join(folder_in(desk.root), name) for name in files_in(desk.root) if name not in written]


def faults(ledger: ReadableLedger, root: str, key: bytes | None) -> list[str]:
    """What is wrong with the files, in words. Somebody may be writing them just now: what seems wrong is looked at
    again while nobody writes."""
    found = _faults(ledger, root, key)
    if not found or not os.path.isdir(folder_in(root)):
        return found
    with FolderLock(folder_in(root)):
        return _faults(ledger, root, key)


def _faults(ledger: ReadableLedger, root: str, key: bytes | None) -> list[str]:
    mark = written_views.read(project.folder_of(root), key).trajectory
    on_disk = files_in(root)
    if mark is None:
        return [f"{FOLDER}/ has files, and nothing says how far they were written"] if on_disk else []
    if mark.redacted != last_redaction(ledger):
        return [f"{FOLDER}/ was written before the last redaction"]
    wrong = [name for name, (_, digest) in mark.files.items() if _digest_in(root, name) != digest]
    wrong += [name for name in on_disk if name not in mark.files]
    if not wrong:
        return []
    more = f" and {len(wrong) - _MOST_NAMED} more" if len(wrong) > _MOST_NAMED else ""
    return [f"not as the ledger says: {', '.join(f'{FOLDER}/{name}' for name in wrong[:_MOST_NAMED])}{more}"]


def _digest_in(root: str, name: str, size: int | None = None) -> str:
    """Empty if there is no such file."""
    return _digest_of_file(os.path.join(folder_in(root), name), size) if _size(root, name) >= 0 else ""


def _digest_of_file(path: str, size: int | None = None) -> str:
    """The digest of its first `size` bytes, or of all."""
    digest, left = sha256(), _EVERYTHING if size is None else size
    try:
        with open_to_read(path) as file:
            while piece := file.read(min(left, 1 << 20)):
                digest.update(piece)
                left -= len(piece)
    except OSError:
        return ""
    return digest.hexdigest()
