"""Redactions that were begun, written down before the ledger erases anything (SPEC 16.3).

A redaction erases a payload in the ledger first, then in the backup. If the process dies in between, or the home cannot
be written, the backup still has the payload, and nobody could tell that the ledger was not altered by somebody. `heal`
finishes only what was announced here.

An announcement is kept beside the backup. If the home cannot be written, it is kept in the project, with a digest that
is keyed as the views are (`views/key.py`): a repository cannot bring one.

    announce(desk, [Ref(ledger_id, 7)])
"""

from __future__ import annotations

import os

from perdure.actions import backup
from perdure.errors import Trouble
from perdure.files import make_folder, read_text, remove, write_whole
from perdure.model.digest import blake2b
from perdure.model.event import Ref
from perdure.model.ids import LedgerId
from perdure.place import project
from perdure.views.key import derived_key, existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.wiring import Desk

NAME = "erasing"
"""Of the file in `.perdure`."""


def announce(desk: Desk, refs: Iterable[Ref]) -> None:
    for ref in refs:
        try:
            _announce_in_home(desk.backup_folder, ref)
        except Trouble:  # the home cannot be written, and so neither can the backup in it
            _announce_in_project(desk, ref)


def announced(home: str, root: str, ledger_id: LedgerId) -> set[int]:
    """The events of a chain whose erasure was announced and is not known to be finished."""
    folder = backup.folder_for(home, project.identity(root).id)
    in_project = _in_project(home, project.folder_of(root))
    return _in_home(folder, ledger_id) | {ref.seq for ref in in_project if ref.ledger_id == ledger_id}


def forget(desk: Desk, ledgers: Iterable[LedgerId]) -> None:
    """They are finished."""
    finished = set(ledgers)
    for ledger_id in finished:
        remove(_file_in_home(desk.backup_folder, ledger_id))
    before = _in_project(desk.resolved.home, desk.folder)
    if before:
        _write_in_project(desk, {ref for ref in before if ref.ledger_id not in finished})


# -- in the home -------------------------------------------------------------------------------------------------------


def _announce_in_home(folder: str, ref: Ref) -> None:
    numbers = {*_in_home(folder, ref.ledger_id), ref.seq}
    make_folder(folder)
    write_whole(_file_in_home(folder, ref.ledger_id), "".join(f"{seq}\n" for seq in sorted(numbers)))


def _in_home(folder: str, ledger_id: LedgerId) -> set[int]:
    lines = (read_text(_file_in_home(folder, ledger_id)) or "").split()
    return {int(line) for line in lines if line.isdecimal()}


def _file_in_home(folder: str, ledger_id: LedgerId) -> str:
    return os.path.join(folder, f"{ledger_id}.erasing")


# -- in the project ----------------------------------------------------------------------------------------------------


def _announce_in_project(desk: Desk, ref: Ref) -> None:
    _write_in_project(desk, {*_in_project(desk.resolved.home, desk.folder), ref})


def _write_in_project(desk: Desk, refs: set[Ref]) -> None:
    path = os.path.join(desk.folder, NAME)
    if not refs:
        remove(path)
        return
    text = "".join(f"{ref.ledger_id} {ref.seq}\n" for ref in sorted(refs, key=lambda ref: (ref.ledger_id, ref.seq)))
    write_whole(path, f"{text}{_digest(text, desk.key)}\n")


def _in_project(home: str, folder: str) -> set[Ref]:
    """Nothing where the digest is not ours. Whoever announced it may have had no home at all: the key was derived."""
    text, _, digest = (read_text(os.path.join(folder, NAME)) or "").rstrip("\n").rpartition("\n")
    keys = [key for key in (existing_key(home, folder), derived_key(folder)) if key]
    if digest not in [_digest(f"{text}\n", key) for key in keys]:
        return set()
    found = (line.split() for line in text.splitlines())
    return {Ref(LedgerId(ledger_id), int(seq)) for ledger_id, seq in found}


def _digest(text: str, key: bytes) -> str:
    return blake2b(text.encode(), key=key, digest_size=32).hexdigest()
