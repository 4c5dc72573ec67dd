"""Reads what pytest and unittest print (SPEC 10.6)."""

from __future__ import annotations

from perdure.lifecycle.report import Report, added
from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

_NAMES = "passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|reruns?|rerun|subtests passed|subtests"
_SUMMARY = compiled_later(
    rf"(?:=+ )?((?:\d+ (?:{_NAMES})(?:, )?)+|no tests (?:ran|collected)(?:, \d+ deselected)?)"
    r" in \d+(?:\.\d+)?s(?: \(\d[\d:.,\w ]*\))?(?: =+)?"
)
"""The last line of a run of pytest, whole: `=== 2 failed, 1 passed in 0.12s ===`, `3 passed in 0.01s`."""
_COUNT = compiled_later(rf"(\d+) ({_NAMES})")
_STARTS = compiled_later(r"=+ test session starts(?: \(.*\))? =+")
_RAN = compiled_later(r"Ran (\d+) tests? in \d+(?:\.\d+)?s")
_RESULT = compiled_later(r"(OK|FAILED|NO TESTS RAN)(?: \(([\w =,]+)\))?")
_IN_RESULT = compiled_later(r"([a-z ]+)=(\d+)")


def pytest(lines: Sequence[str]) -> Report | None:
    """A test may print what looks like a summary, so of each session only the last one counts. But a summary that names
    failures is never passed over: a session without a header (`-q`) may stand before another."""
    sessions: list[Report | None] = []
    failures: list[Report] = []
    for line in lines:
        if _STARTS.fullmatch(line):
            sessions.append(None)
        summary = _SUMMARY.fullmatch(line)
        if summary:
            found = _counted(summary[1])
            sessions = [*sessions[:-1], found]
            failures += [found] if found.failed or found.errors else []
    if not sessions or None in sessions:
        return None
    report = added(each for each in sessions if each)
    assert report
    return report if report.failed or report.errors or not failures else added([report, *failures])


def _counted(summary: str) -> Report:
    counts = {name.rstrip("s") if name != "passed" else name: int(number) for number, name in _COUNT.findall(summary)}
    return Report(
        passed=counts.get("passed", 0),
        failed=counts.get("failed", 0),
        errors=counts.get("error", 0),
        skipped=counts.get("skipped", 0) + counts.get("xfailed", 0) + counts.get("xpassed", 0),
        left_out=counts.get("deselected", 0),
    )


def unittest(lines: Sequence[str]) -> Report | None:
    """`Ran 3 tests in 0.001s`, an empty line, and `OK (skipped=1)` or `FAILED (failures=1, errors=1)`. The last of them
    counts, and every one that names failures."""
    found: list[Report] = []
    for place, line in enumerate(lines):
        ran = _RAN.fullmatch(line)
        if ran:
            result = next((_RESULT.fullmatch(each) for each in lines[place + 1 : place + 4] if each), None)
            if result is None:
                return None
            found.append(_of_unittest(int(ran[1]), result))
    return added([*(each for each in found[:-1] if each.failed or each.errors), *found[-1:]])


def _of_unittest(ran: int, result: re.Match[str]) -> Report:
    named = {name.strip(): int(number) for name, number in _IN_RESULT.findall(result[2] or "")}
    failed = named.get("failures", 0) + named.get("unexpected successes", 0)
    errors = named.get("errors", 0)
    skipped = named.get("skipped", 0) + named.get("expected failures", 0)
    if result[1] == "FAILED" and not failed and not errors:
        failed = 1
    return Report(passed=max(ran - failed - errors - skipped, 0), failed=failed, errors=errors, skipped=skipped)
