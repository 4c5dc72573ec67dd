"""Every command of the table is judged as its label says (SPEC 5.4). The table is independent of the rules."""

from __future__ import annotations

import pytest

from perdure.gate.effects.analysis import analyse

from .table import attacks, sessions, shell, text_and_files, tools
from .worlds import world

TABLES = {
    "shell": shell.CASES,
    "text_and_files": text_and_files.CASES,
    "tools": tools.CASES,
    "attacks": attacks.CASES,
}
CASES = [(effect, command, why) for cases in TABLES.values() for effect, command, why, _ in cases]
MISJUDGED_BUT_SAFE = {
    "cat <<EOF\na\\\nEOF\nrm b.txt\nEOF": "a heredoc whose end follows a joined line: shells differ, so it is refused",
    "mktemp /tmp/tf.XXXXXX; mktemp -t tf.XXXXXX": "macOS reads -t as a prefix, which may hold a path",
    "mktemp -u name.XXXX": "a template in the working folder, though only tried",
    "git help -a | head -5; git --exec-path": "--exec-path with a value chooses git's own programs",
    "tsc --noEmit --pretty false | grep -c 'error TS' || true": "`false` may turn --noEmit off",
}
"""Readers that are taken for praxic, and why that stays so."""


TOGETHER = 100
"""A test for each command would take three times as long; a wrong verdict is named with its command all the same."""


@pytest.mark.parametrize("start", range(0, len(CASES), TOGETHER))
def test_a_command_has_the_effect_its_manual_says(start: int) -> None:
    wrong = [said for effect, command, why in CASES[start : start + TOGETHER] if (said := _wrong(effect, command, why))]
    assert not wrong, "\n\n".join(wrong)


def _wrong(effect: str, command: str, why: str) -> str:
    found = analyse(command, world())
    if command in MISJUDGED_BUT_SAFE:
        return "" if found.effect == "praxic" else f"{command}\nit is judged well now: take it off the list"
    if found.effect == effect or (effect, found.effect) == ("praxic", "forbidden"):
        return ""
    return f"{command}\n{effect} in the table ({why}), judged {found.effect}: {found.reason}"


def test_the_table_is_large_and_balanced() -> None:
    effects = [effect for effect, _, _ in CASES]
    praxic = sum(effect in ("praxic", "forbidden") for effect in effects)
    everything = len(CASES) + len(sessions.COMMANDS)
    assert everything >= 600
    assert 0.4 <= praxic / everything <= 0.6


def test_no_command_stands_in_the_table_twice() -> None:
    commands = [command for _, command, _ in CASES]
    assert sorted({c for c in commands if commands.count(c) > 1}) == []


def test_nearly_all_readers_pass() -> None:
    readers = [command for effect, command, _ in CASES if effect == "noetic"]
    assert len(MISJUDGED_BUT_SAFE) <= 0.01 * len(readers)


def test_an_agent_that_looks_around_is_hardly_ever_stopped() -> None:
    """The bar for commands that others ran is nineteen of twenty."""
    stopped = [command for command in sessions.COMMANDS if analyse(command, world()).effect != "noetic"]
    assert len(stopped) <= 0.04 * len(sessions.COMMANDS), "\n".join(stopped)


@pytest.mark.parametrize(
    "command",
    [
        'n=$(grep -n beta a.txt | head -1 | cut -d: -f1); sed -n "${n},$((n+2))p" a.txt',
        'x=srcdocs; ls ${x:0:3}; sort "${x:0:3}/app.py"',
        "f=a.txt; n=$(grep -n 'def main' $f | head -1 | cut -d: -f1); sed -n ${n},$((n+9))p $f",
        'f=a.txt; n=$(grep -n x "$f" | cut -d: -f1); sed -n "${n},$((n+9))p" "$f"',
    ],
)
def test_a_reader_may_calculate_in_one_line(command: str) -> None:
    """Not in the table: of several lines, bash may give up one whose arithmetic fails. Which cannot is not known."""
    assert analyse(command, world()).effect == "noetic"
