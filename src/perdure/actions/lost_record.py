"""Sees to it that a project has a record before a hook continues (SPEC 2.3, 3.5, 6.2, 16.3). So no session begins
without its past, and no prompt is lost.

A record that is gone, as after `git clean -fdx`, is restored from its backup: only what this home wrote itself, in this
repository. If there is none, as in a clone that brought only `project.toml`, an empty record is begun. Where the backup
belongs to another repository, where another home wrote it and nothing here proves it, where the home keeps it under
another id than `project.toml` has, and where `project.toml` is gone too, a person decides.

A record that is damaged or cut, or an older copy of it, is healed as `perdure heal` does it. A client does not wait for
that where the record is long. What only a person may decide, and a ledger that somebody else put there, stay as they
are: then the hook tells the error.

    with_record(resolved, lambda notices: …)      # no notices where nothing was missing or damaged
"""

from __future__ import annotations

import os
from shlex import quote

from perdure.actions import backup, other_repository, project_ids
from perdure.actions.ledger_origin import ledger_path, record_creation, register
from perdure.actions.record import Fact, record
from perdure.actions.wiring import create_project_folder, open_desk_at
from perdure.errors import Damaged, Refused
from perdure.files import FolderLock, listing
from perdure.model import payload as p
from perdure.model.plural import counted
from perdure.place import project
from perdure.place.refusals import required_project
from perdure.views import damage, event_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from perdure.actions.request import ResolvedRequest
    from perdure.actions.restoring import Restored

    T = TypeVar("T")

LONG = 16 << 20
"""Bytes of a ledger or a backup that a client does not wait for: a hook has 30 seconds."""
_NOT_DAMAGE = ("foreign_ledger", "ledger_in_doubt", "ledger_tracked")
"""Somebody put another ledger there: whoever works here must see that before it is set aside."""


def with_record(resolved: ResolvedRequest, act: Callable[[list[str]], T]) -> T:
    """Calls `act` with what the agent must be told first. If it meets a damaged record, that is healed, and `act` is
    called again."""
    try:
        return act(bring_back(resolved))
    except Damaged as error:
        notices = _heal(resolved, error)
    return act(notices)


def _heal(resolved: ResolvedRequest, error: Damaged) -> list[str]:
    root = resolved.place.project_path
    if root is None or error.code in _NOT_DAMAGE or max(_sizes(resolved, root), default=0) > LONG:
        raise error
    from perdure.actions.healing import heal_for_hook  # every prompt comes here, and hardly one needs it

    healed = heal_for_hook(resolved, root)
    done = "; ".join(healed.mended) or "nothing had to be written again"
    return [f"The record was damaged and was healed: {done}.", *(f"Lost: {each}." for each in healed.lost)]


def _sizes(resolved: ResolvedRequest, root: str) -> Iterator[int]:
    known = resolved.registry.at(root)
    folders = [project.folder_of(root), *([backup.folder_for(resolved.home, known.project_id)] if known else [])]
    for folder in folders:
        for name in listing(folder):
            if name.startswith(os.path.basename(ledger_path(root))) or name.endswith(".jsonl"):
                yield os.lstat(os.path.join(folder, name)).st_size


def is_gone(resolved: ResolvedRequest) -> bool:
    root = resolved.place.project_path
    return root is not None and not (project.is_project(root) and os.path.exists(ledger_path(root)))


def bring_back(resolved: ResolvedRequest) -> list[str]:
    """Restores the record; returns what the agent is told, each loss by itself: the brief cuts what is too long."""
    root = resolved.place.project_path
    if root is None or not is_gone(resolved):
        return []
    if not os.path.isdir(root):
        required_project(resolved.place)  # it was moved or deleted: nothing is written at the old path
    project_ids.refuse_to_begin(resolved, root)
    kept = other_repository.left_out(resolved, root)
    if kept:
        raise other_repository.refusal(kept)
    if not _has_backup(resolved, root):
        _refuse_to_begin(resolved, root)
    from perdure.actions.restoring import bring_ledger_back  # every prompt comes here, and hardly one needs it

    is_rewritten = project.toml_of(root) in create_project_folder(resolved, root)
    with FolderLock(project.folder_of(root)):  # if two processes notice at once, one restores it
        if os.path.exists(ledger_path(root)):
            return []
        restored = bring_ledger_back(resolved, root, is_hook=True)
    rewritten = [f"{project.toml_of(root)} was gone too and was written again."] if is_rewritten else []
    return [_note(resolved, root, restored), *rewritten, *(f"Lost: {each}." for each in restored.lost)]


def _refuse_to_begin(resolved: ResolvedRequest, root: str) -> None:
    """Refuses where an empty record must not be begun without a person."""
    if not other_repository.was_project(resolved, root):
        raise other_repository.never_was(root)
    if not project.is_project(root):
        raise Refused(
            "record_gone",
            f"The record of {root} is gone, and there is no backup of it.",
            hint=f"perdure heal --project-path {quote(root)} brings back what it finds and says what is lost.",
        )
    other_repository.refuse_claimed_id(resolved, root)


def _has_backup(resolved: ResolvedRequest, root: str) -> bool:
    known = resolved.registry.at(root)
    if known is None:
        return False
    kept = event_files.ledgers_in(backup.folder_for(resolved.home, known.project_id))
    return any(ledger_id in known.ledgers for ledger_id in kept)


def _note(resolved: ResolvedRequest, root: str, restored: Restored) -> str:
    from perdure.actions.view_healing import mend_views

    number = counted(restored.events, "event")
    is_new, was_known = restored.events == 0, resolved.registry.at(root) is not None
    mended = "an empty ledger begun" if is_new else f"ledger restored from {restored.source}: {number}"
    with open_desk_at(resolved, root) as desk:
        damage.clear(desk.folder)
        record_creation(desk)
        register(desk)
        views = mend_views(desk)
        if was_known or restored.lost or not is_new:
            record(desk, [Fact("ledger.healed", p.LedgerHealed((mended, *views), restored.lost))])
    if not is_new:
        return f"The record was missing and was brought back from {restored.source}: {number}."
    why = "The ledger was missing, and no copy of it was found"
    if not was_known:
        why = f"{project.toml_of(root)} was here without a record, as in a new clone"
    return f"{why}: an empty record was begun."
