"""A pause of the gate ends by itself, whatever is done to clocks and files (SPEC 5.1)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from perdure.model.moment import Moment
from perdure.model.value import replace
from perdure.place import pauses
from perdure.place.home import paused_folder
from perdure.place.pauses import Clocks, Pause

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
NOW = Clocks(Moment(1_000_000_000_000), 500_000, "boot-1")
LENGTH = 600_000


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "shop").mkdir()
    return str(tmp_path / "shop")


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


def begin(home: str, root: str, clocks: Clocks = NOW, *, key: bytes = KEY, length: int = LENGTH) -> Path:
    """Returns the file."""
    pauses.start(home, Pause("id-1", root, Moment(clocks.wall + length)), key, clocks=clocks)
    [file] = Path(paused_folder(home)).iterdir()
    return file


def later(milliseconds: int, *, wall: int | None = None, boot_id: str = "boot-1") -> Clocks:
    moved = milliseconds if wall is None else wall
    return Clocks(Moment(NOW.wall + moved), NOW.since_boot + milliseconds, boot_id)


def is_paused(home: str, root: str, clocks: Clocks, key: bytes | None = KEY) -> bool:
    return pauses.in_force(home, root, key, clocks=clocks) is not None


def test_a_pause_holds_until_its_end_and_no_longer(home: str, root: str) -> None:
    assert not is_paused(home, root, NOW)
    begin(home, root)
    assert is_paused(home, root, later(1))
    assert is_paused(home, root, later(LENGTH - 1))
    assert not is_paused(home, root, later(LENGTH))


def test_a_clock_that_is_set_back_makes_no_pause_longer(home: str, root: str) -> None:
    begin(home, root)
    assert is_paused(home, root, later(LENGTH - 1, wall=-5 * LENGTH))
    assert not is_paused(home, root, later(LENGTH, wall=-5 * LENGTH))


def test_a_clock_that_is_set_forward_ends_it(home: str, root: str) -> None:
    begin(home, root)
    assert not is_paused(home, root, later(1, wall=LENGTH))


def test_a_machine_that_was_started_again_has_no_pause(home: str, root: str) -> None:
    begin(home, root)
    assert not is_paused(home, root, later(1, boot_id="boot-2"))
    assert not is_paused(home, root, Clocks(NOW.wall, NOW.since_boot + 1, "boot-2"))


def test_the_pause_of_another_home_counts_for_nothing(home: str, root: str, tmp_path: Path) -> None:
    begin(str(tmp_path / "theirs"), root, key=OTHER_KEY)
    shutil.copytree(tmp_path / "theirs", home)
    assert not is_paused(home, root, later(1))
    assert not is_paused(home, root, later(1), key=None)


def test_the_pause_of_another_project_counts_for_nothing(home: str, root: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = str(tmp_path / "other")
    file = begin(home, root)
    pauses.end(home, other, KEY, clocks=Clocks(NOW.wall, 0, "boot-1"))
    for path in (pauses._path(home, other), pauses._path(home, str(tmp_path))):
        shutil.copy(file, path)
    assert is_paused(home, root, later(1))
    assert not is_paused(home, other, later(1))
    assert not is_paused(home, str(tmp_path), later(1))


@pytest.mark.parametrize("change", [{"until": 9e15}, {"until_boot": 10**15}, {"boot_id": "boot-2"}, {"digest": ""}])
def test_a_changed_file_counts_for_nothing(home: str, root: str, change: dict[str, object]) -> None:
    file = begin(home, root)
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    assert not is_paused(home, root, later(1))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"digest": null}', '{"digest": "\\ud800"}'])
def test_a_file_that_is_not_a_pause_counts_for_nothing(home: str, root: str, text: str) -> None:
    begin(home, root).write_text(text)
    assert not is_paused(home, root, later(1))


def test_an_ended_pause_cannot_be_put_back(home: str, root: str, tmp_path: Path) -> None:
    file = begin(home, root)
    shutil.copy(file, tmp_path / "copy")
    pauses.end(home, root, KEY, clocks=later(10))
    assert not is_paused(home, root, later(11)), "it is over before its file is gone"
    pauses.forget(home, root)
    assert not Path(paused_folder(home)).exists()
    file.parent.mkdir()
    shutil.copy(tmp_path / "copy", file)
    assert not is_paused(home, root, later(11))
    begin(home, root, later(20))
    assert is_paused(home, root, later(21)), "a new one counts"


def test_a_longer_pause_that_another_replaced_cannot_be_put_back(home: str, root: str, tmp_path: Path) -> None:
    file = begin(home, root, length=10 * LENGTH)
    shutil.copy(file, tmp_path / "copy")
    begin(home, root, later(10))
    shutil.copy(tmp_path / "copy", file)
    assert not is_paused(home, root, later(11))


def test_without_the_file_that_says_when_the_last_one_ended_there_is_no_pause(home: str, root: str) -> None:
    begin(home, root)
    [ended] = (Path(home) / pauses.ENDED_FOLDER).iterdir()
    before = ended.read_text()
    ended.unlink()
    assert not is_paused(home, root, later(1))
    ended.write_text(before.replace("500000", "400000"))
    assert not is_paused(home, root, later(1))


def test_what_the_file_says_is_told_also_when_it_is_over(home: str, root: str) -> None:
    assert pauses.last(home, root, KEY) is None
    begin(home, root)
    found = pauses.last(home, root, KEY)
    assert found
    assert replace(found, root="") == Pause("id-1", "", Moment(NOW.wall + LENGTH))
    assert pauses.last(home, root, OTHER_KEY) is None
