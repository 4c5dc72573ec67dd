"""The MCP server in the client's lists: where init puts it, what it leaves alone, and that uninstall takes it out again
(SPEC 6.1, 15.1)."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from perdure.install import claude_servers as servers
from perdure.install.installer import InstallContext
from tests.conftest import Cli, new_repository
from tests.surfaces.looking import assert_error

ODD = (
    b'\xef\xbb\xbf{ "numStartups" : 12,\r\n\t"k\xc3\xa4se":"\\u0041", "projects":{"/other":{"mcpServers":{"perdure":'
    b'{"command":"theirs"}}} , "%s" : {"allowedTools":[],"mcpServers":{ }}},\r\n\t"big": 12345678901234567890123456789,'
    b'\r\n"mcpServers" : {"a":{"command":"x","args":["mcp"]}} }  \r\n\r\n'
)


@pytest.fixture
def shop(repository: Path, environment: dict[str, str]) -> Cli:
    """A repository, no project yet, on a machine that has Claude Code."""
    (Path(environment["HOME"]) / ".claude").mkdir()
    return Cli(repository, environment)


def file_of(cli: Cli, scope: str) -> Path:
    return cli.cwd / ".mcp.json" if scope == "project" else Path(cli.environment["HOME"]) / ".claude.json"


def listed(cli: Cli, scope: str) -> Any:
    found = json.loads(file_of(cli, scope).read_bytes().decode("utf-8-sig"))
    return (found["projects"][str(cli.cwd)] if scope == "local" else found)["mcpServers"]


@pytest.mark.parametrize("scope", ["local", "project", "user"])
def test_init_registers_it_once_and_uninstall_leaves_nothing(shop: Cli, scope: str) -> None:
    (client,) = shop.ok("init", "--scope", scope)["clients"]
    path = file_of(shop, scope)
    assert {"path": str(path), "how": "created"} in client["changed"]
    server = listed(shop, scope)["perdure"]
    assert (server["type"], server["args"]) == ("stdio", ["mcp"])
    assert server["command"] == "perdure" if scope == "project" else Path(server["command"]).is_absolute()
    assert stat.S_IMODE(path.stat().st_mode) == (0o644 if scope == "project" else 0o600)
    before = path.read_bytes()
    (again,) = shop.ok("init", "--scope", scope)["clients"]
    assert (again["changed"], path.read_bytes()) == ([], before)
    shop.ok("uninstall")
    assert not path.exists()


@pytest.mark.parametrize("scope", ["local", "user"])
def test_whatever_else_the_client_keeps_there_keeps_every_byte(shop: Cli, scope: str) -> None:
    path = file_of(shop, scope)
    path.write_bytes(ODD.replace(b"%s", str(shop.cwd).encode()))
    path.chmod(0o640)
    before = path.read_bytes()
    shop.ok("init", "--scope", scope)
    assert listed(shop, scope)["perdure"]["args"] == ["mcp"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    shop.ok("uninstall")
    assert path.read_bytes() == before


def test_what_the_client_wrote_since_stays(shop: Cli) -> None:
    shop.ok("init")
    path = file_of(shop, "local")
    content = json.loads(path.read_text())
    content["projects"][str(shop.cwd)]["allowedTools"] = []
    content["numStartups"] = 3
    path.write_text(json.dumps(content, indent=2))
    shop.ok("uninstall")
    assert json.loads(path.read_text()) == {"projects": {str(shop.cwd): {"allowedTools": []}}, "numStartups": 3}


@pytest.mark.parametrize("content", ["{", "", "[]", '{"mcpServers": []}', '{"mcpServers": {}} // mine'])
def test_a_list_that_is_not_usable_is_refused_before_anything_is_made(shop: Cli, content: str) -> None:
    path = file_of(shop, "user")
    path.write_text(content)
    before = sorted(shop.cwd.rglob("*")), sorted(path.parent.rglob("*"))
    error = assert_error(shop("init", "--scope", "user", "--json"), 1, str(path))
    assert error["code"] in ("settings_not_json", "settings_odd")
    assert (sorted(shop.cwd.rglob("*")), sorted(path.parent.rglob("*"))) == before
    assert path.read_text() == content
    shop.ok("init", "--no-client")
    shop.ok("uninstall")
    assert path.read_text() == content


def test_a_list_that_was_broken_since_is_refused_and_nothing_is_half_removed(shop: Cli) -> None:
    shop.ok("init", "--scope", "user")
    path = file_of(shop, "user")
    whole, settings = path.read_text(), path.parent / ".claude" / "settings.json"
    path.write_text("{oops")
    with_guard = settings.read_text()
    assert_error(shop("uninstall", "--json"), 1, str(path), kind="settings_not_json")
    assert settings.read_text() == with_guard
    path.write_text(whole)
    shop.ok("uninstall")
    assert not settings.exists()


def test_a_server_of_somebody_else_with_our_name_is_left_alone_and_the_guard_is_installed(shop: Cli) -> None:
    path = file_of(shop, "user")
    content = '{"mcpServers": {"perdure": {"command": "theirs", "args": ["mcp", "x"]}}}'
    path.write_text(content)
    (client,) = shop.ok("init", "--scope", "user")["clients"]
    assert path.read_text() == content
    (note,) = [note for note in client["notes"] if "MCP server" in note]
    assert str(path) in note
    assert "PreToolUse" in (path.parent / ".claude" / "settings.json").read_text()
    shop.ok("uninstall")
    assert path.read_text() == content


def test_an_older_one_of_ours_is_brought_up_to_date_in_its_place(shop: Cli) -> None:
    path = file_of(shop, "user")
    old = {"command": "/gone/venv/bin/perdure", "args": ["mcp"]}
    path.write_text(json.dumps({"mcpServers": {"perdure": old, "other": {"command": "x"}}}))
    shop.ok("init", "--scope", "user")
    assert list(listed(shop, "user")) == ["perdure", "other"]
    assert Path(listed(shop, "user")["perdure"]["command"]).exists()


def test_a_folder_of_its_own_for_the_client_is_honoured(shop: Cli, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    shop.environment["CLAUDE_CONFIG_DIR"] = str(tmp_path / "config")
    shop.ok("init")
    assert "perdure" in (tmp_path / "config" / ".claude.json").read_text()
    assert not (Path(shop.environment["HOME"]) / ".claude.json").exists()
    shop.ok("uninstall")
    assert not (tmp_path / "config" / ".claude.json").exists()


def test_status_does_not_take_a_list_of_servers_for_a_guard_that_is_gone(shop: Cli) -> None:
    shop.ok("init")
    file_of(shop, "local").unlink()
    assert shop.ok("status")["warnings"] == []


def test_which_one_counts_is_known(shop: Cli) -> None:
    shop.ok("init", "--scope", "project")
    path = file_of(shop, "user")
    path.write_text(json.dumps({"mcpServers": {"perdure": {"command": "theirs"}}}))
    first, second = servers.registered(InstallContext.at(str(shop.cwd), shop.environment))
    assert (first.scope, first.words, first.is_ours) == ("project", ("perdure", "mcp"), True)
    assert (second.scope, second.words, second.is_ours) == ("user", ("theirs",), False)


@pytest.mark.parametrize("command", ["init", "uninstall"])
def test_after_a_move_nothing_stays_registered_for_the_folder_that_is_gone(shop: Cli, command: str) -> None:
    shop.ok("init")
    path, before = file_of(shop, "local"), shop.cwd
    theirs = {"projects": {"/other": {"mcpServers": {"perdure": {"command": "x"}}}}}
    path.write_text(json.dumps({"projects": {**theirs["projects"], **json.loads(path.read_text())["projects"]}}))
    shop.cwd = before.rename(before.with_name("moved"))
    shop.ok(command)
    found = json.loads(path.read_text())["projects"]
    assert found.pop("/other") == theirs["projects"]["/other"]
    assert list(found) == ([str(shop.cwd)] if command == "init" else [])


def test_a_project_that_was_deleted_before_uninstall_leaves_no_server_once_it_is_forgotten(shop: Cli) -> None:
    shop.ok("init")
    listed = Path(shop.environment["HOME"]) / ".claude.json"
    assert list(json.loads(listed.read_text())["projects"]) == [str(shop.cwd)]
    shutil.rmtree(shop.cwd)
    away = listed.parent
    said = shop("project", "forget", str(shop.cwd), cwd=away)
    assert said.code == 0, said
    assert ".claude.json" in said.out
    assert not listed.exists(), "init made it, for this entry alone"


def test_forgetting_a_project_leaves_the_server_of_the_folder_that_stands_there_now(shop: Cli) -> None:
    old = shop.ok("init")["project_id"]
    listed = Path(shop.environment["HOME"]) / ".claude.json"
    shutil.rmtree(shop.cwd)
    new_repository(shop.cwd, shop.environment)
    shop.ok("init", "--name", "another")
    before = listed.read_text()
    shop("project", "forget", old, cwd=listed.parent)
    assert listed.read_text() == before
