"""A store in a file: made whole, opened to read or to write, moved and copied with all that belongs to it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from perdure.errors import Damaged, Trouble
from perdure.ledger import header
from perdure.ledger.port import Ledger, Store
from perdure.model.event import Ref
from perdure.proof.fsck import KnownElsewhere, audit

from . import jsonl_store
from .making import NEXT, OTHER, OWN, assert_sound, continuing, draft, goal, merged, notes, opened, redaction, snapshot
from .stores import IN_FILES, ORIGIN


@pytest.fixture(params=sorted(IN_FILES))
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setitem(header.FORMATS, (0, jsonl_store.BEGINNING), jsonl_store.is_whole)
    return IN_FILES[request.param]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "store"
    made.mkdir()
    return made


@pytest.fixture
def path(kind: Store, folder: Path) -> str:
    """Of a store with something in it, which nobody has open."""
    path = str(folder / "ledger.db")
    with closing(kind.create(path, OWN, ORIGIN)) as made:
        made.append([opened(), goal(1), *(draft() for _ in range(300))])
        made.merge(notes(OTHER, 3), merged())
    return path


def content(kind: Store, path: str) -> object:
    with closing(kind.open_ledger(path, writable=False)) as ledger:
        assert_sound(ledger)
        return snapshot(ledger)


def test_the_second_to_make_a_store_gets_the_first_ones(kind: Store, path: str) -> None:
    before = content(kind, path)
    with closing(kind.create(path, NEXT, ORIGIN)) as second:
        assert snapshot(second) == before


def test_a_store_that_is_made_leaves_only_files_that_it_names(kind: Store, path: str) -> None:
    allowed = {os.path.basename(path) + ending for ending in ("", *kind.BESIDE)}
    assert os.path.basename(path) in os.listdir(os.path.dirname(path))
    assert set(os.listdir(os.path.dirname(path))) <= allowed
    assert set(kind.WITH_EVENTS) <= set(kind.LOGS) <= set(kind.BESIDE)
    assert all(ending.startswith("-") for ending in kind.BESIDE)


OPENERS: dict[str, Callable[[Store, str], object]] = {
    "to write": lambda kind, path: kind.open_ledger(path),
    "to read": lambda kind, path: kind.open_ledger(path, writable=False),
    "to audit": lambda kind, path: kind.open_audited(path),
}


@pytest.mark.parametrize("how", sorted(OPENERS))
def test_where_there_is_no_store_none_is_made(kind: Store, folder: Path, how: str) -> None:
    with pytest.raises(Trouble) as caught:
        OPENERS[how](kind, str(folder / "ledger.db"))
    assert caught.value.code == "no_ledger"
    assert os.listdir(folder) == []


@pytest.mark.parametrize("how", sorted(OPENERS))
def test_a_file_that_is_not_a_store_is_damaged(kind: Store, folder: Path, how: str) -> None:
    (folder / "ledger.db").write_bytes(b"something else altogether\n" * 100)
    with pytest.raises(Damaged):
        OPENERS[how](kind, str(folder / "ledger.db"))


CHANGES: dict[str, Callable[[Ledger], object]] = {
    "append": lambda ledger: ledger.append([draft()]),
    "append of several": lambda ledger: ledger.append([draft(), goal(2)]),
    "erase": lambda ledger: ledger.erase(Ref(OWN, 1), redaction(next(ledger.events()))),
    "merge": lambda ledger: ledger.merge([], merged()),
    "begin": lambda ledger: ledger.begin(NEXT, ORIGIN, continuing(ledger)),
    "settle": lambda ledger: ledger.settle(ORIGIN),
    "keep secret": lambda ledger: ledger.keep_secret("another", ledger.secret()),
    "rebuild": lambda ledger: ledger.rebuild(),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_store_opened_to_be_read_is_not_changed(kind: Store, path: str, change: str) -> None:
    before = content(kind, path)
    with closing(kind.open_ledger(path, writable=False)) as reader, pytest.raises(Trouble):
        CHANGES[change](reader)
    assert content(kind, path) == before


def test_a_store_that_is_moved_is_the_same_in_the_new_place(kind: Store, path: str, folder: Path) -> None:
    before = content(kind, path)
    kind.move(path, str(folder / "ledger.db.damaged-1"))
    assert not os.path.exists(path)
    assert not [ending for ending in kind.LOGS if os.path.exists(path + ending)]
    assert content(kind, str(folder / "ledger.db.damaged-1")) == before


def test_the_copy_of_a_store_that_is_in_use_has_what_was_acknowledged(kind: Store, path: str, folder: Path) -> None:
    with closing(kind.open_ledger(path)) as ledger:
        ledger.append([draft()])
        kind.copy(path, str(folder / "copy"))
        assert content(kind, str(folder / "copy")) == snapshot(ledger)


def test_rebuilding_changes_no_event_and_keeps_what_was_there(kind: Store, path: str, folder: Path) -> None:
    before = content(kind, path)
    kind.rebuild(path, str(folder / "aside"))
    assert content(kind, path) == before
    assert content(kind, str(folder / "aside")) == before


def test_an_altered_event_is_shown_to_the_auditor_and_not_rebuilt(kind: Store, path: str) -> None:
    altered = Path(path).read_bytes().replace(b"something", b"sOmething", 1)
    assert altered != Path(path).read_bytes()
    Path(path).write_bytes(altered)
    with closing(kind.open_audited(path)) as ledger:
        assert any("sOmething" in str(row) for block in ledger.rows(OWN) for row in block)
        assert 1 in {finding.check for finding in audit(ledger, KnownElsewhere(), ()).findings}
    with pytest.raises(Damaged):
        kind.rebuild(path)
    assert Path(path).read_bytes() == altered


def test_what_is_read_at_one_moment_does_not_see_what_others_write_meanwhile(kind: Store, path: str) -> None:
    with closing(kind.open_ledger(path)) as ledger, closing(kind.open_audited(path)) as audited:
        with audited.at_one_moment():
            before = audited.heads()
            ledger.append([draft(), goal(2)])
            assert audited.heads() == before
            assert sum(len(block) for block in audited.rows(OWN)) == before[0].seq
            assert len(audited.documents("goal")) == 1
        assert audited.heads() == ledger.heads()
        assert len(audited.documents("goal")) == 2


def test_the_gate_tells_a_store_from_a_cut_one(kind: Store, path: str) -> None:
    assert header.is_store(path)
    assert header.begins_as_store(path)
    size = os.path.getsize(path)
    os.truncate(path, size - 10)
    assert not header.is_store(path)
    assert header.begins_as_store(path)
    os.truncate(path, 0)
    assert not header.is_store(path)
    assert not header.begins_as_store(path)


def test_a_log_that_a_crash_left_beside_a_store_moves_with_it(kind: Store, path: str, folder: Path) -> None:
    for ending in kind.LOGS:
        Path(path + ending).write_bytes(b"left by a crash")
    kind.move(path, str(folder / "aside"))
    assert [ending for ending in kind.LOGS if os.path.exists(path + ending)] == []
    assert [ending for ending in kind.LOGS if not os.path.exists(str(folder / "aside") + ending)] == []
