"""Perdure's own commands are recognised wherever their flags stand (SPEC 5.5)."""

from __future__ import annotations

import pytest

from perdure.gate.effects.analysis import analyse

from .worlds import world


@pytest.mark.parametrize(
    "command",
    [
        "perdure config set gate.mode off",
        "perdure --json config set gate.mode off",
        "perdure config --json set gate.mode off",
        "perdure config --project-path show set gate.mode off",
        "perdure config --project-path=show set gate.mode off",
        "perdure transaction --session-id status override --because x",
        "perdure project forget /src/old",
        "perdure project --project-path list forget /src/old",
    ],
)
def test_what_is_for_people_is_forbidden_wherever_flags_stand(command: str) -> None:
    assert analyse(command, world()).effect == "forbidden"


@pytest.mark.parametrize(
    "command",
    [
        "perdure --json status",
        "perdure transaction --json status",
        "perdure transaction --project-path /repo status",
        "perdure note finding --json hello",
    ],
)
def test_what_moves_the_work_along_is_not_blocked_wherever_flags_stand(command: str) -> None:
    assert analyse(command, world()).effect == "transition"
