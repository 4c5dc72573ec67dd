from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import Cli

from .wire import Served, Wire, serving


@pytest.fixture
def wire(cli: Cli) -> Iterator[Wire]:
    with Wire(cli) as made:
        yield made


@pytest.fixture
def served(cli: Cli) -> Iterator[Served]:
    with serving(cli) as found:
        yield found
