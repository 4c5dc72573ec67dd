"""Any value in any column of the events, whatever its type, is seen, and `heal` mends it at once (SPEC 14.7, 16.3)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from perdure.actions import healing
from tests.effort import crossed
from tests.faults.test_agreement import DAMAGED, WHOLE, asked, verdicts
from tests.faults.test_attacks import COLUMNS, Ledger, ledger
from tests.faults.test_backups_of_all_chains import backup_of_chain
from tests.faults.test_trust import colleague

__all__ = ["colleague", "ledger"]

VALUES: dict[str, object] = {
    "empty text": "",
    "empty bytes": b"",
    "bytes": b"abc",
    "text": "abc",
    "redacted": "redacted",
    "withheld": "withheld",
    "number": 7,
    "real": 7.5,
    "nothing": None,
    "bytes that are not text": b"\xff\xfe",
}
FOUR_VALUES = ["empty text", "bytes", "real", "nothing"]
WHERE = {
    "with a payload": "kind = 'note.finding'",
    "redacted": "kind = 'note.question'",
    "first": "kind = 'ledger.opened'",
}


def asides(ledger: Ledger) -> int:
    return len(list(ledger.path.parent.glob("ledger.db.damaged-*")))


def content(ledger: Ledger) -> dict[str, object]:
    return {row["id"]: (row["payload"], row["hash"], row["absent"]) for row in ledger.rows()}


def changed(path: Path, column: str, value: object, where: str) -> bool:
    """Whether the store took the value, as another than it had."""
    db = sqlite3.connect(path)
    try:
        row = db.execute(f"SELECT row FROM events WHERE {where} ORDER BY row LIMIT 1").fetchone()[0]
        before = db.execute(f"SELECT {column} FROM events WHERE row = ?", (row,)).fetchone()
        db.execute(f"UPDATE events SET {column} = ? WHERE row = ?", (value, row))
        db.commit()
        after = db.execute(
            f"SELECT {column} FROM events WHERE row = ?", (row if column != "row" else value,)
        ).fetchone()
        return bool(before != after) or column == "row"
    except sqlite3.Error:
        return False
    finally:
        db.close()


def mended_at_once(ledger: Ledger, before: dict[str, object]) -> None:
    assert verdicts(ledger) == (DAMAGED, DAMAGED)
    done = healing.heal(asked(ledger), lambda _: None)
    assert verdicts(ledger) == (WHOLE, WHOLE)
    assert done.lost == ()
    after = content(ledger)
    assert {id: after.get(id) for id in before} == before
    count = asides(ledger)
    assert healing.heal(asked(ledger), lambda _: None).mended == ()
    assert asides(ledger) == count


@crossed("where", WHERE, "value", VALUES)
def test_whatever_a_row_says_of_a_missing_payload_is_seen_and_mended_at_once(
    ledger: Ledger, where: str, value: str
) -> None:
    redact_question(ledger)
    before = content(ledger)
    if changed(ledger.path, "absent", VALUES[value], WHERE[where]):
        mended_at_once(ledger, before)


def redact_question(ledger: Ledger) -> None:
    question = next(row["id"] for row in ledger.rows() if row["kind"] == "note.question")
    ledger.cli.ok("redact", question, "--because", "x")


@crossed("column", [each for each in COLUMNS if each not in ("row", "absent")], "value", FOUR_VALUES)
def test_whatever_a_column_holds_is_seen_and_mended_at_once(ledger: Ledger, column: str, value: str) -> None:
    before = content(ledger)
    if changed(ledger.path, column, VALUES[value], WHERE["with a payload"]):
        mended_at_once(ledger, before)


@pytest.mark.parametrize("value", ["empty text", "empty bytes", "redacted", "number"])
def test_a_row_of_an_imported_chain_is_mended_at_once(ledger: Ledger, colleague: str, value: str) -> None:
    assert backup_of_chain(ledger, colleague).exists()
    before = content(ledger)
    where = f"row >> 40 = (SELECT n FROM chains WHERE ledger_id = '{colleague}') AND kind = 'decision.made'"
    if changed(ledger.path, "absent", VALUES[value], where):
        mended_at_once(ledger, before)


@pytest.mark.parametrize("row", ["-5", "7", "(7 << 40) + 3", "row >> 40 << 40", "row + 1000", "1 << 62"])
def test_an_event_at_any_other_place_is_seen_and_mended_at_once(ledger: Ledger, row: str) -> None:
    before = content(ledger)
    ledger.change((f"UPDATE events SET row = {row} WHERE row = (SELECT max(row) - 2 FROM events)", ()))
    mended_at_once(ledger, before)


@pytest.mark.parametrize("row", ["-5", "7", "(7 << 40) + 3", "row >> 40 << 40", "row + 1000", "1 << 62"])
def test_an_event_that_is_there_once_more_is_seen_and_mended_at_once(ledger: Ledger, row: str) -> None:
    before = content(ledger)
    others = ", ".join(each for each in COLUMNS if each != "row")
    ledger.change(
        (f"INSERT INTO events SELECT {row}, {others} FROM events WHERE row = (SELECT max(row) - 2 FROM events)", ())
    )
    mended_at_once(ledger, before)
