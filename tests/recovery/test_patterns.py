"""No text, however it is made, keeps a pattern busy: a transcript holds whatever anyone said, and is read in a hook."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator

import pytest

import perdure.recovery
import perdure.transcript
from perdure.model.pattern import Later
from tests.effort import part, sampled

LENGTH = 10_000
KNOWN_SLOW = re.compile(r"\[Image: [^\]]*\]")
"""It begins anew at each `[Image: `, so it takes four times as long for twice the text."""
GROWTH = 3.0
"""A text of twice the length takes it twice as long; one that looks at each character from each other four times."""

CHARACTERS = "aAé1_-+@.,:;!?/\\|&<>=#*~`$%^()[]{}'\" \t\n\r\x1b漢。✗"
PIECES = [
    *("aB", "Ab", "Foo_", "a_b", "A_", "a.b", "a/b", "a/", "./", "../", "C:\\", "@a", "a@", "a+", "-a ", "--a "),
    *(" -a", " | grep a", " | tail", "| tail '", '| tail "', "a | ", "a && ", "cd /a && ", "cd a;;\n", "A=1 "),
    *('A="', "<<a ", "<< ", "<<a\n", "sed -i", "sed -i ", "tee -a ", "> ", "2>&1 ", " -c '", ' -c "', '\\"'),
    *("\\\\", '\'"', '"="', '"=", ', "[Image: ", "[Image #1", "[Request interrupted", "<a-", "<ide_a ", "<a-hook>"),
    *("<system-reminder>", "\n<", "</", "```", "`aaa", "`a.b:", "# ", "## A", "** ", "1. ", "1) **A", "- [ "),
    *("- [ ] ", "A:", "\n\n", "\n ", " \n", "\n#", "def ", "def (", "class A(", "let mut ", "::a", "test_", "Test"),
    *("TestA", "never ", "also ", "also, ", "ne a ", "n'a", "hm", "hmm ", "Error", "AError ", "E   ", "error: "),
    *("1 error ", "1 failed ", "thread '", "at a:1", ":1", ":1:1", "a.b:1", "a.b:1:", "(1,", "\x1b[", "\x1b[0"),
    *("\x1b]", "exit status ", "exit status 1 ", "Expected", "FAIL: ", "ERROR a", "test a ...", "timeout -a "),
    *("timeout ", "npx -a ", "npx --a=", "uv run --", "python -m ", "mise x ", "git -C a ", "0 failed, 1 passed "),
]  # fmt: skip


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for room in (perdure.recovery, perdure.transcript):
        for module in pkgutil.iter_modules(room.__path__, room.__name__ + "."):
            for name, found in vars(importlib.import_module(module.name)).items():
                if isinstance(found, re.Pattern | Later) and isinstance(found.pattern, str):
                    yield f"{module.name.removeprefix('perdure.')}.{name}", re.compile(found.pattern, found.flags)


FOUND = dict(patterns())


def own_words(pattern: re.Pattern[str]) -> set[str]:
    """The words that stand in a pattern: what it looks for is what keeps it busy."""
    return set(re.findall(r"[^\W\d_]{2,}", pattern.pattern))


def shapes(pattern: re.Pattern[str], length: int = LENGTH) -> Iterator[str]:
    for piece in (*CHARACTERS, *PIECES):
        yield _run(piece, length) + "\0"
    for word in sorted(own_words(pattern)):
        yield _run(word + " ", length)
    begun: list[tuple[str, str, str]] = []
    for before in (
        "Foo",
        "# ",
        "# Next",
        "- ",
        "cat <<ab\n",
        "sed -i",
        "python3 -c 'x << b\n",
        "def ",
        "[",
        "<ide_",
        "also",
    ):
        for tail in ("A", "*", " ", "\n", "1", "a\n", " a", "a."):
            begun += [(before, tail, end) for end in "!_"]
    for before, tail, end in part(begun, 3):
        yield before + _run(tail, length) + end


def _run(piece: str, length: int) -> str:
    return piece * (length // len(piece))


def busy(pattern: re.Pattern[str], text: str) -> float:
    began = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - began


_known = min(busy(KNOWN_SLOW, _run("[Image: ", LENGTH)) for _ in range(5))
SOON, LATE = _known / 4, 100 * _known
"""Seconds of the processor, by what this machine takes for a pattern that is known to be slow."""


def is_slow(pattern: re.Pattern[str], text: str, twice: str) -> bool:
    """Machines are noisy: one that seems slow is asked again."""
    if busy(pattern, text) < SOON:
        return False
    took = min(busy(pattern, text) for _ in range(3))
    return took > LATE or (took > SOON and min(busy(pattern, twice) for _ in range(3)) > GROWTH * took)


def slow_at(pattern: re.Pattern[str], length: int = LENGTH) -> str | None:
    pairs = zip(shapes(pattern, length), shapes(pattern, 2 * length), strict=True)
    return next((text[:60] for text, twice in pairs if is_slow(pattern, text, twice)), None)


@sampled
@pytest.mark.timeout(60)  # one that never comes back is ended here
@pytest.mark.parametrize("name", FOUND)
def test_a_pattern_is_done_with_any_text_in_no_time(name: str) -> None:
    assert slow_at(FOUND[name]) is None


def test_every_pattern_is_found_by_the_test() -> None:
    assert len(FOUND) > 40
    for module in ("words", "names", "paths", "commands", "summary", "command_output", "gather", "rank"):
        assert any(name.startswith(f"recovery.{module}.") for name in FOUND)
    assert "transcript.claude_code.MARK" in FOUND


@pytest.mark.timeout(60)
@pytest.mark.parametrize("slow", [KNOWN_SLOW.pattern, r"(?:[\w.@+-]+/)*Makefile", r"\s+$"])
def test_a_pattern_that_begins_anew_at_each_character_would_be_caught(slow: str) -> None:
    assert slow_at(re.compile(slow), LENGTH if slow == KNOWN_SLOW.pattern else 4000) is not None


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("slow", "length"),
    [(r"^(?:(?:also|and|also)[ ]+)*\Z", 95), (r"\b[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+\b", 20)],
)
def test_a_pattern_that_doubles_with_each_character_would_be_caught(slow: str, length: int) -> None:
    """At a length at which it can still be waited for."""
    pattern = re.compile(slow)
    assert any(busy(pattern, text) > SOON for text in shapes(pattern, length))
