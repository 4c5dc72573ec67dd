"""audit: thought records, the sessions they are bound to, and proofs that nothing was altered (SPEC 14.7)."""

from __future__ import annotations

from perdure.actions import audit_trail
from perdure.actions.attribution import marked_foreign
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.ids import short, shown
from perdure.model.plural import counted
from perdure.proof.thought_hash import TYPES
from perdure.surfaces.cli.audit_proofs import VERBS as PROOFS
from perdure.surfaces.cli.command import (
    Answer,
    Command,
    read_input,
    request,
    subcommands,
    text_field,
    unknown_fields,
)
from perdure.surfaces.output import Progress, local_date, one_line, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from perdure.actions.audit_trail import ChainReport, Finalized, Started, ThoughtRecord
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

    Verb: TypeAlias = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[Arguments], Answer]]


# -- as JSON ---------------------------------------------------------------------------------------------------------


def started_data(started: Started) -> dict[str, Json]:
    return {
        "session_id": started.session_id,
        "intent": started.intent,
        "task_id": started.task_id,
        "started_at": started.started_at,
    }


def thought_data(thought: ThoughtRecord) -> dict[str, Json]:
    return {
        "id": thought.id,
        "type": thought.type,
        "task_id": thought.task_id,
        "agent_id": thought.agent_id,
        "content": thought.content,
        "timestamp": thought.timestamp,
        "prev_hash": thought.prev_hash,
        "hash": thought.hash,
        "session_id": thought.session_id,
    }


def finalized_data(finalized: Finalized) -> dict[str, Json]:
    told: dict[str, Json] = {"warnings": [finalized.warning]} if finalized.warning else {}
    if finalized.other_ledger:
        told["other_machine"] = finalized.other_ledger
    return {
        "session_id": finalized.session_id,
        "root": finalized.root,
        "record_count": finalized.record_count,
        "finalized_at": finalized.finalized_at,
        **told,
    }


def chain_data(report: ChainReport) -> dict[str, Json]:
    return {
        "valid": report.valid,
        "record_count": report.record_count,
        "broken_count": report.broken_count,
        "redacted_count": report.redacted_count,
        "first_broken_at": report.first_broken_at,
        "by_task": [
            {
                "task_id": each.task_id,
                "valid": each.valid,
                "record_count": each.record_count,
                "broken_count": each.broken_count,
                "redacted_count": each.redacted_count,
                "first_broken_at": each.first_broken_at,
            }
            for each in report.by_task
        ],
    }


# -- flags -----------------------------------------------------------------------------------------------------------


def _input_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", nargs="?", metavar="-", help="read the fields as JSON from standard input")


def _start_flags(parser: argparse.ArgumentParser) -> None:
    _input_flag(parser)
    parser.add_argument("--intent", metavar="TEXT", help="what you are going to think about")
    parser.add_argument("--task", metavar="ID", help="the task it is about")
    parser.add_argument("--session", metavar="ID", help="the audit session's id (default: a new one)")


def _think_flags(parser: argparse.ArgumentParser) -> None:
    _input_flag(parser)
    parser.add_argument("--task", metavar="ID", help="the task it is about; any id")
    parser.add_argument("--type", metavar="TYPE", help=", ".join(TYPES))
    parser.add_argument("--agent", metavar="NAME", help="who has the thought")
    parser.add_argument("--content", metavar="TEXT", help="the thought")
    parser.add_argument("--session", metavar="ID", help="the audit session to add it to, if any")


def _session_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", help="the audit session")


def _chain_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", metavar="ID", help="only this task's chain")


# -- verbs -----------------------------------------------------------------------------------------------------------


def _given(
    arguments: Arguments, by_flag: dict[str, str | None], optional: tuple[str, ...]
) -> tuple[dict[str, Any], bool]:
    """The fields, from flags or from standard input, and whether they came as JSON."""
    if arguments.input not in (None, "-"):
        raise BadInput("usage", f"{shown(arguments.input)} is not expected.", hint="- reads from standard input.")
    flags = {name: content for name, content in by_flag.items() if content is not None}
    if not arguments.input:
        lacking = [f"--{name.removesuffix('_id')}" for name in by_flag if name not in (*flags, *optional)]
        if lacking:
            hint = f"perdure audit {arguments.verb} --help shows examples."
            raise BadInput("usage", f"Missing: {', '.join(lacking)}.", hint=hint)
        return flags, False
    if flags:
        raise BadInput("usage", "Give the fields as JSON (-) or by flags, not both.")
    given = read_input("{" + ", ".join(f'"{name}": "…"' for name in by_flag) + "}")
    unknown = unknown_fields(given, tuple(by_flag))  # a mistyped field would leave the record without a session
    if unknown:
        name = unknown[0][:40]
        raise BadInput("bad_field", f"{shown(name)} is not a field here. Nothing was written.", details={"field": name})
    return given, True


def _start(arguments: Arguments) -> Answer:
    by_flag = {"intent": arguments.intent, "task_id": arguments.task, "session_id": arguments.session}
    given, as_json = _given(arguments, by_flag, ("task_id", "session_id"))
    texts = {name: text_field(given, name, required=name == "intent") for name in by_flag}
    with open_desk(request(arguments)) as desk:
        started = audit_trail.start(desk, **texts)  # type: ignore[arg-type]

    def text(style: Style) -> str:
        return f"{style('bold', 'Audit session ' + one_line(started.session_id))}  {one_line(started.intent)}"

    return Answer(started_data(started), text, as_json=as_json)


def _think(arguments: Arguments) -> Answer:
    by_flag = {
        "type": arguments.type,
        "task_id": arguments.task,
        "agent_id": arguments.agent,
        "content": arguments.content,
        "session_id": arguments.session,
    }
    given, as_json = _given(arguments, by_flag, ("session_id",))
    texts = {name: text_field(given, name, required=name != "session_id") for name in by_flag}
    with open_desk(request(arguments)) as desk:
        thought = audit_trail.think(desk, **texts)  # type: ignore[arg-type]

    def text(style: Style) -> str:
        head = f"{style('bold', thought.type + ' ' + short(thought.id))}  {one_line(thought.content)}"
        bound = f"\n  in the audit session {one_line(thought.session_id)}" if thought.session_id else ""
        return f"{head}\n  on task {one_line(thought.task_id)}, hash {thought.hash}{bound}"

    return Answer(thought_data(thought), text, as_json=as_json)


def _finalize(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        finalized = audit_trail.finalize(desk, arguments.session)
    return _finalized(finalized)


def _root(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        finalized = audit_trail.root(desk, arguments.session)
    return _finalized(finalized)


def _finalized(finalized: Finalized) -> Answer:
    def text(style: Style) -> str:
        records = counted(finalized.record_count, "record")
        when = local_date(finalized.finalized_at)
        warning = "\n  " + style("yellow", one_line(finalized.warning, 200)) if finalized.warning else ""
        head = style("bold", finalized.root)
        sealed = f"{one_line(finalized.session_id)}, {records}, sealed {when}"
        return f"{head}\n  {marked_foreign(finalized.other_ledger, sealed)}{warning}"

    return Answer(finalized_data(finalized), text)


def _verify_chain(arguments: Arguments) -> Answer:
    progress = Progress("events read")
    with open_desk(request(arguments), writable=False) as desk:
        report = audit_trail.verify(desk, arguments.task, progress)
    progress.done()
    return Answer(chain_data(report), lambda style: _chain_text(report, style), exit_code=0 if report.valid else 1)


def _chain_text(report: ChainReport, style: Style) -> str:
    if not report.by_task:
        return "no thought records"
    rows = [
        [
            style("green", "whole") if each.valid else style("red", "broken"),
            str(each.record_count),
            str(each.redacted_count),
            one_line(each.task_id, 60),
            short(each.first_broken_at or ""),
        ]
        for each in report.by_task
    ]
    return table(rows, ["chain", "records", "redacted", "task", "broken first at"], style)


VERBS: dict[str, Verb] = {
    "start": ("start an audit session", _start_flags, _start),
    "think": ("record a thought about a task", _think_flags, _think),
    "finalize": ("seal an audit session with the Merkle root of its records", _session_flags, _finalize),
    "root": ("show the root of a sealed audit session", _session_flags, _root),
    "verify-chain": ("check the hash and the link of every thought record", _chain_flags, _verify_chain),
    **PROOFS,
}


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(parser, {verb: (about, flags) for verb, (about, flags, _) in VERBS.items()})


def _run(arguments: Arguments) -> Answer:
    return VERBS[arguments.verb][2](arguments)


COMMANDS: dict[str, Command] = {
    "audit": Command(
        run=_run,
        flags=_flags,
        examples="perdure audit start --intent 'make the parser faster' --session parser-1\n"
        "perdure audit think --task task-1 --type plan --agent claude --content 'measure first' --session parser-1\n"
        "perdure audit finalize parser-1\n"
        "perdure audit root parser-1\n"
        "perdure audit verify-chain --task task-1\n"
        "perdure audit prove 3f2a91c4 --output proof.json\n"
        "perdure audit verify-proof proof.json\n"
        "perdure audit verify\n"
        "perdure audit heads",
        about="Records thoughts, and proves that nothing in the ledger was altered.",
    )
}
