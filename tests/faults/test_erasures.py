"""A redaction that could not reach the backup is finished by the next `heal`, and only one that this home began (SPEC
3.2, 16.3, 16.4)."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import erasures, import_plan, signing, transfer
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model.event import Ref
from perdure.model.ids import LedgerId
from tests.conftest import Cli, Result
from tests.effort import crossed
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_trust import backup_of, colleague, decisions, healed_and_whole
from tests.place.test_projects import in_a_sandbox
from tests.surfaces.test_seed_003 import think
from tests.surfaces.test_transfer import laptop, lines_of

__all__ = ["colleague", "laptop", "ledger"]

SECRET = "Lindqvist"
THEIRS = "use threads"


def with_a_read_only_home(cli: Cli, *arguments: str) -> Result:
    if shutil.which("unshare") is None or in_a_sandbox(cli, "--version").code != 0:
        pytest.skip("this machine lets no test mount a folder read-only (unshare -rm)")
    return in_a_sandbox(cli, *arguments)


def without_a_home(cli: Cli, *arguments: str) -> Result:
    file = cli.cwd.parent / "file"
    file.write_text("no folder can be here\n")
    return cli(*arguments, PERDURE_HOME=str(file / "home"))


Runs = Callable[..., Result]


def holding(*folders: Path, text: str = SECRET) -> list[str]:
    found = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return sorted(str(path) for path in found if text.encode() in path.read_bytes())


@pytest.mark.parametrize("run", [with_a_read_only_home, without_a_home])
def test_a_redaction_while_the_home_cannot_be_written_is_finished_by_the_next_heal(ledger: Ledger, run: Runs) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    redacted = run(ledger.cli, "redact", decision, "--because", "a name", "--json")
    assert redacted.code == 0, redacted
    assert "perdure heal" in redacted.json["warnings"][0]
    assert holding(ledger.root) == []
    assert holding(ledger.home) == [str(backup_of(ledger))]
    healed_and_whole(ledger)
    assert holding(ledger.root, ledger.home) == []
    assert not (ledger.path.parent / "erasing").exists()
    assert healed_and_whole(ledger)["mended"] == []


def test_a_second_redaction_without_a_home_does_not_forget_the_first(ledger: Ledger) -> None:
    for number in range(2):
        decision = ledger.cli.ok("decide", f"ask {SECRET} {number}")["decision_id"]
        assert without_a_home(ledger.cli, "redact", decision, "--because", "a name").code == 0
    healed_and_whole(ledger)
    assert holding(ledger.root, ledger.home) == []


def test_a_redaction_is_said_to_a_person_to_be_unfinished(ledger: Ledger) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    said = without_a_home(ledger.cli, "redact", decision, "--because", "a name").out
    assert "The backup still has it, because the home cannot be written" in said


@pytest.mark.parametrize("digest", ["", "ab" * 32])
def test_an_announcement_that_this_home_did_not_write_erases_nothing(ledger: Ledger, digest: str) -> None:
    """Whoever can write the project, but not the home, made the ledger say that something was redacted."""
    backup, seal = backup_of(ledger), backup_of(ledger).with_suffix(".seal")
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    before = backup.read_bytes(), seal.read_bytes()
    seq = ledger.cli.ok("redact", decision, "--because", "forged")["seq"]
    backup.write_bytes(before[0])
    seal.write_bytes(before[1])
    backup.with_suffix(".erased").unlink()
    (ledger.path.parent / "erased").unlink()
    (ledger.path.parent / "erasing").write_text(f"{ledger.ledger_id()} {seq}\n{digest}\n")
    healed_and_whole(ledger)
    (kept,) = holding(ledger.home)
    assert ".damaged-" in kept


# -- redactions of others that a person accepts ------------------------------------------------------------------------


def redacted_elsewhere(cli: Cli, laptop: Cli) -> list[str]:
    """What the laptop exports after it redacted a decision that was made here."""
    decision = cli.ok("decide", f"ask {SECRET}")["decision_id"]
    laptop.ok("import", "-", input="\n".join(lines_of(cli)))
    laptop.ok("redact", decision, "--because", "a name")
    return lines_of(laptop)


class Watched:
    """Lines that are read twice; notes at each reading whether an erasure is announced."""

    def __init__(self, lines: list[str], home: Path) -> None:
        self._lines = lines
        self._home = home
        self.was_announced: list[bool] = []

    def __iter__(self) -> Iterator[bytes]:
        self.was_announced.append(bool(list(self._home.rglob("*.erasing"))))
        return (line.encode() + b"\n" for line in self._lines)


def test_redactions_that_a_person_accepts_are_announced_before_anything_is_erased(
    cli: Cli, laptop: Cli, tmp_path: Path
) -> None:
    lines = Watched(redacted_elsewhere(cli, laptop), tmp_path / "home")
    with open_desk(Request(str(cli.cwd), cli.environment)) as desk:
        plan = import_plan.plan_import(desk, lines, lambda _: None, accept_redactions=True)
        transfer.import_events(desk, lines, lambda _: None, plan=plan)
    assert lines.was_announced == [False, True]
    assert not list((tmp_path / "home").rglob("*.erasing")), "it is finished"
    assert holding(cli.cwd, tmp_path / "home") == []


def test_accepted_redactions_while_the_home_cannot_be_written_are_finished_by_the_next_heal(
    cli: Cli, laptop: Cli, tmp_path: Path
) -> None:
    exported = tmp_path / "laptop.jsonl"
    exported.write_text("\n".join(redacted_elsewhere(cli, laptop)) + "\n")
    taken = with_a_read_only_home(cli, "import", str(exported), "--accept-redactions", "--yes", "--json")
    assert taken.code == 0, taken
    assert holding(cli.cwd) == []
    assert holding(tmp_path / "home")
    assert cli.ok("heal")["whole"]
    assert holding(cli.cwd, tmp_path / "home") == []
    assert cli("audit", "verify").code == 0


# -- copies that come later than the redaction -------------------------------------------------------------------------


def redacted_import(ledger: Ledger, colleague: str) -> tuple[Path, bytes]:
    """The backup of an imported chain in which an event is redacted; and what it was before."""
    backup = next((ledger.home / "backups").rglob(f"{colleague}.jsonl"))
    before = backup.read_bytes()
    event = next(json.loads(line) for line in before.splitlines() if THEIRS.encode() in line)
    ledger.cli.ok("redact", event["id"], "--because", "a name")
    assert holding(ledger.root, ledger.home, text=THEIRS) == []
    return backup, before


@pytest.mark.parametrize("is_finished", [True, False])
@pytest.mark.parametrize("is_lost", [True, False])
def test_an_older_backup_of_an_imported_chain_is_named_and_its_redacted_payloads_are_erased(
    ledger: Ledger, colleague: str, is_lost: bool, is_finished: bool
) -> None:
    """It was put back, or the redaction died before it reached the backup."""
    backup, before = redacted_import(ledger, colleague)
    backup.write_bytes(before)
    if not is_finished:
        backup.with_suffix(".erased").rename(backup.with_suffix(".erasing"))
    assert not ledger.verified().json["whole"]
    if is_lost:
        for path in ledger.path.parent.glob("ledger.db*"):
            path.unlink()
    healed_and_whole(ledger)
    assert holding(ledger.root, ledger.home, text=THEIRS) == []
    assert healed_and_whole(ledger)["mended"] == []


def test_a_backup_that_is_set_aside_after_a_redaction_does_not_keep_the_payload(ledger: Ledger, colleague: str) -> None:
    backup, before = redacted_import(ledger, colleague)
    backup.write_bytes(before.replace(b"they wait", b"they sit"))
    shutil.copy(backup, f"{backup}.damaged-2026-01-01T000000000Z")
    healed_and_whole(ledger)
    assert holding(ledger.root, ledger.home, text=THEIRS) == []


def put_back(folder: Path, copy: Path) -> None:
    shutil.rmtree(folder)
    shutil.copytree(copy, folder)


@crossed("also", ["", "altered", "cut"], "what", ["backups", "."])
def test_an_older_backup_that_is_put_back_with_its_folder_loses_what_was_redacted_since(
    ledger: Ledger, tmp_path: Path, what: str, also: str
) -> None:
    """With the folder, the note of what was redacted is older too."""
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    ledger.cli.ok("note", "finding", "something else")
    shutil.copytree(ledger.home / what, tmp_path / "older")
    ledger.cli.ok("redact", decision, "--because", "a name")
    put_back(ledger.home / what, tmp_path / "older")
    backup = backup_of(ledger)
    if also == "altered":
        backup.write_bytes(backup.read_bytes().replace(b"something else", b"something new"))
    elif also == "cut":
        backup.write_bytes(b"".join(backup.read_bytes().splitlines(keepends=True)[:-1]))
    assert holding(ledger.home) != []
    healed_and_whole(ledger)
    assert holding(ledger.root, ledger.home) == []
    assert healed_and_whole(ledger)["mended"] == []


def test_a_redaction_that_nothing_proves_to_be_ours_is_said_where_a_copy_still_has_the_payload(
    ledger: Ledger, tmp_path: Path
) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    shutil.copytree(ledger.home / "backups", tmp_path / "older")
    ledger.cli.ok("redact", decision, "--because", "a name")
    put_back(ledger.home / "backups", tmp_path / "older")
    (ledger.path.parent / "erased").unlink()
    mended = healed_and_whole(ledger)["mended"]
    (path,) = holding(ledger.root, ledger.home)
    assert any(path in each and "delete that file" in each for each in mended)
    Path(path).unlink()
    healed_and_whole(ledger)


def test_a_list_of_redactions_that_this_home_did_not_write_erases_nothing(ledger: Ledger, tmp_path: Path) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    shutil.copytree(ledger.home / "backups", tmp_path / "older")
    ledger.cli.ok("redact", decision, "--because", "a name")
    put_back(ledger.home / "backups", tmp_path / "older")
    erased = ledger.path.parent / "erased"
    erased.write_text("".join(erased.read_text().splitlines(keepends=True)[:-1]) + "ab" * 32 + "\n")
    healed_and_whole(ledger)
    assert len(holding(ledger.root, ledger.home)) == 1


@pytest.mark.parametrize("ending", [".erased", ".erasing"])
def test_a_folder_where_the_home_notes_redactions_is_named_and_no_redaction_fails(ledger: Ledger, ending: str) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    backup_of(ledger).with_suffix(ending).mkdir()
    assert ledger.verified().code == 1
    assert ledger.cli("heal", "--check").code == 1
    ledger.cli.ok("redact", decision, "--because", "a name")
    assert holding(ledger.root, ledger.home) == []
    healed_and_whole(ledger)
    assert not backup_of(ledger).with_suffix(ending).is_dir()


# -- a ledger that is made again from copies older than the redaction --------------------------------------------------


def without_ledger(ledger: Ledger) -> None:
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()


def with_damaged_ledger(ledger: Ledger) -> None:
    without_log(ledger)
    ledger.path.write_bytes(b"\xa5" * 5000 + ledger.path.read_bytes()[5000:])


def without_log(ledger: Ledger) -> None:
    with closing(sqlite3.connect(ledger.path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for path in ledger.path.parent.glob("ledger.db-*"):
        path.unlink()


Loses = Callable[[Ledger], None]


def redacted_and_backup_put_back(ledger: Ledger, tmp_path: Path, *, with_note: bool = False) -> None:
    """The backup is older than the redaction; with `with_note`, the note of redactions beside it too."""
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    shutil.copytree(ledger.home / "backups", tmp_path / "older")
    ledger.cli.ok("redact", decision, "--because", "a name")
    if with_note:
        put_back(ledger.home / "backups", tmp_path / "older")
    else:
        shutil.copytree(tmp_path / "older", ledger.home / "backups", dirs_exist_ok=True)
    assert holding(ledger.home) == [str(backup_of(ledger))]


def redactions(cli: Cli) -> list[dict[str, Any]]:
    return [event for event in map(json.loads, lines_of(cli)) if event["kind"] == "payload.redacted"]


def healed_and_accepted(ledger: Ledger) -> dict[str, Any]:
    """A signed head covers the redaction that was lost, so a person accepts the loss."""
    healed: dict[str, Any] = ledger.cli("heal", "--json").json
    ledger.cli.ok("audit", "acknowledge", "--because", "an older copy was put back")
    return healed


def stays_redacted(ledger: Ledger) -> None:
    assert holding(ledger.root, ledger.home) == []
    (again,) = redactions(ledger.cli)
    assert "recorded again" in again["payload"]["because"]
    assert healed_and_whole(ledger)["mended"] == []


@pytest.mark.parametrize("lose", [without_ledger, with_damaged_ledger])
@pytest.mark.parametrize("with_note", [True, False])
def test_a_redacted_payload_does_not_come_back_with_an_older_backup_when_the_ledger_is_lost(
    ledger: Ledger, tmp_path: Path, lose: Loses, with_note: bool
) -> None:
    redacted_and_backup_put_back(ledger, tmp_path, with_note=with_note)
    lose(ledger)
    healed = healed_and_accepted(ledger)
    assert any("left out" in each and "redacted" in each for each in healed["mended"])
    stays_redacted(ledger)


def test_a_redacted_payload_does_not_come_back_when_the_whole_project_folder_is_lost(
    ledger: Ledger, tmp_path: Path
) -> None:
    """Only the note beside the backup is left."""
    redacted_and_backup_put_back(ledger, tmp_path)
    shutil.rmtree(ledger.path.parent)
    ledger.cli.ok("init")
    ledger.cli.ok("audit", "acknowledge", "--because", "an older copy was put back")
    assert holding(ledger.root, ledger.home) == []
    assert ledger.verified().json["whole"]
    stays_redacted(ledger)


def test_a_redacted_payload_does_not_come_back_where_a_signed_head_covers_the_redaction(
    ledger: Ledger, tmp_path: Path
) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    shutil.copytree(ledger.home / "backups", tmp_path / "older")
    ledger.cli.ok("redact", decision, "--because", "a name")
    with open_desk(Request(str(ledger.root), ledger.cli.environment)) as desk:
        signing.sign(desk, "test")
    shutil.copytree(tmp_path / "older", ledger.home / "backups", dirs_exist_ok=True)
    without_ledger(ledger)
    assert ledger.cli("heal").code == 1
    assert holding(ledger.root, ledger.home) == []


def test_a_redacted_payload_does_not_come_back_with_an_older_tracked_segment(ledger: Ledger, tmp_path: Path) -> None:
    ledger.cli.ok("config", "set", "export.tracked", "true")
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    with open_desk(Request(str(ledger.root), ledger.cli.environment)) as desk:
        signing.sign(desk, "test")
    ledger.cli.ok("export", "--tracked")
    exported = ledger.path.parent / "export"
    assert holding(exported)
    shutil.copytree(exported, tmp_path / "older")
    ledger.cli.ok("redact", decision, "--because", "a name")
    put_back(exported, tmp_path / "older")
    backup = backup_of(ledger)
    backup.unlink()
    backup.with_suffix(".seal").unlink()
    without_ledger(ledger)
    ledger.cli("heal")
    assert "ask" not in ledger.cli("recover", "--query", SECRET).out
    assert holding(ledger.root, ledger.home) == []


@pytest.mark.parametrize("run", [with_a_read_only_home, without_a_home])
def test_a_redaction_while_the_home_cannot_be_written_holds_when_the_ledger_is_lost(ledger: Ledger, run: Runs) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    assert run(ledger.cli, "redact", decision, "--because", "a name").code == 0
    without_ledger(ledger)
    healed_and_whole(ledger)
    stays_redacted(ledger)


def test_notes_of_redactions_that_this_home_did_not_write_keep_no_payload_from_being_restored(ledger: Ledger) -> None:
    ledger.cli.ok("decide", f"ask {SECRET}")
    backup, chain = backup_of(ledger), ledger.ledger_id()
    numbers = range(1, len(backup.read_text().splitlines()) + 1)
    for digest in ("", "ab" * 32 + "\n"):
        backup.with_suffix(".erased").write_text("".join(f"{seq}\n" for seq in numbers) + digest)
        erased = "".join(f"{chain} {seq}\n" for seq in numbers)
        (ledger.path.parent / "erased").write_text(erased + digest)
        ledger.cli.ok("heal")
        without_ledger(ledger)
        healed_and_whole(ledger)
        assert f"ask {SECRET}" in decisions(ledger.cli)


def test_the_note_of_another_chain_keeps_no_payload_from_being_restored(ledger: Ledger, colleague: str) -> None:
    redacted, _ = redacted_import(ledger, colleague)
    ledger.cli.ok("decide", f"ask {SECRET}")
    before = decisions(ledger.cli)
    shutil.copy(redacted.with_suffix(".erased"), backup_of(ledger).with_suffix(".erased"))
    without_ledger(ledger)
    healed_and_whole(ledger)
    assert decisions(ledger.cli) == before


def test_a_redaction_that_was_announced_and_never_happened_erases_nothing_later(ledger: Ledger) -> None:
    """The process died before the ledger erased anything."""
    ledger.cli.ok("decide", f"ask {SECRET}")
    seq = json.loads(backup_of(ledger).read_text().splitlines()[-1])["seq"]
    with open_desk(Request(str(ledger.root), ledger.cli.environment)) as desk:
        erasures.announce(desk, [Ref(LedgerId(ledger.ledger_id()), seq)])
    healed_and_whole(ledger)
    without_ledger(ledger)
    healed_and_whole(ledger)
    assert f"ask {SECRET}" in decisions(ledger.cli)


def test_a_redacted_thought_that_is_redacted_again_stays_a_link_of_its_chain(ledger: Ledger, tmp_path: Path) -> None:
    for text in ("before it", f"ask {SECRET}", "after it"):
        think(ledger.cli, content=text)
    shutil.copytree(ledger.home / "backups", tmp_path / "older")
    event = next(json.loads(line) for line in lines_of(ledger.cli) if SECRET in line)
    ledger.cli.ok("redact", event["id"], "--because", "a name")
    (before,) = redactions(ledger.cli)
    shutil.copytree(tmp_path / "older", ledger.home / "backups", dirs_exist_ok=True)
    without_ledger(ledger)
    healed_and_accepted(ledger)
    (after,) = redactions(ledger.cli)
    assert after["payload"] == {**before["payload"], "because": after["payload"]["because"]}
    assert after.get("task_id") == before.get("task_id")
    stays_redacted(ledger)


# -- a ledger and an export that are older than the redaction ----------------------------------------------------------


def older_ledger_and_backup(ledger: Ledger, tmp_path: Path, *, note_in: str) -> None:
    """Both are put back together, so that they agree. `note_in`: where the note of the redaction is left."""
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    without_log(ledger)
    shutil.copytree(ledger.home / "backups", tmp_path / "older")
    shutil.copy(ledger.path, tmp_path / "older.db")
    ledger.cli.ok("redact", decision, "--because", "a name")
    without_log(ledger)
    shutil.copy(tmp_path / "older.db", ledger.path)
    if note_in == "project":
        put_back(ledger.home / "backups", tmp_path / "older")
    else:
        shutil.copytree(tmp_path / "older", ledger.home / "backups", dirs_exist_ok=True)
        (ledger.path.parent / "erased").unlink()


@pytest.mark.parametrize("note_in", ["project", "home"])
def test_a_redacted_payload_does_not_come_back_with_an_older_ledger_and_its_backup(
    ledger: Ledger, tmp_path: Path, note_in: str
) -> None:
    older_ledger_and_backup(ledger, tmp_path, note_in=note_in)
    findings = [each["what"] for each in ledger.verified().json["findings"]]
    assert any("this home redacted its payload, and it is here again" in each for each in findings)
    assert any("missing at the end: a head over" in each for each in findings)
    assert ledger.cli("heal", "--check").code == 1
    healed = healed_and_accepted(ledger)
    assert any("erased again" in each for each in healed["mended"])
    stays_redacted(ledger)


def test_a_note_of_a_redaction_that_this_home_did_not_write_erases_nothing_in_the_ledger(ledger: Ledger) -> None:
    in_project = ledger.path.parent / "erased"
    in_project.write_text(f"{ledger.ledger_id()} 3\n{'ab' * 32}\n")
    in_project.chmod(0o600)
    beside_backup = backup_of(ledger).with_suffix(".erased")
    beside_backup.write_text(f"3\n{'ab' * 32}\n")
    before = ledger.rows()
    findings = ledger.verified().json["findings"]
    assert [each["check"] for each in findings] == ["redacted payloads"] * 2
    assert len(healed_and_whole(ledger)["mended"]) == 2
    assert ledger.rows()[: len(before)] == before
    assert not in_project.exists()
    assert not beside_backup.exists()


def test_what_can_never_be_redacted_is_not_erased_by_a_note(ledger: Ledger) -> None:
    """A note of this home, although no command writes such a one."""
    with open_desk(Request(str(ledger.root), ledger.cli.environment)) as desk:
        erasures._add_in_project(desk, erasures.FINISHED, {Ref(LedgerId(ledger.ledger_id()), 1)})
    assert ledger.verified().json["whole"]
    assert healed_and_whole(ledger)["mended"] == []


@pytest.mark.parametrize("is_signed", [True, False])
def test_an_export_from_before_a_redaction_does_not_bring_the_payload_back_into_a_record_begun_anew(
    ledger: Ledger, tmp_path: Path, is_signed: bool
) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    if is_signed:
        ledger.cli.ok("audit", "heads", "--sign")
    exported = tmp_path / "older.jsonl"
    ledger.cli.ok("export", str(exported))
    ledger.cli.ok("redact", decision, "--because", "a name")
    without_ledger(ledger)
    for path in [*ledger.home.rglob("*.jsonl"), *ledger.home.rglob("*.seal")]:
        path.unlink()
    ledger.cli("heal")
    shown = ledger.cli("import", str(exported), "--yes", "--dry-run").out
    assert "1 payload left out" in shown
    taken = ledger.cli.ok("import", str(exported), "--yes")
    assert taken["left_out"]
    assert holding(ledger.root, ledger.home) == []
    (again,) = redactions(ledger.cli)
    assert "recorded again" in again["payload"]["because"]
    assert ledger.verified().json["whole"], ledger.verified().out
    assert healed_and_whole(ledger)["mended"] == []
    assert ledger.cli.ok("import", str(exported), "--yes")["left_out"] == []


@pytest.mark.parametrize("lose", ["rewritten", "in doubt"])
def test_a_ledger_that_is_set_aside_with_a_redacted_payload_is_named_with_what_removes_it(
    ledger: Ledger, tmp_path: Path, lose: str
) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    without_log(ledger)
    shutil.copy(ledger.path, tmp_path / "older.db")
    ledger.cli.ok("redact", decision, "--because", "a name")
    without_log(ledger)
    shutil.copy(tmp_path / "older.db", ledger.path)
    if lose == "in doubt":
        ledger.change(("UPDATE secret SET text = ?", ("another",)))
    mended = healed_and_whole(ledger)["mended"]
    (path,) = holding(ledger.root, ledger.home)
    assert any(f"rm {path}" in each and "redacted" in each for each in mended), mended
    Path(path).unlink()
    assert healed_and_whole(ledger)["mended"] == []


def test_a_ledger_that_is_set_aside_without_a_redacted_payload_is_no_matter_of_redaction(ledger: Ledger) -> None:
    decision = ledger.cli.ok("decide", f"ask {SECRET}")["decision_id"]
    ledger.cli.ok("redact", decision, "--because", "a name")
    ledger.change(("UPDATE secret SET text = ?", ("another",)), ("DELETE FROM documents", ()))
    assert not any("rm " in each for each in healed_and_whole(ledger)["mended"])
