"""The backup of a project's ledger, where `git clean -fdx` cannot reach: `~/.perdure/backups/<id>/` (SPEC 2.3)."""

from __future__ import annotations

import os
from functools import partial

from perdure.errors import Trouble
from perdure.model.value import value
from perdure.views import event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.ledger.port import Ledger
    from perdure.model.ids import ProjectId


def folder_for(home: str, project_id: ProjectId) -> str:
    return os.path.join(home, "backups", project_id)


def bring_up(ledger: Ledger, folder: str) -> bool:
    """Appends what is new in every chain. False where the home cannot be written: the ledger itself is safe, the
    backup is behind, and `status` says so (SPEC 3.2)."""
    try:
        for head in ledger.heads():
            if head.seq:
                event_files.append_new(folder, head.ledger_id, partial(ledger.events, head.ledger_id))
    except Trouble as error:
        if error.code in ("read_only", "disk_full", "disk_failed"):
            return False
        raise
    return True


@value
class Lag:
    """How far the backup is behind."""

    events: int
    behind: int


def lag(ledger: Ledger, folder: str) -> Lag:
    heads = ledger.heads()
    held = sum(min(event_files.last_seq(folder, head.ledger_id), head.seq) for head in heads)
    total = sum(head.seq for head in heads)
    return Lag(total, total - held)


def rewrite(ledger: Ledger, folder: str) -> None:
    for head in ledger.heads():
        if head.seq:
            event_files.rewrite(folder, head.ledger_id, ledger.events(head.ledger_id))
