"""What goes into the ledger on the way there: masked, made storable, bounded; and refused where it says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from perdure.actions import attribution, decisions, goals, notes, projects, transactions
from perdure.actions.record import cleaned
from perdure.actions.request import Request
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.jsonl import from_line, to_line
from perdure.model.value import replace
from perdure.place.resolve import Explicit
from tests.actions.conftest import refused


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "shop"
    root.mkdir()
    environment = {"HOME": str(tmp_path / "person"), "PERDURE_HOME": str(tmp_path / "home")}
    request = Request(str(root), environment, Explicit(instance="left"), actor="ann")
    projects.init(request, str(root), "shop")
    with open_desk(request) as made:
        yield made


def test_what_json_cannot_carry_is_replaced_and_counted(desk: Desk) -> None:
    event = attribution.record_event(desk, "note.finding", p.Note("a\ud800b\udfff"))
    assert event.payload == {"text": "a\ufffdb\ufffd", "$replaced": 2}
    assert from_line(to_line(event), "line 1") == event


def test_numbers_beyond_safe_integers_are_strings(desk: Desk) -> None:
    made = decisions.decide(desk, p.DecisionMade("d", evidence=({"line": 2**60, "size": 1e20, "at": 0.5},)))
    assert made.evidence == ({"line": str(2**60), "size": "1" + "0" * 20, "at": 0.5},)
    for event in desk.ledger.events():
        assert from_line(to_line(event), "line 1") == event


def test_nothing_is_added_where_nothing_was_changed() -> None:
    assert cleaned({"text": "plain é 🙂"}) == {"text": "plain é 🙂"}


def test_a_credential_is_masked_and_counted(desk: Desk) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    event = attribution.record_event(desk, "note.finding", p.Note(f"the token is {secret}"))
    assert secret not in str(event.payload)
    assert event.payload is not None
    assert event.payload["$masked"] == 1


def test_more_than_an_event_may_hold_is_refused(desk: Desk) -> None:
    refused("too_large", BadInput, lambda: notes.add(desk, "finding", "word " * 300_000), desk)


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_what_has_no_words_is_refused(desk: Desk, text: str) -> None:
    refused("empty_text", BadInput, lambda: notes.add(desk, "finding", text), desk)
    refused("empty_text", BadInput, lambda: goals.create(desk, text), desk)
    refused("empty_text", BadInput, lambda: decisions.decide(desk, p.DecisionMade(text)), desk)
    opened = transactions.preflight(desk, transactions.SelfAssessment({"know": 0.1, "uncertainty": 0.9}, ""))
    refused("no_reason", BadInput, lambda: transactions.override(desk, opened.transaction.id, text), desk)


def test_every_kind_of_note_is_kept_and_three_of_them_can_be_closed(desk: Desk) -> None:
    """SPEC 7.6."""
    for kind in ("reasoning", "finding", "question", "blocker", "next", "constraint", "failed", "scenario"):
        made = notes.add(desk, kind, f"a {kind}")
        if kind in ("question", "blocker", "next"):
            assert made.open is True
            assert notes.close(desk, made.id[:8], "answered").open is False
            refused("note_closed", Refused, lambda made=made: notes.close(desk, made.id, None), desk)
        else:
            assert made.open is None
            refused("not_closable", Refused, lambda made=made: notes.close(desk, made.id, None), desk)
    assert notes.open_ones(desk) == []
    refused("bad_note_kind", BadInput, lambda: notes.add(desk, "rumour", "x"), desk)


def test_a_decision_is_kept_whole_with_or_without_evidence(desk: Desk) -> None:
    """SPEC 7.3: without evidence it is taken; a decision refused is a decision lost."""
    bare = decisions.decide(desk, p.DecisionMade("use WAL"))
    assert (bare.decision, bare.evidence, bare.superseded_by) == ("use WAL", (), None)
    whole = decisions.decide(
        desk,
        p.DecisionMade(
            decision="use a rollback journal",
            rationale="it is a share",
            evidence=({"said": "Ana", "quote": "nfs"},),
            title="journal",
            key="journal",
            value="truncate",
            supersedes=bare.id[:8],
            scenarios=({"name": "share"},),
        ),
        "bd-7",
    )
    assert whole.supersedes == bare.id
    assert whole.task_id == "bd-7"
    newest, before = decisions.latest(desk, 5)
    assert newest == replace(whole, warnings=())
    assert newest.evidence == ({"said": "Ana", "quote": "nfs"},)
    assert not newest.grounded
    assert before.superseded_by == whole.id
    refused("value_without_key", BadInput, lambda: decisions.decide(desk, p.DecisionMade("x", value="v")), desk)
    refused("no_such_decision", Refused, lambda: decisions.decide(desk, p.DecisionMade("x", supersedes="0" * 8)), desk)


def test_an_act_says_who_acted_in_which_session_under_which_transaction(desk: Desk) -> None:
    before = attribution.record_event(desk, "file.read", p.FileRead("a"))
    assert (before.actor, before.instance_id, before.transaction_id) == ("ann", desk.seat.instance_id, None)
    opened = transactions.preflight(desk, transactions.SelfAssessment({"know": 0.8, "uncertainty": 0.2}, ""))
    for _ in range(3):
        after = attribution.record_event(desk, "file.read", p.FileRead("a"))
        assert after.transaction_id == opened.transaction.id
        assert after.session_id == before.session_id == opened.transaction.preflight_session_id
