"""`@value`: a frozen record, for mypy a frozen dataclass, at run time without the 15 ms that `dataclasses` costs.

Every process of every hook pays for its imports (SPEC 18), and `dataclasses` pulls in `inspect` and compiles a
method per class. This decorator builds the same four methods from closures. See docs/adr/0003.

    @value
    class Point:
        x: int
        y: int = 0

    Point(1) == Point(x=1, y=0);  replace(Point(1), y=2);  fields(Point) == ("x", "y")
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_options):
        return lambda function: function


class FrozenValue(AttributeError):
    """An attribute of a value was assigned or deleted."""


def _refuse(self: object, name: str, *_value: object) -> None:
    raise FrozenValue(f"{type(self).__name__}.{name}: values are frozen; use replace()")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    names = tuple(cls.__annotations__)
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    count, known = len(names), frozenset(names)

    def init(self: Any, *args: Any, **named: Any) -> None:
        attributes = self.__dict__
        if not args and named.keys() == known:  # every field by name: nothing to check, nothing to fill in
            attributes.update(named)
            return
        if len(args) == count and not named:  # an audit makes an event of each row this way
            attributes.update(zip(names, args, strict=True))
            return
        attributes.update(defaults)
        attributes.update(zip(names, args, strict=False))
        attributes.update(named)
        twice = len(args) > count or (named and not named.keys().isdisjoint(names[: len(args)]))
        if twice or attributes.keys() != known:
            wrong = sorted(set(names) ^ set(attributes)) or ["one given twice"]
            raise TypeError(f"{cls.__name__}(): missing or unknown: {', '.join(wrong)}")

    def equal(self: Any, other: object) -> bool:
        return type(other) is type(self) and bool(other.__dict__ == self.__dict__)

    def hashed(self: Any) -> int:
        return hash(tuple(self.__dict__[name] for name in names))

    def shown(self: Any) -> str:
        return f"{cls.__name__}({', '.join(f'{name}={self.__dict__[name]!r}' for name in names)})"

    methods = {"__init__": init, "__eq__": equal, "__hash__": hashed, "__repr__": shown}
    for name, content in {**methods, "__setattr__": _refuse, "__delattr__": _refuse, "__value_fields__": names}.items():
        setattr(cls, name, content)
    return cls


def fields(of: object) -> tuple[str, ...]:
    names: tuple[str, ...] = of.__value_fields__  # type: ignore[attr-defined]
    return names


def replace(of: T, **changes: object) -> T:
    return type(of)(**{**of.__dict__, **changes})
