"""The decision is computed from the numbers, the agent's own record and the thresholds (SPEC 4.3, 4.5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.model.assessment import Thresholds, assess, unchanged

LIMITS = Thresholds()


def test_the_thresholds_are_those_of_the_specification() -> None:
    assert (LIMITS.know, LIMITS.uncertainty) == (0.70, 0.35)


@pytest.mark.parametrize(
    ("know", "uncertainty", "failed"),
    [
        (0.70, 0.35, []),
        (1.0, 0.0, []),
        (0.6999, 0.35, ["know"]),
        (0.70, 0.3501, ["uncertainty"]),
        (0.0, 1.0, ["know", "uncertainty"]),
    ],
)
def test_the_gate_passes_from_the_threshold_on(know: float, uncertainty: float, failed: list[str]) -> None:
    found = assess({"know": know, "uncertainty": uncertainty}, {}, LIMITS)
    assert found.decision == ("investigate" if failed else "proceed")
    assert [shortfall.vector for shortfall in found.shortfalls] == failed
    assert all(shortfall.advice for shortfall in found.shortfalls)


def test_an_agent_that_knew_less_than_it_said_must_say_more() -> None:
    stated = {"know": 0.80, "uncertainty": 0.30}
    found = assess(stated, {"know": 0.12, "uncertainty": -0.1}, LIMITS)
    assert found.corrected == {"know": 0.68, "uncertainty": 0.40}
    assert found.decision == "investigate"
    assert [(s.vector, s.value, s.needed) for s in found.shortfalls] == [
        ("know", 0.68, 0.70),
        ("uncertainty", 0.40, 0.35),
    ]
    assert found.correction == {"know": 0.12, "uncertainty": -0.1}


def test_an_agent_that_knew_more_than_it_said_may_say_less() -> None:
    found = assess({"know": 0.60, "uncertainty": 0.45}, {"know": -0.15, "uncertainty": 0.15}, LIMITS)
    assert found.corrected == {"know": 0.75, "uncertainty": 0.30}
    assert found.decision == "proceed"


@given(st.floats(0, 1), st.floats(0, 1), st.floats(-0.15, 0.15), st.floats(-0.15, 0.15))
def test_what_is_corrected_stays_on_the_scale(know: float, doubt: float, off: float, other: float) -> None:
    found = assess({"know": know, "uncertainty": doubt}, {"know": off, "uncertainty": other}, LIMITS)
    assert all(0 <= number <= 1 for number in found.corrected.values())
    assert found.corrected["know"] == pytest.approx(min(max(know - off, 0), 1), abs=1e-4)


def test_other_thresholds_can_be_set() -> None:
    assert assess({"know": 0.5, "uncertainty": 0.9}, {}, Thresholds(0.5, 0.9)).decision == "proceed"


def test_only_know_and_uncertainty_decide() -> None:
    others = dict.fromkeys(("do", "clarity", "completion"), 0.0)
    assert assess({"know": 0.9, "uncertainty": 0.1, **others}, {"completion": 0.15}, LIMITS).decision == "proceed"


def test_a_raised_number_alone_gets_the_same_answer_and_hears_what_would_change_it() -> None:
    found = unchanged(assess({"know": 0.99, "uncertainty": 0.01}, {}, LIMITS))
    assert found.decision == "investigate"
    assert [shortfall.vector for shortfall in found.shortfalls] == ["learned"]
    assert "Read a file" in found.shortfalls[0].advice


def test_a_correction_too_small_to_show_is_not_shown() -> None:
    found = assess({"know": 0.7, "uncertainty": 0.1}, {"know": 1e-17, "uncertainty": -0.00004}, LIMITS)
    assert found.correction == {}
    assert found.decision == "proceed"
