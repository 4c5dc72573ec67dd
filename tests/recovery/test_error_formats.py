"""The line of an output that says what is wrong, in the words of the compilers, test runners and tools people use."""

from __future__ import annotations

from pathlib import Path

import pytest

from perdure.recovery.command_output import telling_lines

EXAMPLES = Path(__file__).with_name("error_formats.txt").read_text(encoding="utf-8").split("\n### ")[1:]


@pytest.mark.parametrize("example", EXAMPLES, ids=[each.partition("\n")[0] for each in EXAMPLES])
def test_the_line_that_says_what_is_wrong_comes_first(example: str) -> None:
    _, said, output = example.split("\n", 2)
    told = telling_lines("Exit code 1\n" + output)
    assert said.removeprefix("=> ") in told[0], told
