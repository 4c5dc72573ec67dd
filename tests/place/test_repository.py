"""What git is asked: it answers, and runs nothing that the repository's own settings name."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from perdure.actions.anchors import anchored
from perdure.place import repository

from ..conftest import git as git_in


def git(root: Path, *arguments: str) -> str:
    return git_in(root, dict(os.environ), *arguments)


def committed(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{name} {len(list(root.iterdir()))}\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "change", "--allow-empty")


def test_the_paths_of_the_latest_commits_newest_first(repository_root: Path) -> None:
    committed(repository_root, "a.py", "tests/ä b.py")
    committed(repository_root, "c.py")
    assert repository.commits(str(repository_root), 2) == [{"c.py"}, {"a.py", "tests/ä b.py"}]
    assert repository.commits(str(repository_root.parent), 5) == []


def test_no_program_that_the_repositorys_settings_name_is_run(repository_root: Path, tmp_path: Path) -> None:
    ran, evil = tmp_path / "ran", tmp_path / "evil.sh"
    evil.write_text(f"#!/bin/sh\ntouch {ran}\n")
    evil.chmod(0o755)
    committed(repository_root, "a.py")
    settings = ("gpg.program", "gpg.ssh.program", "core.fsmonitor", "core.pager", "diff.external", "core.editor")
    for name in settings:
        git(repository_root, "config", name, str(evil))
    git(repository_root, "config", "log.showSignature", "true")
    tree = git(repository_root, "rev-parse", "HEAD^{tree}").strip()
    commit = (
        f"tree {tree}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n"
        "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nx\n\nPerdure-Head: x\n"
    )
    made = subprocess.run(
        ["git", "-C", str(repository_root), "hash-object", "-t", "commit", "-w", "--stdin"],
        input=commit,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    git(repository_root, "update-ref", "refs/heads/evil", made)
    subprocess.run(["git", "-C", str(repository_root), "log", "--all"], capture_output=True, check=False)
    assert ran.exists(), "the trap is live"
    ran.unlink()
    assert anchored(str(repository_root)).anchors == ()
    assert repository.commits(str(repository_root), 5)
    assert repository.first_commit(str(repository_root))
    assert not ran.exists()


def test_a_reference_that_may_be_there_is_told_from_one_that_is_not(repository_root: Path) -> None:
    root, name = str(repository_root), "refs/notes/perdure"
    committed(repository_root, "a.py")
    assert not repository.may_have_reference(root, name)
    git(repository_root, "notes", f"--ref={name}", "add", "-m", "x")
    assert repository.may_have_reference(root, name)
    git(repository_root, "pack-refs", "--all", "--prune")
    assert not (repository_root / ".git" / name).exists()
    assert repository.may_have_reference(root, name)


def test_where_references_are_kept_in_a_form_that_we_do_not_read_git_is_asked(repository_root: Path) -> None:
    (repository_root / ".git" / "reftable").mkdir()
    assert repository.may_have_reference(str(repository_root), "refs/notes/perdure")


def test_a_linked_work_tree_has_the_references_of_its_repository(repository_root: Path, tmp_path: Path) -> None:
    committed(repository_root, "a.py")
    git(repository_root, "worktree", "add", "-q", str(tmp_path / "linked"))
    git(repository_root, "notes", "--ref=refs/notes/perdure", "add", "-m", "x")
    assert repository.may_have_reference(str(tmp_path / "linked"), "refs/notes/perdure")


@pytest.fixture
def repository_root(tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in environment.items():
        monkeypatch.setenv(name, content)
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q")
    return root
