"""What every command has in common: its flags, its input, its answer."""

from __future__ import annotations

import argparse
import json
import os
import sys

from perdure.actions.wiring import Request
from perdure.errors import BadInput
from perdure.model.value import value
from perdure.place.resolve import Explicit
from perdure.place.surroundings import HookInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeAlias

    from perdure.model.json import Json
    from perdure.surfaces.output import Style

    Arguments: TypeAlias = argparse.Namespace

LARGEST_INPUT = 1 << 20


@value
class Answer:
    """What a command found, for programs and for people; `text` is only made when a person is there."""

    data: Json
    text: Callable[[Style], str]
    exit_code: int = 0
    as_json: bool = False


@value
class Command:
    run: Callable[[Arguments], Answer]
    flags: Callable[[argparse.ArgumentParser], None]
    examples: str
    about: str


class Parser(argparse.ArgumentParser):
    """Wrong words are an error like any other: named, with the way out, and JSON where JSON was asked for."""

    def error(self, message: str) -> NoReturn:
        raise BadInput("usage", f"{self.prog}: {message}.", hint=f"{self.prog} --help shows examples.")


def parser_for(name: str, command: Command) -> Parser:
    parser = Parser(
        prog=f"perdure {name}",
        description=command.about,
        epilog="examples:\n" + "\n".join(f"  {line}" for line in command.examples.strip().splitlines()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.flags(parser)
    return parser


def common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="answer with one JSON value")
    place = parser.add_argument_group("place")
    place.add_argument("--project-path", metavar="PATH", help="the project, or its .perdure folder")
    place.add_argument("--instance", metavar="ID", help="act as this instance (CI and scripts: PERDURE_INSTANCE)")
    place.add_argument("--session-id", metavar="ID", help="act in this session")


def client_flags(parser: argparse.ArgumentParser) -> None:
    client = parser.add_argument_group("client")
    client.add_argument("--client", metavar="NAME", help="the program that runs the agent, such as claude-code")
    client.add_argument("--client-session-id", metavar="ID", help="the client's own session id")
    client.add_argument("--client-pid", metavar="PID", type=int, help="the client's process, where it is not above us")


def request(arguments: Arguments, **explicit: str | None) -> Request:
    given = {name: getattr(arguments, name, None) for name in ("project_path", "instance", "session_id")}
    given.update({name: content for name, content in explicit.items() if content is not None})
    hook = HookInput(
        getattr(arguments, "client", None),
        getattr(arguments, "client_session_id", None),
        getattr(arguments, "client_pid", None),
    )
    return Request(_cwd(), dict(os.environ), Explicit(**given), hook)


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise BadInput("no_cwd", "The working directory is gone.", hint="cd into an existing folder.") from None


def subcommands(
    parser: argparse.ArgumentParser, verbs: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]]
) -> None:
    chosen = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    for verb, (about, flags) in verbs.items():
        below = chosen.add_parser(verb, help=about, description=about.capitalize() + ".", allow_abbrev=False)
        flags(below)
        common(below)


# -- JSON on standard input ----------------------------------------------------------------------------------------


def read_input() -> dict[str, Any]:
    """The JSON object on standard input; every way it can be wrong is said in a sentence (SPEC 17.3)."""
    raw = sys.stdin.buffer.read(LARGEST_INPUT + 1)
    return parse_input(raw)


def parse_input(raw: bytes) -> dict[str, Any]:
    if len(raw) > LARGEST_INPUT:
        raise _bad("is larger than 1 MiB", "Send the assessment only; keep long texts in files.")
    if not raw.strip():
        raise _bad(
            "is empty", 'Pipe JSON in: echo \'{"vectors": {"know": 0.8, "uncertainty": 0.2}}\' | perdure preflight -'
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in raw[:64]:
            raise _bad("is UTF-16, not UTF-8", "Convert it: iconv -f UTF-16 -t UTF-8") from None
        raise _bad("is not UTF-8", "Send UTF-8 text.") from None
    if "\0" in text[:64]:
        raise _bad("is UTF-16 or binary, not UTF-8", "Convert it: iconv -f UTF-16 -t UTF-8")
    try:
        given = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        where = (
            f" (line {error.lineno}, column {error.colno}: {error.msg})"
            if isinstance(error, json.JSONDecodeError)
            else ""
        )
        raise _bad(f"is not JSON{where}", "Check quotes, commas and braces.") from None
    if not isinstance(given, dict):
        raise _bad("is not a JSON object", 'It must look like {"vectors": {…}, "reasoning": "…"}')
    return given


def _bad(why: str, hint: str) -> BadInput:
    return BadInput("bad_input", f"What came on standard input {why}. Nothing was written.", hint=hint)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput("bad_input", f"The field '{twice[:40]}' stands twice on standard input. Nothing was written.")
    return found


def text_field(given: dict[str, Any], name: str, required: bool = False) -> str | None:
    content = given.get(name)
    if content is None and not required:
        return None
    if not isinstance(content, str):
        raise BadInput("bad_field", f"{name}: must be a string.", details={"field": name})
    return content


def unknown_fields(given: dict[str, Any], known: tuple[str, ...]) -> list[str]:
    return sorted(set(given) - set(known))
