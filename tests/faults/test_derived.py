"""Whatever of the store is derived from its events may be damaged in any way: `audit verify` names it, `heal` makes it
again from the events, the same chain goes on, and nothing of the work is lost (SPEC 16.3)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from perdure.actions import anchors, auditing, decisions, healing, notes, overview, transactions
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import open_desk
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import Draft
from perdure.place.resolve import Explicit
from tests.conftest import Cli
from tests.effort import crossed

from .helpers import events_of

PAGE = 4096
DERIVED = (
    "kinds documents documents_by_change subtrees entered words_data words_idx words_docsize words_config "
    "entered_seen seen_data seen_idx seen_docsize seen_config sqlite_autoindex_chains_1"
).split()


@pytest.fixture
def request_here(cli: Cli, repository: Path, environment: dict[str, str]) -> Request:
    """In a project with every derived structure in use."""
    request = Request(str(repository), environment, Explicit(instance="alice"))
    with open_desk(request) as desk:
        transactions.preflight(desk, SelfAssessment({"know": 0.9, "uncertainty": 0.1}, "alice begins"))
        decisions.decide(desk, p.DecisionMade("use the zebra parser", "readers never wait"))
        stamp = moment.stamp(moment.now())
        notes = [("note.finding", p.write(p.Note(f"finding number{number} of the zebra"))) for number in range(300)]
        edits = [("edit.made", p.write(p.EditMade(f"src/zebra{number}.py"))) for number in range(300)]
        desk.ledger.append(
            [
                Draft(kind=kind, payload=payload, ts=stamp, project_id=desk.identity.id, schema=1, actor="user")
                for kind, payload in (*notes, *edits)
            ]
        )
    return request


def path_of(root: Path) -> str:
    return str(root / ".perdure" / "ledger.db")


def root_page(path: str, name: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        found: int = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
        return found


def overwrite(path: str, page: int, content: bytes) -> None:
    with open(path, "r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(content)


def zeroed(path: str, name: str) -> None:
    overwrite(path, root_page(path, name), bytes(PAGE))


def garbage(path: str, name: str) -> None:
    overwrite(path, root_page(path, name), b"\xa5" * PAGE)


def another_page(path: str, name: str) -> None:
    """What stands there is a sound page, of another table."""
    with open(path, "rb") as file:
        file.seek((root_page(path, "origin") - 1) * PAGE)
        content = file.read(PAGE)
    overwrite(path, root_page(path, name), content)


def change(path: str, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            db.execute(statement)


def pointed_elsewhere(path: str, name: str) -> None:
    other = "(SELECT rootpage FROM sqlite_master WHERE name = 'origin')"
    change(path, f"UPDATE sqlite_master SET rootpage = {other} WHERE name = '{name}'")


def row_of_the_schema_deleted(path: str, name: str) -> None:
    change(path, f"DELETE FROM sqlite_master WHERE name = '{name}'")


def nonsense_in_the_schema(path: str, name: str) -> None:
    change(path, f"UPDATE sqlite_master SET sql = 'CREATE nonsense' WHERE name = '{name}'")


def emptied(path: str, name: str) -> None:
    """An index is emptied by giving it the root page of an empty one."""
    table = {"documents_by_change": "documents", "sqlite_autoindex_chains_1": "chains"}.get(name)
    if table is None:
        change(path, f"DELETE FROM {name}")
    else:
        overwrite(path, root_page(path, name), b"\x0a\0\0\0\0\x10\0\0" + bytes(PAGE - 8))


DAMAGE: tuple[Callable[[str, str], None], ...] = (
    zeroed,
    garbage,
    another_page,
    pointed_elsewhere,
    row_of_the_schema_deleted,
    nonsense_in_the_schema,
    emptied,
)


def is_whole(request: Request) -> bool:
    verified = auditing.verify(request, lambda *_: None)
    assert verified.is_whole == healing.check(request, lambda _: None).is_whole, verified.report.findings
    return verified.is_whole


def found(request: Request, word: str) -> list[str]:
    with open_desk(request) as desk:
        return [str((event.payload or {})["text"]) for event in desk.ledger.mentioning([word], 5).events]


def assert_mended(request: Request, before: list[str]) -> None:
    assert healing.heal(request, lambda _: None).is_whole
    assert is_whole(request)
    with open_desk(request) as desk:
        notes.add(desk, "finding", "written after the zebra")
        assert overview.overview(desk)
    after = events_of(Path(request.cwd))
    assert [event.hash for event in after[: len(before)]] == before, "the same chain goes on"
    assert len({event.ledger_id for event in after}) == 1, "and no other is begun"
    assert found(request, "number7") == ["finding number7 of the zebra"]
    assert found(request, "written") == ["written after the zebra"]
    assert is_whole(request)


@crossed("name", DERIVED, "damage", DAMAGE, times=2)
def test_damage_to_what_is_derived_is_named_and_mended(
    request_here: Request, name: str, damage: Callable[[str, str], None]
) -> None:
    root = Path(request_here.cwd)
    before = [event.hash for event in events_of(root)]
    damage(path_of(root), name)
    if (name, damage) != ("subtrees", emptied):  # a tree that is not stored is computed: older versions stored none
        assert not is_whole(request_here)
    assert_mended(request_here, before)


def test_a_healing_looks_through_the_history_of_git_for_anchors_only_once(
    request_here: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It audits twice; with every commit ever made, the look takes seconds."""
    asked: list[str] = []
    really = anchors.anchored
    monkeypatch.setattr(anchors, "anchored", lambda root: asked.append(root) or really(root))
    assert healing.heal(request_here, lambda _: None).is_whole
    assert asked == [request_here.cwd]
