"""Projects on disk (SPEC 3.5): work trees, submodules, clones, copies, moves, other people's folders, vanished ones.

Real git, and the program as a person runs it.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from perdure.model.ids import is_uuid
from tests.conftest import Cli, Result, assessment, git, new_repository

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read the code")


@pytest.fixture
def run(tmp_path: Path, environment: dict[str, str]) -> Cli:
    """The program, with no project made beforehand."""
    return Cli(tmp_path, environment)


def ledger(cli: Cli, folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = cli.ok("status", cwd=folder)["ledger"]
    return found


def add_work_tree(repository: Path, environment: dict[str, str], to: Path) -> Path:
    git(repository, environment, "worktree", "add", "-q", "--detach", str(to))
    return to


# -- linked work trees ---------------------------------------------------------------------------------------------


def test_a_linked_work_tree_finds_the_ledger_and_the_transaction_of_the_main_one(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    side = add_work_tree(repository, environment, tmp_path / "elsewhere" / "side")
    where = cli.ok("where", cwd=side)
    assert (where["project_path"], where["by"]) == (str(repository), "workspace registry")
    opened = cli.ok("preflight", "-", input=assessment(), cwd=side)
    assert opened["project_path"] == str(repository)
    seen = cli.ok("transaction", "status", cwd=repository)
    assert (seen["transaction_id"], seen["mine"]) == (opened["transaction_id"], True)
    assert cli.ok("transaction", "status", cwd=side)["transaction_id"] == opened["transaction_id"]
    closed = cli.ok("postflight", "-", input=assessment(), cwd=side)
    assert closed["transaction_id"] == opened["transaction_id"]
    assert not (side / ".perdure").exists()


def test_init_in_a_linked_work_tree_is_init_of_the_repository(
    run: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    repository = new_repository(tmp_path / "shop", environment)
    side = add_work_tree(repository, environment, tmp_path / "side")
    assert run.ok("init", cwd=side)["project_path"] == str(repository)
    assert (repository / ".perdure" / "ledger.db").exists()
    assert not (side / ".perdure").exists()
    assert run.ok("init", cwd=repository)["changed"] == []


@pytest.mark.parametrize("inside", ["", "src"])
def test_a_linked_work_tree_named_by_flag_is_its_repositorys_project(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path, inside: str
) -> None:
    side = add_work_tree(repository, environment, tmp_path / "side")
    (side / inside).mkdir(exist_ok=True)
    where = cli.ok("where", "--project-path", str(side / inside), cwd=tmp_path)
    assert (where["project_path"], where["project_is_there"]) == (str(repository), True)


def test_a_work_tree_that_stands_inside_another_project_belongs_to_its_own(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    other = new_repository(tmp_path / "other", environment)
    cli.ok("init", cwd=other)
    side = add_work_tree(repository, environment, other / "trees" / "side")
    assert cli.ok("where", cwd=side)["project_path"] == str(repository)
    assert cli.ok("where", "--project-path", str(side), cwd=tmp_path)["project_path"] == str(repository)
    assert cli.ok("where", cwd=other / "trees")["project_path"] == str(other)


@pytest.mark.parametrize(
    ("layout", "root"), [("shop.git", "shop.git"), ("shop/.bare", "shop/.bare"), ("shop/.git", "shop")]
)
def test_the_work_trees_of_a_bare_repository_share_one_ledger(
    run: Cli, environment: dict[str, str], tmp_path: Path, layout: str, root: str
) -> None:
    source = new_repository(tmp_path / "source", environment)
    bare = tmp_path / layout
    git(tmp_path, environment, "clone", "-q", "--bare", str(source), str(bare))
    places = [
        bare,
        add_work_tree(bare, environment, tmp_path / "one"),
        add_work_tree(bare, environment, bare.parent / "two"),
    ]
    if layout == "shop/.bare":
        (bare.parent / ".git").write_text("gitdir: ./.bare\n")
    if layout != "shop.git":
        places.append(bare.parent)
    made = run.ok("init", cwd=places[1])
    assert made["project_path"] == str(tmp_path / root)
    assert {run.ok("where", cwd=place)["project_path"] for place in places} == {str(tmp_path / root)}
    opened = run.ok("preflight", "-", input=assessment(), cwd=places[1])
    assert run.ok("transaction", "status", cwd=places[2])["transaction_id"] == opened["transaction_id"]
    assert run.ok("init", cwd=source)["project_id"] == made["project_id"]
    for place in places:
        assert run.ok("init", cwd=place)["changed"] == []


# -- submodules ----------------------------------------------------------------------------------------------------


@pytest.fixture
def submodule(repository: Path, environment: dict[str, str], tmp_path: Path) -> Path:
    library = new_repository(tmp_path / "library", environment)
    git(repository, environment, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    git(repository, environment, "commit", "-q", "-m", "take the library in")
    assert (repository / "lib" / ".git").is_file()
    return repository / "lib"


def test_a_submodule_with_no_project_of_its_own_belongs_to_the_outer_one(
    cli: Cli, repository: Path, submodule: Path
) -> None:
    where = cli.ok("where", cwd=submodule)
    assert (where["project_path"], where["by"]) == (str(repository), "cwd")
    opened = cli.ok("preflight", "-", input=assessment(), cwd=submodule)
    assert opened["project_path"] == str(repository)


def test_a_submodule_with_a_project_of_its_own_is_that_project(
    cli: Cli, repository: Path, submodule: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    made = cli.ok("init", cwd=submodule)
    assert made["project_path"] == str(submodule)
    assert cli.ok("where", cwd=submodule)["project_path"] == str(submodule)
    assert cli.ok("where", cwd=repository)["project_path"] == str(repository)
    assert made["project_id"] != cli.ok("status", cwd=repository)["project_id"]
    assert made["project_id"] == cli.ok("init", cwd=tmp_path / "library")["project_id"]
    side = add_work_tree(submodule, environment, tmp_path / "side-of-the-library")
    assert cli.ok("where", cwd=side)["project_path"] == str(submodule)


# -- moved ---------------------------------------------------------------------------------------------------------


def test_a_moved_repository_is_found_again_where_one_stands_in_it(cli: Cli, repository: Path, tmp_path: Path) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    before = ledger(cli, repository)
    moved = tmp_path / "new place" / "shop"
    moved.parent.mkdir()
    os.rename(repository, moved)
    where = cli.ok("where", cwd=moved)
    assert (where["project_path"], where["project_is_there"]) == (str(moved), True)
    assert where["transaction_id"] == opened["transaction_id"]
    cli.ok("finding", "it is here now", cwd=moved)
    after = ledger(cli, moved)
    assert (after["ledger_id"], after["chains"]) == (before["ledger_id"], 1)
    assert cli.ok("heal", "--check", cwd=moved)["whole"]
    assert [entry["project_path"] for entry in cli.ok("project", "list", cwd=moved)] == [str(moved)]


def test_a_copy_put_back_where_a_moved_project_was_leaves_its_transaction_alone(
    cli: Cli, repository: Path, tmp_path: Path
) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    moved = tmp_path / "moved"
    os.rename(repository, moved)
    cli.ok("finding", "it is here now", cwd=moved)
    shutil.copytree(moved, repository, symlinks=True)
    cli.ok("finding", "in the copy", "--project-path", str(repository), cwd=repository)
    healed = cli.ok("heal", "--project-path", str(repository), cwd=repository)
    assert not [each for each in healed["mended"] if "entry" in each]
    status = cli("transaction", "status", cwd=moved)
    assert "denied" not in status.out + status.err
    seen = cli.ok("transaction", "status", cwd=moved)
    assert (seen["transaction_id"], seen["project_path"]) == (opened["transaction_id"], str(moved))
    assert cli.ok("heal", cwd=moved)["mended"] == []


def test_a_moved_repository_is_found_again_from_a_live_binding_while_standing_elsewhere(
    cli: Cli, repository: Path, tmp_path: Path
) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    moved = tmp_path / "moved"
    os.rename(repository, moved)
    gone = cli.ok("where", cwd=tmp_path)
    assert (gone["project_path"], gone["project_is_there"]) == (str(repository), False)
    cli.ok("finding", "it is here now", "--project-path", str(moved), cwd=tmp_path)
    where = cli.ok("where", cwd=tmp_path)
    assert (where["project_path"], where["project_is_there"]) == (str(moved), True)
    assert where["transaction_id"] == opened["transaction_id"]
    closed = cli.ok("postflight", "-", input=assessment(), cwd=tmp_path)
    assert closed["transaction_id"] == opened["transaction_id"]


def test_a_moved_repository_is_told_from_its_clone(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, environment, "clone", "-q", str(repository), str(clone))
    cli.ok("init", cwd=clone)
    opened = cli.ok("preflight", "-", input=assessment())
    moved = tmp_path / "moved"
    os.rename(repository, moved)
    assert cli.ok("where", cwd=clone)["project_path"] != str(clone)
    cli.ok("finding", "it is here now", cwd=moved)
    for cwd in (tmp_path, clone, moved):
        where = cli.ok("where", cwd=cwd)
        assert (where["project_path"], where["transaction_id"]) == (str(moved), opened["transaction_id"])


# -- clones and copies ---------------------------------------------------------------------------------------------


def test_clones_agree_on_the_project_and_each_has_a_ledger_of_its_own(
    run: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    source = new_repository(tmp_path / "source", environment)
    clones = [tmp_path / "one", tmp_path / "two"]
    for clone in clones:
        git(tmp_path, environment, "clone", "-q", str(source), str(clone))
        (clone / "more.txt").write_text(clone.name)
        git(clone, environment, "add", ".")
        git(clone, environment, "commit", "-q", "-m", f"more in {clone.name}")
    made = [run.ok("init", cwd=clone) for clone in clones]
    assert made[0]["project_id"] == made[1]["project_id"]
    opened = run.ok("preflight", "-", input=assessment(), PERDURE_PROJECT=str(clones[0]), PERDURE_INSTANCE="job")
    assert opened["project_path"] == str(clones[0])
    other = run("transaction", "status", "--json", PERDURE_PROJECT=str(clones[1]), PERDURE_INSTANCE="job")
    assert (other.code, other.json["status"]) == (1, "none")
    ids = [run.ok("status", PERDURE_PROJECT=str(clone))["ledger"]["ledger_id"] for clone in clones]
    assert ids[0] != ids[1]
    kept = Path(environment["PERDURE_HOME"], "backups", made[0]["project_id"])
    assert {path.stem for path in kept.glob("*.jsonl")} == set(ids)
    for clone in clones:
        assert run.ok("heal", "--check", PERDURE_PROJECT=str(clone))["whole"]


def test_a_copy_begins_a_chain_of_its_own_and_both_stay_whole(cli: Cli, repository: Path, tmp_path: Path) -> None:
    cli.ok("finding", "before the copy", PERDURE_INSTANCE="job")
    first = ledger(cli, repository)
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(repository), str(copy)], check=True)
    for place, words in ((copy, "in the copy"), (repository, "in the original"), (copy, "again in the copy")):
        cli.ok("finding", words, cwd=place, PERDURE_INSTANCE="job")
    original, copied = ledger(cli, repository), ledger(cli, copy)
    assert (original["ledger_id"], original["chains"]) == (first["ledger_id"], 1)
    assert copied["ledger_id"] != first["ledger_id"]
    assert copied["chains"] == 2
    assert original["seq"] == first["seq"] + 1
    for place in (repository, copy):
        checked = cli.ok("heal", "--check", cwd=place)
        assert checked["whole"], checked
    paths = {entry["project_path"] for entry in cli.ok("project", "list", cwd=repository)}
    assert paths == {str(repository), str(copy)}


def test_a_copy_whose_original_was_deleted_before_it_was_met_is_a_move(
    cli: Cli, repository: Path, tmp_path: Path
) -> None:
    first = ledger(cli, repository)
    subprocess.run(["cp", "-r", str(repository), str(tmp_path / "copy")], check=True)
    shutil.rmtree(repository)
    cli.ok("finding", "in the copy", cwd=tmp_path / "copy")
    after = ledger(cli, tmp_path / "copy")
    assert (after["ledger_id"], after["chains"]) == (first["ledger_id"], 1)


def test_a_shallow_clone_cannot_know_the_first_commit_and_gets_an_id_of_its_own(
    run: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    source = new_repository(tmp_path / "source", environment)
    git(source, environment, "commit", "-q", "--allow-empty", "-m", "second")
    for name, depth in (("shallow", "1"), ("another", "1"), ("deep", "100")):
        git(tmp_path, environment, "clone", "-q", "--depth", depth, source.as_uri(), name)
    ids = {name: run.ok("init", cwd=tmp_path / name)["project_id"] for name in ("source", "shallow", "another", "deep")}
    assert ids["deep"] == ids["source"]
    assert len({ids["source"], ids["shallow"], ids["another"]}) == 3
    assert all(is_uuid(id) for id in ids.values())
    assert run.ok("init", cwd=tmp_path / "shallow")["project_id"] == ids["shallow"]


def test_a_tracked_project_file_makes_a_shallow_clone_agree(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    git(repository, environment, "add", "-f", ".perdure/project.toml")
    git(repository, environment, "commit", "-q", "-m", "who we are")
    git(tmp_path, environment, "clone", "-q", "--depth", "1", repository.as_uri(), "shallow")
    made = cli.ok("init", cwd=tmp_path / "shallow")
    assert made["project_id"] == cli.ok("status", cwd=repository)["project_id"]
    assert ledger(cli, tmp_path / "shallow")["ledger_id"] != ledger(cli, repository)["ledger_id"]


@pytest.mark.parametrize("kind", ["plain folder", "empty repository"])
def test_what_has_no_first_commit_gets_a_random_id_and_keeps_it(
    run: Cli, environment: dict[str, str], tmp_path: Path, kind: str
) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        if kind == "empty repository":
            git(tmp_path / name, environment, "init", "-q")
        made.append(run.ok("init", cwd=tmp_path / name)["project_id"])
    assert made[0] != made[1]
    if kind == "empty repository":
        git(tmp_path / "one", environment, "commit", "-q", "--allow-empty", "-m", "first")
    again = run.ok("init", cwd=tmp_path / "one")
    assert (again["project_id"], again["changed"]) == (made[0], [])
    assert run.ok("where", cwd=tmp_path / "one")["by"] == ("cwd" if kind == "plain folder" else "workspace registry")


def test_an_id_set_by_hand_is_the_projects_id(cli: Cli, repository: Path) -> None:
    wanted = "11111111-2222-4333-8444-555555555555"
    (repository / ".perdure" / "project.toml").write_text(f"name = 'ours'\nid = '{wanted}'  # agreed on\n")
    status = cli.ok("status")
    assert (status["project_id"], status["project"]) == (wanted, "ours")


@pytest.mark.parametrize("text", ["", "id = 7\n", "id = 'x'\n", "id =\n", "id = '../../x'\n", "\0", "[[[[\n"])
def test_a_project_file_that_says_nothing_usable_is_named_in_the_error(cli: Cli, repository: Path, text: str) -> None:
    (repository / ".perdure" / "project.toml").write_text(text)
    result = cli("status", "--json")
    assert (result.code, result.error["code"]) == (2, "bad_project_file")
    assert "project.toml" in result.error["message"]
    assert result.error["hint"]


@pytest.mark.parametrize("name", ['say "hi"', "back\\slash", "two words", "größe", "-x", "%41"])
def test_a_folder_may_have_any_name_a_terminal_can_show(run: Cli, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    made = run.ok("init", cwd=folder)
    assert made["project_path"] == str(folder)
    opened = run.ok("preflight", "-", input=assessment(), cwd=folder)
    assert opened["project_path"] == str(folder)
    status = run.ok("status", cwd=folder)
    assert status["project"].isprintable()
    assert run.ok("heal", "--check", cwd=folder)["whole"]


def test_a_project_reached_through_a_link_is_the_same_project(cli: Cli, repository: Path, tmp_path: Path) -> None:
    (repository / "src").mkdir()
    (tmp_path / "link").symlink_to(repository / "src")
    opened = cli.ok("preflight", "-", input=assessment(), cwd=tmp_path / "link")
    assert opened["project_path"] == str(repository)
    assert len(cli.ok("project", "list")) == 1


# -- other people's folders ----------------------------------------------------------------------------------------

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file to somebody else")
SOMEBODY = 54_321


@as_root
@pytest.mark.parametrize("what", ["all of it", "project.toml", "the folder"])
def test_a_folder_of_somebody_elses_is_not_a_project(cli: Cli, repository: Path, tmp_path: Path, what: str) -> None:
    shared = tmp_path / "shared"
    (shared / "mine").mkdir(parents=True)
    shutil.copytree(repository / ".perdure", shared / ".perdure")
    assert cli.ok("where", cwd=shared / "mine")["project_path"] == str(shared)
    if what in ("all of it", "project.toml"):
        os.chown(shared / ".perdure" / "project.toml", SOMEBODY, SOMEBODY)
    if what in ("all of it", "the folder"):
        os.chown(shared / ".perdure", SOMEBODY, SOMEBODY)
    for arguments, cwd in ((("where",), shared / "mine"), (("where", "--project-path", str(shared)), tmp_path)):
        found = cli(*arguments, "--json", cwd=cwd).json
        assert not found["project_is_there"]
    refused = cli("preflight", *FLAGS, "--json", cwd=shared / "mine")
    assert (refused.code, refused.error["code"]) == (1, "no_project")


@as_root
def test_a_folder_of_somebody_elses_that_links_to_a_file_of_ours_is_not_a_project(
    cli: Cli, repository: Path, tmp_path: Path
) -> None:
    """In a folder all may write to, such as /tmp, somebody waits for those who work below it."""
    shared = tmp_path / "shared"
    (shared / ".perdure").mkdir(parents=True)
    (shared / "mine").mkdir()
    (shared / ".perdure" / "project.toml").symlink_to(repository / ".perdure" / "project.toml")
    os.chown(shared / ".perdure", SOMEBODY, SOMEBODY)
    assert cli("where", "--json", cwd=shared / "mine").json["project_path"] is None
    shutil.rmtree(shared / ".perdure")
    (shared / ".perdure").symlink_to(repository / ".perdure")
    os.lchown(shared / ".perdure", SOMEBODY, SOMEBODY)
    assert cli("where", "--json", cwd=shared / "mine").json["project_path"] is None
    (shared / ".perdure").unlink()
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "project.toml").symlink_to(repository / ".perdure" / "project.toml")
    os.chown(theirs, SOMEBODY, SOMEBODY)
    (shared / ".perdure").symlink_to(theirs)
    assert cli("where", "--json", cwd=shared / "mine").json["project_path"] is None


@as_root
def test_a_record_that_belongs_to_somebody_else_is_called_so_and_its_remedy_works(cli: Cli) -> None:
    """As after sudo, or in a container. It is not gone: whoever is told so goes from `heal` to `init` and back."""
    folder = cli.cwd / ".perdure"
    for what in (folder, folder / "project.toml"):
        os.chown(what, SOMEBODY, SOMEBODY)
        for words in ("status", "note finding x", "heal --check", "heal", "init", "audit verify"):
            refused = cli(*words.split(), "--json")
            assert (refused.code, refused.error["code"]) == (1, "other_owner"), words
            assert str(SOMEBODY) in refused.error["message"]
        command = refused.error["hint"].partition("sudo ")[2]
        subprocess.run(shlex.split(command), check=True)
        assert cli.ok("audit", "verify")["whole"]


@as_root
def test_a_clone_with_another_users_record_is_not_sent_to_init(cli: Cli, tmp_path: Path) -> None:
    os.chown(cli.cwd / ".perdure", SOMEBODY, SOMEBODY)
    other = Cli(cli.cwd, {**cli.environment, "PERDURE_HOME": str(tmp_path / "other")})
    for words in ("status", "init", "heal", "audit verify"):
        assert other(*words.split(), "--json").error["code"] == "other_owner"


def test_a_file_in_the_place_of_the_folder_is_named_with_what_moves_it_away(cli: Cli, tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.mkdir()
    (odd / ".perdure").write_text("no folder\n")
    refused = cli("init", "--json", cwd=odd)
    assert (refused.code, refused.error["code"]) == (1, "not_a_folder")
    command = refused.error["hint"].partition("(")[2].partition(")")[0]
    subprocess.run(shlex.split(command), check=True)
    assert cli("init", "--json", cwd=odd).code == 0


# -- a home that cannot be written ---------------------------------------------------------------------------------


def test_where_the_home_cannot_be_every_transition_still_runs(cli: Cli, repository: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder can be here\n")
    nowhere = {"PERDURE_HOME": str(tmp_path / "file" / "home")}
    started = cli.ok("session", "start", **nowhere)
    opened = cli.ok("preflight", "-", input=assessment(), **nowhere)
    assert opened["session_id"] == started["session_id"]
    where = cli.ok("where", **nowhere)
    assert (where["transaction_id"], where["instance_id"]) == (opened["transaction_id"], opened["instance_id"])
    assert cli.ok("check", "-", input=assessment(), **nowhere)["decision"] == "proceed"
    assert cli.ok("transaction", "status", **nowhere)["mine"]
    closed = cli.ok("postflight", "-", input=assessment(), **nowhere)
    assert closed["transaction_id"] == opened["transaction_id"]
    assert list((repository / ".perdure" / "bindings").rglob("*.json"))
    ignored = git(repository, cli.environment, "status", "--porcelain", "--untracked-files=all")
    assert "bindings" not in ignored


READ_ONLY_HOME = """
set -e
mount --bind "$PERDURE_HOME" "$PERDURE_HOME"
mount -o remount,bind,ro "$PERDURE_HOME"
! touch "$PERDURE_HOME/probe" 2>/dev/null
exec "$@"
"""


def in_a_sandbox(cli: Cli, *arguments: str, input: str = "") -> Result:
    """With the home mounted read-only, as a client's sandbox does; chmod would not stop root."""
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", READ_ONLY_HOME, "sandbox", *cli.command(*arguments)],
        cwd=cli.cwd,
        env=cli.environment,
        input=input,
        capture_output=True,
        text=True,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def test_in_a_sandbox_with_a_read_only_home_every_transition_still_runs(
    cli: Cli, repository: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    if shutil.which("unshare") is None or in_a_sandbox(cli, "--version").code != 0:
        pytest.skip("this machine lets no test mount a folder read-only (unshare -rm)")
    before = sorted((path, path.stat().st_size) for path in home.rglob("*") if path.is_file())
    opened = in_a_sandbox(cli, "preflight", "-", input=assessment())
    assert opened.code == 0, opened
    assert in_a_sandbox(cli, "check", "-", input=assessment()).json["decision"] == "proceed"
    assert in_a_sandbox(cli, "finding", "from inside", "--json").code == 0
    status = in_a_sandbox(cli, "status", "--json")
    assert status.code == 0, status
    assert status.json["transaction"]["transaction_id"] == opened.json["transaction_id"]
    assert status.json["ledger"]["backup_behind"] > 0
    outside = cli.ok("where")
    assert outside["transaction_id"] == opened.json["transaction_id"]
    closed = in_a_sandbox(cli, "postflight", "-", input=assessment())
    assert closed.code == 0, closed
    assert sorted((path, path.stat().st_size) for path in home.rglob("*") if path.is_file()) == before
    assert list((repository / ".perdure" / "bindings").rglob("*.json"))
    cli.ok("finding", "from outside")
    assert ledger(cli, repository)["backup_behind"] == 0


def test_init_without_a_writable_home_warns_and_what_was_recorded_is_imported_later(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """As docs/recovering.md says under "The home cannot be written"."""
    cli = Cli(new_repository(tmp_path / "new", environment), environment)
    (tmp_path / "file").write_text("no folder can be here\n")
    nowhere = {"PERDURE_HOME": str(tmp_path / "file" / "home")}
    (warning,) = cli.ok("init", **nowhere)["warnings"]
    assert "cannot be written" in warning
    cli.ok("decide", "made without a home", **nowhere)
    assert cli("status", "--json").error["code"] == "foreign_ledger"
    made = cli.ok("init")
    (aside,) = (tmp_path / "new" / ".perdure").glob("ledger.db.foreign-*Z")
    (told,) = made["warnings"]
    assert told.endswith(f"perdure import {aside}")
    cli.ok("import", str(aside), "--yes")
    assert "made without a home" in cli("export").out
    assert cli("audit", "verify").code == 0


# -- the person's home ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["plain", "repository"])
def test_the_home_itself_cannot_be_made_a_project(
    run: Cli, environment: dict[str, str], tmp_path: Path, kind: str
) -> None:
    person = tmp_path / "person"
    (person / "src").mkdir()
    if kind == "repository":
        git(person, environment, "init", "-q")
    outside = Cli(person, {name: text for name, text in environment.items() if name != "PERDURE_HOME"})
    for arguments, cwd in ((("init",), person), (("init", str(person)), tmp_path)):
        result = outside(*arguments, "--json", cwd=cwd)
        assert (result.code, result.error["code"]) == (1, "home_is_no_project")
    if kind == "repository":
        assert outside("init", "--json", cwd=person / "src").error["code"] == "home_is_no_project"
    assert not (person / ".perdure" / "project.toml").exists()
    assert not (person / ".perdure" / "ledger.db").exists()


def test_what_perdure_keeps_in_the_home_is_not_taken_for_a_project(
    run: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    person = tmp_path / "person"
    shop = new_repository(person / "src" / "shop", environment)
    (person / "notes").mkdir()
    outside = Cli(shop, {name: text for name, text in environment.items() if name != "PERDURE_HOME"})
    outside.ok("init")
    assert (person / ".perdure" / "projects").is_dir()
    assert outside("init", "--json", cwd=person / ".perdure" / "projects").error["code"] == "home_is_no_project"
    assert outside("where", "--json", cwd=person / "notes").json["project_path"] is None


# -- `.perdure` vanished under a live binding ----------------------------------------------------------------------


def test_a_project_that_vanished_under_a_live_binding_is_said_and_healed(
    cli: Cli, repository: Path, tmp_path: Path
) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    before = ledger(cli, repository)
    shutil.rmtree(repository / ".perdure")
    for cwd in (repository, tmp_path):
        where = cli.ok("where", cwd=cwd)
        assert (where["project_path"], where["project_is_there"]) == (str(repository), False)
        assert where["instance_id"] == opened["instance_id"]
        said = cli("where", cwd=cwd).out
        assert f"its .perdure folder is gone. perdure heal --project-path {repository} brings it back" in said
        for transition in ("preflight", "check", "postflight"):
            refused = cli(transition, *FLAGS, "--json", cwd=cwd)
            assert (refused.code, refused.error["code"]) == (1, "project_vanished")
            assert "perdure heal" in refused.error["hint"]
    assert not (repository / ".perdure").exists()
    checked = cli("heal", "--check", "--json", cwd=tmp_path)
    assert (checked.code, checked.json["whole"]) == (1, False)
    healed = cli.ok("heal", cwd=tmp_path)
    assert (healed["whole"], healed["lost"]) == (True, [])
    where = cli.ok("where", cwd=tmp_path)
    assert (where["project_is_there"], where["transaction_id"]) == (True, opened["transaction_id"])
    assert ledger(cli, repository)["events"] > before["events"]
    assert cli.ok("postflight", "-", input=assessment())["transaction_id"] == opened["transaction_id"]
    assert cli.ok("heal", "--check")["whole"]


def test_a_project_that_vanished_beside_a_clone_of_it_does_not_become_the_clone(
    cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, environment, "clone", "-q", str(repository), str(clone))
    cli.ok("init", cwd=clone)
    opened = cli.ok("preflight", "-", input=assessment())
    shutil.rmtree(repository / ".perdure")
    for cwd in (repository, tmp_path, clone):
        where = cli.ok("where", cwd=cwd)
        assert (where["project_path"], where["project_is_there"]) == (str(repository), False)
        refused = cli("preflight", *FLAGS, "--json", cwd=cwd)
        assert refused.error["code"] == "project_vanished"
    cli.ok("heal", cwd=clone)
    assert cli.ok("where", cwd=clone)["transaction_id"] == opened["transaction_id"]


def test_an_unbound_repository_whose_folder_vanished_is_remembered_by_the_registry(cli: Cli, repository: Path) -> None:
    cli.ok("finding", "kept", PERDURE_INSTANCE="job")
    shutil.rmtree(repository / ".perdure")
    where = cli.ok("where")
    assert (where["project_path"], where["project_is_there"], where["by"]) == (
        str(repository),
        False,
        "workspace registry",
    )
    healed = cli.ok("heal")
    assert healed["whole"]
    assert any("its backup" in line for line in healed["mended"])


def test_a_folder_is_laid_so_that_git_ignores_it_and_no_ignore_file_is_edited(
    run: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    repository = new_repository(tmp_path / "shop", environment)
    (repository / ".gitignore").write_text("build/\n")
    run.ok("init", cwd=repository)
    run.ok("preflight", "-", input=assessment(), cwd=repository)
    assert (repository / ".gitignore").read_text() == "build/\n"
    seen = git(repository, environment, "status", "--porcelain", "--untracked-files=all").split("\n")
    assert [line[3:] for line in seen if line] == [".gitignore"]
    exclude = repository / ".git" / "info" / "exclude"
    assert not exclude.exists() or ".perdure" not in exclude.read_text()


def test_the_registry_survives_a_damaged_entry(cli: Cli, repository: Path, tmp_path: Path) -> None:
    for entry in (tmp_path / "home" / "projects").iterdir():
        entry.write_text("{")
    assert cli.ok("project", "list") == []
    assert cli.ok("where")["project_path"] == str(repository)
    cli.ok("init")
    assert [entry["project_path"] for entry in cli.ok("project", "list")] == [str(repository)]
    assert json.loads(next((tmp_path / "home" / "projects").iterdir()).read_text())["path"] == str(repository)
