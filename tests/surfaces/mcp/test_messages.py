"""Whatever stands on a line is answered: by the tool where it can be told which, else by an error of the protocol."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from itertools import product

import pytest

from tests.conftest import Cli

from .wire import Served, Session, Wire, envelope, message_of, until

PING = b'{"jsonrpc":"2.0","id":7,"method":"ping"}'
NOTE = '{"kind":"finding","text":"x"}'


def call(tool: str, arguments: str, identifier: str = "7", more: str = "") -> bytes:
    params = f'{{"name":"{tool}","arguments":{arguments}{more}}}'
    return f'{{"jsonrpc":"2.0","id":{identifier},"method":"tools/call","params":{params}}}'.encode()


NO_MESSAGES: list[tuple[bytes, int]] = [
    (b"{broken", -32700),
    (b"hello", -32700),
    (b"\xff\xfe", -32700),
    (b"\0" + PING, -32700),
    (b"\x07" + PING + b"\x01", -32700),
    (call("decide", '{"decision":"x","evidence":' + "[" * 5000 + "]" * 5000 + "}"), -32700),
    (call("decide", '{"decision":"x","evidence":' + "[" * 100_000 + "]" * 100_000 + "}"), -32700),
    (b"[" + PING + b"]", -32600),
    (b"[]", -32600),
    (b"null", -32600),
    (b'{"jsonrpc":"2.0"}', -32600),
    (call("note", NOTE, "null"), -32600),
    (call("note", NOTE, "1.5"), -32600),
    (call("note", NOTE, "true"), -32600),
    (call("note", NOTE, "9" * 5000), -32600),
    (b" " * (17 << 20) + PING, -32600),
]


def test_what_is_not_a_message_is_answered_and_does_nothing(cli: Cli, wire: Wire) -> None:
    for line, code in NO_MESSAGES:
        wire.write(line + b"\n")
        assert wire.answer_without_id()["code"] == code, line[:80]
        assert wire.ask("ping")["result"] == {}, line[:80]
    assert cli.ok("note", "list") == []


def test_where_the_id_can_be_read_the_answer_has_it(cli: Cli, wire: Wire) -> None:
    for line, code in (
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}', -32600),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', -32600),
        (call("note", '{"kind":"finding","text":"a","text":"b"}'), -32600),
        (call("note", '{"kind":"finding","te\\u0078t":"a","text":"b"}'), -32600),
        (call("no\\ud83dte", "{}"), -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"perdure://\\ud83d"}}', -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"x\\ud83d"}', -32601),
    ):
        wire.write(line + b"\n")
        assert wire.answer(7)["error"]["code"] == code, line
    assert cli.ok("note", "list") == []


def test_a_byte_order_mark_and_empty_lines_are_nothing(wire: Wire) -> None:
    wire.write(b"\n  \n\xef\xbb\xbf" + PING + b"\r\n")
    assert wire.answer(7)["result"] == {}
    assert wire.nameless == []


NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000]


def test_numbers_that_are_none_are_refused_by_the_field_that_has_them(cli: Cli, wire: Wire, served: Served) -> None:
    before = len(cli("export").out.splitlines())
    calls = (
        ("preflight", '{"reasoning":"x","vectors":{"know":%s,"uncertainty":0.1}}'),
        ("task_list", '{"limit":%s}'),
        ("recover", '{"max_tokens":%s}'),
        ("decide", '{"decision":"x","evidence":[{"path":"a","line":%s}]}'),
        ("task_create", '{"title":"x","handoffs":[{"session_id":"s","grounding_ratio":%s}]}'),
    )
    for number, (tool, arguments) in product(NO_NUMBERS, calls):
        wire.write(call(tool, arguments % number) + b"\n")
        told = wire.answer(7)
        assert told["result"]["structuredContent"]["error"]["code"] in ("bad_vector", "bad_field"), told
        if len(number) < 4000:
            meta = f',"_meta":{json.dumps(envelope())}'
            newest = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": tool}
            _, body = served.post(call(tool, arguments % number, more=meta), **newest)
            error = message_of(body)["result"]["structuredContent"]["error"]
            assert error["code"] in ("bad_vector", "bad_field"), body
    assert len(cli("export").out.splitlines()) == before


def test_half_an_emoji_is_taken_and_its_answer_verifies(cli: Cli, wire: Wire, served: Served) -> None:
    """A client that cut a text within a character sends the escape of a lone surrogate."""
    arguments = '{"type":"plan","task_id":"t","agent_id":"a","content":"cut \\ud83d"}'
    wire.write(call("thought_record", arguments) + b"\n")
    meta = f',"_meta":{json.dumps(envelope())}'
    newest = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": "thought_record"}
    _, body = served.post(call("thought_record", arguments, more=meta), **newest)
    for result in (wire.answer(7)["result"], message_of(body)["result"]):
        text, structured = json.loads(result["content"][0]["text"]), result["structuredContent"]
        assert text["content"] == "cut \ud83d"
        hashed = {k: text[k] for k in ("content", "id", "prev_hash", "task_id", "timestamp", "type")}
        raw = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(raw.encode("utf-8", "backslashreplace")).hexdigest() == text["hash"]
        assert (structured["content"], structured["replaced_surrogates"]) == ("cut \ufffd", 1), "and it says so"
    assert cli.ok("audit", "verify-chain")["record_count"] == 2
    assert "replaced_surrogates" not in wire.ok("note", kind="finding", text="whole 😀")


def test_over_http_the_older_revisions_answer_half_an_emoji_with_an_error(served: Served) -> None:
    status, body = served.post(call("note", '{"kind":"finding","text":"\\ud83d"}'), **Session(served).headers)
    assert (status, message_of(body)["error"]["code"]) == (400, -32700)


def test_over_http_a_field_that_stands_twice_is_refused_too(cli: Cli, served: Served) -> None:
    session = Session(served)
    twice = '{"kind":"finding","text":"a","text":"b"}'
    status, body = served.post(call("note", twice), **session.headers)
    assert (status, json.loads(body)["id"], json.loads(body)["error"]["code"]) == (400, 7, -32600)
    assert "'text'" in body
    assert cli.ok("note", "list") == []


def test_who_only_looks_is_not_told_that_nothing_was_written(wire: Wire) -> None:
    assert "written" not in wire.error("task_list", limit="x")["message"]
    assert "written" not in wire.error("task_list", status="x" * (2 << 20))["message"]
    assert "Nothing was written." in wire.error("note", kind="x", text="x")["message"]


def test_a_client_that_no_longer_listens_ends_nothing_that_was_begun(cli: Cli) -> None:
    with Wire(cli) as wire:
        assert wire.process.stdout
        wire.process.stdout.close()
        wire.process.stdout = None
        for number in (1, 2):
            wire.send("tools/call", {"name": "note", "arguments": {"kind": "finding", "text": str(number)}})
            until(lambda number=number: len(cli.ok("note", "list")) == number)  # type: ignore[misc]
        assert wire.process.stdin
        wire.process.stdin.close()
        wire.process.stdin = None
        assert wire.close() == (0, "")


def test_nothing_but_the_protocol_can_touch_the_streams(cli: Cli, wire: Wire) -> None:
    """What a child would read or print is not the client's."""
    descriptors = f"/proc/{wire.process.pid}/fd"
    if not os.path.isdir(descriptors):
        pytest.skip("no /proc")
    assert os.readlink(f"{descriptors}/0") == os.devnull
    assert os.readlink(f"{descriptors}/1") == os.readlink(f"{descriptors}/2")
    os.kill(wire.process.pid, signal.SIGTERM)
