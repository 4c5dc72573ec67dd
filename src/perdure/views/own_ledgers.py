"""Which ledgers this home writes, and where. For each chain that it began, `~/.perdure/ledgers/<ledger_id>` has the
folders of the projects that write to it, one per line (SPEC 3.5).

If a `ledger.db` writes to a chain that is not listed there for its folder, somebody else wrote it, however it got
there: the id of a chain is not a secret. A mark in the project says the same, for a shell that cannot see the home and
for a folder that was moved. The key of that mark is derived from facts that no repository can know.
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import listing, make_folder, read_text, write_whole
from perdure.model.digest import blake2b
from perdure.model.ids import LedgerId, is_uuid
from perdure.views.key import can_be_written, derived_key

MARK = "own_ledger"


def claim(home: str, project_folder: str, ledger_id: LedgerId) -> None:
    """Called before the chain is started: a crash in between leaves only an entry that nobody uses."""
    mark(project_folder, ledger_id)
    known = folders(home, ledger_id)
    try:
        make_folder(os.path.join(home, "ledgers"))
        write_whole(_path(home, ledger_id), "".join(f"{each}\n" for each in [*known, name_of(project_folder)]))
    except Trouble:
        return  # the home cannot be written: the mark in the project is enough


def mark(project_folder: str, ledger_id: LedgerId) -> None:
    """Says in the project that the chain belongs there. It does not say that this home began the chain."""
    write_whole(os.path.join(project_folder, MARK), _mark(project_folder, ledger_id) + "\n")


def is_own(home: str, project_folder: str, ledger_id: LedgerId) -> bool:
    """Whether this home writes to that chain in this folder."""
    if not is_uuid(ledger_id):
        return False
    if name_of(project_folder) in folders(home, ledger_id):
        return True
    is_told = was_begun(home, ledger_id) or not can_be_written(home)
    return is_told and is_marked(project_folder, ledger_id)


def is_marked(project_folder: str, ledger_id: LedgerId) -> bool:
    """Whether the mark in this folder says that the chain is written there."""
    marked = (read_text(os.path.join(project_folder, MARK)) or "").strip()
    return bool(marked) and marked == _mark(project_folder, ledger_id)


def was_begun(home: str, ledger_id: LedgerId) -> bool:
    """Whether this home started the chain, in any folder."""
    return is_uuid(ledger_id) and os.path.isfile(_path(home, ledger_id))


def started_here(home: str) -> list[LedgerId]:
    """The chains that this home started."""
    return [LedgerId(name) for name in listing(os.path.join(home, "ledgers")) if is_uuid(name)]


def folders(home: str, ledger_id: LedgerId) -> list[str]:
    """The folders of the projects that write, or wrote, to the chain. The first is the one where it was started."""
    return (read_text(_path(home, ledger_id)) or "").splitlines()


def name_of(project_folder: str) -> str:
    """The folder's path in one line: a name of a folder may contain a line break."""
    return os.path.realpath(project_folder).replace("\n", "?")


def _path(home: str, ledger_id: LedgerId) -> str:
    return os.path.join(home, "ledgers", ledger_id)


def _mark(project_folder: str, ledger_id: LedgerId) -> str:
    return blake2b(f"ledger {ledger_id}".encode(), key=derived_key(project_folder), digest_size=32).hexdigest()
