"""What another machine wrote stands beside what was written here: it does not push it out, it says where it came from,
and it neither breaks nor seals what is ours (SPEC 14.3 to 14.5, 16.4, 20.5)."""

from __future__ import annotations

import pytest

from perdure.model import payload as p
from perdure.model.event import Draft
from tests.conftest import Cli
from tests.contract.making import THIRD, draft
from tests.surfaces.test_importing import forged, pane, text
from tests.surfaces.test_transfer import FLAGS

__all__ = ["pane"]

NOTES = {
    "constraint": "no floats",
    "failed": "rounding twice loses a cent",
    "finding": "the cart rounds once",
    "next": "first the tax module",
    "question": "may the API change?",
    "reasoning": "the tax table is half done",
    "scenario": "an empty cart",
}


def claimed(words: str, **fields: str) -> Draft:
    return draft("claim.made", p.ClaimMade(words, "assumption", None), **fields)


def take_in(cli: Cli, drafts: list[Draft]) -> None:
    cli.ok("import", "-", input=text(forged(cli, drafts, clock=10_000)))


def started_task(cli: Cli) -> str:
    task: str = cli.ok("task", "create", "mend the cart")["id"]
    cli.ok("task", "update", task, "--status", "in_progress")
    return task


@pytest.fixture
def crowded(pane: Cli) -> Cli:
    """What was written here is older than 450 events of every kind that an import brought."""
    pane.ok("preflight", *FLAGS)
    for kind, words in NOTES.items():
        pane.ok("note", kind, words)
    pane.ok("decide", "whole cents")
    pane.ok("goal", "create", "a shop")
    pane.ok("goal", "create", "a cart that adds up")
    pane.ok("claim", "add", "tax is added last", "--assume")
    theirs = [draft(f"note.{kind}", p.Note(f"their {kind}")) for kind in NOTES]
    theirs += [draft("decision.made", p.DecisionMade("their decision")), draft("goal.created", p.GoalCreated("theirs"))]
    theirs += [claimed("their claim"), draft("claim.refused", p.ClaimRefused("their refused", "citation", "no"))]
    take_in(pane, [each for _ in range(450) for each in theirs])
    return pane


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("notes show", [*NOTES.values(), "whole cents", "a cart that adds up"]),
        ("recover --level 3 --max-tokens 3000", [*NOTES.values(), "whole cents"]),
        ("claim list", ["tax is added last"]),
        ("decide --list", ["whole cents"]),
        ("note list", list(NOTES.values())),
        ("note list question", [NOTES["question"]]),
        ("goal list", ["a cart that adds up"]),
    ],
)
def test_a_long_import_pushes_nothing_of_ours_out_of_a_list(crowded: Cli, command: str, shown: list[str]) -> None:
    out = crowded(*command.split()).out
    assert [words for words in shown if words not in out] == []


def test_a_scenario_of_ours_can_be_verified_after_a_long_import(crowded: Cli) -> None:
    take_in_more = [draft("note.scenario", p.Note("their scenario"))] * 1001
    crowded.ok("import", "-", input=text(forged(crowded, take_in_more, ledger_id=THIRD, clock=20_000)))
    assert "unknown_scenario" not in crowded("run", "--scenario", NOTES["scenario"], "--json", "--", "true").out


def test_the_ratio_of_this_lineage_is_the_same_after_a_long_import(pane: Cli) -> None:
    pane.ok("preflight", *FLAGS)
    pane.ok("claim", "add", "tax is added last", "--assume")
    before = pane("claim", "list").out.splitlines()[-1]
    take_in(pane, [claimed(f"their claim {number}") for number in range(501)])
    assert pane("claim", "list").out.splitlines()[-1] == before


def test_a_claim_of_another_machine_in_the_same_words_does_not_hide_ours(pane: Cli) -> None:
    ours = pane.ok("claim", "add", "tax is added last", "--assume")["claim_id"]
    take_in(pane, [claimed("tax is added last")])
    assert [each["id"] for each in pane("claim", "check", "--json").json] == [ours]


def test_places_and_tasks_in_the_notes_are_ours_first(pane: Cli) -> None:
    (pane.cwd / "cart.py").write_text("def total(items):\n    return sum(items)\n")
    pane.ok("claim", "add", "it sums", "--cite", "${PROJECT_ROOT}/cart.py:2", "--quote", "return sum(items)")
    started_task(pane)
    theirs = [
        draft("claim.made", p.ClaimMade("theirs", "citation", "verified", path="x.py", line=line, end_line=line))
        for line in range(1, 60)
    ]
    for number in range(4):
        task = {"task_id": f"their-{number}"}
        theirs += [draft("task.created", p.TaskCreated("their task", priority=0), **task)]
        theirs += [draft("task.updated", p.TaskUpdated(status="in_progress"), **task)]
    take_in(pane, theirs)
    shown = pane("notes", "show").out
    assert "their task" in shown
    assert "cart.py:2" in shown
    assert "mend the cart" in shown.split("their task")[0]
