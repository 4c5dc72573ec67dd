"""Somebody redacts or writes just while another process verifies or heals: that is no damage (SPEC 14.7, 16.3)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from perdure import files
from perdure.actions import auditing, healing
from perdure.actions.request import Request
from perdure.ledger.sqlite import SqliteLedger
from perdure.model.value import replace
from tests.conftest import Cli
from tests.contract.making import draft
from tests.faults.helpers import Starter, assert_whole, events_of

REDACTS = """
import os, sys
import perdure.surfaces.cli.transfer
from perdure.__main__ import main
from perdure.actions import erasures
ready, go = int(sys.argv.pop(1)), int(sys.argv.pop(1))
erase_copies = erasures.erase_copies

def erased_in_the_ledger_alone(*given):
    os.write(ready, b".")
    {then}
    return erase_copies(*given)

erasures.erase_copies = erased_in_the_ledger_alone
sys.exit(main(sys.argv[1:]))
"""
SLOW, KILLED = REDACTS.format(then="os.read(go, 1)"), REDACTS.format(then="os._exit(9)")


@pytest.fixture
def noted(cli: Cli) -> str:
    """A note in the backup, in NOTES.md, in the trajectory and in a tracked segment."""
    cli.ok("config", "set", "export.tracked", "true")
    note: str = cli.ok("note", "finding", "the customer is called Ermengarde")["note_id"]
    cli.ok("export", "--tracked")
    cli.ok("notes", "write")
    return note


def redacting(cli: Cli, note: str, how: str) -> Starter:
    """A process that has erased the note in the ledger, and in no copy yet."""
    starter = Starter()
    starter.python(how, "redact", note, "--because", "a name", cwd=cli.cwd, env=cli.environment)
    starter.wait_until_all_are_ready()
    return starter


def request(cli: Cli) -> Request:
    return Request(str(cli.cwd), cli.environment)


@pytest.mark.parametrize("look", ["audit verify", "heal --check", "heal"])
def test_a_redaction_that_goes_on_is_waited_for(
    cli: Cli, noted: str, monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    starter = redacting(cli, noted, SLOW)
    results: list[tuple[int, str, str]] = []
    monkeypatch.setattr(files, "sleep", lambda _: results or results.extend(starter.go()))
    looks: dict[str, Callable[[], Any]] = {
        "audit verify": lambda: auditing.verify(request(cli), lambda *_: None),
        "heal --check": lambda: healing.check(request(cli), lambda _: None),
        "heal": lambda: healing.heal(request(cli), lambda _: None),
    }
    assert looks[look]().is_whole
    assert [code for code, _, _ in results] == [0]
    assert_whole(cli)


def then(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Once something was healed, and before it is looked at, this happens, once."""
    looked_at, left = healing._looked_at, [happens]

    def after_that(*given: Any, **named: Any) -> healing.Healed:
        if left:
            left.pop()()
        return looked_at(*given, **named)

    monkeypatch.setattr(healing, "_looked_at", after_that)


def test_a_redaction_that_was_killed_after_heal_had_erased_is_finished_by_that_heal(
    cli: Cli, noted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    then(monkeypatch, lambda: redacting(cli, noted, KILLED).go())
    assert healing.heal(request(cli), lambda _: None).is_whole
    assert_whole(cli)
    assert cli("audit", "verify").code == 0


def test_what_was_written_after_heal_is_not_a_backup_that_is_behind(
    cli: Cli, noted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = events_of(cli.cwd)[0].project_id

    def written_and_killed() -> None:
        with closing(SqliteLedger(str(cli.cwd / ".perdure" / "ledger.db"))) as ledger:
            ledger.append([replace(draft(), project_id=project)])

    then(monkeypatch, written_and_killed)
    assert healing.heal(request(cli), lambda _: None).is_whole
    assert_whole(cli)
