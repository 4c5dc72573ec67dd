"""Whoever can write the database and the project's folder, but not Perdure's home, is found out by `perdure audit
verify`, which says what was altered, where, and up to which signed head the record is still what it was (SPEC 14.6)."""

from __future__ import annotations

import json
import shutil
import sqlite3
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import audit_trail, auditing, decisions, notes, signing, transactions
from perdure.actions.record import Fact, record
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import open_desk
from perdure.model import payload as p
from perdure.model.event import GENESIS
from perdure.model.jsonl import to_line
from perdure.model.moment import Moment
from perdure.model.value import replace
from perdure.place.resolve import Explicit
from perdure.proof import signed_note
from perdure.proof.chain import envelope, payload_hash
from perdure.views import signing_keys
from tests.conftest import Cli, Result, git, new_repository
from tests.contract.making import chain, draft
from tests.effort import crossed

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

    with open_desk(at("alice")) as desk:
        transactions.preflight(desk, SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "alice begins"))
        decisions.decide(desk, p.DecisionMade("use WAL", "readers never wait"))
        audit_trail.think(desk, "plan", "task-1", agent_id="alice", content="measure first", session_id="audit-a")
        transactions.close_here(desk, SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "alice is done"))
        first = signing.sign(desk, "test").signed.tree_head.size
    with open_desk(at("bob")) as desk:
        notes.add(desk, "finding", "bob was here")
        notes.add(desk, "question", "is bob right?")
        audit_trail.think(desk, "plan", "task-2", agent_id="bob", content="guess", session_id="audit-b")
        decisions.decide(desk, p.DecisionMade("use bob's parser", "it is fast"))
        second = signing.sign(desk, "test").signed.tree_head.size
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


CHAIN, HEADS, INDEXES, STATE, TREE, BACKUP, HOME = (
    "the chain of hashes",
    "signed heads",
    "the indexes",
    "the state",
    "the stored tree",
    "the backup",
    "the home",
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
    assert f"unchanged up to event {ledger.first}, as signed" in result.out


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
    assert finding["what"].startswith("2 events missing at the end: a head over")
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
    assert (finding["ledger_id"], finding["holds_up_to"]) == (chain, None)
    assert f"{ledger.second} events were here, signed " in finding["what"]
    assert "since  nothing of it could be checked" in ledger.cli("audit", "verify").out


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
    assert f"the first {ledger.second} events do not match what was signed" in finding["what"]
    assert finding["holds_up_to"]["size"] == ledger.first
    assert not [each for each in found(ledger) if each["check"] == CHAIN]


def test_a_whole_chain_computed_anew_is_detected_from_its_first_event_on(ledger: Ledger) -> None:
    rows = ledger.rows()
    rows[0] = {**rows[0], "ts": "2020-01-01T00:00:00.000Z"}
    ledger.write(resealed(rows, ledger.ledger_id()))
    finding = the_one(ledger, HEADS)
    assert f"the first {ledger.first} events do not match what was signed" in finding["what"]
    assert finding["holds_up_to"] is None


def test_changing_what_is_indexed_and_not_what_was_hashed_is_detected(ledger: Ledger) -> None:
    with open_desk(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
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
    with open_desk(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
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
    assert the_one(ledger, HEADS)["what"].startswith("2 events missing at the end")
    ledger.cli.ok("heal")
    assert ledger.verified().json["whole"]


def put_back(ledger: Ledger, *, with_backup: bool) -> None:
    copy = ledger.path.with_suffix(".copy")
    with sqlite3.connect(ledger.path) as db:
        db.execute("VACUUM INTO ?", (str(copy),))
    with open_desk(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
        notes.add(desk, "finding", "one more")
        notes.add(desk, "finding", "and another")
        assert signing.sign(desk, "test").signed.tree_head.size == ledger.end + 2
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
    refused = ledger.cli("preflight", *flags, "--json", PERDURE_INSTANCE="carol")
    assert (refused.code, refused.error["code"]) == (1, "ledger_put_back"), "its backup has another event there"
    shutil.rmtree(ledger.home / "backups")
    ledger.cli.ok("preflight", *flags, PERDURE_INSTANCE="carol")
    closed = ledger.cli.ok("postflight", *flags, PERDURE_INSTANCE="carol")
    assert closed["status"] == "closed"
    (warning,) = [each for each in closed["warnings"] if "not signed" in each]
    assert "differs from what was signed" in warning
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
    own = [each for each in found(ledger) if each["ledger_id"] == ledger.ledger_id()]
    assert HEADS in [each["check"] for each in own]


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
    assert (refused.code, refused.error["code"]) == (1, "ledger_put_back")


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
    healed = ledger.cli("heal", "--json")
    assert healed.code == 1
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


@pytest.mark.parametrize("beside", [1, -1])
def test_a_chain_that_was_begun_behind_our_back_is_found_though_it_is_empty(ledger: Ledger, beside: int) -> None:
    """One above our own would take what is written next."""
    with sqlite3.connect(ledger.path) as db:
        (own,) = db.execute("SELECT max(n) FROM chains").fetchone()
        db.execute("INSERT INTO chains VALUES (?, ?)", (own + beside, str(uuid.uuid4())))
    assert "a chain without any event" in [each["what"] for each in found(ledger)]


def test_a_repository_whose_settings_were_spoilt_hides_no_anchor_silently(
    ledger: Ledger, environment: dict[str, str]
) -> None:
    line = ledger.cli.ok("audit", "anchor", "--trailer")["trailer"]
    git(ledger.root, environment, "commit", "-q", "--allow-empty", "-m", f"work\n\n{line}")
    (ledger.root / ".git" / "config").write_text("[core\n")
    assert "git does not answer" in the_one(ledger, HEADS)["what"]
    (way_out,) = (line for line in ledger.cli("audit", "verify").out.splitlines() if line.startswith("  Now: "))
    assert way_out.endswith(f"git -C {ledger.root} status")


def test_an_anchor_of_another_key_counts_for_nothing(ledger: Ledger, environment: dict[str, str]) -> None:
    line = ledger.cli.ok("audit", "anchor", "--trailer")["trailer"]
    forged = line.replace(line.split()[2], str(int(line.split()[2]) + 100), 1)
    git(ledger.root, environment, "commit", "-q", "--allow-empty", "-m", f"work\n\n{forged}")
    result = ledger.verified()
    assert result.code == 0
    assert result.json["heads"]["anchored"] == 0


# -- forged heads ----------------------------------------------------------------------------------------------------


def appended(ledger: Ledger, kind: str, payload: dict[str, Any]) -> None:
    """One more event at the end, as whoever can write the database forges it."""
    rows = ledger.rows()
    nobody = dict.fromkeys(("session_id", "transaction_id", "instance_id", "task_id"))
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    forged = {**rows[-1], **nobody, "kind": kind, "payload": text, "id": "56565656-5656-4656-8656-565656565656"}
    forged |= {"row": rows[-1]["row"] + 1, "clock": rows[-1]["clock"] + 1, "schema": 1}
    ledger.write(resealed([*rows, forged], ledger.ledger_id()))


def test_an_unsigned_head_in_the_ledger_is_not_believed(ledger: Ledger) -> None:
    said = {"ledger_id": ledger.ledger_id(), "note": "x", "root": "", "size": 5, "why": ""}
    appended(ledger, "head.signed", said)
    result = ledger.verified()
    assert (result.code, result.json["heads"]["inside"]) == (1, 2)
    assert "1 heads in the ledger are not signed by a key of this home" in the_one(ledger, HOME)["what"]
    ledger.cli("heal")
    ledger.cli.ok("audit", "acknowledge", "--because", "I know who wrote it")
    assert ledger.verified().json["whole"]


def test_a_colleagues_head_over_my_ledger_does_not_bind_it(ledger: Ledger, tmp_path: Path) -> None:
    colleague = signing_keys.signer(str(tmp_path / "colleague"), "2026-01-01T00:00:00.000Z")
    false = signed_note.tree_head_of(ledger.ledger_id(), 5, bytes(32), time="2026-01-01T00:00:00.000Z", place="0" * 16)
    text = signed_note.signed(false, colleague.key, colleague.sign)
    appended(
        ledger,
        "head.signed",
        dict(p.write(p.HeadSigned(ledger_id=ledger.ledger_id(), size=5, root="0" * 64, note=text, why="x"))),
    )
    assert [each["check"] for each in found(ledger)] == [HOME]


def test_an_acknowledgement_excuses_the_heads_it_names_and_no_other(ledger: Ledger) -> None:
    put_back(ledger, with_backup=False)
    chain = ledger.ledger_id()
    assert ledger.verified().json["heads"]["kept"] == 2, "the third does not hold, and is not counted"
    ledger.cli.ok("audit", "acknowledge", "--because", "went back to Monday")
    (path,) = (ledger.home / "heads").rglob("acknowledged.jsonl")
    said = json.loads(path.read_text())
    assert (said["above"], len(said["heads"])) == (ledger.second, 1)
    rows = ledger.rows()
    old = [row for row in rows if row["row"] >> 40 == rows[0]["row"] >> 40]
    old[2] = {**old[2], "actor": "mallory"}
    ledger.write([*resealed(old, chain), *rows[len(old) :]])
    finding = next(each for each in found(ledger) if each["check"] == HEADS)
    assert finding["ledger_id"] == chain
    assert f"the first {ledger.first} events do not match what was signed" in finding["what"]


def test_an_acknowledgement_holds_though_the_clock_went_back(ledger: Ledger) -> None:
    put_back(ledger, with_backup=False)
    request = Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"), now=lambda: Moment(0))
    with open_desk(request) as desk:
        assert auditing.acknowledge(request, desk, "went back to Monday").ledgers[0].at < "1971"
    assert ledger.verified().json["whole"]


def flipped(text: str, at: int) -> str:
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]


PARTS_OF_A_HEAD: dict[str, Callable[[str], str]] = {
    "signature": lambda note: flipped(note, note.rindex(" ") + 12),
    "key's name": lambda note: flipped(note, note.index("\n— perdure/") + 12),
    "key's id": lambda note: flipped(note, note.rindex(" ") + 2),
    "root": lambda note: flipped(note, note.index("=\n") - 8),
    "time": lambda note: note.replace("time 2", "time 3"),
}


@pytest.mark.parametrize("part", PARTS_OF_A_HEAD)
def test_a_kept_head_with_a_flipped_bit_is_written_again_from_the_ledger(ledger: Ledger, part: str) -> None:
    """Nothing of the ledger was altered, so nobody is asked to acknowledge anything."""
    path = next((ledger.home / "heads").rglob(f"{ledger.ledger_id()}.jsonl"))
    first, second = path.read_text().splitlines()
    damaged = PARTS_OF_A_HEAD[part](json.loads(second)["note"])
    path.write_text(f"{first}\n{json.dumps({'note': damaged, 'why': 'test'})}\n")
    assert "the home lacks 1 head that the ledger records" in str(found(ledger))
    healed = ledger.cli("heal", "--json")
    assert healed.json["whole"], healed.json
    assert "1 signed head put back into the home" in healed.json["mended"]
    assert any("had a line that is damaged" in each for each in healed.json["mended"])
    assert path.read_text().startswith(first)
    assert ledger.verified().json["whole"]
    assert ledger.cli.ok("heal")["mended"] == []
    ledger.cli.ok("audit", "heads", "--sign")
    assert ledger.verified().json["whole"]


def test_a_flipped_bit_hides_no_alteration_that_another_head_shows(ledger: Ledger) -> None:
    path = next((ledger.home / "heads").rglob(f"{ledger.ledger_id()}.jsonl"))
    first, second = path.read_text().splitlines()
    damaged = flipped(json.loads(first)["note"], 60)
    path.write_text(f"{json.dumps({'note': damaged, 'why': 'test'})}\n{second}\n")
    rows = ledger.rows()
    rows[2] = {**rows[2], "actor": "mallory"}
    ledger.write(resealed(rows, ledger.ledger_id()))
    assert not ledger.verified().json["whole"]
    ledger.cli("heal")
    assert "mallory" not in str([row["actor"] for row in ledger.rows()])
    assert ledger.verified().json["whole"]


def test_a_signing_key_that_this_home_did_not_make_is_refused(ledger: Ledger) -> None:
    """Another key in its place, such as `view.key`, would sign heads from now on, and nobody would know."""
    keys = ledger.home / "keys"
    (keys / "signing.key").write_bytes((keys / "view.key").read_bytes())
    finding = the_one(ledger, HOME)
    assert "signing.key has a key that this home did not make" in finding["what"]
    assert "perdure audit key rotate" in ledger.cli("audit", "verify").out
    ledger.cli.ok("note", "finding", "more")
    refused = ledger.cli("audit", "heads", "--sign", "--json")
    assert refused.error["code"] == "bad_signing_key"
    assert len((keys / "signers").read_text().splitlines()) == 1
    ledger.cli.ok("audit", "key", "rotate")
    ledger.cli.ok("audit", "heads", "--sign")
    assert ledger.verified().json["whole"]
    assert ledger.cli("heal", "--json").json["whole"]


def test_a_lost_list_of_signers_is_made_again_from_the_key(ledger: Ledger) -> None:
    signers = ledger.home / "keys" / "signers"
    signers.unlink()
    assert ledger.verified().json["heads"]["kept"] == 2
    ledger.cli.ok("audit", "heads", "--sign")
    assert len(signers.read_text().splitlines()) == 1


# -- chains that were taken in, and former ones ----------------------------------------------------------------------

TAKEN_IN, PLACE = "chains taken in", "the place"
THEIRS = "22222222-2222-4222-8222-222222222222"


def taken_in(ledger: Ledger, tmp_path: Path) -> int:
    """A colleague's chain of six events is imported; answers with the number of its first row."""
    project_id = ledger.rows()[0]["project_id"]
    drafts = [replace(draft(payload=p.Note(f"theirs {n}")), project_id=project_id) for n in range(6)]
    (tmp_path / "theirs.jsonl").write_text("".join(map(to_line, chain(THEIRS, drafts))))
    ledger.cli.ok("import", str(tmp_path / "theirs.jsonl"))
    assert ledger.verified().json["whole"]
    return int(ledger.rows()[0]["row"])


def test_a_chain_that_was_taken_in_and_cut_is_detected(ledger: Ledger, tmp_path: Path) -> None:
    row = taken_in(ledger, tmp_path)
    ledger.change(("DELETE FROM events WHERE row IN (?, ?)", (row + 4, row + 5)))
    finding = the_one(ledger, TAKEN_IN)
    assert (finding["ledger_id"], finding["seq"]) == (THEIRS, 5)


def test_a_chain_that_was_taken_in_and_deleted_is_detected_and_can_be_acknowledged(
    ledger: Ledger, tmp_path: Path
) -> None:
    row = taken_in(ledger, tmp_path)
    ledger.change(("DELETE FROM events WHERE row <= ?", (row + 5,)))
    ledger.change(("DELETE FROM chains WHERE ledger_id = ?", (THEIRS,)))
    finding = the_one(ledger, TAKEN_IN)
    assert (finding["ledger_id"], "the whole ledger is gone" in finding["what"]) == (THEIRS, True)
    accepted = ledger.cli.ok("audit", "acknowledge", "--because", "theirs is not wanted")
    assert not accepted["new_chain"]
    assert ledger.verified().json["whole"]


def test_a_chain_that_was_taken_in_and_computed_anew_is_detected(ledger: Ledger, tmp_path: Path) -> None:
    taken_in(ledger, tmp_path)
    rows = ledger.rows()
    theirs = resealed([{**rows[0], "actor": "mallory"}, *rows[1:6]], THEIRS)
    ledger.write([*theirs, *rows[6:]])
    assert the_one(ledger, TAKEN_IN)["seq"] == 6


def test_a_former_chain_cut_after_its_last_head_is_detected(ledger: Ledger) -> None:
    former = ledger.ledger_id()
    for path in ledger.root.glob(".perdure/ledger.db*"):
        path.unlink()
    ledger.cli.ok("heal")
    assert ledger.verified().json["whole"]
    ledger.change(
        ("DELETE FROM events WHERE row = (SELECT (n << 40) + ? FROM chains WHERE ledger_id = ?)", (ledger.end, former))
    )
    assert (the_one(ledger, TAKEN_IN)["ledger_id"], the_one(ledger, BACKUP)["seq"]) == (former, ledger.end)


# -- what the project says of itself -----------------------------------------------------------------------------------


def cut(ledger: Ledger) -> None:
    """After the last head: only the backup knows."""
    ledger.write(ledger.rows()[: ledger.second])


def test_another_id_in_project_toml_does_not_hide_the_backup(ledger: Ledger) -> None:
    cut(ledger)
    toml = ledger.root / ".perdure" / "project.toml"
    was = ledger.rows()[0]["project_id"]
    toml.write_text(toml.read_text().replace(was, "12121212-1212-4212-8212-121212121212"))
    assert the_one(ledger, BACKUP)["seq"] == ledger.second + 1
    assert [each for each in found(ledger) if each["check"] == PLACE and f"known as {was[:8]}" in each["what"]]


@pytest.mark.parametrize("column", ["root", "machine"])
def test_another_origin_does_not_hide_the_backup_nor_let_the_ledger_be_written_on(ledger: Ledger, column: str) -> None:
    cut(ledger)
    ledger.change((f"UPDATE origin SET {column} = '/nonexistent/x'", ()))
    assert the_one(ledger, BACKUP)["seq"] == ledger.second + 1
    refused = ledger.cli("note", "finding", "life goes on", "--json")
    assert (refused.code, refused.error["code"]) == (1, "ledger_put_back")


def test_another_chain_to_write_to_does_not_hide_the_backup(ledger: Ledger) -> None:
    cut(ledger)
    rows, forged = ledger.rows(), "12121212-1212-4212-8212-121212121212"
    number = (rows[0]["row"] >> 40) + 1
    ledger.change(("INSERT INTO chains VALUES (?, ?)", (number, forged)))
    nobody = dict.fromkeys(("session_id", "transaction_id", "instance_id", "task_id"))
    opened = {**rows[-1], **nobody, "row": (number << 40) + 1, "kind": "ledger.opened", "clock": rows[-1]["clock"] + 1}
    opened |= {"payload": '{"continues":[],"reason":"copied"}', "id": "56565656-5656-4656-8656-565656565656"}
    ledger.write([*rows, *resealed([opened], forged)])
    assert the_one(ledger, BACKUP)["seq"] == ledger.second + 1


def test_a_rewritten_end_is_not_written_on(ledger: Ledger) -> None:
    rows = ledger.rows()
    rows[-1] = {**rows[-1], "actor": "mallory"}
    ledger.write(resealed(rows, ledger.ledger_id()))
    refused = ledger.cli("note", "finding", "life goes on", "--json")
    assert (refused.code, refused.error["code"]) == (1, "ledger_put_back")
    assert the_one(ledger, BACKUP)["what"] == "is another event than the backup has there"


def test_a_ledger_without_heads_that_was_exchanged_is_seen_by_the_registry(
    ledger: Ledger, environment: dict[str, str]
) -> None:
    chain = ledger.ledger_id()
    shutil.rmtree(ledger.home / "heads")
    shutil.rmtree(ledger.root / ".perdure")
    Cli(ledger.root, {**environment, "PERDURE_HOME": str(ledger.home) + "-of-the-attacker"}).ok("init")
    foreign, missing = [each["what"] for each in found(ledger) if each["check"] == PLACE]
    assert "was not written by this home" in foreign
    assert f"is known to hold ledger {chain[:8]}; it is not here" in missing
    assert "perdure audit acknowledge" not in ledger.cli("audit", "verify").out, "nobody here can accept it"
    ledger.cli.ok("heal")
    restored = ledger.verified().json
    assert restored["whole"]
    assert restored["events"] > ledger.end, "everything that was written is back"


@pytest.mark.parametrize("how", [(), ("--project-path", ".")], ids=["stood in", "named"])
def test_a_folder_made_a_work_tree_of_another_repository_is_seen_by_the_registry(
    ledger: Ledger, environment: dict[str, str], tmp_path: Path, how: tuple[str, ...]
) -> None:
    evil = tmp_path / "evil"
    new_repository(evil, environment)
    Cli(evil, {**environment, "PERDURE_HOME": str(ledger.home) + "-of-the-attacker"}).ok("init")
    git(evil, environment, "worktree", "add", "-q", str(tmp_path / "tree"))
    shutil.rmtree(ledger.root / ".git")
    shutil.copy(tmp_path / "tree" / ".git", ledger.root / ".git")
    shutil.rmtree(ledger.home / "bindings", ignore_errors=True)
    result = ledger.cli("audit", "verify", "--json", *how)
    assert (result.code, result.json["project_path"]) == (1, str(evil))
    foreign, missing = [each["what"] for each in result.json["findings"]]
    assert "was not written by this home" in foreign
    assert f"{ledger.root} is known to hold ledger" in missing


def test_what_was_looked_at_is_always_told(ledger: Ledger) -> None:
    told = ledger.verified().json
    assert (told["project_path"], told["ledger_id"]) == (str(ledger.root), ledger.ledger_id())
    assert (told["events"], told["last_head"]["size"]) == (ledger.end, ledger.second)
    whole = ledger.cli("audit", "verify").out
    assert f"ledger {ledger.ledger_id()[:8]}: {ledger.end} events, last head over {ledger.second} events" in whole
    cut(ledger)
    altered = ledger.cli("audit", "verify").out
    assert f"ledger {ledger.ledger_id()[:8]}: {ledger.second} events" in altered
    assert altered.splitlines()[-1].endswith("a person runs perdure audit acknowledge --because …")


# -- what cannot be read ---------------------------------------------------------------------------------------------


def filled(ledger: Ledger, events: int = 300) -> None:
    """Past a whole block of 256."""
    with open_desk(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
        for number in range(events - desk.ledger.head().seq):
            notes.add(desk, "finding", f"number {number}")


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("DELETE FROM events", HEADS),
        ("DELETE FROM events WHERE row = (SELECT min(row) FROM kinds WHERE kind = 'head.signed')", CHAIN),
        ("INSERT INTO kinds VALUES ('head.signed', 99999, 99999)", INDEXES),
        ("INSERT INTO kinds VALUES ('head.signed', 99999, 'nowhere')", INDEXES),
        ("INSERT INTO events SELECT row + (1 << 50), clock, id, kind, ts, project_id, session_id, transaction_id, "
         "instance_id, task_id, actor, schema, payload, payload_hash, prev_hash, hash, absent FROM events LIMIT 1",
         INDEXES),
        ("UPDATE documents SET body = replace(hex(zeroblob(50000)), '0', '[') WHERE kind = 'session'", STATE),
        ("UPDATE documents SET body = '[]' WHERE kind = 'session'", STATE),
        ("UPDATE documents SET clock = 'x' WHERE kind = 'session'", STATE),
        ("UPDATE events SET clock = 'x' WHERE row & 255 = 7", CHAIN),
        ("UPDATE events SET payload = replace(hex(zeroblob(50000)), '0', '[') WHERE row & 255 = 7", CHAIN),
        ("UPDATE events SET id = CAST(id AS BLOB) WHERE row & 255 = 7", CHAIN),
        ("UPDATE subtrees SET hash = 3000000000", TREE),
        ("UPDATE subtrees SET hash = 'abc', level = 1000000000", TREE),
    ],
)  # fmt: skip
def test_whatever_cannot_be_read_is_a_finding(ledger: Ledger, statement: str, check: str) -> None:
    filled(ledger)
    ledger.change((statement, ()))
    assert check in {each["check"] for each in found(ledger)}


def test_bytes_that_are_not_text_are_told_at_their_own_event(ledger: Ledger) -> None:
    row = ledger.rows()[ledger.second]
    ledger.change(("UPDATE events SET payload = CAST(x'fffe7b7d' AS TEXT) WHERE row = ?", (row["row"],)))
    finding = the_one(ledger, CHAIN)
    assert (finding["seq"], finding["holds_up_to"]["size"]) == (ledger.second + 1, ledger.second)


def test_a_newer_store_is_not_called_altered(ledger: Ledger) -> None:
    made_newer(ledger.path)
    refused = ledger.verified()
    assert (refused.code, refused.error["code"]) == (3, "newer_store")
    assert "Upgrade Perdure" in refused.error["hint"]


def made_newer(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 9")
        db.execute("CREATE TABLE of_the_future (x)")
    db.close()


def test_what_is_said_of_a_newer_store_works_where_it_was_altered(ledger: Ledger) -> None:
    made_newer(ledger.path)
    for command in (("heal",), ("note", "finding", "x")):
        refused = ledger.cli(*command, "--json")
        assert (refused.code, refused.error["code"]) == (3, "newer_store")
        assert "a person renames it to ledger.db.newer, and perdure heal then restores" in refused.error["hint"]
    ledger.path.rename(ledger.path.parent / "ledger.db.newer")
    assert ledger.cli.ok("heal")["whole"]
    assert ledger.verified().json["whole"]
    assert "after the last head" in ledger.cli("export").out


@crossed("has_backup", [True, False], "pragma", ["user_version = 9", "user_version = 0", "application_id = 1"])
def test_a_changed_number_in_the_header_is_named_and_costs_no_event(
    ledger: Ledger, pragma: str, has_backup: bool
) -> None:
    if not has_backup:
        shutil.rmtree(ledger.home / "backups")
    with sqlite3.connect(ledger.path) as db:
        db.execute(f"PRAGMA {pragma}")
    db.close()
    finding = the_one(ledger, "the schema")
    assert f"its {pragma.split()[0]} is not " in finding["what"]
    healed = ledger.cli.ok("heal")
    assert (healed["whole"], healed["lost"]) == (True, [])
    assert ledger.verified().json["whole"]
    ledger.cli.ok("note", "finding", "the work goes on")
    assert ledger.ledger_id() in ledger.cli("export").out
    assert "after the last head" in ledger.cli("export").out


def test_words_withheld_from_the_chain_that_wrote_them_are_missed(ledger: Ledger) -> None:
    with open_desk(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
        record(desk, [Fact("prompt.given", p.PromptGiven("what the person said"))])
    ledger.change(("UPDATE events SET payload = NULL, absent = 'withheld' WHERE kind = 'prompt.given'", ()))
    assert the_one(ledger, "payloads that are gone")["seq"] == ledger.end + 1


def test_words_withheld_from_a_former_chain_are_missed_while_the_backup_has_them(ledger: Ledger) -> None:
    with open_desk(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
        record(desk, [Fact("prompt.given", p.PromptGiven("what the person said"))])
    for path in ledger.root.glob(".perdure/ledger.db*"):
        path.unlink()
    ledger.cli.ok("heal")
    assert ledger.verified().json["whole"]
    ledger.change(("UPDATE events SET payload = NULL, absent = 'withheld' WHERE kind = 'prompt.given'", ()))
    assert the_one(ledger, "payloads that are gone")["seq"] == ledger.end + 1


# -- the stored tree is not believed -----------------------------------------------------------------------------------


def test_a_poisoned_node_is_not_signed_and_the_work_goes_on(ledger: Ledger) -> None:
    filled(ledger)
    ledger.change(("UPDATE subtrees SET hash = randomblob(32)", ()))
    refused = ledger.cli("audit", "heads", "--sign", "--json")
    assert (refused.code, refused.error["code"]) == (1, "head_differs")
    flags = ("--know", "0.9", "--uncertainty", "0.1", "--because", "x")
    ledger.cli.ok("preflight", *flags, PERDURE_INSTANCE="carol")
    closed = ledger.cli.ok("postflight", *flags, PERDURE_INSTANCE="carol")
    (warning,) = [each for each in closed["warnings"] if "not signed" in each]
    assert "does not match its events. perdure heal rebuilds it" in warning
    assert "the stored node over events 1 to 256 is not theirs" in the_one(ledger, TREE)["what"]
    ledger.cli.ok("heal")
    ledger.cli.ok("audit", "heads", "--sign")
    assert ledger.verified().json["whole"]


@pytest.mark.parametrize("odd", ["'abc'", "3000000000", "x'00'"])
def test_what_is_not_a_hash_in_the_stored_tree_is_computed(ledger: Ledger, odd: str) -> None:
    filled(ledger)
    ledger.change((f"UPDATE subtrees SET hash = {odd}", ()))
    ledger.cli.ok("audit", "heads", "--sign")
    assert the_one(ledger, TREE)
    filled(ledger, 520)  # the next whole block stores it again
    ledger.cli.ok("heal")
    assert ledger.verified().json["whole"], "what was signed meanwhile holds"


def test_no_proof_is_given_of_an_event_that_was_altered(ledger: Ledger) -> None:
    row = next(row for row in ledger.rows() if row["kind"] == "note.finding")
    ledger.change(('UPDATE events SET payload = \'{"text":"evil"}\' WHERE id = ?', (row["id"],)))
    refused = ledger.cli("audit", "prove", row["id"], "--json")
    assert (refused.code, refused.error["code"]) == (1, "head_differs")
