"""Disks that are full, read-only or lie; ledgers that are damaged; what `git clean` leaves (SPEC 2.3, 16.3, 19)."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import perdure
from perdure.actions import notes, transactions
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import open_desk
from perdure.errors import PerdureError
from perdure.model import moment
from perdure.model.jsonl import from_line
from perdure.model.moment import HOUR, Moment
from perdure.place.resolve import Explicit
from perdure.proof.chain import Fault, verified
from perdure.views.head_files import is_head_line
from perdure.views.sealed_notes import CALLS
from tests.conftest import Cli, Result, assessment, git, new_repository
from tests.faults.helpers import assert_whole, backup_lines, events_of, kinds, statuses, transaction_files
from tests.faults.small_disk import CliInside, SmallDisk, repository_on, why_not

NO_DISK = why_not()
needs_disk = pytest.mark.skipif(NO_DISK is not None, reason=str(NO_DISK))
SURE = SelfAssessment({"know": 0.8, "uncertainty": 0.2}, "read the code")


def _exported(cli: Cli) -> list[tuple[str, int, str]]:
    """Every event as ledger, seq and kind, read through the program; an assertion where one does not verify."""
    result = cli("export")
    assert result.code == 0, result
    found = []
    lines = [line for line in result.out.splitlines() if not is_head_line(line.encode())]
    for event in verified((from_line(line, "export") for line in lines), {}):
        assert not isinstance(event, Fault), event
        found.append((event.ledger_id, event.seq, event.kind))
    return found


def _files(cli: CliInside) -> dict[str, bytes]:
    return transaction_files(cli.seen)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    made = SmallDisk(tmp_path / "disk", 1500)
    yield made
    made.close()


@pytest.fixture
def small(disk: SmallDisk, environment: dict[str, str]) -> CliInside:
    """A project on a small disk; the home stands elsewhere."""
    cli = CliInside(disk, repository_on(disk, environment), {**environment, "PERDURE_INSTANCE": "pane"})
    cli.ok("init")
    cli.ok("note", "finding", "before")
    return cli


# -- a full disk -------------------------------------------------------------------------------------------------------

WRITES: dict[str, tuple[tuple[str, ...], str | None]] = {
    "note": (("note", "finding", "too much", "--json"), None),
    "decide": (("decide", "use WAL", "--json"), None),
    "goal": (("goal", "create", "ship it", "--json"), None),
    "session": (("session", "start", "--json"), None),
    "preflight": (("preflight", "-"), assessment()),
}


def _assert_disk_full(result: Result, where: Path) -> None:
    assert result.code == 3, result
    assert result.error["code"] == "disk_full", result
    assert str(where) in result.error["message"]
    assert "is full" in result.error["message"]
    assert result.error["hint"]
    assert "Traceback" not in result.out + result.err


@needs_disk
@pytest.mark.parametrize("at_rest", [True, False])
def test_on_a_full_disk_every_write_says_so_and_writes_nothing(
    small: CliInside, disk: SmallDisk, at_rest: bool
) -> None:
    """At rest, the files that SQLite needs beside the ledger must be made first; else they are there already."""
    before, files = _exported(small), _files(small)
    if at_rest:
        small.ok("note", "finding", "whoever writes last takes the log away")
        assert not (small.seen / ".perdure" / "ledger.db-wal").exists()
        before.append((before[-1][0], before[-1][1] + 1, "note.finding"))
    disk.fill()
    for command, given in WRITES.values():
        _assert_disk_full(small(*command, input=given), disk.folder)
    disk.free()
    assert _exported(small) == before
    assert _files(small) == files
    assert_whole(small)
    for command, given in WRITES.values():
        assert small(*command, input=given).code == 0


@needs_disk
@pytest.mark.parametrize("at_rest", [True, False])
def test_on_a_full_disk_status_still_answers(small: CliInside, disk: SmallDisk, at_rest: bool) -> None:
    opened = small.ok("preflight", "-", input=assessment())
    if not at_rest:
        small.ok("status")
    disk.fill()
    assert small.ok("status")["transaction"]["transaction_id"] == opened["transaction_id"]
    assert small.ok("transaction", "status")["status"] == "open"
    assert small.ok("where")["project_path"] == str(small.root)


PAGES = range(15)


@needs_disk
def test_a_preflight_that_runs_out_of_room_on_the_way_leaves_no_half_of_it(small: CliInside, disk: SmallDisk) -> None:
    """However much room there is: it is opened, in the ledger and for the gate, or it is not opened at all."""
    outcomes = set()
    for pages in PAGES:
        before, files = _exported(small), _files(small)
        disk.fill(leaving=pages * 4096)
        result = small("preflight", "-", input=assessment())
        disk.free()
        outcomes.add(result.code)
        if result.code == 0:
            assert [kind for _, _, kind in _exported(small)[len(before) :]][-1] == "transaction.opened"
            assert [json.loads(content)["status"] for content in _files(small).values()] == ["open"]
            small.ok("postflight", "-", input=assessment())
        else:
            _assert_disk_full(result, disk.folder)
            assert _exported(small) == before, f"with {pages} pages left"
            assert _files(small) == files, f"with {pages} pages left"
    assert outcomes == {0, 3}, "both were seen"
    assert_whole(small)


def _hook(cli: CliInside, event: str, **given: object) -> Result:
    """A client's hook, run by somebody who sees the disk."""
    paths = [str(Path(perdure.__file__).parents[1]), *(path for path in sys.path if path.endswith("site-packages"))]
    code = f"import sys; sys.path += {paths!r}; from perdure.surfaces.hooks import run; run(sys.argv[1:], '')"
    content = {"session_id": "b3d7cc0e-b758-4183-bd32-9004b19feb73", "cwd": str(cli.root), **given}
    done = subprocess.run(
        [*cli.disk.entering(cli.root), sys.executable, "-c", code, event],
        input=json.dumps(content).encode(),
        env=cli.environment,
        capture_output=True,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def _read(cli: CliInside, name: str) -> Result:
    return _hook(cli, "PostToolUse", tool_name="Read", tool_input={"file_path": f"{cli.root}/{name}"}, tool_response={})


def _paths_read(cli: CliInside) -> list[str]:
    found = [json.loads(line) for line in cli("export").out.splitlines()]
    return [event["payload"]["path"] for event in found if event.get("kind") == "file.read"]


@pytest.fixture
def observed(disk: SmallDisk, environment: dict[str, str]) -> CliInside:
    """A project on a small disk, with a client's session in which calls are noted."""
    cli = CliInside(disk, repository_on(disk, environment), environment)
    cli.ok("init")
    assert _hook(cli, "SessionStart", source="startup").code == 0
    assert _read(cli, "first").code == 0
    assert _read(cli, "second").code == 0
    assert len(list((cli.seen / ".perdure" / CALLS.folder).iterdir())) == 1, "the second one is a note"
    return cli


@needs_disk
def test_on_a_full_disk_a_call_is_kept_or_said_not_to_be_recorded(observed: CliInside, disk: SmallDisk) -> None:
    kept, lost = ["first", "second"], []
    for pages in PAGES:
        disk.fill(leaving=pages * 4096)
        done = _read(observed, f"f{pages}")
        disk.free()
        assert done.code == 0 or "is full" in done.err, done
        (lost if done.code else kept).append(f"f{pages}")
    assert lost, "with no room nothing is kept"
    assert _paths_read(observed) == kept
    assert_whole(observed)


@needs_disk
def test_on_a_read_only_disk_readers_answer_and_say_what_they_lack(observed: CliInside, disk: SmallDisk) -> None:
    observed.ok("note", "finding", "taken in")
    assert _read(observed, "third").code == 0
    disk.make_read_only()
    told = observed("log", "--kind", "read")
    assert told.code == 0
    assert "second" in told.out
    assert "third" not in told.out
    assert "not recorded yet" in observed.ok("status")["notice"]
    assert _read(observed, "fourth").code == 1
    disk.make_writable()
    assert _paths_read(observed) == ["first", "second", "third"]


@needs_disk
def test_a_postflight_that_runs_out_of_room_on_the_way_leaves_the_transaction_as_it_was(
    small: CliInside, disk: SmallDisk
) -> None:
    outcomes = set()
    for pages in PAGES:
        small.ok("preflight", "-", input=assessment())
        before, files = _exported(small), _files(small)
        disk.fill(leaving=pages * 4096)
        result = small("postflight", "-", input=assessment())
        disk.free()
        outcomes.add(result.code)
        if result.code == 0:
            assert [json.loads(content)["status"] for content in _files(small).values()] == ["closed"]
        else:
            _assert_disk_full(result, disk.folder)
            assert _exported(small) == before, f"with {pages} pages left"
            assert _files(small) == files, f"with {pages} pages left"
            assert small.ok("postflight", "-", input=assessment())["status"] == "closed"
    assert outcomes == {0, 3}, "both were seen"
    assert_whole(small)


@needs_disk
def test_writing_until_the_disk_is_full_keeps_everything_that_was_acknowledged(
    small: CliInside, disk: SmallDisk
) -> None:
    acknowledged = []
    for number in range(200):
        result = small("note", "finding", f"{number} " + "x" * 60_000, "--json")
        if result.code:
            break
        acknowledged.append(result.json["note_id"])
    _assert_disk_full(result, disk.folder)
    assert len(acknowledged) > 3
    filler = small.seen / "readme.txt"
    filler.unlink()
    shutil.rmtree(small.seen / ".git")
    listed = {note["note_id"] for note in small.ok("note", "list", "finding", "--limit", "1000")}
    assert set(acknowledged) <= listed
    assert len(listed) == len(acknowledged) + 1


@needs_disk
def test_with_a_full_home_every_transition_works_and_status_says_that_the_backup_is_behind(
    repository: Path, disk: SmallDisk, environment: dict[str, str]
) -> None:
    """No instance is named: the bindings, too, must find another place (SPEC 3.2)."""
    cli = CliInside(disk, repository, {**environment, "PERDURE_HOME": str(disk.folder / "home")})
    cli.ok("init")
    disk.fill()
    opened = cli.ok("preflight", "-", input=assessment())
    assert cli.ok("check", "-", input=assessment())["decision"] == "proceed"
    cli.ok("note", "finding", "kept here at least")
    status = cli.ok("status")
    assert status["transaction"]["transaction_id"] == opened["transaction_id"]
    assert status["ledger"]["backup_behind"] > 0
    assert " behind" in cli("status").out
    assert cli.ok("postflight", "-", input=assessment())["transaction_id"] == opened["transaction_id"]
    healed = cli("heal", "--json")
    assert healed.code == 1
    assert [f["part"] for f in healed.json["findings"] if not f["whole"]] == ["backup"]
    disk.free()
    cli.ok("note", "finding", "room again")
    assert cli.ok("status")["ledger"]["backup_behind"] == 0
    assert_whole(cli)


# -- a read-only disk --------------------------------------------------------------------------------------------------


def _gate(small: CliInside) -> str:
    """What the guard says to a command that writes."""
    call = {"tool_name": "Bash", "tool_input": {"command": "touch a"}}
    content = {"session_id": "s1", "cwd": str(small.root), "hook_event_name": "PreToolUse", **call}
    done = small("hook", "PreToolUse", input=json.dumps(content))
    assert done.code == 0, done
    return str(done.json["hookSpecificOutput"]["permissionDecisionReason"]) if done.out else ""


MANY_NOTES_AND_DIE = """
import os, signal
from perdure.actions import notes
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk

desk = open_desk(Request(os.getcwd(), dict(os.environ)))
for _ in range(30):
    notes.add(desk, "finding", "far more than fits on the disk twice " * 200)
os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_disk
@pytest.mark.parametrize("leaving", [0, 8192, 40960, 81920])
def test_a_disk_that_fills_up_while_the_log_is_copied_back_is_not_called_damage(
    disk: SmallDisk, small: CliInside, leaving: int
) -> None:
    """The ledger's first page already counts pages that still stand in the log alone."""
    small.ok("preflight", "-", input=assessment())
    subprocess.run([*disk.entering(small.root), sys.executable, "-c", MANY_NOTES_AND_DIE], env=small.environment)
    assert (small.seen / ".perdure" / "ledger.db-wal").stat().st_size > 200_000
    disk.fill(leaving)
    small("note", "finding", "whoever closes the ledger copies the log back")
    assert "damaged" not in _gate(small)
    assert small.ok("status")["transaction"]["status"] == "open"
    disk.free()
    assert _gate(small) == ""
    small.ok("heal")
    assert_whole(small)


@needs_disk
@pytest.mark.parametrize(("state", "why"), [("full", "its disk is full"), ("read-only", "its disk is read-only")])
def test_an_open_transaction_opens_no_gate_while_nothing_can_be_recorded(
    small: CliInside, disk: SmallDisk, state: str, why: str
) -> None:
    small.ok("preflight", "-", input=assessment())
    assert _gate(small) == ""
    disk.fill() if state == "full" else disk.make_read_only()
    assert why in _gate(small)
    assert "heal" not in _gate(small)
    disk.free() if state == "full" else disk.make_writable()
    assert _gate(small) == ""


@needs_disk
def test_a_disk_without_room_for_one_more_file_is_full(small: CliInside, disk: SmallDisk) -> None:
    small.ok("preflight", "-", input=assessment())
    disk.use_up_files()
    for command, given in WRITES.values():
        _assert_disk_full(small(*command, input=given), disk.folder)
    assert small.ok("status")["transaction"]["status"] == "open"
    assert "its disk is full" in _gate(small)


@needs_disk
def test_a_read_only_disk_is_not_called_a_matter_of_ownership(small: CliInside, disk: SmallDisk) -> None:
    """At rest: SQLite cannot make the files beside the ledger, and only says that it cannot open something."""
    assert not (small.seen / ".perdure" / "ledger.db-wal").exists()
    disk.make_read_only()
    for command, given in WRITES.values():
        result = small(*command, input=given)
        assert (result.code, result.error["code"]) == (3, "read_only"), result
        assert "own" not in result.error["message"] + result.error["hint"]
        assert result.error["hint"].startswith("Mount it writable"), result
    assert small("handoff", "write", "--json").error["hint"].startswith("Mount it writable")
    assert small("heal", "--json").error["code"] == "read_only"


def _assert_read_only(small: CliInside) -> None:
    for write, (command, given) in WRITES.items():
        verb = "check" if write == "preflight" else command[0]
        result = small(verb, *command[1:], input=given)
        assert result.code == 3, result
        assert result.error["code"] == "read_only", result
        assert str(small.root) in result.error["message"]
        assert result.error["hint"]
    assert small.ok("status")["project_path"] == str(small.root)
    assert small.ok("where")["project_path"] == str(small.root)
    assert small.ok("transaction", "status")["status"] == "open"
    assert small("postflight", "-", input=assessment()).error["code"] == "read_only"
    assert small("status").code == 0


@needs_disk
def test_on_a_read_only_disk_writes_are_refused_with_a_hint_and_looking_works(
    small: CliInside, disk: SmallDisk
) -> None:
    small.ok("preflight", "-", input=assessment())
    before, files = _exported(small), _files(small)
    disk.make_read_only()
    _assert_read_only(small)
    assert small("heal", "--check").code == 0
    disk.make_writable()
    assert _exported(small) == before
    assert _files(small) == files
    assert_whole(small)


WRITE_AND_DIE = """
import os, signal
from perdure.actions import notes
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk

desk = open_desk(Request(os.getcwd(), dict(os.environ)))
print(notes.add(desk, "finding", "only in the log").id, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_disk
def test_what_a_killed_writer_left_in_the_log_is_read_on_a_disk_that_is_read_only_since(
    small: CliInside, disk: SmallDisk
) -> None:
    small.ok("preflight", "-", input=assessment())
    died = subprocess.run(
        [*disk.entering(small.root), sys.executable, "-c", WRITE_AND_DIE],
        env=small.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    assert (small.seen / ".perdure" / "ledger.db-wal").stat().st_size > 0
    disk.make_read_only()
    assert small.ok("note", "list", "finding")[0]["note_id"] == died.stdout.strip()
    _assert_read_only(small)
    disk.make_writable()
    small.ok("heal")
    assert_whole(small)


@needs_disk
def test_a_read_only_home_and_a_writable_project_run_every_transition(
    repository: Path, disk: SmallDisk, environment: dict[str, str]
) -> None:
    cli = CliInside(disk, repository, {**environment, "PERDURE_HOME": str(disk.folder / "home")})
    cli.ok("init")
    disk.make_read_only()
    opened = cli.ok("preflight", "-", input=assessment())
    assert cli.ok("transaction", "status")["transaction_id"] == opened["transaction_id"]
    cli.ok("check", "-", input=assessment())
    cli.ok("session", "start")
    assert cli.ok("postflight", "-", input=assessment())["transaction_id"] == opened["transaction_id"]
    assert cli.ok("status")["ledger"]["backup_behind"] > 0


# -- a damaged ledger --------------------------------------------------------------------------------------------------


@pytest.fixture
def worked(cli: Cli) -> Cli:
    """A project with a history: closed transactions, 40 notes, and a transaction that is open."""
    cli.environment["PERDURE_INSTANCE"] = "pane"
    here = Request(str(cli.cwd), cli.environment)
    for _ in range(2):
        with open_desk(here) as desk:
            transactions.preflight(desk, SURE)
            transactions.check(desk, SURE)
        transactions.postflight(here, SURE, None)
    with open_desk(here) as desk:
        for number in range(40):
            notes.add(desk, "finding", f"number {number} {'x' * 300}")
        transactions.preflight(desk, SURE)
    return cli


def _at_rest(cli: Cli) -> Path:
    """The ledger's one file: everything is in it, and no log beside it."""
    path = cli.cwd / ".perdure" / "ledger.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    return path


def _sql(statement: str) -> object:
    def damage(path: Path, _dice: random.Random) -> None:
        db = sqlite3.connect(path)
        db.execute(statement)
        db.commit()
        db.close()

    return damage


def _flip(path: Path, dice: random.Random) -> None:
    """Where the events are, not in the pages that are empty."""
    content = bytearray(path.read_bytes())
    for at in dice.sample([i for i, byte in enumerate(content) if byte and i > 4096], 60):
        content[at] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


NTH = "(SELECT row FROM events ORDER BY row LIMIT 1 OFFSET 9)"
DAMAGES = {
    "bytes-flipped": _flip,
    "cut-in-half": lambda path, _: os.truncate(path, path.stat().st_size // 2),
    "cut-to-nothing": lambda path, _: os.truncate(path, 0),
    "overwritten-with-text": lambda path, _: path.write_text("This is not a database.\n" * 900),
    "overwritten-with-zeros": lambda path, _: path.write_bytes(bytes(path.stat().st_size)),
    "first-page-gone": lambda path, _: path.write_bytes(bytes(4096) + path.read_bytes()[4096:]),
    "another-database": lambda path, _: (path.unlink(), _sql("CREATE TABLE other (x)")(path, None)),
    "a-payload-changed": _sql(f'UPDATE events SET payload = \'{{"text":"never said"}}\' WHERE row = {NTH}'),
    "a-payload-no-json": _sql(f"UPDATE events SET payload = 'nonsense' WHERE row = {NTH}"),
    "a-payload-taken-out": _sql(f"UPDATE events SET payload = NULL WHERE row = {NTH}"),
    "a-payload-taken-out-as-if-redacted": _sql(
        f"UPDATE events SET payload = NULL, absent = 'redacted' WHERE row = {NTH}"
    ),
    "a-payload-taken-out-as-if-withheld": _sql(
        f"UPDATE events SET payload = NULL, absent = 'withheld' WHERE row = {NTH}"
    ),
    "a-hash-changed": _sql(f"UPDATE events SET hash = '{'ab' * 32}' WHERE row = {NTH}"),
    "a-kind-changed": _sql(f"UPDATE events SET kind = 'note.question' WHERE row = {NTH}"),
    "a-kind-no-text": _sql(f"UPDATE events SET kind = x'ff00fe' WHERE row = {NTH}"),
    "a-kind-no-utf-8": _sql(f"UPDATE events SET kind = CAST(x'ff41' AS TEXT) WHERE row = {NTH}"),
    "a-clock-no-number": _sql(f"UPDATE events SET clock = 'noon' WHERE row = {NTH}"),
    "an-actor-changed": _sql(f"UPDATE events SET actor = 'somebody else' WHERE row = {NTH}"),
    "a-row-deleted-in-the-middle": _sql(f"DELETE FROM events WHERE row = {NTH}"),
    "the-tail-deleted": _sql("DELETE FROM events WHERE row > (SELECT max(row) - 7 FROM events)"),
    "the-last-row-deleted": _sql("DELETE FROM events WHERE row = (SELECT max(row) FROM events)"),
    "all-events-deleted": _sql("DELETE FROM events"),
    "the-events-table-dropped": _sql("DROP TABLE events"),
    "the-chain-forgotten": _sql("DELETE FROM chains"),
    "the-origin-forgotten": _sql("DELETE FROM origin"),
}


def _assert_nothing_lost(cli: Cli, before: list[str], files: dict[str, bytes]) -> None:
    after = events_of(cli.cwd)
    assert [event.hash for event in after][: len(before)] == before
    assert kinds(after)[len(before)] == "ledger.opened"
    assert transaction_files(cli.cwd) == files
    assert_whole(cli)


def _assert_usable(cli: Cli) -> None:
    assert cli.ok("postflight", "-", input=assessment())["status"] == "closed"
    cli.ok("preflight", "-", input=assessment())
    cli.ok("note", "finding", "goes on")
    assert_whole(cli)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_ledger_is_seen_set_aside_and_comes_back_whole_from_its_backup(worked: Cli, damage: str) -> None:
    before = [event.hash for event in events_of(worked.cwd)]
    files = transaction_files(worked.cwd)
    path = _at_rest(worked)
    DAMAGES[damage](path, random.Random(damage))
    damaged = path.read_bytes()

    checked = worked("heal", "--check", "--json")
    assert checked.code == 1, checked
    wrong = next(finding for finding in checked.json["findings"] if not finding["whole"])
    assert wrong["part"] in ("ledger", "backup"), "what is missing at the end, the backup shows"
    assert "event " in wrong["detail"] or "ledger" in wrong["detail"], wrong
    assert path.read_bytes() == damaged, "looking changes nothing"

    healed = worked.ok("heal")
    assert healed["whole"]
    assert healed["lost"] == []
    assert any("set aside" in line for line in healed["mended"])
    (aside,) = [p for p in path.parent.glob("ledger.db.damaged-*") if not p.name.endswith(("-wal", "-shm"))]
    assert aside.read_bytes() == damaged
    _assert_nothing_lost(worked, before, files)
    assert [e for e in events_of(worked.cwd) if e.kind == "ledger.healed"], "the healing is on record"
    _assert_usable(worked)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_bytes_of_a_ledger_change_nothing_is_believed_that_does_not_verify(worked: Cli, seed: int) -> None:
    """Without a backup: what verifies is kept, what does not is named, and the project goes on."""
    events = events_of(worked.cwd)
    before = [event.hash for event in events]
    path = _at_rest(worked)
    shutil.rmtree(Path(worked.environment["PERDURE_HOME"]) / "backups")
    _flip(path, random.Random(seed))
    checked = worked("heal", "--check", "--json")
    assert checked.code == 1, checked
    healed = worked("heal", "--json")
    assert healed.code == 0 or healed.json["lost"], "where signed events are gone, it is not whole, and says so"
    after = [event.hash for event in events_of(worked.cwd)]
    kept = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), len(before))
    assert kept == len(before) or healed.json["lost"], healed
    assert worked("status").code == 0
    _accept_the_loss(worked)
    if not worked.ok("status")["transaction"]:
        worked.ok("preflight", "-", input=assessment())
    _assert_usable(worked)


def test_with_its_backup_gone_too_what_verifies_of_a_damaged_ledger_is_recovered_and_the_rest_is_named(
    worked: Cli,
) -> None:
    before = [event.hash for event in events_of(worked.cwd)]
    path = _at_rest(worked)
    DAMAGES["a-hash-changed"](path, random.Random(1))
    shutil.rmtree(Path(worked.environment["PERDURE_HOME"]) / "backups")
    healed = worked("heal", "--json").json
    after = events_of(worked.cwd)
    assert [event.hash for event in after][:9] == before[:9]
    assert after[9].kind == "ledger.opened"
    assert all("the state knew it" in each for each in healed["lost"][1:]), "what the damaged ledger still names"
    assert f"{len(before) - 9} events" in healed["lost"][0]
    assert "after event 9" in healed["lost"][0]
    _accept_the_loss(worked)


def _accept_the_loss(cli: Cli) -> None:
    """Where signed events are gone for good, a person says so; then all is whole."""
    if cli("heal", "--check", "--json").code:
        cli.ok("audit", "acknowledge", "--because", "every copy is lost")
    assert_whole(cli)


def test_a_payload_that_nobody_has_any_more_is_named_once_and_then_the_ledger_itself_says_so(worked: Cli) -> None:
    path = _at_rest(worked)
    DAMAGES["a-payload-taken-out-as-if-redacted"](path, random.Random(1))
    shutil.rmtree(Path(worked.environment["PERDURE_HOME"]) / "backups")
    healed = worked.ok("heal")
    assert len(healed["lost"]) == 1
    assert "payload of event 10" in healed["lost"][0]
    assert_whole(worked)
    assert worked.ok("heal")["mended"] == []


def test_a_damaged_ledger_tells_every_command_what_to_do(worked: Cli) -> None:
    path = _at_rest(worked)
    path.write_text("This is not a database.\n" * 900)
    for command in (("status",), ("note", "finding", "x"), ("preflight", "--know", "0.8", "--uncertainty", "0.2")):
        result = worked(*command, "--json")
        assert result.code == 3
        assert result.error["code"] == "ledger_damaged"
        assert "perdure heal" in result.error["hint"]
    where = worked.ok("where")
    assert where["project_path"] == str(worked.cwd)
    assert "damaged" in where["trouble"]


def test_an_old_copy_of_the_ledger_put_back_is_seen_and_what_it_lacks_comes_back(worked: Cli) -> None:
    path = _at_rest(worked)
    old = path.read_bytes()
    worked.ok("note", "finding", "after the copy")
    before = [event.hash for event in events_of(worked.cwd)]
    files = transaction_files(worked.cwd)
    _at_rest(worked)
    path.write_bytes(old)
    checked = worked("heal", "--check", "--json")
    assert checked.code == 1
    assert "the backup goes on after the ledger ends" in checked.json["findings"][0]["detail"]
    worked.ok("heal")
    _assert_nothing_lost(worked, before, files)


def test_a_ledger_that_was_cut_takes_nothing_until_it_is_healed(worked: Cli) -> None:
    """What would be written now would stand where something else stood that was acknowledged."""
    path = _at_rest(worked)
    before = [event.hash for event in events_of(worked.cwd)]
    files = transaction_files(worked.cwd)
    DAMAGES["the-tail-deleted"](path, random.Random(1))
    cut = [event.hash for event in events_of(worked.cwd)]
    for command in (("note", "finding", "on the cut one", "--json"), ("postflight", "-")):
        result = worked(*command, input=assessment())
        assert result.code == 1, result
        assert result.error["code"] == "ledger_put_back"
        assert "perdure heal" in result.error["hint"]
    assert [event.hash for event in events_of(worked.cwd)] == cut
    assert worked("status").code == 0
    worked.ok("heal")
    _assert_nothing_lost(worked, before, files)


def test_what_was_written_on_a_cut_ledger_does_not_overwrite_the_evidence_in_the_backup(
    worked: Cli, tmp_path: Path
) -> None:
    """By somebody who did not see the backup: a sandbox without the home."""
    (tmp_path / "file").write_text("no folder can be here\n")
    path = _at_rest(worked)
    DAMAGES["the-tail-deleted"](path, random.Random(1))
    home = Path(worked.environment["PERDURE_HOME"])
    kept = backup_lines(home)
    for number in range(9):
        worked.ok("note", "finding", f"on the cut one {number}", PERDURE_HOME=str(tmp_path / "file" / "home"))
    assert worked.ok("status")["ledger"]["backup_behind"] > 0
    checked = worked("heal", "--check", "--json")
    assert checked.code == 1
    assert "is another event than the backup has there" in checked.json["findings"][0]["detail"]
    healed = worked.ok("heal")
    assert any("set aside" in line for line in healed["mended"])
    evidence = [line["hash"] for line in kept]
    assert [line["hash"] for line in backup_lines(home) if line["hash"] in evidence] == evidence
    assert [event.hash for event in events_of(worked.cwd)][: len(kept)] == evidence
    assert_whole(worked)


DOCUMENTS = {
    "a-gate-opened": "UPDATE documents SET body = replace(body, '\"investigate\"', '\"proceed\"') "
    "WHERE kind = 'transaction'",
    "a-transaction-reopened": "UPDATE documents SET live = 1, body = replace(body, '\"closed\"', '\"open\"') "
    "WHERE kind = 'transaction'",
    "holdings-forgotten": "DELETE FROM documents WHERE kind = 'holding'",
    "all-forgotten": "DELETE FROM documents",
    "no-json": "UPDATE documents SET body = 'nonsense'",
    "other-json": "UPDATE documents SET body = '{\"a\": 1}'",
    "a-list": "UPDATE documents SET body = '[]'",
    "somebody-else's": "UPDATE documents SET body = replace(body, '0.8', '0.9') WHERE kind = 'transaction'",
}


@pytest.mark.parametrize("tampering", DOCUMENTS)
def test_state_that_was_tampered_with_is_folded_anew_from_the_events(worked: Cli, tampering: str) -> None:
    worked.ok("postflight", "-", input=assessment())
    worked.ok("preflight", "-", input=assessment(know=0.2))
    before = [event.hash for event in events_of(worked.cwd)]
    files = transaction_files(worked.cwd)
    _sql(DOCUMENTS[tampering])(_at_rest(worked), None)
    checked = worked("heal", "--check", "--json")
    assert checked.code == 1, checked
    wrong = [f["part"] for f in checked.json["findings"] if not f["whole"]]
    assert wrong in (["state"], ["state", "views"]), "files that are right differ from a state that is wrong"
    healed = worked.ok("heal")
    assert "state rebuilt from the events" in healed["mended"]
    assert [event.hash for event in events_of(worked.cwd)][: len(before)] == before
    assert transaction_files(worked.cwd) == files
    assert not list((worked.cwd / ".perdure").glob("*.damaged-*")), "the ledger itself was whole"
    assert_whole(worked)
    _assert_usable(worked)


@pytest.mark.parametrize("tampering", ["no-json", "other-json", "a-list"])
def test_state_that_cannot_be_read_is_an_error_with_a_way_out(worked: Cli, tampering: str) -> None:
    _sql(DOCUMENTS[tampering])(_at_rest(worked), None)
    for command in (("status",), ("transaction", "status"), ("check", "--know", "0.8", "--uncertainty", "0.2")):
        result = worked(*command, "--json")
        assert result.code == 3, result
        assert result.error["code"] == "state_damaged", result
        assert "perdure heal" in result.error["hint"]


# -- a damaged backup --------------------------------------------------------------------------------------------------


def _backup(cli: Cli) -> Path:
    (path,) = Path(cli.environment["PERDURE_HOME"]).glob("backups/*/*.jsonl")
    return path


@pytest.mark.parametrize("seed", range(8))
def test_a_torn_backup_is_mended_by_the_next_command(worked: Cli, seed: int) -> None:
    path = _backup(worked)
    os.truncate(path, random.Random(seed).randint(0, path.stat().st_size - 1))
    assert worked("heal", "--check").code == 1
    worked.ok("note", "finding", "the next command")
    assert [line["hash"] for line in backup_lines(path.parents[2])] == [e.hash for e in events_of(worked.cwd)]
    assert_whole(worked)


@pytest.mark.parametrize(
    "garbage", [b"\0" * 4096, b"\0" * 300 + b"\n", b"{}\n", b"\xff\xfe\n\n\n", b'{"seq":', b"[" * 5000 + b"\n"]
)
def test_what_a_power_cut_leaves_at_the_end_of_a_backup_is_cut_off(worked: Cli, garbage: bytes) -> None:
    path = _backup(worked)
    with open(path, "ab") as file:
        file.write(garbage)
    worked.ok("note", "finding", "the next command")
    assert [line["hash"] for line in backup_lines(path.parents[2])] == [e.hash for e in events_of(worked.cwd)]
    assert_whole(worked)


@pytest.mark.parametrize("what", ["a-byte", "a-line", "two-lines-swapped"])
def test_a_backup_that_is_damaged_in_the_middle_is_seen_set_aside_and_written_again(worked: Cli, what: str) -> None:
    path = _backup(worked)
    lines = path.read_bytes().splitlines(keepends=True)
    if what == "a-byte":
        lines[9] = lines[9].replace(b'"seq":10', b'"seq":11')
    elif what == "a-line":
        del lines[9]
    else:
        lines[9], lines[10] = lines[10], lines[9]
    path.write_bytes(b"".join(lines))
    checked = worked("heal", "--check", "--json")
    assert checked.code == 1
    (wrong,) = [finding for finding in checked.json["findings"] if not finding["whole"]]
    assert wrong["part"] == "backup"
    assert "event 10: the backup does not say" in wrong["detail"] or "event 10: is another" in wrong["detail"]
    healed = worked.ok("heal")
    assert any("backup" in line for line in healed["mended"])
    assert [p.read_bytes() for p in path.parent.glob("*.jsonl.damaged-*")] == [b"".join(lines)]
    assert_whole(worked)


# -- git clean, and what is left then ----------------------------------------------------------------------------------


def _clean(cli: Cli) -> None:
    git(cli.cwd, cli.environment, "clean", "-fdxq")
    assert not (cli.cwd / ".perdure" / "ledger.db").exists()


@pytest.mark.parametrize("command", ["heal", "init"])
def test_after_git_clean_one_command_brings_everything_back(worked: Cli, command: str) -> None:
    before = [event.hash for event in events_of(worked.cwd)]
    files = transaction_files(worked.cwd)
    status = worked.ok("status")
    _clean(worked)
    assert not (worked.cwd / ".perdure").exists()
    refused = worked("status", "--json")
    assert refused.code == 1
    assert refused.error["code"] == "project_vanished"
    assert "perdure heal" in refused.error["hint"]
    worked.ok(command)
    _assert_nothing_lost(worked, before, files)
    after = worked.ok("status")
    assert after["project_id"] == status["project_id"]
    assert after["project"] == status["project"]
    assert after["transaction"]["transaction_id"] == status["transaction"]["transaction_id"]
    assert after["session"]["session_id"] == status["session"]["session_id"]
    _assert_usable(worked)


def test_git_clean_below_a_name_that_was_given_brings_the_name_back(
    repository: Path, environment: dict[str, str]
) -> None:
    cli = Cli(repository, environment)
    cli.ok("init", "--name", "The Shop")
    _clean(cli)
    cli.ok("heal")
    assert cli.ok("status")["project"] == "The Shop"


def test_git_clean_twice_and_a_third_time(worked: Cli) -> None:
    for number in range(3):
        before = [event.hash for event in events_of(worked.cwd)]
        files = transaction_files(worked.cwd)
        _clean(worked)
        worked.ok("heal")
        _assert_nothing_lost(worked, before, files)
        worked.ok("note", "finding", f"clean number {number}")
    assert worked.ok("status")["ledger"]["chains"] == 4


def test_a_ledger_deleted_without_its_log_is_not_mixed_with_the_new_one(worked: Cli) -> None:
    """SQLite would take the old log for the new file's and write its pages into it."""
    before = [event.hash for event in events_of(worked.cwd)]
    files = transaction_files(worked.cwd)
    died = subprocess.run(
        [sys.executable, "-c", WRITE_AND_DIE],
        cwd=worked.cwd,
        env=worked.environment,
        capture_output=True,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    log = worked.cwd / ".perdure" / "ledger.db-wal"
    assert log.stat().st_size > 0
    old_log = log.read_bytes()
    (worked.cwd / ".perdure" / "ledger.db").unlink()
    worked.ok("heal")
    _assert_nothing_lost(worked, before, files)
    assert [p.read_bytes() for p in log.parent.glob("ledger.db.stray-*-wal")] == [old_log]


@pytest.fixture
def tracked(cli: Cli) -> Cli:
    """A project that git keeps an export of, committed."""
    cli.environment["PERDURE_INSTANCE"] = "pane"
    cli.ok("config", "set", "export.tracked", "true")
    for number in range(2):
        cli.ok("preflight", "-", input=assessment())
        cli.ok("note", "finding", f"in git {number}")
        cli.ok("postflight", "-", input=assessment())
        git(cli.cwd, cli.environment, "add", "-A")
        git(cli.cwd, cli.environment, "commit", "-q", "-m", f"work {number}")
    return cli


def _lose(cli: Cli) -> None:
    for path in (cli.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    shutil.rmtree(Path(cli.environment["PERDURE_HOME"]) / "backups")


def _signed_and_exported(cli: Cli) -> list[str]:
    """The hashes of what stands in the export and is proved by a head: an export counts no further."""
    events = events_of(cli.cwd)
    while events[-1].kind == "head.signed":  # a head is over what stands before it
        events.pop()
    before = [event.hash for event in events]
    cli.ok("audit", "heads", "--sign")
    cli.ok("export", "--tracked")
    git(cli.cwd, cli.environment, "add", "-A")
    git(cli.cwd, cli.environment, "commit", "-q", "--allow-empty", "-m", "signed")
    return before


def test_with_ledger_and_backup_gone_the_tracked_export_brings_the_ledger_back(tracked: Cli) -> None:
    before = _signed_and_exported(tracked)
    files = transaction_files(tracked.cwd)
    _lose(tracked)
    healed = tracked.ok("heal")
    assert any("the tracked export" in line for line in healed["mended"])
    assert any("after event" in line for line in healed["lost"]), "what came later nobody can know"
    _assert_nothing_lost(tracked, before, files)


def test_with_the_export_deleted_too_git_history_brings_the_ledger_back(tracked: Cli) -> None:
    before = _signed_and_exported(tracked)
    files = transaction_files(tracked.cwd)
    _lose(tracked)
    shutil.rmtree(tracked.cwd / ".perdure" / "export")
    git(tracked.cwd, tracked.environment, "add", "-A")
    git(tracked.cwd, tracked.environment, "commit", "-q", "-m", "export deleted")
    healed = tracked.ok("heal")
    assert any("git history" in line for line in healed["mended"])
    assert healed["lost"]
    _assert_nothing_lost(tracked, before, files)


def test_a_damaged_ledger_without_backup_takes_from_the_export_what_the_file_lost(tracked: Cli) -> None:
    before = [event.hash for event in events_of(tracked.cwd)]
    tracked.ok("note", "finding", "not in git")
    path = _at_rest(tracked)
    shutil.rmtree(Path(tracked.environment["PERDURE_HOME"]) / "backups")
    _sql(f"UPDATE events SET hash = 'x' WHERE row = {NTH}")(path, None)
    whole = [event.hash for event in [*events_before_damage(tracked)]]
    healed = tracked.ok("heal")
    assert any("set aside" in line and "export" in line for line in healed["mended"]), healed
    after = [event.hash for event in events_of(tracked.cwd)]
    assert after[: len(before)] == before
    assert after[len(before)] == whole[-1], "what only the damaged file had, after the place that was mended, is kept"
    assert healed["lost"] == []


def events_before_damage(cli: Cli) -> list[object]:
    """The events as the file has them, believed as they stand."""
    db = sqlite3.connect(cli.cwd / ".perdure" / "ledger.db")
    db.row_factory = lambda _cursor, row: type("Row", (), {"hash": row[0]})
    found = db.execute("SELECT hash FROM events ORDER BY row").fetchall()
    db.close()
    return found


def test_prompts_are_not_in_the_tracked_export(tracked: Cli) -> None:
    from perdure.actions import attribution
    from perdure.model import payload as p

    with open_desk(Request(str(tracked.cwd), tracked.environment)) as desk:
        attribution.record_event(desk, "prompt.given", p.PromptGiven("something quite private"))
    before = _signed_and_exported(tracked)
    kept = b"".join(path.read_bytes() for path in (tracked.cwd / ".perdure" / "export").rglob("*.jsonl"))
    assert b"prompt.given" in kept
    assert b"private" not in kept
    _lose(tracked)
    tracked.ok("heal")
    _assert_nothing_lost(tracked, before, transaction_files(tracked.cwd))


def test_with_nothing_left_at_all_a_fresh_ledger_begins_and_says_so(worked: Cli) -> None:
    _lose(worked)
    healed = worked("heal", "--json").json
    assert any("begins anew" in line for line in healed["mended"])
    assert any("no backup, export or git history" in line for line in healed["lost"])
    assert worked("status").code == 0
    assert statuses(worked.cwd) == [], "what the ledger does not know of does not open a gate"
    _accept_the_loss(worked)
    worked.ok("preflight", "-", input=assessment())
    _assert_usable(worked)


def test_a_clone_without_ledger_begins_one_and_leaves_the_originals_backup_alone(
    worked: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    kept = backup_lines(Path(environment["PERDURE_HOME"]))
    git(tmp_path, environment, "clone", "-q", str(worked.cwd), str(tmp_path / "clone"))
    clone = Cli(tmp_path / "clone", {**worked.environment, "PERDURE_INSTANCE": "clone"})
    made = clone.ok("init")
    assert made["restored_events"] == 0
    assert made["project_id"] == worked.ok("status")["project_id"]
    assert clone.ok("status")["transaction"] is None
    clone.ok("preflight", "-", input=assessment())
    assert_whole(clone)
    assert_whole(worked)
    assert [line for line in backup_lines(Path(environment["PERDURE_HOME"])) if line in kept] == kept


def test_a_copied_project_does_not_take_the_originals_backup_for_its_own(worked: Cli, tmp_path: Path) -> None:
    """`cp -r`: the copy has the same chain. It must not say the ledger was cut because the original went on."""
    copy = Cli(tmp_path / "copy", worked.environment)
    shutil.copytree(worked.cwd, copy.cwd)
    worked.ok("note", "finding", "the original goes on")
    assert copy("heal", "--json").code == 0
    copy.ok("note", "finding", "so does the copy")
    assert_whole(copy)
    assert_whole(worked)
    worked.ok("note", "finding", "and on")
    assert_whole(copy)
    assert not list(copy.cwd.glob(".perdure/*.damaged-*"))


def test_a_moved_project_heals_where_it_is(worked: Cli, tmp_path: Path) -> None:
    before = [event.hash for event in events_of(worked.cwd)]
    moved = Cli(tmp_path / "moved", worked.environment)
    worked.cwd.rename(moved.cwd)
    moved.ok("heal")
    assert [event.hash for event in events_of(moved.cwd)][: len(before)] == before
    assert_whole(moved)
    _assert_usable(moved)


# -- a clock that jumps ------------------------------------------------------------------------------------------------


def test_a_clock_that_jumps_back_changes_neither_the_order_nor_refuses_anything(cli: Cli) -> None:
    noon = 1_800_000_000_000
    times = iter([noon, noon + 60_000, noon - 24 * HOUR, noon - 48 * HOUR, noon - 48 * HOUR, noon + 5, 1000, noon])
    last = [noon]

    def now() -> Moment:
        last[0] = next(times, last[0])
        return Moment(last[0])

    def request() -> Request:
        return Request(str(cli.cwd), cli.environment, Explicit(instance="pane"), now=now)

    with open_desk(request()) as desk:
        transactions.preflight(desk, SURE)
        for number in range(4):
            notes.add(desk, "finding", f"number {number}")
        transactions.check(desk, SURE)
        newest = [note.text for note in notes.latest(desk, ["finding"], 4)]
    assert newest == ["number 3", "number 2", "number 1", "number 0"]
    closed = transactions.postflight(request(), SURE, None)
    assert closed.transaction.status == "closed"
    events = events_of(cli.cwd)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.clock for event in events] == sorted(event.clock for event in events)
    assert [event.ts for event in events] != sorted(event.ts for event in events), "the clock did jump"
    assert statuses(cli.cwd) == ["closed"]
    assert_whole(cli)


@pytest.mark.parametrize(
    "clock", [-1, -2_000_000_000_000, -(10**18), 253_402_300_800_000, 10**18], ids=lambda clock: f"{clock:.0e}"
)
def test_a_clock_before_1970_or_after_9999_stops_nothing(cli: Cli, clock: int) -> None:
    def at(time: int) -> Request:
        return Request(str(cli.cwd), cli.environment, Explicit(instance="pane"), now=lambda: Moment(time))

    for time in (clock, 1_767_225_600_000, clock):
        with open_desk(at(time)) as desk:
            transactions.preflight(desk, SURE)
            notes.add(desk, "finding", "written all the same")
            transactions.close_here(desk, SURE)
    assert cli.ok("status", PERDURE_INSTANCE="pane")["transaction"] is None
    assert len(cli.ok("note", "list", "finding")) == 3
    assert _exported(cli)
    assert_whole(cli)
    assert cli("audit", "verify").code == 0
    cli.ok("heal")


def test_a_project_from_the_future_is_shown_without_negative_ages(cli: Cli) -> None:
    ahead = Moment(4_000_000_000_000)
    with open_desk(Request(str(cli.cwd), cli.environment, Explicit(instance="pane"), now=lambda: ahead)) as desk:
        transactions.preflight(desk, SURE)
    shown = cli("status", PERDURE_INSTANCE="pane")
    assert shown.code == 0
    assert "open 0s" in shown.out
    assert "-" not in shown.out.split("transaction", 1)[1].split("\n", 1)[0]


def test_no_age_and_no_duration_is_negative_after_the_clock_was_set_back(cli: Cli) -> None:
    name = {"PERDURE_INSTANCE": "pane"}
    ahead = Moment(moment.now() + 2 * HOUR)
    with open_desk(Request(str(cli.cwd), cli.environment, Explicit(instance="pane"), now=lambda: ahead)) as desk:
        transactions.preflight(desk, SURE)
    for arguments in (("transaction", "status"), ("transaction", "show")):
        shown = cli.ok(*arguments, **name)
        assert (shown["age_seconds"], shown["orphaned"]) == (0, False)
    assert cli.ok("transaction", "list", **name)[0]["age_seconds"] == 0
    closed = cli.ok("postflight", "-", input=assessment(), **name)
    assert closed["duration_seconds"] == 0
    assert cli.ok("transaction", "list", **name)[0]["age_seconds"] == 0


def test_a_backup_is_not_a_minute_behind_though_the_clock_jumped_back_a_day(cli: Cli) -> None:
    """Within one process: the five seconds between two backups are not counted on a clock that may jump."""
    wall, since = [1_800_000_000_000], [0.0]
    request = Request(
        str(cli.cwd),
        cli.environment,
        Explicit(instance="pane"),
        now=lambda: Moment(wall[0]),
        elapsed=lambda: since[0],
    )
    with open_desk(request) as desk:
        notes.add(desk, "finding", "before the jump")
        wall[0] -= 24 * HOUR
        for number in range(5):
            since[0] += 6
            notes.add(desk, "finding", f"after the jump, {number}")
        kept = backup_lines(Path(cli.environment["PERDURE_HOME"]))
    texts = [line["payload"].get("text") for line in kept]
    assert "after the jump, 4" in texts


def test_two_projects_side_by_side_heal_each_on_its_own(
    worked: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    other = Cli(new_repository(tmp_path / "other", environment), environment)
    other.ok("init")
    other.ok("note", "finding", "other")
    _clean(worked)
    assert_whole(other)
    worked.ok("heal")
    assert_whole(worked)
    assert_whole(other)


def test_what_a_process_wrote_to_a_ledger_that_was_taken_from_under_it_comes_back_with_the_next_healing(
    worked: Cli,
) -> None:
    """It had the ledger open while `git clean` and `heal` put another in its place, and was told that all is well."""
    with open_desk(Request(str(worked.cwd), worked.environment)) as desk:
        notes.add(desk, "finding", "before")
        desk.back_up()
        _clean(worked)
        worked.ok("heal")
        try:
            notes.add(desk, "finding", "after, and acknowledged")
            acknowledged = True
        except PerdureError:  # to refuse is as good
            acknowledged = False
    if acknowledged:
        checked = worked("heal", "--check", "--json")
        assert checked.code == 1
        assert "has what is not here: 1 event of ledger" in checked.json["findings"][-1]["detail"]
    healed = worked.ok("heal")
    texts = [note["text"] for note in worked.ok("note", "list", "finding", "--limit", "3")]
    assert "before" in texts
    assert ("after, and acknowledged" in texts) == acknowledged
    assert healed["lost"] == []
    assert_whole(worked)


def test_a_redaction_in_one_clone_leaves_the_other_clones_backup_whole(worked: Cli, tmp_path: Path) -> None:
    """They share a folder: what the other recorded since is not here, and must not be cut off there."""
    git(tmp_path, worked.environment, "clone", "-q", str(worked.cwd), str(tmp_path / "clone"))
    clone = Cli(tmp_path / "clone", {**worked.environment, "PERDURE_INSTANCE": "clone"})
    clone.ok("init")
    clone.ok("import", "-", input=worked("export").out)
    for number in range(5):
        worked.ok("note", "finding", f"recorded since {number}")
    own = clone.ok("note", "finding", "the clone's own secret plan")
    clone.ok("redact", own["note_id"], "--because", "held a name")
    (foreign,) = [event.id for event in events_of(worked.cwd) if "number 7 " in str(event.payload)]
    home = Path(worked.environment["PERDURE_HOME"])
    assert clone.ok("redact", foreign, "--because", "held another")["kept_by"] == str(worked.cwd)
    kept = {line["hash"]: line["payload"] for line in backup_lines(home)}
    assert {event.hash for event in events_of(worked.cwd)} <= set(kept)
    assert [payload for payload in kept.values() if payload and "number 7 " in str(payload)], "the other's to erase"
    worked.ok("redact", foreign, "--because", "held another")
    assert not [line for line in backup_lines(home) if "number 7 " in str(line["payload"])]
    assert_whole(worked)
    assert_whole(clone)
