"""The plugin: what the program writes is what this repository offers, and the client accepts it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from perdure import __version__
from perdure.install import claude_plugin as plugin
from perdure.install.claude_code import EVENTS
from tests.conftest import Cli
from tests.surfaces.looking import assert_error

ROOT = Path(__file__).parents[2]


def test_the_plugin_of_this_repository_is_what_the_program_writes() -> None:
    there = {str(p.relative_to(ROOT / "plugin")): p for p in (ROOT / "plugin").rglob("*") if p.is_file()}
    assert {name: path.read_text() for name, path in there.items()} == {
        name: text for name, (text, _) in plugin.texts().items()
    }, "perdure init --plugin plugin writes it anew"
    assert os.access(ROOT / "plugin" / plugin.SCRIPT, os.X_OK)


def test_the_marketplace_offers_it() -> None:
    offered = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())
    (ours,) = offered["plugins"]
    assert (ours["name"], (ROOT / ours["source"]).resolve()) == ("perdure", ROOT / "plugin")
    assert offered["name"]
    assert offered["owner"]["name"]


def test_it_is_written_and_written_again(environment: dict[str, str], tmp_path: Path) -> None:
    cli = Cli(tmp_path, environment)
    written = cli.ok("init", "--plugin", "made")
    assert {os.path.relpath(path, tmp_path / "made") for path in written["changed"]} == set(plugin.texts())
    manifest = json.loads((tmp_path / "made" / plugin.MANIFEST).read_text())
    assert (manifest["name"], manifest["version"]) == ("perdure", __version__)
    hooks = json.loads((tmp_path / "made" / "hooks" / "hooks.json").read_text())["hooks"]
    assert list(hooks) == list(EVENTS)
    assert all(group["hooks"][0]["args"][0] == "${CLAUDE_PLUGIN_ROOT}/perdure.sh" for (group,) in hooks.values())
    assert cli.ok("init", "--plugin", "made")["changed"] == []
    assert "nothing changed" in cli("init", "--plugin", "made").out
    assert not (tmp_path / ".perdure").exists(), "only the plugin is written"


def test_a_folder_with_something_else_in_it_is_refused(environment: dict[str, str], tmp_path: Path) -> None:
    cli = Cli(tmp_path, environment)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    assert_error(cli("init", "--plugin", "mine", "--json"), 1, kind="folder_taken")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    assert_error(cli("init", "--plugin", "", "--json"), 2, kind="usage")


@pytest.mark.parametrize("what", ["plugin", "."])
def test_the_clients_own_validation_accepts_it(tmp_path: Path, what: str) -> None:
    found = sorted((ROOT / ".clients").glob("*/claude"))
    if not found:
        pytest.skip("no client is installed: run tests/needs.sh")
    for client in found:
        done = subprocess.run(
            [client, "plugin", "validate", ROOT / what],
            env={
                "HOME": str(tmp_path),
                "PATH": "/usr/bin:/bin",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "DISABLE_AUTOUPDATER": "1",
                "DISABLE_TELEMETRY": "1",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Validation passed" in done.stdout
