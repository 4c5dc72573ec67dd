"""A project goes to another machine with only the backup of its old home, as docs/recovering.md says under "To another
machine" (SPEC 2.3, 3.5, 16.3)."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from perdure.model import payload as p
from tests.conftest import Cli, git, new_repository
from tests.contract.making import draft
from tests.surfaces.test_acting_as_another import Client, program
from tests.surfaces.test_hooks import FLAGS, Hooks
from tests.surfaces.test_importing import forged, text
from tests.surfaces.test_transfer import assert_whole, events_of, home_of, laptop

__all__ = ["laptop", "program"]

DECISION = "whole cents only"
PAGE = Path(__file__).parents[2] / "docs" / "recovering.md"


@pytest.fixture
def worked(cli: Cli) -> Cli:
    """The old machine: a signed head, events after it, and an open transaction."""
    cli.environment["PERDURE_INSTANCE"] = "morning"
    cli.ok("preflight", *FLAGS, "--goal", "the parser")
    cli.ok("decide", DECISION, "--because", "rounding")
    cli.ok("audit", "heads", "--sign")
    cli.ok("note", "finding", "the last word")
    return cli


def new_machine(old: Cli, *kept: str, name: str = "shop2") -> Cli:
    """A machine with a clone, and with these parts of the old home."""
    home = old.cwd.parent / f"{name}-home"
    home.mkdir()
    for each in kept:
        shutil.copytree(home_of(old) / each, home / each)
    git(old.cwd.parent, old.environment, "clone", "-q", str(old.cwd), name)
    environment = {**old.environment, "PERDURE_HOME": str(home), "HOME": str(home / "person")}
    return Cli(old.cwd.parent / name, environment)


def project_of(cli: Cli) -> str:
    found: str = cli.ok("project", "show")["project_id"]
    return found


def backup_of(cli: Cli) -> Path:
    (folder,) = (home_of(cli) / "backups").iterdir()
    return folder


def ids_of(cli: Cli) -> set[str]:
    return {event["id"] for event in events_of(cli)}


def assert_all_is_there(old: Cli, new: Cli) -> None:
    assert ids_of(old) <= ids_of(new)
    assert DECISION in new("recover").out
    assert_whole(new)
    assert new.ok("audit", "verify")["whole"]


parts = pytest.mark.parametrize(
    "kept",
    [("backups",), ("backups", "keys"), ("backups", "keys", "heads")],
    ids=["backups", "backups and keys", "backups, keys and heads"],
)


@parts
def test_init_on_a_new_machine_restores_from_the_backup_of_the_old_home(worked: Cli, kept: tuple[str, ...]) -> None:
    before = len(events_of(worked))
    new = new_machine(worked, *kept)
    made = new.ok("init", "--no-client")
    assert made["restored_events"] == before
    assert made["project_id"] == project_of(worked)
    unproved = [each for each in made["warnings"] if "nothing here proves" in each]
    assert len(unproved) == (0 if "keys" in kept else 1), made
    assert not [each for each in made["warnings"] if each.startswith("lost:")]
    assert_all_is_there(worked, new)
    assert new.ok("init", "--no-client")["changed"] == []
    new.ok("note", "finding", "it goes on")
    assert_whole(new)


def test_the_page_about_another_machine_is_true_word_by_word(worked: Cli) -> None:
    page = PAGE.read_text().partition("## To another machine")[2].partition("\n## ")[0]
    said = re.search(r"If you have only its home: copy `~/.perdure/(\S+)/<project id>/`[^`]+`(perdure [a-z ]+)`", page)
    assert said, page
    new = new_machine(worked)
    shutil.copytree(home_of(worked) / said[1], home_of(new) / said[1])
    new.ok(*said[2].split()[1:], "--no-client")
    assert_all_is_there(worked, new)
    (theirs,) = new.ok("transaction", "list")
    adopted = new.ok("transaction", "adopt", theirs["transaction_id"], PERDURE_INSTANCE="evening")
    assert adopted["transaction_id"] == theirs["transaction_id"], "as the page says of open transactions"
    new.ok("postflight", *FLAGS, PERDURE_INSTANCE="evening")
    assert_whole(new)


def test_a_home_of_which_only_the_backups_are_left_gives_the_record_back_at_the_same_path(worked: Cli) -> None:
    before = ids_of(worked)
    for each in home_of(worked).iterdir():
        if each.name != "backups":
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    shutil.rmtree(worked.cwd / ".perdure")
    made = worked.ok("init", "--no-client")
    assert made["restored_events"] == len(before)
    assert before <= ids_of(worked)
    assert_whole(worked)


def test_a_home_of_which_only_the_backups_are_left_gives_the_record_back_beside_its_ledger(worked: Cli) -> None:
    """The ledger is foreign to that home. What the person's own backup says is restored all the same."""
    before = ids_of(worked)
    for each in home_of(worked).iterdir():
        if each.name != "backups":
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    worked.ok("heal")
    assert before <= ids_of(worked)
    assert_whole(worked)


def test_every_chain_of_the_backup_is_restored_with_the_imported_ones(worked: Cli, laptop: Cli, tmp_path: Path) -> None:
    laptop.ok("export", str(tmp_path / "laptop.jsonl"))
    worked.ok("import", str(tmp_path / "laptop.jsonl"), "--yes")
    before = len(events_of(worked))
    for number, words in enumerate((("init",), ("init", "--restore", project_of(worked)[:8]))):
        new = new_machine(worked, "backups", name=f"new{number}")
        made = new.ok(*words, "--no-client")
        assert (made["restored_events"], made["project_id"]) == (before, project_of(worked))
        assert_all_is_there(worked, new)
        (open_one,) = new.ok("transaction", "list")
        assert open_one["status"] == "open", "the main chain goes on here, not the imported one"


def test_a_backup_that_came_after_init_is_named_with_the_command_that_takes_it_in(worked: Cli) -> None:
    new = new_machine(worked)
    new.ok("init", "--no-client")
    shutil.copytree(backup_of(worked), backup_of(new), dirs_exist_ok=True)
    (told,) = [each for each in new.ok("init", "--no-client")["warnings"] if "perdure import" in each]
    words = shlex.split("import " + told.partition("perdure import ")[2])
    new.ok(*words, "--yes")
    assert_all_is_there(worked, new)
    assert not [each for each in new.ok("init", "--no-client")["warnings"] if "perdure import" in each]


def test_init_restore_after_an_empty_record_was_begun_restores_all_and_says_how_many(worked: Cli) -> None:
    before = len(events_of(worked))
    new = new_machine(worked)
    new.ok("init", "--no-client")
    begun = len(events_of(new))
    shutil.copytree(backup_of(worked), backup_of(new), dirs_exist_ok=True)
    made = new.ok("init", "--restore", project_of(worked)[:8], "--no-client")
    assert made["restored_events"] == before + begun
    assert_all_is_there(worked, new)
    again = new.ok("init", "--restore", project_of(worked)[:8], "--no-client")
    assert (again["restored_events"], again["changed"]) == (0, [])


def test_of_a_backup_that_was_altered_what_verifies_is_restored_and_the_rest_is_said_to_be_lost(worked: Cli) -> None:
    before = len(events_of(worked))
    new = new_machine(worked, "backups")
    (file,) = backup_of(new).glob("*.jsonl")
    file.write_text(file.read_text().replace(DECISION, "whole euros only"))
    made = new.ok("init", "--no-client")
    lost = [each for each in made["warnings"] if each.startswith("lost:")]
    assert lost, made
    assert made["restored_events"] <= before
    assert "whole euros only" not in new("recover").out
    assert_whole(new)


@pytest.mark.parametrize("length", [0, 20], ids=["shorter than the head", "longer than the head"])
def test_a_forged_backup_of_a_chain_that_a_key_of_the_home_signed_is_not_restored(worked: Cli, length: int) -> None:
    new = new_machine(worked, "backups", "keys", "heads")
    note = draft("note.finding", p.Note("forged"))
    (file,) = backup_of(new).glob("*.jsonl")
    (chain,) = {json.loads(line)["ledger_id"] for line in file.read_text().splitlines()}
    file.write_text(text(forged(worked, [note] * length, chain)))
    made = new.ok("init", "--no-client")
    assert made["restored_events"] == 0
    assert file.exists(), "it is kept"
    assert [each for each in made["warnings"] if each.startswith("lost:")]


def test_hooks_and_agents_leave_an_unproved_backup_to_a_person_and_begin_nothing(worked: Cli) -> None:
    (worked.cwd / ".gitignore").write_text("")
    git(worked.cwd, worked.environment, "add", "-f", ".perdure/project.toml")
    git(worked.cwd, worked.environment, "commit", "-q", "-m", "name the project")
    before = len(events_of(worked))
    new = new_machine(worked, "backups")
    hooks = Hooks(new)
    told = hooks.told("SessionStart", source="startup")
    assert DECISION not in told
    command = re.search(r"perdure (init \S+)", told)
    assert command, told
    hooks("UserPromptSubmit", prompt="hello")
    assert not (new.cwd / ".perdure" / "ledger.db").exists()
    assert hooks.bash("touch b") != ""
    assert new("status", "--json").error["code"] == "no_record"
    made = new.of_a_person().ok(*shlex.split(command[1]), "--no-client")
    assert made["restored_events"] == before
    assert DECISION in hooks.told("SessionStart", source="startup")


@pytest.mark.parametrize("command", ["heal", "init --no-client"])
def test_an_agent_restores_no_unproved_backup_and_begins_nothing_in_its_place(
    worked: Cli, program: str, command: str
) -> None:
    before = len(events_of(worked))
    new = new_machine(worked, "backups")
    (new.cwd / ".perdure").mkdir()
    (new.cwd / ".perdure" / "project.toml").write_text((worked.cwd / ".perdure" / "project.toml").read_text())
    agent = Client(new, program=program)
    try:
        code, said = agent.run(f"perdure {command} --json")
    finally:
        agent.leave()
    error = json.loads(said)["error"]
    assert (code, error["code"]) == (1, "unproved_backup")
    assert not (new.cwd / ".perdure" / "ledger.db").exists()
    (words,) = re.findall(r"perdure (init \S+)", error["hint"])
    assert new.ok(*shlex.split(words), "--no-client")["restored_events"] == before
    assert_all_is_there(worked, new)


def another_with_the_id(new: Cli, project_id: str) -> Cli:
    made = new_repository(new.cwd.parent / "stranger", new.environment)
    (made / ".perdure").mkdir()
    (made / ".perdure" / "project.toml").write_text(f'id = "{project_id}"\nname = "shop"\n')
    return Cli(made, {**new.environment, "PERDURE_INSTANCE": "stranger"})


@pytest.mark.parametrize("lives", [False, True], ids=["whose record was not restored yet", "that lives"])
def test_a_repository_that_claims_the_id_of_a_project_gets_nothing_of_its_copied_backup(
    worked: Cli, lives: bool
) -> None:
    new = new_machine(worked, "backups")
    if lives:
        new.ok("init", "--no-client")
    stranger = another_with_the_id(new, project_of(worked))
    assert DECISION not in Hooks(stranger).told("SessionStart", source="startup")
    made = stranger.ok("init", "--no-client")
    assert made["restored_events"] == 0
    assert not [each for each in stranger.ok("init", "--no-client")["warnings"] if "perdure import" in each]
    assert DECISION not in stranger("recover").out
    assert DECISION not in stranger("export").out
    if lives:
        assert_all_is_there(worked, new)


def test_a_chain_that_somebody_put_into_the_backup_of_a_known_project_is_not_restored(worked: Cli) -> None:
    """Whoever can write the home, and does not have its keys, gets no word into a record that the home knows."""
    planted = forged(worked, [], "0bad0bad-0000-4000-8000-000000000001")
    (backup_of(worked) / f"{planted[0].ledger_id}.jsonl").write_text(text(planted))
    before = ids_of(worked)
    subprocess.run(["git", "clean", "-fdxq"], cwd=worked.cwd, check=True, env=worked.environment)
    worked.ok("init", "--no-client")
    assert before <= ids_of(worked)
    assert planted[0].id not in ids_of(worked)
