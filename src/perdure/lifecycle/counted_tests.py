"""Reads test programs that end with a line of counts, or a few (SPEC 10.6): those of Ruby, PHP, Elixir, .NET, Java,
C++, Swift, Dart, Scala, Clojure, Lua, Bazel, Meson, Gradle, and mocha, Karma, Deno, Bun and nextest.

A form is the whole line, with a name for each count: `total`, `passed`, `failed`, `errors`, `skipped`, `left_out`. What
a line does not name is 0; `passed` is what is left of `total`.
"""

from __future__ import annotations

from itertools import pairwise

from perdure.lifecycle.report import Report, added
from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence

_NAMED = {
    **dict.fromkeys("passed pass passing succeeded".split(), "passed"),
    **dict.fromkeys("failed fail failing failures".split(), "failed"),
    **dict.fromkeys("error errors".split(), "errors"),
    **dict.fromkeys("skipped skip skips todo todos pending ignored incomplete risky".split(), "skipped"),
    **dict.fromkeys(("filtered",), "left_out"),
    **dict.fromkeys(("total", "tests"), "total"),
}
"""What programs call a count. Of another word, such as "assertions", nothing is read."""
_COUNT = compiled_later(r"(\d+) ([a-z]+)|([A-Za-z]+): (\d+)")


def _report(counts: dict[str, int]) -> Report:
    others = sum(counts.get(name, 0) for name in ("failed", "errors", "skipped"))
    passed = counts.get("passed", max(counts.get("total", 0) - others, 0))
    return Report(
        passed=passed,
        failed=counts.get("failed", 0),
        errors=counts.get("errors", 0),
        skipped=counts.get("skipped", 0),
        left_out=counts.get("left_out", 0),
    )


def _last_and_bad(found: Sequence[Report]) -> Report | None:
    """A test may print what looks like a summary, so the last one counts, and every other that names failures."""
    return added([*(each for each in found[:-1] if each.failed or each.errors), *found[-1:]])


def _lines_of(form: str, *, each_counts: bool = False) -> Callable[[Sequence[str]], Report | None]:
    """`each_counts`: the program has such a line for every part of the project."""
    pattern = compiled_later(form)

    def parse(lines: Sequence[str]) -> Report | None:
        found = [_report(_groups(match)) for line in lines if (match := pattern.fullmatch(line))]
        return added(found) if each_counts else _last_and_bad(found)

    return parse


def _groups(match: re.Match[str]) -> dict[str, int]:
    counts = {name: int(number) for name, number in match.groupdict().items() if number is not None and name != "bad"}
    if match.groupdict().get("bad") and not counts.get("failed"):
        counts["failed"] = 1
    return counts


def _block_of(item: str, end: str) -> Callable[[Sequence[str]], Report | None]:
    """Lines with a count each, and the line that ends them."""
    one, last = compiled_later(item), compiled_later(end)

    def parse(lines: Sequence[str]) -> Report | None:
        found: list[Report] = []
        counts: dict[str, int] = {}
        for line in lines:
            if one.fullmatch(line):
                counts = _together(counts, _counts(line))
            elif last.fullmatch(line):
                found += [_report(counts)] if counts else []
                counts = {}
        return _last_and_bad(found)

    return parse


def _counts(text: str) -> dict[str, int]:
    """All that a text counts: "1 failed, 5 passed" and "Tests: 5, Failures: 1"."""
    counts: dict[str, int] = {}
    for before, word, name, after in _COUNT.findall(text):
        known = _NAMED.get((word or name).lower())
        if known:
            counts[known] = counts.get(known, 0) + int(before or after)
    return counts


def _together(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in (*one, *other)}


def _any_of(*parsers: Callable[[Sequence[str]], Report | None]) -> Callable[[Sequence[str]], Report | None]:
    def parse(lines: Sequence[str]) -> Report | None:
        return added(found for parser in parsers if (found := parser(lines)))

    return parse


_RSPEC = _lines_of(
    r"(?P<total>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?"
    r"(?:, (?P<errors>\d+) errors? occurred outside of examples)?"
)
_RSPEC_PICKS = compiled_later(r"Run options: .*\b(?:include|exclude)\b.*")


def rspec(lines: Sequence[str]) -> Report | None:
    """With `:focus` or a tag it runs a part, and says so."""
    found = _RSPEC(lines)
    picks = any(map(_RSPEC_PICKS.fullmatch, lines))
    return added([found, Report(left_out=1)]) if found and picks else found


def mocha(lines: Sequence[str]) -> Report | None:
    found: list[dict[str, int]] = []
    for line in lines:
        if _MOCHA_BEGINS.fullmatch(line):
            found.append({})
        if found and _MOCHA.fullmatch(line):
            found[-1] = _together(found[-1], _counts(line))
    return _last_and_bad([_report(counts) for counts in found])


_MOCHA_BEGINS = compiled_later(r"  \d+ passing \([\d.]+\w+\)")
_MOCHA = compiled_later(r"  \d+ (?:passing \([\d.]+\w+\)|pending|failing)")


def phpunit(lines: Sequence[str]) -> Report | None:
    """`OK (5 tests, 9 assertions)`; if anything else is to be said, `Tests: 5, Assertions: 9, Skipped: 1.`; and pest
    and artisan, `Tests:    1 failed, 5 passed (9 assertions)`."""
    told = [_counts(line) for line in lines if any(form.fullmatch(line) for form in _PHPUNIT)]
    return _last_and_bad([_report(counts) for counts in told])


_PHPUNIT = (
    compiled_later(r"OK \(\d+ tests?, \d+ assertions?\)"),
    compiled_later(r"Tests: \d+, Assertions: \d+(?:, [A-Za-z ]+: \d+)*\."),
    compiled_later(r"\s*Tests:\s+(?:\d+ [a-z]+, )*\d+ [a-z]+ \(\d+ assertions?\)"),
)

minitest = _lines_of(
    r"(?P<total>\d+) (?:runs|tests), \d+ assertions, (?P<failed>\d+) failures, (?P<errors>\d+) errors, "
    r"(?P<skipped>\d+) (?:skips|pendings)(?:, .*)?"
)
exunit = _lines_of(
    r"(?:\d+ (?:doctests?|properties|property|features?), )*(?P<total>\d+) tests?, (?P<failed>\d+) failures?"
    r"(?:, (?P<left_out>\d+) excluded)?(?:, (?P<errors>\d+) invalid)?(?:, (?P<skipped>\d+) skipped)?",
    each_counts=True,
)
ctest = _lines_of(r"\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)")
_VSTEST = _lines_of(
    r"(?:Passed|Failed|(?P<bad>Aborted))!  - Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+), "
    r"Skipped: +(?P<skipped>\d+), Total: +\d+(?:, Duration: .*)?",
    each_counts=True,
)
_TESTING_PLATFORM = _block_of(r"  (?:total|failed|succeeded|skipped): \d+", r"  duration: .+")
_TERMINAL_LOGGER = _lines_of(
    r"Test summary: total: (?P<total>\d+), failed: (?P<failed>\d+), succeeded: (?P<passed>\d+), "
    r"skipped: (?P<skipped>\d+), duration: .+"
)
_VERBOSE_VSTEST = _block_of(r"(?:Total tests| +(?:Passed|Failed|Skipped)): \d+", r" Total time: .+")
dotnet = _any_of(_VSTEST, _TESTING_PLATFORM, _TERMINAL_LOGGER, _VERBOSE_VSTEST)
gotestsum = _lines_of(
    r"DONE (?:\d+ runs, )?(?P<total>\d+) tests?(?:, (?P<skipped>\d+) skipped)?(?:, (?P<failed>\d+) failures?)?"
    r"(?:, (?P<errors>\d+) errors?)? in .+"
)
surefire = _lines_of(
    r"(?:\[(?:INFO|WARNING|ERROR)\] )?Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), "
    r"Skipped: (?P<skipped>\d+)(?:, Flakes: \d+)?",
    each_counts=True,
)
nextest = _lines_of(
    r" +Summary \[ *[\d.]+s\] (?P<total>\d+)(?P<bad>/\d+)? tests? run: \d+ passed(?: \([^)]*\))?"
    r"(?:, (?P<failed>\d+) failed)?(?:, (?P<errors>\d+) (?:timed out|exec failed))?(?:, \d+ skipped)?"
)
deno = _lines_of(
    r"(?:ok|(?P<bad>FAILED)) \| (?P<passed>\d+) passed(?: \(\d+ steps?\))?"
    r" \| (?P<failed>\d+) failed(?: \(\d+ steps?\))?"
    r"(?: \| (?P<skipped>\d+) ignored(?: \(\d+ steps?\))?)?(?: \| \d+ measured)?(?: \| (?P<left_out>\d+) filtered out)?"
    r" \([^)]+\)"
)
bun = _block_of(
    r" +\d+ (?:pass|fail|skip|todo|errors?|filtered out)",
    r"Ran \d+ tests? across \d+ files?\..*",
)
bazel = _lines_of(
    r"Executed \d+ out of \d+ tests?: (?:(?P<passed>\d+) tests? pass(?:es)?)?(?P<bad>[^.]*[a-z][^.]*)?\.(?: .*)?"
)
_XCTEST = _lines_of(
    r"\s*Executed (?P<total>\d+) tests?, with (?:(?P<skipped>\d+) tests? skipped and )?(?P<failed>\d+) failures? .*"
)
_SWIFT_TESTING = _lines_of(
    r"\S+ Test run with (?P<total>\d+) tests? (?:in \d+ suites? )?(?:passed|(?P<bad>failed)) after .*"
)
swift = _any_of(_XCTEST, _SWIFT_TESTING)
dart = _lines_of(
    r"\d+:\d+ \+(?P<passed>\d+)(?: ~(?P<skipped>\d+))?(?: -(?P<failed>\d+))?: "
    r"(?:All tests passed!|(?P<bad>Some tests failed\.))"
)
_SBT = _lines_of(
    r"\[(?:info|error)\] (?:Passed|(?P<bad>Failed)): Total \d+, Failed (?P<failed>\d+), Errors (?P<errors>\d+), "
    r"Passed (?P<passed>\d+)(?:, Skipped (?P<skipped>\d+))?.*",
    each_counts=True,
)
_SCALATEST = _lines_of(
    r"(?:\[info\] )?Tests: succeeded (?P<passed>\d+), failed (?P<failed>\d+), canceled (?P<errors>\d+), "
    r"ignored \d+, pending \d+",
    each_counts=True,
)


def sbt(lines: Sequence[str]) -> Report | None:
    """Of ScalaTest's tests sbt prints no summary of its own, or counts them once more."""
    return _SBT(lines) or _SCALATEST(lines)


busted = _lines_of(
    r"(?P<passed>\d+) success(?:es)? / (?P<failed>\d+) failures? / (?P<errors>\d+) errors? / (?P<skipped>\d+) pending"
    r" : .*"
)
karma = _lines_of(
    r"[^:]+: Executed (?P<total>\d+) of \d+(?: \((?P<failed>\d+) FAILED\))?(?: \(skipped (?P<left_out>\d+)\))?"
    r"(?: SUCCESS)?(?P<bad> (?:ERROR|DISCONNECTED))? \([\d.]+ .*\)"
)


def meson(lines: Sequence[str]) -> Report | None:
    """A later version leaves out what is 0. The place of its log ends the counts."""
    found: list[Report] = []
    counts: dict[str, int] = {}
    for line in lines:
        count = _MESON.fullmatch(line)
        if count:
            counts = _together({} if count[1] == "Ok" else counts, {_COUNTS_OF_MESON[count[1]]: int(count[2])})
        elif counts and line.startswith("Full log written to "):
            found.append(_report(counts))
    return _last_and_bad(found)


_COUNTS_OF_MESON = {
    "Ok": "passed",
    "Expected Fail": "passed",
    "Fail": "failed",
    "Unexpected Pass": "failed",
    "Skipped": "skipped",
    "Timeout": "errors",
}
_MESON = compiled_later(rf"({'|'.join(_COUNTS_OF_MESON)}): +(\d+)")


def gradle(lines: Sequence[str]) -> Report | None:
    """It prints no counts; where the build has it log the events of its tests, there is a line for each."""
    ended = [found[1] for line in lines if (found := _GRADLE.fullmatch(line))]
    has_ended = any(map(_GRADLE_ENDS.fullmatch, lines))
    if not ended or not has_ended:
        return None
    return Report(passed=ended.count("PASSED"), failed=ended.count("FAILED"), skipped=ended.count("SKIPPED"))


_GRADLE = compiled_later(r"(?:Gradle Test Executor \d+ > )?\w\S* > .+ (PASSED|FAILED|SKIPPED)")
_GRADLE_ENDS = compiled_later(r"BUILD (?:SUCCESSFUL|FAILED) in .+")


def clojure(lines: Sequence[str]) -> Report | None:
    found: list[Report] = []
    for ran, ended in pairwise(lines):
        total, bad = _CLOJURE_RAN.fullmatch(ran), _CLOJURE_ENDED.fullmatch(ended)
        if total and bad:
            failed, errors = int(bad[1]), int(bad[2])
            found.append(Report(passed=max(int(total[1]) - failed - errors, 0), failed=failed, errors=errors))
    return _last_and_bad(found)


_CLOJURE_RAN = compiled_later(r"Ran (\d+) tests containing \d+ assertions\.")
_CLOJURE_ENDED = compiled_later(r"(\d+) failures, (\d+) errors\.")
