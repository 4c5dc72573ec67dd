"""CONTRIBUTING's recipes "Add an event kind" and "Add a command", carried out on a copy of the source, as written.

`LINES` has what is put into files that exist, `ACTION` and `COMMAND` are two new files: copy them as a beginning. A
guess has a document only because it is to be closed later; the kind that closes it is left out here.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from perdure.actions import projects
from perdure.actions.request import Request
from tests.conftest import Cli
from tests.test_shape import broken_rules

SOURCE = Path(__file__).parents[2] / "src"
LINES = {
    "model/payload.py": [
        ("NOTE_KINDS: dict[str, str] = {\n", "@value\nclass GuessMade:\n    text: str\n\n\n"),
        ('    "decision.made": (DecisionMade, 1),\n', '    "guess.made": (GuessMade, 1),\n'),
        ('    "goal.created": ("title",),\n', '    "guess.made": ("text",),\n'),
    ],
    "model/state.py": [
        (
            "DOCUMENTS: dict[str, type] = {\n",
            "@value\nclass Guess:\n    id: str\n    ledger_id: str\n    seq: int\n\n\n",
        ),
        ('    "note": OpenNote,\n', '    "guess": Guess,\n'),
        (
            "_STEPS: dict[str, Callable[[Event, Read], list[Change]]] = {\n",
            "\ndef _guess_made(event: Event, _: Read) -> list[Change]:\n"
            "    guess = Guess(event.id, event.ledger_id, event.seq)\n"
            '    return [Document(kind="guess", id=event.id, live=True, clock=event.clock, body=guess)]\n\n\n',
        ),
        ('    "decision.made": _decision_made,\n', '    "guess.made": _guess_made,\n'),
    ],
    "gate/effects/judge_by_code/own.py": [("    check-submit postflight-submit", "    guess\n")],
    "surfaces/cli/__init__.py": [
        ('    "note": ("note", "record', '    "guess": ("guess", "keep what you take to be so"),\n'),
    ],
}
"""By file: what is put in, each before a line that stands there."""
ACTION = '''\
"""Guesses: what somebody takes to be so, and has not checked."""

from __future__ import annotations

from perdure.actions.attribution import record_event
from perdure.errors import BadInput
from perdure.model import payload as p

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event


def make(desk: Desk, text: str) -> Event:
    if not text.strip():
        raise BadInput("empty_text", "A guess needs a text.", hint="perdure guess 'the cache is stale'")
    return record_event(desk, "guess.made", p.GuessMade(text))


def count(desk: Desk) -> int:
    return len(desk.ledger.documents("guess"))
'''
"""`actions/guesses.py`. `desk` is the open project: its ledger, its settings, who works there."""
COMMAND = '''\
"""guess: keep what you take to be so."""

from __future__ import annotations

from perdure.actions import guesses
from perdure.actions.wiring import open_desk
from perdure.surfaces.cli.command import Answer, Command, common, request

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="the guess")
    common(parser)  # --json, --project-path, --instance, --session-id


def _run(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:  # only to read: open_desk(…, writable=False)
        made = guesses.make(desk, arguments.text)
        count = guesses.count(desk)

    def text(style: Style) -> str:
        return f"{style('bold', 'Guess ' + made.id[:8])}  {arguments.text}"

    return Answer({"guess_id": made.id, "guesses": count}, text)  # for programs, for people


COMMANDS: dict[str, Command] = {
    "guess": Command(run=_run, flags=_flags, examples="perdure guess 'the cache is stale'", about="Keeps a guess.")
}
'''
"""`surfaces/cli/guess.py`."""
NEW_FILES = {"actions/guesses.py": ACTION, "surfaces/cli/guess.py": COMMAND}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The source with everything added to it."""
    copy = tmp_path / "src"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, inserted in LINES.items():
        path = copy / "perdure" / name
        text = path.read_text()
        for line, added in inserted:
            assert text.count(line) == 1, (name, line)
            text = text.replace(line, added + line)
        path.write_text(text)
    for name, text in NEW_FILES.items():
        (copy / "perdure" / name).write_text(text)
    return copy


@pytest.fixture
def cli(repository: Path, environment: dict[str, str], copy: Path) -> Cli:
    """The program from the copy, in a project."""
    projects.init(Request(str(repository), environment), None, None)
    variables = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "PERDURE_INSTANCE": "left"}
    return Cli(repository, {**environment, **variables})


def test_a_made_up_event_is_recorded_by_its_command_folded_found_and_audited(cli: Cli) -> None:
    assert cli("gate", "explain", "--json", "perdure guess 'the cache is stale'").json["verdict"] == "pass"
    cli.ok("guess", "the cache is stale")
    said = cli.ok("guess", "the cookie is old")
    assert said["guesses"] == 2
    exported = [json.loads(line) for line in cli("export").out.splitlines()]
    (last,) = [each for each in exported if each["id"] == said["guess_id"]]
    assert (last["kind"], last["schema"], last["payload"]) == ("guess.made", 1, {"text": "the cookie is old"})
    assert cli.ok("audit", "verify")["whole"] is True
    assert "guess" in cli("help").out
    assert "stale" in cli("recover", "--query", "stale").out
    refused = cli("guess", " ", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "empty_text")

    os.unlink(cli.cwd / ".perdure" / "ledger.db")
    cli.ok("heal")
    assert cli.ok("guess", "the clock is slow")["guesses"] == 3


def test_what_the_recipe_adds_keeps_the_rules_for_the_source(copy: Path) -> None:
    changed = [copy / "perdure" / name for name in (*LINES, *NEW_FILES)]
    for check in (("check",), ("format", "--check")):
        words = [sys.executable, "-m", "ruff", *check, "--config", str(SOURCE.parent / "pyproject.toml"), *changed]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    assert {path.name: broken for path in changed if (broken := broken_rules(ast.parse(path.read_text())))} == {}
