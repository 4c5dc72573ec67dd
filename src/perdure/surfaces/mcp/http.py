"""The tools over streamable HTTP: who may ask, and from where.

- It listens on this machine alone, unless a person names another address.
- Every request carries the token. It is made once, for the person alone to read, and compared in constant time.
- Host and Origin must be names of this server: a web page that had its own name point here (DNS rebinding) is refused.
- A body has a largest size, and a token is asked for before the first byte of it is read.
"""

from __future__ import annotations

import os
import signal
import socket
from hmac import compare_digest
from typing import TYPE_CHECKING

from perdure.errors import BadInput, Refused, Trouble
from perdure.files import Alone, make_folder, read_text, write_whole
from perdure.model.value import value

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp, Receive, Scope, Send

    from perdure.surfaces.cli.command import Arguments

PATH = "/mcp"
LARGEST_BODY = 4 << 20
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_WAIT_FOR_OPEN_STREAMS = 2


@value
class Address:
    """Where it listens; `names` are the hosts by which it may be called."""

    listening: socket.socket
    names: tuple[str, ...]

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://{self.names[0]}:{self.port}{PATH}"


# -- the token -------------------------------------------------------------------------------------------------------


def token_file(home: str) -> str:
    return os.path.join(home, "serve", "token")


def token(home: str) -> str:
    """The person's token, made on first use. One that others can read is none."""
    path = token_file(home)
    make_folder(os.path.dirname(path))
    with Alone(os.path.dirname(path)):
        if not (read_text(path) or "").strip():
            write_whole(path, os.urandom(32).hex() + "\n")
    if os.stat(path).st_mode & 0o077:
        raise Refused(
            "token_exposed",
            f"Others than you can read {path}.",
            hint=f"Take it as known to them: rm {path}; the next perdure serve makes a new one.",
        )
    return (read_text(path) or "").strip()


class Bearer:
    """Lets through who shows the token."""

    def __init__(self, app: ASGIApp, wanted: str) -> None:
        self._app = app
        self._wanted = f"Bearer {wanted}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._is_shown(scope):
            from starlette.responses import JSONResponse

            said = {"code": "no_token", "message": "The token is missing or another one.", "details": {}}
            answer = JSONResponse({"error": said}, status_code=401, headers={"WWW-Authenticate": "Bearer"})
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_shown(self, scope: Scope) -> bool:
        shown = [content for name, content in scope["headers"] if name == b"authorization"]
        return len(shown) == 1 and compare_digest(shown[0], self._wanted)


# -- where -----------------------------------------------------------------------------------------------------------


def listen(host: str, port: int, called: list[str]) -> Address:
    names = (*called, *_names_of(host))
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return Address(socket.create_server((host, port), family=family), tuple(dict.fromkeys(names)))
    except socket.gaierror:
        raise BadInput("usage", f"--host {host[:60]} is no address of this machine.") from None
    except OSError as error:
        raise Trouble(
            "cannot_listen",
            f"{host}:{port} cannot be listened on: {error.strerror}.",
            hint="Another program may have the port: --port N names another, --port 0 takes a free one.",
        ) from None


def _names_of(host: str) -> tuple[str, ...]:
    if is_loopback(host):
        return LOOPBACK
    own = f"[{host}]" if ":" in host else host
    return LOOPBACK if host in ("0.0.0.0", "::") else (own, *LOOPBACK)


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


# -- serving ---------------------------------------------------------------------------------------------------------


def app(arguments: Arguments, address: Address, wanted: str) -> ASGIApp:
    from mcp.server.transport_security import TransportSecuritySettings

    from perdure.surfaces.mcp.server import Serving

    hosts = [f"{name}:{address.port}" for name in address.names]
    checked = TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    inner = Serving(arguments).server.streamable_http_app(
        streamable_http_path=PATH, transport_security=checked, max_request_body_size=LARGEST_BODY
    )
    return Bearer(inner, wanted)


def ready(arguments: Arguments, address: Address, wanted: str) -> uvicorn.Server:
    """A server that needs only to be run. Told to end, at whatever moment, it carries on what was begun first."""
    import uvicorn

    settings = uvicorn.Config(
        app(arguments, address, wanted),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_WAIT_FOR_OPEN_STREAMS,
    )
    server = uvicorn.Server(settings)

    def end(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):  # while it runs it has its own, and raises them once more at the end
        signal.signal(number, end)
    return server
