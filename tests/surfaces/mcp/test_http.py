"""perdure serve: who may ask, from where, and how much at once (SPEC 15.1)."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import anyio
import pytest

from perdure.surfaces.mcp.http import Whole
from tests.conftest import Cli, ignoring, new_repository
from tests.surfaces.looking import assert_error

from .wire import HELLO, MODERN, PATIENCE, Served, Session, message_of, serving, until

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
        assert served.url == f"http://127.0.0.1:{port}/mcp", "what it listens on"
        assert served.post(INITIALIZE, Host=f"build.example.org:{port}")[0] == 200
        assert served.post(INITIALIZE, Host=f"other.example.org:{port}")[0] == 421
        assert served.post(INITIALIZE, token=None, Host=f"build.example.org:{port}")[0] == 401
        served.process.send_signal(signal.SIGTERM)
        _, err = served.process.communicate(timeout=PATIENCE)
        assert b"others on the network" in err


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


def test_what_is_not_a_message_is_refused_and_it_lives(served: Served) -> None:
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


@pytest.mark.usefixtures("an_interpreter_of_its_own")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_told_to_end_it_ends_well(cli: Cli, number: signal.Signals) -> None:
    with serving(cli) as served:
        served.call("note", kind="finding", text="x")
        served.process.send_signal(number)
        out, err = served.process.communicate(timeout=PATIENCE)
        assert (served.process.returncode, out, err) == (0, b"", b"")


@pytest.mark.usefixtures("an_interpreter_of_its_own")
def test_started_with_interrupts_ignored_it_goes_on_ignoring_them(cli: Cli) -> None:
    """As `perdure serve &` in a script, which an interrupt of the script is not meant for."""
    with ignoring(signal.SIGINT), serving(cli) as served:
        served.process.send_signal(signal.SIGINT)
        assert served.call("note", kind="finding", text="x")
        served.process.send_signal(signal.SIGTERM)
        out, err = served.process.communicate(timeout=PATIENCE)
        assert (served.process.returncode, out, err) == (0, b"", b"")


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
    assert "$(cat" not in said, "a token among the words of a command is seen by everybody on the machine"
    server = json.loads(said[said.index("add-json perdure '") :].split("'")[1])
    assert server["headersHelper"] == "perdure serve --headers"
    assert cli.ok("serve", "--headers") == json.loads(cli("serve", "--headers").out)
    assert cli.ok("serve", "--headers") == {"Authorization": f"Bearer {token}"}


# -- names -----------------------------------------------------------------------------------------------------------


def test_a_proxy_in_front_calls_it_by_its_own_name_over_https(cli: Cli) -> None:
    with serving(cli, "--allow-host", "Build.example.org", "--allow-host", "2001:db8::7") as served:
        port = served.host.rpartition(":")[2]
        assert served.url == f"http://127.0.0.1:{port}/mcp"
        for host in ("build.example.org", "BUILD.example.org:443", f"build.example.org:{port}", "[2001:db8::7]"):
            assert served.post(INITIALIZE, Host=host)[0] == 200, host
        for origin in ("https://build.example.org", "http://build.example.org:8080", "HTTPS://Build.Example.org"):
            assert served.post(INITIALIZE, Host="build.example.org", Origin=origin)[0] == 200, origin
        for host in ("evil.example", "build.example.org.evil.example", "build.example.org:evil", "x@build.example.org"):
            assert served.post(INITIALIZE, Host=host)[0] == 421, host
        for origin in ("https://evil.example", "ftp://build.example.org", "https://build.example.org.evil", "null"):
            assert served.post(INITIALIZE, Origin=origin)[0] == 403, origin
        assert served.post(INITIALIZE, Host="127.0.0.1")[0] == 421, "its own names have its port"


@pytest.mark.parametrize(
    "name",
    ["", "*", "https://a.org", "a.org:443", "a b", "-a", "a..org", "*.a.org", "a/b", "é.org", "a" * 300, "[::1]:5"],
)
def test_a_name_that_is_not_a_host_is_refused(cli: Cli, name: str) -> None:
    assert_error(cli("serve", "--port", "0", "--json", "--allow-host", name), 2, kind="usage")


def test_the_case_of_scheme_and_host_does_not_matter(served: Served) -> None:
    port = served.host.rpartition(":")[2]
    for scheme in ("bearer", "BEARER", "Bearer "):
        assert served.post(INITIALIZE, token=None, Authorization=f"{scheme} {served.token}")[0] == 200, scheme
    assert served.post(INITIALIZE, token=None, Authorization=f"Bearer {served.token.upper()}")[0] == 401
    assert served.post(INITIALIZE, Host=f"LOCALHOST:{port}", Origin=f"HTTP://LocalHost:{port}")[0] == 200


def test_nobody_is_sent_elsewhere_before_the_name_was_looked_at(served: Served) -> None:
    for path in ("/mcp/", "/", "/other"):
        assert served.post(INITIALIZE, path=path, Host="evil.example")[0] == 421, path
        assert served.post(INITIALIZE, path=path, token=None)[0] == 401, path


def test_what_it_says_of_where_it_listens_is_so(cli: Cli) -> None:
    with serving(cli, "--host", "127.0.0.2") as served:
        assert served.url.startswith("http://127.0.0.2:")
        assert served.post(INITIALIZE)[0] == 200


# -- how much --------------------------------------------------------------------------------------------------------


def begin(served: Served, length: int = 100, body: bytes = b"{") -> socket.socket:
    """A request whose body does not come."""
    host, _, port = served.host.partition(":")
    line = socket.create_connection((host, int(port)), timeout=PATIENCE)
    head = f"POST /mcp HTTP/1.1\r\nHost: {served.host}\r\nAuthorization: Bearer {served.token}\r\n"
    kind = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    line.sendall(f"{head}{kind}Content-Length: {length}\r\n\r\n".encode() + body)
    return line


def test_a_client_that_leaves_in_the_middle_is_nothing_to_speak_of(cli: Cli) -> None:
    with serving(cli) as served:
        for _ in range(5):
            begin(served).close()
        assert served.post(INITIALIZE)[0] == 200
        served.process.send_signal(signal.SIGTERM)
        assert served.process.communicate(timeout=PATIENCE) == (b"", b"")


def test_more_connections_than_there_are_descriptors_leave_it_alive_and_the_terminal_quiet(cli: Cli) -> None:
    with serving(cli, limit=128) as served:
        host, _, port = served.host.partition(":")
        lines = [socket.create_connection((host, int(port)), timeout=PATIENCE) for _ in range(200)]
        until(lambda: is_answered(served))  # those who say nothing are not waited for
        assert served.call("note", kind="finding", text="x")["structuredContent"]["text"] == "x"
        for line in lines:
            line.close()
        served.process.send_signal(signal.SIGTERM)
        _, err = served.process.communicate(timeout=PATIENCE)
        assert b"Traceback" not in err
        assert len(err) < 1000, err


UNFINISHED = {
    "nothing": b"",
    "half of a header": b"POST /mcp HTTP/1.1\r\nHost:",
    "a request without the token, and then nothing": b"GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n",
    "a body that does not come, without the token": b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
}


@pytest.mark.parametrize("said", UNFINISHED)
def test_who_only_holds_connections_open_keeps_nobody_from_asking(served: Served, said: str) -> None:
    """The very first request is answered: nobody waits until the silent ones are hung up on."""
    host, _, port = served.host.partition(":")
    lines = [socket.create_connection((host, int(port)), timeout=PATIENCE) for _ in range(600)]
    try:
        for line in lines:
            with suppress(OSError):  # some are hung up on already
                line.sendall(UNFINISHED[said])
        assert served.post(INITIALIZE)[0] == 200
        assert served.call("note", kind="finding", text="x")["structuredContent"]["text"] == "x"
    finally:
        for line in lines:
            line.close()


def is_answered(served: Served) -> bool:
    try:
        return served.post(INITIALIZE)[0] == 200
    except (OSError, HTTPException):
        return False


def test_who_does_not_come_out_with_it_is_hung_up_on(served: Served) -> None:
    host, _, port = served.host.partition(":")
    at = (host, int(port))
    with socket.create_connection(at, PATIENCE) as mute, socket.create_connection(at, PATIENCE) as halting:
        halting.sendall(b"POST /mcp HTTP/1.1\r\nHost:")
        assert mute.recv(100) == b""
        assert halting.recv(100) == b""


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        await anyio.sleep(PATIENCE)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def never(*_: object) -> None:
        pytest.fail("it was passed on")

    scope = {"type": "http", "method": "POST", "headers": []}
    anyio.run(Whole(never, seconds=0.01), scope, receive, send)
    assert sent[0]["status"] == 408


@pytest.mark.parametrize("revision", ["older", "newest"])
def test_a_call_that_was_begun_is_answered_before_it_ends(cli: Cli, revision: str) -> None:
    with serving(cli) as served:
        ask = Session(served).call if revision == "older" else served.call
        ask("note", kind="finding", text="the first")
        with (
            closing(sqlite3.connect(cli.cwd / ".perdure" / "ledger.db", isolation_level=None)) as ledger,
            ThreadPoolExecutor() as beside,
        ):
            ledger.execute("BEGIN IMMEDIATE")
            asked = beside.submit(ask, "note", kind="finding", text="the last")
            until(lambda: is_waiting(served))
            served.process.send_signal(signal.SIGTERM)
            until(lambda: not is_open(*address_of(served)))  # it has begun to end
            ledger.execute("ROLLBACK")
            assert asked.result()["structuredContent"]["text"] == "the last"
        assert served.process.communicate(timeout=PATIENCE) == (b"", b"")
        assert served.process.returncode == 0


def address_of(served: Served) -> tuple[str, int]:
    host, _, port = served.host.partition(":")
    return host, int(port)


def is_waiting(served: Served) -> bool:
    """It has the ledger open: the call is at its desk."""
    folder = Path(f"/proc/{served.process.pid}/fd")
    if not folder.is_dir():
        pytest.skip("no /proc")
    return any("ledger.db" in target_of(each) for each in folder.iterdir())


def target_of(link: Path) -> str:
    """Nothing if the process has closed it meanwhile."""
    try:
        return os.readlink(link)
    except FileNotFoundError:
        return ""


def test_an_open_stream_is_cut_at_the_end_without_a_word(cli: Cli) -> None:
    with serving(cli) as served:
        session = Session(served)
        host, port = address_of(served)
        with socket.create_connection((host, port), timeout=PATIENCE) as line:
            wanted = {name.replace("_", "-"): content for name, content in session.headers.items()}
            headers = {"Host": served.host, "Authorization": f"Bearer {served.token}", "Accept": "text/event-stream"}
            text = "".join(f"{name}: {content}\r\n" for name, content in {**headers, **wanted}.items())
            line.sendall(f"GET /mcp HTTP/1.1\r\n{text}\r\n".encode())
            assert b"200" in line.recv(1000)
            served.process.send_signal(signal.SIGTERM)
            assert served.process.communicate(timeout=PATIENCE) == (b"", b"")
        assert served.process.returncode == 0


# -- where -----------------------------------------------------------------------------------------------------------

SURE = {"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read it"}


def test_it_stays_where_it_was_started_whatever_the_terminal_does(cli: Cli, tmp_path: Path) -> None:
    """Its terminal and that of these commands are one: both stand below this process."""
    other = Cli(new_repository(tmp_path / "other", cli.environment), cli.environment)
    other.ok("init")
    cli.ok("preflight", "-", input=json.dumps(SURE))
    cli.ok("postflight", "-", input=json.dumps(SURE))
    with serving(cli) as served:
        before = served.call("session_status")["structuredContent"]
        cli.ok("project", "switch", str(other.cwd))
        assert cli.ok("where")["project_path"] == str(other.cwd), "the person has moved"
        assert served.call("session_status")["structuredContent"]["project_path"] == before["project_path"]
        served.call("note", kind="finding", text="here")
    assert [note["text"] for note in cli.ok("note", "list", "--project-path", str(cli.cwd))] == ["here"]
    assert other.ok("note", "list", "--project-path", str(other.cwd)) == []


def test_who_calls_sits_in_nobodys_terminal(cli: Cli) -> None:
    with serving(cli) as served, serving(cli) as second:
        opened = served.call("preflight", **SURE)["structuredContent"]
        assert served.call("transaction_status")["structuredContent"]["transaction_id"] == opened["transaction_id"]
        assert cli("transaction", "status", "--json").json["transaction_id"] is None, "the person's gate is as it was"
        shown = second.call("transaction_status")["structuredContent"]
        assert shown["mine"] is False, shown
        mine = cli.ok("preflight", "-", input=json.dumps(SURE))
        assert mine["transaction_id"] != opened["transaction_id"]
        assert served.call("postflight", **SURE)["structuredContent"]["transaction_id"] == opened["transaction_id"]
        assert cli.ok("transaction", "status")["transaction_id"] == mine["transaction_id"]


def test_a_named_instance_is_shared_by_name(cli: Cli) -> None:
    opened = cli.ok("preflight", "-", input=json.dumps(SURE), PERDURE_INSTANCE="ci-1")
    with serving(cli, "--instance", "ci-1") as served:
        assert served.call("transaction_status")["structuredContent"]["transaction_id"] == opened["transaction_id"]


def test_outside_a_project_it_does_not_start(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert_error(cli("serve", "--port", "0", "--json", cwd=tmp_path / "plain"), 1, kind="no_project")
    assert_error(cli("serve", "--port", "0", "--json", "--project-path", "/nowhere/at/all"), 2, kind="bad_path")
