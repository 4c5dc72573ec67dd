"""Which transaction files must be in `.perdure`, and which of them are not as the ledger says (SPEC 4.1, 16.3).

`audit verify` and `heal --check` name the wrong ones, and `heal` writes them again.

    expected(ledger, root)     # by suffix: the transaction that the file must show
"""

from __future__ import annotations

from time import sleep

from perdure.actions.record import shown_transactions
from perdure.place import project, transaction_pointers
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.ledger.port import ReadableLedger
    from perdure.model.state import Transaction

_LOOKS = 4
"""A file that is wrong so many times in a row is reported."""
_BETWEEN_LOOKS = 0.05
"""Seconds. A command that is running writes the ledger and the file one after the other."""


def expected(ledger: ReadableLedger, root: str) -> dict[str, Transaction]:
    """By suffix. What is open in another machine's folder opens nothing here, so it has no file here."""
    shown = shown_transactions(ledger).items()
    return {suffix: each for suffix, each in shown if each.status != "open" or each.project_path == root}


def wrong_files(ledger: ReadableLedger, root: str, key: bytes | None) -> list[str]:
    """The names of files that are missing, or do not say what the ledger says. Without a key, none can be right."""
    found = _wrong_now(ledger, root, key)
    for _ in range(_LOOKS - 1):
        if not found:
            break
        sleep(_BETWEEN_LOOKS)
        found = _wrong_now(ledger, root, key)
    return found


def without_entry(ledger: ReadableLedger, root: str, home: str, *, key: bytes | None) -> list[str]:
    """The ids of open transactions that the home has no entry for, so that the gate does not believe their files. The
    entry is written before a transaction opens, and removed after it was closed."""
    open_ones = [each for each in expected(ledger, root).values() if each.status == "open"]
    return [
        each.id
        for each in open_ones
        if transaction_pointers.says_to_gate(home, root, each.instance_id, transaction_id=each.id, key=key) is None
        and (now := ledger.document("transaction", each.id)) is not None
        and now.live
    ]


def _wrong_now(ledger: ReadableLedger, root: str, key: bytes | None) -> list[str]:
    folder = project.folder_of(root)
    on_disk = transaction_file.suffixes_on_disk(folder)
    should_be = expected(ledger, root)
    bad = [
        suffix for suffix, each in should_be.items() if not key or not transaction_file.is_current(folder, each, key)
    ]
    bad += [suffix for suffix in on_disk if suffix not in should_be]
    return [transaction_file.name_for(suffix) for suffix in bad]
