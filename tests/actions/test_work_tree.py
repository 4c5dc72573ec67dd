"""Files as they are in the work tree: what is read, what is not, and what git says became of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from perdure.actions.containing_files import OldFile
from perdure.actions.work_tree import WorkTree
from tests.conftest import git

TEXT = "".join(f"line number {number}\n" for number in range(40))


@pytest.fixture
def tree(repository: Path, environment: dict[str, str]) -> Path:
    (repository / "src").mkdir()
    (repository / "src" / "cart.py").write_text(TEXT)
    (repository / "src" / "other.py").write_text("".join(f"x{number} = 1\n" for number in range(40)))
    commit(repository, environment)
    return repository


def commit(folder: Path, environment: dict[str, str]) -> str:
    git(folder, environment, "add", "-A")
    git(folder, environment, "commit", "-qm", "c")
    return git(folder, environment, "rev-parse", "HEAD").strip()


def test_the_blob_id_and_the_commit_are_gits_own(tree: Path, environment: dict[str, str]) -> None:
    with WorkTree(str(tree)) as read:
        assert read.blob("src/cart.py") == git(tree, environment, "hash-object", "src/cart.py").strip()
        assert read.commit == git(tree, environment, "rev-parse", "HEAD").strip()


def test_a_link_out_of_the_project_is_not_followed(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("a secret outside of it\n")
    (tree / "file").symlink_to(tmp_path / "secret.txt")
    (tree / "folder").symlink_to(tmp_path)
    (tree / "inside").symlink_to(tree / "src" / "cart.py")
    with WorkTree(str(tree)) as read:
        for path in ("file", "folder/secret.txt", "../secret.txt"):
            found = read.file(path)
            assert found is not None
            assert "out of the project" in found.problem
            assert "secret outside" not in found.searchable._plain
            assert path in read.refusals
        inside = read.file("inside")
        assert inside is not None
        assert not inside.problem


def test_a_pipe_a_folder_and_a_link_to_itself_are_not_files_and_stop_nobody(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    (tree / "loop").symlink_to("loop")
    with WorkTree(str(tree)) as read:
        assert [read.file(path) for path in ("pipe", "src", "loop", "none", "src/cart.py/x")] == [None] * 5


def test_a_file_that_is_too_large_is_not_read(tree: Path) -> None:
    with open(tree / "huge", "wb") as file:
        file.truncate(17 << 20)
    with WorkTree(str(tree)) as read:
        found = read.file("huge")
        assert found is not None
        assert "larger than" in found.problem
        assert read.blob("huge") is None


@pytest.mark.parametrize("how", ["committed", "staged", "both", "untracked", "untracked after a committed rename"])
def test_a_renamed_file_is_found(tree: Path, environment: dict[str, str], how: str) -> None:
    with WorkTree(str(tree)) as before:
        made, blob = before.commit, before.blob("src/cart.py")
    if how in ("committed", "both", "untracked after a committed rename"):
        git(tree, environment, "mv", "src/cart.py", "src/basket.py")
        (tree / "src" / "basket.py").write_text(TEXT + "one more\n")
        commit(tree, environment)
    now = "src/basket.py" if (tree / "src" / "basket.py").exists() else "src/cart.py"
    if how in ("staged", "both"):
        git(tree, environment, "mv", now, "last.py")
    elif how.startswith("untracked"):
        os.rename(tree / now, tree / "last.py")
    expected = "last.py" if how != "committed" else "src/basket.py"
    with WorkTree(str(tree)) as read:
        assert [file.path for file in read.renamed("src/cart.py", made, blob)] == [expected]


def test_a_thousand_renames_since_many_commits_need_no_more_processes_than_one(
    tree: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = []
    for number in range(12):
        (tree / f"f{number}.py").write_text("".join(f"{number} {line}\n" for line in range(30)))
        commits.append(commit(tree, environment))
    for number in range(12):
        git(tree, environment, "mv", f"f{number}.py", f"g{number}.py")
    commit(tree, environment)
    started: list[object] = []
    run = subprocess.run

    def counted(*words: object, **options: object) -> object:
        started.append(words)
        return run(*words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", counted)
    with WorkTree(str(tree)) as read:
        read.expect_renames(OldFile(f"f{number}.py", made, None) for number, made in enumerate(commits))
        for number, made in enumerate(commits):
            assert [file.path for file in read.renamed(f"f{number}.py", made, None)] == [f"g{number}.py"]
    assert len(started) <= 5


@pytest.mark.parametrize("is_merged", [False, True])
def test_a_file_that_was_renamed_and_rewritten_since_is_followed_step_by_step(
    tree: Path, environment: dict[str, str], *, is_merged: bool
) -> None:
    """Between the first commit and the last, git finds no rename: too few lines are the same. The names in between are
    on neither end, so git leaves a merged branch out that had them, unless it is asked for the full history."""
    made = git(tree, environment, "rev-parse", "HEAD").strip()
    if is_merged:
        (tree / "beside.txt").write_text("beside\n")
        commit(tree, environment)
        git(tree, environment, "checkout", "-q", "-b", "side", made)
    lines = TEXT.splitlines()
    name = "src/cart.py"
    for step, new in enumerate(["src/basket.py", "lib/basket.py", "lib/a b ü.py"]):
        (tree / new).parent.mkdir(exist_ok=True)
        git(tree, environment, "mv", name, new)
        commit(tree, environment)
        name = new
        lines[step * 10 : step * 10 + 10] = [f"rewritten in step {step}, line {number}" for number in range(20)]
        (tree / name).write_text("\n".join(lines) + "\n")
        commit(tree, environment)
    if is_merged:
        git(tree, environment, "checkout", "-q", "-")
        git(tree, environment, "merge", "-q", "--no-ff", "-m", "m", "side")
    (tree / "src").mkdir(exist_ok=True)
    (tree / "src" / "cart.txt").write_text("another\n")
    git(tree, environment, "rm", "-q", "src/other.py")
    commit(tree, environment)
    assert "R" not in git(tree, environment, "diff", "--name-status", "-M", made, "HEAD")
    with WorkTree(str(tree)) as read:
        assert [file.path for file in read.renamed("src/cart.py", made, None)] == [name]
        assert read.renamed("src/other.py", made, None) == []
    with WorkTree(str(tree)) as read:
        assert read.renamed("src/cart.py", "1" * 40, None) == [], "a commit that is not there"


def test_a_new_file_that_is_more_like_the_old_one_does_not_hide_what_it_was_renamed_to(
    tree: Path, environment: dict[str, str]
) -> None:
    """As when an example moves to a folder, is edited there, and another example is copied from it."""
    made = git(tree, environment, "rev-parse", "HEAD").strip()
    git(tree, environment, "mv", "src/cart.py", "src/basket.py")
    commit(tree, environment)
    lines = TEXT.splitlines(keepends=True)
    (tree / "src" / "basket.py").write_text("".join([*lines[:24], *(f"new {line}" for line in lines[24:])]))
    (tree / "src" / "copied.py").write_text("".join([*lines[:36], "the end\n"]))
    commit(tree, environment)
    assert "src/copied.py" in git(tree, environment, "diff", "--name-status", "-M", "--diff-filter=R", made, "HEAD")
    with WorkTree(str(tree)) as read:
        found = [file.path for file in read.renamed("src/cart.py", made, None)]
        assert found[0] == "src/basket.py"


def test_a_file_is_followed_through_a_commit_that_moves_and_edits_many(tree: Path, environment: dict[str, str]) -> None:
    """git compares a thousand files with a thousand others, and with more of them only looks for the same bytes."""
    (tree / "old").mkdir()
    (tree / "new").mkdir()
    texts = [[f"line {line} of file {number}\n" for line in range(10)] for number in range(1010)]
    for number, lines in enumerate(texts):
        (tree / "old" / f"{number}.py").write_text("".join(lines))
    made = commit(tree, environment)
    for number, lines in enumerate(texts):
        (tree / "old" / f"{number}.py").unlink()
        (tree / "new" / f"{number + 1}.py").write_text("".join([*lines[:7], f"edited {number}\n" * 3]))
    commit(tree, environment)
    with WorkTree(str(tree)) as read:
        assert [file.path for file in read.renamed("old/500.py", made, None)] == ["new/501.py"]


def test_files_that_git_knows_no_rename_of_are_looked_for_together(
    tree: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty files get a licence and new names: few processes, and every new file is read once."""
    licence = "".join(f"# clause {number} of a long licence that nobody reads\n" for number in range(60))
    texts = {f"f{number}.py": "".join(f"value_{number}_{line} = 1\n" for line in range(6)) for number in range(30)}
    for name, text in texts.items():
        (tree / name).write_text(text)
    made = commit(tree, environment)
    blobs = {name: git(tree, environment, "rev-parse", f"HEAD:{name}").strip() for name in texts}
    for name, text in texts.items():
        git(tree, environment, "rm", "-q", name)
        (tree / f"new_{name}").write_text(licence + text)
    commit(tree, environment)
    started: list[object] = []
    run = subprocess.run

    def counted(*words: object, **options: object) -> object:
        started.append(words)
        return run(*words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", counted)
    with WorkTree(str(tree)) as read:
        read.expect_renames(OldFile(name, made, blobs[name]) for name in texts)
        for name in texts:
            assert [file.path for file in read.renamed(name, made, blobs[name])] == [f"new_{name}"]
    assert len(started) <= 16


def test_a_commit_that_is_not_there_any_more_hides_no_other_rename(tree: Path, environment: dict[str, str]) -> None:
    made = git(tree, environment, "rev-parse", "HEAD").strip()
    git(tree, environment, "mv", "src/cart.py", "new.py")
    commit(tree, environment)
    with WorkTree(str(tree)) as read:
        read.expect_renames([OldFile("src/gone.py", "0" * 39 + "1", None), OldFile("src/cart.py", made, None)])
        assert [file.path for file in read.renamed("src/cart.py", made, None)] == ["new.py"]
        assert read.renamed("src/gone.py", "0" * 39 + "1", None) == []


def test_without_git_files_are_read_and_nothing_is_renamed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with WorkTree(str(tmp_path)) as read:
        assert read.file("a.py") is not None
        assert (read.commit, read.renamed("b.py", "1" * 40, None)) == (None, [])
        assert read.tracked() is None


def test_no_program_of_the_repositorys_settings_runs(tree: Path, environment: dict[str, str]) -> None:
    """A filter would run if git were asked to compare the work tree."""
    mark = tree.parent / "ran"
    made = git(tree, environment, "rev-parse", "HEAD").strip()
    (tree / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    for key in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command", "core.fsmonitor"):
        git(tree, environment, "config", key, f"touch {mark}; cat")
    os.rename(tree / "src" / "cart.py", tree / "new.py")
    (tree / "src" / "other.py").write_text("y = 2\n")
    with WorkTree(str(tree)) as read:
        assert [file.path for file in read.renamed("src/cart.py", made, read.blob("new.py"))] == ["new.py"]
        read.tracked()
    assert not mark.exists()


def test_a_git_that_answers_something_else_knows_no_rename(
    tree: Path, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = git(tree, environment, "rev-parse", "HEAD").strip()
    (tree / "src" / "cart.py").unlink()
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "git").write_text("#!/bin/sh\necho 'something else'\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{environment['PATH']}")
    with WorkTree(str(tree)) as read:
        assert read.renamed("src/cart.py", made, None) == []


def test_a_git_that_hangs_is_waited_for_once(
    tree: Path, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = git(tree, environment, "rev-parse", "HEAD").strip()
    git(tree, environment, "mv", "src/cart.py", "new.py")
    commit(tree, environment)
    folder = tmp_path / "hanging"
    folder.mkdir()
    real = shutil.which("git", path=environment["PATH"])
    script = f'#!/bin/sh\ncase " $* " in *" rev-parse "*) exec {real} "$@";; esac\nexec sleep 30\n'
    (folder / "git").write_text(script)
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{environment['PATH']}")
    with WorkTree(str(tree), git_seconds=1.5) as read:
        began = time.monotonic()
        assert read.renamed("src/cart.py", made, None) == []
        assert read.tracked() is None
        assert time.monotonic() - began < 4
