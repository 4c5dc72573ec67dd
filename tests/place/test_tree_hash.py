"""The hash of a work tree, with real git (SPEC 10.6)."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from perdure.place.tree_hash import Tree, tree_of

from ..conftest import git


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "trees-home"


def tree(folder: Path, home: Path) -> Tree:
    found = tree_of(str(folder), str(home))
    assert found
    return found


@pytest.fixture
def shop(repository: Path, environment: dict[str, str]) -> Path:
    (repository / "src").mkdir()
    (repository / "src" / "a.py").write_text("x = 1\n")
    (repository / ".gitignore").write_text("out/\n")
    git(repository, environment, "add", "-A")
    git(repository, environment, "commit", "-q", "-m", "a")
    return repository


def test_a_later_edit_changes_the_hash_and_taking_it_back_restores_it(shop: Path, home: Path) -> None:
    before = tree(shop, home).hash
    (shop / "src" / "a.py").write_text("x = 2\n")
    assert tree(shop, home).hash != before
    (shop / "src" / "a.py").write_text("x = 1\n")
    assert tree(shop, home).hash == before


def test_what_is_staged_committed_or_marked_makes_no_difference(
    shop: Path, home: Path, environment: dict[str, str]
) -> None:
    (shop / "src" / "a.py").write_text("x = 2\n")
    (shop / "new.py").write_text("y = 1\n")
    before = tree(shop, home).hash
    git(shop, environment, "add", "-A")
    assert tree(shop, home).hash == before
    git(shop, environment, "commit", "-q", "-m", "b")
    assert tree(shop, home).hash == before
    git(shop, environment, "update-index", "--assume-unchanged", "src/a.py")
    (shop / "src" / "a.py").write_text("x = 3\n")
    assert tree(shop, home).hash != before


def test_every_kind_of_change_counts(shop: Path, home: Path) -> None:
    file, seen = shop / "src" / "a.py", [tree(shop, home).hash]

    def changed() -> None:
        seen.append(tree(shop, home).hash)

    file.chmod(0o755)
    changed()
    file.rename(shop / "src" / "b.py")
    changed()
    (shop / "untracked").write_text("")
    changed()
    (shop / "link").symlink_to("src/b.py")
    changed()
    (shop / "link").unlink()
    (shop / "link").symlink_to("elsewhere")
    changed()
    (shop / "src" / "b.py").unlink()
    changed()
    (shop / "a\nb").write_text("odd name")
    changed()
    assert len(set(seen)) == len(seen)


def test_what_is_ignored_or_kept_by_perdure_beads_and_test_programs_does_not_count(shop: Path, home: Path) -> None:
    before = tree(shop, home).hash
    for name in ("out/x", ".perdure/x", ".beads/x", "src/__pycache__/a.pyc", ".pytest_cache/x"):
        (shop / name).parent.mkdir(parents=True, exist_ok=True)
        (shop / name).write_text("x")
    os.mkfifo(shop / "pipe")  # git keeps no pipes, and to open one would wait
    assert tree(shop, home).hash == before


def test_nothing_in_the_repository_is_written(shop: Path, home: Path) -> None:
    def state() -> dict[str, tuple[int, int]]:
        found = [path for path in (shop / ".git").rglob("*") if path.is_file()]
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in found}

    (shop / "src" / "a.py").write_text("x = 2\n")
    before = state()
    tree(shop, home)
    assert state() == before


def test_a_file_that_changes_without_another_size_soon_after_is_read_again(shop: Path, home: Path) -> None:
    hashes = set()
    for number in range(5):
        (shop / "src" / "a.py").write_text(f"x = {number}\n")
        hashes.add(tree(shop, home).hash)
    assert len(hashes) == 5


def test_a_submodule_counts_with_its_own_files(
    shop: Path, home: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, environment, "init", "-q")
    (other / "f").write_text("1")
    git(other, environment, "add", "-A")
    git(other, environment, "commit", "-q", "-m", "f")
    git(shop, environment, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub")
    before = tree(shop, home).hash
    (shop / "sub" / "f").write_text("2")
    assert tree(shop, home).hash != before


def test_a_folder_without_git_is_read_whole(tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "plain"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a").write_text("1")
    before = tree(folder, home).hash
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "x").write_text("1")
    assert tree(folder, home).hash == before
    (folder / "src" / "a").write_text("2")
    assert tree(folder, home).hash != before


def test_it_says_what_changed_last_also_if_it_is_gone(shop: Path, home: Path) -> None:
    time.sleep(0.02)
    began = time.time_ns()
    time.sleep(0.02)
    assert tree(shop, home).newest < began
    (shop / "src" / "a.py").unlink()
    found = tree(shop, home)
    assert (found.newest > began, found.newest_path) == (True, "src/a.py")


def test_a_home_that_cannot_be_written_costs_only_time(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert tree_of(str(shop), str(tmp_path / "file"))


def test_what_git_cannot_list_has_no_hash(shop: Path, home: Path) -> None:
    (shop / ".git" / "index").write_bytes(b"broken")
    assert subprocess.run(["git", "-C", str(shop), "ls-files"], capture_output=True, check=False).returncode
    assert tree_of(str(shop), str(home)) is None
