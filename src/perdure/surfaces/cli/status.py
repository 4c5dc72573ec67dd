"""status: an overview of the project: session, transactions, goals, decisions, notes, ledger (SPEC 17.1)."""

from __future__ import annotations

from perdure.actions.request import resolve_request
from perdure.actions.transaction_lookup import open_to_look
from perdure.surfaces.cli.command import Answer, Command, client_flags, common, request
from perdure.surfaces.status_page import page_at, page_data, page_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments


def _flags(parser: argparse.ArgumentParser) -> None:
    common(parser)
    client_flags(parser)


def _run(arguments: Arguments) -> Answer:
    with open_to_look(resolve_request(request(arguments))) as desk:
        page = page_at(desk)
    return Answer(page_data(page), lambda style: page_text(page, style))


COMMANDS: dict[str, Command] = {
    "status": Command(
        run=_run,
        flags=_flags,
        examples="perdure status\nperdure status --json",
        about="Shows the state of everything here on one page.",
    )
}
