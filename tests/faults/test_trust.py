"""Nothing is believed because it lies in the right place (SPEC 3.5, 16.3): whoever writes `.perdure`, or the home, but
not both, is found out by `audit verify`; `heal` installs only what a proof of this home holds; and the two agree."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import notes, signing
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.place.resolve import Explicit
from tests.conftest import Cli, git, new_repository
from tests.effort import crossed
from tests.faults.test_attacks import Ledger, appended, ledger, resealed

__all__ = ["ledger"]


def decisions(cli: Cli) -> list[str]:
    lines = cli("export").out.splitlines()
    events = [json.loads(line) for line in lines]
    return [e["payload"]["decision"] for e in events if e["kind"] == "decision.made" and e["payload"]]


def backup_of(ledger: Ledger) -> Path:
    return next((ledger.home / "backups").rglob(f"{ledger.ledger_id()}.jsonl"))


def as_lines(rows: list[dict[str, Any]], ledger_id: str) -> str:
    """Rows of the store as the backup writes them."""
    lines = []
    for row in rows:
        fields = {"ledger_id": ledger_id, "seq": row["row"] & ((1 << 40) - 1), **row}
        fields.pop("row")
        fields["payload"] = json.loads(row["payload"]) if row["payload"] is not None else None
        lines.append(json.dumps({k: v for k, v in fields.items() if v is not None}, separators=(",", ":")) + "\n")
    return "".join(lines)


def forged(ledger: Ledger, old: str, new: str) -> list[dict[str, Any]]:
    rows = [dict(row) for row in ledger.rows()]
    for row in rows:
        if row["kind"] == "decision.made":
            row["payload"] = row["payload"].replace(old, new)
    return resealed(rows, ledger.ledger_id())


def healed_and_whole(ledger: Ledger) -> dict[str, Any]:
    healed: dict[str, Any] = ledger.cli.ok("heal")
    assert healed["whole"]
    assert ledger.verified().json["whole"]
    return healed


def test_a_forged_backup_is_not_preferred_to_a_ledger_that_heads_prove(ledger: Ledger) -> None:
    backup_of(ledger).write_text(as_lines(forged(ledger, "use WAL", "use a forgery"), ledger.ledger_id()))
    assert not ledger.verified().json["whole"]
    healed = healed_and_whole(ledger)
    assert any("backup of ledger" in each and "written again" in each for each in healed["mended"])
    assert not any("restored" in each for each in healed["mended"])
    assert "use WAL" in decisions(ledger.cli)


def test_a_forged_backup_does_not_come_back_when_the_ledger_is_lost(ledger: Ledger) -> None:
    backup_of(ledger).write_text(as_lines(forged(ledger, "use WAL", "use a forgery"), ledger.ledger_id()))
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()
    healed = ledger.cli("heal", "--json").json
    assert "use a forgery" not in decisions(ledger.cli)
    assert not healed["whole"], "what was signed is gone, and is said to be"
    ledger.cli.ok("audit", "acknowledge", "--because", "both copies are lost")
    assert ledger.verified().json["whole"]


def test_a_rewritten_ledger_gives_way_to_its_backup(ledger: Ledger) -> None:
    ledger.write(forged(ledger, "use WAL", "use a forgery"))
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
    assert "use WAL" in decisions(ledger.cli)


def extended_backup(ledger: Ledger) -> None:
    """The backup goes on after the ledger with a decision that nobody made."""
    rows = ledger.rows()
    made = next(row for row in rows if row["kind"] == "decision.made")
    text = made["payload"].replace("use WAL", "pay the forger")
    last = {**made, "payload": text, "id": "56565656-5656-4656-8656-565656565656", "clock": rows[-1]["clock"] + 1}
    last["row"] = rows[-1]["row"] + 1
    backup_of(ledger).write_text(as_lines(resealed([*rows, last], ledger.ledger_id()), ledger.ledger_id()))


@pytest.mark.parametrize("keep", ["ledger", "backup"])
def test_what_nothing_proves_is_asked_of_a_person_and_either_answer_ends_whole(ledger: Ledger, keep: str) -> None:
    extended_backup(ledger)
    assert not ledger.verified().json["whole"]
    before = decisions(ledger.cli)
    asked = ledger.cli("heal", "--json")
    assert (asked.code, asked.error["code"]) == (1, "copies_differ")
    assert f"perdure heal --keep {keep}" in asked.error["hint"]
    assert decisions(ledger.cli) == before, "nothing is installed unasked"
    for words in ("audit verify", "heal --check"):
        said = [line for line in ledger.cli(*words.split()).out.splitlines() if line.startswith("  Now: ")]
        assert all("perdure heal --keep ledger" in line for line in said), said
    assert ledger.cli.ok("heal", "--keep", keep)["whole"]
    assert ledger.verified().json["whole"]
    assert ("pay the forger" in decisions(ledger.cli)) == (keep == "backup")
    ledger.cli.ok("note", "finding", "the work goes on")


def test_a_forged_segment_of_the_export_is_not_installed(ledger: Ledger) -> None:
    ledger.cli.ok("export", "--tracked")
    (segment,) = ledger.path.parent.joinpath("export").rglob("*.jsonl")
    segment.write_text(as_lines(forged(ledger, "use WAL", "use a forgery"), ledger.ledger_id()))
    shutil.rmtree(ledger.home / "backups")
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()
    ledger.cli("heal")
    assert "use a forgery" not in decisions(ledger.cli)


def test_an_export_is_installed_as_far_as_heads_prove_it(ledger: Ledger) -> None:
    ledger.cli.ok("export", "--tracked")
    shutil.rmtree(ledger.home / "backups")
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()
    healed = ledger.cli.ok("heal")
    assert any("the tracked export" in each for each in healed["mended"])
    assert "use WAL" in decisions(ledger.cli)
    assert "after the last head" not in ledger.cli("export").out


def test_a_payload_that_was_withheld_by_force_is_missed_and_comes_back(ledger: Ledger) -> None:
    ledger.cli("hook", "UserPromptSubmit", input=json.dumps({"prompt": "x", "cwd": str(ledger.root)}))
    kind = "decision.made"
    ledger.change(("UPDATE events SET payload = NULL, absent = 'withheld' WHERE kind = ?", (kind,)))
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
    assert "use WAL" in decisions(ledger.cli)


def redacted_decision(ledger: Ledger) -> str:
    """The id of a decision that was redacted."""
    row = next(row for row in ledger.rows() if "bob's parser" in (row["payload"] or ""))
    ledger.cli.ok("redact", row["id"], "--because", "named somebody")
    assert ledger.verified().json["whole"]
    return str(row["id"])


@pytest.mark.parametrize("absent", ["redacted", "withheld", "lost"])
def test_a_row_that_says_its_payload_is_gone_and_has_it_is_seen_and_mended(ledger: Ledger, absent: str) -> None:
    ledger.change(("UPDATE events SET absent = ? WHERE kind = 'decision.made'", (absent,)))
    (one, other) = ledger.verified().json["findings"]
    assert one["check"] == other["check"] == "payloads that are gone"
    assert one["what"] == "its payload is here, and its row says that it is not"
    healed_and_whole(ledger)
    assert {"use WAL", "use bob's parser"} <= set(decisions(ledger.cli))


@pytest.mark.parametrize("absent", [None, "withheld", "lost"])
def test_a_redacted_row_that_does_not_say_so_is_seen_and_mended(ledger: Ledger, absent: str | None) -> None:
    """Withheld, an import could fill the payload in again; with nothing said, the export could not be imported."""
    redacted = redacted_decision(ledger)
    ledger.change(("UPDATE events SET absent = ? WHERE id = ?", (absent, redacted)))
    findings = ledger.verified().json["findings"]
    (finding,) = [each for each in findings if each["check"] == "payloads that are gone"]
    assert (finding["event_id"], finding["what"]) == (
        redacted,
        "its payload was redacted, and its row does not say so",
    )
    healed_and_whole(ledger)
    assert "use bob's parser" not in decisions(ledger.cli)


@pytest.mark.parametrize("absent", [None, "redacted"])
def test_a_redacted_payload_that_was_put_back_is_seen_and_erased_again(ledger: Ledger, absent: str | None) -> None:
    payload = next(row["payload"] for row in ledger.rows() if "bob's parser" in (row["payload"] or ""))
    redacted = redacted_decision(ledger)
    ledger.change(("UPDATE events SET payload = ?, absent = ? WHERE id = ?", (payload, absent, redacted)))
    findings = ledger.verified().json["findings"]
    assert [each["event_id"] for each in findings if each["check"] == "payloads that are gone"] == [redacted]
    healed_and_whole(ledger)
    assert "use bob's parser" not in ledger.cli("export").out
    assert "use WAL" in decisions(ledger.cli)


def test_a_payload_that_no_copy_has_is_said_to_be_lost_and_costs_no_other_event(ledger: Ledger) -> None:
    shutil.rmtree(ledger.home / "backups")
    ledger.change(
        ("UPDATE events SET payload = replace(payload, 'use WAL', 'use it') WHERE kind = 'decision.made'", ())
    )
    healed = ledger.cli.ok("heal")
    assert any("decision.made" in each for each in healed["lost"])
    assert ledger.verified().json["whole"]
    assert "use bob's parser" in decisions(ledger.cli)


@pytest.mark.parametrize("column", ["root", "machine"])
def test_an_end_cut_with_the_origin_changed_is_seen_and_healed(ledger: Ledger, column: str) -> None:
    ledger.change(
        ("DELETE FROM events WHERE row = (SELECT max(row) FROM events)", ()),
        (f"UPDATE origin SET {column} = 'elsewhere'", ()),
    )
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
    assert "after the last head" in ledger.cli("export").out


# -- chains of others --------------------------------------------------------------------------------------------------


@pytest.fixture
def colleague(ledger: Ledger, environment: dict[str, str], tmp_path: Path) -> str:
    """A chain of another home's clone, taken in; answers with its id. The repositories of the tests are copies of one,
    so what the colleague exported once is of a clone of each of them."""
    if not _exported:
        _exported.append(clone_of_a_colleague(ledger, environment, tmp_path)("export").out)
    return taken_in(ledger, _exported[0], tmp_path)


_exported: list[str] = []


def clone_of_a_colleague(ledger: Ledger, environment: dict[str, str], folder: Path) -> Cli:
    """With a home of its own, and one decision."""
    clone = folder / "colleague"
    git(folder, environment, "clone", "-q", str(ledger.root), str(clone))
    theirs = Cli(clone, {**environment, "PERDURE_HOME": str(folder / "their-home")})
    theirs.ok("init")
    theirs.ok("decide", "use threads", "--because", "they wait")
    return theirs


def taken_in(ledger: Ledger, content: str, folder: Path) -> str:
    """The chain of this export is imported; its id."""
    exported = folder / "colleague.jsonl"
    exported.write_text(content)
    ledger.cli.ok("import", str(exported))
    assert ledger.verified().json["whole"]
    return str(json.loads(content.splitlines()[0])["ledger_id"])


def number_of(db: sqlite3.Connection, ledger_id: str) -> int:
    return int(db.execute("SELECT n FROM chains WHERE ledger_id = ?", (ledger_id,)).fetchone()[0])


def deleted(db: sqlite3.Connection, ledger_id: str) -> None:
    n = number_of(db, ledger_id)
    db.execute("DELETE FROM events WHERE row >> 40 = ?", (n,))
    db.execute("DELETE FROM chains WHERE n = ?", (n,))


def cut(db: sqlite3.Connection, ledger_id: str) -> None:
    db.execute(
        "DELETE FROM events WHERE row = (SELECT max(row) FROM events WHERE row >> 40 = ?)", (number_of(db, ledger_id),)
    )


def rechained(db: sqlite3.Connection, ledger_id: str) -> None:
    db.row_factory = sqlite3.Row
    n = number_of(db, ledger_id)
    rows = [dict(row) for row in db.execute("SELECT * FROM events WHERE row >> 40 = ? ORDER BY row", (n,))]
    for row in rows:
        if row["kind"] == "decision.made":
            row["payload"] = row["payload"].replace("threads", "forgers")
    db.execute("DELETE FROM events WHERE row >> 40 = ?", (n,))
    for row in resealed(rows, ledger_id):
        db.execute(f"INSERT INTO events VALUES ({','.join('?' * len(row))})", tuple(row.values()))


@pytest.mark.parametrize("damage", [deleted, cut, rechained])
def test_a_chain_that_was_taken_in_comes_back_as_it_was(
    ledger: Ledger, colleague: str, damage: Callable[[sqlite3.Connection, str], None]
) -> None:
    with sqlite3.connect(ledger.path) as db:
        damage(db, colleague)
    db.close()
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
    assert "use threads" in decisions(ledger.cli)


def test_a_chain_that_nobody_took_in_is_seen_and_taken_out(ledger: Ledger, colleague: str) -> None:
    intruder = "77777777-7777-4777-8777-777777777777"
    with sqlite3.connect(ledger.path) as db:
        db.row_factory = sqlite3.Row
        n = number_of(db, colleague)
        rows = [dict(row) for row in db.execute("SELECT * FROM events WHERE row >> 40 = ? ORDER BY row", (n,))]
        db.execute("INSERT INTO chains VALUES (?, ?)", (n - 1, intruder))
        moved = [{**row, "row": ((n - 1) << 40) + (row["row"] & ((1 << 40) - 1))} for row in rows]
        for row in resealed(moved, intruder):
            row["row"] = ((n - 1) << 40) + (row["row"] & ((1 << 40) - 1))
            db.execute(f"INSERT INTO events VALUES ({','.join('?' * len(row))})", tuple(row.values()))
    db.close()
    findings = ledger.verified().json["findings"]
    assert any(each["ledger_id"] == intruder and "never took that chain in" in each["what"] for each in findings)
    healed_and_whole(ledger)
    assert intruder not in ledger.cli("export").out


# -- the home ----------------------------------------------------------------------------------------------------------


def test_a_forged_acknowledgement_silences_nothing(ledger: Ledger) -> None:
    (heads,) = (ledger.home / "heads").iterdir()
    kept = [json.loads(line)["note"] for line in (heads / f"{ledger.ledger_id()}.jsonl").read_text().splitlines()]
    from hashlib import sha256

    digests = [sha256(text.encode()).hexdigest() for text in kept]
    forged_line = {"ledger_id": ledger.ledger_id(), "above": 0, "at": "2026", "because": "me", "heads": digests}
    (heads / "acknowledged.jsonl").write_text(json.dumps(forged_line) + "\n")
    ledger.write(forged(ledger, "use WAL", "use a forgery"))
    verified = ledger.verified().json
    assert any(each["check"] == "signed heads" for each in verified["findings"])
    assert any(each.startswith("ignored, because no key") for each in verified["remarks"])


def test_an_acknowledgement_is_remarked_on(ledger: Ledger) -> None:
    appended(ledger, "head.signed", {"ledger_id": ledger.ledger_id(), "note": "x", "root": "", "size": 5, "why": ""})
    ledger.cli("heal")
    ledger.cli.ok("audit", "acknowledge", "--because", "I put it there")
    verified = ledger.verified().json
    assert verified["whole"]
    assert any("I put it there" in each for each in verified["remarks"])


def test_heads_taken_out_of_the_home_are_missed_and_put_back(ledger: Ledger) -> None:
    shutil.rmtree(ledger.home / "heads")
    assert [each["check"] for each in ledger.verified().json["findings"]] == ["the home"]
    healed = healed_and_whole(ledger)
    assert any("signed heads put back" in each for each in healed["mended"])


def test_another_id_in_project_toml_is_seen_and_nothing_is_written_under_it(ledger: Ledger) -> None:
    toml = ledger.path.parent / "project.toml"
    was = toml.read_text()
    known = next(line for line in was.splitlines() if line.startswith("id"))
    toml.write_text(was.replace(known, 'id = "77777777-7777-4777-8777-777777777777"'))
    refused = ledger.cli("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "another_project_id")
    assert known in refused.error["hint"]
    assert any(each["check"] == "the place" for each in ledger.verified().json["findings"])
    toml.write_text(was)
    ledger.cli.ok("note", "finding", "x")
    assert ledger.verified().json["whole"]


def test_another_id_that_begins_like_ours_is_shown_whole_and_alone(ledger: Ledger) -> None:
    note = ledger.cli.ok("note", "finding", "a name")["note_id"]
    ledger.cli.ok("redact", note, "--because", "a name")
    toml = ledger.path.parent / "project.toml"
    known = next(line for line in toml.read_text().splitlines() if line.startswith("id")).split('"')[1]
    other = known[:-1] + ("0" if known[-1] != "0" else "1")
    toml.write_text(toml.read_text().replace(known, other))
    said = [each["what"] for each in ledger.verified().json["findings"]]
    assert all(known in each and other in each for each in said), "and nothing is missed under the other id"
    assert len(said) == 2
    refused = ledger.cli("note", "finding", "x", "--json")
    assert other in refused.error["message"]
    assert known in refused.error["message"]
    assert f"{other}, but it is project {known}" in ledger.cli("status").out


def test_another_id_that_a_person_accepts_is_gone_on_with(ledger: Ledger) -> None:
    toml = ledger.path.parent / "project.toml"
    was = toml.read_text()
    known = next(line for line in was.splitlines() if line.startswith("id"))
    toml.write_text(was.replace(known, 'id = "77777777-7777-4777-8777-777777777777"'))
    ledger.cli.ok("audit", "acknowledge", "--because", "both clones are one project")
    ledger.cli.ok("note", "finding", "x")
    assert ledger.verified().json["whole"]


FORGED = "77777777-7777-4777-8777-777777777777"


def test_another_id_is_not_accepted_while_only_the_backup_under_the_known_one_has_what_was_cut(ledger: Ledger) -> None:
    ledger.cli.ok("note", "finding", "the last one")
    ledger.write(resealed(ledger.rows()[:-1], ledger.ledger_id()))
    toml = ledger.path.parent / "project.toml"
    was = toml.read_text()
    own = json.loads(next((ledger.home / "projects").iterdir()).read_text())["project_id"]
    toml.write_text(was.replace(own, FORGED))
    refused = ledger.cli("audit", "acknowledge", "--because", "both clones are one project", "--json")
    assert (refused.code, refused.error["code"]) == (1, "damaged_under_another_id")
    assert f'Put back id = "{own}" and run perdure heal' in refused.error["hint"]
    toml.write_text(was)
    healed_and_whole(ledger)
    assert "the last one" in ledger.cli("note", "list").out
    toml.write_text(was.replace(own, FORGED))
    ledger.cli.ok("audit", "acknowledge", "--because", "both clones are one project")
    assert ledger.verified().json["whole"]


def put_elsewhere(ledger: Ledger, way: str) -> Path:
    """The project's folder after it was left alone, moved or copied."""
    there = ledger.root.with_name("elsewhere")
    if way == "moved":
        return ledger.root.rename(there)
    return Path(shutil.copytree(ledger.root, there, symlinks=True)) if way == "copied" else ledger.root


@pytest.mark.parametrize("way", ["left", "moved", "copied"])
def test_an_agent_that_accepts_another_id_is_refused_before_anything_is_written(ledger: Ledger, way: str) -> None:
    root = put_elsewhere(ledger, way)
    toml = root / ".perdure" / "project.toml"
    was = toml.read_text()
    own = json.loads(next((ledger.home / "projects").iterdir()).read_text())["project_id"]
    toml.write_text(was.replace(own, FORGED))
    refused = ledger.cli("audit", "acknowledge", "--because", "x", "--json", cwd=root, CLAUDECODE="1")
    assert (refused.code, refused.error["code"]) == (1, "for_people")
    assert not (ledger.home / "backups" / FORGED).exists()
    toml.write_text(was)
    ledger.cli.ok("note", "finding", "it goes on", cwd=root)
    assert ledger.cli.ok("audit", "verify", cwd=root)["whole"]


@pytest.mark.parametrize("way", ["moved", "copied"])
def test_another_id_that_a_person_accepts_in_another_folder_is_gone_on_with(ledger: Ledger, way: str) -> None:
    root = put_elsewhere(ledger, way)
    toml = root / ".perdure" / "project.toml"
    own = json.loads(next((ledger.home / "projects").iterdir()).read_text())["project_id"]
    toml.write_text(toml.read_text().replace(own, FORGED))
    ledger.cli.ok("audit", "acknowledge", "--because", "it is another project now", cwd=root)
    ledger.cli.ok("note", "finding", "it goes on", cwd=root)
    assert ledger.cli.ok("audit", "verify", cwd=root)["whole"]


def test_a_damaged_head_is_written_again_also_under_the_id_that_the_project_had_before(ledger: Ledger) -> None:
    toml = ledger.path.parent / "project.toml"
    own = json.loads(next((ledger.home / "projects").iterdir()).read_text())["project_id"]
    toml.write_text(toml.read_text().replace(own, FORGED))
    ledger.cli.ok("audit", "acknowledge", "--because", "both clones are one project")
    heads = ledger.home / "heads" / own / f"{ledger.ledger_id()}.jsonl"
    heads.write_text("#" + heads.read_text()[1:])
    assert [each["check"] for each in ledger.verified().json["findings"]][:1] == ["the home"]
    healed_and_whole(ledger)


def forged_in_the_registry(ledger: Ledger) -> str:
    """Answers with the project's own id."""
    (entry,) = (ledger.home / "projects").iterdir()
    known = json.loads(entry.read_text())
    entry.write_text(json.dumps({**known, "project_id": FORGED}))
    return str(known["project_id"])


def test_a_forged_id_in_the_registry_is_not_advised_and_heal_enters_the_right_one(ledger: Ledger) -> None:
    own = forged_in_the_registry(ledger)
    refused = ledger.cli("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "another_project_id")
    assert FORGED not in refused.error["hint"]
    assert "perdure heal" in refused.error["hint"]
    assert any(each["check"] == "the place" for each in ledger.verified().json["findings"])
    healed_and_whole(ledger)
    assert own in (ledger.path.parent / "project.toml").read_text()
    ledger.cli.ok("note", "finding", "the work goes on")


def test_a_forged_id_in_the_registry_does_not_come_into_the_project(ledger: Ledger) -> None:
    own = forged_in_the_registry(ledger)
    (ledger.path.parent / "project.toml").unlink()
    healed_and_whole(ledger)
    assert own in (ledger.path.parent / "project.toml").read_text()
    ledger.cli.ok("note", "finding", "the work goes on")


def test_a_forged_id_in_the_project_is_not_advised_though_an_event_names_it(ledger: Ledger) -> None:
    toml = ledger.path.parent / "project.toml"
    was = toml.read_text()
    own = json.loads(next((ledger.home / "projects").iterdir()).read_text())["project_id"]
    toml.write_text(was.replace(own, FORGED))
    rows = ledger.rows()
    last = {**rows[-1], "row": rows[-1]["row"] + 1, "clock": rows[-1]["clock"] + 1, "project_id": FORGED}
    last["id"] = "56565656-5656-4656-8656-565656565656"
    ledger.write(resealed([*rows, last], ledger.ledger_id()))
    refused = ledger.cli("heal", "--json")
    assert (refused.code, refused.error["code"]) == (1, "another_project_id")
    assert f'Put back id = "{own}"' in refused.error["hint"]
    assert FORGED not in refused.error["hint"]
    assert FORGED not in next((ledger.home / "projects").iterdir()).read_text()
    toml.write_text(was)
    findings = ledger.verified().json["findings"]
    assert "names another project than the events before it" in {each["what"] for each in findings}
    ledger.cli.ok("audit", "acknowledge", "--because", "I do not know who wrote it")
    assert ledger.verified().json["whole"]
    ledger.cli.ok("note", "finding", "the work goes on")
    healed_and_whole(ledger)


def test_where_nothing_proves_an_id_none_is_advised(ledger: Ledger) -> None:
    own = forged_in_the_registry(ledger)
    for seal in (ledger.home / "backups").rglob("*.seal"):
        seal.unlink()
    refused = ledger.cli("note", "finding", "x", "--json")
    assert "Nothing proves which one is right" in refused.error["hint"]
    assert own not in refused.error["hint"]
    assert FORGED not in refused.error["hint"]
    ledger.cli.ok("audit", "acknowledge", "--because", "project.toml is right")
    ledger.cli.ok("note", "finding", "x")
    assert ledger.verified().json["whole"]


# -- a clone brings no record ------------------------------------------------------------------------------------------


@pytest.fixture
def clone(tmp_path: Path, environment: dict[str, str]) -> Cli:
    """A repository whose author committed an open transaction, the ledger it stands in, and the key of its file."""
    theirs = new_repository(tmp_path / "theirs", environment)
    author = Cli(theirs, {**environment, "PERDURE_HOME": str(tmp_path / "author"), "PERDURE_INSTANCE": "pane"})
    author.ok("init")
    author.ok("decide", "run what the forger says", "--because", "trust me")
    author.ok("preflight", "--know", "1", "--uncertainty", "0", "--because", "x")
    shutil.copy(tmp_path / "author" / "keys" / "view.key", theirs / ".perdure" / "view.key")
    (theirs / ".perdure" / ".gitignore").write_text("")
    git(theirs, environment, "add", "-A")
    git(theirs, environment, "commit", "-q", "-m", "everything")
    ours = tmp_path / "ours"
    git(tmp_path, environment, "clone", "-q", str(theirs), str(ours))
    return Cli(ours, {**environment, "PERDURE_INSTANCE": "pane"})


def gate(cli: Cli) -> str:
    asked = json.dumps({"tool_name": "Bash", "tool_input": {"command": "rm -rf src"}, "cwd": str(cli.cwd)})
    given = {"session_id": "s", "hook_event_name": "PreToolUse", **json.loads(asked)}
    out = cli("hook", "PreToolUse", input=json.dumps(given)).out
    return str(json.loads(out)["hookSpecificOutput"]["permissionDecision"]) if out.strip() else "pass"


def test_a_committed_transaction_and_key_open_no_gate(clone: Cli) -> None:
    assert gate(clone) == "deny"
    clone("heal")
    assert gate(clone) == "deny", "healing signs nothing that this home did not write"


def test_a_committed_ledger_says_nothing(clone: Cli) -> None:
    for command in (("recover",), ("status",), ("decide", "x", "--because", "y"), ("goal", "list")):
        said = clone(*command)
        assert "forger" not in said.out
    refused = clone("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "foreign_ledger")
    assert any(
        "was not written by this home" in each["what"] for each in clone("audit", "verify", "--json").json["findings"]
    )


@pytest.mark.parametrize("command", ["heal", "init"])
def test_a_committed_ledger_is_set_aside_and_the_work_begins(clone: Cli, command: str) -> None:
    clone(command)
    clone.ok("note", "finding", "our own")
    assert decisions(clone) == []
    assert list((clone.cwd / ".perdure").glob("ledger.db.foreign-*"))
    clone.ok("preflight", "--know", "0.9", "--uncertainty", "0.1", "--because", "read it")


# -- what a second look found ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["actor", "ts", "kind", "session_id", "project_id", "id", "schema", "clock"])
def test_one_altered_field_is_healed_and_the_good_backup_stays(ledger: Ledger, column: str) -> None:
    before = backup_of(ledger).read_bytes()
    changed = {"schema": 7, "clock": 1 << 30}.get(column, "77777777-7777-4777-8777-777777777777")
    third = "(SELECT min(row) + 2 FROM events)"
    ledger.change((f"UPDATE events SET {column} = ? WHERE row = {third}", (changed,)))
    assert not ledger.verified().json["whole"]
    backup = backup_of(ledger)
    healed_and_whole(ledger)
    assert backup.read_bytes().startswith(before)
    assert "use WAL" in decisions(ledger.cli)
    healed_and_whole(ledger)


@pytest.mark.parametrize("table", ["origin", "chains"])
def test_a_table_without_rows_is_healed(ledger: Ledger, table: str) -> None:
    ledger.change((f"DELETE FROM {table}", ()))
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
    assert "use WAL" in decisions(ledger.cli)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET kind = x'00ff' WHERE row = (SELECT min(row) + 3 FROM events)",
        "UPDATE events SET clock = 'abc' WHERE row = (SELECT min(row) + 3 FROM events)",
        "UPDATE chains SET ledger_id = x'00'",
        "UPDATE origin SET root = x'ff'",
    ],
)
def test_what_no_store_writes_is_healed(ledger: Ledger, statement: str) -> None:
    ledger.change((statement, ()))
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
    assert "use WAL" in decisions(ledger.cli)


def test_a_seal_does_not_outrank_a_signed_head(ledger: Ledger) -> None:
    """Whoever can read the home's key can write a seal; what was signed says what is true."""
    from perdure.model.event import Head
    from perdure.model.ids import Hash, LedgerId
    from perdure.views import backup_seals
    from perdure.views.key import view_key

    key = view_key(str(ledger.home), str(ledger.path.parent))
    forged_head = Head(ledger_id=LedgerId(ledger.ledger_id()), seq=3, clock=3, hash=Hash("0" * 64))
    backup_of(ledger).with_suffix(".seal").unlink()
    backup_seals.write(str(backup_of(ledger).parent), forged_head, key)
    assert not ledger.verified().json["whole"]
    ledger.cli("heal")
    assert "use WAL" in decisions(ledger.cli)


def test_the_backup_of_a_chain_that_was_taken_in_adds_nothing(ledger: Ledger, colleague: str) -> None:
    path = next((ledger.home / "backups").rglob(f"{colleague}.jsonl"))
    with sqlite3.connect(ledger.path) as db:
        db.row_factory = sqlite3.Row
        n = number_of(db, colleague)
        rows = [dict(row) for row in db.execute("SELECT * FROM events WHERE row >> 40 = ? ORDER BY row", (n,))]
    db.close()
    made = next(row for row in rows if row["kind"] == "decision.made")
    more = {**made, "payload": made["payload"].replace("threads", "forgers"), "row": rows[-1]["row"] + 1}
    more |= {"id": "56565656-5656-4656-8656-565656565656", "clock": rows[-1]["clock"] + 1}
    path.write_text(as_lines(resealed([*rows, more], colleague), colleague))
    ledger.cli("heal")
    assert "use forgers" not in decisions(ledger.cli)


def test_a_forged_ledger_that_was_set_aside_adds_nothing(ledger: Ledger) -> None:
    appended(ledger, "note.added", {"kind": "finding", "text": "from the forger"})
    shutil.copy(ledger.path, f"{ledger.path}.damaged-2099-01-01T000000000Z")
    for path in ledger.path.parent.glob("ledger.db"):
        path.unlink()
    for suffix in ("-wal", "-shm"):
        Path(f"{ledger.path}{suffix}").unlink(missing_ok=True)
    ledger.cli("heal")
    assert "from the forger" not in ledger.cli("export").out
    assert "use WAL" in decisions(ledger.cli)


def test_words_withheld_by_force_from_a_chain_that_was_taken_in_come_back(
    ledger: Ledger, environment: dict[str, str], tmp_path: Path, colleague: str
) -> None:
    with sqlite3.connect(ledger.path) as db:
        n = number_of(db, colleague)
        hidden = db.execute(
            "UPDATE events SET payload = NULL, absent = 'withheld' WHERE row >> 40 = ? AND kind = 'decision.made'", (n,)
        )
        assert hidden.rowcount == 1
    db.close()
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
    assert "use threads" in decisions(ledger.cli)


def test_a_fork_that_knows_the_id_of_our_chain_is_foreign(
    ledger: Ledger, environment: dict[str, str], tmp_path: Path
) -> None:
    """Ids of chains stand in tracked segments. The fork went on from an old copy with another decision."""
    fork = tmp_path / "fork"
    shutil.copytree(ledger.root, fork)
    with sqlite3.connect(fork / ".perdure" / "ledger.db") as db:
        db.row_factory = sqlite3.Row
        rows = [dict(row) for row in db.execute("SELECT * FROM events ORDER BY row")][: ledger.first]
    db.close()
    there = Ledger(ledger.cli, fork, ledger.home, ledger.first, ledger.second, ledger.end)
    there.write(resealed(rows, there.ledger_id()))
    appended(there, "decision.made", {"decision": "trust the fork", "rationale": "x"})
    before = backup_of(ledger).read_bytes()
    clone = Cli(fork, environment)
    refused = clone("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "foreign_ledger")
    assert "trust the fork" not in clone("recover").out
    clone("heal")
    assert "trust the fork" not in clone("export").out
    assert backup_of(ledger).read_bytes() == before, "the original's backup is not the fork's to write"
    assert ledger.verified().json["whole"]


# -- the backup --------------------------------------------------------------------------------------------------------


def cut_at_the_end(backup: Path) -> None:
    backup.write_bytes(b"".join(backup.read_bytes().splitlines(keepends=True)[:-2]))


def cut_without_its_seal(backup: Path) -> None:
    backup.write_bytes(b"".join(backup.read_bytes().splitlines(keepends=True)[:4]))
    backup.with_suffix(".seal").unlink()


def missing_in_the_middle(backup: Path) -> None:
    lines = backup.read_bytes().splitlines(keepends=True)
    backup.write_bytes(b"".join(lines[:3] + lines[5:]))


def emptied(backup: Path) -> None:
    backup.write_bytes(b"")


def gone(backup: Path) -> None:
    backup.unlink()


def gone_with_its_seal(backup: Path) -> None:
    backup.unlink()
    backup.with_suffix(".seal").unlink()


def gone_with_its_folder(backup: Path) -> None:
    shutil.rmtree(backup.parent)


def gone_with_all_backups(backup: Path) -> None:
    shutil.rmtree(backup.parent.parent)


@pytest.mark.parametrize(
    "harm",
    [
        cut_at_the_end,
        cut_without_its_seal,
        missing_in_the_middle,
        emptied,
        gone,
        gone_with_its_seal,
        gone_with_its_folder,
        gone_with_all_backups,
    ],
)
def test_a_backup_that_is_short_or_gone_is_named_by_both_and_mended(
    ledger: Ledger, harm: Callable[[Path], None]
) -> None:
    backup = backup_of(ledger)
    was = backup.read_bytes()
    harm(backup)
    assert [each["check"] for each in ledger.verified().json["findings"]] == ["the backup"]
    checked = ledger.cli("heal", "--check", "--json").json
    assert [each["part"] for each in checked["findings"] if not each["whole"]] == ["backup"]
    healed = healed_and_whole(ledger)
    assert any("written" in each for each in healed["mended"])
    assert healed["lost"] == []
    assert backup.read_bytes().startswith(was)


def test_a_backup_that_is_gone_before_any_head_was_signed_is_named(cli: Cli, tmp_path: Path) -> None:
    cli.ok("init")
    cli.ok("note", "finding", "x")
    shutil.rmtree(tmp_path / "home" / "backups")
    assert [each["check"] for each in cli("audit", "verify", "--json").json["findings"]] == ["the backup"]
    assert cli.ok("heal")["whole"]
    assert cli.ok("audit", "verify")["whole"]


def test_a_backup_that_nobody_has_written_yet_is_not_an_alarm(ledger: Ledger) -> None:
    """A process that was killed after it wrote and signed, and before it brought the backup up."""
    backup, seal = backup_of(ledger), backup_of(ledger).with_suffix(".seal")
    before = backup.read_bytes(), seal.read_bytes()
    with open_desk(Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))) as desk:
        notes.add(desk, "finding", "not backed up")
        signing.sign(desk, "test")
    for path, content in zip((backup, seal), before, strict=True):
        path.write_bytes(content)
    assert ledger.verified().json["whole"]
    healed_and_whole(ledger)


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_redaction_that_died_before_the_backup_is_finished_where_this_home_began_it(
    ledger: Ledger, is_announced: bool
) -> None:
    """Else the ledger may have been made to say so by somebody, and the old backup stays as it was, set aside."""
    backup, seal = backup_of(ledger), backup_of(ledger).with_suffix(".seal")
    before = backup.read_bytes(), seal.read_bytes()
    seq = next(row["row"] & 0xFFFFFFFF for row in ledger.rows() if "bob's parser" in (row["payload"] or ""))
    redacted_decision(ledger)
    assert not backup.with_suffix(".erasing").exists()
    backup.write_bytes(before[0])
    seal.write_bytes(before[1])
    backup.with_suffix(".erased").unlink()
    (ledger.path.parent / "erased").unlink()
    if is_announced:
        backup.with_suffix(".erasing").write_text(f"{seq}\n")
    assert not ledger.verified().json["whole"]
    healed_and_whole(ledger)
    holding = [path.name for path in backup.parent.iterdir() if b"use bob's parser" in path.read_bytes()]
    assert len(holding) == (0 if is_announced else 1)
    assert not any(name.endswith(".jsonl") for name in holding)
    assert not backup.with_suffix(".erasing").exists()


# -- the backup alone is left ------------------------------------------------------------------------------------------


def healings(cli: Cli) -> int:
    return sum(json.loads(line)["kind"] == "ledger.healed" for line in cli("export").out.splitlines())


def whole_in_the_end(ledger: Ledger, keep: str = "") -> None:
    """`heal` ends whole, or says what a person decides or accepts; and from then on it changes nothing."""
    if keep:
        asked = ledger.cli("heal", "--json")
        assert asked.error["code"] == "copies_differ"
        assert f"perdure heal --keep {keep}" in asked.error["hint"]
        ledger.cli.ok("heal", "--keep", keep)
    elif ledger.cli("heal", "--json").code:
        ledger.cli.ok("audit", "acknowledge", "--because", "it is lost")
    healed_and_whole(ledger)
    count = healings(ledger.cli)
    assert healed_and_whole(ledger)["mended"] == []
    assert healings(ledger.cli) == count


def losses(answer: dict[str, Any]) -> list[str]:
    return [*answer.get("lost", ()), *(each for each in answer.get("warnings", ()) if each.startswith("lost: "))]


def exported_ids(cli: Cli) -> set[str]:
    return {json.loads(line)["id"] for line in cli("export").out.splitlines() if '"signed_head"' not in line[:40]}


@crossed("text", ["use WAL", "bob was here", "after the last head"], "command", ["init", "heal"])
def test_one_bad_payload_in_the_backup_costs_that_payload_alone(ledger: Ledger, text: str, command: str) -> None:
    backup, ids = backup_of(ledger), {row["id"] for row in ledger.rows()}
    backup.write_text(backup.read_text().replace(text, "altered"))
    shutil.rmtree(ledger.root / ".perdure")
    lost = losses(ledger.cli.ok(command))
    assert len(lost) == 1
    assert "the payload of event" in lost[0]
    assert ledger.verified().json["whole"], "at once, without a further command"
    assert ids <= exported_ids(ledger.cli)
    assert "altered" not in ledger.cli("export").out
    assert [each["status"] for each in ledger.cli.ok("transaction", "list")] == ["closed"]
    assert any(b"altered" in path.read_bytes() for path in backup.parent.iterdir()), "what it was is kept"
    whole_in_the_end(ledger)


def forged_tail(ledger: Ledger, count: int) -> None:
    """The last events of the backup are others, correctly hashed."""
    rows = ledger.rows()
    made = next(row for row in rows if row["kind"] == "decision.made")
    for number, row in enumerate(rows[-count:]):
        text = made["payload"].replace("use WAL", "pay the forger")
        id = f"56565656-5656-4656-8656-56565656565{number}"
        rows[len(rows) - count + number] = {**made, "payload": text, "id": id, "clock": row["clock"], "row": row["row"]}
    backup_of(ledger).write_text(as_lines(resealed(rows, ledger.ledger_id()), ledger.ledger_id()))


@pytest.mark.parametrize("command", ["init", "heal"])
def test_a_forged_tail_under_the_old_seal_is_left_out_and_the_loss_is_said(ledger: Ledger, command: str) -> None:
    forged_tail(ledger, 1)
    shutil.rmtree(ledger.root / ".perdure")
    lost = losses(ledger.cli(command, "--json").json)
    assert any(f"none after event {ledger.second}" in each for each in lost)
    assert "pay the forger" not in ledger.cli("export").out
    whole_in_the_end(ledger)
    assert "use WAL" in decisions(ledger.cli)


def removed(seal: Path) -> None:
    seal.unlink()


def of_no_use(seal: Path) -> None:
    seal.write_text("{}\n")


@pytest.mark.parametrize("harm", [removed, of_no_use])
@pytest.mark.parametrize("command", ["init", "heal"])
def test_a_backup_without_its_seal_is_believed_up_to_the_last_head(
    ledger: Ledger, command: str, harm: Callable[[Path], None]
) -> None:
    forged_tail(ledger, 1)
    harm(backup_of(ledger).with_suffix(".seal"))
    shutil.rmtree(ledger.root / ".perdure")
    lost = losses(ledger.cli(command, "--json").json)
    assert any(f"after event {ledger.second}, which nothing proves" in each for each in lost)
    ledger.cli.ok("note", "finding", "the work goes on")
    whole_in_the_end(ledger, "ledger")
    assert "pay the forger" not in ledger.cli("export").out


def test_lines_after_the_seal_are_not_believed(ledger: Ledger) -> None:
    extended_backup(ledger)
    shutil.rmtree(ledger.root / ".perdure")
    lost = losses(ledger.cli("heal", "--json").json)
    assert any("which nothing proves" in each for each in lost)
    assert "after the last head" in ledger.cli("export").out
    whole_in_the_end(ledger, "ledger")
    assert "pay the forger" not in ledger.cli("export").out


def test_what_nothing_proves_is_taken_in_by_a_person_as_was_advised(ledger: Ledger) -> None:
    backup_of(ledger).with_suffix(".seal").unlink()
    shutil.rmtree(ledger.root / ".perdure")
    (lost,) = losses(ledger.cli("heal", "--json").json)
    assert "perdure heal --keep backup" in lost
    ledger.cli.ok("note", "finding", "the work goes on")
    assert "after the last head" not in ledger.cli("export").out
    whole_in_the_end(ledger, "backup")
    assert "after the last head" in ledger.cli("export").out
    assert "the work goes on" in ledger.cli("export").out


def test_a_person_may_keep_a_backup_without_its_seal(ledger: Ledger) -> None:
    backup_of(ledger).with_suffix(".seal").unlink()
    shutil.rmtree(ledger.root / ".perdure")
    assert losses(ledger.cli.ok("heal", "--keep", "backup")) == []
    assert "after the last head" in ledger.cli("export").out
    whole_in_the_end(ledger)


def test_a_backup_of_which_nothing_is_proved_is_offered_to_a_person(cli: Cli, tmp_path: Path) -> None:
    cli.ok("init")
    cli.ok("decide", "use WAL", "--because", "x")
    (seal,) = (tmp_path / "home" / "backups").rglob("*.seal")
    seal.unlink()
    shutil.rmtree(cli.cwd / ".perdure")
    lost = losses(cli.ok("init"))
    assert decisions(cli) == []
    (offered,) = [each for each in lost if "perdure import" in each]
    cli.ok(*offered.partition("perdure ")[2].split())
    assert decisions(cli) == ["use WAL"]
    assert cli.ok("audit", "verify")["whole"]


@pytest.mark.parametrize("harm", [removed, of_no_use])
def test_a_backup_that_lost_its_seal_is_named_and_sealed_again(ledger: Ledger, harm: Callable[[Path], None]) -> None:
    seal = backup_of(ledger).with_suffix(".seal")
    was = seal.read_bytes()
    harm(seal)
    (finding,) = ledger.verified().json["findings"]
    assert finding["check"] == "the backup"
    assert "no seal of this home" in finding["what"]
    assert not ledger.cli("heal", "--check", "--json").json["whole"]
    healed_and_whole(ledger)
    assert seal.read_bytes() == was
    assert ledger.cli.ok("heal")["mended"] == []


@pytest.mark.parametrize("is_readable", [False, True])
@pytest.mark.parametrize(("first", "last"), [(4, 4), (8, 8), (3, 6)])
def test_a_line_of_the_backup_that_cannot_be_read_costs_no_event_after_it(
    ledger: Ledger, first: int, last: int, is_readable: bool
) -> None:
    """What a disk leaves of a bad block, and a ledger that is damaged too, or gone."""
    backup, rows = backup_of(ledger), ledger.rows()
    lines = backup.read_bytes().splitlines(keepends=True)
    lines[first : last + 1] = [bytes(len(line) - 1) + b"\n" for line in lines[first : last + 1]]
    backup.write_bytes(b"".join(lines))
    if is_readable:
        shutil.rmtree(ledger.root / ".perdure")
    else:
        ledger.path.write_bytes(b"\xff" * 20_000)
        ledger.path.with_name("ledger.db-wal").unlink(missing_ok=True)
    lost = losses(ledger.cli("heal", "--json").json)
    assert any("recorded again in the new chain" in each for each in lost)
    ids = exported_ids(ledger.cli)
    assert {row["id"] for row in rows[last + 1 :] if row["kind"] != "head.signed"} <= ids
    assert "after the last head" in ledger.cli("export").out
    assert "open" not in [each["status"] for each in ledger.cli.ok("transaction", "list")]
    whole_in_the_end(ledger)


def test_a_forged_event_after_a_gap_is_not_recorded_again(ledger: Ledger) -> None:
    forged_tail(ledger, 2)
    backup = backup_of(ledger)
    lines = backup.read_bytes().splitlines(keepends=True)
    backup.write_bytes(b"".join([*lines[:4], b"\n", *lines[5:]]))
    shutil.rmtree(ledger.root / ".perdure")
    ledger.cli("heal", "--json")
    assert "pay the forger" not in ledger.cli("export").out


# -- git keeps out -----------------------------------------------------------------------------------------------------


def linked_ignore(path: Path) -> None:
    path.parent.joinpath("rules").write_text("")
    path.symlink_to("rules")


def lets_all_in(path: Path) -> None:
    path.write_text("# ours\n*\n!project.toml\n!*\n!NOTES.md\n")


def says_nothing(path: Path) -> None:
    path.write_text("# nothing\n")


@crossed("brought", [says_nothing, lets_all_in, linked_ignore], "command", ["init", "heal"])
def test_the_gitignore_of_a_clone_lets_nothing_of_ours_into_git(
    tmp_path: Path, environment: dict[str, str], brought: Callable[[Path], None], command: str
) -> None:
    cli = Cli(new_repository(tmp_path / "brought", environment), environment)
    ignore = cli.cwd / ".perdure" / ".gitignore"
    if command == "heal":
        cli.ok("init")
        ignore.unlink()
    else:
        ignore.parent.mkdir()
    brought(ignore)
    if command == "heal":
        told = "git does not ignore .perdure/ledger.db"
        assert told in cli("status").out
        assert told in cli("audit", "verify").out
        assert cli("heal", "--check").code == 1
    cli.ok(command)
    cli.ok("preflight", "--know", "0.9", "--uncertainty", "0.1", "--because", "x")
    git(cli.cwd, environment, "add", "-A")
    names = [name for name in git(cli.cwd, environment, "ls-files").split() if name.startswith(".perdure/")]
    assert names == []
    assert cli.ok("audit", "verify")["whole"]
    assert cli.ok("init")["changed"] == []
    assert brought is linked_ignore or "# nothing" in ignore.read_text() or "!NOTES.md" in ignore.read_text()


def test_lines_that_a_person_added_to_the_gitignore_stay_as_they_are(
    ledger: Ledger, environment: dict[str, str]
) -> None:
    ignore = ledger.root / ".perdure" / ".gitignore"
    ignore.write_text(text := ignore.read_text() + "!NOTES.md\n")
    ledger.cli.ok("heal")
    assert ignore.read_text() == text
    ignore.write_text("!NOTES.md\n")
    ledger.cli.ok("heal")
    assert ignore.read_text() == text, "and count again"


# -- erasing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_restored", [False, True])
def test_a_redaction_in_a_copy_leaves_the_originals_backup_alone(
    ledger: Ledger, tmp_path: Path, environment: dict[str, str], is_restored: bool
) -> None:
    backup = backup_of(ledger)
    shutil.copytree(ledger.root, tmp_path / "copy", symlinks=True)
    copy = Cli(tmp_path / "copy", environment)
    copy.ok("note", "finding", "in the copy")
    if is_restored:  # the original goes on in another chain, and the old one is still its own
        shutil.rmtree(ledger.root / ".perdure")
        ledger.cli.ok("heal")
    before = backup.read_bytes()
    (event,) = [row for row in ledger.rows() if "bob's parser" in (row["payload"] or "")]
    erased = copy("redact", event["id"], "--because", "named somebody")
    assert f"that belongs to {ledger.root}, which recorded it" in erased.out
    assert f"perdure redact {event['id']} --because 'named somebody' --project-path {ledger.root}" in erased.out
    assert "bob's parser" not in copy("export").out
    copy.ok("heal")
    assert copy.ok("audit", "verify")["whole"]
    assert backup.read_bytes() == before
    assert ledger.verified().json["whole"]
    assert "use bob's parser" in decisions(ledger.cli)
    assert "here and in the backup" in ledger.cli("redact", event["id"], "--because", "as was advised").out
    assert b"bob's parser" not in backup.read_bytes()
    assert ledger.verified().json["whole"]
    assert copy.ok("audit", "verify")["whole"]


def test_a_payload_taken_out_of_the_backup_is_seen_and_written_again(ledger: Ledger) -> None:
    backup = backup_of(ledger)
    lines = [json.loads(line) for line in backup.read_text().splitlines()]
    taken = next(line for line in lines if "use WAL" in str(line["payload"]))
    taken |= {"payload": None, "absent": "redacted"}
    backup.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    (finding,) = ledger.verified().json["findings"]
    assert (finding["check"], finding["seq"]) == ("the backup", taken["seq"])
    healed_and_whole(ledger)
    assert b"use WAL" in backup.read_bytes()


def test_a_redaction_reaches_the_backup_under_an_older_id_and_those_set_aside(ledger: Ledger) -> None:
    old = backup_of(ledger)
    shutil.copy(old, f"{old}.damaged-2026-01-01T000000000Z")
    toml = ledger.root / ".perdure" / "project.toml"
    toml.write_text(toml.read_text().replace(old.parent.name, FORGED))
    ledger.cli.ok("audit", "acknowledge", "--because", "meant so")
    ledger.cli("heal")
    (event,) = [row for row in ledger.rows() if "bob's parser" in (row["payload"] or "")]
    ledger.cli.ok("redact", event["id"], "--because", "named somebody")
    holding = [path for path in (ledger.home / "backups").rglob("*") if path.is_file()]
    assert [path.name for path in holding if b"bob's parser" in path.read_bytes()] == []


# -- a home that was put back ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_signed", [True, False])
def test_a_home_put_back_from_an_older_copy_knows_the_ledger_by_its_heads(ledger: Ledger, is_signed: bool) -> None:
    """The chain that the ledger writes to was begun after the copy was made."""
    older = ledger.home.with_name("older")
    shutil.copytree(ledger.home, older)
    shutil.rmtree(ledger.root / ".perdure")
    ledger.cli.ok("heal")
    ledger.cli.ok("preflight", "--know", "0.9", "--uncertainty", "0.1", "--because", "x", PERDURE_INSTANCE="pane")
    ledger.cli.ok("decide", "use threads", "--because", "they wait", PERDURE_INSTANCE="pane")
    if is_signed:
        flags = ("--know", "0.9", "--uncertainty", "0.1", "--because", "done")
        ledger.cli.ok("postflight", *flags, PERDURE_INSTANCE="pane")
    shutil.rmtree(ledger.home)
    older.rename(ledger.home)
    assert "use threads" in decisions(ledger.cli)
    healed_and_whole(ledger)
    assert not list(ledger.path.parent.glob("*.foreign-*"))
    statuses = [each["status"] for each in ledger.cli.ok("transaction", "list")]
    assert statuses == (["closed", "closed"] if is_signed else ["open", "closed"])
    ledger.cli.ok("note", "finding", "the work goes on")
    whole_in_the_end(ledger)


def test_a_ledger_that_carries_our_heads_into_another_folder_is_foreign(
    ledger: Ledger, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Whoever has a ledger of ours, and goes on in a chain of their own, has our heads in it, but not over theirs."""
    theirs = tmp_path / "theirs"
    shutil.copytree(ledger.root, theirs)
    Cli(theirs, environment).ok("decide", "pay the forger", "--because", "x")
    for path in (ledger.home / "ledgers").iterdir():
        if path.name != ledger.ledger_id():
            path.unlink()
    for path in (ledger.home / "projects").iterdir():
        if "theirs" in path.read_text():
            path.unlink()
    target = ledger.root / ".perdure" / "ledger.db"
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()
    shutil.copy(theirs / ".perdure" / "ledger.db", target)
    assert ledger.cli("note", "finding", "x", "--json").error["code"] == "foreign_ledger"
