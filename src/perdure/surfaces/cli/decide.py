"""decide: record a decision the moment it is made (SPEC 7.3)."""

from __future__ import annotations

from math import isfinite

from perdure.actions import decisions
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.ids import short
from perdure.model.payload import DecisionMade
from perdure.surfaces.cli.command import (
    Answer,
    Command,
    common,
    limit_flag,
    read_input,
    request,
    task_of,
    text_field,
    unknown_fields,
)
from perdure.surfaces.output import local_date, one_line, table
from perdure.surfaces.record_data import decision_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from typing import Any

    from perdure.actions.decisions import DecisionView
    from perdure.actions.forks import ForkView, Side
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_TEXTS = ("decision", "rationale", "title", "key", "value", "supersedes", "task_id")
_FIELDS = (*_TEXTS, "evidence", "scenarios")


def fork_data(fork: ForkView) -> dict[str, Json]:
    return {
        "fork_id": fork.id,
        "about": fork.about,
        "field": fork.field,
        "task_id": fork.task_id,
        "open": fork.is_open,
        "detected_at": fork.detected_at,
        "resolved_by": fork.resolved_by,
        "sides": [_side_data(side, kept=side is fork.sides[0]) for side in fork.sides],
    }


def _side_data(side: Side, *, kept: bool) -> dict[str, Json]:
    return {
        "side": side.name,
        "kept": kept,
        "value": side.value,
        "text": side.text,
        "decision_id": side.decision_id,
        "ts": side.ts,
        "actor": side.actor,
        "session_id": side.session_id,
        "instance_id": side.instance_id,
        "other_ledger": side.other_ledger,
        "words_from": side.words_from,
        "source": side.source,
        "line": side.line,
    }


def answered(decision: DecisionView, warnings: list[Json]) -> dict[str, Json]:
    """The answer to whoever made the decision."""
    fork = fork_data(decision.fork) if decision.fork else None
    return {**decision_data(decision), "fork": fork, "warnings": [*warnings, *decision.warnings]}


def evidence_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cite", metavar="PATH:LINE", action="append", help="evidence: ${PROJECT_ROOT}/path:line[-line]"
    )
    parser.add_argument("--quote", metavar="TEXT", action="append", help="the text at these lines, one for each --cite")


def evidence_of(arguments: Arguments) -> tuple[dict[str, Json], ...]:
    cites, quotes = arguments.cite or [], arguments.quote or []
    if len(cites) != len(quotes):
        raise BadInput("usage", "Every --cite needs its --quote, and every --quote its --cite.")
    return tuple({"path": cite, "quote": quote} for cite, quote in zip(cites, quotes, strict=True))


def warning_lines(warnings: Iterable[Json], style: Style) -> str:
    return "".join(f"\n{style('yellow', 'warning')}  {one_line(str(warning), 300)}" for warning in warnings)


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="?", help="the decision; - reads it as JSON from standard input")
    parser.add_argument("--because", metavar="REASON", help="why")
    parser.add_argument("--title", help="a short name")
    parser.add_argument("--key", metavar="K", help="the name of what is decided, to find contradicting decisions")
    parser.add_argument("--value", metavar="V", help="the value it is decided to be")
    evidence_flags(parser)
    parser.add_argument(
        "--supersedes", metavar="ID", help="the decision it replaces; without --key it keeps that one's key"
    )
    parser.add_argument("--task", metavar="ID", help="the task it belongs to")
    parser.add_argument("--list", action="store_true", help="list the latest decisions instead")
    limit_flag(parser, about="with --list: how many, newest first")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    if arguments.list and arguments.text is not None:
        raise BadInput("usage", "--list shows decisions; it takes no text.", hint="perdure decide --list")
    if arguments.list:
        return _list(arguments)
    if arguments.text is None:
        raise BadInput("usage", "No decision given.", hint="perdure decide 'use WAL' --because 'readers never wait'")
    given = read_input('{"decision": "…", "rationale": "…"}') if arguments.text == "-" else None
    made, task = _from_flags(arguments) if given is None else decision_of(given)
    warnings: list[Json] = [f"field '{name[:40]}' is not used here" for name in unknown_fields(given or {}, _FIELDS)]
    with open_desk(request(arguments)) as desk:
        decision = decisions.decide(desk, made, task_of(task))
    data = answered(decision, warnings)
    warnings = [*warnings, *decision.warnings]

    def text(style: Style) -> str:
        because = f"\n  because {one_line(decision.rationale)}" if decision.rationale else ""
        told = warning_lines(warnings, style)
        return f"{style('bold', 'Decision ' + short(decision.id))}  {one_line(decision.decision)}{because}{told}"

    return Answer(data, text, as_json=given is not None)


def _from_flags(arguments: Arguments) -> tuple[DecisionMade, str | None]:
    made = DecisionMade(
        decision=arguments.text,
        rationale=arguments.because,
        evidence=evidence_of(arguments),
        title=arguments.title,
        key=arguments.key,
        value=arguments.value,
        supersedes=arguments.supersedes,
    )
    return made, arguments.task


def decision_of(given: dict[str, Any]) -> tuple[DecisionMade, str | None]:
    texts = {name: text_field(given, name, required=name == "decision") for name in _TEXTS}
    task = texts.pop("task_id")
    lists = {name: _objects(given, name) for name in ("evidence", "scenarios")}
    return DecisionMade(**texts, **lists), task  # type: ignore[arg-type]


def _objects(given: dict[str, Any], name: str) -> tuple[dict[str, Json], ...]:
    content = given.get(name)
    if content is None:
        return ()
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise BadInput("bad_field", f"{name}: must be a list of objects.", details={"field": name})
    _refuse_what_is_no_number(name, content)
    return tuple(content)


def _refuse_what_is_no_number(name: str, content: object) -> None:
    if isinstance(content, float) and not isfinite(content):
        raise BadInput("bad_field", f"{name}: {content} is not a number.", details={"field": name})
    for child in _children(content):
        _refuse_what_is_no_number(name, child)


def _children(content: object) -> Iterable[object]:
    if isinstance(content, list):
        return content
    if isinstance(content, dict):
        return content.values()
    return ()


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = decisions.latest(desk, arguments.limit)

    def text(style: Style) -> str:
        if not found:
            return "no decisions yet"
        rows = [
            [
                short(d.id),
                local_date(d.ts),
                d.marked(one_line(d.decision, 60)),
                one_line(d.rationale or "", 50),
            ]
            for d in found
        ]
        return table(rows, ["decision", "when", "what", "why"], style)

    return Answer([decision_data(decision) for decision in found], text)


COMMANDS: dict[str, Command] = {
    "decide": Command(
        run=_run,
        flags=_flags,
        examples="perdure decide 'use WAL' --because 'readers never wait' --key journal --value wal\n"
        "perdure decide 'use WAL' --cite '${PROJECT_ROOT}/src/db.py:12' --quote 'journal_mode=WAL'\n"
        "perdure decide 'use the rollback journal' --key journal --value delete --supersedes 3f2a91c4\n"
        "perdure decide --list",
        about="Records a decision. A later decision can replace it, but never overwrites it.",
    )
}
