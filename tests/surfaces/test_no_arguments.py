"""A command without words is parsed without argparse, and gets what argparse would give it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from random import Random
from shlex import quote as quote_of_shlex

import pytest

from perdure.errors import BadInput
from perdure.model.shell_quote import quote
from perdure.surfaces.cli import COMMANDS
from perdure.surfaces.cli.no_arguments import default_arguments
from perdure.surfaces.cli.parser import parser_for


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_without_words_gets_what_the_parser_gives(name: str) -> None:
    command = import_module(f"perdure.surfaces.cli.{COMMANDS[name][0]}").COMMANDS[name]
    given = default_arguments(command)
    try:
        parsed = vars(parser_for(name, command).parse_all([]))
    except BadInput:
        assert given is None
        return
    assert given is None or vars(given) == parsed


def test_status_loads_no_parser_and_no_module_that_it_does_not_need() -> None:
    code = (
        "import sys; before = set(sys.modules); from perdure.surfaces.cli import status, no_arguments; "
        "no_arguments.default_arguments(status.COMMANDS['status']); print(*(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert not {"argparse", "json", "re", "shlex", "contextlib"} & set(done.stdout.split())


def test_a_word_is_quoted_as_shlex_does() -> None:
    random = Random(7)
    for _ in range(5000):
        text = "".join(random.choices("ab9_@%+=:,./-'\"$ \\\n\té漢\0~*", k=random.randrange(6)))
        assert quote(text) == quote_of_shlex(text)
