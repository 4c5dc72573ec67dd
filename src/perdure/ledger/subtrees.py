"""The Merkle tree of each chain in SQLite: complete subtrees of 256·2^k leaves, so that a root, or a proof, of a ledger
of any length is a few look-ups (RFC 9162; leaf i is event i + 1, its data the 32 bytes of that event's hash).

A view like the full-text index: written by whole blocks of 256 events, in the commit of the block's last event, so that
an append costs nothing more. What is not stored, in a store that an older version wrote, is computed; the next whole
block stores it.
"""

from __future__ import annotations

from perdure.errors import Damaged
from perdure.ledger.schema import SUBTREES
from perdure.proof.merkle import LENGTH, leaf, node, pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    Hashes: TypeAlias = Callable[[int, int, int], list[str]]

LEVEL = 8
"""The level of the smallest subtree that is stored: a block of 256 leaves."""
_STORED = "SELECT hash FROM subtrees WHERE chain = ? AND level = ? AND place = ?"


class Subtrees:
    """`hashes(chain, first, last)`: the hashes of the events with these seqs."""

    def __init__(self, db: sqlite3.Connection, hashes: Hashes) -> None:
        self._db = db
        self._hashes = hashes
        self._exists = bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = 'subtrees'").fetchone())

    def node(self, chain: int, level: int, index: int) -> bytes:
        return self._stored(chain, level, index) or self._computed(chain, level, index, below=self.node)

    def keep(self, chain: int, size: int) -> None:
        """The chain has come to `size` events, a whole number of blocks: what is complete with the last is stored."""
        if not self._exists:
            self._db.execute(SUBTREES)
            self._exists = True
        blocks, level = size >> LEVEL, LEVEL
        while blocks:
            self._kept(chain, level, blocks - 1)
            if blocks & 1:
                return
            blocks, level = blocks >> 1, level + 1

    def _kept(self, chain: int, level: int, index: int) -> bytes:
        found = self._stored(chain, level, index)
        if found is None:
            found = self._computed(chain, level, index, below=self._kept)
            self._db.execute("INSERT OR REPLACE INTO subtrees VALUES (?, ?, ?, ?)", (chain, level, index, found))
        return found

    def _stored(self, chain: int, level: int, index: int) -> bytes | None:
        if level < LEVEL or not self._exists:
            return None
        found = self._db.execute(_STORED, (chain, level, index)).fetchone()
        return _node(found[0]) if found else None

    def _computed(self, chain: int, level: int, index: int, *, below: Callable[[int, int, int], bytes]) -> bytes:
        if level > LEVEL:
            return node(below(chain, level - 1, 2 * index), below(chain, level - 1, 2 * index + 1))
        size = 1 << level
        hashes = self._hashes(chain, index * size + 1, (index + 1) * size)
        if len(hashes) != size:
            raise Damaged("chain_broken", f"An event up to {(index + 1) * size} is missing.", hint="perdure heal")
        row = list(_leaves(hashes))
        while len(row) > 1:
            row = pairs(row)
        return row[0]

    def all_of(self, chain: int) -> dict[tuple[int, int], bytes]:
        """What is stored, by level and index."""
        if not self._exists:
            return {}
        rows = self._db.execute("SELECT level, place, hash FROM subtrees WHERE chain = ?", (chain,))
        return {(level, place): hash_ for level, place, hash_ in rows}


def _node(stored: object) -> bytes | None:
    """What is not a hash is as good as missing: it is computed anew."""
    return stored if isinstance(stored, bytes) and len(stored) == LENGTH else None


def _leaves(hashes: list[str]) -> Iterator[bytes]:
    try:
        yield from map(leaf, map(bytes.fromhex, hashes))
    except (ValueError, TypeError) as error:
        raise Damaged("chain_broken", "The event's hash is not valid SHA-256 hex.", hint="perdure heal") from error
