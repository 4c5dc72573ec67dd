"""After `investigate`, only something learned changes the answer, in this transaction and in the next (SPEC 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import attribution, notes, projects, sessions, transaction_lookup, transactions
from perdure.actions.record import Fact, record
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import Refused
from perdure.model import payload as p
from perdure.place.resolve import Explicit
from perdure.place.surroundings import StatedClient

HIGH = SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "I am sure now")
LOW = SelfAssessment({"know": 0.5, "uncertainty": 0.5}, "not yet")


class Shop:
    def __init__(self, base: Path) -> None:
        self.roots = {name: base / name for name in ("shop", "outreach")}
        self.environment = {"HOME": str(base / "person"), "PERDURE_HOME": str(base / "home")}
        for name, root in self.roots.items():
            root.mkdir()
            projects.init(self.request("left", name), str(root), name)

    def request(self, instance: str, project: str = "shop", actor: str = "ann", **explicit: Any) -> Request:
        root = str(self.roots[project])
        asked = Explicit(project_path=root, instance=instance, **explicit)
        return Request(root, self.environment, asked, actor=actor)

    @contextmanager
    def desk(self, instance: str = "left", project: str = "shop", **given: Any) -> Iterator[Desk]:
        with open_desk(self.request(instance, project, **given)) as desk:
            yield desk

    def preflight(self, given: SelfAssessment, instance: str = "left", **where: Any) -> str:
        with self.desk(instance, **where) as desk:
            return transactions.preflight(desk, given).assessment.decision

    def check(self, given: SelfAssessment, instance: str = "left") -> str:
        with self.desk(instance) as desk:
            return transactions.check(desk, given).assessment.decision

    def postflight(self, instance: str = "left", project: str = "shop") -> None:
        transactions.postflight(self.request(instance, project), HIGH, None)

    def note(self, kind: str, text: str, instance: str = "left") -> None:
        with self.desk(instance) as desk:
            notes.add(desk, kind, text)

    def read(self, instance: str = "left") -> None:
        with self.desk(instance) as desk:
            attribution.record_event(desk, "file.read", p.FileRead("a.py"))

    def held_back(self, instance: str = "left") -> None:
        """Told to investigate, and closed."""
        assert self.preflight(LOW, instance) == "investigate"
        self.postflight(instance)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


# -- closing and opening anew ------------------------------------------------------------------------------------------


def test_closing_and_opening_anew_with_a_higher_number_gives_the_same_answer(shop: Shop) -> None:
    shop.held_back()
    assert shop.preflight(HIGH) == "investigate"
    assert shop.check(HIGH) == "investigate"
    shop.postflight()
    assert shop.preflight(HIGH) == "investigate", "however often it is tried"
    shop.read()
    assert shop.check(HIGH) == "proceed"


def test_what_was_learned_between_two_transactions_counts(shop: Shop) -> None:
    shop.held_back()
    shop.read()
    assert shop.preflight(HIGH) == "proceed"


def test_what_was_learned_before_the_first_was_closed_counts(shop: Shop) -> None:
    assert shop.preflight(LOW) == "investigate"
    shop.read()
    shop.postflight()
    assert shop.preflight(HIGH) == "proceed"


def test_a_check_that_said_investigate_holds_back_the_next_preflight(shop: Shop) -> None:
    assert shop.preflight(HIGH) == "proceed"
    assert shop.check(LOW) == "investigate"
    shop.postflight()
    assert shop.preflight(HIGH) == "investigate"


def test_a_transaction_that_proceeded_holds_nothing_back(shop: Shop) -> None:
    assert shop.preflight(HIGH) == "proceed"
    shop.postflight()
    assert shop.preflight(HIGH) == "proceed"


def test_a_new_session_of_the_same_place_is_held_back_too(shop: Shop) -> None:
    shop.held_back()
    with shop.desk() as desk:
        sessions.end(desk, None, "exit")
        sessions.start(desk)
    assert shop.preflight(HIGH) == "investigate"


def test_acting_in_a_foreign_session_does_not_lift_it(shop: Shop) -> None:
    with shop.desk("right") as desk:
        foreign = sessions.start(desk).id
    shop.held_back()
    with pytest.raises(Refused) as refused:
        shop.preflight(HIGH, session_id=foreign)
    assert refused.value.code == "for_people"
    with shop.desk("right") as desk:
        sessions.end(desk, None, "exit")
    assert shop.preflight(HIGH, session_id=foreign) == "investigate"


def test_a_session_that_claims_another_parent_does_not_lift_it(shop: Shop) -> None:
    with shop.desk("right") as desk:
        foreign = sessions.start(desk).id
    shop.held_back()
    with shop.desk() as desk:
        sessions.start(desk, "fork", foreign)
    assert shop.preflight(HIGH) == "investigate"


def test_another_name_for_the_same_client_does_not_lift_it(shop: Shop) -> None:
    shop.held_back()
    assert shop.preflight(HIGH, actor="another-client") == "investigate"


def test_a_person_in_the_same_pane_is_not_held_back_by_what_the_agent_was_told(shop: Shop) -> None:
    shop.held_back()
    assert shop.preflight(HIGH, actor="user") == "proceed"


def test_a_fork_of_the_lineage_in_another_instance_is_held_back(shop: Shop) -> None:
    with shop.desk() as desk:
        first = sessions.start(desk).id
    with shop.desk("right") as desk:
        sessions.start(desk, "fork", first)
    shop.held_back()
    assert shop.preflight(HIGH, "right") == "investigate"
    shop.postflight("right")
    shop.read("right")
    assert shop.preflight(HIGH, "right") == "proceed"


def test_another_instance_of_the_project_is_neither_held_back_nor_a_help(shop: Shop) -> None:
    shop.held_back()
    assert shop.preflight(HIGH, "right") == "proceed"
    shop.read("right")
    shop.note("finding", "what the right pane found", "right")
    assert shop.preflight(HIGH) == "investigate"


def test_another_project_asks_anew_and_coming_back_finds_the_old_answer(shop: Shop) -> None:
    shop.held_back()
    assert shop.preflight(HIGH, project="outreach") == "proceed"
    shop.postflight(project="outreach")
    assert shop.preflight(HIGH) == "investigate"


def test_whoever_adopts_a_transaction_takes_over_its_answer(shop: Shop) -> None:
    with shop.desk() as desk:
        held = transactions.preflight(desk, LOW).transaction
    with shop.desk("right", actor="user") as desk:
        transactions.adopt(desk, held.id)
    shop.postflight("right")
    assert shop.preflight(HIGH, "right") == "investigate"
    assert shop.preflight(HIGH) == "investigate", "and whoever opened it keeps it"


def test_closing_anothers_transaction_by_its_id_takes_over_nothing(shop: Shop) -> None:
    with shop.desk() as desk:
        held = transactions.preflight(desk, LOW).transaction
    transactions.postflight(shop.request("right", actor="user"), HIGH, held.id)
    assert shop.preflight(HIGH, "right") == "proceed"


def test_an_orphan_that_was_put_away_still_holds_its_lineage_back(shop: Shop) -> None:
    with shop.desk() as desk:
        held = transactions.preflight(desk, LOW).transaction
        transactions._closing(desk, held.id, p.TransactionClosed(False), session_id=None, facts=[])
    assert shop.preflight(HIGH) == "investigate"


# -- what counts where no hooks see what is read ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["finding", "failed"])
def test_a_finding_or_a_failed_approach_that_is_noted_counts(shop: Shop, kind: str) -> None:
    assert shop.preflight(LOW) == "investigate"
    assert shop.check(HIGH) == "investigate"
    shop.note(kind, "the rounding happens in cart.py, twice")
    assert shop.check(HIGH) == "proceed"


@pytest.mark.parametrize("kind", ["reasoning", "question", "next", "blocker", "constraint", "scenario"])
def test_other_notes_are_nothing_learned(shop: Shop, kind: str) -> None:
    assert shop.preflight(LOW) == "investigate"
    shop.note(kind, "I am sure")
    assert shop.check(HIGH) == "investigate"


@pytest.mark.parametrize("again", ["It rounds twice.", "it   ROUNDS twice", "it rounds twice!"])
def test_the_same_words_noted_again_teach_nothing(shop: Shop, again: str) -> None:
    assert shop.preflight(LOW) == "investigate"
    shop.note("finding", "It rounds twice.")
    assert shop.check(LOW) == "investigate"
    shop.note("finding", again)
    assert shop.check(HIGH) == "investigate"
    shop.note("failed", again)
    assert shop.check(HIGH) == "investigate"
    shop.note("finding", "and a third time in tax.py")
    assert shop.check(HIGH) == "proceed"


def test_words_noted_long_ago_teach_nothing_now(shop: Shop) -> None:
    shop.note("finding", "it rounds twice")
    with shop.desk() as desk:
        for number in range(600):
            notes.add(desk, "finding", f"finding number {number}")
    assert shop.preflight(LOW) == "investigate"
    shop.note("finding", "It rounds twice")
    assert shop.check(HIGH) == "investigate"


def test_a_note_without_a_letter_teaches_nothing(shop: Shop) -> None:
    assert shop.preflight(LOW) == "investigate"
    shop.note("finding", "… !")
    assert shop.check(HIGH) == "investigate"


def test_a_test_run_counts(shop: Shop) -> None:
    assert shop.preflight(LOW) == "investigate"
    with shop.desk() as desk:
        attribution.record_event(desk, "test.run", p.TestRun("pytest", 3, 0))
    assert shop.check(HIGH) == "proceed"


# -- the advice --------------------------------------------------------------------------------------------------------


def _advice(shop: Shop, stated_client: StatedClient) -> str:
    asked = Request(
        cwd=str(shop.roots["shop"]),
        environment=shop.environment,
        explicit=Explicit(instance="left"),
        stated_client=stated_client,
        actor="ann",
    )
    with open_desk(asked) as desk:
        opened = transactions.preflight(desk, LOW)
        checked = transactions.check(desk, HIGH)
    return "\n".join(each.advice for each in (*opened.assessment.shortfalls, *checked.assessment.shortfalls))


def test_without_hooks_the_advice_is_to_note_what_was_found(shop: Shop) -> None:
    advice = _advice(shop, StatedClient())
    assert advice.count("perdure note finding") == 3
    assert "No hook sees what you read here" in advice
    assert "ask the person" not in advice, "nobody's answer is seen here"


def test_with_hooks_the_advice_is_to_read_and_search(shop: Shop) -> None:
    advice = _advice(shop, StatedClient("claude-code", "b3d7cc0e-b758-4183-bd32-9004b19feb73"))
    assert "Read the files" in advice
    assert "run a search" in advice
    assert "No hooks" not in advice


@pytest.mark.parametrize(
    "stated_client", [StatedClient(), StatedClient("claude-code", "b3d7cc0e-b758-4183-bd32-9004b19feb73")]
)
def test_no_advice_names_what_cannot_be_done_yet(shop: Shop, stated_client: StatedClient) -> None:
    """Running a test changes things for the gate; there is no command that verifies a claim."""
    advice = _advice(shop, stated_client)
    assert "claim" not in advice
    assert "the test that" not in advice


# -- taking over what somebody else assessed ---------------------------------------------------------------------------


def _left_behind(shop: Shop, given: SelfAssessment = HIGH, instance: str = "gone") -> str:
    with shop.desk(instance) as desk:
        opened = transactions.preflight(desk, given).transaction.id
    _is_gone(shop, instance)
    return opened


def _adopts(shop: Shop, transaction_id: str, instance: str = "left", **given: Any) -> bool:
    """Whether the gate of the transaction passes changes afterwards."""
    with shop.desk(instance, **given) as desk:
        return transactions.adopt(desk, transaction_id).transaction.passes


def _is_gone(shop: Shop, instance: str = "gone") -> None:
    """The machine was started anew since: only then may an agent adopt what the instance held."""
    with shop.desk(instance) as desk:
        bound = p.InstanceBound(boot_id="the boot before", process=(1, "1"))
        record(desk, [Fact("instance.bound", bound, instance_id=desk.seat.instance_id)])


def test_after_investigate_adopting_what_another_assessed_does_not_open_the_gate(shop: Shop) -> None:
    left = _left_behind(shop)
    shop.read("gone")  # what somebody else learned is nothing learned here
    _is_gone(shop)
    shop.held_back()
    assert not _adopts(shop, left)
    assert shop.check(HIGH) == "investigate"
    shop.postflight()
    assert shop.preflight(HIGH) == "investigate", "nor does closing it and opening another"
    shop.read()
    assert shop.check(HIGH) == "proceed", "the way out that the denial names"


def test_an_adoption_that_was_held_back_is_cleared_by_a_check_once_something_was_learned(shop: Shop) -> None:
    shop.held_back()
    left = _left_behind(shop)  # assessed after the adopter's own answer
    assert not _adopts(shop, left)
    shop.read()
    assert shop.check(LOW) == "investigate"
    assert shop.check(HIGH) == "investigate"
    shop.note("finding", "it rounds twice")
    assert shop.check(HIGH) == "proceed"
    with shop.desk() as desk:
        assert transaction_lookup.required(desk).transaction.passes


def test_whoever_was_told_to_proceed_or_learned_since_adopts_without_a_check(shop: Shop) -> None:
    assert _adopts(shop, _left_behind(shop), "right"), "who never assessed anything goes on with what was assessed"
    shop.held_back()
    shop.read()
    assert _adopts(shop, _left_behind(shop))


def test_whoever_goes_on_after_a_crash_of_its_own_client_adopts_its_transaction_as_it_was(shop: Shop) -> None:
    shop.held_back("crashed")
    shop.read("crashed")
    left = _left_behind(shop, HIGH, "crashed")
    with shop.desk("crashed") as desk:
        before = sessions.show(desk, None).id
    _is_gone(shop, "crashed")
    with shop.desk() as desk:
        sessions.start(desk, "resume", before)
    assert _adopts(shop, left)


def test_what_a_person_overrode_or_takes_over_passes(shop: Shop) -> None:
    shop.held_back()
    left = _left_behind(shop)
    with shop.desk("gone", actor="user") as desk:
        transactions.override(desk, left, "I looked at it")
    _is_gone(shop)
    assert _adopts(shop, left)
    shop.postflight()
    assert _adopts(shop, _left_behind(shop), actor="user"), "the person's own answer"
