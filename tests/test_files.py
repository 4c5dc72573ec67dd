"""Files written for a person: whole or not at all, never over another, with no more rights than they need."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from perdure.errors import BadInput, Trouble
from perdure.files import NewFile

from .conftest import Cli


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def no_umask() -> object:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [("calibration --svg FILE", 0o644), ("export FILE", 0o600), ("audit prove ID --output FILE", 0o600)],
)
def test_what_is_written_for_a_person_is_not_for_everybody_to_write(
    cli: Cli, tmp_path: Path, words: str, wanted: int
) -> None:
    made = cli.ok("note", "finding", "x")["note_id"]
    target = tmp_path / "out"
    assert cli(*({"FILE": str(target), "ID": made}.get(word, word) for word in words.split())).code == 0
    assert mode(target) == wanted
    assert [path.name for path in tmp_path.glob("out*")] == ["out"]


def test_the_persons_umask_takes_rights_away(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        with NewFile(str(tmp_path / "out"), mode=0o644) as file:
            file.write(b"x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "out") == 0o600


def test_nothing_stands_there_until_it_is_whole_and_nothing_is_left_where_it_failed(tmp_path: Path) -> None:
    path = tmp_path / "out"

    def interrupted() -> None:
        with NewFile(str(path)) as file:
            file.write(b"half")
            file.flush()
            assert not path.exists()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.glob("out*")) == []


@pytest.mark.parametrize("what", ["file", "link to nothing", "folder"])
def test_what_is_there_already_stays(tmp_path: Path, what: str) -> None:
    path = tmp_path / "out"
    if what == "file":
        path.write_text("mine")
    elif what == "folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="exists already"), NewFile(str(path)) as file:
        file.write(b"x")
    assert not (tmp_path / "elsewhere").exists()


def test_somebody_who_was_faster_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "out"

    def overtaken() -> None:
        with NewFile(str(path)) as file:
            file.write(b"x")
            path.write_text("theirs")

    with pytest.raises(BadInput, match="exists already"):
        overtaken()
    assert path.read_text() == "theirs"
    assert [each.name for each in tmp_path.glob("out*")] == ["out"]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="no/out"), NewFile(str(tmp_path / "no" / "out")) as file:
        file.write(b"x")
