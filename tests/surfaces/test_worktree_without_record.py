"""A linked work tree of a project whose record, git folder or main work tree is gone: still inside (SPEC 5.2)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ..conftest import Cli, git, new_repository
from .test_hooks import FLAGS, SESSION, Hooks

LINKED = ("record", "main tree", "main tree's .git", "work tree's .git", "record and work tree's .git")
OWN = {"CLAUDE_CODE_SESSION_ID": SESSION}


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    return Hooks(cli)


@pytest.fixture
def tree(cli: Cli, tmp_path: Path) -> Path:
    """It is in a folder for temporary files, where writing needs no transaction unless a project owns the path."""
    cli.environment["TMPDIR"] = str(tmp_path)
    tree = tmp_path / "tree"
    git(cli.cwd, cli.environment, "worktree", "add", "-q", str(tree))
    (tree / "a.txt").write_text("a\n")
    return tree


def lose(what: str, main: Path, tree: Path) -> None:
    if "record" in what:
        shutil.rmtree(main / ".perdure")
    if what == "main tree":
        main.rename(main.with_name("moved"))
    if what == "main tree's .git":
        shutil.rmtree(main / ".git")
    if "work tree's .git" in what:
        (tree / ".git").unlink()


def edit(hooks: Hooks, path: Path, cwd: Path) -> str:
    return hooks.denial("Edit", tool_input={"file_path": str(path)}, cwd=str(cwd))


@pytest.mark.parametrize("what", LINKED)
@pytest.mark.parametrize("start", ["in the work tree", "in the main tree", "afterwards in the work tree"])
def test_the_gate_stays_closed_in_a_work_tree_that_lost_its(hooks: Hooks, tree: Path, what: str, start: str) -> None:
    main = hooks.cli.cwd
    cwd = main if start == "in the main tree" else tree
    if not start.startswith("afterwards"):
        hooks("SessionStart", source="startup", cwd=str(cwd))
    hooks.cli.cwd = tree if what == "main tree" else main
    lose(what, main, tree)
    assert edit(hooks, tree / "a.txt", cwd)
    assert edit(hooks, tree / "new" / "b.txt", cwd)
    assert hooks.bash(f"touch {tree}/new.txt", cwd=str(cwd))
    assert hooks.bash("touch new.txt", cwd=str(tree))


def test_a_vanished_record_is_healed_from_the_work_tree(hooks: Hooks, tree: Path) -> None:
    hooks("SessionStart", source="startup", cwd=str(tree))
    lose("record", hooks.cli.cwd, tree)
    denied = edit(hooks, tree / "a.txt", tree)
    assert f"The record of {hooks.cli.cwd} is gone" in denied
    assert denied.endswith("To clear it: perdure heal")
    hooks.cli.ok("heal", cwd=tree, **OWN)
    assert edit(hooks, tree / "a.txt", tree).count("perdure preflight"), "the record is back, no transaction is open"
    hooks.cli.ok("preflight", *FLAGS, cwd=tree, **OWN)
    assert edit(hooks, tree / "a.txt", tree) == ""


def test_a_moved_main_tree_is_found_again_from_the_work_tree(hooks: Hooks, tree: Path) -> None:
    main = hooks.cli.cwd
    hooks("SessionStart", source="startup", cwd=str(tree))
    lose("main tree", main, tree)
    hooks.cli.cwd = tree
    denied = edit(hooks, tree / "a.txt", tree)
    assert f"The folder {main} is gone" in denied
    assert denied.endswith("To clear it: perdure project switch PATH")
    hooks.cli.ok("project", "switch", str(main.with_name("moved")), cwd=tree, **OWN)
    assert "perdure preflight" in edit(hooks, tree / "a.txt", tree)
    hooks.cli.ok("preflight", *FLAGS, cwd=tree, **OWN)
    assert edit(hooks, tree / "a.txt", tree) == ""


@pytest.mark.parametrize("restored", [False, True])
@pytest.mark.parametrize("stands_in", ["the work tree", "the main tree"])
def test_after_a_move_and_heal_status_says_what_the_gate_does(
    hooks: Hooks, tree: Path, restored: bool, stands_in: str
) -> None:
    """A ledger that was restored continues in a new chain; the client was bound to the old one."""
    main, cli = hooks.cli.cwd, hooks.cli
    stood = tree if stands_in == "the work tree" else main
    hooks("SessionStart", source="startup", cwd=str(stood))
    opened = cli.ok("preflight", *FLAGS, cwd=stood, **OWN)["transaction_id"]
    if restored:
        lose("record", main, tree)
        cli.ok("heal", cwd=tree, **OWN)
    lose("main tree", main, tree)
    moved = main.with_name("moved")
    stood = tree if stands_in == "the work tree" else moved
    cli.cwd = stood
    assert edit(hooks, stood / "a.txt", stood)
    before = cli("status", "--json", **OWN)
    assert before.code == 1 or any("the gate will deny" in each for each in before.json["warnings"])
    cli.ok("heal", "--project-path", str(moved), **OWN)
    assert edit(hooks, stood / "a.txt", stood) == ""
    found = cli.ok("status", **OWN)
    assert (found["project_path"], found["transaction"]["transaction_id"]) == (str(moved), opened)
    assert not [each for each in found["warnings"] if "gate" in each]


@pytest.mark.parametrize("what", LINKED)
def test_a_client_that_starts_in_a_cut_off_work_tree_is_told(hooks: Hooks, tree: Path, what: str) -> None:
    main = hooks.cli.cwd
    lose(what, main, tree)
    hooks.cli.cwd = tree
    assert str(main) in hooks.told("SessionStart", source="startup", cwd=str(tree))


@pytest.mark.parametrize("what", [*LINKED, ""])
def test_the_work_trees_of_a_repository_that_never_was_a_project_pass(
    hooks: Hooks, tree: Path, tmp_path: Path, what: str
) -> None:
    plain = new_repository(tmp_path / "plain", hooks.cli.environment)
    beside = tmp_path / "beside"
    git(plain, hooks.cli.environment, "worktree", "add", "-q", str(beside))
    (plain / ".perdure").mkdir()
    lose(what, plain, beside)
    assert edit(hooks, beside / "a.txt", beside) == ""
    assert hooks.bash("touch new.txt", cwd=str(beside)) == ""


def test_a_file_of_another_project_that_lost_its_record_is_denied(hooks: Hooks, tree: Path, tmp_path: Path) -> None:
    other = new_repository(tmp_path / "other", hooks.cli.environment)
    hooks.cli.ok("init", cwd=other)
    hooks("SessionStart", source="startup")
    shutil.rmtree(other / ".perdure")
    denied = edit(hooks, other / "deep" / "a.txt", hooks.cli.cwd)
    assert denied.endswith(f"perdure heal --project-path {other}")
    hooks.cli.ok("heal", "--project-path", str(other), **OWN)
    assert "perdure preflight" in edit(hooks, other / "deep" / "a.txt", hooks.cli.cwd)


def test_a_folder_without_git_that_lost_its_record_is_still_inside(hooks: Hooks, tree: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    hooks.cli.ok("init", cwd=folder)
    shutil.rmtree(folder / ".perdure")
    assert f"The record of {folder} is gone" in edit(hooks, folder / "deep" / "a.txt", folder / "deep")


@pytest.mark.parametrize("start", ["in the work tree", "in the main tree"])
def test_a_work_tree_without_git_of_a_project_that_was_moved_is_not_free_to_change(
    hooks: Hooks, tree: Path, start: str
) -> None:
    """Nothing on disk says any more whose it is, and it is in a folder for temporary files."""
    main, moved = hooks.cli.cwd, hooks.cli.cwd.with_name("moved")
    hooks("SessionStart", source="startup", cwd=str(tree if start == "in the work tree" else main))
    lose("main tree", main, tree)
    lose("work tree's .git", main, tree)
    hooks.cli.cwd = tree
    denied = edit(hooks, tree / "a.txt", tree)
    assert f"The folder {main} is gone" in denied
    assert denied.endswith("To clear it: perdure project switch PATH")
    assert hooks.bash("touch new.txt", cwd=str(tree))
    assert hooks.bash(f"touch {tree}/deep/new.txt", cwd=str(tree))
    hooks.cli.ok("project", "switch", str(moved), cwd=tree, **OWN)
    assert f"no open transaction in {moved}" in edit(hooks, tree / "a.txt", tree)
    hooks.cli.ok("preflight", *FLAGS, cwd=tree, **OWN)
    assert edit(hooks, tree / "a.txt", tree) == ""
