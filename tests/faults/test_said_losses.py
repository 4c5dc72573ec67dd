"""What is lost is said to be lost (SPEC 16.3): documents that only the state or the home still names, and payloads that
nobody redacted."""

from __future__ import annotations

import json
import sqlite3
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


def without_pointers(ledger: Ledger) -> None:
    for path in (ledger.home / "held").rglob("*.json"):
        path.unlink()


LEFT = {
    "the state": (without_files, without_pointers),
    "its transaction file": (without_state, without_pointers),
    "the list of held transactions in the home": (without_state, without_files),
}


@pytest.mark.parametrize("left", LEFT)
def test_heal_names_an_open_transaction_that_no_event_names_any_more(ledger: Ledger, left: str) -> None:
    before = ledger.end
    transaction = with_an_open_transaction(ledger)
    cut(ledger, len(ledger.rows()) - before)
    for path in (ledger.home / "backups").rglob("*.seal"):
        path.unlink()
    for each in LEFT[left]:
        each(ledger)
    lost = ledger.cli("heal", "--json").json["lost"]
    assert f"transaction {transaction[:8]}: {left} knew it, and no event names it" in lost
    if left == "the state":
        assert any(each.startswith("goal ") for each in lost)
    assert ledger.verified().json["whole"]
    assert [each for each in ledger.cli.ok("heal")["lost"] if transaction[:8] in each] == [], "it was said"
    ledger.cli.ok("preflight", *FLAGS)


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
