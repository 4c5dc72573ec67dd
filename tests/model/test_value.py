"""`@value`: what a frozen dataclass does, without its cost."""

from __future__ import annotations

import pytest

from perdure.model.value import FrozenValue, fields, replace, value


@value
class Point:
    x: int
    y: int = 0


@value
class Other:
    x: int
    y: int = 0


@value
class Nothing:
    """Has no fields."""


def test_fields_are_given_by_place_by_name_or_by_default() -> None:
    for point in (Point(1), Point(x=1), Point(1, 0), Point(1, y=0), Point(y=0, x=1)):
        assert point.__dict__ == {"x": 1, "y": 0}
    assert fields(Point) == fields(Point(1)) == ("x", "y")
    assert Nothing().__dict__ == {}


@pytest.mark.parametrize(
    ("positional", "named"),
    [
        ((), {}),
        ((), {"y": 1}),
        ((1, 2, 3), {}),
        ((1,), {"z": 1}),
        ((1, 2), {"y": 2}),
        ((1,), {"x": 1}),
        ((), {"x": 1, "y": 2, "z": 3}),
        ((), {"x": 1, "z": 3}),
    ],
)
def test_missing_unknown_and_doubled_fields_are_errors(positional: tuple[int, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Point"):
        Point(*positional, **named)


def test_the_error_names_the_field() -> None:
    with pytest.raises(TypeError, match="x"):
        Point(y=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="colour"):
        Point(1, colour=2)  # type: ignore[call-arg]


def test_a_value_cannot_be_changed() -> None:
    point = Point(1, 2)
    with pytest.raises(FrozenValue):
        point.x = 5  # type: ignore[misc]
    with pytest.raises(FrozenValue):
        point.z = 5  # type: ignore[attr-defined]
    with pytest.raises(FrozenValue):
        del point.x
    assert point == Point(1, 2)


def test_values_are_equal_by_their_fields_within_one_type() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(2, 1)
    assert Point(1, 2) != Other(1, 2)
    assert Point(1, 2) != (1, 2)


def test_equal_values_hash_alike_and_can_be_keys() -> None:
    assert hash(Point(1, 2)) == hash(Point(1, 2))
    assert {Point(1, 2): "a"}[Point(1, 2)] == "a"
    assert len({Point(1), Point(1, 0), Point(2)}) == 2


def test_a_value_that_holds_a_dict_has_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(Point({}))  # type: ignore[arg-type]


def test_replace_gives_another_value() -> None:
    before = Point(1, 2)
    assert replace(before, y=3) == Point(1, 3)
    assert before == Point(1, 2)
    with pytest.raises(TypeError):
        replace(before, z=3)


def test_it_shows_its_fields() -> None:
    assert repr(Point(1)) == "Point(x=1, y=0)"
