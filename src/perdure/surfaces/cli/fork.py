"""fork: check, list, resolve (SPEC 7.4)."""

from __future__ import annotations

import sys

from perdure.actions import fork_check, fork_settling, forks, transcripts
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.forks.lines import LONGEST_TEXT
from perdure.model.ids import short, short_task
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.cli.decide import evidence_flags, evidence_of, fork_data, warning_lines
from perdure.surfaces.output import local_date, one_line, path_for_people
from perdure.surfaces.pane_name import pane_name
from perdure.surfaces.record_data import decision_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from perdure.actions.fork_check import Checked
    from perdure.actions.fork_settling import Settled
    from perdure.actions.forks import ForkView, Side
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_NAMED = 20
"""Forks that the text shows; `--json` has them all."""


def _check_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="a text to compare with the ledger; - reads standard input"
    )
    parser.add_argument("--transcript", metavar="FILE", help="compare the last summary in this transcript instead")


def _list_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also those that are settled")


def _resolve_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the fork")
    parser.add_argument(
        "--keep", metavar="SIDE", help="the side that counts: its number, its name, or its decision's id"
    )
    parser.add_argument("--decide", metavar="TEXT", help="what counts instead, if it is none of the sides")
    parser.add_argument("--value", metavar="V", help="with --decide: the value of the key")
    parser.add_argument("--because", metavar="REASON", help="why", default="")
    evidence_flags(parser)


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "check": ("compare the decisions with each other, and a text with the ledger", _check_flags),
            "list": ("list the forks that are not settled yet", _list_flags),
            "resolve": ("say which side of a fork counts", _resolve_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"check": _check, "list": _list, "resolve": _resolve}[arguments.verb](arguments)


# -- check and list ------------------------------------------------------------------------------------------------


def _check(arguments: Arguments) -> Answer:
    text, source = _text(arguments)
    with open_desk(request(arguments)) as desk:
        found = fork_check.check(desk, text, source)
        advice = {fork.id: forks.how_to_settle(desk, fork) for fork in found.forks}
    data: dict[str, Json] = {
        "source": source or None,
        "forks": [fork_data(fork) for fork in found.forks],
        "stated": found.stated,
        "settled": found.settled,
        "recorded": found.recorded,
        "cut": found.is_cut,
    }
    lines = lambda style: "\n".join(_checked_lines(found, source, advice, style=style))  # noqa: E731
    return Answer(data, lines, exit_code=1 if found.forks else 0)


def _text(arguments: Arguments) -> tuple[str | None, str]:
    """The text to compare, and what it is called on record."""
    if arguments.transcript and arguments.file:
        raise BadInput("usage", "Give a text or --transcript, not both.", hint="perdure fork check NOTES.md")
    if arguments.transcript:
        found = transcripts.last_summary(arguments.transcript)
        if not found:
            raise BadInput(
                "no_summary",
                f"{arguments.transcript} has no summary of a compaction near its end.",
                hint="Give the path of a client's transcript whose context was compacted, or a text.",
            )
        return found, fork_check.SUMMARY
    if arguments.file == "-":
        raw = sys.stdin.buffer.read(fork_check.LARGEST_FILE)
        if not raw.strip():
            raise BadInput("bad_input", "Standard input is empty.", hint="cat summary.md | perdure fork check -")
        return raw.decode("utf-8-sig", "replace"), "standard input"
    return (fork_check.read_file(arguments.file), arguments.file) if arguments.file else (None, "")


def _checked_lines(found: Checked, source: str, advice: dict[str, str], *, style: Style) -> list[str]:
    lines = []
    if found.is_cut:
        lines.append(style("yellow", f"Only the first {LONGEST_TEXT:,} characters were compared."))
    if not found.forks:
        return [*lines, _nothing_found(found, source)]
    return [*lines, "Fork detected, resyncing from ledger:", *_fork_lines(found.forks, advice, style)]


def _nothing_found(found: Checked, source: str) -> str:
    if not source:
        return "No decisions contradict each other."
    if found.settled:
        return f"{path_for_people(source)} contradicts the ledger only in what is settled: perdure fork list --all"
    return f"{path_for_people(source)} contradicts nothing in the ledger."


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = forks.open_forks(desk)
        settled = forks.settled_forks(desk) if arguments.all else []
        advice = {fork.id: forks.how_to_settle(desk, fork) for fork in found}

    def text(style: Style) -> str:
        if not found and not settled:
            return "no forks"
        return "\n".join(_fork_lines([*found, *settled], advice, style))

    return Answer([fork_data(fork) for fork in (*found, *settled)], text)


def _fork_lines(found: Sequence[ForkView], advice: dict[str, str], style: Style) -> list[str]:
    lines = []
    for fork in found[:_NAMED]:
        of_task = f" of task {short_task(fork.task_id)}" if fork.task_id else ""
        state = "" if fork.is_open else style("dim", "  settled")
        lines.append(f"{style('bold', 'Fork ' + short(fork.id))}  {one_line(fork.field, 60)}{of_task}{state}")
        for number, side in enumerate(fork.sides, 1):
            lines.append(
                f"  {number}. {_side_line(side, counts=fork.is_open and number == 1 and not fork.is_of_others)}"
            )
        if fork.is_open:
            lines.append(f"  {advice[fork.id]}")
        elif fork.resolved_by:
            lines.append(style("dim", f"  by decision {short(fork.resolved_by)}"))
    left = len(found) - _NAMED
    return [*lines, f"{left} more; --json shows them"] if left > 0 else lines


def _side_line(side: Side, *, counts: bool) -> str:
    """What the side says, who said it, when and where."""
    who = [f"decision {short(side.decision_id)}" if side.decision_id else side.name]
    who += [side.source] if side.source else []
    who += [f"line {side.line}"] if side.line else []
    who += [local_date(side.ts)]
    who += [side.actor or "unknown"] if side.decision_id or side.actor else []
    who += [f"session {short(side.session_id)}"] if side.session_id else []
    who += [pane_name(side.instance_id)] if side.instance_id else []
    words = f": {one_line(side.text, 80)}" if side.text and side.text != side.value else ""
    mark = "  (counts)" if counts else ""
    return f"{side.marked(one_line(side.value, 60))}  [{', '.join(who)}]{words}{mark}"


# -- resolve -------------------------------------------------------------------------------------------------------


def _resolve(arguments: Arguments) -> Answer:
    choice = fork_settling.Choice(
        keep=arguments.keep,
        decide=arguments.decide,
        value=arguments.value,
        because=arguments.because,
        evidence=evidence_of(arguments),
    )
    with open_desk(request(arguments)) as desk:
        settled = fork_settling.resolve(desk, arguments.id, choice)
    return Answer(_settled_data(settled), lambda style: _settled_text(settled, style))


def _settled_data(settled: Settled) -> dict[str, Json]:
    return {
        "fork_id": settled.fork.id,
        "kept": settled.kept,
        "decision": decision_data(settled.decision) if settled.decision else None,
        "superseded": list(settled.superseded),
        "warnings": list(settled.warnings),
    }


def _settled_text(settled: Settled, style: Style) -> str:
    lines = [f"{style('bold', 'Fork ' + short(settled.fork.id))} settled: {settled.kept} counts"]
    if settled.decision:
        lines.append(
            f"  decision {short(settled.decision.id)}  {settled.decision.marked(one_line(settled.decision.decision))}"
        )
    if settled.superseded:
        lines.append(f"  it supersedes {', '.join(map(short, settled.superseded))}")
    return "\n".join(lines) + warning_lines(settled.warnings, style)


COMMANDS: dict[str, Command] = {
    "fork": Command(
        run=_run,
        flags=_flags,
        examples="perdure fork check\n"
        "perdure fork check NOTES.md\n"
        "cat summary.md | perdure fork check -\n"
        "perdure fork list --all\n"
        "perdure fork resolve 3f2a91c4 --keep ledger --because 'it was measured'\n"
        "perdure fork resolve 3f2a91c4 --keep 2 --because x --cite '${PROJECT_ROOT}/db.py:9' --quote 'mode = WAL'\n"
        "perdure fork resolve 3f2a91c4 --decide 'use WAL' --value wal --because 'readers never wait'",
        about="Forks: decisions on one key that contradict each other, and texts that contradict the ledger.",
    )
}
