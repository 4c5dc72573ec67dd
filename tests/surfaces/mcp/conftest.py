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


@pytest.fixture
def an_interpreter_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test of how a server starts and ends: it is not forked."""
    monkeypatch.setattr(Cli, "is_forked", False)
