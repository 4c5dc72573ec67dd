"""What an agent is taught is true: every command in it is one the program has."""

from __future__ import annotations

import re
import shlex
from importlib import import_module

import pytest

from perdure.gate.effects.analysis import analyse
from perdure.gate.effects.finding import FORBIDDEN, PRAXIC, TRANSITION
from perdure.install import skill
from perdure.install.digest_line import is_untouched
from perdure.surfaces.cli import COMMANDS
from perdure.surfaces.cli.parser import parser_for
from tests.gate.worlds import world

TAUGHT = [line.strip() for line in skill.text().splitlines() if line.startswith("    ")]


@pytest.mark.parametrize("line", TAUGHT)
def test_every_command_is_understood(line: str) -> None:
    words = shlex.split(line.rpartition(" | ")[2])
    assert words[0] == "perdure"
    command = import_module(f"perdure.surfaces.cli.{COMMANDS[words[1]][0]}").COMMANDS[words[1]]
    numbers = {"K": "0.5", "U": "0.5", "C": "0.5"}  # which whoever runs it fills in
    parser_for(words[1], command).parse_all([numbers.get(word, word) for word in words[2:]])


@pytest.mark.parametrize("line", TAUGHT)
def test_the_gate_lets_every_one_of_them_pass(line: str) -> None:
    assert analyse(line, world()).effect == TRANSITION


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("perdure init", PRAXIC),
        ("perdure init --scope user --yes", PRAXIC),
        ("perdure init --plugin /repo/x", PRAXIC),
        ("perdure init --allow", FORBIDDEN),
        ("X=1 perdure init --allow", FORBIDDEN),
        ("perdure uninstall", FORBIDDEN),
        ("perdure uninstall --purge --yes", FORBIDDEN),
        ("timeout 9 perdure uninstall --scope user", FORBIDDEN),
    ],
)
def test_an_agent_neither_disarms_the_guard_nor_widens_its_permissions(line: str, effect: str) -> None:
    assert analyse(line, world()).effect == effect


def test_it_teaches_what_an_agent_needs_and_no_more() -> None:
    text = skill.text()
    head = re.match(r"---\nname: perdure\ndescription: (.+)\n---\n", text)
    assert head
    assert len(head[1]) < 200
    assert {shlex.split(line.rpartition(" | ")[2])[1] for line in TAUGHT} >= {
        *("preflight", "check", "postflight", "decide", "note", "status", "where")
    }
    for word in ("denial", "subagent", "heredoc", "pipe"):
        assert word in text.lower()
    lines = [line for line in text.splitlines() if line]
    assert len(lines) <= 44
    assert all(len(line) <= 122 for line in lines)
    assert is_untouched(text)
    assert not is_untouched(text.replace("honest", "bold"))
