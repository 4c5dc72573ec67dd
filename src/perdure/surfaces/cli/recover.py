"""recover: what whoever goes on must know, within a budget of tokens (SPEC 12)."""

from __future__ import annotations

import argparse
import sys

from perdure.actions import recovering
from perdure.errors import BadInput
from perdure.model.ids import shown
from perdure.surfaces.cli.command import Answer, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.recovering import Recovered
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments

_MOST = 1_000_000


def _tokens(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text[:9]) <= _MOST or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number of tokens")
    return int(text)


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--transcript", metavar="FILE", help="a client's own transcript; no project is needed")
    parser.add_argument("--until", metavar="UUID", help="read only what stands before the event with this uuid")
    parser.add_argument(
        "--max-tokens",
        metavar="N",
        type=_tokens,
        default=recovering.BRIEF_TOKENS,
        help=f"the whole answer's budget, as cl100k counts (default: {recovering.BRIEF_TOKENS})",
    )
    parser.add_argument("--why", action="store_true", help="say of each line where it comes from")
    parser.add_argument("--json", action="store_true", help="answer with one JSON value")


def _run(arguments: Arguments) -> Answer:
    if arguments.transcript is None:
        raise BadInput("usage", "Name a transcript.", hint="perdure recover --transcript FILE")
    found = recovering.from_transcript(arguments.transcript, arguments.until, arguments.max_tokens)
    if arguments.until is not None and not found.met_until:
        print(f"perdure: {shown(arguments.until)} does not occur; the whole transcript was read", file=sys.stderr)
    if found.skipped:
        print(f"perdure: {found.skipped:,} lines of the transcript could not be read", file=sys.stderr)
    return Answer(_data(found), lambda _: _text(found, arguments.why))


def _data(found: Recovered) -> dict[str, Json]:
    return {
        "brief": found.text,
        "skipped_lines": found.skipped,
        "sections": [
            {"title": section.title, "lines": [{"text": line.text, "why": line.why} for line in section.lines]}
            for section in found.sections
        ],
    }


def _text(found: Recovered, why: bool) -> str:
    if not why:
        return found.text
    rows = [f"{line.text}\n    {line.why}" for section in found.sections for line in section.lines]
    return "\n".join([found.text, "", "why each line, those that did not fit too:", *rows])


COMMANDS: dict[str, Command] = {
    "recover": Command(
        _run,
        _flags,
        "perdure recover --transcript session.jsonl --max-tokens 500\n"
        "perdure recover --transcript session.jsonl --until 2b3807e1-f32c-46dd-a9de-30ef291b0643 --why",
        "A brief of what matters next, from a client's own transcript: the person's last words and rules, errors still "
        "open, files, names, commands, open items. The whole answer stays within the budget.",
    )
}
