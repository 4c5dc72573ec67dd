"""The thirteen vectors: what is taken, and what is refused by name (SPEC 4.5)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import BadInput
from perdure.model.vectors import NAMES, REQUIRED, delta, read_vectors

THIRTEEN = [
    "engagement",
    *("know", "do", "context"),
    *("clarity", "coherence", "signal", "density"),
    *("state", "change", "completion", "impact"),
    "uncertainty",
]
LEAST = {"know": 0.8, "uncertainty": 0.2}


def refused(raw: Any) -> BadInput:
    with pytest.raises(BadInput) as caught:
        read_vectors(raw)
    assert caught.value.code == "bad_vector"
    assert caught.value.exit_code == 2
    return caught.value


def test_there_are_the_thirteen_of_the_specification() -> None:
    assert list(NAMES) == THIRTEEN
    assert sorted(REQUIRED) == ["know", "uncertainty"]


@given(st.dictionaries(st.sampled_from(THIRTEEN), st.floats(0, 1)))
def test_numbers_from_zero_to_one_are_taken_as_they_are(given_: dict[str, float]) -> None:
    whole = {**given_, **{name: given_.get(name, 0.5) for name in REQUIRED}}
    assert read_vectors(whole) == whole


def test_a_vector_left_out_stays_unknown_and_does_not_become_zero() -> None:
    assert set(read_vectors(LEAST)) == {"know", "uncertainty"}


@pytest.mark.parametrize("number", [0, 1, 0.0, 1.0, -0.0])
def test_the_ends_of_the_scale_are_on_it(number: float) -> None:
    found = read_vectors({**LEAST, "do": number})["do"]
    assert found == number
    assert isinstance(found, float)


@pytest.mark.parametrize("name", REQUIRED)
def test_know_and_uncertainty_cannot_be_left_out(name: str) -> None:
    given_ = {other: value for other, value in LEAST.items() if other != name}
    error = refused(given_)
    assert error.details == {"field": f"vectors.{name}"}
    assert name in error.message


@pytest.mark.parametrize("name", THIRTEEN)
@pytest.mark.parametrize(
    "wrong",
    [True, False, "0.5", "", None, [], [0.5], {}, {"value": 0.5}, math.nan, math.inf, -math.inf, -0.01, 1.01, 2, -1],
    ids=repr,
)
def test_anything_else_is_refused_naming_the_field(name: str, wrong: Any) -> None:
    error = refused({**LEAST, name: wrong})
    assert error.details == {"field": f"vectors.{name}"}
    assert f"vectors.{name}" in error.message


@pytest.mark.parametrize("name", ["Know", "KNOW", " know", "knowledge", "", "__class__", "vectors.know", "ключ"])
def test_a_name_that_is_not_a_vector_is_refused_naming_it(name: str) -> None:
    error = refused({**LEAST, name: 0.5})
    assert error.details == {"field": f"vectors.{name}"}


def test_an_endless_name_does_not_make_an_endless_message() -> None:
    assert len(refused({**LEAST, "x" * 100_000: 0.5}).message) < 400


@pytest.mark.parametrize("raw", [None, [], "know", 0.5, True, [["know", 0.8], ["uncertainty", 0.2]]], ids=repr)
def test_what_is_not_an_object_is_refused(raw: Any) -> None:
    assert refused(raw).details == {"field": "vectors"}


def test_delta_is_given_for_the_vectors_both_assessments_name() -> None:
    before = {"know": 0.5, "uncertainty": 0.6, "do": 0.9}
    after = {"know": 0.8, "uncertainty": 0.1, "impact": 0.3}
    assert delta(before, after) == {"know": 0.3, "uncertainty": -0.5}
