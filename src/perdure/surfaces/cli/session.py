"""session: start, end, list, show (SPEC 3.4)."""

from __future__ import annotations

from perdure.actions import (
    attribution,
    holdings,
    log_entries,
    session_records,
    sessions,
    transaction_lookup,
    transactions,
)
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.model.ids import short
from perdure.model.moment import now, stamp
from perdure.surfaces.cli.command import Answer, Command, client_flags, limit_flag, request, subcommands
from perdure.surfaces.log_text import log_of_one
from perdure.surfaces.output import ago, harmless, local_date, path_for_people, table
from perdure.surfaces.record_data import session_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.holdings import Elsewhere
    from perdure.actions.wiring import Desk
    from perdure.model.json import Json
    from perdure.model.state import Session, Transaction
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _start_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--source", default="terminal", choices=sessions.SOURCES, help="what started it")
    parser.add_argument("--parent", metavar="ID", help="the session it follows (default: this pane's last)")
    client_flags(parser)


def _end_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the session (default: this pane's)")
    parser.add_argument("--reason", default="exit", help="one word: exit, clear, logout, …")


def _show_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the session (default: this pane's)")


def _list_flags(parser: argparse.ArgumentParser) -> None:
    limit_flag(parser)


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "start": ("start a session here and bind this pane to the project", _start_flags),
            "end": ("end a session", _end_flags),
            "list": ("list the project's sessions", _list_flags),
            "show": ("show one session", _show_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"start": _start, "end": _end, "list": _list, "show": _show}[arguments.verb](arguments)


def _start(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        closed = transactions.close_orphans(desk) if desk.setting("transaction.orphans") == "close" else []
        session = sessions.start(desk, arguments.source, arguments.parent)
        open_here, orphans = attribution.own_open_transaction(desk), transaction_lookup.orphans(desk)
        away = holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
        session = _as_it_is(desk, session, open_here, away=away)
    data: dict[str, Json] = {
        **session_data(session),
        "transaction_id": open_here.id if open_here else None,
        "elsewhere": _elsewhere_data(away),
        "orphans": [str(each.transaction.id) for each in orphans],
        "closed_orphans": [str(each.transaction.id) for each in closed],
    }

    def text(style: Style) -> str:
        lines = [f"{style('bold', 'Session ' + short(session.id))} started in {path_for_people(session.project_path)}"]
        if open_here:
            where = path_for_people(open_here.project_path)
            lines.append(f"Continuing transaction {short(open_here.id)} from project {where}")
        lines += _elsewhere_lines(away)
        lines += [f"closed, because its pane is gone: {short(each.transaction.id)}" for each in closed]
        lines += [
            style("yellow", f"left open by a pane that is gone: {short(each.transaction.id)}  ")
            + f"{'once yours is closed: ' if open_here else ''}{each.adopted_by}"
            for each in orphans
            if each.is_left_behind
        ]
        return "\n".join(lines)

    return Answer(data, text)


def _named(arguments: Arguments) -> str | None:
    """The session that is meant: by the word or by the flag, which is the same (SPEC 3.1, row 1)."""
    if arguments.id is not None and arguments.session_id is not None and arguments.id != arguments.session_id:
        raise BadInput("usage", "ID and --session-id name different sessions.", hint="Give one of them.")
    named: str | None = arguments.session_id if arguments.id is None else arguments.id
    return named


def _end(arguments: Arguments) -> Answer:
    asked, named = request(arguments), _named(arguments)
    with open_desk(asked) as desk:
        session = sessions.end(desk, named, arguments.reason)
        open_here, away = (
            attribution.own_open_transaction(desk),
            holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root),
        )
    data: dict[str, Json] = {**session_data(session), "open_transaction_id": open_here.id if open_here else None}
    data["elsewhere"] = _elsewhere_data(away)

    def text(style: Style) -> str:
        line = f"{style('bold', 'Session ' + short(session.id))} ended ({session.end_reason})"
        if open_here:
            line += f"\nTransaction {short(open_here.id)} stays open; the next session here continues it."
        return "\n".join([line, *_elsewhere_lines(away)])

    return Answer(data, text)


def _as_it_is(desk: Desk, session: Session, own: Transaction | None, *, away: Elsewhere) -> Session:
    every = [*([own] if own else []), *(each.transaction for each in away.open)]
    return session_records.as_it_is(desk, session, every)


def _elsewhere_data(away: Elsewhere) -> list[Json]:
    found = (each.transaction for each in away.open)
    return [{"transaction_id": t.id, "project_path": t.project_path} for t in found]


def _elsewhere_lines(away: Elsewhere) -> list[str]:
    found = (each.transaction for each in away.open)
    return [f"Also yours: transaction {short(t.id)}, open in {path_for_people(t.project_path)}" for t in found]


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = sessions.listed(desk, arguments.limit)
    data: Json = [session_data(session) for session in found]

    def text(style: Style) -> str:
        if not found:
            return "no sessions yet"
        rows = []
        for session in found:
            state = "running" if session.ended_at is None else f"ended: {session.end_reason}"
            parent = short(session.parent_id) if session.parent_id else ""
            started = ago(session.started_at, now())
            rows.append([short(session.id), session.source, session.client or "terminal", started, state, parent])
        return table(rows, ["session", "source", "client", "started", "state", "follows"], style)

    return Answer(data, text)


def _show(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        session = sessions.show(desk, _named(arguments))
        own = attribution.own_open_transaction(desk)
        away = holdings.elsewhere(desk.resolved, desk.seat.instance_id, desk.root)
        session = _as_it_is(desk, session, own, away=away)
        is_own = session.instance_id == desk.seat.instance_id
        past = [] if arguments.json else list(log_entries.Log(desk, log_entries.of_session(session)).entries())

    def text(style: Style) -> str:
        lines = _text_of(session, style)
        return "\n".join([*lines, *(_elsewhere_lines(away) if is_own else []), *log_of_one(past, style)])

    return Answer({**session_data(session), "elsewhere": _elsewhere_data(away) if is_own else []}, text)


def _text_of(session: Session, style: Style) -> list[str]:
    rows = {
        "session": session.id,
        "pane": short(session.instance_id or ""),
        "client": " ".join(filter(None, [session.client, session.client_session_id])),
        "project": path_for_people(session.project_path),
        "started": f"{local_date(stamp(session.started_at))} ({session.source})",
        "follows": short(session.parent_id or ""),
    }
    if session.ended_at is not None:
        rows["ended"] = f"{local_date(stamp(session.ended_at))} ({session.end_reason})"
    if session.active_transaction_id is not None:
        where = path_for_people(session.transaction_project_path or "")
        rows["transaction"] = f"{short(session.active_transaction_id)}  in {where}"
    return [f"{style('dim', name.ljust(11))}  {harmless(text)}" for name, text in rows.items() if text]


COMMANDS: dict[str, Command] = {
    "session": Command(
        run=_run,
        flags=_flags,
        examples="perdure session start\nperdure session list\nperdure session end --reason exit",
        about="A session lasts as long as one context. When it ends, its transaction stays open. "
        "A line of sessions, each of which continues the one before, is a lineage.",
    )
}
