"""What is lost is said to be lost, once (SPEC 16.3): documents that only the state or a transaction file still names,
and payloads that nobody redacted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_lost_ends import cut
from tests.faults.test_trust import backup_of
from tests.surfaces.test_hooks import FLAGS

__all__ = ["ledger"]


def with_an_open_transaction(ledger: Ledger) -> str:
    ledger.cli.environment["PERDURE_INSTANCE"] = "evening"
    return str(ledger.cli.ok("preflight", *FLAGS, "--goal", "count the cents")["transaction_id"])


def without_state(ledger: Ledger) -> None:
    with sqlite3.connect(ledger.path) as db:
        db.execute("DELETE FROM documents")
    db.close()


def without_files(ledger: Ledger) -> None:
    for path in (ledger.root / ".perdure").glob("active_transaction*"):
        path.unlink()


LEFT = {"the state": without_files, "its transaction file": without_state}


def without_seals(ledger: Ledger) -> None:
    for path in (ledger.home / "backups").rglob("*.seal"):
        path.unlink()


def without_backups(ledger: Ledger) -> None:
    for path in (ledger.home / "backups").rglob("*"):
        if path.is_file():
            path.unlink()


@pytest.mark.parametrize("gone", [without_seals, without_backups], ids=lambda gone: gone.__name__)
@pytest.mark.parametrize("left", LEFT)
def test_heal_names_once_an_open_transaction_that_no_event_names_any_more(
    ledger: Ledger, left: str, gone: Callable[[Ledger], None]
) -> None:
    before = ledger.end
    transaction = with_an_open_transaction(ledger)
    cut(ledger, len(ledger.rows()) - before)
    gone(ledger)
    LEFT[left](ledger)
    lost = ledger.cli("heal", "--json").json["lost"]
    assert f"transaction {transaction[:8]}: {left} knew it, and no event names it" in lost
    if left == "the state":
        assert any(each.startswith("goal ") for each in lost)
    assert ledger.verified().json["whole"]
    recorded = len(ledger.rows())
    again = ledger.cli.ok("heal")
    assert (again["mended"], again["lost"]) == ([], []), "it was said"
    assert len(ledger.rows()) == recorded, "and recorded once"
    ledger.cli.ok("preflight", *FLAGS)


def test_what_the_seal_still_names_is_said_with_the_documents_that_were_in_it(ledger: Ledger) -> None:
    before = ledger.end
    transaction = with_an_open_transaction(ledger)
    cut(ledger, len(ledger.rows()) - before)
    healed = ledger.cli("heal", "--json")
    assert healed.code == 1
    assert any(f"after event {before}" in each for each in healed.json["lost"])
    assert any(each.startswith(f"transaction {transaction[:8]}") for each in healed.json["lost"])
    again = ledger.cli("heal", "--json")
    assert (again.code, again.json["mended"], again.json["lost"]) == (1, [], [])
    ledger.cli.ok("audit", "acknowledge", "--because", "it is lost")
    assert ledger.cli.ok("heal")["lost"] == []


def test_a_pointer_to_a_transaction_that_was_never_recorded_is_not_a_loss(ledger: Ledger) -> None:
    """A process may die after it wrote the pointer and before it recorded the transaction."""
    rows = len(ledger.rows())
    with_an_open_transaction(ledger)
    cut(ledger, len(ledger.rows()) - rows)
    without_seals(ledger)
    without_state(ledger)
    without_files(ledger)
    assert list((ledger.home / "held").rglob("*.json"))
    assert ledger.cli("heal", "--json").json["lost"] == []


def test_what_somebody_wrote_into_the_state_was_never_lost(ledger: Ledger) -> None:
    with_an_open_transaction(ledger)
    with sqlite3.connect(ledger.path) as db:
        db.execute("UPDATE documents SET id = '12121212-1212-4212-8212-121212121212' WHERE kind = 'goal'")
    db.close()
    healed = ledger.cli.ok("heal")
    assert (healed["whole"], healed["lost"]) == (True, [])


def test_a_name_that_somebody_wrote_into_the_state_cannot_print_lines_of_its_own(ledger: Ledger) -> None:
    with sqlite3.connect(ledger.path) as db:
        (one,) = db.execute("SELECT id FROM documents WHERE kind = 'session' LIMIT 1").fetchone()
        db.execute("UPDATE documents SET id = 'x\n  repaired: all is well', clock = 1000000 WHERE id = ?", (one,))
    db.close()
    said = ledger.cli("heal").out
    assert "lost: session 'x?  repaired? all is well': the state knew it" in said
    assert "\n  repaired: all is well" not in said


def test_heal_calls_nothing_lost_where_only_the_state_is_damaged(ledger: Ledger) -> None:
    with_an_open_transaction(ledger)
    with sqlite3.connect(ledger.path) as db:
        db.execute("UPDATE documents SET body = '{}' WHERE kind = 'goal'")
    db.close()
    assert ledger.cli("heal", "--json").json["lost"] == []


def flipped(path: Path, word: str) -> int:
    """The number of the event whose line is changed."""
    lines = path.read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if word in line)
    lines[place] = lines[place].replace(word, word.upper())
    path.write_text("\n".join(lines) + "\n")
    return int(json.loads(lines[place])["seq"])


def test_a_payload_that_was_lost_is_not_called_redacted(ledger: Ledger) -> None:
    seq = flipped(backup_of(ledger), "bob's parser")
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()
    healed = ledger.cli("heal", "--json").json
    assert any(f"the payload of event {seq} of" in each for each in healed["lost"])
    assert not any("redacted" in each for each in healed["mended"])
    verified = ledger.verified().json
    assert (verified["redacted"], verified["lost_payloads"]) == (0, 1)
    said = ledger.cli("audit", "verify").out
    assert "1 payload lost" in said
    assert "redacted" not in said


def test_a_payload_that_was_redacted_is_not_called_lost(cli: Cli) -> None:
    cli.ok("redact", cli.ok("decide", "use WAL")["decision_id"], "--because", "a name")
    verified = cli.ok("audit", "verify")
    assert (verified["redacted"], verified["lost_payloads"]) == (1, 0)
