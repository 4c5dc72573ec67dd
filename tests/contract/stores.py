"""The stores that the contract is held against. Adding a store is adding a line to `IN_FILES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perdure.ledger import sqlite
from perdure.ledger.memory import MemoryLedger
from perdure.ledger.port import AuditedLedger, Ledger, Origin, Store

from . import jsonl_store

ORIGIN = Origin("/srv/shop", "this-machine")


@dataclass(frozen=True)
class StoreUnderTest:
    create: Callable[[Path, str], Ledger]
    """A new store in this folder, with one empty chain of this id."""
    connect: Callable[[Ledger], Ledger]
    """Another connection to the same store, as another process would have; the store itself where there is no such."""
    audited: Callable[[Ledger], AuditedLedger]
    """The same store, for an auditor."""


def in_files(store: Store) -> StoreUnderTest:
    """The ledgers of such a store have a `path`."""

    def path_of(ledger: Any) -> str:
        return str(ledger.path)

    return StoreUnderTest(
        lambda folder, chain: store.create(str(folder / "ledger.db"), chain, ORIGIN),
        lambda ledger: store.open_ledger(path_of(ledger)),
        lambda ledger: store.open_audited(path_of(ledger)),
    )


IN_FILES: dict[str, Store] = {"sqlite": sqlite, "jsonl": jsonl_store}
STORES: dict[str, StoreUnderTest] = {
    "memory": StoreUnderTest(
        lambda _, chain: MemoryLedger(chain, ORIGIN), lambda ledger: ledger, lambda ledger: ledger
    ),
    **{name: in_files(store) for name, store in IN_FILES.items()},
}
