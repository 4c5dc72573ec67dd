"""handoff: write, show, list, verify: what a session leaves to the next one (SPEC 13.1)."""

from __future__ import annotations

from perdure.actions import handoffs
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.ids import short
from perdure.model.payload import HandoffDemanded
from perdure.surfaces.cli.command import (
    Answer,
    Command,
    limit_flag,
    read_input,
    request,
    subcommands,
    text_field,
    unknown_fields,
)
from perdure.surfaces.output import harmless, local_date, one_line, table
from perdure.views.handoff_text import as_json, markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from perdure.actions.handoffs import Verification
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_TEXTS = ("task_summary", "next_session_context")
_LISTS = ("key_findings", "decisions", "next_steps", "blockers", "files")
_FLAGS = {
    "key_findings": ("--finding", "something learned"),
    "decisions": ("--decision", "a decision, in words"),
    "next_steps": ("--next", "a step to take"),
    "blockers": ("--blocker", "what keeps the work from going on"),
    "files": ("--file", "a file that matters"),
}
_EXAMPLE = '{"task_summary": "…", "next_steps": ["…"]}'


def _write_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", nargs="?", metavar="-", help="read the fields as JSON from standard input")
    parser.add_argument("--summary", metavar="TEXT", help="what the work is about")
    parser.add_argument("--tell", metavar="TEXT", help="what the next session must know first")
    for name, (flag, about) in _FLAGS.items():
        metavar = "PATH" if name == "files" else "TEXT"
        parser.add_argument(flag, dest=name, metavar=metavar, action="append", help=f"{about}; may be repeated")


def _session_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", help="the session that left it (default: the last one of this lineage)")


def _list_flags(parser: argparse.ArgumentParser) -> None:
    limit_flag(parser)


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "write": ("write a handoff now; what you give is carried until you give something else", _write_flags),
            "show": ("show a handoff", _session_flags),
            "list": ("list the handoffs of this project", _list_flags),
            "verify": ("compare a handoff's files with the ledger", _session_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"write": _write, "show": _show, "list": _list, "verify": _verify}[arguments.verb](arguments)


def demanded_of(given: dict[str, Any]) -> HandoffDemanded:
    unknown = unknown_fields(given, (*_TEXTS, *_LISTS))
    if unknown:
        raise BadInput(
            "bad_field", f"{unknown[0]} is not a field of a handoff.", hint=f"One of {', '.join((*_TEXTS, *_LISTS))}."
        )
    lists = {name: _lines(given, name) for name in _LISTS}
    return HandoffDemanded(**{name: text_field(given, name) for name in _TEXTS}, **lists)  # type: ignore[arg-type]


def _lines(given: dict[str, Any], name: str) -> tuple[str, ...]:
    content = given.get(name, [])
    if not isinstance(content, list) or not all(isinstance(each, str) for each in content):
        raise BadInput("bad_field", f"{name}: must be a list of strings.", details={"field": name})
    return tuple(content)


def _demanded(arguments: Arguments) -> HandoffDemanded:
    if arguments.input is None:
        given = {"task_summary": arguments.summary, "next_session_context": arguments.tell}
        return demanded_of({**given, **{name: getattr(arguments, name) or [] for name in _LISTS}})
    if arguments.input != "-":
        raise BadInput("usage", "perdure handoff write takes flags, or - for JSON on standard input.")
    return demanded_of(read_input(_EXAMPLE))


def _write(arguments: Arguments) -> Answer:
    wanted = _demanded(arguments)
    with open_desk(request(arguments)) as desk:
        found = handoffs.demand(desk, wanted)
        path = handoffs.files_of(desk, found)[1]

    def text(style: Style) -> str:
        head = style("bold", f"Handoff of session {short(found.session_id)}")
        return f"{head}  {one_line(found.task_summary)}\n  {path}"

    return Answer({**as_json(found), "path": path}, text, as_json=arguments.input is not None)


def _show(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = handoffs.show(desk, arguments.session)
        lines = handoffs.with_places(desk, found, markdown(found).splitlines())
    return Answer(as_json(found), lambda style: "\n".join(map(harmless, lines)))


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = handoffs.listed(desk, arguments.limit)
    rows: list[Json] = [
        {
            "session_id": each.session_id,
            "written_at": each.written_at,
            "boundary": each.boundary,
            "branch": each.branch,
            "task_summary": each.task_summary,
        }
        for each in found
    ]

    def text(style: Style) -> str:
        shown = [
            [short(each.session_id), local_date(each.written_at), each.branch or "", one_line(each.task_summary)]
            for each in found
        ]
        if not shown:
            return "no handoff was written yet"
        return table(shown, ["session", "written", "branch", "task"], style)

    return Answer(rows, text)


def _verify(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = handoffs.verify(desk, arguments.session)
    data: dict[str, Json] = {
        "session_id": found.handoff.session_id,
        "holds": found.holds,
        "faults": list(found.faults),
        "changes": list(found.changes),
    }
    return Answer(data, lambda style: _verified_text(found, style), exit_code=0 if found.holds else 1)


def _verified_text(found: Verification, style: Style) -> str:
    what = f"the handoff of session {short(found.handoff.session_id)}"
    if found.holds:
        lines = [f"{style('green', 'holds')}  {what} is as the ledger says"]
    else:
        lines = [f"{style('red', 'differs')}  {what}", *(f"  {harmless(each)}" for each in found.faults)]
        lines.append("  Now: perdure heal writes it again from the ledger, and sets other files aside.")
    return "\n".join([*lines, *(f"  since then: {harmless(each)}" for each in found.changes)])


COMMANDS: dict[str, Command] = {
    "handoff": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure handoff write\n"
            "perdure handoff write --summary 'prices in cents' --next 'add the rounding test'\n"
            "perdure handoff show\nperdure handoff list\nperdure handoff verify"
        ),
        about=(
            "What a session leaves to the next one. Perdure writes it before a compaction, at the end of a turn and at "
            "the session's end."
        ),
    )
}
