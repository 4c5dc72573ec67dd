"""A clone brings `project.toml`, which is meant to be committed, and no record (SPEC 3.5): the first session begins an
empty one, and whoever comes before it is told `perdure init`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Cli, git, new_repository
from tests.surfaces.test_hooks import FLAGS, Hooks, events

TEAM = "5c5b1a7e-0000-4000-8000-000000000001"
BEGUN = "an empty record was begun"


def committed(folder: Path, environment: dict[str, str], project_id: str = TEAM) -> Path:
    """A repository that a colleague made a project, with the file that names it in git."""
    made = new_repository(folder, environment)
    (made / ".perdure").mkdir()
    (made / ".perdure" / "project.toml").write_text(f'id = "{project_id}"\nname = "team"\n')
    git(made, environment, "add", "-f", ".perdure")
    git(made, environment, "commit", "-q", "-m", "name the project")
    return made


def cloned(source: Path, to: Path, environment: dict[str, str]) -> Cli:
    subprocess.run(["git", "clone", "-q", str(source), str(to)], check=True, capture_output=True, env=environment)
    return Cli(to, environment)


@pytest.fixture
def clone(tmp_path: Path, environment: dict[str, str]) -> Cli:
    return cloned(committed(tmp_path / "source", environment), tmp_path / "team", environment)


def test_the_first_session_in_a_clone_begins_an_empty_record_and_keeps_the_first_prompt(clone: Cli) -> None:
    hooks = Hooks(clone)
    told = hooks.told("SessionStart", source="startup")
    assert told.count(BEGUN) == 1
    assert "gone" not in told
    assert "not recorded" not in told
    assert BEGUN not in hooks.told("UserPromptSubmit", prompt="Build X. Never touch Y.")
    assert BEGUN not in hooks.told("SessionStart", source="compact"), "it is said once"
    assert "Build X. Never touch Y." in clone("recover").out
    assert clone.ok("project", "show")["project_id"] == TEAM
    assert [each["payload"]["path"] for each in events(clone, "project.created")] == [str(clone.cwd)]
    assert clone.ok("heal", "--check")["whole"]
    assert clone.ok("audit", "verify")["whole"]
    clone.ok("preflight", *FLAGS)
    assert hooks.bash("touch b") == ""


def test_a_prompt_in_a_clone_is_kept_although_no_session_start_came_before_it(clone: Cli) -> None:
    assert BEGUN in Hooks(clone).told("UserPromptSubmit", prompt="Build X. Never touch Y.")
    assert "Build X. Never touch Y." in clone("recover").out


def test_a_failed_tool_call_in_a_clone_is_recorded(clone: Cli) -> None:
    hooks = Hooks(clone)
    hooks("SessionStart", source="startup")
    done = hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, error="Exit code 2")
    assert (done.code, done.err) == (0, "")
    assert [each["payload"]["command"] for each in events(clone, "command.run")] == ["make"]


@pytest.mark.parametrize(
    "command", [("status",), ("recover",), ("note", "finding", "x"), ("preflight", *FLAGS), ("goal", "list")]
)
def test_every_command_in_a_clone_without_a_record_names_perdure_init_and_that_works(
    clone: Cli, command: tuple[str, ...]
) -> None:
    refused = clone(*command, "--json")
    assert (refused.code, refused.error["code"]) == (1, "no_record")
    assert refused.error["hint"].startswith("perdure init begins one")
    assert not (clone.cwd / ".perdure" / "ledger.db").exists()
    clone.ok("init", "--no-client")
    clone.ok(*command)


def test_the_remedy_of_a_denial_in_a_clone_leads_to_a_pass(clone: Cli) -> None:
    """An agent that works elsewhere and changes a file in the clone."""
    hooks = Hooks(clone)
    assert "perdure preflight" in hooks.bash("touch b")
    away = clone.cwd.parent
    refused = clone("preflight", *FLAGS, "--project-path", str(clone.cwd), "--json", cwd=away)
    assert refused.error["hint"].startswith(f"perdure init {clone.cwd} begins one")
    remedy = f"perdure heal --project-path {clone.cwd}"
    assert remedy in refused.error["hint"]
    assert hooks.bash(f"perdure init {clone.cwd}"), "it may install"
    assert hooks.bash(remedy) == ""
    clone.ok(*remedy.split()[1:], cwd=away)
    clone.ok("preflight", *FLAGS, "--project-path", str(clone.cwd))
    assert hooks.bash("touch b") == ""


def test_a_clone_installs_nothing_and_its_settings_loosen_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    source = committed(tmp_path / "source", environment)
    (source / ".perdure" / "config.toml").write_text('[gate]\nmode = "off"\n')
    git(source, environment, "add", "-f", ".perdure")
    git(source, environment, "commit", "-q", "-m", "loosen")
    clone = cloned(source, tmp_path / "team", environment)
    hooks = Hooks(clone)
    hooks("SessionStart", source="startup")
    assert not (clone.cwd / ".claude").exists()
    assert not list((tmp_path / "person").rglob("settings*.json"))
    assert "You have no open transaction" in hooks.bash("touch b")
    assert git(clone.cwd, environment, "status", "--porcelain") == ""


def test_a_clone_brings_nothing_of_a_tracked_export_of_another_home(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    theirs = {**environment, "PERDURE_HOME": str(tmp_path / "their home")}
    source = Cli(new_repository(tmp_path / "source", theirs), theirs)
    source.ok("init", "--no-client")
    source.ok("decide", "their secret", "--because", "x")
    source.ok("export", "--tracked")
    git(source.cwd, theirs, "add", "-f", ".perdure/export", ".perdure/project.toml")
    git(source.cwd, theirs, "commit", "-q", "-m", "export")
    clone = cloned(source.cwd, tmp_path / "team", environment)
    told = Hooks(clone).told("SessionStart", source="startup")
    assert BEGUN in told
    assert "perdure import" in told, "a person may take it in"
    assert "their secret" not in told
    assert "their secret" not in clone("recover").out


# -- ids of other projects ---------------------------------------------------------------------------------------------


@pytest.fixture
def worked(cli: Cli) -> Cli:
    cli.environment["PERDURE_INSTANCE"] = "morning"
    cli.ok("decide", "we sell the shop in spring", "--because", "the lease ends")
    return cli


def test_an_unrelated_clone_that_claims_the_id_of_a_living_project_is_left_to_a_person(
    worked: Cli, tmp_path: Path
) -> None:
    project_id = worked.ok("project", "show")["project_id"]
    source = committed(tmp_path / "source", worked.environment, project_id)
    evil = cloned(source, tmp_path / "evil", {**worked.environment, "PERDURE_INSTANCE": "evening"})
    told = Hooks(evil).told("SessionStart", source="startup")
    assert "another repository" in told
    assert "perdure init" in told
    assert "--restore" not in told, "that record is in use"
    assert not (evil.cwd / ".perdure" / "ledger.db").exists()
    evil.ok("init", "--no-client")
    assert "sell the shop" not in evil("recover").out


def test_a_second_clone_of_ones_own_project_begins_a_record_of_its_own(worked: Cli, tmp_path: Path) -> None:
    git(worked.cwd, worked.environment, "add", "-f", ".perdure/project.toml")
    git(worked.cwd, worked.environment, "commit", "-q", "-m", "name the project")
    second = cloned(worked.cwd, tmp_path / "second", {**worked.environment, "PERDURE_INSTANCE": "evening"})
    assert BEGUN in Hooks(second).told("SessionStart", source="startup")
    assert "sell the shop" not in second("recover").out
    assert "sell the shop" in worked("recover").out
    for each in (worked, second):
        assert each.ok("audit", "verify")["whole"]


def test_a_clone_elsewhere_of_a_project_that_is_gone_gets_its_record_back_at_a_session_start(
    worked: Cli, tmp_path: Path
) -> None:
    git(worked.cwd, worked.environment, "add", "-f", ".perdure/project.toml")
    git(worked.cwd, worked.environment, "commit", "-q", "-m", "name the project")
    clone = cloned(worked.cwd, tmp_path / "again", worked.environment)
    shutil.rmtree(worked.cwd)
    told = Hooks(clone).told("SessionStart", source="startup")
    assert "brought back from its backup" in told
    assert "sell the shop" in told
    assert events(clone, "ledger.healed")
    assert clone.ok("audit", "verify")["whole"]


def test_a_ledger_that_is_gone_without_a_backup_is_begun_anew_and_the_loss_is_said(worked: Cli) -> None:
    home = Path(worked.environment["PERDURE_HOME"])
    for path in [*(home / "backups").rglob("*.jsonl"), *(worked.cwd / ".perdure").glob("ledger.db*")]:
        path.unlink()
    told = Hooks(worked).told("SessionStart", source="startup")
    assert BEGUN in told
    assert "Lost: the ledger" in told
    healed = [json.loads(line) for line in worked("export").out.splitlines()]
    assert any(each["kind"] == "ledger.healed" and each["payload"]["lost"] for each in healed)
    assert worked.ok("heal")["whole"]
