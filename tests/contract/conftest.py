from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from perdure.ledger.port import Ledger

from .making import OWN
from .stores import STORES, StoreUnderTest

settings.register_profile("perdure", deadline=None)
settings.load_profile("perdure")


@pytest.fixture(params=sorted(STORES))
def store(request: pytest.FixtureRequest) -> StoreUnderTest:
    return STORES[request.param]


@pytest.fixture
def ledger(store: StoreUnderTest, tmp_path: Path) -> Iterator[Ledger]:
    made = store.create(tmp_path, OWN)
    yield made
    made.close()


@pytest.fixture
def connect(store: StoreUnderTest, ledger: Ledger) -> Iterator[Callable[[], Ledger]]:
    """Other connections to the same store."""
    made: list[Ledger] = []

    def again() -> Ledger:
        made.append(store.connect(ledger))
        return made[-1]

    yield again
    for each in made:
        each.close()
