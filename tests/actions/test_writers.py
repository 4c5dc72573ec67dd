"""Two panes side by side: a brief tells each about its own work, and marks what the other noted (SPEC 12.1)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from perdure.actions import attribution, decisions, notes, overview, projects, recovering, sessions, tasks, transactions
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import Desk, open_desk
from perdure.model import payload as p
from perdure.place.resolve import Explicit
from perdure.recovery.brief import LEAST
from perdure.recovery.tokens import count

HIGH = {"know": 0.9, "uncertainty": 0.1}


class Panes:
    def __init__(self, base: Path) -> None:
        self.root = base / "shop"
        self.environment = {"HOME": str(base / "person"), "PERDURE_HOME": str(base / "home")}
        self.root.mkdir()
        projects.init(self.request("a"), str(self.root), "shop")

    def request(self, pane: str, actor: str = "ann") -> Request:
        return Request(str(self.root), self.environment, Explicit(instance=pane), actor=actor)

    @contextmanager
    def desk(self, pane: str, actor: str = "ann") -> Iterator[Desk]:
        with open_desk(self.request(pane, actor)) as desk:
            yield desk

    def start(self, pane: str, source: str = "startup", parent: str | None = None) -> str:
        with self.desk(pane) as desk:
            return sessions.start(desk, source, parent).id

    def preflight(self, pane: str, goal: str | None = None) -> str:
        with self.desk(pane) as desk:
            return transactions.preflight(desk, SelfAssessment(HIGH, "sure", goal=goal)).transaction.id

    def postflight(self, pane: str) -> None:
        transactions.postflight(self.request(pane), SelfAssessment(HIGH, "done"), None)

    def note(self, pane: str, kind: str, text: str) -> None:
        with self.desk(pane) as desk:
            notes.add(desk, kind, text)

    def decide(self, pane: str, text: str) -> None:
        with self.desk(pane) as desk:
            decisions.decide(desk, p.DecisionMade(text, "because of it"))

    def brief(self, pane: str, level: str | None = None) -> str:
        with self.desk(pane) as desk:
            return recovering.from_ledger(desk, level, None).text

    def at_start(self, pane: str, source: str = "compact") -> str:
        with self.desk(pane) as desk:
            return recovering.at_start(desk, sessions.start(desk, source), recovering.Notices())


@pytest.fixture
def panes(tmp_path: Path) -> Panes:
    """Pane `a` noted where it is; then pane `b`, which is at work too, noted more."""
    found = Panes(tmp_path)
    found.start("a")
    found.preflight("a", "the parser")
    found.note("a", "reasoning", "A: parser half done, line 40")
    found.note("a", "next", "A: finish the parser")
    found.note("a", "blocker", "A: the grammar is not settled")
    found.note("a", "question", "A: tabs or spaces?")
    found.decide("a", "A: write the parser by hand")
    found.start("b")
    found.preflight("b", "the migration")
    found.note("b", "reasoning", "B: migration, table 3 of 7")
    found.note("b", "next", "B: table 4")
    found.note("b", "blocker", "B: no access to the old database")
    found.note("b", "question", "B: keep the old ids?")
    for number in range(3):
        found.decide("b", f"B: decision {number}")
    return found


@pytest.mark.parametrize("where", ["at start", "brief"])
def test_after_compaction_a_pane_is_told_where_it_stopped_itself_and_not_where_another_pane_is(
    panes: Panes, where: str
) -> None:
    brief = panes.at_start("a") if where == "at start" else panes.brief("a")
    assert "Where it stopped: A: parser half done, line 40" in brief
    assert "Other panes noted: another pane: B: migration, table 3 of 7" in brief
    for own, others in (
        ("A: finish the parser", "B: table 4"),
        ("A: the grammar is not settled", "B: no access to the old database"),
        ("A: tabs or spaces?", "B: keep the old ids?"),
    ):
        assert f"another pane: {others}" in brief
        assert f"another pane: {own}" not in brief
        assert brief.index(own) < brief.index(others)
    assert "Decisions, your own first:" in brief
    assert brief.index("A: write the parser by hand") < brief.index("B: decision 2") < brief.index("B: decision 1")
    assert "another pane: B: decision" not in brief, "a decision counts for the whole project"


def test_level_1_tells_a_pane_about_its_own_work_alone(panes: Panes) -> None:
    text = panes.brief("a", "1")
    assert count(text) <= 100
    assert "Where it stopped: A: parser half done, line 40" in text
    assert "Next: A: finish the parser" in text
    assert text.index("A: write the parser by hand") < text.index("B: decision 2")
    assert "migration" not in text
    assert "table 4" not in text


def test_where_a_pane_noted_nothing_another_panes_notes_are_still_not_its_own(panes: Panes) -> None:
    panes.start("c")
    level_one, brief = panes.brief("c", "1"), panes.brief("c")
    for text in (level_one, brief):
        assert "Where it stopped" not in text
    assert "Next:" not in level_one
    assert brief.count("another pane: ") == 8
    with panes.desk("c") as desk:
        found = overview.overview(desk)
    assert found.reasoning is None
    assert [note.text for note in found.others_reasoning] == [
        "B: migration, table 3 of 7",
        "A: parser half done, line 40",
    ]


def test_what_somebody_left_who_is_gone_is_there_to_be_continued(panes: Panes) -> None:
    panes.postflight("b")
    panes.start("c")
    for level in ("1", "brief"):
        text = panes.brief("c", level)
        assert "Where it stopped: B: migration, table 3 of 7" in text
        assert "Next: B: table 4" in text or "- B: table 4" in text
    assert "another pane: A: parser half done" in panes.brief("c")
    assert "Where it stopped: A: parser half done" in panes.brief("a"), "one's own comes before it all the same"


def test_a_later_session_of_the_lineage_in_another_pane_has_its_notes(panes: Panes) -> None:
    with panes.desk("a") as desk:
        first = sessions.show(desk, None).id
        sessions.end(desk, None, "exit")
    panes.postflight("a")
    panes.start("c", "resume", first)
    brief = panes.brief("c")
    assert "Where it stopped: A: parser half done, line 40" in brief
    assert "another pane: B: migration" in brief


def test_a_fork_has_what_was_noted_before_it_and_not_what_its_parent_notes_after_it(panes: Panes) -> None:
    with panes.desk("a") as desk:
        parent = sessions.show(desk, None).id
    panes.start("c", "fork", parent)
    panes.note("a", "reasoning", "A: parser done, now the printer")
    with panes.desk("a") as desk:
        attribution.record_event(desk, "prompt.given", p.PromptGiven("only for the parent"))
    brief = panes.brief("c")
    assert "Where it stopped: A: parser half done, line 40" in brief
    assert "another pane: A: parser done, now the printer" in brief
    assert "only for the parent" not in brief
    assert "Where it stopped: A: parser done, now the printer" in panes.brief("a")


def test_whoever_adopts_a_transaction_is_told_where_it_stopped(panes: Panes) -> None:
    with panes.desk("a") as desk:
        held = attribution.own_open_transaction(desk)
    assert held is not None
    panes.start("c")
    with panes.desk("c", actor="user") as desk:
        transactions.adopt(desk, held.id)
    assert "Where it stopped: A: parser half done, line 40" in panes.brief("c")
    assert "A: write the parser by hand" in panes.brief("c", "1")


def test_however_much_another_pane_writes_ones_own_is_found(panes: Panes) -> None:
    with panes.desk("b") as desk:
        for number in range(60):
            notes.add(desk, "reasoning", f"B: at {number}")
            notes.add(desk, "next", f"B: step {number}")
            decisions.decide(desk, p.DecisionMade(f"B: further decision {number}"))
            notes.add(desk, "constraint", f"B: rule {number}")
    panes.note("a", "constraint", "A: never touch the grammar file")
    with panes.desk("b") as desk:
        for number in range(60):
            notes.add(desk, "constraint", f"B: another rule {number}")
    for level in ("1", "brief"):
        text = panes.brief("a", level)
        assert "Where it stopped: A: parser half done, line 40" in text
        assert "A: finish the parser" in text
        assert "A: write the parser by hand" in text
    assert "A: never touch the grammar file" in panes.brief("a")
    with panes.desk("a") as desk:
        assert overview.overview(desk).notes[0].text.startswith("A:")


def test_the_task_that_another_pane_has_in_progress_is_not_this_panes(panes: Panes) -> None:
    with panes.desk("b") as desk:
        made = tasks.create(desk, p.TaskCreated("move the orders"))
        tasks.update(desk, made.id, tasks.TaskChanges(status="in_progress"))
        tasks.create(desk, p.TaskCreated("sweep the floor"))
    brief = panes.brief("a")
    assert brief.index("ready: sweep the floor") < brief.index("another pane: move the orders")
    assert "ready: move the orders" not in brief
    assert "move the orders" not in panes.brief("a", "1")
    assert "Task: move the orders" in panes.brief("b")


def test_why_says_whose_note_it_is(panes: Panes) -> None:
    with panes.desk("a") as desk:
        found = recovering.from_ledger(desk, None, None)
    why = {line.text: line.why for section in found.sections for line in section.lines}
    ours, others = "A: parser half done, line 40", "another pane: B: migration, table 3 of 7"
    assert why[ours] == "the last reasoning note, of this session or one that it continues"
    assert why[others] == "the last reasoning note, of another pane, which is at work now"


def test_a_greater_budget_never_takes_away_where_this_pane_stopped(panes: Panes) -> None:
    shown = False
    for budget in range(LEAST, 300, 5):
        with panes.desk("a") as desk:
            text = recovering.from_ledger(desk, "brief", budget).text
        assert count(text) <= budget
        assert not shown or "A: parser half done" in text
        shown = shown or "A: parser half done" in text
    assert shown
