"""CONTRIBUTING's recipe "Add a program to the gate", carried out for a made-up one: a card, and code for what the card
cannot express. `CASES` are the rows that step 2 adds to a table; no sandbox can run a program that is made up."""

from __future__ import annotations

import pytest

from perdure.gate.effects import judge_by_card, judge_by_code
from perdure.gate.effects.analysis import analyse
from perdure.gate.effects.builtins import ProgramCall
from perdure.gate.effects.cards import Match
from perdure.gate.effects.judge_by_code import services as code
from perdure.gate.programs import services as family

from .worlds import world

CARD = """
    Asks a made-up database.
    flags: -q --quiet
    values: -t --table
    writes: -o --output | puts its answer into the file that is named
    weighty: --drop | removes the table
    code: madeup_statement
"""


def madeup_statement(call: ProgramCall, found: Match) -> str:
    """A check: why words that the card allows are praxic all the same, or ''."""
    if all((field.text or "").startswith("select ") for field in found.operands):
        return ""
    return "a statement other than select may change data"


CASES = [
    ("noetic", "madeup 'select 1'", "it only reads", False),
    ("noetic", "madeup -q --table drop 'select 1'", "the value of an option is no statement", False),
    ("noetic", "madeup --help", "every program may say what it does", False),
    ("praxic", "madeup 'delete all'", "a statement", False),
    ("praxic", 'madeup "$statement"', "nobody knows the statement before it runs", False),
    ("praxic", "madeup -o answer 'select 1'", "writes a file", False),
    ("praxic", "madeup --drop", "removes the table", False),
    ("praxic", "madeup --unknown 'select 1'", "a card is closed", False),
]


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(family.PROGRAMS, "madeup", CARD)
    monkeypatch.setattr(code, "madeup_statement", madeup_statement, raising=False)
    monkeypatch.setitem(judge_by_code.WHERE, "madeup_statement", ("services", judge_by_code.CHECK))
    monkeypatch.setattr(judge_by_card, "_cards", {})


@pytest.mark.parametrize(("effect", "command", "why", "runs"), CASES, ids=[case[1] for case in CASES])
def test_a_made_up_program_is_judged_by_its_card_and_its_code(effect: str, command: str, why: str, runs: bool) -> None:
    assert not runs
    found = analyse(command, world())
    assert found.effect == effect, f"{why}\n{found.reason}"


def test_what_the_card_says_is_what_the_agent_reads() -> None:
    assert "puts its answer into the file that is named" in analyse("madeup -o answer 'select 1'", world()).reason
    assert analyse("madeup --drop", world()).weighty == "removes the table"
    assert "may change data" in analyse("madeup 'delete all'", world()).reason


def test_without_its_card_the_program_counts_as_one_that_changes_things(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(family.PROGRAMS, "madeup")
    assert analyse("madeup 'select 1'", world()).effect == "praxic"
