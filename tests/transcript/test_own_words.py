"""What of a prompt is the person's own, and what they only pass on."""

from __future__ import annotations

import pytest

from perdure.transcript.own_words import PASSED_ON, own_words


@pytest.mark.parametrize(
    "prompt",
    [
        "use <b>bold</b> titles",
        "<b>Never</b> use the network",
        "<my-button> is not shown",
        "a < b and b > c",
        "run `make test` first, then ``make`` again",
        "- one\n- two\n\n    three",
        "<p>\nno end of it",
    ],
)
def test_the_persons_own_words_stay(prompt: str) -> None:
    assert own_words(prompt) == prompt


@pytest.mark.parametrize(
    "passed_on",
    [
        "```\nx\n```",
        "````md\n```\nx\n```\n````",
        "  - ~~~\n    x\n    ~~~",
        "> x",
        "  >x",
        "<log level='1'>x</log>",
        "<log>\nx\n\ny\n</log>",
        "<task-notification>x\n</task-notification>",
    ],
)
def test_what_is_passed_on_is_taken_out(passed_on: str) -> None:
    left = own_words(f"see\n{passed_on}\nwhy?")
    assert "x" not in left
    assert PASSED_ON.strip() in left
    assert left.startswith("see\n")
    assert left.endswith("\nwhy?")


def test_a_notice_within_a_line_is_taken_out() -> None:
    left = own_words("go on <teammate-message id='a'>x</teammate-message> now <ide_selection>x</ide_selection>")
    assert left == f"go on {PASSED_ON} now {PASSED_ON}"


def test_a_fence_that_does_not_end_reaches_to_the_end() -> None:
    assert "x" not in own_words("see\n```\nx")


@pytest.mark.parametrize("line", ["<p>\n", "<a-b>", "<a-b> </a-c>", "```\n```\n"])
def test_a_long_prompt_takes_no_long_time(line: str) -> None:
    assert len(own_words(line * 30_000)) > 1000
