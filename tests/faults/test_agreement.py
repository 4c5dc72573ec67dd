"""`audit verify` and `heal --check` agree on every damage, before and after `heal` (SPEC 14.7, 16.3)."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from perdure.actions import auditing, healing
from perdure.actions.request import Request
from perdure.errors import PerdureError
from perdure.place.resolve import Explicit
from perdure.settings import persons_project_file
from tests.conftest import Cli, git, new_repository
from tests.faults.test_attacks import Ledger, ledger
from tests.faults.test_trust import backup_of, decisions

__all__ = ["ledger"]

Damage = Callable[[Ledger], object]
WHOLE, DAMAGED = "whole", "damaged"
JOURNAL_BEGINS = bytes.fromhex("d9d505f920a163d7")


def asked(ledger: Ledger) -> Request:
    return Request(str(ledger.root), ledger.cli.environment, Explicit(instance="alice"))


def verdicts(ledger: Ledger) -> tuple[str, str]:
    """What `audit verify` and `heal --check` say: whole, damaged, or the code of an error."""

    def of(look: Callable[[], auditing.Verified | healing.Healed]) -> str:
        try:
            return WHOLE if look().is_whole else DAMAGED
        except PerdureError as error:
            return error.code

    return of(lambda: auditing.verify(asked(ledger), lambda *_: None)), of(
        lambda: healing.check(asked(ledger), lambda *_: None)
    )


def in_project(name: str) -> Callable[[Ledger], list[Path]]:
    return lambda ledger: sorted(ledger.path.parent.glob(name))


def in_home(name: str) -> Callable[[Ledger], list[Path]]:
    return lambda ledger: sorted(ledger.home.glob(name))


def removed(find: Callable[[Ledger], list[Path]]) -> Damage:
    def harm(ledger: Ledger) -> None:
        paths = find(ledger)
        assert paths
        for path in paths:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    return harm


def written(where: Callable[[Ledger], Path], content: bytes) -> Damage:
    def harm(ledger: Ledger) -> None:
        where(ledger).parent.mkdir(exist_ok=True)
        where(ledger).write_bytes(content)

    return harm


def appended(find: Callable[[Ledger], list[Path]], content: bytes) -> Damage:
    def harm(ledger: Ledger) -> None:
        paths = find(ledger)
        assert paths
        for path in paths:
            path.write_bytes(path.read_bytes() + content)

    return harm


def changed(*statements: str) -> Damage:
    def harm(ledger: Ledger) -> None:
        ledger.change(*((statement, ()) for statement in statements))

    return harm


def beside(suffix: str, content: bytes) -> Damage:
    return written(lambda ledger: Path(f"{ledger.path}{suffix}"), content)


def keeping_a_journal(then: Damage) -> Damage:
    """A store as it is on a network file system."""

    def harm(ledger: Ledger) -> None:
        db = sqlite3.connect(ledger.path, isolation_level=None)
        assert db.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
        db.close()
        then(ledger)

    return harm


def journal_of_another_database(ledger: Ledger) -> None:
    other = ledger.root.parent / "other.db"
    db = sqlite3.connect(other, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("CREATE TABLE t (x)")
    db.execute("INSERT INTO t VALUES (zeroblob(200000))")
    db.execute("BEGIN")
    for _ in range(20):
        db.execute("UPDATE t SET x = randomblob(200000)")
    journal = Path(f"{other}-journal").read_bytes()
    db.execute("ROLLBACK")
    db.close()
    assert journal.startswith(JOURNAL_BEGINS)
    Path(f"{ledger.path}-journal").write_bytes(journal)


def log_of_another_database(ledger: Ledger) -> None:
    other = ledger.root.parent / "other.db"
    db = sqlite3.connect(other, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE t (x)")
    db.execute("INSERT INTO t VALUES (zeroblob(20000))")
    Path(f"{ledger.path}-wal").write_bytes(Path(f"{other}-wal").read_bytes())
    db.close()


def log_of_another_ledger(ledger: Ledger) -> None:
    other = Cli(new_repository(ledger.root.parent / "other", ledger.cli.environment), ledger.cli.environment)
    other.ok("init")
    path = other.cwd / ".perdure" / "ledger.db"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("INSERT INTO documents VALUES ('x', 'y', 1, 1, '{}')")
    Path(f"{ledger.path}-wal").write_bytes(Path(f"{path}-wal").read_bytes())
    db.close()


def a_write_that_was_broken_off(ledger: Ledger) -> None:
    program = f"""
import os, sqlite3
db = sqlite3.connect({str(ledger.path)!r}, isolation_level=None)
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN")
db.execute("UPDATE events SET actor = hex(randomblob(30000))")
os._exit(1)
"""
    subprocess.run([sys.executable, "-c", program], check=False)
    assert Path(f"{ledger.path}-journal").read_bytes().startswith(JOURNAL_BEGINS)


def key_of_the_views_lost_and_another_made(ledger: Ledger) -> None:
    removed(in_home("keys/view.key"))(ledger)
    ledger.cli.ok("note", "finding", "under a new key")


def backup_behind(ledger: Ledger) -> None:
    backup, seal = backup_of(ledger), backup_of(ledger).with_suffix(".seal")
    before = backup.read_bytes(), seal.read_bytes()
    ledger.cli.ok("note", "finding", "not backed up yet")
    backup.write_bytes(before[0])
    seal.write_bytes(before[1])


def linked(name: str) -> Damage:
    def harm(ledger: Ledger) -> None:
        elsewhere = ledger.root.parent / "elsewhere"
        elsewhere.mkdir()
        (ledger.path.parent / name).symlink_to(elsewhere)

    return harm


def project_toml(ledger: Ledger) -> Path:
    return ledger.path.parent / "project.toml"


def removed_link(name: str) -> Damage:
    return lambda ledger: (ledger.home / name).unlink()


def settings_for_this_project(ledger: Ledger) -> Path:
    return Path(persons_project_file(str(ledger.home), str(ledger.root)))


def open_file_with(content: bytes) -> Damage:
    """In the place of the id that the file of the open transaction begins with."""

    def harm(ledger: Ledger) -> None:
        (path,) = in_project("active_transaction*.json")(ledger)
        before = path.read_bytes()
        path.write_bytes(re.sub(rb'(?<="transaction_id":")[^"]+', lambda _: content, before, count=1))
        assert path.read_bytes() != before

    return harm


def seal_with_a_byte_that_is_no_text(ledger: Ledger) -> None:
    seal = backup_of(ledger).with_suffix(".seal")
    seal.write_bytes(re.sub(rb'(?<="hash":").', b"\xff", seal.read_bytes()))
    assert b"\xff" in seal.read_bytes()


MENDED: dict[str, Damage] = {
    "random bytes as a journal": beside("-journal", os.urandom(5000)),
    "a text as a journal": beside("-journal", b"hello"),
    "the beginning of a journal": beside("-journal", JOURNAL_BEGINS + os.urandom(4000)),
    "the journal of another database": journal_of_another_database,
    "the log of another database": log_of_another_database,
    "the log of another ledger": log_of_another_ledger,
    "random bytes, where a journal is kept": keeping_a_journal(beside("-journal", os.urandom(5000))),
    "another's journal, where a journal is kept": keeping_a_journal(journal_of_another_database),
    "a write that was broken off": keeping_a_journal(a_write_that_was_broken_off),
    "no project.toml": removed(in_project("project.toml")),
    "project.toml is no TOML": written(project_toml, b"<<<<<<<"),
    "no .gitignore": removed(in_project(".gitignore")),
    "nothing in .perdure": removed(in_project("*")),
    "no ledger": removed(in_project("ledger.db*")),
    "an empty ledger": written(lambda ledger: ledger.path, b""),
    "random bytes as a ledger": written(lambda ledger: ledger.path, os.urandom(9999)),
    "no key of the views": removed(in_home("keys/view.key")),
    "a bad key of the views": written(lambda ledger: ledger.home / "keys" / "view.key", b"x"),
    "another key of the views": key_of_the_views_lost_and_another_made,
    "no transaction file": removed(in_project("active_transaction*.json")),
    "a transaction file of nobody": written(lambda ledger: ledger.path.parent / "active_transaction_zz.json", b"{}"),
    "a transaction file with a byte that is no text": open_file_with(b"\xff"),
    "a transaction file with half a pair of surrogates": open_file_with(rb"\ud800"),
    "a transaction file of nobody with a byte that is no text": written(
        lambda ledger: ledger.path.parent / "active_transaction_zz.json", b'{"a":"\xff"}'
    ),
    "a seal with a byte that is no text": seal_with_a_byte_that_is_no_text,
    "two rows of origin": changed("INSERT INTO origin VALUES ('/elsewhere', 'machine')"),
    "two equal rows of origin": changed("INSERT INTO origin SELECT * FROM origin"),
    "a row of origin before ours": changed("INSERT INTO origin (rowid, root, machine) VALUES (-1, '/else', 'where')"),
    "another machine as the origin": changed("UPDATE origin SET machine = 'ffff'"),
    "another folder as the origin": changed("UPDATE origin SET root = '/elsewhere'"),
    "another folder and machine as the origin": changed("UPDATE origin SET root = '/elsewhere', machine = 'ffff'"),
    "no row of origin": changed("DELETE FROM origin"),
    "a document of nobody": changed("INSERT INTO documents VALUES ('goal', 'y', 1, 1, '{}')"),
    "an empty reason for a payload that is there": changed("UPDATE events SET absent = '' WHERE kind = 'note.finding'"),
    "an empty reason that is no text": changed("UPDATE events SET absent = x'' WHERE kind = 'note.finding'"),
    "an event of no chain": changed("UPDATE events SET row = 7 WHERE kind = 'note.question'"),
    "a document of an unknown kind": changed("INSERT INTO documents VALUES ('strange', 'y', 1, 1, '{}')"),
    "a line in the backup that is not an event": appended(in_home("backups/*/*.jsonl"), b"junk\n"),
    "a line among the heads that is none": appended(in_home("heads/*/*.jsonl"), b"junk\n"),
    "no seal": removed(in_home("backups/*/*.seal")),
    "a folder where redactions are noted": lambda ledger: backup_of(ledger).with_suffix(".erased").mkdir(),
    "no heads": removed(in_home("heads")),
    "no backups": removed(in_home("backups")),
    "no home": lambda ledger: shutil.rmtree(ledger.home),
    "the export is a link": linked("export"),
    "the bindings are a link": linked("bindings"),
}
CORRECTED_BY_A_PERSON: dict[str, tuple[Damage, Damage]] = {
    "the project's settings are no TOML": (
        written(lambda ledger: ledger.path.parent / "config.toml", b"[[["),
        removed(in_project("config.toml")),
    ),
    "the project sets what there is not": (
        written(lambda ledger: ledger.path.parent / "config.toml", b"[gate]\nfoo = 1\n"),
        removed(in_project("config.toml")),
    ),
    "the home's settings are no TOML": (
        written(lambda ledger: ledger.home / "config.toml", b"[[["),
        removed(in_home("config.toml")),
    ),
    "the home's settings are a folder": (
        lambda ledger: (ledger.home / "config.toml").mkdir(),
        removed(in_home("config.toml")),
    ),
    "the home's settings are a pipe": (
        lambda ledger: os.mkfifo(ledger.home / "config.toml"),
        removed(in_home("config.toml")),
    ),
    "the home's settings are a link that leads nowhere": (
        lambda ledger: (ledger.home / "config.toml").symlink_to("nowhere"),
        removed_link("config.toml"),
    ),
    "the home's settings for this project are a folder": (
        lambda ledger: settings_for_this_project(ledger).mkdir(parents=True),
        removed(in_home("settings")),
    ),
    "a file where the home keeps settings for projects": (
        written(lambda ledger: ledger.home / "settings", b"x"),
        removed(in_home("settings")),
    ),
    "the signing key is none": (
        written(lambda ledger: ledger.home / "keys" / "signing.key", b"junk"),
        lambda ledger: ledger.cli.ok("audit", "key", "rotate"),
    ),
    "a variable is no number": (
        lambda ledger: ledger.cli.environment.update(PERDURE_GATE_KNOW="seven"),
        lambda ledger: ledger.cli.environment.pop("PERDURE_GATE_KNOW"),
    ),
}
NO_DAMAGE: dict[str, Damage] = {
    "nothing": lambda _: None,
    "a backup that is only behind": backup_behind,
    "a line of the backup that a crash cut": appended(in_home("backups/*/*.jsonl"), b'{"ledger_id":"'),
    "a line of the heads that a crash cut": appended(in_home("heads/*/*.jsonl"), b'{"note":"'),
    "an empty journal": beside("-journal", b""),
    "random bytes as a log, which SQLite passes over": beside("-wal", os.urandom(5000)),
    "no list of known projects": removed(in_home("projects")),
}


@pytest.mark.parametrize("damage", MENDED)
def test_both_name_a_damage_and_call_it_mended_after_heal(ledger: Ledger, damage: str) -> None:
    MENDED[damage](ledger)
    assert verdicts(ledger) == (DAMAGED, DAMAGED)
    healing.heal(asked(ledger), lambda _: None)
    assert verdicts(ledger) == (WHOLE, WHOLE)
    if damage != "no home":  # the ledger is then foreign, and a person imports it
        assert "use WAL" in decisions(ledger.cli)


@pytest.mark.parametrize("damage", CORRECTED_BY_A_PERSON)
def test_both_name_what_only_a_person_can_correct_until_it_is_corrected(ledger: Ledger, damage: str) -> None:
    harm, correct = CORRECTED_BY_A_PERSON[damage]
    harm(ledger)
    assert verdicts(ledger) == (DAMAGED, DAMAGED)
    with suppress(PerdureError):  # a wrong variable stops it
        healing.heal(asked(ledger), lambda _: None)
    assert verdicts(ledger) == (DAMAGED, DAMAGED)
    correct(ledger)
    assert verdicts(ledger) == (WHOLE, WHOLE)


@pytest.mark.parametrize("state", NO_DAMAGE)
def test_both_call_whole_what_is_not_damage(ledger: Ledger, state: str) -> None:
    NO_DAMAGE[state](ledger)
    assert verdicts(ledger) == (WHOLE, WHOLE)


def test_both_say_that_nothing_could_be_checked(ledger: Ledger) -> None:
    with sqlite3.connect(ledger.path) as db:
        db.execute("PRAGMA user_version = 9")
        db.execute("CREATE TABLE later (x)")
    db.close()
    assert verdicts(ledger) == ("newer_store", "newer_store")


@pytest.mark.parametrize(
    ("damage", "suffix"),
    [
        (beside("-journal", os.urandom(5000)), "-journal"),
        (journal_of_another_database, "-journal"),
        (log_of_another_database, "-wal"),
        (log_of_another_ledger, "-wal"),
    ],
    ids=["random bytes", "journal of another", "log of another", "log of another ledger"],
)
def test_a_log_that_the_ledger_did_not_write_is_named_and_set_aside_and_costs_nothing(
    ledger: Ledger, damage: Damage, suffix: str
) -> None:
    before = ledger.cli("export").out
    content = ledger.path.read_bytes()
    damage(ledger)
    stray = Path(f"{ledger.path}{suffix}")
    log = stray.read_bytes()
    refused = ledger.cli("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (3, "ledger_damaged")
    assert f"{stray} is a log that this ledger did not write" in refused.error["message"]
    assert "perdure heal" in refused.error["hint"]
    for command in (("audit", "verify", "--json"), ("heal", "--check", "--json")):
        looked = ledger.cli(*command)
        assert looked.code == 1
        assert f"{stray} is a log that this ledger did not write" in looked.out
    assert ledger.path.read_bytes() == content, "nothing of the log came into the ledger"
    healed = ledger.cli.ok("heal")
    assert any(f"{stray} is a log" in each and "set aside as" in each for each in healed["mended"])
    assert [each.read_bytes() for each in stray.parent.glob(f"{stray.name}.odd-*")] == [log], "nothing is deleted"
    assert before.splitlines()[: ledger.end] == ledger.cli("export").out.splitlines()[: ledger.end]
    ledger.cli.ok("note", "finding", "the work goes on")
    assert verdicts(ledger) == (WHOLE, WHOLE)


@pytest.mark.parametrize("row", ["(root, machine) VALUES", "(rowid, root, machine) VALUES (-1,"])
def test_a_second_row_of_origin_moves_nothing_and_is_taken_out(ledger: Ledger, row: str) -> None:
    chain = ledger.ledger_id()
    statement = f"INSERT INTO origin {row}{'' if row.endswith(',') else ' ('}'/elsewhere', 'another machine')"
    ledger.change((statement, ()))
    (finding,) = ledger.verified().json["findings"]
    assert (finding["check"], "origin has 2 rows" in finding["what"]) == ("the schema", True)
    ledger.cli.ok("note", "finding", "the work goes on in the same chain")
    assert ledger.ledger_id() == chain
    assert "origin has 2 rows" in str(ledger.cli.ok("heal")["mended"])
    with sqlite3.connect(ledger.path) as db:
        assert db.execute("SELECT root FROM origin").fetchall() == [(str(ledger.root),)]
    db.close()
    assert ledger.ledger_id() == chain
    assert verdicts(ledger) == (WHOLE, WHOLE)


def test_the_finding_of_a_missing_project_file_names_that_file(ledger: Ledger) -> None:
    project_toml(ledger).unlink()
    for command in (("audit", "verify", "--json"), ("heal", "--check", "--json")):
        assert f"{project_toml(ledger)} is gone" in ledger.cli(*command).out


def test_looking_makes_no_new_key(ledger: Ledger) -> None:
    removed(in_home("keys/view.key"))(ledger)
    verdicts(ledger)
    assert not (ledger.home / "keys" / "view.key").exists()


def tracked_by_git(ledger: Ledger) -> None:
    git(ledger.root, ledger.cli.environment, "add", "-f", ".perdure/ledger.db")


def another_id(ledger: Ledger) -> None:
    text = project_toml(ledger).read_text()
    project_toml(ledger).write_text(re.sub('id = "........', 'id = "12121212', text))


@pytest.mark.parametrize(
    ("damage", "way"),
    [
        (CORRECTED_BY_A_PERSON["the home's settings are no TOML"][0], "a person corrects the settings"),
        (CORRECTED_BY_A_PERSON["the home's settings are a folder"][0], "a person corrects the settings"),
        (tracked_by_git, "a person takes the files out of git"),
        (another_id, "put the known id back"),
    ],
    ids=["no TOML", "a folder", "tracked by git", "another id"],
)
def test_a_person_is_told_a_way_that_works_where_heal_cannot_mend(ledger: Ledger, damage: Damage, way: str) -> None:
    damage(ledger)
    said = ledger.cli("audit", "verify").out
    assert way in said
    assert "perdure heal brings back what the backup has" not in said


def test_an_open_transaction_that_the_home_lost_its_entry_for_is_damage_to_all(ledger: Ledger) -> None:
    """The gate denies, and `status` names `heal`: so `heal --check` must not call it whole."""
    flags = ("--know", "0.8", "--uncertainty", "0.2")
    ledger.cli.ok("preflight", *flags, "--because", "read it")
    assert verdicts(ledger) == (WHOLE, WHOLE)
    shutil.rmtree(ledger.home / "held")
    assert verdicts(ledger) == (DAMAGED, DAMAGED)
    assert "perdure heal fixes it" in ledger.cli("status").out
    ledger.cli.ok("heal")
    assert verdicts(ledger) == (WHOLE, WHOLE)
    ledger.cli.ok("check", *flags)
    assert "the gate will deny" not in ledger.cli("status").out
