"""A guard that is taken out by the way is missed at the next transition (SPEC 5.5)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ..conftest import Cli, git, new_repository
from ..surfaces.test_hooks import Hooks

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")


def installed(cli: Cli, *flags: str) -> None:
    cli.ok("init", "--client", "claude-code", *flags)


def test_a_guard_that_stands_is_not_spoken_of(cli: Cli) -> None:
    assert cli.ok("status")["warnings"] == [], "nothing was installed"
    installed(cli)
    assert cli.ok("status")["warnings"] == []
    assert cli.ok("preflight", *FLAGS)["warnings"] == []


def test_settings_that_are_gone_are_said_to_be_at_every_transition(cli: Cli) -> None:
    installed(cli)
    settings = cli.cwd / ".claude" / "settings.local.json"
    settings.unlink()
    for said in (cli.ok("preflight", *FLAGS), cli.ok("status"), cli.ok("postflight", *FLAGS)):
        assert "perdure heal restores it" in said["warnings"][0]
    assert "perdure heal restores it" in cli("preflight", *FLAGS).out
    assert cli.ok("heal")["whole"]
    assert cli.ok("status")["warnings"] == []


def test_hooks_switched_off_and_settings_that_are_not_json_are_said_to_be(cli: Cli) -> None:
    installed(cli)
    settings = cli.cwd / ".claude" / "settings.local.json"
    whole = settings.read_text()
    settings.write_text(json.dumps({**json.loads(whole), "disableAllHooks": True}))
    assert "disableAllHooks" in cli.ok("status")["warnings"][0]
    settings.write_text(whole + "}")
    assert "no longer JSON" in cli.ok("status")["warnings"][0]
    content = json.loads(whole)
    del content["hooks"]["PreToolUse"]
    settings.write_text(json.dumps(content))
    assert "no longer registered" in cli.ok("status")["warnings"][0]


def test_what_a_person_uninstalled_is_not_missed(cli: Cli) -> None:
    installed(cli)
    removed = cli("uninstall", "--yes")
    assert removed.code == 0
    assert "any other project" not in removed.out
    assert cli.ok("status")["warnings"] == []


@pytest.mark.parametrize("again", [("--scope", "user"), ()], ids=["for the person", "for the project"])
def test_a_persons_guard_that_was_removed_in_another_project_is_missed(
    cli: Cli, tmp_path: Path, environment: dict[str, str], again: tuple[str, ...]
) -> None:
    other = Cli(new_repository(tmp_path / "other", environment), environment)
    other.ok("init")
    installed(cli, "--scope", "user")
    removed = other("uninstall", "--yes")
    assert removed.code == 0
    assert "no longer guarded in any other project either" in removed.out
    for said in (cli.ok("preflight", *FLAGS), cli.ok("status"), cli.ok("postflight", *FLAGS)):
        assert "by perdure uninstall in another project, and nothing guards this one" in said["warnings"][0]
    assert other.ok("status")["warnings"] == [], "a person removed it there"
    installed(cli, *again)
    assert cli.ok("status")["warnings"] == []


def test_the_projects_scope_is_looked_at_in_its_own_file(cli: Cli) -> None:
    installed(cli, "--scope", "project")
    assert cli.ok("status")["warnings"] == []
    (cli.cwd / ".claude" / "settings.json").write_text("{}")
    assert "settings.json" in cli.ok("status")["warnings"][0]


# -- after `git clean -fdx` ----------------------------------------------------------------------------------------


def guard_of(cli: Cli, name: str = "settings.local.json") -> str:
    path = cli.cwd / ".claude" / name
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize("flags", [(), ("--allow",), ("--scope", "project")], ids=["local", "allowed", "project"])
def test_heal_after_git_clean_puts_back_what_init_registered(cli: Cli, flags: tuple[str, ...]) -> None:
    """SPEC 5.2, 16.3: the clean took the client's settings, and with them the guard."""
    installed(cli, *flags)
    name = "settings.json" if "project" in flags else "settings.local.json"
    files = sorted(path.relative_to(cli.cwd) for path in (cli.cwd / ".claude").rglob("*") if path.is_file())
    before = guard_of(cli, name)
    assert '"PreToolUse"' in before
    git(cli.cwd, cli.environment, "clean", "-fdxq")
    assert guard_of(cli, name) == ""
    healed = cli.ok("heal")
    assert healed["whole"]
    assert any(name in each for each in healed["mended"])
    assert guard_of(cli, name) == before
    assert sorted(path.relative_to(cli.cwd) for path in (cli.cwd / ".claude").rglob("*") if path.is_file()) == files
    assert cli.ok("heal", "--check")["whole"]
    assert cli.ok("status")["warnings"] == []
    assert cli("uninstall", "--yes").code == 0
    assert '"PreToolUse"' not in guard_of(cli, name)


def test_until_it_is_back_heal_check_and_status_say_first_that_the_guard_is_missing(cli: Cli) -> None:
    installed(cli)
    shutil.rmtree(cli.cwd / ".claude")
    checked = cli("heal", "--check", "--json")
    assert (checked.code, checked.json["whole"], checked.json["findings"][0]["part"]) == (1, False, "guard")
    assert "perdure heal restores it" in checked.json["findings"][0]["detail"]
    assert "perdure heal restores it" in cli("status").out.splitlines()[1]
    cli.ok("heal")
    assert cli.ok("heal", "--check")["whole"]


def test_settings_that_heal_cannot_mend_are_named_and_not_called_whole(cli: Cli) -> None:
    installed(cli)
    settings = cli.cwd / ".claude" / "settings.local.json"
    broken = settings.read_text() + "}"
    settings.write_text(broken)
    healed = cli("heal", "--json")
    assert (healed.code, healed.json["findings"][0]["part"]) == (1, "guard")
    assert settings.read_text() == broken, "it is the person's file"


def test_a_session_that_brings_the_record_back_says_that_a_guard_is_missing(cli: Cli) -> None:
    """Its hooks run from the person's own settings, say; those of the project are gone."""
    installed(cli)
    git(cli.cwd, cli.environment, "clean", "-fdxq")
    told = Hooks(cli).told("SessionStart", source="startup")
    [named] = [line for line in told.splitlines() if "the guard is no longer registered in" in line]
    assert "perdure heal restores it" in named


@pytest.mark.parametrize("when", ["before the clean", "after it"])
def test_heal_puts_nothing_back_that_a_person_uninstalled(cli: Cli, when: str) -> None:
    installed(cli)
    if when == "before the clean":
        assert cli("uninstall", "--yes").code == 0
    git(cli.cwd, cli.environment, "clean", "-fdxq")
    if when == "after it":
        cli.ok("init", "--no-client")
        assert cli("uninstall", "--yes").code == 0
    assert cli.ok("heal")["whole"]
    assert guard_of(cli) == ""


def test_what_was_registered_follows_a_project_that_was_moved(cli: Cli) -> None:
    installed(cli)
    new = cli.cwd.rename(cli.cwd.parent / "moved")
    here = Cli(new, cli.environment)
    here.ok("note", "finding", "it is here now")
    git(new, cli.environment, "clean", "-fdxq")
    assert here.ok("heal")["whole"]
    assert '"PreToolUse"' in guard_of(here)


def test_heal_puts_nothing_into_another_repository_at_the_same_path(cli: Cli) -> None:
    installed(cli)
    shutil.rmtree(cli.cwd)
    cli.cwd.mkdir()
    git(cli.cwd, cli.environment, "init", "-q")
    cli.ok("init", "--no-client")
    assert cli.ok("heal")["whole"]
    assert guard_of(cli) == ""


@pytest.mark.parametrize(("local", "is_off"), [({}, True), ({"disableAllHooks": False}, False)])
def test_hooks_that_a_repositorys_own_settings_file_switches_off_are_named_by_init_and_status(
    repository: Path, environment: dict[str, str], local: dict[str, bool], is_off: bool
) -> None:
    """The guard is in the local file, which counts more where both say something."""
    (Path(environment["HOME"]) / ".claude").mkdir(exist_ok=True)
    folder = repository / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text('{"disableAllHooks": true}')
    (folder / "settings.local.json").write_text(json.dumps(local))
    cli = Cli(repository, environment)
    made, shown = cli.ok("init", "--client", "claude-code"), cli.ok("status")
    for found in (made, shown):
        assert any(str(folder / "settings.json") in each for each in found["warnings"]) == is_off, found
