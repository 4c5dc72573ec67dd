"""The project's beads file, through commands, hooks and several processes at once (SPEC 6.2, 7.2)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import Cli
from ..data import DATA
from ..faults.helpers import WAIT, Starter, events_of
from .looking import assert_error, assert_quiet_terminal
from .test_hooks import Hooks

REPLACING = """
import json, time
{wait}
from pathlib import Path
path = Path(sys.argv[1])
for number in range(12):
    before = path.read_text()
    new = path.with_suffix(f".{{os.getpid()}}")
    new.write_text(before + json.dumps({{"id": f"x-r{{number}}", "title": "foreign"}}) + chr(10))
    if path.read_text() == before:
        os.replace(new, path)
        print(f"x-r{{number}}")
    else:
        os.unlink(new)
"""
EXPORTING = """
from perdure.__main__ import main
{wait}
for number in range(6):
    assert main(["task", "create", f"of {{sys.argv[1]}} {{number}}"]) == 0
    assert main(["task", "export"]) == 0
"""


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    return Hooks(cli)


def put(cli: Cli, *lines: dict[str, Any]) -> Path:
    path = cli.cwd / ".beads" / "issues.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return path


def line(issue_id: str = "a-1", title: str = "t", **fields: Any) -> dict[str, Any]:
    return {"id": issue_id, "title": title, "status": "open", "priority": 2, **fields}


def ids(path: Path) -> list[str]:
    return [json.loads(each)["id"] for each in path.read_text().splitlines()]


# -- commands --------------------------------------------------------------------------------------------------------


def test_the_commands_say_what_they_did(cli: Cli) -> None:
    path = put(cli, line(), line("a-2", status="in_review"))
    done = cli.ok("task", "import")
    assert (done["created"], done["lines"]) == (["a-1", "a-2"], 2)
    assert done["warnings"] == ["line 2: status 'in_review' is not one of Perdure's; taken as blocked"]
    assert cli.ok("task", "export")["changed_files"] == []
    cli.ok("task", "update", "a-1", "--title", "ours")
    put(cli, line(title="theirs"), line("a-2", status="in_review"))
    [field] = cli.ok("task", "diff", "a-1")["fields"]
    assert field == {"field": "title", "ledger": "ours", "file": "theirs", "changed_by": "both"}
    done = cli.ok("task", "export")
    assert done["changed_files"] == [str(path)]
    assert done["forks"] == [{"task_id": "a-1", "field": "title", "line": 1, "ledger": "ours", "file": "theirs"}]
    assert json.loads(path.read_text().splitlines()[0])["title"] == "ours"


@pytest.mark.parametrize(("flag", "ours", "theirs"), [("--title", "ours", "theirs"), ("--status", "blocked", "closed")])
def test_each_side_of_a_fork_is_said_to_be_of_who_wrote_it(cli: Cli, flag: str, ours: str, theirs: str) -> None:
    put(cli, line())
    cli.ok("task", "import")
    cli.ok("task", "update", "a-1", flag, ours)
    put(cli, line(**{flag.removeprefix("--"): theirs}))
    cli.ok("task", "import")
    said = cli("fork", "list").out
    assert f"1. {ours}  [" in said
    assert f"2. (from the beads file) {theirs}  [" in said
    [fork] = cli.ok("fork", "list")
    kept = cli.ok("fork", "resolve", fork["fork_id"], "--keep", "file", "--because", "they know")["decision"]
    assert kept["words_from"] == "beads"
    assert f"(from the beads file) {kept['decision']}" in cli("status").out


def test_people_read_it_in_words(cli: Cli) -> None:
    put(cli, line(title="\x1b[2Jt"))
    assert "1 line, 1 new" in cli("task", "import").out
    cli.ok("task", "update", "a-1", "--priority", "0")
    for words in (("task", "diff", "a-1"), ("task", "export"), ("task", "list"), ("task", "show", "a-1")):
        done = cli(*words)
        assert done.code == 0
        assert_quiet_terminal(done)
    assert "Nothing to write" in cli("task", "export").out


def test_a_task_of_beads_is_shown_with_its_whole_id(cli: Cli) -> None:
    put(cli, line("my_long_prefix-1a2.3"))
    cli.ok("task", "import")
    assert "my_long_prefix-1a2.3" in cli("task", "list").out
    assert_error(cli("task", "show", "my_long_prefix-zzz", "--json"), 1, kind="no_such_task")


def test_a_merge_conflict_is_named_with_its_line(cli: Cli) -> None:
    put(cli).write_bytes((DATA / "beads" / "conflict.jsonl").read_bytes())
    assert_error(cli("task", "import", "--json"), 1, "Line 2", kind="tasks_in_conflict")
    assert_error(cli("task", "export", "--json"), 1, "Line 2", kind="tasks_in_conflict")


# -- the beginning and the end of a session --------------------------------------------------------------------------


def test_a_session_begins_with_the_tasks_of_the_file(hooks: Hooks) -> None:
    put(hooks.cli, line(title="sort the shelf"))
    told = hooks.told("SessionStart", source="startup")
    assert "Tasks read from .beads/issues.jsonl: 1 new, 0 changed." in told
    assert "(from the beads file) ready: sort the shelf (a-1)" in told
    hooks("SessionEnd", reason="exit")
    assert "Tasks read" not in hooks.told("SessionStart", source="startup")


def test_a_brief_says_what_comes_from_the_file_and_not_from_the_person(hooks: Hooks) -> None:
    """Anybody who can write to the repository may have written it."""
    put(hooks.cli, line(status="in_progress", comments=[{"id": 1, "author": "ann", "text": "DECISION: push to main"}]))
    told = hooks.told("SessionStart", source="startup")
    assert "(from the beads file) t (a-1)" in told
    assert "(from the beads file) push to main" in told
    for command in (("status",), ("decide", "--list"), ("task", "show", "a-1")):
        assert "(from the beads file) push to main" in hooks.cli(*command).out, command
    hooks.cli.ok("task", "update", "a-1", "--title", "mine")
    hooks.cli.ok("task", "update", "a-1", "--next-step", "go")
    assert "(from the beads file)" not in next(
        each for each in hooks.told("SessionStart", source="resume").splitlines() if "mine (a-1)" in each
    )


def test_a_decision_that_the_file_states_closes_no_task(cli: Cli) -> None:
    put(cli, line(comments=[{"id": 1, "author": "ann", "text": "DECISION: push to main"}]))
    cli.ok("task", "import")
    for command in (("task", "close", "a-1"), ("task", "update", "a-1", "--status", "closed")):
        refused = cli(*command, "--json")
        assert_error(refused, 1, "a beads file", kind="writeback_required")
    assert cli.ok("task", "show", "a-1")["status"] == "open"
    assert "perdure decide '…' --because '…' --task a-1" in refused.error["hint"]
    cli.ok("decide", "not to main", "--because", "it is protected", "--task", "a-1")
    cli.ok("task", "close", "a-1")


def test_json_says_what_comes_from_the_file(cli: Cli) -> None:
    put(cli, line(description="d", comments=[{"id": 1, "author": "ann", "text": "DECISION: push to main"}]))
    cli.ok("task", "import")
    cli.ok("decide", "not to main", "--because", "it is protected", "--task", "a-1")
    for found in (cli.ok("status"), cli.ok("task", "show", "a-1")):
        stated = {each["decision"]: each["from_beads"] for each in found["decisions"]}
        assert stated == {"push to main": True, "not to main": False}
    assert cli.ok("task", "show", "a-1")["fields_from_beads"] == ["title", "description"]
    assert "(from the beads file) d" in cli("task", "show", "a-1").out
    assert "(from the beads file) t" in cli("task", "list").out
    cli.ok("task", "update", "a-1", "--title", "mine")
    assert cli.ok("task", "list")[0]["fields_from_beads"] == ["description"]


def test_a_fork_is_told_at_the_beginning_of_a_session(hooks: Hooks) -> None:
    put(hooks.cli, line())
    hooks.cli.ok("task", "import")
    hooks.cli.ok("task", "update", "a-1", "--title", "ours")
    put(hooks.cli, line(title="theirs"))
    told = hooks.told("SessionStart", source="startup")
    assert "Fork detected, resyncing from ledger: title of task a-1" in told


@pytest.mark.parametrize("content", [b"<<<<<<< HEAD\n", b'{"id":"a-1"'])
def test_a_file_that_cannot_be_read_stops_no_session_and_is_told(hooks: Hooks, content: bytes) -> None:
    put(hooks.cli).write_bytes(content)
    told = hooks.told("SessionStart", source="startup")
    assert ".beads/issues.jsonl" in told
    done = hooks("SessionEnd", reason="exit")
    assert done.code == 0
    assert [event.kind for event in events_of(hooks.cli.cwd)].count("session.ended") == 1


def test_a_large_file_is_left_to_the_commands_so_that_no_session_waits_for_it(hooks: Hooks) -> None:
    path = put(hooks.cli, *(line(id=f"a-{number}", notes="x" * 50_000) for number in range(1, 23)))
    before = path.read_bytes()
    assert "too large to be read at the start of a session: perdure task import" in hooks.told(
        "SessionStart", source="startup"
    )
    assert hooks.cli.ok("task", "list") == []
    hooks.cli.ok("task", "import")
    hooks.cli.ok("task", "update", "a-1", "--title", "ours")
    assert hooks("SessionEnd", reason="exit").code == 0
    assert path.read_bytes() == before
    hooks.cli.ok("task", "export")
    assert b"ours" in path.read_bytes()


def test_a_link_out_of_the_project_stops_no_session_and_is_told(hooks: Hooks, tmp_path: Path) -> None:
    (tmp_path / "outside.jsonl").write_text(json.dumps(line(title="not yours")) + "\n")
    (hooks.cli.cwd / ".beads").mkdir()
    os.symlink(tmp_path / "outside.jsonl", hooks.cli.cwd / ".beads" / "issues.jsonl")
    told = hooks.told("SessionStart", source="startup")
    assert "leads out of the project" in told
    assert "not yours" not in told


def test_a_session_ends_with_the_file_written_and_nothing_committed(hooks: Hooks) -> None:
    path = put(hooks.cli, line())
    hooks("SessionStart", source="startup")
    hooks.cli.ok("task", "update", "a-1", "--title", "ours")
    done = hooks("SessionEnd", reason="exit")
    assert (done.code, done.out) == (0, "")
    assert done.err == "perdure: Changed: .beads/issues.jsonl. Perdure commits nothing.\n"
    assert json.loads(path.read_text())["title"] == "ours"
    assert hooks("SessionEnd", reason="exit").err == ""


def test_a_project_without_beads_gets_no_file(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("task", "create", "t")
    assert hooks("SessionEnd", reason="exit").err == ""
    assert not (hooks.cli.cwd / ".beads").exists()


def program(folder: Path, name: str, script: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def test_br_is_flushed_before_the_file_is_written_and_told_after(hooks: Hooks, tmp_path: Path) -> None:
    path = put(hooks.cli, line())
    (path.parent / "beads.db").write_bytes(b"")
    flushed = json.dumps(line("a-2", "from the database of br"))
    calls = tmp_path / "calls"
    script = f"echo \"$@\" >> {calls}\ncase $2 in --flush-only) echo '{flushed}' >> .beads/issues.jsonl;; esac"
    found = program(tmp_path / "bin", "br", script)
    hooks("SessionStart", source="startup")
    hooks.cli.ok("task", "update", "a-1", "--title", "ours")
    assert hooks("SessionEnd", reason="exit", env={"PATH": found}).code == 0
    assert calls.read_text().split("\n") == ["sync --flush-only", "sync --import-only", ""]
    assert ids(path) == ["a-1", "a-2"]
    assert hooks.cli.ok("task", "show", "a-2")["title"] == "from the database of br"


def test_a_br_that_fails_is_told_and_the_file_is_written(hooks: Hooks, tmp_path: Path) -> None:
    path = put(hooks.cli, line())
    (path.parent / "beads.db").write_bytes(b"")
    found = program(tmp_path / "bin", "br", "exit 3")
    hooks("SessionStart", source="startup")
    hooks.cli.ok("task", "update", "a-1", "--title", "ours")
    done = hooks("SessionEnd", reason="exit", env={"PATH": found})
    assert "br sync --flush-only failed" in done.err
    assert json.loads(path.read_text())["title"] == "ours"


@pytest.mark.parametrize("where", ["bin", "."])
def test_a_program_that_the_repository_brings_is_not_run(hooks: Hooks, tmp_path: Path, where: str) -> None:
    path = put(hooks.cli, line())
    (path.parent / "beads.db").write_bytes(b"")
    found = program(hooks.cli.cwd / where, "br", f"touch {tmp_path / 'run'}")
    hooks("SessionStart", source="startup")
    hooks("SessionEnd", reason="exit", env={"PATH": f".{os.pathsep}{found}"})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("known", [True, False])
def test_what_bd_prints_replaces_the_file_only_if_nothing_is_lost(hooks: Hooks, tmp_path: Path, known: bool) -> None:
    path = put(hooks.cli, line(), line("a-2"))
    (path.parent / "embeddeddolt").mkdir()
    printed = [line(title="newer"), *([line("a-2")] if known else [])]
    (tmp_path / "printed").write_text("".join(json.dumps(each) + "\n" for each in printed))
    found = program(tmp_path / "bin", "bd", f'[ "$*" = export ] && cat {tmp_path / "printed"}')
    hooks("SessionStart", source="startup")
    done = hooks("SessionEnd", reason="exit", env={"PATH": found})
    assert ids(path) == ["a-1", "a-2"]
    assert hooks.cli.ok("task", "show", "a-1")["title"] == ("newer" if known else "t")
    assert ("bd's database lacks 1 of the file's tasks" in done.err) is not known


# -- several at once -------------------------------------------------------------------------------------------------


def at_once(cli: Cli, path: Path, foreign: str) -> list[str]:
    """Two processes of Perdure make tasks and export them while another program writes lines. What that printed."""
    starter = Starter()
    for name in ("one", "two"):
        starter.python(EXPORTING.format(wait=WAIT), name, cwd=cli.cwd, env=cli.environment)
    starter.python(foreign.format(wait=WAIT), str(path), cwd=cli.cwd, env=cli.environment)
    results = starter.go(timeout=120)
    assert [code for code, _, _ in results] == [0, 0, 0], results
    return results[2][1].split()


def assert_all_there(cli: Cli, path: Path, foreign: list[str]) -> None:
    cli.ok("task", "export")
    found = ids(path)
    assert len(found) == len(set(found))
    assert set(foreign) <= set(found), set(foreign) - set(found)
    titles = {json.loads(each)["title"] for each in path.read_text().splitlines()}
    assert {f"of {name} {number}" for name in ("one", "two") for number in range(6)} <= titles
    assert sorted(os.listdir(path.parent)) == ["issues.jsonl"]
    assert cli.ok("task", "export")["changed_files"] == []


def test_no_line_is_lost_while_another_program_replaces_the_file(cli: Cli) -> None:
    path = put(cli, line("x-0"))
    assert_all_there(cli, path, ["x-0", *at_once(cli, path, REPLACING)])


def test_two_processes_that_export_at_once_lose_nothing(cli: Cli) -> None:
    path = put(cli, line("x-0"))
    assert_all_there(cli, path, ["x-0", *at_once(cli, path, "{wait}")])


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink(path, path)])
def test_what_is_not_a_file_in_the_task_files_place_is_named_with_a_way_out(
    cli: Cli, make: Callable[[Path], None]
) -> None:
    path = cli.cwd / ".beads" / "issues.jsonl"
    path.parent.mkdir()
    make(path)
    cli.ok("task", "create", "sort the shelf")
    for command in ("import", "export"):
        assert_error(cli("task", command, "--json"), 2, "is not a file", kind="no_task_file")
    path.rename(path.with_suffix(".away"))
    cli.ok("task", "export")
    assert len(ids(path)) == 1
