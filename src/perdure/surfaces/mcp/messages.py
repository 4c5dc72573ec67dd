"""Parses incoming text before the SDK sees it: the result is one JSON-RPC message, or an answer that says why it is not
one.

The SDK's own reader drops what it cannot parse, and the sender would wait for ever. Half an emoji (a lone surrogate), a
number of 5,000 digits and NaN are accepted here, so that the tool can answer about them; a field that occurs twice is
refused, as on the command line.

    read(b'{"jsonrpc":"2.0","id":7,"method":"ping"}').id == 7
    read(b"[]")                                            # NotAMessage: -32600
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError

from perdure.model.ids import shown
from perdure.model.value import value

if TYPE_CHECKING:
    from typing import Any

    from mcp_types import JSONRPCMessage

_MOST_DIGITS = 4000


class NotAMessage(Exception):
    """`answer` is for the sender."""

    def __init__(self, code: int, why: str, identifier: str | int | None = None) -> None:
        super().__init__(why)
        self.answer = JSONRPCError(jsonrpc="2.0", id=identifier, error=ErrorData(code=code, message=why))


@value
class Parsed:
    content: Any
    twice: tuple[str, ...]
    """Names that occur more than once in one object."""

    @property
    def identifier(self) -> str | int | None:
        """The id for the answer, if it can be read."""
        found = self.content.get("id") if isinstance(self.content, dict) else None
        if isinstance(found, str):
            return found if found.encode("utf-8", "replace").decode() == found else None
        return found if type(found) is int else None

    def refuse_doubles(self) -> None:
        if self.twice:
            raise NotAMessage(
                INVALID_REQUEST, f"The field {shown(self.twice[0])} occurs twice in one object.", self.identifier
            )


def parse(raw: bytes) -> Parsed:
    twice: list[str] = []

    def _kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice.extend(name for name in found if names.count(name) > 1)
        return found

    try:
        content = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_kept, parse_int=_whole)
    except RecursionError:
        raise NotAMessage(PARSE_ERROR, "Parse error: it is nested too deep") from None
    except ValueError:
        raise NotAMessage(PARSE_ERROR, "Parse error: it is not JSON in UTF-8") from None
    return Parsed(content, tuple(twice))


def _whole(digits: str) -> int | float:
    """A number that is too long for Python becomes infinite: no field accepts that, and the tool says so."""
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


def read(raw: bytes) -> JSONRPCMessage:
    found = parse(raw)
    if not isinstance(found.content, dict):
        raise NotAMessage(INVALID_REQUEST, "Invalid request: a message is one object, and there are no batches")
    found.refuse_doubles()
    try:
        if "method" in found.content and "id" in found.content:  # with an invalid id it is not a notification
            return JSONRPCRequest.model_validate(found.content, by_name=False)
        return jsonrpc_message_adapter.validate_python(found.content, by_name=False)
    except ValidationError:
        why = "Invalid request: jsonrpc, id, method or params is not as JSON-RPC 2.0 and MCP require"
        raise NotAMessage(INVALID_REQUEST, why, found.identifier) from None
