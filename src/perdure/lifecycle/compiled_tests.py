"""Reads what `go test`, plain and with `-json`, and `cargo test` print (SPEC 10.6)."""

from __future__ import annotations

from perdure.lifecycle.report import PACKAGES, Report, added
from perdure.model.json import parse
from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence
    from typing import TypeGuard

    from perdure.model.json import Json

_PACKAGE_OK = compiled_later(r"ok  \t\S+\t(?:\d+(?:\.\d+)?s|\(cached\))(\s.*)?")
_PACKAGE_FAILED = compiled_later(r"FAIL\t\S+(?:\t\d+(?:\.\d+)?s| \[[\w ]+\])?")
_ONE = compiled_later(r"\s*--- (PASS|FAIL|SKIP): \S+ \(\d+(?:\.\d+)?s\)")
_RUNNING = compiled_later(r"running (\d+) tests?")
_RESULT = compiled_later(
    r"test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; (\d+) filtered out"
    r"(?:; finished in .*)?"
)


def go(lines: Sequence[str]) -> Report | None:
    """With `-v` it names each test; otherwise it has one line for each package."""
    written = [line for line in lines if line.startswith('{"')]
    if written:
        return _go_json(written)
    told = [found for line in lines if (found := _PACKAGE_OK.fullmatch(line))]
    ran = [each for each in told if "[no tests to run]" not in (each[1] or "")]
    failed = sum(bool(_PACKAGE_FAILED.fullmatch(line)) for line in lines)
    if not told and not failed:
        return None
    ones = [found[1] for line in lines if (found := _ONE.fullmatch(line))]
    if not ran or "PASS" not in ones:
        return Report(passed=len(ran), failed=failed, unit=PACKAGES)
    passed, skipped = ones.count("PASS"), ones.count("SKIP")
    return Report(passed=passed, failed=max(failed, ones.count("FAIL")), skipped=skipped)


def _go_json(written: Sequence[str]) -> Report | None:
    """The stream must reach its end: every package that started has an end of its own."""
    try:
        parsed = [parse(line) for line in written]
    except (ValueError, RecursionError):
        return None
    told = [each for each in parsed if _is_object(each)]
    tests = [each.get("Action") for each in told if each.get("Test")]
    packages = [(each.get("Action"), each.get("Package")) for each in told if not each.get("Test")]
    started, ended = _named(packages, "start"), _named(packages, "pass", "fail", "skip")
    broken = len(_named(packages, "fail")) + len(_named(packages, "build-fail"))
    passed, failed, skipped = (tests.count(action) for action in ("pass", "fail", "skip"))
    if started - ended or not passed + failed + skipped + broken:
        return None
    return Report(passed=passed, failed=max(failed, broken), skipped=skipped)


def _named(packages: Sequence[tuple[Json, Json]], *actions: str) -> set[str]:
    return {str(package) for action, package in packages if action in actions}


def _is_object(content: Json) -> TypeGuard[dict[str, Json]]:
    return isinstance(content, dict)


def cargo(lines: Sequence[str]) -> Report | None:
    """Each program that it runs says how many tests it runs, and later their result; the two must agree. A test may
    print a line like a result, so the last one before the next program counts."""
    groups: list[tuple[int, Report | None]] = []
    for line in lines:
        running, result = _RUNNING.fullmatch(line), _RESULT.fullmatch(line)
        if running:
            groups.append((int(running[1]), None))
        elif result and groups:
            groups[-1] = (groups[-1][0], _of_cargo(result))
    if not groups or any(report is None or report.total != expected for expected, report in groups):
        return None
    return added(report for _, report in groups if report)


def _of_cargo(result: re.Match[str]) -> Report:
    passed, failed, ignored, measured, filtered = (int(result[place]) for place in range(2, 7))
    failed = failed or int(result[1] == "FAILED")
    return Report(passed=passed, failed=failed, skipped=ignored + measured, left_out=filtered)
