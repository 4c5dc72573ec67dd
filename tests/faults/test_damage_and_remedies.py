"""Smaller damages that nobody named, and remedies that led nowhere (SPEC 14.7, 16.3)."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.effort import crossed
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_lost_ends import cut
from tests.faults.test_trust import backup_of, healed_and_whole

__all__ = ["ledger"]


def heads_of(ledger: Ledger) -> Path:
    return next((ledger.home / "heads").rglob(f"{ledger.ledger_id()}.jsonl"))


def acknowledged(ledger: Ledger) -> Path:
    return heads_of(ledger).with_name("acknowledged.jsonl")


@crossed("where", [backup_of, heads_of, acknowledged], "line", [b"junk\n", b"{}\n", b'{"seq":3}\n', b"\xff\xfe\n"])
def test_a_line_that_cannot_be_read_is_named_by_both_and_taken_out(
    ledger: Ledger, where: Callable[[Ledger], Path], line: bytes
) -> None:
    path = where(ledger)
    before = path.read_bytes() if path.exists() else b""
    path.write_bytes(before + line)
    assert ledger.verified().code == 1
    assert ledger.cli("heal", "--check").code == 1
    healed_and_whole(ledger)
    assert path.read_bytes().startswith(before)
    assert line not in path.read_bytes()
    assert healed_and_whole(ledger)["mended"] == []


@pytest.mark.parametrize("where", [backup_of, heads_of])
def test_a_last_line_that_a_crash_cut_is_not_a_finding(ledger: Ledger, where: Callable[[Ledger], Path]) -> None:
    with where(ledger).open("ab") as file:
        file.write(b'{"note":"per')
    assert ledger.verified().code == 0


def test_a_document_of_an_unknown_kind_is_named_by_both_and_taken_out(ledger: Ledger) -> None:
    ledger.change(("INSERT INTO documents VALUES ('strange', 'y', 1, 1, '{}')", ()))
    assert "strange" in str(ledger.verified().json["findings"])
    assert ledger.cli("heal", "--check").code == 1
    healed_and_whole(ledger)


@pytest.mark.parametrize("how", ["no key", "unreadable"])
def test_a_signing_key_that_cannot_be_used_is_named_with_a_way_out_that_works(ledger: Ledger, how: str) -> None:
    key = ledger.home / "keys" / "signing.key"
    if how == "no key":
        key.write_text("junk\n")
    else:
        key.chmod(0)
        if os.access(key, os.R_OK):
            pytest.skip("this user reads everything")
    verified = ledger.cli("audit", "verify")
    assert verified.code == 1
    assert "signing.key" in verified.out
    assert "perdure audit key rotate" in verified.out
    assert ledger.cli("heal", "--check").code == 1
    assert "signing.key" in ledger.cli("doctor").out
    ledger.cli.ok("audit", "key", "rotate")
    assert ledger.verified().code == 0


def test_the_opening_of_an_open_transaction_is_not_erased(ledger: Ledger) -> None:
    ledger.cli.ok("preflight", "--know", "0.9", "--uncertainty", "0.1", "--because", "begin")
    opened = [row["id"] for row in ledger.rows() if row["kind"] == "transaction.opened"][-1]
    refused = ledger.cli("redact", opened, "--because", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "transaction_open")
    advised = re.search(r"Close it first: perdure (.+?); K and U", refused.error["hint"])
    assert advised
    own = {"K": "0.9", "U": "0.1", "…": "done"}
    ledger.cli.ok(*(own.get(word, word) for word in shlex.split(advised[1])))
    ledger.cli.ok("redact", opened, "--because", "x")
    assert ledger.cli.ok("status")["warnings"] == []
    healed_and_whole(ledger)


def test_status_says_first_what_heal_could_not_repair_until_a_person_accepts_it(ledger: Ledger) -> None:
    cut(ledger, 1)
    assert ledger.cli("heal").code == 1
    warnings = ledger.cli.ok("status")["warnings"]
    assert "the last heal could not repair everything" in warnings[0]
    assert "perdure audit verify" in warnings[0]
    ledger.cli.ok("note", "finding", "the work goes on meanwhile")
    ledger.cli.ok("audit", "acknowledge", "--because", "lost")
    assert ledger.cli.ok("status")["warnings"] == []


def test_status_says_that_a_command_found_the_ledger_damaged(ledger: Ledger) -> None:
    (ledger.path.parent / "damaged").write_text("Event 3 is not what was hashed.\n")
    assert "Event 3 is not what was hashed." in ledger.cli.ok("status")["warnings"][0]


def test_an_accepted_id_is_said_at_once_and_by_every_verify(ledger: Ledger) -> None:
    toml = ledger.path.parent / "project.toml"
    toml.write_text(re.sub('id = "........', 'id = "12121212', toml.read_text()))
    said = ledger.cli("audit", "acknowledge", "--because", "it was meant")
    assert said.code == 0
    assert "12121212" in said.out
    for _ in range(2):
        assert "it was meant" in json.dumps(ledger.cli.ok("audit", "verify"))
