"""What is done with a field that the file, the ledger, or both changed."""

from __future__ import annotations

import pytest

from perdure.beads import merging
from perdure.beads.merging import FORK, GIVE, SAME, TAKE, Seen, digest, digests, nanoseconds, outcome


def seen(file: str, ledger: str) -> Seen:
    return Seen(digests({"title": file}), {} if file == ledger else {"title": digest("title", ledger)})


@pytest.mark.parametrize(
    ("before", "theirs", "ours", "done"),
    [
        (seen("a", "a"), "a", "a", SAME),
        (seen("a", "a"), "b", "a", TAKE),
        (seen("a", "a"), "a", "b", GIVE),
        (seen("a", "a"), "b", "b", SAME),
        (seen("a", "a"), "b", "c", FORK),
        (seen("a", "a"), "", "c", FORK),
        (seen("secret", "masked"), "secret", "masked", SAME),
        (seen("secret", "masked"), "other", "masked", TAKE),
        (seen("secret", "masked"), "secret", "mine", GIVE),
        (None, "a", "a", SAME),
        (None, "a", "", TAKE),
        (None, "", "a", GIVE),
        (None, "a", "b", FORK),
    ],
)
def test_a_field(before: Seen | None, theirs: str, ours: str, done: str) -> None:
    assert outcome(before, "title", theirs=theirs, ours=ours) == done


def test_order_counts_for_steps_but_not_for_labels() -> None:
    assert digest("labels", ["a", "b"]) == digest("labels", ["b", "a"])
    assert digest("next_steps", ["a", "b"]) != digest("next_steps", ["b", "a"])


def test_a_digest_does_not_depend_on_spelling() -> None:
    assert digest("handoffs", [{"a": 1.0, "b": 2}]) == digest("handoffs", [{"b": 2, "a": 1}])
    assert digest("title", None) == digest("title", "") == digest("labels", []) == ""
    assert digest("priority", 0) != ""


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1970-01-01T00:00:01Z", 10**9),
        ("1970-01-01T00:00:00.000000001Z", 1),
        ("1970-01-01T01:00:00.5+01:00", 5 * 10**8),
        ("2026-01-15", None),
        ("2026-13-15T00:00:00Z", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_a_time_is_read_to_the_nanosecond(text: str | None, count: int | None) -> None:
    assert nanoseconds(text) == count


def test_a_way_from_one_task_to_another_is_found() -> None:
    edges = {"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}
    assert merging.reachable_without(edges, "a", "c") is None
    assert merging.reachable_without(edges, "a", "d") == {"a", "b", "c"}
    assert merging.reachable_without(edges, "a", "a") is None
