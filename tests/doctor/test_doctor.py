"""doctor as a person runs it, without a client: each finding is provoked by breaking the thing itself (SPEC 6.4, 19).
The real clients are in tests/clients."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdure.doctor.claude_settings_copy import harmless
from perdure.settings import persons_project_file, user_file
from tests.conftest import Cli, Result

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")
OFF = "disableAllHooks"


@pytest.fixture
def shop_with_server(repository: Path, environment: dict[str, str]) -> Cli:
    """A project with hooks for a client whose settings are there and whose program is not."""
    (Path(environment["HOME"]) / ".claude").mkdir()
    cli = Cli(repository, {**environment, "PATH": without_client(environment["PATH"])})
    cli.ok("init")
    return cli


@pytest.fixture
def shop(shop_with_server: Cli) -> Cli:
    """The same without the MCP server, which doctor would start each time: half of what it takes."""
    edit(servers_of(shop_with_server), lambda content: content.pop("projects"))
    return shop_with_server


def without_client(path: str) -> str:
    return os.pathsep.join(folder for folder in path.split(os.pathsep) if not (Path(folder) / "claude").exists())


def examined(cli: Cli, *flags: str, **options: Any) -> tuple[int, dict[str, Any]]:
    result = cli("doctor", "--no-client", "--json", *flags, **options)
    assert result.code in (0, 1), result
    assert result.err == ""
    return result.code, result.json


def inert(cli: Cli, **options: Any) -> str:
    """Why the guard is; it must be."""
    code, found = examined(cli, **options)
    assert (code, found["guards_live"]) == (1, False), found
    cause: str = found["clients"][0]["inert"]
    assert cause, found
    assert any(each["detail"] == cause and each["fix"] for each in found["findings"]), found
    return cause


def finding(found: dict[str, Any], part: str) -> dict[str, str]:
    return next(each for each in found["findings"] if each["part"] == part)


def settings(cli: Cli, scope: str = "local") -> Path:
    if scope == "user":
        return Path(cli.environment["HOME"]) / ".claude" / "settings.json"
    return cli.cwd / ".claude" / ("settings.local.json" if scope == "local" else "settings.json")


def servers_of(cli: Cli) -> Path:
    return Path(cli.environment["HOME"]) / ".claude.json"


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(path.read_text()) if path.exists() else {}
    change(content)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))


def guard_in(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["hooks"]["PreToolUse"][0]["hooks"][0]
    return found


def everything(*folders: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}


# -- well ----------------------------------------------------------------------------------------------------------


def test_a_guard_that_works_as_registered_is_live_and_said_not_to_be_proved_in_the_client(
    shop_with_server: Cli,
) -> None:
    person = shop_with_server("doctor")
    assert (person.code, person.err) == (0, ""), person
    assert person.out.splitlines()[-1] == "the guard is live in Claude Code, as registered; not proved in the client"
    assert "! claude-code: program" in person.out
    code, found = examined(shop_with_server)
    assert (code, found["guards_live"]) == (0, True)
    assert {each["part"]: each["state"] for each in found["findings"] if each["part"] != "program"} == {
        "project": "ok",
        "gate": "ok",
        "ledger": "ok",
        "bindings": "ok",
        "sandboxed shell": "ok",
        "claude-code: program": "warn",
        "claude-code: hooks": "ok",
        "claude-code: guard": "ok",
        "claude-code: MCP server": "ok",
    }
    assert all(bool(each["fix"]) == (each["state"] != "ok") for each in found["findings"])
    assert " ms per call; Python alone takes " in finding(found, "claude-code: guard")["detail"]


@pytest.mark.parametrize("mode", ["enforce", "observe"])
def test_it_changes_nothing_also_where_the_gate_observes(shop_with_server: Cli, mode: str) -> None:
    shop_with_server.ok("preflight", *FLAGS)
    folders = (
        shop_with_server.cwd,
        Path(shop_with_server.environment["HOME"]),
        Path(shop_with_server.environment["PERDURE_HOME"]),
    )
    before = everything(*folders)
    examined(shop_with_server, PERDURE_GATE_MODE=mode)
    after = everything(*folders)
    passing = (".db-wal", ".db-shm")
    assert {p: c for p, c in after.items() if not p.endswith(passing)} == {
        p: c for p, c in before.items() if not p.endswith(passing)
    }


def test_an_open_transaction_of_the_person_does_not_open_the_gate_for_the_probe(shop: Cli) -> None:
    shop.ok("preflight", *FLAGS)
    assert examined(shop)[1]["guards_live"]


def test_outside_a_project_the_clients_are_examined_and_the_gate_is_said_to_be_silent(
    shop: Cli, tmp_path: Path
) -> None:
    shop.ok("uninstall")
    shop.ok("init", "--scope", "user")
    away = tmp_path / "away"
    away.mkdir()
    person = shop("doctor", cwd=away)
    assert (person.code, person.err) == (0, ""), person
    assert "there is none here, so everything passes" in person.out
    assert "here it passes everything, because there is no project" in person.out.splitlines()[-1]


def test_where_no_client_is_found_there_is_nothing_to_guard(cli: Cli) -> None:
    cli.environment["PATH"] = without_client(cli.environment["PATH"])
    person = cli("doctor")
    assert (person.code, person.err) == (0, ""), person
    assert person.out.splitlines()[-1] == "no client was found, so there is nothing to guard"
    assert examined(cli)[1]["guards_live"] is False
    assert inert(cli_with(cli, "--client", "claude-code")) == "no hook of Perdure is registered"


def cli_with(cli: Cli, *flags: str) -> Cli:
    class Flagged(Cli):
        def command(self, *arguments: str) -> list[str]:
            return [*super().command(*arguments), *flags]

    return Flagged(cli.cwd, cli.environment)


# -- not registered, not reachable ---------------------------------------------------------------------------------


def test_hooks_that_are_not_registered(shop: Cli) -> None:
    shop.ok("uninstall")
    assert inert(shop) == "no hook of Perdure is registered"
    assert "the guard is INERT in Claude Code: no hook of Perdure is registered" in shop("doctor").out


def test_a_guard_that_was_taken_out_and_the_rest_left(shop: Cli) -> None:
    edit(settings(shop), lambda content: content["hooks"].pop("PreToolUse"))
    assert inert(shop) == f"{settings(shop)} has no hook for PreToolUse"


def test_a_plugin_is_not_called_live_unproved(shop: Cli) -> None:
    shop.ok("uninstall")
    edit(settings(shop, "user"), lambda content: content.update(enabledPlugins={"perdure@perdure": True}))
    code, found = examined(shop)
    assert (code, found["guards_live"]) == (1, False)
    assert "enabled as a plugin" in finding(found, "claude-code: hooks")["detail"]


def test_another_event_that_was_taken_out_leaves_the_guard_alive(shop: Cli) -> None:
    edit(settings(shop), lambda content: content["hooks"].pop("SessionEnd"))
    code, found = examined(shop)
    assert (code, found["guards_live"]) == (0, True)
    assert finding(found, "claude-code: hooks")["detail"] == f"{settings(shop)} lacks SessionEnd"


def test_a_matcher_that_is_not_ours(shop: Cli) -> None:
    edit(settings(shop), lambda content: content["hooks"]["PreToolUse"][0].update(matcher="Edit"))
    assert "the guard's matcher is not ours: Edit" in inert(shop)


def test_a_guard_whose_failure_does_not_block(shop: Cli) -> None:
    edit(settings(shop), lambda content: guard_in(content).pop("onFailure"))
    code, found = examined(shop)
    assert code == 0
    assert "has no onFailure" in finding(found, "claude-code: hooks")["detail"]


def test_an_interpreter_that_is_gone(shop: Cli) -> None:
    edit(settings(shop), lambda content: guard_in(content).update(command="/nonexistent/python3"))
    assert "/nonexistent/python3" in inert(shop)


def test_a_package_that_is_gone(shop: Cli) -> None:
    source = str(Path(__file__).parents[2] / "src")
    settings(shop).write_text(settings(shop).read_text().replace(source, "/nonexistent/src"))
    assert "/nonexistent/src, which is gone: the guard cannot load, and every call is denied" in inert(shop)


def test_a_program_that_the_committed_script_does_not_find(shop: Cli, tmp_path: Path) -> None:
    shop.ok("uninstall")
    shop.ok("init", "--scope", "project")
    beside = f"{Path(sys.executable).parent}{os.pathsep}{shop.environment['PATH']}"
    code, found = examined(shop, PATH=beside)
    assert (code, found["guards_live"]) == (0, True), found
    assert "counts only if the client is started in" in json.dumps(found)
    bare = tmp_path / "bin"
    bare.mkdir()
    (bare / "sh").symlink_to("/bin/sh")
    assert "it lets a command pass that may write" in inert(shop, PATH=str(bare))


@pytest.mark.parametrize("scope", ["local", "project", "user"])
def test_hooks_that_are_switched_off(shop: Cli, scope: str) -> None:
    edit(settings(shop, scope), lambda content: content.update({OFF: True}))
    assert inert(shop) == f"{OFF} in {settings(shop, scope)} switches every hook off"


def test_a_nearer_file_switches_hooks_on_again(shop: Cli) -> None:
    edit(settings(shop, "user"), lambda content: content.update({OFF: True}))
    edit(settings(shop), lambda content: content.update({OFF: False}))
    assert examined(shop)[1]["guards_live"]


def test_a_variable_that_switches_hooks_off(shop: Cli) -> None:
    client = Path(shop.environment["HOME"]) / "claude"
    client.write_text("#!/bin/sh\necho 2.1.325 \\(Claude Code\\)\n")
    client.chmod(0o755)
    path = f"{client.parent}{os.pathsep}{shop.environment['PATH']}"
    assert "CLAUDE_CODE_SIMPLE is set" in inert(shop, CLAUDE_CODE_SIMPLE="1", PATH=path)


def test_a_settings_file_that_is_not_json(shop: Cli) -> None:
    settings(shop).write_text(settings(shop).read_text()[:-3])
    cause = inert(shop)
    assert f"{settings(shop)} is not JSON: line" in cause
    assert "The client ignores the whole file" in cause


def test_a_file_of_the_persons_that_is_not_json_leaves_the_guard_alive(shop: Cli) -> None:
    settings(shop, "user").write_text("{")
    code, found = examined(shop)
    assert (code, found["guards_live"]) == (0, True)
    assert finding(found, "claude-code: hooks")["state"] == "warn"


def test_a_guard_that_lets_everything_pass(shop: Cli, tmp_path: Path) -> None:
    fake = tmp_path / "fake" / "perdure" / "surfaces"
    fake.mkdir(parents=True)
    for folder in (fake.parent, fake):
        (folder / "__init__.py").touch()
    (fake / "hooks.py").write_text("def run(words, program=''):\n    raise SystemExit(0)\n")
    source = str(Path(__file__).parents[2] / "src")
    settings(shop).write_text(settings(shop).read_text().replace(source, str(tmp_path / "fake")))
    assert inert(shop) == f"as registered in {settings(shop)}: it lets a command pass that may write"


SCRIPT = "${CLAUDE_PROJECT_DIR}/.claude/hooks/perdure.sh"
PLANTED: dict[str, dict[str, Any]] = {
    "a command": {"command": "touch AT # perdure.surfaces.hooks"},
    "a shell": {"command": "sh", "args": ["-c", "touch AT", "perdure.surfaces.hooks"]},
    "python": {
        "command": sys.executable,
        "args": ["-I", "-S", "-c", "open('AT', 'w')\nfrom perdure.surfaces.hooks import run", "PreToolUse"],
    },
    "the script": {"command": "sh", "args": [SCRIPT, "PreToolUse"]},
}


@pytest.mark.parametrize("kind", PLANTED)
def test_what_somebody_committed_under_our_mark_is_not_run(shop: Cli, tmp_path: Path, kind: str) -> None:
    at = tmp_path / "was-run"
    script = shop.cwd / ".claude" / "hooks" / "perdure.sh"
    script.parent.mkdir()
    script.write_text(f"touch {at}\n")
    planted = json.loads(json.dumps(PLANTED[kind]).replace("AT", str(at)))
    edit(settings(shop), lambda content: (guard_in(content).pop("args"), guard_in(content).update(planted)))
    why = inert(shop)
    assert "it is not what perdure init writes, so it was not run" in why or "has no hook for PreToolUse" in why
    assert not at.exists()


def test_a_package_that_came_with_the_repository_is_not_loaded(shop: Cli, tmp_path: Path) -> None:
    fake = shop.cwd / "vendor" / "perdure" / "surfaces"
    fake.mkdir(parents=True)
    (fake / "hooks.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')\n")
    source = str(Path(__file__).parents[2] / "src")
    settings(shop).write_text(settings(shop).read_text().replace(source, str(shop.cwd / "vendor")))
    assert "was not run" in inert(shop)
    assert not (tmp_path / "was-run").exists()


def test_a_project_that_was_moved_is_guarded_where_it_is_now(shop: Cli, tmp_path: Path) -> None:
    moved = shop.cwd.rename(tmp_path / "moved")
    code, found = examined(Cli(moved, shop.environment))
    assert (code, found["guards_live"]) == (0, True), found


# -- switched off by Perdure's own settings ------------------------------------------------------------------------


def test_a_gate_that_is_switched_off_by_a_variable(shop: Cli) -> None:
    assert inert(shop, PERDURE_GATE_MODE="off") == "it is switched to 'off' in PERDURE_GATE_MODE"


@pytest.mark.parametrize(("flags", "home"), [((), False), (("--user",), True)])
def test_a_gate_that_is_switched_off_in_a_file(shop: Cli, flags: tuple[str, ...], home: bool) -> None:
    shop.ok("config", "set", "gate.mode", "observe", *flags)
    person = shop.environment["PERDURE_HOME"]
    file = user_file(person) if home else persons_project_file(person, str(shop.cwd))
    assert inert(shop) == f"it is switched to 'observe' in {file}"
    fix = finding(examined(shop)[1], "gate")["fix"]
    assert shop(*fix.split()[1:]).code == 0, fix
    assert examined(shop)[1]["guards_live"]


def test_what_a_repository_asks_for_and_does_not_get_is_told_and_the_guard_stays_live(shop: Cli) -> None:
    (shop.cwd / ".perdure" / "config.toml").write_text('[gate]\nmode = "off"\n')
    found = examined(shop)[1]
    assert found["guards_live"]
    assert "gate.mode = off" in finding(found, "settings")["detail"]


def test_a_gate_that_the_clients_own_settings_switch_off(shop: Cli) -> None:
    edit(settings(shop, "user"), lambda content: content.update(env={"PERDURE_GATE_MODE": "off"}))
    path = settings(shop, "user")
    switched = f"The gate is switched to 'off' by PERDURE_GATE_MODE in the env of {path}: it denies nothing."
    assert inert(shop) == switched
    (said,) = [each for each in examined(shop)[1]["findings"] if each["detail"] == switched]
    assert said["fix"] == f"A person removes PERDURE_GATE_MODE from 'env' in {path}."


@pytest.mark.parametrize(
    "variables", [{"PERDURE_HOME": "/elsewhere"}, {"PERDURE_HOME": "x"}, {"PERDURE_GATE_KNOW": "0"}]
)
def test_a_variable_in_the_persons_own_settings_that_loosens_the_gate_is_wrong(
    shop: Cli, variables: dict[str, str]
) -> None:
    edit(settings(shop, "user"), lambda content: content.update(env=variables))
    code, found = examined(shop)
    said = [each for each in found["findings"] if each["part"] == "gate" and each["state"] == "bad"]
    assert code == 1
    assert [str(settings(shop, "user")) in each["detail"] for each in said] == [True]
    edit(settings(shop, "user"), lambda content: content.pop("env"))
    assert examined(shop)[0] == 0


@pytest.mark.parametrize("name", ["PERDURE_HOME", "PERDURE_GATE_MODE", "PERDURE_GATE_KNOW", "HOME"])
@pytest.mark.parametrize("scope", ["local", "project"])
def test_a_variable_in_a_projects_settings_is_named_and_the_guard_stays_live(shop: Cli, scope: str, name: str) -> None:
    """The guard does not obey it."""
    edit(settings(shop, scope), lambda content: content.update(env={name: "off"}))
    code, found = examined(shop)
    assert (code, found["guards_live"]) == (0, True), found
    assert any(f"sets {name} for the client: it does not count" in each["detail"] for each in found["findings"])


def test_settings_that_cannot_be_read(shop: Cli) -> None:
    (shop.cwd / ".perdure" / "config.toml").write_text("[gate\n")
    code, found = examined(shop)
    assert (code, finding(found, "settings")["state"]) == (1, "bad")
    assert str(shop.cwd / ".perdure" / "config.toml") in finding(found, "settings")["detail"]
    assert found["guards_live"]
    assert all(each["fix"] != "perdure heal" for each in found["findings"]), "heal cannot correct what a person wrote"


def test_a_variable_with_a_wrong_value(shop: Cli) -> None:
    code, found = examined(shop, PERDURE_GATE_KNOW="seven")
    assert (code, finding(found, "settings")["state"]) == (1, "bad")
    assert "everything that may write is denied" in finding(found, "settings")["detail"]


# -- the record ----------------------------------------------------------------------------------------------------


def test_a_damaged_ledger(shop: Cli) -> None:
    ledger = shop.cwd / ".perdure" / "ledger.db"
    ledger.write_bytes(b"nonsense" * 1000)
    code, found = examined(shop)
    assert (code, found["guards_live"]) == (1, True)
    assert finding(found, "ledger")["state"] == "bad"
    assert finding(found, "ledger")["fix"] == "perdure heal"
    assert shop("heal").code == 0
    assert examined(shop)[0] == 0


def test_a_project_whose_folder_is_gone(shop: Cli) -> None:
    shop.ok("session", "start")
    (shop.cwd / ".perdure" / "project.toml").unlink()
    code, found = examined(shop)
    assert (code, finding(found, "project")["state"]) == (1, "bad")


@pytest.fixture
def gone(shop: Cli) -> Result:
    """A client that opened a transaction and has ended."""
    client = subprocess.Popen(["sleep", "60"])
    who = ("--client", "claude-code", "--client-session-id", "s1", "--client-pid", str(client.pid))
    opened = shop("preflight", *FLAGS, *who, "--json")
    client.kill()
    client.wait()
    assert opened.code == 0, opened
    return opened


def test_an_orphaned_transaction_is_named_with_the_way_to_take_it_over(shop: Cli, gone: Result) -> None:
    code, found = examined(shop)
    assert code == 0
    short = gone.json["transaction_id"][:8]
    assert finding(found, "transactions")["fix"].startswith(f"perdure transaction adopt {short}")
    assert finding(found, "transactions")["state"] == "warn"
    shop.ok("transaction", "adopt", short)
    assert all(each["part"] != "transactions" for each in examined(shop)[1]["findings"])


def test_stale_bindings_are_counted_and_no_fault(shop: Cli, gone: Result) -> None:
    found = examined(shop)[1]
    assert finding(found, "bindings")["state"] == "ok"
    assert " of a process that has ended" in finding(found, "bindings")["detail"]


def test_a_place_that_was_bound_and_is_not_any_more_is_told_so(shop: Cli) -> None:
    shop.ok("session", "start")
    bound = list((Path(shop.environment["PERDURE_HOME"]) / "bindings" / "process").iterdir())
    assert bound
    for path in bound:
        edit(path, lambda content: content.update(started="0"))
    found = examined(shop)[1]
    assert finding(found, "bindings")["state"] == "warn"
    assert "stale: the pid belongs to another process now" in finding(found, "bindings")["detail"]
    fix = finding(found, "bindings")["fix"]
    assert shop(*fix.split()[1:]).code == 0
    assert finding(examined(shop)[1], "bindings")["state"] == "ok"


# -- copies for the trial ------------------------------------------------------------------------------------------


def copied(**content: Any) -> Any:
    return json.loads(harmless(json.dumps(content), lambda words, _: words == ["ours"]))


def test_nothing_in_a_copy_acts_or_reaches_out() -> None:
    acts = {
        "apiKeyHelper": "./key.sh",
        "awsAuthRefresh": "aws sso login",
        "awsCredentialExport": "x",
        "gcpAuthRefresh": "x",
        "otelHeadersHelper": "x",
        "enabledPlugins": {"a@b": True},
        "extraKnownMarketplaces": {},
        "enableAllProjectMcpServers": True,
        "enabledMcpjsonServers": ["a"],
        "mcpServers": {"a": {}},
        "forceLoginMethod": "console",
    }
    assert copied(**acts, model="x", env={"A": "b"}) == {"model": "x", "env": {}}
    others = [{"type": "command", "command": "./mine.sh", "args": ["x"], "timeout": 5}, {"type": "http", "url": "u"}]
    tamed = [{"type": "command", "command": "true", "timeout": 5}, {"type": "command", "command": "true"}]
    ours = {"type": "command", "command": "ours"}
    hooks = {"Stop": [{"matcher": "x", "hooks": [*others, ours]}]}
    assert copied(hooks=hooks)["hooks"] == {"Stop": [{"matcher": "x", "hooks": [*tamed, ours]}]}
    line = {"type": "command", "command": "./line.sh", "padding": 0}
    assert copied(statusLine=line) == {"statusLine": {**line, "command": "true"}}
    rules = {"deny": ["Bash", "Bash(rm *)", "Read(x)"], "allow": "x"}
    assert copied(permissions=rules) == {"permissions": {"deny": ["Read(x)"], "allow": "x"}}


def test_what_makes_the_client_ignore_the_file_stays_in_the_copy() -> None:
    odd = {"apiKeyHelper": 3, "model": 3, "statusLine": "x", OFF: "true", "permissions": [], "enabledPlugins": "x"}
    assert copied(**odd) == odd
    hooks = {"Stop": [{"hooks": [{"type": "command", "timeout": "x"}]}, {"matcher": "x"}, 3], "Start": 3}
    assert copied(hooks=hooks) == {"hooks": hooks}
    assert harmless('{"a": 1,}', lambda *_: False) == '{"a": 1,}'
    assert harmless('\ufeff{"a": 1}', lambda *_: False) == '\ufeff{"a": 1}'


# -- the MCP server --------------------------------------------------------------------------------------------------

SERVER = "claude-code: MCP server"


def test_the_mcp_server_is_started_as_it_is_registered(shop_with_server: Cli) -> None:
    _, found = examined(shop_with_server)
    told = finding(found, SERVER)
    assert told["state"] == "ok"
    assert str(servers_of(shop_with_server)) in told["detail"]


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (None, "not registered"),
        ({"command": "/gone/perdure", "args": ["mcp"]}, "/gone/perdure cannot be run"),
        ({"command": "npx", "args": ["theirs"]}, "is not Perdure's"),
    ],
    ids=["none", "its program is gone", "somebody else's"],
)
def test_a_server_that_is_not_there_is_a_warning_and_the_guard_stays_live(
    shop_with_server: Cli, server: Any, said: str
) -> None:
    def change(content: dict[str, Any]) -> None:
        listed = content["projects"][str(shop_with_server.cwd)]["mcpServers"]
        listed.clear()
        if server:
            listed["perdure"] = server

    edit(servers_of(shop_with_server), change)
    code, found = examined(shop_with_server)
    told = finding(found, SERVER)
    assert (code, found["guards_live"], told["state"]) == (0, True, "warn")
    assert said in told["detail"]
    assert told["fix"]


def test_a_server_that_says_something_else_is_not_taken_for_ours(shop_with_server: Cli, tmp_path: Path) -> None:
    fake = tmp_path / "perdure"
    fake.write_text("#!/bin/sh\necho hello\n")
    fake.chmod(0o755)
    edit(
        servers_of(shop_with_server),
        lambda content: content["projects"][str(shop_with_server.cwd)]["mcpServers"]["perdure"].update(
            command=str(fake)
        ),
    )
    _, found = examined(shop_with_server)
    assert "does not start: hello" in finding(found, SERVER)["detail"]


# -- a guard that denies because of the record -------------------------------------------------------------------------


def a_changed_transaction_file(shop: Cli) -> None:
    (file,) = (shop.cwd / ".perdure").glob("active_transaction_*.json")
    file.write_text(file.read_text().replace("true", "false"))


def another_ledger_and_transaction_file(shop: Cli) -> None:
    """As a pull brings them."""
    a_changed_transaction_file(shop)
    with sqlite3.connect(shop.cwd / ".perdure" / "ledger.db") as db:
        db.execute("UPDATE secret SET text = 'another'")
    db.close()


@pytest.mark.parametrize("replaced", [a_changed_transaction_file, another_ledger_and_transaction_file])
def test_a_guard_that_denies_because_the_record_was_replaced_is_not_called_inert_and_heal_clears_it(
    shop: Cli, replaced: Callable[[Cli], None]
) -> None:
    shop.ok("preflight", *FLAGS)
    replaced(shop)
    code, found = examined(shop)
    guard = finding(found, "claude-code: guard")
    assert (code, found["guards_live"], found["clients"][0]["inert"]) == (1, True, None)
    assert "denies every change until the record is repaired" in guard["detail"]
    assert "not as Perdure wrote it" in guard["detail"]
    assert guard["fix"] == "perdure heal"
    shop.ok("heal")
    assert examined(shop)[0] == 0
