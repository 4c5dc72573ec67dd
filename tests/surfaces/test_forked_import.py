"""An export of a known machine to which somebody added events, and the genuine export that comes later: signed heads
decide (SPEC 16.3, 16.4)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from perdure.model import payload as p
from perdure.model.ids import EventId
from perdure.model.jsonl import from_line, to_line
from perdure.model.moment import Stamp
from perdure.model.value import replace
from perdure.proof import signed_note
from perdure.proof.merkle import Frontier, leaf
from perdure.views import head_files, signing_keys
from tests.conftest import Cli
from tests.contract.making import draft
from tests.surfaces.looking import assert_error, nothing_written
from tests.surfaces.test_merging_a_copy import continued, exported, ids_of
from tests.surfaces.test_transfer import assert_whole, events_of, home_of, laptop, lines_of, where_found

__all__ = ["laptop"]

FORGED = "this was never said"


@pytest.fixture
def attacked(cli: Cli, laptop: Cli) -> Cli:
    """It took in the laptop's signed export, with one more event that the laptop never wrote."""
    laptop.ok("audit", "heads", "--sign")
    cli.ok("import", "-", "--yes", input=continued(laptop, draft("note.finding", p.Note(FORGED))))
    assert FORGED in cli("export").out
    return cli


def assert_right(here: Cli, there: Cli) -> None:
    assert ids_of(there) <= ids_of(here)
    assert not [each for each in events_of(here) if FORGED in str(each["payload"])]
    assert_whole(here)
    assert here.ok("audit", "verify")["whole"]


def test_import_says_how_many_events_no_head_proves(cli: Cli, laptop: Cli) -> None:
    laptop.ok("audit", "heads", "--sign")
    file = cli.cwd.parent / "laptop.jsonl"
    file.write_text(exported(laptop))
    assert "nothing proves" not in cli("import", str(file), "--dry-run").out
    cli.ok("import", str(file), "--yes")
    assert "nothing proves" not in cli("import", str(file), "--dry-run").out
    file.write_text(continued(laptop, draft("note.finding", p.Note(FORGED))))
    assert "nothing proves 1 new event after it" in cli("import", str(file), "--dry-run").out


def test_a_signed_export_wins_over_an_unproved_end_that_was_taken_in(attacked: Cli, laptop: Cli) -> None:
    laptop.ok("note", "finding", "the real one")
    laptop.ok("audit", "heads", "--sign")
    with nothing_written(attacked):
        assert_error(attacked("import", "-", input=exported(laptop)), 1, "replace 1 event", kind="not_confirmed")
    file = attacked.cwd.parent / "genuine.jsonl"
    file.write_text(exported(laptop))
    said = attacked("import", str(file), "--yes")
    assert said.code == 0, said
    assert "set aside" in said.out
    assert_right(attacked, laptop)
    told = [event["payload"]["mended"] for event in events_of(attacked) if event["kind"] == "ledger.healed"]
    assert any("1 event of ledger" in str(each) for each in told)
    (aside,) = (attacked.cwd / ".perdure").glob("ledger.db.replaced-*")
    assert str(aside) in str(told), "what was set aside is kept, and the record says where"
    attacked.ok("note", "finding", "it goes on")
    attacked.ok("import", "-", "--yes", input=exported(laptop))
    assert_right(attacked, laptop)


def test_what_was_given_up_does_not_come_back_when_the_ledger_is_lost(attacked: Cli, laptop: Cli) -> None:
    laptop.ok("note", "finding", "the real one")
    laptop.ok("audit", "heads", "--sign")
    attacked.ok("import", "-", "--yes", input=exported(laptop))
    attacked.ok("note", "finding", "it goes on")
    before = ids_of(attacked)
    subprocess.run(["git", "clean", "-fdxq"], cwd=attacked.cwd, check=True, env=attacked.environment)
    attacked.ok("init", "--no-client")
    assert before <= ids_of(attacked)
    assert_right(attacked, laptop)


@pytest.mark.parametrize("times_lost", [1, 2])
def test_a_forged_end_that_is_longer_than_the_genuine_one_is_not_missed_after_it_was_given_up(
    cli: Cli, laptop: Cli, times_lost: int
) -> None:
    laptop.ok("audit", "heads", "--sign")
    cli.ok("import", "-", "--yes", input=continued(laptop, *(draft("note.finding", p.Note(FORGED)) for _ in range(9))))
    laptop.ok("note", "finding", "the real one")
    laptop.ok("audit", "heads", "--sign")
    cli.ok("import", "-", "--yes", input=exported(laptop))
    assert_right(cli, laptop)
    for _ in range(times_lost):
        for path in (cli.cwd / ".perdure").glob("ledger.db*"):
            path.unlink()
        assert cli.ok("heal")["lost"] == []
        assert_right(cli, laptop)


def test_the_genuine_end_that_took_the_place_of_a_forged_one_is_missed_when_it_is_lost(
    attacked: Cli, laptop: Cli
) -> None:
    laptop.ok("note", "finding", "the real one")
    laptop.ok("audit", "heads", "--sign")
    genuine = exported(laptop)
    attacked.ok("import", "-", "--yes", input=genuine)
    chain = events_of(laptop)[0]["ledger_id"]
    (backup,) = (home_of(attacked) / "backups").rglob(f"{chain}.jsonl")
    backup.write_bytes(b"".join(backup.read_bytes().splitlines(keepends=True)[:-2]))
    for path in (attacked.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    assert attacked("heal").code == 1
    found = attacked("audit", "verify", "--json").json["findings"]
    assert [(each["check"], each["ledger_id"]) for each in found if each["check"] == "chains taken in"]
    attacked.ok("import", "-", "--yes", input=genuine)
    attacked.ok("heal")
    assert_right(attacked, laptop)


def test_a_payload_that_the_forged_end_erased_comes_back_with_the_genuine_export(cli: Cli, laptop: Cli) -> None:
    laptop.ok("audit", "heads", "--sign")
    event = next(each for each in events_of(laptop) if "use WAL" in str(each["payload"]))
    erasing = p.PayloadRedacted(ledger_id=event["ledger_id"], seq=event["seq"], event_id=event["id"], because="forged")
    cli.ok("import", "-", "--yes", input=exported(laptop))
    cli.ok("import", "-", "--yes", input=continued(laptop, draft("payload.redacted", erasing)))
    assert where_found("use WAL", cli.cwd, home_of(cli)) == []
    laptop.ok("note", "finding", "the real one")
    laptop.ok("audit", "heads", "--sign")
    cli.ok("import", "-", "--yes", input=exported(laptop))
    assert {each["decision"] for each in cli.ok("decide", "--list")} == {"use WAL"}
    assert_right(cli, laptop)
    for path in (cli.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    cli.ok("heal")
    assert {each["decision"] for each in cli.ok("decide", "--list")} == {"use WAL"}, "no note keeps it out"


def test_an_event_that_was_altered_under_its_own_id_gives_way_to_the_genuine_one(cli: Cli, laptop: Cli) -> None:
    laptop.ok("audit", "heads", "--sign")
    before = len(events_of(laptop))
    real = laptop.ok("note", "finding", "the real one")["note_id"]
    altered = replace(draft("note.finding", p.Note(FORGED)), id=EventId(real))
    cli.ok("import", "-", "--yes", input=continued(laptop, altered, upto=before))
    laptop.ok("audit", "heads", "--sign")
    cli.ok("import", "-", "--yes", input=exported(laptop))
    assert_right(cli, laptop)


def test_an_unsigned_export_is_refused_until_the_command_that_is_named_was_run_there(
    attacked: Cli, laptop: Cli
) -> None:
    laptop.ok("note", "finding", "the real one")
    unsigned = "".join(f"{line}\n" for line in lines_of(laptop) if '"signed_head"' not in line[:40])
    with nothing_written(attacked):
        error = assert_error(attacked("import", "-", "--yes", input=unsigned), 1, kind="forked_chain")
    assert "perdure audit heads --sign, then perdure export" in error["hint"]
    laptop.ok("audit", "heads", "--sign")
    attacked.ok("import", "-", "--yes", input=exported(laptop))
    assert_right(attacked, laptop)


def signed_by_a_stranger(text: str, home: Path) -> str:
    """The lines with a head over all of them, by a key that somebody made for it."""
    events = [from_line(line, "x") for line in text.splitlines() if '"signed_head"' not in line[:40]]
    tree = Frontier()
    for event in events:
        tree.append(leaf(bytes.fromhex(event.hash)))
    key = signing_keys.signer(str(home), Stamp("2026-01-01T00:00:00.000Z"))
    head = signed_note.tree_head_of(
        events[0].ledger_id, len(events), tree.root(), time="2026-01-01T00:00:00.000Z", place="somewhere"
    )
    signed = signed_note.signed(head, key.key, key.sign)
    line = head_files.to_line(head_files.KeptHead(signed, "", signed_note.read(signed)), key.key)
    return "".join(map(to_line, events)) + line


def test_a_stranger_who_signs_with_another_key_replaces_nothing(cli: Cli, laptop: Cli, tmp_path: Path) -> None:
    laptop.ok("audit", "heads", "--sign")
    before = len(events_of(laptop))
    laptop.ok("note", "finding", "the real one")
    cli.ok("import", "-", "--yes", input=exported(laptop))
    forged = continued(laptop, draft("note.finding", p.Note(FORGED)), upto=before)
    with nothing_written(cli):
        attack = signed_by_a_stranger(forged, tmp_path / "stranger")
        assert_error(cli("import", "-", "--yes", input=attack), 1, "did not sign", kind="forked_chain")
    assert_right(cli, laptop)


def test_where_no_head_was_ever_signed_a_person_compares_the_key_and_says_yes(cli: Cli, laptop: Cli) -> None:
    cli.ok("import", "-", "--yes", input=continued(laptop, draft("note.finding", p.Note(FORGED))))
    laptop.ok("note", "finding", "the real one")
    laptop.ok("audit", "heads", "--sign")
    file = cli.cwd.parent / "genuine.jsonl"
    file.write_text(exported(laptop))
    assert "a key not known here: compare it" in cli("import", str(file), "--dry-run").out
    assert_error(cli("import", str(file), "--json"), 1, kind="not_confirmed")
    cli.ok("import", str(file), "--yes")
    assert_right(cli, laptop)
