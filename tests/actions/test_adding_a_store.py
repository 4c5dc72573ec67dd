"""A store is added by one module and one line in the wiring: here a made-up one is, and every action works on it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import auditing, decisions, healing, ledger_origin, projects, wiring
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.ledger import header
from perdure.model import payload as p
from perdure.place.resolve import Explicit
from tests.conftest import Cli
from tests.contract import jsonl_store

ROOT = Path(__file__).parents[2]
PROGRAM = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from perdure.__main__ import main
from perdure.actions import wiring
from perdure.ledger import header
from tests.contract import jsonl_store
wiring.STORE = jsonl_store
header.FORMATS[0, jsonl_store.BEGINNING] = jsonl_store.is_whole
sys.exit(main())
"""
FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")


@pytest.fixture(autouse=True)
def _named_in_the_wiring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "STORE", jsonl_store)
    monkeypatch.setitem(header.FORMATS, (0, jsonl_store.BEGINNING), jsonl_store.is_whole)


@pytest.fixture
def asked(tmp_path: Path) -> Request:
    root = tmp_path / "shop"
    root.mkdir()
    environment = {"HOME": str(tmp_path / "person"), "PERDURE_HOME": str(tmp_path / "home")}
    request = Request(str(root), environment, Explicit(instance="left"), actor="ann")
    projects.init(request, str(root), "shop")
    return request


def ledger_file(asked: Request) -> Path:
    return Path(ledger_origin.ledger_path(asked.cwd))


def lines(asked: Request) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ledger_file(asked).read_text().splitlines()]


def decide(asked: Request, words: str) -> None:
    with open_desk(asked) as desk:
        decisions.decide(desk, p.DecisionMade(words, "readers never wait"))


def verify(asked: Request) -> auditing.Verified:
    return auditing.verify(asked, lambda *_: None)


def heal(asked: Request) -> healing.Healed:
    return healing.heal(asked, lambda _: None)


def test_a_decision_goes_into_its_file_and_the_audit_finds_it_whole(asked: Request) -> None:
    decide(asked, "use JSON lines")
    assert lines(asked)[0]["store"] == "perdure-jsonl"
    assert [each["payload"]["decision"] for each in lines(asked)[1:] if each["kind"] == "decision.made"] == [
        "use JSON lines"
    ]
    verified = verify(asked)
    assert verified.is_whole
    assert verified.report.events == len(lines(asked)) - 1
    assert not [name for name in os.listdir(ledger_file(asked).parent) if name.endswith(("-wal", "-shm", ".tmp"))]


def test_an_altered_decision_is_found_and_healed_from_the_backup(asked: Request) -> None:
    decide(asked, "use JSON lines")
    text = ledger_file(asked).read_text()
    ledger_file(asked).write_text(text.replace("use JSON lines", "use CSV"))
    assert {finding.check for finding in verify(asked).report.findings} >= {1}

    healed = heal(asked)
    assert healed.is_whole, healed
    assert any("set aside" in line for line in healed.mended)
    assert verify(asked).is_whole
    assert "use JSON lines" in ledger_file(asked).read_text()
    decide(asked, "and go on")


@pytest.mark.parametrize("how", ["gone", "cut", "something else"])
def test_a_ledger_that_is_not_a_store_any_more_is_healed(asked: Request, how: str) -> None:
    decide(asked, "use JSON lines")
    path = ledger_file(asked)
    if how == "gone":
        path.unlink()
    elif how == "cut":
        os.truncate(path, path.stat().st_size // 2)
    else:
        path.write_bytes(b"SQLite format 3\0 and nothing else\n" * 9)
    assert heal(asked).is_whole
    assert "use JSON lines" in path.read_text()
    assert verify(asked).is_whole


def test_an_unfinished_store_of_a_process_that_died_is_taken_away(asked: Request) -> None:
    folder = ledger_file(asked).parent
    for ending in ("", "-lock"):
        (folder / f"ledger.db.999999999.abcd1234.tmp{ending}").write_text("half")
    heal(asked)
    assert not [name for name in os.listdir(folder) if ".tmp" in name]


class MadeUpStore(Cli):
    """The program with this store in its wiring, in processes of its own."""

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-c", PROGRAM, *arguments]


@pytest.fixture
def cli(asked: Request) -> Cli:
    environment = {**asked.environment, "PATH": os.environ["PATH"], "PERDURE_INSTANCE": "left"}
    return MadeUpStore(Path(asked.cwd), environment)


def test_the_program_works_on_it_from_preflight_to_import(cli: Cli, asked: Request, tmp_path: Path) -> None:
    cli.ok("preflight", *FLAGS)
    cli.ok("decide", "use JSON lines", "--because", "one can read them")
    cli.ok("postflight", *FLAGS)
    assert cli.ok("audit", "verify")["whole"] is True
    assert cli.ok("heal", "--check")["whole"] is True
    assert {each["kind"] for each in lines(asked)[1:]} >= {"decision.made", "transaction.closed", "head.signed"}

    clone = tmp_path / "clone"
    (clone / ".perdure").mkdir(parents=True)
    shutil.copy(Path(asked.cwd, ".perdure", "project.toml"), clone / ".perdure")
    there = MadeUpStore(clone, {**cli.environment, "PERDURE_HOME": str(tmp_path / "other-home")})
    there.ok("heal")
    taken = there.ok("import", str(ledger_file(asked)))
    assert [chain["new"] for chain in taken["ledgers"]] == [len(lines(asked)) - 1]


def test_the_gate_opens_for_a_transaction_in_it_and_shuts_when_it_is_cut(cli: Cli, asked: Request) -> None:
    cli.ok("preflight", *FLAGS)
    assert cli("gate", "explain", "--json", "touch new").json["verdict"] == "pass"
    os.truncate(ledger_file(asked), ledger_file(asked).stat().st_size - 10)
    assert cli("gate", "explain", "--json", "touch new").json["verdict"] == "deny"
