"""A damaged ledger is healed when a session starts or a prompt comes: the session goes on with its past (SPEC 16.3)."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from perdure.actions import lost_record
from perdure.actions.request import Request, resolve_request
from perdure.errors import Damaged
from tests.conftest import Cli, new_repository
from tests.faults.helpers import assert_whole, events_of
from tests.surfaces.test_hooks import FLAGS, Hooks

Harm = Callable[[Path, Path], object]


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    made = Hooks(cli)
    made("SessionStart", source="startup")
    cli.ok("decide", "use WAL", "--because", "readers never wait")
    return made


def replaced(content: bytes) -> Harm:
    return lambda ledger, _: ledger.write_bytes(content)


def cut(ledger: Path, _: Path) -> None:
    ledger.write_bytes(ledger.read_bytes()[:6000])


def garbled(ledger: Path, _: Path) -> None:
    content = bytearray(ledger.read_bytes())
    content[200::501] = bytes(each ^ 0x5A for each in content[200::501])
    ledger.write_bytes(content)


def put_back(ledger: Path, older: Path) -> None:
    shutil.copy(older, ledger)


def rewritten(ledger: Path, _: Path) -> None:
    with sqlite3.connect(ledger) as db:
        db.execute("DELETE FROM events WHERE row = (SELECT max(row) FROM events)")
    db.close()


HARMS: dict[str, Harm] = {
    "garbage": replaced(b"no ledger" * 4096),
    "empty": replaced(b""),
    "cut": cut,
    "garbled": garbled,
    "an older copy": put_back,
    "its last event is gone": rewritten,
}


def harmed(hooks: Hooks, older: Path, harm: str) -> None:
    ledger = hooks.cli.cwd / ".perdure" / "ledger.db"
    for beside in ledger.parent.glob("ledger.db-*"):
        beside.unlink()
    HARMS[harm](ledger, older)


@pytest.fixture
def older(hooks: Hooks, tmp_path: Path) -> Path:
    copy = tmp_path / "older.db"
    shutil.copy(hooks.cli.cwd / ".perdure" / "ledger.db", copy)
    hooks.cli.ok("decide", "use one writer", "--because", "it is simple")
    return copy


@pytest.mark.parametrize("harm", HARMS)
def test_a_session_starts_with_its_past_although_the_ledger_was_damaged(hooks: Hooks, older: Path, harm: str) -> None:
    harmed(hooks, older, harm)
    told = hooks.told("SessionStart", source="startup")
    assert "The record was damaged and was healed" in told
    assert "not recorded" not in told
    assert "use one writer" in told
    assert_whole(hooks.cli)
    healed = [event for event in events_of(hooks.cli.cwd) if event.kind == "ledger.healed"]
    assert healed
    hooks.cli.ok("preflight", *FLAGS)
    assert hooks.bash("touch b") == ""
    assert hooks.cli.ok("heal")["mended"] == []


def test_a_prompt_that_meets_a_damaged_ledger_is_recorded(hooks: Hooks, older: Path) -> None:
    harmed(hooks, older, "garbage")
    assert "The record was damaged and was healed" in hooks.told("UserPromptSubmit", prompt="never touch prices.py")
    prompts = [event for event in events_of(hooks.cli.cwd) if event.kind == "prompt.given"]
    assert [event.payload and event.payload["text"] for event in prompts] == ["never touch prices.py"]
    assert_whole(hooks.cli)


def test_what_is_lost_is_said(hooks: Hooks, environment: dict[str, str]) -> None:
    (hooks.cli.cwd / ".perdure" / "ledger.db").write_bytes(b"no ledger" * 4096)
    shutil.rmtree(Path(environment["PERDURE_HOME"]) / "backups")
    told = hooks.told("SessionStart", source="startup")
    assert "Lost: the ledger" in told
    hooks.cli.ok("note", "finding", "the work goes on")


def test_a_ledger_that_another_home_wrote_is_left_to_a_person(
    hooks: Hooks, environment: dict[str, str], tmp_path: Path
) -> None:
    other = new_repository(tmp_path / "other", environment)
    elsewhere = Cli(other, {**environment, "PERDURE_HOME": str(tmp_path / "another home")})
    elsewhere.ok("init", "--no-client")
    theirs = (other / ".perdure" / "ledger.db").read_bytes()
    (hooks.cli.cwd / ".perdure" / "ledger.db").write_bytes(theirs)
    told = hooks.told("SessionStart", source="startup")
    assert "perdure heal" in told
    assert (hooks.cli.cwd / ".perdure" / "ledger.db").read_bytes() == theirs


def test_a_client_does_not_wait_for_a_long_record(hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = hooks.cli.cwd / ".perdure" / "ledger.db"
    ledger.write_bytes(b"no ledger" * 4096)
    monkeypatch.setattr(lost_record, "LONG", 4096)
    resolved = resolve_request(Request(str(hooks.cli.cwd), hooks.cli.environment))

    def meets(_: list[str]) -> None:
        raise Damaged("ledger_damaged", "It is damaged.", hint="perdure heal")

    with pytest.raises(Damaged):
        lost_record.with_record(resolved, meets)
    assert os.path.getsize(ledger) == 9 * 4096
