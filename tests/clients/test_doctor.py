"""doctor with the real client: a guard that works is called live, and no other one, whatever the cause (SPEC 6.4)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdure.rehearsal.messages import call, say

from ..conftest import Cli, Result, new_repository
from .conftest import Stage


@pytest.fixture
def shop_with_server(any_claude: Stage, environment: dict[str, str], tmp_path: Path) -> Cli:
    """A project with hooks, on a machine that has the client."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "claude").symlink_to(any_claude.client.binary)
    path = os.pathsep.join((str(folder), str(Path(sys.executable).parent), environment["PATH"]))
    cli = Cli(any_claude.project, {**environment, "PATH": path})
    cli.ok("init")
    return cli


@pytest.fixture
def shop(shop_with_server: Cli) -> Cli:
    """The same without the MCP server, which doctor would start each time."""
    (Path(shop_with_server.environment["HOME"]) / ".claude.json").unlink()
    return shop_with_server


def edit(cli: Cli, change: Callable[[dict[str, Any]], object], file: str = "settings.local.json") -> Path:
    path = cli.cwd / ".claude" / file
    content = json.loads(path.read_text()) if path.exists() else {}
    change(content)
    path.write_text(json.dumps(content))
    return path


def inert(cli: Cli, **variables: Any) -> tuple[str, list[str]]:
    """Why the guard is, and what was seen in the client."""
    return cause_and_seen(cli("doctor", "--json", **variables))


def cause_and_seen(done: Result) -> tuple[str, list[str]]:
    assert (done.code, done.err) == (1, ""), done
    found = done.json
    assert found["guards_live"] is False
    seen = [each["detail"] for each in found["findings"] if each["part"] == "claude-code: in the client"]
    read_only = [each["detail"] for each in found["findings"] if each["part"] == "claude-code: read-only"]
    is_inert_there = any("denied a command that may write" not in each for each in seen)
    assert not is_inert_there or read_only in ([], ["not tried: the guard does not work in the client"]), read_only
    return found["clients"][0]["inert"], seen


def files_in(folder: Path) -> list[Path]:
    """But for those that SQLite makes where a database is read."""
    return sorted(path for path in folder.rglob("*") if not path.name.endswith((".db-wal", ".db-shm")))


def is_new(stage: Stage) -> bool:
    return stage.version >= (2, 1, 295)


def test_a_guard_that_works_in_the_client_is_live_and_nothing_is_left_behind(
    shop_with_server: Cli, any_claude: Stage, tmp_path: Path
) -> None:
    before = files_in(tmp_path)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    person = shop_with_server("doctor", TMPDIR=str(temporary))
    assert (person.code, person.err) == (0, ""), person
    version = ".".join(map(str, any_claude.version))
    assert person.out.splitlines()[-1] == f"the guard is live in Claude Code {version}"
    assert ("ignores onFailure" in person.out) == (not is_new(any_claude))
    assert ("counts only if the client is started in" in person.out) == (not is_new(any_claude))
    assert list(temporary.iterdir()) == []
    temporary.rmdir()
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("scope", ["project", pytest.param("user", marks=pytest.mark.long)])
def test_the_other_scopes_are_proved_too(shop: Cli, any_claude: Stage, scope: str) -> None:
    (any_claude.home / ".claude").mkdir(exist_ok=True)
    shop.ok("uninstall")
    shop.ok("init", "--scope", scope)
    done = shop("doctor", "--json")
    assert (done.code, done.json["clients"][0]["proved"]) == (0, "in the client"), done


def test_what_acts_in_the_persons_settings_does_not_act_in_the_trial(shop: Cli, tmp_path: Path) -> None:
    touch = f"touch {tmp_path / 'acted'}"
    foreign = {"hooks": [{"type": "command", "command": touch}]}

    def change(content: dict[str, Any]) -> None:
        content["hooks"]["SessionStart"].append(foreign)
        content["hooks"]["Stop"] = [foreign]
        content |= {"apiKeyHelper": touch, "env": {"ANTHROPIC_BASE_URL": "http://192.0.2.1"}, "awsAuthRefresh": touch}
        content["permissions"] = {"deny": ["Bash"]}

    edit(shop, change)
    done = shop("doctor", "--json")
    assert (done.code, done.json["clients"][0]["proved"]) == (0, "in the client"), done
    assert not (tmp_path / "acted").exists()


def test_hooks_that_are_not_registered(shop: Cli) -> None:
    shop.ok("uninstall")
    assert inert(shop)[0] == "no hook of Perdure is registered"


def test_hooks_that_are_switched_off(shop: Cli) -> None:
    path = edit(shop, lambda content: content.update(disableAllHooks=True), "settings.json")
    done = shop("doctor", "--json")
    cause, seen = cause_and_seen(done)
    assert cause == f"disableAllHooks in {path} switches every hook off"
    assert "disableAllHooks" in seen[0]
    assert "type is wrong" not in done.out
    edit(shop, lambda content: content.update(disableAllHooks=False))
    assert shop("doctor").code == 0


@pytest.mark.parametrize(
    "added",
    [
        {"model": "opus", "permissions": {"allow": "Bash"}},
        pytest.param({"statusLine": "mine"}, marks=pytest.mark.long),
        pytest.param({"disableAllHooks": "false"}, marks=pytest.mark.long),
    ],
    ids=lambda added: "-".join(added),
)
def test_a_member_of_a_wrong_kind_for_which_the_client_ignores_the_file(shop: Cli, added: dict[str, object]) -> None:
    """It is the last one that is added. A member before it that is right costs a client more to rule it out."""
    *_, name = added
    path = edit(shop, lambda content: content.update(added))
    cause, seen = inert(shop)
    assert cause == f"the client ignores the hooks because of '{name}' in {path}"
    assert seen == [cause]


def test_a_settings_file_that_is_not_json(shop: Cli) -> None:
    path = shop.cwd / ".claude" / "settings.local.json"
    path.write_text(path.read_text()[:-3])
    cause, seen = inert(shop)
    assert "is not JSON" in cause
    assert "ran a command that may write without asking the guard" in seen[0]


def test_an_interpreter_that_is_gone(shop: Cli, any_claude: Stage) -> None:
    def change(content: dict[str, Any]) -> None:
        content["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = "/nonexistent/python3"

    edit(shop, change)
    cause, seen = inert(shop)
    assert cause.endswith("every call is blocked" if is_new(any_claude) else "every call passes")
    said = "the guard fails there, so every call is blocked" if is_new(any_claude) else "without asking the guard"
    assert said in seen[0]


def test_a_gate_that_is_switched_off(shop: Cli) -> None:
    assert inert(shop, PERDURE_GATE_MODE="off")[0] == "it is switched to 'off' in PERDURE_GATE_MODE"


def test_a_client_that_does_not_play(shop: Cli, tmp_path: Path) -> None:
    client = tmp_path / "bin" / "claude"
    client.unlink()
    client.write_text('#!/bin/sh\n[ "$1" = --version ] && echo 2.1.325 && exit 0\necho no licence >&2\nexit 7\n')
    client.chmod(0o755)
    cause, seen = inert(shop)
    assert cause == seen[0] == "the client did not run the trial (exit code 7: no licence)"


@pytest.mark.parametrize("scope", ["local", "project"])
def test_a_folder_below_from_which_the_client_does_not_see_the_hooks(shop: Cli, any_claude: Stage, scope: str) -> None:
    if scope == "project":
        shop.ok("uninstall")
        shop.ok("init", "--scope", scope)
    below = shop.cwd / "src" / "shop"
    below.mkdir(parents=True)
    done = shop("doctor", "--json", cwd=below)
    if scope == "local" and is_new(any_claude):
        assert (done.code, done.json["clients"][0]["proved"]) == (0, "in the client"), done
    else:
        cause = f"a client that is started in {below} does not see the hooks of {shop.cwd}"
        assert (done.code, done.json["clients"][0]["inert"]) == (1, cause), done


def test_a_repository_within_the_project_in_which_the_client_does_not_see_the_hooks(
    shop: Cli, environment: dict[str, str]
) -> None:
    inner = new_repository(shop.cwd / "inner", environment)
    done = shop("doctor", "--json", "--project-path", str(shop.cwd), cwd=inner)
    cause = f"a client that is started in {inner} does not see the hooks of {shop.cwd}"
    assert (done.code, done.json["clients"][0]["inert"]) == (1, cause), done


def test_without_the_client_nothing_of_it_is_started(shop: Cli) -> None:
    done = shop("doctor", "--no-client", "--json")
    assert (done.code, done.json["clients"][0]["proved"]) == (0, "as registered")
    assert "not tried: --no-client" in done.out


@pytest.mark.parametrize(
    "variables",
    [
        {"PERDURE_HOME": "/proc/self/cwd/.evil", "PERDURE_GATE_MODE": "off"},
        pytest.param({"PERDURE_HOME": "/proc/self/cwd/.evil"}, marks=pytest.mark.long),
        pytest.param({"PERDURE_GATE_MODE": "off"}, marks=pytest.mark.long),
        pytest.param({"PERDURE_HOME": ".evil"}, marks=pytest.mark.long),
    ],
    ids=["both", "another home", "the gate off", "a relative home"],
)
def test_a_committed_settings_file_does_not_open_the_gate_in_the_client(
    shop: Cli, any_claude: Stage, variables: dict[str, str]
) -> None:
    """SPEC 19. The doctor names the variable, and is right that the guard is live."""
    path = edit(shop, lambda content: content.update(env=variables), "settings.json")
    (shop.cwd / ".evil").mkdir()
    (shop.cwd / ".evil" / "config.toml").write_text('[gate]\nmode = "off"\n')
    model = any_claude.script([call("Bash", command="touch opened"), say("done")])
    any_claude.run("go", "--allowedTools", "Bash", "--permission-mode", "acceptEdits")
    assert "Perdure: denied" in str(model.turns[-1].results)
    assert not (shop.cwd / "opened").exists()
    done = shop("doctor", "--json")
    assert (done.code, done.json["clients"][0]["proved"]) == (0, "in the client"), done
    assert any(str(path) in each["detail"] and "does not count" in each["detail"] for each in done.json["findings"])
