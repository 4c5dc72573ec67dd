"""The disk's answers to the gate (SPEC 5.4): where a path really leads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure.place.disk_facts import Disk
from perdure.place.registry import Registry

DISK = Disk(Registry(os.devnull))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders and links between them: up, down, absolute, dangling, in a circle."""
    root = Path(os.path.realpath(tmp_path_factory.mktemp("tree")))
    (root / "a" / "b").mkdir(parents=True)
    (root / "c").mkdir()
    (root / "a" / "file").write_text("x")
    links = {"up": "..", "a/down": "b", "c/far": str(root / "a"), "a/b/back": "../../c", "gone": "nowhere/at/all"}
    for name, target in {**links, "loop": "loop2", "loop2": "loop", "c/dot": "./.././a/b"}.items():
        (root / name).symlink_to(target)
    return root


NAMES = st.sampled_from(["a", "b", "c", "up", "down", "far", "back", "gone", "dot", "file", "..", ".", "", "new"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400)
@given(names=st.lists(NAMES, max_size=8))
def test_a_path_is_followed_as_the_system_follows_it(tree: Path, names: list[str]) -> None:
    path = f"{tree}/" + "/".join(names)
    assert DISK.real(path) == os.path.realpath(path)


def test_a_circle_ends(tree: Path) -> None:
    assert DISK.real(f"{tree}/loop/x").startswith(str(tree))


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="there is no /proc here")
def test_a_link_of_a_process_is_left_as_it_is(tmp_path: Path) -> None:
    for path in ("/proc/self/cwd/a", "/proc/self", f"/proc/{os.getpid()}/cwd/a/../b"):
        assert DISK.real(path).startswith("/proc/")
    (tmp_path / "trick").symlink_to("/proc/self/cwd")
    assert DISK.real(f"{tmp_path}/trick/a").startswith("/proc/self/")
