"""Which project a command is about, as the person or agent who typed it is told (SPEC 3.1)."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import lost_record
from tests.conftest import Cli, assessment, new_repository
from tests.surfaces.test_hooks import SESSION, Hooks

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read the code")
WRITES: dict[str, str] = {
    "note": "note finding kept",
    "finding": "finding kept",
    "decide": "decide 'use WAL' --because 'readers never wait'",
    "goal": "goal create 'ship it'",
    "task": "task create 'write it'",
    "config set": "config set gate.know 0.75",
    "config unset": "config unset gate.know",
    "heal": "heal",
    "session start": "session start",
    "audit start": "audit start --intent think",
    "check": f"check {shlex.join(FLAGS)}",
    "postflight": f"postflight {shlex.join(FLAGS)}",
}


@pytest.fixture
def other(cli: Cli, environment: dict[str, str], tmp_path: Path) -> Path:
    made = new_repository(tmp_path / "outreach", environment)
    cli.ok("init", cwd=made)
    return made


def texts(cli: Cli, root: Path) -> list[str]:
    lines = cli("export", "--project-path", str(root)).out.splitlines()
    found: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return [event["payload"]["text"] for event in found if event["kind"] == "note.finding"]


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_a_write_to_another_project_than_one_stands_in_says_so_in_its_first_line(
    cli: Cli, repository: Path, other: Path, write: str
) -> None:
    cli.ok("preflight", *FLAGS)
    if write.startswith("config unset"):
        cli.ok("config", "set", "gate.know", "0.75")
    said = cli(*shlex.split(write), cwd=other)
    assert said.code == 0, said
    assert said.out.splitlines()[0] == f"In {repository}, where this pane works; you are in {other}."
    inside = cli(*shlex.split(WRITES["note"]), cwd=repository)
    assert "you are in" not in inside.out


def test_a_json_answer_says_so_too_and_a_flag_needs_no_word(cli: Cli, repository: Path, other: Path) -> None:
    cli.ok("preflight", *FLAGS)
    assert next(iter(cli.ok("note", "finding", "kept", cwd=other))) == "notice"
    checked = cli.ok("check", "-", input=assessment(), cwd=other)
    assert str(repository) in checked["notice"]
    assert str(other) in checked["notice"]
    assert "notice" not in cli.ok("note", "finding", "kept", "--project-path", str(repository), cwd=other)
    named = cli.ok("note", "finding", "kept", cwd=other, PERDURE_PROJECT=str(repository))
    assert str(repository) in named["notice"], "a variable may have been set long ago"


def test_an_export_of_another_project_than_one_stands_in_says_so(cli: Cli, repository: Path, other: Path) -> None:
    cli.ok("preflight", *FLAGS)
    notice = f"In {repository}, where this pane works; you are in {other}."
    assert cli("export", str(other / "o.jsonl"), cwd=other).out.splitlines()[0] == notice
    assert cli.ok("export", str(other / "p.jsonl"), cwd=other)["notice"] == notice
    assert cli("export", "--tracked", cwd=other).out.splitlines()[0] == notice
    streamed = cli("export", cwd=other)
    assert streamed.err.splitlines() == [notice]
    assert all(json.loads(line) for line in streamed.out.splitlines()), "a program reads it"
    assert cli("export", cwd=repository).err == ""


def test_doctor_says_which_project_it_looks_at(cli: Cli, repository: Path, other: Path) -> None:
    cli.ok("preflight", *FLAGS)
    said = cli("doctor", cwd=other).out.splitlines()
    assert said[0] == f"In {repository}, where this pane works; you are in {other}."


def test_at_a_shell_that_holds_nothing_every_command_is_about_the_project_one_stands_in(
    cli: Cli, repository: Path, other: Path
) -> None:
    cli.ok("session", "start")
    cli.ok("note", "finding", "of the shop")
    assert "notice" not in cli.ok("note", "finding", "of the outreach", cwd=other)
    cli.ok("config", "set", "gate.know", "0.75", cwd=other)
    assert cli.ok("heal", cwd=other)["project_path"] == str(other)
    assert (texts(cli, repository), texts(cli, other)) == (["of the shop"], ["of the outreach"])
    assert not (repository / ".perdure" / "config.toml").exists()
    opened = cli.ok("preflight", *FLAGS, cwd=other)
    assert opened["project_path"] == str(other)
    assert cli.ok("where", cwd=repository)["project_path"] == str(other), "now something is open"
    cli.ok("postflight", *FLAGS, cwd=repository)
    assert cli.ok("where", cwd=repository)["project_path"] == str(repository)


@pytest.mark.parametrize("command", ["status", "heal --check"])
def test_a_look_from_a_repository_that_is_not_a_project_says_where_one_stands(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path, command: str
) -> None:
    plain = new_repository(tmp_path / "plain", environment)
    cli.ok("session", "start")
    done = cli(*command.split(), cwd=plain)
    assert str(repository) in done.out
    assert str(plain) in done.out + done.err
    assert str(plain) not in cli(*command.split(), "--project-path", str(repository), cwd=plain).out


def test_a_write_from_a_repository_that_is_not_a_project_is_refused_and_each_way_out_works(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    plain = new_repository(tmp_path / "plain", environment)
    (plain / "src").mkdir()
    cli.ok("session", "start")
    for write in ("note", "decide", "goal", "task", "config set", "heal", "session start"):
        refused = cli(*shlex.split(WRITES[write]), "--json", cwd=plain / "src")
        assert (refused.code, refused.error["code"]) == (1, "no_project"), write
        assert str(plain) in refused.error["message"]
    hint = refused.error["hint"]
    assert "perdure init" in hint
    assert f"--project-path {repository}" in hint
    assert texts(cli, repository) == []
    cli.ok("note", "finding", "one", "--project-path", str(repository), cwd=plain)
    cli.ok("init", cwd=plain)
    cli.ok("note", "finding", "two", cwd=plain)
    assert (texts(cli, repository), texts(cli, plain)) == (["one"], ["two"])


def test_an_agent_in_a_repository_that_is_not_a_project_goes_on_and_is_told(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    plain = new_repository(tmp_path / "plain", environment)
    cli.ok("session", "start", "--client", "claude-code", "--client-session-id", "s-1")
    said = cli("note", "finding", "kept", cwd=plain)
    assert said.out.splitlines()[0] == f"In {repository}, where this pane works; you are not in a project."
    assert texts(cli, repository) == ["kept"]


def test_a_switch_holds_where_one_stands_until_one_has_worked_there_and_come_back(
    cli: Cli, repository: Path, other: Path
) -> None:
    cli.ok("session", "start")
    cli.ok("project", "switch", str(other))
    assert str(other) in cli.ok("note", "finding", "from afar")["notice"]
    cli.ok("note", "finding", "there", cwd=other)
    cli.ok("note", "finding", "back")
    assert (texts(cli, repository), texts(cli, other)) == (["back"], ["from afar", "there"])


def test_a_named_instance_goes_on_in_its_transaction_from_another_project(
    cli: Cli, repository: Path, other: Path
) -> None:
    name = {"PERDURE_INSTANCE": "ci-7"}
    opened = cli.ok("preflight", *FLAGS, **name)
    for cwd in (other, Path("/")):
        checked = cli.ok("check", *FLAGS, cwd=cwd, **name)
        assert (checked["transaction_id"], checked["project_path"]) == (opened["transaction_id"], str(repository))
    assert cli.ok("postflight", *FLAGS, cwd=other, **name)["transaction_id"] == opened["transaction_id"]
    assert cli.ok("preflight", *FLAGS, cwd=other, **name)["project_path"] == str(other)


def test_a_client_whose_session_could_not_be_recorded_is_still_where_it_was_started(cli: Cli, repository: Path) -> None:
    hooks = Hooks(cli)
    with open(repository / ".perdure" / "ledger.db", "wb") as file:
        file.write(b"no ledger" * 4096)
        file.truncate(lost_record.LONG + 1)  # so long that the session does not wait until it is healed
    assert "this session is not recorded" in hooks.told("SessionStart", source="startup")
    assert str(repository) in hooks.bash("make", cwd="/")


def test_init_names_another_project_as_the_place_only_where_it_still_is(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    first, second = (new_repository(tmp_path / name, environment) for name in ("first", "second"))
    cli.ok("session", "start")
    assert cli.ok("init", cwd=first)["bound_to"] is None, "one stands in it, and nothing is open elsewhere"
    cli.ok("preflight", *FLAGS)
    assert cli.ok("init", cwd=second)["bound_to"] == str(repository)


def test_status_of_a_named_project_does_not_say_that_the_instance_is_bound_to_it(cli: Cli, tmp_path: Path) -> None:
    other = new_repository(tmp_path / "other", cli.environment)
    cli.ok("init", cwd=other)
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    own = {"CLAUDE_CODE_SESSION_ID": SESSION}
    assert cli.ok("status", "--project-path", str(other), **own)["warnings"] == []


def test_status_of_a_copy_says_that_the_gate_will_deny_and_which_heal_ends_that(cli: Cli, tmp_path: Path) -> None:
    own = {"CLAUDE_CODE_SESSION_ID": SESSION}
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    cli.ok("preflight", *FLAGS, **own)
    copy = tmp_path / "a copy"
    shutil.copytree(cli.cwd, copy)
    (told,) = cli.ok("status", "--project-path", str(copy), **own)["warnings"]
    heal = f"perdure heal --project-path '{copy}'"
    assert "the gate will deny" in told
    assert told.endswith(f"{heal} fixes it.")
    cli.ok(*shlex.split(heal)[1:], **own)
    assert cli.ok("status", "--project-path", str(copy), **own)["warnings"] == []
