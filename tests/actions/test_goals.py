"""Goals: the project's, and a lineage's original goal, which is that lineage's alone and ends with it (SPEC 1, 3.6)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from perdure.actions import (
    client_sessions,
    goals,
    healing,
    lineage_goals,
    notes,
    overview,
    projects,
    prompts,
    recovering,
    sessions,
    transaction_lookup,
    transactions,
)
from perdure.actions.record import Fact, record
from perdure.actions.request import Request, resolve_request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import Refused
from perdure.model import payload as p
from perdure.model.state import Session
from perdure.model.value import replace
from perdure.place.resolve import Explicit
from perdure.place.surroundings import StatedClient

HIGH = {"know": 0.9, "uncertainty": 0.1}


class Shop:
    client_session: str | None = None

    def __init__(self, base: Path, name: str = "shop") -> None:
        self.root = base / name
        self.environment = {"HOME": str(base / "person"), "PERDURE_HOME": str(base / "home")}
        self.root.mkdir()
        projects.init(self.request("left"), str(self.root), "shop")

    def request(self, instance: str) -> Request:
        stated_client = StatedClient(client_session_id=self.client_session)
        return Request(
            str(self.root), self.environment, Explicit(instance=instance), stated_client=stated_client, actor="ann"
        )

    @contextmanager
    def desk(self, instance: str = "left") -> Iterator[Desk]:
        with open_desk(self.request(instance)) as desk:
            yield desk

    def start(self, instance: str = "left", source: str = "startup", parent: str | None = None) -> Session:
        with self.desk(instance) as desk:
            return sessions.start(desk, source, parent)

    def end(self, instance: str = "left", reason: str = "exit") -> None:
        with self.desk(instance) as desk:
            sessions.end(desk, None, reason)

    def says(self, text: str, instance: str = "left") -> None:
        prompts.record_prompt(resolve_request(self.request(instance)), text)

    def goals(self, instance: str = "left", include_done: bool = False) -> dict[str, str]:
        """Title → status."""
        with self.desk(instance) as desk:
            return {goal.title: goal.status for goal in goals.listed(desk, include_done)}

    def brief(self, instance: str = "left", level: str | None = None) -> str:
        with self.desk(instance) as desk:
            return recovering.from_ledger(desk, level, None).text

    def adopt(self, transaction: str, instance: str) -> None:
        with self.desk(instance) as desk:
            desk.resolved = replace(desk.resolved, request=replace(desk.resolved.request, actor="user"))
            transactions.adopt(desk, transaction)

    def preflight(self, goal: str, instance: str = "left") -> str:
        with self.desk(instance) as desk:
            return str(
                transactions.preflight(
                    desk, SelfAssessment(vectors=HIGH, reasoning="sure", task_id=None, goal=goal)
                ).transaction.goal_id
            )


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


# -- the original goal is its lineage's --------------------------------------------------------------------------------


def test_an_original_goal_is_shown_to_its_own_lineage_and_to_no_other(shop: Shop) -> None:
    shop.start("left")
    shop.says("fix the rounding", "left")
    shop.start("right")
    assert shop.goals("left") == {"fix the rounding": "original"}
    assert shop.goals("right") == {}
    for level in ("1", "brief"):
        assert "Goal: fix the rounding" in shop.brief("left", level)
        assert "rounding" not in shop.brief("right", level)
    with shop.desk("right") as desk:
        assert overview.overview(desk).goals == overview.overview(desk).others_goals == ()
    assert shop.goals("right", include_done=True) == {"fix the rounding": "other"}


def test_an_original_goal_ends_with_its_lineage(shop: Shop) -> None:
    shop.start()
    shop.says("go on")
    shop.end()
    assert shop.goals() == {}
    shop.start()
    assert shop.goals() == {}, "a client that is started anew begins a lineage of its own"
    assert "Goal: go on" not in shop.brief()
    shop.says("now the taxes")
    assert shop.goals() == {"now the taxes": "original"}


@pytest.mark.parametrize("source", ["compact", "clear", "resume"])
def test_an_original_goal_lives_through_what_goes_on_with_the_lineage(shop: Shop, source: str) -> None:
    shop.start()
    shop.says("fix the rounding")
    shop.end(reason=source)
    shop.start(source=source)
    shop.says("go on")
    assert shop.goals() == {"fix the rounding": "original"}


def test_an_original_goal_lives_through_a_crash(shop: Shop) -> None:
    """No end was recorded, and the next session begins in the same place."""
    shop.start()
    shop.says("fix the rounding")
    shop.start()
    assert shop.goals() == {"fix the rounding": "original"}


def test_a_resumed_session_has_its_goal_again(shop: Shop) -> None:
    first = shop.start()
    shop.says("fix the rounding")
    shop.end()
    shop.start("right", "resume", first.id)
    assert shop.goals("right") == {"fix the rounding": "original"}


@pytest.mark.parametrize("begun_by", ["the next prompt", "session start", "a note"])
def test_an_original_goal_lives_on_after_session_end_in_a_client_that_is_still_running(
    shop: Shop, begun_by: str
) -> None:
    """The agent itself ran `perdure session end`; the client's session goes on under the same id."""
    shop.client_session = "6666"
    shop.start()
    shop.says("fix the rounding")
    shop.end()
    if begun_by == "session start":
        shop.start(source="terminal")
    if begun_by == "a note":
        with shop.desk() as desk:
            notes.add(desk, "finding", "it rounds twice")
    shop.says("yes, go on")
    shop.start(source="compact")
    assert shop.goals() == {"fix the rounding": "original"}
    assert "Goal: fix the rounding" in shop.brief()


def test_a_resumed_session_has_its_goal_although_a_late_hook_began_a_session_after_the_end(shop: Shop) -> None:
    shop.client_session = "6666"
    shop.start()
    shop.says("fix the rounding")
    shop.end()
    with shop.desk() as desk:
        notes.add(desk, "finding", "it rounds twice")
    shop.start(source="resume")
    assert shop.goals() == {"fix the rounding": "original"}


def test_another_client_session_of_the_same_instance_begins_a_lineage_of_its_own(shop: Shop) -> None:
    shop.client_session = "6666"
    shop.start()
    shop.says("fix the rounding")
    shop.end()
    shop.client_session = "7777"
    shop.says("now the taxes")
    assert shop.goals() == {"now the taxes": "original"}


def test_whoever_takes_a_transaction_over_is_told_the_goal_that_it_was_opened_for(shop: Shop) -> None:
    shop.start("left")
    shop.says("fix the rounding", "left")
    with shop.desk("left") as desk:
        opened = transactions.preflight(desk, SelfAssessment(HIGH, "sure")).transaction
    shop.start("right")
    shop.says("what is open here?", "right")
    with shop.desk("right") as desk:
        desk.resolved = replace(desk.resolved, request=replace(desk.resolved.request, actor="user"))
        transactions.adopt(desk, opened.id)
        assert [goal.title for goal in overview.overview(desk).goals] == ["fix the rounding", "what is open here?"]
    assert "Goal: fix the rounding" in shop.brief("right", "1")
    with shop.desk("left") as desk:
        assert [goal.title for goal in overview.overview(desk).goals] == ["fix the rounding"], "its own lineage's"


def test_many_lineages_leave_no_open_goal_and_hide_none_of_the_projects(shop: Shop) -> None:
    with shop.desk() as desk:
        goals.create(desk, "ship the parser")
        sessions.end(desk, None, "exit")
    for number in range(8):
        shop.start()
        shop.says(f"go on {number}")
        shop.end()
    assert shop.goals() == {"ship the parser": "open"}
    with shop.desk() as desk:
        assert [goal.title for goal in overview.overview(desk).goals] == ["ship the parser"]


def test_an_original_goal_can_be_done_before_its_lineage_ends(shop: Shop) -> None:
    shop.start()
    shop.says("fix the rounding")
    with shop.desk() as desk:
        (goal,) = goals.listed(desk)
        assert goals.done(desk, goal.id, None).status == "done"
        with pytest.raises(Refused, match="done already"):
            goals.done(desk, goal.id, None)
    assert shop.goals() == {}


def test_a_goal_is_found_after_many_compactions_in_the_next_project(shop: Shop, tmp_path: Path) -> None:
    session = shop.start()
    shop.says("fix the rounding")
    other = Shop(tmp_path, "other")
    came = p.SessionStarted(source="switch", project_path=str(shop.root))
    with other.desk() as desk:
        record(desk, [Fact("session.started", came, session.id, instance_id=session.instance_id)])
        for _ in range(sessions.RECENT_LINEAGE + 5):
            sessions.start(desk, "compact")
        (goal,) = lineage_goals.open_goals_at(desk).own
    assert (goal.title, goal.status, goal.project_path) == ("fix the rounding", "original", str(shop.root))


@pytest.mark.parametrize("compacted", [False, True])
@pytest.mark.parametrize("ended", [False, True])
def test_a_client_started_where_an_ended_lineage_only_named_the_project_begins_a_lineage_of_its_own(
    shop: Shop, tmp_path: Path, ended: bool, compacted: bool
) -> None:
    """The next project was not told that the session has ended in the first one."""
    shop.client_session = "6666"
    session = shop.start()
    shop.says("fix the rounding")
    other = Shop(tmp_path, "other")
    came = p.SessionStarted(source="switch", project_path=str(shop.root), client_session_id="6666")
    with other.desk() as desk:
        record(desk, [Fact("session.started", came, session.id, instance_id=session.instance_id)])
    if compacted:
        shop.start(source="compact")
    if ended:
        shop.end()
    other.client_session = "7777"
    client_sessions.start_client_session(resolve_request(other.request("left")), "startup")
    other.says("now the taxes")
    with other.desk() as desk:
        found = [goal.title for goal in lineage_goals.open_goals_at(desk).own]
    assert found == (["now the taxes"] if ended else ["fix the rounding"])


# -- one entity, wherever it is named ----------------------------------------------------------------------------------


def test_an_original_goal_that_is_set_by_hand_is_the_projects(shop: Shop) -> None:
    shop.start()
    shop.says("ship the parser")
    with shop.desk() as desk:
        made = goals.create(desk, "ship the parser")
        with pytest.raises(Refused, match="open already"):
            goals.create(desk, "ship the parser")
    assert shop.goals() == {"ship the parser": "open"}, "one goal, and not two with the same words"
    shop.end()
    assert shop.goals("right") == {"ship the parser": "open"}
    with shop.desk() as desk:
        goals.done(desk, made.id, None)
    assert shop.goals() == {}


def test_preflight_that_names_the_original_goal_makes_it_the_projects(shop: Shop) -> None:
    shop.start()
    shop.says("ship the parser")
    goal_id = shop.preflight("ship the parser")
    with shop.desk() as desk:
        assert [(goal.id, goal.status) for goal in goals.listed(desk)] == [(goal_id, "open")]


def test_the_same_words_in_another_lineage_are_another_goal(shop: Shop) -> None:
    shop.start("left")
    shop.says("ship the parser", "left")
    shop.start("right")
    shop.says("ship the parser", "right")
    with shop.desk("right") as desk:
        goals.create(desk, "ship the parser")
    assert shop.goals("left") in ({"ship the parser": "open"}, {"ship the parser": "original"})
    with shop.desk("left") as desk:
        assert sorted(goal.status for goal in goals.listed(desk)) == ["open", "original"]


# -- goals of other panes ----------------------------------------------------------------------------------------------


def test_the_goal_of_anothers_transaction_is_told_as_the_others(shop: Shop) -> None:
    shop.start("left")
    shop.preflight("prices in cents", "left")
    shop.start("right")
    assert "Goal:" not in shop.brief("right")
    assert "Other panes are at: prices in cents" in shop.brief("right")
    assert "prices in cents" not in shop.brief("right", "1")
    assert "Goal: prices in cents" in shop.brief("left")
    with shop.desk("right") as desk:
        found = overview.overview(desk)
    assert found.goals == ()
    assert [goal.title for goal in found.others_goals] == ["prices in cents"]


def test_a_goal_that_two_transactions_serve_is_both_ones_own(shop: Shop) -> None:
    for pane in ("left", "right"):
        shop.start(pane)
        shop.preflight("prices in cents", pane)
    for pane in ("left", "right"):
        assert "Goal: prices in cents" in shop.brief(pane)
        assert "Other panes" not in shop.brief(pane)


def test_the_transactions_goal_comes_before_the_original_one(shop: Shop) -> None:
    shop.start()
    shop.says("good morning")
    shop.preflight("prices in cents")
    brief = shop.brief()
    assert brief.index("prices in cents") < brief.index("good morning")
    assert "Goal: prices in cents" in shop.brief(level="1")


def test_a_goal_made_by_hand_is_its_makers_and_the_adopters_after_the_transaction_was_taken_over(shop: Shop) -> None:
    shop.start("left")
    shop.says("prices in euros", "left")
    with shop.desk("left") as desk:
        opened = transactions.preflight(desk, SelfAssessment(HIGH, "sure")).transaction
        goals.create(desk, "round at the end")
    shop.start("right")
    shop.adopt(opened.id, "right")
    shop.start("third")
    for pane in ("left", "right"):
        with shop.desk(pane) as desk:
            found = lineage_goals.open_goals_at(desk)
            shown = overview.overview(desk)
        assert [goal.title for goal in found.own] == ["prices in euros", "round at the end"], pane
        assert found.others == shown.others_goals == ()
        assert "Other panes are at" not in shop.brief(pane)
        assert "- round at the end" in shop.brief(pane)
    with shop.desk("third") as desk:
        found = lineage_goals.open_goals_at(desk)
    assert (found.own, [goal.title for goal in found.others]) == ((), ["round at the end"])
    shop.start("left", "compact")
    assert "- round at the end" in shop.brief("left")


def test_a_goal_that_preflight_named_is_still_its_makers_after_the_transaction_was_taken_over(shop: Shop) -> None:
    shop.start("left")
    shop.preflight("prices in cents", "left")
    with shop.desk("left") as desk:
        opened = transaction_lookup.current(desk)
    assert opened
    shop.start("right")
    shop.adopt(opened.transaction.id, "right")
    for pane in ("left", "right"):
        assert "Goal: prices in cents" in shop.brief(pane)
        assert "Other panes are at" not in shop.brief(pane)


# -- ledgers that an earlier version wrote -----------------------------------------------------------------------------


def test_an_original_goal_of_an_older_ledger_is_not_a_goal_of_the_project_and_heal_folds_it_anew(shop: Shop) -> None:
    """There its document was live, as that of any open goal. Its event is the same."""
    shop.start("left")
    shop.says("go on", "left")
    with sqlite3.connect(shop.root / ".perdure" / "ledger.db") as db:
        assert db.execute("UPDATE documents SET live = 1 WHERE kind = 'goal'").rowcount == 1
    db.close()
    assert shop.goals("left") == {"go on": "original"}
    assert shop.goals("right") == {}
    healed = healing.heal(shop.request("left"), lambda _: None)
    assert "state rebuilt from the events" in healed.mended
    assert healing.check(shop.request("left"), lambda _: None).is_whole
    assert shop.goals("left") == {"go on": "original"}
