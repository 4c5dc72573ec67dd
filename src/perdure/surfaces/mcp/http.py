"""Serves the tools over streamable HTTP, and decides who may use them, from where, and how much at once.

- It listens only on this machine, unless a person names another address.
- Host and Origin must be names of this server: a web page whose own name points here (DNS rebinding) is refused.
- Every request must have the token. It is made once, only the person can read it, and it is compared in constant time.
- Headers and bodies have a maximum size and a time limit; the number of connections is limited (`connections`). The
  token is checked before the first byte of a body is read.
"""

from __future__ import annotations

import os
import re
import signal
import socket
from hmac import compare_digest
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

import anyio

from perdure.errors import BadInput, Refused, Trouble
from perdure.files import FolderLock, make_folder, read_text, write_whole
from perdure.model.ids import shown
from perdure.model.value import value
from perdure.surfaces.mcp.messages import NotAMessage, parse

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from perdure.surfaces.mcp.server import Asking

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
LARGEST = 4 << 20
"""Bytes of a body."""
BODY_SECONDS = 20.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
_WAIT_FOR_OPEN_STREAMS = 2
_SESSION_SECONDS = 1800.0
_MOST_SESSIONS = 1000
_HOST_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*")


@value
class Address:
    """Where it listens. `names` are its own hosts, with its port; `called` are names that a proxy in front may use,
    with any port, over http or https."""

    listening: socket.socket
    names: tuple[str, ...]
    called: tuple[str, ...]

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://{self.names[0]}:{self.port}{PATH}"

    def is_host(self, given: str) -> bool:
        name, port = _split(given.lower())
        return name in self.called or (name in self.names and port == str(self.port))

    def is_origin(self, given: str) -> bool:
        scheme, _, host = given.lower().partition("://")
        if _split(host)[0] in self.called:
            return scheme in ("http", "https")
        return scheme == "http" and self.is_host(host)


def _split(host: str) -> tuple[str, str]:
    """Name and port; an IPv6 address keeps its brackets. Empty if it is neither."""
    found = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^\[\]:/@]+)(?::([0-9]{1,5}))?", host)
    return (found[1], found[2] or "80") if found else ("", "")


# -- the token -------------------------------------------------------------------------------------------------------


def token_file(home: str) -> str:
    return os.path.join(home, "serve", "token")


def token(home: str) -> str:
    """The person's token, made on first use. A token that others can read is refused."""
    path = token_file(home)
    make_folder(os.path.dirname(path))
    with FolderLock(os.path.dirname(path)):
        if not (read_text(path) or "").strip():
            write_whole(path, os.urandom(32).hex() + "\n")
    if os.stat(path).st_mode & 0o077:
        raise Refused(
            "token_exposed",
            f"Other users can read {path}.",
            hint=f"Assume that they know it: rm {path}; the next perdure serve makes a new one.",
        )
    return (read_text(path) or "").strip()


class TokenCheck:
    """Passes a request that uses one of this server's names and shows the token."""

    def __init__(self, app: ASGIApp, address: Address, wanted: str) -> None:
        self._app = app
        self._address = address
        self._wanted = wanted.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = self._refused(scope) if scope["type"] == "http" else 0
        if status:
            await _answer(status)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refused(self, scope: Scope) -> int:
        hosts, origins = _headers(scope, b"host"), _headers(scope, b"origin")
        if len(hosts) != 1 or not self._address.is_host(hosts[0].decode("latin-1")):
            return 421
        if not all(self._address.is_origin(each.decode("latin-1")) for each in origins):
            return 403
        return 0 if self._is_shown(_headers(scope, b"authorization")) else 401

    def _is_shown(self, shown: list[bytes]) -> bool:
        scheme, _, token = shown[0].partition(b" ") if len(shown) == 1 else (b"", b"", b"")
        return compare_digest(token.strip(), self._wanted) and scheme.lower() == b"bearer"


def _headers(scope: Scope, wanted: bytes) -> list[bytes]:
    return [content for name, content in scope["headers"] if name == wanted]


def _answer(status: int) -> ASGIApp:
    from starlette.responses import JSONResponse, Response

    if status == 401:
        from perdure.surfaces.mcp.server import error_data

        said = error_data(Refused("no_token", "The token is missing or wrong."))
        return JSONResponse({"error": said}, status_code=401, headers={"WWW-Authenticate": "Bearer"})
    return Response(_SAID[status], status_code=status, headers={"Connection": "close"})


_SAID = {
    403: "Invalid Origin header",
    408: "Request body too slow",
    413: "Request body too large",
    421: "Invalid Host header",
}


# -- bodies ----------------------------------------------------------------------------------------------------------


class _Gone(Exception):
    """The client closed the connection before its body was complete, so nobody waits for an answer."""


class Whole:
    """Reads the whole body before anything is done with it: not too large, not too slow, no field twice."""

    def __init__(self, app: ASGIApp, seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._seconds = seconds
        self.begun = 0
        """Calls that were started and are not answered yet."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            with anyio.fail_after(self._seconds):
                body = await _body(receive)
        except _Gone:
            return
        except TimeoutError:
            await _answer(408)(scope, receive, send)
            return
        if body is None:
            await _answer(413)(scope, receive, send)
            return
        self.begun += 1
        try:
            await (_doubled(body) or self._app)(scope, _again(body, receive), send)
        finally:
            self.begun -= 1


async def _body(receive: Receive) -> bytes | None:
    """None if it is too large; the rest of it is not read."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise _Gone
        body += message.get("body", b"")
        if len(body) > LARGEST:
            return None
        more = message.get("more_body", False)
    return bytes(body)


def _doubled(body: bytes) -> ASGIApp | None:
    """The refusal if a field occurs twice. The SDK reports everything else."""
    try:
        found = parse(body)
    except NotAMessage:
        return None
    try:
        found.refuse_doubles()
    except NotAMessage as wrong:
        from starlette.responses import JSONResponse

        return JSONResponse(wrong.answer.model_dump(exclude_unset=True), status_code=400)
    return None


def _again(body: bytes, receive: Receive) -> Receive:
    rest: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return rest.pop() if rest else await receive()

    return receive_again


# -- where -----------------------------------------------------------------------------------------------------------


def listen(host: str, port: int, called: list[str]) -> Address:
    allowed = tuple(_called(each) for each in called)
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return Address(socket.create_server((host, port), family=family), _names_of(host), allowed)
    except (socket.gaierror, UnicodeError):
        raise BadInput("usage", f"--host {shown(host[:60])} is not an address of this machine.") from None
    except OSError as error:
        raise Trouble(
            "cannot_listen",
            f"Perdure cannot listen on {host}:{port}: {error.strerror}.",
            hint="Another program may use the port: --port N takes another, --port 0 a free one.",
        ) from None


def _called(name: str) -> str:
    """As in a Host header."""
    plain = name.lower().removeprefix("[").removesuffix("]")
    if _is_ipv6(plain):
        return f"[{plain}]"
    if len(name) > 253 or not _HOST_NAME.fullmatch(name.lower()):
        raise BadInput(
            "usage",
            f"--allow-host {shown(name[:60])} is not a host name or an address.",
            hint="Name the host alone, without scheme and port: --allow-host build.example.org",
        )
    return plain


def _is_ipv6(text: str) -> bool:
    try:
        return bool(IPv6Address(text))
    except ValueError:
        return False


def _names_of(host: str) -> tuple[str, ...]:
    own = _EVERYWHERE.get(host) or (f"[{host}]" if ":" in host else host)
    return tuple(dict.fromkeys((own.lower(), *LOOPBACK)))


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


# -- serving ---------------------------------------------------------------------------------------------------------


def app(asking: Asking) -> ASGIApp:
    from mcp.server.transport_security import TransportSecuritySettings

    from perdure.surfaces.mcp.server import Serving

    return Serving(asking).server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # `TokenCheck` does it
        max_request_body_size=LARGEST,
        session_idle_timeout=_SESSION_SECONDS,
        max_sessions=_MOST_SESSIONS,
    )


def ready(asking: Asking, address: Address, wanted: str) -> uvicorn.Server:
    """A server that is ready to run. When it is stopped, it first finishes the calls it has started."""
    import uvicorn

    from perdure.surfaces.mcp import connections

    connections.log_one_line_each()
    calls = Whole(app(asking))
    settings = uvicorn.Config(
        TokenCheck(calls, address, wanted),
        http=connections.ImpatientProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=connections.most_connections(),
        backlog=connections.BACKLOG,
        timeout_graceful_shutdown=_WAIT_FOR_OPEN_STREAMS,
    )
    server = connections.Server(settings, lambda: calls.begun)

    def end(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):  # while it runs it has its own, and raises them again at the end
        if number not in server.ignored:
            signal.signal(number, end)
    return server
