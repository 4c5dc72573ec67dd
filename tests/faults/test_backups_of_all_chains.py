"""The backup of every chain is checked and restored alike: of the project's own and of those it imported (SPEC 14.7,
16.3)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdure.model.event import Head
from perdure.views import backup_seals
from perdure.views.key import existing_key
from tests.conftest import Cli, git
from tests.effort import crossed
from tests.faults.test_attacks import Ledger, ledger, resealed
from tests.faults.test_trust import (
    as_lines,
    backup_of,
    colleague,
    cut_at_the_end,
    cut_without_its_seal,
    decisions,
    deleted,
    emptied,
    exported_ids,
    gone,
    gone_with_its_seal,
    healed_and_whole,
    losses,
    missing_in_the_middle,
    number_of,
    removed,
    whole_in_the_end,
)

__all__ = ["colleague", "ledger"]


def backup_of_chain(ledger: Ledger, ledger_id: str) -> Path:
    return next((ledger.home / "backups").rglob(f"{ledger_id}.jsonl"))


def remove_ledger(ledger: Ledger) -> None:
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()


def findings(ledger: Ledger) -> list[tuple[str, str]]:
    return [(each["check"], each["ledger_id"]) for each in ledger.verified().json["findings"]]


# -- lines that stand twice --------------------------------------------------------------------------------------------


def last_line_doubled(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[-1]]


def last_lines_repeated(lines: list[bytes]) -> list[bytes]:
    return [*lines, *lines[-3:]]


def line_in_the_middle_doubled(lines: list[bytes]) -> list[bytes]:
    return [*lines[:4], lines[3], *lines[4:]]


def early_line_at_the_end(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[2]]


REPEATED = [last_line_doubled, last_lines_repeated, line_in_the_middle_doubled, early_line_at_the_end]
Repeat = Callable[[list[bytes]], list[bytes]]


def repeat_lines(path: Path, repeat: Repeat) -> None:
    path.write_bytes(b"".join(repeat(path.read_bytes().splitlines(keepends=True))))


@pytest.mark.parametrize("repeat", REPEATED)
def test_a_line_that_stands_twice_in_the_backup_is_named_by_both_and_mended(ledger: Ledger, repeat: Repeat) -> None:
    backup = backup_of(ledger)
    was = backup.read_bytes()
    repeat_lines(backup, repeat)
    assert set(findings(ledger)) == {("the backup", ledger.ledger_id())}
    assert ledger.cli("heal", "--check").code == 1
    assert healed_and_whole(ledger)["lost"] == []
    assert backup.read_bytes().startswith(was)


def test_the_next_event_is_not_appended_after_a_doubled_line_but_in_its_place(ledger: Ledger) -> None:
    backup = backup_of(ledger)
    was = backup.read_bytes()
    repeat_lines(backup, lambda lines: [*lines, lines[-1], lines[-1]])
    ledger.cli.ok("note", "finding", "recorded after the doubled line")
    added = backup.read_bytes().removeprefix(was)
    assert b"recorded after the doubled line" in added
    assert was.splitlines()[-1] not in added
    assert ledger.verified().json["whole"]


@pytest.mark.parametrize(
    ("repeat", "first"),
    [(each, ("heal",)) for each in REPEATED]
    + [(last_line_doubled, ("heal", "--keep", "backup")), (last_line_doubled, ("init",))],
)
def test_a_line_that_stands_twice_costs_no_event_when_the_ledger_is_lost(
    ledger: Ledger, colleague: str, repeat: Repeat, first: tuple[str, ...]
) -> None:
    ids = exported_ids(ledger.cli)
    repeat_lines(backup_of(ledger), repeat)
    repeat_lines(backup_of_chain(ledger, colleague), last_line_doubled)
    remove_ledger(ledger)
    assert losses(ledger.cli.ok(*first)) == []
    assert ids <= exported_ids(ledger.cli)
    assert "use threads" in decisions(ledger.cli)
    whole_in_the_end(ledger)


def test_a_forged_line_between_proved_ones_costs_no_event_when_the_ledger_is_lost(ledger: Ledger) -> None:
    backup, ids = backup_of(ledger), {row["id"] for row in ledger.rows()}
    lines = backup.read_bytes().splitlines(keepends=True)
    rows = ledger.rows()
    made = next(row for row in rows if row["kind"] == "decision.made")
    rows[5] = {**rows[5], "kind": "decision.made", "payload": made["payload"].replace("use WAL", "pay the forger")}
    forged = as_lines(resealed(rows[:6], ledger.ledger_id()), ledger.ledger_id()).encode().splitlines(keepends=True)
    backup.write_bytes(b"".join([*lines[:5], forged[5], *lines[5:]]))
    remove_ledger(ledger)
    assert losses(ledger.cli.ok("heal")) == []
    assert ids <= exported_ids(ledger.cli)
    assert "pay the forger" not in ledger.cli("export").out
    whole_in_the_end(ledger)


@pytest.mark.parametrize("is_healed_first", [True, False])
def test_a_person_may_keep_the_backup_before_or_after_a_plain_heal(
    cli: Cli, tmp_path: Path, is_healed_first: bool
) -> None:
    """No head was signed, and the seal is gone: nothing proves what the backup says."""
    cli.ok("init")
    cli.ok("decide", "use WAL", "--because", "readers")
    for seal in (tmp_path / "home" / "backups").rglob("*.seal"):
        seal.unlink()
    for path in (cli.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    if is_healed_first:
        assert cli.ok("heal")["lost"]
        assert decisions(cli) == []
    cli.ok("heal", "--keep", "backup")
    assert decisions(cli) == ["use WAL"]
    assert cli.ok("heal", "--keep", "backup")["mended"] == []
    assert cli.ok("audit", "verify")["whole"]


# -- the backup of an imported chain -----------------------------------------------------------------------------------


def altered(backup: Path) -> None:
    backup.write_text(backup.read_text().replace("threads", "forgers"))


def random_bytes(backup: Path) -> None:
    backup.write_bytes(bytes(range(256)) * 20)


def without_its_seal(backup: Path) -> None:
    removed(backup.with_suffix(".seal"))


@pytest.mark.parametrize(
    "harm",
    [
        altered,
        random_bytes,
        cut_at_the_end,
        cut_without_its_seal,
        missing_in_the_middle,
        emptied,
        gone,
        gone_with_its_seal,
        without_its_seal,
    ],
)
def test_a_damaged_backup_of_an_imported_chain_is_named_by_both_and_mended(
    ledger: Ledger, colleague: str, harm: Callable[[Path], None]
) -> None:
    backup = backup_of_chain(ledger, colleague)
    was = backup.read_bytes()
    harm(backup)
    assert set(findings(ledger)) == {("the backup", colleague)}
    assert ledger.cli("heal", "--check").code == 1
    assert healed_and_whole(ledger)["lost"] == []
    assert backup.read_bytes() == was
    assert backup.with_suffix(".seal").exists()


def test_an_imported_chain_that_is_not_backed_up_yet_is_not_an_alarm(ledger: Ledger, colleague: str) -> None:
    """The home could not be written when it was imported."""
    own, theirs = backup_of(ledger), backup_of_chain(ledger, colleague)
    lines = own.read_bytes().splitlines(keepends=True)
    before = next(number for number, line in enumerate(lines) if b'"ledger.merged"' in line)
    own.write_bytes(b"".join(lines[:before]))
    seal_again(ledger, json.loads(lines[before - 1]))
    gone_with_its_seal(theirs)
    assert ledger.verified().json["whole"]
    healed_and_whole(ledger)
    assert theirs.exists()


def seal_again(ledger: Ledger, last: dict[str, Any]) -> None:
    key = existing_key(str(ledger.home), str(ledger.path.parent))
    assert key
    head = Head(ledger_id=last["ledger_id"], seq=last["seq"], clock=last["clock"], hash=last["hash"])
    backup_of(ledger).with_suffix(".seal").unlink()
    backup_seals.write(str(backup_of(ledger).parent), head, key)


def test_a_redaction_in_one_of_two_clones_that_imported_a_chain_is_not_an_alarm_in_the_other(
    ledger: Ledger, colleague: str, environment: dict[str, str], tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, environment, "clone", "-q", str(ledger.root), str(clone))
    other = Cli(clone, environment)
    other.ok("init")
    other.ok("import", str(tmp_path / "colleague.jsonl"))
    lines = map(json.loads, other("export").out.splitlines())
    event = next(line["id"] for line in lines if line.get("kind") == "decision.made" and line["ledger_id"] == colleague)
    other.ok("redact", event, "--because", "named somebody")
    assert "threads" not in backup_of_chain(ledger, colleague).read_text()
    for each in (other, ledger.cli, other):
        assert each.ok("audit", "verify")["whole"]
        assert each.ok("heal")["whole"]
    assert "use threads" in decisions(ledger.cli)
    assert "threads" not in backup_of_chain(ledger, colleague).read_text()


# -- an imported chain that no copy has --------------------------------------------------------------------------------


def ledger_lost(ledger: Ledger, colleague: str) -> None:
    backup_of_chain(ledger, colleague).unlink()
    remove_ledger(ledger)


def rows_deleted(ledger: Ledger, colleague: str) -> None:
    gone_with_its_seal(backup_of_chain(ledger, colleague))
    with sqlite3.connect(ledger.path) as db:
        deleted(db, colleague)
    db.close()


def ledger_lost_and_backup_forged(ledger: Ledger, colleague: str) -> None:
    with sqlite3.connect(ledger.path) as db:
        db.row_factory = sqlite3.Row
        n = db.execute("SELECT n FROM chains WHERE ledger_id = ?", (colleague,)).fetchone()[0]
        rows = [dict(row) for row in db.execute("SELECT * FROM events WHERE row >> 40 = ? ORDER BY row", (n,))]
    db.close()
    for row in rows:
        row["payload"] = row["payload"].replace("threads", "forgers")
    backup = backup_of_chain(ledger, colleague)
    backup.write_text(as_lines(resealed(rows, colleague), colleague))
    backup.with_suffix(".seal").unlink()
    remove_ledger(ledger)


Loss = Callable[[Ledger, str], None]
LOSSES: list[Loss] = [ledger_lost, rows_deleted, ledger_lost_and_backup_forged]


def said_to_be_lost(ledger: Ledger, colleague: str) -> None:
    healed = ledger.cli("heal", "--json")
    assert healed.code == 1
    (lost,) = [each for each in healed.json["lost"] if colleague in each]
    assert "events" in lost
    assert "perdure import" in lost
    assert "audit acknowledge" in lost
    assert findings(ledger) == [("chains taken in", colleague)]
    assert "use threads" not in decisions(ledger.cli)


@pytest.mark.parametrize("lose", LOSSES)
def test_an_imported_chain_that_no_copy_has_is_said_to_be_lost_until_its_backup_is_put_back(
    ledger: Ledger, colleague: str, lose: Loss
) -> None:
    backup = backup_of_chain(ledger, colleague)
    was = backup.read_bytes()
    lose(ledger, colleague)
    said_to_be_lost(ledger, colleague)
    count = len(exported_ids(ledger.cli))
    said_to_be_lost(ledger, colleague)
    assert len(exported_ids(ledger.cli)) == count, "to say it again changes nothing"
    backup.write_bytes(was)
    healed_and_whole(ledger)
    assert "use threads" in decisions(ledger.cli)
    assert healed_and_whole(ledger)["mended"] == []


@pytest.mark.parametrize("lose", LOSSES)
def test_an_imported_chain_that_is_lost_comes_back_with_an_export_as_was_advised(
    ledger: Ledger, colleague: str, tmp_path: Path, lose: Loss
) -> None:
    lose(ledger, colleague)
    said_to_be_lost(ledger, colleague)
    ledger.cli.ok("import", str(tmp_path / "colleague.jsonl"))
    healed_and_whole(ledger)
    assert "use threads" in decisions(ledger.cli)
    assert "use threads" in backup_of_chain(ledger, colleague).read_text()


def test_a_person_may_accept_that_an_imported_chain_is_lost(ledger: Ledger, colleague: str) -> None:
    ledger_lost(ledger, colleague)
    said_to_be_lost(ledger, colleague)
    ledger.cli.ok("audit", "acknowledge", "--because", "they left")
    assert ledger.verified().json["whole"]
    assert healed_and_whole(ledger)["lost"] == []


# -- the end of an imported chain that no copy has ---------------------------------------------------------------------


def end_lost_with_the_ledger(ledger: Ledger, colleague: str, left: int) -> None:
    backup = backup_of_chain(ledger, colleague)
    backup.write_bytes(b"".join(backup.read_bytes().splitlines(keepends=True)[:left]))
    remove_ledger(ledger)


def end_lost_in_the_ledger(ledger: Ledger, colleague: str, left: int) -> None:
    backup = backup_of_chain(ledger, colleague)
    backup.write_bytes(b"".join(backup.read_bytes().splitlines(keepends=True)[:left]))
    with sqlite3.connect(ledger.path) as db:
        row = (number_of(db, colleague) << 40) + left
        for table in ("events", "kinds"):
            db.execute(f"DELETE FROM {table} WHERE row > ? AND row >> 40 = ? >> 40", (row, row))
    db.close()


def end_and_seal_lost(ledger: Ledger, colleague: str, left: int) -> None:
    backup_of_chain(ledger, colleague).with_suffix(".seal").unlink()
    end_lost_with_the_ledger(ledger, colleague, left)


LostEnd = Callable[[Ledger, str, int], None]
LOST_ENDS: list[LostEnd] = [end_lost_with_the_ledger, end_lost_in_the_ledger, end_and_seal_lost]


def end_said_to_be_lost(ledger: Ledger, colleague: str, command: str = "heal") -> None:
    done = ledger.cli(command, "--json")
    assert done.code == (1 if command == "heal" else 0)
    assert any(colleague[:8] in each for each in losses(done.json))
    assert ("chains taken in", colleague) in findings(ledger)
    assert ledger.cli("heal", "--check").code == 1


@crossed("lose", LOST_ENDS, "is_short", [True, False])
def test_the_lost_end_of_an_imported_chain_is_a_finding_until_it_is_imported_again(
    ledger: Ledger, colleague: str, tmp_path: Path, lose: LostEnd, is_short: bool
) -> None:
    end = len(backup_of_chain(ledger, colleague).read_bytes().splitlines())
    lose(ledger, colleague, 1 if is_short else end - 1)
    end_said_to_be_lost(ledger, colleague)
    count = len(exported_ids(ledger.cli))
    end_said_to_be_lost(ledger, colleague)
    assert len(exported_ids(ledger.cli)) == count, "to say it again changes nothing"
    ledger.cli.ok("note", "finding", "the work goes on")
    ledger.cli.ok("import", str(tmp_path / "colleague.jsonl"), "--yes")
    healed_and_whole(ledger)
    assert "use threads" in decisions(ledger.cli)
    remove_ledger(ledger)
    assert healed_and_whole(ledger)["lost"] == []
    assert "use threads" in decisions(ledger.cli)


@pytest.mark.parametrize("lose", LOST_ENDS)
def test_a_person_may_accept_that_the_end_of_an_imported_chain_is_lost(
    ledger: Ledger, colleague: str, lose: LostEnd
) -> None:
    lose(ledger, colleague, 2)
    end_said_to_be_lost(ledger, colleague)
    ledger.cli.ok("audit", "acknowledge", "--because", "they left")
    assert healed_and_whole(ledger)["lost"] == []
    assert healed_and_whole(ledger)["mended"] == []
    remove_ledger(ledger)
    healed_and_whole(ledger)


def test_init_does_not_silence_the_lost_end_of_an_imported_chain(ledger: Ledger, colleague: str) -> None:
    end_lost_with_the_ledger(ledger, colleague, 2)
    end_said_to_be_lost(ledger, colleague, "init")
    remove_ledger(ledger)
    end_said_to_be_lost(ledger, colleague)


def test_an_older_export_does_not_silence_the_lost_end_of_an_imported_chain(
    ledger: Ledger, colleague: str, tmp_path: Path
) -> None:
    exported = tmp_path / "colleague.jsonl"
    lines = [line for line in exported.read_text().splitlines(keepends=True) if '"signed_head"' not in line[:40]]
    end_lost_with_the_ledger(ledger, colleague, 1)
    end_said_to_be_lost(ledger, colleague)
    ledger.cli.ok("import", "-", "--yes", input="".join(lines[:2]))
    end_said_to_be_lost(ledger, colleague)
    ledger.cli.ok("import", str(exported), "--yes")
    healed_and_whole(ledger)


# -- an imported chain, where the own backup lost the event that says so -----------------------------------------------


def junk_before_the_import(ledger: Ledger) -> None:
    """A line of the own backup cannot be read, and the ledger is gone. The import was recorded after that line."""
    backup = backup_of(ledger)
    lines = backup.read_bytes().splitlines(keepends=True)
    merged = next(number for number, line in enumerate(lines) if b'"ledger.merged"' in line)
    lines[merged - 2] = b"junk\n"
    backup.write_bytes(b"".join(lines))
    remove_ledger(ledger)


def proofs_gone(ledger: Ledger) -> None:
    backup_of(ledger).with_suffix(".seal").unlink()
    for path in (ledger.home / "heads").rglob("*.jsonl"):
        path.unlink()


def keys_gone(ledger: Ledger) -> None:
    for path in (ledger.home / "keys").iterdir():
        path.unlink()


def test_an_import_that_is_proved_after_a_bad_line_brings_the_chain_back(ledger: Ledger, colleague: str) -> None:
    ids = {json.loads(line)["id"] for line in backup_of_chain(ledger, colleague).read_text().splitlines()}
    junk_before_the_import(ledger)
    ledger.cli("heal")
    assert ids <= exported_ids(ledger.cli)
    assert "use threads" in decisions(ledger.cli)
    whole_in_the_end(ledger)
    assert ids <= exported_ids(ledger.cli)


@pytest.mark.parametrize("also", [proofs_gone, keys_gone])
@pytest.mark.parametrize("command", ["heal", "init"])
def test_a_chain_that_only_its_backup_has_is_named_with_the_import_that_takes_it_in(
    ledger: Ledger, colleague: str, also: Callable[[Ledger], None], command: str
) -> None:
    path = backup_of_chain(ledger, colleague)
    ids = {json.loads(line)["id"] for line in path.read_text().splitlines()}
    also(ledger)
    junk_before_the_import(ledger)
    lost = losses(ledger.cli(command, "--json").json)
    assert any(f"perdure import {path}" in each for each in lost), lost
    ledger.cli.ok("import", str(path), "--yes")
    assert ids <= exported_ids(ledger.cli)
