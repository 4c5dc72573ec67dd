"""The backup of a project's ledger, where `git clean -fdx` cannot reach: `~/.perdure/backups/<id>/` (SPEC 2.3)."""

from __future__ import annotations

import os
from functools import partial

from perdure.errors import Damaged, Trouble
from perdure.files import make_folder, read_text, write_whole
from perdure.model.digest import sha256
from perdure.model.event import Ref
from perdure.model.value import value
from perdure.settings import project_file
from perdure.views import event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.ledger.port import Ledger
    from perdure.model.event import Head
    from perdure.model.ids import ProjectId


def folder_for(home: str, project_id: ProjectId) -> str:
    return os.path.join(home, "backups", project_id)


def bring_up(ledger: Ledger, folder: str) -> bool:
    """Appends what is new in every chain. False where the home cannot be written, or where the backup is not of this
    ledger any more: what was recorded is safe, the backup is behind, and `status` says so (SPEC 3.2)."""
    own = ledger.head().ledger_id
    try:
        for head in ledger.heads():
            if head.seq and not (head.ledger_id != own and _has_more(folder, head)):
                event_files.append_new(folder, head.ledger_id, partial(ledger.events, head.ledger_id))
    except Trouble as error:
        if error.code in ("read_only", "disk_full", "disk_failed"):
            return False
        raise
    except Damaged as error:
        if error.code == "backup_differs":
            return False
        raise
    return True


def _has_more(folder: str, head: Head) -> bool:
    """A chain that another clone on this machine writes to may well be further there than here."""
    last = event_files.last(folder, head.ledger_id)
    return last is not None and last.seq > head.seq


def keep_settings(root: str, folder: str) -> None:
    """The project's settings are not in the ledger, and `git clean` takes them too."""
    text = read_text(project_file(root))
    try:
        if text is not None and text != kept_settings(root, folder):
            make_folder(folder)
            write_whole(_settings_in(folder, root), text)
    except Trouble:
        return  # the home cannot be written; `status` says that the backup is behind


def kept_settings(root: str, folder: str) -> str | None:
    return read_text(_settings_in(folder, root))


def _settings_in(folder: str, root: str) -> str:
    """Two clones share the folder, each with settings of its own."""
    return os.path.join(folder, f"config-{sha256(root.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}.toml")


@value
class Lag:
    """How far the backup is behind."""

    events: int
    behind: int


def lag(ledger: Ledger, folder: str) -> Lag:
    heads = ledger.heads()
    own = heads[0].ledger_id
    held = sum(_held(ledger, folder, head, head.ledger_id == own) for head in heads)
    total = sum(head.seq for head in heads)
    return Lag(total, total - held)


def _held(ledger: Ledger, folder: str, head: Head, is_own: bool) -> int:
    last = event_files.last(folder, head.ledger_id)
    if last is None:
        return 0
    if last.seq > head.seq:
        return 0 if is_own else head.seq
    here = ledger.event(Ref(head.ledger_id, last.seq))
    return last.seq if here and here.hash == last.hash else 0


def rewrite(ledger: Ledger, folder: str) -> None:
    for head in ledger.heads():
        if head.seq:
            event_files.rewrite(folder, head.ledger_id, ledger.events(head.ledger_id))
