"""Fixtures of several files here. A file may replace `other` by another second project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Cli, new_repository
from tests.surfaces.bench import Bench


@pytest.fixture
def bench(cli: Cli) -> Bench:
    return Bench(cli)


@pytest.fixture
def other(bench: Bench, environment: dict[str, str], tmp_path: Path) -> Path:
    """A second project; its path must be quoted for a shell."""
    made = new_repository(tmp_path / "other shop", environment)
    bench.cli.ok("init", cwd=made)
    return made
