"""How a client is run, with a stand-in for the client: the real ones play in tests/clients."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from perdure.errors import Trouble
from perdure.rehearsal.claude_code import KEY, HookRun, RehearsedClient, played, quiet_home

ELSEWHERE = "http://127.0.0.1:9"


def stand_in(folder: Path, script: str, **variables: str) -> RehearsedClient:
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return RehearsedClient(program, home=folder, url=ELSEWHERE, variables=variables)


def test_the_environment_is_built_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "the person's own")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/the/person/s/own")
    client = stand_in(tmp_path, "env", PERDURE_HOME="/here")
    seen = dict(line.split("=", 1) for line in client.plain(cwd=tmp_path).out.splitlines())
    assert "the person's own" not in seen.values()
    assert not {"CLAUDE_CONFIG_DIR", "ANTHROPIC_AUTH_TOKEN"} & set(seen)
    assert (seen["HOME"], seen["PERDURE_HOME"]) == (str(tmp_path), "/here")
    assert (seen["ANTHROPIC_BASE_URL"], seen["HTTPS_PROXY"], seen["ANTHROPIC_API_KEY"]) == (ELSEWHERE, ELSEWHERE, KEY)


def test_the_prompt_goes_in_on_stdin_and_the_arguments_behind_the_flags(tmp_path: Path) -> None:
    client = stand_in(tmp_path, 'cat >"$HOME/prompt"; printf "%s\\n" "$@" >"$HOME/arguments"')
    client.run("do ' this\n--now", "--resume", "x y", cwd=tmp_path)
    assert (tmp_path / "prompt").read_text() == "do ' this\n--now"
    arguments = (tmp_path / "arguments").read_text().splitlines()
    assert (arguments[0], arguments[-2:]) == ("-p", ["--resume", "x y"])
    assert "stream-json" in arguments


def test_a_run_is_read_from_what_the_client_wrote() -> None:
    events = [
        {"type": "system", "subtype": "hook_started", "session_id": "given up again"},
        {"type": "system", "subtype": "init", "session_id": "s1"},
        {"type": "system", "subtype": "hook_response", "hook_event": "Stop", "hook_name": "Stop", "outcome": "success"},
        {"type": "result", "result": "done", "session_id": "s1"},
    ]
    out = "\n".join([*map(json.dumps, events), "a warning", "[1]", "", '{"cut'])
    run = played(3, out, "oh")
    assert (run.code, run.session, run.result, run.err) == (3, "s1", "done", "oh")
    assert (
        run.hooks()
        == run.hooks("Stop")
        == [HookRun(event="Stop", name="Stop", outcome="success", code=None, out="", err="")]
    )
    assert run.hooks("PreToolUse") == []
    assert run.unread == ("a warning", "[1]", '{"cut')


def test_a_run_that_wrote_nothing_has_no_session_and_no_result() -> None:
    run = played(1, "", "no")
    assert (run.session, run.result, run.events) == ("", "", ())


def test_a_client_that_does_not_end_is_ended_with_what_it_started(tmp_path: Path) -> None:
    client = stand_in(tmp_path, 'echo \'{"type": "system"}\'; sleep 300 & wait')
    before = time.monotonic()
    run = client.run("go", cwd=tmp_path, seconds=0.3)
    assert time.monotonic() - before < 20
    assert run.code < 0
    assert len(run.events) == 1


def test_leaving_early_ends_it_too(tmp_path: Path) -> None:
    with stand_in(tmp_path, "exec sleep 300").start("go", cwd=tmp_path) as running:
        assert running.pid > 0
    assert running._process.returncode < 0


def test_a_version_is_read(tmp_path: Path) -> None:
    assert stand_in(tmp_path, "echo '2.1.325 (Claude Code)'").version() == (2, 1, 325)


@pytest.mark.parametrize("script", ["echo hello", "exit 1", "sleep 300"])
def test_what_does_not_say_its_version_is_not_a_client(tmp_path: Path, script: str) -> None:
    with pytest.raises(Trouble, match="does not say its version"):
        stand_in(tmp_path, script).version(seconds=0.3)


def test_what_cannot_be_run_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="cannot be run") as raised:
        RehearsedClient(tmp_path / "nothing", home=tmp_path, url=ELSEWHERE).version()
    assert raised.value.code == "client_unusable"


def test_a_quiet_home_names_the_key_and_the_trusted_projects(tmp_path: Path) -> None:
    quiet_home(tmp_path, tmp_path / "shop")
    written = json.loads((tmp_path / ".claude.json").read_text())
    assert written["customApiKeyResponses"]["approved"] == [KEY[-20:]]
    assert written["projects"][str(tmp_path / "shop")]["hasTrustDialogAccepted"]
