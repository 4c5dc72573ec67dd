"""What every command has in common: its flags, its input, its answer. The parser is in `parser.py`: a command without
flags does not load it."""

from __future__ import annotations

import os
import sys

from perdure.actions.record import refuse_credential
from perdure.actions.request import Request
from perdure.clients import DEFAULT
from perdure.errors import BadInput
from perdure.model.ids import shown, token_of
from perdure.model.value import value
from perdure.place.resolve import Explicit
from perdure.place.surroundings import StatedClient

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from perdure.model.json import Json
    from perdure.surfaces.output import Style

    Arguments: TypeAlias = argparse.Namespace

LARGEST_INPUT = 1 << 20
_DEEPEST = 64
EXAMPLES = "examples:"
"""Heads what a person copies from a help text."""
_LARGEST_NUMBER = 1_000_000
"""The most that a flag such as `--limit` takes."""


@value
class Answer:
    """A command's answer, for programs and for people. `text` is called only if a person reads it."""

    data: Json
    text: Callable[[Style], str]
    exit_code: int = 0
    as_json: bool = False
    exact: str = ""
    """The exact bytes for a file or a pipe, with `--json` and without."""
    is_verbatim: bool = False
    """The lines stay as they are, however narrow the terminal is."""


@value
class Command:
    run: Callable[[Arguments], Answer]
    flags: Callable[[argparse.ArgumentParser], None]
    examples: str
    about: str


PLACE_FLAGS = ("--project-path", "--instance", "--session-id")


def common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    place_flags(parser)


def place_flags(parser: argparse.ArgumentParser) -> None:
    place = parser.add_argument_group("place")
    place.add_argument("--project-path", metavar="PATH", help="the project, or its .perdure folder")
    place.add_argument("--instance", metavar="ID", help="act as this pane or client (CI, scripts: PERDURE_INSTANCE)")
    place.add_argument("--session-id", metavar="ID", help="act in this session")


def client_flags(parser: argparse.ArgumentParser) -> None:
    client = parser.add_argument_group("client")
    client.add_argument("--client", metavar="NAME", help=f"the program that runs the agent, such as {DEFAULT}")
    client.add_argument("--client-session-id", metavar="ID", help="the client's own session id")
    client.add_argument(
        "--client-pid", metavar="PID", type=int, help="the client's process id, if it is not an ancestor of this one"
    )


def limit_flag(parser: argparse.ArgumentParser, default: int = 20, about: str = "how many, newest first") -> None:
    parser.add_argument("--limit", type=count, default=default, metavar="N", help=f"{about} (default: {default})")


def count(text: str) -> int:
    """For `--limit`."""
    return whole_number(text, 1)


def whole_number(text: str, least: int) -> int:
    """`least` is for the message. The action refuses a smaller number itself, in its own words."""
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:9]) <= _LARGEST_NUMBER or len(text) > 9:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"{shown(text)} is not a whole number from {least} to {_LARGEST_NUMBER:,}")
    return int(text)


def task_of(text: str | None) -> str | None:
    return None if text is None else token_of(refuse_credential(text, "The task id"), "The task id")


def request(arguments: Arguments, **explicit: str | None) -> Request:
    given = {name: getattr(arguments, name, None) for name in ("project_path", "instance", "session_id")}
    for name, content in given.items():
        if content == "":  # mostly an unset variable of the caller: to ignore it would be a guess
            raise BadInput("usage", f"--{name.replace('_', '-')} is empty.", hint="Give a value, or leave it out.")
    given.update({name: content for name, content in explicit.items() if content is not None})
    for name in ("client", "client_session_id", "instance"):
        _refuse_credential(getattr(arguments, name, None), name)
    stated_client = StatedClient(
        getattr(arguments, "client", None),
        getattr(arguments, "client_session_id", None),
        getattr(arguments, "client_pid", None),
        by_flags=True,
    )
    arguments.notices = []
    named = Explicit(given["project_path"], given["instance"], given["session_id"])
    return Request(
        cwd=_cwd(),
        environment=dict(os.environ),
        explicit=named,
        stated_client=stated_client,
        program=own_program(),
        tell=arguments.notices.append,
    )


def own_program() -> str:
    """The path of the `perdure` beside this interpreter, if there is one."""
    beside = os.path.join(os.path.dirname(sys.executable), "perdure")
    return beside if os.path.exists(beside) else ""


def _refuse_credential(text: str | None, name: str) -> None:
    """These become file names and the actor of events, which can be neither masked nor erased."""
    if text:
        from perdure.masking import mask_text

        if mask_text(text)[1]:
            raise BadInput("looks_secret", f"--{name.replace('_', '-')} looks like a credential and is not stored.")


def _cwd() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise BadInput("no_cwd", "The working directory is gone.", hint="cd into an existing folder.") from None


def subcommands(
    parser: argparse.ArgumentParser, verbs: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]]
) -> None:
    """Each verb shows those of the command's examples that are about it."""
    from perdure.surfaces.cli.parser import Help, VerbParser

    chosen = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=VerbParser)
    examples = (parser.epilog or "").splitlines()
    for verb, (about, flags) in verbs.items():
        own = [line for line in examples if line.split()[2:3] == [verb]]
        chosen.add_parser(
            verb,
            flags=flags,
            help=about,
            description=about[0].upper() + about[1:] + ".",
            epilog="\n".join([EXAMPLES, *own]) if own else None,
            allow_abbrev=False,
            formatter_class=Help,
        )


# -- JSON on standard input ----------------------------------------------------------------------------------------


def read_input(example: str, meaning: str = "") -> dict[str, Any]:
    """Reads the JSON object on standard input. Each way in which it can be wrong has its own message, with an example
    of what is expected (SPEC 17.3). `meaning` explains the placeholders in the example."""
    raw = sys.stdin.buffer.read(LARGEST_INPUT + 1)
    return parse_input(raw, "Standard input", example, meaning=meaning)


def parse_input(raw: bytes, source: str, example: str = '{"field": …}', *, meaning: str = "") -> dict[str, Any]:
    """The JSON object in `raw`. `source` names where it comes from in an error."""
    if len(raw) > LARGEST_INPUT:
        raise _bad_input(source, "is larger than 1 MiB", "Keep long texts in files, and name their paths.")
    if not raw.strip():
        raise _bad_input(source, "is empty", f"Pipe a JSON object in: echo '{example}' | perdure … -")
    text = _decoded_input(raw, source)
    import json

    try:
        given = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        where = ""
        if isinstance(error, json.JSONDecodeError):
            where = f" (line {error.lineno}, column {error.colno}: {error.msg})"
        expected = f"Check quotes, commas and braces. It must look like {example}. {meaning}".rstrip()
        raise _bad_input(source, f"is not JSON{where}", expected) from None
    if not isinstance(given, dict):
        raise _bad_input(source, "is not a JSON object", f"It must look like {example}")
    if _is_too_deep(given):
        why = f"is nested more than {_DEEPEST} levels deep"
        raise _bad_input(source, why, "Keep the structure in a file and name its path.")
    return given


def _decoded_input(raw: bytes, source: str) -> str:
    """The text, which must be UTF-8. UTF-16 has its own message: some shells send it."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in raw[:64]:
            raise _bad_input(source, "is UTF-16, not UTF-8", "Convert it: iconv -f UTF-16 -t UTF-8") from None
        raise _bad_input(source, "is not UTF-8", "Send UTF-8 text.") from None
    if "\0" in text[:64]:
        raise _bad_input(source, "is UTF-16 or binary, not UTF-8", "Convert it: iconv -f UTF-16 -t UTF-8")
    return text


def _bad_input(source: str, why: str, hint: str) -> BadInput:
    return BadInput("bad_input", f"{source} {why}. Nothing was written.", hint=hint)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, content in pairs:
        if name in found:
            raise BadInput("bad_input", f"The field {shown(name)} occurs twice in one object. Nothing was written.")
        found[name] = content
    return found


def _is_too_deep(given: Any) -> bool:
    level = [given]
    for _ in range(_DEEPEST):
        below = []
        for whole in level:
            parts = whole.values() if isinstance(whole, dict) else whole
            below += [part for part in parts if isinstance(part, dict | list)]
        if not below:
            return False
        level = below
    return True


def text_field(given: dict[str, Any], name: str, required: bool = False) -> str | None:
    content = given.get(name)
    if content is None and not required:
        return None
    if not isinstance(content, str):
        raise BadInput("bad_field", f"{name}: must be a string.", details={"field": name})
    return content


def unknown_fields(given: dict[str, Any], known: tuple[str, ...]) -> list[str]:
    return sorted(set(given) - set(known))
