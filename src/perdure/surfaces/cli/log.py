"""log: what happened here, for a person (SPEC 17.6)."""

from __future__ import annotations

import json
import os
import sys
import time

from perdure.actions import log_entries, sessions, transaction_lookup
from perdure.actions.wiring import open_desk, take_in_calls
from perdure.errors import BadInput
from perdure.model.moment import now, stamp
from perdure.model.value import replace
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.log_text import LogLines, entry_data
from perdure.surfaces.output import local_time, style_for, terminal_width
from perdure.surfaces.pager import show
from perdure.surfaces.since import EXAMPLES, moment_since

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from perdure.actions.log_entries import Log, LogEntry, LogQuery
    from perdure.actions.wiring import Desk
    from perdure.surfaces.cli.command import Arguments

POLL_SECONDS = 1.0


def _flags(parser: argparse.ArgumentParser) -> None:
    examples = EXAMPLES.replace("%", "%%")
    parser.add_argument("--since", metavar="TIME", help=f"from when on: {examples} (default: yesterday)")
    parser.add_argument("--session", metavar="ID", help="only what happened in this session, from its beginning")
    parser.add_argument("--transaction", metavar="ID", help="only what belongs to this transaction")
    parser.add_argument("--file", metavar="PATH", help="only what is about this file or folder")
    parser.add_argument(
        "--kind",
        action="append",
        choices=log_entries.KINDS,
        metavar="KIND",
        help=f"only this kind; may be repeated: {', '.join(log_entries.KINDS)}",
    )
    parser.add_argument("--follow", action="store_true", help="keep showing what happens, until Ctrl-C")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        asked = query_from(desk, arguments)
        log = log_entries.Log(desk, asked)
        if arguments.json:
            _write_json(desk, log, follow=arguments.follow)
        else:
            lines = LogLines(style_for(sys.stdout, os.environ), terminal_width()).of(
                _entries(desk, log, follow=arguments.follow)
            )
            show(_or_nothing(lines, asked), os.environ, paged=not arguments.follow and not desk.is_agent)
    return Answer(None, lambda _: "")


def query_from(desk: Desk, arguments: Arguments) -> LogQuery:
    """Without a time, what is asked about one session, transaction or file is shown from its beginning."""
    asked = log_entries.LogQuery(
        since=log_entries.EVERYTHING if arguments.file else stamp(moment_since("yesterday", now()))
    )
    if arguments.session is not None:
        asked = log_entries.of_session(sessions.show(desk, arguments.session))
    if arguments.transaction is not None:
        found = transaction_lookup.show(desk, arguments.transaction, command="perdure log --transaction")
        asked = replace(log_entries.of_transaction(found.transaction), session_id=asked.session_id)
    if arguments.since is not None:
        asked = replace(asked, since=stamp(moment_since(arguments.since, now())))
    path = None if arguments.file is None else _from_root(desk, arguments.file)
    return replace(asked, path=path, kinds=tuple(arguments.kind or ()))


def _from_root(desk: Desk, path: str) -> str:
    if not path:
        raise BadInput("usage", "--file is empty.", hint="Give a path, or leave it out.")
    cwd = desk.around.cwd
    whole = os.path.normpath(os.path.join(cwd, path))
    return os.path.relpath(whole, desk.root) if whole.startswith(desk.root + "/") else whole


def _entries(desk: Desk, log: Log, *, follow: bool) -> Iterator[LogEntry]:
    yield from log.entries()
    while follow:
        sys.stdout.flush()
        time.sleep(POLL_SECONDS)
        take_in_calls(desk.resolved, desk.root)
        yield from log.entries()


def _write_json(desk: Desk, log: Log, *, follow: bool) -> None:
    """One list, written as it is read; with `follow`, one object on each line."""
    if follow:
        for entry in _entries(desk, log, follow=True):
            sys.stdout.write(json.dumps(entry_data(entry)) + "\n")
            sys.stdout.flush()
    before = "["
    for entry in log.entries():
        sys.stdout.write(before + json.dumps(entry_data(entry)))
        before = ", "
    sys.stdout.write("[]\n" if before == "[" else "]\n")


def _or_nothing(lines: Iterator[str], asked: LogQuery) -> Iterator[str]:
    is_empty = True
    for line in lines:
        is_empty = False
        yield line
    if is_empty:
        yield nothing_recorded(asked, "perdure log")


def nothing_recorded(asked: LogQuery, command: str) -> str:
    """Says how to look further back, if that is further back."""
    since = f" since {local_time(asked.since)}" if asked.since else ""
    further = f" {command} --since 4w looks further back." if asked.since > stamp(moment_since("4w", now())) else ""
    return f"Nothing is recorded{since}.{further}"


COMMANDS: dict[str, Command] = {
    "log": Command(
        run=_run,
        flags=_flags,
        examples="perdure log\nperdure log --since 2h --kind denial --kind command\n"
        "perdure log --file src/app.py\nperdure log --follow",
        about="Shows what happened here, the newest last: prompts, edits, commands and their outcome, denials, "
        "decisions, compactions, transactions.",
    )
}
