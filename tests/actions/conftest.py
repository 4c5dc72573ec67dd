"""A project and a desk in it, for what actions do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from perdure.actions import projects
from perdure.actions.request import Request
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import PerdureError
from perdure.place.resolve import Explicit

settings.register_profile("perdure", deadline=None)
settings.load_profile("perdure")


@pytest.fixture
def asked(tmp_path: Path) -> Request:
    root = tmp_path / "shop"
    root.mkdir()
    environment = {"HOME": str(tmp_path / "person"), "PERDURE_HOME": str(tmp_path / "home")}
    request = Request(str(root), environment, Explicit(instance="left"), actor="ann")
    projects.init(request, str(root), "shop")
    return request


@pytest.fixture
def desk(asked: Request) -> Iterator[Desk]:
    with open_desk(asked) as made:
        yield made


def refused(code: str, family: type[PerdureError], work: Callable[[], object], desk: Desk) -> PerdureError:
    before = desk.ledger.head()
    with pytest.raises(family) as caught:
        work()
    assert caught.value.code == code
    assert desk.ledger.head() == before
    return caught.value
