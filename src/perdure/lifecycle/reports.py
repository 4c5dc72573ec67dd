"""Finds the report in what a test program printed (SPEC 10.6).

    report_in("pytest", "…\\n=== 2 failed, 1 passed in 0.12s ===") == Report(passed=1, failed=2)
    report_in("make", output)       a task may run any of them: all that reported count

The program is the one that the command starts, without its folder. Of a program with a form of its own only that form
is read; of every other one, such as `make` and `npm`, all forms.
"""

from __future__ import annotations

from perdure.lifecycle import compiled_tests, counted_tests, python_tests, script_tests
from perdure.lifecycle.report import Report, added, plain_lines
from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Parser: TypeAlias = Callable[[Sequence[str]], Report | None]

PARSERS: dict[str, Parser] = {
    "pytest": python_tests.pytest,
    "unittest": python_tests.unittest,
    "go": compiled_tests.go,
    "cargo": compiled_tests.cargo,
    "jest": script_tests.jest,
    "vitest": script_tests.vitest,
    "tap": script_tests.tap,
    "rspec": counted_tests.rspec,
    "rails": counted_tests.minitest,
    "mocha": counted_tests.mocha,
    "phpunit": counted_tests.phpunit,
    "mix": counted_tests.exunit,
    "ctest": counted_tests.ctest,
    "dotnet": counted_tests.dotnet,
    "gotestsum": counted_tests.gotestsum,
    "mvn": counted_tests.surefire,
    "nextest": counted_tests.nextest,
    "deno": counted_tests.deno,
    "bun": counted_tests.bun,
    "bazel": counted_tests.bazel,
    "swift": counted_tests.swift,
    "dart": counted_tests.dart,
    "sbt": counted_tests.sbt,
    "meson": counted_tests.meson,
    "gradle": counted_tests.gradle,
    "lein": counted_tests.clojure,
    "busted": counted_tests.busted,
    "ng": counted_tests.karma,
}
_SPEAKS_AS = {"pest": "phpunit", "php": "phpunit", "mvnw": "mvn", "gradlew": "gradle", "flutter": "dart"}
"""Programs that report as another one does."""
_OF_SEVERAL_PACKAGES = frozenset("pnpm yarn npm bun turbo lerna".split())
_PACKAGE = compiled_later(r"\A(?:[@\w./-]+ [\w:-]+: |[@\w./-]+:[\w-]+: |\[[@\w./-]+\]: )")
"""What these print before each line of a package: `packages/a test: `, `@x/a:test: `, `[@x/a]: `."""
_MAKE_FAILED = compiled_later(
    r"g?make(?:\[\d+\])?: (?:\*\*\* )?\[[^\]]+\] (?:Error \d+|[A-Z][a-z ]+)(?: \(ignored\))?.*"
)
_MAKE_STOPPED = compiled_later(r"g?make(?:\[\d+\])?: \*\*\* .*")


def report_in(program: str, output: str) -> Report | None:
    lines = plain_lines(output)
    parser = PARSERS.get(_SPEAKS_AS.get(program, program))
    if parser:
        return parser(lines)
    if program in _OF_SEVERAL_PACKAGES:
        lines = [_PACKAGE.sub("", line) for line in lines]
    return added([*_all_forms(lines), *_failures_of_make(lines)])


def _all_forms(lines: Sequence[str]) -> list[Report]:
    found = [parser(lines) for parser in PARSERS.values()]
    return [each for each in found if each]


def _failures_of_make(lines: Sequence[str]) -> list[Report]:
    """A recipe failed, also if make was told to ignore that. What the recipe printed is read by the other forms."""
    failed = sum(bool(_MAKE_FAILED.fullmatch(line) or _MAKE_STOPPED.fullmatch(line)) for line in lines)
    return [Report(errors=failed)] if failed else []
