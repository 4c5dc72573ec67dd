"""Events at the end of a chain that are lost, while something still proves that they were there: `heal` writes no other
events in their place (SPEC 16.3, 19).

The seal is a small file beside the backup of a chain. It names the last event of that backup, with a digest that
only this home can make: if ledger and backup are both cut, the seal still proves that there was more.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.conftest import new_repository
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_trust import backup_of, healed_and_whole

__all__ = ["ledger"]  # a fixture: pytest finds it by its name, so the linter must not call its import unused


def cut(ledger: Ledger, count: int) -> None:
    """The last events are gone from the ledger and from its backup; the seal still names them."""
    backup = backup_of(ledger)
    backup.write_bytes(b"".join(backup.read_bytes().splitlines(keepends=True)[:-count]))
    with sqlite3.connect(ledger.path) as db:
        rows = db.execute("SELECT row FROM events ORDER BY row DESC LIMIT ?", (count,)).fetchall()
        for table in ("events", "kinds"):
            db.executemany(f"DELETE FROM {table} WHERE row = ?", rows)
    db.close()


def export_of(ledger: Ledger, tmp_path: Path, name: str = "before") -> Path:
    path = tmp_path / f"{name}.jsonl"
    ledger.cli.ok("export", str(path))
    return path


def events_in(path: Path) -> set[tuple[int, str]]:
    lines = map(json.loads, path.read_text().splitlines())
    return {(line["seq"], line["hash"]) for line in lines if "seq" in line}


def ends(ledger: Ledger) -> dict[str, int]:
    """The number of the last event of each chain."""
    last: dict[str, int] = {}
    for line in map(json.loads, ledger.cli("export").out.splitlines()):
        if "seq" in line:
            last[line["ledger_id"]] = max(line["seq"], last.get(line["ledger_id"], 0))
    return last


@pytest.mark.parametrize("count", [1, 3])
def test_no_event_is_written_over_one_that_a_seal_proves_and_an_export_brings_it_back(
    ledger: Ledger, tmp_path: Path, count: int
) -> None:
    chain, before = ledger.ledger_id(), export_of(ledger, tmp_path)
    cut(ledger, count)
    assert ledger.verified().code == 1
    healed = ledger.cli("heal", "--json")
    assert healed.code == 1
    assert any(
        f"of ledger {chain[:8]}" in each and f"after event {ledger.end - count}" in each for each in healed.json["lost"]
    )
    assert ledger.ledger_id() != chain
    assert ends(ledger)[chain] == ledger.end - count
    assert ledger.verified().code == 1, "what is lost is named until it is back or accepted"
    ledger.cli.ok("import", str(before), "--yes")
    assert events_in(before) <= events_in(export_of(ledger, tmp_path, "after"))
    healed_and_whole(ledger)


@pytest.mark.parametrize("count", [1, 3])
def test_a_loss_that_a_person_accepts_is_not_named_again_and_one_new_chain_is_enough(
    ledger: Ledger, count: int
) -> None:
    cut(ledger, count)
    assert ledger.cli("heal").code == 1
    chains = ends(ledger)
    again = ledger.cli("heal", "--json")
    assert (again.code, again.json["mended"]) == (1, [])
    assert ends(ledger).keys() == chains.keys()
    ledger.cli.ok("audit", "acknowledge", "--because", "it is lost")
    assert healed_and_whole(ledger)["lost"] == []
    assert ends(ledger).keys() == chains.keys()
    ledger.cli.ok("note", "finding", "the work goes on")
    healed_and_whole(ledger)


@pytest.mark.parametrize("command", ["note", "import"])
def test_nothing_is_written_to_a_chain_that_ends_before_what_its_seal_names(
    ledger: Ledger, tmp_path: Path, command: str
) -> None:
    before = export_of(ledger, tmp_path)
    cut(ledger, 1)
    arguments = ("note", "finding", "x") if command == "note" else ("import", str(before), "--yes")
    refused = ledger.cli(*arguments, "--json")
    assert (refused.code, refused.error["code"]) == (1, "ledger_put_back")
    assert "perdure heal" in refused.error["hint"]
    assert ends(ledger)[ledger.ledger_id()] == ledger.end - 1


def test_no_event_is_written_over_one_that_a_signed_head_proves(ledger: Ledger, tmp_path: Path) -> None:
    """The seal was put back with the ledger: only the head in the home knows better."""
    backup, seal = backup_of(ledger), backup_of(ledger).with_suffix(".seal")
    old = {path: path.read_bytes() for path in (ledger.path, backup, seal)}
    chain, end = ledger.ledger_id(), ledger.end
    ledger.cli.ok("note", "finding", "to be lost")
    ledger.cli.ok("audit", "heads", "--sign")
    before = export_of(ledger, tmp_path)
    *lines, signing = (line for line in before.read_text().splitlines(keepends=True) if '"seq":' in line)
    assert '"head.signed"' in signing, "which no head is over"
    before.write_text("".join(lines))
    for stray in ledger.path.parent.glob("ledger.db-*"):
        stray.unlink()
    for path, content in old.items():
        path.write_bytes(content)
    healed = ledger.cli("heal", "--json")
    assert healed.code == 1
    assert any(f"after event {end}" in each for each in healed.json["lost"])
    assert ledger.ledger_id() != chain
    assert ends(ledger)[chain] == end
    ledger.cli.ok("import", str(before), "--yes")
    assert ends(ledger)[chain] == len(lines)
    healed_and_whole(ledger)


def test_no_event_is_written_over_one_that_only_the_tracked_export_has(ledger: Ledger) -> None:
    """Ledger, backup, seal and heads were all put back as they were before."""
    ledger.cli.ok("config", "set", "export.tracked", "true")
    paths = [path for path in (*ledger.home.rglob("*"), ledger.path) if path.is_file()]
    old = {path: path.read_bytes() for path in paths}
    chain = ledger.ledger_id()
    end = ends(ledger)[chain]
    ledger.cli.ok("note", "finding", "to be lost")
    ledger.cli.ok("export", "--tracked")
    for stray in ledger.path.parent.glob("ledger.db-*"):
        stray.unlink()
    for path, content in old.items():
        path.write_bytes(content)
    assert ledger.verified().code == 1
    healed = ledger.cli("heal", "--json").json
    assert ledger.ledger_id() != chain
    assert ends(ledger)[chain] == end
    assert any(f"after event {end}" in each for each in healed["lost"])
    healed_and_whole(ledger)


@pytest.mark.parametrize("is_cut", [True, False])
def test_where_the_seal_is_gone_too_the_work_goes_on_in_a_new_chain(ledger: Ledger, is_cut: bool) -> None:
    """Nothing proves that the chain had more, and nothing proves that it had not."""
    chain = ledger.ledger_id()
    if is_cut:
        cut(ledger, 1)
    backup_of(ledger).with_suffix(".seal").unlink()
    assert ledger.verified().code == 1
    healed = healed_and_whole(ledger)
    assert any("nothing proves" in each and "new chain" in each for each in healed["mended"])
    assert ledger.ledger_id() != chain
    assert ends(ledger)[chain] == ledger.end - is_cut
    assert healed_and_whole(ledger)["mended"] == []


def test_a_transaction_that_comes_back_with_a_lost_end_is_not_called_another_machines(
    ledger: Ledger, tmp_path: Path
) -> None:
    opened = ledger.cli.ok("preflight", "--know", "0.9", "--uncertainty", "0.1", "--because", "begin")["transaction_id"]
    since = [row["kind"] for row in ledger.rows()][::-1].index("transaction.opened") + 1
    before = export_of(ledger, tmp_path)
    cut(ledger, since)
    assert ledger.cli("heal").code == 1
    imported = ledger.cli("import", str(before), "--yes").out
    assert "1 open transaction in what is imported: opens no gate here" in imported
    assert "another machine" not in ledger.cli("status").out
    refused = ledger.cli("postflight", "--transaction-id", opened, "--know", "0.9", "--uncertainty", "0.1", "--json")
    assert refused.error["code"] == "other_machine"
    assert "lost here" in refused.error["message"]
    ledger.cli.ok("preflight", "--know", "0.9", "--uncertainty", "0.1", "--because", "as the hint says")
    healed_and_whole(ledger)


@pytest.mark.parametrize("is_there", [True, False])
def test_an_older_ledger_without_a_backup_of_its_chain_is_healed_as_far_as_anything_proves(
    ledger: Ledger, environment: dict[str, str], tmp_path: Path, is_there: bool
) -> None:
    """The seal stays, because it names events that the ledger lacks, and no backup is beside it: it was deleted, or was
    that of another chain and is set aside."""
    other = new_repository(tmp_path / "other", environment)
    ledger.cli.ok("init", "--no-client", cwd=other)
    (others,) = [each for each in (ledger.home / "backups").rglob("*.jsonl") if each != backup_of(ledger)]
    older = ledger.path.read_bytes()
    ledger.cli.ok("note", "finding", "only the seal still knows of this")
    ledger.path.write_bytes(older)
    if is_there:
        backup_of(ledger).write_bytes(others.read_bytes())
    else:
        backup_of(ledger).unlink()
    healed = ledger.cli("heal", "--json")
    assert healed.code == 1, healed
    assert any("of ledger" in each for each in healed.json.get("lost", ())), healed
    assert ledger.verified().code == 1
    again = ledger.cli("heal", "--json")
    assert again.code == 1, again
    assert again.json["mended"] == []
    ledger.cli.ok("note", "finding", "the work goes on")
