"""A signed head binds wherever the project is now (SPEC 3.5, 14.6, docs/adr/0052): whoever moves the folder, or clones
the repository to another place, does not get rid of what was signed. A copy or a clone beside its original is not
accused of what only the original has."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli, git, new_repository
from tests.surfaces.test_moved import copied, copied_and_deleted, renamed


class Work:
    """A project with a signed head, an older state of it, and a later head over events that the older state lacks."""

    def __init__(self, cli: Cli, home: Path, aside: Path) -> None:
        self.cli = cli
        self.home = home
        self._aside = aside
        cli.ok("note", "finding", "the first one")
        cli.ok("audit", "heads", "--sign")
        git(cli.cwd, cli.environment, "add", "-f", ".perdure/project.toml", ".perdure/.gitignore")
        git(cli.cwd, cli.environment, "commit", "-q", "-m", "a project")
        self.keep_older_state()
        (self.chain, self.end), *_ = ends(cli).items()
        self.go_on()

    def keep_older_state(self) -> None:
        shutil.copytree(self.cli.cwd / ".perdure", self._aside / "project")
        shutil.copytree(self.home / "backups", self._aside / "backups")

    def go_on(self) -> None:
        for text in ("signed", "signed as well"):
            self.cli.ok("note", "finding", text)
        self.cli.ok("audit", "heads", "--sign")

    def put_older_ledger_back(self) -> None:
        for path in (self.cli.cwd / ".perdure").glob("ledger.db*"):
            path.unlink()
        for path in (self._aside / "project").glob("ledger.db*"):
            shutil.copy2(path, self.cli.cwd / ".perdure" / path.name)

    def put_older_backup_back(self) -> None:
        shutil.rmtree(self.home / "backups")
        shutil.copytree(self._aside / "backups", self.home / "backups")

    def cut(self) -> None:
        self.put_older_ledger_back()
        self.put_older_backup_back()

    def move(self, way: Callable[[Path, Path], None], new: Path) -> None:
        way(self.cli.cwd, new)
        self.cli = Cli(new, self.cli.environment)

    def clone(self, new: Path) -> Cli:
        git(self.cli.cwd, self.cli.environment, "clone", "-q", str(self.cli.cwd), str(new))
        return Cli(new, self.cli.environment)


def ends(cli: Cli) -> dict[str, int]:
    """The number of events of each chain in the ledger."""
    found: dict[str, int] = {}
    for line in map(json.loads, cli("export").out.splitlines()):
        if "seq" in line:
            found[line["ledger_id"]] = max(line["seq"], found.get(line["ledger_id"], 0))
    return found


@pytest.fixture
def work(cli: Cli, tmp_path: Path) -> Work:
    return Work(cli, tmp_path / "home", tmp_path / "older")


def verified(cli: Cli) -> dict[str, Any]:
    found: dict[str, Any] = cli("audit", "verify", "--json").json
    return found


def is_whole(cli: Cli) -> bool:
    return bool(verified(cli)["whole"]) and bool(cli("heal", "--check", "--json").json["whole"])


def accuses(cli: Cli, chain: str) -> bool:
    return any(each["check"] == "signed heads" and each["ledger_id"] == chain for each in verified(cli)["findings"])


def names_loss(lost: list[str], chain: str) -> bool:
    return any(f"of ledger {chain[:8]}" in each for each in lost)


def ends_with_acknowledgement(cli: Cli) -> None:
    cli.ok("audit", "acknowledge", "--because", "it is lost")
    assert is_whole(cli)
    cli.ok("note", "finding", "the work goes on")
    assert cli.ok("heal")["lost"] == []
    assert is_whole(cli)


# -- moved, and cut ----------------------------------------------------------------------------------------------------


def cut_then_moved(work: Work, new: Path) -> None:
    work.cut()
    work.move(renamed, new)


def cut_then_copied_and_deleted(work: Work, new: Path) -> None:
    work.cut()
    work.move(copied_and_deleted, new)


def moved_then_cut(work: Work, new: Path) -> None:
    work.move(renamed, new)
    work.cut()


def used_after_the_move_then_cut(work: Work, new: Path) -> None:
    work.move(renamed, new)
    work.cli.ok("note", "finding", "in the new place")
    work.cut()


def moved_twice_then_cut(work: Work, new: Path) -> None:
    used_after_the_move_then_cut(work, new.with_name("between"))
    work.move(renamed, new)


def cut_then_moved_and_another_repository_put_there(work: Work, new: Path) -> None:
    old = work.cli.cwd
    cut_then_moved(work, new)
    another = new_repository(old, work.cli.environment)
    (another / ".perdure").mkdir()
    shutil.copy(new / ".perdure" / "project.toml", another / ".perdure")


CUTS = (
    cut_then_moved,
    cut_then_copied_and_deleted,
    moved_then_cut,
    used_after_the_move_then_cut,
    moved_twice_then_cut,
    cut_then_moved_and_another_repository_put_there,
)


@pytest.mark.parametrize("harm", CUTS, ids=lambda harm: harm.__name__)
def test_what_was_signed_before_a_move_is_missed_after_it(
    work: Work, tmp_path: Path, harm: Callable[[Work, Path], None]
) -> None:
    harm(work, tmp_path / "new place")
    assert not is_whole(work.cli)
    healed = work.cli("heal", "--json")
    assert healed.code == 1
    assert names_loss(healed.json["lost"], work.chain)
    assert accuses(work.cli, work.chain)
    again = work.cli("heal", "--json")
    assert (again.code, again.json["mended"]) == (1, []), "said once, and not forgotten"
    assert accuses(work.cli, work.chain)
    ends_with_acknowledgement(work.cli)
    work.move(renamed, tmp_path / "a third place")
    assert is_whole(work.cli), "what was accepted stays accepted"
    work.cli.ok("note", "finding", "there")
    assert is_whole(work.cli)


def test_what_was_signed_before_a_move_comes_back_from_the_backup(work: Work, tmp_path: Path) -> None:
    work.put_older_ledger_back()
    work.move(renamed, tmp_path / "new place")
    assert not verified(work.cli)["whole"]
    assert work.cli.ok("heal")["whole"]
    assert is_whole(work.cli)
    assert ends(work.cli)[work.chain] > work.end


# -- cloned where the original is gone ---------------------------------------------------------------------------------


def older_backup(work: Work) -> None:
    work.put_older_backup_back()


def no_backup(work: Work) -> None:
    shutil.rmtree(work.home / "backups")


@pytest.mark.parametrize("harm", [older_backup, no_backup], ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("command", ["init", "heal"])
def test_a_clone_of_a_project_that_is_gone_names_what_was_signed_and_is_lost(
    work: Work, tmp_path: Path, harm: Callable[[Work], None], command: str
) -> None:
    clone = work.clone(tmp_path / "clone")
    shutil.rmtree(work.cli.cwd)
    harm(work)
    said = clone(command, *(["--no-client"] if command == "init" else []))
    assert f"of ledger {work.chain[:8]}" in said.out + said.err
    assert accuses(clone, work.chain)
    assert clone("heal").code == 1
    assert accuses(clone, work.chain)
    ends_with_acknowledgement(clone)


def test_a_clone_of_a_project_that_is_gone_is_whole_with_its_backup(work: Work, tmp_path: Path) -> None:
    clone = work.clone(tmp_path / "clone")
    shutil.rmtree(work.cli.cwd)
    clone.ok("init", "--no-client")
    assert is_whole(clone)
    work.cli = clone
    assert ends(work.cli)[work.chain] > work.end


# -- nobody is accused of what another folder has ----------------------------------------------------------------------


def test_a_copy_that_is_older_than_the_heads_of_its_original_is_whole_beside_it(work: Work, tmp_path: Path) -> None:
    copied(work.cli.cwd, tmp_path / "copy")
    copy = Cli(tmp_path / "copy", work.cli.environment)
    copy.ok("note", "finding", "in the copy")
    copy.ok("audit", "heads", "--sign")
    work.go_on()
    copied(work.cli.cwd, tmp_path / "a later copy")
    work.go_on()
    later = Cli(tmp_path / "a later copy", work.cli.environment)
    later.ok("note", "finding", "in the later copy")
    for each in (work.cli, copy, later):
        assert verified(each)["whole"]
        assert each.ok("heal")["lost"] == []
        assert is_whole(each)
    work.move(renamed, tmp_path / "moved")
    assert verified(copy)["whole"], "the original was moved, and no command ran in its new place yet"
    work.cli.ok("note", "finding", "in the new place")
    for each in (work.cli, copy, later):
        assert verified(each)["whole"]
    shutil.rmtree(work.cli.cwd)
    for each in (copy, later):
        assert verified(each)["whole"], "the backup has what only the original had"
        assert each.ok("heal")["lost"] == []
        assert is_whole(each)


def test_a_copy_of_a_cut_ledger_does_not_hide_the_cut_once_the_original_is_gone(work: Work, tmp_path: Path) -> None:
    work.cut()
    copied(work.cli.cwd, tmp_path / "copy")
    copy = Cli(tmp_path / "copy", work.cli.environment)
    copy.ok("note", "finding", "in the copy")
    assert accuses(work.cli, work.chain)
    shutil.rmtree(work.cli.cwd)
    assert accuses(copy, work.chain)
    copy("heal")
    assert accuses(copy, work.chain)
    ends_with_acknowledgement(copy)


def test_a_clone_with_a_record_of_its_own_is_whole_whatever_becomes_of_the_original(work: Work, tmp_path: Path) -> None:
    clone = work.clone(tmp_path / "clone")
    clone.ok("init", "--no-client")
    clone.ok("note", "finding", "in the clone")
    clone.ok("audit", "heads", "--sign")
    work.go_on()
    assert is_whole(clone)
    shutil.rmtree(work.cli.cwd)
    assert is_whole(clone)
    shutil.rmtree(work.home / "backups")
    clone.ok("heal")
    assert is_whole(clone), "the record of the original was never here"


def test_a_clone_that_was_restored_is_whole_when_the_original_comes_back_and_goes_on(
    work: Work, tmp_path: Path
) -> None:
    """Its disk was not mounted."""
    clone = work.clone(tmp_path / "clone")
    original = work.cli.cwd
    original.rename(tmp_path / "unmounted")
    clone.ok("init", "--no-client")
    assert is_whole(clone)
    (tmp_path / "unmounted").rename(original)
    work.go_on()
    assert verified(work.cli)["whole"]
    assert verified(clone)["whole"]


def test_a_repository_that_only_claims_the_id_is_not_told_what_was_signed(work: Work, tmp_path: Path) -> None:
    stranger = Cli(new_repository(tmp_path / "stranger", work.cli.environment), work.cli.environment)
    (stranger.cwd / "theirs").write_text("theirs\n")
    git(stranger.cwd, stranger.environment, "add", "theirs")
    git(stranger.cwd, stranger.environment, "commit", "-q", "--amend", "-m", "another first one")
    (stranger.cwd / ".perdure").mkdir()
    shutil.copy(work.cli.cwd / ".perdure" / "project.toml", stranger.cwd / ".perdure")
    shutil.rmtree(work.cli.cwd)
    assert work.chain not in stranger("audit", "verify", "--json").out
    stranger.ok("init", "--no-client")
    assert is_whole(stranger)


@pytest.mark.parametrize("way", ["in its place", "after a move", "in a clone"])
def test_a_loss_that_a_person_accepted_is_not_named_again_when_the_ledger_is_restored(
    work: Work, tmp_path: Path, way: str
) -> None:
    work.cut()
    if way == "after a move":
        work.move(renamed, tmp_path / "new place")
    work.cli("heal")
    ends_with_acknowledgement(work.cli)
    here = work.clone(tmp_path / "clone") if way == "in a clone" else work.cli
    if way == "in a clone":
        shutil.rmtree(work.cli.cwd)
    for path in (here.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    assert here.ok("heal")["lost"] == []
    assert is_whole(here)


def test_status_says_at_once_that_a_moved_project_got_an_older_ledger(work: Work, tmp_path: Path) -> None:
    work.move(renamed, tmp_path / "moved")
    work.put_older_ledger_back()
    assert "nothing can be recorded" in work.cli("status").out, "before any other command"
    assert work.cli("note", "finding", "x").code == 1
    assert work.cli.ok("heal")["lost"] == []
    assert "nothing can be recorded" not in work.cli("status").out
    work.cli.ok("note", "finding", "x")


# -- what only the backup has ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_signed", [True, False], ids=["signed", "not signed"])
def test_a_copy_that_was_cut_is_not_called_whole_after_its_original_is_gone(
    cli: Cli, tmp_path: Path, is_signed: bool
) -> None:
    """A command ran in the copy while the original was there, so the copy went on in a chain of its own."""
    cli.ok("note", "finding", "the first one")
    copy = Cli(tmp_path / "copy", cli.environment)
    shutil.copytree(cli.cwd, copy.cwd, symlinks=True)
    cli.ok("note", "finding", "only in the original")
    if is_signed:
        cli.ok("audit", "heads", "--sign")
    copy.ok("note", "finding", "in the copy")
    assert is_whole(copy)
    shutil.rmtree(cli.cwd)
    assert not verified(copy)["whole"]
    assert not copy("heal", "--check", "--json").json["whole"]
    copy.ok("heal")
    assert is_whole(copy)
    assert "only in the original" in copy("export").out


# -- a head follows its ledger -----------------------------------------------------------------------------------------


def exchanged(one: Path, other: Path) -> None:
    aside = one.with_name("aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


def test_two_folders_that_were_exchanged_are_both_whole(work: Work, tmp_path: Path) -> None:
    copy = Cli(tmp_path / "copy", work.cli.environment)
    shutil.copytree(work.cli.cwd, copy.cwd, symlinks=True)
    for cli in (copy, work.cli):
        cli.ok("note", "finding", "written after they parted")
        cli.ok("audit", "heads", "--sign")
    exchanged(work.cli.cwd, copy.cwd)
    for cli in (work.cli, copy):
        assert is_whole(cli), verified(cli)["findings"]
        assert cli.ok("heal")["lost"] == []
    for cli in (work.cli, copy):
        assert is_whole(cli), verified(cli)["findings"]


def test_a_copy_in_the_place_of_a_project_that_moved_away_is_not_accused(work: Work, tmp_path: Path) -> None:
    first, second = Cli(tmp_path / "c", work.cli.environment), Cli(tmp_path / "c2", work.cli.environment)
    shutil.copytree(work.cli.cwd, first.cwd, symlinks=True)
    first.ok("note", "finding", "in the copy")
    first.ok("audit", "heads", "--sign")
    first.cwd.rename(second.cwd)
    second.ok("note", "finding", "more")
    second.ok("audit", "heads", "--sign")
    shutil.copytree(work.cli.cwd, first.cwd, symlinks=True)
    assert is_whole(first), verified(first)["findings"]
    first.ok("note", "finding", "later")
    assert first.ok("heal")["lost"] == []
    assert is_whole(first)
    shutil.rmtree(second.cwd / ".perdure")
    assert not verified(first)["whole"], "now nobody has what was signed in this folder"


def test_a_copy_elsewhere_does_not_excuse_a_ledger_that_was_replaced(work: Work, tmp_path: Path) -> None:
    """The copy has all that was signed. But it is a record of its own, and the project's own record is gone."""
    copy = Cli(tmp_path / "copy", work.cli.environment)
    shutil.copytree(work.cli.cwd, copy.cwd, symlinks=True)
    copy.ok("note", "finding", "in the copy")
    other = new_repository(tmp_path / "other", work.cli.environment)
    Cli(other, work.cli.environment).ok("init", "--no-client")
    for path in (work.cli.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    shutil.copy2(other / ".perdure" / "ledger.db", work.cli.cwd / ".perdure" / "ledger.db")
    assert accuses(work.cli, work.chain)
