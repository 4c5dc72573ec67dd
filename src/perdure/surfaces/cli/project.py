"""project: list, show, switch, forget (SPEC 3.4, 3.5)."""

from __future__ import annotations

import os
from functools import partial

from perdure.actions import projects, transaction_lookup
from perdure.actions.request import resolve_request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import open_desk_at
from perdure.errors import BadInput
from perdure.install.installer import LOCAL, InstallContext, carry_out, installers
from perdure.model.ids import short
from perdure.model.plural import counted
from perdure.model.vectors import read_vectors
from perdure.place.home import home_folder
from perdure.surfaces.cli.command import (
    Answer,
    Command,
    client_flags,
    parse_input,
    read_input,
    request,
    subcommands,
    text_field,
)
from perdure.surfaces.cli.init import plan_data, plan_lines
from perdure.surfaces.cli.transitions import closed_text
from perdure.surfaces.output import Styled, harmless, one_line, path_for_people, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from perdure.install.installer import Plan
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _nothing(parser: argparse.ArgumentParser) -> None:
    """No flags of its own."""


def _show_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", nargs="?", help="a path, a name or an id (default: this one)")


def _switch_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", help="a path, a name or an id")
    parser.add_argument(
        "--postflight",
        metavar="FILE",
        help="a JSON file (or -) with the assessment that closes the transaction in the project you leave",
    )
    client_flags(parser)


def _forget_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", help="the path where it was, its name or its id")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "list": ("list every project on this machine", _nothing),
            "show": ("show one project", _show_flags),
            "switch": ("move this pane to another project", _switch_flags),
            "forget": ("forget a project whose folder was deleted (for people)", _forget_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"list": _list, "show": _show, "switch": _switch, "forget": _forget}[arguments.verb](arguments)


def _list(arguments: Arguments) -> Answer:
    resolved = resolve_request(request(arguments))
    found = projects.listed(resolved)
    here = resolved.place.project_path
    data: Json = [
        {
            "project_id": e.project_id,
            "project": e.name,
            "project_path": e.path,
            "is_there": there,
            "is_here": e.path == here,
        }
        for e, there in found
    ]

    def text(style: Style) -> str:
        if not found:
            return "no projects yet; perdure init makes one"
        rows = []
        for entry, is_there in found:
            named = Styled(("→ " if entry.path == here else "  ") + one_line(entry.name))
            path = path_for_people(entry.path)
            if not is_there:
                path = style("yellow", f"{path}  (gone)")
            rows.append([named, short(entry.project_id), path])
        return table(rows, ["  project", "id", "path"], style)

    return Answer(data, text)


def _show(arguments: Arguments) -> Answer:
    resolved = resolve_request(request(arguments))
    root = projects.named(resolved, arguments.project) if arguments.project else None
    with open_desk_at(resolved, root, writable=False) as desk:
        heads = desk.ledger.heads()
        open_ones = transaction_lookup.all_open(desk)
        identity, where, kept = desk.identity, desk.root, desk.backup_folder
    data: Json = {
        "project": identity.name,
        "project_id": identity.id,
        "project_path": where,
        "ledgers": [{"ledger_id": head.ledger_id, "events": head.seq, "hash": head.hash} for head in heads],
        "open_transactions": [str(each.transaction.id) for each in open_ones],
        "backup": kept,
    }

    def text(style: Style) -> str:
        lines = [f"{style('bold', harmless(identity.name))}  {identity.id}", f"path     {path_for_people(where)}"]
        lines += [
            f"ledger   {short(head.ledger_id)}  {counted(head.seq, 'event')}  head {head.hash[:16]}" for head in heads
        ]
        lines += [f"open     {short(each.transaction.id)}" for each in open_ones]
        return "\n".join([*lines, f"backup   {path_for_people(kept)}"])

    return Answer(data, text)


def _switch(arguments: Arguments) -> Answer:
    assessment = _assessment_in(arguments.postflight) if arguments.postflight else None
    done = projects.switch(request(arguments), arguments.project, assessment)
    data: Json = {
        "project": done.identity.name,
        "project_id": done.identity.id,
        "project_path": done.root,
        "left_open_transaction_id": done.left_open.id if done.left_open else None,
        "left_project_path": done.left_root,
        "closed_transaction_id": done.closed.transaction.id if done.closed else None,
        "elsewhere": [
            {"transaction_id": t.id, "project_path": t.project_path}
            for t in (each.transaction for each in done.elsewhere.open)
        ],
    }

    def text(style: Style) -> str:
        lines = [f"Now at {style('bold', harmless(done.identity.name))}  {path_for_people(done.root)}"]
        if done.closed:
            lines.append(closed_text(done.closed, style))
        for t in (each.transaction for each in done.elsewhere.open):
            lines.append(
                style("yellow", f"Transaction {short(t.id)} stays open in {path_for_people(t.project_path)}. ")
                + f"Close it from anywhere: perdure postflight --transaction-id {short(t.id)} …"
            )
        return "\n".join(lines)

    return Answer(data, text)


def _forget(arguments: Arguments) -> Answer:
    asked = request(arguments)
    done = projects.forget(asked, arguments.project)
    removed = _removed_from_clients(asked.environment, done.root)
    data: Json = {
        "project_path": done.root,
        "transactions": done.transactions,
        "backup": done.backup,
        "clients": [plan_data(plan) for plan in removed],
    }

    def text(style: Style) -> str:
        lines = [f"Forgotten: {style('bold', path_for_people(done.root))}"]
        if done.transactions:
            lines.append(f"{counted(done.transactions, 'transaction')} that may have been open there: forgotten")
        if done.backup:
            lines.append(f"the backup of its ledger is kept: {path_for_people(done.backup)}")
        lines += [line for plan in removed for line in plan_lines(plan, style)]
        return "\n".join(lines)

    return Answer(data, text)


def _removed_from_clients(environment: Mapping[str, str], root: str) -> list[Plan]:
    """What clients keep about the deleted folder outside it: an entry in their own list of servers. Nothing where
    another folder stands now."""
    if os.path.lexists(root):
        return []
    context = InstallContext(environment, home_folder(environment), root=root, folder=root)
    plans = [
        carry_out(context, LOCAL, partial(client.plan_removal, context, LOCAL)) for client in installers().values()
    ]
    return [plan for plan in plans if plan.changes]


def _assessment_in(path: str) -> SelfAssessment:
    """`-` is standard input, as for `postflight` itself."""
    if path == "-":
        given = read_input('{"vectors": {"know": K, "uncertainty": U}, "reasoning": "…"}')
        return SelfAssessment(read_vectors(given.get("vectors")), text_field(given, "reasoning") or "")
    try:
        with open(path, "rb") as file:
            given = parse_input(file.read(2 << 20), f"The file {path}")
    except OSError as error:
        raise BadInput(
            "bad_path",
            f"--postflight {path}: {error.strerror}.",
            hint="It is a file with the JSON that perdure postflight - reads; - is standard input.",
        ) from None
    return SelfAssessment(read_vectors(given.get("vectors")), text_field(given, "reasoning") or "")


COMMANDS: dict[str, Command] = {
    "project": Command(
        run=_run,
        flags=_flags,
        examples="perdure project list\nperdure project show\nperdure project switch ~/src/shop\n"
        "perdure project switch shop --postflight done.json\nperdure project forget ~/src/old",
        about="Lists the projects of this machine, moves to another one, forgets one that was deleted.",
    )
}
