"""What an agent is told to run has no numbers filled in (SPEC 5.1), and pasted as it stands says what is missing."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

from perdure.gate import policy
from perdure.install import skill
from tests.conftest import Cli
from tests.surfaces.test_hooks import Hooks

SOURCE = Path(__file__).parents[2] / "src" / "perdure"
FILLED_IN = re.compile(r"""(know|uncertainty)["']?[ :]+[0-9]""")
EXAMPLES = ("surfaces/cli/transitions.py", "surfaces/cli/demo.py", "surfaces/cli/config.py")
"""Where a person reads what a filled-in command looks like: help, and the demo."""
LOW = ("--know", "0.4", "--uncertainty", "0.6", "--because", "not yet")


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    return Hooks(cli)


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_text_of_the_program_hands_out_numbers_that_pass(path: Path) -> None:
    if str(path.relative_to(SOURCE)) in EXAMPLES:
        return
    tree = ast.parse(path.read_text())
    documented = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)]
    docstrings = {ast.get_docstring(node, clean=False) for node in documented}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in docstrings:
            assert not FILLED_IN.search(node.value), node.value


def test_help_shows_numbers_and_the_hints_around_it_do_not(cli: Cli) -> None:
    assert FILLED_IN.search(cli("preflight", "--help").out)
    for words in (
        ("preflight",),
        ("preflight", "--know", "1"),
        ("preflight", "--know", "nan", "--uncertainty", "0"),
        ("preflight", "-"),
        ("check", *LOW),
        ("postflight", *LOW),
        ("init",),
        ("recover",),
        ("status",),
        ("gate", "explain", "touch b"),
    ):
        said = cli(*words)
        assert not FILLED_IN.search(said.out + said.err), words


def test_the_skill_fills_no_numbers_in() -> None:
    assert not FILLED_IN.search(skill.text())
    assert policy.NUMBERS in skill.text()


def test_a_denial_names_the_command_without_numbers_and_says_whose_they_are(hooks: Hooks) -> None:
    denied = hooks.bash("touch b")
    assert f"To clear it: {policy.PREFLIGHT} ({policy.YOUR_OWN})" in denied
    assert not FILLED_IN.search(denied)
    assert not FILLED_IN.search(hooks.told("SessionStart", source="startup"))
    hooks.cli.ok("preflight", *LOW)
    denied = hooks.bash("touch b")
    assert f"To clear it: {policy.CHECK} ({policy.YOUR_OWN})" in denied
    assert not FILLED_IN.search(denied)
    assert hooks.bash(policy.PREFLIGHT) == hooks.bash(policy.CHECK) == "", "the way out is never blocked"


@pytest.mark.parametrize("command", [policy.PREFLIGHT, policy.CHECK, policy.POSTFLIGHT])
def test_a_command_pasted_as_it_stands_is_refused_with_the_field_and_its_range(cli: Cli, command: str) -> None:
    said = cli(*shlex.split(command)[1:], "--json")
    assert said.code == 2
    assert "--know: must be a number from 0.0 to 1.0, not 'K'" in said.error["message"]
    assert not [line for line in cli("export").out.splitlines() if '"transaction.' in line]


def test_json_pasted_as_it_stands_is_refused_with_what_is_meant(cli: Cli) -> None:
    form = next(line for line in skill.text().splitlines() if "echo" in line)
    said = cli("preflight", "-", input=shlex.split(form)[1])
    assert said.code == 2
    assert policy.YOUR_OWN in said.error["hint"]
    said = cli("preflight", "-", input='{"vectors": {"know": "K", "uncertainty": "U"}}')
    assert "vectors.know: must be a number from 0.0 to 1.0" in said.error["message"]


def test_the_whole_way_out_of_a_denial_can_be_walked_without_hooks(cli: Cli) -> None:
    """At a terminal: held back, told what counts there, and let through after doing just that."""
    assert cli.ok("preflight", *LOW)["gate"]["decision"] == "investigate"
    raised = cli("check", "--know", "0.9", "--uncertainty", "0.1")
    assert raised.code == 1
    advised = re.search(r"perdure (note finding) '…'", raised.out)
    assert advised
    cli.ok(*advised[1].split(), "the cart rounds twice")
    assert cli.ok("check", "--know", "0.9", "--uncertainty", "0.1")["decision"] == "proceed"
