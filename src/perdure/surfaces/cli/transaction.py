"""transaction: status, list, show, adopt, override, close (SPEC 4.6)."""

from __future__ import annotations

from perdure.actions import log_entries, transaction_lookup, transactions
from perdure.actions.advice import as_typed
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.gate.policy import CHECK, POSTFLIGHT, YOUR_OWN
from perdure.model.ids import short
from perdure.surfaces.cli.command import Answer, Command, client_flags, limit_flag, request, subcommands
from perdure.surfaces.holder_words import holder_words, other_words
from perdure.surfaces.log_text import log_of_one
from perdure.surfaces.output import duration, harmless, one_line, path_for_people, table, terminal_width, wrapped
from perdure.surfaces.record_data import held_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.holdings import Held
    from perdure.actions.transaction_lookup import Status
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_VECTORS = "vectors   "


def _no_flags(parser: argparse.ArgumentParser) -> None:
    """No flags of its own."""


def _id_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the transaction")


def _optional_id_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the transaction (default: this pane's)")


def _list_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--open", action="store_true", help="only open transactions")
    limit_flag(parser, about="how many, latest change first")


def _adopt_flags(parser: argparse.ArgumentParser) -> None:
    _id_argument(parser)
    client_flags(parser)


def _override_flags(parser: argparse.ArgumentParser) -> None:
    _optional_id_argument(parser)
    parser.add_argument("--because", required=True, metavar="TEXT", help="why the gate may open")


def _close_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--orphaned", action="store_true", help="close, without an assessment, those whose pane is gone (for people)"
    )
    parser.add_argument("--imported", metavar="ID", help="end, only here, one that came with an import (for people)")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "status": ("show this pane's transaction, or a session's", _no_flags),
            "list": ("list the project's transactions", _list_flags),
            "show": ("show one transaction in full", _optional_id_argument),
            "adopt": ("take over an open transaction", _adopt_flags),
            "override": ("open the gate for one transaction (for people)", _override_flags),
            "close": ("close transactions whose pane is gone, or an imported one", _close_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    verbs = {"status": _status, "list": _list, "show": _show, "adopt": _adopt, "override": _override, "close": _close}
    return verbs[arguments.verb](arguments)


def _status(arguments: Arguments) -> Answer:
    found = transaction_lookup.status(request(arguments), arguments.session_id)
    return Answer(status_data(found), lambda style: _status_text(found, style), 0 if found.found else 1)


def status_data(s: Status) -> dict[str, Json]:
    if s.found is None:
        own: dict[str, Json] = {"transaction_id": None, "status": "none", "project": s.name, "project_path": s.root}
    else:
        own = held_data(s.found) | ({"project": s.name} if s.found.transaction.project_path == s.root else {})
    return own | {
        "others": [held_data(each) for each in s.others],
        "elsewhere": [held_data(each) for each in s.elsewhere.open],
        "warnings": [*s.warnings, *(each.words for each in s.elsewhere.unreadable)],
    }


def _status_text(s: Status, style: Style) -> str:
    shown = s.found.transaction.id if s.found else None
    lines = [style("red", f"! {harmless(each)}") for each in s.warnings]
    if s.found:
        lines.append(_short_text(s.found, style, is_denied_here=s.is_denied_here))
    else:
        lines.append(f"no transaction here yet; {s.opened_by} opens one")
    for each in s.elsewhere.open:
        if each.transaction.id != shown:
            root = path_for_people(each.transaction.project_path)
            lines.append(f"{style('dim', 'also yours')}  {other_words(each, style)}  {root}")
    has_own = s.found is not None and s.found.mine and s.found.transaction.status == "open"
    for each in s.others:
        if each.transaction.id != shown:
            lines.append(f"{style('dim', 'held by another')}  {other_words(each, style, has_own=has_own)}")
    lines += [style("red", f"! {harmless(each.words)}") for each in s.elsewhere.unreadable]
    return "\n".join(lines)


def _short_text(each: Held, style: Style, *, is_denied_here: bool = False) -> str:
    transaction = each.transaction
    gate = style("red", "denied here") if is_denied_here and transaction.status == "open" else transaction.decision
    state = style("green", "open") if transaction.status == "open" else style("dim", "closed")
    lines = [
        f"{style('bold', short(transaction.id))}  {state}  {duration(each.age_seconds)}  {holder_words(each, style)}",
        f"project   {path_for_people(transaction.project_path)}",
        f"sessions  {', '.join(short(session) for session in transaction.sessions)}",
        f"gate      {gate}{', overridden by a person' if transaction.overridden else ''}",
    ]
    if each.goal:
        lines.append(f"goal      {one_line(each.goal, 100)}")
    if each.ended_by:
        lines.append(f"imported: a person ends it here: {each.ended_by}")
    if each.is_left_behind:
        lines.append(style("yellow", "orphaned: ") + each.adopted_by)
    elif each.orphaned:
        lines.append(style("yellow", "orphaned: ") + "not used for a long time, but its pane may still be at work")
    return "\n".join(lines)


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = transaction_lookup.listed(desk, arguments.limit, arguments.open)

    def text(style: Style) -> str:
        if not found:
            return "no transactions"
        rows = []
        for each in found:
            status, holder = "closed", ""
            if each.transaction.status == "open":
                status, holder = style("green", "open"), holder_words(each, style)
            age, gate = duration(each.age_seconds), each.transaction.decision
            rows.append([short(each.transaction.id), status, age, gate, holder, each.transaction.agent])
        return table(rows, ["transaction", "status", "age", "gate", "holder", "agent"], style)

    return Answer([held_data(each) for each in found], text)


def _show(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = transaction_lookup.show(desk, arguments.id)
        asked = log_entries.of_transaction(found.transaction)
        past = [] if arguments.json else list(log_entries.Log(desk, asked).entries())
    data = held_data(found)

    def text(style: Style) -> str:
        numbers = ", ".join(f"{name} {number:.2f}" for name, number in found.transaction.vectors.items())
        first, *more = wrapped(numbers, terminal_width(), indent=" " * len(_VECTORS))
        vectors = [_VECTORS + first.lstrip(), *more] if numbers else []
        return "\n".join([_short_text(found, style), *vectors, *log_of_one(past, style)])

    return Answer(data, text)


def _adopt(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        before = transaction_lookup.show(desk, arguments.id, command="perdure transaction adopt")
        found = transactions.adopt(desk, arguments.id)
        check = as_typed(desk, CHECK)
    data = {**held_data(found), "taken_from": before.transaction.instance_id, "taken_from_alive": before.alive}

    def text(style: Style) -> str:
        held_back = f"\nIts gate is shut: read and search first, then {check} ({YOUR_OWN})."
        held_back = "" if found.transaction.passes else held_back
        return f"Taken over from {holder_words(before, style)}.\n{_short_text(found, style)}{held_back}"

    return Answer(data, text)


def _override(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        found = transactions.override(desk, arguments.id, arguments.because)
    return Answer(
        held_data(found), lambda style: "The gate is open for this transaction.\n" + _short_text(found, style)
    )


def _close(arguments: Arguments) -> Answer:
    if arguments.orphaned == bool(arguments.imported):
        raise BadInput(
            "usage",
            "POSTFLIGHT closes a transaction.",
            hint=f"{POSTFLIGHT} ({YOUR_OWN}); or perdure transaction close --orphaned for those whose pane is gone; "
            "or perdure transaction close --imported ID for one that came with an import.",
        )
    with open_desk(request(arguments)) as desk:
        if arguments.imported:
            closed = [transactions.close_imported_for_person(desk, arguments.imported)]
        else:
            closed = transactions.close_orphans_for_person(desk)

    def text(_style: Style) -> str:
        if not closed:
            return "no orphaned transaction here"
        return "\n".join(f"closed without an assessment: {short(each.transaction.id)}" for each in closed)

    return Answer({"closed": [held_data(each) for each in closed]}, text)


COMMANDS: dict[str, Command] = {
    "transaction": Command(
        run=_run,
        flags=_flags,
        examples="perdure transaction status\nperdure transaction list --open\nperdure transaction adopt 3f2a91c4\n"
        "perdure transaction close --orphaned\nperdure transaction close --imported 3f2a91c4",
        about="A transaction belongs to a project and to one pane. It stays open when a session ends.",
    )
}
