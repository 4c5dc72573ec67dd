"""What leaves a ledger, comes into it, is erased from it, and what never gets in: export, import, tracked segments,
redact, and credentials masked before they are stored (SPEC 2.2, 16.4, 19)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import attribution
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model import payload as p
from tests.conftest import Cli, assessment, git
from tests.surfaces.looking import assert_error, nothing_written

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read the code")


def where_found(needle: str, *folders: Path) -> list[str]:
    """Every file whose raw bytes hold the text, whatever the file is."""
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path in files if needle.encode() in path.read_bytes())


def home_of(cli: Cli) -> Path:
    return Path(cli.environment["PERDURE_HOME"])


def lines_of(cli: Cli) -> list[str]:
    done = cli("export")
    assert done.code == 0, done
    return done.out.splitlines()


def events_of(cli: Cli) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in lines_of(cli)]
    return [line for line in lines if line["kind"] != "signed_head"]


def heads_of(cli: Cli) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cli.ok("project", "show")["ledgers"]
    return found


def assert_whole(cli: Cli) -> None:
    checked = cli("heal", "--check", "--json")
    assert checked.code == 0, checked
    assert checked.json["whole"] is True


# -- redact --------------------------------------------------------------------------------------------------------

NAME = "Quirinius-of-Smyrna"


@pytest.fixture
def with_a_name(cli: Cli) -> dict[str, str]:
    """The same private name in a decision, a note and a goal; all of it in a tracked segment too."""
    cli.ok("config", "set", "export.tracked", "true")
    cli.ok("preflight", *FLAGS)
    ids = {
        "decision": cli.ok("decide", f"ask {NAME} first", "--because", f"{NAME} owns it")["decision_id"],
        "note": cli.ok("note", "question", f"does {NAME} agree?")["note_id"],
        "goal": cli.ok("goal", "create", f"write to {NAME}")["goal_id"],
    }
    cli.ok("postflight", *FLAGS)
    return ids


def test_redact_removes_the_words_from_ledger_backup_and_segments_and_the_chain_stays_whole(
    cli: Cli, with_a_name: dict[str, str]
) -> None:
    folders = (cli.cwd, home_of(cli))
    before = where_found(NAME, *folders)
    assert any(name.startswith("ledger.db") for name in before)
    assert len([name for name in before if name.endswith(".jsonl")]) == 2, "the backup and the segment"
    heads = heads_of(cli)
    for what, id in with_a_name.items():
        assert cli.ok("redact", id[:8], "--because", f"a name in a {what}")["event_id"] == id
    assert where_found(NAME, *folders) == []
    assert_whole(cli)
    (head,) = heads_of(cli)
    assert head["events"] == heads[0]["events"] + 6  # a tombstone and a signed head each; nothing was taken away
    events = {event["id"]: event for event in events_of(cli)}
    for id in with_a_name.values():
        assert (events[id]["payload"], events[id]["absent"]) == (None, "redacted")
    reasons = [e["payload"]["because"] for e in events.values() if e["kind"] == "payload.redacted"]
    assert reasons == ["a name in a decision", "a name in a note", "a name in a goal"]


def test_what_was_redacted_is_listed_as_erased(cli: Cli, with_a_name: dict[str, str]) -> None:
    for id in with_a_name.values():
        cli.ok("redact", id, "--because", "a name")
    assert "(erased)" in cli("decide", "--list").out
    assert "(erased)" in cli("note", "list").out
    assert "(erased)" in cli("goal", "list").out
    (decision,) = cli.ok("decide", "--list")
    assert (decision["decision"], decision["rationale"]) == ("(erased)", None)
    status = cli("status")
    assert status.code == 0
    assert NAME not in status.out
    cli.ok("note", "close", with_a_name["note"])
    cli.ok("goal", "done", with_a_name["goal"])


def test_a_redacted_ledger_comes_back_from_its_backup_without_the_words(cli: Cli, with_a_name: dict[str, str]) -> None:
    for id in with_a_name.values():
        cli.ok("redact", id, "--because", "a name")
    shutil.rmtree(cli.cwd / ".perdure")
    assert cli.ok("init")["restored_events"] > 0
    assert_whole(cli)
    assert where_found(NAME, cli.cwd, home_of(cli)) == []


def test_the_reasoning_of_a_transaction_can_be_redacted_once_it_is_closed(cli: Cli) -> None:
    """While it is open, the gate's file is made from the event."""
    given = {"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": f"{NAME} told me"}
    opened = cli.ok("preflight", "-", input=json.dumps(given))["transaction_id"]
    (event,) = [event for event in events_of(cli) if event["kind"] == "transaction.opened"]
    assert_error(cli("redact", event["id"], "--because", "a name", "--json"), 1, kind="transaction_open")
    assert cli.ok("postflight", *FLAGS)["transaction_id"] == opened
    cli.ok("redact", event["id"], "--because", "a name")
    assert where_found(NAME, cli.cwd, home_of(cli)) == []
    assert_whole(cli)


def test_redact_twice_without_reason_or_of_structure_is_refused(cli: Cli) -> None:
    note = cli.ok("note", "finding", "x")["note_id"]
    with nothing_written(cli):
        assert_error(cli("redact", note, "--because", " ", "--json"), 2, kind="no_reason")
        assert_error(cli("redact", note, "--json"), 2, "--because")
        opened = events_of(cli)[0]
        assert opened["kind"] == "ledger.opened"
        assert_error(cli("redact", opened["id"], "--because", "x", "--json"), 1, kind="not_erasable")
    cli.ok("redact", note, "--because", "x")
    with nothing_written(cli):
        assert_error(cli("redact", note, "--because", "x", "--json"), 1, kind="already_redacted")


# -- export, import ------------------------------------------------------------------------------------------------


@pytest.fixture
def laptop(cli: Cli, tmp_path: Path) -> Cli:
    """A clone of the same repository on another machine, with a ledger of its own."""
    git(tmp_path, cli.environment, "clone", "-q", str(cli.cwd), "laptop")
    made = Cli(tmp_path / "laptop", {**cli.environment, "PERDURE_HOME": str(tmp_path / "laptop-home")})
    made.ok("init")
    made.ok("decide", "use WAL", "--because", "readers never wait")
    made.ok("note", "next", "add the retry test")
    return made


@contextmanager
def heads_unchanged(cli: Cli) -> Iterator[None]:
    before = heads_of(cli)
    with nothing_written(cli):
        yield
    assert heads_of(cli) == before
    assert_whole(cli)


def test_an_import_keeps_both_chains_side_by_side(cli: Cli, laptop: Cli, tmp_path: Path) -> None:
    cli.ok("decide", "use FTS5")
    (own,), (theirs,) = heads_of(cli), heads_of(laptop)
    assert cli.ok("project", "show")["project_id"] == laptop.ok("project", "show")["project_id"]
    assert own["ledger_id"] != theirs["ledger_id"]
    file = tmp_path / "laptop.jsonl"
    assert laptop.ok("export", str(file)) == {"path": str(file), "events": theirs["events"]}
    taken = cli.ok("import", str(file))
    assert taken["read"] == theirs["events"]
    (ledger,) = taken["ledgers"]
    assert ledger["ledger_id"] == theirs["ledger_id"]
    assert (ledger["events"], ledger["new"]) == (theirs["events"], theirs["events"])
    after = {head["ledger_id"]: head for head in heads_of(cli)}
    assert after[theirs["ledger_id"]] == theirs
    assert after[own["ledger_id"]]["events"] == own["events"] + 1  # ledger.merged
    assert {decision["decision"] for decision in cli.ok("decide", "--list")} == {"use WAL", "use FTS5"}
    assert cli.ok("status")["ledger"]["chains"] == 2
    assert cli.ok("status")["ledger"]["backup_behind"] == 0
    assert_whole(cli)


def test_an_import_twice_is_the_same_as_once(cli: Cli, laptop: Cli) -> None:
    text = "\n".join(lines_of(laptop)) + "\n"
    cli.ok("import", "-", input=text)
    events = events_of(cli)
    again = cli.ok("import", "-", input=text)
    assert [each["new"] for each in again["ledgers"]] == [0]
    theirs = heads_of(laptop)[0]["ledger_id"]
    assert [e for e in events_of(cli) if e["ledger_id"] == theirs] == [e for e in events if e["ledger_id"] == theirs]
    assert len(cli.ok("decide", "--list")) == 1
    assert_whole(cli)


def test_a_later_export_brings_only_what_is_new_and_both_ways_end_in_the_same_record(cli: Cli, laptop: Cli) -> None:
    cli.ok("import", "-", input="\n".join(lines_of(laptop)))
    laptop.ok("decide", "keep rowids")
    taken = cli.ok("import", "-", input="\n".join(lines_of(laptop)))
    assert taken["ledgers"][0]["new"] >= 1
    laptop.ok("import", "-", input="\n".join(lines_of(cli)))
    for each in (cli, laptop):
        assert {d["decision"] for d in each.ok("decide", "--list")} == {"use WAL", "keep rowids"}
        assert_whole(each)


def test_a_redaction_travels_with_the_import(cli: Cli, laptop: Cli) -> None:
    decision = laptop.ok("decide", f"ask {NAME}")["decision_id"]
    cli.ok("import", "-", input="\n".join(lines_of(laptop)))
    assert where_found(NAME, cli.cwd) != []
    laptop.ok("redact", decision, "--because", "a name")
    cli.ok("import", "-", input="\n".join(lines_of(laptop)))
    assert where_found(NAME, cli.cwd, home_of(cli)) == []
    assert_whole(cli)


def test_a_redaction_made_elsewhere_of_what_was_said_here_erases_it_once_a_person_accepts_it(
    cli: Cli, laptop: Cli
) -> None:
    cli.ok("config", "set", "export.tracked", "true")
    cli.ok("preflight", *FLAGS)
    decision = cli.ok("decide", f"ask {NAME}")["decision_id"]
    cli.ok("postflight", *FLAGS)
    laptop.ok("import", "-", input="\n".join(lines_of(cli)))
    laptop.ok("redact", decision, "--because", "a name")
    assert where_found(NAME, laptop.cwd, home_of(laptop)) == []
    cli.ok("notes", "write")
    before = where_found(NAME, cli.cwd, home_of(cli))
    taken = cli.ok("import", "-", input="\n".join(lines_of(laptop)))
    assert [each["event_id"] for each in taken["redactions"]] == [decision]
    assert where_found(NAME, cli.cwd, home_of(cli)) == before, "nothing of ours is erased unasked"
    cli.ok("heal")
    assert where_found(NAME, cli.cwd, home_of(cli)) == before, "nor by healing"
    with nothing_written(cli):
        refused = cli("import", "-", "--accept-redactions", input="\n".join(lines_of(laptop)))
        assert "--yes" in assert_error(refused, 1, "erase 1 payload", kind="not_confirmed")["hint"]
    cli.ok("import", "-", "--accept-redactions", "--yes", input="\n".join(lines_of(laptop)))
    assert where_found(NAME, cli.cwd, home_of(cli)) == []
    assert_whole(cli)
    assert cli("audit", "verify").code == 0


def _byte_changed(lines: list[str]) -> list[str]:
    return [line.replace("readers never wait", "readers never wai1") for line in lines]


def _stamp_changed(lines: list[str]) -> list[str]:
    event = json.loads(lines[2])
    event["ts"] = event["ts"][:-2] + ("1Z" if event["ts"].endswith("0Z") else "0Z")
    return [*lines[:2], json.dumps(event), *lines[3:]]


def _line_removed(lines: list[str]) -> list[str]:
    return [*lines[:2], *lines[3:]]


def _first_removed(lines: list[str]) -> list[str]:
    return lines[1:]


def _lines_swapped(lines: list[str]) -> list[str]:
    return [*lines[:1], lines[2], lines[1], *lines[3:]]


def _line_cut(lines: list[str]) -> list[str]:
    return [*lines[:-1], lines[-1][:-20]]


def _field_added(lines: list[str]) -> list[str]:
    return [*lines[:-1], json.dumps({**json.loads(lines[-1]), "extra": 1})]


@pytest.mark.parametrize(
    "break_it",
    [_byte_changed, _stamp_changed, _line_removed, _first_removed, _lines_swapped, _line_cut, _field_added],
    ids=lambda f: f.__name__.strip("_"),
)
def test_a_broken_export_is_refused_whole(cli: Cli, laptop: Cli, break_it: Any) -> None:
    lines = lines_of(laptop)
    broken = break_it(lines)
    assert broken != lines
    with heads_unchanged(cli):
        result = cli("import", "-", input="\n".join(broken) + "\n")
        assert_error(result, 2 if break_it in (_line_cut, _field_added) else 1)
    cli.ok("import", "-", input="\n".join(lines) + "\n")


def test_a_forked_chain_is_refused(cli: Cli, laptop: Cli, tmp_path: Path) -> None:
    ledger = laptop.cwd / ".perdure" / "ledger.db"
    shutil.copy(ledger, tmp_path / "earlier.db")
    laptop.ok("decide", "one story")
    cli.ok("import", "-", input="\n".join(lines_of(laptop)))
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (ledger.parent / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "earlier.db", ledger)
    shutil.rmtree(Path(laptop.environment["PERDURE_HOME"]) / "backups")  # which would have told
    laptop.ok("decide", "another story")
    with heads_unchanged(cli):
        assert_error(cli("import", "-", input="\n".join(lines_of(laptop))), 1, kind="forked_chain")
    assert {d["decision"] for d in cli.ok("decide", "--list")} == {"use WAL", "one story"}


def test_another_projects_export_is_refused(cli: Cli, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    stranger = Cli(other, cli.environment)
    stranger.ok("init", str(other))
    lines = lines_of(stranger)
    with heads_unchanged(cli):
        assert_error(cli("import", "-", input="\n".join(lines)), 1, "line 1", kind="other_project")
        mine = lines_of(cli)
        assert_error(cli("import", "-", input="\n".join([*mine, *lines])), 1, kind="other_project")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"null\n",
        b"[]\n",
        b"{}\n",
        b"hello\n",
        bytes(range(256)) * 8,
        b"\xff\xfe{\x00}\x00",
        b"SQLite format 3\0" * 99,
    ],
    ids=["empty", "blank", "null", "list", "object", "words", "binary", "utf16", "database"],
)
def test_what_is_not_an_export_is_refused(cli: Cli, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "given"
    file.write_bytes(content)
    with nothing_written(cli):
        assert_error(cli("import", str(file), "--json"), 2)
        assert_error(cli("import", "-", input=content), 2)


def test_a_file_that_is_not_there_or_is_a_folder_is_refused(cli: Cli, tmp_path: Path) -> None:
    with nothing_written(cli):
        assert_error(cli("import", str(tmp_path / "nowhere"), "--json"), 2, kind="bad_path")
        assert cli("import", str(tmp_path), "--json").code in (2, 3)


@pytest.mark.parametrize("where", ["file", "link"])
def test_export_never_overwrites(cli: Cli, tmp_path: Path, where: str) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    target = mine
    if where == "link":
        target = tmp_path / "link"
        target.symlink_to(mine)
    assert_error(cli("export", str(target), "--json"), 2, kind="file_exists")
    assert mine.read_text() == "mine"


def test_an_export_is_the_same_bytes_to_a_file_and_to_a_pipe(cli: Cli, tmp_path: Path) -> None:
    cli.ok("note", "finding", "naïve – 100 € 🎉")
    cli.ok("export", str(tmp_path / "a.jsonl"))
    assert (tmp_path / "a.jsonl").read_text(encoding="utf-8") == cli("export").out


# -- tracked segments ----------------------------------------------------------------------------------------------

PROMPT = "please never tell anybody about the merger"


def segments_of(cli: Cli) -> dict[str, str]:
    found = sorted((cli.cwd / ".perdure" / "export").rglob("*.jsonl"))
    return {str(path.relative_to(cli.cwd)): path.read_text() for path in found}


def put(cli: Cli, kind: str, payload: object) -> None:
    with open_desk(Request(str(cli.cwd), cli.environment)) as desk:
        attribution.record_event(desk, kind, payload)


@pytest.fixture
def pane(cli: Cli) -> Cli:
    """An instance that both the program and an in-process desk can be."""
    cli.environment["PERDURE_INSTANCE"] = "pane"
    return cli


@pytest.fixture
def tracked(pane: Cli) -> Cli:
    pane.ok("config", "set", "export.tracked", "true")
    return pane


def test_nothing_is_tracked_unless_it_is_asked_for(pane: Cli) -> None:
    pane.ok("session", "start")
    pane.ok("preflight", *FLAGS)
    pane.ok("postflight", *FLAGS)
    pane.ok("session", "end")
    assert segments_of(pane) == {}
    assert ".perdure/export" not in git(pane.cwd, pane.environment, "status", "--porcelain", "-uall")


def test_segments_are_written_at_postflight_and_session_end_and_never_changed(tracked: Cli) -> None:
    tracked.ok("session", "start")
    tracked.ok("preflight", *FLAGS)
    put(tracked, "prompt.given", p.PromptGiven(PROMPT))
    assert segments_of(tracked) == {}
    tracked.ok("postflight", *FLAGS)
    first = segments_of(tracked)
    assert len(first) == 1
    put(tracked, "prompt.given", p.PromptGiven(PROMPT))
    tracked.ok("session", "end")
    second = segments_of(tracked)
    assert len(second) == 2
    assert {name: second[name] for name in first} == first
    # Together they are the chain, each event once.
    (head,) = heads_of(tracked)
    events = [json.loads(line) for text in second.values() for line in text.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, head["events"] + 1))
    assert events[-1]["hash"] == head["hash"]


def test_segments_hold_no_prompt_and_git_sees_them(tracked: Cli) -> None:
    tracked.ok("preflight", *FLAGS)
    put(tracked, "prompt.given", p.PromptGiven(PROMPT))
    tracked.ok("postflight", *FLAGS)
    segments = segments_of(tracked)
    assert where_found(PROMPT, tracked.cwd / ".perdure" / "export") == []
    assert where_found(PROMPT, tracked.cwd / ".perdure") != [], "the ledger itself has it"
    events = [json.loads(line) for text in segments.values() for line in text.splitlines()]
    (prompt,) = [event for event in events if event["kind"] == "prompt.given"]
    assert (prompt["payload"], prompt["absent"]) == (None, "withheld")
    assert [e["absent"] for e in events if e.get("absent")] == ["withheld"]
    seen = git(tracked.cwd, tracked.environment, "status", "--porcelain", "-uall")
    assert all(f"?? {name}\n" in seen for name in segments), seen
    assert "ledger.db" not in seen


def test_segments_are_an_import_for_a_clone(tracked: Cli, laptop: Cli) -> None:
    tracked.ok("preflight", *FLAGS)
    put(tracked, "prompt.given", p.PromptGiven(PROMPT))
    tracked.ok("decide", "use FTS5")
    tracked.ok("postflight", *FLAGS)
    laptop.ok("import", "-", input="".join(segments_of(tracked).values()))
    assert {d["decision"] for d in laptop.ok("decide", "--list")} == {"use WAL", "use FTS5"}
    assert_whole(laptop)


def test_export_tracked_writes_one_by_hand_and_then_nothing_new(cli: Cli) -> None:
    written = cli.ok("export", "--tracked")["segment"]
    assert Path(written).is_file()
    assert cli.ok("export", "--tracked")["segment"] is None
    assert len(segments_of(cli)) == 1


# -- credentials ---------------------------------------------------------------------------------------------------

# In pieces, so that no scanner takes this file for a leak.
SECRETS = {
    "github": "ghp_" + "q7Xc2LmV9tRb4ZpK8sWd" + "3NyF6hJa1GuE5oTi",
    "aws": "AKIA" + "Q3EGRT7YHUJ5KLZ2",
    "openai": "sk-" + "proj-" + "a8Kd93jXmQ27bLsP0vRt" + "T3BlbkFJ" + "u5WnY1cZe4HgF6oIqD2x",
    "slack": "xoxb-" + "2874619305" + "-" + "5938471620" + "-" + "kQ3vXr8LmZp1TyWc7BnHs9Df",
    "stripe": "sk_" + "live_" + "51HqLyjWDarjtT1zdp7dcQx3vB8",
}
PASSWORD = "Trust" + "no1-" + "Falcon"


@pytest.mark.parametrize("kind", SECRETS)
def test_a_credential_is_masked_before_it_is_stored_wherever_it_is_said(pane: Cli, kind: str) -> None:
    secret = SECRETS[kind]
    said = f"the key is {secret} and it works"
    given = json.dumps({"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": said, "goal": f"rotate {secret}"})
    answers = [
        pane("preflight", "-", input=given),
        pane("note", "finding", said),
        pane("decide", f"use {secret}", "--because", said, "--title", said, "--key", "k", "--value", secret),
        pane("goal", "create", f"hide {secret}"),
        pane("check", "-", input=given),
        pane("transaction", "override", "--because", said),
        pane("postflight", "-", input=given),
    ]
    put(pane, "test.run", p.TestRun(f"TOKEN={secret} pytest -q", 1, 0))
    put(pane, "prompt.given", p.PromptGiven(said))
    assert [answer.code for answer in answers] == [0] * len(answers), answers
    assert where_found(secret, pane.cwd, home_of(pane)) == []
    assert secret not in "\n".join(lines_of(pane))
    assert not any(secret in answer.out + answer.err for answer in answers[1:])
    masked = [event for event in events_of(pane) if event["payload"] and event["payload"].get("$masked")]
    assert {"note.finding", "decision.made", "goal.created", "transaction.opened", "test.run"} <= {
        event["kind"] for event in masked
    }
    assert "the key is" in pane("note", "list").out, "the rest of the sentence stays"
    assert_whole(pane)


@pytest.mark.parametrize(
    "command",
    [
        "curl -u admin:{} https://example.org/api",
        "psql postgres://app:{}@db.example.org/shop",
        "PGPASSWORD={} pg_dump shop",
        "mysql --password={} shop",
    ],
)
def test_a_password_in_a_command_is_masked(pane: Cli, command: str) -> None:
    put(pane, "test.run", p.TestRun(command.format(PASSWORD), 1, 0))
    pane.ok("note", "failed", f"ran {command.format(PASSWORD)}")
    assert where_found(PASSWORD, pane.cwd, home_of(pane)) == []


def test_a_credential_in_a_reason_to_redact_or_in_a_session_end_is_masked_too(pane: Cli) -> None:
    secret = SECRETS["github"]
    note = pane.ok("note", "question", "x")["note_id"]
    pane.ok("note", "close", note, "--because", f"it was {secret}")
    pane.ok("redact", note, "--because", f"held {secret}")
    goal = pane.ok("goal", "create", "y")["goal_id"]
    pane.ok("goal", "done", goal, "--because", f"rotated {secret}")
    assert where_found(secret, pane.cwd, home_of(pane)) == []
    assert_whole(pane)


def test_what_is_not_a_credential_stays_as_it_was_said(cli: Cli) -> None:
    said = "commit 3f2a91c47b1e4c559d0a1f6e2b8c4d70aa11bb22 keeps the password field optional"
    assert cli.ok("note", "finding", said)["text"] == said
    assert cli.ok("preflight", "-", input=assessment())["status"] == "open"


def test_git_clean_takes_the_projects_settings_and_heal_brings_them_back(cli: Cli) -> None:
    cli.ok("config", "set", "gate.know", "0.9")
    cli.ok("note", "finding", "any command that writes keeps a copy")
    settings = cli.cwd / ".perdure" / "config.toml"
    written = settings.read_bytes()
    git(cli.cwd, cli.environment, "clean", "-fdxq")
    assert not settings.exists()
    cli.ok("heal")
    assert settings.read_bytes() == written


@pytest.mark.parametrize("inner", [False, True])
def test_a_tracked_export_is_not_written_through_a_link(cli: Cli, tmp_path: Path, inner: bool) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = cli.cwd / ".perdure" / "export"
    if inner:
        cli.ok("export", "--tracked")
        (chain,) = link.iterdir()
        shutil.rmtree(chain)
        link = chain
    link.symlink_to(elsewhere)
    refused = cli("export", "--tracked", "--json")
    error = assert_error(refused, 1, str(elsewhere), kind="folder_borrowed")
    assert "perdure heal" in error["hint"]
    cli.ok("config", "set", "export.tracked", "true")
    cli.ok("preflight", *FLAGS)
    cli.ok("postflight", *FLAGS)
    decision = cli.ok("decide", "x")["decision_id"]
    cli.ok("redact", decision, "--because", "x")
    assert list(elsewhere.iterdir()) == []
    assert str(link) in cli("audit", "verify").out
    cli.ok("heal")
    cli.ok("export", "--tracked")
    assert list(elsewhere.iterdir()) == []
    assert_whole(cli)
