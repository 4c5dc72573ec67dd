"""Analyses a command about whose place nothing is known: it ran long ago, or on another machine.

The analysis is the same as the gate's. Questions about files are answered as if the disk held nothing but the folders
for temporary files.

    analyse_anywhere("sed -i s/a/b/ cart.py").written == ("/nowhere/cart.py",)
"""

from __future__ import annotations

import os

from perdure.gate.effects.analysis import analyse
from perdure.gate.world import TEMPORARY, World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.finding import Analysis

NOWHERE = "/nowhere"
"""The folder in which the command is assumed to run."""
HOME = NOWHERE + "/~"
"""The home folder. It is inside NOWHERE, so that a write to `~/a` has the path `~/a` relative to NOWHERE."""


class _EmptyDisk:
    def real(self, path: str) -> str:
        return os.path.normpath(path)

    def is_folder(self, path: str) -> bool:
        return os.path.normpath(path) in TEMPORARY

    def has_dashed_name(self, folder: str) -> bool:
        return False

    def names_in(self, folder: str) -> frozenset[str]:
        return frozenset()

    def project_of(self, path: str) -> str:
        return ""

    def text_of(self, names: tuple[str, ...], folders: tuple[str, ...]) -> str:
        return ""

    def first_bytes(self, path: str) -> bytes:
        return b""


_WORLD = World(
    cwd=NOWHERE,
    base=NOWHERE,
    home=HOME,
    records=(),
    guard_files=lambda: frozenset(),
    scratch=TEMPORARY,
    program="",
    readers=(),
    temporary="",
    disk=_EmptyDisk(),
)


def analyse_anywhere(text: str) -> Analysis:
    return analyse(text, _WORLD)
