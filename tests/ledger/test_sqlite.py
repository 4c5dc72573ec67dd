"""The SQLite store: what it promises beyond the port's contract (SPEC 2.3, 18, 19)."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from perdure.errors import Damaged, PerdureError, Trouble
from perdure.ledger import fold_anew, full_text, schema, sqlite, sqlite_driver
from perdure.ledger.full_text import FullText
from perdure.ledger.sqlite import SqliteLedger, create
from perdure.model import payload as p
from perdure.model.event import Draft, Event, Ref
from perdure.model.terms import terms_of
from perdure.model.value import replace
from perdure.proof.chain import Fault, verified

from ..contract.making import (
    OTHER,
    OWN,
    B,
    T,
    U,
    assert_sound,
    chain,
    continuing,
    documents_in,
    draft,
    goal,
    gone,
    id_of,
    merged,
    notes,
    opened,
    redaction,
)
from ..contract.stores import ORIGIN

ODD_NAMES = [
    "plain",
    "with space",
    "quest?ion",
    "ha#sh",
    "per%20cent%",
    "?mode=ro#&x=%00",
    "ümläut 🙂",
    "quote'\"",
    "new\nline",
    "back\\slash",
    "semi;colon",
    "-dash",
    "file:x",
    "\udcff\udcfe not utf-8",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "store"
    made.mkdir()
    return made


@pytest.fixture
def path(folder: Path) -> str:
    return str(folder / "ledger.db")


@pytest.fixture
def ledger(path: str) -> Iterator[SqliteLedger]:
    with closing(create(path, OWN, ORIGIN)) as made:
        yield made


def raw(path: str) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


def pragma(ledger: SqliteLedger, name: str) -> object:
    return ledger._db.execute(f"PRAGMA {name}").fetchone()[0]


# -- durability ------------------------------------------------------------------------------------------------------


def test_it_writes_ahead_and_waits_for_the_disk(ledger: SqliteLedger, path: str) -> None:
    with closing(SqliteLedger(path)) as again:
        for each in (ledger, again):
            assert pragma(each, "journal_mode") == "wal"
            assert pragma(each, "synchronous") == 2, "FULL"


def test_the_file_is_its_owners_alone(ledger: SqliteLedger, path: str) -> None:
    ledger.append([draft()])
    for name in (path, path + "-wal", path + "-shm"):
        assert stat.S_IMODE(os.stat(name).st_mode) == 0o600, name


def test_the_file_is_its_owners_alone_whatever_the_umask(path: str) -> None:
    before = os.umask(0)
    try:
        with closing(create(path, OWN, ORIGIN)) as ledger:
            ledger.append([draft()])
            for name in (path, path + "-wal", path + "-shm"):
                assert stat.S_IMODE(os.stat(name).st_mode) == 0o600, name
    finally:
        os.umask(before)


def test_what_was_appended_is_there_for_whoever_opens_it_next(ledger: SqliteLedger, path: str) -> None:
    events = ledger.append([draft(), opened()]).events
    with closing(SqliteLedger(path)) as again, closing(SqliteLedger(path, writable=False)) as reader:
        for each in (again, reader):
            assert list(each.events()) == [*events]
            assert documents_in(each) == documents_in(ledger)


def test_a_store_left_without_a_word_is_whole(path: str) -> None:
    """The process ends between two instructions: no close, no checkpoint."""
    program = (
        "import os, sys\n"
        "from perdure.ledger.sqlite import create\n"
        "from tests.contract.making import OWN, draft\n"
        "from tests.contract.stores import ORIGIN\n"
        "ledger = create(sys.argv[1], OWN, ORIGIN)\n"
        "for n in range(5):\n"
        "    ledger.append([draft(actor=str(n))])\n"
        "    print(n, flush=True)\n"
        "os._exit(9)\n"
    )
    done = run(program, path)
    assert done.returncode == 9
    assert done.stdout.split() == ["0", "1", "2", "3", "4"]
    with closing(SqliteLedger(path)) as ledger:
        assert [event.actor for event in ledger.events()] == ["0", "1", "2", "3", "4"]
        assert_sound(ledger)


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=root, capture_output=True, text=True, timeout=60, check=False
    )


def test_processes_that_write_at_once_lose_nothing_and_double_nothing(ledger: SqliteLedger, path: str) -> None:
    program = (
        "import sys\n"
        "from perdure.ledger.sqlite import SqliteLedger\n"
        "from tests.contract.making import draft\n"
        "ledger = SqliteLedger(sys.argv[1])\n"
        "sys.stdin.readline()\n"
        "for n in range(40):\n"
        "    ledger.append([draft(actor=f'{sys.argv[2]}.{n}')] * (1 + n % 2))\n"
    )
    root = Path(__file__).resolve().parents[2]
    writers = [
        subprocess.Popen([sys.executable, "-c", program, path, str(n)], cwd=root, stdin=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    actors = [event.actor for event in ledger.events()]
    assert sorted(map(str, actors)) == sorted(f"{w}.{n}" for w in range(3) for n in range(40) for _ in range(1 + n % 2))
    assert_sound(ledger)


# -- creating --------------------------------------------------------------------------------------------------------


def test_who_comes_second_gets_the_store_that_is_there(ledger: SqliteLedger, path: str) -> None:
    ledger.append([draft()])
    with closing(create(path, OTHER, ORIGIN)) as second:
        assert second.head() == ledger.head()
    assert sorted(os.listdir(os.path.dirname(path))) == [
        "ledger.db",
        "ledger.db-queue",
        "ledger.db-shm",
        "ledger.db-wal",
    ]


def test_no_half_made_store_is_left_behind(path: str) -> None:
    create(path, OWN, ORIGIN).close()
    assert os.listdir(os.path.dirname(path)) == ["ledger.db"]


@pytest.mark.parametrize("name", ODD_NAMES, ids=ascii)
def test_a_path_may_hold_whatever_a_path_can_hold(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    path = str(folder / name / f"{name}.db")
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([opened()])
    with closing(SqliteLedger(path, writable=False)) as reader:
        assert [event.kind for event in reader.events()] == ["transaction.opened"]
    assert os.listdir(folder) == [name]
    assert {
        made.removesuffix("-wal").removesuffix("-shm").removesuffix("-queue") for made in os.listdir(folder / name)
    } == {f"{name}.db"}


# -- a network file system -------------------------------------------------------------------------------------------


def test_on_a_network_it_keeps_a_rollback_journal(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_driver, "is_network", lambda folder: folder == os.path.dirname(path))
    with closing(create(path, OWN, ORIGIN)) as ledger, closing(SqliteLedger(path)) as other:
        assert pragma(ledger, "journal_mode") == "truncate"
        assert pragma(ledger, "synchronous") == 3, "EXTRA: the folder's entry of the journal, too"
        ledger.append([draft(), goal(1)])
        other.append([opened()])
        ledger.append([draft()])
        ledger.merge(notes(OTHER, 2), merged())
        assert_sound(ledger)
        assert not os.path.exists(path + "-wal")


def test_a_store_that_was_moved_to_a_network_gives_up_its_wal(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([draft()])
    monkeypatch.setattr(sqlite_driver, "is_network", lambda folder: True)
    with closing(SqliteLedger(path)) as ledger:
        assert pragma(ledger, "journal_mode") == "truncate"
        ledger.append([draft()])
        assert_sound(ledger)
    monkeypatch.setattr(sqlite_driver, "is_network", lambda folder: False)
    with closing(SqliteLedger(path)) as ledger:
        ledger.append([draft()])
        assert_sound(ledger)


# -- trouble ---------------------------------------------------------------------------------------------------------


def trouble(work: Callable[[], object], family: type[PerdureError], code: str) -> PerdureError:
    with pytest.raises(family) as caught:
        work()
    assert caught.value.code == code
    assert caught.value.hint
    return caught.value


def test_a_lock_that_is_never_let_go_is_waited_for_no_longer_than_the_bound(
    ledger: SqliteLedger, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.append([draft()])
    monkeypatch.setattr(sqlite_driver, "BUSY_SECONDS", 0.3)
    with raw(path) as holder, closing(SqliteLedger(path)) as waiting:
        holder.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        for drafts in ([draft()], [draft(), draft()]):
            error = trouble(lambda drafts=drafts: waiting.append(drafts), Trouble, "ledger_busy")
            assert "Nothing was written" in error.message
        assert 0.3 <= time.monotonic() - began < 5
        assert len(list(waiting.events())) == 1, "readers do not wait"
        holder.execute("ROLLBACK")
        waiting.append([draft()])
    assert_sound(ledger)


def test_a_lock_that_is_let_go_in_time_is_waited_for(ledger: SqliteLedger, path: str) -> None:
    program = (
        "import sqlite3, sys, time\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('BEGIN IMMEDIATE')\n"
        "print('locked', flush=True)\n"
        "time.sleep(0.3)\n"
        "db.execute('COMMIT')\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "locked\n"
    ledger.append([draft()])
    assert holder.wait(30) == 0
    holder.stdout.close()
    assert ledger.head().seq == 1


def test_a_store_of_a_newer_version_is_refused_and_left_alone(ledger: SqliteLedger, path: str) -> None:
    ledger.append([draft()])
    ledger.close()
    with raw(path) as db:
        db.execute(f"PRAGMA user_version = {schema.STORE_VERSION + 1}")
        db.execute("CREATE TABLE of_the_future (x)")
    before = Path(path).read_bytes()
    for writable in (True, False):
        error = trouble(lambda writable=writable: SqliteLedger(path, writable=writable), Trouble, "newer_store")
        assert str(schema.STORE_VERSION + 1) in error.message
    assert Path(path).read_bytes() == before


NOT_LEDGERS: dict[str, bytes] = {
    "text": b"this is not a database, however long it may be " * 100,
    "nothing": b"",
    "zeros": bytes(8192),
    "a torn header": b"SQLite format 3\0" + b"\xff" * 200,
}


@pytest.mark.parametrize("name", sorted(NOT_LEDGERS))
@pytest.mark.parametrize("writable", [True, False], ids=["writable", "reader"])
def test_what_is_not_a_ledger_is_damaged(path: str, name: str, writable: bool) -> None:
    Path(path).write_bytes(NOT_LEDGERS[name])
    error = trouble(lambda: SqliteLedger(path, writable=writable), Damaged, "ledger_damaged")
    assert "heal" in error.hint
    assert Path(path).read_bytes() == NOT_LEDGERS[name]


def test_another_programs_database_is_not_taken_for_ours(path: str) -> None:
    with raw(path) as db:
        db.execute("CREATE TABLE events (row INTEGER)")
        db.execute(f"PRAGMA user_version = {schema.STORE_VERSION}")
    trouble(lambda: SqliteLedger(path), Damaged, "ledger_damaged")


def test_a_ledger_that_is_not_there_is_not_made(path: str) -> None:
    for writable in (True, False):
        trouble(lambda writable=writable: SqliteLedger(path, writable=writable), Trouble, "no_ledger")
    assert not os.path.exists(path)


def test_a_folder_where_the_ledger_should_be(path: str) -> None:
    os.mkdir(path)
    with pytest.raises(PerdureError):
        SqliteLedger(path)


def test_a_reader_cannot_write(ledger: SqliteLedger, path: str) -> None:
    ledger.append([draft()])
    with closing(SqliteLedger(path, writable=False)) as reader:
        for work in (
            lambda: reader.append([draft()]),
            lambda: reader.append([goal(1), goal(2)]),
            lambda: reader.rebuild(),
            lambda: reader.settle(ORIGIN),
            lambda: reader.merge([], merged()),
        ):
            error = trouble(work, Trouble, "read_only")
            assert "Nothing was written" in error.message
    assert ledger.head().seq == 1


def test_a_full_disk_leaves_the_store_as_it_was(ledger: SqliteLedger) -> None:
    ledger.append([draft(), opened()])
    before = list(ledger.events()), documents_in(ledger)
    pages = pragma(ledger, "page_count")
    ledger._db.execute(f"PRAGMA max_page_count = {pages}")
    big = [draft(payload=p.Note("x" * 5000)) for _ in range(20)]
    error = trouble(lambda: ledger.append(big), Trouble, "disk_full")
    assert "Nothing was written" in error.message
    trouble(lambda: ledger.append([draft(payload=p.Note("x" * 50_000))]), Trouble, "disk_full")
    assert (list(ledger.events()), documents_in(ledger)) == before
    ledger._db.execute("PRAGMA max_page_count = 1000000")
    ledger.append(big)
    assert_sound(ledger)


# -- damage ----------------------------------------------------------------------------------------------------------

TAMPERING = {
    "a payload": 'UPDATE events SET payload = \'{"text":"forged"}\' WHERE row % 2 = 0',
    "a payload with NaN": "UPDATE events SET payload = '{\"text\":NaN}' WHERE row % 2 = 0",
    "a payload with a lone surrogate": 'UPDATE events SET payload = \'{"text":"\\ud800"}\' WHERE row % 2 = 0',
    "a payload that is no JSON": "UPDATE events SET payload = 'x' WHERE row % 2 = 0",
    "a payload that is a list": "UPDATE events SET payload = '[]' WHERE row % 2 = 0",
    "a payload that is bytes": "UPDATE events SET payload = x'ff00' WHERE row % 2 = 0",
    "a payload that is no UTF-8": "UPDATE events SET payload = CAST(x'ff00' AS TEXT) WHERE row % 2 = 0",
    "a vanished payload": "UPDATE events SET payload = NULL WHERE row % 2 = 0",
    "an actor": "UPDATE events SET actor = 'somebody' WHERE row % 2 = 0",
    "a clock": "UPDATE events SET clock = clock + 1000 WHERE row % 2 = 0",
    "a clock that is a word": "UPDATE events SET clock = 'noon' WHERE row % 2 = 0",
    "a schema that is a word": "UPDATE events SET schema = 'first' WHERE row % 2 = 0",
    "a time that is none": "UPDATE events SET ts = 'noon' WHERE row % 2 = 0",
    "a hash": "UPDATE events SET hash = upper(hash) WHERE row % 2 = 0",
    "a removed event": "DELETE FROM events WHERE row % 4 = 2",
    "a name of the ledger": "UPDATE chains SET ledger_id = '99999999-9999-4999-8999-999999999999'",
}


@pytest.mark.parametrize("what", sorted(TAMPERING))
def test_tampering_is_detected_and_does_not_break_the_reader(ledger: SqliteLedger, path: str, what: str) -> None:
    ledger.append([opened(), *(draft(actor="me", transaction_id=T) for _ in range(9))])
    ledger.close()
    with raw(path) as db:
        db.execute(TAMPERING[what])
    with closing(SqliteLedger(path)) as again:
        try:
            found = [f for f in verified(again.events(), {}) if isinstance(f, Fault)]
        except Damaged as error:
            found = [error]  # type: ignore[list-item]
        assert found


def test_a_document_that_cannot_be_read_says_so_and_is_folded_anew(ledger: SqliteLedger, path: str) -> None:
    ledger.append([opened(), goal(1)])
    before = documents_in(ledger)
    for body in ("x", "[]", "{}", '{"id": 1, "colour": "red"}', "null"):
        with raw(path) as db:
            db.execute("UPDATE documents SET body = ?", (body,))
        trouble(lambda: ledger.document("transaction", T), Damaged, "state_damaged")
        trouble(lambda: ledger.documents("goal"), Damaged, "state_damaged")
        ledger.rebuild()
        assert documents_in(ledger) == before


def test_a_store_without_its_tables_is_damaged(ledger: SqliteLedger, path: str) -> None:
    ledger.append([draft()])
    with raw(path) as db:
        db.execute("DELETE FROM origin")
    trouble(ledger.origin, Damaged, "ledger_damaged")
    with raw(path) as db:
        db.execute("DROP TABLE events")
    trouble(lambda: list(ledger.events()), Damaged, "ledger_damaged")
    trouble(lambda: ledger.append([draft()]), Damaged, "ledger_damaged")
    trouble(lambda: SqliteLedger(path), Damaged, "ledger_damaged")


def test_a_page_of_rubbish_is_damage(ledger: SqliteLedger, path: str) -> None:
    ledger.append([draft(payload=p.Note("x" * 900)) for _ in range(200)])
    ledger.close()
    with open(path, "r+b") as file:
        size = os.path.getsize(path)
        for offset in range(8192, size, 4096):
            file.seek(offset)
            file.write(b"\xa5" * 4096)
    with closing(SqliteLedger(path)) as again, pytest.raises(Damaged) as caught:
        list(again.events())
    assert caught.value.code == "ledger_damaged"


# -- erasing -----------------------------------------------------------------------------------------------------------

WORDS = "THE-WORDS-THAT-MUST-GO"


def bytes_of(path: str) -> bytes:
    there = [path + end for end in ("", "-wal", "-journal") if os.path.exists(path + end)]
    return b"".join(Path(name).read_bytes() for name in there)


@pytest.mark.parametrize("size", [1, 300], ids=["short", "over several pages"])
@pytest.mark.parametrize("network", [False, True], ids=["disk", "network"])
def test_erased_words_are_in_no_byte_of_the_files(
    path: str, size: int, network: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_driver, "is_network", lambda folder: network)
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([draft(payload=p.Note("before"))])
        (event,) = ledger.append([draft(payload=p.Note(WORDS * size))]).events
        for n in range(20):
            ledger.append([draft(payload=p.Note(f"after {n}"))])
        ledger.rebuild()
        assert WORDS.encode() in bytes_of(path)
        assert b"that" in bytes_of(path).lower()
        ledger.erase(Ref(OWN, 2), redaction(event))
        assert WORDS.encode() not in bytes_of(path)
        assert b"that" not in bytes_of(path).lower(), "the index holds words too"
        assert_sound(ledger)


def test_words_erased_by_an_import_are_in_no_byte_of_the_files(ledger: SqliteLedger, path: str) -> None:
    foreign = chain(OTHER, [draft(payload=p.Note(WORDS * 100))])
    ledger.merge(foreign, merged())
    assert WORDS.encode() in bytes_of(path)
    both = chain(OTHER, [draft(payload=p.Note(WORDS * 100), id=foreign[0].id), redaction(foreign[0])])
    ledger.merge([gone(both[0], "redacted"), both[1]], merged())
    assert WORDS.encode() not in bytes_of(path)
    assert_sound(ledger)


# -- what does not belong in it --------------------------------------------------------------------------------------


def test_a_document_that_is_neither_alive_nor_dead_is_damage(ledger: SqliteLedger, path: str) -> None:
    ledger.append([goal(1)])
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE documents SET live = 2")
        db.commit()
    with pytest.raises(Damaged):
        ledger.documents("goal")


def test_a_pipe_in_the_ledgers_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ledger.db")
    for writable in (True, False):
        with pytest.raises(Damaged, match="is not a file"):
            SqliteLedger(str(tmp_path / "ledger.db"), writable=writable)


# -- found by words ---------------------------------------------------------------------------------------------------


def test_the_index_finds_what_looking_through_everything_finds(path: str) -> None:
    """The same words in a store whose index is behind, brought up, and never made."""
    texts = [f"{'rare ' if n % 97 == 0 else ''}{'common ' if n % 2 else ''}number{n} words" for n in range(1000)]
    queries = ["rare common", "number7", "words rare", "common", "number7 number8 absent", "absent"]
    answers = []
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([draft(payload=p.Note(text)) for text in texts])
        assert not FullText(ledger._db).exists()
        answers.append([ledger.mentioning(terms_of(query), 20).events for query in queries])
    with closing(SqliteLedger(path)) as ledger:
        assert FullText(ledger._db).texts() == 1000
        answers.append([ledger.mentioning(terms_of(query), 20).events for query in queries])
        ledger.append([draft(payload=p.Note("rare once more"))])
        assert ledger.mentioning(["rar"], 1).events[0].payload == {"text": "rare once more"}
    assert answers[0] == answers[1]
    assert [len(found) for found in answers[0]] == [20, 1, 20, 20, 2, 0]


def test_the_index_is_brought_up_when_somebody_closes_and_nobody_waits_for_it(path: str) -> None:
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([draft(payload=p.Note("words")) for _ in range(300)])
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            closing_too = SqliteLedger(path)
            closing_too._wrote = True
            closing_too.close()
            assert time.monotonic() - began < sqlite_driver.BUSY_SECONDS / 2
            assert not FullText(other).exists()
            other.execute("ROLLBACK")
    with closing(sqlite3.connect(path)) as other:
        assert FullText(other).texts() == 300


def test_a_sqlite_without_full_text_search_finds_all_the_same(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = ("CREATE VIRTUAL TABLE words USING no_such_thing(text)",)
    monkeypatch.setattr(full_text, "_TABLES", {"words": missing, "seen": missing})
    with closing(create(path, OWN, ORIGIN)) as ledger:
        ledger.append([draft(payload=p.Note(f"number{n}")) for n in range(300)])
    with closing(SqliteLedger(path)) as ledger:
        assert not FullText(ledger._db).exists()
        assert [event.seq for event in ledger.mentioning(terms_of("number7"), 5).events] == [8]
        ledger.rebuild()
        assert_sound(ledger)


# -- reads that do not grow with the ledger ----------------------------------------------------------------------------


def test_state_is_read_without_going_through_the_events(ledger: SqliteLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every statement these reads use is put to the query planner: none scans a table that grows."""
    ledger.append([opened(), goal(1), draft("note.question", p.Note("?"))])
    ledger.append([draft() for _ in range(600)])
    ledger.merge(notes(OTHER, 300), merged())
    asked: list[str] = []
    ledger._db.set_trace_callback(asked.append)
    ledger.head()
    ledger.heads()
    ledger.document("transaction", T)
    ledger.documents("transaction", live=True)
    ledger.documents("transaction", live=False, limit=3)
    ledger.documents("goal", limit=5)
    ledger.find_documents("transaction", T[:8])
    ledger.latest(["note.finding", "note.question"], 3)
    ledger.event(Ref(OTHER, 2))
    ledger.append([draft()])
    ledger.append([goal(2), draft()])
    next(ledger.events(OWN, 590))
    ledger._db.set_trace_callback(None)
    plans = {sql: plan(ledger, sql) for sql in asked if sql.startswith(("SELECT", "INSERT"))}
    assert len(plans) >= 10
    assert plans.pop(sqlite._LAST) == ["SCAN events"], "backwards, and LIMIT 1: one step"
    scans = {(sql, line) for sql, lines in plans.items() for line in lines if line.startswith("SCAN")}
    few = ("SCAN chains", "SCAN c", "SCAN CONSTANT ROW", "SCAN sqlite_master")
    assert not [(sql, line) for sql, line in scans if not line.startswith(few)]


def test_of_many_events_that_repeat_a_text_only_those_asked_for_are_kept(
    ledger: SqliteLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redaction asks for a hundred; in a long ledger all others would take 75 MB."""
    ledger.append([draft(payload=p.Note("the same words")) for _ in range(600)])
    look, kept = ledger._all, []

    def spied(sql: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        kept.append(len(found := look(sql, values)))
        return found

    monkeypatch.setattr(ledger, "_all", spied)
    assert [event.seq for event in ledger.repeating(["the same words"], 5)] == [600, 599, 598, 597, 596]
    assert max(kept) == 5


def plan(ledger: SqliteLedger, sql: str) -> list[str]:
    return [row[3] for row in ledger._db.execute(f"EXPLAIN QUERY PLAN {sql}")]


def test_a_read_takes_as_many_steps_in_a_long_ledger_as_in_a_short_one(tmp_path: Path) -> None:
    def steps(length: int) -> int:
        folder = tmp_path / str(length)
        folder.mkdir()
        with closing(create(str(folder / "ledger.db"), OWN, ORIGIN)) as ledger:
            ledger.append([opened(), *(draft("decision.made", p.DecisionMade("d")) for _ in range(length))])
            count = [0]

            def tick() -> int:
                count[0] += 1
                return 0

            ledger._db.set_progress_handler(tick, 1)
            ledger.head()
            ledger.document("transaction", T)
            ledger.documents("transaction", live=True)
            ledger.latest(["decision.made"], 3)
            ledger.append([draft()])
            return count[0]

    assert steps(256 * 20 + 50) < 1.2 * steps(256 + 50)


def test_erasing_and_merging_take_as_many_steps_in_a_long_ledger_as_in_a_short_one(tmp_path: Path) -> None:
    """They hold the write lock meanwhile (SPEC 18)."""

    def steps(length: int) -> int:
        folder = tmp_path / str(length)
        folder.mkdir()
        with closing(create(str(folder / "ledger.db"), OWN, ORIGIN)) as ledger:
            ledger.append([opened(), *(draft() for _ in range(length))])
            said, count = ledger.event(Ref(OWN, 5)), [0]
            assert said

            def tick() -> int:
                count[0] += 1
                return 0

            ledger._db.set_progress_handler(tick, 1)
            ledger.erase(Ref(OWN, 5), redaction(said))
            ledger.merge(notes(OTHER, 5), merged())
            return count[0]

    few, many = steps(256 + 50), steps(256 * 20 + 50)
    assert many < 1.5 * few, (few, many)


def learning(count: int) -> list[Draft]:
    """Events that the state depends on."""
    ran = [p.CommandRun(f"cat f{n}", "succeeded", "noetic", taught=True) for n in range(count)]
    return [opened(), *(draft("command.run", each, transaction_id=T) for each in ran)]


def test_nobody_waits_while_the_state_is_folded_anew(tmp_path: Path) -> None:
    """Under the lock, erasing what the state depends on takes as many steps in a long ledger as in a short one."""

    def steps(length: int) -> int:
        folder = tmp_path / str(length)
        folder.mkdir()
        with closing(create(str(folder / "ledger.db"), OWN, ORIGIN)) as ledger:
            said = ledger.append(learning(length)).events[4]
            count = [0]

            def tick() -> int:
                count[0] += ledger._db.in_transaction
                return 0

            ledger._db.set_progress_handler(tick, 1)
            ledger.erase(Ref(OWN, 5), redaction(said))
            ledger._db.set_progress_handler(None, 1)
            assert_sound(ledger)
            return count[0]

    few, many = steps(300), steps(2000)
    assert many < 1.5 * few, (few, many)


def before_the_lock(ledger: SqliteLedger, works: list[Callable[[], object]]) -> None:
    """The next times that the ledger has folded and is about to take the write lock, another process does these."""

    def traced(sql: str) -> None:
        if sql == "PRAGMA secure_delete = ON" and works:
            works.pop(0)()

    ledger._db.set_trace_callback(traced)


def test_what_others_append_while_the_state_is_folded_anew_counts(ledger: SqliteLedger, path: str) -> None:
    said = ledger.append(learning(300)).events[4]
    with closing(SqliteLedger(path)) as other:
        more = [*learning(3)[1:], goal(1), opened(U, B), draft("note.question", p.Note("?"))]
        before_the_lock(ledger, [lambda: other.append(more)])
        ledger.erase(Ref(OWN, 5), redaction(said))
    assert_sound(ledger)
    [transaction] = [d for d in ledger.documents("transaction") if d.id == T]
    assert transaction.body.learned == 302  # type: ignore[attr-defined]


CHANGES_BEFORE_THE_END: dict[str, Callable[[SqliteLedger, int], object]] = {
    "an erasure": lambda other, n: other.erase(Ref(OWN, 9 + n), redaction(at(other, 9 + n))),
    "an import": lambda other, n: other.merge(chain(id_of(n), learning(3)), merged()),
    "a new chain": lambda other, n: other.begin(id_of(n), ORIGIN, continuing(other)),
}


def at(ledger: SqliteLedger, seq: int) -> Event:
    event = ledger.event(Ref(OWN, seq))
    assert event
    return event


@pytest.mark.parametrize("how_often", [1, 5])
@pytest.mark.parametrize("what", CHANGES_BEFORE_THE_END)
def test_the_state_is_folded_again_if_more_than_the_end_changed(
    ledger: SqliteLedger, path: str, what: str, how_often: int
) -> None:
    """Where that goes on, it is folded under the lock."""
    said = ledger.append(learning(300)).events[4]
    with closing(SqliteLedger(path)) as other:
        before_the_lock(ledger, [partial(CHANGES_BEFORE_THE_END[what], other, n) for n in range(how_often)])
        ledger.erase(Ref(OWN, 5), redaction(said))
        ledger._db.set_trace_callback(None)
    assert at(ledger, 5).absent == "redacted"
    assert_sound(ledger)


def before_statement(ledger: SqliteLedger, number: int, work: Callable[[], object]) -> list[str]:
    """Another process does this before the statement with this number, from 1 on. The statements so far, without those
    that run under the write lock."""
    statements: list[str] = []

    def traced(sql: str) -> None:
        if not ledger._db.in_transaction:
            statements.append(sql)
            if len(statements) == number:
                work()

    ledger._db.set_trace_callback(traced)
    return statements


@pytest.mark.parametrize("what", CHANGES_BEFORE_THE_END)
def test_the_state_is_right_whenever_more_than_the_end_changes_during_an_erasure(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also between two statements of the fold that runs without the lock."""
    in_small_batches = fold_anew._FOLDING.replace(f"LIMIT {fold_anew._AT_ONCE}", "LIMIT 8")
    monkeypatch.setattr(fold_anew, "_FOLDING", in_small_batches)
    before = str(tmp_path / "before.db")
    with closing(create(before, OWN, ORIGIN)) as ledger:
        ledger.merge(chain(OTHER, learning(3)), merged())
        said = ledger.append(learning(20)).events[4]
    number, before_the_lock = 0, 1
    while number < before_the_lock:
        path = str(tmp_path / f"{number}.db")
        sqlite.copy(before, path)
        with closing(SqliteLedger(path)) as ledger, closing(SqliteLedger(path)) as other:
            done = before_statement(ledger, number, partial(CHANGES_BEFORE_THE_END[what], other, 1))
            ledger.erase(Ref(OWN, said.seq), redaction(said))
            ledger._db.set_trace_callback(None)
            before_the_lock = before_the_lock if number else done.index("BEGIN IMMEDIATE")
            assert_sound(ledger)
        number += 1
    assert number > 15


def test_a_reader_beside_a_writer_misses_nothing_when_a_block_is_entered(ledger: SqliteLedger, path: str) -> None:
    """Events are entered in the index by blocks; between two looks a block may be completed."""
    with closing(SqliteLedger(path)) as writer:
        writer.append([draft() for _ in range(255)])
        look = ledger._all

        def slow(sql: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
            found = look(sql, values)
            if writer.head().seq == 255:
                writer.append([draft()])
            return found

        ledger._all = slow  # type: ignore[method-assign]
        assert len(ledger.latest(["note.finding"], 1000)) >= 255
        ledger._all = look  # type: ignore[method-assign]
        assert len(ledger.latest(["note.finding"], 1000)) == 256


def test_a_connection_that_is_closed_says_so_in_our_words(ledger: SqliteLedger) -> None:
    ledger.close()
    with pytest.raises(PerdureError):
        ledger.append([draft()])


def test_a_payload_put_back_by_hand_after_it_was_erased_is_detected(ledger: SqliteLedger, path: str) -> None:
    (event,) = ledger.append([draft(payload=p.Note("words"))]).events
    ledger.erase(Ref(OWN, 1), redaction(event))
    with raw(path) as db:
        db.execute('UPDATE events SET payload = \'{"text":"other words"}\', absent = NULL WHERE payload IS NULL')
    assert [f for f in verified(ledger.events(), {}) if isinstance(f, Fault)]
    assert replace(event, payload=None) != event
