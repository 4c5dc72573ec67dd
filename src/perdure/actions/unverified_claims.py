"""How many claims of a place nothing verifies, in a small file in the home, for the status line, which opens no ledger
(SPEC 6.2). What counts is what the lineage claimed since its last passed checkpoint, as last checked; what was refused
is not a claim.

    show(desk)                          after claims changed, and when a session starts
    shown(home, instance, project)      what the status line shows
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import make_folder, read_text, remove, write_whole
from perdure.model.ids import is_uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk

FOLDER = "claims"
KINDS = frozenset(("claim.made", "claim.verified", "claim.refuted", "checkpoint.passed"))
"""Events that change the number."""


def _path(home: str, instance: str) -> str:
    return os.path.join(home, FOLDER, instance)


def show(desk: Desk) -> None:
    from perdure.actions import lineage_grounding  # not for the status line, which only reads

    found = lineage_grounding.as_recorded(desk).ungrounded
    count = sum(each.kind == lineage_grounding.CLAIM and not each.refused for each in found)
    path = _path(desk.resolved.home, desk.seat.instance_id)
    try:
        if not count:
            remove(path)
        elif shown(desk.resolved.home, desk.seat.instance_id, desk.identity.id) != count:
            make_folder(os.path.dirname(path))
            write_whole(path, f"{desk.identity.id} {count}\n")
    except Trouble:
        return  # the home cannot be written: the status line shows the number from before


def shown(home: str, instance: str, project: str) -> int:
    """0 also if it is not known."""
    text = read_text(_path(home, instance)) if is_uuid(instance) else None
    counted_in, _, count = (text or "").strip().partition(" ")
    return int(count) if counted_in == project and count.isascii() and count.isdigit() and len(count) < 9 else 0
