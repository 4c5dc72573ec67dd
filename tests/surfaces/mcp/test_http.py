"""perdure serve: who may ask, from where, and how much at once (SPEC 15.1)."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli
from tests.surfaces.looking import assert_error

from .wire import HELLO, MODERN, PATIENCE, Served, message_of, serving

INITIALIZE: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}


def written(cli: Cli) -> int:
    return len(cli("export").out.splitlines())


def test_with_the_token_it_answers_in_the_oldest_and_the_newest_way(cli: Cli, served: Served) -> None:
    status, body = served.post(INITIALIZE)
    assert status == 200
    assert message_of(body)["result"]["serverInfo"]["name"] == "perdure"
    noted = served.call("note", "remote", kind="finding", text="over the wire")["structuredContent"]
    (note,) = cli.ok("note", "list")
    assert note == noted
    assert '"mcp-remote"' in cli("export").out


def test_without_the_token_nothing_is_answered_and_nothing_done(cli: Cli, served: Served) -> None:
    before = written(cli)
    call = {"name": "note", "arguments": {"kind": "finding", "text": "x"}}
    for token in (
        None,
        "x",
        "0" * 64,
        "é",
        "\t",
        "a" * 8000,
        served.token[:-1],
        served.token + "0",
        "0" + served.token,
    ):
        for message in (INITIALIZE, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}):
            status, body = served.post(message, token=token)
            assert status == 401, token
            assert json.loads(body)["error"]["code"] == "no_token"
        for method in ("GET", "DELETE", "OPTIONS", "PUT"):
            assert served.post(b"", token=token, method=method)[0] == 401
    assert written(cli) == before


def test_the_token_counts_in_its_own_header_alone(served: Served) -> None:
    assert served.post(INITIALIZE, token=None, Authorization=f"Basic {served.token}")[0] == 401
    assert served.post(INITIALIZE, token=None, X_Token=served.token)[0] == 401
    assert served.post(INITIALIZE, token=None, Authorization=f"Bearer {served.token}")[0] == 200


def test_a_name_that_is_not_ours_is_refused(cli: Cli, served: Served) -> None:
    """DNS rebinding: a page of evil.example that had its name point to this machine."""
    before = written(cli)
    port = served.host.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "localhost:1"):
        for headers in ({}, {"MCP_Protocol_Version": MODERN}):
            assert served.post(INITIALIZE, Host=host, **headers)[0] == 421, host
    assert written(cli) == before


def test_a_page_of_another_origin_is_refused_even_with_the_token(served: Served) -> None:
    port = served.host.rpartition(":")[2]
    for origin in ("http://evil.example", f"https://127.0.0.1:{port}", "null", "http://127.0.0.1:1"):
        for headers in ({}, {"MCP_Protocol_Version": MODERN}):
            assert served.post(INITIALIZE, Origin=origin, **headers)[0] == 403, origin
    assert served.post(INITIALIZE, Origin=f"http://localhost:{port}")[0] == 200


def test_it_listens_on_this_machine_alone_unless_told(cli: Cli) -> None:
    outside = addresses()
    with serving(cli) as served:
        port = int(served.host.rpartition(":")[2])
        assert not [address for address in outside if is_open(address, port)]
        assert is_open("127.0.0.1", port)
        assert not is_open("127.0.0.2", port), "that address, not every one of this machine"


def test_told_to_it_listens_elsewhere_and_says_what_that_means(cli: Cli) -> None:
    with serving(cli, "--host", "0.0.0.0", "--allow-host", "build.example.org") as served:
        port = served.host.rpartition(":")[2]
        assert served.url.startswith("http://build.example.org:")
        served.host = f"127.0.0.1:{port}"
        assert served.post(INITIALIZE, Host=f"build.example.org:{port}")[0] == 200
        assert served.post(INITIALIZE, Host=f"other.example.org:{port}")[0] == 421
        assert served.post(INITIALIZE, token=None, Host=f"build.example.org:{port}")[0] == 401
        served.process.send_signal(signal.SIGTERM)
        _, err = served.process.communicate(timeout=PATIENCE)
        assert "others on the network" in err


def addresses() -> list[str]:
    """Of this machine, but for the loopback."""
    found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    return [str(each[4][0]) for each in found if not str(each[4][0]).startswith("127.")]


def is_open(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), timeout=2).close()
    except OSError:
        return False
    return True


def test_a_body_has_a_largest_size(cli: Cli, served: Served) -> None:
    before = written(cli)
    status, _ = served.post(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (5 << 20) + b'"}')
    assert status == 413
    result = served.call("note", kind="finding", text="x" * (2 << 20))
    assert result["structuredContent"]["error"]["code"] == "bad_input"
    assert served.post(INITIALIZE)[0] == 200, "it lives"
    assert written(cli) == before


def test_what_is_no_message_is_refused_and_it_lives(served: Served) -> None:
    for body in (b"", b"{", b"[]", b"\xff", b'{"jsonrpc":"2.0"}'):
        assert 400 <= served.post(body)[0] < 500, body
        assert 400 <= served.post(body, MCP_Protocol_Version=MODERN)[0] < 500, body
    assert served.post(INITIALIZE)[0] == 200


def test_the_token_is_for_the_person_alone_and_stays_the_same(cli: Cli) -> None:
    with serving(cli) as first, serving(cli) as second:
        assert first.token == second.token
        assert len(first.token) == 64
    path = Path(cli.environment["PERDURE_HOME"]) / "serve" / "token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert_error(cli("serve", "--port", "0", "--json"), 1, kind="token_exposed")
    path.unlink()
    with serving(cli) as third:
        assert third.token != first.token


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_told_to_end_it_ends_well(cli: Cli, number: signal.Signals) -> None:
    with serving(cli) as served:
        served.call("note", kind="finding", text="x")
        served.process.send_signal(number)
        out, err = served.process.communicate(timeout=PATIENCE)
        assert (served.process.returncode, out, err) == (0, "", "")


def test_an_open_stream_does_not_keep_it_from_ending(cli: Cli) -> None:
    with serving(cli) as served:
        host, _, port = served.host.partition(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as line:
            line.sendall(f"POST /mcp HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 9\r\n".encode())
            served.process.send_signal(signal.SIGTERM)
            served.process.communicate(timeout=PATIENCE)
            assert served.process.returncode == 0


def test_a_port_that_is_taken_is_said(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert_error(cli("serve", "--port", port, "--json"), 3, kind="cannot_listen")
    assert_error(cli("serve", "--port", "70000", "--json"), 2, kind="usage")
    assert_error(cli("serve", "--host", "no.such.host.invalid", "--port", "0", "--json"), 2, kind="usage")


def test_a_person_is_told_how_to_use_it(cli: Cli) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "perdure", "serve", "--port", "0"],
        cwd=cli.cwd,
        env=cli.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    said = "".join(process.stdout.readline() for _ in range(3))
    os.kill(process.pid, signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    token = (Path(cli.environment["PERDURE_HOME"]) / "serve" / "token").read_text().strip()
    assert "http://127.0.0.1:" in said
    assert "Authorization: Bearer" in said
    assert token not in said, "it would stay in the terminal"
