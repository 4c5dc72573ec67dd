"""Who else may write what Perdure relies on; and a `.perdure` that is somebody else's by a link (SPEC 3.5, 19)."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from perdure.files import way_in
from perdure.place import rights

from ..conftest import Cli, git, new_repository
from ..surfaces.test_hooks import Hooks

OPEN = {
    "home": (0o777, 0o755),
    "home/keys": (0o777, 0o755),
    "home/keys/signing.key": (0o666, 0o600),
    "home/keys/view.key": (0o644, 0o600),
    "home/keys/signers": (0o666, 0o644),
    "home/bindings": (0o770, 0o750),
    "home/backups": (0o777, 0o755),
    "shop/.perdure": (0o755, 0o700),
    "shop/.perdure/ledger.db": (0o644, 0o600),
    "shop/.perdure/own_ledger": (0o644, 0o600),
}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def signed(cli: Cli) -> Cli:
    cli.ok("preflight", "--know", "0.8", "--uncertainty", "0.2", "--because", "x")
    cli.ok("audit", "heads", "--sign")
    assert cli.ok("status")["warnings"] == []
    return cli


@pytest.mark.parametrize("name", OPEN)
def test_what_others_may_write_is_told_by_status_and_the_advice_closes_it(
    signed: Cli, tmp_path: Path, name: str
) -> None:
    path, (given, wanted) = tmp_path / name, OPEN[name]
    path.chmod(given)
    (said,) = signed.ok("status")["warnings"]
    assert said.startswith(f"{path} can be ")
    assert mode(path) == given
    subprocess.run(shlex.split(said[said.index("chmod ") :]), check=True)
    assert mode(path) == wanted
    assert signed.ok("status")["warnings"] == []


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("shop/.perdure/ledger.db", 0o444, 0o600),
        ("shop/.perdure", 0o555, 0o700),
        ("home/backups", 0o022, 0o700),
        ("home/keys/signing.key", 0o044, 0o600),
    ],
)
def test_what_only_others_could_still_use_is_ours_again_after_the_advice(
    signed: Cli, tmp_path: Path, name: str, given: int, wanted: int
) -> None:
    """To take rights from others and leave our own as they are would lock us out of our own record."""
    path = tmp_path / name
    path.chmod(given)
    advice = next(each.fix for each in rights.exposed(str(tmp_path / "home"), str(tmp_path / "shop/.perdure")))
    subprocess.run(shlex.split(advice), check=True)
    assert mode(path) == wanted
    assert signed.ok("status")["warnings"] == []


@pytest.mark.parametrize("name", OPEN)
def test_a_session_start_closes_it_and_says_so(signed: Cli, tmp_path: Path, name: str) -> None:
    path, (given, wanted) = tmp_path / name, OPEN[name]
    path.chmod(given)
    told = Hooks(signed).told("SessionStart", source="startup")
    assert f"{path} was open to other users (mode {given:04o})" in told
    assert ("key rotate" in told) == name.endswith("signing.key")
    assert mode(path) == wanted
    assert "open to other users" not in Hooks(signed).told("SessionStart", source="resume")


def test_init_closes_it_and_says_so(signed: Cli) -> None:
    folder = signed.cwd / ".perdure"
    folder.chmod(0o777)
    assert f"{folder} was open to other users" in signed.ok("init")["warnings"][0]
    assert mode(folder) == 0o700


@pytest.mark.parametrize("name", OPEN)
def test_audit_verify_and_doctor_name_it_and_heal_closes_it(signed: Cli, tmp_path: Path, name: str) -> None:
    path, (given, wanted) = tmp_path / name, OPEN[name]
    path.chmod(given)
    verified = signed.ok("audit", "verify")
    assert verified["whole"]
    assert any(each.startswith(f"{path} can be ") for each in verified["remarks"])
    assert f"{path} can be " in signed("doctor").out
    assert any(each.startswith(f"{path} was open to other users") for each in signed.ok("heal")["mended"])
    assert mode(path) == wanted
    assert not any("can be" in each for each in signed.ok("audit", "verify")["remarks"])
    assert signed.ok("heal")["mended"] == []


def test_a_transaction_file_that_others_may_read_is_named_and_passes_as_the_gate_says(signed: Cli) -> None:
    hooks = Hooks(signed)
    (file,) = (signed.cwd / ".perdure").glob("active_transaction_*.json")
    file.chmod(0o644)
    said = signed("status").out
    assert "denied here" not in said
    assert "proceed" in said
    assert f"{file} can be read by other users" in said
    assert hooks.bash("touch a") == ""
    assert signed.ok("heal", "--check")["whole"]
    signed.ok("heal")
    assert mode(file) == 0o600


def test_after_git_put_everything_back_heal_gives_the_modes_that_init_gives(signed: Cli) -> None:
    folder = signed.cwd / ".perdure"
    before = {path.name: mode(path) for path in (folder, *folder.iterdir())}
    git(signed.cwd, signed.environment, "stash", "-q", "-a")
    git(signed.cwd, signed.environment, "stash", "pop", "-q")
    assert mode(folder / "ledger.db") != before["ledger.db"]
    said = signed("status").out
    assert "denied here" not in said
    assert f"{folder / 'ledger.db'} can be read by other users" in said
    signed.ok("heal")
    after = {path.name: mode(path) for path in (folder, *folder.iterdir())}
    empty = ("observing", "ledger.db-queue")
    assert {name: after[name] for name in before if name not in empty} == {
        name: before[name] for name in before if name not in empty
    }
    assert signed.ok("status")["warnings"] == []


def without_privileges(cli: Cli, *words: str) -> subprocess.CompletedProcess[str]:
    """Root may write everything, whatever a file's mode says."""
    drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    if drop and shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed, and root is kept out by no mode")
    command = [*drop, *cli.command(*words)]
    return subprocess.run(command, cwd=cli.cwd, env=cli.environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "shut"), [("ledger.db", 0o400), ("ledger.db", 0), ("", 0o500), ("", 0), ("project.toml", 0)]
)
def test_the_advised_command_opens_what_its_owner_may_not_use(cli: Cli, name: str, shut: int) -> None:
    (cli.cwd / ".perdure" / name).chmod(shut)
    said = without_privileges(cli, "note", "finding", "x")
    assert said.returncode == 3, said
    assert "chmod u+rwX " in said.stderr, said.stderr
    subprocess.run(shlex.split(said.stderr[said.stderr.index("chmod ") :]), check=True)
    assert without_privileges(cli, "note", "finding", "x").returncode == 0


def test_a_record_that_was_read_while_it_could_not_be_written_can_be_written_afterwards(cli: Cli) -> None:
    """SQLite gives the files beside the ledger its mode, and leaves them there where it may not remove them."""
    ledger = cli.cwd / ".perdure" / "ledger.db"
    ledger.chmod(0o400)
    assert without_privileges(cli, "status").returncode == 0
    assert mode(ledger.with_name("ledger.db-shm")) == 0o400
    ledger.chmod(0o600)
    assert without_privileges(cli, "note", "finding", "x").returncode == 0


def test_what_belongs_to_another_user_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "theirs").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert "belongs to another user" in way_in(str(tmp_path / "theirs"))


def test_a_link_that_a_repository_brings_has_nothing_of_ours_changed(signed: Cli, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("x")
    elsewhere.chmod(0o644)
    (signed.cwd / ".perdure" / "ledger.db.foreign-2026").symlink_to(elsewhere)
    signed.ok("heal")
    Hooks(signed).told("SessionStart", source="startup")
    assert mode(elsewhere) == 0o644


def test_heal_says_nothing_of_what_a_disk_does_not_let_it_change(
    signed: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = signed.cwd / ".perdure" / "ledger.db"
    ledger.chmod(0o644)
    monkeypatch.setattr(os, "chmod", lambda *_: None)
    assert rights.close(str(tmp_path / "home"), str(ledger.parent)) == []


def test_the_folder_of_a_clone_is_closed_when_its_record_begins(tmp_path: Path, environment: dict[str, str]) -> None:
    made = new_repository(tmp_path / "clone", environment)
    (made / ".perdure").mkdir(mode=0o755)
    cli = Cli(made, environment)
    assert cli.ok("init")["warnings"] == []
    assert mode(made / ".perdure") == 0o700


def test_a_disk_that_keeps_no_rights_locks_nobody_out(
    signed: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "home" / "keys" / "signing.key"
    key.chmod(0o777)
    monkeypatch.setattr(os, "chmod", lambda *_: None)
    (said,) = rights.tighten(str(tmp_path / "home"), None)
    assert "does not let that be changed" in said
    signed.ok("audit", "heads", "--sign")
    signed.ok("check", "--know", "0.8", "--uncertainty", "0.2", "--because", "x")


def test_nothing_is_said_of_a_home_that_is_not_there(tmp_path: Path) -> None:
    assert rights.exposed(str(tmp_path / "none"), str(tmp_path / "no project")) == []


# -- links -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def clone(tmp_path: Path, cli: Cli) -> Cli:
    """A repository that brings a link to the record of a project of ours."""
    root = new_repository(tmp_path / "clone", cli.environment)
    (root / ".perdure").symlink_to("../shop/.perdure")
    return Cli(root, cli.environment)


def events(cli: Cli) -> list[str]:
    return cli("export").out.splitlines()


@pytest.mark.parametrize("words", ["note finding x", "preflight --know 0.8 --uncertainty 0.2", "init", "session start"])
def test_a_link_to_another_projects_record_is_not_a_way_into_it(cli: Cli, clone: Cli, words: str) -> None:
    before = events(cli)
    for extra in ((), ("--project-path", str(clone.cwd))):
        if words != "init" or not extra:
            assert clone(*words.split(), *extra, "--json").code == 1
    assert events(cli) == before
    assert cli("audit", "verify").code == 0


def test_the_way_out_of_a_linked_record_leads_out(cli: Cli, clone: Cli) -> None:
    error = clone("init", "--json").error
    assert (error["code"], error["details"]["other"]) == ("folder_borrowed", str(cli.cwd))
    (clone.cwd / ".perdure").unlink()
    clone.ok("init")
    clone.ok("note", "finding", "in its own ledger")
    assert cli.ok("note", "list") == []
    assert cli("heal", "--check").code == 0


def test_a_ledger_that_is_a_link_is_not_opened_and_heal_brings_one_of_its_own(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    other = Cli(new_repository(tmp_path / "other", environment), environment)
    other.ok("init")
    ledger = other.cwd / ".perdure" / "ledger.db"
    ledger.unlink()
    ledger.symlink_to(cli.cwd / ".perdure" / "ledger.db")
    before = events(cli)
    for words in ("note finding x", "status"):
        assert other(*words.split(), "--json").error["code"] == "folder_borrowed"
    assert events(cli) == before
    other.ok("heal")
    other.ok("note", "finding", "in its own ledger")
    assert events(cli) == before


@pytest.mark.parametrize("target", ["other", "shop/src", "far/docs", "empty"])
def test_a_link_in_the_place_of_the_folder_is_not_written_through(
    tmp_path: Path, cli: Cli, environment: dict[str, str], target: str
) -> None:
    """To another repository, to a folder of a project, to one of its own, to one that holds nothing."""
    root = new_repository(tmp_path / "far", environment)
    new_repository(tmp_path / "other", environment)
    aimed = tmp_path / target
    aimed.mkdir(exist_ok=True)
    (root / ".perdure").symlink_to(aimed)
    git(root, environment, "add", ".perdure")
    git(root, environment, "commit", "-q", "-m", "a link")
    there = Cli(root, environment)
    before = sorted(aimed.iterdir())
    for words in ("init", "heal", "note finding x", "status", "audit verify", "session start"):
        there(*words.split())
    assert sorted(aimed.iterdir()) == before
    (root / ".perdure").unlink()
    there.ok("init")
    there.ok("note", "finding", "in a folder of its own")


@pytest.mark.parametrize("words", ["heal", "init"])
def test_a_link_that_took_the_place_of_a_record_is_named_and_the_record_comes_back(
    tmp_path: Path, cli: Cli, words: str
) -> None:
    cli.ok("note", "finding", "before")
    shutil.rmtree(cli.cwd / ".perdure")
    aimed = tmp_path / "aimed"
    aimed.mkdir()
    (cli.cwd / ".perdure").symlink_to(aimed)
    assert any(f"is a link to {aimed}" in each["what"] for each in cli("audit", "verify", "--json").json["findings"])
    assert f"is a link to {aimed}" in cli("heal", "--check").out
    hooked = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup", "cwd": str(cli.cwd)}
    cli("hook", "SessionStart", input=json.dumps(hooked))
    if words == "init":
        assert cli("init", "--json").error["code"] == "folder_borrowed"
        (cli.cwd / ".perdure").unlink()
    cli.ok(words)
    assert list(aimed.iterdir()) == []
    assert "before" in cli("export").out
    assert cli("audit", "verify").code == 0
