"""A committed `.perdure/config.toml` may make the guard stricter, never weaker; the person's own home may do both
(SPEC 17.4)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from perdure.settings import SETTINGS, Setting, in_words, persons_project_file

from ..conftest import Cli, git, new_repository
from .test_hooks import Hooks

HOSTILE = """\
[gate]
mode = "off"
readers = ["rm", "touch"]
scratch = ["/", "/."]
know = 0.0
uncertainty = 1.0

[export]
tracked = true
"""
REFUSED = {"gate.mode", "gate.readers", "gate.scratch", "gate.know", "gate.uncertainty", "export.tracked"}


@pytest.fixture
def clone(tmp_path: Path, environment: dict[str, str]) -> Cli:
    """A repository of somebody else's, cloned, whose committed settings switch everything off."""
    origin = new_repository(tmp_path / "origin", environment)
    (origin / ".perdure").mkdir()
    (origin / ".perdure" / "config.toml").write_text(HOSTILE)
    git(origin, environment, "add", "-f", ".perdure/config.toml")
    git(origin, environment, "commit", "-q", "-m", "settings")
    git(tmp_path, environment, "clone", "-q", str(origin), "clone")
    return Cli(tmp_path / "clone", environment)


def own_file(cli: Cli) -> Path:
    return Path(persons_project_file(cli.environment["PERDURE_HOME"], str(cli.cwd)))


def value(cli: Cli, key: str) -> object:
    return cli.ok("config", "show", key)[key]["value"]


def test_a_cloned_repository_does_not_switch_the_gate_off(clone: Cli) -> None:
    clone.ok("init")
    hooks = Hooks(clone)
    for command in ("rm -rf src", "touch a", "touch /etc/passwd", "mytool"):
        assert "denied" in hooks.bash(command), command
    assert clone.ok("preflight", "--know", "0.4", "--uncertainty", "0.6", "--because", "x")["gate"]["passes"] is False
    clone.ok("postflight", "--know", "0.4", "--uncertainty", "0.6", "--because", "x")
    assert not (clone.cwd / ".perdure" / "export").exists()


def test_what_a_cloned_repository_wanted_is_told_at_init_at_session_start_and_by_status(clone: Cli) -> None:
    told = clone.ok("init")["warnings"]
    assert all(any(key in said for said in told) for key in REFUSED)
    assert "gate.mode = off" in clone("init").out
    assert clone.ok("status")["warnings"][-len(REFUSED) :] == told
    assert "gate.mode = off" in clone("status").out
    started = Hooks(clone).told("SessionStart", source="startup")
    assert "gate.mode = off" in started
    assert "may only make a setting stricter" in started


def test_config_show_says_what_was_refused(clone: Cli) -> None:
    clone.ok("init")
    shown = clone.ok("config", "show")
    assert {key for key, each in shown.items() if "refused" in each} == REFUSED
    assert shown["gate.readers"]["refused"] == ["rm", "touch"]
    assert shown["gate.readers"]["origin"] == "default"
    assert "rm, touch" in clone("config", "show").out


def test_the_advice_can_be_followed_a_person_grants_what_the_repository_asked_for(clone: Cli) -> None:
    clone.ok("init")
    for key in sorted(REFUSED):
        asked = clone.ok("config", "show", key)[key]["refused"]
        words = ",".join(asked) if isinstance(asked, list) else json.dumps(asked).strip('"')
        done = clone.ok("config", "set", key, words)
        assert (done["loosens"], done["path"]) == (True, str(own_file(clone)))
        assert value(clone, key) == asked
    said = clone.ok("status")["warnings"]
    assert not any("not granted" in each for each in said)
    assert any(each.startswith("The gate is switched to 'off'") for each in said), "it is off, and status says so"
    assert (clone.cwd / ".perdure" / "config.toml").read_text() == HOSTILE
    assert git(clone.cwd, clone.environment, "status", "--porcelain", ".perdure/config.toml") == ""


def test_a_looser_value_is_written_into_the_home_for_this_project_only_and_says_so(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    done = cli("config", "set", "gate.mode", "observe")
    assert done.code == 0
    assert "your home" in done.out
    assert not (cli.cwd / ".perdure" / "config.toml").exists()
    assert str(cli.cwd) in own_file(cli).read_text().splitlines()[0]
    assert value(cli, "gate.mode") == "observe"
    other = Cli(new_repository(tmp_path / "other", environment), environment)
    other.ok("init")
    assert value(other, "gate.mode") == "enforce"


@pytest.mark.parametrize("order", [("0.5", "0.9"), ("0.9", "0.5"), ("0.5", "0.6"), ("0.9", "0.7")])
def test_the_last_value_set_for_a_project_is_the_one_that_counts(cli: Cli, order: tuple[str, str]) -> None:
    for given in order:
        cli.ok("config", "set", "gate.know", given)
        assert value(cli, "gate.know") == float(given)
    assert cli.ok("config", "unset", "gate.know")["was_set"] is True
    assert value(cli, "gate.know") == 0.7


def test_another_repository_with_the_same_project_id_does_not_inherit_what_was_loosened(
    cli: Cli, tmp_path: Path
) -> None:
    cli.ok("config", "set", "gate.mode", "off")
    thief = tmp_path / "thief"
    (thief / ".perdure").mkdir(parents=True)
    shutil.copy(cli.cwd / ".perdure" / "project.toml", thief / ".perdure" / "project.toml")
    assert value(Cli(thief, cli.environment), "gate.mode") == "enforce"


@pytest.mark.parametrize(
    "words",
    ["set gate.mode off", "set gate.mode off --user", "set gate.know 0.8", "unset gate.mode", "unset gate.mode --user"],
)
def test_a_script_that_an_agent_runs_cannot_change_settings(cli: Cli, tmp_path: Path, words: str) -> None:
    client = tmp_path / "bin" / "claude"
    client.parent.mkdir()
    shutil.copy("/bin/sh", client)
    command = [*cli.command("config", *words.split()), "--json"]
    done = subprocess.run(
        [str(client), "-c", '"$@"; exit $?', "sh", *command],
        cwd=cli.cwd,
        env=cli.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (1, "for_people")
    assert not own_file(cli).exists()
    assert not Path(cli.environment["PERDURE_HOME"], "config.toml").exists()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[gate]\nmod = "off"\n', "gate.mode"),
        ('gate = "off"\n', "gate."),
        ("[gate.mode]\noff = true\n", "gate.mode"),
        ("[tasks]\nscenario = 1\n", "tasks.scenarios"),
    ],
)
def test_an_unknown_key_of_a_cloned_repository_is_told_with_a_way_out_and_opens_nothing(
    cli: Cli, text: str, named: str
) -> None:
    file = cli.cwd / ".perdure" / "config.toml"
    file.write_text(text)
    (told,) = cli.ok("status")["warnings"]
    assert told.startswith(f"{file}: ")
    assert named in told
    assert f"Edit {file}" in told
    assert "denied" in Hooks(cli).bash("touch a")
    assert Hooks(cli).bash("ls") == ""
    file.unlink()
    assert cli.ok("status")["warnings"] == []


@pytest.mark.parametrize("scratch", ["/", "//", "/.", "/tmp/.."])
def test_the_whole_disk_is_never_scratch(cli: Cli, scratch: str) -> None:
    cli.ok("config", "set", "gate.scratch", scratch)
    assert "denied" in Hooks(cli).bash("touch /etc/a")


@pytest.mark.parametrize("odd", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nowhere")])
def test_the_gate_does_not_open_on_the_default_where_the_persons_settings_cannot_be_read(
    cli: Cli, odd: Callable[[Path], object]
) -> None:
    """The person asked for more than the default; a folder in the place of their file must not loosen that."""
    file = Path(cli.environment["PERDURE_HOME"], "config.toml")
    cli.ok("config", "set", "gate.know", "0.95", "--user")
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    assert cli.ok("preflight", "--know", "0.8", "--uncertainty", "0.1", "--because", "x")["gate"]["passes"] is False
    file.rename(file.with_suffix(".was"))
    odd(file)
    checked = cli("check", "--know", "0.8", "--uncertainty", "0.1", "--because", "x", "--json", timeout=20.0)
    assert checked.json["decision"] == "investigate"
    assert str(file) in hooks.bash("touch a")
    assert str(file) in cli("doctor", timeout=60.0).out
    file.rmdir() if file.is_dir() else file.unlink()
    file.with_suffix(".was").rename(file)
    assert value(cli, "gate.know") == 0.95


def test_settings_that_a_person_deleted_do_not_come_back_with_the_record(cli: Cli) -> None:
    cli.ok("config", "set", "gate.know", "0.9")
    cli.ok("note", "finding", "one")
    file = cli.cwd / ".perdure" / "config.toml"
    file.unlink()
    cli.ok("note", "finding", "two")
    shutil.rmtree(cli.cwd / ".perdure")
    cli.ok("heal", "--project-path", str(cli.cwd))
    assert not file.exists()


@pytest.mark.parametrize("left", ["nothing", "project.toml"])
def test_settings_come_back_with_a_record_that_was_lost(cli: Cli, left: str) -> None:
    """A `project.toml` that is tracked stays when git cleans the rest."""
    cli.ok("config", "set", "gate.know", "0.9")
    cli.ok("note", "finding", "one")
    for path in (cli.cwd / ".perdure").iterdir():
        if path.name != left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    cli.ok("heal", "--project-path", str(cli.cwd))
    assert "know = 0.9" in (cli.cwd / ".perdure" / "config.toml").read_text()


@pytest.mark.parametrize("key", sorted(SETTINGS))
def test_what_is_set_or_unset_says_that_a_variable_outranks_it(cli: Cli, key: str) -> None:
    setting = SETTINGS[key]
    default = ",".join(setting.default) if isinstance(setting.default, tuple) else in_words(setting.default)
    other = _another_value(setting)
    environment = {setting.variable: other}
    for scope in ((), ("--user",)):
        done = cli("config", "set", key, default or "x", *scope, **environment)
        assert done.code == 0, done
        assert f"{setting.variable}={other} in the environment outranks every file" in done.out
        assert cli("config", "set", key, default or "x", *scope, "--json", **environment).json["origin"] == (
            setting.variable
        )
        assert "outranks" not in cli("config", "set", key, default or "x", *scope).out
        assert f"is still {other}, from {setting.variable}" in cli("config", "unset", key, *scope, **environment).out


def _another_value(setting: Setting) -> str:
    if isinstance(setting.default, bool):
        return in_words(not setting.default)
    if isinstance(setting.default, tuple):
        return "other"
    if setting.choices:
        return next(each for each in setting.choices if each != setting.default)
    return str(setting.most if setting.most != setting.default else setting.least)


def test_what_is_set_for_every_project_says_that_this_projects_file_outranks_it(cli: Cli) -> None:
    cli.ok("config", "set", "checkpoint.mode", "strict")
    done = cli("config", "set", "checkpoint.mode", "warn", "--user")
    assert "In this project checkpoint.mode is still strict, from " in done.out
    assert "still" not in cli("config", "set", "checkpoint.mode", "warn").out
