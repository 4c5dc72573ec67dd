"""Audit sessions, thought records and roots, through the actions: what is kept, what is refused, what races do."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import attribution, audit_trail, ledger_origin, projects, transactions, transfer
from perdure.actions.audit_trail import ThoughtRecord
from perdure.actions.request import Request
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.model.event import GENESIS
from perdure.model.ids import is_uuid
from perdure.model.value import fields
from perdure.place.resolve import Explicit
from perdure.proof.thought_hash import record_hash
from tests.actions.conftest import refused
from tests.conftest import Cli
from tests.contract.making import assert_sound
from tests.faults.helpers import WAIT, Starter

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def think(desk: Desk, content: str = "measure first", task: str = "t", session: str | None = None) -> ThoughtRecord:
    return audit_trail.think(desk, "plan", task, agent_id="cl", content=content, session_id=session)


def hash_of(record: ThoughtRecord) -> str:
    covered = ("id", "type", "task_id", "content", "timestamp", "prev_hash")
    return record_hash(**{name: getattr(record, name) for name in covered})


# -- what is kept ----------------------------------------------------------------------------------------------------


def test_a_record_is_an_event_and_its_envelope_says_task_and_session(desk: Desk) -> None:
    made = think(desk, session="s")
    event = list(desk.ledger.events())[-1]
    assert (event.kind, event.id, event.ts) == ("thought.recorded", made.id, made.timestamp)
    assert (event.task_id, event.session_id) == ("t", "s")
    assert made.hash == hash_of(made)
    assert made.prev_hash == GENESIS
    said = p.read(event, p.ThoughtRecorded)
    assert said is not None
    started = next(e for e in desk.ledger.events() if e.kind == "session.started")
    assert said.working_session == started.session_id


def test_a_record_is_made_under_the_open_transaction(desk: Desk) -> None:
    opened = transactions.preflight(desk, transactions.SelfAssessment({"know": 0.8, "uncertainty": 0.2}, ""))
    think(desk)
    assert list(desk.ledger.events())[-1].transaction_id == opened.transaction.id


def test_records_of_one_task_are_a_chain_whatever_session_and_millisecond(tmp_path: Path, asked: Request) -> None:
    from perdure.model.value import replace

    frozen = replace(asked, now=lambda: 1_767_225_600_000)
    with open_desk(frozen) as desk:
        made = [think(desk, str(number), session=session) for number, session in enumerate([None, "a", "b", "a", None])]
        assert {record.timestamp for record in made} == {"2026-01-01T00:00:00.000Z"}
        assert [record.prev_hash for record in made] == [GENESIS, *(record.hash for record in made[:-1])]
        assert think(desk, task="other").prev_hash == GENESIS
        assert audit_trail.verify(desk).valid


def test_a_credential_is_masked_before_the_hash_is_made(desk: Desk) -> None:
    made = think(desk, f"the token is {SECRET}")
    assert SECRET not in made.content
    assert made.hash == hash_of(made)
    event = list(desk.ledger.events())[-1]
    assert event.payload is not None
    assert event.payload["$masked"] == 1
    assert audit_trail.verify(desk).valid


@pytest.mark.parametrize(
    "content", ["\ud800", "a\udfffb\ufffdc", "\ud83d\ude00", "halves \ude00\ud83d", "naïve 🙂\n\x00\x7f\u2028"]
)
def test_content_comes_back_as_it_was_given_and_is_hashed_so(desk: Desk, content: str) -> None:
    made = think(desk, content)
    assert made.content.encode("utf-16", "surrogatepass") == content.encode("utf-16", "surrogatepass")
    assert made.hash == hash_of(made)
    think(desk)
    assert audit_trail.verify(desk).broken_count == 0
    for event in desk.ledger.events():
        json.dumps(event.payload, ensure_ascii=False).encode()


def test_a_credential_beside_a_lone_surrogate_is_masked_counted_and_the_surrogate_kept(desk: Desk) -> None:
    made = think(desk, f"a\ud800 {SECRET} \udfffz")
    assert made.content == "a\ud800 [masked:github-pat] \udfffz"
    assert made.hash == hash_of(made)
    event = list(desk.ledger.events())[-1]
    assert event.payload is not None
    assert event.payload["$masked"] == 1
    assert event.payload["$replaced"] == 2
    assert audit_trail.verify(desk).valid


def test_documents_hold_none_of_the_words(desk: Desk) -> None:
    audit_trail.start(desk, "an intent nobody else has", session_id="s")
    think(desk, "words nobody else has", session="s")
    audit_trail.finalize(desk, "s")
    ledger = desk.ledger
    stored = str([ledger.documents(kind) for kind in ("trail", "audit_session", "bound")])
    assert "nobody else" not in stored
    assert_sound(ledger)


# -- what is refused -------------------------------------------------------------------------------------------------

GIVEN: dict[str, Any] = {"type": "plan", "task_id": "t", "agent_id": "a", "content": "c", "session_id": "s"}


@pytest.mark.parametrize("name", sorted(GIVEN))
@pytest.mark.parametrize("wrong", ["", 7, None, ["x"], {"x": 1}, b"x", True])
def test_an_empty_or_other_value_is_refused_and_names_its_field(desk: Desk, name: str, wrong: object) -> None:
    if name == "session_id" and wrong is None:
        assert audit_trail.think(desk, **{**GIVEN, name: wrong}).session_id is None
        return
    error = refused("bad_field", BadInput, lambda: audit_trail.think(desk, **{**GIVEN, name: wrong}), desk)
    assert error.details == {"field": name}


@pytest.mark.parametrize("name", ["task_id", "agent_id", "session_id"])
@pytest.mark.parametrize(
    "wrong", ["a\nb", "\x00", "\x1b[2J", "\x85", "\u2028", "\ud800", "x" * 201, SECRET, f"{SECRET}\n"]
)
def test_an_id_that_cannot_stand_in_an_envelope_is_refused(desk: Desk, name: str, wrong: str) -> None:
    error = refused("bad_id", BadInput, lambda: audit_trail.think(desk, **{**GIVEN, name: wrong}), desk)
    assert SECRET not in error.message
    assert error.message.isprintable()


@pytest.mark.parametrize("odd", [" ", "../../etc", "日本 🙂", "a/b c", "x" * 200, "%s", "1 2"])
def test_an_id_is_any_text_of_a_line(desk: Desk, odd: str) -> None:
    made = audit_trail.think(desk, "plan", odd, agent_id=odd, content="c", session_id=odd)
    assert (made.task_id, made.agent_id, made.session_id) == (odd, odd, odd)
    assert audit_trail.finalize(desk, odd).record_count == 1
    assert [each.task_id for each in audit_trail.verify(desk, odd).by_task] == [odd]


@pytest.mark.parametrize("type_", ["Plan", "thought", "plan ", "reflect"])
def test_another_type_is_refused(desk: Desk, type_: str) -> None:
    refused("bad_field", BadInput, lambda: audit_trail.think(desk, **{**GIVEN, "type": type_}), desk)


def test_ten_megabytes_are_refused_before_any_rule_looks_at_them(desk: Desk) -> None:
    refused("too_large", BadInput, lambda: think(desk, "x" * 10_000_000), desk)
    refused("too_large", BadInput, lambda: think(desk, "é" * 900_000), desk)  # by its bytes
    refused("too_large", BadInput, lambda: audit_trail.start(desk, "x" * 10_000_000), desk)
    refused("too_large", BadInput, lambda: think(desk, task="x" * 10_000_000), desk)


# -- sessions and roots ----------------------------------------------------------------------------------------------


def test_a_session_is_given_an_id_or_brings_its_own(desk: Desk) -> None:
    minted = audit_trail.start(desk, "make it fast", "task-1")
    assert is_uuid(minted.session_id)
    assert (minted.intent, minted.task_id) == ("make it fast", "task-1")
    assert audit_trail.start(desk, "again", session_id="mine").session_id == "mine"


def test_an_id_is_given_once(desk: Desk) -> None:
    audit_trail.start(desk, "one", session_id="s")
    error = refused("ERR_SESSION_EXISTS", Refused, lambda: audit_trail.start(desk, "two", session_id="s"), desk)
    assert error.details == {"session_id": "s"}
    think(desk, session="unstarted")
    refused("ERR_SESSION_EXISTS", Refused, lambda: audit_trail.start(desk, "late", session_id="unstarted"), desk)


def test_the_root_is_rfc_9162s_over_the_hashes_of_the_records_events(desk: Desk) -> None:
    """By hashlib alone: leaves 0x00, nodes 0x01, three leaves."""
    for number in range(3):
        think(desk, str(number), task=f"t{number}", session="s")
        think(desk, "beside it")
    events = [event for event in desk.ledger.events() if event.session_id == "s"]
    leaves = [hashlib.sha256(b"\0" + bytes.fromhex(event.hash)).digest() for event in events]
    left = hashlib.sha256(b"\1" + leaves[0] + leaves[1]).digest()
    expected = hashlib.sha256(b"\1" + left + leaves[2]).hexdigest()
    made = audit_trail.finalize(desk, "s")
    assert (made.root, made.record_count, made.session_id) == (expected, 3, "s")
    assert audit_trail.root(desk, "s") == made
    assert [event.id for event in audit_trail.records_of_session(desk, "s")] == [event.id for event in events]


def test_sealing_signs_the_ledgers_head_over_the_seal(desk: Desk) -> None:
    """SPEC 14.6."""
    think(desk, session="s")
    assert audit_trail.finalize(desk, "s").warning == ""
    signed = list(desk.ledger.events())[-1]
    said = p.read(signed, p.HeadSigned)
    assert said is not None
    assert (said.why, said.size) == ("finalize", audit_trail.finalizing_event(desk, "s").seq)


def test_a_session_that_cannot_be_sealed_says_why(desk: Desk) -> None:
    refused("ERR_SESSION_NOT_FOUND", Refused, lambda: audit_trail.finalize(desk, "s"), desk)
    refused("ERR_SESSION_NOT_FOUND", Refused, lambda: audit_trail.root(desk, "s"), desk)
    audit_trail.start(desk, "one", session_id="s")
    refused("ERR_NO_RECORDS", Refused, lambda: audit_trail.finalize(desk, "s"), desk)
    think(desk, session="s")
    refused("ERR_NOT_FINALIZED", Refused, lambda: audit_trail.root(desk, "s"), desk)
    made = audit_trail.finalize(desk, "s")
    error = refused("ERR_ALREADY_FINALIZED", Refused, lambda: audit_trail.finalize(desk, "s"), desk)
    assert error.details["root"] == made.root
    error = refused("ERR_SESSION_FINALIZED", Refused, lambda: think(desk, session="s"), desk)
    assert error.details["root"] == made.root
    refused("ERR_SESSION_EXISTS", Refused, lambda: audit_trail.start(desk, "again", session_id="s"), desk)
    think(desk, "without a session the task goes on")


def test_sessions_whose_ids_look_alike_are_kept_apart(desk: Desk) -> None:
    for session in ("1", "1 1", "11", "1 "):
        think(desk, session=session)
    for session in ("1", "1 1", "11", "1 "):
        assert [event.session_id for event in audit_trail.records_of_session(desk, session)] == [session]


# -- redaction -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_redacted_record_keeps_its_link_and_the_next_one_finds_it(desk: Desk, which: int) -> None:
    made = [think(desk, f"word {number}", session="s") for number in range(3)]
    sealed = audit_trail.finalize(desk, "s")
    transfer.redact(desk, made[which].id, "held a name")
    report = audit_trail.verify(desk)
    assert (report.valid, report.record_count, report.redacted_count, report.broken_count) == (True, 3, 1, 0)
    assert think(desk).prev_hash == made[-1].hash
    assert audit_trail.verify(desk).valid
    assert audit_trail.root(desk, "s") == sealed
    assert [event.id for event in audit_trail.records_of_session(desk, "s")] == [record.id for record in made]
    assert_sound(desk.ledger)


def test_a_redacted_record_counts_when_its_session_is_sealed_after(desk: Desk) -> None:
    made = think(desk, session="s")
    transfer.redact(desk, made.id, "held a name")
    assert audit_trail.finalize(desk, "s").record_count == 1


def test_the_seal_of_a_session_is_not_erased(desk: Desk) -> None:
    think(desk, session="s")
    audit_trail.finalize(desk, "s")
    sealed = audit_trail.finalizing_event(desk, "s")
    assert sealed.kind == "audit.finalized"
    refused("not_erasable", Refused, lambda: transfer.redact(desk, sealed.id, "why not"), desk)


# -- attacks on the file ---------------------------------------------------------------------------------------------


def _meddle(desk: Desk, sql: str) -> None:
    db = sqlite3.connect(f"{desk.folder}/ledger.db")
    with db:
        db.execute(sql)
    db.close()


def test_changed_words_are_seen(desk: Desk) -> None:
    think(desk)
    altered = think(desk, "the tests pass")
    think(desk)
    _meddle(desk, "UPDATE events SET payload = replace(payload, 'tests pass', 'tests fail')")
    report = audit_trail.verify(desk)
    assert (report.valid, report.broken_count, report.first_broken_at) == (False, 1, altered.id)


def test_a_payload_taken_out_without_a_tombstone_is_broken_and_not_redacted(desk: Desk) -> None:
    made = [think(desk) for _ in range(3)]
    _meddle(desk, f"UPDATE events SET payload = NULL, absent = 'redacted' WHERE id = '{made[1].id}'")
    report = audit_trail.verify(desk)
    assert (report.broken_count, report.redacted_count, report.first_broken_at) == (1, 0, made[1].id)


def test_a_record_moved_to_another_task_breaks_both_chains(desk: Desk) -> None:
    think(desk, task="one")
    moved = think(desk, task="one")
    think(desk, task="one")
    _meddle(desk, f"UPDATE events SET task_id = 'two' WHERE id = '{moved.id}'")
    assert {each.task_id: each.broken_count for each in audit_trail.verify(desk).by_task} == {"one": 1, "two": 1}


def test_one_task_is_verified_without_the_others(desk: Desk) -> None:
    think(desk, "sound", task="one")
    think(desk, "tampered", task="two")
    _meddle(desk, "UPDATE events SET payload = replace(payload, 'tampered', 'altered!')")
    assert audit_trail.verify(desk, "one").valid
    assert not audit_trail.verify(desk, "two").valid
    assert audit_trail.verify(desk, "three").record_count == 0


# -- several ledgers -------------------------------------------------------------------------------------------------


def test_a_chain_goes_on_from_the_one_before_it_after_a_new_chain_of_events_was_begun(desk: Desk) -> None:
    before = think(desk, session="s")
    ledger_origin.begin_chain(desk, "restored")
    after = think(desk, session="s")
    assert after.prev_hash == before.hash
    assert think(desk).prev_hash == after.hash
    assert audit_trail.verify(desk).valid
    assert audit_trail.finalize(desk, "s").record_count == 2
    assert_sound(desk.ledger)


def test_a_first_record_that_says_it_goes_on_from_what_is_not_there_is_broken(desk: Desk) -> None:
    think(desk)
    ledger_origin.begin_chain(desk, "restored")
    think(desk)
    _meddle(desk, "UPDATE events SET payload = replace(payload, '\"follows\":[', '\"follows\":[1')")
    assert audit_trail.verify(desk).broken_count == 1


def test_records_of_two_machines_stand_side_by_side_and_a_root_holds_after_the_merge(
    tmp_path: Path, asked: Request
) -> None:
    root = tmp_path / "clone"
    (root / ".perdure").mkdir(parents=True)
    (root / ".perdure" / "project.toml").write_text((Path(asked.cwd) / ".perdure" / "project.toml").read_text())
    environment = {"HOME": str(tmp_path / "person"), "PERDURE_HOME": str(tmp_path / "home2")}
    there = Request(str(root), environment, Explicit(instance="right"), actor="bob")
    projects.init(there, str(root), None)
    lines: list[str] = []
    with open_desk(there) as clone:
        for number in range(3):
            think(clone, f"there {number}", session="s")
        transfer.export(clone, lines.append, lambda _: None)
    with open_desk(asked) as desk:
        here = [think(desk, f"here {number}", session="s") for number in range(2)]
        sealed = audit_trail.finalize(desk, "s")
        transfer.import_events(desk, [line.encode() for line in lines], lambda _: None)
        report = audit_trail.verify(desk)
        assert (report.valid, report.record_count) == (True, 5)
        assert audit_trail.root(desk, "s") == sealed
        assert [event.id for event in audit_trail.records_of_session(desk, "s")] == [record.id for record in here]
        assert think(desk).prev_hash == here[-1].hash
        assert audit_trail.verify(desk).valid
        assert_sound(desk.ledger)


# -- at once ---------------------------------------------------------------------------------------------------------

THINKING = f"""
import os, perdure.masking, perdure.masking._find, perdure.actions.audit_trail as trail
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.errors import PerdureError
from perdure.place.resolve import Explicit
{WAIT}
who, times = sys.argv[1], int(sys.argv[2])
with open_desk(Request(os.getcwd(), dict(os.environ), Explicit(instance=who))) as desk:
    for number in range(times):
        try:
            print(trail.think(desk, "plan", "t", agent_id=who, content=f"{{who}} {{number}}", session_id="s").id)
        except PerdureError as error:
            print(error.code)
            break
"""
SEALING = f"""
import os, perdure.actions.audit_trail as trail
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.errors import PerdureError
from perdure.place.resolve import Explicit
{WAIT}
with open_desk(Request(os.getcwd(), dict(os.environ), Explicit(instance=sys.argv[1]))) as desk:
    while True:
        try:
            print(trail.finalize(desk, "s").root)
        except PerdureError as error:
            if error.code == "ERR_NO_RECORDS":
                continue
            print(error.code)
        break
"""


def test_sixteen_processes_thinking_at_once_make_one_unbroken_chain(cli: Cli) -> None:
    starter = Starter()
    for number in range(16):
        starter.python(THINKING, f"agent{number}", "3", cwd=cli.cwd, env=cli.environment)
    results = starter.go()
    assert all((code, err) == (0, "") for code, _, err in results), results
    ids = [line for _, out, _ in results for line in out.split()]
    assert len(set(ids)) == 48
    report = cli.ok("audit", "verify-chain")
    assert (report["valid"], report["record_count"]) == (True, 48)
    assert cli.ok("audit", "finalize", "s")["record_count"] == 48
    lines = [json.loads(line) for line in cli("export").out.splitlines()]
    records = [line["payload"] for line in lines if line["kind"] == "thought.recorded"]
    assert [each["prev_hash"] for each in records] == [GENESIS, *(each["hash"] for each in records[:-1])]


def test_no_record_comes_after_the_root_when_sealing_and_thinking_race(cli: Cli) -> None:
    cli.ok("audit", "start", "--intent", "race", "--session", "s")
    starter = Starter()
    for number in range(4):
        starter.python(THINKING, f"agent{number}", "25", cwd=cli.cwd, env=cli.environment)
    for number in range(2):
        starter.python(SEALING, f"sealer{number}", cwd=cli.cwd, env=cli.environment)
    results = starter.go()
    assert all((code, err) == (0, "") for code, _, err in results), results
    said = [out.split() for _, out, _ in results]
    thoughts = [line for lines in said[:4] for line in lines if is_uuid(line)]
    assert {line for lines in said[:4] for line in lines if not is_uuid(line)} <= {"ERR_SESSION_FINALIZED"}
    assert sorted(len(line) for lines in said[4:] for line in lines) == [len("ERR_ALREADY_FINALIZED"), 64]
    events = [json.loads(line) for line in cli("export").out.splitlines()]
    kinds = [event["kind"] for event in events if event.get("session_id") == "s"]
    assert kinds[-1] == "audit.finalized"
    assert kinds.count("audit.finalized") == 1
    assert kinds.count("thought.recorded") == len(thoughts)
    assert cli.ok("audit", "root", "s")["record_count"] == len(thoughts)


def test_of_two_that_start_one_session_at_once_one_is_told(cli: Cli) -> None:
    starter = Starter()
    for _ in range(2):
        starter.perdure("audit", "start", "--intent", "i", "--session", "s", "--json", cwd=cli.cwd, env=cli.environment)
    results = starter.go()
    assert sorted(code for code, _, _ in results) == [0, 1], results
    told = next(json.loads(out) for code, out, _ in results if code == 1)
    assert told["error"]["code"] == "ERR_SESSION_EXISTS"


def test_the_record_has_the_nine_fields_and_the_ledger_it_came_from(desk: Desk) -> None:
    names = ("id", "type", "task_id", "agent_id", "content", "timestamp", "prev_hash", "hash", "session_id")
    assert fields(ThoughtRecord) == (*names, "other_ledger")
    attribution.record_event(desk, "file.read", p.FileRead("a"))  # what else is recorded joins no chain
    assert audit_trail.verify(desk).record_count == 0


def test_a_tasks_records_are_found_however_many_of_other_tasks_came_since(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_trail, "_FIRST_WINDOW", 4)
    first, second = think(desk, "one", "old"), think(desk, "two", "old")
    for number in range(40):
        think(desk, f"other {number}", "new")
    assert [each.id for each in audit_trail.latest(desk, "old", 20)] == [second.id, first.id]
    assert [each.id for each in audit_trail.latest(desk, "old", 1)] == [second.id]
    assert audit_trail.latest(desk, "never thought about", 20) == []
