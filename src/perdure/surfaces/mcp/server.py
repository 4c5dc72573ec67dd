"""The MCP server: the SDK's server with our tools and resources. If a tool fails in any way, its answer is
`{"error": {"code", "message", "details"}}`, and the server keeps running (SPEC 15.1).

Several calls may arrive at once. They are carried out one at a time, each with its own desk, like commands: the ledger
has only one writer anyway, and reading is fast.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from perdure import __version__
from perdure.actions.other_repository import required_root
from perdure.actions.request import resolve_request
from perdure.errors import BadInput, PerdureError, Refused
from perdure.model.ids import new_id, shown
from perdure.model.json import compact, compact_ascii
from perdure.model.value import replace
from perdure.place.own_instance import refuse_another_instance
from perdure.proof.canonical import storable
from perdure.surfaces.cli.command import parse_input, request
from perdure.surfaces.mcp import resources, stdio
from perdure.surfaces.mcp.schema import InputCheck
from perdure.surfaces.mcp.tools import ENDS, LOOKS, TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from mcp.server import ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams, ReadResourceRequestParams

    from perdure.actions.request import Request
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments

    T = TypeVar("T")
    Context = ServerRequestContext[dict[str, Any], Any]
    Asking = Callable[..., Request]
    """Takes the client's own name, and flags as on the command line; gives a request from the server's place."""

NAME = "perdure"
INSTRUCTIONS = (
    "Perdure records the work, so that it survives compactions and crashes. Before changing anything: preflight. "
    "Record decisions (decide) and what you learn (note) as they happen. When done: postflight. After a gap: recover."
)
_LONGEST_NAME = 40
_NOTHING = "Nothing was written."


def listed_tools() -> list[Tool]:
    return [
        Tool(
            name=name,
            title=tool.title,
            description=tool.about,
            input_schema=tool.takes,
            output_schema=tool.gives,
            annotations=ToolAnnotations(
                read_only_hint=tool.does == LOOKS,
                destructive_hint=tool.does == ENDS,
                idempotent_hint=tool.does == LOOKS,
                open_world_hint=False,
            ),
        )
        for name, tool in TOOLS.items()
    ]


class Serving:
    """What the handlers of one server share. `asking` says from where, and for whom, a call is made."""

    def __init__(self, asking: Asking) -> None:
        self._asking_as = asking
        self._checks = {name: InputCheck(tool.takes) for name, tool in TOOLS.items()}
        self._turn = anyio.CapacityLimiter(1)
        self.server: Server[dict[str, Any]] = Server(
            NAME,
            version=__version__,
            title="Perdure",
            instructions=INSTRUCTIONS,
            get_tool_input_schema=lambda name: TOOLS[name].takes if name in TOOLS else None,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    # -- tools -----------------------------------------------------------------------------------------------------

    async def _list_tools(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=listed_tools())

    async def _call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in TOOLS:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {shown(params.name)}")
        ask = self._asking(context)
        return await self._in_turn(lambda: self._called(params.name, params.arguments or {}, ask))

    def _called(self, name: str, arguments: dict[str, Any], ask: Callable[..., Request]) -> CallToolResult:
        try:
            return _result(dict(TOOLS[name].run(ask, self._checks[name](_given(arguments)))))
        except PerdureError as error:
            return _result({"error": error_data(error, TOOLS[name].does == LOOKS)}, is_error=True)
        except Exception as error:  # noqa: BLE001 - the edge: whatever was not foreseen is this tool's answer
            return _result({"error": error_data(_unforeseen(error))}, is_error=True)

    # -- resources -------------------------------------------------------------------------------------------------

    async def _list_resources(self, _: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
        found = {name: each for name, each in resources.RESOURCES.items() if "{" not in name}
        return ListResourcesResult(
            resources=[
                Resource(uri=resources.SCHEME + name, name=name, description=each.about, mime_type=each.mime)
                for name, each in found.items()
            ]
        )

    async def _list_templates(self, _: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        found = {name: each for name, each in resources.RESOURCES.items() if "{" in name}
        return ListResourceTemplatesResult(
            resource_templates=[
                ResourceTemplate(
                    uri_template=resources.SCHEME + name,
                    name=name.partition("/")[0],
                    description=each.about,
                    mime_type=each.mime,
                )
                for name, each in found.items()
            ]
        )

    async def _read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        ask = self._asking(context)
        return await self._in_turn(lambda: _read(ask, params.uri))

    # -- where and for whom ------------------------------------------------------------------------------------------

    async def _in_turn(self, work: Callable[[], T]) -> T:
        """A started call is finished, so that nobody is told about half a write."""
        return await anyio.to_thread.run_sync(work, limiter=self._turn)

    def _asking(self, context: Context) -> Callable[..., Request]:
        told = context.session.client_params
        return partial(self._asking_as, told.client_info.name if told else "")


def following(arguments: Arguments) -> Asking:
    """The place of the client that started us, found again for each call, so that it follows a `/clear` or a
    compaction."""

    def ask(client: str, **explicit: str | None) -> Request:
        asked = request(arguments, **explicit)
        return asked if resolve_request(asked).place.client_process else replace(asked, actor=agent_named(client))

    return ask


def staying(arguments: Arguments) -> Asking:
    """The place in which the server was started, found once, with its own instance unless one was named: a caller over
    the network has no terminal here, and no terminal moves it."""
    asked = request(arguments)
    resolved = resolve_request(asked)
    place = resolved.place
    named = _named_instance(asked)
    if named:
        refuse_another_instance(place, asked.explicit, resolved.around)
    own = replace(
        asked.explicit,
        project_path=required_root(resolved),
        instance=named or new_id(),
        is_new_instance=named is None,
    )

    def ask(client: str, **explicit: str | None) -> Request:
        given = {name: content for name, content in explicit.items() if content is not None}
        return replace(asked, explicit=replace(own, **given), actor=agent_named(client))

    return ask


def _named_instance(asked: Request) -> str | None:
    return asked.explicit.instance or asked.environment.get("PERDURE_INSTANCE")


def agent_named(client: str) -> str:
    """A protocol client is never a person, even if no known client is above us. Its own name is only a claim, so it is
    marked, and cut to what an event's `actor` may hold, where nothing can be masked."""
    from perdure.masking import mask_text

    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in client[:_LONGEST_NAME].lower()).strip("-")
    return f"mcp-{kept}" if kept and not mask_text(client)[1] and not mask_text(kept)[1] else "mcp"


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    source = "What the tool was given"
    try:
        raw = json.dumps(arguments)  # also NaN: the schema check names the field
    except RecursionError:
        raise BadInput("bad_input", f"{source} is nested too deep. {_NOTHING}") from None
    return parse_input(raw.encode(), source)


def _read(ask: Callable[..., Request], uri: str) -> ReadResourceResult:
    try:
        found = resources.read(ask, uri)
    except PerdureError as error:
        code = INVALID_PARAMS if isinstance(error, BadInput | Refused) else INTERNAL_ERROR
        raise MCPError(code, error.message, {"uri": uri[:200], "error": error_data(error)}) from None
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=found.mime, text=found.text)])


def error_data(error: PerdureError, is_looking: bool = False) -> dict[str, Json]:
    """A tool that only reads writes nothing anyway, so its error need not say so."""
    return {
        "code": error.code,
        "message": error.message.removesuffix(f" {_NOTHING}") if is_looking else error.message,
        "details": {**error.details, **({"hint": error.hint} if error.hint else {})},
    }


def _unforeseen(error: Exception) -> PerdureError:
    if os.environ.get("PERDURE_DEBUG") == "1":
        from traceback import print_exception

        print_exception(error)
    hint = "This is a defect in Perdure. PERDURE_DEBUG=1 shows where; please report it."
    return PerdureError("internal", f"Perdure failed: {type(error).__name__}: {str(error)[:500]}.", hint=hint)


def _result(content: dict[str, Json], is_error: bool = False) -> CallToolResult:
    """The answer for programs, and the same as text. A lone surrogate is exact only in the text, as an escape: some
    clients, and the SDK over HTTP, cannot send it elsewhere. If one was replaced, the answer says so."""
    whole, replaced = storable(content)
    text = compact_ascii(content) if replaced else compact(whole)
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content={**whole, "replaced_surrogates": replaced} if replaced else whole,
        is_error=is_error,
    )


def run_stdio(arguments: Arguments) -> None:
    """Serves until the client closes its end. Standard output has only the protocol."""
    if sys.stdin.isatty():
        print("perdure: waiting for a client of the Model Context Protocol on standard input", file=sys.stderr)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # whoever ignored interrupts wants that
        # Python's own handler would wait for the reader, which waits for a line.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(stdio.serve, Serving(following(arguments)).server)
