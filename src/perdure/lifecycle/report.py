"""A test program's report, as counts; and the lines of an output, without what only decorates them.

A report is what a program says about its tests in its own form: a summary line, a plan, an XML file. Words such as `ok`
or `passed` anywhere else are not a report.

    Report(passed=3).is_good            at least one test passed, and none failed
    plain_lines("\\x1b[32m3 passed\\x1b[0m in 0.1s\\r\\n") == ["3 passed in 0.1s"]
"""

from __future__ import annotations

from perdure.model.pattern import compiled_later
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 4_000_000
"""Characters that are read of an output, from its end: that is where programs put their summary."""
LONGEST_LINE = 4000
_DECORATION = compiled_later(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
"""Terminal sequences: colours, cursor movements, titles."""
TESTS, PACKAGES = "tests", "packages"


@value
class Report:
    """How many tests passed, failed, could not run, were skipped; and how many the program left out because it was
    told to run only some."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    left_out: int = 0
    unit: str = TESTS
    """What was counted. Two totals compare only if this is the same."""

    @property
    def is_good(self) -> bool:
        return self.passed > 0 and not self.failed and not self.errors

    @property
    def total(self) -> int:
        return self.passed + self.failed + self.errors + self.skipped


def added(reports: Iterable[Report]) -> Report | None:
    """All of them together; None if there is none. Counts of different things are added all the same: what matters
    then is whether all are good."""
    found = list(reports)
    if not found:
        return None
    units = {each.unit for each in found}
    return Report(
        passed=sum(each.passed for each in found),
        failed=sum(each.failed for each in found),
        errors=sum(each.errors for each in found),
        skipped=sum(each.skipped for each in found),
        left_out=sum(each.left_out for each in found),
        unit=found[0].unit if len(units) == 1 else "+".join(sorted(units)),
    )


def plain_lines(output: str) -> list[str]:
    """The lines as a person sees them: without terminal sequences; of a line that was written over, the last text."""
    text = _DECORATION.sub("", output[-LONGEST:]).replace("\r\n", "\n")
    return [line.rstrip("\r").rpartition("\r")[2].rstrip()[:LONGEST_LINE] for line in text.split("\n")]
