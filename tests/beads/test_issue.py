"""What one line of a beads file says of a task (SPEC 7.1, 7.2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from perdure.beads.issue import FIELDS, Issue, read_issue
from perdure.beads.lines import parse_file

from ..data import DATA


def issue(name: str, issue_id: str) -> Issue:
    found = parse_file((DATA / "beads" / name).read_bytes()).by_id()[issue_id].issue
    assert found
    return found


def read(**given: Any) -> Issue:
    return read_issue({"id": "a-1", "title": "t", **given})


def test_every_field_of_a_line_of_br_is_read() -> None:
    found = issue("br.jsonl", "shop-1a2")
    assert found.fields == {
        "title": "Faster parser",
        "description": "Measure first.\n\n- lexer, then parser: see notes",
        "status": "in_progress",
        "priority": 1,
        "assignee": "ann",
        "labels": ["parser", "perf"],
        "blocked_by": ["shop-3b4"],
    }
    assert found.updated_at == "2026-01-17T09:06:24.443530827Z"
    assert found.warnings == ()


def test_every_extension_is_read() -> None:
    found = issue("extended.jsonl", "shop-x7y8")
    assert set(found.fields) == set(FIELDS)
    assert found.fields["blockers"] == []
    assert found.fields["next_steps"] == ["tolerate clock skew"]
    assert found.fields["handoffs"] == json.loads(
        '[{"session_id":"sess-001","ended":"2026-01-15T12:00:00Z","notes_ref":"NOTES.md:45-67",'
        '"trajectory_ref":"impl.jsonl:span","grounding_ratio":0.97}]'
    )
    [decision] = found.decisions
    assert decision.made.decision == "Use rotating refresh tokens"
    assert decision.made.rationale == "Prevents replay"
    assert decision.made.evidence[0]["line"] == 12


def test_a_line_without_extensions_says_nothing_about_them() -> None:
    assert "next_steps" not in read().fields
    assert read(next_steps=None).fields.get("next_steps", "absent") == "absent"
    assert read(next_steps=[]).fields["next_steps"] == []


def test_a_comment_that_begins_so_is_a_decision_or_a_handoff() -> None:
    found = issue("br.jsonl", "shop-1a2")
    [decision] = found.decisions
    assert decision.made.decision == "Use one token of lookahead"
    assert decision.made.rationale == "the grammar is LL(1)"
    assert decision.made.evidence == ({"path": "${PROJECT_ROOT}/src/parser.py", "line": 23},)
    assert decision.made.title == "from comment 1 of ben in the beads file, 2026-01-16T10:00:00Z"
    assert decision.author == "ben"
    [handoff] = found.handoffs
    assert handoff.handoff == {
        "session_id": "sess-003",
        "notes_ref": "NOTES.md:93-120",
        "trajectory_ref": "trajectory/impl.jsonl:span-ghi",
        "grounding_ratio": 0.96,
        "ended": "2026-01-16T18:00:00Z",
    }


def test_a_handoff_in_free_words_keeps_them() -> None:
    found = read(comments=[{"id": "x", "author": "ann", "text": "HANDOFF: the rest is easy", "created_at": "soon"}])
    assert found.handoffs[0].handoff == {
        "session_id": "comment x of ann",
        "notes_ref": "the rest is easy",
        "ended": "soon",
    }


def test_an_author_cannot_break_out_of_its_line() -> None:
    found = read(comments=[{"id": 1, "author": "a\x1b[2J\n/" + "b" * 200, "text": "DECISION: x"}])
    assert found.decisions[0].author.isprintable()
    assert "/" not in found.decisions[0].author
    assert len(found.decisions[0].author) <= 60


@pytest.mark.parametrize(
    ("stated", "taken", "warns"),
    [
        ("open", "open", False),
        ("deferred", "blocked", False),
        ("pinned", "blocked", False),
        ("hooked", "in_progress", False),
        ("tombstone", "closed", False),
        ("in_review", "blocked", True),
        ("", "open", False),
        (None, "open", False),
        (7, "blocked", True),
    ],
)
def test_a_status_is_taken_as_one_of_ours(stated: Any, taken: str, warns: bool) -> None:
    found = read(status=stated)
    assert (found.fields["status"], bool(found.warnings)) == (taken, warns)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"priority": 9}, "priority is not"),
        ({"priority": 1.5}, "priority is not"),
        ({"priority": True}, "priority is not"),
        ({"description": 3}, "description is not a text"),
        ({"labels": "a"}, "labels is not a list"),
        ({"labels": ["a", 3, " "]}, "labels has entries"),
        ({"next_steps": ["a"] * 1001}, "next_steps has 1001 entries; the first 1000 were read"),
        ({"decisions": [{"rationale": "x"}]}, "without a decision"),
        ({"dependencies": [{"depends_on_id": "a-1", "type": "blocks"}]}, "it waits for itself"),
        ({"dependencies": [{"depends_on_id": "../x", "type": "blocks"}]}, "is not an id"),
    ],
)
def test_a_field_of_another_shape_is_left_out_and_named(given: dict[str, Any], told: str) -> None:
    [said] = read(**given).warnings
    assert told in said


def test_only_dependencies_that_block_make_a_task_wait() -> None:
    assert issue("bd.jsonl", "web-idj").fields["blocked_by"] == []
    assert issue("br.jsonl", "shop-3b4.1").fields["blocked_by"] == []
    assert issue("bd.jsonl", "web-idj").warnings == ()
