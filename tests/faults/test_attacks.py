"""Whoever can write the database and the project's folder, but not Perdure's home, is found out by `perdure audit
verify`, which says what was altered, where, and up to which signed head the record is still what it was (SPEC 14.6)."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import auditing, decisions, notes, signing, trail, transactions
from perdure.actions.scene import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import sit_down
from perdure.model import payload as p
from perdure.model.event import GENESIS
from perdure.place.resolve import Explicit
from perdure.proof.chain import envelope, payload_hash
from tests.conftest import Cli, Result, git

COLUMNS = (
    "row clock id kind ts project_id session_id transaction_id instance_id task_id actor schema payload payload_hash "
    "prev_hash hash absent"
).split()


@dataclass
class Ledger:
    """A ledger with two signed heads, over `first` and over `second` events, and a few events after."""

    cli: Cli
    root: Path
    home: Path
    first: int
    second: int
    end: int

    @property
    def path(self) -> Path:
        return self.root / ".perdure" / "ledger.db"

    def verified(self) -> Result:
        return self.cli("audit", "verify", "--json")

    def rows(self) -> list[dict[str, Any]]:
        with sqlite3.connect(self.path) as db:
            db.row_factory = sqlite3.Row
            return [dict(row) for row in db.execute("SELECT * FROM events ORDER BY row")]

    def change(self, *statements: tuple[str, tuple[object, ...]]) -> None:
        with sqlite3.connect(self.path) as db:
            for statement, values in statements:
                assert db.execute(statement, values).rowcount > 0, statement
        db.close()

    def write(self, rows: list[dict[str, Any]]) -> None:
        with sqlite3.connect(self.path) as db:
            db.execute("DELETE FROM events")
            db.execute("DELETE FROM kinds")
            db.execute("DROP TABLE IF EXISTS subtrees")
            marks = ",".join("?" * len(COLUMNS))
            db.executemany(f"INSERT INTO events VALUES ({marks})", [[row[n] for n in COLUMNS] for row in rows])
        db.close()

    def ledger_id(self) -> str:
        with sqlite3.connect(self.path) as db:
            return str(db.execute("SELECT ledger_id FROM chains ORDER BY n DESC").fetchone()[0])


def resealed(rows: list[dict[str, Any]], ledger_id: str) -> list[dict[str, Any]]:
    """The whole chain computed anew over whatever the rows say now: every link and every hash fits."""
    before, done = GENESIS, []
    for seq, row in enumerate(rows, 1):
        text = payload_hash(row["payload"].encode()) if row["payload"] is not None else row["payload_hash"]
        new = {**row, "row": (row["row"] >> 40 << 40) + seq, "payload_hash": text, "prev_hash": before}
        new["hash"] = before = payload_hash(envelope({**new, "ledger_id": ledger_id, "seq": seq}).encode())
        done.append(new)
    return done


@pytest.fixture
def ledger(cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path) -> Ledger:
    def at(instance: str) -> Request:
        return Request(str(repository), environment, Explicit(instance=instance))

    with sit_down(at("alice")) as desk:
        transactions.preflight(desk, SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "alice begins"))
        decisions.decide(desk, p.DecisionMade("use WAL", "readers never wait"))
        trail.think(desk, "plan", "task-1", "alice", "measure first", "audit-a")
        transactions.close_here(desk, SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "alice is done"))
        first = signing.sign_now(desk, "test").signed.checkpoint.size
    with sit_down(at("bob")) as desk:
        notes.add(desk, "finding", "bob was here")
        notes.add(desk, "question", "is bob right?")
        trail.think(desk, "plan", "task-2", "bob", "guess", "audit-b")
        decisions.decide(desk, p.DecisionMade("use bob's parser", "it is fast"))
        second = signing.sign_now(desk, "test").signed.checkpoint.size
        notes.add(desk, "finding", "after the last head")
        end = desk.ledger.head().seq
    made = Ledger(cli, repository, tmp_path / "home", first, second, end)
    assert auditing.verify(at("alice"), lambda *_: None).is_whole
    return made


def found(ledger: Ledger) -> list[dict[str, Any]]:
    result = ledger.verified()
    assert result.code == 1, result
    assert not result.json["whole"]
    findings: list[dict[str, Any]] = result.json["findings"]
    return findings


def the_one(ledger: Ledger, check: str) -> dict[str, Any]:
    (finding,) = [each for each in found(ledger) if each["check"] == check]
    return finding


CHAIN, HEADS, INDEXES, STATE, TREE, BACKUP = (
    "the chain of hashes",
    "signed heads",
    "the indexes",
    "the state",
    "the stored tree",
    "the backup",
)


def test_a_changed_byte_is_named_with_its_place_and_since_when(ledger: Ledger) -> None:
    row = next(row for row in ledger.rows() if row["kind"] == "decision.made" and "bob" in row["payload"])
    ledger.change(("UPDATE events SET payload = replace(payload, 'fast', 'slow') WHERE id = ?", (row["id"],)))
    finding = the_one(ledger, CHAIN)
    assert finding["what"] == "its payload is not what was hashed"
    assert (finding["seq"], finding["event_id"], finding["time"]) == (row["row"] & 0xFFFFFFFF, row["id"], row["ts"])
    assert finding["ledger_id"] == ledger.ledger_id()
    assert finding["holds_up_to"]["size"] == ledger.first


def test_a_person_reads_what_where_and_since_when(ledger: Ledger) -> None:
    row = next(row for row in ledger.rows() if "bob's parser" in (row["payload"] or ""))
    ledger.change(("UPDATE events SET payload = replace(payload, 'fast', 'slow') WHERE id = ?", (row["id"],)))
    result = ledger.cli("audit", "verify")
    assert result.code == 1
    assert result.out.startswith("altered\n")
    assert "its payload is not what was hashed" in result.out
    assert f"event {row['row'] & 0xFFFFFFFF} ({row['id'][:8]}, " in result.out
    assert f"up to event {ledger.first} it is what was signed" in result.out


def test_two_swapped_records_are_named(ledger: Ledger) -> None:
    rows = ledger.rows()
    one, other = ledger.first + 1, ledger.first + 2
    rows[one], rows[other] = {**rows[other], "row": rows[one]["row"]}, {**rows[one], "row": rows[other]["row"]}
    ledger.write(rows)
    findings = [each for each in found(ledger) if each["check"] == CHAIN]
    assert findings[0]["seq"] == one + 1
    assert {one + 1, other + 1} <= {each["seq"] for each in findings}


def test_a_cut_tail_is_detected(ledger: Ledger) -> None:
    ledger.write(ledger.rows()[: ledger.second - 2])
    finding = the_one(ledger, HEADS)
    assert finding["what"].startswith("2 events are missing at the end: a head over")
    assert finding["seq"] == ledger.second - 1
    assert finding["holds_up_to"]["size"] == ledger.first


def test_a_tail_cut_after_the_last_head_is_seen_by_the_backup(ledger: Ledger) -> None:
    ledger.write(ledger.rows()[: ledger.second])
    assert not [each for each in found(ledger) if each["check"] == HEADS]
    assert the_one(ledger, BACKUP)["seq"] == ledger.second + 1


@pytest.mark.parametrize("taken", [".perdure/ledger.db", ".perdure"])
def test_deleting_everything_is_detected(ledger: Ledger, taken: str) -> None:
    chain = ledger.ledger_id()
    for path in sorted(ledger.root.glob(taken + "*")):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    finding = the_one(ledger, HEADS)
    assert (finding["ledger_id"], finding["holds_up_to"]["size"]) == (chain, ledger.second)
    assert f"{ledger.second} events were here, signed " in finding["what"]


def test_deleting_everything_and_beginning_anew_is_detected(ledger: Ledger, environment: dict[str, str]) -> None:
    chain = ledger.ledger_id()
    shutil.rmtree(ledger.root / ".perdure")
    elsewhere = Cli(ledger.root, {**environment, "PERDURE_HOME": str(ledger.home) + "-of-the-attacker"})
    elsewhere.ok("init")
    finding = the_one(ledger, HEADS)
    assert finding["ledger_id"] == chain != ledger.ledger_id()
    assert f"the whole ledger is gone: a head over {ledger.second}" in finding["what"]


def test_another_project_put_in_its_place_is_detected(ledger: Ledger, environment: dict[str, str]) -> None:
    chain = ledger.ledger_id()
    shutil.rmtree(ledger.root / ".perdure")
    elsewhere = Cli(ledger.root, {**environment, "PERDURE_HOME": str(ledger.home) + "-of-the-attacker"})
    elsewhere.ok("init")
    toml = ledger.root / ".perdure" / "project.toml"
    old = next(line for line in toml.read_text().splitlines() if line.startswith("id"))
    toml.write_text(toml.read_text().replace(old, 'id = "12121212-1212-4212-8212-121212121212"'))
    assert the_one(ledger, HEADS)["ledger_id"] == chain


@pytest.mark.parametrize(
    ("column", "forged"),
    [("actor", "claude-code/someone-else"), ("session_id", "99999999-9999-4999-8999-999999999999")],
    ids=["author", "session"],
)
def test_a_forged_author_or_session_is_detected(ledger: Ledger, column: str, forged: str) -> None:
    row = next(row for row in ledger.rows() if row["kind"] == "decision.made")
    ledger.change((f"UPDATE events SET {column} = ? WHERE id = ?", (forged, row["id"])))
    finding = the_one(ledger, CHAIN)
    assert (finding["what"], finding["event_id"]) == ("its fields are not what was hashed", row["id"])


@pytest.mark.parametrize("column", ["actor", "session_id", "ts", "kind"])
def test_forging_a_field_and_every_hash_after_it_is_detected_by_the_heads(ledger: Ledger, column: str) -> None:
    rows = ledger.rows()
    where = ledger.first + 2
    rows[where] = {**rows[where], column: {"ts": "2020-01-01T00:00:00.000Z"}.get(column, "forged")}
    ledger.write(resealed(rows, ledger.ledger_id()))
    finding = the_one(ledger, HEADS)
    assert f"the first {ledger.second} events are not those that were signed" in finding["what"]
    assert finding["holds_up_to"]["size"] == ledger.first
    assert not [each for each in found(ledger) if each["check"] == CHAIN]


def test_a_whole_chain_computed_anew_is_detected_from_its_first_event_on(ledger: Ledger) -> None:
    rows = ledger.rows()
    rows[0] = {**rows[0], "ts": "2020-01-01T00:00:00.000Z"}
    ledger.write(resealed(rows, ledger.ledger_id()))
    finding = the_one(ledger, HEADS)
    assert f"the first {ledger.first} events are not those that were signed" in finding["what"]
    assert finding["holds_up_to"] is None


def test_changing_what_is_indexed_and_not_what_was_hashed_is_detected(ledger: Ledger) -> None:
    with sit_down(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
        for _ in range(256 - ledger.end):
            notes.add(desk, "finding", "up to a whole block")
    assert ledger.verified().json["whole"]
    ledger.change(("UPDATE kinds SET kind = 'note.failed' WHERE kind = 'decision.made'", ()))
    assert {each["check"] for each in found(ledger)} == {INDEXES}
    ledger.change(("UPDATE kinds SET kind = 'decision.made' WHERE kind = 'note.failed'", ()))
    assert ledger.verified().json["whole"]
    ledger.change(("DELETE FROM kinds WHERE kind = 'decision.made'", ()))
    assert {each["check"] for each in found(ledger)} == {INDEXES}
    ledger.cli.ok("heal")
    assert ledger.verified().json["whole"]


def test_a_changed_node_of_the_stored_tree_is_detected(ledger: Ledger) -> None:
    with sit_down(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
        for _ in range(256 - ledger.end):
            notes.add(desk, "finding", "up to a whole block")
    ledger.change(("UPDATE subtrees SET hash = zeroblob(32)", ()))
    assert {each["check"] for each in found(ledger)} == {TREE}
    ledger.cli.ok("heal")
    assert ledger.verified().json["whole"]


def test_changed_state_is_detected(ledger: Ledger) -> None:
    ledger.change(("UPDATE documents SET live = 1 WHERE kind = 'transaction'", ()))
    assert the_one(ledger, STATE)["what"].startswith("transaction ")


def test_an_old_copy_put_back_is_detected_and_healed(ledger: Ledger) -> None:
    """The copy is whole in itself: only what is kept outside tells."""
    put_back(ledger, with_backup=True)
    assert the_one(ledger, HEADS)["what"].startswith("2 events are missing at the end")
    ledger.cli.ok("heal")
    assert ledger.verified().json["whole"]


def put_back(ledger: Ledger, *, with_backup: bool) -> None:
    copy = ledger.path.with_suffix(".copy")
    with sqlite3.connect(ledger.path) as db:
        db.execute("VACUUM INTO ?", (str(copy),))
    with sit_down(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
        notes.add(desk, "finding", "one more")
        notes.add(desk, "finding", "and another")
        assert signing.sign_now(desk, "test").signed.checkpoint.size == ledger.end + 2
    for beside in ledger.root.glob(".perdure/ledger.db*"):
        beside.unlink()
    copy.rename(ledger.path)
    if not with_backup:
        shutil.rmtree(ledger.home / "backups")


def test_a_record_of_another_session_spliced_in_is_detected(ledger: Ledger) -> None:
    rows = ledger.rows()
    theirs = next(number for number, row in enumerate(rows) if row["session_id"] == "audit-b")
    ours = next(number for number, row in enumerate(rows) if row["session_id"] == "audit-a")
    rows[ours] = {**rows[theirs], "row": rows[ours]["row"]}
    ledger.write(rows)
    findings = [each for each in found(ledger) if each["check"] == CHAIN]
    assert findings[0]["seq"] == ours + 1
    assert {each["seq"] for each in findings} <= {ours + 1, ours + 2}


def test_a_payload_taken_out_without_a_redaction_is_detected(ledger: Ledger) -> None:
    row = next(row for row in ledger.rows() if row["kind"] == "note.finding")
    ledger.change(("UPDATE events SET payload = NULL, absent = 'redacted' WHERE id = ?", (row["id"],)))
    assert the_one(ledger, "payloads that are gone")["event_id"] == row["id"]


def test_nothing_is_signed_over_a_record_that_was_rewritten(ledger: Ledger) -> None:
    rows = ledger.rows()
    rows[1] = {**rows[1], "ts": "2020-01-01T00:00:00.000Z"}
    ledger.write(resealed(rows, ledger.ledger_id()))
    flags = ("--know", "0.9", "--uncertainty", "0.1", "--because", "x")
    ledger.cli.ok("preflight", *flags, PERDURE_INSTANCE="carol")
    closed = ledger.cli.ok("postflight", *flags, PERDURE_INSTANCE="carol")
    assert closed["status"] == "closed"
    (warning,) = [each for each in closed["warnings"] if "not signed" in each]
    assert "is not what was signed" in warning
    assert the_one(ledger, HEADS)["holds_up_to"] is None


# -- what a person does about it -------------------------------------------------------------------------------------


def test_a_restore_on_purpose_is_acknowledged_and_recorded(ledger: Ledger) -> None:
    put_back(ledger, with_backup=False)
    chain, found_first = ledger.ledger_id(), the_one(ledger, HEADS)
    accepted = ledger.cli.ok("audit", "acknowledge", "--because", "went back to Monday")
    assert accepted["ledgers"] == [{"ledger_id": chain, "holds_up_to": ledger.second}]
    assert found_first["holds_up_to"]["size"] == ledger.second
    assert accepted["new_chain"]
    assert ledger.ledger_id() != chain
    assert ledger.verified().json["whole"]
    said = [row for row in ledger.rows() if row["kind"] == "restore.acknowledged"]
    assert "went back to Monday" in said[0]["payload"]
    ledger.cli.ok("audit", "heads", "--sign")
    assert ledger.verified().json["whole"]


def test_what_is_acknowledged_does_not_excuse_what_comes_after(ledger: Ledger) -> None:
    put_back(ledger, with_backup=False)
    ledger.cli.ok("audit", "acknowledge", "--because", "went back to Monday")
    ledger.cli.ok("audit", "heads", "--sign")
    ledger.change(("DELETE FROM events WHERE row = (SELECT max(row) FROM events)", ()))
    ledger.change(("DELETE FROM events WHERE row = (SELECT max(row) FROM events)", ()))
    assert the_one(ledger, HEADS)["ledger_id"] == ledger.ledger_id()


def test_a_forged_acknowledgement_in_the_ledger_excuses_nothing(ledger: Ledger) -> None:
    put_back(ledger, with_backup=False)
    rows = ledger.rows()
    forged = {**rows[-1], "kind": "restore.acknowledged", "payload": '{"because":"trust me","heads":[]}'}
    forged |= {"row": rows[-1]["row"] + 1, "clock": rows[-1]["clock"] + 1, "id": "56565656-5656-4656-8656-565656565656"}
    ledger.write(resealed([*rows, forged], ledger.ledger_id()))
    assert the_one(ledger, HEADS)


def test_while_the_backup_has_it_a_put_back_ledger_is_healed_and_not_acknowledged(ledger: Ledger) -> None:
    put_back(ledger, with_backup=True)
    refused = ledger.cli("audit", "acknowledge", "--because", "x", "--json")
    assert (refused.code, refused.error["code"]) == (3, "ledger_put_back")


def test_nothing_is_acknowledged_where_every_head_holds(ledger: Ledger) -> None:
    refused = ledger.cli("audit", "acknowledge", "--because", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "nothing_to_acknowledge")


# -- anchors: the attacker has the key and Perdure's home as well ------------------------------------------------------


def test_a_ledger_rewritten_with_the_key_is_found_out_by_an_anchor(
    ledger: Ledger, environment: dict[str, str], tmp_path: Path
) -> None:
    line = ledger.cli.ok("audit", "anchor", "--trailer")["trailer"]
    git(ledger.root, environment, "commit", "-q", "--allow-empty", "-m", f"work\n\n{line}")
    assert ledger.verified().json["heads"]["anchored"] == 1
    rows = [row for row in ledger.rows() if row["kind"] != "head.signed"]
    rows[0] = {**rows[0], "ts": "2020-01-01T00:00:00.000Z"}
    ledger.write(resealed(rows, ledger.ledger_id()))
    shutil.rmtree(ledger.home / "heads")
    shutil.rmtree(ledger.home / "backups")
    ledger.cli.ok("heal")  # brings the state up to the rewritten events
    ledger.cli.ok("audit", "heads", "--sign")
    assert "trailer of commit" in the_one(ledger, HEADS)["what"]


@pytest.mark.parametrize("times", [1, 3])
def test_a_git_note_is_read_back(ledger: Ledger, times: int) -> None:
    for number in range(times):
        ledger.cli.ok("note", "finding", f"number {number}")
        ledger.cli.ok("audit", "anchor", "--git-note", **git_identity())
    assert ledger.verified().json["heads"]["anchored"] == times
    ledger.write(ledger.rows()[: ledger.second])
    shutil.rmtree(ledger.home / "heads")
    assert "git note on" in the_one(ledger, HEADS)["what"]


def git_identity() -> dict[str, str]:
    return {f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def test_an_anchor_of_another_key_counts_for_nothing(ledger: Ledger, environment: dict[str, str]) -> None:
    line = ledger.cli.ok("audit", "anchor", "--trailer")["trailer"]
    forged = line.replace(line.split()[2], str(int(line.split()[2]) + 100), 1)
    git(ledger.root, environment, "commit", "-q", "--allow-empty", "-m", f"work\n\n{forged}")
    result = ledger.verified()
    assert result.code == 0
    assert result.json["heads"]["anchored"] == 0
