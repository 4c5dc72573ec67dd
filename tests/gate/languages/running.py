"""Runs a real sed or awk over a script in a directory of its own, and tells which files came into being."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

INPUT = "a/b x\nx[y] foo\n\nend\n"


def programs(*commands: str) -> list[object]:
    """Parameters, one per command; a program that is not on this machine is skipped, visibly."""
    return [
        pytest.param(
            command.split(),
            id=command,
            marks=pytest.mark.skipif(shutil.which(command.split()[0]) is None, reason=f"{command} is not installed"),
        )
        for command in commands
    ]


def created(command: list[str], script: str) -> set[str]:
    with tempfile.TemporaryDirectory() as place:
        Path(place, "in").write_text(INPUT)
        try:
            subprocess.run(
                [*command, script, "in"],
                cwd=place,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=1,
            )
        except subprocess.TimeoutExpired:
            return set(os.listdir(place)) - {"in"}  # a loop; what it wrote before counts
        return set(os.listdir(place)) - {"in"}
