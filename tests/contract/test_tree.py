"""The tree over a chain: every complete subtree can be asked for, and is that of RFC 9162 over the events' hashes."""

from __future__ import annotations

import pytest

from perdure.errors import Damaged
from perdure.ledger.port import Ledger
from perdure.model.event import Ref
from perdure.proof import merkle

from .making import NEXT, OTHER, OWN, draft, merged, notes, redaction


def leaves_of(ledger: Ledger, chain: str) -> list[bytes]:
    return [merkle.leaf(bytes.fromhex(event.hash)) for event in ledger.events(chain)]


def assert_tree(ledger: Ledger, chain: str) -> None:
    leaves = leaves_of(ledger, chain)
    expected = merkle.over(leaves)
    for level in range(len(leaves).bit_length()):
        for index in {0, (len(leaves) >> level) // 2, (len(leaves) >> level) - 1}:
            assert ledger.node(chain, level, index) == expected(level, index), (level, index)
    assert merkle.root(len(leaves), lambda *which: ledger.node(chain, *which)) == merkle.root(len(leaves), expected)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 255, 256, 257, 511, 512, 1030])
def test_every_complete_subtree_is_that_of_the_events(ledger: Ledger, count: int) -> None:
    ledger.append([draft() for _ in range(count)])
    assert_tree(ledger, OWN)


def test_appends_one_by_one_give_the_same_tree(ledger: Ledger) -> None:
    for _ in range(520):
        ledger.append([draft()])
    assert_tree(ledger, OWN)


def test_chains_taken_in_have_trees_of_their_own(ledger: Ledger) -> None:
    ledger.append([draft() for _ in range(300)])
    theirs = notes(OTHER, 700)
    ledger.merge(theirs[:400], merged())
    assert_tree(ledger, OWN)
    assert_tree(ledger, OTHER)
    ledger.merge(theirs, merged())
    assert_tree(ledger, OTHER)


def test_erasing_a_payload_leaves_the_tree_as_it_was(ledger: Ledger) -> None:
    events = ledger.append([draft() for _ in range(300)]).events
    before = merkle.root(300, lambda *which: ledger.node(OWN, *which))
    ledger.erase(Ref(OWN, 7), redaction(events[6]))
    assert merkle.root(300, lambda *which: ledger.node(OWN, *which)) == before
    assert_tree(ledger, OWN)


def test_rebuilding_leaves_the_tree_as_it_was(ledger: Ledger) -> None:
    ledger.append([draft() for _ in range(600)])
    ledger.rebuild()
    assert_tree(ledger, OWN)


@pytest.mark.parametrize("which", [(0, 5), (1, 2), (3, 0), (8, 0), (20, 0)])
def test_a_subtree_that_is_not_complete_is_not_given(ledger: Ledger, which: tuple[int, int]) -> None:
    ledger.append([draft() for _ in range(5)])
    with pytest.raises(Damaged):
        ledger.node(OWN, *which)


def test_a_chain_that_is_not_here_has_no_tree(ledger: Ledger) -> None:
    with pytest.raises(Damaged):
        ledger.node(NEXT, 0, 0)
