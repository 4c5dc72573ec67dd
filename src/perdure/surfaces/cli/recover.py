"""recover: what the next session must know, within a token budget (SPEC 12)."""

from __future__ import annotations

import argparse
import sys

from perdure.actions import recovering
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.ids import shown
from perdure.model.plural import counted
from perdure.recovery.brief import LEAST
from perdure.surfaces.cli.command import Answer, Command, common, request, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.recovering import Recovered
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments

_STANDARD_INPUT = "/dev/stdin"


def _tokens(text: str) -> int:
    return whole_number(text, LEAST)


def _flags(parser: argparse.ArgumentParser) -> None:
    common(parser)
    budgets = recovering.BUDGETS
    parser.add_argument("--level", choices=tuple(budgets), help="how much to print (default: brief)")
    parser.add_argument("--query", metavar="WORDS", help="find what the ledger says about these words (level 2)")
    parser.add_argument("--transcript", metavar="FILE", help="read a client's own transcript; - for standard input")
    parser.add_argument("--until", metavar="UUID", help="read only what comes before the event with this uuid")
    parser.add_argument(
        "--max-tokens",
        metavar="N",
        type=_tokens,
        help=f"the most tokens, as cl100k counts (default: {budgets[recovering.GLANCE]} at level 1, "
        f"{budgets[recovering.ANSWERS]} at level 2, {budgets[recovering.BRIEF]} for a brief)",
    )
    parser.add_argument("--why", action="store_true", help="say where each line comes from")


def _run(arguments: Arguments) -> Answer:
    if arguments.transcript is None:
        if arguments.until is not None:
            raise BadInput(
                "usage", "--until belongs to --transcript.", hint="perdure recover --transcript FILE --until UUID"
            )
        with open_desk(request(arguments), writable=False) as desk:
            found = recovering.from_ledger(desk, arguments.level, arguments.max_tokens, query=arguments.query)
        return _answer(found, arguments.why)
    if arguments.query is not None or arguments.level == "2":
        raise BadInput(
            "usage", "Level 2 searches the ledger, not a transcript.", hint="perdure recover --query 'cache'"
        )
    path = _STANDARD_INPUT if arguments.transcript == "-" else arguments.transcript
    level = arguments.level or recovering.BRIEF
    found = recovering.from_transcript(path, arguments.until, arguments.max_tokens, level=level)
    if arguments.until is not None and not found.met_until:
        print(f"perdure: {shown(arguments.until)} does not occur; all of the transcript was read", file=sys.stderr)
    if found.skipped:
        print(f"perdure: {counted(found.skipped, 'line')} of the transcript could not be read", file=sys.stderr)
    return _answer(found, arguments.why)


def _answer(found: Recovered, why: bool) -> Answer:
    """What `--why` adds is for a person and does not count against the budget."""
    data = {**recovered_data(found), **({"sections": _why_data(found)} if why else {})}
    return Answer(data, lambda _: _text(found, why))


def recovered_data(found: Recovered) -> dict[str, Json]:
    return {"brief": found.text, "skipped_lines": found.skipped}


def _why_data(found: Recovered) -> list[Json]:
    return [
        {
            "title": section.title,
            "lines": [{"text": line.text, "why": line.why, "source": line.source or None} for line in section.lines],
        }
        for section in found.sections
    ]


def _text(found: Recovered, why: bool) -> str:
    if not why:
        return found.text
    rows = []
    for section in found.sections:
        for line in section.lines:
            source = f" · {line.source}" if line.source else ""
            rows.append(f"{line.text}\n    {line.why}{source}")
    return "\n".join([found.text, "", "why each line was chosen, including those that did not fit:", *rows])


COMMANDS: dict[str, Command] = {
    "recover": Command(
        run=_run,
        flags=_flags,
        examples="perdure recover\nperdure recover --level 1\nperdure recover --level 2 --query 'why whole cents'\n"
        "perdure recover --transcript session.jsonl --max-tokens 500\n"
        "ssh laptop cat session.jsonl | perdure recover --transcript -\n"
        "perdure recover --transcript session.jsonl --until 2b3807e1-f32c-46dd-a9de-30ef291b0643 --why",
        about=(
            "Prints what the next session must know, from the ledger or from a client's own transcript: goal, "
            "transaction, decisions, the person's last words and rules, open errors and items, files, names, "
            "commands. Level 2 answers a query from decisions, notes, goals and prompts."
        ),
    )
}
