"""CONTRIBUTING's recipes "Add an event kind" and "Add a command", carried out on a copy of the source, as written.

`LINES` has what is put into files that exist, `ACTION` and `COMMAND` are two new files: copy them as a beginning. A
guess has a document because it stays open until a second kind of event closes it.
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
MADE = """\
@value
class GuessMade:
    text: str


"""
CLOSED = """\
@value
class GuessClosed:
    guess_id: str
    because: str | None = None


"""
KINDS = """\
    "guess.made": (GuessMade, 1),
    "guess.closed": (GuessClosed, 1),
"""
STEPS = """
def _guess_made(event: Event, _: Read) -> list[Change]:
    guess = Guess(event.id, event.ledger_id, event.seq)
    return [Document(kind="guess", id=event.id, live=True, clock=event.clock, body=guess)]


def _guess_closed(event: Event, _: Read) -> list[Change]:
    said = p.read(event, p.GuessClosed)
    return [Removed("guess", said.guess_id)] if said else []


"""
LINES = {
    "model/payload.py": [
        ("NOTE_KINDS: dict[str, str] = {\n", MADE + CLOSED),
        ('    "decision.made": (DecisionMade, 1),\n', KINDS),
        ('    "goal.created": ("title",),\n', '    "guess.made": ("text",),\n'),
    ],
    "model/state.py": [
        (
            "DOCUMENTS: dict[str, type] = {\n",
            "@value\nclass Guess:\n    id: str\n    ledger_id: str\n    seq: int\n\n\n",
        ),
        ('    "note": OpenNote,\n', '    "guess": Guess,\n'),
        ("_STEPS: dict[str, Callable[[Event, Read], list[Change]]] = {\n", STEPS),
        (
            '    "decision.made": _decision_made,\n',
            '    "guess.made": _guess_made,\n    "guess.closed": _guess_closed,\n',
        ),
    ],
    "gate/effects/judge_by_code/own.py": [
        ("    check-submit postflight-submit", "    guess\n"),
        ('    "claim": frozenset(["list", "check"]),\n', '    "guess": frozenset(["list"]),\n'),
    ],
    "surfaces/cli/__init__.py": [
        ('    "note": ("note", "record', '    "guess": ("guess", "make, list, close: what you take to be so"),\n'),
    ],
}
"""By file: what is put in, each before a line that stands there."""
ACTION = '''\
"""Guesses: what somebody takes to be so, until it is closed."""

from __future__ import annotations

from perdure.actions import lookup
from perdure.actions.attribution import marked_foreign, record_event
from perdure.errors import BadInput
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import LedgerId
from perdure.model.state import Guess
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event


@value
class GuessView:
    id: str
    text: str
    other_ledger: str | None
    """The other machine's ledger that it came from."""

    def marked(self, text: str) -> str:
        return marked_foreign(self.other_ledger, text)


def make(desk: Desk, text: str) -> GuessView:
    if not text.strip():
        raise BadInput("empty_text", "A guess needs a text.", hint="perdure guess make 'the cache is stale'")
    return _view(desk, record_event(desk, "guess.made", p.GuessMade(text)))


def open_ones(desk: Desk, limit: int = 100) -> list[GuessView]:
    """The newest first."""
    bodies = [found.body for found in desk.ledger.documents("guess", limit=limit)]
    refs = [Ref(LedgerId(body.ledger_id), body.seq) for body in bodies if isinstance(body, Guess)]
    return [_view(desk, event) for ref in refs if (event := desk.ledger.event(ref))]


def close(desk: Desk, typed: str, because: str | None) -> str:
    """The guess's whole id. `typed` may be its first characters."""
    found = lookup.document(desk.ledger, "guess", typed, listed_by="perdure guess list")
    record_event(desk, "guess.closed", p.GuessClosed(found.id, because))
    return found.id


def _view(desk: Desk, event: Event) -> GuessView:
    said = p.read(event, p.GuessMade)
    return GuessView(id=event.id, text=said.text if said else "(erased)", other_ledger=desk.other_ledger(event))
'''
"""`actions/guesses.py`. `desk` is the open project: its ledger, its settings, who works there."""
COMMAND = '''\
"""guess: make, list, close."""

from __future__ import annotations

from perdure.actions import guesses
from perdure.actions.wiring import open_desk
from perdure.model.ids import short
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.output import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments


def _make_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="the guess")


def _close_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the guess")
    parser.add_argument("--because", metavar="TEXT", help="what settled it")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(  # adds --json, --project-path, --instance and --session-id to each verb
        parser,
        {
            "make": ("record a guess", _make_flags),
            "list": ("list the open guesses", lambda _: None),
            "close": ("close a guess", _close_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"make": _make, "list": _list, "close": _close}[arguments.verb](arguments)


def _make(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        made = guesses.make(desk, arguments.text)
    data: Json = {"guess_id": made.id}  # for programs; the text is for people
    return Answer(data, lambda style: f"{style('bold', 'Guess ' + short(made.id))}  {one_line(made.text)}")


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = guesses.open_ones(desk)
    data: Json = [{"guess_id": each.id, "text": each.text, "other_ledger": each.other_ledger} for each in found]
    lines = [f"{short(each.id)}  {each.marked(one_line(each.text))}" for each in found]
    return Answer(data, lambda _: "\\n".join(lines) or "no open guess")


def _close(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        closed = guesses.close(desk, arguments.id, arguments.because)
    return Answer({"guess_id": closed}, lambda style: f"{style('green', 'closed')}  {short(closed)}")


COMMANDS: dict[str, Command] = {
    "guess": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure guess make 'the cache is stale'\\nperdure guess list\\n"
            "perdure guess close 3f2a91c4 --because 'it was the clock'"
        ),
        about="Guesses: what you take to be so and have not checked.",
    )
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
    assert cli("gate", "explain", "--json", "perdure guess make 'the cache is stale'").json["verdict"] == "pass"
    cli.ok("guess", "make", "the cache is stale")
    made = cli.ok("guess", "make", "the cookie is old")["guess_id"]
    exported = [json.loads(line) for line in cli("export").out.splitlines()]
    (last,) = [each for each in exported if each["id"] == made]
    assert (last["kind"], last["schema"], last["payload"]) == ("guess.made", 1, {"text": "the cookie is old"})
    assert cli.ok("audit", "verify")["whole"] is True
    assert "guess" in cli("help").out
    assert "stale" in cli("recover", "--query", "stale").out
    refused = cli("guess", "make", " ", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "empty_text")

    os.unlink(cli.cwd / ".perdure" / "ledger.db")
    cli.ok("heal")
    assert texts_of_open_guesses(cli) == ["the cookie is old", "the cache is stale"]


def test_a_second_kind_of_event_closes_what_the_first_one_opened(cli: Cli) -> None:
    stale = cli.ok("guess", "make", "the cache is stale")["guess_id"]
    cli.ok("guess", "make", "the cookie is old")
    cli.ok("guess", "close", stale[:8], "--because", "it was the clock")
    assert texts_of_open_guesses(cli) == ["the cookie is old"]
    assert "the cookie is old" in cli("guess", "list").out
    again = cli("guess", "close", stale[:8], "--json")
    assert (again.code, again.json["error"]["code"]) == (1, "no_such_guess")


def texts_of_open_guesses(cli: Cli) -> list[str]:
    return [each["text"] for each in cli.ok("guess", "list")]


@pytest.mark.long
def test_what_the_recipe_adds_has_the_right_types(copy: Path) -> None:
    changed = [copy / "perdure" / name for name in (*LINES, *NEW_FILES)]
    words = [sys.executable, "-m", "mypy", "--config-file", str(SOURCE.parent / "pyproject.toml"), *changed]
    cache = {**os.environ, "MYPYPATH": str(copy), "MYPY_CACHE_DIR": str(copy.parent / "cache")}
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=copy.parent, env=cache)
    assert done.returncode == 0, done.stdout


def test_what_the_recipe_adds_keeps_the_rules_for_the_source(copy: Path) -> None:
    changed = [copy / "perdure" / name for name in (*LINES, *NEW_FILES)]
    for check in (("check",), ("format", "--check")):
        words = [sys.executable, "-m", "ruff", *check, "--config", str(SOURCE.parent / "pyproject.toml"), *changed]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    assert {path.name: broken for path in changed if (broken := broken_rules(ast.parse(path.read_text())))} == {}
