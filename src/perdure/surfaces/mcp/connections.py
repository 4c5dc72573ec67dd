"""Limits the connections to `perdure serve`: how many there may be, and how long one may take to send its request. The
person at the terminal sees one line about a failed connection, and no line twice in a row.

At `most_connections()` connections a new one replaces the one that has been silent longest, so that silent connections
cannot keep others out. If all of them are being answered, a request gets a 503; beyond a few more, a connection is
closed at once, so that there is always a file descriptor left for the ledger.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from typing import TYPE_CHECKING

import anyio
import h11
import uvicorn
from sse_starlette.sse import AppStatus
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import Callable
    from types import FrameType
    from typing import ClassVar

BACKLOG = 256
"""How many may wait to be accepted. If descriptors run out, each one is tried, and fails, once a second."""
HEADER_SECONDS = 5.0
_ANSWER_SECONDS = 10.0
_MOST = 400
"""Connections."""
_KEPT_FREE = 80
"""Descriptors for files, pipes and the database."""
_TO_BE_REFUSED = 32
"""Connections beyond the limit that are told so; more are closed without a word."""


def most_connections() -> int:
    """As many as the system allows, minus what the work itself and refusing others need."""
    try:
        import resource
    except ImportError:  # not on Windows
        return _MOST
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if limit == resource.RLIM_INFINITY else max(8, min(_MOST, limit - _KEPT_FREE))


class ImpatientProtocol(H11Protocol):
    """uvicorn's protocol with a time limit for a request."""

    _waiting: asyncio.TimerHandle | None = None
    _silent: ClassVar[dict[ImpatientProtocol, None]] = {}
    """Connections without a request, the longest idle first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        limit = self.limit_concurrency or _MOST
        while len(self.connections) >= limit and self._silent:
            next(iter(self._silent))._make_room()
        if len(self.connections) > limit + _TO_BE_REFUSED:
            transport.abort()
        else:
            self._silent[self] = None
            self._wait()

    def _make_room(self) -> None:
        del self._silent[self]
        self.connections.discard(self)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:  # the headers are incomplete
            self._wait()
        else:
            self._stop_waiting()

    def handle_events(self) -> None:
        super().handle_events()
        if not getattr(self.cycle, "response_complete", True):  # there is no cycle before the first request
            self._silent.pop(self, None)

    def on_response_complete(self) -> None:
        self._silent[self] = None  # idle until the next request
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._silent.pop(self, None)
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None


class Server(uvicorn.Server):
    """uvicorn's server, but it answers started calls before it closes the streams, and it keeps ignoring a signal that
    was ignored when the program was started (`perdure serve &` in a script)."""

    def __init__(self, settings: uvicorn.Config, begun: Callable[[], int]) -> None:
        super().__init__(settings)
        self._begun = begun
        self.ignored = frozenset(each for each in HANDLED_SIGNALS if signal.getsignal(each) is signal.SIG_IGN)
        AppStatus.enable_automatic_graceful_drain = False  # it would close a stream on which an answer is being sent

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig not in self.ignored:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        with anyio.move_on_after(_ANSWER_SECONDS):
            while self._begun() and not self.force_exit:
                await anyio.sleep(0.02)
        AppStatus.should_exit = True
        logging.disable(logging.ERROR)  # streams closed from here on are closed on purpose
        await super().shutdown(sockets)


class _Lines(logging.Handler):
    """Prints one line for a failed connection; PERDURE_DEBUG=1 shows where it failed."""

    _last = ""

    def emit(self, record: logging.LogRecord) -> None:
        said = " ".join(record.getMessage().split())[:200]
        if said != self._last:
            self._last = said
            print(f"perdure: {said}", file=sys.stderr)


def log_one_line_each() -> None:
    if os.environ.get("PERDURE_DEBUG") == "1":
        logging.basicConfig(level=logging.WARNING)
    else:
        logging.basicConfig(level=logging.ERROR, handlers=[_Lines()])
