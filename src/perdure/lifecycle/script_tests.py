"""Reads what jest, vitest and programs that speak TAP print (SPEC 10.6)."""

from __future__ import annotations

import re

from perdure.lifecycle.report import Report, added
from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_COUNT = compiled_later(r"(\d+) ([a-z]+)")
_JEST_COUNTS = r"((?:\d+ [a-z]+, )*\d+ total)"
_JEST_SUITES = compiled_later(rf"Test Suites: {_JEST_COUNTS}")
_JEST_TESTS = compiled_later(rf"Tests:       {_JEST_COUNTS}")
_JEST_ENDS = compiled_later(r"Ran all test suites(?: in \d+ projects)?(\.| .*)")
_VITEST_COUNTS = r"((?:\d+ [a-z]+ (?:\| )?)+)\((\d+)\)"
_VITEST_FILES = compiled_later(rf"\s*Test Files  {_VITEST_COUNTS}")
_VITEST_TESTS = compiled_later(rf"\s*Tests  {_VITEST_COUNTS}")
_VITEST_ERRORS = compiled_later(r"\s*Errors  (\d+) errors?")
_VITEST_ENDS = compiled_later(r"\s*Duration  .*")
_PLAN = compiled_later(r"1\.\.(\d+)(?:\s*#.*)?")
_POINT = compiled_later(r"(not )?ok(?:\s+\d+)?(?=\s|$)(.*)")
_DIRECTIVE = compiled_later(r"#\s*(skip|todo)", re.I)
_NODE = compiled_later(r"[\u2139#] (tests|suites|pass|fail|cancelled|skipped|todo) (\d+)")
"""The summary of node's own test runner, after an information sign or a number sign."""


_BATS = compiled_later(r"(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?(?: in .*)?")
_AVA = compiled_later(r"  (\d+) tests? (passed|failed|skipped|todo)")
_AVA_BROKE = compiled_later(r"  \d+ (?:uncaught exceptions?|unhandled rejections?|known failures?)")
_PROVE_FILES = compiled_later(r"Files=\d+, Tests=(\d+), .*")
_PROVE_RESULT = compiled_later(r"Result: (PASS|FAIL|NOTESTS)")


def _counts(told: str) -> dict[str, int]:
    return {name: int(number) for number, name in _COUNT.findall(told)}


def jest(lines: Sequence[str]) -> Report | None:
    """A file that cannot be loaded has no tests; only `Test Suites` counts it. The last line says whether all were
    asked for."""
    found: list[Report] = []
    suites: dict[str, int] = {}
    tests: dict[str, int] | None = None
    for line in lines:
        of_suites, of_tests = _JEST_SUITES.fullmatch(line), _JEST_TESTS.fullmatch(line)
        if of_suites:
            suites, tests = _counts(of_suites[1]), None
        elif of_tests:
            tests = _counts(of_tests[1])
        elif tests is not None and (ends := _JEST_ENDS.fullmatch(line)):
            found.append(_of_jest(suites, tests, is_selection=ends[1] != "."))
            tests = None
    return _last_and_bad(found)


def _of_jest(suites: dict[str, int], tests: dict[str, int], *, is_selection: bool) -> Report:
    failed = tests.get("failed", 0)
    return Report(
        passed=tests.get("passed", 0),
        failed=failed,
        errors=0 if failed else suites.get("failed", 0),
        skipped=tests.get("skipped", 0) + tests.get("todo", 0),
        left_out=int(is_selection),
    )


def _last_and_bad(found: list[Report]) -> Report | None:
    """A test may print what looks like a summary, so the last one counts, and every other that names failures."""
    return added([*(each for each in found[:-1] if not each.is_good), *found[-1:]])


def vitest(lines: Sequence[str]) -> Report | None:
    found: list[Report] = []
    files: dict[str, int] = {}
    tests: dict[str, int] | None = None
    errors = 0
    for line in lines:
        of_files, of_tests, of_errors = (
            pattern.fullmatch(line) for pattern in (_VITEST_FILES, _VITEST_TESTS, _VITEST_ERRORS)
        )
        if of_files:
            files, tests, errors = _counts(of_files[1]), None, 0
        elif of_tests:
            tests = _counts(of_tests[1])
        elif of_errors:
            errors = int(of_errors[1])
        elif _VITEST_ENDS.fullmatch(line) and tests is not None:
            found.append(_of_vitest(files, tests, errors))
            tests = None
    return _last_and_bad(found)


def _of_vitest(files: dict[str, int], tests: dict[str, int], errors: int) -> Report:
    failed = tests.get("failed", 0)
    return Report(
        passed=tests.get("passed", 0),
        failed=failed,
        errors=max(errors, 0 if failed else files.get("failed", 0)),
        skipped=tests.get("skipped", 0) + tests.get("todo", 0),
    )


def tap(lines: Sequence[str]) -> Report | None:
    """The Test Anything Protocol. Without a plan, or with another number of points than it promises, it is not a
    report: `ok` may begin any line. Lines of subtests are indented; their result is a point of its own."""
    plans = [int(found[1]) for line in lines if (found := _PLAN.fullmatch(line))]
    points = [found for line in lines if (found := _POINT.fullmatch(line))]
    if any(map(_PROVE_FILES.fullmatch, lines)):
        return _prove(lines)
    if not plans:
        return _without_points(lines)
    if sum(plans) != len(points) or not points:
        return None
    report = Report()
    for point in points:
        report = added([report, _of_point(bool(point[1]), point[2])]) or report
    stopped = any(line.startswith("Bail out!") for line in lines)
    return added([report, Report(errors=1)]) if stopped else report


def _prove(lines: Sequence[str]) -> Report | None:
    """prove counts the tests of all files; without `-v` it prints no points."""
    files = [int(found[1]) for line in lines if (found := _PROVE_FILES.fullmatch(line))]
    results = [found[1] for line in lines if (found := _PROVE_RESULT.fullmatch(line))]
    if len(files) != len(results):
        return None
    failed = sum(result == "FAIL" for result in results)
    return Report(passed=0 if failed else sum(files), failed=failed)


def _without_points(lines: Sequence[str]) -> Report | None:
    """What these programs print if they do not print TAP."""
    return _node_summary(lines) or _bats(lines) or _ava(lines)


def _bats(lines: Sequence[str]) -> Report | None:
    """On a terminal it ends with one line of counts."""
    found = [each for line in lines if (each := _BATS.fullmatch(line))]
    if not found:
        return None
    total, failed, skipped = (int(count or 0) for count in found[-1].groups())
    return Report(passed=max(total - failed - skipped, 0), failed=failed, skipped=skipped)


def _ava(lines: Sequence[str]) -> Report | None:
    counts = {each[2]: int(each[1]) for line in lines[-40:] if (each := _AVA.fullmatch(line))}
    broken = sum(bool(_AVA_BROKE.fullmatch(line)) for line in lines)
    if not counts:
        return None
    skipped = counts.get("skipped", 0) + counts.get("todo", 0)
    return Report(passed=counts.get("passed", 0), failed=counts.get("failed", 0), errors=broken, skipped=skipped)


def _of_point(failed: bool, described: str) -> Report:
    directive = _DIRECTIVE.search(described)
    if directive:
        return Report(skipped=1)
    return Report(failed=1) if failed else Report(passed=1)


def _node_summary(lines: Sequence[str]) -> Report | None:
    """node's own form ends with one line for each count."""
    counts = {found[1]: int(found[2]) for line in lines[-40:] if (found := _NODE.fullmatch(line))}
    if not {"tests", "pass", "fail", "cancelled", "skipped", "todo"} <= counts.keys():
        return None
    skipped = counts["skipped"] + counts["todo"]
    return Report(passed=counts["pass"], failed=counts["fail"], errors=counts["cancelled"], skipped=skipped)
