"""transcript: a client's own transcript, looked at or taken into the ledger (SPEC 12.3)."""

from __future__ import annotations

from perdure.actions import transcripts
from perdure.actions.wiring import sit_down
from perdure.model.ids import short
from perdure.surfaces.cli.command import Answer, Command, count, request, subcommands
from perdure.surfaces.output import one_line, table
from perdure.transcript.claude_code import Reading
from perdure.transcript.events import Called, Compacted, Prompt, Returned, Said, Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style
    from perdure.transcript.events import Event


def _show_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the transcript")
    parser.add_argument("--limit", type=count, default=40, metavar="N", help="the latest so many events (default: 40)")


def _adopt_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the transcript")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "show": ("what a transcript tells, event by event", _show_flags),
            "adopt": ("take a transcript into this project's ledger", _adopt_flags),
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
    rows = rows[-arguments.limit :]
    data: Json = {
        "events": [{"kind": kind, "text": text} for kind, text in rows],
        "skipped_lines": reading.skipped,
    }

    def text(style: Style) -> str:
        shown = table([[kind, one_line(said, 110)] for kind, said in rows], ["event", "text"], style)
        return f"{shown}\n{style('dim', _unread(reading.skipped))}" if reading.skipped else shown

    return Answer(data, text)


def _unread(lines: int) -> str:
    return f"{lines:,} line{'s' if lines != 1 else ''} could not be read"


def _row(event: Event) -> tuple[str, str] | None:
    if isinstance(event, Prompt):
        return ("refused" if event.refusing else "prompt"), event.text
    if isinstance(event, Said):
        return "agent", event.text
    if isinstance(event, Called):
        return event.tool, " ".join(str(content) for content in event.given.values() if isinstance(content, str))
    if isinstance(event, Returned):
        return ("failed" if event.failed else "result"), event.text
    if isinstance(event, Compacted):
        return "compacted", event.trigger
    return ("summary", event.text) if isinstance(event, Summary) else None


def _adopt(arguments: Arguments) -> Answer:
    with sit_down(request(arguments)) as desk:
        done = transcripts.adopt(desk, arguments.file)
    data: Json = {
        "session_id": done.session_id,
        "events": done.events,
        "left_out": done.left_out,
        "skipped_lines": done.skipped,
    }

    def text(style: Style) -> str:
        name = style("bold", f"Session {short(done.session_id)}")
        older = f"; {done.left_out:,} older ones left out" if done.left_out else ""
        unread = f"; {_unread(done.skipped)}" if done.skipped else ""
        return f"{name} adopted: {done.events:,} events{older}{unread}"

    return Answer(data, text)


COMMANDS: dict[str, Command] = {
    "transcript": Command(
        _run,
        _flags,
        "perdure transcript show session.jsonl\nperdure transcript adopt session.jsonl",
        "A client's own transcript: what it tells; or taken into the ledger, as the events hooks would have recorded.",
    )
}
