"""What is mended wherever a session starts, and by `heal`: the transaction files, the views, and what a process left
behind that died. The ledger itself is looked at and mended by `healing.py`, which takes ten times as long to load.

    mend_views(desk)            → ["active_transaction.json written again: it was missing"]
    put_away_bindings(resolved)
"""

from __future__ import annotations

from perdure.actions import derived_views, holdings, transaction_files, wiring
from perdure.actions.ledger_origin import record_new_folder
from perdure.actions.request import holds_in
from perdure.errors import Trouble
from perdure.files import FolderLock, take_away_unfinished
from perdure.model.plural import counted
from perdure.place.liveness import put_away_stale
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk


def put_away_bindings(resolved: ResolvedRequest) -> list[str]:
    """Those of places that have been gone for long."""
    try:
        count = put_away_stale(resolved.around, holds_in(resolved.home))
    except Trouble:
        return []  # the home cannot be written; a stale binding does no harm
    return [f"{counted(count, 'binding')} of places that are gone: removed"] if count else []


def name_new_folder(desk: Desk) -> list[str]:
    return [f"the ledger names {desk.root} as its project's folder"] if record_new_folder(desk) else []


def mend_views(desk: Desk) -> list[str]:
    with FolderLock(desk.folder):
        mended = _mend_views(desk)
    return mended + derived_views.mend(desk)


def _mend_views(desk: Desk) -> list[str]:
    unfinished = take_away_unfinished(desk.folder, beside=wiring.STORE.BESIDE)
    mended = [f"{name} removed: a process died while it wrote" for name in unfinished]
    mended += name_new_folder(desk)
    # Listed before the ledger is asked: what somebody opens in between is not on the list and stays.
    on_disk = transaction_file.suffixes_on_disk(desk.folder)
    expected = transaction_files.expected(desk.ledger, desk.root)
    for suffix, transaction in expected.items():
        if not transaction_file.is_current(desk.folder, transaction, desk.key):
            transaction_file.write(desk.folder, transaction, desk.key)
            why = (
                "it did not say what the ledger says, as an older copy would" if suffix in on_disk else "it was missing"
            )
            mended.append(f"{transaction_file.name_for(suffix)} written again: {why}")
    for suffix in on_disk:
        if suffix not in expected:
            transaction_file.take_away(desk.folder, suffix)
            mended.append(f"{transaction_file.name_for(suffix)} removed: no transaction here has that name")
    return [*mended, *holdings.point_again(desk)]
