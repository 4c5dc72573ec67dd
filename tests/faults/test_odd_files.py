"""A folder, a pipe or a link where Perdure keeps a file (SPEC 16.3): `audit verify` names it, `heal` sets it aside and
deletes nothing, the work goes on, and no command waits for it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import effort
from tests.conftest import Cli, new_repository
from tests.effort import crossed
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_trust import backup_of, decisions, healed_and_whole
from tests.surfaces.test_hooks import Hooks

__all__ = ["ledger"]

LONGEST = 20.0
"""Seconds that a command may take here; one that waits for a pipe would never end."""


def folder(path: Path) -> None:
    path.mkdir()
    (path / "somebody's").write_text("work")


def link(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def circle(path: Path) -> None:
    """Two links, each to the other one."""
    path.symlink_to(f"{path.name}.other")
    path.with_name(f"{path.name}.other").symlink_to(path.name)


def socket(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)


def plain_file(path: Path) -> None:
    path.write_text("somebody's work")


Maker = Callable[[Path], None]
MAKERS = {"folder": folder, "link": link, "loop": loop, "pipe": pipe, "socket": socket}


def put(odd: Maker, *paths: Path) -> None:
    for path in paths:
        if os.path.lexists(path):
            path.rename(f"{path}.was")
        odd(path)


def named(ledger: Ledger) -> str:
    """What `audit verify` says, which must not call the record whole."""
    verified = ledger.cli("audit", "verify", "--json", timeout=LONGEST)
    assert verified.code == 1, verified
    return "\n".join(each["what"] for each in verified.json["findings"])


def assert_named_and_set_aside(ledger: Ledger, *paths: Path) -> None:
    said = named(ledger)
    assert not ledger.cli("heal", "--check", "--json", timeout=LONGEST).json["whole"]
    for path in paths:
        assert f"{path} is a" in said
    healed = healed_and_whole(ledger)
    for path in paths:
        assert any(f"{path} is a" in each and "set aside as" in each for each in healed["mended"])
        assert list(path.parent.glob(f"{path.name}.odd-*")), "nothing is deleted"
    ledger.cli.ok("note", "finding", "the work goes on")
    assert "use WAL" in decisions(ledger.cli)
    assert healed_and_whole(ledger)["mended"] == []


@crossed("suffix", ["", "-wal", "-shm", "-journal", "-queue"], "odd", MAKERS)
def test_what_is_not_a_file_beside_the_ledger_is_named_and_set_aside(ledger: Ledger, suffix: str, odd: str) -> None:
    path = Path(f"{ledger.path}{suffix}")
    put(MAKERS[odd], path)
    ledger.cli("note", "finding", "it does not wait", timeout=LONGEST)
    assert_named_and_set_aside(ledger, path)


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_a_link_beside_the_ledger_to_a_file_of_somebodys_is_set_aside_once(
    ledger: Ledger, suffix: str, tmp_path: Path
) -> None:
    path, theirs = Path(f"{ledger.path}{suffix}"), tmp_path / "theirs"
    theirs.write_text("somebody's work")
    put(lambda place: place.symlink_to(theirs), path)
    assert_named_and_set_aside(ledger, path)
    assert theirs.read_text() == "somebody's work"


@pytest.mark.parametrize("odd", MAKERS)
def test_what_is_not_a_file_in_the_project_is_named_and_set_aside(ledger: Ledger, odd: str) -> None:
    within = ledger.path.parent
    (view,) = within.glob("active_transaction*.json")
    names = [".gitignore", "project.toml", "config.toml", "damaged", "own_ledger", "own_ledger_file", view.name]
    names += ["observing", "redacting"]
    put(MAKERS[odd], *(within / name for name in names))
    assert_named_and_set_aside(ledger, *(within / name for name in names))


@pytest.mark.parametrize("odd", MAKERS)
def test_what_is_not_a_file_among_the_views_is_named_and_set_aside(ledger: Ledger, odd: str) -> None:
    ledger.cli.ok("handoff", "write", "--summary", "go on here")
    ledger.cli.ok("notes", "write")
    within = ledger.path.parent
    views = [path for name in ("handoffs", "trajectory") for path in sorted((within / name).iterdir())]
    assert {path.suffix for path in views} == {".json", ".md", ".jsonl"}
    put(MAKERS[odd], *views)
    assert_named_and_set_aside(ledger, *views)
    assert all(path.is_file() for path in views)


@pytest.mark.parametrize("odd", MAKERS)
def test_what_is_not_a_file_in_the_home_is_named_and_set_aside(ledger: Ledger, odd: str) -> None:
    (heads,) = (ledger.home / "heads").iterdir()
    (known,) = (ledger.home / "projects").iterdir()
    kept = heads / f"{ledger.ledger_id()}.jsonl"
    paths = (backup_of(ledger), backup_of(ledger).with_suffix(".seal"), kept, heads / "acknowledged.jsonl")
    put(MAKERS[odd], *paths, ledger.home / "keys" / "view.key", known)
    assert_named_and_set_aside(ledger, *paths, ledger.home / "keys" / "view.key", known)


def every_file(ledger: Ledger) -> list[Path]:
    """Of those that a project with an export and a redaction has, in the project and in the home."""
    ledger.cli.ok("export", "--tracked")
    decision = ledger.cli.ok("decide", "ask Lindqvist")["decision_id"]
    ledger.cli.ok("redact", decision, "--because", "a name")
    found = [path for top in (ledger.path.parent, ledger.home) for path in sorted(top.rglob("*")) if path.is_file()]
    return [path for path in found if not path.name.endswith(("-wal", "-shm"))]


DOCUMENTED = (0, 1, 2)
"""Exit codes of an answer; 3 says that the machine or the ledger failed."""


@effort.sampled
@pytest.mark.parametrize("number", [0, 1], ids=["circle", "pipe"])
def test_whatever_file_is_replaced_by_what_is_not_a_file_every_command_answers_and_heal_ends_it(
    ledger: Ledger, number: int
) -> None:
    """One file at a time: what stands in the place of one must not hide what stands in the place of another. Each file
    is replaced by one of the two; `make test-long` replaces it by both."""
    hooks, odd = Hooks(ledger.cli), (circle, pipe)[number]
    for path in effort.part(every_file(ledger), 2, number):
        if path == ledger.path:
            for beside in path.parent.glob("ledger.db-[ws]*"):
                beside.unlink()
        was = path.read_bytes()
        path.unlink()
        odd(path)
        verified = ledger.cli("audit", "verify", timeout=LONGEST)
        assert verified.code in (0, 1), (path, verified)
        assert verified.code == 0 or str(path) in verified.out, (path, verified)
        hooks.bash("touch b")
        looked = ledger.cli("status", "--json", timeout=LONGEST)
        if looked.code not in DOCUMENTED:
            assert looked.error["code"] == "ledger_damaged", (path, looked)
            assert str(path) in looked.error["message"], looked
            assert "perdure heal" in looked.error["hint"], looked
        healed = ledger.cli("heal", "--json", timeout=LONGEST)
        assert healed.code == 0, (path, healed)
        assert ledger.cli("audit", "verify", timeout=LONGEST).code == 0, path
        if path.name == "signers":  # without it, a lost signing key leaves heads that nobody here knows the key of
            path.write_bytes(was)
    assert "use WAL" in decisions(ledger.cli)


@crossed("known", ["projects", "ledgers"], "odd", [plain_file, link, loop, pipe])
def test_what_is_not_a_folder_in_the_home_is_named_and_set_aside(ledger: Ledger, known: str, odd: Maker) -> None:
    paths = [ledger.home / name for name in ("heads", "backups", "bindings", known)]
    put(odd, *paths)
    assert_named_and_set_aside(ledger, *paths)


@pytest.mark.parametrize("odd", [plain_file, link, loop, pipe])
def test_what_is_not_a_folder_in_the_project_is_named_and_set_aside(ledger: Ledger, odd: Maker) -> None:
    paths = [ledger.path.parent / name for name in ("bindings", "export")]
    put(odd, *paths)
    assert_named_and_set_aside(ledger, *paths)


@pytest.mark.parametrize("odd", [plain_file, pipe])
def test_what_stands_in_the_place_of_the_whole_folder_is_named_and_set_aside(ledger: Ledger, odd: Maker) -> None:
    put(odd, ledger.path.parent)
    assert_named_and_set_aside(ledger, ledger.path.parent)


@pytest.mark.parametrize("odd", [link, loop])
def test_a_folder_that_is_a_link_to_nowhere_is_left_to_a_person(ledger: Ledger, odd: Maker) -> None:
    """What it leads to may lie on a disk that is not mounted: nothing is begun in its place."""
    within = ledger.path.parent
    put(odd, within)
    assert f"{within} is a link that leads nowhere" in named(ledger)
    refused = ledger.cli("heal", "--json")
    assert (refused.code, refused.error["code"]) == (1, "project_vanished")
    assert "remove the link, and perdure heal restores the record" in refused.error["hint"]
    within.unlink()
    healed_and_whole(ledger)
    assert "use WAL" in decisions(ledger.cli)


@pytest.mark.parametrize("odd", [plain_file, link, pipe])
def test_lost_keys_leave_a_record_that_a_person_can_accept(ledger: Ledger, odd: Maker) -> None:
    put(odd, ledger.home / "keys")
    assert f"{ledger.home / 'keys'} is a" in named(ledger)
    ledger.cli("heal", timeout=LONGEST)
    assert "no signature holds" in named(ledger)
    ledger.cli.ok("audit", "acknowledge", "--because", "the keys are lost")
    assert ledger.verified().json["whole"]
    healed_and_whole(ledger)


def test_a_pipe_among_the_segments_of_the_export_is_not_waited_for(ledger: Ledger) -> None:
    ledger.cli.ok("export", "--tracked")
    (segment,) = ledger.path.parent.joinpath("export").rglob("*.jsonl")
    put(pipe, segment)
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()
    assert ledger.cli("heal", timeout=LONGEST).code == 0
    assert "use WAL" in decisions(ledger.cli)


@pytest.mark.parametrize("text", ["<<<<<<< ours\n", "id = 7\n", ""])
def test_a_project_file_that_cannot_be_read_is_named_and_written_again(ledger: Ledger, text: str) -> None:
    toml = ledger.path.parent / "project.toml"
    was = toml.read_text()
    toml.write_text(text)
    assert str(toml) in named(ledger)
    healed_and_whole(ledger)
    assert toml.read_text() == was
    assert [each.read_text() for each in toml.parent.glob("project.toml.odd-*")] == [text]
    ledger.cli.ok("note", "finding", "the work goes on")


# -- the home itself ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", [plain_file, link, pipe])
def test_a_home_that_is_not_a_folder_is_named_and_its_folder_put_back_is_all_it_takes(
    ledger: Ledger, odd: Maker
) -> None:
    put(odd, ledger.home)
    said = named(ledger)
    assert f"{ledger.home} is a" in said
    assert "moves it away and puts the folder back" in said
    ledger.cli.ok("note", "finding", "the work goes on")
    assert str(ledger.home) in str(ledger.cli("heal", "--json", timeout=LONGEST).json["findings"])
    ledger.home.unlink()
    Path(f"{ledger.home}.was").rename(ledger.home)
    healed_and_whole(ledger)
    assert "the work goes on" in ledger.cli("export").out


@pytest.mark.parametrize("odd", [plain_file, link, pipe])
def test_a_home_that_is_lost_for_good_costs_no_event(ledger: Ledger, odd: Maker) -> None:
    put(odd, ledger.home)
    shutil.rmtree(f"{ledger.home}.was")
    ledger.cli("heal", timeout=LONGEST)
    ledger.home.unlink()
    healed = ledger.cli.ok("heal")
    assert healed["whole"]
    (command,) = [each.partition("perdure ")[2] for each in healed["mended"] if "perdure import" in each]
    ledger.cli.ok(*command.split(), "--yes")
    assert "use WAL" in decisions(ledger.cli)
    assert ledger.verified().json["whole"]


def mark_removed(ledger: Ledger) -> None:
    """As in a project that was copied: only the home could tell whose the ledger is."""
    (ledger.path.parent / "own_ledger").unlink()


def ledger_removed(ledger: Ledger) -> None:
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()


def ledger_damaged(ledger: Ledger) -> None:
    ledger_removed(ledger)
    ledger.path.write_bytes(os.urandom(9999))


@crossed("harm", [mark_removed, ledger_removed, ledger_damaged], "odd", [plain_file, link, pipe])
def test_heal_replaces_no_ledger_while_the_home_is_not_a_folder(
    ledger: Ledger, harm: Callable[[Ledger], None], odd: Maker
) -> None:
    put(odd, ledger.home)
    harm(ledger)
    before = {path.name: path.read_bytes() for path in ledger.path.parent.glob("ledger.db*")}
    for command in ("heal", "init") if harm is mark_removed else ("heal",):
        refused = ledger.cli(command, "--json", timeout=LONGEST)
        assert (refused.code, refused.error["code"]) == (1, "home_replaced"), refused
        assert "puts the folder back" in refused.error["hint"]
        assert "lost for good" in refused.error["hint"]
    assert before == {path.name: path.read_bytes() for path in ledger.path.parent.glob("ledger.db*")}
    ledger.home.unlink()
    Path(f"{ledger.home}.was").rename(ledger.home)
    healed_and_whole(ledger)
    assert "use WAL" in decisions(ledger.cli)


def test_a_home_that_was_moved_away_lets_heal_begin_anew_as_it_said(ledger: Ledger) -> None:
    put(plain_file, ledger.home)
    mark_removed(ledger)
    assert ledger.cli("heal", "--json").error["code"] == "home_replaced"
    ledger.home.rename(f"{ledger.home}.file")
    healed = ledger.cli.ok("heal")
    (command,) = [each.partition("perdure ")[2] for each in healed["mended"] if "perdure import" in each]
    ledger.cli.ok(*command.split(), "--yes")
    assert "use WAL" in decisions(ledger.cli)
    assert ledger.verified().json["whole"]


# -- a ledger that is a link -------------------------------------------------------------------------------------------


def test_a_ledger_that_is_a_link_to_its_own_content_is_named_and_comes_home(ledger: Ledger, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.db"
    for suffix in ("", "-wal", "-shm"):
        if (beside := Path(f"{ledger.path}{suffix}")).exists():
            shutil.move(beside, f"{elsewhere}{suffix}")
    ledger.path.symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    assert f"{ledger.path} is a link to {elsewhere}" in named(ledger)
    refused = ledger.cli("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "folder_borrowed")
    assert "perdure heal sets the link aside" in refused.error["hint"]
    healed_and_whole(ledger)
    assert not ledger.path.is_symlink()
    assert elsewhere.read_bytes() == before, "what the link led to is left as it was"
    assert "after the last head" in ledger.cli("export").out
    ledger.cli.ok("note", "finding", "the work goes on")


def test_a_link_to_another_projects_ledger_brings_nothing_of_it_here(
    ledger: Ledger, environment: dict[str, str], tmp_path: Path
) -> None:
    other = Cli(new_repository(tmp_path / "other", environment), environment)
    other.ok("init")
    other.ok("note", "finding", "of the other")
    for path in (other.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    (other.cwd / ".perdure" / "ledger.db").symlink_to(ledger.path)
    assert other("audit", "verify").code == 1
    assert other.ok("heal")["whole"]
    assert other("audit", "verify").code == 0
    said = other("export").out
    assert "of the other" in said
    assert "use WAL" not in said
    assert ledger.verified().json["whole"]
