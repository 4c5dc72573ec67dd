"""An effect and a state give a verdict, and a deny names the way out (SPEC 5.1, 5.2, 5.6)."""

from __future__ import annotations

import pytest

from perdure.gate import policy
from perdure.gate.effects.analysis import analyse
from perdure.gate.policy import CLOSED, GARBLED, NONE, OPEN, VANISHED, TransactionState, decide
from tests.effort import for_each

from .worlds import world

READY = TransactionState("/repo", OPEN, passes=True, proceeds=False, transaction_id="t")
CHECKED = TransactionState("/repo", OPEN, passes=True, proceeds=True, transaction_id="t")


def judged(
    command: str, *states: TransactionState, mode: str = "enforce", subagent: bool = False
) -> policy.GateVerdict:
    return decide(analyse(command, world()), states, mode=mode, subagent=subagent)


@pytest.mark.parametrize("state", [NONE, CLOSED, OPEN, GARBLED, VANISHED])
@pytest.mark.parametrize("command", ["ls", "git log | head", "perdure preflight --know 0.8", "perdure status"])
def test_looking_and_transitions_pass_always(command: str, state: str) -> None:
    assert not judged(command, TransactionState("/repo", state)).denied


@pytest.mark.parametrize("state", [NONE, CLOSED])
def test_a_praxic_command_without_an_open_transaction_needs_a_preflight(state: str) -> None:
    verdict = judged("touch a", TransactionState("/repo", state))
    assert verdict.denied
    assert verdict.clears.startswith("perdure preflight --know")
    assert "writes to /repo/a" in verdict.reason


def test_the_command_that_clears_a_deny_is_itself_a_transition() -> None:
    for clears in (policy.PREFLIGHT, policy.CHECK, policy.HEAL):
        assert analyse(clears, world()).effect == "transition"


def test_a_praxic_command_passes_inside_an_open_transaction_that_passes() -> None:
    assert not judged("touch a", READY).denied


def test_an_assessment_that_does_not_pass_asks_for_a_check() -> None:
    verdict = judged("touch a", TransactionState("/repo", OPEN, passes=False))
    assert verdict.denied
    assert verdict.clears.startswith("perdure check")


@for_each(
    "command",
    [
        "git push --force",
        "git push origin +main",
        "git push origin :old",
        "git reset --hard HEAD~1",
        "git rebase main",
        "git commit --amend",
        "git clean -fd",
        "git branch -D side",
        "rm -rf src",
        "npm publish",
        "cargo publish",
        "git filter-branch --all",
        "git checkout -- a.txt",
        "git stash drop",
        "docker system prune -f",
        "gh repo delete x --yes",
        "find . -name '*.o' -delete",
    ],
)
def test_what_destroys_or_publishes_needs_a_check_that_said_proceed(command: str) -> None:
    verdict = judged(command, READY)
    assert verdict.denied, command
    assert verdict.clears.startswith("perdure check")
    assert not judged(command, CHECKED).denied


@pytest.mark.parametrize(
    "command", ["touch a", "git commit -m x", "git push", "rm a.txt", "npm install", "git checkout side"]
)
def test_ordinary_work_needs_no_check(command: str) -> None:
    assert not judged(command, READY).denied


@pytest.mark.parametrize(
    "command", ["perdure uninstall", "perdure config set gate.mode off", "rm -rf .perdure", "echo x > .perdure/a"]
)
def test_what_disarms_the_guard_is_denied_in_any_state(command: str) -> None:
    verdict = judged(command, CHECKED)
    assert verdict.denied
    assert "ask the person" in verdict.reason


@pytest.mark.parametrize(
    "command", ["perdure preflight --know 1", "perdure postflight -", "perdure transaction adopt abcdefgh"]
)
def test_a_subagent_neither_opens_nor_closes(command: str) -> None:
    assert judged(command, READY, subagent=True).denied
    assert not judged(command, READY, subagent=False).denied


def test_a_subagent_works_under_its_parents_transaction() -> None:
    assert not judged("touch a", READY, subagent=True).denied
    assert not judged("perdure note finding x", READY, subagent=True).denied


def test_outside_any_project_the_gate_is_silent() -> None:
    assert not judged("rm -rf src").denied


def test_off_says_nothing_and_observe_says_what_would_be() -> None:
    assert not judged("touch a", TransactionState("/repo", NONE), mode="off").denied
    assert judged("touch a", TransactionState("/repo", NONE), mode="observe").denied


def test_a_project_that_vanished_is_healed_not_passed() -> None:
    verdict = judged("touch a", TransactionState("/repo", VANISHED))
    assert verdict.denied
    assert verdict.clears == "perdure heal"


def test_a_garbled_file_denies_and_says_that_it_is_a_failure() -> None:
    verdict = judged("touch a", TransactionState("/repo", GARBLED))
    assert verdict.denied
    assert verdict.failure
    assert "failure of the guard" in verdict.reason


def test_every_project_that_is_written_to_must_be_ready() -> None:
    assert judged("touch a", READY, TransactionState("/other", NONE)).denied


def test_a_failure_denies_and_names_the_ways_out() -> None:
    verdict = policy.failure_verdict("MemoryError: x")
    assert verdict.denied
    assert verdict.failure
    said = policy.words(verdict)
    assert "not a judgement" in said
    assert "perdure heal" in said


def test_the_mode_is_that_of_the_project_that_would_be_changed() -> None:
    """A place whose own gate is off opens no other project's."""
    guarded = TransactionState("/other", NONE, elsewhere=True, mode="enforce")
    free = TransactionState("/other", NONE, elsewhere=True, mode="off")
    assert judged("touch /other/a", guarded, mode="off").mode == "enforce"
    assert judged("touch /other/a", guarded, mode="off").denied
    assert not judged("touch /other/a", free, mode="enforce").denied
    both = judged("touch /other/a", TransactionState("/repo", NONE, mode="observe"), guarded, mode="observe")
    assert (both.denied, both.mode) == (True, "enforce")


def test_a_way_out_with_a_path_can_be_pasted_into_a_shell() -> None:
    named = TransactionState("/my work/it's", NONE, elsewhere=True)
    assert judged("touch a", named).clears.endswith("--project-path '/my work/it'\\''s'")


def test_a_subagent_is_not_told_to_clear_what_it_may_not() -> None:
    verdict = judged("touch a", TransactionState("/repo", NONE), subagent=True)
    assert verdict.clears == ""
    assert "report what you found" in verdict.reason


def test_no_single_projects_mode_lifts_what_is_forbidden() -> None:
    off = TransactionState("/repo", NONE, mode="off")
    forbidden = analyse("rm -rf .perdure", world())
    assert decide(forbidden, [off], mode="off", mode_for_all="enforce").denied
    assert not decide(forbidden, [off], mode="enforce", mode_for_all="off").denied


@pytest.mark.parametrize(
    "command",
    [
        "perdure postflight --know 1 --uncertainty 0 && touch a",
        "touch a && perdure postflight --know 1 --uncertainty 0",
        "for i in 1 2; do touch a$i; perdure postflight --know 1 --uncertainty 0; done",
        "trap 'touch a' EXIT; perdure postflight --know 1 --uncertainty 0",
        "(sleep 3; touch late) & perdure postflight --know 1 --uncertainty 0",
    ],
)
def test_a_command_does_not_change_something_and_move_its_transaction_at_once(command: str) -> None:
    """Inside which transaction it would run cannot be told."""
    verdict = judged(command, CHECKED)
    assert verdict.denied
    assert verdict.clears == "run the two as separate commands"


def test_a_transition_in_a_list_with_what_only_looks_passes() -> None:
    assert not judged("perdure postflight --know 1 --uncertainty 0; git status", READY).denied
    assert not judged(
        "cd src && perdure preflight --know 1 --uncertainty 0 | head -3", TransactionState("/repo", NONE)
    ).denied
