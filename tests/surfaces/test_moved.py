"""A project that was moved or copied, as its clients and people meet it (SPEC 3.5): everything that names its path
follows, and nothing is made up where it lay."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Cli, new_repository
from tests.surfaces.test_hooks import FLAGS, Hooks


def renamed(old: Path, new: Path) -> None:
    new.parent.mkdir(parents=True, exist_ok=True)
    os.rename(old, new)


def copied_and_deleted(old: Path, new: Path) -> None:
    """What mv does across file systems."""
    copied(old, new)
    shutil.rmtree(old)


def copied(old: Path, new: Path) -> None:
    new.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-r", str(old), str(new)], check=True)


WAYS: dict[str, Callable[[Path, Path], None]] = {
    "moved": renamed,
    "moved across file systems": copied_and_deleted,
    "copied": copied,
}
every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())


def started(cli: Cli, folder: Path, session: str) -> Hooks:
    """A client in the folder, whose hooks run below this process."""
    hooks = Hooks(Cli(folder, cli.environment))
    hooks("SessionStart", session=session, source="startup")
    return hooks


@every_way
@pytest.mark.parametrize("cleared", ["by the client's start", "by heal", "by any write"])
def test_after_a_closed_transaction_the_next_one_opens_the_gate(
    cli: Cli, repository: Path, tmp_path: Path, way: Callable[[Path, Path], None], cleared: str
) -> None:
    cli.ok("preflight", *FLAGS)
    cli.ok("postflight", *FLAGS)
    new = tmp_path / "new place" / "shop"
    way(repository, new)
    here = Cli(new, cli.environment)
    if cleared == "by heal":
        here.ok("heal")
    elif cleared == "by any write":
        here.ok("note", "finding", "it is here now")
    hooks = started(cli, new, "s-1")
    assert "You have no open transaction" in hooks.bash("touch b", session="s-1")
    opened = here.ok("preflight", *FLAGS)
    assert opened["project_path"] == str(new)
    assert hooks.bash("touch b", session="s-1") == ""
    assert here.ok("heal", "--check")["whole"]
    for file in (new / ".perdure").glob("active_transaction_*.json"):
        assert json.loads(file.read_text())["project_path"] == str(new)


@pytest.mark.parametrize("way", [renamed, copied_and_deleted])
def test_an_open_transaction_goes_on_where_the_project_lies_now(
    cli: Cli, repository: Path, tmp_path: Path, way: Callable[[Path, Path], None]
) -> None:
    hooks = started(cli, repository, "s-1")
    opened = cli.ok("preflight", *FLAGS)
    assert hooks.bash("touch b", session="s-1") == ""
    new = tmp_path / "new"
    way(repository, new)
    here = Cli(new, cli.environment)
    named = ("--project-path", str(new))
    checked = here("heal", "--check", "--json", *named)
    assert (checked.code, checked.json["whole"]) == (1, False), "what the gate will deny is not called whole"
    if not repository.exists():
        running = Hooks(Cli(tmp_path, cli.environment))
        assert "perdure project switch PATH" in running.bash("make", session="s-1", cwd=str(repository))
    here.ok("project", "switch", str(new))
    assert Hooks(here).bash("touch b", session="s-1") == ""
    assert here.ok("heal", "--check")["whole"]
    assert here.ok("postflight", *FLAGS)["transaction_id"] == opened["transaction_id"]


@pytest.mark.parametrize("cleared", ["by heal", "by preflight"])
def test_an_open_transaction_stays_with_the_original_of_a_copy(
    cli: Cli, repository: Path, tmp_path: Path, cleared: str
) -> None:
    hooks = started(cli, repository, "s-1")
    opened = cli.ok("preflight", *FLAGS)
    copy = tmp_path / "copy"
    copied(repository, copy)
    named = ("--project-path", str(copy))
    assert hooks.bash(f"touch {copy}/c", session="s-1") != ""
    if cleared == "by heal":
        said = cli.ok("heal", *named)["notice"]
        assert opened["transaction_id"][:8] in said
        assert f"is a copy of the project in {repository}. Closed here without an assessment" in said
        assert "notice" not in cli.ok("heal", *named), "it is said once"
        assert "You have no open transaction" in hooks.bash(f"touch {copy}/c", session="s-1")
    there = cli.ok("preflight", *FLAGS, *named)
    assert there["transaction_id"] != opened["transaction_id"]
    assert hooks.bash(f"touch {copy}/c", session="s-1") == ""
    assert cli.ok("postflight", *FLAGS, *named)["transaction_id"] == there["transaction_id"]
    assert "You have no open transaction" in hooks.bash(f"touch {copy}/c", session="s-1")
    assert cli.ok("postflight", *FLAGS)["transaction_id"] == opened["transaction_id"]
    assert cli.ok("audit", "verify", *named)["whole"]


@pytest.mark.parametrize("first", ["a note", "a client's start"])
def test_whoever_writes_first_in_a_copy_is_told_what_was_closed_there(
    cli: Cli, repository: Path, tmp_path: Path, first: str
) -> None:
    opened = cli.ok("preflight", *FLAGS, PERDURE_INSTANCE="job")["transaction_id"]
    copied(repository, tmp_path / "copy")
    here = Cli(tmp_path / "copy", cli.environment)
    if first == "a note":
        said = here("note", "finding", "it is here now").out.splitlines()[0]
    else:
        said = Hooks(here).told("SessionStart", source="startup")
    assert f"still open there: {opened[:8]}. To work here: perdure preflight" in said
    assert cli.ok("transaction", "show", opened[:8], "--project-path", str(repository))["status"] == "open"


def test_heal_builds_nothing_where_a_project_lay(cli: Cli, repository: Path, tmp_path: Path) -> None:
    started(cli, repository, "s-1")
    cli.ok("preflight", *FLAGS)
    new = tmp_path / "new"
    renamed(repository, new)
    away = Cli(tmp_path, cli.environment)
    for words in (("heal",), ("heal", "--check"), ("doctor", "--no-client")):
        done = away(*words, "--json")
        assert done.code == 1, done
        assert "perdure project switch PATH" in done.out
    assert not repository.exists()
    away.ok("project", "switch", str(new))
    assert Hooks(Cli(new, cli.environment)).bash("touch b", session="s-1") == ""


def test_every_binding_follows_a_move_and_a_new_clone_at_the_old_path_is_nobodys(
    cli: Cli, repository: Path, tmp_path: Path
) -> None:
    hooks = started(cli, repository, "s-1")
    cli.ok("preflight", *FLAGS)
    new = tmp_path / "new"
    renamed(repository, new)
    cli("note", "finding", "met", "--project-path", str(new), cwd=tmp_path)
    repository.mkdir()
    bindings = [json.loads(path.read_text()) for path in (tmp_path / "home" / "bindings").rglob("*.json")]
    assert bindings
    assert {binding["project_path"] for binding in bindings} == {str(new)}
    assert hooks.cli.ok("where")["project_path"] == str(new)


def test_a_copy_goes_on_though_its_original_cannot_be_read(cli: Cli, repository: Path, tmp_path: Path) -> None:
    cli.ok("note", "finding", "before")
    copy = tmp_path / "copy"
    copied(repository, copy)
    (repository / ".perdure" / "ledger.db").write_bytes(b"no ledger any more" * 1000)
    here = Cli(copy, cli.environment)
    here.ok("note", "finding", "after", "--project-path", str(copy))
    assert here.ok("heal", "--check", "--project-path", str(copy))["whole"]


def test_a_rename_of_a_folder_above_moves_every_project_below_it(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    roots = [new_repository(tmp_path / "work" / name, environment) for name in ("one", "two")]
    for root in roots:
        cli.ok("init", cwd=root)
        cli.ok("preflight", *FLAGS, cwd=root, PERDURE_INSTANCE="job")
        cli.ok("postflight", *FLAGS, cwd=root, PERDURE_INSTANCE="job")
    renamed(tmp_path / "work", tmp_path / "jobs")
    for name in ("one", "two"):
        root = tmp_path / "jobs" / name
        opened = cli.ok("preflight", *FLAGS, cwd=root, PERDURE_INSTANCE="job")
        assert opened["project_path"] == str(root)
        cli.ok("postflight", *FLAGS, cwd=root, PERDURE_INSTANCE="job")
    paths = {entry["project_path"] for entry in cli.ok("project", "list")}
    assert {str(tmp_path / "jobs" / "one"), str(tmp_path / "jobs" / "two")} < paths
    assert not any("/work/" in path for path in paths)


# -- a store that names another place than the home knows --------------------------------------------------------------


def named_in_the_store(root: Path, column: str, place: str) -> None:
    with closing(sqlite3.connect(root / ".perdure" / "ledger.db")) as db, db:
        db.execute(f"UPDATE origin SET {column} = ?", (place,))


def findings(cli: Cli) -> str:
    return str([each["what"] for each in cli("audit", "verify", "--json").json["findings"]])


@pytest.mark.parametrize("cleared", ["by heal", "by a note"])
@pytest.mark.parametrize("mark", ["there", "gone"])
@pytest.mark.parametrize(("column", "place"), [("machine", "ffff"), ("root", "/elsewhere"), ("root", "other project")])
def test_a_store_that_names_another_place_than_this_home_wrote_it_in_is_not_a_copy(
    cli: Cli, repository: Path, tmp_path: Path, column: str, place: str, mark: str, cleared: str
) -> None:
    other = Cli(new_repository(tmp_path / "other", cli.environment), cli.environment)
    other.ok("init")
    cli.ok("audit", "heads", "--sign")
    opened = cli.ok("preflight", *FLAGS, PERDURE_INSTANCE="job")["transaction_id"]
    if mark == "gone":  # a head that was signed here proves as much
        (repository / ".perdure" / "own_ledger").unlink()
    named_in_the_store(repository, column, place.replace("other project", str(other.cwd)))
    assert "and this home wrote it here" in findings(cli)
    if cleared == "by heal":
        assert any("said that it was written in another place" in each for each in cli.ok("heal")["mended"])
    else:
        said = cli("note", "finding", "the work goes on").out
        assert "said that it was written in another place" in said
        assert "copy" not in said
    assert findings(cli) == "[]"
    assert cli.ok("transaction", "show", opened[:8])["status"] == "open"
    assert str(other.cwd) in str(cli.ok("project", "list")), "the other project is still known"


def test_a_home_and_project_restored_on_another_machine_are_a_copy_as_before(cli: Cli, repository: Path) -> None:
    """The mark does not fit there, and no head was signed there: nothing proves that the machine is the same."""
    opened = cli.ok("preflight", *FLAGS, PERDURE_INSTANCE="job")["transaction_id"]
    (repository / ".perdure" / "own_ledger").write_text("of another machine\n")
    named_in_the_store(repository, "machine", "ffff")
    assert findings(cli) == "[]"
    said = cli("note", "finding", "it is here now").out
    assert f"is a copy of the project in {repository} on another machine" in said
    assert cli.ok("transaction", "show", opened[:8])["status"] == "closed"
    assert findings(cli) == "[]"


@every_way
def test_status_does_not_say_proceed_where_the_gate_denies(
    cli: Cli, repository: Path, tmp_path: Path, way: Callable[[Path, Path], None]
) -> None:
    """Nothing was written in the new place yet, so that the transaction names the old one."""
    started(cli, repository, "s-1")
    cli.ok("preflight", *FLAGS)
    assert "proceed" in cli("status").out
    new = tmp_path / "new place" / "shop"
    way(repository, new)
    said = cli("status", "--project-path", str(new), cwd=new).out
    assert "proceed" not in said
    assert "denied here" in said
    assert "heal" in said


def test_status_does_not_say_proceed_while_the_transaction_file_is_not_as_written(cli: Cli, repository: Path) -> None:
    cli.ok("preflight", *FLAGS)
    (file,) = (repository / ".perdure").glob("active_transaction_*.json")
    file.unlink()
    said = cli("status").out
    assert "proceed" not in said
    assert "denied here" in said


def test_status_says_of_an_older_transaction_file_what_the_gate_does_with_it(cli: Cli, repository: Path) -> None:
    hooks = started(cli, repository, "s-1")
    cli.ok("preflight", *FLAGS)
    (file,) = (repository / ".perdure").glob("active_transaction_*.json")
    older = file.read_text()
    cli.ok("check", *FLAGS)
    file.write_text(older)
    assert hooks.bash("touch a") == ""
    said = cli("status").out
    assert f"{file.name} does not match the ledger. perdure heal writes it again" in said
    assert "denied here" not in said
    cli("check", "--know", "0.2", "--uncertainty", "0.9", "--because", "lost the thread")
    older = file.read_text()
    cli.ok("note", "finding", "it is in the parser")
    cli.ok("check", *FLAGS)
    file.write_text(older)
    assert hooks.bash("touch a") != ""
    said = cli("status").out
    assert "denied here" in said
    assert f"{file.name} does not match the ledger; the gate will deny. perdure heal writes it again" in said


def test_the_status_line_of_a_moved_project_names_the_command_that_helps(cli: Cli, tmp_path: Path) -> None:
    hooks = started(cli, cli.cwd, "s-1")
    cli.ok("preflight", *FLAGS)
    new = tmp_path / "new place"
    renamed(cli.cwd, new)
    hooks.cli = Cli(new, cli.environment)
    assert "perdure heal" in hooks("statusLine", session="s-1", cwd=str(new)).out
    shutil.rmtree(new)
    hooks.cli = Cli(tmp_path, cli.environment)
    assert "perdure project switch PATH" in hooks("statusLine", session="s-1", cwd=str(tmp_path)).out
