"""What an output says of a failure, in the languages that builds speak."""

from __future__ import annotations

import pytest

from perdure.recovery.command_output import says_it_failed, telling_lines, was_not_run


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("Exit code 1\n# pkg\ninternal/a.go:12:9: undefined: total", "internal/a.go:12:9: undefined: total"),
        ("--- FAIL: TestTotal (0.00s)\n    a_test.go:8: got 3\nFAIL\nFAIL\tpkg\t0.1s", "--- FAIL: TestTotal (0.00s)"),
        ("error[E0425]: no value `x`\n --> src/a.rs:3:5", "error[E0425]: no value `x` (src/a.rs:3:5)"),
        ("src/a.ts(4,7): error TS2322: Type 'string'", "src/a.ts(4,7): error TS2322: Type 'string'"),
        (
            "[ERROR] /a/B.java:[3,5] cannot find symbol\n[INFO] BUILD FAILURE",
            "[ERROR] /a/B.java:[3,5] cannot find symbol",
        ),
        (
            "src/a.c:3:1: error: unknown type name 'foo'\nmake: *** [a.o] Error 1",
            "src/a.c:3:1: error: unknown type name 'foo'",
        ),
        ("npm error code ENOENT\nnpm error path /x", "npm error code ENOENT"),
        (" ● cart › adds\n    Expected: 3\n    Received: 4", "● cart › adds"),
        (
            "CONFLICT (content): Merge conflict in a.py\nAutomatic merge failed",
            "CONFLICT (content): Merge conflict in a.py",
        ),
        (" ! [rejected] main -> main (fetch first)\nerror: failed to push", "error: failed to push"),
        ("Exit code 127\nzsh: command not found: javac", "zsh: command not found: javac"),
        ("[lint:go] cmd/a.go:7:2: error returned is unwrapped", "[lint:go] cmd/a.go:7:2: error returned is unwrapped"),
        ("\x1b[31mFAIL\x1b[0m src/cart.test.ts > adds", "FAIL src/cart.test.ts > adds"),
    ],
)
def test_the_line_that_says_what_went_wrong_is_found(output: str, told: str) -> None:
    assert told in telling_lines(output)[:2]


def test_what_failed_and_what_it_says_come_by_turns() -> None:
    output = "--- FAIL: TestA (0.0s)\n  a_test.go:1: first\n--- FAIL: TestB (0.0s)\n  b_test.go:2: second"
    assert telling_lines(output) == [
        "--- FAIL: TestA (0.0s)",
        "a_test.go:1: first",
        "--- FAIL: TestB (0.0s)",
        "b_test.go:2: second",
    ]


def test_an_exit_code_is_told_only_by_what_stands_beside_it() -> None:
    assert telling_lines("Exit code 1\nnothing was staged") == ["nothing was staged"]


@pytest.mark.parametrize(
    "output",
    [
        "ok  pkg 0.1s",
        "12 passed, 0 failed",
        "0 errors",
        "Found 0 issues",
        "error handling: ok",
        "10 passed, 0 failed. 3 errors were handled gracefully",
    ],
)
def test_a_success_is_not_a_failure(output: str) -> None:
    assert not says_it_failed(output)


@pytest.mark.parametrize(
    "output", ["--- FAIL: TestA", "3 failing", "BUILD FAILURE", "error TS2322", "[lint] ERROR task failed"]
)
def test_a_failure_is_one_although_a_pipe_swallowed_its_exit_code(output: str) -> None:
    assert says_it_failed(output)


def test_a_call_that_was_never_made_did_not_fail() -> None:
    assert was_not_run("<tool_use_error>Cancelled: parallel tool call Bash(go test) errored</tool_use_error>")
    assert was_not_run("[Request interrupted by user for tool use]")


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (
            "  warning - cart.dart:5:8 - Unused: 'dart:io'.\n  error - cart.dart:17:13 - Undefined name 'state'.",
            ["error - cart.dart:17:13 - Undefined name 'state'."],
        ),
        (
            "/v/config.py:331: PluggyTeardownRaisedWarning: it raised\nE   ModuleNotFoundError: No module named 'x'",
            ["E ModuleNotFoundError: No module named 'x'"],
        ),
        ("[OK] Error: handled\n[ERROR] no such table: cart", ["[ERROR] no such table: cart"]),
        ("a.c:3:1: warning: unused variable 'x'", ["a.c:3:1: warning: unused variable 'x'"]),
    ],
)
def test_an_error_is_told_by_its_severity_and_not_by_its_position(output: str, told: list[str]) -> None:
    assert telling_lines(output) == told


@pytest.mark.parametrize(
    "output",
    [
        "Claude requested permissions to write to /x, but you haven't granted it yet.",
        "Permission to use Bash with command rm -rf x has been denied.",
        "Permission for this action was denied by the Claude Code auto mode classifier. Reason: it was not asked for.",
        "This command requires approval",
        "Perdure: denied. This changes things, or may: touch writes it.",
        "PreToolUse:Bash hook error: [/home/a b/.claude/perdure.sh]: Perdure: denied. This changes things.",
        "<tool_use_error>Perdure: denied. This changes things.</tool_use_error>",
        "PreToolUse:Bash hook error: [lint.sh]: not in this branch",
        "Hook PreToolUse:Edit denied this tool",
        "Error: PreToolUse:Bash blocked by hook: no",
        '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}',
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "File is in a directory that is denied by your permission settings.",
        "This session is isolated in the worktree /w/cart, but this command writes elsewhere.",
    ],
)
def test_a_call_that_was_not_permitted_says_nothing_about_the_work(output: str) -> None:
    assert was_not_run(output)


def test_what_passed_and_what_was_only_logged_is_not_told_of_a_failure() -> None:
    output = "a.py::TestError::test_404 PASSED [3%]\n    h.go:1: 2026/01/12 15:19:49 INFO stop\nE   assert 3 == 4"
    assert telling_lines(output) == ["E assert 3 == 4"]


def test_a_failed_test_is_told_although_its_output_has_a_usage_text_and_frames_of_libraries() -> None:
    output = """\
tests/test_cli.py:9: in test_two_files
/usr/lib/python3.11/argparse.py:1872: in parse_args
E   SystemExit: 2
usage: shop [-h] file
shop: error: unrecognized arguments: b.md
FAILED tests/test_cli.py::test_two_files - SystemExit: 2"""
    assert telling_lines(output)[0] == "FAILED tests/test_cli.py::test_two_files - SystemExit: 2"
    assert not [line for line in telling_lines(output) if ": in " in line]
