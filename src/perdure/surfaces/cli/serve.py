"""serve: the tools and resources of Perdure over streamable HTTP (SPEC 15.1)."""

from __future__ import annotations

import json
import os
import sys

from perdure.errors import BadInput
from perdure.place.home import home_folder
from perdure.surfaces.cli.command import Answer, Command, common
from perdure.surfaces.output import path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.mcp.http import Address

PORT = 8437


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="listen there (default: 127.0.0.1)")
    parser.add_argument(
        "--port", metavar="N", type=int, default=PORT, help=f"listen on this port (default: {PORT}; 0 takes a free one)"
    )
    parser.add_argument(
        "--allow-host", metavar="NAME", action="append", help="a name by which clients call this machine"
    )
    common(parser)


def _run(arguments: Arguments) -> Answer:
    from perdure.surfaces.mcp import http  # only who serves pays for the SDK

    if not 0 <= arguments.port <= 65535:
        raise BadInput("usage", "--port must be from 0 to 65535.")
    home = home_folder(os.environ)
    wanted = http.token(home)
    address = http.listen(arguments.host, arguments.port, arguments.allow_host or [])
    server = http.ready(arguments, address, wanted)
    _say(arguments, address, http.token_file(home), http.is_loopback(arguments.host))
    server.run(sockets=[address.listening])
    return Answer(None, lambda _: "")


def _say(arguments: Arguments, address: Address, token_file: str, is_loopback: bool) -> None:
    """Before it serves, since it answers when it has ended."""
    if not is_loopback:
        print("perdure: others on the network can reach this, and HTTP hides nothing from them", file=sys.stderr)
    if arguments.json:
        print(json.dumps({"url": address.url, "token_file": token_file}), flush=True)
        return
    shown = path_for_people(token_file)
    print(
        f"serving {address.url}; Ctrl-C ends it\n"
        f"every request carries the token of {shown}, as the header Authorization: Bearer TOKEN, such as by\n"
        f'  claude mcp add --transport http perdure {address.url} --header "Authorization: Bearer $(cat {shown})"',
        flush=True,
    )


COMMANDS: dict[str, Command] = {
    "serve": Command(
        _run,
        _flags,
        "perdure serve\nperdure serve --port 0 --json\nperdure serve --host 192.0.2.7 --allow-host build.example.org",
        "Serves Perdure's tools over streamable HTTP to clients of the Model Context Protocol that have the token. "
        "They all work at the place it was started from, as agents.",
    )
}
