"""where: the place, and with --explain every row that was tried (SPEC 3.3)."""

from __future__ import annotations

import os

from perdure.actions import attribution, transaction_lookup
from perdure.actions.other_repository import way_back_to
from perdure.actions.request import resolve_request
from perdure.actions.wiring import open_desk_at
from perdure.errors import PerdureError
from perdure.model.ids import short
from perdure.place.resolve import ROWS
from perdure.surfaces.cli.command import Answer, Command, client_flags, common, request
from perdure.surfaces.output import harmless, path_for_people, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import TypeAlias

    from perdure.actions.request import ResolvedRequest
    from perdure.model.ids import TransactionId
    from perdure.model.json import Json
    from perdure.place.resolve import Place
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

    Meant: TypeAlias = tuple[str, TransactionId] | None


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--explain", action="store_true", help="show each rule that was tried, what it gave and why")
    common(parser)
    client_flags(parser)


def _run(arguments: Arguments) -> Answer:
    resolved = resolve_request(request(arguments))
    place = resolved.place
    transaction_id, meant, trouble = _transactions(resolved)
    data = _data(place, transaction_id, trouble) | {"acts_on": _meant_as_json(meant)}
    if arguments.explain:
        data["rows"] = _rows_as_json(place)

    def text(style: Style) -> str:
        lines = _lines(place, transaction_id)
        if meant and meant[1] != transaction_id:
            lines.append(f"             check and postflight mean {short(meant[1])} in {path_for_people(meant[0])}")
        if place.project_path and not place.project_is_there:
            lines.append(style("red", f"its .perdure folder is gone. {way_back_to(resolved, place.project_path)}"))
        if trouble:
            lines.append(style("red", harmless(trouble)))
        if arguments.explain:
            lines += ["", _rows_as_table(place, style)]
        return "\n".join(lines)

    return Answer(data, text, 0 if place.project_path else 1)


def _transactions(resolved: ResolvedRequest) -> tuple[str | None, Meant, str | None]:
    """The id of this instance's open transaction; what check and postflight would be about without flags; and what is
    wrong, if the ledger cannot be read. The place can be shown without it."""
    if not resolved.place.project_is_there:
        return None, None, None
    try:
        with open_desk_at(resolved, writable=False) as desk:
            transaction = attribution.own_open_transaction(desk) if resolved.place.instance_id else None
            meant = transaction_lookup.meant_if_one(desk)
    except PerdureError as error:
        return None, None, error.message
    return (transaction.id if transaction else None), meant, None


def _meant_as_json(meant: Meant) -> Json:
    return {"transaction_id": meant[1], "project_path": meant[0]} if meant else None


def _data(place: Place, transaction_id: str | None, trouble: str | None) -> dict[str, Json]:
    row = place.instance_row or place.project_row
    return {
        "project_path": place.project_path,
        "project": os.path.basename(place.project_path) if place.project_path else None,
        "project_is_there": place.project_is_there,
        "instance_id": place.instance_id,
        "session_id": place.session_id,
        "transaction_id": transaction_id,
        "row": row,
        "by": ROWS[row - 1] if row else None,
        "trouble": trouble,
    }


def _lines(place: Place, transaction_id: str | None) -> list[str]:
    project = "— none here; perdure init makes one"
    if place.project_path:
        project = path_for_people(place.project_path)
    return [
        f"project      {project}",
        f"pane         {_short_or(place.instance_id, '— none bound here yet')}",
        f"session      {_short_or(place.session_id, '—')}",
        f"transaction  {_short_or(transaction_id, '—')}",
    ]


def _short_or(id: str | None, otherwise: str) -> str:
    return short(id) if id else otherwise


def _rows_as_json(place: Place) -> list[Json]:
    return [
        {"row": t.row, "name": ROWS[t.row - 1], "key": t.key, "outcome": t.outcome, "taken": t.taken}
        for t in place.tried
    ]


def _rows_as_table(place: Place, style: Style) -> str:
    rows = []
    for tried in place.tried:
        mark = "→ " if tried.taken else "  "
        rows.append([str(tried.row), ROWS[tried.row - 1], tried.key, mark + tried.outcome])
    return table(rows, ["", "row", "key", "outcome"], style)


COMMANDS: dict[str, Command] = {
    "where": Command(
        run=_run,
        flags=_flags,
        examples="perdure where\nperdure where --explain",
        about="Shows which project, pane, session and transaction this is. Exit 1 if there is no project.",
    )
}
