"""The record of a project is brought back into its own repository, and into no other (SPEC 3.5, 16.3): not into
one that stands at its old path, nor into one that claims its id."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli, git, new_repository
from tests.surfaces.test_hooks import FLAGS, Hooks

SECRET = "we sell the shop in spring"


@pytest.fixture
def worked(cli: Cli) -> Cli:
    """A project with a decision and an open transaction, by an instance that has a name: this process is bound to
    nothing, as a terminal of tomorrow would be."""
    cli.environment["PERDURE_INSTANCE"] = "morning"
    cli.ok("preflight", *FLAGS, "--goal", SECRET)
    cli.ok("decide", SECRET, "--because", "the lease ends")
    return cli


def another_repository(worked: Cli) -> None:
    """As a person does who begins anew. It has no commit of the first one: git gives equal commits of one second equal
    hashes, so they must differ."""
    worked.cwd.rename(worked.cwd.parent / "shop-old")
    worked.cwd.mkdir()
    another_in_place(worked)


def deleted_and_begun_anew(worked: Cli) -> None:
    shutil.rmtree(worked.cwd)
    worked.cwd.mkdir()
    another_in_place(worked)


def another_in_place(worked: Cli) -> None:
    git(worked.cwd, worked.environment, "init", "-q")
    (worked.cwd / "other.txt").write_text("other\n")
    git(worked.cwd, worked.environment, "add", ".")
    git(worked.cwd, worked.environment, "commit", "-q", "-m", "another first one")


def without_a_commit(worked: Cli) -> None:
    worked.cwd.rename(worked.cwd.parent / "shop-old")
    worked.cwd.mkdir()
    git(worked.cwd, worked.environment, "init", "-q")


def without_git(worked: Cli) -> None:
    worked.cwd.rename(worked.cwd.parent / "shop-old")
    worked.cwd.mkdir()
    (worked.cwd / "notes.txt").write_text("x\n")


def that_ships_the_id(worked: Cli) -> None:
    toml = (worked.cwd / ".perdure" / "project.toml").read_text()
    another_repository(worked)
    (worked.cwd / ".perdure").mkdir()
    (worked.cwd / ".perdure" / "project.toml").write_text(toml)


every_other = pytest.mark.parametrize(
    "other", [another_repository, deleted_and_begun_anew, without_a_commit, without_git, that_ships_the_id]
)


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@every_other
def test_init_in_another_repository_at_the_old_path_makes_a_new_project(
    worked: Cli, other: Callable[[Cli], None]
) -> None:
    before = worked.ok("project", "show")["project_id"]
    other(worked)
    made = worked.ok("init", "--no-client")
    assert made["restored_events"] == 0
    assert SECRET.encode() not in everything_in(worked.cwd)
    assert worked("transaction", "status", "--json").json["transaction_id"] is None
    assert SECRET not in worked("recover").out
    assert made["project_id"] != before
    assert before not in (worked.cwd / ".perdure" / "project.toml").read_text()
    (told,) = [each for each in made["warnings"] if "another repository" in each]
    way_back = f"perdure init --restore {before[:8]}"
    assert way_back in told
    assert worked.ok("heal", "--check")["whole"]
    assert [each for each in worked.ok("init", "--no-client")["warnings"] if "another repository" in each] == []


@every_other
def test_a_person_brings_the_record_back_by_the_command_that_was_named(
    worked: Cli, other: Callable[[Cli], None]
) -> None:
    before = worked.ok("project", "show")["project_id"]
    other(worked)
    (told,) = [each for each in worked.ok("init", "--no-client")["warnings"] if "another repository" in each]
    shutil.rmtree(worked.cwd.parent / "shop-old", ignore_errors=True)
    words = told.rpartition("perdure ")[2].split()
    back = worked.ok(*words, "--no-client")
    assert back["restored_events"] > 0
    assert back["project_id"] == before
    (replaced,) = [each for each in back["warnings"] if "was replaced" in each]
    assert Path(replaced.rpartition(" ")[2]).is_file(), "the ledger that the other repository began is kept"
    assert SECRET in worked("recover").out
    assert worked.ok("heal")["whole"]
    assert worked.ok("audit", "verify")["whole"]
    again = worked.ok(*words, "--no-client")
    assert (again["restored_events"], again["changed"]) == (0, [])


@every_other
def test_hooks_bring_nothing_into_another_repository_at_the_old_path(worked: Cli, other: Callable[[Cli], None]) -> None:
    before = worked.ok("project", "show")["project_id"]
    other(worked)
    hooks = Hooks(worked)
    told = hooks.told("SessionStart", source="startup")
    assert SECRET not in told
    assert f"perdure init --restore {before[:8]}" in told
    said = hooks("UserPromptSubmit", prompt="hello").out
    assert SECRET not in said
    assert not (worked.cwd / ".perdure" / "ledger.db").exists()
    if other is not that_ships_the_id:
        assert not (worked.cwd / ".perdure").exists()
        refused = worked("heal", "--json")
        assert (refused.code, worked("heal", "--check", "--json").code) == (1, 1)
        assert not (worked.cwd / ".perdure").exists()
    if other not in (that_ships_the_id, without_git):
        assert "The record of" in hooks.bash("touch b"), "until a person has said what this repository is"
        assert refused.error["code"] == "another_repository"
        assert "perdure init." in refused.error["hint"]
    worked.ok("init", "--no-client")
    assert "You have no open transaction" in hooks.bash("touch b")


@pytest.mark.parametrize("with_ledger", [False, True])
def test_heal_of_a_repository_that_ships_the_id_writes_nothing_and_names_the_init_that_works(
    worked: Cli, tmp_path: Path, with_ledger: bool
) -> None:
    before = worked.ok("project", "show")["project_id"]
    that_ships_the_id(worked)
    if with_ledger:
        ship_a_ledger(worked, tmp_path)
    shipped = everything_in(worked.cwd)
    for command in ("heal", "note finding x", "status"):
        refused = worked(*command.split(), "--json").error
        assert refused["code"] == "another_repository"
        assert "perdure init." in refused["hint"]
        assert f"perdure init --restore {before[:8]}" in refused["hint"]
    assert with_ledger or everything_in(worked.cwd) == shipped
    assert list((worked.cwd / ".perdure").glob("*.foreign-*")) == []
    made = worked.ok("init", "--no-client")
    assert made["project_id"] != before
    assert SECRET.encode() not in everything_in(worked.cwd)
    assert worked.ok("audit", "verify")["whole"]


def ship_a_ledger(worked: Cli, tmp_path: Path) -> None:
    """One that another home wrote, under the same id."""
    theirs = Cli(tmp_path / "theirs", {**worked.environment, "PERDURE_HOME": str(tmp_path / "their home")})
    shutil.copytree(worked.cwd, theirs.cwd)
    theirs.ok("init", "--no-client")
    shutil.copy(theirs.cwd / ".perdure" / "ledger.db", worked.cwd / ".perdure" / "ledger.db")


@pytest.mark.parametrize("with_ledger", [False, True])
@pytest.mark.parametrize("original", ["moved", "deleted", "in its place"])
def test_a_repository_that_claims_the_id_gets_an_id_of_its_own_and_writes_to_no_backup_of_the_other(
    worked: Cli, tmp_path: Path, original: str, with_ledger: bool
) -> None:
    before = worked.ok("project", "show")["project_id"]
    kept = tmp_path / "home" / "backups" / before
    toml = (worked.cwd / ".perdure" / "project.toml").read_text()
    if original == "moved":
        worked.cwd.rename(tmp_path / "elsewhere")
    elif original == "deleted":
        shutil.rmtree(worked.cwd)
    evil = Cli(new_repository(tmp_path / "evil", worked.environment), worked.environment)
    (evil.cwd / ".perdure").mkdir()
    (evil.cwd / ".perdure" / "project.toml").write_text(toml)
    if with_ledger:
        ship_a_ledger(evil, tmp_path)
    saved = everything_in(kept)
    evil.environment = {**evil.environment, "PERDURE_INSTANCE": "evening"}
    made = evil.ok("init", "--no-client")
    assert made["project_id"] != before
    assert any(before[:8] in each and "an id of its own" in each for each in made["warnings"])
    evil.ok("note", "finding", "in the other repository")
    assert everything_in(kept) == saved
    assert evil.ok("audit", "verify")["whole"]
    assert evil.ok("init", "--no-client")["changed"] == []
    if original == "in its place":
        assert SECRET in worked("recover").out
        assert worked.ok("audit", "verify")["whole"]


def test_a_pull_that_puts_the_claimed_id_back_is_refused_with_the_id_that_is_right(worked: Cli, tmp_path: Path) -> None:
    toml = (worked.cwd / ".perdure" / "project.toml").read_text()
    evil = Cli(new_repository(tmp_path / "evil", worked.environment), worked.environment)
    (evil.cwd / ".perdure").mkdir()
    (evil.cwd / ".perdure" / "project.toml").write_text(toml)
    evil.environment = {**evil.environment, "PERDURE_INSTANCE": "evening"}
    own = evil.ok("init", "--no-client")["project_id"]
    (evil.cwd / ".perdure" / "project.toml").write_text(toml)
    refused = evil("note", "finding", "x", "--json").error
    assert refused["code"] == "another_project_id"
    assert f'Put back id = "{own}"' in refused["hint"]


@pytest.mark.parametrize("original", ["moved", "deleted", "in its place"])
def test_an_unrelated_repository_that_claims_the_id_gets_nothing_of_the_record(
    worked: Cli, tmp_path: Path, original: str
) -> None:
    toml = (worked.cwd / ".perdure" / "project.toml").read_text()
    if original == "moved":
        worked.cwd.rename(tmp_path / "elsewhere")
    elif original == "deleted":
        shutil.rmtree(worked.cwd)
    evil = new_repository(tmp_path / "evil", worked.environment)
    (evil / ".perdure").mkdir()
    (evil / ".perdure" / "project.toml").write_text(toml)
    here = Cli(evil, {**worked.environment, "PERDURE_INSTANCE": "evening"})
    assert here.ok("init", "--no-client")["restored_events"] == 0
    assert SECRET.encode() not in everything_in(evil)
    assert SECRET not in here("recover").out


def test_an_agent_does_not_decide_that_it_is_the_same_repository(worked: Cli) -> None:
    before = worked.ok("project", "show")["project_id"]
    another_repository(worked)
    worked.ok("init", "--no-client")
    del worked.environment["PERDURE_INSTANCE"]
    hooks = Hooks(worked)
    hooks("SessionStart", source="startup")
    assert "only a person may" in hooks.bash(f"perdure init --restore {before[:8]}")
    refused = worked("init", "--restore", before[:8], "--json")
    assert refused.error["code"] == "for_people"


def test_a_record_that_is_in_use_elsewhere_is_not_restored_twice(worked: Cli, tmp_path: Path) -> None:
    before = worked.ok("project", "show")["project_id"]
    other = Cli(new_repository(tmp_path / "other", worked.environment), worked.environment)
    refused = other("init", "--restore", before[:8], "--no-client", "--json")
    assert refused.error["code"] == "project_is_there"
    assert str(worked.cwd) in refused.error["message"]
    assert other("init", "--restore", "deadbeef", "--no-client", "--json").error["code"] == "no_such_project"


# -- the same repository -------------------------------------------------------------------------------------------


def cleaned(worked: Cli) -> None:
    git(worked.cwd, worked.environment, "clean", "-fdxq")


def cloned_again(worked: Cli) -> None:
    keep = worked.cwd.parent / "remote.git"
    subprocess.run(["git", "clone", "-q", "--bare", str(worked.cwd), str(keep)], check=True, capture_output=True)
    shutil.rmtree(worked.cwd)
    subprocess.run(["git", "clone", "-q", str(keep), str(worked.cwd)], check=True, capture_output=True)


def cloned_again_shallow(worked: Cli) -> None:
    keep = worked.cwd.parent / "remote.git"
    subprocess.run(["git", "clone", "-q", "--bare", str(worked.cwd), str(keep)], check=True, capture_output=True)
    shutil.rmtree(worked.cwd)
    url = f"file://{keep}"
    subprocess.run(["git", "clone", "-q", "--depth", "1", url, str(worked.cwd)], check=True, capture_output=True)


def rewritten_in_place(worked: Cli) -> None:
    git(worked.cwd, worked.environment, "commit", "-q", "--amend", "-m", "rewritten")
    git(worked.cwd, worked.environment, "reflog", "expire", "--expire=now", "--all")
    git(worked.cwd, worked.environment, "gc", "-q", "--prune=now")
    cleaned(worked)


def on_an_orphan_branch(worked: Cli) -> None:
    git(worked.cwd, worked.environment, "checkout", "-q", "--orphan", "pages")
    git(worked.cwd, worked.environment, "commit", "-q", "-m", "pages")
    cleaned(worked)


@pytest.mark.parametrize(
    "happened", [cleaned, cloned_again, cloned_again_shallow, rewritten_in_place, on_an_orphan_branch]
)
@pytest.mark.parametrize("by", ["init", "heal", "a client's start"])
def test_the_same_repository_gets_its_record_back(worked: Cli, happened: Callable[[Cli], None], by: str) -> None:
    before = worked.ok("project", "show")["project_id"]
    happened(worked)
    if by == "init":
        assert worked.ok("init", "--no-client")["restored_events"] > 0
    elif by == "heal":
        assert worked.ok("heal")["whole"]
    else:
        assert SECRET in Hooks(worked).told("SessionStart", source="startup")
    assert worked.ok("project", "show")["project_id"] == before
    assert SECRET in worked("recover").out


@pytest.mark.parametrize("kind", ["plain folder", "no commit yet", "shallow clone", "first commit made later"])
def test_a_project_without_a_first_commit_gets_its_record_back_in_the_same_folder(
    environment: dict[str, str], repository: Path, tmp_path: Path, kind: str
) -> None:
    root = tmp_path / "other"
    if kind == "shallow clone":
        new = (root, "--depth", "1")
        (repository / "b").write_text("b")
        git(repository, environment, "add", ".")
        git(repository, environment, "commit", "-q", "-m", "b")
        subprocess.run(["git", "clone", "-q", *new[1:], f"file://{repository}", str(root)], check=True)
    else:
        root.mkdir()
        (root / "a.txt").write_text("a\n")
    if kind in ("no commit yet", "first commit made later"):
        git(root, environment, "init", "-q")
    here = Cli(root, environment)
    here.ok("init", "--no-client")
    here.ok("decide", SECRET, "--because", "the lease ends")
    if kind == "first commit made later":
        git(root, environment, "add", ".")
        git(root, environment, "commit", "-q", "-m", "first")
    shutil.rmtree(root / ".perdure")
    assert here.ok("init", "--no-client")["restored_events"] > 0
    assert SECRET in here("recover").out


def test_a_linked_work_tree_finds_the_record_of_its_repository_again(worked: Cli, tmp_path: Path) -> None:
    git(worked.cwd, worked.environment, "worktree", "add", "-q", str(tmp_path / "linked"))
    shutil.rmtree(worked.cwd / ".perdure")
    assert worked.ok("init", "--no-client", cwd=tmp_path / "linked")["restored_events"] > 0
    assert (worked.cwd / ".perdure" / "ledger.db").exists()


def test_a_clone_elsewhere_of_a_repository_that_is_gone_gets_its_record_back(worked: Cli, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", str(worked.cwd), str(tmp_path / "b")], check=True, capture_output=True)
    shutil.rmtree(worked.cwd)
    assert Cli(tmp_path / "b", worked.environment).ok("init", "--no-client")["restored_events"] > 0


def test_a_commit_made_after_init_is_known_once_a_session_began(environment: dict[str, str], tmp_path: Path) -> None:
    root = tmp_path / "young"
    root.mkdir()
    git(root, environment, "init", "-q")
    here = Cli(root, environment)
    here.ok("init", "--no-client")
    (root / "a.txt").write_text("a\n")
    git(root, environment, "add", ".")
    git(root, environment, "commit", "-q", "-m", "first")
    Hooks(here)("SessionStart", source="startup")
    here.ok("decide", SECRET, "--because", "the lease ends")
    Hooks(here)("SessionEnd", reason="exit")
    cloned_again(here)
    assert here.ok("init", "--no-client")["restored_events"] > 0
    kept = next((tmp_path / "home" / "backups").rglob("repository-*.json"))
    assert json.loads(kept.read_text())["commits"]


@pytest.mark.parametrize("words", ["status", "where", "preflight", "postflight", "doctor", "note finding x"])
@pytest.mark.parametrize("from_elsewhere", [False, True])
def test_no_command_advises_a_heal_that_would_be_refused(
    worked: Cli, tmp_path: Path, words: str, from_elsewhere: bool
) -> None:
    deleted_and_begun_anew(worked)
    refused = worked("heal", "--json").error
    assert refused["code"] == "another_repository"
    command, *more = words.split()
    more += FLAGS if "flight" in command else []
    more += ["--no-client"] if command == "doctor" else []
    flags = ["--project-path", str(worked.cwd)] if from_elsewhere else []
    said = worked(command, *more, *flags, cwd=tmp_path if from_elsewhere else worked.cwd)
    told = said.out + said.err
    assert "perdure init --restore" in told, told
    assert "from its backup" not in told
    worked.ok("init", "--restore", refused["hint"].split()[-1])
    assert "perdure init" not in worked("status").out


def test_a_repository_that_ships_another_projects_id_gets_one_answer_from_everybody(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    """The other project is at work in its own folder: only a person begins a record under its id."""
    clone = Cli(new_repository(tmp_path / "clone", environment), environment)
    (clone.cwd / "their.txt").write_text("x\n")
    git(clone.cwd, environment, "add", ".")
    git(clone.cwd, environment, "commit", "-q", "--amend", "-m", "theirs")
    (clone.cwd / ".perdure").mkdir()
    shutil.copy(cli.cwd / ".perdure" / "project.toml", clone.cwd / ".perdure" / "project.toml")
    before = everything_in(clone.cwd / ".perdure")
    told = Hooks(clone).told("SessionStart", source="startup")
    Hooks(cli)("SessionStart", source="startup")  # an agent of this client now asks
    there = ("--project-path", str(clone.cwd), "--json")
    for each in [cli(*words, *there).error for words in (("heal",), ("preflight", *FLAGS), ("status",))]:
        assert each["code"] == "another_repository"
        assert each["hint"] in told
    assert everything_in(clone.cwd / ".perdure") == before
    clone.ok("init", "--no-client")
    assert cli.ok("preflight", *FLAGS, *there[:2])["project_path"] == str(clone.cwd)


def test_a_named_folder_that_never_was_a_project_is_told_as_that_by_everybody(cli: Cli, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    named = {"PERDURE_PROJECT": str(nowhere)}
    hooks = Hooks(cli)
    said = f"{nowhere} is not a project, and never was one. Run perdure init there"
    assert said in hooks.told("SessionStart", source="startup", env=named)
    assert said in hooks.told("UserPromptSubmit", prompt="hello", env=named)
    for words in (("heal",), ("preflight", *FLAGS), ("status",)):
        refused = cli(*words, "--json", **named).error
        assert f"{refused['message']} {refused['hint']}".startswith(said), words
    assert list(nowhere.iterdir()) == []
    cli.ok("init", str(nowhere), "--no-client")
    assert cli.ok("preflight", *FLAGS, **named)["project_path"] == str(nowhere)


def test_a_project_that_is_whole_is_not_forgotten_and_nobody_is_told_to_heal_it(cli: Cli) -> None:
    assert "heal" not in cli("project", "forget", str(cli.cwd), "--json").error["hint"]
    (cli.cwd / ".perdure" / "ledger.db").unlink()
    assert "perdure heal" in cli("project", "forget", str(cli.cwd), "--json").error["hint"]


def test_a_folder_whose_name_has_a_line_break_is_refused_with_the_reason_by_init_and_doctor(
    cli: Cli, tmp_path: Path
) -> None:
    folder = tmp_path / "two\nlines"
    folder.mkdir()
    assert "rename the folder" in cli("init", "--no-client", "--json", cwd=folder).error["hint"]
    said = cli("doctor", "--no-client", cwd=folder).out
    assert "rename the folder" in said
    assert "perdure init, in the repository" not in said
