"""The Merkle tree of RFC 9162 §2.1: roots, proofs that a leaf is in a tree, that a tree is the beginning of another.

A complete subtree of 2^level leaves is named by its level and its index among those of that level. Roots and proofs are
made from a look-up of such subtrees (`At`), so whoever stores a few of them answers for a tree of any size. Verifying
needs nothing but values.

    leaves = [leaf(data) for data in (b"a", b"b", b"c")]
    at = over(leaves)
    verify_inclusion(leaves[2], 2, 3, path=inclusion(2, 3, at), root=root(3, at)) is True
"""

from __future__ import annotations

from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    At: TypeAlias = Callable[[int, int], bytes]

EMPTY = sha256().digest()
"""§2.1.1: the root of a tree without leaves."""
LARGEST = 1 << 62
"""Leaves. What a proof names is only worked through within bounds."""
LENGTH = 32


def leaf(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def pairs(level: Sequence[bytes]) -> list[bytes]:
    """The level above this one, as far as it is complete."""
    return [sha256(b"\x01" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)]


def over(leaves: Sequence[bytes]) -> At:
    """The look-up over leaves held in memory."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        levels.append(pairs(levels[-1]))
    return lambda level, index: levels[level][index]


class Frontier:
    """A tree that only grows: the complete subtrees it is made of, largest first, and nothing else."""

    def __init__(self) -> None:
        self.size = 0
        self._parts: list[bytes] = []

    @classmethod
    def at(cls, size: int, at: At) -> Frontier:
        """The frontier of a tree that has grown to `size` leaves."""
        found, start = cls(), 0
        for level in reversed(range(size.bit_length())):
            if size >> level & 1:
                found._parts.append(at(level, start >> level))
                start += 1 << level
        found.size = size
        return found

    def copy(self) -> Frontier:
        other = Frontier()
        other.size, other._parts = self.size, self._parts[:]
        return other

    def append(self, hashed: bytes, level: int = 0) -> list[tuple[int, int, bytes]]:
        """One more leaf, or a complete subtree of 2^level leaves where the tree so far is a multiple of that. Answers
        with every subtree that is now complete: its level, its index, its hash."""
        assert self.size % (1 << level) == 0
        index = self.size >> level
        complete = [(level, index, hashed)]
        while index & 1:
            hashed = node(self._parts.pop(), hashed)
            index >>= 1
            complete.append((level + len(complete), index, hashed))
        self._parts.append(hashed)
        self.size += 1 << level
        return complete

    def root(self) -> bytes:
        if not self._parts:
            return EMPTY
        whole = self._parts[-1]
        for part in reversed(self._parts[:-1]):
            whole = node(part, whole)
        return whole


def root(size: int, at: At) -> bytes:
    """§2.1.1: MTH(D[size])."""
    return _root(0, size, at) if size else EMPTY


def _root(start: int, end: int, at: At) -> bytes:
    """The root of the leaves from `start` up to `end`, which the tree's own divisions lead to."""
    size = end - start
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return at(level, start >> level)
    middle = start + _split(size)
    return node(_root(start, middle, at), _root(middle, end, at))


def _split(size: int) -> int:
    """§2.1.1: the largest power of two smaller than `size`."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion(index: int, size: int, at: At) -> list[bytes]:
    """§2.1.3.1: PATH(index, D[size])."""
    return list(_path(index, index + 1, 0, last=size, known=True, at=at))


def consistency(old: int, size: int, at: At) -> list[bytes]:
    """§2.1.4.1: PROOF(old, D[size])."""
    return list(_path(0, old, 0, last=size, known=True, at=at))


def _path(start: int, end: int, first: int, *, last: int, known: bool, at: At) -> Iterator[bytes]:
    """Proves that the leaves [start, end) are in [first, last). PATH is this for one leaf, SUBPROOF for the first ones;
    `known`: whoever verifies has the hash of [start, end)."""
    if (start, end) == (first, last):
        if not known:
            yield _root(first, last, at)
        return
    middle = first + _split(last - first)
    if end <= middle:
        yield from _path(start, end, first, last=middle, known=known, at=at)
        yield _root(middle, last, at)
    else:
        yield from _path(max(start, middle), end, middle, last=last, known=known and start >= middle, at=at)
        yield _root(first, middle, at)


def verify_inclusion(hashed: bytes, index: int, size: int, *, path: Sequence[bytes], root: bytes) -> bool:
    """§2.1.3.2: the leaf with this hash is the one at `index` in the tree of `size` leaves with this root."""
    return len(hashed) == LENGTH and verify_subtree(index, index + 1, size, path=path, part=hashed, root=root)


def verify_consistency(old: int, size: int, old_root: bytes, *, root: bytes, path: Sequence[bytes]) -> bool:
    """§2.1.4.2: the tree of `old` leaves is the beginning of the tree of `size` leaves. That an empty tree is the
    beginning of another says nothing, and is not taken for a proof."""
    if old == 0 and (size != 0 or root != EMPTY):
        return False
    return verify_subtree(0, old, size, path=path, part=old_root, root=root)


def verify_subtree(start: int, end: int, size: int, *, path: Sequence[bytes], part: bytes, root: bytes) -> bool:
    """Whether the subtree [start, end) with the root `part` is in the tree of `size` leaves with this root. One leaf
    and the beginning of a tree are the two subtrees RFC 9162 knows."""
    if not 0 <= start <= end <= size <= LARGEST:
        return False
    if start == end:
        return part == EMPTY and not path
    if (start, end) == (0, size):
        return part == root and not path
    if not is_subtree(start, end) or any(len(each) != LENGTH for each in (part, *path)):
        return False
    rest = iter(path)
    try:
        found, whole = _rebuilt(start, end, size, known=part, path=rest)
    except StopIteration:
        return False
    return found == part and whole == root and next(rest, None) is None


def is_subtree(start: int, end: int) -> bool:
    """Whether the divisions of a tree can lead to these leaves."""
    return 0 <= start < end and start % (1 << (end - start - 1).bit_length()) == 0


def _rebuilt(start: int, end: int, size: int, *, known: bytes | None, path: Iterator[bytes]) -> tuple[bytes, bytes]:
    """The hash of [start, end) and that of the tree of `size` leaves, as the path has them: `_path` run backwards."""
    if (start, end) == (0, size):
        found = next(path) if known is None else known
        return found, found
    middle = _split(size)
    if end <= middle:
        part, whole = _rebuilt(start, end, middle, known=known, path=path)
        return part, node(whole, next(path))
    if start >= middle:
        part, whole = _rebuilt(start - middle, end - middle, size - middle, known=known, path=path)
        return part, node(next(path), whole)
    part, whole = _rebuilt(0, end - middle, size - middle, known=None, path=path)
    left = next(path)
    return node(left, part), node(left, whole)
