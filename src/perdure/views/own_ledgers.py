"""Which ledgers this home writes: `~/.perdure/ledgers/<ledger_id>`, an empty file for each chain it began (SPEC 3.5).

A `ledger.db` whose own chain is not among them was written by somebody else, whatever put it there. A mark in the
project says the same to a shell that cannot see the home; its key is derived from what no repository can know.
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import make_folder, read_text, write_whole
from perdure.model.digest import blake2b
from perdure.model.ids import is_uuid
from perdure.views.key import derived_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.ids import LedgerId

_MARK = "own_ledger"


def claim(home: str, project_folder: str, ledger_id: LedgerId) -> None:
    """Said before the chain is begun: a crash in between leaves a name that nobody uses."""
    write_whole(os.path.join(project_folder, _MARK), _mark(project_folder, ledger_id) + "\n")
    try:
        make_folder(os.path.join(home, "ledgers"))
        write_whole(_path(home, ledger_id), "")
    except Trouble:
        return  # the home cannot be written: the mark in the project says it


def is_own(home: str, project_folder: str, ledger_id: LedgerId) -> bool:
    if not is_uuid(ledger_id):
        return False
    if os.path.exists(_path(home, ledger_id)):
        return True
    marked = (read_text(os.path.join(project_folder, _MARK)) or "").strip()
    return marked == _mark(project_folder, ledger_id)


def _path(home: str, ledger_id: LedgerId) -> str:
    return os.path.join(home, "ledgers", ledger_id)


def _mark(project_folder: str, ledger_id: LedgerId) -> str:
    return blake2b(f"ledger {ledger_id}".encode(), key=derived_key(project_folder), digest_size=32).hexdigest()
