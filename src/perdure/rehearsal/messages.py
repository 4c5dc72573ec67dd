"""The scripted model: enough of the Anthropic Messages API, on 127.0.0.1, for a client to play a script to its end.

A script is a list of turns. A request that offers tools takes the next turn of its conversation's script; when the
script is over it gets FINAL. A request for a summary, or one without tools (titles, probes), takes no turn: it is an
aside, and gets a fixed text.

Several conversations at once: scripts have names, and `choose` says which one a request belongs to. Unless told
otherwise it is the script whose name occurs in the conversation's first prompt, else MAIN. A subagent's first prompt is
what the script's own `Agent` call says, so its script is named by a word of that prompt.

    with ScriptedModel([call("Bash", command="touch here"), say("done")]) as model:
        ...                                     # a client at model.url
    model.turns[1].results                      # {"toolu_1_0": "…"}: what came back from the tool

    ScriptedModel({MAIN: [call("Agent", description="x", prompt="count the files", subagent_type="general-purpose")],
                   "count the files": [call("Bash", command="ls")]})

Invariants: it listens on loopback only. Bodies are kept, headers are not: they may carry credentials. A reply is one
send. No reply is held longer than LONGEST_HOLD. What it refused, and what went wrong in it, is kept in `troubles`.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from perdure.model.value import value

if TYPE_CHECKING:
    from types import TracebackType

    from perdure.model.json import Json

MAIN = "main"
FINAL = "The script is over."
ASIDE = "A fixed answer."
SUMMARY = "<analysis>Read.</analysis>\n<summary>\nA fixed summary.\n</summary>"
"""If the tag is missing, the client asks for the summary a second time."""
LARGEST_REQUEST = 64 * 1024 * 1024
LONGEST_HOLD = 60.0
SUMMARY_MARK = "Your task is to create a detailed summary of"
"""What the client's request for a compaction summary says. It offers tools, like any other."""


@value
class ScriptedCall:
    """A tool call: if the script gives it no `id`, the model makes one from the script's name, the
    turn and the place in it."""

    name: str
    input: Mapping[str, Json]
    id: str = ""


@value
class Turn:
    """One answer. `input_tokens` is what it claims to have read; `held` keeps it back until the event is set."""

    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    input_tokens: int = 100
    held: threading.Event | None = None


def say(text: str, *, input_tokens: int = 100, held: threading.Event | None = None) -> Turn:
    return Turn(text=text, input_tokens=input_tokens, held=held)


def call(tool: str, /, **input: Json) -> Turn:
    return Turn(calls=(ScriptedCall(tool, input),))


@value
class ModelRequest:
    """A request as the client sent it, and who answered."""

    body: Mapping[str, Any]
    script: str = ""
    """The script that answered; empty for an aside."""

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools of the client's that it offers; those that the API itself would run (web_search) have no schema."""
        return tuple(str(tool.get("name", "")) for tool in _objects(self.body.get("tools")) if "input_schema" in tool)

    @property
    def streams(self) -> bool:
        return self.body.get("stream") is True

    @property
    def system(self) -> str:
        return "\n".join(_texts(self.body.get("system")))

    @property
    def text(self) -> str:
        """Every word of it that reaches the model: system, messages, tool results; not the tools' descriptions."""
        return "\n".join((self.system, *(text for message in self._messages for text in _texts(message))))

    @property
    def first_prompt(self) -> str:
        said = (message for message in self._messages if message.get("role") == "user")
        return "\n".join(_texts(next(said, None)))

    @property
    def last_prompt(self) -> str:
        """The words of the last message from the user's side, without tool results."""
        said = [message for message in self._messages if message.get("role") == "user"]
        return "\n".join(_texts([block for block in _blocks(said[-1]) if not _is_result(block)])) if said else ""

    @property
    def results(self) -> dict[str, str]:
        """What each tool call came back with, by the call's id."""
        found = (block for message in self._messages for block in _blocks(message) if _is_result(block))
        return {str(block.get("tool_use_id")): "\n".join(_texts(block.get("content"))) for block in found}

    @property
    def failed(self) -> frozenset[str]:
        """The calls that came back as errors."""
        found = (block for message in self._messages for block in _blocks(message) if _is_result(block))
        return frozenset(str(block.get("tool_use_id")) for block in found if block.get("is_error"))

    @property
    def asks_for_a_summary(self) -> bool:
        return SUMMARY_MARK in self.last_prompt

    @property
    def _messages(self) -> list[Mapping[str, Any]]:
        return _objects(self.body.get("messages"))


def _objects(of: object) -> list[Mapping[str, Any]]:
    return [one for one in of if isinstance(one, dict)] if isinstance(of, list) else []


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else _objects(content)


def _is_result(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "tool_result"


def _texts(of: object) -> list[str]:
    """The texts in a string, a block, or a list of blocks, at any depth."""
    if isinstance(of, str):
        return [of]
    if isinstance(of, list):
        return [text for one in of for text in _texts(one)]
    if isinstance(of, dict):
        return [text for key in ("text", "content") for text in _texts(of.get(key))]
    return []


Script = Sequence[Turn]
Choose = Callable[[ModelRequest], str]


class ScriptedModel:
    """Begins to listen when made; `with` ends it. `choose` may name a script that is not there: then MAIN answers."""

    def __init__(
        self,
        scripts: Script | Mapping[str, Script],
        *,
        choose: Choose | None = None,
        aside: str = ASIDE,
        summary: str = SUMMARY,
    ) -> None:
        named = scripts if isinstance(scripts, Mapping) else {MAIN: scripts}
        self._scripts = {name: list(turns) for name, turns in named.items()}
        self._scripts.setdefault(MAIN, [])
        self._served = dict.fromkeys(self._scripts, 0)
        self._choose = choose or self._by_first_prompt
        self._aside, self._summary = aside, summary
        self._changed = threading.Condition()
        self.requests: list[ModelRequest] = []
        self.troubles: list[str] = []
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def turns(self) -> list[ModelRequest]:
        """The requests that a script answered, in the order they came; asides left out."""
        return [request for request in self.requests if request.script]

    def of(self, script: str) -> list[ModelRequest]:
        return [request for request in self.requests if request.script == script]

    @property
    def summaries(self) -> list[ModelRequest]:
        return [request for request in self.requests if request.asks_for_a_summary]

    def finished(self, script: str = MAIN) -> bool:
        """Every turn of it was taken."""
        return self._served[script] >= len(self._scripts[script])

    def wait_until(self, reached: Callable[[ScriptedModel], bool], *, seconds: float = 20.0) -> bool:
        """Waits until what came in is enough for `reached`; false when it never was."""
        with self._changed:
            return self._changed.wait_for(lambda: reached(self), seconds)

    def answer(self, body: Mapping[str, Any]) -> tuple[Turn, str]:
        """Takes the request in. Returns the turn that answers it, its calls with ids, and the message's id."""
        request = ModelRequest(body)
        with self._changed:
            name = "" if request.asks_for_a_summary or not request.tools else self._script_of(request)
            turn = self._next(name) if name else Turn(self._summary if request.asks_for_a_summary else self._aside)
            self.requests.append(ModelRequest(body, name))
            number = len(self.requests)
            self._changed.notify_all()
        if turn.held is not None:
            turn.held.wait(LONGEST_HOLD)
        return turn, f"msg_{number}"

    def _script_of(self, request: ModelRequest) -> str:
        name = self._choose(request)
        return name if name in self._scripts else MAIN

    def _by_first_prompt(self, request: ModelRequest) -> str:
        first = request.first_prompt
        return next((name for name in self._scripts if name != MAIN and name in first), MAIN)

    def _next(self, script: str) -> Turn:
        number = self._served[script]
        if number >= len(self._scripts[script]):
            return Turn(FINAL)
        self._served[script] = number + 1
        return _with_ids(self._scripts[script][number], script, number + 1)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> ScriptedModel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _with_ids(turn: Turn, script: str, number: int) -> Turn:
    """Ids say which turn made the call; those of other scripts than MAIN carry a part of its name."""
    part = "" if script == MAIN else "".join(letter for letter in script if letter.isalnum())[:20] + "_"
    calls = tuple(
        ScriptedCall(made.name, made.input, made.id or f"toolu_{part}{number}_{place}")
        for place, made in enumerate(turn.calls)
    )
    return Turn(text=turn.text, calls=calls, input_tokens=turn.input_tokens, held=turn.held)


# What goes over the wire.


def message(turn: Turn, id: str, model: str) -> dict[str, Any]:
    """The reply when no stream is asked for."""
    return {
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": _content(turn),
        "stop_reason": _stop_reason(turn),
        "stop_sequence": None,
        "usage": _usage(turn),
    }


def stream(turn: Turn, id: str, model: str) -> bytes:
    """The same as server-sent events, whole."""
    opened = {**message(turn, id, model), "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": opened}]
    for index, block in enumerate(_content(turn)):
        events += _streamed(block, index)
    ended = {"stop_reason": _stop_reason(turn), "stop_sequence": None}
    events += [{"type": "message_delta", "delta": ended, "usage": _usage(turn)}, {"type": "message_stop"}]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def _content(turn: Turn) -> list[dict[str, Any]]:
    said = [{"type": "text", "text": turn.text}] if turn.text or not turn.calls else []
    return [*said, *({"type": "tool_use", "id": c.id, "name": c.name, "input": dict(c.input)} for c in turn.calls)]


def _streamed(block: dict[str, Any], index: int) -> list[dict[str, Any]]:
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        {"type": "content_block_start", "index": index, "content_block": empty},
        {"type": "content_block_delta", "index": index, "delta": delta},
        {"type": "content_block_stop", "index": index},
    ]


def _stop_reason(turn: Turn) -> str:
    return "tool_use" if turn.calls else "end_turn"


def _usage(turn: Turn) -> dict[str, Any]:
    return {
        "input_tokens": turn.input_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 10,
    }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128  # many may call at once; five is what would wait by default

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away in the middle of a reply is not our error; it is kept for whoever looks."""
        self.model.troubles.append(repr(sys.exception()))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 20  # head and body leave in one send
    server: _Server

    def do_HEAD(self) -> None:
        self._reply(200, b"")

    def do_GET(self) -> None:
        if self.path.startswith("/"):
            self._reply_json(200, {"data": [], "has_more": False})
        else:
            self._keep_in()

    def do_CONNECT(self) -> None:
        """The client's proxy is this server too (see `claude_code`): what wants to leave the machine ends here."""
        self._keep_in()

    def do_POST(self) -> None:
        length = self._length()
        if length is None:
            return
        path = self.path.partition("?")[0]
        given = self.rfile.read(length)
        if path not in ("/v1/messages", "/v1/messages/count_tokens"):
            self._refuse(404, "not_found_error", f"no such path: {path}")
            return
        body = _parsed(given)
        if body is None:
            self._refuse(400, "invalid_request_error", "the body is not a JSON object with a list of messages")
        elif path.endswith("/count_tokens"):
            self._reply_json(200, {"input_tokens": len(given) // 4})
        else:
            self._answer(body)

    def _answer(self, body: Mapping[str, Any]) -> None:
        turn, id = self.server.model.answer(body)
        model = str(body.get("model", "scripted"))
        if body.get("stream") is True:
            self._reply(200, stream(turn, id, model), "text/event-stream")
        else:
            self._reply_json(200, message(turn, id, model))

    def _length(self) -> int | None:
        """How long the body is; none when it was refused unread, and the connection with it."""
        stated = self.headers.get("Content-Length", "")
        if not (stated.isascii() and stated.isdigit()):
            self.close_connection = True
            self._refuse(411, "invalid_request_error", "the body's length must be stated")
            return None
        if int(stated) > LARGEST_REQUEST:
            self.close_connection = True
            self._refuse(413, "request_too_large", f"more than {LARGEST_REQUEST} bytes")
            return None
        return int(stated)

    def _keep_in(self) -> None:
        self.close_connection = True
        self._refuse(403, "permission_error", f"nothing leaves this machine: {self.path}")

    def _refuse(self, status: int, kind: str, text: str) -> None:
        self.server.model.troubles.append(f"{status} {self.command} {text}")
        self._reply_json(status, {"type": "error", "error": {"type": kind, "message": text}})

    def _reply_json(self, status: int, content: object) -> None:
        self._reply(status, json.dumps(content).encode())

    def _reply(self, status: int, content: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed: what came in is in `requests`, what went wrong in `troubles`."""


def _parsed(given: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(given)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) and isinstance(body.get("messages"), list) else None
