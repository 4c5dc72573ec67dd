"""A checkpoint's steps, and what they add up to (SPEC 9.1).

- Each step passes, fails, or could not be decided (ERROR). What could not be decided never passes.
- In `warn` mode only a step that blocks refuses; in `strict` mode every failed step does, and what could not be decided
  is refused too. A step that `tasks.scenarios` governs blocks if that setting says so, and not otherwise.

    outcome([Step(number=1, name="ratio", status=FAIL, figure="1 of 2", advice="…", blocks=True)], strict=False)
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FULL, COMPACT = "full", "compact"
STEPS: dict[int, str] = {
    1: "grounding ratio",
    2: "absences",
    3: "decisions with evidence",
    4: "active task",
    5: "handoff",
    6: "raw output",
    7: "test scenarios",
}
FORMS: dict[str, tuple[int, ...]] = {FULL: tuple(STEPS), COMPACT: (3, 4, 7)}
PASS, FAIL, ERROR = "PASS", "FAIL", "ERROR"
PASSED, REFUSED, UNDECIDED = "passed", "refused", "undecided"
EXIT_CODES = {PASSED: 0, REFUSED: 1, UNDECIDED: 3}
STRICT = "strict"


@value
class Step:
    number: int
    name: str
    status: str
    figure: str
    """What was counted, without words of a person or an agent: it is recorded."""
    advice: str = ""
    blocks: bool = False
    """A failure refuses the checkpoint in this mode."""


def outcome(steps: Sequence[Step], *, strict: bool, is_in_doubt: bool = False) -> str:
    """`is_in_doubt`: it is not known whether one of the failed steps blocks."""
    if any(step.status == FAIL and step.blocks for step in steps):
        return REFUSED
    if is_in_doubt or any(step.status != PASS and step.status != FAIL for step in steps):
        return REFUSED if strict else UNDECIDED
    return PASSED


def blocks(number: int, *, strict: bool, scenarios: str) -> bool:
    """Whether a failure of this step refuses. `scenarios`: the setting `tasks.scenarios`."""
    if number == 7:
        return scenarios == "block"
    return strict or number == 1
