"""`.perdure` under git (SPEC 3.5): git shows nothing of it, so `git stash -u`, `git clean -fd` and `git add -A` leave
it where it is, unless a person chose to commit it. Real git."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli, git, new_repository
from tests.surfaces.test_hooks import FLAGS, Hooks

EARLIER = """\
# Perdure keeps itself out of git, but for what may be shared. To track more, add lines such as !NOTES.md
*
!.gitignore
!project.toml
!config.toml
"""
TOLD = "git does not ignore .perdure/.gitignore: git stash -u or git clean -fd would take it away"


def plain(folder: Path, environment: dict[str, str]) -> Path:
    return new_repository(folder / "shop", environment)


def with_a_linked_work_tree(folder: Path, environment: dict[str, str]) -> Path:
    made = plain(folder, environment)
    git(made, environment, "worktree", "add", "-q", "--detach", str(folder / "side"))
    return made


def a_submodule(folder: Path, environment: dict[str, str]) -> Path:
    inner = new_repository(folder / "inner", environment)
    outer = new_repository(folder / "outer", environment)
    git(outer, environment, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "part")
    return outer / "part"


def with_its_git_folder_elsewhere(folder: Path, environment: dict[str, str]) -> Path:
    made = plain(folder, environment)
    git(made, environment, "init", "-q", f"--separate-git-dir={folder / 'away.git'}")
    assert (made / ".git").is_file()
    return made


REPOSITORIES = [plain, with_a_linked_work_tree, a_submodule, with_its_git_folder_elsewhere]
TAKING = [("stash", "-q", "-u"), ("clean", "-q", "-f", "-d"), ("add", "-A")]


@pytest.fixture(params=REPOSITORIES)
def shop(request: pytest.FixtureRequest, tmp_path: Path, environment: dict[str, str]) -> Cli:
    make: Callable[[Path, dict[str, str]], Path] = request.param
    return Cli(make(tmp_path, environment), environment)


def shown_by_git(cli: Cli) -> list[str]:
    said = git(cli.cwd, cli.environment, "status", "--porcelain", "--untracked-files=all")
    return [line[3:] for line in said.splitlines()]


def names_in(cli: Cli) -> list[str]:
    return sorted(path.name for path in (cli.cwd / ".perdure").iterdir())


def test_git_status_is_clean_after_init_and_a_setting(shop: Cli) -> None:
    shop.ok("init")
    shop.ok("config", "set", "gate.know", "0.75")
    shop.ok("preflight", *FLAGS)
    assert (shop.cwd / ".perdure" / "config.toml").exists()
    assert shown_by_git(shop) == []


@pytest.mark.parametrize("command", TAKING)
def test_what_takes_new_files_takes_nothing_of_ours(shop: Cli, command: tuple[str, ...]) -> None:
    shop.ok("init")
    shop.ok("preflight", *FLAGS)
    before = names_in(shop)
    (shop.cwd / "new").write_text("x")
    git(shop.cwd, shop.environment, *command)
    assert names_in(shop) == before
    assert not [name for name in git(shop.cwd, shop.environment, "ls-files").split() if ".perdure" in name]
    assert Hooks(shop).bash("touch a") == ""
    if command[0] == "stash":
        git(shop.cwd, shop.environment, "stash", "pop", "-q")
        assert (shop.cwd / "new").exists()
    assert "git does not ignore" not in shop("status").out


@pytest.mark.parametrize("command", ["heal", "init"])
@pytest.mark.parametrize("own_line", ["", "!NOTES.md\n"])
def test_what_an_earlier_version_wrote_is_named_by_status_and_narrowed(shop: Cli, command: str, own_line: str) -> None:
    shop.ok("init")
    ignore = shop.cwd / ".perdure" / ".gitignore"
    ours = ignore.read_text()
    ignore.write_text(EARLIER + own_line)
    assert shown_by_git(shop) != []
    assert TOLD in shop("status").out
    assert shop.ok("audit", "verify")["whole"], "the record is as it was"
    shop.ok(command)
    assert ignore.read_text() == ours + own_line
    asked_for = [".perdure/NOTES.md"] if own_line and command == "heal" else []
    assert shown_by_git(shop) == asked_for
    assert "git does not ignore" not in shop("status").out
    assert shop.ok("init")["changed"] == []


def test_without_git_an_earlier_file_is_narrowed_as_soon_as_there_is_git(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "plain").mkdir()
    cli = Cli(tmp_path / "plain", environment)
    cli.ok("init")
    (cli.cwd / ".perdure" / ".gitignore").write_text(EARLIER)
    assert "git does not ignore" not in cli("status").out
    git(cli.cwd, environment, "init", "-q")
    assert TOLD in cli("status").out
    cli.ok("heal")
    assert shown_by_git(cli) == []


def test_files_that_git_tracks_stay_tracked_and_an_earlier_file_among_them_stays_as_it_is(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    cli = Cli(plain(tmp_path, environment), environment)
    cli.ok("init")
    ignore = cli.cwd / ".perdure" / ".gitignore"
    ignore.write_text(EARLIER)
    git(cli.cwd, environment, "add", ".perdure")
    git(cli.cwd, environment, "commit", "-q", "-m", "who we are")
    assert "git does not ignore" not in cli("status").out
    cli.ok("heal")
    cli.ok("init")
    assert ignore.read_text() == EARLIER
    assert shown_by_git(cli) == []
    git(cli.cwd, environment, "clean", "-q", "-fd")
    assert cli.ok("audit", "verify")["whole"]


def test_an_earlier_file_that_git_tracks_is_narrowed_for_what_it_does_not_track(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    cli = Cli(plain(tmp_path, environment), environment)
    cli.ok("init")
    (cli.cwd / ".perdure" / ".gitignore").write_text(EARLIER)
    git(cli.cwd, environment, "add", ".perdure/.gitignore")
    git(cli.cwd, environment, "commit", "-q", "-m", "rules")
    assert "git does not ignore .perdure/project.toml" in cli("status").out
    cli.ok("heal")
    assert shown_by_git(cli) == [".perdure/.gitignore"], "it changed"
    git(cli.cwd, environment, "stash", "-q", "-u")
    assert cli.ok("status")["project"]


@pytest.mark.parametrize("line", ["!project.toml", "!/project.toml", "!*.toml"])
def test_a_line_by_which_a_person_lets_a_file_in_counts(tmp_path: Path, environment: dict[str, str], line: str) -> None:
    cli = Cli(plain(tmp_path, environment), environment)
    cli.ok("init")
    ignore = cli.cwd / ".perdure" / ".gitignore"
    ignore.write_text(text := ignore.read_text() + line + "\n")
    cli.ok("heal")
    assert ignore.read_text() == text
    assert "git does not ignore" not in cli("status").out
    git(cli.cwd, environment, "add", "-A")
    assert git(cli.cwd, environment, "diff", "--cached", "--name-only").split() == [".perdure/project.toml"]


def test_git_add_with_force_commits_what_may_be_shared(tmp_path: Path, environment: dict[str, str]) -> None:
    cli = Cli(plain(tmp_path, environment), environment)
    cli.ok("init")
    names = [".perdure/.gitignore", ".perdure/project.toml"]
    git(cli.cwd, environment, "add", "-f", *names)
    git(cli.cwd, environment, "commit", "-q", "-m", "who we are")
    git(tmp_path, environment, "clone", "-q", str(cli.cwd), "clone")
    clone = Cli(tmp_path / "clone", environment)
    assert clone.ok("init")["project_id"] == cli.ok("project", "show")["project_id"]
    assert shown_by_git(clone) == []


def test_a_stash_that_took_an_earlier_versions_files_is_taken_out_as_the_docs_say(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    cli = Cli(plain(tmp_path, environment), environment)
    cli.ok("init")
    cli.ok("preflight", *FLAGS)
    folder = cli.cwd / ".perdure"
    (folder / ".gitignore").write_text(EARLIER)
    (cli.cwd / "new").write_text("x")
    git(cli.cwd, environment, "stash", "-q", "-u")
    assert "its .perdure/project.toml is gone" in Hooks(cli).bash("touch a")
    cli.ok("heal")
    for name in (".gitignore", "project.toml"):
        (folder / name).unlink()
    git(cli.cwd, environment, "stash", "pop", "-q")
    cli.ok("heal")
    assert shown_by_git(cli) == ["new"]
    assert Hooks(cli).bash("touch a") == ""


# -- segments that git keeps -------------------------------------------------------------------------------------------


@pytest.fixture
def sharing(tmp_path: Path, environment: dict[str, str]) -> Cli:
    cli = Cli(plain(tmp_path, environment), environment)
    cli.ok("init")
    cli.ok("config", "set", "export.tracked", "true")
    cli.ok("config", "set", "gate.know", "0.75")
    cli.ok("preflight", *FLAGS)
    cli.ok("postflight", *FLAGS)
    return cli


def test_where_segments_are_shared_git_sees_them_and_nothing_else(sharing: Cli) -> None:
    (segment,) = shown_by_git(sharing)
    assert segment.startswith(".perdure/export/")
    assert segment.endswith(".jsonl")


def test_where_segments_are_shared_an_earlier_file_is_narrowed_and_still_shows_them(sharing: Cli) -> None:
    ignore = sharing.cwd / ".perdure" / ".gitignore"
    ours = ignore.read_text()
    ignore.write_text(EARLIER + "".join(f"{line}\n" for line in ours.splitlines() if "export" in line))
    before = shown_by_git(sharing)
    assert len(before) == 4, before
    assert TOLD in sharing("status").out
    sharing.ok("heal")
    assert ignore.read_text() == ours
    assert len(shown_by_git(sharing)) == 1


@pytest.mark.parametrize("is_worked_on", [False, True])
@pytest.mark.parametrize("command", [("stash", "-q", "-u"), ("clean", "-q", "-fd")])
def test_where_segments_are_shared_what_git_takes_away_are_segments_only(
    sharing: Cli, command: tuple[str, ...], is_worked_on: bool
) -> None:
    git(sharing.cwd, sharing.environment, *command)
    assert not list((sharing.cwd / ".perdure").rglob("*.jsonl"))
    (sharing.cwd / "hotfix").write_text("x")
    git(sharing.cwd, sharing.environment, "add", "-A")
    assert git(sharing.cwd, sharing.environment, "diff", "--cached", "--name-only").split() == ["hotfix"]
    git(sharing.cwd, sharing.environment, "commit", "-q", "-m", "hotfix")
    assert sharing.ok("audit", "verify")["whole"]
    if is_worked_on:
        sharing.ok("preflight", *FLAGS)
        assert Hooks(sharing).bash("touch a") == ""
        sharing.ok("postflight", *FLAGS)
    sharing.ok("heal")
    if command[0] == "stash":
        git(sharing.cwd, sharing.environment, "stash", "pop", "-q")
    sharing.ok("heal")
    assert sharing.ok("audit", "verify")["whole"]
    sharing.ok("export", "--tracked")
    assert list((sharing.cwd / ".perdure").rglob("*.jsonl"))
    assert sharing.ok("audit", "verify")["whole"]
