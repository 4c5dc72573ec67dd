"""The trajectory: written from the ledger's own events, appended to, and written anew if it is damaged (SPEC 16.2).

    bring_up(desk)             appends what the files lack; writes them anew if they cannot be continued
    write_anew(desk)
    faults(ledger, root)       what is wrong with the files: compares every line with the ledger
    is_cut(desk)               a quick look, for the start of a session: sizes only

The files may be behind the ledger; that is no fault. They are appended to first, and then the mark is written: after a
crash in between, the next writer cuts them back to the mark.
"""

from __future__ import annotations

import os

from perdure.errors import Refused
from perdure.files import FolderLock, listing, make_folder, open_to_read, trouble, write_whole
from perdure.model.digest import sha256
from perdure.model.ids import LedgerId
from perdure.model.ownership import REDACTION, is_own
from perdure.place import project
from perdure.views import trajectory_lines, written_views
from perdure.views.trajectory_lines import ENDING, FOLDER
from perdure.views.written_views import TrajectoryMark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from perdure.actions.wiring import Desk
    from perdure.ledger.port import ReadableLedger
    from perdure.model.event import Event

_MOST_NAMED = 3


def folder_in(root: str) -> str:
    return os.path.join(project.folder_of(root), FOLDER)


def last_redaction(ledger: ReadableLedger) -> str:
    found = ledger.latest([REDACTION], 1)
    return found[0].id if found else ""


class _Lines:
    """The lines of events, by file; what checkpoints counted; how far the ledger's chain was read."""

    def __init__(self, mark: TrajectoryMark | None) -> None:
        self.texts: dict[str, list[str]] = {}
        self.ratios = dict(mark.ratios) if mark else {}
        self.reach = 0

    def add(self, events: Iterator[Event]) -> None:
        for event in events:
            self.reach = event.seq  # the chain that is written to comes last
            text = trajectory_lines.line_of(event, self.ratios)
            if text is not None:
                self.texts.setdefault(trajectory_lines.file_of(event), []).append(text)


def _own_events(ledger: ReadableLedger) -> Iterator[Event]:
    own = ledger.own()
    return (event for event in ledger.events() if is_own(event, own))


def _earlier_chains(ledger: ReadableLedger) -> dict[str, int]:
    """The ledger's own chains before the one that it writes to: all of them are written."""
    head = ledger.head().ledger_id
    return {str(name): seq for name, seq in ledger.own().items() if name != head}


# -- writing -----------------------------------------------------------------------------------------------------------


def bring_up(desk: Desk) -> None:
    with FolderLock(desk.folder):
        mark = written_views.read(desk.folder).trajectory
        if mark is None or not _can_continue(desk, mark):
            write_anew(desk)
            return
        head = desk.ledger.head()
        after = mark.chains[head.ledger_id]
        if after == head.seq and _has_sizes(desk.root, mark):
            return
        new = _Lines(mark)
        new.add(desk.ledger.events(head.ledger_id, after))
        _make_folder(desk.root)
        sizes = dict(mark.files)
        for name in sorted({*sizes, *new.texts}):
            text = "".join(new.texts.get(name, ()))
            sizes[name] = _extended(os.path.join(folder_in(desk.root), name), sizes.get(name, 0), text)
        _write_mark(desk, new, sizes, reach=new.reach or after)


def write_anew(desk: Desk) -> None:
    with FolderLock(desk.folder):
        new = _Lines(None)
        new.add(_own_events(desk.ledger))
        _make_folder(desk.root)
        sizes = {}
        for name, texts in new.texts.items():
            text = "".join(texts)
            write_whole(os.path.join(folder_in(desk.root), name), text)
            sizes[name] = len(text.encode("utf-8", "surrogateescape"))
        _write_mark(desk, new, sizes, reach=new.reach)


def is_cut(desk: Desk) -> bool:
    """Whether a file is gone or shorter than it was, or a payload was redacted since. What was never written is not."""
    mark = written_views.read(desk.folder).trajectory
    if mark is None:
        return bool(files_in(desk.root))
    return not _is_long_enough(desk.root, mark) or mark.redacted != last_redaction(desk.ledger)


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
    return all(_size(root, name) >= size for name, size in mark.files.items())


def _has_sizes(root: str, mark: TrajectoryMark) -> bool:
    return all(_size(root, name) == size for name, size in mark.files.items())


def _size(root: str, name: str) -> int:
    """-1 if there is no such file: a link is none."""
    path = os.path.join(folder_in(root), name)
    try:
        return os.lstat(path).st_size if os.path.isfile(path) and not os.path.islink(path) else -1
    except OSError:
        return -1


def _make_folder(root: str) -> None:
    folder = folder_in(root)
    if os.path.islink(folder):
        raise Refused(
            "folder_borrowed",
            f"{folder} is a link to {os.path.realpath(folder)}, and the trajectory is written to a folder of its own. "
            "Nothing was written.",
            hint="perdure heal sets the link aside, not what it leads to.",
            details={"path": folder, "other": os.path.realpath(folder)},
        )
    make_folder(folder)


def _extended(path: str, size: int, text: str) -> int:
    """Cuts the file to the size that is known to be good, appends the text, and returns the new size."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.truncate(size)
            file.seek(size)
            file.write(text.encode("utf-8", "surrogateescape"))
            return file.tell()
    except OSError as error:
        raise trouble(error, path) from error


def _write_mark(desk: Desk, lines: _Lines, sizes: dict[str, int], *, reach: int) -> None:
    mark = TrajectoryMark(
        chains={**_earlier_chains(desk.ledger), str(desk.ledger.head().ledger_id): reach},
        files=sizes,
        ratios=lines.ratios,
        redacted=last_redaction(desk.ledger),
        format=trajectory_lines.FORMAT,
    )
    if mark != written_views.read(desk.folder).trajectory:
        written_views.write(desk.folder, trajectory=mark)


# -- looking -----------------------------------------------------------------------------------------------------------


def files_in(root: str) -> list[str]:
    return [name for name in listing(folder_in(root)) if name.endswith(ENDING)]


def strays(desk: Desk) -> list[str]:
    """Files in the folder that were not written there."""
    mark = written_views.read(desk.folder).trajectory
    return [
        os.path.join(folder_in(desk.root), name) for name in files_in(desk.root) if not mark or name not in mark.files
    ]


def faults(ledger: ReadableLedger, root: str) -> list[str]:
    """What is wrong with the files, in words. Somebody may be writing them just now: what seems wrong is looked at
    again while nobody writes."""
    if not _faults(ledger, root):
        return []
    with FolderLock(project.folder_of(root)):
        return _faults(ledger, root)


def _faults(ledger: ReadableLedger, root: str) -> list[str]:
    mark = written_views.read(project.folder_of(root)).trajectory
    on_disk = files_in(root)
    if mark is None:
        return [f"{FOLDER}/ has files, and nothing says how far they were written"] if on_disk else []
    if mark.redacted != last_redaction(ledger):
        return [f"{FOLDER}/ was written before the last redaction"]
    if _is_stale(ledger, mark):
        return []  # only behind: the next writer writes it anew
    expected = _digests(ledger, mark)
    wrong = [name for name, digest in expected.items() if _digest_of_file(root, name) != digest]
    wrong += [name for name in on_disk if name not in expected]
    if not wrong:
        return []
    more = f" and {len(wrong) - _MOST_NAMED} more" if len(wrong) > _MOST_NAMED else ""
    return [f"not as the ledger says: {', '.join(f'{FOLDER}/{name}' for name in wrong[:_MOST_NAMED])}{more}"]


def _digests(ledger: ReadableLedger, mark: TrajectoryMark) -> dict[str, str]:
    """Of each file, as far as the mark says that it was written."""
    found: dict[str, Any] = {}
    ratios: dict[str, tuple[int, int]] = {}
    for event in _as_far_as(ledger, mark.chains):
        text = trajectory_lines.line_of(event, ratios)
        if text is not None:
            name = trajectory_lines.file_of(event)
            found.setdefault(name, sha256()).update(text.encode("utf-8", "surrogateescape"))
    return {name: digest.hexdigest() for name, digest in found.items()}


def _as_far_as(ledger: ReadableLedger, chains: Mapping[str, int]) -> Iterator[Event]:
    head = ledger.head().ledger_id
    reach = chains.get(head, 0)
    return (e for e in _own_events(ledger) if LedgerId(e.ledger_id) != head or e.seq <= reach)


def _digest_of_file(root: str, name: str) -> str:
    if _size(root, name) < 0:
        return ""
    digest = sha256()
    path = os.path.join(folder_in(root), name)
    try:
        with open_to_read(path) as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError:
        return ""
    return digest.hexdigest()
