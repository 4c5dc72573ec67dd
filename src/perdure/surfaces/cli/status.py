"""status: what is wrong, the work here, and what other panes do; with `--all` in every project (SPEC 17.1, 17.6)."""

from __future__ import annotations

import os

from perdure.actions import backup
from perdure.actions.request import resolve_request
from perdure.actions.transaction_lookup import open_to_look
from perdure.errors import BadInput
from perdure.place import project
from perdure.surfaces.cli.command import Answer, Command, client_flags, common, request
from perdure.surfaces.status_page import page_at, page_data, page_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from perdure.surfaces.cli.command import Arguments


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--all", action="store_true", help="every project on this machine: what is open and wrong there"
    )
    parser.add_argument("--watch", action="store_true", help="redraw in place when something changes, until Ctrl-C")
    common(parser)
    client_flags(parser)


def _run(arguments: Arguments) -> Answer:
    if arguments.watch:
        _watch(arguments)
    return _answer(arguments)


def _answer(arguments: Arguments) -> Answer:
    if arguments.all:
        return _every_project(arguments)
    with open_to_look(resolve_request(request(arguments))) as desk:
        page = page_at(desk)
    return Answer(page_data(page), lambda style: page_text(page, style))


def _every_project(arguments: Arguments) -> Answer:
    from perdure.actions.machine_status import every_project
    from perdure.surfaces.machine_page import machine_data, machine_text, with_guards

    resolved = resolve_request(request(arguments))
    found = with_guards(every_project(resolved), resolved.home)
    own = resolved.place.instance_id
    return Answer(machine_data(found), lambda style: machine_text(found, style, own))


def _watch(arguments: Arguments) -> None:
    """Ends with KeyboardInterrupt."""
    import sys

    from perdure.surfaces.output import style_for
    from perdure.surfaces.watch import watch

    if arguments.json:
        raise BadInput("usage", "--watch draws for a person, and --json is for programs.", hint="perdure status --json")
    style = style_for(sys.stdout, os.environ)
    watch(lambda: _answer(arguments).text(style), lambda: _what_changes(arguments), style)


def _what_changes(arguments: Arguments) -> Iterator[str]:
    """Folders in which a command that writes makes, replaces or removes a file: a transaction's, a backup's seal, the
    mark of a pause."""
    resolved = resolve_request(request(arguments))
    here = resolved.place.project_path
    for entry in resolved.registry.entries():
        if arguments.all or entry.path == here:
            yield from (project.folder_of(entry.path), backup.folder_for(resolved.home, entry.project_id))
    yield from (os.path.join(resolved.home, name) for name in ("checked", "paused", "resumed", "projects", "held"))


COMMANDS: dict[str, Command] = {
    "status": Command(
        run=_run,
        flags=_flags,
        examples="perdure status\nperdure status --all\nperdure status --watch",
        about="Shows what is wrong, the work here, and what other panes do, on one page.",
    )
}
