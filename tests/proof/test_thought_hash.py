"""The thought record's hash and chain (SPEC 14.3, 14.4; seed 003).

The pinned hash of seed 003, `6a2f9597f563d5515cfa69891a51806d0f93bfbe222997d3ba37c365ceee3f1a` (I2), is not here: its
inputs stand in a file that is not part of the seed, so nothing could be checked against it. The vector below takes its
place.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.model.event import GENESIS
from perdure.proof.thought_hash import Link, TaskChain, Verifying, lone_in, paired, record_hash, with_lone

VECTOR = {
    "id": "00000000-0000-4000-8000-000000000001",
    "type": "plan",
    "task_id": "task-1",
    "content": "hello",
    "timestamp": "2026-01-01T00:00:00.000Z",
    "prev_hash": "0" * 64,
}
PINNED = "80124ffa06a86fab327336beb8b1505a9d2a45069c3c4f50ff81d1a72957f4b6"

any_text = st.text(st.characters(exclude_categories=()), max_size=30)
"""Lone surrogates too."""


def by_hand(record: dict[str, str]) -> str:
    """With `json` and `re` alone."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    text = re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", text)
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_vector_of_the_specification() -> None:
    assert GENESIS == "0" * 64
    assert record_hash(**VECTOR) == PINNED


def test_i1_the_hash_covers_exactly_six_fields() -> None:
    """Seed 003 I1: neither the session nor the agent is among them."""
    assert set(inspect.signature(record_hash).parameters) == set(VECTOR)
    assert by_hand(VECTOR) == PINNED


@pytest.mark.parametrize("name", sorted(VECTOR))
def test_each_covered_field_changes_the_hash(name: str) -> None:
    assert record_hash(**{**VECTOR, name: VECTOR[name] + "x"}) != PINNED


@given(any_text, any_text)
def test_any_content_and_task_hash_as_by_hand(content: str, task: str) -> None:
    record = {**VECTOR, "content": paired(content), "task_id": paired(task)}
    assert record_hash(**record) == by_hand(record)


def test_non_ascii_stands_for_itself_and_a_lone_surrogate_for_its_escape() -> None:
    text = '{"content":"é\\n😀\\ud800","id":"i","prev_hash":"p","task_id":"t","timestamp":"z","type":"plan"}'
    expected = hashlib.sha256(text.encode()).hexdigest()
    assert record_hash("i", "plan", "t", content="é\n😀\ud800", timestamp="z", prev_hash="p") == expected


# -- lone surrogates -------------------------------------------------------------------------------------------------


@given(any_text)
def test_what_cannot_be_stored_is_given_back_exactly(text: str) -> None:
    whole = paired(text)
    stored = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in whole)
    stored.encode()
    assert with_lone(stored, lone_in(whole)) == whole


def test_the_halves_of_a_pair_are_one_character() -> None:
    assert paired("\ud83d\ude00") == "😀"
    assert paired("\ude00\ud83d") == "\ude00\ud83d"
    assert lone_in("a😀\ud83db") == ("2:d83d",)


@pytest.mark.parametrize("lone", ["", ":", "x:d800", "0:", "0:0041", "0:d8zz", "9:d800", "-1:d800", "99999999999:d800"])
def test_a_place_that_fits_nothing_changes_nothing(lone: str) -> None:
    assert with_lone("abc", (lone,)) == "abc"


# -- the chain -------------------------------------------------------------------------------------------------------


class Chain:
    """Links of one task in one ledger, each after the one before."""

    def __init__(self, task: str = "t", ledger: str = "L") -> None:
        self.task, self.ledger, self.links = task, ledger, list[Link]()

    def add(self, **changes: Any) -> Link:
        number = len(self.links) + 1
        own = f"{self.ledger}{self.task}{number}"
        before = self.links[-1].hash if self.links else GENESIS
        link = Link(
            **{
                "ledger_id": self.ledger,
                "task_id": self.task,
                "id": f"r{number}",
                "computed_hash": own,
                "prev_hash": before,
                "hash": own,
                **changes,
            }
        )
        self.links.append(link)
        return link


def verified(*chains: Chain) -> Verifying:
    verifying = Verifying()
    for chain in chains:
        for link in chain.links:
            verifying.take(link)
    return verifying


def test_a_whole_chain_is_valid() -> None:
    chain = Chain()
    for _ in range(3):
        chain.add()
    found = verified(chain)
    assert found.tasks == {"t": TaskChain("t", 3)}
    assert found.tasks["t"].valid
    assert found.first_broken_at is None


def test_changed_words_break_one_record_and_no_other() -> None:
    chain = Chain()
    chain.add()
    chain.add(computed_hash="something else")
    chain.add()
    assert verified(chain).tasks["t"] == TaskChain(
        task_id="t", record_count=3, broken_count=1, redacted_count=0, first_broken_at="r2"
    )


def test_a_record_taken_out_breaks_the_next() -> None:
    chain = Chain()
    for _ in range(4):
        chain.add()
    del chain.links[1]
    assert verified(chain).tasks["t"] == TaskChain(
        task_id="t", record_count=3, broken_count=1, redacted_count=0, first_broken_at="r3"
    )


def test_two_records_exchanged_break_the_chain() -> None:
    chain = Chain()
    for _ in range(3):
        chain.add()
    chain.links[0], chain.links[1] = chain.links[1], chain.links[0]
    assert verified(chain).tasks["t"].broken_count == 3


def test_a_first_record_that_does_not_begin_the_chain_is_broken() -> None:
    chain = Chain()
    chain.add(prev_hash="f" * 64)
    assert verified(chain).tasks["t"].first_broken_at == "r1"


def test_a_redacted_record_links_and_is_not_broken() -> None:
    chain = Chain()
    chain.add()
    chain.add(computed_hash=None)
    chain.add()
    assert verified(chain).tasks["t"] == TaskChain(task_id="t", record_count=3, broken_count=0, redacted_count=1)


def test_a_redacted_record_whose_tombstone_links_elsewhere_is_broken() -> None:
    chain = Chain()
    chain.add()
    chain.add(computed_hash=None, prev_hash="e" * 64)
    assert verified(chain).tasks["t"] == TaskChain(
        task_id="t", record_count=2, broken_count=1, redacted_count=0, first_broken_at="r2"
    )


def test_a_record_that_is_gone_and_nothing_says_what_it_was_is_broken() -> None:
    chain = Chain()
    chain.add()
    chain.add(computed_hash=None, prev_hash=None, hash=None)
    chain.links.append(Link(ledger_id="L", task_id="t", id="r3", computed_hash="h3", prev_hash="whatever", hash="h3"))
    assert verified(chain).tasks["t"] == TaskChain(
        task_id="t", record_count=3, broken_count=1, redacted_count=0, first_broken_at="r2"
    )


def test_tasks_are_chained_apart() -> None:
    one, other = Chain("one"), Chain("other")
    one.add()
    one.add()
    other.add(computed_hash="altered")
    found = verified(one, other)
    assert [found.tasks[task].broken_count for task in ("one", "other")] == [0, 1]
    assert found.first_broken_at == "r1"


def test_the_chain_of_a_second_ledger_begins_anew_or_goes_on_from_the_first() -> None:
    first, anew, on, forged = Chain(), Chain(ledger="M"), Chain(ledger="N"), Chain(ledger="O")
    end = first.add().hash
    anew.add()
    on.add(prev_hash=end, follows=end)
    on.add()
    assert verified(first, anew, on).tasks["t"] == TaskChain("t", 4)
    forged.add(prev_hash=end)  # says nothing of where it goes on from
    assert verified(first, forged).tasks["t"].broken_count == 1
