"""Work counted in calls of ours: a clock would count the machine's other work too."""

from __future__ import annotations

import sys

from perdure.gate.effects.analysis import analyse
from perdure.gate.world import World


def steps_of(text: str, world: World) -> tuple[str, int]:
    """The effect, and how many calls it took to find it."""
    count = 0

    def called(_frame: object, _event: str, _argument: object) -> None:
        nonlocal count
        count += 1

    before = sys.gettrace()
    sys.settrace(called)  # told of calls only, since it answers with nothing; a profiler is told of all that C does too
    try:
        return analyse(text, world).effect, count
    finally:
        sys.settrace(before)
