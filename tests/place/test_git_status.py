"""What git says of a work tree, for the state in a brief."""

from __future__ import annotations

import subprocess

from perdure.place.git_status import status


def git(folder, *words):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, "-C", str(folder), *words], check=True, capture_output=True)


def test_branch_commit_and_uncommitted_files_are_told(tmp_path):
    git(tmp_path, "init", "-q", "-b", "topic")
    (tmp_path / "a b.py").write_text("1")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Add it")
    (tmp_path / "a b.py").write_text("2")
    (tmp_path / "new.py").write_text("3")
    found = status(str(tmp_path))
    assert found is not None
    assert (found.branch, found.subject, found.pushed) == ("topic", "Add it", None)
    assert sorted(found.uncommitted) == ["a b.py", "new.py"]


def test_a_commit_that_the_other_side_lacks_is_not_pushed(tmp_path):
    there, here = tmp_path / "there", tmp_path / "here"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(there))
    git(tmp_path, "clone", "-q", str(there), str(here))
    git(here, "checkout", "-qB", "main")
    git(here, "commit", "-q", "--allow-empty", "-m", "one")
    git(here, "push", "-q", "-u", "origin", "main")
    assert status(str(here)).pushed is True
    git(here, "commit", "-q", "--allow-empty", "-m", "two")
    assert status(str(here)).pushed is False


def test_nothing_is_said_without_a_repository(tmp_path):
    assert status(str(tmp_path)) is None
