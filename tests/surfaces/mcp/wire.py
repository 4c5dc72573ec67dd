"""Clients at their plainest: lines of JSON to a server's streams, and requests to one that listens. Nothing of the SDK,
so that what it would not send can be sent."""

from __future__ import annotations

import http.client
import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests import preloaded
from tests.conftest import Cli

PATIENCE = 60.0
MODERN = "2026-07-28"
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a wire", "version": "1"},
}


def envelope(name: str = "a wire") -> dict[str, Any]:
    """What every request of the newest revision carries."""
    return {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": name, "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "not in time"


Process = subprocess.Popen[bytes] | preloaded.Started


def started(cli: Cli, *words: str, limit: int | None = None, **variables: str) -> Process:
    """A server, forked where that is possible: to load the SDK takes most of a second. `limit`: of the descriptors that
    it may have. A test of how the process starts and ends sets `Cli.is_forked` to False."""
    env = {**cli.environment, **variables}
    if cli.is_forked and limit is None and preloaded.is_possible(env):
        return preloaded.Started([*words], cwd=cli.cwd, env=env)
    limited = ["sh", "-c", f'ulimit -n {limit}; exec "$@"', "sh"] if limit else []
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*limited, *cli.command(*words)], cwd=cli.cwd, env=env, **pipes)


class Wire:
    """A server's process, and its streams."""

    def __init__(self, cli: Cli, *flags: str, hello: dict[str, Any] | None = HELLO, **variables: str) -> None:
        self.process = started(cli, "mcp", *flags, **variables)
        self._count = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._rest = b""
        self.nameless: list[dict[str, Any]] = []
        """Errors that say no id, since none could be read."""
        if hello is not None:
            self.hello = self.ask("initialize", hello)
            self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message: dict[str, Any]) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def write(self, raw: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def send(self, method: str, params: dict[str, Any] | None = None) -> int:
        self._count += 1
        asked = {"jsonrpc": "2.0", "id": self._count, "method": method}
        self.say(asked if params is None else {**asked, "params": params})
        return self._count

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.answer(self.send(method, params))

    def answer(self, number: int) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while number not in self._answers:
            self._take(deadline)
        return self._answers.pop(number)

    def answer_without_id(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while not self.nameless:
            self._take(deadline)
        return self.nameless.pop(0)

    def _take(self, deadline: float) -> None:
        assert self.process.stdout
        ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, "no answer in time"
        more = os.read(self.process.stdout.fileno(), 1 << 20)
        assert more, f"it ended: {self.process.stderr.read().decode()}"  # type: ignore[union-attr]
        *lines, self._rest = (self._rest + more).split(b"\n")
        for line in lines:
            told = json.loads(line)  # whatever is no JSON has no place on this stream
            assert told["jsonrpc"] == "2.0"
            if "id" in told and told["id"] is not None:
                self._answers[told["id"]] = told
            elif "error" in told:
                self.nameless.append(told["error"])

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool, whether it went well or not."""
        answered = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answered, answered
        return dict(answered["result"])

    def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result
        return dict(result["structuredContent"])

    def error(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = self.call(tool, **arguments)
        assert result.get("isError") is True, result
        error = result["structuredContent"]["error"]
        assert set(error) == {"code", "message", "details"}
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return dict(error)

    def tools(self) -> dict[str, dict[str, Any]]:
        return {tool["name"]: tool for tool in self.ask("tools/list")["result"]["tools"]}

    def close(self) -> tuple[int, str]:
        """As a client does that is done: its end is closed. The exit code, and what was said beside the protocol."""
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err.decode()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Served:
    """`perdure serve`, and requests to it."""

    def __init__(self, process: Process, url: str, token: str) -> None:
        self.process = process
        self.url = url
        self.token = token
        self.host = url.removeprefix("http://").partition("/")[0]
        self.session = ""
        """Of the last answer."""

    def post(
        self,
        message: dict[str, Any] | bytes,
        *,
        token: str | None = "",
        method: str = "POST",
        path: str = "/mcp",
        **headers: str,
    ) -> tuple[int, str]:
        """Status and body. `token`: ours where it is empty, none where it is None."""
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        sent = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **({} if token is None else {"Authorization": f"Bearer {token or self.token}"}),
            **{name.replace("_", "-"): content for name, content in headers.items()},
        }
        line = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            line.request(method, path, raw, sent)
            answered = line.getresponse()
            self.session = answered.getheader("Mcp-Session-Id") or ""
            return answered.status, answered.read().decode()
        finally:
            line.close()

    def call(self, tool: str, client: str = "a wire", **arguments: Any) -> dict[str, Any]:
        """A tool, by the newest revision: one request, no handshake."""
        params = {"name": tool, "arguments": arguments, "_meta": envelope(client)}
        status, body = self.post(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
            MCP_Protocol_Version=MODERN,
            Mcp_Method="tools/call",
            Mcp_Name=tool,
        )
        assert status == 200, body
        return dict(message_of(body)["result"])


class Session:
    """A client of an older revision: a handshake, then calls."""

    def __init__(self, served: Served) -> None:
        self._served = served
        served.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        self.headers = {"Mcp_Session_Id": served.session, "MCP_Protocol_Version": str(HELLO["protocolVersion"])}
        served.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **self.headers)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        params = {"name": tool, "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        status, body = self._served.post(asked, **self.headers)
        assert status == 200, body
        return dict(message_of(body)["result"])


def message_of(body: str) -> dict[str, Any]:
    """The last message, of a stream of events or of a plain body."""
    lines = [line.removeprefix("data: ") for line in body.splitlines() if line.startswith("data: ")]
    return dict(json.loads(lines[-1] if lines else body))


@contextmanager
def serving(cli: Cli, *flags: str, limit: int | None = None) -> Iterator[Served]:
    """`limit`: of the descriptors it may have."""
    process = started(cli, "serve", "--port", "0", "--json", *flags, limit=limit)
    assert process.stdout
    try:
        told = json.loads(process.stdout.readline())
        with open(told["token_file"], encoding="ascii") as file:
            yield Served(process, told["url"], file.read().strip())
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
