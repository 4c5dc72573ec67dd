"""A redaction holds in the folder that it was made in, whatever older copies are put back there. A copy or a clone with
the same chain is a record of its own, and `redact` names it (SPEC 16.3, docs/adr/0049)."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_erasures import SECRET, holding, put_back, without_log
from tests.faults.test_trust import colleague

__all__ = ["colleague", "ledger"]


def noted(cli: Cli) -> str:
    return str(cli.ok("decide", f"ask {SECRET}")["decision_id"])


def both_put_back(ledger: Ledger, tmp_path: Path, redact: Callable[[], None]) -> None:
    """An older `.perdure` and an older folder of backups, both whole."""
    without_log(ledger)
    shutil.copytree(ledger.root / ".perdure", tmp_path / "older project", symlinks=True)
    shutil.copytree(ledger.home / "backups", tmp_path / "older backups")
    redact()
    without_log(ledger)
    put_back(ledger.root / ".perdure", tmp_path / "older project")
    put_back(ledger.home / "backups", tmp_path / "older backups")


@pytest.mark.parametrize("with_heads", [True, False])
@pytest.mark.parametrize("is_moved", [False, True])
def test_a_redacted_payload_does_not_come_back_with_an_older_project_folder_and_older_backups(
    ledger: Ledger, tmp_path: Path, with_heads: bool, is_moved: bool
) -> None:
    cli, decision = ledger.cli, noted(ledger.cli)
    if not with_heads:
        shutil.rmtree(ledger.home / "heads")
    both_put_back(ledger, tmp_path, lambda: cli.ok("redact", decision, "--because", "a name"))
    if is_moved:
        ledger.root.rename(tmp_path / "moved")
        cli = Cli(tmp_path / "moved", cli.environment)
    findings = cli("audit", "verify", "--json").json["findings"]
    assert is_moved or any("it is here again" in each["what"] for each in findings)
    assert not with_heads or any(each["check"] == "signed heads" for each in findings)
    healed = cli("heal", "--json").json
    assert any("erased again" in each for each in healed["mended"])
    assert holding(cli.cwd, ledger.home) == []
    if with_heads:  # a head binds after a move, too
        cli.ok("audit", "acknowledge", "--because", "an older copy was put back")
    assert cli.ok("audit", "verify")["whole"]
    assert cli.ok("heal")["whole"]
    assert SECRET not in cli("recover", "--query", SECRET.lower()).out.replace(f"'{SECRET.lower()}'", "")


def test_redact_signs_a_head_only_where_the_home_signs_heads(ledger: Ledger, cli: Cli) -> None:
    before = len(ledger.cli.ok("audit", "heads"))
    ledger.cli.ok("redact", noted(ledger.cli), "--because", "a name")
    assert len(ledger.cli.ok("audit", "heads")) == before + 1
    assert ledger.verified().json["whole"]


def copied(ledger: Ledger, tmp_path: Path) -> Cli:
    shutil.copytree(ledger.root, tmp_path / "copy", symlinks=True)
    made = Cli(tmp_path / "copy", ledger.cli.environment)
    made.ok("note", "finding", "in the copy")
    return made


def cloned(ledger: Ledger, tmp_path: Path) -> Cli:
    """A second clone of the same home, which took the record in."""
    ledger.cli.ok("export", str(tmp_path / "older.jsonl"))
    shutil.copytree(ledger.root, tmp_path / "clone", symlinks=True, ignore=shutil.ignore_patterns(".perdure"))
    made = Cli(tmp_path / "clone", ledger.cli.environment)
    made.ok("init", "--no-client")
    made.ok("import", str(tmp_path / "older.jsonl"), "--yes")
    return made


every_other = pytest.mark.parametrize("other", [copied, cloned])


def test_a_ledger_and_backups_that_a_signed_head_is_ahead_of_are_not_written_on(ledger: Ledger, tmp_path: Path) -> None:
    """A chain that is written twice from the same point can never be told from a forgery."""
    ledger.cli.ok("note", "finding", "kept")

    def signed() -> None:
        ledger.cli.ok("note", "finding", "lost")
        ledger.cli.ok("audit", "heads", "--sign")

    both_put_back(ledger, tmp_path, signed)
    refused = ledger.cli("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "ledger_put_back")
    (lost,) = ledger.cli("heal", "--json").json["lost"]
    assert lost.startswith("1 event of ledger")
    ledger.cli.ok("audit", "acknowledge", "--because", "an older copy was put back")
    ledger.cli.ok("note", "finding", "the work goes on")
    assert ledger.verified().json["whole"]
    assert "kept" in ledger.cli("export").out


@every_other
def test_nothing_complains_in_another_folder_with_the_chain_and_redact_names_it_with_what_erases_it_there(
    ledger: Ledger, tmp_path: Path, other: Callable[[Ledger, Path], Cli]
) -> None:
    decision = noted(ledger.cli)
    there = other(ledger, tmp_path)
    said = ledger.cli("redact", decision, "--because", "a customer's name").out
    (command,) = [line.rpartition("too: perdure ")[2] for line in said.splitlines() if str(there.cwd) in line]
    for _ in range(2):
        assert there.ok("audit", "verify")["whole"]
        assert there.ok("heal", "--check")["whole"]
        assert there.ok("heal")["whole"]
    assert f"ask {SECRET}" in there("export").out
    for each in (there, ledger.cli):
        each.ok("note", "finding", "the work goes on")
    there.ok(*shlex.split(command))
    assert holding(there.cwd, ledger.root, ledger.home) == []
    for each in (there, ledger.cli):
        assert each.ok("audit", "verify")["whole"]
        assert each.ok("heal")["whole"]


@every_other
def test_another_folder_with_the_chain_stays_whole_where_the_first_one_is_deleted(
    ledger: Ledger, tmp_path: Path, other: Callable[[Ledger, Path], Cli]
) -> None:
    decision = noted(ledger.cli)
    there = other(ledger, tmp_path)
    ledger.cli.ok("redact", decision, "--because", "a name")
    shutil.rmtree(ledger.root)
    for _ in range(2):
        assert there.ok("heal")["whole"]
        assert there.ok("audit", "verify")["whole"]


@every_other
def test_a_redaction_in_another_folder_with_the_chain_holds_there(
    ledger: Ledger, tmp_path: Path, other: Callable[[Ledger, Path], Cli]
) -> None:
    decision = noted(ledger.cli)
    there = other(ledger, tmp_path)
    shutil.copytree(there.cwd / ".perdure", tmp_path / "older", symlinks=True)
    there.ok("redact", decision, "--because", "a name")
    assert ledger.verified().json["whole"]
    assert f"ask {SECRET}" in ledger.cli("export").out
    shutil.rmtree(there.cwd / ".perdure")
    shutil.copytree(tmp_path / "older", there.cwd / ".perdure", symlinks=True)
    there("heal")
    assert SECRET not in there("export").out
    assert holding(there.cwd / ".perdure" / "erased") == []


def test_a_note_with_the_heads_that_this_home_did_not_write_erases_nothing(ledger: Ledger) -> None:
    decision = noted(ledger.cli)
    assert decision
    ledger.cli.ok("redact", ledger.cli.ok("decide", "another")["decision_id"], "--because", "a name")
    (note,) = (ledger.home / "heads" / "redacted").iterdir()
    lines = note.read_text().splitlines()
    note.write_text("\n".join([lines[0], f"{ledger.ledger_id()} 3", *lines[1:]]) + "\n")
    (finding,) = ledger.verified().json["findings"]
    assert note.name in finding["what"]
    ledger.cli.ok("heal")
    assert ledger.verified().json["whole"]
    assert note.read_text().splitlines() == lines
    assert f"ask {SECRET}" in ledger.cli("export").out
