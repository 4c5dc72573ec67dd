"""The scripted model by itself, spoken to with plain HTTP."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from perdure.rehearsal import messages
from perdure.rehearsal.messages import (
    ASIDE,
    FINAL,
    MAIN,
    SUMMARY,
    SUMMARY_MARK,
    ScriptedCall,
    ScriptedModel,
    Turn,
    call,
    say,
)

TOOLS = [{"name": "Bash", "input_schema": {"type": "object"}}]


def asked(*said: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": words} for words in said], "tools": TOOLS, **more}


def address(model: ScriptedModel) -> tuple[str, int]:
    host, _, port = model.url.removeprefix("http://").partition(":")
    return host, int(port)


def sent(model: ScriptedModel, body: object, path: str = "/v1/messages", method: str = "POST") -> tuple[int, bytes]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection(*address(model), timeout=10)
    try:
        connection.request(method, path, raw)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def reply(model: ScriptedModel, body: object) -> Any:
    status, raw = sent(model, body)
    assert status == 200, raw
    return json.loads(raw)


def said(model: ScriptedModel, body: object) -> str:
    return str(reply(model, body)["content"][0]["text"])


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel([call("Bash", command="ls"), say("done", input_tokens=7)]) as made:
        yield made


def test_turns_come_one_by_one_and_then_the_final_word(model: ScriptedModel) -> None:
    first = reply(model, asked("go"))
    assert first["content"] == [{"type": "tool_use", "id": "toolu_1_0", "name": "Bash", "input": {"command": "ls"}}]
    assert first["stop_reason"] == "tool_use"
    assert not model.finished()
    second = reply(model, asked("go"))
    assert (second["content"][0]["text"], second["stop_reason"]) == ("done", "end_turn")
    assert second["usage"]["input_tokens"] == 7
    assert model.finished()
    assert said(model, asked("go")) == FINAL


def test_a_stream_says_the_same_piece_by_piece(model: ScriptedModel) -> None:
    _, raw = sent(model, asked("go", stream=True))
    events = [json.loads(line.removeprefix("data: ")) for line in raw.decode().splitlines() if line.startswith("data")]
    assert [event["type"] for event in events] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert events[1]["content_block"]["name"] == "Bash"
    assert json.loads(events[2]["delta"]["partial_json"]) == {"command": "ls"}
    assert events[4]["delta"]["stop_reason"] == "tool_use"


def test_text_and_several_calls_make_one_turn() -> None:
    both = Turn("look", (ScriptedCall("Read", {"file_path": "a"}), ScriptedCall("Read", {"file_path": "b"}, "mine")))
    with ScriptedModel([both]) as model:
        content = reply(model, asked("go"))["content"]
    assert [block["type"] for block in content] == ["text", "tool_use", "tool_use"]
    assert [block.get("id") for block in content] == [None, "toolu_1_0", "mine"]


@pytest.mark.parametrize("tools", [[], None, [{"type": "web_search_20250305", "name": "web_search"}], ["odd"], 3])
def test_a_request_without_tools_of_the_client_takes_no_turn(model: ScriptedModel, tools: object) -> None:
    assert said(model, asked("a title, please", tools=tools)) == ASIDE
    assert model.turns == []
    assert len(model.requests) == 1
    assert reply(model, asked("go"))["stop_reason"] == "tool_use"


def test_a_request_for_a_summary_takes_no_turn_though_it_offers_tools(model: ScriptedModel) -> None:
    assert said(model, asked("go", f"{SUMMARY_MARK} the conversation")) == SUMMARY
    assert (len(model.summaries), model.turns) == (1, [])


def test_a_conversation_is_known_by_its_first_prompt() -> None:
    with ScriptedModel({MAIN: [say("main 1"), say("main 2")], "count": [say("one"), say("two")]}) as model:
        heard = [said(model, asked(words)) for words in ("go", "count them", "go", "count them", "count them")]
        assert heard == ["main 1", "one", "main 2", "two", FINAL]
        assert [request.script for request in model.requests] == [MAIN, "count", MAIN, "count", "count"]
        assert len(model.of("count")) == 3


def test_who_knows_better_chooses_and_an_unknown_choice_is_main() -> None:
    scripts = {MAIN: [say("main")], "other": [say("other")]}
    with ScriptedModel(scripts, choose=lambda request: request.last_prompt) as model:
        assert [said(model, asked(words)) for words in ("other", "nobody")] == ["other", "main"]


def test_ids_of_another_script_do_not_collide_with_those_of_main() -> None:
    scripts = {MAIN: [call("Bash", command="a")], "count the files": [call("Bash", command="b")]}
    with ScriptedModel(scripts) as model:
        ids = [reply(model, asked(words))["content"][0]["id"] for words in ("go", "count the files")]
    assert ids == ["toolu_1_0", "toolu_countthefiles_1_0"]


def test_what_came_back_from_tools_and_every_word_can_be_looked_into(model: ScriptedModel) -> None:
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "no"}], "is_error": True}
    other = {"type": "tool_result", "tool_use_id": "t2", "content": "yes"}
    body = asked("go", system=[{"type": "text", "text": "be good"}])
    body["messages"].append({"role": "user", "content": [result, other, {"type": "text", "text": "a reminder"}]})
    reply(model, body)
    (request,) = model.requests
    assert request.results == {"t1": "no", "t2": "yes"}
    assert request.failed == {"t1"}
    assert (request.first_prompt, request.last_prompt, request.system) == ("go", "a reminder", "be good")
    assert all(words in request.text for words in ("be good", "go", "no", "yes", "a reminder"))
    assert request.tools == ("Bash",)


def test_a_turn_is_held_back_until_it_is_let_go_and_others_are_not() -> None:
    late = threading.Event()
    with ScriptedModel({MAIN: [say("late", held=late)], "quick": [say("soon")]}) as model:
        heard: list[str] = []
        waiting = threading.Thread(target=lambda: heard.append(said(model, asked("go"))))
        waiting.start()
        assert model.wait_until(lambda model: len(model.requests) == 1)
        assert said(model, asked("quick")) == "soon"
        assert heard == []
        late.set()
        waiting.join(10)
        assert heard == ["late"]


def test_waiting_for_what_never_comes_ends(model: ScriptedModel) -> None:
    assert not model.wait_until(lambda model: bool(model.requests), seconds=0.01)


def test_many_at_once_take_each_turn_once() -> None:
    with ScriptedModel([say(str(number)) for number in range(40)]) as model:
        heard: list[str] = []
        threads = [threading.Thread(target=lambda: heard.append(said(model, asked("go")))) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert sorted(heard, key=int) == [str(number) for number in range(40)]


def test_probes_are_answered_and_tokens_counted(model: ScriptedModel) -> None:
    assert sent(model, b"", "/", "HEAD") == (200, b"")
    assert sent(model, b"", "/v1/models", "GET")[0] == 200
    status, raw = sent(model, asked("go"), "/v1/messages/count_tokens?beta=true")
    assert status == 200
    assert json.loads(raw)["input_tokens"] > 0
    assert model.requests == []
    assert reply(model, asked("go"))["stop_reason"] == "tool_use"


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"1", b"\xff\xfe", b'{"messages": 1}', b'{"a": ' * 20_000, b"[" * 100_000]
)
def test_a_malformed_request_is_refused_and_takes_no_turn(model: ScriptedModel, raw: bytes) -> None:
    status, answer = sent(model, raw)
    assert status == 400
    assert json.loads(answer)["error"]["type"] == "invalid_request_error"
    assert (len(model.troubles), model.requests) == (1, [])


@pytest.mark.parametrize("body", [{"messages": [1, None, "x", []]}, {"messages": [{"role": "user"}], "tools": TOOLS}])
def test_odd_messages_are_read_as_far_as_they_go(model: ScriptedModel, body: object) -> None:
    reply(model, body)
    (request,) = model.requests
    assert (request.results, request.first_prompt, request.text.strip()) == ({}, "", "")


def test_an_unknown_path_is_refused(model: ScriptedModel) -> None:
    assert sent(model, asked("go"), "/v1/complete")[0] == 404
    assert model.requests == []


def answered(model: ScriptedModel, head: str) -> bytes:
    """What comes back for bare bytes, up to the end of the connection."""
    with socket.create_connection(address(model), timeout=10) as line:
        line.sendall(head.encode())
        return b"".join(iter(lambda: line.recv(65536), b""))


def test_a_request_that_is_too_large_is_refused_unread(model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LARGEST_REQUEST", 10)
    assert b" 413 " in answered(model, "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n")


@pytest.mark.parametrize("length", ["", "Content-Length: -1\r\n", "Content-Length: many\r\n", "Content-Length: ²\r\n"])
def test_a_request_of_unknown_length_is_refused(model: ScriptedModel, length: str) -> None:
    assert b" 411 " in answered(model, f"POST /v1/messages HTTP/1.1\r\nHost: x\r\n{length}\r\n")


@pytest.mark.parametrize("line", ["CONNECT example.org:443", "GET http://example.org/", "POST http://example.org/"])
def test_it_passes_nothing_on(model: ScriptedModel, line: str) -> None:
    assert (
        answered(model, f"{line} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")[9:11] == b"40"
    )
    assert "example.org" in model.troubles[0]


def test_who_goes_away_while_it_answers_is_no_matter(model: ScriptedModel) -> None:
    line = socket.create_connection(address(model), timeout=10)
    line.sendall(b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nonly this")
    line.close()
    assert reply(model, asked("go"))["stop_reason"] == "tool_use"


def test_headers_are_not_kept(model: ScriptedModel) -> None:
    connection = http.client.HTTPConnection(*address(model), timeout=10)
    connection.request("POST", "/v1/messages", json.dumps(asked("go")), {"x-api-key": "a-credential"})
    connection.getresponse().read()
    connection.close()
    assert "a-credential" not in repr(vars(model)) + repr([vars(request) for request in model.requests])


def test_it_listens_on_loopback_only_and_not_after_its_end() -> None:
    with ScriptedModel([]) as model:
        assert address(model)[0] == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address(model), timeout=10)
