"""Serves the tools over standard input and output, one message per line. Every line gets an answer (`messages`). The
streams carry only the protocol: any other code that reads gets the null device, and what it prints goes to standard
error."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST

from perdure.model.json import compact_ascii
from perdure.surfaces.mcp.messages import NotAMessage, read

if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.lowlevel import Server
    from mcp_types import JSONRPCMessage

LARGEST = 16 << 20
"""Bytes per line. A tool's limit is smaller, and its error can name the call."""


async def serve(server: Server[dict[str, Any]]) -> None:
    """Serves until the client closes its end."""
    wire_in, wire_out = _claimed()
    to_server, inward = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outward, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, wire_in, to_server, outward.clone())
        group.start_soon(_write, wire_out, from_server)
        await server.run(inward, outward, server.create_initialization_options())


def _claimed() -> tuple[BinaryIO, BinaryIO]:
    """Keeps the streams for us alone: a child process that reads or prints cannot use them."""
    ours = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(ours[0], "rb"), os.fdopen(ours[1], "wb")


async def _read(
    wire: BinaryIO,
    inward: MemoryObjectSendStream[SessionMessage | Exception],
    outward: MemoryObjectSendStream[SessionMessage],
) -> None:
    async with inward, outward:
        while line := await anyio.to_thread.run_sync(_line, wire):
            try:
                if len(line) > LARGEST:
                    raise NotAMessage(INVALID_REQUEST, f"Invalid request: a message has at most {LARGEST >> 20} MiB")
                if line.strip():
                    await inward.send(SessionMessage(read(line)))
            except NotAMessage as wrong:
                await outward.send(SessionMessage(wrong.answer))


def _line(wire: BinaryIO) -> bytes:
    """One byte more than allowed if it is too long; the rest of the line is skipped."""
    line = rest = wire.readline(LARGEST + 1)
    while rest and not rest.endswith(b"\n"):
        rest = wire.readline(LARGEST)
    return line


async def _write(wire: BinaryIO, outward: MemoryObjectReceiveStream[SessionMessage]) -> None:
    """Sends answers until the client has left; started calls are still finished."""
    is_there = True
    async with outward:
        async for sent in outward:
            if is_there:
                is_there = await anyio.to_thread.run_sync(_told, wire, _text(sent.message))


def _told(wire: BinaryIO, text: str) -> bool:
    try:
        wire.write(text.encode() + b"\n")
        wire.flush()
    except OSError:
        return False
    return True


def _text(message: JSONRPCMessage) -> str:
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:  # a lone surrogate, which only an escape can carry
        return compact_ascii(message.model_dump(by_alias=True, exclude_unset=True))
