"""RFC 9162's tree: against its definition, against vectors worked out by others, against another implementation."""

from __future__ import annotations

import json
import random
from base64 import b64decode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from perdure.proof import merkle as m
from tests.effort import for_each, tries

from ..data import DATA

VECTORS = DATA / "merkle" / "vectors.jsonl"

SEVEN = [b"", b"\x00", b"\x10", b"\x20\x21", b"\x30\x31", b"\x40\x41\x42\x43", b"PQRSTUVW"]
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
}
"""The first roots of the tree of SEVEN: sha256(), sha256(0x00), and two nodes above."""


def by_definition(data: list[bytes]) -> bytes:
    """§2.1.1, word for word."""
    if not data:
        return sha256().digest()
    if len(data) == 1:
        return sha256(b"\x00" + data[0]).digest()
    k = 1
    while k * 2 < len(data):
        k *= 2
    return sha256(b"\x01" + by_definition(data[:k]) + by_definition(data[k:])).digest()


def some_data(count: int) -> list[bytes]:
    return [b"record %d" % number for number in range(count)]


def at_of(data: list[bytes]) -> m.At:
    return m.over([m.leaf(each) for each in data])


@pytest.mark.parametrize("size", ROOTS)
def test_the_first_roots_are_those_worked_out_by_hand(size: int) -> None:
    assert m.root(size, at_of(SEVEN)).hex() == ROOTS[size]


@for_each("size", range(1, 70))
def test_root_and_frontier_follow_the_definition(size: int) -> None:
    data = some_data(size)
    grown = m.Frontier()
    for each in data:
        grown.append(m.leaf(each))
    assert m.root(size, at_of(data)) == grown.root() == by_definition(data)


def test_a_frontier_takes_whole_subtrees() -> None:
    data = some_data(21)
    at, grown = at_of(data), m.Frontier()
    grown.append(at(4, 0), 4)
    grown.append(at(2, 4), 2)
    grown.append(at(0, 20))
    assert (grown.size, grown.root()) == (21, m.root(21, at))


def test_a_root_of_a_smaller_size_needs_only_what_was_complete_by_then() -> None:
    data = some_data(40)
    assert [m.root(size, at_of(data)) for size in range(41)] == [by_definition(data[:size]) for size in range(41)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 33, 64, 100])
def test_every_leaf_is_proved_and_at_no_other_place(size: int) -> None:
    data = some_data(size)
    at = at_of(data)
    root = m.root(size, at)
    for index in range(size):
        path = m.inclusion(index, size, at)
        assert m.verify_inclusion(at(0, index), index, size, path=path, root=root)
        assert not any(
            m.verify_inclusion(at(0, index), o, size, path=path, root=root) for o in range(size) if o != index
        )
        assert len(path) <= (size - 1).bit_length()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 33, 64, 100])
def test_every_beginning_is_proved_and_no_other(size: int) -> None:
    at = at_of(some_data(size))
    roots = [m.root(old, at) for old in range(size + 1)]
    for old in range(1, size + 1):
        path = m.consistency(old, size, at)
        assert m.verify_consistency(old, size, roots[old], root=roots[size], path=path)
        assert not any(
            m.verify_consistency(o, size, roots[old], root=roots[size], path=path) for o in range(size) if o != old
        )


def proof_by_definition(old: int, data: list[bytes], known: bool = True) -> list[bytes]:
    """§2.1.4.1, word for word: SUBPROOF(m, D_n, b)."""
    if old == len(data):
        return [] if known else [by_definition(data)]
    k = 1
    while k * 2 < len(data):
        k *= 2
    if old <= k:
        return [*proof_by_definition(old, data[:k], known), by_definition(data[k:])]
    return [*proof_by_definition(old - k, data[k:], False), by_definition(data[:k])]


def test_consistency_proofs_follow_the_definition() -> None:
    for size in range(1, 36):
        data = some_data(size)
        for old in range(1, size + 1):
            assert m.consistency(old, size, at_of(data)) == proof_by_definition(old, data)


@tries(150)
@given(st.integers(2, 200), st.randoms(use_true_random=False))
def test_one_flipped_bit_anywhere_is_refused(size: int, chance: random.Random) -> None:
    at = at_of(some_data(size))
    index, old = chance.randrange(size), chance.randrange(1, size)
    included = [at(0, index), m.root(size, at), *m.inclusion(index, size, at)]
    extended = [m.root(old, at), m.root(size, at), *m.consistency(old, size, at)]
    for parts in (included, extended):
        where = chance.randrange(len(parts))
        flipped = bytearray(parts[where])
        flipped[chance.randrange(32)] ^= 1 << chance.randrange(8)
        parts[where] = bytes(flipped)
    assert not m.verify_inclusion(included[0], index, size, path=included[2:], root=included[1])
    assert not m.verify_consistency(old, size, extended[0], root=extended[1], path=extended[2:])


@tries(100)
@given(st.integers(1, 120), st.randoms(use_true_random=False))
def test_a_path_with_more_less_or_swapped_parts_is_refused(size: int, chance: random.Random) -> None:
    at = at_of(some_data(size))
    index = chance.randrange(size)
    path, root = m.inclusion(index, size, at), m.root(size, at)
    others = [[*path, root], [root, *path], *([path[:-1], path[1:]] if path else [])]
    if len(path) > 1:
        others += [path[::-1], [*path[:-2], path[-2] + path[-1]]]
    assert not any(m.verify_inclusion(at(0, index), index, size, path=other, root=root) for other in others)


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0), (0, -1), (0, m.LARGEST * 4), (1 << 70, 1 << 71)])
def test_a_place_outside_the_tree_is_refused(index: int, size: int) -> None:
    assert not m.verify_inclusion(m.leaf(b""), index, size, path=[m.leaf(b"")] * 3, root=m.leaf(b""))


def test_parts_of_another_length_cannot_stand_in_for_two() -> None:
    """A node's hash does not say where its left part ends."""
    a, b = m.leaf(b"a"), m.leaf(b"b")
    assert m.verify_inclusion(a, 0, 2, path=[b], root=m.node(a, b))
    assert not m.verify_inclusion((a + b)[:31], 0, 2, path=[(a + b)[31:]], root=m.node(a, b))


def test_an_empty_tree_is_not_a_proof_of_a_beginning() -> None:
    at = at_of(SEVEN)
    assert m.verify_consistency(0, 0, m.EMPTY, root=m.EMPTY, path=[])
    assert not m.verify_consistency(0, 7, m.EMPTY, root=m.root(7, at), path=[])


def test_vectors_of_others_are_accepted_and_refused_as_they_say() -> None:
    lines = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    wrong = [line["vector"] for line in lines if accepted(line) == line["wantErr"]]
    assert (len(lines), wrong) == (518, [])


def accepted(case: dict) -> bool:
    kind, path = case["vector"].split("/")[0], [b64decode(part) for part in case["proof"] or []]

    def hashed(name: str) -> bytes:
        return b64decode(case[name] or "")

    if kind == "inclusion":
        return m.verify_inclusion(hashed("leafHash"), case["leafIdx"], case["treeSize"], path=path, root=hashed("root"))
    if kind == "consistency":
        return m.verify_consistency(case["size1"], case["size2"], hashed("root1"), root=hashed("root2"), path=path)
    start, end = case["start"], case["end"]
    if kind == "subtreeconsistency":
        return m.verify_subtree(start, end, case["size"], path=path, part=hashed("root1"), root=hashed("root2"))
    index, size = case["leafIdx"] - start, end - start
    return m.is_subtree(start, end) and m.verify_inclusion(
        hashed("leafHash"), index, size, path=path, root=hashed("root")
    )


@for_each("size", [1, 2, 3, *random.Random(9162).sample(range(4, 1000), 12), 1000])
def test_roots_and_inclusion_paths_are_those_of_pymerkle(size: int) -> None:
    chance = random.Random(size)
    data = [chance.randbytes(32) for _ in range(size)]
    theirs, at = InmemoryTree(algorithm="sha256"), at_of(data)
    for each in data:
        theirs.append_entry(each)
    assert m.root(size, at) == theirs.get_root()
    for index in {0, size - 1, *(chance.randrange(size) for _ in range(8))}:
        their_path = theirs.prove_inclusion(index + 1).path
        assert [at(0, index), *m.inclusion(index, size, at)] == their_path
    for old in {1, size, *(chance.randrange(1, size + 1) for _ in range(8))}:  # its own paths of this kind are longer
        assert m.verify_consistency(
            old, size, theirs.get_root(old), root=theirs.get_root(), path=m.consistency(old, size, at)
        )


@pytest.mark.parametrize("size", [0, 1, 2, 3, 255, 256, 257, 600])
def test_a_tree_grows_on_from_the_subtrees_it_has_come_to(size: int) -> None:
    leaves = [m.leaf(bytes([number % 256])) for number in range(700)]
    at = m.over(leaves)
    grown = m.Frontier.at(size, at)
    assert grown.root() == m.root(size, at)
    for each in leaves[size:]:
        grown.append(each)
    assert (grown.size, grown.root()) == (700, m.root(700, at))
