"""The notes that say which payloads this home redacted: damage to one is seen by `audit verify` and mended by `heal`
(SPEC 14.7, 16.3)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.effort import crossed
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_odd_files import MAKERS, Maker
from tests.faults.test_redactions_by_folder import noted
from tests.faults.test_trust import backup_of, healed_and_whole

__all__ = ["ledger"]


def beside_backup(ledger: Ledger) -> Path:
    return backup_of(ledger).with_name(f"{ledger.ledger_id()}.erased")


def in_project(ledger: Ledger) -> Path:
    return ledger.path.parent / "erased"


def with_heads(ledger: Ledger) -> Path:
    return next((ledger.home / "heads" / "redacted").iterdir())


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def without_its_digest(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def with_another_event(path: Path) -> None:
    first, *others = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([first.rstrip(b"\n"), b"1\n", *others]))


def replaced(path: Path) -> None:
    path.write_bytes(b"\xff\x00 nothing of ours\n")


@crossed(
    "where",
    [beside_backup, in_project, with_heads],
    "harm",
    [emptied, without_its_digest, with_another_event, replaced],
)
def test_a_note_of_a_redaction_that_was_damaged_is_named_by_both_and_written_again(
    ledger: Ledger, where: Callable[[Ledger], Path], harm: Callable[[Path], None]
) -> None:
    ledger.cli.ok("redact", noted(ledger.cli), "--because", "a name")
    assert ledger.verified().json["whole"]
    path = where(ledger)
    before = path.read_bytes()
    harm(path)
    (finding,) = ledger.verified().json["findings"]
    assert finding["check"] == "redacted payloads"
    assert path.name in finding["what"]
    assert "Now: perdure heal" in ledger.cli("audit", "verify").out
    assert ledger.cli("heal", "--check").code == 1
    healed_and_whole(ledger)
    assert path.read_bytes() == before
    assert healed_and_whole(ledger)["mended"] == []


def test_a_deleted_note_beside_the_backup_is_named_by_both_and_written_again(ledger: Ledger) -> None:
    ledger.cli.ok("redact", noted(ledger.cli), "--because", "a name")
    path = beside_backup(ledger)
    before = path.read_bytes()
    path.unlink()
    (finding,) = ledger.verified().json["findings"]
    assert path.name in finding["what"]
    assert ledger.cli("heal", "--check").code == 1
    healed_and_whole(ledger)
    assert path.read_bytes() == before


@pytest.mark.parametrize("where", [in_project, with_heads])
def test_another_deleted_note_is_written_again_by_heal(ledger: Ledger, where: Callable[[Ledger], Path]) -> None:
    ledger.cli.ok("redact", noted(ledger.cli), "--because", "a name")
    path = where(ledger)
    before = path.read_bytes()
    path.unlink()
    healed_and_whole(ledger)
    assert path.read_bytes() == before


def test_a_note_that_nothing_proves_is_named_and_set_aside(ledger: Ledger) -> None:
    beside_backup(ledger).write_text("2\n3\n")
    (finding,) = ledger.verified().json["findings"]
    assert finding["check"] == "redacted payloads"
    healed_and_whole(ledger)
    assert not beside_backup(ledger).exists()
    assert "2\n3\n" in [path.read_text() for path in beside_backup(ledger).parent.glob("*.erased.*")]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_one_healing_is_enough_where_all_backups_are_replaced_by_something_else(ledger: Ledger, make: Maker) -> None:
    ledger.cli.ok("redact", noted(ledger.cli), "--because", "a name")
    note, backups = beside_backup(ledger), ledger.home / "backups"
    shutil.move(backups, ledger.home.parent / "elsewhere")
    make(backups)
    healed_and_whole(ledger)
    assert note.exists()
