"""The calibration formula, with numbers worked by hand (SPEC 4.5, 4.7)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.model.calibration import BINS, MOST, SHRINK, Error, Evidence, Track, errors_of, evidence_for


def test_three_good_and_one_bad_is_three_quarters_known() -> None:
    seen = Evidence(tests_passed=2, tests_failed=1, last_test_passed=True, claims_verified=1)
    assert evidence_for(seen) == {"know": 0.75, "uncertainty": 0.25, "completion": 1.0}


def test_reverted_edits_and_refuted_claims_count_against_it_and_edits_made_do_not_count() -> None:
    seen = Evidence(claims_verified=1, claims_refuted=1, edits_reverted=2, edits_made=50)
    assert evidence_for(seen) == {"know": 0.25, "uncertainty": 0.75}


def test_completion_is_the_mean_of_the_last_test_and_the_scenarios_met() -> None:
    half = Evidence(tests_passed=3, last_test_passed=False, tests_failed=1, scenarios_met=3, scenarios_missed=1)
    assert evidence_for(half)["completion"] == (0 + 0.75) / 2


def test_scenarios_alone_speak_for_completion_and_for_nothing_else() -> None:
    assert evidence_for(Evidence(scenarios_met=1, scenarios_missed=3)) == {"completion": 0.25}


def test_without_evidence_there_is_no_error() -> None:
    assert evidence_for(Evidence()) == {}
    assert errors_of({"know": 0.9, "uncertainty": 0.1}, {"completion": 1.0}, Evidence(edits_made=9)) == {}


def test_know_is_what_opened_the_gate_and_completion_is_what_was_said_at_the_end() -> None:
    seen = Evidence(tests_passed=1, tests_failed=1, last_test_passed=False)
    gate = {"know": 0.9, "uncertainty": 0.2, "completion": 0.1, "do": 0.3}
    after = {"know": 0.4, "uncertainty": 0.8, "completion": 0.7}
    found = errors_of(gate, after, seen)
    assert found == {"know": Error(0.9, 0.5), "uncertainty": Error(0.2, 0.5), "completion": Error(0.7, 0.0)}
    assert found["know"].signed == pytest.approx(0.4)
    assert found["uncertainty"].signed == pytest.approx(-0.3)


def test_a_gate_that_never_opened_by_numbers_is_measured_on_completion_only() -> None:
    seen = Evidence(tests_passed=1, last_test_passed=True)
    assert set(errors_of({}, {"know": 0.9, "completion": 0.5}, seen)) == {"completion"}


def track(*pairs: tuple[float, float]) -> Track:
    found = Track()
    for stated, evidence in pairs:
        found = found.with_error(Error(stated, evidence))
    return found


def test_one_error_of_three_tenths_corrects_by_a_sixth_of_it() -> None:
    # mean 0.3, n 1: 0.3 × 1 / (1 + 5) = 0.05
    assert track((0.9, 0.6)).correction == pytest.approx(0.05)


def test_five_errors_of_two_tenths_correct_by_half_of_it() -> None:
    # mean 0.2, n 5: 0.2 × 5 / 10 = 0.1
    assert track(*[(0.8, 0.6)] * 5).correction == pytest.approx(0.1)


def test_fifteen_errors_of_three_tenths_meet_the_bound() -> None:
    # mean 0.3, n 15: 0.3 × 15 / 20 = 0.225, at most 0.15
    assert track(*[(0.8, 0.5)] * 15).correction == 0.15
    assert track(*[(0.2, 0.5)] * 15).correction == -0.15


def test_errors_of_opposite_sign_take_each_other_away() -> None:
    # +0.4, −0.2, −0.2: mean 0; spread √(0.24 / 2)
    found = track((0.9, 0.5), (0.5, 0.7), (0.3, 0.5))
    assert found.bias == pytest.approx(0)
    assert found.correction == pytest.approx(0)
    assert found.spread == pytest.approx((0.24 / 2) ** 0.5)


def test_nothing_is_corrected_without_a_record_and_one_transaction_has_no_spread() -> None:
    assert Track().correction == Track().bias == Track().spread == 0.0
    assert track((1.0, 0.0)).spread == 0.0


def test_the_constants_are_the_published_ones() -> None:
    assert (SHRINK, MOST, BINS) == (5, 0.15, 5)


PAIRS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30)


@given(PAIRS)
def test_the_correction_is_the_shrunk_mean_within_its_bound(pairs: list[tuple[float, float]]) -> None:
    exact = [Fraction(stated) - Fraction(evidence) for stated, evidence in pairs]
    shrunk = sum(exact) / len(exact) * len(exact) / (len(exact) + 5)
    expected = min(max(shrunk, Fraction(-15, 100)), Fraction(15, 100))
    assert track(*pairs).correction == pytest.approx(float(expected), abs=1e-9)


@given(PAIRS)
def test_every_error_stands_in_one_fifth_of_the_reliability_curve(pairs: list[tuple[float, float]]) -> None:
    found = track(*pairs)
    assert sum(part.count for part in found.bins) == found.count == len(pairs)
    for number, part in enumerate(found.bins):
        inside = [pair for pair in pairs if min(int(pair[0] * 5), 4) == number]
        assert part.count == len(inside)
        assert part.stated == pytest.approx(sum(stated for stated, _ in inside))
        assert part.evidence == pytest.approx(sum(evidence for _, evidence in inside))
