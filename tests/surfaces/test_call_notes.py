"""A call that only looked, or that succeeded, is noted by the recorder and recorded by whoever next opens the project:
once, in order, with its own time, session and transaction; and nothing that a hook acknowledged is lost (ADR 0150)."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from perdure.actions.call_notes import FARTHEST, FOLDER, LONGEST, MOST
from perdure.actions.record import Fact, record
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model import payload as p
from perdure.views.sealed_notes import CALLS

from ..conftest import Cli
from .test_hooks import FLAGS, LOW, SESSION, Hooks, events, hooks, loaded

__all__ = ["hooks"]
CREDENTIAL = "ghp_" + "a1B2" * 9


def notes_of(cli: Cli) -> list[Path]:
    folder = cli.cwd / ".perdure" / CALLS.folder
    return sorted(folder.iterdir()) if folder.is_dir() else []


def read(hooks: Hooks, name: str, **given: Any) -> None:
    path = {"file_path": str(hooks.cli.cwd / name)}
    done = hooks("PostToolUse", tool_name="Read", tool_input=path, tool_response={}, **given)
    assert (done.code, done.err) == (0, "")


def ran(hooks: Hooks, command: str, printed: str = "x") -> None:
    done = hooks("PostToolUse", tool_name="Bash", tool_input={"command": command}, tool_response={"stdout": printed})
    assert (done.code, done.err) == (0, "")


def paths(cli: Cli) -> list[str]:
    return [event["payload"]["path"] for event in events(cli, "file.read")]


@pytest.fixture
def session(hooks: Hooks) -> Hooks:
    """A session in which the recorder has recorded before."""
    hooks("SessionStart", source="startup")
    read(hooks, "first")
    assert notes_of(hooks.cli) == []
    return hooks


def test_a_call_that_only_looked_is_noted_and_whoever_asks_next_sees_it(session: Hooks) -> None:
    cli = session.cli
    ledger = cli.cwd / ".perdure" / "ledger.db-wal"
    before = ledger.stat().st_size if ledger.exists() else 0
    read(session, "second")
    ran(session, "grep -n price src/cart.py")
    assert len(notes_of(cli)) == 2
    assert (ledger.stat().st_size if ledger.exists() else 0) == before, "the recorder wrote to the ledger"
    assert "second" in cli("log", "--kind", "read").out
    assert notes_of(cli) == []
    assert paths(cli) == ["first", "second"]
    [command] = events(cli, "command.run")
    assert command["payload"] == {
        "command": "grep -n price src/cart.py",
        "outcome": "succeeded",
        "effect": "noetic",
        "taught": True,
    }
    assert cli("audit", "verify").code == 0
    assert cli("heal", "--check").code == 0


@pytest.mark.parametrize(
    "command", ["status", "search price", "recover", "session list", "doctor", "export", "status --all"]
)
def test_each_reader_takes_the_notes_in(session: Hooks, command: str) -> None:
    read(session, "second")
    session.cli(*command.split())
    assert notes_of(session.cli) == []
    assert paths(session.cli) == ["first", "second"]


def test_a_call_keeps_the_time_session_transaction_and_actor_that_it_had(session: Hooks) -> None:
    cli = session.cli
    opened = cli.ok("preflight", *FLAGS)["transaction_id"]
    read(session, "under it", agent_id="a93f", agent_type="x")
    [note] = notes_of(cli)
    kept = note.read_bytes()
    cli.ok("postflight", *FLAGS)
    read(session, "after it")
    assert len(notes_of(cli)) == 1
    first, under, after = events(cli, "file.read")
    assert under["transaction_id"] == opened
    assert under["actor"] == "claude-code:a93f"
    assert after.get("transaction_id") is None
    assert {each["session_id"] for each in (first, under, after)} == {first["session_id"]}
    [closed] = events(cli, "transaction.closed")
    assert first["ts"] <= under["ts"] <= closed["ts"] <= after["ts"]
    assert under["seq"] < closed["seq"] < after["seq"]
    assert int(note.name[:20]) // 1_000_000 - _milliseconds(under["ts"]) < 1000
    assert kept


def _milliseconds(ts: str) -> int:
    from perdure.model.moment import Stamp, moment_of

    return moment_of(Stamp(ts))


def test_what_was_noted_counts_for_the_next_check(session: Hooks) -> None:
    cli = session.cli
    cli("preflight", *LOW)
    assert cli("check", *FLAGS, "--json").json["decision"] == "investigate", "nothing was learned yet"
    read(session, "second")
    assert len(notes_of(cli)) == 1
    assert cli("check", *FLAGS, "--json").json["decision"] == "proceed"


def test_the_recorder_that_only_notes_loads_no_database(hooks: Hooks) -> None:
    Cli.is_forked = False  # `loaded` starts the hook from this process, and so does the client its other hooks
    session = hooks
    hooks("SessionStart", source="startup")
    read(hooks, "first")
    for tool, given in (("Read", {"file_path": "src/cart.py"}), ("Bash", {"command": "grep -n x src/cart.py | head"})):
        seen = loaded(session, tool, given, event="PostToolUse")
        assert "perdure.actions.call_notes" in seen
        assert not seen & {"_sqlite3", "re", "perdure.actions.wiring", "perdure.actions.record", "perdure.model.state"}
    assert len(notes_of(session.cli)) == 2


@pytest.mark.parametrize(
    "command",
    [
        f"curl -H 'Authorization: Bearer {CREDENTIAL}' http://127.0.0.1:9",
        "pytest -q",
        "make check",
        "git checkout -- src/a.py",
        "cd web && npm test",
    ],
)
def test_what_cannot_wait_is_recorded_at_once(session: Hooks, command: str) -> None:
    read(session, "second")
    ran(session, command)
    assert notes_of(session.cli) == []
    kinds = [event["kind"] for event in events(session.cli, "file.read", "command.run")]
    assert kinds == ["file.read", "file.read", "command.run"]
    assert CREDENTIAL not in session.cli("export").out


def test_what_failed_or_changed_a_file_is_recorded_at_once(session: Hooks) -> None:
    session("PostToolUseFailure", tool_name="Bash", tool_input={"command": "ls nowhere"}, error="Exit code 2\nno")
    session("PostToolUse", tool_name="Edit", tool_input={"file_path": str(session.cli.cwd / "a")}, tool_response={})
    assert notes_of(session.cli) == []


@pytest.mark.parametrize(
    "command", ["cat tests/test_a.py", "for f in tests/*; do wc -l $f; done", "git log -3 -- test"]
)
def test_a_command_that_only_names_a_test_is_noted(session: Hooks, command: str) -> None:
    ran(session, command)
    assert len(notes_of(session.cli)) == 1


def test_no_note_holds_what_was_run_in_the_clear(session: Hooks) -> None:
    ran(session, "grep -rn lookahead .")
    [note] = notes_of(session.cli)
    assert b"lookahead" not in note.read_bytes()
    assert note.stat().st_mode & 0o777 == 0o600


def test_notes_do_not_wait_longer_than_their_time(session: Hooks) -> None:
    read(session, "second")
    [note] = notes_of(session.cli)
    note.rename(note.with_name(f"{int(note.name[:20]) - LONGEST * 1_000_000_000:020}-1"))
    read(session, "third")
    assert notes_of(session.cli) == []
    assert paths(session.cli) == ["first", "second", "third"]


def test_a_note_from_the_future_of_a_clock_that_was_set_back_does_not_wait(session: Hooks) -> None:
    read(session, "second")
    [note] = notes_of(session.cli)
    note.rename(note.with_name(f"{int(note.name[:20]) + 10**12:020}-1"))
    read(session, "third")
    assert paths(session.cli) == ["first", "second", "third"]


def test_no_more_notes_wait_than_a_prompt_can_take_in(session: Hooks) -> None:
    for number in range(MOST + 1):
        read(session, f"f{number}")
        assert len(notes_of(session.cli)) <= MOST
    assert notes_of(session.cli) == []
    assert paths(session.cli) == ["first", *(f"f{number}" for number in range(MOST + 1))]


def test_what_was_noted_is_recorded_after_the_ledger_came_back_from_its_backup(session: Hooks) -> None:
    read(session, "second")
    for path in (session.cli.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    assert session.cli("heal").code == 0
    assert paths(session.cli) == ["first", "second"]
    assert session.cli("audit", "verify").code == 0


def test_a_moved_project_takes_its_notes_along_and_a_copy_has_them_too(session: Hooks) -> None:
    read(session, "second")
    root = session.cli.cwd
    copy = root.with_name("copy")
    shutil.copytree(root, copy, symlinks=True)
    assert _paths_in(session.cli, copy) == ["first", "second"]
    assert _paths_in(session.cli, root.rename(root.with_name("moved"))) == ["first", "second"]


def test_a_reader_that_cannot_take_the_notes_in_says_why_and_the_way_out(session: Hooks) -> None:
    read(session, "second")
    root = session.cli.cwd
    copy = root.with_name("copy")
    shutil.copytree(root, copy, symlinks=True)
    moved = root.rename(root.with_name("moved"))
    assert _paths_in(session.cli, moved) == ["first", "second"]
    told = session.cli("log", "--project-path", str(copy), cwd=copy).out
    assert "so this answer lacks them: The ledger ends at event" in told
    assert "perdure heal --project-path" in told
    assert session.cli("heal", "--project-path", str(copy), cwd=copy).code == 0
    assert _paths_in(session.cli, copy) == ["first", "second"]


def _paths_in(cli: Cli, root: Path) -> list[str]:
    exported = cli("export", "--project-path", str(root), cwd=root).out
    found = [json.loads(line) for line in exported.splitlines()]
    return [each["payload"]["path"] for each in found if each["kind"] == "file.read"]


@pytest.mark.parametrize("is_fresh_before", [False, True])
def test_what_was_noted_is_recorded_by_a_ledger_that_began_anew_here(session: Hooks, is_fresh_before: bool) -> None:
    cli = session.cli
    if not is_fresh_before:
        read(session, "second")
    for path in (cli.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    shutil.rmtree(Path(cli.environment["PERDURE_HOME"]) / "backups")
    assert "it begins anew" in cli("heal").out
    read(session, "third")
    assert paths(cli) == (["third"] if is_fresh_before else ["second", "third"])
    assert notes_of(cli) == []
    assert cli("audit", "verify").code == 0


IN_THE_WAY = {
    "folder": lambda path: path.mkdir(),
    "link": lambda path: path.symlink_to("nowhere"),
    "pipe": lambda path: os.mkfifo(path),
}


@pytest.mark.parametrize("kind", IN_THE_WAY)
def test_what_is_no_file_keeps_no_note_from_being_recorded_and_stays(session: Hooks, kind: str) -> None:
    read(session, "second")
    folder = session.cli.cwd / ".perdure" / CALLS.folder
    for number in range(501):
        IN_THE_WAY[kind](folder / f"{number:020}-1")
    told = session.cli("log")
    assert "removed and not recorded" not in told.out + told.err
    assert paths(session.cli) == ["first", "second"]
    assert len(notes_of(session.cli)) == 501
    read(session, "third")
    assert len(notes_of(session.cli)) == 502, "they count as notes that have waited too long"


FAILING = """
import os, sys
opened, name, number = os.open, sys.argv.pop(1), int(sys.argv.pop(1))
def failing(path, *others, **named):
    if name in str(path):
        raise OSError(number, os.strerror(number), path)
    return opened(path, *others, **named)
os.open = failing
from perdure.__main__ import main
main(sys.argv[1:])
"""
"""The operating system refuses to open a path with this name in it."""


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO, errno.EACCES])
@pytest.mark.parametrize("name", ["calls/0", ".perdure/calls"])
def test_a_note_that_cannot_be_read_now_is_kept_and_the_answer_says_so(session: Hooks, name: str, number: int) -> None:
    cli = session.cli
    read(session, "second")
    done = subprocess.run(
        [sys.executable, "-c", FAILING, name, str(number), "log"],
        cwd=cli.cwd,
        env=cli.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "The last tool calls are not recorded yet, so this answer lacks them" in done.stdout
    assert len(notes_of(cli)) == 1
    assert paths(cli) == ["first", "second"]


COUNTING = """
import sys
from collections import Counter
called = Counter()
def count(frame, event, arg):
    if event == "call" and frame.f_code.co_filename.endswith("ledger/sqlite.py"):
        called[frame.f_code.co_name] += 1
sys.setprofile(count)
from perdure.__main__ import main
try:
    main(sys.argv[1:])
finally:
    sys.setprofile(None)
    print("looked through all ids:", called["find"], file=sys.stderr)
"""


def test_to_take_notes_in_does_not_look_through_all_ids_of_the_ledger(session: Hooks) -> None:
    for number in range(MOST - 1):
        read(session, f"f{number}")
    command = [sys.executable, "-c", COUNTING, "log"]
    cli = session.cli
    done = subprocess.run(command, cwd=cli.cwd, env=cli.environment, capture_output=True, text=True, check=False)
    assert "looked through all ids: 0" in done.stderr
    assert paths(cli) == ["first", *(f"f{number}" for number in range(MOST - 1))]


def test_a_note_that_is_put_back_much_later_is_still_known(session: Hooks) -> None:
    read(session, "second")
    [note] = notes_of(session.cli)
    content = note.read_bytes()
    assert paths(session.cli) == ["first", "second"]
    with open_desk(Request(cwd=str(session.cli.cwd), environment=session.cli.environment)) as desk:
        record(desk, [Fact("note.finding", p.Note(str(each))) for each in range(FARTHEST + 1)])
    note.write_bytes(content)
    assert paths(session.cli) == ["first", "second"]


def test_a_note_that_is_put_back_brings_no_erased_words_back(session: Hooks) -> None:
    cli = session.cli
    ran(session, "grep -n Evangelina src/a")
    [note] = notes_of(cli)
    content = note.read_bytes()
    [event] = events(cli, "command.run")
    cli.of_a_person().ok("redact", event["id"], "--because", "a name")
    note.write_bytes(content)
    assert "Evangelina" not in cli("log").out + cli("export").out
    assert notes_of(cli) == []


# -- what is not believed ----------------------------------------------------------------------------------------------


def test_a_note_that_somebody_changed_is_removed_and_said(session: Hooks) -> None:
    read(session, "second")
    [note] = notes_of(session.cli)
    content = note.read_bytes()
    note.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert "1 note of tool calls" in session.cli("note", "finding", "x").out
    assert notes_of(session.cli) == []
    assert paths(session.cli) == ["first"]


def test_a_note_sealed_with_another_key_or_for_another_use_is_not_believed(session: Hooks) -> None:
    folder, key = str(session.cli.cwd / ".perdure"), _key(session.cli)
    read(session, "second")
    [real] = CALLS.waiting(folder, key)
    assert real.fields
    CALLS.leave(folder, b"k" * 32, real.fields)
    denied = session.cli.cwd / ".perdure" / "denied"
    shutil.copytree(session.cli.cwd / ".perdure" / CALLS.folder, denied)
    session.cli("status")
    assert paths(session.cli) == ["first", "second"]
    assert events(session.cli, "gate.denied") == []


def _key(cli: Cli) -> bytes:
    from perdure.views.key import view_key

    return view_key(cli.environment["PERDURE_HOME"], str(cli.cwd / ".perdure"))


def test_a_note_that_is_put_back_or_copied_under_another_name_counts_once(session: Hooks) -> None:
    read(session, "second")
    [note] = notes_of(session.cli)
    content = note.read_bytes()
    note.with_name(f"{int(note.name[:20]) + 1:020}-7").write_bytes(content)
    session.cli("status")
    assert paths(session.cli) == ["first", "second"]
    note.write_bytes(content)
    session.cli("status")
    assert paths(session.cli) == ["first", "second"]
    assert notes_of(session.cli) == []


def test_a_note_of_another_project_of_the_same_home_is_not_believed(session: Hooks, tmp_path: Path) -> None:
    read(session, "second")
    [note] = notes_of(session.cli)
    other = tmp_path / "other"
    other.mkdir()
    session.cli("init", cwd=other)
    (other / ".perdure" / CALLS.folder).mkdir()
    shutil.copy(note, other / ".perdure" / CALLS.folder)
    exported = session.cli("export", "--project-path", str(other))
    assert "1 note of tool calls" in exported.err, "a program reads the answer"
    found = [json.loads(line) for line in exported.out.splitlines()]
    assert [event for event in found if event["kind"] == "file.read"] == []


def test_files_behind_a_link_are_left_alone(session: Hooks, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    kept = away / "20261119203000000000-pictures"
    kept.write_text("the person's own")
    (session.cli.cwd / ".perdure" / CALLS.folder).symlink_to(away)
    read(session, "second")
    session.cli("status")
    assert kept.read_text() == "the person's own"
    assert paths(session.cli) == ["first", "second"]


def test_where_no_note_can_be_left_the_call_is_recorded_at_once(session: Hooks) -> None:
    (session.cli.cwd / ".perdure" / CALLS.folder).write_text("in the way")
    read(session, "second")
    assert paths(session.cli) == ["first", "second"]


def test_without_a_ledger_no_note_is_left(session: Hooks) -> None:
    for path in (session.cli.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    path = {"file_path": str(session.cli.cwd / "second")}
    done = session("PostToolUse", tool_name="Read", tool_input=path, tool_response={})
    assert done.code == 1
    assert "perdure heal" in done.err
    assert notes_of(session.cli) == []


def test_nothing_of_a_recorder_stays_in_the_home_after_a_purge(session: Hooks) -> None:
    cli = session.cli
    kept = Path(cli.environment["PERDURE_HOME"]) / FOLDER
    assert list(kept.iterdir())
    cli.of_a_person().ok("uninstall", "--purge", "--yes")
    assert list(kept.iterdir()) == []
    read(session, "second")
    assert not (cli.cwd / ".perdure").exists()


# -- killed at any moment, many at once --------------------------------------------------------------------------------

DYING = """
import os, sys
last, begins, seen = int(sys.argv.pop(1)), sys.argv.pop(1), [-1]
def count(frame, event, arg):
    if seen[0] < 0 and frame.f_code.co_name == begins:
        seen[0] = 0
    if seen[0] >= 0:
        seen[0] += 1
        if seen[0] == last:
            os.kill(os.getpid(), 9)
sys.setprofile(count)
"""
"""In front of a program: it kills itself at the n-th call or return after a function is first entered."""
TAKING = "from perdure.__main__ import main; main(['note', 'finding', 'x', '--json'])"


def _dying(cli: Cli, code: str, at: int, begins: str, *words: str, given: str = "") -> int:
    done = subprocess.run(
        [sys.executable, "-c", DYING + code, str(at), begins, *words],
        cwd=cli.cwd,
        env=cli.environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, -9), done
    return done.returncode


def test_a_recorder_killed_at_any_moment_loses_no_call_that_it_acknowledged(hooks: Hooks) -> None:
    Cli.is_forked = False  # the recorders are started from this process, and so is the client's session
    hooks("SessionStart", source="startup")
    read(hooks, "first")
    acknowledged, killed, left = [], 0, 0
    for number, at in enumerate([*range(1, 131, 3), 10**9]):
        name, before = f"f{number}", len(notes_of(hooks.cli))
        path = {"file_path": str(hooks.cli.cwd / name)}
        call = {"tool_name": "Read", "tool_input": path, "tool_response": {}}
        given = json.dumps({"session_id": SESSION, "cwd": str(hooks.cli.cwd), **call})
        code = _dying(hooks.cli, hooks.code, at, "_created", "PostToolUse", given=given)
        killed += code != 0
        left += code != 0 and len(notes_of(hooks.cli)) > before
        acknowledged += [name] if code == 0 else []
    assert killed > 20
    assert left > 5, "none was killed between the note and the answer"
    assert acknowledged
    found = Counter(paths(hooks.cli))
    assert all(found[name] == 1 for name in acknowledged)
    assert max(found.values()) == 1
    assert notes_of(hooks.cli) == []


def test_a_taker_killed_at_any_moment_records_each_call_once(session: Hooks) -> None:
    stages = [("take_in", range(1, 5200, 401)), ("append", range(1, 40_000, 3001)), ("take_away", range(1, 121, 8))]
    killed, unremoved, every = 0, 0, ["first"]
    for begins, at in [(begins, at) for begins, moments in stages for at in moments]:
        every.append(f"{begins} {at}")
        read(session, every[-1])
        was_killed = _dying(session.cli, TAKING, at, begins) != 0
        killed += was_killed
        unremoved += was_killed and begins == "take_away" and bool(notes_of(session.cli))
    assert killed > 30
    assert unremoved > 2, "none was killed between the append and the removal"
    assert Counter(paths(session.cli)) == Counter(every)
    assert notes_of(session.cli) == []
    assert session.cli("audit", "verify").code == 0


def test_eight_takers_at_once_record_each_call_once_and_in_order(session: Hooks) -> None:
    from tests.faults.helpers import Starter

    for number in range(MOST - 1):
        read(session, f"f{number}")
    assert len(notes_of(session.cli)) == MOST - 1
    starter = Starter()
    for command in (["status"], ["note", "finding", "x"]) * 4:
        starter.perdure(*command, cwd=session.cli.cwd, env=session.cli.environment)
    for code, out, err in starter.go():
        assert code == 0, (out, err)
    assert paths(session.cli) == ["first", *(f"f{number}" for number in range(MOST - 1))]
    assert notes_of(session.cli) == []


def test_recorders_and_takers_at_once_lose_and_double_nothing(session: Hooks) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def work(number: int) -> None:
        if number % 4:
            read(session, f"f{number}")
        else:
            session.cli("note", "finding", str(number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(48)))
    assert Counter(paths(session.cli)) == Counter(["first", *(f"f{each}" for each in range(48) if each % 4)])
    assert len(events(session.cli, "note.finding")) == 12
    assert os.path.isdir(session.cli.cwd / ".perdure" / CALLS.folder)


def test_under_another_id_notes_wait_until_it_is_accepted_or_put_back(session: Hooks) -> None:
    read(session, "second")
    toml = session.cli.cwd / ".perdure" / "project.toml"
    was = toml.read_text()
    known = next(line for line in was.splitlines() if line.startswith("id"))
    toml.write_text(was.replace(known, 'id = "77777777-7777-4777-8777-777777777777"'))
    assert session.cli("audit", "acknowledge", "--because", "x", CLAUDECODE="1").code == 1
    assert len(notes_of(session.cli)) == 1
    toml.write_text(was)
    assert paths(session.cli) == ["first", "second"]
    assert session.cli.ok("audit", "verify")["whole"]
