"""What the first request of the real client has of the session before, however that ended (SPEC 10, 11, 13): the goal,
the person's rule, the open transaction, the last decision, the next step."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from perdure.model.value import value
from perdure.rehearsal.claude_code import quiet_home
from perdure.rehearsal.messages import ModelRequest, say

from ..place.terminals import Terminals
from .conftest import PINNED, Stage, stage_for_several
from .guarded import ALLOWED, Guarded, bash
from .test_compaction import DECISION, GOAL, NEXT, RULE, STEP, WRITTEN
from .test_place import play

BETWEEN = "words that say nothing of it"
KILLED = 128 + 9


@value
class Killed:
    """A session that was killed in the middle of a tool call, and what came after it in the same terminal."""

    guarded: Guarded
    resumed: ModelRequest
    """The first request of the same session, resumed."""
    new: ModelRequest
    """The first request of a new session."""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killed]:
    with stage_for_several(PINNED, tmp_path_factory) as (stage, environment):
        guarded = Guarded(stage, environment)
        quiet_home(stage.home, guarded.project)
        terminals = Terminals(guarded.project.parent / "typed", stage.client.environment, guarded.project)
        try:
            shell = terminals.pty()
            stage.script([*WRITTEN, bash(NEXT), bash("kill -9 $PPID; sleep 5"), say("never said")])
            play(shell, stage, guarded.project, GOAL, code=KILLED)
            (begun,) = guarded.events("session.started")
            session = str(begun["payload"]["client_session_id"])
            first_of = []
            for flags in (("--resume", session), ()):
                model = stage.script([bash("touch here"), say("done")])
                play(shell, stage, guarded.project, BETWEEN, *flags)
                first_of.append(model.turns[0])
            yield Killed(guarded, *first_of)
        finally:
            terminals.close()


def assert_whole(guarded: Guarded, request: ModelRequest) -> None:
    """All five stand in what Perdure adds, whatever else the request has."""
    given = request.text[request.text.rindex("Perdure: project") :]
    (opened,) = guarded.events("transaction.opened")
    assert f"Continuing transaction {opened['transaction_id'][:8]}" in given
    for words in (GOAL.partition(".")[0], RULE, DECISION, STEP):
        assert words in re.sub(r"\s+", " ", given), (words, given)


def test_a_session_that_is_resumed_after_its_client_was_killed_is_told_all_of_it(killed: Killed) -> None:
    assert not [event for event in killed.guarded.events("session.ended") if event["seq"] < _resumed_at(killed)]
    assert_whole(killed.guarded, killed.resumed)


def _resumed_at(killed: Killed) -> int:
    return int(killed.guarded.events("session.started")[1]["seq"])


def test_a_new_session_in_the_same_place_is_told_all_of_it(killed: Killed) -> None:
    assert "kill -9" not in killed.new.text, "it has no history of its own"
    assert_whole(killed.guarded, killed.new)
    assert killed.guarded.made("here"), "it works under the transaction that the first session opened"
    assert len(killed.guarded.events("transaction.opened")) == 1


def test_the_first_request_after_clear_has_all_of_it(claude: Stage, environment: dict[str, str]) -> None:
    guarded = Guarded(claude, environment)
    model = guarded.stage.script([*WRITTEN, bash(NEXT), say("it is written"), say("the context was cleared")])
    with guarded.stage.terminal("--permission-mode", "acceptEdits", *ALLOWED) as terminal:
        terminal.wait_for("shop")
        terminal.enter(GOAL)
        terminal.wait_for("it is written", seconds=60)
        terminal.enter("/clear")
        terminal.wait_until(lambda: len(guarded.events("session.started")) == 2)
        terminal.enter(BETWEEN)
        terminal.wait_for("the context was cleared", seconds=60)
    cleared = model.turns[-1]
    assert "it is written" not in cleared.text, "it has no history of its own"
    assert_whole(guarded, cleared)
