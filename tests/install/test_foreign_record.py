"""A repository can bring any file. What it says about an installation is not believed (SPEC 6.1, 19)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli, git, new_repository

MINE: dict[str, Any] = {
    "permissions": {"allow": ["Bash(ls)"], "deny": ["Bash(rm *)"]},
    "statusLine": {"type": "command", "command": "echo mine"},
}
ENTRY: dict[str, Any] = {
    "client": "claude-code",
    "scope": "local",
    "settings": ".claude/settings.local.json",
    "perdure": "0.1.0",
    "files": [],
    "folders": [],
    "made": ["hooks", "permissions", "permissions.deny"],
    "status": '"touch PWNED"',
    "allowed": ["Bash(ls)"],
}


@pytest.fixture
def person(environment: dict[str, str]) -> Path:
    """The person's own settings file."""
    path = Path(environment["HOME"]) / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(MINE))
    return path


def commit_record(cli: Cli, *entries: dict[str, Any]) -> None:
    """The repository has this record in a commit, as one has whose author wants to change our settings."""
    path = cli.cwd / ".perdure" / "installed.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"installed": list(entries)}))
    git(cli.cwd, cli.environment, "add", "-f", ".perdure/installed.json")
    git(cli.cwd, cli.environment, "commit", "-qm", "a record")


def entries_for(person: Path) -> list[dict[str, Any]]:
    """Entries that name the person's file in every way there is."""
    absolute, relative = str(person), "../home/.claude/settings.json"
    return [{**ENTRY, "settings": each, "scope": scope} for each in (absolute, relative) for scope in ("local", "user")]


@pytest.mark.parametrize("is_installed", [True, False], ids=["installed for the user", "not installed"])
def test_a_committed_record_does_not_reach_the_persons_own_settings(
    repository: Path, environment: dict[str, str], person: Path, is_installed: bool
) -> None:
    cli = Cli(repository, environment)
    if is_installed:
        own = Cli(new_repository(repository.parent / "own", environment), environment)
        own.ok("init", "--scope", "user")
    commit_record(cli, *entries_for(person))
    cli.ok("uninstall")
    assert json.loads(person.read_text()) == MINE
    cli.ok("uninstall")
    assert json.loads(person.read_text()) == MINE


def test_a_committed_record_does_not_count_when_init_and_uninstall_follow(
    repository: Path, environment: dict[str, str], person: Path
) -> None:
    cli = Cli(repository, environment)
    commit_record(cli, ENTRY, *entries_for(person))
    cli.ok("init")
    assert "PWNED" not in (cli.cwd / ".claude" / "settings.local.json").read_text()
    assert cli.ok("heal")["whole"]
    cli.ok("uninstall")
    assert not (cli.cwd / ".claude").exists()
    assert json.loads(person.read_text()) == MINE


@pytest.mark.parametrize("status", ['"touch PWNED"', "touch PWNED", '{"type":"command"}', ""])
def test_a_pulled_record_does_not_count_in_an_installed_project(
    repository: Path, environment: dict[str, str], person: Path, status: str
) -> None:
    cli = Cli(repository, environment)
    local = cli.cwd / ".claude" / "settings.local.json"
    local.parent.mkdir()
    local.write_text(json.dumps({"statusLine": {"type": "command", "command": "echo here"}, "permissions": {}}))
    before = local.read_bytes()
    cli.ok("init")
    commit_record(cli, {**ENTRY, "status": status}, {**ENTRY, "settings": str(person), "status": status})
    assert cli.ok("status")["warnings"] == []
    assert cli.ok("heal")["whole"]
    cli.ok("init")
    cli.ok("uninstall")
    assert local.read_bytes() == before
    assert json.loads(person.read_text()) == MINE


def test_a_committed_record_makes_nobody_miss_a_guard_nor_heal_put_one_back(
    repository: Path, environment: dict[str, str], person: Path
) -> None:
    cli = Cli(repository, environment)
    commit_record(cli, ENTRY, *entries_for(person))
    cli.ok("init", "--no-client")
    assert cli.ok("status")["warnings"] == []
    assert cli.ok("heal")["whole"]
    assert not (cli.cwd / ".claude").exists()


def test_after_an_upgrade_the_copy_that_the_home_kept_is_the_record(
    repository: Path, environment: dict[str, str], person: Path
) -> None:
    """Earlier versions wrote the record into the project and a copy into the home, in this form."""
    cli = Cli(repository, environment)
    cli.ok("init", "--allow")
    (record,) = (Path(environment["PERDURE_HOME"]) / "installed").iterdir()
    kept = json.loads(record.read_text())
    record.write_text(json.dumps({"path": str(cli.cwd), "installed": kept["installed"]}, separators=(",", ":")) + "\n")
    (cli.cwd / ".perdure" / "installed.json").write_text(json.dumps({"installed": kept["installed"]}))
    (client,) = cli.ok("uninstall")["clients"]
    assert client["notes"] == []
    assert not (cli.cwd / ".claude").exists()


def test_uninstall_without_a_record_says_what_it_cannot_know(
    repository: Path, environment: dict[str, str], person: Path
) -> None:
    cli = Cli(repository, environment)
    cli.ok("init", "--allow")
    (record,) = (Path(environment["PERDURE_HOME"]) / "installed").iterdir()
    record.unlink()
    (client,) = cli.ok("uninstall")["clients"]
    assert any("not recorded what" in note and "rules" in note for note in client["notes"])
    assert "perdure.surfaces.hooks" not in (cli.cwd / ".claude" / "settings.local.json").read_text()


def test_init_says_that_it_could_not_record_what_it_installed(
    repository: Path, environment: dict[str, str], person: Path
) -> None:
    cli = Cli(repository, environment)
    home = Path(environment["PERDURE_HOME"])
    home.mkdir(exist_ok=True)
    (home / "installed").write_text("a file where the folder should be")
    (client,) = cli.ok("init")["clients"]
    assert any("not recorded" in note for note in client["notes"])
    (home / "installed").unlink()
    assert cli.ok("init")["clients"][0]["notes"] == []
    cli.ok("uninstall")
    assert not any("perdure" in path.read_text() for path in (cli.cwd / ".claude").rglob("*.json"))
