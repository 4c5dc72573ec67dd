"""What a compaction in the real client keeps and loses, and what the next request has again (SPEC 11)."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from perdure.model.value import value
from perdure.rehearsal.messages import MAIN, SUMMARY_MARK, ModelRequest, ScriptedModel, Turn, call, say

from .conftest import PINNED, Stage, stage_for_several
from .guarded import ALLOWED, PREFLIGHT, Guarded, bash

SQUEEZED = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
GOAL = "make prices whole cents. Never round a price silently."
RULE, DECISION, STEP = "Never round a price silently.", "keep cents in an integer column", "add tests for the invoice"
DECIDE = f"perdure decide '{DECISION}' --because 'floats lose one'"
NEXT = f"perdure note next '{STEP}'"
WRITTEN = [bash(PREFLIGHT), bash(DECIDE)]


def summary(*lines: str) -> str:
    return "<analysis>Read.</analysis>\n<summary>\n" + "\n".join(lines) + "\n</summary>"


def complete(transaction: str) -> str:
    return summary(
        f"The person asked: {GOAL}",
        f"Rule: {RULE}",
        f"Open transaction: {transaction}",
        f"Decision: {DECISION}.",
        f"Next step: {STEP}.",
    )


class Telling:
    """A summary that is made when it is asked for."""

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded

    def whole(self) -> str:
        (opened,) = self._guarded.events("transaction.opened")
        return complete(str(opened["transaction_id"]))


def compacted(guarded: Guarded, told: str) -> ScriptedModel:
    """An automatic compaction in the middle of a turn, with this summary."""
    full = Turn(calls=bash(NEXT).calls, input_tokens=190_000)
    model = guarded.stage.script([*WRITTEN, full, bash("perdure status"), say("done")], summary=told)
    guarded.stage.run(GOAL, *ALLOWED, **SQUEEZED)
    assert len(model.summaries) == 1
    return model


def after(model: ScriptedModel) -> ModelRequest:
    """The first request after the compaction."""
    at = max(i for i, request in enumerate(model.requests) if request.asks_for_a_summary)
    return next(request for request in model.requests[at + 1 :] if request.script)


def given(request: ModelRequest) -> str:
    """What Perdure added after the compaction."""
    return request.text[request.text.index("[PHASE: POST_COMPACT]") :]


def assert_whole(guarded: Guarded, request: ModelRequest) -> None:
    """The request has all five, from the summary or from Perdure: goal, rule, transaction, decision, next step."""
    (opened,) = guarded.events("transaction.opened")
    for words in (GOAL.partition(".")[0], RULE, str(opened["transaction_id"])[:8], DECISION, STEP):
        assert words in request.text, words


@pytest.fixture(scope="module")
def poorly_compacted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Guarded, ScriptedModel]]:
    """Played once for the two tests below, which only look at how it went."""
    with stage_for_several(PINNED, tmp_path_factory) as (stage, environment):
        guarded = Guarded(stage, environment)
        yield guarded, compacted(guarded, summary(f"Decision: {DECISION}."))


def test_what_a_poor_summary_lost_is_in_the_first_request_after_an_automatic_compaction(
    poorly_compacted: tuple[Guarded, ScriptedModel],
) -> None:
    guarded, model = poorly_compacted
    assert_whole(guarded, after(model))
    text = given(after(model))
    for lost in (RULE, STEP, "make prices whole cents", "Continuing transaction"):
        assert text.count(lost) >= 1
    assert DECISION not in text, "the summary kept it"
    assert "[PHASE: POST_COMPACT]" not in model.turns[0].text
    last = model.turns[-1].text
    assert last.count("[PHASE: POST_COMPACT]") == 1, "it is given once"
    (audited,) = guarded.events("compaction.audited")
    outcomes = {found["kind"]: found["outcome"] for found in audited["payload"]["findings"]}
    assert (outcomes["decision"], outcomes["next step"], outcomes["transaction"]) == ("kept", "lost", "lost")
    assert audited["payload"]["heard"] == "summariser"
    (arrived,) = guarded.events("compaction.arrived")
    assert arrived["payload"]["arrived"] is True


def test_the_summariser_is_told_what_must_survive(poorly_compacted: tuple[Guarded, ScriptedModel]) -> None:
    guarded, model = poorly_compacted
    asked = model.summaries[0].last_prompt
    told = asked[asked.index("Perdure keeps the record") :]
    assert SUMMARY_MARK in asked
    for fact in (RULE, DECISION, STEP, "make prices whole cents"):
        assert fact in told
    (begun,) = guarded.events("compaction.begun")
    assert begun["payload"]["trigger"] == "auto"


@value
class ByHand:
    guarded: Guarded
    poor: ModelRequest
    """The first request after the compaction with the poor summary."""
    whole: ModelRequest
    given: tuple[int, ...]
    """How often something was given back, until then."""


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ByHand]:
    """A session that is compacted by hand twice: with a poor summary, then with one that keeps everything."""
    with stage_for_several(PINNED, tmp_path_factory) as (stage, environment):
        guarded = Guarded(stage, environment)
        stage.script([*WRITTEN, bash(NEXT), say("ok")])
        session = stage.run(GOAL, *ALLOWED).session
        requests, given_before = [], []
        for told in (summary(f"Rule: {RULE}"), Telling(guarded).whole()):
            model = stage.script([say("done")], summary=told)
            stage.run("/compact", "--resume", session)
            assert len(model.summaries) == 1
            stage.run("continue", "--resume", session, *ALLOWED)
            requests.append(after(model))
            given_before.append(len(guarded.events("compaction.given")))
        yield ByHand(guarded, *requests, given=tuple(given_before))


def test_a_summary_that_keeps_everything_gets_only_the_marker_line(by_hand: ByHand) -> None:
    _, audited = by_hand.guarded.events("compaction.audited")
    assert {found["outcome"] for found in audited["payload"]["findings"]} == {"kept"}, json.dumps(audited)
    assert by_hand.given == (1, 1), "nothing more was given"
    marker = given(by_hand.whole).split("\n")[0]
    assert "the summary keeps what the ledger holds" in marker
    assert by_hand.whole.text.count("[PHASE: POST_COMPACT]") == 1


def test_what_a_poor_summary_lost_comes_back_after_a_manual_compaction(by_hand: ByHand) -> None:
    assert_whole(by_hand.guarded, by_hand.poor)
    text = given(by_hand.poor)
    (gave,) = by_hand.guarded.events("compaction.given")
    assert {fact["kind"] for fact in gave["payload"]["facts"]} >= {"decision", "next step", "transaction"}
    assert "constraint" not in {fact["kind"] for fact in gave["payload"]["facts"]}
    assert text.count("[PHASE: POST_COMPACT]") == 1
    for lost in (DECISION, STEP, "Continuing transaction"):
        assert lost in text


def test_a_compaction_of_a_subagents_context_is_none_of_the_session(claude: Stage, environment: dict[str, str]) -> None:
    """The client runs all of its compaction hooks for the subagent, too. The session's own next compaction is audited
    and completed as ever."""
    guarded = Guarded(claude, environment)
    count = call("Agent", description="x", prompt="count the files", subagent_type="general-purpose")
    full = Turn(calls=bash("ls -l").calls, input_tokens=190_000)
    script = {
        MAIN: [*WRITTEN, bash(NEXT), count, bash("sleep 1"), say("done"), say("ok")],
        "count the files": [bash("ls"), full, bash("ls"), say("3 files")],
    }
    model = guarded.stage.script(script, summary=summary("No."))
    session = guarded.stage.run(GOAL, *ALLOWED, **SQUEEZED).session
    assert len(model.summaries) == 1
    assert len(guarded.events("session.started")) == 1
    assert not guarded.events("compaction.begun", "compaction.audited", "compaction.given", "compaction.arrived")
    phases = [event["payload"]["phase"] for event in guarded.events("phase.entered")]
    assert not {"PRE_COMPACT", "POST_COMPACT"} & {*phases}
    again = guarded.stage.script([say("done")], summary=summary("No."))
    guarded.stage.run("/compact", "--resume", session)
    guarded.stage.run("continue", "--resume", session, *ALLOWED)
    assert_whole(guarded, after(again))
    assert len(guarded.events("compaction.audited")) == 1


def test_every_phase_and_its_marker_line_in_the_client(claude: Stage, environment: dict[str, str]) -> None:
    """Also: an external pointer and its command come back after the compaction and when the session is resumed."""
    guarded = Guarded(claude, environment)
    register = bash("perdure pointer set serena shop --command 'serena activate shop'")
    full = Turn(calls=bash(NEXT).calls, input_tokens=190_000)
    model = guarded.stage.script(
        [*WRITTEN, register, full, bash("perdure status"), say("done")], summary=summary("No.")
    )
    session = guarded.stage.run(GOAL, *ALLOWED, **SQUEEZED).session
    assert "[PHASE: SESSION_START]\nPerdure: project" in model.turns[0].text
    assert "[PHASE: PRE_COMPACT]\n" in model.summaries[0].last_prompt
    assert "serena activate shop" in given(after(model))
    again = guarded.stage.script([say("done")])
    guarded.stage.run("continue", "--resume", session, *ALLOWED)
    revived = again.turns[0].text
    assert "serena activate shop" in revived[revived.index("[PHASE: SESSION_REVIVAL]\n") :]
    entered = [event["payload"]["phase"] for event in guarded.events("phase.entered")]
    turn = ["SESSION_RUNNING", "SESSION_STOP", "SESSION_CLEANUP"]
    assert entered == [
        *("SESSION_START", "SESSION_RUNNING", "PRE_COMPACT", "POST_COMPACT"),
        *turn,
        *("SESSION_REVIVAL", *turn),
    ]
