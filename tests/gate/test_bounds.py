"""Bounded by steps: whatever the text, the work is linear in its length and nothing escapes (SPEC 5.6)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.gate.effects.analysis import analyse
from perdure.gate.shell.cursor import MOST_CHARACTERS
from tests.effort import part, sampled, tries

from .steps import steps_of
from .worlds import world

MIB = 1 << 20
SHAPES = {
    "substitutions": "$(",
    "lists": "a;",
    "readers": "ls;",
    "words": "ls ",
    "double quotes": '"',
    "single quotes": "'",
    "NUL": "\0",
    "brackets": "(",
    "braces": "{ ",
    "brace expansion": "{a,b}",
    "backticks": "`",
    "escaped backticks": "\\`",
    "heredocs": "cat <<E\n",
    "nested heredocs": "cat <<E $(cat <<F\n",
    "subscripts": "a[ ",
    "zsh subscripts": "$x[",
    "arithmetic": "$((1+",
    "sums": "1+",
    "loops": "for i in a; do ",
    "conditions": "if ls; then ",
    "cases": "case a in a) ",
    "pipes": "ls|",
    "expansions": "${x:-",
    "quoted expansions": '"${x:-',
    "comments": "#",
    "lines": "\n",
    "joined lines": "ls \\\n",
    "shells": "bash -c 'ls';",
    "scripts": "sed -n 1p f;",
    "globs": "*",
    "tildes": "~/",
    "options": "-o ",
    "assignments": "x=$x$x;",
    "arrays": "a=(b ",
    "functions": "f() { f; };",
    "unicode": "é\U0001f600",
}


def steps(text: str) -> int:
    return steps_of(text, world())[1]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_mebibyte_of_anything_is_too_complex_at_once(shape: str) -> None:
    text = (SHAPES[shape] * MIB)[:MIB]
    assert analyse(text, world()).effect == "praxic"
    assert steps(text) < 50


@pytest.mark.parametrize("few", [1000, pytest.param(4000, marks=pytest.mark.long)])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_steps_grow_no_faster_than_the_text(shape: str, few: int) -> None:
    """Per character, a text of four times the length takes no more than twice the steps."""
    many = (SHAPES[shape] * 4 * few)[: 4 * few]
    assert steps(many) / 4 <= 2 * steps(many[:few]) + few / 2


@sampled
@pytest.mark.parametrize("shape", part([*SHAPES], 3))
def test_at_the_limit_the_steps_are_few(shape: str) -> None:
    text = (SHAPES[shape] * MOST_CHARACTERS)[:MOST_CHARACTERS]
    assert steps(text) < 12 * MOST_CHARACTERS


@tries(1500, deadline=None)
@given(st.text(alphabet="ls rm-of;&|()<>{}[]$`\"'\\\n#!*?=~+:,.@%^/1aE\t", max_size=60))
def test_no_text_raises(text: str) -> None:
    assert analyse(text, world()).effect in ("noetic", "praxic", "transition", "forbidden")


@tries(500, deadline=None)
@given(st.text(max_size=80))
def test_no_unicode_raises(text: str) -> None:
    assert analyse(text, world()).effect in ("noetic", "praxic", "transition", "forbidden")


@pytest.mark.parametrize(
    ("over", "runs"),
    [
        ("bytes", "-runs=1000"),
        ("grammar", "-runs=300"),
        pytest.param("bytes", "-runs=50000", marks=pytest.mark.long),
        pytest.param("grammar", "-runs=15000", marks=pytest.mark.long),
    ],
)
def test_a_coverage_guided_fuzzer_finds_nothing(over: str, runs: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris")
    fuzzer = Path(__file__).with_name("fuzz.py")
    done = subprocess.run(
        [sys.executable, str(fuzzer), over, runs, "-seed=7", "-max_len=400", f"-artifact_prefix={tmp_path}/"],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr[-3000:]
