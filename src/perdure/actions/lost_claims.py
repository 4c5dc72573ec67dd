"""Claims of this lineage that the code contradicts now: a CHECK that relies on them does not proceed (SPEC 4.3).

check_and_record(desk)      # the ids, the newest first; what changed since the last check is recorded
"""

from __future__ import annotations

from perdure.actions.advice import as_typed
from perdure.actions.lineage_grounding import Window
from perdure.model.ids import short
from perdure.model.plural import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk

MOST_NAMED = 3
"""How many claims an advice names at most."""


def check_and_record(desk: Desk) -> list[str]:
    """Checks the claims of this lineage and records which of them became true or untrue. Returns those that were
    grounded when they were made, are not now, and were not said again since."""
    window = Window(desk)
    if not window.events(["claim.made"]):
        return []
    from perdure.actions import claims  # reads files and asks git: only whoever made claims pays for it
    from perdure.actions.work_folder import folder_of
    from perdure.actions.work_tree import WorkTree

    with WorkTree(folder_of(desk)) as tree:
        _, found = claims.check_lineage(desk, window, tree)
    claims.record_changes(desk, found)
    return [each.claim.id for each in found if each.is_lost]


def advice(desk: Desk, lost: list[str]) -> str:
    look = as_typed(desk, f"perdure claim check {' '.join(short(each) for each in lost[:MOST_NAMED])}")
    again = as_typed(desk, "perdure claim add 'the same words' --cite '${PROJECT_ROOT}/path:line' --quote '…'")
    return (
        f"The code no longer says what {counted(len(lost), 'claim')} rested on. {look} shows why. Say each again with "
        f"evidence that holds ({again}), or as an assumption (--assume instead of --cite and --quote)."
    )
