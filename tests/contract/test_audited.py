"""What an auditor asks of a store: the rows as they are stored, at one moment, with no way to change them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from perdure.ledger.port import AuditedLedger, Ledger
from perdure.model.event import Event, Ref
from perdure.model.value import fields
from perdure.proof import merkle
from perdure.proof.canonical import canonical
from perdure.proof.fsck import KnownElsewhere, audit

from .making import NEXT, OTHER, OWN, continuing, draft, goal, merged, notes, opened, redaction
from .stores import ORIGIN, StoreUnderTest


@pytest.fixture
def audited(store: StoreUnderTest, ledger: Ledger) -> Iterator[AuditedLedger]:
    made = store.audited(ledger)
    yield made
    made.close()


def row_of(event: Event) -> tuple[Any, ...]:
    stored = {**event.__dict__, "payload": None if event.payload is None else canonical(event.payload).decode()}
    return tuple(stored[name] for name in fields(Event) if name != "ledger_id")


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 600])
def test_rows_are_the_events_in_blocks_of_256(ledger: Ledger, audited: AuditedLedger, count: int) -> None:
    ledger.append([draft() for _ in range(count)])
    blocks = [list(block) for block in audited.rows(OWN)]
    assert [len(block) for block in blocks] == [256] * (count // 256) + [count % 256] * (count % 256 > 0)
    assert [tuple(row) for block in blocks for row in block] == [row_of(event) for event in ledger.events(OWN)]


def test_a_payload_that_was_erased_has_no_text_and_says_why(ledger: Ledger, audited: AuditedLedger) -> None:
    first, second = ledger.append([draft(), draft()]).events
    ledger.erase(Ref(OWN, 1), redaction(first))
    (rows,) = audited.rows(OWN)
    assert [tuple(row) for row in rows] == [row_of(event) for event in ledger.events(OWN)]
    assert rows[0][fields(Event).index("payload") - 1] is None
    assert tuple(rows[1]) == row_of(second)


def test_stored_nodes_are_those_of_the_tree(ledger: Ledger, audited: AuditedLedger) -> None:
    """A store may keep as many of them as it likes, or none."""
    ledger.append([draft() for _ in range(600)])
    node = merkle.over([merkle.leaf(bytes.fromhex(event.hash)) for event in ledger.events(OWN)])
    for (level, index), stored in audited.subtrees(OWN).items():
        assert stored == node(level, index)


CHANGES: dict[str, Callable[[Ledger], object]] = {
    "nothing": lambda ledger: None,
    "appends": lambda ledger: ledger.append([goal(1), opened(), *(draft() for _ in range(300))]),
    "a merge": lambda ledger: ledger.merge(notes(OTHER, 300), merged()),
    "an erasure": lambda ledger: ledger.erase(Ref(OWN, 2), redaction(list(ledger.events(OWN))[1])),
    "a new chain": lambda ledger: ledger.begin(NEXT, ORIGIN, continuing(ledger)),
    "a rebuilding": lambda ledger: ledger.rebuild(),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_store_has_no_faults_after(ledger: Ledger, audited: AuditedLedger, change: str) -> None:
    ledger.append([draft(), draft()])
    CHANGES[change](ledger)
    assert audited.misindexed() == []
    assert audited.index_faults() == []
    assert audited.structural_faults() == []
    with audited.at_one_moment():
        report = audit(audited, KnownElsewhere(), ())
    assert report.findings == ()
    assert report.events == sum(head.seq for head in ledger.heads())
