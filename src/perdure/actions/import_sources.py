"""The sources that an import can read: standard input, a file of lines, a folder of segments, or a ledger (SPEC 16.4).

A source can be read several times and gives the same lines each time: the first pass finds out what the import would
do, the second does it. A ledger is read from a private copy, so that no file beside it is touched.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager

from perdure.actions import wiring
from perdure.errors import BadInput, PerdureError
from perdure.files import listing, trouble
from perdure.ledger.header import begins_as_store
from perdure.model.ids import LedgerId, is_uuid, shown
from perdure.model.jsonl import to_line
from perdure.views import event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from perdure.ledger.port import ReadableLedger

LONGEST_LINE = 8 << 20


@contextmanager
def stream(given: BinaryIO) -> Iterator[_Files]:
    """Standard input can be read only once, so it is copied to a file that nobody else can open."""
    with tempfile.NamedTemporaryFile(prefix="perdure-import-") as kept:
        try:
            shutil.copyfileobj(given, kept)
            kept.flush()
        except OSError as error:
            raise trouble(error, "standard input") from error
        yield _Files([kept.name])


@contextmanager
def source_at(path: str) -> Iterator[_Files | _Ledger]:
    """The source at a path that a person named."""
    if os.path.isdir(path):
        yield _Files(_segments(path))
    elif not os.path.exists(path):
        raise BadInput("bad_path", f"There is no file {shown(path)}.")
    elif not os.path.isfile(path):
        raise BadInput("bad_path", f"{shown(path)} is neither a file nor a folder.")
    elif _is_store(path):
        with _copied(path) as ledger:
            yield ledger
    else:
        yield _Files([path])


def _is_store(path: str) -> bool:
    try:
        return begins_as_store(path)
    except OSError as error:
        raise trouble(error, path) from error


class _Files:
    """Files of lines, one after another."""

    def __init__(self, paths: list[str]) -> None:
        self._paths = paths

    def __iter__(self) -> Iterator[bytes]:
        for path in self._paths:
            try:
                with open(path, "rb") as file:
                    # No more of a line is read than the longest event could need.
                    yield from iter(lambda: file.readline(LONGEST_LINE + 1), b"")
            except OSError as error:
                raise trouble(error, path) from error


def _segments(folder: str) -> list[str]:
    """The files of `.perdure/export`, of one ledger's folder in it, or of a backup, in order for each ledger."""
    folder = os.path.abspath(folder)
    own = os.path.basename(folder)
    if is_uuid(own) and (found := event_files.segments_in(os.path.dirname(folder), LedgerId(own))):
        return [path for _, _, path in found]
    chains = [LedgerId(name) for name in listing(folder) if is_uuid(name)]
    paths = [path for chain in chains for _, _, path in event_files.segments_in(folder, chain)]
    paths += [os.path.join(folder, f"{chain}.jsonl") for chain in event_files.ledgers_in(folder)]
    if not paths:
        raise BadInput(
            "bad_path",
            f"The folder {shown(folder)} holds no ledger.",
            hint="Name a file of perdure export, a folder of segments such as .perdure/export, or a ledger.db.",
        )
    return paths


class _Ledger:
    """A copy of a ledger; `path` is the original, which the person named."""

    def __init__(self, ledger: ReadableLedger, copy: str, path: str) -> None:
        self._ledger = ledger
        self._copy = copy
        self._path = path

    def __iter__(self) -> Iterator[bytes]:
        try:
            for event in self._ledger.events():
                yield to_line(event).encode()
        except (PerdureError, TypeError, ValueError, AttributeError) as error:
            raise _unreadable(error, self._copy, self._path) from error


@contextmanager
def _copied(path: str) -> Iterator[_Ledger]:
    with tempfile.TemporaryDirectory(prefix="perdure-import-") as folder:
        copy = os.path.join(folder, "ledger.db")
        try:
            wiring.STORE.copy(path, copy)
        except OSError as error:
            raise trouble(error, path) from error
        try:
            ledger = wiring.STORE.open_ledger(copy)
        except PerdureError as error:
            raise _unreadable(error, copy, path) from error
        try:
            yield _Ledger(ledger, copy, path)
        finally:
            ledger.close()


def _unreadable(error: BaseException, copy: str, path: str) -> BadInput:
    """Not `Damaged`: that error is for the ledger that is written to."""
    why = error.message if isinstance(error, PerdureError) else f"{copy} is not a ledger ({error})."
    return BadInput(
        "bad_ledger",
        f"Not imported: {why.replace(copy, path)}",
        hint="Import its backup, or an export of it, instead.",
    )
