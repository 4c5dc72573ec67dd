"""What git tracks of `.perdure` is found in every kind of work tree and index, and without a process where it tracks
nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from perdure.place import git_index
from tests.conftest import git, new_repository

LEDGER = ".perdure/ledger.db"


def with_ledger(folder: Path) -> Path:
    (folder / ".perdure").mkdir(exist_ok=True)
    (folder / LEDGER).write_text("x")
    (folder / ".perdure" / "project.toml").write_text("x")
    return folder


def track(folder: Path, environment: dict[str, str], *names: str) -> None:
    git(folder, environment, "add", "-f", *names)


def test_a_repository_that_tracks_only_what_may_be_shared_has_nothing_to_replace(
    repository: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    track(with_ledger(repository), environment, ".perdure/project.toml")
    monkeypatch.setenv("PATH", "")  # no process is started
    assert git_index.replaceable(str(repository)) == ""
    assert git_index.warning(str(repository)) == ""


@pytest.mark.parametrize("name", ["ledger.db", "ledger.db-wal", "ledger.db-journal", "active_transaction_pts-1.json"])
def test_a_ledger_a_log_and_a_transaction_file_can_be_replaced(
    repository: Path, environment: dict[str, str], name: str
) -> None:
    (with_ledger(repository) / ".perdure" / name).write_text("x")
    track(repository, environment, f".perdure/{name}")
    assert git_index.names_in(git_index.replaceable(str(repository))) == [f".perdure/{name}"]


def test_another_content_is_another_answer(repository: Path, environment: dict[str, str]) -> None:
    track(with_ledger(repository), environment, LEDGER)
    before = git_index.replaceable(str(repository))
    (repository / LEDGER).write_text("y")
    assert git_index.replaceable(str(repository)) == before, "git has the old content"
    track(repository, environment, LEDGER)
    assert git_index.replaceable(str(repository)) != before


def test_a_linked_work_tree_a_submodule_and_a_folder_within_have_their_own_index(
    repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    inner = new_repository(tmp_path / "inner", environment)
    git(repository, environment, "worktree", "add", "-q", str(tmp_path / "linked"))
    git(repository, environment, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    within = repository / "packages" / "a"
    within.mkdir(parents=True)
    for folder in (tmp_path / "linked", repository / "sub", within):
        assert git_index.replaceable(str(with_ledger(folder))) == ""
        track(folder, environment, LEDGER)
        assert git_index.replaceable(str(folder))


def test_the_command_takes_them_out_of_git_from_anywhere_and_leaves_them_on_disk(
    repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    within = repository / "two words"
    within.mkdir()
    for folder in (repository, within):
        track(with_ledger(folder), environment, ".perdure")
        (folder / LEDGER).write_text("changed since")
        command = git_index.untracking(str(folder))
        subprocess.run(command, shell=True, check=True, env=environment, cwd=tmp_path, capture_output=True)
        assert git_index.replaceable(str(folder)) == ""
        assert git_index.untracking(str(folder)) == ""
        assert (folder / LEDGER).read_text() == "changed since"


@pytest.mark.parametrize("name", ["readme.txt", ".gitignore"])
def test_where_git_tracks_nothing_of_ours_no_process_is_started(
    repository: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (with_ledger(repository) / name).write_text("x")
    track(repository, environment, name)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(subprocess, "run", None)
    assert git_index.untracking(str(repository)) == ""
    assert not git_index.may_track(str(repository), ".perdure/export")


@pytest.mark.parametrize("folder", [".Perdure", ".perdure"])
def test_what_is_tracked_is_named_however_its_folder_is_written(
    repository: Path, environment: dict[str, str], folder: str
) -> None:
    (repository / folder).mkdir()
    (repository / folder / "ledger.db").write_text("x")
    track(repository, environment, folder)
    assert git_index.untracking(str(repository)).endswith(f"rm --cached -f {folder}/ledger.db")


def test_what_is_tracked_in_the_folder_that_a_link_leads_to_is_named(
    repository: Path, environment: dict[str, str]
) -> None:
    (repository / "elsewhere" / ".perdure").mkdir(parents=True)
    (repository / "elsewhere" / LEDGER).write_text("x")
    (repository / ".perdure").symlink_to("elsewhere/.perdure")
    track(repository, environment, "elsewhere")
    assert git_index.untracking(str(repository)).endswith(f"rm --cached -f elsewhere/{LEDGER}")


@pytest.mark.parametrize("kind", ["version 2", "version 4", "split"])
def test_a_path_that_git_tracks_may_be_tracked_in_every_kind_of_index(
    repository: Path, environment: dict[str, str], kind: str
) -> None:
    (with_ledger(repository) / ".perdure" / "export").mkdir()
    (repository / ".perdure" / "export" / "1-2.jsonl").write_text("x")
    track(repository, environment, ".perdure/export", LEDGER)
    flags = ["--split-index"] if kind == "split" else ["--index-version", kind[-1]]
    git(repository, environment, "update-index", *flags)
    assert git_index.may_track(str(repository), ".perdure/export")
    assert git_index.untracking(str(repository))


def test_a_folder_without_git_has_nothing_to_replace(tmp_path: Path) -> None:
    assert git_index.replaceable(str(with_ledger(tmp_path))) == ""
