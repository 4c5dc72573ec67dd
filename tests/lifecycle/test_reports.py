"""The reports of test programs. The good and bad outputs were printed by the programs themselves; those of Ruby, PHP,
Elixir, .NET, Java, Bazel, Swift, Dart, Scala and nextest are as others published them."""

from __future__ import annotations

import pytest

from perdure.lifecycle.junit import junit
from perdure.lifecycle.report import Report, plain_lines
from perdure.lifecycle.reports import PARSERS, report_in
from tests.effort import for_each

PYTEST = """\
============================= test session starts ==============================
platform linux -- Python 3.11.2, pytest-8.3.3, pluggy-1.5.0
rootdir: /repo
collected 3 items

test_a.py ..s                                                            [100%]

========================= 2 passed, 1 skipped in 0.02s =========================
"""
GO = """\
?   \texample.com/m/n\t[no test files]
ok  \texample.com/m/p\t0.003s
ok  \texample.com/m/r\t(cached)\tcoverage: 80.0% of statements
"""
GO_FAILED = """\
ok  \texample.com/m/p\t0.003s
--- FAIL: TestQ (0.00s)
    q_test.go:3: bad
FAIL
FAIL\texample.com/m/q\t0.009s
FAIL
"""
GO_VERBOSE = """\
=== RUN   TestA
ok  \texample.com/fake\t0.1s
--- PASS: TestA (0.00s)
=== RUN   TestB
    p_test.go:4: no
--- SKIP: TestB (0.00s)
=== RUN   TestC
=== RUN   TestC/one
--- PASS: TestC (0.00s)
    --- PASS: TestC/one (0.00s)
PASS
ok  \texample.com/m/p\t0.011s
"""
GO_JSON = """\
{"Time":"2026-11-18T00:38:37.3Z","Action":"start","Package":"m/p"}
{"Time":"2026-11-18T00:38:37.3Z","Action":"run","Package":"m/p","Test":"TestA"}
{"Time":"2026-11-18T00:38:37.3Z","Action":"output","Package":"m/p","Test":"TestA","Output":"--- PASS: TestA (0.00s)\\n"}
{"Time":"2026-11-18T00:38:37.3Z","Action":"pass","Package":"m/p","Test":"TestA","Elapsed":0}
{"Time":"2026-11-18T00:38:37.3Z","Action":"skip","Package":"m/p","Test":"TestB","Elapsed":0}
{"Time":"2026-11-18T00:38:37.3Z","Action":"pass","Package":"m/p","Elapsed":0.01}
"""
BUN = """\
a.test.ts:
(pass) a [0.02ms]
(skip) b
(todo) c

 1 pass
 1 skip
 1 todo
 0 fail
Ran 3 tests across 1 file. [3.00ms]
"""
CTEST = """\
    Start 1: a
1/2 Test #1: a ................................   Passed    0.01 sec
    Start 2: b
2/2 Test #2: b ................................   Passed    0.00 sec

100% tests passed, 0 tests failed out of 2

Total Test time (real) =   0.02 sec
"""
DOTNET = "Passed!  - Failed:     0, Passed:    23, Skipped:     0, Total:    23, Duration: 9 ms - A.dll (net8.0)\n"
MTP = """\
Test run summary: Passed!
  total: 6
  failed: 0
  succeeded: 5
  skipped: 1
  duration: 1s 120ms
"""
SUREFIRE = """\
[INFO] Running ATest
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s -- in ATest
[INFO]
[INFO] Results:
[INFO]
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1
[INFO]
"""
SWIFT = """\
Test Suite 'CartTests' passed at 2026-01-02 10:00:00.000.
\t Executed 5 tests, with 1 test skipped and 0 failures (0 unexpected) in 0.010 (0.012) seconds
Test Suite 'All tests' passed at 2026-01-02 10:00:00.001.
\t Executed 5 tests, with 1 test skipped and 0 failures (0 unexpected) in 0.010 (0.014) seconds
✔ Test run with 3 tests in 1 suite passed after 0.001 seconds.
"""
CARGO = """\
   Compiling demo v0.1.0 (/repo)
    Finished `test` profile [unoptimized + debuginfo] target(s) in 3.63s
     Running unittests src/lib.rs (target/debug/deps/demo-8348ca7a80742723)

running 3 tests
test tests::b ... ok
test tests::c ... ignored
test tests::a ... ok

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s

   Doc-tests demo

running 1 test
test src/lib.rs - add (line 1) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
"""
JEST = """\
  console.log
    Tests:       9 passed, 9 total

PASS jt/a.test.js
  ✓ a (119 ms)

Test Suites: 1 passed, 1 total
Tests:       1 skipped, 2 passed, 3 total
Snapshots:   0 total
Time:        1.934 s, estimated 3 s
Ran all test suites.
"""
VITEST = """\
 RUN  v2.1.9 /repo

 ✓ a.spec.js (3 tests | 1 skipped) 12ms

 Test Files  1 passed (1)
      Tests  2 passed | 1 skipped (3)
   Start at  00:41:47
   Duration  2.19s (transform 284ms, setup 0ms, collect 118ms, tests 12ms, environment 7ms, prepare 689ms)
"""
TAP = """\
TAP version 14
ok 1 - one
# Subtest: sub
    ok 1 - should be equal
    1..1
ok 2 - sub # time=2.706ms

ok 3 - x # SKIP
1..3
# { total: 3, pass: 2, skip: 1 }
"""
NODE = "✔ a (10.5ms)\nℹ tests 2\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\n"
UNITTEST = "...s\n" + "-" * 70 + "\nRan 4 tests in 0.001s\n\nOK (skipped=1)\n"
PROVE = """\
t/a.t .. ok
All tests successful.
Files=2, Tests=25,  1 wallclock secs ( 0.02 usr  0.01 sys +  0.30 cusr  0.05 csys =  0.38 CPU)
Result: PASS
"""


def prefixed(prefix: str, printed: str) -> str:
    return "".join(f"{prefix}{line}\n" for line in printed.splitlines())


MESON = """\
1/2 unit        OK              0.02s

Ok:                 2
Expected Fail:      1
Fail:               0
Skipped:            1
Timeout:            0

Full log written to /app/build/meson-logs/testlog.txt
"""
SCALATEST = """\
[info] Total number of tests run: 9
[info] Tests: succeeded 9, failed 0, canceled 0, ignored 0, pending 0
[info] All tests passed.
"""
GRADLE = "> Task :test\n\nCartTest > empty() PASSED\n\nCartTest > full() SKIPPED\n\nBUILD SUCCESSFUL in 3s\n"
LEIN = "lein test shop.cart-test\n\nRan 4 tests containing 9 assertions.\n0 failures, 0 errors.\n"
KARMA = "Chrome Headless 120.0.0.0 (Linux x86_64): Executed 12 of 12 SUCCESS (0.1 secs / 0.05 secs)\n"
READ: list[tuple[str, str, Report]] = [
    ("meson", MESON, Report(passed=3, skipped=1)),
    ("meson", "Ok:   2\nFail: 1\n\nFull log written to /app/testlog.txt\n", Report(passed=2, failed=1)),
    ("meson", MESON.replace("Timeout:            0", "Timeout:            2"), Report(passed=3, errors=2, skipped=1)),
    ("sbt", SCALATEST, Report(passed=9)),
    ("sbt", SCALATEST.replace("failed 0", "failed 2"), Report(passed=9, failed=2)),
    ("gradlew", GRADLE, Report(passed=1, skipped=1)),
    ("gradle", GRADLE.replace("full() SKIPPED", "full() FAILED"), Report(passed=1, failed=1)),
    ("lein", LEIN, Report(passed=4)),
    ("lein", LEIN.replace("0 errors", "1 errors"), Report(passed=3, errors=1)),
    ("ng", KARMA, Report(passed=12)),
    ("ng", KARMA.replace("12 SUCCESS", "12 (2 FAILED)"), Report(passed=10, failed=2)),
    ("npm", KARMA.replace("12 of 12", "3 of 12 (skipped 9)"), Report(passed=3, left_out=9)),
    ("busted", "●●\n2 successes / 0 failures / 0 errors / 1 pending : 0.01 seconds\n", Report(passed=2, skipped=1)),
    ("tap", " ✓ adds\n - skips (skipped)\n\n2 tests, 0 failures, 1 skipped\n", Report(passed=1, skipped=1)),
    ("tap", "  ✔ adds\n  ─\n\n  2 tests passed\n  1 test failed\n", Report(passed=2, failed=1)),
    ("tap", "  2 tests passed\n  1 uncaught exception\n", Report(passed=2, errors=1)),
    ("pytest", PYTEST, Report(passed=2, skipped=1)),
    ("pytest", "...\n3 passed in 0.01s\n", Report(passed=3)),
    ("pytest", "=== 2 failed, 1 passed in 0.12s ===", Report(passed=1, failed=2)),
    ("pytest", "1 passed, 99 deselected, 2 warnings in 0.12s", Report(passed=1, left_out=99)),
    (
        "pytest",
        "== 7 passed, 1 xfailed, 1 xpassed, 1 error in 61.02s (0:01:01) ==",
        Report(passed=7, errors=1, skipped=2),
    ),
    ("pytest", "no tests ran in 0.00s", Report()),
    ("unittest", UNITTEST, Report(passed=3, skipped=1)),
    ("unittest", "Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n", Report(passed=1, failed=1, errors=1)),
    ("unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", Report()),
    ("go", GO, Report(passed=2, unit="packages")),
    ("go", GO_FAILED, Report(passed=1, failed=1, unit="packages")),
    ("go", GO_VERBOSE, Report(passed=3, skipped=1)),
    ("go", GO_JSON, Report(passed=1, skipped=1)),
    ("go", "ok  \texample.com/m/p\t0.005s [no tests to run]\n", Report(unit="packages")),
    ("go", "FAIL\texample.com/m/q [build failed]\nFAIL\n", Report(failed=1, unit="packages")),
    ("cargo", CARGO, Report(passed=3, skipped=1)),
    ("jest", JEST, Report(passed=2, skipped=1)),
    ("jest", JEST.replace("suites.", 'suites with tests matching "a".'), Report(passed=2, skipped=1, left_out=1)),
    ("jest", JEST.replace("suites.", "suites matching /a/i."), Report(passed=2, skipped=1, left_out=1)),
    ("jest", JEST.replace("Suites: 1", "Suites: 1 failed, 1"), Report(passed=2, errors=1, skipped=1)),
    ("vitest", VITEST, Report(passed=2, skipped=1)),
    ("vitest", VITEST.replace("2 passed |", "1 failed | 1 passed |"), Report(passed=1, failed=1, skipped=1)),
    ("tap", TAP, Report(passed=2, skipped=1)),
    ("tap", "1..2\nok 1\nnot ok 2 - b # TODO later\n", Report(passed=1, skipped=1)),
    ("tap", "1..2\nok 1\nnot ok 2 - b\n", Report(passed=1, failed=1)),
    ("tap", NODE, Report(passed=1, skipped=1)),
    ("make", f"pytest -q\n{PYTEST}", Report(passed=2, skipped=1)),
    ("make", "3 passed in 0.01s\nmake: *** [Makefile:2: test] Error 1\n", Report(passed=3, errors=1)),
    ("make", "3 passed in 0.01s\nmake: [Makefile:2: test] Error 1 (ignored)\n", Report(passed=3, errors=1)),
    ("npm", JEST, Report(passed=2, skipped=1)),
    ("jest", JEST.replace("suites.", "suites in 2 projects."), Report(passed=2, skipped=1)),
    ("tap", PROVE, Report(passed=25)),
    ("tap", PROVE.replace("PASS", "FAIL"), Report(failed=1)),
    ("gotestsum", "∅  m (1ms)\n✓  m/a (2ms)\n\nDONE 5 tests, 1 skipped in 1.234s\n", Report(passed=4, skipped=1)),
    ("gotestsum", "DONE 5 tests, 1 failure in 1.234s\n", Report(passed=4, failed=1)),
    (
        "dotnet",
        "Test summary: total: 6, failed: 0, succeeded: 5, skipped: 1, duration: 0.5s\nBuild succeeded in 1.2s\n",
        Report(passed=5, skipped=1),
    ),
    (
        "dotnet",
        "Test Run Failed.\nTotal tests: 5\n     Passed: 4\n     Failed: 1\n Total time: 1.0234 Seconds\n",
        Report(passed=4, failed=1),
    ),
    ("pnpm", prefixed("packages/a test: ", JEST), Report(passed=2, skipped=1)),
    ("turbo", prefixed("@x/a:test: ", VITEST) + prefixed("@x/b:test: ", JEST), Report(passed=4, skipped=2)),
    ("yarn", prefixed("[@x/a]: ", NODE), Report(passed=1, skipped=1)),
    ("mocha", "  a\n    ✔ b\n\n  1 passing (11ms)\n", Report(passed=1)),
    ("mocha", "  1 passing (7ms)\n  2 pending\n  1 failing\n", Report(passed=1, failed=1, skipped=2)),
    ("bun", BUN, Report(passed=1, skipped=2)),
    ("bun", BUN.replace(" 1 skip\n 1 todo\n", " 2 filtered out\n"), Report(passed=1, left_out=2)),
    ("bun", BUN.replace(" 0 fail", " 1 fail"), Report(passed=1, failed=1, skipped=2)),
    ("deno", "\nok | 1 passed | 0 failed | 1 ignored (6ms)\n", Report(passed=1, skipped=1)),
    ("deno", "ok | 1 passed (2 steps) | 0 failed | 1 filtered out (14ms)\n", Report(passed=1, left_out=1)),
    ("deno", "FAILED | 1 passed | 2 failed (9ms)\n\nerror: Test failed\n", Report(passed=1, failed=2)),
    ("ctest", CTEST, Report(passed=2)),
    ("ctest", CTEST.replace("100% tests passed, 0", "50% tests passed, 1"), Report(passed=1, failed=1)),
    ("rspec", "Finished in 0.2 seconds\n10 examples, 0 failures, 2 pending\n", Report(passed=8, skipped=2)),
    ("rspec", "0 examples, 0 failures, 3 errors occurred outside of examples\n", Report(errors=3)),
    ("rspec", "Run options: include {focus: true}\n1 example, 0 failures\n", Report(passed=1, left_out=1)),
    ("rails", "10 runs, 20 assertions, 1 failures, 2 errors, 3 skips\n", Report(4, 1, 2, 3)),
    ("rake", "10 tests, 9 assertions, 0 failures, 0 errors, 1 pendings, 0 omissions\n", Report(passed=9, skipped=1)),
    ("phpunit", "OK (5 tests, 9 assertions)\n", Report(passed=5)),
    ("phpunit", "OK, but there were issues!\nTests: 5, Assertions: 9, PHPUnit Warnings: 4.\n", Report(passed=5)),
    ("phpunit", "FAILURES!\nTests: 5, Assertions: 9, Failures: 1, Skipped: 2.\n", Report(2, 1, 0, 2)),
    ("pest", "  Tests:    1 failed, 1 skipped, 5 passed (9 assertions)\n", Report(5, 1, 0, 1)),
    ("php", "  Tests:  5 passed (9 assertions)\n", Report(passed=5)),
    ("mix", "2 doctests, 5 tests, 0 failures, 1 skipped\n", Report(passed=4, skipped=1)),
    ("mix", "5 tests, 1 failure, 2 excluded\n", Report(passed=4, failed=1, left_out=2)),
    ("dotnet", DOTNET + DOTNET.replace("23", " 7"), Report(passed=30)),
    ("dotnet", "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 9 ms\n", Report(4, 1)),
    ("dotnet", MTP, Report(passed=5, skipped=1)),
    ("mvn", SUREFIRE, Report(passed=2, skipped=1)),
    ("mvn", "[ERROR] Tests run: 5, Failures: 1, Errors: 2, Skipped: 0\n", Report(2, 1, 2)),
    ("nextest", "     Summary [   0.410s] 5 tests run: 5 passed (1 slow), 1 skipped\n", Report(passed=5)),
    ("nextest", "     Summary [   0.410s] 3/5 tests run: 2 passed, 1 failed, 0 skipped\n", Report(2, 1)),
    ("bazel", "Executed 1 out of 3 tests: 3 tests pass.\n", Report(passed=3)),
    ("bazel", "Executed 3 out of 3 tests: 2 tests pass and 1 fails locally.\n", Report(passed=2, failed=1)),
    ("bazel", "Executed 3 out of 3 tests: 1 fails locally.\n", Report(failed=1)),
    ("swift", SWIFT, Report(passed=7, skipped=1)),
    ("flutter", "00:01 +4 ~1: All tests passed!\n", Report(passed=4, skipped=1)),
    ("dart", "00:01 +4 -1: Some tests failed.\n", Report(passed=4, failed=1)),
    ("sbt", "[info] Passed: Total 5, Failed 0, Errors 0, Passed 5\n", Report(passed=5)),
    ("sbt", "[error] Failed: Total 5, Failed 1, Errors 0, Passed 4\n", Report(passed=4, failed=1)),
]


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("mocha", "    3 passing (2ms)"),
        ("bun", " 3 pass\n 0 fail"),
        ("deno", "ok | 3 passed | 0 failed"),
        ("ctest", "No tests were found!!!"),
        ("rspec", "3 examples"),
        ("phpunit", "No tests executed!"),
        ("dotnet", "  total: 5\n  succeeded: 5"),
        ("mvn", "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.01 s -- in ATest"),
        ("bazel", "INFO: Build completed successfully, 3 total actions"),
        ("gradle", "BUILD SUCCESSFUL in 2s"),
    ],
)
def test_what_these_programs_print_elsewhere_is_not_a_report(program: str, printed: str) -> None:
    assert report_in(program, printed) is None


@for_each(("program", "output", "expected"), READ)
def test_a_report_is_read(program: str, output: str, expected: Report) -> None:
    assert report_in(program, output) == expected


@for_each(("program", "output", "expected"), READ)
def test_colours_and_line_ends_change_nothing(program: str, output: str, expected: Report) -> None:
    def coloured(line: str) -> str:
        return f"\x1b[32m\x1b[1m{line}\x1b[0m" if line else line

    assert report_in(program, "\r\n".join(map(coloured, output.split("\n")))) == expected


NO_REPORTS = [
    "",
    "ok",
    "ok\n" * 40,
    "all tests passed",
    "5 passed",
    "README: run pytest and look for `3 passed in 0.01s` at the end",
    "  3 passed in 0.01s  (from the docs)",
    "PASS",
    "OK",
    "Tests:       9 passed, 9 total",
    " Test Files  1 passed (1)",
    "test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
    "ok 1 - a\nok 2 - b",
    "1..3\nok 1\nok 2",
    "make: 'test' is up to date.",
    "make: Nothing to be done for 'test'.",
    "\x00\x1b[" + "1" * 5000,
]


@pytest.mark.parametrize("output", NO_REPORTS)
@pytest.mark.parametrize("program", [*PARSERS, "make"])
def test_words_of_success_are_not_a_report(program: str, output: str) -> None:
    found = report_in(program, output)
    assert found is None or not found.is_good


@for_each(("program", "output", "expected"), [each for each in READ if each[2].is_good])
def test_an_output_without_its_end_is_not_a_report(program: str, output: str, expected: Report) -> None:
    lines = output.rstrip("\n").split("\n")
    for end in range(len(lines)):
        found = report_in(program, "\n".join(lines[:end]))
        tells_less = found is None or not found.is_good or found.passed < expected.passed
        assert tells_less or found == expected, lines[:end]


def test_a_success_in_the_output_of_a_test_is_not_the_programs_own() -> None:
    printed = "test_a.py =========== 5 passed in 0.01s ===========\n.F\n"
    header = "===== test session starts =====\n"
    assert report_in("pytest", f"{header}5 passed in 0.01s\n{printed}=== 1 failed, 1 passed in 0.1s ===") == Report(
        1, 1
    )
    cut = f"{header}5 passed in 0.01s\n{header}collected 3 items\n"
    assert report_in("pytest", cut) is None
    fake = "test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
    assert report_in("cargo", f"running 2 tests\n{fake}\n") is None
    assert report_in("cargo", CARGO.replace("test tests::b ... ok", f"{fake}\ntest tests::b ... ok")) == Report(
        3, skipped=1
    )


def test_a_failure_before_a_success_is_not_passed_over() -> None:
    assert report_in("make", "1 failed, 2 passed in 0.1s\n3 passed in 0.1s\n") == Report(5, 1)
    failed = "Ran 3 tests in 0.001s\n\nFAILED (failures=1)\n"
    assert report_in("make", failed + UNITTEST) == Report(5, 1, skipped=1)


def test_a_cut_stream_of_go_is_not_a_report() -> None:
    lines = GO_JSON.strip().split("\n")
    assert report_in("go", "\n".join(lines[:-1])) is None
    assert report_in("go", GO_JSON + '{"Action":"pa') is None


XML = b"""<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="0" failures="0" tests="900">
<testcase classname="a" name="x" time="0.1"/>
<testcase classname="a" name="y"><skipped message="no"/></testcase>
<testcase classname="a" name="z"><system-out>&lt;failure/&gt; 3 passed</system-out></testcase>
</testsuite></testsuites>"""


def test_the_cases_of_a_junit_file_are_counted_not_its_totals() -> None:
    assert junit(XML) == Report(passed=2, skipped=1)
    assert junit(XML.replace(b'time="0.1"/>', b'><failure message="no"/></testcase>')) == Report(1, 1, skipped=1)
    assert junit(XML.replace(b'time="0.1"/>', b"><error/></testcase>")) == Report(1, errors=1, skipped=1)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"ok",
        XML[:-12],
        b"<html><testcase/></html>",
        b"<testsuite></testsuite>",
        b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>',
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite><testcase>&a;</testcase></testsuite>',
        b"<testsuite>" * 200 + b"<testcase/>" + b"</testsuite>" * 200,
    ],
)
def test_a_junit_file_that_is_cut_hostile_or_none_is_not_a_report(content: bytes) -> None:
    assert junit(content) is None


def test_a_line_that_was_written_over_counts_as_last_written() -> None:
    assert plain_lines("10 %\r50 %\r3 passed in 0.1s\n") == ["3 passed in 0.1s", ""]
