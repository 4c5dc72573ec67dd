"""search: where the record has some words: what was said, run, touched, denied, and what failed (SPEC 17.6)."""

from __future__ import annotations

from perdure.actions import searching
from perdure.actions.wiring import open_desk
from perdure.model.ids import short, shown
from perdure.surfaces.cli.command import Answer, Command, common, limit_flag, request
from perdure.surfaces.output import fitted, local_time, terminal_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from perdure.actions.searching import SearchHit
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_TIME = 17
"""Columns for the time: the longest is `Wed 18 Nov 12:40`, and a space."""


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help="what to look for, in any order and form")
    parser.add_argument(
        "--in",
        dest="groups",
        action="append",
        choices=searching.GROUPS,
        metavar="GROUP",
        help=f"only {', '.join(searching.GROUPS)}",
    )
    limit_flag(parser, searching.DEFAULT_LIMIT, "at most this many of each group")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    query = " ".join(arguments.words)
    with open_desk(request(arguments), writable=False) as desk:
        hits = searching.search(desk, query, groups=tuple(arguments.groups or searching.GROUPS), limit=arguments.limit)
    return Answer([_data(hit) for hit in hits], lambda style: "\n".join(_lines(hits, query, style)))


def _data(hit: SearchHit) -> Json:
    return {
        "group": hit.group,
        "kind": hit.kind,
        "ts": hit.ts,
        "text": hit.text,
        "count": hit.count,
        "event_id": hit.event_id,
        "session_id": hit.session_id,
        "transaction_id": hit.transaction_id,
    }


def _lines(hits: list[SearchHit], query: str, style: Style) -> Iterator[str]:
    if not hits:
        yield f"The record has nothing about {shown(query)}."
        return
    width, group = terminal_width(), ""
    for hit in hits:
        if hit.group != group:
            group = hit.group
            yield style("bold", group)
        times = f" (×{hit.count})" if hit.count > 1 else ""
        session = short(hit.session_id) if hit.session_id else ""
        said = f"{hit.kind}: {hit.text}" if hit.group == searching.SAID else hit.text
        words = fitted(said, max(12, width - _TIME - 4 - len(times) - len(session)))
        when = local_time(hit.ts)
        yield f"  {when:{_TIME}}{words}{times}  {style('dim', session)}".rstrip()
    yield style("dim", "what was around it: perdure log --session ID, with the id at the end of the line")


COMMANDS: dict[str, Command] = {
    "search": Command(
        run=_run,
        flags=_flags,
        examples="perdure search pytest cart\nperdure search --in errors permission denied\n"
        "perdure search --in files --limit 3 cart.py",
        about="Finds what was said and decided, which commands ran, which files were touched, what failed and what "
        "was denied. The same command or file is one line, with its newest time.",
    )
}
