"""How full a context is, and how long a text may be then (SPEC 10.5, 10.8); the phases (10.1)."""

from __future__ import annotations

import pytest

from perdure.lifecycle import phases
from perdure.lifecycle.context_use import LONGEST, ContextUse, HookText, budget_phase, cut, fitted, room


@pytest.mark.parametrize(
    ("tokens", "phase"),
    [
        *((0, "VERBOSE"), (79_999, "VERBOSE"), (80_000, "CONDENSED"), (139_999, "CONDENSED"), (140_000, "SIGNALS")),
        *((169_999, "SIGNALS"), (170_000, "CRITICAL"), (200_000, "CRITICAL"), (900_000, "CRITICAL")),
    ],
)
def test_the_phases_of_a_known_window(tokens: int, phase: str) -> None:
    use = ContextUse(tokens, 200_000)
    assert budget_phase(use) == phase
    assert use.is_nearly_full == (phase == "CRITICAL")


def test_without_figures_it_is_verbose_and_without_a_window_150_000_tokens_are_nearly_full() -> None:
    assert (budget_phase(None), room(None)) == ("VERBOSE", None)
    assert not ContextUse(149_999).is_nearly_full
    assert ContextUse(150_000).is_nearly_full
    assert budget_phase(ContextUse(150_000)) == "CRITICAL"
    assert not ContextUse(150_000, 1_000_000).is_nearly_full, "85 % of the real window counts"
    assert "by an estimate" in ContextUse(9, is_estimate=True).in_words


def test_the_limits_are_those_of_the_contract() -> None:
    assert LONGEST == {"VERBOSE": None, "CONDENSED": 500, "SIGNALS": 200, "CRITICAL": 100}


@pytest.mark.parametrize("longest", [500, 200, 100, 20])
@pytest.mark.parametrize("short", ["", "short", "y" * 150])
def test_a_text_is_whole_or_short_or_cut_and_never_longer(longest: int, short: str) -> None:
    texts = [HookText("word " * 60, short), HookText("second"), HookText("z" * 400)]
    told = fitted(texts, longest)
    assert told
    assert len("\n".join(told)) <= longest
    assert fitted(texts, None) == [each.text for each in texts]


def test_what_does_not_fit_is_not_told_and_nothing_less_important_instead() -> None:
    assert fitted([HookText("a" * 60), HookText("b" * 60), HookText("c")], 100) == ["a" * 60]
    assert fitted([HookText("a" * 60), HookText("b" * 60, "b")], 100) == ["a" * 60, "b"]
    assert fitted([], 100) == []
    assert cut("one two three", 9) == "one two…"


@pytest.mark.parametrize(
    ("source", "continuing", "phase"),
    [
        *(("startup", False, phases.START), ("startup", True, phases.REVIVAL), ("clear", True, phases.START)),
        *(("resume", False, phases.REVIVAL), ("fork", False, phases.REVIVAL), ("compact", True, phases.POST_COMPACT)),
    ],
)
def test_the_phase_with_which_a_session_begins(source: str, continuing: bool, phase: str) -> None:
    assert phases.at_start(source, is_continuing=continuing) == phase


def test_a_marker_line_heads_a_text_once_and_no_text_stays_none() -> None:
    once = phases.headed(phases.RUNNING, "a")
    assert once == "[PHASE: SESSION_RUNNING]\na"
    assert phases.headed(phases.STOP, once) == once
    assert phases.headed(phases.STOP, "") == ""
