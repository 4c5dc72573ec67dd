"""The stores the contract is held against. Adding a store is adding a line to `STORES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from perdure.ledger.memory import MemoryLedger
from perdure.ledger.port import Ledger, Origin
from perdure.ledger.sqlite import SqliteLedger, create

ORIGIN = Origin("/srv/shop", "this-machine")


@dataclass(frozen=True)
class Store:
    create: Callable[[Path, str], Ledger]
    """A new store in this folder, with one empty chain of this id."""
    connect: Callable[[Ledger], Ledger]
    """Another connection to the same store, as another process would have; the store itself where there is no such."""


STORES: dict[str, Store] = {
    "memory": Store(lambda folder, chain: MemoryLedger(chain, ORIGIN), lambda ledger: ledger),
    "sqlite": Store(
        lambda folder, chain: create(str(folder / "ledger.db"), chain, ORIGIN), lambda ledger: SqliteLedger(ledger.path)
    ),
}
