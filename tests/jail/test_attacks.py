"""Every way around the jail that we know of, really tried: as root and as nobody, on kernels of every age.

The attacks are in `attacks.py`. Each run compares afterwards what could have been changed: files with their modes,
times and attributes, a process, sockets, shared memory."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from perdure.jail.confine import running_kernel
from perdure.jail.plan import why_not

from .arena import NOBODY, arena

pytestmark = [
    pytest.mark.skipif(bool(why_not(running_kernel())), reason="the kernel has no jail"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="the attacks are written for x86_64"),
]
NEWEST = 7
REALLY_WORK = 80
"""So many of the attacks succeed as root without the jail. Otherwise they would prove nothing."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may reach, unlike pytest's, and wherever `TMPDIR` is."""
    made = Path(tempfile.mkdtemp(prefix="perdure-jail-", dir="/tmp"))
    yield made
    shutil.rmtree(made)


def users() -> list[int]:
    return [0, NOBODY] if os.getuid() == 0 else [0]


@pytest.mark.parametrize("user", users())
@pytest.mark.parametrize("landlock", range(1, NEWEST + 1))
def test_no_attack_changes_anything(folder: Path, user: int, landlock: int) -> None:
    with arena(folder, user=user) as place:
        before = place.seen()
        tried = place.attack(landlock=landlock)
        assert {name: what for name, what in tried.items() if what == "done"} == {}
        assert len(tried) > 100
        assert place.seen() == before


@pytest.mark.parametrize("user", users())
def test_with_network_only_connections_work(folder: Path, user: int) -> None:
    with arena(folder, user=user) as place:
        before = place.seen()
        tried = place.attack(network=True)
        assert [name for name, what in tried.items() if what == "done"] == ["tcp", "udp_message"]
        after = place.seen()
        assert after.pop("arrived") == [False, False, False, True, True]
        assert after == {name: what for name, what in before.items() if name != "arrived"}


def test_a_jail_in_a_jail_holds_too(folder: Path) -> None:
    with arena(folder) as place:
        before = place.seen()
        assert "done" not in place.attack(jails=3).values()
        assert place.seen() == before


@pytest.mark.skipif(os.getuid() != 0, reason="as root, most of them work")
def test_the_attacks_work_without_the_jail(folder: Path) -> None:
    with arena(folder) as place:
        before = place.seen()
        tried = place.attack(jailed=False)
        assert [*tried.values()].count("done") > REALLY_WORK, tried
        assert place.seen() != before
