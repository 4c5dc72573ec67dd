"""transcript: shows a client's own transcript, or adds it to the ledger (SPEC 12.3)."""

from __future__ import annotations

import json

from perdure.actions import transcripts
from perdure.actions.wiring import open_desk
from perdure.clients import DEFAULT
from perdure.errors import Refused
from perdure.model.ids import short, shown
from perdure.model.plural import counted
from perdure.recovery.gather import is_shell
from perdure.surfaces.cli.command import Answer, Command, limit_flag, request, subcommands
from perdure.surfaces.output import harmless, one_line, path_for_people, table
from perdure.transcript.claude_code import Reading
from perdure.transcript.events import AgentSaid, Called, Compacted, Prompt, PromptTakenBack, Returned, Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from perdure.actions.transcripts import Adopted
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style
    from perdure.transcript.events import Event


def _show_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the transcript")
    limit_flag(parser, 40, "show this many events, the latest ones")


def _adopt_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the transcript")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "show": ("show what a transcript holds, event by event", _show_flags),
            "adopt": ("add a transcript to this project's ledger (for people)", _adopt_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"show": _show, "adopt": _adopt}[arguments.verb](arguments)


def _show(arguments: Arguments) -> Answer:
    reading = Reading()
    rows: list[tuple[str, str]] = []
    for event in transcripts.events_of(arguments.file, reading):
        row = _row(event)
        if row:
            rows.append(row)
        if len(rows) > 2 * arguments.limit:
            del rows[: -arguments.limit]
    if not rows:
        unread = f": {_unread(reading.skipped)}" if reading.skipped else ""
        raise Refused(
            "not_a_transcript",
            f"{shown(arguments.file)} holds nothing that a transcript of {DEFAULT} has{unread}.",
            hint="Claude Code keeps its transcripts in ~/.claude/projects, one file for each session.",
        )
    rows = rows[-arguments.limit :]
    data: Json = {
        "entries": [{"kind": kind, "text": text} for kind, text in rows],
        "skipped_lines": reading.skipped,
    }

    def text(style: Style) -> str:
        listed = table([[kind, one_line(said, 110)] for kind, said in rows], ["event", "text"], style)
        return f"{listed}\n{style('dim', _unread(reading.skipped))}" if reading.skipped else listed

    return Answer(data, text)


def _unread(lines: int) -> str:
    return f"{counted(lines, 'line')} could not be read"


def _row(event: Event) -> tuple[str, str] | None:
    if isinstance(event, Prompt):
        return ("refused" if event.refusing else "prompt"), event.text
    if isinstance(event, PromptTakenBack):
        return "pulled back", event.text
    if isinstance(event, AgentSaid):
        return "agent", event.text
    if isinstance(event, Called):
        return event.tool, _given(event)
    if isinstance(event, Returned):
        return ("failed" if event.failed else "result"), event.text
    if isinstance(event, Compacted):
        return "compacted", event.trigger
    return ("summary", event.text) if isinstance(event, Summary) else None


def _given(call: Called) -> str:
    """For a shell, its command; for another tool, its texts, or all of its input if it has none (a list of items)."""
    if is_shell(call):
        return str(call.given["command"])
    texts = " ".join(content for content in call.given.values() if isinstance(content, str))
    return texts if texts or not call.given else json.dumps(call.given, ensure_ascii=False)


def _adopt(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        done = transcripts.adopt(desk, arguments.file)
    data: Json = {
        "session_id": done.session_id,
        "project": done.project,
        "project_path": done.root,
        "folder": done.folder or None,
        "outside_project": done.is_outside,
        "events": done.events,
        "note_count": done.notes,
        "closed_notes": done.closed,
        "left_out_count": done.left_out,
        "skipped_lines": done.skipped,
    }

    def text(style: Style) -> str:
        name = style("bold", f"Session {short(done.session_id)}")
        where = f"{style('bold', harmless(done.project))}  {path_for_people(done.root)}"
        return f"{name} adopted: {'; '.join(_counted(done))}\nInto {where}{_outside(done, style)}"

    return Answer(data, text)


def _counted(done: Adopted) -> Iterator[str]:
    """Notes are counted beside the events, not among them."""
    noted = f" and {counted(done.notes, 'note')}" if done.notes else ""
    yield f"{counted(done.events, 'event')}{noted}"
    if done.closed:
        yield f"{counted(done.closed, 'older note')} closed"
    if done.left_out:
        yield f"{done.left_out:,} older ones left out"
    if done.skipped:
        yield _unread(done.skipped)


def _outside(done: Adopted, style: Style) -> str:
    """A person who is bound to one project may be in the folder of another."""
    if not done.is_outside:
        return ""
    there = path_for_people(done.folder)
    return "\n" + style("yellow", f"The session worked in {there}, which is outside this project.")


COMMANDS: dict[str, Command] = {
    "transcript": Command(
        run=_run,
        flags=_flags,
        examples="perdure transcript show session.jsonl\nperdure transcript adopt session.jsonl",
        about=(
            "Shows a client's own transcript, or adds it to the ledger as the events that hooks would have recorded."
        ),
    )
}
