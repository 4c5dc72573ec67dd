"""where: the place, and with --explain every row that was tried (SPEC 3.3)."""

from __future__ import annotations

import os

from perdure.actions import acts
from perdure.actions.request import resolve_request
from perdure.actions.wiring import open_desk_at
from perdure.errors import PerdureError
from perdure.model.ids import short
from perdure.place.resolve import ROWS, way_back
from perdure.surfaces.cli.command import Answer, Command, client_flags, common, request
from perdure.surfaces.output import harmless, path_for_people, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--explain", action="store_true", help="show every row that was tried, what it gave and why")
    common(parser)
    client_flags(parser)


def _run(arguments: Arguments) -> Answer:
    resolved = resolve_request(request(arguments))
    place = resolved.place
    transaction, trouble = None, None
    if place.project_is_there:
        try:
            with open_desk_at(resolved, writable=False) as desk:
                transaction = acts.own_open_transaction(desk) if place.instance_id else None
        except PerdureError as error:
            trouble = error.message  # the place can be shown even if the ledger cannot be read
    row = place.row or place.project_row
    nowhere = "— none here; perdure init makes one"
    data: dict[str, Json] = {
        "project_path": place.project_path,
        "project": os.path.basename(place.project_path) if place.project_path else None,
        "project_is_there": place.project_is_there,
        "instance_id": place.instance_id,
        "session_id": place.session_id,
        "transaction_id": transaction.id if transaction else None,
        "row": row,
        "by": ROWS[row - 1] if row else None,
        "trouble": trouble,
    }
    if arguments.explain:
        data["rows"] = [
            {"row": t.row, "name": ROWS[t.row - 1], "key": t.key, "outcome": t.outcome, "taken": t.taken}
            for t in place.tried
        ]

    def text(style: Style) -> str:
        lines = [
            f"project      {path_for_people(place.project_path) if place.project_path else nowhere}",
            f"instance     {short(place.instance_id) if place.instance_id else '— none bound here yet'}",
            f"session      {short(place.session_id) if place.session_id else '—'}",
            f"transaction  {short(transaction.id) if transaction else '—'}",
        ]
        if place.project_path and not place.project_is_there:
            lines.append(style("red", f"its .perdure folder is gone. {way_back(place.project_path)}"))
        if trouble:
            lines.append(style("red", harmless(trouble)))
        if arguments.explain:
            rows = [[str(t.row), ROWS[t.row - 1], t.key, ("→ " if t.taken else "  ") + t.outcome] for t in place.tried]
            lines += ["", table(rows, ["", "row", "key", "outcome"], style)]
        return "\n".join(lines)

    return Answer(data, text, 0 if place.project_path else 1)


COMMANDS: dict[str, Command] = {
    "where": Command(
        run=_run,
        flags=_flags,
        examples="perdure where\nperdure where --explain",
        about="Shows which project, instance, session and transaction this is. Exit 1 if there is no project.",
    )
}
