"""The full-text index holds exactly what the events say: the audit compares every entry (SPEC 14.7)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from perdure.ledger.full_text import FullText
from perdure.ledger.sqlite import SqliteLedger, create
from perdure.model import payload as p
from perdure.model.event import Ref

from ..contract.making import OTHER, OWN, assert_sound, chain, draft, gone, merged, redaction
from ..contract.stores import ORIGIN

TEXTS = [
    "the parser keeps one token",
    "Ünïcödé and ﬁne ligatures, straße, İstanbul",
    "日本語 の テキスト と 한국어",
    "numbers ² Ⅷ ½ and 🙂 marks ा",
    "",
    "new scripts: 𞤀𞤁 𐲀𐳀 Ꭰꭰ",
]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "ledger.db")


@pytest.fixture
def ledger(path: str) -> Iterator[SqliteLedger]:
    """All of it entered, but for the last few events."""
    with closing(create(path, OWN, ORIGIN)) as made:
        made.append([draft(payload=p.Note(f"{TEXTS[n % len(TEXTS)]} {n}")) for n in range(300)])
    with closing(SqliteLedger(path)) as made:
        made.append([draft(payload=p.Note("not entered yet"))])
        assert made.index_faults() == []
        yield made


def test_two_that_close_at_once_enter_a_text_once(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both see the same texts missing; one has entered them before the other gets the lock."""
    with closing(create(path, OWN, ORIGIN)) as first:
        first.append([draft(payload=p.Note(f"words {n}")) for n in range(300)])
        second = SqliteLedger(path)
        begin = second._in_transaction
        monkeypatch.setattr(second, "_in_transaction", lambda work: (first.close(), begin(work))[1])
        second._wrote = True
        second.close()
    with closing(SqliteLedger(path)) as ledger:
        assert FullText(ledger._db).texts() == 300
        assert ledger.index_faults() == []


def delete(row: str, text: str) -> str:
    return f"INSERT INTO words (words, rowid, text) VALUES ('delete', {row}, '{text}')"


FIRST = "(SELECT min(row) FROM events)"
ATTACKS = {
    "emptied": ["INSERT INTO words (words) VALUES ('delete-all')"],
    "emptied with what was entered": [
        "INSERT INTO words (words) VALUES ('delete-all')",
        "UPDATE entered SET texts = 0",
    ],
    "what was entered forgotten": ["DELETE FROM entered"],
    "an entry taken out": [delete(FIRST, "pars")],
    "an entry put in": [f"INSERT INTO words (rowid, text) VALUES ({FIRST} + 299, 'backdoor')"],
    "a word moved to another event": [
        delete(FIRST, "pars"),
        f"INSERT INTO words (rowid, text) VALUES ({FIRST} + 1, 'pars')",
    ],
    "two events exchanged": [
        *(delete(f"{FIRST} + {n}", f"{n}") for n in (6, 7)),
        f"INSERT INTO words (rowid, text) VALUES ({FIRST} + 6, '7'), ({FIRST} + 7, '6')",
    ],
    "a size changed": ["UPDATE words_docsize SET sz = x'01' WHERE id = (SELECT min(id) FROM words_docsize)"],
    "a size more": ["INSERT INTO words_docsize VALUES (7, x'01')"],
    "said to go further than it does": ["UPDATE entered SET row = row + 1000"],
    "said to hold more than it does": ["UPDATE entered SET texts = texts + 1"],
    "said to go less far than it does": ["UPDATE entered SET row = row - 10"],
    "where terms are looked up emptied": ["DELETE FROM words_idx"],
    "a part lost": ["DELETE FROM words_data WHERE id = (SELECT max(id) FROM words_data)"],
    "its format changed": ["UPDATE words_config SET v = 1"],
}


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_an_index_that_was_tampered_with_is_found_and_made_again(ledger: SqliteLedger, path: str, attack: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in ATTACKS[attack]:
            db.execute(statement)
    with closing(SqliteLedger(path, unchecked=True)) as examined:
        assert examined.index_faults() or examined.structural_faults()
    ledger.rebuild()
    with closing(SqliteLedger(path, writable=False)) as again:
        assert again.index_faults() == again.structural_faults() == []
        assert len(again.mentioning(["backdoor"], 5).events) == 0


def test_an_index_is_what_the_events_say_after_each_change_to_them(ledger: SqliteLedger) -> None:
    first = ledger.event(Ref(OWN, 1))
    assert first is not None
    ledger.erase(Ref(OWN, 1), redaction(first))
    assert ledger.index_faults() == []
    assert ledger.mentioning(["0"], 5).events == []
    foreign = chain(OTHER, [draft("prompt.given", {"text": f"zebra {n}"}) for n in range(600)])
    ledger.merge([gone(event, "withheld") for event in foreign], merged())
    assert ledger.index_faults() == []
    ledger.merge(foreign, merged())
    assert ledger.index_faults() == []
    assert len(ledger.mentioning(["zebra"], 5).events) == 5
    assert_sound(ledger)


def test_a_command_that_was_erased_is_found_no_longer_and_leaves_no_word_in_the_file(path: str) -> None:
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append(
            [draft("command.run", {"command": f"deploy zanzibar {n}", "outcome": "succeeded"}) for n in range(300)]
        )
    with closing(SqliteLedger(path)) as ledger:
        assert FullText(ledger._db, seen=True).texts() == 300
        for event in list(ledger.events(OWN)):
            ledger.erase(Ref(OWN, event.seq), redaction(event))
        assert ledger.mentioning(["zanzibar"], 5, seen=True).events == []
        assert ledger.index_faults() == []
    with open(path, "rb") as file:
        assert b"zanzibar" not in file.read()


SEEN_ATTACKS = {
    "emptied": "INSERT INTO seen (seen) VALUES ('delete-all')",
    "an entry put in": f"INSERT INTO seen (rowid, text) VALUES ({FIRST} + 299, 'backdoor')",
    "said to go further than it does": "UPDATE entered_seen SET row = row + 1000",
    "its format changed": "UPDATE seen_config SET v = 1",
}


@pytest.mark.parametrize("attack", sorted(SEEN_ATTACKS))
def test_an_index_of_what_was_seen_that_was_tampered_with_is_found(path: str, attack: str) -> None:
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([draft("edit.made", {"path": f"src/number{n}.py"}) for n in range(300)])
    with closing(SqliteLedger(path)) as ledger:
        assert ledger.index_faults() == []
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute(SEEN_ATTACKS[attack])
        with closing(SqliteLedger(path, unchecked=True)) as examined:
            assert examined.index_faults() or examined.structural_faults()
        ledger.rebuild()
    with closing(SqliteLedger(path, writable=False)) as again:
        assert again.index_faults() == again.structural_faults() == []


def test_what_is_entered_is_told_apart_from_what_is_not(ledger: SqliteLedger) -> None:
    (chain_number,) = FullText(ledger._db).entered()
    assert FullText(ledger._db).entered()[chain_number] & 0xFFFFFF == 300
