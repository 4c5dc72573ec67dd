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

    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.mcp.http import Address

PORT = 8437


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)"
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=int,
        default=PORT,
        help=f"the port to listen on (default: {PORT}; 0 takes a free one)",
    )
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="another name that clients use for this server, such as a proxy's; any port, http or https",
    )
    parser.add_argument(
        "--headers",
        action="store_true",
        help="do not serve; print the header with the token, for a client that asks for it",
    )
    common(parser)


def _run(arguments: Arguments) -> Answer:
    from perdure.surfaces.mcp import http  # the SDK is slow to load, and only needed here

    home = home_folder(os.environ)
    wanted = http.token(home)
    if arguments.headers:
        header: dict[str, Json] = {"Authorization": f"Bearer {wanted}"}
        return Answer(header, lambda _: json.dumps(header), as_json=True)
    if not 0 <= arguments.port <= 65535:
        raise BadInput("usage", "--port must be from 0 to 65535.")
    from perdure.surfaces.mcp.server import staying

    asking = staying(arguments)
    address = http.listen(arguments.host, arguments.port, arguments.allow_host)
    server = http.ready(asking, address, wanted)
    _say(arguments, address, http.token_file(home), is_loopback=http.is_loopback(arguments.host))
    server.run(sockets=[address.listening])
    return Answer(None, lambda _: "")


def _say(arguments: Arguments, address: Address, token_file: str, *, is_loopback: bool) -> None:
    """Printed before it serves, because a command's answer is printed when it ends."""
    if not is_loopback:
        print("perdure: others on the network can reach this server, and HTTP is not encrypted", file=sys.stderr)
    if arguments.json:
        print(json.dumps({"url": address.url, "token_file": token_file}), flush=True)
        return
    server = {"type": "http", "url": address.url, "headersHelper": "perdure serve --headers"}
    print(
        f"serving {address.url}; Ctrl-C stops it\n"
        f"every request needs the token in {path_for_people(token_file)}: Authorization: Bearer TOKEN\n"
        f"Claude Code gets it by itself: claude mcp add-json perdure '{json.dumps(server)}'",
        flush=True,
    )


COMMANDS: dict[str, Command] = {
    "serve": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure serve\nperdure serve --port 0 --json\nperdure serve --host 192.0.2.7 --allow-host "
            "build.example.org"
        ),
        about=(
            "Serves Perdure's tools over streamable HTTP to clients of the Model Context Protocol that have the "
            "token. All of them work on the project in which the server was started, as agents and as one instance: "
            "the server's own, or the one that --instance names."
        ),
    )
}
