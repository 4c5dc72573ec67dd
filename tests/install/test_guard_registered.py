"""A guard that is taken out by the way is missed at the next transition (SPEC 5.5)."""

from __future__ import annotations

import json

from ..conftest import Cli

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
        assert "perdure init restores it" in said["warnings"][0]
    assert "perdure init restores it" in cli("preflight", *FLAGS).out
    installed(cli)
    assert cli.ok("status")["warnings"] == []


def test_hooks_switched_off_and_settings_that_are_no_json_are_said_to_be(cli: Cli) -> None:
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
    assert cli("uninstall", "--yes").code == 0
    assert cli.ok("status")["warnings"] == []


def test_the_projects_scope_is_looked_at_in_its_own_file(cli: Cli) -> None:
    installed(cli, "--scope", "project")
    assert cli.ok("status")["warnings"] == []
    (cli.cwd / ".claude" / "settings.json").write_text("{}")
    assert "settings.json" in cli.ok("status")["warnings"][0]
